"""The array libraries as they compute, behind one small interface: conversion, device, precision, the operations that
they spell differently, compilation, gradients, and what to write in a report.

NumPy is always there; PyTorch and JAX are imported when asked for. JAX computes in float32 unless its x64 mode is on:
the mode is switched on around each call (:meth:`Backend.precision`), never globally. How code is written for them is in
:mod:`grpo_symbolic.libraries`.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
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
Function: TypeAlias = Callable[..., Any]  # of arrays of one library

DTYPES = ("float64", "float32")


class Backend:
    """An array library on one device at one precision; the base of all is NumPy's own.

    ``name`` is 'numpy', 'torch' or 'jax'; ``xp`` its array namespace (``numpy``, ``torch``, ``jax.numpy``);
    ``device`` 'cpu', 'cuda', 'cuda:1' …; ``dtype`` 'float64' or 'float32'. ``traces``: functions are compiled for each
    shape, and cannot look at values. ``on_threads``: slices are best worked on by threads of ours.
    """

    name = "numpy"
    xp: Any = np
    traces = False
    on_threads = True

    def __init__(self, device: str, dtype: str) -> None:
        self.device = device
        self.dtype = dtype

    @property
    def native_dtype(self) -> Any:
        """The library's own object for :attr:`dtype`."""
        return getattr(self.xp, self.dtype)

    @property
    def truth(self) -> Any:
        """The library's own type of truth values."""
        return bool

    # -- arrays to and from elsewhere -------------------------------------------------------------------------------

    def asarray(self, values: Values) -> Any:
        """``values`` (numbers, sequences, arrays of any of the libraries) as an array here; not copied where it need
        not be.
        """
        return np.asarray(values, dtype=self.dtype)

    def share(self, values: np.ndarray) -> Any:
        """A NumPy array of any type as an array here, of the same type."""
        return self.xp.asarray(values)

    def index(self, places: np.ndarray) -> Any:
        """Row numbers of the host as arrays here are indexed with them."""
        return places

    def to_numpy(self, values: Values) -> np.ndarray:
        """An array of this backend as a NumPy array, off the device and out of any gradient."""
        return np.asarray(values)

    def untraced(self, values: Values, refusal: str) -> Any:
        """Values in which no gradient is taken; raises :class:`BadInput` with the refusal where they are traced."""
        return values

    # -- contexts ---------------------------------------------------------------------------------------------------

    def synchronize(self, *arrays: Array) -> None:
        """Wait until the device has finished what was asked of it; JAX waits for the given arrays."""

    def precision(self) -> AbstractContextManager[Any]:
        """The context in which arrays of :attr:`dtype` can be made."""
        return nullcontext()

    def without_gradients(self) -> AbstractContextManager[Any]:
        """The context in which no operation is remembered for a gradient."""
        return nullcontext()

    # -- operations that are spelled differently --------------------------------------------------------------------

    def take_along(self, values: Array, indices: Array, axis: int) -> Array:
        """``values`` gathered along an axis."""
        return self.xp.take_along_axis(values, indices, axis=axis)

    def put_along(self, values: Array, indices: Array) -> Array:
        """The inverse of :meth:`take_along` on the last axis, for ``indices`` that permute it."""
        result = np.empty_like(values)
        np.put_along_axis(result, indices, values, -1)
        return result

    def put(self, into: Array, index: Array, values: Array) -> Array:
        """``into`` with ``values`` at ``index``; it may be changed itself."""
        into[index] = values
        return into

    def answers_first(self, values: Array) -> Array:
        """(B, n) as (n, B), laid out so that sums over answers run along rows."""
        return values.T.copy()

    def running_max(self, values: Array) -> Array:
        """The largest so far along the first axis."""
        return _accumulate(np.maximum, values)

    def running_sum(self, values: Array) -> Array:
        """The sum so far along the first axis."""
        return _accumulate(np.add, values)

    def checked(self) -> dict[str, Function]:
        """``where``, ``maximum``, ``minimum`` and ``logaddexp`` of arrays, of which one argument may be a float."""
        xp = self.xp

        def where(condition: Array, a: Array, b: Array) -> Any:
            if isinstance(a, float) and isinstance(b, float):
                a = xp.asarray(a, dtype=self.dtype)
            return xp.where(condition, a, b)

        return {"where": where, "maximum": xp.maximum, "minimum": xp.minimum, "logaddexp": xp.logaddexp}

    # -- compilation and gradients ----------------------------------------------------------------------------------

    def compile(self, function: Function, asked: bool | None = None) -> Function:
        """A function of arrays, compiled: always, never, or where it is ``asked`` (left out: where it costs little)."""
        return function

    def with_gradient(self, solve: Function, pull_back: Function, *arguments: Array) -> Any:
        """``solve(*arguments)``, a tuple whose first array is differentiable in the arguments:
        ``pull_back(*arguments, first, cotangent)`` gives their cotangents.
        """
        return solve(*arguments)

    def describe(self) -> dict[str, Any]:
        """Name and version of the library, device, cores, precision: what a result must say about where it was
        computed.
        """
        return {
            "backend": self.name,
            "version": import_module(self.name).__version__,
            "device": self.device,
            "device_name": platform.processor() or platform.machine(),
            "cores": usable_cores(),
            "dtype": self.dtype,
        }


