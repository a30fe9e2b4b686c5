"""Verifiable rewards, any group size: the expected advantage gap between a correct and a wrong answer.

Statement.   With groups of G drawn from a policy of success probability x, a correct answer is expected to be better
             off than a wrong one by Δ_G(x) = E[(G − 1)/√((J + 1)(G − 1 − J))], J the number of correct ones among G −
             2: a Bernstein polynomial of degree G − 2, a polynomial of degree ⌊(G − 2)/2⌋ in the variance v = x(1 − x).
             Δ_2 = 1, Δ_3 = √2, Δ_4 = √3 + (3 − 2√3)v, Δ_5 = 2 + (2√6 − 6)v; Δ_G grows with G towards 1/√v, lies between
             2(1 − 1/G) and min{√(G − 1), 1/√v}, and is convex and symmetric in x: least at ½, √(G − 1) at both ends.
             m_G = vΔ_G is the Bernstein polynomial of √(t(1 − t)), concave.
Source.      Question 1 of the project's theory; extends Vojnovic & Yun (2025), (6), (12), (13) and Mroueh (2025), (4).
Domain.      Rewards 0 and 1; G = 2, 3, …; 0 < x < 1; any number of correct and of wrong answers.
Derivation.  advantages of a mixed group with k correct members → weight of a pair (correct, wrong) → sum over k → the
             coefficients in k and G decide shape, bounds and growth for every G, since Bernstein polynomials inherit
             them.
Caveats.     Advantages as published: the group's own mean and deviation, 0/0 ≡ 0. Inequalities in k and G are proved
             for all real k and G of the range, of which the whole ones are needed.
"""

from sympy import Add, Eq, Equivalent, Gt, Ne, Rational, binomial, oo, sqrt

from grpo_symbolic.notation import G, k, o, t, u, v, x, y
from grpo_symbolic.objectives import SHIFT_AND_SCALE, Answers, binary
from grpo_symbolic.optimality.verifiable import (
    advantage_gap,
    advantage_in_group,
    gap_in_variance,
    gap_weight,
    success_drive,
)
from grpo_symbolic.proof import Always, Curved, Domain, Equal, Every, Monotone, On, Result, Tends

claim = Result(__file__).claim

mixed = Domain(G >= 2, k >= 1, k <= G - 1)
unit = Domain(0 < x, x < 1)
right, wrong = (advantage_in_group(reward, k, G) for reward in (1, 0))


pair = binary(x)


def enumerated(size, sampler=pair, rewards=(1, 0)):
    """P_G(correct) − P_G(wrong), the first answer against the last: every group enumerated from the definition."""
    first, last = (
        SHIFT_AND_SCALE.preference(a, sampler, rewards, Answers(len(rewards)), size, o) for a in (0, len(rewards) - 1)
    )
    return first - last


def group(correct, size):
    """The advantages of the first (correct) and of the last (wrong) member of one group, from the definition."""
    advantages = SHIFT_AND_SCALE.of_group([1] * correct + [0] * (size - correct))
    return advantages[0], advantages[-1]


claim(
    "by-gap-members",
    Every(
        Equal(right, sqrt((G - k) / k), label="a correct member"),
        Equal(wrong, -sqrt(k / (G - k)), label="a wrong one"),
        Equal(k * right, -(G - k) * wrong, label="the two classes balance"),
        *(
            On(
                Domain(0 < t, t < 1),
                Equal(
                    t * group(c, size)[0],
                    t * right.subs({k: c, G: size}),
                    label=f"from the definition, {c} of {size}: correct",
                ),
            )
            for size in (2, 3, 4)
            for c in range(1, size)
        ),
        *(
            On(
                Domain(0 < t, t < 1),
                Equal(t * group(c, size)[1], t * wrong.subs({k: c, G: size}), label=f"{c} of {size}: wrong"),
            )
            for size in (2, 3, 4)
            for c in range(1, size)
        ),
    ),
    mixed,
    locator="Question 1",
    title="Advantages in a mixed group",
    says=r"A(1)=\sqrt{\tfrac{G-k}k},\ A(0)=-\sqrt{\tfrac k{G-k}}\ \text{with }k\text{ of }G\text{ correct}",
    lemmas=["the rewards of a group with k ones among G have mean k/G and variance (k/G)(1 − k/G)"],
)

