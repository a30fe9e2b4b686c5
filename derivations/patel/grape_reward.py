"""GRAPE: rewards from rubric scores, weights and confidences, equation (15), and the advantage made of them.

Statement.   R = ρ Σ_j ω_j φ̄_j τ_j / Σ_j φ̄_j is the weighted average of the scores with weights ω φ̄ / Σ ω φ̄, times
             the factor F = ρ Σ_j ω_j φ̄_j / Σ_j φ̄_j, which all texts of a category share. For scores in [0, 1] and two
             items or more R lies in [0, ρ) and comes as near to ρ as one likes; within a group F scales every advantage
             alike.
Source.      Patel (2025), Section 6.1: weights, mean confidence, (15), (16), the advantage, the reduction to GRPO.
Domain.      Any number ρ ≥ 1 of items and of texts; positive weights that sum to one, positive confidences; groups of
             any size.
Derivation.  Mean confidence → (15) → average times F → range and invariances → advantage → one item: GRPO.
Caveats.     (15) prints the text's own confidences φ in the denominator, where Section 6.1.1 and Lemma 8.1 need the
             mean ones φ̄. Equation (16) is empty. The variance of (15) is in confidence_weighting.py.
Letters.     ω, τ, φ and φ̄ are the weights, scores, confidences and mean confidences of ρ items, τ' other scores, |ξ|
             the number of texts of a category, F is Σ ρ ω φ̄/Σ φ̄. x is a weight, y and z are scores, s and t
             confidences of two items. Of categories u and v are two, P(k) is that of text k; two texts have the
             confidences (u, v) and (s, t). t is also a common score, a scale of the confidences, or the confidence that
             all others have; c and d scale and shift scores or rewards, in pt-eq15-denominator c the confidences of a
             text. In pt-phibar-constant φ(k) is the confidence of text k in one item. In pt-eq15-range P(j)² is by how
             much a score is below 1, in pt-grape-advantage r and P are the scores of two items. In
             pt-eq15-reduces-to-grpo u is φ̄ and v is φ, in pt-eq15-range-given-weights u is a bound of the weights. In
             pt-grape-fixed-proportion x is k/G, r_a, r_b and v_a, v_b are means and variances of the rewards; in
             pt-grape-sft-data x is the chance of the given text.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

rubric, two = Rubric(n_items), Rubric(2)
weights, scores, confidences = simplex(omega, n_items), reals(tau, n_items), positives(phi_bar, n_items)
items = Domain(n_items >= 1, weights, scores, confidences)
reward = rubric.reward(omega, tau, phi_bar)
average = rubric.average(omega, tau, phi_bar)
total_factor = Sum(rubric.factor(omega, phi_bar, i), (i, 1, n_items))  # F

# Two items: weights x, 1 − x, scores y and z in [0, 1], confidences s and t.
pair = Domain(0 < x, x < 1, 0 <= y, y <= 1, 0 <= z, z <= 1, s > 0, t > 0)
pair_reward = two.reward((x, 1 - x), (y, z), (s, t))
pair_average = two.average((x, 1 - x), (y, z), (s, t))

# -- the ingredients --------------------------------------------------------------------------------------------------
claim(
    "pt-grape-weights",
    Equal(rubric.weighted(omega, lambda item: t), t, label="equal scores aggregate to that score"),
    Domain(n_items >= 1, weights, scores, t),
    because=(
        Equal(rubric.weighted(omega, tau) - t, rubric.weighted(omega, lambda item: tau[item] - t), label="an average"),
        On(
            pair,
            Always(
                (two.weighted((x, 1 - x), (y, z)) >= 0) & (two.weighted((x, 1 - x), (y, z)) <= 1),
                label="two items with scores in [0, 1]: the average is in [0, 1]",
            ),
        ),
    ),
    expect="definition",
    kind="convention",
    locator="Sec 6.1",
    title="Weights that add up to one",
    printed=r"\text{weights for each item }\omega_1,\omega_2,\dots,\omega_{\rho_i}\text{ that add up to one}",
)

claim(
    "pt-grape-sample-size",
    Equal(Sum(Sum(1, (i, 1, G)), (k, 1, n)), n * G, label="Q questions of G texts"),
    Domain(n >= 1, G >= 2, reals(r, G)),
    because=(
        Equal(
            Sum(Sum(r[i], (i, 1, G)), (k, 1, n)) / (n * G),
            group_mean(r, G, i),
            label="the same rewards for every question: the mean over all texts is that over one group",
        ),
    ),
    expect="definition",
    kind="convention",
    locator="Sec 6.1",
    title="The sample",
    printed=r"S=QG",
    remark="n stands for Q, S is the number of texts. A category of m questions has mG texts.",
)


def of_category(category, own):
    """1 for a text of a category, 0 for any other."""
    return Piecewise((1, Eq(category, own)), (0, True))


mean = mean_confidence(phi, n_texts, k)

claim(
    "pt-phibar-constant",
    Every(
        *(
            On(
                Domain(n >= 1, positives(phi, n), reals(P, n), u, v, Eq(u, v)),
                Equal(
                    Sum(number * of_category(P[k], u), (k, 1, n)),
                    Sum(number * of_category(P[k], v), (k, 1, n)),
                    label=f"any texts, with categories P(k): one category, one {of}",
                ).by(EqualTerms()),
            )
            for number, of in ((phi[k], "sum of confidences"), (1, "number of texts"))
        ),
    ),
    Domain(u, v),
    because=(
        On(
            Domain(n_texts >= 1, positives(phi, n_texts)),
            Equal(
                Sum(mean, (i, 1, n_texts)),
                Sum(phi[i], (i, 1, n_texts)),
                label="the mean confidences of a category add up to its confidences",
            ),
        ),
    ),
    locator="Sec 6.1",
    title="Mean confidences of texts of one category",
    printed=(
        r"\bar\varphi_{ij}=\frac{\sum_{k\in\xi(\vec{text}_i)}\varphi_{kj}}{|\xi(\vec{text}_i)|}\text{ … This means }"
        r"\bar\varphi_{ij}=\bar\varphi_{kj}\text{ for all }i\text{ and }k\text{ in the same category}"
    ),
    remark="“Across all samples” means all samples of the category, as the formula says. n is the number of all "
    "samples, P(k) the category of sample k.",
)

# -- equation (15) ----------------------------------------------------------------------------------------------------
claim(
    "pt-eq15-weighted-average",
    Equal(reward, total_factor * average, label="(15) is F times an average"),
    items.also(shift),
    because=(
        Equal(
            average - shift, rubric.average(omega, lambda item: tau[item] - shift, phi_bar), label="an average indeed"
        ),
        Equal(
            total_factor - 1,
            n_items * Sum((omega[j] - 1 / n_items) * phi_bar[j], (j, 1, n_items)) / Sum(phi_bar[j], (j, 1, n_items)),
            label="F − 1: zero where weights and confidences are uncorrelated",
        ),
        On(
            pair,
            Always(
                (Min(y, z) <= pair_average) & (pair_average <= Max(y, z)),
                label="two items: the average is between the scores",
            ),
        ),
        On(
            pair,
            Exists(
                pair_reward > 1,
                {x: Rational(3, 4), y: 1, z: 1, s: 3, t: 1},
                label="(15) itself, of two scores of 1: above both",
            ),
        ),
    ),
    kind="inequality",
    locator="Sec 6.1, (15); Sec 6.1.1",
    title="The reward as a weighted average of the scores, times a factor",
    remark=(
        "That any aggregation will need to be a weighted one, as the paper says, is a demand. "
        "(15) is a weighted sum, but no weighted average: with scores of 1 it exceeds 1 where the heavy items are the "
        "confident ones, and scores that are all c give F c. Σ ω φ̄ τ / Σ ω φ̄ is the average. Read with "
        "φ̄ in the denominator (pt-eq15-denominator). The factor F is the same for all texts of a category."
    ),
)

# Weight 1 − t and confidence 1 for the first item, the rest of the weight and confidence t for each other one.
others = Domain(n_items >= 2, 0 < t, t < 1)


def first(one, rest, which=1):
    """A number for one item, the first unless it is said, and one for each of the others."""
    return lambda item: KroneckerDelta(item, which) * (one - rest) + rest


weighed = Domain(n_items >= 2, weights, 0 < t, t < 1, 1 <= o, o <= n_items)
lopsided = rubric.reward(first(1 - t, t / (n_items - 1)), lambda item: 1, first(1, t))
in_t = n_items * (1 - t + t**2) / (1 + (n_items - 1) * t)

unscored = Domain(n_items >= 1, weights, confidences, reals(P, n_items))


def at_most_one(item):
    """Any score of at most one."""
    return 1 - P[item] ** 2


def n_terms(number):
    """``ρ Σ_j φ̄_j number(j)/Σ φ̄``, one term for each item."""
    return Sum(n_items * phi_bar[j] * number(j) / Sum(phi_bar[k], (k, 1, n_items)), (j, 1, n_items))


claim(
    "pt-eq15-range",
    Every(
        AtLeast(reward, 0, label="the reward is not negative, if no score is", given=(tau[j] >= 0,)).by(
            TermByTerm((n_terms(lambda item: omega[item] * tau[item]),))
        ),
        On(
            unscored.also(n_items >= 2),
            Always(
                rubric.reward(omega, at_most_one, phi_bar) < n_items, label="scores 1 − P² ≤ 1: the reward is below ρ"
            ).by(PositiveTerms(n_terms(lambda item: 1 - omega[item] * at_most_one(item)))),
        ),
    ),
    items.also(n_items >= 2),
    because=(
        Equal(
            n_items - reward,
            n_items * Sum(phi_bar[j] * (1 - omega[j] * tau[j]), (j, 1, n_items)) / Sum(phi_bar[j], (j, 1, n_items)),
            label="what is missing to ρ: every term is positive for scores up to 1",
        ),
        On(others, Equal(lopsided, in_t, label="full scores, one item with nearly all weight and confidence")),
        On(others, Tends(in_t, t, 0, n_items, label="this comes as near to ρ as one likes")),
    ),
    depends_on=["pt-eq15-weighted-average"],
    kind="inequality",
    locator="Sec 6.1, (15)",
    title="Range of the reward for scores in [0, 1], two items or more",
    remark="(15) is read with φ̄ in the denominator (pt-eq15-denominator). In the second part τ(j) = 1 − P(j)², any "
    "score up to 1. Two categories with rubrics of different length, or different F (pt-eq15-weighted-average), "
    "reward on different scales.",
)

# As printed: the mean confidence above, the text's own below.
own = positives(phi, n_items)
printed_reward = rubric.reward(omega, tau, phi_bar, phi)
own_factors = Sum(phi_bar[j] / Sum(phi[k], (k, 1, n_items)), (j, 1, n_items))
# One text of the category has the confidence c φ̄ in each item, the other |ξ| − 1 have φ̄: the mean of all is mixed φ̄.
mixed = (scale + n_texts - 1) / n_texts
category = Domain(n_items >= 1, weights, scores, confidences, n_texts >= 2, scale > 0)

claim(
    "pt-eq15-denominator",
    On(
        items,
        Every(
            Equal(
                reward,
                Sum(n_items * omega[j] * tau[j] * rubric.share(phi_bar, j), (j, 1, n_items)),
                label="(15) with φ̄ below weighs with φ̄/Σφ̄",
            ),
            Equal(Sum(rubric.share(phi_bar, i), (i, 1, n_items)), 1, label="the shares φ̄/Σφ̄ add up to 1"),
        ),
    ),
    items.also(own),
    because=(
        Equal(
            printed_reward,
            reward * Sum(phi_bar[j], (j, 1, n_items)) / Sum(phi[j], (j, 1, n_items)),
            label="R as printed is R with φ̄ below times Σφ̄/Σφ, where φ are those of the text itself",
        ),
        On(
            category,
            Equal(
                rubric.reward(omega, tau, lambda item: mixed * phi_bar[item], lambda item: scale * phi_bar[item]),
                reward * mixed / scale,
                label="a text with c times the confidences φ̄ of the others, its reward as printed",
            ),
        ),
        On(category, Equal((mixed / scale).subs(scale, 1), 1, label="its factor (c + |ξ| − 1)/(c |ξ|) at c = 1")),
        On(category, Monotone(mixed / scale, scale, -1, label="the surer the text, the smaller its factor")),
        On(category, Always(2 * mixed / scale > 1 / scale, label="this factor grows without bound as c → 0")),
    ),
    depends_on=["pt-eq15-weighted-average"],
    locator="Sec 6.1, (15)",
    title="Mean confidences in the denominator of (15)",
    printed=(
        r"R(\vec{text}_i)=\frac{\rho_i\sum_{j=1}^{\rho_i}\omega_{ij}\tau_{ij}\bar\varphi_{ij}}{\sum_{j=1}^{\rho_i}"
        r"\varphi_{ij}}"
    ),
    judged=misprint(
        "The bar is missing below: Lemma 8.1, to which Section 6.1.1 refers, weighs with φ̄/Σφ̄. By its letters (15) "
        "divides by the confidences of the text itself, and no longer weighs with shares. So in the copy that was "
        "read.",
        Equal(own_factors, 1),
    ),
)

second = reals(tau_, n_items)
second_reward = rubric.reward(omega, tau_, phi_bar)


def shifted(numbers):
    """Every score plus d."""
    return lambda item: numbers[item] + shift


claim(
    "pt-eq15-invariances",
    Equal(
        rubric.reward(omega, lambda item: scale * tau[item] + shift, lambda item: t * phi_bar[item]),
        scale * reward + total_factor * shift,
        label="scales of confidences and scores, and a shift of the scores",
    ),
    Domain(n_items >= 1, weights, scores, second, confidences, scale > 0, shift, s > 0, t > 0),
    because=(
        Equal(rubric.reward(omega, tau, lambda item: t * phi_bar[item]), reward, label="the scale of confidence"),
        Equal(
            rubric.reward(omega, lambda item: scale * tau[item], phi_bar), scale * reward, label="the scale of scores"
        ),
        Equal(
            rubric.reward(omega, shifted(tau), phi_bar),
            reward + total_factor * shift,
            label="a shift d: adds d times F = Σ ρ ω φ̄/Σ φ̄",
        ),
        Equal(
            rubric.reward(omega, shifted(tau), phi_bar) - rubric.reward(omega, shifted(tau_), phi_bar),
            reward - second_reward,
            label="this shift cancels in the difference of two rewards",
        ),
        Equal(rubric.reward(omega, tau, lambda item: s), rubric.weighted(omega, tau), label="equal confidence: Σ ω τ"),
    ),
    depends_on=["pt-eq15-weighted-average"],
    locator="Sec 6.1, (15)",
    title="Scale of confidences, and scale and shift of scores, in the reward",
    remark="(15) is read with φ̄ in the denominator (pt-eq15-denominator). c scales the scores, t the confidences; s "
    "is the confidence that all items have where it is equal.",
)

claim(
    "pt-eq16-empty",
    Equal(Sum(rubric.factor(omega, phi_bar, i) * tau[i], (i, 1, n_items)), reward, label="(15) by shares")
    & Equal(total_factor, n_items * Sum(omega[j] * rubric.share(phi_bar, j), (j, 1, n_items)), label="its factor"),
    items,
    expect="definition",
    kind="convention",
    locator="Sec 6.1, (16)",
    title="An empty equation",
    printed=r"\text{(16)}",
    judged=misprint("The number (16) stands beside no formula. Nothing refers to it. So in the copy that was read."),
    remark="Checked: (15), with Σφ̄ for its Σφ, written with the shares φ̄_j/Σφ̄, a second line it could have had.",
)


# -- the advantage ---------------------------------------------------------------------------------------------------
def group_reward(aggregate):
    """Two items in a group of symbolic size: scores r_g and P_g of its texts."""
    return lambda member: aggregate(omega, (r[member], P[member]), phi_bar)


def advantage(of):
    """``A_i = R_i − (1/G) Σ_k R_k``."""
    return of(i) - Sum(of(k), (k, 1, G)) / G


group = Domain(G >= 2, reals(r, G), reals(P, G), simplex(omega, 2), positives(phi_bar, 2))
by_reward, by_average = advantage(group_reward(two.reward)), advantage(group_reward(two.average))
pair_factor = sum(two.factor(omega, phi_bar, item) for item in (1, 2))
couple = grape_advantages([reward, second_reward])


def in_group(aggregate):
    """Any rubric in a group of any size: the score of text k for item j is the number (k − 1)ρ + j of one list."""
    return lambda member: aggregate(omega, lambda item: tau[(member - 1) * n_items + item], phi_bar)


any_group = Domain(n_items >= 1, G >= 2, 1 <= i, i <= G, weights, confidences, reals(tau, G * n_items))

claim(
    "pt-grape-advantage",
    On(
        any_group,
        Equal(
            advantage(in_group(rubric.reward)),
            total_factor * advantage(in_group(rubric.average)),
            label="R − mean R: F times that of the averages, any rubric and group",
        ),
    ),
    group,
    because=(
        Equal(
            by_reward,
            pair_factor * by_average,
            label="rubrics of two items: F times the advantage by averages, any group",
        ),
        On(
            Domain(n_items >= 1, weights, scores, second, confidences),
            Equal(
                couple[0],
                total_factor * (average - rubric.average(omega, tau_, phi_bar)) / 2,
                label="groups of two, any rubric",
            ),
        ),
        Equal(Sum(by_reward, (i, 1, G)), 0, label="advantages of a group sum to zero"),
    ),
    depends_on=["pt-eq15-weighted-average", "pt-eq15-denominator"],
    locator="Sec 6.1, after (15)",
    title="Advantages by (15) and by averages of the scores",
    printed=r"\text{Using this reward function, we can write the advantage function same as in GRPO}",
    remark=(
        "The factor F of pt-eq15-weighted-average belongs to the category, so it only sets how much a question of that "
        "category counts. With the denominator as printed the texts of one group can have different factors "
        "(pt-grape-advantage-own-confidence)."
        " τ(j + ρ(k − 1)) is the score of text k for item j. Of two items r and P are the two scores of a text."
    ),
)

# Two texts with the same scores y and confidences (u, v) and (s, t); they are all of their category.
both = ((s + u) / 2, (t + v) / 2)
ranked = grape_advantages([two.reward((x, 1 - x), (y, y), both, own_) for own_ in ((u, v), (s, t))])[0]
claim(
    "pt-grape-advantage-own-confidence",
    Always(Equivalent(ranked < 0, u + v > s + t), label="the more confident of two equal texts loses"),
    Domain(0 < x, x < 1, 0 < y, y <= 1, s > 0, t > 0, u > 0, v > 0),
    because=(
        Equal(
            ranked,
            (x * both[0] + (1 - x) * both[1]) * y * (1 / (u + v) - 1 / (s + t)),
            label="the advantage of the first text as a product",
        ),
    ),
    depends_on=["pt-eq15-denominator"],
    kind="equivalence",
    locator="Sec 6.1, (15)",
    title="Two texts with the same scores, the denominator as printed",
    remark="The first text has the confidences u, v, the other s, t; the scores are y, the weights x and 1 − x. What "
    "is compared with zero is the advantage of the first. φ̄ is the mean of the two confidences, as Section 6.1 "
    "defines it.",
)


# For given weights: every share φ̄_j/Σφ̄ can come near one.
claim(
    "pt-eq15-range-given-weights",
    Every(
        AtLeast(
            n_items * u,
            reward,
            label="weights of at most u: the reward is at most ρ u",
            given=(omega[j] <= u, 0 <= tau[j], tau[j] <= 1),
        ).by(TermByTerm((n_terms(lambda item: u - omega[item] * tau[item]),))),
        On(
            weighed,
            Equal(
                rubric.reward(omega, lambda item: 1, first(1, t, which=o)),
                n_items * (omega[o] + t * (1 - omega[o])) / (1 + (n_items - 1) * t),
                label="full scores, confidence 1 in one item and t in the others",
            ),
        ),
        On(
            Domain(n_items >= 2, 0 < x, x < 1),
            Tends(
                n_items * (x + t * (1 - x)) / (1 + (n_items - 1) * t),
                t,
                0,
                n_items * x,
                label="this comes as near to ρ times the weight of that item as one likes",
            ),
        ),
    ),
    items.also(u > 0),
    because=(
        Equal(
            n_items * u - reward,
            n_items * Sum(phi_bar[j] * (u - omega[j] * tau[j]), (j, 1, n_items)) / Sum(phi_bar[j], (j, 1, n_items)),
            label="what is missing to ρ u",
        ),
    ),
    depends_on=["pt-eq15-range"],
    kind="inequality",
    locator="Sec 6.1, (15)",
    title="Upper bound of the reward for given weights",
    remark=(
        "Read with φ̄ in the denominator (pt-eq15-denominator). For equal weights 1/ρ the bound is 1. The reward is "
        "not negative (pt-eq15-range)."
        " u is the bound of the weights, t a confidence."
    ),
)

# -- GRPO as a special case -------------------------------------------------------------------------------------------
one = Rubric(1)
members = Domain(G >= 2, reals(r, G), scale > 0, shift)


def scored(member):
    """The reward by one item of which the score is r, with the confidence u above and v below."""
    return one.reward((1,), (r[member],), (u,), (v,))


claim(
    "pt-eq15-reduces-to-grpo",
    On(
        Domain(G >= 2, reals(r, G), u > 0, v > 0, 1 <= i, i <= G),
        Every(
            Always(Implies(Eq(u, v), Eq(scored(i), r[i])), label="one item, its confidence above as below: R is τ"),
            Always(
                Implies(Eq(u, v), Eq(advantage(scored), r[i] - group_mean(r, G, j))), label="A is (13), in any group"
            ).by(Then((Equal(advantage(scored), u / v * (r[i] - group_mean(r, G, j)), label="(13), by u/v"),))),
        ),
    ),
    Domain(r_a > r_b, u > 0, v > 0, scale > 0, shift),
    because=(
        On(
            members.also(u > 0),
            Equal(
                advantage(lambda member: one.reward((1,), (r[member],), (u,))),
                r[i] - group_mean(r, G, j),
                label="groups of any size, φ̄ below: (13), whatever the confidence",
            ),
        ),
        On(
            Domain(G >= 2, reals(r, G), u > 0, v > 0, 1 <= i, i <= G),
            Equal(scored(i), r[i] * u / v, label="R as printed, of one item with the score r(i)"),
        ),
        Equal(
            grape_advantages([(score - shift) / scale for score in (r_a, r_b)])[0],
            (r_a - r_b) / 2 / scale,
            label="two texts with the rewards r_a and r_b, their scores (reward − d)/c: (13), divided by c",
        ),
    ),
    depends_on=["pt-grape-advantage"],
    kind="equivalence",
    locator="Sec 6.1, after (17)",
    title="(15) for one item, and GRPO without the division by the deviation",
    printed=(
        r"\text{The GRPO algorithm can be considered a special case of GRAPE with a single rubric (human preference) "
        r"with the reward model being used as the scoring model with no reasoning and assuming all confidence scores "
        r"as 1}"
    ),
    remark=(
        "With φ̄ in the denominator the confidence of a single item cancels, so the assumption that it is 1 is not "
        "needed. A score in [0, 1] made of a reward by an affine map scales the advantage. u is φ̄, v is φ, r the "
        "score τ. GRPO is here what Section 4.8 calls so, without the division by the deviation of the group that "
        "GRPO of Shao et al. has."
    ),
)

# -- where texts come from --------------------------------------------------------------------------------------------
drawn = x * (v_a + r_a**2) + (1 - x) * (v_b + r_b**2) - (x * r_a + (1 - x) * r_b) ** 2  # E[R²] − E[R]²
by_chance = (Random(r, i, 1, G, mean=x * r_a + (1 - x) * r_b, variance=drawn),)
in_proportion = (Random(r, i, 1, k, mean=r_a, variance=v_a), Random(r, i, k + 1, G, mean=r_b, variance=v_b))
drawn_mean = Sum(r[i], (i, 1, G)) / G
fixed_mean = (Sum(r[i], (i, 1, k)) + Sum(r[i], (i, k + 1, G))) / G
generators = Domain(0 < x, x < 1, v_a > 0, v_b > 0, r_a, r_b, G >= 2, k >= 1, k < G, Eq(x, k / G))

claim(
    "pt-grape-fixed-proportion",
    Every(
        ForRandom(Eq(MeanOf(drawn_mean), x * r_a + (1 - x) * r_b), by_chance, label="by chance: the expected mean"),
        ForRandom(
            Eq(MeanOf(fixed_mean), x * r_a + (1 - x) * r_b), in_proportion, label="k of G: the same expected mean"
        ),
    ),
    generators,
    because=(
        ForRandom(Eq(VarianceOf(drawn_mean), drawn / G), by_chance, label="by chance: its variance"),
        ForRandom(
            Eq(VarianceOf(fixed_mean), drawn / G - x * (1 - x) * (r_a - r_b) ** 2 / G),
            in_proportion,
            label="k of G: lower by what chance adds",
        ),
    ),
    kind="identity",
    locator="Sec 6.1",
    title="Two ways to generate: by chance or in a fixed proportion",
    printed=(
        r"\text{choosing between 1 and 2 with some probability … You could also have a fixed proportion of the }G"
        r"\text{ generations coming from each of the two methods}"
    ),
    remark="Independent rewards, x = k/G. The mean reward of a group, the baseline, has the same expectation in both, "
    "and varies less in fixed proportion if r_a ≠ r_b.",
)


# A group of two whose first text is given (the answer a), the second drawn from the old policy y.
def with_given_text(policy, sampler):
    """The expected surrogate of such a group: ratios times advantages, over the second text."""
    total = 0
    for answer in range(2):
        advantages = SHIFT_ONLY.of_group(((r_a, r_b)[0], (r_a, r_b)[answer]))
        ratios = (policy[0] / sampler[0], policy[answer] / sampler[answer])
        total += sampler[answer] * sum(w * A for w, A in zip(ratios, advantages, strict=True)) / 2
    return total


d = Derivation("pt-grape-sft-data", Domain(0 < x, x < 1, 0 < y, y < 1, r_a, r_b))
given_text = d.start(with_given_text(binary(x), binary(y)), "one given answer a, one drawn from the old policy")
slope = d.restrict(d.differentiate(given_text, x, "the old policy y is held fixed"), {y: x}, "on policy")
sampled = d.start(expected_surrogate(binary(x), binary(y), (r_a, r_b), Answers(2), 2, SHIFT_ONLY), "both answers drawn")
sampled_slope = d.restrict(d.differentiate(sampled, x, "the old policy y is held fixed"), {y: x}, "on policy")

claim(
    "pt-grape-sft-data",
    Every(
        Equal(sampled_slope, (r_a - r_b) / 2, label="both drawn: half the gradient of the expected reward"),
        Equal(slope, (r_a - r_b) / (4 * x), label="one given: the same sign, over 2x"),
    ),
    Domain(0 < x, x < 1, r_a, r_b),
    because=(
        Equal(slope, sampled_slope / (2 * x), label="one given: the slope of both drawn, over 2x"),
        On(
            Domain(r_a, r_b),
            Tends(
                x * slope,
                x,
                0,
                (r_a - r_b) / 4,
                label="one given: of order 1/x, so unbounded as x → 0 unless r_a = r_b",
            ),
        ),
        On(Domain(0 < x, x < 1, r_a > r_b), Always(slope > 0, label="one given: towards it if it is the better one")),
    ),
    by=d,
    depends_on=["pt-grape-advantage"],
    locator="Sec 6.1, Use of SFT Data",
    title="An SFT answer as a member of the group",
    printed=(
        r"\text{Existing Supervised Fine-Tuning (SFT) data can be seamlessly included by treating SFT responses as one "
        r"of the multiple responses generated for a given question during the evaluation process}"
    ),
    judged=imprecise(
        "The loss is defined and its gradient favours the better answer, but π_1/π_0 is not the importance weight of "
        "a text that the old policy did not draw: the gradient is that of both drawn times 1/(2x). This "
        "factor is unbounded for a given text that is rare; with both drawn the slope does not depend on x.",
        Equal(slope, sampled_slope),
    ),
    remark=("Two answers, groups of two; on policy. x is the chance of the given text."),
)
