"""Stationary policies for finitely many answers, any group size: equation (11), what it needs, and what it implies.

Statement.   If a policy with the support S maximises the objective that it freezes itself, then for every answer o of S
             (π_ref(S) − (P(o) − E_π P)/β) π(o) = π_ref(o): equation (11) when S is the whole support of π_ref, so that
             π_ref(S) = 1.
Source.      Vojnovic & Yun (2025), Section 2.3, equation (11), and Appendix A.
Domain.      n answers, β > 0; P(o) stands for the preference P_G(o|π_old), whatever the rewards and the group size.
Derivation.  objective → Lagrangian → derivative in π(o), π_old fixed → π_old = π → the multiplier from Σπ = 1 → (11).
Caveat.      The dichotomy "π(o) = 0 or (11)" fails for a policy that gives up an answer, and some such policies
             satisfy the KKT conditions.
Letters.     P(o) is the preference of an answer, A an advantage, m the mass of the support under π_ref; π'(o) and
             w_>(o) are probability and preference of an answer that π_old never samples. λ, γₒ and γ(o) are
             multipliers, and β + λ − β π_ref(o)/π(o) is the preference P(o) with which π is stationary; γ alone is the
             margin of a over b, δ_a the policy that always answers a. x and y are policy and sampler on two answers, p
             is π_ref(a). Of two contexts α and 1 − α are the weights, x and z the policies, y and s the samplers, p and
             q the references, w_> and w_< the second one's chances of a win and a loss; of any number μ(o) are the
             weights. Where one context has a policy whose coordinates are not tied, these are x and u. t is one entry
             of a policy on any number of answers; where π_old leaves out the third of three, x, z and p, t are policy
             and reference of the first two, (y, 1 − y, 0) is the sampler and s the reward of the third.
"""

from grpo_symbolic.paper import *

from .eq6_reward_preference import mean_of, on_three
from .eq6_reward_preference import three as three_policy
from .eq6_reward_preference import unsampled as unseen

claim = Result(__file__).claim

answers = Answers(n)
# P is the preference under the old policy: a constant while π moves
J = grpo(beta).value(pi, old, ref, lambda a: P[a], answers)
any_multiplier = lam  # a bare symbol: any real number
full = Domain(n >= 2, beta > 0, any_multiplier, simplex(pi, n), simplex(old, n), simplex(ref, n), reals(P, n))
supported = Domain(
    n >= 2,
    beta > 0,
    any_multiplier,
    0 < support_mass,
    support_mass <= 1,
    simplex(pi, n),
    simplex(ref, n, total=support_mass),
    reals(P, n),
)
full_support = Domain(n >= 2, beta > 0, any_multiplier, simplex(pi, n), simplex(ref, n), reals(P, n))
two = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < p, p < 1, beta > 0, -1 <= gamma, gamma <= 1)

# --- The objective of one context, and of all of them ----------------------------------------------------------------

# E[A_i | o_i = o] = P(o) for each member


# A third answer, which π_old does not sample: neither (1) nor KL_0 sees it.
unseen_penalty = beta * (y * k3(x, p) + (1 - y) * k3(z, t))  # π_ref has a mass on the third answer too

claim(
    "vy-s23-decomposition",
    GroupAverage(
        pi[o] / old[o],
        -beta * k3(pi[o], ref[o]),
        P,
        old,
        o,
        n,
        G,
        Sum(pi[o] * P[o], (o, 1, n)) - beta * kl_0(pi, ref, old, answers, o),
        label="any n and G",
    ),
    full.also(G >= 2),
    because=(
        Equal(
            J,
            Sum(pi[o] * P[o], (o, 1, n)) - beta * kl_0(pi, ref, old, answers, o),
            label="its penalty, term by term, is KL_0",
        ),
    ),
    locator="Sec 2.3",
    title="The objective of one context",
    kind="identity",
    printed=(
        r"\mathcal J_{GRPO}(\pi_\theta(\cdot\mid q)\mid q)=\mathbb E_{o\sim\pi_\theta(\cdot\mid q)}[\mathcal P_G(o\mid"
        r"\pi_{\theta_{\mathrm{old}}}(\cdot\mid q),q)]-\beta\,\mathrm{KL}_0(\pi_\theta(\cdot\mid q)\,\|\,\pi_{"
        r"\mathrm{ref}}(\cdot\mid q);\pi_{\theta_{\mathrm{old}}}(\cdot\mid q))"
    ),
    depends_on=["vy-s22-D-is-KL0"],
    judged=needs_hypothesis(
        "As (6), which it takes over, it needs a π_θ without mass where π_old has none (vy-eq6-representation): an "
        "answer that π_old never samples is on the right side and not in (1).",
        Equal(
            expected_surrogate((x, z), (y, 1 - y), (r_a, r_b), Answers(2), 2) - unseen_penalty,
            mean_of(three_policy, unseen) - unseen_penalty,
            label="π_old does not sample the third answer",
        ),
        on_three.also(beta > 0, 0 < p, 0 < t, p + t < 1),
    ),
)

