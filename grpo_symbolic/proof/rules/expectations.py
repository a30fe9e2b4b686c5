"""Expectations over a sampled group, of any size: what exchanging its members leaves as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.members import any_number, numbers_of
from grpo_symbolic.proof.rules.rule import Conclusion, Rule
from grpo_symbolic.proof.rules.sides import Premise
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Equal, Phrase
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class Exchangeable(Rule["MemberMean"]):
    """The members of a group of independent outputs are exchangeable: if the average over the members is one number in
    every group, it is the expectation for an output of the policy, over that output and the other members.

    That a member's number depends on its own reward, and on the others' only through sums and products over all, is
    read off.
    """

    theorems = ("Sentences.expectation_for_one_member_of_a_group",)

    def premises(self, conclusion: MemberMean, domain: Domain) -> Iterator[Premise]:
        member, index, family = sp.sympify(conclusion.member), conclusion.index, conclusion.family
        numbers_of(domain, family, conclusion.size, (False, True), free=True)
        if not domain.has_one(family.name):
            raise ClaimError(f"a group of {conclusion.size} outputs need not have a member: let the domain say it has")
        if sp.sympify(conclusion.value).has(index, family):
            raise ClaimError(f"the expectation {conclusion.value} speaks of a member or of a group")
        any_number(index, domain)
        totals = member.atoms(sp.Sum, sp.Product)
        bound = {limit[0] for total in totals for limit in total.limits}
        whole = all(
            limit[1:] == (1, conclusion.size) and not total.has(index) for total in totals for limit in total.limits
        )
        indices = bound | {index}
        entries = {e: sp.Dummy() for e in member.atoms(sp.Indexed) if e.base == family and e.indices[0] in indices}
        by_number = set().union(
            *(e.xreplace(entries).free_symbols & indices for e in (member, *(t.function for t in totals)))
        )
        if not whole or by_number or len(entries) < len(member.atoms(sp.Indexed)) or bound & member.free_symbols:
            raise ClaimError(f"{member} is not the same for every order of the other members")
        total = sp.Sum(member, (index, 1, conclusion.size))
        average = Equal(total, conclusion.size * conclusion.value, label=f"{conclusion.label}: the sum over a group")
        yield Premise(average, domain)


@dataclass(frozen=True)
class MemberMean(Conclusion):
    """In groups of ``size`` outputs drawn independently from one policy, whatever law on finitely many values their
    rewards ``family`` have, the expectation of ``member``, a number of the member ``index``, is ``value``: over an
    output of the policy and the other members of its group. Letters that ``member`` has beside may belong to the group
    as a whole.
    """

    member: Scalar
    family: sp.IndexedBase
    index: sp.Symbol
    size: Scalar
    value: Scalar
    label: str = "expectation over a group"
    claimed = ("value",)

    def phrase(self) -> Phrase:
        drawn = ("in groups of", self.size, "independent outputs with rewards", self.family.label)
        law = ("of any law on finitely many values, the expectation of", self.member)
        over = ("over output", self.index, "and the others is", self.value)
        return (*drawn, *law, *over)
