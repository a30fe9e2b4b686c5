"""The totals in README and tutorial, from what is kept of the claims, and the lines of what is believed, from the
files: ``python tests/totals_page.py`` writes them again.

What the files expect is what a run finds, or it fails; so nothing is verified for this.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from pathlib import Path

from checkout import ROOT

from grpo_symbolic.cli.pages.terminal import totals_of
from grpo_symbolic.ledger import Totals
from grpo_symbolic.proof.statements.evidence import PrintVerdict
from grpo_symbolic.session import Session
from grpo_symbolic.verification.store import Store

README = ROOT / "README.md"
TUTORIAL = ROOT / "docs" / "tutorial" / "first_steps.md"
CHECKING = ROOT / "docs" / "explanation" / "checking.md"


def totals() -> Totals:
    """The totals of a run in which every claim has the verdict that its file expects."""
    session = Session((), Store(ROOT / "nowhere"))
    found = []
    for r in chain.from_iterable(session.records(session.files).values()):
        read = r.entry.print_expected is PrintVerdict.holds and r.entry.print_unread
        on_print = PrintVerdict.as_read if read else r.entry.print_expected
        found.append(replace(r.entry, verdict=r.entry.expected, print_verdict=on_print))
    lacking = session.index.listings.keys() - {c.id for c in found}
    assert not lacking, f"of {len(lacking)} claims what is kept is not of their files: run grpo-symbolic verify first"
    return Totals.of(found)


def pages() -> dict[Path, str]:
    """README, tutorial and the page on checking as they should be."""
    expected = totals()
    n = expected.verdicts
    said = (
        f"Of {expected.claims} claims in this version {n['proved']} are proved, {n['argued']} argued, {n['supported']} "
        f"supported by samples only, and {n['definition']} are definitions"
    )
    table = "\n".join(totals_of(expected)[:3])
    return {
        README: _put(README, r"Of \d+ claims in this version .*? are definitions", said),
        CHECKING: _with_lines(CHECKING.read_text(encoding="utf-8")),
        TUTORIAL: _put(TUTORIAL, r"^\d+ claims: .*\ndecided by .*\n\d+ sentences of papers: .*", table),
    }


def _with_lines(text: str) -> str:
    """A page in whose tables the last cell counts the lines of the files that the cell before names."""

    def counted(row: re.Match[str]) -> str:
        named = [sorted((ROOT / "grpo_symbolic").glob(f"{name}.py")) for name in re.findall("`(.*?)`", row[1])]
        assert all(named), row[0]
        return f"{row[1]}{sum(len(f.read_text('utf-8').splitlines()) for files in named for f in files):,} |"

    return re.sub(r"^(\|[^|]+\|(?: `[\w/*]+`)+ \| )[\d,]+ \|$", counted, text, flags=re.M)


def _put(page: Path, old: str, new: str) -> str:
    text, number = re.subn(old, lambda _: new, page.read_text(encoding="utf-8"), flags=re.M)
    if number != 1:
        raise ValueError(f"{page.name} has {number} places for its totals: expected one")
    return text


if __name__ == "__main__":
    for page, text in pages().items():
        page.write_text(text, encoding="utf-8")
