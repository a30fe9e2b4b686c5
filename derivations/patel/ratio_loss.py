"""The probability-ratio loss: what importance sampling gives for texts, and what the ratio of one token gives.

Statement.   With A held fixed, the gradient of (7) is the score of each token, weighted by its ratio and A, at every
             M_1; where M_1 = M_0 it is that of (3). As an estimator of the on-policy objective, the ratio of one token
             is exact for texts of one token; longer texts need the product of all their ratios.
Source.      Patel (2025), Section 4.5, equation (7), footnote 2; equation (18) for importance sampling.
Domain.      Two tabular policies with full support: any vocabulary and length by induction over the tokens; token trees
             for what fails.
Derivation.  (18) on whole texts → what is lost by keeping one ratio → first order at M_1 = M_0 → the
             performance difference.
Caveats.     M_0 samples, M_1 is updated. The advantage that (7) needs is that of M_0; with the exact advantage of M_1
             its expectation is zero identically (pt-eq7-A1-index).
Letters.     x and y are probabilities of one token under M_1 and M_0; t is a number of tokens, v by how much each of
             their log-probabilities moves; s is the logit of one token. π₁(…) and π₀(…) are the probabilities of a
             token after those before it under M_1 and M_0, π and π_old where the vocabulary is any, ż the rate of its
             logit along θ, ρ or ρ_t the ratio of a token. R(…) is the reward of the text with these tokens, A(…) or
             r(o) an advantage of a token, V(…) or B a baseline of a state, S the number of texts. W(o) is the expected
             reward after token o, in pt-performance-difference under M_0, and Ẇ(o) that under M_1.
"""

from grpo_symbolic.paper import *

from .trees import (
    any_length,
    exact_advantage,
    mean,
    on_trees,
    reward,
    score,
    text_ratio,
    two_models,
    value_slope,
)

claim = Result(__file__).claim

TOKEN = Surrogate(Ratio.TOKEN)


def advantage_of(policy):
    """The exact advantage Q − V of this policy."""
    return lambda token, at, text: policy.action_value(reward, token, at) - policy.value(reward, at)


two = Domain(0 < x, x < 1, 0 < y, y < 1)
each = Domain(v > 0, t >= 1)
one_state = two_models.also(reals(onward, n))
several = two_models.also(S >= 1)

# -- whose texts ------------------------------------------------------------------------------------------------------
claim(
    "pt-sampling-mismatch",
    any_length(mean(Average(text_ratio * whole_reward, S), old), mean(whole_reward), "S texts of M_0, weighted: exact"),
    several,
    kind="unbiasedness",
    depends_on=["pt-eq18-importance-sampling"],
    locator="Sec 4.5",
    title="Texts of M_0 as estimates of what M_1 earns",
)

claim(
    "pt-sampling-mismatch-bias",
    Every(
        *on_trees(
            lambda new, old_policy: Equal(
                old_policy.value(reward) - new.value(reward),
                (policy_0[1] - policy_1[1]) * (text_reward[1] - text_reward[2]),
                label="the bias, one token",
            ),
            sizes=((2, 1),),
        )
    ),
    two,
    depends_on=["pt-sampling-mismatch"],
    locator="Sec 4.5",
    title="The bias of unweighted texts, for one token out of two",
    printed=(
        r"\text{we are drawing samples from }M_0.\text{ However, }M_1\text{ is the model being updated. This means "
        r"that our sampling distribution does not match the actual distribution of the data}"
    ),
    remark="That the distributions differ is shown by what it costs.",
)

claim(
    "pt-ratio-no-log-needed",
    Every(
        On(
            each,
            Always(
                exp(v * t) >= 1 + v * t,
                using=(exp_above_tangent(v * t),),
                label="the ratio of a text of t tokens whose log-probabilities rise by v each: no bound serves every t",
            ),
        ),
        On(
            two_models,
            any_length(
                Gradient(TextSum(pi[o] / old[o], o)),
                TextSum(pi[o] / old[o] * score, o),
                "why no logarithm is needed: the gradient of a token's ratio is the ratio times its score",
            ),
        ),
    ),
    two,
    because=(
        Equal(exp(log(x) - log(y)), x / y, label="the exponential of the difference of logarithms, as in footnote 2"),
        On(
            each,
            Always(
                exp(-v * t) <= 1 / (1 + v * t),
                using=(exp_above_tangent(v * t),),
                label="the ratio where the log-probabilities fall by v each: it tends to 0",
            ),
        ),
    ),
    kind="modelling",
    locator="Sec 4.5, footnote 2",
    title="Gradient of a ratio, and the size of the ratio of a text",
    printed=(
        r"\text{Importance sampling, on the other hand, is already a ratio of probabilities and as such we don't "
        r"really need to take the log to make it manageable}"
    ),
    judged=imprecise(
        "True of the ratio of one token. The ratio of a whole text, which importance sampling asks for, is a product "
        "of T factors and can leave every bound as T grows. What makes the logarithm unnecessary is that ∇ρ = ρ ∇log "
        "π.",
        Always(exp(v * t) <= exp(v), label="a text of t tokens keeps the bound of one token"),
        each,
    ),
)

