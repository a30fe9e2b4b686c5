"""Real runs against ``predict``: docs/reference/runs.md and the numbers behind it (`make runs`).

Every prediction is made before its run is looked at, but for the clock of runs whose prompts share parameters, which is
fitted on their first steps. Three kinds of policy, all in the environment of the oracles:

- *tabular*: every prompt has logits of its own. A step samples groups of texts, hands them to TRL's advantage lines and
  to ``GRPOTrainer._compute_loss``, and goes along the gradient. A text is right if all its deciding tokens are; after a
  wrong token it goes on in states of its own. The success is read off the logits.
- *network*: prompts share the parameters of an autoregressive network with one hidden layer; same loss, same steps.
- *GRPOTrainer*: TRL's own trainer with AdamW on a small transformer of random weights.
"""

from __future__ import annotations

import csv
import multiprocessing
import sys
import tempfile
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import torch
from shared_runs import network_run, trainer_run
from stand_ins import Texts
from test_trl import real_loss

from grpo_symbolic.numeric import predict
from grpo_symbolic.numeric.prediction.runs import Kind, Run, kind_of
from grpo_symbolic.numeric.prediction.training import settings_of
from grpo_symbolic.setting import Setting
from grpo_symbolic.trainers import from_texts, read

RATES = (1 / 32, 1 / 8, 1 / 4, 1 / 2)
TEXTS = 128  # of each prompt for each optimiser step
MOST_DRAWS = 400
VERSION = "trl==1.16.0"
DATA = Path(__file__).parents[1] / "grpo_symbolic" / "numeric" / "prediction" / "runs.tsv"

