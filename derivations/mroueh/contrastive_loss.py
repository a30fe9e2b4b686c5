"""GRPO with verifiable rewards as a contrastive loss: clipped, smoothed, and without clipping.

Statement.   With A = ω⁺ on correct and −ω⁻ on wrong answers the expected clipped surrogate under π_old is
             ω⁺ E[min(ρ, 1+ϵ) 1_{r=1}] − ω⁻ E[max(ρ, 1−ϵ) 1_{r=0}], ρ = π_θ/π_old. Without clipping it is
             ω⁺ P_θ(r=1) − ω⁻ P_θ(r=0), which is (P_θ(r=1) − p)/√(p(1−p)+ε).
Source.      Mroueh (2025), abstract, Sections 2.1, 2.2 and 2.3, equation (5).
Domain.      Any finite number of correct and of wrong answers, π_old positive on all of them; ϵ ≥ 0, β, ε > 0.
Derivation.  Each answer's term (clipped_outputs.py) → sums over both classes → the clipping taken away.
Caveats.     Expectations with r = 1 or r = 0 written under the E are not conditional ones. Equation (5) needs π_old
             to be positive wherever π_θ is.
Letters.     p is the success of π_old, p_ref that of π_ref, s a reward, 0 or 1; t is the success of the policy, and v
             what it gives to a correct answer that is never sampled; ρᵢ is a ratio π_θ/π_old. In mr-split P(o) is an
             answer's term of the clipped surrogate and r(o) its reward; in mr-overall-cost P and r are a question's
             surrogate and penalty, and μ is the law of questions, numbered by o. π⁺ and π⁻ are the policy on the n₊
             correct and on the n₋ wrong answers, likewise π_old and π_ref. f_ϵ is the clipped surrogate of one
             output, ω⁺_ε and ω⁻_ε are the weights (4), ρ_Q is the law of questions.
"""

from grpo_symbolic.paper import *

from .clipped_outputs import one_hit, one_miss
from .verifiable_advantage import w_hit, w_miss

claim = Result(__file__).claim

# -- split by the reward ----------------------------------------------------------------------------------------------
plain = Domain(0 < success, success < 1)
dispersion = success * (1 - success)
GUARDED = Advantage(guard=guard)
plus, minus = GUARDED.of_population(1, success, dispersion), -GUARDED.of_population(0, success, dispersion)
each = plain.also(ratio > 0, epsilon >= 0)
bits = Domain(0 < success, success < 1, s * (s - 1) >= 0, s * (s - 1) <= 0)  # s is a reward, 0 or 1
advantage = SHIFT_AND_SCALE.of_population(s, success, dispersion)

claim(
    "mr-split",
    Every(
        Equal(
            Sum(old[o] * P[o], (o, 1, n)),
            Sum(old[o] * P[o] * r[o], (o, 1, n)) + Sum(old[o] * P[o] * (1 - r[o]), (o, 1, n)),
            label="split",
        ),
        On(bits, Equal(advantage, w_hit * s - w_miss * (1 - s), label="A is ω⁺ on correct and −ω⁻ on wrong answers")),
    ),
    Domain(simplex(old, n), reals(P, n), reals(r, n), n >= 2),
    because=(
        On(bits, Equal(advantage * s, sqrt((1 - success) / success) * s, label="A on r = 1")),
        On(bits, Equal(advantage * (1 - s), -sqrt(success / (1 - success)) * (1 - s), label="A on r = 0")),
    ),
    depends_on=["mr-adv-eps0-simplified"],
    locator="Sec 2.1",
    title="The surrogate split by the reward",
    kind="identity",
    printed=(
        r"\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}f_\epsilon\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{"
        r"\mathrm{old}}}(o|q)},A(q,o)\Big)\text{ … }=\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}f_\epsilon\Big("
        r"\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},\sqrt{\tfrac{1-p}p}\Big)\mathbb 1_{r(q,o)=1}+"
        r"\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}f_\epsilon\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{"
        r"\mathrm{old}}}(o|q)},-\sqrt{\tfrac p{(1-p)}}\Big)\mathbb 1_{r(q,o)=0}"
    ),
    remark="P(o) stands for f_ϵ(π_θ(o)/π_old(o), A(o)); the indicators of a 0/1 reward are r and 1 − r.",
)

