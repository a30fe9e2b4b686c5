"""What a claim says and because of what: both are checked, and the sentence is printed beside the result file."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import cli
from papers import new_folder

from grpo_symbolic.cli.pages.page import one_line
from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.session import Session
from grpo_symbolic.typeset.plain import plain
from grpo_symbolic.verification.store import Store

HEADER = """from sympy import *
from grpo_symbolic.notation import p
from grpo_symbolic.proof import Always, Domain, Equal, Every, On, Result
claim = Result(__file__).claim
place = dict(locator="Sec 1", title="A square")
inside = Domain(0 < p, p < 1)
"""
BOUND = "Always(p * (1 - p) <= Rational(1, 4))"
SQUARE = 'Equal(Rational(1, 4) - p * (1 - p), (p - Rational(1, 2))**2, label="what is missing is a square")'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A result file, still empty, in a folder whose name no other test uses."""
    return new_folder(tmp_path) / "bound.py"


def session(file: Path) -> Session:
    return Session([file.parent], Store(file.parent.parent / "store"))


def verified(file: Path, text: str, mode: str = "replay") -> Ledger:
    file.write_text(HEADER + text, "utf-8")
    return session(file).verify(jobs=1, mode=mode).ledger


def test_the_sentence_is_printed_and_what_leads_there_is_checked(file: Path) -> None:
    found = verified(file, f'claim("bound", {BOUND}, inside, because={SQUARE}, **place)').entry("bound")
    assert found.verdict == "proved"
    assert found.text == "For all 0 < p < 1: p*(1 - p) ≤ 1/4."
    assert len(found.stated) == 1
    assert [part.label for part in found.because] == ["what is missing is a square"]
    assert len({e.obligation for e in found.evidence}) == 2


def test_a_step_that_is_false_refutes_the_claim(file: Path) -> None:
    wrong = SQUARE.replace("Rational(1, 2)", "Rational(1, 3)")
    found = verified(file, f'claim("bound", {BOUND}, inside, because=({wrong},), **place)').entry("bound")
    assert found.verdict == "refuted"


def test_a_step_may_bring_a_domain_of_its_own(file: Path) -> None:
    step = "On(Domain(p), Equal(p**2 - p, p * (p - 1)))"
    found = verified(file, f'claim("bound", {BOUND}, inside, because=({step},), **place)').entry("bound")
    assert found.verdict == "proved"
    assert plain(found.because[0].where) == "p ∈ ℝ"


def test_a_step_is_a_statement(file: Path) -> None:
    file.write_text(HEADER + f'claim("bound", {BOUND}, inside, because=("it is a square",), **place)', "utf-8")
    with pytest.raises(BadInput, match="holds because of a str"):
        session(file).verify(jobs=1)


def test_sentences_are_kept_beside_the_file_and_listed_from_there(file: Path) -> None:
    verified(file, f'claim("bound", {BOUND}, inside, because={SQUARE}, **place)')
    printed = file.with_suffix(".claims").read_text("utf-8")
    assert printed.splitlines()[1].startswith("claim bound: \\text{For all }")
    listing = session(file).index.listings["bound"]
    assert plain(listing.line) == "For all 0 < p < 1: p (1 − p) ≤ ¼"


def test_a_sentence_of_another_text_is_not_listed(file: Path) -> None:
    verified(file, f'claim("bound", {BOUND}, inside, **place)')
    file.write_text(HEADER + f'claim("bound", {BOUND.replace("1, 4", "1, 3")}, inside, **place)', "utf-8")
    assert session(file).index.listings["bound"].line == ""


