"""C99: one function a part, self-contained but for <math.h>; a truth value is an int."""

from __future__ import annotations

import math

from grpo_symbolic.export.header import Header
from grpo_symbolic.export.straightline import INFIX, Function, Language, complete

_WORDS = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "NAN INFINITY asm true false bool main "
)
RESERVED = frozenset(_WORDS.split())
_SAME = ("sqrt", "exp", "log", "log1p", "expm1", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sin", "cos")
_PRELUDE = """\
#include <math.h>

#ifndef GRPO_SYMBOLIC_HELPERS
#define GRPO_SYMBOLIC_HELPERS
/* Unlike fmax and fmin these keep what is not a number. */
static inline double gs_max(double a, double b) { return a >= b || a != a ? a : b; }
static inline double gs_min(double a, double b) { return a <= b || a != a ? a : b; }
static inline double gs_sign(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }
#endif
"""


def _literal(value: float) -> str:
    if math.isnan(value):
        return "NAN"
    text = "INFINITY" if math.isinf(value) else repr(abs(value))
    return f"(-{text})" if math.copysign(1, value) < 0 else text


C = Language(
    complete(
        {
            **INFIX,
            **{op: f"{op}({{}})" for op in _SAME},
            "abs": "fabs({})",
            "floor": "floor({})",
            "ceil": "ceil({})",
            "sign": "gs_sign({})",
            "pow": "pow({}, {})",
            "maximum": "gs_max({}, {})",
            "minimum": "gs_min({}, {})",
            "where": "{} ? {} : {}",
        }
    ),
    "    const {type} {name} = {value};",
    "double",
    "int",
    _literal,
    "1",
    "0",
)


def write(functions: list[Function], header: Header) -> str:
    """The C source of the functions."""
    blocks = [header.comment("//") + _PRELUDE]
    for f in functions:
        lines, result, kind = C.lines(f)
        given = ", ".join(f"double {name}" for name in f.names) or "void"
        meaning = " ".join(f.meaning.split())
        blocks.append(
            "\n".join([f"// {meaning}", f"{kind} {f.name}({given}) {{", *lines, f"    return {result};", "}"])
        )
    return "\n".join(blocks) + "\n"
