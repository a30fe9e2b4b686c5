"""The range that assumptions and single constraints give to one symbol, and numbers drawn from it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import sympy as sp

from grpo_symbolic.terms.language import Number, Term, add
from grpo_symbolic.terms.linear import bounds
from grpo_symbolic.terms.reading import Reading
from grpo_symbolic.terms.writing import written

Exact = Fraction | Term  # a number: a fraction, or a closed term where it is none


@dataclass(frozen=True)
class Interval:
    """The numeric range that a domain gives to one symbol."""

    lower: sp.Expr = sp.S.NegativeInfinity
    upper: sp.Expr = sp.S.Infinity
    lower_open: bool = True
    upper_open: bool = True

    def draw(self, rng: random.Random, hug: bool) -> Exact:
        """A number inside the interval; with ``hug``, very near an end (or very large, where there is none)."""
        share = rng.randint(2, 12) if hug else rng.randint(1, 999)
        if self.first is not None and self.last is not None:
            if rng.random() < 0.15 and not (self.lower_open and self.upper_open):
                return _beside(self.last if self.lower_open else self.first)
            return self._inside(share, hug, from_below=rng.random() < 0.5)
        tiny = _share(share, hug)
        spread = (1 / tiny if rng.random() < 0.5 else tiny) if hug else _share(rng.randint(1, 5000), False)
        if self.first is not None:
            return _beside(self.first, Fraction(0) if not self.lower_open and rng.random() < 0.1 else spread)
        if self.last is not None:
            return _beside(self.last, -spread)
        return rng.choice([-1, 1]) * spread if rng.random() < 0.9 else Fraction(0)

    def _inside(self, share: int, hug: bool, from_below: bool) -> Fraction:
        """A number so far from one of both ends."""
        place = share, hug, from_below
        if place not in self._drawn:
            low, high = self._ends
            step = (high - low) * _share(share, hug)
            self._drawn[place] = low + step if from_below else high - step
        return self._drawn[place]

    @cached_property
    def _drawn(self) -> dict[tuple[int, bool, bool], Fraction]:
        """The numbers drawn so far, which are few: to calculate with fractions takes long."""
        return {}

    def admits(self, value: Fraction) -> bool:
        """Whether a rational lies inside."""
        if isinstance(self.first, Fraction | None) and isinstance(self.last, Fraction | None):
            above = self.first is None or self.first < value or (self.first == value and not self.lower_open)
            return above and (self.last is None or value < self.last or (value == self.last and not self.upper_open))
        of = sp.Rational(value.numerator, value.denominator)
        above = self.lower < of or (self.lower == of and not self.lower_open)
        return bool(above and (of < self.upper or (self.upper == of and not self.upper_open)))

    @cached_property
    def first(self) -> Exact | None:
        """The lower end, where there is one."""
        return exact(self.lower) if self.lower.is_finite else None

    @cached_property
    def last(self) -> Exact | None:
        """The upper end, where there is one."""
        return exact(self.upper) if self.upper.is_finite else None

    @cached_property
    def _ends(self) -> tuple[Fraction, Fraction]:
        """Both ends, to thirty digits where one of them is no rational."""
        ends = (self.lower, self.upper)
        if not all(end.is_Rational for end in ends):
            ends = tuple(sp.Rational(str(sp.N(end, 30))) for end in ends)
        low, high = (Fraction(int(end.p), int(end.q)) for end in ends)
        return low, high


@lru_cache(maxsize=8192)
def _share(number: int, hug: bool) -> Fraction:
    """So many thousandths; with ``hug`` what has so many zeros."""
    return Fraction(1, 10**number) if hug else Fraction(number, 1000)


def exact(number: sp.Expr) -> Exact:
    """A number of SymPy as a fraction, or as a closed term where it is none."""
    read = Reading().term(number)
    return read.value if isinstance(read, Number) else read


def _beside(end: Exact | None, step: Fraction = Fraction(0)) -> Exact:
    """An end, or the number that is so much greater."""
    assert end is not None
    if isinstance(end, Fraction):
        return end + step
    return add(end, Number(step)) if step else end


@lru_cache(maxsize=4096)  # few constraints, in many domains
def numeric_bounds(constraint: sp.logic.boolalg.Boolean) -> list[tuple[sp.Symbol, str, sp.Expr]]:
    """``symbol relation number`` readings of one constraint that is linear in its only symbol (conjunctions are
    opened). An equation bounds no range: whoever takes the readings for the constraint would lose it.
    """
    reading = Reading()
    readings = bounds(reading.formula(constraint))
    if any(b.relation == "==" for b in readings):
        return []
    return [(reading.symbols[b.variable.name], b.relation, written(b.end)) for b in readings]


def tighten(box: Interval, relation: str, bound: sp.Expr) -> Interval:
    if relation in (">", ">=") and bool(bound >= box.lower):
        return Interval(bound, box.upper, relation == ">" or (bound == box.lower and box.lower_open), box.upper_open)
    if relation in ("<", "<=") and bool(bound <= box.upper):
        return Interval(box.lower, bound, box.lower_open, relation == "<" or (bound == box.upper and box.upper_open))
    return box
