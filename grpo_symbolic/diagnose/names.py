"""What trainers call what they log: one table a trainer, from columns to quantities.

Read off TRL 1.16's ``grpo_trainer.py``, verl 0.9's ``metric_utils.py``, ``losses.py`` and ``engine_workers.py``,
OpenRLHF 0.11's ``ppo_actor.py`` and ``ppo_trainer.py``, NeMo-RL's ``loss_functions.py`` and ``grpo.py``, and slime
0.3.1's ``loss.py``, ``model.py``, ``data.py`` and ``rollout.py``.

>>> column_of("train/frac_reward_zero_std", "trl").quantity
<Quantity.DEAD: 'share of groups without signal'>
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from grpo_symbolic.errors import BadInput
from grpo_symbolic.logs import bare

__all__ = [
    "BESIDE",
    "COLUMNS",
    "LIKE_TRL",
    "PARTS",
    "UNREAD",
    "Column",
    "Quantity",
    "column_of",
    "is_beside",
    "refuse_unread",
    "trainer_of",
]


class Quantity(StrEnum):
    """What a logged series measures. Means are over the tokens or texts of a step; logarithms are natural."""

    LOSS = "loss"
    """All that is minimised, the divergence in the loss included."""
    POLICY_LOSS = "policy loss"
    """The policy's part of the loss alone."""
    REWARD = "reward"
    REWARD_LOW = "least reward"
    REWARD_HIGH = "largest reward"
    REWARD_STD = "standard deviation of all rewards"
    """Over all texts of the step, divided by one less than their number."""
    DEAD = "share of groups without signal"
    KL = "KL to the reference"
    KL_COEF = "weight of the KL"
    ENTROPY = "entropy"
    CLIP = "clip share"
    OLD_KL = "KL to the policy before the step"
    RATIO_LOW = "least ratio"
    RATIO_HIGH = "largest ratio"
    GRAD_NORM = "norm of the gradient"
    LEARNING_RATE = "learning rate"
    LENGTH = "length"
    LENGTH_LOW = "least length"
    LENGTH_HIGH = "largest length"
    TRUNCATED = "share of truncated texts"
    GAP = "difference of sampler and trainer"
    """The mean over tokens of \\|log π − log π_sampler\\|, or of the difference of their probabilities (verl)."""
    GAP_STD = "standard deviation of that difference"
    GAP_HIGH = "largest difference of sampler and trainer"
    WEIGHT = "importance weight"
    """The mean of π/π_sampler, as the trainer bounds it."""
    WEIGHT_LOW = "least importance weight"
    WEIGHT_HIGH = "largest importance weight"
    ADVANTAGE = "advantage"
    """The mean over tokens."""
    ADVANTAGE_LOW = "least advantage"
    ADVANTAGE_HIGH = "largest advantage"
    TEXTS = "texts of a step"
    VALID = "texts that count in the loss"


@dataclass(frozen=True)
class Column:
    """A column ``name`` that holds a ``quantity``, as ``offset + factor × value``."""

    name: str
    quantity: Quantity
    factor: float = 1.0
    offset: float = 0.0


