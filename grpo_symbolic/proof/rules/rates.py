"""How fast solutions of ẋ = v(x) come to rest, what dies out along them, and where they go if they need not last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.flows import FlowTends, OfFlow, lies, looked_at
from grpo_symbolic.proof.rules.roots import inside_of, ordered
from grpo_symbolic.proof.rules.rule import (
    Premise,
    Rule,
    Using,
    always,
    by_rule,
    continuous,
    derivative,
)
from grpo_symbolic.proof.statement import Always, Equal, Phrase
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar


def _at_rest(conclusion: FlowAtRate | DiesOut, tends: Rule | None, domain: Domain) -> Iterator[Premise]:
    """That the flow tends to its rest point, which lies inside."""
    low, rest, high = map(sp.sympify, (conclusion.lower, conclusion.rest, conclusion.upper))
    parameters = looked_at(conclusion, domain, lower=low, rest=rest, upper=high, rate=conclusion.rate)
    yield from lies(low, rest, high, parameters, conclusion.label)
    flow = FlowTends(conclusion.velocity, conclusion.variable, low, high, rest, label=conclusion.label)
    yield Premise(by_rule(flow, tends), parameters)


@dataclass(frozen=True, eq=False)
class SlopeAtRest(Rule["FlowAtRate"]):
    """A flow that comes to rest does so at the rate at which its velocity falls there.

    ``tends`` is the rule by which it comes to rest; ``slope`` is a form of the derivative, ``at_rest`` for the velocity
    at the point.
    """

    tends: Rule | None = None
    slope: Scalar | None = None
    at_rest: Using = ()
    theorems = ("FlowRates.flow_comes_to_rest_at_a_rate",)

    def premises(self, conclusion: FlowAtRate, domain: Domain) -> Iterator[Premise]:
        along, label, velocity = conclusion.variable, conclusion.label, conclusion.velocity
        yield from _at_rest(conclusion, self.tends, domain)
        parameters = domain.apart_from(along)
        inside = parameters.also(*inside_of(along, (conclusion.lower, conclusion.upper), [True, True]))
        found, exact = derivative(velocity, along, inside, form=self.slope)
        yield exact.labelled(label)
        still = sp.Eq(substituted(velocity, {along: conclusion.rest}), 0, evaluate=False)
        yield Premise(always(still, self.at_rest, f"{label}: it rests there"), parameters)
        there = substituted(found, {along: conclusion.rest})
        yield Premise(Equal(there, -conclusion.rate, label=f"{label}: the rate"), parameters)


@dataclass(frozen=True)
class FlowAtRate(OfFlow):
    """Every solution that starts strictly between ``lower`` and ``upper`` tends to ``rest``, and its distance from it
    vanishes faster than ``e^(−lt)`` for every number ``l`` below ``rate``.
    """

    lower: Scalar
    upper: Scalar
    rest: Scalar
    rate: Scalar
    claimed = ("rate",)
    rule = SlopeAtRest()
    spoken = ("l", "t")

    def says(self) -> Phrase:
        where = ("every start strictly between", self.lower, "and", self.upper, "leads to", self.rest)
        return (*where, ", and the distance from it vanishes faster than e^(−lt) for every number l below", self.rate)


@dataclass(frozen=True, eq=False)
class DrivenToRest(Rule["DiesOut"]):
    """What grows along a flow at a rate that is continuous, and negative where the flow comes to rest, dies out.

    The theorem is more general: it has no sign of the rate. That it is positive makes the words true, for what grows
    vanishes after the factor of a negative one only.

    ``tends`` is the rule by which the flow comes to rest, ``settled`` that for the rate there.
    """

    tends: Rule | None = None
    settled: Rule | None = None
    theorems = ("FlowRates.what_a_flow_drives_dies_out",)

    def premises(self, conclusion: DiesOut, domain: Domain) -> Iterator[Premise]:
        along, label = conclusion.variable, conclusion.label
        yield from _at_rest(conclusion, self.tends, domain)
        parameters = domain.apart_from(along)
        inside = parameters.also(*inside_of(along, (conclusion.lower, conclusion.upper), [True, True]))
        yield continuous(conclusion.growth, along, inside).labelled(f"{label}: the rate of growth")
        there = substituted(conclusion.growth, {along: conclusion.rest})
        yield Premise(Always(sp.Gt(conclusion.rate, 0, evaluate=False), label=f"{label}: it dies out"), parameters)
        settled = Equal(there, -conclusion.rate, label=f"{label}: the rate of growth at rest")
        yield Premise(by_rule(settled, self.settled), parameters)


@dataclass(frozen=True)
class DiesOut(OfFlow):
    """Whatever moves with the velocity ``growth`` times itself, where the flow starts strictly between ``lower`` and
    ``upper`` and tends to ``rest``, vanishes faster than ``e^(−lt)`` for every number ``l`` below ``rate``.
    """

    growth: Scalar
    lower: Scalar
    upper: Scalar
    rest: Scalar
    rate: Scalar
    claimed = ("rate",)
    rule = DrivenToRest()
    spoken = ("l", "t")

    def says(self) -> Phrase:
        where = ("from any start strictly between", self.lower, "and", self.upper, ", hence towards", self.rest)
        driven = (", what moves with the velocity", self.growth, "times itself")
        return (*where, *driven, "vanishes faster than e^(−lt) for every number l below", self.rate)


@dataclass(frozen=True, eq=False)
class PositiveThroughout(Rule["PassesEveryLevel"]):
    """A continuous velocity that is positive from the start on leads past every level below the end, in a time that the
    start and the level bound. ``using`` is for the sign.
    """

    using: Using = ()
    theorems = ("FlowRates.flow_passes_every_level",)

    def premises(self, conclusion: PassesEveryLevel, domain: Domain) -> Iterator[Premise]:
        along, label, velocity = conclusion.variable, conclusion.label, conclusion.velocity
        start, high = map(sp.sympify, (conclusion.start, conclusion.upper))
        parameters = looked_at(conclusion, domain, start=start, upper=high)
        if start.is_infinite:
            raise ClaimError(f"{label}: the start is a number")
        yield from ordered(start, high, (), parameters, label)
        onward = parameters.also(*inside_of(along, (start, high), [False, True]))
        yield continuous(velocity, along, onward).labelled(label)
        yield Premise(always(sp.Gt(velocity, 0, evaluate=False), self.using, f"{label}: up"), onward)


@dataclass(frozen=True)
class PassesEveryLevel(OfFlow):
    """For every number below ``upper`` there is a time after which every solution from ``start`` is above it, and all
    the time it increases: as long as the solution stays below ``upper``. It may reach it in finite time.
    """

    start: Scalar
    upper: Scalar
    claimed = ("upper",)
    rule = PositiveThroughout()

    def says(self) -> Phrase:
        onward = ("increases all the time, and passes every number below", self.upper)
        return (
            "what starts at",
            self.start,
            *onward,
            "within a time that depends on the number only, unless it has",
            "reached",
            self.upper,
            "before",
        )