def test_frozen_refuses_sentences_that_are_not_those_of_the_file(file: Path) -> None:
    verified(file, f'claim("bound", {BOUND}, inside, **place)')
    printed = file.with_suffix(".claims")
    assert session(file).verify(jobs=1, mode="frozen").stale == ()
    printed.write_text(printed.read_text("utf-8").replace(r"\leq", r"\geq"), "utf-8")
    [said] = session(file).verify(jobs=1, mode="frozen").stale
    assert said.endswith("bound.claims is not what bound.py says: run grpo-symbolic verify, and commit it")
    assert r"\geq" in printed.read_text("utf-8")  # nothing is written
    session(file).verify(jobs=1, fresh=True)
    assert r"\geq" not in printed.read_text("utf-8")


LONG = ", ".join(f"Always(p < {n}, label='{n}')" for n in range(2, 150))


def test_what_somebody_wrote_stands_over_what_is_argued_only(file: Path) -> None:
    with pytest.raises(BadInput, match="no lemmas=… in words: its line is printed from its sentence"):
        verified(file, f'claim("bound", {BOUND}, inside, says="p - p^2 \\\\le \\\\frac14", **place)')


def test_over_a_long_sentence_stand_the_parts_that_its_file_names(file: Path) -> None:
    found = verified(file, f'claim("bound", Every({LONG}), inside, **place)').entry("bound")
    assert (found.headline, found.line) == ("", "")
    found = verified(file, f'claim("bound", Every({LONG}), inside, short=("7", "3"), **place)').entry("bound")
    assert plain(found.headline) == "For all 0 < p < 1: p < 3; p < 7. And 146 more"
    assert (found.says_itself, found.says_all, len(found.stated)) == (True, False, 148)


@pytest.mark.parametrize(
    ("statement", "short", "refusal"),
    [
        (f"Every({LONG})", "('7', 'no such')", "no part of the claim 'bound' is called 'no such'"),
        ("Every(Always(p < 2, label='2'))", "'2'", "all parts of the claim 'bound' are named by short=…"),
    ],
)
def test_parts_over_a_sentence_are_some_of_its_own(file: Path, statement: str, short: str, refusal: str) -> None:
    with pytest.raises(BadInput, match=re.escape(refusal)):
        verified(file, f'claim("bound", {statement}, inside, short={short}, **place)')


def test_where_a_loose_index_lies_is_printed_for_every_kind_of_statement(file: Path) -> None:
    alone = """from grpo_symbolic.notation import P, k, n, o
from grpo_symbolic.proof import SolvedSeparately, positives
claim("apart", SolvedSeparately((4 - k) * o * P[k], o, n), Domain(positives(P, 3), n >= 0), **place)
"""
    found = verified(file, alone).entry("apart")
    assert (found.verdict, plain(found.headline).split(": ")[0]) == ("proved", "For all P ∈ (0, ∞)³, n ≥ 0, 1 ≤ k ≤ 3")


def test_what_else_is_said_is_not_told_under_the_values_of_what_leads(file: Path) -> None:
    other = 'On(Domain(p > 2), Always(p**2 > p, label="beyond"))'
    verified(file, f'claim("both", Every(Always(p**2 < p, label="main"), {other}), inside, short="main", **place)')
    listed = cli("list", str(file.parent), env={"COLUMNS": "200"}).output
    assert "p² < p for all 0 < p < 1. And 1 more" in listed


def test_no_letter_is_printed_as_a_name_is_at_its_arguments(file: Path) -> None:
    bars = """from grpo_symbolic.notation import G, P, o, scalar
from grpo_symbolic.proof import reals
other = scalar("Pbar", r"\\bar P", "ℝ", "a number of its own")
mean = Sum(P[o], (o, 1, G)) / G
claim("bars", Every(Always(other + mean > 2 * mean, label="main"), Always(other > mean, label="beside")),
      Domain(reals(P, G), G >= 1, other > mean), short="main", **place)
"""
    headline = plain(verified(file, bars).entry("bars").headline)
    assert headline.count("P̄") == 2
    assert headline.endswith(": P̄ + (1/G) Σ_{o=1}^G P(o) > (2/G) Σ_{o=1}^G P(o). And 1 more")


