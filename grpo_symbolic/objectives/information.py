"""Entropy and cross entropy: expectations of a negative log-likelihood under the law that draws.

Sources: Shannon (1948); Patel (2025), Appendix 8.2 and 8.3. Their difference, the KL divergence, is in
:mod:`grpo_symbolic.objectives.divergence`.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar


def expected(law: Policy, value: Callable[[Scalar], sp.Expr], answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``E_law[value] = Σ_o law(o) value(o)``."""
    return answers.total(lambda o: law[o] * value(o), index)


def cross_entropy(law: Policy, model: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``H(p, q) = E_p[−log q]``: the expected NLL of ``model`` where ``law`` draws."""
    return expected(law, lambda o: -sp.log(model[o]), answers, index)


def entropy(law: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``H(p) = E_p[−log p]``: the expected NLL of the law that draws."""
    return cross_entropy(law, law, answers, index)
