"""Approximate policies whose errors do not vanish: how far they stay from the fixed point.

Statement.   If each step goes wrong by at most δ in log-odds, and exact steps contract with the rate k < 1, distances
             from the fixed point come to be at most δ/(1 − k). Where a step leaves just k times the distance, and δ, a
             distance of δ/(1 − k) stays.
Source.      Mroueh (2025), Section 5, beside Theorem 5.
Domain.      β, p_ref and ε for which the recursion contracts in log-odds (mr-logit-contraction).
Derivation.  A contraction with errors: each step leaves at most k times the distance, and δ.
Caveats.     In log-odds; the errors need not add up to anything finite, as Theorem 5 asks.
Letters.     In log-odds t is an iterate, t_ref that of p_ref, and y that of p*. u bounds the error of each step, and v
             is any rate.
"""

from grpo_symbolic.paper import *

from .thm4_local_convergence import as_steep, contracting, largest, next_log_odds

claim = Result(__file__).claim

# Each inexact step goes wrong by at most u.
rate = largest / beta
# With the p_ref of which p* is a fixed point.
next_from = next_log_odds.subs(t_ref, y - (next_log_odds - t_ref).subs(t, y))
claim(
    "mr-thm5-constant-errors",
    On(
        contracting.also(t, u >= 0, y),
        StaysNear(next_from, t, y, u, u / (1 - rate)).by(ContractionWithErrors(rate, lipschitz=as_steep)),
    ),
    contracting,
    because=(
        On(
            Domain(0 <= v, v < 1, u >= 0),
            Equal(v * u / (1 - v) + u, u / (1 - v), label="v times the distance u/(1 − v), plus u, is that distance"),
        ),
    ),
    kind="limit",
    locator="Sec 5, Theorem 5",
    title="Distance from the fixed point under bounded errors in each step",
    depends_on=["mr-logit-slope", "mr-logit-contraction"],
    remark="Distances are those of log-odds, in which mr-logit-contraction gives the rate. "
    "Theorem 5 asks that the errors add up to something finite; here they need not.",
)
