"""A Sphinx extension, for MyST and reStructuredText: claims, derivations and tables of a ledger in anybody's book.

In ``conf.py``::

    extensions = ["grpo_symbolic.book.sphinx_claims"]
    claims_ledger = "ledger.json"      # written by: grpo-symbolic verify [PATH…] --json ledger.json
    claims_papers = ["../my_paper"]    # folders of papers that are not built in, for result, value and sym

Directives: ``claim ID`` (a box), ``claims-of PAPER/FILE`` (boxes of a result file that this page does not show yet),
``formula ID`` (its formula without the box; ``ID.k`` for part k), ``derivation NAME`` with ``:steps: 2-4``, ``result
PAPER/FILE`` (its docstring), ``trainer NAME==VERSION`` with ``:set:`` (what a run optimises), ``trainer-options
NAME==VERSION``, and the tables of :mod:`grpo_symbolic.book.tables`. Roles: ``claim-ref``, ``holds`` (the statement),
``sym`` (a symbol of the notation), ``claim-count`` (how many claims match), ``value`` (a number: the right side of an
equation at a point). An unknown id stops the build. Every claim has a page of its own besides, ``c/ID.html``
(:mod:`grpo_symbolic.book.sphinx_pages`).
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.addnodes import compact_paragraph, pending_xref
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.config import Config
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective, SphinxRole, SphinxTranslator
from sphinx.util.nodes import make_refnode

from grpo_symbolic import catalogue, notation
from grpo_symbolic._version import __version__
from grpo_symbolic.book import boxes, ledgerbook, mathjax, part_graph, sphinx_pages, tables, theory_table, values
from grpo_symbolic.book.ledgerbook import LedgerBook, anchor
from grpo_symbolic.book.trainer_page import options_table, trainer_page
from grpo_symbolic.errors import BadInput, check_name
from grpo_symbolic.index import described
from grpo_symbolic.ledger import Entry
from grpo_symbolic.notation import NOTATION
from grpo_symbolic.theory import coverage, points
from grpo_symbolic.typeset import lines, plain

_STYLE, _SCRIPTS = "claims.css", ("claims.js", "previews.js", "space.js")
_LONGEST_TEX = 1 << 17  # characters of one formula


def ledger_of(config: Config) -> LedgerBook:
    """The ledger that the configuration names; raises :class:`ExtensionError` when it cannot be read."""
    try:
        return ledgerbook.load(Path(config.claims_ledger))
    except BadInput as error:
        written = os.path.relpath(config.claims_ledger)
        raise ExtensionError(f"claims_ledger: {error}; write it with: grpo-symbolic verify --json {written}") from None


def _places(app: Sphinx, config: Config) -> None:
    """What the configuration names from its own folder is found from any."""
    config.claims_ledger = str(Path(app.confdir, config.claims_ledger).resolve())
    config.claims_papers = [str(Path(app.confdir, folder).resolve()) for folder in config.claims_papers]


def _check_papers(app: Sphinx) -> None:
    """Refuse papers that are not there, or whose RESULTS are not their files, before any page is read."""
    try:
        papers = papers_of(app.config)
        if papers:
            catalogue.files_of(papers)
    except BadInput as error:
        raise ExtensionError(f"claims_papers in conf.py: {error}") from None


def papers_of(config: Config) -> list[Path]:
    """The folders of papers that the configuration names; raises :class:`BadInput` for one that is not there."""
    return catalogue.folders_of(map(Path, config.claims_papers))


class ClaimDomain(Domain):
    """Where each claim's box stands, so that links find it from any page."""

    name = "claim"
    label = "claims"
    object_types: ClassVar[dict[str, ObjType]] = {"claim": ObjType("claim", "ref")}
    # for each claim the pages with its box, of which there may be one only
    initial_data: ClassVar[dict[str, Any]] = {"pages": {}}
    data_version = 2

    @property
    def boxes(self) -> dict[str, str]:
        """The page of each claim that has a box."""
        return {claim_id: pages[0] for claim_id, pages in self.data["pages"].items()}

    def note(self, claim_id: str, page: str) -> None:
        """Remember a box; raises :class:`ExtensionError` for a second box of the same claim."""
        self.data["pages"].setdefault(claim_id, []).append(page)
        self._check(claim_id)

    def _check(self, claim_id: str) -> None:
        first, *more = self.data["pages"][claim_id]
        if more:
            raise ExtensionError(f"the claim {claim_id!r} has two boxes: in {first} and in {more[0]}")

    def clear_doc(self, docname: str) -> None:
        left = {i: [page for page in pages if page != docname] for i, pages in self.data["pages"].items()}
        self.data["pages"] = {i: pages for i, pages in left.items() if pages}

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        for claim_id, shown_on in otherdata["pages"].items():
            for page in shown_on:
                if page in docnames:
                    self.data["pages"].setdefault(claim_id, []).append(page)

    def check_consistency(self) -> None:
        """Two boxes of a claim that two processes have read are seen only now that all is read."""
        for claim_id in self.data["pages"]:
            self._check(claim_id)

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: nodes.Element,
    ) -> nodes.reference | None:
        places = self.data["pages"].get(target)
        if not places:
            return contnode
        entry = ledger_of(self.env.config).entries.get(target)
        preview = boxes.preview(entry) if entry else target
        link = make_refnode(builder, fromdocname, places[0], anchor(target), contnode, preview)
        link["classes"].append("claim-link")
        return link

    def resolve_any_xref(self, *args: Any) -> list[tuple[str, nodes.reference]]:
        return []

    def get_objects(self) -> Iterable[tuple[str, str, str, str, str, int]]:
        """What the search of the book finds a claim by: what it says, its title, its id and its place, equations as
        people ask.
        """
        entries = ledger_of(self.env.config).entries
        for claim_id, page in self.boxes.items():
            entry = entries.get(claim_id)
            place = re.sub(r"\((?=\d)", "equation (", entry.locator) if entry else ""
            texts = [plain.plain(entry.line), entry.title] if entry else []
            words = " · ".join([*filter(None, texts), claim_id, *([place] if entry else [])])
            itself = entry is not None and re.search(r"(^|, )\(\d+\)", entry.locator)  # and not what stands after it
            yield claim_id, words, "claim", page, anchor(claim_id), 0 if itself else 1


