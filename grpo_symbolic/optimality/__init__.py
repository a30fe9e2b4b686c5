"""WHERE an objective is optimal: stationarity with π_old frozen, second order, and closed forms."""

from grpo_symbolic.optimality.kkt import identify, lagrangian, on_policy_curvature, on_policy_slope, partial
from grpo_symbolic.optimality.stationary import large_groups, pairs

__all__ = ["identify", "lagrangian", "large_groups", "on_policy_curvature", "on_policy_slope", "pairs", "partial"]
