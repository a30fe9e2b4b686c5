"""Functions of a whole policy: concave, with one maximum, under the constraint that the probabilities add up to one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.derivatives import Curved
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.members import numbered, numbers_of
from grpo_symbolic.proof.rules.rule import Conclusion, Rule
from grpo_symbolic.proof.rules.schema import F, Family, Needs, Schema, e, f, i, m, n, pi, rho, w, x, y
from grpo_symbolic.proof.rules.sides import Premise, constraining, valued
from grpo_symbolic.proof.rules.values import admitted, held_fixed
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.statement import Equal, Phrase, commas, real_symbol
from grpo_symbolic.proof.statements.substitution import equations, substituted
from grpo_symbolic.scalars import Scalar


class Summand(NamedTuple):
    """What one entry of ``family`` contributes: ``term``, a function of its value ``letter`` and of its number
    ``index``, from 1 to ``size``.
    """

    term: Scalar
    letter: sp.Symbol
    family: sp.IndexedBase
    index: sp.Symbol
    size: Scalar

    @property
    def total(self) -> sp.Expr:
        """The sum over all entries."""
        return sp.Sum(self.at_entry(self.term), (self.index, 1, self.size))

    def at_entry(self, term: sp.Expr) -> sp.Expr:
        """A function of the letter at the entry that it stands for."""
        return substituted(term, {self.letter: self.family[self.index]})

    def own_letter(self, domain: Domain) -> None:
        """Refuse a letter that is no real number of its own."""
        real_symbol(self.letter)
        if self.letter in domain.symbols:
            raise ClaimError(f"the domain constrains {self.letter}, which stands for an entry of {self.family}")


def letters_of(summands: Iterable[Summand]) -> tuple[sp.Symbol, ...]:
    """The letters that stand for the numbers and the values of entries."""
    return tuple(dict.fromkeys(letter for of in summands for letter in (of.index, of.letter)))


def names(families: Iterable[sp.IndexedBase]) -> Phrase:
    """What families are called, as a list in a phrase."""
    return commas(family.label for family in families)


@dataclass(frozen=True)
class ConcaveInPolicy(Conclusion):
    """``objective`` is strictly concave in the positive numbers of ``families``, all of them at once."""

    objective: sp.Expr
    families: tuple[sp.IndexedBase, ...]
    label: str = "strictly concave"
    claimed = ("objective",)

    def phrase(self) -> Phrase:
        return (self.objective, "is strictly concave in the numbers", *names(self.families), "together")


_LISTS = ((pi, i, x, n, f(i, x)), (rho, e, y, m, w(e, y)))


def _separable(number: int, proof: str) -> Schema:
    """For so many families."""
    lists = _LISTS[:number]
    families = tuple(family for family, *_ in lists)
    totals = (sp.Sum(term.func(index, family[index]), (index, 1, size)) for family, index, _, size, term in lists)
    return Schema(
        "Sentences.sum_of_strictly_concave_functions_is_strictly_concave",
        ConcaveInPolicy(F(*families), families),
        (
            *(Needs(Family(family[index], positive=True, bound=(index,))) for family, index, *_ in lists),
            Needs(Equal(F(*families), sp.Add(*totals)), label="a sum over the entries"),
            *(
                Needs(Curved(term, letter, -1), (letter > 0,), by="using", label="each entry")
                for _, _, letter, _, term in lists
            ),
        ),
        given={"summands": tuple((term, letter, family, index, size) for family, index, letter, size, term in lists)},
        proof=proof,
    )


@dataclass(frozen=True, eq=False)
class Separable(Schematic["ConcaveInPolicy"]):
    """A sum of functions of one entry each, all of them strictly concave, is strictly concave.

    ``summands`` are these functions, one for each family, of which there are one or two; ``using`` are lemmas for their
    second derivatives.
    """

    summands: tuple[Summand, ...]
    using: tuple[Instance, ...] = ()
    schemas = (
        _separable(1, "intros D' F f n H1 H2 H3; concave @{theorem} H2 n n (fun o => f (S o))"),
        _separable(2, "intros D' F f w m n H1 H2 H3 H4 H5; concave @{theorem} H3 (n + m)%nat n (one_list n f w)"),
    )


@dataclass(frozen=True, eq=False)
class EqualSlopes(Rule["MaximaSatisfy"]):
    """At a local maximum inside the simplex a sum of functions of one entry each has one slope in all entries, the
    multiplier of the constraint (the conditions of Karush, Kuhn and Tucker on full support).

    ``summand`` is the function of one entry, while what is frozen does not move; ``slope`` is its derivative.
    ``solved`` is the family that the equations determine, and ``as_`` its entry at the index of the summand, from
    "the slope is ``multiplier``" once what is frozen takes the value that the conclusion gives it.
    """

    summand: Summand
    slope: Scalar
    multiplier: sp.Symbol
    solved: sp.IndexedBase
    as_: Scalar
    theorems = ("Sentences.slopes_are_equal_at_an_inner_maximum",)

    def premises(self, conclusion: MaximaSatisfy, domain: Domain) -> Iterator[Premise]:
        label, of = conclusion.label, self.summand
        if of.family != conclusion.family:
            raise ClaimError(f"{of.family} is no policy of the domain over which the objective is maximised")
        numbers_of(domain, of.family, of.size, sums=(1,), free=True)
        real_symbol(self.multiplier)
        in_use = set().union(*(part.free_symbols for part in constraining(domain)))
        if self.multiplier not in domain.symbols or self.multiplier in in_use:
            raise ClaimError(f"the multiplier {self.multiplier} is any real number: the domain names it, and no more")
        if sp.sympify(conclusion.condition).has(self.multiplier) or sp.sympify(self.as_).has(self.solved):
            raise ClaimError("the condition speaks of the multiplier, or the family is solved for by itself")
        fixed = (part for pair in conclusion.frozen for part in pair)
        if any(sp.sympify(part).has(self.multiplier) for part in (conclusion.objective, of.term, *fixed)):
            raise ClaimError(f"the multiplier {self.multiplier} is one that there is, and the objective speaks of it")
        if not isinstance(conclusion.condition, sp.Equality) or conclusion.index != of.index:
            raise ClaimError(f"the condition is to be an equation at every index {of.index}")
        of.own_letter(domain)
        held_fixed(conclusion.frozen, domain, label, of.size)
        term = sp.sympify(of.term)
        if any(e.base == of.family for e in term.atoms(sp.Indexed)):
            raise ClaimError(f"the function of one entry speaks of {of.family}, which moves")
        yield Premise(Equal(conclusion.objective, of.total, label=f"{label}: a sum over the entries"), domain)
        inside = numbered(of.index, 1, of.size, domain)
        moving = inside.also(of.letter > 0)
        yield from admitted(dict(conclusion.frozen), domain, label)
        whole = sp.Derivative(term, of.letter)
        yield Premise(Equal(whole, self.slope, label=f"{label}: the slope in one entry"), moving)
        here = substituted(of.at_entry(self.slope), dict(conclusion.frozen))
        left = self.solved[of.index] - self.as_
        solved = Equal(here - self.multiplier, left, label=f"{label}: what equal slopes say of {self.solved}")
        yield Premise(solved, inside)
        rule = {self.solved[of.index]: self.as_}
        # what is frozen has its value there, and with it the condition is asked to have one, before SymPy writes it
        at_the_point = inside.also(*(sp.Eq(k, v, evaluate=False) for k, v in conclusion.frozen))
        yield from valued(conclusion.condition.args, at_the_point, f"{label}: the condition")
        sides = (substituted(substituted(side, dict(conclusion.frozen)), rule) for side in conclusion.condition.args)
        left, right = sides
        yield Premise(Equal(left, right, f"{label}: so the condition"), inside)


@dataclass(frozen=True)
class MaximaSatisfy(Conclusion):
    """Every local maximum of ``objective`` over the policies ``family`` with full support, while what is ``frozen`` is
    held fixed at its value there, satisfies ``condition``, an equation, at every ``index``.
    """

    objective: sp.Expr
    family: sp.IndexedBase
    index: sp.Symbol
    condition: sp.Basic
    frozen: tuple[tuple[Any, Any], ...] = ()
    label: str = "every maximum"
    claimed = ("condition",)

    def phrase(self) -> Phrase:
        frozen = ("with", *equations(self.frozen), "held fixed") if self.frozen else ()
        where = ("at every local maximum of", self.objective, "over", self.family.label, "of full support", *frozen)
        return (*where, ",", self.condition, "for every", self.index)
