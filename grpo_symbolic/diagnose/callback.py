"""A callback for TRL's trainers, and others of transformers, that holds the run against theory while it goes.

It needs transformers, which ``pip install grpo-symbolic[trl]`` brings. Reports of transformers are written by callbacks
too, in order: :meth:`TheoryCallback.attach` puts this one before them, so that its numbers are among theirs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grpo_symbolic.diagnose.watching import Watch, watch
from grpo_symbolic.errors import BadInput
from grpo_symbolic.reading import Reading

try:
    from transformers import TrainerCallback as _Base

    _INSTALLED = True
except ImportError:
    _Base, _INSTALLED = object, False

__all__ = ["TheoryCallback"]


class TheoryCallback(_Base):
    """Feed what a trainer logs to :func:`.watching.watch`, print what is odd when it is seen, add three numbers
    (:func:`.watching.numbers`) to what is logged, and write one page at the end.

    ``page``: where that goes; left out, ``theory.html`` in the output folder of the run. ``reading``: what the options
    say; left out, they are read from the trainer's own configuration. ``binary``: whether all rewards are 0 or 1. A
    configuration that is refused is reported in one sentence, and the run goes on without. Raises :class:`BadInput`
    where transformers is not installed.
    """

    def __init__(
        self, page: Path | str | None = None, reading: Reading | None = None, binary: bool | None = None
    ) -> None:
        if not _INSTALLED:
            needs = "TheoryCallback needs transformers, which is not installed; pip install grpo-symbolic[trl]"
            raise BadInput(f"{needs}, or use grpo_symbolic.diagnose.watch in a loop of your own")
        super().__init__()
        self._page, self._reading, self._binary = page, reading, binary
        self.watching: Watch | None = None

    def attach(self, trainer: Any) -> None:
        """Put this callback before all others of a ``trainer`` of transformers."""
        trainer.callback_handler.callbacks.insert(0, self)

    def on_train_begin(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        """Read the options from ``args``; ``state``, ``control`` and ``others`` are not used."""
        from grpo_symbolic.trainers.objects import of

        if not state.is_world_process_zero:
            return
        try:
            reading = self._reading or of(args)
        except BadInput as refused:
            print(f"theory: this run is not watched: {refused}")
            return
        self.watching = watch(reading, binary=self._binary)

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **others: Any) -> None:
        """Feed the ``logs`` of the step that ``state`` is at; ``args``, ``control`` and ``others`` are not used."""
        if self.watching is None or not logs or any(name.startswith("eval_") for name in logs):
            return
        for finding in self.watching.feed(logs, state.global_step):
            print(
                f"theory: step {state.global_step}, {finding.quantity}: {finding.text} It may be {finding.faults[0]}."
            )
        values = self.watching.numbers()
        logs.update(values)
        if state.log_history:
            state.log_history[-1].update(values)

    def on_train_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
        """Write the page into the folder of ``args``; ``state``, ``control`` and ``others`` are not used."""
        if self.watching is None:
            return
        target = Path(args.output_dir) / "theory.html" if self._page is None else Path(self._page)
        try:
            self.watching.write(target)
        except BadInput as problem:
            print(f"theory: {problem}")
        else:
            print(f"theory: {target} has what was found")
