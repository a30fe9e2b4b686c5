"""Gradients of stationary policies with respect to β and π_ref by implicit differentiation, on libraries
that differentiate.

The stationary equation E(log π; β, π_ref) = 0 holds along the solution, so a cotangent of π is pulled back with one
transposed linear solve per row; nothing of the iterations is remembered.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grpo_symbolic.numeric.backends import Array, Backend
from grpo_symbolic.numeric.blocks import chunk_rows, concatenate, kernel
from grpo_symbolic.numeric.policies.checked import solve_checked
from grpo_symbolic.numeric.policies.dispatch import Problem, chunks, group_data, margins, reduce_levels, scaled_below
from grpo_symbolic.numeric.policies.preferences import Groups, LargeGroups, Pairs

_TRACED = "JAX traces rewards (or preference): gradients are with respect to beta and reference, outside jax.jit"


def differentiable(
    backend: Backend, problem: Problem, reference: Array, given: Array, beta: Array
) -> tuple[Array, Array, Array, Array, Array]:
    """What :func:`grpo_symbolic.numeric.policies.checked.solve_checked` returns, with the policy differentiable in
    ``reference`` and ``beta`` where the library differentiates.

    Raises :class:`BadInput` where a library traces what is given, or the arguments themselves.
    """
    given = backend.untraced(given, _TRACED)

    def solved(reference: Array, beta: Array) -> tuple[Array, ...]:
        return solve_checked(backend, problem, reference, given, beta)

    def pulled_back(reference: Array, beta: Array, policy: Array, cotangent: Array) -> tuple[Array, Array]:
        return pull_back(backend, problem, reference, backend.asarray(given), beta, policy, cotangent)

    parts: tuple[Array, Array, Array, Array, Array] = backend.with_gradient(solved, pulled_back, reference, beta)
    return parts


def pull_back(
    backend: Backend, problem: Problem, reference: Array, given: Array, beta: Array, policy: Array, cotangent: Array
) -> tuple[Array, Array]:
    """Cotangents of ``reference`` and ``beta`` from one of the policy, in the shapes of the two."""
    xp = backend.xp
    size = policy.shape[-1]
    tail = (size, size) if problem.matrix else (size,)
    lead = tuple(policy.shape[:-1])
    flat_reference = xp.broadcast_to(reference, (*lead, size)).reshape(-1, size)
    total = xp.sum(flat_reference, axis=-1, keepdims=True)
    flat = (
        flat_reference / total,
        xp.broadcast_to(given, (*lead, *tail)).reshape(-1, *tail),
        xp.broadcast_to(beta, lead).reshape(-1),
        policy.reshape(-1, size),
        cotangent.reshape(-1, size),
    )
    rows, parts = [], []
    for group, levels in chunks(backend, problem, flat[0], flat[1]):
        chosen = np.arange(flat[0].shape[0])[group]
        step = chunk_rows(backend, size * size)
        for start in range(0, len(chosen), step):
            rows.append(chosen[start : start + step])
            index = backend.index(rows[-1])
            parts.append(_pull_back_chunk(backend, problem, levels, *(a[index] for a in flat)))
    if not rows:
        return xp.zeros_like(reference), xp.zeros_like(beta)
    order = backend.index(np.argsort(np.concatenate(rows)))
    by_reference, by_beta = (concatenate(backend, list(c))[order] for c in zip(*parts, strict=True))
    by_reference = (by_reference / total).reshape(*lead, size)
    return _unbroadcast(by_reference, reference.shape), _unbroadcast(by_beta.reshape(lead), beta.shape)


def _unbroadcast(values: Array, shape: tuple[int, ...]) -> Array:
    """Summed over the axes along which an array of ``shape`` was repeated."""
    while values.ndim > len(shape):
        values = values.sum(0)
    for axis, length in enumerate(shape):
        if length == 1 and values.shape[axis] != 1:
            values = values.sum(axis, keepdims=True)
    return values


def _pull_back_chunk(
    backend: Backend,
    problem: Problem,
    levels: int,
    reference: Array,
    given: Array,
    beta: Array,
    policy: Array,
    cotangent: Array,
) -> tuple[Array, Array]:
    advantage, slopes = _preferences(backend, problem, levels, reference, given, policy)
    return kernel(backend, _adjoint, problem.direct)(advantage, slopes, reference, beta[:, None], policy, cotangent)


def _preferences(
    backend: Backend, problem: Problem, levels: int, reference: Array, given: Array, policy: Array
) -> tuple[Array, Array]:
    """P(o|π) and ∂P(o|π)/∂π(o') for every answer."""
    xp = backend.xp
    model: Any
    data: tuple[Array, ...]
    if problem.affine:
        model, data = LargeGroups(problem.guard_inside, problem.scaled), scaled_below(backend, problem, given)
    elif problem.pairs:
        model, data = Pairs(), (margins(backend, problem, given),)
    elif levels == 1:
        return xp.zeros_like(policy), xp.zeros_like(policy[..., None] * policy[:, None, :])
    else:
        reduced = reduce_levels(backend, levels, reference, given)
        group = group_data(backend, problem, reduced)
        masses = xp.stack([xp.sum(xp.where(reduced.level == k, policy, 0.0), axis=-1) for k in range(levels)], axis=-1)
        slopes = Groups().jacobian(backend, group, masses)
        columns = xp.broadcast_to(reduced.level[:, None, :], (slopes.shape[0], levels, policy.shape[-1]))
        wide = backend.take_along(slopes, columns, -1)
        answers = xp.broadcast_to(reduced.level[..., None], (*policy.shape, policy.shape[-1]))
        level_values = Groups().advantages(backend, group, masses)
        return backend.take_along(level_values, reduced.level, -1), backend.take_along(wide, answers, 1)
    return model.advantages(backend, data, policy), model.jacobian(backend, data, policy)


def _adjoint(
    backend: Backend,
    direct: bool,
    advantage: Array,
    slopes: Array,
    reference: Array,
    beta: Array,
    policy: Array,
    cotangent: Array,
) -> tuple[Array, Array]:
    """Cotangents of π_ref (in the direction of the normalised reference) and of β for a chunk of rows."""
    xp = backend.xp
    by_logs = slopes * policy[:, None, :] / beta[..., None]
    identity = backend.asarray(np.eye(policy.shape[-1]))
    if direct:
        jacobian = identity - by_logs + policy[:, None, :] @ by_logs
    else:
        jacobian = identity * (reference / policy)[..., None] - by_logs
    weights = -xp.linalg.solve(jacobian.swapaxes(-1, -2), (policy * cotangent)[..., None])[..., 0]
    if direct:
        mean = xp.sum(policy * advantage, axis=-1, keepdims=True)
        by_beta = xp.sum(weights * (advantage - mean), axis=-1) / beta[:, 0] ** 2
        scaled = -(weights - policy * xp.sum(weights, axis=-1, keepdims=True))  # times π_ref, against its division
    else:
        by_beta = xp.sum(weights * advantage, axis=-1) / beta[:, 0] ** 2
        scaled = -weights * reference / policy
    # d/dref of f(ref/Σref): the part along π_ref is taken out.
    return scaled / reference - xp.sum(scaled, axis=-1, keepdims=True), by_beta
