"""Stationarity on the simplex: partial derivatives in one probability, the Lagrangian, and identifying π_old with π afterwards.

For symbolic n the policy is a family ``pi`` and the derivative in ``pi[o]`` is taken under the sum signs. Source: Vojnovic & Yun (2025), Appendix A.
"""

from __future__ import annotations

from typing import Any

import sympy as sp


def partial(expression: sp.Expr, entry: sp.Indexed) -> sp.Expr:
    """The partial derivative in one entry of a family, every other family (π_old in particular) held fixed.

    A sum ``Σ_j f(π(j), π(o))`` contributes the derivative of its summand at ``j = o``, and the derivative in ``π(o)`` wherever that stands by itself.
    """
    sums = sorted(expression.atoms(sp.Sum), key=lambda e: len(str(e)), reverse=True)
    outermost = [e for e in sums if not any(e is not f and f.has(e) for f in sums)]
    names = {e: sp.Dummy() for e in outermost}
    flat = expression.xreplace(names)
    slope = sp.diff(flat, entry)
    for e, name in names.items():
        slope += sp.diff(flat, name) * _under_the_sum(e, entry)
    return slope.xreplace({name: e for e, name in names.items()})


def _under_the_sum(total: sp.Sum, entry: sp.Indexed) -> sp.Expr:
    index, low, high = total.limits[-1]  # outermost
    body = total.function if len(total.limits) == 1 else sp.Sum(total.function, *total.limits[:-1])
    own = entry.base[index]
    at_entry = sp.diff(body, own).xreplace({index: entry.indices[0]}) if not body.has(sp.Sum) else partial(body, own).xreplace({index: entry.indices[0]})
    elsewhere = partial(body, entry)
    return at_entry + (sp.Sum(elsewhere, (index, low, high)) if elsewhere != 0 else 0)


def identify(expression: sp.Expr, old: sp.IndexedBase, policy: sp.IndexedBase) -> sp.Expr:
    """Set π_old = π: only after differentiating, for π_old is frozen while π moves."""
    return expression.replace(lambda e: isinstance(e, sp.Indexed) and e.base == old, lambda e: policy[e.indices])


def lagrangian(objective: sp.Expr, policy: sp.IndexedBase, size: Any, multiplier: sp.Symbol, slacks: sp.IndexedBase | None, index: sp.Symbol) -> sp.Expr:
    """``J − λ(Σπ − 1) + Σ γ_o π(o)``."""
    value = objective - multiplier * (sp.Sum(policy[index], (index, 1, size)) - 1)
    return value if slacks is None else value + sp.Sum(slacks[index] * policy[index], (index, 1, size))


def on_policy_slope(objective: sp.Expr, variable: sp.Symbol, old: sp.Symbol) -> sp.Expr:
    """For two answers: ``dJ/dx`` with π_old = y held fixed, then ``y = x``."""
    return sp.together(sp.diff(objective, variable).subs(old, variable))


def on_policy_curvature(objective: sp.Expr, variable: sp.Symbol, old: sp.Symbol) -> sp.Expr:
    """For two answers: ``d²J/dx²`` with π_old = y held fixed, then ``y = x``; its sign tells a maximum of the frozen objective from a minimum."""
    return sp.factor(sp.together(sp.diff(objective, variable, 2).subs(old, variable)))
