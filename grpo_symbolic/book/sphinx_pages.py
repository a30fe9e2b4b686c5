"""A page of its own for every claim, at an address that stays: ``c/ID.html``, written as its box is written.

Sphinx would need a document a claim, and a minute; here the HTML of the box is put into one template. Such a page can
be linked to, cited and read alone: the box, the LaTeX of what it says, a BibTeX entry, and the way back to the book.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, select_autoescape
from sphinx.builders import Builder

from grpo_symbolic import catalogue
from grpo_symbolic.book import mathjax
from grpo_symbolic.book.ledgerbook import LedgerBook, anchor
from grpo_symbolic.book.live import pages as live
from grpo_symbolic.ledger import Entry
from grpo_symbolic.report.advice import ON_PRINTS

FOLDER = "c"
TEMPLATE = Path(__file__).with_name("claim_page.html")
_BUILDERS = ("html", "dirhtml")


def page_of(claim_id: str) -> str:
    """The name that the page of a claim has among those of the book."""
    return f"{FOLDER}/{claim_id}"


def address(builder: Builder, page: str, claim_id: str) -> str:
    """The link from a page of the book to a claim's own page; empty where the builder makes no such pages."""
    return str(builder.get_relative_uri(page, page_of(claim_id))) if builder.name in _BUILDERS else ""


def write(builder: Any, book: LedgerBook, entry: Entry, page: str, box: str) -> None:
    """Write the page of a claim, whose box is this HTML on a page of the book that ``builder`` makes."""
    config, titles = builder.config, builder.env.titles
    if builder.name not in _BUILDERS:
        return
    here = builder.get_target_uri(page_of(entry.id))
    root = posixpath.relpath(".", posixpath.dirname(here) or ".")
    place = posixpath.normpath(posixpath.join(root, builder.get_target_uri(page)))
    engine = str(getattr(config, "mathjax_path", ""))
    text = _template().render(
        entry=entry,
        judged=ON_PRINTS[entry.print_verdict],
        box=moved(box, builder.get_target_uri(page), root, book.entries),
        root=root,
        home=posixpath.normpath(posixpath.join(root, builder.get_target_uri(config.root_doc))),
        place=f"{place}#{anchor(entry.id)}",
        page_title=titles[page].astext() if page in titles else page,
        book_title=config.html_title or config.project,
        paper=book.papers[entry.paper],
        arxiv=_numbers().get(entry.paper, ""),
        bibtex=bibtex(entry, book),
        mathjax=engine if "://" in engine else f"{root}/_static/{engine}",
        live=live.script(root, "check.mjs") if live.folder_of(config) else "",
        mathjax_options=json.dumps(mathjax.options(config)),
    )
    file = Path(builder.get_outfilename(page_of(entry.id)))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@cache
def _template() -> Template:
    """The page's template; what it names and nobody gives is an error, and no gap in the page."""
    loader, escape = FileSystemLoader(TEMPLATE.parent), select_autoescape()
    templates = Environment(loader=loader, autoescape=escape, trim_blocks=True, undefined=StrictUndefined)
    return templates.get_template(TEMPLATE.name)


@cache
def _numbers() -> dict[str, str]:
    """The arXiv numbers of the built-in papers that have one."""
    return {paper: number for paper, (_, number) in catalogue.index().papers.items() if number}


def moved(html: str, page: str, root: str, ids: Collection[str]) -> str:
    """The links of a box as they read from the claim's own page: claims lead to claims, the others into the book.

    >>> moved('<a href="../b/two.html#claim-x-1">', "a/one.html", "..", {"x-1"})
    '<a href="x-1.html">'
    >>> moved('<a href="../b/two.html#else"><a href="#here">', "a/one.html", "..", {"x-1"})
    '<a href="../b/two.html#else"><a href="../a/one.html#here">'
    """
    suffix = ".html" if page.endswith(".html") else "/"

    def target(link: re.Match[str]) -> str:
        href = unescape(link[1])
        if re.match(r"[a-z]+:", href):
            return link[0]
        path, mark, fragment = href.partition("#")
        claim_id = fragment.removeprefix(anchor(""))
        if claim_id != fragment and claim_id in ids:
            return f'href="{escape(claim_id if suffix == ".html" else f"../{claim_id}")}{suffix}"'
        place = posixpath.normpath(posixpath.join(root, posixpath.dirname(page), path)) if path else f"{root}/{page}"
        return f'href="{escape(place + mark + fragment)}"'

    return re.sub(r'href="([^"]*)"', target, html)


def bibtex(entry: Entry, book: LedgerBook) -> str:
    """An entry that names the claim, its verdict, the paper and the release that checked it."""
    release = book.ledger.environment.versions.get("grpo-symbolic", "")
    number = _numbers().get(entry.paper, "")
    paper = f"{book.papers[entry.paper]}, {entry.locator}" + (f", arXiv:{number}" if number else "")
    about = f"on {paper}" if entry.is_printed else f"about {entry.locator}"
    fields = {
        "title": f"{{{entry.title}}}",
        "howpublished": f"grpo-symbolic {release}, claim {entry.id}",
        "note": f"{entry.verdict}, {entry.weakest.name} at its weakest link; {about}",
    }
    body = ",\n".join(f"  {name} = {{{_written(text)}}}" for name, text in fields.items())
    return f"@misc{{{entry.id},\n{body},\n}}"


def _written(text: str) -> str:
    """Plain words as BibTeX reads them."""
    return re.sub(r"([%&#_$])", r"\\\1", text)
