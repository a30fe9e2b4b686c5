"""The array libraries behind one small interface: conversion, device, precision, and what to write in a report.

NumPy is always there; PyTorch and JAX are imported when asked for. JAX computes in float32 unless its x64 mode is on:
the mode is switched on around each call (:meth:`Backend.precision`), never globally.
"""

from __future__ import annotations

import os
import platform
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np

from grpo_symbolic.errors import BadInput

Array: TypeAlias = Any  # an array of NumPy, PyTorch or JAX
Namespace: TypeAlias = Any  # the functions of an array library: numpy, torch or jax.numpy
Values: TypeAlias = Any  # what an array is made of: numbers, sequences of them, arrays of any library

ARRAY_BACKENDS = ("numpy", "torch", "jax")
DTYPES = ("float64", "float32")


class Backend:
    """An array library on one device at one precision.

    ``name`` is 'numpy', 'torch' or 'jax'; ``xp`` its array namespace (``numpy``, ``torch``, ``jax.numpy``);
    ``device`` 'cpu', 'cuda', 'cuda:1' …; ``dtype`` 'float64' or 'float32'.
    """

    name = "numpy"
    xp: Any = np

    def __init__(self, device: str, dtype: str) -> None:
        self.device = device
        self.dtype = dtype

    @property
    def native_dtype(self) -> Any:
        """The library's own object for :attr:`dtype`."""
        return getattr(self.xp, self.dtype)

    def asarray(self, values: Values) -> Any:
        """``values`` (numbers, sequences, arrays of any of the libraries) as an array here; not copied where it need
        not be.
        """
        return np.asarray(values, dtype=self.dtype)

    def share(self, values: np.ndarray) -> Any:
        """A NumPy array of any type as an array here, of the same type."""
        return self.xp.asarray(values)

    def to_numpy(self, values: Values) -> np.ndarray:
        """An array of this backend as a NumPy array, off the device and out of any gradient."""
        return np.asarray(values)

    def synchronize(self, *arrays: Array) -> None:
        """Wait until the device has finished what was asked of it; JAX waits for the given arrays."""

    def precision(self) -> AbstractContextManager[Any]:
        """The context in which arrays of :attr:`dtype` can be made."""
        return nullcontext()

    def describe(self) -> dict[str, Any]:
        """Name and version of the library, device, cores, precision: what a result must say about where it was
        computed.
        """
        import_name = {"numpy": "numpy", "torch": "torch", "jax": "jax"}[self.name]
        return {
            "backend": self.name,
            "version": import_module(import_name).__version__,
            "device": self.device,
            "device_name": platform.processor() or platform.machine(),
            "cores": usable_cores(),
            "dtype": self.dtype,
        }


class _Torch(Backend):
    name = "torch"

    def __init__(self, device: str, dtype: str) -> None:
        super().__init__(device, dtype)
        self.xp = _library("torch")
        try:
            kind = self.xp.device(device)
            if kind.type == "cuda" and not self.xp.cuda.is_available():
                raise RuntimeError("CUDA is not available")
            self.xp.empty(0, device=kind)
        except (RuntimeError, AssertionError, NotImplementedError) as problem:
            raise BadInput(f"torch cannot use the device {device!r} here: {str(problem).splitlines()[0]}") from None

    def asarray(self, values: Values) -> Any:
        if isinstance(values, self.xp.Tensor):
            return values.to(device=self.device, dtype=self.native_dtype)
        if not isinstance(values, int | float | np.ndarray):
            values = np.asarray(values, dtype=self.dtype)
        if isinstance(values, np.ndarray) and not values.flags.writeable:
            values = values.copy()  # torch shares the memory, and warns if it may not write to it
        return self.xp.as_tensor(values, dtype=self.native_dtype, device=self.device)

    def share(self, values: np.ndarray) -> Any:
        return self.xp.as_tensor(np.ascontiguousarray(values), device=self.device)

    def to_numpy(self, values: Values) -> np.ndarray:
        return values.detach().cpu().numpy() if isinstance(values, self.xp.Tensor) else np.asarray(values)

    def synchronize(self, *arrays: Array) -> None:
        if self.device.startswith("cuda"):
            self.xp.cuda.synchronize(self.device)

    def describe(self) -> dict[str, Any]:
        about = super().describe() | {"cores": self.xp.get_num_threads()}
        if self.device.startswith("cuda"):
            about["device_name"] = self.xp.cuda.get_device_name(self.device)
        return about


