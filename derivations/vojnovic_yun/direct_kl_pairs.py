"""GRPO with the direct KL penalty: any finite number of answers, and two answers in groups of two.

Statement.   Weighted by π_θ/π_old, GRPO's estimator has the expectation KL(π_θ‖π_ref). With this penalty the objective
             for a frozen π_old is strictly concave and its one maximiser is π(o) ∝ π_ref(o) e^{P_G(o|π_old)/β}:
             logarithmic pooling. For groups of two the objective is twice that of NLHF with β/2, up to terms without
             π_θ, and for two answers the stationary policy is π(a) = e^{γ/(2β)} π_ref(a)/Z, continuous at π_ref(a) = 0.
Source.      Vojnovic & Yun (2025), Section 3 ("Using the direct KL divergence penalty"), Figure 3, and Appendix B.2
             ("Groups of size two").
Domain.      n ≥ 2 answers, n symbolic, with π_ref, π_old, π_θ > 0; β > 0; any expected preferences. Two answers: 0 < p,
             x, y < 1, −1 ≤ γ ≤ 1 (Figure 3: γ > 0).
Derivation.  Estimator → its expectation under π_old → KL. Objective → partial derivative in π(o) → equal for all
             answers → the rest of the objective is −β KL from the candidate. Two answers: objective → derivative in x →
             one logarithm → a linear equation in x → its root.
Caveats.     P_G(o|π_θ) depends on π_θ, so the displayed aggregation is a fixed point and not a formula, except for two
             answers in groups of two. It has a solution for each finite G (by-exists-direct); in the limit of large
             groups it may have none or several (direct_kl_large_groups.py). Two normalisations are called Z_q:
             vy-s3-dkl-Z relates them.
Letters.     x and y are policy and sampler on two answers, p is π_ref(a), γ the margin of a over b, P(o) the preference
             of an answer, m the mass of a support under π_ref. v is Z, and in Figure 3 e^{γ/β}; b, printed β/γ, and z
             are two values of β/γ. d(n(o − 1) + o') is a number d for the pair (o, o') and d' that for (o', o), of
             which P(o≻o') is made: ½ + (d − d')/2. w_> and w_< are the chances that o is rewarded more and less than
             o'. J is the objective.
"""

from grpo_symbolic.paper import *

from .rlhf_nlhf import prefers

claim = Result(__file__).claim

answers = Answers(n)
everyone = Domain(simplex(pi, n), simplex(ref, n), simplex(old, n), reals(P, n), n >= 2, beta > 0, v > 0)
# policy, reference, old policy on two answers
two = Domain(0 < x, x < 1, 0 < p, p < 1, 0 < y, y < 1)

# -- the estimator ----------------------------------------------------------------------------------------------------
penalty = REVERSE_KL.expected(pi, ref, old, answers, o)

# If π_old samples only the answers of S, the sums run over S; π_θ and π_old sum to 1 there, π_ref to its mass m on S.
on_support = Domain(
    simplex(pi, n), simplex(old, n), simplex(ref, n, total=support_mass), n >= 2, 0 < support_mass, support_mass < 1
)
claim(
    "vy-s3-dkl-estimator",
    GroupAverage(
        Integer(0),
        pi[o] / old[o] * k3(pi[o], ref[o]),
        None,
        old,
        o,
        n,
        G,
        kl(pi, ref, answers, o),
        label="any group of any old policy",
    ),
    Domain(simplex(pi, n), simplex(ref, n), simplex(old, n), n >= 2, G >= 2),
    because=(Equal(penalty, kl(pi, ref, answers, o), label="n answers, any old policy"),),
    locator="Sec 3, direct KL, D_i(θ) and the sentence after it",
    title="Expectation of the weighted penalty",
    printed=r"\mathcal D(\theta\mid q)=\mathrm{KL}(\pi_\theta(\cdot\mid q)\,\|\,\pi_{\mathrm{ref}}(\cdot\mid q))",
    remark="For every π_θ and every π_old with full support, not only on-policy.",
    judged=needs_hypothesis(
        "Needs π_old(o) > 0 wherever π_ref(o) > 0. The index o runs over the common support S of π_θ and π_old, with "
        "m = π_ref(S) < 1.",
        Equal(penalty, kl(pi, ref, answers, o)),
        on_support,
    ),
)