weight = gap_weight(k, G)  # from the advantage; its closed form is shown next
shape = (G - 1) / sqrt(k * (G - k))
claim(
    "by-gap-weight",
    Every(
        Equal(weight, shape, label="weight of k correct members"),
        Equal(
            k * (G - k) / (G * (G - 1)) * (right - wrong),
            k * (G - k) / (G * (G - 1)) * G / sqrt(k * (G - k)),
            label="the gap within the group",
        ),
        Equal(
            k * (G - k) / (G * (G - 1)) * weight,
            sqrt((k / G) * (1 - k / G)),
            label="√(t(1 − t)) at t = k/G, in the chances of k among G",
        ),
        Equal(weight.subs(k, G - k), weight, label="symmetric in correct and wrong"),
    ),
    mixed,
    locator="Question 1",
    title="What k correct members of G contribute to the gap",
    depends_on=["by-gap-members"],
    lemmas=["C(G, k) k(G − k) = G(G − 1) C(G − 2, k − 1): a group seen from one correct and one wrong member"],
)

claim(
    "by-gap-exact",
    Every(
        *(Equal(enumerated(size), advantage_gap(size, x), label=f"enumerated, G = {size}") for size in range(2, 8)),
        *(
            Equal(
                advantage_gap(size, x),
                gap_in_variance(size, v).subs(v, x * (1 - x)),
                label=f"in the variance, G = {size}",
            )
            for size in range(4, 9)
        ),
        Equal(enumerated(oo), 1 / sqrt(x * (1 - x)), label="large groups"),
    ),
    unit,
    locator="Question 1",
    title="The expected advantage gap, exactly",
    depends_on=["by-gap-weight"],
    says=r"\Delta_G(x)=\sum_{k=1}^{G-1}\tbinom{G-2}{k-1}x^{k-1}(1-x)^{G-1-k}\tfrac{G-1}{\sqrt{k(G-k)}}",
    lemmas=["k − 1 among the other G − 2 members of a pair are correct with the chances of Bin(G − 2, x)"],
    remark="For every G by the weight of by-gap-weight; the groups of sizes 2 to 7 are enumerated besides.",
)

three, four = (x, y, 1 - x - y), (x, t, y, 1 - x - y - t)
claim(
    "by-gap-classes",
    Every(
        *(
            Equal(
                enumerated(size, three, (1, 1, 0)),
                enumerated(size, binary(x + y)),
                label=f"two correct answers, G = {size}",
            )
            for size in (2, 3, 4)
        ),
        *(
            Equal(
                enumerated(size, three, (1, 0, 0)), enumerated(size, binary(x)), label=f"two wrong answers, G = {size}"
            )
            for size in (2, 3, 4)
        ),
        On(
            Domain(0 < x, 0 < y, 0 < t, x + y + t < 1),
            Equal(enumerated(3, four, (1, 1, 0, 0)), enumerated(3, binary(x + t)), label="two of each, G = 3"),
        ),
    ),
    Domain(0 < x, 0 < y, x + y < 1),
    locator="Question 1",
    title="Only the success probability matters, however many answers are correct or wrong",
    depends_on=["by-gap-exact"],
    says=r"\mathcal P_G(o)-\mathcal P_G(o')=\Delta_G(\mathbb P(r=1))",
    lemmas=["the advantage of a member depends on the numbers of correct and wrong members only"],
)

claim(
    "by-gap-closed-forms",
    Every(
        Equal(enumerated(2), 1, label="G = 2: no trace of x"),
        Equal(enumerated(3), sqrt(2), label="G = 3: nor here"),
        Equal(enumerated(4), sqrt(3) + (3 - 2 * sqrt(3)) * x * (1 - x), label="G = 4"),
        Equal(enumerated(5), 2 + (2 * sqrt(6) - 6) * x * (1 - x), label="G = 5"),
        Equal(
            enumerated(6),
            sqrt(5)
            + (5 * sqrt(2) - 4 * sqrt(5)) * x * (1 - x)
            + (10 - 10 * sqrt(2) + 2 * sqrt(5)) * (x * (1 - x)) ** 2,
            label="G = 6",
        ),
    ),
    unit,
    locator="Question 1",
    title="The gap for small groups",
    depends_on=["by-gap-exact"],
    says=r"\Delta_2=1,\ \Delta_3=\sqrt2,\ \Delta_4=\sqrt3+(3-2\sqrt3)v,\ \Delta_5=2+(2\sqrt6-6)v,\ v=x(1-x)",
    remark=(
        "For G = 2 and 3 the gap is constant, so every result on groups of two with margin γ holds with γ = 1 "
        "and √2; from G = 4 on it depends on x."
    ),
)

