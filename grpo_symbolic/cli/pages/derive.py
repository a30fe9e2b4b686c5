"""The page of ``grpo-symbolic derive``: what training settles on with terms of somebody's own, and a figure of it."""

from __future__ import annotations

from pathlib import Path

import sympy as sp
from rich.console import Console

from grpo_symbolic.cli.pages.layout import field, line
from grpo_symbolic.cli.pages.theory import GAP, formula, show_numbers, show_stationary
from grpo_symbolic.notation import p, x, z
from grpo_symbolic.objectives.own import FormulaPenalty
from grpo_symbolic.theory import derive
from grpo_symbolic.theory.interface import Theory

_LONGEST = 60  # characters of a gap that is repeated


def show_derived(out: Console, of: Theory) -> None:
    """The penalty as it is read, the stationary equation, closed forms, curvature, and the numbers where given."""
    certified = of.numbers  # first: a number that is missing leaves no half a page
    point, long = of.point, len(str(of.gap)) > _LONGEST
    line(out, str(point), style="bold")
    for text in of.assumed:
        line(out, f"assumed: {text}")
    line(out, "two answers, rewards 1 and 0: x the policy's success, y the old policy's, p the reference's")
    if isinstance(point.divergence, FormulaPenalty):
        field(out, "read as", point.divergence.meaning)
    field(out, "penalty", formula(derive.penalty(point).subs(z, x)))
    field(out, str(GAP), formula(of.gap) if long else "")
    show_stationary(out, of, GAP if long else None, "nowhere")
    for text in closed(of):
        field(out, "closed form", text)
    field(out, "curvature", formula(of.curvature))
    if certified is not None and of.p_ref is not None:
        show_numbers(out, point.beta, of.p_ref, certified)
    else:
        line(out, "numbers: give --beta and --pass-rate")


def closed(of: Theory) -> list[str]:
    """Each closed form with its condition, or why there is none."""
    if of.closed_forms is None:
        return [
            "none found: cleared, the equation is no polynomial of degree 1 or 2 in x, nor in x and √(x(1 − x)), nor "
            "one logarithm of such; that is no proof that there is none"
        ]
    if not of.closed_forms:
        return ["no stationary policy inside (0, 1)"]
    lines = []
    for form in of.closed_forms:
        where = "" if form.where == sp.true else f"\nwhere {formula(form.where)}"
        lines.append(formula(sp.Eq(sp.Symbol("x"), form.policy, evaluate=False)) + where)
    return lines


def drawn(of: Theory, path: Path) -> None:
    """The gradient along x with its zeros, the reference and the way of the flow; β and the pass rate have values."""
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    assert of.numbers is not None
    at = np.linspace(0.002, 0.998, 800)
    slope = sp.lambdify(x, derive.gradient(of.point).subs(p, of.p_ref), "numpy")
    rise = np.broadcast_to(slope(at), at.shape)
    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.plot(at, rise, label="gradient of the objective along x, π_old = π")
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.axvline(float(of.p_ref or 0), color="grey", linestyle=":", label="reference")
    for policy in of.numbers.policies:
        success = float((policy.success.low + policy.success.high) / 2)
        axes.plot([success], [0], "o", label=f"x = {policy.success} ({policy.extremum})")
    low, high = np.quantile(rise, [0.05, 0.95])
    spread = max(high - low, 1e-3)
    axes.set(xlabel="success x", ylim=(min(low, 0) - 0.3 * spread, max(high, 0) + 0.3 * spread), title=str(of.point))
    axes.title.set_fontsize(9)
    axes.legend(fontsize=8)
    figure.savefig(path)
