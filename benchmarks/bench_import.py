"""How long ``import grpo_symbolic`` takes next to ``import sympy``: fresh processes in turn, medians in seconds."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from machine import save

ROUNDS = 9
TIMED = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def seconds(package: str) -> float:
    """One import in a fresh process, without the start of Python itself."""
    done = subprocess.run([sys.executable, "-c", TIMED.format(package)], check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    """Alternate, so that whatever slows the machine slows both."""
    for package in ("grpo_symbolic", "sympy"):
        seconds(package)  # byte code and disk cache
    pairs = [(seconds("grpo_symbolic"), seconds("sympy")) for _ in range(ROUNDS)]
    ours, theirs = (median(p[i] for p in pairs) for i in (0, 1))
    save(
        "import",
        {
            "grpo_symbolic_s": round(ours, 4),
            "sympy_s": round(theirs, 4),
            "ratio": round(ours / theirs, 4),
            "rounds": ROUNDS,
            "ratios": [round(a / b, 4) for a, b in pairs],
        },
    )


if __name__ == "__main__":
    main()
