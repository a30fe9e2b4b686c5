"""The claims of one part of the book as a picture: a row a page, a dot a claim, a line to each claim it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape

from grpo_symbolic.book.ledgerbook import LedgerBook
from grpo_symbolic.ledger import UPHELD, Entry
from grpo_symbolic.proof.statements.evidence import Verdict
from grpo_symbolic.report.advice import ON_PRINTS

_NAMES, _STEP, _ROW = 250, 17, 24  # width of the names; distance of two dots, and of two rows
_RADIUS, _LETTERS = 5, 36  # of a dot; of a name, before it is cut


def part_graph(book: LedgerBook, paper: str, address: Mapping[str, str], titles: Mapping[str, str]) -> str:
    """The graph of a paper's claims as HTML: an SVG picture, coloured by verdict, and what its colours mean.

    Args:
        book: the ledger.
        paper: a folder of claims, one of ``book.papers``.
        address: the link to the box of each claim that has one.
        titles: the title of the page of each claim that has a box.

    The grouping is that of the result files, in the order of the ledger; the name of a row is that of the page with
    the file's first box, or that of the file. Only claims of the same paper are drawn; the others are counted.
    """
    rows = [claims for claims in book.files.values() if claims[0].paper == paper]
    at = {
        c.id: (_NAMES + _STEP * (n + 1), _ROW * (line + 1)) for line, row in enumerate(rows) for n, c in enumerate(row)
    }
    width = max(x for x, _ in at.values()) + _STEP
    height = _ROW * (len(rows) + 1)
    claims = [c for row in rows for c in row]
    pairs = [(c.id, needed) for c in claims for needed in c.depends_on]
    inside = [(at[a], at[b]) for a, b in pairs if b in at]
    names = "".join(_name(row, titles, _ROW * (line + 1)) for line, row in enumerate(rows))
    dots = "".join(_dot(c, at[c.id], address) for c in claims)
    label = f"{len(claims)} claims and {len(inside)} dependencies between them"
    return (
        f'<div class="claim-scroll"><svg class="claim-graph claim-part-graph" viewBox="0 0 {width} {height}" '
        f'role="group" aria-label="{label}"><g class="claim-lines">{"".join(map(_line, inside))}</g>'
        f"{names}{dots}</svg></div>{_legend(claims, len(inside), len(pairs) - len(inside))}"
    )


def _line(ends: tuple[tuple[int, int], tuple[int, int]]) -> str:
    """From a claim to one it rests on: an arc above a row, else a curve between two."""
    (x1, y1), (x2, y2) = ends
    if y1 == y2:
        return f'<path d="M{x1} {y1}Q{(x1 + x2) / 2:g} {y1 - _ROW / 2 - abs(x1 - x2) / 12:.0f} {x2} {y2}"/>'
    middle = f"{(y1 + y2) / 2:g}"
    return f'<path d="M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}"/>'


def _name(row: list[Entry], titles: Mapping[str, str], y: int) -> str:
    name = next((titles[c.id] for c in row if c.id in titles), row[0].file.removesuffix(".py"))
    shown = name if len(name) <= _LETTERS else name[: _LETTERS - 1].rstrip() + "…"
    return f'<text x="0" y="{y + 4}">{escape(shown)}<title>{escape(name)}</title></text>'


def _dot(entry: Entry, at: tuple[int, int], address: Mapping[str, str]) -> str:
    ring = "" if entry.print_verdict in UPHELD else " claim-ringed"
    on_print = f"; {ON_PRINTS[entry.print_verdict]}" if entry.is_printed else ""
    words = escape(f"{entry.title} ({entry.id}: {entry.verdict}{on_print})")
    dot = (
        f'<circle class="claim-dot-{entry.verdict}{ring}" cx="{at[0]}" cy="{at[1]}" r="{_RADIUS}">'
        f"<title>{words}</title></circle>"
    )
    return f'<a href="{escape(address[entry.id], quote=True)}">{dot}</a>' if entry.id in address else dot


def _legend(claims: list[Entry], inside: int, outside: int) -> str:
    """The colours that occur, with the number of claims of each."""
    counts = Counter(c.verdict for c in claims)
    keys = [(f"claim-dot-{v}", f"{v}: {counts[v]}") for v in Verdict if counts[v]]
    ringed = sum(c.print_verdict not in UPHELD for c in claims)
    keys += [("claim-ringed", f"with a ring, the print does not simply hold: {ringed}")] if ringed else []
    shown = " ".join(
        f'<span class="claim-key"><svg class="claim-part-graph" width="12" height="12" aria-hidden="true">'
        f'<circle class="{name}" cx="6" cy="6" r="4.5"/></svg> {escape(words)}</span>'
        for name, words in keys
    )
    drawn = f"Dependencies between claims of this part: {inside}; on claims of other parts, not drawn: {outside}."
    return f'<p class="claim-keys">{shown}</p><p>{drawn}</p>'
