"""The KL divergence put into the reward: what it is as a value, what its gradient is, and when the two forms differ.

Statement.   Rewarding −β log(π_1/π_0) per token makes the expected return E[R] − β KL(π_1‖π_0) over whole texts, if the
             texts come from M_1. Its policy gradient is the gradient of that divergence only if each token is charged
             for all later tokens as well; charged for itself alone, it is so for one token only.
Source.      Patel (2025), Section 4.7, equation (12) and the four remarks after it; equation (9) for the penalty in the
             loss.
Domain.      Two tabular policies with full support: any vocabulary and length by induction over the tokens; token trees
             for what fails and for pt-kl-same-purpose.
Derivation.  Expectation of the token sum → chain rule of the divergence → gradients, the log-ratio held fixed or not →
             comparison with (9) to second order.
Caveats.     Divergence of whole texts, not of the next token in one state. What holds for texts of M_1 can fail for
             texts of an earlier model (pt-kl-aggregates-sampler).
Letters.     x and y are probabilities of one token under M_1 and M_0, in pt-which-denominator x, y and z those under
             the policy, M_k and M_0; v is a token's charge log(π_1/π_0), ρᵢ its ratio, A its advantage, ϵ the clip
             range. In pt-reverse-kl-ensures x is what M_0 gives a token, t what it earns, and y a share that M_1 keeps
             for it. In pt-linear-separation r are the advantages of tokens, x their charges. Elsewhere R and R(…) are
             the reward of a text, π₁(…) and π₀(…) the probabilities of a token after those before it under M_1 and M_0,
             over any vocabulary π and π_old, ż is the rate of its logit along θ, B a number of a state, S the number of
             texts.
"""

from grpo_symbolic.objectives.policy_gradient import charged, token_charge
from grpo_symbolic.paper import *

from .trees import (
    any_length,
    at_states,
    mean,
    next_token_kl,
    on_trees,
    reward,
    score,
    text_charge,
    texts,
    two_models,
)

claim = Result(__file__).claim

SHALLOW = ((2, 1), (2, 2), (3, 2))
two = Domain(0 < x, x < 1, 0 < y, y < 1)
vocabulary = Answers(n)
NOTHING = text_advantage(lambda text: 0)  # an advantage of zero, so that only the charges are left
several = two_models.also(S >= 1)
visited = mean(TextSum(next_token_kl(pi, old), o))  # the divergences at the states of a text of M_1


def own_charge(new, start):
    """Each token charged for itself alone: (12) as displayed."""
    return charged(NOTHING, new, start, -1, to_go=False)


def policy_gradient(new, weight):
    """Texts of M_1, each token's score weighed by something held fixed: the expected step of (3) with it for R − V."""
    return new.expectation(lambda text: Add(*(weight(a, s, text) * new.score(a, s, direction) for a, s in steps(text))))


def bill(new, start, text):
    """What a text is charged in all."""
    return Add(*(token_charge(new, start, a, s) for a, s in steps(text)))


# -- (12) as a value -------------------------------------------------------------------------------------------------
claim(
    "pt-eq12-sign",
    any_length(mean(whole_reward - beta * text_charge), mean(whole_reward) - beta * visited, "the expected return"),
    two_models.also(beta > 0),
    depends_on=["pt-gibbs"],
    locator="Sec 4.7, (12)",
    title="Expected return with the charge in the reward",
    printed=r"R'(a_t,\vec s_t,M_0,M_1)=R(a_t,\vec s_t)-\beta\log\left(\frac{\pi_1(a_t|\vec s_t)}{\pi_0(a_t|\vec "
    r"s_t)}\right)",
    remark="No state's divergence is negative (pt-gibbs), so M_1 = M_0 pays nothing and every other policy pays: the "
    "sign is right.",
)

claim(
    "pt-eq12-text-expression",
    Equal(log(x / y), log(x) - log(y)),
    two,
    locator="Sec 4.7",
    title="The charge as a difference of logarithms",
    printed=(
        r"\text{by placing the term }\beta\cdot\log\big(\pi_1(a_t|\vec s_t)-\log(\pi_0(a_t|\vec s_t))\big)\text{ in "
        r"the reward function}"
    ),
    judged=misprint(
        "A bracket is misplaced: log π_1 − log π_0 is meant. (12) subtracts it; the sentence that places it “in the "
        "reward function” leaves out the sign."
        " So in the copy that was read.",
        Equal(log(x - log(y)), log(x / y)),
    ),
)

