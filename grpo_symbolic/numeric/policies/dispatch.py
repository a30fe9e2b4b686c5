"""Which method solves which stationary problem, chunk by chunk.

Rows come flat, (B, n). A method is chosen by penalty, group size and normalisation; finite groups with scale
normalisation also by the number of distinct rewards of a row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from grpo_symbolic.numeric.backends import Array, Backend
from grpo_symbolic.numeric.blocks import chunk_rows, concatenate, kernel
from grpo_symbolic.numeric.policies.preferences import Groups, LargeGroups, Pairs, group_gains, group_table
from grpo_symbolic.numeric.policies.reductions import affine, ordered_pairs, tie_starts, two_levels
from grpo_symbolic.numeric.policies.solve import continuation, smallest_tilt, tilted
from grpo_symbolic.numeric.update import Update
from grpo_symbolic.setting import PenaltyName


@dataclass(frozen=True)
class Problem(Update):
    """What is asked of every row: see :func:`grpo_symbolic.numeric.stationary_policy`."""

    guard: float
    matrix: bool
    max_groups: int

    @property
    def affine(self) -> bool:
        """Whether P(o|π) is affine in r(o): large groups, or shift only."""
        return not self.matrix and (not self.scaled or math.isinf(self.group_size))

    @property
    def pairs(self) -> bool:
        """Whether a matrix of margins describes the preferences: groups of two."""
        return self.matrix or (self.group_size == 2 and self.scaled)

    @property
    def shift_divisor(self) -> float:
        """``G/(G − 1)``, by which shift-only preferences are less than the reward against its mean."""
        return 1.0 if math.isinf(self.group_size) else self.group_size / (self.group_size - 1)


@dataclass(frozen=True)
class Levels:
    """A chunk reduced to its K distinct rewards, best first: their reference masses (B, K), which level each answer is
    on (B, n), and each answer's share of its level.
    """

    rewards: Array
    masses: Array
    level: Array
    share: Array


def solve(backend: Backend, problem: Problem, reference: Array, given: Array, beta: Array) -> tuple[Array, ...]:
    """Policies (B, n), residuals, multipliers, iterations, and whether each method reached its end (B)."""
    if reference.shape[0] == 0:
        return reference, beta, beta, beta, beta > 0
    done = [
        _solve_chunk(backend, problem, rows, levels, reference[rows], given[rows], beta[rows])
        for rows, levels in chunks(backend, problem, reference, given)
    ]
    # Rows in slices come in order; rows grouped by their number of distinct rewards are put back in order.
    joined = tuple(concatenate(backend, list(column)) for column in zip(*(d[1:] for d in done), strict=True))
    if isinstance(done[0][0], slice):
        return joined
    order = backend.index(np.argsort(np.concatenate([d[0] for d in done])))
    return tuple(column[order] for column in joined)


def chunks(backend: Backend, problem: Problem, reference: Array, given: Array) -> list[tuple[Any, int]]:
    """Rows that are solved together, and the number of distinct rewards in each of them (0: any)."""
    count, size = reference.shape
    if problem.affine or problem.pairs:
        width = size if problem.affine or ordered(problem) else size * size
        return [(rows, 0) for rows in _slices(count, chunk_rows(backend, width))]
    distinct = np.concatenate([_distinct(backend, given[rows]) for rows in _slices(count, chunk_rows(backend, size))])
    parts = []
    for levels in np.unique(distinct):
        rows = np.flatnonzero(distinct == levels)
        ways = len(group_table(int(levels), int(problem.group_size), problem.max_groups)[1]) if levels > 1 else 1
        step = chunk_rows(backend, max(size, ways * int(levels)))
        parts += [(rows[part], int(levels)) for part in _slices(len(rows), step)]
    return parts


def ordered(problem: Problem) -> bool:
    """Whether groups of two compare rewards by sign alone and the closed form holds."""
    return problem.pairs and not problem.matrix and not problem.guard and not problem.direct


def _slices(count: int, step: int) -> list[slice]:
    return [slice(start, min(start + step, count)) for start in range(0, count, step)]


def _distinct(backend: Backend, rewards: Array) -> np.ndarray:
    ranked = np.sort(backend.to_numpy(rewards), axis=-1)
    return 1 + (ranked[:, 1:] != ranked[:, :-1]).sum(axis=-1)


def _solve_chunk(
    backend: Backend, problem: Problem, rows: Array, levels: int, reference: Array, given: Array, beta: Array
) -> tuple[Any, ...]:
    xp = backend.xp
    reference = reference / xp.sum(reference, axis=-1, keepdims=True)
    solved = beta > 0
    if problem.affine:
        policy, *judged, solved, count = _affine_chunk(backend, problem, reference, given, beta)
    elif ordered(problem):
        policy, *judged = kernel(backend, _ordered_chunk)(reference, given, beta)
        count = 0
    elif levels == 1:
        policy, judged, count = reference, [reference.T, xp.zeros_like(reference).T, reference.T], 0
    else:
        policy, advantage, solved, count = _general_chunk(backend, problem, levels, reference, given, beta)
        judged = [policy.T, advantage.T, reference.T]
    residual, multiplier = kernel(backend, _account, problem)(*judged, beta)
    return rows, policy, residual, multiplier, xp.zeros_like(beta) + count, solved


def _account(
    backend: Backend, problem: Problem, policy: Array, advantage: Array, reference: Array, beta: Array
) -> tuple[Array, Array]:
    """The residual of the stationary equation, and the multiplier; answers first."""
    xp = backend.xp
    if problem.direct:
        scores = xp.log(reference) + advantage / beta
        scores = xp.exp(scores - xp.amax(scores, axis=0))
        violation = policy - scores / xp.sum(scores, axis=0)
        logs = xp.where(policy > 0, xp.log(policy / reference), 0.0)
        multiplier = xp.sum(policy * advantage, axis=0) - beta * (1 + xp.sum(policy * logs, axis=0))
    else:
        violation = policy - policy * advantage / beta - reference
        multiplier = xp.sum(policy * advantage, axis=0) + (beta if problem.penalty is PenaltyName.FORWARD_KL else 0.0)
    return xp.amax(xp.abs(violation), axis=0), multiplier


def scaled_below(backend: Backend, problem: Problem, rewards: Array) -> tuple[Array, Array]:
    """How far each reward is below the row's best, and the guard, both in units in which neither over- nor
    underflows; answers last.
    """
    xp = backend.xp
    below = xp.amax(rewards, axis=-1, keepdims=True) - rewards
    if not problem.scaled:
        return below, xp.zeros_like(below[:, :1]) + problem.shift_divisor
    floor = math.sqrt(problem.guard) if problem.guard_inside else problem.guard
    unit = xp.amax(below, axis=-1, keepdims=True)
    unit = xp.where(unit > floor, unit, floor)
    unit = xp.where(unit > 0, unit, 1.0)
    return below / unit, (floor / unit) ** 2 if problem.guard_inside else floor / unit


def _affine_chunk(backend: Backend, problem: Problem, reference: Array, rewards: Array, beta: Array) -> tuple[Any, ...]:
    xp = backend.xp
    below, guard = kernel(backend, scaled_below, problem)(rewards)
    first = backend.answers_first(reference), backend.answers_first(below)
    strength = guard[:, 0]
    solved = beta > 0
    if not problem.direct:
        kind = ("inside" if problem.guard_inside else "outside") if problem.guard else "none"
        policy, count = affine(backend, kind if problem.scaled else "shift", *first, strength, beta)
    elif not problem.scaled:
        policy, count = tilted(backend, *first, 1 / (beta * strength)), 0
    else:
        tilt, solved, count = smallest_tilt(backend, problem.guard_inside, *first, strength, beta)
        policy = tilted(backend, *first, tilt)
    model = LargeGroups(problem.guard_inside, problem.scaled)
    advantage = model.advantages(backend, (first[1], strength), policy, axis=0)
    return xp.asarray(policy.T), policy, advantage, first[0], solved, count


def _ordered_chunk(backend: Backend, reference: Array, rewards: Array, beta: Array) -> tuple[Array, ...]:
    """The policies, and what they are judged by: policy, preferences and reference with answers first, best first."""
    order = backend.xp.argsort(-rewards, axis=-1)
    best, values = (backend.answers_first(backend.take_along(a, order, -1)) for a in (reference, rewards))
    policy, advantage = ordered_pairs(backend, best, values, beta)
    return backend.put_along(policy.T, order), policy, advantage, best


def reduce_levels(backend: Backend, levels: int, reference: Array, rewards: Array) -> Levels:
    """Rows with ``levels`` distinct rewards each, reduced to these."""
    xp = backend.xp
    order = xp.argsort(-rewards, axis=-1)
    back = xp.argsort(order, axis=-1)
    ranked = backend.take_along(rewards, order, -1)
    starts = tie_starts(backend, ranked.T).T
    level = backend.take_along(xp.cumsum(starts + 0, axis=-1) - 1, back, -1)
    member = [level == k for k in range(levels)]
    masses = xp.stack([xp.sum(xp.where(m, reference, 0.0), axis=-1) for m in member], axis=-1)
    best = [xp.amax(xp.where(m, rewards, -xp.inf), axis=-1) for m in member]
    return Levels(xp.stack(best, axis=-1), masses, level, reference / backend.take_along(masses, level, -1))


def margins(backend: Backend, problem: Problem, given: Array) -> Array:
    """``E[A_i | o, o']`` of a pair, (B, n, n): P(o≻o') − P(o'≻o), or with a guard less than a sign."""
    xp = backend.xp
    if problem.matrix:
        return given - given.swapaxes(-1, -2)
    halves = (given[..., None] - given[..., None, :]) / 2
    if not problem.guard:
        return xp.sign(halves)
    if problem.guard_inside:
        return halves / xp.hypot(halves, xp.zeros_like(halves) + math.sqrt(problem.guard))
    return halves / (xp.abs(halves) + problem.guard)


def group_data(backend: Backend, problem: Problem, reduced: Levels) -> tuple[Array, Array, Array]:
    """The data of :class:`Groups` for rows reduced to levels."""
    levels = reduced.rewards.shape[-1]
    table, logs = group_table(levels, int(problem.group_size), problem.max_groups)
    counts = backend.asarray(table)
    below, guard = scaled_below(backend, problem, reduced.rewards)
    gains = kernel(backend, group_gains, problem.guard_inside)(counts, -below, guard[..., None])
    return counts, backend.asarray(logs), gains


def _general_chunk(
    backend: Backend, problem: Problem, levels: int, reference: Array, given: Array, beta: Array
) -> tuple[Array, Array, Array, int]:
    column = beta[:, None]
    solved = beta > 0
    if problem.pairs:
        data = (margins(backend, problem, given),)
        policy, solved, count = continuation(backend, Pairs(), problem.direct, reference, column, data)
        return policy, Pairs().advantages(backend, data, policy), solved, count
    reduced = reduce_levels(backend, levels, reference, given)
    group = group_data(backend, problem, reduced)
    if levels == 2 and not problem.direct:
        counts, logs, gains = group
        masses, count = two_levels(backend, reduced.masses.T, counts, logs, gains[..., 0].T, beta)
        policy = masses.T
    else:
        policy, solved, count = continuation(backend, Groups(), problem.direct, reduced.masses, column, group)
    advantage = Groups().advantages(backend, group, policy)
    spread = tuple(backend.take_along(a, reduced.level, -1) for a in (policy, advantage))
    return spread[0] * reduced.share, spread[1], solved, count
