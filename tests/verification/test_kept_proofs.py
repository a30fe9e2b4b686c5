"""Proofs that are kept beside a result file: written once, replayed by everyone, believed by nobody."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from checkout import ROOT

from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Entry
from grpo_symbolic.proof import proving
from grpo_symbolic.proof.check.answers import digest_of
from grpo_symbolic.proof.proving import POINT, Proof, replay, search
from grpo_symbolic.proof.search import engines, recipes
from grpo_symbolic.proof.statements.domain import Domain, simplex
from grpo_symbolic.proof.statements.evidence import Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Identity, LimitIs, RootCount
from grpo_symbolic.proof.statements.pointtext import point_text, read_point
from grpo_symbolic.session import Session
from grpo_symbolic.terms.language import Number, Power, Sort, Variable
from grpo_symbolic.verification.pool import Ahead
from grpo_symbolic.verification.proofs import HEAD, Library, StoredProofs, key_of
from grpo_symbolic.verification.runner import replay_ahead
from grpo_symbolic.verification.store import Store

x, y = sp.symbols("x y", real=True)
pi = sp.IndexedBase("pi", real=True)
UNIT = Domain(0 < x, x < 1)
QUARTER = Holds(UNIT, x * (1 - x) <= sp.Rational(1, 4), label="a quarter")

RESULT = '''"""A bound."""

from sympy import Rational, sqrt

from grpo_symbolic.notation import x
from grpo_symbolic.proof import Always, Domain, Equal, Result, misprint, wrong

claim = Result(__file__).claim
unit = Domain(0 < x, x < 1)
claim("bound", Always(x * (1 - x) <= Rational(1, 4)), unit, locator="-", title="a bound")
claim("root", Equal(sqrt(x**2), x), unit, locator="-", title="a root")
claim(
    "print",
    Always(x**2 < x),
    unit,
    locator="-",
    title="a square",
    printed="x^2>x",
    judged=wrong("It is the other way round.", Always(x**2 > x)),
)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    paper = tmp_path / "of_mine"
    paper.mkdir()
    (paper / "__init__.py").write_text('"""A paper."""\n\nTITLE = "Of mine"\nRESULTS = ["bounds"]\n')
    (paper / "bounds.py").write_text(RESULT)
    return paper


def run(folder: Path, mode: str = "replay") -> dict[str, Entry]:
    session = Session([folder], Store(folder.parent / "store"))
    return {c.id: c for c in session.verify(jobs=1, fresh=True, mode=mode).ledger.claims}


def verdicts(found: dict[str, Entry]) -> dict[str, tuple[str, str]]:
    return {id: (str(c.verdict), str(c.print_verdict)) for id, c in found.items()}


EXPECTED = {"bound": ("proved", "None"), "root": ("proved", "None"), "print": ("proved", "wrong")}


def nothing_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a search")

    for module, name in ((recipes, "find"), (recipes, "z3_answer"), (proving.Sampling, "check")):
        monkeypatch.setattr(module, name, refuse)


# -- what is written, and replayed ------------------------------------------------------------------------------------


def test_what_is_found_is_written_beside_the_file_and_replayed_without_any_engine(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert verdicts(run(folder)) == EXPECTED
    text = (folder / "bounds.proofs").read_text()
    head, *lines = text.splitlines()
    assert head == HEAD
    assert lines == sorted(lines)
    assert not any(" !" in line for line in lines), "each has a certificate"
    nothing_is_searched(monkeypatch)
    monkeypatch.setattr(recipes, "has_z3", lambda: False)
    found = run(folder, "frozen")
    assert verdicts(found) == EXPECTED
    assert all(e.proof == "certificate" for c in found.values() for e in c.evidence if e.settles)
    assert not any(c.believes for c in found.values())
    assert (folder / "bounds.proofs").read_text() == text


def test_an_edit_changes_the_proofs_of_that_edit(folder: Path) -> None:
    run(folder)
    before = set((folder / "bounds.proofs").read_text().splitlines())
    (folder / "bounds.py").write_text(RESULT.replace("Rational(1, 4)", "Rational(1, 3)"))
    assert verdicts(run(folder)) == EXPECTED
    after = set((folder / "bounds.proofs").read_text().splitlines())
    assert [line[0] for line in sorted(before - after)] == ["o", "q"]
    assert [line[0] for line in sorted(after - before)] == ["o", "q"]


def test_one_claim_alone_leaves_the_proofs_of_the_others(folder: Path) -> None:
    run(folder)
    text = (folder / "bounds.proofs").read_text()
    Session([folder], Store(folder.parent / "store")).verify(["root"], jobs=1, fresh=True)
    assert (folder / "bounds.proofs").read_text() == text


def test_where_the_folder_cannot_be_written_the_store_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert verdicts(run(folder)) == EXPECTED
    assert not (folder / "bounds.proofs").exists()
    nothing_is_searched(monkeypatch)
    assert verdicts(run(folder, "frozen")) == EXPECTED


def test_of_two_files_that_keep_one_obligation_the_proof_of_the_first_counts(folder: Path) -> None:
    (folder / "again.py").write_text(RESULT.replace('claim("bound"', 'claim("again"').split('claim("root"')[0])
    (folder / "__init__.py").write_text('"""A paper."""\n\nTITLE = "Of mine"\nRESULTS = ["bounds", "again"]\n')
    run(folder)
    second = folder / "again.proofs"
    second.write_text(re.sub(r"(?m)^(o \S+ \S+ \S+) \S+$", r"\1 Nobody_1.0", second.read_text()))
    for jobs in (1, 2):
        session = Session([folder], Store(folder.parent / f"store{jobs}"))
        ledger = session.verify(jobs=jobs, mode="frozen").ledger
        assert {e.engine for e in ledger.entry("again").evidence} & {"Nobody 1.0"} == set()

    batches: list[dict[str, Any]] = []

    class Recorded(Ahead):
        def give(self, batch: Any) -> None:
            batches.append(batch)

    session = Session([folder], Store(folder.parent / "store3"))
    with Recorded(1) as ahead:
        session.on_loaded = replay_ahead(ahead, session.library)
        catalogue = session.enough_for([])
    names = [name.split() for batch in batches for name in batch]
    (obligation,) = [o for _, o in catalogue.claims["again"].obligations()]
    assert [place for key, place in names if key == obligation.key()] == ["of_mine/bounds.py"]


def test_what_is_kept_beside_another_file_is_kept_here_too(folder: Path) -> None:
    run(folder)
    (folder / "again.py").write_text(RESULT.replace('claim("bound"', 'claim("again"').split('claim("root"')[0])
    (folder / "__init__.py").write_text('"""A paper."""\n\nTITLE = "Of mine"\nRESULTS = ["bounds", "again"]\n')
    run(folder)
    (folder / "bounds.proofs").unlink()
    session = Session([folder], Store(folder.parent / "elsewhere"))
    assert session.verify(["again"], jobs=1, mode="frozen").ledger.entry("again").verdict == "proved"


def test_every_proofs_file_is_as_verify_writes_it() -> None:
    """One line an obligation, sorted: a merge of two edits leaves two where both have proved it."""
    files = sorted((ROOT / "derivations").glob("*/*.proofs"))
    assert len(files) > 100
    assert [f.name for f in files if StoredProofs.read(text := f.read_text("utf-8"), f.name).text != text] == []


# -- what is believed: nothing ----------------------------------------------------------------------------------------


def test_frozen_searches_nothing_and_says_what_is_missing(folder: Path) -> None:
    found = run(folder, "frozen")
    assert "proved" not in {v for v, _ in verdicts(found).values()}
    assert "no proof is kept of it" in found["bound"].evidence[0].artefact
    assert not (folder / "bounds.proofs").exists()


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: text[: len(text) // 2], "not the whole of one"),
        (lambda text: text[:-1], "not the whole of one"),
        (lambda text: "", "not the whole of one"),
        (lambda text: "{}\n", "is no file of proofs"),
        (lambda text: text.replace("\no ", "\nx ", 1), "is no line of proofs"),
    ],
)
def test_a_damaged_file_is_told_and_written_again(folder: Path, damage: Any, reason: str) -> None:
    run(folder)
    file = folder / "bounds.proofs"
    whole = file.read_text()
    file.write_text(damage(whole))
    session = Session([folder], Store(folder.parent / "store"))
    frozen = session.verify(jobs=1, fresh=True, mode="frozen")
    assert [reason in sentence for sentence in frozen.damaged] == [True]
    assert frozen.ledger.failures()
    assert verdicts(run(folder)) == EXPECTED
    assert file.read_text() == whole


def test_every_line_that_is_edited_proves_nothing_more(folder: Path) -> None:
    run(folder)
    file = folder / "bounds.proofs"
    whole = file.read_text()
    obligations = [line.split()[1] for line in whole.splitlines() if line.startswith("o ")]
    for line in whole.splitlines()[1:]:
        words = line.split(" ")
        if words[0] == "q":
            edits = [[*words[:2], "9" + words[2]], [*words[:2], words[2][:-1]], [*words[:2], "!Z3 5 7"]]
        else:
            other = next(key for key in obligations if key != words[1])
            edits = [["o", other, *words[2:]], [*words[:2], "witness", *words[3:]], [*words[:3], "-", *words[4:]]]
        for edited in edits:
            file.write_text(whole.replace(line, " ".join(edited)))
            found = run(folder, "frozen")
            for id, verdict in verdicts(found).items():
                assert verdict in (EXPECTED[id], *((v, p) for v in ("supported", "unknown") for p in (verdict[1],)))
    file.write_text(whole)


FALSE = [
    Holds(UNIT, x * (1 - x) < sp.Rational(1, 4)),
    Identity(Domain(-1 < x, x < 1), sp.sqrt(x**2), x),
    LimitIs(Domain(), 1 / x, x, sp.S.Zero, "+", sp.S.One),
    RootCount(Domain(), x**2 - y, y, sp.S.Zero, sp.S.One, 2),
]


@pytest.mark.parametrize("obligation", FALSE, ids=lambda o: type(o).__name__)
@pytest.mark.parametrize("method", [*proving.METHODS, POINT, "kernel", "nonsense"])
def test_no_proof_of_a_true_statement_shows_a_false_one(obligation: Any, method: str) -> None:
    found = search(QUARTER)
    assert found.proof is not None
    forged = Proof(method, found.proof.uses, point_text({Variable("x", Sort.real): 2}))
    assert replay(obligation, forged, found.texts).outcome is not Outcome.holds
    assert replay(QUARTER, forged, found.texts).outcome is not Outcome.refuted


def test_what_an_engine_alone_says_is_on_its_word_though_all_are_asked() -> None:
    asked = Holds(Domain(x > 0), x + 1 > 0)
    found = {e.checker: e for e in search(asked, everything=True).evidence if e.settles}
    assert found["decision-z3"].believes
    assert found["decision-cvc5"].believes


def test_a_recipe_for_an_engine_that_is_not_there_leaves_the_run_unfinished(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipes, "find", lambda query, effort, hints: None)
    recipes._by_certificate.cache_clear()
    monkeypatch.setattr(proving, "PROVERS", tuple(c for c in proving.PROVERS if c.name != "ball"))
    run(folder)
    assert " !Z3 " in (folder / "bounds.proofs").read_text()
    assert run(folder, "frozen")["bound"].believes
    for module in (recipes, engines):
        monkeypatch.setattr(module, "has_z3", lambda: False)
    engines._z3_answer.cache_clear()
    found = run(folder, "frozen")["bound"]
    assert found.unfinished
    assert found.verdict != "proved"
    assert "which is not installed" in found.evidence[0].artefact


@pytest.mark.parametrize("recipe", ["Coq_kernel 9.9 10000000", "Z3 by-hand 10000000", "z3 4.15 10000000"])
def test_a_recipe_of_an_engine_that_nobody_asks_shows_nothing(recipe: str) -> None:
    query = (*Domain(x < 0).formulas, *Domain(x > 1).formulas)
    for text, holds in (("!Z3 5.4.0.0 10000000", True), (f"!{recipe}", False)):
        assert recipes.answers({digest_of(query): text}).refuted(query) is holds


@pytest.mark.parametrize(
    "text", ["(" * 1_000_000, "[" * 1_000_000, "9" * 1_000_000, "Q" * 5_000_000, "!Z3 1 " + "9" * 100_000, "!", "\0"]
)
def test_a_hostile_certificate_is_refused_at_once(text: str) -> None:
    query = (Holds(UNIT, x < 2).domain.formulas[0],)
    begun = time.process_time()
    assert not recipes.answers({digest_of(query): text}).refuted(query)
    assert time.process_time() - begun < 5


def test_a_file_of_a_gigabyte_is_refused_at_once(folder: Path) -> None:
    with (folder / "bounds.proofs").open("wb") as file:
        file.truncate(1 << 30)
    library = Library({"of_mine": folder}, folder.parent / "store")
    assert library.of("of_mine/bounds.py") == StoredProofs()
    assert "more than 32 MB" in library.damaged["of_mine/bounds.py"]


# -- its text ---------------------------------------------------------------------------------------------------------


def test_what_is_written_is_read_back() -> None:
    kept = StoredProofs()
    found = search(QUARTER)
    assert found.proof is not None
    kept.add(QUARTER.key(), found.proof, found.texts)
    kept.add("0" * 64, Proof(POINT, point='[[["n","1/2"]],[["x","real",[0]]]]', also=("Z3 4.15", "mpmath 1.4")), {})
    assert StoredProofs.read(kept.text, "here") == kept
    assert StoredProofs.read(kept.text, "here").text == kept.text
    assert StoredProofs().text == ""
    assert kept.only([QUARTER.key()]).proofs == {key_of(QUARTER.key()): found.proof}


def test_lines_of_two_people_are_read_together() -> None:
    """As git's union merge leaves them: out of order, some twice."""
    one, two = StoredProofs(), StoredProofs()
    for kept, obligation in ((one, QUARTER), (two, Holds(UNIT, x**2 < x))):
        found = search(obligation)
        assert found.proof is not None
        kept.add(obligation.key(), found.proof, found.texts)
    merged = one.text + "".join(f"{line}\n" for line in two.text.splitlines()[1:] + one.text.splitlines()[1:])
    assert StoredProofs.read(merged, "here").text == one.updated(two).text