claim(
    "pt-Aprime-def",
    On(
        two_models.also(beta > 0),
        at_states(
            Sum(
                pi[o] * (Ahead(mean(whole_reward)) - beta * log(pi[o] / old[o]) - Here(mean(whole_reward))),
                (o, 1, n),
            ),
            -beta * next_token_kl(pi, old),
            "any vocabulary and length",
        ),
    ),
    two,
    depends_on=["pt-eq4-advantage", "pt-baseline-unbiased"],
    locator="Sec 4.7",
    title="The mean of the modified advantage over the tokens of a state",
    printed=(
        r"\text{simply defined by replacing the reward function }R\text{ in }A\text{ by the reward function }R'\text{. "
        r"}A'_M(a_t,\vec s_t,M_0,M_1)=R'(a_t,\vec s_t,M_0,M_1)-V_M(\vec s_t)"
    ),
    judged=imprecise(
        "Replacing R by R' in A replaces it in V too. As displayed, with V_M unchanged, A' is not zero on average but "
        "−β times the divergence in the state. Both have the same expected gradient, for any function of the state is "
        "a baseline (pt-baseline-unbiased). With each token charged for itself only, that is not the gradient of the "
        "divergence of whole texts: pt-kl-to-go.",
        Every(
            *on_trees(
                lambda new, start: Equal(
                    Add(
                        *(
                            new.probability(a, ())
                            * (
                                new.action_value(reward, a, ())
                                - beta * token_charge(new, start, a, ())
                                - new.value(reward)
                            )
                            for a in new.tree.tokens
                        )
                    ),
                    0,
                ),
                sizes=((2, 1),),
            )
        ),
    ),
)

claim(
    "pt-token-reward-copy",
    any_length(
        -TextSum(whole_reward * log(pi[o]), o), -whole_reward * log(TextProduct(pi[o], o)), "texts of any length"
    ),
    two_models,
    depends_on=["pt-eq1-nll"],
    locator="Sec 4.7",
    title="One weight for the tokens of a text, and the weighted NLL",
    printed=(
        r"\text{setting a token-level reward for each token in the sequence }R(a_t,\vec s_t)=R(\vec{text})\text{ is "
        r"the same thing as weighing the negative log likelihood of the entire sequence with the final reward}"
    ),
    remark=(
        "Of the weight in (3), of which it speaks. As rewards of single tokens that add up to a return, T copies "
        "would make T times the reward."
    ),
)

claim(
    "pt-flip-outside-probability",
    Every(
        Equal(
            expected(pi, lambda a: log(pi[a]) - log(old[a]), vocabulary, o),
            kl(pi, old, vocabulary, o),
            label="the mean charge on a token of M_1",
        ),
        Equal(
            expected(old, lambda a: log(pi[a]) - log(old[a]), vocabulary, o),
            -kl(old, pi, vocabulary, o),
            label="the mean charge on a token of M_0",
        ),
    ),
    Domain(n >= 2, simplex(pi, n), simplex(old, n)),
    depends_on=["pt-kl-asymmetric", "pt-gibbs"],
    locator="Sec 4.7",
    title="The charge on a token of M_1, and on a token of M_0",
    printed=(
        r"\text{if we could somehow use that probability term in }D_{KL}\text{ (i.e. use }\pi_1(a_t|\vec s_t)\text{ "
        r"instead of }\pi_0(a_t|\vec s_t)\text{ as the probability outside log) we could vastly simplify our lives. … "
        r"The definition of }D_{KL}(\pi_1(\cdot|\vec s_t)\|\pi_0(\cdot|\vec s_t))\text{ provides exactly that}"
    ),
    remark=(
        "On a token of M_0 the same charge has the expectation −KL(π_0‖π_1), negative unless M_1 = M_0 (pt-gibbs), so "
        "it would reward the distance."
    ),
)

