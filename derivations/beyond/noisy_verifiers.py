"""Noisy verifiers and ties: which closed forms survive, and what stands in for the others.

Statement.   A verifier accepts a correct answer with probability u and a wrong one with w < u. Only the rate s = ux +
             w(1 − x) at which it accepts is seen, and the gap is (u − w)Δ_G(s). Groups of two and three keep formula
             (14), with β/(u − w) and β/(√2(u − w)); large groups lose (15) for a quartic, of which a vanishing
             reference without false alarms leaves a quadratic. For every group size there is still one stationary
             policy; it lies above π_ref and not above that of the perfect verifier. False alarms bound the jump: a
             vanishing π_ref leaves a positive success only for β < (u − w)Δ_G(w). Ties cost groups of two their margin
             and nothing else; in groups of three the margin does not determine the policy. Large groups with any reward
             laws: one stationary policy.
Source.      Question 4 of our own theory; Vojnovic & Yun (2025), (14), (15) and vy-eq15-* for stochastic rewards.
Domain.      0 < p, x < 1, β > 0, 0 ≤ w < u ≤ 1, independent verdicts.
Derivation.  Expected advantages of an accepted and of a rejected answer (all groups) → mixed by u and w → stationary
             equation → concavity of m_G.
Caveats.     The verdicts are independent given the answer. A verifier that always accepts the same wrong answers is a
             different reward, not noise.
Letters.     u and w are the chances that a correct and a wrong answer are accepted; x is success under the policy, p
             under the reference, y under the policy that samples; z is the limit of x, or success with perfect
             verdicts. s and t are advantages of accepted and of rejected outputs. In by-noise-ties y is the probability
             of a, z the chance that it is worth ½, w_> and w_= those of a win and of a tie. In by-noise-any-law q is
             r_a − r_b, v_a and v_b are the variances of the rewards of a and b, v is that of all and t its slope in x.
             Δ_G(x) is the gap of the expected advantages of right and wrong answers. (14) and (15) are equations of
             Vojnovic & Yun.
"""

from itertools import pairwise

from grpo_symbolic.notation import false_alarm as w
from grpo_symbolic.paper import *
from grpo_symbolic.proof import at as cited

from .any_group import by_side, gap, stationary
from .group_size_gap import bounds, gap_shape, in_slope
from .group_size_gap import pairs as pairs_weight
from .rare_success import falls

claim = Result(__file__).claim

policy, old, reference, two = binary(x), binary(y), binary(p), Answers(2)
accepted = x * u + (1 - x) * w


def verified(size, at=y):
    """Expected advantages of a correct and of a wrong answer: what a verdict is worth, mixed by the verdicts'
    chances."""
    rate = at * u + (1 - at) * w
    worth = [Advantage().preference(k, (rate, 1 - rate), (1, 0), two, size, o) for k in (0, 1)]
    return [chance * worth[0] + (1 - chance) * worth[1] for chance in (u, w)]


def objective(size):
    """The frozen objective of a correct and a wrong answer under the noisy verifier."""
    return grpo(beta, group_size=size).value(policy, old, reference, verified(size).__getitem__, two)


# -- the gap ---------------------------------------------------------------------------------------------------------
inside = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0, 0 <= w, w < u, u <= 1)
mixed_worth = [chance * s + (1 - chance) * t for chance in (u, w)]
worth_of_verdicts = grpo(beta).value(policy, old, reference, mixed_worth.__getitem__, two)
claim(
    "by-noise-gap",
    On(
        inside.also(G >= 2, s, Eq(t, s - gap(G, accepted))),
        Always(
            Equivalent(
                Eq(on_policy_slope(worth_of_verdicts, x, y), 0, evaluate=False),
                Eq(beta * (x - p), x * (1 - x) * (u - w) * (s - t), evaluate=False),
            ),
            label="stationary, s − t being the gap at the rate of acceptance",
        ),
    ),
    inside,
    because=(
        On(
            Domain(u, w, s, t),
            Equal(
                (u * s + (1 - u) * t) - (w * s + (1 - w) * t),
                (u - w) * (s - t),
                label="any advantages s of an accepted and t of a rejected answer",
            ),
        ),
        On(
            inside,
            Equal(
                on_policy_slope(objective(oo), x, y),
                (u - w) / sqrt(accepted * (1 - accepted)) - beta * (x - p) / (x * (1 - x)),
                label="large groups: the slope of the objective",
            ),
        ),
    ),
    locator="Question 4",
    title="A noisy verifier: the equation of the stationary policy, s − t for the gap of verdicts",
    depends_on=["by-gap-exact", "by-stationary-equation"],
    remark=(
        "s and t are the expected advantages of an accepted and of a rejected answer, which are Δ_G apart, at the rate "
        "at which verdicts accept (by-gap-exact). "
        "True positives at the rate u, false positives at the rate w. At w = u the difference (u − w)(s − t) is 0, and "
        "for w > u its sign is turned."
    ),
)

