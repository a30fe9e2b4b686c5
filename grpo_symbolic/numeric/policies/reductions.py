"""Stationary policies that one number per row determines, or a closed form: no system of n equations is solved.

Answers are the **first** axis here, rows the second, so that sums over few answers stay fast.

With GRPO's penalty, (11) reads ``π(o) = c π_ref(o)/(d + r_max − r(o))`` whenever P(o|π) is affine in r(o) (large
groups, shift only), with d > 0 and c = βσ fixed by Σ π = 1. Writing Δ for ``r_max − r``, Δ̄ for its mean under π_ref,
S = Σ π_ref/(d+Δ) and Q = Σ π_ref (Δ−Δ̄)²/((d+Δ)(d+Δ̄)), one finds c = 1/S and Var_π(r) = c²Q. So (13) is √Q = 1/β, with
a guard √(Q + εS²) = 1/β (inside the root) or √Q + εS = 1/β (outside), and shift only is κS = 1/β, κ = G/(G−1): each
left side falls from ∞ to 0 as d grows, so **the stationary policy is unique, for any n**.

In groups of two with strictly ordered rewards the mass T of all answers up to some reward satisfies
``T² − (1+β)T + βC = 0``, C its reference mass: closed form for any n, of which (14) is the case n = 2.
"""

from __future__ import annotations

from grpo_symbolic.numeric.backends import Array, Backend
from grpo_symbolic.numeric.blocks import kernel
from grpo_symbolic.numeric.policies.solve import bracketed_newton


def affine(backend: Backend, kind: str, reference: Array, below: Array, guard: Array, beta: Array) -> tuple[Array, int]:
    """Policies for advantages affine in the reward. ``kind``: 'inside' or 'outside' (where the guard is), 'none'
    (no guard) or 'shift' (``guard`` is then G/(G − 1)). Equation (13) and Section 3.
    """
    low, high, weights, mean = kernel(backend, _affine_bracket, kind)(reference, below, guard, beta)
    root, iterations = bracketed_newton(
        backend, _affine_value, (kind,), (reference, below, weights, mean, guard, beta), low, high
    )
    return kernel(backend, _affine_policy)(root, reference, below), iterations


def _affine_bracket(
    backend: Backend, kind: str, reference: Array, below: Array, guard: Array, beta: Array
) -> tuple[Array, Array, Array, Array]:
    """Bounds of d, from S between π_ref(top)/d and 1/d and from Q between its top term and Var_ref/(d(d+Δ̄))."""
    xp = backend.xp
    top = xp.sum(xp.where(below == 0, reference, 0.0), axis=0)
    mean = xp.sum(reference * below, axis=0)
    weights = reference * (below - mean) ** 2
    variance = xp.sum(weights, axis=0)
    tight = 1e-12
    if kind == "shift":
        return beta * guard * top * (1 - tight), beta * guard * (1 + tight), weights, mean
    # Half the width of the interval in which x(x + Δ̄) = y, without cancellation.
    y_low, y_high = beta**2 * top * mean**2, beta**2 * variance
    one = xp.where(mean > 0, mean, 1.0)
    low = 2 * y_low / (one + xp.sqrt(one**2 + 4 * y_low))
    high = 2 * y_high / (one + xp.sqrt(one**2 + 4 * y_high))
    if kind == "inside":
        low = xp.where(beta * xp.sqrt(guard) * top > low, beta * xp.sqrt(guard) * top, low)
        high = beta * xp.sqrt(variance + guard)
    elif kind == "outside":
        low = xp.where(beta * guard * top > low, beta * guard * top, low)
        high = beta * (xp.sqrt(variance) + guard)
    # All rewards equal and no guard: 0/0 ≡ 0, and any d gives the reference policy.
    flat = ~(high > 0)
    return xp.where(flat, 1.0, low * (1 - tight)), xp.where(flat, 1.0, high * (1 + tight)), weights, mean


def _affine_value(
    backend: Backend,
    kind: str,
    root: Array,
    reference: Array,
    below: Array,
    weights: Array,
    mean: Array,
    guard: Array,
    beta: Array,
) -> tuple[Array, Array]:
    """``log β·(left side)`` and its slope in log d."""
    xp = backend.xp
    inverse = 1 / (root + below)
    if kind == "shift":
        terms = reference * inverse
        total = xp.sum(terms, axis=0)
        return xp.log(beta * guard * total), -root * xp.sum(terms * inverse, axis=0) / total
    terms = weights * inverse
    inner = xp.sum(terms, axis=0)
    quotient = inner / (root + mean)
    q_slope = -(xp.sum(terms * inverse, axis=0) + quotient) / (root + mean)
    if kind == "none":
        return 0.5 * xp.log(quotient) + xp.log(beta), 0.5 * root * q_slope / quotient
    shares = reference * inverse
    total = xp.sum(shares, axis=0)
    s_slope = -xp.sum(shares * inverse, axis=0)
    if kind == "inside":
        square = quotient + guard * total**2
        return 0.5 * xp.log(square) + xp.log(beta), 0.5 * root * (q_slope + 2 * guard * total * s_slope) / square
    deviation = xp.sqrt(quotient)
    left = deviation + guard * total
    q_part = xp.where(deviation > 0, q_slope / (2 * deviation), 0.0)
    return xp.log(left * beta), root * (q_part + guard * s_slope) / left


