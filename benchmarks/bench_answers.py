"""How long the answers take that need no engine, and the numbers of groups of 64: fresh processes, an empty store, medians in seconds."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from statistics import median

from machine import save

ROUNDS = 7
ASKED = {
    "list": ["list"],
    "show": ["show", "vy-eq14"],
    "errata": ["errata"],
    "unknown": ["show", "14"],
    "misspelt": ["verify", "--id", "vy-eq41"],
    "version": ["--version"],
    "trainer": ["trainer", "trl==1.16.0"],
    "theory_64": ["theory", "--trainer", "trl==1.16.0", "--set", "num_generations=64", "--set", "beta=0.04"]
    + ["--pass-rate", "0.1"],
}


def seconds(arguments: list[str], store: str) -> float:
    """One command in a fresh process, from its start to its end."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "grpo_symbolic", *arguments]
    subprocess.run(command, env=os.environ | {"GRPO_SYMBOLIC_STORE": store}, capture_output=True)
    return time.perf_counter() - begun


def main() -> None:
    """Every command in turn, time and again, so that whatever slows the machine slows all."""
    with tempfile.TemporaryDirectory() as folder:
        seconds(["list"], folder)  # byte code and disk cache
        taken = [{name: seconds(words, folder) for name, words in ASKED.items()} for _ in range(ROUNDS)]
    medians = {f"{name}_s": round(median(t[name] for t in taken), 3) for name in ASKED}
    save("answers", {**medians, "slowest_s": max(medians.values()), "rounds": ROUNDS})


if __name__ == "__main__":
    main()
