"""Exact best responses under verifiable rewards: for which β and p the stationary policy attracts their iteration.

Statement.   A best response maximises the objective whose groups the last policy sampled. At a stationary policy x its
             multiplier is, for KL_0, (x(1 − x)Δ'/Δ − (1 − 2x))(x − p)/S with S = 3x² − (4p + 1)x + 2p. At a strict
             local maximum of its own objective, S > 0, it stays below 1 for every group size, and it exceeds −1, so
             that the policy attracts, for groups of two exactly when 36bp > (5b − 3)(3 − b), and for large groups
             exactly when β√(x(1 − x)) > (c/2)(1 − 2x) with c = 7. Reversed, the policy repels or is no maximum; with
             equality the multiplier is −1, which decides nothing. For KL(π_ref‖π) the same with c = 3,
             for the direct KL below ½ with c = 1, and being a maximum is c = 4: for large groups the estimator KL_0 is
             the least stable of the three. For groups of two and three the responses to the two true divergences do not
             depend on the old policy at all: one step arrives.
Source.      Question 3 of our own theory. The direct KL at large groups is vy-B2-stability, with smoothing mr-lem1.
Domain.      0 < p < x < 1, β > 0; Δ = u > 0 and Δ' = t stand for the gap and its slope where the formula is the same
             for every G.
Derivation.  Frozen objective J(x; y) → J_x = 0, J_xx, J_xy at y = x → −J_xy/J_xx → β eliminated by stationarity → sign
             of 1 ± multiplier.
Caveats.     Stability is local (for KL_0 of the local maximiser). Where every start converges:
             best_response_everywhere.py. What happens where stability fails: best_response_cycles.py.
Letters.     p is the reference, y the policy that samples, x the one that answers, z a stationary policy; b is β/γ. Δ
             is u, its slope t, its value at z is s; v is the variance x(1 − x), c a number that depends on the
             divergence and on what is asked, and κ = −vΔ_v/Δ says how fast the gap falls with v. m is x(1 − x)Δ, S is
             3x² − (4p + 1)x + 2p, and λ in by-br-between the multiplier. In by-br-elasticity t is Δ_v, the slope of the
             gap in v, k numbers the coefficients of a Bernstein polynomial, and in by-br-between x is a stationary
             policy. Δ_G(x) is the gap of the expected advantages of right and wrong answers, a_G(x) is 1 − x times and
             m_G(x) x(1 − x) times this gap. (14) and (15) are equations of Vojnovic & Yun.
"""

from dataclasses import replace

from grpo_symbolic.paper import *
from grpo_symbolic.proof import at as cited

from .any_group import success_slope
from .group_size_gap import concave

claim = Result(__file__).claim

half = Rational(1, 2)
policy, old, reference, two = binary(x), binary(y), binary(p), Answers(2)
S = 3 * x**2 - (4 * p + 1) * x + 2 * p  # the sign of −J_xx for KL_0 (vy-s13-curvature)
T = x**2 - 2 * p * x + p  # the same for KL(π_ref‖π): (x − p)² + p(1 − p) > 0
at_rest = x * (1 - x) * u / (x - p)  # the β for which x is stationary, for KL_0 and KL(π_ref‖π)
above = Domain(0 < p, p < x, x < 1, u > 0, t)
STABLE = (
    "a fixed point of a differentiable map attracts if its multiplier is below 1 in modulus and repels if it is above"
)

# -- multipliers ------------------------------------------------------------------------------------------------------
# The reward part is xΔ(y): its slope is Δ(y) = u, and its mixed derivative Δ'(y) = t.
d = Derivation("by-br-multiplier", above.also(0 < y, y < 1, beta > 0))
penalty0 = GRPO_PENALTY.expected(policy, reference, old, two, o)
D = d.start(penalty0, "KL_0 on the samples of y")
D_x = d.differentiate(D, x, "y held fixed")
penalty_gradient = d.rewrite(D_x, (x - p) * (y / x**2 + (1 - y) / (1 - x) ** 2), "towards p")
D_xx = d.differentiate(penalty_gradient, x, "its curvature")
D_xy = d.differentiate(penalty_gradient, y, "how the gradient moves with the groups")


