"""Global or only local: where the stationary policy is the best answer to itself, at every group size at once.

Statement.   One correct and one wrong answer. With π_old frozen at the stationary policy x, the objective over β
             depends on x and p alone, whatever G, and what another policy gains over x is linear in p: it falls with p
             below 1 − x, and is negative from there on. So a policy that is the global maximum of its own objective for
             one reference is so for every larger one. For p ≥ 149/2000 the stationary policy is the one global maximum
             for every β and every G; for p = 741/10000 there is a β for every G where it is a local and not a global
             one. π_ref itself does better exactly when KL(x‖p) > (x − p)²/(x(1 − x)), so for every β < √(G − 1) once p
             is small enough.
Source.      Question 2 of the project's theory; extends Vojnovic & Yun (2025), Section 1.3 (vy-s13-local-not-global).
Domain.      Rewards 0 and 1, one correct and one wrong answer; 0 < p < x < 1, β > 0, any G.
Derivation.  frozen objective with the gap that makes x stationary → its slope at z is (x − z)C(z) over a factor of
             constant sign, C a cubic → sign of C; where C is positive, the gain at p = 149/2000 on a grid of z, with a
             bound on its curvature between the lines.
Caveats.     With several correct answers see global_many_answers.py: above 2p not even a local maximum.
Letters.     p is the reference, q another one; x is the stationary policy and z what it is compared with. s and t are
             the expected advantages of the wrong and the right answer. Δ_G(x) is the gap of the expected advantages of
             right and wrong answers, J the objective.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

plane = Domain(0 < p, p < x, x < 1)
box = plane.also(0 < z, z < 1)

# The new policy is z, the old one x, and t − s = Δ_G(x) = β(x − p)/(x(1 − x)) since x is stationary.
frozen = grpo(beta).value(binary(z), binary(x), binary(p), lambda a: (t, s)[a], Answers(2))
stationary = frozen.subs(t, s + beta * (x - p) / (x * (1 - x)))
slope = diff(stationary, z)
cubic = (x - p) * z**3 + (2 * x**2 - p * x - 3 * x + 2 * p) * z**2 + (1 - x) * (x + 2 * p * x - p) * z - p * x * (1 - x)
gain = (stationary - stationary.subs(z, x)) / beta
factored = beta * (z - x) * cubic / (x * (1 - x) * z**2 * (1 - z) ** 2)

claim(
    "by-global-cubic",
    Equal(
        slope,
        factored,
        label="the slope of the frozen objective, whatever β and G",
    ),
    box.also(beta > 0, s < t),
    because=(
        Equal(slope.subs(z, x), 0, label="zero at the stationary policy"),
        Equal(
            cubic.subs(z, x),
            -x * (1 - x) * (3 * x**2 - (1 + 4 * p) * x + 2 * p),
            label="where the cubic has the sign of the curvature",
        ),
        Equal(cubic.subs(z, 0), -p * x * (1 - x), label="its value at 0, negative"),
        Equal(cubic.subs(z, 1), -(1 - p) * x * (1 - x), label="and at 1"),
    ),
    locator="Question 2",
    title="Slope of the frozen objective of a stationary policy",
    depends_on=["by-stationary-equation"],
    remark=(
        "For every G each x above p is stationary for one β (by-stationary-unique), so regions in (x, p) are the "
        "same for all group sizes."
    ),
)

claim(
    "by-global-safe",
    OnlyMaximum(stationary, z, x, label="the policy x in the objective that it freezes, whatever β and G").by(
        RiseAndFall(before=SignOfDerivative(factored), after=SignOfDerivative(factored))
    ),
    box.also(p >= Rational(2, 25), beta > 0, s),
    because=(
        On(box.also(p >= Rational(2, 25)), Always(cubic < 0, label="rising before x, falling after it")),
        On(
            Domain(p >= Rational(2, 25), p < x, x < 1, beta > 0, 0 < z, z < x),
            Always(factored > 0, label="the slope before x"),
        ),
    ),
    kind="convexity",
    locator="Question 2",
    title="Two answers, references of 2/25 and more: the global maximum, any β and group size",
    depends_on=["by-global-cubic"],
    remark="Here the frozen objective has no other stationary point at all; by-global-threshold needs less.",
)

explicit = (
    (x - p) / (x * (1 - x)) * (z - x)
    - p * (x / z - 1)
    - (1 - p) * ((1 - x) / (1 - z) - 1)
    + x * log(x / z)
    + (1 - x) * log((1 - x) / (1 - z))
)
claim(
    "by-global-gain",
    Equal(gain, explicit, label="what z gains over x, by β"),
    box.also(beta > 0, s < t),
    because=(Equal(explicit.subs(z, x), 0, label="the gain at x"),),
    locator="Question 2",
    title="Gain of another policy over the stationary one, in its own objective",
    depends_on=["by-global-cubic"],
    remark="x is the stationary policy, z the other one, s the expected advantage of a wrong answer.",
)

# The gain is linear in p. Below 1 − x it falls with p, down to p = x, where it is a sum of estimators k3 with a minus
# sign.
tangent = (log_below_tangent(x / z), log_below_tangent((1 - x) / (1 - z)))
fall = (z - x) ** 2 * (1 - x - z) / (x * (1 - x) * z * (1 - z))
needed = explicit.subs(p, 0) / fall  # the reference from which z gains nothing
claim(
    "by-global-linear",
    Every(
        On(
            box.also(x + z < 1, Ne(z, x)),
            Always(Equivalent(explicit > 0, needed > p), label="z gains exactly where p is smaller than its ratio").by(
                SameOrder(explicit > 0, fall)
            ),
        ),
        On(
            box.also(x + z >= 1, Ne(z, x)),
            Always(explicit < 0, using=tangent, label="from 1 − x on no policy gains, whatever the reference"),
        ),
    ),
    box,
    because=(
        Equal(explicit, explicit.subs(p, 0) - p * fall, label="linear in the reference"),
        On(box.also(x + z < 1, Ne(z, x)), Always(fall > 0, label="below 1 − x a larger reference makes z worse")),
        On(
            box.also(x + z < 1, Ne(z, x), p < q, q < x),
            Always(explicit.subs(p, q) < explicit, label="so a region of references goes up to x").by(
                ByDifference((q - p) * fall)
            ),
        ),
        On(
            Domain(0 < x, x < 1, 0 < z, z < 1, Ne(z, x)),
            Always(explicit.subs(p, x) < 0, using=tangent, label="for p = x no other policy gains"),
        ),
    ),
    kind="monotonicity",
    locator="Question 2",
    title="The region of global maxima, by the reference",
    depends_on=["by-global-gain"],
    remark=(
        "For a given policy x the region is one interval of references up to x, the same for every G; which β it "
        "means is by-stationary-unique."
    ),
)

# One reference suffices. Where the cubic is positive x is in one window and z in another; there the gain is bounded on
# 20 lines and between them.
best = Rational(149, 2000)
at_best, bulge = explicit.subs(p, best), 8
left, right, low, high, lines = Rational(13, 50), Rational(27, 50), Rational(1, 8), Rational(11, 50), 19
width = (high - low) / lines
window = Domain(left <= x, x <= right, low <= z, z <= high)
claim(
    "by-global-threshold",
    On(
        Domain(best < x, x < 1, 0 < z, z < 1),
        Always(
            Or(cubic.subs(p, best) < 0, And(left < x, x < right, low < z, z < high)),
            label="the slope has the sign of x − z outside the window",
        ),
    ),
    plane.also(p >= best),
    because=(
        On(
            window,
            Always(diff(at_best, z, 2) > -bulge, label="in the window the second derivative of the gain is above −8"),
        ),
        *(
            On(
                Domain(left <= x, x <= right),
                Always(
                    at_best.subs(z, low + line * width) < -bulge * width**2 / 8,
                    label=f"the gain on the line z = {low + line * width}",
                ),
            )
            for line in range(lines + 1)
        ),
    ),
    kind="inequality",
    locator="Question 2",
    title="Two answers, references of 149/2000 and more: the global maximum, any β and group size",
    depends_on=["by-global-linear", "by-global-cubic"],
    says=(
        r"n_+=n_-=1,\ p\ge\tfrac{149}{2000}\Rightarrow x_G=\arg\max_z\mathcal J(z;\pi_{\mathrm{old}}=x_G)\ "
        r"\text{for all }\beta,G"
    ),
    lemmas=[
        "a second derivative of at least −M on an interval of width h bounds f there by its larger end plus Mh²/8",
        "a maximum over z ≠ x outside the window would be a zero of the slope there; at both ends of (0, 1) the "
        "gain tends to −∞",
        "for larger references the gain is smaller, or negative anyway (by-global-linear)",
    ],
    remark="x_G is the success of the stationary policy. Together with by-global-sharp: the best constant is between "
    "0.0741 and 0.0745.",
)

sharp = {p: Rational(741, 10000), x: Rational(307, 1000), z: Rational(7, 50)}
own = stationary.subs({p: sharp[p], x: sharp[x]})
claim(
    "by-global-sharp",
    Every(
        LocalMaximum(own, z, sharp[x], label="for every β the policy 307/1000 is a strict local maximum"),
        Always(own.subs(z, sharp[z]) > own.subs(z, sharp[x]), label="and loses to 7/50").by(
            PositiveFactors(beta, explicit.subs(sharp))
        ),
    ),
    Domain(0 < z, z < 1, beta > 0, s),
    because=(
        On(
            box,
            Exists(
                And(explicit > 0, 3 * x**2 - (1 + 4 * p) * x + 2 * p > 0),
                sharp,
                label="p = 741/10000, x = 307/1000 loses to z = 7/50",
            ),
        ),
    ),
    kind="counter-example",
    locator="Question 2",
    title="Reference 741/10000: a merely local maximum, any group size",
    depends_on=["by-global-gain", "by-stationary-unique"],
    remark="The reference from which on every stationary policy is a local maximum is smaller: (2 − √3)/4 = 0.0669… "
    "(by-max-plane).",
)

# One reference would settle all larger ones.
nearly = Rational(742, 10000)
claim(
    "by-global-open",
    Always(explicit.subs(p, nearly) < 0),
    Domain(nearly < x, x < 1, 0 < z, x + z < 1, Ne(z, x)),
    kind="inequality",
    expect="supported",
    depends_on=["by-global-linear"],
    locator="Question 2",
    title="Open: the global maximum at the reference 742/10000",
    remark="Sampled only; it would narrow the best constant to between 741/10000 and 742/10000. Numerically that "
    "constant is the supremum of the ratio in by-global-linear, 0.0741468…, at x = 0.3068, z = 0.1407. "
    "Tried: the lines of by-global-threshold, which would have to lie very close: away from z = x the gain comes "
    "within 4·10⁻⁵ of zero.",
)

divergence = kl(binary(x), binary(p), Answers(2), o)
claim(
    "by-global-reference",
    Always(
        Equivalent(stationary.subs(z, p) > stationary.subs(z, x), divergence > (x - p) ** 2 / (x * (1 - x))),
        label="where the reference is better than the stationary policy",
    ).by(SameOrder(stationary.subs(z, p) > stationary.subs(z, x), beta)),
    plane.also(beta > 0, s),
    because=(
        Equal(
            gain.subs(z, p),
            divergence - (x - p) ** 2 / (x * (1 - x)),
            label="what the reference gains over the stationary policy, by β",
        ),
        On(
            Domain(0 < x, x < 1),
            Tends(divergence - (x - p) ** 2 / (x * (1 - x)), p, 0, oo, label="unbounded as p → 0, x held above 0"),
        ),
        Always(
            divergence <= (x - p) ** 2 / (p * (1 - p)),
            using=(log_below_tangent(x / p), log_below_tangent((1 - x) / (1 - p))),
            label="bounded by the divergence χ² with the variance of the reference",
        ),
        Always(
            Implies(x * (1 - x) <= p * (1 - p), divergence <= (x - p) ** 2 / (x * (1 - x))),
            using=(log_below_tangent(x / p), log_below_tangent((1 - x) / (1 - p))),
            label="so never where the variance falls: x ≥ 1 − p, or p ≥ ½",
        ),
        On(plane.also(2 * p >= 1), Always(x * (1 - x) < p * (1 - p), label="as it does for p ≥ ½")),
    ),
    kind="inequality",
    locator="Question 2",
    title="The reference against the stationary policy, in the objective of the latter",
    depends_on=["by-global-cubic", "by-rare-jump"],
    remark=(
        "s is the expected advantage of a wrong answer, G the size of the group. "
        "For β < √(G − 1) the stationary policy stays above a positive limit as p → 0 (by-rare-jump), so "
        "for small p it is not the global maximum, though for β ≤ ⅔Δ_G(⅓) a local one (by-max-safe-beta)."
    ),
)
