"""Identities and limits by the normal form of our own, for the checkers: one form for each domain.

It goes first and SymPy second, which shares nothing with it but the terms that both read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from grpo_symbolic.proof.check.answers import remembered
from grpo_symbolic.proof.check.asymptotics import Infinity, tends
from grpo_symbolic.proof.check.decision import defined, proves
from grpo_symbolic.proof.check.normal import NormalForm
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Identity, LimitIs, Obligation
from grpo_symbolic.terms.language import Node, Term, Variable, subtract


@dataclass(frozen=True)
class DomainKey:
    """A domain by what it says: files and rules write the same one many times."""

    key: str
    domain: Domain = field(compare=False)

    @classmethod
    def of(cls, domain: Domain) -> DomainKey:
        return cls(domain.key(), domain)


def form_on(domain: Domain) -> NormalForm:
    """The normal form of terms on a domain; the signs that are not plain to see are asked for."""
    return remembered(
        ("normal form", domain.key()),
        lambda: NormalForm(lambda formula: proves(formula, domain), domain.family_terms, domain.all_formulas),
    )


def undefined_on(domain: Domain, nodes: tuple[Node, ...]) -> Finding | None:
    """What is found where some part of the terms is not shown to have a value on the whole domain."""
    undefined = remembered(
        ("defined", domain.key(), nodes), lambda: defined(nodes, domain, normal=form_on(domain).canonical)
    )
    return Finding.unknown(f"not shown to be defined on the whole domain\n{undefined}") if undefined else None


@dataclass(frozen=True)
class Quotients:
    """Proves identities: the difference of the two sides is a quotient of polynomials with numerator 0."""

    name: str = "quotients"
    engine: str = "FLINT"
    grade: Grade = Grade.symbolic

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, Identity)

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, Identity)
        if undefined := undefined_on(obligation.domain, obligation.sides):
            return undefined
        if obligation.is_trivial:
            return Finding(Outcome.holds, artefact="both sides are the same term")
        if form_on(obligation.domain).vanishes(subtract(*obligation.sides)):
            return Finding(Outcome.holds, artefact="the difference of the two sides is the quotient 0")
        return Finding.unknown("the difference of the two sides is not shown to be 0")


@dataclass(frozen=True)
class Expansion:
    """Proves limits by continuity, or by an expansion whose leading coefficient has a proved sign."""

    name: str = "expansion"
    engine: str = "FLINT"
    grade: Grade = Grade.symbolic

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, LimitIs)

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, LimitIs)
        expression, variable, point, side, value = obligation.read
        assert isinstance(expression, Term)
        assert isinstance(variable, Variable)
        assert isinstance(side, str)
        ends = tuple(e if isinstance(e, Term) else Infinity(str(e)) for e in (point, value))
        if tends(expression, variable, ends[0], side, ends[1], form_on(obligation.domain)):
            return Finding(Outcome.holds, artefact="by continuity, or by the leading terms of an expansion")
        return Finding.unknown("no leading term of proved sign")
