"""Cold runs of ``grpo-symbolic verify --frozen`` on a quiet machine, a busy one and a slow one: is it the same ledger?

Every run begins with an empty store. *Busy*: four processes compute beside it. *Slow*: it has one processor, which it
shares with three processes that compute, so that a quarter is left to it. On fewer processors than the machine has:
``taskset -c 0 python benchmarks/reliability.py``. Two ledgers are the same if they are so byte
for byte once their seconds are taken out.

``python benchmarks/reliability.py [QUIET BUSY SLOW]``: how many runs of each, 7, 10 and 3 by default (half an hour to
two hours). Runs that were made with the same sources stay, so that the table can be filled in several sittings.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from machine import RESULTS, save

from grpo_symbolic.files import code_under, digest_of

ROOT = Path(__file__).parents[1]
RUNS = {"quiet": 7, "busy": 10, "slow": 3}
BESIDE = {"quiet": 0, "busy": 4, "slow": 3}  # processes that compute beside a run
TIMES = frozenset({"seconds", "created"})  # what may differ between two runs


def sources() -> str:
    """A digest of the package, the result files and their proofs."""
    files = code_under(ROOT / "grpo_symbolic", ROOT / "derivations")
    return digest_of(sorted([*files, *(ROOT / "derivations").rglob("*.proofs")]), ROOT)[:16]


def timeless(value: Any) -> Any:
    """JSON without what tells how long something took."""
    if isinstance(value, dict):
        return {key: timeless(inner) for key, inner in value.items() if key not in TIMES}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


@contextmanager
def computing(processes: int) -> Iterator[None]:
    """So many processes compute meanwhile, on the processors that this one may use."""
    with ExitStack() as stack:
        for _ in range(processes):
            other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(other.wait)
            stack.callback(other.kill)
        yield


def run(condition: str) -> dict[str, Any]:
    """One cold run: its exit status, its seconds, the processors that it could use, and the digest of its ledger."""
    everywhere = os.sched_getaffinity(0)
    if condition == "slow":
        os.sched_setaffinity(0, {min(everywhere)})  # what is started from here inherits it
    try:
        with tempfile.TemporaryDirectory() as folder, computing(BESIDE[condition]):
            ledger = Path(folder) / "ledger.json"
            command = [sys.executable, "-m", "grpo_symbolic", "verify", "--frozen", "--json", str(ledger)]
            begun = time.perf_counter()
            status = subprocess.run(
                command,
                env=os.environ | {"GRPO_SYMBOLIC_STORE": str(Path(folder) / "store")},
                stdout=subprocess.DEVNULL,
                cwd=ROOT,
            ).returncode
            taken = time.perf_counter() - begun
            text = json.dumps(timeless(json.loads(ledger.read_text("utf-8"))), sort_keys=True)
    finally:
        os.sched_setaffinity(0, everywhere)
    ledger_digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return {
        "status": status,
        "seconds": round(taken, 1),
        "processors": len(everywhere),
        "ledger": ledger_digest,
    }


def main() -> None:
    """Make the runs that are missing, one at a time, and write down each."""
    wanted = dict(zip(RUNS, map(int, sys.argv[1:]), strict=True)) if sys.argv[1:] else RUNS
    file = RESULTS / "reliability.json"
    known = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    now = sources()
    runs = known["runs"] if known.get("sources") == now else {name: [] for name in RUNS}
    for condition, count in wanted.items():
        while len(runs[condition]) < count:
            runs[condition].append(run(condition))
            print(condition, runs[condition][-1], flush=True)
            save("reliability", {"sources": now, "runs": runs})


if __name__ == "__main__":
    main()
