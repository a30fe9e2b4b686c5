"""OpenRLHF's advantages, ``PolicyLoss``, ``compute_approx_kl`` and ``aggregate_loss`` against the setting.

OpenRLHF's own deviations: the estimators of the divergence and the whitening over the batch are computed in float32
(the tolerance there is 2e-6), and 1e-8 is added to the length of a text (1e-7).
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from stand_ins import Texts, compare, leave_out, put_aside

from grpo_symbolic.trainers import read

_MISSING = """
aiohttp cachetools deepspeed fastapi flash_attn latex2sympy2 optree peft pylatexenc ray requests
ring_flash_attn tensorboard torchdata urllib3 uvicorn vllm wandb word2number
"""
leave_out(*_MISSING.split())
pytest.importorskip("openrlhf")
put_aside("openrlhf.trainer.ray", "openrlhf.trainer.ray.launcher")
from openrlhf.models.loss import PolicyLoss, aggregate_loss  # noqa: E402
from openrlhf.models.utils import compute_approx_kl  # noqa: E402
from openrlhf.trainer.ppo_utils.experience_maker import RemoteExperienceMaker  # noqa: E402

EXACT, GUARDED, SINGLE = 1e-12, 1e-7, 2e-6
Options = dict[str, Any]
ADV = "algo.advantage."
NO_KL: Options = {"algo.kl.init_coef": 0.0}
IN_LOSS: Options = {"algo.kl.use_loss": True, "algo.kl.init_coef": 0.3}


def _kl(estimator: str, **more: Any) -> Options:
    return IN_LOSS | {"algo.kl.estimator": estimator} | {f"algo.kl.{name}": value for name, value in more.items()}


COMBINATIONS: dict[str, tuple[Options, float]] = {
    "group_norm": (NO_KL, EXACT),
    "rloo": (NO_KL | {ADV + "estimator": "rloo"}, EXACT),
    "dr_grpo": (NO_KL | {ADV + "estimator": "dr_grpo"}, EXACT),
    "flash_reinforce": (NO_KL | {ADV + "estimator": "flash_reinforce"}, EXACT),
    "reinforce_baseline": (NO_KL | {ADV + "estimator": "reinforce_baseline"}, SINGLE),
    "reinforce": (NO_KL | {ADV + "estimator": "reinforce"}, SINGLE),
    "reinforce, centred only": (NO_KL | {ADV + "estimator": "reinforce", ADV + "no_std_norm": True}, SINGLE),
    "seq-mean-token-mean": (NO_KL | {"actor.loss_agg_mode": "seq-mean-token-mean"}, GUARDED),
    "clip-higher": (NO_KL | {"actor.eps_clip_low_high": [0.03, 0.08]}, EXACT),
    "dual clip": (NO_KL | {"actor.dual_clip": 1.05, "actor.eps_clip": 0.02}, EXACT),
    "gspo": (NO_KL | {"actor.policy_loss_type": "gspo", "actor.eps_clip": 0.01}, GUARDED),
    "gspo, corrected": (NO_KL | {"actor.policy_loss_type": "gspo", ADV + "is_correction_level": "token"}, GUARDED),
    "k1 in the reward (default)": ({}, SINGLE),
    "k2 in the reward": ({"algo.kl.estimator": "k2", "algo.kl.init_coef": 0.3}, SINGLE),
    "k3 in the reward": ({"algo.kl.estimator": "k3", "algo.kl.init_coef": 0.3}, SINGLE),
    "k1 in the reward, rloo": ({ADV + "estimator": "rloo", "algo.kl.init_coef": 0.3}, SINGLE),
    "k1 in the reward, reinforce": ({ADV + "estimator": "reinforce", "algo.kl.init_coef": 0.3}, SINGLE),
    "k1 in the loss": (_kl("k1"), SINGLE),
    "k2 in the loss": (_kl("k2"), SINGLE),
    "k3 in the loss": (_kl("k3"), SINGLE),
    "k1, unbiased": (_kl("k1", unbiased_gradient=True), SINGLE),
    "k3, unbiased": (_kl("k3", unbiased_gradient=True), SINGLE),
    "k3 in the loss, gspo": (_kl("k3") | {"actor.policy_loss_type": "gspo"}, SINGLE),
    "token mask": (
        NO_KL | {ADV + "is_correction_level": "token", ADV + "is_correction_threshold": [0.95, 1.05]},
        EXACT,
    ),
    "token clip": (
        NO_KL
        | {ADV + "is_correction_level": "token", ADV + "is_correction_mode": "clip"}
        | {ADV + "is_correction_threshold": [0.95, 1.05]},
        EXACT,
    ),
    "seq mask": (NO_KL | {ADV + "is_correction_level": "seq", ADV + "is_correction_threshold": [0.95, 1.05]}, EXACT),
    "upper bound only": (
        NO_KL | {ADV + "is_correction_level": "token", ADV + "is_correction_threshold": [1.05]},
        EXACT,
    ),
}
DEFAULTS: Options = {
    ADV + "estimator": "group_norm",
    ADV + "gamma": 1.0,
    ADV + "lambd": 1.0,
    ADV + "no_std_norm": False,
    ADV + "is_correction_level": "off",
    ADV + "is_correction_mode": "mask",
    ADV + "is_correction_gating": "ratio",
    ADV + "is_correction_threshold": [0.5, 5.0],
    "algo.kl.init_coef": 0.01,
    "algo.kl.estimator": "k1",
    "algo.kl.use_loss": False,
    "algo.kl.unbiased_gradient": False,
    "actor.eps_clip": 0.2,
    "actor.eps_clip_low_high": None,
    "actor.dual_clip": None,
    "actor.policy_loss_type": "ppo",
    "actor.loss_agg_mode": "token-mean",
    "rollout.n_samples_per_prompt": 3,
    "reward.clip_range": (-10, 10),
    "reward.overlong_buffer_len": None,
    "reward.stop_properly_penalty_coef": None,
}


def _tree(options: Options) -> SimpleNamespace:
    root = SimpleNamespace()
    for name, value in options.items():
        *path, last = name.split(".")
        node = root
        for part in path:
            if not hasattr(node, part):
                setattr(node, part, SimpleNamespace())
            node = getattr(node, part)
        setattr(node, last, value)
    return root


def _advantages(args: SimpleNamespace, batch: Texts) -> torch.Tensor:
    """OpenRLHF's own method on one experience, whose divergence is computed as ``make_experience`` does."""
    charged = torch.zeros_like(batch.old)
    if args.algo.kl.init_coef > 0 and not args.algo.kl.use_loss:
        charged = compute_approx_kl(batch.old, batch.ref, kl_estimator=args.algo.kl.estimator).double()
    experience = SimpleNamespace(
        rewards=batch.rewards, index=list(range(len(batch.rewards))), kl=charged, action_mask=batch.mask, info={}
    )
    maker = SimpleNamespace(
        strategy=SimpleNamespace(args=args),
        kl_ctl=SimpleNamespace(value=args.algo.kl.init_coef),
        advantage_estimator=args.algo.advantage.estimator,
    )
    maker.get_cumulative_returns = lambda *given: RemoteExperienceMaker.get_cumulative_returns(maker, *given)
    (made,) = RemoteExperienceMaker.compute_advantages_and_returns(maker, [experience])
    found: torch.Tensor = made.advantages
    return found


