"""The reward preference of GRPO is an expected group-relative preference.

Statement.   R_G(θ|q) = E_{o~π_θ}[P_G(o|π_old)] for every group size G; on-policy it is zero.
Source.      Vojnovic & Yun (2025), Section 2.1 before "Groups of size two", equation (6).
Domain.      Any finite number of answers, G ≥ 2, rewards of any laws; π_θ and π_old positive on the answers.
Derivation.  The members of a group are exchangeable, so each contributes what the first one does. In examples a
             stochastic reward splits an answer into finer answers of fixed reward (o, value).
Caveat.      (6) fails where π_θ puts mass on answers that π_old never samples.
Letters.     P(o) is the expected preference of an answer, A an advantage. x and z are the policy on the first two of
             three answers, where (y, 1 − y, 0) is the sampler; of two answers x and y are policy and sampler. s is a
             third reward, or what a pays else, and t a chance in a lottery.
"""

from itertools import product

from grpo_symbolic.paper import *

claim = Result(__file__).claim

TWO, THREE = Answers(2), Answers(3)
ranked = Domain(s < r_b, r_b < r_a)
on_two = ranked.also(x > 0, x < 1, y > 0, y < 1)
on_three = on_two.also(z > 0, z < 1, x + z < 1)
three, rewards = (x, z, 1 - x - z), (r_a, r_b, s)

# Stochastic rewards. The answer a is rewarded r_a with probability t, else s; the answer b is always rewarded r_b.
lotteries = on_two.also(t > 0, t < 1)
coin, sure = ((t, r_a), (1 - t, s)), ((Integer(1), r_b),)


def split(mass):
    """A policy on the finer answers (a, r_a), (a, s), (b, r_b): their ratios to the old policy are those of a and b."""
    return (mass * t, mass * (1 - t), 1 - mass)


def expectation(function, *laws):
    """Over independent rewards, each with a finite law of pairs (probability, value)."""
    return sum(Mul(*(w for w, _ in draw)) * function(*(value for _, value in draw)) for draw in product(*laws))


def conditional(*laws):
    """P_G(o | o'_1, …): the expected advantage of the first output, over the rewards of all the outputs."""
    return expectation(lambda *values: SHIFT_AND_SCALE.of_group(values)[0], *laws)


def preferences(sampler, values, answers, size):
    return [SHIFT_AND_SCALE.preference(a, sampler, values, answers, size, o) for a in range(answers.count)]


def mean_of(policy, values):
    return sum(a * b for a, b in zip(policy, values, strict=True))


# -- Equation (6) -----------------------------------------------------------------------------------------------------

symbolic = Domain(n >= 2, G >= 2, simplex(pi, n), simplex(old, n), reals(P, n))

# Given o_i = o, the expected advantage of o_i is P_G(o|π_old), whichever its place i in the group.
d = Derivation("vy-eq6", symbolic)
surrogate = d.start(
    Sum(Sum(old[o] * (pi[o] / old[o]) * P[o], (o, 1, n)), (i, 1, G)) / G,
    "(1/G) Σ_i of the expectation over o_i ~ π_old of ratio times preference",
)
one = d.rewrite(
    surrogate, Sum(old[o] * (pi[o] / old[o]) * P[o], (o, 1, n)), "the places are exchangeable: G equal terms, over G"
)
representation = d.rewrite(one, Sum(pi[o] * P[o], (o, 1, n)), "the ratio turns π_old into π_θ, where π_old(o) > 0")

unsampled = preferences((y, 1 - y, Integer(0)), rewards, THREE, 2)
by_members = GroupAverage(pi[o] / old[o], 0, P, old, o, n, G, Sum(pi[o] * P[o], (o, 1, n)), label="(6)")

