"""Ten cold builds of a small book whose notebooks are read by several processes at the same moment."""

from __future__ import annotations

import importlib
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from checkout import ROOT
from jupyter_cache import get_cache
from jupyter_cache.cache.db import NbCacheRecord
from myst_nb.core.execute import cache as executing
from sphinx.application import Sphinx
from sphinx.errors import SphinxParallelError
from sphinx.util.docutils import docutils_namespace

EXTENSIONS = ROOT / "book" / "_ext"
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


def build(source: Path, out: Path, handlers: dict[str, Any]) -> int:
    """Sphinx's exit status for one build into a folder that is not there yet."""
    with docutils_namespace():
        paths = (source, source, out / "read", out / "trees", "dummy")  # what races is reading: nothing is written
        app = Sphinx(*paths, status=None, warning=None, warningiserror=True, parallel=PROCESSES)
        for event, handler in handlers.items():
            app.connect(event, handler)
        app.build()
    return app.statuscode


def list_outputs(db: Any) -> set[int]:
    return {record.pk for record in NbCacheRecord.records_all(db)}


@pytest.mark.slow("builds of the book that begin with nothing")
def test_ten_cold_builds_succeed(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def records_to_delete(keep: int, db: Any) -> set[int]:
        """A cache lists what to keep, and then throws out all that it did not list: the moment between is long."""
        kept = list_outputs(db)
        time.sleep(0.1)
        return list_outputs(db) - kept

    monkeypatch.setattr(NbCacheRecord, "records_to_delete", staticmethod(records_to_delete))
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    parallel = importlib.import_module("parallel")
    outs = [tmp_path / f"out{k}" for k in range(BUILDS)]
    handlers = {"env-before-read-docs": parallel.deal, "source-read": parallel.cache_apart}
    assert [build(book, out, handlers) for out in outs] == [0] * BUILDS
    for out in outs:
        assert len(list((out / "trees").glob("notebook*.doctree"))) == NOTEBOOKS
        assert len(list((out / ".jupyter_cache").glob("*/executed/*/base.ipynb"))) == NOTEBOOKS


def test_a_cache_that_processes_share_loses_outputs(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "out" / ".jupyter_cache"
    _ = get_cache(cache).db  # to make it is a race of its own

    def records_to_delete(keep: int, db: Any) -> set[int]:
        """The first process to list waits for an output of another one, which is then written whole and not listed."""
        kept = list_outputs(db)
        try:
            (tmp_path / "one waits").touch(exist_ok=False)
        except FileExistsError:
            return set()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            late = [record for record in NbCacheRecord.records_all(db) if record.pk not in kept]
            written = {file.parent.name for file in cache.glob("executed/*/base.ipynb")}
            if late and written.issuperset(record.hashkey for record in late):
                return {record.pk for record in late}
            time.sleep(0.01)
        return set()

    monkeypatch.setattr(NbCacheRecord, "records_to_delete", staticmethod(records_to_delete))
    with suppress(SphinxParallelError):  # what is thrown out may be half written
        build(book, tmp_path / "out", {})
    assert len(list(cache.glob("executed/*/base.ipynb"))) < NOTEBOOKS
