"""What runs keep and add to: partial ledgers, updates, time that ran out, files beside the one that is meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from papers import written

from grpo_symbolic import catalogue as sources
from grpo_symbolic import sandbox
from grpo_symbolic.errors import BadInput, ClaimError, Slips
from grpo_symbolic.ledger import Entry
from grpo_symbolic.proof import proving
from grpo_symbolic.proof.checkers import TimeLimit
from grpo_symbolic.proof.statements.evidence import Evidence, Finding, Grade, Outcome, Verdict
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.report.advice import shortcoming
from grpo_symbolic.session import Session
from grpo_symbolic.verification import kernel
from grpo_symbolic.verification.store import Store

HEADER = """
from sympy import *
from grpo_symbolic.notation import p
from grpo_symbolic.proof import Always, Domain, Equal, Result
claim = Result(__file__).claim
place = dict(locator="Sec 1", title="A test", printed="1=1")
inside = Domain(0 < p, p < 1)
"""
ONE = 'claim("one", Equal((p + 1)**2, p**2 + 2*p + 1), inside, **place)\n'
TWO = 'claim("two", Always(p < 2), inside, depends_on=["one"], **place)\n'


@pytest.fixture
def paper(tmp_path: Path) -> Callable[..., Path]:
    """Writes a paper: one result file for each text. Its folder has a name that no other test uses."""

    return partial(written, tmp_path, HEADER)


def session(tmp_path: Path, *paths: Path) -> Session:
    return Session(paths, Store(tmp_path / "store"))


def known(tmp_path: Path, folder: Path, id: str) -> Entry:
    """The entry that the store keeps."""
    found = session(tmp_path, folder).entry(id)
    assert found is not None
    return found


# -- a ledger that grows --------------------------------------------------------------------------------------------


def test_every_run_adds_to_the_ledger(tmp_path: Path, paper: Callable[..., Path]) -> None:
    folder = paper(ONE, TWO)
    assert session(tmp_path, folder).verify(["one"], jobs=1).ledger.totals.claims == 1
    second = session(tmp_path, folder)
    assert list(second.known().entries) == ["one"]
    assert second.finished() is None
    assert second.entry("two") is None
    assert second.verify(["one"], jobs=1).reused
    whole = second.verify(jobs=1)
    assert (whole.reused, list(whole.ledger.entries)) == (False, ["one", "two"])
    third = session(tmp_path, folder)
    assert third.verify().reused
    assert third.verify(["two"]).reused
    assert third.finished() == whole.ledger
    assert session(tmp_path, folder / "result_1.py").finished() == whole.ledger.where(lambda c: c.id == "two")


def test_mutants_of_before_stay_and_are_told_only_where_they_are_asked_for(
    tmp_path: Path, paper: Callable[..., Path]
) -> None:
    folder = paper(ONE)
    made = session(tmp_path, folder).verify(mutate=True, jobs=1).ledger.entry("one").mutants
    assert made.made > 0
    assert session(tmp_path, folder).verify(jobs=1).ledger.entry("one").mutants.made == 0
    assert not session(tmp_path, folder).verify(fresh=True, jobs=1).reused
    kept = session(tmp_path, folder).verify(mutate=True)
    assert (kept.reused, kept.ledger.entry("one").mutants) == (True, made)


def test_a_damaged_ledger_is_made_again(tmp_path: Path, paper: Callable[..., Path]) -> None:
    folder = paper(ONE)
    session(tmp_path, folder).verify(jobs=1)
    (file,) = (tmp_path / "store" / "ledgers").iterdir()
    file.write_text(file.read_text().replace("proved", "refuted", 1))
    assert session(tmp_path, folder).entry("one") is None
    assert session(tmp_path, folder).verify(jobs=1).ledger.entry("one").verdict is Verdict.proved


def test_what_coq_has_said_changes_the_ledger_and_what_rests_on_it(
    tmp_path: Path, paper: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = paper(ONE, TWO, 'claim("three", Always(p > 0), inside, **place)')
    session(tmp_path, folder).verify(jobs=1)
    again = session(tmp_path, folder)
    ((_, obligation),) = again.claim("one").obligations()
    witness = Evidence("holds", "x", "Coq", Grade.kernel, Outcome.refuted, "Coq 8", 1.0, 0)
    said = {obligation.key(): [witness]}
    monkeypatch.setattr(kernel, "stored_proofs", lambda store, of: said.get(of.key(), []))
    before = known(tmp_path, folder, "three")
    again.update(["one"])
    assert known(tmp_path, folder, "one").verdict is Verdict.unknown  # a proof beside a refutation
    assert known(tmp_path, folder, "one").crosscheck == "diverge"
    assert known(tmp_path, folder, "two").verdict is Verdict.unknown
    assert known(tmp_path, folder, "three") == before
    assert session(tmp_path, folder).verify().reused  # nothing was forgotten
    session(tmp_path, paper(ONE)).update(["one"])  # and where nothing is known, nothing is made up


# -- time that ran out ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FirstTooSlow:
    """A checker whose time is up at its first call on an obligation, and which proves everything later."""

    folder: Path
    name: str = "slow"
    engine: str = "SymPy"
    grade: Grade = Grade.decision

    def applies(self, obligation: Obligation) -> bool:
        return True

    def check(self, obligation: Obligation) -> Finding:
        mark = self.folder / obligation.key()
        if not mark.exists():
            mark.touch()
            raise TimeLimit
        return Finding(Outcome.holds)


def test_of_what_is_open_an_engine_may_say_nothing_in_time(
    tmp_path: Path, paper: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = paper('claim("four", Always(p > 0), inside, expect="unknown", **place)')
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setattr(proving, "PROVERS", (FirstTooSlow(marks),))
    [found] = session(tmp_path, folder).verify(jobs=1, mode="search").ledger.claims
    assert any(e.timed_out for e in found.evidence)
    assert found.verdict is found.expected
    assert not found.unfinished


def test_time_that_ran_out_is_unknown_and_tried_again(
    tmp_path: Path, paper: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = paper(ONE, TWO, 'claim("three", Always(p > 0), inside, **place)')
    marks = tmp_path / "marks"
    marks.mkdir()
    monkeypatch.setattr(proving, "PROVERS", (FirstTooSlow(marks),))
    first = session(tmp_path, folder).verify(jobs=1).ledger
    assert {c.id: c.verdict for c in first.claims} == dict.fromkeys(("one", "two", "three"), Verdict.unknown)
    assert all(e.timed_out and e.outcome is Outcome.unknown for c in first.claims for e in c.evidence)
    assert all(c.unfinished for c in known_all(tmp_path, folder))  # the ledger is kept, and does not hide it
    again = session(tmp_path, folder).verify(jobs=1)
    assert not again.reused
    assert {c.verdict for c in again.ledger.claims} == {Verdict.proved}
    assert session(tmp_path, folder).verify(jobs=1).reused


def known_all(tmp_path: Path, folder: Path) -> tuple[Entry, ...]:
    return session(tmp_path, folder).known().claims


# -- files beside the one that is meant -----------------------------------------------------------------------------


def test_a_broken_neighbour_does_not_fail_a_file(tmp_path: Path, paper: Callable[..., Path]) -> None:
    folder = paper(ONE, "import no_such_module", "def half(")
    found = session(tmp_path, folder / "result_0.py").verify(jobs=1).ledger
    assert found.entry("one").verdict is Verdict.proved
    run = session(tmp_path, folder).verify(jobs=1)
    assert run.ledger.entry("one").verdict is Verdict.proved  # the others go on
    assert "result_1.py does not import" in run.broken[0]
    assert "result_2.py does not import" in run.broken[1]
    assert session(tmp_path, folder).finished() is None


SLIPS = """
narrow = Domain(0 < p < 1)
claim("kind", Always(p < 2), inside, kind="identitty", **place)
claim("name", Always(q < 2), inside, **place)
claim("letter", Always(p < Symbol("q", real=True)), inside, **place)
claim("follows", Always(p < 2), narrow, **place)
claim("cites", Always(p < 2), inside, depends_on=["nowhere"], **place)
claim("rounded", Equal(p * 0.5, p / 2), inside, **place)
claim("good", Always(p < 2), inside, **place)
empty = Domain(0 < p, p < 0)
"""


def test_all_slips_of_a_file_are_told_at_once(tmp_path: Path, paper: Callable[..., Path]) -> None:
    folder = paper(SLIPS)
    told = [
        r"'cites' depends on 'nowhere', which is not registered.* \(line 14\)",
        r"truth value of Relational: p > 0 \(line 9\); two conditions are And",
        r"the kind of the claim 'kind' is 'identitty', which is none of .* \(line 10\)",
        r"NameError: name 'q' is not defined \(line 11\)",
        r"Domain\(p > 0, p < 0\) is empty, or so thin that no point of it was found \(line 17\)",
        r"the symbol q of the claim 'letter' has no domain.* \(line 12\)",
        r"'rounded': 0\.5\d* has no meaning here: Float.* \(line 15\)",
    ]
    for path in (folder, folder / "result_0.py"):
        with pytest.raises(Slips) as refusal:
            session(tmp_path, path).verify(jobs=1)
        assert len(refusal.value.sentences) == len(told), refusal.value
        for said, expected in zip(refusal.value.sentences, told, strict=True):
            assert re.search(expected, said), said
            assert "\n" not in said
        assert "follows" not in str(refusal.value)  # which fails for want of what another statement would have given
        assert not session(tmp_path, folder).known().claims


MISSPELT = """
from grpo_symbolic.notation import epsilonn
from grpo_symbolic.proof.statements.lemmas import log_below_tangents
from sympy import Integral
claim("keyword", Always(p < 2), inside, locator="a", titel="t")
claim("lacking", Always(p < 2), inside, title="t")
claim("handed", Always(p < 2), Domain(simplex(pi_, 2)), **place)
claim("rounded", Always(p < 2.25), inside, **place)
claim("strange", Always(p < Symbol("wobble", real=True)), inside, **place)
claim("random", ForRandom(Equal(p, p), ()), inside, **place)
claim("other", Always(sp < 2), inside, **place)
claim("cites", Always(p < 2), inside, depends_on=["nowhere"], **place)
claim("judged", Always(p < 2), inside, judged="false", **place)
"""


def test_a_misspelt_name_is_told_with_what_is_meant(tmp_path: Path, paper: Callable[..., Path]) -> None:
    told = [
        "'cites' depends on 'nowhere', which is not registered",
        r"grpo_symbolic\.notation has no 'epsilonn' \(line \d+\); did you mean epsilon\? a letter of your own is",
        r"statements\.lemmas has no 'log_below_tangents' \(line \d+\); did you mean log_below_tangent\?",
        r"claim\(…\) has no argument titel=…: did you mean title=…\? \(line \d+\)",
        r"claim\(…\) lacks locator=… \(line \d+\)",
        r"name 'simplex' is not defined \(line \d+\); grpo_symbolic\.proof has it: import it from there",
        r"name 'ForRandom' is not defined \(line \d+\); grpo_symbolic\.proof has it",
        r"name 'sp' is not defined \(line \d+\)$",
        r"the print of the claim 'judged' is judged by judged=wrong",
        r"'rounded': 2\.25\d* has no meaning here: .*; numbers are exact, Rational\(9, 4\) or what",
        r"the symbol wobble of the claim 'strange' is not in the notation: .* or declare it with scalar\(",
    ]
    with pytest.raises(Slips) as refusal:
        session(tmp_path, paper(MISSPELT)).verify(jobs=1)
    assert len(refusal.value.sentences) == len(told), refusal.value
    for said, expected in zip(refusal.value.sentences, told, strict=True):
        assert re.search(expected, said), said


def test_what_stands_for_no_formula_is_told_with_its_claim(tmp_path: Path, paper: Callable[..., Path]) -> None:
    wrong = 'from grpo_symbolic.proof import Tends\nclaim("limit", Tends(p, "p", 0, 1), inside, **place)\n'
    with pytest.raises(Slips, match="the claim 'limit' is put together wrongly: AttributeError: 'str' object has no"):
        session(tmp_path, paper(wrong)).verify(jobs=1)


def test_slips_of_several_files_and_of_one_claim_are_told_together(tmp_path: Path, paper: Callable[..., Path]) -> None:
    two = 'a, b = Symbol("a1"), Symbol("b1")\nclaim("letters", Always(a + b < p), inside, **place)\n'
    run = session(tmp_path, paper(two, ONE, "import no_such_module")).verify(jobs=1)
    assert [any(word in s for s in run.broken) for word in ("symbol a1", "symbol b1", "no_such_module")] == [True] * 3
    assert run.ledger.entry("one").verdict is Verdict.proved


LETTERS = r"""
from grpo_symbolic.notation import j, k, pi, o, n, scalar
from grpo_symbolic.proof import ForEveryNumber, Induction, simplex
mine = scalar("mine", r"\mu", "(0, 1)", "a number of mine")
claim("own", Always(log(mine) >= mine), Domain(0 < mine, mine < 1), **place)
claim("family", Always(Sum(pi[o]**2, (o, 1, n)) >= 1), Domain(simplex(pi, n), n >= 2), **place)
claim("premise", ForEveryNumber(Product(p, (j, 1, k)) > p, k, 2).by(Induction()), inside, **place)
"""


def test_a_counter_example_has_the_letters_that_the_author_prints(tmp_path: Path, paper: Callable[..., Path]) -> None:
    found = session(tmp_path, paper(LETTERS)).verify(jobs=1).ledger
    (own,) = (line for line in shortcoming(found.entry("own")) if "fails at" in line)
    assert re.fullmatch(r"  fails at  μ [=≈] [\d./]+", own)
    (family,) = (line for line in shortcoming(found.entry("family")) if "fails at" in line)
    assert "n = 2, π = [" in family
    assert Entry.from_json(found.entry("own").to_json()) == found.entry("own")


def test_where_a_premise_fails_the_sentence_is_not_said_to_fail(tmp_path: Path, paper: Callable[..., Path]) -> None:
    entry = session(tmp_path, paper(LETTERS)).verify(["premise"], jobs=1).ledger.entry("premise")
    assert entry.verdict is Verdict.unknown
    assert entry.counterexample == ""
    said = shortcoming(entry)
    assert not any(line.startswith("  fails at") for line in said)
    assert any("every number: the first fails at p =" in line and "the sentence may not" in line for line in said)


def test_a_claim_belongs_to_the_file_that_registers_it(paper: Callable[..., Path]) -> None:
    folder = paper("from .result_1 import inside\n" + TWO, ONE)
    assert {c.id: c.source for c in sources.load([folder]).claims.values()} == {
        "two": "result_0.py",
        "one": "result_1.py",
    }
    with pytest.raises(BadInput, match=r"'one' is not registered by its file: bind claim = Result\(__file__\)"):
        sources.load([paper('claim = Result("elsewhere.py").claim\n' + ONE)])


HOSTILE = ["import os; os._exit(0)", "import grpo_symbolic.proof.checkers as c; c.STEADY = ()"]


@pytest.mark.parametrize("body", HOSTILE)
def test_what_a_file_does_to_its_process_stays_there(tmp_path: Path, paper: Callable[..., Path], body: str) -> None:
    found = session(tmp_path, paper(ONE, body)).verify(jobs=1)
    assert found.ledger.entry("one").verdict is Verdict.proved
    assert len(found.broken) == ("_exit" in body)


FALSE = 'claim("false", Equal((p + 1)**2, p**2 + 1), inside, **place)\n'
FORGED = [
    # what functions of the package that the file replaces conclude from the claim
    "made = Equal.obligations\nEqual.obligations = lambda s, *a, **k: made(Equal(p, p), *a, **k)\n" + FALSE,
    "Domain.formulas = property(lambda s: s.__dict__['said'], lambda s, f: s.__dict__.update(said=()))\n" + FALSE,
    # what the file itself writes beside the declaration
    "c = " + FALSE + "c.__dict__['_obligations'] = []\n",
    "c = " + FALSE + "c.domain.__dict__.update(example={}, _key='x', hypotheses=None)\n",
    "from grpo_symbolic.door import message\nmessage.read = lambda text, *more: text\n"
    "made = Equal.obligations\nEqual.obligations = lambda s, *a, **k: made(Equal(p, p), *a, **k)\n" + FALSE,
    # a kind of statement of its own, under a name of the package
    "import grpo_symbolic.proof.statements.statement as s\n"
    "class Equal(Equal):\n    def obligations(self, domain): return iter(())\n"
    "s.Equal = Equal; Equal.__module__ = s.__name__; Equal.__qualname__ = 'Equal'\n" + FALSE,
]


@pytest.mark.parametrize("body", FORGED)
def test_a_file_is_not_believed_what_follows_from_its_claims(
    tmp_path: Path, paper: Callable[..., Path], body: str
) -> None:
    found = session(tmp_path, paper(body, ONE)).verify(jobs=1)
    assert found.ledger.entry("one").verdict is Verdict.proved
    forged = [c.verdict for c in found.ledger.claims if c.id == "false"]
    assert forged == ([] if found.broken else [Verdict.refuted])


def test_a_change_of_what_a_file_imports_is_noticed(
    tmp_path: Path, paper: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "some_bound.py").write_text("bound = 1\n")
    monkeypatch.syspath_prepend(str(elsewhere))
    folder = paper(f"from some_bound import bound\n{ONE}")
    assert not session(tmp_path, folder).verify(jobs=1).reused
    assert session(tmp_path, folder).verify(jobs=1).reused
    (elsewhere / "some_bound.py").write_text("bound = 2\n")
    assert not session(tmp_path, folder).verify(jobs=1).reused


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The files of one's own that are run from now on, by name."""
    found: set[str] = set()

    def noting(file: Path, module: str, run: Callable[[], Any]) -> sandbox.Loaded:
        found.add(file.name)
        return sandbox.claims_of(file, module, run)

    monkeypatch.setattr(sources, "claims_of", noting)
    return found


