"""The letters of long result files: the docstring says what each stands for, and names none that is not there."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from checkout import ROOT

from grpo_symbolic import notation
from grpo_symbolic.notation import NOTATION

LONG = 300  # lines of a file from which on it says what its letters mean
FREE = frozenset("qstuvxyz")  # letters that a file may use for what it likes
DERIVATIONS = ROOT / "derivations"
FILES = {path: path.read_text(encoding="utf-8") for path in sorted(DERIVATIONS.glob("*/*.py"))}
LISTED = {path: text for path, text in FILES.items() if text.count("\n") > LONG}


def letters_said(text: str) -> str:
    """The paragraph of a module's docstring that says what its letters mean; empty where there is none."""
    found = re.search(r"^Letters\.(.*?)(?=^\w+\.|\Z)", ast.get_docstring(ast.parse(text)) or "", re.M | re.S)
    return found.group(1) if found else ""


def named(paragraph: str) -> set[str]:
    """The letters of the alphabet that stand alone in it; ‘a’ is a word."""
    return set(re.findall(r"(?<![\w'’])[b-zA-Z](?![\w'’])", paragraph))


def letters_of(text: str) -> tuple[set[str], set[str]]:
    """The letters of a file's symbols and of its own names, and those that it takes from the notation."""
    nodes = list(ast.walk(ast.parse(text)))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {a.asname or a.name for n in nodes if isinstance(n, ast.ImportFrom) and n.level for a in n.names}
    used = own | {node.id for node in nodes if isinstance(node, ast.Name)}
    taken = {name: getattr(notation, name) for name in notation.__all__ if name in used - own}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "grpo_symbolic.notation":
            taken |= {alias.asname or alias.name: getattr(notation, alias.name) for alias in node.names}
    return used | {printed(symbol) for name, symbol in taken.items() if name in used}, set(taken)


def printed(symbol: object) -> str:
    """How a symbol, a family or a number for each token is printed."""
    name = str(symbol)
    return NOTATION[name].latex if name in NOTATION else str(getattr(symbol, "latex", name))


def shown(path: Path, text: str) -> set[str]:
    """The letters that a reader meets: in the titles, labels and remarks of a file, and in what its claims print."""
    tree = ast.parse(text)
    strings = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    claims = path.with_suffix(".claims").read_text(encoding="utf-8").splitlines()
    listed = [letter for line in claims if line.startswith("{") for letter in json.loads(line).get("letters", ())]
    return set().union(*(named(s) for s in strings if s != tree.body[0].value.value), *(named(b) for _, b in listed))


@pytest.mark.parametrize("path", LISTED, ids=lambda path: path.stem)
def test_long_result_files_say_what_their_letters_stand_for(path: Path) -> None:
    paragraph = letters_said(LISTED[path])
    used, taken = letters_of(LISTED[path])
    assert paragraph.strip(), "no paragraph Letters"
    assert taken & FREE <= named(paragraph), "letters of the notation that it does not explain"
    assert named(paragraph) <= used | shown(path, LISTED[path]), "letters that the file does not use"


def test_a_list_of_letters_can_be_wrong() -> None:
    assert LISTED
    listed = '"""One line.\n\nLetters.     u is a ratio, and h a map.\n"""\n'
    text = listed + "from grpo_symbolic.paper import *\nw = u + v\n"
    used, taken = letters_of(text)
    assert named(letters_said(text)) == {"u", "h"}
    assert taken - named(letters_said(text)) == {"v"}
    assert named(letters_said(text)) - used == {"h"}
    assert not letters_said('"""One line."""')
