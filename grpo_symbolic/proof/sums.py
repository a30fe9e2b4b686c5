"""Sums over an index, in a linear normal form.

``Σ (a f + b g)`` becomes ``a Σ f + b Σ g``, factors that do not depend on the index leave the sum, the index gets one name, a sum of a
constant becomes that constant times the number of terms, and the sum of a simplex becomes its total. Two expressions that differ only by
these rules have the same normal form, for every number of terms at once.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from grpo_symbolic.proof.domain import Domain

INDEX = sp.Symbol("index_", integer=True)
_BOUND = sp.Dummy("bound", integer=True)


def normalise_sums(expression: sp.Expr, domain: Domain, simplify_term: Any = sp.expand) -> sp.Expr:
    """The normal form of every sum in an expression; ``simplify_term`` brings summands into a form that splits into terms."""
    if not expression.has(sp.Sum):
        return expression
    if isinstance(expression, sp.Sum):
        return _normal_sum(expression, domain, simplify_term)
    return expression.func(*(normalise_sums(a, domain, simplify_term) for a in expression.args))


def _normal_sum(total: sp.Sum, domain: Domain, simplify_term: Any) -> sp.Expr:
    body: sp.Expr = total.function
    for limits in total.limits:  # innermost first
        index, low, high = limits
        body = _single(normalise_sums(body, domain, simplify_term), index, low, high, domain, simplify_term)
    return body


def _single(body: sp.Expr, index: sp.Symbol, low: Any, high: Any, domain: Domain, simplify_term: Any) -> sp.Expr:
    result = sp.S.Zero
    for term in sp.Add.make_args(sp.expand(simplify_term(body))):
        outside, inside = term.as_independent(index, as_Add=False)
        if inside == 1:
            result += outside * (high - low + 1)
        elif isinstance(inside, sp.KroneckerDelta) or (inside.is_Mul and inside.has(sp.KroneckerDelta)):
            result += outside * _collapse(inside, index)
        else:
            inside, name = inside.xreplace({index: _BOUND}), INDEX
            while inside.has(name):  # taken by a sum inside this one
                name = sp.Symbol(name.name + "_", integer=True)
            result += outside * _known_total(sp.Sum(inside.xreplace({_BOUND: name}), (name, low, high)), domain)
    return result


def _collapse(inside: sp.Expr, index: sp.Symbol) -> sp.Expr:
    """``Σ_j δ(j, o) f(j) = f(o)``: the other index is understood to lie in the range."""
    delta = next(f for f in sp.Mul.make_args(inside) if isinstance(f, sp.KroneckerDelta))
    target = next(a for a in delta.args if a != index)
    return (inside / delta).xreplace({index: target})


def _known_total(total: sp.Sum, domain: Domain) -> sp.Expr:
    body, (index, low, high) = total.function, total.limits[0]
    if isinstance(body, sp.Indexed) and body.indices == (index,) and low == 1:
        family = domain.bases.get(body.base.label)
        if family is not None and family.total is not None and family.size == high:
            return family.total
    return total
