"""Verdicts with a rate of acceptance for each answer: one stationary policy, for every group size.

Statement.   Let the reward of answer o be 1 with probability r(o) and else 0, independently. For every group size G,
             every β > 0 and every reference there is exactly one stationary policy under KL_0. It has the form
             π(o) = π_ref(o)/(S(c − r(o))), S = Σ π_ref/(c − r), for the one c > max r with Δ_G(s) = βS, where
             s = c − 1/S is its own rate of acceptance.
Source.      Vojnovic & Yun (2025), Section 2.1, where rewards may be stochastic, and (11). Not in the paper.
Domain.      n answers, 0 ≤ r(o) ≤ 1, not all of them 1, β > 0, policies with full support.
Derivation.  A verdict shows nothing but s → preferences (r(o) − s)Δ_G(s) → (11) solved for π(o) → one equation for c →
             its left side over S increases with c, as m_G is concave and no rate exceeds 1.
Caveats.     Verdicts of one answer are independent. With three levels of reward this can fail:
             by-lottery-three-policies.
Letters.     δ(o) = c − r(o), v is c, u one rate r(o), p its π_ref(o), s the rate of acceptance of the policy, x is S, y
             is Σ π_ref/δ², z is 1 − s. t is Δ'/Δ at s; where an answer is accepted at the rate u it is Δ, and in the
             step on a concave m t/u is m'/m of m = s(1 − s)Δ. Δ_G(x) is the gap of the expected advantages of right and
             wrong answers, a_G(x) is 1 − x times it. (11) is an equation of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

laws = Domain(n >= 2, simplex(ref, n), positives(short, n), v > 0, x > 0)
S, second = Sum(ref[o] / short[o], (o, 1, n)), Sum(ref[o] / short[o] ** 2, (o, 1, n))
solved = ref[o] / (x * short[o])

claim(
    "by-noise-rates",
    Every(
        Equal((1 - (v - short[o] - (v - 1 / x)) * x) * solved, ref[o], label="it solves (11) for Δ(s)/β = S"),
        On(
            Domain(x > 0, y >= x**2, (1 / x - z) * y < x, z > 0, t * z <= 1),
            Always(
                y / x - t * (y / x**2 - 1) > 0,
                label="with c − 1 = 1/S − (1 − s): Δ(s)/S grows with c, by its logarithm",
            ),
        ),
    ),
    laws,
    because=(
        On(
            Domain(0 <= u, u <= 1, 0 < s, s < 1, t > 0),
            Equal(
                u * (1 - s) * t - (1 - u) * s * t,
                (u - s) * t,
                label="accepted at the rate u, where the policy is at the rate s: (u − s)Δ(s), Δ = t",
            ),
        ),
        Equal(Sum(solved, (o, 1, n)), S / x, label="the policy of c adds up to S/x: to 1 for x = S"),
        Equal(
            Sum(solved * (v - short[o]), (o, 1, n)),
            v * S / x - 1 / x,
            label="and is accepted at the rate s = c − 1/S then",
        ),
        On(
            Domain(0 < p, u < v),
            Equal(diff(p / (v - u), v), -p / (v - u) ** 2, label="S falls as c grows, each term at this rate"),
        ),
        AtLeast(second, 2 * x * S - x**2, label="which is at least S² (x = S): s = c − 1/S falls too").by(
            TermByTerm((Sum(ref[o] * (1 / short[o] - x) ** 2, (o, 1, n)),))
        ),
        AtLeast(
            S, (v - 1) * second, label="(c − 1) times it is at most S, as no rate exceeds 1", given=(short[o] >= v - 1,)
        ).by(TermByTerm((Sum(ref[o] * (short[o] - v + 1) / short[o] ** 2, (o, 1, n)),))),
        On(
            Domain(u > 0, t, 0 < s, s < 1, t * s <= u),
            Always(t / u - (1 - 2 * s) / (s * (1 - s)) <= 1 / (1 - s), label="m concave, m(0) = 0: Δ'/Δ ≤ 1/(1 − s)"),
        ),
    ),
    kind="uniqueness",
    depends_on=["by-noise-gap", "by-many-stationary", "by-gap-drive-concave", "by-gap-bounds"],
    lemmas=[
        "a concave m with m(0) = 0 has m'(s)s ≤ m(s)",
        "Δ/S grows from 0, for S → ∞ as c → max r while Δ is at most √(G − 1), to ∞, for S → 0 as c → ∞: it takes the "
        "value β once",
    ],
    locator="Question 4",
    title="Verdicts with a rate for each answer, any group size: the stationary policy",
    says=(
        r"0\le r\le1,\ \pi_{\mathrm{ref}}>0,\ \beta>0,\ G\ge2:\ \exists!\,\pi>0:\ "
        r"\pi(o)=\frac{\pi_{\mathrm{ref}}(o)}{S\,(c-r(o))},\ S=\sum_o\frac{\pi_{\mathrm{ref}}(o)}{c-r(o)},\ "
        r"c>\max r,\ \Delta_G(c-1/S)=\beta S"
    ),
    remark=(
        "Noise and partial credit by chance, finitely many answers: rewards 0 and 1 are enough for uniqueness, "
        "deterministic or not. A single level between them can break it (by-lottery-three-policies)."
        " Δ_G(s) is the gap between the expected advantages of accepted and of rejected outputs at the rate s."
    ),
)
