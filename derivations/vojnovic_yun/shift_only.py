"""Shift-only normalisation, and what it becomes together with the direct KL divergence.

Statement.   With A_i = r_i − mean(r_1, …, r_G) the reward preference is (1 − 1/G)(E_π r − E_old r), for any number of
             answers, any group size and any rewards with expectations r(o). With the direct KL penalty the objective is
             that of RLHF with β G/(G − 1) in the place of β.
Source.      Vojnovic & Yun (2025), Section 3, "Shift-only normalisation"; Section 1.2, item 6.
Domain.      n ≥ 2 answers, G ≥ 2, policies with full support, real expected rewards, β > 0.
Derivation.  advantage → expectation given the own output → expectation over the policy → plus the penalty → RLHF
             objective and its maximiser.
Caveat.      Only G → ∞ gives back RLHF with the same β: for finite groups the effective constant is larger, twice β for
             groups of two.
Letters.     π̃ is a second policy; c and d are a factor and a shift of the rewards. In vy-s3-combined-rlhf v is any
             positive number, in the place of the normaliser of the pool. P_G is the expected advantage of an output, as
             in (6).
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

answers = Answers(n)
domain = Domain(n >= 2, G >= 2, simplex(pi, n), simplex(old, n), reals(r, n))
full = Domain(n >= 2, G >= 2, beta > 0, simplex(pi, n), simplex(old, n), simplex(ref, n), reals(r, n))
group = Domain(G >= 2, reals(r, G), scale > 0, shift >= 0)


def expected(policy):
    """``E_π[r]``."""
    return answers.total(lambda answer: policy[answer] * r[answer], o_)


def preference(answer):
    """``P_G(o | π_old)``: the advantage is linear in the rewards, so the expectation of each takes its place.

    The own output is ``answer``; the G − 1 others come from π_old. Rewards may be stochastic: only r(o) enters.
    """
    mean = (r[answer] + Sum(expected(old), (j, 2, G))) / G
    return r[answer] - mean


def advantage(member):
    """``A_i`` of a group of symbolic size."""
    return r[member] - group_mean(r, G, j)


def transformed(expression):
    """Every reward scaled and shifted."""
    return expression.replace(lambda e: isinstance(e, Indexed), lambda e: scale * e + shift)


def moved(expression):
    """The same with another policy in the place of π."""
    return identify(expression, pi, other)


def reward_of_rlhf(policy):
    """The reward preference of RLHF: its objective without the penalty."""
    return rlhf(policy, ref, r, 0, answers)


factor = 1 - 1 / G
pair = Domain(n >= 2, G >= 2, simplex(pi, n), simplex(other, n), simplex(old, n), reals(r, n))

# R_G in the form (6); and from its definition, where E[ρ_i r_i] = E_π r and E[ρ_i r_j] = E[ρ_i] E_old r for j ≠ i.
reward_model = answers.total(lambda answer: pi[answer] * preference(answer), o)
gain = reward_model - moved(reward_model)
ratio_mean = answers.total(lambda answer: old[answer] * (pi[answer] / old[answer]), o)
own = answers.total(lambda answer: old[answer] * (pi[answer] / old[answer]) * r[answer], o)
group_average = Sum(own - (own + Sum(ratio_mean * expected(old), (j, 2, G))) / G, (i, 1, G)) / G

claim(
    "vy-s3-shift-advantage",
    Every(
        Equal(Sum(advantage(k), (k, 1, G)), 0, label="the advantages of a group sum to zero"),
        Equal(transformed(advantage(i)), scale * advantage(i), label="a shift drops out, a scale stays"),
    ),
    group,
    locator="Sec 3",
    title="Advantages without scale normalisation",
    kind="definition",
    expect="definition",
    printed=r"A_i=r_i-\mathrm{mean}(r_1,\dots,r_G)",
)


claim(
    "vy-s3-shift-only",
    Every(
        CentredSurrogate(old, o, n, G, factor * (expected(pi) - expected(old)), new=pi, rewards=r),
        Equal(
            reward_model, factor * (expected(pi) - expected(old)), label="mean over π of the preferences of the answers"
        ),
        Equal(
            group_average,
            factor * (expected(pi) - expected(old)),
            label="mean over the members of the group, from the definition",
        ),
    ),
    domain,
    locator="Sec 3",
    title="Reward preference without scale normalisation",
    kind="identity",
    printed=(
        r"\mathbb E_{o\sim\pi_\theta(\cdot\mid q)}[\mathcal P_G(o\mid\pi_{\theta_{\mathrm{old}}}(\cdot\mid q),q)]="
        r"\Big(1-\frac1G\Big)\big(\mathbb E_{o\sim\pi_\theta(\cdot\mid q)}[r(o\mid q)]-\mathbb E_{o\sim\pi_{\theta_{"
        r"\mathrm{old}}}(\cdot\mid q)}[r(o\mid q)]\big)"
    ),
    remark="Rewards may be stochastic; a policy ratio of one member is independent of the rewards of the others.",
)

claim(
    "vy-s3-shift-only-wording",
    Every(
        Equal(gain, factor * (expected(pi) - expected(other)), label="the gain of one policy over another"),
        On(Domain(G >= 2), Tends(factor, G, oo, 1, side="-", label="its factor tends to 1")),
    ),
    pair,
    because=(Always(factor > 0, label="a positive factor"),),
    locator="Sec 3",
    title="The gain of a policy over another, without scale normalisation",
    kind="modelling",
    printed=(
        r"\text{This results in a reward preference model similar to that of the RLHF alignment approach, but "
        r"replacing the reward model with a sample mean estimate of the rewards.}"
    ),
    depends_on=["vy-s3-shift-only"],
    remark=(
        "“Similar” is read so: centred at the old policy's mean, which changes nothing, and scaled by 1 − 1/G, "
        "since the group's average contains the output's own reward."
    ),
)

by_factor = Equal(
    gain, factor * (reward_of_rlhf(pi) - reward_of_rlhf(other)), label="the gain of one policy over another"
)
claim(
    "vy-s12-shift-only-aligns",
    Always(Equivalent(gain > 0, reward_of_rlhf(pi) > reward_of_rlhf(other)), label="the same ranking").by(
        Then((by_factor, Always(factor > 0, label="a positive factor")))
    ),
    pair,
    because=(by_factor,),
    locator="Sec 1.2 item 6",
    title="Ranking of policies without scale normalisation, and that of RLHF",
    kind="inequality",
    printed=r"\text{the latter adjustment aligns the reward preference with that of RLHF}",
    depends_on=["vy-s3-shift-only-wording"],
    remark="“The latter adjustment” leaves out the division by the deviation.",
)

# Both changes: the objective is written with its own divergence, then compared with RLHF.
combined = grpo(beta, G, advantage=SHIFT_ONLY, divergence=REVERSE_KL).value(pi, old, ref, preference, answers)
effective = beta * G / (G - 1)
centre = factor * expected(old)


def divergence_from_pool(policy, constant, normaliser=1):
    """``KL(π‖π_ref e^{r/c}/Z)``: from the logarithmic pool of the reference and the rewards."""
    return answers.total(lambda a: policy[a] * log(policy[a] * normaliser / (ref[a] * exp(r[a] / constant))), o)


pool = answers.total(lambda a: ref[a] * exp(r[a] / effective), o)
pooled = ref[o] * exp(r[o] / effective) / pool

claim(
    "vy-s3-combined-rlhf",
    Equal(combined, factor * rlhf(pi, ref, r, effective, answers) - centre, label="RLHF with β G/(G − 1)"),
    full.also(v > 0),
    because=(
        Equal(
            combined,
            beta * (log(v) - divergence_from_pool(pi, effective, v)) - centre,
            label="by the distance from the pool, divided by v",
        ),
        AtLeast(
            beta * log(pool) - centre,
            combined,
            (Eq(pi[o], pooled, evaluate=False),),
            label="largest at the pool, and there only",
        ).by(Gibbs((Divergence(pi[o], pooled, o, 1, n),), beta)),
        Always(effective > beta, label="a larger constant than β"),
        Equal(effective.subs(G, 2), 2 * beta, label="the larger constant for groups of two"),
        On(Domain(G >= 2, beta > 0), Tends(effective, G, oo, beta, side="-", label="β again for large groups")),
    ),
    locator="Sec 1.2 item 6; Sec 3",
    title="Both extensions together, and RLHF with a larger regularisation constant",
    kind="identity",
    printed=r"\text{combining the two extensions, we obtain aggregation of preferences}"
    r"\text{ similar to that of the RLHF alignment objective}",
    depends_on=["vy-s3-shift-only"],
    remark="“Similar” is read so: it is the aggregate of RLHF, π_ref tilted by the rewards (the pool), for β G/(G − "
    "1) in the place of β; v is any positive number. The old policy enters by a constant only, so the maximiser is "
    "stationary, whatever the old policy, and unique.",
)
