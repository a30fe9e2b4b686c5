"""k1, k2, k3 in the loss or in the reward, with or without the ratio: what each penalises, its gradient, where it
leads.

Statement.   Estimators of log-ratios L = log(π/π_ref), one token, on-policy (π_old = π), gradients along the simplex:
             in the loss without ratio, or with the ratio held fixed: k1 has no gradient at all, k2 that of KL(π‖π_ref),
             k3 that of KL(π_ref‖π); with the ratio differentiated: k1 and k3 are KL(π‖π_ref), value and gradient, k2 is
             ½E_π[L²]; in the reward: k1 has the gradient of KL(π‖π_ref), k3 that of KL(π‖π_ref) − KL(π_ref‖π), k2 that
             of ½E_π[L²] − KL(π‖π_ref). So the stationary policy is π_ref e^{P/β}/Z where the gradient is that of
             KL(π‖π_ref), and that of (11) for k3 in the loss; k1 in the loss leaves no trace. What they estimate as
             values says nothing of this: on-policy k1 and k3 agree.
Source.      Question 7 of the project's theory; extends Vojnovic & Yun (2025), Sections 2.2 and 3, and Patel (2025),
             Section 4.7.
Domain.      n ≥ 2 answers, policies with full support, any preferences P (held fixed), β > 0.
Derivation.  expectation on the samples of π_old → derivative in π(o), π_old and detached ratios fixed → π_old = π →
             differences of components, for constants are absorbed by the multiplier of Σπ = 1.
Caveats.     First-order stationarity. Which of these policies are maxima: divergence_curvature.py. In the reward the
             charge is taken off the advantage; charged before the group is normalised: divergence_in_reward.py.
Letters.     L is a log-ratio, P the preferences, Z the normaliser of the tilted policy and t its place in an equation
             that fixes it; π_old is the policy that draws the samples, π̃ that in a ratio that is held fixed, λ the
             multiplier of Σπ = 1.
"""

from grpo_symbolic import objectives
from grpo_symbolic.paper import *

claim = Result(__file__).claim

ALL = Answers(n)
ESTIMATORS = {"k1": k1, "k2": k2, "k3": k3}
full = Domain(n >= 2, simplex(pi, n), simplex(old, n), simplex(ref, n))
on_policy = Domain(n >= 2, simplex(pi, n), simplex(ref, n))
L = log(pi[o] / ref[o])
KL, KLrev = kl(pi, ref, ALL, o), forward_kl(pi, ref, ALL, o)
square = Sum(pi[o] * k2(pi[o], ref[o]), (o, 1, n))  # ½E_π[L²]


def penalty(estimator, **choices):
    """The expected penalty on samples of π_old; ρ̃ names the policy in a ratio that is held fixed."""
    return objectives.Divergence("", ESTIMATORS[estimator], **choices).expected(
        pi, ref, old, ALL, o, detached=other if choices.get("ratio_detached") else None
    )


def here(expression):
    """π_old = π, and the detached ratio that of π."""
    return identify(identify(expression, old, pi), other, pi)


def slope(estimator, **choices):
    """The on-policy derivative in π(o): differentiated first, identified afterwards."""
    return here(partial(penalty(estimator, **choices), pi[o]))


def penalty_gradient(expression):
    """What moves a policy: the difference of the derivatives at two answers."""
    return expression - expression.subs(o, o_)


DETACHED, DIFFERENTIATED, REWARD = (
    {"importance_weighted": True, "ratio_detached": True},
    {"importance_weighted": True},
    {"in_reward": True},
)
VARIANTS = {"with a detached ratio": DETACHED, "with a ratio": DIFFERENTIATED, "in the reward": REWARD}

claim(
    "by-div-values",
    Equal(here(penalty("k3")), here(penalty("k1")), label="k3 and k1: the same, which is KL(π‖π_ref)"),
    on_policy,
    because=(
        Equal(here(penalty("k1")), KL, label="k1: unbiased"),
        Equal(here(penalty("k3")), KL, label="k3: unbiased"),
        Equal(here(penalty("k2")), square, label="the mean of k2, half the mean square of the log-ratio"),
        *(
            Equal(
                here(penalty(k, **choices)),
                here(penalty(k)),
                label=f"{k} {told}: on-policy its mean in the loss without ratio",
            )
            for k in ESTIMATORS
            for told, choices in VARIANTS.items()
        ),
        On(full, Equal(penalty("k1", **DIFFERENTIATED), KL, label="k1 with ratio: unbiased off-policy too")),
        On(full, Equal(penalty("k3", **DIFFERENTIATED), KL, label="k3 with ratio: unbiased off-policy too")),
    ),
    locator="Question 7",
    title="On-policy values of k1 and k3, and KL(π‖π_ref)",
    depends_on=["vy-s22-KL0-unbiased"],
)


