"""The claims of a result file as they were read: what the ledger says of each, and its obligations, as terms.

Building a result file's expressions and laying out its formulas takes longer than to replay its proofs, so of the
built-in papers what came of it is kept beside the file too (``eq14.claims`` beside ``eq14.py``), by a digest of what it
came of: the text of the file and of those behind it, and the code that reads, which is noted once for all of them. So
only a run over all built-in papers changes that note, and a run over some files while another code is noted keeps their
sentences only. While all stands, ``verify`` replays the proofs of what is kept; with ``--from-source`` every file is
read anew, and ``--frozen`` fails where that is not what is kept. A folder of one's own is read anew each time: who
wrote its files may have written what lies beside them too.

Of each claim there are three lines: its sentence, what else the ledger says, and its obligations: a table of
terms (:mod:`grpo_symbolic.terms.text`) and, for each obligation, which of them are judged on which domain.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from grpo_symbolic import headlines
from grpo_symbolic.errors import ReadingError
from grpo_symbolic.ledger import OF_MUTANTS, Entry
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Verdict
from grpo_symbolic.proof.statements.obligation import Holds, Identity, LimitIs, Obligation, RootCount, Witness
from grpo_symbolic.terms.families import FamilyTerms
from grpo_symbolic.terms.language import Node
from grpo_symbolic.terms.text import Writer, read_rows

if TYPE_CHECKING:
    from grpo_symbolic.verification.words import Words

_KINDS: dict[str, type[Obligation]] = {k.__name__: k for k in (Identity, Holds, LimitIs, RootCount, Witness)}
# What an entry has from a run, or from its file's place, and what stands in the first line.
_ELSEWHERE = frozenset(
    {"verdict", "print_verdict", "evidence", "crosscheck", "theorem", "headline", "id", "paper", "file", *OF_MUTANTS}
)
_DEFAULTS = {f.name: f.default for f in fields(Entry) if f.default is not MISSING}


@dataclass(frozen=True)
class Record:
    """A claim as it was read. ``entry``: what the ledger says of it before any proof was looked at; ``to_show``: its
    obligations, each marked as of the claim or of the print; ``expect``, ``widening`` and ``is_wider`` as of a claim.
    """

    entry: Entry
    to_show: tuple[tuple[str, Obligation], ...]
    expect: Verdict | None = None
    widening: tuple[Obligation, ...] = ()
    is_wider: bool = False

    @classmethod
    def of(cls, claim: Claim, words: Words, expected: Verdict) -> Record:
        """The record of a claim, whose printed form is ``words``."""
        owed = [o for about, o in claim.obligations() if about == "holds"]
        entry = Entry(
            id=claim.id,
            paper=claim.paper,
            origin=claim.origin,
            locator=claim.locator,
            title=claim.title,
            printed=claim.printed,
            sentence=words.sentence,
            domain=words.domain,
            kind=claim.kind,
            verdict=Verdict.unknown,
            print_verdict=None,
            depends_on=claim.depends_on,
            rules=claim.rules,
            words=claim.lemmas,
            expected=expected,
            print_expected=claim.judgement,
            reading=words.reading,
            reading_names=words.reading_names,
            print_unread=words.unread,
            letters=words.letters,
            print_remark=claim.judged.remark if claim.judged else "",
            remark=claim.remark,
            says=claim.says,
            short=claim.short,
            headline=words.headline,
            names=words.names,
            text=words.text,
            parts=words.parts,
            steps=words.steps,
            trivial=bool(owed) and all(o.is_trivial for o in owed),
            file=claim.source,
        )
        return cls(entry, tuple(claim.obligations()), claim.expect, claim.widening, claim.is_wider)

    # -- as of a claim --------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        return self.entry.id

    @property
    def place(self) -> str:
        return self.entry.place

    @property
    def depends_on(self) -> tuple[str, ...]:
        return self.entry.depends_on

    @property
    def lemmas(self) -> tuple[str, ...]:
        return self.entry.words

    @property
    def is_definition(self) -> bool:
        return self.expect is Verdict.definition

    def obligations(self) -> tuple[tuple[str, Obligation], ...]:
        return self.to_show

    # -- as text --------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """Its three lines."""
        data = {name: value for name, value in self.entry.to_json().items() if name not in _ELSEWHERE}
        line = {
            name: value
            for name, value in data.items()
            if name not in _DEFAULTS or getattr(self.entry, name) != _DEFAULTS[name]
        }
        lines = (_json(line), _json(_Table().written(self)))
        return "\n".join([headlines.line(self.id, self.entry.headline), *lines, ""])

    @classmethod
    def read(cls, place: str, id: str, headline: str, data: str, to_show: str) -> Record:
        """The record of a claim of the file at ``place``, from its lines.

        Raises :class:`KeyError`, :class:`TypeError` or :class:`ValueError` for lines of anything else.
        """
        paper, file = place.split("/")
        run = {"verdict": Verdict.unknown, "print_verdict": None}
        entry = Entry.from_json({**json.loads(data), **run, "id": id, "paper": paper, "file": file})
        table = json.loads(to_show)
        try:
            rows = read_rows(table["rows"])
        except ReadingError as refusal:
            raise ValueError(str(refusal)) from refusal
        domains = [_domain(d, rows) for d in table["domains"]]
        obligations = [(about, _obligation(o, rows, domains)) for about, *o in table["owed"]]
        widening = tuple(_obligation(o, rows, domains) for o in table["widening"])
        expect = None if table["expect"] is None else Verdict(table["expect"])
        return cls(replace(entry, headline=headline), tuple(obligations), expect, widening, bool(table["wider"]))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass
class _Table:
    """The terms of one claim, each once, and the domains of its obligations."""

    writer: Writer = field(default_factory=Writer)
    domains: list[list[Any]] = field(default_factory=list)

    def written(self, record: Record) -> dict[str, Any]:
        to_show = [[about, *self._obligation(o)] for about, o in record.to_show]
        widening = [self._obligation(o) for o in record.widening]
        shared = {"rows": self.writer.rows, "domains": self.domains, "expect": record.expect}
        return {**shared, "owed": to_show, "widening": widening, "wider": record.is_wider}

    def _obligation(self, o: Obligation) -> list[Any]:
        terms = [self.writer.place(part) if isinstance(part, Node) else part for part in o.read]
        return [type(o).__name__, o.label, o.sufficient, self._domain(o.domain), *terms]

    def _domain(self, domain: Domain) -> int:
        place = self.writer.place
        families = [
            [name, place(f.size), f.positive, None if f.total is None else place(f.total)]
            for name, f in domain.family_terms.items()
        ]
        variables = sorted(domain.variables, key=lambda v: v.name)
        row = [list(map(place, domain.formulas)), families, list(map(place, variables))]
        if row not in self.domains:
            self.domains.append(row)
        return self.domains.index(row)


def _domain(row: Any, rows: list[Node]) -> Domain:
    formulas, families, variables = row
    known = {
        name: FamilyTerms(_row(size, rows), positive, None if total is None else _row(total, rows))
        for name, size, positive, total in families
    }
    return Domain.of_terms(tuple(_row(n, rows) for n in formulas), known, [_row(n, rows) for n in variables])


def _obligation(row: Any, rows: list[Node], domains: list[Domain]) -> Obligation:
    kind, label, sufficient, domain, *read = row
    judged = tuple(part if isinstance(part, str) else _row(part, rows) for part in read)
    return _KINDS[kind].of_terms(domains[domain], judged, label, sufficient)


def _row(number: int, rows: list[Node]) -> Any:
    if not 0 <= number < len(rows):
        raise ValueError(f"there is no row {number}")
    return rows[number]


# -- files ------------------------------------------------------------------------------------------------------------


def file_text(of: str, state: str | None, records: Mapping[str, str]) -> str:
    """The text of a file of claims: of the result file with the digest ``of``, which with those behind it has the
    digest ``state`` (of a file of one's own there is none); ``records`` are the lines of each claim by id.
    """
    body = "".join(text for _, text in sorted(records.items()))
    return f"{_sealed(of, state, body) if state else headlines.head(of)}\n{body}"


def read_file(text: str, place: str, of: str, state: str) -> list[Record] | None:
    """The records in a file of claims; none where it was made of another text than ``of``, of others behind it, or is
    not as it was written.
    """
    first, _, body = text.partition("\n")
    if first != _sealed(of, state, body):
        return None
    lines, sentences = body.split("\n")[:-1], headlines.sentences_in(body)
    try:
        records = []
        for head, data, to_show in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
            id = head.removeprefix("claim ").partition(":")[0]
            records.append(Record.read(place, id, sentences.get(id, ""), data, to_show))
        return records
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, RecursionError):
        return None


def _sealed(of: str, state: str, body: str) -> str:
    """The first line of a file of claims with their obligations."""
    return f"{headlines.resting(of, state)}sealed {sha256(body.encode()).hexdigest()[:16]}"


Checkable = Claim | Record  # what has obligations: a claim, or its stored record


@dataclass
class Records:
    """The claims that are kept as they were read, in reading order; ``papers``: the title of each folder."""

    claims: dict[str, Record]
    papers: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, records: Iterable[Record], order: Iterable[str], papers: Mapping[str, tuple[str, str]]) -> Records:
        """Those of some files whose dependencies are among them too, with what these depend on."""
        known = {r.id: r for r in records}
        claims = {id: known[id] for id in order if id in known}
        while lacking := [r.id for r in claims.values() if not set(r.depends_on) <= set(claims)]:
            for id in lacking:
                del claims[id]
        return cls(claims, {name: {"title": title} for name, (title, _) in papers.items()})

    def expected(self, id: str) -> Verdict:
        """The verdict that the claim's file expects."""
        return self.claims[id].entry.expected
