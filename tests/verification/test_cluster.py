"""Verification on executors: a pool of processes, and a real Dask scheduler with a worker that is killed on the way."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import pytest
from command_line import cli

from grpo_symbolic.catalogue import find
from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.notation import known
from grpo_symbolic.proof.registration import Catalogue
from grpo_symbolic.verification.cluster import cluster
from grpo_symbolic.verification.pool import run_tasks
from grpo_symbolic.verification.runner import Verification
from grpo_symbolic.verification.store import Store

IDS = ["vy-B1-quadratic", "vy-B1-unique-root", "vy-eq14-lower-bound"]


@dataclass(frozen=True)
class Sleep:
    """Returns its number after some time; longer than its limit it has no result."""

    number: int
    seconds: float
    limit: float = 1.0

    def run(self) -> int:
        time.sleep(self.seconds)
        return self.number


@dataclass(frozen=True)
class Crash:
    limit: float = 5.0

    def run(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """The claims named, and what they depend on."""
    found = Catalogue()

    def add(id: str) -> None:
        if id not in found.claims:
            claim = find(id)
            for needed in claim.depends_on:
                add(needed)
            found.add(claim, known)

    for id in IDS:
        add(id)
    return found


def settled(ledger: Ledger) -> list[tuple]:
    """What must not depend on where the checks ran."""
    return [
        (
            c.id,
            c.verdict,
            c.print_verdict,
            c.crosscheck,
            sorted((e.about, e.obligation, e.checker, e.grade, e.outcome) for e in c.evidence),
        )
        for c in ledger.claims
    ]


@pytest.fixture(scope="module")
def at_home(catalogue, tmp_path_factory):
    return settled(Verification(catalogue, Store(tmp_path_factory.mktemp("home")), jobs=1).verify(IDS))


@pytest.fixture(scope="module")
def scheduler():
    """A scheduler and two workers, each a process of its own, on loopback."""
    command = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    address = next(m.group() for line in process.stderr if (m := re.search(r"tcp://127\.0\.0\.1:\d+", line)))
    workers = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "distributed.cli.dask_worker",
                address,
                "--nthreads",
                "1",
                "--no-nanny",
                "--no-dashboard",
            ],
            stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]
    yield address, workers
    for child in [*workers, process]:
        child.kill()
        child.wait()


def test_results_come_from_any_executor_and_a_late_or_dead_task_has_none():
    tasks = [Sleep(0, 0.0), Sleep(1, 5.0), Crash(), Sleep(3, 0.0)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        found = dict(run_tasks(tasks, 1, executor))
    assert found == {0: 0, 1: None, 2: None, 3: 3}


@pytest.mark.slow("runs on a cluster that fails")
def test_a_cluster_that_loses_a_worker_gives_the_same_ledger(scheduler, catalogue, at_home, tmp_path):
    address, workers = scheduler
    killed = []

    def kill_one(done: int, total: int, what: str) -> None:
        if done == 2 and not killed:
            killed.append(workers[0].pid)
            workers[0].kill()

    with cluster(address) as executor:
        run = Verification(catalogue, Store(tmp_path / "store"), progress=kill_one, executor=executor)
        document = run.verify(IDS)
    assert killed
    assert workers[0].wait() != 0
    assert settled(document) == at_home


def test_no_scheduler_is_one_sentence(monkeypatch):
    monkeypatch.setattr("grpo_symbolic.verification.cluster.SECONDS", 1)
    with (
        pytest.raises(BadInput, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        cluster("tcp://127.0.0.1:9"),
    ):
        pass
    run = cli("verify", "--id", "vy-eq14", "--dask", "tcp://127.0.0.1:9")
    assert run.exit_code == 2
