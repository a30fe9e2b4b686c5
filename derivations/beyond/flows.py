"""On-policy gradient flows under verifiable rewards: where they rest, and from where they get there.

Statement.   Fresh groups at every instant, any group size, n_+ correct and n_− wrong answers. Natural gradient with
             GRPO's penalty KL_0 (or KL(π_ref‖π), whose flows are the same): the success probability alone obeys ẋ =
             m_G(x) − β(x − p), which has one rest point and reaches it from every start; inside a class the answers
             fall back to the proportions of π_ref. The natural and the softmax flow climb one potential, so they reach
             the same policy, also where it is a minimum of its own frozen objective. Direct KL: from π_ref on the
             log-odds t obey ṫ = Δ_G(x) − β(t − logit p). Groups of two and three have one rest point in closed form;
             groups of four and five have one for every reference exactly when β ≥ (2 − √3)/6 and β ≥ (3 − √6)/(3√3)
             in turn.
Source.      Question 3 of our own theory; the two-answer case of groups of two and of large groups is in Vojnovic &
             Yun, vy-s13-ascent-reaches.
Domain.      Policies with full support; 0 < p < 1, β > 0; Δ_G is the expected advantage gap, m_G = x(1 − x)Δ_G.
Derivation.  Objective with π_old frozen → its slope in each answer → π_old = π → the rates of the flow → sums over the
             classes.
Caveats.     Exact expected gradients and continuous time. A finite step is best_response.py in its extreme.
Letters.     x is success on the way and s at rest, y that of the policy that samples, z any; in labels and remarks t is
             the log-odds of x, in by-flow-potential and by-flow-rate the time. u and −v are the expected advantages of
             a correct and of a wrong answer, Δ is u + v, and at rest v is the slope of m_G there; q is a success from
             which the velocity is not positive. P(o) is any slope in π(o), whose weights in by-flow-forward-kl add up
             to 0, and Ψ the potential. h is that of vy-B2-h, positive where the log-odds of success grow, x* where it
             is least, and β*(p) the β at which h(x*) is 0. Δ_G(x) is the gap of the expected advantages of right and
             wrong answers.
"""

from grpo_symbolic.paper import *

from ..vojnovic_yun.direct_kl_large_groups import h, least_of_h, star
from .any_group import excess, gap, strength, success_slope
from .group_size_gap import bounds, concave

claim = Result(__file__).claim

CLASSES = {"hit": (hit, hit_old, hit_ref, n_hit), "miss": (miss, miss_old, miss_ref, n_miss)}

# -- slopes, on-policy ------------------------------------------------------------------------------------------------
# u is the expected advantage of a correct answer and −v that of a wrong one, both frozen with π_old; u + v is Δ_G.
answers = Domain(
    n_hit >= 1,
    n_miss >= 1,
    0 < x,
    x < 1,
    0 < p,
    p < 1,
    beta > 0,
    u > 0,
    v > 0,
    simplex(hit, n_hit, x),
    simplex(miss, n_miss, 1 - x),
    simplex(hit_ref, n_hit, p),
    simplex(miss_ref, n_miss, 1 - p),
)


def slopes(penalty):
    """The frozen objective's slope in each correct and each wrong answer, with π_old = π put in afterwards."""
    reward = Sum(hit[o], (o, 1, n_hit)) * u - Sum(miss[o], (o, 1, n_miss)) * v
    objective = reward - beta * sum(penalty(new, ref, old, Answers(size)) for new, old, ref, size in CLASSES.values())

    def at(policy):
        def slope(a):
            value = partial(objective, policy[a])
            return identify(identify(value, hit_old, hit), miss_old, miss)

        return slope

    return at(hit), at(miss)


def kl0(new, ref, old, size):
    return GRPO_PENALTY.expected(new, ref, old, size, o)


def direct(new, ref, old, size):
    return REVERSE_KL.expected(new, ref, old, size, o)


def forward(new, ref, old, size):
    return forward_kl(new, ref, size, o)


def natural(penalty):
    """The rates of the natural gradient flow: each answer grows with its slope's lead over the average."""
    up, down = slopes(penalty)
    mean = Sum(hit[o] * up(o), (o, 1, n_hit)) + Sum(miss[o] * down(o), (o, 1, n_miss))
    return lambda a: hit[a] * (up(a) - mean), lambda a: miss[a] * (down(a) - mean)


