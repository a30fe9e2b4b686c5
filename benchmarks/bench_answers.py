"""How long the answers take that need no engine: fresh processes, an empty store, medians in seconds.

And the numbers of a trainer's run with groups of 64, after the imports.
"""

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
}


def seconds(arguments: list[str], store: str) -> float:
    """One command in a fresh process, from its start to its end."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "grpo_symbolic", *arguments]
    subprocess.run(command, env=os.environ | {"GRPO_SYMBOLIC_STORE": store}, capture_output=True)
    return time.perf_counter() - begun


def numbers_of_64() -> float:
    """The theory's numbers for groups of 64, where k3 is weighed by the ratio."""
    from grpo_symbolic.theory.interface import theory
    from grpo_symbolic.trainers import read

    few, many = (read("trl==1.16.0", {"num_generations": size, "beta": 0.04}).setting for size in (8, 64))
    assert theory(few, p_ref="0.1").numbers is not None  # what is imported at the first call
    begun = time.perf_counter()
    assert theory(many, p_ref="0.1").numbers is not None
    return time.perf_counter() - begun


def main() -> None:
    """Every command in turn, time and again, so that whatever slows the machine slows all."""
    with tempfile.TemporaryDirectory() as folder:
        seconds(["list"], folder)  # byte code and disk cache
        taken = [{name: seconds(words, folder) for name, words in ASKED.items()} for _ in range(ROUNDS)]
    medians = {f"{name}_s": round(median(t[name] for t in taken), 3) for name in ASKED}
    slowest, groups = max(medians.values()), round(numbers_of_64(), 3)
    save("answers", {**medians, "slowest_s": slowest, "theory_64_s": groups, "rounds": ROUNDS})


if __name__ == "__main__":
    main()
