"""What equation (11) says: a bound, a scaling function, groups of two, large groups, and the multiplier that vanishes.

Statement.   A stationary policy scales π_ref(o) by g = 1/(1 − t), where t is the preference of o, relative to its mean,
             over β. The mean is zero.
Source.      Vojnovic & Yun (2025), Section 2.3, equations (12) and (13); Section 1.2, item 2; Section 2.3, the
             paragraph after (13).
Domain.      n answers (any finite number), β > 0, full support unless a support of reference mass m is named; σ > 0 for
             large groups.
Derivation.  (11) → preferences of groups of two, and of large groups → (12), (13) → the scale σ moved to the penalty.
Caveat.      "Within β" holds from above only. A concentrated policy has a small σ in the limit only, and only if
             rewards do not vary for a given answer.
Letters.     P(o) is the preference of an answer, m the mass of the support under π_ref, λ a multiplier, and β + λ − β
             π_ref(o)/π(o) the preference with which π is stationary; w_>(o) and w_<(o) are the chances that o wins and
             loses. t is the argument of g, ζ < ν are two such arguments, and χ + ψt is any affine function of it. α is
             a share: of the way from ζ to ν, or of the probability that a policy gives away. u is a ratio π_ref/π, v
             the deviation σ. x is the policy on one answer, p its reference, or x is on the first of two or three, and
             z on another of three; (y, q) is a second policy beside (x, z). No reward is farther than c from the level
             B; v_a and v_b are variances of rewards. γ is the margin of a over b, and b is β/γ.
"""

from grpo_symbolic.paper import *

from .eq11_stationarity import answers, any_multiplier, at_maxima, average, full_support, gap, supported

claim = Result(__file__).claim

# --- What (11) implies -----------------------------------------------------------------------------------------------

claim(
    "vy-s23-upper-bound-beta",
    Every(
        Equal(gap, beta * (support_mass - ref[o] / pi[o]), label="the preference of an answer, relative to its mean"),
        On(
            Domain(beta > 0, 0 < u, 0 < support_mass, support_mass <= 1),
            Always(beta * (support_mass - u) < beta, label="is less than β, u = π_ref/π"),
        ),
    ),
    supported,
    locator="Sec 2.3",
    title="Upper bound of the preference of a used answer",
    kind="inequality",
    printed=(
        r"\text{for every context }q\text{ and output }o\text{ such that }\pi_\theta(o\mid q)>0\text{, it must hold: }"
        r"\mathcal P_G(o\mid\pi_\theta(\cdot\mid q),q)<\mathbb E_{o'\sim\pi_\theta(\cdot\mid q)}[\mathcal P_G(o'\mid"
        r"\pi_\theta(\cdot\mid q),q)]+\beta"
    ),
    depends_on=["vy-eq11-boundary-form"],
    remark="Holds on a smaller support as well, with room to spare: the bound there is β m.",
)

two = Domain(0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1)

claim(
    "vy-s23-within-beta",
    Every(
        at_maxima(P[o] - average, beta * (1 - ref[o] / pi[o]), "the distance from the mean", full_support),
        On(full_support.also(simplex(old, n)), Always(beta * (1 - ref[o] / pi[o]) < beta, label="less than β above")),
    ),
    full_support,
    because=(
        Equal(gap, beta * (1 - ref[o] / pi[o]), label="the distance at a stationary policy"),
        Always(beta * (1 - ref[o] / pi[o]) > beta * (1 - 1 / pi[o]), label="and less than β(1/π − 1) below"),
    ),
    locator="Sec 2.3",
    title="Distance of the preference of an answer from the mean",
    kind="inequality",
    printed=(
        r"\text{the expected group-relative preference for any output selected with positive probability under a "
        r"stationary policy is within an additive constant of }\beta\text{ of the expected group-relative preference "
        r"of "
        r"a randomly chosen output under the same stationary policy}"
    ),
    depends_on=["vy-s23-upper-bound-beta"],
    judged=imprecise(
        "Only from above. Below, the preference of a rare answer can be far less than the mean minus β: for two "
        "answers and groups of two that of b is −γ π(a), whatever β.",
        Always(Abs(pair_preference(1, binary(x), gamma)) <= beta),
        two.also(Eq(x, pairs(beta / gamma, p))),
    ),
)

