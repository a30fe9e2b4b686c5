"""Arrays of stationary problems: checked, broadcast to one shape, and solved."""

from __future__ import annotations

from typing import Any

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.backends import Array
from grpo_symbolic.numeric.policies.dispatch import Problem, solve


def solve_checked(engine: backends.Backend, problem: Problem, reference: Array, given: Array, beta: Array) -> Any:
    """Arrays checked, broadcast, solved: policy, residual, multiplier, iterations, solved, in the broadcast shape."""
    reference, given, beta = engine.asarray(reference), engine.asarray(given), engine.asarray(beta)
    shape, size = _shapes(problem, reference, given, beta)
    _check(engine, problem, reference, given, beta)
    xp = engine.xp
    tail = (size, size) if problem.matrix else (size,)
    with engine.without_gradients():
        flat = (
            xp.broadcast_to(reference, (*shape, size)).reshape(-1, size),
            xp.broadcast_to(given, (*shape, *tail)).reshape(-1, *tail),
            xp.broadcast_to(beta, shape).reshape(-1),
        )
        policy, *rest = solve(engine, problem, *flat)
        return policy.reshape(*shape, size), *(part.reshape(shape) for part in rest)


def _shapes(problem: Problem, reference: Array, given: Array, beta: Array) -> tuple[tuple[int, ...], int]:
    name, trailing = ("preference", 2) if problem.matrix else ("rewards", 1)
    if reference.ndim < 1 or given.ndim < trailing:
        raise BadInput(
            f"reference needs a last axis of answers and {name} {trailing}; got shapes "
            f"{tuple(reference.shape)} and {tuple(given.shape)}"
        )
    size = reference.shape[-1]
    if size == 0 or tuple(given.shape[-trailing:]) != (size,) * trailing:
        raise BadInput(
            f"reference has {size} answers, shape {tuple(reference.shape)}; {name} has shape {tuple(given.shape)}"
        )
    lead = tuple(reference.shape[:-1]), tuple(given.shape[:-trailing]), tuple(beta.shape)
    try:
        return np.broadcast_shapes(*lead), size
    except ValueError:
        raise BadInput(
            f"the leading shapes of reference {lead[0]}, {name} {lead[1]} and beta {lead[2]} do not broadcast"
        ) from None


def _check(engine: backends.Backend, problem: Problem, reference: Array, given: Array, beta: Array) -> None:
    xp = engine.xp

    def refuse(bad: Array, message: str, values: Array, axes: int) -> None:
        marks = engine.to_numpy(bad)
        if not marks.any():
            return
        where = tuple(int(i) for i in np.argwhere(marks)[0])
        row = where[: len(where) - axes]
        value = engine.to_numpy(values[where] if where else values)
        place = ("row " + ", ".join(map(str, row)) if row else "the only row") + (
            ", answer " + ", ".join(map(str, where[len(row) :])) if axes else ""
        )
        raise BadInput(f"{message}, got {value} in {place}")

    refuse(~((beta > 0) & xp.isfinite(beta)), "beta must be positive and finite", beta, 0)
    refuse(~((reference > 0) & xp.isfinite(reference)), "reference must be positive for every answer", reference, 1)
    total = xp.sum(reference, axis=-1)
    refuse(xp.abs(total - 1) > 1e-9, "reference must sum to 1", total, 0)
    if problem.matrix:
        refuse(~((given >= 0) & (given <= 1)), "preference must be in [0, 1]", given, 2)
        both = given + given.swapaxes(-1, -2)
        off_diagonal = engine.asarray(1 - np.eye(given.shape[-1]))
        refuse(both * off_diagonal > 1 + 1e-9, "P(o≻o') + P(o'≻o) must be at most 1", both, 2)
    else:
        refuse(~xp.isfinite(given), "rewards must be finite", given, 1)
        span = xp.amax(given, axis=-1) - xp.amin(given, axis=-1)
        refuse(~xp.isfinite(span), "rewards must span a finite range", span, 0)
