"""Taking from a process, for good, what it does not need to run a file: writing anywhere, and reaching other processes.

On Linux the kernel does it (Landlock and a filter of system calls, for any user): no file can be written, made, renamed
or removed, its rights and times be changed, no device be asked for more than bytes, no socket opened, and no process
outside be traced, limited or sent a signal, by this process and all that it starts. It belongs to no terminal. Where
the kernel has none of it, no file can grow, and whoever relies on more has to look whether something was written
(:func:`can_confine`).
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from contextlib import suppress

_CREATE, _RESTRICT = 444, 446  # the numbers of the system calls, on every architecture
_NO_NEW_PRIVILEGES, _FILTER = 38, 22  # of prctl
_VERSION = 1
# Bits of the kernel's interface, in its order: what each version of it added to what may be withheld.
_WRITING = 0b1_1111_1111_0010  # of the first: write, remove and make anything (reading and running stay)
_ADDED = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))  # moving between folders, cutting off, asking devices
_NETWORK = (4, 0b11)  # ports to listen at, and to connect to
_SCOPED = (6, 0b11)  # signals, and sockets without a file
# What Landlock lets pass, each call with its number on x86_64 and on aarch64: sockets, also those with a path; who may
# do what with a file, when it was changed and what is noted of it; limiting and scheduling other processes; leaving
# memory, queues and keys behind; a group of its own, which nobody could end as a whole; calls that no filter sees.
_CALLS = """
    socket 41 198, chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -,
    fchownat 260 54, utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, setxattr 188 5, lsetxattr 189 6,
    fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16, setpriority 141 140,
    sched_setparam 142 118, sched_setscheduler 144 119, sched_setaffinity 203 122, sched_setattr 314 274,
    ioprio_set 251 30, process_vm_writev 311 271, shmget 29 194, semget 64 190, msgget 68 186, mq_open 240 180,
    add_key 248 217, request_key 249 218, keyctl 250 219, setpgid 109 154, setsid 112 157, io_uring_setup 425 425
"""
_LIMITS = "prlimit64 302 261"  # of this process only
_ARCHITECTURES = {"x86_64": (0xC000003E, 1), "aarch64": (0xC00000B7, 2)}  # the kernel's number, and the column above


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


def can_confine() -> bool:
    """Whether the system can keep a process from writing."""
    return _version() > 0


def confine() -> None:
    """Withhold all of this from this process and those that it will start. What it has open for writing stays so, and
    is to be closed before.
    """
    with suppress(OSError):
        os.setsid()  # without a terminal, into which it could type
    version = _version()
    if version:
        files = _WRITING | sum(bit for since, bit in _ADDED if version >= since)
        network, reach = (bits if version >= since else 0 for since, bits in (_NETWORK, _SCOPED))
        asked = _Withheld(files, network, reach)
        known = 1 + (version >= _NETWORK[0]) + (version >= _SCOPED[0])  # fields of it, of eight bytes each
        rules = _call(_CREATE, ctypes.byref(asked), ctypes.c_size_t(8 * known), 0)
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        withheld = rules >= 0 and _call(_RESTRICT, rules, 0) == 0
        with suppress(OSError):
            os.close(rules)
        _filter()
        if withheld:
            return
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _filter() -> None:
    """A program in the kernel's small language: load, compare and jump, return."""
    if platform.machine() not in _ARCHITECTURES:
        return
    architecture, column = _ARCHITECTURES[platform.machine()]
    rows = (call.split()[column] for call in _CALLS.split(","))
    numbers, limits = [int(number) for number in rows if number != "-"], int(_LIMITS.split()[column])
    load, equal, least, answer = 0x20, 0x15, 0x35, 0x06
    allowed, refused = 0x7FFF0000, 0x00050000 | 1  # "not permitted"
    last = len(numbers) + 4  # steps from the first of the numbers to the end
    steps = [
        (load, 0, 0, 4),
        (equal, 0, last + 2, architecture),  # calls are numbered otherwise on others
        (load, 0, 0, 0),
        (least, last, 0, 1 << 30),  # and so they are here, with this bit
        *((equal, last - 1 - at, 0, number) for at, number in enumerate(numbers)),
        (equal, 0, 2, limits),  # of this process only
        (load, 0, 0, 16),
        (equal, 0, 1, 0),
        (answer, 0, 0, allowed),
        (answer, 0, 0, refused),
    ]
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    held = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(steps), ctypes.addressof(held))
    ctypes.CDLL(None).prctl(_FILTER, ctypes.c_ulong(2), program, 0, 0)
