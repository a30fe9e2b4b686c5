"""Work in blocks of rows: blocks that fit the cache of a core, on as many threads as there are cores, chunks of one
working array, and the kernels that work on them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

from grpo_symbolic.numeric.backends import Array, Backend, usable_cores

BLOCK = 8192  # elements: a handful of buffers of this size fit the second-level cache
# Elements of one chunk's working array: small enough for the cache of a core, large enough to hide a call's overhead.
CPU_CHUNK = 2**16
DEVICE_CHUNK = 2**24


def in_blocks(function: Callable[[slice], Any], rows: int, size: int = BLOCK) -> list[Any]:
    """A function of slices of so many rows, on as many threads as there are cores (NumPy works without the lock)."""
    parts = [slice(begin, min(begin + size, rows)) for begin in range(0, rows, size)]
    workers = min(usable_cores(), len(parts))
    if workers < 2:
        return [function(part) for part in parts]
    results, places = [None] * len(parts), Counter(range(len(parts)))

    def work() -> None:
        for place in places:
            results[place] = function(parts[place])

    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work) for _ in range(workers)]:
            done.result()
    return results


class Counter:
    """Starts of blocks (any whole numbers), handed out to whichever thread asks."""

    def __init__(self, starts: range) -> None:
        self._starts, self._lock = iter(starts), threading.Lock()

    def __iter__(self) -> Counter:
        return self

    def __next__(self) -> int:
        with self._lock:
            return next(self._starts)


def chunk_rows(backend: Backend, width: int) -> int:
    """How many rows of ``width`` elements are worked on at a time: memory beyond the result stays constant."""
    return max(1, (CPU_CHUNK if backend.device == "cpu" else DEVICE_CHUNK) // max(1, width))


def concatenate(backend: Backend, arrays: list[Array]) -> Array:
    """Arrays joined along the first axis."""
    return arrays[0] if len(arrays) == 1 else backend.xp.concatenate(arrays)


@lru_cache(maxsize=256)
def kernel(backend: Backend, function: Callable[..., Any], *fixed: Any) -> Callable[..., Any]:
    """``function(backend, *fixed, …)`` with its leading arguments bound, compiled where the library compiles."""

    def bound(*arrays: Array) -> Any:
        return function(backend, *fixed, *arrays)

    return backend.compile(bound)
