"""What a drawn text teaches: texts of equal reward, one text for each prompt, bad texts, and the best text.

Statement.   A group whose rewards are all equal teaches nothing; texts of one reward have one advantage, however they
             were reached. REINFORCE needs one text for each prompt only. It lowers bad answers on average;
             sample by sample it does so only below the baseline. One step need not make even the best of three
             answers more probable; it does where the best is at least as likely as the second, of two answers, or where
             every logit moves with its advantage.
Source.      Patel (2025), Section 4.1 on generations and on the points made about rejection sampling; Section 4.8 on
             groups; Section 5.3 on supervising the outcome.
Domain.      Groups of any size; any vocabulary, texts of any length; one token and three answers for the
             counter-example.
Derivation.  (13) for k right texts of G; the gradient of (3) for one text; the expected step of a softmax policy,
             answer by answer.
Caveats.     Expected steps without a divergence, where the policy drew the texts itself.
Letters.     R is the reward of a text, B a number of each state, ż the rate of a token's logit. In pt-advantage-winner
             x and y are the probabilities of the best and of the second answer, of rewards 1 and u, or x is that of the
             better of two, of rewards r_a and r_b. In pt-reinforce-mistakes t and v are the logits of two answers, of
             which the first is drawn with the reward r_a and the baseline s. In pt-use-all-samples s is the one reward
             of a group, in pt-outcome-same-advantage 1 − x the share of answers that are right by luck. δ_{o o'} is 1
             for o = o' and 0 else.
"""

from grpo_symbolic.paper import *

from .trees import any_length, mean, one_model, value_slope

claim = Result(__file__).claim

# -- groups -----------------------------------------------------------------------------------------------------------
members = Domain(G >= 2, reals(r, G), i >= 1, i <= G)
of_right, of_wrong = 1 - k / G, -k / G  # (13) where k texts of the group have the reward 1, all others 0
mixed = Domain(G >= 2, k >= 1, k <= G - 1)

claim(
    "pt-use-all-samples",
    Every(
        Always(of_right > 0, label="a group with both rewards: right texts are raised"),
        Always(of_wrong < 0, label="and wrong ones lowered"),
        On(
            Domain(G >= 2, s),
            Equal(s - Sum(s, (j, 1, G)) / G, 0, label="a group of one reward: no text has an advantage"),
        ),
    ),
    mixed,
    kind="inequality",
    depends_on=["pt-eq13-group-advantage"],
    locator="Sec 4.8",
    title="Advantages in a group with rewards 0 and 1, k of G right; in a group of one reward",
    printed=r"\text{what if we calculated the advantage of each response in the group by simply taking the difference "
    r"from the average reward in the group? This would allow us to use all the samples}",
    judged=needs_hypothesis(
        "No reward may be the average of its group: rewards 0 and 1 must not all be equal. Where every text of a group "
        "is right, or every text is wrong, (13) is zero for each of them, and none is used.",
        Always(of_right > 0),
        Domain(G >= 2, k >= 1, k <= G),
    ),
)

claim(
    "pt-outcome-same-advantage",
    On(
        members.also(j >= 1, j <= G),
        Equal(
            r[i] - group_mean(r, G, o) - (r[j] - group_mean(r, G, k)),
            r[i] - r[j],
            label="equal rewards, equal advantages",
        ),
    ),
    members,
    because=(
        On(
            Domain(0 < x, x < 1),
            Equal(1 - (x * 1 + (1 - x) * 1), 0, label="every answer right, a share 1 − x by luck: no advantage left"),
        ),
    ),
    depends_on=["pt-eq13-group-advantage"],
    locator="Sec 5.3",
    title="Advantages under a reward of the outcome alone",
    printed=(
        r"\text{supervising only the final answer (outcome-based) … it is not enough to guarantee correct reasoning}"
    ),
    remark="“Not enough to guarantee” needs one example: where all are right, a share of them by luck, no text has an "
    "advantage, as the step shows.",
)

# -- one text for each prompt -----------------------------------------------------------------------------------------
one_text = Gradient(-TextSum((whole_reward - level) * log(pi[o]), o))
claim(
    "pt-one-generation",
    any_length(mean(one_text), -value_slope, "one text: on average minus the gradient of the expected reward"),
    one_model,
    because=(
        On(
            Domain(reals(r, 1)),
            Equal(r[1] - Sum(r[j], (j, 1, 1)), 0, label="by (13) a group of one text has no advantage"),
        ),
    ),
    depends_on=["pt-eq3-reinforce"],
    kind="unbiasedness",
    locator="Sec 4.1",
    title="One text for each prompt: REINFORCE, and the group advantage",
    printed=r"\text{once we have a reward function, we no longer necessarily need to do multiple generations for the "
    r"same prompt. We can simply do one generation}",
)

