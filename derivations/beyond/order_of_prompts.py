"""Two prompts, one training: can the one with the higher pass rate end lower?

Statement.   Under the on-policy flows of KL_0 and of both KLs never, for any group size, and neither under natural
             gradient steps with KL_0 of size η with η(β + √(G − 1)) ≤ 1. Under exact best responses it can: with the
             direct KL at large groups the first response already reverses two close prompts wherever β√(p(1 − p)) < ½ −
             p, and for β = 2, ε = 10⁻⁵ a prompt solved once in 10,000 tries ends above 1 − 10⁻⁶ for ever, one solved
             once in ten stays below ½ for ever. Finite groups keep the order once β is at least twice the largest slope
             of the gap in log-odds, which by-flow-direct-one has for groups of up to five and by-br-direct-every-size
             bounds.
Source.      Question 3 of our own theory; h is the map of Mroueh (2025), equation (8).
Domain.      0 < p < q < 1, the pass rates of the reference on the two prompts; β > 0.
Derivation.  Velocity as a function of p → comparison; distance of two best responses in log-odds → a recursion →
             bounds; two explicit starts.
Caveats.     Separate prompts: nothing is shared between them.
Letters.     p and q are the references of two prompts, x and y policy and sampler. u is m_G(x), or the gap in log-odds;
             s is √(G − 1), or a gap, t the slope of m_G; in by-order-flows t is the log-odds of x; in
             by-order-contraction two references are v apart in log-odds, their policies y, their gaps differ by t, and
             βu bounds the slope of the gap. b is β/γ, η the size of a step, h Mroueh's map of the success. In
             by-order-reversed p is the success of the policy that samples, p_ref that of the reference. Δ_G(x) is the
             gap of the expected advantages of right and wrong answers, m_G(x) is x(1 − x) times it. J₍₁₄₎(x | y) is the
             objective of x in groups of two drawn from y.
"""

from grpo_symbolic.paper import *

from ..mroueh.thm2_recursion import h
from .any_group import success_slope

claim = Result(__file__).claim

half = Rational(1, 2)
pair = Domain(0 < p, p < q, q < 1, 0 < x, x < 1, beta > 0, u > 0)

# -- flows and small steps --------------------------------------------------------------------------------------------
log_odds = log(p / (1 - p))
prompts = Domain(G >= 2, 0 < p, p < q, q < 1, beta > 0)
log_increases = (log_increasing(p / (1 - p), q / (1 - q)),)


def ordered(gradient, penalty, label, using=()):
    """The flow of the better prompt stays ahead; both begin in (0, 1), which no flow leaves."""
    worse, better = gradient - beta * penalty, gradient - beta * penalty.subs(p, q)
    return FlowsOrdered(worse, x, better, 0, 1, label=label).by(FasterEverywhere(using))


claim(
    "by-order-flows",
    Every(
        *(
            On(
                prompts,
                Every(
                    ordered(gradient, x - p, f"KL_0 and KL(π_ref‖π), {size}"),
                    ordered(gradient, x * (1 - x) * (log(x / (1 - x)) - log_odds), f"direct KL, {size}", log_increases),
                ),
            )
            for size, gradient in (("every group size", success_slope(G, x)), ("large groups", success_gradient(oo, x)))
        ),
    ),
    pair,
    because=(
        On(
            pair,
            Always(
                u - beta * (x - p) < u - beta * (x - q),
                label="KL_0 and KL(π_ref‖π): at the same policy the better prompt moves faster up, whatever m_G, for "
                "which u stands",
            ),
        ),
        On(
            pair.also(t),
            Always(
                u - beta * (t - log_odds) < u - beta * (t - log_odds.subs(p, q)),
                using=log_increases,
                label="direct KL, in log-odds",
            ),
        ),
    ),
    kind="monotonicity",
    depends_on=["by-flow-natural", "by-flow-direct", "by-stationary-monotone"],
    locator="Question 3",
    title="The order of two prompts under flows",
    short="KL_0 and KL(π_ref‖π), every group size",
    remark=(
        "In each velocity x is the success of the policy that moves with it. "
        "The penalties are KL_0, KL(π_ref‖π) and the direct KL. For the direct KL the answers of a class have to be in "
        "the proportions of the reference, as they are in a flow from π_ref (by-flow-direct). Of two "
        "answers softmax and natural flow differ by a positive factor (tr-flow-velocity, by-flow-natural), so the "
        "policies reached are the same."
    ),
)

