"""Section 6.1.1: when weighting by confidence lowers the variance of the aggregate (15), and what it estimates then.

Statement.   For uncorrelated scores with variances σ_j² and φ̄_j = k/σ_j², (15) multiplies the score j with ω_j H/σ_j²,
             where H is the harmonic mean of the variances. It varies less than Σ ω_j τ_j exactly if
             Σ ω_j² (σ_j⁴ − H²)/σ_j² > 0: for equal weights never more (pt-lemma81), and for all weights only if all
             σ_j are equal (pt-variance-not-all-weights).
Source.      Patel (2025), Section 6.1.1; Lemma 8.1.
Domain.      Any number ρ of rubric items, weights that sum to one, σ_j > 0, uncorrelated scores.
Derivation.  (15) with φ̄_j = k/σ_j² → coefficients → variances → their gap → its sign; two items in closed form.
Caveats.     The two aggregates estimate different numbers: even if every score has the same mean, (15) multiplies it by
             a factor other than one. Part of what the variance loses may be a mere change of scale.
Letters.     τ(j), ω(j), σ(j) and φ̄(j) are the score of rubric item j of ρ, its weight, its deviation and the mean
             confidence in it, c is σ²φ̄, H the harmonic mean of the σ². Of two items s < v are the variances and x and
             1 − x the weights, in pt-confidence-normalised y and z the scores. t is a common deviation in
             pt-confidence-equal-deviations, a common mean in pt-confidence-same-capability; in pt-lemma81-covers-eq15 t
             is ω, v is ρ and u is φ̄/Σφ̄. In pt-variance-not-all-weights s exp(P(j)²) are any variances, of which s
             bounds the least, and beside t, which is H, s is σ² of the item with all of the weight; δ_{j o} is 1 for j
             = o and 0 else.
"""

from grpo_symbolic.paper import *

from .lemma81_variance import confidence, harmonic, uncorrelated

claim = Result(__file__).claim

rubric = Rubric(n_items)


without_confidence = VarianceOf(rubric.weighted(omega, tau))
by_confidence = VarianceOf(rubric.reward(omega, tau, confidence))


def factor(item):
    """The coefficient of a score in (15)."""
    return rubric.factor(omega, confidence, item)


gain = Sum(omega[j] ** 2 * (sigma[j] ** 4 - harmonic**2) / sigma[j] ** 2, (j, 1, n_items))
items = Domain(n_items >= 1, positives(sigma, n_items), simplex(omega, n_items), Ne(scale, 0))

# Two items: variances s < v, weights x and 1 − x.
two = Rubric(2)
pair = Domain(s > 0, v > s, 0 < x, x < 1)


def pair_variances(first):
    """The variances of Σ ω τ and of (15) for two items with variances s and v, the first of weight ``first``."""
    weights, precision, spread = (first, 1 - first), (1 / s, 1 / v), (s, v)
    with_confidence = [two.factor(weights, precision, item) for item in (1, 2)]
    return tuple(sum(c**2 * each for c, each in zip(c_, spread, strict=True)) for c_ in (weights, with_confidence))


without, with_confidence = pair_variances(x)
# What decides for two items: the weight of the quieter item against that of the noisier one.
threshold = (1 - x) ** 2 * v * (v + 3 * s) - x**2 * s * (s + 3 * v)


claim(
    "pt-confidence-improves-variance",
    On(pair, Always(Equivalent(with_confidence < without, threshold > 0), label="two items: exactly when")),
    items,
    because=(
        Equal(factor(i), omega[i] * harmonic / sigma[i] ** 2, label="what (15) multiplies a score with"),
        ForRandom(
            Eq(without_confidence - by_confidence, gain),
            uncorrelated,
            label="the gain in variance, any number of items",
        ),
        On(
            pair.also(x < Rational(1, 2)),
            Always(with_confidence < without, label="where the noisier item weighs more: less variance"),
        ),
    ),
    depends_on=["pt-lemma81"],
    kind="equivalence",
    locator="Sec 6.1.1",
    title="Gain in variance by confidence: two items of variances s and v, weights x and 1 − x",
    printed=r"\text{by assuming that confidence is inversely proportional to the score variance, we can improve the "
    r"variance of the estimate of the underlying capability}",
    remark=(
        "“Can” asks for an example, and the paper says itself that it is not so for all weights "
        "(pt-variance-not-all-weights). For uncorrelated scores it is so exactly if Σ ω_j² (σ_j⁴ − H²)/σ_j² > 0, H "
        "the harmonic mean of the σ_j²; for two items if (ω_1/ω_2)² < v(v + 3s)/(s(s + 3v)). Where the quieter of two "
        "items weighs so much that (ω_1/ω_2)² exceeds this, confidence raises the variance. The confidences count as "
        "constants. The right side of the headline says that the variance of (15) is less than that of Σ ω_j τ_j. (15) "
        "is read with φ̄ in the denominator (pt-eq15-denominator). Of which number the two are estimates: "
        "pt-confidence-same-capability."
    ),
)

