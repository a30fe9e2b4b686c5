"""Files that are whole or not there, and digests of source files."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_CODE = ("*.py", "*.v", "accepted.txt")  # a lemma that a prover is given decides as well, and which rules Coq knows
_UMASK = os.umask(0o077)  # asking means setting, so it is set back at once; here, before there are threads
os.umask(_UMASK)


def write_atomically(path: Path, text: str) -> None:
    """Write beside the target and rename: a reader sees the old file or the new one, never half of one.

    Raises :class:`OSError` where the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o666 & ~_UMASK)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def json_text(document: Any) -> str:
    """A document as the text of a JSON file: indented, with letters of any alphabet as they are."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def place_of(file: Path) -> str:
    """How a result file is called: ``paper/name.py``."""
    return f"{file.parent.name}/{file.name}"


def writable(folder: Path) -> bool:
    """Whether something may be kept in a folder of result files: not in that of an installed package."""
    return os.access(folder, os.W_OK) and "site-packages" not in folder.parts


def code_under(*folders: Path) -> list[Path]:
    """The source files in these folders and below, in a fixed order."""
    return sorted(file for folder in folders for pattern in _CODE for file in folder.rglob(pattern))


def digest_of(files: Iterable[Path], root: Path, *words: str) -> str:
    """A digest of the files, each by its place under ``root`` and its bytes, and of any further words.

    Raises :class:`OSError` for a file that is not there.
    """
    digest = hashlib.sha256()
    for file in files:
        place, body = file.relative_to(root).as_posix().encode(), file.read_bytes()
        digest.update(b"%d %b %d " % (len(place), place, len(body)))
        digest.update(body)
    for word in words:
        digest.update(b"%d %b" % (len(word.encode()), word.encode()))
    return digest.hexdigest()
