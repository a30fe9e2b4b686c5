"""The critic of PPO on a verifiable reward: whose value lowers the variance of the gradient, and whose raises it.

Statement.   With the critic's value p as baseline, the second moment of the gradient of one sample changes by
             p(pW − (2 − p)C), where C and W are the parts of the mean squared score on correct and on wrong answers;
             its mean does not change. For one correct and one wrong answer it falls below p = 2/3 and rises above. The
             best baseline is the share of C in C + W, there 1 − p.
Source.      Mroueh (2025), Section 1, the paragraph on PPO.
Domain.      Rewards 0 and 1, outcomes as single events, 0 < p < 1, an exact critic; finitely many answers for the
             general formula.
Derivation.  REINFORCE's loss with a baseline on one token → expected square of its gradient → difference to none.
Caveats.     On-policy, one sample. GRPO's mean over a group is the same baseline, estimated.
Letters.     p is the success probability, and so the critic's value; u and v are the mean squared scores on correct and
             on wrong answers, each times its probability: C and W of the statement. t is any baseline; for one correct
             and one wrong answer the baseline is B.
"""

from grpo_symbolic.objectives.policy_gradient import REINFORCE
from grpo_symbolic.paper import *

claim = Result(__file__).claim

# u and v: the mean squared score on correct and on wrong answers, each times its probability.
parts = Domain(0 < success, success < 1, u > 0, v > 0)


def added(baseline):
    """What a baseline adds to E[s²r²] = u."""
    return u * (1 - baseline) ** 2 + v * baseline**2 - u


def second_moment(baseline):
    """The expected square of the gradient of one sample, for one correct and one wrong answer: the reward is 1 on the
    first. The logit of the correct answer moves.
    """
    tree = TokenTree(2, 1).policy(policy_1)
    weight = text_advantage(lambda text: Integer(2 - text[0]), lambda state: baseline)
    moved = tree.expectation(lambda text: tree.gradient(REINFORCE.loss(text, tree, None, weight), direction) ** 2)
    return moved.subs({direction[1]: 1, direction[2]: 0, policy_1[1]: success})


two_answers = second_moment(success) - second_moment(Integer(0))
unit = Domain(0 < success, success < 1)

claim(
    "mr-intro-critic",
    Every(
        On(unit.also(3 * success < 2), Always(two_answers < 0, label="the critic lowers the variance below 2/3")),
        On(unit.also(3 * success > 2), Always(two_answers > 0, label="and raises it above")),
    ),
    parts,
    because=(
        Equal(
            added(success),
            success * (success * v - (2 - success) * u),
            label="any number of answers: the second moment with the critic, less that without",
        ),
        On(
            parts.also(t),
            Equal(
                u * (1 - t) ** 2 + v * t**2,
                u * v / (u + v) + (u + v) * (t - u / (u + v)) ** 2,
                label="the best baseline: the share of the correct answers in the mean squared score",
            ),
        ),
        On(
            unit,
            Equal(
                two_answers,
                success**2 * (1 - success) * (3 * success - 2),
                label="one correct and one wrong answer: that difference as a product",
            ),
        ),
        On(
            unit.also(level),
            Equal(
                second_moment(level),
                success * (1 - success) ** 2 * (1 - level) ** 2 + (1 - success) * success**2 * level**2,
                label="the second moment with a baseline B: u = p(1 − p)², v = p²(1 − p)",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["pt-eq3-reinforce"],
    locator="Sec 1",
    title="The critic's effect on the variance of the gradient, one correct and one wrong answer",
    printed=r"\text{Policy gradient methods are known for their high variance, and PPO mitigates this by learning a "
    r"critic that reduces the variance of gradient estimates}",
    judged=needs_hypothesis(
        "With rewards 0 and 1 the exact critic raises the variance of the gradient once p W > (2 − p) C, where C and W "
        "are the parts of the mean squared score on correct and on wrong answers: for two answers above p = 2/3, "
        "where most samples are right already. The best baseline falls with p there: 1 − p.",
        Always(two_answers < 0),
        unit,
    ),
    remark=(
        "The expected gradient is the same for every baseline (pt-baseline-unbiased), so that differences of second "
        "moments are differences of variances."
    ),
)
