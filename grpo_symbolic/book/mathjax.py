"""MathJax among a book's own files, pinned with its font and had from npm when the book is built.

    python -m grpo_symbolic.book.mathjax FOLDER [CACHE]

writes what pages load into a folder, and what was downloaded into another. As a Sphinx extension it has the pages load
what is in that folder::

    extensions = ["grpo_symbolic.book.sphinx_claims", "grpo_symbolic.book.mathjax"]
    mathjax_folder = "_build/mathjax"

Where the folder is not there, they load the same release from the web.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

from grpo_symbolic._version import __version__
from grpo_symbolic.book.downloads import PINS, fetched, unpack
from grpo_symbolic.errors import BadInput

ENGINE, FONT = "mathjax", "@mathjax/mathjax-newcm-font"
SCRIPT = "tex-chtml.js"
WEB = f"https://cdn.jsdelivr.net/npm/mathjax@{PINS[ENGINE]['version']}/{SCRIPT}"
# Folder of the font, beside the engine, whose own folder MathJax calls [mathjax].
PATHS = {"fonts": "[mathjax]"}
# Words in formulas are not read as LaTeX (they may have a name such as s_t). No speech, which needs a worker: browsers
# refuse one for files on disk, and only the menu's settings prevent it.
OPTIONS = {
    "tex": {"packages": {"[-]": ["textmacros"]}},
    "output": {"displayOverflow": "linebreak"},
    "options": {"menuOptions": {"settings": {"enrich": False, "assistiveMml": True}}},
}
# What a page asks for by itself, and what the menu of a formula does. Speech is in English, as the book is.
_OF_ENGINE = (SCRIPT, "LICENSE", "a11y/", "input/tex/extensions/", "ui/", "sre/require.mjs", "sre/speech-worker.js")
_SPEECH = tuple(f"sre/mathmaps/{name}.json" for name in ("base", "en", "euro", "nemeth"))
_OF_FONT = ("chtml.js", "chtml/")


def build(target: Path, cache: Path) -> None:
    """Write MathJax and its font into ``target``, unless the pinned ones are there.

    Raises :class:`BadInput` where there is no npm, or npm does not have a pinned file.
    """
    stamp = " ".join(f"{name} {PINS[name]['sha256']}" for name in (ENGINE, FONT))
    if (target / ".stamp").is_file() and (target / ".stamp").read_text() == stamp:
        return
    archives = {name: fetched(name, PINS[name], cache) for name in (ENGINE, FONT)}
    shutil.rmtree(target, ignore_errors=True)
    root = target / "mathjax"
    unpack(archives[ENGINE], root, _OF_ENGINE + _SPEECH)
    unpack(archives[FONT], root / FONT.rpartition("/")[2], _OF_FONT)
    (target / ".stamp").write_text(stamp)


def folder_of(config: Config, confdir: Path) -> Path | None:
    """The folder that :func:`build` has written; ``None`` where it is not there, or not wanted."""
    folder = Path(confdir, config.mathjax_folder) if config.mathjax_folder else None
    return folder if folder is not None and (folder / ".stamp").is_file() else None


def is_four(app: Sphinx) -> bool:
    """Whether pages load MathJax 4: by this extension, or by Sphinx itself since its version 9."""
    return __name__ in app.extensions or hasattr(app.config, "mathjax4_config")


def options(config: Config) -> dict[str, Any]:
    """How the pages configure MathJax."""
    return getattr(config, _name(config)) or {}


def configure(config: Config, more: dict[str, Any]) -> None:
    """Add options to those with which the pages configure MathJax; those of the book itself prevail."""
    setattr(config, _name(config), merged(more, options(config)))


def _name(config: Config) -> str:
    """The setting has two names since Sphinx 9, of which the older one is used only where it alone is set. The same
    choice as MyST's, which adds to it.
    """
    new = hasattr(config, "mathjax4_config")
    return "mathjax4_config" if new and (config.mathjax4_config or not config.mathjax3_config) else "mathjax3_config"


def merged(more: Any, own: Any) -> Any:
    """Options of MathJax from two sources, of which the second prevails; lists are joined.

    >>> merged({"load": ["a"], "tex": {"x": 1, "y": 2}}, {"load": ["b"], "tex": {"x": 3}})
    {'load': ['a', 'b'], 'tex': {'x': 3, 'y': 2}}
    """
    if isinstance(more, dict) and isinstance(own, dict):
        both = {name: merged(more[name], own[name]) for name in more.keys() & own.keys()}
        return {**more, **own, **both}
    return [*more, *own] if isinstance(more, list) and isinstance(own, list) else own


def _choose(app: Sphinx, config: Config) -> None:
    folder = folder_of(config, Path(app.confdir))
    if folder is None:
        config.mathjax_path = WEB
        return
    config.mathjax_path = f"mathjax/{SCRIPT}"
    config.html_static_path.append(str(folder))
    configure(config, {"loader": {"paths": PATHS}})


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the folder; called by Sphinx."""
    app.add_config_value("mathjax_folder", "", "html", str)
    app.connect("config-inited", _choose)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def main(arguments: list[str]) -> int:
    """Build; where that fails, one sentence, and pages load MathJax from the web."""
    target = Path(arguments[0])
    store = Path(arguments[1]) if len(arguments) > 1 else target.with_name(f"{target.name}-kept")
    try:
        build(target, store)
    except BadInput as reason:
        shutil.rmtree(target, ignore_errors=True)
        print(f"the book's formulas need the web: its readers load {WEB}, since {reason}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
