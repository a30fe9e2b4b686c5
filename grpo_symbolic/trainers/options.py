"""A trainer's options by release: their names, types, defaults, what was given for them, and what became of each.

Defaults are those of the trainers' packages, as :mod:`grpo_symbolic.trainers.releases` has them by release; here they
are stated only where a package has none that is a literal.

Every option is *used*, *without effect here* (and why), or *not modelled* (and what that may change); none is passed
over. A name that is nearly one that bears on the objective is refused with that one, a name of another release with
the release that it came or left with.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TypeAlias

from grpo_symbolic.errors import BadInput
from grpo_symbolic.reading import UNKNOWN, Fate, Note, Part, Reading, Use, written
from grpo_symbolic.scalars import Json
from grpo_symbolic.setting import Setting
from grpo_symbolic.trainers.releases import Releases, Version, dotted

__all__ = [
    "BOTH",
    "Aside",
    "Fate",
    "Json",
    "LeftOut",
    "Note",
    "OfRun",
    "Option",
    "Options",
    "Part",
    "Reading",
    "Trainer",
    "Use",
    "Version",
    "parse_version",
]

BOTH = (Part.LOSS, Part.END)
_CUT = "the texts are not drawn from π itself ({value})"
_ASSUMED_SIZE = 8  # the default of TRL and ms-swift, for trainers whose own default is no group


@dataclass(frozen=True)
class Aside:
    """Options that have no effect on the objective, by patterns of their ``names`` with blanks between, and ``why``."""

    why: str
    names: str


@dataclass(frozen=True)
class LeftOut:
    """Options that are not modelled unless their value is one of ``off``: patterns of ``names`` with blanks between,
    ``why`` (where ``{value}`` stands for the value), and what each ``changes``. ``under``: the option that must be on.
    """

    names: str
    why: str
    changes: tuple[Part, ...]
    off: tuple[Json, ...] = (None, False, 0)
    under: str = ""

    @classmethod
    def cut(cls, names: str, *off: Json) -> LeftOut:
        """What makes the texts samples of another law than the policy's own."""
        return cls(names, _CUT, (Part.END,), off)

    @classmethod
    def temperature(cls, name: str) -> LeftOut:
        """The temperature of the sampler, at which the trainer has the policy too."""
        why = "π is the policy at temperature {value}: pass rates must be measured there, and logits move more slowly"
        return cls(name, f"{why} or faster", (Part.END, Part.PACE), (1,))

    @classmethod
    def optimiser(cls, names: str, *off: Json) -> LeftOut:
        """The optimiser and its schedule."""
        why = "the optimiser and its schedule: predictions are of plain gradient ascent"
        return cls(names, why, (Part.PACE,), (None, *off))


@dataclass(frozen=True)
class Option:
    """An option that bears on the objective.

    ``kind``: 'number', 'whole', 'flag', 'word', 'numbers'; ``optional`` allows null as well. ``words``: what a word may
    be. ``default``: what stands where the trainer's releases have no default.
    """

    name: str
    kind: str
    optional: bool = False
    words: tuple[str, ...] = ()
    default: Json = None