# Correct answers 1, …, n₊ and wrong ones 1, …, n₋; t = P_θ(r = 1).
classes = Domain(
    simplex(hit, n_hit, total=t),
    simplex(miss, n_miss, total=1 - t),
    simplex(hit_old, n_hit, total=success),
    simplex(miss_old, n_miss, total=1 - success),
    n_hit >= 1,
    n_miss >= 1,
    0 < success,
    success < 1,
    0 < t,
    t < 1,
    epsilon >= 0,
)
stable = classes.also(guard > 0)
rho_hit, rho_miss = hit[o] / hit_old[o], miss[o] / miss_old[o]
low_hit, high_miss = Min(rho_hit, 1 + epsilon), Max(rho_miss, 1 - epsilon)


def over_hits(term):
    """``E_{o~π_old}[term · 1_{r=1}]``."""
    return Sum(hit_old[o] * term, (o, 1, n_hit))


def over_misses(term):
    """``E_{o~π_old}[term · 1_{r=0}]``."""
    return Sum(miss_old[o] * term, (o, 1, n_miss))


def by_class(correct, wrong_):
    """``E_{o~π_old}`` of what is ``correct`` on correct answers and ``wrong_`` on wrong ones."""
    return over_hits(correct) + over_misses(wrong_)


def clipped_by_class(correct, wrong_):
    """``E_{o~π_old} f_ϵ`` over correct and over wrong answers, with these advantages."""
    return over_hits(clipped_surrogate(rho_hit, correct, epsilon)), over_misses(
        clipped_surrogate(rho_miss, wrong_, epsilon)
    )


all_hits, all_misses = clipped_by_class(w_hit, -w_miss)
contrastive = w_hit * over_hits(low_hit) - w_miss * over_misses(high_miss)
mean_hit, mean_miss = over_hits(low_hit) / success, over_misses(high_miss) / (1 - success)  # over samples of one class
conditional = w_hit * mean_hit - w_miss * mean_miss

claim(
    "mr-cost-conditional-notation",
    Every(
        Equal(all_hits, w_hit * over_hits(low_hit), label="all correct ones, with indicators").by(EqualTerms()),
        Equal(all_misses, -w_miss * over_misses(high_miss), label="all wrong ones").by(EqualTerms()),
    ),
    classes,
    because=(
        On(each, Equal(one_hit, w_hit * Min(ratio, 1 + epsilon), label="each correct answer")),
        On(each, Equal(one_miss, -w_miss * Max(ratio, 1 - epsilon), label="each wrong answer")),
        Equal(contrastive, sqrt(dispersion) * (mean_hit - mean_miss), label="with conditional expectations"),
    ),
    depends_on=["mr-clip-pos", "mr-clip-neg", "mr-split"],
    locator="Sec 2.1, last line of the display",
    title="The contrastive form and its expectations",
    short="all correct ones, with indicators",
    kind="identity",
    printed=(
        r"\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}f_\epsilon\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{"
        r"\mathrm{old}}}(o|q)},A(q,o)\Big)\text{ … }"
        r"=\sqrt{\tfrac{1-p}p}\,\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q),r(q,o)=1}\min\Big(\frac{\pi_"
        r"\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},1+\epsilon\Big)-\sqrt{\tfrac p{(1-p)}}\,\mathbb E_{o\sim\pi_{"
        r"\theta_{\mathrm{old}}}(.|q),r(q,o)=0}\max\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},1-"
        r"\epsilon\Big)"
    ),
    judged=imprecise(
        "True with indicators under one expectation, as the paper writes two lines later. Read as conditional "
        "expectations the two terms are off by "
        "1/p and 1/(1 − p): then both weights would have to be √(p(1 − p)).",
        Equal(by_class(w_hit * low_hit, -w_miss * high_miss), conditional),
    ),
)

