"""REINFORCE on texts: what its loss estimates, which baselines leave it unbiased, and when they lower its variance.

Statement.   For texts drawn from the policy itself, the expected gradient of −Σ_t (R(text) − b(s_t)) log π(a_t|s_t),
             rewards and baseline held fixed, is −∇E[R], for every baseline b of the tokens before a_t. For one
             token the value function as baseline lowers the variance only where V(V − 2b*) < 0.
Source.      Patel (2025), Section 4.1, equation (3); Section 4.2 for the value function as baseline.
Domain.      Tabular policies with full support: any vocabulary and length by induction; token trees for what fails and
             for variances.
Derivation.  Score of a state has mean zero → one more token keeps an unbiased estimator unbiased → whole texts. Second
             moments for one token, enumerated.
Caveats.     Everything here is about the gradient, not the value of the loss. Texts of a policy that has since been
             updated bias it (pt-reward-weighted-reinforce).
Letters.     B or V(…) is the baseline of a state, b in the labels, A(…) one that knows the token, R the reward of a
             whole text, R(…) that of the text with these tokens, and W what it is expected to be after each next token;
             S is the number of texts, s a score. π₁(…) and π are the probabilities of the next token, π₀ that under an
             earlier model, ż the rate of its logit along θ. In pt-sft-weight-one r is the reward of a sample and π its
             probability.
"""

from grpo_symbolic.objectives.policy_gradient import REINFORCE
from grpo_symbolic.paper import *

from .trees import (
    any_length,
    domain_of,
    on_trees,
    one_model,
    policies,
    reward,
    several_samples,
    state_baseline,
    value_slope,
)
from .trees import score as token_score

claim = Result(__file__).claim


def slope(policy, loss):
    """The expected gradient: each text's own loss is differentiated, and the texts are drawn from the policy."""
    return policy.expectation(lambda text: policy.gradient(loss(text), direction))


# -- the policy gradient ---------------------------------------------------------------------------------------------
# A state with n next tokens; W(o) is the expected reward after token o.
vocabulary = Answers(n)
state = Domain(n >= 2, simplex(pi, n), reals(logit_rate, n), reals(onward, n), level)


def score(token):
    return next_token_score(pi, logit_rate, token, vocabulary, o_)


def of_baseline(b):
    """The gradient of (3) for one text, up to its sign: Σ_t (R − b) ∇log π(a_t|s_t)."""
    return TextSum((whole_reward - b) * token_score, o)


def gradient_of_text(b):
    """The gradient of (3) for one text, R and b held fixed."""
    return Gradient(-TextSum((whole_reward - b) * log(pi[o]), o))


def expected_slope(b):
    """What the gradient of (3) for one text of the model is on average."""
    return TextMean(gradient_of_text(b), pi)


def estimate(b):
    """What the average of these gradients over S texts of the model is on average."""
    return TextMean(Average(gradient_of_text(b), S), pi)


claim(
    "pt-score-mean-zero",
    any_length(TextMean(TextSum(token_score, o), pi), 0, "texts"),
    one_model,
    locator="Sec 4.1",
    title="Mean of the score of a policy",
)

claim(
    "pt-policy-gradient-induction",
    any_length(value_slope, TextMean(of_baseline(level), pi), "policy gradient"),
    one_model,
    depends_on=["pt-score-mean-zero"],
    locator="Sec 4.1",
    title="The policy gradient, for any vocabulary, length and baseline",
    remark="Baselines of different states are different numbers: B is any function of the tokens so far.",
)

# -- the loss as printed ----------------------------------------------------------------------------------------------
samples = one_model.also(S >= 1)


def weighted(policy):
    return lambda text: REINFORCE.loss(text, policy, None, text_advantage(reward))


claim(
    "pt-reward-weighted-reinforce",
    any_length(estimate(0), -value_slope, "S texts of the policy itself"),
    samples,
    depends_on=["pt-policy-gradient-induction"],
    kind="unbiasedness",
    locator="Sec 4.1",
    title="Expected gradient of the reward-weighted NLL",
    printed=(
        r"\text{Reward Weighted Loss}=\frac1S\sum_{i=1}^SR(text_i)NLL(\vec{text}_i,M)\text{ … This is called the "
        r"REINFORCE algorithm}"
    ),
    judged=needs_hypothesis(
        "The texts must come from the model that is being updated. The paper allows “a small number of updates, "
        "let's say less than five” between samples: after the first one, the same average is biased.",
        Every(
            *on_trees(
                lambda new, old: Equal(
                    old.expectation(lambda text: new.gradient(weighted(new)(text), direction)),
                    -new.gradient(new.value(reward), direction),
                ),
                sizes=((2, 1),),
            )
        ),
    ),
)