def loss_slope(estimator, **choices):
    """The derivative in one probability, π_old held fixed, as it is read."""
    return Derivative(penalty(estimator, **choices), pi[o_])


share = old[o_] / pi[o_]  # 1 on-policy
held = other[o_] / pi[o_]  # 1 where the ratio that is held fixed is that of π
claim(
    "by-div-loss-gradients",
    Every(
        Equal(loss_slope("k1"), share, label="k1: its slope, on-policy the same for every answer, so no gradient"),
        Equal(
            loss_slope("k2"),
            share * (Derivative(KL, pi[o_]) - 1),
            label="k2: its slope, on-policy that of KL(π‖π_ref) less 1",
        ),
        Equal(
            loss_slope("k3"),
            share * (Derivative(KLrev, pi[o_]) + 1),
            label="k3: its slope, on-policy that of KL(π_ref‖π) plus 1",
        ),
    ),
    full,
    because=(
        Equal(slope("k1"), 1, label="k1, on-policy: its slope in π(o), the same for every answer, so no gradient"),
        Equal(
            penalty_gradient(slope("k2")),
            penalty_gradient(partial(KL, pi[o])),
            label="k2, on-policy: the gradient of KL(π‖π_ref)",
        ),
        Equal(
            penalty_gradient(slope("k3")),
            penalty_gradient(partial(KLrev, pi[o])),
            label="k3, on-policy: the gradient of KL(π_ref‖π)",
        ),
        Equal(slope("k2"), L, label="k2, on-policy: its slope in π(o), the log-ratio L"),
        Equal(slope("k3"), 1 - ref[o] / pi[o], label="k3, on-policy: its slope in π(o)"),
    ),
    locator="Question 7",
    title="Gradients of k1, k2 and k3 in the loss, without ratio",
    depends_on=["by-div-values", "vy-eq10-grad-on-policy"],
    remark=(
        "On-policy π_old(o')/π(o') is 1. A number that is the same for every answer moves no policy: the multiplier of "
        "Σπ = 1 absorbs it. "
        "On-policy the estimator with the wrong value (k2) has the gradient of KL(π‖π_ref); the two with the right "
        "value have not."
    ),
)

claim(
    "by-div-ratio-held",
    Every(
        Equal(
            loss_slope("k1", **DETACHED),
            held,
            label="k1: its slope, at π̃ = π the same for every answer, so no gradient",
        ),
        Equal(
            loss_slope("k2", **DETACHED),
            held * (Derivative(KL, pi[o_]) - 1),
            label="k2: its slope, at π̃ = π that of KL(π‖π_ref) less 1",
        ),
        Equal(
            loss_slope("k3", **DETACHED),
            held * (Derivative(KLrev, pi[o_]) + 1),
            label="k3: its slope, at π̃ = π that of KL(π_ref‖π) plus 1",
        ),
    ),
    full.also(simplex(other, n)),
    because=(
        On(
            full,
            Equal(
                identify(partial(penalty("k1", **DETACHED), pi[o]), other, pi),
                1,
                label="k1: off-policy still no gradient",
            ),
        ),
        On(
            full,
            Equal(
                penalty_gradient(identify(partial(penalty("k2", **DETACHED), pi[o]), other, pi)),
                penalty_gradient(partial(KL, pi[o])),
                label="k2: off-policy still that of KL(π‖π_ref)",
            ),
        ),
        On(
            full,
            Equal(
                penalty_gradient(identify(partial(penalty("k3", **DETACHED), pi[o]), other, pi)),
                penalty_gradient(partial(KLrev, pi[o])),
                label="k3: off-policy still that of KL(π_ref‖π)",
            ),
        ),
        *(
            On(on_policy, Equal(slope(k, **DETACHED), slope(k), label=f"{k}: on-policy as without ratio"))
            for k in ESTIMATORS
        ),
        On(
            full,
            Equal(
                partial(penalty("k3"), pi[o]),
                old[o] / pi[o] * (1 - ref[o] / pi[o]),
                label="k3 without ratio: the samples of π_old weigh in",
            ),
        ),
    ),
    locator="Question 7",
    title="Gradients with the ratio detached, for later steps on the same samples too",
    depends_on=["by-div-loss-gradients"],
    remark=(
        "π̃ is the policy in the ratio that is held fixed, and equals π where the gradient is taken; π_old, which drew "
        "the samples, is any. A number that is the same for every answer moves no policy."
    ),
)

