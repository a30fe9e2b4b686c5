"""An inequality, case by case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.rule import Premise, Rule, Using, always
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always


@dataclass(frozen=True, eq=False)
class InEachCase(Rule["Always"]):
    """What holds in each of several cases, one of which there always is, holds.

    ``cases`` are pairs: a condition, and what is for the conclusion where it holds. ``using`` is for that there is
    always one.
    """

    cases: tuple[tuple[sp.Basic, Using], ...]
    using: Using = ()
    theorems = ("Cases.holds_in_each_case",)

    def premises(self, conclusion: Always, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        if len(self.cases) < 2:
            raise ClaimError(f"{label}: one case is no case")
        either = sp.Or(*(condition for condition, _ in self.cases), evaluate=False)
        yield Premise(always(either, self.using, f"{label}: there is always a case"), domain)
        for number, (condition, using) in enumerate(self.cases, 1):
            here = always(conclusion.formula, using, f"{label}: case {number}")
            yield Premise(here, domain.also(condition))
