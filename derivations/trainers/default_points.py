"""Where the defaults of trainers lead: no penalty, and the penalty KL(π‖π_ref), with the sample deviation + ε.

Statement.   Every weight of the gap lies between (1 − 1/G)/(1 + ε) and (G − 1)/(√G + εG), so the gap is positive.
             Without a penalty therefore no policy inside is stationary: success rises from every start to 1, its own
             frozen objective rises with it (seen for groups of two and three), and nothing but 1 bounds the distance,
             which is −log p for KL(π‖π_ref) and infinite for KL(π_ref‖π). With the penalty KL(π‖π_ref) there is a
             stationary policy; its log-odds exceed those of the reference by between (1 − 1/G)/((1 + ε)β) and (G −
             1)/((√G + εG)β), the flow from the reference rises to the lowest, and where that is far enough above the
             reference it is the only one. With a noisy verifier the gap is u − w times that at the rate of acceptance,
             for groups of two and three.
Source.      Defaults of trainers: β = 0, or k1 charged to the advantage; questions "where does my run end?".
Domain.      One right and one wrong answer, rewards 1 and 0, G ≥ 2, ε > 0, exact expectations, on-policy.
Derivation.  gap of a group with k right members → its bounds → sign of the gradient of success, and where it vanishes.
Caveats.     One token a text. Bounds are of the weights; the gap is an average of them.
Letters.     x is success, y that of the policy that samples, p that of the reference. s is by how much the log-odds of
             success exceed those of the reference; the gap u lies between v and t, or t is the gap; in tr-direct-far u
             is G − 2 times an upper bound of it. In tr-noise-normalisers u and w are the chances of acceptance of
             correct and of wrong texts, s and t the advantages of accepted and of rejected texts, and in the last two
             steps t is a gap. c is the deviation of the batch, k the number of right members, in sums up to G − 2 that
             of the right ones beside a right and a wrong one. Δ is the gap, Δ_G with the deviation of the group,
             Δ_{σ̂+ε} with its sample deviation σ̂ + ε; c_{σ̂+ε} is the covariance of the weight of a group and the
             number of right ones among the other members, for which k stands there.
"""

from grpo_symbolic.notation import false_alarm as w
from grpo_symbolic.paper import *

claim = Result(__file__).claim

TWO = Answers(2)
TRAINERS = Advantage(sample_deviation=True, guard=guard, guard_inside=False)
NORMALISERS = {
    "own deviation": SHIFT_AND_SCALE,
    "sample deviation": Advantage(sample_deviation=True),
    "sample deviation + ε": TRAINERS,
    "own deviation + ε": Advantage(guard=guard, guard_inside=False),
    "√(variance + ε)": Advantage(guard=guard),
    "no deviation": SHIFT_ONLY,
    "leave-one-out": Advantage(scaled=False, leave_one_out=True),
    "batch deviation": Advantage(fixed_deviation=scale),
}
mixed = Domain(G >= 2, k >= 1, k <= G - 1, guard > 0, scale > 0)
any_size = Domain(G >= 2, 0 < x, x < 1, guard > 0)
weight = (G - 1) / (sqrt((k + 1) * (G - 1 - k) * G / (G - 1)) + guard * G)
trained = binomial_mean(weight, k, G - 2, x)  # the gap
least, greatest = (1 - 1 / G) / (1 + guard), (G - 1) / (sqrt(G) + guard * G)

guarded = claim(
    "tr-guarded-between",
    On(
        any_size,
        Every(
            Always(trained > least, label="the gap from below").by(AgainstPolynomial(least, 0)),
            Always(trained <= greatest, label="the gap from above").by(AgainstPolynomial(-greatest)),
        ),
    ),
    mixed,
    because=(
        Always(gap_weight(k, G, TRAINERS) > least, label="every weight is more than (1 − 1/G)/(1 + ε)"),
        On(
            Domain(G >= 4, k >= 2, k <= G - 2, guard > 0),
            Always(
                gap_weight(k, G, TRAINERS) < greatest,
                label="and less than (G − 1)/(√G + εG), with two members or more of each kind",
            ),
        ),
        Equal(gap_weight(1, G, TRAINERS), greatest, label="this bound, which one right member alone has"),
        Equal(gap_weight(G - 1, G, TRAINERS), greatest, label="or one wrong member"),
        Equal(gap_weight(k, G, TRAINERS), weight.subs(k, k - 1), label="every weight"),
    ),
    kind="inequality",
    depends_on=["by-gap-weight"],
    locator="Topic 9",
    title="Bounds of the gap with the sample deviation + ε",
)

