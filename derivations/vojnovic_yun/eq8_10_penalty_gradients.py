"""The penalty of GRPO: what it estimates, and the gradient that it has.

Statement.   The expected penalty is KL_0, an expectation on the samples of the old policy. On-policy its value is that
             of KL(π‖π_ref), and its gradient is that of the reverse divergence KL(π_ref‖π), up to a constant that the
             multiplier of Σπ = 1 absorbs.
Source.      Vojnovic & Yun (2025), Section 2.2, equations (7) to (10).
Domain.      n answers, all policies with full support; where a smaller support S matters, π_ref(S) = m.
Derivation.  estimator D_i → its expectation over a group → derivative in π(o), π_old fixed → π_old = π → comparison
             with KL and with KL_rev.
Caveat.      Values on-policy agree with KL only where the support of π is that of π_ref: otherwise the penalty is
             smaller by 1 − m.
Letters.     x and y are policy and sampler on two answers, p is π_ref(a), z the policy's second coordinate where the
             two are not tied. u is π_ref/π, or the ratio of the odds where its logarithm is compared with s, which is
             the tilt (p − x)/(x(1 − x)). P(o) is the preference of an answer, λ the multiplier of Σπ = 1, m the mass of
             a support under π_ref.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

answers = Answers(n)
full = Domain(n >= 2, simplex(pi, n), simplex(old, n), simplex(ref, n))
on_policy = Domain(n >= 2, simplex(pi, n), simplex(ref, n))
two = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < p, p < 1)


# For a group of symbolic size: the mean of G expectations, one for each member.
one_output = GRPO_PENALTY.expected(pi, ref, old, answers, o)
group = Sum(GRPO_PENALTY.expected(pi, ref, old, answers, o), (i, 1, G)) / G
KL0 = kl_0(pi, ref, old, answers, o)
KL = kl(pi, ref, answers, o)
KLrev = forward_kl(pi, ref, answers, o)
KL0_two, KL_two = kl_0(binary(x), binary(p), binary(y), Answers(2), o), kl(binary(x), binary(p), Answers(2), o)

claim(
    "vy-eq7",
    Equal(group, one_output, label="any G: the mean of G equal expectations"),
    full.also(G >= 2),
    locator="Sec 2.2, (7)",
    title="The expected penalty for any group size",
    kind="identity",
    printed=(
        r"\mathcal D(\theta\mid q)\stackrel{\mathrm{def}}{=}\mathbb E_{\{o_i\}_{i=1}^G\stackrel{\mathrm{i.i.d.}}{\sim}"
        r"\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)}\Big[\frac1G\sum_{i=1}^GD_i(\theta)\Big]"
    ),
    expect="definition",
)

claim(
    "vy-s22-D-is-KL0",
    GroupAverage(0, k3(pi[o], ref[o]), None, old, o, n, G, KL0, label="any n and G"),
    full.also(G >= 2),
    locator="Sec 2.2",
    title="The expected penalty as KL_0",
    kind="identity",
    printed=(
        r"\mathcal D(\theta\mid q)=\mathrm{KL}_0(\pi_\theta(\cdot\mid q)\,\|\,\pi_{\mathrm{ref}}(\cdot\mid q);\pi_{"
        r"\theta_{\mathrm{old}}}(\cdot\mid q))"
    ),
    depends_on=["vy-eq7"],
)

# On-policy value. On a support S the reference keeps a mass m of at most 1; answers outside S are never sampled.
supported = Domain(n >= 2, 0 < support_mass, support_mass <= 1, simplex(pi, n), simplex(ref, n, total=support_mass))
sampled_by_itself = identify(one_output, old, pi)

claim(
    "vy-s22-KL0-unbiased",
    Equal(sampled_by_itself, KL - (1 - support_mass), label="support of reference mass m: too small by 1 − m"),
    supported,
    because=(On(on_policy, Equal(sampled_by_itself, KL, label="full support: unbiased")),),
    locator="Sec 2.2",
    title="Bias of the penalty as an estimator of KL, on-policy, on a support of reference mass m",
    kind="identity",
    printed=(
        r"\text{the GRPO's reference-policy divergence penalty is an unbiased estimator of the KL divergence }"
        r"\mathrm{KL}(\pi_\theta(\cdot\mid q)\,\|\,\pi_{\mathrm{ref}}(\cdot\mid q))\text{ in the case where }\pi_"
        r"\theta(\cdot\mid q)=\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)"
    ),
    judged=needs_hypothesis(
        "Section 1.3 only asks that the support S of π lies inside that of π_ref. Where it is smaller, E[π_ref/π] "
        "= π_ref(S) < 1, and the penalty "
        "underestimates KL by 1 − π_ref(S); the supports must be equal.",
        Equal(sampled_by_itself, KL),
        supported.also(support_mass < 1),
    ),
)

bias = Sum((old[o] - pi[o]) * k3(pi[o], ref[o]), (o, 1, n))

claim(
    "vy-s22-KL0-biased-off-policy",
    Exists(
        Ne(KL0_two, KL_two),
        {x: Rational(1, 2), y: Rational(1, 4), p: Rational(1, 4)},
        label="biased for these policies",
    ),
    two,
    because=(
        On(full, Equal(KL0 - KL, bias, label="the bias, any n")),
        Exists(
            Eq(KL0_two, KL_two) & Ne(x, y),
            {x: Rational(1, 3), y: Rational(1, 4), p: Rational(1, 3)},
            label="and none for some: an example with π = π_ref",
        ),
    ),
    locator="Sec 2.2",
    title="Bias of the penalty as an estimator of KL, off-policy",
    kind="identity",
    printed=(
        r"\text{an unbiased estimator of the KL divergence }\mathrm{KL}(\pi_\theta(\cdot\mid q)\,\|\,\pi_{\mathrm{ref}}"
        r"(\cdot\mid q))\text{ in the case where }\pi_\theta(\cdot\mid q)=\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)"
        r"\text{, but not in general}"
    ),
    depends_on=["vy-s22-KL0-unbiased"],
    remark="Read for its last words; that it is unbiased on-policy is judged by vy-s22-KL0-unbiased.",
)

# Gradients. For two answers the coordinates x = π(a) and z = π(b) move separately; for n answers the derivative is
# taken under the sum.
coordinates = two.also(0 < z, z < 1)
d8 = Derivation("vy-eq8", coordinates)
D = d8.start(
    GRPO_PENALTY.expected((x, z), binary(p), binary(y), Answers(2), o),
    "two answers, the coordinates of π not yet tied by Σπ = 1",
)
D_x = d8.differentiate(D, x, "the coordinate π(a), with π_old fixed")
d8.rewrite(D_x, -y * p / x**2 + y / x, "equation (8) at the answer a")

slope_KL0 = partial(KL0, pi[o])
slope_KL = partial(KL, pi[o])
slope_on_policy = identify(slope_KL0, old, pi)
slope_reverse = partial(KLrev, pi[o])

claim(
    "vy-eq8-grad-KL0",
    Equal(
        slope_KL0, -old[o] * ref[o] / pi[o] ** 2 + old[o] / pi[o], label="the derivative of KL_0 in π(o), π_old fixed"
    ),
    full,
    by=d8,
    locator="Sec 2.2, (8)",
    title="Gradient of KL_0",
    kind="identity",
    printed=(
        r"\frac{\partial}{\partial\pi_\theta(o\mid q)}\mathrm{KL}_0(\pi_\theta(\cdot\mid q)\,\|\,\pi_{\mathrm{ref}}("
        r"\cdot\mid q);\pi_{\theta_{\mathrm{old}}}(\cdot\mid q))=-\pi_{\theta_{\mathrm{old}}}(o\mid q)\frac{\pi_{"
        r"\mathrm{ref}}(o\mid q)}{\pi_\theta(o\mid q)^2}+\pi_{\theta_{\mathrm{old}}}(o\mid q)\frac1{\pi_\theta(o\mid "
        r"q)}"
    ),
)

d9 = Derivation("vy-eq9", coordinates)
K = d9.start(kl((x, z), binary(p), Answers(2), o), "KL(π‖π_ref) for two answers, the coordinates not tied")
d9.rewrite(d9.differentiate(K, x, "the coordinate π(a)"), 1 - log(p / x), "equation (9) at the answer a")

claim(
    "vy-eq9-grad-KL",
    Equal(Derivative(KL, pi[o_]), -log(ref[o_] / pi[o_]) + 1, label="the gradient"),
    on_policy,
    because=(Equal(slope_KL, -log(ref[o] / pi[o]) + 1, label="differentiated under the sum"),),
    by=d9,
    locator="Sec 2.2, (9)",
    title="Gradient of the direct KL divergence",
    kind="identity",
    printed=(
        r"\frac{\partial}{\partial\pi_\theta(o\mid q)}\mathrm{KL}(\pi_\theta(\cdot\mid q)\,\|\,\pi_{\mathrm{ref}}(\cdot"
        r"\mid q))=-\log\frac{\pi_{\mathrm{ref}}(o\mid q)}{\pi_\theta(o\mid q)}+1"
    ),
)

claim(
    "vy-eq10-grad-on-policy",
    Equal(slope_on_policy, -ref[o] / pi[o] + 1, label="the derivative of KL_0 in π(o), then π_old = π"),
    on_policy,
    by=d8,
    locator="Sec 2.2, (10)",
    title="Gradient of KL_0 on-policy",
    kind="identity",
    printed=(
        r"\text{in the case where }\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)=\pi_\theta(\cdot\mid q)\text{, in which "
        r"case }\frac{\partial}{\partial\pi_\theta(o\mid q)}\mathrm{KL}_0(\pi_\theta(\cdot\mid q)\,\|\,\pi_{"
        r"\mathrm{ref}}(\cdot\mid q);\pi_{\theta_{\mathrm{old}}}(\cdot\mid q))=-\frac{\pi_{\mathrm{ref}}(o\mid q)}{\pi_"
        r"\theta(o\mid q)}+1"
    ),
    depends_on=["vy-eq8-grad-KL0"],
    remark="π_old = π is set after differentiating: it is the gradient of a function that keeps π_old.",
)

# The two gradients as functions of the ratio u = π_ref(o)/π(o). π_old(o) is π(o) where the derivative is taken.
at_old = full.also(1 <= o_, o_ <= n, Eq(old[o_], pi[o_]))
in_ratio = {ref[o]: u * pi[o]}
linear, logarithmic = slope_on_policy.subs(in_ratio), slope_KL.subs(in_ratio)
apart = log(u) - u

claim(
    "vy-s22-grads-differ",
    Every(
        On(
            at_old,
            Equal(
                Derivative(one_output, pi[o_]),
                Derivative(KL, pi[o_]) + apart.subs(u, ref[o_] / pi[o_]),
                label="(10) against (9), any n",
            ),
        ),
        On(
            Domain(u > 0, Ne(u, 1)),
            Always(
                apart < -1,
                using=(log_below_tangent(u),),
                label="the difference is below −1 where π(o') is not π_ref(o')",
            ),
        ),
    ),
    on_policy,
    because=(
        Equal(slope_on_policy - slope_KL, apart.subs(u, ref[o] / pi[o]), label="their difference, any n"),
        On(Domain(u > 0), Always(apart < 0, using=(log_below_tangent(u),), label="which is never zero")),
    ),
    locator="Sec 2.2",
    title="Difference of the gradients (9) and (10) on-policy, u the ratio of π_ref(o') to π(o')",
    kind="identity",
    printed=(
        r"\text{the gradients in Equations (8) and (9) are different even in the case where }\pi_{\theta_{"
        r"\mathrm{old}}}(\cdot\mid q)=\pi_\theta(\cdot\mid q)"
    ),
    depends_on=["vy-eq9-grad-KL", "vy-eq10-grad-on-policy"],
    remark="Sharper: every component differs, everywhere, by at least 1, and by 1 only where π_θ and π_ref give the "
    "answer the same probability. π_old is held fixed in the derivative of KL_0.",
)

# What moves a policy is the difference of two components, for the components of a feasible direction sum to zero.
tangent = (slope_on_policy - slope_KL).subs(in_ratio).subs(u, p / x) - (slope_on_policy - slope_KL).subs(in_ratio).subs(
    u, (1 - p) / (1 - x)
)

claim(
    "vy-s22-grads-differ-tangent",
    Every(
        Equal(
            tangent,
            log(p * (1 - x) / (x * (1 - p))) - (p - x) / (x * (1 - x)),
            label="two answers: the difference along the simplex",
        ),
        Exists(Ne(tangent, 0), {x: Rational(1, 2), p: Rational(1, 4)}, label="and an example where it is not zero"),
    ),
    Domain(0 < x, x < 1, 0 < p, p < 1),
    because=(
        Exists(Eq(tangent, 0), {x: Rational(1, 3), p: Rational(1, 3)}, label="an example where they agree: π = π_ref"),
    ),
    locator="Sec 2.2",
    title="Difference of the gradients (9) and (10) along the simplex, two answers",
    kind="identity",
    printed=r"\text{the two divergences have different gradients}",
    depends_on=["vy-s22-grads-differ"],
    remark=(
        "At π = π_ref, where both divergences have their minimum, they push alike; so they do at some other "
        "policies: vy-s22-tangent-agree."
    ),
)

# Where else they agree. The tilt s = (p − x)/(x(1 − x)) gives the reference as p = x + s x(1 − x), so p/x = 1 + s(1 −
# x).
tilt = (p - x) / (x * (1 - x))
crossing = 1 / s - 1 / (exp(s) - 1)
tilted = Domain(0 < x, x < 1, s * x < 1, s * (1 - x) > -1, Ne(s, 0))
odds = (1 + s * (1 - x)) / (1 - s * x)
by_exponential = Always(
    Equivalent(Eq(log(u), s), Eq(u, exp(s))),
    using=(log_increasing(u, exp(s)), log_increasing(exp(s), u)),
    label="the difference vanishes exactly when the ratio of the odds is the exponential of the tilt",
)
tilts = Always((1 - s * x > 0) & (1 + s * (1 - x) > 0), label="tilts of policies")
at_odds = Always(Equivalent(Eq(tangent, 0), Eq(odds, exp(s))), label="zero where the odds are eˢ").by(
    Then(
        (
            tilts,
            Equal(tangent, log(odds) - s, label="in terms of the tilt"),
            Always(Equivalent(Eq(log(odds), s), Eq(odds, exp(s))), label="the odds").by(
                InLetters(by_exponential, Domain(u > 0, s), {u: odds, s: s})
            ),
        )
    )
)
on_line = Eq(1 + s * (1 - x), exp(s) * (1 - s * x))
at_line = Always(Equivalent(Eq(tangent, 0), on_line), label="over 1 − s x > 0")
at_crossing = Always(
    Equivalent(on_line, Eq(x, crossing)),
    using=(exp_sign(s),),
    label="away from π_ref exactly at x = 1/s − 1/(eˢ − 1)",
)
claim(
    "vy-s22-tangent-agree",
    On(
        Domain(0 < x, x < 1, 0 < p, p < 1, Ne(x, p), Eq(s, tilt)),
        Always(Equivalent(Eq(tangent, 0), Eq(x, crossing)), label="the gradients agree away from π_ref").by(
            Then(
                (
                    Always(Ne(exp(s), 1), using=(exp_sign(s),), label="a tilt"),
                    at_line.by(Then((tilts, at_odds))),
                    at_crossing,
                )
            )
        ),
    ),
    Domain(0 < x, x < 1, 0 < p, p < 1),
    because=(
        Equal(tangent, log((1 + tilt * (1 - x)) / (1 - tilt * x)) - tilt, label="two answers, in terms of the tilt"),
        On(tilted, at_crossing),
        On(Domain(u > 0, s), by_exponential),
        On(
            Domain(Ne(s, 0)),
            Always(
                (crossing > 0) & (crossing < 1),
                using=(exp_above_tangent(s), exp_above_tangent(-s), exp_sign(s)),
                label="that x is a policy, whatever the tilt",
            ),
        ),
        On(
            Domain(Ne(s, 0)),
            Always(
                (s * crossing < 1) & (s * (1 - crossing) > -1),
                using=(exp_above_tangent(s), exp_above_tangent(-s), exp_sign(s)),
                label="and its reference is in (0, 1)",
            ),
        ),
        On(
            Domain(0 < u, u < 1),
            Monotone(log(u) - u, u, 1, label="n answers: log u − u, u = π_ref/π, increases below 1"),
        ),
        On(Domain(u > 1), Monotone(log(u) - u, u, -1, label="and decreases above, so it takes a value twice at most")),
    ),
    kind="identity",
    locator="Sec 2.2",
    title="Agreement of the gradients (9) and (10) along the simplex, two answers, π not π_ref",
    remark="Two answers: for every tilt s ≠ 0 exactly one policy x = 1/s − 1/(eˢ − 1), with π_ref(a) = x + s x(1 − "
    "x). Any number n of answers: log u − u, u = π_ref/π, is then the same for each, so that u takes at most two "
    "values, one below and one above 1.",
)

claim(
    "vy-s22-linear-vs-log",
    On(
        at_old,
        Every(
            Equal(Derivative(one_output, pi[o_]), 1 - ref[o_] / pi[o_], label="(10), where π_old is π"),
            Equal(Derivative(KL, pi[o_]), 1 - log(ref[o_] / pi[o_]), label="(9), there as everywhere"),
        ),
    ),
    Domain(n >= 2, u > 0, simplex(pi, n)),
    because=(
        Equal(linear, 1 - u, label="(10) is affine in the ratio"),
        Equal(logarithmic, 1 - log(u), label="(9) is logarithmic in it"),
        On(Domain(u > 0), Curved(1 - log(u), u, 1, label="so (9) is strictly convex in the ratio, not affine")),
    ),
    locator="Sec 2.2",
    title="Gradients of KL_0 on-policy and of KL in one probability",
    kind="identity",
    printed=(
        r"\text{which is linear in the probability ratio }\pi_{\mathrm{ref}}(o\mid q)/\pi_\theta(o\mid q)\text{, "
        r"rather "
        r"than logarithmic, as in the gradient of the KL divergence in Equation (9)}"
    ),
    depends_on=["vy-eq9-grad-KL", "vy-eq10-grad-on-policy"],
    remark="Linear in the sense of a polynomial of degree one: it has the constant term 1. π_old is held fixed in the "
    "derivative of KL_0.",
)

claim(
    "vy-s22-revKL-definition",
    Equal(kl(ref, pi, answers, o), KLrev, label="KL(π_ref‖π), and the mean of log(π_ref/π) under π_ref"),
    on_policy,
    locator="Sec 2.2",
    title="The reverse KL divergence",
    kind="identity",
    expect="definition",
    printed=(
        r"\mathrm{KL}_{\mathrm{Rev}}(\pi_\theta(\cdot\mid q)\,\|\,\pi_{\mathrm{ref}}(\cdot\mid q))=\mathrm{KL}(\pi_{"
        r"\mathrm{ref}}(\cdot\mid q)\,\|\,\pi_\theta(\cdot\mid q))=\mathbb E_{o\sim\pi_{\mathrm{ref}}(\cdot\mid q)}"
        r"\Big[\log\frac{\pi_{\mathrm{ref}}(o\mid q)}{\pi_\theta(o\mid q)}\Big]"
    ),
)

d_rev = Derivation("vy-s22-grad-revKL", coordinates)
R = d_rev.start(forward_kl((x, z), binary(p), Answers(2), o), "KL(π_ref‖π) for two answers, the coordinates not tied")
d_rev.rewrite(d_rev.differentiate(R, x, "the coordinate π(a)"), -p / x, "the gradient at the answer a")

claim(
    "vy-s22-grad-revKL",
    Every(
        Equal(slope_reverse, -ref[o] / pi[o], label="the derivative of KL(π_ref‖π) in π(o)"),
        Equal(slope_on_policy - slope_reverse, 1, label="(10) less that derivative"),
    ),
    on_policy,
    by=d_rev,
    locator="Sec 2.2",
    title="Gradient of the reverse KL divergence",
    kind="identity",
    printed=(
        r"\frac{\partial}{\partial\pi_\theta(o\mid q)}\mathrm{KL}_{\mathrm{rev}}(\pi_\theta(\cdot\mid q)\,\|\,\pi_{"
        r"\mathrm{ref}}(\cdot\mid q))=-\frac{\pi_{\mathrm{ref}}(o\mid q)}{\pi_\theta(o\mid q)}"
    ),
    depends_on=["vy-eq10-grad-on-policy", "vy-s22-revKL-definition"],
)

# Stationarity with either penalty; P is the preference under the frozen π_old, whatever it is.
J0 = grpo(beta).value(pi, old, ref, lambda a: P[a], answers)
Jrev = Sum(pi[o] * P[o], (o, 1, n)) - beta * KLrev
stationary_0 = identify(partial(lagrangian(J0, pi, n, lam, None, o_), pi[o]), old, pi)
stationary_rev = partial(lagrangian(Jrev, pi, n, lam, None, o_), pi[o])
reverse_domain = Domain(n >= 2, beta > 0, lam, simplex(pi, n), simplex(ref, n), reals(P, n))

claim(
    "vy-s22-constant-nonessential",
    Equal(stationary_0.subs(lam, lam - beta), stationary_rev),
    reverse_domain,
    locator="Sec 2.2",
    title="The additive constant of the penalty gradient, and the multiplier",
    kind="identity",
    printed=r"\text{up to an additive constant of value 1. This additive constant is non-essential for determining "
    r"stationary policies.}",
    depends_on=["vy-s22-grad-revKL"],
    remark="The multiplier takes it up: λ − β with KL_0 is λ with KL_rev. (10) itself is for policies with full "
    "support: all mass on one answer can be stationary for KL_0 (vy-s23-boundary-policy), and there KL_rev is "
    "infinite.",
)
