"""Stationary is not maximal: where a stationary policy maximises its own objective, and where it is a minimum of it.

Statement.   Section 1.3 calls π* stationary when it maximises the objective whose groups it samples itself. (14) and
             (15) come from first-order conditions. Two answers, groups of two, b = β/γ: the policy (14) is a strict
             local maximum of its own frozen objective if 16 b p > (3b − 2)(2 − b), so for every π_ref when b ≤ 2/3 or
             b ≥ 2, and a strict local minimum if the inequality is reversed. Where both sides are equal the objective
             goes on rising or falling through the policy, which is neither, except at b = 2√21/7, p = ½ − 2/√21:
             there it is the strict global maximum. Large groups: (15) is a strict local maximum if x ≥ 1/2 or
             (β² + 16) x (1 − x) > 4, so for every π_ref when β ≤ √2; the border is as before. Even a local maximum
             need not be global: the reference policy itself may do better.
Source.      Vojnovic & Yun (2025), Section 1.3 (definition), Sections 1.2 and 2.2 ("essentially the reverse KL"),
             Section 2.3.
Domain.      0 < p < 1, β > 0, 0 < γ ≤ 1; π_old = y held fixed while x moves, and set to x afterwards.
Derivation.  objective → second derivative in x with y frozen → y = x → a quadratic in x whose sign decides → the closed
             form put in → on the border, the first derivative in factors.
Caveat.      This is about the objective with π_old frozen, as the definition says. Gradient ascent with fresh groups at
             every step follows the on-policy derivative instead, whose flow tends to (14) from everywhere inside
             (vy-s13-ascent-reaches).
Letters.     x and y are policy and sampler on two answers, p is π_ref(a), z the stationary policy, in vy-s13-border
             that at which the second derivative vanishes; b is β/γ. P(o) is a preference, t one entry of a policy. In
             vy-s13-ascent-reaches u is the rate of the natural gradient and v/2 that of the softmax flow. λ is
             the Lagrange multiplier of Σπ = 1.
"""

from grpo_symbolic.paper import *

from .eq8_10_penalty_gradients import Jrev as Jrev_n
from .eq8_10_penalty_gradients import KLrev, at_old, one_output, reverse_domain, stationary_0, stationary_rev

claim = Result(__file__).claim

policy, old, reference = binary(x), binary(y), binary(p)
inside = Domain(0 < p, p < 1, 0 < x, x < 1, beta > 0, 0 < gamma, gamma <= 1)

# Groups of two. The reward preference is linear in x, so the curvature comes from the penalty alone.
d = Derivation("vy-s13-curvature", inside.also(0 < y, y < 1))
J = d.start(grpo(beta, group_size=2).with_margin(policy, old, reference, gamma))
slope = d.differentiate(J, x, "the old policy y is held fixed")
second = d.differentiate(slope, x, "again")
curvature = d.restrict(second, {y: x}, "at a policy that sampled its own groups")
SIGN = 3 * x**2 - (4 * p + 1) * x + 2 * p
d.rewrite(curvature, -beta * SIGN / (x**2 * (1 - x) ** 2), "its sign is that of a quadratic in x")

claim(
    "vy-s13-curvature",
    On(
        inside.also(0 < y, y < 1, Eq(y, x)),
        Equal(Derivative(J, (x, 2)), -beta * SIGN / (x**2 * (1 - x) ** 2), label="the second derivative where y = x"),
    ),
    inside,
    because=(Equal(curvature, -beta * SIGN / (x**2 * (1 - x) ** 2), label="differentiated twice in x, then y = x"),),
    by=d,
    kind="convexity",
    locator="Sec 1.3; Sec 2.3",
    title="Curvature of the frozen objective at the policy that sampled the groups",
    remark=(
        "y is held fixed, and is x after differentiating. The same for large groups: the reward preference is linear "
        "in x for every frozen π_old (vy-s13-curvature-large-groups)."
    ),
)

# The closed form put in: b = β/γ, x = (14).
X = pairs(b, p)
at_pairs = SIGN.subs(x, X)
plane = Domain(0 < p, p < 1, b > 0)
threshold = (3 * b - 2) * (2 - b)
reading = (
    "Read as first-order stationarity, which is what (11)–(15) use, the definition is met by (14); read as printed (a "
    "maximiser), it is not always."
)
frozen_pair = J.subs({beta: b, gamma: 1})