# Two contexts with weights α and 1 − α, each with its own policy: x and z.
pair = grpo(beta, group_size=2)
first = pair.with_margin(binary(x), binary(y), binary(p), gamma)
second = pair.with_margin(binary(z), binary(s), binary(q), w_win - w_lose)
both = alpha * first + (1 - alpha) * second
contexts = two.also(
    0 < z, z < 1, 0 < s, s < 1, 0 < q, q < 1, 0 < alpha, alpha < 1, 0 <= w_win, 0 <= w_lose, w_win + w_lose <= 1
)

# One number for both contexts, with opposite margins: what is best on average is best for neither.
shared = {y: x, s: x, z: x}
opposed = {w_win: (1 - gamma) / 2, w_lose: (1 + gamma) / 2, q: p, alpha: Rational(1, 2)}
tied = both.subs(z, x)  # the shared parameter moves both
tied_slope, tied_curvature = (diff(tied, x, k).subs(shared).subs(opposed) for k in (1, 2))
tied_first = diff(first, x).subs(shared)

claim(
    "vy-s23-perq-program",
    On(Domain(n >= 1, positives(mu, n)), SolvedSeparately(mu[o], o, n, label="any number of contexts")),
    contexts,
    because=(
        Equal(Derivative(both, x), alpha * diff(first, x), label="the first policy sees its own context only"),
        Equal(Derivative(both, z), (1 - alpha) * diff(second, z), label="and so does the second"),
        Equal(diff(both, x, z), 0, label="the mixed derivative in the two policies"),
        On(
            Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1),
            Exists(
                And(Eq(tied_slope, 0), tied_curvature < 0, Ne(tied_first, 0)),
                {x: Rational(1, 2), p: Rational(1, 2), beta: 1, gamma: Rational(1, 2)},
                label="one parameter for two contexts of opposite margins: its maximum is stationary for neither",
            ),
        ),
    ),
    locator="Sec 2.3",
    title="One program for each context",
    kind="modelling",
    printed=(
        r"\text{For each context }q\text{ and any previous policy }\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)\text{, we "
        r"consider the maxima of the following nonlinear programming problem: maximise }\mathcal J_{GRPO}(\pi_\theta("
        r"\cdot\mid q)\mid q)\text{ over }\pi_\theta(\cdot\mid q)\text{ subject to }\pi_\theta(o\mid q)\ge0,\forall o\ "
        r"\sum_o\pi_\theta(o\mid q)=1"
    ),
    remark="The programme is over π_θ(·|q), so θ can give each context any distribution, as in (3) → (4) "
    "(vy-s11-rlhf-optimum). Then the maxima of (1) are those of the programmes.",
)

# --- Appendix A: the KKT conditions ----------------------------------------------------------------------------------

# of the multipliers of π ≥ 0 only that of the answer o meets π(o)
L = lagrangian(J, pi, n, lam, None, o_) + slack * pi[o]
L_o = partial(L, pi[o])
multiplied = full.also(slack >= 0)

# A policy that gives up the answer b: π_old = π = δ_a. The answer b is never sampled, so KL_0 does not see it, and J is
# linear in π(b).
at_corner = grpo(beta, group_size=2).value(
    (x, u), binary(1), binary(p), lambda a: pair_preference(a, binary(1), gamma), Answers(2)
)
used, unused = (diff(at_corner, one).subs({x: 1, u: 0}) for one in (x, u))
multiplier = used  # stationarity of a, whose γ_a is zero
slack_b = multiplier - unused  # stationarity of b
along = at_corner.subs(u, 1 - x)  # on the simplex
corner_domain = Domain(0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1)

