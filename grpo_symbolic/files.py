"""Files that are whole or not there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

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
