"""The numbers of a point: its stationary policies, whether each is a maximum, and what best responses reach.

Everything is certified in ball arithmetic: by :class:`grpo_symbolic.optimality.SuccessRecursion` where the point has
the stationary equation of one, and by isolating the zeros of the derived equation otherwise. Bulk work is for
:attr:`.interface.Theory.solver`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import flint
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta, guard, p, scale, x
from grpo_symbolic.objectives import SHIFT_ONLY, Advantage
from grpo_symbolic.optimality.dynamics import SuccessRecursion
from grpo_symbolic.optimality.enclosure import (
    Ball,
    Enclosure,
    compiled,
    coordinates,
    isolate,
    settled,
    sign,
    working_bits,
)
from grpo_symbolic.optimality.iteration import GAP, Limit
from grpo_symbolic.optimality.signs import sign_of
from grpo_symbolic.optimality.symmetric import Bernstein, SymmetricBernstein, group_gap
from grpo_symbolic.optimality.verifiable import advantage_gap, gap_weights
from grpo_symbolic.scalars import Numeral, Scalar
from grpo_symbolic.setting import LARGEST_GROUP, SOLVED, PenaltyName
from grpo_symbolic.shown import Shown
from grpo_symbolic.theory import derive
from grpo_symbolic.theory.point import Point, number

_WIDEST = 60  # logits that are searched where no recursion has the equation
_BITS, _FINE = 512, 6000  # of the search; of a policy as near to 1 as a recursion finds them
_SIDES = sp.Piecewise((1, x > p), (-1, True))  # of the reference
_RECURSIONS = {derive.FORWARD: PenaltyName.K3, derive.REVERSE: PenaltyName.REVERSE_KL}
SETTINGS = {  # what the numbers need beside the pass rate, and how it is given
    beta: "β (--beta, in Python beta=)",
    guard: "the guard ε (--guard, in Python guard=)",
    scale: "the deviation of the batch (--deviation, in Python deviation=)",
}
Extremum = Literal["maximum", "minimum", "flat", "kink", "undecided"]
_EXTREMA: dict[int, Extremum] = {-1: "maximum", 0: "undecided", 1: "minimum"}  # by the sign of the curvature


@dataclass(frozen=True)
class Stationary:
    """A stationary policy: where its success lies, what it is of its own frozen objective along success (one correct
    and one wrong answer), whether the enclosure holds this one alone, and, where the point's best response is that of
    a success recursion, whether it attracts them.
    """

    success: Enclosure
    extremum: Extremum
    separated: bool = True
    responses: str | None = None


@dataclass(frozen=True)
class Numbers(Shown):
    """The stationary policies in (0, 1), in order, and where learning goes from the reference.

    ``flow`` is where the on-policy gradient flow of two answers ends: a stationary policy, or in words. ``limit`` is
    that of exact best responses, ``None`` where these are not those of a success recursion. ``within`` is the range of
    log-odds that was searched, ``None`` for all of them.
    """

    policies: tuple[Stationary, ...]
    flow: Enclosure | str
    limit: Limit | None
    within: tuple[int, int] | None = None

    def __repr__(self) -> str:
        return f"<Numbers {', '.join(f'x = {q.success} ({q.extremum})' for q in self.policies) or 'none'}>"


def recursion(point: Point, p_ref: Scalar, penalty: PenaltyName) -> SuccessRecursion | None:
    """The success recursion with the point's gap and this penalty, ``None`` where no recursion has that gap.

    A gap that does not depend on the policy is that of plain differences with another β.
    """
    advantage, strength = point.advantage, point.beta
    own = Advantage(
        guard=advantage.guard, guard_inside=advantage.guard_inside, sample_deviation=advantage.sample_deviation
    )
    if advantage != own:
        height = derive.gap(point)
        if height.has(x) or sign_of(height) != 1:
            return None
        plain = advantage_gap(point.group_size, x, SHIFT_ONLY)
        advantage, strength = SHIFT_ONLY, strength * plain / height
    if not (strength.is_Rational and sp.sympify(advantage.guard).is_Rational) or not _recursive(point.group_size):
        return None
    return SuccessRecursion(
        p_ref,
        strength,
        guard=advantage.guard,
        guard_inside=advantage.guard_inside,
        scaled=advantage.scaled,
        group_size=point.group_size,
        sample_deviation=advantage.sample_deviation,
        penalty=penalty,
    )


def _check_real(slope: sp.Expr) -> None:
    """Refuse the slope of a penalty that has no real value somewhere inside (0, 1), as far as 63 points tell."""
    for place in (sp.Rational(k, 64) for k in range(1, 64)):
        if not slope.subs(x, place).evalf(15).is_Float and not slope.subs(x, place).is_real:
            raise BadInput(f"the penalty has no real value at x = {place}: numbers need one for all policies in (0, 1)")


def _recursive(size: Scalar) -> bool:
    """Whether success recursions take groups of this size."""
    return bool(size == sp.oo or size <= LARGEST_GROUP)


def numbers(point: Point, p_ref: Numeral) -> Numbers:
    """The numbers of a point whose parameters all have values, for a reference that succeeds with ``p_ref``.

    Raises :class:`BadInput` where β or the guard has no value, and for ``p_ref`` outside (0, 1).
    """
    start = number(p_ref, "the pass rate", below=1)
    if point.penalty is PenaltyName.NONE and not point.own:
        return Numbers((), "1", None)
    missing = derive.gradient(point).free_symbols - {x, p}
    if missing:
        wanted = sorted(SETTINGS.get(s, f"{s}, in the formula") for s in missing)
        raise BadInput(f"the numbers need a value for {' and '.join(wanted)}")
    bend = derive.curvature(point).subs(derive.SIDE, _SIDES).subs(p, start)
    slope = derive.penalty_gradient(point)
    _check_real(slope.subs(derive.SIDE, _SIDES).subs(p, start))
    own = point.penalty if point.weighs == "ratio" and point.penalty in SOLVED else None
    kind = own or _RECURSIONS.get(slope)
    run = recursion(point, start, kind) if kind is not None else None
    if run is None:
        isolated = tuple(Stationary(e, _extremum(bend, e), separated) for e, separated in _isolated(point, start))
        if slope.has(derive.SIDE):
            isolated = _with_kink(point, start, isolated)
        return Numbers(isolated, _flow(point, start, isolated, False), None, (-_WIDEST, _WIDEST))
    policies = tuple(
        Stationary(q.enclosure, _extremum(bend, q.enclosure), q.separated, q.stability if own is not None else None)
        for q in run.fixed_points()
        if q.enclosure.logit is not None  # p = 1 is a limit, not a policy inside
    )
    limit = None if own in (None, PenaltyName.K3) else run.limit()
    return Numbers(policies, _flow(point, start, policies, True), limit)


def _flow(point: Point, start: sp.Expr, policies: tuple[Stationary, ...], whole: bool) -> Enclosure | str:
    """A scalar flow moves with its velocity up to the next zero. That of two answers is the gradient along x times
    something positive, for the natural gradient as for softmax policies; ``whole``: there are no other zeros.
    """
    below, above = _beside(point, start)
    if below > 0 > above:
        return _exactly(start)
    drift = above if below == above else max(above, 0) + min(below, 0)
    if not drift:
        return "undecided: the precision does not tell whether it rises or falls"
    ahead = [q for q in policies if q.success.low > start] if drift > 0 else []
    ahead += [q for q in reversed(policies) if q.success.high < start] if drift < 0 else []
    if ahead:
        return ahead[0].success if ahead[0].separated else "undecided: two policies are not separated"
    end, way = ("1", "upwards") if drift > 0 else ("0", "downwards")
    return end if whole else f"out of the searched range, {way}"


def _beside(point: Point, start: sp.Expr) -> tuple[int, int]:
    """The signs of the gradient at the reference, from below and from above."""
    equation = derive.stationary(point)
    ways = (-1, 1) if equation.has(derive.SIDE) else (0,)
    ends = [equation.subs(derive.SIDE, way).subs({x: start, p: start}) for way in ways]
    with working_bits(_BITS):
        signs = [sign(compiled(end, ())()) for end in ends]
    return signs[0], signs[-1]


def _exactly(start: sp.Expr) -> Enclosure:
    """The reference itself."""
    with working_bits(_BITS):
        logit = compiled(sp.log(start) - sp.log(1 - start), ())()
        enclosure = Enclosure.between(logit.lower(), logit.upper())
    return replace(enclosure, low=start, high=start, complement=(1 - start, 1 - start))


def _with_kink(point: Point, start: sp.Expr, policies: tuple[Stationary, ...]) -> tuple[Stationary, ...]:
    """The policies with the reference among them, if the gradient falls through 0 there by a jump, in place of what is
    blurred around it.
    """
    below, above = _beside(point, start)
    if 0 in (below, above):
        return policies
    away = [q for q in policies if q.separated or not q.success.contains(start)]
    away += [Stationary(_exactly(start), "kink")] if below > 0 > above else []
    return tuple(sorted(away, key=lambda q: q.success.low))


def _isolated(point: Point, start: sp.Expr) -> tuple[tuple[Enclosure, bool], ...]:
    """The zeros of the stationary equation with log-odds within :data:`_WIDEST`, each with whether it is one alone."""
    finite = point.group_size != sp.oo and not point.raw and derive.gap(point).has(x)
    polynomial: Bernstein | SymmetricBernstein | None = None
    along: sp.Expr = sp.S.One  # how what the polynomial depends on moves with x
    if finite and point.own:
        polynomial = Bernstein(gap_weights(int(point.group_size), point.advantage))
    elif finite:
        polynomial, along = group_gap(point.advantage, int(point.group_size)), 1 - 2 * x
    equation = derive.stationary(point, GAP[0] if finite else None).subs(derive.SIDE, _SIDES).subs(p, start)
    if not equation.has(x, GAP[0]):
        return ()
    slope = sp.diff(equation, x) + along * GAP[1] * sp.diff(equation, GAP[0])
    value, tilt = _over_logits(equation, polynomial), _over_logits(x * (1 - x) * slope, polynomial, of=equation)
    with working_bits(_BITS):
        roots = isolate(value, tilt, flint.arb(-_WIDEST), flint.arb(_WIDEST), flint.arb(10) ** -30)
        return tuple((Enclosure.between(r.low, r.high), r.separated) for r in roots)


def _over_logits(
    expression: sp.Expr, polynomial: Bernstein | SymmetricBernstein | None = None, of: sp.Expr | None = None
) -> Callable[[Ball, Ball], Ball]:
    """An expression in x, and in the gap that is this polynomial of it, over an interval of log-odds, with 1 − x as
    exact as x. The slope ``of`` an expression is NaN across the border of two of its cases, even where it is the same
    on both sides.
    """
    rest = sp.Dummy("rest", positive=True)
    symbols = (x, rest)
    if polynomial is not None:
        symbols += GAP[:2] if isinstance(polynomial, Bernstein) else GAP

    def ready(e: sp.Expr) -> sp.Expr:
        return e.replace(lambda part: part == 1 - x, lambda part: rest).subs(x - 1, -rest)

    ball, one_case = compiled(ready(expression), symbols), settled(ready(sp.S.One if of is None else of), symbols)

    def over(low: Ball, high: Ball) -> Ball:
        inside, outside, _ = coordinates(low, high)
        balls = (inside, outside, *(polynomial.over(low, high) if polynomial else ()))
        return ball(*balls) if one_case(*balls) else flint.arb("nan")

    return over


def _extremum(bend: sp.Expr, at: Enclosure) -> Extremum:
    """By the sign of the curvature over the enclosure."""
    if bend == 0:
        return "flat"
    if at.logit is None:
        return "undecided"
    with working_bits(_FINE):
        low, high = (flint.arb(flint.fmpq(int(e.p), int(e.q))) for e in at.logit)
        return _EXTREMA[sign(_over_logits(bend)(low, high))]


def solver(point: Point) -> tuple[str, dict[str, Any]] | None:
    """The name of the function of :mod:`grpo_symbolic.numeric` that solves this point in bulk, and the arguments that
    are the settings of the point; ``None`` where none does. Floating point, of grade ``swept``.

    :func:`grpo_symbolic.numeric.success_limit` takes pass rates and β, and its fixed points are the stationary
    policies; beyond its group sizes :func:`grpo_symbolic.numeric.stationary_policy` takes references, rewards and β.
    """
    slope, advantage = derive.penalty_gradient(point), point.advantage
    epsilon = sp.sympify(advantage.guard)
    plain = replace(advantage, leave_one_out=False, fixed_deviation=None)
    if slope not in _RECURSIONS or advantage != plain or epsilon.free_symbols or point.raw:
        return None
    choices: dict[str, Any] = {
        "group_size": float("inf") if point.group_size == sp.oo else point.group_size,
        "penalty": PenaltyName.FORWARD_KL if point.penalty is PenaltyName.FORWARD_KL else _RECURSIONS[slope],
        "guard": float(epsilon),
        "guard_inside": advantage.guard_inside,
        "scaled": advantage.scaled,
    }
    if _recursive(point.group_size):
        choices["sample_deviation"] = advantage.sample_deviation
        return "success_limit", choices
    if advantage.sample_deviation:
        return None
    return "stationary_policy", choices
