"""A trainer by name and version, and its options from a file and from ``NAME=VALUE`` texts.

>>> named("trl==1.16.0").version
(1, 16, 0)
>>> read("trl", {"beta": 0.04}).setting.penalty.beta
0.04
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers.options import Note, Option, Reading, Version, parse_version

__all__ = ["TRAINERS", "Named", "commands_about", "from_file", "from_texts", "merged", "named", "read"]

TRAINERS = {"trl": "trl", "verl": "verl", "openrlhf": "openrlhf", "nemo-rl": "nemo_rl"}
_NESTED = ("verl", "openrlhf", "nemo-rl")  # their options have dotted names, and files nest them


@dataclass(frozen=True)
class Named:
    """A trainer of :data:`TRAINERS` at a version, and whether that version is newer than any that was read."""

    name: str
    version: Version
    newer: bool = False


def named(text: str) -> Named:
    """The trainer that a text such as ``trl==1.16.0`` or ``verl`` names; without a version the newest known.

    Raises :class:`BadInput` for an unknown trainer and for a version before the first that was read.
    """
    name, _, number = text.partition("==")
    name = name.strip().lower().replace("_", "-")
    if name not in TRAINERS:
        near = get_close_matches(name, TRAINERS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise BadInput(f"there is no trainer {name!r}; expected one of {', '.join(TRAINERS)}{hint}")
    module = import_module(f"grpo_symbolic.trainers.{TRAINERS[name]}")
    first: Version = module.FIRST
    newest: Version = module.NEWEST
    version = parse_version(number.strip(), name) if number else newest
    if version < first:
        raise BadInput(f"{name} {number} is not described here: the first version that is, is {_dotted(first)}")
    return Named(name, version, version > newest and version[: len(newest)] != newest)


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))


def commands_about(word: str) -> list[str]:
    """The commands that say what an option of the trainers does, for an option (``epsilon_high``) or one of the words
    that it can be (``DAPO``), however it is spelt; an option with its default, if it has one, and what else it can be.

    >>> commands_about("DAPO")
    ['grpo-symbolic trainer trl --set loss_type=dapo']
    >>> commands_about("scale rewards")
    ['grpo-symbolic trainer trl --set scale_rewards=group  (or batch, none)']
    """
    wanted, found = _bare(word), []
    for trainer, module in TRAINERS.items():
        table: Sequence[Option] = import_module(f"grpo_symbolic.trainers.{module}").TABLE
        for option in table:
            command = f"grpo-symbolic trainer {trainer} --set {option.name}="
            if wanted in (_bare(option.name), _bare(option.name.rpartition(".")[2])):
                unset = {"flag": "true", "word": next(iter(option.words), "WORD")}.get(option.kind, "NUMBER")
                value = unset if option.default is None else json.dumps(option.default).strip('"')
                others = ", ".join(w for w in option.words if w != value)
                found.append(f"{command}{value}" + (f"  (or {others})" if others else ""))
            else:
                found += [f"{command}{w}" for w in option.words if _bare(w) == wanted][:1]
    return found


def _bare(word: str) -> str:
    return "".join(filter(str.isalnum, word.lower()))


def read(trainer: str, options: Mapping[str, Json], strict: Iterable[str] = ()) -> Reading:
    """What these options of a trainer (``trl==1.16.0``) say. Options may be nested or have dotted names; those named in
    ``strict`` must exist.

    Raises :class:`BadInput` for an unknown trainer, options it does not have, wrong types and impossible combinations.
    """
    found = named(trainer)
    module = import_module(f"grpo_symbolic.trainers.{TRAINERS[found.name]}")
    reader: Callable[[Version, Mapping[str, Json], tuple[str, ...]], Reading] = module.read
    given = _flat(options) if found.name in _NESTED else options
    _check_sections(given, [option.name for option in module.TABLE])
    try:
        reading = reader(found.version, given, tuple(strict))
    except BadInput as refusal:
        told = str(refusal)
        for word, own in module.NAMES.items():
            told = told.replace(word, own)
        raise BadInput(told) from None
    if not found.newer:
        return reading
    told = f"{found.name} {_dotted(found.version)} is newer than {_dotted(module.NEWEST)}, as which it is read here."
    return Reading(reading.trainer, reading.version, reading.setting, (Note(told), *reading.notes), reading.outside)


def _check_sections(given: Mapping[str, Json], options: Iterable[str]) -> None:
    sections = {name.rpartition(".")[0] for name in options}
    sections |= {section.partition(".")[0] for section in sections}
    for name, value in given.items():
        if name in sections and value is not None and not isinstance(value, Mapping):
            raise BadInput(f"{name} is {value!r}: expected a section with options of its own")


def _flat(options: Mapping[str, Json], before: str = "") -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, value in options.items():
        if isinstance(value, Mapping) and value:
            found |= _flat(value, f"{before}{name}.")
        elif not (isinstance(value, str) and value.startswith("${")):  # an interpolation says nothing of its own
            found[f"{before}{name}"] = value
    return found


def merged(options: Mapping[str, Json], over: Mapping[str, Json]) -> dict[str, Json]:
    """The first options with the second over them, where either may be nested or have dotted names."""
    return {**(_flat(options) if any(isinstance(v, Mapping) for v in options.values()) else options), **over}


def from_file(path: Path) -> dict[str, Json]:
    """The options in the YAML or JSON file at ``path``. Raises :class:`BadInput` where it is neither, or no mapping of
    names.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise BadInput(f"{path} cannot be read: {problem}") from None
    document = _parsed(text, path)
    if not isinstance(document, dict) or not all(isinstance(name, str) for name in document):
        raise BadInput(f"{path} holds no options: expected names with their values")
    return document


def _parsed(text: str, path: Path) -> Json:
    if path.suffix == ".json":
        try:
            loaded: Json = json.loads(text)
        except json.JSONDecodeError as problem:
            raise BadInput(f"{path} is no JSON: {problem.msg} in line {problem.lineno}") from None
        return loaded
    import yaml

    try:
        document: Json = yaml.safe_load(text)
    except yaml.YAMLError as problem:
        line = getattr(problem, "problem_mark", None)
        where = "" if line is None else f" in line {line.line + 1}"
        raise BadInput(f"{path} is no YAML: {getattr(problem, 'problem', None) or problem}{where}") from None
    return document


def from_texts(texts: Iterable[str]) -> dict[str, Json]:
    """The options that ``NAME=VALUE`` texts give; values as YAML reads them. Raises
    :class:`BadInput` for any other text.

    >>> from_texts(["beta=0.04", "loss_type=grpo", "use_vllm=true"])
    {'beta': 0.04, 'loss_type': 'grpo', 'use_vllm': True}
    """
    import yaml

    found: dict[str, Json] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise BadInput(f"expected NAME=VALUE, such as loss_type=grpo, got {text!r}")
        try:
            found[name.strip().removeprefix("--").removeprefix("+")] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise BadInput(f"the value of {name.strip()} cannot be read: {value!r}") from None
    return found