def _affine_policy(backend: Backend, root: Array, reference: Array, below: Array) -> Array:
    weights = reference / (root + below)
    return weights / backend.xp.sum(weights, axis=0)


def tie_starts(backend: Backend, rewards: Array) -> Array:
    """Where a new reward begins, for rewards sorted along the first axis."""
    changed = rewards[1:] != rewards[:-1]
    return backend.xp.concatenate((changed[:1] | ~changed[:1], changed)) if rewards.shape[0] > 1 else rewards == rewards


def ordered_pairs(backend: Backend, reference: Array, rewards: Array, beta: Array) -> tuple[Array, Array]:
    """Groups of two, rewards sorted from the largest down: equation (12) for any n in closed form, with
    ``P_2(o|π)`` under the result. Answers of equal reward share their level's mass as in π_ref.
    """
    xp = backend.xp
    starts = tie_starts(backend, rewards)
    ends = xp.concatenate((starts[1:], xp.ones_like(starts[:1])))
    # A kernel that is traced cannot look whether there are ties.
    tied = backend.traces or not bool(starts.all())
    above, upto = _before(backend, reference, starts, tied), backend.running_sum(reference)
    if tied:
        upto = xp.flip(-backend.running_max(xp.flip(-xp.where(ends, upto, xp.inf), (0,))), (0,))
    root_above, root_upto = (xp.sqrt((1 - beta) ** 2 + 4 * beta * mass) for mass in (above, upto))
    lower = 2 * beta / (root_upto + root_above)
    # The best level has mass 1 − T of the rest; written so that nothing cancels on either side of β = 1.
    best = xp.where(beta < 1, (1 - beta + root_upto) / (2 * upto), 2 * beta / (root_upto + xp.abs(beta - 1)))
    policy = reference * xp.where(above == 0, best, lower)
    policy = policy / xp.sum(policy, axis=0)
    worse = xp.flip(_before(backend, xp.flip(policy, (0,)), xp.flip(ends, (0,)), tied), (0,))
    return policy, worse - _before(backend, policy, starts, tied)


def _before(backend: Backend, weights: Array, starts: Array, tied: bool) -> Array:
    """The weight of all levels before an entry's own, in sorted order."""
    xp = backend.xp
    before = xp.concatenate((xp.zeros_like(weights[:1]), backend.running_sum(weights)[:-1]))
    return backend.running_max(xp.where(starts, before, 0.0)) if tied else before


def two_levels(
    backend: Backend, reference: Array, counts: Array, coefficients: Array, gains: Array, beta: Array
) -> tuple[Array, int]:
    """Finite groups over two reward levels, the better one first: shapes (2, B), counts (N, 2), gains (N, B).

    With g the mass of the better level and V(g) = E[gain], (11) is ``g − V(g)/β = π_ref(better)``. V is concave
    and 0 at both ends, and the root in (0, 1) is unique (claims ``by-gap-drive-concave``, ``by-norm-shape``). The
    unknown is g/(1 − g), so that both masses keep their relative accuracy.
    """
    xp = backend.xp
    low = reference[0] / reference[1]
    # A worse answer loses at most √(G−1), so its mass is at least π_ref/(1 + √(G−1)/β).
    worst = xp.sqrt(xp.sum(counts[0]) - 1)
    high = (1 + worst / beta) / reference[1]
    root, iterations = bracketed_newton(
        backend, _two_level_value, (), (reference, counts, coefficients, gains, beta), low * (1 - 1e-12), high
    )
    return xp.stack((root / (1 + root), 1 / (1 + root))), iterations


def _two_level_value(
    backend: Backend, odds: Array, reference: Array, counts: Array, coefficients: Array, gains: Array, beta: Array
) -> tuple[Array, Array]:
    """``π_ref(better) − g + V/β`` and its slope in the logarithm of the odds, from whichever mass is the smaller."""
    xp = backend.xp
    better, worse = odds / (1 + odds), 1 / (1 + odds)
    logs = counts[:, :1] * xp.log(better) + counts[:, 1:] * xp.log(worse)
    terms = xp.exp(logs + coefficients[:, None]) * gains
    gained = xp.sum(terms, axis=0) / beta
    size = xp.sum(counts[0])
    rate = xp.sum(terms * (counts[:, :1] - size * better), axis=0) / beta
    value = xp.where(odds < 1, reference[0] - better + gained, worse + gained - reference[1])
    return value, rate - better * worse
