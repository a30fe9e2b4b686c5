"""JavaScript: one exported function a part, of numbers; what has no real value is NaN. An ECMAScript module."""

from __future__ import annotations

import math

from grpo_symbolic.export.header import Header
from grpo_symbolic.export.straightline import INFIX, Function, Language, complete

_WORDS = (
    "arguments async await break case catch class const continue debugger default delete do else enum eval export "
    "extends false finally for function get if implements import in instanceof interface let new null of package "
    "private protected public return set static super switch this throw true try typeof undefined var void while with "
    "yield Infinity Math NaN"
)
RESERVED = frozenset(_WORDS.split())
_SAME = (
    *("sqrt", "exp", "log", "log1p", "expm1", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sin", "cos", "abs"),
    *("floor", "ceil", "sign"),
)


def _literal(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    text = "Infinity" if math.isinf(value) else repr(abs(value))
    return f"(-{text})" if math.copysign(1, value) < 0 else text


JAVASCRIPT = Language(
    complete(
        {
            **INFIX,
            **{op: f"Math.{op}({{}})" for op in _SAME},
            "eq": "{} === {}",
            "ne": "{} !== {}",
            "pow": "Math.pow({}, {})",
            "maximum": "Math.max({}, {})",
            "minimum": "Math.min({}, {})",
            "where": "{} ? {} : {}",
        }
    ),
    "  const {name} = {value};",
    "number",
    "boolean",
    _literal,
)


def write(functions: list[Function], header: Header) -> str:
    """The JavaScript source of the functions."""
    return "\n".join([header.comment("//"), *map(source, functions)]) + "\n"


def source(function: Function) -> str:
    """One function, with a line that says what it is."""
    lines, result, kind = JAVASCRIPT.lines(function)
    told = f"/** {' '.join(function.meaning.split())} @returns {{{kind}}} */"
    given = f"export function {function.name}({', '.join(function.names)}) {{"
    return "\n".join([told, given, *lines, f"  return {result};", "}"])
