"""From pass rates to prediction: the three formats, bad rows by line, counts that add up, the command and its page."""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from checkout import ROOT
from command_line import cli
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric import Settings, predict
from grpo_symbolic.numeric.prediction import tables
from grpo_symbolic.numeric.prediction.binomial import clopper_pearson
from grpo_symbolic.numeric.prediction.calibration import read_log
from grpo_symbolic.numeric.prediction.training import settings_of
from grpo_symbolic.numeric.prediction.updates import Batch, Slope, Updates
from grpo_symbolic.numeric.recursion.gap import of_group, of_many, of_others, take, value_and_slope
from grpo_symbolic.numeric.recursion.success import success_limit
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.optimality import advantage_gap, pairs
from grpo_symbolic.setting import (
    Advantages,
    Aggregation,
    CappedWeight,
    Credit,
    Estimator,
    NoClip,
    Over,
    Penalty,
    PenaltyWeight,
    Ratio,
    RatioClip,
    Setting,
)
from grpo_symbolic.trainers import loss
from grpo_symbolic.trainers import read as read_options

LARGE = {"group_size": math.inf, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)

PAGE = ROOT / "docs" / "how-to" / "predict.md"
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
        (["--beta", "1", "--group-size", "5000"], "the group size must be oo or a whole number from 2 to 4096"),
        (["--beta", "1", "--group-size", "oo", "--dynamic-sampling"], "dynamic sampling needs the size of the groups"),
        (["--beta", "1", "--calibrate", "5"], "belong to a log"),
        (["--beta", "1", "--log", "x.csv"], "on how many rows of the log"),
        (["--beta", "1", "--log", "x.csv", "--calibrate", "5"], "there is no file x.csv"),
        (["--beta", "1", "--log", "x.csv", "--learning-rate", "1"], "no learning rate is given beside it"),
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
    done = cli("predict", str(mixed), *options)
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
    done = cli("predict", str(mixed), "--beta", "5", "--guard", "1e-5", "--best-responses", "--plot", str(picture))
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
    done = cli("predict", *command.group(1).split())
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


# A setting, and trainers.