claim(
    "pt-kl-aggregates-value",
    any_length(
        mean(Average(text_charge, S)),
        mean(log(TextProduct(pi[o], o) / TextProduct(old[o], o))),
        "S texts: the divergence of whole texts",
        of_each=((log(TextProduct(pi[o], o) / TextProduct(old[o], o)), text_charge),),
    ),
    several,
    because=(
        any_length(mean(Average(text_charge, S)), visited, "S texts: the divergences of the states on the way"),
        any_length(
            mean(log(TextProduct(pi[o], o) / TextProduct(old[o], o))),
            visited,
            "the divergence of whole texts is the sum of these",
            of_each=((log(TextProduct(pi[o], o) / TextProduct(old[o], o)), text_charge),),
        ),
    ),
    depends_on=["pt-flip-outside-probability"],
    kind="unbiasedness",
    locator="Sec 4.7",
    title="Expected sums of charges over samples and tokens, and the divergence of whole texts",
    printed=(
        r"\text{if everything else is linear, the term simply aggregates into an estimate of }D_{KL}(\pi_1(\cdot|\vec "
        r"s_t)\|\pi_0(\cdot|\vec s_t))\text{ in the final optimization function as long as the advantage function is "
        r"linear in the reward function}"
    ),
    judged=imprecise(
        "Not the divergence of the next token in one state s_t: the sum over the tokens estimates the divergence of "
        "whole texts, Σ_t E[KL(·|s_t)], with the states drawn from M_1.",
        Every(
            *on_trees(
                lambda new, start: Equal(
                    new.expectation(lambda text: bill(new, start, text)), state_kl(new, start, ())
                ),
                sizes=((2, 2),),
            )
        ),
    ),
)

claim(
    "pt-kl-aggregates-sampler",
    Every(
        any_length(mean(Average(text_charge, S)), visited, "S texts of the model that is updated"),
        any_length(
            mean(Average(text_charge, S), old), -mean(TextSum(next_token_kl(old, pi), o), old), "S texts of M_0"
        ),
    ),
    several,
    depends_on=["pt-kl-aggregates-value", "pt-gibbs"],
    kind="unbiasedness",
    locator="Sec 4.7",
    title="Sum of the charges on texts of the model itself, and of the one before the update",
    printed=(
        r"\text{These samples are drawn from the latest iteration of the model (which is }M_1\text{ if we are "
        r"iterating towards }M_2\text{, and so on)}"
    ),
    remark=(
        "The print has M_1 for the model that drew the texts and is updated next. In (9) to (11) M_1 is the model "
        "that is updated on texts of M_0: on these the sums estimate minus the divergence of M_0 from M_1."
    ),
)

# -- gradients --------------------------------------------------------------------------------------------------------
claim(
    "pt-kl-same-purpose",
    Every(
        *on_trees(
            lambda new, start: Equal(
                policy_gradient(new, own_charge(new, start)),
                new.gradient(state_kl(new, start, ()), direction),
                label="one token: the gradient of KL(π_1‖π_0)",
            ),
            sizes=((2, 1), (3, 1)),
        ),
        *on_trees(
            lambda new, start: Equal(
                new.gradient(
                    new.gradient(state_kl(new, start, ()) - state_kl(start, new, ()), direction), direction
                ).xreplace(start.identified_with(new)),
                0,
                label="at M_1 = M_0 the second derivative of KL(π_1‖π_0) − KL(π_0‖π_1)",
            ),
            sizes=((2, 1), (3, 1)),
        ),
        *on_trees(
            lambda new, start: Equal(
                new.gradient(visited_kl(start, start, new), direction).xreplace(start.identified_with(new)),
                0,
                label="at M_1 = M_0 the slope of the divergence of (9)",
            ),
            sizes=SHALLOW,
        ),
    ),
    two,
    depends_on=["pt-kl-aggregates-value", "pt-score-mean-zero"],
    kind="equivalence",
    locator="Sec 4.7",
    title="Charge in the reward and penalty in the loss, to second order at the sampling policy",
    short="one token: the gradient of KL(π_1‖π_0) (2 tokens, texts of length 1)",
    printed=r"\text{putting the KL Divergence term in the reward function serves the same purpose as in Equation 9}",
    remark=(
        "The purpose, “keeping the updated model distribution closer to the original model distribution”, is read so, "
        "for texts of one token out of two or three: both are stationary at M_1 = M_0 and curve alike there. "
        "Elsewhere the charge descends KL(π_1‖π_0), the penalty of (9) KL(π_0‖π_1)."
    ),
)

