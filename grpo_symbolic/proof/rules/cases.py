"""An inequality, case by case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Using
from grpo_symbolic.proof.rules.schema import CASES, H, Needs, Schema
from grpo_symbolic.proof.statements.statement import Always

_WHY = ("first", "second", "third")


def _in_cases(*cases: sp.Symbol) -> Schema:
    """For so many cases."""
    each = zip(cases, _WHY, strict=False)
    holding = " ".join(f"(fun _ => {case}) ::" for case in cases)
    return Schema(
        "Cases.holds_in_each_case",
        Always(H),
        (
            Needs(Always(sp.Or(*cases, evaluate=False)), by="using", label="there is always a case"),
            *(Needs(Always(H), (case,), by=why, label=f"case {n}") for n, (case, why) in enumerate(each, 1)),
        ),
        given={"conditions": cases},
        proof=f"intros; in_each_case (@{{theorem}} unit (fun _ => True) (fun _ => H) ({holding} nil))",
    )


@dataclass(frozen=True, eq=False)
class InEachCase(Schematic["Always"]):
    """What holds in each of two or three cases, one of which there always is, holds.

    ``cases`` are pairs: a condition, and what is for the conclusion where it holds. ``using`` is for that there is
    always one.
    """

    cases: tuple[tuple[sp.Basic, Using], ...]
    using: Using = ()
    schemas = tuple(_in_cases(*CASES[:number]) for number in (2, 3))

    def proposed(self, conclusion: Always) -> Mapping[str, Any]:
        """The cases, one by one."""
        if not 2 <= len(self.cases) <= len(CASES):
            raise ClaimError(f"{conclusion.label}: two cases are asked for, or three, and not {len(self.cases)}")
        conditions, why = zip(*self.cases, strict=True)
        return {"conditions": conditions, **dict(zip(_WHY, why, strict=False))}
