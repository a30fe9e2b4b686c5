"""Two answers, large groups: the objective, its derivative and the quadratic behind equation (15).

Statement.   With rewards r_a ≠ r_b and the old policy y, the normalised reward preference is
             (x/√(y(1 − y)) − √(y/(1 − y))) sign(r_a − r_b); the stationary policies x satisfy
             β(x − p) = √(x(1 − x)) sign(r_a − r_b).
Source.      Vojnovic & Yun (2025), Appendix B.1, "The limit of large group size", equations (18), (19).
Domain.      0 < x, y, p < 1, β > 0, any real rewards r_a, r_b.
Derivation.  objective → population mean and deviation under the old policy → derivative with y frozen → y = x → square
             → quadratic → root ≥ p.
Caveat.      The variance is that of deterministic rewards. Rewards that vary for a given answer, which Section 2.1
             admits, add y v_a + (1 − y) v_b to it: then (15), (18) and (19) fail, though r(a) and r(b) are still
             compared the same way.
Letters.     x and y are policy and sampler on two answers, p is π_ref(a); r_a and r_b are the expected rewards of the
             two answers, t is their difference, v_a and v_b are the variances, and σ the deviation of the reward of an
             output of π_old.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

policy, old, reference, rewards, two = binary(x), binary(y), binary(p), (r_a, r_b), Answers(2)
gap = r_a - r_b
any_rewards = Eq(t, gap)  # names the difference, restricts nothing
sampled = Domain(0 < y, y < 1, any_rewards)
interior = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < p, p < 1, beta > 0, any_rewards)
on_policy = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0, any_rewards)
lotteries = Domain(r_a > r_b, v_a >= 0, v_b >= 0)
noisy_sampled = lotteries.also(0 < y, y < 1)
noisy = noisy_sampled.also(0 < x, x < 1, 0 < p, p < 1, beta > 0)
on_policy_noisy = lotteries.also(0 < x, x < 1, 0 < p, p < 1, beta > 0)
DETERMINISTIC = "Fails for stochastic rewards, whose variance given the answer adds to σ²; true for deterministic ones."


def either_order(statement):
    """Both comparisons of the two rewards."""
    return Every(When(r_a > r_b, statement), When(r_a < r_b, statement))


# What the old policy's samples say of the rewards: mean and variance, first of deterministic rewards, then with a
# variance given the answer.
mean = two.total(lambda a: old[a] * rewards[a], o)
variance = two.total(lambda a: old[a] * (rewards[a] - mean) ** 2, o)
second_moment = two.total(lambda a: old[a] * (rewards[a] ** 2 + (v_a, v_b)[a]), o)
noisy_variance = second_moment - mean**2


def advantage(answer):
    """The group-relative preference of an answer in the limit of large groups."""
    return SHIFT_AND_SCALE.preference(answer, old, rewards, two, oo, o)


def noisy_advantage(answer):
    """The same for stochastic rewards: the expected reward enters the numerator, its whole variance the denominator."""
    return SHIFT_AND_SCALE.of_population(rewards[answer], mean, noisy_variance)


claim(
    "vy-B1-inf-diff-a",
    Equal(SHIFT_ONLY.preference(0, old, rewards, two, oo, o), (1 - y) * gap),
    sampled,
    locator="App B.1",
    title="Reward of a against the old policy's mean",
    kind="identity",
    printed=(
        r"r(a\mid q)-\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)}[r(o\mid q)]=(1-\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q))(r(a\mid q)-r(b\mid q))"
    ),
)

claim(
    "vy-B1-inf-diff-b",
    Equal(SHIFT_ONLY.preference(1, old, rewards, two, oo, o), y * (r_b - r_a)),
    sampled,
    locator="App B.1",
    title="Reward of b against the old policy's mean",
    kind="identity",
    printed=(
        r"r(b\mid q)-\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)}[r(o\mid q)]=\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q)(r(b\mid q)-r(a\mid q))"
    ),
    remark=("y is π_θ_old(a | q)."),
)

claim(
    "vy-B1-inf-sigma2",
    Equal(noisy_variance, gap**2 * y * (1 - y) + y * v_a + (1 - y) * v_b, label="stochastic rewards"),
    sampled.also(v_a >= 0, v_b >= 0),
    because=(
        Equal(variance, gap**2 * y * (1 - y), label="deterministic rewards"),
        Equal(noisy_variance.subs({v_a: 0, v_b: 0}), variance, label="no variance given the answer"),
    ),
    locator="App B.1",
    title="Variance of the reward of an output of the old policy, two answers",
    kind="identity",
    printed=(
        r"\sigma(\pi_{\theta_{\mathrm{old}}}(\cdot\mid q))^2=(r(a\mid q)-r(b\mid q))^2\,\pi_{\theta_{\mathrm{old}}}(a"
        r"\mid q)(1-\pi_{\theta_{\mathrm{old}}}(a\mid q))"
    ),
    judged=needs_hypothesis(DETERMINISTIC, Equal(noisy_variance, gap**2 * y * (1 - y)), noisy_sampled),
    remark="Section 2.1 defines σ² as the variance of the reward, which may be stochastic; the print has the variance "
    "of the expected reward only.",
)

claim(
    "vy-B1-inf-adv-a",
    either_order(Equal(advantage(0), sqrt((1 - y) / y) * sign(gap))),
    sampled,
    locator="App B.1",
    title="Normalised reward of a",
    kind="identity",
    printed=(
        r"\frac{r(a\mid q)-\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)}[r(o\mid q)]}{\sigma(\pi_{\theta_{"
        r"\mathrm{old}}}(\cdot\mid q))}=\sqrt{\frac{1-\pi_{\theta_{\mathrm{old}}}(a\mid q)}{\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q)}}\,\mathrm{sign}(r(a\mid q)-r(b\mid q))"
    ),
    judged=needs_hypothesis(DETERMINISTIC, Equal(noisy_advantage(0), sqrt((1 - y) / y)), noisy_sampled),
    depends_on=["vy-B1-inf-diff-a", "vy-B1-inf-sigma2"],
    remark="At r(a) = r(b) both sides are zero by the convention 0/0 ≡ 0.",
)

claim(
    "vy-B1-inf-adv-b",
    either_order(Equal(advantage(1), -sqrt(y / (1 - y)) * sign(gap))),
    sampled,
    locator="App B.1",
    title="Normalised reward of b",
    kind="identity",
    printed=(
        r"\frac{r(b\mid q)-\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)}[r(o\mid q)]}{\sigma(\pi_{\theta_{"
        r"\mathrm{old}}}(\cdot\mid q))}=-\sqrt{\frac{\pi_{\theta_{\mathrm{old}}}(a\mid q)}{1-\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q)}}\,\mathrm{sign}(r(a\mid q)-r(b\mid q))"
    ),
    judged=needs_hypothesis(DETERMINISTIC, Equal(noisy_advantage(1), -sqrt(y / (1 - y))), noisy_sampled),
    depends_on=["vy-B1-inf-diff-b", "vy-B1-inf-sigma2"],
)

# (18): the reward preference, from the advantages of both answers.
preference = two.total(lambda a: policy[a] * advantage(a), o)
noisy_preference = two.total(lambda a: policy[a] * noisy_advantage(a), o)
eq18 = x / sqrt(y * (1 - y)) - sqrt(y / (1 - y))
mean_gap = two.total(lambda a: policy[a] * rewards[a], o) - mean

claim(
    "vy-eq18",
    On(
        sampled.also(0 < x, x < 1, Ne(r_a, r_b)),
        Equal(
            mean_gap / sqrt(variance),
            eq18 * sign(gap),
            label="either order of the rewards",
            hint=(Eq(variance, y * (1 - y) * gap**2), Eq(sqrt(variance), sqrt(y * (1 - y)) * gap * sign(gap))),
        ),
    ),
    sampled.also(0 < x, x < 1),
    because=either_order(
        Every(
            Equal(preference, eq18 * sign(gap), label="the mean advantage of the policy"),
            Equal(preference, mean_gap / sqrt(variance), label="centred expected reward over the deviation"),
        )
    ),
    locator="App B.1, (18)",
    title="Reward preference for two answers and large groups",
    kind="identity",
    printed=(
        r"\frac{\mathbb E_{o\sim\pi_\theta(\cdot\mid q)}[r(o\mid q)]-\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(\cdot"
        r"\mid q)}[r(o\mid q)]}{\sigma(\pi_{\theta_{\mathrm{old}}}(\cdot\mid q))}=\Big(\frac1{\sqrt{\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q)(1-\pi_{\theta_{\mathrm{old}}}(a\mid q))}}\pi_\theta(a\mid q)-\sqrt{\frac{\pi_{"
        r"\theta_{\mathrm{old}}}(a\mid q)}{1-\pi_{\theta_{\mathrm{old}}}(a\mid q)}}\Big)\mathrm{sign}(r(a\mid q)-r(b"
        r"\mid q))"
    ),
    judged=needs_hypothesis(DETERMINISTIC, Equal(noisy_preference, eq18), noisy),
    depends_on=["vy-B1-inf-adv-a", "vy-B1-inf-adv-b"],
)

# The objective with y free, and what is left of it when the terms without x are dropped.
J = grpo(beta, group_size=oo).with_rewards(policy, old, reference, rewards, two)
noisy_J = grpo(beta).value(policy, old, reference, noisy_advantage, two)
penalty = y * p / x + (1 - y) * (1 - p) / (1 - x) + y * log(x) + (1 - y) * log(1 - x)
printed_J = sign(gap) * x / sqrt(y * (1 - y)) - beta * penalty
constant = beta * (1 + y * log(p) + (1 - y) * log(1 - p)) - sign(gap) * sqrt(y / (1 - y))

claim(
    "vy-B1-inf-objective",
    On(interior.also(Ne(r_a, r_b)), Equal(J, printed_J + constant)),
    interior,
    because=either_order(Equal(J, printed_J + constant, label="one order of the rewards")),
    locator="App B.1",
    title="The objective for two answers and large groups, up to a constant",
    kind="identity",
    printed=(
        r"\mathcal J_{GRPO}(\pi_\theta(a\mid q)\mid q)=\frac1{\sqrt{\pi_{\theta_{\mathrm{old}}}(a\mid q)(1-\pi_{"
        r"\theta_{\mathrm{old}}}(a\mid q))}}\mathrm{sign}(r(a\mid q)-r(b\mid q))\pi_\theta(a\mid q)-\beta\Big(\frac{"
        r"\pi_{\theta_{\mathrm{old}}}(a\mid q)\pi_{\mathrm{ref}}(a\mid q)}{\pi_\theta(a\mid q)}+\frac{(1-\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q))(1-\pi_{\mathrm{ref}}(a\mid q))}{1-\pi_\theta(a\mid q)}+\pi_{\theta_{\mathrm{old}}}(a"
        r"\mid q)\log(\pi_\theta(a\mid q))+(1-\pi_{\theta_{\mathrm{old}}}(a\mid q))\log(1-\pi_\theta(a\mid q))\Big)+"
        r"\mathrm{const.}"
    ),
    judged=needs_hypothesis(DETERMINISTIC, Equal(diff(noisy_J, x), diff(printed_J.subs(sign(gap), 1), x)), noisy),
    depends_on=["vy-eq18"],
    remark="The constant is written out, so that “+ const” says something: x does not stand in it. The last terms are "
    "illegible in "
    "the copy used here and were read as in the display for groups of two.",
)

# Differentiate with y frozen; only then y = x.
frozen_slope = diff(J, x)
slope = frozen_slope.subs(y, x)
noisy_slope = diff(noisy_J, x).subs(y, x)
printed_slope = sign(gap) / sqrt(x * (1 - x)) - beta * (x - p) / (x * (1 - x))

claim(
    "vy-B1-inf-derivative",
    either_order(Equal(slope, printed_slope)),
    on_policy,
    locator="App B.1",
    title="Derivative of the objective on-policy, two answers and large groups",
    kind="identity",
    printed=(
        r"\frac d{d\pi_\theta(a\mid q)}\mathcal J_{GRPO}(\pi_\theta(a\mid q)\mid q)=\frac1{\sqrt{\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q)(1-\pi_{\theta_{\mathrm{old}}}(a\mid q))}}\,\mathrm{sign}(r(a\mid q)-r(b\mid q))-\beta"
        r"\frac{\pi_\theta(a\mid q)-\pi_{\mathrm{ref}}(a\mid q)}{\pi_\theta(a\mid q)(1-\pi_\theta(a\mid q))}"
    ),
    judged=needs_hypothesis(DETERMINISTIC, Equal(noisy_slope, printed_slope.subs(sign(gap), 1)), on_policy_noisy),
    depends_on=["vy-B1-inf-objective"],
    remark="π_old in the print stands for π_θ, with which it has been identified.",
)

signed_difference = sqrt(x * (1 - x)) * sign(gap) - beta * (x - p)
difference = sqrt(x * (1 - x)) - beta * (x - p)
eq19 = Eq(beta * (x - p), sqrt(x * (1 - x)))

claim(
    "vy-B1-inf-signed-condition",
    either_order(Equal(slope * x * (1 - x), signed_difference)),
    on_policy,
    because=(Always(x * (1 - x) > 0, label="the factor does not vanish"),),
    locator="App B.1",
    title="Stationarity for either order of the rewards",
    kind="identity",
    printed=(
        r"\beta(\pi_\theta(a\mid q)-\pi_{\mathrm{ref}}(a\mid q))=\sqrt{\pi_\theta(a\mid q)(1-\pi_\theta(a\mid q))}\,"
        r"\mathrm{sign}(r(a\mid q)-r(b\mid q))"
    ),
    judged=needs_hypothesis(DETERMINISTIC, Equal(noisy_slope * x * (1 - x), difference), on_policy_noisy),
    depends_on=["vy-B1-inf-derivative"],
)

slope_by_order = Equal(slope * x * (1 - x), difference, label="the slope times x(1 − x)")
claim(
    "vy-eq19",
    Always(Equivalent(Eq(slope, 0), eq19), label="where the slope vanishes").by(
        Then((slope_by_order, Always(x * (1 - x) > 0, label="inside")))
    ),
    on_policy.also(r_a > r_b),
    because=(
        slope_by_order,
        Always(Equivalent(Eq(printed_slope.subs(sign(gap), 1), 0), eq19), label="it vanishes exactly on (19)"),
    ),
    locator="App B.1, (19)",
    title="Stationarity with a the more rewarding answer",
    kind="identity",
    printed=(
        r"\text{If }r(a\mid q)>r(b\mid q)\text{, then }\beta(\pi_\theta(a\mid q)-\pi_{\mathrm{ref}}(a\mid q))=\sqrt{"
        r"\pi_\theta(a\mid q)(1-\pi_\theta(a\mid q))}"
    ),
    judged=needs_hypothesis(DETERMINISTIC, Equal(noisy_slope * x * (1 - x), difference), on_policy_noisy),
    depends_on=["vy-B1-inf-derivative"],
)

# Squaring (19) adds the root below p; x ≥ p takes it away again.
shape = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0)
parameters = Domain(0 < p, p < 1, beta > 0)
quadratic = (1 + beta**2) * x**2 - (2 * beta**2 * p + 1) * x + beta**2 * p**2
printed_root = (2 * beta**2 * p + 1 + sqrt(1 + 4 * beta**2 * p * (1 - p))) / (2 * (1 + beta**2))
lower_root = (2 * beta**2 * p + 1 - sqrt(1 + 4 * beta**2 * p * (1 - p))) / (2 * (1 + beta**2))

above, counterpart = beta * (x - p) - sqrt(x * (1 - x)), beta * (x - p) + sqrt(x * (1 - x))
spurious = {x: Rational(1, 10), p: Rational(1, 2), beta: Rational(3, 4)}

claim(
    "vy-B1-inf-equivalent-quadratic",
    Every(
        On(
            shape.also(x >= p),
            Always(Equivalent(Eq(above, 0), Eq(quadratic, 0)), label="x ≥ p: (19) is equivalent to the quadratic"),
        ),
        On(shape.also(x < p), Always(above < 0, label="x < p: (19) fails")),
    ),
    shape,
    because=(
        Exists(Eq(quadratic, 0) & Eq(counterpart, 0) & (above < 0), spurious, label="x < p: a root where (19) fails"),
        Equal(above * counterpart, quadratic, label="the quadratic is (19) times its counterpart"),
        On(
            shape.also(x >= p),
            Always(counterpart > 0, label="x ≥ p: the counterpart is positive, so only (19) can vanish"),
        ),
    ),
    locator="App B.1",
    title="(19) as a quadratic equation",
    kind="identity",
    printed=(
        r"\text{This is equivalent to the following quadratic equation: }(1+\beta^2)\pi_\theta(a\mid q)^2-(2\beta^2"
        r"\pi_{\mathrm{ref}}(a\mid q)+1)\pi_\theta(a\mid q)+\beta^2\pi_{\mathrm{ref}}(a\mid q)^2=0"
    ),
    depends_on=["vy-eq19"],
    remark="It is read together with π_θ(a) ≥ π_ref(a), which the next sentence takes from (19) "
    "(vy-B1-inf-above-reference). Squaring adds the root below π_ref(a): for β = 3/4 and p = 1/2 the quadratic has the "
    "roots 1/10 and 9/10; (19) holds at 9/10 only.",
)

claim(
    "vy-B1-inf-above-reference",
    Always(beta * (x - p) < sqrt(x * (1 - x)), label="at and below p the two sides differ"),
    shape.also(x <= p),
    locator="App B.1",
    title="Solutions of (19) against the reference",
    kind="inequality",
    printed=r"\text{by (19), }\pi_\theta(a\mid q)\ge\pi_{\mathrm{ref}}(a\mid q)",
    depends_on=["vy-eq19"],
    remark="Strict for 0 < π_θ(a) < 1.",
)

claim(
    "vy-B1-inf-root-selection",
    Every(
        UniqueRoot(quadratic, x, printed_root, lower=p, upper=oo, label="the root above p"),
        Always(quadratic.subs(x, p) < 0, label="p itself is no root"),
    ),
    parameters,
    because=(
        Always((lower_root < p) & (printed_root < 1), label="the other root lies below p, this one below 1"),
        Equal(quadratic.subs(x, lower_root), 0, label="the other root"),
    ),
    locator="App B.1",
    title="The root of the quadratic above the reference",
    kind="uniqueness",
    printed=(
        r"\text{Since by (19), }\pi_\theta(a\mid q)\ge\pi_{\mathrm{ref}}(a\mid q)\text{, the quadratic equation has a "
        r"unique solution satisfying the latter condition}"
    ),
    depends_on=["vy-B1-inf-equivalent-quadratic"],
)
