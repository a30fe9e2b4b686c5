"""Two answers, large groups: the stationary policy in closed form, and what it guarantees.

Statement.   For deterministic rewards r_a > r_b and large groups, the stationary policy gives the answer a the
             probability x = (2β²p + 1 + √(1 + 4β²p(1 − p))) / (2(1 + β²)), which is at least max{1/(1 + β²), p}.
Source.      Vojnovic & Yun (2025), Section 2.3.1, equation (15) and Figure 2; Section 1.2, item 5.
Domain.      0 < p < 1, β > 0; for the comparison with groups of two also 0 < γ ≤ 1.
Derivation.  objective → derivative in x with the old policy frozen → old policy = policy → (19) → square → the root
             above p → bounds.
Caveat.      Stationary for the limit of the objective, in first order. With rewards that vary for a given answer the
             policy depends on the variances, and neither the bound 1/(1 + β²) nor the comparison with groups of two
             survives, though it exceeds p; the jump at π_ref(a) = 0 is then there exactly for β√v_b < r_a − r_b, v_b
             the variance of the worse answer's reward.
Letters.     x and y are policy and sampler, p is π_ref(a), z a policy of groups of two, γ the margin of a over b; r_a
             and r_b are the expected rewards, v_a and v_b the variances of the two rewards, over (r_a − r_b)² in
             formulas without r_a and r_b; x₀ is the policy above which each has a reference. t and u are two rewards in
             order; of a lottery t is a chance and s the reward it pays. c and d scale and shift the rewards, b is β/γ
             where it is no answer. σ is the deviation of the reward of an output.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

policy, old, reference, rewards, two = binary(x), binary(y), binary(p), (r_a, r_b), Answers(2)
parameters = Domain(0 < p, p < 1, beta > 0)
shape = parameters.also(0 < x, x < 1)
ordered = shape.also(0 < y, y < 1, r_a > r_b)

# The objective is differentiated with the old policy y held fixed; y = x comes after.
d = Derivation("vy-eq15", ordered)
J = d.start(
    grpo(beta, group_size=oo).with_rewards(policy, old, reference, rewards, two),
    "normalised reward minus β times penalty",
)
dJ = d.differentiate(J, x, "the old policy y is held fixed")
F = d.restrict(dJ, {y: x}, "stationary: the policy that sampled the groups is the policy itself")
on_policy = 1 / sqrt(x * (1 - x)) - beta * (x - p) / (x * (1 - x))
F = d.rewrite(F, on_policy, "r_a > r_b: the rewards themselves drop out")

# (19), and its square together with x ≥ p.
condition = Eq(beta * (x - p), sqrt(x * (1 - x)))
d.equivalent(F, condition, "equation (19)")
Q = ((beta * (x - p)) ** 2 - x * (1 - x)).expand().collect(x)
squared = d.equivalent(condition, (x >= p) & Eq(Q, 0), "square; the sign of x − p is kept as x ≥ p")
root = d.solve(Q, x, inside=(p, 1))

printed_root = (2 * beta**2 * p + 1 + sqrt(1 + 4 * beta**2 * p * (1 - p))) / (2 * (1 + beta**2))

# Stochastic rewards: their variance given the answer adds to that of the expected rewards.
mean = two.total(lambda a: old[a] * rewards[a], o)
variance = two.total(lambda a: old[a] * (rewards[a] - mean) ** 2, o)
noisy_variance = variance + two.total(lambda a: old[a] * (v_a, v_b)[a], o)
noisy_J = grpo(beta).value(
    policy, old, reference, lambda a: SHIFT_AND_SCALE.of_population(rewards[a], mean, noisy_variance), two
)
noisy_slope = diff(noisy_J, x).subs(y, x)

# With stochastic rewards each x in (0, 1) is stationary for exactly one p; rewards are scaled so that r_a − r_b = 1.
unit = {r_a: 1, r_b: 0}
noisy_deviation = sqrt(noisy_variance.subs(unit).subs(y, x))
noisy_reference = x - x * (1 - x) / (beta * noisy_deviation)
spread = Domain(0 < x, x < 1, beta > 0, v_a >= 0, v_b >= 0)
noisy = spread.also(Eq(p, noisy_reference), p > 0)
any_rewards = Domain(beta > 0, r_a > r_b, v_a >= 0, v_b >= 0)
DETERMINISTIC = "Needs rewards that do not vary for a given answer: their variance enters σ."
SUPPORTED = " And π_ref(a) > 0, as for groups of two."

claim(
    "vy-eq15",
    On(
        shape,
        Always(Equivalent(Eq(on_policy, 0), Eq(x, printed_root)), label="where the derivative vanishes").by(
            Then(
                (
                    Always(Equivalent(Eq(on_policy, 0), condition), label="on (19)"),
                    Always(Equivalent(condition, squared), label="squared"),
                    Always(Equivalent(squared, Eq(x, printed_root)), label="the root above p"),
                )
            )
        ),
    ),
    parameters,
    because=(Equal(root, printed_root, label="the root that was found is the printed one"),),
    by=d,
    locator="Sec 2.3.1, (15)",
    title="Stationary policy, two answers, large groups, deterministic rewards: zero of the slope",
    kind="identity",
    printed=r"\pi_\theta(a\mid q)=\frac{2\beta^2\pi_{\mathrm{ref}}(a\mid q)+1+\sqrt{1+4\beta^2\pi_{\mathrm{ref}}(a"
    r"\mid q)(1-\pi_{\mathrm{ref}}(a\mid q))}}{2(1+\beta^2)}",
    judged=needs_hypothesis(DETERMINISTIC, Equal(x, printed_root), noisy),
    depends_on=["vy-eq19", "vy-B1-inf-root-selection"],
    remark="Stationary in first order for the limit G → ∞ of the objective, with π_old frozen; whether it is a "
    "maximum is vy-s13-large-groups. For policies with full support; a group of G has the second stationary policy "
    "π(a) = 1 when β(1 − π_ref(a)) ≤ √(G − 1) (by-boundary-all-correct), so for every β if G is large enough.",
)

bound = 1 / (1 + beta**2)

claim(
    "vy-eq15-lower-bound",
    Always((printed_root > bound) & (printed_root > p) & (printed_root < 1), label="strict inside"),
    parameters,
    because=(Always(printed_root >= Max(bound, p), label="so at least the larger of the two bounds"),),
    locator="Sec 2.3.1, after (15)",
    title="Lower bound of (15)",
    kind="inequality",
    printed=r"\pi_\theta(a\mid q)\ge\max\Big\{\frac1{1+\beta^2},\ \pi_{\mathrm{ref}}(a\mid q)\Big\}",
    depends_on=["vy-eq15"],
    judged=needs_hypothesis(
        "Needs π_ref(a) > 0 as for groups of two: for π_ref(a) = 0 Section 1.3 gives π_θ(a) = 0.",
        Always(Piecewise((printed_root, p > 0), (0, True)) >= Max(bound, p)),
        Domain(0 <= p, p < 1, beta > 0),
    ),
    remark="About formula (15); the comparison with groups of two that follows it in the paper is for deterministic "
    "rewards.",
)

# A tie: the numerators of the advantages vanish, with σ > 0 (stochastic rewards) or with σ = 0 and 0/0 ≡ 0.
J_tie = grpo(beta).value(policy, old, reference, lambda answer: 0, two)
slope_tie = diff(J_tie, x).subs(y, x)
below_tangent = (log_below_tangent(p / x), log_below_tangent((1 - p) / (1 - x)))

claim(
    "vy-s231-inf-tie",
    Always(Equivalent(Eq(slope_tie, 0), Eq(x, p)), label="its one zero"),
    shape.also(0 < y, y < 1),
    because=(
        On(Domain(0 < y, y < 1, Eq(t, r_a)), Equal((r_a - mean).subs(r_b, r_a), 0, label="no answer has an advantage")),
        On(Domain(0 < y, y < 1, Eq(t, r_a)), Equal(variance.subs(r_b, r_a), 0, label="0/0 for deterministic rewards")),
        Equal(slope_tie, beta * (p - x) / (x * (1 - x)), label="the slope"),
        LocalMaximum(J_tie, x, p, frozen=((y, p),), label="the reference policy in its own objective"),
        Always(J_tie <= 0, using=below_tangent, label="no policy scores more than 0"),
        Equal(J_tie.subs(x, p), 0, label="which the reference policy scores"),
    ),
    locator="Sec 2.3.1; App B.1",
    title="Stationary policy for equal rewards",
    kind="identity",
    printed=r"\text{when }r(a\mid q)=r(b\mid q)\text{, then }\pi_\theta(\cdot\mid q)=\pi_{\mathrm{ref}}(\cdot\mid q)",
    remark="A global maximum whatever the old policy, so the only stationary policy; stochastic rewards change "
    "nothing, for the numerators vanish all the same.",
)

half = Rational(1, 2)
# Any two pairs of rewards in the same order differ by a scale c > 0 and a shift d.
slope = dJ.subs(y, x)
affine = {r_a: scale * r_a + shift, r_b: scale * r_b + shift}
varied = shape.also(r_a > r_b, v_a >= 0, v_b >= 0)
counterexample = {x: half, p: Rational(1, 6), beta: half, r_a: 1, r_b: 0, v_a: 4, v_b: 0}  # (15): over 4/5
exchanged = {r_a: r_b, r_b: r_a, x: 1 - x, p: 1 - p}

claim(
    "vy-s231-inf-comparison-only",
    On(
        shape.also(r_a > r_b, u < t),
        Equal(slope.subs({r_a: t, r_b: u}), slope, label="any two rewards in the same order"),
    ),
    shape.also(r_a > r_b, scale > 0, Eq(t, shift)),
    because=(
        Equal(slope.subs(affine, simultaneous=True), slope, label="scale and shift drop out"),
        Equal(slope, -slope.subs(exchanged, simultaneous=True), label="the other order: exchange the answers"),
        On(spread, Equal(noisy_slope.subs(unit).subs(p, noisy_reference), 0, label="stochastic: each x has its p")),
        On(
            varied,
            Exists(
                Eq(noisy_slope, 0) & (x < bound),
                counterexample,
                label="stochastic: a stationary policy below 1/(1 + β²)",
            ),
        ),
    ),
    locator="Sec 2.3.1",
    title="The slope that vanishes at (15), under changes of the rewards",
    kind="invariance",
    printed=(
        r"\text{A notable difference from the case of groups of size two is that the aggregation of preferences "
        r"depends "
        r"solely on }\pi_{\mathrm{ref}}(\cdot\mid q)\text{, the regularisation constant }\beta\text{, and the "
        r"comparison "
        r"of the expected rewards }r(a\mid q)\text{ and }r(b\mid q)"
    ),
    judged=wrong(
        "It fails for stochastic rewards: the same expected rewards with other variances give another "
        "stationary policy. And it needs deterministic ones, with which it is no difference: groups of two then depend "
        "on the comparison only, too (vy-s231-rank-invariance).",
        Equal(noisy_slope, noisy_slope.subs({v_a: 0, v_b: 0})),
        varied,
    ),
)

# Groups of two, equation (14), have the same β and the margin γ ≤ 1; deterministic rewards have γ = 1.
margin = Domain(0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1)
# One answer with reward 0; the other has reward 1, and s > 1 with probability t: it always wins, so γ = 1, but its
# variance is large.
lottery_mean, lottery_variance = 1 - t + t * s, t * (1 - t) * (s - 1) ** 2
lottery_deviation = sqrt(noisy_variance.subs({r_a: lottery_mean, r_b: 0, v_a: lottery_variance, v_b: 0, y: x}))

# Every policy z is that of groups of two for one p; the closed form of large groups at this p is compared with z.
eq14 = pairs(beta / gamma, p)
pair_reference = z - gamma * z * (1 - z) / beta
pair_policies = Domain(0 < z, z < 1, 0 < gamma, gamma <= 1, beta > gamma * (1 - z))

# A policy z that solves (17), as (14) does, lies below (15): its deviation exceeds β times its distance from π_ref.
solving = pair_policies.also(Eq(p, pair_reference))
rising = Domain(0 < p, p < 1, beta > 0, 0 < z, z < 1, (beta * (z - p)) ** 2 < z * (1 - z))
below_large = Always(printed_root > z, label="below (15)", hint=((1 + beta**2) * z - beta**2 * p,))
below_large = below_large.by(InLetters(below_large, rising, {z: z, p: p, beta: beta}))
by_large_slope = InLetters(below_large, solving, {z: eq14, p: p, beta: beta, gamma: gamma})
claim(
    "vy-s231-more-biased",
    On(margin, Always(printed_root > eq14, label="(15) exceeds (14)").by(by_large_slope)),
    pair_policies,
    because=(
        Equal(pairs(beta / gamma, pair_reference), z, label="(14) gives z for the reference z − γz(1 − z)/β"),
        Always(printed_root.subs(p, pair_reference) > z, label="and (15) gives more than z"),
        Always((pair_reference > 0) & (pair_reference < z), label="that reference is a probability below z"),
        On(margin, Always((eq14 < 1) & (beta > gamma * (1 - eq14)), label="no policy is left out")),
        On(
            Domain(0 < x, x < 1, 0 < t, t < 1, s > 1),
            Exists(
                lottery_mean / lottery_deviation < 1,
                {x: half, t: Rational(1, 4), s: 21},
                label="rewards that vary: where a always wins, (r_a − r_b)/σ can be below γ = 1",
            ),
        ),
    ),
    locator="Sec 2.3.1",
    title="The policy of large groups (15) against that of groups of two (14)",
    kind="inequality",
    printed=(
        r"\text{The aggregation of preferences is more biased towards the reward preference than for the case of "
        r"groups "
        r"of size two.}"
    ),
    depends_on=["vy-eq15", "vy-eq14"],
    remark="It is about formulas (15) and (14); that both need full support, and (15) deterministic rewards, is judged "
    "there. For the same β and π_ref(a) in (0, 1), and every margin 0 < γ ≤ 1 of groups of two; γ = 1 is the case of "
    "deterministic rewards. Where a always wins but by a varying amount, (r(a) − r(b))/σ can be below γ at the "
    "stationary policy of groups of two, and the slope of the large-group objective is negative there.",
)

claim(
    "vy-s231-inf-discontinuity",
    Every(
        Tends(printed_root, p, 0, bound, side="+", label="from the right of π_ref = 0"),
        Always(Gt(bound, 0, evaluate=False), label="not the value 0 that the support forces"),
    ),
    Domain(beta > 0),
    because=(
        Tends(printed_root, p, 1, 1, side="-", label="continuous at π_ref = 1"),
        On(Domain(0 < p, p < 1, beta > 0), Continuous(printed_root, p, label="no other break")),
    ),
    locator="Sec 2.3.1",
    title="Jump of (15) at the reference 0",
    kind="limit",
    printed=r"\text{the dependence on }\pi_{\mathrm{ref}}(a\mid q)\text{ is discontinuous at }\pi_{\mathrm{ref}}(a"
    r"\mid q)=0\text{ for every }\beta>0",
    depends_on=["vy-eq15"],
    remark="The sentence speaks of formula (15); that this needs deterministic rewards is judged there (vy-eq15). "
    "Where the reward of the worse answer deviates by (r(a) − r(b))/β or more nothing jumps: vy-s231-inf-noisy-jump. "
    "At π_ref(a) = 0 the policy has π_θ(a) = 0, its support being inside that of π_ref (Section 1.3).",
)

# Every policy x is stationary for one number in the place of p; where it is positive, it is a reference.
gap = r_a - r_b
drawn_variance = x * (1 - x) * gap**2 + x * v_a + (1 - x) * v_b
its_reference = x - x * (1 - x) * gap / (beta * sqrt(drawn_variance))
jumping = any_rewards.also(beta**2 * v_b < gap**2)
middle = 2 * gap**2 + beta**2 * (gap**2 + v_a - v_b)
least = (middle - sqrt(middle**2 - 4 * gap**2 * (1 + beta**2) * (gap**2 - beta**2 * v_b))) / (
    2 * gap**2 * (1 + beta**2)
)
claim(
    "vy-s231-inf-noisy-jump",
    Every(
        When(
            beta**2 * v_b >= gap**2,
            Always((its_reference > 0) & (its_reference < x), label="no jump: every policy has a reference, below it"),
        ),
        On(jumping, Always((least > 0) & (least < 1), label="jump: x₀ lies inside (0, 1)")),
        On(
            jumping.also(0 < x, x < 1),
            Always(Equivalent(its_reference > 0, x > least), label="exactly the policies above x₀ have a reference"),
        ),
    ),
    any_rewards.also(0 < x, x < 1),
    because=(
        Equal(noisy_slope.subs(p, its_reference), 0, label="the slope at x, for its reference, is 0"),
        On(
            any_rewards.also(v_b > 0),
            Tends(its_reference / x, x, 0, 1 - gap / (beta * sqrt(v_b)), label="the reference over the policy, near 0"),
        ),
        On(
            jumping.also(least < x, x < 1),
            Monotone(its_reference, x, 1, label="the reference increases with the policy"),
        ),
        On(
            jumping,
            Equal(
                drawn_variance.subs(x, least) * beta**2,
                (1 - least) ** 2 * gap**2,
                label="at x₀ the reference is 0: β²σ² = (1 − x)²(r_a − r_b)² there",
            ),
        ),
        On(
            Domain(beta > 0, r_a > r_b),
            Equal(least.subs({v_a: 0, v_b: 0}), bound, label="deterministic rewards: x₀ = 1/(1 + β²)"),
        ),
    ),
    kind="limit",
    locator="Sec 2.3.1",
    title="Jump of the large-group policy at the reference 0, for stochastic rewards",
    short="exactly the policies above x₀ have a reference",
    remark="v_a and v_b are the variances of the rewards of the two answers; the policy is the only one with its "
    "reference (by-noise-any-law). The variance of the better answer decides how far "
    "the policy jumps, not whether: x₀ solves (1 − x)²(r_a − r_b)² = β²(x(1 − x)(r_a − r_b)² + x v_a + (1 − x) v_b).",
)

claim(
    "vy-s231-bounds-compare",
    Always(bound > 1 - beta),
    Domain(beta > 0),
    because=(
        On(
            margin,
            Always(
                Max(bound, p) >= Max(1 - beta / gamma, p), label="the full bounds: at least as large, for every margin"
            ),
        ),
    ),
    locator="Sec 2.3.1",
    title="Lower bounds for large groups and for groups of two",
    kind="inequality",
    printed=r"\text{The lower bound }1/(1+\beta^2)\text{ is larger than }1-\beta\text{, for every }\beta>0",
)

claim(
    "vy-s231-pi-qq",
    Every(
        Always(printed_root >= bound, label="large groups"),
        Always(pairs(beta, p) >= 1 - beta, label="groups of two, γ = 1"),
    ),
    parameters,
    locator="Sec 2.3.1, after Figure 2",
    title="Lower bounds of π_θ(a|q), deterministic rewards, large groups and groups of two",
    kind="convention",
    printed=(
        r"\text{for the case of deterministic rewards, we observe that }\pi_\theta(q\mid q)\text{ is now lower bounded "
        r"by }1/(1+\beta^2)\text{ while for the case of groups of size two, it is lower bounded by }1-\beta"
    ),
    judged=misprint("π_θ(q|q) should be π_θ(a|q): the answer, not the question. So in the copy that was read."),
    depends_on=["vy-eq15-lower-bound", "vy-eq14-lower-bound"],
)

claim(
    "vy-fig2",
    Every(
        Monotone(printed_root, p, 1, label="increasing in π_ref(a)"),
        Curved(printed_root, p, -1, label="concave in π_ref(a)"),
        Monotone(printed_root, beta, -1, label="decreasing in β"),
        Always(printed_root > p, label="above the diagonal"),
        On(Domain(beta > 0), Tends(printed_root, p, 0, bound, label="left end")),
        On(Domain(beta > 0), Tends(printed_root, p, 1, 1, side="-", label="right end")),
    ),
    parameters,
    locator="Sec 2.3.1, Figure 2",
    title="The curves of Figure 2",
    kind="monotonicity",
    printed=r"\text{in the limit of large group size: }\pi_\theta(a\mid q)\text{ versus }\pi_{\mathrm{ref}}(a\mid q)"
    r"\text{ for the answer }a\text{ where }r(a\mid q)>r(b\mid q)",
    depends_on=["vy-eq15"],
    remark="It is about formula (15), which the figure draws; that (15) needs deterministic rewards is judged there. "
    "Each curve rises, concave, from 1/(1 + β²) to 1 above the diagonal, and that of a smaller β is higher.",
)

claim(
    "vy-s231-inf-beta-limits",
    Every(Tends(printed_root, beta, 0, 1, label="β → 0"), Tends(printed_root, beta, oo, p, side="-", label="β → ∞")),
    Domain(0 < p, p < 1),
    locator="Sec 2.3.1; Figure 2",
    title="Limits of (15) for weak and for strong regularisation",
    kind="limit",
    depends_on=["vy-eq15"],
    remark="The paper says this of (14) in words; here it is shown of (15).",
)

two_policy, large_policy = pairs(beta / gamma, p), printed_root
claim(
    "vy-s23-closed-form",
    Every(
        On(
            margin,
            Equal((1 - gamma * (1 - two_policy) / beta) * two_policy, p, label="groups of two: (14) solves (12)"),
        ),
        Equal(
            (1 - sqrt((1 - large_policy) / large_policy) / beta) * large_policy,
            p,
            label="large groups, deterministic rewards: (15) solves (13)",
        ),
    ),
    parameters,
    locator="Sec 2.3, after (13)",
    title="Closed forms of solutions of (12) and (13)",
    kind="identity",
    printed=(
        r"\text{A distribution }\pi_\theta(\cdot\mid q)\text{ satisfying these fixed-point equations can be obtained "
        r"in a closed-form in some cases.}"
    ),
    depends_on=["vy-eq12", "vy-eq13", "vy-eq14", "vy-eq15"],
    remark="“Can” asks for an example, and these are the paper's two; the equation of the answer b follows, as the "
    "two sides of (11), summed over the answers, agree.",
)

# Section 1.2, item 5.
claim(
    "vy-s12-nonlinear-transformation",
    Every(
        Always((pairs(b, p) > p) & (printed_root > p), label="the better answer gains"),
        Curved(pairs(b, p), p, -1, label="groups of two: strictly concave"),
        Curved(printed_root, p, -1, label="large groups: strictly concave"),
    ),
    Domain(0 < p, p < 1, b > 0, beta > 0),
    because=(
        On(
            any_rewards.also(0 < x, x < 1),
            Always(its_reference < x, label="large groups, stochastic rewards: it gains too"),
        ),
    ),
    locator="Sec 1.2 item 5",
    title="(14) and (15) as functions of the reference p of the better answer",
    kind="inequality",
    printed=r"\text{preference aggregation follows a nonlinear transformation of the reference probability}"
    r"\text{ distribution, favouring the more rewarding answer}",
    judged=imprecise(
        "In groups of two the answer that wins more often gains, P(a≻b) > P(b≻a). With stochastic rewards this need "
        "not be the one of the larger expected reward (vy-s21-P2-not-expected-reward): an answer that is rewarded 8 "
        "with probability t, else 0, expects more than a sure 1 for t > 1/8, and its margin 2t − 1 is negative for "
        "t < ½.",
        Always(2 * t - 1 > 0, label="a larger expected reward, a positive margin"),
        Domain(8 * t > 1, t < 1),
    ),
    depends_on=["vy-eq14", "vy-eq15", "vy-s21-P2-not-expected-reward"],
)

claim(
    "vy-s12-guarantee-G2",
    Every(
        Always(pairs(b, p) >= 1 - b),
        On(Domain(b > 0), Tends(1 - b, b, 0, 1, label="near 1 for a small ratio")),
        On(Domain(0 < b, b < 1), Tends(pairs(b, p), p, 0, 1 - b, label="no larger value would do")),
        On(Domain(b >= 1), Tends(pairs(b, p), p, 0, 0, label="no guarantee for a ratio of 1 or more")),
    ),
    Domain(0 < p, p < 1, b > 0),
    locator="Sec 1.2 item 5",
    title="Groups of two: best bound in terms of β/γ",
    kind="inequality",
    printed=(
        r"\text{for groups of size two, the more rewarding answer is guaranteed to have an aggregate probability at "
        r"least as large as a value dependent solely on the ratio of the regularisation constant to the confidence "
        r"margin of the question answers—approaching 1 for small values of this ratio}"
    ),
    depends_on=["vy-eq14", "vy-eq14-lower-bound"],
    judged=needs_hypothesis(
        "Needs π_ref(a) > 0: for π_ref(a) = 0 Section 1.3 gives π_θ(a) = 0. “More rewarding” is here the "
        "answer that wins more often (vy-s12-nonlinear-transformation).",
        Always(Piecewise((pairs(b, p), p > 0), (0, True)) >= 1 - b),
        Domain(0 <= p, p < 1, b > 0),
    ),
)

claim(
    "vy-s12-guarantee-Ginf",
    Every(
        Always(printed_root >= bound),
        On(Domain(beta > 0), Tends(bound, beta, 0, 1, label="near 1 for small β")),
        On(Domain(beta > 0), Tends(printed_root, p, 0, bound, label="no larger value would do")),
    ),
    parameters,
    locator="Sec 1.2 item 5",
    title="Large groups, deterministic rewards: best bound in terms of β",
    kind="inequality",
    printed=r"\text{an aggregate probability at least as large as a value dependent solely on the ratio of the "
    r"regularisation constant to the confidence margin … In the limit of large groups, this dependence reduces to the "
    r"regularisation constant alone}",
    judged=needs_hypothesis(DETERMINISTIC + SUPPORTED, Always(x >= bound), noisy),
    depends_on=["vy-eq15-lower-bound"],
)

trl = Rational(1, 25)
at_trl = Domain(0 < p, p < 1, Eq(beta, trl))
small_margin = {beta: trl, gamma: Rational(1, 100), p: Rational(1, 10)}

claim(
    "vy-s12-beta-004",
    Every(
        On(
            at_trl,
            Always(printed_root > Rational(998, 1000), label="large groups: above 0.998 whatever π_ref"),
        ),
        On(
            at_trl.also(Eq(gamma, 1)),
            Always(eq14 > Rational(96, 100), label="groups of two, γ = 1: above 0.96"),
        ),
        On(margin, Exists(eq14 < Rational(1, 5), small_margin, label="not so for a small margin")),
    ),
    Domain(0 < p, p < 1),
    locator="Sec 1.2 item 5",
    title="The policies (15) and (14) for a β of 0.04, (15) with deterministic rewards",
    kind="modelling",
    printed=(
        r"\text{for practical choices of the regularisation constant, such as the default value of 0.04 used in TRL "
        r"(Transformer Reinforcement Learning) by Hugging Face, preference aggregation may predominantly reflect the "
        r"reward preference}"
    ),
    depends_on=["vy-eq15", "vy-eq14"],
    remark="“May” asks for an example. That 0.04 is a default of TRL is not a mathematical statement.",
)
