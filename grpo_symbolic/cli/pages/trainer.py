"""The page of ``grpo-symbolic trainer``: what a run with these options optimises, what to mind, and where it goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from grpo_symbolic import catalogue
from grpo_symbolic.cli.pages.layout import line
from grpo_symbolic.proof.statements.evidence import Verdict
from grpo_symbolic.reading import Fate, Note, Part, Reading, Use, written
from grpo_symbolic.trainers.facts import Kind, facts
from grpo_symbolic.trainers.words import formulas, gradient, sentence

__all__ = ["show_reading", "show_trainer"]

_SETTLED = (Verdict.proved, Verdict.definition)


def show_reading(out: Console, of: Reading) -> None:
    """The trainer, one sentence on what the run optimises, what has to be noted of its options, and which of them what
    follows leaves out.
    """
    line(out, f"{of.trainer} {of.version}", style="bold")
    line(out, sentence(of.setting))
    for note in of.notes:
        line(out, f"  - {note.text}")
    _left_out(out, of.left_out())


def _left_out(out: Console, uses: Sequence[Use]) -> None:
    for why, changes, named in _by_reason(uses):
        may = f"; may change {' and '.join(changes)}" if changes else ""
        line(out, f"  not modelled: {why} ({named}){may}", style="yellow" if Part.END in changes else "")


def _by_reason(uses: Sequence[Use]) -> list[tuple[str, tuple[Part, ...], str]]:
    """Each reason once, with the options that have it."""
    reasons = dict.fromkeys((use.why, use.changes) for use in uses)
    return [
        (why, changes, ", ".join(f"{u.name}={written(u.value)}" for u in uses if (u.why, u.changes) == (why, changes)))
        for why, changes in reasons
    ]


def show_trainer(out: Console, of: Reading) -> None:
    """One sentence; warnings with the claims that prove them; loss and gradient; what is known; what is open.

    A claim that is neither proved nor a definition, as its file says, has its verdict behind its id.
    """
    ids = catalogue.index().expected
    setting = of.setting
    line(out, f"{of.trainer} {of.version}", style="bold")
    line(out, sentence(setting))
    cited = [Note(n.text, tuple(c for c in n.claims if c in ids)) for n in of.notes]
    _notes(out, "warnings", [*cited, *facts(setting, Kind.WARNING, ids)], ids)
    line(out)
    line(out, "loss, to be minimised", style="bold")
    for text in formulas(setting):
        line(out, f"  {text}")
    for use in of.left_out(Part.LOSS):
        line(out, f"  besides, not in the formula: {use.why}")
    line(out)
    line(out, "gradient where π_old and π_sampler are π", style="bold")
    line(out, f"  {gradient(setting)}")
    _notes(out, "where it goes", facts(setting, Kind.KNOWN, ids), ids)
    _notes(out, "open", facts(setting, Kind.OPEN, ids), ids)
    _options(out, of)


def _options(out: Console, of: Reading) -> None:
    """What became of each option that was given."""
    if not of.options:
        return
    line(out)
    line(out, "options", style="bold")
    used = [f"{u.name}={written(u.value)}" for u in of.options if u.fate is Fate.USED]
    if used:
        line(out, f"  used: {', '.join(used)}")
    for why, _, named in _by_reason([u for u in of.options if u.fate is Fate.IDLE]):
        line(out, f"  without effect here: {named} ({why})")
    _left_out(out, of.left_out())


def _notes(out: Console, title: str, notes: Sequence[Note], verdicts: Mapping[str, Verdict]) -> None:
    if not notes:
        return
    line(out)
    line(out, title, style="bold")
    for note in notes:
        cited = [c if verdicts[c] in _SETTLED else f"{c} ({verdicts[c]})" for c in note.claims]
        line(out, f"  - {note.text}" + (f"  [{', '.join(cited)}]" if cited else ""))