g = 1 / (1 - t)
line = Domain(t < 1, 0 < x, 0 < p)

claim(
    "vy-s23-g-form",
    Always(Equivalent(Eq((1 - t) * x, p), Eq(x, p * g)), label="(11) and this form have the same solutions"),
    line,
    because=(
        On(
            full_support,
            Equal(gap / beta, 1 - ref[o] / pi[o], label="the argument of g at a stationary policy, any n"),
        ),
        On(full_support, Equal((1 - gap / beta) * pi[o], ref[o], label="and (11) there")),
        On(
            Domain(t, 0 < x, 0 < p),
            Always(Implies(Eq((1 - t) * x, p), t < 1), label="and (11) keeps the argument of g below 1"),
        ),
    ),
    locator="Sec 2.3",
    title="Equation (11) as a scaling of π_ref",
    kind="identity",
    printed=(
        r"\pi_\theta(o\mid q)=g\Big(\frac{\mathcal P_G(o\mid\pi_\theta(\cdot\mid q),q)-\mathbb E_{o'\sim\pi_\theta("
        r"\cdot\mid q)}[\mathcal P_G(o'\mid\pi_\theta(\cdot\mid q),q)]}\beta\Big)\pi_{\mathrm{ref}}(o\mid q)\text{. "
        r"where }g(x)\stackrel{\mathrm{def}}{=}1/(1-x)"
    ),
    depends_on=["vy-eq11-kkt-dichotomy"],
    remark="A fixed-point equation for π: its preferences are those under π itself. As (11): for stationary policies "
    "of full support.",
)

claim(
    "vy-s12-scaling-function",
    Every(
        On(
            full_support,
            Equal(ref[o] * g.subs(t, gap / beta), pi[o], label="a stationary policy with full support, any n"),
        ),
        Monotone(g, t, 1, label="g increases"),
    ),
    Domain(t < 1),
    because=(
        Always(g > 0, label="it is positive"),
        On(Domain(t < 0), Always(g < 1, label="it lowers answers below the mean preference")),
        On(Domain(0 < t, t < 1), Always(g > 1, label="and raises those above")),
    ),
    locator="Sec 1.2, item 2",
    title="Scaling function 1/(1 − t) of the reference, t the relative preference divided by β",
    kind="monotonicity",
    printed=(
        r"\text{preference aggregation in GRPO corresponds to scaling the reference probability of an output, given a "
        r"context, by a function that increases with the expected advantage of the output relative to the expected "
        r"advantage of a randomly chosen group of outputs from the aggregate probability distribution}"
    ),
    depends_on=["vy-s23-g-form"],
    remark="As (11): for stationary policies of full support. The function is defined and increases below 1, where "
    "(11) keeps its argument.",
)

# Logarithmic pooling: log(π/π_ref) is affine in the reward. Its stationarity, from the RLHF objective, for any n.
pooled = partial(lagrangian(rlhf(pi, ref, r, beta, answers), pi, n, lam, None, o_), pi[o])

# Three answers with different preferences, and one between them.
three_answers = Domain(zeta < nu, nu < 1, 0 < alpha, alpha < 1, chi, psi)
inner, ends = alpha * zeta + (1 - alpha) * nu, [log(g.subs(t, preference)) for preference in (zeta, nu)]


def on_chord(first, last):
    """The value between that a function has if it is affine."""
    return alpha * first + (1 - alpha) * last