# All weight on one item, and the item o with the least variance.
above_least = Sum((sigma[j] ** 2 - sigma[o] ** 2) / sigma[j] ** 2, (j, 1, n_items))
scores = Domain(n_items >= 1, positives(sigma, n_items), reals(tau, n_items), Ne(scale, 0))
on_one_item = rubric.reward(lambda item: KroneckerDelta(item, o), tau, confidence)
# Variances s exp(P(j)²), of which s is at most the least; H is their harmonic mean.
least = Domain(n_items >= 1, s > 0, reals(P, n_items))
harmonic_of_least = n_items / Sum(exp(-(P[k] ** 2)) / s, (k, 1, n_items))
by_item = Sum(s * (1 - exp(-(P[j] ** 2))) / Sum(exp(-(P[k] ** 2)), (k, 1, n_items)), (j, 1, n_items))

claim(
    "pt-variance-not-all-weights",
    On(
        pair,
        Exists(with_confidence > without, {s: 1, v: 4, x: Rational(9, 10)}, label="variances 1, 4; weights 9 : 1"),
    ),
    items,
    because=(
        On(
            scores,
            Equal(
                on_one_item,
                harmonic / sigma[o] ** 2 * tau[o],
                label="(15) with all weight on one item: H/σ² times its score",
            ),
        ),
        On(
            scores,
            Equal(
                harmonic - sigma[o] ** 2,
                harmonic / n_items * above_least,
                label="H less a variance; no term is negative for the least",
            ),
        ),
        On(
            least,
            AtLeast(
                harmonic_of_least, s, (Eq(P[j], 0),), label="H is above the least variance, unless all are equal"
            ).by(TermByTerm((by_item,), using=(exp_sign(-(P[j] ** 2)),))),
        ),
        On(
            Domain(n_items >= 1, positives(sigma, n_items), Ne(scale, 0), 1 <= o, o <= n_items),
            ForRandom(
                Eq(VarianceOf(on_one_item), (harmonic / sigma[o] ** 2) ** 2 * sigma[o] ** 2),
                uncorrelated,
                label="all weight on one item: the variance of its score times (H/σ²)²",
            ),
        ),
        On(Domain(s > 0, t > s), Always((t / s) ** 2 * s > s, label="which raises it where H is above σ²")),
    ),
    depends_on=["pt-confidence-improves-variance"],
    kind="inequality",
    locator="Sec 6.1.1",
    title="Weights for which confidence raises the variance",
    printed=r"\text{variance does not reduce for all possible values of rubric weights}",
    remark=(
        "True whenever the deviations are not all equal, for any number of items: all of the weight on the quietest. "
        "The example has weights that are all positive."
        " The two items have variances s < v and weights x and 1 − x; in the headline the variance of (15) is "
        "more than that of Σ ω_j τ_j; H is the harmonic mean of the variances."
    ),
)

claim(
    "pt-confidence-equal-deviations",
    Every(
        On(
            Domain(n_items >= 1, simplex(omega, n_items), reals(tau, n_items), scale > 0, t > 0),
            Equal(
                rubric.reward(omega, tau, lambda item: scale / t**2),
                rubric.weighted(omega, tau),
                label="equal deviations: (15) is Σ ω τ",
            ),
        ),
        On(
            Domain(s > 0, v > 0),
            Always(
                Equivalent(Eq(pair_variances(Integer(1))[1], pair_variances(Integer(1))[0]), Eq(s, v)),
                label="two items, all weight on one: (15) keeps the variance s of its score only where s = v",
            ),
        ),
    ),
    Domain(n_items >= 1, simplex(omega, n_items), scale > 0, t > 0),
    because=(
        Equal(rubric.factor(omega, lambda item: scale / t**2, i), omega[i], label="each score is multiplied by ω"),
    ),
    depends_on=["pt-variance-not-all-weights"],
    kind="equivalence",
    locator="Sec 6.1.1",
    title="Equal deviations: (15) and the plain weighted sum",
    remark=(
        "Weights for which the variance rises unless all deviations are equal: pt-variance-not-all-weights."
        " 4/(s(1/v + 1/s)²) is the variance of (15) for two items with all the weight on the one of variance s."
    ),
)

