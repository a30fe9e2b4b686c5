"""The table of algorithms as a Markdown page, generated from :mod:`grpo_symbolic.objectives.algorithms`.

``python -m grpo_symbolic.report.algorithms > docs/reference/algorithms.md`` writes it anew; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.objectives.algorithms import ALGORITHMS, Algorithm

_INTRODUCTION = """# The algorithms, side by side

This page is generated from `grpo_symbolic.objectives.algorithms`; do not edit it. Each row is an importable symbolic
objective on token trees. The step in the last table is minus the gradient of the row's expected loss, π_old
held fixed, at π = π_old; `grpo-symbolic show CLAIM` says how that is proved. A first step is not the path: off-policy
the rows part at once. What is said of the rows in the literature is judged in `derivations/patel/`.
"""


def table(rows: Sequence[Algorithm], columns: dict[str, str]) -> str:
    """A Markdown table: ``columns`` gives for each heading the attribute that fills it."""
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(str(getattr(row, attribute)) for attribute in columns.values()) + " |" for row in rows]
    return "\n".join(lines)


def page() -> str:
    """The whole page."""
    what = {"Algorithm": "name", "Source": "source", "Advantage": "advantage", "Weighs": "ratio", "Clip": "clip"}
    how = {"Algorithm": "name", "Divergence": "divergence", "Held fixed": "held_fixed", "Samples": "samples"}
    steps = [f"| {row.name} | ${row.step_latex}$ | `{row.claim}` |" for row in ALGORITHMS]
    parts = [
        _INTRODUCTION,
        "## What is weighed\n",
        table(ALGORITHMS, what) + "\n",
        "## What is penalised, what is held fixed, on whose samples\n",
        table(ALGORITHMS, how) + "\n",
        "## Where the first step points\n",
        "\n".join(["| Algorithm | Step at π = π_old | Claim |", "| --- | --- | --- |", *steps]) + "\n",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    import sys

    sys.stdout.write(page())
