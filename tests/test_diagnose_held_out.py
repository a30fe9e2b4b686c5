"""Runs that the expectations were not made for: no alarm without a fault, and each fault named."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from held_out_runs import faulty, healthy, silent
from small_runs import healthy as first_healthy
from test_diagnose_runs import NAMES, diagnosed, named

from grpo_symbolic import trainers

HEALTHY, FAULTY, SILENT = healthy(), faulty(), silent()


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_run_raises_no_alarm(name: str) -> None:
    found = diagnosed(HEALTHY[name])
    assert [finding.text for finding in found.odd] == []
    assert len(found.findings) >= 3


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_found_and_named(name: str) -> None:
    run = FAULTY[name]
    offered = [finding.faults for finding in diagnosed(run).odd]
    assert NAMES[run.fault] in [faults[0] for faults in offered], offered


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.xfail(reason=why, strict=True)) for n, (_, why) in SILENT.items()]
)
def test_what_logs_do_not_show(name: str) -> None:
    assert named(SILENT[name][0])


def test_the_settings_are_others() -> None:
    def told(runs: object) -> set[str]:
        return {str(vars(trainers.read(run.trainer, run.options()))) for run in runs}  # type: ignore[attr-defined]

    assert len(HEALTHY) >= 30
    assert len(told(HEALTHY.values()) - told(first_healthy().values())) >= 30
    assert len({run.trainer for run in FAULTY.values()}) == 5
