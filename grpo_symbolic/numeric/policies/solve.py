"""Batched root finding for stationary policies: one unknown inside a bracket, a safe march, n unknowns by continuation.

Every loop works on all rows of a chunk at once and stops when each has converged or given up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from grpo_symbolic.numeric.backends import Array, Backend
from grpo_symbolic.numeric.blocks import kernel

MAX_NEWTON = 120  # bisection alone, in logarithms, needs about 70
MAX_MARCH = 400  # a row that has not arrived by then is called unsolved
MAX_CONTINUATION = 1500  # so too
_LAST = 1e-9  # a step of Newton's method in a logarithm after which the next one is below rounding, its square
_SOLVED = 1e-9  # of an equation, as a share of its terms
_BESIDE = 1e-4  # a march ends so near to its root, as a share of it, that two steps of Newton's method reach rounding
_SHARPENED = 4  # those two and two more, which cost little beside the march
_FAR = 0.5  # in a logarithm: farther from a root the linear model is not trusted
_ON_THE_WAY, _ARRIVED, _ROUNDING = 1e-4, 1e-10, 1e-11  # corrections: of a point to start from, of the end, of nothing
_CORRECTIONS = 12  # that halve at least reach 1e-4 from ½ with that many
LONGEST = 20.0  # of a predictor step, in the logarithms of the policy


def bracketed_newton(
    backend: Backend,
    function: Callable[..., Any],
    fixed: tuple[Any, ...],
    data: tuple[Array, ...],
    low: Array,
    high: Array,
) -> tuple[Array, int]:
    """The root of a function of one positive unknown per row, between ``low`` and ``high``: Newton in its logarithm,
    the middle of the bracket where Newton would leave it.

    ``function(backend, *fixed, unknown, *data)`` gives the value, positive below the root and negative above, and its
    slope in the logarithm of the unknown. Returns the roots and the iterations used.
    """
    xp = backend.xp
    step = kernel(backend, _newton_step, function, fixed)
    root = xp.sqrt(low) * xp.sqrt(high)
    settled = low >= high
    count = 0
    while count < MAX_NEWTON:
        count += 1
        root, low, high, settled = step(root, low, high, settled, *data)
        if bool(settled.all()):
            break
    return root, count


def _newton_step(
    backend: Backend,
    function: Callable[..., Any],
    fixed: tuple[Any, ...],
    root: Array,
    low: Array,
    high: Array,
    settled: Array,
    *data: Array,
) -> tuple[Array, ...]:
    xp = backend.xp
    value, slope = function(backend, *fixed, root, *data)
    low, high = xp.where(value > 0, root, low), xp.where(value > 0, high, root)
    move = -value / slope
    proposed = root * xp.exp(move)
    inside = (proposed > low) & (proposed < high) & (slope < 0)
    # A tiny Newton step is the last one: convergence is quadratic, and its end may be on the bracket's edge.
    tiny = (xp.abs(move) < _LAST) & (slope < 0)
    exact = value == 0
    middle = xp.sqrt(low) * xp.sqrt(high)
    update = xp.where(inside | tiny, proposed, middle)
    collapsed = high <= low * (1 + 4 * xp.finfo(root.dtype).eps)
    root = xp.where(settled | exact, root, update)
    return root, low, high, settled | tiny | exact | collapsed


def smallest_tilt(
    backend: Backend, guard_inside: bool, reference: Array, below: Array, guard: Array, beta: Array
) -> tuple[Array, Array, int]:
    """The smallest τ with ``τ·deviation(τ) = 1/β``, where the policy is ``π_ref e^{−τ·below}`` normalised, and
    rewards span at most 1. Answers are the first axis.

    Marches from τ = 0 without stepping over a root. The derivative of the variance in τ is the third central moment,
    at most (r_max − mean) times the variance, and r_max − mean falls as τ grows: so from here on the variance grows by
    at most e^{(r_max − mean) h}. Ends beside the first root, which Newton then sharpens; where there is none τ grows
    until all the mass is on one reward. Returns the tilts, whether they solve the equation, and the iterations.
    """
    xp = backend.xp
    march = kernel(backend, _march, guard_inside)
    tilt = xp.zeros_like(beta)
    settled = xp.zeros_like(beta) > 0
    count = 0
    while count < MAX_MARCH:
        count += 1
        tilt, settled = march(tilt, settled, reference, below, guard, beta)
        if bool(settled.all()):
            break
    sharpen = kernel(backend, _sharpen, guard_inside)
    for _ in range(_SHARPENED):
        tilt = sharpen(tilt, reference, below, guard, beta)
    deviation, _, _ = kernel(backend, _spread, guard_inside)(tilt, reference, below, guard)
    # With all the mass on one reward any tilt is met to rounding; equal rewards are π_ref itself.
    solved = (xp.abs(tilt * deviation * beta - 1) < _SOLVED) | ~(xp.amax(below, axis=0) > 0)
    return tilt, solved, count + _SHARPENED


def tilted(backend: Backend, reference: Array, below: Array, tilt: Array) -> Array:
    """``π_ref e^{−τ·below}`` normalised over the first axis."""
    weights = reference * backend.xp.exp(-tilt * below)
    return weights / backend.xp.sum(weights, axis=0)


def _spread(
    backend: Backend, guard_inside: bool, tilt: Array, reference: Array, below: Array, guard: Array
) -> tuple[Array, Array, Array]:
    """The deviation with its guard at a tilt, the slope of its logarithm in the tilt, and r_max − mean."""
    xp = backend.xp
    policy = tilted(backend, reference, below, tilt)
    short = xp.sum(policy * below, axis=0)
    centred = below - short
    square = policy * centred * centred
    variance = xp.sum(square, axis=0)
    change = -xp.sum(square * centred, axis=0)
    if guard_inside:
        deviation = xp.sqrt(variance + guard)
        return deviation, change / (2 * (variance + guard)), short
    inner = xp.sqrt(variance)
    return inner + guard, change / (2 * inner * (inner + guard)), short


def _march(
    backend: Backend,
    guard_inside: bool,
    tilt: Array,
    settled: Array,
    reference: Array,
    below: Array,
    guard: Array,
    beta: Array,
) -> tuple[Array, Array]:
    xp = backend.xp
    deviation, _, short = _spread(backend, guard_inside, tilt, reference, below, guard)
    rate = short / 2
    target = 1 / (beta * deviation)
    # The largest h with (τ + h) e^{rate·h} ≤ target: Newton on a concave function from below stays below.
    at_zero = target / math.e
    at_zero = xp.where(at_zero * rate < 1, at_zero, 1 / rate)
    step = xp.where(tilt > 0, 0.0, at_zero)
    for _ in range(6):  # short of the largest h is safe, and six come near it
        step = step + (xp.log(target) - xp.log(tilt + step) - step * rate) / (1 / (tilt + step) + rate)
    step = xp.where(step > 0, step, 0.0)
    nowhere = ~(deviation > 0)  # all the mass on one reward: no root ahead
    arrived = step <= _BESIDE * tilt
    return xp.where(settled | nowhere, tilt, tilt + step), settled | nowhere | arrived


def _sharpen(
    backend: Backend, guard_inside: bool, tilt: Array, reference: Array, below: Array, guard: Array, beta: Array
) -> Array:
    xp = backend.xp
    deviation, slope, _ = _spread(backend, guard_inside, tilt, reference, below, guard)
    move = -xp.log(tilt * deviation * beta) / (1 + tilt * slope)
    return xp.where(xp.abs(move) < _FAR, tilt * xp.exp(move), tilt)


def stationary_system(
    backend: Backend,
    model: Any,
    direct: bool,
    share: Array,
    logs: Array,
    reference: Array,
    beta: Array,
    data: tuple[Array, ...],
) -> tuple[Array, Array, Array]:
    """The stationary equation in the logarithms of the policy, its Jacobian, and its derivative in ``share``, the
    part of 1/β that is switched on (1 for the problem itself).

    GRPO's penalty: ``1 − P/β − π_ref/π``. Direct KL: ``log π − log softmax(log π_ref + P/β)``.
    Shapes: ``share`` and ``beta`` (B, 1); ``logs``, ``reference`` (B, n).
    """
    xp = backend.xp
    policy = xp.exp(logs)
    advantage = model.advantages(backend, data, policy) / beta
    by_logs = model.jacobian(backend, data, policy) * policy[..., None, :] / beta[..., None]
    identity = backend.asarray(np.eye(logs.shape[-1]))
    if not direct:
        ratio = reference / policy
        jacobian = identity * ratio[..., None] - share[..., None] * by_logs
        return 1 - share * advantage - ratio, jacobian, -advantage
    scores = xp.log(reference) + share * advantage
    scores = scores - xp.amax(scores, axis=-1, keepdims=True)
    weights = xp.exp(scores)
    total = xp.sum(weights, axis=-1, keepdims=True)
    chance = weights / total
    averaged = chance[..., None, :] @ by_logs
    jacobian = identity - share[..., None] * (by_logs - averaged)
    return logs - scores + xp.log(total), jacobian, xp.sum(chance * advantage, axis=-1, keepdims=True) - advantage


def continuation(
    backend: Backend, model: Any, direct: bool, reference: Array, beta: Array, data: tuple[Array, ...]
) -> tuple[Array, Array, int]:
    """The stationary policies reached from ``π = π_ref`` at 1/β = 0 when 1/β grows to its value: Euler's predictor and
    Newton's corrector in the logarithms of the policy, with a step length for each row.

    ``reference`` (B, n), ``beta`` (B, 1). Returns the policies, where the end was reached, and the iterations. A row
    whose branch turns back before 1/β is reached stops at the turn.
    """
    xp = backend.xp
    step = kernel(backend, _continuation_step, model, direct)
    zero = xp.zeros_like(beta)
    logs = xp.log(reference)
    _, _, by_share = stationary_system(backend, model, direct, zero, logs, reference, beta, data)
    speed = xp.amax(xp.abs(by_share), axis=-1, keepdims=True)
    share = 1 / (1 + speed)
    branch = _Branch(logs, zero, -by_share, logs - by_share * share, share, zero + math.inf, zero, zero)
    count = 0
    while count < MAX_CONTINUATION:
        count += 1
        branch = step(branch, reference, beta, *data)
        if bool((branch.state > 0).all()):
            break
    arrived = branch.state == 1
    policy = xp.exp(xp.where(arrived, branch.trial, branch.start))
    return policy / xp.sum(policy, axis=-1, keepdims=True), arrived[..., 0], count


class _Branch(NamedTuple):
    """How far rows have come: ``start``, the last point that was accepted (logarithms of the policy), its share
    ``begun`` of 1/β and its ``tangent``; ``trial``, the point that is corrected now, its ``share``, the size of its
    ``last`` correction and how many were ``made``; ``state``: 0 running, 1 arrived, 2 stopped.
    """

    start: Array
    begun: Array
    tangent: Array
    trial: Array
    share: Array
    last: Array
    made: Array
    state: Array


def _continuation_step(
    backend: Backend, model: Any, direct: bool, branch: _Branch, reference: Array, beta: Array, *data: Array
) -> _Branch:
    xp = backend.xp
    begun, trial, share, made = branch.begun, branch.trial, branch.share, branch.made
    value, jacobian, by_share = stationary_system(backend, model, direct, share, trial, reference, beta, data)
    # A row that overflowed must neither stop the solver nor the other rows: it is sent back below.
    finite = xp.isfinite(jacobian).all(-1).all(-1)[..., None, None]
    jacobian = xp.where(finite, jacobian, backend.asarray(np.eye(trial.shape[-1])))
    sides = xp.where(finite, xp.stack((-value, -by_share), axis=-1), xp.nan)
    moves = xp.linalg.solve(jacobian, sides)
    move, tangent_here = moves[..., 0], moves[..., 1]
    size = xp.amax(xp.abs(move), axis=-1, keepdims=True)
    running = branch.state == 0
    good = xp.isfinite(size) & (
        (made == 0) & (size < _FAR) | (made > 0) & ((size < 0.5 * branch.last) | (size < _ROUNDING))
    )
    corrected = xp.where(running & good, trial + xp.where(good, move, 0.0), trial)
    final = share >= 1
    arrived = running & good & final & (size < _ARRIVED)
    accept = running & good & ~final & (size < _ON_THE_WAY)
    reject = running & (~good | (made > _CORRECTIONS))

    begun_next = xp.where(accept, share, begun)
    start_next = xp.where(accept, corrected, branch.start)
    tangent_next = xp.where(accept, tangent_here, branch.tangent)
    speed = xp.amax(xp.abs(tangent_next), axis=-1, keepdims=True)
    length = xp.where(accept, 3 * (share - begun), (share - begun) / 4)  # a step too long costs one try, four at most
    length = xp.where(accept & (length * speed > LONGEST), LONGEST / speed, length)
    restart = accept | reject
    share_next = xp.where(restart, begun_next + length, share)
    share_next = xp.where(share_next > 1, 1.0, share_next)
    trial_next = xp.where(restart, start_next + tangent_next * (share_next - begun_next), corrected)
    stuck = reject & (length < 1e-9 * (begun + length))  # shrunk to nothing: the branch turns back here
    return _Branch(
        start=start_next,
        begun=begun_next,
        tangent=tangent_next,
        trial=trial_next,
        share=share_next,
        last=xp.where(restart, math.inf, size),
        made=xp.where(restart, 0.0, made + 1),
        state=xp.where(arrived, 1.0, xp.where(stuck, 2.0, branch.state)),
    )
