"""ms-swift's advantages and its ``_compute_loss_and_metrics`` against the setting read from the same options.

Of the installed ms-swift nothing but these functions is run, out of its files: rewards and log-probabilities are handed
in. One process, one micro-batch a step.
"""

from __future__ import annotations

import types
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import torch
from stand_ins import Texts, compare, definitions

from grpo_symbolic.errors import BadInput
from grpo_symbolic.trainers import ms_swift, read

try:
    VERSION = version("ms-swift")
except PackageNotFoundError:
    pytest.skip("ms-swift is not installed", allow_module_level=True)
_FOUND = find_spec("swift")
SWIFT = Path(next(iter(_FOUND.submodule_search_locations or ()))) if _FOUND is not None else Path()
EXACT = 1e-12
Options = dict[str, Any]

CORRECTED: Options = {"use_vllm": True, "beta": 0, "rollout_importance_sampling_threshold": 1.05}
COMBINATIONS: dict[str, Options] = {
    "default": {},
    "no divergence": {"beta": 0},
    "k3 in the loss, twice": {"beta": 0.5, "epsilon": 0.05},
    "clip-higher": {"epsilon": 0.03, "epsilon_high": 0.08},
    "delta": {"delta": 1.02, "epsilon": 0.05},
    "bnpo": {"loss_type": "bnpo"},
    "dapo": {"loss_type": "dapo"},
    "dr_grpo": {"loss_type": "dr_grpo", "scale_rewards": "none", "max_completion_length": 7},
    "cispo": {"loss_type": "cispo", "epsilon_high": 1.05},
    "sapo": {"loss_type": "sapo", "tau_neg": 1.3},
    "gspo": {"importance_sampling_level": "sequence", "epsilon": 0.02},
    "gspo, token": {"importance_sampling_level": "sequence_token", "epsilon": 0.02},
    "cispo of texts": {"loss_type": "cispo", "epsilon_high": 1.02, "importance_sampling_level": "sequence_token"},
    "batch": {"scale_rewards": "batch"},
    "gdpo": {"scale_rewards": "gdpo", "reward_weights": [1.0, 0.5]},
    "weights": {"reward_weights": [1.0, 0.5]},
    "rloo": {"advantage_estimator": "rloo"},
    "rloo, k3 in the loss": {"advantage_estimator": "rloo", "kl_in_reward": False},
    "rloo, batch": {"advantage_estimator": "rloo", "scale_rewards": "batch", "beta": 0.2},
    "reinforce_plus_plus": {"advantage_estimator": "reinforce_plus_plus", "beta": 0.2},
    "reinforce_plus_plus, group": {"advantage_estimator": "reinforce_plus_plus", "scale_rewards": "group"},
    "k1 in the reward": {"kl_in_reward": True, "beta": 0.2},
    "token_truncate": CORRECTED | {"rollout_importance_sampling_mode": "token_truncate"},
    "token_mask": CORRECTED | {"rollout_importance_sampling_mode": "token_mask"},
    "sequence_mask": CORRECTED | {"rollout_importance_sampling_mode": "sequence_mask"},
    "token_mask, k1 in the reward": CORRECTED
    | {"rollout_importance_sampling_mode": "token_mask", "beta": 0.2, "kl_in_reward": True},
}


def _resolved(given: Options) -> Options:
    """What ``_init_grpo`` makes of options that are left out."""
    args = {o.name: ms_swift.TRAINER.default(o, ms_swift.TRAINER.releases.newest) for o in ms_swift.TABLE} | given
    estimator = args["advantage_estimator"]
    args["beta"] = 0.04 if args["beta"] is None else args["beta"]
    args["loss_type"] = args["loss_type"] or "grpo"
    args["scale_rewards"] = args["scale_rewards"] or ms_swift._SCALES[estimator]
    if args["kl_in_reward"] is None:
        args["kl_in_reward"] = estimator != "grpo"
    if args["scale_rewards"] == "gdpo":
        args["kl_in_reward"] = False
    return args


_NANSTD = definitions(SWIFT / "utils/torch_utils.py", "nanstd", Optional=Any, Union=Any).nanstd
_LOSS = definitions(
    SWIFT / "rlhf_trainers/grpo_trainer.py",
    "WINDOW_NORMALIZED_LOSS_TYPES",
    "_compute_loss_and_metrics",
    "_undo_gradient_accumulation_scaling",
    "_compute_sequence_level_ratios",
    "_apply_rollout_importance_sampling",
    "_get_rollout_is_correction",
    gather=lambda x: x,
    gather_object=lambda x: x,
    nanmax=torch.max,
    nanmin=torch.min,
)


