"""All that a result file is written with, by one line: ``from grpo_symbolic.paper import *``.

The letters of :mod:`grpo_symbolic.notation`, functions and relations of SymPy, statements and rules
(:mod:`grpo_symbolic.proof`), instances of lemmas, objectives and stationary policies. What a file calls otherwise, or
takes from elsewhere, it imports or defines after that line.
"""

from __future__ import annotations

from sympy import (
    Abs,
    Add,
    And,
    Derivative,
    Eq,
    Equivalent,
    Expr,
    Ge,
    Gt,
    Implies,
    Indexed,
    Integer,
    KroneckerDelta,
    Le,
    Lt,
    Matrix,
    Max,
    Min,
    Mul,
    Ne,
    Not,
    Or,
    Piecewise,
    Poly,
    Product,
    Rational,
    Sum,
    atan,
    binomial,
    cancel,
    collect,
    cosh,
    diff,
    exp,
    expand,
    factor,
    floor,
    log,
    oo,
    sign,
    sinh,
    sqrt,
    together,
)

from grpo_symbolic.notation import *
from grpo_symbolic.objectives import *
from grpo_symbolic.optimality.kkt import (
    derivative_along,
    identify,
    lagrangian,
    on_policy_curvature,
    on_policy_slope,
    partial,
)
from grpo_symbolic.optimality.response import best_response, beta_curve, frozen_objective
from grpo_symbolic.optimality.stationary import large_groups, pairs
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
    success_equation,
    success_gradient,
    turning_beta,
)
from grpo_symbolic.proof import *  # type: ignore[assignment]  # Divergence: of sums, not the penalty of that name
from grpo_symbolic.proof.statements.lemmas import (
    exp_above_tangent,
    exp_increasing,
    exp_positive,
    exp_sign,
    log_below_tangent,
    log_increasing,
    log_sign,
)

__all__ = [name for name in globals() if not name.startswith("_") and name != "annotations"]
