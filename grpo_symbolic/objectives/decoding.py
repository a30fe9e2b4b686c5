"""How outputs are drawn from a policy: at a temperature, and as the best of a group (rejection sampling).

Source: Patel (2025), Section 3 (items 2 to 4) and the opening of Section 4.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Scalar


def softmax(logits: Sequence[Scalar]) -> tuple[sp.Expr, ...]:
    """``exp(z_o)/Σ exp(z)``."""
    total = sp.Add(*(sp.exp(z) for z in logits))
    return tuple(sp.exp(z) / total for z in logits)


def tempered(logits: Sequence[sp.Expr], temperature: Scalar) -> tuple[sp.Expr, ...]:
    """``softmax(z/τ)``, the policy at temperature τ: its probabilities are ``π(o)^(1/τ)``, normalised.

    Raises :class:`BadInput` for a temperature that is not positive.
    """
    if sp.sympify(temperature).is_nonpositive:
        raise BadInput(f"a temperature must be positive, got {temperature}")
    return softmax([z / temperature for z in logits])


def best_of(policy: Sequence[Scalar], group_size: int) -> tuple[sp.Expr, ...]:
    """The law of the top output of a group of ``group_size`` drawn from ``policy``, whose answers are listed from the
    best to the worst; every group is enumerated. Raises :class:`BadInput` for an empty
    group.
    """
    if group_size < 1:
        raise BadInput(f"a group needs at least one output, got {group_size}")
    chances = [sp.S.Zero] * len(policy)
    for group in itertools.product(range(len(policy)), repeat=group_size):
        chances[min(group)] += sp.Mul(*(policy[o] for o in group))
    return tuple(chances)