claim(
    "vy-s3-dkl-estimator-support",
    Equal(penalty, kl(pi, ref, answers, o) - (1 - support_mass)),
    on_support,
    depends_on=["vy-s3-dkl-estimator"],
    locator="Sec 3, direct KL",
    title="Expectation of the weighted penalty on a support of mass m under π_ref",
)

# -- aggregation, n answers -------------------------------------------------------------------------------------------
# One probability moves alone only among numbers without a sum.
numbers = Domain(positives(pi, n), simplex(ref, n), simplex(old, n), reals(P, n), n >= 2, beta > 0, v > 0)
d = Derivation("vy-s3-dkl-aggregation", numbers)
J = d.start(
    grpo(beta, divergence=REVERSE_KL).value(pi, old, ref, lambda a: P[a], answers),
    "P(o) = P_G(o|π_old), fixed while π moves; any group size",
)
slope = d.start(partial(J, pi[o]), "its partial derivative in π(o), under the sum")
d.rewrite(
    slope,
    P[o] - beta * log(pi[o] / ref[o]),
    "KKT: this is the multiplier λ up to a constant, the same for every answer",
)


def pooled(answer):
    """``π_ref e^{P/β}/Z`` with Z = v free: what KKT says up to normalisation."""
    return ref[answer] * exp(P[answer] / beta) / v


at_pooled = d.restrict(slope, {pi[o]: pooled(o)}, "at π = π_ref e^{P/β}/Z")
Z = answers.total(lambda a: ref[a] * exp(P[a] / beta), o)
from_pooled = answers.total(lambda a: pi[a] * log(pi[a] / pooled(a)), o)
best = pooled(o).subs(v, Z)

claim(
    "vy-s3-dkl-aggregation",
    AtLeast(beta * log(Z), J, (Eq(pi[o], best, evaluate=False),), label="J(π) ≤ β log Z").by(
        Gibbs((Divergence(pi[o], best, o, 1, n),), beta)
    ),
    everyone,
    because=(
        Equal(at_pooled, beta * log(v), label="KKT at π_ref e^{P/β}/v: one multiplier for all answers"),
        Equal(answers.total(lambda a: pooled(a).subs(v, Z), o), 1, label="Z normalises"),
        Equal(J, beta * log(v) - beta * from_pooled, label="J(π) = β log v − β KL(π‖π*), with π* = π_ref e^{P/β}/v"),
        Equal(
            slope,
            P[o] - beta * log(pi[o] / ref[o]),
            label="the slope in π(o) depends on π(o) alone: a diagonal Hessian",
        ),
        Equal(partial(slope, pi[o]), -beta / pi[o], label="its diagonal"),
        Always(-beta / pi[o] < 0, label="which is negative"),
    ),
    by=d,
    depends_on=["vy-s3-dkl-estimator"],
    locator="Sec 3, direct KL, displayed aggregation",
    title="Direct KL: the maximiser of the frozen objective",
    printed=(
        r"\pi_\theta(o\mid q)=\frac1{Z_q}e^{\frac{\mathcal P_G(o\mid\pi_\theta(\cdot\mid q),q)}\beta}\pi_{"
        r"\mathrm{ref}}(o\mid q)"
    ),
    remark="Shown for the preferences P of any frozen π_old; π_old = π_θ then turns it into the printed fixed-point "
    "equation. It takes over the hypothesis of vy-s3-dkl-estimator on π_old. Unlike with GRPO's own penalty "
    "(vy-s13-local-not-global), every stationary policy maximises its own objective, globally.",
)

# -- groups of two and NLHF -------------------------------------------------------------------------------------------
pairwise = Domain(simplex(pi, n), simplex(ref, n), simplex(old, n), reals(duel, n**2), n >= 2, beta > 0)