def _accumulate(operation: np.ufunc, values: np.ndarray) -> np.ndarray:
    """Answer by answer, all rows at once: NumPy's own accumulation walks down each column."""
    result = np.empty(values.shape, values.dtype)
    result[:1] = values[:1]
    for answer in range(1, len(values)):
        operation(result[answer - 1], values[answer], out=result[answer])
    return result


class _Torch(Backend):
    name = "torch"
    on_threads = False

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

    def index(self, places: np.ndarray) -> Any:
        return self.xp.as_tensor(places, device=self.device)

    def to_numpy(self, values: Values) -> np.ndarray:
        return values.detach().cpu().numpy() if isinstance(values, self.xp.Tensor) else np.asarray(values)

    def synchronize(self, *arrays: Array) -> None:
        if self.device.startswith("cuda"):
            self.xp.cuda.synchronize(self.device)

    @property
    def truth(self) -> Any:
        return self.xp.bool

    def without_gradients(self) -> AbstractContextManager[Any]:
        context: AbstractContextManager[Any] = self.xp.no_grad()
        return context

    def take_along(self, values: Array, indices: Array, axis: int) -> Array:
        return self.xp.take_along_dim(values, indices, dim=axis)

    def put_along(self, values: Array, indices: Array) -> Array:
        return self.xp.empty_like(values).scatter_(-1, indices, values)

    def answers_first(self, values: Array) -> Array:
        return values.T

    def running_max(self, values: Array) -> Array:
        return self.xp.cummax(values, dim=0).values

    def running_sum(self, values: Array) -> Array:
        return self.xp.cumsum(values, dim=0)

    def checked(self) -> dict[str, Function]:
        """Torch wants tensors where the others take numbers."""
        torch, dtype = self.xp, self.native_dtype

        def tensor(value: Array, like: Array) -> Any:
            return torch.full((), value, dtype=like.dtype, device=like.device) if isinstance(value, float) else value

        def where(condition: Array, a: Array, b: Array) -> Any:
            if isinstance(a, float) and isinstance(b, float):
                a = torch.full((), a, dtype=dtype, device=condition.device)
            return torch.where(condition, a, b)

        def maximum(a: Array, b: Array) -> Any:
            if isinstance(a, float):
                return torch.clamp(b, min=a)
            return torch.clamp(a, min=b) if isinstance(b, float) else torch.maximum(a, b)

        def minimum(a: Array, b: Array) -> Any:
            if isinstance(a, float):
                return torch.clamp(b, max=a)
            return torch.clamp(a, max=b) if isinstance(b, float) else torch.minimum(a, b)

        def logaddexp(a: Array, b: Array) -> Any:
            return torch.logaddexp(tensor(a, b), tensor(b, a))

        return {"where": where, "maximum": maximum, "minimum": minimum, "logaddexp": logaddexp}

    def compile(self, function: Function, asked: bool | None = None) -> Function:
        """Its compilation takes long, so it is done where it is asked for only."""
        return self.xp.compile(function, fullgraph=True) if asked else function

    def with_gradient(self, solve: Function, pull_back: Function, *arguments: Array) -> Any:
        torch = self.xp

        class Solved(torch.autograd.Function):  # type: ignore[name-defined]
            """The solver, with the pull-back as its derivative."""

            @staticmethod
            def forward(context: Any, *arguments: Array) -> Any:
                parts = solve(*arguments)
                context.save_for_backward(*arguments, parts[0])
                context.mark_non_differentiable(*parts[1:])
                return parts

            @staticmethod
            @torch.autograd.function.once_differentiable
            def backward(context: Any, cotangent: Array, *_: Any) -> Any:
                return pull_back(*context.saved_tensors, cotangent)

        return Solved.apply(*map(self.asarray, arguments))

    def describe(self) -> dict[str, Any]:
        about = super().describe() | {"cores": self.xp.get_num_threads()}
        if self.device.startswith("cuda"):
            about["device_name"] = self.xp.cuda.get_device_name(self.device)
        return about


