"""No penalty (β = 0): the softmax flow of one right and one wrong answer, for every group size and normaliser.

Statement.   With logits as parameters the success x moves at 2x²(1 − x)²Δ(x). It moves along a clock F(x) = 2 log(x/(1
             − x)) + 1/(1 − x) − 1/x that runs at 2Δ. Where Δ is a constant γ (no deviation, leave-one-out, batch
             deviation; groups of two and three): F(x) = F(p) + 2γt. It takes about 1/(2γp) to leave a small p, and then
             failure is 1/(2γt). Large groups with their own deviation: (2x − 1)/√(x(1 − x)) = (2p − 1)/√(p(1 − p)) + t,
             so about 1/√p to leave, and failure 1/t². Groups of G with their own deviation run the clock F between 4(1
             − 1/G) and 2√(G − 1), the latter at both ends.
Source.      The default β = 0 of trainers, for which there is no stationary policy inside; extends by-flow-potential.
Domain.      Rewards 1 and 0, 0 < p, x < 1, exact expectations, on-policy, time = learning rate × steps.
Derivation.  objective → slope in x → rates of the two logits → velocity of x → a function of x whose rate is
             constant.
Caveats.     A continuous flow: real steps have finite length and sampled groups. Optimisers that rescale the gradient
             (Adam) have other clocks. Several right answers: equal_answers.py.
Letters.     x is the success, y that of the policy that samples, p that at the start, γ a constant gap, F the clock 2
             log(x/(1 − x)) + 1/(1 − x) − 1/x; c is the deviation of the batch and k the number of right members, in
             sums up to G − 2 that of the right ones beside a right and a wrong one. In labels t is the time, in
             tr-flow-large-groups u is (2x − 1)/√(x(1 − x)), in tr-flow-every-size v is the gap. In tr-flow-velocity s
             and t are the logits of the right and of the wrong answer, u and v their advantages.
"""

from grpo_symbolic.paper import *

from ..beyond.any_group import gap
from ..beyond.group_size_gap import bounds

claim = Result(__file__).claim

unit = Domain(0 < x, x < 1)
SAMPLE_GUARD = Advantage(sample_deviation=True, guard=guard, guard_inside=False)
OTHERS, BATCH = Advantage(scaled=False, leave_one_out=True), Advantage(fixed_deviation=scale)


def rate(objective):
    """d x/dt of the softmax policy with logits s and t when both climb the objective, π_old = π put in afterwards."""
    policy = softmax((s, t))
    slope = objective.diff(x).subs(y, x)
    climbs = [slope * policy[0].diff(z) for z in (s, t)]
    return sum(policy[0].diff(z) * climb for z, climb in zip((s, t), climbs, strict=True))


logits = Domain(s, t, u, v)
here, there = softmax((s, t))
claim(
    "tr-flow-velocity",
    Equal(
        Add(*(Derivative(here, logit) * Derivative(u * here + v * there, logit) for logit in (s, t))),
        2 * (here * there) ** 2 * (u - v),
        label="any advantages u of the right and v of the wrong answer: their gap alone",
    ),
    logits,
    because=(
        Equal(
            rate(x * u + (1 - x) * v).subs(x, here),
            (2 * x**2 * (1 - x) ** 2 * (u - v)).subs(x, here),
            label="by way of the slope in x",
        ),
    ),
    kind="dynamics",
    locator="Topic 2",
    title="The velocity of success under a softmax of the logits s and t, advantages u and v",
    remark="x is the success of the softmax of two logits, which both climb the objective: 2x²(1 − x)² times the gap.",
)

