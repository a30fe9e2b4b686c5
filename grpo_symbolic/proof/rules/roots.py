"""Solutions of an equation in one variable: that there is one, that there is one only, and which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.lemmas import Instance
from grpo_symbolic.proof.obligation import Obligation
from grpo_symbolic.proof.rules.derivatives import Monotone
from grpo_symbolic.proof.rules.rule import (
    Conclusion,
    Premise,
    Rule,
    Using,
    always,
    between,
    by_rule,
    continuous,
    unmoved,
    valued,
)
from grpo_symbolic.proof.statement import EACH_OTHER, Always, Equal, Phrase, Roots, Tends, real_symbol
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar

if TYPE_CHECKING:
    from grpo_symbolic.proof.rules.convexity import SolutionTends


@dataclass(frozen=True, eq=False)
class Counted(Rule["UniqueRoot"]):
    """A root that lies inside is the root, where there is one only."""

    theorems = ("Sentences.the_root_is_the_only_one",)

    def premises(self, conclusion: UniqueRoot, domain: Domain) -> Iterator[Premise]:
        real_symbol(conclusion.variable)
        low, high, root = map(sp.sympify, (conclusion.lower, conclusion.upper, conclusion.root))
        label = conclusion.label
        at_root = substituted(conclusion.polynomial, {conclusion.variable: root})
        above = [sp.Gt(root, low, evaluate=False)] if low != -sp.oo else []
        inside = [*above, sp.Lt(root, high, evaluate=False)] if high != sp.oo else above
        yield Premise(Equal(at_root, 0, label=f"{label}: it is a root"), domain)
        if inside:
            yield Premise(Always(sp.And(*inside, evaluate=False), label=f"{label}: it lies inside"), domain)
        one = Roots(conclusion.polynomial, conclusion.variable, 1, low, high, label=f"{label}: there is one only")
        yield Premise(one, domain)


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
    carried = EACH_OTHER
    rule = Counted()

    def implied(self, domain: Domain) -> Iterator[Obligation]:
        """All that its rule asks."""
        for premise in self.rule.premises(self, domain):
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


def _difference(conclusion: Solutions) -> sp.Expr:
    return conclusion.body if conclusion.value == 0 else conclusion.body - conclusion.value


def taken(conclusion: Solutions | SolutionTends, parameters: Domain) -> Iterator[Premise]:
    """The value that is taken is one number."""
    unmoved(conclusion.variable, conclusion.label, value=conclusion.value)
    yield from valued((conclusion.value,), parameters, conclusion.label)


def ordered(low: sp.Expr, high: sp.Expr, using: Using, parameters: Domain, label: str) -> Iterator[Premise]:
    """The lower end is below the upper one, either of which may be infinite."""
    if low == sp.oo or high == -sp.oo:
        raise ClaimError(f"{label}: nothing lies between {low} and {high}")
    finite = low != -sp.oo and high != sp.oo
    if finite and not (low.is_number and high.is_number and low < high):
        yield Premise(always(sp.Lt(low, high, evaluate=False), using, f"{label}: the interval"), parameters)


def _opposite_signs(below: sp.Expr, above: sp.Expr) -> sp.Or:
    """One of two numbers is negative, the other positive."""

    def signs(first: sp.Expr, second: sp.Expr) -> sp.logic.boolalg.Boolean:
        return sp.And(sp.Lt(first, 0, evaluate=False), sp.Gt(second, 0, evaluate=False), evaluate=False)

    return sp.Or(signs(below, above), signs(above, below), evaluate=False)


@dataclass(frozen=True, eq=False)
class IntermediateValue(Rule["TakesValue"]):
    """A function that is continuous on a closed interval, and on different sides of a value at its ends, takes it
    strictly between them.
    """

    rising: bool | None = None  # which side at which end, where that is known: it makes the question easier
    using: Using = ()
    theorems = ("Rules.root_exists_strictly_between",)

    def premises(self, conclusion: TakesValue, domain: Domain) -> Iterator[Premise]:
        real_symbol(conclusion.variable)
        along, low, high = conclusion.variable, sp.sympify(conclusion.lower), sp.sympify(conclusion.upper)
        if not (low.is_finite is not False and high.is_finite is not False):
            raise ClaimError("intermediate values need finite ends, at which the function has values")
        parameters, label = domain.apart_from(along), conclusion.label
        difference = _difference(conclusion)
        yield from taken(conclusion, parameters)
        yield from ordered(low, high, self.using, parameters, label)
        inside = parameters.also(*between(low, along, high))
        yield continuous(conclusion.body, along, inside).labelled(label)
        ends = [substituted(difference, {along: end}) for end in (low, high)]
        if self.rising is None:
            yield Premise(always(_opposite_signs(*ends), self.using, f"{label}: at the ends"), parameters)
            return
        for end, negative in zip(ends, (self.rising, not self.rising), strict=True):
            sign = (sp.Lt if negative else sp.Gt)(end, 0, evaluate=False)
            where = "lower" if end is ends[0] else "upper"
            yield Premise(always(sign, self.using, f"{label}: at the {where} end"), parameters)


@dataclass(frozen=True, eq=False)
class BetweenLimits(Rule["TakesValue"]):
    """A function that is continuous on an open interval, with limits at its ends on different sides of a value, takes
    it inside. ``limits`` are those at the lower and at the upper end; they and the ends may be infinite.

    ``rising`` says which limit is the lower one where both are finite; ``ends`` are rules for the limits.
    """

    limits: tuple[Scalar, Scalar]
    using: Using = ()
    rising: bool | None = None
    ends: tuple[Rule | None, Rule | None] = (None, None)
    theorems = ("Sentences.value_taken_between_limits",)

    def premises(self, conclusion: TakesValue, domain: Domain) -> Iterator[Premise]:
        real_symbol(conclusion.variable)
        along, label, body = conclusion.variable, conclusion.label, conclusion.body
        low, high = sp.sympify(conclusion.lower), sp.sympify(conclusion.upper)
        parameters = domain.apart_from(along)
        inside = parameters.also(*inside_of(along, (low, high), [True, True]))
        yield from taken(conclusion, parameters)
        yield continuous(body, along, inside).labelled(label)
        yield from ordered(low, high, self.using, parameters, label)
        rising = self.limits[0] == -sp.oo or self.limits[1] == sp.oo or self.rising is True
        falling = self.limits[0] == sp.oo or self.limits[1] == -sp.oo or self.rising is False
        if rising == falling:
            raise ClaimError(f"one of the limits {self.limits} is to be infinite, or it is to be said which is lower")
        for end, limit, side, below, rule in zip(
            (low, high), self.limits, "+-", (rising, falling), self.ends, strict=True
        ):
            tends = Tends(body, along, end, limit, side, label=f"{label}: at {end}")
            yield Premise(by_rule(tends, rule), parameters)
            if sp.sympify(limit).is_infinite:
                continue
            relation = sp.Lt if below else sp.Gt
            side_of = always(relation(limit, conclusion.value, evaluate=False), self.using, f"{label}: at {end}")
            yield Premise(side_of, parameters)


@dataclass(frozen=True)
class TakesValue(Solutions):
    """``body`` takes ``value`` for some ``variable`` strictly between ``lower`` and ``upper``."""

    label: str = "value taken"
    number = "a"
    counted = sp.Ge
    rule = IntermediateValue()


@dataclass(frozen=True, eq=False)
class StrictlyMonotone(Rule["OneRoot"]):
    """A continuous and strictly monotone function that is on different sides of a value at two points takes it exactly
    once between them. An end at which it tends to a limit, or to infinity, is approached and not taken.

    ``direction`` is +1 where the function increases. ``limits`` are its limits at the lower and the upper end, where
    these are open; ``None`` where the function has a value there. ``shape`` is a rule for its being monotone, ``ends``
    are for its values at the ends.
    """

    direction: int = 1
    limits: tuple[Scalar | None, Scalar | None] = (None, None)
    using: tuple[Instance, ...] = ()
    shape: Rule | None = None
    ends: tuple[Using, Using] | tuple[()] = ()
    theorems = (
        "Rules.exactly_one_root_if_strictly_increasing",
        "Rules.exactly_one_root_if_strictly_decreasing",
        "Sentences.exactly_one_root_if_strictly_increasing_between_limits",
        "Sentences.exactly_one_root_if_strictly_decreasing_between_limits",
    )

    def theorem(self, conclusion: OneRoot) -> str:
        word = "increasing" if self.direction > 0 else "decreasing"
        if self.limits == (None, None):
            return f"Rules.exactly_one_root_if_strictly_{word}"
        return f"Sentences.exactly_one_root_if_strictly_{word}_between_limits"

    def premises(self, conclusion: OneRoot, domain: Domain) -> Iterator[Premise]:
        real_symbol(conclusion.variable)
        along, label, body = conclusion.variable, conclusion.label, conclusion.body
        parameters = domain.apart_from(along)
        ends = (conclusion.lower, conclusion.upper)
        opened = [limit is not None for limit in self.limits]
        inside = parameters.also(*inside_of(along, ends, opened))
        yield from taken(conclusion, parameters)
        yield from ordered(sp.sympify(ends[0]), sp.sympify(ends[1]), () if self.ends else self.using, parameters, label)
        yield continuous(body, along, inside).labelled(label)
        monotone = Monotone(body, along, self.direction, using=self.using, label=label)
        yield Premise(by_rule(monotone, self.shape), inside)
        given = self.ends or (self.using, self.using)
        for end, limit, side, sign, using in zip(
            ends, self.limits, "+-", (self.direction, -self.direction), given, strict=True
        ):
            relation = sp.Lt if sign > 0 else sp.Gt
            where = f"{label}: at {end}"
            if limit is None:
                value = substituted(_difference(conclusion), {along: end})
                yield Premise(always(relation(value, 0, evaluate=False), using, where), parameters)
                continue
            yield Premise(Tends(body, along, end, limit, side, label=where), parameters)
            if sp.sympify(limit).is_infinite:
                if (limit == -sp.oo) is not (sign > 0):
                    raise ClaimError(f"{body} is said to tend to {limit} at {end}, which is no value below or above")
                continue
            yield Premise(Always(relation(limit, conclusion.value, evaluate=False), label=where), parameters)


def inside_of(along: sp.Symbol, ends: tuple[sp.Expr, sp.Expr], opened: list[bool]) -> tuple[sp.Rel, ...]:
    low, high = between(ends[0], along, sp.oo, not opened[0]), between(-sp.oo, along, ends[1], not opened[1])
    return tuple(dict.fromkeys((*low, *high)))


@dataclass(frozen=True)
class OneRoot(Solutions):
    """``body`` takes ``value`` for exactly one ``variable`` strictly between ``lower`` and ``upper``."""

    label: str = "one root"
    number = "exactly one"
    counted = sp.Eq
    rule = StrictlyMonotone()
