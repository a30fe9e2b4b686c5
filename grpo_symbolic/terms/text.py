"""Terms and formulas as plain data and back: rows of a table, each of which may refer to the rows before it.

A row is ``[kind, field, …]``, its fields numbers of other rows, or words and whole numbers. What is read back is the
same node, for a node is one object for its fields. The reader makes nodes and nothing else: a row of another kind, a
field that is not what its kind has, or a number of a row that is not there is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.terms import language as la
from grpo_symbolic.terms.language import Formula, Node, Sort, Term

Row = list[Any]
_DIGITS = 2000  # of one number, beyond any that a result file has
_CONSTANTS = frozenset({"pi", "e"})

# The letter of each kind of node, and what its fields are: t a term, f a formula, T and F tuples of them, q a rational
# number, i a whole number, w a word, b true or false, s a sort, c the cases of a term.
_KINDS: dict[type[Node], tuple[str, str]] = {
    la.Number: ("n", "q"),
    la.Constant: ("c", "w"),
    la.Variable: ("v", "ws"),
    la.Bound: ("b", "i"),
    la.Entry: ("e", "wt"),
    la.Add: ("+", "T"),
    la.Multiply: ("*", "T"),
    la.Power: ("^", "tq"),
    la.GeneralPower: ("p", "tt"),
    la.Function: ("g", "wt"),
    la.Extremum: ("m", "bT"),
    la.Cases: ("k", "ct"),
    la.Delta: ("d", "tt"),
    la.Total: ("s", "bttit"),
    la.Derivative: ("D", "tti"),
    la.Truth: ("t", "b"),
    la.Compare: ("r", "wtt"),
    la.Not: ("!", "f"),
    la.And: ("&", "F"),
    la.Or: ("|", "F"),
    la.Implies: (">", "ff"),
    la.Iff: ("=", "F"),
}
_BY_LETTER = {letter: (kind, fields) for kind, (letter, fields) in _KINDS.items()}
_WORDS = {la.Constant: _CONSTANTS, la.Function: la.FUNCTIONS, la.Compare: la.COMPARED.keys()}


class Writer:
    """Collects the rows of nodes, each node once."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._places: dict[Node, int] = {}

    def place(self, node: Node) -> int:
        """The number of the row of a node, which is added with all that is inside where it is new."""
        for part in node.parts:
            if part not in self._places:
                letter, kinds = _KINDS[type(part)]
                values = [getattr(part, name) for name in la.field_names(type(part))]
                row = [letter, *(self._plain(k, v) for k, v in zip(kinds, values, strict=True))]
                self._places[part] = len(self.rows)
                self.rows.append(row)
        return self._places[node]

    def _plain(self, kind: str, value: Any) -> Any:
        match kind:
            case "t" | "f":
                return self._places[value]
            case "T" | "F":
                return [self._places[v] for v in value]
            case "c":
                return [[self._places[condition], self._places[term]] for condition, term in value]
            case "q":
                return str(value)
            case "s":
                return str(value)
        return value


def read_rows(rows: Sequence[Any]) -> list[Node]:
    """The nodes of a table, one a row. Raises :class:`ReadingError` for what is no such table."""
    nodes: list[Node] = []
    for row in rows:
        if not isinstance(row, list) or not row or not isinstance(row[0], str) or row[0] not in _BY_LETTER:
            raise ReadingError(f"row {len(nodes)} is no term: {str(row)[:60]}")
        kind, fields = _BY_LETTER[row[0]]
        if len(row) != len(fields) + 1:
            raise ReadingError(f"row {len(nodes)} has {len(row) - 1} fields where a {kind.__name__} has {len(fields)}")
        values = [_field(code, value, nodes) for code, value in zip(fields, row[1:], strict=True)]
        if kind in _WORDS and values[0] not in _WORDS[kind]:
            raise ReadingError(f"row {len(nodes)} has an unknown word: {str(values[0])[:60]}")
        nodes.append(kind(*values))
    return nodes


def _field(code: str, value: Any, nodes: Sequence[Node]) -> Any:
    try:
        return _READERS[code](value, nodes)
    except (TypeError, ValueError, IndexError, ZeroDivisionError, KeyError):
        raise ReadingError(f"row {len(nodes)} has a field that is none: {str(value)[:60]}") from None


def _earlier(value: Any, nodes: Sequence[Node], kind: type[Node]) -> Node:
    if type(value) is not int or value < 0 or not isinstance(nodes[value], kind):
        raise ValueError
    return nodes[value]


def _several(value: Any, nodes: Sequence[Node], kind: type[Node]) -> tuple[Node, ...]:
    if type(value) is not list:
        raise TypeError
    return tuple(_earlier(v, nodes, kind) for v in value)


def _cases(value: Any, nodes: Sequence[Node]) -> tuple[tuple[Node, Node], ...]:
    if type(value) is not list or not all(type(pair) is list for pair in value):
        raise TypeError
    return tuple((_earlier(f, nodes, Formula), _earlier(t, nodes, Term)) for f, t in value)


def _rational(value: Any, nodes: Sequence[Node]) -> Fraction:
    if type(value) is not str or len(value) > _DIGITS or not set(value) <= set("-/0123456789"):
        raise ValueError
    return Fraction(value)


def _exactly(kind: type) -> Callable[[Any, Sequence[Node]], Any]:
    def read(value: Any, nodes: Sequence[Node]) -> Any:
        if type(value) is not kind:
            raise TypeError
        return value

    return read


_READERS: dict[str, Callable[[Any, Sequence[Node]], Any]] = {
    "t": lambda value, nodes: _earlier(value, nodes, Term),
    "f": lambda value, nodes: _earlier(value, nodes, Formula),
    "T": lambda value, nodes: _several(value, nodes, Term),
    "F": lambda value, nodes: _several(value, nodes, Formula),
    "c": _cases,
    "q": _rational,
    "s": lambda value, nodes: Sort(value),
    "i": _exactly(int),
    "w": _exactly(str),
    "b": _exactly(bool),
}


def written_down(nodes: Iterable[Node]) -> tuple[list[Row], list[int]]:
    """A table for several nodes, and the number of the row of each."""
    writer = Writer()
    places = [writer.place(node) for node in nodes]
    return writer.rows, places
