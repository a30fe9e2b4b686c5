"""Monotone and curved: a sign of a derivative carried over a gap, a jump or a bend."""

from __future__ import annotations

from sympy import Heaviside, Mod, acot, cos, frac, sin, tan

from grpo_symbolic.paper import *

from . import false, true

GAP = Piecewise((x, x > 0), (-x, True)) > 1
ACROSS = Domain(-1 < x, x < 1)

false("minus the inverse across a gap", "−1/(−2) = 1/2 is above −1/2", lambda: (Domain(GAP), Monotone(-1 / x, x)))
false(
    "minus the inverse, the gap as a condition",
    "1/2 at −2, −1/2 at 2",
    lambda: (Domain(x), When(GAP, Monotone(-1 / x, x))),
)
false(
    "an inverse square is convex across a gap",
    "at −11/10 the graph lies above the chord from −5 to 11/10",
    lambda: (Domain(GAP), Curved(1 / x**2, x)),
)
false(
    "a gap by an inverse tangent of a tangent",
    "−1/x is 1/2 at −2 and −1 at 1, both in the domain",
    lambda: (Domain(atan(tan(x)) > 0), Monotone(-1 / x, x)),
)
false("minus the inverse without nought", "1 at −1, −1 at 1", lambda: (Domain(Ne(x, 0)), Monotone(-1 / x, x)))
false("minus the inverse on two rays", "1/2 at −2, −1/2 at 2", lambda: (Domain(Or(x < -1, x > 1)), Monotone(-1 / x, x)))
false(
    "minus the inverse where a square is large", "1/2 at −2, −1/2 at 2", lambda: (Domain(x**2 > 1), Monotone(-1 / x, x))
)
false(
    "a gap that another symbol makes",
    "at y = 1: 1/2 at −2, −1/2 at 2",
    lambda: (Domain(Piecewise((x, x > 0), (-x, True)) > y, y > 0), Monotone(-1 / x, x)),
)
false("a sawtooth", "1/2 at 1/2, 0 at 1", lambda: (Domain(0 < x, x < 3), Monotone(x - floor(x), x)))
false("a fractional part", "1/2 at 1/2, 0 at 1", lambda: (Domain(0 < x, x < 3), Monotone(frac(x), x)))
false("a remainder", "1/2 at 1/2, 0 at 1", lambda: (Domain(0 < x, x < 3), Monotone(Mod(x, 1), x)))
false("a step down", "1/2 above −1/2 is not above", lambda: (ACROSS, Monotone(x - 3 * sign(x), x)))
false("another step down", "0 at 0, −2 behind", lambda: (ACROSS, Monotone(x - 3 * Heaviside(x), x)))
false(
    "cases that jump down",
    "1/2 at 1/2, −1/2 behind 1",
    lambda: (Domain(0 < x, x < 2), Monotone(Piecewise((x, x < 1), (x - Rational(3, 2), True)), x)),
)
false(
    "one point lifted",
    "3 at 1/2, 1 at 1",
    lambda: (Domain(0 < x, x < 2), Monotone(x + 3 * KroneckerDelta(x, Rational(1, 2)), x)),
)
false(
    "an inverse tangent of a tangent",
    "3/2 at 3/2, −1.14 at 2",
    lambda: (Domain(0 < x, x < 3), Monotone(atan(tan(x)), x)),
)
false("an inverse cotangent across nought", "−π/4 at −1 and π/4 at 1", lambda: (ACROSS, Monotone(acot(x), x, -1)))
false(
    "an inverse tangent of an inverse",
    "−π/4 at −1, π/4 at 1",
    lambda: (Domain(-2 < x, x < 2), Monotone(atan(1 / x), x, -1)),
)
false("a kink is no curvature", "the chord over (−1, 1) lies above", lambda: (ACROSS, Curved(-Abs(x), x)))
false("a bend of cases", "the graph of min(x, 2x) bends down at 0", lambda: (ACROSS, Curved(Min(x, 2 * x) + x**2, x)))
false("a cube is not convex", "at x = −1/2", lambda: (ACROSS, Curved(x**3, x)))
false("a sine increases", "at x = 2 it falls", lambda: (Domain(0 < x, x < 3), Monotone(sin(x), x)))
false("a parabola increases", "at x = −1/2", lambda: (ACROSS, Monotone(x**2, x)))
false("strictly, where the slope vanishes", "the derivative at 0 is 0", lambda: (ACROSS, Monotone(x**3, x)))
false("a constant increases strictly", "its slope is 0", lambda: (ACROSS, Monotone(p + 7, x)))
false("the odds fall", "1/3 at 1/4, 1 at 1/2", lambda: (Domain(0 < p, p < 1), Monotone(p / (1 - p), p, -1)))
false(
    "a root falls with the reference",
    "it rises for b > 0",
    lambda: (Domain(0 < p, p < 1, b > 0), Monotone((1 - b + sqrt((1 - b) ** 2 + 4 * b * p)) / 2, p, -1)),
)
false(
    "entropy is convex",
    "its second derivative is −1/p − 1/(1 − p)",
    lambda: (Domain(0 < p, p < 1), Curved(-p * log(p) - (1 - p) * log(1 - p), p)),
)
false(
    "a slope by one part of two",
    "the second part falls",
    lambda: (Domain(0 < x, x < 1), Every(Monotone(x**2, x), Monotone(-x, x))),
)
false(
    "an exponential of minus a parameter", "at p = 1 it falls", lambda: (Domain(p > 0, x > 0), Monotone(exp(-p * x), x))
)
false("along a tied symbol", "y = −x", lambda: (Domain(Eq(y, -x), x), Monotone(x + y, x)))
false(
    "a power of minus one",
    "it changes its sign from one whole number to the next",
    lambda: (Domain(n >= 1), Monotone((-1) ** n, n)),
)
false("a wave over the whole numbers", "cos 1 is above cos 2", lambda: (Domain(n >= 0, n <= 2), Monotone(cos(n), n)))
false(
    "an entry against its neighbours",
    "π(1)² rises in π(1)",
    lambda: (Domain(simplex(pi, n), n >= 2), Monotone(pi[o] ** 2, pi[o], -1)),
)

true("minus the inverse on one ray", lambda: (Domain(x > 1), Monotone(-1 / x, x)))
true("an inverse square on one ray", lambda: (Domain(x > 1), Curved(1 / x**2, x)))
true("a cube, weakly", lambda: (ACROSS, Monotone(x**3, x, strict=False)))
true("the odds rise", lambda: (Domain(0 < p, p < 1), Monotone(p / (1 - p), p)))
true("entropy is concave", lambda: (Domain(0 < p, p < 1), Curved(-p * log(p) - (1 - p) * log(1 - p), p, -1)))
true("a slope between bounds of another symbol", lambda: (Domain(y > 0, x > y, x < 2 * y), Monotone(x**2, x)))
