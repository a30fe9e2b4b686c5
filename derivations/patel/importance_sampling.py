"""Importance sampling: the mean height at a basketball event, and the general estimator.

Statement.   (1/N) Σ P(x_i)/Q(x_i) x_i over draws from Q has the mean of x under P as its expectation, wherever Q > 0
             whenever P > 0. The weighted average of pros and others at the event is an instance. Its variance is (Σ P²
             x²/Q − μ²)/N, which can be more or less than that of plain sampling, least for Q in proportion to |x| P
             where no x is 0.
Source.      Patel (2025), Appendix 8.5 with equation (18); Section 4.5 for the biased average.
Domain.      n values, n symbolic; N independent draws, or 200 + 100 fixed ones at the event; any real values.
Derivation.  Expectation over draws as a sum over the values, draw by draw; the event's estimate from the shares of its
             two groups, rewritten line by line as the paper does.
Caveats.     The numbers at the event are fixed by group, not drawn from Q: same expectation, no more variance
             (pt-eq18-basketball-instance).
Letters.     p(o), q(o) and x(o) are P, Q and the values, x(i) the numbers at the event, with the means μ_pp and μ_np of
             pros and others; N is the number of draws, T where they are written as a text, 1 − m the mass of P where Q
             has none, on the value r_b. p and q are the shares of the pros in the world and in the sample, t is any
             such weight, u and v the probabilities of one value in the two groups, v_a and v_b the variances in them.
             In pt-is-variance-reduction u and y are what P and Q give to the first of two values μ_pp and μ_np, r(i)
             are single draws and v_a is their variance.
"""

from grpo_symbolic.paper import *

from .trees import any_length, count, draws
from .trees import mean as over_texts

claim = Result(__file__).claim

# -- the event --------------------------------------------------------------------------------------------------------
PROS, OTHERS = 200, 100
pro_share = Rational(5, 100)  # P(pp)
heights = Domain(reals(datum, PROS + OTHERS))
pros, others = Sum(datum[i], (i, 1, PROS)), Sum(datum[i], (i, PROS + 1, PROS + OTHERS))
simple = (pros + others) / (PROS + OTHERS)
estimate = pro_share * (pros / PROS) + (1 - pro_share) * (others / OTHERS)

means = Domain(mu_pp, mu_np)
event_mean = expected(binary(pro_share), lambda a: (mu_pp, mu_np)[a], Answers(2), o)


def mean_of(statistic, pro=mu_pp, other=mu_np, beside=0):
    """That the mean of a statistic of the heights, those of each group having one mean, differs from ``beside`` by a
    number.
    """
    numbers = (Random(datum, i, 1, PROS, mean=pro), Random(datum, i, PROS + 1, PROS + OTHERS, mean=other))
    return lambda value, label: ForRandom(Eq(MeanOf(statistic) - beside, value), numbers, label=label)


claim(
    "pt-bball-100-50",
    On(
        means,
        mean_of(simple)(Rational(2, 3) * mu_pp + Rational(1, 3) * mu_np, "in expectation"),
    ),
    heights,
    because=(
        Equal(
            simple,
            Rational(2, 3) * (pros / PROS) + Rational(1, 3) * (others / OTHERS),
            label="the average of all 300 numbers: ⅔ of that of the pros and ⅓ of that of the others",
        ),
    ),
    kind="numeric",
    locator="Sec 8.5",
    title="Weight of the 200 pros in the simple average of the 300 numbers",
    printed=(
        r"\text{taking a simple average of the 200 numbers … Assigning those 100 pro-player samples a weight of 50\% "
        r"(as would happen if you were to simply average all samples) would be wrong}"
    ),
    judged=misprint(
        "There are 300 numbers, 200 of them of pros. Half is the weight of 100 pros among 200 numbers, an "
        "earlier version "
        "of the example it seems."
        " So in the copy that was read.",
        Equal(simple, Rational(1, 2) * (pros / PROS) + Rational(1, 2) * (others / OTHERS)),
    ),
)

claim(
    "pt-bball-simple-average-biased",
    Every(
        mean_of(simple, beside=event_mean)(Rational(37, 60) * (mu_pp - mu_np), "the bias"),
        Always(event_mean + Rational(37, 60) * (mu_pp - mu_np) > event_mean, label="too high, pros being taller"),
    ),
    Domain(mu_pp > mu_np),
    because=(On(means, mean_of(simple, pro=mu_np)(mu_np, "no bias if pros were as tall as the others")),),
    kind="unbiasedness",
    depends_on=["pt-bball-100-50"],
    locator="Sec 8.5; Sec 4.5",
    title="Bias of the simple average of the 300 numbers",
    printed=(
        r"\text{taking a simple average of the 200 numbers is going to be wrong, since there are far fewer pro "
        r"basketball players at the event than the general population, you know that pro basketball players are taller "
        r"as a rule}"
    ),
    remark="Of all 300 numbers; the 200 of the sentence are the slip of pt-bball-100-50. The mean of all participants "
    "is 0.05 μ_pp + 0.95 μ_np.",
)

