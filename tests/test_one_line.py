"""Every claim says in one line of mathematics what holds; what is written there has the numbers of what is checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from grpo_symbolic import catalogue
from grpo_symbolic.report.plain import plain

LONGEST = 180  # characters, as a person types them
NAMES = re.compile(r"\(\d+\)|Lemma [\d.]+|G = [\d, …]+")  # of equations and lemmas; group sizes, which are put in
NUMBER = re.compile(r"(\d+(?:\.\d+)?)(?:([⁻⁰¹²³⁴-⁹]+)|/(\d+)| (%))?")
VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4"}
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
PUT_IN = {  # numbers that were put into what is checked, and what they have become there: a product
    ("by-lottery-three-policies", Fraction(32)): (Fraction(160), Fraction(1, 5)),
    ("by-clip-inner-loop", Fraction(49, 160)): (Fraction(49, 40), Fraction(1, 4)),
}


def numbers(text: str) -> Iterator[tuple[Fraction, int]]:
    """The numbers of a formula, and how many decimals each is written with; of a quotient both its parts too."""
    for sign, quotient in VULGAR.items():
        text = text.replace(sign, f" {quotient} ")
    for digits, power, under, percent in NUMBER.findall(re.sub(r"(√\d+)/", r"\1 / ", text)):
        number, decimals = Fraction(digits), len(digits.partition(".")[2])
        if power:
            number **= int(power.translate(RAISED))
        if under:
            yield number, decimals
            yield Fraction(under), 0
            number = number / int(under) if int(under) else number
        yield (number / 100, decimals + 2) if percent else (number, decimals)


def tied(number: Fraction, decimals: int, there: set[Fraction]) -> bool:
    """Whether a number is one of these, the quotient of two of them, or rounds one of them."""
    quotient = number.denominator > 1 and {Fraction(number.numerator), Fraction(number.denominator)} <= there
    rounded = decimals > 0 and any(abs(number - n) <= Fraction(1, 10**decimals) for n in there)
    return number in there or quotient or rounded


def test_every_claim_has_one_line_without_a_trace_of_latex() -> None:
    lines = {c.id: plain(c.line) for c in catalogue.index().listings.values()}
    assert {id: line for id, line in lines.items() if not line or len(line) > LONGEST or "\\" in line} == {}


def test_a_line_has_no_number_that_is_not_in_what_is_checked() -> None:
    loose = {}
    used = set()
    for c in catalogue.load().claims.values():
        said = {(n, decimals) for n, decimals in numbers(NAMES.sub(" ", plain(c.says))) if n not in (0, 1, 2)}
        if not said:
            continue
        there = {n for n, _ in numbers(c.sentence)} | {Fraction(n) for n in (0, 1, 2)}
        there |= {1 / n for n in there if n} | {1 - n for n in there}
        for (id, number), factors in PUT_IN.items():
            if id == c.id:
                assert set(factors) <= {a / b for a in there for b in there if b}, id
                assert factors[0] * factors[1] == number
                there |= {number, Fraction(number.denominator)}
                used.add((id, number))
        missing = sorted(str(n) for n, decimals in said if not tied(n, decimals, there))
        if missing:
            loose[c.id] = missing
    assert loose == {}
    assert used == set(PUT_IN)


def test_a_number_that_is_not_there_is_seen() -> None:
    there = {n for n, _ in numbers("For all p > 1/10: 3*p^2 + 163/1000 > p/7")}
    assert [tied(n, d, there) for n, d in numbers("0.163 and 3/7 and 10⁻¹")] == [True, True, True, True, True]
    assert [tied(n, d, there) for n, d in numbers("0.17")] == [True]
    assert [tied(n, d, there) for n, d in numbers("0.173 and 4 and 10⁻²")] == [False, False, False]
