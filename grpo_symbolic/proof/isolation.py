"""Calling an engine that does not heed its own time limit: in a forked child, which is killed when the time is up."""

from __future__ import annotations

import os
import pickle
import select
import signal
import time
from collections.abc import Callable
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
