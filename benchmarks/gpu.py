"""Expressions, losses, stationary policies, success limits and sweeps on a CUDA GPU, in one call of under ten minutes.

    python benchmarks/gpu.py [--out FILE] [--cpu]

Needs PyTorch with CUDA; without a GPU it says so and exits 0. Each part is checked against the CPU (NumPy) and, where
python-flint is installed, against ball arithmetic; exit status 1 when a check fails. The roof is measured in the same
call: bytes moved in a second by a copy, and exponentials in a second where torch.compile works. The share of the roof
of a part is the bytes a second that its tensor operations read and write, counted operation by operation, over those
of the copy; of what is compiled into one kernel, the bytes of its arguments and its result. ``times_numpy``: how many
times as much it does in a second as NumPy on the processors of the same machine, in the same call. ``jax``: the same
expressions, policies and limits on JAX, where it sees the GPU. ``--cpu`` runs everything small on the CPU, to see that
the script works.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import RESULTS, describe

import grpo_symbolic as gs
from grpo_symbolic import trainers
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta, guard, success, success_ref
from grpo_symbolic.numeric import backends, compile, stationary_policy, success_limit, sweep
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.optimality import best_response

H = best_response(Advantage(guard=guard), math.inf, "reverse-kl")
LARGE: dict[str, Any] = {"group_size": math.inf, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)

CLAIMS = ("vy-eq14-lower-bound", "mr-thm3-every-p")
SIZES = (2, 8, 64)
BUDGET = 480.0  # seconds on a GPU after which no further part is begun
_BEGUN = time.monotonic()


class Engine:
    """Where it runs: ``cuda`` at full size, or ``cpu`` small."""

    def __init__(self, device: str) -> None:
        import torch

        self.torch, self.device, self.small = torch, device, device == "cpu"
        self.backend = backends.get("torch", device)

    def timed(self, action: Callable[[], Any]) -> tuple[Any, float]:
        self.backend.synchronize()
        begun = time.perf_counter()
        result = action()
        self.backend.synchronize()
        return result, time.perf_counter() - begun

    def traffic(self, action: Callable[[], Any]) -> float:
        """Bytes that the tensor operations of an action read and write (views move nothing)."""
        from torch.utils._python_dispatch import TorchDispatchMode
        from torch.utils._pytree import tree_leaves

        tensor, moved = self.torch.Tensor, [0]

        class Counting(TorchDispatchMode):
            def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                result = function(*args, **(kwargs or {}))
                given = [t for t in tree_leaves((args, kwargs)) if isinstance(t, tensor)]
                made = [t for t in tree_leaves(result) if isinstance(t, tensor)]
                viewed = {t.untyped_storage().data_ptr() for t in given}
                if any(t.untyped_storage().data_ptr() not in viewed for t in made):
                    moved[0] += sum(_extent(t) for t in given + made)
                return result

        with Counting():
            action()
        return float(moved[0])


def _extent(tensor: Any) -> int:
    """The bytes that a tensor occupies, without those that broadcasting repeats."""
    sizes = (size for size, stride in zip(tensor.shape, tensor.stride(), strict=True) if stride)
    return math.prod(sizes) * tensor.element_size()


def roof(engine: Engine) -> dict[str, Any]:
    """Bytes a second of a copy (read and written), exponentials a second in registers."""
    torch = engine.torch
    count = 1 << (20 if engine.small else 28)
    source = torch.rand(count, dtype=torch.float64, device=engine.device)
    target = torch.empty_like(source)
    target.copy_(source)
    seconds = min(engine.timed(lambda: target.copy_(source))[1] for _ in range(10))
    measured: dict[str, Any] = {"copy_bytes_per_second": 2 * 8 * count / seconds}
    if engine.small:
        return measured
    chain = 64

    def exponentials(x: Any) -> Any:
        for _ in range(chain):
            x = torch.exp(-x)
        return x

    try:
        fused = torch.compile(exponentials)
        fused(source)
    except Exception as problem:  # no compiler for kernels there: then it is not measured
        return {**measured, "exponentials_not_measured": type(problem).__name__}
    seconds = min(engine.timed(lambda: fused(source))[1] for _ in range(5))
    return {**measured, "exponentials_per_second": chain * count / seconds}


def sweeps(engine: Engine, copied: float, checks: dict[str, bool]) -> dict[str, Any]:
    """Claims swept at the same instances, which NumPy draws: on the CPU and on the device."""
    measured = {}
    for name in CLAIMS:
        claim = gs.claim(name)
        few = 20_000 if engine.small else 5_000_000
        here = sweep(claim, few)
        there = sweep(claim, few, "torch", engine.device)
        checks[f"sweep {name}: as on the CPU"] = all(
            abs(a.violations - b.violations) <= 1 + 1e-4 * few
            and abs((a.worst_margin or 0) - (b.worst_margin or 0)) < 1e-9
            and a.rejected == b.rejected
            for a, b in zip(here.parts, there.parts, strict=True)
        )
        checks[f"sweep {name}: not refuted"] = not there.refuted
        if any(p.examined for p in there.parts):
            violated = any(p.confirmed["violated"] for p in there.parts)
            checks[f"sweep {name}: ball arithmetic clears the worst"] = not violated
        measured[name] = {"instances_per_second": [p.per_second for p in there.parts]}
        measured[name]["on_the_cpu"] = [p.per_second for p in here.parts]
    return measured


def policies(engine: Engine, copied: float, checks: dict[str, bool]) -> dict[str, Any]:
    """Stationary policies in the limit of large groups, by the number of answers."""
    measured = {}
    for n in SIZES:
        count = 200 if engine.small else 100_000
        rng = np.random.default_rng(n)
        reference = rng.dirichlet(np.ones(n), count) + 1e-6
        reference /= reference.sum(-1, keepdims=True)
        rewards, beta = rng.normal(size=(count, n)), np.exp(rng.uniform(math.log(0.04), math.log(4), count))
        given = [engine.backend.asarray(a) for a in (reference, rewards, beta)]

        def solve(given: list[Any] = given) -> Any:
            return stationary_policy(*given, math.inf, backend="torch", device=engine.device)

        solve()
        solution, seconds = engine.timed(solve)
        policy = engine.backend.to_numpy(solution.policy)
        few = slice(0, 200)
        part = slice(0, max(200, count // 10))
        begun = time.perf_counter()
        here = stationary_policy(reference[part], rewards[part], beta[part], math.inf).policy
        by_numpy = len(here) / (time.perf_counter() - begun)
        here = here[few]
        checks[f"policies n={n}: converged"] = bool(engine.backend.to_numpy(solution.converged).all())
        checks[f"policies n={n}: as on the CPU"] = bool(np.abs(policy[few] - here).max() < 1e-10)
        entry = {"problems": count, "seconds": round(seconds, 4), "problems_per_second": count / seconds}
        entry["times_numpy"] = count / seconds / by_numpy
        residual = _certified_residual(reference[:20], rewards[:20], beta[:20], policy[:20])
        if residual is not None:
            checks[f"policies n={n}: residual in ball arithmetic"] = residual < 1e-11
            entry["certified_residual"] = residual
        entry["share_of_copy"] = engine.traffic(solve) / seconds / copied
        measured[str(n)] = entry
    return measured


def _certified_residual(reference: Any, rewards: Any, beta: Any, policy: Any) -> float | None:
    """An upper bound of |(1 − P/β) π − π_ref| over some rows, P = (r − E r)/σ; ``None`` without python-flint."""
    try:
        import flint
    except ModuleNotFoundError:
        return None
    worst = 0.0
    with flint.ctx.workprec(128):
        for row in zip(reference, rewards, policy, beta, strict=True):
            q, r, x = ([flint.arb(float(v)) for v in values] for values in row[:3])
            b = flint.arb(float(row[3]))
            mean = sum(a * c for a, c in zip(x, r, strict=True))
            deviation = sum(a * (c - mean) ** 2 for a, c in zip(x, r, strict=True)).sqrt()
            for a, c, old in zip(x, r, q, strict=True):
                worst = max(worst, float(abs((1 - (c - mean) / deviation / b) * a - old).upper()))
    return worst


def limits(engine: Engine, copied: float, checks: dict[str, bool]) -> dict[str, Any]:
    """Reached limits of the success recursion for arrays of (p_ref, β)."""
    count, guard = 2000 if engine.small else 10_000_000, 1e-4
    rng = np.random.default_rng(1)
    p_ref, beta = rng.random(count), 10 ** rng.uniform(-2, 1, count)

    def solve() -> Any:
        return success_limit(
            p_ref,
            beta,
            guard,
            fixed_points=False,
            backend="torch",
            device=engine.device,
            **LARGE,
        )

    solve()
    reached, seconds = engine.timed(solve)
    few = slice(0, 2000)
    part = slice(0, count // 100)
    begun = time.perf_counter()
    success_limit(p_ref[part], beta[part], guard, fixed_points=False, **LARGE)
    by_numpy = count // 100 / (time.perf_counter() - begun)
    here = success_limit(p_ref[few], beta[few], guard, fixed_points=False, **LARGE)
    checks["recursion: kinds as on the CPU"] = bool((reached.period[few] == here.period).all())
    settled = here.period == 1
    checks["recursion: limits as on the CPU"] = bool(np.abs(reached.limit[few] - here.limit)[settled].max() < 1e-10)
    entry = {"pairs": count, "seconds": round(seconds, 4), "pairs_per_second": count / seconds}
    entry["times_numpy"] = count / seconds / by_numpy
    entry["undecided"] = int((reached.period == 0).sum())
    try:
        import flint
    except ModuleNotFoundError:
        pass
    else:
        worst = 0.0
        with flint.ctx.workprec(128):
            for k in np.flatnonzero((reached.period[few] == 1) & (reached.limit[few] < 1))[:200]:
                p, q, b = (flint.arb(float(v[k])) for v in (reached.limit, p_ref, beta))
                logit = (q / (1 - q)).log() + 1 / (b * (p * (1 - p) + flint.arb(guard)).sqrt())
                worst = max(worst, float(abs(1 / (1 + (-logit).exp()) - p).upper()))
        checks["recursion: fixed in ball arithmetic"] = worst < 1e-10
        entry["certified_residual"] = worst
    entry["share_of_copy"] = engine.traffic(solve) / seconds / copied
    return entry


def _points(engine: Engine) -> list[np.ndarray]:
    """Arguments of h: p, p_ref, β, ε."""
    rng = np.random.default_rng(3)
    return [rng.uniform(0.01, 1, 10_000 if engine.small else 10_000_000) for _ in range(4)]


def expressions(engine: Engine, copied: float, checks: dict[str, bool]) -> dict[str, Any]:
    """The map h of Mroueh (2025), equation (8), at many points: as written, and compiled into one kernel."""
    arguments, points = [success, success_ref, beta, guard], _points(engine)
    by_numpy = compile(H, arguments)
    expected = by_numpy(*points)
    begun = time.perf_counter()
    by_numpy(*points)
    numpy_seconds = time.perf_counter() - begun
    there = [engine.backend.asarray(a) for a in points]
    entry: dict[str, Any] = {"points": len(points[0])}
    for name, jit in (("eager", False), ("one_kernel", True)):
        if jit and engine.small:
            continue
        function = compile(H, arguments, "torch", device=engine.device, jit=jit)
        values = engine.backend.to_numpy(function(*there))
        checks[f"expressions, {name}: as on the CPU"] = bool(np.abs(values / expected - 1).max() < 1e-12)
        seconds = min(engine.timed(lambda f=function: f(*there))[1] for _ in range(10))
        moved = 5 * 8 * len(points[0]) if jit else engine.traffic(lambda f=function: f(*there))
        entry[name] = {
            "seconds": round(seconds, 6),
            "times_numpy": numpy_seconds / seconds,
            "share_of_copy": moved / seconds / copied,
        }
    return entry


def _descent(torch: Any, loss: Any, given: dict[str, Any], device: str) -> Callable[[], Any]:
    """A function that computes the loss and its gradient in ``logp`` on a device."""
    there = {name: torch.as_tensor(values, device=device) for name, values in given.items()}
    logp = there.pop("logp").clone().requires_grad_()

    def step() -> Any:
        logp.grad = None
        value = loss(logp, **there)
        value.backward()
        return value.detach(), logp.grad

    return step


def losses(engine: Engine, copied: float, checks: dict[str, bool]) -> dict[str, Any]:
    """Each trainer's loss with its defaults, and its gradient: on the device, next to PyTorch on the CPU."""
    torch, measured = engine.torch, {}
    texts, length = (32, 64) if engine.small else (512, 4096)
    rng = np.random.default_rng(4)
    base = rng.uniform(-3, -0.3, (texts, length))
    given: dict[str, Any] = {n: base + rng.uniform(-0.1, 0.1, base.shape) for n in ("logp", "old_logp", "ref_logp")}
    given["mask"] = (np.arange(length)[None, :] < rng.integers(1, length + 1, texts)[:, None]).astype(float)
    given["rewards"] = rng.integers(0, 2, texts).astype(float)
    for name in trainers.TRAINERS:
        try:
            setting = trainers.read(name, {}).setting
        except BadInput:  # its defaults are outside of the space: the reader says why
            continue
        asked = given | {"group": np.arange(texts) // setting.group_size}
        function = trainers.loss(setting, "torch")
        step, on_cpu = (_descent(torch, function, asked, device) for device in (engine.device, "cpu"))
        value, slope = (engine.backend.to_numpy(t) for t in step())
        expected, expected_slope = (t.numpy() for t in on_cpu())
        checks[f"losses, {name}: value as on the CPU"] = bool(abs(value - expected) < 1e-12)
        largest = np.abs(expected_slope).max()
        checks[f"losses, {name}: gradient as on the CPU"] = bool(np.abs(slope - expected_slope).max() < 1e-12 * largest)
        seconds = min(engine.timed(step)[1] for _ in range(5))
        begun = time.perf_counter()
        on_cpu()
        measured[name] = {
            "tokens": texts * length,
            "seconds": round(seconds, 6),
            "times_torch_on_the_cpu": (time.perf_counter() - begun) / seconds,
            "share_of_copy": engine.traffic(step) / seconds / copied,
        }
    return measured


def jax_part(engine: Engine, copied: float, checks: dict[str, bool]) -> dict[str, Any]:
    """h, policies and limits on JAX's GPU, compared with NumPy's."""
    try:
        backend = backends.get("jax", engine.device)
    except BadInput as problem:
        return {"not_measured": str(problem)}
    arguments, points = [success, success_ref, beta, guard], _points(engine)
    function, there = compile(H, arguments, "jax", device=engine.device), [backend.asarray(a) for a in points]
    values = backend.to_numpy(function(*there))
    checks["jax, h: as on the CPU"] = bool(np.abs(values / compile(H, arguments)(*points) - 1).max() < 1e-12)

    def run() -> float:
        begun = time.perf_counter()
        backend.synchronize(function(*there))
        return time.perf_counter() - begun

    seconds = min(run() for _ in range(10))
    entry: dict[str, Any] = {"device": backend.describe(), "points": len(points[0]), "seconds": round(seconds, 6)}
    entry["share_of_copy"] = 5 * 8 * len(points[0]) / seconds / copied
    rng, count = np.random.default_rng(5), 200
    reference, rewards = rng.dirichlet(np.ones(8), count), rng.normal(size=(count, 8))
    weights = np.exp(rng.uniform(math.log(0.04), math.log(4), count))
    asked = (reference, rewards, weights, math.inf)
    solved = stationary_policy(*asked, backend="jax", device=engine.device).policy
    expected = stationary_policy(*asked).policy
    checks["jax, policies: as on the CPU"] = bool(np.abs(backend.to_numpy(solved) - expected).max() < 1e-10)
    pairs = (rng.random(count), 10 ** rng.uniform(-2, 1, count), 1e-4)
    reached = success_limit(*pairs, fixed_points=False, backend="jax", device=engine.device, **LARGE)
    here = success_limit(*pairs, fixed_points=False, **LARGE)
    settled = here.period == 1
    checks["jax, recursion: kinds as on the CPU"] = bool((reached.period == here.period).all())
    checks["jax, recursion: limits as on the CPU"] = bool(np.abs(reached.limit - here.limit)[settled].max() < 1e-10)
    return entry


PARTS: dict[str, Callable[[Engine, float, dict[str, bool]], Any]] = {
    "expressions": expressions,
    "losses": losses,
    "policies": policies,
    "recursion": limits,
    "jax": jax_part,
    "sweeps": sweeps,
}


def main() -> int:
    """Run what time allows, write the results, say what failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=None, help="where the results go (JSON)")
    parser.add_argument("--cpu", action="store_true", help="small, on the CPU")
    given = parser.parse_args()
    try:
        import torch
    except ModuleNotFoundError:
        print("PyTorch is not installed: nothing was measured.")
        return 0
    if not given.cpu and not torch.cuda.is_available():
        print("There is no CUDA GPU here: nothing was measured. --cpu runs the script small on the CPU.")
        return 0
    engine = Engine("cpu" if given.cpu else "cuda")
    checks: dict[str, bool] = {}
    top = roof(engine)
    copied = top["copy_bytes_per_second"]
    document: dict[str, Any] = {
        "machine": describe(),
        "engine": engine.backend.describe(),
        "roof": top,
    }
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # PyTorch wants the memory too
    for name, part in PARTS.items():
        if not given.cpu and time.monotonic() - _BEGUN > BUDGET:
            document["left_out"] = [*document.get("left_out", []), name]
            continue
        document[name] = part(engine, copied, checks)
        print(f"{name}:", json.dumps(document[name]), flush=True)
    document |= {"checks": checks, "seconds": round(time.monotonic() - _BEGUN, 1)}
    out = given.out or (None if given.cpu else RESULTS / "gpu.json")
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    failed = [name for name, passed in checks.items() if not passed]
    print(
        f"{len(checks) - len(failed)} of {len(checks)} checks passed", *(f"FAILED {name}" for name in failed), sep="\n"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
