"""Rare successes: what a vanishing reference probability leaves, and for which β and G it leaves something.

Statement.   a_G(x) = m_G(x)/x, the expected advantage of a correct answer, decreases from √(G − 1) at 0 to 0 at 1. As
             π_ref(correct) = p → 0 the stationary policy tends to the root of a_G(x) = β if β < √(G − 1), and to 0 if β
             ≥ √(G − 1): it jumps at p = 0 exactly for β < √(G − 1), that is for groups larger than 1 + β². The limits
             are 1 − β for G = 2, 1 − β/√2 for G = 3, 1/(1 + β²) for G = ∞. Above √(G − 1) success grows by the factor
             β/(β − √(G − 1)), at √(G − 1) for G = 2 and 3 to √p. Failures are divided by 1 + √(G − 1)/β as p → 1.
Source.      Question 1 of the project's theory; extends Vojnovic & Yun (2025), Section 2.3.1 (continuity for G = 2,
             discontinuity for G = ∞).
Domain.      Rewards 0 and 1, G = 2, 3, …, β > 0, p → 0 or 1.
Derivation.  β(x − p) = m_G(x) is a_G(x) = β(1 − p/x) → a_G decreases (its Bernstein coefficients do) → the curve p(x) =
             x(1 − a_G(x)/β).
Caveats.     At p = 0 itself the support of π_ref forces x = 0, which is what "jump" compares with.
Letters.     x is success, z a second value of it or the policy for the reference p, t the advantage a_G(x), the sum
             over k that is the expected advantage of a correct answer. m_G(x) is x(1 − x) times the gap of the expected
             advantages of right and wrong answers. γ is the margin in (14) of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

from .any_group import excess, stationary, success_slope
from .stationary_any_group import at_policy, ends, rests_at

claim = Result(__file__).claim

square = Domain(0 < x, x < 1, beta > 0)
unit, parameters = Domain(0 < x, x < 1), Domain(0 < p, p < 1, beta > 0)


of_correct = SHIFT_AND_SCALE.preference(0, binary(x), (1, 0), Answers(2), oo, o)  # in large groups
any_size = Domain(G >= 2, 0 < x, x < 1)
advantage = binomial_mean(sqrt((G - 1 - k) / (k + 1)), k, G - 1, x)  # a_G, by the correct ones among the others
falls = claim(
    "by-rare-advantage",
    On(
        any_size,
        Every(
            Equal(x * advantage, success_slope(G, x), label="x a_G = m_G").by(OneMoreDraw(1, 0)),
            Monotone(advantage, x, -1, label="decreasing").by(ByDifferences()),
        ),
    ),
    unit,
    because=(
        On(
            Domain(G >= 2, 1 <= k, k <= G - 1),
            Equal(advantage_in_group(1, k, G), sqrt((G - k) / k), label="in a group with k correct members, every G"),
        ),
        On(
            any_size,
            Every(
                Tends(advantage, x, 0, sqrt(G - 1), label="at 0: a lone success").by(AtAnEnd()),
                Tends(advantage, x, 1, 0, "-", label="at 1").by(AtAnEnd()),
                Always(advantage < sqrt(G - 1), label="below its value at 0").by(
                    AgainstPolynomial(polynomial=-sqrt(G - 1), somewhere=1)
                ),
            ),
        ),
        On(
            any_size.also(0 < z, z < x),
            Always(advantage < advantage.subs(x, z), label="larger at a smaller success").by(
                TwoValues(advantage, x, any_size, (z, x), -1, ByDifferences())
            ),
        ),
        Equal(
            x * of_correct,
            success_gradient(oo, x),
            label="large groups: x times the advantage is x(1 − x) times the gap",
        ),
        Monotone(of_correct, x, -1, label="large groups: decreasing"),
    ),
    kind="monotonicity",
    locator="Question 1",
    title="The expected advantage of a correct answer",
    depends_on=["by-gap-exact"],
    remark="The term k = G − 1 is the group of correct answers only, without an advantage.",
)

ORDER = ("x a_G = m_G", "larger at a smaller success")

# The curve p(x) for t = a_G(x): small p, small or not so small x.
claim(
    "by-rare-curve",
    Always(
        Implies(
            stationary(G, x, p),
            And(Eq(advantage, beta * (1 - p / x), evaluate=False), advantage < beta, evaluate=False),
        ),
        label="at the stationary policy a_G(x) < β: x exceeds the limit policy",
    ).by(Follows((falls,), ORDER[:1])),
    Domain(G >= 2, 0 < p, p < x, x < 1, beta > 0),
    because=(
        On(Domain(0 < p, p < x, x < 1, beta > 0), Always(beta * (1 - p / x) < beta, label="β(1 − p/x) is less than β")),
        On(
            Domain(0 < x, x < 1, beta > 0, t > 0, t < beta),
            Equal(
                pairs(beta / (t / (1 - x)), x * (1 - t / beta)),
                x,
                label="(14) with γ = t/(1 − x) at p = x(1 − t/β) is x",
            ),
        ),
    ),
    locator="Question 1",
    title="The stationary policy against its limit for rare successes",
    depends_on=["by-rare-advantage", "by-stationary-equation"],
)

vanishing = Domain(G >= 2, beta > 0)
jump = claim(
    "by-rare-jump",
    Every(
        On(
            any_size.also(beta > 0, Eq(beta, success_slope(G, x) / x)),
            SolutionTends(excess(G, z, p), z, 0, 1, p, 0, x, label="β = a_G(x): the stationary policy tends to x").by(
                SolutionOfLimit(
                    beta * z - success_slope(G, z),
                    -beta * p,
                    1,
                    shape=ByDifferences(),
                    end=AtAnEnd(),
                    before=Follows((falls, at(falls, {x: z}, ORDER[0])), ORDER),
                    after=Follows((at(falls, {z: x, x: z}), at(falls, {}, ORDER[0])), ORDER),
                )
            ),
        ),
        On(
            vanishing.also(beta >= sqrt(G - 1)),
            SolutionTends(excess(G, z, p), z, 0, 1, p, 0, 0, label="β ≥ √(G − 1): it tends to 0").by(
                SolutionOfLimit(
                    beta * z - success_slope(G, z),
                    -beta * p,
                    1,
                    shape=ByDifferences(),
                    end=AtAnEnd(),
                    after=Follows((at(falls, {x: z}, "x a_G = m_G", "below its value at 0"),)),
                )
            ),
        ),
    ),
    vanishing,
    because=(
        On(
            vanishing.also(beta < sqrt(G - 1)),
            OneRoot(advantage, x, 0, 1, beta, label="one policy with a_G(x) = β, for β < √(G − 1)").by(
                StrictlyMonotone(-1, (sqrt(G - 1), Integer(0)), given=(falls,))
            ),
        ),
        Always(Equivalent(beta < sqrt(G - 1), G > 1 + beta**2), label="for groups larger than 1 + β²"),
        On(Domain(beta > 0), Tends(large_groups(beta, p), p, 0, 1 / (1 + beta**2), label="large groups, every β")),
        On(
            parameters.also(G >= 2, beta > sqrt(G - 1)),
            Always(
                pairs(beta / sqrt(G - 1), p) <= p * beta / (beta - sqrt(G - 1)),
                label="β > √(G − 1): the upper bound of by-stationary-bounds is of the order of p, every G",
            ),
        ),
        On(
            Domain(0 < p, p < 1),
            Equal(pairs(1, p), sqrt(p), label="β = √(G − 1): that bound, (14) with β/γ = 1, is √p, every G"),
        ),
    ),
    kind="limit",
    locator="Question 1",
    title="Threshold of β for rare successes",
    depends_on=["by-rare-advantage", "by-rare-curve", "by-stationary-bounds", "by-stationary-closed-forms"],
)

claim(
    "by-rare-guarantee",
    On(
        rests_at,
        Always(x > 1 - beta * G / (2 * (G - 1)), label="from a_G(x) = β(1 − p/x) and a_G(x) ≥ 2(1 − 1/G)(1 − x)").by(
            at_policy
        ),
    ),
    rests_at,
    because=(
        On(
            Domain(beta > 0, G >= 2),
            Always(
                (beta < 2 * (G - 1) / G) >> (1 - beta * G / (2 * (G - 1)) > 0),
                label="the bound 1 − βG/(2(G − 1)) is positive for β < 2(1 − 1/G)",
            ),
        ),
        On(
            Domain(beta > 0, beta < Rational(1, 2), G >= 8),
            Always(
                1 - beta * G / (2 * (G - 1)) > Rational(5, 7),
                label="groups of 8 and more, β < ½: the bound is above 5/7",
            ),
        ),
    ),
    kind="inequality",
    locator="Question 1",
    title="Lower bound, free of the reference, on the success of the stationary policy",
    depends_on=["by-stationary-bounds", "by-gap-weight", "by-gap-bounds"],
)

# Along the stationary policies p/x = 1 − a_G(x)/β and (1 − p)/(1 − x) = 1 + xa_G(x)/(β(1 − x)): both by x alone.
failing = binomial_mean(sqrt(k / (G - k)), k, G - 1, x)  # the advantage of a wrong answer, but for its sign
claim(
    "by-rare-factor",
    Every(
        When(
            beta > sqrt(G - 1),
            AtSolutionTends(
                excess(G, z, p),
                z,
                0,
                1,
                p,
                0,
                1 - sqrt(G - 1) / beta,
                quantity=p / z,
                label="p/z for rare successes, z the stationary policy",
            ).by(
                OfTheSolution(
                    1 - advantage.subs(x, z) / beta,
                    "lower",
                    1,
                    using=Follows((at(falls, {x: z}, ORDER[0]),)),
                    end=AtAnEnd(),
                    given=(jump,),
                )
            ),
        ),
        On(
            Domain(G >= 2, beta > 0),
            AtSolutionTends(
                excess(G, x, p),
                x,
                0,
                1,
                p,
                1,
                1 + sqrt(G - 1) / beta,
                "-",
                quantity=(1 - p) / (1 - x),
                label="(1 − p)/(1 − x) for rare failures",
            ).by(
                OfTheSolution(
                    1 + failing / beta,
                    "upper",
                    0,
                    using=Then((Equal((1 - x) * failing, success_slope(G, x)).by(OneMoreDraw(0, 1)),)),
                    end=AtAnEnd(),
                    given=(ends,),
                )
            ),
        ),
    ),
    vanishing,
    because=(
        On(
            Domain(G >= 2, 0 < x, x < 1),
            Equal((1 - x) * failing, success_slope(G, x), label="(1 − x) times what a wrong answer loses").by(
                OneMoreDraw(0, 1)
            ),
        ),
        On(
            square,
            Equal(
                (1 - x + success_gradient(oo, x) / beta) ** 2 / (1 - x),
                1 - x + 2 * sqrt(x * (1 - x)) / beta + x / beta**2,
                label="large groups: (1 − p)²/(1 − x)",
            ),
        ),
        On(
            Domain(beta > 0),
            Tends(
                1 - x + 2 * sqrt(x * (1 - x)) / beta + x / beta**2,
                x,
                1,
                1 / beta**2,
                "-",
                label="large groups: so failures are squared, 1 − x ≈ β²(1 − p)²",
            ),
        ),
        On(
            Domain(G >= 2, beta > sqrt(G - 1)),
            Always(
                beta / (beta - sqrt(G - 1)) > 1 + sqrt(G - 1) / beta,
                label="the factor of rare successes is larger than that of rare failures",
            ),
        ),
    ),
    kind="limit",
    locator="Question 1",
    title="Factors by which rare successes grow and rare failures shrink",
    depends_on=["by-rare-advantage", "by-rare-jump", "by-stationary-ends", "by-stationary-equation"],
)