def parse_version(text: str, trainer: str) -> tuple[Version, bool]:
    """The numbers of a version such as 1.16.0 or 1.17.0.dev0, and whether it comes before their release; raises
    :class:`BadInput` for anything else.
    """
    match = re.fullmatch(r"v?(\d+(?:\.\d+)*)((?:\.?(?:dev|a|b|rc)\d*)?)(?:\.?post\d+)?(?:\+[\w.]+)?", text)
    if match is None:
        raise BadInput(f"{text!r} is no version of {trainer}: expected numbers such as 1.16.0")
    return tuple(int(part) for part in match[1].split(".")), bool(match[2])


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
    for missed, names in ((own, siblings), (section, sections)):
        near = get_close_matches(missed, names, n=1, cutoff=0.8)
        if near:
            return names[near[0]]
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
    """The options of one run of a ``trainer``: ``given`` what the user set, ``assumed`` what stands for a default where
    another choice changes it. Names in ``strict`` are refused where they are unknown, even if no known one is near.

    Raises :class:`BadInput` for a misspelt name, one of another release, and a value of the wrong type.
    """

    def __init__(
        self,
        trainer: Trainer,
        version: Version,
        given: Mapping[str, Json],
        strict: Iterable[str] = (),
        assumed: Mapping[str, Json] | None = None,
    ) -> None:
        self.trainer = f"{trainer.title} {dotted(version)}"
        self.version = version
        self.notes: list[Note] = []
        self._trainer, self._releases, self._release = trainer, trainer.releases, trainer.releases.nearest(version)
        self._table = {option.name: option for option in trainer.table}
        self._asides = [(pattern, aside) for aside in trainer.asides for pattern in aside.names.split()]
        self._left_out = [(pattern, left) for left in trainer.left_out for pattern in left.names.split()]
        self._raw, self._uses, self._assumed = dict(given), dict[str, Use](), dict(assumed or {})
        must = set(strict)
        self.given: dict[str, Json] = {}
        for name, value in given.items():
            if name in self._table:
                self._check_release(name)
                self.given[name] = self._checked(self._table[name], value)
            elif not self._releases.has(name, self._release):
                self._check_spelling(name, name in must)

    def _check_spelling(self, name: str, must: bool) -> None:
        if any(name == pattern for pattern, _ in self._asides):
            return
        near = _near(name, self._table)
        known = self._left(name) is not None or self._aside(name) is not None
        if near is None and must and not known:
            near = _near(name, self._releases.names)
        if near is not None:
            raise BadInput(f"{self.trainer} has no option {name!r}; did you mean {near}?")
        if must and not known:
            self._check_release(name)
            raise BadInput(f"{self.trainer} has no option {name!r}, and none that is spelled nearly so")

    def _check_release(self, name: str) -> None:
        reason = self._releases.why_absent(name, self._release)
        if reason:
            raise BadInput(f"{self.trainer} has no option {name!r}: {reason}")

    def _left(self, name: str) -> LeftOut | None:
        return next((left for pattern, left in self._left_out if fnmatchcase(name, pattern)), None)

    def _aside(self, name: str) -> Aside | None:
        return next((aside for pattern, aside in self._asides if fnmatchcase(name, pattern)), None)

    def uses(self) -> tuple[Use, ...]:
        """What became of every option that was given, and of those that act by default though they are not modelled."""
        uses = [self._use(name) for name in dict.fromkeys([*self._raw, *self._table, *self._uses])]
        return tuple(use for use in uses if use.name in self._raw or use.fate is Fate.LEFT_OUT)

    def _use(self, name: str) -> Use:
        if name in self._uses:
            return self._uses[name]
        value = self._any_value(name)
        left = self._left(name)
        if left is not None:
            return self._judged(name, value, left)
        if name in self._table:
            return Use(name, value, Fate.USED)
        aside = self._aside(name)
        if aside is not None:
            return Use(name, value, Fate.IDLE, aside.why)
        return Use(name, value, Fate.LEFT_OUT, f"{self.trainer} {UNKNOWN}")

    def _judged(self, name: str, value: Json, left: LeftOut) -> Use:
        if value in left.off or value in ("", [], {}):
            return Use(name, value, Fate.IDLE, "it is off")
        if left.under and not self._any_value(left.under):
            return Use(name, value, Fate.IDLE, f"{left.under} is off")
        return Use(name, value, Fate.LEFT_OUT, left.why.format(value=written(value)), left.changes)

    def leave_out(self, name: str, why: str, *changes: Part) -> None:
        """Record that an option is not modelled, as its value and the others' have it."""
        self._uses[name] = Use(name, self._any_value(name), Fate.LEFT_OUT, why, changes)

    def _checked(self, option: Option, value: Json) -> Json:
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
        for values in (self.given, self._assumed):
            if name in values:
                return values[name]
        return self._trainer.default(self._table[name], self.version)

    def _any_value(self, name: str) -> Json:
        """The value of an option, of the table or not; ``None`` for one that is neither given nor in the table."""
        return self._value(name) if name in self._table else self._raw.get(name)

    def raw(self, name: str) -> Json:
        """What was given for an option that has no type here, or ``None``."""
        return self._raw.get(name)

    def is_given(self, name: str) -> bool:
        """Whether the user set this option."""
        return name in self.given

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

    def count(self, name: str) -> int:
        """A whole number of at least 1."""
        value = self.whole(name)
        if value < 1:
            raise BadInput(f"{name} is {value}: expected a whole number of at least 1")
        return value

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

    def note(self, text: str, *claims: str) -> None:
        """Say what may surprise in these options, with the claims that it rests on."""
        self.notes.append(Note(text, claims))

    def assume(self, name: str, value: Json, why: str) -> None:
        """Put a value in the place of a default that is of no use here, and say so; nothing where the user set one."""
        if not self.is_given(name):
            self._assumed[name] = value
            self.note(f"Assumed {name}={value}: {why}.")

    def group_size(self, name: str) -> int:
        """The number of texts of a group, assumed where it is not given and the default is 1."""
        self.assume(name, _ASSUMED_SIZE, f"with {self._trainer.title}'s own default, 1, there is no group")
        return self.whole(name)

    def note_cut(self) -> None:
        """Note the options that make the texts samples of another law than the policy's own, if any is on."""
        left = {name: self._left(name) for name in self._table}
        on = [n for n, of in left.items() if of is not None and of.why == _CUT and self._value(n) not in of.off]
        if on:
            self.note(
                f"{', '.join(on)}: the texts are not drawn from π itself, and the ratio does not know it.", "tr-top-p"
            )

    def ignored(self, why: str, *names: str) -> None:
        """Record that those of the names that the user set have no effect."""
        self._uses |= {name: Use(name, self.given[name], Fate.IDLE, why) for name in names if self.is_given(name)}


