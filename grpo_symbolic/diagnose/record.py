"""A log as named series over the steps, whatever trainer wrote it.

>>> log = record_of([{"step": 1, "reward": 0.25, "vibes": 3}, {"step": 2, "reward": 0.5}], "trl")
>>> log.of(Quantity.REWARD).tolist(), log.unknown
([0.25, 0.5], ('vibes',))
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from grpo_symbolic.diagnose.names import COLUMNS, PARTS, STEP, Quantity, bare, column_of, is_beside, trainer_of
from grpo_symbolic.errors import BadInput

__all__ = ["Array", "Record", "Rows", "record_of"]

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Record:
    """What was logged, a value a step, NaN where there is none.

    ``trainer``: whose names the columns have, one of :data:`grpo_symbolic.trainers.TRAINERS`. ``steps``: shape (n,),
    increasing. ``series``: each quantity, shape (n,). ``columns``: how the log calls it. ``parts``: the mean of each
    reward function, shape (n,). ``beside``: columns that are known and held against nothing; ``unknown``: columns that
    were not understood.
    """

    trainer: str
    steps: Array
    series: Mapping[Quantity, Array]
    columns: Mapping[Quantity, str]
    parts: Mapping[str, Array] = field(default_factory=dict)
    beside: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def has(self, *quantities: Quantity) -> bool:
        """Whether all of the ``quantities`` were logged."""
        return all(quantity in self.series for quantity in quantities)

    def of(self, quantity: Quantity) -> Array:
        """The series of a ``quantity``, shape (n,); NaN everywhere where it was not logged."""
        return self.series.get(quantity, np.full(len(self.steps), np.nan))

    def where(self, *quantities: Quantity) -> Rows:
        """The rows, shape (n,), in which all of the ``quantities`` have a value."""
        found = np.ones(len(self.steps), dtype=bool)
        for quantity in quantities:
            found &= np.isfinite(self.of(quantity))
        return found

    @property
    def window(self) -> int:
        """How many steps a row stands for: the usual distance between two of them."""
        return max(int(np.median(np.diff(self.steps))), 1) if len(self.steps) > 1 else 1


def record_of(rows: Iterable[Mapping[str, Any]], trainer: str | None = None) -> Record:
    """The record of logged ``rows``, each a mapping of columns to values, as a ``trainer`` names them; left out, the
    trainer is told by the columns. Rows of one step are put together, the last value of a column counting.

    Raises :class:`BadInput` where there are no rows, or no column that a trainer logs.
    """
    table: dict[float, dict[str, float]] = {}
    seen: dict[str, None] = {}
    number = -1
    for number, row in enumerate(rows):
        step = _step(row, number)
        into = table.setdefault(step, {})
        for name, raw in row.items():
            seen.setdefault(name)
            value = _number(raw)
            if value is not None:
                into[name] = value
    if number < 0:
        raise BadInput("the log holds no rows: expected one a step")
    if trainer is not None and trainer not in COLUMNS:
        raise BadInput(f"what {trainer} logs is not known: the logs of {', '.join(COLUMNS)} are")
    trainer = trainer or trainer_of(seen)
    if trainer is None:
        shown = ", ".join(list(seen)[:5])
        raise BadInput(f"no column is one that a trainer logs (there are {shown}): expected such as reward, kl or loss")
    steps = sorted(step for step in table if any(column_of(name, trainer) for name in table[step]))
    if not steps:
        expected = ", ".join(column.name for column in COLUMNS[trainer][:5])
        raise BadInput(f"no column is one that {trainer} logs: expected such as {expected}")
    return _filed(trainer, steps, table, list(seen))


def _filed(trainer: str, steps: list[float], table: Mapping[float, Mapping[str, float]], seen: list[str]) -> Record:
    def column(name: str) -> Array:
        return np.array([table[step].get(name, math.nan) for step in steps])

    filled = {name for step in steps for name in table[step]}
    by_name = {bare(name): name for name in seen if name in filled}
    series: dict[Quantity, Array] = {}
    columns: dict[Quantity, str] = {}
    for entry in COLUMNS[trainer]:
        if entry.name in by_name and entry.quantity not in series:
            series[entry.quantity] = entry.offset + entry.factor * column(by_name[entry.name])
            columns[entry.quantity] = by_name[entry.name]
    pattern = PARTS.get(trainer)
    matched = {name: pattern.fullmatch(bare(name)) for name in seen} if pattern is not None else {}
    parts = {found[1]: column(name) for name, found in matched.items() if found and name in filled}
    rest = [n for n in seen if column_of(n, trainer) is None and not matched.get(n) and bare(n).lower() not in STEP]
    beside = tuple(name for name in rest if is_beside(name))
    unknown = tuple(name for name in rest if not is_beside(name))
    return Record(trainer, np.array(steps, dtype=float), series, columns, parts, beside, unknown)


def _step(row: Mapping[str, Any], number: int) -> float:
    for name in row:
        if bare(name).lower() in STEP or name.lower() in STEP:
            value = _number(row[name])
            if value is not None:
                return value
    return float(number)


def _number(value: Any) -> float | None:
    """A finite number that was logged, or ``None``: texts, blanks and NaN are no values."""
    if isinstance(value, bool):
        return None
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None
