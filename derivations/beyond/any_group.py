"""The advantage gap and the gradient of success for every group size at once, as expectations over a number of
successes, and the equation of the stationary policy.
"""

from grpo_symbolic.paper import *


def gap(size: Expr, success: Expr) -> Sum:
    """``Δ_G(x)``: the weight of a pair of a correct and a wrong member, over the number ``k`` of correct ones among the
    other G − 2.
    """
    return binomial_mean((size - 1) / sqrt((k + 1) * (size - 1 - k)), k, size - 2, success)


def success_slope(size: Expr, success: Expr) -> Sum:
    """``m_G(x)``: the deviation ``√(k(G − k))/G`` of a group with ``k`` correct members, over their number."""
    return binomial_mean(sqrt(k * (size - k)) / size, k, size, success)


def excess(size: Expr, success: Expr, reference: Expr, strength: Expr = beta) -> Expr:
    """``β(x − p) − m_G(x)``, a convex function of the success ``x``."""
    return strength * (success - reference) - success_slope(size, success)


def stationary(size: Expr, success: Expr, reference: Expr, strength: Expr = beta) -> Eq:
    """That a policy of this success is stationary: ``β(x − p) = m_G(x)``."""
    return Eq(strength * (success - reference), success_slope(size, success), evaluate=False)


def strength(size: Expr, success: Expr, reference: Expr) -> Eq:
    """The same, as what it says of β where success is above the reference."""
    return Eq(beta, success_slope(size, success) / (success - reference), evaluate=False)


def one_policy(reference: Expr, strength: Expr = beta) -> ConvexBetweenLimits:
    """Why there is one stationary policy: the excess is convex, −βp at 0 and β(1 − p) at 1."""
    ends = (-strength * reference, strength * (1 - reference))
    return ConvexBetweenLimits(ends, shape=ByDifferences(), ends=AtAnEnd())


def by_side(size: Expr, along: Expr, reference: Expr, strength: Expr = beta, **how) -> SideOfRoot:
    """Which side of the stationary policy a point is on, by the sign of the excess there; ``along`` is a letter for it
    that occurs nowhere else.
    """
    body = excess(size, along, reference, strength)
    return SideOfRoot(body, along, -strength * reference, shape=ByDifferences(), end=AtAnEnd(), **how)