clock = 2 * log(x / (1 - x)) + 1 / (1 - x) - 1 / x
speed = 2 * x**2 * (1 - x) ** 2 * gamma
constant = {
    "no deviation": (SHIFT_ONLY, 1 - 1 / G),
    "leave-one-out": (OTHERS, 1),
    "batch deviation": (BATCH, (1 - 1 / G) / scale),
}
claim(
    "tr-flow-clock",
    Every(
        Equal(speed * Derivative(clock, x), 2 * gamma, label="along the flow F runs at 2γ"),
        Monotone(clock, x, 1, label="F rises with x: it is a clock"),
        Tends(clock, x, 0, -oo, label="from −∞ at 0"),
        Tends(clock, x, 1, oo, "-", label="to ∞ at 1: x reaches 1 in no finite time, and no x below 1 is the end"),
    ),
    Domain(0 < x, x < 1, gamma > 0),
    because=(
        Equal(Derivative(clock, x), 1 / (x**2 * (1 - x) ** 2), label="the slope of F"),
        *(
            On(
                Domain(G >= 2, k >= 1, k <= G - 1, scale > 0),
                Equal(gap_weight(k, G, advantage), value, label=f"{name}: γ, for every G"),
            )
            for name, (advantage, value) in constant.items()
        ),
        *(
            Equal(advantage_gap(size, x), value, label=f"own deviation (divisor G), G = {size}: γ")
            for size, value in ((2, 1), (3, sqrt(2)))
        ),
    ),
    kind="dynamics",
    depends_on=["tr-flow-velocity"],
    locator="Topic 2",
    title="A constant gap γ: the velocity of success, and its clock F",
)

half = Rational(1, 2)


def since(end):
    """The time from p to a success, by the clock."""
    return (clock.subs(x, end) - clock.subs(x, p)) / (2 * gamma)


claim(
    "tr-flow-constant-times",
    Every(
        On(
            Domain(gamma > 0),
            Tends(p * since(half), p, 0, 1 / (2 * gamma), label="from a small p to ½: 1/(2γp)"),
        ),
        On(
            Domain(gamma > 0, 0 < p, p < 1),
            Tends((1 - x) * since(x), x, 1, 1 / (2 * gamma), "-", label="to a small failure: 1/(2γ(1 − x))"),
        ),
    ),
    unit,
    because=(
        Tends(-clock * x, x, 0, 1, label="−F(x) is about 1/x near 0"),
        Tends(clock * (1 - x), x, 1, 1, "-", label="F(x) is about 1/(1 − x) near 1: late failure is about 1/(2γt)"),
        Equal(clock.subs(x, half), 0, label="F(½) = 0: the time to ½ is −F(p)/(2γ)"),
        Monotone(-clock, x, -1, label="the rarer success at the start, the longer the time to ½"),
    ),
    kind="limit",
    depends_on=["tr-flow-clock"],
    locator="Topic 2",
    title="A constant gap γ: the time from a small p to ½, and from p to an x near 1",
    remark="The time is that of the clock: (F(x) − F(p))/(2γ), tr-flow-clock.",
)

angle = (2 * x - 1) / sqrt(x * (1 - x))
start = (2 * p - 1) / sqrt(p * (1 - p))
path = (1 + u / sqrt(4 + u**2)) / 2  # u: the angle reached
claim(
    "tr-flow-large-groups",
    Every(
        On(
            Domain(u),
            Equal(
                Derivative(path, u),
                2 * (path * (1 - path)) ** Rational(3, 2),
                label="x as a function of u = start + t",
                hint=(sqrt(4 + u**2) > u, sqrt(4 + u**2) > -u, 4 * path * (1 - path) * (4 + u**2) > 3),
            ),
        ),
        On(Domain(0 < p, p < 1), Equal(path.subs(u, start), p, label="from p")),
        Tends(-start * sqrt(p), p, 0, 1, label="the time to ½, −u at the start, is about 1/√p for small p"),
        Tends((1 - path) * u**2, u, oo, 1, "-", label="and late failure is about 1/u²"),
    ),
    unit,
    because=(
        Equal(2 * x * (1 - x) * success_gradient(oo, x), 2 * (x * (1 - x)) ** Rational(3, 2), label="the velocity"),
        Equal(
            Derivative(angle, x),
            (x * (1 - x)) ** Rational(-3, 2) / 2,
            label="the slope of (2x − 1)/√(x(1 − x)), which so runs at 1",
        ),
        On(Domain(u), Equal(angle.subs(x, path), u, label="solved for x")),
    ),
    kind="dynamics",
    depends_on=["tr-flow-velocity"],
    locator="Topic 2",
    title="Large groups with their own deviation: success over time, in closed form",
    remark="The velocity is 2(x(1 − x))^{3/2}; u is (2p − 1)/√(p(1 − p)), its value where x is p, plus the time. At u "
    "= 0 x is ½.",
)

