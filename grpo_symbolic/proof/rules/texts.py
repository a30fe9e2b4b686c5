"""Texts of any number of tokens: sums and products along a text, their means over all texts, and how these move.

A text is written token by token. At every state, the tokens so far, the laws of the next token are any that the domain
admits, and so is every other family and every number that a state has of its own; nothing relates different states.
A sentence holds for every number T of tokens, from every state on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.printer import Printer

from grpo_symbolic.errors import ClaimError, check_name
from grpo_symbolic.proof.rules.groups import whole_size
from grpo_symbolic.proof.rules.members import numbered, numbers_of
from grpo_symbolic.proof.rules.rule import Conclusion, Rule
from grpo_symbolic.proof.rules.sides import ROUGH, Premise, constraining, lettered, line, valued
from grpo_symbolic.proof.statements.domain import Domain, positives, reals
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.sentence import UNDER_POWERS
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase, real_symbol
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar

# -- numbers of texts -------------------------------------------------------------------------------------------------


class OfTexts(sp.Expr):
    """Base of what is a number for each text, or for each state."""

    is_commutative = True
    sign: str
    tex: str

    def __new__(cls, *args: Scalar | sp.Basic) -> OfTexts:
        """The arguments as SymPy reads them."""
        made: OfTexts = super().__new__(cls, *map(sp.sympify, args))
        return made

    def _eval_is_extended_real(self) -> bool:
        return True

    # As SymPy's printers know it: that of a sum, which is in parentheses beside a factor and under a power.
    precedence = PRECEDENCE["Add"]

    def _sympystr(self, printer: Printer) -> str:
        return f"{self.sign}[{printer._print(self.args[0])}]"

    def _latex(self, printer: Printer) -> str:
        return rf"{self.tex}\left[{printer._print(self.args[0])}\right]"


class TextSum(OfTexts):
    """``Σ_t term(a_t, s_t)`` over the tokens of a text, 0 for a text without tokens. Arguments: the term, the letter of
    the token in it.
    """

    sign, tex = "Σ[t = 1…T] ", r"\sum_{t}"
    empty = sp.S.Zero

    @property
    def precedence(self) -> int:
        """The number of tokens is one letter, T."""
        return int(PRECEDENCE["Atom" if self == self.count else "Add"])

    @property
    def longer(self) -> sp.Expr:
        """The same of a text with one more token in front."""
        return self._in_front + self

    @property
    def _in_front(self) -> sp.Expr:
        """The term of the token in front."""
        return self.args[0].xreplace({e: e.args[0].longer for e in _outermost(self.args[0], (FromHere,))})

    def _sympystr(self, printer: Printer) -> str:
        return "T" if self == self.count else f"{self.sign}({printer._print(self._at_t('a_t'))})"

    def _latex(self, printer: Printer) -> str:
        return "T" if self == self.count else rf"{self.tex} \left({printer._print(self._at_t('a_{t}'))}\right)"

    @property
    def count(self) -> TextSum:
        """The number of tokens."""
        return TextSum(sp.S.One, self.args[1])

    def _at_t(self, name: str) -> sp.Expr:
        return self.args[0].xreplace({self.args[1]: sp.Symbol(name, integer=True)})


class TextProduct(TextSum):
    """``Π_t term(a_t, s_t)`` over the tokens of a text, 1 for a text without tokens."""

    sign, tex = "Π[t = 1…T] ", r"\prod_{t}"
    empty = sp.S.One

    @property
    def longer(self) -> sp.Expr:
        return self._in_front * self


class FromHere(OfTexts):
    """In a term, the sum or product over the tokens of the text from this one on. Argument: the sum or product."""

    first = "t"

    def _sympystr(self, printer: Printer) -> str:
        along = self.args[0]
        return f"{along.sign.replace('t = 1', f's = {self.first}')}({printer._print(along._at_t('a_s'))})"

    def _latex(self, printer: Printer) -> str:
        along = self.args[0]
        term = printer._print(along._at_t("a_{s}"))
        return rf"{along.tex.replace('_{t}', f'_{{s={self.first}}}^{{T}}')} \left({term}\right)"


class Gradient(OfTexts):
    """The derivative of a text's number along the parameter with which the laws move, its ends held fixed. Argument: a
    number made of sums and products along the text.
    """

    precedence = UNDER_POWERS
    sign, tex = "d/dθ ", r"\nabla_{\theta}"


class Average(OfTexts):
    """``1/S Σ_i body(text_i)`` over S texts. Arguments: the body, S."""

    sign, tex = "average", r"\frac1S\sum_{i}"

    def _sympystr(self, printer: Printer) -> str:
        return f"the average over {printer._print(self.args[1])} texts of [{printer._print(self.args[0])}]"

    def _latex(self, printer: Printer) -> str:
        size = printer._print(self.args[1])
        return rf"\frac1{{{size}}}\sum_{{i}}\left[{printer._print(self.args[0])}\right]_{{i}}"


class GroupCentred(OfTexts):
    """``1/G Σ_i (number(text_i) − 1/G Σ_k number(text_k)) weight(text_i)`` over a group of G texts. Arguments: the
    number, the weight, G.
    """

    def _sympystr(self, printer: Printer) -> str:
        number, weight, size = map(printer._print, self.args)
        return f"the average over a group of {size} texts of ({number} − its average over the group)({weight})"

    def _latex(self, printer: Printer) -> str:
        number, weight, size = map(printer._print, self.args)
        of = number if self.args[0].is_Symbol else f"[{number}]"
        centred = rf"{of}_{{i}}-\frac1{{{size}}}\sum_{{k}}{of}_{{k}}"
        return rf"\frac1{{{size}}}\sum_{{i}}\left({centred}\right)[{weight}]_{{i}}"


class TextMean(OfTexts):
    """``E[body]`` over the texts that a law writes, each independently of all others. Arguments: the body, the law of
    the next token at a state.
    """

    precedence = UNDER_POWERS

    def _sympystr(self, printer: Printer) -> str:
        return f"E_{printer._print(self.args[1].label)}[{printer._print(self.args[0])}]"

    def _latex(self, printer: Printer) -> str:
        return rf"\mathbb E_{{{printer._print(self.args[1])}}}\left[{printer._print(self.args[0])}\right]"


class TextTotal(OfTexts):
    """``Σ body(text)`` over all texts of T tokens. Argument: the body."""

    sign, tex = "Σ[texts] ", r"\sum_{\text{texts}}"


class TextRate(OfTexts):
    """The derivative of a mean over texts along the parameter with which the laws move. Argument: the mean."""

    precedence = UNDER_POWERS
    sign, tex = "d/dθ ", r"\frac{d}{d\theta}"


class AfterThis(FromHere):
    """The same from the next token on, as it is printed."""

    first = "t+1"


class OfRest(OfTexts):
    """Base of the mean over the texts that go on in one way. Argument: the mean. It is the expectation under that
    condition; a sum or product in it runs over the tokens that follow.
    """

    known: str  # what is given, in LaTeX
    along: type[FromHere]  # how sums over the tokens that follow are printed

    @property
    def given(self) -> TextMean | None:
        """The mean, its sums over the tokens that follow; nothing where they look ahead themselves, or count tokens."""
        mean = self.args[0]
        sums = mean.args[0].atoms(OfTexts) if isinstance(mean, TextMean) else {self}
        if not all(isinstance(e, TextSum) and e != e.count and not e.args[0].atoms(OfTexts) for e in sums):
            return None
        return TextMean(mean.args[0].xreplace({e: self.along(e) for e in sums}), mean.args[1])

    @property
    def precedence(self) -> int:
        return int(PRECEDENCE["Add"] if self.given is None else UNDER_POWERS)

    def _sympystr(self, printer: Printer) -> str:
        if self.given is None:
            return super()._sympystr(printer)
        body, law = self.given.args
        return f"E_{printer._print(law.label)}[{printer._print(body)} | {self.known}]"

    def _latex(self, printer: Printer) -> str:
        if self.given is None:
            return super()._latex(printer)
        body, law = map(printer._print, self.given.args)
        return rf"\mathbb E_{{{law}}}\left[{body}\mid {self.known}\right]"


class Here(OfRest):
    """In a term, the mean over the texts that begin at the token's state. Argument: the mean."""

    sign, tex, known, along = "at s_t ", r"\Big|_{s_t}", "s_t", FromHere


