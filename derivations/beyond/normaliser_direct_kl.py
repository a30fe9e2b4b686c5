"""The direct KL with large groups: what a guard does to existence and to the number of stationary policies.

Statement.   Stationary: logit x − logit p = 1/(β√(x(1 − x) + ε)). Without guard there are two solutions, one or none
             (br-mr-vy-count). With any ε > 0 there is one at least, for every β and p. It is the only one, for every p,
             exactly if β ≥ 1/(√(27ε)(1 + 4ε)); for smaller β there are three for some p, at β = 1, ε = 10⁻³ and p =
             1/100 the last one between 99/100 and 1 − 10⁻¹⁴. Without division, or with the deviation of the batch, the
             solution is p e^{γ/β}/(1 − p + p e^{γ/β}), γ = 1 − 1/G or (1 − 1/G)/c, and there is no other.
Source.      Question 6 of the project's theory; extends Vojnovic & Yun (2025), Section 3 and Appendix B.2.
Domain.      Rewards 0 and 1; 0 < p < 1, β > 0, ε > 0; large groups where there is a guard.
Derivation.  frozen objective → slope → π_old = π → difference of the two sides: limits at 0 and 1, turning points.
Caveats.     Stationary means: zero of the on-policy slope. As the penalty is convex, each is the maximum of its own
             frozen objective.
Letters.     x is the success of the policy, y that of the policy that samples, p that of the reference; x° is ½ + ½√((1
             + 4ε)/(1 + 12ε)). c is the deviation of the batch, 1 where nothing divides; v is γ/β, with the gap γ = (1 −
             1/G)/c. ε is the guard under the root, σ_ε(x) the guarded deviation and ℓ_ε(x) the log-odds of x less the
             gap over β.
"""

from grpo_symbolic.paper import *

from .normalisers import INSIDE

claim = Result(__file__).claim

parameters = Domain(0 < p, p < 1, beta > 0, guard > 0)
inside = parameters.also(0 < x, x < 1)


def frozen(advantage):
    """The objective of large groups for one correct and one wrong answer while π_old = (y, 1 − y) is held fixed."""
    return grpo(beta, group_size=oo, advantage=advantage, divergence=REVERSE_KL).with_rewards(
        binary(x), binary(y), binary(p), (1, 0), Answers(2)
    )


excess = log(x / (1 - x)) - log(p / (1 - p)) - 1 / (beta * sqrt(x * (1 - x) + guard))
claim(
    "by-norm-dkl-existence",
    On(
        parameters,
        TakesValue(excess, x, 0, 1, label="so the slope vanishes somewhere").by(BetweenLimits((-oo, oo))),
    ),
    inside,
    because=(
        Equal(on_policy_slope(frozen(INSIDE), x, y), -beta * excess, label="the on-policy slope"),
        On(inside.also(0 < y, y < 1), Curved(frozen(INSIDE), x, -1, label="the frozen objective is concave")),
        On(Domain(guard > 0), Tends(log(x / (1 - x)), x, 0, -oo, label="the log-odds fall without bound at 0")),
        On(Domain(guard > 0), Tends(log(x / (1 - x)), x, 1, oo, side="-", label="and rise without bound at 1")),
        On(
            inside,
            Always(
                1 / (beta * sqrt(x * (1 - x) + guard)) < 1 / (beta * sqrt(guard)),
                label="a guarded gap over β is bounded",
            ),
        ),
    ),
    kind="existence",
    depends_on=["vy-B2-h", "by-norm-coefficients"],
    locator="Question 6",
    title="Direct KL, large groups with a guard: existence of a stationary policy",
)

# The slope can vanish beyond ½ only, and first at x°, where the variance is 2ε/(1 + 12ε).
half = Rational(1, 2)
root = sqrt(x * (1 - x) + guard)
slope = 1 / (x * (1 - x)) + (1 - 2 * x) / (2 * beta * root**3)
steepest = half + half * sqrt((1 + 4 * guard) / (1 + 12 * guard))
threshold = 1 / (3 * sqrt(3 * guard) * (1 + 4 * guard))
positive = 27 * guard * (1 + 4 * guard) ** 2 * (x * (1 - x)) ** 2 * (2 * x - 1) ** 2 < 4 * (x * (1 - x) + guard) ** 3
beyond_half = Always(Or(2 * x <= 1, positive), label="beyond ½ it is positive at the threshold")
rising = Then((beyond_half,))
increasing = ButForAPoint(steepest, slope, using=rising)
rewarded = log(x / (1 - x)) - 1 / (beta * root)  # logit p where x is stationary
at_steepest = rewarded.subs(x, steepest)
below = Domain(beta > 0, guard > 0, beta < threshold)
claim(
    "by-norm-dkl-threshold",
    Every(
        On(
            parameters.also(beta >= threshold),
            OneRoot(excess, x, 0, 1, label="from the threshold on: one stationary policy for every p").by(
                StrictlyMonotone(1, (-oo, oo), shape=increasing)
            ),
        ),
        On(
            below,
            TakesValue(rewarded, x, steepest, 1, at_steepest, label="below: another one after x°").by(
                BesideARoot("lower", False, oo, (0, 1), slope)
            ),
        ),
        On(
            below,
            TakesValue(rewarded, x, 0, steepest, at_steepest, label="and one before it").by(
                BesideARoot("upper", False, -oo, (0, 1), slope)
            ),
        ),
    ),
    parameters,
    because=(
        On(
            inside,
            Equal(excess, rewarded - log(p / (1 - p)), label="ℓ_ε(x) less logit p, which is 0 where x is stationary"),
        ),
    ),
    kind="uniqueness",
    depends_on=["by-norm-dkl-existence"],
    locator="Question 6",
    title="Direct KL, large groups with a guard: threshold of β for uniqueness",
    remark=(
        "For smaller β the reference for which x° = ½ + ½√((1 + 4ε)/(1 + 12ε)) is stationary has at least three "
        "stationary policies. For ε = 10⁻⁴ under the root and smaller the threshold is 19 and more: with the β of "
        "practice there are always such references."
    ),
)