def test_an_edit_concerns_the_files_that_rest_on_it(tmp_path: Path, paper: Callable[..., Path], ran: set[str]) -> None:
    """Those that depend on its claims, or import it, are looked at again, and no other is run."""
    imports = 'from .result_0 import inside\nclaim("three", Always(p > 0), inside, **place)\n'
    folder = paper(ONE, TWO, imports, ONE.replace("one", "four"))
    edited = folder / "result_0.py"
    assert not session(tmp_path, folder).verify(jobs=1).reused
    assert session(tmp_path, folder).verify(jobs=1).reused
    ran.clear()
    edited.write_text(edited.read_text() + "# a remark\n")
    assert session(tmp_path, folder).finished() is None
    again = session(tmp_path, folder).verify(jobs=1)
    assert ran == {"result_0.py", "result_1.py", "result_2.py"}
    assert not again.reused
    assert [c.id for c in again.ledger.claims] == ["one", "two", "three", "four"]
    edited.write_text(edited.read_text().replace("(p + 1)**2", "(p - 1)**2"))
    spread = session(tmp_path, folder).verify(jobs=1).ledger
    verdicts = {c.id: c.verdict for c in spread.claims}
    assert (verdicts["one"], verdicts["four"]) == (Verdict.refuted, Verdict.proved)
    assert verdicts["two"] is not Verdict.proved


