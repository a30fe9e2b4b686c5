"""Solutions of an equation in one variable: that there is one, that there is one only, and which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import sympy as sp

from grpo_symbolic.proof.rules.derivatives import Monotone
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import A, B, Continuous, L, M, Needs, Schema, Valued, a, b, c, f, r, x
from grpo_symbolic.proof.rules.sides import between
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.proof.statements.statement import EACH_OTHER, Always, Equal, Phrase, Roots, Tends
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class UniqueRoot(Conclusion):
    """``polynomial`` has exactly one root in the open interval ``(lower, upper)``, and ``root`` is it."""

    polynomial: Scalar
    variable: sp.Symbol
    root: Scalar
    lower: Scalar = 0
    upper: Scalar = 1
    label: str = "unique root"
    claimed = ("root",)
    ranges = True
    carried = EACH_OTHER

    def implied(self, domain: Domain) -> Iterator[Obligation]:
        """All that its rule asks."""
        for premise in self.usual.premises(self, domain):
            yield from premise.statement.obligations(premise.domain)

    @property
    def expression(self) -> sp.Basic:
        ends = between(self.lower, self.variable, self.upper, closed=False)
        inside = [end for end in ends if end != self.variable]
        return sp.Equivalent(sp.And(self._zero, *inside, evaluate=False), self._namely)

    @property
    def _zero(self) -> sp.Basic:
        return sp.Eq(self.polynomial, 0, evaluate=False)

    @property
    def _namely(self) -> sp.Basic:
        return sp.Eq(self.variable, self.root, evaluate=False)

    def phrase(self) -> Phrase:
        inside = ("strictly between", self.lower, "and", self.upper)
        return (self._zero, "for exactly one", self.variable, *inside, ", namely", self._namely)


@dataclass(frozen=True, eq=False)
class Counted(Schematic["UniqueRoot"]):
    """A root that lies inside is the root, where there is one only."""

    schemas = (
        Schema(
            "Sentences.the_root_is_the_only_one",
            UniqueRoot(f(x), x, r, A, B),
            (
                Needs(Equal(f(r), 0), label="it is a root"),
                Needs(Always((A < r) & (r < B)), label="it lies inside"),
                Needs(Roots(f(x), x, 1, A, B), label="there is one only"),
            ),
            proof="intros; split; [assumption | apply (@{theorem} (strictly_between A B) f r); assumption]",
        ),
    )


UniqueRoot.rule = Counted()


@dataclass(frozen=True)
class Solutions(Conclusion):
    """Base: for how many ``variable`` strictly between ``lower`` and ``upper`` is ``body`` equal to ``value``? The
    domain constrains the other symbols only.
    """

    body: Scalar
    variable: sp.Symbol
    lower: Scalar
    upper: Scalar
    value: Scalar = 0
    label: str = "solutions"
    claimed = ("value", "upper")
    number: ClassVar[str]  # in words
    counted: ClassVar[type[sp.Rel]]  # how the number of solutions compares with 1
    ranges = True
    carried = EACH_OTHER

    @property
    def equation(self) -> sp.Basic:
        return sp.Eq(self.body, self.value, evaluate=False)

    @property
    def expression(self) -> sp.Basic:
        solutions = sp.ConditionSet(self.variable, self.equation, sp.Interval.open(self.lower, self.upper))
        return self.counted(sp.Function("card")(solutions), 1, evaluate=False)

    def phrase(self) -> Phrase:
        inside = ("strictly between", self.lower, "and", self.upper)
        return (f"there is {self.number}", self.variable, *inside, "with", self.equation)


@dataclass(frozen=True)
class TakesValue(Solutions):
    """``body`` takes ``value`` for some ``variable`` strictly between ``lower`` and ``upper``."""

    label: str = "value taken"
    number = "at least one"
    counted = sp.Ge


@dataclass(frozen=True)
class OneRoot(Solutions):
    """``body`` takes ``value`` for exactly one ``variable`` strictly between ``lower`` and ``upper``."""

    label: str = "one root"
    number = "exactly one"
    counted = sp.Eq


def _taken(rising: bool | None) -> Schema:
    """By the values at the ends of a closed interval; where ``rising`` does not say which is below, either may be."""
    below, above = (sp.Lt, sp.Gt) if rising else (sp.Gt, sp.Lt)
    sides = (
        Needs(Always(below(f(a) - c, 0)), by="using", label="at the lower end"),
        Needs(Always(above(f(b) - c, 0)), by="using", label="at the upper end"),
    )
    either = Always((f(a) - c < 0) & (f(b) - c > 0) | (f(a) - c > 0) & (f(b) - c < 0))
    return Schema(
        "Rules.root_exists_strictly_between",
        TakesValue(f(x), x, a, b, c),
        (
            Needs(Valued(c)),
            Needs(Always(a < b), by="using", label="the interval"),
            Needs(Continuous(f(x)), (a <= x, x <= b)),
            *((Needs(either, by="using", label="at the ends"),) if rising is None else sides),
        ),
        given={"rising": rising},
        proof="shifted @{theorem}",
    )


@dataclass(frozen=True, eq=False)
class IntermediateValue(Schematic["TakesValue"]):
    """A function that is continuous on a closed interval, and on different sides of a value at its ends, takes it
    strictly between them.

    ``rising`` says which side at which end, where that is known: it makes the question easier.
    """

    rising: bool | None = None
    using: Using = ()
    schemas = tuple(map(_taken, (None, True, False)))


TakesValue.rule = IntermediateValue()


def _taken_between_limits(rising: bool | None) -> Schema:
    """By the limits at the ends of an open interval; where ``rising`` does not say which is below, either may be."""
    below, above = (sp.Lt, sp.Gt) if rising else (sp.Gt, sp.Lt)
    sides = (
        Needs(Always(below(L, c)), by="using", label="the side of {L}"),
        Needs(Always(above(M, c)), by="using", label="the side of {M}"),
    )
    either = Always((L < c) & (c < M) | (M < c) & (c < L))
    return Schema(
        "Sentences.value_taken_between_limits",
        TakesValue(f(x), x, A, B, c),
        (
            Needs(Valued(c)),
            Needs(Always(A < B), by="using", label="the interval"),
            Needs(Continuous(f(x)), (A < x, x < B)),
            Needs(Tends(f(x), x, A, L, "+"), by="at_lower", label="at {A}"),
            Needs(Tends(f(x), x, B, M, "-"), by="at_upper", label="at {B}"),
            *((Needs(either, by="using", label="the limits"),) if rising is None else sides),
        ),
        given={"limits": (L, M), "rising": rising},
        proof="intros; apply (@{theorem} f A B L M c); between A B",
    )


@dataclass(frozen=True, eq=False)
class BetweenLimits(Schematic["TakesValue"]):
    """A function that is continuous on an open interval, with limits at its ends on different sides of a value, takes
    it inside. ``limits`` are those at the lower and at the upper end; they and the ends may be infinite.

    ``rising`` says which limit is the lower one, where that is known; ``at_lower`` and ``at_upper`` are rules for the
    limits, ``using`` is for their sides.
    """

    limits: tuple[Scalar, Scalar]
    using: Using = ()
    rising: bool | None = None
    at_lower: Rule | None = None
    at_upper: Rule | None = None
    schemas = tuple(map(_taken_between_limits, (None, True, False)))


def _once(direction: int, closed: tuple[bool, bool]) -> Schema:
    """Strictly monotone between two ends, each of which is approached, or taken."""
    word, below, above = ("increasing", sp.Lt, sp.Gt) if direction > 0 else ("decreasing", sp.Gt, sp.Lt)
    low, high = a if closed[0] else A, b if closed[1] else B
    limits = ("(f a)" if closed[0] else "L", "(f b)" if closed[1] else "M")
    inside = (low <= x if closed[0] else low < x, x <= high if closed[1] else x < high)
    at_lower = (Needs(Always(below(f(a) - c, 0)), by="using at_lower", label="at {a}"),)
    at_upper = (Needs(Always(above(f(b) - c, 0)), by="using at_upper", label="at {b}"),)
    to_lower = (
        Needs(Tends(f(x), x, low, L, "+"), label=f"at {{{low}}}"),
        Needs(Always(below(L, c)), label=f"the side of the limit at {{{low}}}"),
    )
    to_upper = (
        Needs(Tends(f(x), x, high, M, "-"), label=f"at {{{high}}}"),
        Needs(Always(above(M, c)), label=f"the side of the limit at {{{high}}}"),
    )
    return Schema(
        f"Sentences.exactly_one_root_if_strictly_{word}_between_limits",
        OneRoot(f(x), x, low, high, c),
        (
            Needs(Valued(c)),
            Needs(Always(low < high), by="using", label="the interval"),
            Needs(Continuous(f(x)), inside),
            Needs(Monotone(f(x), x, direction), inside, by="using shape"),
            *(at_lower if closed[0] else to_lower),
            *(at_upper if closed[1] else to_upper),
        ),
        given={"direction": direction, "limits": (None if closed[0] else L, None if closed[1] else M)},
        proof=f"intros; apply (@{{theorem}} f {low} {high} {limits[0]} {limits[1]} c); between {low} {high}",
    )


@dataclass(frozen=True, eq=False)
class StrictlyMonotone(Schematic["OneRoot"]):
    """A continuous and strictly monotone function that is on different sides of a value at two points takes it exactly
    once between them. An end at which it tends to a limit, or to infinity, is approached and not taken.

    ``direction`` is +1 where the function increases. ``limits`` are its limits at the lower and the upper end, where
    these are open; ``None`` where the function has a value there. ``shape`` is a rule for its being monotone,
    ``at_lower`` and ``at_upper`` are for its values at the ends.
    """

    direction: int = 1
    limits: tuple[Scalar | None, Scalar | None] = (None, None)
    using: tuple[Instance, ...] = ()
    shape: Rule | None = None
    at_lower: Using = ()
    at_upper: Using = ()
    schemas = tuple(_once(sense, (low, high)) for low in (True, False) for high in (True, False) for sense in (1, -1))


OneRoot.rule = StrictlyMonotone()