claim(
    "vy-s12-differs-log-pooling",
    Every(
        On(
            Domain(n >= 2, beta > 0, any_multiplier, simplex(pi, n), simplex(ref, n), reals(r, n)),
            Always(
                Equivalent(Eq(pooled, 0), Eq(log(pi[o] / ref[o]), (r[o] - lam) / beta - 1)),
                label="RLHF: its condition says that log π/π_ref is affine in the reward",
            ),
        ),
        On(
            line,
            Always(
                Equivalent(Eq((1 - t) * x, p), Eq(log(x / p), log(g))),
                using=(log_increasing(x / p, g), log_increasing(g, x / p)),
                label="GRPO: (11), t the relative preference over β, says that it is log g",
            ),
        ),
        Curved(log(g), t, 1, label="which is strictly convex in the preference"),
    ),
    Domain(t < 1),
    because=(
        On(
            Domain(n >= 2, beta > 0, any_multiplier, simplex(pi, n), simplex(ref, n), reals(r, n)),
            Equal(
                pooled,
                r[o] - lam - beta - beta * log(pi[o] / ref[o]),
                label="RLHF: where its condition is zero, log π/π_ref is affine in the reward",
            ),
        ),
        Equal(diff(log(g), t).subs(t, 0), 1, label="the slope of log(1/(1 − t)) at t = 0, as of t itself"),
        On(
            three_answers,
            Every(
                Equal(
                    chi + psi * inner,
                    on_chord(chi + psi * zeta, chi + psi * nu),
                    label="an affine function at a point between two lies on their chord",
                ),
                Always(log(g.subs(t, inner)) < on_chord(*ends), label="log g at such a point lies below its chord").by(
                    Chord(log(g), t, Domain(t < 1), (zeta, nu), alpha)
                ),
            ),
        ),
    ),
    locator="Abstract; Sec 1.2; Sec 2.3, after (11)",
    title="Log-ratios to the reference: by reward (RLHF), and by t, the relative preference over β (GRPO)",
    kind="modelling",
    printed=r"\text{the aggregation of preferences is different than logarithmic pooling}",
    depends_on=["vy-s23-g-form"],
    remark="Two answers alone do not tell them apart, for any two odds are a pooling with some exponent; the "
    "dependence on the preference does.",
)

# --- The multiplier vanishes -----------------------------------------------------------------------------------------


mean = Sum(pi[o_] * r[o_], (o_, 1, n))
limit = SHIFT_AND_SCALE.of_population(r[o], mean, v**2)  # v stands for σ(π), whatever the distribution of each reward
in_group = SHIFT_AND_SCALE.of_population(r[i], group_mean(r, G, j), v**2)  # and here for the deviation of the group
many = Domain(n >= 2, beta > 0, v > 0, simplex(pi, n), reals(r, n))

claim(
    "vy-appA-lambda-zero",
    Every(
        at_maxima(P[o] - beta * (1 - ref[o] / pi[o]), average, "the multiplier is E_π P", full_support),
        On(
            Domain(n >= 2, G >= 2, simplex(pi, n), reals(P, n)),
            MeanAdvantage(pi, o, n, G, 0, expected=P, label="E_π P = 0, any rewards, any G"),
        ),
    ),
    Domain(G >= 2, v > 0, reals(r, G)),
    because=(
        MemberMean(in_group, r, i, G, 0, label="with one positive number for the deviation").by(Exchangeable()),
        Equal(Sum(in_group, (i, 1, G)), 0, label="the advantages of a group cancel, any G"),
        On(many, Equal(Sum(pi[o] * limit, (o, 1, n)), 0, label="and in the limit of large groups, any n")),
    ),
    locator="App A",
    title="Mean preference under its own policy, the multiplier of full support",
    kind="identity",
    depends_on=["vy-appA-lambda", "vy-s21-PG-centred"],
    remark="So (11) reads (1 − P(o)/β)π(o) = π_ref(o).",
)

