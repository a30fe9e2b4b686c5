"""Proximal policy optimisation, and the divergence put into its reward.

Source: Schulman et al. (2017), as in Patel (2025), Section 4.6, equation (11); Section 4.7, equation (12).
"""

from __future__ import annotations

import sympy as sp

from grpo_symbolic.objectives.sequence import Path, SequencePolicy, steps
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate, Weight
from grpo_symbolic.scalars import Scalar


def ppo(epsilon: Scalar) -> Surrogate:
    """The clipped ratio loss (11) with clip range ``epsilon``."""
    return Surrogate(Ratio.TOKEN, epsilon)


def token_charge(policy: SequencePolicy, reference: SequencePolicy, token: int, state: Path) -> sp.Expr:
    """``log(π(a|s)/π_ref(a|s))``: what equation (12) subtracts from a token's reward, β times."""
    return sp.log(policy.probability(token, state) / reference.probability(token, state))


def charged(
    advantage: Weight, policy: SequencePolicy, reference: SequencePolicy, beta: Scalar, to_go: bool = True
) -> Weight:
    """An advantage less β times the charges: of this token and all later ones (``to_go``, the return of a token), or
    of this token alone, as equation (12) is displayed. ``policy`` is the one that drew the texts.
    """

    def weight(token: int, state: Path, text: Path) -> sp.Expr:
        owed = steps(text)[len(state) :] if to_go else [(token, state)]
        return advantage(token, state, text) - beta * sp.Add(*(token_charge(policy, reference, a, s) for a, s in owed))

    return weight