def sign_preference(a):
    """``P_2(o|π_old)``: the expected sign of the reward difference with an output of π_old."""
    return Sum(old[o_] * pairwise_sign(prefers(a, o_), prefers(o_, a)), (o_, 1, n))


pair_objective = grpo(beta, group_size=2, divergence=REVERSE_KL).value(pi, old, ref, sign_preference, answers)
ours = partial(pair_objective, pi[o])
theirs = partial(nlhf_payoff(pi, old, ref, prefers, beta / 2, answers), pi[o])


claim(
    "vy-s3-dkl-nlhf-akin",
    Equal(
        pair_objective,
        2 * nlhf_payoff(pi, old, ref, prefers, beta / 2, answers) - 1 - beta * kl(old, ref, answers, o),
        label="twice NLHF with β/2",
    ),
    pairwise,
    because=(
        Equal(ours, 2 * theirs + beta - 1, label="gradients for a frozen opponent, the same but for β − 1"),
        On(
            Domain(0 <= w_win, 0 <= w_lose, w_win + w_lose <= 1),
            Equal(
                pairwise_sign(w_win, w_lose),
                2 * (w_win + (1 - w_win - w_lose) / 2) - 1,
                label="P(o≻o') − P(o'≻o), a tie counted as half a win for each",
            ),
        ),
    ),
    locator="Sec 3, direct KL",
    title="Groups of two with direct KL, and NLHF with half the regularisation",
    kind="identity",
    printed=r"\text{For groups of size two, this aggregation of preference is akin to the NLHF alignment objective}",
    depends_on=["vy-s3-dkl-estimator"],
    remark="“Akin” is read so: it is twice NLHF with β/2 and with P(o≻o') + ½P(tie), up to terms without π_θ, for "
    "every preference with P + P' = 1, which is ½ + (d − d')/2 for some numbers d (vy-s11-nlhf-antisym). So its "
    "stationary policy is the Nash equilibrium of NLHF with β/2, which is unique (vy-s11-nlhf-unique).",
)

# -- two answers, groups of two ---------------------------------------------------------------------------------------
inside = two.also(beta > 0, -1 <= gamma, gamma <= 1)
e = Derivation("vy-s3-dkl-binary", inside)
J2 = e.start(
    grpo(beta, group_size=2, divergence=REVERSE_KL).with_margin(binary(x), binary(y), binary(p), gamma),
    "γ(x − y) − β KL",
)
dJ2 = e.differentiate(J2, x, "the old policy y is held fixed")
e.rewrite(dJ2, gamma - beta * (log(x / p) - log((1 - x) / (1 - p))), "the old policy has dropped out")
odds = exp(gamma / beta) * p * (1 - x) / ((1 - p) * x)
e.rewrite(dJ2, beta * log(odds), "one logarithm, zero where its argument is 1")
linear = e.clear_denominators(odds - 1, (1 - p) * x, x, "numerator minus denominator of the argument")
root = e.solve(linear, x, inside=(0, 1))
bernoulli = kl(binary(x), binary(p), Answers(2), o)

claim(
    "vy-B2-objective-G2",
    Equal(J2, gamma * x - beta * bernoulli - gamma * y, label="the constant is −γ π_old(a)"),
    inside,
    because=(
        Equal(
            diff(J2 + beta * bernoulli, x),
            gamma,
            label="J + β KL has the slope γ, so the constant does not depend on π_θ",
        ),
    ),
    depends_on=["vy-s3-dkl-estimator"],
    locator="App B.2, groups of size two, objective",
    title="Direct KL, two answers, groups of two: the objective",
    printed=(
        r"\mathcal J(\pi_\theta(a\mid q)\mid q)=\gamma_{a,b}\pi_\theta(a\mid q)-\beta KL(\pi_\theta(a\mid q)\,\|\,\pi_{"
        r"\mathrm{ref}}(a\mid q)))+const"
    ),
    judged=misprint(
        "One closing parenthesis too many, and KL for the K of Bernoulli distributions that the next line defines "
        "(vy-B2-K-print). So in the copy that was read."
    ),
)

