"""What the entries of a result file rest on, beside the package: its text, and that of all files behind it.

Behind a file are those that it imports, those that register what its claims depend on, and what is behind these. They
are read off the texts. A file that imports in a way its text does not show may rest on any other, and every file rests
on what lies beside the papers and begins them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from grpo_symbolic import derivations
from grpo_symbolic.index import Index

_IMPORT = re.compile(
    r"(?:^|[:;])[ \t]*(?:from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\((?:[^)#]|#[^\n]*)*\)|[^\n;]*)|import[ \t]+[^\n;]*)",
    re.MULTILINE,
)
_HIDDEN = re.compile(r"\b(?:importlib|import_module|__import__|exec|eval|run_path)\b")
# What leads to files by other names than theirs: a whole paper, the package of all, the catalogue.
_WHOLE = re.compile(r"\b(?:derivations|catalogue)\b|^[:;]?[ \t]*from[ \t]+\.+[ \t]+import", re.MULTILINE)


def states(index: Index, folders: Mapping[str, Path]) -> dict[str, str]:
    """A digest for each file of the index (``paper/name.py``): while it stands, so do the entries of its claims.

    ``folders`` are those of the papers, by name.
    """
    texts = {place: (folders[place.split("/")[0]] / place.split("/")[1]).read_text("utf-8") for place in index.files}
    starts = {name: _text(folder / "__init__.py") for name, folder in folders.items()}
    beside = {file.name: _text(file) for root in {f.parent for f in folders.values()} for file in root.glob("*.py")}
    beside["__init__.py"] = _text(Path(derivations.__file__))
    heads = hashlib.sha256(repr((list(starts.items()), sorted(beside.items()))).encode()).hexdigest()
    first = {name: _imported(text, index) for name, text in starts.items()}
    direct = {place: _behind(place, text, index) | first[place.split("/")[0]] for place, text in texts.items()}
    digests = {}
    for place in texts:
        reached, pending = {place}, [place]
        while pending:
            new = direct[pending.pop()] - reached
            reached |= new
            pending += new
        content = "|".join([heads, *(index.digests[p] for p in sorted(reached))])
        digests[place] = hashlib.sha256(content.encode()).hexdigest()
    return digests


def _text(file: Path) -> str:
    return file.read_text("utf-8") if file.is_file() else ""


def _behind(place: str, text: str, index: Index) -> set[str]:
    """The files that one rests on directly, or every file, where its text does not show which."""
    listed = index.files[place]
    needed = {d for c in listed.claims for d in c.depends_on}
    if listed.unread or not needed <= set(index.listings):
        return set(index.files)
    return _imported(text, index) | {index.listings[d].place for d in needed}


def _imported(text: str, index: Index) -> set[str]:
    """The files that a text imports, or every file, where it does not show which."""
    statements = _IMPORT.findall(text.replace("\\\n", " "))
    if _HIDDEN.search(text) or any(_WHOLE.search(s) for s in statements):
        return set(index.files)
    words = {word for statement in statements for word in re.findall(r"\w+", statement)}
    return {p for p in index.files if p.split("/")[1].removesuffix(".py") in words}
