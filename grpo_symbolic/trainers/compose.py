"""Options from files that build on others: ``defaults`` of NeMo-RL (paths) and of Hydra (names, groups, packages).

A file's own options go over those of its defaults unless ``_self_`` stands before them. Names are looked for beside the
file and in its ``hydra.searchpath``; a name that only the trainer's own package has (verl's ``ppo_trainer``) stands for
its defaults, which its reader has anyway.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from grpo_symbolic.errors import BadInput
from grpo_symbolic.scalars import Json

__all__ = ["PACKAGED", "composed"]

PACKAGED = ("ppo_trainer", "ppo_megatron_trainer", "grpo_trainer")  # of verl
_SUFFIXES = (".yaml", ".yml")


def composed(path: Path) -> dict[str, Json]:
    """The options of the YAML, JSON or TOML file at ``path``, over those of its defaults; nested.

    Raises :class:`BadInput` where a file is missing, none of these, no mapping of names, or its own default.
    """
    return _composed(path, (), ())


def _composed(path: Path, above: tuple[Path, ...], search: tuple[Path, ...]) -> dict[str, Json]:
    if path.resolve() in above:
        raise BadInput(f"{path} is among its own defaults")
    own = _mapping(path)
    defaults, chain = own.pop("defaults", None), (*above, path.resolve())
    if defaults is None:
        return own
    if isinstance(defaults, str):
        defaults = [defaults]
    if not isinstance(defaults, list):
        raise BadInput(f"the defaults of {path} are {defaults!r}: expected a name, a path, or a list of them")
    folders = (path.parent, *_search_path(own, path), *search)
    options: dict[str, Json] = {}
    late = "_self_" not in defaults
    for entry in defaults:
        if entry == "_self_":
            _merge(options, own)
            continue
        for name, package in _named(entry, path):
            base = _file_named(name, folders, path)
            if base is not None:
                _merge(options, _under(package, _composed(base, chain, folders)))
    if late:
        _merge(options, own)
    return options


def _named(entry: Json, path: Path) -> Iterator[tuple[str, str]]:
    """What an entry of the defaults names, and the section into which it goes."""
    if isinstance(entry, str):
        name, _, package = entry.removeprefix("optional ").partition("@")
        yield name, package
    elif isinstance(entry, Mapping):
        for key, option in entry.items():
            group, _, package = str(key).removeprefix("override ").removeprefix("optional ").partition("@")
            if option is not None and not group.startswith("hydra/"):
                yield f"{group}/{option}", package or group.strip("/").replace("/", ".")
    else:
        raise BadInput(f"the defaults of {path} have {entry!r}: expected a name, a path, or a group with its option")


def _file_named(name: str, folders: tuple[Path, ...], path: Path) -> Path | None:
    """The file in the first of the folders that has it; ``None`` for one that only the trainer's package has."""
    names = [name] if name.endswith(_SUFFIXES) else [name + suffix for suffix in _SUFFIXES]
    for folder in folders:
        for candidate in names:
            if (folder / candidate.lstrip("/")).is_file():
                return folder / candidate.lstrip("/")
    if name.rpartition("/")[2] in PACKAGED:
        return None
    raise BadInput(f"{path} builds on {name!r}, which is not beside it: expected the file in {folders[0]}")


def _search_path(own: Mapping[str, Json], path: Path) -> list[Path]:
    hydra = own.get("hydra")
    listed = hydra.get("searchpath") if isinstance(hydra, Mapping) else None
    paths = []
    for text in listed if isinstance(listed, list) else []:
        folder = Path(str(text).removeprefix("file://"))
        paths += [folder] if folder.is_absolute() else [parent / folder for parent in path.resolve().parents]
    return paths


def _under(package: str, options: dict[str, Json]) -> dict[str, Json]:
    if package in ("", "_global_", "_here_"):
        return options
    for section in reversed(package.split(".")):
        options = {section: options}
    return options


def _merge(into: dict[str, Json], over: Mapping[str, Json]) -> None:
    """Put the second options over the first, section by section."""
    for name, value in over.items():
        below = into.get(name)
        if isinstance(below, dict) and isinstance(value, Mapping):
            _merge(below, value)
        else:
            into[name] = dict(value) if isinstance(value, Mapping) else value


def _mapping(path: Path) -> dict[str, Json]:
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
    if path.suffix == ".toml":
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as problem:
            raise BadInput(f"{path} is no TOML: {problem}") from None
    import yaml

    try:
        document: Json = yaml.safe_load(text)
    except yaml.YAMLError as problem:
        line = getattr(problem, "problem_mark", None)
        where = "" if line is None else f" in line {line.line + 1}"
        raise BadInput(f"{path} is no YAML: {getattr(problem, 'problem', None) or problem}{where}") from None
    return document
