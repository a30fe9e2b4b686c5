"""Examples at the edge of a slope, and statements that differ by a letter, a sign or a range from one with a proof."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false


def slope(of, value, **at):
    """An example at which a function of x is said to have a slope."""
    point = {x: at.pop("x", 0), **{{"y": y, "k": k}[name]: number for name, number in at.items()}}
    return Domain(*point), Exists(Eq(Derivative(of, x, evaluate=False), value), point)


false(
    "a slope where one point is left out",
    "at 0 the function jumps from 0 to 5 and back",
    lambda: slope(Piecewise((5, Eq(x, 0)), (x, True)), 0),
)
false("no slope of a size at nought", "|x| has no slope at 0", lambda: slope(Abs(x), 0))
false("no slope of a sign at nought", "the sign jumps at 0", lambda: slope(sign(x), 0))
false("the slope of a maximum at a tie", "max(x, 0) has no slope at 0", lambda: slope(Max(x, 0), Rational(1, 2)))
false(
    "the slope of a root of squares at nought",
    "√(x² + y²) has no slope at (0, 0)",
    lambda: slope(sqrt(x**2 + y**2), 0, y=0),
)
false("the slope of a logarithm of a square", "log x² has no value at 0", lambda: slope(log(x**2), 0))
false(
    "a slope at the edge of a case that a whole letter moves",
    "for k = 0 the slope at 0 is −1 on one side and 1 on the other",
    lambda: slope(Piecewise((-x, x < k), (x, True)), 1, k=0),
)
false(
    "a product of counts from nought on",
    "0 · (n + 1) < n for k = 0",
    lambda: (Domain(k >= 0, k <= n, n >= 1), Always(Ge(k * (n + 1 - k), n))),
)
false(
    "a delta times a sum of its letters",
    "for k = j = 1 it is 2",
    lambda: (Domain(k, j), Equal(KroneckerDelta(k, j) * (k + j), 0)),
)
false(
    "squares of the later probabilities",
    "for k = n there is none left",
    lambda: (Domain(simplex(pi, n), n >= 2, 1 <= k, k <= n), Always(Gt(Sum(pi[o] ** 2, (o, k + 1, n)), 0))),
)
false(
    "what is held fixed is let go",
    "at x = 1 for y = 0 the slope of −(x − y)² − (x − 1)² is −2",
    lambda: (Domain(x, y), LocalMaximum(-((x - y) ** 2) - (x - 1) ** 2, x, 1, ((y, 0),))),
)
false("a square that rises from below", "x² falls up to 0", lambda: (Domain(x >= -1), Monotone(x**2, x, strict=False)))