step = x + step_size * (u - beta * (x - p))
claim(
    "by-order-steps",
    Every(
        On(
            Domain(0 < p, p < 1, 0 < x, x < 1, beta > 0, u > 0, step_size > 0),
            Monotone(step, p, 1, label="a step grows with p"),
        ),
        On(
            Domain(t, s > 0, t >= -s, beta > 0, step_size > 0, step_size * (beta + s) <= 1),
            Always(
                1 + step_size * (t - beta) >= 0, label="and does not fall with x: t is m_G', at least −√(G − 1) = −s"
            ),
        ),
    ),
    pair,
    kind="monotonicity",
    depends_on=["by-flow-natural", "by-gap-drive-concave", "by-gap-bounds", "by-stationary-monotone"],
    lemmas=[
        "m_G is concave and 0 at 1 (by-gap-drive-concave), so m_G' ≥ −m_G/(1 − x) = −xΔ_G, which is above −√(G − 1) "
        "(by-gap-bounds)",
        "induction: an increasing map keeps the order of two starts, and a bounded monotone orbit converges",
    ],
    locator="Question 3",
    title="The order of two prompts under natural gradient steps with KL_0",
    says=(
        r"\eta(\beta+\sqrt{G-1})\le1:\ x_{k+1}=x_k+\eta(m_G(x_k)-\beta(x_k-p))"
        r"\text{ keeps the order of prompts and converges monotonically}"
    ),
)

# -- best responses that keep it --------------------------------------------------------------------------------------
# In log-odds: two references are v apart, the policies that sample y, and the gaps of these differ by t.
charged = beta * kl(binary(x), binary(p), Answers(2), o)
near = Domain(0 <= u, 2 * u <= 1, v > 0, beta > 0, 0 <= y, y * (1 - u) <= v, -u * beta * y <= t, t <= u * beta * y)
claim(
    "by-order-contraction",
    On(
        near,
        Always(
            And(v + t / beta >= 0, (v + t / beta) * (1 - u) <= v),
            label="the best responses are between 0 and v/(1 − u) apart, if the policies that sample are",
        ),
    ),
    pair,
    because=(
        On(
            Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0, s),
            Equal(
                diff(s * x - charged, x),
                s - beta * (log(x / (1 - x)) - log_odds),
                label="the slope for a gap s, 0 where the log-odds are s/β above those of the reference",
            ),
        ),
        On(near.also(2 * u < 1), Always(v + t / beta > 0, label="the responses in strict order for u < ½")),
        On(
            Domain(0 <= u, 2 * u <= 1, v > 0),
            Always(v * (1 - u) <= v, label="the condition on y where the references themselves sample, y = v"),
        ),
    ),
    kind="monotonicity",
    depends_on=["by-br-kl-multipliers"],
    locator="Question 3",
    title="Direct KL, finite groups: order of two prompts under best responses to gaps t apart",
    remark=(
        "v and y are the distances in log-odds of the references p < q and of the policies p', q' that sample, βu "
        "bounds the slope of the gap in log-odds. The distance v + t/β of the responses meets the conditions on "
        "y, so that they can sample next."
    ),
)

# -- best responses that reverse it -----------------------------------------------------------------------------------
first = log_odds + 1 / (beta * sqrt(p * (1 - p)))  # the log-odds of the first response, large groups
claim(
    "by-order-first-response",
    Every(
        Equal(
            Derivative(first, p),
            (beta * sqrt(p * (1 - p)) - (half - p)) / (beta * sqrt(p * (1 - p)) ** 3),
            label="how the first response moves with p",
        ),
        Always(
            Equivalent(beta * sqrt(p * (1 - p)) < half - p, p < half * (1 - beta / sqrt(1 + beta**2))),
            label="where it falls, so that close prompts are reversed",
        ),
    ),
    Domain(0 < p, p < 1, beta > 0),
    because=(
        Equal(
            log_odds + advantage_gap(oo, p) / beta,
            first,
            label="the log-odds of the first response, with the gap of large groups at p",
        ),
        Equal(
            diff(first, p),
            (2 * beta * sqrt(p * (1 - p)) - (1 - 2 * p)) / (2 * beta * sqrt(p * (1 - p)) ** 3),
            label="their slope in p",
        ),
        Always(
            Equivalent(2 * beta * sqrt(p * (1 - p)) < 1 - 2 * p, And(2 * p < 1, 4 * (beta**2 + 1) * p * (1 - p) < 1)),
            label="where it is negative, without a root",
        ),
    ),
    kind="monotonicity",
    depends_on=["by-br-kl-multipliers", "vy-B2-best-response"],
    locator="Question 3",
    title="Direct KL, large groups: slope in p of the first response, in log-odds, and its sign",
    remark="Where it is negative, of two close prompts the better one has the lower first response.",
)