class Ahead(OfRest):
    """In a term, the mean over the texts that begin after the token. Argument: the mean."""

    sign, tex, known, along = "after a_t ", r"\Big|_{s_t a_t}", "s_t, a_t", AfterThis


CALLED = {"texts": "tokens", "samples": "independent draws", "collections": "samples"}  # and what they are made of


@dataclass(frozen=True)
class Texts:
    """Texts over ``size`` tokens, ``token`` being the letter of one and ``other`` that of another.

    ``ends`` are numbers of a whole text, such as its reward; ``own`` are numbers that each state has of its own.
    ``rates`` are the families that move along a parameter: the family, and the derivative of its entry at ``token``.
    ``fixed`` families are the same at every state: tokens that such a law draws are independent and alike.
    """

    token: sp.Symbol
    other: sp.Symbol
    size: Scalar
    ends: tuple[sp.Symbol, ...] = ()
    own: tuple[sp.Symbol, ...] = ()
    rates: tuple[tuple[sp.IndexedBase, Any], ...] = ()
    fixed: tuple[sp.IndexedBase, ...] = ()
    called: str = "texts"  # a word of CALLED

    def __post_init__(self) -> None:
        """Raises :class:`ClaimError` for a family with two rates, or with a rate where it is not to move by itself."""
        check_name(self.called, list(CALLED), "word for texts")
        moving = [base for base, _ in self.rates]
        for base in moving:
            if moving.count(base) > 1:
                raise ClaimError(f"{base} moves with the parameter at two rates")
            if base in self.fixed:
                raise ClaimError(f"{base} is the same at every state, and no rule here moves it at all of them at once")

    def varies(self, expression: sp.Expr) -> bool:
        """Whether a number differs between states, or tokens."""
        e = sp.sympify(expression)
        loose = {s for s in e.free_symbols if isinstance(s, sp.Symbol)} & {self.token, self.other, *self.own}
        return bool(loose) or any(x.base not in self.fixed for x in e.atoms(sp.Indexed)) or bool(e.atoms(Here, Ahead))

    def rate(self, term: sp.Expr) -> sp.Expr:
        """The derivative of a term of ``token`` along the parameter, its ends and its own numbers held fixed.

        Raises :class:`ClaimError` for a sum over all tokens of what moves.
        """
        term = sp.sympify(term)
        moving = {base for base, _ in self.rates}
        for e in term.atoms(sp.Sum, sp.Product, Here, Ahead, FromHere):
            if any(entry.base in moving for entry in e.atoms(sp.Indexed)) or isinstance(e, Here | Ahead):
                raise ClaimError(f"{e} moves with the parameter in a way that no rule here differentiates")
        for entry in term.atoms(sp.Indexed):
            if entry.base in moving and entry.indices != (self.token,):
                raise ClaimError(f"{entry} moves, and is no entry at the token {self.token}")
        fixed = {e: sp.Dummy(real=True) for e in _outermost(term, (FromHere,))}  # of what does not move
        back = {letter: e for e, letter in fixed.items()}
        bare = term.xreplace(fixed)
        for e in bare.atoms(*ROUGH, sp.Pow):
            bends = not isinstance(e, sp.Pow) or not e.exp.is_integer
            if bends and any(entry.base in moving for entry in e.atoms(sp.Indexed)):
                raise ClaimError(f"{e} moves with the parameter, and may jump or bend")
        return sp.Add(*(sp.diff(bare, base[self.token]) * rate for base, rate in self.rates)).xreplace(back)


