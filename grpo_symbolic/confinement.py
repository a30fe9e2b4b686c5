"""Taking from a process, for good, what it does not need to run a file: writing anywhere, and reaching other processes.

On Linux the kernel does it (Landlock, for any user): no file can be written, made, renamed or removed, and no process
outside can be traced or sent a signal, by this process and all that it starts. Where the kernel has none, no file can
grow, and whoever relies on more has to look whether something was written (:func:`is_kept`).
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress

_CREATE, _RESTRICT = 444, 446  # the numbers of the system calls, on every architecture
_NO_NEW_PRIVILEGES = 38  # of prctl
_VERSION = 1
# Bits of the kernel's interface, in its order: what each version of it added to what may be withheld.
_WRITING = 0b1_1111_1111_0010  # of the first: write, remove and make anything (reading and running stay)
_ADDED = ((2, 1 << 13), (3, 1 << 14))  # moving between folders, cutting off
_SCOPED = (6, 0b11)  # signals, and sockets without a file


class _Withheld(ctypes.Structure):
    """What the kernel is asked to withhold."""

    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("reach", ctypes.c_uint64))


def _version() -> int:
    """Of the kernel's interface; 0 where there is none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, int(_call(_CREATE, None, ctypes.c_size_t(0), _VERSION)))


def _call(number: int, *arguments: object) -> int:
    return int(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments))


def is_kept() -> bool:
    """Whether the system can keep a process from writing."""
    return _version() > 0


def confine() -> None:
    """Withhold all of this from this process and those that it will start. What it has open for writing stays so, and
    is to be closed before.
    """
    version = _version()
    if version:
        files = _WRITING | sum(bit for since, bit in _ADDED if version >= since)
        asked = _Withheld(files, 0, _SCOPED[1] if version >= _SCOPED[0] else 0)
        size = 24 if version >= _SCOPED[0] else 16 if version >= 4 else 8
        rules = _call(_CREATE, ctypes.byref(asked), ctypes.c_size_t(size), 0)
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        withheld = rules >= 0 and _call(_RESTRICT, rules, 0) == 0
        with suppress(OSError):
            os.close(rules)
        if withheld:
            return
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
