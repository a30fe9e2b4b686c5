"""Exact points as text and back, as counter-examples are stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.terms.language import Number, Sort, Term, Variable
from grpo_symbolic.terms.text import read_rows, written_down


def point_text(values: Mapping[Any, Any]) -> str:
    """A point as one line of JSON: names, sorts and numbers, which may be terms."""
    terms: list[Term] = []
    letters: list[Any] = []
    for key, value in sorted(values.items(), key=lambda item: str(item[0])):
        numbers = value if isinstance(value, list) else [value]
        places = [len(terms) + k for k in range(len(numbers))]
        terms += [v if isinstance(v, Term) else Number(Fraction(v)) for v in numbers]
        name = [key.name, str(key.sort)] if isinstance(key, Variable) else [key, "family"]
        letters.append([*name, places])
    rows, roots = written_down(terms)
    return json.dumps([rows, [[n, s, [roots[p] for p in places]] for n, s, places in letters]], separators=(",", ":"))


def read_point(text: str) -> dict[Any, Any]:
    """The point that a line of JSON gives; raises :class:`ReadingError` or :class:`ValueError` for what is none."""
    data = json.loads(text)
    if not isinstance(data, list) or len(data) != 2 or not all(isinstance(part, list) for part in data):
        raise ReadingError("no point")
    nodes = read_rows(data[0])
    values: dict[Any, Any] = {}
    for item in data[1]:
        if not isinstance(item, list) or len(item) != 3 or not isinstance(item[0], str) or type(item[2]) is not list:
            raise ReadingError("no point")
        name, sort, places = item
        if any(type(p) is not int or not 0 <= p < len(nodes) for p in places):
            raise ReadingError("no point")
        numbers = [n.value if isinstance(n := nodes[p], Number) else n for p in places]
        if any(isinstance(n, Term) and not n.is_closed for n in numbers):
            raise ReadingError("a point of which a number is none")
        if sort == "family":
            values[name] = numbers
        else:
            (values[Variable(name, Sort(sort))],) = numbers
    return values