divergence = Sum(hit[o] * k1(hit[o], hit_ref[o]), (o, 1, n_hit)) + Sum(
    miss[o] * k1(miss[o], miss_ref[o]), (o, 1, n_miss)
)
reference = (
    simplex(hit_ref, n_hit, total=success_ref),
    simplex(miss_ref, n_miss, total=1 - success_ref),
    0 < success_ref,
    success_ref < 1,
)

claim(
    "mr-overall-cost",
    Every(
        Equal(
            by_class(w_hit * low_hit, -w_miss * high_miss) - beta * divergence,
            sqrt((1 - success) / success) * over_hits(low_hit)
            - sqrt(success / (1 - success)) * over_misses(high_miss)
            - beta * divergence,
            label="one question",
        ),
        On(
            Domain(simplex(mu, n), reals(P, n), reals(r, n), n >= 2, beta > 0),
            Equal(
                Sum(mu[o] * (P[o] - beta * r[o]), (o, 1, n)),
                Sum(mu[o] * P[o], (o, 1, n)) - beta * Sum(mu[o] * r[o], (o, 1, n)),
                label="all questions",
            ),
        ),
    ),
    Domain(*classes.families, *reference, *classes.constraints, beta > 0),
    depends_on=["mr-cost-conditional-notation", "mr-kl-def"],
    locator="Sec 2.1",
    title="The overall cost",
    short="all questions",
    kind="identity",
    printed=(
        r"\text{and hence the overall cost is obtained by taking expectation over }q\text{, note that "
        r"}p=p_{\theta_{\mathrm{old}}}(q)\text{: }"
        r"\mathbb E_{q\sim\rho_{\mathcal Q}}\sqrt{\frac{1-p_{\theta_{\mathrm{old}}}(q)}{p_{\theta_{\mathrm{old}}}(q)}}"
        r"\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}\min\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{"
        r"\mathrm{old}}}(o|q)},1+\epsilon\Big)\mathbb 1_{r(q,o)=1}-\mathbb E_{q\sim\rho_{\mathcal Q}}\sqrt{\frac{p_{"
        r"\theta_{\mathrm{old}}}(q)}{(1-p_{\theta_{\mathrm{old}}}(q))}}\mathbb E_{o\sim\pi_{\theta_{"
        r"\mathrm{old}}}(.|q)}\max\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},1-\epsilon\Big)\mathbb "
        r"1_{r(q,o)=0}-\beta\,\mathsf{KL}(\pi_\theta\|\pi_{\mathrm{ref}})"
    ),
    remark="p is that of the question, so the weights stay inside the expectation over questions (μ); P and r stand "
    "for a question's surrogate and penalty.",
)

# -- with a guard -----------------------------------------------------------------------------------------------------
ends_too = Domain(0 <= success, success <= 1, guard > 0, ratio > 0, epsilon >= 0)
w_plus, w_minus = (1 - success) / sqrt(dispersion + guard), success / sqrt(dispersion + guard)
stabilised = w_plus * over_hits(low_hit) - w_minus * over_misses(high_miss)
stable_hits, stable_misses = clipped_by_class(plus, -minus)

