"""Claim boxes and derivations as docutils nodes: statement, domain, verdict, links, and fold-outs with the proof.

Nothing is computed here, and nothing is written that the ledger does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from docutils import nodes
from sphinx import addnodes

from grpo_symbolic import notation
from grpo_symbolic.book.ledgerbook import LedgerBook, pieces
from grpo_symbolic.catalogue import PAPERS
from grpo_symbolic.ledger import Entry, EvidenceRecord, Part, Step
from grpo_symbolic.notation import NOTATION
from grpo_symbolic.report import count
from grpo_symbolic.report.advice import ON_PRINTS, heading, what_would_help
from grpo_symbolic.typeset.lines import broken
from grpo_symbolic.typeset.phrases import phrases
from grpo_symbolic.typeset.plain import brief, plain

_WORDS_MANY = 24  # a print with more letters of text than this is a sentence
_RELATION = r"(?:[=<>]|\\(?:[lgn]eq?|\w*arrow|iff|to|sim)(?![A-Za-z]))"
_AT_AN_END = re.compile(rf"^{_RELATION}|{_RELATION}$")
_LONG, _MANY = 700, 3  # longer LaTeX, and more parts than this, are folded away
_FEW, _SHORT = 2, 240  # what is checked stands open beside the print if it has no more formulas and LaTeX than this
_TALL = 24  # a formula of more lines is folded away
_LINKS = 4  # more users of a claim than this are folded away
_ARTEFACT = 160  # an artefact longer than this stays in the ledger
_GRADED = ("proved", "argued", "refuted", "supported")


class element(nodes.General, nodes.Element):
    """One HTML element around its children; other formats show the children alone."""


def tag(name: str, *children: nodes.Node, classes: Sequence[str] = (), ids: Sequence[str] = ()) -> element:
    """An :class:`element`: a box, a fold-out, its summary."""
    return element("", *children, tag=name, classes=list(classes), ids=list(ids))


def fold(title: str, *children: nodes.Node) -> element:
    """A fold-out that is closed at first."""
    return tag("details", tag("summary", nodes.Text(title)), *children, classes=["claim-fold"])


def display(latex: str) -> nodes.Node:
    """Displayed mathematics, over several lines where one would be too wide."""
    latex = broken(latex)
    return nodes.math_block(latex, latex, nowrap=False, number=None, label=None)


def conditions(latex: str) -> list[nodes.Node]:
    """A domain as one inline formula for each condition, so that lines can break between them."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(latex):
        depth += (character in "{(") - (character in "})")
        if depth == 0 and latex.startswith(",\\ ", at):
            parts.append(latex[start:at])
            start = at + 3
    texts = [part.strip() for part in [*parts, latex[start:]]]
    return _separated((nodes.math(text, text) for text in texts), ",  ")


def link(claim_id: str, text: str = "") -> nodes.Node:
    """A link to the box of a claim, wherever in the book it stands."""
    shown = nodes.inline("", "", *words(text)) if text else nodes.literal("", claim_id, classes=["claim-id"])
    return addnodes.pending_xref(
        "", shown, refdomain="claim", reftype="ref", reftarget=claim_id, refexplicit=False, refwarn=False
    )


def words(text: str) -> list[nodes.Node]:
    """A title with its indices set low and its exponents high."""
    return [_KINDS[kind](part) for kind, part in pieces(text, ())]


def prose(book: LedgerBook, text: str) -> list[nodes.Node]:
    """A remark with its indices set low, its exponents high, and its claim ids as links."""
    text = text.replace("``", "“").replace("''", "”")
    return [link(part) if kind == "claim" else _KINDS[kind](part) for kind, part in pieces(text, book.entries)]


_KINDS: dict[str, Callable[[str], nodes.Node]] = {
    "plain": nodes.Text,
    "sub": partial(nodes.subscript, ""),
    "sup": partial(nodes.superscript, ""),
}


def row(name: str, *content: nodes.Node) -> nodes.Node:
    """A line of a box: what it is, and what it says."""
    return nodes.paragraph(
        "", "", nodes.inline("", name, classes=["claim-row"]), nodes.Text(" "), *content, classes=["claim-line"]
    )


def badges(entry: Entry) -> list[nodes.Node]:
    """The verdict with the grade of its weakest link, and how the print is judged, in words; classes carry colour."""
    grade = entry.weakest.name
    words = entry.verdict + (f" · {grade}" if entry.verdict in _GRADED else "")
    shown: list[nodes.Node] = [nodes.inline("", words, classes=["claim-badge", f"claim-{entry.verdict}"])]
    marks = ["claim-badge", f"claim-print-{entry.print_verdict or 'own'}"]
    on_print = nodes.inline("", ON_PRINTS[entry.print_verdict], classes=marks)
    return [*shown, nodes.Text(" "), on_print]


