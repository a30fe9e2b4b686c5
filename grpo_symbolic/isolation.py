"""Calling an engine that does not heed its own time limit: in a forked child, which is killed when the time is up;
in a new child for each call, or in one that stays for many.

Where a verdict may hang on it, time is that of the processor and not of the clock: a busy machine gives the same
verdicts as a quiet one, only later.
"""

from __future__ import annotations

import math
import os
import pickle
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, NoReturn

from grpo_symbolic.confinement import confine
from grpo_symbolic.signs import seen

NO_PROCESSES = ("emscripten", "wasi")  # the platforms of browsers, where ``os.fork`` has a name and fails
FORKS = hasattr(os, "fork") and sys.platform not in NO_PROCESSES
_PATIENCE = 10  # seconds of the clock to one of the processor, before a child that does nothing is given up
_CHUNK = 1 << 16  # bytes: what a pipe holds on Linux


class TimeLimit(BaseException):
    """Raised when the time is up; no ``Exception``, for an engine may swallow those."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrupt Python code with :class:`TimeLimit` after ``seconds`` of this process and of the companions that it
    asks (main thread of a process on a system with timers; elsewhere no limit but the pool's).
    """

    def interrupt(signum: int, frame: FrameType | None) -> None:
        raise TimeLimit

    try:
        if not hasattr(signal, "setitimer"):
            raise ValueError("a system without timers")
        previous = signal.signal(signal.SIGPROF, interrupt)
    except (AttributeError, ValueError):
        yield
        return
    try:
        # and again each second, should it be raised where Python discards it
        signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
        yield
    finally:
        try:
            pass  # an alarm that is due by now raises here
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, previous)


def time_left() -> float | None:
    """Seconds until the time limit that is set, if one is."""
    if not hasattr(signal, "getitimer"):
        return None
    return signal.getitimer(signal.ITIMER_PROF)[0] or None


def _charge(left: float, seconds: float) -> None:
    """Count what a companion took as if this process had taken it."""
    signal.setitimer(signal.ITIMER_PROF, max(left - seconds, 1e-3), 1.0)


def _fork() -> int:
    """``os.fork()``, which no time limit interrupts: it calls what libraries have asked for, such as the release of a
    lock, and Python discards what is raised there.
    """
    signals = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})
        return os.fork()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)


def _taken(process: int) -> float:
    """The seconds that a process has computed; those of the clock where the system does not tell."""
    with suppress(OSError, AttributeError, OverflowError):
        return time.clock_gettime(~process << 3 | 2)  # Linux: the clock of another process
    return time.monotonic()


def isolated(call: Callable[[], Any], seconds: float, otherwise: Any) -> Any:
    """``call()``, or ``otherwise`` if it does not return a picklable value in time (or crashes). Where there are
    no processes: just ``call()``.

    What comes back is unpickled, and so believed: the call runs the package's own code on declarations, never a file of
    a user's, which is :func:`forked_output`.
    """
    if not FORKS:
        return call()
    data = forked_output(lambda: pickle.dumps(call()), seconds)
    try:
        return pickle.loads(data)
    except Exception:  # nothing, or half of it: the child was killed or its call failed
        return otherwise


def forked_output(
    call: Callable[[], bytes], seconds: float, most: float = math.inf, trusted: bool = True, name: str = ""
) -> bytes:
    """What ``call()`` returns in a forked child: nothing, or a part of it, where the time is up, it is longer than
    ``most`` bytes, or it crashes.

    A child that is not ``trusted`` has nothing open but the way back, and one for what it prints, which comes to
    standard error without control characters, each line behind the ``name`` of what runs there; it is confined
    (:mod:`grpo_symbolic.confinement`).
    """
    reading, writing = os.pipe()
    printed, printing = (None, None) if trusted else os.pipe()
    shown = _Printed(name)
    child = _fork()
    if child == 0:
        _run_in_child(call, writing, printing)
    os.close(writing)
    if printing is not None:
        os.close(printing)
    try:
        data = _received(reading, printed, shown, time.monotonic() + seconds, most)
    finally:
        os.close(reading)
        if not trusted:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)  # all that it has started
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if printed is not None:
        while select.select([printed], [], [], 0)[0] and (chunk := os.read(printed, _CHUNK)):
            shown.take(chunk)
        shown.end()
        os.close(printed)
    return data


