"""What Coq's kernel accepted, as a table for people."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.console import Console
from rich.text import Text

from grpo_symbolic.cli.pages.layout import line
from grpo_symbolic.verification.kernel import Confirmation
from grpo_symbolic.verification.kernel_controls import Controls


def show_kernel(
    console: Console, results: Sequence[Confirmation], expected: Sequence[str], whole: Collection[str]
) -> list[str]:
    """Print one line a claim and the totals, also of those whose obligations are the ``whole`` sentence; return the
    claims that were expected to pass and did not.
    """
    lost = [r.id for r in results if not r.accepted and r.id in expected]
    for r in results:
        state = "kernel" if r.accepted else "lost" if r.id in lost else "open"
        line(console, f"{r.id:<34}  {state:<6}  {r.seconds:>8.2f} s")
        for reason in r.reasons:
            console.print(Text(f"    {reason}"), overflow="ellipsis", no_wrap=True)
    accepted = [r for r in results if r.accepted]
    obligations = sum(len(r.evidence) for r in accepted)
    sentences = sum(r.id in whole for r in accepted)
    engine = next((r.evidence[0].engine for r in results if r.evidence), "Coq")
    line(
        console,
        f"{len(accepted)} of {len(results)} claims at grade kernel ({obligations} obligations, the sentence itself of "
        f"{sentences}) by {engine}; {len(lost)} lost",
    )
    return lost


def show_theorems(console: Console, results: Sequence[Confirmation]) -> list[str]:
    """Print which claims follow from the theorems of their names, and the totals; return those that do not."""
    open_ = [r for r in results if not r.accepted]
    for r in open_:
        for reason in r.reasons:
            line(console, f"{r.id}: not from its theorem: {reason}")
    if results:
        derived = sum(e.checker == "coq-theorem" for r in results for e in r.evidence if r.accepted)
        parts = sum(len(r.evidence) for r in results if r.accepted)
        line(
            console,
            f"{len(results) - len(open_)} of {len(results)} sentences follow from the theorems of their names in "
            f"coq/theories ({derived} of {parts} obligations from the theorem, the others as they stand)",
        )
    return [r.id for r in open_]


def show_controls(console: Console, controls: Controls) -> bool:
    """Print how many changed claims Coq was asked about and which it accepted; return whether there are such."""
    for c in controls.accepted:
        line(console, f"{c.claim}: accepted although it is refuted: {c.change}")
    claims = len({c.claim for c in controls.asked})
    line(console, f"{len(controls.asked)} refuted changes of {claims} claims: {len(controls.accepted)} accepted by Coq")
    return bool(controls.accepted)
