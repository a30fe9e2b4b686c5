"""Real runs of a tabular softmax against ``predict``: the table of docs/predict.md, written there by this script.

A run samples groups of texts from its own policy, takes GRPO's loss of the groups (ratios of tokens, advantages with
the sample deviation + 10⁻⁴, k3 or its weighted form of each token, 1/|o|, mean over the group) and steps along the
gradient that PyTorch finds. A text is right if all its tokens are; after a wrong token it goes on in states of its own.
The success is read off the logits.
"""

from __future__ import annotations

import re
from pathlib import Path

import torch

from grpo_symbolic.numeric import predict

RATES = (1 / 32, 1 / 8, 1 / 4, 1 / 2)
GROUP, GROUPS, GUARD = 8, 32, 1e-4
# (tokens, β, penalty, steps, learning rate)
RUNS = (
    (1, 0.04, "k3", 2000, 0.25),
    (1, 0.0, "k3", 2000, 0.25),
    (1, 0.5, "reverse-kl", 2000, 0.25),
    (4, 0.04, "k3", 4000, 0.25),
    (4, 0.0, "k3", 4000, 0.25),
    (16, 0.04, "k3", 8000, 0.5),
)
PAGE = Path(__file__).parents[1] / "docs" / "predict.md"
MARKS = "<!-- runs -->\n", "<!-- end of runs -->\n"
HEAD = "| tokens | β | penalty | steps × rate | pass rate | predicted | run |\n|---|---|---|---|---|---|---|\n"


def run(tokens: int, beta: float, penalty: str, steps: int, rate: float, seed: int = 0) -> list[float]:
    """The success of one run for each of :data:`RATES`, all prompts with logits of their own."""
    torch.manual_seed(seed)
    torch.set_default_dtype(torch.float64)
    right = torch.tensor(RATES) ** (1 / tokens)
    start = torch.zeros(len(RATES), 2, tokens, 2)  # prompt, on the way or lost, position, right or wrong token
    start[:, 0, :, 0] = torch.logit(right)[:, None]
    reference = torch.log_softmax(start, -1)
    logits = start.clone().requires_grad_()
    prompts = torch.arange(len(RATES))[:, None].expand(-1, GROUPS * GROUP)
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
        rewards = (1.0 - lost).reshape(len(RATES), GROUPS, GROUP)
        advantages = (rewards - rewards.mean(-1, keepdim=True)) / (rewards.std(-1, keepdim=True) + GUARD)
        ratio = torch.exp(logp - logp.detach())
        k3 = torch.exp(ref - logp) - (ref - logp) - 1
        charge = beta * (k3 if penalty == "k3" else ratio * k3)
        loss = (charge - ratio * advantages.reshape(prompts.shape)[..., None]).mean(-1).mean(-1).sum()
        (slope,) = torch.autograd.grad(loss, logits)
        with torch.no_grad():
            logits -= rate * slope
    return torch.log_softmax(logits, -1)[:, 0, :, 0].sum(-1).exp().tolist()


def table() -> str:
    """The rows of the table: what ``predict`` says, and what the runs have."""
    lines = []
    for tokens, beta, penalty, steps, rate in RUNS:
        said = predict(
            RATES, beta, GROUP, GUARD, penalty, guard_inside=False, sample_deviation=True,
            tokens=tokens, steps=steps, learning_rate=rate,
        ).after  # fmt: skip
        for start, predicted, found in zip(RATES, said, run(tokens, beta, penalty, steps, rate), strict=True):
            setting = f"| {tokens} | {beta:g} | {penalty} | {steps} × {rate:g} | {start:g}"
            lines.append(f"{setting} | {predicted:.4f} | {found:.4f} |\n")
    return HEAD + "".join(lines)


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    begin, end = MARKS
    PAGE.write_text(re.sub(f"{begin}.*?{end}", begin + table() + end, text, flags=re.S), encoding="utf-8")
