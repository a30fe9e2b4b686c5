"""The GPU benchmark stays runnable: small on the CPU, and without a GPU it says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

SCRIPT = ROOT / "benchmarks" / "gpu.py"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow("the script for a GPU runs to its end, on a CPU")
def test_small_on_the_cpu_every_check_passes(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("jax")
    out = tmp_path / "gpu.json"
    done = run("--cpu", "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(out.read_text())
    assert found["checks"]
    assert all(found["checks"].values())
    assert any("ball arithmetic" in name for name in found["checks"])
    assert all(rate > 0 for part in found["sweeps"].values() for rate in part["instances_per_second"])
    assert {"trl", "verl"} <= set(found["losses"])
    measured = (*found["policies"].values(), *found["losses"].values())
    for part in (*measured, found["expressions"]["eager"], found["recursion"], found["jax"]):
        assert part["share_of_copy"] > 0
    assert "left_out" not in found


def test_without_a_gpu_it_says_so() -> None:
    torch = pytest.importorskip("torch")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    done = run()
    assert (done.returncode, "no CUDA GPU" in done.stdout) == (0, True)
