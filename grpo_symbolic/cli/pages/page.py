"""The command line's pages: one claim in full, and the errata of a paper, with mathematics as a person types it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console

from grpo_symbolic.cli.pages.judged import Judged
from grpo_symbolic.cli.pages.layout import field, line, show_table
from grpo_symbolic.index import Listing
from grpo_symbolic.ledger import Entry, Mutants, Part, Step
from grpo_symbolic.proof.statements.evidence import NOT_YET, ON_RECORD
from grpo_symbolic.report import count
from grpo_symbolic.report.advice import ON_PRINTS, false_steps, open_parts, what_would_help
from grpo_symbolic.setting import PAPER_GRPO, Setting
from grpo_symbolic.signs import quoted
from grpo_symbolic.trainers.questions import Question
from grpo_symbolic.typeset.plain import brief, plain, whole

_USERS = 6
_ABOUT = 12  # claims that are shown on a word before the rest is left to --all
_STEP = 100  # characters of a step that leads to a sentence: one line
_LONGEST = 360  # characters of a formula that are shown before the rest is left to --all


@dataclass(frozen=True)
class View:
    """What a page shows: formulas as LaTeX or as a person types them, whole or shortened, derivations, evidence."""

    latex: bool = False
    whole: bool = False
    derivation: bool = False
    evidence: bool = False

    def formula(self, latex: str) -> str:
        """A formula as it is shown."""
        return latex if self.latex else plain(latex)

    @property
    def complete(self) -> bool:
        """Whether formulas are shown to their ends: always as LaTeX, which is to be pasted."""
        return self.whole or self.latex

    def cut(self, text: str, most: int, end: str = " …") -> str:
        """A text, or its beginning where it is longer than ``most`` characters."""
        return text if self.complete or len(text) <= most else f"{text[:most]}{end}"

    def part(self, part: Part) -> str:
        """A part of a statement with its own domain."""
        return self.formula(part.latex) + (f"   for {self.formula(part.where)}" if part.where else "")

    def labelled(self, part: Part) -> str:
        """A part behind its label, where it has one."""
        return f"{part.label}: {self.part(part)}" if part.label else self.part(part)

    def parts(self, entry: Entry) -> str:
        """The statement part by part, as far as it is short; how many parts there are beyond."""
        parts = entry.stated or (Part("", entry.sentence),)
        lines: list[str] = []
        for text in map(self.labelled if len(parts) > 1 else self.part, parts):
            fits = sum(map(len, lines)) + len(text) <= _LONGEST
            if lines and not (fits or self.complete):
                break
            lines.append(self.cut(text, _LONGEST))
        left = len(parts) - len(lines)
        return "\n".join([*lines, *([f"… and {count(left, 'more part')}: --all"] if left else [])])

    def reading(self, entry: Entry) -> str:
        """What the print is read as, as far as it is short, and what the names in it stand for."""
        text = self.cut(self.formula(entry.reading), _LONGEST, " …: --all")
        return "\n".join([text, *map(self.formula, entry.reading_with)])

    def because(self, entry: Entry) -> str:
        """The steps that lead to the sentence, one line each: what they are called, or else the formula."""
        steps = entry.because
        return "\n".join(self.labelled(s) if self.complete else self.cut(s.label or self.part(s), _STEP) for s in steps)


def not_yet(number: int, of: int) -> str:
    """How many claims no run has looked at, as the end of a sentence."""
    which = "none is verified yet" if number == of else f"{number} of {of} are {NOT_YET}"
    return f"{which}: run `grpo-symbolic verify`"


def mutant_counts(counts: Mutants) -> str:
    """How many mutants of a claim have which outcome."""
    named = {k: getattr(counts, k) for k in ("refuted", "equivalent", "survived", "unknown")}
    parts = [f"{number} {name}" for name, number in named.items() if number]
    return f"{counts.made}: {', '.join(parts)}" if parts else "none"


def show_claim(
    out: Console, entry: Entry, paper_title: str, view: View, used_by: Sequence[str] = (), letters: str = ""
) -> None:
    """One claim: its verdicts first, what it says and where, what speaks against the print, and what proves it;
    ``letters``: what its file says that letters stand for.
    """
    _head(out, entry, paper_title, view)
    field(out, "verdict", _verdict(entry))
    field(out, "fails at", brief(entry.counterexample, letters=entry.letters))
    field(out, "in", "\n".join(false_steps(entry) if entry.counterexample else ()))
    field(out, "with", "\n".join(map(view.formula, entry.line_with)))
    field(out, "in short", entry.title if entry.line else "")
    if view.whole or not entry.says_all:
        field(out, "as checked" if entry.line else "as stated", view.parts(entry))
        if any(not part.where for part in entry.parts) or not entry.parts:
            field(out, "where", view.formula(entry.domain))
    field(out, "as printed", view.formula(entry.print_beside))
    field(out, "read as", view.reading(entry))
    field(out, "but", entry.print_remark)
    field(out, "not read", ", ".join(plain(unread) for unread in entry.print_unread))
    field(out, "misled", entry.consequence or "")
    field(out, "witness", (whole if view.whole else brief)(entry.witness, letters=entry.witness_letters))
    field(out, "because", view.because(entry))
    field(out, "proof", _proof(entry))
    field(out, "in Coq", entry.in_coq)
    field(out, "open", "\n".join(open_parts(entry)))
    field(out, "would help", "\n".join(what_would_help(entry) if entry.is_undecided else ()))
    field(out, "remark", entry.remark)
    field(out, "letters", letters if view.whole else "")
    field(out, "by rules", "\n".join(entry.rules))
    field(out, "in words", "\n".join(entry.words))
    field(out, "depends on", ", ".join(entry.depends_on))
    field(out, "used by", ", ".join(used_by) if view.whole else _few(used_by))
    field(out, "file", f"{entry.paper}/{entry.file}")
    more = {"--derivation": bool(entry.steps), "--evidence": bool(entry.evidence), "--latex": True, "--all": True}
    shown = {"--derivation": view.derivation, "--evidence": view.evidence, "--latex": view.latex, "--all": view.whole}
    field(out, "more", "  ".join(flag for flag, there in more.items() if there and not shown[flag]))
    if view.derivation:
        field(out, "derivation", "" if entry.steps else "none: its file derives nothing in steps for it")
        _steps(out, entry.steps, view.formula)
    if view.evidence:
        _evidence(out, entry)


def _few(ids: Sequence[str]) -> str:
    """The first of many ids, and how many there are."""
    return ", ".join(ids[:_USERS]) + (f", … ({len(ids)} claims)" if len(ids) > _USERS else "")


def _head(out: Console, claim: Entry | Listing, paper_title: str, view: View) -> None:
    """Which claim it is, and what it says in one line, or else its title."""
    line(out, f"{claim.id} · {paper_title} ({claim.paper}), {claim.locator}", style="bold")
    line(out, one_line(claim, view.formula(claim.line)))


def one_line(claim: Entry | Listing, formula: str) -> str:
    """What a claim says in one line, in quotation marks where these are words of its file or of the paper, and not what
    was checked itself; its title, in marks as well, where there is no line.
    """
    if not formula:
        return quoted(claim.title)
    return formula if claim.says_itself else quoted(formula)


def _verdict(entry: Entry) -> str:
    """The verdict in words, and that on the print."""
    expected = "" if entry.verdict == entry.expected else f" (its file expects {entry.expected})"
    return f"{entry.verdict}{expected}" + (f"; {ON_PRINTS[entry.print_verdict]}" if entry.is_printed else "")


def _proof(entry: Entry) -> str:
    """The weakest link, what has to be believed, which engines agreed when it was found, and the controls."""
    believed = sorted({engine for engines in entry.believes.values() for engine in engines})
    what = f"; {count(len(entry.believes), 'obligation')} on the word of {', '.join(believed)}" if believed else ""
    others = dict.fromkeys(e.engine.split()[0] for e in entry.evidence if e.about == "holds" and e.checker == ON_RECORD)
    same = f"; when it was found, {' and '.join(others)} agreed" if others else ""
    controls = f"; changed on purpose {mutant_counts(entry.mutants)}" if entry.mutants.made else ""
    return f"{entry.weakest.name} at its weakest link{what}{same}{controls}"


def _evidence(out: Console, entry: Entry) -> None:
    line(out)
    line(out, "Evidence", style="bold")
    columns = ["about", "obligation", "checker", "engine", "grade", "outcome", "seconds"]
    rows = [
        [e.about, e.obligation, e.checker, e.engine, e.grade.name, e.outcome, f"{e.seconds:.3f}"]
        for e in entry.evidence
    ]
    show_table(out, columns, rows, right=["seconds"])


def _steps(out: Console, steps: Iterable[Step], formula: Callable[[str], str]) -> None:
    previous = None
    for number, step in enumerate(steps, start=1):
        if step.derivation != previous:
            line(out)
            line(out, f"Derivation {step.derivation}", style="bold")
            previous = step.derivation
        line(out, f"  {number}. {step.name}" + (f": {step.note}" if step.note else ""))
        line(out, f"     {formula(step.result)}")


def show_about(out: Console, word: str, claims: Sequence[Listing], commands: Sequence[str], view: View) -> None:
    """What speaks of a word that is no claim's id: one line a claim, and the commands for an option of a trainer."""
    line(
        out, f"No claim is called {word}; {count(len(claims), 'claim')} on it:" if claims else f"No claim is on {word}."
    )
    shown = claims if view.whole else claims[:_ABOUT]
    for c in shown:
        field(out, c.id, one_line(c, view.formula(c.line)))
    if len(shown) < len(claims):
        field(out, "…", f"{len(claims) - len(shown)} more: --all")
    if commands:
        line(out, "As an option of a trainer:")
        for command in commands:
            line(out, f"  {command}")


