"""Julia: one function a part, of Float64; what has no real value is NaN, as in the other languages, and no error."""

from __future__ import annotations

import math

from grpo_symbolic.export.header import Header
from grpo_symbolic.export.straightline import INFIX, Function, Language, complete

_WORDS = (
    "baremodule begin break catch const continue do else elseif end export false finally for function global if "
    "import let local macro module quote return struct true try using while abstract mutable primitive type where "
    "in isa pi NaN Inf "
)
RESERVED = frozenset(_WORDS.split())
_SAME = ("exp", "expm1", "sinh", "cosh", "tanh", "asinh", "sin", "cos", "abs", "floor", "ceil", "sign")
_PRELUDE = """\
# Julia raises an error where a function has no real value; these give NaN.
gs_sqrt(a) = a < 0 ? NaN : sqrt(a)
gs_log(a) = a < 0 ? NaN : log(a)
gs_log1p(a) = a < -1 ? NaN : log1p(a)
gs_acosh(a) = a < 1 ? NaN : acosh(a)
gs_atanh(a) = abs(a) > 1 ? NaN : atanh(a)
gs_pow(a, b) = a < 0 && !isinteger(b) ? NaN : a^b
"""


def _literal(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    text = "Inf" if math.isinf(value) else repr(abs(value))
    return f"(-{text})" if math.copysign(1, value) < 0 else text


JULIA = Language(
    complete(
        {
            **INFIX,
            **{op: f"{op}({{}})" for op in _SAME},
            **{op: f"gs_{op}({{}})" for op in ("sqrt", "log", "log1p", "acosh", "atanh")},
            "pow": "gs_pow({}, {})",
            "maximum": "max({}, {})",
            "minimum": "min({}, {})",
            "where": "{} ? {} : {}",
        }
    ),
    "    {name} = {value}",
    "Float64",
    "Bool",
    _literal,
)


def write(functions: list[Function], header: Header) -> str:
    """The Julia source of the functions."""
    blocks = [header.comment("#") + _PRELUDE]
    for f in functions:
        lines, result, kind = JULIA.lines(f)
        given = ", ".join(f"{name}::Real" for name in f.names)
        told = f"# {' '.join(f.meaning.split())}"
        blocks.append("\n".join([told, f"function {f.name}({given})::{kind}", *lines, f"    return {result}", "end"]))
    return "\n".join(blocks) + "\n"