RATES = [0.03125, 0.25, 0.5, 0.875]
REFUSED = [
    ("openrlhf", {"algo.advantage.estimator": "reinforce"}, {}, "over the batch"),
    ("trl", {"num_iterations": 4, "loss_type": "sapo"}, {"steps": 1, "learning_rate": 1.0}, "4 updates on a batch"),
    ("openrlhf", {}, {"steps": 1, "learning_rate": 1.0}, "64 updates on a batch with this gradient of the penalty"),
    ("trl", {"scale_rewards": "batch"}, {"attempts": 32}, "the interval of one prompt"),
    ("trl", {}, {"tokens": 4, "decisions": 5}, "at least as many tokens as decisions"),
    ("trl", {}, {"right_length": 0.5}, "must be finite and at least 1"),
    ("openrlhf", {}, {"tokens": 4, "wrong_length": 8}, "a penalty that whole texts pay"),
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
    at = {"steps": 10**6, "learning_rate": 1.0, "anyway": True}  # though there are 64 updates on a batch
    one, many = (predict(RATES, setting=setting, tokens=tokens, **at) for tokens in (1, 4))
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


# Every expectation over groups, by enumeration under the package's own loss.

KEPT = {"updates": 4, "clip": NoClip(), "penalty": None}
STEPS = {
    "plain": Setting(group_size=2, **KEPT),
    "clip": Setting(group_size=3, updates=4, penalty=None),
    "clip-higher, no deviation": Setting(
        Advantages(scale=None), 2, None, clip=RatioClip(Fraction(1, 10), Fraction(3, 10)), updates=2
    ),
    "two-sided": Setting(group_size=2, penalty=None, clip=RatioClip(delta=Fraction(11, 10)), updates=2),
    "dual clip": Setting(group_size=2, penalty=None, clip=RatioClip(dual=Fraction(11, 10)), updates=2),
    "GSPO": Setting(
        group_size=3, penalty=None, ratio=Ratio.ROOT, clip=RatioClip(Fraction(1, 20), Fraction(1, 20)), updates=4
    ),
    "CISPO": Setting(group_size=2, penalty=None, clip=CappedWeight(Fraction(11, 10), Fraction(9, 10)), updates=4),
    "CISPO, a cap below 1": Setting(group_size=2, penalty=None, clip=CappedWeight(Fraction(1, 5)), updates=4),
    "k3": Setting(group_size=2, penalty=Penalty(Fraction(3, 10)), updates=4),
    "k3 times the ratio": Setting(
        group_size=2, penalty=Penalty(Fraction(3, 10), weight=PenaltyWeight.RATIO), updates=4
    ),
    "k2": Setting(group_size=2, penalty=Penalty(Fraction(3, 10), Estimator.K2), updates=4),
    "token sum, k3": Setting(
        group_size=2, penalty=Penalty(Fraction(3, 10)), aggregation=Aggregation(Over.TEXT_SUM), updates=4
    ),
    "constant length, k3": Setting(
        group_size=2, penalty=Penalty(Fraction(3, 10)), aggregation=Aggregation(Over.CONSTANT, 7), updates=4
    ),
    "dynamic sampling": Setting(group_size=3, penalty=Penalty(Fraction(3, 10)), dynamic_sampling=True, updates=4),
}
TEXTS = ((0, 0), (0, 1), (1, 0))  # right; wrong at the second token; wrong at the first, after which nothing is chosen


def enumerated(setting: Setting, z: Any, old: Any, reference: Any, lengths: tuple[int, int]) -> Any:
    """Minus the gradient of the expected loss of one group, in the log-odds, for texts of two deciding tokens."""
    torch = pytest.importorskip("torch")
    now = torch.tensor(z, dtype=torch.float64, requires_grad=True)
    size, longest = setting.group_size, max(lengths)
    lines = [lengths[0] if text == (0, 0) else lengths[1] for text in TEXTS]
    mask = torch.tensor([[float(k < length) for k in range(longest)] for length in lines])

    def logs(at: Any) -> Any:
        odds = torch.as_tensor(at)
        right, wrong = torch.nn.functional.logsigmoid(odds), torch.nn.functional.logsigmoid(-odds)
        rows = [[right[0], right[1]], [right[0], wrong[1]], [wrong[0], odds[0] * 0]]
        return torch.stack([torch.stack([*row, *[odds[0] * 0] * (longest - 2)]) for row in rows])

    logp, before, ref = logs(now), logs(old).detach(), logs(reference).detach()
    chances, of, total, weight = before.sum(1).exp(), loss(setting), 0.0, 0.0
    for group in itertools.product(range(3), repeat=size):
        rewards = torch.tensor([float(k == 0) for k in group], dtype=torch.float64)
        if setting.dynamic_sampling and len(set(rewards.tolist())) == 1:
            continue
        rows, chance = list(group), float(chances[list(group)].prod())
        whole = torch.zeros(size, dtype=torch.long)
        total = total + chance * of(logp[rows], before[rows], ref[rows], mask[rows], rewards, whole, before[rows])
        weight += chance
    (slope,) = torch.autograd.grad(total / weight, now)
    return -slope.numpy()


@pytest.mark.parametrize("lengths", [(2, 2), (2, 5), (6, 3)], ids=str)
@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_the_gradient_over_all_groups(name: str, lengths: tuple[int, int]) -> None:
    setting, (right, wrong) = STEPS[name], lengths
    z, old, reference = np.array([[0.6, -0.1]]), np.array([[0.3, -0.4]]), np.array([[-0.2, 0.5]])
    form = settings_of(setting, 2, right_length=right, wrong_length=wrong)
    steps = Updates(form.flow, form.updates, form.clipping, form.slope or Slope.K3)
    found = form.pace * steps.slopes(z, old, reference, Batch(np.ones(1)))[0]
    assert found == pytest.approx(2 * enumerated(setting, z[0], old[0], reference[0], lengths), rel=1e-9, abs=1e-12)
    if name in ("k3", "token sum, k3", "dynamic sampling"):
        on_policy = 2 * enumerated(setting, z[0], z[0], reference[0], lengths)
        assert form.flow.rate(z, reference)[0] == pytest.approx(on_policy, rel=1e-9)


def test_the_flow_is_the_limit_of_its_steps() -> None:
    setting = setting_of("trl==1.16.0", beta=0.1, loss_type="grpo")
    flow = predict(RATES, setting=setting, tokens=3, steps=100, learning_rate=0.3).after
    steps = predict(RATES, setting=replace(setting, updates=2), tokens=3, steps=6000, learning_rate=5e-3).after
    assert steps == pytest.approx(flow.tolist(), rel=1e-3)


def test_a_tight_clip_is_slower_and_ends_where_the_flow_does() -> None:
    tight = {"importance_sampling_level": "sequence", "epsilon": 3e-4, "epsilon_high": 4e-4, "loss_type": "grpo"}
    one, four = (setting_of("trl==1.16.0", **tight, num_iterations=n) for n in (1, 4))
    at = {"tokens": 3, "steps": 200, "learning_rate": 0.5}
    quick, slow = predict(RATES, setting=one, **at), predict(RATES, setting=four, **at)
    assert (slow.after < quick.after - 0.005).all()
    assert slow.predicted.tolist() == quick.predicted.tolist()
    assert np.isnan(slow.time).all()


def test_dynamic_sampling_rests_where_its_smaller_beta_does() -> None:
    """tr-kept-penalty for groups of two: β(1 − 2x(1 − x)) in the place of β, with the gap 1."""
    beta, rates = 0.5, np.array([0.05, 0.25, 0.6])
    x = predict(rates, beta, 2, dynamic_sampling=True).predicted
    assert x * (1 - x) == pytest.approx((beta * (1 - 2 * x * (1 - x)) * (x - rates)).tolist(), rel=1e-6)


def test_the_deviation_of_the_batch_joins_its_prompts() -> None:
    setting = setting_of("trl==1.16.0", beta=0.5, loss_type="grpo", scale_rewards="batch", use_bias_correction_kl=False)
    rates = [0.1, 0.1, 0.4, 0.0]
    found = predict(rates, setting=setting, steps=20_000, learning_rate=0.05)
    assert found.after == pytest.approx(found.predicted.tolist(), rel=1e-5)
    mean = found.predicted.mean()
    gap = (1 - 1 / 8) / (math.sqrt(mean * (1 - mean)) + 1e-4)
    x = found.predicted[:3]
    assert x * (1 - x) * gap == pytest.approx((0.5 * (x - rates[:3])).tolist(), rel=1e-6)
    alone = predict(rates[:1], setting=setting).predicted
    assert abs(alone[0] - found.predicted[0]) > 1e-3


def test_a_file_is_one_batch_where_its_deviation_divides(tmp_path: Path) -> None:
    rates = tmp_path / "rates.csv"
    rates.write_text("pass_rate\n0.1\n0.1\n0.4\n0\n", encoding="utf-8")
    setting = setting_of("trl==1.16.0", beta=0.5, loss_type="grpo", scale_rewards="batch")
    at = {"steps": 10, "learning_rate": 0.5}
    whole = predict(rates, setting=setting, **at)
    assert whole.mean_reached == pytest.approx(predict([0.1, 0.1, 0.4, 0.0], setting=setting, **at).after.mean())


def test_groups_of_any_size_have_their_gap() -> None:
    for inside, sample in ((True, False), (False, True)):
        small, large = of_group(np.array([1e-4]), 64, inside, sample), of_many(1e-4, 64, inside, sample)
        for rate in (0.01, 0.3, 0.5):
            t = np.float64(math.log(rate / (1 - rate)))
            values = [value_and_slope(np, gap.family, gap.parameters, t)[0] for gap in (take(small, 0), large)]
            assert values[0] == pytest.approx(values[1], rel=1e-12)
    ends = [predict([0.1], 0.5, size).predicted[0] for size in (32, 64, 65, 256, 4096, math.inf)]
    assert ends == sorted(ends)
    assert ends[-2] == pytest.approx(ends[-1], rel=2e-4)


# The clock from a log.


def written_log(path: Path, rates: list[float], setting: Setting, rate: float, steps: range) -> Path:
    """A log whose success is that of this rate of plain gradient ascent."""
    times = [rate * step for step in steps]
    success = settings_of(setting).course(np.array(rates), Batch(np.ones(len(rates))), steps, times).mean(axis=1)
    path.write_text("step,success\n" + "".join(f"{k},{s:.12g}\n" for k, s in zip(steps, success, strict=True)), "utf-8")
    return path


def test_the_clock_of_a_log_is_found(tmp_path: Path) -> None:
    setting, rates = setting_of("trl==1.16.0", beta=0.04), [0.1, 0.3, 0.5]
    log = written_log(tmp_path / "log.csv", rates, setting, 0.07, range(0, 200, 10))
    table = tmp_path / "rates.csv"
    table.write_text("pass_rate\n0.1\n0.3\n0.5\n", encoding="utf-8")
    found = predict(table, setting=setting, log=log, calibrate_on=6)
    assert found.calibration.rate == pytest.approx(0.07, rel=1e-4)
    assert found.calibration.off < 1e-5
    assert len(found.calibration.steps) == 14
    assert (found.settings.steps, found.settings.learning_rate) == (190, pytest.approx(0.07, rel=1e-4))
    further = predict(rates, setting=setting, log=log, calibrate_on=6, steps=400).after
    exact = predict(rates, setting=setting, steps=400, learning_rate=0.07).after
    assert further == pytest.approx(exact.tolist(), rel=1e-4)


def test_the_rewards_of_a_step_are_those_before_it_and_its_schedule_goes_on(tmp_path: Path) -> None:
    rows = [{"step": k, "reward": 0.1 * k, "learning_rate": 0.5 - 0.1 * (k - 1)} for k in (1, 2, 3)]
    state = tmp_path / "trainer_state.json"
    state.write_text(json.dumps({"log_history": [*rows, {"step": 3, "train_loss": 0.0}]}), encoding="utf-8")
    series = read_log(state)
    assert series.steps == (0, 1, 2)
    assert series.passed == pytest.approx((0.0, 0.5, 0.9))
    assert (series.last, series.total) == (3, pytest.approx(1.2))
    assert [series.until(step) for step in (3, 4, 5, 9)] == pytest.approx([1.2, 1.4, 1.5, 1.5])
    lines = tmp_path / "log.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert read_log(lines) == series
    again = [{"step": 2, "reward": 0.9, "learning_rate": 0.4}, *rows]  # of a run that was resumed
    lines.write_text("".join(json.dumps(row) + "\n" for row in again), encoding="utf-8")
    assert read_log(lines) == series
    exported = "Step,run - train/reward,run - train/reward__MIN,run - train/learning_rate\n"
    table = tmp_path / "wandb.csv"
    table.write_text(exported + "".join(f"{r['step']},{r['reward']},0,{r['learning_rate']}\n" for r in rows))
    assert read_log(table).success == series.success


@pytest.mark.parametrize(
    ("text", "first", "told"),
    [
        ("step,reward\n1,0.3\n2,1.5\n", 2, "step 2: reward is 1.5, and a success lies from 0 to 1"),
        ("step,loss\n1,0.3\n", 2, "no number in a column 'reward' or "),
        ("iteration,reward\n1,0.3\n", 2, "has no steps: expected a column 'step' or "),
        ("Step,a - reward,b - reward\n1,0.3,0.4\n", 2, "columns of several runs \\(a, b\\): give one of them"),
        ("step,reward\n1,0.3\n2,0.4\n", 3, "the clock is fitted on 2 to 2 rows of the log, got 3"),
        ("step,reward\n,0.3\n", 2, "has no steps"),
        ("step,reward,learning_rate\n1,0.3,0\n2,0.4,0\n", 2, "its learning rate is 0 there"),
        ("step,reward\n" + "".join(f"{k},{0.2 + 0.1 * (k % 2)}\n" for k in range(1, 21)), 20, "do not tell a clock"),
    ],
)
def test_logs_that_tell_no_clock_are_refused(text: str, first: int, told: str, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=told) as refusal:
        predict([0.25, 0.3], 0.1, 8, log=log, calibrate_on=first)
    assert "\n" not in str(refusal.value)


# What is said of the numbers.


def test_each_number_says_what_it_assumes(tmp_path: Path) -> None:
    rates, log = tmp_path / "rates.csv", tmp_path / "log.csv"
    rates.write_text("pass_rate\n0.1\n0.3\n0.5\n", encoding="utf-8")
    written_log(log, [0.1, 0.3, 0.5], setting_of("trl==1.16.0", beta=0.04), 0.07, range(0, 200, 10))
    command = ["predict", str(rates), "--trainer", "trl==1.16.0", "--set", "beta=0.04"]
    command += ["--log", str(log), "--calibrate", "6"]
    page = cli(*command)
    assert page.exit_code == 0, page.output
    for piece in ("the clock of the first 6 rows of the log", "the end is a bound and no forecast", "seen before: "):
        assert piece in page.stdout
    told = json.loads(cli(*command, "--json").stdout)
    for name in ("end", "after", "time"):
        assert "independent prompts" in told[name]["assumes"]
        assert "on-policy samples" in told[name]["assumes"]
    assert told["after"]["runs_were_off"]["kind"] == "one decision"
    assert told["clock"]["rate"] == pytest.approx(0.07, rel=1e-4)
    assert told["shared_parameters"]["bound"] is True
    assert told["after"]["value"] == pytest.approx(
        float(re.search(r"after \d+ .*: ([\d.]+);", page.stdout)[1]), abs=1e-4
    )  # type: ignore[index]
    several = json.loads(cli(*command, "--tokens", "2", "--json").stdout)
    assert several["shared_parameters"]["bound"] is False


@pytest.mark.parametrize("beta", [0.0, 0.3])
def test_shared_parameters_cannot_go_beyond_the_bound(beta: float) -> None:
    """Log-odds that are linear in two parameters: ∫Δ dx − β KL, added up, stays below its value at the ends."""
    form, rates = Settings(beta=beta, group_size=8), np.array([0.1, 0.3, 0.6])
    shared = np.array([[1.0, 0.2], [-0.9, 0.4], [0.5, -1.0]])
    start = np.log(rates / (1 - rates))[:, None]

    def objective(z: Any) -> float:
        way = start + (z - start) * np.linspace(0, 1, 4001)
        speed = form.flow.rate(way.reshape(-1, 1), np.repeat(start, way.shape[1], axis=0)).reshape(way.shape)
        return float(np.trapezoid(speed, way, axis=1).sum())

    odds = np.minimum(form.flow.rest(rates)[0], 30.0)[:, None]
    bound, parameters, reached = objective(odds), np.zeros(2), []
    for step in range(1000):
        z = start + (shared @ parameters)[:, None]
        if step % 100 == 0:
            reached.append(objective(z))
        parameters += 0.2 * shared.T @ form.flow.rate(z, start)[:, 0]
    assert all(later >= earlier - 1e-9 for earlier, later in itertools.pairwise(reached))
    assert reached[-1] <= bound
    assert reached[-1] > 0.1 * bound


def test_the_command_takes_a_trainer(tmp_path: Path) -> None:
    rates = tmp_path / "rates.csv"
    rates.write_text("pass_rate\n0.5\n")
    run = cli("predict", str(rates), "--trainer", "trl==1.16.0")
    assert run.exit_code == 0
    for piece in ("TRL 1.16.0", "groups of 8, sample deviation + 0.0001, no penalty", "1 row within 10⁻⁶"):
        assert piece in run.stdout
    for wrong in ([], ["--set", "beta=1"], ["--trainer", "trl", "--beta", "1"], ["--beta", "-1"], ["--beta", "nan"]):
        bad = cli("predict", str(rates), *wrong)
        assert (bad.exit_code, len(bad.stderr.splitlines())) == (2, 1)
