"""The author's kit: what ``grpo-symbolic new`` writes passes as it stands, outside a checkout, by the wheel alone."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from grpo_symbolic import kit
from grpo_symbolic.book import mathjax
from grpo_symbolic.errors import BadInput

COMMANDS = {"pytest": "pytest", "grpo-symbolic": "grpo_symbolic", "sphinx-build": "sphinx"}
FALSE = """
from grpo_symbolic.notation import p
from grpo_symbolic.proof import Always, Domain, Result

claim = Result(__file__).claim

claim("a-false-bound", Always(p * (1 - p) < p / 2), Domain(0 < p, p < 1), locator="2", title="Too good", printed="x")
"""


def run(installed: Path, cwd: Path, command: str) -> subprocess.CompletedProcess[str]:
    """A command of the project, by the modules of the installed wheel."""
    tool, *arguments = shlex.split(command)
    paths = {"PYTHONPATH": str(installed), "GRPO_SYMBOLIC_STORE": ".grpo-symbolic"}
    return subprocess.run(
        [sys.executable, "-m", COMMANDS[tool], *arguments],
        cwd=cwd,
        env=os.environ | paths,
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def project(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("author") / "My-Paper 2"
    made = run(installed, folder.parent, f"grpo-symbolic new '{folder.name}'")
    assert made.returncode == 0, made.stderr
    return folder


def test_the_commands_of_the_ci_file_pass(installed: Path, project: Path) -> None:
    jobs = yaml.safe_load((project / ".github" / "workflows" / "check.yml").read_text("utf-8"))["jobs"]
    commands = [step["run"] for step in jobs["check"]["steps"] if "run" in step]
    install, *rest = commands
    assert install == "python -m pip install -r requirements.txt"
    assert {shlex.split(c)[0] for c in rest} == set(COMMANDS)
    for command in rest:
        done = run(installed, project, command)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert command in (project / "README.md").read_text("utf-8")
        if command == "pytest":
            assert "3 passed" in done.stdout  # two claims, and the test that is written
    page = (project / "book" / "_build" / "index.html").read_text("utf-8")
    assert "2 claims, of which 2 are proved and of whose prints 1 is wrong" in page
    assert 'id="claim-my-paper-2-k3"' in page
    assert "grpo-symbolic show my-paper-2-k3 my_paper_2" in re.sub("<[^>]*>", "", page)  # which finds it from there
    assert "What one answer out of two gains" in page  # the docstring of a paper that is not built in
    scripts = re.findall(r'<script[^>]* src="([^"?]*)', page)
    # From the web comes MathJax alone, as long as it is not put among the book's files.
    assert [s for s in scripts if not (project / "book" / "_build" / s).is_file()] == [mathjax.WEB]


@pytest.fixture
def claims(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with a result file whose claim is false."""
    monkeypatch.setenv("GRPO_SYMBOLIC_STORE", str(pytester.path / "store"))
    folder = pytester.mkdir("claims")
    (folder / "bound.py").write_text(FALSE)
    return pytester


def test_a_claim_that_fails_says_where(claims: pytest.Pytester) -> None:
    claims.makeini("[pytest]\ngrpo_symbolic_claims = claims\n")
    done = claims.runpytest_inprocess("claims")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            "a-false-bound is refuted, its file expects proved",
            "  fails at  p = *",
            "  it says   p (1 − p) < p/2",
            "  where     0 < p < 1",
        ]
    )


def test_claims_are_tests_only_where_a_project_asks(claims: pytest.Pytester) -> None:
    unasked = claims.runpytest_inprocess("--collect-only", "-q", "claims")
    unasked.stdout.fnmatch_lines(["no tests collected*"])
    asked = claims.runpytest_inprocess("--collect-only", "-q", "claims", "--claims")
    asked.stdout.fnmatch_lines(["claims/bound.py::a-false-bound"])


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("patel", "is built in"),
        ("3d", "is no name for a paper"),
        ("class", "is no name for a paper"),
        ("full", "not an"),
    ],
)
def test_names_that_no_paper_can_have_are_refused(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").touch()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(BadInput, match=complaint):
        kit.new(tmp_path / name)
    assert sorted(tmp_path.rglob("*")) == before


def test_results_that_are_not_the_files_of_the_folder_are_one_sentence(claims: pytest.Pytester) -> None:
    (claims.path / "claims" / "__init__.py").write_text('TITLE = "T"\nRESULTS = ("bounds",)\n')
    done = claims.runpytest_inprocess("claims", "--claims")
    done.assert_outcomes(errors=1)
    (said,) = [row for row in done.outlines if "RESULTS in" in row]
    assert said.endswith("names bounds, of which there is no file and does not name bound.py")
    assert not any("Traceback" in row or ".py:" in row for row in done.outlines)