# No penalty. The gap of every normaliser is positive, and success moves at 2x²(1 − x)² times it (tr-flow-velocity).
others = (k + 1) * (G - 1 - k)  # k + 1 right and G − 1 − k wrong members
WEIGHTS = {
    "own deviation": (G - 1) / sqrt(others),
    "sample deviation": (G - 1) / sqrt(others * G / (G - 1)),
    "sample deviation + ε": weight,
    "own deviation + ε": (G - 1) / (sqrt(others) + guard * G),
    "√(variance + ε)": (G - 1) / sqrt(others + guard * G**2),
    "no deviation": 1 - 1 / G,
    "leave-one-out": Integer(1),
    "batch deviation": (1 - 1 / G) / scale,
}
gaps = {name: binomial_mean(form, k, G - 2, x) for name, form in WEIGHTS.items()}


def at_most(name):
    """A bound of the gap: that of a fixed deviation, of the trainers' own, and of any other."""
    return {"batch deviation": 1 / scale, "sample deviation + ε": greatest}.get(name, sqrt(G - 1))


bounded = claim(
    "tr-none-gap",
    On(
        any_size.also(scale > 0),
        Every(
            *(
                Always(gap > 0, label=f"{name}: the gap is positive").by(AgainstPolynomial(0, 0))
                for name, gap in gaps.items()
            ),
            *(
                Always(gap <= at_most(name), label=f"{name}: the gap from above").by(AgainstPolynomial(-at_most(name)))
                for name, gap in gaps.items()
            ),
        ),
    ),
    mixed,
    because=(
        *(
            Equal(gap_weight(k, G, advantage), WEIGHTS[name].subs(k, k - 1), label=f"{name}: every weight")
            for name, advantage in NORMALISERS.items()
        ),
    ),
    kind="inequality",
    depends_on=["by-gap-weight"],
    locator="Topic 2",
    title="The sign and the bounds of the gap, for eight normalisers",
    short=(
        "own deviation: the gap is positive",
        "own deviation: the gap from above",
        "leave-one-out: the gap is positive",
        "leave-one-out: the gap from above",
    ),
    remark="Δ_G(x) is the gap with the own deviation, and the sum beside it that of leave-one-out, which is 1 "
    "(by-norm-no-division). The eight gaps stand in the order of the steps.",
)


def softmax_speed(gap):
    """How fast the success of a softmax policy moves without a penalty."""
    return 2 * x**2 * (1 - x) ** 2 * gap


claim(
    "tr-none-rises",
    Every(
        *(
            FlowRises(softmax_speed(gap), x, 0, 1, label=f"{name}: success rises to 1").by(
                PositiveVelocity(
                    Follows((bounded,), (f"{name}: the gap is positive",)),
                    at_most(name),
                    Follows((bounded,), (f"{name}: the gap from above",)),
                )
            )
            for name, gap in gaps.items()
        ),
    ),
    Domain(G >= 2, guard > 0, scale > 0),
    because=(
        On(Domain(t > 0), Equal(softmax_speed(t).subs(x, 0), 0, label="the velocity at 0")),
        On(Domain(t > 0), Equal(softmax_speed(t).subs(x, 1), 0, label="and at 1")),
    ),
    kind="existence",
    depends_on=["tr-flow-velocity", "tr-none-gap"],
    locator="Topic 2",
    title="The flow of success without a penalty, for eight normalisers",
    short="own deviation: success rises to 1",
)

claim(
    "tr-none-frozen",
    Every(
        *(
            Equal(
                expected_surrogate(binary(x), binary(y), (1, 0), TWO, size, advantage).diff(x),
                advantage_gap(size, y, advantage),
                label=f"{name}, G = {size}: the slope of the frozen objective is the gap at π_old",
            )
            for name, advantage in NORMALISERS.items()
            for size in (2, 3)
        ),
    ),
    Domain(0 < x, x < 1, 0 < y, y < 1, guard > 0, scale > 0),
    because=(
        On(
            Domain(t > 0, 0 < x, x < 1),
            Always(t * (1 - x) > 0, label="what the value at 1 has more than that at x, t the gap"),
        ),
    ),
    depends_on=["tr-none-rises"],
    locator="Topic 2",
    title="The slope of the frozen objective without a penalty: groups of two and three, eight normalisers",
    short=(
        "own deviation, G = 2: the slope of the frozen objective is the gap at π_old",
        "own deviation, G = 3: the slope of the frozen objective is the gap at π_old",
    ),
    remark=(
        "The gaps are positive (tr-none-gap), so no x below 1 has the greatest value. Within the clip bounds: "
        "tr-clip-way says how far one round goes, in groups of two."
    ),
)

