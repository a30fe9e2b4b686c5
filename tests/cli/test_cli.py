"""The command line as a user meets it: exit statuses, sentences, pages, the ledger, runs that are killed or meet."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from checkout import ROOT
from command_line import cli, complaint
from papers import written

from grpo_symbolic.ledger import Ledger

EXAMPLE = ROOT / "tests" / "my_paper"
HEADER = """
from sympy import *
from grpo_symbolic.notation import beta, gamma, o, p, x, y
from grpo_symbolic.objectives import Answers, SHIFT_AND_SCALE, binary, grpo
from grpo_symbolic.proof import Always, Derivation, Domain, Equal, Result, wrong
claim = Result(__file__).claim
place = dict(locator="Sec 1", title="A test", printed="1=1")
inside = Domain(0 < p, p < 1)
"""
TRUE = 'claim("one-true", Equal((p + 1)**2, p**2 + 2*p + 1), inside, **place)'


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, and a working directory of the test's own."""
    folder = tmp_path / "store"
    monkeypatch.setenv("GRPO_SYMBOLIC_STORE", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def paper(tmp_path: Path) -> Callable[..., Path]:
    """Writes a paper of a user's own: one result file for each text. Its folder has a name that no other test uses."""

    return partial(written, tmp_path, HEADER)


def command(*arguments: object) -> list[str]:
    """The command as a process of its own."""
    return [sys.executable, "-m", "grpo_symbolic", *map(str, arguments)]


# -- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--bogus", "no such option: --bogus; see"),
        ("list --bogus", "no such option: --bogus; see"),
        ("verify --jobs 0", "invalid value for '--jobs': it should be greater than or equal to 1; see"),
        ("sweep --seed x", "invalid value for '--seed': it should be a valid integer; see"),
        ("nowhere", "no such command 'nowhere'; see"),
        ("show", "missing argument 'ID'; see"),
    ],
)
def test_misused_options_are_told_in_one_sentence(words: str, told: str) -> None:
    assert complaint(cli(*words.split())).startswith(told)


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('claim("c", Equal(x, x + 0*y + p), inside, **place)', ["x", "'c'", "no domain", "result_0.py"]),
        ('claim("c", Equal(p, p), Domain(p > 1, p < 0), **place)', ["domain", "p > 1", "empty", "result_0.py"]),
        ("import no_such_module", ["result_0.py", "does not import", "no_such_module"]),
        ("x = (1 /\n0)", ["result_0.py", "ZeroDivisionError", "line"]),
        ("Domain(0 < p < 1)", ["result_0.py", "does not import", "not 0 < p < 1 nor 'and'"]),
        ("def half_a_function(", ["result_0.py", "does not import", "SyntaxError"]),
        ("raise SystemExit(3)", ["result_0.py", "does not import"]),
        (TRUE + "\n" + TRUE, ["'one-true'", "twice", "result_0.py"]),
        ('claim("vy-eq14", Equal(p, p), inside, **place)', ["'vy-eq14'", "twice", "result_0.py"]),
        ('claim("c", Equal(p, p), inside, depends_on=["vy-eq99"], **place)', ["'c'", "'vy-eq99'", "result_0.py"]),
        ('w = Symbol("wobble")\nclaim("c", Equal(w, w + 1), Domain(w > 0), **place)', ["wobble", "'c'", "notation"]),
        ('claim("c", Equal(p, p), inside, expect="prooved", **place)', ["prooved", "result_0.py"]),
        ("grpo(beta=0)", ["β", "positive", "0", "result_0.py"]),
        ("grpo(beta=-2)", ["β", "positive", "-2", "result_0.py"]),
        (
            "grpo(beta, 2).with_rewards((Rational(3, 4), Rational(1, 2)), binary(p), binary(p), (1, 0), Answers(2))",
            ["probabilities", "policy", "5/4", "1", "result_0.py"],
        ),
        (
            "grpo(beta, 2).with_rewards((Rational(3, 2), Rational(-1, 2)), binary(p), binary(p), (1, 0), Answers(2))",
            ["3/2", "probability", "result_0.py"],
        ),
        ("grpo(beta, group_size=1)", ["group size", "at least 2", "1", "result_0.py"]),
        ("SHIFT_AND_SCALE.of_group([1, nan])", ["rewards", "nan", "result_0.py"]),
        ("", ["no claim", "claim("]),
    ],
)
def test_bad_result_file(paper: Callable[..., Path], text: str, words: list[str]) -> None:
    sentence = complaint(cli("verify", paper(text)))
    assert [w for w in words if w.lower() not in sentence.lower()] == []


