"""The typed ledger: to JSON and back, what it refuses, what it counts, and the page that describes it."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from checkout import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Consequence, Entry, Environment, EvidenceRecord, Ledger, Mutants, Part, Step, Totals
from grpo_symbolic.proof.statements.evidence import Evidence, Grade, Kind, Origin, Outcome, PrintVerdict, Verdict

PAGE = ROOT / "docs" / "reference" / "ledger.md"
RECORD = EvidenceRecord.of(
    Evidence("holds", "0: a", "c", Grade.kernel, Outcome.holds, "Coq 8", 1.0, timed_out=True, key="secret")
)
ENTRY = Entry(
    "a", "paper", Origin.own, "Sec 1", "A", None, "x=x", "x>0", "identity", Verdict.proved, None, evidence=(RECORD,)
)
words = st.text(max_size=5)
records = st.builds(
    EvidenceRecord,
    st.sampled_from(["holds", "printed"]),
    st.sampled_from(["0: a", "1: b"]),
    words,
    st.sampled_from(Grade),
    st.sampled_from(Outcome),
    st.sampled_from(["Z3 1", "Z3 2", "SymPy 1"]),
    st.floats(0, 9),
    timed_out=st.booleans(),
)
entries = st.builds(
    Entry,
    id=words,
    paper=words,
    origin=st.sampled_from(Origin),
    locator=words,
    title=words,
    printed=st.none() | words,
    sentence=words,
    domain=words,
    kind=words,
    verdict=st.sampled_from(Verdict),
    print_verdict=st.none() | st.sampled_from(PrintVerdict),
    depends_on=st.just(("another",)),
    words=st.tuples(words) | st.just(()),
    evidence=st.lists(records, max_size=4).map(tuple),
    mutants=st.builds(Mutants, *[st.integers(0, 9)] * 5),
    expected=st.sampled_from(Verdict),
    print_expected=st.none() | st.sampled_from(PrintVerdict),
    parts=st.just((Part("l", "x"),)),
    steps=st.just((Step("d", "start", "", "x"),)),
).map(lambda e: e if e.is_borne_out else replace(e, verdict=Verdict.unknown, print_verdict=None))


def test_the_page_names_every_kind() -> None:
    (row,) = (row for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| `kind` |"))
    assert set(re.findall(r"`([^`]+)`", row)) == {"kind", *Kind}


@given(st.lists(entries, max_size=3).map(tuple))
@settings(max_examples=50, deadline=None)
def test_a_ledger_comes_back_from_its_json(claims: tuple[Entry, ...]) -> None:
    ledger = Ledger(claims, Environment({"python": "3"}), {"paper": "Title"})
    text = json.dumps(ledger.to_json())
    assert Ledger.from_json(json.loads(text)) == ledger
    assert json.loads(text)["totals"] == json.loads(json.dumps(ledger.totals.to_json()))


def test_errata_go_by_consequence_and_each_print_that_fails_has_one() -> None:
    kinds = {"lemma": "inequality", "formula": "identity"}
    claims = tuple(
        replace(ENTRY, id=f"{judged}-{name}", kind=kind, print_verdict=judged)
        for judged in PrintVerdict
        for name, kind in kinds.items()
    )
    errata = Ledger(claims).errata()
    assert [e.id for e in errata[:4]] == [
        "wrong-lemma",
        "wrong-formula",
        "needs-hypothesis-lemma",
        "needs-hypothesis-formula",
    ]
    assert {e.print_verdict for e in errata} == set(PrintVerdict) - {PrintVerdict.holds, PrintVerdict.as_read}
    assert {e.print_verdict for e in errata if e.consequence is None} == {PrintVerdict.unknown}
    assert {e.consequence for e in errata} == {*Consequence, None}
    assert errata[-1].consequence is None


def test_totals_of_a_file_are_not_believed() -> None:
    document = Ledger((ENTRY,)).to_json()
    document["totals"]["verdicts"] = {"proved": 99}
    assert Ledger.from_json(document).totals.verdicts == {"proved": 1}


@pytest.mark.parametrize(
    "changed",
    [
        {"evidence": ()},
        {"evidence": (RECORD, replace(RECORD, obligation="1: b", outcome=Outcome.unknown))},
        {"evidence": (RECORD, replace(RECORD, outcome=Outcome.refuted))},
        {"evidence": (replace(RECORD, grade=Grade.sampled),)},
        {"words": ("somehow",)},
        {"verdict": Verdict.definition, "evidence": (replace(RECORD, outcome=Outcome.refuted),)},
        {
            "print_verdict": PrintVerdict.holds,
            "evidence": (RECORD, replace(RECORD, about="printed", outcome=Outcome.refuted)),
        },
    ],
)
def test_a_verdict_is_not_believed_beyond_its_evidence(changed: dict[str, object]) -> None:
    assert Ledger.from_json(Ledger((ENTRY,)).to_json()).claims[0].verdict is Verdict.proved
    with pytest.raises(BadInput, match=r"a is .*, which its evidence does not bear out: write the ledger again"):
        Ledger.from_json(Ledger((replace(ENTRY, **changed),)).to_json())


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(schema=1),
        lambda d: d.pop("claims"),
        lambda d: d.pop("environment"),
        lambda d: d["claims"][0].pop("id"),
        lambda d: d["claims"][0].update(verdict="certain"),
        lambda d: d["claims"][0].update(more=1),
        lambda d: d["claims"][0].update(evidence=[{"grade": "kernel"}]),
        lambda d: d.update(claims=3),
    ],
)
def test_what_is_no_ledger_is_refused_in_one_sentence(change, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    document = json.loads(json.dumps(Ledger((ENTRY,)).to_json()))
    change(document)
    file = tmp_path / "ledger.json"
    file.write_text(json.dumps(document))
    with pytest.raises(BadInput, match=r"ledger\.json is not a ledger: not a ledger of schema 3"):
        Ledger.read(file)
    with pytest.raises(BadInput, match="is not a ledger"):
        Ledger.read(tmp_path / "none.json")


def test_the_key_of_evidence_stays_in_the_store() -> None:
    assert "secret" not in json.dumps(RECORD.to_json())
    assert EvidenceRecord.from_json(RECORD.to_json()) == RECORD
    assert RECORD.timed_out


def test_obligations_on_the_word_of_an_engine_are_counted() -> None:
    def said(obligation: str, *believes: str, outcome: Outcome = Outcome.holds) -> EvidenceRecord:
        return EvidenceRecord("holds", obligation, "c", Grade.decision, outcome, "FLINT 1", 0.0, believes=believes)

    both = (said("0", "Z3 1"), said("0"), said("1", "Z3 1", "SymPy 1"), said("2"), said("3", outcome=Outcome.unknown))
    entry = replace(ENTRY, evidence=both)
    assert entry.believes == {"1": ("Z3 1", "SymPy 1")}
    totals = Ledger((entry, entry)).totals
    assert (totals.obligations, totals.recipes, totals.believes) == (6, 2, {"SymPy 1": 2, "Z3 1": 2})
    assert [e.proof for e in both] == ["recipe", "certificate", "recipe", "certificate", ""]
    assert EvidenceRecord.from_json(json.loads(json.dumps(both[2].to_json()))) == both[2]


def test_a_ledger_of_the_schema_before_is_told_so() -> None:
    with pytest.raises(BadInput, match="a ledger of schema 2, and this version reads schema 3"):
        Ledger.from_json({"schema": 2})


def test_what_rests_on_a_claim_is_found_over_others() -> None:
    below = {"a": (), "b": ("a",), "c": ("b",), "d": ("x",)}
    ledger = Ledger(tuple(replace(ENTRY, id=i, depends_on=needed) for i, needed in below.items()))
    assert ledger.resting_on(["a"]) == {"b", "c"}
    assert ledger.resting_on(["c", "d"]) == set()


def test_the_page_names_every_key_and_no_other() -> None:
    text = PAGE.read_text(encoding="utf-8")
    _, claim, evidence, rest = re.split(r"\n### ", text)
    totals = rest.partition("\n## ")[0]

    def keys(of: str) -> set[str]:
        firsts = [row.split("|")[1] for row in of.splitlines() if row.startswith("| `")]
        return {name for cell in firsts for name in re.findall(r"`(\w+)`", cell)}

    extra = set(re.findall(r"`(\w+)`", claim.partition("For readers there is more:")[2]))
    named = {f.name for f in fields(Entry)}
    assert keys(claim) | (extra & named) == named
    assert extra - named <= {f.name for kind in (Part, Step) for f in fields(kind)}
    assert keys(evidence) == set(RECORD.to_json())
    assert keys(totals) == {f.name for f in fields(Totals)}
