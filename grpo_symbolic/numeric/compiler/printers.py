"""Programs as Python source: one table of templates for each arithmetic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import sympy as sp

from grpo_symbolic.numeric.compiler.program import BINARY, UNARY, Operand, Program

INFIX = {
    "add": "{} + {}",
    "sub": "{} - {}",
    "mul": "{} * {}",
    "div": "{} / {}",
    "neg": "-{}",
    "lt": "{} < {}",
    "le": "{} <= {}",
    "gt": "{} > {}",
    "ge": "{} >= {}",
    "eq": "{} == {}",
    "ne": "{} != {}",
    "and": "{} & {}",
    "or": "{} | {}",
    "not": "~{}",
    "pow": "{} ** {}",
}
_DEEPEST = 20  # brackets within brackets
_CHECKED = ("where", "maximum", "minimum", "logaddexp")  # torch wants tensors where the others take numbers


ARCS = {"asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}  # as NumPy, PyTorch and JAX call them


def array_functions(namespace: str) -> dict[str, str]:
    """The functions of one argument, whose names are the same in NumPy, PyTorch and JAX."""
    return {op: f"{namespace}.{ARCS.get(op, op)}({{}})" for op in UNARY}


ARRAY: dict[str, str] = {
    **array_functions("xp"),
    **{op: f"xp.{op}({{}}, {{}})" for op in BINARY},
    **INFIX,
    **{op: f"{op}({{}}, {{}})" for op in _CHECKED},
    "where": "where({}, {}, {})",
}
FLINT: dict[str, str] = {
    **{op: f"{{}}.{op}()" for op in UNARY},
    **INFIX,
    "abs": "abs({})",
    "sign": "sign({})",
    "minimum": "{}.min({})",
    "maximum": "{}.max({})",
    "logaddexp": "({}.exp() + {}.exp()).log()",
    **{op: f"{op}_({{}}, {{}})" for op in ("lt", "le", "gt", "ge", "eq", "ne", "and", "or")},
    "not": "not_({})",
    "where": "where({}, {}, {})",
}
MPMATH: dict[str, str] = {
    **{op: f"mp.{op}({{}})" for op in UNARY},
    **INFIX,
    **{op: f"{op}_({{}})" for op in ("log", "log1p", "sqrt", "acosh", "atanh")},
    **{op: f"{op}_({{}}, {{}})" for op in ("div", "pow", "lt", "le", "gt", "ge", "eq", "ne", "and", "or")},
    "not": "not_({})",
    "abs": "abs({})",
    "minimum": "min({}, {})",
    "maximum": "max({}, {})",
    "logaddexp": "mp.log(mp.exp({}) + mp.exp({}))",
    "where": "where({}, {}, {})",
}


def literal(operand: Operand) -> str:
    """An operand of a floating-point program: a name, or the nearest float of a number."""
    if isinstance(operand, str):
        return operand
    if operand in (sp.true, sp.false):
        return str(bool(operand))
    value = float(operand.p) if operand.is_Integer and abs(operand) < 2**53 else float(sp.N(operand, 30))
    text = repr(value)
    return f"({text})" if text.startswith("-") else text  # inf and nan are names of the namespace


def source(program: Program, templates: dict[str, str], write: Callable[[Operand], str] = literal) -> str:
    """A Python function ``f`` of the program's arguments. What is used once is written where it is used, so that its
    memory is free again at once.
    """
    uses = Counter(operand for step in program.steps for operand in step.operands if isinstance(operand, str))
    inline: dict[str, tuple[str, int]] = {}

    def written(operand: Operand) -> str:
        return inline[operand][0] if operand in inline else write(operand)

    lines = [f"def f({', '.join(program.arguments)}):"]
    for step in program.steps:
        text = templates[step.op].format(*map(written, step.operands))
        depth = 1 + max((inline[o][1] for o in step.operands if o in inline), default=0)
        if uses[step.name] == 1 and step.name != program.result and depth < _DEEPEST:
            inline[step.name] = (f"({text})", depth)
        else:
            lines.append(f"    {step.name} = {text}")
    lines.append(f"    return {write(program.result)}")
    return "\n".join(lines) + "\n"


def build(text: str, namespace: dict[str, Any]) -> Any:
    """The function that a source defines. It is made of templates, generated names and numbers only."""
    if not re.fullmatch(r"[\w\s(),.:=+\-*/<>!&|~\[\]]+", text):
        raise ValueError(f"generated code holds something unexpected: {text}")
    scope = {"inf": float("inf"), "nan": float("nan"), **namespace}
    exec(compile(text, "<compiled expression>", "exec"), scope)
    return scope["f"]
