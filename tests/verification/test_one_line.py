"""What a claim says in one line of mathematics: its sentence, or of a long one parts of it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import cli

from grpo_symbolic import catalogue
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.numerals import missing
from grpo_symbolic.typeset.plain import plain
from grpo_symbolic.verification.words import headline

TYPED, PRINTED = 180, 600  # characters, as a person types them: of a line that somebody wrote, of a sentence

FILE = """
from grpo_symbolic.notation import p
from grpo_symbolic.proof import Always, Domain, Every, Result

claim = Result(__file__).claim
claim(
    "my-bound",
    Every(Always(p * (1 - p) <= 1 - 3 * p / 4), *(Always(p < k) for k in range(10, 150))),  # a long sentence
    Domain(p > 0, p < 1),
    locator="Sec 1",
    title="A bound",
    says=r"{says}",
    lemmas=["A parabola lies below its tangent."],
)
"""


ASSERTING = re.compile(
    r"[=<>≤≥≠⇒⇔→]|\b(?:is|are|was|has|have|does|do|can|cannot|must|needs?|holds?|exists?"
    r"|every|all|no|never|always|only|exactly|if)\b",
    re.IGNORECASE,
)


def test_a_title_names_and_asserts_nothing() -> None:
    assert [(c.id, c.title) for c in catalogue.index().listings.values() if ASSERTING.search(c.title)] == []


@pytest.mark.parametrize(
    ("title", "wrong"),
    [
        ("Lower bound of the stationary policy, groups of two", False),
        ("The stationary policy is unique", True),
        ("Bounds for every group size", True),
        ("π ≥ π_ref", True),
    ],
)
def test_what_asserts_is_told_by_signs_and_words(title: str, wrong: bool) -> None:
    assert bool(ASSERTING.search(title)) is wrong


def test_a_line_is_mathematics_on_six_lines_and_is_printed_where_it_is_not_typed() -> None:
    listed = catalogue.index().listings.values()
    lines = {c.id: plain(c.line) for c in listed if c.line}
    typed = {c.id for c in listed if c.says}
    longest = {id: TYPED if id in typed else PRINTED for id in lines}
    assert {id: line for id, line in lines.items() if len(line) > longest[id] or "\\" in line} == {}
    assert len(lines) > 0.95 * len(listed)  # under its title a longer sentence stands for itself


def test_nobody_types_a_line_of_what_is_proved() -> None:
    assert [c.id for c in catalogue.index().listings.values() if c.says and not c.words] == []


def test_parts_stand_only_over_a_sentence_that_is_longer_than_six_lines() -> None:
    claims = catalogue.load().claims.values()
    fits = [c.id for c in claims if c.short and headline(replace(c, short=()), PaperPrinter())[0]]
    assert len([c for c in claims if c.short]) > 50
    assert fits == []


def test_a_run_fails_where_a_line_names_another_number(tmp_path: Path) -> None:
    for name, says in (("same", r"p(1-p)\le 1-\tfrac34p"), ("other", r"p(1-p)\le 1-\tfrac54p")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bound.py").write_text(FILE.replace("{says}", says))
    same, other = (cli("verify", str(tmp_path / name)) for name in ("same", "other"))
    assert same.exit_code == 0, same.output
    assert other.exit_code == 1
    assert "my-bound: says=… names 5/4, which the sentence that was checked does not" in other.output


@pytest.mark.parametrize(
    ("line", "loose"),
    [
        (r"0.163,\ \tfrac37,\ 10^{-1}", []),
        (r"0.17", []),
        (r"0.173,\ 4,\ 10^{-2}", ["173/1000", "4", "1/100"]),
        (r"p^3", []),
        (r"p^9", ["9"]),
        (r"16.3\,\%", []),
        (r"12\,\%", ["3/25"]),
        (r"by (14), G=4,\ldots,8,\ x_{12}", []),
        (r"\eta=\tfrac{163}{400},\ x=\tfrac25", []),
        (r"\tfrac3{11}", ["3/11"]),
    ],
)
def test_a_number_that_is_not_there_is_seen(line: str, loose: list[str]) -> None:
    assert missing(line, "For all p > 1/10, x < 2/5: 3*p^2 + p^3 + 163/1000 > p/7") == loose
