"""What the live book asks Python for, without a browser: points, formulas of one's own, replays, changed sentences."""

import json
import re
import shutil
import signal
import subprocess
import sys

import pytest
import sympy as sp
from checkout import ROOT

import grpo_symbolic as gs
from grpo_symbolic.book.live import desk, drawing, pages, runtime
from grpo_symbolic.isolation import time_limit
from grpo_symbolic.notation import p, x
from grpo_symbolic.verification import pool
from grpo_symbolic.verification.proofs import Library

PAIRS = {"group_size": "2", "divergence": "k3", "beta": "1/2", "p_ref": "1/5"}
CLAIM = "vy-eq14-lower-bound"


def asked(call, **given):
    told = []
    found = json.loads(desk.answer(call, json.dumps(given), lambda text: told.append(json.loads(text))))
    return found, told


def test_a_point_has_the_policy_that_its_quadratic_equation_has():
    found = asked("explore", state=PAIRS)[0]["found"]
    (policy,) = found["numbers"]["policies"]
    root = max(sp.solve(x * (1 - x) - (x - sp.Rational(1, 5)) / 2, x), key=sp.N)
    assert abs(float(policy["digits"]) - root) < 1e-11
    assert found["closed_form"]
    assert found["equation"].endswith("= 0")
    answers = {row["question"]: row for row in found["answers"]}
    assert "vy-eq14" in [c["id"] for c in answers["that policy in closed form"]["claims"]]


def test_verdicts_are_those_of_the_ledger_and_what_none_answers_is_open():
    known = asked("explore", state=PAIRS)[0]["found"]["answers"]
    assert all(row["open"] for row in known)  # no ledger was given
    ids = {c["id"]: ["a title", "proved", "exact"] for row in known for c in row["claims"]}
    settled = desk.explore(PAIRS, ids)["answers"]
    assert any(not row["open"] for row in settled)
    assert all(row["open"] for row in settled if not row["claims"])


def test_a_penalty_of_ones_own_is_the_sum_over_answers():
    of = gs.theory(group_size=16, divergence="sum((pi - ref)^2/ref)", beta="1/2", p_ref="1/5")
    assert sp.simplify(of.penalty_gradient - sp.diff((x - p) ** 2 / p + (x - p) ** 2 / (1 - p), x)) == 0
    (policy,) = desk.explore({"group_size": "16", "penalty": "sum((pi-ref)^2/ref)", "beta": "1/2", "p_ref": "1/5"}, {})[
        "numbers"
    ]["policies"]
    slope = (of.gap - of.penalty_gradient / 2).subs(p, sp.Rational(1, 5))
    below, above = (sp.N(slope.subs(x, sp.Float(policy["digits"], 30) + d)) for d in (-1e-9, 1e-9))
    assert below > 0 > above


@pytest.mark.parametrize("text", ["__import__('os').getcwd()", "pi.real", "sin(pi)", "pi/(1-1)", "pi +", "ref^2"])
def test_what_is_no_penalty_is_refused_in_a_sentence(text):
    found, _ = asked("explore", state={**PAIRS, "penalty": text})
    assert text.partition("(")[0] in found["refused"]
    assert "found" not in found


def test_an_advantage_of_ones_own_takes_the_place_of_the_normaliser():
    state = {"group_size": "4", "normaliser": "std+eps", "guard": "1/100", "advantage": "2*(r - mean)", "beta": "1/2"}
    found = desk.explore({**state, "divergence": "k3", "p_ref": "1/5"}, {})
    assert "2*(r - mean)" in found["point"]
    assert found["advantage"] == r"2 \, r - 2 \, \mathrm{mean}"
    (policy,) = found["numbers"]["policies"]
    gap = 2 * (1 - sp.Rational(1, 4))  # of the rewards twice over, each less a mean that it is a quarter of
    root = max(sp.solve(gap * x * (1 - x) - (x - sp.Rational(1, 5)) / 2, x), key=sp.N)
    assert abs(float(policy["digits"]) - root) < 1e-11
    assert found["closed_form"]


@pytest.mark.parametrize("text", ["__import__('os').getcwd()", "r.real", "sin(r)", "pi", "mean", "r +"])
def test_what_is_no_advantage_is_refused_in_a_sentence(text):
    found, _ = asked("explore", state={**PAIRS, "advantage": text})
    assert text.partition("(")[0] in found["refused"]
    assert "found" not in found


