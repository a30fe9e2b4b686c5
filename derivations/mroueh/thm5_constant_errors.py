"""Approximate policies whose errors do not vanish: how far they stay from the fixed point.

Statement.   If each step goes wrong by at most δ in log-odds, and exact steps contract with the rate k < 1, distances
             from the fixed point come to be at most δ/(1 − k), and no smaller bound holds.
Source.      Mroueh (2025), Section 5, beside Theorem 5.
Domain.      β, p_ref and ε for which the recursion contracts in log-odds (mr-logit-contraction).
Derivation.  A contraction with errors: each step leaves at most k times the distance, and δ.
Caveats.     In log-odds; the errors need not add up to anything finite, as Theorem 5 asks.
Letters.     In log-odds x is an iterate, y is p* and s is p_ref. u is the error δ; v and t are any rate and error.
"""

from grpo_symbolic.notation import (
    beta,
    s,
    t,
    u,
    v,
    x,
    y,
)
from grpo_symbolic.proof import (
    ContractionWithErrors,
    Domain,
    Equal,
    Every,
    On,
    Result,
    StaysNear,
)

from .thm4_local_convergence import as_steep, contracting, largest, next_log_odds

claim = Result(__file__).claim

# Each inexact step goes wrong by at most u.
rate = largest / beta
next_from = next_log_odds.subs(s, y - (next_log_odds - s).subs(x, y))  # with the p_ref of which p* is a fixed point
claim(
    "mr-thm5-constant-errors",
    Every(
        On(
            contracting.also(x, u >= 0, y),
            StaysNear(next_from, x, y, u, u / (1 - rate)).by(ContractionWithErrors(rate, lipschitz=as_steep)),
        ),
        On(
            Domain(0 <= v, v < 1, t >= 0),
            Equal(v * t / (1 - v) + t, t / (1 - v), label="no smaller bound: δ/(1 − k) may stay"),
        ),
    ),
    contracting,
    kind="limit",
    locator="Sec 5, Theorem 5",
    title="Errors of at most δ in each step, exact steps that contract with rate k: distances of at most δ/(1 − k)",
    says=r"\limsup_n|\operatorname{logit}\tilde p_n-\operatorname{logit}p^*|\le\frac\delta{1-k},\quad "
    r"k=\frac1{(1+4\varepsilon)3\sqrt{3\varepsilon}\,\beta}<1",
    depends_on=["mr-logit-slope", "mr-logit-contraction"],
    remark="Distances are those of log-odds, in which mr-logit-contraction gives the rate. "
    "The errors need not add up to anything finite, as Theorem 5 asks.",
)
