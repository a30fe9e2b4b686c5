"""MathJax among a book's own files, or said to be on the web: an author's book in miniature, without a network."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from pathlib import Path
from typing import Any

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from grpo_symbolic.book import downloads, mathjax
from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Ledger

CONF = """
extensions = ["myst_parser", "grpo_symbolic.book.sphinx_claims", "grpo_symbolic.book.mathjax"]
myst_enable_extensions = ["dollarmath"]
claims_ledger = "ledger.json"
mathjax_folder = "mathjax"
exclude_patterns = ["mathjax"]
"""
SPEECH = [f"sre/mathmaps/{name}.json" for name in ("base", "en", "euro", "nemeth")]
WANTED = {
    mathjax.ENGINE: [
        *("tex-chtml.js", "LICENSE", "a11y/explorer.js", "input/tex/extensions/ams.js", "ui/lazy.js"),
        *("sre/require.mjs", "sre/speech-worker.js", *SPEECH),
    ],
    mathjax.FONT: ["chtml.js", "chtml/woff2/mjx-ncm-n.woff2"],
}
BESIDE = {mathjax.ENGINE: ["tex-svg.js", "sre/mathmaps/ko.json"], mathjax.FONT: ["svg.js", "cjs/chtml.js"]}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What npm would have given, with the digests that it has."""
    folder = tmp_path / "kept"
    folder.mkdir()
    for name, files in WANTED.items():
        pin = dict(downloads.PINS[name])
        with tarfile.open(folder / pin["file"], "w:gz") as archive:
            for file in [*files, *BESIDE[name]]:
                about = tarfile.TarInfo(f"package/{file}")
                about.size = len(file)
                archive.addfile(about, io.BytesIO(file.encode()))
        pin["sha256"] = hashlib.sha256((folder / pin["file"]).read_bytes()).hexdigest()
        monkeypatch.setitem(downloads.PINS, name, pin)
    return folder


def page(source: Path) -> str:
    (source / "conf.py").write_text(CONF)
    (source / "ledger.json").write_text(json.dumps(Ledger(()).to_json()))
    (source / "index.md").write_text("# Book\n\n$x$\n")
    out = source / "_build"
    with docutils_namespace():
        Sphinx(source, source, out, out / ".trees", "html", status=None, warningiserror=True).build()
    return (out / "index.html").read_text("utf-8")


def told(html: str) -> dict[str, Any]:
    (options,) = re.findall(r"window\.MathJax = (\{.*\})</script>", html)
    return json.loads(options)


def test_a_book_brings_what_its_pages_load_and_no_more(tmp_path: Path, kept: Path) -> None:
    source = tmp_path / "book"
    assert mathjax.main([str(source / "mathjax"), str(kept)]) == 0
    html = page(source)
    static = source / "_build" / "_static"
    (script,) = re.findall(r'src="(_static/mathjax/[^"?]*)', html)
    assert script == f"_static/mathjax/{mathjax.SCRIPT}"
    files = [file for file in (static / "mathjax").rglob("*") if file.is_file()]
    assert {file.relative_to(static / "mathjax").as_posix() for file in files} == {
        *WANTED[mathjax.ENGINE],
        *(f"mathjax-newcm-font/{name}" for name in WANTED[mathjax.FONT]),
    }
    assert told(html)["loader"] == {"load": ["ui/lazy"], "paths": {"fonts": "[mathjax]"}}
    assert told(html)["output"] == {"displayOverflow": "linebreak"}


def test_what_a_package_lacks_is_said(tmp_path: Path, kept: Path) -> None:
    archive = kept / downloads.PINS[mathjax.FONT]["file"]
    with pytest.raises(BadInput, match=r"has no chtml/woff/"):
        downloads.unpack(archive, tmp_path / "font", ["chtml.js", "chtml/woff/"])


def test_without_npm_it_is_said_that_formulas_need_the_web(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(downloads.shutil, "which", lambda name: None)
    source = tmp_path / "book"
    assert mathjax.main([str(source / "mathjax"), str(tmp_path / "kept")]) == 0
    said = capsys.readouterr().err
    assert said.startswith("the book's formulas need the web: ")
    assert said.endswith("comes from npm, and there is no npm here\n")
    source.mkdir(exist_ok=True)
    html = page(source)
    assert f'src="{mathjax.WEB}"' in html
    assert "paths" not in told(html)["loader"]  # of the web its font as well


def test_what_is_kept_is_not_believed(tmp_path: Path, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = kept / downloads.PINS[mathjax.FONT]["file"]
    file.write_bytes(b"something else")
    assert mathjax.main([str(tmp_path / "made"), str(kept)]) == 0
    assert f"{file} has the digest" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()
