"""``grpo-symbolic diagnose``: the formats that it reads, what it prints, its page and its data, and bad input."""

from __future__ import annotations

import csv
import json
import struct
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import cli

from grpo_symbolic import catalogue, trainers
from grpo_symbolic.diagnose import Fault, Kind, Quantity, diagnose, page, read_log, record_of, watch
from grpo_symbolic.diagnose.expectations import EXPECTATIONS
from grpo_symbolic.diagnose.findings import TELLS
from grpo_symbolic.diagnose.names import COLUMNS, column_of, is_beside
from grpo_symbolic.diagnose.run import likely
from grpo_symbolic.proof.statements.evidence import Verdict

ROWS = [
    {"step": k, "loss": 0.0, "reward": 0.25 + k / 200, "clip_ratio/region_mean": 0.0, "grad_norm": 1.0}
    for k in range(1, 41)
]
SPOILT = [{**row, "clip_ratio/region_mean": 0.25} for row in ROWS]


def run(*arguments: object) -> Any:
    return cli("diagnose", *map(str, arguments), terminal_width=250)


def _state(rows: list[dict[str, float]], folder: Path) -> Path:
    file = folder / "trainer_state.json"
    file.write_text(json.dumps({"global_step": 40, "log_history": rows}), encoding="utf-8")
    return file


def _lines(rows: list[dict[str, float]], folder: Path) -> Path:
    file = folder / "log.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def _wandb_csv(rows: list[dict[str, float]], folder: Path) -> Path:
    """As Weights & Biases exports a table of panels."""
    names = [name for name in rows[0] if name != "step"]
    headers = ["Step", *(f"run-1 - train/{n}{end}" for n in names for end in ("", "__MIN", "__MAX"))]
    file = folder / "wandb_export.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        table = csv.writer(out)
        table.writerow(headers)
        table.writerows([row["step"], *(row[n] for n in names for _ in range(3))] for row in rows)
    return file


def _long_csv(rows: list[dict[str, float]], folder: Path) -> Path:
    file = folder / "scalars.csv"
    lines = [f"{row['step']},train/{name},{row[name]}" for row in rows for name in row if name != "step"]
    file.write_text("step,tag,value\n" + "\n".join(lines), encoding="utf-8")
    return file


def _varint(number: int) -> bytes:
    found = b""
    while number > 127:
        found, number = found + bytes([number & 127 | 128]), number >> 7
    return found + bytes([number])


