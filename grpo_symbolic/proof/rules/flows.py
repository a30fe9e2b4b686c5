"""Solutions of ẋ = v(x), t ≥ 0, for a velocity v of one number: where they go, and that they never turn back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.derivatives import Curved
from grpo_symbolic.proof.rules.roots import inside_of, ordered
from grpo_symbolic.proof.rules.rule import (
    Conclusion,
    Premise,
    Rule,
    Using,
    always,
    by_rule,
    continuous,
    derivative,
    unmoved,
)
from grpo_symbolic.proof.statement import EACH_OTHER, Always, Phrase, Tends, real_symbol
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class OfFlow(Conclusion):
    """A conclusion about the solutions of ẋ = ``velocity``, x being ``variable``, for t ≥ 0. The domain constrains the
    other symbols only.
    """

    velocity: sp.Expr
    variable: sp.Symbol
    label: str = field(default="flow", kw_only=True)
    binds = ("variable",)
    ranges = True
    carried = EACH_OTHER

    def phrase(self) -> Phrase:
        return ("where", self.variable, "moves with the velocity", self.velocity, ",", *self.says())

    def says(self) -> Phrase:
        """What is said of the solutions."""
        raise NotImplementedError


def looked_at(conclusion: OfFlow, domain: Domain, **numbers: Scalar) -> Domain:
    """The domain of the parameters; what is one number does not move."""
    real_symbol(conclusion.variable)
    unmoved(conclusion.variable, conclusion.label, **numbers)
    return domain.apart_from(conclusion.variable)


@dataclass(frozen=True, eq=False)
class SignOfVelocity(Rule["FlowTends"]):
    """A continuous velocity that is positive below a point and negative above it leads every start there.

    ``below`` and ``above`` are for the two signs.
    """

    below: Using = ()
    above: Using = ()
    theorems = ("Flows.flow_converges",)

    def premises(self, conclusion: FlowTends, domain: Domain) -> Iterator[Premise]:
        along, label, velocity = conclusion.variable, conclusion.label, conclusion.velocity
        low, rest, high = map(sp.sympify, (conclusion.lower, conclusion.rest, conclusion.upper))
        parameters = looked_at(conclusion, domain, lower=low, rest=rest, upper=high)
        yield from lies(low, rest, high, parameters, label)
        yield continuous(velocity, along, parameters.also(*inside_of(along, (low, high), [True, True]))).labelled(label)
        rises, falls = sp.Gt(velocity, 0, evaluate=False), sp.Lt(velocity, 0, evaluate=False)
        before = parameters.also(*inside_of(along, (low, rest), [True, True]))
        yield Premise(always(rises, self.below, f"{label}: up below the point"), before)
        after = parameters.also(*inside_of(along, (rest, high), [True, True]))
        yield Premise(always(falls, self.above, f"{label}: down above it"), after)


@dataclass(frozen=True, eq=False)
class ConcaveVelocity(Rule["FlowTends"]):
    """A continuous concave velocity with a positive limit at the lower end is positive below the point at which it
    vanishes and negative above it.

    ``limit`` is that limit. The premises speak of the velocity's negative, which is convex: ``shape`` and ``end`` are
    rules for its curvature and its limit, ``at_rest`` is for its value at the point.
    """

    limit: Scalar
    shape: Rule | None = None
    end: Rule | None = None
    at_rest: Using = ()
    theorems = ("Flows.flow_with_concave_velocity_converges",)

    def premises(self, conclusion: FlowTends, domain: Domain) -> Iterator[Premise]:
        along, label, against = conclusion.variable, conclusion.label, -sp.sympify(conclusion.velocity)
        low, rest, high = map(sp.sympify, (conclusion.lower, conclusion.rest, conclusion.upper))
        parameters = looked_at(conclusion, domain, lower=low, rest=rest, upper=high, limit=self.limit)
        yield from lies(low, rest, high, parameters, label)
        inside = parameters.also(*inside_of(along, (low, high), [True, True]))
        yield continuous(conclusion.velocity, along, inside).labelled(label)
        yield Premise(by_rule(Curved(against, along, 1, strict=False, label=label), self.shape), inside)
        at_end = Tends(against, along, low, -self.limit, "+", label=f"{label}: at {low}")
        yield Premise(by_rule(at_end, self.end), parameters)
        yield Premise(Always(sp.Gt(self.limit, 0, evaluate=False), label=f"{label}: up at {low}"), parameters)
        still = sp.Eq(substituted(against, {along: rest}), 0, evaluate=False)
        yield Premise(always(still, self.at_rest, f"{label}: it rests there"), parameters)


@dataclass(frozen=True)
class FlowTends(OfFlow):
    """Every solution that starts strictly between ``lower`` and ``upper`` tends to ``rest``: one from below rises all
    the time, weakly, and stays at or below it; one from above falls and stays at or above it.
    """

    lower: Scalar
    upper: Scalar
    rest: Scalar
    claimed = ("rest", "upper")
    rule = SignOfVelocity()

    def says(self) -> Phrase:
        where = ("every start strictly between", self.lower, "and", self.upper)
        return (*where, "leads to", self.rest, ", which it approaches from one side without ever turning back")


@dataclass(frozen=True, eq=False)
class PositiveVelocity(Rule["FlowRises"]):
    """A continuous positive velocity leads what stays below an end up to it. ``using`` is for the sign."""

    using: Using = ()
    theorems = ("Flows.flow_rises_to_end",)

    def premises(self, conclusion: FlowRises, domain: Domain) -> Iterator[Premise]:
        along, label, velocity = conclusion.variable, conclusion.label, conclusion.velocity
        low, high = map(sp.sympify, (conclusion.lower, conclusion.upper))
        parameters = looked_at(conclusion, domain, lower=low, upper=high)
        if high == sp.oo:
            raise ClaimError(f"{label}: the upper end is a number")
        inside = parameters.also(*inside_of(along, (low, high), [True, True]))
        yield continuous(velocity, along, inside).labelled(label)
        yield Premise(always(sp.Gt(velocity, 0, evaluate=False), self.using, f"{label}: up"), inside)


@dataclass(frozen=True)
class FlowRises(OfFlow):
    """Every solution that stays strictly between ``lower`` and ``upper`` strictly increases, and tends to ``upper``."""

    lower: Scalar
    upper: Scalar
    claimed = ("upper",)
    rule = PositiveVelocity()

    def says(self) -> Phrase:
        where = ("what stays strictly between", self.lower, "and", self.upper)
        return (*where, "increases all the time and tends to", self.upper)


@dataclass(frozen=True, eq=False)
class FirstRest(Rule["FlowRisesToRest"]):
    """A velocity with a continuous slope, positive at the start and not so further up, leads to the first point where
    it vanishes.

    ``at_start`` and ``at_end`` are for these two signs; ``slope`` is another form of the derivative.
    """

    at_start: Using = ()
    at_end: Using = ()
    slope: sp.Expr | None = None
    theorems = ("Flows.flow_rises_to_first_rest",)

    def premises(self, conclusion: FlowRisesToRest, domain: Domain) -> Iterator[Premise]:
        along, label, velocity = conclusion.variable, conclusion.label, conclusion.velocity
        start, end = map(sp.sympify, (conclusion.start, conclusion.upper))
        parameters = looked_at(conclusion, domain, start=start, upper=end)
        if start.is_infinite or end.is_infinite:
            raise ClaimError(f"{label}: the start and the upper end are numbers")
        yield from ordered(start, end, (), parameters, label)
        whole = parameters.also(*inside_of(along, (start, end), [False, False]))
        found, exact = derivative(velocity, along, whole, form=self.slope)
        yield exact.labelled(label)
        yield continuous(found, along, whole).labelled(f"{label}: the slope")
        first, last = (substituted(velocity, {along: place}) for place in (start, end))
        yield Premise(always(sp.Gt(first, 0, evaluate=False), self.at_start, f"{label}: up at the start"), parameters)
        yield Premise(always(sp.Le(last, 0, evaluate=False), self.at_end, f"{label}: not so at the end"), parameters)


@dataclass(frozen=True)
class FlowRisesToRest(OfFlow):
    """Somewhere between ``start`` and ``upper``, the latter included, the velocity vanishes, and every solution from
    ``start`` increases, strictly, and tends to the first such point without reaching it.
    """

    start: Scalar
    upper: Scalar
    claimed = ("upper",)
    rule = FirstRest()

    def says(self) -> Phrase:
        first = ("the first point above it at which the velocity vanishes, which is at most", self.upper)
        return ("the start", self.start, "leads to", *first, ", increasing all the time and never reaching it")


@dataclass(frozen=True, eq=False)
class FasterEverywhere(Rule["FlowsOrdered"]):
    """Of two flows the one with the larger velocity at every point, started ahead, stays ahead. ``using`` is for the
    comparison of the velocities.
    """

    using: Using = ()
    theorems = ("FlowOrder.the_faster_flow_stays_ahead",)

    def premises(self, conclusion: FlowsOrdered, domain: Domain) -> Iterator[Premise]:
        along, slow, fast = conclusion.variable, conclusion.velocity, conclusion.faster
        low, high = map(sp.sympify, (conclusion.lower, conclusion.upper))
        parameters = looked_at(conclusion, domain, lower=low, upper=high)
        inside = parameters.also(*inside_of(along, (low, high), [True, True]))
        yield Premise(always(sp.Lt(slow, fast, evaluate=False), self.using, f"{conclusion.label}: faster"), inside)


@dataclass(frozen=True)
class FlowsOrdered(OfFlow):
    """A solution with the velocity ``faster`` that starts above one with the velocity ``velocity`` is above it at all
    times, as long as the latter stays strictly between ``lower`` and ``upper``; and its limit, if both have one, is at
    least the other's.
    """

    faster: sp.Expr
    lower: Scalar
    upper: Scalar
    claimed = ("faster",)
    rule = FasterEverywhere()

    def says(self) -> Phrase:
        where = ("and stays strictly between", self.lower, "and", self.upper, ", it is below")
        ahead = ("what starts above it and moves with the velocity", self.faster)
        return (*where, *ahead, "at all times, and has no larger limit")


def lies(low: sp.Expr, rest: sp.Expr, high: sp.Expr, parameters: Domain, label: str) -> Iterator[Premise]:
    """The point lies strictly between the ends."""
    if rest.is_infinite:
        raise ClaimError(f"{label}: the rest point is a number")
    yield from ordered(low, rest, (), parameters, f"{label}: the point above the lower end")
    yield from ordered(rest, high, (), parameters, f"{label}: and below the upper one")
