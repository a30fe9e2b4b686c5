"""How fast solutions of ẋ = v(x) come to rest, what dies out along them, and where they go if they need not last."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Eq

from grpo_symbolic.proof.rules.flows import INSIDE, REST, FlowTends, OfFlow
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Rule, Using
from grpo_symbolic.proof.rules.schema import A, B, Continuous, Needs, Schema, Slope, d, f, g, k, r, s, x
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.scalars import Scalar


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
    letters_of_words = ("l", "t")

    def predicate(self) -> Phrase:
        where = ("every start strictly between", self.lower, "and", self.upper, "leads to", self.rest)
        return (*where, ", and the distance from it vanishes faster than e^(−lt) for every number l below", self.rate)


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
    letters_of_words = ("l", "t")

    def predicate(self) -> Phrase:
        where = ("from any start strictly between", self.lower, "and", self.upper, ", hence towards", self.rest)
        driven = (", what moves with the velocity", self.growth, "times itself")
        return (*where, *driven, "vanishes faster than e^(−lt) for every number l below", self.rate)


@dataclass(frozen=True)
class PassesEveryLevel(OfFlow):
    """For every number below ``upper`` there is a time after which every solution from ``start`` is above it, and all
    the time it increases: as long as the solution stays below ``upper``. It may reach it in finite time.
    """

    start: Scalar
    upper: Scalar
    claimed = ("upper",)

    def predicate(self) -> Phrase:
        below = ("increases as long as it is below", self.upper, ", and passes every number below", self.upper)
        return ("what starts at", self.start, *below, "within a time that is the same for every solution")


_AT_REST = (*REST, Needs(FlowTends(f(x), x, A, B, r), by="tends"))


@dataclass(frozen=True, eq=False)
class SlopeAtRest(Schematic["FlowAtRate"]):
    """A flow that comes to rest does so at the rate at which its velocity falls there.

    ``tends`` is the rule by which it comes to rest; ``slope`` is a form of the derivative, ``at_rest`` for the velocity
    at the point.
    """

    tends: Rule | None = None
    slope: Scalar | None = None
    at_rest: Using = ()
    schemas = (
        Schema(
            "FlowRates.flow_comes_to_rest_at_a_rate",
            FlowAtRate(f(x), x, A, B, r, k),
            (
                *_AT_REST,
                Needs(Slope(f(x), d(x)), INSIDE),
                Needs(Always(Eq(f(r), 0)), by="at_rest", label="it rests there"),
                Needs(Equal(d(r), -k), label="the rate"),
            ),
            proof="intros; by_theorem (@{theorem} f A B r k)",
            given={"slope": d(x)},
        ),
    )


@dataclass(frozen=True, eq=False)
class DrivenToRest(Schematic["DiesOut"]):
    """What grows along a flow at a rate that is continuous, and negative where the flow comes to rest, dies out.

    ``tends`` is the rule by which the flow comes to rest, ``settled`` that for the rate there.
    """

    tends: Rule | None = None
    settled: Rule | None = None
    schemas = (
        Schema(
            "FlowRates.what_a_flow_drives_dies_out",
            DiesOut(f(x), x, g(x), A, B, r, k),
            (
                *_AT_REST,
                Needs(Continuous(g(x)), INSIDE, label="the rate of growth"),
                Needs(Always(k > 0), label="it dies out"),
                Needs(Equal(g(r), -k), by="settled", label="the rate of growth at rest"),
            ),
            proof="intros; split; [assumption | intros; by_theorem (@{theorem} f g A B r k)]",
        ),
    )


@dataclass(frozen=True, eq=False)
class PositiveThroughout(Schematic["PassesEveryLevel"]):
    """A continuous velocity that is positive from the start on leads past every level below the end, in a time that the
    start and the level bound. ``using`` is for the sign.
    """

    using: Using = ()
    schemas = (
        Schema(
            "FlowRates.flow_passes_every_level",
            PassesEveryLevel(f(x), x, s, B),
            (
                Needs(Always(s < B), label="the interval"),
                Needs(Continuous(f(x)), (s <= x, x < B)),
                Needs(Always(f(x) > 0), (s <= x, x < B), by="using", label="up"),
            ),
            proof="intros; apply (@{theorem} f s B); "
            "[assumption | assumption | intros; apply H3; assumption | assumption]",
        ),
    )


FlowAtRate.rule = SlopeAtRest()
DiesOut.rule = DrivenToRest()
PassesEveryLevel.rule = PositiveThroughout()
