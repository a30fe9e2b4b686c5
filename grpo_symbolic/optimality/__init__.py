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
    from grpo_symbolic.optimality.verifiable import (
        advantage_gap,
        advantage_in_group,
        critical_beta,
        gap_in_variance,
        gap_weight,
        minimum_between,
        saddle_beta,
        safe_beta,
        stationary_beta,
        success_drive,
        success_equation,
        turning_beta,
    )

__all__ = [
    "Enclosure",
    "FixedPoint",
    "Fold",
    "Limit",
    "SuccessRecursion",
    "advantage_gap",
    "advantage_in_group",
    "best_response",
    "beta_curve",
    "critical_beta",
    "derivative_along",
    "gap_in_variance",
    "gap_weight",
    "identify",
    "lagrangian",
    "large_groups",
    "minimum_between",
    "on_policy_curvature",
    "on_policy_slope",
    "pairs",
    "partial",
    "saddle_beta",
    "safe_beta",
    "stationary_beta",
    "success_drive",
    "success_equation",
    "turning_beta",
]

_HOME = {  # names that are imported on first use: those of dynamics need ball arithmetic, the others are expressions
    **dict.fromkeys(("Enclosure", "FixedPoint", "Fold", "Limit", "SuccessRecursion"), "dynamics"),
    **dict.fromkeys(("best_response", "beta_curve"), "response"),
    **dict.fromkeys(
        (
            "advantage_gap",
            "advantage_in_group",
            "critical_beta",
            "gap_in_variance",
            "gap_weight",
            "minimum_between",
            "saddle_beta",
            "safe_beta",
            "stationary_beta",
            "success_drive",
            "success_equation",
            "turning_beta",
        ),
        "verifiable",
    ),
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
