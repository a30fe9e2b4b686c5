"""Two answers, groups of two: the stationary policy in closed form.

Statement.   For a question with answers a and b and margin γ = P(a≻b) − P(b≻a) > 0, the policy that is stationary for
             its own GRPO objective and gives up no answer has x = π(a) = ½(1 − β/γ + √((1 − β/γ)² + 4pβ/γ)), where p =
             π_ref(a).
Source.      Vojnovic & Yun (2025), equation (14); Appendix B.1, equations (16), (17).
Domain.      0 < p < 1, β > 0, 0 < γ ≤ 1; the old policy y and the policy x in (0, 1).
Derivation.  objective → derivative in x, the old policy frozen → old policy = policy → quadratic → its root in (0, 1) →
             bounds.
Caveat.      Stationary is not maximal: stationary_maximum.py says for which β and p this policy is a minimum of its own
             objective. When β(1 − p) ≤ γ a second policy satisfies the KKT conditions, the one that always answers a.
Letters.     x is π(a), y that of the old policy and p that of the reference, γ the margin of a over b; y is held fixed
             in derivatives, and x afterwards. β/γ stands for one number where formulas are written in it.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

policy, old, reference = binary(x), binary(y), binary(p)
domain = Domain(0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1)
interior = domain.also(0 < x, x < 1)
# Up to the quadratic the paper has a margin of either sign.
signed = Domain(0 < p, p < 1, beta > 0, -1 <= gamma, gamma <= 1, 0 < x, x < 1)

# The objective with the old policy free: γ (x − y) − β KL_0, by equation (16).
d = Derivation("vy-eq14", interior.also(0 < y, y < 1))
J = d.start(
    grpo(beta, group_size=2).with_margin(policy, old, reference, gamma), "reward preference minus β times the penalty"
)
dJ = d.differentiate(J, x, "the old policy y is held fixed")

# Only now is the old policy the policy itself.
F = d.restrict(dJ, {y: x}, "stationary: the policy that sampled the groups is the policy itself")
slope = d.rewrite(F, gamma - beta * (x - p) / (x * (1 - x)), "zero exactly when (17) holds")

# x(1 − x) does not vanish inside, so the zeros are those of a quadratic.
Q = d.clear_denominators(slope, -x * (1 - x) / gamma, x)

# One root of it lies in (0, 1): substituted back, located, and counted by Sturm's theorem.
root = d.solve(Q, x, inside=(0, 1), note="the root with the positive sign of the square root")

# Now, and not before, what the paper prints.
printed_derivative = gamma - beta * (-y * p / x**2 + (1 - y) * (1 - p) / (1 - x) ** 2 + y / x - (1 - y) / (1 - x))
claim(
    "vy-B1-derivative",
    Equal(Derivative(J, x), printed_derivative),
    signed.also(0 < y, y < 1),
    depends_on=["vy-B1-objective"],
    locator="App B.1",
    title="Derivative of the pair's objective, π_old frozen",
    printed=(
        r"\frac{d\mathcal J_{GRPO}(\pi_\theta(a\mid q)\mid q)}{d\pi_\theta(a\mid q)}=\gamma_{a,b}-\beta\Big(-\frac{"
        r"\pi_{\theta_{\mathrm{old}}}(a\mid q)\pi_{\mathrm{ref}}(a\mid q)}{\pi_\theta(a\mid q)^2}+\frac{(1-\pi_{"
        r"\theta_{\mathrm{old}}}(a\mid q))(1-\pi_{\mathrm{ref}}(a\mid q))}{(1-\pi_\theta(a\mid q))^2}+\frac{\pi_{"
        r"\theta_{\mathrm{old}}}(a\mid q)}{\pi_\theta(a\mid q)}-\frac{1-\pi_{\theta_{\mathrm{old}}}(a\mid q)}{1-\pi_"
        r"\theta(a\mid q)}\Big)"
    ),
)

own = signed.also(0 < y, y < 1, Eq(y, x))  # y is held fixed while x moves, and is x afterwards
claim(
    "vy-B1-derivative-on-policy",
    On(own, Equal(Derivative(J, x), gamma - beta * (x - p) / (x * (1 - x)), label="the derivative where y = x")),
    signed,
    because=(Equal(F, gamma - beta * (x - p) / (x * (1 - x)), label="differentiated in x, then y = x"),),
    depends_on=["vy-B1-derivative"],
    locator="App B.1",
    title="Derivative of the pair's objective on-policy",
    printed=(
        r"\text{for the case where }\pi_{\theta_{\mathrm{old}}}(\cdot\mid q)=\pi_\theta(\cdot\mid q)\text{ simplifies "
        r"to: }\frac d{d\pi_\theta(a\mid q)}\mathcal J_{GRPO}(\pi_\theta(a\mid q)\mid q)=\gamma_{a,b}-\beta\frac{\pi_"
        r"\theta(a\mid q)-\pi_{\mathrm{ref}}(a\mid q)}{\pi_\theta(a\mid q)(1-\pi_\theta(a\mid q))}"
    ),
    remark=("y is held fixed, and is x after differentiating."),
)

claim(
    "vy-eq17",
    Equal(beta * (x - p) / (x * (1 - x)) - gamma, -F),
    signed,
    depends_on=["vy-B1-derivative-on-policy"],
    locator="App B.1, (17)",
    title="Stationarity of a pair",
    printed=(
        r"\beta\frac{\pi_\theta(a\mid q)-\pi_{\mathrm{ref}}(a\mid q)}{\pi_\theta(a\mid q)(1-\pi_\theta(a\mid q))}="
        r"\gamma_{a,b}"
    ),
    remark=(
        "The two sides of (17) differ by minus the on-policy derivative, so (17) holds exactly at the stationary "
        "policies inside."
    ),
)

claim(
    "vy-B1-gamma0",
    UniqueRoot(x - p, x, p) & Equal(F.subs(gamma, 0) * x * (1 - x) / beta, p - x, label="the slope, times x(1 − x)/β"),
    Domain(0 < p, p < 1, beta > 0, 0 < x, x < 1),
    locator="Sec 2.3.1; App B.1",
    title="Stationary policy in a tie",
    printed=r"\text{for the case where }\gamma_{a,b}=0\text{, we have }\pi_\theta(a\mid q)=\pi_{\mathrm{ref}}(a\mid q)",
    depends_on=["vy-eq17"],
)

quadratic = x**2 - (1 - beta / gamma) * x - beta / gamma * p
claim(
    "vy-B1-quadratic",
    Always(
        Equivalent(Eq(beta * (x - p) / (x * (1 - x)), gamma), Eq(quadratic, 0)),
        label="(17) and the quadratic equation have the same solutions",
        hint=(gamma,),
    ),
    signed.also(Ne(gamma, 0)),
    because=(Equal(-F * x * (1 - x) / gamma, quadratic, label="the derivative times −x(1 − x)/γ"),),
    by=d,
    depends_on=["vy-eq17"],
    locator="App B.1",
    title="(17) as a quadratic equation",
    printed=(
        r"\text{For the case where }\gamma_{a,b}\ne0\text{, by simple rearrangements, it can be shown that Equation "
        r"(17) is equivalent to the following quadratic equation: }\pi_\theta(a\mid q)^2-\Big(1-\frac\beta{"
        r"\gamma_{a,b}}\Big)\pi_\theta(a\mid q)-\frac\beta{\gamma_{a,b}}\pi_{\mathrm{ref}}(a\mid q)=0"
    ),
    remark="Equivalent inside (0, 1), where the factor −x(1 − x)/γ does not vanish (a step of the derivation).",
)

# All mass on a: the groups are drawn from y = 1, the penalty does not see b, and moving away from x = 1 must not gain.
end_slope = dJ.subs(y, 1).subs(x, 1)

printed_root = (1 - beta / gamma + sqrt((1 - beta / gamma) ** 2 + 4 * beta / gamma * p)) / 2
claim(
    "vy-B1-unique-root",
    UniqueRoot(quadratic, x, printed_root, 0, oo) & Always(quadratic.subs(x, 0) < 0, label="zero is none"),
    domain,
    depends_on=["vy-B1-quadratic"],
    locator="App B.1",
    title="Positive root of the quadratic",
    kind="uniqueness",
    printed=(
        r"\text{For the case }\gamma_{a,b}>0\text{, this quadratic equation has a unique non-negative solution given "
        r"as: … which corresponds to the asserted equation in Equation (14)}"
    ),
    remark=(
        "Zero is a root only for π_ref(a) = 0, where both 0 and 1 − β/γ are non-negative roots when β < γ. (17), "
        "which divides by π_θ(a), needs π_θ(a) > 0, and with it Section 1.3 gives π_ref(a) > 0."
    ),
)

claim(
    "vy-eq14",
    On(
        interior, Always(Equivalent(Eq(slope, 0), Eq(x, printed_root)), label="where the on-policy derivative vanishes")
    ),
    domain,
    because=(Equal(root, printed_root, label="the root that was found is the printed one"),),
    by=d,
    depends_on=["vy-eq17", "vy-B1-quadratic", "vy-B1-unique-root", "vy-s23-boundary-policy"],
    locator="Sec 2.3.1, (14)",
    title="Stationary policy, two answers, groups of two: the zero of the on-policy derivative",
    printed=(
        r"\pi_\theta(a\mid q)=\frac12\Big(1-\frac\beta{\gamma_{a,b}}+\sqrt{\Big(1-\frac\beta{\gamma_{a,b}}\Big)^2+4"
        r"\frac\beta{\gamma_{a,b}}\pi_{\mathrm{ref}}(a\mid q)}\Big)"
    ),
    judged=needs_hypothesis(
        "Needs a policy that gives up no answer. Sections 1.3 and 2.3.1 say nothing of it; Section 2.3 announces "
        "policies that satisfy (11), but asks of an answer only that (11) holds or π_θ(o|q) = 0. The one with π(a) = "
        "1 satisfies the KKT conditions as well when β(1 − π_ref(a)) ≤ γ, for then the slope of its objective towards "
        "a is not negative at its end. What is read: that slope, γ − β(1 − p), is always negative, so that π(a) = 1 "
        "is not stationary.",
        Always(end_slope < 0, label="all mass on a is not stationary"),
        domain,
    ),
    remark="Stationary to first order with π_old frozen; whether it is a maximum: vy-s13-stationary-definition. "
    "The second stationary policy is one of the programme of Section 2.3 (vy-s23-boundary-policy), not of (1) as it "
    "stands (vy-s23-full-support-by-definition).",
)

# The bounds, with b = β/γ: x (x − (1 − b)) = b p > 0 gives the first, and (x − p) b = x (1 − x) > 0 the second.
in_b = printed_root.subs(beta, b * gamma)
supported = Piecewise((in_b, p > 0), (0, True))  # the policy: no probability where π_ref has none (Section 1.3)
claim(
    "vy-eq14-lower-bound",
    Always(in_b >= Max(1 - b, p)),
    Domain(0 < p, p <= 1, b > 0, 0 < gamma, gamma <= 1),
    kind="inequality",
    locator="Sec 2.3.1, after (14)",
    title="Lower bound of (14)",
    depends_on=["vy-eq14"],
    printed=r"\pi_\theta(a\mid q)\ge\max\Big\{1-\frac\beta{\gamma_{a,b}},\pi_{\mathrm{ref}}(a\mid q)\Big\}",
    judged=needs_hypothesis(
        "Needs π_ref(a) > 0: for π_ref(a) = 0 the policy is 0, as Section 2.3.1 recalls before the bound.",
        Always(supported >= Max(1 - b, p)),
        Domain(0 <= p, p <= 1, b > 0, 0 < gamma, gamma <= 1),
    ),
)

claim(
    "vy-eq14-lower-bound-strict",
    Every(
        Always(in_b > Max(1 - b, p), label="strict"),
        Equal(in_b * (in_b - (1 - b)), b * p, label="the gap to 1 − β/γ"),
        Equal(b * (in_b - p), in_b * (1 - in_b), label="the gap to p"),
    ),
    Domain(0 < p, p < 1, b > 0, 0 < gamma, gamma <= 1),
    kind="inequality",
    depends_on=["vy-eq14"],
    locator="Sec 2.3.1, after (14)",
    title="Gaps of (14) to its two lower bounds",
)
