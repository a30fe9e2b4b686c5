"""Near the truth: a size of one, a strength of nought, an end that a range has, a letter for another one."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false

# -- one answer, one member, equal rewards -----------------------------------------------------------------------------
false(
    "a squared advantage that forgets the group",
    "rewards that never tie give 1, and 1/π − 1 is less where π(o) is above a half",
    lambda: (Domain(simplex(pi, n), n >= 2, k >= 2), SquaredAdvantage(pi, o, n, k, 1 / pi[o] - 1)),
)
false(
    "an expectation of squares of one draw",
    "at n = 1 both sides are x",
    lambda: (Domain(0 < x, x < 1, n >= 1), Always(binomial_mean(k**2, k, n, x) > n * x).by(AgainstPolynomial(k, 2))),
)

# -- a strength of nought, and an end that is admitted -----------------------------------------------------------------
false(
    "a regulariser that may be none",
    "at β = 0 the objective is linear",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), n >= 2, beta >= 0),
        ConcaveInPolicy(Sum(pi[o] * r[o] - beta * pi[o] ** 2, (o, 1, n)), (pi,)).by(
            Separable((Summand(u * r[o] - beta * u**2, u, pi, o, n),))
        ),
    ),
)
false(
    "a divergence from what may be nought",
    "at y = 0 it has no value",
    lambda: (Domain(y >= 0), Tends(x * log(x / y), x, 0, 0)),
)
false(
    "a contraction by a constant that may be one",
    "at β = 1 every point is fixed",
    lambda: (
        Domain(0 <= y, y <= 1, beta >= 0, beta <= 1),
        ConvergesToFixedPoint(Iteration(beta * x, x, y), 0, 1).by(Contraction(beta)),
    ),
)
false(
    "a slope of minus one",
    "at t = −1 the map −x attracts nothing",
    lambda: (Domain(-1 <= t, t < 1), EveryMapAttracts(t, (1 + abs(t)) / 2)),
)
false(
    "an arch that may hang",
    "at p < 0 it is below a number on one interval, and above it on two",
    lambda: (Domain(p), OneInterval(p * x * (1 - x), x, 0, 1).by(RisesAndFalls(Rational(1, 2)))),
)
false("a root that bends the other way", "√x is concave", lambda: (Domain(x >= 0), Curved(sqrt(x), x, 1)))

# -- a law or a letter for another one ---------------------------------------------------------------------------------
false(
    "the best policy under another name",
    "the best is the reference, and π is any policy",
    lambda: (
        Domain(simplex(pi, n), simplex(ref, n), n >= 2),
        OnlyBestPolicy((Answered(Part(-((t - ref[o]) ** 2), t, -(ref[o] ** 2)), o, n),), (pi[o],)).by(
            OneMultiplier(Integer(0), (Loss((t - ref[o]) ** 2),))
        ),
    ),
)
false(
    "a value that another law goes on with",
    "after the token the text is drawn from π",
    lambda: (
        Domain(simplex(pi, n), simplex(ref, n), n >= 2, x),
        AtStates(Here(TextMean(x, pi)), Sum(pi[o] * Ahead(TextMean(x, ref)), (o, 1, n)), Texts(o, j, n, ends=(x,))).by(
            OneMoreToken((onward, onward_2))
        ),
    ),
)
false(
    "a covariance that may be none",
    "x = −1 is the covariance of no three numbers of variance 1",
    lambda: (
        Domain(-1 <= x, x <= 1, n >= 2),
        ForRandom(
            VarianceOf(Sum(P[o], (o, 1, n))) >= 0,
            (Random(P, i, 1, n, covariance=x + (1 - x) * KroneckerDelta(i, j), other=j),),
        ),
    ),
)