@pytest.mark.parametrize("line", ["beta: 0.04", "--beta 0.04", "beta=0.04,", "  --beta=0.04 \\"])
def test_options_are_read_however_they_are_written(line):
    state = {"trainer": "trl==1.16.0", "options": f"{line}\nnum_generations: 4", "p_ref": "0.3"}
    assert desk.explore(state, {})["point"].startswith("groups of 4")
    assert "β = 1/25" in desk.explore(state, {})["point"]


def test_unknown_parts_of_a_link_are_refused():
    assert "no part colour" in asked("explore", state={**PAIRS, "colour": "red"})[0]["refused"]
    assert "a number" in asked("explore", state={**PAIRS, "beta": "much"})[0]["refused"]


@pytest.mark.parametrize(
    "state",
    [
        PAIRS,
        {"group_size": "oo", "normaliser": "sqrt(var+eps)", "guard": "1/100", "beta": "2", "p_ref": "0.3"},
        {"group_size": "4", "penalty": "sum((pi - ref)^2/ref)", "beta": "1", "p_ref": "0.3"},
        {"group_size": "4", "normaliser": "std", "advantage": "(r - median)/(mad + 1)", "beta": "1", "p_ref": "0.3"},
        {
            "group_size": "4",
            "advantage": "rank - mean",
            "penalty": "sum((pi - ref)^2/ref)",
            "beta": "1",
            "p_ref": "0.3",
        },
        {"trainer": "trl==1.16.0", "options": "beta: 0.04", "p_ref": "0.3"},
    ],
)
def test_copied_python_says_the_same(state):
    scope = {}
    exec(desk.python(state), scope)
    assert str(scope["theory"].point) == desk.explore(state, {})["point"]


def test_a_replay_tells_every_check_and_finds_what_verify_finds():
    found, told = asked("check", id=CLAIM)
    sentence, *steps = told
    assert sentence["text"].startswith("For all 0 < p ≤ 1, b > 0: ")
    claim = gs.claim(CLAIM)
    mine = [step for step in steps if step["claim"] == CLAIM]
    assert len(mine) >= len({o.key() for _, o in claim.obligations()})
    assert [step["done"] for step in steps] == list(range(1, steps[0]["total"] + 1))
    assert all(step["outcome"] == ("refuted" if step["about"] == "printed" else "holds") for step in steps)
    assert found["found"]["verdict"] == "proved"
    assert "did you mean" in asked("check", id="vy-eq41")[0]["refused"]


def test_without_its_kept_proof_a_claim_is_not_proved(monkeypatch, tmp_path):
    library = Library({"vojnovic_yun": tmp_path / "vojnovic_yun"}, tmp_path)
    monkeypatch.setattr(desk, "_library", lambda: library)
    found, told = asked("check", id=CLAIM)
    assert found["found"]["verdict"] != "proved"
    assert any("no proof is kept" in step.get("reason", "") for step in told)


def test_a_changed_sentence_fails_with_a_witness():
    changes = asked("changes", id=CLAIM)[0]["found"]
    assert len({c["text"] for c in changes}) > 3
    reversed_ = next(c["number"] for c in changes if "reversed" in c["change"])
    found, told = asked("check_changed", id=CLAIM, number=reversed_)
    assert found["found"]["outcome"] == "refuted"
    assert told[0]["outcome"] == "unknown"
    assert "no proof that is kept shows it" in told[0]["reason"]
    assert "witness" in told[-1]["reason"]


