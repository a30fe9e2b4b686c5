"""A log as named series over the steps, whatever trainer wrote it.

>>> log = record_of([{"step": 1, "reward": 0.25, "vibes": 3}, {"step": 2, "reward": 0.5}], "trl")
>>> log.of(Quantity.REWARD).tolist(), log.unknown
([0.25, 0.5], ('vibes',))
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from grpo_symbolic.diagnose.names import COLUMNS, PARTS, Quantity, column_of, is_beside, refuse_unread, trainer_of
from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.logs import bare, by_bare_name, by_step, is_step, rows_of
from grpo_symbolic.shown import Shown

__all__ = ["Array", "Record", "Rows", "read_log", "record_of"]

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Record(Shown):
    """What was logged, a value a step, NaN where there is none.

    ``trainer``: whose names the columns have, one of :data:`grpo_symbolic.trainers.TRAINERS`. ``steps``: shape (n,),
    increasing. ``series``: each quantity, shape (n,). ``columns``: how the log calls it. ``parts``: the mean of each
    reward function, shape (n,). ``lost``: at which steps a quantity was logged as NaN or infinite. ``beside``: columns
    that are known and held against nothing; ``unknown``: columns that were not understood, or have no number.
    """

    trainer: str
    steps: Array
    series: Mapping[Quantity, Array]
    columns: Mapping[Quantity, str]
    parts: Mapping[str, Array] = field(default_factory=dict)
    lost: Mapping[Quantity, Array] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Record {self.trainer}: {len(self.steps)} rows, {len(self.series)} series>"

    def has(self, *quantities: Quantity) -> bool:
        """Whether all of the ``quantities`` were logged."""
        return all(quantity in self.series for quantity in quantities)

    def of(self, quantity: Quantity) -> Array:
        """The series of a ``quantity``, shape (n,); NaN everywhere where it was not logged."""
        return self.series.get(quantity, np.full(len(self.steps), np.nan))

    def where(self, *quantities: Quantity) -> Rows:
        """The rows, shape (n,), in which all of the ``quantities`` have a value."""
        rows = np.ones(len(self.steps), dtype=bool)
        for quantity in quantities:
            rows &= np.isfinite(self.of(quantity))
        return rows

    @property
    def window(self) -> int:
        """How many steps a row stands for: the usual distance between two of them."""
        return max(int(np.median(np.diff(self.steps))), 1) if len(self.steps) > 1 else 1


def read_log(paths: Sequence[Path], trainer: str | None = None) -> Record:
    """The record of one run whose log is in the files or folders ``paths``, put together by step; ``trainer``: whose
    names the columns have, recognised by the columns where it is left out.

    Raises :class:`BadInput` for a file that is missing or cannot be read, and where none holds a series.
    """
    if not paths:
        raise BadInput("there is no log: expected the name of a file or a folder")
    known = {column.name for table in COLUMNS.values() for column in table}
    return record_of([row for path in paths for row in rows_of(path, known)], trainer)


def record_of(rows: Iterable[Mapping[str, Any]], trainer: str | None = None) -> Record:
    """The record of logged ``rows``, each a mapping of columns to values, as a ``trainer`` names them; left out, the
    trainer is recognised by the columns. Rows of one step are put together, the last value of a column counting.

    Raises :class:`BadInput` where there are no rows, or no column that a trainer logs.
    """
    logged = list(rows)
    for row in logged:
        check_kind(row, Mapping, "a row of the log", "columns with their values, such as {'step': 1, 'reward': 0.5}")
    seen = list(dict.fromkeys(name for row in logged for name in row if not is_step(name)))
    if not logged:
        raise BadInput("the log holds no rows: expected one a step")
    refuse_unread(trainer)
    trainer = trainer or trainer_of(seen)
    if trainer is None:
        shown = ", ".join(seen[:5])
        raise BadInput(f"no column is one that a trainer logs (there are {shown}): expected such as reward, kl or loss")
    table = by_step(logged)
    known = {name for name in seen if column_of(name, trainer)}
    steps = [step for step, row in table.items() if any(name in known and math.isfinite(row[name]) for name in row)]
    if not steps:
        expected = ", ".join(column.name for column in COLUMNS[trainer][:5])
        raise BadInput(f"no column is one that {trainer} logs: expected such as {expected}")
    return _from_table(trainer, steps, table, seen)


def _from_table(
    trainer: str, steps: list[float], table: Mapping[float, Mapping[str, float]], seen: list[str]
) -> Record:
    def column(name: str) -> Array:
        values = np.array([table[step].get(name, math.nan) for step in steps])
        return np.where(np.isfinite(values), values, math.nan)

    filled = {name for step in steps for name in table[step]}
    by_name = by_bare_name(name for name in seen if name in filled)
    series: dict[Quantity, Array] = {}
    columns: dict[Quantity, str] = {}
    lost: dict[Quantity, Array] = {}
    for entry in COLUMNS[trainer]:
        if entry.name in by_name and entry.quantity not in series:
            series[entry.quantity] = entry.offset + entry.factor * column(by_name[entry.name])
            columns[entry.quantity] = name = by_name[entry.name]
            gone = [step for step in steps if name in table[step] and not math.isfinite(table[step][name])]
            if gone:
                lost[entry.quantity] = np.array(gone)
    pattern = PARTS.get(trainer)
    matched = {name: pattern.fullmatch(bare(name)) for name in seen} if pattern is not None else {}
    parts = {match[1]: column(name) for name, match in matched.items() if match and name in filled}
    rest = [n for n in seen if n not in filled or (column_of(n, trainer) is None and not matched.get(n))]
    beside = tuple(name for name in rest if is_beside(name))
    unknown = tuple(name for name in rest if not is_beside(name))
    return Record(trainer, np.array(steps, dtype=float), series, columns, parts, lost, beside, unknown)
