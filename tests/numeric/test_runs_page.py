"""The table of runs: the page is what the numbers say, and the numbers are what is predicted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from runs_page import PAGE, page

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric import predict
from grpo_symbolic.numeric.prediction.runs import Kind, Run, kind_of, off, runs
from grpo_symbolic.numeric.prediction.training import settings_of
from grpo_symbolic.trainers import from_texts, read

APART = [run for run in runs() if not run.fitted]


def test_the_page_is_what_the_numbers_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python tests/runs_page.py"


def test_there_are_runs_of_every_kind_and_setting() -> None:
    assert len(runs()) >= 40
    assert {run.kind for run in runs()} == set(Kind)
    assert len({run.policy for run in runs() if run.kind is Kind.SHARED}) == 3
    text = " ".join(f"{run.options} {run.shape}" for run in runs())
    for part in ("loss_type=grpo", "dr_grpo", "dapo", "cispo", "importance_sampling_level=sequence", "beta=0.5"):
        assert part in text
    for part in ("epsilon_high=0.28", "num_iterations=4", "dynamic_sampling=true", "scale_rewards=none"):
        assert part in text
    for size in (2, 32):
        assert f"num_generations={size}" in text


@pytest.mark.parametrize("run", runs(), ids=lambda run: f"{run.policy} {run.options} {run.shape}")
def test_the_numbers_are_what_is_predicted(run: Run) -> None:
    """A prediction from the options alone is the one of the table; a fitted clock is taken from it."""
    setting, given = read("trl==1.16.0", from_texts(run.options.split())).setting, from_texts(run.shape.split())
    setting = replace(setting, dynamic_sampling=bool(given.pop("dynamic_sampling", False)))
    rates = [float(rate) for rate in run.rates.split()]
    said = predict(rates, setting=setting, steps=run.steps, learning_rate=run.learning_rate, **given).after
    assert said.mean() == pytest.approx(run.predicted, abs=2e-4)
    if run.fitted:
        assert run.kind in (Kind.SHARED, Kind.TRAINER)
    else:
        assert run.kind is kind_of(settings_of(setting, **given))


def test_runs_whose_prompts_are_apart_are_where_they_were_predicted() -> None:
    for run in APART:
        joined = (
            run.kind is Kind.LENGTHS and "dapo" in run.options
        )  # one mean length divides prompts that are not alike
        assert run.off < (0.15 if joined else 0.04), run


def test_how_far_off_is_counted() -> None:
    found = off(Kind.PLAIN)
    assert found is not None
    distances = sorted(abs(run.predicted - run.seen) for run in runs() if run.kind is Kind.PLAIN)
    assert (found.runs, found.worst) == (len(distances), distances[-1])
    assert distances[0] <= found.median <= distances[-1]


def test_what_no_run_showed_is_refused() -> None:
    with pytest.raises(BadInput, match="a sum over the batch"):
        settings_of(read("verl", {"actor_rollout_ref.actor.loss_agg_mode": "token-sum"}).setting)
