"""The few array operations that NumPy, PyTorch and JAX spell differently, and how each compiles a kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from grpo_symbolic.numeric.backends import Array, Backend

# Elements of one chunk's working array: small enough for the cache of a core, large enough to hide a call's overhead.
CPU_CHUNK = 2**16
DEVICE_CHUNK = 2**24


def chunk_rows(backend: Backend, width: int) -> int:
    """How many rows of ``width`` elements are worked on at a time: memory beyond the result stays constant."""
    return max(1, (CPU_CHUNK if backend.device == "cpu" else DEVICE_CHUNK) // max(1, width))


def take_along(backend: Backend, values: Array, indices: Array, axis: int) -> Array:
    """``values`` gathered along an axis."""
    if backend.name == "torch":
        return backend.xp.take_along_dim(values, indices, dim=axis)
    return backend.xp.take_along_axis(values, indices, axis=axis)


def put_along(backend: Backend, values: Array, indices: Array) -> Array:
    """The inverse of :func:`take_along` on the last axis, for ``indices`` that permute it."""
    if backend.name == "numpy":
        result = np.empty_like(values)
        np.put_along_axis(result, indices, values, -1)
        return result
    if backend.name == "torch":
        return backend.xp.empty_like(values).scatter_(-1, indices, values)
    return backend.xp.put_along_axis(backend.xp.empty_like(values), indices, values, -1, inplace=False)


def answers_first(backend: Backend, values: Array) -> Array:
    """(B, n) as (n, B), laid out so that sums over answers run along rows."""
    return values.T.copy() if backend.name == "numpy" else values.T


def running_max(backend: Backend, values: Array) -> Array:
    """The largest so far along the first axis."""
    if backend.name == "torch":
        return backend.xp.cummax(values, dim=0).values
    if backend.name == "jax":
        return import_module("jax.lax").cummax(values, axis=0)
    return _accumulate(np.maximum, values)


def running_sum(backend: Backend, values: Array) -> Array:
    """The sum so far along the first axis."""
    return _accumulate(np.add, values) if backend.name == "numpy" else backend.xp.cumsum(values, axis=0)


def _accumulate(operation: np.ufunc, values: np.ndarray) -> np.ndarray:
    """Answer by answer, all rows at once: NumPy's own accumulation walks down each column."""
    result = np.empty(values.shape, values.dtype)
    result[:1] = values[:1]
    for answer in range(1, len(values)):
        operation(result[answer - 1], values[answer], out=result[answer])
    return result


def index_array(backend: Backend, indices: np.ndarray) -> Array:
    """Row numbers as the backend indexes with them."""
    if backend.name == "torch":
        return backend.xp.as_tensor(indices, device=backend.device)
    return backend.xp.asarray(indices)


def concatenate(backend: Backend, arrays: list[Array]) -> Array:
    """Arrays joined along the first axis."""
    return arrays[0] if len(arrays) == 1 else backend.xp.concatenate(arrays)


def broadcast(backend: Backend, values: Array, shape: tuple[int, ...]) -> Array:
    """``values`` broadcast to ``shape``."""
    return backend.xp.broadcast_to(values, shape)


@lru_cache(maxsize=256)
def kernel(backend: Backend, function: Callable[..., Any], *fixed: Any) -> Callable[..., Any]:
    """``function(backend, *fixed, …)`` with its leading arguments bound, compiled where the library compiles."""

    def bound(*arrays: Array) -> Any:
        return function(backend, *fixed, *arrays)

    return import_module("jax").jit(bound) if backend.name == "jax" else bound
