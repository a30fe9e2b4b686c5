"""What a trainer's options say: the setting, what became of every option, and notes on what was assumed.

Every option is *used*, *without effect here* (and why), or *not modelled* (and what that may change).

>>> from grpo_symbolic.trainers import read
>>> for use in read("trl", {"beta": 0.04, "delta": 4.0, "loss_type": "sapo", "entropy_coef": 0.01}).options:
...     print(f"{use.fate}: {use}")
used: beta=0.04
without effect here: delta=4.0: sapo has a gate in place of the clip
used: loss_type=sapo
not modelled: entropy_coef=0.01: an entropy bonus of 0.01 times the mean entropy of a token
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.scalars import Json
from grpo_symbolic.setting import Setting
from grpo_symbolic.shown import Shown

__all__ = ["UNKNOWN", "Fate", "Note", "Part", "Reading", "Use", "setting_of", "written"]


UNKNOWN = "has no such option, and what it changes is not known"


class Part(StrEnum):
    """What an option that is not modelled may change."""

    LOSS = "the loss"
    END = "where the run goes"
    PACE = "how fast it goes"


class Fate(StrEnum):
    """What became of an option."""

    USED = "used"
    IDLE = "without effect here"
    LEFT_OUT = "not modelled"


@dataclass(frozen=True)
class Use:
    """What became of the option ``name`` with this ``value``: its ``fate``, ``why``, and, where it is not modelled,
    what that ``changes``.
    """

    name: str
    value: Json
    fate: Fate
    why: str = ""
    changes: tuple[Part, ...] = ()

    @property
    def unknown(self) -> bool:
        """Whether the trainer has no option of this name."""
        return self.why.endswith(UNKNOWN)

    def __str__(self) -> str:
        return f"{self.name}={written(self.value)}" + (f": {self.why}" if self.why else "")


def written(value: Json) -> str:
    """A value as it is written in an option."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text.strip('"') if isinstance(value, str) else text


@dataclass(frozen=True)
class Note:
    """A sentence (``text``) about a run, with the ids of claims that prove what it says; none where nothing needs a
    proof.
    """

    text: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading(Shown):
    """What the options of a ``trainer`` in a ``version`` say: the setting, ``notes`` on what was assumed and what
    surprises, and what became of each option that was given or that acts by default (``options``).
    """

    trainer: str
    version: str
    setting: Setting
    notes: tuple[Note, ...] = ()
    options: tuple[Use, ...] = ()

    def __repr__(self) -> str:
        return f"<Reading {self.trainer} {self.version}: {len(self.left_out())} options not modelled>"

    @property
    def outside(self) -> tuple[str, ...]:
        """What the loss of the setting leaves out, a phrase each."""
        return tuple(use.why for use in self.left_out(Part.LOSS, Part.END))

    def left_out(self, *parts: Part) -> list[Use]:
        """The options that are not modelled and may change one of the ``parts``; without parts, all of them."""
        unmodelled = [use for use in self.options if use.fate is Fate.LEFT_OUT]
        return [use for use in unmodelled if not parts or set(use.changes) & set(parts)]

    def caveats(self, *parts: Part) -> tuple[str, ...]:
        """What whoever takes the setting for the run leaves out that may change one of the ``parts``, a phrase each."""
        return tuple(f"without {use.name}={written(use.value)} ({use.why})" for use in self.left_out(*parts))

    def check(self, *parts: Part) -> None:
        """Raise :class:`BadInput` if an option that is not modelled may change one of the ``parts``."""
        unmodelled = self.left_out(*parts)
        if unmodelled:
            changed = " and ".join(part for part in parts if any(part in use.changes for use in unmodelled))
            caveats = "; ".join(map(str, unmodelled))
            raise BadInput(f"not modelled, though it may change {changed}: {caveats} (--anyway goes on without)")


def setting_of(thing: Setting | Reading, anyway: bool, *parts: Part) -> Setting:
    """The setting, or that of a reading. Raises :class:`BadInput` where an option of it that is not modelled may change
    one of the ``parts``, unless ``anyway``.
    """
    if isinstance(thing, Setting):
        return thing
    check_kind(thing, Reading, "the setting", "a Setting, or what gs.trainers.read makes of a trainer's options")
    if not anyway:
        thing.check(*parts)
    return thing.setting
