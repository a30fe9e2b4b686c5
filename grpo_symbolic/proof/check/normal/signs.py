"""Which signs a polynomial may take, read off its coefficients.

The answer is the set of signs that are not excluded, a part of {−1, 0, 1}. Each generator is known to lie between two
ends, or at least to be beyond one. Written in a new variable t ≥ 0 that runs from an end (or from one end to the
other, as ``(low + high·t)/(1 + t)``), a polynomial whose coefficients have one sign has that sign.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from grpo_symbolic.proof.check.normal.quotients import Polynomial, Ring
from grpo_symbolic.proof.statements.arithmetic import flint

Signs = frozenset[int]
ANY: Signs = frozenset({-1, 0, 1})
POSITIVE: Signs = frozenset({1})
NEGATIVE: Signs = frozenset({-1})
NULL: Signs = frozenset({0})
NONNEGATIVE: Signs = frozenset({0, 1})
NONPOSITIVE: Signs = frozenset({-1, 0})
NONZERO: Signs = frozenset({-1, 1})

MOST_TERMS = 150  # longer polynomials are not rewritten


class Ends(NamedTuple):
    """Where a number lies: between ``low`` and ``high``, which it may attain only where they are not ``open``."""

    low: Fraction | None = None
    low_open: bool = False
    high: Fraction | None = None
    high_open: bool = False

    @property
    def signs(self) -> Signs:
        """The signs of the numbers in between."""
        possible = set()
        if self.low is None or self.low < 0:
            possible.add(-1)
        if self.high is None or self.high > 0:
            possible.add(1)
        low = self.low is None or self.low < 0 or (self.low == 0 and not self.low_open)
        high = self.high is None or self.high > 0 or (self.high == 0 and not self.high_open)
        return frozenset(possible | ({0} if low and high else set()))


def opposite(signs: Signs) -> Signs:
    """The signs of ``−x``."""
    return frozenset(-s for s in signs)


def times(first: Signs, second: Signs) -> Signs:
    """The signs of a product."""
    return frozenset(a * b for a in first for b in second)


def raised(signs: Signs, exponent: int) -> Signs:
    """The signs of a whole power, of a number that is not 0 where the exponent is negative."""
    return frozenset(s ** abs(exponent) for s in signs if s or exponent > 0)


def signs_of(p: Polynomial, ring: Ring, ends_of: Callable[[int], Ends]) -> Signs:
    """The signs that the coefficients of a polynomial do not exclude."""
    if p.is_constant():
        return NULL if p.is_zero() else _of_number(p.leading_coefficient())
    ends = {place: ends_of(place) for place in ring.places(p)}
    plain = _of_terms(p, {place: e.signs for place, e in ends.items()})
    if plain != ANY or len(p) > MOST_TERMS:
        return plain
    variables: dict[int, Signs] = {}
    closed = False
    for place, e in ends.items():
        p, variables[place], both = _from_end(p, place, e, ring)
        closed |= both
        if len(p) > MOST_TERMS:
            return ANY
    possible = _of_terms(p, variables)
    return possible | NULL if closed and possible != ANY else possible


def _of_number(value: object) -> Signs:
    return POSITIVE if flint.fmpq(value) > 0 else NEGATIVE


def _of_terms(p: Polynomial, variables: dict[int, Signs]) -> Signs:
    """The signs of a sum of terms, from those of its variables."""
    possible: Signs = NULL
    for monomial, coefficient in p.to_dict().items():
        term = _of_number(coefficient)
        for place, exponent in enumerate(monomial):
            if exponent:
                term = times(term, raised(variables[place], int(exponent)))
        possible = _plus(possible, term)
        if possible == ANY:
            break
    return possible


def _plus(first: Signs, second: Signs) -> Signs:
    if first == NULL or second == NULL:
        return first if second == NULL else second
    both = first | second
    if 1 in both and -1 in both:
        return ANY
    return both - NULL if 0 not in first or 0 not in second else both


def _from_end(p: Polynomial, place: int, ends: Ends, ring: Ring) -> tuple[Polynomial, Signs, bool]:
    """The polynomial in t ≥ 0 instead of a generator, the signs of t, and whether t = ∞ is the other end."""
    low, low_open, high, high_open = ends
    if low is None and high is None:
        return p, ANY, False
    context, t = p.context(), p.context().gen(place)
    coefficients = ring.coefficients(p, place)
    result = context.constant(0)
    if low is None or high is None:
        start, direction, is_open = (low, 1, low_open) if low is not None else (high, -1, high_open)
        assert start is not None
        line = _number(start) + direction * t
        for exponent, coefficient in coefficients.items():
            result += coefficient * line ** int(exponent)
        return result, POSITIVE if is_open else NONNEGATIVE, False
    if high_open:
        start, end, is_open = low, high, low_open
    else:
        start, end, is_open = high, low, high_open
    highest = max(int(k) for k in coefficients)
    for exponent, coefficient in coefficients.items():
        k = int(exponent)
        result += coefficient * (_number(start) + _number(end) * t) ** k * (1 + t) ** (highest - k)
    return result, POSITIVE if is_open else NONNEGATIVE, not (low_open or high_open)


def _number(value: Fraction) -> object:
    return flint.fmpq(value.numerator, value.denominator)
