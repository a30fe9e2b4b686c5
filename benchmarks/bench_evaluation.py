"""Compiled expressions against what one would write by hand: ratios of medians within one run.

*Bulk*: ten million points, float64, on the usable cores: ours on NumPy, JAX and PyTorch, next to SymPy's NumPy
``lambdify`` with ``cse``, a hand-written function under ``jax.jit`` and the same under ``torch.compile`` (their
compilation not counted). The expressions are the map h of Mroueh (2025), equation (8), and the closed form (14) of
Vojnovic & Yun (2025), once as written and once in the accurate form, which does more work. *Certified*: the map h at
one point after the other at 50 digits, next to a python-flint loop by hand and to mpmath; and every expression of
``docs/how-to/numeric.md`` as written, next to SymPy's mpmath ``lambdify`` with ``cse``. Both once with gmpy2 under
mpmath, as this package installs it, and once with mpmath's own integers, as ``pip install mpmath`` leaves it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from statistics import median
from typing import Any

import flint
import mpmath
import numpy as np
import sympy as sp
from expressions import cases
from machine import save

from grpo_symbolic.notation import b, beta, guard, p, success, success_ref
from grpo_symbolic.numeric import compile
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.optimality import best_response

POINTS = int(os.environ.get("GRPO_SYMBOLIC_BENCH_POINTS", 10_000_000))
BALLS = 20_000
BALLS_OF_SET = 2000
ROUNDS = 7
DIGITS = 50
BITS = int(DIGITS * 3.3219281) + 21  # log₂ 10 for each digit, and a reserve

H = best_response(Advantage(guard=guard), sp.oo, "reverse-kl")
PAIR = (1 - b + sp.sqrt((1 - b) ** 2 + 4 * b * p)) / 2


def hand_h(xp: Any) -> Callable[..., Any]:
    """The map h as one would write it."""
    return lambda s, r, k, e: 1 / (1 + (1 - r) * xp.exp(-1 / (k * xp.sqrt(e - s * (s - 1)))) / r)


def hand_pair(xp: Any) -> Callable[..., Any]:
    """Equation (14) as one would write it."""

    def pair(p: Any, b: Any) -> Any:
        a = 1 - b
        return (a + xp.sqrt(a * a + 4 * b * p)) / 2

    return pair


def seconds(functions: dict[str, Callable[[], Any]], rounds: int = ROUNDS) -> dict[str, float]:
    """Medians; the functions take turns, so that whatever slows the machine slows all."""
    for run in functions.values():
        run()
    taken: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, run in functions.items():
            begun = time.perf_counter()
            run()
            taken[name].append(time.perf_counter() - begun)
    return {name: median(times) for name, times in taken.items()}


def bulk(expression: sp.Expr, arguments: list[sp.Symbol], hand: Any, arrays: list[np.ndarray]) -> dict[str, Any]:
    """Seconds of each way, for the same points in each library's own arrays."""
    plain = sp.lambdify(arguments, expression, "numpy", cse=True)
    ways: dict[str, Callable[[], Any]] = {"lambdify": lambda: plain(*arrays)}
    for name, stable in (("numpy", False), ("numpy_accurate", True)):
        ways[name] = partial(compile(expression, arguments, stable=stable), *arrays)
    if find_spec("jax"):
        ways |= jax_ways(expression, arguments, hand, arrays)
    if find_spec("torch"):
        ways |= torch_ways(expression, arguments, hand, arrays)
    taken = seconds(ways)
    theirs = min(taken.get("hand_jax_jit", np.inf), taken.get("hand_torch_compile", np.inf))
    ours = {k: v for k, v in taken.items() if k in ("numpy", "jax", "torch_compiled")}
    best = min(ours, key=lambda k: ours[k])
    return {
        "points": POINTS,
        "seconds": {k: round(v, 4) for k, v in taken.items()},
        "our_fastest": best,
        "times_lambdify": round(taken["lambdify"] / ours[best], 2),
        "numpy_times_lambdify": round(taken["lambdify"] / taken["numpy"], 2),
        "of_better_by_hand": round(ours[best] / theirs, 3),
        "accurate_of_plain": {k: round(taken[f"{k}_accurate"] / taken[k], 2) for k in ours if f"{k}_accurate" in taken},
    }


def jax_ways(expression: Any, arguments: Any, hand: Any, arrays: list[np.ndarray]) -> dict[str, Callable[[], Any]]:
    """By hand and ours under ``jax.jit``, on arrays that are JAX's already."""
    import jax

    with jax.enable_x64(True):
        there = [jax.numpy.asarray(a) for a in arrays]
    by_hand = jax.jit(hand(jax.numpy))

    def run_by_hand() -> None:
        with jax.enable_x64(True):
            by_hand(*there).block_until_ready()

    def ours(stable: bool) -> Callable[[], Any]:
        f = compile(expression, arguments, "jax", stable=stable)
        return lambda: f(*there).block_until_ready()

    return {"hand_jax_jit": run_by_hand, "jax": ours(False), "jax_accurate": ours(True)}