claim(
    "mr-stab-clipped-loss",
    Every(
        Equal(stable_hits, w_plus * over_hits(low_hit), label="all correct answers").by(EqualTerms()),
        Equal(stable_misses, -w_minus * over_misses(high_miss), label="all wrong answers").by(EqualTerms()),
    ),
    stable,
    because=(
        On(
            ends_too,
            Equal(clipped_surrogate(ratio, plus, epsilon), w_plus * Min(ratio, 1 + epsilon), label="a correct answer"),
        ),
        On(
            ends_too,
            Equal(
                clipped_surrogate(ratio, -minus, epsilon), -w_minus * Max(ratio, 1 - epsilon), label="a wrong answer"
            ),
        ),
    ),
    depends_on=["mr-eq4", "mr-clip-pos", "mr-clip-neg", "mr-split"],
    locator="Sec 2.2",
    title="The smoothed contrastive loss with clipping",
    kind="identity",
    printed=(
        r"\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}f_\epsilon\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{"
        r"\mathrm{old}}}(o|q)},A(q,o)\Big)\mathbb 1_{r(q,o)=1}+\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}f_"
        r"\epsilon\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},A(q,o)\Big)\mathbb 1_{r(q,o)=0}="
        r"\text{ … }=\omega^+_\varepsilon(p)\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}\min\Big(\frac{\pi_"
        r"\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},1+\epsilon\Big)\mathbb 1_{r(q,o)=1}-\omega^-_\varepsilon(p)"
        r"\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}\max\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{"
        r"\mathrm{old}}}(o|q)},1-\epsilon\Big)\mathbb 1_{r(q,o)=0}"
    ),
    remark="Term by term also at p = 0 and p = 1, where one class has no answers.",
)

no_clip = by_class(plus * rho_hit, -minus * rho_miss)
wide = ends_too.also(epsilon >= 1, epsilon >= ratio - 1)

claim(
    "mr-noclip-problem",
    Every(
        EqualFromSomeOn(stable_hits, over_hits(w_plus * rho_hit), epsilon, label="all correct answers").by(
            TermsSettle(1 + rho_hit)
        ),
        EqualFromSomeOn(stable_misses, over_misses(-w_minus * rho_miss), epsilon, label="all wrong answers").by(
            TermsSettle(1 + rho_miss)
        ),
    ),
    stable,
    because=(
        On(wide, Equal(clipped_surrogate(ratio, plus, epsilon), w_plus * ratio, label="a correct answer, ϵ wide")),
        On(wide, Equal(clipped_surrogate(ratio, -minus, epsilon), -w_minus * ratio, label="a wrong answer, ϵ wide")),
        Equal(no_clip, w_plus * over_hits(rho_hit) - w_minus * over_misses(rho_miss), label="all together"),
    ),
    depends_on=["mr-stab-clipped-loss", "mr-noclip-limit"],
    locator="Sec 2.3, (GRPO-No-Clip)",
    title="The smoothed contrastive loss without clipping",
    kind="limit",
    printed=(
        r"\text{Taking the clipping parameter }\epsilon\to\infty\text{ we obtain GRPO with no clipping equivalent "
        r"contrastive optimization as follows: }\max_\theta\mathbb E_{q\sim\rho_{\mathcal Q}}\Big\{\omega^+_"
        r"\varepsilon(p_{\theta_{\mathrm{old}}}(q))\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}\frac{\pi_"
        r"\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)}\mathbb 1_{r(q,o)=1}\text{ … }-\omega^-_\varepsilon(p_{\theta_{"
        r"\mathrm{old}}}(q))\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}\frac{\pi_\theta(o|q)}{\pi_{\theta_{"
        r"\mathrm{old}}}(o|q)}\mathbb 1_{r(q,o)=0}\Big\}-\beta\,\mathsf{KL}(\pi_\theta\|\pi_{\mathrm{ref}})"
    ),
)

success_new, failure_new = Sum(hit[o], (o, 1, n_hit)), Sum(miss[o], (o, 1, n_miss))
beyond = Domain(
    simplex(hit, n_hit, total=t),
    simplex(miss, n_miss, total=1 - t - v),
    simplex(hit_old, n_hit, total=success),
    simplex(miss_old, n_miss, total=1 - success),
    n_hit >= 1,
    n_miss >= 1,
    0 < success,
    success < 1,
    0 < t,
    0 < v,
    t + v < 1,
    guard > 0,
)

