"""Verifiable rewards at any group size: the expected advantage gap, the equation of the stationary policy under KL_0,
and the values of β at which something changes.

A reward is 0 or 1, so a policy is known by its success probability ``x``, the reference by ``p``. In a mixed group of
``G`` with ``k`` correct members a correct one has the advantage ``√((G−k)/k)`` and a wrong one ``−√(k/(G−k))``;
groups whose members are all alike teach nothing. Everything below is the exact expectation over groups, a Bernstein
polynomial of degree ``G`` or less; ``size=oo`` is the limit of large groups. That these expressions follow from the
objective is shown in ``derivations/beyond`` (group_size_gap.py, stationary_any_group.py, maximum_or_saddle.py).

>>> from sympy import symbols
>>> x = symbols("x", real=True)
>>> advantage_gap(2, x), advantage_gap(3, x)
(1, sqrt(2))
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.advantage import SHIFT_AND_SCALE, Advantage
from grpo_symbolic.objectives.own import as_advantage, levels
from grpo_symbolic.scalars import Scalar

_THIRD = sp.Rational(1, 3)


def advantage_in_group(
    reward: Scalar, correct: Scalar, size: Scalar, advantage: Advantage = SHIFT_AND_SCALE, ahead: Scalar = 1
) -> sp.Expr:
    """The advantage of a member with ``reward`` in a mixed group of ``size`` members, ``correct`` of them with reward
    1 and the others with reward 0; both counts may be symbols, unless the deviation is that of the other members.
    ``ahead``: by how much a correct member is rewarded more, where that is not 1.

    Raises :class:`BadInput` for an advantage with a rule of its own.
    """
    if type(advantage).of_group is not Advantage.of_group:
        raise BadInput(f"{type(advantage).__name__} has a rule of its own: its method preference enumerates the groups")
    if advantage.others_deviation:
        rest = [sp.sympify(ahead)] * int(correct - reward) + [sp.S.Zero] * int(size - 1 - correct + reward)
        others = sp.Add(*rest) / len(rest) if advantage.leave_one_out else ahead * sp.Rational(correct, size)
        return advantage.by_others(ahead * reward - others, rest)
    mean = sp.sympify(correct) / size
    variance = mean * (1 - mean)
    if advantage.sample_deviation:
        variance = variance * size / (size - 1)
    own = sp.sympify(size) / (size - 1) if advantage.leave_one_out else 1  # the mean of the others is farther away
    return own * advantage.of_population(ahead * reward, ahead * mean, ahead**2 * variance)


def gap_weight(correct: Scalar, size: Scalar, advantage: Advantage = SHIFT_AND_SCALE) -> sp.Expr:
    """What the gap is when the group holds one correct and one wrong member for sure and ``correct`` correct ones in
    all: the chance-weighted sum of the two advantages, ``(G−1)/√(k(G−k))`` for the published advantage.

    A member is correct in a share ``k/G`` of the group, and ``C(G, k)·k(G−k) = G(G−1)·C(G−2, k−1)`` turns the chance
    of ``k`` among ``G`` into that of ``k − 1`` among the other ``G − 2``.
    """
    share = sp.sympify(correct) / size
    return share * advantage_in_group(1, correct, size, advantage) * size * (size - 1) / (correct * (size - correct))


def gap_weights(size: int, advantage: Advantage = SHIFT_AND_SCALE) -> list[sp.Expr]:
    """The Bernstein coefficients of the gap: :func:`gap_weight` for 1 to G − 1 correct members. With the deviation of
    the other members, or by a rule of their own, advantages need not add up to 0; then for 0 to G − 1 correct others
    what a member gains by being correct too.
    """
    if type(advantage) is not Advantage:
        right, wrong = levels(advantage, size)
        return [sp.simplify(win - lose) for win, lose in zip(right, wrong, strict=True)]
    if not advantage.others_deviation:
        return [gap_weight(k, size, advantage) for k in range(1, size)]
    members = [[advantage_in_group(r, k + r, size, advantage) for r in (1, 0)] for k in range(size)]
    return [sp.simplify(right - wrong) for right, wrong in members]


def advantage_gap(size: Scalar, success: Scalar, advantage: Advantage = SHIFT_AND_SCALE) -> sp.Expr:
    """``Δ_G(x)``: the expected advantage of a correct answer minus that of a wrong one, when groups are drawn from a
    policy that succeeds with probability ``success``.

    A Bernstein polynomial with the coefficients :func:`gap_weights`, of degree ``G − 2`` (``G − 1`` for an advantage of
    one's own, which may be a formula or a function: :func:`grpo_symbolic.objectives.as_advantage`).

    Raises :class:`BadInput` for a group size that is neither ``oo`` nor a whole number from 2, or an advantage without
    a baseline.
    """
    x, advantage = sp.sympify(success), as_advantage(advantage)
    if not advantage.centred:
        raise BadInput("the gap of verifiable rewards needs an advantage with a baseline")
    if size == sp.oo:
        right, wrong = (advantage.of_population(reward, x, x * (1 - x)) for reward in (1, 0))
        return sp.factor(right - wrong, deep=False)
    _check_size(size)
    return bernstein(gap_weights(int(size), advantage), x)


def bernstein(coefficients: Sequence[sp.Expr], at: sp.Expr) -> sp.Expr:
    """The mean of the coefficient of k, where each of the other members is correct with probability ``at``."""
    rest = len(coefficients) - 1
    if len(set(coefficients)) == 1:  # as in groups of two and three
        return coefficients[0]
    return sp.Add(*(sp.binomial(rest, k) * at**k * (1 - at) ** (rest - k) * c for k, c in enumerate(coefficients)))


@lru_cache
def gap_in_variance(size: int, variance: Scalar, advantage: Advantage = SHIFT_AND_SCALE) -> sp.Expr:
    """:func:`advantage_gap` as a polynomial of degree ``⌊(G−2)/2⌋`` in the variance ``v = x(1 − x)`` of the reward.

    The coefficients are symmetric in correct and wrong, so ``x^m + (1−x)^m`` is all that occurs; it satisfies ``L_m =
    L_{m−1} − v L_{m−2}``.
    """
    _check_size(size)
    v, rest = sp.sympify(variance), int(size) - 2
    power_sums: list[sp.Expr] = [sp.Integer(2), sp.S.One]
    while len(power_sums) <= rest:
        power_sums.append(sp.expand(power_sums[-1] - v * power_sums[-2]))
    total = sp.S.Zero
    for k in range(rest // 2 + 1):
        pair = power_sums[rest - 2 * k] / (2 if 2 * k == rest else 1)
        total += sp.binomial(rest, k) * gap_weight(k + 1, int(size), advantage) * v**k * pair
    return sp.collect(sp.expand(total), v)


def success_gradient(size: Scalar, success: Scalar, advantage: Advantage = SHIFT_AND_SCALE) -> sp.Expr:
    """``m_G(x) = x(1 − x)·Δ_G(x)``: the expected advantage collected by the correct answers of a group, per member.

    For the published advantage the Bernstein polynomial of degree ``G`` of ``√(t(1−t))``.
    """
    x = sp.sympify(success)
    return x * (1 - x) * advantage_gap(size, x, advantage)


def success_equation(
    size: Scalar, success: Scalar, reference: Scalar, beta: Scalar, advantage: Advantage = SHIFT_AND_SCALE
) -> sp.Expr:
    """``β(x − p) − m_G(x)``, which vanishes in (0, 1) at GRPO's stationary policy (penalty KL_0) and only there."""
    return beta * (success - reference) - success_gradient(size, success, advantage)


def stationary_beta(size: Scalar, success: Scalar, reference: Scalar) -> sp.Expr:
    """The one β for which the stationary policy has this success probability, above that of the reference."""
    return success_gradient(size, success) / (success - reference)


def critical_beta(size: Scalar) -> sp.Expr:
    """``√(G − 1)``: below it a vanishing reference probability of success still leaves a positive one."""
    return sp.sqrt(sp.sympify(size) - 1)


def safe_beta(size: Scalar) -> tuple[sp.Expr, sp.Expr]:
    """``(low, high)``: for one correct answer the stationary policy is a strict local maximum of its own objective
    whatever the reference exactly when ``β ≤ low`` or ``β ≥ high``. For several correct answers only ``high`` is safe.
    """
    return sp.nsimplify(2 * _THIRD * advantage_gap(size, _THIRD)), 2 * critical_beta(size)


def minimum_between(size: Scalar, reference: Scalar) -> tuple[sp.Expr, sp.Expr]:
    """``(low, high)``: for one correct answer and a reference below ``(2 − √3)/4`` the stationary policy is a strict
    local minimum in the direction of success of its own objective exactly when ``low < β < high``.
    """
    p = sp.sympify(reference)
    root = sp.sqrt(1 - 16 * p + 16 * p**2)
    lower, upper = ((1 + 4 * p + sign * root) / 6 for sign in (1, -1))
    return turning_beta(size, lower), turning_beta(size, upper)


def turning_beta(size: Scalar, success: Scalar) -> sp.Expr:
    """``2(1 − 2x)·Δ_G(x)``: a stationary policy ``x`` is a strict local maximum along success for larger β, a minimum
    for smaller ones.
    """
    return 2 * (1 - 2 * sp.sympify(success)) * advantage_gap(size, success)


def saddle_beta(size: Scalar, reference: Scalar) -> sp.Expr:
    """With several correct answers: the stationary policy is a strict local maximum of its own objective for larger β
    and none for smaller ones, where it more than doubles the success probability of the reference (which is below ½).
    """
    doubled = 2 * sp.sympify(reference)
    return 2 * (1 - doubled) * advantage_gap(size, doubled)


def _check_size(size: Scalar) -> None:
    if not isinstance(size, int | sp.Integer) or size < 2:
        raise BadInput(f"the group size must be oo or a whole number from 2, got {size}")
