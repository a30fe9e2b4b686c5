"""Letters that bounds on what jumps tie, or that a domain and a sentence both bind; cases without a value, weights of a
part, sums of no term, double roots.
"""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false

half = Rational(1, 2)
any_real = Domain(z)
law = Domain(simplex(P, n), reals(r, n), n >= 1)

# -- cases of which a condition, or a side, has no value ---------------------------------------------------------------
for name, why, body, value in (
    ("an order of two logarithms", "log(−x) has no value", Piecewise((0, log(-x) < log(-x) + 1), (1, True)), 0),
    (
        "an order of two roots",
        "√(−x − 1) has no value",
        Piecewise((x, Lt(sqrt(-x - 1), sqrt(-x - 1) + 1, evaluate=False)), (1, True)),
        0,
    ),
    ("the larger of two without a value", "1/z has none at z = 0", Max(x + 1 / z, 2 * x + 1 / z) - 1 / z, 0),
    ("the larger beside a logarithm", "log z has none at z = 0", Max(x + log(z), 2 * x + log(z)), log(z)),
):
    false(name, why, lambda body=body, value=value: (any_real, Tends(body, x, 0, value)))

# -- what a domain says of a letter that the sentence binds ------------------------------------------------------------
few = Domain(n >= 1, k >= 1, k <= 2)
for name, why, on, weight in (
    ("weights of the first two", "at k = 4 the weight is −1", few, 3 - k),
    ("weights below a bound", "at k = 3 the weight is negative", Domain(n >= 1, 0 < y, y < 3, k < y), y - k),
    ("a weight that is positive once", "of others it may be −1", law.also(1 <= k, k <= n, r[k] > 0), r[k]),
    ("weights of another list", "P(G + 1) there is none", Domain(positives(P, G), n >= 1, G >= 1), P[k]),
):
    false(name, why, lambda on=on, weight=weight: (on, SolvedSeparately(weight, k, n)))
false(
    "of the first entry said of every one",
    "o is every number up to n, not 1",
    lambda: (
        Domain(reals(r, n), n >= 1, o >= 1, o <= 1, x),
        InEveryEntry((Eq(r[o], x),), Eq(r[1], x), o, n).by(NothingLeft(Sum(0 * r[o], (o, 1, n)), x)),
    ),
)
false(
    "a gap of whole numbers", "from 2 to 4 it falls", lambda: (Domain(k >= 1, Ne(k, 3)), Monotone((k - 4) ** 3 - k, k))
)
false(
    "a letter that is another's quotient",
    "b is printed β/γ, and is none",
    lambda: (Domain(b > 5, 0 < beta, beta < 1, gamma > 1), Always(beta / gamma < b)),
)

# -- groups ------------------------------------------------------------------------------------------------------------
mean = Sum(P[o] * r[o], (o, 1, n))
false(
    "a mean square for a variance",
    "of one answer with the reward 1 the variance is 0",
    lambda: (law, MeanOfLargeGroups(P, r, None, o, n, G, mean, variance=Sum(P[o] * r[o] ** 2, (o, 1, n)))),
)
false(
    "as many answers as draws",
    "the law changes with the size of the group",
    lambda: (
        Domain(simplex(P, G), reals(r, G), G >= 1),
        MeanOfLargeGroups(P, r, None, o, G, G, r[1], variance=Sum(P[o] * (r[o] - r[1]) ** 2, (o, 1, G))),
    ),
)
false(
    "an average over no member",
    "at k = 0 there is none",
    lambda: (law.also(k >= 0), GroupAverage(0, r[o], None, P, o, n, k, mean)),
)
false("a mean advantage of one", "it is 0", lambda: (law, MeanAdvantage(P, o, n, 2, 1 + 0 * z, expected=r)))

# -- roots -------------------------------------------------------------------------------------------------------------
quarter = (x - half) ** 2 * (x - half / 2)
false("a double root counts twice", "there are two", lambda: (Domain(y >= 0), Roots(quarter, x, 3, 0, 1)))
false(
    "a root that is an end", "at y = 1 there is none", lambda: (Domain(0 < y, y <= 1), Roots(x * (x - y), x, 1, 0, 1))
)
false("a root of nought", "at y = 0 all are", lambda: (Domain(0 <= y, y <= 1), UniqueRoot(y * (x - half), x, half)))
false("a whole root", "no whole k has 2k = 1", lambda: (any_real, TakesValue(2 * k, k, 0, 2, 1).by(StrictlyMonotone())))

# -- induction where a sum has no term, and is reversed ----------------------------------------------------------------
for name, why, formula, first in (
    ("a product from three on", "at k = 0, x = 0 there is no 0^(−2)", Eq(Product(x, (j, 3, k)), x ** (k - 2)), 0),
    ("a count from three on", "at k = 0 the sum is not −2", Eq(Sum(1, (j, 3, k)), k - 2), 0),
    ("a bound of its own domain", "k = 4 is no number up to 3", k <= 3, 1),
):
    false(
        name,
        why,
        lambda formula=formula, first=first: (Domain(x, k <= 3), ForEveryNumber(formula, k, first).by(Induction())),
    )
false("a limit of what may grow", "at y = 2 it grows", lambda: (Domain(y > 0), Tends(y**k, k, oo, 0)))
false(
    "a sum over a policy's deltas",
    "it is π(j)",
    lambda: (
        Domain(simplex(pi, n), n >= 1, j >= 1, j <= n),
        Equal(Sum(pi[o] * KroneckerDelta(o, j), (o, 1, n)), pi[1]),
    ),
)

# -- what strict bounds determine -------------------------------------------------------------------------------------
total, squares = Sum(P[o], (o, 1, n)), Sum(-(P[o] ** 2), (o, 1, n))
for name, tie in (
    ("a case of two letters", Piecewise((1, Eq(y, z)), (0, True)) > half),
    ("the sign of a difference", 1 - Abs(sign(y - z)) > half),
    ("roots of two opposites", sqrt(y - z) + sqrt(z - y) > -1),
):
    on = Domain(simplex(P, n, z), n >= 1, z >= 1, z <= 2, y >= 1, y <= 2, tie)
    false(
        f"a function of each entry with a letter tied to their sum by {name}",
        "between the sums 1 and 2 it is 222.75, and 247.5 are half way",
        lambda on=on: (
            on,
            ConcaveInPolicy(100 * total * y + squares, (P,)).by(
                Separable((Summand(-(x**2) + 100 * x * y, x, P, o, n),))
            ),
        ),
    )
    false(
        f"one multiplier for answers whose numbers are tied to it by {name}",
        "for answers with z = 1, 2, 2, … there is no such y",
        lambda tie=tie: (
            Domain(0 < u, u < 1, y, z, tie),
            OnlyBestOfMany(Part(z * x - (x - u) ** 2, x, -(u**2)), (u, z), u, y).by(
                OneMultiplierForAll(y, Loss((x - u) ** 2), (u, 0))
            ),
        ),
    )
false(
    "a function of each entry with a whole number between two others",
    "between the sums 1 and 3 it is 400, and 500 are half way",
    lambda: (
        Domain(simplex(P, n, k), n >= 1, k >= 1, j > k - 1, j < k + 1),
        ConcaveInPolicy(100 * j * total + squares, (P,)).by(Separable((Summand(-(x**2) + 100 * j * x, x, P, o, n),))),
    ),
)
