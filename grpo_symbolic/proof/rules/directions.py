"""Gradients over texts that vanish in every direction: linear forms in the rates of the logits, which are any at every
state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.members import numbered, numbers_of
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using, always
from grpo_symbolic.proof.rules.sides import Premise, lettered
from grpo_symbolic.proof.rules.text_numbers import Ahead, Here, OfTexts, TextMean, Texts, TextSum
from grpo_symbolic.proof.rules.text_sentences import OnTexts, at_token, printed_letters
from grpo_symbolic.proof.rules.texts import OverTokens, check_laws, check_letters, have_values, well_made
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Equal, Phrase, real_symbol
from grpo_symbolic.scalars import Scalar


class Form(NamedTuple):
    """What a law's texts add to a gradient: ``factor`` times the mean of the sum over their tokens of the rate of the
    logit times ``coefficient``. ``reach`` is the letter of the probability with which the law reaches a state.
    """

    coefficient: Scalar
    law: sp.IndexedBase
    reach: sp.Symbol
    factor: Scalar = sp.S.One


@dataclass(frozen=True, eq=False)
class EveryDirection(Rule["VanishesInEveryDirection"]):
    """A linear form in the rates of the logits, which are any at every state, vanishes exactly where every rate has the
    coefficient 0: what the laws reach the state with, times the next token's probability, times their coefficients.

    ``induction`` is the rule by which the gradient is that form, ``using`` are lemmas for what its coefficients say.
    """

    induction: OverTokens
    using: Using = ()
    theorems = ("Directions.form_vanishes_in_every_direction",)

    def premises(self, conclusion: VanishesInEveryDirection, domain: Domain) -> Iterator[Premise]:
        _check(conclusion, domain)
        label, texts, rates, forms = conclusion.label, conclusion.texts, conclusion.rates, conclusion.forms
        parts, reached = conclusion.of_states, conclusion.reached
        inside = numbered(texts.token, sp.S.One, sp.sympify(texts.size), domain)
        for law, rate in texts.rates:
            mean = sp.Sum(law[texts.other] * rates[texts.other], (texts.other, 1, texts.size))
            by_logits = law[texts.token] * (rates[texts.token] - mean)
            yield Premise(Equal(rate, by_logits, label=f"{label}: how {law} moves with its logits"), inside)
        yield Premise(OnTexts(conclusion.gradient, conclusion.total, texts, label).by(self.induction), domain)
        there = domain.also(*(letter > 0 for letter in reached.values()))
        check_laws(parts, texts, domain)
        check_letters(parts, texts, label)
        yield from well_made(parts, texts, label, domain)
        for total in parts.atoms(sp.Sum, sp.Product):
            if texts.token in total.variables and total.atoms(Ahead):
                raise ClaimError(f"{label}: {total} runs along tokens after which its means are, by one letter")
        yield from have_values(conclusion.condition, texts, label, there)
        means = sorted((e for e in parts.atoms(Here, Ahead)), key=str)
        letters = lettered(means, (parts, *reached.values()), domain)
        coefficient = sp.Add(*(f.factor * f.reach * f.law[texts.token] * f.coefficient for f in forms))
        vanishes = sp.Eq(coefficient, 0, evaluate=False)
        same = sp.Equivalent(vanishes.xreplace(letters), conclusion.condition.xreplace(letters), evaluate=False)
        if same.atoms(OfTexts) or same.free_symbols & set(texts.ends):
            raise ClaimError(f"{label}: a coefficient, or the condition, is no number of a state and a token")
        for end in texts.ends:
            domain = domain.without_symbol(end)
        inside = numbered(texts.token, sp.S.One, sp.sympify(texts.size), domain)
        inside = inside.also(*letters.values(), *(letter > 0 for letter in reached.values()))
        yield Premise(always(same, self.using, f"{label}: the coefficient of a token"), inside)


def _check(conclusion: VanishesInEveryDirection, domain: Domain) -> None:
    """Refuse rates that are not any numbers at every state, and probabilities of states that are no letters of their
    own.
    """
    label, texts, rates, forms = conclusion.label, conclusion.texts, conclusion.rates, conclusion.forms
    if texts.fixed:
        raise ClaimError(f"{label}: rewards, laws and rates are any at every state, and {texts.fixed[0]} is not")
    numbers_of(domain, rates, texts.size, (False,), free=True)
    if any(e.base == rates for e in conclusion.of_states.atoms(sp.Indexed)):
        raise ClaimError(f"{label}: a coefficient, or the condition, moves with the rates {rates}")
    if any(texts.varies(form.factor) for form in forms):
        raise ClaimError(f"{label}: a factor is one number for all states")
    for form in forms:
        real_symbol(form.reach)
    reached = conclusion.reached
    if len(set(reached.values())) < len(reached) or any(reached[f.law] != f.reach for f in forms):
        raise ClaimError(f"{label}: each law reaches a state with a probability of its own")
    in_use = domain.symbols | {texts.token, texts.other, *texts.ends, *texts.own}
    of_all = (sp.sympify(part) for part in (conclusion.gradient, *(form.factor for form in forms)))
    if in_use.union(*(part.free_symbols for part in of_all)) & set(reached.values()):
        raise ClaimError(f"{label}: a probability with which a state is reached is a letter of something else")


@dataclass(frozen=True)
class VanishesInEveryDirection(Conclusion):
    """The ``gradient``, of texts of any number of tokens, is 0 along all ``rates`` of the logits exactly if
    ``condition``, an equation, holds at every state and for every token of it. ``forms`` are the linear forms in the
    rates of which the gradient is the sum.
    """

    gradient: Scalar
    rates: sp.IndexedBase
    forms: tuple[Form, ...]
    texts: Texts
    condition: sp.Basic
    label: str = "in every direction"
    claimed = ("condition",)

    @property
    def reached(self) -> dict[sp.IndexedBase, sp.Symbol]:
        """The letter of the probability with which each law reaches a state."""
        return {form.law: form.reach for form in self.forms}

    @property
    def of_states(self) -> sp.Tuple:
        """What is meant at every state: the condition, and the coefficients and factors of the forms."""
        return sp.Tuple(self.condition, *(e for form in self.forms for e in (form.coefficient, form.factor)))

    @property
    def total(self) -> sp.Expr:
        """The sum of the forms."""
        token = self.texts.token
        sums = ((f.factor, TextSum(self.rates[token] * f.coefficient, token), f.law) for f in self.forms)
        return sp.Add(*(factor * TextMean(along, law) for factor, along, law in sums))

    @property
    def printed_letters(self) -> tuple[str, ...]:
        return printed_letters(sp.sympify(self.gradient), self.condition)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (self.texts.token, self.texts.other, *(form.reach for form in self.forms))

    @property
    def defined(self) -> frozenset[str]:
        """The name of the rates: that they are all of them is printed."""
        return frozenset({str(self.rates)})

    def phrase(self) -> Phrase:
        gradient = sp.sympify(self.gradient)
        ends = [part for end in self.texts.ends if gradient.has(end) for part in (",", end, "of the text any")]
        beginning = "for texts of every number T ≥ 0 of tokens after any state, laws of the next token any"
        occurring = {s for s in self.reached.values() if self.condition.has(s)}
        known = (part for law, s in self.reached.items() if s in occurring for part in ("and", s, "by", law.label))
        at = (", which is reached with the probability", *tuple(known)[1:], ",") if occurring else ()
        every = ("is 0 for all rates", self.rates.label, "of the logits exactly if, at every state s_t", *at)
        condition = ("and for every token a_t:", at_token(self.condition, self.texts))
        return (beginning, *ends, ":", gradient, *every, *condition)