class _Jax(Backend):
    name = "jax"
    traces = True
    on_threads = False

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

    def untraced(self, values: Values, refusal: str) -> Any:
        try:
            return np.asarray(values, dtype=float)
        except self._jax.errors.TracerArrayConversionError:
            raise BadInput(refusal) from None

    def index(self, places: np.ndarray) -> Any:
        return self.xp.asarray(places)

    def put_along(self, values: Array, indices: Array) -> Array:
        return self.xp.put_along_axis(self.xp.empty_like(values), indices, values, -1, inplace=False)

    def put(self, into: Array, index: Array, values: Array) -> Array:
        return into.at[index].set(values)

    def answers_first(self, values: Array) -> Array:
        return values.T

    def running_max(self, values: Array) -> Array:
        return self._jax.lax.cummax(values, axis=0)

    def running_sum(self, values: Array) -> Array:
        return self.xp.cumsum(values, axis=0)

    def compile(self, function: Function, asked: bool | None = None) -> Function:
        return function if asked is False else self._jax.jit(function)

    def with_gradient(self, solve: Function, pull_back: Function, *arguments: Array) -> Any:
        jax = self._jax

        @jax.custom_vjp
        def solved(*arguments: Array) -> Any:
            if any(isinstance(a, jax.core.Tracer) for a in arguments):
                raise BadInput("the solver checks its input and iterates, so jax.jit and jax.vmap cannot trace it")
            return solve(*arguments)

        def forward(*arguments: Array) -> Any:
            parts = solved(*arguments)
            return parts, (*arguments, parts[0])

        def backward(saved: tuple[Array, ...], cotangents: tuple[Array, ...]) -> Any:
            with self.precision():
                pulled = pull_back(*map(self.asarray, (*saved, cotangents[0])))
                return tuple(c.astype(a.dtype) for c, a in zip(pulled, saved[:-1], strict=True))

        solved.defvjp(forward, backward)
        return solved(*(a if isinstance(a, jax.Array) else self.asarray(a) for a in arguments))

    def synchronize(self, *arrays: Array) -> None:
        self._jax.block_until_ready(arrays)

    def describe(self) -> dict[str, Any]:
        about = super().describe()
        if self.jax_device.platform != "cpu":
            about["device_name"] = self.jax_device.device_kind
        return about


_BACKENDS: dict[str, type[Backend]] = {backend.name: backend for backend in (Backend, _Torch, _Jax)}
ARRAY_BACKENDS = tuple(_BACKENDS)


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
    return _BACKENDS[name](device, dtype)


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
