"""The generalized advantage estimator of one text.

Source: Schulman et al. (2016), as the special case that Patel (2025), Section 4.3, names.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Scalar


def gae(rewards: Sequence[Scalar], values: Sequence[Scalar], discount: Scalar = 1, credit: Scalar = 1) -> list[sp.Expr]:
    """``Â_t = Σ_{l ≥ t} (γλ)^{l−t} (r_l + γ V(s_{l+1}) − V(s_l))`` for every token t = 1, …, T of a text.

    ``rewards`` are those of the T tokens, ``values`` those of the T + 1 states ``s_1, …, s_{T+1}``; the last is the
    value after the end, zero where nothing follows. Raises :class:`BadInput` when the lengths do not fit.

    >>> gae([0, 1], [sp.Rational(1, 2), sp.Rational(3, 4), 0])
    [1/2, 1/4]
    """
    if len(values) != len(rewards) + 1:
        raise BadInput(f"{len(rewards)} token rewards need {len(rewards) + 1} state values, got {len(values)}")
    surprises = [
        reward + discount * after - before for reward, before, after in zip(rewards, values, values[1:], strict=False)
    ]
    return [
        sp.Add(*((discount * credit) ** (later - t) * surprises[later] for later in range(t, len(surprises))))
        for t in range(len(surprises))
    ]
