"""Two answers, groups of two: the stationary policy in closed form.

Statement.   For a question with answers a and b, margin γ = P(a≻b) − P(b≻a) > 0 and b = β/γ, the policy that is stationary for its own
             GRPO objective gives the answer a the probability x = ½(1 − b + √((1 − b)² + 4bp)), where p = π_ref(a).
Source.      Vojnovic & Yun (2025), equation (14); Appendix B.1, equations (16), (17).
Domain.      0 < p < 1, β > 0, 0 < γ ≤ 1; the old policy y and the policy x in (0, 1).
Derivation.  objective → derivative in x with the old policy frozen → old policy = policy → quadratic → the root inside (0, 1) → bounds.
Caveat.      Stationary is not maximal: vy-s13-stationary-definition says for which β and p this policy is a minimum of its own objective.
"""

from sympy import Max, sqrt

from grpo_symbolic.notation import b, beta, gamma, p, x, y
from grpo_symbolic.objectives import binary, grpo
from grpo_symbolic.proof import Always, Derivation, Domain, Equal, claim

policy, old, reference = binary(x), binary(y), binary(p)
domain = Domain(0 < p, p < 1, beta > 0, 0 < gamma, gamma <= 1)
interior = domain.also(0 < x, x < 1, 0 < y, y < 1)

# The objective, with the old policy free: γ(x − y) − β KL_0, by (16).
d = Derivation("vy-eq14", interior)
J = d.start(grpo(beta, group_size=2).with_margin(policy, old, reference, gamma), "reward preference minus β times the penalty")
dJ = d.differentiate(J, x, "the old policy y is held fixed")

# Only now is the old policy the policy itself: this is the left side of (17) minus its right side, over x(1 − x).
F = d.restrict(dJ, {y: x}, "stationary: the policy that sampled the groups is the policy itself")
d.rewrite(F, gamma - beta * (x - p) / (x * (1 - x)), "equation (17)")

# x(1 − x) does not vanish inside, so the zeros of F are those of a quadratic.
Q = d.clear_denominators(F, -x * (1 - x) / gamma, x, "multiply by −x(1 − x)/γ")

# One root of it lies in (0, 1).
root = d.solve(Q, x, inside=(0, 1), note="the root with the positive sign of the square root")

printed = (1 - beta / gamma + sqrt((1 - beta / gamma) ** 2 + 4 * beta / gamma * p)) / 2

claim(
    "vy-eq14", Equal(root, printed), domain, by=d,
    locator="Sec 2.3.1, (14)", title="Stationary policy, two answers, groups of two", kind="identity",
    printed=r"\pi_\theta(a\mid q)=\frac12\Big(1-\frac\beta\gamma+\sqrt{\big(1-\frac\beta\gamma\big)^2+4\frac\beta\gamma\pi_{\mathrm{ref}}(a\mid q)}\Big)",
    remark="Stationary in first order, with π_old frozen; whether it is a maximum is vy-s13-stationary-definition.",
)  # fmt: skip

claim(
    "vy-eq14-lower-bound", Always(printed.subs(beta, b * gamma) >= Max(1 - b, p)), Domain(0 < p, p < 1, b > 0, 0 < gamma, gamma <= 1),
    locator="Sec 2.3.1, after (14)", title="The more rewarding answer keeps at least max{1 − β/γ, π_ref}", kind="inequality",
    printed=r"\pi_\theta(a\mid q)\ge\max\{1-\beta/\gamma,\ \pi_{\mathrm{ref}}(a\mid q)\}", depends_on=["vy-eq14"],
    remark="Strict for 0 < π_ref(a) < 1.",
)  # fmt: skip