def test_the_curves_are_those_of_the_theory(tmp_path):
    node = shutil.which("node") or pytest.skip("no Node.js here")
    (tmp_path / "curves.mjs").write_text(drawing.module([4, sp.oo]), "utf-8")
    values = {"x": 0.3, "p": 0.1, "guard": 0.01, "c": 0.7}
    (tmp_path / "say.mjs").write_text(
        'import { gaps, slopes } from "./curves.mjs";\n'
        f"const at = {json.dumps(values)};\n"
        "const value = ([f, names]) => f(...names.map((name) => at[name]));\n"
        "const say = (of) => Object.fromEntries(Object.entries(of).map(([k, curve]) => [k, value(curve)]));\n"
        "console.log(JSON.stringify([say(gaps), say(slopes)]));\n"
    )
    said = subprocess.run([node, "say.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    gaps, slopes = json.loads(said)
    assert len(gaps) == 2 * len(gs.theory.point.NORMALISERS)
    for name, found in gaps.items():
        normaliser, size = name.split("|")
        gap = gs.theory(normaliser=normaliser, group_size=sp.sympify(size)).gap
        assert found == pytest.approx(float(gap.subs({s: values[s.name] for s in gap.free_symbols})), rel=1e-12)
    assert slopes["reverse-kl|loss|none"] == pytest.approx(float(sp.log(0.3 / 0.7) - sp.log(0.1 / 0.9)), rel=1e-12)
    assert slopes["none|loss|none"] == 0


@pytest.mark.parametrize(
    ("choices", "idle"),
    [
        ({}, "guard deviation place weighted options"),
        ({"divergence": "k1", "place": "reward", "weighted": "ratio"}, "guard deviation weighted options"),
        ({"divergence": "k1", "weighted": "ratio"}, "guard deviation options"),
        ({"divergence": "none"}, "guard deviation place weighted beta options"),
        ({"normaliser": "batch"}, "guard place weighted options"),
        ({"normaliser": "std+eps"}, "deviation place weighted options"),
        ({"normaliser": "batch", "advantage": "r - mean"}, "normaliser guard deviation place weighted options"),
        (
            {"divergence": "none", "penalty": "sum((pi - ref)^2/ref)"},
            "guard deviation divergence place weighted options",
        ),
        (
            {"trainer": "trl", "options": "beta: 0.04"},
            "group_size normaliser guard deviation divergence beta place weighted advantage penalty",
        ),
    ],
)
def test_what_the_page_hides_is_not_sent(choices, idle, tmp_path):
    node = shutil.which("node") or pytest.skip("no Node.js here")
    shutil.copy(runtime.HERE / "static" / "state.mjs", tmp_path)
    (tmp_path / "choices.mjs").write_text(runtime.choices(), "utf-8")
    (tmp_path / "say.mjs").write_text(
        'import { START, chosen, idle } from "./state.mjs";\n'
        f"const state = {{ ...START, ...{json.dumps(choices)} }};\n"
        "console.log(JSON.stringify([Object.keys(START), idle(state), chosen(state)]));\n"
    )
    said = subprocess.run([node, "say.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    names, hidden, sent = json.loads(said)
    assert set(names) == set(desk.NAMES)
    assert set(hidden) == set(idle.split())
    assert not set(hidden) & set(sent)
    assert "refused" not in asked("explore", state=sent)[0]


def test_a_download_with_another_digest_is_refused_and_the_book_goes_without(tmp_path, capsys):
    (tmp_path / "kept").mkdir()
    for pin in runtime.PINS.values():
        (tmp_path / "kept" / pin["file"]).write_bytes(b"something else")
    (tmp_path / "ledger.json").write_text("{}")
    target = tmp_path / "live"
    assert runtime.main([str(target), str(tmp_path / "ledger.json"), str(tmp_path / "kept")]) == 0
    assert "is pinned: remove it" in capsys.readouterr().err
    assert not target.exists()


def test_pins_are_of_the_flint_that_is_tested_here():
    pinned = ROOT.joinpath("constraints.txt").read_text().splitlines()
    assert f"python-flint=={runtime.PINS['python-flint']['version']}" in pinned


class Square:
    limit = 1.0

    def __init__(self, number):
        self.number = number

    def run(self):
        return 1 / self.number


def test_tasks_run_in_the_process_where_there_are_no_processes(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(pool, "_Worker", None)
    assert list(pool.run_tasks([Square(2), Square(0), Square(4)], jobs=2)) == [(0, 0.5), (1, None), (2, 0.25)]


def test_without_timers_there_is_no_time_limit(monkeypatch):
    monkeypatch.delattr(signal, "setitimer")
    before = signal.getsignal(signal.SIGPROF)
    with time_limit(0.001):
        assert sum(range(10**6)) > 0
    assert signal.getsignal(signal.SIGPROF) is before


def test_the_exercises_lead_to_points_that_the_page_has() -> None:
    text = (ROOT / "book" / "exercises.md").read_text(encoding="utf-8")
    assert text.count(":class: dropdown") == len(re.findall(r"^\*\*[123]\.\*\*", text, re.M)) == 3 * text.count("\n## ")
    links = [pages.state_of(found.replace("\n", " ")) for found in re.findall(r"{explore}`([^`]+)`", text)]
    assert len(links) >= 8
    for _, chosen in links:
        state = {"group_size": "8", "normaliser": "std", "beta": "1", "p_ref": "0.2", **chosen}
        found, _ = asked("explore", state=state)
        assert found["found"]["numbers"]["policies"], (state, found)
