"""Cold runs of ``grpo-symbolic verify --frozen`` on a quiet machine, a busy one and a slow one: is it the same ledger?

Every run begins with an empty store. *Quiet*: one at a time. *Busy*: five at a time, so that each has the processes of
four others beside it. *Slow*: four at a time on one processor, of which a quarter is left to each. *Source*: one at a
time, which read every result file anew (``--from-source``), where the others take the built-in claims as they are
stored. Two ledgers are the same if they are so byte for byte once their seconds are taken out.

``python benchmarks/reliability.py [QUIET BUSY SLOW SOURCE]``: how many runs of each, 7, 10, 4 and 2 by default (half an
hour).
Runs that were made with the same sources stay, so that the table can be filled in several sittings.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from machine import RESULTS, save

from grpo_symbolic.files import code_under, digest_of

ROOT = Path(__file__).parents[1]
RUNS = {"quiet": 7, "busy": 10, "slow": 4, "source": 2}
AT_ONCE = {"quiet": 1, "busy": 5, "slow": 4, "source": 1}
TIMES = frozenset({"seconds", "created"})  # what may differ between two runs


def sources() -> str:
    """A digest of the package, the result files, and what is stored beside them."""
    files = code_under(ROOT / "grpo_symbolic", ROOT / "derivations")
    stored = [file for ending in ("*.proofs", "*.claims") for file in (ROOT / "derivations").rglob(ending)]
    return digest_of(sorted([*files, *stored]), ROOT)[:16]


def timeless(value: Any) -> Any:
    """JSON without what tells how long something took."""
    if isinstance(value, dict):
        return {key: timeless(inner) for key, inner in value.items() if key not in TIMES}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


def run(*options: str) -> dict[str, Any]:
    """One cold run: its exit status, its seconds, and the digest of its ledger."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder) / "ledger.json"
        command = [sys.executable, "-m", "grpo_symbolic", "verify", "--frozen", "--json", str(ledger), *options]
        begun = time.perf_counter()
        status = subprocess.run(
            command,
            env=os.environ | {"GRPO_SYMBOLIC_STORE": str(Path(folder) / "store")},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
        ).returncode
        taken = time.perf_counter() - begun
        text = json.dumps(timeless(json.loads(ledger.read_text("utf-8"))), sort_keys=True)
    return {"status": status, "seconds": round(taken, 1), "ledger": hashlib.sha256(text.encode()).hexdigest()[:16]}


def batch(condition: str, most: int) -> list[dict[str, Any]]:
    """As many runs as the condition wants at once; no more than ``most`` of those are returned."""
    everywhere, count = os.sched_getaffinity(0), AT_ONCE[condition]
    options = ["--from-source"] if condition == "source" else []
    if condition == "slow":
        os.sched_setaffinity(0, {min(everywhere)})  # what is started from here inherits it
    try:
        with ThreadPoolExecutor(count) as pool:
            return [made.result() for made in [pool.submit(run, *options) for _ in range(count)]][:most]
    finally:
        os.sched_setaffinity(0, everywhere)


def main() -> None:
    """Make the runs that are missing, and write them down."""
    wanted = dict(zip(RUNS, map(int, sys.argv[1:]), strict=True)) if sys.argv[1:] else RUNS
    file = RESULTS / "reliability.json"
    known = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    now = sources()
    runs = known["runs"] if known.get("sources") == now else {name: [] for name in RUNS}
    for condition, count in wanted.items():
        while len(runs[condition]) < count:
            for made in batch(condition, count - len(runs[condition])):
                runs[condition].append(made)
                print(condition, made, flush=True)
            save("reliability", {"sources": now, "runs": runs})


if __name__ == "__main__":
    main()
