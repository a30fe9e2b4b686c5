"""Differentiation by rules of our own, along a variable or an entry of a family.

The derivative comes with the conditions under which it *is* the derivative, on a neighbourhood of the point: what
stands under a root or in a logarithm is positive, what stands in a denominator does not vanish. Only strict conditions
are made, so they hold around every point at which they hold. What bends or jumps (|·|, sign, max, min, cases) is
differentiated only where it does not depend on what is varied.
"""

from __future__ import annotations

from fractions import Fraction

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.terms.language import (
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
    substitute,
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
        plain = expanded(term)
        assert isinstance(plain, Term)
        term = _derivative(plain, along)
    return term


def expanded(term: Node) -> Node:
    """Every derivative that a term speaks of, carried out."""
    if not term.has(Derivative):
        return term
    rule = {part: derivative(part.body, part.along, part.order) for part in term.parts if isinstance(part, Derivative)}
    return expanded(substitute(term, _outermost(rule)))


def _outermost(rule: dict[Derivative, Term]) -> dict[Derivative, Term]:
    inner = {p for d in rule for c in d.children for p in c.parts}
    return {d: t for d, t in rule.items() if d not in inner} or rule


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
            return _sum(
                *(
                    _product(_derivative(f, along), *factors[:place], *factors[place + 1 :])
                    for place, f in enumerate(factors)
                )
            )
        case Power(base, exponent):
            inner = _derivative(base, along)
            lower = exponent - 1
            power = ONE if lower == 0 else base if lower == 1 else Power(base, lower)
            return _product(Number(exponent), power, inner)
        case GeneralPower(base, exponent) if not depends(exponent, along):
            return _product(exponent, GeneralPower(base, add(exponent, MINUS_ONE)), _derivative(base, along))
        case GeneralPower(base, exponent):
            return _derivative(Function("exp", multiply(exponent, Function("log", base))), along)
        case Function(name, argument):
            return _product(_outer(name, argument), _derivative(argument, along))
        case Cases(cases, default) if not any(depends(condition, along) for condition, _ in cases):
            return Cases(
                tuple((condition, _derivative(value, along)) for condition, value in cases),
                _derivative(default, along),
            )
        case Total(product=False) if not depends(term.low, along) and not depends(term.high, along):
            index = unused(term, along)
            return total(False, term.low, term.high, index, _derivative(opened(term, index), along))
    raise ReadingError(f"there is no rule for the derivative of {type(term).__name__} along {along}")


def _outer(name: str, argument: Term) -> Term:
    match name:
        case "exp":
            return Function("exp", argument)
        case "log":
            return Power(argument, Fraction(-1))
        case "sinh":
            return Function("cosh", argument)
        case "cosh":
            return Function("sinh", argument)
        case "tanh":
            return add(ONE, multiply(MINUS_ONE, Power(Function("tanh", argument), Fraction(2))))
    raise ReadingError(f"{name} is not differentiated where its argument depends on what is varied")


def _sum(*terms: Term) -> Term:
    return add(*(t for t in terms if t is not ZERO))


def _product(*factors: Term) -> Term:
    if ZERO in factors:
        return ZERO
    numbers = [f.value for f in factors if isinstance(f, Number)]
    rest = [f for f in factors if not isinstance(f, Number)]
    scale = Fraction(1)
    for value in numbers:
        scale *= value
    return multiply(*rest) if scale == 1 else multiply(number(scale), *rest)
