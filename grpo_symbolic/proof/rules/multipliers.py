"""Maxima over all policies, those that give up answers included: with a multiplier, one answer at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.members import tied
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using, always
from grpo_symbolic.proof.rules.schema import Needs, Schema, chi, d, e, f, g, h, i, k, m, n, phi, psi, w, x, y
from grpo_symbolic.proof.rules.sides import Premise
from grpo_symbolic.proof.rules.supposed import equal_somewhere
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.intervals import Interval
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase, Tends, commas, real_symbol
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar


class Part(NamedTuple):
    """What an answer of probability ``letter`` adds to the objective: ``term`` where it is positive, and ``at_zero``,
    its limit, where it is given up.
    """

    term: Scalar
    letter: sp.Symbol
    at_zero: Scalar = sp.S.Zero


class Answered(NamedTuple):
    """Answers of one kind, numbered by ``index`` from 1 to ``size``, and what one of them adds to the objective."""

    part: Part
    index: sp.Symbol
    size: Scalar

    def total(self, term: sp.Expr) -> sp.Sum:
        """The sum over all answers."""
        return sp.Sum(term, (self.index, 1, self.size))


class Loss(NamedTuple):
    """What an answer loses with another probability than its best one, once a multiplier of the constraint is taken
    off: a ``form`` of the difference, with lemmas or a rule for its sign (``using``).
    """

    form: Scalar
    using: Using = ()

    def premises(self, part: Part, best: sp.Expr, multiplier: Scalar, domain: Domain, label: str) -> Iterator[Premise]:
        """That every other probability loses, on a domain of the numbers that an answer has of its own.

        Raises :class:`ClaimError` where the letter of the probability is in use.
        """
        letter = part.letter
        real_symbol(letter)
        if letter in domain.symbols or sp.Tuple(best, part.at_zero, multiplier).has(letter):
            raise ClaimError(f"{label}: {letter} stands for any probability, and for nothing else")
        yield Premise(Always(sp.Gt(best, 0, evaluate=False), label=f"{label}: the best is positive"), domain)
        most = substituted(part.term, {letter: best}) - multiplier * best
        moving = domain.also(letter > 0)
        yield Premise(Equal(most - part.term + multiplier * letter, self.form, label=f"{label}: the loss"), moving)
        positive = sp.Or(sp.Eq(letter, best, evaluate=False), sp.Gt(self.form, 0, evaluate=False), evaluate=False)
        yield Premise(always(positive, self.using, f"{label}: another probability loses"), moving)
        limit = Tends(part.term, letter, 0, part.at_zero, "+", label=f"{label}: what an answer given up adds")
        yield Premise(limit, domain)


@dataclass(frozen=True)
class OnlyBestPolicy(Conclusion):
    """Over all policies on the answers of these ``kinds``, those that give up answers included, the sum of what the
    answers add is largest where each has its ``best`` probability, and there only: for all values of the domain, or, if
    that is ``supposed``, for those at which these probabilities add up to 1.
    """

    kinds: tuple[Answered, ...]
    best: tuple[Scalar, ...]
    supposed: bool = False
    label: str = "the only maximum"
    claimed = ("best",)

    def comes_true(self, domain: Domain, by: Rule) -> None:
        """Refuse to suppose a sum of 1 where none is seen, and letters for probabilities that the domain constrains."""
        if len(self.kinds) != len(self.best):
            raise ClaimError(f"{self.label}: each kind of answers has a best probability")
        for letter in (kind.part.letter for kind in self.kinds):
            if letter in domain.symbols:
                raise ClaimError(f"{self.label}: {letter} stands for any probability, and for nothing else")
        if self.supposed:
            what = f"{self.label}: what is supposed, that the best probabilities add up to 1"
            equal_somewhere(self.added, sp.S.One, domain, what)

    @property
    def added(self) -> sp.Expr:
        """The sum of the best probabilities."""
        return sp.Add(*(kind.total(best) for kind, best in zip(self.kinds, self.best, strict=True)))

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return tuple(dict.fromkeys(s for kind in self.kinds for s in (kind.index, kind.part.letter)))

    def phrase(self) -> Phrase:
        contributions: list[sp.Basic | str] = []
        most: list[sp.Basic | str] = []
        for (part, index, size), best in zip(self.kinds, self.best, strict=True):
            each = ("each answer", index, "from 1 to", sp.sympify(size), "of probability", part.letter, "adds")
            contributions += ["and", *each, sp.sympify(part.term), ",", sp.sympify(part.at_zero), "at 0,"]
            most += ["and", sp.Eq(part.letter, sp.sympify(best), evaluate=False)]
        largest = "is largest over all policies, zeros included, where"
        objective: Phrase = ("the objective to which",)
        if self.supposed:
            objective = ("if", sp.Eq(self.added, 1, evaluate=False), ", then the objective to which")
        return (*objective, *contributions[1:], largest, *most[1:], "for each, and there only")


def _only_best(index: sp.Symbol, along: sp.Symbol, of: Sequence[sp.Expr], by: str) -> tuple[Needs, ...]:
    """That the best probability of an answer is its only best one: ``of`` are what it adds with another one, what it
    adds where it is given up, its best probability, and the loss.
    """
    term, limit, best, loss = of
    lost = term.func(index, best) - k * best - term + k * along
    better = sp.Eq(along, best, evaluate=False) | (loss > 0)
    return (
        Needs(Always(best > 0), label="the best is positive"),
        Needs(Equal(lost, loss), (along > 0,), label="the loss"),
        Needs(Always(better), (along > 0,), by=by, label="another probability loses"),
        Needs(Tends(term, along, sp.S.Zero, limit, "+"), label="what an answer given up adds"),
    )


_LISTS = (
    (i, x, n, (f(i, x), g(i), h(i), d(i, x)), "first"),
    (e, y, m, (w(e, y), phi(e), psi(e), chi(e, y)), "second"),
)


def _one_multiplier(number: int, supposed: bool, proof: str) -> Schema:
    """For so many kinds of answers, each with a list of its own."""
    lists = _LISTS[:number]
    kinds = tuple(Answered(Part(of[0], along, of[1]), index, size) for index, along, size, of, _ in lists)
    best = tuple(of[2] for *_, of, _ in lists)
    whole = sp.Add(*(sp.Sum(of[2], (index, 1, size)) for index, _, size, of, _ in lists))
    adds_up = () if supposed else (Needs(Equal(whole, 1), label="the best probabilities add up"),)
    each = (needs for index, along, _, of, by in lists for needs in _only_best(index, along, of, by))
    return Schema(
        f"Multipliers.one_multiplier_for_{'answers' if number == 1 else 'two_kinds_of_answers'}",
        OnlyBestPolicy(kinds, best, supposed),
        (*adds_up, *each),
        given={"multiplier": k, "forms": tuple(of[3] for *_, of, _ in lists)},
        proof=f"intros; apply (@{{theorem}} {proof} k); of_each_answer",
    )


@dataclass(frozen=True, eq=False)
class OneMultiplier(Schematic["OnlyBestPolicy"]):
    """A sum of functions of one probability each, for answers of one kind or of two, is largest over all policies, and
    there only, at probabilities of sum 1 each of which is the only best one of its answer, once a ``multiplier`` times
    the probability is taken off. The sum is a premise, unless the conclusion supposes it.

    ``losses`` are what the answers of each kind lose with another probability.
    """

    multiplier: Scalar
    losses: tuple[Loss, ...]
    schemas = tuple(
        _one_multiplier(number, supposed, proof)
        for number, proof in ((1, "n f g h d"), (2, "n m f w g h phi psi d chi"))
        for supposed in (False, True)
    )

    def proposed(self, conclusion: OnlyBestPolicy) -> Mapping[str, Any]:
        """The forms of the losses, and what the proof of each sign uses."""
        signs = zip(("first", "second"), (loss.using for loss in self.losses), strict=False)
        return {"forms": tuple(loss.form for loss in self.losses), **dict(signs)}


@dataclass(frozen=True, eq=False)
class OneMultiplierForAll(Rule["OnlyBestOfMany"]):
    """The same for countably many answers, with one ``multiplier`` and one form of the ``loss`` for all of them: what
    another policy loses adds up to a series of terms that are not negative, so that its partial sums converge, or grow
    beyond all bounds.

    ``rare`` is a number of an answer's own and the end to which it tends where the best probability tends to 0, for all
    values of the others: infinitely many have a sum only if some are below any number.
    """

    multiplier: Scalar
    loss: Loss
    rare: tuple[sp.Symbol, Scalar]
    theorems = ("Multipliers.multiplier_makes_the_only_maximum_of_countably_many",)

    def premises(self, conclusion: OnlyBestOfMany, domain: Domain) -> Iterator[Premise]:
        label, part, each = conclusion.label, conclusion.part, conclusion.each
        own = tied({part.letter, *each}, domain)
        for what in (self.multiplier, conclusion.value):
            if sp.sympify(what).free_symbols & own:
                raise ClaimError(f"{label}: {what} is one number for all answers")
        if domain.families:
            raise ClaimError(f"{label}: what differs between the answers is {each}, and no family")
        best = sp.sympify(conclusion.best)
        letter, end = self.rare
        if letter not in each:
            raise ClaimError(f"{label}: {letter} is no number of an answer's own, by which it could be rare")
        interval = domain.intervals.get(letter, Interval())
        about = [c for c in domain.constraints if c.has(letter)]
        alone = all(letter in c.args and c.free_symbols == {letter} and not c.atoms(sp.Ne, sp.Eq) for c in about)
        if not alone or end not in (interval.lower, interval.upper):
            raise ClaimError(f"{label}: the domain does not admit every {letter} near {end}, whatever the others are")
        side = "+" if end == interval.lower else "-"
        yield Premise(Tends(best, letter, end, 0, side, label=f"{label}: answers as rare as one likes"), domain)
        there = substituted(part.term, {part.letter: best})
        yield Premise(Equal(there, conclusion.value * best, label=f"{label}: what the best one adds"), domain)
        yield from self.loss.premises(part, best, self.multiplier, domain, label)


@dataclass(frozen=True)
class OnlyBestOfMany(Conclusion):
    """Over all policies on countably many answers, ``each`` with such numbers of its own, the series of what they add
    has the sum ``value`` where each has its best probability; for every other policy it has a smaller one, or none, the
    partial sums falling to −∞. Supposed is that the best probabilities add up to 1.
    """

    part: Part
    each: tuple[sp.Symbol, ...]
    best: Scalar
    value: Scalar
    label: str = "the only maximum of countably many"
    claimed = ("best", "value")

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (self.part.letter, *self.each)

    def phrase(self) -> Phrase:
        own = commas(self.each)
        given = ("for countably many answers, each with its own", *own, ", with", self.best, "summing to 1: the series")
        added = ("to which an answer of probability", self.part.letter, "adds", self.part.term)
        chosen = sp.Eq(self.part.letter, self.best, evaluate=False)
        best = (
            ",",
            sp.sympify(self.part.at_zero),
            "at 0, has the sum",
            self.value,
            "where",
            chosen,
            "for every answer",
        )
        rest = ("and for every other policy a smaller sum, or the sum −∞",)
        return (*given, *added, *best, *rest)
