"""Rust: one public function a part, with nothing but the standard library."""

from __future__ import annotations

import math

from grpo_symbolic.export.header import Header
from grpo_symbolic.export.straightline import INFIX, Function, Language, complete

_WORDS = (
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod "
    "move mut pub ref return self Self static struct super trait true type union unsafe use where while abstract "
    "become box do final gen macro override priv try typeof unsized virtual yield f64 bool main "
)
RESERVED = frozenset(_WORDS.split())
_METHODS = {
    "sqrt": "sqrt",
    "exp": "exp",
    "log": "ln",
    "log1p": "ln_1p",
    "expm1": "exp_m1",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "asinh": "asinh",
    "acosh": "acosh",
    "atanh": "atanh",
    "sin": "sin",
    "cos": "cos",
    "abs": "abs",
    "floor": "floor",
    "ceil": "ceil",
}


def _literal(value: float) -> str:
    if math.isnan(value):
        return "f64::NAN"
    text = "f64::INFINITY" if math.isinf(value) else f"{abs(value)!r}_f64"
    return f"(-{text})" if math.copysign(1, value) < 0 else text


RUST = Language(
    complete(
        {
            **INFIX,
            **{op: f"f64::{name}({{}})" for op, name in _METHODS.items()},
            "sign": "if {0} > 0.0 {{ 1.0 }} else if {0} < 0.0 {{ -1.0 }} else {{ {0} }}",
            "maximum": "if {0} >= {1} || {0} != {0} {{ {0} }} else {{ {1} }}",
            "minimum": "if {0} <= {1} || {0} != {0} {{ {0} }} else {{ {1} }}",
            "pow": "f64::powf({}, {})",
            "where": "if {} {{ {} }} else {{ {} }}",
        }
    ),
    "    let {name}: {type} = {value};",
    "f64",
    "bool",
    _literal,
)


def write(functions: list[Function], header: Header) -> str:
    """The Rust source of the functions."""
    blocks = [header.comment("//")]
    for f in functions:
        lines, result, kind = RUST.lines(f)
        given = ", ".join(f"{name}: f64" for name in f.names)
        blocks.append(
            "\n".join(
                [
                    f"/// {' '.join(f.meaning.split())}",
                    "#[allow(non_snake_case, unused_variables, clippy::all)]",
                    f"pub fn {f.name}({given}) -> {kind} {{",
                    *lines,
                    f"    {result}",
                    "}",
                ]
            )
        )
    return "\n".join(blocks) + "\n"
