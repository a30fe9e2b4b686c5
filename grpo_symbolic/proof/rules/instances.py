"""What the shape of a function says of two of its values, or of three."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.rule import (
    Premise,
    Rule,
    Using,
    always,
    between,
    by_rule,
    derivative,
    hold,
    interval_in,
    known_families,
    unmoved,
    valued,
)
from grpo_symbolic.proof.statement import Always, Equal, real_symbol
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar


def _lies(point: sp.Expr, along: sp.Symbol, on: Domain, using: Using, domain: Domain, label: str) -> Iterator[Premise]:
    """That what a domain says of a variable and of other letters holds at a point.

    Raises :class:`ClaimError` for families that are others here.
    """
    known_families(on, domain)
    here = (substituted(c, {along: point}) for c in on.constraints)
    yield from hold(here, domain, f"{label}: {point} lies in the range", using)


@dataclass(frozen=True, eq=False)
class TwoValues(Rule["Always"]):
    """A strictly monotone function has the larger value at the larger of two points (at the smaller, if it decreases).

    ``body`` is the function of ``variable`` on the domain ``on``, ``points`` the smaller and the larger point;
    ``shape`` is a rule for that it is monotone. The conclusion compares the values.
    """

    body: Scalar
    variable: sp.Symbol
    on: Domain
    points: tuple[Scalar, Scalar]
    direction: int = 1
    shape: Rule | None = None
    using: Using = ()
    theorems = (
        "Convexity.two_values_of_a_strictly_increasing_function",
        "Convexity.two_values_of_a_strictly_decreasing_function",
    )

    def theorem(self, conclusion: Always) -> str:
        return self.theorems[0 if self.direction > 0 else 1]

    def premises(self, conclusion: Always, domain: Domain) -> Iterator[Premise]:
        along, label, formula = self.variable, conclusion.label, conclusion.formula
        real_symbol(along)
        interval_in(along, self.on)
        values = [substituted(self.body, {along: point}) for point in self.points]
        less, more = values if self.direction > 0 else values[::-1]
        if formula not in (sp.Lt(less, more, evaluate=False), sp.Gt(more, less, evaluate=False)):
            raise ClaimError(f"{label}: the values compare as {less} < {more}, or not at all")
        monotone = Monotone(self.body, along, self.direction, label=label)
        yield Premise(monotone if self.shape is None else monotone.by(self.shape), self.on)
        order = sp.Lt(*self.points, evaluate=False)
        yield Premise(always(order, self.using, f"{label}: the order of the points"), domain)
        for point in self.points:
            yield from _lies(point, along, self.on, self.using, domain, label)


@dataclass(frozen=True, eq=False)
class Chord(Rule["Always"]):
    """Between two different points a strictly convex function is below its chord, a strictly concave one above it.

    ``body`` is the function of ``variable`` on the domain ``on``, ``points`` the two points and ``weight`` that of the
    first; ``shape`` is a rule for the curvature. The conclusion compares the value between with the mean of the values.
    """

    body: Scalar
    variable: sp.Symbol
    on: Domain
    points: tuple[Scalar, Scalar]
    weight: Scalar
    direction: int = 1
    shape: Rule | None = None
    using: Using = ()
    theorems = (
        "Convexity.value_between_two_of_a_strictly_convex_function",
        "Convexity.value_between_two_of_a_strictly_concave_function",
    )

    def theorem(self, conclusion: Always) -> str:
        return self.theorems[0 if self.direction > 0 else 1]

    def premises(self, conclusion: Always, domain: Domain) -> Iterator[Premise]:
        along, label, formula, weight = self.variable, conclusion.label, conclusion.formula, self.weight
        real_symbol(along)
        interval_in(along, self.on)
        first, second = self.points
        between = substituted(self.body, {along: weight * first + (1 - weight) * second})
        ends = [substituted(self.body, {along: point}) for point in self.points]
        chord = weight * ends[0] + (1 - weight) * ends[1]
        less, more = (between, chord) if self.direction > 0 else (chord, between)
        if formula not in (sp.Lt(less, more, evaluate=False), sp.Gt(more, less, evaluate=False)):
            raise ClaimError(f"{label}: the value between and the chord compare as {less} < {more}")
        curved = Curved(self.body, along, self.direction, label=label)
        yield Premise(curved if self.shape is None else curved.by(self.shape), self.on)
        apart = sp.And(sp.Ne(first, second), sp.Lt(0, weight), sp.Lt(weight, 1), evaluate=False)
        yield Premise(always(apart, self.using, f"{label}: strictly between"), domain)
        for point in self.points:
            yield from _lies(point, along, self.on, self.using, domain, label)


def _sides(formula: sp.Basic, label: str, strict: bool) -> tuple[sp.Expr, sp.Expr]:
    """The larger and the smaller side of an inequality."""
    kinds = (sp.StrictLessThan, sp.StrictGreaterThan) if strict else (sp.LessThan, sp.GreaterThan)
    if not isinstance(formula, kinds):
        raise ClaimError(f"{label}: the conclusion is an inequality {'< or >' if strict else '≤ or ≥'}")
    return formula.gts, formula.lts


@dataclass(frozen=True, eq=False)
class Tangent(Rule["Always"]):
    """A convex function lies above its tangents, a concave one below: one side exceeds the other by the distance
    between the value at a point and the tangent at another one.

    ``body`` is the function of ``variable`` on the domain ``on``, ``point`` the point and ``at`` where the tangent
    touches; ``shape`` is a rule for the curvature, ``slope`` a form of the derivative, ``using`` for where the points
    lie.
    """

    body: Scalar
    variable: sp.Symbol
    on: Domain
    point: Scalar
    at: Scalar
    direction: int = 1
    shape: Rule | None = None
    slope: Scalar | None = None
    using: Using = ()
    theorems = (
        "Tangents.convex_function_lies_above_its_tangent",
        "Tangents.concave_function_lies_below_its_tangent",
    )

    def theorem(self, conclusion: Always) -> str:
        return self.theorems[0 if self.direction > 0 else 1]

    def premises(self, conclusion: Always, domain: Domain) -> Iterator[Premise]:
        along, label = self.variable, conclusion.label
        real_symbol(along)
        more, less = _sides(conclusion.formula, label, strict=False)
        yield from valued((more, less), domain, label)
        curved = Curved(self.body, along, self.direction, strict=False, label=label)
        yield Premise(by_rule(curved, self.shape), self.on)
        found, exact = derivative(self.body, along, self.on, form=self.slope)
        yield exact.labelled(label)
        for point in (self.point, self.at):
            yield from _lies(point, along, self.on, self.using, domain, label)
        value, touch, steep = (
            substituted(term, {along: place})
            for term, place in ((self.body, self.point), (self.body, self.at), (found, self.at))
        )
        above = self.direction * (value - touch - steep * (self.point - self.at))
        yield Premise(Equal(more - less, above, label=f"{label}: the distance from the tangent"), domain)


@dataclass(frozen=True, eq=False)
class PositiveBetween(Rule["Always"]):
    """A concave function, such as a linear one, that is positive at both ends of an interval is positive on it: so one
    side exceeds the other, of which the difference is such a function of ``variable``.

    ``lower`` and ``upper`` are the ends, on the domain ``over`` of all other letters; ``at_lower`` and ``at_upper`` are
    for the signs there.
    """

    variable: sp.Symbol
    lower: Scalar
    upper: Scalar
    over: Domain
    at_lower: Using = ()
    at_upper: Using = ()
    theorems = ("Tangents.concave_function_is_positive_between",)

    def premises(self, conclusion: Always, domain: Domain) -> Iterator[Premise]:
        along, label = self.variable, conclusion.label
        real_symbol(along)
        more, less = _sides(conclusion.formula, label, strict=True)
        yield from valued((more, less), domain, label)
        unmoved(along, label, lower=self.lower, upper=self.upper)
        if along in self.over.symbols:
            raise ClaimError(f"{label}: {along} moves between its ends, and the domain of the others speaks of it")
        whole = self.over.also(*between(self.lower, along, self.upper))
        gap = more - less
        yield Premise(Curved(gap, along, -1, strict=False, label=label), whole)
        yield from _lies(along, along, whole, (), domain, label)
        for end, using, where in ((self.lower, self.at_lower, "lower"), (self.upper, self.at_upper, "upper")):
            sign = sp.Gt(substituted(gap, {along: end}), 0, evaluate=False)
            yield Premise(always(sign, using, f"{label}: at the {where} end"), self.over)
