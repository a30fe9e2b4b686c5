"""The deviation as a weight on difficulty: which function of the success each normaliser climbs; pass@k likewise.

Statement.   On-policy, without a penalty, GRPO climbs U(x) with U' = Δ(x): without a deviation (1 − 1/G)x,
             leave-one-out x, with the deviation of large groups 2 arctan √(x/(1 − x)), which is 2 arcsin √x, with
             finite groups a polynomial of degree G − 1. Against no deviation a mixed group weighs between 2 and G/√(G −
             1) times as much, most where successes or failures are rare, and 1/√(x(1 − x)) times with large groups.
             Advantages for pass@k climb 1 − (1 − x)^k, of slope k(1 − x)^{k−1}: averaged over all subsets of k of a
             group's G members and added up over the members they are unbiased for it, and best member minus runner-up
             for pass@G; a mean over the members has 1/G of either. Under KL_0 there is at most one rest point.
Source.      Questions on dividing by the deviation; group advantages of pass@k, and of best minus second.
Domain.      Rewards 0 and 1, 0 < x < 1, G ≥ 2, k ≥ 1; p, β of the penalty KL_0.
Derivation.  expected advantages by enumeration → slope → antiderivative; subsets of k members → their expectation →
             slope.
Caveats.     Prompts apart. Subsets and groups are enumerated for G ≤ 5; powers with a symbolic exponent are written as
             exponentials.
Letters.     x is the success of the policy, y that of the policy that samples, p that of the reference; c is the
             deviation of the batch, U the function that is climbed and Δ its slope, the gap. k is the number of right
             members of a group, or that of the draws of pass@k, n is k − 1 and t is −log(1 − x). KL_0 is the mean of k3
             over texts of the old policy.
"""

from itertools import combinations, product

from grpo_symbolic.paper import *

claim = Result(__file__).claim

TWO = Answers(2)
unit = Domain(0 < x, x < 1)


def slope(size):
    """The on-policy slope of the exact objective in the success, without a penalty."""
    return on_policy_slope(expected_surrogate(binary(x), binary(y), (1, 0), TWO, size), x, y)


def climbed(size):
    """The polynomial U of degree G − 1 whose slope is the gap: a Bernstein sum of its summed weights."""
    rest = size - 1
    sums = [Add(*(gap_weight(j + 1, size) for j in range(count))) / rest for count in range(size)]
    return Add(*(binomial(rest, c) * x**c * (1 - x) ** (rest - c) * sums[c] for c in range(size)))


root = 2 * atan(sqrt(x / (1 - x)))
claim(
    "tr-weight-climbed",
    Every(
        *(
            Equal(slope(size), Derivative(climbed(size), x), label=f"own deviation (divisor G), G = {size}")
            for size in (2, 3, 4, 5)
        ),
        Equal(advantage_gap(oo, x), root.diff(x), label="own deviation, large groups: 2 arcsin √x"),
    ),
    unit,
    locator="Topic 12",
    title="The functions of success that the normalisers climb",
    depends_on=["by-norm-no-division"],
    remark="The lines are for G = 2, 3, 4 and 5 and for large groups: left the gap, right the slope of the function "
    "that is climbed, for large groups of 2 arcsin √x. 2 arctan √(x/(1 − x)) is 2 arcsin √x. For every G the gap is 1 "
    "− 1/G without a deviation, 1 leave-one-out, and (1 − 1/G)/c with the deviation c of the batch "
    "(by-norm-no-division). With U for a function whose slope is the gap, a run on many prompts climbs the sum of U "
    "over prompts, each with its own x.",
)

several = Domain(G >= 4, k >= 2, k <= G - 2)
ratio = gap_weight(k, G) / gap_weight(k, G, SHIFT_ONLY)
claim(
    "tr-weight-difficulty",
    Every(
        Equal(ratio, G / sqrt(k * (G - k)), label="a group with k right members, with its deviation against without"),
        On(several, Always(ratio < G / sqrt(G - 1), label="less than where one member differs from all others")),
        On(several.also(Ne(2 * k, G)), Always(ratio > 2, label="and more than where half of the members are right")),
    ),
    Domain(G >= 2, k >= 1, k <= G - 1),
    because=(
        Equal(ratio.subs(k, 1), G / sqrt(G - 1), label="one right member"),
        Equal(ratio.subs(k, G - 1), G / sqrt(G - 1), label="one wrong member: the same"),
        Equal(ratio.subs(k, G / 2), 2, label="half of the members right"),
        On(
            Domain(0 < x, 2 * x < 1),
            Monotone(
                advantage_gap(oo, x) / advantage_gap(oo, x, SHIFT_ONLY),
                x,
                -1,
                label="large groups: the harder, the more",
            ),
        ),
        On(
            unit,
            Equal(advantage_gap(oo, x).subs(x, 1 - x), advantage_gap(oo, x), label="and as much for the easier"),
        ),
    ),
    kind="inequality",
    depends_on=["tr-weight-climbed"],
    locator="Topic 12",
    title="The weight of a group of k right members with its deviation, against without",
    remark="It is largest for one right or one wrong member; for G = 2 and 3 it is a constant.",
)


# -- pass@k ----------------------------------------------------------------------------------------------------------
def subset_advantages(rewards, size):
    """For each member: the best reward of the subsets of ``size`` that it is in, summed, over the number of all."""
    members = range(len(rewards))
    subsets = list(combinations(members, size))
    return [Rational(sum(max(rewards[j] for j in s) for s in subsets if i in s), len(subsets)) for i in members]


