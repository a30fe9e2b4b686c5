"""A Sphinx extension: the figures of :mod:`grpo_symbolic.book.figures` in a book, with the claims that they draw.

It needs :mod:`grpo_symbolic.book.sphinx_claims`, whose ledger it reads::

    extensions = ["grpo_symbolic.book.sphinx_claims", "grpo_symbolic.book.sphinx_figures"]

The directive ``figure-of NAME`` has the caption as its content. A name that is not there stops the build. What moves is
moved by a script, on the pages of figures with controls only; without JavaScript the pictures stay.
"""

from __future__ import annotations

import html
import os
import shutil
import zlib
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective, SphinxTranslator

from grpo_symbolic._version import __version__
from grpo_symbolic.book import boxes, figures
from grpo_symbolic.book.figures import moving, static
from grpo_symbolic.book.figures.model import Figure, Panel
from grpo_symbolic.book.ledgerbook import LedgerBook
from grpo_symbolic.book.sphinx_claims import add_html_node, ledger_of
from grpo_symbolic.errors import BadInput

_SCRIPT = "figures.js"


class FigureDirective(SphinxDirective):
    """``figure-of NAME``: pictures, controls if there are any, the caption, and the claims with their verdicts."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(self.config.claims_ledger)
        try:
            return [self._made(figures.figure(self.arguments[0]), ledger_of(self.config))]
        except BadInput as error:
            raise ExtensionError(f"{self.env.docname}: {error}") from None

    def _made(self, figure: Figure, book: LedgerBook) -> nodes.Node:
        pictures = [self._picture(figure, panel, k) for k, panel in enumerate(figure.panels())]
        body: list[nodes.Node] = [boxes.tag("div", *pictures, classes=["figure-pictures"])]
        if figure.controls:
            data = f'<script type="application/json" class="figure-data">{moving.document(figure)}</script>'
            body.append(nodes.raw("", data, format="html"))
        caption = nodes.Element()
        caption.document = self.state.document
        self.state.nested_parse(self.content, self.content_offset, caption)
        title = nodes.paragraph("", figure.title, classes=["figure-title"])
        body.append(boxes.tag("figcaption", title, *caption.children, classes=["figure-caption"]))
        body.append(_claims(figure, book))
        whole = figure_box("", *body, name=figure.name, alt=figure.alt if figure.controls else "")
        self.set_source_info(whole)
        return whole

    def _picture(self, figure: Figure, panel: Panel, number: int) -> nodes.Node:
        """One panel, written beside the page trees, from where Sphinx takes it as it takes any image."""
        folder = Path(self.env.doctreedir, "figures")
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{figure.name}-{number + 1}.svg"
        file.write_text(static.svg(panel), encoding="utf-8")
        uri = "/" + Path(os.path.relpath(file, self.env.srcdir)).as_posix()
        alt = f"{panel.title}: {panel.y.title}, against {panel.x.title}. {figure.alt}"
        return nodes.image("", uri=uri, alt=alt)


class figure_box(nodes.General, nodes.Element):
    """The HTML element around a figure; other formats show what is inside."""


def _claims(figure: Figure, book: LedgerBook) -> nodes.Node:
    """Which claims a figure draws, each with its verdict and a link to its box."""
    listed = nodes.bullet_list()
    for claim_id in figure.claims:
        entry = book.entry(claim_id)
        words = [nodes.Text(" "), *boxes.prose(book, entry.title), nodes.Text(" "), boxes.link(claim_id)]
        listed += nodes.list_item("", nodes.paragraph("", "", *boxes.badges(entry), *words))
    return boxes.tag("div", nodes.paragraph("", "What it draws"), listed, classes=["figure-claims"])


def _visit(translator: SphinxTranslator, node: figure_box) -> None:
    alt = f' data-alt="{html.escape(node["alt"])}"' if node["alt"] else ""
    translator.body.append(f'<figure class="figure-of" id="figure-{node["name"]}"{alt}>\n')


def _depart(translator: SphinxTranslator, node: figure_box) -> None:
    translator.body.append("</figure>\n")


def _scripts(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Only pages with controls load the script."""
    if doctree is not None and any(node["alt"] for node in doctree.findall(figure_box)):
        app.add_js_file(_SCRIPT, loading_method="defer")


def _copy(app: Sphinx, exception: Exception | None) -> None:
    """The script into the book."""
    if exception is None and app.builder.format == "html":
        shutil.copyfile(Path(figures.__file__).parent / _SCRIPT, Path(app.outdir, "_static", _SCRIPT))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.setup_extension("grpo_symbolic.book.sphinx_claims")
    add_html_node(app, figure_box, _visit, _depart)
    app.add_directive("figure-of", FigureDirective)
    app.add_css_file("figures.css")
    app.connect("html-page-context", _scripts)
    app.connect("build-finished", _copy)
    sources = [Path(__file__), *sorted(Path(figures.__file__).parent.glob("*.py"))]
    return {
        "version": __version__,
        "env_version": zlib.crc32(b"".join(f.read_bytes() for f in sources)),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