def _field(number: int, body: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def _event(step: int, tag: str, value: float, tensor: bool) -> bytes:
    held = _varint(8 << 3 | 2) + _varint(7) + b"\x08\x01" + _varint(5 << 3 | 5) + struct.pack("<f", value)
    body = _field(1, tag.encode()) + (held if tensor else _varint(2 << 3 | 5) + struct.pack("<f", value))
    return _varint(1 << 3 | 1) + struct.pack("<d", 0.5) + _varint(2 << 3) + _varint(step) + _field(5, _field(1, body))


def _events(rows: list[dict[str, float]], folder: Path, tensor: bool = False) -> Path:
    """As TensorBoard writes them: length, checksum, event, checksum; a first record names the version."""
    file, found = folder / "events.out.tfevents.1.host", b""
    version = _field(3, b"brain.Event:2")
    events = [version] + [
        _event(int(row["step"]), f"train/{name}", row[name], tensor) for row in rows for name in row if name != "step"
    ]
    for event in events:
        found += struct.pack("<Q", len(event)) + b"\0" * 4 + event + b"\0" * 4
    file.write_bytes(found + b"\x07\0\0")  # and a record that was being written
    return file


def _tensors(rows: list[dict[str, float]], folder: Path) -> Path:
    return _events(rows, folder, tensor=True)


FORMATS: list[Callable[[list[dict[str, float]], Path], Path]] = [
    _state,
    _lines,
    _wandb_csv,
    _long_csv,
    _events,
    _tensors,
]


@pytest.mark.parametrize("write", FORMATS)
def test_every_format_says_the_same(write: Callable[[list[dict[str, float]], Path], Path], tmp_path: Path) -> None:
    found = read_log([write(SPOILT, tmp_path)])
    expected = record_of(SPOILT)
    assert found.steps.tolist() == expected.steps.tolist()
    assert found.series.keys() == expected.series.keys()
    for quantity, values in expected.series.items():
        np.testing.assert_allclose(found.of(quantity), values, rtol=1e-6)
    assert found.unknown == ()


def test_a_folder_is_read_by_its_event_files_or_its_last_state(tmp_path: Path) -> None:
    for number, rows in ((10, ROWS[:10]), (20, ROWS[:20])):
        (tmp_path / f"checkpoint-{number}").mkdir()
        _state(rows, tmp_path / f"checkpoint-{number}")
    assert len(read_log([tmp_path]).steps) == 20
    _events(ROWS, tmp_path)
    assert len(read_log([tmp_path]).steps) == 40


def test_single_series_of_tensorboard_are_put_together(tmp_path: Path) -> None:
    for tag in ("loss", "clip_ratio_region_mean"):
        column = tag.replace("_region", "/region")
        lines = [f"1.5,{row['step']},{row[column]}" for row in SPOILT]
        (tmp_path / f"run-a-tag-train_{tag}.csv").write_text("Wall time,Step,Value\n" + "\n".join(lines))
    (tmp_path / "train_reward.json").write_text(json.dumps([[1.5, row["step"], row["reward"]] for row in SPOILT]))
    found = read_log(sorted(tmp_path.iterdir()))
    assert {Quantity.LOSS, Quantity.CLIP, Quantity.REWARD} == set(found.series)
    assert len(found.steps) == 40


def test_nested_metrics_of_verl_are_read(tmp_path: Path) -> None:
    rows = [{"step": k, "data": {"actor/pg_clipfrac": 0.3, "critic": {"score/mean": 0.5}}} for k in range(1, 9)]
    found = read_log([_lines(rows, tmp_path)])  # type: ignore[arg-type]
    assert (found.trainer, found.of(Quantity.CLIP)[0], found.of(Quantity.REWARD)[0]) == ("verl", 0.3, 0.5)


def test_a_healthy_log_exits_with_0_and_a_spoilt_one_with_1(tmp_path: Path) -> None:
    good = run(_state(ROWS, tmp_path), "--set", "loss_type=grpo")
    assert good.exit_code == 0, good.output
    assert "not what they imply" not in good.output
    assert "explained by your options\n" in good.output
    bad = run(_state(SPOILT, tmp_path), "--set", "loss_type=grpo")
    assert bad.exit_code == 1
    assert (
        "With 1 update on a batch at most 0 of the tokens can be clipped, and 0.25 was logged (40 rows)." in bad.output
    )
    assert "tr-clip-first-step" in bad.output
    assert TELLS[Fault.UPDATES] in bad.output


def test_the_options_decide_what_is_odd(tmp_path: Path) -> None:
    file = _state(SPOILT, tmp_path)
    config = tmp_path / "grpo.yaml"
    config.write_text("num_iterations: 2\nloss_type: grpo\n", encoding="utf-8")
    assert run(file, "--trainer", "trl==1.16.0", "--config", config).exit_code == 0
    assert run(file, "--trainer", "trl", "--config", config, "--set", "num_iterations=1").exit_code == 1


def test_without_options_the_defaults_are_said_to_be_assumed(tmp_path: Path) -> None:
    file, target = _state(ROWS, tmp_path), tmp_path / "run.html"
    assert "No options were given" in run(file, "--page", target).output
    assert "No options were given" in target.read_text(encoding="utf-8")
    assert json.loads(run(file, "--json").output)["defaults_assumed"] is True
    assert "No options were given" not in run(file, "--set", "beta=0").output


def _verl(rewards: list[float]) -> dict[str, float]:
    ends = {"critic/score/min": 0.0, "critic/score/max": 1.0, "critic/score/mean": sum(rewards) / len(rewards)}
    return {**ends, "critic/advantages/max": 1.4, "critic/advantages/min": -0.9}


def test_rewards_between_0_and_1_are_not_taken_for_0_or_1() -> None:
    options = {"data.train_batch_size": 2, "actor_rollout_ref.rollout.n": 4, "algorithm.adv_estimator": "grpo"}
    reading = trainers.read("verl", options)
    partial = [_verl([0, 1, 0.5, 1, 0, 1, 0, float(k % 2)]) for k in range(8)]
    whole = [_verl([0, 1, 0, 1, 0, 1, 0, float(k % 2)]) for k in range(8)]
    assert diagnose(partial, reading).run.binary is None
    assert diagnose(partial, reading).odd == ()
    assert diagnose(whole, reading).run.binary is True
    assert [f.quantity for f in diagnose(whole, reading).odd] == [Quantity.ADVANTAGE_HIGH]


_KEPT = ("use_vllm", "beta", "per_device_train_batch_size")


@pytest.mark.parametrize(
    ("options", "row"),
    [
        ({"mask_truncated_completions": True}, {"loss": 0.2}),
        ({"entropy_coef": 0.1}, {"loss": -0.2}),
        (
            {"use_vllm": True, "top_p": 0.9},
            {"sampling/sampling_logp_difference/mean": 0.2, "sampling/importance_sampling_ratio/mean": 1.0},
        ),
        (
            {"sync_ref_model": True, "beta": 0.04, "per_device_train_batch_size": 512},
            {"kl": 0.0, "completions/mean_length": 9.0},
        ),
    ],
)
def test_what_the_options_explain_is_not_odd(options: dict[str, Any], row: dict[str, float]) -> None:
    rows = [{"step": k, "reward": 0.1 + 0.8 * (k > 30), **row} for k in range(60)]
    rows = [{**r, "kl": r["kl"] + 1e-4 * (r["step"] > 2)} if "kl" in r else r for r in rows]
    told = diagnose(rows, trainers.read("trl", {"loss_type": "grpo", **options}), binary=True)
    assert [finding.text for finding in told.odd] == []
    bare = {"loss_type": "grpo", **{n: v for n, v in options.items() if n in _KEPT}}
    assert len(diagnose(rows, trainers.read("trl", bare), binary=True).odd) == 1


def test_a_loss_that_nothing_logged_bounds_is_not_known() -> None:
    weighed = trainers.read("trl", {"loss_type": "grpo", "use_vllm": True})
    rows = [{"step": k, "loss": 0.3, "reward": 0.2 + 0.3 * (k % 2)} for k in range(9)]
    (finding,) = [f for f in diagnose(rows, weighed).findings if f.quantity is Quantity.LOSS]
    assert finding.kind is Kind.OPEN
    ends = {"sampling/importance_sampling_ratio/min": 1.0, "sampling/importance_sampling_ratio/max": 1.001}
    (finding,) = [f for f in diagnose([r | ends for r in rows], weighed).odd if f.quantity is Quantity.LOSS]
    assert finding.steps == tuple(range(9))


def test_a_sum_of_rewards_that_some_texts_lack_is_not_known() -> None:
    rows = [{"step": k, "reward": 0.5 + 0.01 * k, "rewards/a/mean": 0.5, "rewards/b/mean": 0.1} for k in range(9)]
    (finding,) = [f for f in diagnose(rows, trainers.read("trl", {})).findings if "sum of its parts" in f.text]
    assert finding.kind is Kind.OPEN


def test_columns_and_options_that_are_not_understood_are_listed(tmp_path: Path) -> None:
    rows = [{**row, "vibes": 1.0, "step_time": 2.0, "note": "text"} for row in ROWS]
    result = run(_state(rows, tmp_path), "--set", "entropy_coef=0.01")
    assert "not understood: vibes, note\n" in result.output
    assert "held against nothing: step_time" in result.output
    assert "not modelled: an entropy bonus of 0.01" in result.output
    assert "not asked: " in result.output


def test_the_data_has_everything_that_is_printed(tmp_path: Path) -> None:
    result = run(_state([{**row, "vibes": 1.0} for row in SPOILT], tmp_path), "--json", "--set", "loss_type=grpo")
    data = json.loads(result.output)
    assert (data["trainer"], data["rows"], data["steps"], data["not_understood"]) == ("TRL", 40, [1, 40], ["vibes"])
    odd = [finding for finding in data["findings"] if finding["kind"] == Kind.ODD]
    assert [finding["column"] for finding in odd] == ["clip_ratio/region_mean"]
    assert odd[0]["faults"][0] == {"fault": str(Fault.UPDATES), "tell": TELLS[Fault.UPDATES]}
    assert odd[0]["steps"] == list(range(1, 41))
    assert set(odd[0]["claims"]) <= catalogue.ids()
    assert {entry["expectation"] for entry in data["not_logged"]} >= {"sampler_against_trainer", "old_policy"}


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_stands_alone_and_has_a_picture_of_each_series(tmp_path: Path) -> None:
    target = tmp_path / "run.html"
    rows = [{**row, "<b>": 1.0} for row in SPOILT]
    assert run(_state(rows, tmp_path), "--set", "loss_type=grpo", "--page", target).exit_code == 1
    text = target.read_text(encoding="utf-8")
    tags = _Tags()
    tags.feed(text)
    assert tags.open == []
    assert "http" not in text
    assert "prefers-color-scheme: dark" in text
    assert "&lt;b&gt;" in text
    assert "<b>" not in text
    drawn = [attributes for tag, attributes in tags.seen if tag == "svg"]
    assert len(drawn) == 4  # loss, reward, clip share, norm of the gradient
    assert sum(attributes.get("class") == "ring" for _, attributes in tags.seen) == 40
    assert sum(attributes.get("class") == "band" for _, attributes in tags.seen) == 2


def test_a_picture_keeps_to_its_frame_whatever_the_numbers() -> None:
    rows = [{"step": k, "loss": [0.0, 1e30, -1e30, 3.0][k % 4], "reward": 0.5} for k in range(1, 5000)]
    text = page(diagnose(rows, trainers.read("trl", {"loss_type": "grpo"})))
    points = [point.split(",") for line in text.split('points="')[1:] for point in line.split('"')[0].split()]
    assert all(0 <= float(x) <= 640 and 0 <= float(y) <= 170 for x, y in points)
    assert len(text) < 200_000


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("empty.json", "", "is empty: expected a log"),
        ("half.json", '{"log_history": [', "is no JSON: "),
        ("half.jsonl", '{"step": 1}\n{"step"', "in line 2"),
        ("list.jsonl", "[1, 2]\n", "in line 1: expected a mapping of names to values"),
        ("number.json", "3", "holds no log"),
        ("none.json", '{"log_history": []}', "holds no log"),
        ("one.csv", "loss\n1\n", "has one column"),
        ("deep.json", "[" * 100_000, "is no JSON: it is nested too deep"),
        ("digits.jsonl", '{"step": 1' + "0" * 5000 + "}", "is no JSON lines: a number has too many digits in line 1"),
        ("ragged.csv", "step,loss\n1,0\n2,0,3\n", "has more cells in line 3 than its header has names (2)"),
        ("runs.csv", "Step,a - loss,b - loss\n1,0,0\n", "has columns of several runs (a, b): give one of them"),
        ("other.csv", "step,vibes\n1,2\n", "no column is one that a trainer logs (there are vibes)"),
        ("bytes.json", b"\xff\xfe\x00", "is no text"),
        ("events.out.tfevents.7", b"not an event file at all", "is no event file of TensorBoard"),
    ],
)
def test_bad_logs_are_refused_in_one_sentence(tmp_path: Path, name: str, text: str | bytes, words: str) -> None:
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = run(file)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.json"], "there is no file missing.json"),
        (["."], "holds neither event files of TensorBoard nor a trainer_state.json"),
        (["log.jsonl", "--trainer", "tlr"], "did you mean trl?"),
        (["log.jsonl", "--set", "num_generation=4"], "did you mean num_generations?"),
        (["log.jsonl", "--config", "none.yaml"], "there is no file none.yaml"),
        (["log.jsonl", "--trainer", "verl"], "no column is one that verl logs"),
        (["log.jsonl", "--page", "."], ". is a folder: expected the name of a file"),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments[0] == "log.jsonl":
        _lines(ROWS, tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_log_of_another_trainer_than_the_options_is_refused() -> None:
    with pytest.raises(ValueError, match="the options are of TRL, and the trainer is said to be verl"):
        diagnose(ROWS, trainers.read("trl", {}), trainer="verl")


def test_each_expectation_has_claims_that_are_proved_or_says_what_a_word_means() -> None:
    expected = catalogue.index().expected
    definitions = {
        "sum_of_rewards",
        "range_of_rewards",
        "weight_of_divergence",
        "learning_rate",
        "parts_of_loss",
        "finite_numbers",
    }
    assert {e.name for e in EXPECTATIONS if not e.claims} == definitions
    for expectation in EXPECTATIONS:
        assert expectation.check.__doc__
        for claim in expectation.claims:
            assert expected[claim] in (Verdict.proved, Verdict.definition), claim
        assert not expectation.claims or any(expected[claim] is Verdict.proved for claim in expectation.claims)


def test_every_fault_has_its_tell_and_every_column_its_one_meaning() -> None:
    assert set(TELLS) == set(Fault)
    for trainer, table in COLUMNS.items():
        names = [column.name for column in table]
        assert len(names) == len(set(names))
        for name in names:
            assert column_of(f"train/{name}", trainer) is not None
    assert not is_beside("loss")
    assert is_beside("eval_loss")


@pytest.mark.parametrize(("rate", "count"), [(0.02, 200), (0.5, 200), (0.9, 50)])
def test_the_interval_holds_as_often_as_it_says(rate: float, count: int) -> None:
    """Exactly, by the binomial law: at a failure of 1 in 20, so that a bound that is too narrow would show."""
    from scipy.stats import binom

    missed = 0.0
    for hits in range(count + 1):
        low, high = likely(hits / count, count, failure=0.05)
        missed += binom.pmf(hits, count, rate) * (not low <= rate <= high)
    assert 0 < missed <= 0.05


def test_the_names_are_those_that_trl_logs() -> None:
    """A row of GRPOTrainer of TRL 1.16, as its code names what it logs."""
    names = """
        loss grad_norm learning_rate num_tokens completions/mean_length completions/min_length completions/max_length
        completions/clipped_ratio completions/mean_terminated_length completions/min_terminated_length
        completions/max_terminated_length rewards/accuracy/mean rewards/accuracy/std reward reward_std
        frac_reward_zero_std sampling/sampling_logp_difference/mean sampling/sampling_logp_difference/max
        sampling/importance_sampling_ratio/min sampling/importance_sampling_ratio/mean
        sampling/importance_sampling_ratio/max kl entropy clip_ratio/low_mean clip_ratio/high_mean
        clip_ratio/region_mean clip_ratio/low_min clip_ratio/high_max step_time epoch step
    """
    row = dict.fromkeys(names.split(), 0.5)
    found = record_of([row])
    assert found.trainer == "trl"
    assert found.unknown == ()
    assert set(found.parts) == {"accuracy"}


@pytest.mark.parametrize("trainer", ["ms-swift", "unsloth"])
def test_trainers_that_log_by_the_names_of_trl(trainer: str, tmp_path: Path) -> None:
    healthy, spoilt = (run(_state(rows, tmp_path), "--trainer", trainer) for rows in (ROWS, SPOILT))
    assert (healthy.exit_code, spoilt.exit_code) == (0, 1)
    assert "0.25 was logged" in spoilt.output


def test_the_deviation_that_ms_swift_logs_is_another_quantity() -> None:
    assert column_of("reward_std", "trl") is not None
    assert column_of("reward_std", "ms-swift") is None
    assert is_beside("reward_std")


def test_logs_of_prime_rl_are_refused_with_the_reason(tmp_path: Path) -> None:
    found = run(_state(ROWS, tmp_path), "--trainer", "prime-rl")
    assert found.exit_code == 2
    assert "logs of prime-rl are held against nothing: it divides the loss by a number of micro-batches" in found.output
    with pytest.raises(ValueError, match="logs of prime-rl are held against nothing"):
        watch(trainer="prime-rl")
    with pytest.raises(ValueError, match="did you mean trl"):
        watch(trainer="tlr")


def test_the_two_axes_of_slime_are_one_where_a_batch_has_one_step(tmp_path: Path) -> None:
    """As Weights & Biases keeps it: a row for what was sampled, one for the step, and its own count of both."""
    rows = [
        {"_step": 2 * k + half, **part}
        for k in range(30)
        for half, part in enumerate(
            (
                {"rollout/step": k, "rollout/raw_reward": 0.2 + k / 100, "rollout/log_probs": -0.5},
                {"train/step": k, "train/loss": 0.002 * k, "train/pg_loss": 0.0, "train/kl_loss": 0.02 * k},
            )
        )
    ]
    file = _lines(rows, tmp_path)
    found = read_log([file])
    assert (found.trainer, found.steps.tolist(), found.unknown) == ("slime", list(range(30)), ())
    told = ("--set", "n_samples_per_prompt=8", "--set", "use_kl_loss=true", "--set", "kl_loss_type=k3")
    assert run(file, *told, "--set", "kl_loss_coef=0.1").exit_code == 0
    wrong = run(file, *told, "--set", "kl_loss_coef=0.01")
    assert (wrong.exit_code, "0.09 times the KL" in wrong.output, str(Fault.BETA) in wrong.output) == (1, True, True)
    several = run(file, *told, "--set", "num_steps_per_rollout=2")
    assert several.exit_code == 2
    assert "slime logs each of the 2 steps on a batch apart" in several.output
    with pytest.raises(ValueError, match="slime logs each of the 2 steps"):
        watch(trainers.read("slime", {"n_samples_per_prompt": 8, "num_steps_per_rollout": 2}))


def test_numbers_that_are_none_are_told(tmp_path: Path) -> None:
    """A NaN that was logged is odd; a blank, as where another row has the column, is not; a text is no number."""
    lost = [{**row, "loss": float("nan") if row["step"] >= 30 else 0.0} for row in ROWS]
    told = run(_state(lost, tmp_path), "--set", "loss_type=grpo")
    assert told.exit_code == 1
    assert "loss: From step 30 on NaN or infinity was logged (11 of 40 rows)." in told.output
    blank = [{**row, "loss": None if row["step"] >= 30 else 0.0} for row in ROWS]
    assert run(_state(blank, tmp_path), "--set", "loss_type=grpo").exit_code == 0  # type: ignore[arg-type]
    text = [{**row, "loss": "N/A"} for row in ROWS]
    result = run(_state(text, tmp_path), "--set", "loss_type=grpo")  # type: ignore[arg-type]
    assert "not understood: loss\n" in result.output


def test_a_resumed_run_counts_the_last_value_of_a_step() -> None:
    found = record_of([*SPOILT, *ROWS[20:]])
    assert found.steps.tolist() == [row["step"] for row in ROWS]
    assert found.of(Quantity.CLIP).tolist() == [0.25] * 20 + [0.0] * 20
    axes = [{"step": 1, "loss": 0.5, "kl": float("nan")}, {"step": 1, "loss": float("nan"), "kl": 0.1}]
    assert record_of(axes, "trl").lost == {}


def test_beta_is_told_by_rows_without_a_signal() -> None:
    """With a token mean the loss of a step is any covariance with the length, but where no group has a signal."""
    rows = [
        {"step": k, "kl": 0.002 * k, "frac_reward_zero_std": float(k % 4 == 0), "reward": 0.5, "grad_norm": 1.0}
        | {"completions/mean_length": 8.0, "completions/min_length": 2.0, "completions/max_length": 12.0}
        | {"loss": 0.1 * 0.002 * k + (0.0 if k % 4 == 0 else 0.05 * (-1) ** k)}
        for k in range(41)
    ]
    options = {"loss_type": "dapo", "num_generations": 8}
    assert diagnose(rows, trainers.read("trl", {**options, "beta": 0.1})).odd == ()
    (finding,) = diagnose(rows, trainers.read("trl", {**options, "beta": 0.01})).odd
    assert finding.faults[0] is Fault.BETA
    assert all(step % 4 == 0 for step in finding.steps)
    still = [{**row, "loss": 0.0, "grad_norm": 0.0} if row["step"] % 4 == 0 else row for row in rows]
    found = diagnose(still, trainers.read("trl", {**options, "beta": 0.1})).odd
    assert {f.quantity for f in found} == {Quantity.LOSS, Quantity.GRAD_NORM}
    assert {f.faults[0] for f in found} == {Fault.BETA}


def test_a_policy_that_is_its_reference_again_has_one_that_moves() -> None:
    rows = [{"step": k, "kl": 0.004 * (k % 10), "reward": 0.5} for k in range(41)]
    (finding,) = diagnose(rows, trainers.read("trl", {"beta": 0.04})).odd
    assert (finding.faults[0], finding.steps) == (Fault.REFERENCE_MOVES, (10.0, 20.0, 30.0, 40.0))
    for why in ("sync_ref_model", "mask_truncated_completions"):
        assert diagnose(rows, trainers.read("trl", {"beta": 0.04, why: True})).odd == ()


def test_texts_that_do_not_count_are_in_the_mean_advantage_all_the_same() -> None:
    """NeMo-RL gives prompts that are too long no weight in the loss."""
    prefix, rows = "grpo.num_", []
    for k in range(30):
        row = {"step": k, "loss": 0.1, "reward": 0.5, "advantages/mean": -0.1, "num_valid_samples": 32.0}
        rows.append(row if k else {**row, "loss": 0.02, "num_valid_samples": 24.0})
    options = {
        prefix + "generations_per_prompt": 8,
        prefix + "prompts_per_step": 4,
        "policy.train_global_batch_size": 32,
    }
    told = {**options, "grpo.use_leave_one_out_baseline": False, "loss_fn.reference_policy_kl_penalty": 0}
    assert diagnose(rows, trainers.read("nemo-rl", told)).odd == ()
    rows[0] = {**rows[0], "num_valid_samples": 32.0}
    (finding,) = diagnose(rows, trainers.read("nemo-rl", told)).odd
    assert finding.steps == (0.0,)


def test_the_loss_is_the_sum_of_its_parts_at_any_ratio() -> None:
    """verl's ``actor/loss`` beside ``actor/pg_loss``, several updates on a batch."""
    actor = "actor_rollout_ref.actor."
    told = {"algorithm.adv_estimator": "grpo", actor + "use_kl_loss": True, actor + "kl_loss_type": "low_var_kl"}
    rows = [
        {"step": k, "actor/pg_loss": 0.3 * (-1) ** k, "actor/kl_loss": 0.001 * k, "actor/entropy": 2 - 0.01 * k}
        | {"actor/loss": 0.3 * (-1) ** k + 0.05 * 0.001 * k}
        for k in range(1, 41)
    ]
    assert diagnose(rows, trainers.read("verl", {**told, actor + "kl_loss_coef": 0.05})).odd == ()
    (finding,) = diagnose(rows, trainers.read("verl", {**told, actor + "kl_loss_coef": 0.5})).odd
    assert (finding.faults[0], "-0.45 times the KL" in finding.text) == (Fault.BETA, True)
    minus = [{**row, "actor/loss": row["actor/pg_loss"] - 0.05 * row["actor/kl_loss"]} for row in rows]
    (finding,) = diagnose(minus, trainers.read("verl", {**told, actor + "kl_loss_coef": 0.05})).odd
    assert finding.faults[0] is Fault.KL_SIGN
    bonus = [{**row, "actor/loss": row["actor/loss"] - 0.02 * row["actor/entropy"]} for row in rows]
    (finding,) = diagnose(bonus, trainers.read("verl", {**told, actor + "kl_loss_coef": 0.05})).odd
    assert finding.faults[0] is Fault.ENTROPY


def test_options_of_another_trainer_are_refused(tmp_path: Path) -> None:
    config = tmp_path / "grpo.yaml"
    config.write_text("num_generations: 8\nbeta: 0.04\n", encoding="utf-8")
    result = run(_lines([_verl([0.0, 1.0])], tmp_path), "--config", config)
    assert result.exit_code == 2
    assert "the log is of verl, and none of the options is one of verl's: num_generations, beta" in result.stderr
