"""The release: a source distribution that holds the checkout, and a wheel made of it that lists, shows and verifies
with no checkout in sight.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from checkout import ROOT
from packaging.requirements import Requirement

from grpo_symbolic import __version__, catalogue


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


@pytest.mark.slow("the wheel, installed")
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
    shown = run(installed, tmp_path, "show", "vy-eq14-lower-bound", "--evidence")
    assert shown.returncode == 0, shown.stderr
    assert "certificate" in shown.stdout
    (promised,) = re.findall(r"```text\n(vy-eq14-lower-bound.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    assert set(promised.splitlines()) <= set(shown.stdout.splitlines())
    verified = run(installed, tmp_path, "verify", "--id", "vy-eq14-lower-bound")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert re.search("1 claim: 1 (proved|argued)", verified.stdout)


def test_the_index_is_made_of_what_the_build_requires() -> None:
    required = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    there = {"grpo_symbolic", *(Requirement(r).name.replace("-", "_") for r in required)}
    alone = (
        "import sys\n"
        "class Only:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] not in {there} | sys.stdlib_module_names:\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Only())\n"
        "from grpo_symbolic.index import Index\n"
    )
    done = subprocess.run([sys.executable, "-c", alone], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_source_distribution_holds_the_checkout(distributions: Path) -> None:
    (archive,) = distributions.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        held = {name.partition("/")[2] for name in opened.getnames()}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no checkout, so nothing says what one holds")
    tracked = {f for f in listed.stdout.split("\0") if f and not f.startswith(".ci/") and (ROOT / f).is_file()}
    assert tracked - held == set()
    assert [f for f in held if f.startswith((".venv", ".git/", ".grpo-symbolic", "book/_build"))] == []


def test_the_release_is_named_alike_everywhere() -> None:
    changes = re.findall(r"^## (\S+) \(([\d-]+)\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert changes[0] == (cited["version"], str(cited["date-released"])) == (__version__, changes[0][1])
    named = {paper["title"] for paper in cited["references"]}
    papers = catalogue.index().papers
    assert {papers[p][0] for p in ("vojnovic_yun", "mroueh", "patel", "liu")} == named
    arxiv = {i["value"] for paper in cited["references"] for i in paper.get("identifiers", [])}
    assert arxiv == {f"arXiv:{number}" for _, number in papers.values() if number}


def test_constraints_name_versions_and_no_addresses() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [Requirement(line) for line in lines]
    assert [p.name for p in pins if p.url or p.extras or [s.operator for s in p.specifier] != ["=="]] == []
    assert [line for line in lines if "+" in line or "/" in line] == []  # no local builds, no places
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"].values()
    extras = project["project"]["optional-dependencies"].values()
    wanted = [*project["project"]["dependencies"], *(name for group in [*groups, *extras] for name in group)]
    pinned = {line.split("==")[0] for line in lines}
    assert {re.split(r"[<>=!~ ;\[]", w)[0].lower() for w in wanted} <= pinned