def softmax(penalty):
    """The rates when every logit of a softmax policy climbs: twice the lead over the average, weighted each time."""
    logits = natural(penalty)
    total = Sum(hit[o] * logits[0](o), (o, 1, n_hit)) + Sum(miss[o] * logits[1](o), (o, 1, n_miss))
    return lambda a: hit[a] * (logits[0](a) - total), lambda a: miss[a] * (logits[1](a) - total)


up0, down0 = slopes(kl0)
rise, fall = natural(kl0)
velocity = x * (1 - x) * (u + v) - beta * (x - p)
pair = answers.also(1 <= j, j <= n_hit, 1 <= k, k <= n_hit)
own = x * u - (1 - x) * v  # the average advantage; zero, but the flow does not need that

claim(
    "by-flow-natural",
    Equal(Sum(rise(o), (o, 1, n_hit)), velocity, label="the correct answers together"),
    answers,
    because=(
        Equal(Sum(fall(o), (o, 1, n_miss)), -velocity, label="the wrong answers together"),
        Equal(
            rise(k) / hit_ref[k] - rise(j) / hit_ref[j],
            (hit[k] / hit_ref[k] - hit[j] / hit_ref[j]) * (u - own - beta),
            label="two correct answers: the rate of the difference of their ratios to the reference",
        ),
        Equal(
            fall(k) / miss_ref[k] - fall(j) / miss_ref[j],
            (miss[k] / miss_ref[k] - miss[j] / miss_ref[j]) * (-v - own - beta),
            label="two wrong answers: likewise",
        ),
    ),
    kind="dynamics",
    locator="Question 3",
    title="Natural gradient with KL_0: the equation of the success probability",
    remark="u and −v are the expected advantages of a correct and of a wrong answer.",
)

# -- one rest point, for every group size -----------------------------------------------------------------------------
# The velocity is concave in x, βp at 0: it vanishes once, and leads there from either side.
any_size = Domain(G >= 2, 0 < p, p < 1, beta > 0)
claim(
    "by-flow-one-rest-point",
    On(
        Domain(G >= 2, 0 < p, p < s, s < 1, beta > 0, strength(G, s, p)),
        FlowTends(-excess(G, x, p), x, 0, 1, s, label="every flow leads there").by(
            ConcaveVelocity(beta * p, shape=ByDifferences(), end=AtAnEnd())
        ),
    ),
    any_size,
    kind="limit",
    depends_on=["by-flow-natural", "by-stationary-unique", "by-gap-drive-concave"],
    locator="Question 3",
    title="KL_0, any group size: the rest point of success and its basin",
    remark="The rest point is the stationary policy of by-stationary-unique.",
)

# At rest, where β is this, the slope v of the concave m_G is below the chord from the reference, and so below β.
steepening = diff(success_slope(G, s), s)
resting = Domain(G >= 2, 0 < p, p < s, s < 1, strength(G, s, p))
with_slope = resting.also(Eq(v, steepening, evaluate=False))
below_tangent = Always(success_slope(G, p) <= success_slope(G, s) - v * (s - p)).by(
    Tangent(success_slope(G, x), x, Domain(G >= 2, 0 < x, x < 1), p, s, -1, ByDifferences())
)
positive = Always(success_slope(G, p) > 0).by(Follows((at(concave, {x: p}),), ("positive between",)))
comes_to_rest = ConcaveVelocity(beta * p, shape=ByDifferences(), end=AtAnEnd())
claim(
    "by-flow-rate",
    Every(
        Always(v < beta, label="the slope of m_G is below β").by(Then((below_tangent, positive))),
        FlowAtRate(-excess(G, x, p), x, 0, 1, s, beta - v, label="every flow comes to rest at this rate").by(
            SlopeAtRest(comes_to_rest)
        ),
    ),
    with_slope,
    kind="stability",
    depends_on=["by-flow-one-rest-point", "by-gap-drive-concave"],
    locator="Question 3",
    title="KL_0, any group size: exponential rate of the flow of success",
)

