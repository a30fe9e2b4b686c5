"""The page of ``grpo-symbolic trainer``: what a run with these options optimises, what to mind, and where it goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from grpo_symbolic import catalogue
from grpo_symbolic.cli.pages.layout import line
from grpo_symbolic.proof.evidence import Verdict
from grpo_symbolic.trainers.facts import Kind, facts
from grpo_symbolic.trainers.options import Note, Reading
from grpo_symbolic.trainers.words import formulas, gradient, sentence

__all__ = ["show_reading", "show_trainer"]

_SETTLED = (Verdict.proved, Verdict.definition)


def show_reading(out: Console, of: Reading) -> None:
    """The trainer, one sentence on what the run optimises, and what its options leave to be said."""
    line(out, f"{of.trainer} {of.version}", style="bold")
    line(out, sentence(of.setting))
    for note in of.notes:
        line(out, f"  - {note.text}")


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
    for text in of.outside:
        line(out, f"  besides, not in the formula: {text}")
    line(out)
    line(out, "gradient where π_old and π_sampler are π", style="bold")
    line(out, f"  {gradient(setting)}")
    _notes(out, "where it goes", facts(setting, Kind.KNOWN, ids), ids)
    _notes(out, "open", facts(setting, Kind.OPEN, ids), ids)


def _notes(out: Console, title: str, notes: Sequence[Note], verdicts: Mapping[str, Verdict]) -> None:
    if not notes:
        return
    line(out)
    line(out, title, style="bold")
    for note in notes:
        cited = [c if verdicts[c] in _SETTLED else f"{c} ({verdicts[c]})" for c in note.claims]
        line(out, f"  - {note.text}" + (f"  [{', '.join(cited)}]" if cited else ""))
