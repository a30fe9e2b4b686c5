"""Verifiable rewards, any group size: the stationary policy of GRPO exists, is unique, and moves one way with
everything.

Statement.   With the penalty KL_0, a policy of success probability x in (0, 1) is stationary exactly when β(x − p) =
             m_G(x), m_G = x(1 − x)Δ_G. For every G, β > 0 and 0 < p < 1 there is one such x, above p. It decreases in β
             from 1 to p, increases in p (concavely), increases in G to that of large groups, and pairs(βG/(2(G − 1))) ≤
             x ≤ min{pairs(β/√(G − 1)), (15)}, where pairs(b) is formula (14); and x lies below (15) by no more than a
             constant over G. Closed forms: (14) with γ = 1 and √2 for G = 2 and 3; a root of a quartic for G = 4 and 5.
Source.      Question 1 of the project's theory; extends Vojnovic & Yun (2025), (14), (15) and their bounds, to every
             group size.
Domain.      Rewards 0 and 1, G = 2, 3, …, β > 0, 0 < p < 1.
Derivation.  frozen objective → slope → π_old = π → β(x − p) = m_G(x) → concavity of m_G (by-gap-drive-concave) gives β
             as a decreasing function of x on (p, 1) and p as an increasing convex one → everything else is read off
             these two curves.
Caveats.     First-order stationarity with π_old frozen and full support; maximum_or_saddle.py says where it is a
             maximum.
Letters.     x and z are stationary policies, for the references p and q where two are compared, y the policy that
             samples. t and s are expected advantages of a correct and of a wrong answer, then t is the gap, a
             shortfall, or in by-stationary-monotone a larger β, with s the weight of one of two references and y the
             policy of their mean; u is a gap no larger, v any success. In by-stationary-rate u and v are deviations at
             x and p, b is z − p and q is z − x. In by-stationary-closed-forms b, printed β/γ, is β/√2. Δ_G(x) is the
             gap of the expected advantages of right and wrong answers, m_G(x) is x(1 − x) times it. (14) and (15) are
             equations of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *
from grpo_symbolic.proof import at as cited

from .any_group import by_side, excess, gap, one_policy, stationary, strength, success_slope
from .group_size_gap import AS_SLOPE, BELOW_SPREAD, bounds, concave, grows, rate
from .group_size_gap import pairs as gap_as_slope

claim = Result(__file__).claim

policy, old, reference, two = binary(x), binary(y), binary(p), Answers(2)
parameters = Domain(0 < p, p < 1, beta > 0)
inside = parameters.also(0 < x, x < 1)
above = Domain(0 < p, p < x, x < 1)


# The objective of large groups for one correct and one wrong answer while π_old = (y, 1 − y) is held fixed.
frozen = grpo(beta, group_size=oo).with_rewards(policy, old, reference, (1, 0), two)


# For any size: t and s stand for the expected advantages of a correct and of a wrong answer under the frozen old
# policy.
general = grpo(beta).value(policy, old, reference, lambda a: (t, s)[a], two)
slope = on_policy_slope(general, x, y)
any_gap = t - s - beta * (x - p) / (x * (1 - x))

claim(
    "by-stationary-equation",
    Every(
        Equal(Derivative(general, x), any_gap, label="the slope, y being x afterwards: the gap alone matters"),
        Always(
            Implies(
                Eq(t - s, gap(G, x), evaluate=False),
                Equivalent(Eq(any_gap, 0, evaluate=False), stationary(G, x, p)),
                evaluate=False,
            ),
            label="where the gap is that of groups of G",
        ).by(
            Then(
                (
                    Always(Eq(success_slope(G, x), x * (1 - x) * gap(G, x), evaluate=False)).by(
                        Follows((gap_as_slope,), AS_SLOPE)
                    ),
                )
            )
        ),
    ),
    inside.also(G >= 2, 0 < y, y < 1, Eq(y, x), s < t),
    because=(
        On(
            inside.also(s < t),
            Equal(slope, any_gap, label="any preferences: their gap alone matters"),
        ),
        On(
            inside,
            Equal(-x * (1 - x) * on_policy_slope(frozen, x, y), success_equation(oo, x, p, beta), label="large groups"),
        ),
    ),
    locator="Question 1",
    title="The equation of the stationary policy, any group size",
    depends_on=["by-gap-exact", "by-gap-weight"],
    remark=(
        "That the gap of groups of G is this sum is by-gap-exact. s and t are the expected advantages of a wrong and "
        "of a correct answer, y is the success of the old policy, held fixed in the derivative."
    ),
)

# Existence and uniqueness: β(x − p) − m_G(x) is convex in x, −βp at 0 and β(1 − p) at 1.
solved = parameters.also(G >= 2, 0 < x, x < 1)
claim(
    "by-stationary-unique",
    Every(
        On(parameters.also(G >= 2), OneRoot(excess(G, x, p), x, 0, 1, label="one policy").by(one_policy(p))),
        Always(Implies(stationary(G, x, p), p < x), label="above the reference").by(
            Follows((concave,), ("positive between",))
        ),
    ),
    solved,
    because=(
        On(
            parameters,
            OneRoot(success_equation(oo, x, p, beta), x, 0, 1, label="large groups").by(
                ConvexBetweenLimits((-beta * p, beta * (1 - p)))
            ),
        ),
        On(above, Monotone(stationary_beta(oo, x, p), x, -1, label="β decreases in x, large groups")),
    ),
    kind="uniqueness",
    locator="Question 1",
    title="Existence and uniqueness of the stationary policy inside (0, 1), any group size",
    depends_on=["by-stationary-equation", "by-gap-drive-concave"],
)

# How it moves: z is the policy of the reference q, for the strength that makes it stationary.
steepening = diff(success_slope(G, z), z)
rests, strong = Domain(G >= 2, 0 < z, z < 1, 0 < q, q < z), success_slope(G, z) / (z - q)
steepness = diff(excess(G, x, q, strong), x).subs(x, z)  # β − m'
below_tangent = Always(success_slope(G, q) <= success_slope(G, z) - steepening * (z - q)).by(
    Tangent(success_slope(G, v), v, Domain(G >= 2, 0 < v, v < 1), q, z, -1, ByDifferences())
)
positive = Always(success_slope(G, q) > 0).by(Follows((cited(concave, {x: q}, "positive between"),)))
steep = Then((below_tangent, positive))
others = parameters.also(G >= 2, 0 < x, x < 1, 0 < z, z < 1)
mixture = s * x + (1 - s) * z
more_than_the_mean = Always(s * success_slope(G, x) + (1 - s) * success_slope(G, z) < success_slope(G, mixture)).by(
    Chord(success_slope(G, v), v, Domain(G >= 2, 0 < v, v < 1), (x, z), s, -1, ByDifferences())
)
claim(
    "by-stationary-monotone",
    Every(
        On(
            others.also(p < q, q < 1),
            Always(Implies(stationary(G, x, p) & stationary(G, z, q), x < z), label="increasing in p").by(
                by_side(G, v, q)
            ),
        ),
        On(
            others.also(p < x, beta < t),
            Always(Implies(stationary(G, x, p, t) & stationary(G, z, p), x < z), label="decreasing in β").by(
                by_side(G, v, p)
            ),
        ),
    ),
    inside,
    because=(
        On(
            others.also(0 < q, q < 1, Ne(x, z), 0 < s, s < 1, 0 < y, y < 1),
            Always(
                Implies(stationary(G, x, p) & stationary(G, z, q) & stationary(G, y, s * p + (1 - s) * q), mixture < y),
                label="concave in p",
            ).by(by_side(G, v, s * p + (1 - s) * q, using=Then((more_than_the_mean,)))),
        ),
        On(
            rests,
            Always(strong - steepening > 0, label="β of the policy z for the reference q, above the slope of m_G").by(
                steep
            ),
        ),
        On(
            rests,
            AnswerMoves(
                Answer(excess(G, x, p, strong), x, p),
                z,
                strong / steepness,
                q,
                label="the policy moves at the rate β/(β − m_G'(z)) with the reference",
            ).by(ImplicitFunction((0 < x, x < 1), steep)),
        ),
        On(
            rests,
            AnswerMoves(
                Answer(excess(G, x, q), x, beta),
                z,
                (q - z) / steepness,
                strong,
                label="and at the rate −(z − q)/(β − m_G'(z)) with β",
            ).by(ImplicitFunction((0 < x, x < 1), steep)),
        ),
        On(
            Domain(0 < x, x < 1, beta > 0),
            Curved(
                x - success_gradient(oo, x) / beta,
                x,
                1,
                label="large groups: the reference as a function of x is convex",
            ),
        ),
    ),
    kind="monotonicity",
    locator="Question 1",
    title="Monotonicity of the stationary policy in the reference and in β",
    depends_on=["by-stationary-unique", "by-gap-drive-concave"],
)

two_sizes = solved.also(0 < z, z < 1)
claim(
    "by-stationary-monotone-in-size",
    Every(
        Always(Implies(stationary(G, x, p) & stationary(G + 1, z, p), x < z), label="x of G members, z of G + 1").by(
            by_side(G + 1, t, p, using=Follows((grows,), ("m_G",)))
        ),
        Always(
            Implies(stationary(G, x, p) & Eq(success_equation(oo, z, p, beta), 0, evaluate=False), x < z),
            label="z of large groups",
        ).by(
            SideOfRoot(
                success_equation(oo, t, p, beta),
                t,
                -beta * p,
                using=Follows((concave,), (BELOW_SPREAD,)),
            )
        ),
    ),
    two_sizes,
    kind="monotonicity",
    locator="Question 1",
    title="Monotonicity of the stationary policy in the group size",
    depends_on=["by-stationary-unique", "by-gap-monotone-in-size", "by-gap-drive-concave"],
    remark=(
        "So max{1 − β, p} ≤ x_2 ≤ x_G ≤ x_∞ for every G: the first by vy-eq14-lower-bound, and x_∞ is (15). And x_G → "
        "x_∞ (by-stationary-rate)."
    ),
)

# Closed forms: G = 3 from its objective, as (14) for G = 2; b stands for β/√2, which keeps the coefficients rational.
shape = Domain(0 < p, p < 1, b > 0, 0 < x, x < 1)
d = Derivation("by-stationary-three", shape.also(0 < y, y < 1))
J = d.start(
    grpo(sqrt(2) * b, group_size=3).with_rewards(policy, old, reference, (1, 0), two), "groups of three, β = √2 b"
)
dJ = d.differentiate(J, x, "the old policy y is held fixed")
F = d.restrict(dJ, {y: x}, "stationary: the policy that sampled the groups is the policy itself")
F = d.rewrite(F, sqrt(2) * (1 - b * (x - p) / (x * (1 - x))), "the gap of groups of three is √2")
Q = d.clear_denominators(F, -x * (1 - x) / sqrt(2), x)
three = d.solve(Q, x, inside=(0, 1), note="the root with the positive sign of the square root")
claim(
    "by-stationary-closed-forms",
    Every(
        On(
            Domain(0 < p, p < 1, b > 0),
            UniqueRoot(Q, x, three, label="G = 3: (14) with γ = √2"),
        ),
        UniqueRoot(success_equation(2, x, p, beta).expand(), x, pairs(beta, p), label="G = 2: (14) with γ = 1"),
    ),
    parameters,
    because=(
        On(
            above,
            Equal(
                stationary_beta(4, x, p),
                (sqrt(3) + (3 - 2 * sqrt(3)) * x * (1 - x)) * x * (1 - x) / (x - p),
                label="G = 4: β in closed form, x a root of a quartic",
            ),
        ),
        On(
            above,
            Equal(
                stationary_beta(5, x, p),
                (2 + (2 * sqrt(6) - 6) * x * (1 - x)) * x * (1 - x) / (x - p),
                label="G = 5: likewise",
            ),
        ),
    ),
    by=d,
    locator="Question 1",
    title="Closed forms of the stationary policy: groups of three, with the margin √2, and of two, with the margin 1",
    depends_on=["by-stationary-equation", "by-gap-closed-forms"],
    remark="For any G the inverse functions are closed: β = m_G(x)/(x − p) and p = x − m_G(x)/β.",
)

# Bounds that need no root finding: x is (14) with the margin Δ_G(x), which lies between two constants.
curve = Domain(0 < x, x < 1, t > 0, u > 0, u <= t, t * (1 - x) < beta, beta > 0)  # t = Δ_G(x), p = x − t x(1 − x)/β > 0
at_policy = Follows((gap_as_slope, bounds), (*AS_SLOPE, "from below", "from above"))
rests_at = solved.also(p < x, strength(G, x, p))
from_below = Always(pairs(beta * G / (2 * (G - 1)), p) <= x, label="from below").by(at_policy)
from_above = Always(x <= pairs(beta / sqrt(G - 1), p), label="from above").by(at_policy)
claim(
    "by-stationary-bounds",
    Every(
        On(
            rests_at.also(Eq(gamma, 2 * (G - 1) / G)),
            Always(pairs(beta / gamma, p) <= x, label="from below, in γ").by(at_policy),
        ),
        On(
            rests_at.also(Eq(gamma, sqrt(G - 1))),
            Always(x <= pairs(beta / gamma, p), label="from above, in γ").by(at_policy),
        ),
        On(rests_at, Always(x <= large_groups(beta, p), label="and by (15)").by(Follows((concave,), (BELOW_SPREAD,)))),
    ),
    rests_at,
    because=(
        from_below,
        from_above,
        On(
            parameters.also(G >= 2),
            Always(
                pairs(beta * G / (2 * (G - 1)), p) > Max(1 - beta * G / (2 * (G - 1)), p),
                label="so x_G exceeds max{1 − βG/(2(G − 1)), p}",
            ),
        ),
        On(
            curve,
            Equal(pairs(beta / t, x - t * x * (1 - x) / beta), x, label="x is (14) with γ = Δ_G(x)"),
        ),
        On(parameters.also(u > 0), Monotone(pairs(beta / u, p), u, 1, label="(14) increases in the margin, here u")),
        On(
            parameters,
            Equal(
                2 * (1 + beta**2) * large_groups(beta, p) - 2 * beta**2 * p - 1,
                sqrt(1 + 4 * beta**2 * p * (1 - p)),
                label="the root in (15)",
            ),
        ),
        On(
            Domain(beta > 0, G >= 3),
            Always(
                1 - beta * G / (2 * (G - 1)) > 1 - beta,
                label="the bound 1 − βG/(2(G − 1)), more than the 1 − β of groups of two",
            ),
        ),
        On(
            Domain(beta > 0),
            Always(
                1 - beta / 2 <= 1 / (1 + beta**2), label="its limit 1 − β/2, never more than the bound of large groups"
            ),
        ),
    ),
    kind="inequality",
    locator="Question 1",
    title="Bounds on the stationary policy in closed form, any group size",
    depends_on=["by-stationary-equation", "by-gap-weight", "by-gap-drive-concave", "by-gap-bounds"],
    remark=(
        "Equalities for G = 2 (both sides) and G = 3 (the first upper bound). x is (14) with the margin Δ_G(x), which "
        "lies between the two γ (by-gap-bounds)."
    ),
)

lowest, highest = pairs(beta * G / (2 * (G - 1)), p), pairs(beta / sqrt(G - 1), p)
ends = claim(
    "by-stationary-ends",
    Every(
        SolutionTends(excess(G, x, p), x, 0, 1, beta, 0, 1, label="β → 0").by(
            SqueezedSolution(lowest, highest, oo, at_policy)
        ),
        SolutionTends(excess(G, x, p), x, 0, 1, p, 1, 1, "-", label="p → 1").by(
            SqueezedSolution(lowest, Integer(1), 0, at_policy)
        ),
    ),
    parameters.also(G >= 2),
    because=(
        SolutionTends(excess(G, x, p), x, 0, 1, beta, oo, p, "-", label="β → ∞").by(
            SqueezedSolution(lowest, highest, 1, at_policy)
        ),
        Always(lowest > p, label="a lower bound of the policy, above p"),
    ),
    kind="limit",
    locator="Question 1",
    title="Limits of the stationary policy in β and in the reference, any group size",
    depends_on=["by-stationary-equation", "by-gap-weight", "by-gap-bounds"],
)

# How near large groups are: z is (15), so β = √(z(1 − z))/(z − p), and Δ_G(x) falls short of 1/√(x(1 − x)) by the
# factor 1 − shortfall, where β(x − p) = x(1 − x)Δ_G(x).
deviation_x, deviation_p, deviation_z = (sqrt(a * (1 - a)) for a in (x, p, z))
between = Domain(0 < p, p < x, x < z, z < 1)
shortfall = 1 - deviation_z * (x - p) / ((z - p) * deviation_x)
share_of_distance = Always(
    (z - p) * deviation_x - (x - p) * deviation_z >= (z - x) * deviation_p,
    label="is at least the deviation at p times z − x: the deviation is concave",
)
both_rest = And(stationary(G, x, p), Eq(beta * (z - p), deviation_z, evaluate=False))
missing = deviation_x - success_slope(G, x)
at_the_limit = Always(1 - success_slope(G, x) / deviation_x <= 1 / (2 * G * x * (1 - x)), label="m_G/√v").by(
    Follows((rate, gap_as_slope), (*AS_SLOPE, "not by much"))
)
short_of = Always(2 * G * deviation_x * missing <= 1, label="what is missing").by(Then((at_the_limit,)))
same_strength = Always(
    Implies(both_rest, Eq((z - p) * success_slope(G, x), deviation_z * (x - p), evaluate=False)), label="one β"
)
share_missing = Always(Implies(both_rest, (z - p) * missing >= (z - x) * deviation_p), label="a share of it").by(
    Then((same_strength, share_of_distance))
)
# z − p is b and z − x is q; u and v are the deviations at x and p
letters = Domain(G >= 2, b > 0, q > 0, u > 0, v > 0, t)
in_letters = Always(Implies(And(2 * G * u * t <= 1, b * t >= q * v), 2 * G * q * u * v <= b))
told = {b: z - p, q: z - x, u: deviation_x, v: deviation_p, t: missing}
at_these = Always(in_letters.formula.subs(told, simultaneous=True)).by(InLetters(in_letters, letters, told))
is_near = 2 * G * (z - x) * deviation_x * deviation_p <= z - p
if_missing = Always(Implies((z - p) * missing >= (z - x) * deviation_p, is_near), label="so near").by(
    Then((short_of, at_these))
)
claim(
    "by-stationary-rate",
    Always(
        Implies(both_rest, is_near),
        label="x of groups of G, z of large groups",
    ).by(Then((share_missing, if_missing))),
    between.also(G >= 2, beta > 0),
    because=(
        On(
            Domain(0 < p, p < x, x < z, z < 1, u > 0, v > 0, t >= 0, G >= 2, 2 * G * u**2 * t <= 1),
            Always(
                Implies((z - p) * u * t >= (z - x) * v, 2 * G * (z - x) * u * v <= z - p),
                label=(
                    "a shortfall t of at most 1/(2Gx(1 − x)): x is this near to z; u and v are the deviations at "
                    "x and p"
                ),
            ),
        ),
        Always(Or(x * (1 - x) >= p * (1 - p), x * (1 - x) >= z * (1 - z)), label="x(1 − x) is at least one of these"),
        On(
            Domain(0 < p, p < z, z < 1),
            Equal(large_groups(deviation_z / (z - p), p), z, label="z is (15) for this β"),
        ),
        Equal(
            (z - p) * deviation_x * shortfall,
            (z - p) * deviation_x - (x - p) * deviation_z,
            label="the shortfall times z − p and the deviation at x",
        ),
        share_of_distance,
    ),
    kind="limit",
    locator="Question 1",
    title="Distance of the stationary policy from that of large groups",
    depends_on=["by-stationary-bounds", "by-gap-rate", "by-gap-weight"],
    remark="With by-stationary-bounds it bounds x from both sides, sharply for G = 2 and in the limit. That the "
    "shortfall is at most 1/(2Gx(1 − x)) is by-gap-rate; that x lies between p and z is by-stationary-unique and "
    "by-stationary-monotone-in-size.",
)
