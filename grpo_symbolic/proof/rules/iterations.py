"""Sequences given by iteration, x₀ = start and xₙ₊₁ = map(xₙ): where they stay, and where they tend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import sympy as sp

from grpo_symbolic.proof.rules.derivatives import Lipschitz, Monotone
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import Continuous, Needs, Schema, Slope, a, b, d, f, g, k, p, s, x
from grpo_symbolic.proof.statements.statement import EACH_OTHER, EACH_POINT, Always, Equal, Phrase
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class Iteration:
    """x₀ = ``start``, xₙ₊₁ = ``map`` at ``variable`` = xₙ."""

    map: sp.Expr
    variable: sp.Symbol
    start: Scalar

    def after(self, times: int) -> sp.Expr:
        """The member with this number."""
        member = self.start
        for _ in range(times):
            member = substituted(self.map, {self.variable: member})
        return member

    def phrase(self) -> Phrase:
        return ("the orbit of", self.start, "under", self.variable, "↦", self.map)


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
    ranges = True
    letters_of_words = ("n",)
    carried = EACH_OTHER

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (self.sequence.variable,)

    def phrase(self) -> Phrase:
        return (*self.sequence.phrase(), *self.predicate())

    def predicate(self) -> Phrase:
        """What holds of the sequence, as the predicate of the sentence."""
        raise NotImplementedError


@dataclass(frozen=True)
class StaysIn(OfIteration):
    """All members lie between ``lower`` and ``upper``."""

    def predicate(self) -> Phrase:
        return ("stays between", self.lower, "and", self.upper)


@dataclass(frozen=True)
class LimitIsFixedPoint(OfIteration):
    """If the members converge, their limit lies between ``lower`` and ``upper`` and is a fixed point of the map."""

    @property
    def supposes(self) -> tuple[sp.Basic, ...] | None:
        return None  # no formula says that they converge

    def predicate(self) -> Phrase:
        where = ("between", self.lower, "and", self.upper)
        return ("has, if it converges, a limit", *where, "that is a fixed point of the map")


@dataclass(frozen=True)
class RisesToLeastFixedPoint(OfIteration):
    """The members increase and converge to the least fixed point of the map between the start and ``upper``."""

    def predicate(self) -> Phrase:
        return ("rises weakly to the least fixed point between the start and", self.upper)


@dataclass(frozen=True)
class FallsToGreatestFixedPoint(OfIteration):
    """The members decrease and converge to the greatest fixed point of the map between ``lower`` and the start."""

    def predicate(self) -> Phrase:
        return ("falls weakly to the greatest fixed point between", self.lower, "and the start")


@dataclass(frozen=True)
class ConvergesMonotonically(OfIteration):
    """The members increase or decrease, all of them, and converge to a fixed point of the map in the interval."""

    def predicate(self) -> Phrase:
        where = ("between", self.lower, "and", self.upper)
        return ("is weakly monotone and converges to a fixed point", *where)


@dataclass(frozen=True)
class TwoLimits(OfIteration):
    """The even members increase, the odd ones decrease, and both converge: to numbers in the interval that the map
    exchanges, one number exactly where the sequence converges.
    """

    def predicate(self) -> Phrase:
        where = ("between", self.lower, "and", self.upper)
        return (
            "has even members that rise and odd members that fall weakly, with limits",
            *where,
            "which the map exchanges; it converges exactly if they are one number, a fixed point",
        )


@dataclass(frozen=True)
class ConvergesToFixedPoint(OfIteration):
    """The members converge to a fixed point of the map, the only one between ``lower`` and ``upper``."""

    def predicate(self) -> Phrase:
        return ("converges to the only fixed point between", self.lower, "and", self.upper)


_ITERATED = Iteration(f(x), x, s)
INTERVAL = (a <= x, x <= b)
START = Needs(Always((a <= s) & (s <= b)), label="the start lies in the interval")
STAYS = (
    Needs(Always(a <= f(x)), INTERVAL, label="the map stays in the interval, from below"),
    Needs(Always(f(x) <= b), INTERVAL, label="the map stays in the interval, from above"),
)


_MONOTONE_START = replace(START, by="using")
_CONTINUOUS = Needs(Continuous(f(x)), INTERVAL)
_INCREASING = (
    _CONTINUOUS,
    Needs(Monotone(f(x), x, 1, strict=False), INTERVAL, by="shape"),
    _MONOTONE_START,
    Needs(Always(a <= f(a)), by="using", label="at the lower end"),
    Needs(Always(f(b) <= b), by="using", label="at the upper end"),
)
_DECREASING = (
    _CONTINUOUS,
    Needs(Monotone(f(x), x, -1, strict=False), INTERVAL, by="shape"),
    _MONOTONE_START,
    Needs(Always(f(a) <= b), by="using", label="at the lower end"),
    Needs(Always(a <= f(b)), by="using", label="at the upper end"),
)


@dataclass(frozen=True, eq=False)
class InvariantInterval(Schematic["StaysIn"]):
    """A map that sends an interval into itself keeps a start there."""

    schemas = (
        Schema(
            "Rules.invariant_set_of_iteration",
            StaysIn(_ITERATED, a, b),
            (START, *STAYS),
            proof="intros; eapply (@{theorem} (closed_interval a b)); finish",
        ),
    )


@dataclass(frozen=True, eq=False)
class ContinuousMap(Schematic["LimitIsFixedPoint"]):
    """A limit of iterates under a continuous map that stays in a closed interval is a fixed point."""

    schemas = (
        Schema(
            "Sentences.limit_of_iteration_in_interval_is_fixed_point",
            LimitIsFixedPoint(_ITERATED, a, b),
            (_CONTINUOUS, START, *STAYS),
        ),
    )


@dataclass(frozen=True, eq=False)
class MonotoneMap(Schematic["RisesToLeastFixedPoint | FallsToGreatestFixedPoint | ConvergesMonotonically | TwoLimits"]):
    """What an increasing (or decreasing) map of a closed interval does to a start there: it sends the interval into
    itself if it does so at the ends, and the first steps say which way the members go.

    ``shape`` are lemmas for the sign of the derivative, ``using`` is for the values at the ends and the first steps.
    """

    shape: tuple[Any, ...] = ()
    using: Using = ()
    schemas = (
        Schema(
            "Sentences.increasing_map_rises_to_least_fixed_point",
            RisesToLeastFixedPoint(_ITERATED, a, b),
            (*_INCREASING, Needs(Always(s <= f(s)), by="using", label="step 1 against the start")),
            proof="parts_of @{theorem}",
        ),
        Schema(
            "Sentences.increasing_map_falls_to_greatest_fixed_point",
            FallsToGreatestFixedPoint(_ITERATED, a, b),
            (*_INCREASING, Needs(Always(f(s) <= s), by="using", label="step 1 against the start")),
            proof="parts_of @{theorem}",
        ),
        Schema(
            "Sentences.increasing_map_converges_monotonically",
            ConvergesMonotonically(_ITERATED, a, b),
            _INCREASING,
            proof="parts_of @{theorem}",
        ),
        Schema(
            "Sentences.decreasing_map_has_two_limits",
            TwoLimits(_ITERATED, a, b),
            (*_DECREASING, Needs(Always(s <= f(f(s))), by="using", label="step 2 against the start")),
        ),
    )


@dataclass(frozen=True, eq=False)
class Contraction(Schematic["ConvergesToFixedPoint"]):
    """A map of a closed interval into itself that is Lipschitz there with a constant below one: one fixed point, which
    every start in the interval reaches.
    """

    constant: Scalar
    lipschitz: Rule | None = None  # why the map is Lipschitz, where that is not its usual rule
    schemas = (
        Schema(
            "Rules.contraction_converges",
            ConvergesToFixedPoint(_ITERATED, a, b),
            (
                Needs(Always((k >= 0) & (k < 1)), label="the constant"),
                Needs(Lipschitz(f(x), x, k), INTERVAL, by="lipschitz"),
                START,
                *STAYS,
            ),
            given={"constant": k},
            proof="intros; destruct (@{theorem} f a b k) as [l [[Hl Hf] [Hu Hc]]]; "
            "[finish .. | exists l; repeat split; try apply Hl; auto; intros; apply Hc; subst; auto]",
        ),
    )


@dataclass(frozen=True)
class _AtFixedPoint(Conclusion):
    map: sp.Expr
    variable: sp.Symbol
    point: Scalar
    label: str = "fixed point"
    claimed = ("map", "point")
    stated: ClassVar[str]
    ranges = True
    carried = EACH_POINT

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return () if self.point == self.variable else (self.variable,)

    def phrase(self) -> Phrase:
        return (self.point, "is a fixed point of", self.variable, "↦", self.map, f"that {self.stated}")


@dataclass(frozen=True)
class Attracts(_AtFixedPoint):
    """``point`` is a fixed point of the map, and every iteration that begins near enough converges to it, as fast as a
    geometric sequence; near it there is no other. ``point`` is a term, or the variable itself where the domain says
    that it is fixed.
    """

    label: str = "attracts"
    stated = "attracts every start near it, geometrically fast"


@dataclass(frozen=True)
class Repels(_AtFixedPoint):
    """``point`` is a fixed point of the map, every other start near it moves away, out of a neighbourhood, and no
    iteration converges to it but one that hits it. ``point`` as for :class:`Attracts`.
    """

    label: str = "repels"
    stated = "repels every other start near it"


def _multiplier(attracts: bool, there: bool, formed: bool) -> Schema:
    """By the size of the derivative at a fixed point, or of another form of it; ``there``: at each point admitted."""
    kind, name = (Attracts, "attraction_if_multiplier_below") if attracts else (Repels, "repulsion_if_multiplier_above")
    point, size = x if there else p, g(x) if formed else d(x)
    where = {"inside": True} if there else {"where": (sp.Eq(x, p),)}
    below, above = (-1 < size) & (size < 1), (size > 1) | (size < -1)
    form = (Needs(Equal(d(x), g(x)), label="the derivative in another form", **where),) if formed else ()
    return Schema(
        f"Rules.{name}_one",
        kind(f(x), x, point),
        (
            Needs(Equal(f(point), point), label="it is a fixed point", **where),
            Needs(Slope(f(x), d(x)), **where),
            *form,
            Needs(Always(below if attracts else above), by="using", label="the multiplier", **where),
        ),
        given={"slope": g(x) if formed else None},
        proof=f"intros; at_fixed_point f d {point} size_{'below' if attracts else 'above'}_one; "
        f"apply (@{{theorem}} f {point} (d {point})); assumption",
    )


@dataclass(frozen=True, eq=False)
class Multiplier(Schematic["Attracts | Repels"]):
    """A fixed point at which the derivative is below one in size attracts, one at which it is above one repels.

    ``using`` are lemmas for the size of the derivative; ``slope`` is another form of it, if that is easier.
    """

    using: Using = ()
    slope: Scalar | None = None
    schemas = tuple(
        _multiplier(attracts, there, formed)
        for attracts in (True, False)
        for there in (True, False)
        for formed in (False, True)
    )


_AtFixedPoint.rule = Multiplier()
StaysIn.rule = InvariantInterval()
LimitIsFixedPoint.rule = ContinuousMap()
RisesToLeastFixedPoint.rule = MonotoneMap()
FallsToGreatestFixedPoint.rule = MonotoneMap()
ConvergesMonotonically.rule = MonotoneMap()
TwoLimits.rule = MonotoneMap()