# -- bad texts --------------------------------------------------------------------------------------------------------
# Two answers with logits t and v; the first is drawn, with the reward r_a and the baseline s.
first = exp(t) / (exp(t) + exp(v))
push = -((r_a - s) * nll([first])).diff(t)  # what a step of (3) on that answer does to its logit
answers = Domain(n >= 2, simplex(pi, n), reals(r, n), o >= 1, o <= n)
average = Sum(pi[o_] * r[o_], (o_, 1, n))
drawn = Domain(t, v, r_a, s)

claim(
    "pt-reinforce-mistakes",
    Every(
        Equal(
            Sum(pi[o_] * r[o_] * (KroneckerDelta(o_, o) - pi[o]), (o_, 1, n)),
            pi[o] * (r[o] - average),
            label="the expected step on the logit of an answer: down if its reward is below average",
        ),
        On(drawn, Equal(push, (r_a - s) * (1 - first), label="the step on the logit of one drawn answer")),
    ),
    answers,
    because=(
        On(drawn.also(r_a < s), Always((r_a - s) * (1 - first) < 0, label="below the baseline: down")),
        On(drawn.also(r_a > s), Always((r_a - s) * (1 - first) > 0, label="above it: up")),
    ),
    depends_on=["pt-eq3-reinforce", "pt-purely-positive"],
    kind="inequality",
    locator="Sec 4.1, end; Sec 3, item 2",
    title="Bad answers under the expected step, and under a single draw",
    printed=(
        r"\text{REINFORCE is one of the simplest reinforcement learning algorithms, and it addresses the first three "
        r"points that we made about rejection sampling}"
    ),
    remark=(
        "Of the three points this is the second, learning from mistakes; of the third, many samples for each prompt, "
        "speaks pt-one-generation, and the first is about how often parameters are updated. Bad answers are pushed "
        "down by the expected step, with or without a baseline, and by a drawn answer with a reward below the "
        "baseline of (3). Without one, as in the first display, a single draw does so if its reward is negative; if "
        "no reward is, the expected step does, since the better answers are raised more."
    ),
)


# -- the best text ----------------------------------------------------------------------------------------------------
def gained(law, rewards, rate):
    """What the log-probability of the first answer gains, if the logit of each moves at ``rate`` of its probability
    and of its advantage.
    """
    mean_reward = Add(*(p * w for p, w in zip(law, rewards, strict=True)))
    rates = [rate(p, w - mean_reward) for p, w in zip(law, rewards, strict=True)]
    return rates[0] - Add(*(p * z for p, z in zip(law, rates, strict=True)))


def by_gradient(p, a):
    """The expected step of (3), (7), (11) and (14): the gradient of the expected reward in the logit."""
    return p * a


def by_advantage(p, a):
    """The natural gradient: each logit moves with its advantage."""
    return a


three, best_first = (x, y, 1 - x - y), (1, u, 0)
ranked = Domain(0 < x, 0 < y, x + y < 1, 0 < u, u < 1)
steep = gained(three, best_first, by_gradient)
claim(
    "pt-advantage-winner",
    Every(
        On(
            Domain(0 < x, x < 1, r_a > r_b),
            Equal(
                gained((x, 1 - x), (r_a, r_b), by_gradient),
                2 * x * (1 - x) ** 2 * (r_a - r_b),
                label="two answers: the better one gains",
            ),
        ),
        On(
            ranked.also(x >= y),
            Always(steep > 0, label="three answers: the best gains if at least as likely as the second"),
        ),
    ),
    ranked,
    because=(
        Always(gained(three, best_first, by_advantage) > 0, label="three answers, natural gradient: the best gains"),
    ),
    kind="inequality",
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 4.8",
    title="One step and the probability of the best answer",
    printed=r"\text{The whole idea of an advantage function is to advantage the probability of the winning }\vec{text}",
    judged=needs_hypothesis(
        "Needs two answers, or, of three, a best one at least as likely as the second, or a step of natural gradient. "
        "On average over texts of the policy a rare best answer can lose probability to a likely second best, whose "
        "logit rises faster.",
        Always(steep > 0),
    ),
    remark="The rewards are 1, u and 0, of probabilities x, y and 1 − x − y. The formulas are what the log-probability "
    "of the best answer gains per unit of the step.",
)
