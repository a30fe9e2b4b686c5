"""The one line of import of a result file: what it brings, and that nothing is lost by it."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

import pytest

from grpo_symbolic import notation, paper, proof
from grpo_symbolic.catalogue import builtin_folders

FILES = [f for folder in builtin_folders() for f in sorted(folder.glob("*.py"))]


def test_it_brings_letters_statements_and_functions_as_they_are() -> None:
    assert {"x", "pi", "G", "scalar", "Always", "Result", "log", "Sum", "kl", "exp_positive"} <= set(paper.__all__)
    for name in paper.__all__:
        home = next((m for m in (proof, notation) if name in m.__all__), None)
        assert home is None or getattr(paper, name) is getattr(home, name), name
    assert not set(paper.__all__) & set(dir(builtins))


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_no_file_of_ours_imports_what_the_line_takes_from_it_again(file: Path) -> None:
    bound: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            assert node.module == "grpo_symbolic.paper"
            assert not bound & set(paper.__all__)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {a.asname or a.name for a in node.names}
            plain = {a.name for a in node.names if a.asname is None}
            others = ("grpo_symbolic.notation", "grpo_symbolic.proof")
            assert not (isinstance(node, ast.ImportFrom) and node.module in others and plain), "the one line has it"