claim(
    "vy-eq6-representation",
    by_members,
    symbolic,
    because=(Equal(surrogate, representation, label="each place in the group has the same term"),),
    by=d,
    locator="Sec 2.1, (6)",
    title="The reward preference as an expected group-relative preference",
    kind="identity",
    printed=r"\mathcal R_G(\theta\mid q)=\mathbb E_{o\sim\pi_\theta(\cdot\mid q)}[\mathcal "
    r"P_G(o\mid\pi_{\theta_{\mathrm{old}}}(\cdot\mid q),q)]",
    judged=needs_hypothesis(
        "π_θ must put no mass where π_old puts none: an answer that π_old never samples is on the right side of (6) "
        "and not in the definition of R_G. "
        "Section 1.3 asks for support within that of π_ref only.",
        Equal(
            expected_surrogate((x, z), (y, 1 - y), (r_a, r_b), TWO, 2),
            mean_of(three, unsampled),
            label="π_old does not sample the third answer",
        ),
        on_three,
    ),
    remark="For any laws of rewards: normal ones and those of a reward model, too. The formulas for groups of two "
    "specialise (6) and are read with its hypothesis; that of large groups is judged by itself "
    "(vy-s21-Rinf).",
)

fine, fine_old = split(x), split(y)

claim(
    "vy-s21-eq6-stochastic",
    by_members,
    symbolic,
    depends_on=["vy-eq6-representation"],
    locator="Sec 2.1, (6)",
    title="(6) for stochastic rewards",
    kind="identity",
    printed=(
        r"\text{We consider a more general setting than in Section 1, where the reward }r\text{ is allowed to be "
        r"stochastic for any given output }o\text{ and context }q"
    ),
    remark="Whatever laws the rewards of the answers have: the expected advantage P_G of an answer is over the rewards "
    "of all the outputs of the group, its own included.",
)

claim(
    "vy-s21-deterministic-special-case",
    Every(
        *(
            Equal(
                expected_surrogate(fine, fine_old, (r_a, r_a, r_b), THREE, size),
                expected_surrogate(binary(x), binary(y), (r_a, r_b), TWO, size),
                label=f"G = {size}",
            )
            for size in (2, 3)
        )
    ),
    lotteries,
    locator="Sec 2.1",
    title="Deterministic rewards as lotteries over equal rewards",
    kind="identity",
    short="G = 2",
    printed=(
        r"\text{The case of deterministic rewards is a special case, where, for each output }o\text{ under a context }q"
        r"\text{, the reward takes a deterministic value }r(o\mid q)"
    ),
    remark="What the special case is follows from the words. Checked, for two answers and groups of two and of three: "
    "a lottery whose two rewards are equal gives the R_G of that reward. The headline is that of groups of two. For "
    "every G vy-s21-PG-deterministic.",
)

varied = Domain(G >= 2, reals(r, G), group_variance(r, G, j) > 0)
advantages_cancel = On(
    varied, Equal(Sum(group_advantage(r, i, G, j), (i, 1, G)), 0, label="advantages of any group sum to zero")
)


claim(
    "vy-s21-PG-centred",
    MeanAdvantage(pi, o, n, G, 0, expected=P),
    Domain(n >= 2, G >= 2, simplex(pi, n), reals(P, n)),
    because=(advantages_cancel,),
    locator="Sec 2.1, after (6)",
    title="Mean of the expected preference on-policy",
    kind="identity",
    depends_on=["vy-eq6-representation"],
    remark="The paper uses it and does not say it: the expectation that (11) subtracts is zero, and (12) leaves "
    "it out. E_π[P_G] = E[A_1] = E[ΣA_i]/G = 0.",
)

# -- The definitions of Section 2.1 ----------------------------------------------------------------------------------

claim(
    "vy-s21-RG-definition",
    Every(
        *(
            Equal(expected_surrogate(binary(y), binary(y), (r_a, r_b), TWO, size), 0, label=f"R_{size} on-policy")
            for size in (2, 3, 4)
        )
    ),
    Domain(y > 0, y < 1, r_b < r_a),
    expect="definition",
    locator="Sec 2.1, before (6)",
    title="The reward preference model",
    kind="definition",
    printed=(
        r"\mathcal R_G(\theta\mid q)\stackrel{\mathrm{def}}{=}\mathbb E_{\{o_i\}_{i=1}^G\stackrel{\mathrm{i.i.d.}}{"
        r"\sim}\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)}\Big[\frac1G\sum_{i=1}^G\frac{\pi_\theta(o_i\mid q)}{\pi_{"
        r"\theta_{\mathrm{old}}}(o_i\mid q)}A_i\Big]"
    ),
    remark="Checked for consistency, for two answers and groups of two, three and four: its value at π_θ = π_old is "
    "zero, by enumeration.",
)


