"""The page of ``grpo-symbolic diagnose``: what is odd, what the options explain, what is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from grpo_symbolic.cli.pages.layout import line

if TYPE_CHECKING:
    from grpo_symbolic.diagnose import Diagnosis, Finding

__all__ = ["show_diagnosis"]


def show_diagnosis(out: Console, of: Diagnosis) -> None:
    """The rows that were read; the findings of each kind, those that are odd first; and what is left out of account."""
    from grpo_symbolic.diagnose import Kind
    from grpo_symbolic.diagnose.diagnosis import ASSUMED

    log = of.run.log
    if of.assumed:
        line(out, ASSUMED, style="yellow")
    line(out, f"{len(log.steps)} rows, steps {log.steps[0]:g} to {log.steps[-1]:g}, {len(log.series)} series")
    for kind in (Kind.ODD, Kind.EXPLAINED, Kind.OPEN):
        findings = of.of(kind)
        if findings:
            line(out)
            line(out, kind, style="bold red" if kind is Kind.ODD else "bold")
            for finding in findings:
                _show(out, finding)
    left_out = [
        ("not asked", [f"{u.name.replace('_', ' ')} (needs {', '.join(u.missing)})" for u in of.unasked]),
        ("not understood", list(log.unknown)),
        ("held against nothing", list(log.beside)),
    ]
    if any(entries for _, entries in left_out):
        line(out)
    for title, entries in left_out:
        if entries:
            line(out, f"{title}: {', '.join(entries)}")


def _show(out: Console, finding: Finding) -> None:
    cited = f"  [{', '.join(finding.claims)}]" if finding.claims else ""
    line(out, f"  - {finding.quantity}: {finding.text} ({finding.surety}){cited}")
    for tell in finding.tells:
        line(out, f"      {tell}")
