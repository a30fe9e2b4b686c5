"""All that is wrong in a result file of one's own, and not only what stops it first.

A file that fails is run again, statement by statement: one that fails is passed over, and so is what fails for want of
the names that it would have given. What is left are slips that do not follow from one another.
"""

from __future__ import annotations
import __future__

import ast
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from grpo_symbolic.errors import BadInput, sentences_of

__all__ = ["piecewise", "told"]


def told(error: BaseException, file: Path) -> list[str]:
    """What a ``file`` that raises an ``error`` is told, a sentence each, with the line."""
    place = f"{file.parent.name}/{file.name}"
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if Path(frame.filename) == file]
    where = "".join(f" (line {line})" for line in lines[-1:])
    if isinstance(error, BadInput):
        return [f"{place}: {sentence}{where}" for sentence in sentences_of(error)]
    said = f"{place} does not import: {type(error).__name__}: {error}{where}"
    if "truth value of Relational" in str(error):
        said += "; two conditions are And(0 < p, p < 1), or two arguments of a Domain, not 0 < p < 1 nor 'and'"
    return [said]


def piecewise(file: Path, name: str) -> tuple[ModuleType, list[str]]:
    """The module ``name`` of a ``file``, as far as its statements run, and what is wrong with the others."""
    tree = ast.parse(file.read_bytes(), str(file))
    spec = spec_from_file_location(name, file)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    flags = sum(
        getattr(__future__, alias.name).compiler_flag
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        for alias in node.names
    )
    slips: list[str] = []
    lost: set[str] = set()
    for node in tree.body:
        try:
            exec(compile(ast.Module([node], []), str(file), "exec", flags, dont_inherit=True), module.__dict__)
        except (Exception, SystemExit) as error:
            follows = isinstance(error, NameError) and (error.name in lost or "*" in lost)
            slips += [] if follows else told(error, file)
            lost |= set(_bound(node))
    return module, slips


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement gives; ``*`` for an import of all that a module has."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, ast.FunctionDef | ast.ClassDef):
            yield part.name
        elif isinstance(part, ast.alias):
            yield part.asname or part.name.partition(".")[0]
