"""Papers of a user's own, as tests write them."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

_numbers = count()


def new_folder(place: Path) -> Path:
    """A folder with a name that no other test uses: result files are modules, of which a process has one by a name."""
    folder = place / f"paper_{os.getpid()}_{next(_numbers)}"
    folder.mkdir()
    return folder


def written(place: Path, header: str, *results: str) -> Path:
    """The folder of a new paper: one result file for each text."""
    folder = new_folder(place)
    for number, text in enumerate(results):
        (folder / f"result_{number}.py").write_text(header + text, encoding="utf-8")
    return folder
