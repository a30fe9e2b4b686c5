"""The main text as one document, and as a PDF: links lead within it, and what is folded away stays in the pages."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path

import pytest
from checkout import ROOT
from playwright import sync_api

sys.path.insert(0, str(ROOT / "book" / "_ext"))
pdf = importlib.import_module("pdf")

TOC = """
root: index
parts:
  - {caption: A paper, chapters: [{file: paper/one}]}
  - {caption: Figures, chapters: [{file: figures}]}
"""
PAGES = {
    "index": '<a href="paper/one.html#claim-x">to x</a> <a href="figures.html">elsewhere</a> '
    '<a href="https://arxiv.org">out</a> <p>or <span id="main-text-pdf">the <b>PDF</b></span></p>',
    "paper/one": '<div id="claim-x">x<img src="../_images/x.png"></div><a href="#claim-x">up</a>'
    '<a href="../index.html">home</a><details>evidence<details>more</details></details>kept',
    "figures": "not main text",
}


@pytest.fixture
def build(tmp_path: Path) -> Path:
    (tmp_path / "_toc.yml").write_text(TOC)
    for page, body in PAGES.items():
        file = tmp_path / "html" / f"{page}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<html><head><title>T</title></head><body><article>{body}</article></body></html>")
    return tmp_path


def test_links_lead_within_the_document_and_folds_are_left_out(build: Path) -> None:
    pages = pdf.pages_of(build / "_toc.yml")
    assert pages == ["index", "paper/one"]
    made = pdf.document(build / "html", pages)
    assert '<a href="#paper/one--claim-x">to x</a> elsewhere <a href="https://arxiv.org">out</a>' in made
    assert '<div id="paper/one--claim-x">x<img src="html/_images/x.png"/></div>' in made
    assert '<a href="#paper/one--claim-x">up</a><a href="#index">home</a>kept' in made
    assert "evidence" not in made
    assert "not main text" not in made


def test_the_front_page_links_to_the_pdf_once_it_is_there(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = []

    def write(source: Path, target: Path, chromium: str) -> None:
        printed.append(source)
        target.write_bytes(b"%PDF")

    monkeypatch.setattr(pdf, "printed", write)
    monkeypatch.setattr(pdf.shutil, "which", lambda name: name)
    for _ in range(2):  # the second finds nothing new
        pdf.main(build / "_toc.yml", build)
    front = (build / "html" / "index.html").read_text()
    assert front.count('<a href="main_text.pdf">the <b>PDF</b></a>') == 1
    assert printed == [build / "main_text.html"]


def test_without_a_browser_it_says_what_it_needs(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="needs Chromium"):
        pdf.main(build / "_toc.yml", build)


@pytest.mark.skipif(not any(map(shutil.which, pdf.CHROMIUMS)), reason="no Chromium: apt-get install chromium")
def test_a_browser_prints_it(build: Path) -> None:
    pdf.main(build / "_toc.yml", build)
    assert (build / "html" / "main_text.pdf").read_bytes().startswith(b"%PDF")


BUILT = ROOT / "book" / "_build" / "html"


@pytest.mark.skipif(not any(map(shutil.which, pdf.CHROMIUMS)), reason="no Chromium: apt-get install chromium")
@pytest.mark.skipif(not (BUILT / "_static" / "mathjax").is_dir(), reason="not built, or without npm: make book")
def test_mathjax_sets_the_formulas_of_a_file_on_disk(tmp_path: Path) -> None:
    """It once waited forever for what browsers refuse to files on disk."""
    (tmp_path / "html").symlink_to(BUILT)
    source = tmp_path / "part.html"
    source.write_text(pdf.document(tmp_path / "html", ["index", "vojnovic_yun/eq14_binary_pairs"]), "utf-8")
    with sync_api.sync_playwright() as engine:
        chromium = next(filter(None, map(shutil.which, pdf.CHROMIUMS)))
        browser = engine.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(source.as_uri())
        page.wait_for_function("window.MathJax?.startup?.promise?.then(() => true)", timeout=60_000)
        assert page.locator("mjx-container").count() >= page.locator(".math").count() > 50
        browser.close()


def test_the_front_page_of_the_book_has_a_place_for_the_link() -> None:
    assert f'<span id="{pdf.PLACE}">' in (ROOT / "book" / "index.md").read_text(encoding="utf-8")
    assert pdf.pages_of(ROOT / "book" / "_toc.yml")[-1].startswith("trainers/")