claim(
    "pt-sft-weight-one",
    any_length(
        TextSum(-r[o] * log(pi[o]), o) - TextSum(-log(pi[o]), o),
        TextSum((1 - r[o]) * log(pi[o]), o),
        "any number of samples: zero where every reward is one",
        along=several_samples,
    ),
    Domain(positives(pi, n), reals(r, n), n >= 1),
    depends_on=["pt-eq1-nll"],
    locator="Sec 4.1",
    title="The reward-weighted loss of T samples, less their loss of fine-tuning",
    printed=(
        r"\text{The current SFT formulation from Equation 2 simply averages the loss over all samples, effectively "
        r"giving every rejection sampled example a weight of one}"
    ),
    remark="r is the reward of a sample, π its probability. The averages are these sums, divided by the number of "
    "samples.",
)

claim(
    "pt-sft-own-samples",
    any_length(TextMean(Average(Gradient(-TextSum(log(pi[o]), o)), S), pi), 0, "S texts: no expected step"),
    samples,
    depends_on=["pt-score-mean-zero"],
    locator="Sec 4.1",
    title="Expected step of fine-tuning on the model's own unselected texts",
)

# -- baselines --------------------------------------------------------------------------------------------------------
with_baseline = text_advantage(reward, state_baseline)
claim(
    "pt-baseline-unbiased",
    any_length(TextMean(TextSum(level * token_score, o), pi), 0, "texts"),
    one_model,
    depends_on=["pt-score-mean-zero"],
    kind="unbiasedness",
    locator="Sec 4.1, (3)",
    title="Contribution of a baseline of the state to the expected gradient",
    remark=("ż are the velocities of the logits."),
)

two_tokens = policies(2, 2)[0]
first_text = two_tokens.tree.texts()[0]
whole = REINFORCE.loss(first_text, two_tokens, None, with_baseline)
# Read as: the loss is not the reward times the NLL, and something that does not depend on the reward.
without_reward = whole.xreplace({reward(first_text): Integer(0)})
not_factored = Ne(whole, reward(first_text) * text_nll(two_tokens, first_text) + without_reward, evaluate=False)
claim(
    "pt-baseline-inseparable",
    any_length(
        -TextSum((whole_reward - level) * log(pi[o]), o),
        -whole_reward * log(TextProduct(pi[o], o)) + TextSum(level * log(pi[o]), o),
        "a baseline of the state: the reward still comes out, the baseline stays inside the sum",
    ),
    one_model,
    kind="identity",
    locator="Sec 4.1",
    title="A baseline of the state inside the sum over tokens",
    printed=(
        r"\text{what is commonly used is something that depends on the input text being fed to the model for next "
        r"token prediction (i.e. }\vec s_t\text{). Let's use }V_M(\vec s_t)\text{ to denote the baseline at time }t"
        r"\text{. As such, we cannot separate the reward function from the sum in Equation 1}"
    ),
    judged=imprecise(
        "What cannot be taken out of the sum is the difference of reward and baseline. The reward itself can: it "
        "is one number for the text, and the rest of the loss is a sum "
        "of baselines times log-probabilities.",
        On(domain_of(Always(not_factored), two_tokens), Always(not_factored)),
    ),
)

claim(
    "pt-eq3-reinforce",
    any_length(estimate(level), -value_slope, "S texts, whatever the baseline"),
    samples,
    depends_on=["pt-baseline-unbiased", "pt-policy-gradient-induction"],
    kind="unbiasedness",
    locator="Sec 4.1, (3)",
    title="Expected gradient of (3)",
    printed=(
        r"\text{REINFORCE Loss}=-\frac1S\sum_{i=1}^S\sum_{t=1}^T(R(\vec{text}_i)-V_M(\vec s_{it}))\cdot\log("
        r"\pi_M(a_{it}|\vec s_{it}))"
    ),
    judged=needs_hypothesis(
        "V_M is held fixed while (3) is differentiated. It depends on the model too, and its own derivative "
        "would add E[Σ ∇V_M log π_M], which is in general not zero.",
        Every(
            *on_trees(
                lambda new, old: Equal(
                    new.expectation(
                        lambda text: new.gradient(
                            REINFORCE.loss(text, new, None, text_advantage(reward, lambda s: new.value(reward, s))),
                            direction,
                        )
                    ),
                    -new.gradient(new.value(reward), direction),
                    label="the value function differentiated as well",
                ),
                sizes=((2, 1),),
            )
        ),
    ),
)


