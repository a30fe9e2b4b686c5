"""Maximum, minimum or saddle: what the stationary policy is for the objective whose groups it samples, at every group
size.

Statement.   π_old frozen at the stationary policy itself, one correct answer: along success it is a strict local
             maximum when β > 2(1 − 2x)Δ_G(x), a strict local minimum when β is smaller, and on the border neither, but
             for one x (vy-s13-border). In (p, β): a minimum exactly for p < (2 − √3)/4 and β_1(p) < β < β_2(p), the
             values of 2(1 − 2x)Δ_G(x) at x = (1 + 4p ± √(1 − 16p + 16p²))/6. Safe for every p: β ≤ ⅔Δ_G(⅓) (2/3 for G =
             2, √2 for G = ∞) or β ≥ 2√(G − 1), and nothing in between; safe for every β and G: p > (2 − √3)/4; for
             every p and G: β ≤ 2/3. Several correct answers: a strict local maximum when x < 2p, that is β > 2(1 −
             2p)Δ_G(2p); for smaller β a saddle, or a minimum if there is one wrong answer and success is a minimum too;
             for x = 2p no maximum, unless there are two correct answers, equally likely (then by-global-twins decides).
             Every small β has references for which it is no maximum.
Source.      Question 2 of the project's theory; extends Vojnovic & Yun (2025), Sections 1.3, 2.3 (vy-s13-…) to every G
             and several answers.
Domain.      Rewards 0 and 1; 0 < p < 1, β > 0, G = 2, 3, … or ∞; the stationary policy is inside (0, 1) and above p.
Derivation.  second derivatives of the frozen objective, π_old = π afterwards → signs 3x² − (1 + 4p)x + 2p along
             success, 1 − 2p/x among correct answers → p = x − m_G(x)/β put in → the gap decreases up to ½
             (by-gap-shape).
Caveats.     Maximum of its own frozen objective. On-policy gradient ascent does not see this curvature. Global
             maximality: global_maximum.py.
Letters.     x is the policy, or the stationary one with v for the policy near it, y the one that samples, p the
             reference. t and s are expected advantages, or t is the gap and s its value; where both sides have the
             factor t it is any number below 1. z is a stationary policy, or a root at which the curvature vanishes, or
             ⅓. P(o) are preferences, ż(o) is a direction, J the objective. In by-saddle-border u and v are the
             references of two correct answers, t is the share that moves between them and s an expected advantage.
             Δ_G(x) is the gap of the expected advantages of right and wrong answers, a_G(x) is 1 − x times it. (11) is
             an equation of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *
from grpo_symbolic.proof import at as cited

from .any_group import by_side, gap, strength, success_slope
from .group_size_gap import AS_SLOPE, bounds, concave
from .group_size_gap import pairs as gap_as_slope
from .rare_success import ORDER, advantage, falls

claim = Result(__file__).claim

policy, old_pair, reference = binary(x), binary(y), binary(p)
plane = Domain(0 < p, p < x, x < 1, beta > 0)
SIGN = 3 * x**2 - (1 + 4 * p) * x + 2 * p
general = grpo(beta).value(policy, old_pair, reference, lambda a: (t, s)[a], Answers(2))  # any expected advantages t, s
curvature, bends = on_policy_curvature(general, x, y), -beta * SIGN / (x**2 * (1 - x) ** 2)
TEST = "a stationary point with negative (positive) second derivative is a strict local maximum (minimum)"

claim(
    "by-max-curvature",
    Equal(Derivative(general, (x, 2)), bends, label="any expected advantages, so any group size; y is x afterwards"),
    plane.also(0 < y, y < 1, Eq(y, x), s < t),
    because=(On(plane.also(s < t), Equal(curvature, bends, label="that curvature, with y put in")),),
    kind="convexity",
    locator="Question 2",
    title="Curvature along success, any group size",
    depends_on=["by-stationary-equation"],
    remark=("In the derivative y is held fixed; it equals x afterwards."),
)

# On the curve β(x − p) = x(1 − x)t, t = Δ_G(x): p > 0 says (1 − x)t < β.
at = x - t * x * (1 - x) / beta
curve = Domain(0 < x, x < 1, t > 0, beta > 0, (1 - x) * t < beta)
# The frozen objective when a correct answer is expected to be better off by t than a wrong one, and z is stationary.
frozen = grpo(beta).value(policy, old_pair, binary(at.subs(x, z)), lambda a: (s, s - t)[a], Answers(2))
here = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < z, z < 1, t > 0, s, beta > 0, (1 - z) * t < beta)
# The same by the reference, wrong answers being worth nothing.
at_rest = Domain(
    0 < x, x < 1, 0 < y, y < 1, 0 < p, p < z, z < 1, t > 0, beta > 0, Eq(t, beta * (z - p) / (z * (1 - z)))
)
better_by = grpo(beta).value(policy, old_pair, reference, lambda a: (t, 0)[a], Answers(2))
maximum, minimum = beta > 2 * (1 - 2 * z) * t, beta < 2 * (1 - 2 * z) * t
claim(
    "by-max-region",
    Every(
        On(at_rest, When(maximum, LocalMaximum(better_by, x, z, ((y, z),), label="a strict local maximum"))),
        On(at_rest, When(minimum, LocalMaximum(better_by, x, z, ((y, z),), sense=-1, label="a strict local minimum"))),
    ),
    curve,
    because=(
        On(here, When(maximum, LocalMaximum(frozen, x, z, ((y, z),), label="whatever wrong answers are worth"))),
        On(
            here,
            When(minimum, LocalMaximum(frozen, x, z, ((y, z),), sense=-1, label="and a strict local minimum likewise")),
        ),
        Always(
            Equivalent(SIGN.subs(p, at) > 0, beta > 2 * (1 - 2 * x) * t),
            label="the second derivative is negative exactly here",
        ),
        Always(Equivalent(SIGN.subs(p, at) < 0, beta < 2 * (1 - 2 * x) * t), label="and positive exactly here"),
        When(3 * x >= 1, Always(SIGN.subs(p, at) > 0, label="a maximum whenever at least a third succeed")),
        *(
            On(
                Domain(0 < x, x < 1),
                Equal(
                    turning_beta(size, x),
                    2 * (1 - 2 * x) / (x * (1 - x)) * success_gradient(size, x),
                    label=f"the bound 2(1 − 2x)Δ_G(x) on β, G = {named}",
                ),
            )
            for size, named in ((4, "4"), (oo, "∞"))
        ),
    ),
    kind="convexity",
    depends_on=["by-max-curvature", "by-stationary-equation", "vy-s13-border"],
    locator="Question 2",
    title="Strict local maxima and minima along success, by β",
    remark=(
        "z is the stationary policy, and t the gap Δ_G(z): by how much a correct answer is better off. For β = "
        "2(1 − 2z)Δ_G(z) it is neither, except at z = ½ − √21/14: vy-s13-border, whose γ is the gap Δ_G(z)."
    ),
)

# In (p, β): the curvature changes its sign at two roots z < ⅓ of 3z² − (1 + 4p)z + 2p, each of which says what p is.
disc = 1 - 16 * p + 16 * p**2
roots = [(1 + 4 * p + e * sqrt(disc)) / 6 for e in (-1, 1)]
rare = Domain(0 < p, 4 * p < 2 - sqrt(3))
of_root, other_root = z * (1 - 3 * z) / (2 * (1 - 2 * z)), (1 - 3 * z) / (3 * (1 - 2 * z))
turning = 2 * (1 - 2 * z) * gap(G, z)  # β where the stationary policy is the root z
turns = Domain(G >= 2, beta > 0, 0 < z, 3 * z < 1, of_root < x, x < 1, strength(G, x, of_root))
by_excess = by_side(G, v, of_root, using=Follows((cited(gap_as_slope, {x: z}, *AS_SLOPE),)))
sides = claim(
    "by-max-sides",
    Every(
        *(
            Always(Implies(relation(beta, turning), relation(z, x)), label=label).by(by_excess)
            for relation, label in ((Gt, "larger β: below the root"), (Lt, "smaller β: above it"))
        ),
    ),
    turns,
    kind="monotonicity",
    depends_on=["by-stationary-equation", "by-gap-drive-concave", "by-gap-weight"],
    locator="Question 2",
    title="The stationary policy on either side of a point z at which the curvature vanishes",
)

# The stationary policy x of a reference, whose lower root is z where there are two; v is the policy that is compared.
stationary_here = Domain(0 < p, p < x, x < 1, beta > 0, 0 < v, v < 1, 0 < y, y < 1)
lower_root = Domain(G >= 2, beta > 0, 0 < z, 6 * z < 3 - sqrt(3), p < x, x < 1, Eq(p, of_root), strength(G, x, p))
with_policies = lower_root.also(0 < v, v < 1, 0 < y, y < 1)
upper_turning = turning.subs(z, other_root)
apart = Follows((cited(sides, {}), cited(sides, {z: other_root})))
# The frozen objective where x is stationary: wrong answers are worse off by β(x − p)/(x(1 − x)).
worse_off = {0: 0, 1: -beta * (x - p) / (x * (1 - x))}
at_stationary = grpo(beta).value(binary(v), binary(y), reference, worse_off.__getitem__, Answers(2))
claim(
    "by-max-plane",
    Every(
        On(
            stationary_here,
            When(
                4 * p > 2 - sqrt(3),
                LocalMaximum(at_stationary, v, x, ((y, x),), label="p > (2 − √3)/4: a maximum for every β and G"),
            ),
        ),
        On(rare, Always(Eq(of_root.subs(z, roots[0]), p), label="below: p has the lower root z")),
        On(
            with_policies,
            When(
                And(upper_turning < beta, beta < turning),
                LocalMaximum(at_stationary, v, x, ((y, x),), sense=-1, label="a minimum for β between their values").by(
                    SecondOrder(using=apart)
                ),
            ),
        ),
        On(
            with_policies,
            When(
                (beta < upper_turning) | (beta > turning),
                LocalMaximum(at_stationary, v, x, ((y, x),), label="a maximum for β below or above them").by(
                    SecondOrder(using=apart)
                ),
            ),
        ),
    ),
    Domain(0 < p, p < 1, beta > 0),
    because=(
        On(
            rare,
            Always(
                Eq(other_root.subs(z, roots[0]), roots[1]),
                label="the upper root, (1 − 3z)/(3 − 6z) for the lower root z",
            ),
        ),
        On(rare, Always(And(p < roots[0], roots[0] < roots[1], 3 * roots[1] < 1), label="both between p and ⅓")),
        On(
            rare.also(t > 0),
            Every(
                Equal(
                    minimum_between(2, p)[0],
                    (4 - 8 * p - 2 * sqrt(disc)) / 3,
                    label="G = 2: the smaller of the two values of β",
                ),
                Equal(
                    minimum_between(2, p)[1],
                    (4 - 8 * p + 2 * sqrt(disc)) / 3,
                    label="G = 2: the larger of the two values of β",
                ),
                Equal(
                    (3 * t - 2) * (2 - t)
                    - 16 * t * p
                    + 3 * (t - minimum_between(2, p)[0]) * (t - minimum_between(2, p)[1]),
                    0,
                    label="G = 2: both are the roots in t of (3t − 2)(2 − t) = 16tp",
                ),
            ),
        ),
    ),
    kind="convexity",
    locator="Question 2",
    title="Two answers: strict local minima and maxima by (π_ref, β), any group size",
    depends_on=["by-max-curvature", "by-max-sides", "by-stationary-unique"],
    short="p > (2 − √3)/4: a maximum for every β and G",
    remark=(
        "So (2 − √3)/4 is the best constant for every G: below it an interval of β gives a minimum, as Δ_G nowhere "
        "rises up to ½ (by-gap-shape). The reference is z(1 − 3z)/(2(1 − 2z)) for its lower root z. Where β is one of "
        "the two values, see vy-s13-border."
    ),
)

third = Rational(1, 3)
turning_here = 2 * (1 - 2 * x) * gap(G, x)  # β where the stationary policy x is on the border
least = 2 * gap(G, z) / 3  # z is ⅓
any_policy = Domain(G >= 2, 0 < p, p < 1, beta > 0, 0 < x, x < 1)
at_third = any_policy.also(Eq(z, third), Eq(p, x - success_slope(G, x) / beta))
claim(
    "by-max-safe-beta",
    Every(
        On(
            any_policy,
            Always(Implies(beta >= 2 * sqrt(G - 1), beta > turning_here), label="safe above").by(
                Follows((bounds,), ("from below", "from above"))
            ),
        ),
        On(
            at_third.also(3 * x < 1),
            Always(Implies(beta <= least, beta > turning_here), label="safe below: no stationary policy up to ⅓").by(
                Follows(
                    (
                        cited(gap_as_slope, {}, *AS_SLOPE),
                        cited(gap_as_slope, {x: z}, AS_SLOPE[0]),
                        cited(concave, {}, "positive between"),
                        cited(falls, {x: z, z: x}, ORDER[1]),
                    )
                )
            ),
        ),
        On(
            at_third.also(3 * x >= 1),
            Always(Implies(beta <= least, beta > turning_here), label="safe below: and from ⅓ on a maximum").by(
                Follows((cited(gap_as_slope, {}, *AS_SLOPE), cited(concave, {}, "positive between")))
            ),
        ),
    ),
    any_policy,
    because=(
        On(
            Domain(0 < x, x < 1, beta > 0, beta**2 <= 2, beta > (1 - x) / sqrt(x * (1 - x))),
            Always(beta > turning_beta(oo, x), label="safe below, large groups"),
        ),
    ),
    kind="convexity",
    locator="Question 2",
    title="Bounds on β for a local maximum at any reference",
    depends_on=[
        "by-max-region",
        "by-gap-weight",
        "by-gap-bounds",
        "by-gap-drive-concave",
        "by-rare-advantage",
    ],
    remark="A strict local maximum by by-max-region: β > 2(1 − 2x)Δ_G(x). (1 − x)Δ_G is the expected advantage of a "
    "correct answer, which decreases (by-rare-advantage): so where β ≤ ⅔Δ_G(⅓) and x < ⅓ the reference p would be "
    "negative, and the second part has no instance.",
)


def between_the_curves(near, success, *strengths):
    """For each size a reference that gives a minimum, at a policy and with a β that is near one of the constants."""
    where, told = near
    return (
        Exists(
            And(beta > (1 - x) * advantage_gap(size, x), beta < turning_beta(size, x), where(safe_beta(size))),
            {x: success, beta: strength},
            label=f"for some x and β, just {told}, G = {size}",
        )
        for size, strength in zip((2, 3, 4, 8), strengths, strict=True)
    )


above_the_lower = (lambda safe: beta < safe[0] + Rational(1, 100), "above the lower constant")
below_the_upper = (lambda safe: beta > safe[1] - Rational(1, 10), "below the upper one")

# (2 − 3x)a_G(x), a_G the expected advantage of a correct answer, joins the ends of the curves (1 − x)Δ and 2(1 − 2x)Δ.
third_curve = binomial_mean((2 * (G - k) * sqrt(Abs(G - 1 - k) / (k + 1)) - sqrt(k * (G - k))) / G, k, G, x)
claim(
    "by-max-safe-sharp",
    Every(
        *between_the_curves(
            above_the_lower,
            Rational(33, 100),
            *(Rational(thousandths, 1000) for thousandths in (673, 951, 1095, 1296)),
        ),
        *between_the_curves(
            below_the_upper,
            Rational(1, 1000),
            *(Rational(hundredths, 100) for hundredths in (199, 280, 344, 521)),
        ),
        On(
            Domain(0 < x, 3 * x < 1, t > 0),
            Always((1 - x) * t < 2 * (1 - 2 * x) * t, label="below ⅓ some β lies between the curves, every G"),
        ),
        On(
            Domain(beta > 0, beta**2 > 2),
            Always(
                turning_beta(oo, 1 / (1 + beta**2)) > beta,
                label="large groups: nothing above √2 is safe, at x = 1/(β² + 1), the limit p → 0",
            ),
        ),
        On(
            Domain(G >= 2, 0 < x, x < 1),
            Equal((2 - 3 * x) * advantage, third_curve, label="a third curve, over G draws").by(OneMoreDraw(-1, 2)),
        ),
        On(
            Domain(G >= 2, 0 < z, z < 1, Eq(z, third), beta > least, beta < 2 * sqrt(G - 1)),
            TakesValue(third_curve, x, 0, 1, beta, label="it takes every value between the constants").by(
                BetweenLimits((2 * sqrt(G - 1), Integer(0)), rising=False, at_lower=AtAnEnd(), at_upper=AtAnEnd())
            ),
        ),
        On(
            Domain(G >= 2, Eq(z, third), 0 < x, x < 1, 3 * x > 1),
            Always((2 - 3 * x) * advantage < least, label="not beyond ⅓").by(
                Follows(
                    (
                        cited(falls, {}, ORDER[1]),
                        cited(gap_as_slope, {}, AS_SLOPE[0]),
                        cited(gap_as_slope, {x: z}, AS_SLOPE[0]),
                        cited(bounds, {}, "from below"),
                        cited(bounds, {x: z}, "from below"),
                    )
                )
            ),
        ),
        On(
            Domain(G >= 2, Eq(z, third)),
            Always(Eq((2 - 3 * z) * advantage.subs(x, z), least), label="and not at ⅓, where it is the lower one").by(
                Follows((cited(gap_as_slope, {x: z}, AS_SLOPE[0]),))
            ),
        ),
        On(
            Domain(G >= 2, 0 < x, 3 * x < 1),
            Always(
                And((1 - x) * gap(G, x) < (2 - 3 * x) * advantage, (2 - 3 * x) * advantage < turning_here),
                label="up to ⅓ between the other two: some reference has this policy, a minimum",
            ).by(Follows((cited(gap_as_slope, {}, AS_SLOPE[0]), cited(bounds, {}, "from below")))),
        ),
    ),
    Domain(0 < x, x < 1, beta > 0),
    kind="counter-example",
    locator="Question 2",
    title="Minima between the two bounds on β",
    depends_on=["by-max-safe-beta", "by-max-region", "by-rare-advantage", "by-gap-weight", "by-gap-bounds"],
    short=(
        "up to ⅓ between the other two: some reference has this policy, a minimum",
        "it takes every value between the constants",
    ),
    remark="The sum of the first part is the middle of the second. Its x is below ⅓, for from ⅓ on the sum is at most "
    "⅔Δ_G(⅓). The reference of this policy is x − x(1 − x)Δ_G(x)/β, which is positive as β > (1 − x)Δ_G(x); a minimum "
    "as β < 2(1 − 2x)Δ_G(x), by by-max-region.",
)

claim(
    "by-max-safe-everywhere",
    Every(
        On(
            Domain(G >= 3, Eq(z, third)),
            Always(least > Rational(2, 3), label="the lower constant is above ⅔ for every G > 2").by(
                Follows((cited(bounds, {x: z}, "from below"),))
            ),
        ),
        On(
            Domain(Eq(G, 2), Eq(z, third)),
            Always(Eq(least, Rational(2, 3)), label="and ⅔ for groups of two").by(
                Follows((cited(bounds, {x: z}, "from below", "from above"),))
            ),
        ),
        On(
            Domain(beta > 0, G >= 2),
            Always(
                Implies(4 * (G - 1) > beta**2, 2 * critical_beta(G) > beta),
                label="no β is above 2√(G − 1) for every G: choose G > 1 + β²/4",
            ),
        ),
    ),
    Domain(G >= 2, Eq(z, third)),
    because=(
        *(
            On(Domain(0 < t, t < 1), Equal(safe_beta(size)[0] * t, value * t, label=f"the lower constant, G = {named}"))
            for size, value, named in ((2, 2 * third, "2"), (3, 2 * sqrt(2) / 3, "3"), (oo, sqrt(2), "∞"))
        ),
        On(
            Domain(G >= 2),
            Always(
                Equivalent(2 * third * 2 * (G - 1) / G > Rational(2, 3), G > 2),
                label="the lower bound on the gap is enough for every G > 2",
            ),
        ),
        *(
            On(
                Domain(0 < t, t < 1),
                Always(
                    safe_beta(size)[0] * t > Rational(4, 3) * (1 - Rational(1, size)) * t,
                    label=f"(4/3)(1 − 1/G) is safe, G = {size}",
                ),
            )
            for size in (3, 4, 5)
        ),
    ),
    kind="inequality",
    locator="Question 2",
    title="Constants for a local maximum at any reference, β or group size",
    depends_on=["by-max-safe-beta", "by-max-safe-sharp", "by-max-plane", "by-gap-bounds"],
    remark=(
        "z is ⅓, and β ≤ ⅔Δ_G(⅓) and β ≥ 2√(G − 1) are safe by by-max-safe-beta. By by-max-safe-sharp no β between "
        "these two is safe, so none above ⅔ is for every G. That every reference above (2 − √3)/4 is "
        "safe is by-max-plane."
        " In the labelled steps t is any positive factor, by which both sides are multiplied."
    ),
)

# --- Several correct answers: the Hessian of the frozen objective at the policy that sampled the groups
# --------------------------------------
answers = Answers(n)
J = grpo(beta).value(pi, old, ref, lambda a: P[a], answers)  # P is frozen with the old policy
many = Domain(n >= 2, beta > 0, simplex(pi, n), simplex(old, n), simplex(ref, n), reals(P, n))
entry = identify(partial(partial(J, pi[o]), pi[o]), old, pi)
# Stationary policies are proportional to π_ref within a class: π(o) = π_ref(o) x/p for correct o.
within = Domain(
    n_hit >= 2, beta > 0, 0 < p, p < 1, 0 < x, x < 1, simplex(hit_ref, n_hit, total=p), reals(logit_rate, n_hit)
)
scaled = hit_ref[o] * x / p
form = Sum(beta * (scaled - 2 * hit_ref[o]) / scaled**2 * logit_rate[o] ** 2, (o, 1, n_hit))
claim(
    "by-saddle-hessian",
    Every(
        On(
            within,
            Equal(
                form,
                beta * p / x * (1 - 2 * p / x) * Sum(logit_rate[o] ** 2 / hit_ref[o], (o, 1, n_hit)),
                label="among correct answers, in any direction",
            ),
        ),
        On(
            Domain(0 < p, p < x, x < 1),
            Always(1 - 2 * (1 - p) / (1 - x) < 0, label="among wrong answers: always a maximum, as 1 − x < 1 − p"),
        ),
        On(
            Domain(0 < p, p < x, x < 1),
            Equal(
                (1 - 2 * p / x) / x + (1 - 2 * (1 - p) / (1 - x)) / (1 - x),
                -SIGN / (x**2 * (1 - x) ** 2),
                label="along success: the curvature, that of one correct and one wrong answer",
            ),
        ),
    ),
    many,
    because=(
        Equal(entry, beta * (pi[o] - 2 * ref[o]) / pi[o] ** 2, label="∂²J/∂π(o)², any n, on-policy"),
        On(
            Domain(0 < p, p < x, x < 1),
            Always(
                Implies(x <= 2 * p, SIGN > 0),
                label="the curvature along success, minus this over x²(1 − x)², is negative for x ≤ 2p",
            ),
        ),
    ),
    kind="convexity",
    locator="Question 2",
    title="The Hessian at a stationary policy with several correct and wrong answers",
    says=(
        r"-\partial^2J/\beta:\ \frac{3x^2-(1+4p)x+2p}{x^2(1-x)^2}\text{ along success, of the sign of }2p-x"
        r"\text{ among correct answers, positive among wrong ones}"
    ),
    depends_on=["by-max-curvature"],
    lemmas=[
        "the penalty is a sum of functions of one probability each, so the Hessian is diagonal; a direction "
        "within a class and the direction π/x, −π/(1 − x) are orthogonal for it",
        "(11): answers with the same expected advantage have the same ratio π/π_ref",
    ],
)

claim(
    "by-saddle-classification",
    On(
        Domain(0 < p, p < x, x < 1),
        Always(Implies(SIGN < 0, x > 2 * p), label="a minimum along success is one among correct answers"),
    ),
    Domain(0 < p, p < x, x < 1),
    because=(
        On(
            curve,
            Always(
                Equivalent(x > 2 * at, beta < 2 * (1 - x) * t),
                label="success more than doubles exactly when β < 2(1 − x)Δ_G(x)",
            ),
        ),
        Exists(
            And(SIGN > 0, x > 2 * p),
            {p: Rational(1, 10), x: Rational(1, 2)},
            label="a saddle: up among correct answers, down along success",
        ),
        Exists(
            And(SIGN < 0, x > 2 * p),
            {p: Rational(1, 100), x: Rational(1, 10)},
            label="a minimum, if there is only one wrong answer",
        ),
        Exists(And(SIGN > 0, x < 2 * p), {p: Rational(3, 10), x: Rational(1, 2)}, label="a maximum"),
    ),
    kind="convexity",
    locator="Question 2",
    title="Several correct answers: local maximum, saddle or local minimum",
    depends_on=["by-saddle-hessian", "vy-s13-border"],
    says=(
        r"n_+\ge2:\ x<2p\text{ strict local maximum};\ x>2p\text{ saddle, or strict local minimum where "
        r"}3x^2-(1+4p)x+2p<0\text{ and }n_-=1"
    ),
    lemmas=[
        TEST,
        "where 3x² − (1 + 4p)x + 2p = 0 the policy is no minimum along success (vy-s13-border), and no maximum among "
        "correct answers, as x > 2p: a saddle",
    ],
    remark=(
        "With several equally good answers, the policy that more than doubles the chance of success gains, by "
        "its own frozen objective, from preferring one of them."
    ),
)

# Success has exactly doubled. Two correct answers of references u ≤ v have policies 2u and 2v; a share t moves from the
# one to the other.
shifted = grpo(beta).value(
    (2 * u + t, 2 * v - t, 1 - 2 * u - 2 * v),
    (2 * u, 2 * v, 1 - 2 * u - 2 * v),
    (u, v, 1 - u - v),
    lambda a: (s, s, 0)[a],
    Answers(3),
)
doubled = Domain(0 < u, 0 < v, 2 * u + 2 * v < 1, beta > 0, -2 * u < t, t < 2 * v, s > 0)
slope_of_move = beta * t**2 / 2 * (1 / (2 * u + t) ** 2 - 1 / (2 * v - t) ** 2)
claim(
    "by-saddle-border",
    On(
        Domain(0 < u, u < v, 2 * u + 2 * v < 1, beta > 0, -2 * u < t, t < v - u, s > 0),
        Monotone(shifted, t, 1, label="u < v: rising through t = 0").by(ButForAPoint(Integer(0), slope_of_move)),
    ),
    doubled,
    because=(
        On(
            doubled.also(Ne(t, 0)),
            Always(Equivalent(diff(shifted, t) > 0, t < v - u), label="the objective rises up to t = v − u"),
        ),
        On(
            doubled.also(Ne(t, 0)),
            Always(
                Equivalent(diff(shifted, t) < 0, t > v - u),
                label="and falls from there: for u ≠ v no extremum at t = 0",
            ),
        ),
        Equal(
            diff(shifted, t),
            slope_of_move,
            label="the slope along the move, with the factor t²",
        ),
    ),
    kind="convexity",
    locator="Question 2",
    title="Success twice the reference: the objective along a move between two correct answers",
    remark="u < v are the references: the policy is then no local maximum of its own objective. Three equally likely "
    "answers are a pair of one and of two: the same. Two equally likely ones alone (u = v) are the best split; whether "
    "the policy is then a maximum depends on p, as by-global-twins says.",
)

double = Domain(0 < p, 2 * p < 1)
claim(
    "by-saddle-beta",
    Every(
        *(
            On(
                double,
                Equal(
                    stationary_beta(size, 2 * p, p),
                    saddle_beta(size, p),
                    label=f"the β whose stationary policy is 2p, G = {named}",
                ),
            )
            for size, named in ((2, "2"), (oo, "∞"))
        ),
        On(double, Equal(saddle_beta(2, p), 2 * (1 - 2 * p), label="that β, G = 2")),
        On(double, Equal(saddle_beta(oo, p), sqrt(2 * (1 - 2 * p) / p), label="that β, large groups")),
        On(double, Monotone(2 * (1 - 2 * p) / p, p, -1, label="its square, large groups: decreasing in the reference")),
        On(
            Domain(G >= 2, beta > 0, 0 < p, 2 * p < 1, t >= 2 * (G - 1) / G),
            Always(
                Implies(beta < 4 * (1 - 2 * p) * (G - 1) / G, beta < 2 * (1 - 2 * p) * t),
                label="every G: no maximum at least for β < 4(1 − 2p)(1 − 1/G)",
            ),
        ),
    ),
    double,
    kind="convexity",
    locator="Question 2",
    title="Several correct answers: bounds on β for a strict local maximum",
    depends_on=[
        "by-saddle-classification",
        "by-stationary-unique",
        "by-saddle-border",
        "by-rare-advantage",
        "by-gap-weight",
    ],
    says=(
        r"n_+\ge2:\ \text{a strict local maximum for }\beta>2(1-2p)\Delta_G(2p),\text{ none for }\beta<2(1-2p)\Delta_G("
        r"2p)\ (p<\tfrac12);\ \text{for every }p\iff\beta\ge2\sqrt{G-1};\ \text{for every }\beta\iff p\ge\tfrac12"
    ),
    lemmas=[
        "β decreases in x on the curve of a reference p (by-stationary-unique), so x < 2p exactly when β exceeds "
        "its value at 2p",
        "(1 − x)Δ_G(x) is a_G(x) (by-gap-weight), which decreases from √(G − 1) at 0 to 0 at 1 (by-rare-advantage): so "
        "2(1 − 2p)Δ_G(2p) decreases from 2√(G − 1) at p = 0 to 0 at p = ½, for every G",
    ],
    remark=(
        "n₊ is the number of correct answers. With the usual β = 0.04 and groups of two, the stationary policy is no "
        "maximum for any reference below 0.49."
    ),
)