claim(
    "pt-bball-averages-known",
    Every(
        mean_of(pros / PROS)(mu_pp, "the pros"),
        mean_of(others / OTHERS)(mu_np, "the others, if none of the 100 is a pro"),
    ),
    means,
    kind="unbiasedness",
    locator="Sec 8.5",
    title="The two sample averages as unbiased estimates of the averages of the groups",
    printed=(
        r"\text{We know the average height of pro-players is average of }x_1,\dots,x_{200}\text{ and the average "
        r"height of everyone else is average of }x_{201},\dots,x_{300}"
    ),
    judged=imprecise(
        "In expectation, and for the second only if none of the 100 is a pro (pt-bball-random-participants). The "
        "average of a sample need not be that of the group, unless the 200 are all the pros.",
        Equal(pros / PROS, mu_pp),
        heights.also(mu_pp),
    ),
)

mixed = pro_share * mu_pp + (1 - pro_share) * mu_np  # the mean of a participant picked at random
weighted_by = t * (pros / PROS) + (1 - t) * (others / OTHERS)
claim(
    "pt-bball-random-participants",
    mean_of(estimate)(event_mean, "100 random non-players: unbiased"),
    Domain(mu_pp > mu_np),
    because=(
        mean_of(estimate, other=mixed)(
            Rational(975, 10000) * mu_pp + Rational(9025, 10000) * mu_np,
            "100 random participants: the pros among them count twice",
        ),
        mean_of(others / OTHERS, other=mixed)(
            event_mean, "100 random participants: their plain average would do alone"
        ),
        On(
            means.also(t),
            mean_of(weighted_by)(
                event_mean + (t - pro_share) * (mu_pp - mu_np),
                "of all weights t, 0.05 alone is unbiased (unless the means agree)",
            ),
        ),
    ),
    kind="unbiasedness",
    depends_on=["pt-bball-averages-known"],
    locator="Sec 8.5, first display",
    title="Mean of the estimate with weights 5 % and 95 %: 200 pros and 100 random non-players",
    printed=(
        r"Estimate=0.05\Big(\frac{x_1+x_2+\dots+x_{200}}{200}\Big)+0.95\Big(\frac{x_{201}+x_{202}+"
        r"\dots+x_{300}}{100}\Big)"
    ),
    judged=imprecise(
        "Right for 100 who are drawn from the non-players, as the text takes them around the display (“everyone else”, "
        "“100 np”). Where it introduces them they are randomly identified participants at the event, of whom 5 % are "
        "pros: then pros get the weight 0.0975.",
        Equal(pro_share * mu_pp + (1 - pro_share) * mixed, event_mean, label="the mean of the estimate"),
    ),
)

Q_pp, Q_np = (
    Sum(Integer(1), (i, low, high)) / Sum(Integer(1), (i, 1, PROS + OTHERS))
    for low, high in ((1, PROS), (PROS + 1, PROS + OTHERS))
)
claim(
    "pt-bball-shares",
    Every(
        Equal(Q_pp, Rational(2, 3), label="Q(pp)"),
        Equal(Q_np, Rational(1, 3), label="Q(np)"),
        Equal(1 - pro_share, Rational(95, 100), label="P(np) = 1 − P(pp)"),
    ),
    Domain(),
    kind="numeric",
    locator="Sec 8.5",
    title="The shares of the two groups at the event, and in the sample",
    printed=r"P(pp)=0.05\text{ and }P(np)=0.95\text{. … }Q(pp)=\frac23\text{ and }Q(np)=\frac13",
    remark="Q is the share in the sample; nobody draws from it, the two numbers are fixed.",
)

total = PROS + OTHERS
ratio_pp, ratio_np = pro_share / Q_pp.doit(), (1 - pro_share) / Q_np.doit()  # P/Q of the two groups
steps = Derivation("pt-bball", heights)
steps.start(estimate, "each group's average, weighted by its share at the event")
lines = [
    pro_share / 200 * pros + Rational(95, 100) / 100 * others,
    Rational(1, 300) * (pro_share / Rational(2, 3) * pros + Rational(95, 100) / Rational(1, 3) * others),
    (ratio_pp * pros + ratio_np * others) / total,
    (Sum(ratio_pp * datum[i], (i, 1, PROS)) + Sum(ratio_np * datum[i], (i, PROS + 1, total))) / total,
]
for line, why in zip(
    lines, ("two sums", "one factor 1/300", "P and Q by name", "the ratio inside the sums"), strict=True
):
    steps.rewrite(estimate, line, why)
