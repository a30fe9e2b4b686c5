"""A trainer's options by version: their names, types, defaults, and what was given for them.

A name that is nearly one that bears on the objective is refused with that one, a name of a later version with the
version it came with; names of the trainer that do not bear on the objective are passed over in silence, and names that
nobody knows are passed over and said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json
from grpo_symbolic.setting import Setting

__all__ = ["Json", "Note", "Option", "Options", "Reading", "Version", "bent_sampler", "parse_version"]

Version: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Option:
    """An option that bears on the objective.

    ``kind``: 'number', 'whole', 'flag', 'word', 'numbers'; ``optional`` allows null as well. ``words``: what a word may
    be. ``since``: the first version that has it. ``defaults``: later defaults, each with the first version that has it.
    """

    name: str
    kind: str
    default: Json
    optional: bool = False
    words: tuple[str, ...] = ()
    since: Version = ()
    defaults: tuple[tuple[Version, Json], ...] = ()

    def default_in(self, version: Version) -> Json:
        """The default in a version."""
        return [self.default, *(value for first, value in self.defaults if version >= first)][-1]


@dataclass(frozen=True)
class Note:
    """A sentence (``text``) about a run, with the ids of claims that prove what it says; none where nothing needs a
    proof.
    """

    text: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """What the options of a ``trainer`` in a ``version`` say: the setting, ``notes`` on what was ignored or assumed,
    and terms ``outside`` the setting.
    """

    trainer: str
    version: str
    setting: Setting
    notes: tuple[Note, ...] = ()
    outside: tuple[str, ...] = ()


def bent_sampler(names: Sequence[str]) -> list[Note]:
    """A note on options that make the texts samples of another law than the policy's own; none without such options."""
    if not names:
        return []
    told = f"{', '.join(names)}: the texts are not drawn from π itself, and the ratio does not know it."
    return [Note(told, ("tr-top-p",))]


def parse_version(text: str, trainer: str) -> Version:
    """The numbers of a version such as 1.16.0; raises :class:`BadInput` for anything else."""
    parts = text.split(".")
    if not all(part.isdecimal() for part in parts):
        raise BadInput(f"{text!r} is no version of {trainer}: expected numbers such as 1.16.0")
    return tuple(int(part) for part in parts)


def _near(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one misspells: in its section, or of its name in a section nearly so called."""
    section, _, own = name.rpartition(".")
    sections: dict[str, str] = {}
    siblings: dict[str, str] = {}
    for candidate in known:
        parent, _, last = candidate.rpartition(".")
        if parent == section:
            siblings[last] = candidate
        elif last == own:
            sections[parent] = candidate
    for missed, found in ((own, siblings), (section, sections)):
        near = get_close_matches(missed, found, n=1, cutoff=0.8)
        if near:
            return found[near[0]]
    return None


def _matches(value: Json, option: Option) -> bool:
    if value is None:
        return option.optional
    if option.kind == "numbers":
        return isinstance(value, Sequence) and not isinstance(value, str) and all(_is_number(v) for v in value)
    if option.kind == "flag":
        return isinstance(value, bool)
    if option.kind == "word":
        return isinstance(value, str)
    return _is_number(value) and (option.kind == "number" or float(value) == int(value))  # type: ignore[arg-type]


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _as_number(value: Json) -> Json:
    """YAML reads 1e-4 as text; trainers read it as a number."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


class Options:
    """The options of one run: ``table`` those that bear on the objective, ``others`` names that do not, ``given`` what
    the user set. Names in ``strict`` are refused where they are unknown, even if no known one is near.

    Raises :class:`BadInput` for a misspelt name, one of a later version, and a value of the wrong type.
    """

    def __init__(
        self,
        trainer: str,
        version: Version,
        table: Iterable[Option],
        others: Iterable[str],
        given: Mapping[str, Json],
        strict: Iterable[str] = (),
    ) -> None:
        self.trainer = f"{trainer} {'.'.join(map(str, version))}"
        self.version = version
        self._table = {option.name: option for option in table}
        self.unknown: list[str] = []
        known, must = {*self._table, *others}, set(strict)
        self.given: dict[str, Json] = {}
        for name, value in given.items():
            if name not in known:
                self._refuse(name, known, name in must)
            elif name in self._table:
                self.given[name] = self._checked(self._table[name], value)

    def _refuse(self, name: str, known: set[str], must: bool) -> None:
        near = _near(name, known if must else self._table)
        if near is not None:
            raise BadInput(f"{self.trainer} has no option {name!r}; did you mean {near}?")
        if must:
            raise BadInput(f"{self.trainer} has no option {name!r}, and none that is spelled nearly so")
        self.unknown.append(name)

    def _checked(self, option: Option, value: Json) -> Json:
        if self.version < option.since:
            first = ".".join(map(str, option.since))
            raise BadInput(f"{self.trainer} has no option {option.name!r}: it came with {first}")
        if option.kind in ("number", "whole"):
            value = _as_number(value)
        if option.kind == "word" and option.optional and value in ("", "null"):
            value = None
        if not _matches(value, option):
            wanted = {"flag": "true or false", "numbers": "a list of numbers", "whole": "a whole number"}
            kind = wanted.get(option.kind, f"a {option.kind}") + (" or null" if option.optional else "")
            raise BadInput(f"{option.name} is {value!r}: expected {kind}")
        if option.words and value is not None and value not in option.words:
            near = get_close_matches(str(value), option.words, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise BadInput(f"{option.name} is {value!r}, and {self.trainer} has one of {', '.join(option.words)}{hint}")
        return value

    def _value(self, name: str) -> Json:
        option = self._table[name]
        return self.given[name] if name in self.given else option.default_in(self.version)

    def is_given(self, *names: str) -> list[str]:
        """Those of the names that the user set."""
        return [name for name in names if name in self.given]

    def maybe_number(self, name: str) -> int | float | None:
        """A number, or ``None``."""
        value = self._value(name)
        if value is None or isinstance(value, int | float):
            return value
        raise BadInput(f"{name} is {value!r}: expected a number")

    def number(self, name: str) -> int | float:
        """A number."""
        value = self.maybe_number(name)
        if value is None:
            raise BadInput(f"{name} is null: expected a number")
        return value

    def maybe_whole(self, name: str) -> int | None:
        """A whole number, or ``None``."""
        value = self.maybe_number(name)
        return None if value is None else int(value)

    def whole(self, name: str) -> int:
        """A whole number."""
        return int(self.number(name))

    def flag(self, name: str) -> bool:
        """True or false."""
        return bool(self._value(name))

    def word(self, name: str) -> str:
        """A word."""
        return str(self._value(name))

    def maybe_word(self, name: str) -> str | None:
        """A word, or ``None``."""
        value = self._value(name)
        return None if value is None else str(value)

    def numbers(self, name: str) -> tuple[int | float, ...]:
        """A list of numbers; empty where there is none."""
        value = self._value(name)
        if isinstance(value, Sequence) and not isinstance(value, str):
            return tuple(v for v in value if isinstance(v, int | float))
        return ()

    def ignored(self, why: str, *names: str) -> list[Note]:
        """A note for each of the names that the user set although it has no effect."""
        return [Note(f"{name} has no effect: {why}.") for name in self.is_given(*names)]

    def notes(self) -> list[Note]:
        """What is to be said of names that nobody knows."""
        if not self.unknown:
            return []
        return [Note(f"{self.trainer} has no option {', '.join(self.unknown)}: passed over.")]
