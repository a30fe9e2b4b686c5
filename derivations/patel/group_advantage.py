"""Group-relative advantages: what subtracting the group's mean does to the gradient, and how GRPO's loss relates to
PPO's.

Statement.   The advantages (13) of a group sum to zero. A text's own reward is part of the mean it is compared with, so
             the expected step is (1 − 1/G) times the gradient of the expected reward: its direction is right, its
             length is not. Dividing by deviation or by length can change the direction too.
Source.      Patel (2025), Section 4.8, equations (13), (14).
Domain.      Groups of any size G; groups of two on token trees, also trees whose texts end early, for what the
             divisions do.
Derivation.  (13) as a leave-one-out baseline → the expected step, by induction over the tokens → what the original's
             two divisions do, groups of two enumerated → (14) as one list of texts.
Caveats.     (14) is what the paper calls GRPO: Dr. GRPO, without a divergence. The original divides by deviation and
             length and has a divergence in the loss.
Letters.     R is the reward of a text, R(…) that of the text with these tokens, r(i) that of member i of a group; B is
             a number of a state. π₁(…) and π₀(…) are the probabilities of a token after those before it under M_1 and
             M_0, ż the rate of its logit along θ. c and d are a factor and a shift of the rewards; in
             pt-grpo-model-independent d is by how much the reward of text k is raised. In pt-eq14-same-as-ppo r(k) is
             what text k of S = QG adds up to, Q the number of questions.
"""

from itertools import product

from grpo_symbolic.paper import *

from .trees import domain_of, group_step_is, on_trees, one_model, policies, reward

claim = Result(__file__).claim

group = Domain(G >= 2, reals(r, G), i >= 1, i <= G)
advantage = r[i] - group_mean(r, G, j)  # (13)


def expected_step(policy, size, weights):
    """The expected step of one group: every member's score, weighed by what ``weights(rewards)`` makes of the group's
    rewards, over the group's size."""
    texts = policy.tree.texts()
    total = 0
    for members in product(texts, repeat=size):
        chance = Mul(*(policy.reaches(text) for text in members))
        scores = (Add(*(policy.score(a, s, direction) for a, s in steps(text))) for text in members)
        total += chance * Add(*(w * score for w, score in zip(weights(members), scores, strict=True))) / size
    return total


def dr_grpo(members):
    """(13) for a group of texts."""
    return SHIFT_ONLY.of_group([reward(text) for text in members])


# -- (13) ------------------------------------------------------------------------------------------------------------
claim(
    "pt-eq13-group-advantage",
    Every(
        Equal(Sum(advantage, (i, 1, G)), 0, label="the advantages sum to zero"),
        Equal(
            (scale * r[i] + shift) - Sum(scale * r[j] + shift, (j, 1, G)) / G,
            scale * advantage,
            label="a shift of the rewards goes, a scale stays",
        ),
        Equal(
            advantage,
            (1 - 1 / G) * (r[i] - (Sum(r[j], (j, 1, G)) - r[i]) / (G - 1)),
            label="1 − 1/G times the advantage over the mean of the others",
        ),
    ),
    group.also(scale > 0, shift),
    locator="Sec 4.8, (13)",
    title="The advantage within a group",
    printed=r"A(\vec{text}_{qg})=R(\vec{text}_{qg})-\frac1G\sum_{i=1}^GR(\vec{text}_{qi})",
)


claim(
    "pt-eq13-own-reward",
    On(one_model.also(G >= 2), group_step_is(1 - 1 / G, "any group size, vocabulary and length")),
    group,
    kind="unbiasedness",
    depends_on=["pt-eq13-group-advantage", "pt-baseline-unbiased"],
    locator="Sec 4.8, (13); Sec 4.1",
    title="Expected step with the group's mean as baseline: the factor 1 − 1/G",
    printed=(
        r"\text{what if we calculated the advantage of each response in the group by simply taking the difference from "
        r"the average reward in the group? This … would not require a value function to estimate the advantage}"
    ),
    remark=(
        "No value function is needed. The step is 1 − 1/G times the gradient, as the mean contains the text's own "
        "reward; with the mean of the others it has no such factor."
    ),
)

# -- what Dr. GRPO leaves out -----------------------------------------------------------------------------------------
ending = TokenTree(2, 2, ends=True).policy(policy_1)
triple = policies(3, 1)[0]
levels = {text_reward[1]: 0, text_reward[2]: 1, text_reward[3]: 10}
even = {policy_1[1]: Rational(1, 3), policy_1[2]: Rational(1, 3)}
toward = {direction[1]: 0, direction[2]: 1, direction[3]: 0}


def per_length(members):
    return [a / len(text) for a, text in zip(dr_grpo(members), members, strict=True)]


def normalised(members):
    return SHIFT_AND_SCALE.of_group([reward(text).xreplace(levels) for text in members])


at_levels = expected_step(triple, 2, normalised).xreplace({**even, **toward})
gradient_there = triple.gradient(triple.value(reward), direction).xreplace({**levels, **even, **toward})
longer = {
    text_reward[2]: 0,
    text_reward[1, 1]: 1,
    text_reward[1, 2]: 0,
    policy_1[1]: Rational(1, 2),
    policy_1[1, 1]: Rational(1, 2),
    direction[1]: 1,
    direction[2]: 0,
    direction[1, 1]: 1,
    direction[1, 2]: 0,
}
slope = ending.gradient(ending.value(reward), direction)
ending_step = Equal(
    expected_step(ending, 2, dr_grpo),
    slope / 2,
    label="texts that end early: only the length of the step is off",
)
early = domain_of(ending_step, ending)


