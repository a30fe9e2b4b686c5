"""The Sphinx extension of the live book: the directive ``live-explore``, the role ``explore`` for links to its points,
and the scripts beside the pages.

    extensions = ["grpo_symbolic.book.sphinx_claims", "grpo_symbolic.book.live.pages"]
    live_folder = "_build/live"        # written by: python -m grpo_symbolic.book.live.runtime FOLDER LEDGER

Where that folder is not there, the book has no live part, and ``live-explore`` says so. Every claim's own page gets its
replay from :mod:`grpo_symbolic.book.sphinx_pages`.
"""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective, SphinxRole

from grpo_symbolic._version import __version__
from grpo_symbolic.book.live import desk
from grpo_symbolic.errors import BadInput, check_name

PLACE = "_static/live"
_UNSERVED = (
    "This part needs the book to be served, since browsers start no Python from files on disk: run "
    "<code>python3 -m http.server --bind 127.0.0.1</code> in the folder of its <code>index.html</code>, and go to "
    '<a href="http://127.0.0.1:8000/">http://127.0.0.1:8000/</a>.'
)


def folder_of(config: Config) -> Path | None:
    """The folder with what the live pages load; ``None`` where it is not there, or not wanted."""
    named = getattr(config, "live_folder", "")
    return Path(named) if named else None


def _place(app: Sphinx, config: Config) -> None:
    """What the configuration names from its own folder is found from any. Where nothing is there, nothing is named, so
    that the pages are read anew once it is.
    """
    if config.live_folder:
        found = Path(app.confdir, config.live_folder).resolve()
        config.live_folder = str(found) if (found / "stamp").is_file() else ""


def script(root: str, name: str) -> str:
    """HTML that starts a script of the live pages where the page is served, and else says how to serve it."""
    return (
        f'<p class="live-unserved" hidden>{_UNSERVED}</p>\n'
        f'<script>if (location.protocol === "file:") document.currentScript.previousElementSibling.hidden = false; '
        f'else import("{root}/{PLACE}/{name}");</script>\n'
    )


class ExploreDirective(SphinxDirective):
    """``live-explore``: the page on which a reader moves through the space of objectives."""

    def run(self) -> list[nodes.Node]:
        if folder_of(self.config) is None:
            return [nodes.paragraph("", "This book was built without its live part.")]
        root = "/".join([".", *[".."] * self.env.docname.count("/")])
        page = f'<div class="live-explore" data-root="{root}/"><noscript>This page needs JavaScript.</noscript></div>\n'
        return [nodes.raw("", page + script(root, "explore.mjs"), format="html")]


class ExploreRole(SphinxRole):
    """A link to a point of the page ``explore``: ``words <beta=1/2 p_ref=1/5>``, with the names of the page's state."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            words, state = state_of(self.text)
        except BadInput as refusal:
            return [], [self.inliner.reporter.error(str(refusal), line=self.lineno)]
        return [nodes.reference("", words, refuri=f"explore#{urlencode(state)}", internal=True, explore=True)], []


def state_of(text: str) -> tuple[str, dict[str, str]]:
    """The words of a link and the state that it names.

    >>> state_of("pairs <group_size=2 beta=1/2>")
    ('pairs', {'group_size': '2', 'beta': '1/2'})

    Raises :class:`BadInput` for text without a state, and for a name that the page does not have.
    """
    words, _, inside = text.removesuffix(">").rpartition("<")
    state = dict(setting.partition("=")[::2] for setting in inside.split())
    if not (words.strip() and state):
        raise BadInput(f"{text!r} is no link to a point: expected words <name=value …>")
    for name in state:
        check_name(name, desk.NAMES, "part of the state of the page Explore")
    return words.strip(), state


def _link(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Where the links of a page to ``explore`` lead from there."""
    if app.builder.format == "html":
        for link in doctree.findall(lambda node: isinstance(node, nodes.reference) and "explore" in node):
            place = app.builder.get_relative_uri(page, "explore")
            link["refuri"] = place + link["refuri"].removeprefix("explore")


def _copy(app: Sphinx, exception: Exception | None) -> None:
    """What has changed of the folder, into the book."""
    folder = folder_of(app.config)
    if exception is not None or app.builder.format != "html" or folder is None:
        return
    target = Path(app.outdir, PLACE)
    target.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        copy = target / file.name
        if not copy.is_file() or copy.stat().st_mtime_ns != file.stat().st_mtime_ns:
            shutil.copy2(file, copy)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive and the role; called by Sphinx."""
    app.setup_extension("grpo_symbolic.book.sphinx_claims")
    app.add_config_value("live_folder", "", "env", str)
    app.add_directive("live-explore", ExploreDirective)
    app.add_role("explore", ExploreRole())
    app.connect("config-inited", _place)
    app.connect("doctree-resolved", _link)
    app.connect("build-finished", _copy)
    return {
        "version": __version__,
        "env_version": zlib.crc32(Path(__file__).read_bytes()),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
