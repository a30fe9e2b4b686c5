"""What each claim of a result file says, printed: ``eq14.sentences`` beside ``eq14.py``, one line of LaTeX a claim.

Written by ``verify`` from the statements and committed with their proofs, so that a list of theorems needs no engine.
Nothing is typed there: ``verify --frozen`` fails where such a file is not what its result file says, and one that was
printed of another text of the result file is not read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

SUFFIX = ".sentences"
_HEAD = "# sentences, version 1: printed by grpo-symbolic verify, of the text"
_LINE = re.compile(r"([A-Za-z0-9_-]+): (\S.*)")


def digest(place: str, text: bytes) -> str:
    """The digest of the text of a result file, which is called ``paper/name.py``."""
    return hashlib.sha256(f"{place}|".encode() + text).hexdigest()


def written(of: str, headlines: Mapping[str, str]) -> str:
    """The lines of such a file, of the result file with the digest ``of``: the sentence of each claim by its id."""
    return "\n".join([f"{_HEAD} {of[:16]}", *(f"{id}: {latex}" for id, latex in sorted(headlines.items())), ""])


def read(result: Path, of: str) -> dict[str, str]:
    """The sentences printed beside a result file by id; none where they were printed of another text than that with the
    digest ``of``, or no such file can be read.
    """
    try:
        head, *lines = result.with_suffix(SUFFIX).read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return {}
    if head != f"{_HEAD} {of[:16]}":
        return {}
    return {found[1]: found[2] for found in map(_LINE.fullmatch, lines) if found}
