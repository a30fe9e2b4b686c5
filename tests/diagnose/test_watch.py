"""Runs that are watched while they go: what is said and when, the three numbers, the page, and the callback."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grpo_symbolic import trainers
from grpo_symbolic.diagnose import Fault, Quantity, diagnose, watch
from grpo_symbolic.errors import BadInput

READING = trainers.read("trl==1.16.0", {"loss_type": "grpo", "num_generations": 4})


def row(step: int, clip: float = 0.0, loss: float = 0.0) -> dict[str, float]:
    return {"loss": loss, "reward": 0.25 + step / 400, "clip_ratio/region_mean": clip}


def test_a_fault_is_said_when_it_is_seen_and_once() -> None:
    watching = watch(READING)
    said = {step: watching.feed(row(step, clip=0.2 if step >= 20 else 0.0), step) for step in range(1, 101)}
    spoken = {step: found for step, found in said.items() if found}
    assert list(spoken) == [24]  # a quarter after the look at 19 rows
    assert [found.faults[0] for found in spoken[24]] == [Fault.UPDATES]


def test_a_first_row_that_cannot_be_is_said_at_once() -> None:
    found = watch(READING).feed(row(1, loss=-7.0), 1)
    assert [f.quantity for f in found] == [Quantity.LOSS]


def test_looks_are_as_many_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    def counted(rows: Any, *arguments: Any, **named: Any) -> Any:
        looks.append(len(rows))
        return diagnose(rows, *arguments, **named)

    monkeypatch.setattr("grpo_symbolic.diagnose.watching.diagnose", counted)
    watching = watch(READING)
    for step in range(1, 1001):
        watching.feed(row(step), step)
    assert looks[:6] == [1, 2, 3, 4, 5, 7]
    assert len(looks) <= 31


def test_what_is_fed_is_what_is_read() -> None:
    watching = watch(READING)
    rows = [row(step, clip=0.3) for step in range(1, 31)]
    for metrics in rows:
        watching.feed(metrics)
    whole = diagnose([{**metrics, "step": k} for k, metrics in enumerate(rows, 1)], READING)
    assert [f.text for f in watching.diagnosis().findings] == [f.text for f in whole.findings]


def test_three_numbers_are_those_of_the_last_row() -> None:
    watching = watch(READING, binary=True)
    assert watching.numbers() == {}
    watching.feed({"loss": -0.75, "reward": 0.5, "clip_ratio/region_mean": 0.0}, 1)
    numbers = watching.numbers()
    assert numbers["theory/odd"] == 1
    assert numbers["theory/loss_outside"] == pytest.approx(0.75, abs=0.01)
    assert numbers["theory/least_dead"] == pytest.approx(2 * 0.5**4)


def test_rows_without_a_known_column_say_nothing_and_harm_nothing(tmp_path: Path) -> None:
    watching = watch(READING)
    assert watching.feed({"vibes": 3.0}, 1) == ()
    with pytest.raises(BadInput, match="no column is one that trl logs"):
        watching.diagnosis()
    watching.feed(row(2), 2)
    watching.write(tmp_path / "page.html")
    assert "vibes" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_nothing_fed_is_nothing_found() -> None:
    with pytest.raises(BadInput, match="nothing was fed that a trainer logs"):
        watch(READING).diagnosis()


def test_a_page_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    watching = watch(READING)
    watching.feed(row(1), 1)
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        watching.write(tmp_path / "file" / "page.html")


def test_the_trainer_is_told_by_the_names_where_nobody_says_it() -> None:
    watching = watch()
    assert watching.feed({"vibes": 1.0}) == ()
    found = watching.feed({"actor/pg_clipfrac": 0.9, "critic/score/mean": 0.5})  # of 4 updates at most 3/4
    assert [f.quantity for f in found] == [Quantity.CLIP]
    assert watching.diagnosis().run.reading.trainer == "verl"


@pytest.fixture
def callback(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The callback on a transformers of which only the base class is there."""
    transformers = types.ModuleType("transformers")
    transformers.TrainerCallback = type("TrainerCallback", (), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    monkeypatch.delitem(sys.modules, "grpo_symbolic.diagnose.callback", raising=False)
    from grpo_symbolic.diagnose.callback import TheoryCallback

    yield TheoryCallback
    sys.modules.pop("grpo_symbolic.diagnose.callback", None)


def config(folder: Path, **options: Any) -> Any:
    made = type("GRPOConfig", (SimpleNamespace,), {})
    return made(output_dir=str(folder), loss_type="grpo", num_generations=4, **options)


def test_the_callback_says_logs_and_writes(callback: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, args = callback(), config(tmp_path)
    others = SimpleNamespace(callbacks=["reporter"])
    made.attach(SimpleNamespace(callback_handler=others))
    assert others.callbacks == [made, "reporter"]
    state = SimpleNamespace(is_world_process_zero=True, global_step=0, log_history=[])
    made.on_train_begin(args, state, None)
    for step in range(1, 11):
        state.global_step = step
        logs = row(step, clip=0.3)
        state.log_history.append({**logs, "step": step})
        made.on_log(args, state, None, logs=logs)
        assert logs["theory/odd"] == 1
        assert state.log_history[-1]["theory/odd"] == 1
    made.on_log(args, state, None, logs={"eval_reward": 0.5})
    made.on_train_end(args, state, None)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 2
    assert printed[0].startswith("theory: step 1, clip share: With 1 update")
    assert printed[1] == f"theory: {tmp_path / 'theory.html'} has what was found"
    assert "<svg" in (tmp_path / "theory.html").read_text(encoding="utf-8")


def test_a_refused_configuration_stops_no_run(
    callback: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, args = callback(), config(tmp_path, beta="much")
    state = SimpleNamespace(is_world_process_zero=True, global_step=1, log_history=[])
    made.on_train_begin(args, state, None)
    made.on_log(args, state, None, logs=row(1))
    made.on_train_end(args, state, None)
    assert capsys.readouterr().out == "theory: this run is not watched: beta is 'much': expected a number\n"
    assert list(tmp_path.iterdir()) == []


def test_only_the_first_process_watches(callback: Any, tmp_path: Path) -> None:
    made, args = callback(), config(tmp_path)
    state = SimpleNamespace(is_world_process_zero=False, global_step=1, log_history=[])
    made.on_train_begin(args, state, None)
    made.on_log(args, state, None, logs=row(1, clip=0.3))
    made.on_train_end(args, state, None)
    assert list(tmp_path.iterdir()) == []


def test_without_transformers_the_callback_says_what_is_missing() -> None:
    code = (
        "import sys\nsys.modules['transformers'] = None\n"
        "from grpo_symbolic.diagnose.callback import TheoryCallback\n"
        "try:\n    TheoryCallback()\nexcept ValueError as refusal:\n    print(refusal)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "TheoryCallback needs transformers, which is not installed; pip install grpo-symbolic[trl], or use "
        "grpo_symbolic.diagnose.watch in a loop of your own\n"
    )
