"""Global or only local: where the stationary policy is the best answer to itself, at every group size at once.

Statement.   One correct answer. With π_old frozen at the stationary policy x, the objective over β depends on x and p alone, whatever G. For p ≥
             2/25 the stationary policy is its one global maximum for every β and every G; for p = 37/500 there is a β for every G where it is
             a local and not a global one. π_ref itself does better exactly when KL(x‖p) > (x − p)²/(x(1 − x)), so for every
             β < √(G − 1) once p is small enough.
Source.      Question 2 of the project's theory; extends Vojnovic & Yun (2025), Section 1.3 (vy-s13-local-not-global).
Domain.      Rewards 0 and 1, one correct and one wrong answer; 0 < p < x < 1, β > 0, any G.
Derivation.  frozen objective with the gap that makes x stationary → its slope at z is (x − z)C(z) over a factor of constant sign, C a cubic → sign of C.
Caveats.     With several correct answers see maximum_or_saddle.py: above 2p not even a local maximum.
"""

from sympy import And, Implies, Ne, Rational, diff, log, oo

from grpo_symbolic.notation import beta, o, p, s, t, u, x, z
from grpo_symbolic.objectives import Answers, binary, grpo, kl
from grpo_symbolic.optimality.verifiable import stationary_beta
from grpo_symbolic.proof import Always, Domain, Equal, Every, Exists, On, Tends, claim
from grpo_symbolic.proof.lemmas import log_below_tangent

NEW = r"\text{(not in the paper: "
plane = Domain(0 < p, p < x, x < 1)
box = plane.also(0 < z, z < 1)

# The new policy is z, the old one x, and t − s = Δ_G(x) = β(x − p)/(x(1 − x)) since x is stationary.
frozen = grpo(beta).value(binary(z), binary(x), binary(p), lambda a: (t, s)[a], Answers(2))
stationary = frozen.subs(t, s + beta * (x - p) / (x * (1 - x)))
slope = diff(stationary, z)
cubic = (x - p) * z**3 + (2 * x**2 - p * x - 3 * x + 2 * p) * z**2 + (1 - x) * (x + 2 * p * x - p) * z - p * x * (1 - x)
gain = (stationary - stationary.subs(z, x)) / beta

claim(
    "by-global-cubic", Every((
        Equal(slope, beta * (z - x) * cubic / (x * (1 - x) * z**2 * (1 - z) ** 2), label="the slope of the frozen objective, whatever β and G"),
        Equal(slope.subs(z, x), 0, label="zero at the stationary policy"),
        Equal(cubic.subs(z, x), -x * (1 - x) * (3 * x**2 - (1 + 4 * p) * x + 2 * p), label="where the cubic is the curvature"),
        Equal(cubic.subs(z, 0), -p * x * (1 - x), label="negative at 0"),
        Equal(cubic.subs(z, 1), -(1 - p) * x * (1 - x), label="and at 1"),
    )), box.also(beta > 0, s < t),
    locator="Question 2", title="The frozen objective of a stationary policy depends on x and p alone", depends_on=["by-stationary-equation"],
    printed=NEW + r"}\partial_z\mathcal J=\beta\frac{(z-x)\,C(z)}{x(1-x)z^2(1-z)^2}\text{)}",
    remark="For every G each x above p is stationary for one β (by-stationary-unique), so regions in (x, p) are the same for all group sizes.",
)  # fmt: skip

claim(
    "by-global-safe", Every((
        Always(cubic < 0, label="rising before x, falling after it"),
        On(Domain(p >= Rational(2, 25), p < x, x < 1, beta > 0, 0 < z, z < x), Always(beta * (z - x) * cubic / (x * (1 - x) * z**2 * (1 - z) ** 2) > 0, label="the slope before x")),
    )), box.also(p >= Rational(2, 25)), kind="convexity",
    locator="Question 2", title="References of 2/25 and more: the global maximum for every β and every group size", depends_on=["by-global-cubic"],
    printed=NEW + r"}p\ge\tfrac2{25}\Rightarrow x_G=\arg\max_z\mathcal J(z;\pi_{\mathrm{old}}=x_G)\ \text{for all }\beta,G\text{)}",
)  # fmt: skip

explicit = (x - p) / (x * (1 - x)) * (z - x) - p * (x / z - 1) - (1 - p) * ((1 - x) / (1 - z) - 1) - x * log(z / x) - (1 - x) * log((1 - z) / (1 - x))
claim(
    "by-global-gain", Every((
        Equal(gain, explicit, label="what z gains over x, by β"),
        Equal(explicit.subs(z, x), 0, label="nothing at x"),
    )), box.also(beta > 0, s < t),
    locator="Question 2", title="What another policy gains over the stationary one, in its own objective", depends_on=["by-global-cubic"],
    printed=NEW + r"}\tfrac{\mathcal J(z)-\mathcal J(x)}\beta=\tfrac{(x-p)(z-x)}{x(1-x)}-p\big(\tfrac xz-1\big)-(1-p)\big(\tfrac{1-x}{1-z}-1\big)-x\log\tfrac zx-(1-x)\log\tfrac{1-z}{1-x}\text{)}",
)  # fmt: skip

