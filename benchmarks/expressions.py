"""The papers' main expressions, as their objectives and derivations give them, with the domains to measure them on."""

from __future__ import annotations

import sympy as sp
from accuracy import Case, Range

from grpo_symbolic.notation import b, beta, guard, o, p, success, success_ref, t, x, y
from grpo_symbolic.objectives import Advantage, Answers, binary, forward_kl, k1, k2, k3, kl, kl_0
from grpo_symbolic.optimality import best_response, beta_curve
from grpo_symbolic.optimality.stationary import pairs

_PROBABILITY = Range(0.0, 1.0)
_REFERENCE = Range(1e-6, 1.0)  # a shift of at most 14 is enough there: exp loses as many ulps as its argument is large
_RATIO = Range(1e-12, 1e12, centre=1.0)
_REAL = Range(-700.0, 700.0)


def cases() -> tuple[Case, ...]:
    """Every expression of the table of ``docs/how-to/numeric.md``."""
    two = Answers(2)
    pair = pairs(b, p)
    many = (2 * beta**2 * p + 1 + sp.sqrt(1 + 4 * beta**2 * p * (1 - p))) / (2 * (1 + beta**2))
    h = best_response(Advantage(guard=guard), sp.oo, "reverse-kl")
    curve = beta_curve(Advantage(guard=guard), sp.oo, "reverse-kl")
    curve_reverse = beta_curve(Advantage(guard=guard), sp.oo, "forward-kl")
    vy, mr = "Vojnovic & Yun (2025)", "Mroueh (2025)"
    pb = {p: _PROBABILITY, b: _RATIO}
    map_ranges = {success: _PROBABILITY, success_ref: _REFERENCE, beta: Range(0.1, 100.0), guard: Range(1e-5, 1.0)}
    curve_ranges = {success: Range(1e-9, 1.0), success_ref: Range(1e-9, 1.0), guard: Range(1e-5, 1.0)}
    xp = {x: Range(1e-9, 1.0), p: Range(1e-9, 1.0)}
    near = ((x, p),)
    above = ((success, success_ref),)
    return (
        Case("π(a) of pairs", f"{vy}, (14)", pair, pb),
        Case("1 − π(a) of pairs", f"{vy}, (14)", 1 - pair, pb),
        Case("π(a) − π_ref(a), the gap of a bound", f"{vy}, after (14)", pair - p, pb),
        Case("π(a) of large groups", f"{vy}, (15)", many, {p: _PROBABILITY, beta: Range(1e-12, 1e12)}),
        Case(
            "stationary slope of pairs at large G",
            f"{vy}, (18)",
            x / sp.sqrt(y * (1 - y)) - sp.sqrt(y / (1 - y)),
            {x: _PROBABILITY, y: Range(1e-12, 1.0)},
            close=((x, y),),
        ),
        Case("h(p)", f"{mr}, (8)", h, map_ranges),
        Case("1 − h(p)", f"{mr}, (8)", 1 - h, map_ranges),
        Case("β of a fixed point, direct KL", f"{mr}, fixed points of (8)", curve, curve_ranges, close=above),
        Case("β of a fixed point, reverse KL", f"{vy}, (19)", curve_reverse, curve_ranges, close=above),
        Case("k1", "log π/π_ref", k1(x, p), xp, close=near),
        Case("k2", "(log π/π_ref)²/2", k2(x, p), xp, close=near),
        Case("k3", f"{vy}, (1)", k3(x, p), xp, close=near),
        Case("KL", "two answers", kl(binary(x), binary(p), two, o), xp, close=near),
        Case("reverse KL", f"{vy}, Section 2.2; two answers", forward_kl(binary(x), binary(p), two, o), xp, close=near),
        Case(
            "KL_0",
            f"{vy}, Section 2.2; two answers",
            kl_0(binary(x), binary(p), binary(y), two, o),
            {**xp, y: Range(1e-9, 1.0)},
            close=near,
        ),
        Case("DPO loss", "−log σ(t)", -sp.log(1 / (1 + sp.exp(-t))), {t: _REAL}),
        Case("pass@8", "1 − (1 − p)⁸", 1 - (1 - p) ** 8, {p: _PROBABILITY}),
        Case("logit", "log p/(1 − p)", sp.log(p / (1 - p)), {p: Range(0.0, 1.0, centre=0.5)}),
    )