def best_minus_second(rewards):
    """For the one best member its lead over the runner-up, nothing for the others."""
    ordered = sorted(rewards)
    return [ordered[-1] - ordered[-2] if r == ordered[-1] else 0 for r in rewards]


def penalty_slope(size, advantages):
    """The expectation of Σ_i A_i ∂ log π(o_i)/∂x over groups drawn from (x, 1 − x)."""
    total = Integer(0)
    for rewards in product((1, 0), repeat=size):
        chance = Mul(*(x if r else 1 - x for r in rewards))
        scores = (1 / x if r else -1 / (1 - x) for r in rewards)
        total += chance * Add(*(a * s for a, s in zip(advantages(rewards), scores, strict=True)))
    return total


claim(
    "tr-pass-unbiased",
    Every(
        *(
            Equal(
                penalty_slope(size, lambda rewards, m=many: subset_advantages(rewards, m)),
                (1 - (1 - x) ** many).diff(x),
                label=f"all subsets of {many} of {size} members",
            )
            for size, many in ((2, 1), (2, 2), (3, 2), (3, 3), (4, 2), (4, 3), (5, 3))
        ),
        *(
            Equal(
                penalty_slope(size, best_minus_second),
                (1 - (1 - x) ** size).diff(x),
                label=f"best minus second, G = {size}",
            )
            for size in (2, 3, 4, 5)
        ),
    ),
    unit,
    kind="identity",
    locator="Topic 13",
    title="The expected step of pass@k advantages, and of best minus second",
    short=("all subsets of 2 of 3 members", "all subsets of 3 of 3 members", "all subsets of 2 of 4 members"),
    remark="x is the chance of success. A member's advantage for pass@k is the sum of the best rewards of the subsets "
    "of k members that it is in, over the number of all subsets of k; on the right is the derivative of 1 − (1 − "
    "x)^k. The three lines of the headline have G = 3 and k = 2, G = 3 and k = 3, G = 4 and k = 2. For best minus "
    "second the right side has k = G. The step is summed over the group; that of a loss that takes the mean over its "
    "members is 1/G of it.",
)

# k(1 − x)^{k − 1}, the power as an exponential: real k ≥ 1, of which the whole ones are needed.
power = exp((k - 1) * log(1 - x))
pass_slope = k * power
curve = pass_slope * x * (1 - x) / (x - p)
claim(
    "tr-pass-rest",
    Every(
        Equal(
            x * (1 - x) * on_policy_slope(-GRPO_PENALTY.expected(binary(x), binary(p), binary(y), TWO, o), x, y),
            p - x,
            label="the step down KL_0, in the logit",
        ),
        Equal(
            log(curve).diff(x),
            1 / x - k / (1 - x) - 1 / (x - p),
            label="every k: the slope of log β, β being k x(1 − x)^k/(x − p) at rest",
        ),
        Always(
            1 / x - k / (1 - x) - 1 / (x - p) < 0, label="it is negative: at most one rest point for every β, k and p"
        ),
        On(
            Domain(k >= 1, 0 < p, p < 1),
            Tends(
                k * exp(-k * t) * (1 - exp(-t)) / (1 - exp(-t) - p),
                t,
                oo,
                0,
                "-",
                label="β → 0 at x = 1, every k: 1 − x is e^{−t}",
            ),
        ),
        On(
            Domain(k >= 1, 0 < p, p < 1),
            Tends((x - p) / (k * exp(k * log(1 - x)) * x), x, p, 0, label="1/β → 0 at x = p, every k"),
        ),
    ),
    Domain(k >= 1, 0 < p, p < x, x < 1),
    kind="uniqueness",
    depends_on=["tr-pass-unbiased"],
    locator="Topic 13",
    title="The rest point of pass@k under KL_0",
    remark="For advantages with which the expected mean over the group of advantage times score is the gradient of "
    "pass@k: G times those of tr-pass-unbiased. At rest β is k x(1 − x)^k/(x − p): the "
    "formulas are the slope of its logarithm, its limit at x = 1, where e^{−t} is 1 − x, and that of 1/β at x = p.",
)

claim(
    "tr-pass-against-one",
    Every(
        Equal(log(pass_slope), log(k) + (k - 1) * log(1 - x), label="k(1 − x)^{k − 1}, as a logarithm"),
        Always(
            Equivalent(log(k) + (k - 1) * log(1 - x) < 0, log(1 - x) < -log(k) / (k - 1)),
            label="pass@k pushes less than the mean reward exactly where failures are rarer than k^{−1/(k − 1)}",
        ),
        On(Domain(k >= 2), Tends(pass_slope, x, 0, k, label="k times as much for rare successes")),
        On(
            Domain(n >= 1),
            Tends(
                (n + 1) * exp(-n * t),
                t,
                oo,
                0,
                "-",
                label="and nothing where success is sure: k = n + 1, 1 − x = e^{−t}",
            ),
        ),
    ),
    Domain(k >= 2, 0 < x, x < 1),
    depends_on=["tr-pass-rest"],
    locator="Topic 13",
    title="The push of pass@k, against that of the mean reward",
    remark="The push is k(1 − x)^{k − 1}, the slope of pass@k in x; that of the mean reward is 1. In the last limit n "
    "is k − 1 and e^{−t} is 1 − x.",
)
