"""Claims with what is known of them: their verdict and that on their print, by a ledger or by their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grpo_symbolic.index import Index, Listing
from grpo_symbolic.ledger import UPHELD, Entry, Ledger, gravity
from grpo_symbolic.proof.statements.evidence import PrintVerdict, Verdict
from grpo_symbolic.typeset.plain import brief


@dataclass(frozen=True)
class Judged:
    """A claim as its file lists it, its ``entry`` of a ledger where there is one, its ``verdict`` and its
    ``print_verdict``; without an entry both are what the file expects.
    """

    listing: Listing
    entry: Entry | None
    verdict: Verdict
    print_verdict: PrintVerdict | None

    @property
    def record(self) -> Entry | Listing:
        """What has the claim's line: its entry of the ledger, or else the listing of its file."""
        return self.entry or self.listing

    def to_json(self) -> dict[str, Any]:
        """The claim in a few words: id, place, what it says, its verdicts; LaTeX for formulas."""
        c, entry = self.listing, self.entry
        return {
            "id": c.id,
            "paper": c.paper,
            "file": c.file,
            "locator": c.locator,
            "title": c.title,
            "says": self.record.line,
            "printed": c.printed,
            "verdict": self.verdict,
            "print_verdict": self.print_verdict,
            "verified": entry is not None,
            "domain": None if entry is None else entry.domain,
            "sentence": None if entry is None else entry.sentence,
            "read_as": None if entry is None else entry.reading or None,
            "fails_at": None if entry is None else brief(entry.witness, letters=entry.witness_letters) or None,
            "misled": self.record.consequence,
            "print_remark": c.print_remark or None,
        }


def chosen(
    listed: Sequence[Listing], known: Ledger, index: Index, verdict: str | None, print_verdict: str | None
) -> list[Judged]:
    """The claims with this verdict, or this verdict on the print, and with this ``print_verdict``; all without them."""
    rows = []
    for c in listed:
        entry = known.entries.get(c.id)
        own = index.expected[c.id] if entry is None else entry.verdict
        on_print = c.print_expected if entry is None else entry.print_verdict
        if verdict in (None, own if verdict in list(Verdict) else on_print) and print_verdict in (None, on_print):
            rows.append(Judged(c, entry, own, on_print))
    return rows


def errata(judged: Sequence[Judged]) -> list[Judged]:
    """Those whose print does not simply hold, by consequence, the gravest first."""
    failing = [row for row in judged if row.print_verdict not in UPHELD]
    return sorted(failing, key=lambda row: gravity(row.record.consequence))
