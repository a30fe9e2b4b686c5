"""Noisy verifiers and ties: which closed forms survive, and what stands in for the others.

Statement.   A verifier accepts a correct answer with probability u and a wrong one with w < u. Only the rate s = ux +
             w(1 − x) at which it accepts is seen, and the gap is (u − w)Δ_G(s). Groups of two and three keep formula
             (14), with β/(u − w) and β/(√2(u − w)); large groups lose (15) for a quartic, except without false alarms,
             where a quadratic remains. For every group size there is still one stationary policy; it lies above π_ref
             and below that of the perfect verifier. False alarms bound the jump: a vanishing π_ref leaves a positive
             success only for β < (u − w)Δ_G(w). Ties cost groups of two their margin and nothing else; from groups of
             three on the margin does not determine the policy. Large groups with any reward laws: one stationary
             policy.
Source.      Question 4 of our own theory; Vojnovic & Yun (2025), (14), (15) and vy-eq15-* for stochastic rewards.
Domain.      0 < p, x < 1, β > 0, 0 ≤ w < u ≤ 1, independent verdicts.
Derivation.  Expected advantages of an accepted and of a rejected answer (all groups) → mixed by u and w → stationary
             equation → concavity of m_G.
Caveats.     The verdicts are independent given the answer. A verifier that always accepts the same wrong answers is a
             different reward, not noise.
"""

from sympy import And, Rational, diff, oo, sqrt

from grpo_symbolic.notation import beta, o, p, r_a, r_b, s, t, u, v, v_a, v_b, w_tie, w_win, x, y, z
from grpo_symbolic.notation import false_alarm as w
from grpo_symbolic.objectives import Advantage, Answers, binary, grpo
from grpo_symbolic.optimality import large_groups, on_policy_slope, pairs
from grpo_symbolic.optimality.verifiable import advantage_gap
from grpo_symbolic.proof import (
    Always,
    Derivation,
    Domain,
    Equal,
    Every,
    Exists,
    On,
    OneRoot,
    Result,
    StrictlyMonotone,
    TakesValue,
    Tends,
    UniqueRoot,
)

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
claim(
    "by-noise-gap",
    Every(
        On(
            Domain(u, w, s, t),
            Equal(
                (u * s + (1 - u) * t) - (w * s + (1 - w) * t),
                (u - w) * (s - t),
                label="any advantages s of an accepted and t of a rejected answer",
            ),
        ),
        *(
            On(
                inside,
                Equal(
                    on_policy_slope(objective(size), x, y),
                    (u - w) * advantage_gap(size, accepted) - beta * (x - p) / (x * (1 - x)),
                    label=f"G = {size}",
                ),
            )
            for size in (2, 3, 4)
        ),
        On(
            inside,
            Equal(
                on_policy_slope(objective(oo), x, y),
                (u - w) / sqrt(accepted * (1 - accepted)) - beta * (x - p) / (x * (1 - x)),
                label="large groups",
            ),
        ),
    ),
    inside,
    locator="Question 4",
    title="A noisy verifier: the gap is (u − w)Δ_G at the rate of acceptance",
    depends_on=["by-gap-exact", "by-stationary-equation"],
    says=r"\beta(x-p)=x(1-x)\,(u-w)\,\Delta_G(s),\ s=ux+w(1-x)",
    remark=(
        "True positives at the rate u, false positives at the rate w. w = u teaches nothing; for w > u right and "
        "wrong change places."
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
        *(UniqueRoot(Q[size], x, pairs(beta / (sqrt(size - 1) * (u - w)), p), label=f"G = {size}") for size in (2, 3))
    ),
    plane,
    by=d,
    kind="closed form",
    depends_on=["by-noise-gap", "vy-eq14"],
    locator="Question 4; (14)",
    title="Groups of two and three keep (14): the noise divides β by u − w",
    says=r"x=\text{(14) with }\gamma=u-w\ (G=2),\ \gamma=\sqrt2(u-w)\ (G=3)",
)

quartic = beta**2 * (x - p) ** 2 * accepted * (1 - accepted) - ((u - w) * x * (1 - x)) ** 2
one_sided = beta**2 * x * (1 - u * x) - u * (1 - x) ** 2  # p = 0, w = 0
even_noise = {u: Rational(9, 10), w: Rational(1, 10), beta: 1, p: Rational(1, 5)}
scaled_up = large_groups(beta / (u - w), p)
claim(
    "by-noise-large",
    Every(
        On(
            inside,
            Equal(
                (beta * (x - p)) ** 2 - (x * (1 - x) * (u - w) / sqrt(accepted * (1 - accepted))) ** 2,
                quartic / (accepted * (1 - accepted)),
                label="squared and cleared: degree four in x",
            ),
        ),
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
            TakesValue(one_sided, x, 0, 1, label="with a root in (0, 1), where it is from −u to β²(1 − u)"),
        ),
        On(
            Domain(beta > 0),
            Every(
                Equal(
                    one_sided.subs({u: 1, x: 1 / (1 + beta**2)}), 0, label="and where every success is seen, this one"
                ),
                Always(And(0 < 1 / (1 + beta**2), 1 / (1 + beta**2) < 1), label="in (0, 1) as well"),
            ),
        ),
    ),
    plane,
    kind="closed form",
    depends_on=["by-noise-gap", "vy-eq15"],
    locator="Question 4; (15)",
    title="Large groups lose (15) under noise: the policy solves a quartic",
    says=r"\beta^2(x-p)^2s(1-s)=(u-w)^2x^2(1-x)^2",
)

