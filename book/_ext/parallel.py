"""Several processes read and write the pages, with the notebooks dealt among them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sphinx.util.parallel import make_chunks


def declare(app: Any, config: Any) -> None:
    """Say of an extension what it leaves unsaid; without it Sphinx warns and reads one page after another. It numbers
    sections when all is read, and touches no page while it is read.
    """
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True


def deal(app: Any, env: Any, docnames: list[str]) -> None:
    """Put a notebook at the head of each share of pages: they take longest, and would all be in one share."""
    notebooks = [name for name in docnames if str(env.doc2path(name)).endswith(".ipynb")]
    if notebooks:
        share = len(make_chunks(docnames, app.parallel)[0])
        docnames[:] = [name for name in docnames if name not in notebooks]
        for number, name in enumerate(notebooks):
            docnames.insert(number * share, name)


def cache_apart(app: Any, docname: str, content: list[str]) -> None:
    """Keep the outputs of each notebook in a cache of its own: of several processes that share one, each may throw out
    what another has put in while it looked for what is too old.
    """
    cache = Path(app.outdir).parent / ".jupyter_cache" / docname
    app.env.mystnb_config = app.env.mystnb_config.copy(execution_cache_path=str(cache))


def setup(app: Any) -> dict[str, Any]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    app.parallel = cores + 1  # one of them waits: for the kernel of its notebook, or for what the others have written
    app.connect("config-inited", declare)
    app.connect("env-before-read-docs", deal)
    app.connect("source-read", cache_apart)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
