"""Expected group-relative preferences ``P_G(o|π)`` of a policy in bulk, and their derivatives in the policy.

Each model is extended beyond the simplex so that ``Σ π(o) P(o|π) = 0`` for every positive π: the stationary equation
then implies ``Σ π = 1`` by itself, and its Jacobian is regular wherever the stationary policy is isolated.

Sources: Vojnovic & Yun (2025), equation (6), Section 2.1 (groups of two, large groups) and Section 3 (shift only).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, lgamma

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.backends import Array, Backend


@dataclass(frozen=True)
class Pairs:
    """Groups of two. Data: the margins ``P(o≻o') − P(o'≻o)``, antisymmetric, of shape (B, n, n)."""

    def advantages(self, backend: Backend, data: tuple[Array, ...], policy: Array) -> Array:
        """``P_2(o|π)``, shape (B, n)."""
        return (data[0] @ policy[..., None])[..., 0]

    def jacobian(self, backend: Backend, data: tuple[Array, ...], policy: Array) -> Array:
        """``∂P(o|π)/∂π(o')``, shape (B, n, n)."""
        return data[0]


@dataclass(frozen=True)
class LargeGroups:
    """The limit of large groups, ``(r − E r)/deviation``. Data: how far each reward is below the row's largest."""

    guard_inside: bool = True
    scaled: bool = True

    def moments(
        self, backend: Backend, data: tuple[Array, ...], policy: Array, axis: int
    ) -> tuple[Array, Array, Array]:
        """Rewards against their mean, their standard deviation, and the divisor with the guard."""
        xp = backend.xp
        below, guard = data
        centred = xp.sum(policy * below, axis=axis, keepdims=True) - below
        if not self.scaled:
            return centred, guard, guard
        variance = xp.sum(policy * centred * centred, axis=axis, keepdims=True)
        # Where all the mass is on one reward the advantages are 0/0 ≡ 0: any positive divisor will do.
        inner = xp.sqrt(variance + guard if self.guard_inside else variance)
        inner = xp.where(inner > 0, inner, 1.0)
        return centred, inner, inner if self.guard_inside else inner + guard

    def advantages(self, backend: Backend, data: tuple[Array, ...], policy: Array, axis: int = -1) -> Array:
        """``P_∞(o|π)``. For shift only, ``guard`` holds the divisor ``G/(G − 1)``."""
        centred, _, divisor = self.moments(backend, data, policy, axis)
        return centred / divisor

    def jacobian(self, backend: Backend, data: tuple[Array, ...], policy: Array) -> Array:
        """``∂P(o|π)/∂π(o')``, shape (B, n, n)."""
        xp = backend.xp
        centred, inner, divisor = self.moments(backend, data, policy, -1)
        by_mean = -(centred / divisor)[..., None, :] + 0 * centred[..., None]
        if not self.scaled:
            return by_mean
        variance = xp.sum(policy * centred * centred, axis=-1, keepdims=True)
        slope = (centred * centred - variance) / (2 * inner * divisor)
        return by_mean - (centred / divisor)[..., None] * slope[..., None, :]


@dataclass(frozen=True)
class Groups:
    """Finite groups, every one enumerated by how often each reward level occurs in it.

    Data: the table of counts (N, K), the logarithms of the multinomial coefficients (N,), and what each group gives to
    each level, ``(c_k/G)·advantage``, of shape (B, N, K).
    """

    def chances(self, backend: Backend, data: tuple[Array, ...], policy: Array) -> Array:
        """The probability of each group, shape (B, N)."""
        xp = backend.xp
        counts, coefficients, _ = data
        return xp.exp(xp.log(policy) @ counts.T + coefficients)

    def advantages(self, backend: Backend, data: tuple[Array, ...], policy: Array) -> Array:
        """``P_G(o|π)`` of each level, shape (B, K)."""
        chance = self.chances(backend, data, policy)
        return (chance[:, None, :] @ data[2])[:, 0, :] / policy

    def jacobian(self, backend: Backend, data: tuple[Array, ...], policy: Array) -> Array:
        """``∂P(k|m)/∂m_l``, shape (B, K, K)."""
        xp = backend.xp
        counts, _, gains = data
        weighted = self.chances(backend, data, policy)[..., None] * gains
        joint = weighted.swapaxes(-1, -2) @ counts
        own = xp.sum(weighted, axis=1) / policy
        scaled = joint / (policy[..., None] * policy[..., None, :])
        identity = backend.asarray(np.eye(policy.shape[-1]))
        return scaled - identity * (own / policy)[..., None]


@lru_cache(maxsize=16)
def group_table(levels: int, size: int, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """All ways in which ``size`` outputs fall on ``levels`` reward levels, and log multinomial coefficients.

    Raises :class:`BadInput` for more than ``limit`` ways.

    >>> group_table(2, 2, 10)[0].astype(int).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    ways = comb(size + levels - 1, levels - 1)
    if ways > limit:
        raise BadInput(
            f"groups of {size} over {levels} distinct rewards are {ways} cases, more than the {limit} that are "
            "enumerated exactly; raise max_groups, or use the limit of large groups, group_size=math.inf"
        )
    bars = np.array(list(combinations(range(size + levels - 1), levels - 1)), dtype=np.int64).reshape(ways, levels - 1)
    edges = np.concatenate([np.full((ways, 1), -1), bars, np.full((ways, 1), size + levels - 1)], axis=1)
    counts = np.diff(edges, axis=1) - 1
    log_factorial = np.array([lgamma(k + 1.0) for k in range(size + 1)])
    return counts.astype(float), log_factorial[size] - log_factorial[counts].sum(axis=1)


def group_gains(backend: Backend, guard_inside: bool, counts: Array, levels: Array, guard: Array) -> Array:
    """``(c_k/G)·(r_k − mean)/deviation`` of each group c, for rewards ``levels`` (B, K); shape (B, N, K).

    From differences of rewards alone, so that levels close together keep their advantage.
    """
    xp = backend.xp
    size = xp.sum(counts[0])
    gaps = levels[..., None] - levels[..., None, :]
    centred = counts @ gaps.swapaxes(-1, -2) / size
    variance = xp.sum(counts * centred * centred, axis=-1, keepdims=True) / size
    inner = xp.sqrt(variance + guard) if guard_inside else xp.sqrt(variance) + guard
    return counts * centred / (size * xp.where(inner > 0, inner, 1.0))
