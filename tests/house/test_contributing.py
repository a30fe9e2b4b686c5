"""What CONTRIBUTING.md asks: a change touches what its row names, and a judgement of a print names its case."""

from __future__ import annotations

import ast
import re

import pytest
from checkout import ROOT

from grpo_symbolic import catalogue
from grpo_symbolic.proof.statements.evidence import PrintVerdict

PACKAGE = ROOT / "grpo_symbolic"
# Files that speak of single estimators, and need no new line for another: options, facts, claims and examples.
ABOUT = {
    f"grpo_symbolic/trainers/{name}.py"
    for name in ("trl", "verl", "openrlhf", "nemo_rl", "ms_swift", "slime", "unsloth", "prime_rl", "facts")
}
ABOUT |= {"grpo_symbolic/theory/coverage.py", "grpo_symbolic/theory/points.py", "grpo_symbolic/objectives/__init__.py"}


def row(of: str) -> list[str]:
    """The files that the row names."""
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^\| {re.escape(of)} \| (.*) \|$", table, re.M)
    return re.findall(r"`([\w/<>.-]+/[\w<>.-]+)`", found)


def naming(pattern: str) -> set[str]:
    """The source files whose code, apart from what documents it, has a word that matches."""
    found = set()
    for file in PACKAGE.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        documents = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        for node in ast.walk(tree):
            if id(node) in documents:
                continue
            match node:
                case ast.Constant(value=str(word)):
                    words = [word]
                case ast.Attribute():
                    words = [ast.unparse(node)]
                case ast.ImportFrom(module=str(module)):
                    words = [module, *(name.name for name in node.names)]
                case ast.ClassDef() | ast.FunctionDef():
                    words = [node.name]
                case _:
                    continue
            if any(re.fullmatch(pattern, word) for word in words):
                found.add(file.relative_to(ROOT).as_posix())
    return found


@pytest.mark.parametrize(
    ("kind", "most", "example", "pattern"),
    [
        ("a divergence, or an estimator of one", 6, "", r"(\w+\.)*(Estimator|PenaltyName)\.K1|k1"),
        ("an array library", 2, "", r"(\w+\.)*jax(\.\w+)*|jnp"),
        ("an algorithm", 3, "dpo", r"grpo_symbolic\.objectives\.dpo"),
        ("a checker: a way to decide an obligation", 5, "limits", r"Gruntz|gruntz"),
    ],
)
def test_what_a_change_touches_is_what_its_row_names(kind: str, most: int, example: str, pattern: str) -> None:
    named = {re.sub(r"<\w+>", example, file) for file in row(kind)}
    assert len(named) <= most
    assert [file for file in sorted(named) if not (ROOT / file).is_file()] == []
    touched = naming(pattern)
    assert touched - ABOUT <= named
    assert len(touched & named) >= 2  # the pattern finds the example


def test_every_place_that_is_named_is_there() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Add a claim")[0]
    places = [p for p in re.findall(r"`((?:grpo_symbolic|tests|docs|oracles)/[^`<]*)`", table)]
    assert len(places) > 12
    assert [p for p in places if not (ROOT / p).exists()] == []


def test_tests_have_the_rooms_of_the_package() -> None:
    rooms = {file.parent.relative_to(ROOT / "tests") for file in (ROOT / "tests").rglob("test_*.py")}
    assert len(rooms) > 15
    assert [str(room) for room in sorted(rooms) if not (PACKAGE / room).is_dir()] == ["house"]


def test_judgements_name_their_case_and_their_copy() -> None:
    prints = [c for c in catalogue.index().listings.values() if c.printed is not None]
    slips = [c for c in prints if c.print_expected is PrintVerdict.misprint]
    assert slips
    assert not [c.id for c in slips if not re.search(r"cop(y|ies)\b", c.print_remark)]
    likeness = re.compile(r"\b(akin|similar(ly)?|essentially)\b")
    alike = [c for c in prints if c.print_expected is PrintVerdict.holds and likeness.search(c.printed or "")]
    assert alike
    assert not [c.id for c in alike if not re.search(r"” is read (so|as)\b", c.remark)]
