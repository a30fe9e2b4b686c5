"""The header of every export: id, verdict, domain, version, hash of the statement, and what the format loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from grpo_symbolic._version import __version__
from grpo_symbolic.export import tree
from grpo_symbolic.export.item import Item, kind_of
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import NOT_YET
from grpo_symbolic.scalars import Json

if TYPE_CHECKING:
    from grpo_symbolic.ledger import Entry
    from grpo_symbolic.session import Session


@dataclass(frozen=True)
class Header:
    """What an export says of itself. ``loses`` is empty for an exact format; ``left_out`` names the parts that the
    format cannot hold, each with the reason.
    """

    id: str
    title: str
    verdict: str
    domain: str
    hash: str
    loses: str = ""
    left_out: tuple[str, ...] = field(default=())
    version: str = __version__

    def rows(self) -> list[tuple[str, str]]:
        """The fields in order, as words."""
        rows = [
            ("id", self.id),
            ("title", self.title),
            ("verdict", self.verdict),
            ("domain", self.domain),
            ("version", f"grpo-symbolic {self.version}"),
            ("hash", self.hash),
            ("exact", f"no: {self.loses}" if self.loses else "yes"),
        ]
        return [*rows, *(("left out", reason) for reason in self.left_out)]

    def comment(self, mark: str) -> str:
        """The header as lines that each begin with ``mark``; no text in it can end the comment."""
        return "".join(f"{mark} {name}: {' '.join(value.split())}\n" for name, value in self.rows())

    def to_json(self) -> dict[str, Json]:
        """The same for the JSON tree."""
        fields: dict[str, Any] = {k: v for k, v in self.rows() if k not in ("exact", "left out")}
        return {**fields, "exact": not self.loses}


def header(item: Item, session: Session | None = None, *, loses: str = "", left_out: Sequence[str] = ()) -> Header:
    """The header of an item; its verdict is what the ledger of ``session`` (of this folder when left out) says."""
    verdict, hashed = verdict_of(item, session), tree.digest(item)
    return Header(item.id, item.title, verdict, domain_text(item.domain), hashed, loses, tuple(left_out))


def domain_text(domain: Domain | None) -> str:
    """A domain in words of one line.

    >>> from grpo_symbolic.notation import pi, n
    >>> from grpo_symbolic.proof import simplex
    >>> domain_text(Domain(n >= 2, simplex(pi, n)))
    'n >= 2, pi[1..n] > 0 with sum 1'
    """
    if domain is None:
        return "not stated"
    families = []
    for f in domain.families:
        ends = {"simplex": f" > 0 with sum {f.total}", "positive": " > 0", "real": ""}
        families.append(f"{f.base}[1..{f.size}]{ends[kind_of(f)]}")
    bound = {s for c in domain.constraints for s in c.free_symbols}
    free = [f"{s} {'whole' if s.is_integer else 'real'}" for s in sorted(domain.free, key=str) if s not in bound]
    return ", ".join([*map(str, domain.constraints), *free, *families]) or "everywhere"


def verdict_of(item: Item, session: Session | None = None) -> str:
    """The verdict and grade that the ledger of ``session`` (of this folder when left out) has for a claim, ``not
    verified yet`` where it has none, and for what is no claim the reason why. Nothing is checked here.
    """
    if item.about or item.claim is None:
        return f"none: {item.about or 'no claim'}"
    entry = entry_of(item, session)
    return NOT_YET if entry is None else f"{entry.verdict} ({entry.weakest.name})"


def entry_of(item: Item, session: Session | None = None) -> Entry | None:
    """What the ledger of ``session`` (of this folder when left out) says of a claim: of this one, not a namesake, nor
    of another sentence that its file had when it was checked.
    """
    if item.about or item.claim is None:
        return None
    from grpo_symbolic.latex import PaperPrinter
    from grpo_symbolic.session import Session
    from grpo_symbolic.verification.words import sentence_and_domain

    entry = (session or Session()).entry(item.claim.id)
    if entry is None or (entry.paper, entry.file) != (item.claim.paper, item.claim.source):
        return None
    same = sentence_and_domain(item.claim, PaperPrinter()) == (entry.sentence, entry.domain)
    return entry if same else None
