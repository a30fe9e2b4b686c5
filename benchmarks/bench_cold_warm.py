"""``grpo-symbolic verify`` as a whole process, in seconds: with an empty store, after an edit, and unchanged.

*cold*: nothing is known. *recheck*: the evidence is there, the finished ledger is not, as after an edit of a comment;
the claims are registered and every piece of evidence is looked up. *warm*: nothing has changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from machine import save

from grpo_symbolic.ledger import Ledger, Totals

WARM_ROUNDS = 5


def verify(store: Path, *options: str) -> tuple[float, Totals]:
    """Wall-clock seconds of one run, and its ledger's totals."""
    ledger = store.parent / "ledger.json"
    command = [sys.executable, "-m", "grpo_symbolic", "verify", "--json", str(ledger), *options]
    begun = time.perf_counter()
    subprocess.run(command, env=os.environ | {"GRPO_SYMBOLIC_STORE": str(store)}, stdout=subprocess.DEVNULL)
    taken = time.perf_counter() - begun
    return taken, Ledger.read(ledger).totals


def main() -> None:
    """One cold run (it is long), one recheck, several warm runs."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        cold, totals = verify(store)
        shutil.rmtree(store / "ledgers", ignore_errors=True)
        recheck, _ = verify(store)
        warm = [verify(store)[0] for _ in range(WARM_ROUNDS)]
    save(
        "cold_warm",
        {
            "claims": totals.claims,
            "verdicts": dict(totals.verdicts),
            "jobs": min(2, os.cpu_count() or 1),
            "cold_s": round(cold, 2),
            "recheck_s": round(recheck, 2),
            "warm_s": round(median(warm), 3),
            "warm_all_s": [round(w, 3) for w in warm],
        },
    )


if __name__ == "__main__":
    main()
