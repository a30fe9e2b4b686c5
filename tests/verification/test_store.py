"""What a run keeps and survives: keys, the store, and worker processes that hang or die."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from quarter import FALSE, TRUE, UNIT, pi, x, y

from grpo_symbolic.files import code_under, digest_of, write_atomically
from grpo_symbolic.isolation import Companion, TimeLimit, isolated, time_limit
from grpo_symbolic.proof import checkers
from grpo_symbolic.proof.checkers import STEADY, evidence_key, known_evidence, run_checker
from grpo_symbolic.proof.coq.checker import Coq
from grpo_symbolic.proof.search.sampling import Sampling
from grpo_symbolic.proof.statements.domain import Domain, reals, simplex
from grpo_symbolic.proof.statements.evidence import Evidence, Grade, Outcome
from grpo_symbolic.proof.statements.lemmas import exp_positive
from grpo_symbolic.proof.statements.obligation import Holds, Identity, LimitIs
from grpo_symbolic.verification import store as store_of_user
from grpo_symbolic.verification.pool import Ahead, run_tasks
from grpo_symbolic.verification.store import Store


def raises(error: BaseException) -> Any:
    def call(*_: Any) -> Any:
        raise error

    return call


# -- keys and the store -------------------------------------------------------------------------------------------


def test_keys_tell_apart_everything_that_matters() -> None:
    lemma = exp_positive(x)
    obligations = [
        TRUE,
        FALSE,
        Holds(Domain(0 < x, x <= 1), TRUE.formula),
        Holds(UNIT, TRUE.formula, (lemma,)),
        Holds(Domain(0 < x, x < 1, reals(pi, 2)), TRUE.formula),
        Holds(Domain(0 < x, x < 1, simplex(pi, 2)), TRUE.formula),
        Identity(UNIT, x, y),
        Identity(UNIT, y, x),
        LimitIs(UNIT, 1 / y, y, sp.S.Zero, "+", sp.oo),
        LimitIs(UNIT, 1 / y, y, sp.S.Zero, "-", sp.oo),
        LimitIs(UNIT, 1 / y, y, sp.S.Zero, "+", sp.S.Zero),
        Holds(UNIT, sp.Gt(x, 0, evaluate=False)),
    ]
    keys = {
        evidence_key(o, c) for o in obligations for c in (Sampling(), Sampling(points=61), Sampling(seed=1), STEADY[0])
    }
    assert len(keys) == 4 * len(obligations)
    assert evidence_key(TRUE, Sampling()) == evidence_key(
        Holds(Domain(x < 1, 0 < x), TRUE.formula, label="another"), Sampling()
    )


def test_every_byte_of_the_code_that_decides_is_in_the_key(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(Path(checkers.__file__).parent, tmp_path / "proof"))
    before = digest_of(code_under(copy), copy)
    files = code_under(copy)
    assert {"checkers.py", "evidence.py", "smt.py", "digest.py"} <= {f.name for f in files}
    for file in files:
        body = file.read_bytes()
        file.write_bytes(body[:-1] + bytes([body[-1] ^ 1]))
        assert digest_of(code_under(copy), copy) != before, file.name
        file.write_bytes(body)
    assert digest_of(code_under(copy), copy) == before
    assert digest_of(files, copy, "sympy 2") != before


def test_code_that_moves_appears_or_disappears_changes_the_key(tmp_path: Path) -> None:
    def digest() -> str:
        return digest_of(code_under(tmp_path), tmp_path)

    (tmp_path / "a.py").write_text("x = 1\n")
    seen = [digest()]
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    seen.append(digest())
    (tmp_path / "room").mkdir()
    (tmp_path / "b.py").rename(tmp_path / "room" / "b.py")
    seen.append(digest())
    (tmp_path / "empty.py").touch()
    seen.append(digest())
    assert len(set(seen)) == 4
    with pytest.raises(FileNotFoundError):
        digest_of([tmp_path / "gone.py"], tmp_path)


def test_all_stored_verdicts_rest_on_the_code_that_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    def keys() -> list[str]:
        return [evidence_key(TRUE, Sampling()), evidence_key(TRUE, Coq())]

    before = keys()
    monkeypatch.setattr(checkers, "deciding_code", lambda: "other")
    after = keys()
    monkeypatch.undo()
    assert all(a != b for a, b in zip(before, after, strict=True))
    assert keys() == before


def stored(folder: Path) -> tuple[Store, Evidence, Path]:
    store = Store(folder)
    evidence = run_checker(Sampling(), TRUE)
    store.put(evidence)
    (file,) = (folder / "evidence").rglob("*.json")
    return store, evidence, file


def test_evidence_is_kept(tmp_path: Path) -> None:
    store, evidence, _ = stored(tmp_path)
    assert store.get(evidence.key) == evidence


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: "[]",
        lambda text: "null",
        lambda text: text.replace('"sampled"', '"kernel"'),
        lambda text: text.replace('"holds"', '"refuted"'),
        lambda text: text.replace('"sampling"', '"algebra"'),
        lambda text: text.splitlines()[1],
        lambda text: text + "x",
    ],
)
def test_damaged_or_edited_evidence_is_made_again(tmp_path: Path, damage: Any) -> None:
    store, evidence, file = stored(tmp_path)
    changed = damage(file.read_text())
    assert changed != file.read_text()
    file.write_text(changed)
    assert store.get(evidence.key) is None
    assert known_evidence(store.get, TRUE, Sampling()) is None


def test_a_store_of_another_user_is_as_if_it_were_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who hands on a folder of result files may hand on a store with it, in which anything can stand."""
    keys = tmp_path / "theirs", tmp_path / "ours"
    for home in keys:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
        store_of_user._key.cache_clear()
        if home == keys[0]:
            store, evidence, _ = stored(tmp_path / "store")
            store.note("ledgers", "one", {"verdict": "proved"})
        else:
            assert store.get(evidence.key) is None
            assert store.noted("ledgers", "one") is None
            store.put(evidence)  # and what this one writes counts from then on
            assert store.get(evidence.key) == evidence
        assert (home / "grpo_symbolic" / "store.key").stat().st_mode & 0o077 == 0
    store_of_user._key.cache_clear()