# Beside the n answers that π_old samples, k that it does not: their probabilities π' count by their preferences only.
J_on_all = J + Sum(unsampled[o] * win[o], (o, 1, k))
some_unsampled = Domain(
    n >= 1,
    k >= 0,
    beta > 0,
    positives(pi, n),
    reals(unsampled, k),
    positives(old, n),
    positives(ref, n),
    reals(P, n),
    reals(win, k),
)
slope_of_entry = P[o] - beta * (old[o] / t - old[o] * ref[o] / t**2)
multipliers = On(
    some_unsampled,
    MaximaHaveMultipliers(
        J_on_all,
        (
            Kind(Summand(t * P[o] - beta * old[o] * k3(t, ref[o]), t, pi, o, n), slope_of_entry),
            Kind(Summand(t * win[o], t, unsampled, o, k), win[o], positive=False),
        ),
        label="any answers, the unsampled ones given up or not",
    ),
)

claim(
    "vy-appA-kkt-system",
    multipliers,
    multiplied,
    because=(
        Equal(L_o, partial(J, pi[o]) - lam + slack, label="stationarity is the derivative of the Lagrangian"),
        On(
            corner_domain,
            Equal(diff(along, x).subs(x, 1), slack_b, label="γ_b at δ_a is the loss of moving probability to b"),
        ),
        On(corner_domain, Equal(slack_b, gamma - beta * (1 - p), label="the value of γ_b at δ_a")),
    ),
    locator="App A",
    title="The KKT conditions at a maximum, for answers that π_old samples and others",
    kind="identity",
    printed=(
        r"\text{stationarity: }\frac{\partial}{\partial\pi_\theta(o\mid q)}\mathcal J_{GRPO}(\pi_\theta(\cdot\mid q)"
        r"\mid q)-\lambda+\gamma_o=0\text{, … complementary slackness: }\gamma_o\pi_\theta(o\mid q)=0"
    ),
    remark="The signs are right: where γ_o < 0, moving probability from a used answer to o would gain. π' and w_> are "
    "the probabilities and preferences of the answers that π_old does not sample; γ without an answer is the margin, "
    "δ_a the policy that always answers a.",
)

claim(
    "vy-appA-gamma0-print",
    multipliers,
    corner_domain,
    because=(Always(Equivalent(slack_b >= 0, beta * (1 - p) <= gamma), label="γ_b ≥ 0 at δ_a, where b is given up"),),
    locator="App A",
    title="The sign of the multipliers of the answers, kept by the policy or given up",
    kind="convention",
    printed=r"\text{non-negativity: }\gamma_0\ge0",
    depends_on=["vy-appA-kkt-system"],
    judged=misprint("The index is the answer: γ_o ≥ 0 for every o. There is no γ_0. So in the copy that was read."),
    remark=(
        "π' and w_> are the probabilities and preferences of the answers that π_old does not sample; γ stands for the "
        "multipliers γ(o), and without an answer for the margin γ_{a,b}."
    ),
)

condition = L_o.subs(slack, 0)  # complementary slackness: γ_o = 0 where π(o) > 0

# The Lagrangian of the used answers, as it is read; its derivative in one probability, π_old held fixed.
penalty = GRPO_PENALTY.expected(pi, ref, old, answers, o)
multiplied_out = Sum(pi[o] * P[o], (o, 1, n)) - beta * penalty - lam * Sum(pi[o], (o, 1, n))
slope_of_used = Derivative(multiplied_out, pi[o_])

