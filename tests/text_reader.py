"""Reading the text that is made of LaTeX for terminals back, by the conventions of LaTeX and these:

- a quotient a/b is beside no factor, and divides the product before its line by one thing, a power or a root included;
- a root is that of the letter, number, entry or parenthesis behind it, and a power of a power is that of its exponent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import sympy as sp
from readback import RELATIONS, raised, slope, times
from readback_latex import LatexReader, Letters

from grpo_symbolic.errors import BadInput
from grpo_symbolic.typeset.plain import plain

_HIGH = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni")
_ROOTS = {"√": 2, "∛": 3, "∜": 4}
_VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4)}
_SEEN = {"−": "-", "·": "*", "∏": "Π", "min": "Min", "max": "Max", ";": r"\\"}
_WORDS = ("lim", "log", "sign", "otherwise", "for", "d/d", "∂/∂", *_SEEN)
_ENDS = ("", ")", ")|", "}", ",", "+", "-", *RELATIONS, "&", r"\\", r"\end{cases}")
_REACHING = ("Σ", "Π", "lim", "d/d", "∂/∂")


def text_formula(text: str, known: Letters) -> sp.Basic:
    """What a text says, with the letters that are ``known`` by what LaTeX shows of them."""
    reader = _TextReader(text, known)
    found = reader.joined()
    reader.expect("")
    return found


class _TextReader(LatexReader):
    """Reads text as LaTeX, whose powers, roots, quotients and cases have signs of their own in it."""

    def __init__(self, text: str, known: Letters) -> None:
        super().__init__("", {(plain(name), family): letter for (name, family), letter in known.items()}, ())
        for name, letter in list(self.letters.items()):
            self.letters.setdefault(name.replace("{", "").replace("}", ""), letter)
        words = sorted([*_WORDS, *self.letters, *self.families], key=len, reverse=True)
        self.rest = [*_signs(re.findall("|".join([r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ]+|\d+", *map(re.escape, words), "."]), text)), ""]

    def reaching(self) -> Any:
        if sign := self.take("d/d", "∂/∂"):
            letter = self.atom()
            return slope(sign[-1], self.reaching(), (letter, 1))
        return super().reaching()

    def multiplied(self) -> Any:
        found = self.raised()
        while (sign := self.take("*", "/")) or self.rest[0] not in _ENDS:
            if sign != "/" and self.rest[0] in _REACHING:
                return times(found, self.reaching())
            part = self.raised()
            found = times(found, raised(part, sp.S.NegativeOne) if sign == "/" else part)
            if sign == "/" and self.rest[0] not in (*_ENDS, "*"):
                raise BadInput("a quotient stands beside a factor")
        return found

    def raised(self) -> Any:
        base = self.atom()
        return raised(base, self.group()) if self.take("^") else base

    def group(self) -> Any:
        return super().group() if self.rest[0] == "{" else self.raised()

    def atom(self) -> Any:
        if root := self.take(*_ROOTS):
            return raised(self.atom(), sp.Rational(1, _ROOTS[root]))
        if self.take("cases"):
            return sp.Piecewise(*self.cases(), evaluate=False)
        if self.rest[0] in _VULGAR:
            return sp.Rational(*_VULGAR[self.rest.pop(0)])
        return super().atom()


def _signs(words: list[str]) -> Iterator[str]:
    """The signs of LaTeX for the words of a text, in which braces below a sign are places, and others cases."""
    open: list[str] = []
    bars, before = 0, ""
    for word in words:
        power = word.translate(_HIGH)
        if power != word:
            yield from ("^", power) if power in ("+", "-") else ("^", "{", *re.findall(r"\d+|.", power), "}")
        elif word == "{":
            open.append("}" if before == "_" else r"\end{cases}")
            yield "{" if before == "_" else "cases"
        elif word == "}":
            yield open.pop()
        elif word == "|":
            closes = bars > 0 and before not in (" ", "(", "{", "|(")
            bars += -1 if closes else 1
            yield ")|" if closes else "|("
        elif word in ("for", "otherwise"):
            yield from ("&", rf"\text{{{word}}}")
        elif word != " ":
            yield _SEEN.get(word, word)
        before = "|(" if word == "|" and not closes else word