def _listed(letters: Iterable[Any], what: str) -> Phrase:
    """Letters one after the other, and ``what`` they are; nothing where there are none."""
    listed = tuple(part for letter in letters for part in (",", letter))[1:]
    return (*listed, what) if listed else ()


def _named(formula: sp.Basic) -> set[sp.IndexedBase]:
    """The families in a formula, and the laws of its means."""
    return {e.base for e in formula.atoms(sp.Indexed)} | {e.args[1] for e in formula.atoms(TextMean)}


def meant(texts: Texts, formula: sp.Basic, at: Sequence[tuple[sp.IndexedBase, sp.IndexedBase]] = ()) -> Phrase:
    """Which letters of a sentence about texts are of each state, which of the text and which the same throughout, how
    families move, and ``at`` which ones others are held fixed: each behind a comma.
    """
    theta, moving = sp.Symbol("theta"), texts.rates if formula.has(Gradient, TextRate) else ()
    bases = _named(formula).union(*(_named(sp.sympify(rate)) for _, rate in moving)) - {held for held, _ in at}
    names = {str(base): base.label for base in bases - set(texts.fixed)}
    alike = [base.label for base in texts.fixed if base in bases]
    own = [*(names[name] for name in sorted(names)), *filter(formula.has, texts.own)]
    clauses = [
        _listed(alike, "the same at every state"),
        _listed(own, "of each sample" if texts.called == "collections" else "of each state"),
        _listed(filter(formula.has, texts.ends), "of the text"),
        *((sp.Eq(sp.Derivative(base[texts.token], theta), rate, evaluate=False),) for base, rate in moving),
        *((sp.Eq(held.label, value.label, evaluate=False),) for held, value in at),
    ]
    return tuple(part for clause in clauses if clause for part in (",", *clause))


def at_token(formula: sp.Basic, texts: Texts) -> sp.Basic:
    """A formula about a token as it is printed: the token is a_t, as it is in what is known after it."""
    at = {texts.token: sp.Symbol("a_t", integer=True)}
    if isinstance(formula, sp.Eq):  # which SymPy would take for true where both sides become one
        return sp.Eq(formula.lhs.xreplace(at), formula.rhs.xreplace(at), evaluate=False)
    return formula.xreplace(at)


def printed_letters(*numbers: sp.Basic) -> tuple[str, ...]:
    """The LaTeX of the letters by which a print of these numbers of texts counts tokens and texts, of a token, a state,
    the parameter and the means over texts.
    """
    ahead = [rest.given for e in numbers for rest in e.atoms(OfRest) if rest.given is not None]
    earlier = any(e.atoms(FromHere) for e in (*numbers, *ahead))
    several = any(e.atoms(Average, GroupCentred) for e in numbers)
    centred = any(e.atoms(GroupCentred) for e in numbers)
    counted = (*(("i",) if several else ()), *(("k",) if centred else ()))
    laws = sorted({sp.latex(mean.args[1].label) for e in numbers for mean in e.atoms(TextMean)})
    means = (rf"\mathbb E_{{{law}}}" for law in laws)
    return ("T", "t", "a_t", "s_t", r"\theta", *(("s", "a_s") if earlier else ()), *counted, *means)