claim(
    "vy-B2-K-print",
    Equal(-diff(J2, beta), x * log(x / p) + (1 - x) * log((1 - x) / (1 - p)), label="what β multiplies"),
    inside,
    because=(
        On(
            Domain(0 < x, x < 1, 0 < p, p < 1, Ne(x, p)),
            Always(
                -x * log(p / x) - (1 - x) * log((1 - p) / (1 - x)) > 0,
                using=tuple(log_below_tangent(w) for w in (p / x, (1 - p) / (1 - x), x / p, (1 - x) / (1 - p))),
                label="positive away from the reference policy",
            ),
        ),
        Equal(bernoulli.subs(x, p), 0, label="its value at the reference policy"),
    ),
    kind="convention",
    locator="App B.2, after the objective",
    title="The divergence of the objective, between two Bernoulli distributions",
    printed=r"K(p\,\|\,p')\text{ denotes the KL divergence between two Bernoulli distributions with means }p\text{ "
    r"and }p'",
    judged=misprint("The objective writes KL and the sentence that explains it K. So in the copy that was read."),
    depends_on=["vy-B2-objective-G2"],
)

claim(
    "vy-B2-derivative-G2",
    Equal(Derivative(J2, x), gamma - beta * (log(x / p) - log((1 - x) / (1 - p))), label="the derivative"),
    inside,
    because=(Equal(dJ2, gamma - beta * (log(x / p) - log((1 - x) / (1 - p))), label="differentiated term by term"),),
    by=e,
    locator="App B.2, groups of size two, derivative",
    title="Direct KL, two answers, groups of two: the derivative",
    depends_on=["vy-B2-objective-G2"],
    printed=(
        r"\frac d{d\pi_\theta(a\mid q)}\mathcal J(\pi_\theta(\cdot\mid q)\mid q)=\gamma_{a,b}-\beta\Big(\log\Big(\Big("
        r"\frac{\pi_\theta(a\mid q)}{\pi_{\mathrm{ref}}(a\mid q)}\Big)-\log\Big(\frac{1-\pi_\theta(a\mid q)}{1-\pi_{"
        r"\mathrm{ref}}(a\mid q)}\Big)\Big)"
    ),
    judged=misprint(
        "Four large parentheses open and three close. With the missing one at the end, the second logarithm would "
        "stand inside the first."
        " So in the copy that was read.",
        Equal(dJ2, gamma - beta * log(x / p - log((1 - x) / (1 - p)))),
        inside.also(x > p),
    ),
)

printed_Z = exp(gamma / (2 * beta)) * p + exp(-gamma / (2 * beta)) * (1 - p)
printed_root = exp(gamma / (2 * beta)) * p / printed_Z
parameters = Domain(0 < p, p < 1, beta > 0, -1 <= gamma, gamma <= 1)

claim(
    "vy-s3-dkl-binary",
    Every(
        Equal(root, printed_root, label="the root is the printed one"),
        When(
            gamma > 0,
            Always(And(root > p, root < 1), using=(exp_sign(gamma / beta),), label="γ > 0: more than the reference"),
        ),
        On(inside, OnlyMaximum(J2, x, root, label="the objective is largest there").by(ConcaveAndStationary())),
    ),
    parameters,
    by=e,
    depends_on=["vy-s3-dkl-estimator", "vy-B2-derivative-G2"],
    locator="Sec 3; App B.2",
    title="Direct KL, two answers, groups of two: the policy",
    printed=r"\pi_\theta(a\mid q)=\frac1{Z_q}e^{\frac{\gamma_{a,b}}{2\beta}}\pi_{\mathrm{ref}}(a\mid q)",
    remark="Here the maximiser does not depend on π_old at all, so it is the best response to any old policy. "
    "Section 3 has Z_a for Z_q, in the copy that was read.",
)

