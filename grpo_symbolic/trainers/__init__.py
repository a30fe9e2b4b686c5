"""Trainers' options, by version, as settings; and the losses of settings as functions.

>>> from grpo_symbolic import trainers
>>> trainers.source(trainers.Setting(), "torch").splitlines()[0]
'import math'
"""

from __future__ import annotations

from grpo_symbolic.setting import Setting
from grpo_symbolic.trainers.losses import loss
from grpo_symbolic.trainers.source import source

__all__ = ["Setting", "loss", "source"]