@dataclass(frozen=True)
class _EquationOfTexts(Conclusion):
    """Base: ``left`` = ``right``, numbers of ``texts``."""

    left: Scalar
    right: Scalar
    texts: Texts
    claimed = ("right",)

    @property
    def equation(self) -> sp.Basic:
        """Both sides, in terms that only a sentence about texts has."""
        return sp.Eq(sp.sympify(self.left), sp.sympify(self.right), evaluate=False)

    @property
    def printed_letters(self) -> tuple[str, ...]:
        return printed_letters(self.equation)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (self.texts.token, self.texts.other, *self.texts.ends, *self.texts.own)


@dataclass(frozen=True)
class OnTexts(_EquationOfTexts):
    """``left`` = ``right`` for texts of every number of tokens: of each text, or on average over all of them.

    ``at`` are families that are held fixed while gradients are taken, each with the one that it is equal to there.
    """

    label: str = "texts of any length"
    at: tuple[tuple[sp.IndexedBase, sp.IndexedBase], ...] = ()

    def __post_init__(self) -> None:
        """Raises :class:`ClaimError` for draws that are called independent and have a law for each state, and for what
        is held fixed and moves.
        """
        loose = self._bases - set(self.texts.fixed)
        if self.texts.called == "samples" and loose:
            raise ClaimError(f"independent draws of {min(map(str, loose))}, which is not the same at every state")
        moving = {base for base, _ in self.texts.rates}
        for held, _ in self.at:
            if held in moving or any(held in _named(rate) for rate in self.equation.atoms(TextRate)):
                raise ClaimError(f"{held} is held fixed here, and moves with the parameter")

    @property
    def there(self) -> tuple[sp.Expr, sp.Expr]:
        """Both sides, where something is held fixed with the gradients written out and what it is equal to put in."""
        sides = (sp.sympify(self.left), sp.sympify(self.right))
        if not self.at:
            return sides
        left, right = (
            side.xreplace({e: _gradient(e.args[0], self.texts) for e in side.atoms(Gradient)}).xreplace(dict(self.at))
            for side in sides
        )
        return left, right

    @property
    def _bases(self) -> set[sp.IndexedBase]:
        """The families in the sentence."""
        return _named(self.equation)

    @property
    def defined(self) -> frozenset[str]:
        """The names of what is held fixed: what it is equal to determines it."""
        values = {value for _, value in self.at}
        return frozenset(str(held) for held, _ in self.at if held not in values)

    def phrase(self) -> Phrase:
        beginning = f"for {self.texts.called} of T ≥ 0 {CALLED[self.texts.called]}"
        return (beginning, *meant(self.texts, self.equation, self.at), ":", self.equation)


@dataclass(frozen=True)
class AtStates(_EquationOfTexts):
    """``left`` = ``right`` at every state of every text that is not at its end: a mean over texts stands for its value
    there in ``Here``, and for its value after ``token`` in ``Ahead``.
    """

    label: str = "at every state"

    def phrase(self) -> Phrase:
        beginning = "at every state s_t of texts of every number T ≥ 1 of tokens"
        return (beginning, *meant(self.texts, self.equation), ":", at_token(self.equation, self.texts))


# -- the rules --------------------------------------------------------------------------------------------------------

