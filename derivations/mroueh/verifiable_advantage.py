"""Verifiable rewards: the advantage of a 0/1 reward, and the weights that it gives to correct and wrong answers.

Statement.   For rewards 0 and 1 with success probability p under π_old the advantage is √((1−p)/p) on correct and
             −√(p/(1−p)) on wrong answers. The two weights cross at p = ½; the totals of the two classes are equal.
Source.      Mroueh (2025), Sections 2 and 2.1, equations (1) and (2), Figure 1; the introduction on whitening.
Domain.      Any finite number of correct and of wrong answers with positive π_old; 0 < p < 1.
Derivation.  Mean and variance as sums over the answers, correct and wrong numbered apart → the advantage, by case.
Caveats.     (1) has the statistics of π_old, GRPO those of a sampled group. "More penalised" is about one sample.
Letters.     In mr-kl-def t and v are the probabilities of one answer under π and π_ref. π_old⁺ and π_old⁻ are the old
             policy on the n₊ correct and on the n₋ wrong answers. w_>(o) and w_<(o) are the chances that o is rewarded
             more and less than an output of π_old. In mr-s21-signs x is a ratio.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

# -- the penalty ------------------------------------------------------------------------------------------------------
policies = Domain(simplex(pi, n), simplex(ref, n), simplex(old, n), n >= 2)
penalty = kl(pi, ref, Answers(n), o)

claim(
    "mr-kl-def",
    AtLeast(penalty, 0, (Eq(pi[o], ref[o]),)).by(Gibbs((Divergence(pi[o], ref[o], o, 1, n),))),
    policies,
    because=(
        Equal(
            REVERSE_KL.expected(pi, ref, old, Answers(n), o),
            penalty,
            label="the expectation of the estimator k3 on the samples of π",
        ),
        Equal(
            Sum(pi[o] * k1(pi[o], ref[o]) - (pi[o] - ref[o]), (o, 1, n)),
            penalty,
            label="a sum of terms π log(π/π_ref) − π + π_ref",
        ),
        Equal(k1(t, t), 0, label="a term at π = π_ref"),
        On(
            Domain(t > 0, v > 0, Ne(t, v)),
            Always(
                -t * log(v / t) > t - v,
                using=(log_below_tangent(v / t),),
                label="elsewhere a term is positive",
            ),
        ),
    ),
    expect="definition",
    locator="Sec 2",
    title="The penalty",
    kind="convention",
    printed=r"\mathsf{KL}(\pi\|\pi_{\mathrm{ref}})=\mathbb E_{q\sim\rho_{\mathcal Q}}\mathbb E_{o\sim\pi(\cdot|q)}"
    r"\log\Big(\frac{\pi(o|q)}{\pi_{\mathrm{ref}}(o|q)}\Big)",
    remark="The expectation over questions is part of the symbol. An expectation under π itself: not GRPO's penalty, "
    "which is taken on the samples of π_old (vy-s22-D-is-KL0).",
)

# -- whitening, any rewards -------------------------------------------------------------------------------------------
mean = Sum(old[o_] * r[o_], (o_, 1, n))
variance = Sum(old[k] * (r[k] - mean) ** 2, (k, 1, n))
rewards = Domain(simplex(old, n), reals(r, n), n >= 2, variance > 0)
any_rewards = Domain(simplex(old, n), reals(r, n), n >= 2, guard > 0)
whitened = SHIFT_AND_SCALE.of_population(r[o], mean, variance)
smoothed = Advantage(guard=guard).of_population(r[o], mean, variance)


def under_old(term):
    """``E_{o~π_old}`` for any finite number of answers."""
    return Sum(old[o] * term, (o, 1, n))


# A mean of squares: zero only if all rewards are equal, since every answer occurs.
unequal = AtLeast(variance, 0, (Eq(r[k], mean),), label="the variance is positive unless all rewards are equal")

claim(
    "mr-eq1-advantage",
    Every(
        Equal(r[o] - mean, Sum(old[k] * (r[o] - r[k]), (k, 1, n)), label="its numerator in pairwise differences"),
        Equal(
            variance,
            Sum(Sum(old[i] * old[k] * (r[i] - r[k]) ** 2, (i, 1, n)), (k, 1, n)) / 2,
            label="the variance of the rewards, too",
        ),
    ),
    rewards,
    because=(
        Equal(under_old(r[o] * whitened), sqrt(variance), label="its covariance with the reward is the deviation"),
    ),
    expect="definition",
    locator="Sec 2, (1)",
    title="The advantage, with the statistics of π_old",
    kind="convention",
    printed=r"A(q,o)=\frac{r(q,o)-\mathbb E_{o'\sim\pi_{\theta_{\mathrm{old}}}(.|q)}r(q,o')}{\sqrt{\mathrm{Var}_{o'"
    r"\sim\pi_{\theta_{\mathrm{old}}}(.|q)}r(q,o')}}",
    remark="A definition. It needs rewards that differ, which Section 2.1 assumes, as 0 < p < 1. Both parts "
    "are the pairwise forms of Vojnovic & Yun with weights π_old in place of 1/G, for a group of G.",
)

claim(
    "mr-intro-whitening",
    Every(
        Equal(under_old(whitened), 0, label="mean"),
        Equal(under_old(whitened**2), 1, label="variance"),
    ),
    rewards,
    because=(
        On(
            any_rewards, Equal(under_old(smoothed**2), variance / (variance + guard), label="the variance with a guard")
        ),
        On(any_rewards, Equal(under_old(smoothed), 0, label="the mean with a guard")),
        On(any_rewards, unequal.by(TermByTerm((variance,)))),
    ),
    depends_on=["mr-eq1-advantage"],
    locator="Sec 1; Sec 2, (1)",
    title="Mean and variance of the whitened advantage",
    kind="identity",
    printed=r"\text{GRPO applies whitening to the advantage function, meaning it standardizes the reward's mean and "
    r"variance}",
    judged=imprecise(
        "True of (1), for rewards that differ, as Section 2.1 assumes. Of the advantage that the rest of the paper "
        "uses, with the guard of Section 2.2, the variance is σ²/(σ² + ε), which is less than 1; σ² is that of the "
        "rewards.",
        Equal(under_old(smoothed**2), 1),
        rewards.also(guard > 0),
    ),
)

# -- 0/1 rewards ------------------------------------------------------------------------------------------------------
# The correct answers 1, …, n₊ and the wrong ones 1, …, n₋ are numbered apart.
answers = Domain(
    simplex(hit_old, n_hit, total=success),
    simplex(miss_old, n_miss, total=1 - success),
    n_hit >= 1,
    n_miss >= 1,
    0 < success,
    success < 1,
)


def expected(on_reward):
    """``E_{o~π_old}`` of a function of the reward: over correct and wrong answers, or those for which it is not 0."""
    classes = ((1, hit_old, n_hit), (0, miss_old, n_miss))
    return Add(*(Sum(law[o] * on_reward(of), (o, 1, size)) for of, law, size in classes if on_reward(of) != 0))


p_old = expected(lambda reward: reward)
var_old = expected(lambda reward: (reward - p_old) ** 2)
unguarded = success * (1 - success)
root = sqrt(unguarded)
pair = Domain(0 < success, success < 1)
# By mr-bernoulli:
A_hit, A_miss = (SHIFT_AND_SCALE.of_population(reward, success, unguarded) for reward in (1, 0))

claim(
    "mr-eq2-p",
    Equal(Sum(hit_old[o], (o, 1, n_hit)), success, label="the probability of reward 1"),
    answers,
    because=(
        Equal(expected(lambda reward: reward), success, label="the mean reward"),
        Equal(expected(lambda reward: 1 - reward), 1 - success, label="the probability of reward 0"),
    ),
    expect="definition",
    locator="Sec 2.1, (2)",
    title="The success probability of the old policy",
    kind="convention",
    printed=r"p:=p_{\theta_{\mathrm{old}}}(q)=\mathbb P_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}(r(q,o)=1)",
    remark="One number for each question, held fixed while π_θ is optimised.",
)


claim(
    "mr-bernoulli",
    Every(
        Equal(p_old, success, label="mean"),
        Equal(var_old, unguarded, label="variance"),
    ),
    answers,
    depends_on=["mr-eq2-p"],
    locator="Sec 2.1",
    title="Mean and variance of a verifiable reward",
    kind="identity",
    printed=r"\mathbb E_{o'\sim\pi_{\theta_{\mathrm{old}}}(.|q)}r(q,o')=p\ \text{ and }\ \mathrm{Var}_{o'\sim\pi_{"
    r"\theta_{\mathrm{old}}}(.|q)}r(q,o')=p(1-p)",
    remark="For every finite number of correct and of wrong answers.",
)


claim(
    "mr-adv-eps0",
    Every(
        Equal(1 - p_old, 1 - success, label="numerator, r = 1"),
        Equal(0 - p_old, -success, label="numerator, r = 0"),
        Equal(sqrt(var_old), root, label="denominator"),
    ),
    answers,
    depends_on=["mr-bernoulli"],
    locator="Sec 2.1",
    title="The advantage of a verifiable reward",
    kind="identity",
    printed=r"A(q,o)=\frac{1-p}{\sqrt{p(1-p)}}\text{ if }r(q,o)=1,\quad-\frac p{\sqrt{p(1-p)}}\text{ if }r(q,o)=0",
    remark="Mean and variance enter as sums over the answers. The paper assumes 0 < p < 1 here.",
)

claim(
    "mr-adv-eps0-simplified",
    Every(
        Equal(A_hit, sqrt((1 - success) / success), label="r = 1"),
        Equal(A_miss, -sqrt(success / (1 - success)), label="r = 0"),
    ),
    pair,
    because=(Equal(A_hit * A_miss, -1, label="the product of the two advantages: the weights are reciprocal"),),
    depends_on=["mr-adv-eps0"],
    locator="Sec 2.1",
    title="The advantage in terms of the odds of success",
    kind="identity",
    printed=r"A(q,o)=\sqrt{\tfrac{1-p}p}\text{ if }r(q,o)=1,\quad-\sqrt{\tfrac p{(1-p)}}\text{ if }r(q,o)=0",
)

claim(
    "mr-s21-signs",
    Every(
        Always(A_hit > 0, label="r = 1: positive"),
        Always(A_miss < 0, label="r = 0: negative"),
        On(
            Domain(simplex(pi, n), simplex(old, n), n >= 2, 1 <= o, o <= n),
            Always(pi[o] / old[o] > 0, label="x, for policies with full support"),
        ),
    ),
    Domain(0 < success, success < 1),
    depends_on=["mr-adv-eps0"],
    kind="inequality",
    locator="Sec 2.1",
    title="The signs of the two advantages, and of a ratio",
    printed=r"x=\tfrac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)}>0\text{ and the advantage }A(q,o)\text{ "
    r"can be positive or negative}",
    remark="“Can” asks for an example: for 0 < p < 1 the two cases A > 0 and A < 0 of the clip f_ϵ are the two "
    "rewards, and A = 0 does not occur. x > 0 is said of the paper's context, a language model, whose softmax gives "
    "every output a positive probability.",
)

# What GRPO itself does: the statistics of a group. Two answers, one correct with probability p; every group enumerated.


answers_of_pairs = Domain(n >= 2, simplex(old, n), reals(win, n), reals(loss, n))


def from_groups(answer, size):
    return SHIFT_AND_SCALE.preference(answer, binary(success), (1, 0), Answers(2), size, o)


claim(
    "mr-s2-population-statistics",
    Every(
        On(
            answers_of_pairs,
            AdvantageInPairs(old, o, n, 2, win[o] - loss[o], wins=win, losses=loss, label="groups of two, any rewards"),
        ),
        Equal(from_groups(0, oo), sqrt((1 - success) / success), label="all of π_old, r = 1"),
        Equal(from_groups(1, oo), -sqrt(success / (1 - success)), label="all of π_old, r = 0"),
    ),
    pair,
    because=(
        Equal(from_groups(0, 2), 1 - success, label="groups of two, r = 1: wins 1 − p, losses 0"),
        Equal(from_groups(1, 2), -success, label="groups of two, r = 0: wins 0, losses p"),
    ),
    depends_on=["mr-eq1-advantage"],
    locator="Sec 2, (1); Sec 1",
    title="Expected advantages in groups, against those of the population",
    kind="identity",
    printed=(
        r"\text{we start by recalling GRPO's optimization problem [Shao et al., 2024] … where the advantage for an "
        r"outcome }o\text{, }A(q,o)\text{ is given by: …}"
    ),
    judged=imprecise(
        "GRPO standardises with the statistics of the sampled group; (1) is its limit of large groups (vy-s21-Rinf). "
        "In groups of two a correct answer has the expected advantage 1 − p, not √((1 − p)/p).",
        Equal(from_groups(0, 2), sqrt((1 - success) / success)),
    ),
)

# -- weights without a guard ------------------------------------------------------------------------------------------
w_hit, w_miss = sqrt((1 - success) / success), sqrt(success / (1 - success))
guarded = Domain(0 < success, success < 1, guard > 0)
deviation = sqrt(unguarded + guard)
plus, minus = (1 - success) / deviation, success / deviation

claim(
    "mr-fig1-weights",
    Every(
        Monotone(w_hit, success, -1, label="of correct answers"),
        Monotone(w_miss, success, 1, label="of wrong answers"),
        Tends(w_hit, success, 0, oo),
        Tends(w_hit, success, 1, 0, "-"),
        Tends(w_miss, success, 0, 0),
        Tends(w_miss, success, 1, oo, "-"),
    ),
    pair,
    because=(
        Equal(A_hit, w_hit, label="the weight of a correct answer"),
        Equal(-A_miss, w_miss, label="the weight of a wrong answer"),
        Equal(
            w_miss.subs(success, 1 - success),
            w_hit,
            label="the weight of wrong answers at 1 − p, and of correct ones at p",
        ),
    ),
    depends_on=["mr-adv-eps0-simplified"],
    kind="monotonicity",
    locator="Sec 2.1, Figure 1",
    title="The weights as functions of the success probability",
)

claim(
    "mr-weights-high",
    Every(
        Always(w_hit < 1, label="successes: below 1"),
        Always(w_miss > 1, label="failures: above 1"),
    ),
    Domain(success > Rational(1, 2), success < 1),
    because=(On(guarded.also(success > Rational(1, 2)), Always(plus < minus, label="the same order with a guard")),),
    depends_on=["mr-fig1-weights", "mr-eq4"],
    locator="Sec 2.1, first bullet; Figure 1",
    title="Weights of a success and of a failure for p above ½",
    kind="inequality",
    printed=(
        r"\text{if the success probability of old policy is high (}p>0.5\text{), the weighting for points with success "
        r"is low since the old policy is already good, and for failing point the weight is high}"
    ),
    remark="Per sample. 'Low' and 'high' are read as below and above the weight 1 that both have at p = ½. The bullet "
    "goes on “and hence they are more penalized”: mr-weights-summary judges that.",
)

claim(
    "mr-weights-low",
    Every(
        Always(w_hit > 1, label="successes: above 1"),
        Always(w_miss < 1, label="failures: below 1"),
        Always(w_miss > 0, label="failures: still penalised"),
    ),
    Domain(success < Rational(1, 2), success > 0),
    because=(On(guarded.also(success < Rational(1, 2)), Always(plus > minus, label="the same order with a guard")),),
    depends_on=["mr-fig1-weights", "mr-eq4"],
    locator="Sec 2.1, second bullet; Figure 1",
    title="Weights of a success and of a failure for p below ½",
    kind="inequality",
    printed=(
        r"\text{if the success probability of old policy is low (}p<0.5\text{), the weighting for points with success "
        r"is high since we want to reinforce those successes, and for failing points these are still penalized but "
        r"with a small weight}"
    ),
    remark="Per sample.",
)

claim(
    "mr-weights-summary",
    Every(
        When(success > Rational(1, 2), Always(w_miss > w_hit, label="one sample, p > ½")),
        On(answers, Equal(A_hit * Sum(hit_old[o], (o, 1, n_hit)), root, label="all correct answers together")),
        On(
            answers,
            Equal(
                A_miss * Sum(miss_old[o], (o, 1, n_miss)), -root, label="all wrong answers together: the same in size"
            ),
        ),
    ),
    pair,
    because=(When(success < Rational(1, 2), Always(w_miss < w_hit, label="one sample, p < ½")),),
    depends_on=["mr-adv-eps0-simplified"],
    locator="Sec 2.1, 'In summary'",
    title="Weights of wrong and of correct answers, one by one and together",
    kind="modelling",
    printed=r"\text{if the probability of success of the old policy is high, the wrong answers are more penalized "
    r"than the correct ones are reinforced}",
    judged=imprecise(
        "True of one wrong against one correct answer. All wrong answers together are penalised exactly as much as "
        "all correct ones are reinforced: "
        "p·√((1 − p)/p) = (1 − p)·√(p/(1 − p)) = √(p(1 − p)), for the advantage has mean zero.",
        Always((1 - success) * w_miss > success * w_hit),
        Domain(success > Rational(1, 2), success < 1),
    ),
)