# -- closed forms -----------------------------------------------------------------------------------------------------
plane = Domain(0 < p, p < 1, beta > 0, 0 <= w, w < u, u <= 1)
d = Derivation("by-noise-pairs", inside)
Q = {}
for size in (2, 3):
    start = d.start(on_policy_slope(objective(size), x, y), f"groups of {size}, on-policy")
    Q[size] = d.rewrite(
        -(start * x * (1 - x)),
        beta * (x - p) - sqrt(size - 1) * (u - w) * x * (1 - x),
        "times −x(1 − x): the acceptance rate is gone",
    )
claim(
    "by-noise-pairs",
    Every(
        *(
            On(
                plane.also(Eq(gamma, sqrt(size - 1) * (u - w))),
                UniqueRoot(beta * (x - p) - gamma * x * (1 - x), x, pairs(beta / gamma, p), label=f"G = {size}, in γ"),
            )
            for size in (2, 3)
        ),
    ),
    plane,
    because=tuple(
        UniqueRoot(Q[size], x, pairs(beta / (sqrt(size - 1) * (u - w)), p), label=f"G = {size}") for size in (2, 3)
    ),
    by=d,
    kind="closed form",
    depends_on=["by-noise-gap", "vy-eq14"],
    locator="Question 4; (14)",
    title="Groups of two and three under noise: the stationary policy in closed form",
    remark="u and w are the chances that a right and a wrong answer are accepted; γ is u − w in groups of two, and √2 "
    "times as much in groups of three.",
)

quartic = beta**2 * (x - p) ** 2 * accepted * (1 - accepted) - ((u - w) * x * (1 - x)) ** 2
one_sided = beta**2 * x * (1 - u * x) - u * (1 - x) ** 2  # p = 0, w = 0
even_noise = {u: Rational(9, 10), w: Rational(1, 10), beta: 1, p: Rational(1, 5)}
scaled_up = large_groups(beta / (u - w), p)
claim(
    "by-noise-large",
    On(
        inside,
        Equal(
            (beta * (x - p)) ** 2 - (x * (1 - x) * (u - w) / sqrt(accepted * (1 - accepted))) ** 2,
            quartic / (accepted * (1 - accepted)),
            label="squared and cleared: degree four in x",
        ),
    ),
    plane,
    because=(
        On(
            plane,
            Exists(
                quartic.subs(x, scaled_up) > Rational(1, 10**4),
                even_noise,
                label="(15) with β/(u − w) is not its root: u = 9/10, w = 1/10, β = 1, p = 1/5",
            ),
        ),
        On(
            plane,
            Exists(quartic.subs(x, large_groups(beta, p)) > Rational(1, 1000), even_noise, label="nor is (15) itself"),
        ),
        On(
            inside,
            Equal(
                quartic.subs({w: 0, p: 0}),
                u * x**2 * one_sided,
                label="no false alarms, vanishing reference: a quadratic",
            ),
        ),
        On(
            Domain(beta > 0, 0 < u, u < 1),
            TakesValue(
                one_sided,
                x,
                0,
                1,
                label="the quadratic, −u at 0 and β²(1 − u) at 1: a root in (0, 1)",
            ),
        ),
        On(
            Domain(beta > 0),
            Every(
                Equal(one_sided.subs({u: 1, x: 1 / (1 + beta**2)}), 0, label="and at u = 1 this root"),
                Always(And(0 < 1 / (1 + beta**2), 1 / (1 + beta**2) < 1), label="which is below 1"),
            ),
        ),
    ),
    kind="closed form",
    depends_on=["by-noise-gap", "vy-eq15"],
    locator="Question 4; (15)",
    title="Large groups under noise: a quartic for the stationary policy",
    remark="The left side is the square of β(x − p) less that of x(1 − x) times the gap: 0 at a stationary policy.",
)

