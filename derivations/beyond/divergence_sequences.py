"""Texts of several tokens: estimators of each token and of the whole text part ways, and so do the divergences.

Statement.   On-policy the sums of k1 or k3 over the tokens and those of the whole text have one value, KL(π‖π_ref) of
             texts. Their gradients differ. In the loss, token by token, the visits of states are not differentiated: k2
             gives Σ_s P_π(s) ∇KL(π(·|s)‖π_ref(·|s)), k3 Σ_s P_π(s) ∇KL(π_ref(·|s)‖π(·|s)). Of the whole text, k2 gives
             all of ∇KL(π‖π_ref), and k3 ∇KL(π_ref‖π), whose states are visited by π_ref. A ratio of the token does not
             mend this, the ratio of the prefix does. k1 in the loss vanishes either way. Stationary for k3: token by
             token, π_ref/π = 1 − (Q − V(s))/β in every state s; of the whole text the same with β − (V(s) − V) for β, V
             being the value of the prompt.
Source.      Question 7 of the project's theory; extends Patel (2025), Section 4.7, and Shao et al. (2024) as in
             Vojnovic & Yun (2025), (1).
Domain.      Tabular policies with full support: any vocabulary and length by induction over the tokens.
Derivation.  expected penalty on texts of π_old → derivative along any direction of the logits, π_old fixed → π_old = π.
Caveats.     π_old held fixed: first steps only. Off-policy the prefix's ratio is enumerated for texts of two tokens,
             the text's, which it is on average, is shown for any length.
Letters.     π₁, π₀ and π_ref are the probabilities of a token after those before it under π, π_old and π_ref, ż the
             rate of its logit along θ; R is the reward of a text, B a number of each state, s runs over states. In the
             induction over tokens u, v and t are numbers of a state. Q and V are the expected rewards after a token and
             in a state, P_π and P_ref the chances to reach it. In by-seq-stationary-k3 x and y are these chances, u and
             v the probabilities of a token there under π and π_ref, B is the value of the state and z that of the one
             that follows; elsewhere x and y are any two probabilities. (11) is an equation of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

from ..patel.trees import (
    any_length,
    domain_of,
    exact_advantage,
    mean,
    next_token_kl,
    score,
    text_score,
    texts,
    two_models,
    value_slope,
)

claim = Result(__file__).claim

# -- texts of any length ----------------------------------------------------------------------------------------------
any_texts = two_models.also(simplex(ref, n), beta > 0)
k1_token, k2_token, k3_token = (k(pi[o], ref[o]) for k in (k1, k2, k3))
log_ratio_of_text, ratio_back = TextSum(k1_token, o), TextProduct(ref[o] / pi[o], o)
k3_of_text = ratio_back - 1 + log_ratio_of_text
visited = mean(TextSum(next_token_kl(pi, ref), o))  # the divergences at the states of a text, which is that of texts
whole_slope = TextRate(mean(log_ratio_of_text))  # the gradient of KL(π‖π_ref) of texts
k3_is_k1 = (mean(TextSum(k3_token, o)), mean(log_ratio_of_text))  # on average
scores_cancel, ratios_cancel = (mean(text_score), 0), (mean(ratio_back), 1)


def over_tokens(term):
    return Sum(term, (o_, 1, n))


def divergence_slope(moves):
    """``∇KL(π‖π_ref)`` at a state, of the logits that move at a rate."""
    mean_log = next_token_kl(pi, ref)
    return over_tokens(moves[o_] * pi[o_] * log(pi[o_] / ref[o_])) - over_tokens(moves[o_] * pi[o_]) * mean_log


def reverse_slope(moves):
    """``∇KL(π_ref‖π)`` at a state, of the logits that move at a rate."""
    return over_tokens(moves[o_] * pi[o_]) - over_tokens(moves[o_] * ref[o_])


at_states_slope = TextSum(divergence_slope(logit_rate), o)
at_states_reverse = TextSum(reverse_slope(logit_rate), o)


def on_trees(build, sizes=((2, 1), (2, 2))):
    """``build(π, π_old, π_ref)`` on each tree, on the domain of the policies that it speaks of."""
    found = []
    for size in sizes:
        tree = TokenTree(*size)
        models = [tree.policy(symbols) for symbols in (policy_1, policy_0, policy_ref)]
        statement = build(*models)
        spoken = {str(s).split("_")[0] for s in statement.expression.free_symbols}
        found.append(On(domain_of(statement, *(m for m in models if m.symbols.name in spoken)), statement))
    return tuple(found)


def visits(of, new, first, second):
    """Σ_s P(s) ∇KL(first(·|s)‖second(·|s)), the states visited by ``of`` and their chances not differentiated."""
    return Add(*(of.reaches(s) * new.gradient(state_kl(first, second, s), direction) for s in new.tree.states()))


claim(
    "by-seq-values",
    Every(
        any_length(mean(TextSum(k1_token, o)), visited, "k1, token by token, texts of any length"),
        any_length(mean(TextSum(k3_token, o)), visited, "k3, token by token, texts of any length"),
        any_length(
            mean(log(TextProduct(pi[o], o) / TextProduct(ref[o], o))),
            visited,
            "k1 of the text, of any length",
            of_each=((log(TextProduct(pi[o], o) / TextProduct(ref[o], o)), log_ratio_of_text),),
        ),
        any_length(
            mean(k3(TextProduct(pi[o], o), TextProduct(ref[o], o))),
            visited,
            "k3 of the text, of any length",
            of_each=(
                (log(TextProduct(ref[o], o) / TextProduct(pi[o], o)), -log_ratio_of_text),
                (TextProduct(ref[o], o) / TextProduct(pi[o], o), ratio_back),
            ),
            beside=(ratios_cancel,),
            rest=(u, v, t, s),
        ),
        any_length(
            mean(TextProduct(pi[o] / old[o], o) * TextSum(k3_token, o), old),
            visited,
            "k3, token by token, with the text's ratio: off-policy too",
            beside=((mean(TextProduct(pi[o] / old[o], o), old), 1),),
        ),
        any_length(
            mean(TextSum(pi[o] / old[o] * k3_token, o), old),
            mean(TextSum(next_token_kl(pi, ref), o), old),
            "k3 with the token's own ratio: the states of π_old, texts of any length",
        ),
        *on_trees(
            lambda new, old, ref: Equal(
                TextDivergence(k3, weighed=Weighed.PREFIX).expected(new, old, ref),
                visited_kl(new, new, ref),
                label="k3 with the prefix's ratio: off-policy too",
            ),
            ((2, 2),),
        ),
    ),
    any_texts,
    depends_on=["by-div-values", "pt-kl-aggregates-value"],
    locator="Question 7",
    title="Values of sums over tokens and of estimates of the text, on-policy, and off-policy with ratios",
    short=(
        "k1, token by token, texts of any length",
        "k3, token by token, texts of any length",
        "k1 of the text, of any length",
        "k3 of the text, of any length",
    ),
)

claim(
    "by-seq-loss-tokens",
    Every(
        Equal(
            over_tokens(pi[o_] * logit_rate[o_] * (log(pi[o_] / ref[o_]) - next_token_kl(pi, ref))),
            divergence_slope(logit_rate),
            label="the gradient of KL(π‖π_ref) at a state",
        ),
        any_length(mean(Gradient(TextSum(k1_token, o))), 0, "k1, texts of any length: nothing"),
        any_length(
            mean(Gradient(TextSum(k2_token, o))),
            mean(at_states_slope),
            "k2, texts of any length: KL(π‖π_ref) of each state, visits fixed",
        ),
        any_length(
            mean(Gradient(TextSum(k3_token, o))),
            mean(at_states_reverse),
            "k3, texts of any length: KL(π_ref‖π) of each state, visits fixed",
        ),
        any_length(
            mean(TextSum(score * k3_token, o)) + mean(Gradient(TextSum(k3_token, o))),
            mean(at_states_slope),
            "k3 with the token's ratio, texts of any length: as k2",
        ),
        any_length(
            whole_slope - mean(at_states_slope),
            mean(TextSum(score * Ahead(mean(log_ratio_of_text)), o)),
            "what is left out: where the tokens lead, texts of any length",
        ),
    ),
    any_texts,
    depends_on=["by-div-loss-gradients", "by-seq-values"],
    locator="Question 7",
    title="Gradients of k1, k2 and k3 in the loss, token by token",
    short=("k1, texts of any length: nothing", "k3 with the token's ratio, texts of any length: as k2"),
    remark=(
        "Published GRPO is, on-policy and for texts of one length, the case of k3 over that length, KL(π_ref‖π) of "
        "each state with the visits fixed: nothing in its penalty keeps a token from leading into states that are far "
        "from the reference."
    ),
)

claim(
    "by-seq-loss-texts",
    Every(
        any_length(mean(Gradient(log_ratio_of_text)), 0, "k1 of the text, of any length: nothing"),
        any_length(
            mean(log_ratio_of_text * Gradient(log_ratio_of_text)),
            whole_slope,
            "k2 of the text, half the square of its log-ratio: all of KL(π‖π_ref), any length",
            beside=(scores_cancel,),
        ),
        any_length(
            mean(Gradient(k3_of_text)),
            -mean(text_score, ref),
            "k3 of the text, of any length: KL(π_ref‖π), which is −E[log π] under π_ref and what does not move",
            beside=(scores_cancel, ratios_cancel),
        ),
        any_length(
            -mean(text_score, ref),
            mean(at_states_reverse, ref),
            "which is KL(π_ref‖π) of each state, visited by π_ref, any length",
        ),
        any_length(
            mean(TextSum(score * FromHere(TextSum(k3_token, o)), o)) + mean(Gradient(TextSum(k3_token, o))),
            whole_slope,
            "k3 of tokens with the prefix's ratio: all of KL(π‖π_ref), any length",
            beside=(k3_is_k1,),
        ),
    ),
    any_texts,
    depends_on=["by-div-loss-gradients", "by-seq-values"],
    locator="Question 7",
    title="Gradients of k1, k2 and k3 of the whole text in the loss, and of k3 of tokens with the ratio of the prefix",
    short=(
        "k2 of the text, half the square of its log-ratio: all of KL(π‖π_ref), any length",
        "k3 of the text, of any length: KL(π_ref‖π), which is −E[log π] under π_ref and what does not move",
    ),
)

claim(
    "by-seq-reward",
    Every(
        any_length(
            mean(TextSum(score * FromHere(log_ratio_of_text), o)),
            whole_slope,
            "k1, texts of any length: all of KL(π‖π_ref)",
        ),
        any_length(
            mean(log_ratio_of_text * text_score),
            whole_slope,
            "the text's k1 on every token, of any length: all of KL(π‖π_ref) too",
            beside=(scores_cancel,),
        ),
        any_length(
            mean(TextSum(score * FromHere(TextSum(k3_token, o)), o)),
            whole_slope - mean(at_states_reverse),
            "k3, texts of any length: KL(π‖π_ref), less KL(π_ref‖π) of each state, visits fixed",
            beside=(k3_is_k1,),
        ),
    ),
    any_texts,
    depends_on=["by-div-reward-gradients", "pt-kl-to-go"],
    locator="Question 7",
    title="In the reward: gradients of k1 and k3, texts of several tokens",
)


# -- stationary policies ----------------------------------------------------------------------------------------------
regularised = whole_reward - beta * log_ratio_of_text


def to_go(number):
    """What is expected of a text after the token, more than at its state."""
    return Ahead(mean(number)) - Here(mean(number))


def vanishes(gradient, forms, condition, label, **also):
    """That a gradient over texts of any length is zero in every direction exactly if ``condition`` holds at every state
    and for every token.
    """
    after = (onward, onward_2, onward_3, onward_4, onward_5, onward_6)
    rule = EveryDirection(OverTokens(after, (onward_rate, onward_rate_2), (u, v, t), **also))
    return VanishesInEveryDirection(gradient, logit_rate, forms, texts, condition, label).by(rule)


by_tokens = mean(TextSum(logit_rate[o] * exact_advantage(pi), o))  # what the reward adds to the gradient
# x and y are the probabilities with which π and π_ref reach a state of the value B; a token there has the probabilities
# u and v, which (11) relates, and leads to a state of the value z.
on_the_way = Domain(
    beta > 0, x > 0, y > 0, u > 0, v > 0, level, z, Eq(v, u * (1 - (z - level) / (beta * y / x)), evaluate=False)
)

claim(
    "by-seq-stationary-k3",
    Every(
        any_length(
            value_slope - beta * mean(Gradient(TextSum(k3_token, o))),
            mean(TextSum(logit_rate[o] * (exact_advantage(pi) - beta * (1 - ref[o] / pi[o])), o)),
            "token by token, texts of any length",
        ),
        any_length(
            value_slope,
            by_tokens,
            "of the whole text, of any length: what the reward adds",
        ),
        any_length(
            mean(Gradient(k3_of_text)),
            mean(TextSum(logit_rate[o] * (pi[o] / ref[o] - 1), o), ref),
            "and the penalty takes, β times this, at the states of π_ref",
            beside=(scores_cancel, ratios_cancel),
        ),
        vanishes(
            value_slope - beta * mean(Gradient(TextSum(k3_token, o))),
            (Form(exact_advantage(pi) - beta * (1 - ref[o] / pi[o]), pi, x),),
            Eq(pi[o] * (1 - exact_advantage(pi) / beta), ref[o]),
            "token by token: (11) in every state",
        ),
        vanishes(
            value_slope - beta * mean(Gradient(k3_of_text)),
            (Form(exact_advantage(pi), pi, x), Form(pi[o] / ref[o] - 1, ref, y, -beta)),
            Eq(pi[o] * (1 - exact_advantage(pi) / (beta * y / x)), ref[o]),
            "of the whole text: (11) with β P_ref/P_π for β",
            beside=(scores_cancel, ratios_cancel, (value_slope, by_tokens)),
        ),
        On(
            on_the_way,
            Equal(
                beta * (y * v) / (x * u),
                beta * y / x - (z - level),
                label="so after a token β P_ref/P_π is lower by what the value is higher",
            ),
        ),
    ),
    any_texts,
    depends_on=["by-seq-loss-tokens", "by-seq-loss-texts", "vy-eq11-kkt-dichotomy"],
    locator="Question 7",
    title="Stationary equation of k3, token by token and of the whole text",
    short="token by token: (11) in every state",
    remark=(
        "Rewards weigh as they are (Dr. GRPO: times 1 − 1/G, liu-eq6-own-reward). Of the whole text, what "
        "stands for β in a state s is β − (V(s) − V), V the value of the prompt: states of higher value are "
        "regularised less. Both agree on the first token's equation."
    ),
)

claim(
    "by-seq-stationary-kl",
    Every(
        any_length(
            value_slope - beta * mean(Gradient(TextSum(k2_token, o))),
            mean(TextSum(logit_rate[o] * (exact_advantage(pi) - beta * (k1_token - next_token_kl(pi, ref))), o)),
            "k2 token by token, texts of any length",
        ),
        any_length(
            value_slope - beta * whole_slope,
            mean(TextSum(logit_rate[o] * (to_go(regularised) - beta * k1_token), o)),
            "k1 in the reward, texts of any length: the same with Q less β times the divergences to come",
        ),
        vanishes(
            value_slope - beta * mean(Gradient(TextSum(k2_token, o))),
            (Form(exact_advantage(pi) - beta * (k1_token - next_token_kl(pi, ref)), pi, x),),
            Eq(k1_token, exact_advantage(pi) / beta + next_token_kl(pi, ref)),
            "k2 token by token: π_ref e^{Q/β} in every state, normalised",
        ),
        vanishes(
            value_slope - beta * whole_slope,
            (Form(to_go(regularised) - beta * k1_token, pi, x),),
            Eq(k1_token, to_go(regularised) / beta),
            "k1 in the reward: with what the text is worth less β times its log-ratio, from the token on",
        ),
    ),
    any_texts,
    depends_on=["by-seq-loss-tokens", "by-seq-reward", "pt-dpo-equivalence"],
    locator="Question 7",
    title="Stationary equation of KL(π‖π_ref), token by token and of the whole text",
    short="k2 token by token: π_ref e^{Q/β} in every state, normalised",
    remark=(
        "For the same tokens to come, the two weights of a token differ by the factor e^{KL} of the "
        "divergences that follow. The policy of tokens whose texts have the law π_ref e^{R/β}/Z, Z its normaliser: "
        "pt-dpo-token-optimum."
    ),
)