# The general formula, with P_2(a|π) = γ(1 − x) and P_2(b|π) = −γx at the stationary x, has a normalisation of its own.
general_Z = exp(gamma * (1 - x) / beta) * p + exp(-gamma * x / beta) * (1 - p)
claim(
    "vy-s3-dkl-Z",
    Every(
        *(
            On(parameters.also(Eq(x, root)), Equal(whole, printed_Z, label=f"Z from the answer {answer}"))
            for answer, whole in (
                ("a", exp(gamma / (2 * beta)) * p / x),
                ("b", exp(-gamma / (2 * beta)) * (1 - p) / (1 - x)),
            )
        ),
    ),
    parameters,
    because=(
        When(
            gamma > 0,
            Always(
                And(exp(-gamma / (2 * beta)) < printed_Z, printed_Z < exp(gamma / (2 * beta))),
                using=(exp_increasing(-gamma / (2 * beta), gamma / (2 * beta)),),
                label="γ > 0: Z between the two factors",
            ),
        ),
        On(
            inside,
            Equal(general_Z, exp(gamma * (Rational(1, 2) - x) / beta) * printed_Z, label="Z of the general formula"),
        ),
    ),
    depends_on=["vy-s3-dkl-binary"],
    locator="Sec 3; App B.2",
    title="The normalisation for two answers",
    printed=r"Z_q=e^{\gamma_{a,b}/(2\beta)}\pi_{\mathrm{ref}}(a\mid q)+e^{-\gamma_{a,b}/(2\beta)}(1-\pi_{"
    r"\mathrm{ref}}(a\mid q))",
    remark="The Z_q of the displayed aggregation is another number, e^{γ(½ − π_θ(a))/β} times this one: only "
    "preference differences matter.",
)

# -- Figure 3, in v = e^{γ/β} > 1 -------------------------------------------------------------------------------------
curve = v * p / (v * p + 1 - p)
plane = Domain(0 < p, p < 1, v > 1)

claim(
    "vy-fig3",
    On(Domain(v > 1), Tends(curve, p, 0, 0, label="no jump at 0")),
    plane,
    because=(
        On(
            parameters.also(gamma > 0),
            Equal(root, curve.subs(v, exp(gamma / beta)), label="the curve is the policy, with v = e^{γ/β}"),
        ),
        On(Domain(v > 1), Tends(diff(curve, p), p, 0, v, label="the slope of the curve at 0: e^{γ/β}")),
        On(Domain(v > 1), Equal(curve.subs(p, 1), 1, label="the end of every curve, at p = 1")),
        Always(curve > p, label="every curve lies above the diagonal"),
        Monotone(curve, p, 1, label="every curve increases"),
        Curved(curve, p, -1, label="every curve is concave"),
        Monotone(curve, v, 1, label="the curves are ordered by v"),
        On(
            Domain(0 < b, b < z),
            Always(exp(1 / b) > exp(1 / z), using=(exp_increasing(1 / z, 1 / b),), label="so by γ/β"),
        ),
    ),
    kind="limit",
    depends_on=["vy-s3-dkl-binary"],
    locator="Sec 3, Figure 3",
    title="Direct KL, groups of two: limit at 0 of the curves of Figure 3, v for e^{γ/β}",
    printed=(
        r"\text{A notable difference from the GRPO's alignment results, shown in Figure 1, is a lack of discontinuity "
        r"at }\pi_{\mathrm{ref}}(a\mid q)=0"
    ),
    remark="For each β/γ; the slope e^{γ/β} at 0 is so steep for small β/γ that the curve looks like a jump (β/γ = "
    "0.04: 7·10¹⁰).",
)

in_b = curve.subs(v, exp(1 / b))
claim(
    "vy-s3-dkl-beta-limits",
    Every(
        On(Domain(0 < p, p < 1), Tends(in_b, b, 0, 1, label="ever weaker regularisation")),
        On(Domain(0 < p, p < 1), Tends(in_b, b, oo, p, "-", label="ever stronger regularisation")),
    ),
    plane,
    because=(Equal(log(curve / (1 - curve)), log(p / (1 - p)) + log(v), label="the log-odds move by γ/β"),),
    kind="limit",
    depends_on=["vy-s3-dkl-binary"],
    locator="Sec 3; Figure 3",
    title="Direct KL, groups of two: weak and strong regularisation",
    remark=("v is e^(γ/β)."),
)