def _theirs(options: Options) -> Any:
    args = _tree(DEFAULTS | options)
    both = args.actor.eps_clip_low_high or (args.actor.eps_clip, args.actor.eps_clip)
    threshold = list(args.algo.advantage.is_correction_threshold)
    if len(threshold) == 1:
        threshold.insert(0, 0.0)
    policy = PolicyLoss(
        clip_eps_low=both[0],
        clip_eps_high=both[1],
        dual_clip=args.actor.dual_clip,
        token_level_loss=args.actor.loss_agg_mode == "token-mean",
        policy_loss_type=args.actor.policy_loss_type,
        is_correction_level=args.algo.advantage.is_correction_level,
        is_correction_mode=args.algo.advantage.is_correction_mode,
        is_correction_gating=args.algo.advantage.is_correction_gating,
        is_correction_threshold=threshold,
    )

    def run(batch: Texts) -> tuple[torch.Tensor, torch.Tensor]:
        logp = batch.logp.clone().requires_grad_()
        advantages = _advantages(args, batch)
        made = policy(logp, batch.old, advantages, action_mask=batch.mask, rollout_log_probs=batch.sampler)[0]
        if args.algo.kl.use_loss:
            charged = compute_approx_kl(
                logp,
                batch.ref,
                log_probs_old=batch.old,
                kl_estimator=args.algo.kl.estimator,
                unbiased_gradient=args.algo.kl.unbiased_gradient,
            )
            made = made + args.algo.kl.init_coef * aggregate_loss(charged, batch.mask)
        made.backward()
        assert logp.grad is not None
        return made.detach(), logp.grad

    return run


@pytest.mark.parametrize("empty", [False, True], ids=["ragged", "with a text that is masked out"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_the_loss_and_its_gradient(name: str, empty: bool) -> None:
    options, tolerance = COMBINATIONS[name]
    if empty and options.get(ADV + "is_correction_level") == "seq":
        pytest.skip("OpenRLHF divides by the length 0 of a text that is masked out: its loss is NaN")
    assumed = {ADV + "estimator": "group_norm", "rollout.n_samples_per_prompt": 3}
    setting = read("openrlhf==0.11.2", assumed | options).setting
    compare(setting, _theirs(options), {"empty": empty}, tolerance)


@pytest.mark.parametrize("name", ["rloo", "clip-higher", "k1 in the reward (default)", "k2 in the loss", "seq mask"])
def test_a_setting_of_other_options_is_noticed(name: str) -> None:
    options, _ = COMBINATIONS[name]
    setting = read("openrlhf", NO_KL | {ADV + "estimator": "group_norm", "rollout.n_samples_per_prompt": 3}).setting
    with pytest.raises(AssertionError):
        compare(setting, _theirs(options), {"empty": False}, SINGLE)