claim(
    "pt-kl-to-go",
    any_length(
        TextRate(mean(text_charge)),
        mean(TextSum(FromHere(text_charge) * score, o)),
        "each token is charged for itself and for what follows",
    ),
    two_models,
    because=(
        any_length(
            TextRate(mean(text_charge)),
            mean(TextSum((log(pi[o] / old[o]) + Ahead(mean(text_charge))) * score, o)),
            "charged for what follows too, on average",
        ),
        any_length(
            TextRate(mean(text_charge)) - mean(TextSum(log(pi[o] / old[o]) * score, o)),
            mean(TextSum(Ahead(mean(text_charge)) * score, o)),
            "what a token's own charge leaves out",
        ),
    ),
    depends_on=["pt-kl-same-purpose"],
    locator="Sec 4.7, (12)",
    title="Charges of a token and of the tokens after it",
    printed=(r"\text{putting the loss in the reward function works similarly to putting it in the optimization}"),
    judged=imprecise(
        "For the divergences in the states that a text visits, the states held fixed, a token's own charge is enough. "
        "For the divergence of whole texts the charges are summed from the token to the end, as in a return: with A' "
        "of pt-Aprime-def a token that leads into states far from M_0 goes free, from two tokens on.",
        Every(
            *on_trees(
                lambda new, start: Equal(
                    policy_gradient(new, own_charge(new, start)), new.gradient(visited_kl(new, new, start), direction)
                ),
                sizes=((2, 2),),
            )
        ),
    ),
)

claim(
    "pt-reward-depends-on-model",
    any_length(mean(Gradient(text_charge)), 0, "texts of M_1: differentiating the charge adds nothing"),
    two_models,
    because=(
        any_length(
            mean(TextSum(pi[o] / old[o] * texts.rate(log(pi[o] / old[o])), o), old),
            0,
            "on texts of M_0 too, each token weighed by its ratio, for any M_1",
        ),
    ),
    depends_on=["pt-score-mean-zero"],
    kind="unbiasedness",
    locator="Sec 4.7",
    title="The derivative of the charge, a reward that depends on the model",
    printed=(
        r"\text{The reward being dependent on the model being trained appears odd, but as we note the terms separate "
        r"out nicely and it remains merely an implementation detail}"
    ),
    judged=needs_hypothesis(
        "True of the expected return: the derivative of the charge has the mean 0 on texts of the model itself, and "
        "weighed by the ratio on those of an earlier one, as in the ratio loss without a clip. Under the clip of (11), "
        "where it is weighed by the clipped ratio of a positive advantage, it has not. (The other side of the same "
        "fact: as a term of the loss, log(π_1/π_0) has no expected gradient.)",
        Equal(
            sum(
                old_chance * clipped_surrogate(chance / old_chance, 1, epsilon) * diff(log(chance / old_chance), x)
                for chance, old_chance in ((x, y), (1 - x, 1 - y))
            ),
            0,
            label="one token, positive advantages, clipped as in (11)",
        ),
        Domain(0 < x, x < 1, 0 < y, y < 1, 0 < epsilon, epsilon < 1),
    ),
)


# -- separation ------------------------------------------------------------------------------------------------------


# Of each token r is the advantage and x the charge: any numbers that are held fixed.
separate = Domain(n >= 2, simplex(pi, n), simplex(old, n), reals(r, n), reals(datum, n), beta > 0)
claim(
    "pt-linear-separation",
    Every(
        any_length(
            -TextSum((r[o] - beta * datum[o]) * log(pi[o]), o),
            -TextSum(r[o] * log(pi[o]), o) + beta * TextSum(datum[o] * log(pi[o]), o),
            "(3)",
        ),
        any_length(
            -TextSum((r[o] - beta * datum[o]) * pi[o] / old[o], o),
            -TextSum(r[o] * pi[o] / old[o], o) + beta * TextSum(datum[o] * pi[o] / old[o], o),
            "(7)",
        ),
    ),
    separate,
    locator="Sec 4.7",
    title="Separation of the charge from the advantage in (3) and (7)",
    printed=(
        r"\text{if the advantage function is linear in reward function, then any term we add to the reward function "
        r"can simply be separated out and aggregated independently}"
    ),
    remark=("r is a token's advantage and x its charge, any fixed numbers."),
)

output = Domain(ratio > 0, 0 < epsilon, epsilon < 1, A, v, beta > 0)


def clipped(advantage):
    return clipped_surrogate(ratio, advantage, epsilon)


in_range = And(ratio >= 1 - epsilon, ratio <= 1 + epsilon)
apart = Eq(clipped(A - beta * v), clipped(A) - beta * clipped(v))
d = Derivation("pt-linear-with-clip", output.also(ratio >= 1 - epsilon, ratio <= 1 + epsilon))
charged_loss = d.start(clipped(A - beta * v), "a token's part of (11) with the modified advantage of (12)")
unclipped = d.rewrite(charged_loss, ratio * (A - beta * v), "inside the clip range both entries of the minimum agree")
apart_there = d.rewrite(unclipped, ratio * A - beta * ratio * v, "linear in the advantage: the charge stands apart")
d.rewrite(apart_there, clipped(A) - beta * clipped(v), "and each part is the clipped one again")

