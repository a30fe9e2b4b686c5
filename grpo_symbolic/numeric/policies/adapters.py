"""Chunks of rows, and kernels that work on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from grpo_symbolic.numeric.backends import Array, Backend

# Elements of one chunk's working array: small enough for the cache of a core, large enough to hide a call's overhead.
CPU_CHUNK = 2**16
DEVICE_CHUNK = 2**24


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