K3 = "use_bias_correction_kl=False"  # k3 in the loss without a ratio, as before TRL 1.10
GSPO = "importance_sampling_level=sequence epsilon=0.0003 epsilon_high=0.0004"
# (options of TRL, what no option says, steps, learning rate)
TABULAR: tuple[tuple[str, str, int, float], ...] = (
    ("loss_type=grpo", "", 48, 0.25),
    ("loss_type=grpo num_generations=2", "", 48, 0.25),
    ("loss_type=grpo num_generations=4", "", 48, 0.25),
    ("loss_type=grpo num_generations=16", "", 48, 0.25),
    ("loss_type=grpo num_generations=32", "", 48, 0.25),
    (f"loss_type=grpo beta=0.04 {K3}", "", 300, 0.5),
    (f"loss_type=grpo beta=0.5 {K3} num_generations=4", "", 300, 0.5),
    ("loss_type=grpo beta=0.5", "", 400, 0.5),
    ("loss_type=dr_grpo scale_rewards=none max_completion_length=1", "", 48, 0.25),
    (f"loss_type=dr_grpo scale_rewards=none max_completion_length=1 beta=0.2 {K3}", "", 300, 0.5),
    ("loss_type=dapo beta=0.04", "", 48, 0.25),
    ("loss_type=cispo", "", 240, 0.25),
    ("loss_type=cispo epsilon_high=5 beta=0.1", "", 96, 0.25),
    ("loss_type=grpo", "tokens=4", 160, 0.25),
    (f"loss_type=grpo beta=0.04 {K3}", "tokens=4", 400, 1.0),
    (f"loss_type=grpo beta=0.04 {K3}", "tokens=16", 1000, 1.0),
    ("loss_type=grpo num_generations=32", "tokens=4", 160, 0.25),
    ("loss_type=dr_grpo scale_rewards=none max_completion_length=8", "tokens=4", 160, 0.5),
    ("loss_type=dapo", "tokens=12 decisions=3", 160, 0.5),
    (f"loss_type=grpo {GSPO}", "tokens=4", 160, 0.25),
    ("loss_type=grpo beta=0.5", "tokens=8 decisions=1 right_length=8 wrong_length=1", 400, 1.0),
    ("loss_type=grpo beta=0.5", "tokens=8 decisions=1 right_length=1 wrong_length=8", 400, 1.0),
    ("loss_type=grpo", "tokens=16 decisions=2 right_length=16 wrong_length=4", 160, 0.5),
    (f"loss_type=dapo beta=0.04 {K3}", "tokens=12 decisions=2 right_length=2 wrong_length=12", 160, 0.5),
    ("loss_type=dr_grpo scale_rewards=none max_completion_length=4", "tokens=8 decisions=2 wrong_length=2", 160, 0.5),
    ("loss_type=grpo num_iterations=4", "", 48, 0.25),
    ("loss_type=grpo num_iterations=8 epsilon=0.05", "tokens=2", 160, 0.5),
    ("loss_type=dapo num_iterations=4 epsilon_high=0.28", "tokens=2", 160, 1.0),
    (f"loss_type=grpo num_iterations=4 {GSPO}", "tokens=3", 240, 0.5),
    (f"loss_type=grpo num_iterations=2 num_generations=16 {GSPO}", "tokens=4", 240, 0.5),
    ("loss_type=cispo epsilon_high=1.2 num_iterations=4", "tokens=2", 160, 1.0),
    ("loss_type=grpo num_iterations=4 beta=0.1", "tokens=2", 160, 0.5),
    ("loss_type=grpo num_iterations=4 delta=1.1", "", 48, 0.5),
    ("loss_type=grpo num_generations=4", "dynamic_sampling=true", 24, 0.25),
    (f"loss_type=grpo num_generations=4 beta=0.1 {K3}", "tokens=2 dynamic_sampling=true", 400, 0.25),
    (f"loss_type=grpo num_generations=2 beta=0.5 {K3}", "dynamic_sampling=true", 400, 0.25),
    ("loss_type=grpo beta=0.2", "dynamic_sampling=true", 32, 0.25),
    ("loss_type=grpo scale_rewards=batch", "", 48, 0.25),
    ("loss_type=grpo scale_rewards=batch beta=0.1", "tokens=2", 160, 0.5),
    (f"loss_type=dapo scale_rewards=batch beta=0.5 {K3} num_generations=4", "", 300, 0.5),
    ("loss_type=grpo scale_rewards=batch num_iterations=4 epsilon=0.1", "", 48, 0.5),
)
# (options of TRL, hidden units, steps, learning rate, steps on which the clock is fitted)
NETWORKS: tuple[tuple[str, int, int, float, int], ...] = tuple(
    (options, width, steps, rate, steps // 5)
    for options, steps, rate in (
        ("loss_type=grpo", 200, 0.25),
        ("loss_type=grpo", 400, 0.05),
        ("loss_type=grpo beta=0.1", 400, 0.05),
        ("loss_type=dr_grpo scale_rewards=none max_completion_length=2", 400, 0.1),
        ("loss_type=grpo num_iterations=2 epsilon=0.1", 400, 0.05),
    )
    for width in (8, 32, 128)
)
# (options of TRL, steps, steps on which the clock is fitted)
TRAINERS: tuple[tuple[str, int, int], ...] = (
    ("loss_type=grpo learning_rate=0.002", 60, 20),
    ("loss_type=grpo beta=0.1 learning_rate=0.002", 60, 20),
    ("loss_type=dr_grpo scale_rewards=none max_completion_length=1 learning_rate=0.002", 60, 20),
    ("loss_type=dapo num_generations=16 learning_rate=0.001", 60, 20),
)


def setting_of(options: str, dynamic: bool = False) -> Setting:
    """The setting that TRL's options are read into; ``dynamic``: with groups filtered, for which TRL has no option."""
    return replace(read(VERSION, from_texts(options.split())).setting, dynamic_sampling=dynamic)


def shape_of(shape: str) -> tuple[dict[str, Any], bool]:
    """What no option says, as arguments of ``predict``, and whether groups are filtered."""
    given = from_texts(shape.split())
    return given, bool(given.pop("dynamic_sampling", False))


def tabular_success(options: str, shape: str, steps: int, rate: float, seed: int = 0) -> torch.Tensor:
    """The success of each prompt after a run with logits of its own for each of :data:`RATES`."""
    torch.manual_seed(seed)
    given, dynamic = shape_of(shape)
    setting = setting_of(options, dynamic)
    form = settings_of(setting, **given)
    decisions, lengths = form.deciding, torch.tensor([form.lengths[1], form.lengths[0]])  # of wrong, of right texts
    size, loss = setting.group_size, real_loss(from_texts(options.split()) | {"num_generations": setting.group_size})
    start = torch.zeros(len(RATES), 2, decisions, 2)  # prompt, on the way or lost, position, right or wrong token
    start[:, 0, :, 0] = torch.logit(torch.tensor(RATES) ** (1 / decisions))[:, None]
    logits = start.clone().requires_grad_()
    for _ in range(steps // setting.updates):
        with torch.no_grad():
            prompts, states, wrong = _sampled(
                torch.log_softmax(logits, -1), TEXTS * setting.updates // size, size, dynamic
            )
        right = (~wrong.any(1)).double()
        mask = (torch.arange(int(lengths.max()))[None] < lengths[right.long()][:, None]).double()
        filler = (len(prompts), mask.shape[1] - decisions)  # tokens without a choice: their probability is 1

        def chosen(table: torch.Tensor) -> torch.Tensor:
            logs = torch.log_softmax(table, -1)
            picked = logs[prompts[:, None], states, torch.arange(decisions), wrong.long()]  # noqa: B023
            return torch.cat([picked, picked.new_zeros(filler)], 1)  # noqa: B023

        with torch.no_grad():
            old, reference = chosen(logits), chosen(start)
        group = torch.arange(len(prompts)) // size
        for _ in range(setting.updates):
            logp = chosen(logits)
            _, slopes = loss(Texts(logp.detach(), old, reference, old, mask, right, group, right))
            (slope,) = torch.autograd.grad(logp, logits, slopes)
            with torch.no_grad():
                logits -= rate * len(RATES) * slope  # TRL takes the mean over all texts; each prompt has its share
    return torch.log_softmax(logits.detach(), -1)[:, 0, :, 0].sum(-1).exp()


def _sampled(policy: torch.Tensor, groups: int, size: int, dynamic: bool) -> tuple[torch.Tensor, ...]:
    """Texts of each prompt, group after group: their prompts, states and whether each token is wrong."""
    kept = []
    for prompt in range(len(policy)):
        found: list[torch.Tensor] = []
        for _ in range(MOST_DRAWS):
            lost = torch.zeros(groups * size, dtype=torch.long)
            tokens = []
            for position in range(policy.shape[2]):
                wrong = torch.rand(groups * size) >= policy[prompt, lost, position, 0].exp()
                tokens.append(torch.stack([lost, wrong.long()], -1))
                lost = lost | wrong.long()
            drawn = torch.stack(tokens, 1).reshape(groups, size, -1, 2)
            right = (drawn[..., 1].sum(-1) == 0).sum(1)
            found += list(drawn[(right > 0) & (right < size)] if dynamic else drawn)
            if len(found) >= groups:
                break
        kept.append(torch.stack(found[:groups]).flatten(0, 1))
    prompts = torch.cat([torch.full((len(each),), k) for k, each in enumerate(kept)])
    all_texts = torch.cat(kept)
    return prompts, all_texts[..., 0], all_texts[..., 1].bool()


def of_tabular(options: str, shape: str, steps: int, rate: float) -> Run:
    """One tabular run and its prediction."""
    given, dynamic = shape_of(shape)
    setting = setting_of(options, dynamic)
    said = predict(RATES, setting=setting, steps=steps, learning_rate=rate, **given).after
    seen = tabular_success(options, shape, steps, rate).numpy()
    kind = kind_of(settings_of(setting, **given))
    return _row(kind, "tabular", options, shape, RATES, steps, rate, 0, said, seen)


def of_shared(kind: Kind, policy: str, options: str, shape: str, steps: int, first: int, run: Callable[[], Any]) -> Run:
    """A run whose prompts share parameters, and its prediction with a clock from its ``first`` steps."""
    start, log, seen = run()
    given, _ = shape_of(shape)
    with tempfile.TemporaryDirectory() as folder:
        first_rows = Path(folder) / "log.jsonl"
        first_rows.write_text("".join(log[:first]), encoding="utf-8")
        rows = Path(folder) / "rates.csv"
        rows.write_text("pass_rate\n" + "".join(f"{rate}\n" for rate in start), encoding="utf-8")
        clock = {"log": first_rows, "calibrate_on": first, "steps": steps}
        whole = predict(rows, setting=setting_of(options), **clock, **given).settings
    rate = whole.learning_rate
    said = predict(start, setting=setting_of(options), steps=steps, learning_rate=rate, **given).after
    return _row(kind, policy, options, shape, start, steps, rate, first, said, seen)


def _row(
    kind: Kind,
    policy: str,
    options: str,
    shape: str,
    rates: Any,
    steps: int,
    rate: float,
    fitted: int,
    said: Any,
    seen: Any,
) -> Run:
    worst = float(abs(said - seen).max())
    told = " ".join(f"{each:.6g}" for each in rates)
    numbers = (round(float(value), 5) for value in (said.mean(), seen.mean(), worst))
    return Run(kind, policy, options, shape, told, steps, float(f"{rate:.6g}"), fitted, *numbers)


def one(job: tuple[str, tuple[Any, ...]]) -> Run:
    """The run of one entry of the lists above."""
    torch.set_num_threads(1)
    what, given = job
    if what == "tabular":
        return of_tabular(*given)
    if what == "network":
        options, width, steps, rate, first = given
        played = lambda: network_run(setting_of(options), options, width, steps, rate)  # noqa: E731
        return of_shared(Kind.SHARED, f"network of {width}", options, "tokens=2", steps, first, played)
    options, steps, first = given
    return of_shared(Kind.TRAINER, "GRPOTrainer", options, "", steps, first, lambda: trainer_run(options, steps))


def main() -> None:
    """Run all, the longest first, and write the numbers as they come, in the order of the lists."""
    jobs = [
        *(("tabular", each) for each in TABULAR),
        *(("network", each) for each in NETWORKS),
        *(("trainer", each) for each in TRAINERS),
    ]
    rows: dict[int, Run] = {}
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for place, row in pool.imap_unordered(numbered, reversed(list(enumerate(jobs)))):
            told = f"{row.predicted} predicted, {row.seen} seen"
            print(f"{row.policy}: {row.options} {row.shape}: {told}", file=sys.stderr, flush=True)
            rows[place] = row
            write([rows[place] for place in sorted(rows)])


def numbered(job: tuple[int, tuple[str, tuple[Any, ...]]]) -> tuple[int, Run]:
    """The place of an entry, and its run."""
    place, entry = job
    return place, one(entry)


def write(rows: list[Run]) -> None:
    """The numbers, a run a line."""
    names = [field.name for field in fields(Run)]
    with DATA.open("w", encoding="utf-8", newline="") as sink:
        writer = csv.writer(sink, delimiter="\t", lineterminator="\n")
        writer.writerow(names)
        writer.writerows([getattr(row, name) for name in names] for row in rows)


if __name__ == "__main__":
    main()