# -- removing the logs ------------------------------------------------------------------------------------------------
# One token, whose logit in M_1 is s over the others'; M_0 gave it y.
chance = 1 / (1 + exp(-s))
d = Derivation("pt-eq7-removing-logs", Domain(A, s, 0 < y, y < 1))
of_ratio = d.start(-A * chance / y, "a token's part of (7), its advantage held fixed")
slope = d.differentiate(of_ratio, s, "M_0 has drawn the token and stays")
scored = d.rewrite(slope, -A * (chance / y) * (1 - chance), "the ratio times the score, no logarithm needed")
first = d.restrict(scored, {y: chance}, "the first step, M_1 = M_0")
d.rewrite(first, diff(-A * log(chance), s), "the slope of a token's part of (3), the logarithm")

claim(
    "pt-eq7-removing-logs",
    any_length(
        Gradient(-TextSum(pi[o] / old[o] * r[o], o)),
        -TextSum(pi[o] / old[o] * r[o] * score, o),
        "any length, any advantages r: the score, weighted by ratio and advantage",
    ),
    two_models.also(reals(r, n)),
    because=(
        any_length(
            Gradient(-TextSum(log(pi[o]) * r[o], o)),
            -TextSum(r[o] * score, o),
            "the gradient of (3), the same where the ratios are 1",
        ),
    ),
    by=d,
    kind="equivalence",
    locator="Sec 4.5, (7)",
    title="Gradients with the ratio in place of the logarithm",
    printed=(
        r"\text{Applying the importance sampling adjustment in our case from Equation 18 to Equation 3 and removing "
        r"the logs, we get the loss: Loss}=-\frac1S\sum_{i=1}^S\sum_{t=1}^T\frac{\pi_1(a_{it}|\vec s_{it})}{"
        r"\pi_0(a_{it}|\vec s_{it})}A_1(a_{it},\vec s_{it})"
    ),
    judged=imprecise(
        "Equal are the gradients, with the weight held fixed: (18) applied to (3) is ρ A log π_1, and the gradient "
        "of ρ A is what that has when its ρ is not differentiated. Differentiated as it stands, ρ A log π_1 has the "
        "further factor 1 + log π_1; and as values the two losses differ. What (7) is as importance sampling: "
        "pt-eq7-IS-unbiased.",
        Every(
            *on_trees(
                lambda new, old_policy: Equal(
                    new.gradient(
                        new.probability(1, ())
                        / old_policy.probability(1, ())
                        * token_weight[1]
                        * log(new.probability(1, ())),
                        direction,
                    ),
                    new.gradient(new.probability(1, ()) / old_policy.probability(1, ()) * token_weight[1], direction),
                ),
                sizes=((2, 1),),
            )
        ),
    ),
)


# -- is it importance sampling? --------------------------------------------------------------------------------------
def on_policy_slope_of(new):
    return -new.gradient(new.value(reward), direction)


claim(
    "pt-eq7-IS-unbiased",
    Every(
        any_length(
            mean(Average(-text_ratio * TextSum((whole_reward - level) * score, o), S), old),
            -value_slope,
            "the ratio of the whole text, any length",
            beside=((mean(text_ratio * whole_reward, old), mean(whole_reward)), (mean(text_ratio, old), 1)),
        ),
        On(
            one_state,
            Equal(
                Sum(old[o] * (pi[o] / old[o] * (onward[o] - level) * score), (o, 1, n)),
                Sum(pi[o] * score * onward[o], (o, 1, n)),
                label="one token, any vocabulary: (7) itself",
            ),
        ),
        any_length(
            mean(Gradient(-TextSum((whole_reward - level) * log(pi[o]), o))),
            -value_slope,
            "where M_1 = M_0: the gradient of (3), which (7) has there (pt-eq7-removing-logs)",
        ),
    ),
    several,
    kind="unbiasedness",
    depends_on=["pt-eq3-reinforce", "pt-sampling-mismatch"],
    locator="Sec 4.5, (7)",
    title="The ratio loss and importance sampling",
    printed=(
        r"\text{Here, we can use importance sampling to get a better estimator. … Applying the importance sampling "
        r"adjustment in our case from Equation 18 to Equation 3 and removing the logs, we get the loss: Loss}="
        r"-\frac1S\sum_{i=1}^S\sum_{t=1}^T\frac{\pi_1(a_{it}|\vec s_{it})}{\pi_0(a_{it}|\vec s_{it})}"
        r"A_1(a_{it},\vec s_{it})"
    ),
    judged=needs_hypothesis(
        "Texts of one token, or M_1 = M_0. In a text of two tokens or more each term of (7) leaves out the ratios of "
        "the text's other tokens: the states, and what follows the token, still come from M_0, and the estimate of the "
        "on-policy gradient is biased. Exact is the product of the ratios of the text.",
        Every(
            *on_trees(
                lambda new, old_policy: Equal(
                    new.gradient(TOKEN.expected(new, old_policy, text_advantage(reward)), direction),
                    on_policy_slope_of(new),
                ),
                sizes=((2, 2),),
            )
        ),
    ),
)


