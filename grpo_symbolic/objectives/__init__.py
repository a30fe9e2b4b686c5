"""WHAT is optimised: advantages, divergences and the objectives made of them, as SymPy expressions."""

from grpo_symbolic.objectives.advantage import (
    SHIFT_AND_SCALE,
    SHIFT_ONLY,
    Advantage,
    expected_surrogate,
    group_advantage,
    group_mean,
    group_variance,
    pairwise_sign,
)
from grpo_symbolic.objectives.clip import clip, clipped_surrogate
from grpo_symbolic.objectives.divergence import DIRECT_KL, GRPO_PENALTY, Divergence, k1, k2, k3, kl, kl_0, reverse_kl
from grpo_symbolic.objectives.grpo import Objective, grpo, pair_preference
from grpo_symbolic.objectives.nlhf import nlhf_payoff
from grpo_symbolic.objectives.rlhf import rlhf
from grpo_symbolic.objectives.sequence import SequencePolicy, TokenTree, next_token_score, steps
from grpo_symbolic.objectives.space import Answers, Policy, binary
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate, state_kl, text_advantage, text_kl, visited_kl

__all__ = [
    "DIRECT_KL",
    "GRPO_PENALTY",
    "SHIFT_AND_SCALE",
    "SHIFT_ONLY",
    "Advantage",
    "Answers",
    "Divergence",
    "Objective",
    "Policy",
    "Ratio",
    "SequencePolicy",
    "Surrogate",
    "TokenTree",
    "binary",
    "clip",
    "clipped_surrogate",
    "expected_surrogate",
    "group_advantage",
    "group_mean",
    "group_variance",
    "grpo",
    "k1",
    "k2",
    "k3",
    "kl",
    "kl_0",
    "next_token_score",
    "nlhf_payoff",
    "pair_preference",
    "pairwise_sign",
    "reverse_kl",
    "rlhf",
    "state_kl",
    "steps",
    "text_advantage",
    "text_kl",
    "visited_kl",
]
