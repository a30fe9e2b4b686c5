"""TRL's advantage lines, vLLM weights and ``GRPOTrainer._compute_loss`` against the setting read from its options."""

from __future__ import annotations

import dataclasses
import inspect
import math
import textwrap
import types
from collections import defaultdict
from typing import Any

import pytest
import torch
from stand_ins import Texts, compare, leave_out, texts

from grpo_symbolic.errors import BadInput
from grpo_symbolic.trainers import read, trl

leave_out("requests", "urllib3")
real = pytest.importorskip("trl")
from trl import GRPOConfig, GRPOTrainer  # noqa: E402
from trl.trainer.utils import nanstd  # noqa: E402

VERSION = tuple(int(part) for part in real.__version__.split("."))
RELEASE = trl.TRAINER.releases.nearest(VERSION)
_SOURCE = inspect.getsource(GRPOTrainer._generate_and_score_completions)

Options = dict[str, Any]
COMBINATIONS: dict[str, Options] = {
    "default": {},
    "grpo": {"loss_type": "grpo"},
    "grpo, beta": {"loss_type": "grpo", "beta": 0.04},
    "grpo, beta, no ratio on k3": {"loss_type": "grpo", "beta": 0.3, "use_bias_correction_kl": False},
    "grpo, beta, ratio on k3": {"loss_type": "grpo", "beta": 0.3, "use_bias_correction_kl": True},
    "bnpo": {"loss_type": "bnpo", "beta": 0.1},
    "dr_grpo": {"loss_type": "dr_grpo", "scale_rewards": "none", "max_completion_length": 5},
    "dr_grpo, beta": {"loss_type": "dr_grpo", "scale_rewards": False, "beta": 0.2},
    "dapo, clip-higher": {"loss_type": "dapo", "epsilon": 0.05, "epsilon_high": 0.1},
    "dapo, batch deviation": {"loss_type": "dapo", "scale_rewards": "batch"},
    "delta": {"loss_type": "grpo", "epsilon": 0.05, "delta": 1.1},
    "delta below the clip": {"loss_type": "grpo", "epsilon": 0.1, "delta": 1.02},
    "gspo": {"loss_type": "grpo", "importance_sampling_level": "sequence", "epsilon": 3e-4, "epsilon_high": 4e-4},
    "gspo, beta": {"loss_type": "grpo", "importance_sampling_level": "sequence", "beta": 0.2, "epsilon": 0.05},
    "sequence ratio, dapo": {"importance_sampling_level": "sequence", "epsilon": 0.05},
    "cispo": {"loss_type": "cispo", "epsilon_high": 1.05},
    "cispo, default cap": {"loss_type": "cispo"},
    "cispo, sequence ratio": {"loss_type": "cispo", "epsilon_high": 1.05, "importance_sampling_level": "sequence"},
    "sapo": {"loss_type": "sapo", "sapo_temperature_pos": 2.0, "sapo_temperature_neg": 3.0},
    "luspo": {"loss_type": "luspo", "importance_sampling_level": "sequence"},
    "gdpo": {"multi_objective_aggregation": "normalize_then_sum", "reward_weights": [1.0, 0.5]},
    "two rewards": {"reward_weights": [1.0, -2.0], "loss_type": "grpo"},
    "vllm, default": {"use_vllm": True},
    "vllm, token truncate": {"use_vllm": True, "vllm_importance_sampling_mode": "token_truncate", "beta": 0.1}
    | {"vllm_importance_sampling_clip_max": 1.1, "vllm_importance_sampling_clip_min": 0.9},
    "vllm, token mask": {"use_vllm": True, "vllm_importance_sampling_mode": "token_mask"}
    | {"vllm_importance_sampling_clip_max": 1.1},
    "vllm, sequence truncate": {"use_vllm": True, "vllm_importance_sampling_mode": "sequence_truncate"}
    | {"vllm_importance_sampling_clip_max": 1.1},
    "vllm, sequence mask": {"use_vllm": True, "vllm_importance_sampling_clip_max": 1.1}
    | {"vllm_importance_sampling_clip_min": 0.9},
    "vllm, gspo": {"use_vllm": True, "importance_sampling_level": "sequence", "loss_type": "grpo"},
}
if VERSION >= (1, 10):
    COMBINATIONS |= {
        "luspo, token ratio": {"loss_type": "luspo"},
        "luspo, beta": {"loss_type": "luspo", "importance_sampling_level": "sequence", "beta": 0.1},
    }


def _lines(after: str, before: str) -> str:
    """The lines of TRL's method from one that holds ``after`` to before one that holds ``before``."""
    lines = _SOURCE.splitlines()
    first = next(n for n, line in enumerate(lines) if after in line)
    last = next(n for n, line in enumerate(lines) if before in line and n > first)
    return textwrap.dedent("\n".join(lines[first:last]))


_ADVANTAGES = _lines("unscorable_mask = ", "process_slice = ")
_WEIGHTS = _lines("per_token_logps_diff = ", "# Compute the per-token log probabilities for the ref")


def _defaults() -> Options:
    return {f.name: f.default if f.default is not dataclasses.MISSING else None for f in dataclasses.fields(GRPOConfig)}


def _config(given: Options) -> Options:
    config = _defaults() | given
    config["scale_rewards"] = {True: "group", False: "none"}.get(config["scale_rewards"], config["scale_rewards"])
    return config | {"steps_per_generation": 1, "gradient_accumulation_steps": 1}


