"""What each claim of a result file says, printed: ``eq14.claims`` beside ``eq14.py``, a line ``claim ID: LATEX`` each.

Written by ``verify`` from the statements and committed with their proofs, so that a list of theorems needs no engine.
Nothing is typed there: CI fails where such a file is not what its result file says, and one that was printed of another
text of the result file is not read. What else such a file holds of the built-in papers
(:mod:`grpo_symbolic.verification.records`) is that of the code of which the folder of these papers keeps the digest.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from grpo_symbolic.files import code_under, digest_of

SUFFIX = ".claims"
CODE = "code.digest"  # the file that says which code has read the built-in papers
# What no sentence and no formula of a result file comes from: floors above those that read, what looks for proofs and
# what checks them, and the result files themselves, which have digests of their own.
_ABOVE = {"book", "cli", "diagnose", "door", "export", "kit", "logs", "numeric", "report", "theory", "trainers"}
_NOT_READING = {"derivations", "search", "scripts", "check", "session.py", "selection.py", "__main__.py"}
_RUN = {"records.py", "words.py", "parts.py", "runner.py"}  # of verification: what makes a record; the rest runs
_HEAD = "# claims, version 1: as grpo-symbolic verify read them in the text"
_LINE = re.compile(r"^claim ([A-Za-z0-9_-]+):(?: (\S.*))?$", re.MULTILINE)


def digest(place: str, text: bytes) -> str:
    """The digest of the text of a result file, which is called ``paper/name.py``."""
    return hashlib.sha256(f"{place}|".encode() + text).hexdigest()


def head(of: str) -> str:
    """How such a file begins, of the result file with the digest ``of``."""
    return f"{_HEAD} {of[:16]}"


def resting(of: str, state: str) -> str:
    """How one begins that has obligations too: ``state`` is the digest of the result file with those behind it."""
    return f"{head(of)}, resting on {state[:16]}, "


def stands(result: Path, of: str, state: str) -> bool:
    """Whether the file beside a result file says of itself that it was made of these texts."""
    try:
        with result.with_suffix(SUFFIX).open(encoding="utf-8") as file:
            return file.readline(400).startswith(resting(of, state))
    except (OSError, UnicodeDecodeError):
        return False


def code() -> str:
    """The digest of the code that reads result files."""
    package = Path(__file__).parent
    places = [f.relative_to(package) for f in code_under(package)]
    below = (p for p in places if not (_ABOVE | _NOT_READING) & set(p.parts))
    read = (p for p in below if p.parts[0] != "verification" or p.name in _RUN)
    return digest_of((package / p for p in read), package)[:32]


def noted_code(folder: Path) -> str:
    """The digest that is noted in the folder of the built-in papers; nothing where there is none."""
    try:
        return (folder / CODE).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


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
    return sentences_in(text) if text.startswith(head(of)) else {}


def sentences_in(text: str) -> Mapping[str, str]:
    """The sentences in the text of such a file by id, those that are printed."""
    return {id: latex for id, latex in _LINE.findall(text) if latex}