claim(
    "vy-appA-foc",
    Equal(
        slope_of_used,
        P[o_] - beta * (-old[o_] * ref[o_] / pi[o_] ** 2 + old[o_] / pi[o_]) - lam,
        label="the derivative of the Lagrangian",
    ),
    full,
    because=(
        Equal(
            condition,
            P[o] - beta * (-old[o] * ref[o] / pi[o] ** 2 + old[o] / pi[o]) - lam,
            label="the KKT condition with γ_o = 0",
        ),
    ),
    locator="App A",
    title="First-order condition of a used answer",
    kind="identity",
    printed=(
        r"\text{either }\pi_\theta(o\mid q)=0\text{, or }\pi_\theta(o\mid q)>0\text{ and }\mathcal P_G(o\mid\pi_{"
        r"\theta_{\mathrm{old}}}(\cdot\mid q),q)-\beta\Big(-\pi_{\theta_{\mathrm{old}}}(o\mid q)\frac{\pi_{"
        r"\mathrm{ref}}(o\mid q)}{\pi_\theta(o\mid q)^2}+\pi_{\theta_{\mathrm{old}}}(o\mid q)\frac1{\pi_\theta(o\mid "
        r"q)}\Big)-\lambda=0"
    ),
    depends_on=["vy-appA-kkt-system", "vy-eq8-grad-KL0"],
)

on_policy = identify(condition, old, pi)  # only now π_old = π
balance = ref[o] - (1 - (P[o] - lam) / beta) * pi[o]

claim(
    "vy-appA-on-policy",
    On(
        supported.also(simplex(old, n), 1 <= o_, o_ <= n, Eq(old[o_], pi[o_])),
        Equal(
            slope_of_used * pi[o_] / beta,
            ref[o_] - (1 - (P[o_] - lam) / beta) * pi[o_],
            label="the condition, times π(o)/β: the difference of the two sides",
        ),
    ),
    supported,
    because=(
        Equal(pi[o] * on_policy, beta * ref[o] - (beta - (P[o] - lam)) * pi[o], label="the condition, times π(o)"),
        Equal(pi[o] / beta * on_policy, balance, label="and over β: the difference of the two sides of the print"),
    ),
    locator="App A",
    title="The first-order condition on-policy",
    kind="identity",
    printed=(
        r"\text{Under the condition }\pi_\theta(\cdot\mid q)=\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)\text{, we have }"
        r"\pi_{\mathrm{ref}}(o\mid q)=\Big(1-\frac{\mathcal P_G(o\mid\pi_\theta(\cdot\mid q),q)-\lambda}\beta\Big)\pi_"
        r"\theta(o\mid q)"
    ),
    depends_on=["vy-appA-foc"],
    remark=(
        "Multiplied by π(o)/β > 0, so the two conditions have the same solutions; holds on the support of π, "
        "whatever it is. π_old is held fixed in the derivative."
    ),
)

# The preferences that make a policy stationary, and with them every expectation that (11) speaks of.
preference = (P[o] - on_policy).expand()  # the condition is P(o) + (terms without P) = 0
expected = Sum(pi[o_] * preference.subs(o, o_), (o_, 1, n))
gap = preference - expected
average = Sum(pi[o_] * P[o_], (o_, 1, n))  # E_π P for any preferences

one_slope = EqualSlopes(
    Summand(t * P[o] - beta * old[o] * k3(t, ref[o]), t, pi, o, n), slope_of_entry, lam, P, preference
)


def at_maxima(left, right, label, support=supported):
    """That the sides agree for each answer of the support of a policy that maximises its own objective."""
    return On(
        support.also(simplex(old, n)),
        MaximaSatisfy(J, pi, o, Eq(left, right, evaluate=False), ((old[o], pi[o]),), label=label).by(one_slope),
    )


