"""The array libraries, as code is written for them; how they compute is in :mod:`grpo_symbolic.numeric.backends`.

Whoever writes code for an array library, or offers them to choose from, asks :data:`LIBRARIES`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    """How code for one array library is written.

    ``name``: what options call it, and its import and extra. ``title``: what people call it. ``namespace``: what
    written code calls its functions by; ``names``: what the imports bind. ``differentiable``: gradients go through.
    ``formulas``: the beginning of formulas written out, which defines ``_arrays``, ``_where``, ``_maximum``,
    ``_minimum`` and ``_logaddexp``; ``typed``: the last four take an array last, whose type numbers get.
    ``losses``: the beginning of losses written out, which defines one operation a line.
    """

    name: str
    title: str
    namespace: str
    names: tuple[str, ...]
    differentiable: bool
    formulas: str
    losses: str
    typed: bool = False


_NUMPY = Library(
    "numpy",
    "NumPy",
    namespace="np",
    names=("np",),
    differentiable=False,
    formulas='''\
import numpy as np


def _arrays(*values):
    """Arrays of floats of one shape."""
    floats = (v if getattr(v, "dtype", None) == np.float32 else np.asarray(v, float) for v in values)
    return np.broadcast_arrays(*floats)


_where, _maximum, _minimum, _logaddexp = np.where, np.maximum, np.minimum, np.logaddexp
''',
    losses="""\
import numpy as np


def cast(x, like): return x.astype(like.dtype)
def wide(x, like): return x.astype(np.promote_types(like.dtype, np.float32))
def eager(x): return True
def detach(x): return x
def where(condition, x, y): return np.where(condition, x, y)
def at_most(x, bound): return np.minimum(x, bound)
def at_least(x, bound): return np.maximum(x, bound)
def top(x): return math.log(float(np.finfo(x.dtype).max)) / 2
def exp(x): return np.exp(at_most(x, top(x)))
def expm1(x): return np.expm1(at_most(x, top(x)))
def sqrt(x): return np.sqrt(x)
def sigmoid(x): return 0.5 * (1 + np.tanh(x / 2))
def table(values, index): return np.asarray(values, index.dtype)[index.astype(int)]
""",
)

_TORCH = Library(
    "torch",
    "PyTorch",
    namespace="torch",
    names=("torch",),
    differentiable=True,
    typed=True,
    formulas='''\
import torch


def _arrays(*values):
    """Tensors of floats of one shape; numbers become float64 on the device of the first tensor."""
    device = next((v.device for v in values if isinstance(v, torch.Tensor)), None)
    floats = (
        v if isinstance(v, torch.Tensor) and v.is_floating_point()
        else torch.as_tensor(v, dtype=torch.float64, device=device)
        for v in values
    )
    return torch.broadcast_tensors(*floats)


def _where(condition, a, b, like):
    return torch.where(condition, _tensor(a, like), _tensor(b, like))


def _maximum(a, b, like):
    return torch.maximum(_tensor(a, like), _tensor(b, like))


def _minimum(a, b, like):
    return torch.minimum(_tensor(a, like), _tensor(b, like))


def _logaddexp(a, b, like):
    return torch.logaddexp(_tensor(a, like), _tensor(b, like))


def _tensor(value, like):
    return value if isinstance(value, torch.Tensor) else torch.full_like(like, value)
''',
    losses="""\
import torch


def cast(x, like): return x.to(like.dtype)
def wide(x, like): return x.to(torch.promote_types(like.dtype, torch.float32))
def eager(x): return not torch.compiler.is_compiling()
def detach(x): return x.detach()
def where(condition, x, y): return torch.where(condition, x, y)
def at_most(x, bound): return x.clamp(max=bound)
def at_least(x, bound): return x.clamp(min=bound)
def top(x): return math.log(torch.finfo(x.dtype).max) / 2
def exp(x): return torch.exp(x.clamp(max=top(x)))
def expm1(x): return torch.expm1(x.clamp(max=top(x)))
def sqrt(x): return torch.sqrt(x)
def sigmoid(x): return torch.sigmoid(x)
def table(values, index): return index.new_tensor(values)[index.long()]
""",
)

_JAX = Library(
    "jax",
    "JAX",
    namespace="jnp",
    names=("jax", "jnp"),
    differentiable=True,
    formulas='''\
import jax.numpy as jnp  # computes in float32 unless jax_enable_x64 is set


def _arrays(*values):
    """Arrays of floats of one shape."""
    return jnp.broadcast_arrays(*(jnp.asarray(v, dtype=jnp.result_type(v, float)) for v in values))


_where, _maximum, _minimum, _logaddexp = jnp.where, jnp.maximum, jnp.minimum, jnp.logaddexp
''',
    losses="""\
import jax
import jax.numpy as jnp


def cast(x, like): return x.astype(like.dtype)
def wide(x, like): return x.astype(jnp.promote_types(like.dtype, jnp.float32))
def eager(x): return not isinstance(x, jax.core.Tracer)
def detach(x): return jax.lax.stop_gradient(x)
def where(condition, x, y): return jnp.where(condition, x, y)
def at_most(x, bound): return jnp.where(x <= bound, x, bound)
def at_least(x, bound): return jnp.where(x >= bound, x, bound)
def top(x): return math.log(float(jnp.finfo(x.dtype).max)) / 2
def exp(x): return jnp.exp(at_most(x, top(x)))
def expm1(x): return jnp.expm1(at_most(x, top(x)))
def sqrt(x): return jnp.sqrt(x)
def sigmoid(x): return jax.nn.sigmoid(x)
def table(values, index): return jnp.asarray(values, index.dtype)[index.astype(int)]
""",
)

LIBRARIES: dict[str, Library] = {library.name: library for library in (_NUMPY, _TORCH, _JAX)}
