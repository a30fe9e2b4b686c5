"""Scripts for counts of roots: that a polynomial of degree one or two has one root in an interval, by its factors."""

from __future__ import annotations

import sympy as sp

from grpo_symbolic.proof.coq.scripts.goals import Goals
from grpo_symbolic.proof.coq.scripts.signs import Points, as_term, in_sympy, real, sign_of
from grpo_symbolic.proof.coq.syntax import Unsupported
from grpo_symbolic.terms.language import (
    ZERO,
    Compare,
    Number,
    Term,
    Variable,
    conjunction,
    multiply,
    substitute,
    subtract,
)

_INSIDE = real("inside_")


def one_root(goals: Goals, polynomial: Term, variable: Variable, low: Term | str, high: Term | str) -> list[str]:
    """Which root of the formula lies inside, and at or beyond which end the other one lies; ends that are no terms are
    infinite.

    Raises :class:`Unsupported` for a higher degree, and where sample points do not distinguish the roots.
    """
    names, text = goals.names, goals.text
    leading, roots = _factors(in_sympy(polynomial), in_sympy(variable))
    sides = [_side(r, low, high, names.points) for r in roots]
    if sides.count("inside") != 1 or "" in sides:
        raise Unsupported("sample points do not tell which root lies inside")
    a, body = names.name(as_term(leading)), substitute(names.name(polynomial), {variable: _INSIDE})
    named = [names.name(as_term(r)) for r in roots]
    low, high = (names.name(e) if isinstance(e, Term) else e for e in (low, high))
    nonzero = names.show(f"{text(a)} <> 0", "nonzero") if isinstance(a, Number) else names.nonzero(a)
    root = named[sides.index("inside")]
    outside = next(([r, s] for r, s in zip(named, sides, strict=True) if s != "inside"), None)
    product = multiply(a, *(subtract(_INSIDE, r) for r in named))
    factors = " * ".join([text(a), *(f"(inside_ - {text(r)})" for r in named)])
    ends = [e for e in (low, high) if isinstance(e, Term)]
    pattern = ["Z'", "[A' Z']", "[A' [B' Z']]"][len(ends)]
    lines = [*goals.begun(), f"exists {text(root)}. intro inside_. split.", "{", f"intros {pattern}."]
    zero = "refine (eq_trans _ Z'); first [reflexivity | ring | (field; nonzero)]"
    lines.append(f"assert (M' : {factors} = 0).")
    lines.append(f"{{ transitivity {text(body)}; [{names.equality(product, body)} | {zero}]. }}")
    lemma = f"{'one_of_two' if outside else 'one_of_one'} _ {'_ _ _' if outside else '_ _'} {nonzero} M'"
    if outside is None:
        lines.append(f"exact ({lemma}).")
    else:
        other, side = outside
        below, above = (other, low) if side == "below" else (high, other)
        lines.append(f"assert (O' : {text(below)} <= {text(above)}). {{ {names.below(below, above, '>=')}. }}")
        beyond = "exfalso; first [lra | (rewrite Q' in *; eapply Rlt_not_le; eassumption)]"
        lines.append(f"destruct ({lemma}) as [Q'|Q']; first [exact Q' | {beyond}].")
    there = [Compare("<", low, _INSIDE)] if isinstance(low, Term) else []
    there += [Compare("<", _INSIDE, high)] if isinstance(high, Term) else []
    claimed = substitute(conjunction(*there, Compare("==", body, ZERO)), {_INSIDE: root})
    return [*lines, "}", "intros ->.", *goals.goal(claimed)]


def _factors(polynomial: sp.Expr, x: sp.Symbol) -> tuple[sp.Expr, list[sp.Expr]]:
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


def _side(root: sp.Expr, low: Term | str, high: Term | str, points: Points) -> str:
    """Whether a root lies "inside", "below" or "above" the interval, at or beyond its end; nothing where unknown."""
    over = sign_of(root - in_sympy(low), points) if isinstance(low, Term) else ">"
    under = sign_of(in_sympy(high) - root, points) if isinstance(high, Term) else ">"
    if under in ("<", "<=", "0"):
        return "above"
    if over in ("<", "<=", "0"):
        return "below"
    return "inside" if over == under == ">" else ""