# -- one policy, and a worse one --------------------------------------------------------------------------------------
# The gradient of success is β(x − p) = x(1 − x)(u − w)Δ_G(s). As (1 − s)Δ_G(s) is the advantage of an accepted answer,
# which falls in s, the right side over x falls in x, while the left side over x rises: they meet once.
noisy = Domain(G >= 2, 0 < p, p < 1, beta > 0, 0 <= w, w < u, u <= 1)
elsewhere = noisy.also(0 < x, x < 1, 0 < z, z < 1)
DRAWN, LARGER, MORE = "counted with a wrong member", "larger at a smaller success", "from below"


def accepts(at):
    """How often a verdict accepts at this success."""
    return at * u + (1 - at) * w


def climb(at):
    """``x(1 − x)(u − w)Δ_G(s)``, which β(x − p) is at a stationary policy."""
    return (u - w) * at * (1 - at) * gap(G, accepts(at))


def climb_in_large_groups(at):
    """The same for G → ∞."""
    return (u - w) * at * (1 - at) / sqrt(accepts(at) * (1 - accepts(at)))


def seen(*successes):
    """What is known at these successes, in order, and of the next two of them."""
    rates = [accepts(at) for at in successes]
    falling = [cited(falls, {x: more, z: less}, LARGER) for less, more in pairwise(rates)]
    return Follows(
        (
            *(cited(pairs_weight, {x: s}, DRAWN) for s in rates),
            *(cited(bounds, {x: s}, MORE) for s in rates),
            *falling,
        )
    )


def sure(at):
    """The same as ``climb_in_large_groups`` where every success is seen, u = 1."""
    return sqrt(1 - w) * at * sqrt(1 - at) / sqrt(accepts(at).subs(u, 1))


large_noisy = Domain(0 < p, p < 1, beta > 0, 0 <= w, w < u, u < 1)
claim(
    "by-noise-unique",
    Every(
        OneRoot(beta * (x - p) - climb(x), x, p, 1, label="one above the reference").by(
            BeyondEachRoot(y, True, at_lower=seen(p), beyond=seen(x, y))
        ),
        On(
            noisy.also(0 < x, x < 1),
            Always(Implies(Eq(beta * (x - p), climb(x), evaluate=False), p < x), label="and none below it").by(seen(x)),
        ),
    ),
    noisy,
    because=(
        On(
            large_noisy,
            OneRoot(beta * (x - p) - climb_in_large_groups(x), x, p, 1, label="large groups").by(
                BeyondEachRoot(y, True)
            ),
        ),
        On(
            Domain(0 < p, p < 1, beta > 0, 0 <= w, w < 1),
            Every(
                OneRoot(beta * (x - p) - sure(x), x, p, 1, label="large groups, every success seen (u = 1)").by(
                    BeyondEachRoot(y, True)
                ),
                On(
                    Domain(0 < x, x < 1, 0 <= w, w < 1),
                    Equal(climb_in_large_groups(x).subs(u, 1), sure(x), label="their term at u = 1"),
                ),
            ),
        ),
    ),
    kind="uniqueness",
    depends_on=["by-noise-gap", "by-gap-bounds", "by-gap-weight", "by-rare-advantage"],
    locator="Question 4",
    title="A noisy verifier, any group size: existence and uniqueness",
)