# Objective (1) as it stands: it is an expectation over groups of π_old, so it sees the sampled answers only. A policy
# with the support S, of reference mass m, gives the share α of its probability to answers of π_ref outside S.
own_groups = grpo(beta).value(pi, old, ref, lambda a: P[a], answers)
thinned = own_groups.replace(lambda e: e.is_Indexed and e.base == pi, lambda e: (1 - alpha) * old[e.indices[0]])
thinned = identify(thinned, old, pi)
gives_up = Domain(
    n >= 1,
    beta > 0,
    0 < support_mass,
    support_mass < 1,
    simplex(pi, n),
    simplex(ref, n, total=support_mass),
    reals(P, n),
)
mean_on_support = Sum(pi[o] * P[o], (o, 1, n))
claim(
    "vy-s23-full-support-by-definition",
    On(
        gives_up.also(Eq(mean_on_support, 0)),
        Every(
            Equal(
                diff(thinned, alpha).subs(alpha, 0),
                beta * (1 - support_mass),
                label="the slope of objective (1) in the share α, at α = 0",
            ),
            Always(beta * (1 - support_mass) > 0, label="so the objective rises"),
        ),
    ),
    gives_up,
    because=(
        Equal(
            diff(thinned, alpha).subs(alpha, 0),
            beta * (1 - support_mass) - mean_on_support,
            label="that slope, whatever the advantages",
        ),
        On(
            Domain(n >= 1, G >= 2, simplex(pi, n), reals(P, n)),
            MeanAdvantage(pi, o, n, G, 0, expected=P, label="the advantages of groups have E_π P = 0"),
        ),
        On(
            gives_up.also(0 < alpha, alpha < 1),
            Equal(Derivative(thinned, alpha), diff(thinned, alpha), label="how objective (1) changes with the share α"),
        ),
    ),
    locator="Sec 1, (1); Sec 1.3; Sec 2.3",
    title="Objective (1) near a policy that gives up an answer of the reference",
    kind="inequality",
    depends_on=["vy-s21-PG-centred"],
    remark="The first left side is the slope of objective (1) in the share α, at α = 0. P are the expected advantages, "
    "of which the mean under their own policy vanishes (vy-s21-PG-centred). In the programme of Section 2.3 an answer "
    "that π_old never samples has a preference all the same; where it is low enough, such policies are stationary "
    "there (vy-s23-boundary-policy). In (1) no group holds the answer, so probability given to it costs no reward, and "
    "the penalty on the support of π falls.",
)

# --- Groups of two ---------------------------------------------------------------------------------------------------


# rewards with this order; a win is a larger reward

any_pairs = Domain(n >= 2, simplex(pi, n), reals(win, n), reals(loss, n), reals(P, n))
margin = win[o] - loss[o]
margins_mean = Sum(pi[o] * margin, (o, 1, n))
claim(
    "vy-eq12",
    Every(
        AdvantageInPairs(pi, o, n, 2, margin, wins=win, losses=loss, label="P_2 is a win less a loss"),
        MeanAdvantage(pi, o, n, 2, 0, expected=P, label="E_π P_2 = 0"),
        On(
            any_pairs.also(beta > 0),
            Equal(
                (1 - (margin - margins_mean) / beta) * pi[o],
                (1 - margin / beta) * pi[o] + pi[o] * margins_mean / beta,
                label="(11) is (12) and a multiple of E_π P_2, any n",
            ),
        ),
    ),
    any_pairs,
    locator="Sec 2.3, (12)",
    title="Equation (11) for groups of two",
    kind="identity",
    printed=(
        r"\Big(1-\frac{\mathbb P_{o'\sim\pi_\theta(\cdot\mid q)}[r>r'\mid o]-\mathbb P_{o'\sim\pi_\theta(\cdot\mid "
        r"q)}[r<r'\mid o]}\beta\Big)\pi_\theta(o\mid q)=\pi_{\mathrm{ref}}(o\mid q)"
    ),
    depends_on=["vy-eq11-kkt-dichotomy", "vy-appA-lambda-zero"],
    remark="As (11): for stationary policies of full support.",
)

# --- The limit of large groups ---------------------------------------------------------------------------------------

average = Sum(pi[o] * limit, (o, 1, n))

# The deviation σ of the old policy (v) moved from the reward to the penalty: the scaled objective times σ is the
# unscaled one with βσ for β.
old_mean = Sum(old[o] * r[o], (o, 1, n))
scaled = grpo(beta).value(
    pi, old, ref, lambda a: SHIFT_AND_SCALE.of_population(r[a], old_mean.subs(o, o_), v**2), answers
)
unscaled = grpo(beta_1).value(
    pi, old, ref, lambda a: SHIFT_ONLY.of_population(r[a], old_mean.subs(o, o_), v**2), answers
)
slopes = [identify(partial(value, pi[o]), old, pi) for value in (scaled, unscaled)]
spread = Domain(n >= 2, beta > 0, v > 0, simplex(pi, n), simplex(old, n), simplex(ref, n), reals(r, n))