@pytest.mark.parametrize(
    "line", ["o", "o 12 certificate - -", "q " + "0" * 20 + " ", "z 1", "o " + "0" * 24 + " A - -"]
)
def test_a_line_that_says_nothing_is_refused(line: str) -> None:
    with pytest.raises(BadInput, match="line 2, is no line of proofs"):
        StoredProofs.read(f"{HEAD}\n{line}\n", "here")


@pytest.mark.parametrize("also", ["Coq_9.0", "Lean_4", "mpmath_1.3.0,God_himself", "mpmath"])
def test_nobody_is_on_record_but_engines_with_their_versions(also: str) -> None:
    with pytest.raises(BadInput, match="line 2, speaks of an engine that nobody asks"):
        StoredProofs.read(f"{HEAD}\no {'0' * 24} certificate - {also}\n", "here")


def test_points_are_read_back() -> None:
    point = {
        Variable("x", Sort.real): Power(Number(Fraction(2)), Fraction(1, 2)),
        Variable("n", Sort.whole): Fraction(3),
        "pi": [Fraction(1, 3), Fraction(2, 3)],
    }
    assert read_point(point_text(point)) == point


@pytest.mark.parametrize("text", ["", "[]", "[[],[[1,2,3]]]", '[[["n","1"]],[["x","real",[7]]]]', "[" * 100000, "{}"])
def test_what_is_no_point_is_refused(text: str) -> None:
    statement = Holds(UNIT, x < sp.Rational(1, 2))
    assert replay(statement, Proof(POINT, point=text), {}).outcome is Outcome.unknown


