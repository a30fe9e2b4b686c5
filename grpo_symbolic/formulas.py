"""Formulas as people type them, read by a table of letters and functions; nothing is evaluated as a program.

>>> import sympy as sp
>>> x = sp.Symbol("x", real=True)
>>> read_formula("0.1·x² + log(x)", {"x": x}, {"log": Function(sp.log)})
x**2/10 + log(x)
>>> read_formula("x + z", {"x": x}, {})
Traceback (most recent call last):
    ...
grpo_symbolic.errors.BadInput: in 'x + z' there is no letter 'z'; expected one of x
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from grpo_symbolic.errors import BadInput

__all__ = ["ARITHMETIC", "Function", "read_formula"]

_LONGEST, _DEEPEST, _POWER, _DIGITS = 2000, 100, 1000, 400  # of a text, a tree, an exponent, a number
_SIGNS = {"^": "**", "²": "**2", "³": "**3", "−": "-", "·": "*", "×": "*", "÷": "/", "√": "sqrt"}
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


@dataclass(frozen=True)
class Function:
    """What a name in front of parentheses stands for: ``of`` makes an expression of ``least`` to ``most`` others."""

    of: Callable[..., sp.Expr]
    least: int = 1
    most: int = 1


def _bounded(value: sp.Expr, low: sp.Expr, high: sp.Expr) -> sp.Expr:
    return sp.Max(low, sp.Min(value, high))


ARITHMETIC: Mapping[str, Function] = {
    "log": Function(sp.log),
    "ln": Function(sp.log),
    "exp": Function(sp.exp),
    "sqrt": Function(sp.sqrt),
    "abs": Function(sp.Abs),
    "sign": Function(sp.sign),
    "min": Function(sp.Min, 2, 8),
    "max": Function(sp.Max, 2, 8),
    "clip": Function(_bounded, 3, 3),
}
"""The functions that every formula has; ``clip(f, low, high)`` keeps f between two bounds."""


def read_formula(text: str, letters: Mapping[str, sp.Expr], functions: Mapping[str, Function]) -> sp.Expr:
    """The expression that a formula writes: ``+ - * / ^``, exact numbers, the ``letters`` and the ``functions``.

    Raises :class:`BadInput` for anything else, saying what and where in the text.
    """
    if len(text) > _LONGEST:
        raise BadInput(f"a formula has at most {_LONGEST} characters, and this one has {len(text)}")
    source = text.strip()
    for sign, typed in _SIGNS.items():
        source = source.replace(sign, typed)
    try:
        tree = ast.parse(source, mode="eval")
        shown = text.strip() if len(text) < 90 else f"{text.strip()[:80]} …"
        return _Reader(shown, source, letters, functions).read(tree.body, 0)
    except SyntaxError as problem:
        where = f" near character {problem.offset}" if problem.offset else ""
        raise BadInput(f"{text.strip()[:80]!r} is no formula: {problem.msg}{where}") from None
    except (ValueError, RecursionError, MemoryError) as problem:
        if isinstance(problem, BadInput):
            raise
        raise BadInput(f"{text.strip()[:60]!r} is no formula that can be read") from None


@dataclass
class _Reader:
    text: str
    source: str
    letters: Mapping[str, sp.Expr]
    functions: Mapping[str, Function]

    def read(self, node: ast.expr, depth: int) -> sp.Expr:
        if depth > _DEEPEST:
            raise self._refused("more parentheses inside one another than are read")
        match node:
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                return self._number(ast.get_source_segment(self.source, node) or "")
            case ast.Name(id=name):
                return self._letter(name)
            case ast.UnaryOp(op=ast.USub(), operand=inside):
                return -self.read(inside, depth + 1)
            case ast.UnaryOp(op=ast.UAdd(), operand=inside):
                return self.read(inside, depth + 1)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self._combined(op, self.read(left, depth + 1), self.read(right, depth + 1))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._called(name, [self.read(a, depth + 1) for a in args])
        raise self._refused(f"{ast.get_source_segment(self.source, node)!r}, which formulas do not have")

    def _refused(self, what: str) -> BadInput:
        return BadInput(f"in {self.text!r} there is {what}")

    def _number(self, written: str) -> sp.Rational:
        size = len(written) if "e" not in written.lower() else abs(int(written.lower().partition("e")[2])) + 20
        if size > _DIGITS:
            raise self._refused(f"the number {written[:20]}…, which has too many digits")
        return sp.Rational(Fraction(written))

    def _letter(self, name: str) -> sp.Expr:
        if name in self.letters:
            return self.letters[name]
        if name in self.functions:
            raise self._refused(f"the function {name} without its parentheses")
        raise self._refused(f"no letter {name!r}; expected one of {', '.join(self.letters)}")

    def _combined(self, op: ast.operator, left: sp.Expr, right: sp.Expr) -> sp.Expr:
        if isinstance(op, ast.Div) and right.is_zero:
            raise self._refused("a division by 0")
        if isinstance(op, ast.Pow):
            if right.is_number and not abs(right) <= _POWER:
                raise self._refused(f"the exponent {right}, and none above {_POWER} is read")
            if left.is_zero and right.is_nonpositive:
                raise self._refused("a division by 0")
            if left.is_Rational and right.is_Rational and len(str(left)) * abs(right) > _DIGITS:
                raise self._refused("a power with too many digits")
        return _OPERATORS[type(op)](left, right)

    def _called(self, name: str, given: list[sp.Expr]) -> sp.Expr:
        if name not in self.functions:
            raise self._refused(f"no function {name!r}; expected one of {', '.join(self.functions)}")
        function = self.functions[name]
        if not function.least <= len(given) <= function.most:
            wanted = str(function.least) + (f" to {function.most}" if function.most > function.least else "")
            raise self._refused(f"{name} of {len(given)}, where it takes {wanted}")
        value = function.of(*given)
        if value.has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I):
            raise self._refused(f"{name}({', '.join(map(str, given))}), which is no real number")
        return value
