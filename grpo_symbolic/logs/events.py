"""Scalars of TensorBoard's event files, without TensorBoard: the framing of TFRecord and four messages of protobuf.

Read off ``tensorflow/core/util/event.proto`` and ``summary.proto``. Checksums are not looked at.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from grpo_symbolic.errors import BadInput

__all__ = ["is_event_file", "scalars"]

_VARINT, _DOUBLE, _BYTES, _FLOAT = 0, 1, 2, 5  # wire types
_STEP, _SUMMARY = 2, 5  # of Event
_VALUE = 1  # of Summary
_TAG, _SIMPLE, _TENSOR = 1, 2, 8  # of Summary.Value
_KIND, _CONTENT, _FLOATS, _DOUBLES = 1, 4, 5, 6  # of TensorProto
_FLOAT32, _FLOAT64 = 1, 2  # of its kinds


def is_event_file(path: Path) -> bool:
    """Whether a file is named as TensorBoard names its event files."""
    return "tfevents" in path.name


def scalars(path: Path) -> Iterator[tuple[str, int, float]]:
    """The tag, the step and the value of each scalar in the event file at ``path``, in its order. A last record that
    is cut off is left out. Raises :class:`BadInput` where the file is no event file.
    """
    data, place = path.read_bytes(), 0
    while place + 12 <= len(data):
        (length,) = struct.unpack_from("<Q", data, place)
        end = place + 12 + length + 4
        if end > len(data):
            if place == 0:
                raise BadInput(f"{path} is no event file of TensorBoard: its first record does not end")
            return
        try:
            yield from _event(data[place + 12 : place + 12 + length])
        except (IndexError, struct.error, UnicodeDecodeError):
            raise BadInput(f"{path} is no event file of TensorBoard: byte {place} starts no event") from None
        place = end


def _event(message: bytes) -> Iterator[tuple[str, int, float]]:
    fields = list(_fields(message))
    step = next((v for number, v in fields if number == _STEP and isinstance(v, int)), 0)
    for number, summary in fields:
        if number == _SUMMARY and isinstance(summary, bytes):
            for inner, value in _fields(summary):
                if inner == _VALUE and isinstance(value, bytes):
                    tag, scalar = _scalar(value)
                    if scalar is not None:
                        yield tag, step, scalar


def _scalar(message: bytes) -> tuple[str, float | None]:
    tag: str = ""
    value: float | None = None
    for number, field in _fields(message):
        if number == _TAG and isinstance(field, bytes):
            tag = field.decode("utf-8")
        elif number == _SIMPLE and isinstance(field, float):
            value = field
        elif number == _TENSOR and isinstance(field, bytes):
            value = _tensor(field)
    return tag, value


def _tensor(message: bytes) -> float | None:
    """The number in a tensor that holds one, or ``None``."""
    fields = list(_fields(message))
    kind = next((v for number, v in fields if number == _KIND), 0)
    layout = {_FLOAT32: "<f", _FLOAT64: "<d"}.get(kind) if isinstance(kind, int) else None
    if layout is None:
        return None
    for number, value in fields:
        if number in (_CONTENT, _FLOATS, _DOUBLES):
            if isinstance(value, float):
                return value
            if isinstance(value, bytes) and len(value) == struct.calcsize(layout):
                return float(struct.unpack(layout, value)[0])
    return None


def _fields(message: bytes) -> Iterator[tuple[int, int | float | bytes]]:
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            whole, place = _varint(message, place)
            yield number, whole
        elif wire == _DOUBLE:
            yield number, struct.unpack_from("<d", message, place)[0]
            place += 8
        elif wire == _FLOAT:
            yield number, struct.unpack_from("<f", message, place)[0]
            place += 4
        elif wire == _BYTES:
            length, place = _varint(message, place)
            if place + length > len(message):
                raise IndexError
            yield number, message[place : place + length]
            place += length
        else:
            raise IndexError


def _varint(message: bytes, place: int) -> tuple[int, int]:
    number, shift = 0, 0
    while True:
        byte = message[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place
        if shift > 63:
            raise IndexError
