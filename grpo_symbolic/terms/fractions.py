"""A term as one quotient: a numerator without quotients, over powers of bases that occur in denominators.

Equal wherever the term has a value. Nothing is expanded; a base and its negative are brought to one sign.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from grpo_symbolic.terms.language import (
    ONE,
    Add,
    Function,
    Multiply,
    Number,
    Power,
    Term,
    add,
    multiply,
    negative,
    number,
)

Bases = tuple[tuple[Term, int], ...]  # what stands in a denominator, and how often


@lru_cache(maxsize=1 << 14)
def quotient(term: Term) -> tuple[Term, Bases]:
    """``(N, ((d, k), …))`` with ``term = N / Π dᵏ``."""
    above: Term
    match term:
        case Add(terms):
            parts = [quotient(t) for t in terms]
            common: dict[Term, int] = {}
            for _, bases in parts:
                for base, power in bases:
                    common[base] = max(common.get(base, 0), power)
            scaled = [_scaled(n, {b: k - dict(bases).get(b, 0) for b, k in common.items()}) for n, bases in parts]
            return add(*scaled), tuple(common.items())
        case Multiply(factors):
            numerators, under = [], dict[Term, int]()
            for n, bases in map(quotient, factors):
                numerators.append(n)
                for base, power in bases:
                    under[base] = under.get(base, 0) + power
            return _cancelled(numerators, under)
        case Power(base, exponent) if exponent.denominator == 1:
            above, bases = quotient(base)
            power = exponent.numerator
            if power > 0:
                return _power(above, power), tuple((b, k * power) for b, k in bases)
            sign, unit = signed(above)
            turned = _scaled(number(sign**power), {b: -k * power for b, k in bases})
            if isinstance(unit, Number):
                return multiply(turned, number(unit.value**power)), ()
            return turned, ((unit, -power),)
        case Power(base, exponent) if exponent < 0:
            return ONE, ((Power(base, Fraction(1, exponent.denominator)), -exponent.numerator),)
        case Power(base, exponent) if exponent.numerator > 1:
            return Power(Power(base, Fraction(1, exponent.denominator)), Fraction(exponent.numerator)), ()
    return term, ()


def _power(base: Term, exponent: int) -> Term:
    return base if exponent == 1 else Power(base, Fraction(exponent))


def _scaled(term: Term, powers: dict[Term, int]) -> Term:
    factors = [_power(base, power) for base, power in powers.items() if power]
    if not factors:
        return term
    return multiply(*factors) if term is ONE else multiply(term, *factors)


def _cancelled(numerators: list[Term], under: dict[Term, int]) -> tuple[Term, Bases]:
    """Factors that stand above and below as they are, taken away."""
    left = []
    for factor in (f for n in numerators for f in (n.factors if isinstance(n, Multiply) else (n,))):
        base, power = _power_of(factor)
        shared = min(power, under.get(base, 0))
        if shared:
            under[base] -= shared
        if power > shared:
            left.append(_power(base, power - shared) if shared else factor)
    rest = [f for f in left if f is not ONE]
    return multiply(*rest), tuple((b, k) for b, k in under.items() if k)


def _power_of(term: Term) -> tuple[Term, int]:
    if isinstance(term, Power) and term.exponent.denominator == 1 and term.exponent > 0:
        return term.base, term.exponent.numerator
    return term, 1


def signed(term: Term) -> tuple[int, Term]:
    """A sign and a term whose product the given one is, the same term for a term and for its negative."""
    match term:
        case Number(value) | Multiply((Number(value), *_)):
            below = value < 0
        case Add(terms):
            below = min(map(signed, terms), key=lambda split: split[1].digest)[0] < 0
        case _:
            below = False
    return (-1, opposite(term)) if below else (1, term)


def opposite(term: Term) -> Term:
    """``−term``, without a double sign."""
    match term:
        case Number(value):
            return Number(-value)
        case Multiply((Number(value), *rest)):
            return multiply(*rest) if value == -1 else multiply(Number(-value), *rest)
        case Add(terms):
            return add(*map(opposite, terms))
    return negative(term)


def odd_part(bases: Bases, positive: frozenset[Term]) -> Term:
    """A factor with the sign of the denominator: even powers, and what is known to be positive, left out."""
    return multiply(
        *(
            base
            for base, power in bases
            if power % 2
            and base not in positive
            and not (isinstance(base, Function) and base.name == "exp")
            and not (isinstance(base, Power) and base.exponent.denominator == 2)
        )
    )
