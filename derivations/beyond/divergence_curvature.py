"""Where the stationary policies of the penalties are maxima of their own objective, and two penalties that push away.

Statement.   Two answers, π_old = y frozen while x moves. KL(π‖π_ref) and KL(π_ref‖π) are convex
             (by-clip-convex-penalty): their stationary policies are the maxima. k1 in the loss is concave: whatever is
             stationary is a minimum. In the reward every penalty is linear: the frozen objective has no maximum inside,
             and only the on-policy flow says where learning goes. k2 and k3 in the reward then do not hold the policy
             at π_ref: their gradient vanishes to second order there, and points away from it on one side.
Source.      Question 7 of the project's theory.
Domain.      0 < p, x, y < 1; β > 0; a constant margin γ > 0 (groups of two) where a reward stands beside the penalty.
Derivation.  expected penalty → first and second derivative in x, y frozen → y = x → signs.
Caveats.     Along the one direction that two answers have.
Letters.     x is the policy and p the reference, y the policy that samples, z the same policy where no gradient goes
             through it, or a stationary one; γ is the margin of the answer a over the other one, b, t the value at
             which k3 is clamped. (11) and (14) are equations of Vojnovic & Yun.
"""

from grpo_symbolic import objectives
from grpo_symbolic.paper import *

claim = Result(__file__).claim

TWO = Answers(2)
inside = Domain(0 < x, x < 1, 0 < p, p < 1)
frozen = inside.also(0 < y, y < 1)
odds = log(x / (1 - x)) - log(p / (1 - p))


def penalty(estimator, **choices):
    """The expected penalty of two answers; z is the policy in a ratio that is held fixed."""
    detached = binary(z) if choices.get("ratio_detached") else None
    return objectives.Divergence("", estimator, **choices).expected(binary(x), binary(p), binary(y), TWO, o, detached)


def penalty_gradient(estimator, **choices):
    """The slope in x of the penalty, y frozen, then y = z = x."""
    return diff(penalty(estimator, **choices), x).subs({y: x, z: x})


def curvature(estimator, **choices):
    return diff(penalty(estimator, **choices), x, 2).subs({y: x, z: x})


def bend(estimator, **choices):
    """The second derivative in x of the penalty, as it is read."""
    return Derivative(penalty(estimator, **choices), (x, 2))


DIFFERENTIATED, DETACHED, REWARD = (
    {"importance_weighted": True},
    {"importance_weighted": True, "ratio_detached": True},
    {"in_reward": True},
)
SIGN = 3 * x**2 - (4 * p + 1) * x + 2 * p

claim(
    "by-div-curvature",
    Every(
        Equal(bend(k1), -1 / (x * (1 - x)), label="k1 in the loss: concave; y is x afterwards"),
        Equal(bend(k1, **DIFFERENTIATED), 1 / (x * (1 - x)), label="k1, ratio differentiated: convex"),
        Equal(bend(k3), SIGN / (x * (1 - x)) ** 2, label="k3 in the loss: the sign of a quadratic"),
    ),
    inside.also(0 < y, y < 1, Eq(y, x)),
    because=(
        Equal(curvature(k1), -1 / (x * (1 - x)), label="k1 in the loss, y put in"),
        Equal(curvature(k1, **DIFFERENTIATED), 1 / (x * (1 - x)), label="k1, ratio differentiated"),
        Equal(curvature(k3), SIGN / (x * (1 - x)) ** 2, label="k3 in the loss"),
        Equal(curvature(k3, **DIFFERENTIATED), 1 / (x * (1 - x)), label="k3, ratio differentiated: convex"),
        *(
            On(frozen, Equal(diff(penalty(k, **REWARD), x, 2), 0, label=f"the curvature of {name} in the reward"))
            for k, name in ((k1, "k1"), (k2, "k2"), (k3, "k3"))
        ),
        Equal(
            curvature(k3, **DETACHED),
            curvature(k3),
            label="the curvature of k3 in the loss, with a detached ratio or without one",
        ),
        Equal(
            curvature(k2),
            (1 - (1 - x) * log(x / p) - x * log((1 - x) / (1 - p))) / (x * (1 - x)),
            label="k2 in the loss",
        ),
    ),
    kind="convexity",
    depends_on=["by-div-loss-gradients", "vy-s13-curvature"],
    locator="Question 7",
    title="Curvature of the penalties at the policy that sampled",
    remark=(
        "The reward preference is linear in x for a frozen π_old, so these are the curvatures of −J/β, J the objective."
        " In the derivatives y is held fixed; it equals x afterwards. The three parts are k1 in the loss, k1 "
        "with the ratio differentiated and k3 in the loss."
    ),
)


