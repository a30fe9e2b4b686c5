"""Large groups: the reward preference tends to the centred expected reward, in units of its deviation.

Statement.   R_G(θ|q) → R_∞(θ|q) = (E_{π_θ}[r] − E_{π_old}[r])/σ(π_old) as G → ∞; for two answers the preference of
             the better one is a binomial expectation for each G, below its limit √((1 − y)/y).
Source.      Vojnovic & Yun (2025), Section 2.1, "The limit of large group size"; Section 1.2, item 3.
Domain.      Finitely many answers, rewards of any laws with variances, π_old positive on the answers, σ(π_old) > 0.
Derivation.  Mean and deviation of the group converge → the advantage of one output converges → advantages have
             second moments bounded by 1/π_old(o), so their expectations converge too. For two answers a squeeze
             gives the limit by hand.
Caveat.      σ² is the variance of the *reward*: if rewards are stochastic, part of it is within answers.
Letters.     x and y are policy and sampler on two answers; of three answers x and z are the policy on the first two,
             (y, 1 − y, 0) the sampler and s the reward of the third. r_a and r_b are the rewards of the answers a and
             b, r(o) is the mean of the reward of an answer and σ_r(o)² its variance, v is the variance of all. t is one
             reward that all have. k of the other outputs of a group give the same answer as the output itself. In
             vy-s21-PG-lower k, or K, of the N = G − 1 other outputs are a, z is the distance from their mean number and
             u is N^{1/4}; where an advantage is said to fall, s is that number K; in the proof v and s are two
             advantages and t the parabola. ϵ is a distance from the mean, δ_{i j} is 1 where i = j, else 0.
"""

from grpo_symbolic.paper import *

from .eq6_reward_preference import (
    TWO,
    mean_of,
    on_three,
    on_two,
    preferences,
    rewards,
    three,
)

claim = Result(__file__).claim

ALL = Answers(n)


def total(term):
    return Sum(term, (o, 1, n))


# -- The law of large numbers ----------------------------------------------------------------------------------------

drawn = Domain(n >= 2, simplex(old, n), reals(r, n), reals(deviations, n))
expected = total(old[o] * r[o])
between = y * (1 - y) * (r_a - r_b) ** 2  # the variance of a deterministic reward, two answers
deviation = Sum(old[o_] * (r[o_] - Sum(old[o_] * r[o_], (o_, 1, n))) ** 2, (o_, 1, n))
within = deviations[o] ** 2  # the variance of the reward of an answer, 0 where it is fixed
whole_variance = total(old[o] * (within + (r[o] - Sum(old[o_] * r[o_], (o_, 1, n))) ** 2))  # within and between them
varying = drawn.also(whole_variance > 0)
groups_of_any_size = (old, r, within, o, n, G)
groups_of_certain_rewards = (old, r, None, o, n, G)

claim(
    "vy-s21-lln-mean",
    MeanOfLargeGroups(*groups_of_any_size, expected, variance=whole_variance),
    drawn,
    because=(
        On(
            Domain(G >= 2, v > 0),
            Equal(
                Sum(Sum(KroneckerDelta(i, j) * v, (j, 1, G)), (i, 1, G)) / G**2, v / G, label="Var[mean] = v/G, any G"
            ),
        ),
        On(Domain(v > 0, epsilon > 0), Tends(v / (G * epsilon**2), G, oo, 0, label="Chebyshev's bound vanishes")),
    ),
    locator="Sec 2.1, large group size",
    title="Limit of the mean of a large group",
    kind="limit",
    printed=r"\lim_{G\to\infty}\mathrm{mean}(r_1,\dots,r_G)=\mathrm E_{o\sim\pi_{\theta_{\mathrm{old}}}(\cdot\mid "
    r"q)}[r(o\mid q)]",
    depends_on=["vy-s21-notation-rewards-iid"],
    remark="In probability and in mean square, for any laws with variances; σ_r(o) = 0 where the reward of an answer "
    "is fixed. Nothing is said of convergence with probability one; the print does not say which convergence it means.",
)

members = Domain(G >= 2, reals(r, G))

