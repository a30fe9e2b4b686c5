"""WHAT is optimised: advantages, divergences and the objectives made of them, as SymPy expressions.

Arguments mean the same everywhere; whatever is a number may be an expression. Over whole answers:

- ``policy``, ``old``, ``reference``, ``sampler``, ``target``, ``opponent``, ``law``, ``model``: a probability for every
  answer, positive and summing to 1, as a sequence or a family; ``pi`` and ``ref`` are those of one answer;
- ``answers``: an :class:`Answers`, how many there are; ``index`` and ``other``, ``indices``: symbols that number them
  in sums; ``answer``: the number of one;
- ``rewards``, ``values``: a number for every answer, or for every member of a group; ``preference``: of an answer (over
  another one), a number for each;
- ``group_size``: G ≥ 2, or ``oo``; ``beta``: β > 0; ``epsilon``, ``upper``: clip ranges ≥ 0; ``advantage``: the number
  of one output, or an :class:`Advantage`; ``divergence``: a :class:`Divergence`.

Over texts, token by token: ``policy``, ``sampler``, ``reference``, ``first``, ``second`` are of the class
:class:`SequencePolicy`; ``text``, ``texts``, ``state`` tuples of tokens; ``token`` the number of one; ``advantages``
one number for each text. Of single outcomes: ``probabilities`` in (0, 1], ``logits`` any numbers; ``reward``,
``rival``, ``chosen``, ``rejected`` rewards or log-ratios of one text each, ``margin`` their difference; ``preferred``:
1, 0 or a share; ``probability`` and ``ratio`` of one text.
"""

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
from grpo_symbolic.objectives.clip import clip, clipped_surrogate, dual_clipped_surrogate
from grpo_symbolic.objectives.decoding import best_of, softmax, tempered
from grpo_symbolic.objectives.divergence import (
    GRPO_PENALTY,
    REVERSE_KL,
    Divergence,
    Penalised,
    forward_kl,
    k1,
    k2,
    k3,
    kl,
    kl_0,
)
from grpo_symbolic.objectives.dpo import (
    dpo_loss,
    implicit_reward,
    partition,
    regularised_optimum,
    text_log_ratio,
)
from grpo_symbolic.objectives.feedback import (
    choice_probability,
    nlhf_payoff,
    preference_loss,
    reward_loss,
    rlhf,
    sigmoid,
)
from grpo_symbolic.objectives.grape import Rubric, clipped_loss, grape_advantages, mean_confidence
from grpo_symbolic.objectives.grpo import Objective, grpo, pair_preference
from grpo_symbolic.objectives.importance import (
    expected_estimate,
    importance_estimate,
    importance_variance,
    importance_weighted,
)
from grpo_symbolic.objectives.likelihood import (
    binary_cross_entropy,
    cross_entropy,
    entropy,
    expected,
    likelihood,
    nll,
    sft_loss,
    text_nll,
)
from grpo_symbolic.objectives.own import as_advantage, as_penalty
from grpo_symbolic.objectives.sequence import SequencePolicy, TokenTree, next_token_score, steps
from grpo_symbolic.objectives.space import Answers, Policy, binary
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate, state_kl, text_advantage, text_kl, visited_kl
from grpo_symbolic.objectives.text_divergence import TextDivergence, Weighed

__all__ = [
    "GRPO_PENALTY",
    "REVERSE_KL",
    "SHIFT_AND_SCALE",
    "SHIFT_ONLY",
    "Advantage",
    "Answers",
    "Divergence",
    "Objective",
    "Penalised",
    "Policy",
    "Ratio",
    "Rubric",
    "SequencePolicy",
    "Surrogate",
    "TextDivergence",
    "TokenTree",
    "Weighed",
    "as_advantage",
    "as_penalty",
    "best_of",
    "binary",
    "binary_cross_entropy",
    "choice_probability",
    "clip",
    "clipped_loss",
    "clipped_surrogate",
    "cross_entropy",
    "dpo_loss",
    "dual_clipped_surrogate",
    "entropy",
    "expected",
    "expected_estimate",
    "expected_surrogate",
    "forward_kl",
    "grape_advantages",
    "group_advantage",
    "group_mean",
    "group_variance",
    "grpo",
    "implicit_reward",
    "importance_estimate",
    "importance_variance",
    "importance_weighted",
    "k1",
    "k2",
    "k3",
    "kl",
    "kl_0",
    "likelihood",
    "mean_confidence",
    "next_token_score",
    "nlhf_payoff",
    "nll",
    "pair_preference",
    "pairwise_sign",
    "partition",
    "preference_loss",
    "regularised_optimum",
    "reward_loss",
    "rlhf",
    "sft_loss",
    "sigmoid",
    "softmax",
    "state_kl",
    "steps",
    "tempered",
    "text_advantage",
    "text_kl",
    "text_log_ratio",
    "text_nll",
    "visited_kl",
]


def __dir__() -> list[str]:
    return list(__all__)
