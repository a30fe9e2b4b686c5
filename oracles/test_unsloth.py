"""unsloth_zoo's ``grpo_compute_loss`` against the setting read from the options of unsloth's ``GRPOConfig``.

Of the installed unsloth_zoo nothing but this function is run, out of its file; the advantages are those of TRL's lines.
Masks, and with them the sums of a text, are float32 there.
"""

from __future__ import annotations

import math
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import torch
from stand_ins import Texts, compare, definitions
from test_trl import _advantages, _config, _trainer

from grpo_symbolic.trainers import read

try:
    VERSION = version("unsloth")
except PackageNotFoundError:
    pytest.skip("unsloth is not installed", allow_module_level=True)
_FOUND = find_spec("unsloth_zoo")
ZOO = Path(next(iter(_FOUND.submodule_search_locations or ()))) if _FOUND is not None else Path()
EXACT = 1e-12
Options = dict[str, Any]

VLLM: Options = {"use_vllm": True, "vllm_importance_sampling_correction": True, "loss_type": "grpo"}
COMBINATIONS: dict[str, Options] = {
    "default": {},
    "grpo": {"loss_type": "grpo"},
    "grpo, beta": {"loss_type": "grpo", "beta": 0.3},
    "k3 without the ratio": {"loss_type": "grpo", "beta": 0.3, "use_bias_correction_kl": False},
    "dapo": {"loss_type": "dapo"},
    "bnpo": {"loss_type": "bnpo"},
    "dr_grpo": {"loss_type": "dr_grpo", "max_completion_length": 7},
    "dr_grpo, divided": {"loss_type": "dr_grpo", "max_completion_length": 7, "scale_rewards": None},
    "cispo": {"loss_type": "cispo"},
    "cispo, capped": {"loss_type": "cispo", "epsilon_high": 1.05},
    "sapo": {"loss_type": "sapo"},
    "luspo": {"loss_type": "luspo", "importance_sampling_level": "sequence"},
    "gspo": {"loss_type": "grpo", "importance_sampling_level": "sequence", "epsilon": 0.02, "beta": 0.1},
    "clip-higher": {"loss_type": "grpo", "epsilon": 0.03, "epsilon_high": 0.08},
    "delta": {"loss_type": "grpo", "delta": 1.02, "epsilon": 0.05},
    "token_truncate": VLLM
    | {"vllm_importance_sampling_mode": "token_truncate", "vllm_importance_sampling_clip_max": 1.05},
    "token_mask": VLLM | {"vllm_importance_sampling_mode": "token_mask", "vllm_importance_sampling_clip_max": 1.05},
    "sequence_mask": VLLM | {"vllm_importance_sampling_clip_max": 1.1, "vllm_importance_sampling_clip_min": 0.9},
    "vllm without the correction": {"use_vllm": True, "loss_type": "grpo"},
}
# What the ``__init__`` of its configuration makes of these options.
_RESOLVED: dict[str, Options] = {
    "default": {"loss_type": "dapo", "beta": 0.0},
    "dapo": {"beta": 0.0, "epsilon_high": 0.28},
    "dr_grpo": {"beta": 0.0, "scale_rewards": "none"},
    "dr_grpo, divided": {"beta": 0.0, "scale_rewards": "group"},
    "cispo": {"epsilon_high": 5.0},
}
_LOSS = definitions(ZOO / "rl_replacements.py", "grpo_compute_loss", math=math).grpo_compute_loss


def _theirs(name: str) -> Any:
    config = _config({"beta": 0.001, "vllm_importance_sampling_correction": False} | COMBINATIONS[name])
    config |= _RESOLVED.get(name, {})
    high = config["epsilon_high"]

    def run(batch: Texts) -> tuple[torch.Tensor, torch.Tensor]:
        logp = batch.logp.clone().requires_grad_()
        made, *_ = _LOSS(
            batch.ref,
            logp,
            batch.old,
            batch.sampler if config["vllm_importance_sampling_correction"] else None,
            torch.zeros_like(batch.mask),
            batch.mask,
            config["beta"],
            _advantages(_trainer(config, batch.rewards), batch),
            epsilon_low=config["epsilon"],
            num_items_in_batch=batch.mask.sum(),
            **{n: v for n, v in config.items() if n not in ("beta", "epsilon", "epsilon_high")},
            epsilon_high=config["epsilon"] if high is None else high,
        )
        made.backward()
        assert logp.grad is not None
        return made.detach(), logp.grad

    return run


@pytest.mark.parametrize("empty", [False, True], ids=["ragged", "with a text that is masked out"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_the_loss_and_its_gradient(name: str, empty: bool) -> None:
    setting = read(f"unsloth=={VERSION}", COMBINATIONS[name] | {"num_generations": 3}).setting
    compare(setting, _theirs(name), {"empty": empty}, EXACT)


@pytest.mark.parametrize("name", ["dapo", "dr_grpo", "cispo", "gspo", "grpo, beta", "token_mask"])
def test_a_setting_of_other_options_is_noticed(name: str) -> None:
    setting = read("unsloth", {"num_generations": 3, "loss_type": "grpo", "epsilon": 0.03}).setting
    with pytest.raises(AssertionError):
        compare(setting, _theirs(name), {"empty": False}, EXACT)
