"""The table of algorithms as a Markdown page, generated from :mod:`grpo_symbolic.objectives.algorithms`.

``python tests/algorithms_page.py > docs/reference/algorithms.md`` writes it anew; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.objectives.algorithms import ALGORITHMS, Algorithm

# What the claims say of the rows of ALGORITHMS, by their keys.
REST: dict[str, tuple[str, ...]] = {  # the claims on the policies at which the first step is zero
    "sft": ("pt-sft-own-samples", "pt-sft-minimiser"),
    "reinforce": ("pt-table-no-rest",),
    "trpo": ("pt-table-no-rest", "pt-eq9-trpo-slope"),
    "trpo-constraint": ("pt-table-no-rest",),
    "ppo": ("pt-table-no-rest",),
    "ppo-kl": ("pt-rlhf-optimum", "by-div-charge-levels"),
    "grpo": ("vy-eq14", "by-two-levels"),
    "dr-grpo": ("pt-table-no-rest", "tr-none-rises"),
    "grape": ("pt-table-no-rest",),
    "grape-sequence": ("pt-table-no-rest",),
    "dpo": ("pt-dpo-minimiser",),
}
BESIDE: dict[str, dict[str, str]] = {  # claims on single entries of a row, by the name of the entry
    "trpo-constraint": {"penalty_gradient": "pt-eq10-first-step"},
    "grpo": {"bias": "by-gap-shape"},
}


def step_claim(key: str) -> str:
    """The claim that the step of a row is minus the gradient of its loss at π = π_old."""
    return f"pt-table-{key}"


_INTRODUCTION = """# The algorithms, side by side

This page is generated from `grpo_symbolic.objectives.algorithms`; do not edit it. Each row is an importable symbolic
objective on token trees. The step is minus the gradient of the row's expected loss, π_old held fixed, at π = π_old;
`grpo-symbolic show CLAIM` says how that is proved. A first step is not the path: off-policy the rows part at once. What
is said of the rows in the literature is judged in `derivations/patel/`.

A is the advantage, ρ the ratio π/π_old of a token or of a text, |o| the number of tokens of a text. Advantages, π_old
and whatever else is held fixed carry no gradient.
"""


def table(rows: Sequence[Algorithm], columns: dict[str, str]) -> str:
    """A Markdown table: ``columns`` gives for each heading the entry that fills it."""
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(entry(row, attribute) for attribute in columns.values()) + " |" for row in rows]
    return "\n".join(lines)


def entry(row: Algorithm, attribute: str) -> str:
    """One cell, with the claim on it alone where there is one."""
    match attribute:
        case "step_latex":
            return "$" + row.step_latex.replace("|o|", r"\lvert o\rvert") + "$"  # a bare bar would end the cell
        case "step_claim":
            return f"`{step_claim(row.key)}`"
        case "rest_claims":
            return ", ".join(f"`{name}`" for name in REST[row.key])
    beside = BESIDE.get(row.key, {}).get(attribute)
    text = getattr(row, attribute).replace("|", r"\|")
    return f"{text}{f' (`{beside}`)' if beside else ''}"


def page() -> str:
    """The whole page."""
    row = {"Algorithm": "name"}
    weighed = row | {"Source": "source", "Advantage": "advantage", "Weighs": "ratio", "Normalisation": "normalisation"}
    clipped = row | {"Clip": "clip", "Ratios that it stops": "stops", "A token's gradient off-policy": "off_policy"}
    penalised = row | {"Divergence": "divergence", "Its gradient at π = π_old": "penalty_gradient"}
    sampled = row | {"Samples": "samples", "Held fixed": "held_fixed"}
    stepped = row | {"Step at π = π_old": "step_latex", "Factor on ∇E[R]": "bias"}
    proved = row | {"Claim": "step_claim", "Proved for": "proved_for"}
    resting = row | {"Rest point": "rest", "Claims": "rest_claims"}
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
