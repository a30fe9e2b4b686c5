"""How a function crosses a value: that it does so once, or once more, and where the crossing goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.convexity import SolutionTends
from grpo_symbolic.proof.rules.derivatives import Monotone
from grpo_symbolic.proof.rules.matching import Schematic
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
    hold,
    unmoved,
    valued,
)
from grpo_symbolic.proof.rules.schema import Interval, Needs, Schema, Slope, d, f, p, x
from grpo_symbolic.proof.rules.squeeze import ranged
from grpo_symbolic.proof.statement import Always, Phrase, Tends, real_symbol
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
        low, high = map(sp.sympify, (conclusion.lower, conclusion.upper))
        root, other, side = (low, high, "-") if self.root == "lower" else (high, low, "+")
        if root.is_infinite:
            raise ClaimError(f"{label}: the value is taken at a number")
        parameters = domain.apart_from(along)
        yield from taken(conclusion, parameters)
        yield from ordered(low, high, (), parameters, label)
        around = (sp.sympify(self.over[0]), sp.sympify(self.over[1]))
        yield from ordered(
            around[0], root, (), parameters, f"{label}: the root above the lower end of its surroundings"
        )
        yield from ordered(root, around[1], (), parameters, f"{label}: and below the upper one")
        inside = parameters.also(*inside_of(along, (low, high), [True, True]))
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


@dataclass(frozen=True, eq=False)
class ButForAPoint(Schematic["Monotone"]):
    """A function is strictly monotone if its derivative has one sign, but perhaps at one point.

    ``point`` is that point, ``slope`` a form of the derivative; ``using`` is for the sign.
    """

    point: Scalar
    slope: Scalar | None = None
    using: Using = ()
    schemas = (
        Schema(
            "Crossings.strictly_increasing_but_for_one_point",
            Monotone(f(x), x, 1),
            (
                Needs(Interval()),
                Needs(Slope(f(x), d(x)), inside=True),
                Needs(Always(d(x) > 0), (x < p,), inside=True, by="using", label="its sign before the point"),
                Needs(Always(d(x) > 0), (x > p,), inside=True, by="using", label="its sign after the point"),
            ),
            given={"point": p, "slope": d(x)},
            proof="intros; by_theorem (@{theorem} I f d p)",
        ),
        Schema(
            "Crossings.strictly_decreasing_but_for_one_point",
            Monotone(f(x), x, -1),
            (
                Needs(Interval()),
                Needs(Slope(f(x), d(x)), inside=True),
                Needs(Always(d(x) < 0), (x < p,), inside=True, by="using", label="its sign before the point"),
                Needs(Always(d(x) < 0), (x > p,), inside=True, by="using", label="its sign after the point"),
            ),
            given={"point": p, "slope": d(x)},
            proof="intros; by_theorem (@{theorem} I f d p)",
        ),
    )


@dataclass(frozen=True, eq=False)
class ClearSides(Rule["SolutionTends"]):
    """Each function is negative before its root and positive after it; at each value of its variable it tends to
    another one, which is negative before a point and positive after it: so the solution tends to this point.

    ``other`` is a letter for a place before or after the root, ``limit`` the limiting function, and ``until`` ends the
    range of what moves on which the sides are clear. ``earlier`` and ``later`` are for these, ``before`` and ``after``
    for the signs of the limit, ``pointwise`` the rule for the limit at each place.
    """

    other: sp.Symbol
    limit: Scalar
    until: Scalar
    earlier: Using = ()
    later: Using = ()
    before: Using = ()
    after: Using = ()
    pointwise: Rule | None = None
    theorems = ("Crossings.root_tends_to_the_crossing_of_the_limit",)

    def premises(self, conclusion: SolutionTends, domain: Domain) -> Iterator[Premise]:
        near, parameters, inside = conclusion.places(self.until, domain)
        label, along, variable, body = conclusion.label, conclusion.along, conclusion.variable, conclusion.body
        lower, upper, value = conclusion.lower, conclusion.upper, conclusion.value
        real_symbol(self.other)
        spoken = domain.symbols.union(*(sp.sympify(e).free_symbols for e in (body, value, lower, upper, self.limit)))
        if self.other in {*spoken, along, variable}:
            raise ClaimError(f"{label}: {self.other} stands for another place, and the sentence speaks of it")
        unmoved(along, label, limit=self.limit)
        yield from ranged(conclusion.point, self.until, conclusion.side, parameters, label)
        yield from ordered(sp.sympify(lower), sp.sympify(upper), (), parameters, label)
        lies = (sp.Le(lower, value), sp.Le(value, upper))
        yield from hold(lies, parameters, f"{label}: it lies in the interval")
        there = substituted(body, {variable: self.other})
        elsewhere = inside_of(self.other, (lower, upper), [True, True])
        root = sp.Eq(body, 0, evaluate=False)
        for order, side, using, where in (
            (sp.Lt(self.other, variable), sp.Lt, self.earlier, "before"),
            (sp.Lt(variable, self.other), sp.Gt, self.later, "after"),
        ):
            clear = sp.Implies(root, side(there, 0, evaluate=False), evaluate=False)
            yield Premise(always(clear, using, f"{label}: {where} the root"), near.also(*inside, *elsewhere, order))
        everywhere = parameters.also(*inside)
        tends = Tends(body, along, conclusion.point, self.limit, conclusion.side, label=f"{label}: at each {variable}")
        yield Premise(by_rule(tends, self.pointwise), everywhere)
        yield from conclusion.crossed_by(self.limit, everywhere, self.before, self.after)


@dataclass(frozen=True, eq=False)
class OfTheSolution(Rule["AtSolutionTends"]):
    """What is a function of the solution alone has the limit of that function, where the solution tends to an end of
    its interval.

    ``form`` is that function, ``towards`` "lower" or "upper", and ``until`` ends the range of what moves on which it is
    the quantity. ``solution`` is the rule for where the solution tends, ``using`` is for the form, ``end`` the rule for
    its limit.
    """

    form: Scalar
    towards: str
    until: Scalar
    solution: Rule | None = None
    using: Using = ()
    end: Rule | None = None
    theorems = (
        "Crossings.quantity_at_a_solution_that_tends_to_the_lower_end",
        "Crossings.quantity_at_a_solution_that_tends_to_the_upper_end",
    )

    def theorem(self, conclusion: AtSolutionTends) -> str:
        return self.theorems[0 if self.towards == "lower" else 1]

    def premises(self, conclusion: AtSolutionTends, domain: Domain) -> Iterator[Premise]:
        label, along, variable = conclusion.label, conclusion.along, conclusion.variable
        if self.towards not in ("lower", "upper"):
            raise ClaimError(f"{label}: the solution tends to the lower or to the upper end, not to {self.towards!r}")
        to, side = (conclusion.lower, "+") if self.towards == "lower" else (conclusion.upper, "-")
        solution = conclusion.solution_to(to)
        near, parameters, inside = solution.places(self.until, domain)
        unmoved(along, label, value=conclusion.value, form=self.form)
        unmoved(variable, label, value=conclusion.value)
        yield from ranged(conclusion.point, self.until, conclusion.side, parameters, label)
        yield Premise(by_rule(solution, self.solution), domain)
        same = sp.Eq(conclusion.quantity, self.form, evaluate=False)
        at_root = sp.Implies(sp.Eq(conclusion.body, 0, evaluate=False), same, evaluate=False)
        yield Premise(always(at_root, self.using, f"{label}: a function of the solution"), near.also(*inside))
        limit = Tends(self.form, variable, to, conclusion.value, side, label=f"{label}: its limit")
        yield Premise(by_rule(limit, self.end), parameters)


@dataclass(frozen=True)
class AtSolutionTends(SolutionTends):
    """At every ``variable`` strictly between ``lower`` and ``upper`` at which ``body`` is 0, ``quantity`` tends to
    ``value`` as ``along`` tends to ``point`` from the ``side``. The domain constrains the other symbols only.
    """

    quantity: Scalar = field(kw_only=True)
    label: str = "limit at the solution"

    def solution_to(self, value: sp.Expr) -> SolutionTends:
        """That the solution tends to a value."""
        ends = (self.lower, self.upper)
        return SolutionTends(self.body, self.variable, *ends, self.along, self.point, value, self.side, self.label)

    @property
    def subject(self) -> Phrase:
        return ("at", *super().subject, ",", self.quantity)