claim(
    "vy-s21-lln-std",
    DeviationOfLargeGroups(*groups_of_any_size, sqrt(whole_variance)),
    drawn,
    because=(
        On(
            members,
            Equal(
                group_variance(r, G, i),
                Sum(r[i] ** 2, (i, 1, G)) / G - group_mean(r, G, i) ** 2,
                label="std² from two means, any G",
            ),
        ),
        Equal(
            total(old[o] * (within + r[o] ** 2)) - expected**2,
            total(old[o] * within) + deviation,
            label="σ² = within + between answers, any number of them",
        ),
    ),
    locator="Sec 2.1, large group size",
    title="Limit of the deviation of a large group",
    kind="limit",
    printed=r"\lim_{G\to\infty}\mathrm{std}(r_1,\dots,r_G)=\sigma(\pi_{\theta_{\mathrm{old}}}(\cdot\mid q))",
    depends_on=["vy-s21-lln-mean"],
    remark="In probability and in mean square, for the rewards of vy-s21-lln-mean. σ(π_old)² is the variance of the "
    "reward, within answers included; it is that of r(o), o ~ π_old, for deterministic rewards only.",
)

# -- The limit of the reward preference -------------------------------------------------------------------------------

d = Derivation("vy-s21-Rinf", Domain(n >= 2, simplex(pi, n), simplex(old, n), reals(r, n), deviation > 0))
R_limit = d.start(
    total(pi[o] * SHIFT_AND_SCALE.preference(o, old, r, ALL, oo, o_)),
    "(6) with the advantage in the limit of large groups",
)
R_infinity = d.rewrite(
    R_limit,
    (total(pi[o] * r[o]) - expected) / sqrt(deviation),
    "mean and deviation do not depend on o, and π_θ sums to one",
)

gap = r_a - r_b
varied = Domain(G >= 2, reals(r, G), group_variance(r, G, j) > 0)


claim(
    "vy-s21-PG-uniform-integrability",
    SquaredAdvantage(old, o, n, G, 1 / old[o]),
    Domain(n >= 2, G >= 2, simplex(old, n)),
    because=(
        On(
            varied,
            Equal(
                Sum(group_advantage(r, i, G, j) ** 2, (i, 1, G)), G, label="ΣA_i² = G, any group that is not constant"
            ),
        ),
    ),
    locator="Sec 2.1, large group size",
    title="Second moments of the advantages of a sampled answer",
    kind="inequality",
    remark="Not in the paper: this is what lets the limit pass through the expectation, for n answers and stochastic "
    "rewards alike.",
)

binary_limit = grpo(gamma).advantage.preference(0, binary(y), (r_a, r_b), TWO, oo, o)

seen_mean = mean_of(binary(y), (r_a, r_b))
alike = Domain(n >= 2, simplex(pi, n), simplex(old, n), t)
claim(
    "vy-s21-Rinf",
    Every(
        On(
            varying.also(simplex(pi, n)),
            SurrogateOfLargeGroups(
                *groups_of_any_size, (total(pi[o] * r[o]) - expected) / sqrt(whole_variance), new=pi
            ),
        ),
        On(
            d.domain,
            SurrogateOfLargeGroups(*groups_of_certain_rewards, R_infinity, new=pi, label="deterministic rewards"),
        ),
        On(varying, AdvantageInLargeGroups(*groups_of_any_size, (r[o] - expected) / sqrt(whole_variance))),
        On(d.domain, AdvantageInLargeGroups(*groups_of_certain_rewards, (r[o] - expected) / sqrt(deviation))),
        On(d.domain, Equal(R_limit, R_infinity, label="mean over π_θ of the advantages in the limit")),
        On(
            alike,
            Equal(
                total(pi[o] * t) - total(old[o] * t), 0, label="all rewards t: the numerator is 0, as is each advantage"
            ),
        ),
    ),
    d.domain,
    by=d,
    locator="Sec 2.1, large group size",
    title="Reward preference in the limit of large groups",
    short="deterministic rewards",
    kind="limit",
    printed=(
        r"\mathcal R_\infty(\theta\mid q)=\frac{\mathrm E_{o\sim\pi_\theta(\cdot\mid q)}[r(o\mid q)]-\mathrm E_{o\sim"
        r"\pi_{\theta_{\mathrm{old}}}(o\mid q)}[r(o\mid q)]}{\sigma(\pi_{\theta_{\mathrm{old}}}(\cdot\mid q))}"
    ),
    depends_on=["vy-eq6-representation", "vy-s21-lln-mean", "vy-s21-lln-std", "vy-s21-PG-uniform-integrability"],
    judged=needs_hypothesis(
        "As (6), which it is a limit of, it needs a π_θ without mass where π_old has none (vy-eq6-representation): an "
        "answer that π_old never samples adds to the right side, and to no group.",
        Equal(
            (x * (r_a - seen_mean) + z * (r_b - seen_mean)) / sqrt(between),
            (mean_of(three, rewards) - seen_mean) / sqrt(between),
            label="π_old does not sample the third answer",
        ),
        on_three,
    ),
    remark="For the rewards of vy-s21-lln-mean. Where σ(π_old) = 0 all rewards that are drawn are alike, "
    "every advantage is 0 by the paper's convention 0/0 ≡ 0, and so is the numerator. The second expectation is "
    "printed with π_old(o|q) for π_old(·|q), in the copy that was read.",
)