class _Ledger:
    """What directives and roles share: the ledger, noted as something the page depends on."""

    env: BuildEnvironment

    @property
    def book(self) -> LedgerBook:
        ledger = ledger_of(self.env.config)
        self.env.note_dependency(self.env.config.claims_ledger)
        return ledger

    def stop(self, error: BadInput) -> ExtensionError:
        return ExtensionError(f"{self.env.docname}: {error}")


class _Directive(_Ledger, SphinxDirective):
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        try:
            made = self.make(self.arguments[0] if self.arguments else "")
        except BadInput as error:
            raise self.stop(error) from None
        for node in made:
            self.set_source_info(node)
            for inner in node.findall(nodes.math_block):
                inner["docname"] = self.env.docname
        return made

    def make(self, argument: str) -> list[nodes.Node]:
        raise NotImplementedError

    def box(self, entry: Entry) -> nodes.Node:
        self.env.get_domain("claim").note(entry.id, self.env.docname)
        return boxes.claim_box(self.book, entry, anchor(entry.id))


class ClaimDirective(_Directive):
    """``claim ID``: the claim's box. With ``:again:`` it is shown without becoming the place that links lead to."""

    option_spec: ClassVar[Any] = {"again": directives.flag}

    def make(self, argument: str) -> list[nodes.Node]:
        entry = self.book.entry(argument)
        return [boxes.claim_box(self.book, entry) if "again" in self.options else self.box(entry)]


class FormulaDirective(_Directive):
    """``formula ID``: the statement as printed, displayed, with a link to its box; ``ID.k`` is part k as checked."""

    def make(self, argument: str) -> list[nodes.Node]:
        entry, latex = _stated(self.book, argument)
        place = nodes.paragraph("", "", boxes.link(entry.id), classes=["claim-source"])
        return [boxes.tag("div", boxes.display(latex), place, classes=["claim-formula"])]