claim(
    "vy-s13-stationary-definition",
    Every(
        When(16 * b * p > threshold, LocalMaximum(frozen_pair, x, X, ((y, X),))),
        When(16 * b * p < threshold, LocalMaximum(frozen_pair, x, X, ((y, X),), sense=-1, label="local minimum")),
    ),
    plane,
    because=(
        Equal(diff(frozen_pair, x).subs(y, x).subs(x, X), 0, label="(14) is stationary"),
        Always(
            Equivalent(at_pairs > 0, 16 * b * p > threshold), label="where the second derivative at (14) is negative"
        ),
        Always(
            Equivalent(at_pairs < 0, 16 * b * p < threshold), label="where the second derivative at (14) is positive"
        ),
    ),
    kind="convexity",
    depends_on=["vy-s13-border"],
    locator="Sec 1.3",
    title="Local maxima and minima among the stationary policies (14)",
    printed=(
        r"\text{A stationary policy is a collection of distributions }\pi_{\theta^*}(\cdot\mid q)\text{ such that }"
        r"\theta^*\text{ maximises }\mathcal J_{GRPO}(\theta)\text{ over }\theta\text{, assuming that }\pi_{"
        r"\theta_{\mathrm{old}}}\equiv\pi_{\theta^*}"
    ),
    judged=imprecise(
        reading,
        Always(
            frozen_pair.subs(y, X) <= frozen_pair.subs(y, X).subs(x, X),
            label="no policy does better than (14) where (14) samples the groups",
        ),
        plane.also(0 < x, x < 1),
    ),
    remark="Between the two inequalities, where 16 (β/γ) p = (3β/γ − 2)(2 − β/γ): vy-s13-border.",
)

# The border: the second derivative vanishes at the policy z, which gives both the reference and the regularisation.
border = Domain(0 < z, 3 * z < 1, gamma > 0)
on_border = {y: z, beta: 2 * (1 - 2 * z) * gamma, p: z * (1 - 3 * z) / (2 * (1 - 2 * z))}
border_slope = slope.subs(on_border)
summit = 2 - 3 * z - sqrt((2 - 3 * z) ** 2 - (1 - 3 * z))
between = border.also(0 < x, x < 1, Ne(x, z))
equality = Domain(3 * b > 2, b < 2, Eq(p, threshold / (16 * b)))
claim(
    "vy-s13-border",
    Every(
        On(equality, Equal(2 * (1 - 2 * X), b, label="16 b p = (3b − 2)(2 − b): (14) is the z of b = 2(1 − 2z)")),
        On(
            between, Always(Equivalent(border_slope > 0, x < summit), label="apart from z the objective rises up to x*")
        ),
        On(between, Always(Equivalent(border_slope < 0, x > summit), label="and falls from there on")),
        On(border, Always(Equivalent(Eq(z, summit), Eq(14 * z, 7 - sqrt(21))), label="z = x* at one z only")),
    ),
    border.also(0 < x, x < 1),
    because=(
        On(equality, Always((X > 0) & (3 * X < 1), label="16 b p = (3b − 2)(2 − b): the policy (14) is below ⅓")),
        On(
            equality,
            Equal(
                X * (1 - 3 * X) / (2 * (1 - 2 * X)),
                p,
                label="and its reference is p = z(1 − 3z)/(2(1 − 2z)), z the policy",
            ),
        ),
        Equal(
            border_slope,
            gamma * (x - z) ** 2 * (x**2 - (4 - 6 * z) * x + 1 - 3 * z) / (x**2 * (1 - x) ** 2),
            label="there the slope has the factor (x − z)²",
        ),
        On(border, Always((summit > 0) & (summit < 1), label="x* = 2 − 3z − √((2 − 3z)² − (1 − 3z)) is a policy")),
        On(
            border,
            Always(Equivalent(z < summit, 7 * z**2 - 7 * z + 1 > 0), label="z < x*: the objective rises through z"),
        ),
        On(
            border,
            Always(Equivalent(z > summit, 7 * z**2 - 7 * z + 1 < 0), label="z > x*: the objective falls through z"),
        ),
    ),
    kind="convexity",
    locator="Sec 1.3; (14)",
    title="The border between local maximum and local minimum",
    remark="On the border (14) is neither a maximum nor a minimum, as its slope has the policy z as a double zero; "
    "the exception is the policy z = ½ − √21/14, with b = 2√21/7 and π_ref = ½ − 2/√21. γ stands for the difference "
    "of the two expected advantages, so for every group size the border is that of β over this difference "
    "(by-max-region).",
)

