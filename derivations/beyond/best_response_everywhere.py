"""Where exact best responses under verifiable rewards converge to the stationary policy from every start.

Statement.   For KL_0 and KL(π_ref‖π) they do so for p ≥ ½, for KL(π_ref‖π) wherever the stationary policy is at
             least ½, at every group size. For the direct KL they contract for β > √(G − 1)/3, for groups of four and
             five for β above the threshold under which some reference has a stationary policy that repels.
Source.      Question 3 of our own theory.
Domain.      0 < p < 1, β > 0, every start.
Derivation.  Slope of the frozen objective → the response grows with the policy that samples, or, in log-odds, is a
             contraction.
Caveats.     Each update is run to its end, over infinitely many groups. Stability near the stationary policy, which is
             less: best_response.py.
Letters.     p is the reference, y the policy that samples, x the one that answers, b is β/γ. The gap is u, its slope v;
             s is another value of the gap, a smaller one, that at ½, or the one at 0. In log-odds the policy is t, at
             the start t₀, the reference t_ref, and t₋ and t₊ are ends between which all of them lie. Δ_G(x) is the gap
             of the expected advantages of right and wrong answers, a_G(x) is 1 − x times and m_G(x) x(1 − x) times this
             gap.
"""

from grpo_symbolic.paper import *

from .best_response import d as gradient
from .best_response import penalty_gradient, straight

claim = Result(__file__).claim

# -- KL(π_ref‖π) ------------------------------------------------------------------------------------------------------
response = pairs(beta / u, p)
claim(
    "by-br-forward-global",
    Every(
        On(
            Domain(0 < p, p < 1, beta > 0, u > 0),
            Monotone(pairs(b, p).subs(b, 1 / u), u, 1, label="the response grows with the gap it sees"),
        ),
        On(
            Domain(0 < x, x < y, y < 1, 2 * x >= 1),
            Always(
                y * (1 - y) < x * (1 - x),
                label="from ½ on a better policy has a smaller variance, hence no smaller gap",
            ),
        ),
    ),
    Domain(0 < p, p < 1, beta > 0),
    because=(
        On(
            Domain(0 < x, x < 1),
            Always(
                4 * x * (1 - x) <= 1, label="the variance is largest at ½, so the gap and the response are least there"
            ),
        ),
        On(Domain(0 < p, p < 1, b > 0), Always(pairs(b, p) > p, label="every response is above the reference")),
        On(
            Domain(0 < p, p < x, x < 1, 2 * x >= 1, u > 0, s > 0, s <= u),
            Always(
                s * x * (1 - x) <= u * x * (1 - x),
                label="from ½ on, u the gap and s that at ½: x(1 − x)Δ is no smaller with the former",
            ),
        ),
    ),
    kind="limit",
    depends_on=["by-gap-shape", "by-stationary-unique"],
    lemmas=[
        "an increasing map of [½, 1) into itself with one fixed point, above the diagonal below it and below it "
        "above: iterates move monotonically to it",
        "with x* ≥ ½ the response to ½ is at least ½: otherwise β(x − p) and x(1 − x)Δ_G(x) would meet below ½",
    ],
    locator="Question 3",
    title="KL(π_ref‖π), any group size: convergence of the best responses",
    says=r"x^*\ge\frac12\Rightarrow x_k\to x^*\text{ from every start, in particular for }p\ge\frac12",
    remark="x* is the stationary policy and x_k the k-th best response.",
)

