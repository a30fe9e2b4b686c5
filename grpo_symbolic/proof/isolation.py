"""Calling an engine that does not heed its own time limit: in a forked child, which is killed when the time is up;
in a new child for each call, or in one that stays for many.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any


def isolated(call: Callable[[], Any], seconds: float, otherwise: Any) -> Any:
    """``call()``, or ``otherwise`` if it does not return a picklable value in time (or crashes). Without ``fork``:
    just ``call()``.
    """
    if not hasattr(os, "fork"):
        return call()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_REAL, 0)
        try:
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump(call(), pipe)
        finally:
            os._exit(0)
    os.close(writing)
    deadline, data = time.monotonic() + seconds, bytearray()
    try:
        while select.select([reading], [], [], max(0.0, deadline - time.monotonic()))[0]:
            chunk = os.read(reading, 1 << 16)
            if not chunk:
                break
            data += chunk
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    try:
        return pickle.loads(bytes(data))
    except Exception:  # nothing, or half of it: the child was killed or its call failed
        return otherwise


class Companion:
    """A child that answers one question after another: forking a process that holds a catalogue takes longer than most
    questions.

    It is forked at the first question, and anew after one that it did not answer in time, and after a fork of the
    process that asks.
    """

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        self._owner = 0  # the process that it belongs to
        self._child = 0
        self._connection: Connection | None = None

    def ask(self, question: Any, seconds: float, otherwise: Any) -> Any:
        """The answer, which must be small and picklable, or ``otherwise`` where there is none in time. Without
        ``fork``: answered here.
        """
        if not hasattr(os, "fork"):
            return self._answer(question)
        if self._connection is None or self._owner != os.getpid():
            self._start()
        connection, answered = self._connection, False
        assert connection is not None
        try:
            connection.send(question)
            if connection.poll(seconds):
                result = connection.recv()
                answered = True
                return result[0] if result else otherwise
        except (EOFError, OSError):  # it died
            pass
        finally:
            if not answered:
                self._stop()
        return otherwise

    def _start(self) -> None:
        here, there = Pipe()
        child = os.fork()
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
            except Exception:  # an engine that fails has said nothing
                result = []
            connection.send(result)

    def _stop(self) -> None:
        assert self._connection is not None
        self._connection.close()
        self._connection = None
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)