def multiplier(second, mixed, strength):
    """−J_xy/J_xx at y = x with J = xΔ(y) − βD."""
    return ((t - strength * mixed) / (strength * second)).subs(y, x)


elasticity = x * (1 - x) * t / u  # of the gap in the log-odds of x
slope0 = (elasticity - (1 - 2 * x)) * (x - p) / S
far = above.also(Or(S > 0, S < 0))


# Near a stationary policy z, where Δ has the value s and the slope t: the answer to y is where the slope vanishes.
settled = Domain(0 < p, p < z, z < 1, s > 0, t)
inside = ImplicitFunction((0 < x, x < 1, 0 < y, y < 1))


def answer(slope, value=s):
    """The policy x at which a slope vanishes, in answer to y; Δ(y) is u, and β makes z stationary."""
    return Answer(slope.subs(beta, value * z * (1 - z) / (z - p)), x, y, (u, value, t))


def at_z(expression):
    """An expression in x and Δ at the stationary policy."""
    return expression.subs({x: z, u: s}, simultaneous=True)


every_size = Domain(G >= 2, 0 < p, p < x, x < 1)
tangent = Tangent(success_slope(G, v), v, Domain(G >= 2, 0 < v, v < 1), p, x, -1, ByDifferences())
below_tangent = Always(success_slope(G, p) <= success_slope(G, x) - diff(success_slope(G, x), x) * (x - p)).by(tangent)
claim(
    "by-br-kl0-multiplier",
    Every(
        On(
            settled.also(Or(at_z(S) > 0, at_z(S) < 0)),
            AnswerMoves(answer(u - beta * penalty_gradient), z, at_z(slope0), z, label="any gap").by(inside),
        ),
        On(
            above.also(t * (x - p) * x * (1 - x) + (1 - 2 * x) * u * (x - p) < x * (1 - x) * u),
            Always(
                T - elasticity * (x - p) > 0,
                label="positive, for m' (x − p) < m: where S > 0 the multiplier is below 1",
            ),
        ),
    ),
    above,
    because=(
        On(far, Equal(multiplier(D_xx, D_xy, at_rest), slope0, label="the multiplier, any gap")),
        Equal(S - (x - p) * (elasticity - (1 - 2 * x)), T - elasticity * (x - p), label="1 − multiplier, times S"),
        On(
            every_size,
            Always(
                diff(success_slope(G, x), x) * (x - p) < success_slope(G, x),
                label="the hypothesis of the second part holds of every m_G, which is concave",
            ).by(
                Then(
                    (
                        below_tangent,
                        Always(success_slope(G, p) > 0).by(Follows((cited(concave, {x: p}, "positive between"),))),
                    )
                )
            ),
        ),
    ),
    by=d,
    kind="stability",
    depends_on=["by-stationary-equation", "by-gap-drive-concave"],
    locator="Question 3",
    title="KL_0: the multiplier of the best response",
    remark=(
        "Where S = 2p + 3x² − x(4p + 1) > 0, x is a strict local maximum of its own objective (by-max-curvature), and "
        "by the second part the multiplier is below 1, so one of size one is −1; where S < 0 it is above 1. The "
        "hypothesis of the second part holds of every m_G, as a step shows."
    ),
)

