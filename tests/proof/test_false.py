"""No false sentence is proved, however it is dressed; and what is true beside it is.

Every entry of the corpus ``false/`` is judged by the whole engine, alone, in a process that may compute only so long.
"""

from __future__ import annotations

from typing import NoReturn

import pytest
from false import Entry, corpus
from judging import CRASHED, REFUSED, judged

ENTRIES = corpus()
BELIEVED = ("proved", "argued", "definition")


def of(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", [e for e in ENTRIES if e.kind == kind], ids=str)


@of("false")
def test_a_false_sentence_is_not_proved(entry: Entry) -> None:
    found = judged(entry)
    assert found.verdict not in BELIEVED, f"{entry.why}\n{found.reasons}"
    assert found.verdict != CRASHED, f"no sentence says what is wrong: {found.reasons}"


@of("misjudged")
def test_a_print_is_not_judged_beyond_the_evidence(entry: Entry) -> None:
    found = judged(entry)
    assert found.verdict != CRASHED, f"no sentence says what is wrong: {found.reasons}"
    assert found.verdict not in BELIEVED or found.printed == "unknown", f"{found.printed}: {entry.why}\n{found.reasons}"


@of("true")
def test_a_true_sentence_beside_them_is_proved(entry: Entry) -> None:
    found = judged(entry, seconds=90)
    assert found.verdict == "proved", found.reasons


@of("unrefuted")
def test_a_true_sentence_is_not_refuted(entry: Entry) -> None:
    found = judged(entry)
    assert found.verdict not in ("refuted", CRASHED), f"{entry.why}\n{found.reasons}"


def test_a_refusal_says_why() -> None:
    late = next(e for e in ENTRIES if e.name == "what leans on itself")
    assert judged(late).verdict == REFUSED
    assert "circle" in judged(late).reasons


def test_a_judge_that_takes_too_long_is_stopped() -> None:
    def endless() -> NoReturn:
        while True:
            pass

    hangs = Entry("false", "none", "what is never written", "writing it takes for ever", endless)
    assert judged(hangs, seconds=1).verdict == "no verdict in time"


def test_the_corpus_is_large_and_every_entry_says_why() -> None:
    assert sum(e.kind in ("false", "misjudged") for e in ENTRIES) >= 150
    assert sum(e.kind == "true" for e in ENTRIES) >= 40
    assert all(e.why for e in ENTRIES if e.kind != "true")
