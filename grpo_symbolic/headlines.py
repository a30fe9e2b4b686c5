"""What each claim of a result file says, printed: ``eq14.claims`` beside ``eq14.py``, a line ``claim ID: LATEX`` each.

Written by ``verify`` from the statements and committed with their proofs, so that a list of theorems needs no engine.
Nothing is typed there: ``verify --frozen`` fails where such a file is not what its result file says, and one that was
printed of another text of the result file is not read. What else such a file holds of the built-in papers:
:mod:`grpo_symbolic.verification.records`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

SUFFIX = ".claims"
_HEAD = "# claims, version 1: as grpo-symbolic verify read them in the text"
_LINE = re.compile(r"^claim ([A-Za-z0-9_-]+):(?: (\S.*))?$", re.MULTILINE)


def digest(place: str, text: bytes) -> str:
    """The digest of the text of a result file, which is called ``paper/name.py``."""
    return hashlib.sha256(f"{place}|".encode() + text).hexdigest()


def head(of: str) -> str:
    """How such a file begins, of the result file with the digest ``of``."""
    return f"{_HEAD} {of[:16]}"


def line(id: str, latex: str) -> str:
    """The line of a claim, whose sentence may be too long to be printed."""
    return f"claim {id}: {latex}".rstrip()


def read(result: Path, of: str) -> Mapping[str, str]:
    """The sentences printed beside a result file by id; none where they were printed of another text than that with the
    digest ``of``, or no such file can be read.
    """
    try:
        text = result.with_suffix(SUFFIX).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    return found(text) if text.startswith(head(of)) else {}


def found(text: str) -> Mapping[str, str]:
    """The sentences in the text of such a file by id, those that are printed."""
    return {id: latex for id, latex in _LINE.findall(text) if latex}