forward = forward_kl(policy, reference, two, o)
straight = kl(policy, reference, two, o)
claim(
    "by-br-kl-multipliers",
    Every(
        On(
            settled,
            AnswerMoves(
                answer(u - beta * diff(forward, x)), z, at_z(elasticity * (x - p) / T), z, label="KL(π_ref‖π), any gap"
            ).by(inside),
        ),
        On(
            Domain(0 < p, p < 1, 0 < z, z < 1, beta > 0, t),
            AnswerMoves(
                Answer(u - beta * diff(straight, x), x, y, (u, beta * diff(straight, x).subs(x, z), t)),
                z,
                z * (1 - z) * t / beta,
                z,
                label="direct KL, any gap",
            ).by(inside),
        ),
    ),
    above,
    because=(
        Equal(
            multiplier(diff(forward, x, 2), 0, at_rest),
            elasticity * (x - p) / T,
            label="the multiplier for KL(π_ref‖π)",
        ),
        On(
            Domain(0 < p, p < 1, 0 < x, x < 1, beta > 0, t),
            Equal(
                multiplier(diff(straight, x, 2), 0, beta),
                x * (1 - x) * t / beta,
                label="the multiplier for the direct KL",
            ),
        ),
        *(
            On(
                Domain(0 < success_ref, success_ref < 1, 0 < success, success < 1, beta > 0),
                Equal(
                    diff(best_response(Advantage(), size, kind), success),
                    0,
                    label=f"G = {size}, {name}: the slope of the response in the old policy",
                ),
            )
            for size in (2, 3)
            for kind, name in (("forward-kl", "KL(π_ref‖π)"), ("reverse-kl", "direct KL"))
        ),
    ),
    kind="stability",
    depends_on=["by-stationary-equation"],
    locator="Question 3",
    title="The two true divergences: multipliers of the best response",
)

# -- groups of two (and three, with β/√2) -----------------------------------------------------------------------------
Q = 5 * x**2 - (6 * p + 2) * x + 3 * p  # S times (1 + multiplier) for a constant gap
on_curve = x * (1 - x) / (x - p)  # b at the stationary policy
region = 36 * b * p > (5 * b - 3) * (3 - b)
plane = Domain(0 < p, p < 1, b > 0)
X = pairs(b, p)
safe_reference = (3 - sqrt(5)) / 6
constant = Domain(0 < z, z < 1, 0 < p, p < z)  # a constant gap of γ, b = β/γ as it is at the stationary policy z
to_pairs = Answer(1 - on_curve.subs(x, z) * penalty_gradient, x, y)
with_beta = Answer(1 - b * penalty_gradient, x, y)
pairs_rate = at_z(slope0.subs(t, 0))
claim(
    "by-br-kl0-pairs",
    Every(
        On(
            constant.also(at_z(Q) > 0),
            AnswersAttract(to_pairs, z, pairs_rate, label="3p + 5z² − z(6p + 2) > 0: it attracts").by(inside),
        ),
        On(
            constant.also(at_z(Q) < 0, at_z(S) > 0),
            AnswersRepel(to_pairs, z, pairs_rate, label="3p + 5z² − z(6p + 2) < 0, and a maximum: it repels").by(
                inside
            ),
        ),
        On(
            Domain(0 < p, p < x, x < 1),
            Always(
                Equivalent(Q > 0, 36 * on_curve * p > (5 * on_curve - 3) * (3 - on_curve)),
                label="in terms of b at the stationary policy",
            ),
        ),
    ),
    plane,
    because=(
        On(
            Domain(0 < p, p < x, x < 1, Or(S > 0, S < 0)),
            Equal(S * (1 + slope0.subs(t, 0)), Q, label="1 + multiplier, times S"),
        ),
        On(
            Domain(0 < p, p < x, x < 1),
            Always(
                Implies(Q > 0, And(S > 0, S > (1 - 2 * x) * (p - x))),
                label="positive: a maximum, with the multiplier below 1",
            ),
        ),
        On(plane, Equal((x * (1 - x) - b * (x - p)).subs(x, X), 0, label="(14) of vy-eq14 is the policy with this b")),
        On(
            Domain(0 < p, p < x, x < 1),
            Always(
                Implies(And(Q < 0, S > 0), slope0.subs(t, 0) < -1),
                label="negative, at a maximum: the multiplier is below −1",
            ),
        ),
        On(
            Domain(0 < p, p < x, x < 1),
            Always(
                Implies(Eq(Q, 0), And(S > 0, Eq(slope0.subs(t, 0), -1))),
                label="zero: a maximum, with the multiplier −1",
            ),
        ),
    ),
    kind="stability",
    depends_on=["by-br-kl0-multiplier", "vy-eq14"],
    locator="Question 3",
    title="KL_0, groups of two: stability of the stationary policy",
    short=("3p + 5z² − z(6p + 2) > 0: it attracts", "in terms of b at the stationary policy"),
    remark=(
        "That 2p + 3z² − z(4p + 1) is positive says that z is a strict local maximum of its own objective; with b = "
        "z(1 − z)/(z − p), which is β/γ, 16bp > (3b − 2)(2 − b) is enough (vy-s13-stationary-definition). Where "
        "3p + 5z² − z(6p + 2) is positive, so is 2p + 3z² − z(4p + 1); where the former is 0, the multiplier is −1. "
        "Groups of three have the constant gap γ = √2 (by-gap-closed-forms)."
    ),
)

