"""The README and the documentation: what they print is what is printed, and what they name or link to exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT
from command_line import cli
from totals_page import pages

from grpo_symbolic import catalogue
from grpo_symbolic.verification import kernel

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]
SCREENS = 2 * 50  # lines


def test_the_first_steps_print_what_the_tutorial_shows() -> None:
    text = (ROOT / "docs" / "tutorial" / "first_steps.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```\s+prints\s+```\n(.*?)```", text, re.DOTALL)
    assert found is not None
    run = subprocess.run([sys.executable, "-c", found[1]], capture_output=True, text=True, check=True)
    assert run.stdout == found[2]


def test_the_prediction_of_the_readme_is_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, command, shown = re.search(  # type: ignore[union-attr]
        r"printf '(.*)' > pass_rates.csv\ngrpo-symbolic (.*)\n```\s+```text\n(.*?)```", README, re.DOTALL
    ).groups()
    monkeypatch.chdir(tmp_path)
    Path("pass_rates.csv").write_text(table.replace("\\n", "\n"), encoding="utf-8")
    done = cli(*command.split())
    assert done.exit_code == 0, done.output
    assert set(shown.splitlines()) <= set(done.stdout.splitlines())


def test_the_totals_are_those_of_the_index() -> None:
    found = pages()
    assert {page: page.read_text(encoding="utf-8") for page in found} == found, "python tests/totals_page.py"


def test_the_changelog_counts_headlines_and_claims_for_coq() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    listings = catalogue.index().listings.values()
    printed = sum(bool(c.headline and not c.says) for c in listings)
    assert f"(`eq14.claims`): {printed} of {len(listings)}." in text
    assert f"limits among it: {len(kernel.expected())} claims." in text


def test_the_readme_fits_on_two_screens() -> None:
    assert len(README.splitlines()) <= SCREENS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_claims_and_pages_it_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:vy|mr|pt|liu|br|by|tr)-[\w-]+)`", text))
    assert named <= catalogue.ids()
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)", text):
        file = (page.parent / target) if target else page
        assert file.exists(), target
        heads = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M) if anchor else []
        slugs = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
        assert not anchor or anchor[1:] in slugs, target + anchor


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / target).resolve() for target in re.findall(r"\]\(([^)#]+)", index.read_text("utf-8"))}
    assert set(DOCS) - {index} <= linked
