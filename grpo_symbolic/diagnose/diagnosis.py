"""A log held against the setting of its options: what each expectation finds, and which of them lack a series."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grpo_symbolic.diagnose.expectations import EXPECTATIONS
from grpo_symbolic.diagnose.findings import TELLS, Fault, Finding, Kind
from grpo_symbolic.diagnose.names import Quantity
from grpo_symbolic.diagnose.record import Record, read_log, record_of
from grpo_symbolic.diagnose.run import Run
from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.reading import Reading
from grpo_symbolic.scalars import Json
from grpo_symbolic.shown import Shown
from grpo_symbolic.trainers.config import named, read

__all__ = ["ASSUMED", "Diagnosis", "Unasked", "diagnose", "refuse_two_axes"]

ASSUMED = "No options were given: all that follows is about the trainer's defaults."


@dataclass(frozen=True)
class Unasked:
    """An expectation (``name``) that could not be asked, since the log lacks the series ``missing``."""

    name: str
    missing: tuple[Quantity, ...]


@dataclass(frozen=True)
class Diagnosis(Shown):
    """What was found of a ``run``: ``findings``, and the expectations that were ``unasked`` for want of a series.
    ``assumed``: whether nobody gave options, so that the findings are about the trainer's defaults.
    """

    run: Run
    findings: tuple[Finding, ...]
    unasked: tuple[Unasked, ...] = ()
    assumed: bool = False

    def __repr__(self) -> str:
        log = self.run.log
        return f"<Diagnosis {log.trainer}, {len(log.steps)} rows: {len(self.odd)} of {len(self.findings)} findings odd>"

    def of(self, kind: Kind) -> tuple[Finding, ...]:
        """The findings of a ``kind``."""
        return tuple(finding for finding in self.findings if finding.kind is kind)

    @property
    def odd(self) -> tuple[Finding, ...]:
        """What is not as the options imply."""
        return self.of(Kind.ODD)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What may be wrong, the likeliest of each finding first."""
        ranked = sorted((k, n) for n, f in enumerate(self.odd) for k in range(len(f.faults)))
        return tuple(dict.fromkeys(self.odd[n].faults[k] for k, n in ranked))

    def to_json(self) -> dict[str, Json]:
        """All of it as plain data for JSON."""
        log = self.run.log
        return {
            "trainer": self.run.reading.trainer,
            "version": self.run.reading.version,
            "defaults_assumed": self.assumed,
            "rows": len(log.steps),
            "steps": [float(log.steps[0]), float(log.steps[-1])],
            "series": {quantity.value: column for quantity, column in log.columns.items()},
            "findings": [_data(finding, log) for finding in self.findings],
            "not_logged": [{"expectation": u.name, "needs": [q.value for q in u.missing]} for u in self.unasked],
            "not_understood": list(log.unknown),
            "held_against_nothing": list(log.beside),
            "not_modelled": [str(use) for use in self.run.reading.left_out()],
            "notes": [note.text for note in self.run.reading.notes],
        }


def _data(finding: Finding, log: Record) -> dict[str, Json]:
    return {
        "kind": finding.kind.value,
        "series": finding.quantity.value,
        "column": log.columns.get(finding.quantity),
        "says": finding.text,
        "claims": list(finding.claims),
        "faults": [{"fault": fault.value, "tell": TELLS[fault]} for fault in finding.faults],
        "surety": finding.surety.value,
        "steps": list(finding.steps),
    }


def diagnose(
    log: Record | Path | str | Sequence[Path | str] | Iterable[Mapping[str, Any]],
    reading: Reading | None = None,
    *,
    trainer: str | None = None,
    binary: bool | None = None,
) -> Diagnosis:
    """What the ``log`` of a run says beside its options.

    ``log``: a record, the name of a file or folder or several of them, or rows of metrics as they were logged.
    ``reading``: what the options say (:func:`grpo_symbolic.trainers.read`, :func:`grpo_symbolic.trainers.of`); left
    out, the defaults of the ``trainer`` (such as "trl==1.16.0"), or of the one whose names the columns have.
    ``binary``: whether all rewards are 0 or 1; left out, the log may show it.

    >>> rows = [{"step": k, "loss": 0.0, "clip_ratio/region_mean": 0.3} for k in range(1, 21)]
    >>> diagnose(rows, trainer="trl").odd[0].text
    'With 1 update on a batch at most 0 of the tokens can be clipped, and 0.3 was logged (20 rows).'

    Raises :class:`BadInput` for a log that cannot be read or has no series, for a ``reading`` of another trainer than
    the log is of, and for what is logged so that nothing can be held against it.
    """
    check_kind(reading, (Reading, type(None)), "the reading", "what gs.trainers.read(trainer, options) gives")
    name = _name(reading, trainer)
    record = _record(log, name)
    assumed = reading is None
    if reading is None:
        reading = read(trainer or record.trainer, {})
    refuse_two_axes(reading)
    run = Run(record, reading, binary)
    findings, unasked = [], []
    for expectation in EXPECTATIONS:
        missing = tuple(quantity for quantity in expectation.needs if not record.has(quantity))
        if missing:
            unasked.append(Unasked(expectation.name, missing))
            continue
        finding = expectation.check(run)
        if finding is not None:
            findings.append(replace(finding, claims=expectation.claims))
    return Diagnosis(run, tuple(findings), tuple(unasked), assumed)


def refuse_two_axes(reading: Reading) -> None:
    """Raise :class:`BadInput` where the trainer logs steps and batches on axes of their own, and they differ."""
    if reading.trainer == "slime" and reading.setting.updates > 1:
        text = f"slime logs each of the {reading.setting.updates} steps on a batch apart, on an axis of its own"
        raise BadInput(f"{text}: its logs are read where there is one step on a batch")


def _name(reading: Reading | None, trainer: str | None) -> str | None:
    """Whose names the columns have, where that is given."""
    if reading is not None:
        own = named(reading.trainer.lower()).name
        if trainer is not None and named(trainer).name != own:
            raise BadInput(f"the options are of {reading.trainer}, and the trainer is said to be {trainer}")
        return own
    return None if trainer is None else named(trainer).name


def _record(log: Any, trainer: str | None) -> Record:
    if isinstance(log, Record):
        if trainer is not None and log.trainer != trainer:
            raise BadInput(f"the log is of {log.trainer}, and the options are of {trainer}")
        return log
    if isinstance(log, str | Path):
        return read_log([Path(log)], trainer)
    check_kind(log, Iterable, "the log", "a file, a folder, or rows of metrics")
    entries = list(log)
    if entries and all(isinstance(entry, str | Path) for entry in entries):
        return read_log([Path(entry) for entry in entries], trainer)
    return record_of(entries, trainer)