Moments = dict[sp.Expr, sp.IndexedBase]  # a mean or total over texts, and what it is after each token


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
    theorems = (
        "Expectations.means_over_texts_by_recursion",
        "Expectations.moving_means_over_texts_by_recursion",
        "Expectations.what_holds_of_every_text",
        "Expectations.gradient_along_a_text",
        "Expectations.average_of_texts_has_the_mean_of_one",
        "Expectations.totals_over_texts_by_recursion",
        "Steps.centred_weights_of_a_group",
    )

    def theorem(self, conclusion: OnTexts) -> str:
        equation = conclusion.equation
        if equation.atoms(TextTotal):
            return self.theorems[5]
        if not equation.atoms(TextMean):
            return self.theorems[2]
        return self.theorems[1 if equation.atoms(TextRate) else 0]

    def used(self, conclusion: OnTexts, domain: Domain) -> tuple[str, ...]:
        equation = conclusion.equation
        also: tuple[str, ...] = (self.theorems[3],) if equation.atoms(Gradient) else ()
        also += (self.theorems[4],) if equation.atoms(Average) else ()
        also += (self.theorems[6],) if equation.atoms(GroupCentred) else ()
        also += (self.theorems[2],) if self.of_each else ()
        return (*super().used(conclusion, domain), *also)

    def premises(self, conclusion: OnTexts, domain: Domain) -> Iterator[Premise]:
        texts, label = conclusion.texts, conclusion.label
        _check_names((*self.onward, *self.rates, *self.rest, texts.token, texts.other, "T"), domain)
        _check_unused((*self.onward, *self.rates, *self.rest), conclusion, label)
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
            if not _named(rate) & {base for base, _ in texts.rates}:
                raise ClaimError(f"{label}: {rate} is a derivative, and of nothing in it the texts say how it moves")
        if conclusion.equation.atoms(TextRate, Gradient):
            yield from _laws_stay(texts, label, domain)
        above = {e for side in map(sp.sympify, self.positive) for e in side.atoms(TextMean)}
        yield from have_values(whole, texts, label, domain, above)
        for total in whole.atoms(sp.Sum, sp.Product):
            if total.xreplace({e: sp.Dummy() for e in _outermost(total, (Here, Ahead))}).atoms(OfTexts):
                raise ClaimError(
                    f"{label}: {total} runs over numbers of texts, of which there would be one for each index"
                )
        check_letters(whole, texts, label)
        alike = {sp.sympify(left): sp.sympify(right) for left, right in self.of_each}
        if conclusion.equation.atoms(TextRate, Gradient):
            _any_near(texts, label, domain)
        sides = [conclusion.there, *self.beside]
        equations = [(_plain(left, texts, alike), _plain(right, texts, alike)) for left, right in sides]
        inductive = self._on_average if conclusion.equation.atoms(TextMean, TextTotal) else self._of_each
        asked = list(inductive(equations, texts, label, domain))
        if alike:
            first = [(_plain(left, texts), _plain(right, texts)) for left, right in self.of_each]
            asked += [p.labelled("of each text") for p in self._of_each(first, texts, label, domain)]
            equations += first
        for left, right in equations:
            yield Premise(Equal(_at_end(left), _at_end(right), label=f"{label}: no token"), domain)
        for premise in asked:
            if premise.statement.expression.atoms(OfTexts):
                raise ClaimError(f"{label}: sums and products along a text stand in one another")
            yield premise

    def _on_average(
        self, equations: list[tuple[sp.Expr, sp.Expr]], texts: Texts, label: str, domain: Domain
    ) -> Iterator[Premise]:
        for side in (side for equation in equations for side in equation):
            beside = side.xreplace({e: sp.Dummy(real=True) for e in _outermost(side, _OVER_ALL)})
            if beside.atoms(OfTexts) or beside.free_symbols & set(texts.ends) or texts.varies(beside):
                raise ClaimError(f"{label}: {beside} is a number of one text or state, beside means over all of them")
        step = _Step(texts, self.onward, self.rates)
        after = [(step.longer(left), step.longer(right)) for left, right in equations]
        gaps = [step.hypothesis(left - right) for left, right in equations]
        supposed, factors = _solved(gaps, [base[texts.token] for base in reversed(step.named)], texts)
        for factor in factors:
            yield Premise(Always(sp.Ne(factor, 0, evaluate=False), label=f"{label}: not divided by zero"), domain)
        signs = [(m, step.longer(m)) for m in map(sp.sympify, self.positive)]
        for mean, _ in signs:
            if _linear(mean, texts) != mean:
                raise ClaimError(f"{label}: {mean} is no mean of one product")
            least = sp.Gt(_at_end(mean), 0, evaluate=False)
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
        along = list(dict.fromkeys(a for side in sides for a in _outermost(side, (TextSum,))))
        if len(along) > len(self.rest):
            raise ClaimError(f"{label}: rest=… has letters for {len(self.rest)} of {len(along)} sums and products")
        letters = dict(zip(along, self.rest, strict=False))
        if any(texts.varies(side.xreplace(letters)) for side in sides):
            raise ClaimError(f"{label}: what differs between states stands in no sum or product along the text")
        gaps = [(left - right).xreplace(letters) for left, right in equations]
        solved, factors = _solved(gaps, list(letters.values()), texts)
        for factor in factors:
            yield Premise(Always(sp.Ne(factor, 0, evaluate=False), label=f"{label}: not divided by zero"), domain)
        inside = domain.also(*(s for s in letters.values() if s not in solved))
        for product, letter in letters.items():
            if isinstance(product, TextProduct) and letter not in solved:
                positive = sp.Gt(product.args[0], 0, evaluate=False)
                yield Premise(Always(positive, label=f"{label}: the factors are positive"), domain)
                inside = inside.also(letter > 0)
        longer = {a: a.longer for a in along}
        for equation in equations:
            here = [side.xreplace(longer).xreplace(letters).xreplace(solved) for side in equation]
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
        _check_names((*self.onward, texts.token, texts.other, "T"), domain)
        _check_unused(self.onward, conclusion, label)
        check_laws(conclusion.equation, texts, domain)
        check_letters(conclusion.equation, texts, label)
        yield from well_made(conclusion.equation, texts, label, domain)
        yield from have_values(conclusion.equation, texts, label, domain)
        step = _Step(texts, self.onward, ())
        left, right = (step.valued(sp.sympify(side)) for side in (conclusion.left, conclusion.right))
        if left.atoms(OfTexts) or right.atoms(OfTexts):
            raise ClaimError(f"{label}: a mean over texts stands neither in Here nor in Ahead")
        for end in texts.ends:
            if left.has(end) or right.has(end):
                raise ClaimError(f"{label}: {end} is a number of one text, not of a state")
            domain = domain.without_symbol(end)
        inside = domain.also(*(reals(base, texts.size) for base in step.named))
        yield Premise(Equal(left, right, label=f"{label}: one more token"), inside)