b_at_z = at_z(on_curve)
stays = Always(at_z(Q) > 0, label="above the bound").by(
    InEachCase(
        (
            (b <= Rational(3, 5), Then((Always(5 * z * (1 - z) <= 3 * (z - p)),))),
            (b >= 3, Then((Always(z * (1 - z) >= 3 * (z - p)),))),
            (p > safe_reference, ()),
        )
    )
)
claim(
    "by-br-kl0-pairs-safe",
    On(
        constant.also(Eq(b, b_at_z), Or(b <= Rational(3, 5), b >= 3, p > safe_reference)),
        AnswersAttract(with_beta, z, pairs_rate, label="it attracts").by(replace(inside, using=Then((stays,)))),
    ),
    plane,
    because=(
        On(plane.also(5 * b <= 3), Always(region, label="b ≤ 3/5: for every reference")),
        On(plane.also(b >= 3), Always(region, label="b ≥ 3: for every reference")),
        On(
            Domain(b > 0),
            Always(
                (5 * b - 3) * (3 - b) / (36 * b) <= safe_reference,
                label="the bound on the reference is at most (3 − √5)/6",
            ),
        ),
        On(
            Domain(5 * b > 3, b < 3),
            Always(
                (5 * b - 3) * (3 - b) / (36 * b) > 0, label="between 3/5 and 3 it is positive: small references fail"
            ),
        ),
        On(
            Domain(b > 0),
            Equal(
                ((5 * b - 3) * (3 - b) / (36 * b)).subs(b, 3 / sqrt(5)),
                safe_reference,
                label="at b = 3/√5 it is (3 − √5)/6",
            ),
        ),
        On(
            Domain(0 < p, p < 1, b > 0, region),
            Always(
                16 * b * p > (3 * b - 2) * (2 - b), label="references above the bound are among those with a maximum"
            ),
        ),
    ),
    kind="stability",
    depends_on=["by-br-kl0-pairs"],
    locator="Question 3",
    title="KL_0, groups of two: bounds on β and on the reference for stability",
)

# -- large groups -----------------------------------------------------------------------------------------------------
# On (19) the reference is x − √(x(1 − x))/β, and Δ' x(1 − x)/Δ = −(1 − 2x)/2.
root = sqrt(x * (1 - x))
curve = Domain(0 < x, x < 1, beta > 0, beta * x > root)
large = {p: x - root / beta}


def steeper(c):
    """β√(x(1 − x)) > (c/2)(1 − 2x), without the root."""
    return Or(2 * x >= 1, (beta**2 + c**2) * x * (1 - x) > Rational(c**2, 4))


def holds_for(c):
    return 2 * beta * root > c * (1 - 2 * x)


e0 = -(1 - 2 * x) / 2  # the elasticity at large groups
minus0 = S + (x - p) * (e0 - (1 - 2 * x))  # S(1 + multiplier), KL_0
minus1 = T + (x - p) * e0  # T(1 + multiplier), KL(π_ref‖π)
root_z = root.subs(x, z)
strong = {beta: root_z / (z - p)}  # the β that makes z stationary, for KL_0 and KL(π_ref‖π)
tilted = {p: z / (z + (1 - z) * exp(1 / (beta * root_z)))}  # the reference that does, for the direct KL
low_half = Domain(0 < z, 2 * z <= 1, beta > 0)