# -- what is estimated ------------------------------------------------------------------------------------------------
pair_factor = sum(two.factor((x, 1 - x), (1 / s, 1 / v), item) for item in (1, 2))

claim(
    "pt-confidence-same-capability",
    Equal(
        Sum(factor(i) * t, (i, 1, n_items)),
        t * harmonic * Sum(omega[j] / sigma[j] ** 2, (j, 1, n_items)),
        label="scores of one common mean t",
    ),
    items.also(t),
    because=(
        Equal(
            Sum(rubric.factor(lambda item: 1 / n_items, confidence, i) * t, (i, 1, n_items)),
            t,
            label="equal weights: t again",
        ),
        On(
            pair,
            Always(Equivalent(Eq(pair_factor, 1), Eq(x, Rational(1, 2))), label="two items: t only for equal weights"),
        ),
        On(
            pair,
            Always(Equivalent(pair_factor > 1, x > Rational(1, 2)), label="too much if the quieter item weighs more"),
        ),
    ),
    depends_on=["pt-confidence-improves-variance"],
    kind="equivalence",
    locator="Sec 6.1.1",
    title="Mean of the aggregate for scores with one mean",
    remark="So (15) and Σ ω_j τ_j estimate different numbers: with one capability t ≠ 0 behind all scores (15) has the "
    "mean t only where weights and confidences are uncorrelated. Dividing by Σ ω_j φ̄_j in place of Σ φ̄_j/ρ "
    "gives t. The factor of t is the F of pt-eq15-weighted-average.",
)

# The average whose weights sum to one; for two items with variances s < v and weights x, 1 − x.
normalised = [(x / s) / (x / s + (1 - x) / v), ((1 - x) / v) / (x / s + (1 - x) / v)]
normalised_variance = normalised[0] ** 2 * s + normalised[1] ** 2 * v
balance = x * (1 - x) * (v**2 - s**2) + 2 * s * v * (1 - 2 * x)

claim(
    "pt-confidence-normalised",
    Always(Equivalent(normalised_variance < without, balance > 0), label="exactly when it falls"),
    pair,
    because=(
        On(
            Domain(s > 0, v > 0, 0 < x, x < 1, y, z),
            Equal(
                two.average((x, 1 - x), (y, z), (1 / s, 1 / v)),
                normalised[0] * y + normalised[1] * z,
                label="the weights of the scores y and z",
            ),
        ),
        Equal(normalised[0] + normalised[1], 1, label="these weights sum to one"),
        Equal(
            without - normalised_variance,
            x * (1 - x) * (v - s) * balance / (x * v + (1 - x) * s) ** 2,
            label="the gain in variance",
        ),
    ),
    depends_on=["pt-confidence-same-capability"],
    kind="equivalence",
    locator="Sec 6.1.1",
    title="Fall of the variance by normalised weights",
    remark="Two items with uncorrelated scores of variances s < v, confidences 1/s and 1/v and weights x, 1 − x; each "
    "weight times its confidence is divided by the sum of both. The variance falls exactly if x(1 − x)(v² − s²) > "
    "2sv(2x − 1), x being the weight of the quieter item: always for x ≤ 1/2, not near x = 1. It falls from that of "
    "Σ ω_j τ_j, which is s x² + v (1 − x)².",
)

claim(
    "pt-lemma81-covers-eq15",
    Every(
        Equal(
            rubric.reward(lambda item: 1 / n_items, tau, phi_bar),
            rubric.weighted(tau, phi_bar) / rubric.total(lambda item: phi_bar[item]),
            label="equal weights: the aggregate of the lemma",
        ),
        On(Domain(v > 0, u > 0, t), Always(Equivalent(Eq(v * t * u, u), Eq(t, 1 / v)), label="and no other weights")),
    ),
    Domain(n_items >= 1, reals(tau, n_items), positives(phi_bar, n_items)),
    depends_on=["pt-lemma81"],
    kind="equivalence",
    locator="Sec 6.1.1; Lemma 8.1",
    title="Lemma 8.1 and (15) with equal weights",
    printed=r"\text{We show a weaker result in Lemma 8.1.}",
    remark="The second part compares the coefficients ρ ω φ̄/Σφ̄ and φ̄/Σφ̄ of one score, with v = ρ, u = φ̄/Σφ̄ "
    "and t = ω. "
    "With the mean confidence in the denominator of (15), where the paper prints that of the text.",
)
