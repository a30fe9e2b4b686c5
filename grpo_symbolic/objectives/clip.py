"""The clipped surrogate of PPO and GRPO. Source: Vojnovic & Yun (2025), equation (1)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp


def clip(value: Any, epsilon: Any) -> sp.Expr:
    """``clip_ε(x)``: x inside [1 − ε, 1 + ε], else the nearer end."""
    low, high = 1 - epsilon, 1 + epsilon
    return sp.Piecewise((low, value < low), (high, value > high), (value, True))


@lru_cache(maxsize=4096)  # losses of groups weigh the same ratio and advantage many times
def clipped_surrogate(ratio: Any, advantage: Any, epsilon: Any) -> sp.Expr:
    """``min{ρ A, clip_ε(ρ) A}`` for one output."""
    return sp.Min(ratio * advantage, clip(ratio, epsilon) * advantage)