def _check_names(names: tuple[sp.Basic, ...], domain: Domain) -> None:
    taken = {f.base.name for f in domain.families} | {str(s) for s in domain.symbols}
    for name in map(str, names):
        if name in taken:
            raise ClaimError(f"the domain speaks of {name}, which stands for something else in a sentence on texts")
    if len(set(map(str, names))) < len(names):
        raise ClaimError("one name stands for two things in a sentence on texts")


def _check_unused(names: tuple[sp.Basic, ...], conclusion: OnTexts | AtStates, label: str) -> None:
    """Refuse names of what follows a token that the sentence itself uses for something else."""
    formulas = conclusion.equation, *(sp.sympify(rate) for _, rate in conclusion.texts.rates)
    in_use = set().union(*(e.free_symbols | {x.base for x in e.atoms(sp.Indexed)} for e in formulas))
    for name in set(map(str, names)) & set(map(str, in_use)):
        raise ClaimError(f"{label}: the sentence speaks of {name}, which stands for what follows a token")


def check_letters(sentence: sp.Basic, texts: Texts, label: str) -> None:
    """Refuse a sum along a text that has another letter for its tokens than the sentence; and a token that is one
    of those of a sum, after each of which there is a mean, and another one beside it: what is known after both is
    printed by one letter.
    """
    for along in sentence.atoms(TextSum):
        if along.args[1] != texts.token or along.args[0].has_free(texts.other):
            raise ClaimError(f"{label}: {along} is to speak of a token {texts.token}, and of no {texts.other}")
    beside = sentence.xreplace({along: sp.Dummy() for along in _outermost(sentence, (TextSum,))})
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
        letters = lettered(_outermost(number, (OfTexts,)), numbers, domain)
        shown = {e for e in letters if e in above or (isinstance(e, Here | Ahead) and e.args[0] in above)}
        signs = [s > 0 for e, s in letters.items() if e in shown or isinstance(e, TextProduct)]
        asked = list(valued((number.xreplace(letters),), inside.also(*letters.values(), *signs), label))
        yield from asked
        for product in (e for e in letters if asked and isinstance(e, TextProduct)):
            yield Premise(
                Always(sp.Gt(product.args[0], 0, evaluate=False), label=f"{label}: the factors are positive"), inside
            )


def well_made(sentence: sp.Basic, texts: Texts, label: str, domain: Domain) -> Iterator[Premise]:
    """That averages are over a whole number of texts, at least one, the same for all of them.

    Raises :class:`ClaimError` for a sum or product along the text within another one, or in a rate: it would be taken
    for that of the tokens that follow.
    """
    rates = [sp.sympify(rate) for _, rate in texts.rates]
    for term in (*(along.args[0] for along in sentence.atoms(TextSum)), *rates):
        bare = term.xreplace({e: sp.Dummy() for e in _outermost(term, (Here, Ahead, FromHere))})
        if bare.atoms(TextSum, Average, Gradient, *_OVER_ALL):
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


_OVER_ALL = (TextRate, TextMean, TextTotal)