claim(
    "by-gap-bounds",
    Every(
        Always(
            Equivalent(shape > 2 * (G - 1) / G, Ne(2 * k, G)),
            label="from below, each weight, larger unless as many are correct as wrong",
        ),
        Always(Equivalent(Eq(shape, 2 * (G - 1) / G), Eq(2 * k, G)), label="and then equal"),
        Always(
            Equivalent(shape < sqrt(G - 1), (k > 1) & (k < G - 1)),
            label="from above, each weight, with equality for a lone correct or wrong member",
        ),
        Always(Equivalent(Eq(shape, sqrt(G - 1)), Eq(k, 1) | Eq(k, G - 1)), label="and no weight exceeds it"),
        On(
            Domain(0 < v, 4 * v <= 1, G >= 3), Always(2 * (G - 1) / G > 1, label="more than the gap 1 of groups of two")
        ),
        On(
            Domain(0 < t, t < 1),
            Curved(sqrt(t * (1 - t)), t, -1, label="√(t(1 − t)) is concave, so Jensen gives m_G < √v"),
        ),
        *(
            On(
                Domain(0 < v, 4 * v <= 1),
                Always(gap_in_variance(size, v) * sqrt(v) < 1, label=f"below that of large groups, G = {size}"),
            )
            for size in (2, 3, 4)
        ),
    ),
    mixed,
    kind="inequality",
    locator="Question 1",
    title="Bounds on the gap for every group size",
    depends_on=["by-gap-exact"],
    says=r"2(1-\tfrac1G)\le\Delta_G(x)\le\min\{\sqrt{G-1},\tfrac1{\sqrt{x(1-x)}}\}",
    lemmas=[
        "a Bernstein polynomial is an average of its coefficients",
        "Jensen: E f(K/G) < f(x) for a strictly concave f, E K/G = x",
    ],
    remark="Equality on the left for G = 2, on the right for G = 2 and 3.",
)

low, high = Domain(0 < v, 4 * v <= 1), Domain(0 < x, 2 * x < 1)
claim(
    "by-gap-shape",
    Every(
        On(Domain(0 < t, t < u), Curved(1 / sqrt(t * (u - t)), t, 1, label="the weights are convex in k")),
        *(
            On(high, Monotone(advantage_gap(size, x), x, -1, label=f"decreasing up to ½, G = {size}"))
            for size in (4, 5)
        ),
        *(On(unit, Curved(advantage_gap(size, x), x, 1, label=f"convex, G = {size}")) for size in (4, 5)),
        *(
            On(low, Monotone(gap_in_variance(size, v), v, -1, label=f"decreasing in the variance, G = {size}"))
            for size in (4, 5, 6)
        ),
        *(Tends(advantage_gap(size, x), x, 0, sqrt(size - 1), label=f"at the ends, G = {size}") for size in (4, 5, 8)),
        On(Domain(G >= 2), Equal(weight.subs(k, 1), sqrt(G - 1), label="at the ends, every G: the first weight")),
    ),
    unit,
    kind="convexity",
    locator="Question 1",
    title="The gap is convex and symmetric: least at ½, largest for rare and for common successes",
    depends_on=["by-gap-exact"],
    says=r"\Delta_G''\ge0,\ \Delta_G(x)=\Delta_G(1-x),\ \Delta_G(0)=\sqrt{G-1}",
    lemmas=[
        "a Bernstein polynomial with convex (symmetric) coefficients is convex (symmetric), and its value at 0 "
        "is its first coefficient",
        "a convex function symmetric about ½ does not increase up to ½",
    ],
)

second = Domain(G >= 2, k >= 0, k <= G - 2)
claim(
    "by-gap-drive-concave",
    Every(
        Always(
            sqrt(k * (G - k)) + sqrt((k + 2) * (G - k - 2)) < 2 * sqrt((k + 1) * (G - k - 1)),
            label="second differences of √(k(G − k))",
        ),
        *(On(unit, Curved(success_drive(size, x), x, -1, label=f"m_G, G = {size}")) for size in (2, 3, 4, 5)),
        On(unit, Curved(success_drive(oo, x), x, -1, label="large groups")),
        *(
            On(unit, Tends(success_drive(size, x), x, 1, 0, "-", label=f"zero at the ends, G = {size}"))
            for size in (2, 3, 4, 5)
        ),
    ),
    second,
    kind="convexity",
    locator="Question 1",
    title="m_G = x(1 − x)Δ_G is strictly concave and vanishes at both ends",
    depends_on=["by-gap-weight"],
    says=r"m_G''<0,\ m_G(0)=m_G(1)=0",
    lemmas=[
        "B_G f'' = G(G − 1) times the Bernstein polynomial of degree G − 2 of the second differences of the "
        "coefficients of B_G f"
    ],
)

