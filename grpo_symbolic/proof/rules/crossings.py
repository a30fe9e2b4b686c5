"""How a function crosses a value: that it does so once, and that it does so once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.roots import OneRoot, TakesValue, inside_of, ordered, taken
from grpo_symbolic.proof.rules.rule import (
    Premise,
    Rule,
    Using,
    always,
    between,
    by_rule,
    continuous,
    derivative,
    valued,
)
from grpo_symbolic.proof.statement import Tends, real_symbol
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class BeyondEachRoot(Rule["OneRoot"]):
    """A function that is continuous on a closed interval and on different sides of a value at its ends, and that,
    wherever it takes the value, is beyond it at all later points, takes it exactly once between them.

    ``later`` is a letter for such a later point, and ``rising`` says on which side the function is there. ``at_lower``,
    ``at_upper`` and ``beyond`` are for the three signs.
    """

    later: sp.Symbol
    rising: bool
    at_lower: Using = ()
    at_upper: Using = ()
    beyond: Using = ()
    theorems = (
        "Crossings.exactly_one_root_if_beyond_each_root_above",
        "Crossings.exactly_one_root_if_beyond_each_root_below",
    )

    def theorem(self, conclusion: OneRoot) -> str:
        return self.theorems[0 if self.rising else 1]

    def premises(self, conclusion: OneRoot, domain: Domain) -> Iterator[Premise]:
        along, label, value = conclusion.variable, conclusion.label, conclusion.value
        low, high = map(sp.sympify, (conclusion.lower, conclusion.upper))
        real_symbol(along)
        real_symbol(self.later)
        spoken = domain.symbols.union(*(sp.sympify(e).free_symbols for e in (conclusion.body, value, low, high)))
        if self.later in {*spoken, along}:
            raise ClaimError(f"{label}: {self.later} stands for a later point, and the sentence speaks of it")
        if low.is_infinite or high.is_infinite:
            raise ClaimError(f"{label}: the ends are numbers, at which the function has values")
        parameters = domain.apart_from(along)
        yield from taken(conclusion, parameters)
        yield from ordered(low, high, (), parameters, label)
        yield continuous(conclusion.body, along, parameters.also(*between(low, along, high))).labelled(label)
        below, above = (sp.Lt, sp.Gt) if self.rising else (sp.Gt, sp.Lt)
        for end, side, using, where in ((low, below, self.at_lower, "lower"), (high, above, self.at_upper, "upper")):
            there = side(substituted(conclusion.body, {along: end}), value, evaluate=False)
            yield Premise(always(there, using, f"{label}: at the {where} end"), parameters)
        order = (sp.Lt(low, along, evaluate=False), sp.Lt(along, self.later), sp.Lt(self.later, high, evaluate=False))
        root = sp.Eq(conclusion.body, value, evaluate=False)
        then = above(substituted(conclusion.body, {along: self.later}), value, evaluate=False)
        goes_on = sp.Implies(root, then, evaluate=False)
        yield Premise(always(goes_on, self.beyond, f"{label}: beyond it once it is taken"), parameters.also(*order))


@dataclass(frozen=True, eq=False)
class BesideARoot(Rule["TakesValue"]):
    """A function that leaves a value at one end of an open interval, with a slope, to the side other than that of its
    limit at the other end takes the value once more between.

    ``root`` is "lower" or "upper": the end where the value is taken, a number. ``rising`` says whether the function
    rises there, ``limit`` is the limit at the other end, and ``over`` an open interval around the root, as two ends.
    ``at_root`` is for the value there, ``steep`` for the sign of the slope, ``end`` the rule for the limit, ``beside``
    for its side of the value.
    """

    root: str
    rising: bool
    limit: Scalar
    over: tuple[Scalar, Scalar]
    slope: Scalar | None = None
    at_root: Using = ()
    steep: Using = ()
    beside: Using = ()
    end: Rule | None = None
    theorems = ("Crossings.value_taken_beyond_a_rising_root", "Crossings.value_taken_before_a_rising_root")

    def theorem(self, conclusion: TakesValue) -> str:
        return self.theorems[0 if self.root == "lower" else 1]

    def premises(self, conclusion: TakesValue, domain: Domain) -> Iterator[Premise]:
        along, label, value, body = conclusion.variable, conclusion.label, conclusion.value, conclusion.body
        real_symbol(along)
        if self.root not in ("lower", "upper"):
            raise ClaimError(f"{label}: the value is taken at the lower or at the upper end, not at {self.root!r}")
        ends = tuple(map(sp.sympify, (conclusion.lower, conclusion.upper)))
        root, other, side = (*ends, "-") if self.root == "lower" else (*ends[::-1], "+")
        if root.is_infinite:
            raise ClaimError(f"{label}: the value is taken at a number")
        parameters = domain.apart_from(along)
        yield from taken(conclusion, parameters)
        yield from ordered(*ends, (), parameters, label)
        around = tuple(map(sp.sympify, self.over))
        yield from ordered(
            around[0], root, (), parameters, f"{label}: the root above the lower end of its surroundings"
        )
        yield from ordered(root, around[1], (), parameters, f"{label}: and below the upper one")
        inside = parameters.also(*inside_of(along, ends, [True, True]))
        yield continuous(body, along, inside).labelled(label)
        found, exact = derivative(
            body, along, parameters.also(*inside_of(along, around, [True, True])), form=self.slope
        )
        yield exact.labelled(label)
        at_root = sp.Eq(substituted(body, {along: root}), value, evaluate=False)
        yield Premise(always(at_root, self.at_root, f"{label}: the root"), parameters)
        steep = (sp.Gt if self.rising else sp.Lt)(substituted(found, {along: root}), 0, evaluate=False)
        yield Premise(always(steep, self.steep, f"{label}: the slope there"), parameters)
        limit = sp.sympify(self.limit)
        yield Premise(
            by_rule(Tends(body, along, other, limit, side, label=f"{label}: at {other}"), self.end), parameters
        )
        below = self.rising is (self.root == "lower")
        if limit.is_infinite:
            if (limit == -sp.oo) is not below:
                raise ClaimError(f"{label}: {limit} is on the side to which the function leaves the value")
            return
        yield from valued((limit,), parameters, label)
        apart = (sp.Lt if below else sp.Gt)(limit, value, evaluate=False)
        yield Premise(always(apart, self.beside, f"{label}: the other side of the value"), parameters)
