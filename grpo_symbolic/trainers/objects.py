"""A trainer's own configuration object as a reading: what the run that it starts optimises.

>>> from types import SimpleNamespace
>>> arguments = {"algo.kl.init_coef": 0.0, "rollout.n_samples_per_prompt": 8, "actor.eps_clip": 0.2}
>>> of(SimpleNamespace(**arguments)).setting.group_size
8
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fnmatch import fnmatchcase
from importlib.metadata import PackageNotFoundError, version
from types import SimpleNamespace
from typing import Any

from grpo_symbolic.errors import BadInput
from grpo_symbolic.reading import Reading
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers.config import TRAINERS, named, read, trainer_of

__all__ = ["of"]


def of(config: Any, trainer: str | None = None) -> Reading:
    """The reading of a trainer's configuration object: a ``GRPOConfig`` of TRL, unsloth or ms-swift, verl's
    ``DictConfig``, OpenRLHF's or slime's parsed arguments, NeMo-RL's mapping, prime-rl's ``RLConfig``, or any mapping
    of their names. ``trainer``: its name, with a version if one is wished; left out, the object shows it, with the
    version that is installed, or the newest known.

    Raises :class:`BadInput` where the object is of none of them, and for what :func:`.config.read` refuses.
    """
    options = _plain(config)
    if not isinstance(options, dict):
        raise BadInput(f"{type(config).__name__} is no configuration of a trainer: expected names with their values")
    name = trainer or _installed(_trainer(config, options))
    if is_dataclass(config):
        options = _before_init(options, named(name).name)
    return read(name, options)


def _trainer(config: Any, options: Mapping[str, Json]) -> str:
    bases = [f"{base.__module__}.{base.__name__}" for base in type(config).__mro__]
    classes = {pattern: name for name in TRAINERS for pattern in trainer_of(name).classes}
    matching = [pattern for pattern in classes if any(fnmatchcase(base, pattern) for base in bases)]
    if matching:
        return classes[max(matching, key=len)]  # what builds on TRL has TRL's class among its bases
    sections = {name.partition(".")[0] for name in options}
    for name in TRAINERS:
        if trainer_of(name).mark in sections:
            return name
    raise BadInput(f"{type(config).__name__} does not say whose it is: name the trainer, such as of(config, 'trl')")


def _installed(name: str) -> str:
    try:
        return f"{name}=={version(name)}"
    except PackageNotFoundError:
        return name


def _before_init(options: dict[str, Json], trainer: str) -> dict[str, Json]:
    """``GRPOConfig`` writes a second name of one thing, and its own default, over what is left out; that of unsloth the
    loss that it takes by default, beside which it sets no clip.
    """
    both = options.get("generation_batch_size") is not None and options.get("steps_per_generation") is not None
    known = trainer_of(trainer).releases.names
    dropped = {"generation_batch_size"} if both else set()
    if trainer == "unsloth" and options.get("loss_type") == "dapo" and options.get("epsilon_high") is None:
        dropped.add("loss_type")
    return {name: value for name, value in options.items() if name in known and name not in dropped}


def _plain(value: Any) -> Any:
    """Names with their values, nested, of whatever holds them."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name, None)) for f in fields(value)}
    if type(value).__name__ in ("Namespace", "SimpleNamespace") or isinstance(value, SimpleNamespace):
        return {str(n): _plain(v) for n, v in vars(value).items()}
    if hasattr(value, "items") and hasattr(value, "keys"):
        return {str(n): _plain(value[n]) for n in value}
    if hasattr(value, "model_dump"):
        return _plain(value.model_dump())
    if isinstance(value, list | tuple) or type(value).__name__ == "ListConfig":
        return [_plain(part) for part in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
