"""How far a run is: a bar on a terminal, a plain line every few seconds in a pipe. Always on standard error."""

from __future__ import annotations

import time
from collections import Counter
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from grpo_symbolic.cli.pages.layout import STYLES, line
from grpo_symbolic.proof.statements.evidence import Verdict

_PHASES = ("obligations", "claims")
_PLAIN = 5.0  # seconds between two lines in a pipe
_BAR = 0.1  # seconds between two redraws of the bar


class Meter:
    """Called with (done, of how many, what was just finished). ``phases`` name what is counted, one after
    the other.

    Verdicts are shown as they come: on a terminal each in a line above the bar, in a pipe as counts; one that a file
    does not expect is named in both. The bar is redrawn here and never by a thread of its own: worker processes are
    forked from this one.
    """

    def __init__(self, out: Console, phases: tuple[str, ...] = _PHASES) -> None:
        self._phases = phases
        self._out = out
        self._last = 0.0
        self._done = 0
        self._verdicts: Counter[str] = Counter()
        self._phase = 0
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Meter:
        self._last = time.monotonic()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int, what: str) -> None:
        if done <= self._done or self._phase == 0:
            self._phase += 1
            self._task = None
        self._done = done
        name = self._phases[min(self._phase, len(self._phases)) - 1]
        if self._out.is_terminal:
            self._draw(name, done, total, what)
        elif time.monotonic() - self._last > _PLAIN:
            self._last = time.monotonic()
            counts = ", ".join(f"{number} {verdict}" for verdict, number in self._verdicts.most_common())
            line(self._out, f"{name}: {done} of {total}" + (f"; claims: {counts}" if counts else ""))

    def judged(self, claim_id: str, verdict: Verdict, expected: Verdict) -> None:
        """A claim has its verdict."""
        self._verdicts[verdict] += 1
        if verdict is not expected:
            line(self._out, f"{claim_id} is {verdict}, its file expects {expected}")
        elif self._out.is_terminal:
            line(self._out, f"{claim_id}: {verdict}", style=STYLES.get(verdict, ""))

    def _draw(self, name: str, done: int, total: int, what: str) -> None:
        if self._bar is None:
            columns = (
                TextColumn("{task.fields[name]}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.description}", markup=False),
            )
            self._bar = Progress(*columns, console=self._out, auto_refresh=False, transient=True)
            self._bar.start()
        if self._task is None:
            for task in self._bar.task_ids:
                self._bar.remove_task(task)
            self._task = self._bar.add_task(what, total=total, name=name)
        self._bar.update(self._task, completed=done, description=what[:60])
        if time.monotonic() - self._last > _BAR or done == total:
            self._last = time.monotonic()
            self._bar.refresh()
