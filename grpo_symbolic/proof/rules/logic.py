"""What follows from claims by putting in values: the one rule that any statement may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.citing import Cited, covered, fitting, same_places
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Rule, Using
from grpo_symbolic.proof.rules.schema import Needs, Schema, Valued, k, p, q
from grpo_symbolic.proof.rules.sides import Premise, all_of, valued
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.proof.statements.points import satisfied
from grpo_symbolic.proof.statements.statement import Always, Equal, Statement
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar

_TRIED = 30  # points of a domain at which an equation between expectations is looked at


@dataclass(frozen=True, eq=False)
class Follows(Rule["Statement"]):
    """The statement holds where what the given claims say, at the values given with them, may be supposed too.

    Only their equations and inequalities are supposed; ``parts`` chooses among them by label, all if it is empty.
    """

    given: tuple[Cited, ...] = ()
    parts: tuple[str, ...] = ()
    theorems = ("Sentences.follows_from_instances",)
    asks_itself = True

    def premises(self, conclusion: Statement, domain: Domain) -> Iterator[Premise]:
        supposed = dict.fromkeys(f for cited in self.given for f, _ in self._supposed(cited))
        yield _supposing(tuple(supposed), conclusion, domain)

    def obligations(self, conclusion: Statement, domain: Domain) -> Iterator[Obligation]:
        for cited in self.given:
            same_places(conclusion, domain, domain, cited.loose(domain))
            places = {whole.key(): whole for _, whole in self._supposed(cited)}
            for whole in places.values():
                yield from covered(domain, whole, cited)
        yield from super().obligations(conclusion, domain)

    def opened(self, conclusion: Statement, domain: Domain) -> list[tuple[Premise, tuple[Cited, Premise] | None]]:
        return [(premise, None) for premise in self.premises(conclusion, domain)]

    def _supposed(self, cited: Cited) -> list[tuple[sp.logic.boolalg.Boolean, Domain]]:
        parts = () if cited.only else self.parts
        wanted = [(formula, whole) for label, formula, whole in cited.formulas if not parts or label in parts]
        if not wanted:
            raise ClaimError(f"{cited.claim.id!r} says no equation and no inequality from which anything could follow")
        return wanted


@dataclass(frozen=True, eq=False)
class InLetters(Rule["Statement"]):
    """The statement follows from an inequality between letters, at values that lie in the range of the letters.

    ``lemma`` holds on ``on`` for all values of its letters; ``values`` are those that count here.
    """

    lemma: Statement
    on: Domain
    values: Mapping[sp.Symbol, Scalar]
    using: tuple[Instance, ...] = ()  # lemmas for the range of the values
    theorems = ("Sentences.follows_from_instances",)

    def premises(self, conclusion: Statement, domain: Domain) -> Iterator[Premise]:
        rule = dict(self.values)
        supposed = self.lemma.pointwise
        if supposed is None or self.on.families:
            raise ClaimError("a lemma in letters is an equation or an inequality between numbers")
        fitting(rule)
        yield from valued(rule.values(), domain, "what is put in")
        yield Premise(self.lemma, self.on)
        for constraint in self.on.constraints:
            there = substituted(constraint, rule)
            if there != sp.true:
                yield Premise(Always(there, self.using, label="what the lemma supposes of its letters"), domain)
        here = substituted(supposed, rule)
        if here == sp.true or not (isinstance(conclusion, Always) and conclusion.formula == here):
            yield Premise(conclusion, domain.also(here))


@dataclass(frozen=True, eq=False)
class Then(Rule["Statement"]):
    """The statement holds where what is shown ``first``, equations and inequalities, may be supposed too.

    ``using`` are lemmas for what remains, where that is an inequality.
    """

    first: tuple[Statement, ...]
    using: tuple[Instance, ...] = ()
    theorems = ("Sentences.follows_from_instances",)
    asks_itself = True

    def premises(self, conclusion: Statement, domain: Domain) -> Iterator[Premise]:
        supposed = []
        for statement in self.first:
            formula = statement.pointwise
            if formula is None:
                raise ClaimError("what is shown first is an equation or an inequality")
            yield Premise(statement, domain)
            supposed.append(formula)
        if self.using:
            if not isinstance(conclusion, Always):
                raise ClaimError("lemmas are for an inequality")
            conclusion = replace(conclusion, using=(*conclusion.using, *self.using))
        yield _supposing(tuple(supposed), conclusion, domain)


def _ordered(compared: type[sp.Rel]) -> Schema:
    """Two numbers compare as their difference does with 0."""
    up = compared in (sp.Lt, sp.Le)
    low, high = (p, q) if up else (q, p)
    return Schema(
        "Limits.order_by_the_difference",
        Always(compared(p, q)),
        (
            Needs(Valued(p)),
            Needs(Valued(q)),
            Needs(Equal(high - low, k), label="the difference"),
            Needs(Always(k > 0 if compared in (sp.Lt, sp.Gt) else k >= 0), by="using", label="its sign"),
        ),
        given={"form": k},
        proof=f"intros; destruct (@{{theorem}} {low} {high} k) as [K E]; [lra | first [exact (K H4) | exact (E H4)]]",
    )


@dataclass(frozen=True, eq=False)
class ByDifference(Schematic["Always"]):
    """An inequality holds because the difference of its sides, in the given ``form``, is positive (or not negative).

    ``using`` is for the sign of the form.
    """

    form: Scalar
    using: Using = ()
    schemas = tuple(_ordered(compared) for compared in (sp.Lt, sp.Le, sp.Gt, sp.Ge))


def _supposing(supposed: tuple[sp.Basic, ...], conclusion: Statement, domain: Domain) -> Premise:
    """The statement on the part of the domain where something holds; or, what says the same, an implication, of as
    little as need be: an equation, between expectations above all, is seen to hold at hardly any point, and where
    inequalities between expectations tie many letters to one another, points are seldom drawn.

    Raises :class:`DomainError` where no point is found, and the statement is not an inequality between expectations.
    """
    equations = [f for f in supposed if isinstance(f, sp.Equality)]
    expectations = [f for f in supposed if f.has(sp.binomial)]
    if isinstance(conclusion, Always) and (equations or expectations):
        for given in ([], [f for f in equations if f in expectations], equations):
            premise = _with_points(supposed, given, conclusion, domain)
            if premise is not None:
                return premise
        given = [f for f in supposed if f in equations or f in expectations]
        return Premise(_implied(given, conclusion), domain.also(*(f for f in supposed if f not in given)))
    return Premise(conclusion, domain.also(*supposed))


def _with_points(
    supposed: tuple[sp.Basic, ...], given: list[sp.Basic], conclusion: Always, domain: Domain
) -> Premise | None:
    """What is given as a hypothesis of an implication, the rest as a part of the domain; None where none of the first
    points of the domain is seen to lie in that part: what is supposed holds at all of them, or will not be shown.
    """
    further, reading = [f for f in supposed if f not in given], domain.reading()
    formulas = tuple(map(reading.formula, further))
    points = chain([domain.example], domain.drawing.points(_TRIED, seed=1, special=False))
    example = next((point for point in points if satisfied(formulas, point)), None)
    if example is None:
        return None
    part = Domain(*domain.free, *domain.families, *domain.constraints, *further, near=(domain, example))
    return Premise(_implied(given, conclusion) if given else conclusion, part)


def _implied(given: list[sp.Basic], conclusion: Always) -> Always:
    return replace(conclusion, formula=sp.Implies(all_of(given), conclusion.formula, evaluate=False))