def _trainer(config: Options, rewards: torch.Tensor) -> Any:
    kinds = rewards.shape[1] if rewards.ndim == 2 else 1
    high = config["epsilon_high"]
    accelerator = types.SimpleNamespace(
        num_processes=1, process_index=0, sync_gradients=False, gather=lambda x: x, reduce=lambda x, reduction: x
    )
    of_own = {
        "args": types.SimpleNamespace(**config),
        "epsilon_low": config["epsilon"],
        "epsilon_high": config["epsilon"] if high is None else high,
        "reward_weights": torch.tensor(config["reward_weights"] or [1.0] * kinds),
        "reward_funcs": [None] * kinds,
        "model": types.SimpleNamespace(training=True),
        "current_gradient_accumulation_steps": 1,
        "aux_loss_enabled": False,
        "_entropy_bonus_enabled": False,
        "accelerator": accelerator,
        "_metrics": {"train": defaultdict(list)},
    }
    return types.SimpleNamespace(**(config | of_own))


def _advantages(trainer: Any, batch: Texts) -> torch.Tensor:
    """TRL's lines, run as they stand."""
    names: Options = {
        "self": trainer,
        "torch": torch,
        "nanstd": nanstd,
        "device": batch.logp.device,
        "num_generations": int((batch.group == batch.group[0]).sum()),
        "rewards_per_func": batch.rewards if batch.rewards.ndim == 2 else batch.rewards[:, None],
    }
    exec(_ADVANTAGES, names)
    made: torch.Tensor = names["advantages"]
    return made


def _weights(trainer: Any, batch: Texts) -> torch.Tensor:
    names: Options = {"self": trainer, "torch": torch, "math": math, "mask": batch.mask}
    names |= {"old_per_token_logps": batch.old, "sampling_per_token_logps": batch.sampler}
    exec(_WEIGHTS, names)
    made: torch.Tensor = names["vllm_importance_sampling_ratio"]
    return made


def precomputed(given: Options, batch: Texts) -> Any:
    """A run of the loss on one batch, for timing."""
    run = real_loss(given)
    return lambda: run(batch)


def real_loss(given: Options) -> Any:
    def run(batch: Texts) -> tuple[torch.Tensor, torch.Tensor]:
        trainer = _trainer(_config(given), batch.rewards)
        logp = batch.logp.clone().requires_grad_()
        zeros = torch.zeros_like(batch.mask)
        trainer._get_per_token_logps_and_entropies = lambda *a, **k: (logp, zeros, None)
        inputs = {
            "prompt_ids": zeros[:, :1],
            "prompt_mask": zeros[:, :1],
            "completion_ids": zeros,
            "completion_mask": batch.mask,
            "advantages": _advantages(trainer, batch),
            "old_per_token_logps": batch.old,
            "ref_per_token_logps": batch.ref,
            "num_items_in_batch": batch.mask.sum(),
        }
        if trainer.use_vllm:
            inputs["importance_sampling_ratio"] = _weights(trainer, batch)
        made = GRPOTrainer._compute_loss(trainer, None, inputs)
        made.backward()
        assert logp.grad is not None
        return made.detach(), logp.grad

    return run


@pytest.mark.parametrize("empty", [False, True], ids=["ragged", "with a text that is masked out"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_the_loss_and_its_gradient(name: str, empty: bool) -> None:
    given = dict(COMBINATIONS[name])
    setting = read(f"trl=={real.__version__}", given | {"num_generations": 3}).setting
    several = given.get("reward_weights") is not None
    compare(setting, real_loss(given), {"empty": empty, "several": several}, tolerance=1e-12)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({}, {"loss_type": "grpo"}),
        ({"beta": 0.3, "use_bias_correction_kl": True}, {"beta": 0.3, "use_bias_correction_kl": False}),
        ({"epsilon": 0.05}, {"epsilon": 0.06}),
        ({"scale_rewards": "group"}, {"scale_rewards": "batch"}),
        ({"loss_type": "sapo"}, {"loss_type": "sapo", "sapo_temperature_pos": 1.01}),
        ({"use_vllm": True}, {}),
    ],
    ids=str,
)
def test_a_setting_of_other_options_is_noticed(theirs: Options, ours: Options) -> None:
    setting = read(f"trl=={real.__version__}", ours | {"num_generations": 3}).setting
    with pytest.raises(AssertionError):
        compare(setting, real_loss(theirs), {"empty": False}, tolerance=1e-12)


def test_the_defaults_are_those_of_the_config() -> None:
    defaults = _defaults()
    there = [option for option in trl.TABLE if trl.TRAINER.releases.has(option.name, RELEASE)]
    assert {o.name: defaults[o.name] for o in there} == {o.name: trl.TRAINER.default(o, VERSION) for o in there}


def test_the_options_of_the_config_are_those_of_its_release() -> None:
    """The table has the options of TRL's scripts too; those that set the loss are all of the config."""
    there = {name for name in trl.TRAINER.releases.names if trl.TRAINER.releases.has(name, RELEASE)}
    assert set(_defaults()) <= there
    assert {option.name for option in trl.TABLE} & there <= set(_defaults())


@pytest.mark.parametrize("loss_type", ["grpo", "dapo", "bnpo", "dr_grpo", "cispo", "sapo"])
def test_without_an_old_policy_the_ratio_is_one(loss_type: str) -> None:
    """At one inner step TRL puts the current policy, held, in the place of the old one; so does this package."""
    given: Options = {"loss_type": loss_type, "beta": 0.1}
    setting = read(f"trl=={real.__version__}", given | {"num_generations": 3}).setting
    batch = next(iter(texts()))
    value, slope = batch.ours(setting, on_policy=True)
    other, other_slope = real_loss(given)(dataclasses.replace(batch, old=batch.logp))
    assert abs(float(value - other)) <= 1e-12
    assert float((slope - other_slope).abs().max()) <= 1e-12


def test_vespo_is_refused() -> None:
    with pytest.raises(BadInput, match="vespo is not modelled"):
        read("trl", {"loss_type": "vespo"})