def statement(book: LedgerBook, entry: Entry, between: Sequence[nodes.Node] = ()) -> list[nodes.Node]:
    """What holds, the print where it differs or the sentence stands for itself, the formulas part by part, and the
    steps that lead there; ``between`` stands before what is checked.
    """
    wording = [] if entry.says_all and not entry.names else phrases(entry.line)
    what = _shown(wording) if wording else _parts(book, entry.stated, fold_long=True)
    shown: list[nodes.Node] = [row(heading(entry)), *what]
    if entry.line_with:
        shown += [row("With"), *map(display, entry.line_with)]
    if entry.print_beside:
        shown += [row("As printed"), *_shown(phrases(entry.print_beside))]
    shown += between
    if wording and entry.stated:
        parts = _parts(book, entry.stated, fold_long=False)
        brief = len(parts) <= _FEW and sum(len(p.latex) for p in entry.stated) <= _SHORT
        title = f"As checked, {count(len(parts), 'formula')}"
        shown += [row("As checked"), *parts] if brief else [fold(title, *parts)]
    if entry.because:
        title = f"Because, {count(len(entry.because), 'step')}"
        shown.append(fold(title, *_parts(book, entry.because, fold_long=False)))
    return shown


_IN_A_CELL = 120  # characters


def in_line(entry: Entry) -> list[nodes.Node]:
    """The one line of a claim as words and inline formulas, for a cell of a table; empty where it has none."""
    return _inline(phrases(entry.line))


def statement_cell(book: LedgerBook, entry: Entry) -> list[nodes.Node]:
    """A cell with the one line of a claim over its title, or with the title where it has no line. A line that takes
    several in its cell is text: hundreds of long formulas are more than a page can bear.
    """
    title, text = prose(book, entry.title), plain(entry.line)
    if not text:
        return title
    content = in_line(entry) if len(text) <= _IN_A_CELL else [nodes.Text(text)]
    return [nodes.paragraph("", "", *content), nodes.paragraph("", "", *title, classes=["claim-in-short"])]


def preview(entry: Entry) -> str:
    """What a link to a claim shows before it is followed: what it says, its title, and its verdicts."""
    texts = [plain(entry.line)] if entry.line else []
    return " · ".join([*texts, entry.title, f"{entry.verdict}; {ON_PRINTS[entry.print_verdict]}"])


def _inline(words: list[tuple[str, str]]) -> list[nodes.Node]:
    parts = ((kind, part if kind == "text" else _spaced(part)) for kind, part in words)
    return [nodes.Text(part) if kind == "text" else nodes.math(part, part) for kind, part in parts]


def _spaced(latex: str) -> str:
    """A formula between words, with the space around a relation that it begins or ends with.

    >>> _spaced("=x"), _spaced(r"p\\iff"), _spaced(r"\\left(x")
    ('{}={}x', 'p{}\\\\iff{}', '\\\\left(x')
    """
    return _AT_AN_END.sub(r"{}\g<0>{}", latex)


def _shown(words: list[tuple[str, str]]) -> list[nodes.Node]:
    """A formula is displayed; what is mostly words is set as a sentence, whose lines can break."""
    whole = "".join(part if kind == "math" else rf"\text{{{part}}}".replace("%", r"\%") for kind, part in words)
    text = sum(len(part) for kind, part in words if kind == "text")
    torn = any(part.count(r"\left") != part.count(r"\right") or "&" in part for kind, part in words if kind == "math")
    if text < _WORDS_MANY or torn:
        return [display(whole)]
    return [nodes.paragraph("", "", *_inline(words), classes=["claim-sentence"])]


def _parts(book: LedgerBook, parts: Sequence[Part], fold_long: bool) -> list[nodes.Node]:
    shown: list[nodes.Node] = []
    folded: list[nodes.Node] = []
    for part in parts:
        body = _part(book, part, len(parts) > 1)
        (folded if fold_long and (len(part.latex) > _LONG or len(shown) >= _MANY) else shown).append(body)
    more = count(len(folded), "more formula" if shown else "formula")
    return [*shown, *([fold(more, *folded)] if folded else [])]