def show_questions(out: Console, questions: Sequence[Question], setting: Setting | None = None) -> None:
    """Each question with its answer, a number for the ``setting`` (the published one if there is none), its claims."""
    for question in questions:
        line(out, question.ask, style="bold")
        number = question.number(PAPER_GRPO if setting is None else setting)
        line(out, f"  {question.answer}" + (f" ({number})" if number else ""))
        line(out, f"  [{', '.join(question.claims)}]")


def show_errata(out: Console, errata: Sequence[Judged], listed: Sequence[Listing], view: View) -> None:
    """Every one of the ``errata``, with what holds instead; of what no run has looked at, how its file judges the
    print. They are among the claims that are ``listed``.
    """
    for row in errata:
        c, entry = row.listing, row.entry
        line(out, f"{c.id}  {c.locator}", style="bold")
        line(out, one_line(c, view.formula(c.line)))
        field(out, "print", f"{row.print_verdict}, by its file; {NOT_YET}" if entry is None else f"{row.print_verdict}")
        field(out, "misled", row.record.consequence or "")
        field(out, "as printed", view.formula(c.printed or ""))
        field(out, "read as", view.reading(entry) if entry is not None else "")
        field(out, "fails at", brief(entry.witness, letters=entry.witness_letters) if entry is not None else "")
        field(out, "in short", c.title if c.line else "")
        if entry is not None:
            field(out, "as stated", "" if c.line else view.parts(entry))
            field(out, "as checked", view.parts(entry) if c.line and view.whole else "")
            field(out, "where", view.formula(entry.domain))
            field(out, "verdict", entry.verdict)
        field(out, "remark", c.print_remark)
        line(out)
    open_ = sum(row.entry is None for row in errata)
    verb = "does" if len(errata) == 1 else "do"
    late = f"; {not_yet(open_, len(errata))}" if open_ else "."
    line(out, f"{count(len(errata), 'print')} of {count(len(listed), 'claim')} {verb} not simply hold{late}")
