"""Groups of two, any finite number of answers: where the flow ends.

Statement.   Let π* be stationary for groups of two, with any rewards. Along the natural gradient flow KL(π*‖π) falls at
             the rate β Σ π_ref(π − π*)²/(ππ*) under KL_0, and at the rate β(KL(π*‖π) + KL(π‖π*)) under the direct KL:
             at least by the factors e^{−κβt}, κ = min π_ref/π*, and e^{−βt}.
Source.      Vojnovic & Yun (2025), Sections 1.3 and 3: they speak of policy gradients. Not in the paper.
Domain.      n answers, β > 0, policies with full support; the preferences are those of pairs, cyclic ones included.
Derivation.  d/dt KL(π*‖π) = −Σ(π* − π)(slope) → the preferences cancel between the two policies, being those of pairs
             → the condition (11) of π* → a sum of squares.
Caveats.     The natural gradient moves log-probabilities by their slopes; the softmax flow of logits is another one.
Letters.     π̃ is the stationary policy π*, r(o) any slope in π(o), t a lower bound of π_ref/π̃. d(n(o − 1) + o')
             stands for what o wins from o', as in many_answers_uniqueness.py. P is the preference, π̇ the rate of π
             along the flow. (11) is an equation of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

from .many_answers_uniqueness import margin, preference

claim = Result(__file__).claim

answers = Answers(n)
both = Domain(n >= 2, beta > 0, simplex(pi, n), simplex(other, n), simplex(ref, n))
to_rest = kl(other, pi, answers, o)  # KL(π*‖π), with π* written π̃


def approach(preferences, penalty):
    """Σ(π* − π) times the slope of the objective, for preferences that pairs cancel: those of π may be those of π*."""
    return Sum((other[o] - pi[o]) * (preferences - penalty), (o, 1, n))


def tilt(policy):
    """The slope of the direct KL, but for a constant."""
    return beta * log(policy[o] / ref[o])


squares = Sum(ref[o] * (pi[o] - other[o]) ** 2 / (pi[o] * other[o]), (o, 1, n))
flow = On(
    both.also(reals(r, n)),
    Equal(
        Sum(other[o] / pi[o] * pi[o] * (r[o] - Sum(pi[o] * r[o], (o, 1, n))), (o, 1, n)),
        Sum((other[o] - pi[o]) * r[o], (o, 1, n)),
        label="along π̇ = π(r − E_π r), with slopes r, −KL(π*‖π) grows at this rate",
    ),
)
claim(
    "by-pairs-flow",
    AtLeast(
        beta * squares, beta * t * to_rest, label="at least κβ KL(π*‖π), κ = t", given=(ref[o] >= t * other[o],)
    ).by(
        TermByTerm(
            (
                Sum(
                    beta * ref[o] * (pi[o] - other[o]) ** 2 / (pi[o] * other[o])
                    - beta * t * (other[o] * log(other[o] / pi[o]) - other[o] + pi[o]),
                    (o, 1, n),
                ),
            ),
            using=(log_below_tangent(other[o] / pi[o]),),
        )
    ),
    both.also(t > 0),
    because=(
        flow,
        On(
            both,
            Equal(
                approach(beta * (1 - ref[o] / other[o]), beta * (1 - ref[o] / pi[o])),
                beta * squares,
                label="with the preferences that (11) gives to π*: a sum of squares",
            ),
        ),
    ),
    kind="stability",
    depends_on=["by-pairs-unique"],
    locator="Question 3",
    title="Groups of two, natural flow: decrease of KL(π*‖π)",
    remark="Along the flow KL(π*‖π) falls at the rate on the left: by the two steps, since under the preferences "
    "of pairs Σ(π* − π)P is the same for those of π and of π* (by-pairs-unique), cyclic ones included. The largest t "
    "is min π_ref/π*, for which tβ = β − max P, P being those of π* (by-many-stationary).",
)

claim(
    "by-pairs-flow-direct",
    Equal(
        Sum((other[o] - pi[o]) * (preference(pi) - tilt(pi)), (o, 1, n)),
        Sum((other[o] - pi[o]) * (preference(other) - tilt(other)), (o, 1, n))
        + beta * (to_rest + kl(pi, other, answers, o)),
        label="with the slopes r of the objective: for π* they are one number, so the sum with them is 0",
    ).by(Antisymmetric(Sum((pi[o] - other[o]) * (other[o_] - pi[o_]) * margin(o, o_), (o_, 1, n), (o, 1, n)))),
    both.also(reals(duel, n**2)),
    because=(
        flow,
        Equal(
            approach(tilt(other), tilt(pi)),
            beta * (to_rest + kl(pi, other, answers, o)),
            label="with the preferences that stationarity gives to π*: both divergences",
        ),
        AtLeast(
            kl(pi, other, answers, o), 0, (Eq(pi[o], other[o]),), label="of which the other one is not negative"
        ).by(Gibbs((Divergence(pi[o], other[o], o, 1, n),))),
    ),
    kind="stability",
    depends_on=["by-pairs-flow", "by-pairs-penalties"],
    locator="Question 3",
    title="Groups of two, natural flow with the direct KL: decrease of KL(π*‖π)",
    remark=(
        "As for the game of NLHF, whose equilibrium π* is for the temperature β/2 (vy-s3-dkl-nlhf-akin)."
        " π̃ is π*: there the last sum is 0. d at the place n(o − 1) + o' is P(o ≻ o')."
    ),
)
