"""slime's rewards, advantages and policy loss against the setting read from the same arguments.

slime is on no package index: SLIME names a checkout of version 0.3.1, else this file is skipped. Its functions are run
out of their files, without Megatron. It computes divergences, rewards and whitening in float32.
"""

from __future__ import annotations

import os
import types
from pathlib import Path
from typing import Any

import pytest
import torch
from stand_ins import Texts, compare, definitions

from grpo_symbolic.trainers import read, slime

if not os.environ.get("SLIME"):
    pytest.skip("SLIME names no checkout of slime, which no package index has", allow_module_level=True)
SLIME = Path(os.environ["SLIME"]) / "slime"
SINGLE = 2e-6
Options = dict[str, Any]

NO_DEVIATION: Options = {"grpo_std_normalization": False}
KL: Options = NO_DEVIATION | {"use_kl_loss": True, "kl_loss_coef": 0.5}
PLUS: Options = {"advantage_estimator": "reinforce_plus_plus", "normalize_advantages": True}
PLUS_BASELINE: Options = PLUS | {"advantage_estimator": "reinforce_plus_plus_baseline"}
COMBINATIONS: dict[str, Options] = {
    "default": {},
    "clip-higher": {"eps_clip": 0.03, "eps_clip_high": 0.08},
    "a dual clip that has no effect": {"eps_clip_c": 1.01},
    "no deviation": NO_DEVIATION,
    "rewards as they are": {"rewards_normalization": False},
    "whitened": {"normalize_advantages": True},
    "token mean": {"calculate_per_token_loss": True},
    "k1": KL,
    "k2": KL | {"kl_loss_type": "k2"},
    "k3": KL | {"kl_loss_type": "k3"},
    "low_var_kl": KL | {"kl_loss_type": "low_var_kl"},
    "k3, unbiased": KL | {"kl_loss_type": "k3", "use_unbiased_kl": True},
    "k1, unbiased": KL | {"use_unbiased_kl": True},
    "kl_coef that has no effect": {"kl_coef": 0.5},
    "gspo": {"advantage_estimator": "gspo", "eps_clip": 0.02, "eps_clip_high": 0.03},
    "cispo": {"advantage_estimator": "cispo", "eps_clip": 1.0, "eps_clip_high": 0.05},
    "cispo, both bounds": {"advantage_estimator": "cispo", "eps_clip": 0.05},
    "reinforce_plus_plus": PLUS,
    "reinforce_plus_plus, k1": PLUS | {"kl_coef": 0.1},
    "reinforce_plus_plus, k3": PLUS | {"kl_coef": 0.1, "kl_loss_type": "k3"},
    "reinforce_plus_plus_baseline": PLUS_BASELINE,
    "reinforce_plus_plus_baseline, k2": PLUS_BASELINE | {"kl_coef": 0.1, "kl_loss_type": "k2"},
    "of the sampler": {"use_rollout_logprobs": True},
    "tis": {"use_tis": True, "tis_clip": 1.05, "tis_clip_low": 0.95},
    "icepop": {"use_tis": True, "tis_clip": 1.05, "tis_clip_low": 0.95, "custom_tis_function_path": slime._ICEPOP},
}
_NAMES = """
compute_approx_kl compute_gspo_kl compute_policy_loss compute_cispo_loss get_grpo_returns
get_reinforce_plus_plus_returns get_reinforce_plus_plus_baseline_advantages
"""
_ALONE = types.SimpleNamespace(
    get_context_parallel_world_size=lambda: 1,
    is_pipeline_last_stage=lambda: True,
    get_data_parallel_group=lambda: None,
)
_QUIET = types.SimpleNamespace(all_reduce=lambda *a, **k: None, ProcessGroup=object)
_MATHS = definitions(SLIME / "utils/ppo_utils.py", *_NAMES.split(), dist=_QUIET)
_WHITE = definitions(SLIME / "utils/distributed_utils.py", "distributed_masked_whiten", dist=_QUIET)
_SUMS = definitions(SLIME / "backends/megatron_utils/cp_utils.py", "get_sum_of_sample_mean", mpu=_ALONE)
_LOSS = definitions(
    SLIME / "backends/megatron_utils/loss.py",
    "compute_advantages_and_returns",
    "policy_loss_function",
    "vanilla_tis_function",
    "icepop_function",
    mpu=_ALONE,
    all_gather_with_cp=lambda values, *lengths: values,
    get_rollout_top_p_logprob_kwargs=lambda args, batch: {},
    get_log_probs_and_entropy=lambda logits, **k: (None, {"log_probs": logits, "entropy": [0 * x for x in logits]}),
    load_function=lambda path: getattr(_LOSS, path.rpartition(".")[2]),
    **vars(_MATHS),
    **vars(_WHITE),
    **vars(_SUMS),
)
_REWARDS = definitions(SLIME / "ray/rollout.py", "_post_process_rewards")


