"""Where a function takes a number, exceeds it, or is below it, from its slopes; and functions in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.lemmas import Instance
from grpo_symbolic.proof.rules.derivatives import Monotone
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.roots import OneRoot
from grpo_symbolic.proof.rules.rule import (
    Conclusion,
    Premise,
    Rule,
    Using,
    always,
    between,
    continuous,
    derivative,
    unmoved,
    valued,
)
from grpo_symbolic.proof.rules.schema import Interval, Needs, Schema, c, f, g, h, x
from grpo_symbolic.proof.statement import EACH_OTHER, Equal, Phrase, Tends, real_symbol
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class FallsAtRoots(Rule["OneRoot"]):
    """A continuous function that is above a value at the lower end of an interval, below it at the upper end, and falls
    wherever it takes the value, takes it exactly once.

    ``solved`` is a letter and what it is where the value is taken; ``slope`` is the derivative there.
    """

    solved: tuple[sp.Symbol, Scalar]
    slope: Scalar | None
    using: Using = ()
    theorems = ("Limits.exactly_one_root_if_derivative_negative_at_roots",)

    def premises(self, conclusion: OneRoot, domain: Domain) -> Iterator[Premise]:
        real_symbol(conclusion.variable)
        along, label, body = conclusion.variable, conclusion.label, conclusion.body
        low, high = sp.sympify(conclusion.lower), sp.sympify(conclusion.upper)
        unmoved(along, label, value=conclusion.value)
        if not (low.is_number and high.is_number and low.is_finite and high.is_finite and low < high):
            raise ClaimError(f"{label}: the ends {low} and {high} are to be numbers, in order")
        parameters = domain.apart_from(along)
        yield from valued((conclusion.value,), parameters, label)
        yield continuous(body, along, parameters.also(*between(low, along, high))).labelled(label)
        for end, relation, where in ((low, sp.Gt, "lower"), (high, sp.Lt, "upper")):
            side = relation(substituted(body, {along: end}), conclusion.value, evaluate=False)
            yield Premise(always(side, self.using, f"{label}: at the {where} end"), parameters)
        inside = parameters.also(*between(low, along, high, closed=False))
        found, exact = derivative(body, along, inside)
        yield exact.labelled(label)
        letter, term = self.solved
        there = sp.Implies(
            sp.Eq(body, conclusion.value, evaluate=False), sp.Eq(letter, term, evaluate=False), evaluate=False
        )
        yield Premise(always(there, self.using, f"{label}: what {letter} is where it is taken"), inside)
        place = inside.also(sp.Eq(letter, term, evaluate=False))
        yield Premise(Equal(found, self.slope, label=f"{label}: the slope where it is taken"), place)
        falls = always(sp.Lt(self.slope, 0, evaluate=False), self.using, f"{label}: it falls where it is taken")
        yield Premise(falls, place)


@dataclass(frozen=True, eq=False)
class RisesAndFalls(Rule["OneInterval"]):
    """A continuous function on an interval that increases up to a point and decreases after it exceeds a number on one
    open interval, if anywhere; one that falls and rises is below it there.

    ``turn`` is the point; ``using`` are lemmas for the signs of the derivative.
    """

    turn: Scalar
    using: tuple[Instance, ...] = ()
    theorems = ("Limits.exceeds_a_number_on_one_interval",)

    def premises(self, conclusion: OneInterval, domain: Domain) -> Iterator[Premise]:
        real_symbol(conclusion.variable)
        along, label, body, sense = conclusion.variable, conclusion.label, conclusion.body, conclusion.sense
        low, high = sp.sympify(conclusion.lower), sp.sympify(conclusion.upper)
        if conclusion.inside or low.is_infinite or high.is_infinite:
            raise ClaimError(f"{label}: a turn says nothing of infinite ends, nor that the interval ends before them")
        unmoved(along, label, turn=self.turn)
        parameters = domain.apart_from(along)
        if not (low.is_number and high.is_number and low < high):
            raise ClaimError(f"{label}: the ends {low} and {high} are to be numbers, in order")
        inside = parameters.also(*between(low, along, high, closed=False))
        yield continuous(body, along, inside).labelled(label)
        for side, direction in (
            (sp.Lt(along, self.turn, evaluate=False), sense),
            (sp.Gt(along, self.turn, evaluate=False), -sense),
        ):
            yield Premise(Monotone(body, along, direction, using=self.using, label=label), inside.also(side))


@dataclass(frozen=True, eq=False)
class ConvexBetweenPoles(Rule["OneInterval"]):
    """A convex function that tends to ∞ at both ends of an open interval is below a number on one open interval, which
    ends before them, if anywhere.

    ``curvature`` is a form of the second derivative whose sign is easier to see; ``using`` is for that sign.
    """

    curvature: Scalar | None = None
    using: tuple[Instance, ...] = ()
    theorems = ("Limits.convex_is_below_a_number_on_one_interval",)

    def premises(self, conclusion: OneInterval, domain: Domain) -> Iterator[Premise]:
        real_symbol(conclusion.variable)
        along, label, body = conclusion.variable, conclusion.label, conclusion.body
        low, high = sp.sympify(conclusion.lower), sp.sympify(conclusion.upper)
        if conclusion.sense > 0:
            raise ClaimError(f"{label}: a convex function is below numbers on intervals, not above them")
        if not (low.is_number and high.is_number and low < high):
            raise ClaimError(f"{label}: the ends {low} and {high} are to be numbers or infinite, in order")
        parameters = domain.apart_from(along)
        inside = parameters.also(*between(low, along, high, closed=False))
        _, exact = derivative(body, along, inside)
        yield exact.labelled(label)
        found, exact = derivative(body, along, inside, 2, self.curvature)
        yield exact.labelled(label)
        yield Premise(always(sp.Ge(found, 0, evaluate=False), self.using, f"{label}: its sign"), inside)
        for end, side in ((low, "+"), (high, "-")):
            yield Premise(Tends(body, along, end, sp.oo, side, label=f"{label}: at {end}"), parameters)


@dataclass(frozen=True)
class OneInterval(Conclusion):
    """For every number, those ``variable`` strictly between ``lower`` and ``upper`` at which ``body`` exceeds it (with
    ``sense=-1``: is below it) form one open interval, or there is none. ``inside``: the interval ends before ``lower``
    and ``upper``. The domain constrains the other symbols only.
    """

    body: Scalar
    variable: sp.Symbol
    lower: Scalar
    upper: Scalar
    sense: int = 1
    inside: bool = False
    label: str = "one interval"
    claimed = ("sense",)
    ranges = True
    carried = EACH_OTHER

    def phrase(self) -> Phrase:
        said = "exceeds it" if self.sense > 0 else "is below it"
        ends = ("whose ends lie between these too,",) if self.inside else ()
        where = ("those", self.variable, "strictly between", self.lower, "and", self.upper)
        return (
            "for every number",
            *where,
            "for which",
            self.body,
            said,
            "form one open interval,",
            *ends,
            "or there is none",
        )


@dataclass(frozen=True, eq=False)
class TwoPieces(Schematic["Monotone"]):
    """A function that is one function up to a point, and another one from there on, is strictly monotone if both are,
    in one direction.

    ``turn`` is the point, ``below`` and ``above`` are the two functions; ``below_by`` and ``above_by`` are why they are
    monotone, where that is not the usual rule, and ``using`` are lemmas for the signs of their derivatives.
    """

    turn: Scalar
    below: Scalar
    above: Scalar
    using: tuple[Instance, ...] = ()
    below_by: Rule | None = None
    above_by: Rule | None = None
    schemas = (
        Schema(
            "Limits.strictly_increasing_in_two_pieces",
            Monotone(f(x), x, 1),
            (
                Needs(Interval()),
                Needs(Equal(f(x), g(x)), (x <= c,), inside=True, label="the piece below"),
                Needs(Monotone(g(x), x, 1), (x <= c,), inside=True, by="using below_by", label="below"),
                Needs(Equal(f(x), h(x)), (x >= c,), inside=True, label="the piece above"),
                Needs(Monotone(h(x), x, 1), (x >= c,), inside=True, by="using above_by", label="above"),
            ),
            given={"turn": c, "below": g(x), "above": h(x)},
            proof="intros; by_theorem (@{theorem} I f g h c)",
        ),
        Schema(
            "Limits.strictly_decreasing_in_two_pieces",
            Monotone(f(x), x, -1),
            (
                Needs(Interval()),
                Needs(Equal(f(x), g(x)), (x <= c,), inside=True, label="the piece below"),
                Needs(Monotone(g(x), x, -1), (x <= c,), inside=True, by="using below_by", label="below"),
                Needs(Equal(f(x), h(x)), (x >= c,), inside=True, label="the piece above"),
                Needs(Monotone(h(x), x, -1), (x >= c,), inside=True, by="using above_by", label="above"),
            ),
            given={"turn": c, "below": g(x), "above": h(x)},
            proof="intros; by_theorem (@{theorem} I f g h c)",
        ),
    )