_Q, _C = Quantity, Column
COLUMNS: dict[str, tuple[Column, ...]] = {
    "trl": (
        _C("loss", _Q.LOSS),
        _C("reward", _Q.REWARD),
        _C("reward_std", _Q.REWARD_STD),
        _C("frac_reward_zero_std", _Q.DEAD),
        _C("kl", _Q.KL),
        _C("entropy", _Q.ENTROPY),
        _C("clip_ratio/region_mean", _Q.CLIP),
        _C("clip_ratio", _Q.CLIP),
        _C("grad_norm", _Q.GRAD_NORM),
        _C("learning_rate", _Q.LEARNING_RATE),
        _C("completions/mean_length", _Q.LENGTH),
        _C("completions/min_length", _Q.LENGTH_LOW),
        _C("completions/max_length", _Q.LENGTH_HIGH),
        _C("completions/clipped_ratio", _Q.TRUNCATED),
        _C("sampling/sampling_logp_difference/mean", _Q.GAP),
        _C("sampling/sampling_logp_difference/max", _Q.GAP_HIGH),
        _C("sampling/importance_sampling_ratio/mean", _Q.WEIGHT),
        _C("sampling/importance_sampling_ratio/min", _Q.WEIGHT_LOW),
        _C("sampling/importance_sampling_ratio/max", _Q.WEIGHT_HIGH),
    ),
    "verl": (
        _C("actor/loss", _Q.LOSS),
        _C("actor/pg_loss", _Q.POLICY_LOSS),
        _C("critic/score/mean", _Q.REWARD),
        _C("critic/score/min", _Q.REWARD_LOW),
        _C("critic/score/max", _Q.REWARD_HIGH),
        _C("actor/kl_loss", _Q.KL),
        _C("actor/reward_kl_penalty", _Q.KL),
        _C("actor/kl_coef", _Q.KL_COEF),
        _C("actor/reward_kl_penalty_coeff", _Q.KL_COEF),
        _C("actor/entropy", _Q.ENTROPY),
        _C("actor/entropy_loss", _Q.ENTROPY),
        _C("actor/pg_clipfrac", _Q.CLIP),
        _C("actor/ppo_kl", _Q.OLD_KL),
        _C("actor/grad_norm", _Q.GRAD_NORM),
        _C("actor/lr", _Q.LEARNING_RATE),
        _C("response_length/mean", _Q.LENGTH),
        _C("response_length/min", _Q.LENGTH_LOW),
        _C("response_length/max", _Q.LENGTH_HIGH),
        _C("response_length/clip_ratio", _Q.TRUNCATED),
        _C("training/rollout_probs_diff_mean", _Q.GAP),
        _C("training/rollout_probs_diff_std", _Q.GAP_STD),
        _C("training/rollout_probs_diff_max", _Q.GAP_HIGH),
        _C("rollout_corr/rollout_is_mean", _Q.WEIGHT),
        _C("rollout_corr/rollout_is_min", _Q.WEIGHT_LOW),
        _C("rollout_corr/rollout_is_max", _Q.WEIGHT_HIGH),
        _C("critic/advantages/mean", _Q.ADVANTAGE),
        _C("critic/advantages/min", _Q.ADVANTAGE_LOW),
        _C("critic/advantages/max", _Q.ADVANTAGE_HIGH),
    ),
    "openrlhf": (
        _C("policy_loss", _Q.POLICY_LOSS),
        _C("rollout/reward_mean", _Q.REWARD),
        _C("reward", _Q.REWARD),
        _C("rollout/reward_std", _Q.REWARD_STD),
        _C("kl", _Q.KL),
        _C("entropy_loss", _Q.ENTROPY),
        _C("ppo_clip_ratio", _Q.CLIP),
        _C("ppo_kl", _Q.OLD_KL),
        _C("actor_grad_norm", _Q.GRAD_NORM),
        _C("actor_lr", _Q.LEARNING_RATE),
        _C("rollout/response_length_mean", _Q.LENGTH),
        _C("response_length", _Q.LENGTH),
        _C("rollout/truncated_rate", _Q.TRUNCATED),
        _C("rollout/num_samples", _Q.TEXTS),
    ),
    "nemo-rl": (
        _C("loss", _Q.LOSS),
        _C("reward", _Q.REWARD),
        _C("baseline_reward/pct_mixed", _Q.DEAD, -0.01, 1.0),
        _C("kl_penalty", _Q.KL),
        _C("approx_entropy", _Q.ENTROPY),
        _C("probs_ratio_min", _Q.RATIO_LOW),
        _C("probs_ratio_max", _Q.RATIO_HIGH),
        _C("grad_norm", _Q.GRAD_NORM),
        _C("lr", _Q.LEARNING_RATE),
        _C("mean_gen_tokens_per_sample", _Q.LENGTH),
        _C("token_mult_prob_error", _Q.GAP, 1.0, -1.0),
        _C("sampling_importance_ratio", _Q.WEIGHT),
        _C("advantages/mean", _Q.ADVANTAGE),
        _C("advantages/min", _Q.ADVANTAGE_LOW),
        _C("advantages/max", _Q.ADVANTAGE_HIGH),
        _C("num_valid_samples", _Q.VALID),
    ),
    "slime": (
        _C("loss", _Q.LOSS),
        _C("pg_loss", _Q.POLICY_LOSS),
        _C("rollout/raw_reward", _Q.REWARD),
        _C("kl_loss", _Q.KL),
        _C("entropy_loss", _Q.ENTROPY),
        _C("pg_clipfrac", _Q.CLIP),
        _C("ppo_kl", _Q.OLD_KL),
        _C("grad_norm", _Q.GRAD_NORM),
        _C("lr-pg_0", _Q.LEARNING_RATE),
        _C("rollout/response_len/mean", _Q.LENGTH),
        _C("rollout/response_len/min", _Q.LENGTH_LOW),
        _C("rollout/response_len/max", _Q.LENGTH_HIGH),
        _C("rollout/truncated_ratio", _Q.TRUNCATED),
        _C("train_rollout_logprob_abs_diff", _Q.GAP),
        _C("tis", _Q.WEIGHT),
        _C("global_batch_size", _Q.TEXTS),
    ),
}
LIKE_TRL = ("trl", "unsloth", "ms-swift")
"""Trainers that log by TRL's names: unsloth runs TRL's trainer, and ms-swift's is derived from it."""
COLUMNS["unsloth"] = COLUMNS["trl"]
# ms-swift 4.6's reward_std is the mean over groups, or the batch's, as its options say: another quantity.
COLUMNS["ms-swift"] = tuple(column for column in COLUMNS["trl"] if column.quantity is not _Q.REWARD_STD)
"""The columns of each trainer that are held against theory; of two for one quantity the first that is there."""