claim(
    "vy-s12-Rinf-prose",
    Every(
        On(
            d.domain,
            Equal(
                R_infinity,
                total(pi[o] * r[o]) / sqrt(deviation) - expected / sqrt(deviation),
                label="less the expected reward under π_old, in the same units",
            ),
        ),
        On(
            d.domain,
            Equal(
                partial(R_limit, pi[o]) - partial(R_limit, pi[o_]),
                (r[o] - r[o_]) / sqrt(deviation),
                label="along the simplex, o against o': the difference of normalised rewards",
            ),
        ),
    ),
    d.domain,
    because=(
        On(
            d.domain,
            Equal(
                partial(R_limit, pi[o]),
                (r[o] - expected) / sqrt(deviation),
                label="the derivative of the limit in π(o), with centred rewards",
            ),
        ),
    ),
    by=d,
    locator="Sec 1.2, item 3",
    title="The limit as a centred expected reward",
    kind="limit",
    depends_on=["vy-s21-Rinf"],
    printed=(
        r"\text{In the limit of large group sizes, the reward preference model converges to the expected reward "
        r"normalised by the standard deviation of the reward of an output sampled from the previous policy}"
    ),
    judged=imprecise(
        "The limit is the expected reward *less that of the previous policy*, normalised; without centring it need "
        "not vanish at π_θ = π_old. "
        "The difference does not depend on π_θ, so both have the same maximisers.",
        Equal(R_limit, total(pi[o] * r[o]) / sqrt(deviation), label="not centred"),
    ),
)

# -- Two answers at finite G -----------------------------------------------------------------------------------------

# Of the other G − 1 outputs k are a, so the group has k + 1 outputs a, and r_a > r_b.
group = Domain(G >= 2, k >= 0, k <= G - 2, r_b < r_a)
share = (k + 1) / G
group_of_a = SHIFT_AND_SCALE.of_population(r_a, share * r_a + (1 - share) * r_b, share * (1 - share) * gap**2)
group_of_b = SHIFT_AND_SCALE.of_population(r_b, share * r_b + (1 - share) * r_a, share * (1 - share) * gap**2)


# The same for every G, with K as the number k.
any_size = Domain(G >= 2, y > 0, y < 1)
beside_a = sqrt((G - 1 - k) / (k + 1))
preference_a, preference_b = (binomial_mean(beside_a, k, G - 1, chance) for chance in (y, 1 - y))
by_chance = (
    CountMean(beside_a, k, G - 1, y, preference_a, label="any G: answer a, by the number of other outputs a"),
    CountMean(-beside_a, k, G - 1, 1 - y, -preference_b, label="any G: answer b, by the number of other outputs b"),
)


claim(
    "vy-s21-PG-binomial",
    Every(
        Equal(group_of_a, beside_a, label="advantage of a beside k other outputs a, any G"),
        Equal(group_of_b, -beside_a, label="advantage of b beside k other outputs b, any G"),
        *(On(any_size, statement) for statement in by_chance),
    ),
    group,
    locator="Sec 2.1, (6)",
    title="Preferences of two answers as binomial expectations, any group size, deterministic rewards",
    kind="identity",
    short=("any G: answer a, by the number of other outputs a", "advantage of a beside k other outputs a, any G"),
    remark="Not in the paper, which gives G = 2 and G → ∞. The fraction is the advantage of an output a beside k "
    "others a, the sum its expectation, y being π_old(a). If every output is a, the formula's 0 is the convention "
    "0/0 ≡ 0.",
)

unit = Domain(y > 0, y < 1)
odds = sqrt((1 - y) / y)
# The expected deviation of groups, y times the preference, is below the deviation by the tangent of the root at y.
deviation_of_groups = binomial_mean(sqrt(k * (G - k)) / G, k, G, y)
tangent = sqrt(y * (1 - y)) + (1 - 2 * y) / (2 * sqrt(y * (1 - y))) * (k / G - y)


