"""The generated tables of a book: notation, errata, results that are not in a paper, counts, versions, the graph."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from itertools import groupby
from typing import Any

from docutils import nodes

from grpo_symbolic import notation
from grpo_symbolic.book import boxes
from grpo_symbolic.book.ledgerbook import LedgerBook
from grpo_symbolic.book.theory_table import theory_table
from grpo_symbolic.errors import BadInput, check_name
from grpo_symbolic.ledger import UPHELD, Entry, gravity
from grpo_symbolic.proof.statements.evidence import Grade
from grpo_symbolic.report.advice import ON_PRINTS

Options = dict[str, str]
_SLOWEST = 10


class claim_graph(nodes.General, nodes.Element):
    """The place of the graph, drawn when the page of every claim is known."""


def _chosen(book: LedgerBook, options: Options) -> list[Entry]:
    if "paper" in options:
        check_name(options["paper"], list(book.papers), "paper")
    return book.matching(**options)


# -- notation ---------------------------------------------------------------------------------------------------------


def groups_of_notation() -> list[tuple[str, list[str]]]:
    """The public names that notation.py declares, under the comments that head them there."""
    source = inspect.getsource(notation).splitlines()
    groups: list[tuple[str, list[str]]] = []
    declared = {
        node.lineno: node.targets[0].id
        for node in ast.parse("\n".join(source)).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
    }
    for number, line in enumerate(source, start=1):
        if line.startswith("# "):
            groups.append((line.removeprefix("# ").rstrip("."), []))
        elif groups and not declared.get(number, "_").startswith("_"):
            groups[-1][1].append(declared[number])
    return [(head, names) for head, names in groups if names]


def _notation(book: LedgerBook, options: Options) -> list[nodes.Node]:
    made: list[nodes.Node] = []
    for head, names in groups_of_notation():
        rows: list[list[Any]] = []
        for name in names:
            kind = getattr(notation, name)
            entry = kind if isinstance(kind, notation.Tokens) else notation.NOTATION.get(str(kind))
            if entry is None:
                raise BadInput(f"{name} of notation.py is not in the notation")
            rows.append(
                [
                    [nodes.math(entry.latex, entry.latex)],
                    boxes.prose(book, entry.meaning),
                    boxes.prose(book, entry.domain),
                    [nodes.literal("", name)],
                ]
            )
        made += [nodes.rubric("", head), boxes.table(["symbol", "meaning", "domain", "in the package"], rows)]
    return made


# -- what does not simply hold, and what is added ---------------------------------------------------------------------


def _errata(book: LedgerBook, options: Options) -> list[nodes.Node]:
    """A section for each verdict; in it by consequence, and then by how many claims rest on the sentence."""
    chosen = [c for c in _chosen(book, options) if c.print_verdict not in UPHELD]
    chosen.sort(key=lambda c: (gravity(c.consequence), -len(book.ledger.resting_on([c.id]))))
    shown: list[nodes.Node] = []
    for verdict, group in groupby(chosen, key=lambda c: c.print_verdict):
        alike, words = list(group), ON_PRINTS[verdict]
        title = nodes.title("", f"{words[0].upper()}{words[1:]} ({len(alike)})")
        shown.append(nodes.section("", title, *(_erratum(book, c) for c in alike), ids=[f"errata-{verdict}"]))
    return shown or [nodes.paragraph("", "None.")]


def _erratum(book: LedgerBook, entry: Entry) -> nodes.Node:
    body = boxes.head(book, entry)
    body += boxes.statement(book, entry, boxes.verdict_on_print(book, entry))
    body += [boxes.row("Where", *boxes.conditions(entry.domain))] if entry.domain else []
    body.append(boxes.row("Proof", nodes.Text(_proof(entry)), nodes.Text("; in full: "), boxes.link(entry.id)))
    return boxes.tag("div", *body, classes=["claim", "claim-erratum"])


def _proof(entry: Entry) -> str:
    engines = dict.fromkeys(e.engine for e in entry.evidence if e.about == "holds" and e.grade.is_proof)
    return f"{entry.verdict}, {entry.weakest.name} at its weakest link, by {', '.join(engines) or 'no engine'}"


def _index(book: LedgerBook, options: Options) -> list[nodes.Node]:
    """A row a claim; the column on the print is left out where no claim is a sentence of a paper."""
    chosen = _chosen(book, options)
    head = ["claim", "place", "what it says", "verdict"]
    rows: list[list[Any]] = [
        [[boxes.link(c.id)], c.locator, boxes.statement_cell(book, c), f"{c.verdict} · {c.weakest.name}"]
        for c in chosen
    ]
    if any(c.is_printed for c in chosen):
        head.append("print")
        for row, c in zip(rows, chosen, strict=True):
            row.append(ON_PRINTS[c.print_verdict])
    return [boxes.table(head, rows, ["claim-index"])]


def _answers(book: LedgerBook, options: Options) -> list[nodes.Node]:
    """What the claims of one result file say, a row a claim, so that they can be compared; ``:file:`` names it."""
    if "file" not in options:
        raise BadInput("claim-answers needs the result file whose claims it compares, as :file: PAPER/FILE")
    rows: list[list[Any]] = [
        [[boxes.link(c.id, c.title)], boxes.in_line(c), f"{c.verdict} · {c.weakest.name}"]
        for c in book.of_file(options["file"])
    ]
    return [boxes.table(["claim", "what it says", "verdict"], rows, ["claim-index"])]


_PLACE = re.compile(
    r"\((?P<equation>\d+)\)"
    r"|(?P<kind>Theorem|Lemma|Proposition|Figure|Table|Algorithm|Assumption|Listing) (?P<number>[\d.]*\d)"
)
_KINDS = ("Equation", "Theorem", "Proposition", "Lemma", "Assumption", "Algorithm", "Listing", "Figure", "Table")


def places(locator: str) -> list[tuple[str, str]]:
    """The numbered places that a locator names, as (kind, number).

    >>> places("Sec 2.3, (11)–(12); Lemma 8.1")
    [('Equation', '11'), ('Equation', '12'), ('Lemma', '8.1')]
    """
    matches = _PLACE.finditer(re.sub(r"(?<=\d) \(\d\)", "", locator))  # the second case of Lemma 3 is no equation
    named = [("Equation", m["equation"]) if m["equation"] else (m["kind"], m["number"]) for m in matches]
    return list(dict.fromkeys(named))


def _places(book: LedgerBook, options: Options) -> list[nodes.Node]:
    """The sentences of a paper by the number of the equation, theorem or figure that they stand at."""
    at: dict[tuple[str, str], list[Entry]] = {}
    for c in (c for c in _chosen(book, options) if c.is_printed):
        for place in places(c.locator):
            at.setdefault(place, []).append(c)
    ordered = sorted(at, key=lambda p: (_KINDS.index(p[0]), [int(n) for n in p[1].split(".")]))
    rows: list[list[Any]] = []
    for kind, number in ordered:
        shown = f"{kind} ({number})" if kind == "Equation" else f"{kind} {number}"
        for n, c in enumerate(at[kind, number]):
            content = boxes.statement_cell(book, c)
            rows.append(["" if n else shown, content, [boxes.link(c.id)], c.locator, ON_PRINTS[c.print_verdict]])
    return [boxes.table(["", "what it says", "claim", "place", "print"], rows, ["claim-index"])]


# -- status -----------------------------------------------------------------------------------------------------------


def _status(book: LedgerBook, options: Options) -> list[nodes.Node]:
    by_paper = book.by_paper
    printed = {p: [c for c in claims if c.is_printed] for p, claims in by_paper.items()}
    graded = {p: [c for c in claims if c.verdict != "definition"] for p, claims in by_paper.items()}
    return [
        nodes.rubric("", "Claims by verdict"),
        _counts(by_paper, lambda c: str(c.verdict)),
        nodes.rubric("", "Claims by the grade of their weakest link"),
        _counts(graded, lambda c: c.weakest.name, [g.name for g in reversed(Grade)]),
        nodes.rubric("", "Sentences of papers, by verdict on the print"),
        _counts(printed, lambda c: ON_PRINTS[c.print_verdict]),
        nodes.rubric("", "Second engines"),
        _counts(by_paper, lambda c: str(c.crosscheck)),
    ]


def _counts(by_paper: dict[str, list[Entry]], key: Callable[[Entry], str], order: Sequence[str] = ()) -> nodes.Node:
    counts = {p: Counter(map(key, claims)) for p, claims in by_paper.items()}
    total = sum(counts.values(), Counter())
    words = [w for w in dict.fromkeys([*order, *(w for w, _ in total.most_common())]) if w in total]
    rows = [[w, *(str(counts[p][w] or "–") for p in by_paper), str(total[w])] for w in words]
    rows.append(["all", *(str(counts[p].total()) for p in by_paper), str(total.total())])
    return boxes.table(["", *by_paper, "all"], rows, ["claim-numbers"])


def _environment(book: LedgerBook, options: Options) -> list[nodes.Node]:
    versions = [[name, version] for name, version in book.ledger.environment.versions.items()]
    spent = {c.id: c.seconds for c in book.entries.values()}
    by_paper = []
    for paper, claims in book.by_paper.items():
        seconds = [spent[c.id] for c in claims]
        by_paper.append([paper, f"{sum(seconds):.1f}", f"{max(seconds):.1f}"])
    slowest = sorted(spent, key=lambda i: -spent[i])[:_SLOWEST]
    return [
        nodes.rubric("", "Versions"),
        boxes.table(["package", "version"], versions),
        nodes.rubric("", "Seconds of checking"),
        boxes.table(["paper", "all claims", "longest claim"], by_paper, ["claim-numbers"]),
        nodes.rubric("", "The claims that take longest"),
        boxes.table(["claim", "seconds"], [[[boxes.link(i)], f"{spent[i]:.1f}"] for i in slowest], ["claim-numbers"]),
    ]


# -- the graph --------------------------------------------------------------------------------------------------------

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7f6000")  # colour-blind readers can distinguish them
_STEP, _FLAT = 2.4, 0.55  # distance of two claims; height of an arc over half its width


def _graph(book: LedgerBook, options: Options) -> list[nodes.Node]:
    """All claims, or with ``:paper:`` those of one part, drawn by :mod:`grpo_symbolic.book.part_graph`."""
    if "paper" in options:
        check_name(options["paper"], list(book.papers), "paper")
    return [claim_graph("", paper=options.get("paper", ""))]


def drawn(book: LedgerBook, address: dict[str, str]) -> str:
    """The claims in reading order on a line, an arc from each to what it rests on: SVG, with links to the boxes."""
    at = {i: 10 + _STEP * n for n, i in enumerate(book.entries)}
    colour = {p: _COLOURS[n % len(_COLOURS)] for n, p in enumerate(book.papers)}
    arcs = [(c.paper, at[c.id], at[d]) for c in book.entries.values() for d in c.depends_on if d in at]
    width = 20 + _STEP * len(at)
    letters = max(13.0, width / 58)
    base = 12 + max((_FLAT * abs(a - b) / 2 for _, a, b in arcs), default=0)
    lines = [
        f'<path d="M{max(a, b):.1f} {base:.1f}A{abs(a - b) / 2:.1f} {_FLAT * abs(a - b) / 2:.1f} 0 0 0 {min(a, b):.1f} '
        f'{base:.1f}" stroke="{colour[paper]}"/>'
        for paper, a, b in arcs
    ]
    dots = []
    for i, c in book.entries.items():
        words = escape(f"{i}: {c.title} ({c.verdict})", quote=True)
        radius = 1.1 + 0.25 * min(len(book.used_by[i]), 8)
        place = f'cx="{at[i]:.1f}" cy="{base:.1f}" r="{radius:.2f}"'
        dot = f'<circle {place} fill="{colour[c.paper]}"><title>{words}</title></circle>'
        dots.append(f'<a href="{escape(address[i], quote=True)}">{dot}</a>' if i in address else dot)
    names = []
    for paper, claims in book.by_paper.items():
        first, last = at[claims[0].id], at[claims[-1].id]
        names.append(
            f'<path d="M{first:.1f} {base + 9:.1f}H{last:.1f}" stroke="{colour[paper]}" stroke-width="2"/>'
            f'<text x="{(first + last) / 2:.1f}" y="{base + letters + 12:.1f}" text-anchor="middle" '
            f'fill="{colour[paper]}">{escape(paper)}</text>'
        )
    height = base + letters + 20
    label = f"{len(at)} claims and {len(arcs)} dependencies between them"
    return (
        f'<div class="claim-scroll"><svg class="claim-graph" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{label}"><g fill="none" stroke-opacity="0.35" stroke-width="0.8">{"".join(lines)}</g>'
        f'{"".join(dots)}<g font-size="{letters:.0f}">{"".join(names)}</g></svg></div><p>{label}.</p>'
    )


TABLES: dict[str, Callable[[LedgerBook, Options], list[nodes.Node]]] = {
    "notation-table": _notation,
    "claim-errata": _errata,
    "claim-index": _index,
    "claim-answers": _answers,
    "claim-places": _places,
    "claim-status": _status,
    "claim-environment": _environment,
    "claim-graph": _graph,
    "theory-table": theory_table,
}