any_mass = Domain(
    n >= 2, beta > 0, any_multiplier, support_mass > 0, simplex(pi, n), simplex(ref, n, total=support_mass), reals(P, n)
)
claim(
    "vy-appA-lambda",
    at_maxima(
        P[o] - beta * (1 - ref[o] / pi[o]),
        average - beta * (1 - support_mass),
        "the slope of each used answer is E_π P − β(1 − m), the multiplier",
        any_mass,
    ),
    supported,
    because=(
        Equal(
            expected, lam + beta * (1 - support_mass), label="λ = E_π P − β(1 − m) on a support of mass m under π_ref"
        ),
        Equal(
            Sum(pi[o] * on_policy, (o, 1, n)),
            average - lam - beta * (1 - support_mass),
            label="sum over the answers that are used",
        ),
        On(full_support, Equal(expected, lam, label="λ = E_π P on full support")),
    ),
    locator="App A",
    title="The slope of the used answers, the same for each, on a support of mass m under π_ref",
    kind="identity",
    printed=(
        r"\text{By using the constraint }\sum_{o'}\pi_\theta(o'\mid q)=1\text{, we have }\Big(1-\frac{\mathcal P_G(o"
        r"\mid\pi_\theta(\cdot\mid q),q)-\mathbb E_{o'\sim\pi_\theta(\cdot\mid q)}[\mathcal P_G(o'\mid\pi_\theta(\cdot"
        r"\mid q),q)]}{\beta}\Big)\pi_\theta(o\mid q)=\pi_{\mathrm{ref}}(o\mid q)"
    ),
    depends_on=["vy-appA-on-policy"],
    judged=needs_hypothesis(
        "Summing over o uses Σπ_ref = 1, so the condition must hold for every answer of the support of π_ref: "
        "all of them must be used.",
        Equal(lam, expected),
        supported.also(support_mass < 1),
    ),
)

# --- Equation (11) ---------------------------------------------------------------------------------------------------

claim(
    "vy-eq11-boundary-form",
    at_maxima((support_mass - (P[o] - average) / beta) * pi[o], ref[o], "every maximum satisfies the equation"),
    supported,
    because=(
        On(
            supported,
            Equal(
                (support_mass - gap / beta) * pi[o],
                ref[o],
                label="the equation, for the preferences that make π stationary",
            ),
        ),
        Equal(beta * ref[o], (beta * support_mass - gap) * pi[o], label="the equation, times β"),
        Equal(
            pi[o] * on_policy.subs(lam, average - beta * (1 - support_mass)),
            beta * ref[o] - (beta * support_mass - (P[o] - average)) * pi[o],
            label="where it holds π is stationary, with λ = E_π P − β(1 − m)",
        ),
    ),
    locator="Sec 2.3, (11)",
    title="Equation (11) on a support of mass m under π_ref",
    kind="identity",
    depends_on=["vy-appA-lambda"],
    remark="m is the mass under π_ref of the support of π. Where that is the support of π_ref, m = 1 and this is (11).",
)
balanced = (1 - gap / beta) * pi[o]  # the left side of (11)
corner_value = pair_preference(0, binary(1), gamma)  # P(a) at δ_a, which is also E_π P there

# The same policy with n answers in the place of a, which it keeps in the proportions of π_ref, and k in that of b.
kept_value, lost_value = (pair_preference(a, binary(1), gamma) for a in (0, 1))
kept = Place(
    Summand(kept_value * t - beta * old[o] * k3(t, ref[o]), t, pi, o, n),
    kept_value - beta * old[o] * (1 / t - ref[o] / t**2),
    ref[o] / p,
    old,
)
lost = Place(Summand(lost_value * t, t, unsampled, o, k), lost_value)
at_answers = lost_value * Sum(unsampled[o], (o, 1, k)) - beta * Sum(old[o] * k3(pi[o], ref[o]), (o, 1, n))  # kept: 0

claim(
    "vy-s23-boundary-policy",
    On(
        corner_domain.also(
            n >= 1, k >= 1, positives(pi, n), positives(old, n), simplex(ref, n, total=p), reals(unsampled, k)
        ),
        SatisfiesKKT(
            at_answers, (kept, lost), beta * (1 - p) <= gamma, label="answers that lose by γ to those kept are given up"
        ),
    ),
    corner_domain,
    because=(
        Always(
            Implies(beta * (1 - p) <= gamma, slack_b >= 0), label="δ_a satisfies the KKT conditions if β(1 − p) ≤ γ"
        ),
        Always(Implies(beta * (1 - p) > gamma, slack_b < 0), label="and only then"),
        On(
            corner_domain.also(0 < x, x <= 1, beta < 4 * p * gamma),
            Monotone(
                along,
                x,
                1,
                label="if β < 4pγ, of two answers: δ_a is the one global maximum of the objective it freezes",
            ),
        ),
    ),
    locator="Sec 2.3, (11)",
    title="KKT conditions at a policy on winning answers, of mass p under π_ref and margin γ, groups of two",
    kind="inequality",
    depends_on=["vy-appA-kkt-system"],
    remark=(
        "δ_a is the policy that always answers a, x the probability of a. All this is in the programme of Section 2.3: "
        "for (1) as it stands no policy that gives up an answer is stationary (vy-s23-full-support-by-definition)."
    ),
)

