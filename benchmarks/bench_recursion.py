"""The success recursion in bulk next to two Python loops over ``h``, in nanoseconds a pair (p_ref, β).

'package': h as the package has it (Mroueh, 2025, equation (8)), through SymPy's ``lambdify`` with ``math``; 'hand': the
same by hand, the logit of p_ref taken out of the loop. Both iterate ``p = h(p)`` until two successive values differ by
less than 1e-12, at most 10,000 times, and are timed on a subset of the same pairs; they find neither the other fixed
points nor that a cycle is one. Two sets of pairs: 'even', p_ref uniform in (0, 1), where most loops end after three
steps, and 'rare', logit p_ref uniform in (−10, 5), where orbits are long and may be cycles. A first call is made before
what is timed, since it compiles.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
from grpo_symbolic.derivations.mroueh.thm2_recursion import h
from machine import save

from grpo_symbolic.notation import beta, guard, success, success_ref
from grpo_symbolic.numeric import available, backends, success_limit

LARGE = {"group_size": math.inf, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)

GUARD = 1e-4
MOST_STEPS = 10_000
LOOPED = 4000


def package_loop() -> Callable[[float, float], tuple[float, int]]:
    """The loop over the package's own h, compiled once."""
    step = sp.lambdify((success, success_ref, beta, guard), h, "math")

    def run(p_ref: float, b: float) -> tuple[float, int]:
        p = p_ref
        for made in range(1, MOST_STEPS + 1):
            new = step(p, p_ref, b, GUARD)
            if abs(new - p) < 1e-12:
                return new, made
            p = new
        return p, MOST_STEPS

    return run


def hand_loop(p_ref: float, b: float) -> tuple[float, int]:
    """The loop by hand: the last value, and how many steps were made."""
    logit, p = math.log(p_ref / (1 - p_ref)), p_ref
    for made in range(1, MOST_STEPS + 1):
        new = 1 / (1 + math.exp(-logit - 1 / (b * math.sqrt(p * (1 - p) + GUARD))))
        if abs(new - p) < 1e-12:
            return new, made
        p = new
    return p, MOST_STEPS


def pairs(kind: str, rows: int) -> tuple[Any, Any]:
    """p_ref and β, the latter spread evenly in its logarithm over 0.01 to 10."""
    chance = np.random.default_rng(1)
    p = chance.random(rows) if kind == "even" else 1 / (1 + np.exp(-chance.uniform(-10, 5, rows)))
    return p, 10 ** chance.uniform(-2, 1, rows)


def main() -> None:
    """``python bench_recursion.py [ROWS [DEVICE]]``: 10⁶ rows on NumPy and, where installed, torch and JAX."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    device = sys.argv[2] if len(sys.argv) > 2 else None
    measured: dict[str, Any] = {"rows": rows, "looped_rows": LOOPED}
    for kind in ("even", "rare"):
        p, b = pairs(kind, rows)
        slow: dict[str, float] = {}
        for loop_name, loop in (("package", package_loop()), ("hand", hand_loop)):
            begun = time.perf_counter()
            looped = [loop(float(p[k]), float(b[k])) for k in range(LOOPED)]
            slow[loop_name] = (time.perf_counter() - begun) / LOOPED
            values, steps = np.array(looped).T
            measured[f"{kind}_{loop_name}_loop_ns"] = round(slow[loop_name] * 1e9)
        measured |= {
            f"{kind}_loop_steps": round(float(steps.mean()), 1),
            f"{kind}_median_steps": float(np.median(steps)),
        }
        for name in (n for n in ("numpy", "torch", "jax") if n in available()):
            if device is not None and name == "numpy":
                continue
            success_limit(p, b, GUARD, fixed_points=False, backend=name, device=device, **LARGE)
            begun = time.perf_counter()
            limits = success_limit(p, b, GUARD, fixed_points=False, backend=name, device=device, **LARGE)
            backends.get(name, device).synchronize()
            taken = (time.perf_counter() - begun) / rows
            same = limits.converged[:LOOPED] & (steps < MOST_STEPS)
            worst = float(np.max(abs(limits.limit[:LOOPED] - values)[same]))
            measured |= {
                f"{kind}_{name}_ns": round(taken * 1e9, 1),
                f"{kind}_{name}_ratio_package": round(slow["package"] / taken, 1),
                f"{kind}_{name}_ratio_hand": round(slow["hand"] / taken, 1),
                f"{kind}_{name}_worst_difference": float(f"{worst:.1e}"),
            }
        measured[f"{kind}_cycles"] = int(np.count_nonzero(limits.period > 1))
        measured[f"{kind}_undecided"] = int(np.count_nonzero(limits.period == 0))
    save("recursion" if device is None else f"recursion_{device}", measured)


if __name__ == "__main__":
    main()
