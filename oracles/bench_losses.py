"""Time of this package's losses beside the trainers' own, forward and backward on a CPU, in float32.

Each pair runs in turn on the same tensors, and the ratio is that of the medians. TRL's ``_compute_loss`` computes its
metrics as well, as it does in a run; verl's policy loss does too.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import test_trl
import torch
from stand_ins import Texts

from grpo_symbolic.trainers import loss, read

TEXTS, TOKENS, ROUNDS = 64, 1024, 25
NAMES = ("default", "grpo, beta, ratio on k3", "gspo, beta", "cispo", "sapo", "vllm, token truncate")


def _texts() -> Texts:
    generator = torch.Generator().manual_seed(0)
    base = -2 * torch.rand(TEXTS, TOKENS, generator=generator, dtype=torch.float32)
    near = [base + 0.1 * torch.rand(base.shape, generator=generator, dtype=torch.float32) for _ in range(4)]
    lengths = torch.randint(TOKENS // 4, TOKENS, (TEXTS, 1), generator=generator)
    mask = (torch.arange(TOKENS)[None, :] < lengths).float()
    rewards = torch.randint(0, 2, (TEXTS,), generator=generator).float()
    group = torch.arange(TEXTS // 8).repeat_interleave(8)
    return Texts(*near, mask, rewards, group, rewards)


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    """Print a row for each setting: milliseconds of both, and their ratio."""
    torch.set_num_threads(1)
    batch = _texts()
    print(f"{'setting':<28}{'TRL, ms':>10}{'ours, ms':>10}{'ratio':>8}")
    for name in NAMES:
        given = dict(test_trl.COMBINATIONS[name])
        setting = read("trl", given | {"num_generations": 8}).setting
        made = loss(setting)
        advantages = test_trl.precomputed(given, batch)

        def ours(made: Callable[..., torch.Tensor] = made) -> None:
            logp = batch.logp.clone().requires_grad_()
            made(logp, batch.old, batch.ref, batch.mask, batch.rewards, batch.group, batch.sampler).backward()

        both = [(_seconds(advantages), _seconds(ours)) for _ in range(ROUNDS)]
        theirs, own = (1e3 * statistics.median(column) for column in zip(*both, strict=True))
        print(f"{name:<28}{theirs:>10.2f}{own:>10.2f}{own / theirs:>8.2f}")


if __name__ == "__main__":
    main()
