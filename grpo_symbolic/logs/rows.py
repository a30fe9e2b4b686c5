"""Logs in files: what trainers write, and what Weights & Biases and TensorBoard export.

``trainer_state.json`` (its ``log_history``), JSON and JSON lines with a mapping a step, CSV with a row a step, CSV and
JSON with one series (TensorBoard's downloads), and TensorBoard's event files, alone or in a folder.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from grpo_symbolic.errors import BadInput
from grpo_symbolic.logs.events import is_event_file, scalars

__all__ = ["Row", "rows_of"]

Row = Mapping[str, Any]


def rows_of(path: Path, known: Collection[str] = ()) -> list[Row]:
    """The rows of the log at ``path``, a mapping of columns to values for each. ``known``: the columns that a trainer
    logs, of which a file with a single series has one at the end of its name.

    Raises :class:`BadInput` where there is no file, or where it is none of the formats of this module.
    """
    if path.is_dir():
        return _of_folder(path, known)
    if not path.exists():
        raise BadInput(f"there is no file {path}")
    try:
        if is_event_file(path):
            return [{"step": step, tag: value} for tag, step, value in scalars(path)]
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is no text: expected JSON, JSON lines, CSV or an event file of TensorBoard") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}") from None
    if not text.strip():
        raise BadInput(f"{path} is empty: expected a log")
    if path.suffix == ".jsonl" or (path.suffix not in (".json", ".csv", ".tsv") and text.lstrip()[0] in "{"):
        return list(_of_lines(text, path))
    if path.suffix == ".json" or text.lstrip()[0] in "[{":
        return _of_json(text, path, known)
    return _of_csv(text, path, known)


def _of_folder(folder: Path, known: Collection[str]) -> list[Row]:
    events = sorted(file for file in folder.rglob("*") if file.is_file() and is_event_file(file))
    if events:
        return [row for file in events for row in rows_of(file, known)]
    states = sorted(folder.rglob("trainer_state.json"), key=lambda file: file.stat().st_mtime)
    if states:
        return rows_of(states[-1], known)
    raise BadInput(f"{folder} holds neither event files of TensorBoard nor a trainer_state.json")


def _what(problem: ValueError | RecursionError) -> str:
    """What is wrong with a text that should be JSON."""
    if isinstance(problem, json.JSONDecodeError):
        return problem.msg
    return "it is nested too deep" if isinstance(problem, RecursionError) else "a number has too many digits"


def _of_lines(text: str, path: Path) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as problem:
            raise BadInput(f"{path} is no JSON lines: {_what(problem)} in line {number}") from None
        if not isinstance(row, dict):
            raise BadInput(f"{path} has {str(row)[:40]} in line {number}: expected a mapping of names to values")
        yield _flat(row)


def _of_json(text: str, path: Path, known: Collection[str]) -> list[Row]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as problem:
        if _what(problem) == "Extra data":
            return list(_of_lines(text, path))
        place = f" in line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) else ""
        raise BadInput(f"{path} is no JSON: {_what(problem)}{place}") from None
    if isinstance(document, dict) and isinstance(document.get("log_history"), list):
        document = document["log_history"]
    if isinstance(document, dict):
        document = _columns(document, path)
    if isinstance(document, list) and document and all(isinstance(row, dict) for row in document):
        return [_flat(row) for row in document]
    if isinstance(document, list) and document and all(isinstance(row, list) and len(row) == 3 for row in document):
        tag = _tag(path, known)
        return [{"step": step, tag: value} for _, step, value in document]
    raise BadInput(f"{path} holds no log: expected log_history, or a list of mappings of names to values")


def _columns(document: Mapping[str, Any], path: Path) -> list[Row]:
    """A mapping of names to lists of values, as rows."""
    lists = {name: values for name, values in document.items() if isinstance(values, list)}
    lengths = {len(values) for values in lists.values()}
    if len(lengths) != 1:
        raise BadInput(f"{path} holds no log: expected log_history, or names with lists of values, all of one length")
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _of_csv(text: str, path: Path, known: Collection[str]) -> list[Row]:
    lines = text.splitlines()
    delimiter = "\t" if "\t" in lines[0] else ";" if ";" in lines[0] and "," not in lines[0] else ","
    reader = csv.DictReader(lines, delimiter=delimiter)
    names = [name.strip() for name in reader.fieldnames or ()]
    if len(names) < 2:
        raise BadInput(f"{path} has one column: expected a header with the names of the series, and a row a step")
    lowered = [name.lower() for name in names]
    rows: list[Row] = []
    for row in reader:
        if None in row:
            raise BadInput(f"{path} has more cells in line {reader.line_num} than its header has names ({len(names)})")
        rows.append({name: row[raw] for name, raw in zip(names, reader.fieldnames or (), strict=True)})
    if lowered == ["wall time", "step", "value"]:
        tag = _tag(path, known)
        return [{"step": row[names[1]], tag: row[names[2]]} for row in rows]
    if {"tag", "step", "value"} <= set(lowered):
        tag, step, value = (names[lowered.index(word)] for word in ("tag", "step", "value"))
        return [{"step": row[step], str(row[tag]): row[value]} for row in rows]
    return rows


def _flat(row: Mapping[str, Any]) -> Row:
    """A row whose metrics are nested, as verl's file logger has them under ``data``."""
    if {"tag", "step", "value"} <= row.keys():
        return {"step": row["step"], str(row["tag"]): row["value"]}
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            inner = _flat(value)
            flat |= inner if name in ("data", "metrics") else {f"{name}/{k}": v for k, v in inner.items()}
        else:
            flat[name] = value
    return flat


def _tag(path: Path, known: Collection[str]) -> str:
    """The series of a file with one, by the tag at the end of its name, whose slashes TensorBoard writes as _."""

    def plain(name: str) -> str:
        return re.sub(r"\W", "_", name).lower()

    stem = plain(path.stem)
    names = [name for name in known if stem == plain(name) or stem.endswith("_" + plain(name))]
    return max(names, key=len) if names else path.stem
