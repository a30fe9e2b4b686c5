"""``grpo-symbolic sweep`` as a user meets it: exit statuses, what it prints, and bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from command_line import cli, complaint
from papers import written

from grpo_symbolic.cli.pages.meter import Meter

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

    return partial(written, tmp_path, HEADER)


def test_a_sweep_of_a_true_claim_says_that_it_proves_nothing_and_keeps_nothing(
    store: Path, paper: Callable[..., Path]
) -> None:
    result = cli("sweep", "one-true", paper(TRUE), "--samples", "2e4", "--seed", 5)
    assert result.exit_code == 0, result.output
    assert "20,000 instances" in result.stdout
    assert "Floating-point instances prove nothing: what they say has the grade swept." in result.stdout
    assert not (store / "ledgers").exists()


@pytest.mark.usefixtures("store")
def test_a_confirmed_violation_refutes_and_exits_1(paper: Callable[..., Path]) -> None:
    folder = paper(FALSE)
    target = folder.parent / "found.json"
    result = cli("sweep", "one-false", folder, "--samples", 20000, "--json", target)
    assert result.exit_code == 1, result.output
    assert "refuted at the exact point" in result.stdout
    found = json.loads(target.read_text())
    assert found["refuted"]
    (part,) = found["parts"]
    assert (part["obligation"], part["outcome"]) == ("for all", "refuted")
    assert part["violations"] >= part["confirmed"]["violated"] > 0
    assert part["witness"].keys() == {"beta", "p"}


def test_the_same_seed_finds_the_same_and_a_chunk_changes_nothing(store: Path, paper: Callable[..., Path]) -> None:
    asked = ("sweep", "one-true", paper(TRUE), "--samples", 30000, "--json", "-")
    one, two, other = (json.loads(cli(*asked, *more).stdout) for more in ((), ("--chunk", 4096), ("--seed", 1)))
    for document in (one, two, other):
        for measured in ("seconds", "per_second"):
            del document["parts"][0][measured]
    assert one == two
    assert one["parts"] != other["parts"]


def test_stopped_it_ends_with_130(store: Path, paper: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(meter: Meter, done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Meter, "__call__", interrupt)
    assert cli("sweep", "one-true", paper(TRUE)).exit_code == 130


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
print(found.refuted, found.parts[-1].violations, found.parts[-1].sentences[-1])
"""


def test_with_nothing_but_sympy_mpmath_and_numpy(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "False 0 ball arithmetic unavailable: python-flint is not installed", done.stderr
