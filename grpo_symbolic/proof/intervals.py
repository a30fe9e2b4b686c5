"""The range that assumptions and single constraints give to one symbol, and numbers drawn from it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import sympy as sp

from grpo_symbolic.proof.terms.linear import bounds
from grpo_symbolic.proof.terms.reading import Reading
from grpo_symbolic.proof.terms.writing import written


@dataclass(frozen=True)
class Interval:
    """The numeric range that a domain gives to one symbol."""

    lower: sp.Expr = sp.S.NegativeInfinity
    upper: sp.Expr = sp.S.Infinity
    lower_open: bool = True
    upper_open: bool = True

    def draw(self, rng: random.Random, hug: bool) -> sp.Expr:
        """A rational inside the interval; with ``hug``, very near an end (or very large, where there is none)."""
        tiny = Fraction(1, 10 ** rng.randint(2, 12)) if hug else Fraction(rng.randint(1, 999), 1000)
        if self.lower.is_finite and self.upper.is_finite:
            if rng.random() < 0.15 and not (self.lower_open and self.upper_open):
                return self.lower if not self.lower_open else self.upper
            low, high = self._ends
            return _exact(low + (high - low) * tiny if rng.random() < 0.5 else high - (high - low) * tiny)
        spread = _exact((1 / tiny if rng.random() < 0.5 else tiny) if hug else Fraction(rng.randint(1, 5000), 1000))
        if self.lower.is_finite:
            return self.lower if not self.lower_open and rng.random() < 0.1 else self.lower + spread
        if self.upper.is_finite:
            return self.upper - spread
        return rng.choice([-1, 1]) * spread if rng.random() < 0.9 else sp.S.Zero

    def admits(self, value: sp.Rational) -> bool:
        """Whether a rational lies inside."""
        above = self.lower < value or (self.lower == value and not self.lower_open)
        below = value < self.upper or (self.upper == value and not self.upper_open)
        return bool(above and below)

    @cached_property
    def _ends(self) -> tuple[Fraction, Fraction]:
        """Both ends, to thirty digits where one of them is no rational; Python's fractions are quick to reckon with."""
        ends = (self.lower, self.upper)
        if not all(end.is_Rational for end in ends):
            ends = tuple(sp.Rational(str(sp.N(end, 30))) for end in ends)
        low, high = (Fraction(int(end.p), int(end.q)) for end in ends)
        return low, high


def _exact(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


@lru_cache(maxsize=4096)  # few constraints, in many domains
def numeric_bounds(constraint: Any) -> list[tuple[sp.Symbol, str, sp.Expr]]:
    """``symbol relation number`` readings of one constraint that is linear in its only symbol (conjunctions are
    opened).
    """
    reading = Reading()
    formula = reading.formula(constraint)
    return [(reading.symbols[b.variable.name], b.relation, written(b.end)) for b in bounds(formula)]


def tighten(box: Interval, relation: str, bound: sp.Expr) -> Interval:
    if relation in (">", ">=") and bool(bound >= box.lower):
        return Interval(bound, box.upper, relation == ">" or (bound == box.lower and box.lower_open), box.upper_open)
    if relation in ("<", "<=") and bool(bound <= box.upper):
        return Interval(box.lower, bound, box.lower_open, relation == "<" or (bound == box.upper and box.upper_open))
    return box