def _arguments(given: Options) -> types.SimpleNamespace:
    args = {option.name: slime.TRAINER.default(option, (0, 3, 1)) for option in slime.TABLE} | {
        "n_samples_per_prompt": 3
    }
    args |= {"rollout_batch_size": 2, "use_opd": False} | given
    args["eps_clip_high"] = args["eps_clip"] if args["eps_clip_high"] is None else args["eps_clip_high"]
    return types.SimpleNamespace(**args)


def _ragged(values: torch.Tensor, lengths: list[int]) -> list[torch.Tensor]:
    return [row[:length] for row, length in zip(values, lengths, strict=True)]


@pytest.fixture(autouse=True)
def _without_megatron(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("megatron", "megatron.core"):
        monkeypatch.setitem(__import__("sys").modules, name, types.SimpleNamespace(mpu=_ALONE))


def _theirs(given: Options) -> Any:
    args = _arguments(given)

    def run(batch: Texts) -> tuple[torch.Tensor, torch.Tensor]:
        logp = batch.logp.clone().requires_grad_()
        lengths = [int(n) for n in batch.mask.sum(-1)]
        held: Options = {
            "log_probs": _ragged(batch.old, lengths),
            "rollout_log_probs": _ragged(batch.sampler, lengths),
            "ref_log_probs": _ragged(batch.ref, lengths),
            "loss_masks": _ragged(batch.mask, lengths),
            "response_lengths": lengths,
            "total_lengths": [n + 1 for n in lengths],
            "rollout_mask_sums": batch.mask.sum(-1),
            "unconcat_tokens": None,
        }
        samples = [types.SimpleNamespace(get_reward_value=lambda args, r=r: r) for r in batch.rewards.tolist()]
        asked = types.SimpleNamespace(args=args, custom_reward_post_process_func=None)
        _, held["rewards"] = _REWARDS._post_process_rewards(asked, samples)
        _LOSS.compute_advantages_and_returns(args, held)
        sums = _SUMS.get_sum_of_sample_mean(
            held["total_lengths"], lengths, held["loss_masks"], held["rollout_mask_sums"], args.calculate_per_token_loss
        )
        made, _ = _LOSS.policy_loss_function(args, held, _ragged(logp, lengths), sums)
        made = made / (batch.mask.sum() if args.calculate_per_token_loss else len(lengths))
        made.backward()
        assert logp.grad is not None
        return made.detach(), logp.grad

    return run


@pytest.mark.parametrize("name", COMBINATIONS)
def test_the_loss_and_its_gradient(name: str) -> None:
    given = COMBINATIONS[name]
    setting = read("slime==0.3.1", {"n_samples_per_prompt": 3} | given).setting
    compare(setting, _theirs(given), {"empty": False}, SINGLE)


@pytest.mark.parametrize("name", ["default", "k3", "gspo", "cispo", "tis"])
def test_a_text_that_is_masked_out_counts_among_the_texts(name: str) -> None:
    setting = read("slime==0.3.1", {"n_samples_per_prompt": 3} | COMBINATIONS[name]).setting
    compare(setting, _theirs(COMBINATIONS[name]), {"empty": True}, SINGLE)


@pytest.mark.parametrize("name", ["no deviation", "token mean", "k2", "gspo", "cispo", "of the sampler", "tis"])
def test_a_setting_of_other_options_is_noticed(name: str) -> None:
    setting = read("slime", {"n_samples_per_prompt": 3}).setting
    with pytest.raises(AssertionError):
        compare(setting, _theirs(COMBINATIONS[name]), {"empty": False}, SINGLE)
