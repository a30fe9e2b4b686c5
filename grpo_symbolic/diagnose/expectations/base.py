"""An expectation: a small function from a run to what is found, with the series that it needs and its claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grpo_symbolic.diagnose.findings import Band, Fault, Finding, Kind, Surety
from grpo_symbolic.diagnose.names import Quantity
from grpo_symbolic.diagnose.record import Array, Rows
from grpo_symbolic.diagnose.run import Run

__all__ = ["Check", "Expectation", "constant_band", "expectation", "explained", "odd"]

Check = Callable[[Run], Finding | None]


@dataclass(frozen=True)
class Expectation:
    """What a setting implies of a log: the series that it ``needs``, the ``claims`` that say so, and the ``check``
    itself, which answers ``None`` where the setting implies nothing.
    """

    name: str
    needs: tuple[Quantity, ...]
    claims: tuple[str, ...]
    check: Check


def expectation(*needs: Quantity, claims: tuple[str, ...] = ()) -> Callable[[Check], Expectation]:
    """Make an expectation of a function; without ``claims`` what it holds a series against is a definition."""

    def made(check: Check) -> Expectation:
        return Expectation(check.__name__.strip("_"), needs, claims, check)

    return made


def constant_band(run: Run, quantity: Quantity, rows: Rows, low: float, high: float) -> Band:
    """The band of a ``quantity`` from ``low`` to ``high``, the same in all of these ``rows``."""
    count = int(rows.sum())
    return Band(quantity, run.log.steps[rows], np.full(count, low), np.full(count, high))


def explained(quantity: Quantity, text: str, band: Band | None = None, surety: Surety = Surety.EXACT) -> Finding:
    """A series that is as the options imply."""
    return Finding(Kind.EXPLAINED, quantity, text, band=band, surety=surety)


def odd(
    run: Run,
    quantity: Quantity,
    text: str,
    faults: tuple[Fault, ...],
    rows: Rows | None = None,
    band: Band | None = None,
    surety: Surety = Surety.EXACT,
) -> Finding:
    """A series that is not as the options imply: in these ``rows`` of the log, or as a whole."""
    steps: Array = run.log.steps if rows is None else run.log.steps[rows]
    return Finding(Kind.ODD, quantity, text, faults=faults, band=band, surety=surety, steps=tuple(steps.tolist()))