# -- KL_0 -------------------------------------------------------------------------------------------------------------
beyond = Domain(2 * p >= 1, p < x, x < 1, 0 < y, y < 1)
penalty_slope = (x - p) * (y / x**2 + (1 - y) / (1 - x) ** 2)
claim(
    "by-br-kl0-global",
    Every(
        On(
            beyond,
            Always(
                diff(penalty_slope, y) < 0,
                label="on the groups of a better policy y the gradient of the penalty is smaller",
            ),
        ),
        On(
            Domain(0 < x, x < y, y < 1, 2 * x >= 1),
            Always(
                y * (1 - y) < x * (1 - x),
                label="and the variance is smaller, so the gap no smaller, from ½ on: the response grows with y",
            ),
        ),
        On(
            Domain(0 < y, y < 1, 0 < p, p < 1, beta > 0, u > 0),
            Equal(
                (u - beta * penalty_slope.subs(x, y)) * y * (1 - y),
                u * y * (1 - y) - beta * (y - p),
                label="it lies above the policy exactly where m_G exceeds β(y − p)",
            ),
        ),
    ),
    Domain(2 * p >= 1, p < x, x < 1, 0 < y, y < 1),
    because=(
        Equal(penalty_gradient, penalty_slope, label="the gradient of KL_0, from its penalty"),
        On(
            Domain(0 < x, x < p, p < 1, 0 < y, y < 1),
            Always(penalty_slope < 0, label="no response below the reference"),
        ),
        On(beyond, Always(diff(penalty_slope, x) > 0, label="p ≥ ½: concave beyond it, so one response")),
    ),
    by=gradient,
    kind="limit",
    depends_on=["by-br-kl0-multiplier", "by-gap-shape", "by-stationary-unique"],
    lemmas=[
        "an increasing map of (p, 1) into itself that lies above the diagonal below its one fixed point and below it "
        "above: iterates move monotonically to it"
    ],
    locator="Question 3",
    title="KL_0, any group size: convergence of the best responses",
    says=r"p\ge\tfrac12\Rightarrow x_k\to x_G\ \text{for all }G,\beta,x_0",
    remark="x_k is the k-th best response, x_G the stationary policy. For p below ½ it can fail: by-cycle-kl0-start.",
)

# -- the direct KL ----------------------------------------------------------------------------------------------------
threshold = {4: (2 - sqrt(3)) / 6, 5: (3 - sqrt(6)) / (3 * sqrt(3))}
bent = {size: x * (1 - x) * diff(gap_in_variance(size, x * (1 - x)), x) for size in threshold}  # dΔ/dt, t the log-odds
steepest = Rational(1, 2) - sqrt(3) / 6
chance = exp(t) / (1 + exp(t))


def tilted_by(gap):
    """The best response to a gap under the direct KL."""
    return 1 / (1 + (1 - p) / p * exp(-gap / beta))


def contracts(size, limit):
    """In log-odds the best response is t_ref + Δ/β, and between the ends lie the start and all that it takes."""
    rate = bent[size] / beta
    small = Always(And(rate >= -limit / beta, rate <= limit / beta), label="the rate at every x")
    everywhere = Domain(0 < x, x < 1, beta > limit)
    return On(
        Domain(
            beta > limit,
            t_ref,
            t_low <= t_start,
            t_start <= t_high,
            t_low <= t_ref,
            t_ref + sqrt(size - 1) / beta <= t_high,
        ),
        ConvergesToFixedPoint(
            Iteration(t_ref + gap_in_variance(size, chance * (1 - chance)) / beta, t, t_start),
            t_low,
            t_high,
            label=f"G = {size}: in log-odds, from every start",
        ).by(
            Contraction(
                limit / beta,
                lipschitz=BoundedDerivative(
                    slope=rate.subs(x, chance),
                    using=InLetters(small, everywhere, {x: chance}),
                ),
            )
        ),
    )


def repels(size, limit):
    """At the steepest point, for the reference that makes it the stationary policy."""
    gap = gap_in_variance(size, x * (1 - x))
    there = steepest / (steepest + (1 - steepest) * exp(gap.subs(x, steepest) / beta))
    return On(
        Domain(0 < beta, beta < limit, Eq(p, there)),
        Repels(
            tilted_by(gap),
            x,
            steepest,
            label=f"G = {size}: below the threshold ½ − √3/6 repels, of this reference the stationary policy",
        ).by(Multiplier(slope=(bent[size] / beta).subs(x, steepest))),
    )


