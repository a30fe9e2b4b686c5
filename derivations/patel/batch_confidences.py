"""GRAPE's mean confidences are those of the batch: what a text's own confidence adds to its reward.

Statement.   φ̄ of (15) is a mean over the N texts of a category, the text itself among them. Its reward is then the
             mixture (1 − λ) R̂ + λ R°, of the reward R̂ with the mean confidences of the other texts and the reward R°
             with its own, where λ is its share in the confidence of the whole batch: N λ → Σφ/Σφ̂. So the bias
             λ (R° − R̂) is of the order 1/N exactly, and N times it tends to (R° − R̂) Σφ/Σφ̂. With confidences in
             [s, 1] λ ≤ 1/(sN): two rewards that are δ apart by the others' confidences keep their order for
             N > 2ρ/(sδ), and may lose it for N < (1 − s)/(2δ).
Source.      Own; asked by Patel (2025), Section 6.1, the definition of φ̄ and (15), with φ̄ in the denominator too.
Domain.      Any number ρ ≥ 1 of items, N ≥ 2 texts; positive weights that sum to one, positive confidences.
Derivation.  (15) with the mean written as others and own → one fraction → shares → bounds term by term.
Letters.     ω, τ and φ are the weights, the scores and the text's own confidences in ρ items, φ̄ the means of the other
             texts; |ξ| is the number of texts. s is the least confidence, t one of them. u and v are Σφ and Σφ̄ in the
             limit of pt-grape-own-share. In pt-grape-batch-order u and v are the rewards of two texts by the others'
             confidences, r_a and r_b by their own, x and y their shares, and z is the distance of two rewards.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

rubric = Rubric(n_items)
weights, scores = simplex(omega, n_items), reals(tau, n_items)
batch = Domain(n_items >= 1, n_texts >= 2, weights, scores, positives(phi, n_items), positives(phi_bar, n_items))
of_all = Sum((n_texts - 1) * phi_bar[j] + phi[j], (j, 1, n_items))  # the confidence of the batch, in all items
of_own = Sum(phi[j], (j, 1, n_items))
share = of_own / of_all


def mean(item):
    """``φ̄`` of Section 6.1: the mean over all N texts."""
    return ((n_texts - 1) * phi_bar[item] + phi[item]) / n_texts


with_all, with_others, with_own = (rubric.reward(omega, tau, given) for given in (mean, phi_bar, phi))
claim(
    "pt-grape-own-share",
    Every(
        Equal(with_all, (1 - share) * with_others + share * with_own, label="the reward is a mixture"),
        On(
            Domain(n_texts >= 2, u > 0, v > 0),
            Tends(
                n_texts * u / ((n_texts - 1) * v + u),
                n_texts,
                oo,
                u / v,
                side="-",
                label="|ξ| times the share of the text, u and v being Σφ and Σφ̄",
            ),
        ),
    ),
    batch,
    because=(
        Equal(
            with_all - with_others,
            share * (with_own - with_others),
            label="how far it is from the reward by the others' means",
        ),
    ),
    depends_on=["pt-eq15-weighted-average", "pt-phibar-constant"],
    locator="Sec 6.1, before (15)",
    title="A text's own confidence in the mean of its batch",
    remark="φ are the text's own confidences, φ̄ the means of the other |ξ| − 1 texts of its category. The means of "
    "the whole batch, the φ̄ of the paper, are ((|ξ| − 1) φ̄ + φ)/|ξ|, and are put in the denominator of (15) too, "
    "where the paper prints the text's own (pt-eq15-denominator). The share of the text is Σφ/Σ((|ξ| − 1) φ̄ + φ).",
)

# The order of two texts: u, v by the others' confidences, r_a, r_b by their own; x and y are the shares.
apart = Domain(
    n_items >= 1, n_texts >= 2, 0 < s, s <= 1, 0 <= u, 0 <= v, 0 <= r_a, 0 <= r_b, 0 <= x, 0 <= y, z > 0
).also(u <= n_items, v <= n_items, r_a <= n_items, r_b <= n_items, s * n_texts * x <= 1, s * n_texts * y <= 1)
mixed_a, mixed_b = (1 - x) * u + x * r_a, (1 - y) * v + y * r_b

# Two items of weight ½, in which the others are sure; this text has the confidence t in the first.
pair, halves, sure = Rubric(2), (Rational(1, 2), Rational(1, 2)), (Integer(1), Integer(1))
seen = ((n_texts - 1 + t) / n_texts, Integer(1))
first, second = (Integer(1), Integer(0)), (Integer(0), 1 - 2 * z)
example = Domain(n_texts >= 2, 0 < t, t <= 1, 0 < z, z < Rational(1, 2))
claim(
    "pt-grape-batch-order",
    Every(
        On(
            batch.also(0 < s, s <= 1),
            AtLeast(
                of_all,
                s * n_texts * of_own,
                label="confidences in [s, 1]: the share is at most 1/(s|ξ|)",
                given=(s <= phi[j], phi[j] <= 1, s <= phi_bar[j]),
            ).by(TermByTerm((Sum((n_texts - 1) * phi_bar[j] + phi[j] - s * n_texts * phi[j], (j, 1, n_items)),))),
        ),
        Always(
            Implies(And(u - v >= z, s * n_texts * z > 2 * n_items), mixed_a > mixed_b),
            label="rewards in [0, ρ] that are z apart keep their order for |ξ| > 2ρ/(sz)",
        ),
        On(
            example,
            Always(
                Equivalent(
                    pair.reward(halves, first, seen) < pair.reward(halves, second, seen), 2 * z * n_texts < 1 - t
                ),
                label="two rewards that are z apart by the others' confidences: they lose their order exactly for "
                "|ξ| < (1 − t)/(2z)",
            ),
        ),
    ),
    apart,
    because=(
        On(
            example,
            Equal(
                pair.reward(halves, first, sure) - pair.reward(halves, second, sure),
                z,
                label="an example: two rewards that are z apart",
            ),
        ),
    ),
    depends_on=["pt-grape-own-share", "pt-eq15-range"],
    kind="inequality",
    locator="Sec 6.1, before (15)",
    title="Order of two rewards, and the size of the batch",
    remark=(
        "(15) is read with φ̄ in the denominator (pt-eq15-denominator). x and y are the shares of pt-grape-own-share, "
        "u and v the rewards by the others' confidences, r_a and r_b by the texts' own. φ̄ are the means of the other "
        "|ξ| − 1 texts, s is the least confidence, z a bound of the distance of u and v. The last part is about two "
        "lists of scores of one text on two items of weight ½, in which the others are sure: z is the distance of its "
        "rewards by their confidences, and t its own confidence in the first item."
    ),
)
