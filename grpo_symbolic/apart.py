"""Running a result file of one's own in a process apart: back come its claims, or one sentence that says why not.

The process has a time and a memory limit, and whatever the file does to the package, or to the process, stays there:
of what comes back only the declarations are taken, and everything that follows from them is found anew.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grpo_symbolic.errors import BadInput

if TYPE_CHECKING:
    from grpo_symbolic.notation import Entry
    from grpo_symbolic.proof.claims import Claim

SECONDS = 60  # a result file of the built-in papers takes at most two
MEMORY = 4 << 30  # bytes beyond what is in use already


@dataclass(frozen=True)
class Loaded:
    """What a file registers and declares, and the digests of the files that running it imported."""

    claims: tuple[Claim, ...] = ()
    notation: tuple[tuple[str, Entry], ...] = ()
    imported: tuple[tuple[str, str], ...] = ()
    refusal: str = field(default="", kw_only=True)


def claims_of(file: Path, run: Callable[[], Iterable[Claim]]) -> Loaded:
    """The claims of a file, which ``run`` imports and gives; symbols that the file declares join the notation.

    Raises :class:`BadInput` for a file that does not import, or whose claims are refused.
    """
    from grpo_symbolic import notation
    from grpo_symbolic.proof.isolation import isolated

    name = f"{file.parent.name}/{file.name}"
    nothing = Loaded(
        refusal=f"{name} does not import within {SECONDS} seconds and {MEMORY >> 30} GB, or ends its process"
    )
    found = isolated(lambda: _run(file, run), SECONDS, nothing)
    if not isinstance(found, Loaded):
        raise BadInput(nothing.refusal)
    if found.refusal:
        raise BadInput(found.refusal)
    try:
        found = _declared(found, {})
    except BadInput as refusal:
        raise BadInput(f"{name}: {refusal}") from refusal
    for word, entry in found.notation:
        notation.declare(word, entry)
    return found


def _declared(value: Any, known: dict[int, Any]) -> Any:
    """An object made anew of what it was made of, without what it has concluded from that: the functions that did so
    may have been replaced by the file.
    """
    from grpo_symbolic.proof.domain import Domain

    if id(value) in known:
        return known[id(value)][1]
    new = value
    if isinstance(value, Domain):
        said = (*sorted(value.free, key=str), *value.families, *value.constraints)
        new = Domain(*(_declared(part, known) for part in said))
    elif isinstance(value, tuple) and type(value) is not tuple:
        new = type(value)(*(_declared(part, known) for part in value))
    elif isinstance(value, tuple | list):
        new = type(value)(_declared(part, known) for part in value)
    elif isinstance(value, dict):
        new = {k: _declared(v, known) for k, v in value.items()}
    elif is_dataclass(value) and not isinstance(value, type):
        new = object.__new__(type(value))
        for part in fields(value):
            object.__setattr__(new, part.name, _declared(getattr(value, part.name), known))
    known[id(value)] = (value, new)  # which keeps the first alive, so that no other one has its number
    return new


def digest_of(path: Path) -> str:
    """The digest of a file's bytes; empty where there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _run(file: Path, run: Callable[[], Iterable[Claim]]) -> Loaded:
    from grpo_symbolic.notation import NOTATION, known
    from grpo_symbolic.proof.claims import Catalogue

    _limit_memory()
    before, names = set(sys.modules), set(NOTATION)
    try:
        claims = tuple(run())
        catalogue = Catalogue()
        for new in claims:
            catalogue.add(new, known)
    except BadInput as refusal:
        return Loaded(refusal=str(refusal))
    except MemoryError:
        return Loaded(refusal=f"{file.parent.name}/{file.name} needs more than {MEMORY >> 30} GB to import")
    except Exception as error:  # of a claim that is put together wrongly: what the file is told, and not a silence
        return Loaded(refusal=f"{file.parent.name}/{file.name} is refused: {type(error).__name__}: {error}")
    added = tuple((k, v) for k, v in NOTATION.items() if k not in names)
    paths = sorted({str(f) for m in set(sys.modules) - before if (f := getattr(sys.modules[m], "__file__", None))})
    return Loaded(claims, added, tuple((p, digest_of(Path(p))) for p in paths if "site-packages" not in p))


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # a system without limits
        return
    pages = Path("/proc/self/statm")
    used = int(pages.read_text().split()[0]) * resource.getpagesize() if pages.is_file() else 0
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
