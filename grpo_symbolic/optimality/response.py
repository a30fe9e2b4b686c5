"""Best responses under verifiable rewards, derived: the map of the success probability, the stationary equation, and
β as a function of the fixed point.

Everything is computed from the frozen objective by differentiation; nothing is typed in. Sources: Mroueh (2025),
equations (3)–(9), Theorems 1 and 2; Vojnovic & Yun (2025), equations (14), (15), (17), (19) and Appendix B.2.
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta as _beta
from grpo_symbolic.notation import o as _answer
from grpo_symbolic.notation import success, success_ref
from grpo_symbolic.notation import x as _new
from grpo_symbolic.objectives import GRPO_PENALTY, REVERSE_KL, Advantage, Answers, Objective, binary, forward_kl
from grpo_symbolic.objectives.own import as_advantage
from grpo_symbolic.optimality.signs import sign_of
from grpo_symbolic.optimality.stationary import pairs
from grpo_symbolic.optimality.verifiable import advantage_gap
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.setting import PenaltyName, penalty_named


def weights(advantage: Advantage, group_size: Scalar) -> tuple[sp.Expr, sp.Expr]:
    """``(ω⁺, −ω⁻)``: the expected advantages of a success and of a failure when the old policy succeeds with
    probability ``success``.

    Mroueh (2025), equation (4), for large groups; for a finite G the exact expectation over the rest of the group.
    """
    if group_size == sp.oo:
        win, lose = (advantage.of_population(sp.Integer(r), success, success * (1 - success)) for r in (1, 0))
        return win, lose
    old = (success, 1 - success)
    win, lose = (advantage.preference(k, old, (1, 0), Answers(2), group_size, _answer) for k in (0, 1))
    return win, lose


def frozen_objective(advantage: Advantage, group_size: Scalar, penalty: str) -> sp.Expr:
    """The objective of a policy with success probability ``x`` while the old one, with ``success``, is held fixed.

    ``penalty``: 'reverse-kl' is KL(π‖π_ref), 'forward-kl' is KL(π_ref‖π), 'k3' the estimator of GRPO on the old
    policy's samples. Raises :class:`BadInput` for any other.
    """
    return _objective(*weights(advantage, group_size), penalty_named(penalty))


def _objective(win: sp.Expr, lose: sp.Expr, penalty: PenaltyName) -> sp.Expr:
    policy, old, reference = binary(_new), binary(success), binary(success_ref)
    if penalty is PenaltyName.FORWARD_KL:
        return _new * win + (1 - _new) * lose - _beta * forward_kl(policy, reference, Answers(2), _answer)
    objective = Objective(_beta, divergence=REVERSE_KL if penalty is PenaltyName.REVERSE_KL else GRPO_PENALTY)
    return objective.value(policy, old, reference, lambda answer: win if answer == 0 else lose, Answers(2))


def weight_gap(advantage: Advantage, group_size: Scalar) -> sp.Expr:
    """``ω⁺ + ω⁻``, all that the recursion sees of the advantages."""
    if group_size != sp.oo:
        return advantage_gap(group_size, success, advantage)
    win, lose = weights(advantage, group_size)
    return sp.simplify(win - lose)


@lru_cache(maxsize=8)
def _slope(penalty: PenaltyName) -> tuple[sp.Expr, tuple[sp.Dummy, sp.Dummy]]:
    """The derivative of the frozen objective in the new policy, for weights that are still symbols."""
    win, lose = sp.Dummy("win", real=True), sp.Dummy("lose", real=True)
    slope = sp.diff(_objective(win, lose, penalty), _new)
    return (_plain_logs(slope) if penalty is PenaltyName.REVERSE_KL else sp.expand(slope)), (win, lose)


def frozen_slope(penalty: PenaltyName) -> sp.Expr:
    """The slope of the frozen objective in ``x`` without the advantages: ``ω⁺ + ω⁻`` at the old policy adds to it."""
    slope, (win, lose) = _slope(penalty)
    return slope.subs({win: 0, lose: 0})


def best_response(advantage: Advantage, group_size: Scalar, penalty: str) -> sp.Expr:
    """The map h in ``success``, ``success_ref`` and ``beta``: the maximiser of the frozen objective, which is
    strictly concave.

    KL(π‖π_ref): Mroueh (2025), equation (8). KL(π_ref‖π): Vojnovic & Yun (2025), equation (14), with the weight at the
    old policy for γ. Raises :class:`BadInput` for k3: its frozen objective need not be concave and its best response
    has no closed form.
    """
    chosen = penalty_named(penalty)
    advantage = as_advantage(advantage)
    if chosen is PenaltyName.K3:
        raise BadInput("the best response to the penalty 'k3' has no closed form; its fixed points are of 'forward-kl'")
    gap = weight_gap(advantage, group_size)
    if chosen is PenaltyName.FORWARD_KL:
        return pairs(_beta / gap, success_ref)
    slope, (win, lose) = _slope(chosen)
    logit = sp.Dummy("logit", real=True)
    in_logit = sp.expand(slope.subs(sp.log(_new), sp.log(1 - _new) + logit))
    if in_logit.has(_new):
        raise BadInput(f"the slope {slope} does not depend on the logit of the policy alone")
    response = sp.expand(-in_logit.subs(logit, 0) / in_logit.coeff(logit))
    difference = sp.Dummy("difference", real=True)
    return _sigmoid(sp.expand(response.subs(win, lose + difference))).subs(difference, gap)


def stationary_equation(advantage: Advantage, group_size: Scalar, penalty: str) -> sp.Expr:
    """What vanishes at a fixed point ``success``: the slope of the frozen objective, with the old policy set equal to
    the new one afterwards.
    """
    chosen = penalty_named(penalty)
    slope, (win, lose) = _slope(chosen)
    slope = sp.expand(slope.subs(_new, success))
    rest = sp.diff(slope, _beta)
    rest = _plain_logs(rest) if chosen is PenaltyName.REVERSE_KL else sp.factor(sp.together(rest))
    difference = sp.Dummy("difference", real=True)
    reward = sp.simplify(slope.subs(_beta, 0).subs(win, lose + difference))
    return reward.subs(difference, weight_gap(advantage, group_size)) + _beta * rest


def beta_curve(advantage: Advantage, group_size: Scalar, penalty: str) -> sp.Expr:
    """The β for which ``success`` (above ``success_ref``) is a fixed point: the stationary equation, which is linear
    in β, solved for it.

    For KL(π‖π_ref) ``1/((logit p* − logit p_ref)·√(p*(1−p*)+ε))``; its turning points are the folds.
    """
    equation = stationary_equation(advantage, group_size, penalty)
    return equation.subs(_beta, 0) / -sp.diff(equation, _beta)


def _sigmoid(logit: sp.Expr) -> sp.Expr:
    """The probability with this logit."""
    logs = sp.Add(*(term for term in sp.Add.make_args(logit) if term.has(sp.log)))
    return 1 / (1 + sp.exp(-logs) * sp.exp(logs - logit))


def _plain_logs(e: sp.Expr) -> sp.Expr:
    """The same expression with logarithms of plain positive quantities only, the rest simplified: ``log((1−a)/(1−b))
    = log(1−a) − log(1−b)``.
    """

    expanded = sp.expand(e.replace(sp.log, split_logarithm))
    logs = sorted(expanded.atoms(sp.log), key=str)
    rest = sp.simplify(expanded.subs({log: 0 for log in logs}))
    return rest + sp.Add(*(sp.simplify(expanded.coeff(log)) * log for log in logs))


def split_logarithm(argument: sp.Expr) -> sp.Expr:
    """``log`` of a quotient of probabilities as a sum of logarithms of its factors, each written as a positive one; as
    it is where a factor is not seen to have one sign everywhere.

    >>> from grpo_symbolic.notation import p, x
    >>> split_logarithm((1 - x) / p), split_logarithm((x - sp.Rational(1, 100)) / p)
    (-log(p) + log(1 - x), log((x - 1/100)/p))
    """
    above, below = (sp.factor_list(part) for part in sp.fraction(sp.together(argument)))
    signed = [(f, k) for f, k in above[1]] + [(f, -k) for f, k in below[1]]
    ways = [sign_of(f) or 0 for f, _ in signed]
    if 0 in ways:
        return sp.log(argument)
    logs = (k * sp.log(f if way > 0 else sp.expand(-f)) for (f, k), way in zip(signed, ways, strict=True))
    return sp.log(abs(above[0] / below[0])) + sp.Add(*logs)
