"""What the entries of a result file rest on, beside the package: its text, and that of all files behind it.

Behind a file are those that it imports, those that register what its claims depend on, and what is behind these. They
are read off the texts. A file that imports in a way its text does not show may rest on any other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from grpo_symbolic.index import Index

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^)]*\)|[^\n]*)|import[ \t]+[^\n]*)", re.MULTILINE
)
_HIDDEN = re.compile(r"\b(?:importlib|import_module|__import__|exec|eval|run_path)\b")


def states(index: Index, folders: Mapping[str, Path]) -> dict[str, str]:
    """A digest for each file of the index (``paper/name.py``): while it stands, so do the entries of its claims.

    ``folders`` are those of the papers, by name.
    """
    texts = {place: (folders[place.split("/")[0]] / place.split("/")[1]).read_text("utf-8") for place in index.files}
    direct = {place: _behind(place, text, index) for place, text in texts.items()}
    heads = hashlib.sha256()
    for folder in folders.values():
        start = folder / "__init__.py"
        heads.update(f"{folder.name}|{start.read_text('utf-8') if start.is_file() else ''}|".encode())
    found = {}
    for place in texts:
        reached, pending = {place}, [place]
        while pending:
            new = direct[pending.pop()] - reached
            reached |= new
            pending += new
        said = "|".join([heads.hexdigest(), *(index.digests[p] for p in sorted(reached))])
        found[place] = hashlib.sha256(said.encode()).hexdigest()
    return found


def _behind(place: str, text: str, index: Index) -> set[str]:
    """The files that one rests on directly, or every file, where its text does not show which."""
    listed = index.files[place]
    needed = {d for c in listed.claims for d in c.depends_on}
    if listed.unread or _HIDDEN.search(text) or not needed <= set(index.listings):
        return set(index.files)
    words = {word for statement in _IMPORT.findall(text) for word in re.findall(r"\w+", statement)}
    imported = {p for p in index.files if p.split("/")[1].removesuffix(".py") in words}
    return imported | {index.listings[d].place for d in needed}
