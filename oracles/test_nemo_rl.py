"""NeMo-RL's estimators of the advantage and ``ClippedPGLossFn`` against the setting read from its options.

NeMo-RL is not on the package index: NEMO_RL names a checkout of version 0.7, else this file is skipped. Its own
deviations: 1e-8 is added to every count that divides, which is felt by at most 1e-8 (the tolerance is 1e-7); the guard
of a whitening is felt in the same way.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest
import torch
from stand_ins import Texts, compare, leave_out, put_aside

from grpo_symbolic.trainers import read

if not os.environ.get("NEMO_RL"):
    pytest.skip("NEMO_RL names no checkout of NeMo-RL, which no package index has", allow_module_level=True)
sys.path.insert(0, os.environ["NEMO_RL"])
_MISSING = """
accelerate colorama decord flash_attn hydra megatron nemo_automodel nvidia_resiliency_ext omegaconf peft ray
requests tensorboard tensordict torchdata transformer_engine vllm wandb zmq
"""
leave_out(*_MISSING.split())
put_aside(
    *(f"nemo_rl.{part}" for part in ("data", "data.chat_templates", "data.multimodal_utils", "distributed", "models")),
    *(f"nemo_rl.distributed.{part}" for part in ("batched_data_dict", "model_utils")),
    *(f"nemo_rl.models.{part}" for part in ("dtensor", "dtensor.parallelize", "policy")),
    *(f"nemo_rl.algorithms.{part}" for part in ("x_token", "x_token.loss_utils", "logits_sampling_utils")),
    "nemo_rl.algorithms.loss.utils",
    "nemo_rl.utils.logger",
    "nemo_rl.algorithms.loss.wrapper",
)
from nemo_rl.algorithms import advantage_estimator as estimators  # noqa: E402
from nemo_rl.algorithms.loss.loss_functions import ClippedPGLossConfig, ClippedPGLossFn  # noqa: E402

GUARDED = 1e-7
Options = dict[str, Any]


def _loss(**options: Any) -> Options:
    return {f"loss_fn.{name}": value for name, value in options.items()}


def _estimator(**options: Any) -> Options:
    return {f"grpo.adv_estimator.{name}": value for name, value in options.items()}


NO_KL = _loss(reference_policy_kl_penalty=0)
CORRECTED = NO_KL | _loss(use_importance_sampling_correction=True)
COMBINATIONS: dict[str, Options] = {
    "default": {},
    "no divergence": NO_KL,
    "group mean": NO_KL | _estimator(use_leave_one_out_baseline=False),
    "rloo": NO_KL | _estimator(normalize_rewards=False),
    "reinforce_plus_plus": NO_KL | _estimator(name="reinforce_plus_plus"),
    "reinforce_plus_plus without baseline": NO_KL | _estimator(name="reinforce_plus_plus", minus_baseline=False),
    "raw_reward": NO_KL | _estimator(name="raw_reward"),
    "k1": _loss(reference_policy_kl_type="k1", reference_policy_kl_penalty=0.5),
    "k2": _loss(reference_policy_kl_type="k2", reference_policy_kl_penalty=0.5),
    "k3": _loss(reference_policy_kl_penalty=0.5),
    "k3, on-policy approximation": _loss(reference_policy_kl_penalty=0.5, use_on_policy_kl_approximation=True),
    "k3, clamped": _loss(reference_policy_kl_penalty=0.5, kl_input_clamp_value=0.1),
    "k3, cut off": _loss(reference_policy_kl_penalty=0.5, kl_output_clamp_value=0.002),
    "k3 in the reward": _loss(use_kl_in_reward=True, reference_policy_kl_penalty=0.5)
    | _estimator(name="reinforce_plus_plus"),
    "sequence loss": _loss(token_level_loss=False),
    "gspo": _loss(token_level_loss=False, sequence_level_importance_ratios=True, ratio_clip_min=0.01),
    "clip-higher": NO_KL | _loss(ratio_clip_min=0.03, ratio_clip_max=0.08),
    "dual clip": NO_KL | _loss(ratio_clip_c=1.05),
    "cispo": NO_KL | _loss(use_cispo=True, ratio_clip_min=0.03, ratio_clip_max=0.08),
    "reinforce": NO_KL | _loss(disable_ppo_ratio=True),
    "forced on policy": NO_KL | _loss(force_on_policy_ratio=True),
    "weights": CORRECTED,
    "tis": CORRECTED | _loss(truncated_importance_sampling_type="tis", truncated_importance_sampling_ratio=1.05),
    "icepop": CORRECTED
    | _loss(truncated_importance_sampling_type="icepop", truncated_importance_sampling_ratio=1.05)
    | _loss(truncated_importance_sampling_ratio_min=0.95),
    "seq-mask-tis": CORRECTED
    | _loss(truncated_importance_sampling_type="seq-mask-tis", truncated_importance_sampling_ratio=1.03)
    | _loss(truncated_importance_sampling_ratio_min=0.97),
    "gspo, weights": CORRECTED | _loss(token_level_loss=False, sequence_level_importance_ratios=True),
}
_NAMES = {
    "grpo": "GRPOAdvantageEstimator",
    "reinforce_plus_plus": "ReinforcePlusPlusAdvantageEstimator",
    "raw_reward": "RawRewardAdvantageEstimator",
}


def _advantages(options: Options, config: ClippedPGLossConfig, batch: Texts) -> torch.Tensor:
    how = {"normalize_rewards": True, "use_leave_one_out_baseline": True, "minus_baseline": True}
    how |= {"normalize_advantages": False, "name": "grpo"}
    how |= {n.removeprefix("grpo.adv_estimator."): v for n, v in options.items() if n.startswith("grpo.")}
    estimator = getattr(estimators, _NAMES[how["name"]])(how, config)
    made = estimator.compute_advantage(
        prompt_ids=batch.group[:, None],
        rewards=batch.rewards,
        mask=batch.mask,
        logprobs_policy=batch.old,
        logprobs_reference=batch.ref,
    )
    found: torch.Tensor = made[0] if isinstance(made, tuple) else made
    return found


def _later(values: torch.Tensor) -> torch.Tensor:
    """NeMo-RL's data begin one token earlier."""
    return torch.cat([torch.zeros_like(values[:, :1]), values], dim=1)