def _part(book: LedgerBook, part: Part, labelled: bool) -> nodes.Node:
    body: list[nodes.Node] = []
    if labelled and part.label:
        body.append(nodes.paragraph("", "", *prose(book, part.label), classes=["claim-label"]))
    shown = display(part.latex)
    lines = shown.astext().count(r" \\ &") + 1
    body.append(fold(f"A formula of {lines} lines", shown) if lines > _TALL else shown)
    if part.where:
        body.append(nodes.paragraph("", "", nodes.Text("for "), *conditions(part.where), classes=["claim-where"]))
    return tag("div", *body, classes=["claim-part"])


def claim_box(book: LedgerBook, entry: Entry, *anchor: str) -> element:
    """The whole box of a claim: what it says in one sentence, its verdicts, where it fails or what would help, and
    then the formulas, the links and the proof. The box with the anchor is the one that links lead to.
    """
    body: list[nodes.Node] = [*head(book, entry, page=True)]
    if entry.counterexample:
        body.append(row("Fails at", *_point(brief(entry.counterexample))))
    for advice in what_would_help(entry) if entry.is_undecided else ():
        body.append(row("Would help", nodes.Text(advice)))
    body += statement(book, entry)
    if entry.domain and not (entry.says_all and entry.names):  # whose line says for which values
        body.append(row("Where", *conditions(entry.domain)))
    body += verdict_on_print(book, entry)
    for name, text in (("Remark", entry.remark), ("In words", "; ".join(entry.words))):
        if text:
            body.append(row(name, *prose(book, text)))
    if entry.rules:
        body.append(row("By rules", *_separated(nodes.literal("", rule) for rule in entry.rules)))
    if entry.depends_on:
        body.append(row("Rests on", *_separated(link(i) for i in entry.depends_on)))
    users = book.used_by[entry.id]
    if users:
        links = _separated(link(i) for i in users)
        many = len(users) > _LINKS
        body.append(
            fold(f"Used by {len(users)} claims", nodes.paragraph("", "", *links)) if many else row("Used by", *links)
        )
    steps = entry.steps
    if steps:
        body.append(fold(f"Derivation, {count(len(steps), 'step')}", *_derivations(book, steps)))
    body.append(evidence(book, entry))
    return tag("div", *body, classes=["claim", f"claim-is-{entry.verdict}"], ids=anchor)


def head(book: LedgerBook, entry: Entry, page: bool = False) -> list[nodes.Node]:
    """What a claim says in one sentence, as a heading; the badges, the place and the id; a link to its own page."""
    title = tag("h3", *prose(book, entry.title), classes=["claim-title"])
    own = element("", nodes.Text("page"), tag="a", claim=entry.id)
    alone = [nodes.inline("", "", own, classes=["claim-page"])] if page else []
    place = [nodes.Text(f" {entry.locator} · "), link(entry.id), *alone]
    return [
        title,
        nodes.paragraph(
            "", "", *badges(entry), nodes.inline("", "", *place, classes=["claim-place"]), classes=["claim-head"]
        ),
    ]


def verdict_on_print(book: LedgerBook, entry: Entry) -> list[nodes.Node]:
    """What the print is read as, why it does not simply hold, who is misled by it, and the point that shows it."""
    why = _reading(entry)
    why += [row("The print", *prose(book, entry.print_remark))] if entry.print_remark else []
    why += [row("Misled", nodes.Text(entry.consequence))] if entry.consequence else []
    witness = entry.witness
    return [*why, *([row("Witness", *_point(witness))] if witness else [])]


def _reading(entry: Entry) -> list[nodes.Node]:
    """What the print is read as, folded where it is long, and what the names in it stand for."""
    if not entry.reading:
        return []
    shown = [*_shown(phrases(entry.reading)), *map(display, entry.reading_with)]
    return [row("Read as"), *shown] if len(entry.reading) <= _LONG else [fold("Read as", *shown)]


def _point(text: str) -> list[nodes.Node]:
    """A witness with its symbols as the papers write them."""
    shown: list[nodes.Node] = []
    for piece in re.split(r"(\b\w+)(?= = )", text):
        letter = _letter(piece)
        shown.append(nodes.math(letter, letter) if letter else nodes.Text(re.sub(r"-(?=\d)", "−", piece)))
    return shown


def _letter(name: str) -> str:
    """How a symbol is written, also that of a node of a token tree, which joins the notation when it is named."""
    if name not in NOTATION:
        for tokens in (t for t in vars(notation).values() if isinstance(t, notation.Tokens)):
            if re.fullmatch(rf"{tokens.name}(_\d+)+", name):
                _ = tokens[tuple(map(int, name.removeprefix(tokens.name).split("_")[1:]))]
    return NOTATION[name].latex if name in NOTATION else ""


