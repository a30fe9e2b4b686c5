"""From pass rates to prediction: the three formats, bad rows by line, counts that add up, the command and its page."""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from grpo_symbolic import cli
from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric import Settings, predict
from grpo_symbolic.numeric.prediction import tables
from grpo_symbolic.numeric.prediction.binomial import clopper_pearson
from grpo_symbolic.numeric.recursion.gap import of_others, value_and_slope
from grpo_symbolic.numeric.recursion.success import success_limit
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.optimality import advantage_gap, pairs
from grpo_symbolic.setting import Credit, Setting
from grpo_symbolic.trainers import from_texts
from grpo_symbolic.trainers import read as read_options

LARGE = {"group_size": math.inf, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "predict.md"
MIXED = """prompt,pass_rate,note
a,0.25,x
b,0,"y, z"
c,abc,
d,1.5,q

e,nan,q
f,,q
g,0.5
h,0.001,007
i,1,
j, 0.75 ,
k,-0.1,
"""
BAD = [
    (4, "'abc' is not"),
    (5, "1.5 is not"),
    (6, "missing"),
    (7, "'nan' is not"),
    (8, "missing"),
    (9, "2 columns"),
    (13, "-0.1 is not"),
]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "mixed.csv"
    path.write_text(MIXED, encoding="utf-8")
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_bad_rows_are_named_and_every_row_is_counted(mixed: Path, tmp_path: Path) -> None:
    out, names = tmp_path / "out.csv", tmp_path / "bad.txt"
    found = predict(mixed, beta=5, group_size=math.inf, guard=1e-5, out=out, bad_to=names, best_responses=True)
    assert (found.rows, found.predicted, found.bad_rows) == (12, 5, 7)
    assert [line for line, _ in found.bad] == [line for line, _ in BAD]
    assert all(part in reason for (_, reason), (_, part) in zip(found.bad, BAD, strict=True))
    assert found.flags == {"cycle": 1, "stuck": 2, "multiple": 3, "undecided": 0}
    assert found.before.sum() == 5
    assert found.after.sum() == found.settled == 4
    written = rows_of(out)
    assert [row["prompt"] for row in written] == ["a", "b", "h", "i", "j"]
    assert written[1]["note"] == "y, z"
    assert written[2]["note"] == "007"
    assert float(written[0]["predicted"]) == float(success_limit(0.25, 5, 1e-5, **LARGE).limit)
    assert written[2]["predicted"] == ""
    assert float(written[2]["predicted_high"]) == pytest.approx(0.0587157611757, rel=1e-9)
    assert [row["flags"] for row in written] == ["multiple", "stuck", "cycle|multiple", "stuck", "multiple"]
    assert len(names.read_text(encoding="utf-8").splitlines()) == 7


def test_refusing_names_the_first_bad_row_and_writes_nothing(mixed: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with pytest.raises(BadInput, match=r"line 4: the pass rate 'abc' is not a number; nothing was written"):
        predict(mixed, beta=5, out=out, on_bad="refuse")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mixed.csv"]


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "csv"])
def test_formats_give_the_same(ending: str, mixed: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    again = tmp_path / f"again.{ending}"
    first = predict(mixed, beta=0.8, group_size=8, out=again)
    second = predict(again, beta=0.8, group_size=8)
    assert second.bad_rows == 0
    assert second.rows == first.predicted
    assert second.mean_after == first.mean_after
    with pytest.raises(BadInput, match="column 'predicted' already"):
        predict(again, beta=0.8, group_size=8, out=tmp_path / f"third.{ending}")


def test_bad_lines_of_json(tmp_path: Path) -> None:
    path = tmp_path / "rates.jsonl"
    path.write_text(
        '{"pass_rate": 0.5}\nnot json\n[1]\n{"pass_rate": true}\n{"other": 1}\n{"pass_rate": NaN}\n', "utf-8"
    )
    found = predict(path, beta=1)
    assert (found.rows, found.predicted) == (6, 1)
    assert [line for line, _ in found.bad] == [2, 3, 4, 5, 6]


def test_a_text_far_down_the_file_is_found_by_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing before or after it is lost or counted twice, in whichever block it is."""
    monkeypatch.setattr(tables, "_ROWS", 1 << 10)
    path, out = tmp_path / "long.csv", tmp_path / "out.csv"
    lines = [f"{k},{k % 9 / 8}" for k in range(5000)]
    lines[3], lines[4321], lines[4400] = "3", "4321,much", "4400,1,2"
    path.write_text("id,pass_rate\n" + "\n".join(lines) + "\n", encoding="utf-8")
    found = predict(path, beta=1, out=out)
    assert [line for line, _ in found.bad] == [5, 4323, 4402]
    assert (found.rows, found.predicted) == (5000, 4997)
    assert [row["id"] for row in rows_of(out)] == [str(k) for k in range(5000) if k not in (3, 4321, 4400)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), max_size=30), st.floats(1e-3, 30), st.sampled_from([2, 8, math.inf]))
def test_arrays_match_the_solver(rates: list[float], beta: float, size: float) -> None:
    found = predict(rates, beta, size, best_responses=True)
    for k, rate in enumerate(rates):
        if rate in (0, 1):
            assert found.predicted[k] == rate
            assert "stuck" in found.flag_names[k]
        else:
            one = success_limit(rate, beta, group_size=size, penalty="reverse-kl")
            np.testing.assert_allclose(found.predicted[k], one.limit, rtol=1e-12)
            assert ("cycle" in found.flag_names[k]) == (one.verdict == "cycle")
            assert ("multiple" in found.flag_names[k]) == bool(one.multiple)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--beta", "-1"], "β must be finite and at least 0"),
        (["--beta", "0", "--best-responses"], "β must be positive"),
        (["--beta", "1", "--steps", "10"], "belong together"),
        (["--beta", "1", "--steps", "10", "--learning-rate", "0"], "the learning rate must be positive"),
        (["--beta", "1", "--steps", "-1", "--learning-rate", "1"], "the number of steps must be a whole number"),
        (["--beta", "1", "--tokens", "0"], "the number of tokens must be a whole number from 1"),
        (["--beta", "1", "--attempts", "0"], "the number of attempts must be a whole number from 1"),
        (["--beta", "1", "--tokens", "2", "--best-responses"], "are about the softmax flow"),
        (["--beta", "1", "--group-size", "1"], "the group size must be"),
        (["--beta", "1", "--column", "rate"], "has no column 'rate'; its columns are prompt, pass_rate, note"),
        (["--beta", "1", "--format", "xls"], "the format must be one of"),
        (["--beta", "1", "--on-bad", "ignore"], "'skip' or 'refuse'"),
        (["--beta", "1", "--penalty", "tv"], "there is no penalty 'tv'"),
        (["--beta", "1", "--out", "missing/out.csv"], "cannot be written"),
        (["--beta", "1", "--out", "/proc/out.csv"], "/proc/out.csv cannot be written: No such file or directory"),
        (["--beta", "1", "--out", "table.xyz"], "cannot be told from its ending"),
        (["--beta", "1", "--plot", "plot.xyz"], "expected one of the endings"),
        (["--beta", "1", "--plot", "missing/plot.png"], "cannot be written"),
    ],
)
def test_bad_options_are_one_sentence(options: list[str], sentence: str, mixed: Path) -> None:
    done = CliRunner().invoke(cli.app, ["predict", str(mixed), *options])
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""  # refused before the work, not after it


def test_files_that_cannot_be_read(tmp_path: Path, mixed: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        predict(tmp_path / "none.csv", beta=1)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"no parquet")
    with pytest.raises(BadInput, match="cannot be read as Parquet"):
        predict(broken, beta=1)
    with pytest.raises(BadInput, match="is the file that is read"):
        predict(mixed, beta=1, out=mixed)
    with pytest.raises(BadInput, match="at place 1"):
        predict([0.1, math.nan], beta=1)


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("pass_rate\n", encoding="utf-8")
    assert predict(path, beta=1).rows == 0
    path.write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="no column 'pass_rate'; it has no line that names columns"):
        predict(path, beta=1)


def test_the_plot_is_drawn(mixed: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "picture.png"
    done = CliRunner().invoke(
        cli.app, ["predict", str(mixed), "--beta", "5", "--guard", "1e-5", "--best-responses", "--plot", str(picture)]
    )
    assert done.exit_code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_example_of_the_docs_is_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/how-to/predict.md: its file, its command, its output and the file that is written."""
    text = PAGE.read_text(encoding="utf-8")
    given_csv, page, written = re.findall(r"```(?:csv|text)\n(.*?)```", text, re.S)[:3]
    command = re.search(r"^grpo-symbolic predict (.*)$", text, re.M)
    assert command is not None
    monkeypatch.chdir(tmp_path)
    Path("pass_rates.csv").write_text(given_csv, encoding="utf-8")
    done = CliRunner().invoke(cli.app, ["predict", *command.group(1).split()])
    assert done.exit_code == 0, done.output
    assert done.stdout.split() == page.split()
    ours, theirs = Path("predicted.jsonl").read_text(encoding="utf-8").splitlines(), written.splitlines()
    for mine, its in zip(ours, theirs, strict=True):
        one, other = json.loads(mine), json.loads(its)
        assert one.keys() == other.keys()
        for name in one:
            assert one[name] == (
                pytest.approx(other[name], rel=1e-9) if isinstance(other[name], float) else other[name]
            )


# -- the softmax flow ------------------------------------------------------------------------------------------------

TRAINER = {"guard": 1e-4, "guard_inside": False, "sample_deviation": True}


@pytest.mark.parametrize("rate", [1e-3, 0.2, 0.9])
def test_without_a_penalty_the_success_keeps_the_time_of_its_closed_forms(rate: float) -> None:
    """tr-flow-clock for groups of two, whose gap is 1, and tr-flow-large-groups."""

    def clock(x: float) -> float:
        return 2 * math.log(x / (1 - x)) + 1 / (1 - x) - 1 / x

    (pair,) = predict([rate], beta=0, group_size=2, steps=500, learning_rate=0.5).after
    assert clock(pair) - clock(rate) == pytest.approx(2 * 250, rel=1e-6)
    (many,) = predict([rate], beta=0, group_size=math.inf, steps=40, learning_rate=0.5).after
    angle = (2 * rate - 1) / math.sqrt(rate * (1 - rate)) + 20
    assert many == pytest.approx((1 + angle / math.sqrt(4 + angle**2)) / 2, rel=1e-7)


@pytest.mark.parametrize("penalty", ["k3", "reverse-kl"])
@pytest.mark.parametrize("tokens", [1, 3, 16])
def test_the_flow_ends_where_it_rests(tokens: int, penalty: str) -> None:
    rates = [0.01, 0.25, 0.75]
    found = predict(rates, 0.5, 8, penalty=penalty, tokens=tokens, steps=10**9, learning_rate=0.1, **TRAINER)
    np.testing.assert_allclose(found.after, found.predicted, atol=1e-6)


def test_the_rest_point_of_several_tokens_keeps_their_balance() -> None:
    """tr-chain-balance, the tokens solved one by one from (14) with the gap of groups of two, which is 1."""
    beta, rate, tokens = 0.3, 0.05, 5
    (success,) = predict([rate], beta, 2, tokens=tokens).predicted
    later, left, each = 1.0, 0.0, rate ** (1 / tokens)
    for _ in range(tokens):
        b = beta / later
        own = (1 - b + math.sqrt((1 - b) ** 2 + 4 * b * each)) / 2
        left += each / own - math.log(each / own) - 1
        later *= own
    assert success == pytest.approx(later, rel=1e-12)
    assert 1 - success == pytest.approx(beta * (math.log(success / rate) - left), rel=1e-10)


def test_more_tokens_end_lower_and_several_are_as_real_runs_of_sixteen() -> None:
    """The successes are those of runs with TRL's loss: groups of 8, β = 0.04, 12,000 steps."""
    rates = [0.001, 0.031, 0.25]
    ends = [predict(rates, 0.04, 8, tokens=t, **TRAINER).predicted for t in (1, 2, 4, 16)]
    assert all((after < before).all() for before, after in itertools.pairwise(ends))
    np.testing.assert_allclose(ends[-1], [0.897, 0.947, 0.978], atol=1.5e-3)


@pytest.mark.parametrize(("beta", "penalty"), [(0, "k3"), (0.04, "reverse-kl")])
def test_the_time_is_when_success_is_all_but_certain(beta: float, penalty: str) -> None:
    found = predict([0.1, 0.5], beta, 8, penalty=penalty)
    assert (found.predicted > 1 - 1e-6).all()
    for rate, time in zip([0.1, 0.5], found.time, strict=True):
        (then,) = predict([rate], beta, 8, penalty=penalty, steps=1, learning_rate=time).after
        assert 1 - then == pytest.approx(1e-6, rel=1e-4)
    assert np.isnan(predict([0.0, 1.0, 0.5], 0.5, 8).time).all()


@pytest.mark.parametrize(("successes", "attempts"), [(0, 32), (1, 32), (7, 16), (16, 16), (40, 1000)])
def test_intervals_are_those_of_the_beta_distribution(successes: int, attempts: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    low, high = clopper_pearson(successes, attempts)
    assert low == pytest.approx(stats.beta.ppf(0.025, successes, attempts + 1 - successes) if successes else 0)
    upper = stats.beta.ppf(0.975, successes + 1, attempts - successes) if successes < attempts else 1
    assert high == pytest.approx(upper)


def test_predictions_of_an_interval_are_those_of_its_ends() -> None:
    found = predict([0.0, 0.25, 1.0], 0.5, 8, attempts=32)
    for k, (low, high) in enumerate(clopper_pearson(s, 32) for s in (0, 8, 32)):
        assert found.low[k] == predict([low], 0.5, 8).predicted[0]
        assert found.high[k] == predict([high], 0.5, 8).predicted[0]
    with pytest.raises(BadInput, match=r"0\.3 is not a whole number of 32 attempts"):
        predict([0.3], 0.5, attempts=32)


def test_the_table_of_real_runs_is_of_what_is_predicted() -> None:
    cells = r"(\d+)", r"([\w=., ]+)", r"(\d+) × ([\d.]+)", *[r"([\d.]+)"] * 3
    rows = re.findall(r"^\| " + r" \| ".join(cells) + r" \|$", PAGE.read_text(encoding="utf-8"), re.M)
    assert len(rows) >= 24
    for tokens, told, steps, learning_rate, rate, predicted, run in rows:
        options = {} if told == "defaults" else from_texts(told.split(", "))
        (again,) = predict(
            [float(rate)],
            setting=setting_of("trl==1.16.0", **options),
            tokens=int(tokens),
            steps=int(steps),
            learning_rate=float(learning_rate),
        ).after
        assert again == pytest.approx(float(predicted), abs=6e-5)
        assert float(run) == pytest.approx(again, abs=0.015)


# A setting, and trainers.

RATES = [0.03125, 0.25, 0.5, 0.875]
REFUSED = [
    ("openrlhf", {"algo.advantage.estimator": "reinforce"}, {}, "over the batch"),
    ("verl", {"algorithm.filter_groups.enable": True}, {}, "dynamic sampling"),
    ("verl", {"algorithm.adv_estimator": "grpo_passk"}, {}, "pass@k"),
    ("verl", {"actor_rollout_ref.actor.loss_agg_mode": "token-sum"}, {}, "a sum over the batch"),
    ("verl", {"algorithm.use_kl_in_reward": True}, {}, "k1 in the reward"),
    ("trl", {}, {"beta": 1}, "beta cannot be given beside it"),
    ("trl", {}, {"scaled": False}, "scaled cannot be given beside it"),
]


def setting_of(trainer: str, **options: Any) -> Setting:
    return read_options(trainer, options).setting


def test_a_setting_is_the_training_that_its_numbers_say() -> None:
    old, new = (setting_of(f"trl=={version}", beta=0.04, loss_type="grpo") for version in ("1.9.2", "1.16.0"))
    plain = {"beta": 0.04, "group_size": 8, "guard": 1e-4, "guard_inside": False, "sample_deviation": True}
    for setting, penalty in ((old, "k3"), (new, "reverse-kl")):
        for more in ({}, {"tokens": 4, "steps": 100, "learning_rate": 0.5}):
            found, expected = predict(RATES, setting=setting, **more), predict(RATES, penalty=penalty, **plain, **more)
            assert found.predicted.tolist() == expected.predicted.tolist()
            assert np.array_equal(found.after, expected.after, equal_nan=True)


def test_a_leave_one_out_mean_without_a_deviation_has_the_gap_one() -> None:
    kl = {"algo.kl.init_coef": 0.5, "algo.kl.estimator": "k3", "algo.kl.use_loss": True}
    found = predict(RATES, setting=setting_of("openrlhf", **{"algo.advantage.estimator": "rloo"}, **kl))
    closed = [float(pairs(sympy.S.Half, sympy.Rational(str(rate)))) for rate in RATES]
    assert found.predicted == pytest.approx(closed, rel=1e-12)


def test_the_gap_of_the_others_deviation_is_the_exact_one() -> None:
    exact = Advantage(
        sample_deviation=True,
        leave_one_out=True,
        guard_inside=False,
        guard=sympy.Rational(1, 1000),
        others_deviation=True,
    )
    gap = of_others(1e-3, 5, True)
    for rate in (0.01, 0.3, 0.5, 0.9):
        value = value_and_slope(np, gap.family, gap.parameters, np.float64(math.log(rate / (1 - rate))))[0]
        assert float(value) == pytest.approx(float(advantage_gap(5, sympy.Rational(str(rate)), exact)), rel=1e-12)


def test_a_charge_to_the_whole_text_is_the_gradient_over_all_its_texts() -> None:
    """Texts of three tokens, enumerated: what each token's log-odds gain, with the states after a wrong token too."""
    beta, tokens = 0.3, 3
    whole = {"penalty": "reverse-kl", "scaled": False, "leave_one_out": True, "credit": Credit.TEXT}  # the gap is 1
    flow = Settings(beta=beta, group_size=2, tokens=tokens, **whole).flow
    z, reference = np.array([[0.3, -0.7, 1.1]]), np.array([[-0.4, 0.2, 0.5]])
    own, its = (1 / (1 + np.exp(-each[0])) for each in (z, reference))
    gain = np.zeros(tokens)
    for text in itertools.product((True, False), repeat=tokens):
        chance, apart, met = 1.0, 0.0, []
        for token, right in enumerate(text):
            lost = not all(text[:token])
            now, before = (its[token] if lost else own[token]), its[token]  # after a wrong token all is the reference's
            chance *= now if right else 1 - now
            apart += math.log(now / before) if right else math.log((1 - now) / (1 - before))
            if not lost:
                met.append((token, right - now))
        for token, score in met:
            gain[token] += chance * (all(text) - beta * apart) * score
    assert flow.rate(z, reference)[0] == pytest.approx(2 * gain / tokens, rel=1e-12)


def test_a_charge_to_the_whole_text_rests_where_one_token_does() -> None:
    setting = setting_of("openrlhf", **{"algo.kl.init_coef": 0.5})
    one, many = (predict(RATES, setting=setting, tokens=tokens, steps=10**6, learning_rate=1.0) for tokens in (1, 4))
    assert many.predicted == pytest.approx(one.predicted, rel=1e-9)
    assert many.after == pytest.approx(one.predicted, rel=1e-5)


def test_an_aggregation_sets_the_pace_and_not_the_end() -> None:
    means, sums = (
        setting_of("trl==1.9.2", beta=0.04, loss_type=kind, max_completion_length=32) for kind in ("grpo", "dr_grpo")
    )
    sums = replace(sums, advantages=means.advantages)
    at = {"tokens": 8, "learning_rate": 0.5}
    slow, quick = predict(RATES, setting=sums, steps=400, **at), predict(RATES, setting=means, steps=100, **at)
    assert slow.predicted.tolist() == quick.predicted.tolist()
    assert slow.after == pytest.approx(quick.after.tolist(), rel=1e-12)


def test_a_cap_below_one_is_a_larger_beta_at_a_slower_pace() -> None:
    capped = setting_of("trl==1.9.2", beta=0.04, loss_type="cispo")
    free = setting_of("trl==1.9.2", beta=0.2, loss_type="cispo", epsilon_high=5.0)
    slow = predict(RATES, setting=capped, steps=500, learning_rate=0.5)
    quick = predict(RATES, setting=free, steps=100, learning_rate=0.5)
    assert slow.predicted == pytest.approx(quick.predicted.tolist(), rel=1e-9)
    assert slow.after == pytest.approx(quick.after.tolist(), rel=1e-9)


def test_what_begins_at_an_end_takes_no_time() -> None:
    found = predict([1e-9, 1 - 1e-9, 0.5], beta=10, group_size=8)
    assert found.time[:2].tolist() == [0.0, 0.0]
    assert math.isnan(found.time[2])


@pytest.mark.parametrize(("trainer", "options", "more", "told"), REFUSED, ids=lambda value: str(value)[:30])
def test_settings_without_an_equation_are_refused(trainer: str, options: Any, more: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told) as refusal:
        predict(RATES, setting=setting_of(trainer, **options), **more)
    assert "\n" not in str(refusal.value)


def test_the_command_takes_a_trainer(tmp_path: Path) -> None:
    rates = tmp_path / "rates.csv"
    rates.write_text("pass_rate\n0.5\n")
    run = CliRunner().invoke(cli.app, ["predict", str(rates), "--trainer", "trl==1.16.0"])
    assert run.exit_code == 0
    for piece in ("TRL 1.16.0", "groups of 8, sample deviation + 0.0001, no penalty", "1 row within 10⁻⁶"):
        assert piece in run.stdout
    for wrong in ([], ["--set", "beta=1"], ["--trainer", "trl", "--beta", "1"], ["--beta", "-1"], ["--beta", "nan"]):
        bad = CliRunner().invoke(cli.app, ["predict", str(rates), *wrong])
        assert (bad.exit_code, len(bad.stderr.splitlines())) == (2, 1)
