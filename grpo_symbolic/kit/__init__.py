"""The author's kit: a folder to start a paper of one's own in, and claims as tests (:mod:`grpo_symbolic.kit.plugin`).

``template/`` holds the files of a paper called ``my_paper``, which passes as it stands; each has the ending ``.txt``
besides its own, so that no tool takes it for a part of the package.
"""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from keyword import iskeyword
from pathlib import Path

from grpo_symbolic._version import __version__
from grpo_symbolic.catalogue import PAPERS
from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import write_atomically

MODEL = "my_paper"
_HIDDEN = {"github": ".github", "gitignore": ".gitignore"}


def new(folder: Path) -> list[Path]:
    """Write a project with a first result file, a test, a book and a CI file, and return the files, sorted.

    The paper is called like ``folder``, in lower case with underscores; its claims are in the folder of that name
    inside. Raises :class:`BadInput` for a name that no paper can have, and for a folder that is there and not empty.
    """
    name = re.sub(r"[\W_]+", "_", folder.resolve().name.lower()).strip("_")
    if not name.isidentifier() or not name.isascii() or iskeyword(name):
        raise BadInput(f"{folder.name!r} is no name for a paper: expected a letter first, such as {MODEL}")
    if name in PAPERS:
        raise BadInput(f"a paper called {name!r} is built in: choose another name")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} is there already, and not an empty folder")
    written = [
        _write(template, place, folder, name) for template, place in _templates(files(__name__) / "template", Path())
    ]
    return sorted(written)


def _templates(folder: Traversable, place: Path) -> list[tuple[Traversable, Path]]:
    """The files of the template with their places in the project."""
    templates = []
    for child in folder.iterdir():
        if child.is_dir():
            templates += _templates(child, place / _HIDDEN.get(child.name, child.name))
        elif child.name.endswith(".txt"):
            stem = child.name.removesuffix(".txt")
            templates.append((child, place / _HIDDEN.get(stem, stem)))
    return templates


def _write(template: Traversable, place: Path, folder: Path, name: str) -> Path:
    """One file of the project, with the paper's own name in its path and its text."""
    target = folder / str(place).replace(MODEL, name)
    text = template.read_text(encoding="utf-8")
    words = name.replace("_", " ")
    for old, own in ((MODEL, name), ("my-paper", name.replace("_", "-")), ("My paper", words.capitalize())):
        text = text.replace(old, own)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, text.replace("@VERSION@", __version__))
    return target