# (1 − s)Δ_G(s) falls in s and, with right and wrong exchanged, sΔ_G(s) rises: so (u − w)Δ_G(s) ≤ Δ_G(x), whether the
# verifier accepts too much or too little.
rarer = Follows(
    (
        cited(pairs_weight, {x: 1 - accepts(x)}, DRAWN),
        cited(pairs_weight, {x: 1 - x}, DRAWN),
        cited(falls, {x: 1 - accepts(x), z: 1 - x}, LARGER),
        cited(gap_shape, {x: accepts(x)}, "symmetric"),
        cited(gap_shape, {}, "symmetric"),
        cited(bounds, {}, MORE),
    )
)
commoner = Follows(
    (
        cited(pairs_weight, {x: accepts(x)}, DRAWN),
        cited(pairs_weight, {}, DRAWN),
        cited(falls, {x: accepts(x), z: x}, LARGER),
        cited(bounds, {}, MORE),
    )
)
as_often = Equal(gap(G, accepts(x)), gap(G, x))
positive_gap = Always(gap(G, x) > 0).by(Follows((cited(bounds, {}, MORE),)))
less = Always((u - w) * gap(G, accepts(x)) <= gap(G, x), label="the gap is no larger").by(
    InEachCase(
        (
            (accepts(x) < x, rarer),
            (Eq(w, x * (1 - u) / (1 - x)), Then((as_often, positive_gap))),
            (accepts(x) > x, commoner),
        )
    )
)
claim(
    "by-noise-lowers",
    Every(
        On(noisy.also(0 < x, x < 1), less),
        On(
            elsewhere,
            Always(
                Implies(Eq(beta * (x - p), climb(x), evaluate=False) & stationary(G, z, p), x <= z),
                label="and the success of the stationary policy",
            ).by(by_side(G, t, p, using=Then((less, in_slope)))),
        ),
    ),
    noisy,
    because=(
        On(
            inside,
            Always(
                (u - w) / sqrt(accepted * (1 - accepted)) <= 1 / sqrt(x * (1 - x)),
                label="large groups: the variance of the verdict covers that of its mean",
            ),
        ),
        On(
            inside.also(0 < z, z < 1),
            Always(
                Implies(
                    Eq(beta * (x - p), climb_in_large_groups(x), evaluate=False)
                    & Eq(success_equation(oo, z, p, beta), 0, evaluate=False),
                    x <= z,
                ),
                label="and the success of their stationary policies",
            ).by(SideOfRoot(success_equation(oo, t, p, beta), t, -beta * p)),
        ),
    ),
    kind="monotonicity",
    depends_on=["by-noise-unique", "by-gap-shape", "by-gap-weight", "by-gap-bounds", "by-rare-advantage"],
    locator="Question 4",
    title="Success with a noisy verifier against the perfect one, any group size",
    remark=("u and w are the rates at which right and wrong answers are accepted."),
)

alarms = Domain(G >= 2, 0 < w, w < u, u <= 1, beta > 0)
left_over = (u - w) * (1 - x) * gap(G, accepts(x))
claim(
    "by-noise-jump",
    Every(
        On(
            alarms.also(0 < z, z < 1, Eq(beta, left_over.subs(x, z), evaluate=False)),
            SolutionTends(
                beta * (x - p) - climb(x), x, 0, 1, p, 0, z, label="a success is left: the policy tends to it"
            ).by(
                ClearSides(
                    y,
                    beta * x - climb(x),
                    1,
                    earlier=seen(y, x),
                    later=seen(x, y),
                    before=seen(x, z),
                    after=seen(z, x),
                )
            ),
        ),
        On(
            alarms.also(beta < (u - w) * gap(G, w)),
            OneRoot(left_over, x, 0, 1, beta, label="which there is, once, for β < (u − w)Δ_G(w)").by(
                BeyondEachRoot(y, False, beyond=seen(x, y))
            ),
        ),
        On(
            alarms.also(beta >= (u - w) * gap(G, w)),
            SolutionTends(beta * (x - p) - climb(x), x, 0, 1, p, 0, 0, label="none for β ≥ (u − w)Δ_G(w)").by(
                ClearSides(y, beta * x - climb(x), 1, earlier=seen(y, x), later=seen(x, y), after=seen(0, x))
            ),
        ),
        On(
            Domain(G >= 2, 0 < w, w < u, u <= 1),
            Every(
                Always((u - w) * gap(G, w) < (u - w) / sqrt(w * (1 - w)), label="below that of large groups").by(
                    Follows((cited(bounds, {x: w}, "below that of large groups"),))
                ),
                Always(
                    (u - w) / sqrt(w * (1 - w)) <= sqrt((1 - w) / w),
                    label="for which there is a bound in the false alarms alone",
                ),
            ),
        ),
    ),
    alarms,
    because=(
        On(
            Domain(0 < u, u <= 1),
            Tends(
                ((u - w) / sqrt(accepted * (1 - accepted))).subs(w, 0),
                x,
                0,
                oo,
                label="large groups without false alarms, w = 0: no bound as x → 0",
            ),
        ),
    ),
    kind="limit",
    depends_on=["by-noise-unique", "by-rare-advantage", "by-gap-bounds", "by-gap-weight"],
    locator="Question 4",
    title="False alarms: threshold of β for rare successes",
    short=("a success is left: the policy tends to it", "none for β ≥ (u − w)Δ_G(w)"),
    remark=(
        "With perfect verdicts the threshold is √(G − 1), unbounded in G (by-rare-jump); a false-alarm "
        "rate of one in ten caps it at 3 for every G."
    ),
)