def of_the_token(token, at, text):
    """A baseline that knows which token was drawn."""
    return text_reward[text] - token_weight[(*at, token)]


claim(
    "pt-baseline-anything",
    any_length(expected_slope(level), expected_slope(0), "any function of the tokens before"),
    samples,
    because=(any_length(estimate(level), estimate(0), "the average over S texts, with the baseline and without it"),),
    depends_on=["pt-eq3-reinforce"],
    kind="unbiasedness",
    locator="Sec 4.1",
    title="Expected gradient with a baseline of the tokens before",
    printed=(
        r"\text{The baseline can be anything, but what is commonly used is something that depends on the input text "
        r"being fed to the model for next token prediction (i.e. }\vec s_t\text{)}"
    ),
    judged=wrong(
        "It must not depend on a_t or on later tokens: a baseline b(s_t, a_t) changes the expected gradient; "
        "with b = R nothing is left of it. (The group mean of GRPO contains the text's own reward: "
        "pt-eq13-own-reward.)",
        Every(
            *on_trees(
                lambda new, old: Equal(
                    slope(new, lambda text: REINFORCE.loss(text, new, None, of_the_token)), slope(new, weighted(new))
                ),
                sizes=((2, 2),),
            )
        ),
    ),
)


# -- variance ---------------------------------------------------------------------------------------------------------
# The second moment of the gradient of one text; its mean does not depend on the baseline, so the variance moves with
# it.
def second_moment(policy, advantage):
    return policy.expectation(
        lambda text: policy.gradient(REINFORCE.loss(text, policy, None, advantage), direction) ** 2
    )


pair, _ = policies(2, 1)
chance, high, low = policy_1[1], text_reward[1], text_reward[2]
moves = Ne(direction[1], direction[2])  # the parameter moves the two logits apart
constant, raw = (text_advantage(reward, b) for b in (lambda at: level, None))


def by_the_value(policy):
    """What the value function as baseline, held fixed, adds to the second moment."""
    values = {baseline[s]: policy.value(reward, s) for s in policy.tree.states()}
    return second_moment(policy, with_baseline).xreplace(values) - second_moment(policy, raw)


gain = factor(by_the_value(pair).xreplace({high: Integer(1), low: Integer(0)}))
moving = Domain(*pair.constraints(), moves)
in_tree = by_the_value(policies(2, 2)[0])
squares, weighed, twice = (Sum(pi[o] * score(o) ** 2 * onward[o] ** e, (o, 1, n)) for e in (0, 1, 2))
with_level = Sum(pi[o] * score(o) ** 2 * (onward[o] - level) ** 2, (o, 1, n))
lower = Gt(0, with_level - twice, evaluate=False)  # the variance with the baseline B than that without

# Texts of two tokens, and a baseline b for the first token alone.
longer = policies(2, 2)[0]
first_only = {baseline[state_]: level if state_ == () else Integer(0) for state_ in longer.tree.states()}
added = second_moment(longer, with_baseline).xreplace(first_only) - second_moment(longer, raw)


def first_score(text):
    """The score of the first token, s_1."""
    return longer.score(text[0], (), direction)


def whole_score(text):
    """The score of the text, Σ_t s_t."""
    return Add(*(longer.score(a, at, direction) for a, at in steps(text)))


own_power = longer.expectation(lambda text: first_score(text) ** 2)
own_best = longer.expectation(lambda text: first_score(text) ** 2 * reward(text))  # what one token would call E[s²R]
true_best = longer.expectation(lambda text: first_score(text) * whole_score(text) * reward(text))
constant_added = second_moment(longer, constant) - second_moment(longer, raw)
of_longer = domain_of(Equal(added, 0), longer)
half = Rational(1, 2)
against = {
    **{policy_1[(*at, 1)] if at else policy_1[1]: half for at in longer.tree.states()},
    **{text_reward[text]: Integer(1 if text == (1, 1) else 0) for text in longer.tree.texts()},
    direction[1]: Integer(1),
    direction[2]: Integer(-1),
    direction[1, 1]: Integer(-2),
    direction[1, 2]: Integer(2),
    direction[2, 1]: Integer(0),
    direction[2, 2]: Integer(0),
    level: Rational(1, 8),
}