class _Jax(Backend):
    name = "jax"

    def __init__(self, device: str, dtype: str) -> None:
        super().__init__(device, dtype)
        self._jax = _library("jax")
        self.xp = import_module("jax.numpy")
        platform_name, _, number = device.partition(":")
        try:
            self.jax_device = self._jax.devices(platform_name)[int(number or 0)]
        except (RuntimeError, IndexError, ValueError) as problem:
            raise BadInput(f"jax cannot use the device {device!r} here: {str(problem).splitlines()[0]}") from None

    def asarray(self, values: Values) -> Any:
        with self.precision():
            if isinstance(values, self._jax.core.Tracer):
                return self.xp.asarray(values, dtype=self.dtype)
            if isinstance(values, self._jax.Array):
                if values.dtype == self.dtype and values.devices() == {self.jax_device}:
                    return values
                return self._jax.device_put(self.xp.asarray(values, dtype=self.dtype), self.jax_device)
            return self._jax.device_put(np.asarray(values, dtype=self.dtype), self.jax_device)

    def share(self, values: np.ndarray) -> Any:
        return self._jax.device_put(np.ascontiguousarray(values), self.jax_device)

    def precision(self) -> AbstractContextManager[Any]:
        if self.dtype != "float64" or self._jax.config.jax_enable_x64:
            return nullcontext()
        # its home before jax 0.8 was jax.experimental
        home = self._jax if hasattr(self._jax, "enable_x64") else import_module("jax.experimental")
        return home.enable_x64(True)

    def synchronize(self, *arrays: Array) -> None:
        self._jax.block_until_ready(arrays)

    def describe(self) -> dict[str, Any]:
        about = super().describe()
        if self.jax_device.platform != "cpu":
            about["device_name"] = self.jax_device.device_kind
        return about


def get(name: str = "numpy", device: str | None = None, dtype: str = "float64") -> Backend:
    """The backend of that name on a device ('cpu' if none is given) at a precision.

    Raises :class:`BadInput` for an unknown or missing backend, device or dtype.

    >>> get("numpy").asarray([1, 2]).dtype
    dtype('float64')
    """
    if name not in ARRAY_BACKENDS:
        raise BadInput(f"there is no array backend {name!r}; the backends are {', '.join(ARRAY_BACKENDS)}")
    if dtype not in DTYPES:
        raise BadInput(f"the dtype must be {' or '.join(DTYPES)}, got {dtype!r}")
    if name == "numpy" and device not in (None, "cpu"):
        raise BadInput(f"numpy computes on the cpu only, not on {device!r}")
    return _get(name, str(device or "cpu"), dtype)


@lru_cache(maxsize=64)
def _get(name: str, device: str, dtype: str) -> Backend:
    return {"numpy": Backend, "torch": _Torch, "jax": _Jax}[name](device, dtype)


def preferred() -> str:
    """The backend to evaluate with on a CPU: 'jax' if it is installed, else 'numpy' (``benchmarks/bench_evaluation.py``
    compares them; torch.compile comes close to JAX, after a long compilation).
    """
    return "jax" if _installed("jax") else "numpy"


def available() -> tuple[str, ...]:
    """The backends that are installed, of 'numpy', 'torch', 'jax', 'flint' and 'mpmath'."""
    return tuple(name for name in (*ARRAY_BACKENDS, "flint", "mpmath") if _installed(name))


def _installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ImportError:
        return False


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise BadInput(f"the backend {name!r} is not installed; pip install 'grpo-symbolic[{name}]'") from None


__all__ = ["ARRAY_BACKENDS", "DTYPES", "Backend", "available", "get", "preferred", "usable_cores"]