def _stated(book: LedgerBook, text: str) -> tuple[Entry, str]:
    """A claim and its statement, as printed where the print holds; of ``id.k`` part k."""
    claim_id, _, number = text.partition(".")
    entry = book.entry(claim_id)
    parts = entry.parts
    if number and not (number.isdigit() and 1 <= int(number) <= len(parts)):
        raise BadInput(f"the claim {claim_id} has parts 1 to {len(parts)}, not {number!r}")
    if number:
        return entry, parts[int(number) - 1].latex
    return entry, entry.sentence if entry.differs else entry.printed or entry.says or entry.sentence


class ClaimsOfDirective(_Directive):
    """``claims-of PAPER/FILE``: the boxes of a result file that the page does not show above."""

    def make(self, argument: str) -> list[nodes.Node]:
        shown = self.env.get_domain("claim").boxes
        return [self.box(c) for c in self.book.of_file(argument) if shown.get(c.id) != self.env.docname]


class DerivationDirective(_Directive):
    """``derivation NAME``: the steps of a derivation that some claim cites; ``:steps: 2-4`` shows some of them."""

    option_spec: ClassVar[Any] = {"steps": directives.unchanged}

    def make(self, argument: str) -> list[nodes.Node]:
        steps = self.book.derivation(argument)
        given = self.options.get("steps", f"1-{len(steps)}")
        wanted = re.fullmatch(r"(\d+)(?:-(\d+))?", given.strip())
        first, last = (int(wanted[1]), int(wanted[2] or wanted[1])) if wanted else (0, 0)
        if not 1 <= first <= last <= len(steps):
            raise BadInput(f"the steps {given!r} of {argument} are not there: it has steps 1 to {len(steps)}")
        return [boxes.steps_of(self.book, steps[first - 1 : last], first)]


class ResultDirective(_Directive):
    """``result PAPER/FILE``: what the result file says of itself (statement, source, domain, derivation, caveats)."""

    def make(self, argument: str) -> list[nodes.Node]:
        entry = self.book.of_file(argument)[0]
        folders = {f.name: f for f in [*catalogue.builtin_folders(), *papers_of(self.config)]}
        if entry.paper not in folders:
            raise BadInput(f"the folder of the paper {entry.paper!r} is not known: name it in claims_papers of conf.py")
        file = folders[entry.paper] / entry.file
        self.env.note_dependency(str(file))
        title, fields = described(file)
        items = [
            nodes.definition_list_item(
                "", nodes.term("", name), nodes.definition("", nodes.paragraph("", "", *boxes.prose(self.book, text)))
            )
            for name, text in fields
        ]
        head = nodes.paragraph("", "", nodes.strong("", "", *boxes.prose(self.book, title)))
        return [boxes.tag("div", head, nodes.definition_list("", *items), classes=["claim-result"])]


class TableDirective(_Directive):
    """A generated table; ``:paper:``, ``:verdict:`` (of the claim) and ``:print:`` (of the print) choose claims, and
    ``:questions:`` the columns of ``theory-table``, ``:file:`` the result file of ``claim-answers``.
    """

    required_arguments = 0
    option_spec: ClassVar[Any] = dict.fromkeys(
        ("paper", "verdict", "print", "own", "questions", "file"), directives.unchanged
    )

    def make(self, argument: str) -> list[nodes.Node]:
        return tables.TABLES[self.name](self.book, self.options)


class TrainerDirective(_Directive):
    """``trainer NAME==VERSION``: what a run optimises; ``:set: name=value, name=value`` gives options."""

    option_spec: ClassVar[Any] = {"set": directives.unchanged}

    def make(self, argument: str) -> list[nodes.Node]:
        return trainer_page(self.book, argument, self.options)


class TrainerOptionsDirective(_Directive):
    """``trainer-options NAME==VERSION``: the options that bear on the objective, so that a search finds their names."""

    def make(self, argument: str) -> list[nodes.Node]:
        return options_table(argument)


