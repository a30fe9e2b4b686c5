"""One or two uses of every command, which its ``--help`` ends with."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "verify": ("verify --id vy-eq14", "verify my_paper/ --mutate --json ledger.json"),
    "new": ("new my_paper",),
    "list": ("list --paper mroueh --verdict wrong",),
    "show": ("show vy-eq14", "show mr-fig2-p1 --evidence --latex"),
    "search": ("search loss is 0", "search dead groups --trainer trl --set num_generations=4"),
    "errata": ("errata --paper patel",),
    "sweep": ("sweep vy-eq14-lower-bound --samples 1e8 --backend torch --device cuda",),
    "predict": (
        "predict pass_rates.csv --beta 0.04 --tokens 16",
        "predict pass_rates.csv --beta 0.04 --steps 500 --learning-rate 0.1 --out predicted.csv",
    ),
    "theory": ("theory --group-size 8 --normaliser std+eps --guard 1e-4 --divergence k3 --beta 0.04", "theory --table"),
    "derive": (
        'derive --penalty "sum((pi - pi_ref)^2/pi_ref)" -G 16 --beta 2 --pass-rate 1/5',
        'derive --advantage "(r - median)/(mad + 0.1)" -G 8 --latex',
    ),
    "trainer": ("trainer trl --set beta=0.04 --set num_generations=8", "trainer verl --config config.yaml --to torch"),
    "diagnose": (
        "diagnose outputs/trainer_state.json --config grpo.yaml",
        "diagnose metrics.jsonl --trainer verl --config config.yaml --page run.html",
    ),
    "kernel": ("kernel --id vy-eq17",),
    "export": ("export vy-eq14 --to c", "export grpo --to torch --out loss.py"),
}


def epilog(command: str) -> str:
    """The examples of a command as the end of its help, one a line."""
    uses = [f"  grpo-symbolic {use}" for use in EXAMPLES[command]]
    return "\n".join(["\b", "Examples:" if len(uses) > 1 else "Example:", *uses])
