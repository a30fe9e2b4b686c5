"""The main text of the built book as one PDF, printed by the Chromium of the machine: ``make pdf``.

    python book/_ext/pdf.py book/_toc.yml book/_build

The main text is what stands before the figures in the table of contents, without what is folded away: derivations that
no page shows and evidence stay in the pages. Links lead within the document where they can.
"""

from __future__ import annotations

import json
import posixpath
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import yaml
from bs4 import BeautifulSoup, Tag

from grpo_symbolic.book import mathjax

AFTER = "Figures"  # the first part that is not main text
SOURCE, PDF, PLACE = "main_text.html", "main_text.pdf", "main-text-pdf"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
DROPPED = "details, .headerlink, .claim-page, script, style, button, input, label, iframe, nav, .figure-controls"
MINUTES = 30
PRINTED = {"tex": {"maxBuffer": 131072}, "loader": {"load": ["a11y/assistive-mml"], "paths": mathjax.PATHS}}
MATHJAX = f"window.MathJax = {json.dumps(mathjax.merged(mathjax.OPTIONS, PRINTED))}"
STYLE = """
body { font: 10.5pt/1.45 system-ui, sans-serif; margin: 0; }
h1 { font-size: 17pt; } h2 { font-size: 13.5pt; } h1, h2, h3 { break-after: avoid; }
article { break-before: page; } article:first-of-type { break-before: auto; }
.claim { break-inside: auto; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
img, svg { max-width: 100%; height: auto; } table { border-collapse: collapse; } td, th { padding: 2pt 6pt; }
"""
# Widths are read before any is changed: one layout, and not one for each formula.
FIT = """() => {
  const formulas = [...document.querySelectorAll('mjx-container[display="true"]')];
  const size = f => parseFloat(getComputedStyle(f).fontSize);
  const wide = formulas.map(f => [f, f.parentElement.clientWidth, f.scrollWidth, size(f)]);
  for (const [f, place, width, size] of wide)
    if (place > 0 && width > place) f.style.fontSize = `${size * Math.max(0.4, 0.98 * place / width)}px`;
}"""


def pages_of(toc: Path) -> list[str]:
    """The pages of the main text, in the order of the table of contents."""
    document = yaml.safe_load(toc.read_text(encoding="utf-8"))
    found = [document["root"]]
    for part in document["parts"]:
        if part["caption"] == AFTER:
            break
        found += [chapter["file"] for chapter in part["chapters"]]
    return found


def article(html: Path, page: str, pages: Sequence[str]) -> Tag:
    """What a page says, with names and links as they are within the document."""
    read = BeautifulSoup((html / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
    body = read.select_one("article")
    if body is None:
        raise SystemExit(f"{html / page}.html has no article: is it a page of the book?")
    for left_out in body.select(DROPPED):
        left_out.decompose()
    for named in body.select("[id]"):
        named["id"] = f"{page}--{named['id']}"
    for shown in body.select("[src]"):
        place = posixpath.normpath(posixpath.join(posixpath.dirname(page), str(shown["src"])))
        shown["src"] = str(shown["src"]) if str(shown["src"]).startswith("data:") else f"{html.name}/{place}"
    for link in body.select("a[href]"):
        place = _within(str(link["href"]), page, pages)
        if place:
            link["href"] = place
        else:
            link.unwrap()
    for skipped in body.select(".mathjax_ignore"):
        skipped["class"] = "tex2jax_process"
    body["id"] = page
    return body


def _within(href: str, page: str, pages: Sequence[str]) -> str:
    """Where a link of a page leads within the document; nothing for a page that is not in it."""
    if "://" in href or href.startswith("mailto:"):
        return href
    path, _, name = href.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path.removesuffix(".html"))) if path else page
    return (f"#{target}--{name}" if name else f"#{target}") if target in pages else ""


def document(html: Path, pages: Sequence[str]) -> str:
    """The main text as one page of HTML, to stand beside the folder ``html``."""
    front = BeautifulSoup((html / f"{pages[0]}.html").read_text(encoding="utf-8"), "html.parser")
    engine = next((s["src"] for s in front.select("script[src]") if "tex-chtml" in str(s["src"])), None)
    place = str(engine) if "://" in str(engine) else f"{html.name}/{engine}"
    scripts = f'<script>{MATHJAX}</script><script defer src="{place}"></script>' if engine else ""
    title = front.title.string if front.title and front.title.string else "The main text"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<link rel="stylesheet" href="{html.name}/_static/claims.css"><style>{STYLE}</style>{scripts}</head>\n<body>\n'
        + "\n".join(str(article(html, page, pages)) for page in pages)
        + "\n</body></html>\n"
    )


def printed(source: Path, target: Path, chromium: str) -> None:
    """Print a page of HTML as a PDF with an outline, its formulas typeset and no wider than the paper."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 657, "height": 1000})  # 174 mm, as wide as the text on the paper
        page.set_default_timeout(MINUTES * 60_000)
        page.emulate_media(media="print", color_scheme="light")
        page.goto(source.resolve().as_uri())
        page.evaluate("() => window.MathJax && MathJax.startup.promise.then(() => true)")
        wrong = page.locator("mjx-merror, [data-mjx-error]").count()
        if wrong:
            raise SystemExit(f"MathJax does not read {wrong} formulas of {source}")
        page.evaluate(FIT)
        margin = {"top": "17mm", "bottom": "17mm", "left": "18mm", "right": "18mm"}
        page.pdf(path=target, format="A4", margin=margin, print_background=True, outline=True, tagged=True)
        browser.close()


def link(front: Path) -> None:
    """Let the first page of the book lead to the PDF."""
    text = front.read_text(encoding="utf-8")
    read = BeautifulSoup(text, "html.parser").find(id=PLACE)
    if isinstance(read, Tag) and read.a is None:
        old = f'<span id="{PLACE}">{read.decode_contents()}</span>'
        new = f'<span id="{PLACE}"><a href="{PDF}">{read.decode_contents()}</a></span>'
        front.write_text(text.replace(old, new), encoding="utf-8")


def main(toc: Path, build: Path) -> None:
    """Print the book of ``build/html`` and link to it, if it is another than was printed last."""
    chromium = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if chromium is None:
        raise SystemExit("make pdf needs Chromium, and none was found: apt-get install chromium, or the like")
    html, source = build / "html", build / SOURCE
    pages = pages_of(toc)
    text, target = document(html, pages), html / PDF
    if not (target.is_file() and source.is_file() and source.read_text(encoding="utf-8") == text):
        print(f"printing {len(pages)} pages of the book, which takes some minutes", file=sys.stderr)
        target.unlink(missing_ok=True)
        source.write_text(text, encoding="utf-8")
        printed(source, target, chromium)
    link(html / f"{pages[0]}.html")
    print(f"open {target}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