claim(
    "by-div-ratio-differentiated",
    Every(
        *(
            Equal(
                loss_slope(k, **DIFFERENTIATED),
                pi[o_] / old[o_] * loss_slope(k) + estimator(pi[o_], ref[o_]),
                label=f"{k}: with the ratio differentiated, loss and reward at once",
            )
            for k, estimator in ESTIMATORS.items()
        ),
    ),
    full,
    because=(
        *(
            On(on_policy, Equal(slope(k, **REWARD), estimator(pi[o], ref[o]), label=f"{k}: the gradient in the reward"))
            for k, estimator in ESTIMATORS.items()
        ),
        *(
            On(
                on_policy,
                Equal(
                    penalty_gradient(slope(k, **DIFFERENTIATED) - slope(k) - slope(k, **REWARD)),
                    0,
                    label=f"{k}: on-policy, its difference from the sum of the gradients in the loss and in the reward",
                ),
            )
            for k in ESTIMATORS
        ),
        Equal(
            penalty_gradient(slope("k1", **DIFFERENTIATED)),
            penalty_gradient(partial(KL, pi[o])),
            label="k1: on-policy it is that of KL(π‖π_ref)",
        ),
        Equal(
            penalty_gradient(slope("k3", **DIFFERENTIATED)),
            penalty_gradient(partial(KL, pi[o])),
            label="k3: on-policy it is that of KL(π‖π_ref)",
        ),
        Equal(
            slope("k2", **DIFFERENTIATED),
            L + L**2 / 2,
            label="k2: on-policy it is the derivative of ½E_π[log²(π/π_ref)]",
        ),
        On(
            full,
            Equal(
                partial(penalty("k1", **DIFFERENTIATED), pi[o]),
                1 + L,
                label="k1: the derivative in π(o), for every π_old",
            ),
        ),
        On(
            full,
            Equal(
                partial(penalty("k3", **DIFFERENTIATED), pi[o]), L, label="k3: the derivative in π(o), for every π_old"
            ),
        ),
    ),
    locator="Question 7",
    title="Gradients with the ratio differentiated, by those in the loss and in the reward",
    depends_on=["by-div-loss-gradients"],
)


def at_old(expression):
    """The derivative in one probability at the policy that drew the samples, as it is read."""
    return Derivative(identify(expression, pi, old), old[o_])


claim(
    "by-div-reward-gradients",
    Every(
        Equal(
            loss_slope("k1", **REWARD),
            at_old(KL) - 1,
            label="k1 has at π_old, but for a number, the gradient of KL(π‖π_ref)",
        ),
        Equal(
            loss_slope("k3", **REWARD),
            at_old(KL) - at_old(KLrev) - 2,
            label="k3 has at π_old, but for a number, that of KL(π‖π_ref) − KL(π_ref‖π)",
        ),
        Equal(
            loss_slope("k2", **REWARD),
            at_old(square) - at_old(KL) + 1,
            label="k2 has at π_old, but for a number, that of ½E_π[L²] − KL(π‖π_ref)",
        ),
    ),
    full,
    because=(
        On(
            on_policy,
            Every(
                Equal(
                    penalty_gradient(slope("k1", **REWARD)),
                    penalty_gradient(partial(KL, pi[o])),
                    label="k1 has the gradient of KL(π‖π_ref)",
                ),
                Equal(
                    penalty_gradient(slope("k3", **REWARD)),
                    penalty_gradient(partial(KL - KLrev, pi[o])),
                    label="k3 has the gradient of KL(π‖π_ref) − KL(π_ref‖π)",
                ),
                Equal(
                    penalty_gradient(slope("k2", **REWARD)),
                    penalty_gradient(partial(square - KL, pi[o])),
                    label="k2: that of ½E_π[L²] − KL(π‖π_ref)",
                ),
                Equal(slope("k1", **REWARD), L, label="k1: its slope in π(o), the log-ratio L"),
                Equal(
                    slope("k1", **REWARD), slope("k2"), label="the slope of k1 in the reward is that of k2 in the loss"
                ),
            ),
        ),
    ),
    locator="Question 7",
    title="On-policy gradients of k1, k2 and k3 in the reward",
    depends_on=["by-div-ratio-differentiated"],
    remark=(
        "The charge is that of π_old, held fixed, and the gradients are those at π = π_old. A number that is the same "
        "for every answer moves no policy."
    ),
)