# -- ties and more than two levels ------------------------------------------------------------------------------------
# b always scores 0; a scores 1, or is worth ½. Against b it wins every group of two.
levels = (1, Rational(1, 2), 0)


def three_level_gap(size, law, own):
    """P(a) − P(b) when outputs score like ``law`` and those of a like ``own``."""
    worth = [Advantage().preference(k, law, levels, Answers(3), size, o) for k in range(3)]
    return sum(c * value for c, value in zip(own, worth, strict=True)) - worth[2]


def worth_half(chance):
    """The rewards of all outputs, and those of a, where a is worth ½ with this chance."""
    own = (1 - chance, chance, 0)
    return (y * own[0], y * own[1], 1 - y), own


claim(
    "by-noise-ties",
    Every(
        Equal(three_level_gap(2, *worth_half(z)), 1, label="G = 2, a is worth ½ with the chance z: gap 1"),
        Equal(
            three_level_gap(3, *worth_half(z)),
            sqrt(2) - (2 * sqrt(2) - sqrt(6)) * z * (1 - z) * y,
            label="G = 3: less, but for z = 0 and 1",
        ),
    ),
    Domain(0 <= z, z <= 1, 0 < y, y < 1),
    because=(
        On(
            Domain(w_win >= 0, w_tie >= 0, w_win + w_tie <= 1, 0 < x, x < 1, 0 < p, p < 1, beta > 0),
            Equal(
                on_policy_slope(
                    grpo(beta, group_size=2).with_margin(policy, old, reference, 2 * w_win + w_tie - 1), x, y
                ),
                2 * w_win + w_tie - 1 - beta * (x - p) / (x * (1 - x)),
                label="G = 2: the margin is wins minus losses, so a tie counts half a win",
            ),
        ),
    ),
    kind="counter-example",
    depends_on=["vy-eq14"],
    locator="Question 4; (14)",
    title="Reward laws of one gap in groups of two, and their gap in groups of three",
    remark=(
        "The better answer is worth ½ with the chance z and else 1; the other one is worth 0."
        " y is the probability of the better answer."
    ),
)

total = x * v_a + (1 - x) * v_b + x * (1 - x) * (r_a - r_b) ** 2  # the variance of the reward of an output
laws = Domain(0 < x, x < 1, v_a >= 0, v_b >= 0, r_a > r_b)
gradient = x * (1 - x) * (r_a - r_b) / sqrt(total)
claim(
    "by-noise-any-law",
    Every(
        *(
            On(
                Domain(0 < p, p < 1, beta > 0, within, v_b >= 0, q > 0),
                OneRoot(
                    growth.subs(r_a, r_b + q) / (x - p), x, p, 1, beta, label=f"{case}: the value β is taken once"
                ).by(StrictlyMonotone(-1, (oo, 0))),
            )
            for within, growth, case in (
                (v_a > 0, gradient, "the reward of a varying"),
                (v_b >= 0, gradient.subs(v_a, 0), "the reward of a fixed (vₐ = 0)"),
            )
        ),
    ),
    laws.also(0 < p, p < x),
    because=(
        On(
            laws,
            Always(
                2 * total + (1 - x) * diff(total, x) > 0,
                label="twice the variance and 1 − x times its slope: positive, the variance being concave in x",
            ),
        ),
        On(
            laws,
            Equal(
                diff(x * (1 - x) / sqrt(total), x),
                x * (1 - x) / sqrt(total) * ((1 - 2 * x) / (x * (1 - x)) - diff(total, x) / (2 * total)),
                label="slope of the gradient of success, up to the factor rₐ − r_b",
            ),
        ),
        On(
            Domain(0 < x, x < 1, v > 0, t, 2 * v + (1 - x) * t > 0),
            Always(
                (1 - 2 * x) / (x * (1 - x)) - t / (2 * v) < 1 / x,
                label="the relative slope of that gradient: below 1/x, hence below 1/(x − p)",
            ),
        ),
    ),
    kind="uniqueness",
    depends_on=["vy-eq15"],
    locator="Question 4; (15)",
    title="Large groups, two answers with any reward laws: existence and uniqueness",
    remark=(
        "Without variance inside the answers this is (15)."
        " q is rₐ − r_b; vₐ and v_b are the variances of the rewards of a and b."
    ),
)
