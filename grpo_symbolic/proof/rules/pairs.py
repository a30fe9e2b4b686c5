"""Sums over pairs of answers: what two that mirror each other add to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.rule import Premise, Rule, two_sides
from grpo_symbolic.proof.rules.sums import numbered
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Equal
from grpo_symbolic.proof.statements.substitution import substituted


@dataclass(frozen=True, eq=False)
class Antisymmetric(Rule["Equal"]):
    """Both sides differ by a sum over all pairs of numbers, of which any two that mirror each other add up to zero: so
    they are equal.

    ``total`` is that sum (``sympy.Sum`` over two indices with one range).
    """

    total: sp.Expr
    theorems = ("Pairs.sum_over_pairs_of_an_antisymmetric_matrix",)

    def premises(self, conclusion: Equal, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        if not isinstance(self.total, sp.Sum) or len(self.total.limits) != 2:
            raise ClaimError("the rule of pairs needs a sum over two indices")
        term, ((second, low, high), (first, *ends)) = self.total.function, self.total.limits
        if [low, high] != ends or low != 1 or sp.sympify(high).has(first, second):
            raise ClaimError(f"{first} and {second} are to have one range, from 1 on")
        yield from two_sides(conclusion, domain)
        yield Premise(Equal(conclusion.left - conclusion.right, self.total, label=f"{label}: a sum over pairs"), domain)
        mirrored = substituted(term, {first: second, second: first})
        inside = numbered(second, low, high, numbered(first, low, high, domain))
        yield Premise(Equal(term + mirrored, 0, label=f"{label}: a pair and its mirror image"), inside)
