"""Several epochs on one batch: what a penalty descends when the samples stay those of π_old.

Statement.   On samples of π_old, while π moves: k1 in the loss without ratio is largest exactly at π = π_old, and for
             two answers has no least value: descending it leads away from the sampler, wherever π_ref is; k2 and k3 are
             not negative, and 0 exactly at π_ref. A charge log(π_old/π_ref) that was taken off the rewards when the
             batch was drawn is, under the ratio, KL(π‖π_ref) − KL(π‖π_old): it is linear in π, never more than
             KL(π‖π_ref), and equal to it only at π_old. No policy has less of it than the answer of the least
             π_old/π_ref; for two answers the objective of the batch has one slope, whose sign says on which side of
             the optimum of RLHF π_old is.
Source.      Own; asked by Patel (2025), Section 4.7, where the charge is that of the model which drew the texts. The
             estimators are those of J. Schulman, Approximating KL Divergence (2020).
Domain.      n ≥ 2 answers, one token, policies with full support; two answers where it says so.
Derivation.  expectation on the samples of π_old → difference to a divergence → Gibbs' inequality, or log u ≤ u − 1 term
             by term.
Caveats.     The clip is left out: it is what holds π near π_old within a batch (clip_improvement.py of Patel).
             At π = π_old, the first step of a batch, see divergence_estimators.py.
Letters.     x, y and p are the probabilities of a under π, π_old and π_ref, r_a and r_b the rewards of a and b, r(o)
             that of an answer. t is a number that no π_old(o)/π_ref(o) is below, or Z, the sum of π_ref e^(r/β) over
             the answers.
"""

from grpo_symbolic import objectives
from grpo_symbolic.paper import *

claim = Result(__file__).claim

ALL = Answers(n)
full = Domain(n >= 2, simplex(pi, n), simplex(old, n), simplex(ref, n))
rewarded = full.also(beta > 0, reals(r, n))
charge = log(old[o] / ref[o])  # taken off the reward when the batch was drawn: π does not move it
charged = Sum(pi[o] * charge, (o, 1, n))
to_ref, from_old = kl(pi, ref, ALL, o), kl(pi, old, ALL, o)
inside = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < p, p < 1)


def penalty(estimator):
    """The mean of an estimator of log(π/π_ref) over the samples of π_old, without a ratio."""
    return objectives.Divergence("", estimator).expected(pi, ref, old, ALL, o)


def penalty_slope(expression):
    """What moves π at π_old = π: the difference of the derivatives at two answers."""
    slope = identify(partial(expression, pi[o]), old, pi)
    return slope - slope.subs(o, o_)


sampled_k1 = y * log(x / p) + (1 - y) * log((1 - x) / (1 - p))
claim(
    "by-epochs-k1",
    Every(
        AtLeast(
            kl(old, ref, ALL, o),
            penalty(k1),
            (Eq(old[o], pi[o]),),
            label="k1 on the samples of π_old: largest at π_old",
        ).by(Gibbs((Divergence(old[o], pi[o], o, 1, n),))),
        On(full, Equal(kl(old, ref, ALL, o) - penalty(k1), kl(old, pi, ALL, o), label="by KL(π_old‖π)")),
    ),
    full,
    because=(
        On(
            Domain(0 < y, y < 1, 0 < p, p < 1),
            Tends(sampled_k1, x, 0, -oo, label="two answers: as low as one likes where a sampled answer is given up"),
        ),
    ),
    locator="Several epochs",
    title="k1 in the loss on the samples of an earlier policy",
    depends_on=["by-div-loss-gradients"],
    remark="At the first step there is no gradient (by-div-loss-gradients); from the second on it leads away from "
    "the sampler.",
)

claim(
    "by-epochs-k2-k3",
    Every(
        AtLeast(penalty(k3), 0, (Eq(pi[o], ref[o]),), label="k3 on the samples of π_old").by(
            TermByTerm(
                (Sum(old[o] * k3(pi[o], ref[o]), (o, 1, n)),),
                using=(log_below_tangent(ref[o] / pi[o]), log_sign(ref[o] / pi[o])),
            )
        ),
        AtLeast(penalty(k2), 0, (Eq(pi[o], ref[o]),), label="k2 on the samples of π_old").by(
            TermByTerm((Sum(old[o] * k2(pi[o], ref[o]), (o, 1, n)),), using=(log_sign(pi[o] / ref[o]),))
        ),
    ),
    full,
    locator="Several epochs",
    title="k2 and k3 in the loss on the samples of an earlier policy",
    remark="Both are divergences from π_ref, whoever drew the batch; under the ratio k1 and k3 are so too "
    "(by-div-values).",
)

claim(
    "by-epochs-charge",
    Every(
        On(full, Equal(charged, to_ref - from_old, label="the charge of π_old, under the ratio")),
        On(
            full,
            AtLeast(to_ref, charged, (Eq(pi[o], old[o]),), label="never more than the divergence that is meant").by(
                Gibbs((Divergence(pi[o], old[o], o, 1, n),))
            ),
        ),
    ),
    full.also(t > 0),
    because=(
        On(
            full,
            Equal(penalty_slope(charged), penalty_slope(to_ref), label="at π_old the gradient is that of KL(π‖π_ref)"),
        ),
        AtLeast(charged, log(t), given=(t * ref[o] <= old[o],), label="no policy is below the cheapest answer").by(
            TermByTerm((Sum(pi[o] * (charge - log(t)), (o, 1, n)),), using=(log_increasing(old[o] / ref[o], t),))
        ),
    ),
    locator="Several epochs",
    title="A charge in the reward while π moves and the batch stays",
    depends_on=["by-div-charge-levels"],
)

# The expected objective of a batch under the ratio, two answers.
surrogate = x * (r_a - beta * log(y / p)) + (1 - x) * (r_b - beta * log((1 - y) / (1 - p)))
odds = y / (1 - y) * (1 - p) / p
optimum = p * exp((r_a - r_b) / beta) / (1 - p + p * exp((r_a - r_b) / beta))
two = inside.also(beta > 0, r_a, r_b)
claim(
    "by-epochs-objective",
    Every(
        Equal(Derivative(surrogate, x), r_a - r_b - beta * log(odds), label="two answers: one slope for every x"),
        Always(
            Equivalent(r_a - r_b - beta * log(odds) > 0, y < optimum),
            using=(log_increasing(odds, exp((r_a - r_b) / beta)), exp_positive((r_a - r_b) / beta)),
            label="upwards exactly if π_old is below the optimum of RLHF",
        ),
    ),
    two,
    because=(
        On(
            rewarded.also(t > 0),
            Equal(
                Sum(pi[o] * (r[o] - beta * log(ref[o] * exp(r[o] / beta) / t / ref[o])), (o, 1, n)),
                beta * log(t),
                label="drawn by π_ref e^(r/β)/t, with t for Z: the same for every π",
            ),
        ),
        Always(
            Equivalent(r_a - r_b - beta * log(odds) < 0, y > optimum),
            using=(log_increasing(exp((r_a - r_b) / beta), odds), exp_positive((r_a - r_b) / beta)),
            label="the slope is negative exactly if π_old is above that optimum",
        ),
    ),
    locator="Several epochs",
    title="Reward and charge of one batch as an objective",
    depends_on=["by-epochs-charge", "vy-s3-combined-rlhf"],
    remark="So the iteration still rests at RLHF's optimum; within a batch only the clip ends a move towards it.",
)