# -- k1 in the loss ---------------------------------------------------------------------------------------------------
def objective(estimator, **choices):
    """Groups of two with the margin γ, the penalty as chosen."""
    return Objective(beta, 2, divergence=objectives.Divergence("", estimator, **choices)).with_margin(
        binary(x), binary(y), binary(p), gamma
    )


rewarded = frozen.also(beta > 0, 0 < gamma, gamma <= 1)
k1_loss, ends = objective(k1), Domain(0 < y, y < 1, 0 < p, p < 1)
claim(
    "by-div-k1-unbounded",
    Every(
        Equal(
            Derivative(k1_loss, x),
            gamma - beta * (y - x) / (x * (1 - x)),
            label="at y = x the reward alone is left: nothing is stationary on-policy",
        ),
        Tends(k1_loss, x, 0, oo, label="unbounded where the sampled answer a is given up"),
    ),
    rewarded,
    because=(
        Tends(k1_loss, x, 1, oo, "-", label="unbounded where the other answer is given up too: no best response"),
        Equal(on_policy_slope(k1_loss, x, y), gamma, label="the on-policy slope"),
        On(ends, Tends(-penalty(k1), x, 0, oo, label="minus the penalty, where a is given up")),
        On(rewarded, Curved(k1_loss, x, 1, label="frozen: strictly convex")),
        On(
            frozen,
            Equal(
                penalty(k1).xreplace({x: 1 - x, y: 1 - y, p: 1 - p}),
                penalty(k1),
                label="the penalty, and that with the answers exchanged",
            ),
        ),
    ),
    kind="convexity",
    depends_on=["by-div-loss-gradients", "by-div-curvature"],
    locator="Question 7",
    title="k1 in the loss without ratio, groups of two: slope and limit of the frozen objective",
    remark=(
        "Its curvature (by-div-curvature) moves a learner that takes several steps on the same samples away from π_old."
    ),
)

# -- k2 in the loss ---------------------------------------------------------------------------------------------------
divergence = x * log(x / p) + (1 - x) * log((1 - x) / (1 - p))
spread_ratio = x * (1 - x) / (p * (1 - p))
k2_loss = objective(k2)
# The margin for which z is stationary.
k2_at_rest = k2_loss.subs(gamma, beta * odds.subs(x, z))
apart, spread = -z * log(p / z) - (1 - z) * log((1 - p) / (1 - z)), spread_ratio.subs(x, z)
not_below = Always(
    apart >= 0,
    using=(log_below_tangent(p / z), log_below_tangent((1 - p) / (1 - z))),
    label="KL(π‖π_ref) is not negative",
)
at_most = Always(log(spread) < 1, using=(log_below_tangent(spread),), label="the logarithm is below 1")
resting = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < z, z < 1, 0 < p, p < 1, beta > 0)
claim(
    "by-div-k2-maximum",
    On(
        resting.also(z * (1 - z) < 2 * p * (1 - p)),
        LocalMaximum(k2_at_rest, x, z, ((y, z),), label="a strict local maximum where z(1 − z) < 2p(1 − p)").by(
            SecondOrder(ByDifference(beta / (z * (1 - z)) * (1 + apart - log(spread)), Then((not_below, at_most))))
        ),
    ),
    rewarded,
    because=(
        Equal(
            curvature(k2) * x * (1 - x),
            1 + divergence - log(spread_ratio),
            label="curvature of the penalty, times x(1 − x)",
        ),
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1, beta > 0),
            LocalMaximum(
                k2_at_rest.subs({p: Rational(1, 1000), z: Rational(1, 2)}),
                x,
                Rational(1, 2),
                ((y, Rational(1, 2)),),
                sense=-1,
                label="p = 1/1000, x = ½: a strict local minimum",
            ),
        ),
        Equal(on_policy_slope(k2_loss, x, y), gamma - beta * odds, label="stationary at logit x = logit p + γ/β"),
        On(
            inside.also(x * (1 - x) <= 2 * p * (1 - p)),
            Always(
                log(spread_ratio) <= 1, using=(log_below_tangent(spread_ratio),), label="the logarithm is at most 1"
            ),
        ),
        On(
            inside,
            Exists(
                curvature(k2) < 0,
                {x: Rational(1, 2), p: Rational(1, 1000)},
                label="p = 1/1000, x = ½: the curvature of the penalty is negative",
            ),
        ),
    ),
    kind="convexity",
    depends_on=["by-div-curvature", "pt-gibbs"],
    locator="Question 7",
    title="k2 in the loss: strict local maxima at the stationary policy of KL(π‖π_ref)",
    remark="Groups of two; z is the stationary policy, logit z = logit p + γ/β, and γ is put in by this equation.",
)