claim(
    "pt-baseline-variance-texts",
    On(
        of_longer,
        Equal(
            added,
            own_power * level**2 - 2 * level * true_best,
            label="two tokens, b for the first alone: least at E[s_1(s_1 + s_2)R]/E[s_1²]",
        ),
    ),
    state,
    because=(
        On(
            of_longer,
            Exists(
                And(own_power * level**2 < 2 * level * own_best, added > 0),
                against,
                label="b² < 2b E[s_1²R]/E[s_1²] is no criterion: the variance can rise",
            ),
        ),
        On(
            of_longer,
            Equal(
                constant_added,
                longer.expectation(lambda text: whole_score(text) ** 2 * (level**2 - 2 * level * reward(text))),
                label="one b for both tokens: b² − 2bR, weighed by the squared score of the text",
            ),
        ),
    ),
    kind="inequality",
    locator="Sec 4.1; Sec 4.3",
    title="Baselines and variance for texts of two tokens out of two",
    remark=(
        "In the sentence B is a baseline b of the first token alone; s_1 and s_2 are the scores of the two tokens. On "
        "the left is what b adds to the second moment of the gradient, and so to its variance. "
        "Least at b = E[s_1(s_1 + s_2)R]/E[s_1²], where s_1 is not always zero. What a token's baseline does to the "
        "variance depends on the scores of the tokens after it."
    ),
)

claim(
    "pt-baseline-variance",
    Always(
        Equivalent(lower, Gt(0, squares * level**2 - 2 * level * weighed, evaluate=False)),
        label="any vocabulary, or texts as single events and one b for all tokens",
    ).by(SameOrder(lower, 1)),
    state,
    because=(
        Equal(
            squares * with_level,
            (squares * level - weighed) ** 2 + squares * twice - weighed**2,
            label="least at b* = E[s²R]/E[s²]",
        ),
        On(
            moving.also(3 * chance < 2),
            Always(gain < 0, label="R = 1, 0: the value function lowers the variance where π₁(1) is below 2/3"),
        ),
        On(
            moving.also(3 * chance > 2),
            Always(gain > 0, label="R = 1, 0: the value function raises the variance where π₁(1) is above 2/3"),
        ),
    ),
    depends_on=["pt-eq3-reinforce"],
    kind="inequality",
    locator="Sec 4.1; Sec 4.3",
    title="One token: the variance of the gradient under a baseline",
    printed=(
        r"\text{this loss function can lead to high variance in the gradients. To mitigate that, a baseline is "
        r"subtracted}"
    ),
    judged=needs_hypothesis(
        "The baseline b has to satisfy b² < 2 b b*, with b* = E[s²R]/E[s²] and s the score. The value function "
        "need not: for two answers with rewards 1 and 0 it raises the variance as soon as π > 2/3 for the right one. "
        "On texts of two tokens it can raise it too. For texts the criterion holds with s the score of the whole text, "
        "if one b serves all tokens (pt-baseline-variance-texts).",
        On(domain_of(Always(in_tree <= 0), policies(2, 2)[0]), Always(in_tree <= 0)),
    ),
    remark=(
        "The expected gradient is the same for every b, so differences of second moments are differences of "
        "variances. The best baseline weighs rewards by the squared score, and none does better."
        " W(o) is the reward R, B the baseline b, and ∇log π(o) the score s."
    ),
)


# -- prompts ----------------------------------------------------------------------------------------------------------
claim(
    "pt-reinforce-answer-only",
    any_length(estimate(0), -value_slope, "the texts of the answer, the prompt being any state"),
    samples,
    depends_on=["pt-policy-gradient-induction"],
    kind="unbiasedness",
    locator="Sec 4.1",
    title="The sum from the first token of the answer on",
    printed=(
        r"\text{we start the inner sum of the term from a value of }t\text{ such that it corresponds to the first "
        r"token of the string }\vec{text}_i\text{ where the answer starts}"
    ),
    remark="The prompt is any state, and not drawn from the model; the sum runs over the tokens after it.",
)
