"""The setting: advantages, the clipping function, and the penalty of one output.

Statement.   The advantage is centred and has unit deviation, has a form in pairwise differences, and does not see
             shifts and positive scalings of the rewards. The penalty of an output is zero where it is as probable as
             under π_ref, and grows without bound on either side.
Source.      Vojnovic & Yun (2025), Section 1 up to 1.1, equations (1) and (2).
Domain.      Groups of symbolic size G ≥ 2 whose rewards are not all equal; any number n of answers; ϵ > 0.
Derivation.  Sums over the group in normal form; expectations over groups by their members.
Caveats.     The definition of a stationary policy itself is vy-s13-stationary-definition.
Letters.     x is the policy on the first of two answers; u and v are ratios π_ref/π of tokens, or u of an output, ρᵢ is
             π_θ/π_old. t and u are two rewards, v the variance of their group; t is also a baseline, or a guard, and s
             a difference that vanishes. c and d scale and shift the rewards. Ãᵢ is the clipped term of output i and Dᵢ
             its penalty, μ the law of the contexts q.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

# -- equation (1) -----------------------------------------------------------------------------------------------------
penalty = k3(1, u)  # as a function of the ratio π_ref/π
tokens = Domain(u > 0, v > 0)


claim(
    "vy-s1-eq1-sequence-level",
    GroupAverage(0, k3(pi[o], ref[o]), None, old, o, n, G, kl_0(pi, ref, old, Answers(n), o), label="penalty"),
    Domain(n >= 2, G >= 2, simplex(pi, n), simplex(old, n), simplex(ref, n)),
    because=(
        On(
            tokens,
            Equal(
                k3(1, u * v),
                k3(1, u) + k3(1, v) + (u - 1) * (v - 1),
                label="two tokens: the whole is the sum and (u − 1)(v − 1)",
            ),
        ),
    ),
    expect="definition",
    locator="Sec 1, (1)",
    title="The GRPO objective, on whole outputs",
    kind="modelling",
    printed=(
        r"\mathcal J_{GRPO}(\theta)=\mathbb E_{q\sim\mu,\{o_i\}_{i=1}^G\overset{\mathrm{i.i.d.}}{\sim}\pi_{\theta_{"
        r"\mathrm{old}}}(\cdot\mid q)}\Big[\frac1G\sum_{i=1}^G\big(\tilde A_i(\theta)-\beta D_i(\theta)\big)\Big]"
    ),
    remark="A definition, with ratio and D_i of whole outputs. Checked: the average of D_i over the group has the "
    "expectation of one of them. Trainers take D_i token by token: for two tokens with ratios u and v the whole "
    "differs from the sum by (u − 1)(v − 1).",
)

claim(
    "vy-s1-penalty-discourages",
    Every(
        On(
            Domain(u > 0, Ne(u, 1)),
            Always(penalty > 0, using=(log_below_tangent(u),), label="positive unless π = π_ref"),
        ),
        Tends(penalty, u, 0, oo, label="unbounded as u vanishes, π above π_ref"),
        Tends(penalty, u, oo, oo, "-", label="unbounded as u grows, π below π_ref"),
    ),
    Domain(u > 0),
    because=(
        Equal(penalty.subs(u, 1), 0, label="the penalty at π_ref"),
        On(Domain(u > 1), Monotone(penalty, u, 1, label="grows as π falls below π_ref")),
        On(Domain(u > 0, u < 1), Monotone(penalty, u, -1, label="grows as π rises above π_ref")),
    ),
    locator="Sec 1, after (2)",
    title="Penalty of an output in terms of u, the ratio of π_ref(o) to π_θ(o)",
    kind="monotonicity",
    printed=(
        r"\text{The reference-policy divergence penalty discourages policies from deviating excessively from the "
        r"reference policy.}"
    ),
    remark=(
        "D_i in terms of u = π_ref/π. Output by output; what is discouraged on average depends on who samples "
        "(Section 2.2)."
    ),
)

outputs = Domain(ratio > 0, epsilon > 0)
inside = And(ratio >= 1 - epsilon, ratio <= 1 + epsilon)

claim(
    "vy-s1-clip-def",
    Equal(clip(ratio, epsilon), Min(Max(ratio, 1 - epsilon), 1 + epsilon), label="as a median"),
    outputs,
    because=(
        When(inside, Equal(clip(ratio, epsilon), ratio, label="inside")),
        When(ratio < 1 - epsilon, Equal(clip(ratio, epsilon), 1 - epsilon, label="below")),
        When(ratio > 1 + epsilon, Equal(clip(ratio, epsilon), 1 + epsilon, label="above")),
    ),
    locator="Sec 1, after (1)",
    title="The clipping function",
    kind="convention",
    printed=(
        r"\text{The function }\mathrm{clip}_\epsilon(x)\text{ outputs }x\text{ if }1-\epsilon\le x\le1+\epsilon\text{, "
        r"}1-\epsilon\text{ if }x<1-\epsilon\text{, and }1+\epsilon\text{ if }x>1+\epsilon"
    ),
    remark=(
        "The three cases exclude each other and leave nothing out. For ϵ ≥ 1 the lower end is never reached, as "
        "ratios are positive."
    ),
)

# -- equation (2) -----------------------------------------------------------------------------------------------------
variance = group_variance(r, G, j)
group = Domain(reals(r, G), G >= 2, variance > 0)
advantage = group_advantage(r, i, G, j)
deviation_i = r[i] - group_mean(r, G, j)
any_group = Domain(reals(r, G), G >= 2)
unequal = AtLeast(variance, 0, (Eq(r[j], group_mean(r, G, k)),), label="the variance is positive unless all are equal")

claim(
    "vy-s1-eq2",
    Every(
        Equal(Sum(deviation_i, (i, 1, G)), 0, label="numerators, and so advantages, sum to zero"),
        Equal(Sum(advantage**2, (i, 1, G)), G, label="their squares sum to G"),
    ),
    group,
    because=(On(any_group, unequal.by(TermByTerm((Sum((r[j] - group_mean(r, G, k)) ** 2 / G, (j, 1, G)),)))),),
    locator="Sec 1, (2)",
    title="Mean and deviation of the advantages of a group",
    kind="identity",
    printed=r"A_i=\frac{r_i-\mathrm{mean}(r_1,\dots,r_G)}{\mathrm{std}(r_1,\dots,r_G)}",
    remark="What the definition says without a choice of rewards, for every G. With all rewards equal, 0/0 ≡ 0, both "
    "sums are 0 (vy-s1-convention-00).",
)

member = group.also(1 <= i, i <= G)
own = r[i] - group_mean(r, G, k)
over_all = Sum((r[j] - group_mean(r, G, k) + own / (G - 1)) ** 2 * (G - 1) / (G * group_variance(r, G, o)), (j, 1, G))
claim(
    "vy-s1-advantage-bound",
    AtLeast(G - 1, advantage**2).by(OneTermLess(over_all, i)),
    member,
    depends_on=["vy-s1-eq2"],
    locator="Sec 1, (2)",
    title="Bound of a squared advantage by the group size",
    kind="inequality",
    remark="Not printed. What A_i² leaves of G − 1 is a sum of squares over the other members. It makes every "
    "expectation of advantages finite, and bounds the step of vy-s1-small-step.",
)

claim(
    "vy-s1-advantage-favours",
    Every(
        Equal(advantage - advantage.subs(i, k), (r[i] - r[k]) / sqrt(variance), label="difference of two advantages"),
        On(Domain(t > u, v > 0), Always((t - u) / sqrt(v) > 0, label="higher reward t > u, higher advantage")),
    ),
    group,
    depends_on=["vy-s1-eq2"],
    locator="Sec 1, after (2)",
    title="Order of the advantages within a group",
    kind="inequality",
    printed=(
        r"\text{The reward preference model is designed to favour outputs that achieve a higher reward relative "
        r"to other outputs within the group}"
    ),
)

guarded = Advantage(guard=t).of_group((r_a, r_b))[0]
apart = SHIFT_AND_SCALE.of_group((r_a, r_b))[0]

claim(
    "vy-s1-convention-00",
    Equal(guarded.subs(r_b, r_a), 0, label="the advantages of equal rewards, with any guard t > 0"),
    Domain(r_a, r_b, t > 0),
    because=(
        Tends(apart.subs(r_a, r_b + s), s, 0, 1, label="from above, s the difference, the advantage stays 1"),
        Tends(apart.subs(r_a, r_b - s), s, 0, -1, label="from below it stays −1"),
    ),
    expect="definition",
    locator="Sec 1, after (2)",
    title="Advantages of equal rewards",
    kind="convention",
    printed=r"A_i=0/0\equiv0\text{ in the case where }r_1=\cdots=r_G",
    remark="A convention, and no continuous extension: two rewards however close have advantages 1 and −1. In groups "
    "of two it is what every guard in the denominator gives.",
)

differences = Sum(r[i] - r[j], (j, 1, G))
squares = Sum(Sum((r[j] - r[k]) ** 2, (k, 1, G)), (j, 1, G))

claim(
    "vy-s1-adv-pairwise",
    When(squares > 0, Equal(advantage, differences / G / sqrt(squares / (2 * G**2)), label="their quotient")),
    group,
    because=(
        Equal(deviation_i, differences / G, label="numerator"),
        Equal(variance, squares / (2 * G**2), label="variance"),
    ),
    depends_on=["vy-s1-eq2"],
    locator="Sec 1, display after (2)",
    title="The advantage in pairwise differences",
    kind="identity",
    printed=r"A_i=\frac{\frac1G\sum_{j=1}^G(r_i-r_j)}{\sqrt{\frac1{2G^2}\sum_{j=1}^G\sum_{k=1}^G(r_j-r_k)^2}}",
    remark="For every G.",
)


def transformed(expression):
    """Every reward r becomes c r + d."""
    return expression.replace(lambda e: e.is_Indexed, lambda e: scale * e + shift)


claim(
    "vy-s1-shift-scale-invariance",
    On(
        group.also(shift, Ne(scale, 0)),
        Equal(transformed(advantage), scale / Abs(scale) * advantage, label="the same advantages, or their negatives"),
    ),
    group.also(shift, scale > 0),
    because=(
        Equal(transformed(advantage), advantage, label="c > 0: the same advantages"),
        Equal(transformed(deviation_i), scale * deviation_i, label="numerator"),
        Equal(transformed(variance), scale**2 * variance, label="variance"),
    ),
    locator="Sec 1, after (2)",
    title="Advantages under shifts and scalings of the rewards",
    kind="identity",
    printed=(
        r"\text{these normalisation techniques ensure that the advantage terms remain invariant under shift and scale "
        r"transformations of the input rewards}"
    ),
    judged=needs_hypothesis(
        "The factor must be positive, as that of the paper's scale normalisation is: a negative one reverses the sign "
        "of every advantage, and zero makes all rewards equal.",
        Equal(transformed(advantage), advantage),
        group.also(shift, Ne(scale, 0)),
    ),
)

# A constant baseline t: the gradient Σ_o ∂π(o)·(r(o) − t) does not see it, for Σ_o ∂π(o) = ∂1 = 0.
tangent = Domain(simplex(pi, n), reals(r, n), n >= 2, t)
mean = Sum(pi[o] * r[o], (o, 1, n))
spread = Sum(pi[o] * (r[o] - mean) ** 2, (o, 1, n))
# Two answers: the score of a is 1/x, that of b is −1/(1 − x); this is the second moment of one sample of the gradient.
second_moment = x * ((r_a - t) / x) ** 2 + (1 - x) * ((r_b - t) / (1 - x)) ** 2
average = x * r_a + (1 - x) * r_b
best = (1 - x) * r_a + x * r_b
pair = Domain(x > 0, x < 1, r_a, r_b, t)

claim(
    "vy-s1-baseline",
    Every(
        Equal(
            Sum(pi[o] * (r[o] - t) ** 2, (o, 1, n)), spread + (t - mean) ** 2, label="the mean is the nearest baseline"
        ),
        Equal(
            second_moment,
            second_moment.subs(t, best) + (t - best) ** 2 / (x * (1 - x)),
            label="two answers: the best t for the gradient is (1 − x)r_a + x r_b",
        ),
    ),
    tangent.also(0 < x, x < 1, r_a, r_b),
    because=(
        On(
            pair,
            Equal(
                x * (r_a - t) / x - (1 - x) * (r_b - t) / (1 - x),
                r_a - r_b,
                label="two answers: the expected gradient, with the baseline t and without",
            ),
        ),
    ),
    locator="Sec 1, after (2)",
    title="Best constant baselines of the rewards and of the gradient",
    kind="inequality",
    printed=(
        r"\text{Using shift normalisation with a baseline is a standard technique for variance reduction in "
        r"reinforcement learning, particularly when the average reward is used as the baseline}"
    ),
    judged=imprecise(
        "A statement of practice, and no law by which the variance never rises. The average reward is the constant "
        "nearest to the rewards. The variance of the gradient is least at another baseline, which "
        "weights the answers by their squared scores, and the average reward can be worse than none.",
        On(Domain(x > 0, x < 1, r_a, r_b), Always(second_moment.subs(t, average) <= second_moment.subs(t, 0))),
    ),
    remark=(
        "Two answers: the expected gradient is the same for every constant baseline, so its variance is compared by "
        "the second moment. For any number of next tokens liu-baseline-mean-zero."
    ),
)
