"""NumPy, PyTorch and JAX: self-contained source text, and the same functions as callables.

The functions broadcast over arrays of any shape; on PyTorch and JAX they are differentiable. Truth values come as
Boolean arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from grpo_symbolic.errors import BadInput
from grpo_symbolic.export.header import Header
from grpo_symbolic.export.item import Item
from grpo_symbolic.export.straightline import INFIX, Function, Language, complete, functions, lowered
from grpo_symbolic.numeric.compiler.program import UNARY

LIBRARIES = ("numpy", "torch", "jax")
RESERVED = frozenset(["np", "jnp", "jax", "torch", "math"])
_ARRAY_NAMES = {"asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
_XP = {"numpy": "np", "torch": "torch", "jax": "jnp"}

_PRELUDE = {
    "numpy": '''\
import numpy as np


def _arrays(*values):
    """Arrays of floats of one shape."""
    floats = (v if getattr(v, "dtype", None) == np.float32 else np.asarray(v, float) for v in values)
    return np.broadcast_arrays(*floats)


_where, _maximum, _minimum, _logaddexp = np.where, np.maximum, np.minimum, np.logaddexp
''',
    "torch": '''\
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
    "jax": '''\
import jax.numpy as jnp  # computes in float32 unless jax_enable_x64 is set


def _arrays(*values):
    """Arrays of floats of one shape."""
    return jnp.broadcast_arrays(*(jnp.asarray(v, dtype=jnp.result_type(v, float)) for v in values))


_where, _maximum, _minimum, _logaddexp = jnp.where, jnp.maximum, jnp.minimum, jnp.logaddexp
''',
}


def _literal(xp: str) -> Callable[[float], str]:
    def literal(value: float) -> str:
        if math.isfinite(value):
            return repr(value) if math.copysign(1, value) > 0 else f"({value!r})"
        return f"{xp}.nan" if math.isnan(value) else f"{xp}.inf" if value > 0 else f"(-{xp}.inf)"

    return literal


def _language(library: str) -> Language:
    xp = _XP[library]
    like = ", like" if library == "torch" else ""
    return Language(
        complete(
            {
                **{op: f"{xp}.{op if library == 'torch' else _ARRAY_NAMES.get(op, op)}({{}})" for op in UNARY},
                **INFIX,
                "and": "{} & {}",
                "or": "{} | {}",
                "not": "~{}",
                "pow": "{} ** {}",
                **{op: f"_{op}({{}}, {{}}{like})" for op in ("maximum", "minimum", "logaddexp")},
                "where": f"_where({{}}, {{}}, {{}}{like})",
            }
        ),
        "    {name} = {value}",
        "real",
        "truth",
        _literal(xp),
        "True",
        "False",
    )


def write(made: list[Function], header: Header, library: str) -> str:
    """The source of the functions for one of :data:`LIBRARIES`."""
    language = _language(library)
    blocks = [header.comment("#") + _PRELUDE[library]]
    for f in made:
        lines, result, kind = language.lines(f)
        given = ", ".join(f.names)
        returned = {"real": "an array of floats", "truth": "an array of truth values"}[kind]
        text = " ".join(f.meaning.split()).replace("\\", "/").replace('"', "'")
        body = [f"def {f.name}({given}):", f'    """{text}: {returned}."""']
        if f.names:
            body.append(f"    {given}{',' if len(f.names) == 1 else ''} = _arrays({given})")
            body += ["    like = " + f.names[0]] if library == "torch" else []
        else:
            result = f"_arrays({result})[0]"
        blocks.append("\n".join([*body, *lines, f"    return {result}"]))
    return "\n\n".join(blocks) + "\n"


def callables(item: Item, library: str = "numpy", **options: Any) -> dict[str, Any]:
    """The functions themselves, by the names of the parts: :func:`grpo_symbolic.numeric.compile` of each, with its
    ``options`` (``dtype``, ``device``, ``jit``).

    Each takes one array for each of its ``arguments``, in the order of the notation. Raises :class:`BadInput` for a
    library that is unknown or not installed, and where no part can be computed.
    """
    if library not in LIBRARIES:
        raise BadInput(f"there is no array library {library!r}; expected one of {', '.join(LIBRARIES)}")
    from grpo_symbolic.numeric.compiler.compiled import compile

    made, _ = functions(item)
    return {f.part.name: compile(lowered(f.part.expression), f.arguments, library, **options) for f in made}