def by_deviation(members):
    """Advantages divided by the deviation of the group."""
    return SHIFT_AND_SCALE.of_group([reward(text) for text in members])


def against(weights, point, label):
    """A direction in which the expected reward rises and the expected step falls."""
    return Exists(And(slope > 0, expected_step(ending, 2, weights) < 0), point, label=label)


def turned(step, there):
    """The point, with other rates of the first token and of the one after it."""
    return {**there, direction[1]: step[0], direction[1, 1]: step[1]}


on_levels = {
    **longer,
    text_reward[1, 2]: 10,
    policy_1[1]: Rational(2, 3),  # the three texts are equally likely
}
claim(
    "pt-drgrpo-biases",
    Every(
        ending_step,
        against(per_length, turned((-3, 4), longer), "divided by the length: against the expected reward somewhere"),
        against(
            by_deviation,
            turned((-1, -1), on_levels),
            "divided by the deviation: against the expected reward somewhere; rewards 0, 1, 10",
        ),
    ),
    early,
    because=(
        Exists(
            Ne(
                expected_step(ending, 2, per_length) * slope.xreplace({direction[1]: 0, direction[2]: 0}),
                expected_step(ending, 2, per_length).xreplace({direction[1]: 0, direction[2]: 0}) * slope,
            ),
            longer,
            label="divided by the length, the step has another direction",
        ),
        Equal(
            at_levels, Rational(0), label="rewards 0, 1, 10, divided by the deviation: the step towards the middle one"
        ),
        Equal(gradient_there, Rational(-8, 9), label="the slope of the expected reward towards the middle one"),
    ),
    kind="unbiasedness",
    depends_on=["pt-eq13-own-reward"],
    locator="Sec 4.8",
    title="Direction of the expected step: Dr. GRPO, division by length, by deviation",
    printed=(
        r"\text{a variation of GRPO (called Dr. GRPO) … which eliminates some of the biases in the original GRPO paper}"
    ),
    remark="“Some”: the factor 1 − 1/G stays (pt-eq13-own-reward). Groups of two; texts of one token or two, out of "
    "two tokens, in the last two steps of one token out of three equally likely ones. The directions are "
    "those of the logits. The first part holds for texts of any length too (pt-eq13-own-reward).",
)

# -- (14) -------------------------------------------------------------------------------------------------------------
# r(i) is what text i adds up to over its tokens, whatever that is.
in_groups = Domain(G >= 2, n_questions >= 1, S >= 1, Eq(S, n_questions * G), reals(r, S))
claim(
    "pt-eq14-same-as-ppo",
    Equal(
        -Sum(r[(i - 1) * G + j], (j, 1, G), (i, 1, n_questions)) / (n_questions * G),
        -Sum(r[k], (k, 1, S)) / S,
        label="any number of questions and texts",
    ).by(OneList()),
    in_groups,
    kind="equivalence",
    depends_on=["pt-eq11-ppo", "pt-eq13-group-advantage"],
    locator="Sec 4.8, (14)",
    title="The loss (14) as (11) with the advantage (13)",
    printed=(
        r"\text{the loss remains exactly the same PPO loss: GRPO Loss}=-\frac1{QG}\sum_{q=1}^Q\sum_{g=1}^G\sum_{t=1}^T"
        r"\min\Big[\frac{\pi_1(a_{qgt}|\vec s_{qgt})}{\pi_0(a_{qgt}|\vec s_{qgt})}A(\vec{text}_{qg}),\ \mathrm{CLIP}"
        r"\Big(\frac{\pi_1(a_{qgt}|\vec s_{qgt})}{\pi_0(a_{qgt}|\vec s_{qgt})},1-\epsilon,1+\epsilon\Big)A("
        r"\vec{text}_{qg})\Big]"
    ),
    remark=(
        "r are the sums over the tokens of the texts, in which the losses do not differ. The texts of a group need not "
        "have T tokens each: the inner sum runs to the length of its own text, which neither (11) nor (14) says."
    ),
)


def mean_given_own(policy, own):
    """E[A | this member's text] in groups of two."""
    return policy.expectation(lambda other: SHIFT_ONLY.of_group([reward(own), reward(other)])[0])


raised = r[j] + shift * KroneckerDelta(j, k)  # the rewards of the group, that of text k raised by d
claim(
    "pt-grpo-model-independent",
    Equal(
        raised.xreplace({j: i}) - Sum(raised, (j, 1, G)) / G - (r[i] - group_mean(r, G, j)),
        shift * (KroneckerDelta(i, k) - 1 / G),
        label="a group's rewards are all that it contains, and each of them counts",
    ),
    group.also(k >= 1, k <= G, shift),
    because=(
        *on_trees(
            lambda new, old: Equal(
                mean_given_own(old, old.tree.texts()[0]),
                (reward(old.tree.texts()[0]) - old.value(reward)) / 2,
                label="groups of two, the advantage of text (1, 1) on average over the other: half of its R − V",
            ),
            sizes=((2, 2),),
        ),
    ),
    depends_on=["pt-eq13-group-advantage", "pt-eq4-advantage"],
    locator="Sec 4.8",
    title="The group advantage as a function of the rewards of the group",
    printed=(
        r"\text{The GRPO advantage function does not depend on the model being trained, but it does depend on "
        r"the other generations in the group}"
    ),
    remark=(
        "Text k's reward raised by d changes the advantage of text i by this. The others are drawn from the model, so "
        "in expectation its value function is back: for groups of two as half of R − V at the first state."
    ),
)