class _Step:
    """What a number at a state is, in terms of what it is after each token."""

    def __init__(self, texts: Texts, onward: tuple[sp.IndexedBase, ...], rates: tuple[sp.IndexedBase, ...]) -> None:
        self.texts, self.onward, self.rates = texts, onward, rates
        self.names: Moments = {}
        self.moving: Moments = {}

    @property
    def named(self) -> list[sp.IndexedBase]:
        """The families that stand for what follows each token."""
        return [*self.names.values(), *self.moving.values()]

    def longer(self, side: sp.Expr) -> sp.Expr:
        """A side of a statement, of texts with one more token in front."""
        return side.xreplace({a: self._longer(a) for a in _outermost(side, _OVER_ALL)})

    def _longer(self, e: sp.Expr) -> sp.Expr:
        texts = self.texts
        mean = e.args[0] if isinstance(e, TextRate) else e
        term = self._term(mean)
        if isinstance(e, TextRate):
            moved = [texts.rate(term)]
            for key, base in list(self.names.items()):
                slope = sp.diff(term, base[texts.token])
                if slope != 0:
                    moved.append(slope * self._name(self.moving, self.rates, key)[texts.token])
            term = sp.Add(*moved)
        return sp.Sum(term, (texts.token, 1, texts.size))

    def _term(self, mean: sp.Expr) -> sp.Expr:
        """What one token contributes to a mean."""
        body, *law = mean.args
        longer = body.xreplace({a: a.longer for a in _outermost(body, (TextSum,))})
        parts = [c * self._after(mean.func(m, *law)) for c, m in _monomials(longer, self.texts)]
        weight = law[0][self.texts.token] if law else sp.S.One
        return weight * sp.Add(*(self.valued(c) for c in parts))

    def valued(self, coefficient: sp.Expr) -> sp.Expr:
        """A number of a state and a token of it, with the values of its means there."""
        texts, values = self.texts, {}
        for total in coefficient.atoms(sp.Sum, sp.Product):
            for e in _outermost(total, (Here, Ahead)):
                if caught := e.free_symbols & {*total.variables} - {texts.token}:
                    raise ClaimError(f"{e} differs with {min(map(str, caught))}, along which {total} runs")
        for e in _outermost(coefficient, (Here, Ahead)):
            mean = _linear(e.args[0], texts)
            if isinstance(e, Ahead):
                values[e] = self.hypothesis(mean)
            else:
                here = self.longer(mean)
                if any(texts.other in t.variables and t.has(texts.token) for t in here.atoms(sp.Sum, sp.Product)):
                    raise ClaimError(f"a sum in {mean} binds {texts.other}, which stands for another token here")
                values[e] = here.xreplace({texts.token: texts.other})
        return coefficient.xreplace(values)

    def after(self, e: sp.Expr) -> sp.Expr:
        """A mean, a total, or the derivative of a mean, over the texts after the token."""
        if isinstance(e, TextRate):
            _ = self._after(e.args[0])
            return self._name(self.moving, self.rates, e.args[0])[self.texts.token]
        body, *law = e.args
        return sp.Add(*(c * self._after(e.func(m, *law)) for c, m in _monomials(body, self.texts)))

    def _after(self, one: sp.Expr) -> sp.Expr:
        if isinstance(one, TextMean) and one.args[0] == 1:
            return sp.S.One
        return self._name(self.names, self.onward, one)[self.texts.token]

    def _name(self, table: Moments, given: tuple[sp.IndexedBase, ...], key: sp.Expr) -> sp.IndexedBase:
        if key not in table:
            if len(table) == len(given):
                which = "onward" if table is self.names else "rates"
                raise ClaimError(f"{which}=… has no family for what {key} is after each token")
            table[key] = given[len(table)]
        return table[key]

    def hypothesis(self, gap: sp.Expr) -> sp.Expr:
        """The same difference of two sides, of the texts after the token."""
        return gap.xreplace({m: self.after(m) for m in _outermost(gap, _OVER_ALL)})


def _solved(gaps: list[sp.Expr], letters: list[sp.Expr], texts: Texts) -> tuple[dict[sp.Expr, sp.Expr], list[sp.Expr]]:
    """Equations ``gap = 0``, each solved for the first letter of which it has a multiple by a number, or else by a
    constant; and the constants, which must not be zero.

    Raises :class:`ClaimError` where there is none.
    """
    solutions: dict[Any, Any] = {}
    factors: list[Any] = []
    for one in gaps:
        gap = sp.expand(one.xreplace(solutions))
        if gap == 0:
            continue
        slopes = {letter: sp.diff(gap, letter) for letter in letters if gap.has(letter)}
        constant = [
            a for a, c in slopes.items() if c != 0 and not texts.varies(c) and not any(c.has(b) for b in letters)
        ]
        letter = next((a for a in constant if slopes[a].is_Number), constant[0] if constant else None)
        if letter is None:
            raise ClaimError("the statement cannot be used of what follows: nothing in it has a constant as its factor")
        slope = slopes[letter]
        if not slope.is_Number:
            factors.append(slope)
        value = -sp.expand(gap - slope * letter) / slope
        solutions = {known: e.xreplace({letter: value}) for known, e in solutions.items()} | {letter: value}
    return solutions, factors


def _plain(side: sp.Expr, texts: Texts, alike: Mapping[sp.Expr, sp.Expr] | None = None) -> sp.Expr:
    """A side in sums, products, and means of their products: averages and gradients written out, and what is alike for
    each text put in.
    """
    side = sp.sympify(side).xreplace(alike or {})
    side = side.xreplace({e: _linear(e, texts) for e in _outermost(side, _OVER_ALL)})
    return side.xreplace({e: _gradient(e.args[0], texts) for e in _outermost(side, (Gradient,))})


def _linear(e: sp.Expr, texts: Texts) -> sp.Expr:
    """A mean, or its derivative, as a sum of means of products."""
    mean = e.args[0] if isinstance(e, TextRate) else e
    if not isinstance(mean, TextMean if isinstance(e, TextRate) else TextMean | TextTotal):
        raise ClaimError(f"{e} is no derivative of a mean over texts")
    body, *law = mean.args
    if isinstance(e, TextRate) and body.atoms(Here, Ahead):
        raise ClaimError(f"no rule here differentiates the means in the terms of {body}")
    if body.atoms(GroupCentred):
        return _of_group(e, texts)
    if body.atoms(Average):
        factor, average = body.as_independent(Average, as_Add=False)
        if not isinstance(average, Average) or not law or _of_one_text(factor, texts):
            raise ClaimError(f"the mean of {body} is not that of one text")
        body = factor * average.args[0]
    body = body.xreplace({g: _gradient(g.args[0], texts) for g in _outermost(body, (Gradient,))})
    parts = []
    for c, m in _monomials(body, texts):
        if texts.varies(c):
            raise ClaimError(f"{c} differs between states, and stands in no sum or product along the text")
        one = mean.func(m, *law)
        if m == 1 and law:
            parts.append(sp.S.Zero if isinstance(e, TextRate) else c)
        else:
            parts.append(c * (TextRate(one) if isinstance(e, TextRate) else one))
    return sp.Add(*parts)


