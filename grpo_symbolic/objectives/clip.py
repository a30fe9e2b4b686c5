"""The clipped surrogate of PPO and GRPO. Source: Vojnovic & Yun (2025), equation (1)."""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from grpo_symbolic.scalars import Scalar


def clip(value: sp.Expr, epsilon: Scalar, upper: Scalar = None) -> sp.Expr:
    """``clip_ε(x)``: x (``value``) inside [1 − ε, 1 + ε], else the nearer end; with ``upper`` the range is [1 − ε, 1 +
    upper], as in clip-higher.
    """
    low, high = 1 - epsilon, 1 + (epsilon if upper is None else upper)
    return sp.Piecewise((low, value < low), (high, value > high), (value, True))


@lru_cache(maxsize=4096)  # losses of groups weigh the same ratio and advantage many times
def clipped_surrogate(ratio: Scalar, advantage: Scalar, epsilon: Scalar, upper: Scalar = None) -> sp.Expr:
    """``min{ρ A, clip_ε(ρ) A}`` for one output."""
    clipped = clip(ratio, epsilon, upper) * advantage
    # Where the clip still has cases, SymPy's search for the lesser of the two is long and in vain.
    return sp.Min(ratio * advantage, clipped, evaluate=not clipped.has(sp.Piecewise))


def dual_clipped_surrogate(ratio: Scalar, advantage: Scalar, epsilon: Scalar, bound: Scalar) -> sp.Expr:
    """The clipped surrogate, for negative advantages no lower than ``bound · A`` (``bound`` > 1): the dual clip."""
    value = clipped_surrogate(ratio, advantage, epsilon)
    return sp.Piecewise((sp.Max(value, bound * advantage), advantage < 0), (value, True))
