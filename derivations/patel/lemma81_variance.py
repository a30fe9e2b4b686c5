"""Lemma 8.1: inverse-variance weights and the variance of an average.

Statement.   For uncorrelated scores with standard deviations σ_i > 0 and confidences φ̄_i = k/σ_i², the average
             weighted by confidence has at most the variance of the plain average; equal only if all σ_i are equal.
Source.      Patel (2025), Section 8.7 (Lemma 8.1 and its proof).
Domain.      Any number ρ of scores, σ_i > 0, k ≠ 0. With correlated scores: any ρ for equal correlations, else ρ = 2
             and 3.
Derivation.  Variance of a linear combination from the covariances → the two variances → their gap by Lagrange's
             identity.
Caveats.     The lemma says nothing of correlation. For two scores it holds whatever their correlation, for any number
             of scores if all correlations are the same c ≥ 0. With three it can fail: with equal negative
             correlations, with unequal ones of which none is negative, even with a plain average of variance zero.
             The confidences count as constants, not as data.
Letters.     τ and σ are the scores and their deviations, ρ their number; c is the constant of the confidences, or a
             common correlation. s, t and u are deviations of scores, x a correlation. r and P are the terms of Cauchy's
             inequality, the paper's u and v. Where pt-lemma81 divides, t stands for ρ, s for Σσ² and v for Σ1/σ²; in
             pt-lemma81-optimal the r(i) are coefficients, up to a common shift by which they sum to one. In the
             counterexamples u, and in pt-lemma81 y, are loads of uncorrelated factors, or s and t the loads and x, y, z
             the weights.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

rubric = Rubric(n_items)


def confidence(item):
    """``φ̄_i = k/σ_i²``, the assumption of the lemma."""
    return scale / sigma[item] ** 2


uncorrelated = (Random(tau, i, 1, n_items, variance=sigma[i] ** 2),)  # scores of any law with these deviations
of_plain = VarianceOf(Sum(tau[i], (i, 1, n_items)) / n_items)
of_weighted = VarianceOf(rubric.weighted(tau, confidence) / rubric.total(confidence))


def weighted(item):
    """The coefficient of the average weighted by confidence."""
    return rubric.share(confidence, item)


deviations = Domain(n_items >= 1, positives(sigma, n_items), Ne(scale, 0))
spreads = Domain(n_items >= 1, positives(sigma, n_items))
three_deviations = Domain(s > 0, t > 0, u > 0)
variances = Sum(sigma[j] ** 2, (j, 1, n_items))
precisions = Sum(1 / sigma[j] ** 2, (j, 1, n_items))

claim(
    "pt-lemma81-constant-cancels",
    Equal(
        rubric.weighted(tau, confidence) / rubric.total(confidence),
        Sum(tau[j] / sigma[j] ** 2, (j, 1, n_items)) / precisions,
        label="k cancels",
    ),
    Domain(n_items >= 1, positives(sigma, n_items), reals(tau, n_items), Ne(scale, 0)),
    because=(Equal(Sum(weighted(i), (i, 1, n_items)), 1, label="the weights sum to one"),),
    locator="Sec 8.7 proof",
    title="The constant of the confidences in the weighted average",
    printed=(
        r"\mathrm{Var}\Big(\frac{\sum_{i=1}^\rho\tau_i\bar\varphi_i}{\sum_{i=1}^\rho\bar\varphi_i}\Big)=\mathrm{Var}"
        r"\Big(\frac{\sum_{i=1}^\rho\tau_i(k/\sigma_i^2)}{\sum_{j=1}^\rho(k/\sigma_j^2)}\Big)\text{ … }\bar\varphi_i="
        r"\frac k{\sigma_i^2}\text{ for some constant }k"
    ),
    remark="c is the paper's k. Needs σ_i > 0, as does the division by the variance itself.",
)


# Two scores with deviations s and t and correlation x.
covariance = [[s**2, x * s * t], [x * s * t, t**2]]


def two_correlated(coefficients):
    """``ΣΣ c_i c_k Cov(τ_i, τ_k)``."""
    return sum(coefficients[a] * coefficients[b] * covariance[a][b] for a in range(2) for b in range(2))


correlated_pair = Domain(s > 0, t > 0, -1 <= x, x <= 1)

claim(
    "pt-lemma81-weighted-variance",
    Every(
        ForRandom(Eq(of_plain, variances / n_items**2), uncorrelated, label="variance of the plain average"),
        ForRandom(
            Eq(of_weighted, Sum(sigma[j] ** 2 * (1 / sigma[j] ** 2) ** 2, (j, 1, n_items)) / precisions**2),
            uncorrelated,
            label="variance of the weighted average",
        ),
    ),
    deviations,
    because=(
        ForRandom(Eq(of_weighted, 1 / precisions), uncorrelated, label="variance of the weighted average, simplified"),
    ),
    depends_on=["pt-lemma81-constant-cancels"],
    locator="Sec 8.7 proof",
    title="The variances of the two averages",
    printed=(
        r"\mathrm{Var}\Big(\frac1\rho\sum_{i=1}^\rho\tau_i\Big)=\frac1{\rho^2}\sum_{i=1}^\rho\sigma_i^2\text{ And: }"
        r"\mathrm{Var}\Big(\frac{\sum_{i=1}^\rho\tau_i\bar\varphi_i}{\sum_{i=1}^\rho\bar\varphi_i}\Big)\text{ … }="
        r"\frac{\sum_{i=1}^\rho\sigma_i^2\big(\frac1{\sigma_i^2}\big)^2}{\big(\sum_{j=1}^\rho\frac1{\sigma_j^2}"
        r"\big)^2}=\frac1{\sum_{i=1}^\rho\frac1{\sigma_i^2}}"
    ),
    judged=needs_hypothesis(
        "The scores must be uncorrelated: which “a sample of ρ observations, each with standard deviation σ_i” does "
        "not say. Two equal scores of correlation 1 have an average of the same variance, not of half.",
        Equal(two_correlated([Rational(1, 2), Rational(1, 2)]), (s**2 + t**2) / 4),
        correlated_pair,
    ),
    remark=("c is the paper's k, φ̄ = c/σ²."),
)

# -- Cauchy–Schwarz ---------------------------------------------------------------------------------------------------
squares = Sum(P[j] ** 2, (j, 1, n_items))
multiple = Sum(r[j] * P[j], (j, 1, n_items)) / squares
others = squares.xreplace({j: i})
nearest = Sum(r[i] * P[i], (i, 1, n_items)) / others  # the same numbers, by another letter
distance = Sum((r[j] - multiple * P[j]) ** 2, (j, 1, n_items))  # of u from the nearest multiple of v
difference = Sum(r[j] ** 2, (j, 1, n_items)) * squares - Sum(r[j] * P[j], (j, 1, n_items)) ** 2

claim(
    "pt-cauchy-schwarz-statement",
    AtLeast(
        Sum(r[j] ** 2, (j, 1, n_items)) * squares,
        Sum(r[j] * P[j], (j, 1, n_items)) ** 2,
        (Eq(r[j], nearest * P[j]),),
        label="with equality for r in proportion to P, the paper's u and v",
    ).by(TermByTerm((Sum(others * (r[j] - nearest * P[j]) ** 2, (j, 1, n_items)),))),
    Domain(n_items >= 1, reals(r, n_items), reals(P, n_items), squares > 0),
    because=(Equal(difference, squares * distance, label="the gap between the two sides"),),
    kind="inequality",
    locator="Sec 8.7 proof",
    title="The inequality of Cauchy and Schwarz, with its gap",
    printed=r"\Big(\sum u_i^2\Big)\Big(\sum v_i^2\Big)\ge\Big(\sum u_iv_i\Big)^2",
    remark="r and P are the paper's u and v. If every P is zero, so are both sides. Equality exactly for r in "
    "proportion to P.",
)

harmonic = n_items / precisions  # the harmonic mean H of the variances
precisions_i = precisions.xreplace({j: i})
harmonic_i = n_items / precisions_i
unequal = Sum((sigma[j] ** 2 - harmonic) ** 2 / sigma[j] ** 2, (j, 1, n_items))

claim(
    "pt-cauchy-schwarz",
    AtLeast(
        variances * precisions,
        n_items**2,
        (Eq(sigma[j] ** 2, harmonic_i),),
        label="with equality for equal variances",
    ).by(TermByTerm((Sum(precisions_i * (sigma[j] ** 2 - harmonic_i) ** 2 / sigma[j] ** 2, (j, 1, n_items)),))),
    spreads,
    because=(
        Equal(Sum(sigma[j] * (1 / sigma[j]), (j, 1, n_items)) ** 2, n_items**2, label="the right side is ρ²"),
        Equal(variances * precisions - n_items**2, precisions * unequal, label="the gap"),
        Always(precisions > 0, label="the positive factor of the gap"),
    ),
    depends_on=["pt-cauchy-schwarz-statement"],
    kind="inequality",
    locator="Sec 8.7 proof",
    title="Variances against precisions",
    printed=(
        r"\Big(\sum_{i=1}^\rho\sigma_i^2\Big)\Big(\sum_{i=1}^\rho\Big(\frac1{\sigma_i}\Big)^2\Big)\ge\Big(\sum_{i=1}^"
        r"\rho\sigma_i\cdot\frac1{\sigma_i}\Big)^2;\quad\Big(\sum_{i=1}^\rho\sigma_i^2\Big)\Big(\sum_{i=1}^\rho\frac1{"
        r"\sigma_i^2}\Big)\ge\Big(\sum_{i=1}^\rho1\Big)^2;\quad\Big(\sum_{i=1}^\rho\sigma_i^2\Big)\Big(\sum_{i=1}^\rho"
        r"\frac1{\sigma_i^2}\Big)\ge\rho^2"
    ),
)


# -- the lemma --------------------------------------------------------------------------------------------------------


# Scores τ_i = Σ_m L_im Z_m with uncorrelated Z_m of variance 1 have any covariances there are.
def variance_of_mixture(coefficients, loadings):
    """``Var(Σ c_i τ_i) = Σ_m (Σ_i c_i L_im)²``."""
    parts = range(len(loadings[0]))
    return sum(sum(c * row[m] for c, row in zip(coefficients, loadings, strict=True)) ** 2 for m in parts)


def by_confidence(loadings):
    """The weights of the lemma: in proportion to one over the variance of each score."""
    precision = [Integer(1) / sum(entry**2 for entry in row) for row in loadings]
    return [Rubric(len(loadings)).share(precision, item) for item in range(1, len(loadings) + 1)]


def averages(loadings):
    """The variances of the plain and of the weighted average."""
    size = len(loadings)
    equal = [Integer(1) / size] * size
    return variance_of_mixture(equal, loadings), variance_of_mixture(by_confidence(loadings), loadings)


# τ_1 = u(Z_1 + Z_2) + y Z_3, τ_2 = Z_1, τ_3 = Z_2.
common = averages([[u, u, y], [1, 0, 0], [0, 1, 0]])
opposed = [[-s, -t], [s, 0], [0, t]]  # τ_1 = −(τ_2 + τ_3)
cancelling, of_cancelling = averages(opposed), variance_of_mixture((x, y, z), opposed)

claim(
    "pt-lemma81",
    ForRandom(of_plain >= of_weighted, uncorrelated, label="any number of scores").by(
        Linearity(TermByTerm((Sum((sigma[j] ** 2 - harmonic_i) ** 2 / sigma[j] ** 2 / n_items**2, (j, 1, n_items)),)))
    ),
    deviations,
    because=(
        ForRandom(Eq(of_plain - of_weighted, unequal / n_items**2), uncorrelated, label="the gap"),
        On(Domain(s > 0, v > 0, t > 0, s * v >= t**2), Always(s / t**2 >= 1 / v, label="the division by ρ² Σ 1/σ²")),
    ),
    depends_on=["pt-lemma81-weighted-variance", "pt-cauchy-schwarz"],
    kind="inequality",
    locator="Sec 8.7, Lemma 8.1",
    title="Variance of the average weighted by inverse variance",
    printed=(
        r"\text{If we have a sample of }\rho\text{ observations, }\tau_i,i\in1,\dots,\rho\text{, each with standard "
        r"deviation }\sigma_i\text{ and we have }\bar\varphi_i\text{ inversely proportional to variance of the "
        r"corresponding }\tau_i\text{, then: }\mathrm{Var}\Big(\frac1\rho\sum_{i=1}^\rho\tau_i\Big)\ge\mathrm{Var}\Big("
        r"\frac{\sum_{i=1}^\rho\tau_i\bar\varphi_i}{\sum_{i=1}^\rho\bar\varphi_i}\Big)"
    ),
    judged=needs_hypothesis(
        "Uncorrelated scores and σ_i > 0 are tacit. Three scores of which one is u times the sum of the "
        "other two, plus noise of deviation y, can have "
        "a plain average that varies less, whether that one moves with the others (u > 0) or against them (u < 0).",
        Always(common[0] >= common[1]),
        Domain(u, y > 0),
    ),
    remark="For every ρ ≥ 1; at ρ = 1 both sides are σ_1². The means of the scores play no part, but unless they agree "
    "the two averages estimate different numbers.",
)

claim(
    "pt-lemma81-three-correlated",
    On(
        Domain(s > 0, t > 0, x > 0, y, z),
        Every(
            Always(
                Equivalent(Eq(of_cancelling, 0), And(Eq(x, y), Eq(y, z))),
                hint=(y - x, x - y, z - x, x - z),
                label="of the weighted sums of the three the plain one alone is constant",
            ),
            Always(
                Implies(And(Eq(y * s**2, x * (s**2 + t**2)), Eq(z * t**2, x * (s**2 + t**2))), of_cancelling > 0),
                label="so the one weighted by confidence is not",
            ),
        ),
    ),
    Domain(s > 0, t > 0),
    because=(
        Equal(cancelling[0], 0, label="the variance of the plain average"),
        Always(cancelling[1] > 0, label="the variance of the weighted one is positive"),
    ),
    depends_on=["pt-lemma81"],
    kind="inequality",
    locator="Sec 8.7, Lemma 8.1",
    title="Three correlated scores, one of them minus the sum of the others",
    remark=(
        "x, y and z are weights of the scores, in the lemma those in proportion to 1/(s² + t²), 1/s² and 1/t², where s "
        "and t are the deviations of the uncorrelated τ_2 and τ_3; the sum of two squares is the variance. "
        "Without “uncorrelated” the lemma fails for each pair of deviations of τ_2 and τ_3, not only for chosen ones."
    ),
)

# The same without the noise v: for u ≥ 0 no two scores are negatively correlated.
together = averages([[u, u], [1, 0], [0, 1]])
claim(
    "pt-lemma81-nonnegative-correlations",
    Always(Equivalent(together[0] < together[1], And(2 * u > 1, 2 * u**2 < 1)), label="false exactly for ½ < u < 1/√2"),
    Domain(u > 0),
    because=(Exists(together[0] < together[1], {u: Integer(3) / 5}, label="an example: u = 3/5"),),
    kind="counter-example",
    locator="Sec 8.7, Lemma 8.1",
    title="Counterexamples to the lemma: one score u times the sum of two uncorrelated of variance 1",
    remark="τ_2 and τ_3 have variance 1; each has the covariance u > 0 with τ_1. The variance of the plain average is "
    "compared with that of the weighted one.",
)

pair_weights = [Rubric(2).share((1 / s**2, 1 / t**2), item) for item in (1, 2)]
pair_plain, pair_weighted = two_correlated([Rational(1, 2), Rational(1, 2)]), two_correlated(pair_weights)
excess = (s**2 - t**2) / (2 * (s**2 + t**2))
claim(
    "pt-lemma81-two-scores",
    Always(pair_weighted <= pair_plain, label="the weighted average varies no more than the plain one").by(
        ByDifference(((s + x * t) * excess) ** 2 + (1 - x**2) * (t * excess) ** 2), hint=(x**2 <= 1,)
    ),
    correlated_pair,
    because=(
        Equal(
            pair_weighted,
            pair_plain * 4 * s**2 * t**2 / (s**2 + t**2) ** 2,
            label="the weighted variance is a multiple of the plain one",
        ),
        Always(4 * s**2 * t**2 <= (s**2 + t**2) ** 2, label="its factor is at most one"),
        Always(pair_plain >= 0, label="the plain variance is not negative"),
    ),
    depends_on=["pt-lemma81"],
    kind="inequality",
    locator="Sec 8.7, Lemma 8.1",
    title="The lemma for two scores of any correlation",
    remark="With three scores the tacit hypothesis that they are uncorrelated matters (pt-lemma81-three-correlated).",
)


# All correlations are c: Cov(τ_i, τ_k) = (c + (1 − c)δ_ik) σ_i σ_k.
alike = (
    Random(
        tau,
        i,
        1,
        n_items,
        covariance=(scale + (1 - scale) * KroneckerDelta(i, k)) * sigma[i] * sigma[k],
        other=k,
    ),
)
by_precision = VarianceOf(Sum(tau[j] / sigma[j] ** 2, (j, 1, n_items)) / precisions)


total, inverse = Sum(sigma[j], (j, 1, n_items)), Sum(1 / sigma[j], (j, 1, n_items))
pairwise = (1 / sigma[i] - 1 / sigma[k]) ** 2 * (sigma[i] + sigma[k]) / 2
correlated = Domain(n_items >= 1, positives(sigma, n_items), 0 <= scale, scale <= 1)
# What the two averages differ by: the parts with 1 − c, and those with c, which are a difference of squares.
both_means = Sum(sigma[o], (o, 1, n_items)) / n_items + Sum(1 / sigma[o], (o, 1, n_items)) / Sum(
    1 / sigma[o] ** 2, (o, 1, n_items)
)
alike_gap = (
    Sum((1 - scale) * (sigma[j] ** 2 - harmonic_i) ** 2 / sigma[j] ** 2 / n_items**2, (j, 1, n_items)),
    Sum(
        scale * both_means * pairwise / (n_items * Sum(1 / sigma[o] ** 2, (o, 1, n_items))),
        (k, 1, n_items),
        (i, 1, n_items),
    ),
)


def three_alike(correlation, deviation):
    """The two variances for three scores with these deviations and one correlation."""
    parts = [Rubric(3).share([1 / d**2 for d in deviation], item) for item in (1, 2, 3)]
    rows = range(3)
    return [
        sum(c[a] * c[b] * deviation[a] * deviation[b] * (1 if a == b else correlation) for a in rows for b in rows)
        for c in ([Integer(1) / 3] * 3, parts)
    ]


uneven = three_alike(scale, (s, t, u))
claim(
    "pt-lemma81-equal-correlations",
    ForRandom(of_plain >= by_precision, alike, label="any number of scores").by(Linearity(TermByTerm(alike_gap))),
    correlated,
    because=(
        ForRandom(
            Eq(of_plain, ((1 - scale) * variances + scale * total**2) / n_items**2),
            alike,
            label="variance of the plain average",
        ),
        ForRandom(
            Eq(by_precision, (1 - scale) / precisions + scale * inverse**2 / precisions**2),
            alike,
            label="variance of the weighted average",
        ),
        Equal(
            variances * precisions - n_items**2,
            precisions * unequal,
            label="the parts with 1 − c: their gap is a sum of squares",
        ),
        Equal(
            precisions * total - n_items * inverse,
            Sum(Sum(pairwise, (k, 1, n_items)), (i, 1, n_items)),
            label="the parts with c: Σσ/ρ against Σ(1/σ)/Σ(1/σ²), a sum of terms not below zero",
        ),
        On(
            Domain(s > 0, t > 0),
            Always((1 / s - 1 / t) ** 2 * (s + t) / 2 >= 0, label="each of its terms, of deviations s and t"),
        ),
        On(
            three_deviations.also(-Rational(1, 2) <= scale, scale < 0),
            Exists(
                uneven[0] < uneven[1],
                {scale: -Rational(1, 2), s: 2, t: 3, u: 3},
                label="c = −½: the lemma fails for these deviations",
            ),
        ),
    ),
    depends_on=["pt-lemma81"],
    kind="inequality",
    locator="Sec 8.7, Lemma 8.1",
    title="The lemma for scores with one common correlation",
    remark="For two scores see pt-lemma81-two-scores, where their correlation may be negative.",
)

# Lagrange's identity: the gap as a sum over all pairs of scores.
pairs_of_scores = Sum(
    (sigma[j] ** 2 - sigma[k] ** 2) ** 2 / (2 * n_items**2 * sigma[j] ** 2 * sigma[k] ** 2 * precisions_i),
    (k, 1, n_items),
    (j, 1, n_items),
)
claim(
    "pt-lemma81-equality",
    ForRandom(of_plain >= of_weighted, uncorrelated, (Eq(sigma[j], sigma[k]),), label="any number of scores").by(
        Linearity(TermByTerm((pairs_of_scores,)))
    ),
    deviations,
    depends_on=["pt-lemma81"],
    kind="equivalence",
    locator="Sec 8.7, Lemma 8.1",
    title="The case of equality in Lemma 8.1",
)


# Any other weights that sum to one.
def any_weights(item):
    """Any coefficients that sum to one: free numbers, shifted by what their sum lacks."""
    return r[item] + (1 - Sum(r[j], (j, 1, n_items))) / n_items


excess = Sum(sigma[i] ** 2 * (any_weights(i) - 1 / sigma[i] ** 2 / precisions) ** 2, (i, 1, n_items))
of_any = VarianceOf(Sum(any_weights(i) * tau[i], (i, 1, n_items)))

claim(
    "pt-lemma81-optimal",
    ForRandom(
        of_any >= 1 / precisions,
        uncorrelated,
        (Eq(any_weights(i), 1 / sigma[i] ** 2 / precisions),),
        label="any number of scores",
    ).by(Linearity(TermByTerm((excess,)))),
    Domain(n_items >= 1, positives(sigma, n_items), reals(r, n_items), Ne(scale, 0)),
    because=(
        ForRandom(
            of_any >= of_weighted,
            uncorrelated,
            (Eq(any_weights(i), 1 / sigma[i] ** 2 / precisions),),
            label="the least value is the variance of the average weighted by confidence",
        ).by(Linearity(TermByTerm((excess,)))),
        Equal(Sum(any_weights(i), (i, 1, n_items)), 1, label="the coefficients sum to one"),
    ),
    depends_on=["pt-lemma81-weighted-variance"],
    kind="inequality",
    locator="Sec 8.7, Lemma 8.1",
    title="Least variance of an average of uncorrelated scores",
    remark="The lemma is the case r = 0, in which every coefficient is 1/ρ.",
)

claim(
    "pt-lemma81-exact-score",
    Every(
        Tends(two_correlated(pair_weights).subs(x, 0), s, 0, 0, label="the weighted variance falls to zero"),
        Tends(pair_plain.subs(x, 0), s, 0, t**2 / 4, label="the plain one does not"),
    ),
    Domain(t > 0),
    because=(
        On(
            Domain(s > 0, t > 0),
            Always(pair_weighted.subs(x, 0) < s**2, label="the weighted variance is below that of the first score"),
        ),
    ),
    depends_on=["pt-lemma81"],
    kind="limit",
    locator="Sec 8.7, Lemma 8.1",
    title="Two uncorrelated scores, one losing its noise: weighted and plain variance in the limit",
    remark="s and t are the deviations σ_1 and σ_2. At σ_1 = 0 the confidence has no value.",
)
