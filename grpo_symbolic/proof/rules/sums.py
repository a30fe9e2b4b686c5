"""Sums of any number of terms, judged term by term."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule, Using, always
from grpo_symbolic.proof.statement import Equal, Phrase


@dataclass(frozen=True, eq=False)
class TermByTerm(Rule):
    """One side exceeds the other by a sum of terms that are not negative, each of which vanishes exactly in the case of
    equality.

    ``terms`` are sums (``sympy.Sum`` over one index), in the order of the ``equality`` of the conclusion.
    """

    terms: tuple[Any, ...] = ()
    using: Using = ()

    def theorem(self, conclusion: Any) -> str:
        return "Sentences.terms_decide_a_sum"

    def premises(self, conclusion: Any, domain: Domain) -> Iterator[Premise]:
        label, sums = conclusion.label, tuple(map(sp.sympify, self.terms))
        if not sums or not all(isinstance(t, sp.Sum) and len(t.limits) == 1 for t in sums):
            raise ClaimError("the rule of terms needs sums over one index each: terms=…")
        if conclusion.equality and len(conclusion.equality) != len(sums):
            raise ClaimError("there are as many conditions of equality as sums, one for the terms of each")
        difference = Equal(conclusion.left - conclusion.right, sp.Add(*sums, evaluate=False), label=f"{label}: the gap")
        yield Premise(difference, domain)
        for number, total in enumerate(sums):
            ((index, low, high),) = total.limits
            if index in domain.symbols:
                raise ClaimError(f"the domain constrains {index}, which numbers the terms")
            inside = domain.also(sp.Le(low, index, evaluate=False), sp.Le(index, high, evaluate=False))
            term = total.function
            least = always(sp.Ge(term, 0, evaluate=False), self.using, f"{label}: no term is negative")
            yield Premise(least, inside)
            if conclusion.equality:
                zero = sp.Eq(term, 0, evaluate=False)
                only = sp.Equivalent(zero, conclusion.equality[number], evaluate=False)
                yield Premise(always(only, self.using, f"{label}: when a term is zero"), inside)


@dataclass(frozen=True)
class AtLeast(Conclusion):
    """``left`` ≥ ``right``, with equality exactly where each condition in ``equality`` holds for every index.

    Without conditions nothing is said of equality.
    """

    left: Any
    right: Any
    equality: tuple[Any, ...] = ()
    label: str = "at least"
    claimed = ("left",)

    @property
    def expression(self) -> sp.Basic:
        return sp.Ge(sp.sympify(self.left), self.right, evaluate=False)

    @property
    def pointwise(self) -> sp.Basic | None:
        return self.expression

    def phrase(self) -> Phrase:
        if not self.equality:
            return (self.expression,)
        conditions = [part for c in self.equality for part in ("and", c)]
        return (self.expression, "with equality exactly if", *conditions[1:], "always")