# Inside a class the disparities die out: their rate tends to that at the rest point, which is negative.
shares = Sum(hit_ref[j] * (hit[k] / hit_ref[k] - hit[j] / hit_ref[j]), (j, 1, n_hit))
claim(
    "by-flow-classes",
    On(
        resting,
        Every(
            DiesOut(
                -excess(G, x, p),
                x,
                success_slope(G, x) / x - beta,
                0,
                1,
                s,
                beta * p / s,
                label="correct answers: their disparities, as (1 − x)Δ_G = m_G/x",
            ).by(DrivenToRest(comes_to_rest)),
            DiesOut(
                -excess(G, x, p),
                x,
                -success_slope(G, x) / (1 - x) - beta,
                0,
                1,
                s,
                beta * (1 - p) / (1 - s),
                label="wrong answers: theirs, as xΔ_G = m_G/(1 − x)",
            ).by(DrivenToRest(comes_to_rest)),
        ),
    ),
    answers,
    because=(
        On(
            Domain(0 < x, x < 1, beta > 0, u, v),
            Every(
                Equal(u - own - beta, (1 - x) * (u + v) - beta, label="correct answers: (1 − x)Δ_G − β, Δ_G = u + v"),
                Equal(-v - own - beta, -x * (u + v) - beta, label="wrong answers: −xΔ_G − β"),
            ),
        ),
        Equal(
            hit[k] / x - hit_ref[k] / p,
            hit_ref[k] / (x * p) * shares,
            label="the proportions of correct answers less those of the reference, by differences of the ratios",
        ),
    ),
    kind="limit",
    depends_on=["by-flow-natural", "by-flow-one-rest-point", "by-gap-drive-concave", "by-gap-weight"],
    locator="Question 3",
    title="Natural gradient with KL_0: proportions inside the classes",
    remark=(
        "The difference of the ratios to the reference of two answers of a class moves at these rates "
        "(by-flow-natural). So the natural flow reaches the stationary policy from every policy with full support, "
        "however many answers are correct."
    ),
)

# -- every flow climbs one potential ----------------------------------------------------------------------------------
# Ψ = ∫ Δ_G + β Σ π_ref log π. Along x the integral has slope Δ_G = u + v.
potential = (u + v) * Sum(hit[o], (o, 1, n_hit)) + beta * sum(
    Sum(ref[o] * log(new[o]), (o, 1, size)) for new, _, ref, size in CLASSES.values()
)
mean_slope = Sum(pi[o] * P[o], (o, 1, n))
logit_rate = lambda a: pi[a] * (P[a] - mean_slope)  # noqa: E731
softmax_rate = lambda a: pi[a] * (logit_rate(a) - Sum(pi[o] * logit_rate(o), (o, 1, n)))  # noqa: E731
claim(
    "by-flow-potential",
    Every(
        Equal(
            up0(k) - partial(potential, hit[k]),
            -v - beta,
            label="correct answers: the on-policy slope is that of Ψ, up to a constant",
        ),
        Equal(down0(k) - partial(potential, miss[k]), -v - beta, label="wrong answers: with the same constant"),
        On(
            Domain(n >= 2, simplex(pi, n), reals(P, n)),
            Every(
                Equal(
                    Sum(P[o] * pi[o] * (P[o] - mean_slope), (o, 1, n)),
                    Sum(pi[o] * (P[o] - mean_slope) ** 2, (o, 1, n)),
                    label="the natural flow climbs",
                ),
                Equal(
                    Sum(P[o] * softmax_rate(o), (o, 1, n)),
                    Sum(pi[o] ** 2 * (P[o] - mean_slope) ** 2, (o, 1, n)),
                    label="the softmax flow climbs",
                ),
            ),
        ),
    ),
    answers,
    because=(
        On(
            Domain(beta > 0, 0 < p, p < 1),
            Tends(beta * p * log(x), x, 0, -oo, label="Ψ falls without bound where an answer dies out"),
        ),
        On(
            Domain(0 < x, x < 1),
            Equal(
                Derivative(2 * sqrt(x), x),
                1 / sqrt(x),
                label="while the integral of Δ_G ≤ 1/√x + 1/√(1 − x) stays bounded",
            ),
        ),
        On(
            Domain(0 < x, x < 1),
            Always(
                1 / sqrt(x * (1 - x)) <= 1 / sqrt(x) + 1 / sqrt(1 - x),
                label="1/√x + 1/√(1 − x) bounds the gap of large groups",
            ),
        ),
    ),
    kind="limit",
    depends_on=["by-flow-one-rest-point", "by-flow-classes", "by-gap-bounds"],
    lemmas=[
        "the fundamental theorem of calculus, d/dx ∫ Δ_G = Δ_G, and the chain rule along the flow",
        "LaSalle: a gradient flow whose potential has compact upper level sets inside and one stationary point "
        "converges to it",
    ],
    locator="Question 3",
    title="KL_0, any group size, finitely many answers: a potential of the flows",
    says=(
        r"\text{rewards }0,1:\ "
        r"\frac d{dt}\Psi(\pi_t)\ge0\text{ along softmax and natural gradient, so }\pi_t\to\text{the stationary policy}"
    ),
    remark=(
        "Ψ is the antiderivative of Δ_G plus β Σ π_ref log π; u and −v are the advantages of a correct and of a wrong "
        "answer."
    ),
)

