"""A ledger as a book needs it: claims by id, who uses whom, derivations by name, counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path

from grpo_symbolic.errors import check_name
from grpo_symbolic.ledger import Entry, Ledger, Step

_MARK = re.compile(
    r"(?P<word>\b[a-z]+(?:-\w+)+)"
    r"|(?<![\w-])(?P<base>[A-Za-zα-ωΑ-Ω]{1,3}\u0303?)_(?:\{(?P<below>[^{}]*)\}|(?P<sub>[^\W_]+))(?![\w.]*\.py)"
    r"|(?<=[\w)\]])\^(?:\{(?P<above>[^{}]*)\}|(?P<sup>[−+]?\w+))"
)  # a claim's id; π_old; e^{−x}


def anchor(claim_id: str) -> str:
    """The id of a claim's box in the page."""
    return f"claim-{claim_id}"


class LedgerBook:
    """What the pages of a book look up in a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.entries: Mapping[str, Entry] = ledger.entries

    def entry(self, claim_id: str) -> Entry:
        """A claim by id; raises :class:`BadInput` for an id that is not in the ledger."""
        return self.ledger.entry(claim_id)

    def of_file(self, place: str) -> list[Entry]:
        """The claims of ``paper/file`` (without .py); raises :class:`BadInput` for a file without claims."""
        check_name(place, list(self.files), "result file")
        return self.files[place]

    @cached_property
    def files(self) -> dict[str, list[Entry]]:
        """Claims by result file, in the order of the ledger."""
        return self._grouped(lambda c: f"{c.paper}/{c.file.removesuffix('.py')}")

    @cached_property
    def by_paper(self) -> dict[str, list[Entry]]:
        """Claims by paper, in the order of the ledger."""
        return self._grouped(lambda c: c.paper)

    def _grouped(self, key: Callable[[Entry], str]) -> dict[str, list[Entry]]:
        groups: dict[str, list[Entry]] = {}
        for c in self.ledger.claims:
            groups.setdefault(key(c), []).append(c)
        return groups

    @cached_property
    def papers(self) -> dict[str, str]:
        """Folder and title of each paper."""
        return {paper: self.ledger.papers.get(paper, paper) for paper in self.by_paper}

    @cached_property
    def used_by(self) -> dict[str, list[str]]:
        """For each claim the claims that rest on it."""
        users: dict[str, list[str]] = {i: [] for i in self.entries}
        for c in self.ledger.claims:
            for needed in c.depends_on:
                users.setdefault(needed, []).append(c.id)
        return users

    @cached_property
    def derivations(self) -> dict[str, list[Step]]:
        """The steps of each derivation that some claim cites."""
        steps: dict[str, dict[str, list[Step]]] = {}
        for c in self.ledger.claims:
            for step in c.steps:
                steps.setdefault(step.derivation, {}).setdefault(c.id, []).append(step)
        return {name: next(iter(cited.values())) for name, cited in steps.items()}

    def derivation(self, name: str) -> list[Step]:
        """The steps of a derivation; raises :class:`BadInput` for a name that no claim cites."""
        check_name(name, list(self.derivations), "derivation")
        return self.derivations[name]

    def matching(self, **wanted: str) -> list[Entry]:
        """The claims with these values: ``paper``, ``verdict``, ``kind``, ``print`` (a verdict on the print; only
        sentences of papers have one), ``own`` (yes: results that are not in a paper).

        >>> LedgerBook(Ledger(())).matching(verdict="proved")
        []
        """
        read: dict[str, Callable[[Entry], str | None]] = {
            "paper": lambda c: c.paper,
            "verdict": lambda c: c.verdict,
            "kind": lambda c: c.kind,
            "print": lambda c: c.print_verdict,
            "own": lambda c: "no" if c.is_printed else "yes",
        }
        claims = list(self.ledger.claims)
        for key, value in wanted.items():
            check_name(key, list(read), "filter")
            claims = [c for c in claims if read[key](c) == value]
        return claims


@lru_cache(maxsize=2)
def _load(path: Path, changed: int) -> LedgerBook:
    return LedgerBook(Ledger.read(path))


def load(path: Path) -> LedgerBook:
    """The ledger in a file, read once as long as it does not change; raises :class:`BadInput` for anything else."""
    return _load(path, path.stat().st_mtime_ns if path.exists() else 0)


def pieces(text: str, ids: Collection[str]) -> Iterator[tuple[str, str]]:
    """A remark as (kind, text): plain, claim (an id), sub or sup.

    >>> list(pieces("of π_old, see vy-eq14", ["vy-eq14"]))
    [('plain', 'of π'), ('sub', 'old'), ('plain', ', see '), ('claim', 'vy-eq14')]
    """
    at = 0
    for mark in _MARK.finditer(text):
        if mark["word"] and mark["word"] not in ids:
            continue
        before = text[at : mark.start()] + (mark["base"] or "")
        if before:
            yield "plain", before
        if mark["word"]:
            yield "claim", mark["word"]
        elif mark["base"]:
            yield "sub", mark["below"] or mark["sub"]
        else:
            yield "sup", mark["above"] or mark["sup"]
        at = mark.end()
    if text[at:]:
        yield "plain", text[at:]