# -- stationary policies ----------------------------------------------------------------------------------------------
given = Domain(n >= 2, beta > 0, lam, simplex(pi, n), simplex(ref, n), reals(P, n))


def condition(estimator, **choices):
    """The on-policy KKT condition of an answer that is used."""
    objective = Objective(beta, divergence=objectives.Divergence("", ESTIMATORS[estimator], **choices)).value(
        pi, old, ref, lambda a: P[a], ALL, o, other if choices.get("ratio_detached") else None
    )
    return here(partial(lagrangian(objective, pi, n, lam, None, o_), pi[o]))


def mean(term):
    """E_π of a function of the answer."""
    return Sum(pi[o_] * term.subs(o, o_), (o_, 1, n))


def stationary(estimator, right, label, **choices):
    """The condition of an answer less the mean of the conditions, which frees it of λ: P(o) − E_π P less the right side
    of the stationary equation. All conditions hold with some λ exactly where it vanishes for every answer.
    """
    found = condition(estimator, **choices)
    return Equal(found - mean(found), P[o] - mean(P[o]) - right, label=label)


claim(
    "by-div-stationary",
    Every(
        stationary("k1", 0, "k1 in the loss: P(o) = E_π P, as with no penalty"),
        stationary("k2", beta * (L - KL), "k2 in the loss"),
        stationary("k1", beta * (L - KL), "k1 in the reward", **REWARD),
        stationary("k1", beta * (L - KL), "k1 in the loss, ratio differentiated", **DIFFERENTIATED),
        stationary("k3", beta * (L - KL), "k3 in the loss, ratio differentiated", **DIFFERENTIATED),
        stationary("k3", beta * (1 - ref[o] / pi[o]), "k3 in the loss: (11) of Vojnovic & Yun"),
        stationary(
            "k3", beta * (1 - ref[o] / pi[o]), "k3 in the loss, ratio detached: (11) of Vojnovic & Yun", **DETACHED
        ),
        stationary("k3", beta * (k3(pi[o], ref[o]) - KL), "k3 in the reward", **REWARD),
    ),
    given,
    locator="Question 7",
    title="The stationary equation of each place of the estimator: its conditions less their mean",
    depends_on=["by-div-loss-gradients", "by-div-reward-gradients", "vy-appA-on-policy"],
    short=("k1 in the loss: P(o) = E_π P, as with no penalty", "k2 in the loss"),
    remark=(
        "The lines are in turn: k1 and k2 in the loss, k1 in the reward, k1 and k3 in the loss with the ratio "
        "differentiated, k3 in the loss, the same with the ratio detached, and k3 in the reward."
    ),
)

Z = Sum(ref[o_] * exp(P[o_] / beta), (o_, 1, n))
tilted = ref[o] * exp(P[o] / beta)
claim(
    "by-div-tilted",
    Every(
        *(
            Equal((condition(k, **choices) + lam).subs(pi[o], tilted / t), constant, label=label)
            for k, choices, constant, label in (
                ("k2", {}, beta * log(t), "k2 in the loss"),
                ("k1", REWARD, beta * log(t), "k1 in the reward"),
                ("k3", DIFFERENTIATED, beta * log(t), "k3, ratio differentiated"),
                ("k1", DIFFERENTIATED, beta * log(t) - beta, "k1, ratio differentiated"),
            )
        ),
    ),
    Domain(n >= 2, beta > 0, t > 0, simplex(pi, n), simplex(ref, n), reals(P, n)),
    because=(Equal(Sum(tilted / t, (o, 1, n)), Z / t, label="a policy for t = Z"),),
    locator="Question 7",
    title="Stationary policies of the penalties with the gradient of KL(π‖π_ref)",
    depends_on=["by-div-stationary"],
    remark=(
        "The policy is e^(P(o)/β) π_ref(o)/t, t the normaliser. The slope of the objective is then the same constant "
        "for every answer, which the multiplier λ cancels. P is the preference at π itself: an equation for π, "
        "explicit where P does not depend on π."
    ),
)
