"""The verdict on one entry of the corpus of false sentences, found in a process of its own that may compute so long."""

from __future__ import annotations

import math
import os
import pickle
import resource
import signal
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from false import Entry

import grpo_symbolic.verification.words  # noqa: F401  # here: each process would import it for itself
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import known, printed
from grpo_symbolic.proof import Catalogue
from grpo_symbolic.verification.runner import Verification

SECONDS = 25.0
LATE, CRASHED, REFUSED = "no verdict in time", "crashed", "refused"


@dataclass(frozen=True)
class Judged:
    """What the engine said: a verdict (or that it refused, crashed or was late), how the print fares, and why."""

    verdict: str
    printed: str = ""
    reasons: str = ""


class _Here(Executor):
    """Runs every check in this process, which is killed as a whole when its time is up."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(args[0].run())
        except Exception as error:  # as the pool does: a task that fails has no result
            future.set_exception(error)
        return future


def judge(entry: Entry) -> Judged:
    """The verdict on an entry, in this process and without a limit."""
    try:
        catalogue = Catalogue()
        claims = entry.claims()
        for c in claims:
            catalogue.add(c, known, printed)
        catalogue.check_dependencies()
        found = Verification(catalogue, jobs=1, executor=_Here()).verify()
    except BadInput as refusal:
        return Judged(REFUSED, reasons=str(refusal))
    except Exception as error:
        return Judged(CRASHED, reasons=f"{type(error).__name__}: {error}")
    said = found.entry(claims[0].id)
    reasons = [
        f"{e.checker} ({e.grade.name}) {e.outcome} of {e.about}, {e.obligation}: {e.artefact[:200]}"
        for e in said.evidence
    ]
    return Judged(said.verdict, str(said.print_verdict), "\n".join(reasons))


def alone(call: Callable[[], Any], seconds: float, otherwise: Any) -> Any:
    """What a call returns in a child process, which is killed with all its own when it has computed so many seconds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setpgrp()
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump(call(), pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    try:
        return pickle.loads(data)
    except (EOFError, pickle.UnpicklingError):
        return otherwise


def judged(entry: Entry, seconds: float = SECONDS) -> Judged:
    """The verdict on an entry, by a process of its own."""
    found: Judged = alone(lambda: judge(entry), seconds, Judged(LATE))
    return found
