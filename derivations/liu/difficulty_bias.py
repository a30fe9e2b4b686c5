"""Dividing by the deviation of the group: which questions weigh more.

Statement.   Where all rewards of a group are equal the advantage of GRPO is 0/0. For rewards 0 and 1 the deviation is
             √(x(1 − x)), so 1/std weighs a question the more the rarer its failures or its successes. All advantages of
             a group together weigh 2√(x(1 − x)) for each text: less for such questions, though more than without 1/std.
Source.      Liu et al. (2025), Section 3.1, (3) and the second bias; Figure 4.
Domain.      k right answers among G, or a share 0 < x < 1 of right answers.
Derivation.  variance of rewards 0 and 1 → the weight 1/std → mean size of the advantages of a group.
Caveats.     x is the share in the group, not the pass rate. Expected over groups: tr-weight-climbed.
Letters.     x is the share of right answers in a group, k their number among the G of it.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

share = Domain(0 < x, x < 1)
deviation = sqrt(x * (1 - x))
right, wrong_ = 1 - x, -x  # centred rewards

claim(
    "liu-eq3-deviation",
    Every(
        On(share, Equal(x * right**2 + (1 - x) * wrong_**2, x * (1 - x), label="the variance of rewards 0 and 1")),
        Always(k / G * (1 - k / G) > 0, label="it is positive where both rewards occur"),
    ),
    Domain(G >= 2, k >= 1, k <= G - 1),
    kind="inequality",
    locator="Sec 3.1, (3)",
    title="Variance of the rewards in a group, for a share x or k of G of right answers",
    printed=(
        r"\hat A_{i,t}=\frac{R(q,o_i)-\mathrm{mean}(\{R(q,o_1),\dots,R(q,o_G)\})}{\mathrm{std}(\{R(q,o_1),"
        r"\dots,R(q,o_G)\})}"
    ),
    judged=needs_hypothesis(
        "Where all answers of the group are right, or all are wrong, it is 0/0; trainers add a constant to the "
        "deviation, or "
        "leave such groups out.",
        Always(k / G * (1 - k / G) > 0),
        Domain(G >= 2, k >= 0, k <= G),
    ),
)

half = Rational(1, 2)
size = x * right / deviation + (1 - x) * -wrong_ / deviation  # the mean of |Â| over the group
plain = x * right + (1 - x) * -wrong_  # without the division
claim(
    "liu-difficulty-bias",
    Every(
        On(Domain(0 < x, x < half), Monotone(1 / deviation, x, -1, label="1/std falls up to one half right")),
        On(Domain(half < x, x < 1), Monotone(1 / deviation, x, 1, label="and rises from there")),
        On(share, Equal(size, 2 * deviation, label="the mean size of the advantages")),
    ),
    share,
    because=(
        On(
            Domain(0 < x, x < half),
            Monotone(size, x, 1, label="the mean size of the advantages rises up to one half right"),
        ),
        On(
            share,
            Equal(
                size / plain, 1 / deviation, label="the ratio of the mean size to that without the division is 1/std"
            ),
        ),
    ),
    kind="inequality",
    locator="Sec 3.1, question-level difficulty bias",
    title="Easy and hard questions, a share x right: weights by 1/std, mean size of the advantages",
    printed=(
        r"\text{Questions with lower standard deviations (e.g., those that are too easy or too hard, with the outcome "
        r"rewards being almost all 1 or 0) are given higher weights during policy updates}"
    ),
    remark=(
        "The weight is the factor 1/std on the centred rewards, of which the sentence before it speaks. The "
        "advantages themselves are smaller for such questions: their mean size is twice the deviation."
    ),
)
