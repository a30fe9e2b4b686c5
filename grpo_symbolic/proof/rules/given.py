"""What is expected of a group once its outputs are given: rewards are drawn independently, each by its output's law."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion
from grpo_symbolic.proof.rules.schema import Family, Needs, Schema, b, f, i, n, o
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.scalars import Scalar


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
    binds = ("index",)

    def phrase(self) -> Phrase:
        group = ("given a group of", sp.sympify(self.size), "outputs with the certain rewards", self.rewards.label)
        return (*group, ", the expected advantage of member", sp.sympify(self.member), "is", self.value)


_MEAN = sp.Sum(f(i), (i, 1, n)) / n
_VARIANCE = sp.Sum((f(i) - _MEAN) ** 2, (i, 1, n)) / n


@dataclass(frozen=True, eq=False)
class CertainRewards(Schematic["AdvantageGiven"]):
    """Where every output of a group has a certain reward, the expectation over the rewards is over a single point, and
    the expected advantage of a member is the advantage of these rewards.
    """

    schemas = (
        Schema(
            "GivenOutputs.advantage_of_certain_rewards",
            AdvantageGiven(f(i), o, i, n, b),
            (
                Needs(Family(f(i))),
                Needs(Always((o >= 1) & (o <= n)), label="one of the members"),
                Needs(Equal(b, (f(o) - _MEAN) / sp.sqrt(_VARIANCE)), label="the advantage"),
            ),
            proof="intros; certain_rewards (@{theorem} rw' (fun z => o' (S z)) (fun z => f (S z)) n (o - 1)) o",
        ),
    )


AdvantageGiven.rule = CertainRewards()
