"""Title and verdict of a claim without running its file: from a ledger where there is one, else from the index.

A verdict comes from checkers only. Without a ledger all that is known is what the result file expects, and it is shown
as that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from grpo_symbolic.errors import BadInput
from grpo_symbolic.index import Index
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.proof.statements.evidence import Verdict
from grpo_symbolic.session import Progress, Session


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


def of_ledger(ledger: Ledger) -> dict[str, Card]:
    """The cards of the claims of a ledger."""
    return {c.id: Card(c.id, c.paper, c.title, c.verdict, c.weakest.name, True) for c in ledger.claims}


def of_index(index: Index) -> dict[str, Card]:
    """The cards of the claims of an index, with the verdicts that their files expect."""
    return {c.id: Card(c.id, c.paper, c.title, index.expected[c.id]) for c in index.listings.values()}


def cards(ids: Iterable[str], ledger: Ledger | None = None) -> dict[str, Card]:
    """The cards of these claims, from a ledger: what this folder's store has when left out. What it does not hold is
    read from the index.

    Raises :class:`BadInput` for an unknown id.
    """
    wanted = list(dict.fromkeys(ids))
    session = Session()
    known = of_ledger(session.known() if ledger is None else ledger)
    if not set(wanted) <= set(known):
        known = everything(session, known)
        for claim in wanted:
            if claim not in known:
                raise BadInput(f"there is no claim {claim!r}{session.index.meant(claim)}")
    return {claim: known[claim] for claim in wanted}


def everything(session: Session, known: Mapping[str, Card]) -> dict[str, Card]:
    """The cards of all claims of a session: those that are known, and for the others what their files expect."""
    return {**of_index(session.index), **known}


def verify(
    ids: Iterable[str], session: Session | None = None, progress: Progress = lambda done, total, what: None
) -> dict[str, Card]:
    """The cards of these claims after the checkers have run on them; evidence that the store has is used."""
    wanted = list(dict.fromkeys(ids))
    return of_ledger((session or Session()).verify(wanted, progress=progress).ledger) if wanted else {}
