"""Scripts for counts of roots: that a polynomial of degree one or two has one root in an interval, by its factors."""

from __future__ import annotations

from typing import Any

import sympy as sp

from grpo_symbolic.export.coq import term
from grpo_symbolic.export.coq_names import Unsupported
from grpo_symbolic.proof.obligation import RootCount
from grpo_symbolic.verification.kernel_goals import Goals
from grpo_symbolic.verification.kernel_signs import Points, sign_of


def one_root(goals: Goals, asked: RootCount) -> list[str]:
    """Which root of the formula lies inside, and at or beyond which end the other one lies.

    Raises :class:`Unsupported` for another count, a higher degree, and where sample points do not tell the roots apart.
    """
    names = goals.names
    low, high = sp.sympify(asked.lower), sp.sympify(asked.upper)
    if asked.count != 1:
        raise Unsupported(f"{asked.count} roots")
    leading, roots = _factors(sp.sympify(asked.polynomial), asked.variable)
    sides = [_side(r, low, high, names.points) for r in roots]
    if sides.count("inside") != 1 or "" in sides:
        raise Unsupported("sample points do not tell which root lies inside")
    x = sp.Symbol("inside_", real=True)
    a, body = names.name(leading), names.name(sp.sympify(asked.polynomial)).xreplace({asked.variable: x})
    named = [names.name(r) for r in roots]
    low, high = (names.name(e) if e.is_finite else e for e in (low, high))
    nonzero = names.show(f"{term(a)} <> 0", "nonzero") if a.is_Rational else names.nonzero(a)
    root = named[sides.index("inside")]
    outside = next(([r, s] for r, s in zip(named, sides, strict=True) if s != "inside"), None)
    product = sp.Mul(a, *(x - r for r in named), evaluate=False)
    factors = " * ".join([term(a), *(f"(inside_ - {term(r)})" for r in named)])
    lines = [*names.lines, *(["split. { meaningful. }"] * goals.conditions)]
    names.lines.clear()
    pattern = (
        "[A' [B' Z']]" if low.is_finite and high.is_finite else "[A' Z']" if low.is_finite or high.is_finite else "Z'"
    )
    lines += [f"exists {term(root)}. intro inside_. split.", "{", f"intros {pattern}."]
    zero = "refine (eq_trans _ Z'); first [reflexivity | ring | (field; nonzero)]"
    lines.append(f"assert (M' : {factors} = 0).")
    lines.append(f"{{ transitivity {term(body)}; [{names.equality(product, body)} | {zero}]. }}")
    lemma = f"{'one_of_two' if outside else 'one_of_one'} _ {'_ _ _' if outside else '_ _'} {nonzero} M'"
    if outside is None:
        lines.append(f"exact ({lemma}).")
    else:
        other, side = outside
        beyond = names.below(other, low, ">=") if side == "below" else names.below(high, other, ">=")
        said = f"{term(other)} <= {term(low)}" if side == "below" else f"{term(high)} <= {term(other)}"
        lines.append(f"assert (O' : {said}). {{ {beyond}. }}")
        beyond = "exfalso; first [lra | (rewrite Q' in *; eapply Rlt_not_le; eassumption)]"
        lines.append(f"destruct ({lemma}) as [Q'|Q']; first [exact Q' | {beyond}].")
    there = [sp.Lt(low, x, evaluate=False)] * low.is_finite + [sp.Lt(x, high, evaluate=False)] * high.is_finite
    claimed = (
        sp.And(*there, sp.Eq(body, 0, evaluate=False), evaluate=False) if there else sp.Eq(body, 0, evaluate=False)
    )
    return [*lines, "}", "intros ->.", *goals.goal(claimed.xreplace({x: root}))]


def _factors(polynomial: Any, x: Any) -> tuple[Any, list[Any]]:
    """The leading coefficient and the roots by the formula."""
    coefficients = sp.Poly(polynomial, x).all_coeffs()
    if len(coefficients) == 2:
        a, b = coefficients
        return a, [-b / a]
    if len(coefficients) != 3:
        raise Unsupported(f"the roots of a polynomial of degree {len(coefficients) - 1}")
    a, b, c = coefficients
    root = sp.sqrt(sp.factor(b**2 - 4 * a * c))
    return a, [(-b + root) / (2 * a), (-b - root) / (2 * a)]


def _side(root: Any, low: Any, high: Any, points: Points) -> str:
    if high.is_finite and sign_of(root - high, points) in (">", ">=", "0"):
        return "above"
    if low.is_finite and sign_of(low - root, points) in (">", ">=", "0"):
        return "below"
    over = not low.is_finite or sign_of(root - low, points) == ">"
    under = not high.is_finite or sign_of(high - root, points) == ">"
    return "inside" if over and under else ""
