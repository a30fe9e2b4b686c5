"""The wheel: installed into an empty folder, with no checkout in sight, it lists, shows and verifies."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def run(installed: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The installed command in a folder of its own; the checkout's package is not the one that is found."""
    environment = {k: v for k, v in os.environ.items() if k != "GRPO_SYMBOLIC_STORE"} | {"PYTHONPATH": str(installed)}
    command = [sys.executable, "-P", "-m", "grpo_symbolic", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


def test_the_result_files_travel_inside(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = [f for kind in ("py", "v") for f in (ROOT / "derivations").glob(f"*/*.{kind}")]
    results = {f"grpo_symbolic/derivations/{f.parent.name}/{f.name}" for f in files}
    assert results <= names
    assert {"grpo_symbolic/py.typed", "grpo_symbolic/derivations/index.json"} <= names
    assert [n for n in names if not re.match(r"grpo_symbolic(/|-[^/]*\.dist-info/)", n) or n.endswith(".pyc")] == []


def test_an_installed_copy_works_without_a_checkout(installed: Path, tmp_path: Path) -> None:
    where = "import grpo_symbolic, grpo_symbolic.catalogue as c; print(grpo_symbolic.__file__, *c.builtin_folders())"
    environment = os.environ | {"PYTHONPATH": str(installed)}
    found = subprocess.run(
        [sys.executable, "-P", "-c", where], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert all(Path(place).is_relative_to(installed.resolve()) for place in found.stdout.split()), found

    shipped = (
        "from grpo_symbolic import catalogue as c, index as i; i.read = None;"
        "print(len(c.index().listings), c.index().unread)"
    )
    told = subprocess.run(
        [sys.executable, "-P", "-c", shipped], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert re.fullmatch(r"\d{3,} \[\]\n", told.stdout), told  # all from the index that was shipped: no file was read
    listed = run(installed, tmp_path, "list")
    assert listed.returncode == 0, listed.stderr
    assert "vy-eq14" in listed.stdout
    verified = run(installed, tmp_path, "verify", "--id", "vy-eq14-lower-bound")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert re.search("1 claim: 1 (proved|argued)", verified.stdout)
    shown = run(installed, tmp_path, "show", "vy-eq14-lower-bound", "--evidence")
    assert shown.returncode == 0, shown.stderr
    assert "decision-z3" in shown.stdout


def test_constraints_name_versions_and_no_addresses() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [Requirement(line) for line in lines]
    assert [p.name for p in pins if p.url or p.extras or [s.operator for s in p.specifier] != ["=="]] == []
    assert [line for line in lines if "+" in line or "/" in line] == []  # no local builds, no places
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"].values()
    wanted = [*project["project"]["dependencies"], *(name for group in groups for name in group)]
    pinned = {line.split("==")[0] for line in lines}
    assert {re.split(r"[<>=!~ ;\[]", w)[0].lower() for w in wanted} <= pinned
