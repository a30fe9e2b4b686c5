"""Trust region policy optimisation. Source: Schulman et al. (2015), as in Patel (2025), Section 4.5, (9), (10)."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.sequence import SequencePolicy
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate, Weight, state_kl, visited_kl
from grpo_symbolic.scalars import Scalar

RATIO_LOSS = Surrogate(Ratio.TOKEN)  # (7)


def trpo_penalised(policy: SequencePolicy, sampler: SequencePolicy, advantage: Weight, beta: Scalar) -> sp.Expr:
    """(9): the expected ratio loss plus β times ``KL(π_0‖π_1)``, summed over the states that texts of the sampler pass
    through. Raises :class:`BadInput` for β ≤ 0.
    """
    if sp.sympify(beta).is_nonpositive:
        raise BadInput(f"β must be positive, got {beta}")
    return RATIO_LOSS.expected(policy, sampler, advantage) + beta * visited_kl(sampler, sampler, policy)


@dataclass(frozen=True)
class Constrained:
    """A loss to be minimised subject to constraints."""

    loss: sp.Expr
    constraints: tuple[sp.Rel, ...]


def trpo_constrained(policy: SequencePolicy, sampler: SequencePolicy, advantage: Weight, delta: Scalar) -> Constrained:
    """(10): the expected ratio loss, with ``KL(π_0(·|s)‖π_1(·|s)) ≤ δ`` in every state."""
    bounds = tuple(state_kl(sampler, policy, s) <= delta for s in policy.tree.states())
    return Constrained(RATIO_LOSS.expected(policy, sampler, advantage), bounds)