up1, down1 = slopes(forward)
rise1, fall1 = natural(forward)
claim(
    "by-flow-forward-kl",
    Every(
        Equal(up0(k) - up1(k), -beta, label="correct answers: the slopes differ by a constant"),
        Equal(down0(k) - down1(k), -beta, label="wrong answers: by the same one"),
        On(
            Domain(n >= 2, reals(pi, n), reals(P, n), beta > 0, Eq(Sum(pi[o], (o, 1, n)), 0)),
            Equal(
                Sum(pi[o] * (P[o] - beta), (o, 1, n)),
                Sum(pi[o] * P[o], (o, 1, n)),
                label="which drops out of every rate of the simplex: weights of slopes that add up to zero",
            ),
        ),
    ),
    answers,
    because=(
        Equal(rise(k), rise1(k), label="so the natural flow is the same: correct answers"),
        Equal(fall(k), fall1(k), label="and wrong ones"),
        Equal(softmax(kl0)[0](k), softmax(forward)[0](k), label="and the softmax flow: correct answers"),
        Equal(softmax(kl0)[1](k), softmax(forward)[1](k), label="and wrong ones"),
    ),
    kind="identity",
    depends_on=["by-flow-natural"],
    locator="Question 3; Question 7",
    title="On-policy flows of KL(π_ref‖π) and of KL_0",
    remark="u and −v are the advantages of a correct and of a wrong answer; in the third part π is a direction, whose "
    "entries add up to 0.",
)

# -- attracting though not a maximum ----------------------------------------------------------------------------------
two_answers = {success: y, success_ref: p}
frozen = {size: frozen_objective(Advantage(), size, "k3").subs(two_answers) for size in (2, 4, oo)}
of_pairs = x - y - beta * GRPO_PENALTY.expected(binary(x), binary(p), binary(y), Answers(2), o)
witness = {p: Rational(1, 100), x: Rational(1, 10)}


def charge(size):
    """β for which 1/10 is stationary for the reference 1/100."""
    return success_gradient(size, x).subs(witness) / (witness[x] - witness[p])


def sized(size):
    """The group size in words of a label."""
    return "large groups" if size == oo else f"G = {size}"


def leads_there(size):
    """That the flow of success tends to 1/10; in groups of two its velocity is 1/100 − x²."""
    velocity = success_gradient(size, x) - charge(size) * (x - witness[p])
    velocity = velocity.expand() if size == 2 else velocity
    return On(
        Domain(),
        FlowTends(velocity, x, 0, 1, witness[x], label=f"{sized(size)}: where the flow goes").by(
            ConcaveVelocity(charge(size) * witness[p])
        ),
    )


claim(
    "by-flow-beyond-maxima",
    Every(
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1, Eq(p, witness[p]), Eq(beta, charge(2))),
            LocalMaximum(
                of_pairs,
                x,
                witness[x],
                ((y, witness[x]),),
                sense=-1,
                label="G = 2: a strict local minimum of its own objective",
            ),
        ),
        leads_there(2),
    ),
    Domain(0 < p, p < x, x < 1),
    because=(
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1, 0 < p, p < 1, beta > 0),
            Equal(frozen[2], of_pairs, label="G = 2: the objective, y held fixed"),
        ),
        *(
            On(
                Domain(0 < p, p < x, x < 1, beta > 0),
                Exists(
                    And(
                        Eq(success_gradient(size, x), beta * (x - p)),
                        diff(J, x, 2).subs(y, x) > 0,
                    ),
                    {**witness, beta: charge(size)},
                    label=f"{sized(size)}: stationary, and a minimum of its own objective",
                ),
            )
            for size, J in frozen.items()
        ),
        *(leads_there(size) for size in (4, oo)),
    ),
    kind="stability",
    depends_on=["by-flow-natural"],
    locator="Question 3; Question 2",
    title="A limit of the flows at a local minimum of its own frozen objective",
    remark="The headline is for groups of two; the steps have groups of four and large ones at the same place.",
)