claim(
    "vy-s21-PG-bound",
    Always(preference_a < odds, label="the bound itself, any G").by(
        Then(
            (
                Equal(y * preference_a, deviation_of_groups, label="the deviation of groups over y").by(
                    OneMoreDraw(1, 0)
                ),
                Always(deviation_of_groups < sqrt(y * (1 - y)), label="below the deviation").by(
                    AgainstPolynomial(-tangent, 0)
                ),
            )
        )
    ),
    any_size,
    locator="Sec 2.1, large group size",
    title="Upper bound of the preference of the better of two answers, deterministic rewards",
    kind="inequality",
    depends_on=["vy-s21-PG-binomial"],
    remark="Not in the paper: every finite group understates the limit (vy-s21-PG-limit).",
)

# K ≤ yN + z with N = G − 1, but for a probability of at most Ny(1 − y)/z², by Chebyshev's inequality. Beside K others
# the advantage is at least that beside yN + z, times 1 − (K − yN)²/z²: as large as it up to this bound on K, and beyond
# it the parabola is negative.
up_to = y * (G - 1) + z
fewest = sqrt((G - 1 - up_to) / (up_to + 1))  # the advantage beside so many
chebyshev = 1 - y * (1 - y) * (G - 1) / z**2
far = ((k - y * (G - 1)) / z) ** 2
few = Always(Implies(k <= up_to, beside_a >= fewest), label="up to the bound on K")
many = Always(Implies(k > up_to, far >= 1), label="beyond it")
either = Always(Or(beside_a >= fewest, far >= 1), label="one or the other").by(Then((few, many)))
in_letters = InLetters(
    Always(Implies(Or(v >= s, t >= 1), v >= s * (1 - t)), label="a number that is as large, or a negative parabola"),
    Domain(v >= 0, s >= 0, t >= 0),
    {v: beside_a, s: fewest, t: far},
)
parabola = Implies(Or(beside_a >= fewest, far >= 1), beside_a >= fewest * (1 - far))
below_parabola = Then((either, Always(parabola, label="so the parabola is below").by(in_letters)))

# With z = N^{3/4} and N = u⁴.
fourth_powers = {z: u**3, G: u**4 + 1}
lower = (1 - y * (1 - y) / u**2) * sqrt((u**4 - y * u**4 - u**3) / (y * u**4 + u**3 + 1))

claim(
    "vy-s21-PG-lower",
    On(
        any_size.also(z > 0, up_to <= G - 1),
        Always(preference_a >= chebyshev * fewest, label="Chebyshev's bound, any G and z").by(
            AgainstPolynomial(fewest * (1 - far), using=below_parabola)
        ),
    ),
    unit.also(u > 0),
    because=(
        On(
            Domain(N >= 1, s >= 0, s <= N),
            Monotone(
                (N - s) / (s + 1), s, -1, label="the fewer other outputs a, the larger the square of the advantage"
            ),
        ),
        On(
            unit.also(u > 1 / (1 - y), u > 1),
            Every(
                Always(up_to.subs(fourth_powers) < u**4, label="the bound on K is below N for large groups"),
                Equal((chebyshev * fewest).subs(fourth_powers), lower, label="the lower bound at N = u⁴ and z = u³"),
            ),
        ),
        Tends(lower, u, oo, odds, label="the lower bound tends to the upper one"),
    ),
    locator="Sec 2.1, large group size",
    title="Lower bound of the preference of the better of two answers, deterministic rewards",
    kind="limit",
    depends_on=["vy-s21-PG-binomial"],
    remark=("K of the N = G − 1 other outputs are the answer a; y is π_old(a), z the slack in Chebyshev's inequality."),
)

claim(
    "vy-s21-PG-limit",
    On(d.domain, AdvantageInLargeGroups(*groups_of_certain_rewards, (r[o] - expected) / sqrt(deviation))),
    on_two,
    because=(
        Equal(binary_limit, odds, label="of two answers, for the better: (r_a − E r)/σ"),
        Equal(preferences(binary(y), (r_a, r_b), TWO, oo)[1], -sqrt(y / (1 - y)), label="and for b, (r_b − E r)/σ"),
    ),
    locator="Sec 2.1, large group size",
    title="Limit of the preference of an answer in large groups, and its value for two answers",
    kind="limit",
    depends_on=["vy-s21-Rinf"],
)
