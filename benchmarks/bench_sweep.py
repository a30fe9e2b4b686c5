"""How fast a sweep is, drawn, evaluated and reduced, compilation included, on NumPy and JAX, beside the loop that one
would write with SymPy and NumPy alone: uniform numbers, ``lambdify``, and a count of where the claim fails.

The ways take turns; medians.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np
import sympy as sp
from machine import save

import grpo_symbolic as gs
from grpo_symbolic.notation import b, p
from grpo_symbolic.proof import Claim

CLAIM = "vy-eq14-lower-bound"
SAMPLES = 2_000_000
CHUNK = 1 << 18
ROUNDS = 5


def by_lambdify(holds: sp.Basic) -> int:
    """At how many of the samples the claim fails, as one writes it."""
    evaluate, rng, fails = sp.lambdify((b, p), holds, "numpy", cse=True), np.random.default_rng(0), 0
    for _ in range(SAMPLES // CHUNK):
        u, v = rng.random((2, CHUNK))
        fails += int((~evaluate(u / (1 - u), v)).sum())
    return fails


def by_sweep(claim: Claim, backend: str) -> None:
    """What ``sweep`` does, without its ball arithmetic."""
    gs.numeric.sweep(claim, SAMPLES, backend, worst=1)


def main() -> None:
    """Take turns, so that whatever slows the machine slows all."""
    claim = gs.claim(CLAIM)
    ways: dict[str, Callable[[], object]] = {
        "lambdify": partial(by_lambdify, claim.holds),
        **{f"sweep_{backend}": partial(by_sweep, claim, backend) for backend in ("numpy", "jax")},
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            begun = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - begun)
    about = {"claim": CLAIM, "samples": SAMPLES, "rounds": ROUNDS}
    rates = {f"{name}_per_second": round(SAMPLES / median(times)) for name, times in seconds.items()}
    ratios = {
        f"{backend}_ratio_to_lambdify": round(
            median(a / s for a, s in zip(seconds["lambdify"], seconds[f"sweep_{backend}"], strict=True)), 2
        )
        for backend in ("numpy", "jax")
    }
    save("sweep", {**about, **rates, **ratios})


if __name__ == "__main__":
    main()
