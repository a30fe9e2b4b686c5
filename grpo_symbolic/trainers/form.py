"""A setting as plain data for JSON, and back.

>>> from grpo_symbolic.setting import Setting
>>> from_json(to_json(Setting(group_size=8))) == Setting(group_size=8)
True
>>> from_json({"group": 8})
Traceback (most recent call last):
    ...
grpo_symbolic.errors.BadInput: a setting has no 'group'; did you mean group_size?
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.reading import Reading
from grpo_symbolic.scalars import Json

__all__ = ["from_json", "record", "to_json"]

_KIND = "kind"  # which of several records stands there


def to_json(setting: st.Setting) -> dict[str, Json]:
    """Every field of the ``setting`` by its name: words as their values, fractions as texts such as "1/5", records as
    mappings; a clip has its ``kind``.
    """
    result: dict[str, Any] = _data(setting)
    return result


def record(reading: Reading) -> dict[str, Json]:
    """The ``trainer`` and ``version``, the ``setting``, what became of each of the ``options``, and the ``notes``."""
    return {
        "trainer": reading.trainer,
        "version": reading.version,
        "setting": to_json(reading.setting),
        "options": [
            {
                "name": use.name,
                "value": use.value,
                "use": use.fate.value,
                "why": use.why,
                "changes": [part.value for part in use.changes],
            }
            for use in reading.options
        ],
        "notes": [note.text for note in reading.notes],
    }


def from_json(data: Json) -> st.Setting:
    """The setting of such data, or of a :func:`record` that holds it; fields that are left out have their defaults.

    Raises :class:`BadInput` for an unknown field or word, a value of the wrong type, and an impossible setting.
    """
    held = data["setting"] if isinstance(data, Mapping) and {"trainer", "setting"} <= data.keys() else data
    made: st.Setting = _record(st.Setting, held, "")
    return made


def _data(value: Any) -> Any:
    if is_dataclass(value):
        kind = {_KIND: type(value).__name__} if isinstance(value, st.Clip) else {}
        return kind | {f.name: _data(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [_data(part) for part in value]
    return str(value) if isinstance(value, Fraction) else value


@lru_cache
def _types(record: type) -> dict[str, Any]:
    return get_type_hints(record)


def _record(record: Any, data: Json, where: str) -> Any:
    if not isinstance(data, Mapping):
        raise BadInput(f"{where or 'a setting'} is {data!r}: expected names with their values")
    known = _types(record)
    for name in data:
        if name not in known:
            near = get_close_matches(str(name), known, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; it has {', '.join(known) or 'no fields'}"
            raise BadInput(f"{where or 'a setting'} has no {name!r}{hint}")
    return record(**{name: _value(known[name], value, f"{where}.{name}".lstrip(".")) for name, value in data.items()})


def _value(kind: Any, value: Json, where: str) -> Any:
    options = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    if value is None and type(None) in options:
        return None
    records = [o for o in options if is_dataclass(o)]
    if len(records) > 1:
        return _one_of(records, value, where)
    if records:
        return _record(records[0], value, where)
    if get_origin(options[0]) is tuple:
        return _several(get_args(options[0]), value, where)
    if isinstance(options[0], type) and issubclass(options[0], StrEnum):
        return _word(options[0], value, where)
    return _plain(options, value, where)


def _one_of(records: list[Any], value: Json, where: str) -> Any:
    names = {record.__name__: record for record in records}
    kind = value.get(_KIND) if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(kind, str) or kind not in names:
        raise BadInput(f"{where} is {value!r}: expected its fields and a {_KIND}, one of {', '.join(names)}")
    return _record(names[kind], {name: v for name, v in value.items() if name != _KIND}, where)


def _several(kinds: tuple[Any, ...], value: Json, where: str) -> tuple[Any, ...]:
    if isinstance(value, str | Mapping) or not isinstance(value, list | tuple):
        raise BadInput(f"{where} is {value!r}: expected a list")
    if kinds[-1] is not Ellipsis and len(value) != len(kinds):
        raise BadInput(f"{where} has {len(value)} entries: expected {len(kinds)}")
    each = [kinds[0]] * len(value) if kinds[-1] is Ellipsis else kinds
    return tuple(_value(kind, part, where) for kind, part in zip(each, value, strict=True))


def _word(words: type[StrEnum], value: Json, where: str) -> StrEnum:
    if not isinstance(value, str) or value not in list(words):
        raise BadInput(f"{where} is {value!r}: expected one of {', '.join(words)}")
    return words(value)


def _plain(options: tuple[Any, ...], value: Json, where: str) -> Any:
    if Fraction in options and isinstance(value, str):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise BadInput(f"{where} is {value!r}: expected a number, or a fraction such as 1/5") from None
    wanted = tuple(o for o in options if isinstance(o, type))
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        number = "a number" if float in wanted else "a whole number"
        kind = "true or false" if bool in wanted else number
        raise BadInput(f"{where} is {value!r}: expected {kind}{' or null' if type(None) in options else ''}")
    return value
