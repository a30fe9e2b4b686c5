"""The value and the first step of each loss at ratio 1, for every aggregation: why the loss is 0, who is charged.

Statement.   At ratio 1 a loss that is divided by the length of each text is minus the mean advantage: 0 for every
             group, whatever the lengths, with any deviation, guard or leave-one-out mean. A token mean is minus the
             covariance of advantage and length over the mean length, a sum over a constant L the same over L: 0 for
             equal lengths, else of either sign. The gradient is not zero. The first step: over a constant L a multiple
             of ∇E[R]; of the token mean of a large batch ∇E[R]/E|o|, a multiple that moves; with 1/|o| the gradient of
             no function (its curl is ∇E[R] × ∇E[1/|o|]), though it still raises E[R]; a token mean per prompt is none
             either, and not 1/|o|. 1/|o| tells equally rewarded answers of different lengths apart: short right and
             long wrong ones gain.
Source.      open-r1#239, trl#2703 (loss 0 at the start), trl#5375 (token mean per prompt), understand-r1-zero#10
             (length bias).
Domain.      G members of any rewards and lengths; n texts with deterministic rewards, groups without a deviation.
Derivation.  loss at ratio 1 as a sum over the group → advantages add up to zero; first step as a field Σ w(o) dπ(o) →
             its curl.
Caveats.     The expected advantage of a text is (1 − 1/G)(r − E_π r): no deviation. Fields on texts: every text has a
             probability of its own.
Letters.     ℓ(i) is the length of a text, λ the constant L; in a group v is the deviation and t a length; of two texts
             s and t are lengths. Of three texts x and z are probabilities, s and t rewards, u, v and y inverse lengths.
             In tr-step-climbs x is the probability of a text, s its reward, t the mean and u its length; where two
             texts are compared t is an advantage, u and v are lengths. r̄ and ℓ̄ are the means of r and of ℓ over the
             group.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

group = Domain(G >= 2, v > 0, reals(r, G), positives(length, G))
mean = group_mean(r, G, j)
apart = SHIFT_AND_SCALE.of_population(r[i], mean, v**2)  # v: the deviation, with whatever guard
others = (G * mean - r[i]) / (G - 1)
mean_length = Sum(length[j], (j, 1, G)) / G


def over_group(term):
    return Sum(term, (i, 1, G))


def no_gradient(field, label):
    """Of three texts, one right and two wrong ones of different length: a field with a curl is no gradient."""
    example = {x: Rational(1, 3), z: Rational(1, 3), s: 1, t: 0, u: 1, v: Rational(1, 2), y: 1}
    return On(three, Exists(Ne(curl_of_three(field), 0), example, label=label))


claim(
    "tr-zero-loss",
    Every(
        Equal(over_group(apart), 0, label="advantages add up to zero, any deviation or guard"),
        Equal(over_group((r[i] - others) / v), 0, label="and with the mean of the others"),
        Equal(-over_group(apart * length[i] / length[i]) / G, 0, label="1/|o|: the loss at ratio 1"),
        *(
            On(
                Domain(0 < x, x < 1),
                Equal(
                    on_policy_slope(expected_surrogate(binary(x), binary(y), (1, 0), Answers(2), size), x, y),
                    slope,
                    label=f"the slope of the objective at ratio 1, own deviation, G = {size}",
                ),
            )
            for size, slope in ((2, Integer(1)), (3, Integer(2) ** Rational(1, 2)))
        ),
        On(Domain(0 < x, x < 1), Equal(k3(x, x), 0, label="k3 at the reference policy")),
    ),
    group,
    locator="Topic 5",
    title="The value at ratio 1 of losses divided by the length",
    remark=(
        "What a run reports there is β times the divergence. The gradient is that of the ratios, which are 1 "
        "and move."
        " v is the deviation, with any guard; 1/|o| cancels with the |o| tokens of a text, all of ratio 1."
    ),
)

advantage = (r[i] - mean) / v
covariance = over_group(advantage * (length[i] - mean_length)) / G
claim(
    "tr-loss-token-mean",
    Every(
        Equal(
            -over_group(advantage * length[i]) / over_group(length[i]),
            -covariance / mean_length,
            label="token mean: minus the covariance of advantage and length, over the mean length",
        ),
        On(
            Domain(G >= 2, v > 0, lam > 0, reals(r, G), positives(length, G)),
            Equal(
                -over_group(advantage * length[i] / lam) / G,
                -covariance / lam,
                label="a constant L: minus the covariance, over L",
            ),
        ),
    ),
    group,
    because=(
        Equal(apart, advantage, label="the advantage of a member, its deviation or guard v"),
        On(
            Domain(G >= 2, v > 0, t > 0, reals(r, G)),
            Equal(-over_group(apart * t) / (G * t), 0, label="0 for equal lengths"),
        ),
        # two texts, rewards 1 and 0: advantages ±1
        On(
            Domain(0 < s, 0 < t, Ne(s, t)),
            Always(
                Ne(-(s - t) / (s + t), 0), label="not 0 for two texts of different lengths, one right and one wrong"
            ),
        ),
        On(Domain(0 < s, s < t), Always(-(s - t) / (s + t) > 0, label="positive where the right one is shorter")),
    ),
    depends_on=["tr-zero-loss"],
    locator="Topic 5",
    title="The value at ratio 1 of token means and of constant denominators",
    remark="So a loss that starts away from 0 says how length and advantage go together.",
)

# -- first steps ------------------------------------------------------------------------------------------------------
# The step of a loss is the field Σ_o w(o) dπ(o): w(o) the weight of ∇log π(o), over the text's probability.
texts = Domain(n >= 2, G >= 2, lam > 0, simplex(pi, n), reals(r, n), positives(length, n))
triples = Domain(n >= 3, G >= 2, simplex(pi, n), reals(r, n), positives(length, n))
value = Sum(pi[o] * r[o], (o, 1, n))
expected = (1 - 1 / G) * (r[o_] - value)  # E[A | o_], no deviation
average_length = Sum(pi[o] * length[o], (o, 1, n))


def curl(weight):
    """∂w(o)/∂π(j) − ∂w(j)/∂π(o) of a weight that is written for the text o_; j is another text."""
    other = weight.xreplace({o_: j})
    return partial(weight, pi[j]) - partial(other, pi[o_])


def circulation(weight):
    """The curls of a weight that is written for the text o_ around three texts: zero on the simplex for the steps that
    are gradients.
    """
    first, second, last = (weight.xreplace({o_: text}) for text in (o_, j, k))
    around = ((first, j, second, o_), (second, k, last, j), (last, o_, first, k))
    return sum(Derivative(one, pi[a]) - Derivative(other, pi[b]) for one, a, other, b in around)


def curl_of_three(weights):
    """∂(w_1 − w_3)/∂x_2 − ∂(w_2 − w_3)/∂x_1 on the simplex of three texts: zero for the steps that are gradients."""
    first, second, last = weights
    return Derivative(first - last, z) - Derivative(second - last, x)


# Three texts of probabilities x, z, 1 − x − z, rewards s, t, 0 and inverse lengths u, v, y.
three = Domain(0 < x, 0 < z, x + z < 1, s, t, u > 0, v > 0, y > 0)
reward_three = s * x + t * z
per_text = [(a - reward_three) * b for a, b in ((s, u), (t, v), (0, y))]
batch = [(a - reward_three) / (x / u + z / v + (1 - x - z) / y) for a in (s, t, 0)]


def pair_weight(own, masses, rewards, lengths):
    """Token mean per prompt, groups of two, no deviation: the mean of (r − r')/2 over the tokens of the pair."""
    pairs = zip(masses, rewards, lengths, strict=True)
    return sum(m * (rewards[own] - a) / 2 / (lengths[own] + b) for m, a, b in pairs)


per_prompt = [pair_weight(own, (x, z, 1 - x - z), (s, t, 0), (1 / u, 1 / v, 1 / y)) for own in range(3)]
claim(
    "tr-step-aggregations",
    Every(
        On(triples.also(lam > 0), Equal(circulation(expected / lam), 0, label="constant L, n texts: no curl")),
        On(
            triples,
            Equal(
                circulation(expected / length[o_]),
                (1 - 1 / G)
                * ((r[o_] - r[k]) * (1 / length[j] - 1 / length[k]) - (r[j] - r[k]) * (1 / length[o_] - 1 / length[k])),
                label="1/|o|, n texts: ∇E[R] × ∇E[1/|o|]",
            ),
        ),
        no_gradient(batch, "token mean of a large batch: a moving multiple, no gradient"),
        no_gradient(per_prompt, "token mean per prompt: no gradient"),
    ),
    three,
    because=(
        On(
            texts,
            Equal(
                expected / lam,
                (1 - 1 / G) / lam * (Derivative(value, pi[o_]) - value),
                label="constant L, written λ: (1 − 1/G)/L ∇E[R], up to a constant",
            ),
        ),
        On(
            texts,
            Equal(
                curl(expected / length[o_]),
                (1 - 1 / G) * (r[o_] / length[j] - r[j] / length[o_]),
                label="1/|o|, n texts: the curl",
            ),
        ),
        *(
            On(
                three,
                Equal(
                    SHIFT_ONLY.preference(0, (x, z, 1 - x - z), (s, t, 0), Answers(3), size, o),
                    (1 - Rational(1, size)) * (s - reward_three),
                    label=f"the expected advantage of a text, enumerated, G = {size}",
                ),
            )
            for size in (2, 3)
        ),
        no_gradient(per_text, "a right text and two wrong ones of different length: no gradient"),
    ),
    kind="dynamics",
    locator="Topic 6",
    title="The curl of the first step, by aggregation",
    short="constant L, n texts: no curl",
    remark=(
        "For two texts every step is along a gradient, so three are needed to see it. Without division by a "
        "deviation: 1 − 1/G is the factor of the expected advantage. Three texts have the probabilities x, z and 1 − "
        "x − z, the rewards s, t and 0, and the inverse lengths u, v and y."
    ),
)

lengths = Domain(n >= 2, G >= 2, simplex(pi, n), reals(r, n), positives(length, n))


def gain(weight):
    """d E[R]/dt under the natural gradient: the covariance of reward and weight."""
    return Sum(pi[j] * r[j] * weight, (j, 1, n)) - value * Sum(pi[j] * weight, (j, 1, n))


claim(
    "tr-step-climbs",
    Every(
        Equal(
            gain((r[j] - value) / length[j]),
            Sum(pi[j] * (r[j] - value) ** 2 / length[j], (j, 1, n)),
            label="1/|o|: the variance, weighed by 1/|o|",
        ),
        Equal(
            gain(r[j] - value) / average_length,
            Sum(pi[o] * (r[o] - Sum(pi[o_] * r[o_], (o_, 1, n))) ** 2, (o, 1, n)) / average_length,
            label="token mean of a large batch: the variance over the mean length",
        ),
    ),
    lengths,
    because=(
        On(
            Domain(x > 0, u > 0, Ne(s, t)),
            Always(x * (s - t) ** 2 / u > 0, label="every term of it is positive where a reward differs from the mean"),
        ),
    ),
    kind="dynamics",
    depends_on=["tr-step-aggregations"],
    locator="Topic 6",
    title="The rate of the expected reward under 1/|o| and under the token mean of a large batch, up to the factor 1 "
    "− 1/G",
    remark="Under the natural gradient, without a deviation, the factor 1 − 1/G of the expected advantage left out. "
    "Dividing by |o| does not turn the ascent round; it changes which texts are favoured on the way.",
)

claim(
    "tr-step-length-bias",
    Every(
        Always(t / u - t / v > 0, label="1/|o|: of two right texts (advantage t > 0) the shorter gains"),
        On(Domain(0 < u, u < v, t < 0), Always(t / u - t / v < 0, label="of two wrong ones the longer")),
    ),
    Domain(0 < u, u < v, t > 0),
    because=(
        On(
            Domain(0 < u, 0 < v, t),
            Equal(
                u * (t / u),
                v * (t / v),
                label="the weights of its tokens add up to t in every text: a token of a long one has a smaller share",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["tr-step-aggregations"],
    locator="Topic 6",
    title="The weight of a token in two texts of lengths u and v with one advantage t, under 1/|o|",
    remark="u and v are the two lengths. It is a bias between equally rewarded texts, and not one of the expected "
    "reward: tr-step-climbs.",
)

# One prompt, groups of two, one right text of length u and one wrong of length v: weights of the right text's step.
claim(
    "tr-token-mean-per-prompt",
    Always(Ne(1 / (u + v), 1 / (2 * u)), label="not the same for different lengths"),
    Domain(u > 0, v > 0, Ne(u, v)),
    because=(
        Equal(
            1 / (u + v) - 1 / (2 * u),
            (u - v) / (2 * u * (u + v)),
            label="token mean per prompt against 1/|o|: the right text",
        ),
        On(Domain(u > 0), Equal((1 / (u + v)).subs(v, u), 1 / (2 * u), label="the weight in texts of equal length")),
        Equal(
            (1 / (2 * u)) / (1 / (2 * v)),
            v / u,
            label="1/|o| weighs tokens of the two texts v : u, the token mean 1 : 1",
        ),
    ),
    kind="counter-example",
    depends_on=["tr-step-aggregations"],
    locator="Topic 6",
    title="A token mean per prompt against the mean over texts, two texts of lengths u and v",
    remark="Groups of two, one right text of length u, one wrong of length v.",
)