claim(
    "vy-s13-local-minimum-witness",
    LocalMaximum(
        J.subs({beta: 1, gamma: 1, p: Rational(1, 100)}), x, Rational(1, 10), ((y, Rational(1, 10)),), sense=-1
    ),
    Domain(),
    kind="convexity",
    locator="Sec 1.3; (14)",
    title="A stationary policy at a local minimum of its own objective, β and γ 1, π_ref 1/100",
    remark=(
        "β = γ = 1, π_ref(a) = 1/100: (14) gives 1/10, and with groups drawn from it the objective has a strict "
        "local minimum there."
    ),
)

positive = Always(at_pairs > 0, label="on the side of the maxima")
positive = positive.by(InLetters(positive, plane.also(16 * b * p > threshold), {b: b, p: p}))
claim(
    "vy-s13-safe-regularisation",
    Every(
        *(
            When(safe, LocalMaximum(frozen_pair, x, X, ((y, X),), label=label).by(SecondOrder(Then((positive,)))))
            for safe, label in (
                (Or(3 * b <= 2, b >= 2), "β/γ ≤ 2/3 or β/γ ≥ 2: for every reference"),
                (p > (2 - sqrt(3)) / 4, "for every b"),
            )
        ),
    ),
    plane,
    because=(
        When(
            Or(3 * b <= 2, b >= 2),
            Always(at_pairs > 0, label="β/γ ≤ 2/3 or β/γ ≥ 2: a local maximum for every reference"),
        ),
        On(
            Domain(b > 0),
            Always(threshold / (16 * b) <= (2 - sqrt(3)) / 4, label="no reference above (2 − √3)/4 is affected"),
        ),
        On(
            Domain(0 < p, p < 1, 3 * b > 2, b < 2),
            Always(Equivalent(at_pairs < 0, p < threshold / (16 * b)), label="between: a minimum for small references"),
        ),
    ),
    kind="convexity",
    depends_on=["vy-s13-stationary-definition"],
    locator="Sec 1.3; (14)",
    title="Regularisations and references with a local maximum at (14)",
    remark=(
        "2/3 and 2 are the best constants: strictly between them some π_ref gives a minimum. A local "
        "maximum need not be global: vy-s13-local-not-global."
    ),
)

claim(
    "vy-s13-square-root-minimum",
    Every(
        On(
            inside.also(0 < y, y < 1, Eq(y, x), Eq(x, sqrt(p)), Eq(beta, gamma)),
            Equal(
                Derivative(J, (x, 2)),
                beta * (1 - 4 * x) / (x * (1 - x)),
                label="the second derivative at x = √p, where y = x",
            ),
        ),
        Always(Equivalent(1 - 4 * sqrt(p) > 0, 16 * p < 1), label="it is positive just for p < 1/16"),
    ),
    Domain(0 < p, p < 1),
    because=(
        Always(Equivalent(SIGN.subs(x, sqrt(p)) < 0, 16 * p < 1), label="the quadratic of the curvature at x = √p"),
    ),
    kind="convexity",
    locator="Sec 2.3.1",
    title="Curvature at √π_ref for β equal to γ",
    depends_on=["vy-s231-sqrt", "vy-s13-curvature"],
)


# Local is not global: at x' = p the penalty vanishes, and for small p that outweighs the reward.
def advantage_of_reference(value):
    """J(x') − J(x) at x' = p for the objective frozen at x = ``value``."""
    return (frozen_pair.subs(x, p) - frozen_pair).subs(y, x).subs(x, value)


