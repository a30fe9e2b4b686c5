"""Many answers: what every stationary policy satisfies, whatever the rewards and the group size.

Statement.   Let π be stationary for n answers (equation (11), full support). Its preferences are P = β(1 − π_ref/π), so
             they average to zero, stay below β, and order the likelihood ratios π/π_ref. Their second moment is
             β²χ²(π_ref‖π), and it is at most 1: hence for every group size and all rewards χ²(π_ref‖π) ≤ 1/β² (with
             equality for large groups and deterministic rewards), the total variation is at most 1/(2β), and no event
             of reference mass p gets more than formula (15) of p. With deterministic rewards the preferences are
             ordered as the rewards, and the expected reward exceeds that of the reference by E[standard deviation of a
             group]/β.
Source.      Question 5 of the project's theory; Vojnovic & Yun (2025), Section 2.3, equations (11) and (13).
Domain.      n ≥ 2 answers, β > 0, policies with full support, groups of any size.
Derivation.  objective → derivative in π(o), π_old frozen → π_old = π → P in terms of π_ref/π → moments of P → bounds.
Caveats.     Penalty KL_0, or the forward KL, which has the same equation. With stochastic rewards and small groups the
             expected reward can fall.
Letters.     P is the preference. y and q are an answer's probabilities under π and π_ref, t and s preferences with s <
             t or s > t. In by-many-preference-bound s is the reward of one member against G others, u what it exceeds
             their mean by and v their variance, but in the sentence v is the deviation of the group, as in
             by-many-reward-gain; for large groups v is σ(π). In by-many-chi-square v(o) is the variance of the reward
             of an answer, u or v the deviation of all, and t is 1. For upper sets x and p are their masses, u bounds
             the preferences in them and t is their part of the mean; x and z are two answers. (11), (14) and (15) are
             equations of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

answers = Answers(n)
frozen = Domain(n >= 2, beta > 0, simplex(pi, n), simplex(old, n), simplex(ref, n), reals(P, n))
two_policies = Domain(n >= 2, beta > 0, simplex(pi, n), simplex(ref, n), reals(r, n))

# (11) from the objective: P is the preference under π_old, a constant while π moves.
slope = identify(partial(grpo(beta).value(pi, old, ref, lambda a: P[a], answers, o_), pi[o]), old, pi)
direct = identify(
    partial(grpo(beta, divergence=REVERSE_KL).value(pi, old, ref, lambda a: P[a], answers, o_), pi[o]), old, pi
)


def solved(answer):
    """The preference of an answer under a policy that satisfies (11)."""
    return beta * (1 - ref[answer] / pi[answer])


claim(
    "by-many-stationary",
    Every(
        Equal(slope, P[o] - beta * (1 - ref[o] / pi[o]), label="KL_0: zero where P(o) = β(1 − π_ref/π)"),
        Equal(
            Sum(pi[o] * slope, (o, 1, n)),
            Sum(pi[o] * P[o], (o, 1, n)),
            label="its mean is E_π P, which is zero: no multiplier",
        ),
        Equal(Sum(pi[o] * solved(o), (o, 1, n)), 0, label="and conversely (11) makes E_π P zero"),
    ),
    frozen,
    because=(
        Equal(
            Sum(pi[o] * direct, (o, 1, n)),
            Sum(pi[o] * P[o], (o, 1, n)) - beta * kl(pi, ref, answers, o),
            label="direct KL: the multiplier is E_π P − β KL(π‖π_ref), of which E_π P is zero",
        ),
    ),
    locator="Question 5",
    title="The stationary policies of n answers",
    depends_on=["vy-eq11-kkt-dichotomy", "vy-appA-lambda-zero"],
)

# One member with the reward s against G others with the rewards r: a group of G + 1.
others = Domain(G >= 1, s < t, reals(r, G))
rest = group_mean(r, G, j)
scatter = Sum((r[i] - rest) ** 2, (i, 1, G)) / G
whole = (s + G * rest) / (G + 1)
variance = ((s - whole) ** 2 + Sum((r[i] - whole) ** 2, (i, 1, G))) / (G + 1)
own = SHIFT_AND_SCALE.of_population(s, whole, v**2)
# u = s − mean of the others, v = their variance
score = sqrt(G) * u / sqrt((G + 1) * v + u**2)
line = Domain(G >= 1, v > 0, u > s)

# What (G − 1) variances leave of the squared distance of a member from the mean is a sum over the other members.
own_distance = r[o] - group_mean(r, G, j)
over_all = Sum((r[i] - group_mean(r, G, j) + own_distance / (G - 1)) ** 2, (i, 1, G))
within = AtLeast(G * group_variance(r, G, j), G / (G - 1) * own_distance**2).by(OneTermLess(over_all, o))

claim(
    "by-many-preference-bound",
    Always(
        Implies(
            Eq(v**2, group_variance(r, G, j), evaluate=False),
            Abs((r[o] - group_mean(r, G, j)) / v) <= sqrt(G - 1),
            evaluate=False,
        ),
        label="the advantage of any member, v the deviation of the group",
    ).by(Then((within,))),
    Domain(G >= 2, 1 <= o, o <= G, v > 0, reals(r, G)),
    because=(
        On(line, Always(score**2 < G, label="no advantage reaches √(size − 1) unless the others are all alike")),
        On(Domain(G >= 1, u > 0), Equal(score.subs(v, 0), sqrt(G), label="and then it is √(size − 1)")),
        On(
            others,
            Equal(
                (G + 1) * variance,
                G * scatter + G * (s - rest) ** 2 / (G + 1),
                label="G + 1 times the variance of the group of G + 1",
            ),
        ),
        On(
            others.also(v > 0),
            Equal(own, G * (s - rest) / (G + 1) / v, label="the advantage of the one, v the deviation of the group"),
        ),
        On(
            line,
            Equal(
                (G * u / (G + 1)) ** 2 / ((G * v + G * u**2 / (G + 1)) / (G + 1)),
                score**2,
                label="its square, from these two",
            ),
        ),
    ),
    kind="inequality",
    locator="Question 5",
    title="Bound on an advantage, any rewards",
    remark=(
        "In the sentence G is the size of the group, in the steps it counts the other members. P is an average of "
        "advantages, so it has the same bound."
        " u is the reward less the mean of the others; where it stands, v is the variance of the others."
    ),
)

claim(
    "by-many-preference-ordered",
    Monotone(score, u, 1, label="the advantage of a member increases in its own reward"),
    line,
    because=(
        On(
            Domain(G >= 1, u > 0),
            Always(
                And(score.subs(v, 0) > 0, score.subs({v: 0, u: -u}) < 0), label="by a jump, where all others are alike"
            ),
        ),
    ),
    kind="monotonicity",
    depends_on=["by-many-preference-bound"],
    lemmas=[
        "the other members of the group are independent of the member's own output: the average over them keeps "
        "the order, and strictly so, for under "
        "full support they are all equal to one of the two answers with positive probability"
    ],
    locator="Question 5",
    title="Order of the preferences under deterministic rewards, any group size",
    remark="In the headline G is the size of the group, in what is checked it counts the other members.",
    says=r"\pi>0:\ r(o)>r(o')\Rightarrow\mathcal P_G(o\mid\pi)>\mathcal P_G(o'\mid\pi)",
)

bounded = Domain(beta > 0, 0 < y, 0 < q, t < beta, s < t)  # y = π, q = π_ref; t and s preferences
claim(
    "by-many-ratio-ordered",
    Every(
        On(
            bounded,
            Always(1 / (1 - t / beta) > 1 / (1 - s / beta), label="the ratio π/π_ref = 1/(1 − P/β) increases in P"),
        ),
        On(
            Domain(beta > 0, G >= 2, -sqrt(G - 1) < t, t < beta),
            Always(1 / (1 - t / beta) > beta / (beta + sqrt(G - 1)), label="above β/(β + √(G − 1))"),
        ),
        On(
            Domain(beta > sqrt(G - 1), G >= 2, t < sqrt(G - 1)),
            Always(1 / (1 - t / beta) < beta / (beta - sqrt(G - 1)), label="below β/(β − √(G − 1)), for β > √(G − 1)"),
        ),
    ),
    bounded,
    because=(
        On(
            Domain(n >= 2, beta > 0, simplex(pi, n), simplex(ref, n)),
            Equal(1 / (1 - solved(o) / beta), pi[o] / ref[o], label="1/(1 − P/β) is the ratio"),
        ),
        On(
            Domain(n >= 2, beta > 0, simplex(pi, n), simplex(ref, n), reals(P, n)),
            Equal(
                (direct - direct.subs(o, o_)) / beta,
                (P[o] - P[o_]) / beta - log(pi[o] / ref[o]) + log(pi[o_] / ref[o_]),
                label="direct KL: the log-ratios differ by the preferences over β",
            ),
        ),
    ),
    kind="monotonicity",
    depends_on=["by-many-stationary", "by-many-preference-bound"],
    locator="Question 5",
    title="The likelihood ratio 1/(1 − P/β) to the reference: order and bounds",
    remark="Answers with equal preference, such as all correct ones, keep the proportions of the reference.",
)

# An upper set U: every preference in it is at least w, every other one at most w; t = Σ_U πP = −Σ outside.
masses = Domain(beta > 0, 0 < x, x < 1, 0 < p, p < 1)
inside_set = masses.also(n_hit >= 1, simplex(hit, n_hit, total=x), simplex(hit_ref, n_hit, total=p))
upper_set = masses.also(n >= 1, simplex(pi, n, total=x), simplex(ref, n, total=p))
claim(
    "by-many-upper-sets",
    Every(
        On(
            upper_set.also(u >= 0),
            AtLeast(
                x,
                p,
                given=(u <= beta * (1 - ref[o] / pi[o]),),
                label="u ≥ 0: a set of answers that are preferred by u at least",
            ).by(TermByTerm((Sum(pi[o] * (1 - ref[o] / pi[o]), (o, 1, n)),))),
        ),
        On(
            upper_set.also(u <= 0),
            AtLeast(
                p,
                x,
                given=(u >= beta * (1 - ref[o] / pi[o]),),
                label="u ≤ 0: the answers outside such a set, of masses x and p, are preferred by u at most",
            ).by(TermByTerm((Sum(pi[o] * (ref[o] / pi[o] - 1), (o, 1, n)),))),
        ),
    ),
    masses,
    because=(
        On(
            Domain(0 < x, x < 1, u < s, t < v, v > 0),
            Always(Implies(And(t >= x * u, -t <= (1 - x) * u), t >= 0), label="Σ over U of πP is not negative"),
        ),
        On(
            upper_set,
            Equal(
                Sum(pi[o] * beta * (1 - ref[o] / pi[o]), (o, 1, n)),
                beta * (x - p),
                label="that sum is β(π(U) − π_ref(U))",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["by-many-ratio-ordered"],
    locator="Question 5",
    title="Masses of the most and of the least preferred answers",
    remark=(
        "The preferences are those of by-many-stationary; x and p are the masses of the set under π and π_ref. "
        "So, with deterministic rewards (by-many-preference-ordered), the reward under π dominates that "
        "under the reference stochastically."
        " u is a bound of the preferences in the set, which is U in the labels, t the sum of π P over it."
    ),
)

# The second moment of the preferences.
chi = Sum(ref[o] ** 2 / pi[o], (o, 1, n)) - 1
sampled = Domain(n >= 2, G >= 2, beta > 0, simplex(pi, n), simplex(ref, n))
group = Domain(G >= 2, v > 0, reals(r, G))
in_group = SHIFT_AND_SCALE.of_population(r[i], group_mean(r, G, j), v**2)  # v: the deviation of the group
mean = Sum(pi[o_] * r[o_], (o_, 1, n))
limit = SHIFT_AND_SCALE.of_population(r[o], mean, v**2)  # v: the deviation of the reward under π
policy_variance = Sum(pi[o] * (r[o] - mean) ** 2, (o, 1, n))

claim(
    "by-many-chi-square",
    On(
        sampled,
        BoundByAdvantages(pi, o, n, G, solved(o), chi, 1 / beta**2, label="at most 1/β², every G and all rewards").by(
            MeanSquare(beta**2)
        ),
    ),
    two_policies,
    because=(
        Equal(Sum(pi[o] * solved(o) ** 2, (o, 1, n)), beta**2 * chi, label="E_π P² = β²χ²(π_ref‖π)"),
        On(
            two_policies.also(v > 0),
            Equal(
                Sum(pi[o] * limit**2, (o, 1, n)),
                policy_variance / v**2,
                label="large groups, deterministic rewards: variance over v², exactly 1 for v = σ(π)",
            ),
        ),
        On(
            group,
            Equal(
                Sum(in_group**2, (i, 1, G)) / G,
                Sum((r[i] - group_mean(r, G, j)) ** 2, (i, 1, G)) / G / v**2,
                label="a group's mean square advantage: variance over v², so 1, or 0 if all are alike",
            ),
        ),
        On(
            Domain(n >= 2, u > 0, simplex(pi, n), reals(r, n), reals(spread, n), Eq(t, 1)),
            Equal(  # u: the deviation of the reward under π, since v(o) is the variance of that of an answer
                Sum(pi[o] * ((r[o] - mean) ** 2 + spread[o]) / u**2, (o, 1, n))
                - Sum(pi[o] * SHIFT_AND_SCALE.of_population(r[o], mean, u**2) ** 2, (o, 1, n)),
                Sum(pi[o] * spread[o], (o, 1, n)) / u**2,
                label="stochastic rewards: less by their share of σ²",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["by-many-stationary"],
    locator="Question 5",
    title="The χ² divergence of the reference from a stationary policy",
    remark="For every G, n and all rewards, stochastic ones too: 1/β is the radius of a trust region.",
)

variation = Sum(Abs(pi[o] - ref[o]), (o, 1, n)) / 2
apart = pi[o] * (1 + beta**2 * (1 - ref[o] / pi[o]) ** 2) / (4 * beta) - Abs(pi[o] - ref[o]) / 2
variation_below = AtLeast((1 + beta**2 * chi) / (4 * beta), variation, label="the total variation").by(
    TermByTerm((Sum(apart, (o, 1, n)),))
)
divergence_below = AtLeast(chi, forward_kl(pi, ref, answers, o), label="the forward KL").by(
    TermByTerm(
        (Sum(ref[o] * (ref[o] / pi[o] - 1 - log(ref[o] / pi[o])), (o, 1, n)),),
        using=(log_below_tangent(ref[o] / pi[o]),),
    )
)
claim(
    "by-many-distances",
    Always(
        Implies(
            chi <= 1 / beta**2,
            And(variation <= 1 / (2 * beta), forward_kl(pi, ref, answers, o) <= 1 / beta**2, evaluate=False),
            evaluate=False,
        ),
        label="total variation and forward KL, by χ²",
    ).by(Then((variation_below, divergence_below))),
    Domain(n >= 2, beta > 0, simplex(pi, n), simplex(ref, n)),
    because=(
        variation_below,
        divergence_below,
        On(
            Domain(t < s),
            Always(
                And(t <= (1 + t**2) / 2, -t <= (1 + t**2) / 2), label="|P| ≤ (1 + P²)/2, so E|P| ≤ 1 where E P² ≤ 1"
            ),
        ),
        On(
            Domain(0 < q, 0 < y, Ne(q, y)),
            Always(
                q * log(q / y) < q * (q / y - 1),
                using=(log_below_tangent(q / y),),
                label="KL(π_ref‖π) ≤ χ², term by term",
            ),
        ),
        On(two_policies, Equal(pi[o] * solved(o) / beta, pi[o] - ref[o], label="and π|P|/β is |π − π_ref|")),
        On(two_policies, Equal(Sum(ref[o] * (ref[o] / pi[o] - 1), (o, 1, n)), chi, label="the terms add up to χ²")),
        On(
            two_policies,
            Equal(
                forward_kl(pi, ref, answers, o),
                Sum(ref[o] * log(ref[o] / pi[o]), (o, 1, n)),
                label="and those of the left side to the forward KL",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["by-many-chi-square"],
    locator="Question 5",
    title="Distances of a policy from the reference, under the bound on their χ² divergence",
    remark="The hypothesis, χ²(π_ref‖π) ≤ 1/β², holds of stationary policies by by-many-chi-square.",
)

# An event: x its mass under π, p under the reference. Merging answers lowers χ².
merged = p**2 / x + (1 - p) ** 2 / (1 - x) - 1
event = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0)
# (15) of the event, and what (15) leaves to it of the others
most, least = large_groups(beta, p), 1 - large_groups(beta, 1 - p)
inside_chi, outside_chi = Sum(hit_ref[o] ** 2 / hit[o], (o, 1, n_hit)), Sum(miss_ref[o] ** 2 / miss[o], (o, 1, n_miss))
merged_inside = AtLeast(inside_chi, p**2 / x).by(
    TermByTerm((Sum(hit[o] * (hit_ref[o] / hit[o] - p / x) ** 2, (o, 1, n_hit)),))
)
merged_outside = AtLeast(outside_chi, (1 - p) ** 2 / (1 - x)).by(
    TermByTerm((Sum(miss[o] * (miss_ref[o] / miss[o] - (1 - p) / (1 - x)) ** 2, (o, 1, n_miss)),))
)
near_by = Abs(x - p) <= sqrt(x * (1 - x)) / beta
two_cells = Always(Implies(merged <= 1 / beta**2, near_by), label="two cells: the bound")
no_less = Always(Implies(near_by, x >= p**2 / (1 + 1 / beta**2)), label="and x does not fall below p²/(1 + 1/β²)")
merging = Always(Implies(inside_chi + outside_chi - 1 <= 1 / beta**2, merged <= 1 / beta**2), label="merging").by(
    Then((merged_inside, merged_outside))
)
claim(
    "by-many-event-bound",
    Always(
        Implies(
            inside_chi + outside_chi - 1 <= 1 / beta**2,
            near_by,
            evaluate=False,
        ),
        label="an event and the other answers, by χ²",
    ).by(Then((merging, two_cells))),
    inside_set.also(n_miss >= 1, simplex(miss, n_miss, total=1 - x), simplex(miss_ref, n_miss, total=1 - p)),
    because=(
        Always(
            Implies(
                inside_chi + outside_chi - 1 <= 1 / beta**2,
                And(near_by, x >= p**2 / (1 + 1 / beta**2), evaluate=False),
                evaluate=False,
            ),
            label="and x no less than p²/(1 + 1/β²)",
        ).by(Then((merging, two_cells, no_less))),
        On(event, two_cells),
        On(event, no_less),
        On(
            event,
            Equal(
                beta**2 * (x - p) ** 2 - x * (1 - x),
                (1 + beta**2) * (x - most) * (x - least),
                label="so χ² ≤ 1/β² says that x lies between two roots",
            ),
        ),
        On(
            event.also(beta**2 * (x - p) ** 2 <= x * (1 - x)),
            Always(
                x >= p**2 * beta**2 / (1 + beta**2),
                label="so nothing of reference mass p falls below p²/(1 + 1/β²)",
            ),
        ),
        On(
            Domain(0 < x, 0 < z, 0 < p, 0 < q),
            Always((p + q) ** 2 / (x + z) <= p**2 / x + q**2 / z, label="merging two answers does not raise χ²"),
        ),
        On(event, Equal(merged, (x - p) ** 2 / (x * (1 - x)), label="two cells: their χ²")),
        On(event, Always(And(least < p, p < most), label="the two roots lie on either side of p")),
    ),
    kind="inequality",
    depends_on=["by-many-chi-square", "vy-eq15"],
    locator="Question 5",
    title="Formula (15) as a bound on the mass of an event, under the bound on χ²",
    remark="The hypothesis, χ²(π_ref‖π) ≤ 1/β², holds of stationary policies by by-many-chi-square. The "
    "bound is attained by two answers, deterministic rewards and large groups: there it is (15) itself (vy-eq15).",
)

# Expected reward.
gain = beta * (Sum(pi[o] * r[o], (o, 1, n)) - Sum(ref[o] * r[o], (o, 1, n)))
claim(
    "by-many-reward-gain",
    On(
        sampled.also(reals(r, n)),
        MeanDeviation(pi, o, n, G, solved(o), r[o], gain, label="which is the mean deviation of a group"),
    ),
    two_policies,
    because=(
        Equal(gain, Sum(pi[o] * solved(o) * r[o], (o, 1, n)), label="β times the gain is E_π[P r]"),
        On(
            group,
            Equal(
                Sum(in_group * r[i], (i, 1, G)) / G,
                Sum((r[i] - group_mean(r, G, j)) ** 2, (i, 1, G)) / G / v,
                label="the group average of A r: variance over deviation",
            ),
        ),
        On(
            two_policies.also(v > 0),
            Equal(Sum(pi[o] * limit * r[o], (o, 1, n)), policy_variance / v, label="large groups: σ(π)"),
        ),
    ),
    depends_on=["by-many-stationary"],
    locator="Question 5",
    title="Gain in expected reward under deterministic rewards",
    remark="For every G and n. Rewards 0 and 1: by-stationary-equation.",
)

# An answer that is worth 21 with probability 4/9 and 0 else, against one that is worth 5 for sure: two outcomes of the
# one.
chances = (Rational(4, 9), Rational(5, 9))
outcomes = (*(x * chance for chance in chances), 1 - x)
lottery = sum(
    chance * SHIFT_AND_SCALE.preference(k, outcomes, (21, 0, 5), Answers(3), 2, o) for k, chance in enumerate(chances)
)

claim(
    "by-many-reward-gain-stochastic",
    Every(
        On(
            two_policies.also(v > 0),
            Equal(
                Sum(pi[o] * limit * r[o], (o, 1, n)),
                policy_variance / v,
                label="large groups: Var_π of the expected rewards over σ, never negative",
            ),
        ),
        On(
            event,
            Always(1 - pairs(9 * beta, 1 - p) < p, label="so the better answer on average, 28/3 against 5, loses mass"),
        ),
    ),
    two_policies,
    because=(
        On(
            Domain(0 < x, x < 1),
            Equal(
                lottery,
                pair_preference(0, binary(x), -Rational(1, 9)),
                label="groups of two, 21 with probability 4/9, else 0, of probability x, against 5 for sure: −1/9 "
                "times 1 − x",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["by-many-reward-gain", "vy-eq14"],
    locator="Question 5",
    title="Gain or loss in expected reward under stochastic rewards",
    remark=(
        "In large groups Σ πP r is β times the gain (by-many-reward-gain), so there is no loss. In groups of two, with "
        "the reference p of the lottery, whose mean is 28/3, and 1 − p of the sure 5, the stationary policy is (14) "
        "with the margin γ = 1/9 for the sure 5: so the expected reward falls."
    ),
)
