"""Sample deviation + ε, where trainers sit, and the leave-one-out deviation, which has no bound without ε.

Statement.   With the sample deviation + ε every weight of the gap is that of the sample deviation over 1 + εG/√(Gk(G −
             k)/(G − 1)), so the gap lies between 1/(1 + ε√G) of it and all of it. At ε = 10⁻⁴ and G ≤ 64 that is less
             than 0.09 %. Groups of two: γ = 1/(√2 + 2ε), of three 2/(√3 + 3ε), in closed form. The gradient is concave
             at every group size, so the policy attracts, and rare success survives only for β below (G − 1)/(√G + εG).
             Large groups see 1/(√(x(1 − x)) + ε). More levels of reward: no advantage exceeds (G − 1)/√G. Against the
             deviation of the other members a lone right member has the advantage 1/ε, for every G: no bound without ε.
Source.      Defaults of trainers; extends by-norm-coefficients, by-guard-bounds.
Domain.      Rewards 0 and 1 (any rewards where said), ε > 0, G ≥ 2, 1 ≤ k ≤ G − 1 right members.
Derivation.  advantages of a group with k right members → weights of the gap → their ratio to those without ε.
Caveats.     Advantages of groups with right and wrong members; the weights of the gap are those of by-gap-weight.
Letters.     x is success, y that of the policy that samples and s that at rest. Where a gradient is any concave one, u
             is its value, at p in tr-guarded-stable, and t its slope, at 0 in tr-guarded-limits; in what one group
             gives v is its variance and c the factor of its deviation. Of any rewards u is the distance of one member
             from the mean of the others and v their variance. σ̂ is the sample deviation, Δ the gap, m the gradient of
             success; in tr-guarded-weights s is the deviation of a group. (14) is an equation of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

from ..beyond.normalisers import bends, in_a_row, outside_root, outside_slope, stretched, three_in_a_row

claim = Result(__file__).claim

TWO = Answers(2)
SAMPLE = Advantage(sample_deviation=True)
TRAINERS = Advantage(sample_deviation=True, guard=guard, guard_inside=False)
mixed = Domain(G >= 2, k >= 1, k <= G - 1, guard > 0)
deviation = sqrt(k * (G - k) / (G * (G - 1)))  # of a group with k right members
ratio = gap_weight(k, G, TRAINERS) / gap_weight(k, G, SAMPLE)


def gap(added):
    """The gap for any group size: its weight, over the number of right members among the other G − 2."""
    return binomial_mean((1 - 1 / G) / (deviation.subs(k, k + 1) + added), k, G - 2, x)


claim(
    "tr-guarded-weights",
    Every(
        Always(
            gap(0) / (1 + guard * sqrt(G)) <= gap(guard), label="with + ε: at least 1/(1 + ε√G) times that without"
        ).by(AgainstPolynomial(Integer(0))),
        Always(gap(guard) < gap(0), label="and less than that without").by(AgainstPolynomial(Integer(0), 0)),
    ),
    Domain(G >= 2, guard > 0, 0 < x, x < 1),
    because=(
        On(
            mixed,
            Every(
                Equal(gap_weight(k, G, SAMPLE), (1 - 1 / G) / deviation, label="the weights with the sample deviation"),
                Equal(
                    gap_weight(k, G, TRAINERS),
                    (1 - 1 / G) / (deviation + guard),
                    label="and with the sample deviation + ε",
                ),
                Equal(
                    ratio,
                    1 / (1 + guard / deviation),
                    label="every weight shrinks by the factor 1/(1 + ε/s), s the deviation of the group",
                ),
                Always(1 / (1 + guard / deviation) < 1, label="a factor below 1"),
            ),
        ),
        On(
            Domain(G >= 4, k >= 2, k <= G - 2, guard > 0),
            Always(guard / deviation < guard * sqrt(G), label="ε/s is largest where one member stands alone"),
        ),
        On(mixed, Equal(deviation.subs(k, 1), 1 / sqrt(G), label="the deviation is 1/√G for one right member")),
        On(mixed, Equal(deviation.subs(k, G - 1), 1 / sqrt(G), label="and for one wrong member")),
        On(
            Domain(G >= 2, G <= 64, guard > 0, 10000 * guard <= 1),
            Always(guard * sqrt(G) < Rational(9, 10000), label="ε ≤ 10⁻⁴, G ≤ 64: less than 0.09 %"),
        ),
    ),
    kind="inequality",
    locator="Topic 9",
    title="The gap with the sample deviation, and with the sample deviation + ε",
    remark=(
        "Both are averages of weights, by the number k of right ones among the other G − 2: by-gap-weight. In the "
        "steps k is the number of right ones in the whole group. The sample deviation alone is a β larger by √(G/(G − "
        "1)): by-norm-sample-deviation."
    ),
)

# Groups of two, from the objective.
unit = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0, guard > 0)
d = Derivation("tr-guarded-pairs", unit.also(0 < y, y < 1))
J = d.start(
    grpo(beta, group_size=2, advantage=TRAINERS).with_rewards(binary(x), binary(y), binary(p), (1, 0), TWO),
    "groups of two, sample deviation + ε",
)
F = d.restrict(
    d.differentiate(J, x, "the old policy y is held fixed"), {y: x}, "the policy that sampled is the policy itself"
)
margins = {2: 1 / (sqrt(2) + 2 * guard), 3: 2 / (sqrt(3) + 3 * guard)}
claim(
    "tr-guarded-pairs",
    Every(
        Equal(F, margins[2] - beta * (x - p) / (x * (1 - x)), label="G = 2: the slope"),
        *(Equal(advantage_gap(size, x, TRAINERS), margin, label=f"γ, G = {size}") for size, margin in margins.items()),
        *(
            On(
                Domain(0 < p, p < 1, beta > 0, guard > 0),
                Equal(
                    success_equation(size, x, p, beta, TRAINERS).subs(x, pairs(beta / margin, p)),
                    0,
                    label=f"(14) with this γ, G = {size}",
                ),
            )
            for size, margin in margins.items()
        ),
    ),
    unit,
    by=d,
    locator="Topic 9",
    title="Groups of two and three with the sample deviation + ε: closed form",
    short=("(14) with this γ, G = 2", "G = 2: the slope"),
)

# Stability for any concave gradient: m at x is s, its slope t, and m(p) = u > 0 lies below the tangent.
rest = Domain(0 < p, p < x, x < 1, beta > 0, u > 0, t, u <= beta * (x - p) + t * (p - x))


def gradient(success):
    """The gradient of success for any group size: what a group with k right members gives, over their number."""
    return (1 - 1 / G) * binomial_mean(outside_root(stretched), k, G, success)


bent = InLetters(bends(outside_root, outside_slope), three_in_a_row, in_a_row(stretched))
at_rest = Domain(G >= 2, 0 < p, p < s, s < 1, guard > 0, Eq(beta, gradient(s) / (s - p), evaluate=False))
claim(
    "tr-guarded-stable",
    FlowTends(gradient(x) - beta * (x - p), x, 0, 1, s, label="every flow leads to the rest point").by(
        ConcaveVelocity(beta * p, shape=ByDifferences(bent), end=AtAnEnd())
    ),
    at_rest,
    because=(
        On(
            rest,
            Always(
                t < beta,
                label="a concave gradient crosses β(x − p) from above: success returns to the rest point",
            ),
        ),
        On(
            Domain(v > 0, 4 * v <= 1, guard > 0, scale >= 1),
            Always(
                And((v / (scale * sqrt(v) + guard)).diff(v) > 0, (v / (scale * sqrt(v) + guard)).diff(v, 2) < 0),
                label="what a group gives increases and is concave in its variance",
            ),
        ),
        On(
            Domain(0 < x, x < 1, guard > 0),
            Equal(
                advantage_gap(oo, x, Advantage(guard=guard, guard_inside=False)),
                1 / (sqrt(x * (1 - x)) + guard),
                label="large groups: the deviation of the policy + ε",
            ),
        ),
    ),
    kind="stability",
    locator="Topic 9",
    title="The flow of success with the sample deviation + ε, and its rest point s",
    remark=(
        "The gradient is concave: its slope at rest is below β."
        " In the step on what a group gives, v is its variance and c the factor of its deviation."
    ),
)

threshold = (G - 1) / (sqrt(G) + guard * G)
claim(
    "tr-guarded-limits",
    Every(
        Equal(gap_weight(1, G, TRAINERS), threshold, label="the gap at 0, every G"),
        Equal(gap_weight(G - 1, G, TRAINERS), threshold, label="and at 1"),
        Monotone(threshold, G, 1, label="they grow with G"),
        On(Domain(guard > 0), Tends(threshold, G, oo, 1 / guard, "-", label="large groups: 1/ε")),
    ),
    Domain(G >= 2, guard > 0),
    because=(
        Always(
            threshold < sqrt(G - 1),
            label="below √(G − 1), the gap at both ends with the group's own deviation, without ε",
        ),
        # a concave gradient with m(0) = 0, slope t there: βx = m(x) with x > 0 needs t > β
        On(
            Domain(0 < x, x < 1, beta > 0, t, u > 0, u < t * x, u >= beta * x),
            Always(t > beta, label="success survives a vanishing reference only for β below the slope t at 0"),
        ),
    ),
    kind="limit",
    depends_on=["by-guard-rare", "by-gap-weight"],
    locator="Topic 9",
    title="The gap at both ends with the sample deviation + ε, and its limit for large groups",
)

# Any rewards: one member at distance u above the mean of the G − 1 others, whose variance (over G − 1) is v.
line = Domain(G >= 2, u > 0, v >= 0, guard > 0)
centre = (G - 1) * u / G  # its distance from the mean of the group
whole = ((G - 1) * v + (G - 1) * u**2 / G) / (G - 1)  # the sample variance of the group


def off(member):
    """The reward of a member, less the mean of the group."""
    return r[member] - Sum(r[o], (o, 1, G)) / G


squares = Sum(off(j) ** 2, (j, 1, G))
one_of_all = AtLeast(squares, G / (G - 1) * off(i) ** 2, label="one square among all").by(
    OneTermLess(Sum((off(j) + off(i) / (G - 1)) ** 2, (j, 1, G)), i)
)
in_roots = Always(
    Abs(off(i)) * sqrt(G) <= sqrt(squares) * sqrt(G - 1),
    hint=(Abs(off(i)) * sqrt(G) >= 0, sqrt(squares) * sqrt(G - 1) >= 0),
).by(Then((one_of_all,)))
claim(
    "tr-guarded-any-rewards",
    On(
        Domain(G >= 2, guard > 0, reals(r, G), i >= 1, i <= G),
        Always(
            Abs(off(i)) / (sqrt(squares) / sqrt(G - 1) + guard) < (G - 1) / sqrt(G),
            label="so no advantage reaches (G − 1)/√G",
            hint=(Abs(off(i)) * sqrt(G) < (G - 1) * (sqrt(squares) / sqrt(G - 1) + guard),),
        ).by(Then((in_roots, one_of_all))),
    ),
    line,
    because=(
        Always(centre / (sqrt(whole) + guard) < (G - 1) / sqrt(G), label="by the variance of the others"),
        On(
            line,
            Equal(
                (G - 1) * whole,
                (G - 1) * v + centre**2 + (G - 1) * (u / G) ** 2,
                label="squares: the others around their mean, the means around the group's",
            ),
        ),
        On(
            line.also(v > 0),
            Always(centre**2 * G < (G - 1) ** 2 * whole, label="G(r − mean)² below (G − 1)² times the sample variance"),
        ),
        On(
            line,
            Equal(
                (centre / sqrt(whole)).subs(v, 0),
                (G - 1) / sqrt(G),
                label="without ε it is attained when all others are alike",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["by-many-preference-bound"],
    locator="Topic 9",
    title="A bound of the advantages with the sample deviation + ε, real rewards r",
    remark="(G − 1)/√G is about 2.5 for groups of 8, 3.75 for 16 and about 7.9 for 64.",
)

# The deviation of the other G − 1 members, k of the group's members being right.
others_mean, others_variance = (k - 1) / (G - 1), (k - 1) / (G - 1) * (1 - (k - 1) / (G - 1))
alone = (1 - others_mean) / (sqrt(others_variance) + guard)
claim(
    "tr-leave-one-out-deviation",
    Always(Implies(Eq(k, 1), Eq(alone, 1 / guard)), label="one right member: 1/ε, for every G"),
    mixed,
    because=(
        Equal(alone.subs(k, 1), 1 / guard, label="at k = 1"),
        On(Domain(G >= 2), Tends(alone.subs(k, 1), guard, 0, oo, label="without a bound as ε → 0")),
        On(
            Domain(G >= 3, k >= 2, k <= G - 1, guard > 0),
            Always(
                (1 - others_mean) ** 2 < (G - 1) * others_variance,
                label="with a second right member below √(G − 1): squared, even without ε",
            ),
        ),
        Equal(
            advantage_in_group(1, 1, G, TRAINERS),
            threshold,
            label="the same member against the whole group's sample deviation",
        ),
        On(
            Domain(G >= 2, G <= 64, guard > 0, 10000 * guard <= 1),
            Always(alone.subs(k, 1) > 1000 * threshold, label="ε ≤ 10⁻⁴, G ≤ 64: more than a thousand times as much"),
        ),
    ),
    kind="limit",
    locator="Topic 15",
    title="Advantage of a lone right member by mean and population deviation of the others, + ε",
    remark=(
        "k is the number of right members. For two right members and more (1 − mean)² is below G − 1 times the "
        "variance of the others, so the advantage is below √(G − 1)."
    ),
)