# of m_G, written with degree G + 1
elevated = (k * sqrt((k - 1) * (G + 1 - k)) + (G + 1 - k) * sqrt(k * (G - k))) / (G * (G + 1))
target = sqrt(k * (G + 1 - k)) / (G + 1)  # of m_{G+1}
between = Domain(G >= 2, k > 1, k < G)
claim(
    "by-gap-monotone-in-size",
    Every(
        Equal(
            elevated,
            target * (sqrt(k * (k - 1)) + sqrt((G + 1 - k) * (G - k))) / G,
            label="the coefficient of m_G over that of m_{G+1}",
        ),
        Always(sqrt(k * (k - 1)) < k - Rational(1, 2), label="below 1: the mean of k and k − 1 exceeds their root"),
        Always(sqrt((G + 1 - k) * (G - k)) < G - k + Rational(1, 2), label="and the two bounds add up to G"),
        On(Domain(G >= 2), Always(elevated.subs(k, 1) < target.subs(k, 1), label="k = 1")),
        On(Domain(G >= 2), Always(elevated.subs(k, G) < target.subs(k, G), label="k = G")),
        *(
            On(
                unit,
                Always(
                    Gt(advantage_gap(size + 1, x), advantage_gap(size, x), evaluate=False),
                    label=f"from G = {size} to {size + 1}",
                ),
            )
            for size in (2, 3, 4)
        ),
    ),
    between,
    kind="monotonicity",
    locator="Question 1",
    title="The gap grows with the group",
    depends_on=["by-gap-weight"],
    says=r"\Delta_2<\Delta_3<\Delta_4<\dots<\tfrac1{\sqrt{x(1-x)}}",
    lemmas=[
        "degree elevation: dropping a random member of a group of G + 1 leaves a group of G, and k of its "
        "members are correct with the weights of the claim"
    ],
)

# How fast: √s ≥ s(3 − s)/2 around s = 1, with s = K(G − K)/(G²v) and its first two moments.
mean = (G - 1) / G
square = (G - 1) * ((G - 2) * (G - 3) + (G - 1) / v) / G**3


def moment(size, power):
    """E[(K(G − K)/G²)^power] for K ~ Bin(G, x)."""
    return Add(
        *(
            binomial(size, c) * x**c * (1 - x) ** (size - c) * (Rational(c * (size - c), size**2)) ** power
            for c in range(size + 1)
        )
    )


claim(
    "by-gap-rate",
    Every(
        On(Domain(0 < u), Always(u >= u**2 * (3 - u**2) / 2, label="√s ≥ s(3 − s)/2, with u = √s")),
        Always(1 - (3 * mean - square) / 2 <= 1 / (2 * G * v), label="its expectation"),
        *(
            On(unit, Equal(moment(size, 1) / (x * (1 - x)), mean.subs(G, size), label=f"first moment, G = {size}"))
            for size in (2, 3, 4)
        ),
        *(
            On(
                unit,
                Equal(
                    moment(size, 2) / (x * (1 - x)) ** 2,
                    square.subs(G, size).subs(v, x * (1 - x)),
                    label=f"second moment, G = {size}",
                ),
            )
            for size in (2, 3, 4)
        ),
        *(
            On(low, Always(1 - sqrt(v) * gap_in_variance(size, v) < 1 / (2 * size * v), label=f"the bound, G = {size}"))
            for size in (2, 3, 4)
        ),
    ),
    Domain(0 < v, 4 * v <= 1, G >= 2),
    kind="limit",
    locator="Question 1",
    title="How fast the gap reaches that of large groups",
    depends_on=["by-gap-exact", "by-gap-bounds"],
    says=r"0<1-\sqrt v\,\Delta_G\le\tfrac1{2Gv},\ \text{so }\Delta_G\to\tfrac1{\sqrt v}",
    lemmas=[
        "factorial moments of the binomial: E[K(G − K)] = G(G − 1)v, E[(K(G − K))²] = G(G − 1)((G − 2)(G − 3)v² "
        "+ (G − 1)v)"
    ],
    remark=(
        "The relative error of the large-group formula is at most 1/(2Gv): small once the group is expected to "
        "hold several correct and several wrong answers."
    ),
)
