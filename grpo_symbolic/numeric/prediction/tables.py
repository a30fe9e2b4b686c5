"""Tables of pass rates, read and written in blocks: CSV, Parquet and JSON lines, in constant memory.

CSV and JSON lines are read and written by the standard library, Parquet by pyarrow.
Every row of the file comes out once: as a row of a block, or as a bad row named by its line (Parquet: row).
"""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.recursion.gap import Floats, Places
from grpo_symbolic.scalars import Json

FORMATS = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}
DEFAULT_COLUMN = "pass_rate"
_ROWS = 1 << 17  # that are read at a time: some megabytes, and enough to hide the cost of a call
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"

BadRow = tuple[int, str]  # its line, and what is wrong with it


@dataclass
class Block:
    """Some rows of a file: ``rates`` where they are legal (``good``), ``table`` all columns of the good rows (a
    ``pyarrow.Table`` or a list of dicts; ``None`` where they were not asked for), and the bad rows.
    """

    rates: Floats
    table: Any = None
    bad: list[BadRow] = field(default_factory=list)


def format_of(path: Path, given: str | None) -> str:
    """'csv', 'parquet' or 'jsonl', from the option or from the ending of the name."""
    known = sorted(set(FORMATS.values()))
    if given is not None:
        if given not in known:
            raise BadInput(f"the format must be one of {', '.join(known)}, got {given!r}")
        return given
    if path.suffix.lower() not in FORMATS:
        raise BadInput(
            f"the format of {path} cannot be told from its ending; expected {', '.join(FORMATS)}, or --format"
        )
    return FORMATS[path.suffix.lower()]


def read(path: Path, form: str, column: str | None, whole: bool) -> Iterator[Block]:
    """The file in blocks, with all columns where ``whole``; raises :class:`BadInput` where it cannot be read."""
    if not path.is_file():
        raise BadInput(f"there is no file {path}")
    if form == "jsonl":
        return _read_jsonl(path, column)
    if form == "parquet":
        return _read_parquet(path, column, whole)
    return _read_csv(path, column)


def _pyarrow(purpose: str) -> Any:
    try:
        return import_module("pyarrow")
    except ImportError:
        raise BadInput(f"{purpose} needs pyarrow, which is not installed; pip install pyarrow") from None


def _chosen(path: Path, names: Sequence[str], column: str | None) -> str:
    wanted = column or DEFAULT_COLUMN
    if list(names).count(wanted) != 1:
        several = "several columns" if wanted in names else "no column"
        there = f"its columns are {', '.join(map(str, names))}" if names else "it has no line that names columns"
        raise BadInput(f"{path} has {several} {wanted!r}; {there}")
    return wanted