odds_ratio = x * (1 - p) / ((1 - x) * p)
apart, behind = (of(binary(x), binary(p), TWO, o) for of in (kl, forward_kl))
claim(
    "tr-none-distance",
    Every(
        On(Domain(0 < p, p < 1), Tends(apart, x, 1, -log(p), "-", label="KL(π‖π_ref): up to −log p")),
        On(Domain(0 < p, p < 1), Tends(behind, x, 1, oo, "-", label="KL(π_ref‖π) without a bound")),
    ),
    Domain(0 < p, p < x, x < 1),
    because=(
        On(
            Domain(0 < p, p < x, x < 1),
            Equal(apart.diff(x), log(odds_ratio), label="the slope of KL(π‖π_ref): the log-ratio of the odds"),
        ),
        On(
            Domain(0 < p, p < x, x < 1),
            Always(log(odds_ratio) > 0, using=(log_sign(odds_ratio),), label="which is positive above p"),
        ),
    ),
    kind="limit",
    locator="Topic 2",
    title="Two answers: both divergences from the reference in the limit of sure success",
)

# A verifier that accepts a right answer with probability u and a wrong one with w < u.
verdicts = Domain(0 <= w, w < u, u <= 1)
seen = x * u + (1 - x) * w


def noisy(size, advantage, chance):
    """The expected advantage of a text that is accepted with this chance, in groups of which a share is accepted."""
    worth = [advantage.preference(a, (seen, 1 - seen), (1, 0), TWO, size, o) for a in (0, 1)]
    return chance * worth[0] + (1 - chance) * worth[1]


claim(
    "tr-noise-normalisers",
    Every(
        *(
            On(
                verdicts.also(0 < x, x < 1, guard > 0, scale > 0),
                Equal(
                    noisy(size, advantage, u) - noisy(size, advantage, w),
                    (u - w) * advantage_gap(size, seen, advantage),
                    label=f"{name}, G = {size}: the gap, u − w times that of verdicts",
                ),
            )
            for name, advantage in NORMALISERS.items()
            for size in (2, 3)
        ),
    ),
    verdicts,
    because=(
        On(
            verdicts.also(s, t),
            Equal(
                (u * s + (1 - u) * t) - (w * s + (1 - w) * t),
                (u - w) * (s - t),
                label="any advantages s of an accepted and t of a rejected text",
            ),
        ),
        On(verdicts.also(t > 0), Always((u - w) * t > 0, label="a gap t, times u − w, keeps its sign")),
        On(verdicts.also(t > 0), Always((u - w) * t <= t, label="and is no larger")),
    ),
    locator="Question 4",
    title="The gap under a noisy verifier, groups of two and three, for eight normalisers",
    short="own deviation, G = 2: the gap, u − w times that of verdicts",
    remark=(
        "For any advantages of accepted and of rejected texts the gap is u − w times their difference, so of its sign. "
        "A bound of the gap is multiplied by u − w."
    ),
)

# The penalty KL(π‖π_ref): s is by how much the log-odds of success exceed those of the reference, and it moves with the
# velocity Δ − βs (by-flow-direct). First for any gap u with v ≤ u ≤ t.
rest = Domain(beta > 0, 0 < v, u >= v, t >= u, s)
moved = p * exp(s) / (1 - p + p * exp(s))  # the success with these log-odds
tilted = moved.subs(s, t / beta)
referred = Domain(G >= 2, 0 < p, p < 1, beta > 0, guard > 0, scale > 0)


def velocity(gap):
    """How fast the displacement s moves along the natural gradient."""
    return gap.subs(x, moved) - beta * s


def there(known, displacement, *parts):
    """What is known of the gap, at a displacement of the log-odds."""
    return Follows((at(known, {x: moved.subs(s, displacement)}, *parts),))


