"""Texts of any number of tokens: sums and products along a text, their means over all texts, and how these move.

A text is written token by token. At every state, the tokens so far, the laws of the next token are any that the domain
admits, and so is every other family and every number that a state has of its own; nothing relates different states.
A sentence holds for every number T of tokens, from every state on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.groups import whole_size
from grpo_symbolic.proof.rules.members import numbered, numbers_of
from grpo_symbolic.proof.rules.rule import Rule
from grpo_symbolic.proof.rules.sides import Premise, constraining, lettered, valued
from grpo_symbolic.proof.rules.text_algebra import Step, at_end, linear, plain, solved
from grpo_symbolic.proof.rules.text_numbers import (
    OVER_ALL,
    Ahead,
    Average,
    FromHere,
    Gradient,
    GroupCentred,
    Here,
    OfTexts,
    TextMean,
    TextProduct,
    TextRate,
    Texts,
    TextSum,
    TextTotal,
    outermost,
)
from grpo_symbolic.proof.rules.text_sentences import AtStates, OnTexts, families_in
from grpo_symbolic.proof.statements.domain import Domain, positives, reals
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.statement import Always, Equal, real_symbol
from grpo_symbolic.proof.statements.substitution import substituted

_MEANS = "Expectations.means_over_texts_by_recursion"
_MOVING_MEANS = "Expectations.moving_means_over_texts_by_recursion"
_EACH_TEXT = "Expectations.what_holds_of_every_text"
_GRADIENT = "Expectations.gradient_along_a_text"
_AVERAGE = "Expectations.average_of_texts_has_the_mean_of_one"
_TOTALS = "Expectations.totals_over_texts_by_recursion"
_GROUP = "Steps.centred_weights_of_a_group"


@dataclass(frozen=True, eq=False)
class OverTokens(Rule["OnTexts"]):
    """Induction over the number of tokens that are left: true of a text without tokens, and of texts with one more
    token in front if it is true, whatever that token, of what follows.

    ``onward`` are names for the means over what follows each token, ``rates`` for their derivatives; ``rest`` are
    letters for the sums and products along what follows. ``beside`` are further equations, each two sides, that are
    concluded at once, so that they may be used of what follows; ``positive`` are means that are concluded to be
    positive at once, ``using`` lemmas for texts without tokens. ``of_each`` are equations between numbers of one text
    that are shown first, the left sides then standing for the right ones.
    """

    onward: tuple[sp.IndexedBase, ...] = ()
    rates: tuple[sp.IndexedBase, ...] = ()
    rest: tuple[sp.Symbol, ...] = ()
    beside: tuple[tuple[Any, Any], ...] = ()
    of_each: tuple[tuple[Any, Any], ...] = ()
    positive: tuple[Any, ...] = ()
    using: tuple[Instance, ...] = ()
    theorems = (_MEANS, _MOVING_MEANS, _EACH_TEXT, _GRADIENT, _AVERAGE, _TOTALS, _GROUP)

    def theorem(self, conclusion: OnTexts) -> str:
        equation = conclusion.equation
        if equation.atoms(TextTotal):
            return _TOTALS
        if not equation.atoms(TextMean):
            return _EACH_TEXT
        return _MOVING_MEANS if equation.atoms(TextRate) else _MEANS

    def used(self, conclusion: OnTexts, domain: Domain) -> tuple[str, ...]:
        equation = conclusion.equation
        of_numbers = {Gradient: _GRADIENT, Average: _AVERAGE, GroupCentred: _GROUP}
        also = (theorem for kind, theorem in of_numbers.items() if equation.atoms(kind))
        return (*super().used(conclusion, domain), *also, *((_EACH_TEXT,) if self.of_each else ()))

    def premises(self, conclusion: OnTexts, domain: Domain) -> Iterator[Premise]:
        texts, label = conclusion.texts, conclusion.label
        _check_names((*self.onward, *self.rates, *self.rest), conclusion, domain)
        for letter in self.rest:
            real_symbol(letter)
        beside = (*(e for pair in (*self.beside, *self.of_each) for e in pair), *self.positive)
        whole = sp.Tuple(*conclusion.equation.args, *beside)
        check_laws(sp.Tuple(*whole, *(rate for _, rate in texts.rates)), texts, domain)
        for held, value in conclusion.at:
            _check_held(held, value, label, domain)
            along = {v.base for d in whole.atoms(sp.Derivative) for v in d.variables if isinstance(v, sp.Indexed)}
            if along & {held, value}:
                raise ClaimError(f"{label}: a derivative is along {held} or {value}, which are held equal")
        yield from well_made(whole, texts, label, domain)
        for rate in conclusion.equation.atoms(TextRate, Gradient):
            if not families_in(rate) & {base for base, _ in texts.rates}:
                raise ClaimError(f"{label}: {rate} is a derivative, and of nothing in it the texts say how it moves")
        if conclusion.equation.atoms(TextRate, Gradient):
            yield from _laws_stay(texts, label, domain)
        above = {e for side in map(sp.sympify, self.positive) for e in side.atoms(TextMean)}
        yield from have_values(whole, texts, label, domain, above)
        for total in whole.atoms(sp.Sum, sp.Product):
            if total.xreplace({e: sp.Dummy() for e in outermost(total, (Here, Ahead))}).atoms(OfTexts):
                raise ClaimError(
                    f"{label}: {total} runs over numbers of texts, of which there would be one for each index"
                )
        check_letters(whole, texts, label)
        alike = {sp.sympify(left): sp.sympify(right) for left, right in self.of_each}
        if conclusion.equation.atoms(TextRate, Gradient):
            _any_near(texts, label, domain)
        sides = [conclusion.there, *self.beside]
        equations = [(plain(left, texts, alike), plain(right, texts, alike)) for left, right in sides]
        inductive = self._on_average if conclusion.equation.atoms(TextMean, TextTotal) else self._of_each
        asked = list(inductive(equations, texts, label, domain))
        if alike:
            first = [(plain(left, texts), plain(right, texts)) for left, right in self.of_each]
            asked += [p.labelled("of each text") for p in self._of_each(first, texts, label, domain)]
            equations += first
        for left, right in equations:
            yield Premise(Equal(at_end(left), at_end(right), label=f"{label}: no token"), domain)
        for premise in asked:
            if premise.statement.expression.atoms(OfTexts):
                raise ClaimError(f"{label}: sums and products along a text stand in one another")
            yield premise

    def _on_average(
        self, equations: list[tuple[sp.Expr, sp.Expr]], texts: Texts, label: str, domain: Domain
    ) -> Iterator[Premise]:
        for side in (side for equation in equations for side in equation):
            beside = side.xreplace({e: sp.Dummy(real=True) for e in outermost(side, OVER_ALL)})
            if beside.atoms(OfTexts) or beside.free_symbols & set(texts.ends) or texts.varies(beside):
                raise ClaimError(f"{label}: {beside} is a number of one text or state, beside means over all of them")
        step = Step(texts, self.onward, self.rates)
        after = [(step.longer(left), step.longer(right)) for left, right in equations]
        gaps = [step.hypothesis(left - right) for left, right in equations]
        supposed, factors = solved(gaps, [base[texts.token] for base in reversed(step.named)], texts)
        yield from _not_zero(factors, label, domain)
        signs = [(m, step.longer(m)) for m in map(sp.sympify, self.positive)]
        for mean, _ in signs:
            if linear(mean, texts) != mean:
                raise ClaimError(f"{label}: {mean} is no mean of one product")
            least = sp.Gt(at_end(mean), 0, evaluate=False)
            yield Premise(Always(least, self.using, label=f"{label}: positive without tokens"), domain)
        for end in texts.ends:  # what is known of a text is its means
            domain = domain.without_symbol(end)
        known = {step.names[mean] for mean, _ in signs}
        inside = domain.also(*((positives if b in known else reals)(b, texts.size) for b in step.named))
        for _, longer in signs:
            more = sp.Gt(longer, 0, evaluate=False)
            yield Premise(Always(more, label=f"{label}: positive with one more token"), inside)
        for left, right in after:
            here = [substituted(side, supposed) for side in (left, right)]
            yield Premise(Equal(here[0], here[1], label=f"{label}: one more token in front"), inside)

    def _of_each(
        self, equations: list[tuple[sp.Expr, sp.Expr]], texts: Texts, label: str, domain: Domain
    ) -> Iterator[Premise]:
        sides = [side for equation in equations for side in equation]
        along = list(dict.fromkeys(a for side in sides for a in outermost(side, (TextSum,))))
        if len(along) > len(self.rest):
            raise ClaimError(f"{label}: rest=… has letters for {len(self.rest)} of {len(along)} sums and products")
        letters = dict(zip(along, self.rest, strict=False))
        if any(texts.varies(side.xreplace(letters)) for side in sides):
            raise ClaimError(f"{label}: what differs between states stands in no sum or product along the text")
        gaps = [(left - right).xreplace(letters) for left, right in equations]
        known, factors = solved(gaps, list(letters.values()), texts)
        yield from _not_zero(factors, label, domain)
        inside = domain.also(*(s for s in letters.values() if s not in known))
        for product, letter in letters.items():
            if isinstance(product, TextProduct) and letter not in known:
                yield _positive_factors(product, label, domain)
                inside = inside.also(letter > 0)
        longer = {a: a.longer for a in along}
        for equation in equations:
            here = [side.xreplace(longer).xreplace(letters).xreplace(known) for side in equation]
            yield Premise(Equal(here[0], here[1], label=f"{label}: one more token in front"), inside)


@dataclass(frozen=True, eq=False)
class OneMoreToken(Rule["AtStates"]):
    """What a mean over texts is at a state, by what it is after each of its tokens.

    ``onward`` are names for the means over what follows each token.
    """

    onward: tuple[sp.IndexedBase, ...] = ()
    theorems = ("Expectations.mean_of_one_more_token",)

    def premises(self, conclusion: AtStates, domain: Domain) -> Iterator[Premise]:
        texts, label = conclusion.texts, conclusion.label
        _check_names(self.onward, conclusion, domain)
        check_laws(conclusion.equation, texts, domain)
        check_letters(conclusion.equation, texts, label)
        yield from well_made(conclusion.equation, texts, label, domain)
        yield from have_values(conclusion.equation, texts, label, domain)
        step = Step(texts, self.onward, ())
        left, right = (step.valued(sp.sympify(side)) for side in (conclusion.left, conclusion.right))
        if left.atoms(OfTexts) or right.atoms(OfTexts):
            raise ClaimError(f"{label}: a mean over texts stands neither in Here nor in Ahead")
        for end in texts.ends:
            if left.has(end) or right.has(end):
                raise ClaimError(f"{label}: {end} is a number of one text, not of a state")
            domain = domain.without_symbol(end)
        inside = domain.also(*(reals(base, texts.size) for base in step.named))
        yield Premise(Equal(left, right, label=f"{label}: one more token"), inside)


def _not_zero(factors: Iterable[sp.Expr], label: str, domain: Domain) -> Iterator[Premise]:
    for factor in factors:
        yield Premise(Always(sp.Ne(factor, 0, evaluate=False), label=f"{label}: not divided by zero"), domain)


def _positive_factors(product: TextProduct, label: str, domain: Domain) -> Premise:
    positive = sp.Gt(product.args[0], 0, evaluate=False)
    return Premise(Always(positive, label=f"{label}: the factors are positive"), domain)


def _check_names(names: tuple[sp.Basic, ...], conclusion: OnTexts | AtStates, domain: Domain) -> None:
    """Refuse names of what follows a token that stand for something else in the sentence, or in its domain."""
    texts = conclusion.texts
    own = [*map(str, (*names, texts.token, texts.other, "T"))]
    taken = {f.base.name for f in domain.families} | {str(s) for s in domain.symbols}
    for name in own:
        if name in taken:
            raise ClaimError(f"the domain speaks of {name}, which stands for something else in a sentence on texts")
    if len(set(own)) < len(own):
        raise ClaimError("one name stands for two things in a sentence on texts")
    formulas = conclusion.equation, *(sp.sympify(rate) for _, rate in texts.rates)
    in_use = set().union(*(e.free_symbols | {x.base for x in e.atoms(sp.Indexed)} for e in formulas))
    for name in set(map(str, names)) & set(map(str, in_use)):
        raise ClaimError(f"{conclusion.label}: the sentence speaks of {name}, which stands for what follows a token")


def check_letters(sentence: sp.Basic, texts: Texts, label: str) -> None:
    """Refuse a sum along a text that has another letter for its tokens than the sentence; and a token that is one
    of those of a sum, after each of which there is a mean, and another one beside it: what is known after both is
    printed by one letter.
    """
    for along in sentence.atoms(TextSum):
        if along.args[1] != texts.token or along.args[0].has_free(texts.other):
            raise ClaimError(f"{label}: {along} is to speak of a token {texts.token}, and of no {texts.other}")
    beside = sentence.xreplace({along: sp.Dummy() for along in outermost(sentence, (TextSum,))})
    for whole, around in ((sentence, beside), *((along.args[0], along.args[0]) for along in sentence.atoms(TextSum))):
        for total in around.atoms(sp.Sum, sp.Product):
            if texts.token in total.variables and total.atoms(Ahead) and texts.token in whole.free_symbols:
                raise ClaimError(f"{label}: {texts.token} is one token of {total}, and another one beside it")


def have_values(
    sentence: sp.Basic, texts: Texts, label: str, domain: Domain, above: Set[sp.Basic] = frozenset()
) -> Iterator[Premise]:
    """That every number of a sentence has a value as it is written, before sums of it are multiplied out, derivatives
    taken and equals put in: at every token of a state, whatever the numbers of texts within it are; those of ``above``
    are positive, and so are products along a text whose factors are.
    """
    size = sp.sympify(texts.size)
    has_size = size.free_symbols <= domain.symbols  # else the tokens are those that the families know
    inside = numbered(texts.token, sp.S.One, size, domain) if has_size else domain
    rates = sp.Tuple(*(rate for _, rate in texts.rates)) if sentence.atoms(Gradient, TextRate) else sp.Tuple()
    numbers = [*sentence.args, *rates]
    for e in (part for whole in (sentence, rates) for part in sp.preorder_traversal(whole)):
        if isinstance(e, OfTexts):
            numbers += e.args[: 2 if isinstance(e, GroupCentred) else 1]
    for number in dict.fromkeys(numbers):
        if isinstance(number, OfTexts):
            continue
        letters = lettered(outermost(number, (OfTexts,)), numbers, domain)
        shown = {e for e in letters if e in above or (isinstance(e, Here | Ahead) and e.args[0] in above)}
        signs = [s > 0 for e, s in letters.items() if e in shown or isinstance(e, TextProduct)]
        asked = list(valued((number.xreplace(letters),), inside.also(*letters.values(), *signs), label))
        yield from asked
        for product in (e for e in letters if asked and isinstance(e, TextProduct)):
            yield _positive_factors(product, label, inside)


def well_made(sentence: sp.Basic, texts: Texts, label: str, domain: Domain) -> Iterator[Premise]:
    """That averages are over a whole number of texts, at least one, the same for all of them.

    Raises :class:`ClaimError` for a sum or product along the text within another one, or in a rate: it would be taken
    for that of the tokens that follow.
    """
    rates = [sp.sympify(rate) for _, rate in texts.rates]
    for term in (*(along.args[0] for along in sentence.atoms(TextSum)), *rates):
        bare = term.xreplace({e: sp.Dummy() for e in outermost(term, (Here, Ahead, FromHere))})
        if bare.atoms(TextSum, Average, Gradient, *OVER_ALL):
            raise ClaimError(f"{label}: sums and products along a text stand in one another")
    for rate in rates:
        check_letters(rate, texts, label)
        if rate.has_free(texts.other):
            raise ClaimError(f"{label}: the rate {rate} is that of the token {texts.token}, and of no {texts.other}")
    for size in sorted({e.args[-1] for e in (sentence, *rates) for e in e.atoms(Average, GroupCentred)}, key=str):
        whole_size(size, domain)
        if texts.varies(size) or size.free_symbols & set(texts.ends):
            raise ClaimError(f"{label}: the number {size} of texts is one of a text, or differs between states")
        yield Premise(Always(sp.Ge(size, 1, evaluate=False), label=f"{label}: there is a text"), domain)


def check_laws(sentence: sp.Basic, texts: Texts, domain: Domain) -> None:
    for slope in sentence.atoms(sp.Derivative):
        if slope.atoms(OfTexts):
            raise ClaimError(f"{slope} is along another letter than the parameter, and no rule here takes it")
    for law in sorted({e.args[1] for e in sentence.atoms(TextMean)}, key=str):
        numbers_of(domain, law, texts.size, sums=(1,))


def _check_held(held: sp.IndexedBase, value: sp.IndexedBase, label: str, domain: Domain) -> None:
    """Refuse to put in for a family what the domain does not say to be one of the same kind."""
    families = {f.base: f for f in domain.families}
    one, other = families.get(held), families.get(value)
    alike = one is not None and other is not None and replace(one, base=value).covers(other)
    if not alike or any(e.base == held for c in constraining(domain) for e in c.atoms(sp.Indexed)):
        raise ClaimError(f"{label}: the domain does not say of {value} what it says of {held}")


def _any_near(texts: Texts, label: str, domain: Domain) -> None:
    """Refuse a domain that relates what moves to other numbers: what holds there of each text may hold at no other
    parameter.
    """
    moving = {base for base, _ in texts.rates}
    for constraint in constraining(domain):
        if any(e.base in moving for e in constraint.atoms(sp.Indexed)):
            raise ClaimError(
                f"{label}: {constraint} need not hold beside the parameter at which the derivative is taken"
            )


def _laws_stay(texts: Texts, label: str, domain: Domain) -> Iterator[Premise]:
    """That laws keep their sum as they move: there are no others."""
    laws = {f.base: f for f in domain.families if f.total is not None}
    for base, rate in texts.rates:
        if base in laws:
            moved = sp.Sum(rate, (texts.token, 1, laws[base].size))
            yield Premise(Equal(moved, 0, label=f"{label}: {base} keeps its sum"), domain)
