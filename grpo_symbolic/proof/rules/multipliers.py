"""Maxima over all policies, those that give up answers included: with a multiplier, one answer at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.members import numbered
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule, Using, always
from grpo_symbolic.proof.rules.supposed import equal_somewhere
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.intervals import Interval
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase, Tends, real_symbol
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


@dataclass(frozen=True, eq=False)
class OneMultiplier(Rule["OnlyBestPolicy"]):
    """A sum of functions of one probability each is largest over all policies, and there only, at probabilities of sum
    1 each of which is the only best one of its answer, once a ``multiplier`` times the probability is taken off. The
    sum is a premise, unless the conclusion supposes it.

    ``losses`` are what the answers of each kind lose with another probability.
    """

    multiplier: Scalar
    losses: tuple[Loss, ...]
    theorems = ("Multipliers.multiplier_makes_the_only_maximum",)

    def premises(self, conclusion: OnlyBestPolicy, domain: Domain) -> Iterator[Premise]:
        label, kinds = conclusion.label, conclusion.kinds
        if not len(self.losses) == len(kinds) == len(conclusion.best):
            raise ClaimError(f"{label}: each kind of answers needs a best probability, and a loss of its own")
        if conclusion.supposed:
            what = f"{label}: what is supposed, that the best probabilities add up to 1"
            equal_somewhere(conclusion.added, sp.S.One, domain, what)
        else:
            yield Premise(Equal(conclusion.added, 1, label=f"{label}: the best probabilities add up"), domain)
        for kind, best, loss in zip(kinds, conclusion.best, self.losses, strict=True):
            if sp.sympify(self.multiplier).has(kind.index):
                raise ClaimError(f"{label}: the multiplier is the same for all answers, and speaks of {kind.index}")
            inside = numbered(kind.index, sp.S.One, sp.sympify(kind.size), domain)
            yield from loss.premises(kind.part, sp.sympify(best), self.multiplier, inside, label)


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

    @property
    def added(self) -> sp.Expr:
        """The sum of the best probabilities."""
        return sp.Add(*(kind.total(best) for kind, best in zip(self.kinds, self.best, strict=True)))

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return tuple(dict.fromkeys(s for kind in self.kinds for s in (kind.index, kind.part.letter)))

    def phrase(self) -> Phrase:
        said: list[sp.Basic | str] = []
        most: list[sp.Basic | str] = []
        for (part, index, size), best in zip(self.kinds, self.best, strict=True):
            each = ("each answer", index, "from 1 to", sp.sympify(size), "of probability", part.letter, "adds")
            said += ["and", *each, sp.sympify(part.term), ",", sp.sympify(part.at_zero), "at 0,"]
            most += ["and", sp.Eq(part.letter, sp.sympify(best), evaluate=False)]
        largest = "is largest over all policies, zeros included, where"
        objective: Phrase = ("the objective to which",)
        if self.supposed:
            objective = ("if", sp.Eq(self.added, 1, evaluate=False), ", then the objective to which")
        return (*objective, *said[1:], largest, *most[1:], "for each, and there only")


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
        for what in (self.multiplier, conclusion.value):
            if sp.sympify(what).has(part.letter, *each):
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
        own = [part for s in self.each for part in (",", s)][1:]
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