def test_a_point_outside_of_the_domain_refutes_nothing() -> None:
    inside, outside = ({Variable("x", Sort.real): Fraction(k, 4)} for k in (3, 5))
    statement = Holds(UNIT, x < sp.Rational(1, 2))
    assert replay(statement, Proof(POINT, point=point_text(inside)), {}).outcome is Outcome.refuted
    assert replay(statement, Proof(POINT, point=point_text(outside)), {}).outcome is Outcome.unknown
    policy = Holds(Domain(simplex(pi, 2)), pi[1] < pi[2])
    for numbers, outcome in (((3, 1), Outcome.refuted), ((3, 2), Outcome.unknown), ((5, -1), Outcome.unknown)):
        point = point_text({"pi": [Fraction(k, 4) for k in numbers]})
        assert replay(policy, Proof(POINT, point=point), {}).outcome is outcome


# -- runs that end badly ----------------------------------------------------------------------------------------------


def start(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "grpo_symbolic", "verify", str(folder), "--fresh", "--jobs", "1"]
    place = {**os.environ, "GRPO_SYMBOLIC_STORE": str(folder.parent / "store")}
    return subprocess.Popen(command, env=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def test_a_run_that_is_killed_leaves_a_whole_file_or_none(folder: Path) -> None:
    rng = random.Random(28)
    for _ in range(6):
        process = start(folder)
        time.sleep(rng.uniform(0.1, 4.0))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        file = folder / "bounds.proofs"
        if file.exists():
            StoredProofs.read(file.read_text(), "here")
    assert verdicts(run(folder)) == EXPECTED


def test_two_runs_at_once_lose_nothing(folder: Path) -> None:
    processes = [start(folder) for _ in range(2)]
    assert [p.wait() for p in processes] == [0, 0]
    assert verdicts(run(folder, "frozen")) == EXPECTED


QUERIES = """
import sys
from grpo_symbolic import catalogue
from grpo_symbolic.proof.check.answers import Answers, digest_of, using
from grpo_symbolic.proof.check.forms import Quotients
from grpo_symbolic.proof.search.recipes import by_z3
from grpo_symbolic.terms.language import Sort, Variable

beside = [Variable(f"beside{k}", Sort.real) for k in range(int(sys.argv[1]))]  # the others lie elsewhere in memory
claim = catalogue.find("by-noise-jump")
(obligation,) = [o for _, o in claim.obligations() if o.label.endswith("continuous in x: it has a value")]
asked = []
with using(Answers(seek=lambda query, hints: asked.append(digest_of(query)) or by_z3(query))):
    Quotients().check(obligation)
print(*asked)
"""


@pytest.mark.slow("kept proofs do not depend on the order of a process")
def test_every_process_asks_the_same_queries() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", QUERIES, str(97 * seed)],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(said) == 1
    assert len(said.pop().split()) > 20
