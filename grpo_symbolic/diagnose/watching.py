"""A run that is watched while it goes: metrics are fed, and what is odd is reported when it is seen.

>>> from grpo_symbolic import trainers
>>> watching = watch(trainers.read("trl==1.16.0", {"loss_type": "grpo"}))
>>> [finding.faults[0].name for finding in watching.feed({"loss": -0.5, "reward": 0.5}, step=1)]
['AGGREGATION']
>>> watching.feed({"loss": -0.5, "reward": 0.5}, step=2)
()
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from grpo_symbolic.diagnose.diagnosis import Diagnosis, diagnose, refuse_two_axes
from grpo_symbolic.diagnose.expectations.groups import dead_share
from grpo_symbolic.diagnose.findings import Finding
from grpo_symbolic.diagnose.names import Quantity, column_of, refuse_unread, trainer_of
from grpo_symbolic.diagnose.page import page
from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import write_atomically
from grpo_symbolic.reading import Reading
from grpo_symbolic.trainers.config import named

__all__ = ["Watch", "numbers", "watch"]

_GROWTH = 1.25  # of the rows between two looks, so that all looks cost a few times what one over all rows does


class Watch:
    """A run as far as it has gone; made by :func:`watch`, with what it takes: ``reading``, ``trainer`` and ``binary``.

    The log is looked at when it has grown by a quarter since the last look, so that n rows are looked at about
    ``log n / log 1.25`` times: 31 times for a thousand. The chance of a false alarm of each look adds up to at most
    that many times the one of a single look.
    """

    def __init__(self, reading: Reading | None, trainer: str | None, binary: bool | None) -> None:
        name = trainer if reading is None else reading.trainer.lower()
        self._name = None if name is None else named(name).name
        refuse_unread(self._name)
        if reading is not None:
            refuse_two_axes(reading)
        self._reading, self._trainer, self._binary = reading, trainer, binary
        self._rows: list[dict[str, Any]] = []
        self._reported: set[tuple[Quantity, str]] = set()
        self._next = 1.0
        self._latest: Diagnosis | None = None

    def feed(self, metrics: Mapping[str, Any], step: int | None = None) -> tuple[Finding, ...]:
        """Add the ``metrics`` of a ``step`` (the next, if left out), by the names that the trainer gives them; returns
        what is odd and was not reported before. Metrics without a known column are stored, and are no reason to look.
        """
        number = len(self._rows) + 1 if step is None else step
        self._rows.append({**metrics, "step": number})
        if len(self._rows) < self._next or not self._is_known():
            return ()
        self._next = max(_GROWTH * len(self._rows), len(self._rows) + 1)
        return self._look()

    def diagnosis(self) -> Diagnosis:
        """What is found in all that was fed. Raises :class:`BadInput` where that is nothing that a trainer logs."""
        self._look()
        if self._latest is None:
            raise BadInput("nothing was fed that a trainer logs: expected metrics such as reward, kl or loss")
        return self._latest

    def numbers(self) -> dict[str, float]:
        """Three numbers to log, as of the last look (:func:`numbers`); none before there is one."""
        return {} if self._latest is None else numbers(self._latest)

    def write(self, path: Path | str) -> None:
        """Write the page of what was found to ``path``. Raises :class:`BadInput` where it cannot be written."""
        text = page(self.diagnosis())
        try:
            write_atomically(Path(path), text)
        except OSError as problem:
            raise BadInput(f"{path} cannot be written: {problem.strerror}") from None

    def _is_known(self) -> bool:
        """Whether the newest row has a column that is held against theory."""
        names = list(self._rows[-1])
        if self._name is None:
            return trainer_of(names) is not None
        return any(column_of(name, self._name) for name in names)

    def _look(self) -> tuple[Finding, ...]:
        if not any(self._rows):
            return ()
        self._latest = diagnose(self._rows, self._reading, trainer=self._trainer, binary=self._binary)
        new = tuple(f for f in self._latest.odd if (f.quantity, f.faults[0].name) not in self._reported)
        self._reported |= {(finding.quantity, finding.faults[0].name) for finding in new}
        return new


def watch(reading: Reading | None = None, *, trainer: str | None = None, binary: bool | None = None) -> Watch:
    """Watch a run from a training loop of one's own.

    ``reading``: what its options say (:func:`grpo_symbolic.trainers.read`); ``trainer``: whose names the metrics have;
    ``binary``: whether all rewards are 0 or 1, where that is known. As in :func:`.diagnosis.diagnose`. Raises
    :class:`BadInput` for a trainer that is not known, or whose logs are not read.
    """
    return Watch(reading, trainer, binary)


def numbers(diagnosis: Diagnosis) -> dict[str, float]:
    """Three numbers of a ``diagnosis`` to log beside a run: ``theory/odd``, how many findings are not what the options
    imply; ``theory/loss_outside``, how far the last loss lies outside its band, 0 inside; ``theory/least_dead``, the
    least share of groups without signal at the last mean reward (NaN where rewards are not 0 or 1).
    """
    run, outside = diagnosis.run, 0.0
    for finding in diagnosis.findings:
        band = finding.band
        if band is not None and finding.quantity in (Quantity.LOSS, Quantity.POLICY_LOSS):
            last = float(run.log.of(finding.quantity)[run.log.where(finding.quantity)][-1])
            outside = max(float(band.low[-1]) - last, last - float(band.high[-1]), 0.0)
    reward = run.log.of(Quantity.REWARD)
    known = reward[np.isfinite(reward)]
    rated = len(known) > 0 and run.binary is True and 0 <= known[-1] <= 1
    least = dead_share(float(known[-1]), run.setting.group_size) if rated else math.nan
    return {"theory/odd": float(len(diagnosis.odd)), "theory/loss_outside": outside, "theory/least_dead": least}
