"""Divergences from the reference policy: their estimators, and the expectations these have on somebody's samples.

Sources: Vojnovic & Yun (2025), equation (1) (the estimator D_i, known as k3), equation (7), KL_0 and the reverse KL
of Section 2.2, and the importance-weighted estimator of Section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.objectives.space import Answers, Policy


def k1(pi: Any, ref: Any) -> sp.Expr:
    """The plain estimator ``log(π/π_ref)``."""
    return sp.log(pi / ref)


def k2(pi: Any, ref: Any) -> sp.Expr:
    """The squared estimator ``log(π/π_ref)²/2``."""
    return sp.log(pi / ref) ** 2 / 2


def k3(pi: Any, ref: Any) -> sp.Expr:
    """GRPO's estimator ``D_i = π_ref/π − log(π_ref/π) − 1`` for one sampled output."""
    return ref / pi - sp.log(ref / pi) - 1


@dataclass(frozen=True)
class Divergence:
    """An estimator, and whether it is weighted by the ratio ``π_θ/π_old`` (an expectation on the samples of π_θ) or
    not (on those of π_old).
    """

    name: str
    estimator: Callable[[Any, Any], sp.Expr]
    importance_weighted: bool = False

    def expected(self, policy: Policy, reference: Policy, old: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
        """The expectation over one output drawn from ``old``."""

        def term(o: Any) -> sp.Expr:
            ratio = policy[o] / old[o] if self.importance_weighted else sp.S.One
            return old[o] * ratio * self.estimator(policy[o], reference[o])

        return answers.total(term, index)


GRPO_PENALTY = Divergence("KL_0", k3)
DIRECT_KL = Divergence("KL", k3, importance_weighted=True)


def kl(policy: Policy, reference: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``KL(π‖π_ref) = Σ π log(π/π_ref)``."""
    return answers.total(lambda o: policy[o] * sp.log(policy[o] / reference[o]), index)


def reverse_kl(policy: Policy, reference: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``KL_rev(π‖π_ref) = KL(π_ref‖π)``."""
    return answers.total(lambda o: reference[o] * sp.log(reference[o] / policy[o]), index)


def kl_0(policy: Policy, reference: Policy, sampler: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``KL_0(π‖π*; π') = E_{π'}[π*/π] − E_{π'}[log(π*/π)] − 1``, as Section 2.2 writes it."""
    ratios = answers.total(lambda o: sampler[o] * reference[o] / policy[o], index)
    logarithms = answers.total(lambda o: sampler[o] * sp.log(reference[o] / policy[o]), index)
    return ratios - logarithms - 1
