"""Work in blocks of rows that fit the cache of a core, on as many threads as there are cores."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from grpo_symbolic.numeric.backends import usable_cores

BLOCK = 8192  # elements: a handful of buffers of this size fit the second-level cache


def in_blocks(function: Callable[[slice], Any], rows: int, size: int = BLOCK) -> list[Any]:
    """A function of slices of so many rows, on as many threads as there are cores (NumPy works without the lock)."""
    parts = [slice(begin, min(begin + size, rows)) for begin in range(0, rows, size)]
    workers = min(usable_cores(), len(parts))
    if workers < 2:
        return [function(part) for part in parts]
    found, places = [None] * len(parts), Counter(range(len(parts)))

    def work() -> None:
        for place in places:
            found[place] = function(parts[place])

    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work) for _ in range(workers)]:
            done.result()
    return found


class Counter:
    """Starts of blocks (any whole numbers), handed out to whichever thread asks."""

    def __init__(self, starts: range) -> None:
        self._starts, self._lock = iter(starts), threading.Lock()

    def __iter__(self) -> Counter:
        return self

    def __next__(self) -> int:
        with self._lock:
            return next(self._starts)