rare, common = {success_ref: Rational(1, 10**4)}, {success_ref: Rational(1, 10)}
setting = {beta: 2, guard: Rational(1, 10**5)}
near_one = 1 - Rational(1, 10**6)
low, high = h.subs({**rare, **setting}), h.subs({**common, **setting})
parameters = Domain(0 < success_ref, success_ref < 1, beta > 0, guard > 0)


def for_ever(map_, start, lower, upper, label):
    """The best responses from the reference's pass rate, once they have begun: they stay."""
    first = map_.subs(success, start)
    return On(Domain(), StaysIn(Iteration(map_, success, first), lower, upper, label=label))


claim(
    "by-order-reversed",
    Every(
        for_ever(low, Rational(1, 10**4), near_one, 1, "pass rate 1/10,000: every response is above 1 − 10⁻⁶"),
        for_ever(high, Rational(1, 10), Rational(1, 10), half, "pass rate 1/10: every response is between 1/10 and ½"),
    ),
    parameters,
    because=(
        On(
            parameters,
            Exists(
                h.subs(success, success_ref) > near_one,
                {**rare, **setting},
                label="pass rate 1/10,000: the first response is above 1 − 10⁻⁶",
            ),
        ),
        On(
            Domain(near_one <= success, success <= 1),
            Always(low > near_one, label="pass rate 1/10,000: so is the next one"),
        ),
        On(
            parameters,
            Exists(
                And(h.subs(success, success_ref) < half, h.subs(success, success_ref) > success_ref),
                {**common, **setting},
                label="pass rate 1/10: the first response is below ½",
            ),
        ),
        On(
            Domain(Rational(1, 10) <= success, success <= half),
            Always(
                And(high > Rational(1, 10), high < half), label="pass rate 1/10: the next one stays between 1/10 and ½"
            ),
        ),
    ),
    kind="existence",
    depends_on=["mr-thm2-h", "mr-prop1-existence"],
    locator="Question 3",
    title="Direct KL, large groups: two prompts reversed by exact best responses",
    remark=(
        "The gap of a rare success, 1/√(p(1 − p) + ε), is enough to throw its prompt to success near one. "
        "Flows keep the order (by-order-flows)."
    ),
)

J = frozen_objective(Advantage(), 2, "k3").subs({success: y, success_ref: p, beta: b})
slope = diff(J, x)
own = (x * (1 - x)) ** 2 * slope.subs(y, p)  # the slope of the first response, groups drawn from π_ref
strength, between = Rational(5, 2), Rational(225, 1000)
cleared = (x * (1 - x)) ** 2 - b * (x - p) * (p * (1 - x) ** 2 + (1 - p) * x**2)
claim(
    "by-order-kl0-first",
    Every(
        *(
            On(
                Domain(0 < x, x < 1, side, Eq(p, start), Eq(b, strength)),
                Monotone(J.subs(y, p), x, way, label=f"p = {start}: the first objective {told}"),
            )
            for start, side, way, told in (
                (Rational(1, 1000), x <= between, 1, "climbs up to 9/40"),
                (Rational(1, 10), x >= between, -1, "falls from 9/40 on"),
            )
        ),
    ),
    Domain(0 < p, p < q, q < 1),
    because=(
        On(
            Domain(0 < x, x < 1, 0 < p, p < 1, b > 0),
            Equal(own, cleared, label="x²(1 − x)² times the slope of the first objective: a polynomial of degree four"),
        ),
        *(
            On(Domain(), Roots(cleared.subs({b: strength, p: start}), x, 1, label=f"p = {start}: one stationary point"))
            for start in (Rational(1, 1000), Rational(1, 10))
        ),
        *(
            On(
                Domain(0 < x, x < 1, side),
                Monotone(
                    J.subs({y: start, p: start, b: strength}),
                    x,
                    way,
                    label=f"p = {start}, in numbers: the first objective {told}",
                ),
            )
            for start, side, way, told in (
                (Rational(1, 1000), x <= between, 1, "climbs up to 9/40"),
                (Rational(1, 10), x >= between, -1, "falls from 9/40 on"),
            )
        ),
        On(
            Domain(0 < x, x < 1, 0 < p, p < q, q < 1, b > 0),
            Exists(
                And(cleared > 0, cleared.subs(p, q) < 0),
                {x: between, p: Rational(1, 1000), q: Rational(1, 10), b: strength},
                label="at 9/40 the slope is positive for p = 1/1000 and negative for q = 1/10",
            ),
        ),
    ),
    kind="existence",
    locator="Question 3",
    title="KL_0, groups of two: two prompts reversed by the first best response",
    remark=(
        "With groups drawn from the reference the best response to p = 1/1000 is so above 9/40, that to p = 1/10 "
        "below: at 9/40 neither slope is 0."
    ),
)
