"""How fast a sweep is: next to a loop over SymPy's NumPy ``lambdify``, and next to JAX written by hand.

All three draw the same instances of the claim's domain and reduce each chunk to the worst margin, where it is, and the
counts. They take turns, after one chunk each for compilation; medians, in instances a second. The first 20 chunks of
a whole ``gs.numeric.sweep``, with its compilation and the worst instances in ball arithmetic, are timed too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import sympy as sp
from machine import save

import grpo_symbolic as gs
from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.sweeps.draw import LANES, Plan, plans
from grpo_symbolic.numeric.sweeps.margin import ALLOWED, LEAST, constants, formulas, margin
from grpo_symbolic.numeric.sweeps.sweep import Unit, sweep
from grpo_symbolic.proof.statements.obligation import formula_of

CLAIM = "vy-eq14-lower-bound"
CHUNK = 1 << 18
ROUNDS = 9


def reduce_numpy(m: np.ndarray[Any, Any]) -> tuple[float, int, int, int]:
    """Worst margin, where, violations, instances without a value."""
    odd = np.isnan(m)
    m = np.where(odd, np.inf, m)
    where = int(m.argmin())
    return float(m.ravel()[where]), where, int((m < 0).sum()), int(odd.sum())


def by_lambdify(plan: Plan, expression: sp.Expr) -> Callable[[int], Any]:
    """The loop that one would write with SymPy alone."""
    backend = backends.get("numpy")
    evaluate = sp.lambdify([*plan.columns, LEAST, ALLOWED], expression, "numpy", cse=True)

    def chunk(first: int) -> Any:
        values = plan.values(backend, np.arange(first, first + CHUNK // LANES), 0, {})
        with np.errstate(all="ignore"):
            return reduce_numpy(evaluate(*values, *constants("float64")))

    return chunk


def by_hand(plan: Plan) -> Callable[[int], Any]:
    """The margin of root ≥ max(p, 1 − b) as one writes it for JAX."""
    import jax
    import jax.numpy as jnp

    backend = backends.get("jax")
    b_, p_ = (plan.columns.index(s) for s in (gs.notation.b, gs.notation.p))

    def reduced(blocks: Any) -> Any:
        values = plan.values(backend, blocks, 0, {})
        b, p = values[b_], values[p_]
        root = jnp.sqrt((1 - b) ** 2 + 4 * b * p)
        low = jnp.maximum(p, 1 - b)
        m = ((1 - b + root) / 2 - low) / ((1 + b + root) / 2 + jnp.abs(low) + 1e-300)
        odd = jnp.isnan(m)
        m = jnp.where(odd, jnp.inf, m)
        return m.min(axis=1), m.argmin(axis=1), (m < 0).sum(), odd.sum()

    jitted = jax.jit(reduced)

    def chunk(first: int) -> Any:
        with backend.precision():
            blocks = backend.integers(np.arange(first, first + CHUNK // LANES))
            return [np.asarray(r) for r in jitted(blocks)]

    return chunk


def by_sweep(unit: Unit) -> Callable[[int], Any]:
    """What ``sweep`` does with a chunk."""

    def chunk(first: int) -> Any:
        with unit.backend.precision():
            return unit.reduced(np.arange(first, first + CHUNK // LANES))

    return chunk


def main() -> None:
    """Take turns, so that whatever slows the machine slows all."""
    claim = gs.claim(CLAIM)
    obligation = claim.obligations()[-1][1]
    formula = formula_of(obligation)
    (plan,) = plans(obligation.domain, formula)
    stated = formulas(obligation, plan)
    expression = margin(sp.And(*(f for _, f in stated)), plan)
    ways: dict[str, Callable[[int], Any]] = {
        "lambdify": by_lambdify(plan, expression),
        "jax_by_hand": by_hand(plan),
        **{
            f"sweep_{b}": by_sweep(Unit(obligation, plan, stated, 1 << 40, backends.get(b), 0))
            for b in ("numpy", "jax")
        },
    }
    for chunk in ways.values():
        chunk(0)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(1, ROUNDS + 1):
        for name, chunk in ways.items():
            begun = time.perf_counter()
            chunk(number * CHUNK // LANES)
            seconds[name].append(time.perf_counter() - begun)
    rates = {name: round(CHUNK / median(s)) for name, s in seconds.items()}
    begun = time.perf_counter()
    found = sweep(claim, 20 * CHUNK, "jax")
    save(
        "sweep",
        {
            "claim": CLAIM,
            "chunk": CHUNK,
            "rounds": ROUNDS,
            **{f"{name}_per_second": rate for name, rate in rates.items()},
            "ratio_to_lambdify": round(
                median(a / b for a, b in zip(seconds["lambdify"], seconds["sweep_jax"], strict=True)), 2
            ),
            "ratio_to_jax_by_hand": round(
                median(a / b for a, b in zip(seconds["sweep_jax"], seconds["jax_by_hand"], strict=True)), 3
            ),
            "numpy_ratio_to_lambdify": round(
                median(a / b for a, b in zip(seconds["lambdify"], seconds["sweep_numpy"], strict=True)), 2
            ),
            "whole_samples": found.samples,
            "whole_seconds": round(time.perf_counter() - begun, 2),
            "whole_refuted": found.refuted,
        },
    )


if __name__ == "__main__":
    main()