def torch_ways(expression: Any, arguments: Any, hand: Any, arrays: list[np.ndarray]) -> dict[str, Callable[[], Any]]:
    """By hand and ours under ``torch.compile``."""
    import torch

    there = [torch.from_numpy(a) for a in arrays]
    by_hand = torch.compile(hand(torch), fullgraph=True)
    ours = compile(expression, arguments, "torch", stable=False, jit=True)
    return {"hand_torch_compile": lambda: by_hand(*there), "torch_compiled": lambda: ours(*there)}


def certified() -> dict[str, Any]:
    """Seconds for a loop over points, at 50 digits."""
    rng = np.random.default_rng(2)
    arguments = [success, success_ref, beta, guard]
    ours = compile(H, arguments, "flint", stable=False, digits=DIGITS)
    rows = rng.uniform(0.01, 1, (BALLS, 4)).tolist()
    flint.ctx.prec = BITS
    balls = [tuple(flint.arb(v) / 3 for v in row) for row in rows]  # thirds, to have all fifty digits
    flint.ctx.prec = 53
    columns = [list(column) for column in zip(*balls, strict=True)]
    with mpmath.workdps(DIGITS):
        numbers = [tuple(mpmath.mpf(v) / 3 for v in row) for row in rows]

    def hand_flint() -> list[Any]:
        flint.ctx.prec = BITS
        try:
            return [1 / (1 + (1 - r) * (-1 / (k * (e - s * (s - 1)).sqrt())).exp() / r) for s, r, k, e in balls]
        finally:
            flint.ctx.prec = 53

    def hand_mpmath() -> list[Any]:
        exp, sqrt = mpmath.exp, mpmath.sqrt
        with mpmath.workdps(DIGITS):
            return [1 / (1 + (1 - r) * exp(-1 / (k * sqrt(e - s * (s - 1)))) / r) for s, r, k, e in numbers]

    taken = seconds(
        {
            "flint_by_hand": hand_flint,
            "ours": lambda: ours(*columns),
            "ours_one_by_one": lambda: [ours(*row) for row in balls],
            "mpmath": hand_mpmath,
        },
        rounds=5,
    )
    return {
        "points": BALLS,
        "digits": DIGITS,
        "microseconds_a_point": {k: round(1e6 * v / BALLS, 2) for k, v in taken.items()},
        "of_flint_by_hand": round(taken["ours"] / taken["flint_by_hand"], 3),
        "times_mpmath": round(taken["mpmath"] / taken["ours"], 2),
    }


def certified_set() -> dict[str, Any]:
    """How many times faster than mpmath each of the papers' main expressions is, at 50 digits."""
    ratios: dict[str, float] = {}
    for case in cases():
        arguments = list(case.ranges)
        ours = compile(case.expression, arguments, "flint", stable=False, digits=DIGITS)
        theirs = sp.lambdify(arguments, case.expression, "mpmath", cse=True)
        points = [column[:BALLS_OF_SET].tolist() for column in case.points(8 * BALLS_OF_SET)]
        flint.ctx.prec = BITS
        balls = [[flint.arb(v) * (1 - flint.arb(10) ** -30 / 3) for v in column] for column in points]  # all digits
        flint.ctx.prec = 53
        with mpmath.workdps(DIGITS):
            tiny = mpmath.mpf(10) ** -30 / 3
            rows = [tuple(mpmath.mpf(v) * (1 - tiny) for v in row) for row in zip(*points, strict=True)]

        def by_mpmath(theirs: Any = theirs, rows: Any = rows) -> list[Any]:
            with mpmath.workdps(DIGITS):
                return [theirs(*row) for row in rows]

        taken = seconds({"ours": partial(ours, *balls), "mpmath": by_mpmath}, rounds=5)
        ratios[case.name] = round(taken["mpmath"] / taken["ours"], 2)
    slowest = min(ratios, key=lambda name: ratios[name])
    return {
        "points": BALLS_OF_SET,
        "digits": DIGITS,
        "times_mpmath": ratios,
        "median": round(median(ratios.values()), 2),
        "least": ratios[slowest],
        "least_at": slowest,
    }


def certified_ways() -> dict[str, Any]:
    """Both comparisons in ball arithmetic, with the integers that mpmath has in this process."""
    return {"integers": mpmath.libmp.BACKEND, "certified": certified(), "certified_set": certified_set()}


def without_gmpy() -> dict[str, Any]:
    """The same in a process in which mpmath does not use gmpy2."""
    command = [sys.executable, __file__, "certified"]
    done = subprocess.run(command, env={**os.environ, "MPMATH_NOGMPY": "1"}, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def main() -> None:
    """Everything, in one file; ``certified`` prints the comparisons in ball arithmetic only."""
    if sys.argv[1:] == ["certified"]:
        print(json.dumps(certified_ways()))
        return
    rng = np.random.default_rng(1)
    four = [rng.uniform(0.01, 1, POINTS) for _ in range(4)]
    save(
        "evaluation",
        {
            "map_h": bulk(H, [success, success_ref, beta, guard], hand_h, four),
            "pair_14": bulk(PAIR, [p, b], hand_pair, [four[0], 4 * four[1]]),
            "with_gmpy2": certified_ways(),
            "without_gmpy2": without_gmpy(),
            "rounds": ROUNDS,
            "libraries": {name: version(name) for name in ("numpy", "jax", "torch") if find_spec(name)},
        },
    )


if __name__ == "__main__":
    main()