# -- what (7) is the expectation of ----------------------------------------------------------------------------------
claim(
    "pt-eq7-expectation",
    any_length(
        mean(TextSum(pi[o] / old[o] * r[o], o), old),
        mean(TextSum(Sum(pi[o_] * r[o_], (o_, 1, n)), o), old),
        "any advantages r: in each state of M_0 the ratio draws one token from M_1",
    ),
    two_models.also(reals(r, n)),
    because=(
        any_length(
            mean(TextSum(pi[o] / old[o] * exact_advantage(old), o), old),
            mean(whole_reward * TextSum(pi[o] / old[o] - 1, o), old),
            "the advantage of M_0: E[ρ_t R] − E[R], what a single deviation to M_1 is worth, added up over the tokens",
        ),
    ),
    kind="unbiasedness",
    depends_on=["pt-performance-difference"],
    locator="Sec 4.5, (7)",
    title="Expectation of the ratio loss, for texts of any length",
    remark=(
        "With the advantage of M_0 as r, as in the step, this is for texts of one token the whole performance "
        "difference (pt-performance-difference); for longer ones its slope at M_1 = M_0 is right (pt-eq7-A1-index)."
    ),
)

# -- whose advantage --------------------------------------------------------------------------------------------------
claim(
    "pt-performance-difference",
    any_length(
        mean(whole_reward) - mean(whole_reward, old),
        mean(TextSum(exact_advantage(old), o)),
        "what M_1 earns more, any length",
    ),
    two_models,
    locator="Sec 4.5",
    title="The performance difference, by advantages of the old policy along texts of the new one",
    remark=(
        "Kakade & Langford (2002), whom Section 4.5 names. It is why the ratio loss wants A_0: at M_1 = M_0 its "
        "expectation has minus the slope of this difference (pt-eq7-A1-index)."
    ),
)

claim(
    "pt-eq7-A1-index",
    any_length(
        mean(Gradient(-TextSum((whole_reward - level) * log(pi[o]), o))),
        -value_slope,
        "where M_1 = M_0, with R − V_1 held fixed and B in the place of V_1",
    ),
    two_models,
    because=(
        any_length(
            mean(TextSum(exact_advantage(pi) * score, o)),
            value_slope,
            "with the exact advantage, M_1 = M_0: the slope of the expected reward",
        ),
        any_length(
            mean(TextSum(pi[o] / old[o] * exact_advantage(pi), o), old),
            0,
            "with the exact A_1 the expectation of (7) is zero for every M_1",
        ),
    ),
    depends_on=["pt-eq4-advantage", "pt-eq7-removing-logs", "pt-performance-difference", "pt-eq7-IS-unbiased"],
    locator="Sec 4.5, (7), (9), (10); Sec 4.6, (11)",
    title="The gradient of (3), and so of (7) on-policy, with R − V_1 held fixed",
    printed=(
        r"\text{Loss}=-\frac1S\sum_{i=1}^S\sum_{t=1}^T\frac{\pi_1(a_{it}|\vec s_{it})}{\pi_0(a_{it}|\vec "
        r"s_{it})}A_1(a_{it},\vec s_{it})"
    ),
    judged=imprecise(
        "Read with (4), A_1 is R − V_1 on texts of M_0, and V_1 only a baseline: the first gradient is right. Read as "
        "the advantage of M_1 that R − V_1 samples on texts of M_1, it makes the expected loss zero for every M_1, and "
        "its gradient, A_1 differentiated with it, as well. Held fixed where M_1 = M_0 it is A_0, which is right.",
        Every(
            *on_trees(
                lambda new, old_policy: Equal(
                    new.gradient(TOKEN.expected(new, old_policy, advantage_of(new)), direction),
                    on_policy_slope_of(new),
                ),
                sizes=((2, 1),),
            )
        ),
    ),
    remark="The letter A_1 stands in (9), (10) and (11) as well.",
)
