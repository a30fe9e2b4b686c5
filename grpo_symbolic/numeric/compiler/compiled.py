"""From a SymPy expression to a function of arrays: cached, broadcasting, with common subexpressions computed once.

>>> from grpo_symbolic.notation import b, p
>>> f = compile((1 - b + sp.sqrt((1 - b) ** 2 + 4 * b * p)) / 2, [p, b])
>>> f([0.25, 1e-20], 4.0)
array([3.02775638e-01, 1.33333333e-20])
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.libraries import LIBRARIES
from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.backends import Values
from grpo_symbolic.numeric.compiler import guarding
from grpo_symbolic.numeric.compiler.blocked import Blocked
from grpo_symbolic.numeric.compiler.exact import exact_function
from grpo_symbolic.numeric.compiler.printers import ARRAY, build, source
from grpo_symbolic.numeric.compiler.program import Program, linearise
from grpo_symbolic.numeric.compiler.stable import stabilise
from grpo_symbolic.shown import Shown

EXACT = ("flint", "mpmath")
BACKENDS = (*backends.ARRAY_BACKENDS, *EXACT)


class Compiled(Shown):
    """A function of arrays or numbers, one for each of :attr:`arguments`, which broadcast.

    ``expression`` is what was asked for, ``evaluated`` the form that is computed, ``source`` the generated code
    (``text``).
    """

    def __init__(
        self, expression: sp.Basic, evaluated: sp.Basic, arguments: tuple[sp.Basic, ...], backend: str, text: str
    ) -> None:
        self.expression = expression
        self.evaluated = evaluated
        self.arguments = arguments
        self.backend = backend
        self.source = text

    def __call__(self, *values: Values) -> Any:
        if len(values) != len(self.arguments):
            names = ", ".join(map(str, self.arguments))
            raise BadInput(f"the function has {len(self.arguments)} arguments ({names}), got {len(values)}")
        return self._evaluate(*values)

    def _evaluate(self, *values: Values) -> Any:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<compiled for {self.backend}: {self.expression} of {', '.join(map(str, self.arguments))}>"


class _Exact(Compiled):
    def __init__(self, *about: Any, function: Any) -> None:
        super().__init__(*about)
        self._evaluate = function  # type: ignore[method-assign]


class _NumPy(Compiled):
    def __init__(self, *about: Any, program: Program, dtype: str, namespace: dict[str, Any]) -> None:
        super().__init__(*about)
        self.program, self.dtype, self.namespace = program, dtype, namespace
        self._variants: dict[frozenset[str], Blocked] = {}

    def _blocked(self, scalars: frozenset[str]) -> Blocked:
        if scalars not in self._variants:
            self._variants[scalars] = Blocked(self.program, scalars, self.dtype, self.namespace)
        return self._variants[scalars]

    def _evaluate(self, *values: Values) -> Any:
        arrays = [np.asarray(v, dtype=self.dtype) for v in values]
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        names = self.program.arguments
        scalars = frozenset(n for n, a in zip(names, arrays, strict=True) if a.size == 1)
        if len(shape) == 0:
            out = np.empty(1, bool if self.program.boolean else self.dtype)
            self._blocked(scalars)([], [a.reshape(())[()] for a in arrays], out)
            return out[0]
        out = np.empty(shape, bool if self.program.boolean else self.dtype)
        flat = [np.broadcast_to(a, shape).reshape(-1) for a in arrays if a.size != 1]
        self._blocked(scalars)(flat, [a.reshape(())[()] for a in arrays if a.size == 1], out.reshape(-1))
        return out


class _Array(Compiled):
    """On a library that works on whole arrays itself."""

    def __init__(self, *about: Any, program: Program, backend: backends.Backend, jit: bool | None) -> None:
        super().__init__(*about)
        self.array_backend, self.boolean = backend, program.boolean
        self.inner = backend.compile(build(self.source, _namespace(backend)), jit)

    def _evaluate(self, *values: Values) -> Any:
        backend, xp = self.array_backend, self.array_backend.xp
        arrays = [backend.asarray(v) for v in values]
        dtype = backend.truth if self.boolean else None
        with backend.precision():
            result = self.inner(*arrays)
            if not hasattr(result, "shape"):  # a constant
                result = backend.asarray(result) if dtype is None else xp.asarray(result, dtype=dtype)
            shape = np.broadcast_shapes(*(a.shape for a in arrays))
            return result if tuple(result.shape) == shape else xp.broadcast_to(result, shape)


def _namespace(backend: backends.Backend) -> dict[str, Any]:
    """What array code of a backend refers to."""
    return {"xp": backend.xp, **backend.checked()}


def compile(
    expression: sp.Basic,
    arguments: Iterable[sp.Basic],
    backend: str = "numpy",
    dtype: str = "float64",
    device: str | None = None,
    stable: bool = True,
    *,
    digits: int = 50,
    jit: bool | None = None,
) -> Compiled:
    """A function that evaluates a real or Boolean SymPy expression in ``arguments`` (symbols, or entries of families
    such as ``pi[1]``), in bulk.

    ``backend``: 'numpy' (cache-sized blocks on all usable cores), 'torch' or 'jax' (on ``device``; differentiable),
    'flint' (balls that enclose the value, at ``digits`` digits) or 'mpmath'. ``stable`` rewrites first to forms that
    are accurate at the ends of the domain (:mod:`.stable`). ``jit``: by default JAX compiles and torch does not; True
    asks torch.compile, whose first call takes long. On JAX, float64 is switched on for the call
    alone; the global setting stays as it is.

    The same request gives the same function back. Raises :class:`BadInput` for an expression with other symbols, one
    that has no value on arrays (sums of symbolic length, unevaluated limits), or an unknown or missing backend.
    """
    if backend not in BACKENDS:
        raise BadInput(f"there is no backend {backend!r}; the backends are {', '.join(BACKENDS)}")
    if not isinstance(digits, int) or not 1 <= digits <= 100_000:
        raise BadInput(f"the number of digits must be a whole number from 1 to 100000, got {digits}")
    check_kind(arguments, Iterable, "the list of arguments", "symbols in a list, such as [p, beta]")
    names = tuple(arguments)
    if len(set(names)) != len(names) or not all(isinstance(a, sp.Symbol | sp.Indexed) for a in names):
        raise BadInput(f"the arguments must be different symbols, got {', '.join(map(str, names))}")
    try:
        expression = sp.sympify(expression, strict=True)
    except sp.SympifyError:
        raise BadInput(f"a SymPy expression was expected, got {type(expression).__name__}") from None
    if not isinstance(expression, sp.Expr | sp.logic.boolalg.Boolean):
        raise BadInput(f"a real or Boolean SymPy expression was expected, got {expression}")
    if backend in EXACT:
        return _compile(expression, names, backend, "", "", stable, digits, jit)
    library = backends.get(backend, device, dtype)
    return _compile(expression, names, backend, library.dtype, library.device, stable, 0, jit)


@lru_cache(maxsize=1024)
def _compile(
    expression: sp.Basic,
    arguments: tuple[sp.Basic, ...],
    backend: str,
    dtype: str,
    device: str,
    stable: bool,
    digits: int,
    jit: bool | None,
) -> Compiled:
    # Entries of families become symbols; dummies cannot meet a symbol of the expression.
    plain = {a: sp.Dummy(f"x{k}", real=True) for k, a in enumerate(arguments)}
    evaluated = _elementary(expression).xreplace(plain)
    if stable:
        evaluated = stabilise(evaluated)
    back = {v: k for k, v in plain.items()}
    names = tuple(plain.values())
    if backend in EXACT:
        program = linearise(evaluated, names, exact=True, regroup=not stable)
        function, text = exact_function(program, backend, digits)
        return _Exact(expression, evaluated.xreplace(back), arguments, backend, text, function=function)
    library = backends.get(backend, device, dtype)
    differentiable = LIBRARIES[backend].differentiable
    program = linearise(
        guarding.guarded(evaluated) if differentiable else evaluated,
        names,
        logaddexp=differentiable,
        regroup=not stable,
    )
    about = (expression, evaluated.xreplace(back), arguments, backend, source(program, ARRAY))
    if library.on_threads:
        return _NumPy(*about, program=program, dtype=dtype, namespace=_namespace(library))
    return _Array(*about, program=program, backend=library, jit=jit)


def _elementary(expression: sp.Basic) -> Any:
    """The expression without sums, derivatives and connectives that arrays do not have."""
    e = expression.replace(
        lambda a: isinstance(a, sp.Sum | sp.Product | sp.Derivative | sp.binomial), lambda a: a.doit()
    )
    e = e.replace(sp.KroneckerDelta, lambda a, b, *_: sp.Piecewise((1, sp.Eq(a, b)), (0, True)))
    e = e.replace(sp.Heaviside, lambda a, at_zero=sp.S.Half: sp.Piecewise((0, a < 0), (1, a > 0), (at_zero, True)))
    for connective in (sp.Implies, sp.Equivalent, sp.Xor, sp.ITE, sp.Nand, sp.Nor):
        if e.has(connective):
            e = e.replace(connective, lambda *args, c=connective: sp.to_nnf(c(*args), simplify=False))
    left = next((a for a in sp.preorder_traversal(e) if isinstance(a, sp.Sum | sp.Product | sp.Derivative)), None)
    if left is not None:
        raise BadInput(f"{left} has no value on arrays: give its bounds and its function first")
    return e


__all__ = ["BACKENDS", "Compiled", "compile"]