class _Role(_Ledger, SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            return self.make(self.text.strip()), []
        except BadInput as error:
            raise self.stop(error) from None

    def make(self, text: str) -> list[nodes.Node]:
        raise NotImplementedError


class ClaimRefRole(_Role):
    """A link to a claim's box: ``id``, or ``words <id>``."""

    def make(self, text: str) -> list[nodes.Node]:
        named = re.fullmatch(r"(.*\S)\s*<([^<>]+)>", text, re.DOTALL)
        words, claim_id = (named[1], named[2]) if named else ("", text)
        return [boxes.link(self.book.entry(claim_id).id, words)]


class HoldsRole(_Role):
    """The statement of a claim, inline, as printed where the print holds; ``id.k`` is the part number k."""

    def make(self, text: str) -> list[nodes.Node]:
        _, latex = _stated(self.book, text)
        return [nodes.math(latex, latex)]


class SymbolRole(_Role):
    """A symbol of the notation by its name."""

    def make(self, text: str) -> list[nodes.Node]:
        papers = papers_of(self.config)
        if text not in NOTATION and papers:
            catalogue.load(papers)  # their files declare symbols
        check_name(text, list(NOTATION), "symbol")
        return [nodes.math(NOTATION[text].latex, NOTATION[text].latex)]


class ValueRole(_Role):
    """The value of an equation's right side at a point of its domain: ``vy-eq14 p=1/100 beta=1/25 gamma=1``."""

    def make(self, text: str) -> list[nodes.Node]:
        return boxes.prose(self.book, values.value_of(text, papers_of(self.config)))


class CountRole(_Role):
    """How many claims match ``paper=mroueh print=wrong``; all of them for ``all``."""

    def make(self, text: str) -> list[nodes.Node]:
        wanted = dict(w.partition("=")[::2] for w in text.split() if w != "all")
        return [nodes.Text(str(len(self.book.matching(**wanted))))]


def _visit(translator: SphinxTranslator, node: boxes.element) -> None:
    node["begins"] = len(translator.body)
    builder, link = translator.builder, {}
    if "claim" in node:
        if node["claim"] not in builder.env.get_domain("claim").boxes:  # shown again, and nowhere first: it has no page
            raise nodes.SkipNode
        link = {"href": sphinx_pages.address(builder, builder.current_docname, node["claim"])}
    translator.body.append(translator.starttag(node, node["tag"], "", **link))


def _depart(translator: SphinxTranslator, node: boxes.element) -> None:
    translator.body.append(f"</{node['tag']}>" + "\n" * (node["tag"] != "a"))
    for name in node["ids"]:
        book, builder = ledger_of(translator.builder.config), translator.builder
        html = "".join(translator.body[node["begins"] :])
        sphinx_pages.write(builder, book, book.entry(name.removeprefix(anchor(""))), builder.current_docname, html)


def _nothing(translator: SphinxTranslator, node: nodes.Element) -> None:
    """Formats other than HTML show what is inside."""


def add_html_node(app: Sphinx, node: type[nodes.Element], visit: Any, depart: Any) -> None:
    """Register a node that is more than its children in HTML alone."""
    others = dict.fromkeys(("latex", "text", "man", "texinfo"), (_nothing, _nothing))
    app.add_node(node, html=(visit, depart), **others)


def _read_ledger(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Once, before Sphinx forks the processes that read pages."""
    if docnames:
        ledger_of(app.config)


def _configure_mathjax(app: Sphinx, config: Config) -> None:
    """MathJax refuses formulas of more than 5120 characters, unless its buffer is larger; a few checked ones have. A
    formula is typeset when it comes into view: a page may have thousands, most of them folded away. MathJax 4 breaks
    what is wider than its place, where it can be broken, and takes words for words. Screen readers read MathML, since
    it would otherwise start a process for speech, which browsers refuse for files on disk.
    """
    mathjax.configure(config, {"tex": {"maxBuffer": _LONGEST_TEX}, "loader": {"load": ["ui/lazy"]}})
    if mathjax.is_four(app):
        mathjax.configure(config, mathjax.OPTIONS)


def _style(app: Sphinx) -> None:
    app.config.html_static_path.append(str(Path(__file__).parent / "static"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything; called by Sphinx."""
    app.add_config_value("claims_ledger", "ledger.json", "env", str)
    app.add_config_value("claims_papers", [], "env", (list, tuple))
    app.add_domain(ClaimDomain)
    add_html_node(app, boxes.element, _visit, _depart)
    add_html_node(app, tables.claim_graph, _nothing, _nothing)
    app.add_directive("claim", ClaimDirective)
    app.add_directive("formula", FormulaDirective)
    app.add_directive("claims-of", ClaimsOfDirective)
    app.add_directive("derivation", DerivationDirective)
    app.add_directive("result", ResultDirective)
    app.add_directive("trainer", TrainerDirective)
    app.add_directive("trainer-options", TrainerOptionsDirective)
    for name in tables.TABLES:
        app.add_directive(name, TableDirective)
    app.add_role("claim-ref", ClaimRefRole())
    app.add_role("holds", HoldsRole())
    app.add_role("sym", SymbolRole())
    app.add_role("value", ValueRole())
    app.add_role("claim-count", CountRole())
    app.connect("builder-inited", _check_papers)
    app.connect("config-inited", _places)
    app.connect("config-inited", _configure_mathjax)
    app.connect("builder-inited", _style)
    app.connect("env-before-read-docs", _read_ledger)
    app.connect("doctree-read", _contents, priority=900)  # after Sphinx has made the contents
    app.connect("doctree-resolved", _draw)
    app.add_css_file(_STYLE)
    for script in _SCRIPTS:
        app.add_js_file(script, loading_method="defer")
    return {
        "version": __version__,
        "env_version": _own_version(),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def _own_version() -> int:
    """Changes with what makes the pages, so that Sphinx makes them again."""
    makers = (
        boxes,
        lines,
        plain,
        tables,
        part_graph,
        theory_table,
        coverage,
        points,
        ledgerbook,
        values,
        notation,
        sphinx_pages,
    )
    files = [Path(__file__), sphinx_pages.TEMPLATE, *(Path(str(m.__file__)) for m in makers)]
    return zlib.crc32(b"".join(f.read_bytes() for f in files))


def _contents(app: Sphinx, doctree: nodes.document) -> None:
    """Put the claims of a page into its contents, each under the section that it stands in."""
    page = app.env.docname
    toc = app.env.tocs[page]
    items = {str(ref["anchorname"]): ref.parent.parent for ref in toc.findall(nodes.reference)}
    put: dict[str, int] = {}
    for box in doctree.findall(boxes.element):
        claim_id = next((name.removeprefix(anchor("")) for name in box["ids"]), None)
        section = _section(box)
        if claim_id is None or section is None:
            continue
        item = items.get(f"#{section['ids'][0]}", items.get(""))
        if item is None:
            continue
        if not isinstance(item[-1], nodes.bullet_list):
            item += nodes.bullet_list()
        title = boxes.words(ledger_of(app.config).entry(claim_id).title)
        name = {"internal": True, "refuri": page, "anchorname": f"#{anchor(claim_id)}"}
        entry = nodes.list_item("", compact_paragraph("", "", nodes.reference("", "", *title, **name)))
        at = put.setdefault(str(section["ids"]), 0)  # before the sections within
        item[-1].insert(at, entry)
        put[str(section["ids"])] += 1


def _section(node: nodes.Node) -> nodes.section | None:
    """The section that a node stands in."""
    while node is not None and not isinstance(node, nodes.section):
        node = node.parent
    return node


def _draw(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the graphs of claims where they belong, now that the page of every claim is known."""
    for node in list(doctree.findall(tables.claim_graph)):
        places = app.env.get_domain("claim").boxes
        address = {i: f"{app.builder.get_relative_uri(page, p)}#{anchor(i)}" for i, p in places.items()}
        if node["paper"]:
            titles = {i: app.env.titles[p].astext() for i, p in places.items()}
            drawn = part_graph.part_graph(ledger_of(app.config), node["paper"], address, titles)
        else:
            drawn = tables.drawn(ledger_of(app.config), address)
        node.replace_self(nodes.raw("", drawn, format="html"))
