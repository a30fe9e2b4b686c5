"""The map of the success recursion on the logit, and all its fixed points, for blocks of rows on any array backend.

For KL(π‖π_ref) a fixed point t ≥ L = logit p_ref is a zero of ``g(t) = W(t)/β − (t − L)``, which is convex between
the turning points ±t_i of W and concave outside. On each of those three pieces g has at most two zeros, and Newton's
method started at the end of the piece on the zero's side comes nearer at every step and never passes it; it has no
zero to find as soon as the slope of g changes sign or the piece is left. For KL(π_ref‖π) (and k3 on-policy) the
fixed point is unique: ``W = β(p − p_ref)/(p(1−p))`` is solved in logarithms. Sources: Mroueh (2025), equation (8) and
Theorem 2; Vojnovic & Yun (2025), equations (14), (15), (19).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from grpo_symbolic.numeric.backends import Array, Backend, Namespace
from grpo_symbolic.numeric.blocks import kernel
from grpo_symbolic.numeric.recursion.gap import Family, Floats, Gap, Places, take, value_and_slope

_EPS = float(np.finfo(np.float64).eps)
_NOISE = 4 * _EPS  # what rounding may add to g, as a share of its terms
_FLAT = 1e-7  # how far beyond 0 rounding may put the slope of g at a fold
_ROUNDS = 400  # far more than were ever needed: a guard against rows that alternate within rounding
_NEWTON_STEPS, _FORWARD_STEPS = 2, 4  # between two looks at what is finished, which cost as much as about a step
_FEWEST = 1024  # rows that a compiled function is padded to


def _rows(backend: Backend, mask: Array) -> Any:
    """The places where a mask is true, to index with; padded to a power of two where shapes should be few."""
    index = np.flatnonzero(backend.to_numpy(mask))
    if backend.traces and len(index):
        index = np.pad(index, (0, max(1 << (len(index) - 1).bit_length(), _FEWEST) - len(index)), mode="edge")
    return backend.index(index)


def _settled(
    backend: Backend, gap: Gap, round_of: Callable[..., Any], mask: Array, state: tuple[Array, ...], *numbers: float
) -> Any:
    """The first array of a state when ``round_of`` has finished its row; NaN outside ``mask`` and where it does not.

    A round gives the arrays of the state that it moves, the first ones, and which rows are finished; these are left out
    of the next ones when they are a quarter of all.
    """
    out, index = backend.xp.full_like(state[0], np.nan), _rows(backend, mask)
    if not len(index):
        return out
    parameters, keep = gap.parameters, index
    step, whole = kernel(backend, round_of, gap.family), len(index) == len(out)
    for _ in range(_ROUNDS):
        if not whole:
            state = tuple(x[keep] for x in state)
            parameters = tuple(p[keep] if len(p.shape) else p for p in parameters)  # a number is that of all rows
        *moved, done = step(parameters, *numbers, *state)
        state, whole = (*moved, *state[len(moved) :]), True
        finished = backend.to_numpy(done)
        left = len(finished) - np.count_nonzero(finished)
        if not left:
            break
        if 4 * left < 3 * len(finished):
            out, keep, whole = backend.put(out, index, state[0]), _rows(backend, ~done), False
            index = index[keep]
    return backend.put(out, index, backend.xp.where(done, state[0], np.nan))


# Newton's method from the end of a piece.


def _newton_round(
    backend: Backend,
    family: Family,
    parameters: Array,
    rises: float,
    t: Array,
    L: Array,
    inverse_beta: Array,
    edge: Array,
    right: Array,
) -> tuple[Any, Any]:
    """Some steps of Newton's method for g; NaN where there is nothing to find, and whether a row is finished."""
    xp = backend.xp
    low, high = xp.where(right, edge, -xp.inf), xp.where(right, xp.inf, edge)
    for _ in range(_NEWTON_STEPS):
        value, slope = value_and_slope(xp, family, parameters, t)
        d = slope * inverse_beta - 1.0
        # at a fold rounding may turn the sign of d: the last step looks whether a zero is there
        t = xp.where(d * rises > -_FLAT, t - (value * inverse_beta - (t - L)) / d, xp.nan)
        t = xp.where((t >= low) & (t <= high), t, xp.nan)
    value, slope = value_and_slope(xp, family, parameters, t)
    shift = value * inverse_beta
    g, d = shift - (t - L), slope * inverse_beta - 1.0
    near = (xp.abs(g) <= _NOISE * (xp.abs(t) + xp.abs(L) + shift)) & (shift < xp.inf)
    new = t - g / d
    lost = (d * rises <= 0.0) | ~((new >= low) & (new <= high))
    new = xp.where(lost, xp.where(near, t, xp.nan), new)
    return new, near | xp.isnan(new) | (xp.abs(new - t) <= _EPS * xp.abs(new))