# The gap is an average of the weights, so its bounds are theirs.
mixed = Domain(G >= 2, k >= 1, k <= G - 1)
weight = gap_weight(k, G)
claim(
    "tr-flow-every-size",
    Every(
        Always(2 * gap(G, x) >= 4 * (1 - 1 / G), label="at least").by(Follows((bounds,), ("from below",))),
        Always(2 * gap(G, x) <= 2 * sqrt(G - 1), label="at most").by(Follows((bounds,), ("from above",))),
    ),
    Domain(G >= 2, 0 < x, x < 1),
    because=(
        Equal(
            Derivative(clock, x) * 2 * x**2 * (1 - x) ** 2 * gap(G, x),
            2 * gap(G, x),
            label="the slope of F times the velocity is twice the gap",
        ),
        On(mixed.also(Ne(2 * k, G)), Always(weight > 2 * (1 - 1 / G), label="every weight is at least 2(1 − 1/G)")),
        On(
            Domain(G >= 4, k >= 2, k <= G - 2),
            Always(weight < sqrt(G - 1), label="and below √(G − 1) but for a single success or failure"),
        ),
        Equal(weight.subs(k, G / 2), 2 * (1 - 1 / G), label="attained by halves"),
        Equal(weight.subs(k, 1), sqrt(G - 1), label="a single success"),
        Equal(weight.subs(k, G - 1), sqrt(G - 1), label="and a single failure: the gaps at both ends"),
        On(Domain(G >= 4), Always(sqrt(G - 1) > 2 * (1 - 1 / G), label="not a constant from G = 4 on")),
    ),
    kind="inequality",
    depends_on=["tr-flow-clock", "by-gap-weight", "by-gap-bounds"],
    locator="Topic 2",
    title="The speed of the clock, twice the gap, for groups of G with their own deviation",
    remark=(
        "Against no deviation, whose clock runs at 2(1 − 1/G) (tr-flow-clock), that is between 2 and G/√(G − 1) times "
        "the speed."
    ),
)

ends = {
    "own deviation": (SHIFT_AND_SCALE, sqrt(G - 1)),
    "sample deviation": (Advantage(sample_deviation=True), (G - 1) / sqrt(G)),
    "sample deviation + ε": (SAMPLE_GUARD, (G - 1) / (sqrt(G) + guard * G)),
    "own deviation + ε": (Advantage(guard=guard, guard_inside=False), (G - 1) / (sqrt(G - 1) + guard * G)),
    "√(variance + ε)": (Advantage(guard=guard), (G - 1) / sqrt(G - 1 + guard * G**2)),
    "no deviation": (SHIFT_ONLY, 1 - 1 / G),
    "leave-one-out": (OTHERS, 1),
    "batch deviation": (BATCH, (1 - 1 / G) / scale),
}
claim(
    "tr-flow-ends",
    Every(
        *(
            Equal(gap_weight(one, G, advantage), value, label=f"{name}, {where}")
            for name, (advantage, value) in ends.items()
            for where, one in (("rare success", 1), ("rare failure", G - 1))
        )
    ),
    Domain(G >= 2, guard > 0, scale > 0),
    depends_on=["by-gap-weight"],
    locator="Topic 2",
    title="The gap of each normaliser at both ends",
    short=(
        "own deviation, rare success",
        "sample deviation, rare success",
        "sample deviation + ε, rare success",
        "own deviation + ε, rare success",
    ),
    remark="Where the gap is a constant γ, what it says of the times is in tr-flow-constant-times.",
)