def stability(name, penalty_slope, c, settles, rate, where):
    """A stationary policy attracts or repels by c; what settles it there is put in: β, or the reference."""
    bound = holds_for(c).subs(x, z).subs(settles)
    to = Answer((1 / root.subs(x, y) - beta * penalty_slope).subs(settles), x, y)
    below = Lt(bound.gts, bound.lts, evaluate=False)
    for kind, condition, does in ((AnswersAttract, bound, "attracts"), (AnswersRepel, below, "repels")):
        settled_rate = at_z(rate).subs(settles)
        yield On(where.also(condition), kind(to, z, settled_rate, label=f"{name}, c = {c}: it {does}").by(inside))


claim(
    "by-br-large-groups",
    Every(
        *stability(
            "KL_0", penalty_gradient, 7, strong, slope0.subs(t, e0 * u / (x * (1 - x))), constant.also(at_z(S) > 0)
        ),
        *stability("KL(π_ref‖π)", diff(forward, x), 3, strong, e0 * (x - p) / T, constant),
        *stability("direct KL", diff(straight, x), 1, tilted, -(1 - 2 * x) / (2 * beta * root), low_half),
        On(
            Domain(0 < x, x < 1),
            Equal(
                x * (1 - x) * diff(advantage_gap(oo, x), x) / advantage_gap(oo, x),
                e0,
                label="the gap's elasticity in the log-odds",
            ),
        ),
        On(
            Domain(0 < x, x < 1, beta > 0),
            Equal(
                minus0.subs(large),
                ((1 - x) * x - 7 * (1 - 2 * x) * root / (2 * beta)),
                label="KL_0: 1 + multiplier, times S",
            ),
        ),
        On(
            Domain(0 < x, x < 1, beta > 0),
            Equal(
                minus1.subs(large),
                x * (1 - x) - 3 * (1 - 2 * x) * root / (2 * beta),
                label="KL(π_ref‖π): 1 + multiplier, times x² − 2px + p",
            ),
        ),
        On(
            Domain(0 < x, x < 1, beta > 0),
            Equal(
                S.subs(large), x * (1 - x) - 4 * (1 - 2 * x) * root / (2 * beta), label="KL_0: S, positive at a maximum"
            ),
        ),
        On(
            Domain(0 < x, x < 1, beta > 0),
            Equal(
                1 + diff(advantage_gap(oo, x), x) * x * (1 - x) / beta,
                1 - (1 - 2 * x) / (2 * beta * root),
                label="direct KL: 1 + multiplier",
            ),
        ),
        *(
            On(
                Domain(0 < x, x < 1, beta > 0),
                Always(Equivalent(holds_for(c), steeper(c)), label=f"c = {c}: without the root"),
            )
            for c in (1, 3, 4, 7)
        ),
    ),
    curve,
    kind="stability",
    depends_on=["by-br-kl0-multiplier", "by-br-kl-multipliers", "vy-s13-large-groups"],
    locator="Question 3",
    title="Large groups: stability of the stationary policy under three penalties",
    short=("KL(π_ref‖π), c = 3: it attracts", "KL(π_ref‖π), c = 3: it repels"),
    remark=(
        "The headline is KL(π_ref‖π). A policy attracts where 2β√(x(1 − x)) > c(1 − 2x), x being the stationary "
        "policy, z in the headline, and repels (under KL_0 if it is a maximum) where this is reversed, with c = 7 for "
        "KL_0, 3 for KL(π_ref‖π) and, up to ½, 1 for the direct KL; for the first two the β that makes z stationary is "
        "put in. c = 4 is the condition of a strict local maximum of its own objective for KL_0. Without the root: (β² "
        "+ c²)x(1 − x) > c²/4 or x ≥ ½. From ½ on the direct KL has another limit, multiplier 1 at a fold "
        "(vy-B2-stability)."
    ),
)

