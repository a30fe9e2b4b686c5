"""Numbers of texts of any number of tokens, and their print: sums and products along a text, means over all texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.printer import Printer

from grpo_symbolic.errors import ClaimError, check_name
from grpo_symbolic.proof.rules.sides import ROUGH
from grpo_symbolic.proof.statements.sentence import UNDER_POWERS, OwnNumber
from grpo_symbolic.scalars import Scalar


class OfTexts(OwnNumber):
    """Base of what is a number for each text, or for each state."""

    # As SymPy's printers know it: that of a sum, which is in parentheses beside a factor and under a power.
    precedence = PRECEDENCE["Add"]
    brackets = ("[", "]")


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
        return self.args[0].xreplace({e: e.args[0].longer for e in outermost(self.args[0], (FromHere,))})

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


OVER_ALL = (TextRate, TextMean, TextTotal)


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
        fixed = {e: sp.Dummy(real=True) for e in outermost(term, (FromHere,))}  # of what does not move
        back = {letter: e for e, letter in fixed.items()}
        bare = term.xreplace(fixed)
        for e in bare.atoms(*ROUGH, sp.Pow):
            bends = not isinstance(e, sp.Pow) or not e.exp.is_integer
            if bends and any(entry.base in moving for entry in e.atoms(sp.Indexed)):
                raise ClaimError(f"{e} moves with the parameter, and may jump or bend")
        return sp.Add(*(sp.diff(bare, base[self.token]) * rate for base, rate in self.rates)).xreplace(back)


def outermost(e: sp.Expr, kinds: tuple[type, ...]) -> list[sp.Expr]:
    """The parts of these kinds that lie in no other such part, in order."""
    outermost: dict[Any, None] = {}
    walk = sp.preorder_traversal(sp.sympify(e))
    for part in walk:
        if isinstance(part, kinds):
            outermost[part] = None
            walk.skip()
    return list(outermost)