at = {p: Rational(1, 100), beta: 1, guard: Rational(1, 1000)}
signs = [(Rational(1, 100), -1), (Rational(1, 2), 1), (Rational(99, 100), -1), (1 - Rational(1, 10**14), 1)]
three, near, nearer = (
    excess.subs(at),
    1 - Rational(1, 10**4),
    1 - Rational(1, 20000),
)  # it turns at about 6/7 and between
claim(
    "by-norm-dkl-three",
    Every(
        *(
            Exists(excess * sign > 0, {**at, x: value}, label=f"the sign at {place}")
            for (value, sign), place in zip(signs, ("1/100", "1/2", "99/100", "1 − 10⁻¹⁴"), strict=True)
        ),
        *(
            OneRoot(three, x, low, high, label=f"one between {low} and {high}").by(StrictlyMonotone(sign, limits))
            for low, high, sign, limits in (
                (0, Rational(1, 2), 1, (-oo, None)),
                (Rational(7, 8), near, -1, (None, None)),
                (nearer, 1, 1, (None, oo)),
            )
        ),
        On(Domain(2 * x >= 1, 8 * x <= 7), Always(three > 0, label="none from 1/2 to 7/8")),
        On(Domain(x >= near, x <= nearer), Always(three < 0, label=f"none from {near} to {nearer}")),
    ),
    inside,
    kind="counter-example",
    depends_on=["by-norm-dkl-existence"],
    locator="Question 6",
    title="Direct KL, large groups with a guard: an example with three stationary policies",
    short=("one between 0 and 1/2", "one between 7/8 and 9999/10000", "one between 19999/20000 and 1"),
    remark="For p = 1/100, β = 1 and ε = 1/1000. By these signs on-policy ascent from π_ref tends to the first of the "
    "three, and the second repels.",
)

closed = p * exp(v) / (1 - p + p * exp(v))
push = (1 - 1 / G) / scale  # γ; without division c is 1
lifted = p * exp(push / beta)
unmoved = push - beta * (log(x / (1 - x)) - log(p / (1 - p)))
shares = x * (1 - p) / ((1 - x) * lifted)
claim(
    "by-norm-dkl-no-division",
    On(
        Domain(G >= 2, 0 < x, x < 1, 0 < p, p < 1, beta > 0, scale > 0),
        Always(
            Equivalent(Eq(unmoved, 0, evaluate=False), Eq(x, lifted / (1 - p + lifted), evaluate=False)),
            label="the slope vanishes there and nowhere else",
        ).by(
            Then(
                (Equal(unmoved, -beta * log(shares), label="the slope, as one logarithm"),),
                using=(log_sign(shares), exp_positive(push / beta)),
            )
        ),
    ),
    Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0),
    because=(
        On(
            Domain(0 < p, p < 1, v),
            Equal(log(closed / (1 - closed)) - log(p / (1 - p)), v, label="solved with v = γ/β"),
        ),
        On(
            Domain(0 < p, p < 1, v),
            OneRoot(log(x / (1 - x)), x, 0, 1, v + log(p / (1 - p)), label="and by no other policy").by(
                StrictlyMonotone(1, (-oo, oo))
            ),
        ),
        Equal(
            on_policy_slope(frozen(SHIFT_ONLY), x, y),
            1 - beta * (log(x / (1 - x)) - log(p / (1 - p))),
            label="large groups, no division: γ is 1",
        ),
    ),
    kind="uniqueness",
    depends_on=["by-norm-no-division", "vy-s3-combined-rlhf"],
    locator="Question 6",
    title="Direct KL, the deviation of the batch or none: the stationary policy in closed form",
    remark="The gap (1 − 1/G)/c, whatever the policy, is that of by-norm-no-division; c is 1 where nothing divides.",
)
