"""Claims that are kept as they were read: the same ledger as from their files, and nothing that was edited or is of
other sources is taken for them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import pytest
import sympy as sp

import grpo_symbolic
from grpo_symbolic import catalogue, headlines
from grpo_symbolic.files import code_under
from grpo_symbolic.index import Index
from grpo_symbolic.ledger import Entry
from grpo_symbolic.proof.statements.domain import Domain, reals, simplex
from grpo_symbolic.proof.statements.obligation import Holds, Identity, LimitIs, Obligation, RootCount, Witness
from grpo_symbolic.session import Options, Run, Session
from grpo_symbolic.verification import records
from grpo_symbolic.verification.proofs import Library, StoredProofs
from grpo_symbolic.verification.records import file_text, read_file
from grpo_symbolic.verification.runner import Verification
from grpo_symbolic.verification.states import states
from grpo_symbolic.verification.store import Store

FILE = catalogue.root() / "liu" / "group_mean.py"
PLACE = "liu/group_mean.py"
x, y = sp.symbols("x y", real=True)
n = sp.Symbol("n", integer=True)
pi, r = sp.IndexedBase("pi", real=True), sp.IndexedBase("r", real=True)
UNIT = Domain(0 < x, x < 1, y)


def read_back(o: Obligation) -> Obligation:
    """An obligation of what is read of it."""
    d = o.domain
    kept = Domain.of_terms(d.formulas, d.family_terms, d.variables)
    return type(o).of_terms(kept, o.read, o.label, o.sufficient)


@pytest.mark.parametrize(
    "obligation",
    [
        Identity(UNIT, x**2 - 1, (x - 1) * (x + 1), label="factors", sufficient=True),
        Holds(UNIT, sp.Or(x < sp.Rational(1, 2), sp.exp(x) + y > 0)),
        Holds(Domain(simplex(pi, n), n >= 2), pi[1] < 1),
        LimitIs(Domain(y), (x + y) / x, x, sp.oo, "+", sp.S.One),
        LimitIs(Domain(y), -1 / x**2, x, sp.S.Zero, "-", -sp.oo),
        RootCount(Domain(y > 0), x**2 - y, x, sp.S.Zero, sp.oo, 1),
        Witness(UNIT, x < y, ((x, sp.Rational(1, 3)), (y, sp.sqrt(2)))),
        Witness(Domain(reals(r, 2), x), r[1] < r[2] + x, ((x, sp.S.One), (r.label, (sp.S.Zero, sp.S.One)))),
    ],
    ids=lambda o: type(o).__name__,
)
def test_an_obligation_is_what_is_read_of_it(obligation: Obligation) -> None:
    kept = read_back(obligation)
    assert (kept.key(), kept.label, kept.sufficient) == (obligation.key(), obligation.label, obligation.sufficient)
    domain = Domain(*kept.domain.constraints, *kept.domain.families, *kept.domain.free)
    again = type(kept)(domain, **kept._expressions())  # written from terms, it is read as these again
    assert again.key() == obligation.key()
    assert repr(kept)


def test_which_lemmas_were_given_is_not_made_up() -> None:
    for name in ("using", "nothing"):
        with pytest.raises(AttributeError, match=f"has no {name}"):
            getattr(read_back(Holds(UNIT, x * (1 - x) < 1)), name)


@pytest.fixture(scope="module")
def held() -> tuple[str, str, str]:
    """What is kept of the claims of a file, its digest, and that of what it rests on."""
    session = Session([FILE.parent], Store(Path("nowhere")))
    library = session.library
    return library.claims(PLACE), library.digest(PLACE), session.builtin_states[PLACE]


def test_a_record_is_its_text(held: tuple[str, str, str]) -> None:
    text, of, state = held
    found = read_file(text, PLACE, of, state)
    assert found
    assert file_text(of, state, {r.id: r.text for r in found}) == text
    claims = catalogue.with_dependencies([r.id for r in found]).claims
    for record in found:
        claim = claims[record.id]
        assert [(about, o.key(), o.label) for about, o in record.to_show] == [
            (about, o.key(), o.label) for about, o in claim.obligations()
        ]
        assert (record.entry.title, record.entry.depends_on) == (claim.title, claim.depends_on)
        assert record.entry.text == claim.sentence


def test_what_was_edited_cut_off_or_is_of_other_sources_is_not_taken(held: tuple[str, str, str]) -> None:
    text, of, state = held
    assert read_file(text.replace('"+"', '"*"', 1), PLACE, of, state) is None
    assert read_file(text[: len(text) // 2], PLACE, of, state) is None
    assert read_file("", PLACE, of, state) is None
    assert read_file(text, PLACE, "0" * 64, state) is None
    assert read_file(text, PLACE, of, "0" * 64) is None


@pytest.mark.parametrize(
    "lines",
    [
        "claim a: p<1\n{}\n{}\n",
        "claim a: p<1\n{}\n",
        'claim a: p<1\n{"origin":"own"}\n' + "[" * 200_000 + "\n",
        'claim a: p<1\n{"origin":"nobody"}\n{"rows":[],"domains":[],"owed":[],"widening":[],"wider":false}\n',
        'claim a: p<1\n{}\n{"rows":[["n","1"]],"domains":[],"owed":[["holds","Identity","",false,0,7,7]]}\n',
        'claim a: p<1\n{}\n{"rows":[["Popen","1"]],"domains":[],"owed":[]}\n',
    ],
)
def test_what_is_sealed_and_is_no_record_is_not_taken(lines: str) -> None:
    text = file_text("1" * 64, "2" * 64, {"a": lines})
    assert read_file(text, PLACE, "1" * 64, "2" * 64) is None


def without_times(entry: Entry) -> Entry:
    return replace(entry, evidence=tuple(replace(e, seconds=0.0) for e in entry.evidence))


def test_what_is_kept_gives_the_ledger_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headlines, "code", lambda: headlines.noted_code(catalogue.root()))
    told: list[str] = []

    def run(store: str, from_source: bool) -> list[Entry]:
        session = Session([FILE], Store(tmp_path / store))
        run = session.verify(jobs=1, mode="frozen", from_source=from_source, on_verdict=lambda id, *_: told.append(id))
        assert not run.stale
        return list(map(without_times, run.ledger.claims))

    from_file = run("first", from_source=True)
    known = set(told)
    told.clear()
    monkeypatch.setattr(catalogue, "_run", lambda file: pytest.fail(f"{file} was run"))
    assert run("second", from_source=False) == from_file
    assert {c.id for c in from_file} <= set(told) <= known


def test_what_other_code_has_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headlines, "code", lambda: "0" * 32)
    ran: list[Path] = []
    run = catalogue._run
    monkeypatch.setattr(catalogue, "_run", lambda file: ran.append(file) or run(file))
    Session([FILE], Store(tmp_path)).verify(jobs=1, mode="frozen")
    assert FILE in ran


def test_frozen_says_which_claims_are_not_those_of_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headlines, "code", lambda: headlines.noted_code(catalogue.root()))
    kept = Library.claims

    def edited(library: Library, place: str) -> str:
        return kept(library, place).replace("Variance", "Deviation").replace('"+"', '"*"', 1)

    monkeypatch.setattr(Library, "claims", edited)
    found = Session([FILE], Store(tmp_path)).verify(jobs=1, mode="frozen")
    assert [said.partition(" is ")[0] for said in found.stale] == ["liu/group_mean.claims"]
    assert not found.ledger.failures()  # what was edited has no part in it


def test_a_claim_whose_proof_is_gone_is_left_to_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headlines, "code", lambda: headlines.noted_code(catalogue.root()))
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(Library, "of", lambda library, place: StoredProofs())
    session = Session([FILE], Store(tmp_path))
    options = Options(fresh=True, on_verdict=lambda id, verdict, _: told.append((id, verdict)))
    found = session._replay_records([], options)
    assert found is None
    assert all(verdict == "definition" for _, verdict in told)  # of which nothing need be shown


def test_a_run_of_records_needs_no_printer() -> None:
    session = Session((), Store(Path("nowhere")))
    every = list(chain.from_iterable(session.records(session.files).values()))
    some = records.Records.of(islice(every, 400), (r.id for r in every), session.index.papers)
    assert all(set(r.depends_on) <= set(some.claims) for r in some.claims.values())
    run = Verification(some, library=session.library, jobs=1, printer=lambda _: pytest.fail("something was printed"))
    assert run.verify(list(some.claims)[:3]).claims


IMPORTS = [
    "from .helper import LOW",
    "from .helper import (  # one (or more)\n    LOW,\n)",
    "from .helper \\\n    import LOW",
    "from . \\\n    import helper",
    "if True: from .helper import LOW",
    "a = 1; from .helper import LOW",
    "import grpo_symbolic.derivations.paper as P",
    "from .. import paper",
    "from ..common import LOW",
    "from grpo_symbolic import catalogue",
    "__import__('helper')",
]


@pytest.mark.parametrize("statement", IMPORTS)
def test_a_file_rests_on_what_it_imports_in_whatever_way(statement: str, tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "__init__.py").write_text('TITLE = "A paper"\nRESULTS = ("helper", "result", "other")\n')
    (folder / "result.py").write_text(f"{statement}\n")
    (folder / "other.py").write_text("import re\n")

    def state(low: int) -> dict[str, str]:
        file = tmp_path / "common.py" if "common" in statement else folder / "helper.py"
        (folder / "helper.py").touch()
        file.write_text(f"LOW = {low}\n")
        return states(Index.of([folder]), {"paper": folder})

    before, after = state(0), state(1)
    assert before["paper/result.py"] != after["paper/result.py"]
    assert before == state(0)


def test_which_rules_coq_knows_is_part_of_the_code_that_reads() -> None:
    assert "accepted.txt" in {file.name for file in code_under(Path(grpo_symbolic.__file__).parent / "proof")}


OWN = """from sympy import *
from grpo_symbolic.notation import p
from grpo_symbolic.proof import Always, Domain, Result
claim = Result(__file__).claim
claim("one", Always(p * (1 - p) <= Rational(1, 4)), Domain(0 < p, p < 1), locator="1", title="A bound")
"""


def test_from_source_reads_what_is_known_too_and_what_cannot_be_kept_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "kept_paper"
    folder.mkdir()
    (folder / "one.py").write_text(OWN)
    (folder / "one.claims").mkdir()  # in the place of a file

    def run(**options: bool) -> Run:
        return Session([folder], Store(tmp_path / "store")).verify(jobs=1, **options)

    first = run()
    assert [c.verdict for c in first.ledger.claims] == ["proved"]
    assert [said.partition(":")[0] for said in first.stale] == ["one.claims cannot be written"]
    (folder / "one.claims").rmdir()
    assert run().reused
    assert not run(from_source=True).reused
    assert (folder / "one.claims").is_file()
