"""Two answers, groups of two: how the stationary policy (14) depends on β, γ and π_ref.

Statement.   (14) depends on β/γ and p only; it decreases in β from 1 to p, increases in γ and in p, is √p at β = γ, is
             continuous in p on (0, 1], and jumps at p = 0 exactly when β < γ.
Source.      Vojnovic & Yun (2025), Section 2.3.1, the paragraphs after (14), and Figure 1.
Domain.      0 < p < 1, β > 0, 0 < γ ≤ 1, the whole of it.
Derivation.  from the root of eq14_binary_pairs.py: signs of derivatives by decision, limits by Gruntz.
Caveat.      At p = 0 the policy is 0 by the support convention of Section 1.3, not by the formula, which gives max{1 −
             β/γ, 0} there.
Letters.     p is π_ref(a) and q a value of it at which limits are taken, γ the margin of a over b; β/γ stands for one
             number where formulas are written in it. c is a common factor of β and γ. In vy-s231-ref-zero x and y are
             π(a) and the old policy's probability of a.
"""

from grpo_symbolic.paper import *

from .eq14_binary_pairs import J, domain, root

claim = Result(__file__).claim

in_b = root.subs(beta, b * gamma).subs(gamma, 1)
plane = Domain(0 < p, p < 1, b > 0)

claim(
    "vy-s231-effective-ratio",
    Equal(root.subs({beta: scale * beta, gamma: scale * gamma}, simultaneous=True), root),
    domain.also(scale > 0),
    locator="Sec 2.3.1",
    title="(14) as a function of β/γ and π_ref",
    depends_on=["vy-eq14"],
    printed=(
        r"\pi_\theta(a\mid q)\text{ depends only on the ratio }\beta/\gamma_{a,b}\text{ and "
        r"}\pi_{\mathrm{ref}}(a\mid q)"
    ),
)

claim(
    "vy-s231-decreasing-beta",
    Monotone(root, beta, -1),
    domain,
    kind="monotonicity",
    depends_on=["vy-eq14"],
    locator="Sec 2.3.1",
    title="Monotonicity of (14) in β",
    printed=r"\pi_\theta(a\mid q)\text{ is decreasing in }\beta",
    remark="Strictly, for 0 < p < 1.",
)

claim(
    "vy-s231-limit-beta-0",
    Tends(root, beta, 0, 1),
    domain,
    kind="limit",
    depends_on=["vy-eq14"],
    locator="Sec 2.3.1",
    title="Limit of (14) for weak regularisation",
    printed=r"\pi_\theta(a\mid q)\text{ … converges to the value }1\text{ as }\beta\to0",
    remark="For π_ref(a) > 0: that the policy is 0 where π_ref(a) = 0 Section 2.3.1 recalls in the same paragraph.",
)

claim(
    "vy-s231-limit-beta-inf",
    Tends(root, beta, oo, p) & On(plane, Always(b * (in_b - p) <= Rational(1, 4), label="a rate")),
    domain,
    kind="limit",
    depends_on=["vy-eq14"],
    locator="Sec 2.3.1",
    title="Limit of (14) for strong regularisation, with a rate",
    printed=r"\pi_\theta(a\mid q)\text{ … converges to }\pi_{\mathrm{ref}}(a\mid q)\text{ as }\beta\to\infty",
    remark="With a rate that the paper does not give: π_θ(a) − π_ref(a) ≤ γ/(4β).",
)

claim(
    "vy-s231-sqrt",
    Equal(root.subs(beta, gamma), sqrt(p), label="(14) at β = γ, and √π_ref(a)"),
    Domain(0 < p, p < 1, 0 < gamma, gamma <= 1),
    depends_on=["vy-eq14"],
    locator="Sec 2.3.1",
    title="(14) for β equal to γ",
    printed=r"\pi_\theta(a\mid q)=\sqrt{\pi_{\mathrm{ref}}(a\mid q)}\text{ for }\beta=\gamma_{a,b}",
    remark="For p < 1/16 this policy is a local minimum of its own objective (vy-s13-stationary-definition for β = γ).",
)

claim(
    "vy-s231-increasing-gamma",
    Monotone(root, gamma, 1),
    domain,
    kind="monotonicity",
    depends_on=["vy-eq14"],
    locator="Sec 2.3.1",
    title="Monotonicity of (14) in the margin",
    printed=r"\pi_\theta(a\mid q)\text{ increases in the confidence margin }\gamma_{a,b}",
)

claim(
    "vy-s231-increasing-ref",
    Monotone(in_b, p, 1),
    plane,
    kind="monotonicity",
    depends_on=["vy-eq14", "vy-s231-effective-ratio"],
    locator="Sec 2.3.1",
    title="Monotonicity of (14) in π_ref",
    printed=r"\text{the value of }\pi_\theta(a\mid q)\text{ increases in }\pi_{\mathrm{ref}}(a\mid q)",
)

