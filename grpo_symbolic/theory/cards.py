"""Title and verdict of a claim without running its file: from a ledger where there is one, else from the file's text.

A verdict comes from checkers only. Without a ledger all that is known is what the result file expects, and it is shown
as that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from grpo_symbolic import catalogue
from grpo_symbolic.proof.evidence import Verdict
from grpo_symbolic.session import Progress, Session
from grpo_symbolic.verification.ledger import strongest


@dataclass(frozen=True)
class Card:
    """A claim by id: its paper (the folder), title, verdict, and the grade of its weakest link.

    ``verified`` is false where no ledger has the claim; then ``verdict`` is what the file expects.
    """

    id: str
    paper: str
    title: str
    verdict: str
    grade: str = ""
    verified: bool = False

    @property
    def words(self) -> str:
        """The verdict in words: 'proved · decision', or 'expected: proved'."""
        if not self.verified:
            return f"expected: {self.verdict}"
        return f"{self.verdict} · {self.grade}" if self.grade and self.verdict != Verdict.definition else self.verdict


def of_ledger(document: dict[str, Any]) -> dict[str, Card]:
    """The cards of the claims of a ledger."""
    return {
        c["id"]: Card(c["id"], c["paper"], c["title"], c["verdict"], strongest(c), True) for c in document["claims"]
    }


@lru_cache(maxsize=1)
def _of_sources() -> dict[str, Card]:
    """The cards that the texts of the result files give; a claim registered in a loop has none."""
    found: dict[str, Card] = {}
    for folder in catalogue.builtin_folders():
        for file in sorted(folder.glob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "claim":
                    card = _read(node, folder.name)
                    if card is not None:
                        found[card.id] = card
    return found


def _read(call: ast.Call, paper: str) -> Card | None:
    words = {k.arg: k.value.value for k in call.keywords if isinstance(k.value, ast.Constant)}
    named = call.args[0] if call.args else None
    if not isinstance(named, ast.Constant) or "title" not in words:
        return None
    return Card(str(named.value), paper, str(words["title"]), str(words.get("expect", Verdict.proved)))


def cards(ids: Iterable[str], document: dict[str, Any] | None = None) -> dict[str, Card]:
    """The cards of these claims, from a ledger: the finished one of this folder's store when left out. What it does
    not hold is read from the result files.

    Raises :class:`BadInput` for an unknown id.
    """
    ledger = Session().finished() if document is None else document
    known = {**_of_sources(), **({} if ledger is None else of_ledger(ledger))}
    found = {}
    for claim in ids:
        if claim in known:
            found[claim] = known[claim]
        else:
            whole = catalogue.find(claim)  # registered in a loop
            expected = catalogue.with_dependencies([claim]).expected(claim)
            found[claim] = Card(whole.id, whole.paper, whole.title, expected)
    return found


def verify(
    ids: Iterable[str], session: Session | None = None, progress: Progress = lambda done, total, what: None
) -> dict[str, Card]:
    """The cards of these claims after the checkers have run on them; evidence that the store has is used."""
    wanted = list(dict.fromkeys(ids))
    return of_ledger((session or Session()).verify(wanted, progress=progress).document) if wanted else {}
