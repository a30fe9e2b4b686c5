"""Policy gradients of whole texts: the generalized advantage estimator, REINFORCE, TRPO and PPO.

Sources: Williams (1992), Schulman et al. (2015, 2016, 2017), as in Patel (2025), Sections 4.1, 4.3, 4.5–4.7, equations
(3), (7), (9)–(12).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.sequence import Path, SequencePolicy, steps
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate, Weight, text_advantage, visited_kl
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


REINFORCE = Surrogate(Ratio.LOG)


def reinforce(
    policy: SequencePolicy,
    sampler: SequencePolicy,
    reward: Callable[[Path], Scalar],
    baseline: Callable[[Path], Scalar] | None = None,
) -> sp.Expr:
    """``E[−Σ_t (R(text) − b(s_t)) log π(a_t|s_t)]`` over texts drawn from ``sampler``; the baseline is a function of
    the tokens so far and is held fixed, so give it as symbols.
    """
    return REINFORCE.expected(policy, sampler, text_advantage(reward, baseline))


RATIO_LOSS = Surrogate(Ratio.TOKEN)  # (7)


def trpo_penalised(policy: SequencePolicy, sampler: SequencePolicy, advantage: Weight, beta: Scalar) -> sp.Expr:
    """(9): the expected ratio loss plus β times ``KL(π_0‖π_1)``, summed over the states that texts of the sampler pass
    through. Raises :class:`BadInput` for β ≤ 0.
    """
    if sp.sympify(beta).is_nonpositive:
        raise BadInput(f"β must be positive, got {beta}")
    return RATIO_LOSS.expected(policy, sampler, advantage) + beta * visited_kl(sampler, sampler, policy)


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
        paid = steps(text)[len(state) :] if to_go else [(token, state)]
        return advantage(token, state, text) - beta * sp.Add(*(token_charge(policy, reference, a, s) for a, s in paid))

    return weight