def _of_group(mean: sp.Expr, texts: Texts) -> sp.Expr:
    """The mean of what a group of independent texts has, by means of one text."""
    factor, group = mean.args[0].as_independent(GroupCentred, as_Add=False)
    if not isinstance(mean, TextMean) or not isinstance(group, GroupCentred) or _of_one_text(factor, texts):
        raise ClaimError(f"{mean.args[0]} is no multiple of an average over a group")
    if texts.varies(factor):
        raise ClaimError(f"{factor} differs between states, and stands in no sum or product along the text")
    number, weight, size = group.args
    both, one, other = (_linear(TextMean(e, mean.args[1]), texts) for e in (number * weight, number, weight))
    return factor * (1 - 1 / size) * (both - one * other)


def _of_one_text(factor: sp.Expr, texts: Texts) -> bool:
    """Whether a factor is a number of a text, of which there are several in an average."""
    return bool(factor.atoms(OfTexts) or factor.free_symbols & set(texts.ends))


def _gradient(body: sp.Expr, texts: Texts) -> sp.Expr:
    """The derivative of a sum of multiples of sums and products along a text."""
    letters = {a: sp.Dummy(real=True) for a in _outermost(body, (TextSum,))}
    bare = body.xreplace(letters)
    if texts.varies(bare) or bare.atoms(OfTexts):
        raise ClaimError(f"{body} is no sum of multiples of sums and products along a text")
    parts = []
    for a, letter in letters.items():
        linear = line(bare, letter)
        if linear is None or linear[0].free_symbols & set(letters.values()):
            raise ClaimError(f"{body} is no sum of multiples of sums and products along a text")
        term, token = a.args
        moved = texts.rate(term)
        along = TextSum(moved / term, token) * a if isinstance(a, TextProduct) else TextSum(moved, token)
        parts.append(linear[0] * along)
    return sp.Add(*parts)


def _at_end(side: sp.Expr) -> sp.Expr:
    """A side, of texts without tokens."""
    side = side.xreplace({e: sp.S.Zero for e in _outermost(side, (TextRate,))})
    side = side.xreplace({e: e.args[0] for e in _outermost(side, (TextMean, TextTotal))})
    return side.xreplace({a: a.empty for a in _outermost(side, (TextSum,))})


def _monomials(body: sp.Expr, texts: Texts) -> list[tuple[sp.Expr, sp.Expr]]:
    """A text's number as a sum of products of sums and products along it, and of functions of its ends, each with its
    factor.

    Raises :class:`ClaimError` for one that is no such sum.
    """
    parts = {e: sp.Dummy(real=True) for e in _outermost(body, (TextSum, sp.Sum, Here, Ahead))}
    opaque = {e: d for e, d in parts.items() if isinstance(e, TextSum)}
    fixed = {e: d for e, d in parts.items() if e not in opaque and not (_bare(e) & set(texts.ends))}
    back = {d: e for e, d in (opaque | fixed).items()}
    spread = sp.expand(body.xreplace(opaque | fixed), power_exp=False, power_base=False, log=False)
    deep = (*opaque.values(), *texts.ends)
    factors_of: dict[sp.Expr, list[sp.Expr]] = {}
    for term in sp.Add.make_args(spread):
        factor, monomial = term.as_independent(*deep, as_Add=False)
        for part in sp.Mul.make_args(monomial):
            base, power = part.as_base_exp()
            plain = base in opaque.values() and power.is_Integer and power > 0
            bare = part.xreplace(back)
            if not plain and (texts.varies(bare) or bare.atoms(OfTexts)):
                raise ClaimError(
                    f"{bare} is no product of sums and products along a text, and of functions of its ends"
                )
        factors_of.setdefault(monomial.xreplace(back), []).append(factor.xreplace(back))
    return [(sp.Add(*factors), monomial) for monomial, factors in factors_of.items()]


def _bare(e: sp.Expr) -> set[sp.Expr]:
    """The letters of a part of a term; none of a mean, which is a number of its state."""
    return set() if isinstance(e, Here | Ahead) else set(e.free_symbols)


def _outermost(e: sp.Expr, kinds: tuple[type, ...]) -> list[sp.Expr]:
    """The parts of these kinds that lie in no other such part, in order."""
    outermost: dict[Any, None] = {}
    walk = sp.preorder_traversal(sp.sympify(e))
    for part in walk:
        if isinstance(part, kinds):
            outermost[part] = None
            walk.skip()
    return list(outermost)
