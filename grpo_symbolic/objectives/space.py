"""The space of objectives: answers, policies on them, and totals over answers, for a given number of answers or for
symbolic n.

A *policy* is anything that gives a probability to an answer: a tuple for two or three answers, a family such as
``pi`` (one symbol per answer) for ``n`` of them. Every objective is written once against :class:`Answers`, which
knows how to sum over answers and how to name one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Scalar

Policy: TypeAlias = Any  # a sequence of probabilities, or a family (sympy.IndexedBase)


@dataclass(frozen=True)
class Answers:
    """The possible answers to a question: ``count`` of them, a whole number at least 2 or the symbol ``n``."""

    count: Scalar

    def __post_init__(self) -> None:
        if isinstance(self.count, int | sp.Integer) and self.count < 2:
            raise BadInput(f"a question needs at least two answers, got {self.count}")

    @property
    def symbolic(self) -> bool:
        """Whether the number of answers is a symbol."""
        return not isinstance(self.count, int | sp.Integer)

    def total(self, term: Callable[[Scalar], sp.Expr], index: sp.Symbol) -> sp.Expr:
        """``Σ_o term(o)`` over all answers; ``index`` names the bound answer where the number of answers is
        symbolic.
        """
        if self.symbolic:
            return sp.Sum(term(index), (index, 1, self.count))
        return sp.Add(*(term(answer) for answer in range(int(self.count))))

    def check_policy(self, policy: Policy, name: str) -> None:
        """Raise :class:`BadInput` unless ``policy`` gives as many probabilities as there are answers, numbers in [0,
        1] that sum to 1.
        """
        if isinstance(policy, sp.IndexedBase):
            return
        if self.symbolic or len(policy) != self.count:
            raise BadInput(f"{name} gives {len(policy)} probabilities for {self.count} answers")
        values = [sp.sympify(v) for v in policy]
        outside = [v for v in values if v.is_number and not 0 <= v <= 1]
        if outside:
            raise BadInput(f"{name} holds {outside[0]}, which is not a probability")
        total = sp.expand(sp.Add(*values))
        total = total if total == 1 else sp.simplify(total)
        if total.is_number and total != 1:
            raise BadInput(f"the probabilities of {name} sum to {total}, not to 1")


def binary(probability: Scalar) -> Policy:
    """The policy on two answers a, b that gives ``probability`` to a."""
    return (sp.sympify(probability), 1 - sp.sympify(probability))
