"""Functions of a whole policy: concave, with one maximum, under the constraint that the probabilities add up to one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.derivatives import Curved
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule
from grpo_symbolic.proof.rules.sums import numbered
from grpo_symbolic.proof.statement import Equal, Phrase


class Summand(NamedTuple):
    """What one entry of ``family`` contributes: ``term``, a function of its value ``letter`` and of its number
    ``index``, from 1 to ``size``.
    """

    term: Any
    letter: sp.Symbol
    family: sp.IndexedBase
    index: sp.Symbol
    size: Any

    @property
    def total(self) -> Any:
        """The sum over all entries."""
        here = sp.sympify(self.term).xreplace({self.letter: self.family[self.index]})
        return sp.Sum(here, (self.index, 1, self.size))


@dataclass(frozen=True, eq=False)
class Separable(Rule):
    """A sum of functions of one entry each, all of them strictly concave, is strictly concave.

    ``summands`` are these functions; ``using`` are lemmas for their second derivatives.
    """

    summands: tuple[Summand, ...]
    using: tuple[Any, ...] = ()
    concludes = ("ConcaveInPolicy",)
    theorems = ("Sentences.sum_of_strictly_concave_functions_is_strictly_concave",)

    def premises(self, conclusion: Any, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        if tuple(s.family for s in self.summands) != conclusion.families:
            raise ClaimError("the rule of separate entries needs one function for each family that varies")
        totals = sp.Add(*(s.total for s in self.summands))
        yield Premise(Equal(conclusion.objective, totals, label=f"{label}: a sum over the entries"), domain)
        moving = {f.base for f in domain.families} & set(conclusion.families)
        sums = [f.total for f in domain.families if f.base in moving and f.total is not None]
        letters = set().union(*(sp.sympify(t).free_symbols for t in sums))
        for s in self.summands:
            term = sp.sympify(s.term)
            loose = [e for e in term.atoms(sp.Indexed) if e.base in moving] + sorted(
                term.free_symbols & letters, key=str
            )
            if loose:
                raise ClaimError(f"{loose[0]} varies with the other entries, and is no part of one entry's function")
            inside = numbered(s.index, 1, s.size, domain).also(s.letter > 0)
            yield Premise(Curved(term, s.letter, -1, using=self.using, label=f"{label}: each entry"), inside)


@dataclass(frozen=True)
class ConcaveInPolicy(Conclusion):
    """``objective`` is strictly concave in the positive numbers of ``families``, all of them at once."""

    objective: Any
    families: tuple[sp.IndexedBase, ...]
    label: str = "strictly concave"
    claimed = ("objective",)

    def phrase(self) -> Phrase:
        names = [part for f in self.families for part in (",", f.label)]
        return (self.objective, "is strictly concave in the numbers", *names[1:], "together")