def _advantages(args: Options, batch: Texts) -> torch.Tensor:
    kinds = batch.rewards if batch.rewards.ndim == 2 else batch.rewards[:, None]
    made, _ = definitions(SWIFT / "rl_core/advantage.py", "compute_advantages", nanstd=_NANSTD).compute_advantages(
        rewards_per_func=kinds,
        reward_weights=torch.tensor(args["reward_weights"] or [1.0] * kinds.shape[1]),
        num_generations=3,
        advantage_estimator=args["advantage_estimator"],
        scale_rewards=args["scale_rewards"],
        kl_in_reward=args["kl_in_reward"],
        beta=args["beta"],
        kl_values=((batch.old - batch.ref) * batch.mask).sum(-1),
    )
    found: torch.Tensor = made
    return found


def _trainer(args: Options, logp: torch.Tensor) -> Any:
    class Trainer:
        """What the loss asks of the trainer."""

        def __getattr__(self, name: str) -> Any:
            return args.get(name)

    made: Any = Trainer()
    for name, function in vars(_LOSS).items():
        if callable(function):
            setattr(made, name, types.MethodType(function, made))
    made.args = types.SimpleNamespace(**args, log_entropy=False)
    made.model = types.SimpleNamespace(training=True)
    made.accelerator = types.SimpleNamespace(num_processes=1, gather_for_metrics=lambda x: x)
    made.epsilon_low, made.epsilon_high = args["epsilon"], args["epsilon_high"] or args["epsilon"]
    made.sdar_loss_coef, made._metrics = 0, {"train": defaultdict(list)}
    made._get_per_token_logps_and_entropies = lambda *a, **k: (logp, None)
    made._compute_rollout_offpolicy_metrics = made._compute_is_correction_metrics = lambda *a, **k: {
        "log_ppl_diff_max": torch.zeros(()),
        "log_ppl_diff_min": torch.zeros(()),
    }
    made.model_accepts_loss_kwargs, made.current_gradient_accumulation_steps = False, 1
    return made


def _theirs(given: Options) -> Any:
    args = _resolved(given)

    def run(batch: Texts) -> tuple[torch.Tensor, torch.Tensor]:
        logp = batch.logp.clone().requires_grad_()
        mask = batch.mask > 0
        held = types.SimpleNamespace(
            completion_mask=mask,
            truncated_mask=torch.zeros(len(mask), dtype=torch.bool),
            ref_per_token_logps=batch.ref,
            old_per_token_logps=batch.old,
            rollout_per_token_logps=batch.sampler,
            advantages=_advantages(args, batch)[:, None].expand_as(batch.mask),
            num_items_in_batch=mask.sum(),
            teacher_per_token_logps=None,
            seq_lengths=mask.sum(-1),
        )
        made, _ = _trainer(args, logp)._compute_loss_and_metrics(None, {}, held)
        made.backward()
        assert logp.grad is not None
        return made.detach(), logp.grad

    return run


@pytest.mark.parametrize("empty", [False, True], ids=["ragged", "with a text that is masked out"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_the_loss_and_its_gradient(name: str, empty: bool) -> None:
    given = COMBINATIONS[name]
    setting = read(f"ms-swift=={VERSION}", given | {"num_generations": 3}).setting
    several = given.get("reward_weights") is not None
    compare(setting, _theirs(given), {"empty": empty, "several": several}, EXACT)


@pytest.mark.parametrize("name", ["no divergence", "gspo", "rloo", "batch", "k1 in the reward", "token_mask"])
def test_a_setting_of_other_options_is_noticed(name: str) -> None:
    setting = read("ms-swift", {"num_generations": 3, "epsilon": 0.05}).setting
    with pytest.raises(AssertionError):
        compare(setting, _theirs(COMBINATIONS[name]), {"empty": False}, EXACT)


def test_weights_of_the_sampler_reach_the_divergence_too_and_are_refused() -> None:
    with pytest.raises(BadInput, match="weighs the divergence in the loss too"):
        read("ms-swift", {"use_vllm": True, "rollout_importance_sampling_mode": "token_mask"})
