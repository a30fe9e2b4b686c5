"""What the papers lack about the success recursion: its runs for every β, ε and p_ref, its bifurcations, its phases.

Fixed points lie on an explicit curve (mr-dyn-beta-curve): each p* above p_ref is one for exactly one β. Along the curve
the slope of h is known, so stable and unstable parts, folds (slope 1) and flips (slope −1) are explicit too. Everything
is drawn over log-odds, where 1 − p* = 10⁻²⁰ is an ordinary point.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
import sympy as sp

from grpo_symbolic.book.figures.certified import (
    Balls,
    Numbers,
    balls,
    in_log_odds,
    iterates,
    middle_of,
    middles,
    values,
)
from grpo_symbolic.book.figures.model import Area, Axis, Control, Figure, Floats, Line, Panel, log_odds, part, power
from grpo_symbolic.book.figures.mroueh import SMOOTHED, fixed_point_lines, recursion
from grpo_symbolic.notation import beta, guard, success, success_ref, x
from grpo_symbolic.optimality import beta_curve
from grpo_symbolic.optimality.enclosure import Enclosure
from grpo_symbolic.optimality.iteration import Limit
from grpo_symbolic.optimality.response import weight_gap
from grpo_symbolic.setting import PenaltyName

_LARGEST = 24.0  # log-odds at the upper edge of the pictures, 1 − 4·10⁻¹¹
_BETA = Axis("penalty β", 0.1, 30, "log")
_REFERENCE = sp.log(success_ref / (1 - success_ref))  # log-odds of the reference


@lru_cache(maxsize=1)
def gap_of_weights() -> sp.Expr:
    """The gap of the weights at the probability with log-odds ``x``."""
    return in_log_odds(weight_gap(SMOOTHED, sp.oo), success)


# -- one run ----------------------------------------------------------------------------------------------------------

RUN_BETAS = ("0.3", "0.5", "0.8", "1", "1.3", "1.6", "2", "3", "4", "5", "7", "10")
RUN_GUARDS = ("1e-5", "1e-3", "1e-1")
RUN_REFERENCES = ("0.001", "0.02", "0.2", "0.5")
_GRID = np.linspace(-9, 16, 126)
_STEPS = 24
_ODDS = (log_odds(5e-4), 13.0)  # what the pictures of a run show of the log-odds


@lru_cache(maxsize=1)
def log_odds_map() -> sp.Expr:
    """``logit h`` at the probability with log-odds ``x``: that of the reference plus the gap of the weights over β, as
    mr-thm2-h shows.
    """
    return _REFERENCE + gap_of_weights() / beta


def log_odds_after(points: Numbers, reference: str, strength: str, smoothing: str) -> Balls:
    """Balls that enclose the log-odds after one step from these log-odds, numbers or balls."""
    exact = [Fraction(v) for v in (reference, strength, smoothing)]
    return balls(log_odds_map(), [x, success_ref, beta, guard], points, *exact)


def log_odds_orbit(reference: str, strength: str, smoothing: str, steps: int = _STEPS) -> Floats:
    """Log-odds of ``p_0 = p_ref, p_1, …`` as floats, from balls that enclose them."""
    start = balls(_REFERENCE, [success_ref], Fraction(reference))
    return iterates(start, lambda odds: log_odds_after(odds, reference, strength, smoothing), steps)


def _run(reference_index: int, beta_index: int, guard_index: int) -> Sequence[Panel]:
    setting = RUN_REFERENCES[reference_index], RUN_BETAS[beta_index], RUN_GUARDS[guard_index]
    run = recursion(*setting)
    reached = log_odds_orbit(*setting)
    across = np.repeat(reached, 2)
    lines = [
        Line("h(p) = p", np.array(_ODDS), np.array(_ODDS), colour=0, dash="dot", width=1.2),
        Line("the map h", _GRID, middles(log_odds_after(_GRID, *setting), "h")),
        Line("the run", across[:-1], np.r_[_ODDS[0], across[2:]], colour=2, width=1.2),
        *fixed_point_lines(run.fixed_points(digits=15), lambda enclosure: (middle_of(enclosure.logit),) * 2),
    ]
    axes = (Axis("success probability p", *_ODDS, "odds"), Axis("of the next policy, h(p)", *_ODDS, "odds"))
    left = Panel("The map and the run", *axes, lines, note=_ends(run.limit(digits=15)))
    drawn = [Line("", np.arange(_STEPS + 1.0), reached, colour=2, marker="dot", width=1.2)]
    axes = (Axis("iteration n", 0, _STEPS), Axis("success probability p_n", *_ODDS, "odds"))
    return [left, Panel("The run over time", *axes, drawn)]


def _ends(limit: Limit) -> str:
    """The certified end of a run, in a sentence."""
    if limit.period == 1:
        return f"The run converges to p* = {_short(limit.points[0])}."
    if limit.period == 2:
        low, high = (_short(point) for point in limit.points)
        return f"The run does not converge: it alternates for ever between {low} and {high}."
    return f"Undecided: {limit.reason}."


def _short(point: Enclosure) -> str:
    if point.complement[1] < sp.Rational(1, 10**4):
        return f"1 − {sp.N(point.complement[0], 3)}"
    return f"{middle_of((point.low, point.high)):.4f}"


_RUN_CONTROLS = (
    Control("success of the reference, p_ref", RUN_REFERENCES, 0),
    Control("penalty β", RUN_BETAS, RUN_BETAS.index("5")),
    Control("smoothing ε", tuple(power(float(g)) for g in RUN_GUARDS), 0),
)

# -- bifurcations -----------------------------------------------------------------------------------------------------

GUARDS = ("1e-8", "1e-6", "1e-5", "1e-4", "1e-3", "1e-2")
REFERENCES = ("0.001", "0.005", "0.02", "0.1", "0.5", "0.8")
_SMOOTHING = Control("smoothing ε", tuple(power(float(g)) for g in GUARDS), GUARDS.index("1e-5"))
_TRIED = 20  # values of β at which a two-cycle is looked for, where the fixed point below ½ repels


@lru_cache(maxsize=1)
def curve() -> sp.Expr:
    """β at which the probability with log-odds ``x`` is a fixed point."""
    return in_log_odds(beta_curve(SMOOTHED, sp.oo, PenaltyName.REVERSE_KL), success)


@lru_cache(maxsize=1)
def steepness() -> sp.Expr:
    """``h'(p*)·β/W``: the slope of h at the fixed point with log-odds ``x`` over the log-odds that it has gained, since
    β is W/(gain) there.
    """
    gap = weight_gap(SMOOTHED, sp.oo)
    return in_log_odds(success * (1 - success) * sp.diff(gap, success) / gap, success)


def _branches(reference: str, smoothing: str) -> tuple[Floats, Floats, Floats]:
    """Log-odds of fixed points, their β, and the slope of h at them."""
    start = log_odds(float(reference))
    at = start + np.r_[np.geomspace(0.004, 0.4, 30), np.linspace(0.45, _LARGEST - start, 260)]
    exact = [Fraction(reference), Fraction(smoothing)]
    height = values(curve(), [x, success_ref, guard], at, *exact)
    gained = values(x - _REFERENCE, [x, success_ref], at, exact[0])
    return at, height, values(steepness(), [x, guard], at, exact[1]) * gained


def _bifurcation(reference_index: int, guard_index: int) -> Sequence[Panel]:
    reference, smoothing = REFERENCES[reference_index], GUARDS[guard_index]
    at, height, slope = _branches(reference, smoothing)
    lines = []
    for name, where, colour, dash in (
        ("fixed point that attracts", np.abs(slope) < 1, 1, "solid"),
        ("repels: slope of h above 1", slope >= 1, 2, "dash"),
        ("repels: slope of h below −1", slope <= -1, 5, "dot"),
    ):
        lines.append(Line(name, part(height, where), at, colour=colour, dash=dash))  # type: ignore[arg-type]
    run = recursion(reference, 1, smoothing)
    folds = [(middle_of(f.beta), middle_of(f.enclosure.logit)) for f in run.folds(digits=15) if f.enclosure.logit]
    across, up = np.array(folds, dtype=float).reshape(-1, 2).T
    lines.append(Line("fold: two fixed points meet", across, up, colour=7, marker="dot", joined=False))
    cycles = _cycles(reference, smoothing, height[slope <= -1])
    across, up = np.array(cycles, dtype=float).reshape(-1, 2).T
    lines.append(Line("two-cycle that the run reaches", across, up, colour=3, marker="ring", joined=False))
    note = (
        f"Of {_TRIED} values of β for which the fixed point below ½ repels, the run ends in a two-cycle for those from "
        f"{cycles[0][0]:.2f} to {cycles[-1][0]:.2f}."
        if cycles
        else ""
    )
    odds = Axis("fixed point p*", log_odds(5e-4), _LARGEST, "odds")
    return [Panel(f"p_ref = {reference}, ε = {power(float(smoothing))}", _BETA, odds, lines, note=note)]


def _cycles(reference: str, smoothing: str, repelling: Floats) -> list[tuple[float, float]]:
    """β and log-odds of the points of certified two-cycles; they are looked for only where a fixed point below ½
    repels.
    """
    points: list[tuple[float, float]] = []
    tried = np.geomspace(repelling.min(), repelling.max(), _TRIED) if len(repelling) else ()
    for strength in (f"{v:.4g}" for v in tried):
        limit = recursion(reference, strength, smoothing).limit(digits=12)
        if limit.period == 2:
            points += [(float(strength), middle_of(point.logit)) for point in limit.points]
    return points


def _three_bifurcations() -> Sequence[Panel]:
    at = GUARDS.index("1e-5")
    return [panel for reference in ("0.001", "0.1", "0.5") for panel in _bifurcation(REFERENCES.index(reference), at)]


_BIFURCATION_CONTROLS = (
    Control("success of the reference, p_ref", REFERENCES, 0),
    _SMOOTHING,
)

# -- phases -----------------------------------------------------------------------------------------------------------


def _critical(at: Floats, smoothing: str, slope: int) -> tuple[Floats, Floats]:
    """Log-odds of the references, and β, for which the fixed point with these log-odds has slope 1 or −1."""
    exact = Fraction(smoothing)
    gained = slope / steepness()
    reference = values(x - gained, [x, guard], at, exact)
    return reference, values(gap_of_weights() / gained, [x, guard], at, exact)


def _phases(guard_index: int) -> Sequence[Panel]:
    smoothing = GUARDS[guard_index]
    positive = np.r_[np.geomspace(1e-3, 0.5, 60), np.linspace(0.55, 30, 400)]
    areas, lines = [], []
    for name, at, slope, colour in (
        ("three fixed points", positive, 1, 6),
        ("the fixed point below ½ repels", -positive, -1, 5),
    ):
        reference, height = _critical(at, smoothing, slope)
        areas.append(Area(name, reference, height, colour=colour))
        lines.append(Line("", reference, height, colour=7, width=1))
    axes = (Axis("success of the reference, p_ref", -9.5, 9.5, "odds"), Axis("penalty β", 0.1, 100, "log"))
    return [Panel(f"ε = {power(float(smoothing))}", *axes, lines, areas)]


FIGURES = (
    Figure(
        "recursion",
        "A run of the recursion",
        ("mr-thm2-h", "mr-dyn-monotone", "mr-dyn-above-half", "mr-dyn-two-limits", "mr-thm3-every-p"),
        "Left, the map h with the diagonal and a staircase between them that follows the run from p_ref; right, the "
        "success probability against the iteration.",
        None,
        _RUN_CONTROLS,
        _run,
    ),
    Figure(
        "bifurcation",
        "Fixed points and two-cycles against β",
        ("mr-dyn-beta-curve", "mr-dyn-fold", "mr-dyn-flip", "mr-dyn-two-limits", "mr-fig5-divergent"),
        "A curve of fixed points against β, shaped like the letter S for small p_ref, with its turning points marked; "
        "parts that attract are solid, parts that repel dashed, and points of two-cycles lie around one of them.",
        _three_bifurcations,
        _BIFURCATION_CONTROLS,
        _bifurcation,
    ),
    Figure(
        "phases",
        "Where the recursion folds and where it flips",
        ("mr-dyn-fold", "mr-dyn-flip", "mr-dyn-beta-curve", "mr-fig4"),
        "Two wedges in the plane of p_ref and β that open towards small p_ref: in one there are three fixed points, in "
        "the other the fixed point below one half repels.",
        None,
        (_SMOOTHING,),
        _phases,
    ),
)