limit_policy = 1 / (1 + beta**2)  # (15) as the reference vanishes
claim(
    "by-br-large-safe",
    Every(
        On(
            Domain(0 < p, p < x, x < 1, beta > 0),
            Always(
                Implies(Eq(beta**2 * (x - p) ** 2, x * (1 - x), evaluate=False), x * (1 + beta**2) > 1),
                label="(15) of vy-eq15 lies above its limit for p → 0",
            ),
        ),
        *(
            On(
                Domain(beta > 0),
                Always(Equivalent(steeper(c).subs(x, limit_policy), bound), label=f"c = {c}: at the limit p → 0"),
            )
            for c, bound in ((3, beta**2 < 3), (4, beta**2 < 2), (7, 5 * beta**2 < 7))
        ),
        On(
            Domain(0 < p, p < x, x < 1, p > Rational(1, 2) - sqrt(6) / 7),
            Always(minus0 > 0, label="KL_0: references above ½ − √6/7 are safe for every β"),
        ),
        On(
            Domain(0 < p, p < x, x < 1, 6 * p > 3 - 2 * sqrt(2)),
            Always(minus1 > 0, label="KL(π_ref‖π): references above (3 − 2√2)/6 are safe for every β"),
        ),
        *(
            On(
                Domain(0 < x, x < 1, beta > 0, x * (1 + beta**2) > 1),
                Always(Implies(bound, steeper(c)), label=f"c = {c}: and for every reference"),
            )
            for c, bound in ((3, beta**2 <= 3), (7, 5 * beta**2 <= 7))
        ),
    ),
    curve,
    kind="stability",
    depends_on=["by-br-large-groups", "vy-eq15"],
    locator="Question 3",
    title="Large groups: bounds on β and on the reference for stability",
    remark="The conditions are those of by-br-large-groups: c = 7 is stability under KL_0, c = 3 under KL(π_ref‖π), "
    "and c = 4 a strict local maximum of its own objective under KL_0; by-br-kl0-multiplier and by-br-kl-multipliers "
    "say where they come from. References above ½ − √6/7 are for KL_0, those above (3 − 2√2)/6 for KL(π_ref‖π). At "
    "the limit p → 0 the bounds on β² are exact.",
)

# -- every group size -------------------------------------------------------------------------------------------------
# −½ ≤ vΔ_v/Δ ≤ 0 in the variance v = x(1 − x): then the elasticity lies between 0 and that of large groups.
variance = Domain(0 < v, 4 * v <= 1)
back = sqrt((k - 1) * (G + 1 - k))  # G times the coefficient of m_G at k − 1, as √(k(G − k)) is at k
elevated = (G + 1 - k) * (k - half) * sqrt(k * (G - k)) - k * (
    G + half - k
) * back  # of x(1 − x)m' − ½(1 − 2x)m, degree G + 1, times G(G + 1)
lean = (k - half) * sqrt((G + 1 - k) * (G - k)) - (G + half - k) * sqrt(k * (k - 1))
mixed = Domain(G >= 2, k >= 1, k <= G)


def bernstein(size):
    """The polynomial of degree ``size + 1`` with the coefficients ``elevated``."""
    terms = (
        binomial(size + 1, c) * x**c * (1 - x) ** (size + 1 - c) * elevated.subs({G: size, k: c})
        for c in range(1, size + 1)
    )
    return sum(terms) / (size * (size + 1))


