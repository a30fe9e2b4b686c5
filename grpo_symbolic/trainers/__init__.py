"""Trainers' options, by version, as settings; and the losses of settings as functions.

>>> from grpo_symbolic import trainers
>>> trainers.read("trl==1.16.0", {"beta": 0.04}).setting.penalty.weight
<PenaltyWeight.RATIO: 'ratio'>
>>> trainers.read("trl==1.9.0", {"beta": 0.04}).setting.penalty.weight
<PenaltyWeight.NONE: 'none'>
"""

from __future__ import annotations

from grpo_symbolic.libraries import LIBRARIES
from grpo_symbolic.setting import Setting
from grpo_symbolic.trainers.config import TRAINERS, from_file, from_texts, read
from grpo_symbolic.trainers.form import from_json, to_json
from grpo_symbolic.trainers.losses import loss
from grpo_symbolic.trainers.objects import of
from grpo_symbolic.trainers.options import Note, Reading
from grpo_symbolic.trainers.source import source

__all__ = [
    "LIBRARIES",
    "TRAINERS",
    "Note",
    "Reading",
    "Setting",
    "from_file",
    "from_json",
    "from_texts",
    "loss",
    "of",
    "read",
    "source",
    "to_json",
]


def __dir__() -> list[str]:
    return list(__all__)