claim(
    "mr-eq5",
    Equal(no_clip, w_plus * success_new - w_minus * failure_new, label="expectations under π_θ"),
    stable,
    because=(Equal(no_clip, w_plus * t - w_minus * (1 - t), label="of the policy only its success t counts"),),
    depends_on=["mr-noclip-problem"],
    locator="Sec 2.3, (5)",
    title="Without clipping: expectations under the policy itself",
    kind="identity",
    printed=(
        r"\text{which is equivalent to the following problem: }\max_\theta\mathbb E_{q\sim\rho_{\mathcal Q}}\Big\{"
        r"\omega^+_\varepsilon(p_{\theta_{\mathrm{old}}}(q))\mathbb E_{o\sim\pi_\theta(.|q)}\mathbb 1_{r(q,o)=1}-"
        r"\omega^-_\varepsilon(p_{\theta_{\mathrm{old}}}(q))\mathbb E_{o\sim\pi_\theta(.|q)}\mathbb 1_{r(q,o)=0}\Big"
        r"\}-\beta\,\mathsf{KL}(\pi_\theta\|\pi_{\mathrm{ref}})"
    ),
    judged=needs_hypothesis(
        "π_old must be positive wherever π_θ is: a correct answer with π_old = 0 and probability v under π_θ counts "
        "in (5) and is never sampled.",
        Equal(no_clip, w_plus * (success_new + v) - w_minus * failure_new),
        beyond,
    ),
    remark=(
        "(5) and (GRPO-No-Clip) are then the same function of π_θ, the penalty included. Iterates have the support of "
        "π_ref: mr-alg1-importance."
    ),
)

claim(
    "mr-s23-single-weight",
    Equal(no_clip * sqrt(dispersion + guard), success_new - success, label="RLHF with β times the deviation"),
    stable,
    because=(Equal(no_clip, (success_new - success) / sqrt(dispersion + guard), label="one weight"),),
    depends_on=["mr-eq5"],
    locator="Sec 2.3, (5)",
    title="The loss without clipping as a plain reward with an adaptive β",
    kind="identity",
    remark=(
        "Not printed: of one question, divided by ω⁺ + ω⁻ = 1/√(p(1−p)+ε), problem (5) maximises "
        "P_θ(r = 1) − β√(p(1−p)+ε)·KL, which is RLHF with the reward r. The factor is another for each question."
    ),
)

# -- the claim of the abstract ----------------------------------------------------------------------------------------
guarded = plain.also(guard > 0)
weight = dispersion / sqrt(dispersion + guard)

claim(
    "mr-abs-contrastive",
    Equal(stabilised, weight * (mean_hit - mean_miss), label="one weight times the difference of two means"),
    stable,
    because=(
        Equal(by_class(plus, -minus), 0, label="no contrast at π_θ = π_old"),
        On(guarded, Always(weight > 0, label="the weight is positive")),
        On(guarded.also(success < Rational(1, 2)), Monotone(weight, success, 1, label="it grows up to p = ½")),
        On(guarded.also(success > Rational(1, 2)), Monotone(weight, success, -1, label="and falls after it")),
    ),
    depends_on=["mr-stab-clipped-loss", "mr-overall-cost"],
    locator="Abstract; Sec 1, contribution (1)",
    title="The weighted contrastive form of GRPO with verifiable rewards",
    kind="identity",
    printed=(
        r"\text{GRPO with verifiable rewards can be written as a Kullback-Leibler (KL) regularized contrastive loss, "
        r"where the contrastive samples are synthetic data sampled from the old policy}"
    ),
    remark="The means are those of min(ρ, 1+ϵ) over the correct and of max(ρ, 1−ϵ) over the wrong samples of π_old: "
    "as a contrast of means the loss has one "
    "weight, symmetric in p and largest at p = ½, so questions of middling difficulty count most.",
)