claim(
    "vy-s13-local-not-global",
    Exists(
        And(16 * b * p > threshold, X - p < b * (X * log(X / p) + (1 - X) * log((1 - X) / (1 - p)))),
        {p: Rational(1, 100), b: Rational(1, 2)},
        label="b = 1/2, π_ref = 1/100",
    ),
    plane,
    because=(
        On(
            Domain(0 < x, x < 1, 0 < p, p < 1, b > 0),
            Equal(
                advantage_of_reference(x),
                (p - x) + b * (x * log(x / p) + (1 - x) * log((1 - x) / (1 - p))),
                label="the reward lost, and β KL gained",
            ),
        ),
    ),
    kind="convexity",
    depends_on=["vy-s13-stationary-definition"],
    locator="Sec 1.3; (14)",
    title="A strict local maximum worse than the reference policy",
    remark="The first condition says that the stationary policy is a strict local maximum "
    "(vy-s13-stationary-definition), the second that its objective is higher at π_ref.",
)

claim(
    "vy-s13-never-global-for-small-references",
    Tends(advantage_of_reference(1 - b), p, 0, oo),
    Domain(0 < b, b < 1),
    kind="limit",
    locator="Sec 1.3; (14)",
    title="Gain of the reference policy over 1 − β/γ as a policy that samples the groups, β/γ below 1",
    depends_on=["vy-s13-local-not-global"],
    remark=(
        "1 − β/γ is the limit of (14) as π_ref → 0 (vy-s231-continuity); its own objective prefers π_ref by an "
        "unbounded amount."
    ),
)

# Large groups: the same penalty, so the same quadratic; the closed form is (15).
Jinf = grpo(beta, group_size=oo).with_rewards(policy, old, reference, (r_a, r_b), Answers(2))
claim(
    "vy-s13-curvature-large-groups",
    On(
        Domain(0 < p, p < 1, 0 < x, x < 1, 0 < y, y < 1, beta > 0, r_a > r_b, Eq(y, x)),
        Equal(
            Derivative(Jinf, (x, 2)), -beta * SIGN / (x**2 * (1 - x) ** 2), label="the second derivative where y = x"
        ),
    ),
    Domain(0 < p, p < 1, 0 < x, x < 1, beta > 0, r_a > r_b),
    because=(
        Equal(
            on_policy_curvature(Jinf, x, y),
            -beta * SIGN / (x**2 * (1 - x) ** 2),
            label="differentiated twice in x, then y = x",
        ),
    ),
    kind="convexity",
    locator="Sec 1.3; Sec 2.3",
    title="Curvature of the frozen objective at the sampling policy, large groups",
)

# On (19) the reference is p = x − √(x(1 − x))/β, so the sign is a condition on x and β.
on_curve = x - sqrt(x * (1 - x)) / beta
curve = Domain(0 < x, x < 1, beta > 0, beta * x > sqrt(x * (1 - x)))
maximum = Or(x >= Rational(1, 2), (beta**2 + 16) * x * (1 - x) > 4)
Xinf = large_groups(beta, p)
tangent = Domain(r_a > r_b, 0 < z, z < 1, beta > 0, p > 0, Eq(p, on_curve.subs(x, z)))
low = 1 / (1 + beta**2) + (beta**2 - 2) / (10 * (1 + beta**2) ** 2)
certain, doubtful = maximum.subs(x, z), And(z < Rational(1, 2), (beta**2 + 16) * z * (1 - z) < 4)
claim(
    "vy-s13-large-groups",
    Every(
        On(tangent, When(certain, LocalMaximum(Jinf, x, z, ((y, z),), label="condition of a strict local maximum"))),
        On(
            tangent,
            When(doubtful, LocalMaximum(Jinf, x, z, ((y, z),), sense=-1, label="condition of a strict local minimum")),
        ),
    ),
    curve,
    because=(
        Always(
            Equivalent(SIGN.subs(p, on_curve) > 0, maximum),
            label="where the second derivative at the stationary policy x is negative",
        ),
        On(
            Domain(0 < p, p < 1, beta > 0, beta**2 <= 2),
            Always(SIGN.subs(x, Xinf) > 0, label="β ≤ √2: the second derivative is negative for every reference"),
        ),
        On(
            Domain(beta > 0, beta**2 > 2),
            Always(doubtful.subs(z, low), label="β > √2: a minimum at the policy 1/(1 + β²) + (β² − 2)/(10(1 + β²)²)"),
        ),
        On(
            Domain(beta > 0, beta**2 > 2),
            Always(beta**2 * low > 1 - low, label="β > √2: the reference of that policy is positive"),
        ),
        Exists(
            SIGN.subs(p, on_curve) < 0,
            {x: Rational(1, 10), beta: Rational(11, 3)},
            label="β = 11/3, x = 1/10: the second derivative is positive",
        ),
    ),
    kind="convexity",
    depends_on=["vy-s13-curvature-large-groups", "vy-eq15", "vy-s13-border"],
    locator="Sec 1.3; (15)",
    title="Local maxima and minima among the stationary policies (15)",
    remark=(
        "Up to β = √2 (15) is a local maximum for every π_ref; above it some π_ref gives a minimum, however large "
        "β is. "
        "For groups of two β ≥ 2γ is safe again (vy-s13-safe-regularisation)."
    ),
)