def newton(
    backend: Backend,
    gap: Gap,
    L: Array,
    inverse_beta: Array,
    start: Array,
    edge: Array,
    right: Array,
    rises: float,
    mask: Array,
) -> Any:
    """The zero of g next to ``start`` on its piece; NaN in rows outside ``mask`` and where there is none.

    ``right``: whether it is approached from the right; ``edge``: the other end of the piece; ``rises``: the sign of
    the slope of g at the zero; ``inverse_beta``: 1/β.
    """
    return _settled(backend, gap, _newton_round, mask, (start, L, inverse_beta, edge, right), rises)


class Roots(NamedTuple):
    """The fixed points of many rows in increasing order, NaN where there is none: on the ``lower`` concave piece; the
    ``left`` and the ``right`` zero of the convex piece; the zero at which the upper concave piece is ``entered``, and
    its other one (``upper``). At ``lower``, ``left`` and ``upper`` g falls (slope of the map below 1), at the others it
    rises.
    """

    lower: Any
    left: Any
    right: Any
    entered: Any
    upper: Any


def reverse_roots(backend: Backend, gap: Gap, L: Array, inverse_beta: Array, repelling: bool = True) -> Roots:
    """The fixed points for KL(π‖π_ref); those at which g rises are left out, as NaN, without ``repelling``."""
    xp = backend.xp
    turn = gap.inflection + 0.0 * L
    bounded = xp.isfinite(turn)
    at_turn = value_and_slope(xp, gap.family, gap.parameters, xp.where(bounded, turn, 0.0))[0] * inverse_beta
    low, high = L < -turn, L >= turn  # p_ref on the lower, on the upper concave piece
    g_low, g_high = at_turn + turn + L, at_turn - (turn - L)
    infinite, never, steep = turn * 0.0 + xp.inf, L < -xp.inf, gap.steepest * inverse_beta > 1.0
    lower = newton(backend, gap, L, inverse_beta, -turn, -infinite, ~never, -1.0, low & (g_low <= 0.0))
    begin = xp.where(low, -turn, L)
    enters = ~high & (~low | (g_low > 0.0))  # g > 0 where the convex piece begins
    falling = ~steep  # one zero altogether, wherever it is
    mask = enters & ~(falling & bounded & (g_high > 0.0))
    left = newton(backend, gap, L, inverse_beta, begin, turn, never, -1.0, mask)
    below = ~xp.isnan(lower) | ~xp.isnan(left)
    tops = bounded & (high | (g_high > 0.0) | steep)
    right = entered = 0.0 * L + xp.nan
    if repelling:
        over = turn if bool(bounded.all()) else xp.where(bounded, turn, _over_bare(xp, L, inverse_beta))
        rises = ~high & steep & below & ((g_high > 0.0) | ~bounded)
        right = newton(backend, gap, L, inverse_beta, over, begin, ~never, 1.0, rises)
        dips = bounded & ~high & steep & (g_high <= 0.0)
        entered = newton(backend, gap, L, inverse_beta, turn, infinite, never, 1.0, dips)
    far = L + gap.greatest * inverse_beta
    upper = newton(backend, gap, L, inverse_beta, far, xp.where(tops, turn, 0.0) - 1e-9, ~never, -1.0, tops)
    return Roots(lower, left, right, entered, upper)


def _over_bare(xp: Namespace, L: Array, inverse_beta: Array) -> Any:
    """For W = 2 cosh(t/2): a logit at or above every fixed point, from ``exp(t/2) ≥ β(t − L)``."""
    twice = -2.0 * xp.log(inverse_beta)
    t = 2.0 * twice - L + 1.6  # log x ≤ x/4 + log 4 − 1
    for _ in range(8):
        t = xp.where(t - L > 1.0, twice + 2.0 * xp.log(xp.where(t - L > 1.0, t - L, 1.0)), t)
    return xp.where(t > 0.0, t, 0.0) * (1.0 + 1e-14)


# KL(π_ref‖π).


