"""Ten cold builds of a small book whose notebooks are read by several processes at the same moment."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from myst_nb.core.execute import cache as executing
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

EXTENSIONS = Path(__file__).parents[1] / "book" / "_ext"
# Sphinx reads six pages and more in several processes.
BUILDS, NOTEBOOKS, PROCESSES = 10, 5, 3


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book of notebooks that are executed by nobody: what races is the cache of their outputs, not their kernels."""
    executed = SimpleNamespace(err=None, exc_string="", time=0.1)
    monkeypatch.setattr(executing, "single_nb_execution", lambda *arguments, **options: executed)
    source = tmp_path / "book"
    source.mkdir()
    # Suffixes of its own: what the extension adds to Sphinx's would be there for every other book of this process.
    suffixes = "source_suffix = {'.rst': 'restructuredtext'}"
    (source / "conf.py").write_text(f"extensions = ['myst_nb']\nnb_execution_mode = 'cache'\n{suffixes}\n")
    names = [f"notebook{k}" for k in range(NOTEBOOKS)]
    for name in names:
        cells = [nbformat.v4.new_markdown_cell(f"# {name}"), nbformat.v4.new_code_cell(f"{name} = 1")]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        kernel["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), source / f"{name}.ipynb")
    (source / "index.md").write_text("# Book\n\n```{toctree}\n" + "\n".join(names) + "\n```\n")
    return source


def build(source: Path, out: Path, *handlers: Any) -> int:
    """Sphinx's exit status for one build into a folder that is not there yet."""
    with docutils_namespace():
        paths = (source, source, out / "read", out / "trees", "dummy")  # what races is reading: nothing is written
        app = Sphinx(*paths, status=None, warning=None, warningiserror=True, parallel=PROCESSES)
        for handler in handlers:
            app.connect("env-before-read-docs", handler)
        app.build()
    return app.statuscode


def test_ten_cold_builds_succeed(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    parallel = importlib.import_module("parallel")
    outs = [tmp_path / f"out{k}" for k in range(BUILDS)]
    assert [build(book, out, parallel.deal, parallel.open_cache) for out in outs] == [0] * BUILDS
    for out in outs:
        assert len(list((out / "trees").glob("notebook*.doctree"))) == NOTEBOOKS
        assert (out / ".jupyter_cache").is_dir()
