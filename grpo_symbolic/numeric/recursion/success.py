"""Fixed points and reached limits of the success recursion ``p_n = h(p_{n−1})``, for arrays of (p_ref, β, ε).

Floating point in bulk: evidence of grade ``swept``, never proof. The certified form, one recursion at a time, is
:class:`grpo_symbolic.optimality.SuccessRecursion`; results agree with it (the tests enclose a random subset in balls).
Everything is computed in the logit, where a p* within 10⁻³⁰⁰ of 1 is an ordinary point. Sources: Mroueh (2025),
equations (4), (8), Theorems 2–4; Vojnovic & Yun (2025), equations (14), (15), (19) and Appendix B.2.

>>> from grpo_symbolic.numeric import success_limit
>>> limits = success_limit([0.2, 0.001], [2.0, 5.0], [0.0, 1e-5], group_size="oo", penalty="reverse-kl")
>>> limits.verdict.tolist(), limits.period.tolist()
(['converges', 'cycle'], [1, 2])
>>> limits.count.tolist()
[3, 3]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.backends import Values
from grpo_symbolic.numeric.blocks import in_blocks
from grpo_symbolic.numeric.recursion.gap import Floats
from grpo_symbolic.numeric.recursion.limits import VERDICTS, SuccessLimits
from grpo_symbolic.numeric.recursion.solver import Options, solve
from grpo_symbolic.setting import LARGEST_GROUP, penalty_named, size_of_group


def success_limit(
    p_ref: Values,
    beta: Values,
    guard: Values = 0.0,
    *,
    group_size: int | float | str,
    penalty: str,
    logit_ref: Values = None,
    guard_inside: bool = True,
    scaled: bool = True,
    sample_deviation: bool = False,
    fixed_points: bool = True,
    steps: int = 4096,
    backend: str = "numpy",
    device: str | None = None,
) -> SuccessLimits:
    """All fixed points of the success recursion and what it reaches from p_0 = p_ref, for arrays that broadcast.

    ``p_ref`` in (0, 1), or ``None`` with its logits in ``logit_ref`` (for p_ref nearer to 1 than a float can be);
    ``beta`` > 0 and ``guard`` ≥ 0 finite. ``group_size`` is ∞ or 2…64, exact in both cases, and ``penalty``
    'reverse-kl' (KL(π‖π_ref)), 'forward-kl' or 'k3': of both nothing is assumed; ``guard_inside``, ``scaled`` and
    ``sample_deviation`` as in ``SuccessRecursion``. At most ``steps`` iterations are made in rows that have to be
    followed; the rest is read off the fixed points and the shape of the map, which falls below 1/2 and rises above.
    Every row gets a verdict, 'undecided' being one. Without ``fixed_points`` the repelling ones are not computed,
    and the result lists none.

    Raises :class:`BadInput` for values outside these ranges, NaN included, and an unknown penalty or backend.
    Sources: Mroueh (2025), equation (8), Theorems 3 and 4; Vojnovic & Yun (2025), equations (14), (15).

    >>> limits = success_limit(0.01, beta=[0.1, 1.0], group_size=8, penalty="reverse-kl")
    >>> limits.limit.round(6).tolist()
    [1.0, 0.095002]
    """
    options = Options(
        size_of_group(group_size, LARGEST_GROUP),
        penalty_named(penalty),
        bool(scaled),
        bool(guard_inside),
        bool(sample_deviation),
        _steps(steps),
    )
    library = backends.get(backend, device)
    given = logit_ref if p_ref is None else p_ref
    if given is None or (p_ref is not None and logit_ref is not None):
        raise BadInput("give either p_ref or logit_ref")
    start = _numbers(given, "p_ref" if p_ref is not None else "logit_ref")
    if p_ref is not None:
        _within(start, lambda p: (p > 0) & (p < 1), "p_ref must lie in (0, 1)")
        start = _logits(start)
    else:
        _within(start, np.isfinite, "logit_ref must be finite")
    betas, guards = _numbers(beta, "β"), _numbers(guard, "the guard ε")
    _within(betas, lambda b: (b > 0) & (b < np.inf), "β must be positive and finite")
    _within(guards, lambda g: (g >= 0) & (g < np.inf), "the guard ε must be finite and not negative")
    try:
        shape = np.broadcast_shapes(start.shape, betas.shape, guards.shape)
    except ValueError:
        raise BadInput(
            f"the shapes {start.shape} of p_ref, {betas.shape} of β and {guards.shape} of ε do not broadcast"
        ) from None
    L, b = (np.broadcast_to(x, shape).reshape(-1) for x in (start, betas))
    out = solve(L, b, guards, shape, options, library, fixed_points)
    cycles = out.pop("cycles")
    fields = {name: value.reshape(shape + value.shape[1:]) for name, value in out.items()}
    return SuccessLimits(**fields, cycles=cycles)


def _logits(p: Floats) -> Floats:
    flat, out = p.reshape(-1), np.empty(p.size)

    def some(part: slice) -> None:
        x = flat[part]
        out[part] = np.log(x / (1.0 - x))  # 1 − x is exact from 1/2 on, and below its rounding is one of the logit's

    in_blocks(some, len(flat))
    return out.reshape(p.shape)


def _numbers(values: Values, name: str) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"{name} must be a number or an array of numbers, got {str(values)[:60]}") from None


def _within(values: Floats, good: Callable[[Floats], Any], demand: str) -> None:
    flat = values.reshape(-1)
    if not all(in_blocks(lambda part: bool(good(flat[part]).all()), len(flat))):
        place = int(np.flatnonzero(~good(flat))[0])
        where = f" at place {place}" if values.ndim else ""
        raise BadInput(f"{demand}, got {flat[place]}{where}")


def _steps(steps: int) -> int:
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise BadInput(f"the number of steps must be a whole number, got {steps}")
    return steps


__all__ = ["VERDICTS", "SuccessLimits", "success_limit"]