UNREAD = {
    "prime-rl": "it divides the loss by a number of micro-batches that it does not log, and its ratios are to the "
    "sampler, so that no identity holds of what it logs",
}
"""Trainers whose logs are not read, and why."""

PARTS = dict.fromkeys(LIKE_TRL, re.compile(r"rewards/(.+)/mean"))
"""The columns with the mean of each reward function, by trainer."""

BESIDE = (
    "theory/* epoch training/epoch num_tokens total_flos *runtime *timestamp wall_time *per_second *time/*",
    "timing* perf/* timing_s/* timing_per_token_ms/* performance/* *_per_sec* mfu */mfu system/* train_loss eval*",
    "val* test* validation/* prompt_length/* completions/*terminated_length rewards/*/std clip_ratio/low_*",
    "clip_ratio/high_* reward_std cispo_clip_ratio policy_loss tools/* vespo/* profiling/* entropy_coef aux_loss",
    "critic/rewards/* critic/returns/* critic/vf_* critic/values/* critic/lr critic/grad_norm critic/kl*",
    "actor/pg_clipfrac_lower actor/perf* actor/mfu training/rollout_probs_diff_valid",
    "training/rollout_actor_probs_pearson_corr training/off_policy/* training/num_turns/*",
    "training/filter_groups/* training/rollout_failure/* rollout_corr/* response/aborted_ratio num_turns/*",
    "global_seqlen/* rollout/moe/* response_length_non_aborted/* return total_length logprobs_diff vllm_kl",
    "is_filter_ratio dynamic_filtering_pass_rate wd probs_ratio probs_ratio_clamped* gen_kl_error policy_kl_error",
    "js_divergence_error positive_nll_loss is_oob_ratio baseline_reward/* advantages/*",
    "mean_prompt_length total_num_tokens global_valid_* moe/* mean_total_tokens_per_sample _runtime _timestamp",
    "*__min *__max *_time rollout/* multi_turn/* passrate/* ois tis_* opsm_* lr-pg_* mtp_*",
)
"""Columns that are known and that are held against nothing: patterns with blanks between."""


def refuse_unread(trainer: str | None) -> None:
    """Raise :class:`BadInput` where logs of the ``trainer`` are not read, with the reason."""
    if trainer in UNREAD:
        raise BadInput(f"logs of {trainer} are held against nothing: {UNREAD[trainer]}")


def column_of(name: str, trainer: str) -> Column | None:
    """The entry of the table of a ``trainer`` for the column ``name``, or ``None``."""
    return next((c for c in COLUMNS[trainer] if bare(name) == c.name), None)


def is_beside(name: str) -> bool:
    """Whether the column ``name`` is known, and nothing is held against it."""
    own = bare(name)
    return any(fnmatchcase(own.lower(), pattern) for patterns in BESIDE for pattern in patterns.split())


def trainer_of(columns: Iterable[str]) -> str | None:
    """The trainer whose names the most of the ``columns`` have; ``None`` where none has any."""
    names = {bare(c) for c in columns}  # of trainers with the same names the first, whose names they are
    counts = {trainer: sum(c.name in names for c in table) for trainer, table in COLUMNS.items()}
    best = max(counts, key=lambda trainer: counts[trainer])
    return best if counts[best] else None