claim(
    "tr-direct-rest",
    Every(
        On(
            rest,
            Every(
                Always(u - beta * (v / beta) >= 0, label="any gap: at the displacement v/β it is not outweighed"),
                Always(u - beta * (t / beta) <= 0, label="any gap: at t/β it is"),
                Always(
                    Implies(Eq(u, beta * s), And(beta * s >= v, beta * s <= t)),
                    label="any gap: and every rest lies between",
                ),
            ),
        ),
        *(
            FlowRisesToRest(velocity(gap), s, 0, at_most(name) / beta, label=f"{name}: from the reference").by(
                FirstRest(AgainstPolynomial(0, 0), AgainstPolynomial(-at_most(name)))
            )
            for name, gap in gaps.items()
        ),
    ),
    referred,
    because=(
        On(
            referred.also(s),
            Always(
                Implies(Eq(velocity(trained), 0, evaluate=False), And(s > least / beta, s <= greatest / beta)),
                label="sample deviation + ε: every rest lies between",
            ).by(there(guarded, s, "the gap from below", "the gap from above")),
        ),
    ),
    kind="existence",
    depends_on=["tr-none-gap", "tr-guarded-between", "by-flow-direct", "by-div-stationary"],
    locator="Topic 9",
    title="The rest points under KL(π‖π_ref), for eight normalisers",
    short="own deviation: from the reference",
    remark=(
        "v and t are bounds of the gap: for the sample deviation + ε those of tr-guarded-between."
        " u is the gap, s how far the log-odds exceed those of the reference."
    ),
)

claim(
    "tr-direct-ends",
    Every(
        Tends(tilted, p, 0, 0, label="a vanishing reference: success vanishes"),
        Tends(tilted, beta, oo, p, label="a strong penalty: the reference"),
        Tends(tilted, beta, 0, 1, label="a weak one: success 1"),
    ),
    Domain(0 < p, p < 1, beta > 0, t > 0),
    kind="limit",
    locator="Topic 9",
    title="The tilted reference in the limits of p and of β",
    remark=(
        "At t the least and the greatest gap this gives the two ends between which a rest point lies (tr-direct-rest)."
    ),
)

counted = Domain(G >= 2, k >= 0, k <= G - 2, 0 < x, x < 1, guard > 0)
steepening = binomial_mean(weight * (k - (G - 2) * x), k, G - 2, x)
as_covariance = Equal(
    Derivative(trained, x),
    steepening / (x * (1 - x)),
    label="the slope of the gap, from the covariance of weight and number",
)
per_number = Always(
    weight * (k - (G - 2) * x) <= (G - 2) * greatest * (1 - x), label="for every number of right members"
)
steepest = claim(
    "tr-guarded-slope",
    Every(
        as_covariance,
        Always(steepening <= (G - 2) * greatest * (1 - x), label="the covariance from above").by(
            AgainstPolynomial(
                -(G - 2) * greatest * (1 - x), using=InLetters(per_number, counted, {q: q for q in (G, k, x, guard)})
            )
        ),
    ),
    any_size,
    because=(On(counted, per_number),),
    kind="inequality",
    depends_on=["tr-guarded-between"],
    locator="Topic 9",
    title="A bound of the slope of the gap with the sample deviation + ε",
)

low, high = v / beta, t / beta + 1
far_above = Domain(
    G >= 2, 0 < p, p < 1, beta > 0, guard > 0, v <= least, t >= greatest, (G - 2) * t * (1 - p) < beta * p * exp(low)
)
far = claim(
    "tr-direct-far",
    Always(
        u * (1 - moved) < beta * moved,
        using=(exp_increasing(low, s), exp_increasing(s, low), exp_positive(s), exp_positive(low)),
        label="u times the chance of failure, below β times that of success",
    ),
    Domain(0 < p, p < 1, beta > 0, u >= 0, v, s >= low, u * (1 - p) < beta * p * exp(low)),
    kind="inequality",
    locator="Topic 9",
    title="A bound of failure at a displacement s of the log-odds",
    remark=("v is a lower bound of the gap, u is G − 2 times an upper one (tr-direct-one)."),
)

falling = binomial_mean(weight * (k - (G - 2) * x), k, G - 2, x).subs(x, moved) - beta  # the slope of the velocity
SLOWER = Follows((at(steepest, {x: moved}, "for every number of right members"), at(far, {u: (G - 2) * t})))
claim(
    "tr-direct-one",
    OneRoot(velocity(trained), s, low, high, label="one rest point").by(
        StrictlyMonotone(
            -1,
            shape=SignOfDerivative(falling, AgainstPolynomial(-beta * moved, 0, using=SLOWER)),
            at_lower=AgainstPolynomial(v, 0),
            at_upper=AgainstPolynomial(-t - beta / 2, 0),
        )
    ),
    far_above,
    kind="uniqueness",
    depends_on=["tr-direct-rest", "tr-guarded-between", "tr-guarded-slope", "tr-direct-far"],
    locator="Topic 9",
    title="The rest point far above the reference, sample deviation + ε",
    remark="v and t bound the gap, by tr-guarded-between, and by tr-direct-rest every rest is between v/β and t/β.",
)