# "Essentially the reverse KL": the same slope, not the same curvature.
Jrev = gamma * x - beta * forward_kl(policy, reference, Answers(2), o)
claim(
    "vy-s12-penalty-reverse-KL",
    Every(
        On(
            at_old,
            Equal(
                Derivative(one_output, pi[o_]),
                Derivative(KLrev, pi[o_]) + 1,
                label="the same gradient, but for 1, which the multiplier absorbs",
            ),
        ),
        ConcaveInPolicy(Jrev_n, (pi,), label="concave with the reverse KL").by(
            Separable((Summand(t * P[o] - beta * ref[o] * log(ref[o] / t), t, pi, o, n),))
        ),
    ),
    reverse_domain,
    because=(
        Equal(
            stationary_0.subs(lam, lam - beta),
            stationary_rev,
            label="the same condition, for a multiplier λ − β and for λ",
        ),
    ),
    kind="convexity",
    depends_on=["vy-s13-curvature"],
    locator="Abstract; Sec 1.2, item 4; Sec 2.2",
    title="The penalty and the reverse KL to first order",
    printed=(
        r"\text{for stationary policies, GRPO's penalty is essentially equivalent to the reverse KL divergence between "
        r"the new candidate policy and the reference policy}"
    ),
    remark=(
        "“Essentially” is read so: the same on-policy slope but for a constant 1, so the same solutions of (11), "
        "stationary to first order, for any number of answers, rewards and group size; not the same objective, for "
        "with the reverse KL, which makes it concave, every stationary policy is the global maximum of the objective "
        "whose preferences are frozen at it."
    ),
)

# The slope along which an on-policy learner climbs. In terms of logits it climbs at 2x²(1 − x)² times that (softmax) or
# at x(1 − x) times that (natural gradient).
ascent = slope.subs(y, x)
signs = claim(
    "vy-s13-ascent-signs",
    Every(
        Always(Equivalent(ascent > 0, x < pairs(beta / gamma, p)), label="on-policy ascent moves up below (14)"),
        Always(Equivalent(ascent < 0, x > pairs(beta / gamma, p)), label="and down above it"),
    ),
    inside,
    depends_on=["vy-eq14"],
    locator="Sec 1.3",
    title="Sign of the on-policy derivative below and above (14)",
)
UP, DOWN = (Follows((signs,), (label,)) for label in ("on-policy ascent moves up below (14)", "and down above it"))
flows = Domain(0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1)
both_rates = u * x * (1 - x) + v * x**2 * (1 - x) ** 2
moving = Then(  # x(1 − x) times the sum of these two
    (
        Always(x * (1 - x) > 0, label="both answers have a probability"),
        Always((u + v) * x * (1 - x) > 0, label="one of the rates is positive"),
        Always(u * (1 - x * (1 - x)) >= 0, label="and that of the natural gradient not negative"),
    )
)
claim(
    "vy-s13-ascent-reaches",
    On(
        flows.also(u >= 0, v >= 0, u + v > 0),
        FlowTends(
            both_rates * ascent,
            x,
            0,
            1,
            pairs(beta / gamma, p),
            label="natural gradient at the rate u and softmax at the rate v/2, together",
        ).by(
            SignOfVelocity(
                PositiveFactors(both_rates, ascent, moving, UP), PositiveFactors(both_rates, -ascent, moving, DOWN)
            )
        ),
    ),
    flows,
    kind="limit",
    depends_on=["vy-eq14", "vy-s13-ascent-signs"],
    locator="Sec 1.3",
    title="On-policy gradient flows to (14)",
    remark=(
        "Also where (14) is a minimum of its own frozen objective (vy-s13-stationary-definition): what the flow "
        "follows is not the objective of the definition."
    ),
)