# -- k2 and k3 in the reward ------------------------------------------------------------------------------------------
k2_reward = (log(x * (1 - x)) - log(p * (1 - p))) * odds / 2
upward, downward = log_increasing(p / (1 - p), x / (1 - x)), log_increasing(x / (1 - x), p / (1 - p))
inward, outward = log_increasing(p * (1 - p), x * (1 - x)), log_increasing(x * (1 - x), p * (1 - p))
rare = inside.also(2 * p < 1)
claim(
    "by-div-k2-reward-pull",
    Every(
        Equal(
            penalty_gradient(k2, **REWARD),
            k2_reward,
            label="half the difference of log-odds times that of log-variances",
        ),
        On(rare.also(x < p), Always(k2_reward > 0, using=(downward, outward), label="below π_ref it lowers x: away")),
    ),
    inside,
    because=(
        On(
            rare.also(p < x, x < 1 - p),
            Always(k2_reward > 0, using=(upward, inward), label="above π_ref it leads back"),
        ),
        On(
            rare.also(1 - p < x),
            Always(k2_reward < 0, using=(upward, outward), label="beyond 1 − π_ref it raises x: away"),
        ),
        On(
            Domain(0 < x, x < 1, 2 * x > 1),
            Equal(
                penalty_gradient(k2, **REWARD).subs(p, Rational(1, 2)),
                log(4 * x * (1 - x)) * log(x / (1 - x)) / 2,
                label="π_ref = ½: the gradient above it",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["by-div-reward-gradients"],
    locator="Question 7",
    title="k2 in the reward, two answers: the gradient in factors, and its sign below π_ref",
    remark=(
        "The charge is the same for answers that are too rare and for answers that are too frequent: it punishes both."
    ),
)

g = penalty_gradient(k3, **REWARD)
top = 4 * p - 2 - log(p / (1 - p))
pull = claim(
    "by-div-k3-reward-pull",
    Every(
        Equal(g, odds - (x - p) / (x * (1 - x)), label="the gradient"),
        Equal(diff(g, x), (x - p) * (1 - 2 * x) / (x * (1 - x)) ** 2, label="its slope"),
    ),
    inside,
    because=(
        Equal(g.subs(x, p), 0, label="the gradient at π_ref"),
        Equal(diff(g, x, 2).subs(x, p), (1 - 2 * p) / (p * (1 - p)) ** 2, label="the second derivative there"),
        On(rare.also(x < p), Monotone(g, x, -1, label="below π_ref it falls to this zero: positive, so away")),
        On(rare.also(p < x, 2 * x < 1), Monotone(g, x, 1, label="above it, up to ½, it grows: positive, so back")),
        On(rare.also(2 * x > 1), Monotone(g, x, -1, label="from ½ on it falls again")),
        On(
            Domain(0 < p, p < 1),
            Equal(
                g.subs(x, Rational(1, 2)), top, label="its value at ½, its largest above π_ref where π_ref is below ½"
            ),
        ),
        On(
            Domain(1 <= 2 * p, p < 1, 1 <= 2 * x, x < 1),
            AtLeast(0, g, label="π_ref ≥ ½: from ½ on it is positive nowhere").by(FallAndRise(x, p)),
        ),
        On(Domain(0 < p, p < 1), Tends(g, x, 1, -oo, side="-", label="and pushes towards 1 in the end")),
        On(Domain(0 < p, p < 1), Tends(g, x, 0, oo, label="as towards 0 on the other side")),
    ),
    kind="monotonicity",
    depends_on=["by-div-reward-gradients"],
    locator="Question 7",
    title="k3 in the reward, two answers: the gradient and its slope, with its zero at π_ref, at least double",
    remark="The on-policy flow follows −β times the gradient, near the ends towards them.",
)

margin = Domain(0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1)
slope = on_policy_slope(objective(k3, **REWARD), x, y)
gains, half = x * (1 - x) * (gamma - beta * g), Rational(1, 2)
common, rarer = margin.also(2 * p >= 1), margin.also(2 * p < 1)
at_most_none = Follows((pull,), ("π_ref ≥ ½: from ½ on it is positive nowhere",))
at_most_top = Then((AtLeast(top, g).by(FallAndRise(x, half)),))
claim(
    "by-div-k3-reward-runs-away",
    Every(
        On(common, PassesEveryLevel(gains, x, p, 1, label="π_ref ≥ ½: up to 1").by(PositiveThroughout(at_most_none))),
        On(
            rarer.also(beta * top < gamma),
            PassesEveryLevel(gains, x, p, 1, label="π_ref < ½: likewise, if the margin is large enough").by(
                PositiveThroughout(at_most_top)
            ),
        ),
        On(
            rarer.also(gamma <= beta * top),
            FlowRisesToRest(gains, x, p, half, label="otherwise it stops at ½ at the latest").by(
                FirstRest(ByDifference(gamma * p * (1 - p)), ByDifference((beta * top - gamma) / 4))
            ),
        ),
    ),
    margin,
    because=(
        On(margin.also(0 < x, x < 1), Equal(slope, gamma - beta * g, label="the on-policy slope")),
        On(margin, Tends(slope, x, 0, -oo, label="near 0 the better answer is given up: the slope there")),
        On(Domain(0 < p, 2 * p < 1), Monotone(top, p, -1, label="that bound falls with π_ref")),
    ),
    kind="limit",
    depends_on=["by-div-k3-reward-pull"],
    locator="Question 7",
    title="k3 in the reward: the flow from the reference",
    short="otherwise it stops at ½ at the latest",
    remark=(
        "The flow is that of the natural gradient, ẋ = x(1 − x) times the slope. In (14), vy-eq14, and "
        "under k1 in the reward, by-div-tilted, the stationary policy is below 1 for every β > 0."
    ),
)

# -- clamping ---------------------------------------------------------------------------------------------------------
clamped = Objective(beta, 2, divergence=objectives.Divergence("", k3, clamp=t)).with_margin(
    binary(x), binary(y), binary(p), gamma
)
unclamped = objective(k3)
felt = Domain(0 < x, x < 1, 0 < p, p < 1, 0 < y, y < 1, beta > 0, t > 0, gamma)
of_a, of_b = p / x - log(p) + log(x) - 1, (1 - p) / (1 - x) - log(1 - p) + log(1 - x) - 1  # k3 of each answer
drifting = gamma - beta * (x - p) / (1 - x)
end = (gamma + beta * p) / (gamma + beta)
claim(
    "by-div-clamp",
    Every(
        On(
            felt.also(of_a < t, of_b < t),
            Equal(diff(clamped, x), diff(unclamped, x), label="not felt: nothing changes"),
        ),
        On(
            felt.also(of_a >= t, of_b < t),
            Equal(diff(clamped, x).subs(y, x), drifting, label="felt at a alone: the penalty has a gradient at b only"),
        ),
        On(
            Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0, gamma, t > 0, of_a >= t, of_b >= t),
            Equal(diff(clamped, x).subs(y, x), gamma, label="felt at both: the penalty has no gradient"),
        ),
    ),
    felt,
    because=(
        On(
            Domain(0 < p, p < 1, beta > 0, 0 < gamma),
            UniqueRoot(
                gamma * (1 - x) - beta * (x - p),
                x,
                end,
                label="felt at a alone: a policy at rest is (γ + βp)/(γ + β)",
            ),
        ),
        On(
            Domain(0 < p, p < 1, beta > 0, 0 < gamma),
            Tends(end, p, 0, gamma / (beta + gamma), label="it stays far above a vanishing reference"),
        ),
        On(
            Domain(0 < x, x < p, p < 1, beta > 0, gamma < -beta * p),
            Always(drifting < 0, label="felt at a alone: a worse answer a goes on falling where −γ > βπ_ref"),
        ),
        On(
            Domain(0 < p, p < 1, beta > 0, gamma),
            Tends(
                on_policy_slope(unclamped, x, y),
                x,
                0,
                oo,
                label="without the clamp it does not: near 0 the slope grows without bound",
            ),
        ),
    ),
    depends_on=["by-div-loss-gradients"],
    locator="Question 7",
    title="The gradient of k3 clamped at t",
    short=("felt at a alone: the penalty has a gradient at b only", "felt at both: the penalty has no gradient"),
    remark="Stationary policies at which no estimator reaches the clamp are those of (11). Where one is exactly t, the "
    "clamped one has no derivative, and 0 stands for it.",
)