moved = x * u / (1 - x + x * u)  # the policy whose odds are u times those of x
entropic = x * log(x / moved) + (1 - x) * log((1 - x) / (1 - moved))
distant = p * (x / moved - 1) + (1 - p) * ((1 - x) / (1 - moved) - 1)
claim(
    "by-global-open", Always((x - p) / (x * (1 - x) * (moved - x)) < (distant - entropic) / (moved - x) ** 2),
    Domain(p >= Rational(3, 40), p < x, x < 1, u > 0, Ne(u, 1)), expect="supported", kind="inequality",
    locator="Question 2", title="Open: the global maximum from π_ref = 3/40 on", depends_on=["by-global-safe", "by-global-gain"],
    printed=NEW + r"}p\ge\tfrac3{40}\Rightarrow x_G\text{ is the global maximum)}",
    remark="The gain of by-global-gain over (z − x)² is negative, z in terms of the odds ratio u ≠ 1. Proved for p ≥ 2/25, false for p = 37/500. In between a second maximum has to be compared by its logarithms. "
    "Tried: ball arithmetic on 'C < 0 or the gain is negative' over 3/40 ≤ p ≤ 2/25, ¼ ≤ x ≤ 11/20, 1/20 ≤ z ≤ 9/10, undecided after a minute: the margin is of the order 10⁻⁴. Numerically the best constant is 0.07414….",
)  # fmt: skip

claim(
    "by-global-sharp", Every((
        Exists(And(explicit > 0, 3 * x**2 - (1 + 4 * p) * x + 2 * p > 0), {p: Rational(37, 500), x: Rational(31, 100), z: Rational(139, 1000)}, label="p = 37/500, x = 31/100 loses to z = 139/1000"),
        *(On(Domain(0 < t, t < 1), Always(t * stationary_beta(size, Rational(31, 100), Rational(37, 500)) > 0, label=f"which is stationary for some β, G = {size}")) for size in (2, 3, 4, 8)),
    )), box, kind="counter-example",
    locator="Question 2", title="At π_ref = 37/500 a local maximum that is not global, for every group size", depends_on=["by-global-gain", "by-stationary-unique"],
    printed=NEW + r"}p=\tfrac{37}{500},\ x=\tfrac{31}{100}:\ \mathcal J(\tfrac{139}{1000})>\mathcal J(x)\text{)}",
    remark="So the best constant lies between 0.074 and 0.08; that of a local maximum is (2 − √3)/4 = 0.0669….",
)  # fmt: skip

divergence = kl(binary(x), binary(p), Answers(2), o)
claim(
    "by-global-reference", Every((
        Equal(gain.subs(z, p), divergence - (x - p) ** 2 / (x * (1 - x)), label="what the reference gains over the stationary policy, by β"),
        On(Domain(0 < x, x < 1), Tends(divergence - (x - p) ** 2 / (x * (1 - x)), p, 0, oo, label="unbounded as p → 0, x held above 0")),
        Always(divergence <= (x - p) ** 2 / (p * (1 - p)), using=(log_below_tangent(x / p), log_below_tangent((1 - x) / (1 - p))), label="bounded by the divergence χ² with the variance of the reference"),
        Always(Implies(x * (1 - x) <= p * (1 - p), divergence <= (x - p) ** 2 / (x * (1 - x))), using=(log_below_tangent(x / p), log_below_tangent((1 - x) / (1 - p))), label="so never where the variance falls: x ≥ 1 − p, or p ≥ ½"),
        On(plane.also(2 * p >= 1), Always(x * (1 - x) < p * (1 - p), label="as it does for p ≥ ½")),
    )), plane.also(beta > 0, s < t), kind="inequality",
    locator="Question 2", title="When the reference policy beats the stationary one in its own objective", depends_on=["by-global-cubic", "by-rare-jump"],
    printed=NEW + r"}\mathcal J(p)>\mathcal J(x)\iff\mathrm{KL}(x\|p)>\tfrac{(x-p)^2}{x(1-x)}\text{)}",
    remark="For β < √(G − 1) the stationary policy stays above a positive limit as p → 0 (by-rare-jump), so for small p it is never the global maximum, though for β ≤ ⅔Δ_G(⅓) always a local one.",
)  # fmt: skip
