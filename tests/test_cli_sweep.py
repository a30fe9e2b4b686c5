"""``grpo-symbolic sweep`` as a user meets it: exit statuses, what the ledger keeps, going on after an interruption."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grpo_symbolic.cli import app
from grpo_symbolic.cli.pages.meter import Meter
from grpo_symbolic.ledger import Entry, Ledger
from grpo_symbolic.proof.claims import Catalogue
from grpo_symbolic.proof.statements.evidence import Evidence, Grade, Outcome, Verdict
from grpo_symbolic.verification import swept
from grpo_symbolic.verification.records import Record
from grpo_symbolic.verification.runner import Verification
from grpo_symbolic.verification.store import Store
from grpo_symbolic.verification.words import Words

HEADER = """
from sympy import *
from grpo_symbolic.notation import beta, p
from grpo_symbolic.proof import Always, Domain, Equal, Result, Tends
claim = Result(__file__).claim
place = dict(locator="Sec 1", title="A test", printed="1=1")
inside = Domain(0 < p, p < 1, beta > 0)
"""
TRUE = 'claim("one-true", Always(p*(1 - p) <= Rational(1, 4)), inside, **place)\n'
FALSE = 'claim("one-false", Always(Or(p < 1 - Rational(1, 10**9), beta > Rational(1, 10**9))), inside, **place)\n'
LIMIT = 'claim("one-limit", Tends(p/(1 + p), p, 0, 0), Domain(beta > 0), **place)\n'
_numbers = count()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, and a working directory of the test's own."""
    monkeypatch.delenv("GRPO_SYMBOLIC_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / ".grpo-symbolic"


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Writes a paper of a user's own, and loads no other: the built-in papers take seconds."""
    monkeypatch.setattr("grpo_symbolic.catalogue.builtin_folders", list)

    def write(text: str) -> Path:
        folder = tmp_path / f"swept_{os.getpid()}_{next(_numbers)}"
        folder.mkdir()
        (folder / "result.py").write_text(HEADER + text, encoding="utf-8")
        return folder

    return write


def cli(*arguments: object) -> Result:
    """The command in this process."""
    return CliRunner().invoke(app, [str(a) for a in arguments])


def ledger(result: Result) -> Ledger:
    """The ledger that a command wrote to standard output."""
    return Ledger.from_json(json.loads(result.stdout))


def complaint(result: Result) -> str:
    """The one sentence on standard error of a command that was given bad input."""
    assert result.exit_code == 2, result.output
    (sentence,) = result.stderr.strip().splitlines()
    return sentence.removeprefix("grpo-symbolic: ")


def test_a_sweep_of_a_true_claim_enters_the_ledger_and_changes_no_verdict(
    store: Path, paper: Callable[..., Path]
) -> None:
    folder = paper(TRUE)
    before = ledger(cli("verify", folder, "--json", "-")).claims[0]
    result = cli("sweep", "one-true", folder, "--samples", "2e4", "--seed", 5)
    assert result.exit_code == 0, result.output
    assert "20,000 instances" in result.stdout
    assert "grade swept" in result.stdout
    for command in (("verify", folder, "--json", "-"), ("verify", folder, "--json", "-")):  # anew, then as it was kept
        after = ledger(cli(*command)).claims[0]
        assert replace(after, evidence=before.evidence) == before
        assert [e.artefact for e in after.evidence if e.settles] == [e.artefact for e in before.evidence if e.settles]
        (evidence,) = [e for e in after.evidence if e.grade is Grade.swept]
        assert (evidence.checker, evidence.outcome, evidence.seed) == ("sweep", "holds", 5)
        assert evidence.engine.startswith("numpy")
        assert "instances a second" in evidence.artefact
    assert " sweep " in cli("show", "one-true", folder, "--evidence").stdout
    assert not list((store / "sweeps").glob("*"))


def test_a_confirmed_violation_refutes_and_exits_1(store: Path, paper: Callable[..., Path]) -> None:
    folder = paper(FALSE)
    target = folder.parent / "found.json"
    result = cli("sweep", "one-false", folder, "--samples", 20000, "--json", target)
    assert result.exit_code == 1, result.output
    assert "refuted at the exact point" in result.stdout
    found = json.loads(target.read_text())
    assert found["refuted"]
    assert found["parts"][0]["violations"] >= found["parts"][0]["confirmed"]["violated"] > 0
    entry = Entry.from_json(json.loads(cli("show", "one-false", folder, "--verify", "--json").stdout))
    assert entry.verdict == "refuted"
    assert {e.checker: e.grade for e in entry.evidence}["sweep witness"] is Grade.certified
    assert store.is_dir()


def test_only_a_confirmed_refutation_weighs(store: Path, paper: Callable[..., Path]) -> None:
    from grpo_symbolic import catalogue as sources

    loaded: Catalogue = sources.load([paper(TRUE)])
    claim = loaded.claims["one-true"]
    ((_, obligation),) = claim.obligations()
    unknown = Evidence("holds", "x", "nobody", Grade.none, Outcome.unknown, "none", 0.0)
    kept = Store(store)
    run = Verification(loaded, kept, evidence={obligation.key(): [unknown]})
    said = Record.of(claim, Words("", "", "", (), "", (), (), (), ()), Verdict.proved).entry
    assert run._entry(claim, said, run._judge(claim)).verdict == "unknown"
    seen = Evidence("holds", "x", "sweep", Grade.swept, Outcome.holds, "numpy 2", 1.0, 0)
    swept.keep(kept, obligation, [seen])
    entry = run._entry(claim, said, run._judge(claim))
    assert entry.verdict == "unknown"
    assert entry.evidence[-1].grade is Grade.swept
    boast = Evidence("holds", "x", "sweep", Grade.certified, Outcome.holds, "numpy 3", 1.0, 0)
    swept.keep(kept, obligation, [boast])
    assert [e.engine for e in swept.kept(kept, obligation)] == ["numpy 2"]  # more than swept is not believed
    witness = Evidence("holds", "x", "sweep witness", Grade.certified, Outcome.refuted, "Arb 1", 1.0, 0)
    swept.keep(kept, obligation, [witness])
    assert run._entry(claim, said, run._judge(claim)).verdict == "refuted"


def test_stopped_and_called_again_is_as_if_never_stopped(
    store: Path, paper: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = paper(TRUE)
    options = ("one-true", folder, "--samples", 30000, "--chunk", 4096, "--json", "-")
    whole = json.loads(cli("sweep", *options).stdout)
    calls = count()
    original = Meter.__call__

    def interrupt(meter: Meter, done: int, total: int, what: str) -> None:
        if next(calls) == 3:
            raise KeyboardInterrupt
        original(meter, done, total, what)

    monkeypatch.setattr(Meter, "__call__", interrupt)
    stopped = cli("sweep", *options)
    assert stopped.exit_code == 130
    assert "the same command goes on from there" in stopped.stderr
    (state,) = (store / "sweeps").glob("*.json")
    assert json.loads(state.read_text())["block"] == 4 * 4096 // 256
    monkeypatch.setattr(Meter, "__call__", original)
    again = json.loads(cli("sweep", *options).stdout)
    for document in (whole, again):
        for measured in ("seconds", "per_second", "seconds_confirming"):
            del document["parts"][0][measured]
    assert again == whole
    assert not state.exists()


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("one-tru",), ["no claim", "'one-tru'", "one-true"]),
        (("one-true", "--samples", 0), ["samples", "1 at least", "0"]),
        (("one-true", "--samples", "2.5"), ["samples", "whole number", "2.5"]),
        (("one-true", "--backend", "abacus"), ["abacus", "numpy"]),
        (("one-true", "--device", "cuda"), ["cuda"]),
        (("one-true", "--dtype", "int8"), ["int8", "float64"]),
        (("one-limit",), ["nothing to sweep", "one-limit", "limit"]),
        (("one-true", "--json", "."), ["folder"]),
    ],
)
def test_bad_input_is_one_sentence(paper: Callable[..., Path], arguments: tuple[object, ...], words: list[str]) -> None:
    folder = paper(TRUE + LIMIT)
    sentence = complaint(cli("sweep", arguments[0], folder, *arguments[1:]))
    for word in words:
        assert word in sentence


BARE = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"flint", "z3", "cvc5", "gmpy2", "typer", "rich", "scipy", "pyarrow", "matplotlib"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
import grpo_symbolic as gs
import grpo_symbolic.numeric
found = gs.numeric.sweep("vy-eq14-lower-bound", 5000, worst=5)
print(found.refuted, found.parts[-1].violations, found.parts[-1].confirmed.unavailable)
"""


def test_with_nothing_but_sympy_mpmath_and_numpy(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.stdout.strip() == "False 0 python-flint is not installed", done.stderr