def _theirs(options: Options) -> Any:
    given = {n.removeprefix("loss_fn."): v for n, v in options.items() if n.startswith("loss_fn.")}
    config = ClippedPGLossConfig(**given)
    made = ClippedPGLossFn(config)

    def run(batch: Texts) -> tuple[torch.Tensor, torch.Tensor]:
        logp = batch.logp.clone().requires_grad_()
        data = {
            "token_mask": _later(batch.mask),
            "sample_mask": (batch.mask.sum(-1) > 0).double(),
            "advantages": _later(_advantages(options, config, batch)),
            "prev_logprobs": _later(batch.old),
            "generation_logprobs": _later(batch.sampler),
            "reference_policy_logprobs": _later(batch.ref),
        }
        value, _ = made(logp, data, data["sample_mask"].sum(), batch.mask.sum())
        value.backward()
        assert logp.grad is not None
        return value.detach(), logp.grad

    return run


@pytest.mark.parametrize("empty", [False, True], ids=["ragged", "with a text that is masked out"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_the_loss_and_its_gradient(name: str, empty: bool) -> None:
    options = COMBINATIONS[name]
    setting = read("nemo-rl==0.7.0", {"grpo.num_generations_per_prompt": 3} | options).setting
    compare(setting, _theirs(options), {"empty": empty}, GUARDED)


@pytest.mark.parametrize("name", ["group mean", "k2", "sequence loss", "cispo", "icepop"])
def test_a_setting_of_other_options_is_noticed(name: str) -> None:
    setting = read("nemo-rl", {"grpo.num_generations_per_prompt": 3} | NO_KL).setting
    with pytest.raises(AssertionError):
        compare(setting, _theirs(COMBINATIONS[name]), {"empty": False}, GUARDED)


def test_defaults_are_those_of_the_configuration() -> None:
    from grpo_symbolic.trainers.nemo_rl import TRAINER

    config = ClippedPGLossConfig()
    for option in TRAINER.table:
        if option.name.startswith("loss_fn."):
            default = TRAINER.default(option, TRAINER.releases.newest)
            assert getattr(config, option.name.removeprefix("loss_fn.")) == default, option.name