d = Derivation("vy-eq13", spread)
d.start(scaled, "the objective of large groups, v the deviation σ(π_old)")
slope = d.start(slopes[0], "its derivative in π(o), at π_old = π")
condition = d.rewrite(slope, limit - beta * (1 - ref[o] / pi[o]), "on full support it is λ, which is zero")
times = d.start(condition * pi[o] / beta, "times π(o)/β, which is positive")
difference = d.rewrite(times, ref[o] - (1 - limit / beta) * pi[o], "zero exactly where (11) holds")
d.rewrite(difference, ref[o] - (1 - (r[o] - mean) / (beta * v)) * pi[o], "and where (13) does")

claim(
    "vy-eq13",
    Equal((1 - (limit - average) / beta) * pi[o], (1 - (r[o] - mean) / (beta * v)) * pi[o], label="any n"),
    many,
    because=(
        Equal(v * (beta - (limit - average)) * pi[o], (beta * v - (r[o] - mean)) * pi[o], label="any n, times βv"),
    ),
    by=d,
    locator="Sec 2.3, (13)",
    title="Equation (11) in the limit of large groups",
    kind="identity",
    printed=(
        r"\Big(1-\frac{r(o\mid q)-\mathbb E_{o'\sim\pi_\theta(\cdot\mid q)}[r(o'\mid q)]}{\beta\,\sigma(\pi_\theta("
        r"\cdot\mid q))}\Big)\pi_\theta(o\mid q)=\pi_{\mathrm{ref}}(o\mid q)"
    ),
    depends_on=["vy-eq11-kkt-dichotomy", "vy-s21-Rinf"],
    remark="The two sides are the left sides of (11) and (13). The symbol v stands for σ(π) > 0, the deviation of "
    "the reward of one output; the rewards may be random, r(o) is their expectation. That preferences tend to "
    "(r(o) − E_π r)/σ(π) is vy-s21-Rinf. For policies with full support, as (11). Where σ(π) = 0 all rewards are "
    "alike (vy-s21-Rinf), and with the paper's convention 0/0 ≡ 0 (13) is π = π_ref, as (11) is.",
)

claim(
    "vy-s23-effective-beta",
    Equal(v * scaled, unscaled.subs(beta_1, beta * v), label="the objective, v the deviation under the old policy"),
    spread,
    because=(Equal(v * slopes[0], slopes[1].subs(beta_1, beta * v), label="the slope of the objective on-policy"),),
    locator="Sec 2.3",
    title="Scale normalisation as an effective regularisation constant",
    kind="identity",
    printed=(
        r"\text{the scale normalisation of the rewards with the standard deviation }\sigma(\pi_\theta(\cdot\mid q))"
        r"\text{ can be interpreted as using an effective regularisation constant of }\beta\sigma(\pi_\theta(\cdot\mid "
        r"q))"
    ),
    depends_on=["vy-eq13"],
    remark=(
        "A positive factor does not move the maxima; σ is that of π_old and frozen, so the constant is βσ(π) "
        "only where π_old = π, as at a stationary policy. v is σ."
    ),
)


# Three answers with the rewards 0, 0, 1, and two policies of which the second is more concentrated on the first answer.
def deviation(policy, rewards):
    """The variance of the reward of an output of the policy."""
    centre = sum(w * value for w, value in zip(policy, rewards, strict=True))
    return sum(w * (value - centre) ** 2 for w, value in zip(policy, rewards, strict=True))


unit = deviation(binary(x), (1, 0))
# Stochastic rewards add the variances of the two answers.
noisy = x * (1 - x) * (r_a - r_b) ** 2 + x * v_a + (1 - x) * v_b
drawn = Domain(0 < x, x < 1, r_a > r_b, v_a >= 0, v_b >= 0)
spread_1, spread_2 = deviation((x, 1 - x - z, z), (0, 0, 1)), deviation((y, 1 - y - q, q), (0, 0, 1))
half = Rational(1, 2)
variance = Sum(pi[o] * (r[o] - mean) ** 2, (o, 1, n))
concentrated_mean = x * level + Sum(pi[o_] * r[o_], (o_, 1, n))  # with the probability x of one answer

