"""A local maximum where the objective has no value, is not smooth, or that lies outside the domain."""

from __future__ import annotations

from sympy import acot

from grpo_symbolic.paper import *

from . import false, true, unrefuted

UNIT = Domain(0 < p, p < 1)

false(
    "a maximum with parameters outside the logarithm",
    "at x = −1/p there is no log x",
    lambda: (UNIT, LocalMaximum(p * x + log(x), x, -1 / p)),
)
false(
    "a maximum on the edge of the domain",
    "1 is not below 1",
    lambda: (Domain(0 < x, x < 1), LocalMaximum(-((x - 1) ** 2), x, 1)),
)
false(
    "a maximum outside for some parameters",
    "at p = 1/2 the point 2p is no probability below 1",
    lambda: (Domain(0 < p, p < 1, 0 < x, x < 1), LocalMaximum(-((x - 2 * p) ** 2), x, 2 * p)),
)
false(
    "a minimum beside a jump",
    "the inverse cotangent is −π/2 just left of 0 and π/2 at 0",
    lambda: (Domain(x), LocalMaximum(acot(x) + x + x**2, x, 0, sense=-1)),
)
false(
    "a maximum at a lowered point",
    "−1 at 0 and −x² beside it",
    lambda: (Domain(x), LocalMaximum(-(x**2) - KroneckerDelta(x, 0), x, 0)),
)
false(
    "a maximum where the variable was frozen",
    "the derivative at 0 is 10",
    lambda: (Domain(x), LocalMaximum(-((x - 5) ** 2), x, 0, frozen=((x, 5),))),
)
false("a minimum called maximum", "x² has a minimum at 0", lambda: (Domain(x), LocalMaximum(x**2, x, 0)))
false("a stationary point that is no extremum", "x³ rises through 0", lambda: (Domain(x), LocalMaximum(x**3, x, 0)))
false("a kink", "−|x| has no derivative at 0", lambda: (Domain(x), LocalMaximum(-Abs(x), x, 0)))
false(
    "a maximum of cases at their seam",
    "1 right of 0 is above 0",
    lambda: (Domain(x), LocalMaximum(Piecewise((-(x**2), x <= 0), (1 - x**2, True)), x, 0)),
)
false(
    "a maximum beside the right place",
    "it is at p",
    lambda: (UNIT, LocalMaximum(p * log(x) + (1 - p) * log(1 - x), x, 1 - p)),
)
false(
    "a policy frozen is not a policy that moves",
    "with y moving along the objective is flat",
    lambda: (Domain(0 < x, x < 1, 0 < y, y < 1), LocalMaximum(-((x - y) ** 2) + 2 * x, x, y, frozen=((y, x),))),
)
false(
    "a minimum on a pole", "1/x has no value at 0", lambda: (Domain(x), LocalMaximum((x**3 + x**4) / x, x, 0, sense=-1))
)
false(
    "a maximum of a sum of rewards in its first",
    "its slope is 1",
    lambda: (Domain(reals(pi, n), n >= 2), LocalMaximum(Sum(pi[o], (o, 1, n)), pi[1], 0)),
)
false(
    "a maximum at a probability above one",
    "2 is no probability",
    lambda: (Domain(simplex(pi, 2)), LocalMaximum(-((pi[1] - 2) ** 2), pi[1], 2)),
)
false(
    "a maximum at an infinite point",
    "for p = 0 there is no such point",
    lambda: (Domain(x, p), LocalMaximum(-exp(-x), x, 1 / p)),
)

true("the maximum of a log-likelihood", lambda: (UNIT, LocalMaximum(p * log(x) + (1 - p) * log(1 - x), x, p)))
true("a minimum by its sense", lambda: (Domain(x), LocalMaximum((x - 3) ** 2, x, 3, sense=-1)))
true("a maximum with a logarithm", lambda: (Domain(x > 0), LocalMaximum(log(x) - x, x, 1)))

for name, kind, domain, objective, place in (
    ("above", unrefuted, (0 <= x, x <= 1), x, 1),
    ("below", unrefuted, (0 <= x, x <= 1), -x, 0),
    ("at a letter", unrefuted, (p <= x, x <= 1, p < 1), -x, p),
    ("that is none", false, (0 <= x, x <= 1), x, Rational(1, 2)),
):
    kind(
        f"a maximum at an end {name}",
        "at an end that belongs to the domain a slope does not vanish; within it, it does",
        lambda domain=domain, objective=objective, place=place: (Domain(*domain), LocalMaximum(objective, x, place)),
    )
