"""Real runs of a tabular softmax under TRL's own loss against ``predict``: the table of docs/how-to/predict.md.

A run samples groups of texts from its own policy, hands them to TRL's advantage lines and to
``GRPOTrainer._compute_loss``, and steps along the gradient. A text is right if all its tokens are; after a wrong token
it goes on in states of its own. The success is read off the logits. Run in the environment of the oracles.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import torch
from stand_ins import Texts
from test_trl import real_loss

from grpo_symbolic.numeric import predict
from grpo_symbolic.trainers import read

RATES = (1 / 32, 1 / 8, 1 / 4, 1 / 2)
GROUP, GROUPS = 8, 32
OLD = {"loss_type": "grpo", "use_bias_correction_kl": False}  # k3 in the loss, as before TRL 1.10
# (tokens, options of TRL 1.16, steps, learning rate)
RUNS: tuple[tuple[int, dict[str, Any], int, float], ...] = (
    (1, {"beta": 0.04, **OLD}, 2000, 0.25),
    (1, {"loss_type": "grpo"}, 2000, 0.25),
    (1, {"loss_type": "grpo", "beta": 0.5}, 2000, 0.25),
    (4, {"beta": 0.04, **OLD}, 4000, 0.25),
    (4, {}, 4000, 0.25),
    (16, {"beta": 0.04, **OLD}, 8000, 0.5),
)
PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "predict.md"
MARKS = "<!-- runs -->\n", "<!-- end of runs -->\n"
HEAD = "| tokens | options of TRL | steps × rate | pass rate | predicted | run |\n|---|---|---|---|---|---|\n"


def run(tokens: int, options: dict[str, Any], steps: int, rate: float, seed: int = 0) -> list[float]:
    """The success of one run for each of :data:`RATES`, all prompts with logits of their own."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    loss = real_loss({"num_generations": GROUP, **options})
    right = torch.tensor(RATES) ** (1 / tokens)
    start = torch.zeros(len(RATES), 2, tokens, 2)  # prompt, on the way or lost, position, right or wrong token
    start[:, 0, :, 0] = torch.logit(right)[:, None]
    reference = torch.log_softmax(start, -1)
    logits = start.clone().requires_grad_()
    prompts = torch.arange(len(RATES)).repeat_interleave(GROUPS * GROUP)
    group = torch.arange(len(prompts)) // GROUP
    mask = torch.ones(len(prompts), tokens)
    for _ in range(steps):
        policy = torch.log_softmax(logits, -1)
        lost, chosen, before = torch.zeros_like(prompts), [], []
        for position in range(tokens):
            with torch.no_grad():
                wrong = (torch.rand(prompts.shape) >= policy[prompts, lost, position, 0].exp()).long()
            chosen.append(policy[prompts, lost, position, wrong])
            before.append(reference[prompts, lost, position, wrong])
            lost = lost | wrong
        logp, ref = torch.stack(chosen, -1), torch.stack(before, -1)
        held, rewards = logp.detach(), 1.0 - lost
        _, slopes = loss(Texts(held, held, ref, held, mask, rewards, group, rewards))
        (slope,) = torch.autograd.grad(logp, logits, slopes)
        with torch.no_grad():
            logits -= rate * len(RATES) * slope  # TRL takes the mean over all texts, and each prompt has its share
    return torch.log_softmax(logits, -1)[:, 0, :, 0].sum(-1).exp().tolist()


def table() -> str:
    """The rows of the table: what ``predict`` says, and what the runs have."""
    lines = []
    for tokens, options, steps, rate in RUNS:
        setting = read("trl==1.16.0", options).setting
        said = predict(RATES, setting=setting, tokens=tokens, steps=steps, learning_rate=rate).after
        told = ", ".join(f"{name}={value}" for name, value in options.items()) or "defaults"
        for start, predicted, found in zip(RATES, said, run(tokens, options, steps, rate), strict=True):
            lines.append(f"| {tokens} | {told} | {steps} × {rate:g} | {start:g} | {predicted:.4f} | {found:.4f} |\n")
        print(*lines[-len(RATES) :], sep="", end="", file=sys.stderr)
    return HEAD + "".join(lines)


if __name__ == "__main__":
    (begin, end), rows = MARKS, table()
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(f"{begin}.*?{end}", begin + rows + end, text, flags=re.S), encoding="utf-8")
