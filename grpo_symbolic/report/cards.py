"""What a notebook shows of the package's objects: one sentence, the verdict where there is one, and the formula.

Cards are HTML with mathematics in dollars, which notebooks typeset; colours are those of the book, on any background.
Nothing is checked here: a verdict is what the ledger of this folder's store says, and where it is silent, what the
result file expects, marked as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.proof.statements.evidence import Verdict
from grpo_symbolic.report.advice import ON_PRINTS, heading, what_would_help
from grpo_symbolic.typeset.lines import broken
from grpo_symbolic.typeset.phrases import phrases
from grpo_symbolic.typeset.plain import brief, plain

if TYPE_CHECKING:
    from grpo_symbolic.diagnose import Diagnosis, Finding, Record
    from grpo_symbolic.ledger import Entry
    from grpo_symbolic.numeric import Compiled, Sweep
    from grpo_symbolic.objectives import Advantage, Divergence, Objective
    from grpo_symbolic.objectives.own import FormulaAdvantage, FormulaPenalty
    from grpo_symbolic.optimality import SuccessRecursion
    from grpo_symbolic.proof import Catalogue, Claim, Derivation, Domain
    from grpo_symbolic.proof.statements.obligation import Obligation
    from grpo_symbolic.proof.statements.statement import Statement
    from grpo_symbolic.reading import Reading
    from grpo_symbolic.report.proving import Proofs, Tried
    from grpo_symbolic.setting import Advantages, Penalty, Setting
    from grpo_symbolic.theory import Answer, Line, Point, Settled, Theory
    from grpo_symbolic.theory.closed import Closed
    from grpo_symbolic.theory.numbers import Numbers

COLOURS = {  # as in the book's claims.css
    "proved": "#2e7d32",
    "argued": "#6a4c93",
    "refuted": "#b3261e",
    "unknown": "#b3261e",
    "supported": "#8a5b00",
    "definition": "#1f6f8b",
}
_PLAIN = "#5a6270"
_SHOWN = 6  # more of a list than this is counted
_LONGEST = 1500  # characters of LaTeX that are typeset; beyond, the formula is left to whoever asks for it
_BOX = (
    "border:1px solid rgba(128,128,128,.45);border-left:4px solid {colour};border-radius:6px;"
    "padding:.6em .9em .5em;margin:.4em 0;max-width:56em;overflow-x:auto"
)
_BADGE = "display:inline-block;border-radius:1em;padding:.05em .75em;font-size:.8em;font-weight:600;color:#fff;"
_NAME = "font-size:.78em;font-weight:600;letter-spacing:.03em;text-transform:uppercase;opacity:.75;margin-right:.5em"


def html(thing: Any) -> str:
    """The card of a thing, whose class is a :class:`grpo_symbolic.shown.Shown`."""
    return next(WRITERS[kind.__name__] for kind in type(thing).__mro__ if kind.__name__ in WRITERS)(thing)


# -- what cards are made of --------------------------------------------------------------------------------------------


def _card(title: str, *rows: str, badges: Sequence[tuple[str, str]] = (), place: str = "") -> str:
    """A box: its ``title`` in HTML, ``badges`` as words with a colour, a ``place``, and ``rows``."""
    colour = badges[0][1] if badges else _PLAIN
    marks = " ".join(f'<span style="{_BADGE}background:{c}">{escape(words)}</span>' for words, c in badges)
    where = f'<span style="font-size:.85em;opacity:.8">{place}</span>' if place else ""
    head = f'<div style="margin:.25em 0">{marks} {where}</div>' if marks or where else ""
    body = "".join(filter(None, rows))
    return f'<div style="{_BOX.format(colour=colour)}"><div style="font-weight:650">{title}</div>{head}{body}</div>'


def _row(name: str, content: str) -> str:
    """A line: what it is, and what it says; nothing where it says nothing."""
    return f'<div style="margin:.3em 0"><span style="{_NAME}">{escape(name)}</span>{content}</div>' if content else ""


def _listed(name: str, lines: Iterable[str], most: int = _SHOWN) -> str:
    """Lines of HTML under a name, at ``most`` so many."""
    rows = list(lines)
    if not rows:
        return ""
    more = [f"and {len(rows) - most} more"] if len(rows) > most else []
    items = "".join(f"<li>{line}</li>" for line in [*rows[:most], *more])
    return _row(name, f'<ul style="margin:.1em 0 .3em 1.2em;padding:0">{items}</ul>')


def _display(latex: str) -> str:
    return f"<div>$${escape(broken(latex), quote=False)}$$</div>" if len(latex) <= _LONGEST else _too_long(latex)


def _inline(latex: str) -> str:
    return f"${escape(latex, quote=False)}$" if len(latex) <= _LONGEST else _too_long(latex)


def _too_long(latex: str) -> str:
    return f"<em>a formula of {len(latex)} characters</em>"


def _math(expression: Any) -> str:
    return _inline(PaperPrinter()(sp.sympify(expression)))


def _displayed(expression: sp.Basic) -> str:
    return _display(PaperPrinter()(expression))


def _sentence(latex: str) -> str:
    """A sentence of words and formulas; what has no words is displayed."""
    kinds = phrases(latex)
    if kinds and all(kind == "math" for kind, _ in kinds):
        return _display(latex)
    return " ".join(escape(part.strip()) if kind == "text" else _inline(part) for kind, part in kinds)


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _verdict(words: str) -> tuple[str, str]:
    """A badge for a verdict in words; what a file expects has no colour of a verdict."""
    return words, COLOURS.get(words.partition(" · ")[0], _PLAIN)


# -- claims and proofs -------------------------------------------------------------------------------------------------


def _claim(of: Claim) -> str:
    """The box of a claim, as the book has it, down to its remark."""
    from grpo_symbolic.session import Session

    session = Session()
    entry = session.entry(of.id)
    if entry is not None and (entry.paper, entry.file) == (of.paper, of.source):
        return _entry(entry)
    from grpo_symbolic.verification.records import Record
    from grpo_symbolic.verification.words import words

    listed = session.index.listings.get(of.id)
    known = listed is not None and (listed.paper, listed.file) == (of.paper, of.source)
    expected = [(f"expected: {session.index.expected[of.id]}", _PLAIN)] if known else []
    note = f"not verified in this folder: {_code(f'grpo-symbolic verify --id {of.id}')}"
    return _box(Record.of(of, words(of, PaperPrinter()), Verdict.unknown).entry, expected, note)


def _entry(of: Entry) -> str:
    grade = f" · {of.weakest.name}" if of.verdict in COLOURS and of.verdict != "definition" else ""
    helps = what_would_help(of) if of.is_undecided else ()
    found = _row("Fails at", escape(brief(of.counterexample, letters=of.letters)))
    found += _listed("Would help", map(escape, helps))
    return _box(of, [_verdict(f"{of.verdict}{grade}"), (ON_PRINTS[of.print_verdict], _PLAIN)], found=found)


def _box(of: Entry, badges: Sequence[tuple[str, str]], note: str = "", found: str = "") -> str:
    """What a claim says, whatever is known of it: ``found`` stands before that, and a ``note`` after it."""
    return _card(
        escape(of.title),
        found,
        _row(heading(of), _sentence(of.line or of.sentence)),
        _row("As printed", _sentence(of.print_beside)),
        *(_row("With", _sentence(name)) for name in of.line_with),
        _row("Where", _inline(of.domain) if of.domain and not of.says_itself else ""),
        _row("Read as", _sentence(of.reading)),
        *(_row("With", _sentence(name)) for name in of.reading_with),
        _row("The print", escape(of.print_remark)),
        _row("Witness", escape(brief(of.witness, letters=of.witness_letters))),
        _row("Remark", escape(of.remark)),
        _row("In words", escape("; ".join(of.words))),
        _row("", note),
        badges=badges,
        place=f"{escape(of.locator)} · {_code(of.id)}",
    )


def _catalogue(of: Catalogue) -> str:
    papers: dict[str, int] = {}
    for c in of.claims.values():
        papers[c.paper] = papers.get(c.paper, 0) + 1
    rows = (f"{escape(str(of.papers.get(p, {}).get('title') or p))}: {count}" for p, count in papers.items())
    return _card(f"{len(of.claims)} claims", _listed("by paper", rows), _listed("broken", map(escape, of.broken)))


def _statement(of: Statement) -> str:
    from grpo_symbolic.proof import Domain
    from grpo_symbolic.proof.statements.sentence import latex, parts

    printer = PaperPrinter()
    return _card("A statement", *(_display(latex(part.phrase, printer)) for part in parts(of, Domain())))


def _domain(of: Domain) -> str:
    from grpo_symbolic.proof.statements.hypotheses import domain_latex

    return _card("A domain", _display(domain_latex(of, PaperPrinter())))


def _text(e: Any) -> str:
    return plain(PaperPrinter()(e))


def _derivation(of: Derivation) -> str:
    def step(name: str, result: Any, note: str) -> str:
        shown = escape(result) if isinstance(result, str) else _math(result)
        return f"{escape(name)}{f' ({escape(note)})' if note else ''}: {shown}"

    title = f"Derivation {_code(of.name)}, {len(of.steps)} steps; {len(of.obligations)} to be shown"
    return _card(title, _listed("steps", (step(s.name, s.result, s.words(_text)) for s in of.steps)))


def _obligation(of: Obligation) -> str:
    from grpo_symbolic.proof.statements.hypotheses import domain_latex
    from grpo_symbolic.proof.statements.obligation import Holds, Identity

    statements = [sp.Eq(of.left, of.right, evaluate=False)] if isinstance(of, Identity) else []
    statements += [of.formula] if isinstance(of, Holds) else []
    title = f"To be shown: {escape(of.label or type(of).__name__)}"
    return _card(title, *map(_displayed, statements), _row("Where", _inline(domain_latex(of.domain, PaperPrinter()))))


def _tried(of: Tried) -> str:
    words = {"holds": "proved", "refuted": "refuted"}.get(of.outcome, "unknown")
    badge = (f"{'open' if words == 'unknown' else words} · {of.grade.name}", COLOURS[words])
    rest = (escape(line.strip()) for line in str(of).splitlines()[1:])
    return _card(escape(of.obligation.label), _listed("", rest), badges=[badge])


def _proofs(of: Proofs) -> str:
    words = "proved" if of.holds else "refuted" if any(t.outcome == "refuted" for t in of) else "open"
    badge = (words, COLOURS.get(words, COLOURS["unknown"]))
    return _card(f"{len(of)} to be shown", _listed("", map(escape, str(of).splitlines())), badges=[badge])


# -- theory ------------------------------------------------------------------------------------------------------------


def _point(of: Point) -> str:
    return _card(escape(str(of)))


def _theory(of: Theory) -> str:
    closed = [_closed_line(c) for c in of.closed_forms or ()]
    return _card(
        escape(str(of.point)),
        _row("Assumed", escape("; ".join(of.assumed))),
        _row("Stationary", _displayed(of.stationary)),
        _listed("Closed form", closed) or _row("Closed form", "none here"),
        _row("Gap", _displayed(of.gap)),
        *([_numbers_rows(of.numbers)] if of.numbers is not None else []),
        _answers_rows(of.answers),
    )


def _closed_line(of: Closed) -> str:
    return f"$x = {escape(PaperPrinter()(of.policy), quote=False)}$" + (
        "" if of.where == sp.true else f" where {_math(of.where)}"
    )


def _closed(of: Closed) -> str:
    return _card("A stationary policy in closed form", _row("", _closed_line(of)))


def _answers_rows(of: Mapping[str, Answer]) -> str:
    return _listed("Claims", map(_answer_line, of.values()), most=len(of))


def _answer_line(of: Answer) -> str:
    if not of.claims:
        return f"{escape(of.question)}: open, no claim covers this point"
    first, more = of.claims[0], len(of.claims) - 1
    return f"{escape(of.question)}: {_settled_line(first)}{f', and {more} more' if more else ''}"


def _settled_line(of: Settled) -> str:
    where = "" if of.where == sp.true else f" where {_math(of.where)}"
    return f"{_code(of.card.id)} ({escape(of.card.words)}) {escape(of.note or of.card.title)}{where}"


def _answer(of: Answer) -> str:
    return _card(escape(of.question), _listed("", map(_settled_line, of.claims)) or "open: no claim covers this point")


def _settled(of: Settled) -> str:
    where = _row("Where", _math(of.where)) if of.where != sp.true else ""
    title, place = escape(of.card.title), _code(of.card.id)
    return _card(title, where, _row("", escape(of.note)), badges=[_verdict(of.card.words)], place=place)


def _numbers_rows(of: Numbers) -> str:
    rows = [f"x = {q.success}: {q.extremum}" + ("" if q.separated else ", not separated") for q in of.policies]
    rows.append(f"on-policy gradient flow from the reference: {of.flow}")
    rows += [f"exact best responses from the reference: {of.limit}"] if of.limit is not None else []
    return _listed("Certified", map(escape, rows))


def _numbers(of: Numbers) -> str:
    count = len(of.policies)
    return _card(f"{count} stationary {'policy' if count == 1 else 'policies'} in (0, 1)", _numbers_rows(of))


def _line(of: Line) -> str:
    source = f" ({escape(of.named.source)})" if of.named.source else ""
    point = _row("", escape(str(of.theory.point)))
    return _card(f"{escape(of.named.name)}{source}", point, _answers_rows(of.answers))


# -- settings and objectives -------------------------------------------------------------------------------------------


def _setting(of: Setting) -> str:
    from grpo_symbolic.trainers.words import formulas, sentence

    lines = escape("\n".join(formulas(of)))
    return _card(escape(sentence(of)), f'<pre style="overflow-x:auto;background:none">{lines}</pre>')


def _part(of: Advantages | Penalty | Advantage | Divergence) -> str:
    return _card(_code(repr(of)))


def _reading(of: Reading) -> str:
    from grpo_symbolic.trainers.words import sentence

    return _card(
        escape(f"{of.trainer} {of.version}"),
        _row("", escape(sentence(of.setting))),
        _listed("Not modelled", (escape(str(use)) for use in of.left_out())),
        _listed("Notes", (escape(note.text) + "".join(f" {_code(c)}" for c in note.claims) for note in of.notes)),
    )


def _objective(of: Objective) -> str:
    size = "any group size" if of.group_size is None else f"groups of {of.group_size}"
    name = getattr(of.divergence, "name", type(of.divergence).__name__)
    rows = [_row("Advantage", _code(repr(of.advantage))), _row("Divergence", escape(str(name)))]
    return _card(f"The objective with β = {_math(of.beta)}, {escape(size)}", *rows)


def _formula_penalty(of: FormulaPenalty) -> str:
    return _card(f"The penalty {_code(of.name)}: {escape(of.meaning)}", _displayed(of.expression))


def _formula_advantage(of: FormulaAdvantage) -> str:
    return _card(f"The advantage {_code(of.name)} of a member with reward r", _displayed(of.expression))


# -- numbers -----------------------------------------------------------------------------------------------------------


def _recursion(of: SuccessRecursion) -> str:
    try:
        row = _row("Map", f"$h(p) = {escape(PaperPrinter()(of.h), quote=False)}$")
    except BadInput:  # a best response without a closed form
        row = _row("Fixed points", _displayed(sp.Eq(of.equation, 0, evaluate=False)))
    return _card(f"Exact best responses from p_ref = {_math(of.p_ref)}", row)


def _as_text(of: Any) -> str:
    return _card(escape(str(of)))


def _as_repr(of: Any) -> str:
    return _card(escape(repr(of).strip("<>")))


def _compiled(of: Compiled) -> str:
    names = ", ".join(map(_math, of.arguments))
    return _card(f"A function of {names}, compiled for {escape(of.backend)}", _displayed(of.expression))


def _sweep(of: Sweep) -> str:
    words = "refuted" if of.refuted else "swept: no violation, and no proof"
    rows = [f"{escape(p.label)}: {escape('; '.join(p.sentences))}" for p in of.parts]
    skipped = _listed("Not swept", (escape(f"{label}: {why}") for label, why in of.skipped))
    return _card(_code(of.claim), _listed("", rows), skipped, badges=[_verdict(words)], place=escape(of.engine))


# -- logs --------------------------------------------------------------------------------------------------------------


def _diagnosis(of: Diagnosis) -> str:
    rows = [_listed("Not what the options imply", map(_finding_line, of.odd))]
    rows.append(_listed("May be wrong", map(escape, of.faults)))
    badge = (f"{len(of.odd)} odd", COLOURS["refuted"]) if of.odd else ("nothing odd", _PLAIN)
    return _card(escape(repr(of).strip("<>")), *rows, badges=[badge])


def _finding_line(of: Finding) -> str:
    return f"{escape(of.quantity)}: {escape(of.text)}" + "".join(f" {_code(c)}" for c in of.claims)


def _finding(of: Finding) -> str:
    colour = COLOURS["refuted"] if of.kind.name == "ODD" else _PLAIN
    rows = [_row("", _finding_line(of)), _listed("May be wrong", map(escape, of.tells))]
    return _card(escape(of.quantity), *rows, badges=[(of.kind, colour)])


def _record(of: Record) -> str:
    series = (f"{escape(q)}: {_code(of.columns.get(q, ''))}" for q in of.series)
    return _card(escape(repr(of).strip("<>")), _listed("Series", series))


WRITERS: dict[str, Callable[[Any], str]] = {
    "Claim": _claim,
    "Catalogue": _catalogue,
    "Statement": _statement,
    "Domain": _domain,
    "Derivation": _derivation,
    "Obligation": _obligation,
    "Tried": _tried,
    "Proofs": _proofs,
    "Point": _point,
    "Theory": _theory,
    "Closed": _closed,
    "Answer": _answer,
    "Settled": _settled,
    "Numbers": _numbers,
    "Line": _line,
    "Setting": _setting,
    "Advantages": _part,
    "Penalty": _part,
    "Reading": _reading,
    "Objective": _objective,
    "Advantage": _part,
    "FormulaAdvantage": _formula_advantage,
    "Divergence": _part,
    "FormulaPenalty": _formula_penalty,
    "SuccessRecursion": _recursion,
    "Enclosure": _as_text,
    "FixedPoint": _as_text,
    "Fold": _as_text,
    "Limit": _as_text,
    "Compiled": _compiled,
    "SuccessLimits": _as_repr,
    "Solution": _as_repr,
    "Predicted": _as_repr,
    "Prediction": _as_repr,
    "Sweep": _sweep,
    "Diagnosis": _diagnosis,
    "Finding": _finding,
    "Record": _record,
}
"""The writer of each class, by its name: a subclass has that of the nearest class above it that has one."""
