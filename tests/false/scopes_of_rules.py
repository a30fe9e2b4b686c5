"""Rules whose theorem is about a range, a number of draws or a family that the sentence does not have."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false, true

DRAWS = Domain(G >= 2, 0 < x, x < 1)
NUMBERS = Domain(reals(pi, n), n >= 2, x < z)
POLICIES = Domain(simplex(pi, n), simplex(ref, n), reals(r, n), n >= 2)
TOTAL = Sum(pi[o], (o, 1, n))
EXPECTED = Sum(pi[o] * r[o], (o, 1, n)) - Sum(ref[o] * r[o], (o, 1, n))

false(
    "the mean of a constant over fewer than no draws",
    "for G = 2 there are −1 draws, and the sum is empty: 0",
    lambda: (DRAWS, Equal(binomial_mean(5, k, G - 3, x), 5).by(AgainstPolynomial(Integer(5)))),
)
false(
    "one more draw than −1",
    "for G = 2 the left side is 0 and the right one −1",
    lambda: (DRAWS, Always(binomial_mean(-5, k, G - 3, x) <= binomial_mean(-1, k, G - 2, x)).by(OneMoreDraw())),
)
false(
    "two values of a function of a policy, for numbers that are no policy",
    "the numbers may have a negative sum",
    lambda: (
        NUMBERS,
        Always(x * TOTAL < z * TOTAL).by(TwoValues(x * TOTAL, x, Domain(simplex(pi, n), n >= 2, x), (x, z))),
    ),
)
false(
    "a chord of a function of a policy, for numbers that are no policy",
    "where the numbers have a negative sum the function is concave",
    lambda: (
        NUMBERS,
        Always((x / 2 + z / 2) ** 2 * TOTAL < x**2 * TOTAL / 2 + z**2 * TOTAL / 2).by(
            Chord(x**2 * TOTAL, x, Domain(simplex(pi, n), n >= 2, x), (x, z), Rational(1, 2))
        ),
    ),
)
false(
    "a negative variance",
    "no random number has the covariance −1 with itself",
    lambda: (
        Domain(n >= 2),
        ForRandom(
            Eq(VarianceOf(Sum(r[o], (o, 1, n))), -(n**2), evaluate=False),
            (Random(r, o, 1, n, covariance=Integer(-1), other=o_),),
        ),
    ),
)
false(
    "groups of two and a half",
    "no group has 5/2 members",
    lambda: (POLICIES, CentredSurrogate(ref, o, n, Rational(5, 2), Rational(3, 5) * EXPECTED, new=pi, rewards=r)),
)

# -- groups and random numbers ----------------------------------------------------------------------------------------

WON = Domain(simplex(pi, n), simplex(ref, n), reals(win, n), reals(loss, n), n >= 2)
for size in (3, G):
    false(
        f"wins and losses in groups of {size}",
        "with four members of which one wins, its advantage is √3, and a win less no loss is 1",
        lambda size=size: (WON.also(G >= 3), AdvantageInPairs(pi, o, n, size, win[o] - loss[o], wins=win, losses=loss)),
    )
false(
    "a surrogate of pairs, in groups of five",
    "the sentence is about the other member, and there are four of them",
    lambda: (
        WON,
        SurrogateInPairs(pi, o, n, 5, Sum(ref[o] * (win[o] - loss[o]), (o, 1, n)), wins=win, losses=loss, new=ref),
    ),
)
true(
    "wins and losses in groups of two",
    lambda: (WON, AdvantageInPairs(pi, o, n, 2, win[o] - loss[o], wins=win, losses=loss)),
)
false(
    "a bound of the squared advantage of any output, from what the domain says of one",
    "an output may be rare: the sentence, which is about every output, leaves out what the domain says of it",
    lambda: (Domain(simplex(pi, n), n >= 2, o >= 1, o <= n, pi[o] > Rational(1, 2)), SquaredAdvantage(pi, o, n, 2, 2)),
)
MEAN = Sum(pi[o] * r[o], (o, 1, n))
false(
    "a mean of large groups that moves with their size",
    "the limit is one number; the size is 2 in the domain and grows in the sentence",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), n >= 2, Eq(G, 2)),
        MeanOfLargeGroups(pi, r, None, o, n, G, MEAN * G / 2, variance=Sum(pi[k] * (r[k] - MEAN) ** 2, (k, 1, n))),
    ),
)
false(
    "the mean of a multiple of a sum, by a factor that the rule's own index catches",
    "E(o Σ_k r_k) is o n x, and not x Σ_o o",
    lambda: (
        Domain(n >= 2, x),
        ForRandom(
            Eq(MeanOf(o * Sum(r[k], (k, 1, n))), x * Sum(o, (o, 1, n)), evaluate=False), (Random(r, o, 1, n, mean=x),)
        ),
    ),
)
false(
    "covariances that are not symmetric",
    "Cov(r_1, r_2) is Cov(r_2, r_1), and not 1 and 2",
    lambda: (
        Domain(n >= 2),
        ForRandom(
            Eq(VarianceOf(Sum(r[o], (o, 1, n))), n * Sum(o, (o, 1, n)), evaluate=False),
            (Random(r, o, 1, n, covariance=o, other=o_),),
        ),
    ),
)

# -- sums --------------------------------------------------------------------------------------------------------------

false(
    "sums in the other order, where the letter of one is free in the range of the other",
    "for n = 3 and i = 1 it is the sum of r on the left, and r_1 + 2r_2 + 3r_3 on the right",
    lambda: (
        Domain(reals(r, n), i >= 1, i <= n, n >= 2),
        Equal(Sum(r[i], (i, 1, n), (o, 1, i)), Sum(i * r[i], (i, 1, n))).by(Exchanged()),
    ),
)
false(
    "a positive term between two terms",
    "the terms with the numbers 1 and 2 are 0; there is none with the number 3/2",
    lambda: (
        Domain(n >= 2, n <= 2),
        Always(Sum((o - 1) * (2 - o), (o, 1, n)) > 0).by(
            PositiveTerms(Sum((o - 1) * (2 - o), (o, 1, n)), at=Rational(3, 2))
        ),
    ),
)

# -- limits ------------------------------------------------------------------------------------------------------------

false(
    "solutions that tend to a number from both sides, by limits from one",
    "as β → 0 from below they tend to −1",
    lambda: (
        Domain(),
        SolutionTends(x - sign(beta), x, -2, 2, beta, 0, 1, "+-").by(SqueezedSolution(sign(beta), sign(beta), 1)),
    ),
)
false(
    "solutions that tend to a number, by bounds far from the point",
    "x = β tends to 0; the domain does not come near it",
    lambda: (
        Domain(beta > 1),
        SolutionTends(x - beta, x, 0, 9, beta, 0, 5).by(SqueezedSolution(5 - 100 * beta, 5 + 100 * beta, 1)),
    ),
)
true(
    "solutions that tend to a number from the side of the domain",
    lambda: (Domain(), SolutionTends(x - beta, x, 0, 9, beta, 0, 0).by(SqueezedSolution(beta, beta, 1))),
)
false(
    "a limit that is a pole",
    "at x = 0 there is no 1/x, which the difference of body and limit loses",
    lambda: (Domain(x), ConvergesTo(r[i] + 1 / x, i, 1 / x, ((error[i], 0),), (r[i] <= error[i], r[i] >= 0))),
)
false(
    "numbers that are positive by a family that the sentence does not tell",
    "nothing that the sentence says keeps them from being −1",
    lambda: (Domain(x), ForEveryNumber(r[k] > 0, k, 1, (positives(r, k),)).by(Induction())),
)
false(
    "a lim sup, by a family that the sentence does not tell",
    "nothing that the sentence says keeps r from being −1, and −r from being 1",
    lambda: (Domain(x), LimSup(-r[i], i, 0, ((error[i], 0),), (), (positives(r, i),)).by(Compared((r[i] >= 0,)))),
)

# -- texts -------------------------------------------------------------------------------------------------------------

LAW = Domain(simplex(pi, n), n >= 2)
NUMBERED = Domain(simplex(pi, n), reals(r, n), n >= 2)
GROWING = Texts(o, o_, n, rates=((r, Integer(1)),))
TOKENS = TextSum(Integer(1), o)
ROOT = (r[o] ** 2 - 2 * r[o] + 1) ** Rational(1, 4)
FOUR = OverTokens((onward, onward_2), (onward_3, onward_4))
false(
    "an average over two and a half texts",
    "no number of texts is 5/2",
    lambda: (
        Domain(simplex(pi, n), n >= 2, y),
        OnTexts(TextMean(Average(y, Rational(5, 2)), pi), TextMean(y, pi), Texts(o, o_, n, ends=(y,))).by(
            OverTokens((onward,))
        ),
    ),
)
false(
    "a slope of sizes where they bend",
    "at r = 0 the size has no slope",
    lambda: (
        NUMBERED,
        OnTexts(TextRate(TextMean(TextSum(Abs(r[o]), o), pi)), TextMean(TextSum(sign(r[o]), o), pi), GROWING).by(FOUR),
    ),
)
false(
    "a slope of a step",
    "where r is 0, the step jumps",
    lambda: (
        NUMBERED,
        OnTexts(TextRate(TextMean(TextSum(Piecewise((0, r[o] < 0), (1, True)), o), pi)), 0, GROWING).by(FOUR),
    ),
)
false(
    "a slope of a root at its zero, by a rate that vanishes there",
    "along r = 1 + θ², which has this rate at θ = 0, the root is |θ|",
    lambda: (
        NUMBERED,
        OnTexts(
            TextRate(TextMean(TextSum(ROOT, o), pi)),
            TextMean(TextSum((r[o] - 1) / 2, o), pi),
            Texts(o, o_, n, rates=((r, ROOT**3),)),
        ).by(FOUR),
    ),
)
false(
    "a law that does not keep its sum",
    "the mean number of tokens is T, which does not move; no law moves at the rate π",
    lambda: (
        LAW,
        OnTexts(
            TextRate(TextMean(TOKENS, pi)),
            TextMean(TOKENS * (TOKENS + 1) / 2, pi),
            Texts(o, o_, n, rates=((pi, pi[o]),)),
        ).by(OverTokens((onward, onward_2, onward_4), (onward_3,))),
    ),
)
RELATED = TextProduct(Sum(o_ * r[o_], (o_, 1, n)) / y, o)
for kind, of in (("a slope", lambda e: TextRate(TextMean(e, pi))), ("a gradient", Gradient)):
    false(
        f"{kind} of what is one number at this parameter only",
        "the sum moves and y does not: they are the same where the slope is taken, and not beside it",
        lambda of=of: (
            Domain(simplex(pi, n), reals(r, n), n >= 2, Eq(y, Sum(o * r[o], (o, 1, n))), y > 0),
            OnTexts(of(RELATED), 0, GROWING).by(
                OverTokens((onward,), (onward_3,), (u, lam), of_each=((RELATED, Integer(1)),))
            ),
        ),
    )
WHOLE = TextMean(TextSum(Sum(r[o_] * o, (o_, 1, n)), o), pi)
false(
    "a mean at a state, whose term binds the letter of another token",
    "the first token adds Σ_o π(o) o Σ r to the mean, and not Σ_i i r_i",
    lambda: (
        NUMBERED,
        AtStates(
            Here(WHOLE) - Sum(Sum(r[i] * i, (i, 1, n)) * pi[o], (o, 1, n)),
            Sum(pi[o] * Ahead(WHOLE), (o, 1, n)),
            Texts(o, o_, n),
        ).by(OneMoreToken((onward, onward_2))),
    ),
)

# -- draws -------------------------------------------------------------------------------------------------------------

SUCCESSES = binomial_mean(Sum(i - k, (k, 1, N)), i, n, x)
false(
    "expectations by two letters, one of which a sum within the other binds",
    "the second is N n x − N(N + 1)/2, and not that of Σ (k − k)",
    lambda: (
        Domain(N >= 2, n >= 1, 0 < x, x < 1),
        Equal(binomial_mean(1, k, n, x) + SUCCESSES, 1).by(AgainstPolynomial(Integer(1))),
    ),
)
false(
    "random numbers with covariances, beside others with variances only",
    "that the ones are uncorrelated with the others says nothing of the others among themselves",
    lambda: (
        Domain(n >= 2, x >= 0),
        ForRandom(
            Eq(VarianceOf(Sum(r[o], (o, 1, n))), n * x, evaluate=False),
            (Random(r, o, 1, n, variance=x), Random(error, k, 1, n, covariance=Integer(1), other=i)),
        ),
    ),
)