claim(
    "pt-bball-algebra",
    Every(*(Equal(estimate, line, label=f"expression {number} of the print") for number, line in enumerate(lines, 1))),
    heights,
    by=steps,
    depends_on=["pt-bball-shares"],
    locator="Sec 8.5, second display",
    title="The weighted average, rewritten with the ratios P/Q",
    printed=(
        r"\frac{0.05}{200}\sum_{i=1}^{200}x_i+\frac{0.95}{100}\sum_{i=201}^{300}x_i=\frac1{300}\Big[\frac{0.05}{"
        r"\frac23}\sum_{i=1}^{200}x_i+\frac{0.95}{\frac13}\sum_{i=201}^{300}x_i\Big]=\frac1{300}\Big["
        r"\frac{P(pp)}{Q(pp)}\sum_{i=1}^{200}x_i+\frac{P(np)}{Q(np)}\sum_{i=201}^{300}x_i\Big]=\frac1{300}\Big["
        r"\sum_{i=1}^{200}\frac{P(pp)}{Q(pp)}x_i+\sum_{i=201}^{300}\frac{P(np)}{Q(np)}x_i\Big]"
    ),
)

# -- equation (18) ----------------------------------------------------------------------------------------------------
values = Answers(n)
general = Domain(simplex(world, n), simplex(model, n), reals(datum, n), n >= 2)
mean = expected(world, lambda a: datum[a], values, o)  # E_P[x]


one_draw = expected_estimate(world, model, datum, values, (o,))  # the expectation of (18) for one draw from Q
claim(
    "pt-eq18-importance-sampling",
    Every(
        any_length(
            over_texts(TextSum(world[o] / model[o] * datum[o], o), model),
            over_texts(count * Sum(world[o_] * datum[o_], (o_, 1, n)), model),
            "T = N independent draws: their sum has T times the mean, so their average has the mean",
            along=draws,
        ),
        On(
            Domain(reals(world, n), simplex(model, n), reals(datum, n), n >= 2),
            Equal(one_draw, mean, label="the expectation of (18) for one draw, where P may be 0 somewhere"),
        ),
    ),
    general,
    because=(
        Equal(expected(model, lambda a: world[a] / model[a], values, o), 1, label="the weights are 1 on average"),
    ),
    kind="unbiasedness",
    locator="Sec 8.5, (18)",
    title="Unbiasedness of importance sampling",
    printed=r"Estimate=\frac1N\Big[\sum_{i=1}^N\frac{P(x_i)}{Q(x_i)}x_i\Big]",
    judged=needs_hypothesis(
        "That Q gives a positive probability to every value (other than 0) that P does: values that are never drawn "
        "are missing from the estimate, whatever the weights. Here P has 1 − m of its mass on one that Q leaves out.",
        Equal(one_draw, mean + (1 - support_mass) * r_b),
        Domain(
            simplex(world, n, support_mass),
            simplex(model, n),
            reals(datum, n),
            n >= 1,
            0 < support_mass,
            support_mass < 1,
            r_b > 0,
        ),
    ),
)