def test_what_imports_in_hidden_ways_rests_on_every_file(tmp_path: Path, paper: Callable[..., Path]) -> None:
    folder = paper(ONE, f"import importlib\n{TWO}", ONE.replace("one", "three"))
    before = session(tmp_path, folder)._states
    (folder / "result_2.py").write_text(HEADER + ONE.replace("one", "other"))
    after = session(tmp_path, folder)._states
    changed = {place.split("/")[1] for place, state in after.items() if before[place] != state}
    assert changed & {f.name for f in folder.iterdir()} == {"result_1.py", "result_2.py"}


def test_only_the_files_that_it_takes_are_run(tmp_path: Path, paper: Callable[..., Path], ran: set[str]) -> None:
    folder = paper(ONE, TWO, 'claim("three", Always(p > 0), inside, **place)')
    loaded = session(tmp_path, folder / "result_1.py").catalogue
    assert list(loaded.claims) == ["one", "two"]  # what is depended on comes from the neighbour
    assert ran == {"result_0.py", "result_1.py"}
    assert list(session(tmp_path, folder).enough_for(["two"]).claims) == ["one", "two"]


def test_a_dependency_that_is_nowhere_is_refused_before_another_file_is_run(
    tmp_path: Path, paper: Callable[..., Path], ran: set[str]
) -> None:
    folder = paper(ONE, 'claim("c", Always(p > 0), inside, depends_on=["vy-eq41"], **place)')
    with pytest.raises(ClaimError, match=r"'c' depends on 'vy-eq41', which is not registered; did you mean vy-eq1"):
        session(tmp_path, folder).verify(jobs=1)
    assert ran == {"result_1.py"}  # for what else is wrong in it
    twice = paper(ONE.replace('"one"', '"vy-eq14"'))
    with pytest.raises(ClaimError, match=r"'vy-eq14' is registered twice: in vojnovic_yun/eq14_binary_pairs\.py and"):
        session(tmp_path, twice).verify(jobs=1)


