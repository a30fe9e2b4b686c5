"""``predict`` on a generated file: seconds a million rows, and peak memory.

'of_64': rates k/64, as measured ones are; 'different': every rate another one, the worst case. All rows are written
again with their predictions. Each run is a process of its own, so that its peak memory is its own; the time of the
import is left out.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from machine import save

PREDICT = """
import resource, time, json, sys
from grpo_symbolic.numeric import predict
begun = time.perf_counter()
prediction = predict(sys.argv[1], beta=0.5, group_size=8, out=sys.argv[2])
taken = time.perf_counter() - begun
print(json.dumps([taken, prediction.rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20]))
"""


def run(*arguments: str) -> tuple[float, int, float]:
    """Seconds, rows and peak memory in GiB of a process."""
    done = subprocess.run([sys.executable, "-c", PREDICT, *arguments], check=True, capture_output=True, text=True)
    return tuple(json.loads(done.stdout))


def main() -> None:
    """``python bench_predict.py [ROWS]``, 10⁶ if not given."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    chance = np.random.default_rng(3)
    measured: dict[str, Any] = {"rows": rows}
    with tempfile.TemporaryDirectory() as folder:
        for name, rates in {"of_64": chance.integers(0, 65, rows) / 64, "different": chance.random(rows)}.items():
            source = Path(folder) / "rates.csv"
            with source.open("w", newline="", encoding="utf-8") as sink:
                csv.writer(sink).writerows([("prompt", "pass_rate"), *enumerate(rates.tolist())])
            for ending in ("csv", "parquet"):
                target = Path(folder) / f"out.{ending}"
                taken, seen, memory = run(str(source), str(target))
                if seen != rows:
                    raise SystemExit(f"{seen} rows of {rows} were read")
                measured[f"{name}_{ending}_seconds_a_million"] = round(taken / rows * 1e6, 2)
                measured[f"{name}_{ending}_peak_gib"] = round(memory, 2)
    save("predict", measured)


if __name__ == "__main__":
    main()
