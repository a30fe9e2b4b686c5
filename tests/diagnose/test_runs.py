"""Logs of real runs, made here, with planted faults: found, named, and no alarm where there is none.

A fault is *found* if something is odd, and *named* if it is the first that a finding offers. The same run without its
fault must have no finding, so that it is the fault that is found. What logs do not show is a test that is expected to
fail, with the reason. :mod:`held_out_runs` were made after the expectations, which were not made for them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from checkout import ROOT

pytest.importorskip("torch")

import held_out_runs
from small_runs import Run, faulty, healthy, silent, train

from grpo_symbolic import trainers
from grpo_symbolic.diagnose import Diagnosis, Fault, diagnose

NAMES = {
    "sign": Fault.SIGN,
    "no baseline": Fault.BASELINE,
    "mask": Fault.MASK,
    "reference moves": Fault.REFERENCE_MOVES,
    "temperature": Fault.SAMPLER,
    "sampler": Fault.SAMPLER,
    "group smaller": Fault.GROUP_SIZE,
    "group larger": Fault.GROUP_SIZE,
    "stale": Fault.STALE,
    "kl padded": Fault.KL_PADDED,
    "double clip": Fault.DOUBLE_CLIP,
    "beta": Fault.BETA,
    "kl sign": Fault.KL_SIGN,
    "batch deviation": Fault.BATCH_DEVIATION,
    "unscaled": Fault.UNSCALED,
    "clip range": Fault.CLIP_RANGE,
    "entropy": Fault.ENTROPY,
    "duplicates": Fault.DUPLICATES,
    "rate zero": Fault.STANDSTILL,
    "standstill": Fault.STANDSTILL,
    "reward scaled": Fault.REWARD_SCALE,
    "aggregation": Fault.AGGREGATION,
    "aggregation text": Fault.AGGREGATION,
    "updates": Fault.UPDATES,
    "reference start": Fault.REFERENCE_START,
    "k1": Fault.KL_ESTIMATOR,
    "hidden kl": Fault.HIDDEN_TERM,
    "no filter": Fault.FILTER,
    "detached": Fault.NO_GRADIENT,
    "longer": Fault.LENGTH,
}
HOW_TO = ROOT / "docs" / "how-to" / "diagnose_a_run.md"
HEALTHY, FAULTY, SILENT = healthy(), faulty(), silent()
HELD_OUT, HELD_OUT_FAULTY = held_out_runs.healthy(), held_out_runs.faulty()


def told_apart(runs: dict[str, Any], held_out: dict[str, Any]) -> dict[str, Any]:
    """Both, by names of which none hides another."""
    return runs | {f"held out: {name}": run for name, run in held_out.items()}


EVERY_HEALTHY, EVERY_FAULTY = told_apart(HEALTHY, HELD_OUT), told_apart(FAULTY, HELD_OUT_FAULTY)
EVERY_SILENT = told_apart(SILENT, held_out_runs.silent())


@cache
def diagnosed(run: Run) -> Diagnosis:
    """What its log says beside the options that are told; some do not show that rewards are 0 or 1."""
    binary = True if run.trainer in ("nemo-rl", "slime") else None
    return diagnose(train(run), trainers.read(run.trainer, run.options()), binary=binary)


def named(run: Run) -> bool:
    return NAMES[run.fault] in [finding.faults[0] for finding in diagnosed(run).odd]


@pytest.mark.parametrize("name", EVERY_HEALTHY)
def test_a_healthy_run_raises_no_alarm(name: str) -> None:
    found = diagnosed(EVERY_HEALTHY[name])
    assert [finding.text for finding in found.odd] == []
    assert len(found.findings) >= 3  # it was asked, and answered


@pytest.mark.parametrize("name", EVERY_FAULTY)
def test_a_fault_is_found_and_named(name: str) -> None:
    run = EVERY_FAULTY[name]
    offered = [finding.faults for finding in diagnosed(run).odd]
    assert NAMES[run.fault] in [faults[0] for faults in offered], offered


@pytest.mark.parametrize("name", FAULTY)
def test_without_its_fault_the_same_run_has_none(name: str) -> None:
    assert [finding.text for finding in diagnosed(replace(FAULTY[name], fault="")).odd] == []


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.xfail(reason=why, strict=True)) for n, (_, why) in EVERY_SILENT.items()]
)
def test_what_logs_do_not_show(name: str) -> None:
    assert named(EVERY_SILENT[name][0])


@pytest.mark.parametrize("name", SILENT)
def test_what_is_not_seen_is_no_false_name_either(name: str) -> None:
    assert diagnosed(SILENT[name][0]).odd == ()


def test_the_how_to_tells_how_many_kinds_there_are_and_what_is_printed() -> None:
    text = HOW_TO.read_text(encoding="utf-8")
    assert f"{len(NAMES)} kinds of faults" in " ".join(text.split())
    (finding,) = diagnosed(FAULTY["sign of the KL"]).odd
    shown = [
        f"  - {finding.quantity}: {finding.text} ({finding.surety})  [{', '.join(finding.claims)}]",
        finding.tells[0],
    ]
    plain = re.sub(r"-?\d[\d.]*", "#", text)  # another PyTorch draws other numbers
    assert [line for line in shown if re.sub(r"-?\d[\d.]*", "#", line) not in plain] == []


def test_the_kinds_of_faults_and_of_settings_are_many() -> None:
    kinds = {run.fault for run in FAULTY.values()}
    assert kinds == set(NAMES)
    assert len(kinds) >= 20
    assert sum(any(named(run) for run in FAULTY.values() if run.fault == kind) for kind in kinds) >= 18
    settings = {str(trainers.read(run.trainer, run.options()).setting) + run.trainer for run in HEALTHY.values()}
    assert len(settings) >= 18
    assert len(HEALTHY) >= 20


def test_the_settings_that_are_held_out_are_others() -> None:
    def told(runs: dict[str, Run]) -> set[str]:
        return {str(vars(trainers.read(run.trainer, run.options()))) for run in runs.values()}

    assert len(HELD_OUT) >= 30
    assert len(told(HELD_OUT) - told(HEALTHY)) >= 30
    assert len({run.trainer for run in HELD_OUT_FAULTY.values()}) == 5