# -- direct KL --------------------------------------------------------------------------------------------------------
rise_d, fall_d = natural(direct)
lead = lambda a: log(hit[a] / hit_ref[a])  # noqa: E731
behind = lambda a: log(miss[a] / miss_ref[a])  # noqa: E731
claim(
    "by-flow-direct",
    Every(
        Equal(
            rise_d(k) / hit[k] - rise_d(j) / hit[j],
            -beta * (lead(k) - lead(j)),
            label="two correct answers: their log-ratios meet at the rate β",
        ),
        Equal(
            fall_d(k) / miss[k] - fall_d(j) / miss[j],
            -beta * (behind(k) - behind(j)),
            label="two wrong answers: likewise",
        ),
        Equal(
            rise_d(k) / hit[k] - fall_d(j) / miss[j],
            u + v - beta * (lead(k) - behind(j)),
            label="a correct answer against a wrong one",
        ),
    ),
    answers,
    kind="dynamics",
    locator="Question 3",
    title="Natural gradient with the direct KL: equations of the log-ratios",
    depends_on=["by-gap-exact"],
    short="a correct answer against a wrong one",
    remark=(
        "u and −v are the expected advantages of a correct and of a wrong answer, so that u + v = Δ_G(x): "
        "by-gap-exact. So inside a class log-ratios meet at the rate β, and from π_ref on the classes keep the "
        "proportions of the reference. In these proportions the log-ratios are those of x and 1 − x, and "
        "the log-odds t of success obey ṫ = Δ_G(x) − β(t − logit p)."
    ),
)

# Two rest points need Δ_G to rise faster than β somewhere: dΔ_G/dt = x(1 − x)Δ_G'. With z = 2x − 1, x(1 − x) = (1 −
# z²)/4.
turn = {4: (2 - sqrt(3)) / 6, 5: (3 - sqrt(6)) / (3 * sqrt(3))}
half = Rational(1, 2)
steepest = half + sqrt(3) / 6
gain = {size: x * (1 - x) * diff(gap_in_variance(size, x * (1 - x)), x) for size in turn}
open_unit = Domain(0 < x, x < 1)
gap_of = {2: Integer(1), 3: sqrt(2), **{size: gap_in_variance(size, x * (1 - x)) for size in turn}}


def logit(at):
    """The log-odds of a success."""
    return log(at / (1 - at))


def lead_of(size, at):
    """``Δ_G(x) − β logit x``: how fast the log-odds of a success grow, but for the reference."""
    return gap_of[size].subs(x, at) - beta * logit(at)


def one_rest(size, where, shape=None):
    """One rest point for every reference, and where it is, every flow leads there: from the log-odds of the reference
    that this point fixes.
    """
    falling = {
        "below": TwoValues(lead_of(size, z), z, where.also(0 < z, z < 1), (x, s), -1, shape),
        "above": TwoValues(lead_of(size, z), z, where.also(0 < z, z < 1), (s, x), -1, shape),
    }
    order = {
        side: Then((Always(less < more).by(rule),))
        for (side, rule), (less, more) in zip(
            falling.items(),
            ((lead_of(size, s), lead_of(size, x)), (lead_of(size, x), lead_of(size, s))),
            strict=True,
        )
    }
    there = x * (1 - x) * (lead_of(size, x) - lead_of(size, s))
    return Every(
        On(
            where.also(0 < p, p < 1),
            OneRoot(lead_of(size, x) + beta * logit(p), x, 0, 1, label=f"G = {size}: one rest point").by(
                StrictlyMonotone(-1, (oo, -oo), shape=shape)
            ),
        ),
        On(
            where.also(0 < s, s < 1),
            FlowTends(there, x, 0, 1, s, label=f"G = {size}: which attracts from everywhere").by(
                SignOfVelocity(**order)
            ),
        ),
    )