@dataclass(frozen=True)
class OfRun:
    """The options that say of a run what no setting has and a log is held against: the ``prompts`` of a step, the
    tokens of the ``longest`` text, the learning ``rate``. Empty where there is none, or it counts something else.
    """

    prompts: str = ""
    longest: str = ""
    rate: str = ""


Read: TypeAlias = Callable[["Trainer", Version, Mapping[str, Json], Iterable[str]], Options]


@dataclass(frozen=True)
class Trainer:
    """One trainer: its ``releases``; the options that bear on the objective (``table``), those that do not (``asides``)
    and those that are not modelled (``left_out``). ``setting_of`` makes options a setting, records what has no effect,
    notes what may surprise, and raises :class:`BadInput` for what excludes itself or is not described. ``names``: the
    trainer's own for the words of a setting. ``of_run``: the options that a log is held against. ``nested``: whether
    options have dotted names, which files nest. By ``classes`` (patterns of their names), or by the section or option
    ``mark``, its configuration objects are known.
    ``options_of`` makes options of what is given, where that may have other forms than the table's.
    """

    releases: Releases
    table: tuple[Option, ...]
    asides: tuple[Aside, ...]
    left_out: tuple[LeftOut, ...]
    setting_of: Callable[[Options], Setting]
    names: Mapping[str, str]
    of_run: OfRun = OfRun()
    nested: bool = False
    classes: tuple[str, ...] = ()
    mark: str = ""
    options_of: Read = Options

    @property
    def title(self) -> str:
        """How the trainer writes its own name."""
        return self.releases.title

    def default(self, option: Option, version: Version) -> Json:
        """The default of an option in a version."""
        default = self.releases.default(option.name, self.releases.nearest(version))
        if default is None:
            return option.default
        return str(default) if option.kind == "word" else default  # verl's 2.0 may be two numbers, 0.5_2.0

    def read(self, version: Version, given: Mapping[str, Json], strict: Iterable[str] = ()) -> Reading:
        """The reading of options ``given`` in a version, by the trainer's own names; those in ``strict`` must exist.

        Raises :class:`BadInput` for options that this version does not have, values of the wrong type and combinations
        that exclude one another or are not described.
        """
        options = self.options_of(self, version, given, strict)
        try:
            setting = self.setting_of(options)
        except BadInput as refusal:
            raise BadInput(self._in_own_words(str(refusal))) from None
        return Reading(self.title, dotted(version), setting, tuple(options.notes), options.uses())

    def _in_own_words(self, sentence: str) -> str:
        """A sentence on a setting with the trainer's names for its words; a dotted name is the trainer's already."""
        for word, own in self.names.items():
            sentence = re.sub(rf"(?<![\w.]){re.escape(word)}(?!\w)", own, sentence)
        return sentence
