"""Sequences given by iteration, x₀ = start and xₙ₊₁ = map(xₙ): where they stay, and where they tend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import sympy as sp

from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.derivatives import Lipschitz, Monotone
from grpo_symbolic.proof.rules.rule import (
    Conclusion,
    Premise,
    Rule,
    Using,
    all_of,
    always,
    between,
    continuous,
    derivative,
)
from grpo_symbolic.proof.statement import EACH_OTHER, EACH_POINT, Always, Equal, Nth, Phrase, Statement, real_symbol
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class Iteration:
    """x₀ = ``start``, xₙ₊₁ = ``map`` at ``variable`` = xₙ."""

    map: sp.Expr
    variable: sp.Symbol
    start: Scalar

    def after(self, times: int) -> sp.Expr:
        """The member with this number."""
        found = self.start
        for _ in range(times):
            found = substituted(self.map, {self.variable: found})
        return found

    def phrase(self) -> Phrase:
        first, this, then = (Nth(self.variable, number) for number in ("0", "n", "n+1"))
        return (first, "=", self.start, ",", then, "=", self.map, "at", self.variable, "=", this)


@dataclass(frozen=True)
class OfIteration(Conclusion):
    """A conclusion about the members of ``sequence``, between ``lower`` and ``upper`` (both included). The domain
    constrains the other symbols only.
    """

    sequence: Iteration
    lower: Scalar
    upper: Scalar
    label: str = "iteration"
    claimed = ("upper",)
    stated: ClassVar[str]
    ranges = True
    carried = EACH_OTHER

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (self.sequence.variable,)

    def phrase(self) -> Phrase:
        return ("the sequence", *self.sequence.phrase(), *self.says())

    def says(self) -> Phrase:
        """What is said of the sequence."""
        raise NotImplementedError


def _inside(conclusion: OfIteration, domain: Domain) -> tuple[Domain, Domain]:
    """The domain of the parameters, and that on which the map is looked at."""
    along = conclusion.sequence.variable
    real_symbol(along)
    parameters = domain.apart_from(along)
    return parameters, parameters.also(*between(conclusion.lower, along, conclusion.upper))


def _within(term: sp.Expr, conclusion: OfIteration, what: str, using: Using = ()) -> Statement:
    """That a number lies between the ends."""
    low, high = sp.sympify(conclusion.lower), sp.sympify(conclusion.upper)
    ends = [sp.Le(low, term, evaluate=False), sp.Le(term, high, evaluate=False)]
    open_ones = [c for c in ends if c.lhs != c.rhs] or ends[:1]
    return always(all_of(open_ones), using, f"{conclusion.label}: {what}")


def _stays(conclusion: OfIteration, domain: Domain) -> Iterator[Premise]:
    """The start lies in the interval, and the map sends the interval into itself."""
    parameters, inside = _inside(conclusion, domain)
    s = conclusion.sequence
    yield Premise(_within(s.start, conclusion, "the start lies in the interval"), parameters)
    low, high = conclusion.lower, conclusion.upper
    for relation, end, what in ((sp.Le, low, "from below"), (sp.Ge, high, "from above")):
        into = relation(end, s.map, evaluate=False)
        yield Premise(Always(into, label=f"{conclusion.label}: the map stays in the interval, {what}"), inside)


@dataclass(frozen=True, eq=False)
class InvariantInterval(Rule["StaysIn"]):
    """A map that sends an interval into itself keeps a start there."""

    theorems = ("Rules.invariant_set_of_iteration",)

    def premises(self, conclusion: StaysIn, domain: Domain) -> Iterator[Premise]:
        yield from _stays(conclusion, domain)


@dataclass(frozen=True)
class StaysIn(OfIteration):
    """All members lie between ``lower`` and ``upper``."""

    rule = InvariantInterval()

    def says(self) -> Phrase:
        return ("stays between", self.lower, "and", self.upper)


@dataclass(frozen=True, eq=False)
class ContinuousMap(Rule["LimitIsFixedPoint"]):
    """A limit of iterates under a continuous map that stays in a closed interval is a fixed point."""

    theorems = ("Sentences.limit_of_iteration_in_interval_is_fixed_point",)

    def premises(self, conclusion: LimitIsFixedPoint, domain: Domain) -> Iterator[Premise]:
        _, inside = _inside(conclusion, domain)
        s = conclusion.sequence
        yield continuous(s.map, s.variable, inside).labelled(conclusion.label)
        yield from _stays(conclusion, domain)


@dataclass(frozen=True)
class LimitIsFixedPoint(OfIteration):
    """If the members converge, their limit lies between ``lower`` and ``upper`` and is a fixed point of the map."""

    rule = ContinuousMap()

    def says(self) -> Phrase:
        where = ("between", self.lower, "and", self.upper)
        return ("has, if it converges, a limit", *where, "that is a fixed point of this map")


@dataclass(frozen=True, eq=False)
class MonotoneMap(Rule["RisesToLeastFixedPoint | FallsToGreatestFixedPoint | ConvergesMonotonically | TwoLimits"]):
    """What an increasing (or decreasing) map of a closed interval does to a start there: it sends the interval into
    itself if it does so at the ends, and the first steps say which way the members go.

    ``shape`` are lemmas for the sign of the derivative, ``using`` is for the values at the ends and the first steps.
    """

    shape: tuple[Any, ...] = ()
    using: Using = ()
    theorems = (
        "Sentences.increasing_map_rises_to_least_fixed_point",
        "Sentences.increasing_map_falls_to_greatest_fixed_point",
        "Sentences.increasing_map_converges_monotonically",
        "Sentences.decreasing_map_has_two_limits",
    )

    def theorem(
        self, conclusion: RisesToLeastFixedPoint | FallsToGreatestFixedPoint | ConvergesMonotonically | TwoLimits
    ) -> str:
        return str(dict(zip(self.concludes, self.theorems, strict=True))[type(conclusion).__name__])

    def premises(
        self,
        conclusion: RisesToLeastFixedPoint | FallsToGreatestFixedPoint | ConvergesMonotonically | TwoLimits,
        domain: Domain,
    ) -> Iterator[Premise]:
        parameters, inside = _inside(conclusion, domain)
        s, label, way = conclusion.sequence, conclusion.label, conclusion.direction
        yield continuous(s.map, s.variable, inside).labelled(label)
        yield Premise(Monotone(s.map, s.variable, way, False, self.shape, label), inside)
        yield Premise(_within(s.start, conclusion, "the start lies in the interval", self.using), parameters)
        ends = (conclusion.lower, conclusion.upper)
        for end, bound, relation, called in zip(
            ends, ends[::way], (sp.Le, sp.Ge)[::way], ("lower", "upper"), strict=True
        ):
            value = substituted(s.map, {s.variable: end})
            if value != bound:
                inward = always(relation(bound, value, evaluate=False), self.using, f"{label}: at the {called} end")
                yield Premise(inward, parameters)
        if conclusion.first is not None:
            later, relation = conclusion.first
            step = relation(s.start, s.after(later), evaluate=False)
            yield Premise(always(step, self.using, f"{label}: step {later} against the start"), parameters)


@dataclass(frozen=True)
class _OfMonotoneMap(OfIteration):
    rule = MonotoneMap()
    direction: ClassVar[int] = 1
    first: ClassVar[tuple[int, Any] | None] = None  # the number of a later member, and how the start compares with it


@dataclass(frozen=True)
class RisesToLeastFixedPoint(_OfMonotoneMap):
    """The members increase and converge to the least fixed point of the map between the start and ``upper``."""

    first = (1, sp.Le)

    def says(self) -> Phrase:
        where = ("between the start and", self.upper)
        return ("increases (weakly) and converges to the least fixed point of this map", *where)


@dataclass(frozen=True)
class FallsToGreatestFixedPoint(_OfMonotoneMap):
    """The members decrease and converge to the greatest fixed point of the map between ``lower`` and the start."""

    first = (1, sp.Ge)

    def says(self) -> Phrase:
        where = ("between", self.lower, "and the start")
        return ("decreases (weakly) and converges to the greatest fixed point of this map", *where)


@dataclass(frozen=True)
class ConvergesMonotonically(_OfMonotoneMap):
    """The members increase or decrease, all of them, and converge to a fixed point of the map in the interval."""

    def says(self) -> Phrase:
        where = ("between", self.lower, "and", self.upper)
        return ("is (weakly) monotone and converges to a fixed point of this map", *where)


@dataclass(frozen=True)
class TwoLimits(_OfMonotoneMap):
    """The even members increase, the odd ones decrease, and both converge: to numbers in the interval that the map
    exchanges, one number exactly where the sequence converges.
    """

    direction = -1
    first = (2, sp.Le)

    def says(self) -> Phrase:
        where = ("between", self.lower, "and", self.upper)
        return (
            "has even members that increase and odd members that decrease (weakly), with limits",
            *where,
            "which the map exchanges; it converges exactly if they are one number, a fixed point",
        )


@dataclass(frozen=True, eq=False)
class Contraction(Rule["ConvergesToFixedPoint"]):
    """A map of a closed interval into itself that is Lipschitz there with a constant below one: one fixed point, which
    every start in the interval reaches.
    """

    constant: Scalar
    lipschitz: Rule | None = None  # why the map is Lipschitz, where that is not its usual rule
    theorems = ("Rules.contraction_converges",)

    def premises(self, conclusion: ConvergesToFixedPoint, domain: Domain) -> Iterator[Premise]:
        parameters, inside = _inside(conclusion, domain)
        s, label = conclusion.sequence, conclusion.label
        size = sp.And(sp.Ge(self.constant, 0, evaluate=False), sp.Lt(self.constant, 1, evaluate=False), evaluate=False)
        yield Premise(Always(size, label=f"{label}: the constant"), parameters)
        steady = Lipschitz(s.map, s.variable, self.constant, label)
        yield Premise(steady if self.lipschitz is None else steady.by(self.lipschitz), inside)
        yield from _stays(conclusion, domain)


@dataclass(frozen=True)
class ConvergesToFixedPoint(OfIteration):
    """The members converge to a fixed point of the map, the only one between ``lower`` and ``upper``."""

    def says(self) -> Phrase:
        return ("converges to the only fixed point of this map between", self.lower, "and", self.upper)


@dataclass(frozen=True, eq=False)
class Multiplier(Rule["Attracts | Repels"]):
    """A fixed point at which the derivative is below one in size attracts, one at which it is above one repels.

    ``using`` are lemmas for the size of the derivative; ``slope`` is another form of it, if that is easier.
    """

    using: Using = ()
    slope: Scalar | None = None
    theorems = (
        "Rules.attraction_if_multiplier_below_one",
        "Rules.repulsion_if_multiplier_above_one",
    )

    def theorem(self, conclusion: Attracts | Repels) -> str:
        below = isinstance(conclusion, Attracts)
        return f"Rules.{'attraction_if_multiplier_below_one' if below else 'repulsion_if_multiplier_above_one'}"

    def premises(self, conclusion: Attracts | Repels, domain: Domain) -> Iterator[Premise]:
        along, point, label = conclusion.variable, sp.sympify(conclusion.point), conclusion.label
        real_symbol(along)
        place = domain if point == along else domain.apart_from(along).also(sp.Eq(along, point, evaluate=False))
        fixed = sp.Eq(substituted(conclusion.map, {along: point}), point, evaluate=False)
        yield Premise(Equal(fixed.lhs, fixed.rhs, label=f"{label}: it is a fixed point"), place)
        found, exact = derivative(conclusion.map, along, place)
        yield exact.labelled(label)
        if self.slope is not None:
            yield Premise(Equal(found, self.slope, label=f"{label}: the derivative in another form"), place)
            found = self.slope
        above, below = sp.Lt(-1, found, evaluate=False), sp.Lt(found, 1, evaluate=False)
        outside = sp.Or(sp.Gt(found, 1, evaluate=False), sp.Lt(found, -1, evaluate=False), evaluate=False)
        size = sp.And(above, below, evaluate=False) if isinstance(conclusion, Attracts) else outside
        yield Premise(always(size, self.using, f"{label}: the multiplier"), place)


@dataclass(frozen=True)
class _AtFixedPoint(Conclusion):
    map: sp.Expr
    variable: sp.Symbol
    point: Scalar
    label: str = "fixed point"
    claimed = ("map", "point")
    rule = Multiplier()
    stated: ClassVar[str]
    ranges = True
    carried = EACH_POINT

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return () if self.point == self.variable else (self.variable,)

    def phrase(self) -> Phrase:
        return (self.point, f"is a fixed point that {self.stated} under", self.variable, "↦", self.map)


@dataclass(frozen=True)
class Attracts(_AtFixedPoint):
    """``point`` is a fixed point of the map, and every iteration that begins near enough converges to it, as fast as a
    geometric sequence; near it there is no other. ``point`` is a term, or the variable itself where the domain says
    that it is fixed.
    """

    label: str = "attracts"
    stated = "attracts every start near it, geometrically fast,"


@dataclass(frozen=True)
class Repels(_AtFixedPoint):
    """``point`` is a fixed point of the map, every other start near it moves away, out of a neighbourhood, and no
    iteration converges to it but one that hits it. ``point`` as for :class:`Attracts`.
    """

    label: str = "repels"
    stated = "repels every other start near it"
