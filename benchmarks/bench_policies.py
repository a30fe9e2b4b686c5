"""Batched stationary policies against a loop over SciPy's root finders, in one run and at equal accuracy.

SciPy solves the same n equations (11) one problem at a time, on a subset, scaled by the number of problems:
``scipy.optimize.root`` (Powell's hybrid method) in the logarithms of the policy, which suits it best, with the exact
Jacobian, started at the reference policy; where that fails, again along a path of falling β, as one would by hand.
``scipy_solved`` is the share that it then brings to a residual of 1e-12; all of ours must be there.
"""

from __future__ import annotations

import math
import time
import tracemalloc
from statistics import median
from typing import Any

import numpy as np
from machine import save
from scipy.optimize import root

from grpo_symbolic.numeric import stationary_policy

PROBLEMS = 100_000
SUBSET = 100
SIZES = (2, 4, 8, 16, 32, 64)
ROUNDS = 5
ATTEMPTS = (1, 8, 32)  # steps in which β comes down from 100 β, until one of these succeeds


def draw(count: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """References, rewards and β of usual sizes: β from 0.04 (a trainer's default) to 4."""
    rng = np.random.default_rng(n)
    reference = rng.dirichlet(np.ones(n), count) + 1e-6
    rewards = rng.normal(size=(count, n))
    return (
        reference / reference.sum(-1, keepdims=True),
        rewards,
        np.exp(rng.uniform(math.log(0.04), math.log(4), count)),
    )


def one_by_scipy(reference: np.ndarray, rewards: np.ndarray, beta: float, pairs: bool) -> tuple[np.ndarray, float]:
    """One problem, and the residual of its stationary equation."""
    signs = np.sign(rewards[:, None] - rewards[None, :])

    def advantages(policy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if pairs:
            return signs @ policy, signs
        total = policy.sum()
        centred = rewards - policy @ rewards / total
        variance = policy @ centred**2 / total
        deviation = math.sqrt(abs(variance)) or 1.0
        by_variance = (centred**2 - variance) / (2 * deviation**2)
        slope = -(centred[None, :] + centred[:, None] * by_variance[None, :]) / (deviation * total)
        return centred / deviation, slope

    def equations(logs: np.ndarray, regularisation: float) -> tuple[np.ndarray, np.ndarray]:
        policy = np.exp(logs)
        advantage, slope = advantages(policy)
        jacobian = np.diag(reference / policy) - slope * policy / regularisation
        return 1 - advantage / regularisation - reference / policy, jacobian

    for steps in ATTEMPTS:
        logs = np.log(reference)
        for regularisation in beta * np.geomspace(100, 1, steps) if steps > 1 else [beta]:
            logs = root(equations, logs, args=(regularisation,), jac=True, options={"xtol": 1e-14}).x
        residual = float(np.abs(equations(logs, beta)[0] * np.exp(logs)).max())
        if residual <= 1e-12:
            break
    return np.exp(logs), residual


def measure(n: int, group_size: float) -> dict[str, Any]:
    """Both on the same problems: seconds for all of them, and the share that each solves."""
    reference, rewards, beta = draw(PROBLEMS, n)
    stationary_policy(reference[:1000], rewards[:1000], beta[:1000], group_size)
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        ours = stationary_policy(reference, rewards, beta, group_size)
        times.append(time.perf_counter() - start)
    tracemalloc.start()
    traced = stationary_policy(reference, rewards, beta, group_size)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = sum(
        part.nbytes for part in (traced.policy, traced.residual, traced.converged, traced.multiplier, traced.iterations)
    )
    start = time.perf_counter()
    with np.errstate(all="ignore"):
        theirs = [one_by_scipy(reference[i], rewards[i], beta[i], group_size == 2) for i in range(SUBSET)]
    scipy_s = (time.perf_counter() - start) * PROBLEMS / SUBSET
    solved = [i for i, (_, residual) in enumerate(theirs) if residual <= 1e-12]
    return {
        "answers": n,
        "group_size": str(group_size),
        "ours_s": round(median(times), 4),
        "scipy_s": round(scipy_s, 1),
        "ratio": round(scipy_s / median(times)),
        "ours_solved": float(ours.converged.mean()),
        "ours_residual": float(ours.residual.max()),
        "scipy_solved": len(solved) / SUBSET,
        "difference": max((float(np.abs(theirs[i][0] - ours.policy[i]).max()) for i in solved), default=None),
        "peak_over_result": round(peak / size, 2),
    }


def main() -> None:
    """Groups of two (12) and the limit of large groups (13)."""
    cases = [measure(n, group_size) for group_size in (2, math.inf) for n in SIZES]
    for case in cases:
        print(case)
    save(
        "policies",
        {
            "problems": PROBLEMS,
            "scipy_subset": SUBSET,
            "least_ratio": min(case["ratio"] for case in cases),
            "cases": cases,
        },
    )


if __name__ == "__main__":
    main()