claim(
    "pt-linear-with-clip",
    Always(
        Equivalent(apart, Or(in_range, v * (A - beta * v) >= 0)),
        label="inside the clip range, and beyond it exactly when charge and modified advantage have no opposite signs",
    ),
    output,
    because=(
        On(
            output.also(ratio >= 1 - epsilon, ratio <= 1 + epsilon),
            Equal(clipped(A - beta * v), clipped(A) - beta * clipped(v), label="inside the clip range"),
        ),
        Always(
            clipped(A - beta * v) >= clipped(A) + beta * clipped(-v),
            label="anywhere: at least the sum of the parts",
        ),
        Exists(
            And(apart, ratio > 1 + epsilon),
            {ratio: Rational(3, 2), epsilon: Rational(1, 5), A: 2, v: 1, beta: 1},
            label="beyond the range it can hold too: ratio 3/2, advantage 2, charge 1",
        ),
    ),
    by=d,
    depends_on=["pt-linear-separation"],
    locator="Sec 4.7",
    title="Separation of the charge from the advantage under clipping",
    printed=(
        r"\text{That is what happens here, and in-fact that is what allows us to simply put the log term in the reward "
        r"function rather than calculating the full KL divergence for each token}"
    ),
    judged=imprecise(
        "True of a loss that is linear in the advantage, such as (3) and (7) (pt-linear-separation). (11) is not: "
        "beyond the clip range it is linear on either side of zero only, so the charge separates unless charge and "
        "modified advantage have opposite signs.",
        Equal(clipped(A - beta * v), clipped(A) - beta * clipped(v)),
    ),
    remark="“That” is what the sentence before says (pt-linear-separation): if the advantage is linear in the reward, "
    "a term that is added to the reward separates. v stands for the charge log(π_1/π_0) of the token, and A − βv for "
    "the modified advantage.",
)

# -- what the direction of the divergence does ------------------------------------------------------------------------
tilt = (
    x * exp(t / beta) / (x * exp(t / beta) + 1 - x)
)  # the share of a token that M_0 gives x, when its reward is higher by t
tilted = Domain(0 < x, x < 1, t > 0, beta > 0)
claim(
    "pt-reverse-kl-ensures",
    Every(
        Always(
            tilt < x * exp(t / beta),
            using=(exp_sign(t / beta),),
            label="the best policy gives the token less than e^{t/β} times what M_0 does",
        ),
        On(
            Domain(0 < x, x < 1),
            Tends(x * exp(t) / (x * exp(t) + 1 - x), t, oo, 1, label="its share tends to 1 as t/β, here t, grows"),
        ),
    ),
    tilted,
    because=(
        Equal(
            diff(rlhf(binary(y), binary(x), (t, 0), beta, Answers(2)), y).xreplace({y: tilt}),
            0,
            label="at this chance the slope of the penalised reward is zero",
        ),
        On(
            Domain(0 < y, y < 1),
            Tends(y * log(y / x), x, 0, oo, label="the charge of a fixed share does grow without bound"),
        ),
    ),
    locator="Sec 4.7",
    title="The penalised optimum of two tokens: chance x under M_0, advantage t in the reward",
    printed=(
        r"\text{by placing }M_1\text{ in the numerator what we are ensuring is that }M_1\text{ does not assign "
        r"probabilities to tokens that }M_0\text{ believes are not suitable}"
    ),
    judged=imprecise(
        "Excluded are only tokens of probability zero. To any other the best policy gives π_0 e^{R/β} up to "
        "normalisation: the penalty grows like the logarithm of the ratio, and a large enough reward buys the token.",
        Always(tilt <= Rational(1, 2)),
        Domain(0 < x, x < Rational(1, 100), t >= 0, beta > 0),
    ),
    remark="In the second sentence t stands for t/β.",
)

claim(
    "pt-which-denominator",
    Equal(log(x / z), log(x / y) + log(y / z)),
    Domain(0 < x, x < 1, 0 < y, y < 1, 0 < z, z < 1),
    expect="definition",
    kind="convention",
    locator="Sec 4.7",
    title="Log-ratios of a token to the first model and to the last one",
    printed=(
        r"\text{the denominator always contains the original SFT model }M_0\text{ … However, with clipping the ratio "
        r"is often taken with the latest model }M_k"
    ),
    remark="The charge against M_0 is that against M_k plus that of M_k against M_0: after an update the ratio "
    "starts at one again, the charge does not. x, y, z are the probabilities of a token under the policy, M_k and M_0.",
)
