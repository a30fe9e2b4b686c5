"""The notebooks of the book: what they have stored is complete, clean, and guarded by nbval.

``make test`` runs them from top to bottom (``pytest --nbval``). Here it is shown that such a run fails when a stored
number is another one, and that the sanitising file hides nothing but times, versions and the name of the device.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from checkout import ROOT
from nbval.plugin import get_sanitize_patterns

BOOK = ROOT / "book"
FOLDER = BOOK / "notebooks"
SANITIZE = FOLDER / "sanitize.cfg"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LARGEST = 200_000  # bytes, images included
NUMBER = re.compile(r"\d+(?:\.\d+)*")
# Numbers that a run need not reproduce, by the text around them.
VARIES = (
    r"(?:agree|unavailable|holds|refuted|unknown) +{number}(?:  |$)",
    r"^{number} s of checking in this evidence; this run took",
    r"this run took {number} s$",
    r"\b(?:Arb|FLINT|Z3|cvc5|mpmath) {number} ",
    r"^# version: grpo-symbolic {number}$",
)

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def texts(*cells: Any) -> Iterator[tuple[Any, str, str]]:
    """Each piece of text that is stored as output of the cells: where it stands, under which key, and the text."""
    for cell in cells:
        for output in cell.get("outputs", []):
            if "text" in output:
                yield output, "text", output["text"]
            for kind in ("text/plain", "text/latex"):
                if kind in output.get("data", {}):
                    yield output["data"], kind, output["data"][kind]


def sanitized(text: str) -> str:
    for pattern, replacement in get_sanitize_patterns(SANITIZE.read_text(encoding="utf-8")):
        text = re.sub(pattern, replacement, text)
    return text


def nbval(path: Path) -> subprocess.CompletedProcess[str]:
    """What ``make test`` does with the notebooks, with one in a folder of its own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "--nbval"]
    command += ["--nbval-sanitize-with", str(SANITIZE), "--rootdir", str(path.parent), str(path)]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True)


def test_there_are_notebooks_and_the_book_has_them_all() -> None:
    in_book = set(re.findall(r"file: notebooks/(\w+)$", (BOOK / "_toc.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert len(NOTEBOOKS) >= 5
    assert in_book == {path.stem for path in NOTEBOOKS}


@every_notebook
def test_stored_outputs_are_complete_and_clean(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    assert path.stat().st_size < LARGEST
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert set(notebook.metadata.language_info) == {"name"}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        assert set(cell.metadata) <= {"mystnb"}, "no tag tells nbval to look away"
        assert "NBVAL_" not in cell.source
        assert all(output.output_type in ("stream", "display_data", "execute_result") for output in cell.outputs)
        assert all(output.get("name") != "stderr" for output in cell.outputs)
        if any("image/png" in output.get("data", {}) for output in cell.outputs):
            assert cell.metadata.mystnb.image.alt
    assert not re.search(r"/(?:home|root|tmp|usr|work)/", path.read_text(encoding="utf-8"))


@every_notebook
def test_it_says_what_the_reader_will_know_and_ends_with_something_to_try(path: Path) -> None:
    cells = read(path).cells
    assert "**When you have worked through this page**" in cells[0].source
    assert re.search(r"^## Try this$", cells[-1].source, re.MULTILINE)


@every_notebook
def test_no_number_is_hidden_but_times_and_versions(path: Path) -> None:
    seen = 0
    for _, _, text in texts(*read(path).cells):
        for found in NUMBER.finditer(text):
            seen += 1
            start, end = found.span()
            every = "".join(str(9 - int(c)) if c.isdigit() else c for c in found.group())
            last = found.group()[:-1] + every[-1]
            if any(sanitized(text[:start] + other + text[end:]) == sanitized(text) for other in (every, last)):
                line = text[text.rfind("\n", 0, start) + 1 : (text.find("\n", end) + 1 or len(text) + 1) - 1]
                patterns = [kind.format(number=re.escape(found.group())) for kind in VARIES]
                assert any(re.search(pattern, line) for pattern in patterns), f"{found.group()} is hidden in: {line}"
    assert seen >= 5


@pytest.mark.parametrize(
    ("name", "stored", "changed"),
    [
        ("predict_success", "mean success 0.3308 -> 0.7840\n", "mean success 0.3308 -> 0.7841\n"),
        ("change_the_penalty", r"\gamma x^{2}", r"\gamma x^{3}"),
    ],
    ids=["number", "formula"],
)
def test_a_changed_output_fails(tmp_path: Path, name: str, stored: str, changed: str) -> None:
    """Up to the cell with the output, the notebook passes as it is, and fails with a digit of that output changed."""
    notebook = read(FOLDER / f"{name}.ipynb")
    cells = enumerate(notebook.cells)
    place = next(number for number, cell in cells if any(stored in text for _, _, text in texts(cell)))
    notebook.cells = notebook.cells[: place + 1]
    same, different = tmp_path / "same.ipynb", tmp_path / "different.ipynb"
    nbformat.write(notebook, same)
    for where, key, text in texts(*notebook.cells):
        where[key] = text.replace(stored, changed)
    nbformat.write(notebook, different)
    good, bad = nbval(same), nbval(different)
    assert good.returncode == 0, good.stdout
    assert bad.returncode == 1, bad.stdout
    assert "1 failed" in bad.stdout
    assert "Cell outputs differ" in bad.stdout
