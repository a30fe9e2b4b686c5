"""Edges: ends of ranges, families of one or none, entries out of range, gaps, roots that meet, texts at their end."""

from __future__ import annotations

from sympy import tanh

from grpo_symbolic.paper import *

from . import false, true

double = Domain(y > 0, Eq(z, 2 * y))  # one rate is twice the other, so that what looks generic vanishes
law = Domain(simplex(P, n), n >= 1)
quartic = x**4 - 6 * x**2

# -- a parameter at an end, or tied to another one ---------------------------------------------------------------------
for name, why, on, body, point, value, side in (
    ("the sign of what is nought", "2y − z is 0, so it is 0", double, tanh((2 * y - z) * x), oo, 1, "+"),
    ("a square that vanishes", "it is x/x", double, x / ((z - 2 * y) * x**2 + x), oo, 0, "+"),
    ("one over what is nought", "it is 1", double, 1 / ((z - 2 * y) * x + 1), oo, 0, "+"),
    ("decay that may be none", "at y = 0 it is x²", Domain(y >= 0, y < 1), x**2 * (1 - y) ** x, oo, 0, "+"),
    ("a root from below its end", "at y = 0 it has no value", Domain(y >= 0), sqrt(x + y) - sqrt(y), 0, 0, "-"),
    ("x log from below", "at y = 0 it has no value", Domain(y >= 0), x * log(x + y), 0, 0, "-"),
    ("a quotient at nought", "at y = 0 it is 1", Domain(y >= 0), x / (x + y), 0, 0, "+"),
    ("a norm over a side", "at y = 0 it is 1", Domain(y >= 0), sqrt(x**2 + y**2) / x, 0, oo, "+"),
    ("a greatest number over x", "at y = 0 it is 1", Domain(y >= 0), Max(x, y) / x, 0, oo, "+"),
    ("cases that meet the point", "at y = 0 it is x", Domain(y >= 0), Piecewise((x, x > y), (1, True)), 0, 1, "+"),
    ("an exponent of one end", "at y = 0 it is 1", Domain(y >= 0), Abs(x) ** y, 0, 0, "+"),
    ("the other side of a case", "below y it is 1", Domain(y >= 0), Piecewise((x, x >= y), (1, True)), y, y, "-"),
):
    false(
        name,
        why,
        lambda on=on, body=body, point=point, value=value, side=side: (on, Tends(body, x, point, value, side)),
    )

# -- families of one, of none, and entries that there may not be -------------------------------------------------------
for name, why, on, said in (
    ("an entry below one", "at n = 1 it is 1", law, Always(P[o] < 1)),
    ("a sum of none", "at n = 0 it is 0", Domain(positives(P, n), n >= 0), Always(Sum(P[o], (o, 1, n)) > 0)),
    (
        "a product of none",
        "at n = 0 it is 1",
        Domain(positives(P, n), n >= 0),
        Always(Product(1 + P[o], (o, 1, n)) > 1),
    ),
    ("an answer twice", "P(o) + P(o) may be 1.8", Domain(simplex(P, n), n >= 2), Always(P[o] + P[o_] <= 1)),
    ("two answers of two", "at n = 2 they have sum 1", Domain(simplex(P, n), n >= 2), Always(P[1] + P[2] < 1)),
    ("a second of one", "at n = 1 there is none", law, Always(P[2] < 1)),
    ("one before the last", "at n = 1 there is none", law, Always(P[n - 1] < 1)),
    ("one after the last", "there is none", Domain(positives(P, n), n >= 1), Always(P[n + 1] > 0)),
    (
        "a delta beside its range",
        "for k > n it is 0",
        Domain(reals(P, n), n >= 1, k >= 1),
        Equal(Sum(KroneckerDelta(j, k), (j, 1, n)), 1),
    ),
    (
        "a delta in the range of another family",
        "at o = 3 it is 0",
        Domain(reals(P, 2), reals(r, 3)),
        Equal(Sum(KroneckerDelta(j, o), (j, 1, 2)) * r[o], r[o]),
    ),
    (
        "a sum over another number of answers",
        "k need not be n",
        Domain(simplex(P, n), n >= 2, k >= 1),
        Equal(Sum(P[o], (o, 1, k)), 1),
    ),
    (
        "a slope along any entry as one along the first",
        "at o = 2 it is 2 P(2)",
        Domain(positives(P, n), n >= 1),
        Equal(Derivative(Sum(P[j] ** 2, (j, 1, n)), P[o]), 2 * P[1]),
    ),
    (
        "a fixed entry under a slope along any",
        "at o = 1 it is 1",
        Domain(positives(P, n), n >= 2),
        Equal(Derivative(P[1], P[o]), 0),
    ),
    (
        "a simplex as a constant under a slope",
        "all else is held fixed: it is 1",
        Domain(simplex(P, n), n >= 2),
        Equal(Derivative(Sum(P[j], (j, 1, n)), P[o]), 0),
    ),
):
    false(name, why, lambda on=on, said=said: (on, said))

