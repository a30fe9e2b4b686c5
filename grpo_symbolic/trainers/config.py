"""A trainer by name and version, and its options from a file and from ``NAME=VALUE`` texts.

>>> named("trl==1.16.0").version
(1, 16, 0)
>>> read("trl", {"beta": 0.04}).setting.penalty.beta
0.04
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers.compose import PACKAGED, composed
from grpo_symbolic.trainers.launch import options_of_python, options_of_script, unresolved
from grpo_symbolic.trainers.options import Note, Reading, Trainer, parse_version
from grpo_symbolic.trainers.releases import Version, dotted

__all__ = [
    "TRAINERS",
    "Named",
    "commands_about",
    "from_file",
    "from_texts",
    "merged",
    "named",
    "read",
    "trainer_of",
]

# Each with the module that has its ``TRAINER``; CONTRIBUTING.md says what else a new one takes.
TRAINERS = {
    "trl": "trl",
    "verl": "verl",
    "openrlhf": "openrlhf",
    "nemo-rl": "nemo_rl",
    "ms-swift": "ms_swift",
    "slime": "slime",
    "unsloth": "unsloth",
    "prime-rl": "prime_rl",
}


def trainer_of(name: str) -> Trainer:
    """What is known of a trainer of :data:`TRAINERS`."""
    trainer: Trainer = import_module(f"grpo_symbolic.trainers.{TRAINERS[name]}").TRAINER
    return trainer


@dataclass(frozen=True)
class Named:
    """A trainer of :data:`TRAINERS` at a ``version`` that was read, and, where another was asked for, a sentence on it
    (``remark``).
    """

    name: str
    version: Version
    remark: str = ""


def named(text: str) -> Named:
    """The trainer that a text such as ``trl==1.16.0`` or ``verl`` names; without a version the newest known. A version
    that is newer, or that comes before its release (``.dev0``), is read as the newest known that it may be.

    Raises :class:`BadInput` for an unknown trainer and for a version before the first that was read.
    """
    check_kind(text, str, "the trainer", "a name with its version, such as 'trl==1.16.0'")
    name, _, number = text.partition("==")
    name = name.strip().lower().replace("_", "-")
    if name not in TRAINERS:
        near = get_close_matches(name, TRAINERS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise BadInput(f"there is no trainer {name!r}; expected one of {', '.join(TRAINERS)}{hint}")
    releases = trainer_of(name).releases
    if not number:
        return Named(name, releases.newest)
    version, early = parse_version(number.strip(), name)
    first = releases.read[0][: len(version)]
    if version < first:
        raise BadInput(f"{name} {number} is not described here: the first version that is, is {dotted(first)}")
    newer = version > releases.newest
    if not (newer or early):
        return Named(name, version)
    stands_for = releases.newest if newer else version
    why = f"newer than {dotted(stands_for)}" if newer else f"a preview of {dotted(stands_for)}"
    return Named(name, stands_for, f"{releases.title} {number.strip()} is {why}, as which it is read here.")


def commands_about(word: str) -> list[str]:
    """The commands that show what an option of the trainers does, for an option (``epsilon_high``) or one of the words
    that it can be (``DAPO``), however it is spelt; an option with its default, if it has one, and what else it can be.

    >>> print(*commands_about("DAPO"), sep="\\n")
    grpo-symbolic trainer trl --set loss_type=dapo
    grpo-symbolic trainer ms-swift --set loss_type=dapo
    grpo-symbolic trainer unsloth --set loss_type=dapo
    >>> commands_about("scale rewards")[0]
    'grpo-symbolic trainer trl --set scale_rewards=group  (or batch, none)'
    """
    wanted, commands = _bare(word), []
    for trainer in TRAINERS:
        known = trainer_of(trainer)
        for option in known.table:
            command = f"grpo-symbolic trainer {trainer} --set {option.name}="
            if wanted in (_bare(option.name), _bare(option.name.rpartition(".")[2])):
                unset = {"flag": "true", "word": next(iter(option.words), "WORD")}.get(option.kind, "NUMBER")
                default = known.default(option, known.releases.newest)
                value = unset if default is None else json.dumps(default).strip('"')
                others = ", ".join(w for w in option.words if w != value)
                commands.append(f"{command}{value}" + (f"  (or {others})" if others else ""))
            else:
                commands += [f"{command}{w}" for w in option.words if _bare(w) == wanted][:1]
    return commands


def _bare(word: str) -> str:
    return "".join(filter(str.isalnum, word.lower()))


def read(trainer: str, options: Mapping[str, Json], strict: Iterable[str] = ()) -> Reading:
    """What these options of a trainer (``trl==1.16.0``) say. Options may be nested or have dotted names; those named in
    ``strict`` must exist.

    Raises :class:`BadInput` for an unknown trainer, options it does not have, wrong types and impossible combinations.
    """
    chosen = named(trainer)
    check_kind(options, Mapping, "the options", "names with their values, such as {'beta': 0.04}")
    known = trainer_of(chosen.name)
    given = _flat(options) if known.nested else options
    table = {option.name: known.default(option, chosen.version) for option in known.table}
    given = _interpolated(given, table)
    for name in unresolved(given, table):
        raise BadInput(f"{name} is {given[name]}, which only a run would tell: give it a value (--set {name}=…)")
    _check_sections(given, table)
    reading = known.read(chosen.version, given, strict)
    return replace(reading, notes=(Note(chosen.remark), *reading.notes)) if chosen.remark else reading


def _check_sections(given: Mapping[str, Json], options: Iterable[str]) -> None:
    sections = {name.rpartition(".")[0] for name in options}
    sections |= {section.partition(".")[0] for section in sections}
    for name, value in given.items():
        if name in sections and value is not None and not isinstance(value, Mapping):
            raise BadInput(f"{name} is {value!r}: expected a section with options of its own")


def _flat(options: Mapping[str, Json], before: str = "") -> dict[str, Json]:
    flat: dict[str, Json] = {}
    for name, value in options.items():
        if isinstance(value, Mapping) and value:
            flat |= _flat(value, f"{before}{name}.")
        else:
            flat[f"{before}{name}"] = value
    return flat


_INNERMOST = re.compile(r"\$\{([^${}]*)\}")
_ARITHMETIC: dict[str, Callable[..., float]] = {
    "mul": operator.mul,
    "add": operator.add,
    "sub": operator.sub,
    "div": operator.floordiv,
    "max": max,
    "min": min,
}


def _interpolated(given: Mapping[str, Json], defaults: Mapping[str, Json]) -> dict[str, Json]:
    """The options with ``${a.b}``, ``${oc.select:a.b,c}`` and ``${mul:x,y}`` put in, where that has a value."""

    def of(value: Json, depth: int = 0) -> Json:
        if not isinstance(value, str) or "${" not in value or depth > 9:
            return value
        inner = _INNERMOST.search(value)
        if inner is None:
            return value
        part = resolved(inner[1], depth)
        if part is None:
            return value
        return part if inner[0] == value else of(value.replace(inner[0], str(part)), depth + 1)

    def resolved(text: str, depth: int) -> Json:
        verb, colon, rest = text.partition(":")
        if colon and verb in _ARITHMETIC:
            try:
                return _ARITHMETIC[verb](*(float(part) for part in rest.split(",")))
            except (TypeError, ValueError, ZeroDivisionError):
                return None
        name, _, otherwise = (rest if verb == "oc.select" else text).partition(",")
        named = of(given[name], depth + 1) if name in given else defaults.get(name)
        return (otherwise.strip() or None) if named is None else named

    return {name: of(value) for name, value in given.items()}


def merged(options: Mapping[str, Json], over: Mapping[str, Json]) -> dict[str, Json]:
    """The first options with the second over them, where either may be nested or have dotted names."""
    return {**(_flat(options) if any(isinstance(v, Mapping) for v in options.values()) else options), **over}


def from_file(path: Path | str) -> dict[str, Json]:
    """The options in the file at ``path``, over those that it builds on: YAML, JSON or TOML, with the ``defaults`` of
    NeMo-RL and Hydra; a shell script that launches a run, with the file that it names; or a Python file that builds a
    ``GRPOConfig``. Nothing is run. Raises :class:`BadInput` where it is none of these, or holds no options.
    """
    path = Path(path)
    if not path.is_file():
        raise BadInput(f"there is no file {path}")
    if path.suffix == ".py":
        return options_of_python(path)
    if path.suffix not in (".sh", ".bash"):
        return composed(path)
    try:
        launch = options_of_script(path)
    except UnicodeDecodeError as problem:
        raise BadInput(f"{path} cannot be read: {problem}") from None
    return launch.options if launch.config is None else merged(_named_file(launch.config, path), launch.options)


def _named_file(name: str, script: Path) -> dict[str, Json]:
    """The file that a script names, from its own folder or one above it."""
    inside = re.sub(r"^(\$\(pwd\)|\$\{?PWD\}?|\$\{?\w*(?:DIR|HOME|ROOT|PATH)\w*\}?)/", "", name)
    for folder in script.resolve().parents:
        if (folder / inside).is_file():
            return composed(folder / inside)
    if Path(name).stem in PACKAGED:
        return {}
    raise BadInput(f"{script} takes its options from {name}, which is not there")


def from_texts(texts: Iterable[str]) -> dict[str, Json]:
    """The options that ``NAME=VALUE`` texts give; values as YAML reads them. Raises
    :class:`BadInput` for any other text.

    >>> from_texts(["beta=0.04", "loss_type=grpo", "use_vllm=true"])
    {'beta': 0.04, 'loss_type': 'grpo', 'use_vllm': True}
    """
    import yaml

    options: dict[str, Json] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise BadInput(f"expected NAME=VALUE, such as loss_type=grpo, got {text!r}")
        try:
            options[name.strip().removeprefix("--").lstrip("+").replace("-", "_")] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise BadInput(f"the value of {name.strip()} cannot be read: {value!r}") from None
    return options