def _separated(items: Iterable[nodes.Node], by: str = ", ") -> list[nodes.Node]:
    shown: list[nodes.Node] = []
    for item in items:
        shown += ([nodes.Text(by)] if shown else []) + [item]
    return shown


def _derivations(book: LedgerBook, steps: Sequence[Step]) -> list[nodes.Node]:
    return [
        steps_of(book, [s for s in steps if s.derivation == name])
        for name in dict.fromkeys(s.derivation for s in steps)
    ]


def steps_of(book: LedgerBook, steps: Sequence[Step], first: int = 1) -> nodes.Node:
    """Steps as an ordered list: the move, why it is allowed, and the formula it arrives at."""
    items = []
    for step in steps:
        words = nodes.strong("", step.name.capitalize())
        why = [nodes.Text(": "), *prose(book, step.note)] if step.note else []
        items.append(nodes.list_item("", nodes.paragraph("", "", words, *why), display(step.result)))
    listed = nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".", classes=["claim-steps"])
    if first != 1:
        listed["start"] = first
    return listed


def evidence(book: LedgerBook, entry: Entry) -> element:
    """The fold-out with what each checker found, and the command that finds it again."""
    records = entry.evidence
    seconds = entry.seconds
    title = f"Evidence, {count(len(records), 'piece')}, {seconds:.2f} s, {_CROSS[entry.crosscheck]}"
    folder = "" if entry.paper in PAPERS else f" {entry.paper}"  # a paper of one's own is found where it is named
    replay = f"grpo-symbolic verify --id {entry.id} --fresh{folder}\ngrpo-symbolic show {entry.id}{folder}"
    children: list[nodes.Node] = []
    rows = [
        [
            prose(book, what),
            e.grade.name if e.grade else "–",
            e.outcome,
            f"{e.checker}, {e.engine}{_setting(e)}",
            f"{e.seconds:.3f}",
        ]
        for what, e in zip(_once([(e.about, e.obligation) for e in records]), records, strict=True)
    ]
    if rows:
        children.append(table(["what", "grade", "outcome", "checker, engine", "seconds"], rows))
    words = [e.artefact.strip().splitlines()[0] for e in records if e.artefact.strip()]
    short = [w for w in dict.fromkeys(words) if len(w) <= _ARTEFACT and not w.startswith(("(", ";"))]
    if short:
        children.append(row("Found", nodes.Text("; ".join(short))))
    if entry.mutants.made:
        counts = ", ".join(f"{v} {k}" for k, v in vars(entry.mutants).items() if v)
        children.append(row("Controls", nodes.Text(f"changed on purpose: {counts}")))
    children += [row("Replay"), nodes.literal_block(replay, replay, language="console")]
    return fold(title, *children)


def _once(obligations: list[tuple[str, str]]) -> list[str]:
    """What each piece of evidence is about, at the first piece only."""
    labels = [
        ("of the print: " if about == "printed" else "") + (label.partition(": ")[2] or "the statement")
        for about, label in obligations
    ]
    return ["" if n and obligations[n] == obligations[n - 1] else words for n, words in enumerate(labels)]


_CROSS = {
    "agree": "engines agree",
    "diverge": "engines DIVERGE",
    "incomparable": "engines not comparable",
    "unavailable": "no second engine",
}


def _setting(record: EvidenceRecord) -> str:
    parts = [f"{record.digits} digits" if record.digits else "", f"seed {record.seed}" if record.seed else ""]
    return "".join(f", {p}" for p in parts if p)


def table(head: Sequence[str], rows: Sequence[Sequence[Any]], classes: Sequence[str] = ()) -> element:
    """A table whose cells are texts or lists of inline nodes; it scrolls sideways where the page is narrow."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in head), cols=len(head))
    group += nodes.thead("", _table_row(head))
    group += nodes.tbody("", *(_table_row(r) for r in rows))
    return tag("div", nodes.table("", group, classes=["claim-table", *classes]), classes=["claim-scroll"])


def _table_row(cells: Sequence[Any]) -> nodes.row:
    made = nodes.row()
    for cell in cells:
        content = [nodes.Text(cell)] if isinstance(cell, str) else list(cell)
        block = bool(content) and isinstance(content[0], nodes.math_block | nodes.paragraph | element)
        made += nodes.entry("", *(content if block else [nodes.paragraph("", "", *content)]))
    return made
