"""Sums over an index, in a linear normal form.

``Σ (a f + b g)`` becomes ``a Σ f + b Σ g``, factors that do not depend on the index leave the sum, the index gets one
name, a sum of a constant becomes that constant times the number of terms, and the sum of a simplex becomes its total.
Two expressions that differ only by these rules have the same normal form, for every number of terms at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from types import MappingProxyType
from typing import Any

import sympy as sp

from grpo_symbolic.proof.check.decision import proves
from grpo_symbolic.proof.statements.domain import Domain

INDEX = sp.Symbol("index_", integer=True)
Ranges = Mapping[Any, tuple[Any, Any]]
_BOUND = sp.Dummy("bound", integer=True)
_COUNT = count()  # so that no two indices share a name, by which terms distinguish them


def normalise_sums(
    expression: sp.Expr,
    domain: Domain,
    simplify_term: Callable[[sp.Expr], sp.Expr] = sp.expand,
    ranges: Ranges = MappingProxyType({}),
) -> sp.Expr:
    """The normal form of every sum in an expression; ``simplify_term`` brings summands into a form that splits into
    terms, ``ranges`` are those of the indices of sums around the expression.
    """
    if not expression.has(sp.Sum) or isinstance(expression, sp.Product):
        return expression
    if isinstance(expression, sp.Sum):
        return _normal_sum(expression, domain, simplify_term, ranges)
    return expression.func(*(normalise_sums(a, domain, simplify_term, ranges) for a in expression.args))


def _normal_sum(total: sp.Sum, domain: Domain, simplify_term: Callable[[sp.Expr], sp.Expr], ranges: Ranges) -> sp.Expr:
    body: sp.Expr = total.function
    # bound indices get names of their own first: what the domain says of a symbol of the same name is not about them
    fresh = {limit[0]: sp.Dummy(f"{limit[0].name}.{next(_COUNT)}", integer=True) for limit in total.limits}
    if len(fresh) < len(total.limits):
        return total
    body = body.xreplace(fresh)
    limits = []
    for position, (index, low, high) in enumerate(total.limits):
        outer = {limit[0]: fresh[limit[0]] for limit in total.limits[position + 1 :]}
        limits.append((fresh[index], low.xreplace(outer), high.xreplace(outer)))
    ranges = {**ranges, **{index: (low, high) for index, low, high in limits}}
    for limit in limits:  # innermost first
        body = _single(normalise_sums(body, domain, simplify_term, ranges), *limit, domain, simplify_term, ranges)
    return body


def _single(
    body: sp.Expr,
    index: sp.Symbol,
    low: sp.Expr,
    high: sp.Expr,
    domain: Domain,
    simplify_term: Callable[[sp.Expr], sp.Expr],
    ranges: Ranges,
) -> sp.Expr:
    result = sp.S.Zero
    for term in sp.Add.make_args(sp.expand(simplify_term(body))):
        outside, inside = term.as_independent(index, as_Add=False)
        divisor = sp.fraction(outside)[1]
        if not (_has_a_term(low, high, domain) or _off_zero(divisor, domain)):  # no value is asked of an empty sum
            outside, inside = outside * divisor, inside / divisor
        if inside == 1:
            result += outside * (high - low + 1)
        elif (target := _target(inside, index, low, high, domain, ranges)) is not None:
            result += outside * _collapse(inside, index, target)
        else:
            inside, name = inside.xreplace({index: _BOUND}), INDEX
            while inside.has(name):  # taken by a sum inside this one
                name = sp.Symbol(name.name + "_", integer=True)
            result += outside * _known_total(sp.Sum(inside.xreplace({_BOUND: name}), (name, low, high)), domain)
    return result


def _has_a_term(low: sp.Expr, high: sp.Expr, domain: Domain) -> bool:
    """Whether a single bound says that a sum is not empty."""
    least = domain.intervals[high].lower if high in domain.intervals else high
    return sp.sympify(least >= low) is sp.true


def _off_zero(divisor: sp.Expr, domain: Domain) -> bool:
    """Whether single bounds say that a product of powers of letters is not 0."""
    letters = [factor.as_base_exp()[0] for factor in sp.Mul.make_args(divisor) if not factor.is_number]
    known = (domain.intervals.get(letter) for letter in letters)
    return all(i is not None and (i.lower > 0 or (i.lower == 0 and i.lower_open)) for i in known)


def _target(
    inside: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr, domain: Domain, ranges: Ranges
) -> sp.Expr | None:
    """The ``o`` of a factor ``δ(index, o)``, if it lies in the range: a free index of families is understood to lie in
    theirs, of a number or a bound index it is asked.
    """
    whole = low == 1 and {family.size for family in domain.families} == {high}
    for factor in sp.Mul.make_args(inside):
        if isinstance(factor, sp.KroneckerDelta) and index in factor.args:
            target = next(a for a in factor.args if a != index)
            free = target.is_Symbol and not isinstance(target, sp.Dummy) and target not in domain.symbols
            least, most = ranges.get(target, (target, target))
            if (whole and free and target.is_integer) or (
                not target.has(index) and proves(sp.And(low <= least, most <= high), domain)
            ):
                return target
    return None


def _collapse(inside: sp.Expr, index: sp.Symbol, target: sp.Expr) -> sp.Expr:
    """``Σ_j δ(j, o) f(j) = f(o)``."""
    return (inside / sp.KroneckerDelta(index, target)).xreplace({index: target})


def _known_total(total: sp.Sum, domain: Domain) -> sp.Expr:
    body, (index, low, high) = total.function, total.limits[0]
    if isinstance(body, sp.Indexed) and body.indices == (index,) and low == 1:
        family = domain.bases.get(body.base.label)
        if family is not None and family.total is not None and family.size == high:
            return family.total
    return total