def _run_in_child(call: Callable[[], bytes], writing: int, printing: int | None) -> NoReturn:
    """In the child: write what ``call()`` returns to the pipe ``writing``, and end. With a pipe for what it prints,
    nothing else stays open, and it is confined.
    """
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        if printing is not None:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(printing, 1)
            os.dup2(printing, 2)
            sys.stdout = sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
            os.closerange(3, writing)
            os.closerange(writing + 1, os.sysconf("SC_OPEN_MAX"))
            confine()
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(call())
    finally:
        os._exit(0)


class _Printed:
    """What a file prints, for readers: each line behind the name of the file, so that none looks like what a command
    says, with signs in the place of what a terminal would do.
    """

    def __init__(self, name: str) -> None:
        self._name = f"{name}: " if name else ""
        self._begun = b""

    def take(self, chunk: bytes) -> None:
        """Show the lines that end in what was read, and what is too long for one."""
        *lines, self._begun = (self._begun + chunk).split(b"\n")
        for line in lines:
            self._show(line)
        if len(self._begun) > _CHUNK:
            self.end()

    def end(self) -> None:
        """Show a line that has not ended."""
        if self._begun:
            self._show(self._begun)
        self._begun = b""

    def _show(self, line: bytes) -> None:
        text = seen(line.decode(errors="replace"), "\N{REPLACEMENT CHARACTER}", beside="\t")
        wide = len(text) or 1
        if sys.stderr.isatty():  # where no line goes on without the name
            text = text.expandtabs()
            wide = max(shutil.get_terminal_size().columns - len(self._name), 20)
        for at in range(0, len(text) or 1, wide):
            sys.stderr.write(f"{self._name}{text[at : at + wide]}\n")


def _received(reading: int, printed: int | None, shown: _Printed, deadline: float, most: float) -> bytes:
    """What comes from the pipe ``reading`` until it is closed, it is more than ``most`` bytes, or the deadline; what
    comes from ``printed`` meanwhile is ``shown``.
    """
    data, open_pipes = bytearray(), [reading] if printed is None else [reading, printed]
    while reading in open_pipes:
        ready, _, _ = select.select(open_pipes, [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            break
        for pipe in ready:
            chunk = os.read(pipe, _CHUNK)
            if pipe == reading:
                data += chunk
            else:
                shown.take(chunk)
            if not chunk or (pipe == reading and len(data) > most):
                open_pipes.remove(pipe)
    return bytes(data)


class Companion:
    """A child that answers one question after another: forking a process that holds a catalogue takes longer than most
    questions. What it is asked and answers is pickled, between two halves of the package: no file of a user's runs
    there.

    It is forked at the first question, and anew after one that it did not answer in time, and after a fork of the
    process that asks.
    """

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        self._owner = 0  # the process that it belongs to
        self._child = 0
        self._connection: Connection | None = None

    def ask(self, question: Any, seconds: float, otherwise: Any) -> Any:
        """The answer, which must be small and picklable, or ``otherwise`` where ``seconds`` of the child's computing,
        or what is left of the time limit that is set, do not suffice. Where there are no processes: answered here.
        """
        if not FORKS:
            return self._answer(question)
        if self._connection is None or self._owner != os.getpid():
            self._start()
        connection, answered, left = self._connection, False, time_left()
        assert connection is not None
        begun = _taken(self._child)
        try:
            connection.send(question)
            if self._answers(connection, begun + min(seconds, left or seconds), seconds):
                result = connection.recv()
                answered = True
                return result[0] if result else otherwise
        except (EOFError, OSError):  # it died
            pass
        finally:
            if left is not None:
                _charge(left, _taken(self._child) - begun)
            if not answered:
                self._stop()
        return otherwise

    def _answers(self, connection: Connection, until: float, seconds: float) -> bool:
        """Whether an answer comes before the child's clock has come so far, or it does nothing for long."""
        given_up = time.monotonic() + _PATIENCE * seconds
        while not connection.poll(max(0.005, until - _taken(self._child))):
            if _taken(self._child) >= until or time.monotonic() > given_up:
                return False
        return True

    def _start(self) -> None:
        here, there = Pipe()
        child = _fork()
        if child == 0:
            signal.setitimer(signal.ITIMER_REAL, 0)
            here.close()
            with suppress(BaseException):
                self._serve(there)
            os._exit(0)
        there.close()
        self._owner, self._child, self._connection = os.getpid(), child, here

    def _serve(self, connection: Connection) -> None:
        while True:
            question = connection.recv()
            try:
                result = [self._answer(question)]
            except Exception:  # an engine that fails gives no answer
                result = []
            connection.send(result)

    def _stop(self) -> None:
        assert self._connection is not None
        self._connection.close()
        self._connection = None
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)
