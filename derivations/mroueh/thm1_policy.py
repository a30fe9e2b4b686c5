"""One GRPO iteration with verifiable rewards: the policy in closed form.

Statement.   With the weights ω± frozen at p, the success probability of the policy that sampled, the objective
             E_old[(π/π_old) A] − β KL(π‖π_ref) is strictly concave and has one maximiser: π_ref(o) e^{ω⁺/β}/Z on the
             correct answers and π_ref(o) e^{−ω⁻/β}/Z on the wrong ones, Z = p_ref e^{ω⁺/β} + (1 − p_ref) e^{−ω⁻/β}.
Source.      Mroueh (2025), Section 2.4 and Theorem 1; Appendix A, proof of Theorem 1.
Domain.      n₊ ≥ 1 correct and n₋ ≥ 1 wrong answers, both symbolic; policies with full support, for Theorem 1 those
             too that give up answers; 0 < p, p_ref < 1; β, ε > 0.
Derivation.  Population advantage with smoothing ε → objective, π_old only in mean and variance → partial derivatives
             in π(o) → solved for π(o) → normalised → what is left of the objective is −β KL from that policy.
Caveats.     One question at a time: policies of different questions separate where the class holds every policy; one
             policy for two questions mixes them (mr-s24-iterations). Algorithm 1 puts the mean of the group where the
             theorems have p: mr-alg1-sample-p says what that changes.
Letters.     p is the success of the old policy, which samples, and x that of the policy. π⁺ and π⁻ are the policy on
             the n₊ correct and on the n₋ wrong answers, likewise π_old and π_ref; J is the objective of one iteration,
             v is Z, t is log(π/π_ref), or in the last part of mr-thm1-policy the one weight of all answers, u one entry
             of the policy; the second sampler of mr-dependence-pn has π̃ on correct and π_old, without a sign, on wrong
             answers. Of two questions t and 1 − t are the weights, x and z the policies; the second has the sampler y
             and the reference q. In mr-alg1-sample-p k counts the correct ones among the other outputs of a group. In
             mr-alg1-gradient-steps t is the logit of the correct answer, η the size of a step, δ(i) the share of the
             gap D(i) that step i closes. ω_ε⁺ and ω_ε⁻ are the weights (4) of correct and of wrong answers, ρ_Q is the
             law of questions.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

right, wrong_ones = Answers(n_hit), Answers(n_miss)
smoothed = Advantage(guard=guard)

# What the frozen sampling policy contributes: mean and variance of a 0/1 reward, summed over both kinds of answers.
mean = right.total(lambda a: hit_old[a] * 1, o) + wrong_ones.total(lambda a: miss_old[a] * 0, o)
variance = right.total(lambda a: hit_old[a] * (1 - success) ** 2, o)
variance += wrong_ones.total(lambda a: miss_old[a] * (0 - success) ** 2, o)

w_plus = smoothed.of_population(1, success, success * (1 - success))  # ω⁺, the advantage of a correct answer
w_minus = -smoothed.of_population(0, success, success * (1 - success))  # ω⁻, minus that of a wrong one

rates = Domain(0 < success, success < 1, 0 < success_ref, success_ref < 1, beta > 0, guard > 0)
closed = Domain(n_hit >= 1, n_miss >= 1, 0 <= success, success <= 1, beta > 0, guard > 0)  # p at 0 and at 1 too
references = (simplex(hit_ref, n_hit, success_ref), simplex(miss_ref, n_miss, 1 - success_ref))
samplers = (simplex(hit_old, n_hit, success), simplex(miss_old, n_miss, 1 - success))
# The new policy has the success probability x, any number in (0, 1).
policies = (simplex(hit, n_hit, x), simplex(miss, n_miss, 1 - x))
iteration = rates.also(*references, *samplers, *policies, n_hit >= 1, n_miss >= 1, 0 < x, x < 1, v > 0)

penalty = kl(hit, hit_ref, right, o) + kl(miss, miss_ref, wrong_ones, o)


def sampled(good, bad):
    """E over π_old of the ratio times the advantage, minus β KL."""
    ratios = right.total(lambda a: hit_old[a] * (hit[a] / hit_old[a]) * good, o)
    return ratios + wrong_ones.total(lambda a: miss_old[a] * (miss[a] / miss_old[a]) * bad, o) - beta * penalty


# The advantages from the sampler itself: nothing of it but its sums.
J_sampled = sampled(smoothed.of_population(1, mean, variance), smoothed.of_population(0, mean, variance))
J = right.total(lambda a: hit[a] * w_plus, o) - wrong_ones.total(lambda a: miss[a] * w_minus, o) - beta * penalty

# One probability moves alone only among numbers without a sum.
numbers = (positives(hit, n_hit), positives(miss, n_miss))
d = Derivation("mr-thm1", rates.also(*references, *samplers, *numbers, n_hit >= 1, n_miss >= 1, v > 0))
d.start(J_sampled, "GRPO without clipping: samples, mean and variance of the old policy, which stays fixed")
d.rewrite(J_sampled, J, "of the old policy only its success probability p is left, in the weights")
slope_hit = d.start(partial(J, hit[o]), "partial derivative in π(o), o correct")
slope_miss = d.start(partial(J, miss[o]), "partial derivative in π(o), o wrong")
d.rewrite(slope_hit, w_plus - beta * (log(hit[o] / hit_ref[o]) + 1), "KKT: this is the multiplier λ")
d.rewrite(slope_miss, -w_minus - beta * (log(miss[o] / miss_ref[o]) + 1), "KKT: this is the same λ")


def stationary(slope, entry, reference):
    """π(o) from "the slope is λ", with the multiplier written as λ = β log Z − β and Z = v."""
    linear = slope.xreplace({log(entry / reference): t}) - lam  # w − β(t + 1) − λ, where t = log π(o)/π_ref(o)
    logarithm = linear.subs({t: 0, lam: beta * log(v) - beta}) / -diff(linear, t)
    return reference * exp(expand(logarithm, deep=False))


policy_hit, policy_miss = stationary(slope_hit, hit[o], hit_ref[o]), stationary(slope_miss, miss[o], miss_ref[o])

# The factor that normalises: the total of both kinds, and what it is.
mass_hit, mass_miss = Sum(policy_hit * v, (o, 1, n_hit)), Sum(policy_miss * v, (o, 1, n_miss))
Z = d.rewrite(
    mass_hit + mass_miss, success_ref * exp(w_plus / beta) + (1 - success_ref) * exp(-w_minus / beta), "Σπ = 1 fixes Z"
)

at_hit = d.restrict(slope_hit, {hit[o]: policy_hit}, "the slope there, for a correct answer")
at_miss = d.restrict(slope_miss, {miss[o]: policy_miss}, "the slope there, for a wrong answer")

# What the objective is lower by elsewhere: β times the divergence from the candidate.
best_hit, best_miss = policy_hit.subs(v, Z), policy_miss.subs(v, Z)
from_best = (Divergence(hit[o], best_hit, o, 1, n_hit), Divergence(miss[o], best_miss, o, 1, n_miss))
only_best = AtLeast(
    beta * log(Z), J, tuple(Eq(d.p, d.q, evaluate=False) for d in from_best), label="J(π) ≤ β log Z"
).by(Gibbs(from_best, beta))
of_correct, of_wrong = w_plus * u - beta * u * log(u / hit_ref[o]), -w_minus * u - beta * u * log(u / miss_ref[o])
entries = (Summand(of_correct, u, hit, o, n_hit), Summand(of_wrong, u, miss, o, n_miss))


def lost(best):
    """What an answer of probability u loses against its best probability, the multiplier β log Z − β taken off."""
    return Loss(beta * (best - u - u * log(best / u)), (log_below_tangent(best / u),))


kinds = (Answered(Part(of_correct, u), o, n_hit), Answered(Part(of_wrong, u), o, n_miss))
every_policy = On(
    rates.also(*references, n_hit >= 1, n_miss >= 1),
    OnlyBestPolicy(kinds, (best_hit, best_miss), label="over all policies").by(
        OneMultiplier(beta * (log(Z) - 1), (lost(best_hit), lost(best_miss)))
    ),
)
of_one_kind = On(
    Domain(simplex(hit_ref, n_hit), n_hit >= 1, t, beta > 0),
    OnlyBestPolicy(
        (Answered(Part(t * u - beta * u * log(u / hit_ref[o]), u), o, n_hit),),
        (hit_ref[o],),
        label="where all answers have one weight t: π_ref",
    ).by(OneMultiplier(t - beta, (lost(hit_ref[o]),))),
)

# -- Section 2.4: the iteration ---------------------------------------------------------------------------------------
claim(
    "mr-eq6",
    Equal(
        J_sampled,
        right.total(lambda a: hit[a], o) * w_plus - wrong_ones.total(lambda a: miss[a], o) * w_minus - beta * penalty,
        label="sampled from π_old",
    ),
    iteration,
    because=(
        Equal(J_sampled, x * w_plus - (1 - x) * w_minus - beta * penalty, label="with the success probability x of π"),
    ),
    kind="convention",
    locator="Sec 2.4, (6)",
    title="One iteration: the contrastive objective with weights frozen at p_{n−1}",
    printed=(
        r"\theta_n=\arg\max_\theta\mathbb E_{q\sim\rho_{\mathcal Q}}\Big\{\omega_\varepsilon^+(p_{\theta_{n-1}}(q))"
        r"\mathbb E_{o\sim\pi_\theta(\cdot|q)}\mathbb 1_{r(q,o)=1}-\omega_\varepsilon^-(p_{\theta_{n-1}}(q))\mathbb "
        r"E_{o\sim\pi_\theta(\cdot|q)}\mathbb 1_{r(q,o)=0}\Big\}-\beta\,\mathrm{KL}(\pi_\theta\|\pi_{\mathrm{ref}})"
    ),
    expect="definition",
    remark="What is checked is that it is the objective sampled from π_{n−1}, for one question.",
)

claim(
    "mr-eq7",
    Every(
        Equal(mean, success, label="mean of the reward"),
        Equal(variance, success * (1 - success), label="variance of the reward"),
    ),
    iteration,
    kind="definition",
    locator="Sec 2.4, (7)",
    title="Mean and variance of the reward under the last policy",
    printed=r"p_{n-1}(q)=\mathbb E_{o\sim\pi_{n-1}(\cdot\mid q)}\mathbb 1_{r(q,o)=1}",
)


def another(expression):
    """The same expression for a second sampling policy: ρ̃ on the correct and π_old on the wrong answers."""
    return expression.replace(lambda e: e.is_Indexed and e.base == hit_old, lambda e: other[e.indices]).replace(
        lambda e: e.is_Indexed and e.base == miss_old, lambda e: old[e.indices]
    )


claim(
    "mr-dependence-pn",
    Equal(J_sampled, J, label="the objective contains π_{n−1} in p only"),
    iteration,
    because=(
        On(
            iteration.also(simplex(other, n_hit, success), simplex(old, n_miss, 1 - success)),
            Equal(another(J_sampled), J_sampled, label="two old policies with one success probability: one objective"),
        ),
    ),
    by=d,
    depends_on=["mr-eq6"],
    locator="Sec 2.4, last sentence",
    title="Dependence of the next policy on the last one",
    printed=(
        r"\text{the policy at iteration }n\text{ depends upon the policy }\pi_{n-1}\text{ via the probability of "
        r"success }p_{n-1}\text{, as well on the reference policy via the KL regularizer}"
    ),
)

claim(
    "mr-alg1-importance",
    Every(
        Always(policy_hit > 0, label="correct answers"),
        Always(policy_miss > 0, label="wrong answers"),
        On(
            Domain(simplex(old, n), simplex(pi, n), reals(r, n), n >= 1),
            Equal(
                Sum(old[o] * (pi[o] / old[o]) * r[o], (o, 1, n)),
                Sum(pi[o] * r[o], (o, 1, n)),
                label="an expectation under π by samples of such a policy",
            ),
        ),
    ),
    closed.also(positives(hit_ref, n_hit), positives(miss_ref, n_miss), v > 0),
    because=(
        Always(
            (w_plus + w_minus) / beta > 0,
            label="the logarithm of the factor between the kinds, in favour of the correct ones",
        ),
        On(
            rates,
            Always(
                And(success_ref * exp(w_plus / beta) > 0, (1 - success_ref) * exp(-w_minus / beta) > 0),
                label="both kinds keep a share",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["mr-thm1-policy"],
    locator="Sec 2.4, after (6); Algorithm 1",
    title="Support of the iterates, and importance sampling from one",
    printed=r"\text{expectations are estimated using importance sampling from }\pi_{\theta_{n-1}}",
    remark="Of the exact iterates of Theorem 1, which have the support of π_ref: outside of it the penalty forbids any "
    "policy. A sampler of smaller support: mr-s2-importance-sampling.",
)


def expected_advantage(answer):
    """Of a correct (0) or a wrong (1) output, in groups of two and of three, every group enumerated."""
    return {size: smoothed.preference(answer, binary(success), (1, 0), Answers(2), size, o) for size in (2, 3)}


correct, failed = expected_advantage(0), expected_advantage(1)
half = sqrt(success * (1 - success) + guard) / (2 * sqrt(Rational(1, 4) + guard))
third = 2 * sqrt(success * (1 - success) + guard) / (3 * sqrt(Rational(2, 9) + guard))


def of_two(reward, correct_ones):
    """The advantage of an output in a group of two, so many of them correct."""
    return smoothed.of_population(reward, correct_ones / 2, correct_ones / 2 * (1 - correct_ones / 2))


claim(
    "mr-alg1-sample-p",
    Every(
        CountMean(of_two(1, k + 1), k, 1, success, w_plus * half, label="the advantage of a correct output of two"),
        Always(
            And(correct[2] <= w_plus / 2, -failed[2] <= w_minus / 2),
            label="at most half the weights of the theorems, for correct and for wrong outputs",
        ),
    ),
    rates,
    because=(
        CountMean(of_two(0, k), k, 1, success, -w_minus * half, label="the advantage of a wrong output of two"),
        Equal(correct[2], w_plus * half, label="two outputs, a correct one"),
        Equal(failed[2], -w_minus * half, label="two outputs, a wrong one"),
        Always(And(0 < half, 2 * half <= 1), label="at most half the weight of the theorems"),
        Equal(
            correct[2] - failed[2],
            1 / (2 * sqrt(Rational(1, 4) + guard)),
            label="the sum of both weights does not depend on p",
        ),
        Equal(correct[3] - failed[3], (w_plus + w_minus) * third, label="three outputs: the sum of both weights"),
        Always(correct[3] < w_plus, label="three outputs: the weight of a correct one is below that of the theorems"),
    ),
    kind="modelling",
    depends_on=["mr-eq6"],
    locator="Sec 2.4, Algorithm 1, line 8",
    title="Weights with the mean of the group in place of p",
    printed=r"p=p_{\theta_{\mathrm{old}}}(q)=\frac1G\sum_{i=1}^G\mathbb 1_{r(q,o_i)=1}",
    judged=imprecise(
        "The group's mean estimates p without bias, but the advantage is not linear in it. In expectation a group of "
        "two gives both kinds of answers at most half the weight that the theorems use, and weights that no "
        "longer make the next policy depend on p.",
        Equal(correct[2], w_plus),
    ),
    remark=(
        "All groups of two and three are enumerated. With G = 2 the sum of both weights, which is all that p_n has of "
        "them (mr-pf2-simplify), does not contain p_{n−1}: p_n = 1/(1 + (1 − p_ref)/p_ref · exp(−1/(2β√(¼ + ε))))."
    ),
)

# Two questions with weights t and 1 − t; the second has sampler y and reference q.
at_y = {success: y, success_ref: q}


def one_question(chance):
    """The objective of one question, two answers, as a function of its success probability."""
    return chance * w_plus - (1 - chance) * w_minus - beta * kl(binary(chance), binary(success_ref), Answers(2), o)


target = log(success_ref / (1 - success_ref)) + (w_plus + w_minus) / beta
first, second = one_question(x), one_question(z).subs(at_y)
both = t * first + (1 - t) * second
two_questions = rates.also(0 < x, x < 1, 0 < z, z < 1, 0 < y, y < 1, 0 < q, q < 1, 0 < t, t < 1)
claim(
    "mr-s24-iterations",
    On(
        Domain(n >= 1, positives(pi, n)),
        SolvedSeparately(pi[o], o, n, label="any number of questions, of positive weights"),
    ),
    two_questions,
    because=(
        Equal(
            diff(both.subs(z, x), x),
            beta * (t * target + (1 - t) * target.subs(at_y) - log(x / (1 - x))),
            label="one policy for both: the log-odds are averaged",
        ),
        Equal(
            diff(both, x),
            t * beta * (target - log(x / (1 - x))),
            label="own policy for each question: the other does not matter",
        ),
    ),
    kind="modelling",
    depends_on=["mr-eq6"],
    locator="Sec 2.4, (GRPO Iterations) and after",
    title="Questions with a policy each, and two questions with one policy for both",
    printed=(
        r"\text{moving the optimization from a parametric space to the probability space can be seen as assuming that "
        r"the hypothesis class of the parametric policies is large enough to represent all policies}"
    ),
    remark=(
        "Any finite number of questions decouple where each has a policy of its own. That a smaller class need not do "
        "is shown by an example: one policy for two questions of weights t and 1 − t, whose log-odds are averaged. p "
        "and p_ref are the success of the old and of the reference policy on the first, y and q on the second, x that "
        "of the policy; π(o) are the weights of any number of questions."
    ),
)

# Gradient ascent on two answers, in the logit that a softmax trains: the objective is at its maximum where the logit is
# that of Theorem 1, and a step of size η closes a part of the gap, η β x(1 − x).
in_logit = one_question(1 / (1 + exp(-t)))
share = step_size * beta / ((1 + exp(-t)) * (1 + exp(t)))
next_logit = t + step_size * diff(in_logit, t)
steps_below_four = Domain(*rates.constraints, t, 0 < step_size, step_size * beta < 4)
claim(
    "mr-alg1-gradient-steps",
    Every(
        Equal(target - next_logit, (1 - share) * (target - t), label="a step closes a part of the gap"),
        On(
            Domain(),
            ForEveryNumber(
                distance[i] > 0,
                i,
                1,
                (reals(distance, i), reals(error, i)),
                (Eq(distance[i + 1], (1 - error[i]) * distance[i]), error[i] < 1),
                (distance[1] > 0,),
                label="after any number of steps a gap is left",
            ).by(Induction(such={distance: 1, error: 0})),
        ),
    ),
    steps_below_four,
    because=(
        Equal(Derivative(in_logit, t), beta / ((1 + exp(-t)) * (1 + exp(t))) * (target - t), label="the slope"),
        Always(
            And(0 < share, share < 1),
            using=(exp_positive(t), exp_positive(-t)),
            label="the share of the gap that a step closes is between 0 and 1",
        ),
    ),
    kind="modelling",
    depends_on=["mr-eq6", "mr-thm1-policy"],
    locator="Sec 2.4, after (6); Algorithm 1, line 10",
    title="Gradient steps towards the maximiser of one iteration",
    printed=r"\text{each maximization problem is solved via gradient for }\mu\text{ steps}",
    remark=(
        "Of two answers, one of them correct, t is the logit of the correct one; the target is that of Theorem 1. "
        "δ(i) is the share of the gap D(i) that step i closes. Algorithm 1 says the same in line 10: “by maximizing "
        "the GRPO objective with gradient ascent”. It describes an algorithm, whose error is among those that "
        "Section 5 calls δ_n, which is another δ: each short step closes a part of the gap, and where there is a gap "
        "at the start, one is left after any number μ of steps."
    ),
)

# -- Theorem 1 --------------------------------------------------------------------------------------------------------
claim(
    "mr-pf1-concave",
    ConcaveInPolicy(J, (hit, miss)).by(Separable(entries)),
    iteration,
    because=(
        Equal(partial(slope_hit, hit[o]), -beta / hit[o], label="second derivative, correct answers"),
        Equal(partial(slope_miss, miss[o]), -beta / miss[o], label="second derivative, wrong answers"),
        Equal(partial(slope_hit, miss[o]), 0, label="second derivative, a correct and a wrong answer"),
        Always(And(partial(slope_hit, hit[o]) < 0, partial(slope_miss, miss[o]) < 0), label="negative"),
    ),
    kind="convexity",
    locator="App A, proof of Theorem 1",
    title="Strict concavity of the objective",
    printed=r"\text{The objective in Equation (GRPO Iterations) is concave}",
    depends_on=["mr-dependence-pn"],
)

claim(
    "mr-thm1-policy",
    Every(only_best, every_policy, of_one_kind),
    iteration,
    because=(
        Equal(at_hit, beta * (log(v) - 1), label="KKT, correct answers"),
        Equal(at_miss, beta * (log(v) - 1), label="KKT, wrong answers: the same multiplier"),
        Equal(
            log(policy_hit * v / hit_ref[o]),
            (1 - success) / (beta * sqrt(success * (1 - success) + guard)),
            label="the exponent for r = 1 is ω⁺/β",
        ),
        Equal(
            log(policy_miss * v / miss_ref[o]),
            -success / (beta * sqrt(success * (1 - success) + guard)),
            label="the exponent for r = 0 is −ω⁻/β",
        ),
    ),
    by=d,
    depends_on=["mr-dependence-pn", "mr-pf1-concave", "mr-thm1-Z"],
    locator="Sec 3, Theorem 1",
    title="The optimal policy as the reference tilted by the weights",
    printed=(
        r"\text{Optimal GRPO iterations policies solving Equation (GRPO Iterations) satisfy the following recursion, "
        r"for }n\ge1\text{: }\pi_n(o|q)=\frac1{Z_{n-1}(q)}\pi_{\mathrm{ref}}(o|q)\exp\Big(\frac1\beta\big(\omega_"
        r"\varepsilon^+(p_{n-1}(q))\mathbb 1_{r(q,o)=1}-\omega_\varepsilon^-(p_{n-1}(q))\mathbb 1_{r(q,o)=0}\big)\Big)"
    ),
    remark=(
        "For any finite numbers of correct and wrong answers; the second part is for all policies, those that give up "
        "answers included. The maximum is β log Z. The last part is for a reference of success 1 or 0, where t is ω⁺ "
        "or −ω⁻ for all answers, and the formula is that of mr-thm1-edges. Countably many answers: mr-thm1-countable."
    ),
)

# How near to π_ref it is: both divergences together are what success gains over β√(p(1 − p) + ε).
to_best = (Divergence(hit_ref[o], best_hit, o, 1, n_hit), Divergence(miss_ref[o], best_miss, o, 1, n_miss))
best_success = success_ref * exp(w_plus / beta) / Z  # p_n
gained = (best_success - success_ref) / (beta * sqrt(success * (1 - success) + guard))
divergence = Add(*(d.total(d.q * log(d.q / d.p)) for d in to_best))  # KL(π_n‖π_ref)
claim(
    "mr-s2-close-to-reference",
    Equal(
        Add(*(d.total(d.p * log(d.p / d.q)) for d in to_best)),
        gained - divergence,
        label="both divergences together are the gain",
    ),
    iteration,
    because=(
        Equal(Sum(best_hit, (o, 1, n_hit)), best_success, label="p_n"),
        AtLeast(gained, divergence, label="KL(π_n‖π_ref) is at most (p_n − p_ref)/(β√(p(1 − p) + ε))").by(
            Gibbs(to_best)
        ),
    ),
    kind="inequality",
    depends_on=["mr-thm1-policy", "mr-thm1-Z"],
    locator="Sec 2, after (GRPO)",
    title="The sum of both divergences between π_n and π_ref",
    printed=r"\text{while maintaining the optimized policy close to }\pi_{\mathrm{ref}}\text{ as measured by the KL "
    r"divergence}",
    remark=(
        "“Close” is read so: by less than (1 − p_ref)/(β√(p(1 − p) + ε)). Any finite numbers of correct and wrong "
        "answers, and no clipping; countably many: mr-s2-close-countable."
    ),
)

claim(
    "mr-thm1-Z",
    Equal(mass_hit + mass_miss, success_ref * exp(w_plus / beta) + (1 - success_ref) * exp(-w_minus / beta), label="Z"),
    iteration,
    because=(
        Equal(Sum(policy_hit, (o, 1, n_hit)) + Sum(policy_miss, (o, 1, n_miss)), Z / v, label="Σπ = 1 for v = Z"),
        Always(Z > 0, label="Z is positive"),
    ),
    locator="Sec 3, Theorem 1; App A",
    title="The normaliser",
    printed=r"Z_{n-1}(q)=p_{\mathrm{ref}}(q)\exp\Big(\frac1\beta\omega_\varepsilon^+(p_{n-1}(q))\Big)+(1-p_{"
    r"\mathrm{ref}}(q))\exp\Big(-\frac1\beta\omega_\varepsilon^-(p_{n-1}(q))\Big)",
)

claim(
    "mr-pf1-Z-chain",
    Every(
        Equal(mass_hit, exp(w_plus / beta) * Sum(hit_ref[o], (o, 1, n_hit)), label="the part of the correct answers"),
        Equal(
            mass_miss, exp(-w_minus / beta) * Sum(miss_ref[o], (o, 1, n_miss)), label="the part of the wrong answers"
        ),
    ),
    iteration,
    because=(Equal(Sum(hit_ref[o], (o, 1, n_hit)), success_ref, label="p_ref"),),
    depends_on=["mr-thm1-policy"],
    locator="App A, proof of Theorem 1",
    title="The normaliser, kind by kind",
    printed=(
        r"Z_{n-1}(q)\text{ … }=\exp\Big(\frac1\beta\omega_\varepsilon^+(p_{n-1}(q))\Big)\mathbb E_{o\sim\pi_{"
        r"\mathrm{ref}}(\cdot|q)}\mathbb 1_{r(q,o)=1}+\exp\Big(-\frac1\beta\omega_\varepsilon^-(p_{n-1}(q))\Big)"
        r"\mathbb E_{o\sim\pi_{\mathrm{ref}}(\cdot|q)}\mathbb 1_{r(q,o)=0}"
    ),
    remark="For finitely many answers; the integral over countably many: mr-thm2-countable.",
)

edges = closed.also(simplex(hit_ref, n_hit), simplex(miss_ref, n_miss))
claim(
    "mr-thm1-edges",
    Every(
        On(
            edges.also(Eq(success_ref, 1)),
            Always(
                Eq(policy_hit.subs(v, Z), hit_ref[o]),
                using=(exp_positive(w_plus / beta),),
                label="p_ref = 1: all answers correct",
            ),
        ),
        On(
            edges.also(Eq(success_ref, 0)),
            Always(
                Eq(policy_miss.subs(v, Z), miss_ref[o]),
                using=(exp_positive(-w_minus / beta),),
                label="p_ref = 0: all answers wrong",
            ),
        ),
    ),
    edges.also(0 <= success_ref, success_ref <= 1),
    because=(
        Equal(policy_hit.subs(v, Z.subs(success_ref, 1)), hit_ref[o], label="divided by Z at p_ref = 1"),
        Equal(policy_miss.subs(v, Z.subs(success_ref, 0)), miss_ref[o], label="divided by Z at p_ref = 0"),
    ),
    depends_on=["mr-thm1-Z"],
    locator="Sec 3, Theorem 1",
    title="The tilted policy for a reference of success 0 or 1",
    remark="It is π_ref, which is the maximum there: the last part of mr-thm1-policy.",
)

of_correct_ones = right.total(lambda a: hit_old[a], o)  # the mean reward
claim(
    "mr-abs-explicit-policy",
    Every(
        Equal(
            log(policy_hit / hit_ref[o]),
            (1 - of_correct_ones) / (beta * sqrt(variance + guard)) - log(v),
            label="reward 1",
        ),
        Equal(
            log(policy_miss / miss_ref[o]),
            (0 - of_correct_ones) / (beta * sqrt(variance + guard)) - log(v),
            label="reward 0",
        ),
    ),
    iteration,
    depends_on=["mr-thm1-policy", "mr-eq7"],
    locator="Abstract",
    title="The policy from the reward, mean and variance under π_{n−1}, and π_ref",
    printed=(
        r"\text{The optimal GRPO policy }\pi_n\text{ can be expressed explicitly in terms of the binary reward, as "
        r"well as the first- and second-order statistics of the old policy }(\pi_{n-1})\text{ and the reference policy "
        r"}\pi_0"
    ),
    remark=(
        "The left sides are log(π_n/π_ref) on correct and on wrong answers, π_n/π_ref with Z called v. The right sides "
        "have the mean and the variance of the reward under π_{n−1}. The first-order statistic is enough: for a 0/1 "
        "reward it fixes the second, as p(1 − p) (mr-eq7)."
    ),
)