@pytest.mark.usefixtures("store")
def test_unknown_id_suggests_what_was_meant(paper: Callable[..., Path]) -> None:
    folder = paper(TRUE)
    assert "did you mean one-true" in complaint(cli("verify", folder, "--id", "one-tru"))
    assert "'one-tru'" in complaint(cli("show", "one-tru", folder))


@pytest.mark.usefixtures("store")
def test_a_misspelt_id_beside_a_folder_is_no_question(paper: Callable[..., Path]) -> None:
    folder = paper('claim("gspo-slope", Equal(p + p, 2*p), inside, **place)')
    assert "gspo-slope (Sec 1)" in complaint(cli("show", "gspo-slopes", str(folder)))
    assert "Is GSPO another objective?" in cli("show", "gspo").stdout


@pytest.mark.usefixtures("store")
def test_show_replays_the_kept_proofs_and_searches_nothing(paper: Callable[..., Path]) -> None:
    folder = paper(TRUE)
    shown = cli("show", "one-true", folder)
    assert shown.exit_code == 0, shown.stderr
    assert "supported (its file expects proved)" in shown.stdout  # by samples alone
    assert "no proof is kept of it: run grpo-symbolic verify" in shown.stdout
    assert "verdict      proved" in cli("show", "one-true", folder, "--verify").stdout
    assert "verdict      proved" in cli("show", "one-true", folder).stdout


@pytest.mark.usefixtures("store")
def test_unknown_builtin_id() -> None:
    assert "vy-eq14-lower-bound" in complaint(cli("show", "vy-eq14-lower-bond"))


@pytest.mark.usefixtures("store")
def test_words_of_the_field_find_their_claims_and_options() -> None:
    shown = cli("show", "DrGRPO")
    assert shown.exit_code == 0
    assert "liu-rloo-advantage" in shown.stdout
    assert "trainer trl --set loss_type=dr_grpo" in shown.stdout
    assert "trainer trl --set epsilon_high=NUMBER" in cli("show", "epsilon_high").stdout
    assert "mr-thm3-cosh-quadratic" not in cli("show", "TIS").stdout  # whose title has "t is"
    assert "'nonsense'" in complaint(cli("show", "nonsense"))


@pytest.mark.usefixtures("store")
def test_bad_arguments(tmp_path: Path, paper: Callable[..., Path]) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    (tmp_path / "empty").mkdir()
    (tmp_path / "not-a-name").mkdir()
    shutil.copy(EXAMPLE / "bernoulli_variance.py", tmp_path / "not-a-name")
    assert "nowhere" in complaint(cli("verify", "nowhere"))
    assert ".py" in complaint(cli("verify", tmp_path / "notes.txt"))
    assert "no result files" in complaint(cli("verify", tmp_path / "empty"))
    assert "not-a-name" in complaint(cli("verify", tmp_path / "not-a-name"))
    assert "is a folder" in complaint(cli("verify", paper(TRUE), "--json", tmp_path))
    assert "vojnovic_yun" in complaint(cli("list", "--paper", "vojnovic"))
    assert "proved" in complaint(cli("list", "--verdict", "prooved"))


