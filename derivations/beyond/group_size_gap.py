"""Verifiable rewards, any group size: the expected advantage gap between a correct and a wrong answer.

Statement.   With groups of G drawn from a policy of success probability x, a correct answer is expected to be better
             off than a wrong one by Δ_G(x) = E[(G − 1)/√((J + 1)(G − 1 − J))], J the number of correct ones among G −
             2: a Bernstein polynomial of degree G − 2, and being symmetric a polynomial of degree ⌊(G − 2)/2⌋ at most
             in the variance v = x(1 − x). Δ_2 = 1, Δ_3 = √2, Δ_4 = √3 + (3 − 2√3)v, Δ_5 = 2 + (2√6 − 6)v; Δ_G grows
             with G towards 1/√v, lies between 2(1 − 1/G) and min{√(G − 1), 1/√v}, and is convex and symmetric in x:
             least at ½, √(G − 1) at both ends. m_G = vΔ_G is the Bernstein polynomial of √(t(1 − t)), concave.
Source.      Question 1 of the project's theory; extends Vojnovic & Yun (2025), (6), (12), (13) and Mroueh (2025), (4).
Domain.      Rewards 0 and 1; G = 2, 3, …; 0 < x < 1; any finite number of correct and of wrong answers.
Derivation.  advantages of a mixed group with k correct members → weight of a pair (correct, wrong) → sum over k → the
             coefficients in k and G decide shape, bounds and growth for every G, since Bernstein polynomials inherit
             them.
Caveats.     Advantages as published: the group's own mean and deviation, 0/0 ≡ 0. Inequalities in k and G are proved
             for all real k and G of the range, of which the whole ones are needed.
Letters.     x is success and v the variance x(1 − x); t is the argument of √(t(1 − t)) in labels. In the label of
             by-gap-rate K is the number of correct members and s is K(G − K)/(G²v). m_G(x) is x(1 − x) times the gap of
             the expected advantages of right and wrong answers. (14) is an equation of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

from .any_group import gap, success_slope

claim = Result(__file__).claim

mixed = Domain(G >= 2, k >= 1, k <= G - 1)
unit = Domain(0 < x, x < 1)
right, wrong = (advantage_in_group(reward, k, G) for reward in (1, 0))
large_groups = [SHIFT_AND_SCALE.preference(a, binary(x), (1, 0), Answers(2), oo, o) for a in (0, 1)]


deviation = sqrt(k / G * (1 - k / G))
claim(
    "by-gap-members",
    Every(
        Equal(Sum(1, (i, 1, k)) / G, k / G, label="the mean reward of k ones and G − k zeros"),
        Equal(
            (Sum((1 - k / G) ** 2, (i, 1, k)) + Sum((0 - k / G) ** 2, (i, 1, G - k))) / G,
            deviation**2,
            label="and their variance",
        ),
        Equal((1 - k / G) / deviation, right, label="a correct member: reward minus mean, over the deviation"),
        Equal((0 - k / G) / deviation, wrong, label="a wrong one"),
        Equal(right, sqrt((G - k) / k), label="a correct member"),
        Equal(wrong, -sqrt(k / (G - k)), label="a wrong one"),
        Equal(k * right, -(G - k) * wrong, label="the two classes balance"),
    ),
    mixed,
    locator="Question 1",
    title="Advantages in a mixed group",
)

weight = gap_weight(k, G)  # from the advantage; its closed form is shown next
shape = (G - 1) / sqrt(k * (G - k))
AS_SLOPE = ("counted with a wrong member", "and with a correct one")
BELOW_SPREAD = "below √v, as √(t(1 − t)) is below its tangent at t = x"
any_size, spread = Domain(G >= 2, 0 < x, x < 1), sqrt(x * (1 - x))
of_correct = binomial_mean(sqrt((G - 1 - k) / (k + 1)), k, G - 1, x)  # by the correct ones among the other G − 1
pairs = claim(
    "by-gap-weight",
    Equal(weight, shape, label="weight of k correct members"),
    mixed,
    because=(
        Equal(
            k * (G - k) / (G * (G - 1)) * (right - wrong),
            k * (G - k) / (G * (G - 1)) * G / sqrt(k * (G - k)),
            label="the gap within the group, times the share k(G − k)/(G(G − 1)) of pairs",
        ),
        Equal(
            k * (G - k) / (G * (G - 1)) * weight,
            sqrt((k / G) * (1 - k / G)),
            label="the contribution times this share: √(t(1 − t)) at t = k/G",
        ),
        Equal(weight.subs(k, G - k), weight, label="symmetric in correct and wrong"),
        On(
            any_size,
            Equal((1 - x) * gap(G, x), of_correct, label="counted with a wrong member").by(OneMoreDraw(0, 1)),
        ),
        On(
            any_size,
            Equal(x * of_correct, success_slope(G, x), label="and with a correct one").by(OneMoreDraw(1, 0)),
        ),
    ),
    locator="Question 1",
    title="Contribution of k correct members of G to the gap",
    depends_on=["by-gap-members"],
)

# Advantages by the number k of correct ones among the other G − 1. The closed forms of by-gap-members are 0 in
# groups of equal rewards, too, which teach nothing.
correct_member, wrong_member = sqrt((G - 1 - k) / (k + 1)), -sqrt(k / (G - k))
of_a_correct = CountMean(correct_member, k, G - 1, x, success_slope(G, x) / x, label="advantage of a correct output")
of_a_wrong = CountMean(wrong_member, k, G - 1, x, -success_slope(G, x) / (1 - x), label="advantage of a wrong output")
MEMBERS = (
    of_a_correct.by(IndependentSuccesses(OneMoreDraw(1, 0))),
    of_a_wrong.by(IndependentSuccesses(OneMoreDraw(0, -1))),
)
in_slope = Always(
    Eq(success_slope(G, x) / x + success_slope(G, x) / (1 - x), gap(G, x), evaluate=False), label="the gap between them"
).by(Follows((pairs,), AS_SLOPE))
both_members = correct_member - wrong_member
of_both = CountMean(both_members, k, G - 1, x, gap(G, x), label="by how much more a correct output is worth").by(
    IndependentSuccesses(Then((Equal(gap(G, x), binomial_mean(both_members, k, G - 1, x)).by(OneMoreDraw()),)))
)
claim(
    "by-gap-exact",
    On(any_size, of_both),
    unit,
    because=(
        *(On(any_size, statement) for statement in (*MEMBERS, in_slope)),
        *(
            Equal(
                advantage_gap(size, x),
                gap_in_variance(size, v).subs(v, x * (1 - x)),
                label=f"in the variance, G = {size}",
            )
            for size in range(4, 9)
        ),
        Equal(large_groups[0] - large_groups[1], 1 / sqrt(x * (1 - x)), label="large groups"),
    ),
    locator="Question 1",
    title="The expected advantage gap as a sum over the number of correct members",
    depends_on=["by-gap-weight"],
    remark=(
        "√((G − k − 1)/(k + 1)) is the advantage of a correct output beside k correct ones, and −√(k/(G − k)) that of "
        "a wrong one (by-gap-members)."
    ),
)

classes = any_size.also(n_hit >= 1, n_miss >= 1, simplex(hit, n_hit, total=x), simplex(miss, n_miss, total=1 - x))
claim(
    "by-gap-classes",
    of_both,
    classes,
    because=(*MEMBERS, in_slope),
    locator="Question 1",
    title="The gap with any finite numbers of correct and of wrong answers",
    depends_on=["by-gap-exact", "by-gap-weight"],
    remark="π⁺ are the chances of the correct answers and π⁻ those of the wrong ones: another output is correct with "
    "the chance x, the sum of π⁺. The classes enter by x only, so the sentence is that of by-gap-exact.",
)

CLOSED = (
    (2, Integer(1), ": no trace of x"),
    (3, sqrt(2), ": nor here"),
    (4, sqrt(3) + (3 - 2 * sqrt(3)) * x * (1 - x), ""),
    (5, 2 + (2 * sqrt(6) - 6) * x * (1 - x), ""),
)
claim(
    "by-gap-closed-forms",
    Every(
        *(
            On(Domain(Eq(G, size), 0 < x, x < 1), Equal(gap(G, x), closed, label=f"G = {size}{what}"))
            for size, closed, what in CLOSED
        )
    ),
    unit,
    locator="Question 1",
    title="The gap for small groups",
    depends_on=["by-gap-exact"],
    remark=(
        "For G = 2 and 3 the gap is constant, so the stationary policy is (14) with γ = 1 and √2 "
        "(by-stationary-closed-forms); from G = 4 on it depends on x (by-gap-shape)."
    ),
)

second = Domain(G >= 2, k >= 0, k <= G - 2)
concave = claim(
    "by-gap-drive-concave",
    On(
        any_size,
        Every(
            Curved(success_slope(G, x), x, -1, label="m_G").by(ByDifferences()),
            Tends(success_slope(G, x), x, 0, 0, label="zero at 0").by(AtAnEnd()),
            Tends(success_slope(G, x), x, 1, 0, "-", label="zero at 1").by(AtAnEnd()),
            Always(success_slope(G, x) > 0, label="positive between").by(AgainstPolynomial(Integer(0), 1)),
            Always(success_slope(G, x) < spread, label=BELOW_SPREAD).by(
                AgainstPolynomial(-spread - (1 - 2 * x) / (2 * spread) * (k / G - x), 0)
            ),
        ),
    ),
    second,
    because=(
        Always(
            sqrt(k * (G - k)) + sqrt((k + 2) * (G - k - 2)) < 2 * sqrt((k + 1) * (G - k - 1)),
            label="second differences of √(k(G − k))",
        ),
        On(unit, Curved(success_gradient(oo, x), x, -1, label="large groups")),
    ),
    kind="convexity",
    locator="Question 1",
    title="Shape of m_G: concavity, sign, bound and ends",
    depends_on=["by-gap-weight"],
)

least, BELOW = 2 * (G - 1) / G, ("below that of large groups",)
bounds = claim(
    "by-gap-bounds",
    Every(
        Always(gap(G, x) >= least, label="from below").by(AgainstPolynomial(least)),
        Always(gap(G, x) <= sqrt(G - 1), label="from above").by(AgainstPolynomial(-sqrt(G - 1))),
        Always(gap(G, x) < 1 / spread, label="below that of large groups").by(
            Follows(
                (pairs, concave),
                (
                    *AS_SLOPE,
                    BELOW_SPREAD,
                ),
            )
        ),
    ),
    any_size,
    because=(
        On(
            any_size.also(G >= 3),
            Always(gap(G, x) > least, label="from below, strictly but for groups of two").by(
                AgainstPolynomial(least, 0)
            ),
        ),
        On(
            any_size.also(G >= 4),
            Always(gap(G, x) < sqrt(G - 1), label="from above, strictly but for groups of two and three").by(
                AgainstPolynomial(-sqrt(G - 1), 1)
            ),
        ),
        On(Domain(G >= 3), Always(least > 1, label="more than the gap 1 of groups of two")),
    ),
    kind="inequality",
    locator="Question 1",
    title="Bounds on the gap, any group size",
    depends_on=["by-gap-exact", "by-gap-weight", "by-gap-drive-concave"],
    remark="Equality in the first exactly for G = 2, in the second exactly for G = 2 and 3; the third is strict.",
)

high = Domain(G >= 4, 0 < x, 2 * x < 1)
gap_shape = claim(
    "by-gap-shape",
    Every(
        On(any_size.also(G >= 4), Curved(gap(G, x), x, 1, label="convex").by(ByDifferences())),
        On(any_size, Equal(gap(G, x), gap(G, 1 - x), label="symmetric").by(Reflected())),
        On(any_size, Tends(gap(G, x), x, 0, sqrt(G - 1), label="at 0").by(AtAnEnd())),
    ),
    unit,
    because=(
        On(
            high,
            Monotone(gap(G, x), x, -1, label="decreasing up to ½").by(
                FallsToTheMiddle(Rational(1, 2), any_size.also(G >= 4), ByDifferences(), Reflected())
            ),
        ),
        On(any_size, Tends(gap(G, x), x, 1, sqrt(G - 1), "-", label="at 1").by(AtAnEnd())),
    ),
    kind="convexity",
    locator="Question 1",
    title="Shape of the gap: convexity, symmetry and ends",
    depends_on=["by-gap-exact"],
    remark="For G = 2 and 3 the gap is constant (by-gap-closed-forms).",
)

grows = claim(
    "by-gap-monotone-in-size",
    Every(
        Always(success_slope(G, x) < success_slope(G + 1, x), label="m_G").by(OneMoreDraw(somewhere=1)),
    ),
    any_size,
    kind="monotonicity",
    locator="Question 1",
    title="Growth of x(1 − x) times the gap with the group size",
    depends_on=["by-gap-weight"],
)

# How fast: √s ≥ s(3 − s)/2 around s = 1, with s = K(G − K)/(G²v) and its first two moments.
share = k * (G - k) / (G**2 * x * (1 - x))
short = 1 / (2 * G * x * (1 - x))
falls_short_by = Always(
    1 - success_slope(G, x) / spread <= short, label="m_G/√v: √s ≥ s(3 − s)/2, s = K(G − K)/(G²v)"
).by(AgainstPolynomial(share * (3 - share) / 2))
as_slope = Always(Eq(success_slope(G, x), x * (1 - x) * gap(G, x), evaluate=False)).by(Follows((pairs,), AS_SLOPE))
not_by_much = Then((falls_short_by, as_slope))
rate = claim(
    "by-gap-rate",
    Every(
        Always(1 - spread * gap(G, x) > 0, label="the gap falls short of 1/√v").by(Follows((bounds,), BELOW)),
        Always(1 - spread * gap(G, x) <= short, label="not by much").by(not_by_much),
        Tends(gap(G, x), G, oo, 1 / spread, "-", label="so it tends to this").by(
            Squeezed((1 - short) / spread, 1 / spread, 2, not_by_much, Follows((bounds,), BELOW))
        ),
    ),
    any_size,
    because=(
        falls_short_by,
        Tends(success_slope(G, x) / spread, G, oo, 1, "-", label="large groups: m_G/√v").by(
            Squeezed(
                1 - short,
                Integer(1),
                2,
                AgainstPolynomial(share * (3 - share) / 2),
                AgainstPolynomial(-1 - (1 - 2 * x) / (2 * x * (1 - x)) * (k / G - x)),
            )
        ),
    ),
    kind="limit",
    locator="Question 1",
    title="Rate at which the gap approaches that of large groups",
    depends_on=["by-gap-weight", "by-gap-bounds"],
    remark=(
        "The gap falls short of the large-group formula by at most the share 1/(2Gx(1 − x)) of it: small once the "
        "group is expected to hold several correct and several wrong answers."
    ),
)