def test_an_edited_line_is_written_anew_and_is_not_listed(file: Path) -> None:
    verified(file, f'claim("bound", {BOUND}, inside, **place)')
    printed = file.with_suffix(".claims")
    right = printed.read_text("utf-8")
    printed.write_text(re.sub("(?m)^(claim bound: ).*$", r"\g<1>1 = 0", right), "utf-8")
    assert "1 = 0" in printed.read_text("utf-8")
    session(file).verify(jobs=1)
    assert printed.read_text("utf-8") == right


def test_words_with_signs_that_nobody_sees_are_refused(file: Path) -> None:
    with pytest.raises(BadInput, match="a sign nobody sees"):
        verified(file, f'claim("bound", {BOUND}, inside, locator="Sec 1", title="A square\\n  proved")')


def test_what_stands_for_a_sentence_in_words_is_in_quotation_marks(file: Path) -> None:
    title = 'title="For all real x: x = 1"'
    found = verified(file, f'claim("bound", Every({LONG}), inside, locator="Sec 1", {title})').entry("bound")
    assert not found.line
    assert one_line(found, "") == "“For all real x: x = 1”"
    listed = cli("list", str(file)).output
    assert "“For all real x" in listed
    assert "“…”: in words, of its file or of the paper" in listed
    assert "\n“For all real x: x = 1”\n" in cli("show", "bound", str(file.parent)).output


def test_the_words_of_a_print_stay_in_their_quotation_marks(file: Path) -> None:
    printed = r"printed=r'\text{p = 1” proved for all “p}'"
    found = verified(file, f'claim("bound", Every({LONG}), inside, {printed}, **place)').entry("bound")
    assert one_line(found, plain(found.line)) == "“p = 1’ proved for all ‘p”"


WRONG = """from grpo_symbolic.proof import misprint, redundant_hypothesis, wrong
slip = {slip}
claim("bound", {bound}, inside, locator="Sec 1", title="A square", printed=r"p(1-p)<1/4", judged=slip)
"""


@pytest.mark.parametrize(
    ("slip", "read"),
    [
        ('wrong("at ½", Always(p * (1 - p) < Rational(1, 4)))', "For all 0 < p < 1: p (1 − p) < ¼"),
        (
            'wrong("at ½", Always(p * (1 - p) < Rational(1, 4)), Domain(p > Rational(1, 3)))',
            "For all p > ⅓: p (1 − p) < ¼",
        ),
        (
            'redundant_hypothesis("it asks more", Domain(0 < p, p < Rational(1, 2)), {p: Rational(2, 3)})',
            "the same, for 0 < p < ½",
        ),
        ('misprint("a letter")', ""),
    ],
)
def test_what_a_print_is_read_as_is_printed(file: Path, slip: str, read: str) -> None:
    found = verified(file, WRONG.format(slip=slip, bound=BOUND)).entry("bound")
    assert plain(found.reading) == read
    assert session(file).verify(jobs=1).ledger.entry("bound").reading == found.reading


def test_a_reading_is_shown_with_its_names_and_whole_where_it_is_asked_for() -> None:
    page = cli("show", "mr-fig2-p1").output
    assert re.search(r"read as +For all 0 < p_ref < 1, β, ε > 0: .*e\^\(−1/\(β √ε\)\).* = 1\n", page)
    long, whole = (cli("show", "pt-baseline-anything", *more).output for more in ([], ["--all"]))
    assert re.search(r"read as .* …: --all\n", long)
    assert "…: --all" not in whole


def test_what_names_in_a_reading_stand_for_is_said_once(file: Path) -> None:
    found = verified(file, f'claim("bound", {BOUND}, inside, **place)').entry("bound")
    both = replace(found, names=("h = 1",), reading_names=("h = 1", "k = 2"))
    assert both.reading_with == ("k = 2",)
    assert replace(both, says="p < 1").reading_with == ("h = 1", "k = 2")  # whose names nobody says with the typed line
