"""Solutions of ẋ = v(x), t ≥ 0, for a velocity v of one number: where they go, and that they never turn back."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from grpo_symbolic.proof.rules.derivatives import Curved
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import A, B, Continuous, Needs, Schema, Slope, b, d, f, g, k, r, s, x
from grpo_symbolic.proof.statements.statement import EACH_OTHER, Always, Phrase, Tends
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
        return ("where", self.variable, "moves with the velocity", self.velocity, ",", *self.predicate())

    def predicate(self) -> Phrase:
        """What holds of the solutions, as the predicate of the sentence."""
        raise NotImplementedError


@dataclass(frozen=True)
class FlowTends(OfFlow):
    """Every solution that starts strictly between ``lower`` and ``upper`` tends to ``rest``: one from below rises all
    the time, weakly, and stays at or below it; one from above falls and stays at or above it.
    """

    lower: Scalar
    upper: Scalar
    rest: Scalar
    claimed = ("rest", "upper")

    def predicate(self) -> Phrase:
        where = ("every start strictly between", self.lower, "and", self.upper)
        return (*where, "leads to", self.rest, ", which it approaches from one side without ever turning back")


@dataclass(frozen=True)
class FlowRises(OfFlow):
    """Every solution that stays strictly between ``lower`` and ``upper`` strictly increases, and tends to ``upper``."""

    lower: Scalar
    upper: Scalar
    claimed = ("upper",)

    def predicate(self) -> Phrase:
        where = ("whatever stays strictly between", self.lower, "and", self.upper, "at all times")
        return (*where, "increases all the time and tends to", self.upper)


@dataclass(frozen=True)
class FlowRisesToRest(OfFlow):
    """Somewhere between ``start`` and ``upper``, the latter included, the velocity vanishes, and every solution from
    ``start`` increases, strictly, and tends to the first such point without reaching it.
    """

    start: Scalar
    upper: Scalar
    claimed = ("upper",)

    def predicate(self) -> Phrase:
        first = ("the first point above it at which the velocity vanishes, which is at most", self.upper)
        return ("the start", self.start, "leads to", *first, ", increasing all the time and never reaching it")


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

    def predicate(self) -> Phrase:
        where = ("and stays strictly between", self.lower, "and", self.upper, ", it is below")
        ahead = ("what starts above it and moves with the velocity", self.faster)
        return (*where, *ahead, "at all times, and has no larger limit")


INSIDE = (A < x, x < B)
REST = (
    Needs(Always(A < r), label="the point above the lower end"),
    Needs(Always(r < B), label="and below the upper one"),
)


@dataclass(frozen=True, eq=False)
class SignOfVelocity(Schematic["FlowTends"]):
    """A continuous velocity that is positive below a point and negative above it leads every start there.

    ``below`` and ``above`` are for the two signs.
    """

    below: Using = ()
    above: Using = ()
    schemas = (
        Schema(
            "Flows.flow_converges",
            FlowTends(f(x), x, A, B, r),
            (
                *REST,
                Needs(Continuous(f(x)), INSIDE),
                Needs(Always(f(x) > 0), (A < x, x < r), by="below", label="up below the point"),
                Needs(Always(f(x) < 0), (r < x, x < B), by="above", label="down above it"),
            ),
        ),
    )


@dataclass(frozen=True, eq=False)
class ConcaveVelocity(Schematic["FlowTends"]):
    """A continuous concave velocity with a positive limit at the lower end is positive below the point at which it
    vanishes and negative above it.

    ``limit`` is that limit. The premises speak of the velocity's negative, which is convex: ``shape`` and ``end`` are
    rules for its curvature and its limit, ``at_rest`` is for its value at the point.
    """

    limit: Scalar
    shape: Rule | None = None
    end: Rule | None = None
    at_rest: Using = ()
    schemas = (
        Schema(
            "Flows.flow_with_concave_velocity_converges",
            FlowTends(f(x), x, A, B, r),
            (
                *REST,
                Needs(Continuous(f(x)), INSIDE),
                Needs(Curved(-f(x), x, 1, strict=False), INSIDE, by="shape"),
                Needs(Tends(-f(x), x, A, -k, "+"), by="end", label="at {A}"),
                Needs(Always(k > 0), label="up at {A}"),
                Needs(Always(sp.Eq(-f(r), 0)), by="at_rest", label="it rests there"),
            ),
            given={"limit": k},
            proof="intros; by_theorem (@{theorem} f A B k r)",
        ),
    )


@dataclass(frozen=True, eq=False)
class PositiveVelocity(Schematic["FlowRises"]):
    """A continuous positive velocity leads what stays below an end up to it. What begins below it does stay there: the
    velocity is at most ``rate`` times the way that is left, so that this takes for ever. ``using`` is for the sign,
    ``below`` for that bound.
    """

    using: Using = ()
    rate: Scalar = sp.S.One
    below: Using = ()
    schemas = (
        Schema(
            "Flows.flow_rises_to_end",
            FlowRises(f(x), x, A, b),
            (
                Needs(Continuous(f(x)), (A < x, x < b)),
                Needs(Always(f(x) > 0), (A < x, x < b), by="using", label="up"),
                Needs(Always(f(x) <= k * (b - x)), (A < x, x < b), by="below", sense=True, label="never at the end"),
                Needs(Always(A < b), sense=True, label="the interval"),
            ),
            given={"rate": k},
        ),
    )


@dataclass(frozen=True, eq=False)
class FirstRest(Schematic["FlowRisesToRest"]):
    """A velocity with a continuous slope, positive at the start and not so further up, leads to the first point where
    it vanishes.

    ``at_start`` and ``at_end`` are for these two signs; ``slope`` is another form of the derivative.
    """

    at_start: Using = ()
    at_end: Using = ()
    slope: sp.Expr | None = None
    schemas = (
        Schema(
            "Flows.flow_rises_to_first_rest",
            FlowRisesToRest(f(x), x, s, b),
            (
                Needs(Always(s < b), label="the interval"),
                Needs(Slope(f(x), d(x)), (s <= x, x <= b)),
                Needs(Continuous(d(x)), (s <= x, x <= b), label="the slope"),
                Needs(Always(f(s) > 0), by="at_start", label="up at the start"),
                Needs(Always(f(b) <= 0), by="at_end", label="not so at the end"),
            ),
            given={"slope": d(x)},
        ),
    )


@dataclass(frozen=True, eq=False)
class FasterEverywhere(Schematic["FlowsOrdered"]):
    """Of two flows the one with the larger velocity at every point, started ahead, stays ahead. ``using`` is for the
    comparison of the velocities.
    """

    using: Using = ()
    schemas = (
        Schema(
            "FlowOrder.the_faster_flow_stays_ahead",
            FlowsOrdered(f(x), x, g(x), A, B),
            (
                Needs(Always(f(x) < g(x)), INSIDE, by="using", label="faster"),
                Needs(Always(A < B), sense=True, label="the interval"),
            ),
        ),
    )


FlowTends.rule = SignOfVelocity()
FlowRises.rule = PositiveVelocity()
FlowRisesToRest.rule = FirstRest()
FlowsOrdered.rule = FasterEverywhere()
