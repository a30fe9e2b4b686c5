"""SymPy source: Python text that rebuilds the very expression (``==``), unevaluated forms included.

Infix signs are written where SymPy's own arithmetic gives the same tree back; where it would evaluate to something
else, the constructor is called with ``evaluate=False``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.export.header import Header
from grpo_symbolic.export.item import Item
from grpo_symbolic.export.straightline import identifier
from grpo_symbolic.export.tree import CONSTANT_NAMES, DIRECTIONS, NAME_OF, tree

RESERVED = frozenset(["sp", "statement", "domain"])
_CONSTANTS = {e: f"-sp.{name[1:]}" if name[0] == "-" else f"sp.{name}" for e, name in CONSTANT_NAMES.items()}
_CONSTANTS[sp.S.EmptySet] = "sp.S.EmptySet"
_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4  # how tightly a text binds


class _Writer:
    def __init__(self) -> None:
        self.names: dict[Any, str] = {}
        self.declared: list[str] = []

    def text(self, e: sp.Basic, at_least: int = 0) -> str:
        written, binds = self._text(e)
        return f"({written})" if binds < at_least else written

    def _text(self, e: sp.Basic) -> tuple[str, int]:
        if e in _CONSTANTS:
            return _CONSTANTS[e], _ATOM if e != -sp.oo else _SUM
        if isinstance(e, sp.Integer):
            return (f"sp.Integer({e})", _ATOM)
        if isinstance(e, sp.Rational):
            return f"sp.Rational({e.p}, {e.q})", _ATOM
        if isinstance(e, sp.Symbol | sp.IndexedBase):
            return self._name(e), _ATOM
        if isinstance(e, sp.Indexed):
            return f"{self._name(e.base)}[{', '.join(self.text(i) for i in e.indices)}]", _ATOM
        if e.func is sp.Add and _gives(e, operator.add):
            return self._sum(e), _SUM
        if e.func is sp.Mul and e.args[0] is sp.S.NegativeOne and len(e.args) == 2 and -e.args[1] == e:
            return f"-{self.text(e.args[1], _PRODUCT)}", _SUM
        if e.func is sp.Mul and _gives(e, operator.mul):
            return "*".join(self.text(a, _POWER) for a in e.args), _PRODUCT
        if e.func is sp.Pow and _gives(e, operator.pow):
            if e.exp == sp.S.Half:
                return f"sp.sqrt({self.text(e.base)})", _ATOM
            return f"{self.text(e.base, _ATOM)}**{self.text(e.exp, _ATOM)}", _POWER
        return self._call(e), _ATOM

    def _sum(self, e: sp.Basic) -> str:
        first, *rest = e.args
        text = self.text(first, _SUM)
        total = first
        for a in rest:
            flipped = sp.S.NegativeOne * a
            minus = a.args and a.args[0] is sp.S.NegativeOne and -flipped == a
            text += f" - {self.text(flipped, _PRODUCT)}" if minus else f" + {self.text(a, _PRODUCT)}"
            total = total + a
        return text

    def _call(self, e: sp.Basic) -> str:
        name = NAME_OF.get(e.func)
        if name is None:
            raise BadInput(f"SymPy source has no constructor for {type(e).__name__}, in {str(e)[:60]}")
        args = ", ".join(self.text(a) for a in e.args)
        if e.func is sp.Tuple:
            return f"({args}{',' if len(e.args) == 1 else ''})"
        if name == "ExprCondPair":
            return f"({args})"
        if name in ("Limit", "Subs", "Sum", "Product"):
            return f"sp.{name}({args})"
        if _is(e, lambda: e.func(*e.args)):
            return f"sp.{name}({args})"
        return f"sp.{name}({args}, evaluate=False)"

    def _name(self, e: sp.Basic) -> str:
        if e not in self.names:
            name = f"direction{len(self.names)}" if str(e) in DIRECTIONS else identifier(str(e), RESERVED)
            while name in self.names.values():
                name += "_"
            self.names[e] = name
            symbol = e.label if isinstance(e, sp.IndexedBase) else e
            assumed = [f"{k}={v}" for k, v in sorted(symbol._assumptions_orig.items()) if v is not None]
            kind = "IndexedBase" if isinstance(e, sp.IndexedBase) else "Symbol"
            self.declared.append(f"{name} = sp.{kind}({', '.join([repr(str(e)), *assumed])})")
        return self.names[e]


def _gives(e: sp.Basic, operation: Callable[[sp.Basic, sp.Basic], sp.Basic]) -> bool:
    return len(e.args) > 1 and _is(e, lambda: reduce(operation, e.args))


def _is(e: sp.Basic, make: Callable[[], sp.Basic]) -> bool:
    made = make()
    return bool(made == e and made.func is e.func and made.args == e.args)


def write(item: Item, header: Header) -> str:
    """A module that defines its symbols, ``statement`` and ``domain``, a list of relations."""
    tree(item.statement)  # the same forms can be written, with the same names for symbols
    writer = _Writer()
    statement = writer.text(item.statement)
    constraints = [] if item.domain is None else [writer.text(c) for c in item.domain.constraints]
    for symbol in [] if item.domain is None else sorted(item.domain.free, key=str):
        writer.text(symbol)
    lines = [
        header.comment("#") + "import sympy as sp\n",
        *writer.declared,
        "",
        f"statement = {statement}",
        f"domain = [{', '.join(constraints)}]",
    ]
    return "\n".join(lines) + "\n"
