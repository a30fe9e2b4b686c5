"""All that is wrong in a result file of one's own, and not only what stops it first.

A file that fails is run again, statement by statement: one that fails is passed over, and so is what fails for want of
the names that it would have given. What is left are slips that do not follow from one another.
"""

from __future__ import annotations
import __future__

import ast
import re
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from grpo_symbolic.errors import BadInput, sentences_of
from grpo_symbolic.files import place_of

__all__ = ["lines_of", "piecewise", "slips_of"]

_HANDING_ON = tuple(
    f"grpo_symbolic.{module}" for module in ("notation", "proof", "proof.statements.lemmas", "objectives")
)


def slips_of(error: BaseException, file: Path) -> list[str]:
    """What is wrong with a ``file`` that raises an ``error``, a sentence each, with the line."""
    place = place_of(file)
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if Path(frame.filename) == file]
    where = "".join(f" (line {line})" for line in lines[-1:])
    if isinstance(error, BadInput):
        return [f"{place}: {sentence}{where}" for sentence in sentences_of(error)]
    if reason := _of_claim(str(error)):
        return [f"{place}: {reason}{where}"]
    reason = f"{place} does not import: {type(error).__name__}: {error}{where}"
    if "truth value of Relational" in str(error):
        reason += "; two conditions are And(0 < p, p < 1), or two arguments of a Domain, not 0 < p < 1 nor 'and'"
    elif isinstance(error, NameError) and error.name:
        reason += _instead(error.name)
    elif isinstance(error, ImportError) and (
        missing := re.match(r"cannot import name '(\w+)' from '([\w.]+)'", str(error))
    ):
        reason = f"{place} does not import: {missing[2]} has no {missing[1]!r}{where}{_instead(missing[1], missing[2])}"
    return [reason]


def _of_claim(message: str) -> str:
    """What is wrong with the arguments of ``claim(…)``, where Python says that something is."""
    if not message.startswith("Result.claim() "):
        return ""
    from grpo_symbolic.proof.registration import Result  # which takes an engine to import

    known = [name for name in signature(Result.claim).parameters if name != "self"]
    if strange := re.search("unexpected keyword argument '(.+)'", message):
        near = get_close_matches(strange[1], known, n=1)
        meant = f": did you mean {near[0]}=…?" if near else f": it takes {', '.join(known)}"
        return f"claim(…) has no argument {strange[1]}=…{meant}"
    if lacking := re.search(r"missing \d+ required [a-z-]+ arguments?: (.+)", message):
        return "claim(…) lacks " + ", ".join(f"{name}=…" for name in re.findall("'(.+?)'", lacking[1]))
    return ""


def _instead(name: str, module: str = "") -> str:
    """Which module of the package has a name that a file does not find, or what else of a ``module`` may be meant, as
    the end of a sentence.
    """
    for known in _HANDING_ON:
        if _hands_on(known, name):
            return f"; {known} has it: import it from there"
    if module not in _HANDING_ON:
        return ""
    near = [other for other in get_close_matches(name, dir(import_module(module)), n=3) if _hands_on(module, other)]
    meant = f"; did you mean {', '.join(near)}?" if near else ""
    return f"{meant or ';'} a letter of your own is declared with scalar(…)" if module == _HANDING_ON[0] else meant


def _hands_on(module: str, name: str) -> bool:
    """Whether a module of the package has a name that is the package's own, and not one that it imports itself."""
    value = getattr(import_module(module), name, None)
    own = getattr(value, "__module__", "") or ""
    return own.startswith("grpo_symbolic") or type(value).__name__ in ("Symbol", "IndexedBase")


def lines_of(file: Path) -> dict[str, list[int]]:
    """The lines at which the text of a file registers claims, by their ids as far as these are written there."""
    lines_by_id: dict[str, list[int]] = {}
    try:
        tree = ast.parse(file.read_bytes(), str(file))
    except (OSError, SyntaxError, ValueError):
        return lines_by_id
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "claim":
            match node.args:
                case [ast.Constant(value=str(id)), *_]:
                    lines_by_id.setdefault(id, []).append(node.lineno)
    return {id: sorted(lines) for id, lines in lines_by_id.items()}


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
            slips += [] if follows else slips_of(error, file)
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