# Groups: P(value) = P(group) f(value | group), with f = u among the pros and f = v among the others.
of_value = (pro_share * u + (1 - pro_share) * v) / (Q_pp.doit() * u + Q_np.doit() * v)
within = p**2 / q * v_a + (1 - p) ** 2 / (1 - q) * v_b
by_group = Sum(datum[i], (i, 1, k)), Sum(datum[i], (i, k + 1, N))
second_moment = expected(
    binary(q), lambda a: (binary(p)[a] / binary(q)[a]) ** 2 * ((v_a, v_b)[a] + (mu_pp, mu_np)[a] ** 2), Answers(2), o
)
independent = second_moment - expected(binary(p), lambda a: (mu_pp, mu_np)[a], Answers(2), o) ** 2
claim(
    "pt-eq18-basketball-instance",
    Equal(estimate, lines[-1], label="(18) with the ratio of the groups"),
    heights,
    because=(
        On(
            Domain(u > 0, v > 0),
            Equal(
                of_value,
                (Rational(2, 3) * u * ratio_pp + Rational(1, 3) * v * ratio_np)
                / (Rational(2, 3) * u + Rational(1, 3) * v),
                label="P/Q of a height: the average of both ratios over those in the sample who are that tall",
            ),
        ),
        On(
            Domain(u > 0, v > 0),
            Tends(of_value, v, 0, Rational(3, 40), label="the ratio of the pros for a height that only they have"),
        ),
        On(
            Domain(0 < p, p < 1, 0 < q, q < 1, mu_pp, mu_np, v_a >= 0, v_b >= 0),
            Equal(
                independent,
                within + (p * (1 - q) * mu_pp - q * (1 - p) * mu_np) ** 2 / (q * (1 - q)),
                label="the variance of one independent draw: a part within the groups, and one between them",
            ),
        ),
        On(
            Domain(0 < p, p < 1, N >= 2, k >= 1, k < N, Eq(q, k / N), v_a >= 0, v_b >= 0),
            ForRandom(
                Eq(VarianceOf((p / q * by_group[0] + (1 - p) / (1 - q) * by_group[1]) / N), within / N),
                (Random(datum, i, 1, k, variance=v_a), Random(datum, i, k + 1, N, variance=v_b)),
                label="fixed numbers by group, k = Nq and N − k: the part within the groups alone, over N",
            ),
        ),
    ),
    depends_on=["pt-bball-algebra", "pt-eq18-importance-sampling"],
    locator="Sec 8.5, before (18)",
    title="The event's estimate as an instance of (18), a draw being a person",
    printed=r"\text{we can write the above formula as: }Estimate=\frac1N\Big[\sum_{i=1}^N\frac{P(x_i)}{Q(x_i)}x_i\Big]",
    judged=imprecise(
        "With P(x_i) and Q(x_i) the probabilities of a person, or of a pair of group and height, it is. With "
        "those of the "
        "height alone, as written, the ratio of a height that occurs in both groups is another one.",
        Equal(of_value, ratio_pp),
        Domain(0 < u, u < 1, 0 < v, v < 1),
    ),
    remark=(
        "u and v are the probabilities of one height among the pros and among the others; p and q the shares of the "
        "pros at the event and in the sample."
    ),
)

# -- variance ---------------------------------------------------------------------------------------------------------
by_importance = importance_variance(world, model, datum, values, o)  # of one draw
by_plain = importance_variance(world, world, datum, values, o)
size = expected(world, lambda a: Abs(datum[a]), values, o_)  # E_P|x|
two_Q = importance_variance(binary(u), binary(y), (mu_pp, mu_np), Answers(2), o)
pair = Domain(0 < u, u < 1, 0 < y, y < 1, mu_pp > 0, mu_np > 0)
best_Q = u * mu_pp / (u * mu_pp + (1 - u) * mu_np)
claim(
    "pt-is-variance-reduction",
    AtLeast(
        by_importance,
        size**2 - mean**2,
        (Eq(world[o] * Abs(datum[o]) / model[o], size),),
        label="never less than (E|x|)² − (E x)², which Q in proportion to |x| P reaches",
    ).by(TermByTerm((Sum(model[o] * (world[o] * Abs(datum[o]) / model[o] - size) ** 2, (o, 1, n)),))),
    general,
    because=(
        Equal(
            by_importance,
            Sum(world[o] ** 2 * datum[o] ** 2 / model[o], (o, 1, n)) - mean**2,
            label="the variance of one draw from Q",
        ),
        Equal(
            by_plain - by_importance,
            Sum(world[o] * datum[o] ** 2 * (1 - world[o] / model[o]), (o, 1, n)),
            label="what is saved against a draw from P",
        ),
        AtLeast(
            by_plain,
            size**2 - mean**2,
            (Eq(Abs(datum[o]), size),),
            label="plain sampling reaches this bound only if |x| is constant",
        ).by(TermByTerm((Sum(world[o] * (Abs(datum[o]) - size) ** 2, (o, 1, n)),))),
        On(
            Domain(v_a >= 0, N >= 1),
            ForRandom(
                Eq(VarianceOf(Sum(r[i], (i, 1, N)) / N), v_a / N),
                (Random(r, i, 1, N, variance=v_a),),
                label="N draws have an N-th of the variance of one",
            ),
        ),
        On(
            pair,
            Equal(two_Q.subs(y, best_Q), 0, label="two positive values, Q in proportion to x P: no variance at all"),
        ),
        On(pair, Tends(two_Q, y, 0, oo, label="a Q that neglects a value: unbounded variance")),
    ),
    kind="inequality",
    depends_on=["pt-eq18-importance-sampling"],
    locator="Sec 8.5, after (18)",
    title="Variance of importance sampling, and a lower bound of it",
    printed=r"\text{The concept of importance sampling as a variance reduction technique}",
    remark="It can reduce the variance, by a Q that is chosen for it. For another Q the variance can be "
    "larger than that of sampling from P, without bound.",
)
