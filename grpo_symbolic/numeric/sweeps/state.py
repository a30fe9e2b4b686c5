"""How far a sweep is: what it has counted, the worst instances so far, and the file from which it goes on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import write_atomically
from grpo_symbolic.numeric.recursion.gap import Floats, Places

SCHEMA = 1


@dataclass
class Tally:
    """Counts for one obligation: ``close`` are negative margins within rounding of zero. ``worst`` are (margin, unit,
    number of the instance) in ascending order, ``odd`` the first instances without a value, as (unit, number).
    """

    drawn: int = 0
    rejected: int = 0
    violations: int = 0
    close: int = 0
    nans: int = 0
    seconds: float = 0.0
    worst: list[tuple[float, int, int]] = field(default_factory=list)
    odd: list[tuple[int, int]] = field(default_factory=list)

    def copy(self) -> Tally:
        return replace(self, worst=list(self.worst), odd=list(self.odd))

    def threshold(self, most: int) -> float:
        """Only a margin below this is among the worst."""
        return self.worst[-1][0] if len(self.worst) >= most else np.inf

    def add(self, unit: int, margins: Floats, numbers: Places, worst: int, odd: int) -> None:
        """Look at the margins of these instances: NaN where there is no value, ∞ for what does not count."""
        chosen = np.flatnonzero(margins < self.threshold(worst))
        chosen = chosen[np.argsort(margins[chosen], kind="stable")][:worst]
        new = [(float(margins[k]), unit, int(numbers[k])) for k in chosen]
        self.worst = sorted([*self.worst, *new])[:worst]
        unvalued = np.flatnonzero(np.isnan(margins))[: max(0, odd - len(self.odd))]
        self.odd += [(unit, int(numbers[k])) for k in unvalued]


@dataclass
class State:
    """Everything that a sweep needs to go on: ``identity`` says of which sweep it is the state, the next block of the
    next unit is to be evaluated.
    """

    identity: dict[str, Any]
    unit: int = 0
    block: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict)

    def tally(self, key: str) -> Tally:
        return self.tallies.get(key) or Tally()

    def after(self, key: str, tally: Tally, block: int, most: int) -> State:
        """The state with a chunk more: at ``block`` of this unit, or at the next unit where it has no more than
        ``most`` blocks.
        """
        unit, block = (self.unit, block) if block < most else (self.unit + 1, 0)
        return replace(self, unit=unit, block=block, tallies={**self.tallies, key: tally})

    def write(self, file: Path) -> None:
        write_atomically(file, json.dumps({"schema": SCHEMA, **asdict(self)}))

    @classmethod
    def read(cls, file: Path, identity: dict[str, Any]) -> State:
        """The state in a file, or a fresh one where there is no file.

        Raises :class:`BadInput` where the file is none, or of another sweep.
        """
        try:
            text = file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return cls(identity)
        try:
            known = json.loads(text)
            tallies = {k: _tally(t) for k, t in known["tallies"].items()}
            found = cls(known["identity"], int(known["unit"]), int(known["block"]), tallies)
            if known["schema"] != SCHEMA:
                raise ValueError(f"schema {known['schema']}")
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            raise BadInput(f"{file} is not the state of a sweep: {problem}") from None
        odd = [k for k in identity if found.identity.get(k) != identity[k]]
        if odd:
            theirs = (
                ", ".join(f"{k} = {found.identity.get(k)}" for k in odd if k != "obligations") or "other statements"
            )
            raise BadInput(f"{file} is the state of another sweep ({theirs}): give its arguments, or remove the file")
        return found


def _tally(known: dict[str, Any]) -> Tally:
    worst = [(float(m), int(u), int(i)) for m, u, i in known["worst"]]
    odd = [(int(u), int(i)) for u, i in known["odd"]]
    return Tally(**{**known, "worst": worst, "odd": odd})