claim(
    "vy-s23-concentration-sigma",
    On(
        Domain(n >= 1, 0 < x, x < 1, level, scale > 0, simplex(pi, n, 1 - x), reals(r, n)),
        AtLeast(
            (1 - x) * scale**2,
            x * (level - concentrated_mean) ** 2 + Sum(pi[o] * (r[o] - concentrated_mean) ** 2, (o, 1, n)),
            given=(And(-scale <= r[o] - level, r[o] - level <= scale),),
            label="any n: σ² ≤ (1 − x)c², where no reward is farther than c from B, that of one answer",
        ).by(
            TermByTerm(
                (
                    Sum(pi[o] * (scale**2 - (r[o] - level) ** 2), (o, 1, n)),
                    Sum((concentrated_mean - level) ** 2, (i, 1, 1)),
                )
            )
        ),
    ),
    Domain(x > half, x < 1),
    because=(
        Monotone(unit, x, -1, label="two answers: σ² decreases as the more likely one grows"),
        On(
            Domain(n >= 2, level, simplex(pi, n), reals(r, n)),
            Equal(
                Sum(pi[o] * (r[o] - level) ** 2, (o, 1, n)),
                variance + (mean - level) ** 2,
                label="any n: the mean square distance from one reward is σ² and a square",
            ),
        ),
        On(
            drawn.also(x > half),
            Always(
                Equivalent(diff(noisy, x) < 0, v_a - v_b < (2 * x - 1) * (r_a - r_b) ** 2),
                label="stochastic rewards, two answers: σ² decreases exactly where v_a − v_b is so small",
            ),
        ),
        On(drawn, Tends(noisy, x, 1, v_a, "-", label="and tends to the variance of the one answer")),
    ),
    locator="Sec 2.3",
    title="Bound of the variance of deterministic rewards near B, the reward of an answer of probability x",
    kind="monotonicity",
    printed=(
        r"\text{For a policy }\pi_\theta(\cdot\mid q)\text{ that is more concentrated on placing its mass on a single "
        r"output, the smaller the deviation }\sigma(\pi_\theta(\cdot\mid q))"
    ),
    judged=imprecise(
        "For deterministic rewards it is true for two answers, and in the limit of all mass on one answer; not in "
        "general, for answers with equal rewards hold their mass apart without any deviation, "
        "so concentrating on one of them can raise σ. With stochastic rewards it can fail for two answers. What is "
        "read has three answers with the rewards 0, 0 and 1, and two policies, (x, 1 − x − z, z) and "
        "(y, 1 − y − q, q), of which the second is more concentrated on the first answer.",
        Always(spread_2 <= spread_1),
        Domain(x > half, x < 1, y > half, y < 1, x < y, 0 < z, z < half, x + z < 1, 0 < q, q < half, y + q < 1),
    ),
)

claim(
    "vy-s23-smaller-penalty-weight",
    Every(
        On(Domain(v > 0, beta > 0), Monotone(beta * v, v, 1, label="the effective constant increases with v")),
        Monotone(pairs(b, p), b, -1, label="and with a smaller constant the better of two answers gets more"),
    ),
    Domain(0 < p, p < 1, b > 0),
    locator="Sec 2.3",
    title="Penalty weight βv for a deviation v, and the policy (14) of two answers as a function of β/γ",
    kind="monotonicity",
    printed=(
        r"\text{For a policy }\pi_\theta(\cdot\mid q)\text{ that is more concentrated on placing its mass on a single "
        r"output, the smaller the deviation }\sigma(\pi_\theta(\cdot\mid q))\text{, and, thus, a smaller effective "
        r"weight is placed on the reference-policy divergence penalty than on the reward preference maximisation}"
    ),
    depends_on=["vy-s23-effective-beta"],
    judged=imprecise(
        "Smaller than for a larger deviation. Than the weight of the reward, which is 1, it is smaller exactly for "
        "βσ(π) < 1.",
        Always(beta * v < 1, label="the weight of the penalty below that of the reward"),
        Domain(v > 0, beta > 0),
    ),
)
