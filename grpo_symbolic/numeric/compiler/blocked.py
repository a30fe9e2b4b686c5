"""NumPy in cache-sized blocks: each step writes into a reused buffer that stays in cache, on all usable cores.

Evaluating ten million points one whole array after the other moves every intermediate result through memory and pays
for fresh pages each time; here only arguments and results do. Steps that depend on scalars alone are done once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from grpo_symbolic.numeric.backends import usable_cores
from grpo_symbolic.numeric.blocks import BLOCK, Counter
from grpo_symbolic.numeric.compiler.printers import ARCS, ARRAY, build, literal
from grpo_symbolic.numeric.compiler.program import BOOLEAN, Operand, Program, Step

_THREADED = 4 * BLOCK  # fewer are done before a thread has started

_UFUNCS = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "neg": "negative",
    "pow": "power",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "eq": "equal",
    "ne": "not_equal",
    "and": "logical_and",
    "or": "logical_or",
    "not": "logical_not",
    "abs": "absolute",
    **ARCS,
}


class Blocked:
    """A program for flat arrays of one length and scalars; ``scalars`` names the arguments that are scalars."""

    def __init__(self, program: Program, scalars: frozenset[str], dtype: str, namespace: dict[str, Any]) -> None:
        self.dtype = np.dtype(dtype)
        self.result_dtype = np.dtype(bool) if program.boolean else self.dtype
        self.scalar_arguments = [a for a in program.arguments if a in scalars]
        self.array_arguments = [a for a in program.arguments if a not in scalars]
        self._write(program, scalars, namespace)

    def _write(self, program: Program, scalars: frozenset[str], namespace: dict[str, Any]) -> None:
        invariant: set[Any] = set(scalars)
        once, each = [], []
        for step in program.steps:
            free = [o for o in step.operands if isinstance(o, str)]
            if invariant.issuperset(free):
                invariant.add(step.name)
                once.append(step)
            else:
                each.append(step)
        used = {o for step in each for o in step.operands} | {program.result}
        constants = [name for name in (*self.scalar_arguments, *(s.name for s in once)) if name in used]
        lines = [f"def f({', '.join(self.scalar_arguments)}):"]
        lines += [f"    {s.name} = {ARRAY[s.op].format(*map(literal, s.operands))}" for s in once]
        lines.append(f"    return ({', '.join(constants)}{',' if constants else ''})")
        self.once = build("\n".join(lines) + "\n", namespace)

        body, self.workspaces = _allocate(each, program.result)
        names = [*self.array_arguments, *constants, *(w for w, _ in self.workspaces), "out"]
        lines = [f"def f({', '.join(names)}):", *(f"    {line}" for line in body)]
        if not any(s.name == program.result for s in each):
            lines.append(f"    copyto(out, {literal(program.result)})")
        self.text = "\n".join(lines) + "\n"
        self.block = build(self.text, {"xp": np, "copyto": np.copyto, "true": True, "false": False})

    def __call__(self, arrays: Sequence[np.ndarray], scalars: Sequence[Any], out: np.ndarray) -> None:
        """Fill ``out``, flat and of the arrays' length."""
        with np.errstate(all="ignore"):
            constants = self.once(*scalars)
        count = out.shape[0]
        workers = min(usable_cores(), count // _THREADED)
        if workers <= 1:
            self._range(arrays, constants, out, iter(range(0, count, BLOCK)))
            return
        shared = Counter(range(0, count, BLOCK))
        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(self._range, arrays, constants, out, shared) for _ in range(workers)]:
                done.result()

    def _range(
        self, arrays: Sequence[np.ndarray], constants: Sequence[Any], out: np.ndarray, starts: Iterable[int]
    ) -> None:
        size = min(BLOCK, out.shape[0])
        work = [np.empty(size, bool if boolean else self.dtype) for _, boolean in self.workspaces]
        with np.errstate(all="ignore"):
            for start in starts:
                part = out[start : start + BLOCK]
                if part.shape[0] < size:
                    work = [w[: part.shape[0]] for w in work]
                self.block(*[a[start : start + BLOCK] for a in arrays], *constants, *work, part)
                if part.shape[0] < size:
                    work = [w if w.base is None else w.base for w in work]


def _allocate(steps: Sequence[Step], result: Operand) -> tuple[list[str], list[tuple[str, bool]]]:
    """Lines that compute the steps into buffers, a buffer free again after the last use of what it holds; and the
    buffers, each with whether it holds truth values.
    """
    last: dict[Any, int] = {o: k for k, step in enumerate(steps) for o in step.operands}
    place: dict[Any, str] = {}
    free: dict[bool, list[str]] = {False: [], True: []}
    kinds: dict[str, bool] = {}  # of each buffer: whether it holds truth values
    lines: list[str] = []

    def where(operand: Operand) -> str:
        return place.get(operand) or literal(operand)

    for k, step in enumerate(steps):
        boolean = step.op in BOOLEAN
        dying = [o for o in dict.fromkeys(step.operands) if o in place and last[o] == k]
        target = None
        if step.op == "where":
            condition, a, b = step.operands
            # Written over b, if b is not needed again: then one masked copy is the whole choice.
            if b in dying and kinds.get(place[b]) is False:
                target = place[b]
        else:
            target = next((place[o] for o in dying if kinds.get(place[o]) is boolean), None)
        if step.name == result:
            target = "out"
        elif target is None and free[boolean]:
            target = free[boolean].pop()
        elif target is None:
            target = f"{'m' if boolean else 'w'}{len(kinds)}"
            kinds[target] = boolean
        if step.op == "where":
            if target != where(b):
                lines.append(f"copyto({target}, {where(b)})")
            lines.append(f"copyto({target}, {where(a)}, where={where(condition)})")
        else:
            ufunc = _UFUNCS.get(step.op, step.op)
            lines.append(f"xp.{ufunc}({', '.join(map(where, step.operands))}, out={target})")
        place[step.name] = target
        for operand in dying:
            if place[operand] not in (target, "out"):
                free[kinds[place[operand]]].append(place[operand])
    return lines, list(kinds.items())