def by_sequences(answer, sampler, values, size):
    """P_G(o|π') from all ordered (G − 1)-tuples of other outputs."""
    return sum(
        Mul(*(sampler[k] for k in others)) * SHIFT_AND_SCALE.of_group([values[answer], *(values[k] for k in others)])[0]
        for others in product(range(len(values)), repeat=size - 1)
    )


claim(
    "vy-s21-PG-expected",
    Every(
        *(
            Equal(
                by_sequences(a, binary(y), (r_a, r_b), 4),
                preferences(binary(y), (r_a, r_b), TWO, 4)[a],
                label=f"P_4 of the answer {'ab'[a]}",
            )
            for a in (0, 1)
        )
    ),
    Domain(y > 0, y < 1, r_b < r_a),
    expect="definition",
    locator="Sec 2.1, before (6)",
    title="Expected group-relative preference",
    kind="definition",
    printed=(
        r"\mathcal P_G(o\mid\pi'(\cdot\mid q),q)\stackrel{\mathrm{def}}{=}\mathbb E_{o'_1,\dots,o'_{G-1}\stackrel{"
        r"\mathrm{i.i.d.}}{\sim}\pi'(\cdot\mid q)}[\mathcal P_G(o\mid\{o'_i\}_{i=1}^{G-1},q)]"
    ),
    remark="Checked for consistency, for two answers and groups of four: the sum over ordered tuples of outputs agrees "
    "with the one over their multinomial counts.",
)


flat = ((t, r_a), (1 - t, r_a))  # a deterministic reward, written as a lottery over equal values

claim(
    "vy-s21-PG-deterministic",
    AdvantageGiven(r, 1, i, G, group_advantage(r, 1, G, i), label="every G, and any rewards not all alike"),
    Domain(G >= 2, reals(r, G), group_variance(r, G, i) > 0),
    because=(
        On(
            Domain(r_a, t > 0, t < 1),
            Equal(conditional(flat, flat, flat), 0, label="all alike, in groups of three: 0/0 ≡ 0"),
        ),
    ),
    locator="Sec 2.1",
    title="Group-relative preference for deterministic rewards",
    kind="identity",
    printed=(
        r"\text{For the case of deterministic rewards, we have }\mathcal P_G(o\mid\{o'_i\}_{i=1}^{G-1},q)=\frac{r(o"
        r"\mid q)-\mathrm{mean}(r(o\mid q),r(o'_1\mid q),\dots,r(o'_{G-1}\mid q))}{\mathrm{std}(r(o\mid q),r(o'_1\mid "
        r"q),\dots,r(o'_{G-1}\mid q))}"
    ),
    remark="Where all rewards coincide the quotient is read with the paper's convention 0/0 ≡ 0.",
)


mixture = tuple((mass * w, value) for mass, law in zip(binary(y), (coin, sure), strict=True) for w, value in law)
expected_rewards = (t * r_a + (1 - t) * s, r_b)

claim(
    "vy-s21-notation-rewards-iid",
    Every(
        Equal(
            expectation(lambda a: a, mixture),
            mean_of(binary(y), expected_rewards),
            label="each reward has mean E[r(o)], o ~ π_old",
        ),
        Equal(
            expectation(lambda a, b: a * b, mixture, mixture),
            mean_of(binary(y), expected_rewards) ** 2,
            label="two rewards of a group are uncorrelated",
        ),
    ),
    lotteries,
    locator="Sec 2.1, large group size",
    title="Moments of the rewards of sampled outputs, one answer noisy",
    kind="convention",
    printed=r"r_1,\dots,r_G\overset{\mathrm{i.i.d.}}{\sim}\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)",
    judged=misprint(
        "Outputs, not rewards, are drawn from π_old: o_i ~ π_old, and r_i from the law of the reward given o_i."
        " So in the copy that was read."
    ),
    remark="The reward of a is r_a with probability t, s otherwise. The second equation is E[r_1 r_2] = (E r)².",
)