claim(
    "vy-eq11-kkt-dichotomy",
    Every(
        MaximaSatisfy(
            J,
            pi,
            o,
            Eq((1 - (P[o] - average) / beta) * pi[o], ref[o], evaluate=False),
            ((old[o], pi[o]),),
            label="every maximum of full support satisfies (11)",
        ).by(one_slope),
        On(full_support, Equal(balanced, ref[o], label="(11), for the preferences that make π stationary")),
        Equal(
            pi[o] * on_policy.subs(lam, average),
            beta * ref[o] - (beta - (P[o] - average)) * pi[o],
            label="where (11) holds π is stationary, with λ = E_π P",
        ),
    ),
    full_support.also(simplex(old, n)),
    because=(Equal(beta * ref[o], (beta - gap) * pi[o], label="stationary implies (11), times β"),),
    locator="Sec 2.3, (11); App A",
    title="Stationary policies of GRPO",
    kind="identity",
    printed=(
        r"\text{for every output }o\text{ and context }q\text{, for each maximum, it either holds that }\pi_\theta(o"
        r"\mid q)=0\text{ or }\Big(1-\frac{\mathcal P_G(o\mid\pi_\theta(\cdot\mid q),q)-\mathbb E_{o'\sim\pi_\theta("
        r"\cdot\mid q)}[\mathcal P_G(o'\mid\pi_\theta(\cdot\mid q),q)]}{\beta}\Big)\pi_\theta(o\mid q)=\pi_{"
        r"\mathrm{ref}}(o\mid q)"
    ),
    depends_on=["vy-appA-lambda", "vy-s23-boundary-policy"],
    judged=needs_hypothesis(
        "True when every answer of the support of π_ref keeps some probability. A maximum that gives up an "
        "answer satisfies "
        "(π_ref(S) − (P − E P)/β)π = π_ref on its support S instead: δ_a, the global maximum of its own "
        "objective for β < 4pγ, would need 1·1 = p.",
        Always(Implies(slack_b >= 0, Eq((1 - (corner_value - 1 * corner_value) / beta) * 1, p))),
        corner_domain.also(beta < 4 * p * gamma),
    ),
)

# A maximum is a point where the objective is differentiable: the penalty forbids π(o) = 0 where π_old(o) > 0, and
# ignores o where π_old(o) = 0.
free = grpo(beta, group_size=2).value(
    (x, u), binary(y), binary(p), lambda a: pair_preference(a, binary(y), gamma), Answers(2)
)
constrained = free.subs(u, 1 - x)

claim(
    "vy-s23-kkt-necessary",
    multipliers,
    Domain(0 < y, y < 1, 0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1),
    because=(
        Tends(constrained, x, 0, -oo, label="two answers, pairs: no maximum gives up a sampled answer"),
        On(
            full,
            Equal(
                partial(J, pi[o]).subs(old[o], 0),
                P[o],
                label="in an answer that is never sampled the objective is linear, of slope P(o)",
            ),
        ),
    ),
    locator="Sec 2.3; App A",
    title="Necessity of the KKT conditions at a maximum",
    kind="identity",
    printed=(
        r"\text{By the KKT conditions, if }\pi_\theta(\cdot\mid q)\text{ is a local optimum, then there exist "
        r"constants }\gamma_o\text{ and }\lambda\text{ such that, for all }o\text{, the following conditions hold: "
        r"stationarity: }\frac{\partial}{\partial\pi_\theta(o\mid q)}\mathcal J_{GRPO}(\pi_\theta(\cdot\mid q)\mid q)-"
        r"\lambda+\gamma_o=0\text{, … complementary slackness: }\gamma_o\pi_\theta(o\mid q)=0"
    ),
    depends_on=["vy-appA-kkt-system"],
    remark=(
        "Necessary, not sufficient: vy-s13-stationary-definition. γ without an answer is the margin. π' and w_> are "
        "the probabilities and preferences of the answers that π_old never samples, P the preferences of the others, "
        "and γ(o) the multipliers."
    ),
)
