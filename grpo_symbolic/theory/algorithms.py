"""What the claims say of the rows of :data:`grpo_symbolic.objectives.algorithms.ALGORITHMS`, by their keys."""

from __future__ import annotations

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