def three_rests(size, where):
    """Where the steepest point rests, one more rest point on either side."""
    body, beside = lead_of(size, x) - lead_of(size, steepest), {"rising": True, "over": (0, 1)}
    return On(
        where,
        Every(
            TakesValue(
                body, x, 0, steepest, label=f"G = {size}: where ½ + √3/6 is at rest, another rest point below it"
            ).by(BesideARoot("upper", limit=oo, **beside)),
            TakesValue(body, x, steepest, 1, label=f"G = {size}: and one above it").by(
                BesideARoot("lower", limit=-oo, **beside)
            ),
        ),
    )


claim(
    "by-flow-direct-one",
    Every(
        *(
            On(
                open_unit,
                Equal(advantage_gap(size, x), gap_of[size], label=f"G = {size}: the gap Δ_G(x), as a polynomial"),
            )
            for size in gap_of
        ),
        *(one_rest(size, Domain(beta > 0)) for size in (2, 3)),
        *(one_rest(size, Domain(beta >= limit), ButForAPoint(steepest)) for size, limit in turn.items()),
        *(three_rests(size, Domain(0 < beta, beta < limit)) for size, limit in turn.items()),
    ),
    Domain(beta > 0),
    kind="uniqueness",
    depends_on=["by-flow-direct"],
    locator="Question 3",
    title="Direct KL, groups of two to five: one attracting rest point, and for four and five its threshold of β",
    short=("G = 4: one rest point", "G = 4: which attracts from everywhere"),
    remark=(
        "The headline is for G = 4. For G = 5 the threshold is (3 − √6)/(3√3), and groups of two and three have none: "
        "it is so for every β. The velocity of x is x(1 − x) times that of its log-odds. For every G the largest "
        "slope of Δ_G in the log-odds is at most √(G − 1)/3 (by-br-direct-every-size); for G → ∞ there is no such "
        "threshold (vy-B2-two-roots)."
    ),
)

odds = p / (1 - p)


def tilted(gap):
    """The reference with its odds of success multiplied by e^(Δ/β)."""
    return p * exp(gap / beta) / (1 - p + p * exp(gap / beta))


def started(gap):
    """The velocity of the success with this gap, of which the reference is the start."""
    return x * (1 - x) * (gap - beta * (logit(x) - log(odds)))


# Δ_G ≤ √(G − 1): where the log-odds have grown by √(G − 1)/β, the velocity is not positive any more.
beyond = any_size.also(p < q, q < 1, sqrt(G - 1) <= beta * (logit(q) - log(odds)))
claim(
    "by-flow-direct-start",
    Every(
        On(
            beyond,
            FlowRisesToRest(started(gap(G, x)), x, p, q, label="every G: up to the lowest rest point").by(
                FirstRest(
                    at_start=Follows((at(bounds, {x: p}, "from below"),)),
                    at_end=Follows((at(bounds, {x: q}, "from above"),)),
                )
            ),
        ),
        On(
            Domain(0 < p, p < 1, beta > 0, h(star) > 0),
            PassesEveryLevel(
                started(1 / sqrt(x * (1 - x))), x, p, 1, label="up to 1 where h(x*) > 0, which is β < β*(p)"
            ).by(PositiveThroughout(Follows((least_of_h,), ("h is at least h(x*)",)))),
        ),
    ),
    Domain(0 < p, p < 1, beta > 0),
    because=(
        On(
            any_size,
            Equal(
                logit(tilted(sqrt(G - 1))) - log(odds),
                sqrt(G - 1) / beta,
                label="the point whose odds are e^(√(G − 1)/β) times those of p is such a q",
            ),
        ),
        On(
            Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0),
            Equal(
                beta * h(),
                advantage_gap(oo, x) - beta * (logit(x) - log(odds)),
                label="large groups: the velocity of the log-odds is βh of vy-B2-h",
            ),
        ),
        *(
            On(
                Domain(0 < p, p < 1, beta > 0),
                Equal(
                    (advantage_gap(size, x).expand() - beta * (logit(x) - log(odds))).subs(
                        x, tilted(advantage_gap(size, x).expand())
                    ),
                    0,
                    label=f"G = {size}: rest where the odds are e^(Δ/β) times those of p",
                ),
            )
            for size in (2, 3)
        ),
    ),
    kind="limit",
    depends_on=["by-flow-direct", "by-gap-bounds", "vy-B2-h-positive-small-beta"],
    locator="Question 3",
    title="Direct KL: the flow from π_ref",
)