def _complaint(value: Json) -> str:
    """What is wrong with a value that is no pass rate."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return "the pass rate is missing"
    if isinstance(value, bool) or not isinstance(value, int | float):
        if not isinstance(value, str) or not re.match(_NUMBER, value.strip()):
            return f"the pass rate {str(value)[:40]!r} is not a number"
        value = float(value)
    return f"the pass rate {value} is not a number from 0 to 1"


def _rate(value: Json) -> float:
    """A value as a legal pass rate, or NaN."""
    if isinstance(value, str):
        value = float(value) if re.match(_NUMBER, value.strip()) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return float("nan")
    return float(value)


# The standard library.


def _blocks_of(rows: Iterator[tuple[int, Any]], column: str) -> Iterator[Block]:
    """Blocks of rows that come as (line, dict), or (line, complaint)."""
    while chunk := list(itertools.islice(rows, _ROWS)):
        block = Block(np.empty(0), [])
        rates = []
        for line, row in chunk:
            rate = _rate(row.get(column)) if isinstance(row, dict) else float("nan")
            if rate == rate:
                rates.append(rate)
                block.table.append(row | {column: rate} if isinstance(row[column], str) else row)
            else:
                block.bad.append((line, _complaint(row.get(column)) if isinstance(row, dict) else row))
        block.rates = np.array(rates, dtype=np.float64)
        yield block


def _read_jsonl(path: Path, column: str | None) -> Iterator[Block]:
    wanted = column or DEFAULT_COLUMN

    def rows() -> Iterator[tuple[int, Any]]:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    row = json.loads(line)
                except ValueError:
                    row = None
                if number == 1 and isinstance(row, dict):
                    _chosen(path, list(row), wanted)
                yield number, row if isinstance(row, dict) else "the line is not a JSON object"

    return _blocks_of(rows(), wanted)


def _read_csv(path: Path, column: str | None) -> Iterator[Block]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            reader = csv.reader(lines)
            names = next(reader, [])
            wanted = _chosen(path, names, column)

            def rows() -> Iterator[tuple[int, Any]]:
                for cells in reader:
                    if len(cells) == len(names):
                        yield reader.line_num, dict(zip(names, cells, strict=True))
                    elif cells:
                        yield reader.line_num, f"the row has {len(cells)} columns, the header {len(names)}"
                    else:
                        yield reader.line_num, _complaint(None)

            yield from _blocks_of(rows(), wanted)
    except (UnicodeDecodeError, csv.Error) as problem:
        raise BadInput(f"{path} cannot be read as CSV: {problem}") from None


# pyarrow.


def _read_parquet(path: Path, column: str | None, whole: bool) -> Iterator[Block]:
    pa = _pyarrow("reading Parquet")
    pq = import_module("pyarrow.parquet")

    try:
        with pq.ParquetFile(path) as source:
            wanted, number = _chosen(path, source.schema_arrow.names, column), 1
            for batch in source.iter_batches(_ROWS, columns=None if whole else [wanted]):
                table = pa.Table.from_batches([batch])
                yield _judged(table, wanted, np.arange(number, number + len(table)), whole)
                number += len(table)
    except pa.ArrowException as problem:
        raise BadInput(f"{path} cannot be read as Parquet: {problem}") from None


def _judged(table: Any, wanted: str, lines: Places, whole: bool) -> Block:
    """A block from a table of pyarrow; ``lines`` names its rows."""
    pa = import_module("pyarrow")

    values = table.column(wanted)
    rates = _numbers(values)
    if whole and not pa.types.is_floating(values.type):  # texts: one type in all blocks
        table = table.set_column(table.column_names.index(wanted), wanted, pa.array(rates))
    good = (rates >= 0) & (rates <= 1)
    if good.all():
        return Block(rates, table if whole else None)
    places = np.flatnonzero(~good)
    given = values.take(pa.array(places)).to_pylist()
    bad = [(int(lines[place]), _complaint(value)) for place, value in zip(places, given, strict=True)]
    return Block(rates[good], table.filter(pa.array(good)) if whole else None, bad)


def _numbers(values: Any) -> Floats:
    """A column as float64, NaN for what is missing or no number."""
    pa = import_module("pyarrow")

    kind = values.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        return np.array([_rate(value) for value in values.to_pylist()], dtype=np.float64)
    return np.asarray(values.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)


# Writing.


class Writer:
    """A table written block by block next to its final place, where :meth:`close` moves it; nothing is left behind of
    one that is not closed.
    """

    def __init__(self, path: Path, form: str) -> None:
        if path.is_dir() or not path.resolve().parent.is_dir():
            raise BadInput(f"{path} cannot be written: expected the name of a file in a folder that exists")
        self.path, self.form = path, form
        self.part = path.with_name(f".{path.name}.part")
        try:
            self.part.touch()
        except OSError as problem:
            raise BadInput(f"{path} cannot be written: {problem.strerror}") from None
        self._sink: Any = None
        self._write: Callable[[Any], None] | None = None

    def write(self, table: Any, added: dict[str, Any], code: Places) -> None:
        """Rows, and the columns added to them: NumPy arrays of distinct values, of which each row has the one at its
        ``code``; NaN is written as missing.
        """
        if self.form != "parquet":
            self._plain(table, {name: values[code] for name, values in added.items()})
            return
        pa = _pyarrow("writing Parquet")
        if isinstance(table, list):
            table = pa.Table.from_pylist(table)
        places = pa.array(code)
        for name, values in added.items():
            column = pa.array(values, from_pandas=True).take(places)
            if name in table.column_names:
                raise BadInput(f"the file has a column {name!r} already, which is the name of one to be added")
            table = table.append_column(name, column)
        if self._sink is None:
            self._sink = import_module("pyarrow.parquet").ParquetWriter(self.part, table.schema)
        try:
            self._sink.write_table(table.cast(self._sink.schema))
        except (pa.ArrowInvalid, ValueError) as problem:
            raise BadInput(f"{self.path}: the rows change their types: {str(problem).splitlines()[0]}") from None

    def _plain(self, table: Any, added: dict[str, Any]) -> None:
        rows = table if isinstance(table, list) else table.to_pylist()
        columns = {name: [None if v != v else v for v in values.tolist()] for name, values in added.items()}
        if rows and (both := [name for name in columns if name in rows[0]]):
            raise BadInput(f"the file has a column {both[0]!r} already, which is the name of one to be added")
        if self._sink is None:
            self._sink = self.part.open("w", encoding="utf-8", newline="")
            if self.form == "csv" and rows:
                csv.writer(self._sink, lineterminator="\n").writerow([*rows[0], *columns])
        for row, *cells in zip(rows, *columns.values(), strict=True):
            if self.form == "csv":
                csv.writer(self._sink, lineterminator="\n").writerow([*row.values(), *cells])
            else:
                self._sink.write(json.dumps(row | dict(zip(columns, cells, strict=True)), ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Finish the file and move it to its place."""
        if self._sink is not None:
            self._sink.close()
        self.part.replace(self.path)

    def abandon(self) -> None:
        """Leave nothing behind."""
        if self._sink is not None:
            self._sink.close()
        self.part.unlink(missing_ok=True)
