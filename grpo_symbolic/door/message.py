"""The format: a list of rows in JSON, each a name and the texts or the numbers of earlier rows that it is made of.

What is made of several things refers to their rows, which stand before it, so that what occurs twice travels once and
nothing refers to itself. The last row is what the message says.

>>> from grpo_symbolic.notation import x
>>> written((x, 1))
'[["symbol","x","real"],["int","1"],["tuple",0,1]]'
>>> read(written((x, 1)))
(x, 1)
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import Enum
from fractions import Fraction
from typing import Any, NoReturn

import sympy as sp

from grpo_symbolic.door import kinds, nodes
from grpo_symbolic.errors import BadInput, ReadingError
from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.signs import unseen

MOST_ROWS = 500_000
DEEPEST = 200  # things within things
LARGEST = 20_000_000  # things, where what occurs twice counts twice
LONGEST_TEXT = 100_000  # characters of one text
_ATOMS = {"number": 3, "symbol": 3, "family": 3, "the": 2}  # of SymPy: the length of the row


class _Writer:
    """Writes row after row."""

    def __init__(self, kinds: dict[str, type[Any]]) -> None:
        self.rows: list[list[str | int]] = []
        self._kinds = kinds
        self._numbers: dict[tuple[str | int, ...], int] = {}
        self._known: dict[int, tuple[int, Any]] = {}  # by the address of what is kept alive here

    def number(self, value: Any) -> int:
        """The number of the row that says this."""
        if id(value) not in self._known:
            words, inner = self._parts(value)
            row: tuple[str | int, ...] = (*words, *map(self.number, inner))
            if row not in self._numbers:
                self._numbers[row] = len(self.rows)
                self.rows.append(list(row))
            self._known[id(value)] = self._numbers[row], value
        return self._known[id(value)][0]

    def _parts(self, value: Any) -> tuple[tuple[str, ...], Iterable[Any]]:
        if isinstance(value, sp.Basic):
            return nodes.parts(value)
        if type(value) is str:
            return ("str", value), ()
        if value is None or type(value) is bool:
            return (str(value),), ()
        if type(value) in (int, Fraction):
            return (type(value).__name__, str(value)), ()
        if type(value) in (tuple, list):
            return (type(value).__name__,), tuple(value)
        if type(value) is dict:
            return ("dict",), tuple(part for item in value.items() for part in item)
        if isinstance(value, Enum):
            words = [(word, value.value) for word, kind in kinds.WORDS.items() if kind is type(value)]
            return words[0], ()
        if type(value) is Domain:
            return ("Domain",), (*sorted(value.free, key=str), *value.families, *value.constraints)
        if self._kinds.get(type(value).__name__) is type(value):
            return (type(value).__name__,), kinds.values(value)
        what = "a function" if callable(value) and not isinstance(value, type) else f"a {type(value).__qualname__}"
        raise BadInput(f"a claim holds {what}, and is made of statements, rules, domains, formulas and text only")


class _Reader:
    """Reads row after row; ``depths`` and ``sizes`` are those of what is read."""

    def __init__(self, kinds: dict[str, type[Any]]) -> None:
        self._kinds = kinds
        self.values: list[Any] = []
        self.depths: list[int] = []
        self.sizes: list[int] = []

    def take(self, row: Any) -> None:
        """Read one row. Raises :class:`BadInput`, :class:`TypeError` or :class:`ValueError` for what is none."""
        if type(row) is not list or not row or type(row[0]) is not str:
            raise BadInput("a row is no list that begins with a name")
        name, *rest = row
        if all(type(r) is str for r in rest) and (rest or name in ("None", "True", "False")):
            value, within = self._of_words(name, *rest), []
        elif all(type(r) is int and 0 <= r < len(self.values) for r in rest):
            value, within = self._of_parts(name, tuple(self.values[r] for r in rest)), rest
        else:
            raise BadInput(f"the row {name[:40]!r} is made of what does not stand before it")
        self.depths.append(1 + max((self.depths[r] for r in within), default=0))
        self.sizes.append(1 + sum(self.sizes[r] for r in within))
        self.values.append(value)
        if self.depths[-1] > DEEPEST or self.sizes[-1] > LARGEST:
            raise BadInput(f"more than {DEEPEST} things within one another, or {LARGEST} in all")

    def _of_words(self, name: str, *words: str) -> Any:
        if max(map(len, words), default=0) > LONGEST_TEXT:
            raise BadInput(f"a text has more than {LONGEST_TEXT} characters")
        if sign := unseen("".join(words)):
            raise BadInput(f"a text has {sign!r}, a sign nobody sees")
        match name, words:
            case "str", (text,):
                return text
            case "None" | "True" | "False", ():
                return {"None": None, "True": True, "False": False}[name]
            case "int", (digits,) if len(digits) <= nodes.LONGEST_NUMBER:
                return int(digits)
            case "Fraction", (fraction,) if len(fraction) <= nodes.LONGEST_NUMBER:
                return Fraction(fraction)
            case _ if name in _ATOMS and 1 + len(words) == _ATOMS[name]:
                return nodes.atom(name, *words)
            case _, (word,) if name in kinds.WORDS:
                return kinds.WORDS[name](word)
        raise BadInput(f"{name[:40]!r} is no name of what can be said in {len(words)} words")

    def _of_parts(self, name: str, inner: tuple[Any, ...]) -> Any:
        if name in nodes.NODES:
            return nodes.made(name, inner)
        match name:
            case "tuple":
                return inner
            case "list":
                return list(inner)
            case "dict":
                return dict(zip(inner[::2], inner[1::2], strict=True))
            case "Domain" if all(isinstance(part, sp.Basic | Family) for part in inner):
                return Domain(*inner)
        if name not in self._kinds:
            raise BadInput(f"{name[:40]!r} is no name of a statement, a rule or a formula")
        return kinds.made(self._kinds[name], inner)


def written(value: Any, *more: type[Any]) -> str:
    """A declaration as a message. ``more``: records that are none of the package's declarations and may travel too.

    Raises :class:`BadInput` for what holds anything else.
    """
    writer = _Writer({**kinds.KINDS, **{kind.__name__: kind for kind in more}})
    try:
        writer.number(value)
    except RecursionError:
        raise BadInput(f"a claim has more than {DEEPEST} things within one another") from None
    return json.dumps(writer.rows, separators=(",", ":"))


def read(message: str, *more: type[Any]) -> Any:
    """What a message says; ``more`` as for :func:`written`.

    Raises :class:`BadInput` for what is no message, or says what is no declaration.
    """
    try:
        rows = json.loads(message, parse_float=_refused, parse_constant=_refused)
    except (ValueError, RecursionError):
        raise BadInput("the message is no JSON, or none of whole numbers and texts") from None
    if type(rows) is not list or not 0 < len(rows) <= MOST_ROWS:
        raise BadInput(f"the message is no list of at most {MOST_ROWS} rows")
    reader = _Reader({**kinds.KINDS, **{kind.__name__: kind for kind in more}})
    for row in rows:
        try:
            reader.take(row)
        except BadInput:
            raise
        except Exception as error:  # of SymPy, or of a constructor that is given what it does not expect
            raise BadInput(f"what cannot be made: {error}") from error
    return reader.values[-1]


def _refused(number: str) -> NoReturn:
    raise ReadingError(f"{number} is a rounded number")