def test_a_store_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paper: Callable[..., Path]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GRPO_SYMBOLIC_STORE", str(tmp_path / "file"))
    assert "file" in complaint(cli("verify", paper(TRUE)))


def test_bad_input_loses_nothing(store: Path, paper: Callable[..., Path]) -> None:
    cli("verify", paper(TRUE))
    before = sorted(store.rglob("*.json"))
    complaint(cli("verify", paper("import no_such_module")))
    assert sorted(store.rglob("*.json")) == before != []


# -- verdicts and exit statuses ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("store")
def test_unexpected_verdict_fails(paper: Callable[..., Path]) -> None:
    result = cli("verify", paper('claim("too-much", Always(p < Rational(1, 2)), inside, **place)'))
    assert result.exit_code == 1
    assert "too-much is refuted, its file expects proved" in result.output


@pytest.mark.usefixtures("store")
def test_unsupported_judgement_on_the_print_fails(paper: Callable[..., Path]) -> None:
    text = 'claim("slander", Always(p < 1), inside, judged=wrong("It is not.", Always(p <= 1)), **place)'
    result = cli("verify", paper(text))
    assert result.exit_code == 1
    assert "slander: the evidence does not bear out" in result.output


@pytest.mark.usefixtures("store")
def test_surviving_mutant_fails(paper: Callable[..., Path]) -> None:
    """Without its upper end the domain is unbounded and the statement remains true, which only samples say."""
    folder = paper('claim("loose", Always(exp(x) + x**2 > 2), Domain(1 < x, x < 2), **place)')
    assert cli("verify", folder).exit_code == 0
    result = cli("verify", folder, "--mutate", "--json", "ledger.json")
    (entry,) = Ledger.read(Path("ledger.json")).claims
    assert entry.mutants.survived > 0
    assert result.exit_code == 1
    assert "loose: a mutant survived (without x < 2" in result.output


# -- the ledger and the pages -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory in which the example paper has been verified, with mutants; its ledger is ledger.json."""
    folder = tmp_path_factory.mktemp("example")
    shutil.copytree(EXAMPLE, folder / "my_paper", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        command("verify", "my_paper", "--mutate", "--json", "ledger.json"),
        cwd=folder,
        env=clean_environment(),
        capture_output=True,
        text=True,
    )
    (folder / "output.txt").write_text(done.stdout)
    assert done.returncode == 0, done.stderr
    return folder


def clean_environment(**more: str) -> dict[str, str]:
    """This process's environment without what steers the store or the width of a terminal."""
    kept = {k: v for k, v in os.environ.items() if k not in ("GRPO_SYMBOLIC_STORE", "COLUMNS", "FORCE_COLOR")}
    return {**kept, **more}


CONTRACT = {
    "id": str,
    "paper": str,
    "origin": str,
    "locator": str,
    "title": str,
    "printed": str,
    "sentence": str,
    "domain": str,
    "kind": str,
    "verdict": str,
    "print_verdict": str,
    "depends_on": list,
    "rules": list,
    "words": list,
    "evidence": list,
    "crosscheck": str,
    "mutants": dict,
}
EVIDENCE = "about obligation checker grade outcome engine seconds seed digits domain artefact"


def test_ledger_keeps_the_contract(example: Path) -> None:
    document = json.loads((example / "ledger.json").read_text())
    assert document["schema"] == 3
    assert {"grpo-symbolic", "python", "sympy", "z3-solver", "cvc5"} <= set(document["environment"])
    assert {"claims", "verdicts", "print_verdicts", "rules", "words", "obligations", "recipes", "believes"} <= set(
        document["totals"]
    )
    for claim in document["claims"]:
        assert {name: type(claim[name]) for name in CONTRACT} == CONTRACT
        assert set(claim["mutants"]) == {"made", "refuted", "equivalent", "survived", "unknown"}
        for e in claim["evidence"]:
            assert set(EVIDENCE.split()) <= set(e)
            assert e["about"] in ("holds", "printed")
            assert e["outcome"] in ("holds", "refuted", "unknown")
            assert e["grade"] in ("none", "sampled", "certified", "symbolic", "decision", "exact", "kernel")


