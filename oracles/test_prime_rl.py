"""prime-rl's advantages and losses, with their masks and charges off, against the setting read from the same options.

prime-rl is on no package index: PRIME_RL names a checkout of version 0.8, else this file is skipped. Its functions are
run out of their files. Advantages are float32 there.
"""

from __future__ import annotations

import asyncio
import os
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from stand_ins import Texts, compare, definitions, texts

from grpo_symbolic.errors import BadInput
from grpo_symbolic.trainers import read

if not os.environ.get("PRIME_RL"):
    pytest.skip("PRIME_RL names no checkout of prime-rl, which no package index has", allow_module_level=True)
SOURCE = Path(os.environ["PRIME_RL"]) / "src/prime_rl"
SINGLE = 2e-6
Options = dict[str, Any]

OFF: Options = {"trainer.loss.dppo_mask_low": 1, "trainer.loss.dppo_mask_high": 1, "trainer.loss.kl_tau": 0}
COMBINATIONS: dict[str, Options] = {
    "default, off": OFF,
    "ipo, off": {"trainer.loss.type": "ipo", "trainer.loss.ipo_threshold": 1, "trainer.loss.kl_tau": 0},
}
_LOSSES = definitions(
    SOURCE / "trainer/rl/loss.py",
    "_safe_mean",
    "compute_importance_ratio_and_mismatch_kl",
    "default_loss_fn",
    "ipo_loss_fn",
    LossOutputs=types.SimpleNamespace,
)
_SCORE = definitions(SOURCE / "orchestrator/algo/grpo.py", "score_group").score_group


def _advantages(batch: Texts) -> torch.Tensor:
    made: dict[int, float] = {}
    for prompt in batch.group.unique():
        members = [int(n) for n in (batch.group == prompt).nonzero()]
        rollouts = [
            types.SimpleNamespace(reward=float(batch.rewards[n]), assign_advantages=lambda a, n=n: made.update({n: a}))
            for n in members
        ]
        asyncio.run(_SCORE(types.SimpleNamespace(length_penalty=None), rollouts))
    return torch.tensor([made[n] for n in range(len(batch.rewards))])


def _theirs(given: Options) -> Any:
    config = {"dppo_mask_low": 0.2, "dppo_mask_high": 0.2, "ipo_threshold": 0.1, "adv_tau": 1.0, "kl_tau": 1e-3}
    config |= {name.removeprefix("trainer.loss."): value for name, value in given.items()}
    run_loss = _LOSSES.ipo_loss_fn if config.get("type") == "ipo" else _LOSSES.default_loss_fn

    def run(batch: Texts) -> tuple[torch.Tensor, torch.Tensor]:
        logp = batch.logp.clone().requires_grad_()
        made = torch.zeros(())
        for n, advantage in enumerate(_advantages(batch)):
            length = int(batch.mask[n].sum())
            inputs = types.SimpleNamespace(
                trainer_logprobs=logp[n, :length],
                inference_logprobs=batch.sampler[n, :length],
                advantages=advantage.expand(length),
                loss_mask=torch.ones(length, dtype=torch.bool),
                loss_weights=None,
            )
            made = made + run_loss(inputs, types.SimpleNamespace(**config)).loss
        made = made / batch.mask.sum()
        made.backward()
        assert logp.grad is not None
        return made.detach(), logp.grad

    return run


@pytest.mark.parametrize("empty", [False, True], ids=["ragged", "with a text that is masked out"])
@pytest.mark.parametrize("name", COMBINATIONS)
def test_the_loss_and_its_gradient(name: str, empty: bool) -> None:
    setting = read("prime-rl==0.8.0", {"orchestrator.group_size": 3} | COMBINATIONS[name]).setting
    compare(setting, _theirs(COMBINATIONS[name]), {"empty": empty}, SINGLE)


def test_the_weight_of_the_advantages_is_that_of_the_reward() -> None:
    weighed = OFF | {"trainer.loss.adv_tau": 0.5}
    setting = read("prime-rl==0.8.0", {"orchestrator.group_size": 3} | weighed).setting
    for batch in texts():
        value, slope = replace(batch, rewards=batch.rewards[:, None]).ours(setting)
        other, other_slope = _theirs(weighed)(batch)
        assert float((value - other).abs()) <= SINGLE
        assert float((slope - other_slope).abs().max()) <= SINGLE


@pytest.mark.parametrize("given", [{}, {"trainer.loss.kl_tau": 0}, OFF | {"trainer.loss.kl_tau": 1e-3}], ids=str)
def test_what_is_refused_is_another_loss(given: Options) -> None:
    setting = read("prime-rl", {"orchestrator.group_size": 3} | OFF).setting
    with pytest.raises(AssertionError):
        compare(setting, _theirs(given), {"empty": False}, SINGLE, spread=1.5)
    with pytest.raises(BadInput, match="not modelled"):
        read("prime-rl", given)
