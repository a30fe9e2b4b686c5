"""The how-to for authors: its examples are one result file, with the verdicts that the page promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grpo_symbolic.ledger import Ledger
from grpo_symbolic.proof.evidence import PrintVerdict, Verdict
from grpo_symbolic.proof.lemmas import LEMMAS
from grpo_symbolic.report import tables
from grpo_symbolic.report.advice import what_would_help
from grpo_symbolic.session import Session
from grpo_symbolic.verification.store import Store

PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "authors.md").read_text("utf-8")
CODE = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.S))


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("docs") / "example"
    folder.mkdir()
    (folder / "page.py").write_text(CODE, "utf-8")
    bare = CODE.replace(", using=(log_below_tangent(u),)", "").replace('"my-', '"bare-')
    (folder / "bare.py").write_text(bare, "utf-8")
    return Session([folder], Store(folder.parent / "store")).verify(jobs=1).ledger


def test_the_examples_are_proved_and_the_wrong_print_is_refuted(ledger: Ledger) -> None:
    ratio, variance = ledger.entry("my-log-ratio"), ledger.entry("my-variance-bound")
    assert (ratio.verdict, ratio.print_verdict) == (Verdict.proved, PrintVerdict.holds)
    assert (variance.verdict, variance.print_verdict) == (Verdict.proved, PrintVerdict.wrong)
    assert variance.witness.startswith("p = 1/2")


def test_without_its_lemma_the_first_one_is_open_and_says_what_the_page_says(ledger: Ledger) -> None:
    bare = ledger.entry("bare-log-ratio")
    assert bare.verdict is Verdict.supported
    (advice,) = what_would_help(bare)
    assert "using=(log_below_tangent(u),)" in advice
    assert "using=(log_below_tangent(u),)" in PAGE


def test_the_page_names_every_lemma_and_only_directives_that_there_are() -> None:
    assert set(re.findall(r"^\| `(\w+)\(", PAGE, re.M)) == set(LEMMAS)
    named = {name for name in re.findall(r"\{([a-z-]+)\}", PAGE) if name.startswith("claim-")}
    assert named - {"claim-ref", "claim-count"} <= set(tables.TABLES)
