"""An expression that a reader types, or finds in somebody's link: read from a table of what is allowed, never run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction

import sympy as sp

from grpo_symbolic.errors import BadInput

LONGEST = 300  # characters
_FUNCTIONS: dict[str, Callable[..., sp.Expr]] = {
    "log": sp.log,
    "exp": sp.exp,
    "sqrt": sp.sqrt,
    "abs": sp.Abs,
    "max": sp.Max,
    "min": sp.Min,
}
_OPERATIONS: dict[type[ast.operator], Callable[[sp.Expr, sp.Expr], sp.Expr]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}


def read_formula(text: str, names: Mapping[str, sp.Expr]) -> sp.Expr:
    """The expression of a text such as ``(pi - ref)^2/ref`` in these ``names``; decimals are read exactly.

    Raises :class:`BadInput` for anything but numbers, the names, ``+ - * / ^`` and log, exp, sqrt, abs, max, min.

    >>> from sympy import symbols
    >>> a, b = symbols("a b")
    >>> read_formula("a^2/(4*b) - 0.1", {"a": a, "b": b})
    a**2/(4*b) - 1/10
    """
    if len(text) > LONGEST:
        raise BadInput(f"a formula has at most {LONGEST} characters, and this one {len(text)}")
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadInput(f"{text!r} is no formula: expected one such as (pi - ref)^2/ref") from None
    found = _read(tree, names)
    if found.has(sp.nan, sp.zoo, sp.oo):
        raise BadInput(f"{text!r} divides by zero")
    return found


def _read(node: ast.expr, names: Mapping[str, sp.Expr]) -> sp.Expr:
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return sp.Rational(Fraction(str(node.value)))
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub()):
            return -_read(node.operand, names)
        case ast.UnaryOp(op=ast.UAdd()):
            return _read(node.operand, names)
        case ast.BinOp() if type(node.op) in _OPERATIONS:
            left, right = _read(node.left, names), _read(node.right, names)
            if isinstance(node.op, ast.Pow) and right.is_number and not abs(right) <= 20:
                raise BadInput(f"an exponent lies between -20 and 20, and {right} does not")
            return _OPERATIONS[type(node.op)](left, right)
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in _FUNCTIONS:
            many = name in ("max", "min")
            if len(node.args) == 1 or (many and len(node.args) == 2):
                return _FUNCTIONS[name](*(_read(a, names) for a in node.args))
    said = ast.unparse(node)
    raise BadInput(
        f"{said} cannot be read: expected numbers, {', '.join(names)}, + - * / ^, and {', '.join(_FUNCTIONS)}"
    )
