"""The table of algorithms as a Markdown page, generated from :mod:`grpo_symbolic.objectives.algorithms`.

``python tests/algorithms_page.py > docs/reference/algorithms.md`` writes it anew; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.objectives.algorithms import ALGORITHMS, Algorithm

_INTRODUCTION = """# The algorithms, side by side

This page is generated from `grpo_symbolic.objectives.algorithms`; do not edit it. Each row is an importable symbolic
objective on token trees. The step is minus the gradient of the row's expected loss, π_old held fixed, at π = π_old;
`grpo-symbolic show CLAIM` says how that is proved. A first step is not the path: off-policy the rows part at once. What
is said of the rows in the literature is judged in `derivations/patel/`.

A is the advantage, ρ the ratio π/π_old of a token or of a text, |o| the number of tokens of a text. Advantages, π_old
and whatever else is held fixed carry no gradient.
"""


def table(rows: Sequence[Algorithm], columns: dict[str, str]) -> str:
    """A Markdown table: ``columns`` gives for each heading the attribute that fills it."""
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(str(getattr(row, attribute)) for attribute in columns.values()) + " |" for row in rows]
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    row = {"Algorithm": "name"}
    weighed = row | {"Source": "source", "Advantage": "advantage", "Weighs": "ratio", "Normalisation": "normalisation"}
    clipped = row | {"Clip": "clip", "Ratios that it stops": "stops", "A token's gradient off-policy": "off_policy"}
    penalised = row | {"Divergence": "divergence", "Its gradient at π = π_old": "pull"}
    sampled = row | {"Samples": "samples", "Held fixed": "held_fixed"}
    stepped = row | {"Step at π = π_old": "shown_step", "Factor on ∇E[R]": "bias"}
    proved = row | {"Claim": "proofs", "Proved for": "proved_for"}
    resting = row | {"Rest point": "rest", "Claims": "rest_proofs"}
    tables = {
        "What is weighed": weighed,
        "What is clipped, and the gradient off-policy": clipped,
        "What is penalised": penalised,
        "On whose samples, and what is held fixed": sampled,
        "Where the first step points": stepped,
        "For what the step is proved": proved,
        "Where the first step is zero": resting,
    }
    parts = [_INTRODUCTION]
    for heading, columns in tables.items():
        parts += [f"## {heading}\n", table(ALGORITHMS, columns) + "\n"]
    return "\n".join(parts)


if __name__ == "__main__":
    import sys

    sys.stdout.write(page())
