"""Maxima over all policies, where it is supposed that the best probabilities add up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.multipliers import Answered, Loss
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule
from grpo_symbolic.proof.rules.sums import numbered
from grpo_symbolic.proof.statement import Phrase
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class MultiplierSupposed(Rule["OnlyBestIfAddingUp"]):
    """A sum of functions of one probability each is largest over all policies, and there only, at probabilities each of
    which is the only best one of its answer, once a ``multiplier`` times the probability is taken off: if they add up
    to 1.

    ``losses`` are what the answers of each kind lose with another probability.
    """

    multiplier: Scalar
    losses: tuple[Loss, ...]
    theorems = ("Multipliers.multiplier_makes_the_only_maximum",)

    def premises(self, conclusion: OnlyBestIfAddingUp, domain: Domain) -> Iterator[Premise]:
        label, kinds = conclusion.label, conclusion.kinds
        if not len(self.losses) == len(kinds) == len(conclusion.best):
            raise ClaimError(f"{label}: each kind of answers needs a best probability, and a loss of its own")
        for kind, best, loss in zip(kinds, conclusion.best, self.losses, strict=True):
            if sp.sympify(self.multiplier).has(kind.index):
                raise ClaimError(f"{label}: the multiplier is the same for all answers, and speaks of {kind.index}")
            inside = numbered(kind.index, sp.S.One, sp.sympify(kind.size), domain)
            yield from loss.premises(kind.part, sp.sympify(best), self.multiplier, inside, label)


@dataclass(frozen=True)
class OnlyBestIfAddingUp(Conclusion):
    """Over all policies on the answers of these ``kinds``, those that give up answers included, the sum of what the
    answers add is largest where each has its ``best`` probability, and there only. Supposed is that these add up to 1.
    """

    kinds: tuple[Answered, ...]
    best: tuple[Scalar, ...]
    label: str = "the only maximum"
    claimed = ("best",)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return tuple(dict.fromkeys(s for kind in self.kinds for s in (kind.index, kind.part.letter)))

    def phrase(self) -> Phrase:
        added = sp.Add(*(kind.total(best) for kind, best in zip(self.kinds, self.best, strict=True)))
        said: list[sp.Basic | str] = []
        most: list[sp.Basic | str] = []
        for (part, index, size), best in zip(self.kinds, self.best, strict=True):
            each = ("each answer", index, "from 1 to", sp.sympify(size), "of probability", part.letter, "adds")
            said += ["and", *each, sp.sympify(part.term), ",", sp.sympify(part.at_zero), "at 0,"]
            most += ["and", sp.Eq(part.letter, sp.sympify(best), evaluate=False)]
        largest = "is largest over all policies, those that give up answers included, where"
        supposed = ("if", sp.Eq(added, 1, evaluate=False), ", then the objective to which")
        return (*supposed, *said[1:], largest, *most[1:], "for each, and there only")
