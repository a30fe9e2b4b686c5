"""The prints of the claims, found again in the text of the papers: ``python tests/printed.py FOLDER_OF_PAPERS``.

The folder has a file ``<paper>_<year>.md`` for each paper, ``<paper>`` being the folder of its results; it is no part
of the project. What is found, and why a print is not, is kept in ``printed.json``. A reason is written there by hand,
and kept as long as the print stays what it is.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from quoting import Paper, said

from grpo_symbolic import catalogue
from grpo_symbolic.index import Listing

RECORD = Path(__file__).with_suffix(".json")
COMMAND = "python tests/printed.py FOLDER_OF_PAPERS"
_SCANNED = {  # what a scan has for one sign of its paper: Patel's arrow over "text", in three ways
    "patel": {
        r"\\vec\{t_\{ext\}_(\w)\}": r"\\vec{text}_\1",
        r"\\vec\{t\}ext": r"\\vec{text}",
        r"\\vec\{t_\{x\}t_(\w|\{\w+\})\}": r"\\vec{text}_\1",
    }
}


def prints() -> list[Listing]:
    """The claims that have a print."""
    return [c for c in catalogue.index().listings.values() if c.printed is not None]


def digest(printed: str) -> str:
    """By which the record knows a print."""
    return hashlib.sha256(printed.encode()).hexdigest()[:12]


def recorded() -> dict[str, dict[str, str]]:
    """What is kept of each print: its digest, and how and in which lines it was found, or the reason why not."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def numbers(record: Mapping[str, Mapping[str, str]]) -> str:
    """How many prints were found and how, in a sentence."""
    found = Counter(entry.get("found", "listed") for entry in record.values())
    return (
        f"of {len(record)} prints {found['verbatim']} are there in one run, {found['pieces']} in pieces, "
        f"and {found['listed']} are listed with the reason why not"
    )


def look_up(folder: Path, kept: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[Listing, dict[str, str], str]]:
    """Each claim that has a print, what is to be kept of it, and the place nearest to a print that is not found."""
    papers: dict[str, Paper | None] = {}
    for claim in prints():
        if claim.paper not in papers:
            files = sorted(folder.glob(f"{claim.paper}_[0-9][0-9][0-9][0-9].md"))
            scanned = _SCANNED.get(claim.paper)
            papers[claim.paper] = Paper(files[0].read_text(encoding="utf-8"), scanned) if files else None
        paper, printed, before = papers[claim.paper], str(claim.printed), kept.get(claim.id, {})
        entry = {"digest": digest(printed)}
        same = before.get("digest") == entry["digest"]
        places = paper.find(printed) if paper else None
        if places:
            lines = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in places)
            yield claim, {**entry, "found": "verbatim" if len(places) == 1 else "pieces", "lines": lines}, ""
        elif same and not paper:
            yield claim, dict(before), ""
        else:
            near = paper.nearest(printed) if paper else "the folder has not its paper"
            yield claim, {**entry, "reason": before.get("reason", "") if same else ""}, near


def main(folder: Path) -> int:
    """Write the record and print what is not found; one if some of that has no reason yet."""
    record = {}
    for claim, entry, near in look_up(folder, recorded()):
        record[claim.id] = entry
        if near:
            print(f"{claim.id} ({claim.place}, {claim.locator}): {entry['reason'] or 'NO REASON YET'}")
            print(f"    is   {' '.join(said(str(claim.printed)))}\n    near {near}")
    lines = (f"{json.dumps(id)}: {json.dumps(record[id], ensure_ascii=False)}" for id in sorted(record))
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(numbers(record))
    return int(any("found" not in entry and not entry["reason"] for entry in record.values()))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {COMMAND}")
    sys.exit(main(Path(sys.argv[1])))
