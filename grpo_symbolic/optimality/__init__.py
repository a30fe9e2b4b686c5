"""WHERE an objective is optimal: stationarity with π_old frozen, second order, closed forms, and the dynamics of
repeated best responses.

The dynamics (``SuccessRecursion`` and what belongs to it) need python-flint and are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from grpo_symbolic.optimality.kkt import (
    derivative_along,
    identify,
    lagrangian,
    on_policy_curvature,
    on_policy_slope,
    partial,
)
from grpo_symbolic.optimality.stationary import large_groups, pairs

if TYPE_CHECKING:
    from grpo_symbolic.optimality.dynamics import (
        Enclosure,
        FixedPoint,
        Fold,
        Limit,
        SuccessRecursion,
        best_response,
        beta_curve,
    )

__all__ = [
    "Enclosure",
    "FixedPoint",
    "Fold",
    "Limit",
    "SuccessRecursion",
    "best_response",
    "beta_curve",
    "derivative_along",
    "identify",
    "lagrangian",
    "large_groups",
    "on_policy_curvature",
    "on_policy_slope",
    "pairs",
    "partial",
]

_DYNAMICS = frozenset({"Enclosure", "FixedPoint", "Fold", "Limit", "SuccessRecursion"})
_RESPONSE = frozenset({"best_response", "beta_curve"})  # expressions: they need no ball arithmetic


def __getattr__(name: str) -> Any:
    if name in _DYNAMICS or name in _RESPONSE:
        return getattr(import_module(f"{__name__}.{'dynamics' if name in _DYNAMICS else 'response'}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