at_q = in_b.subs(p, q)
claim(
    "vy-s231-continuity",
    Every(
        On(Domain(0 < q, q < 1, b > 0), Tends(in_b, p, q, at_q, "+", label="from above, at every q in (0, 1)")),
        On(Domain(0 < q, q <= 1, b > 0), Tends(in_b, p, q, at_q, "-", label="from below, at every q in (0, 1]")),
        On(Domain(0 < b, b < 1), Tends(in_b, p, 0, 1 - b, label="at 0 for β < γ: the limit is 1 − β/γ, not 0")),
    ),
    plane,
    because=(On(Domain(b >= 1), Tends(in_b, p, 0, 0, label="at 0 for β ≥ γ: continuous")),),
    kind="limit",
    depends_on=["vy-eq14", "vy-s231-ref-zero"],
    locator="Sec 2.3.1",
    title="Continuity of (14) in π_ref, and the jump of the policy at 0",
    printed=(
        r"\text{this dependence is continuous except at }\pi_{\mathrm{ref}}(a\mid q)=0\text{ where it is "
        r"discontinuous whenever }\beta<\gamma_{a,b}"
    ),
    remark="At π_ref = 0 the policy is 0 (vy-s231-ref-zero), so it jumps by 1 − β/γ; for β ≥ γ it does not.",
)

claim(
    "vy-s231-ref-zero",
    Tends(J, p, 0, -oo),
    Domain(0 < x, x < 1, 0 < y, y < 1, beta > 0, 0 < gamma, gamma <= 1),
    expect="definition",
    locator="Sec 2.3.1; Sec 1.3",
    title="Answers without reference probability",
    kind="convention",
    printed=r"\text{when }\pi_{\mathrm{ref}}(a\mid q)=0\text{, then }\pi_\theta(a\mid q)=0",
    remark=(
        "The support convention; consistent, since any fixed policy that gives a positive probability to a, if "
        "π_old does so too, has objective −∞ in the limit p → 0."
    ),
)

claim(
    "vy-s231-close-to-one",
    Always(in_b >= 1 - b) & Tends(1 - b, b, 0, 1),
    Domain(0 < p, p <= 1, b > 0),
    kind="inequality",
    depends_on=["vy-eq14-lower-bound"],
    locator="Sec 2.3.1",
    title="Lower bound of (14), and its limit for small β/γ",
    printed=(
        r"\text{if }\beta\text{ is small enough relative to the confidence margin }\gamma_{a,b}\text{, the value of }"
        r"\pi_\theta(a\mid q)\text{ is close to }1\text{, no matter what the value of }\pi_{\mathrm{ref}}(a\mid q)"
        r"\text{ is}"
    ),
    remark="p is π_ref(a). Uniformly over 0 < p ≤ 1, with the bound 1 − β/γ. That the policy is 0 at π_ref(a) = 0 "
    "Section 2.3.1 recalls before the bound.",
    judged=needs_hypothesis(
        "Needs π_ref(a) > 0: for π_ref(a) = 0 Section 1.3 gives π_θ(a) = 0.",
        Always(Piecewise((in_b, p > 0), (0, True)) >= 1 - b),
        Domain(0 <= p, p <= 1, b > 0),
    ),
)

claim(
    "vy-fig1",
    Every(
        Always(in_b > p, label="every curve lies above the diagonal"),
        Monotone(in_b, p, 1, label="every curve increases"),
        Curved(in_b, p, -1, label="every curve is concave"),
        Monotone(in_b, b, -1, label="the curves are ordered by β/γ"),
        On(Domain(b > 0), Equal(in_b.subs(p, 1), 1, label="every curve ends at (1, 1)")),
    ),
    plane,
    because=(
        On(Domain(0 < p, p < 1), Equal(in_b.subs(b, 1), sqrt(p), label="the curve for β = γ is the square root")),
    ),
    kind="monotonicity",
    depends_on=["vy-eq14", "vy-s231-continuity"],
    locator="Sec 2.3.1, Figure 1",
    title="The curves of Figure 1",
    printed=(
        r"\pi_\theta(a\mid q)\text{ versus }\pi_{\mathrm{ref}}(a\mid q)\text{ for the answer }a\text{ where "
        r"}\mathcal P(a\succ b)>\mathcal P(b\succ a)"
    ),
    remark="It is about formula (14), which the figure draws; that (14) needs full support is judged there. The jump "
    "at 0 for β < γ is vy-s231-continuity.",
)