# -- examples ----------------------------------------------------------------------------------------------------------
for name, why, write in (
    ("an example at which nothing has a value", "1/0", lambda: (Domain(x), Exists(Or(1 / x > 0, x < 1), {x: 0}))),
    ("an example with half a number", "k is whole", lambda: (Domain(k >= 0), Exists(k**2 < k, {k: Rational(1, 2)}))),
    (
        "an example with too few answers",
        "n is 3 and there are two",
        lambda: (
            Domain(simplex(P, n), n >= 3),
            Exists(P[1] > Rational(1, 4), {n: 3, P: [Rational(1, 2), Rational(1, 2)]}),
        ),
    ),
    ("an example outside of its case", "−1 is not > 0", lambda: (Domain(x), When(x > 0, Exists(x < 0, {x: -1})))),
    ("nothing, on a domain of its own", "it says nothing", lambda: (Domain(x), On(Domain(y), Every()))),
):
    false(name, why, write)

# -- roots -------------------------------------------------------------------------------------------------------------
for name, why, on, polynomial, count, low, high in (
    ("a double root twice", "it is one", Domain(y > 0), (x - y) ** 2, 2, 0, y + 1),
    ("a line that may be none", "at y = 0 every x is one", Domain(y >= 0), y * x, 1, -1, 1),
    (
        "a parabola that may be a line",
        "for −¼ < y < 0, z = 1 there are two",
        Domain(y, z > 0),
        y * x**2 + z * x - 1,
        1,
        0,
        oo,
    ),
    ("two roots that meet", "at y = 0 there is one", Domain(y >= 0), x**2 - sqrt(y), 2, -oo, oo),
    (
        "four roots that meet",
        "at y = 25/4 there are two",
        Domain(y > 0, y <= Rational(25, 4)),
        x**4 - 5 * x**2 + y,
        4,
        -3,
        3,
    ),
):
    false(name, why, lambda on=on, q=polynomial, m=count, low=low, high=high: (on, Roots(q, x, m, low, high)))

# -- shapes over a gap -------------------------------------------------------------------------------------------------
apart, gap = Domain(u >= 2, v <= -2, 0 < p, p < 1), Domain(Or(x < -1, x > 1))
for name, why, write in (
    (
        "a chord over a gap",
        "x⁴ − 6x² is −8 at ±2 and 0 between",
        lambda: (
            apart,
            Always(quartic.subs(x, p * u + (1 - p) * v) < p * quartic.subs(x, u) + (1 - p) * quartic.subs(x, v)).by(
                Chord(quartic, x, gap, (u, v), p)
            ),
        ),
    ),
    (
        "two values on both sides of a pole",
        "−1/v > 0 > −1/u",
        lambda: (apart, Always(-1 / v < -1 / u).by(TwoValues(-1 / x, x, Domain(Ne(x, 0)), (v, u)))),
    ),
    (
        "two pieces that do not meet",
        "it falls at 0",
        lambda: (Domain(x), Monotone(Piecewise((x, x <= 0), (x - 5, True)), x).by(TwoPieces(0, x, x - 5))),
    ),
    ("convex where it may be flat", "at y = 0 it is 0", lambda: (Domain(x >= 0, y >= 0), Curved(y * x**2, x))),
    (
        "a value taken across a pole",
        "1/(x − y) is never 0",
        lambda: (Domain(y > 0), TakesValue(1 / (x - y), x, 0, 2 * y, 0).by(BetweenLimits((-1 / y, 1 / y)))),
    ),
    (
        "the mass of what shrinks in no proportion",
        "P(0 … 1) does not tend to 0",
        lambda: (Domain(y > 0), MassNear(y, t, ((0, 1 / t),), 1)),
    ),
):
    false(name, why, write)

true("a limit where a rate is twice the other", lambda: (double, Tends(tanh((2 * y - z) * x), x, oo, 0)))
true("four roots short of where they meet", lambda: (Domain(y > 0, y <= 4), Roots(x**4 - 5 * x**2 + y, x, 4, -3, 3)))