def test_evidence_filed_under_another_key_is_ignored(tmp_path: Path) -> None:
    store, _evidence, file = stored(tmp_path)
    other = evidence_key(FALSE, Sampling())
    target = store._path(other)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(file.read_text())
    assert store.get(other) is None


def test_stored_evidence_cannot_exceed_its_checker() -> None:
    def forged(key: str) -> Evidence:
        return replace(run_checker(Sampling(), FALSE), key=key, grade=Grade.kernel, outcome=Outcome.holds)

    found = known_evidence(forged, FALSE, Sampling())
    assert found is not None
    assert found.grade is Grade.sampled


def test_writing_leaves_the_old_file_or_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "ledger.json"
    write_atomically(target, "old")
    monkeypatch.setattr(os, "replace", raises(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_atomically(target, "new")
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["ledger.json"]


def test_writers_at_once_leave_a_whole_file(tmp_path: Path) -> None:
    store, evidence, file = stored(tmp_path)
    threads = [threading.Thread(target=lambda: [store.put(evidence) for _ in range(20)]) for _ in range(6)]
    for t in threads:
        t.start()
    seen = [store.get(evidence.key) for _ in range(60)]
    for t in threads:
        t.join()
    assert all(e == evidence for e in seen)
    assert [p for p in file.parent.iterdir() if p != file] == []


# -- processes ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    what: str
    limit: float = 20.0

    def run(self) -> Any:
        if self.what == "hang":
            time.sleep(600)
        if self.what == "die":
            os.kill(os.getpid(), 9)
        if self.what == "raise":
            raise ValueError("no")
        if self.what == "unpicklable":
            return lambda: None
        return self.what


def test_hung_dead_and_failing_workers_cost_their_own_task_only(capfd: pytest.CaptureFixture[str]) -> None:
    jobs = [
        Job("a"),
        Job("hang", 0.8),
        Job("die"),
        Job("b"),
        Job("raise"),
        Job("die"),
        Job("c"),
        Job("hang", 0.5),
        Job("d"),
    ]
    begun = time.monotonic()
    results = dict(run_tasks(jobs, 2))
    assert results == {0: "a", 1: None, 2: None, 3: "b", 4: None, 5: None, 6: "c", 7: None, 8: "d"}
    assert time.monotonic() - begun < 15
    assert "Traceback" not in capfd.readouterr().err


def test_a_result_that_cannot_be_sent_is_none() -> None:
    assert dict(run_tasks([Job("unpicklable"), Job("a")], 1)) == {0: None, 1: "a"}


def collected(ahead: Ahead, enough: int) -> dict[str, Any]:
    """The results that came, when there are enough of them, or none more to come."""
    deadline = time.monotonic() + 60
    while len(ahead.results) < enough and time.monotonic() < deadline:
        ahead.give({})
        time.sleep(0.01)
    return ahead.results


def test_what_is_given_ahead_is_done_in_its_turn() -> None:
    with Ahead(jobs=1) as ahead:
        ahead.give({"a": Job("a"), "b": Job("raise")})
        ahead.give({"c": Job("c")})
        assert collected(ahead, 3) == {"a": "a", "b": None, "c": "c"}


def test_a_batch_that_dies_or_cannot_be_sent_is_left_to_its_maker() -> None:
    with Ahead(jobs=1) as ahead:
        ahead.give({"before": Job("a"), "dies": Job("die"), "after": Job("b")})
        ahead.give({"unsendable": Job("unpicklable"), "behind": Job("b")})
        ahead.give({"last": Job("c")})
        assert collected(ahead, 2) == {"before": "a", "last": "c"}


def test_what_is_not_done_when_it_is_closed_is_stopped() -> None:
    begun = time.monotonic()
    with Ahead(jobs=1) as ahead:
        ahead.give({"done": Job("a"), "endless": Job("hang")})
        collected(ahead, 1)
    assert ahead.results == {"done": "a"}
    assert time.monotonic() - begun < 300


def test_nothing_is_done_ahead_by_no_process() -> None:
    with Ahead(jobs=0) as ahead:
        ahead.give({"a": Job("a")})
    assert ahead.results == {}


def test_isolated_calls() -> None:
    assert isolated(lambda: 7, 5, None) == 7
    assert isolated(lambda: b"x" * 3_000_000, 10, None) == b"x" * 3_000_000  # far beyond the buffer of a pipe
    assert isolated(raises(ValueError()), 5, "otherwise") == "otherwise"
    assert isolated(lambda: os.kill(os.getpid(), 9), 5, "otherwise") == "otherwise"
    assert isolated(lambda: lambda: 1, 5, "otherwise") == "otherwise"


def test_an_isolated_call_that_hangs_is_killed() -> None:
    begun = time.monotonic()
    assert isolated(lambda: time.sleep(600), 0.3, "otherwise") == "otherwise"
    assert time.monotonic() - begun < 5


class _SlowToSend:
    def __reduce__(self) -> Any:
        time.sleep(600)
        return (int, ())


def test_a_companion_answers_many_questions_from_one_process() -> None:
    companion = Companion(lambda number: (os.getpid(), 1 / number))
    answers = [companion.ask(number, 5, None) for number in (1, 2, 4)]
    assert [value for _, value in answers] == [1, 0.5, 0.25]
    assert len({process for process, _ in answers}) == 1
    assert answers[0][0] != os.getpid()
    assert companion.ask(0, 5, "otherwise") == "otherwise"  # the answer raises, and the next is given all the same
    assert companion.ask(1, 5, None) == answers[0]


def test_a_companion_that_hangs_or_dies_is_replaced() -> None:
    def answer(what: str) -> int:
        if what == "hang":
            time.sleep(600)
        if what == "die":
            os.kill(os.getpid(), 9)
        return os.getpid()

    companion = Companion(answer)
    first = companion.ask("process", 5, None)
    begun = time.monotonic()
    assert companion.ask("hang", 0.3, "otherwise") == "otherwise"
    assert time.monotonic() - begun < 5
    second = companion.ask("process", 5, None)
    assert companion.ask("die", 5, "otherwise") == "otherwise"
    assert len({first, second, companion.ask("process", 5, None), os.getpid()}) == 4


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell what another process has computed")
def test_a_companion_has_the_time_that_it_computes() -> None:
    """Waiting, as on a busy machine, is no work; and what it computes counts for who asks."""
    waits = Companion(lambda seconds: time.sleep(seconds) or "done")
    assert waits.ask(0.5, 0.1, "otherwise") == "done"

    def computes(seconds: float) -> str:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return "done"

    works = Companion(computes)
    assert works.ask(0.5, 0.1, "otherwise") == "otherwise"
    with time_limit(0.3):
        assert works.ask(0.1, 5, "otherwise") == "done"
        assert works.ask(1.0, 5, "otherwise") == "otherwise"
        with pytest.raises(TimeLimit):
            computes(0.2)


def test_a_time_limit_does_not_interrupt_what_a_fork_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is raised there Python prints and discards, and a lock of a library may stay taken."""
    held = []

    def fork() -> int:
        held.append(signal.SIGPROF in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        return forked()

    forked = os.fork
    monkeypatch.setattr(os, "fork", fork)
    inside = isolated(lambda: signal.SIGPROF in signal.pthread_sigmask(signal.SIG_BLOCK, ()), 5, None)
    assert (held, inside) == ([True], False)
    assert signal.SIGPROF not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_forked_process_has_a_companion_of_its_own() -> None:
    companion = Companion(lambda _: os.getpid())
    here = companion.ask(None, 5, None)
    there = isolated(lambda: companion.ask(None, 5, None), 5, None)
    assert there not in (None, here)
    assert companion.ask(None, 5, None) == here


def test_an_isolated_call_that_hangs_while_sending_is_killed() -> None:
    begun = time.monotonic()
    assert isolated(lambda: [b"x" * 100_000, _SlowToSend()], 0.5, "otherwise") == "otherwise"
    assert time.monotonic() - begun < 5