def _forward_round(
    backend: Backend,
    family: Family,
    parameters: Array,
    z: Array,
    low: Array,
    high: Array,
    L: Array,
    inverse_beta: Array,
) -> tuple[Any, Any, Any, Any]:
    xp, done = backend.xp, z != z
    for _ in range(_FORWARD_STEPS):
        u = softplus(xp, z)
        t = L + u
        value, slope = value_and_slope(xp, family, parameters, t)
        share = 1.0 / (1.0 + xp.exp(-xp.abs(z)))
        share = xp.where(z > 0.0, share, 1.0 - share)  # du/dz
        # log of W/β against log of q_ref (1 + e^t)(1 − e^−u)
        g = xp.log(value * inverse_beta) + softplus(xp, L) - softplus(xp, t) - (z - u)
        d = share * (slope / value - 1.0 / (1.0 + xp.exp(-t))) - (1.0 - share)
        low, high = xp.where(g > 0.0, z, low), xp.where(g < 0.0, z, high)
        new = z - g / d
        near = xp.abs(g) <= _NOISE * (1.0 + xp.abs(t) + xp.abs(L) + xp.abs(z))
        new = xp.where(near | ((new >= low) & (new <= high)), new, 0.5 * (low + high))
        new = xp.where(done, z, new)
        done = done | near | (xp.abs(new - z) <= _EPS * xp.abs(new))
        z = new
    return z, low, high, done


def softplus(xp: Namespace, t: Array) -> Any:
    """``log(1 + eᵗ)`` without overflow; minus it at −t is log p."""
    return xp.where(t > 0.0, t, 0.0) + xp.log1p(xp.exp(-xp.abs(t)))


def forward_root(backend: Backend, gap: Gap, L: Array, inverse_beta: Array) -> Any:
    """The one fixed point for KL(π_ref‖π); NaN where the rounds did not reach it."""
    xp = backend.xp
    size = 2.0 * (softplus(xp, L) + xp.abs(xp.log(inverse_beta))) + 8.0
    low, high, z = -4.0 * size - xp.abs(L), size + 2.0 * xp.abs(L), 0.0 * L
    return L + softplus(xp, _settled(backend, gap, _forward_round, z == z, (z, low, high, L, inverse_beta)))


def step(xp: Namespace, gap: Gap, L: Array, inverse_beta: Array, t: Array, direct: bool) -> tuple[Any, Any]:
    """The map on the logit and its slope, at the logit t of the old policy."""
    value, slope = value_and_slope(xp, gap.family, gap.parameters, t)
    shift, derivative = value * inverse_beta, slope * inverse_beta
    if direct:
        return L + shift, derivative
    b = 1.0 / shift
    p, q = 1.0 / (1.0 + xp.exp(-L)), 1.0 / (1.0 + xp.exp(L))
    root = xp.sqrt((1.0 - b) * (1.0 - b) + 4.0 * p * b)
    x = xp.where(b > 1.0, 2.0 * p * b / xp.where(b > 1.0, b - 1.0 + root, 1.0), 0.5 * (1.0 - b + root))
    odds = x * (1.0 + b + root) / (2.0 * b * q)
    return xp.log(odds), derivative / stiffness(xp, L, xp.log(odds), False)


@dataclass(frozen=True)
class SuccessMap:
    """The map on the logit for a block of rows on the host: their ``gap``, the logits ``L`` of p_ref, ``inverse_beta``
    (1/β), and ``direct``: whether the penalty is KL(π‖π_ref).
    """

    gap: Gap
    L: Floats
    inverse_beta: Floats
    direct: bool

    @property
    def steepest(self) -> Any:
        """The greatest slope for KL(π‖π_ref)."""
        return self.gap.steepest * self.inverse_beta

    def step(self, t: Floats) -> tuple[Any, Any]:
        """The images of logits, and the slopes there."""
        return step(np, self.gap, self.L, self.inverse_beta, t, self.direct)

    def take(self, rows: Places | slice) -> SuccessMap:
        """The same map for some of its rows."""
        return SuccessMap(take(self.gap, rows), self.L[rows], self.inverse_beta[rows], self.direct)


def stiffness(xp: Namespace, L: Array, t: Array, direct: bool) -> Any:
    """The slope in t of the derivative of the divergence from p_ref: 1 for KL(π‖π_ref)."""
    if direct:
        return 0.0 * t + 1.0
    p, q = 1.0 / (1.0 + xp.exp(-L)), 1.0 / (1.0 + xp.exp(L))
    return q * xp.exp(t) + p * xp.exp(-t)