# -- one policy, and a worse one --------------------------------------------------------------------------------------
# m = m_G(s) is concave and zero at 0 and 1: v stands for m_G(s) > 0, t for its slope there. Then f(x) = (u − w) x(1 −
# x) m/(s(1 − s)). d log f/dx = (1 − 2x)/(x(1 − x)) + (u − w)(t/v − (1 − 2s)/(s(1 − s))).
claim(
    "by-noise-unique",
    Every(
        On(
            Domain(v > 0, t, 0 < s, s < 1, t * s <= v),
            Always(t / v - (1 - 2 * s) / (s * (1 - s)) <= 1 / (1 - s), label="concave with m(0) = 0: its own growth"),
        ),
        On(inside, Always((u - w) * (1 - x) <= 1 - accepted, label="the rejection rate is at least (u − w)(1 − x)")),
        On(
            Domain(0 < x, x < 1, z > 0, 0 < y, y * (1 - x) <= z),
            Always(
                (1 - 2 * x) / (x * (1 - x)) + y / z <= 1 / x, label="so d log f/dx ≤ 1/x, with y = u − w and z = 1 − s"
            ),
        ),
        On(Domain(0 < p, p < x, x < 1), Always(1 / x < 1 / (x - p), label="and f/(x − p) falls on (p, 1)")),
        On(inside, Equal(diff(accepted, x), u - w, label="as s moves with x at the rate u − w")),
    ),
    inside,
    kind="uniqueness",
    depends_on=["by-noise-gap", "by-gap-drive-concave"],
    lemmas=["a concave m with m(0) = 0 has m'(s)s ≤ m(s)", "f/(x − p) falls from ∞ to 0, so it takes the value β once"],
    locator="Question 4",
    title="A noisy verifier, every group size: still exactly one stationary policy, above π_ref",
    says=r"0\le w<u\le1:\text{ exactly one stationary }x,\text{ and }p<x<1,\text{ for all }G,\ \beta,\ p",
)

# y and z are m_G at s and at x: chords of a concave function from 0 and from 1.
lower_rate = Domain(0 < x, x < 1, 0 <= w, w < u, u <= 1, y > 0, z > 0, accepted <= x, y * (1 - x) <= z * (1 - accepted))
upper_rate = Domain(0 < x, x < 1, 0 <= w, w < u, u <= 1, y > 0, z > 0, accepted >= x, y * x <= z * accepted)
loss = (u - w) * x * (1 - x) * y - z * accepted * (1 - accepted)
claim(
    "by-noise-lowers",
    Every(
        On(lower_rate, Always(loss <= 0, label="accepts too little: chord from 1")),
        On(upper_rate, Always(loss <= 0, label="accepts too much: chord from 0")),
        On(
            inside,
            Always(
                (u - w) ** 2 * x * (1 - x) <= accepted * (1 - accepted),
                label="large groups: the variance of the verdict covers that of its mean",
            ),
        ),
        On(
            Domain(0 < p, p < x, x < 1, beta > 0, y > 0, z >= y, z < beta * (x - p)),
            Always(y < beta * (x - p), label="a smaller gradient stops earlier"),
        ),
    ),
    inside,
    kind="monotonicity",
    depends_on=["by-noise-unique", "by-stationary-unique"],
    lemmas=[
        "a concave m with m(1) = 0 has m(s)/(1 − s) ≤ m(x)/(1 − x) for s ≤ x, and with m(0) = 0 m(s)/s ≤ m(x)/x "
        "for s ≥ x"
    ],
    locator="Question 4",
    title="Noise never helps: every group size, the noisy stationary policy succeeds no more often than the clean one",
    says=r"(u-w)\Delta_G(s)\le\Delta_G(x)",
)

