"""How fast a sweep is: instances in a second, drawn, evaluated and reduced, compilation included, on NumPy and JAX.

The backends take turns; medians.
"""

from __future__ import annotations

from statistics import median

from machine import save

import grpo_symbolic as gs

CLAIM = "vy-eq14-lower-bound"
SAMPLES = 5_000_000
ROUNDS = 5


def main() -> None:
    """Take turns, so that whatever slows the machine slows all."""
    claim = gs.claim(CLAIM)
    rates: dict[str, list[float]] = {"numpy": [], "jax": []}
    for _ in range(ROUNDS):
        for backend, found in rates.items():
            (part,) = gs.numeric.sweep(claim, SAMPLES, backend, worst=1).parts
            found.append(part.per_second)
    about = {"claim": CLAIM, "samples": SAMPLES, "rounds": ROUNDS}
    save("sweep", {**about, **{f"{name}_per_second": round(median(found)) for name, found in rates.items()}})


if __name__ == "__main__":
    main()
