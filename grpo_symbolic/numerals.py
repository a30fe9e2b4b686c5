"""The numbers that a line of mathematics names: a sentence that was checked must have them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

# Names of equations, lemmas and letters, and group sizes, which are put in: no numbers of the statement.
_NAMES = re.compile(r"\(\d+\)|Lemma\W+[\d.]+|G\s*=\s*(?:\d|\\ldots|[,\s])+|_(?:\{[^{}]*\}|\\?\w)")
_QUOTIENT = re.compile(r"\\[td]?frac\s*(?:\{(\d+)\}|(\d))\s*(?:\{(\d+)\}|(\d))")
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)(?:\^\{?(-?\d+)\}?|/(\d+)|(?:\s|\\,)*(\\%))?")
_COMMON = frozenset(map(Fraction, (0, 1, 2)))  # they come and go with how a formula is written


def _numbers(text: str) -> Iterator[tuple[Fraction, int]]:
    """The numbers of a formula, and how many decimals each is written with; of a quotient both its parts too."""
    text = _QUOTIENT.sub(lambda match: f" {match[1] or match[2]}/{match[3] or match[4]} ", text)
    for digits, power, under, percent in _NUMBER.findall(text):
        number, decimals = Fraction(digits), len(digits.partition(".")[2])
        if power and (number or int(power) >= 0):
            number **= int(power)
        if under:
            yield number, decimals
            yield Fraction(under), 0
            number = number / int(under) if int(under) else number
        yield (number / 100, decimals + 2) if percent else (number, decimals)


def missing(line: str, sentence: str) -> list[str]:
    """The numbers of a line of LaTeX that a sentence in plain text does not have, in order.

    A sentence has a number if it names it, its reciprocal or what it lacks to 1, both parts of it as a quotient, a
    number that it rounds, or its product with a fraction of the same line.

    >>> missing(r"p > \\frac{3}{7},\\ \\beta = 0.17", "for all p > 3/7: 163/1000 < beta")
    []
    >>> missing(r"x < 0.173", "for all p > 3/7: x < 163/1000")
    ['173/1000']
    """
    named = [(number, decimals) for number, decimals in _numbers(_NAMES.sub(" ", line)) if number not in _COMMON]
    if not named:
        return []
    there = {number for number, _ in _numbers(sentence)} | _COMMON
    there |= {1 / n for n in there if n} | {1 - n for n in there}
    fractions = {number for number, _ in named if number.denominator > 1}

    def tied(number: Fraction, decimals: int) -> bool:
        parts = {Fraction(number.numerator), Fraction(number.denominator)}
        return (
            number in there
            or (number.denominator > 1 and parts <= there)
            or (decimals > 0 and any(abs(number - n) <= Fraction(1, 10**decimals) for n in there))
            or any(other != number and (number * other in there or number / other in there) for other in fractions)
        )

    return list(dict.fromkeys(str(number) for number, decimals in named if not tied(number, decimals)))
