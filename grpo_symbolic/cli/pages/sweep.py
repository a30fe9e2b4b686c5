"""The page of a sweep: what was drawn for each obligation, what the floats say, what ball arithmetic makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from grpo_symbolic.cli.pages.layout import field, line

if TYPE_CHECKING:
    from grpo_symbolic.numeric.sweeps import Sweep

PHASES = ("instances", "in ball arithmetic")


def show_sweep(out: Console, swept: Sweep) -> None:
    """Print a finished sweep."""
    b = swept.backend
    line(out, f"{swept.claim}  {swept.samples:,} instances for each obligation, seed {swept.seed}", style="bold")
    field(out, "engine", f"{swept.engine} ({b['device_name']}, {b['cores']} cores)")
    for part in swept.parts:
        line(out)
        line(out, part.label, style="bold")
        field(out, "outcome", part.outcome.value)
        for text in part.sentences:
            field(out, "", text)
        field(out, "speed", f"{part.per_second:.3g} instances a second, {part.seconds:.1f} s")
    for label, why in swept.skipped:
        line(out)
        line(out, label, style="bold")
        field(out, "not swept", why)
    line(out)
    line(out, _ending(swept))


def _ending(swept: Sweep) -> str:
    if swept.refuted:
        return "The claim is refuted: ball arithmetic confirms a violation at an exact point of the domain."
    return "Floating-point instances prove nothing: what they say has the grade swept."
