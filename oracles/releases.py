"""Say when the package index has a release of a trainer that is newer than those read (`make oracles` runs it)."""

from __future__ import annotations

import re
import subprocess
import sys

from grpo_symbolic.trainers.config import TRAINERS, trainer_of
from grpo_symbolic.trainers.releases import dotted

ON_NO_INDEX = ("nemo-rl", "slime", "prime-rl")  # a package of the second name is another


def newest(package: str) -> tuple[int, ...] | None:
    """The newest release that pip finds; ``None`` where it finds none."""
    asked = [sys.executable, "-m", "pip", "index", "versions", package]
    told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    found = re.search(r"\((\d+(?:\.\d+)*)\)", told)
    return None if found is None else tuple(map(int, found[1].split(".")))


if __name__ == "__main__":
    for name in TRAINERS:
        read, there = trainer_of(name).releases.newest, None if name in ON_NO_INDEX else newest(name)
        if there is None:
            print(f"{name}: the index has none that could be asked for; read up to {dotted(read)}")
        elif there > read:
            print(f"{name}: the index has {dotted(there)}, newer than {dotted(read)}: read it with options_of.py")
        else:
            print(f"{name}: {dotted(read)} is the newest of the index")
