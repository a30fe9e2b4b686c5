"""Solutions of an equation with an unknown, near a point: how they move, and what becomes of answers to answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using, always, hold
from grpo_symbolic.proof.rules.sides import Premise, continuous, derivative, unmoved
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Equal, Phrase, real_symbol
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms.relations import STRICT


@dataclass(frozen=True)
class Answer:
    """The ``unknown`` for which ``body`` vanishes, as an answer to ``given``.

    ``function`` is a letter of the body that stands for any function of ``given``, with its value and its slope at the
    point that is looked at; ``None`` where there is none.
    """

    body: Scalar
    unknown: sp.Symbol
    given: sp.Symbol
    function: tuple[sp.Symbol, Any, Any] | None = None

    @property
    def letters(self) -> tuple[sp.Symbol, ...]:
        """What stands for no value of its own."""
        return (self.unknown, self.given, *(() if self.function is None else self.function[:1]))

    def phrase(self, place: Scalar) -> Phrase:
        """What is known where ``given`` is ``place``."""
        if self.function is None:
            return ()
        letter, value, slope = self.function
        known = ("where", letter, "is any function of", self.given, "with the value", value, "and the slope", slope)
        return (*known, "at", self.given, "=", place, ",")


@dataclass(frozen=True, eq=False)
class ImplicitFunction(Rule["AnswerMoves | AnswersAttract | AnswersRepel"]):
    """The theorem of implicit functions for one unknown: where the equation holds at a point and has a slope in the
    unknown that is continuous near and does not vanish there, it has one solution near, whose rate is the quotient of
    the slopes. With an answer to itself, its rate is the multiplier of the answers to answers.

    ``region`` are strict inequalities for the unknown and what is given, around the point; ``using`` is for the
    size of the rate, and for the slope in the unknown.
    """

    region: tuple[Any, ...]
    using: Using = ()
    by_kind: ClassVar[Mapping[str, str]] = {
        "AnswerMoves": "Implicit.solution_moves_at_the_rate_of_the_slopes",
        "AnswersAttract": "Implicit.responses_attract_if_the_rate_is_below_one",
        "AnswersRepel": "Implicit.responses_repel_if_the_rate_is_above_one",
    }

    def premises(self, conclusion: AnswerMoves | AnswersAttract | AnswersRepel, domain: Domain) -> Iterator[Premise]:
        label, answer = conclusion.label, conclusion.answer
        unknown, given = answer.unknown, answer.given
        for letter in answer.letters:
            real_symbol(letter)
            unmoved(letter, label, point=conclusion.at, where=conclusion.where, rate=conclusion.rate)
        parameters = domain
        for letter in answer.letters:
            parameters = parameters.without_symbol(letter)
        around = parameters.also(unknown, given, *self._open(answer, label))
        point = {unknown: conclusion.at, given: conclusion.where}
        lies = (substituted(c, point) for c in self.region)
        yield from hold(lies, parameters, f"{label}: the point lies in the region")
        value = in_unknown = in_given = sp.S.Zero
        for factor, rate, part in self._parts(answer, label):
            called = f"{label}: {part}"
            steep, exact = derivative(factor, unknown, around)
            yield exact.labelled(called)
            continuous(steep, given, around)
            yield continuous(steep, unknown, around).labelled(f"{called}, its slope")
            moved, exact = derivative(factor, given, around)
            yield exact.labelled(called)
            times = sp.S.One if answer.function is None or part == "the rest" else answer.function[1]
            value += times * substituted(factor, point)
            in_unknown += times * substituted(steep, point)
            in_given += times * substituted(moved, point) + rate * substituted(factor, point)
        yield Premise(Equal(value, 0, label=f"{label}: the equation holds there"), parameters)
        steep = sp.Ne(in_unknown, 0, evaluate=False)
        yield Premise(always(steep, self.using, f"{label}: it has a slope in {unknown}"), parameters)
        rate = Equal(-in_given / in_unknown, conclusion.rate, label=f"{label}: the rate")
        yield Premise(rate, parameters.also(steep) if steep != sp.true else parameters)
        if conclusion.size is not None:
            yield Premise(always(conclusion.size, self.using, f"{label}: the size of the rate"), parameters)

    def _open(self, answer: Answer, label: str) -> Iterator[Any]:
        for condition in self.region:
            strict = isinstance(condition, STRICT)
            if not strict or not (condition.lhs - condition.rhs).is_polynomial(answer.unknown, answer.given):
                raise ClaimError(f"{label}: the region is to be open, and {condition} is no strict polynomial bound")
            yield condition

    def _parts(self, answer: Answer, label: str) -> Iterator[tuple[Any, Any, str]]:
        """The body as a function times a factor and the rest: each factor, the slope of what it is taken with, a name.

        Raises :class:`ClaimError` where the body is not linear in the function.
        """
        body = sp.sympify(answer.body)
        if answer.function is None:
            yield body, sp.S.Zero, "the rest"
            return
        letter, value, slope = answer.function
        for number in (value, slope):
            for other in answer.letters:
                unmoved(other, label, value_of_the_function=number)
        factor, rest = sp.diff(body, letter), substituted(body, {letter: sp.S.Zero})
        if factor.has(letter) or sp.expand(body - letter * factor - rest) != 0:
            raise ClaimError(f"{label}: {letter} is to stand in one place, as a factor")
        yield factor, sp.sympify(slope), "the factor of the function"
        yield rest, sp.S.Zero, "the rest"


@dataclass(frozen=True)
class _OfAnswer(Conclusion):
    answer: Answer
    at: Scalar
    rate: Scalar
    claimed: ClassVar[tuple[str, ...]] = ("rate",)
    ranges = True

    @property
    def where(self) -> Any:
        """The point of what is given."""
        return self.at

    @property
    def size(self) -> Any:
        """What is asked of the rate."""
        return None

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return self.answer.letters

    def phrase(self) -> Phrase:
        unknown, given, at, where = self.answer.unknown, self.answer.given, self.at, self.where
        one: Phrase = ("for each", given, "near", where, "exactly one", unknown, "near", at, "solves")
        rate = (", of slope", self.rate, "there")
        return (*self.answer.phrase(where), *one, sp.Eq(self.answer.body, 0, evaluate=False), *rate, *self.predicate())

    def predicate(self) -> Phrase:
        """What follows from the rate, as the end of the sentence."""
        return ()


@dataclass(frozen=True)
class AnswerMoves(_OfAnswer):
    """For what is given near ``place`` the equation has one solution near ``at``, which is ``at`` for ``place`` itself,
    and there has the derivative ``rate``.
    """

    place: Scalar
    label: str = "the answer"

    @property
    def where(self) -> Any:
        return self.place


@dataclass(frozen=True)
class AnswersAttract(_OfAnswer):
    """``at`` is the answer to itself, the only one near it, and every sequence that begins near enough, in which each
    member is the answer to the last one, converges to it, as fast as a geometric sequence.
    """

    label: str = "answers attract"

    @property
    def size(self) -> Any:
        return sp.And(sp.Lt(-1, self.rate, evaluate=False), sp.Lt(self.rate, 1, evaluate=False), evaluate=False)

    def predicate(self) -> Phrase:
        return ("; iterates of this map from near", self.at, "tend to it geometrically")


@dataclass(frozen=True)
class AnswersRepel(_OfAnswer):
    """``at`` is the answer to itself, the only one near it, and every other sequence in which each member is the answer
    to the last one leaves a neighbourhood of it; none converges to it but one that hits it.
    """

    label: str = "answers repel"

    @property
    def size(self) -> Any:
        return sp.Or(sp.Lt(self.rate, -1, evaluate=False), sp.Gt(self.rate, 1, evaluate=False), evaluate=False)

    def predicate(self) -> Phrase:
        return ("; iterates of this map leave a neighbourhood of", self.at, ", unless they hit it")