claim(
    "by-br-direct-contraction",
    Every(
        On(
            Domain(0 < p, p < 1, beta > 0, u),
            Equal(
                (u - beta * diff(straight, x)).subs(x, tilted_by(u)),
                0,
                label="the best response to the gap u: its log-odds are those of p plus u/β",
            ),
        ),
        *(contracts(size, limit) for size, limit in threshold.items()),
        *(repels(size, limit) for size, limit in threshold.items()),
    ),
    Domain(beta > 0),
    kind="limit",
    depends_on=["by-br-kl-multipliers", "by-flow-direct-one"],
    locator="Question 3",
    title="Direct KL, groups of four and five: threshold of β for convergence of the best responses",
    remark="The headline is for G = 4, of threshold ⅓ − √3/6 and largest gap √3; for G = 5 these are √3(3 − √6)/9 "
    "and 2.",
    short=(
        "G = 4: in log-odds, from every start",
        "G = 4: below the threshold ½ − √3/6 repels, of this reference the stationary policy",
    ),
)

# Every size: v is the slope of the gap at x ≤ ½, u its value there and s = √(G − 1) its value at 0.
falling = Domain(0 < x, 2 * x <= 1, u > 0, v, s > 0, u <= s, -x * v <= s - u, -2 * x * (1 - x) * v <= (1 - 2 * x) * u)
practical = {
    8: (Rational(288, 1000), Rational(29, 100), Rational(814, 1000)),
    16: (Rational(638, 1000), Rational(65, 100), Rational(877, 1000)),
}
log_slope = {size: x * (1 - x) * diff(advantage_gap(size, x), x) for size in practical}
claim(
    "by-br-direct-every-size",
    Every(
        On(falling, Always(-3 * x * (1 - x) * v <= s, label="|dΔ/dt| ≤ √(G − 1)/3 in the log-odds t, every G")),
        *(
            On(
                Domain(2 * x >= 1, x < 1),
                Always(
                    log_slope[size] <= high,
                    label=f"G = {size}: from ½ on, where the gap rises, dΔ/dt is at most {high}",
                ),
            )
            for size, (_, high, _) in practical.items()
        ),
        *(
            On(
                Domain(0 < x, x < 1),
                Exists(log_slope[size] > low, {x: at}, label=f"G = {size}: and more than {low} at {at}"),
            )
            for size, (low, _, at) in practical.items()
        ),
        On(
            Domain(0 < x, x < 1, beta > 0, v, x * (1 - x) * v < beta),
            Always(x * (1 - x) * v - beta < 0, label="so the velocity Δ − β(t − logit p) falls in the log-odds"),
        ),
    ),
    falling,
    kind="limit",
    depends_on=["by-br-direct-contraction", "by-br-elasticity", "by-gap-shape"],
    lemmas=[
        "a convex function lies above its tangents: √(G − 1) = Δ(0) ≥ Δ − xΔ'",
        "Banach's fixed-point theorem in the log-odds t ↦ logit p + Δ/β",
        "dΔ/dt is odd about ½",
    ],
    locator="Question 3",
    title="Direct KL, any finite group size: slope of the gap, and convergence from any start",
    says=(
        r"\left|\frac{d\Delta_G}{d\operatorname{logit}x}\right|\le\frac{\sqrt{G-1}}3\text{ for every }G;\ "
        r"\beta>\frac{\sqrt{G-1}}3\Rightarrow x_k\to x^*;\text{ the largest slope is }0.288\text{ to }0.29\ (G=8),\ "
        r"0.638\text{ to }0.65\ (G=16)"
    ),
    remark=(
        "x* is the stationary policy and x_k the k-th best response. "
        "The bound √(G − 1)/3 is not sharp, as the slopes for groups of 8 and of 16 show. For groups of "
        "four and five some reference has three stationary policies where β is below the largest slope "
        "(by-flow-direct-one); for large groups no β is enough for every reference (vy-B2-two-roots)."
    ),
)