claim(
    "by-br-elasticity",
    Every(
        On(
            Domain(0 < x, x < 1, u > 0, t),
            Equal(
                x * (1 - x) * (1 - 2 * x) * (u + x * (1 - x) * t) - (1 - 2 * x) * x * (1 - x) * u / 2,
                (1 - 2 * x) * x * (1 - x) * (u + 2 * x * (1 - x) * t) / 2,
                label="x(1 − x)m' − ½(1 − 2x)m has the sign of Δ + 2vΔ_v below ½",
            ),
        ),
        *(
            On(
                Domain(0 < x, x < 1),
                Equal(
                    x * (1 - x) * diff(success_gradient(size, x), x) - (1 - 2 * x) * success_gradient(size, x) / 2,
                    bernstein(size),
                    label=f"x(1 − x)m' − ½(1 − 2x)m as a Bernstein polynomial, G = {size}",
                ),
            )
            for size in (2, 3, 4)
        ),
        On(
            mixed,
            Equal(
                (G + 1 - k) * sqrt(k * (G - k)),
                sqrt(k * (G + 1 - k)) * sqrt((G + 1 - k) * (G - k)),
                label="its coefficients, every G, are √(k(G + 1 − k)) times a difference: the first term",
            ),
        ),
        On(mixed, Equal(k * back, sqrt(k * (G + 1 - k)) * sqrt(k * (k - 1)), label="and the second")),
        On(mixed, Equal(lean.subs(k, G + 1 - k), -lean, label="the difference changes sign under correct ↔ wrong")),
        On(
            mixed.also(2 * k < G + 1),
            Always(lean > 0, label="and is positive for k < (G + 1)/2: so Δ falls slower than 1/√v, every G"),
        ),
    ),
    variance,
    kind="inequality",
    depends_on=["by-gap-shape", "by-gap-weight"],
    lemmas=[
        "degree elevation: x and 1 − x times a Bernstein polynomial of degree G are Bernstein polynomials of degree G "
        "+ 1",
        "coefficients that change sign under k ↔ G + 1 − k, positive for the smaller of the two, make the polynomial "
        "positive below ½: x^k(1 − x)^j > x^j(1 − x)^k for k < j",
        "Δ_G is convex and symmetric in x (by-gap-shape), so it falls with the variance",
    ],
    locator="Question 3",
    title="Elasticity of the gap in the variance of the reward, any group size",
    says=r"-\tfrac12\le v\Delta_G'(v)/\Delta_G\le0\ \text{for every }G",
    remark="Groups of 2 and 3 have a constant gap (by-gap-closed-forms); the lower bound is that of large groups.",
)

bounded = Domain(0 < p, p < x, x < 1, 0 <= kappa, 2 * kappa <= 1)  # κ = −vΔ_v/Δ
bent0, bent1 = S - (1 + kappa) * (1 - 2 * x) * (x - p), T - kappa * (1 - 2 * x) * (x - p)
claim(
    "by-br-between",
    Every(
        On(bounded.also(2 * x >= 1), Always(And(bent0 > 0, bent1 > 0, S > 0), label="from ½ on: always stable")),
        On(
            bounded.also(p > Rational(1, 2) - sqrt(6) / 7),
            Always(bent0 > 0, label="KL_0: references above ½ − √6/7 are safe"),
        ),
        On(
            bounded.also(6 * p > 3 - 2 * sqrt(2)),
            Always(bent1 > 0, label="KL(π_ref‖π): references above (3 − 2√2)/6 are safe"),
        ),
    ),
    bounded,
    because=(
        On(
            bounded,
            Always(Implies(bent0 > 0, bent1 > 0), label="what is stable under KL_0 is stable under KL(π_ref‖π)"),
        ),
    ),
    kind="stability",
    depends_on=["by-br-elasticity", "by-br-kl0-multiplier", "by-br-kl-multipliers"],
    lemmas=[STABLE],
    locator="Question 3",
    title="Conditions for the stability of the stationary policy, any group size",
    says=(
        r"\lambda>-1\text{ if }x\ge\frac12,\text{ or }p>\frac12-\frac{\sqrt6}7\ (\mathrm{KL}_0),\text{ or }p>"
        r"\frac{3-2\sqrt2}6\ (\mathrm{KL}(\pi_{\mathrm{ref}}\|\pi))"
    ),
    remark="The multiplier λ is −(1 + κ)(1 − 2x)(x − p)/(3x² − (4p + 1)x + 2p) for KL_0 (by-br-kl0-multiplier) and "
    "−κ(1 − 2x)(x − p)/((x − p)² + p(1 − p)) for KL(π_ref‖π) (by-br-kl-multipliers), with κ from 0 (G = 2, 3) to ½ "
    "(large groups; by-br-elasticity).",
)
