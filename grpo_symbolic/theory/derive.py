"""What belongs to a point, derived: the objective, its on-policy gradient, the stationary equations, the closed form.

Two answers with rewards 1 and 0 (one correct, one wrong), and n answers with any preferences. π_old is differentiated
nowhere: first the slope, then π_old = π. The policy succeeds with probability ``x``, the old one with ``y``, the
reference with ``p``.
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import P, beta, n, o, o_, old, other, p, pi, ref, x, y, z
from grpo_symbolic.objectives import Answers, Divergence, Objective, binary
from grpo_symbolic.objectives.own import exact, levels
from grpo_symbolic.optimality.kkt import identify, partial
from grpo_symbolic.optimality.response import split_logarithm
from grpo_symbolic.optimality.signs import sign_of, upright
from grpo_symbolic.optimality.stationary import large_groups, pairs
from grpo_symbolic.optimality.verifiable import advantage_gap, advantage_in_group, bernstein
from grpo_symbolic.setting import CappedWeight, LogClip, NoClip, PenaltyName, Ratio, RatioClip, SoftGate
from grpo_symbolic.theory.closed import Closed, both, not_negative, solved
from grpo_symbolic.theory.point import Point

_TWO, _ALL = Answers(2), Answers(n)
_SOLVED = 5  # the largest groups whose gap, where it depends on x, is of a degree that may leave a quadratic
FORWARD = (x - p) / (x * (1 - x))  # the gradient of KL(π_ref‖π) along x, and of k3 on-policy
REVERSE = sp.log(x) - sp.log(1 - x) - sp.log(p) + sp.log(1 - p)  # and KL(π‖π_ref): the difference of log-odds


def preferences(point: Point) -> tuple[sp.Expr, sp.Expr]:
    """``P_G(o | π_old)`` of the correct and of the wrong answer, over all groups drawn from y; with a charge before
    the normalisation, of the charged rewards.

    Groups whose members are all alike teach nothing, so each sum runs over the mixed ones; over all of them for an
    advantage with a rule of its own.
    """
    if point.own and point.group_size != sp.oo:
        right, wrong = levels(point.advantage, int(point.group_size))
        return bernstein(right, y), bernstein(wrong, y)
    ahead = sp.Dummy("d", real=True) if point.raw else sp.S.One  # by how much a correct answer is rewarded more
    advantage, size = point.advantage, point.group_size
    if size == sp.oo:
        means = [advantage.of_population(r * ahead, y * ahead, ahead**2 * y * (1 - y)) for r in (1, 0)]
    else:
        others = size - 1
        draw = [sp.binomial(others, j) * y**j * (1 - y) ** (others - j) for j in range(size)]  # j of them correct
        means = [
            sp.Add(*(draw[k - r] * advantage_in_group(r, k, size, advantage, ahead) for k in range(1, size)))
            for r in (1, 0)
        ]
    win, lose = (e.subs(ahead, charged_difference(point, y)) if point.raw else e for e in means)
    return win, lose


def charged_difference(point: Point, at: sp.Expr = x) -> sp.Expr:
    """The charged reward of the correct answer less that of the wrong one, charged at the policy ``at``."""
    assert isinstance(point.divergence, Divergence)  # a point that is raw has one
    estimator = point.divergence.estimator
    return _plain(1 - point.beta * (estimator(at, p) - estimator(1 - at, 1 - p)))


def objective(point: Point, known: tuple[sp.Expr, sp.Expr] | None = None) -> sp.Expr:
    """The objective of the policy x, the old policy y held fixed; ``z`` stands for x in a ratio that is not
    differentiated. ``known`` stands for the preferences of the correct and of the wrong answer.

    The advantages of an answer have one sign in every group, so clipping acts on the preference.
    """
    win, lose = known or preferences(point)
    return _rewarded(point, win, lose) - _penalised(point)


def _rewarded(point: Point, win: sp.Expr, lose: sp.Expr) -> sp.Expr:
    return y * _weighed(point, x, y, z, win, 1) + (1 - y) * _weighed(point, 1 - x, 1 - y, 1 - z, lose, -1)


def _weighed(point: Point, new: sp.Expr, before: sp.Expr, detached: sp.Expr, preference: sp.Expr, sign: int) -> sp.Expr:
    """How an answer of this preference enters: its probability is ``new``, was ``before``, and is ``detached`` where no
    gradient goes. The preference has this sign, unless the charge is part of it.
    """
    clip, ratio = point.clip, new / before
    if point.ratio is Ratio.LOG:
        return preference * sp.log(new)
    if isinstance(clip, CappedWeight):
        bounds = (None if bound is None else exact(bound) for bound in (clip.floor, clip.cap))
        return _between(detached / before, *bounds) * preference * sp.log(new)
    if isinstance(clip, SoftGate):
        heat = exact(clip.tau_pos if sign > 0 else clip.tau_neg)
        return preference * (4 / heat) / (1 + sp.exp(-heat * (ratio - 1)))
    if isinstance(clip, NoClip):
        return ratio * preference
    delta, dual = (clip.delta, clip.dual) if isinstance(clip, RatioClip) else (None, None)
    first, second = _between(ratio, None, delta), _between(ratio, *_bounds(clip))
    good = sp.Min(first, second, evaluate=False) * preference
    bad = sp.Max(first, second, evaluate=False)
    bad = (bad if dual is None else sp.Min(bad, exact(dual), evaluate=False)) * preference
    if point.raw:  # the charge may turn the sign
        return sp.Piecewise((good, preference >= 0), (bad, True))
    return good if sign > 0 else bad


def _bounds(clip: RatioClip | LogClip) -> tuple[sp.Expr | None, sp.Expr | None]:
    if isinstance(clip, LogClip):
        return sp.exp(-exact(clip.low)), sp.exp(exact(clip.high))
    low, high = clip.eps_low, clip.eps_high
    return None if low is None else 1 - exact(low), None if high is None else 1 + exact(high)


def _between(value: sp.Expr, lower: sp.Expr | None, upper: sp.Expr | None) -> sp.Expr:
    capped = value if upper is None else sp.Min(value, upper, evaluate=False)
    return capped if lower is None else sp.Max(capped, lower, evaluate=False)


def _penalised(point: Point) -> sp.Expr:
    return sp.S.Zero if point.raw else point.beta * penalty(point)


@lru_cache(maxsize=64)
def penalty(point: Point) -> sp.Expr:
    """The penalty of two answers, without its β; greatest and least values are written as cases."""
    try:
        value = sp.sympify(point.divergence.expected(binary(x), binary(p), binary(y), _TWO, o, binary(z)))
        free = value.free_symbols
    except BadInput:
        raise
    except Exception as problem:  # of an object of somebody's own
        raise BadInput(
            f"the penalty {point.divergence.name} fails on two answers ({type(problem).__name__}: {problem})"
        ) from None
    if beta in free:
        raise BadInput(f"the penalty {point.divergence.name} has β in it, which stands before it")
    return value.replace(lambda e: isinstance(e, sp.Max | sp.Min), _cases)


def _cases(e: sp.Max | sp.Min) -> sp.Expr:
    """A greatest or least value by bars, where its parts are equal at the reference only, else by cases."""
    first, *rest = sorted(e.args, key=str)
    if not rest:
        return first
    other = _cases(e.func(*rest, evaluate=False)) if len(rest) > 1 else rest[0]
    greatest = isinstance(e, sp.Max)
    if _way(first - other):
        return (first + other + (1 if greatest else -1) * sp.Abs(first - other)) / 2
    return sp.Piecewise((first, first >= other if greatest else first <= other), (other, True))


def _bent(value: sp.Expr, order: int = 1) -> sp.Expr:
    """A derivative along x, then π_old = π; beside the reference, where what stands in bars turns, a sign is constant
    and |f| is f times one.
    """
    sides: dict[sp.Expr, sp.Dummy] = {}
    value = value.replace(sp.Abs, lambda a: a * sides.setdefault(a, sp.Dummy("side", real=True)))
    value = value.replace(sp.sign, lambda a: sides.setdefault(a, sp.Dummy("side", real=True)))
    slope = sp.diff(value, x, order).subs({y: x, z: x})
    return slope.xreplace({side: _side(a.subs({y: x, z: x})) for a, side in sides.items() if slope.has(side)})


@lru_cache(maxsize=64)
def gap(point: Point) -> sp.Expr:
    """The expected advantage of the correct answer less that of the wrong one, both drawn from the policy x itself."""
    if not point.raw and point.group_size != sp.oo:
        return advantage_gap(point.group_size, x, point.advantage)
    win, lose = preferences(point)
    difference = (win - lose).subs(y, x)
    return sp.factor_terms(difference) if point.raw else sp.simplify(difference)


@lru_cache(maxsize=64)
def penalty_gradient(point: Point) -> sp.Expr:
    """The gradient of the penalty along x at π_old = π, without its β, in one of the canonical forms
    where it is one.
    """
    if point.raw:
        return sp.S.Zero
    slope = _bent(penalty(point))
    for form in (sp.S.Zero, FORWARD, REVERSE):
        if _plain(slope - form) == 0:
            return form
    return _plain(slope) if point.penalty is not None else _shortest(slope)


SIDE = sp.sign(x - p)  # 1 above the reference, −1 below it


def _way(inside: sp.Expr) -> int | None:
    """1 or −1 where something has the sign of x − p, or the opposite one; ``None`` where neither is seen."""
    vanishing = inside.args[0] - 1 if isinstance(inside, sp.log) else inside
    return sign_of(sp.factor(sp.cancel(sp.together(vanishing) / (x - p))))


def _side(inside: sp.Expr) -> sp.Expr:
    """The sign of what vanishes at the reference only, by that of x − p.

    Raises :class:`BadInput` for anything else: where it turns is not known.
    """
    way = _way(inside)
    if not way:
        raise BadInput(f"the penalty has |{inside}|, and only what vanishes where π = π_ref alone is read in bars")
    return way * SIDE


def curvature(point: Point) -> sp.Expr:
    """The second derivative of the frozen objective along x at π_old = π: a stationary policy is a strict local
    maximum of its own objective where it is negative.
    """
    win, lose = sp.Dummy("win", real=True), sp.Dummy("lose", real=True)
    # At π_old = π a clipped ratio is inside its range, and a gate is straight: neither plays a part.
    reward = x * win + (1 - x) * lose
    if point.weighs in ("log", "capped"):  # at ratio 1 the detached weight is 1
        reward = y * win * sp.log(x) + (1 - y) * lose * sp.log(1 - x)
    bend = _bent(reward - _penalised(point), 2)
    if bend.has(win, lose) and (point.own or point.advantage.others_deviation):
        bend = bend.subs(dict(zip((win, lose), (e.subs(y, x) for e in preferences(point)), strict=True)))
    elif bend.has(win, lose):  # on-policy the preferences average to zero: x·win + (1 − x)·lose = 0
        bend = bend.subs({win: (1 - x) * gap(point), lose: -x * gap(point)})
    return _plain(bend) if point.penalty is not None else _shortest(bend)


def _shortest(e: sp.Expr) -> sp.Expr:
    """The shortest of an expression, over one denominator, and written plainly."""
    return min(upright(_plain(e)), sp.together(e), key=sp.count_ops)


def _plain(e: sp.Expr) -> sp.Expr:
    """Logarithms of quotients of probabilities as differences of plain ones, coefficients collected; cases (of a
    clamped estimator) stay cases, each written plainly.
    """
    if e.has(sp.Piecewise):
        return e.replace(sp.Piecewise, lambda *cases: sp.Piecewise(*((_plain(v), when) for v, when in cases)))
    spread = sp.expand(e.replace(sp.log, split_logarithm))
    logs = sorted(spread.atoms(sp.log), key=str)
    if not logs:
        return sp.factor(sp.together(spread))
    if not spread.is_polynomial(*logs):
        return sp.together(e)
    terms = sp.Poly(spread, *logs).terms()
    return sp.Add(*(sp.factor(c) * sp.Mul(*map(sp.Pow, logs, powers)) for powers, c in terms))


def gradient(point: Point, height: sp.Expr | None = None) -> sp.Expr:
    """The on-policy gradient along x: the slope of the objective, then π_old = π. ``height`` stands for the gap."""
    return (gap(point) if height is None else height) - point.beta * penalty_gradient(point)


def stationary(point: Point, height: sp.Expr | None = None) -> sp.Expr:
    """What vanishes at a stationary policy in (0, 1), and only there: the gradient, cleared of x(1 − x) where that of
    the penalty has it as its denominator. With a charge before the normalisation the gradient has the sign of the
    difference of the charged rewards, and vanishes with it. ``height`` stands for the gap.
    """
    if point.raw:
        return charged_difference(point)
    if penalty_gradient(point) != FORWARD:
        return gradient(point, height)
    rise = x * (1 - x) * (gap(point) if height is None else height)
    return (sp.simplify(rise) if point.group_size == sp.oo else rise) - point.beta * (x - p)


def many_answers(point: Point) -> sp.Eq | None:
    """The stationary equation of n answers with the preferences P(o) at π itself, for every answer o that is used:
    ``P(o) − E_π P = β(s(o) − E_π s)``, s the derivative of the penalty in π(o). ``None`` where the charge is part of
    the preferences.
    """
    if point.raw:
        return None
    rest = Objective(point.beta or sp.S.One, divergence=point.divergence)
    try:
        value = rest.value(pi, old, ref, lambda a: P[a], _ALL, o, other)
    except BadInput:  # a penalty that is written for two answers
        return None
    if value.has(sp.Abs, sp.sign, sp.Max, sp.Min):  # whose slope jumps for each answer by itself
        return None
    slope = identify(identify(partial(value, pi[o]), old, pi), other, pi)
    strength = point.beta or sp.S.One
    coefficient = sp.expand(sp.expand_log(sp.expand((P[o] - slope) / strength), force=True))
    centred = (coefficient - _mean(coefficient)).replace(sp.Sum, _renamed)
    # SymPy's simplify would move the conditions of cases out of the sums whose index they speak of.
    return sp.Eq(
        P[o] - _mean(P[o]),
        point.beta * (centred if centred.has(sp.Piecewise) else sp.simplify(centred)),
        evaluate=False,
    )


def _renamed(body: sp.Expr, limit: sp.Tuple) -> sp.Sum:
    """A sum over answers whose bound answer is not called like the free one."""
    index, *ends = limit
    return sp.Sum(body.xreplace({index: o_}), (o_, *ends)) if index == o else sp.Sum(body, limit)


def _mean(term: sp.Expr) -> sp.Expr:
    """``E_π`` of a function of the answer, sums that are known put in."""
    total = sp.S.Zero
    for part in sp.Add.make_args(sp.expand(pi[o] * term)):
        coefficient, rest = part.as_independent(o)
        known = {pi[o]: 1, ref[o]: 1}
        total += coefficient * (known[rest] if rest in known else sp.Sum(rest.subs(o, o_), (o_, 1, n)))
    return total


@lru_cache(maxsize=64)
def closed_forms(point: Point) -> tuple[Closed, ...] | None:
    """All stationary policies x in (0, 1) as expressions in p and β, each with its condition, where the equation is one
    that is solved: (14) with a constant gap, (15), the tilted reference, the optimum of RLHF, or what :mod:`.closed`
    clears. ``None`` where it is not.

    Where the slope of the penalty jumps at the reference, that is one if the gradient falls through 0 there.
    """
    strength = point.beta
    if point.raw:
        return (Closed(_tilted(1 / strength)),) if point.penalty is PenaltyName.K1_RAW_REWARD else None
    height, slope = gap(point), penalty_gradient(point)
    if slope == 0:
        return None
    if not height.has(x) and slope in (FORWARD, REVERSE) and sign_of(height) == 1:
        return (Closed(pairs(strength / height, p) if slope == FORWARD else _tilted(height / strength)),)
    if slope == FORWARD and point.group_size == sp.oo:
        root = sp.simplify(height * sp.sqrt(x * (1 - x)))
        if not root.has(x):
            return (Closed(large_groups(strength / root, p)),)
    if height.has(x) and point.group_size != sp.oo and point.group_size > _SOLVED:
        return None
    rise = gradient(point)
    if not rise.has(SIDE):
        return solved(rise)
    above, below = (solved(rise.subs(SIDE, way)) for way in (1, -1))
    if above is None or below is None:
        return None
    sides = [form.beyond(p, way) for way, forms in ((1, above), (-1, below)) for form in forms]
    falls = both(not_negative(at_reference(point)[0]), not_negative(-at_reference(point)[1]))
    return tuple(form for form in (Closed(p, falls), *sides) if form.where != sp.false)


def at_reference(point: Point) -> tuple[sp.Expr, sp.Expr]:
    """The gradient at the reference, from below and from above: two values where the slope of the penalty jumps."""
    below, above = (sp.simplify(gradient(point).subs(SIDE, way).subs(x, p)) for way in (-1, 1))
    return below, above


def closed_form(point: Point) -> sp.Expr | None:
    """The stationary policy x as an expression in p and β where it is the only one and always one, else ``None``."""
    forms = closed_forms(point)
    return forms[0].policy if forms is not None and len(forms) == 1 and forms[0].where == sp.true else None


def _tilted(exponent: sp.Expr) -> sp.Expr:
    """The probability whose odds are those of p times ``e^exponent``."""
    return p * sp.exp(exponent) / (1 - p + p * sp.exp(exponent))