gap_at_zero = {size: (u - w) * advantage_gap(size, accepted) for size in (2, 3, 4)}
claim(
    "by-noise-jump",
    Every(
        *(
            On(
                Domain(0 < w, w < u, u <= 1),
                Tends(gap, x, 0, (u - w) * advantage_gap(size, w), label=f"G = {size}: the largest β with a jump"),
            )
            for size, gap in gap_at_zero.items()
        ),
        On(
            Domain(0 < w, w < u, u <= 1),
            Tends(
                (u - w) / sqrt(accepted * (1 - accepted)),
                x,
                0,
                (u - w) / sqrt(w * (1 - w)),
                label="large groups: finite",
            ),
        ),
        On(
            Domain(0 < u, u <= 1),
            Tends(
                ((u - w) / sqrt(accepted * (1 - accepted))).subs(w, 0),
                x,
                0,
                oo,
                label="unless there are no false alarms",
            ),
        ),
        On(
            Domain(0 < w, w < u, u <= 1),
            Always(
                (u - w) / sqrt(w * (1 - w)) <= sqrt((1 - w) / w),
                label="a bound in the false alarms alone, for every u, and for every G as Δ_G(w) < 1/√(w(1 − w))",
            ),
        ),
    ),
    inside,
    kind="limit",
    depends_on=["by-noise-unique", "by-rare-jump", "by-gap-bounds"],
    lemmas=[
        "as p → 0 a positive limit of x solves f(x) = βx; f/x falls from f'(0) to 0, so there is one exactly for "
        "β < f'(0)"
    ],
    locator="Question 4",
    title="False alarms end the jump: a vanishing π_ref leaves success only for β < (u − w)Δ_G(w)",
    says=r"p\to0\text{ leaves }x>0\iff\beta<(u-w)\Delta_G(w);\text{ large groups: }\beta<\frac{u-w}{\sqrt{w(1-w)}}",
    remark=(
        "With perfect verdicts the threshold is √(G − 1), unbounded in G; a false-alarm rate of one in ten caps "
        "it at 3 for every G."
    ),
)

# -- ties and more than two levels ------------------------------------------------------------------------------------
# b always scores 0; a scores 1, or is worth ½ every other time. Against b it wins every group of two.
half = Rational(1, 2)
levels = (1, half, 0)
sure, mixed = (y, 0, 1 - y), (y / 2, y / 2, 1 - y)


def three_level_gap(size, law, own):
    """P(a) − P(b) when outputs score like ``law`` and those of a like ``own``."""
    worth = [Advantage().preference(k, law, levels, Answers(3), size, o) for k in range(3)]
    return sum(c * value for c, value in zip(own, worth, strict=True)) - worth[2]


claim(
    "by-noise-ties",
    Every(
        On(
            Domain(0 < y, y < 1),
            Every(
                Equal(three_level_gap(2, sure, (1, 0, 0)), 1, label="G = 2, a scores 1: gap 1"),
                Equal(three_level_gap(2, mixed, (half, half, 0)), 1, label="G = 2, a scores 1 or ½: the same"),
                Equal(three_level_gap(3, sure, (1, 0, 0)), sqrt(2), label="G = 3, a scores 1: gap √2"),
            ),
        ),
        On(
            Domain(0 < y, y < 1),
            Equal(
                three_level_gap(3, mixed, (half, half, 0)),
                sqrt(2) - (2 * sqrt(2) - sqrt(6)) * y / 4,
                label="G = 3, a scores 1 or ½: less, and not constant",
            ),
        ),
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
    Domain(0 < y, y < 1),
    kind="counter-example",
    depends_on=["vy-eq14"],
    locator="Question 4; (14)",
    title="Ties and several levels: groups of two see the margin only, groups of three see more",
    says=r"\text{from }G=3\text{ on the margin does not determine the stationary policy}",
)

total = x * v_a + (1 - x) * v_b + x * (1 - x) * (r_a - r_b) ** 2  # the variance of the reward of an output
laws = Domain(0 < x, x < 1, v_a >= 0, v_b >= 0, r_a > r_b)
gradient = x * (1 - x) * (r_a - r_b) / sqrt(total)
claim(
    "by-noise-any-law",
    Every(
        On(
            laws,
            Always(2 * total + (1 - x) * diff(total, x) > 0, label="the variance is concave and not negative at 1"),
        ),
        On(
            laws,
            Equal(
                diff(x * (1 - x) / sqrt(total), x),
                x * (1 - x) / sqrt(total) * ((1 - 2 * x) / (x * (1 - x)) - diff(total, x) / (2 * total)),
                label="growth of the gradient of success",
            ),
        ),
        On(
            Domain(0 < x, x < 1, v > 0, t, 2 * v + (1 - x) * t > 0),
            Always((1 - 2 * x) / (x * (1 - x)) - t / (2 * v) < 1 / x, label="below 1/x, hence below 1/(x − p)"),
        ),
        *(
            On(
                Domain(0 < p, p < 1, beta > 0, within, v_b >= 0, r_a > r_b),
                OneRoot(growth / (x - p), x, p, 1, beta, label=f"so it takes the value β once, {case}").by(
                    StrictlyMonotone(-1, (oo, 0))
                ),
            )
            for within, growth, case in (
                (v_a > 0, gradient, "the better answer varying"),
                (v_b >= 0, gradient.subs(v_a, 0), "or not"),
            )
        ),
    ),
    laws.also(0 < p, p < x),
    kind="uniqueness",
    depends_on=["vy-eq15"],
    locator="Question 4; (15)",
    title="Large groups, two answers with any reward laws: exactly one stationary policy",
    says=r"\beta(x-p)=\tfrac{x(1-x)(r_a-r_b)}{\sqrt{xv_a+(1-x)v_b+x(1-x)(r_a-r_b)^2}}",
    remark="(15) itself holds only without variance inside the answers; what replaces it is this equation.",
)