def test_the_ledger_says_what_was_found(example: Path) -> None:
    ledger = Ledger.read(example / "ledger.json")
    assert ledger.totals.claims == 2
    bound = ledger.entry("my-variance-bound")
    assert (bound.paper, bound.origin, bound.verdict, bound.print_verdict) == ("my_paper", "print", "proved", "wrong")
    assert (bound.differs, ledger.entry("my-variance").differs) == (True, False)
    assert bound.mutants.made > 0 == bound.mutants.survived
    assert Ledger.from_json(json.loads(json.dumps(ledger.to_json()))) == ledger


def test_table_in_a_pipe_is_plain_and_complete(example: Path) -> None:
    output = (example / "output.txt").read_text()
    assert "\x1b" not in output
    for word in (
        "my-variance-bound",
        "Sec 1, (2)",
        "proved",
        "wrong",
        "exact",
        "agree",
        "mutants",
        "2 claims: 2 proved",
    ):
        assert word in output


def test_pages_of_one_paper(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(example)
    monkeypatch.delenv("GRPO_SYMBOLIC_STORE", raising=False)
    assert Path(".grpo-symbolic/ledgers").is_dir()
    errata = cli("errata", "my_paper").output
    assert "my-variance-bound" in errata
    assert "p = 1/2" in errata
    assert "who relies on it concludes what is false" in errata
    assert "Met with equality" in errata
    assert "my-variance  " not in errata
    assert cli("errata", "my_paper", "--paper", "my_paper").output == errata
    unwritable = cli("verify", "my_paper", "--json", "/proc/ledger.json")
    assert unwritable.exit_code == 2
    assert "/proc/ledger.json cannot be written: " in unwritable.stderr
    page = cli("show", "my-variance", "my_paper", "--derivation", "--evidence").output
    for word in ("Rewards of a coin", "Derivation my-variance", "minus the square of the mean", "Evidence", "exact"):
        assert word in page
    assert json.loads(cli("show", "my-variance", "my_paper", "--json").output)["id"] == "my-variance"
    listed = cli("list", "my_paper", "--verdict", "wrong").output
    assert "my-variance-bound" in listed
    assert "1 claim with the verdict wrong\n" in listed
    on_stdout = cli("verify", "my_paper", "--id", "my-variance", "--json", "-")
    assert list(Ledger.from_json(json.loads(on_stdout.stdout)).entries) == ["my-variance"]


def test_list_does_not_verify(store: Path, paper: Callable[..., Path]) -> None:
    result = cli("list", paper(TRUE))
    assert result.exit_code == 0
    assert "expected: proved" in result.output
    assert "none is verified yet" in result.output
    assert not store.exists()


def test_errata_of_an_unknown_paper_are_refused_before_any_checker_runs(example: Path, tmp_path: Path) -> None:
    code = "from grpo_symbolic.cli import app; app(['errata', 'my_paper', '--paper', 'nope'])"
    surroundings = {**clean_environment(), "GRPO_SYMBOLIC_STORE": str(tmp_path / "empty")}
    done = subprocess.run([sys.executable, "-c", code], cwd=example, env=surroundings, capture_output=True, text=True)
    assert done.returncode == 2
    assert "there is no paper 'nope'" in done.stderr
    assert "obligations" not in done.stderr


def test_unchanged_sources_are_answered_without_an_engine(example: Path) -> None:
    code = (
        "import sys; from grpo_symbolic.cli import app;"
        "app(['verify', 'my_paper', '--mutate'], standalone_mode=False); print('sympy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=example, env=clean_environment(), capture_output=True, text=True
    )
    assert done.stdout.endswith("False\n"), done.stderr


def test_a_changed_source_is_verified_again(store: Path, paper: Callable[..., Path]) -> None:
    folder = paper(TRUE)
    assert "this run took" in cli("verify", folder).output
    assert "nothing has changed" in cli("verify", folder).output
    assert "this run took" in cli("verify", folder, "--mutate").output  # a ledger without mutants does not do
    assert "none: " not in cli("verify", folder, "--mutate").output
    (folder / "result_0.py").open("a").write("\n# a remark\n")
    assert "this run took" in cli("verify", folder).output
    assert len(list((store / "ledgers").iterdir())) == 1  # one for each state of the package


# -- runs that are repeated, killed, or meet -


def many(number: int) -> str:
    """A paper of so many claims."""
    return "\n".join(
        f'claim("many-{i}", Always((p - Rational({i}, {number - 1}))**2 + p*(1 - p) > 0), inside, **place)'
        for i in range(number)
    )


MANY = many(8)


def evidence_files(store: Path) -> dict[Path, int]:
    """The pieces of evidence in a store and when each was written, in nanoseconds."""
    return {f: f.stat().st_mtime_ns for f in store.glob("evidence/*/[!.]*.json")}


def test_fresh_computes_again(store: Path, paper: Callable[..., Path]) -> None:
    folder = paper(TRUE)
    cli("verify", folder)
    kept = proofs_of(folder)
    assert "nothing has changed since" in cli("verify", folder, "--id", "one-true").output
    assert "this run took" in cli("verify", folder, "--fresh").output
    assert proofs_of(folder) == kept


def proofs_of(folder: Path) -> set[str]:
    """The lines of the proofs that are kept beside the result files of a folder."""
    return {line for file in folder.glob("*.proofs") for line in file.read_text().splitlines()}


def test_killed_run_resumes(store: Path, paper: Callable[..., Path]) -> None:
    folder = paper(many(100))
    run = subprocess.Popen(command("verify", folder, "--jobs", 1), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not proofs_of(folder) and run.poll() is None:
        time.sleep(0.01)
    run.kill()
    assert run.wait() == -signal.SIGKILL
    kept = proofs_of(folder)
    result = cli("verify", folder, "--json", "ledger.json")
    assert result.exit_code == 0, result.output
    after = proofs_of(folder)
    assert kept < after
    assert Ledger.read(Path("ledger.json")).totals.verdicts == {"proved": 100}


def test_interrupted_run_says_what_it_kept(store: Path, paper: Callable[..., Path]) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it, and so would the run
    folder = paper(many(400))
    run = subprocess.Popen(
        command("verify", folder, "--jobs", 1), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not proofs_of(folder) and run.poll() is None:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate()
    assert run.returncode == 130
    assert "what was found by then is kept" in errors.splitlines()[-1]
    assert "Traceback" not in errors
    assert proofs_of(folder)


def test_concurrent_runs_share_a_store(store: Path, paper: Callable[..., Path]) -> None:
    folder = paper(MANY)
    runs = [
        subprocess.Popen(command("verify", folder, "--json", f"{i}.json"), stdout=subprocess.DEVNULL) for i in range(3)
    ]
    assert [run.wait() for run in runs] == [0, 0, 0]
    assert [Ledger.read(Path(f"{i}.json")).totals.verdicts for i in range(3)] == [{"proved": 8}] * 3
    assert all(json.loads(f.read_text()) for f in evidence_files(store))
    assert list(store.rglob(".*.json.*")) == []  # no half-written file is left behind


def test_what_lies_in_the_folder_is_no_module_of_the_package(tmp_path: Path) -> None:
    for name in ("z3", "cvc5", "numpy", "typer", "rich", "sympy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)")
    command = [sys.executable, "-m", "grpo_symbolic", "list", "--paper", "liu"]
    unsaid = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    assert subprocess.run(command, cwd=tmp_path, env=unsaid, capture_output=True, check=False).returncode == 0
