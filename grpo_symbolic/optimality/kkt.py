"""Stationarity on the simplex: partial derivatives in one probability, the Lagrangian, and identifying π_old with π
afterwards.

For symbolic n the policy is a family ``pi`` and the derivative in ``pi[o]`` is taken under the sum signs. Source:
Vojnovic & Yun (2025), Appendix A.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import sympy as sp

from grpo_symbolic.errors import check_kind
from grpo_symbolic.objectives.space import Answers
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.slopes import derivative


def partial(expression: sp.Expr, entry: sp.Indexed) -> sp.Expr:
    """The partial derivative in one entry of a family, every other family (π_old in particular) held fixed.

    A sum ``Σ_j f(π(j), π(o))`` contributes the derivative of its summand in ``π(j)`` at ``j = o``, and the sum of the
    derivatives in ``π(o)`` wherever that stands by itself; an entry ``π(o')`` of another index contributes where ``o'
    = o``.
    """
    check_kind(expression, sp.Expr, "what is differentiated", "a SymPy expression")
    check_kind(entry, sp.Indexed, "the entry", "one of a family, such as pi[o] of the notation")
    leaves = {e: sp.Dummy() for e in _outermost(expression, entry.base)}
    flat = expression.xreplace(leaves)
    slope = sp.Add(*(derivative(flat, name) * _leaf(e, entry) for e, name in leaves.items()))
    return slope.xreplace({name: e for e, name in leaves.items()})


def _outermost(expression: sp.Expr, base: sp.IndexedBase) -> list[sp.Expr]:
    """The sums and the entries of the family that stand in no other sum."""
    if isinstance(expression, sp.Sum):
        return [expression] if expression.has(base) else []
    if isinstance(expression, sp.Indexed):
        return [expression] if expression.base == base else []
    return list(dict.fromkeys(leaf for a in expression.args for leaf in _outermost(a, base)))


@lru_cache(maxsize=1024)  # the penalty has the same derivative in every objective
def _leaf(leaf: sp.Expr, entry: sp.Indexed) -> sp.Expr:
    if isinstance(leaf, sp.Indexed):
        return sp.KroneckerDelta(leaf.indices[0], entry.indices[0])
    index, low, high = leaf.limits[-1]  # outermost
    body = leaf.function if len(leaf.limits) == 1 else sp.Sum(leaf.function, *leaf.limits[:-1])
    name = index
    while entry.has(name) or (name != index and body.has(name)):  # the bound answer is not the one of the entry
        name = sp.Symbol(f"{name.name}_", integer=True)
    own, moving = entry.base[name], sp.Dummy()
    body = body.xreplace({index: name}).xreplace({own: moving})
    at_entry = derivative(body, moving).xreplace({moving: own}).xreplace({name: entry.indices[0]})
    elsewhere = partial(body, entry).xreplace({moving: own})
    return at_entry + (sp.Sum(elsewhere, (name, low, high)) if elsewhere != 0 else 0)


def derivative_along(
    expression: sp.Expr, rates: Mapping[sp.IndexedBase, Callable[[Scalar], sp.Expr]], answers: Answers, index: sp.Symbol
) -> sp.Expr:
    """The derivative of an expression in families when the entries of each move at the given rates: the chain rule
    ``Σ_o ∂f/∂π(o) · dπ(o)/dθ``, for symbolically many answers. ``index`` must not occur in the expression.
    """

    def moved(base: sp.IndexedBase, rate: Callable[[Scalar], sp.Expr]) -> sp.Expr:
        return answers.total(lambda o: partial(expression, base[o]) * rate(o), index)

    return sp.Add(*(moved(base, rate) for base, rate in rates.items()))


def identify(expression: sp.Expr, old: sp.IndexedBase, policy: sp.IndexedBase) -> sp.Expr:
    """Set π_old = π: only after differentiating, for π_old is frozen while π moves."""
    return expression.replace(lambda e: isinstance(e, sp.Indexed) and e.base == old, lambda e: policy[e.indices])


def lagrangian(
    objective: sp.Expr,
    policy: sp.IndexedBase,
    size: Scalar,
    multiplier: sp.Symbol,
    slacks: sp.IndexedBase | None,
    index: sp.Symbol,
) -> sp.Expr:
    """``J − λ(Σπ − 1) + Σ γ_o π(o)``."""
    value = objective - multiplier * (sp.Sum(policy[index], (index, 1, size)) - 1)
    return value if slacks is None else value + sp.Sum(slacks[index] * policy[index], (index, 1, size))


def on_policy_slope(objective: sp.Expr, variable: sp.Symbol, old: sp.Symbol) -> sp.Expr:
    """For two answers: ``dJ/dx`` with π_old = y held fixed, then ``y = x``."""
    return sp.together(derivative(objective, variable).subs(old, variable))


def on_policy_curvature(objective: sp.Expr, variable: sp.Symbol, old: sp.Symbol) -> sp.Expr:
    """For two answers: ``d²J/dx²`` with π_old = y held fixed, then ``y = x``; its sign tells a maximum of the frozen
    objective from a minimum.
    """
    return sp.factor(sp.together(sp.diff(objective, variable, 2).subs(old, variable)))
