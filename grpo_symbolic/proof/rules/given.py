"""What is expected of a group once its outputs are given: rewards are drawn independently, each by its output's law."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.groups import whole_size
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class CertainRewards(Rule["AdvantageGiven"]):
    """Where every output of a group has a certain reward, the expectation over the rewards is over a single point, and
    the expected advantage of a member is the advantage of these rewards.
    """

    theorems = ("GivenOutputs.advantage_of_certain_rewards",)

    def premises(self, conclusion: AdvantageGiven, domain: Domain) -> Iterator[Premise]:
        label, size, rewards = conclusion.label, conclusion.size, conclusion.rewards
        whole_size(size, domain)
        if not any(f.base == rewards and f.size == size for f in domain.families):
            raise ClaimError(f"{label}: the domain does not say that {rewards} are {size} numbers")
        if not sp.sympify(conclusion.member).is_integer or conclusion.index in domain.symbols:
            raise ClaimError(f"{label}: the member has a whole number, and {conclusion.index} numbers all members")
        one, last = sp.Le(1, conclusion.member, evaluate=False), sp.Le(conclusion.member, size, evaluate=False)
        yield Premise(Always(sp.And(one, last, evaluate=False), label=f"{label}: one of the members"), domain)
        mean = conclusion.total(rewards[conclusion.index]) / size
        variance = conclusion.total((rewards[conclusion.index] - mean) ** 2) / size
        advantage = (rewards[conclusion.member] - mean) / sp.sqrt(variance)
        yield Premise(Equal(conclusion.value, advantage, label=f"{label}: the advantage"), domain)


@dataclass(frozen=True)
class AdvantageGiven(Conclusion):
    """In a group of ``size`` outputs, the rewards of which are certain, ``rewards`` by the number ``index`` of the
    member, the advantage of the ``member`` is ``value`` in expectation, given the outputs.
    """

    rewards: sp.IndexedBase
    member: Scalar
    index: sp.Symbol
    size: Scalar
    value: Scalar
    label: str = "given the outputs"
    claimed = ("value",)
    rule = CertainRewards()
    binds = ("index",)

    def total(self, term: sp.Expr) -> sp.Sum:
        """The sum over all members."""
        return sp.Sum(term, (self.index, 1, self.size))

    def phrase(self) -> Phrase:
        group = ("given a group of", sp.sympify(self.size), "outputs with the certain rewards", self.rewards.label)
        return (*group, ", the expected advantage of member", sp.sympify(self.member), "is", self.value)
