"""Differentiation by rules of our own, along a variable or an entry of a family.

The derivative comes with the conditions under which it *is* the derivative, on a neighbourhood of the point: what
stands under a root or in a logarithm is positive, what stands in a denominator does not vanish. Only strict conditions
are made, so they hold around every point at which they hold. What bends or jumps (|·|, sign, max, min, cases) is
differentiated only where it does not depend on what is varied.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.terms.language import (
    MINUS_ONE,
    ONE,
    ZERO,
    Add,
    Cases,
    Delta,
    Derivative,
    Entry,
    Function,
    GeneralPower,
    Multiply,
    Node,
    Number,
    Power,
    Term,
    Total,
    Variable,
    add,
    multiply,
    number,
    opened,
    rebuilt,
    total,
    unused,
)


def depends(term: Node, along: Variable | Entry) -> bool:
    """Whether a term may change when only ``along`` does: of a family, any entry may be the one that is varied."""
    if isinstance(along, Variable):
        return along in term.variables
    return along.family in term.families


def derivative(term: Term, along: Variable | Entry, order: int = 1) -> Term:
    """The derivative, all else held fixed; raises :class:`ReadingError` where there is no rule."""
    for _ in range(order):
        term = _derivative(expanded(term), along)
    return term


@lru_cache(maxsize=4096)
def expanded(node: Any) -> Any:
    """A node with every derivative in it carried out."""
    if isinstance(node, Derivative):
        return derivative(node.body, node.along, node.order)
    return rebuilt(node, expanded) if node.has(Derivative) else node


def _derivative(term: Term, along: Variable | Entry) -> Term:
    if term is along:
        return ONE
    if isinstance(term, Entry) and isinstance(along, Entry) and term.family == along.family:
        return Delta(term.index, along.index)
    if not depends(term, along):
        return ZERO
    match term:
        case Add(terms):
            return _sum(*(_derivative(t, along) for t in terms))
        case Multiply(factors):
            parts = (_product(_derivative(f, along), *factors[:k], *factors[k + 1 :]) for k, f in enumerate(factors))
            return _sum(*parts)
        case Power(base, exponent):
            inner = _derivative(base, along)
            if exponent == 1:
                return _product(Number(exponent), ONE, inner)
            power = base if exponent == 2 else Power(base, exponent - 1)
            return _product(Number(exponent), power, inner)
        case GeneralPower(base, exponent) if not depends(exponent, along):
            return _product(exponent, GeneralPower(base, add(exponent, MINUS_ONE)), _derivative(base, along))
        case GeneralPower(base, exponent):
            return _derivative(Function("exp", multiply(exponent, Function("log", base))), along)
        case Function(name, argument) if name in _OUTER:
            return _product(_OUTER[name](argument), _derivative(argument, along))
        case Function(name):
            raise ReadingError(f"{name} is not differentiated where its argument depends on what is varied")
        case Cases(cases, default) if not any(depends(condition, along) for condition, _ in cases):
            return Cases(
                tuple((condition, _derivative(value, along)) for condition, value in cases),
                _derivative(default, along),
            )
        case Total(product=False) if not depends(term.low, along) and not depends(term.high, along):
            index = unused(term, along)
            return total(False, term.low, term.high, index, _derivative(opened(term, index), along))
    raise ReadingError(f"there is no rule for the derivative of {type(term).__name__} along {along}")


_OUTER: dict[str, Callable[[Term], Term]] = {
    "exp": lambda u: Function("exp", u),
    "log": lambda u: Power(u, Fraction(-1)),
    "sinh": lambda u: Function("cosh", u),
    "cosh": lambda u: Function("sinh", u),
    "tanh": lambda u: add(ONE, multiply(MINUS_ONE, Power(Function("tanh", u), Fraction(2)))),
}


def _sum(*terms: Term) -> Term:
    return add(*(t for t in terms if t is not ZERO))


def _product(*factors: Term) -> Term:
    if ZERO in factors:
        return ZERO
    scale = prod((f.value for f in factors if isinstance(f, Number)), start=Fraction(1))
    rest = [f for f in factors if not isinstance(f, Number)]
    return multiply(*rest) if scale == 1 else multiply(number(scale), *rest)
