"""``predict`` on a generated file next to only reading it with pyarrow: seconds, their ratio, and peak memory.

Where rows are written, also next to reading the file and writing its own columns again with pyarrow.
'of_64': rates k/64, as measured ones are. 'different': every rate another one, the worst case. 'summary': nothing is
written; 'written': all rows with their predictions are, too. Each run is a process of its own, so that its peak
memory is its own; the time of the import is left out on both sides.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from machine import save
from pyarrow import csv

READ = """
import resource, time, json, sys
from pyarrow import csv
import pyarrow.parquet as pq
path = sys.argv[1]
begun, rows = time.perf_counter(), 0
batches = pq.ParquetFile(path).iter_batches() if path.endswith("parquet") else csv.open_csv(path)
for batch in batches:
    rows += len(batch)
taken = time.perf_counter() - begun
print(json.dumps([taken, rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20]))
"""
COPY = """
import time, json, sys
import pyarrow.csv
import pyarrow.parquet as pq
path, out = sys.argv[1:]
begun, rows, parquet = time.perf_counter(), 0, path.endswith("parquet")
source = pq.ParquetFile(path) if parquet else pyarrow.csv.open_csv(path)
schema = source.schema_arrow if parquet else source.schema
with pq.ParquetWriter(out, schema) if parquet else pyarrow.csv.CSVWriter(out, schema) as sink:
    for batch in source.iter_batches() if parquet else source:
        sink.write_batch(batch)
        rows += len(batch)
print(json.dumps([time.perf_counter() - begun, rows, 0]))
"""
PREDICT = """
import resource, time, json, sys
from grpo_symbolic.numeric import predict, tables
import pyarrow.csv, pyarrow.parquet
begun = time.perf_counter()
out = sys.argv[2] if len(sys.argv) > 2 else None
found = predict(sys.argv[1], beta=0.5, group_size=8, out=out, best_responses=True)
taken = time.perf_counter() - begun
print(json.dumps([taken, found.rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20]))
"""


def run(program: str, *arguments: str) -> tuple[float, int, float]:
    """Seconds, rows and peak memory in GiB of a process."""
    done = subprocess.run([sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True)
    return tuple(json.loads(done.stdout))


def write(path: Path, rows: int, rates: Any) -> None:
    """A file with an id and a rate in each row, written in pieces."""
    schema = pa.schema([("prompt", pa.int64()), ("pass_rate", pa.float64())])
    parquet = path.suffix == ".parquet"
    with pq.ParquetWriter(path, schema) if parquet else csv.CSVWriter(path, schema) as sink:
        for begin in range(0, rows, 1 << 20):
            part = slice(begin, min(begin + (1 << 20), rows))
            sink.write_table(pa.table([np.arange(part.start, part.stop), rates[part]], schema=schema))


def main() -> None:
    """``python bench_predict.py [ROWS]``, 10⁷ if not given."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    chance = np.random.default_rng(3)
    sets = {"of_64": chance.integers(0, 65, rows) / 64, "different": chance.random(rows)}
    measured: dict[str, Any] = {"rows": rows}
    with tempfile.TemporaryDirectory() as folder:
        for name, rates in sets.items():
            for ending in ("csv", "parquet"):
                source = Path(folder) / f"rates.{ending}"
                write(source, rows, rates)
                runs = {"summary": run(PREDICT, str(source))}
                if name == "of_64":
                    target = str(Path(folder) / f"out.{ending}")
                    runs[ending] = run(PREDICT, str(source), target)
                    copied = min(run(COPY, str(source), target)[0] for _ in range(2))
                    measured[f"{name}_{ending}_read_and_write_s"] = round(copied, 3)
                    measured[f"{name}_{ending}_written_ratio_to_read_and_write"] = round(runs[ending][0] / copied, 2)
                read = min(run(READ, str(source)) for _ in range(2))
                measured[f"{name}_{ending}_read_s"] = round(read[0], 3)
                for kind, (taken, seen, memory) in runs.items():
                    if seen != rows:
                        raise SystemExit(f"{seen} rows of {rows} were read")
                    key = f"{name}_{ending}_{'summary' if kind == 'summary' else 'written'}"
                    measured[f"{key}_s"], measured[f"{key}_ratio"] = round(taken, 3), round(taken / read[0], 2)
                    measured[f"{key}_peak_gib"] = round(memory, 2)
                source.unlink()
    save("predict", measured)


if __name__ == "__main__":
    main()
