"""Controls of the rules for programs over policies."""

from __future__ import annotations

from sympy import IndexedBase, symbols

from grpo_symbolic.paper import *
from rule_cases.case import Case, False_

t, w, rho, adv, c = symbols("t w rho A c", real=True)
n, k, o = symbols("n k o", integer=True)
pi, rest, P, Q = (IndexedBase(name) for name in ("pi", "rest", "P", "Q"))
sizes = (n >= 1, k >= 1, reals(P, n), reals(Q, k))
some_kept = Domain(positives(pi, n), reals(rest, k), *sizes)
objective = Sum(P[o] * pi[o] - 1 / pi[o], (o, 1, n)) + Sum(Q[o] * rest[o] - rest[o] ** 2, (o, 1, k))
clipped = Min(rho * adv, Max(1 - w, Min(1 + w, rho)) * adv)


def multipliers(whole=objective, slope=P[o] + 1 / t**2, of_rest=Q[o] * t - t**2, slope_of_rest=Q[o] - 2 * t, kept=True):
    """Those of answers that are kept, and of others."""
    kinds = (
        Kind(Summand(P[o] * t - 1 / t, t, pi, o, n), slope, kept),
        Kind(Summand(of_rest, t, rest, o, k), slope_of_rest, positive=False),
    )
    return MaximaHaveMultipliers(whole, kinds)


def keeps(body, globally=True, width=w):
    """That maxima of the own objective stay."""
    return ClippingKeepsMaxima(body, rho, adv, width, globally)


some_width = Domain(w > 0)
penalised = some_width.also(simplex(pi, n), positives(P, n), n >= 1)


def moves_none(penalty=P[o] * t**2):
    """That clipping moves no maximum under a penalty."""
    return ClippingMovesNoMaximum(clipped, rho, adv, w, Summand(penalty, t, pi, o, n))


PROGRAMS = (
    Case(
        "multipliers at a maximum",
        multipliers(),
        some_kept,
        (
            False_("a sum over the answers", multipliers(2 * objective), some_kept),
            False_("the slope in pi", multipliers(slope=P[o] - 1 / t**2), some_kept),
            False_("the slope in rest", multipliers(slope_of_rest=Q[o] + 2 * t), some_kept),
            False_("not smooth in t", multipliers(of_rest=Q[o] * t - Abs(t), slope_of_rest=Q[o] - 1), some_kept),
            False_("positive numbers", multipliers(), Domain(reals(pi, n), reals(rest, k), *sizes)),
            False_("real numbers", multipliers(kept=False), some_kept),
            False_("positive numbers", multipliers(), Domain(simplex(pi, n), reals(rest, k), *sizes)),
            False_("is to vary freely", multipliers(), some_kept.also(pi[1] <= 1)),
            False_("speaks of it", multipliers(slope_of_rest=Q[o] - 2 * rest[o]), some_kept),
            False_("for nothing else", multipliers(), some_kept.also(t > 1)),
        ),
    ),
    Case("separate programs", SolvedSeparately(P[o], o, n), Domain(positives(P, n), n >= 1)),
    Case(
        "clipping keeps maxima",
        keeps(clipped),
        some_width,
        (False_("moves with rho", keeps(rho * adv, width=1 + rho**2), Domain()),),
    ),
    Case("clipping keeps local maxima", keeps(Max(1 - w, Min(1 + w, rho)) * adv, globally=False), some_width),
    Case(
        "clipping does nothing nearby",
        ClippingIsIdle(clipped, rho, adv, w),
        some_width,
        (False_("moves with A", ClippingIsIdle(rho * adv, rho, adv, 1 + adv**2), Domain()),),
    ),
    Case(
        "clipping under a convex penalty",
        moves_none(),
        penalised,
        (
            False_("is to vary freely", moves_none(penalty=t**2 / pi[o]), penalised),
            False_("positive numbers", moves_none(), some_width.also(reals(pi, n), positives(P, n), n >= 1)),
        ),
    ),
)