def test_claims_that_the_text_does_not_show_are_found_by_running_their_file(
    tmp_path: Path, paper: Callable[..., Path]
) -> None:
    folder = paper('for n in (1, 2):\n    claim(f"made-{n}", Always(p < n), inside, **place)\n')
    assert session(tmp_path, folder).verify(["made-2"], jobs=1).ledger.entry("made-2").verdict is Verdict.proved
    with pytest.raises(BadInput, match=r"there is no claim 'made-3'; did you mean made-"):
        session(tmp_path, folder).verify(["made-3"], jobs=1)
    with pytest.raises(BadInput, match=r"'vy-eq14' is registered in vojnovic_yun/eq14_binary_pairs\.py, which is not"):
        session(tmp_path, folder).verify(["vy-eq14"], jobs=1)
    place = f"{folder.name}/result_0.py"
    before = session(tmp_path, folder)
    assert ([c.id for c in before.listings], before.hidden) == (["made-2"], [place])
    assert set(session(tmp_path, folder).verify(jobs=1).ledger.entries) == {"made-1", "made-2"}
    after = session(tmp_path, folder)
    assert ({c.id for c in after.listings}, after.hidden) == ({"made-1", "made-2"}, [])
    after.check_ids(["made-1"])  # known now, without running the file


def test_the_parts_of_the_claims_are_all_of_them_each_once() -> None:
    session = Session([sources.builtin_folders()[3]])  # the smallest paper
    parts = [session.part(f"{number}/3") for number in (1, 2, 3)]
    assert all(parts)
    assert sorted(i for part in parts for i in part) == sorted(session.select())


@pytest.mark.parametrize("text", ["3", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/2/3", ""])
def test_what_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is no part of the claims"):
        Session([sources.builtin_folders()[3]]).part(text)
