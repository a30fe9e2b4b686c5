"""Running a result file of one's own in a confined process: back come its claims, or one sentence that says why not.

The process has a time and a memory limit and can write nothing, and whatever the file does to the package, or to the
process, stays there: what comes back is a message (:mod:`grpo_symbolic.door`), of which declarations are made anew, and
everything that follows from them is computed anew.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grpo_symbolic.errors import BadInput, Slips, sentences_of
from grpo_symbolic.files import place_of
from grpo_symbolic.signs import seen

if TYPE_CHECKING:
    from grpo_symbolic.notation import Entry
    from grpo_symbolic.proof.claims import Claim

SECONDS = 60  # a result file of the built-in papers takes at most two
MEMORY = 4 << 30  # bytes beyond what is in use already
LONGEST = 64 << 20  # bytes of its message


@dataclass(frozen=True)
class Loaded:
    """What a file registers and declares, and the digests of the files that running it imported."""

    claims: tuple[Claim, ...] = ()
    notation: tuple[tuple[str, Entry], ...] = ()
    imported: tuple[tuple[str, str], ...] = ()
    refusals: tuple[str, ...] = field(default=(), kw_only=True)


def claims_of(file: Path, module: str, run: Callable[[], Iterable[Claim]]) -> Loaded:
    """The claims of a file, which ``run`` imports as ``module`` and gives; symbols that the file declares join the
    notation.

    Raises :class:`Slips`, with all that is wrong, for a file that does not import, or whose claims are refused, and
    where what its process sends is no message of declarations, or of claims of another file.
    """
    from grpo_symbolic import notation
    from grpo_symbolic.door.message import read
    from grpo_symbolic.isolation import FORKS, TimeLimit, forked_output, time_limit

    name = place_of(file)
    call = partial(_message, file, module, run)
    message = forked_output(call, SECONDS, LONGEST, trusted=False, name=name) if FORKS else call()
    if not message:
        raise BadInput(f"{name} does not import within {SECONDS} seconds and {MEMORY >> 30} GB, or ends its process")
    try:
        with time_limit(SECONDS):
            loaded = read(message.decode(errors="replace"), Loaded)
            if type(loaded) is not Loaded:
                raise BadInput("what it sends is no list of claims")
            if loaded.refusals:
                raise Slips(loaded.refusals)
            other = [c.id for c in loaded.claims if (c.paper, c.source) != (file.parent.name, file.name)]
            if other:
                raise BadInput(f"it gives {other[0]!r} for a claim of another file")
            for word, entry in loaded.notation:
                notation.declare(word, entry)
    except TimeLimit:
        raise BadInput(f"{name}: reading its claims takes more than {SECONDS} seconds") from None
    except BadInput as refusal:
        raise Slips(s if s.startswith(name) else f"{name}: {s}" for s in sentences_of(refusal)) from refusal
    return loaded


def digest_of(path: Path) -> str:
    """The digest of a file's bytes; empty where there is none, or one that holds none: those of the kernel's that never
    end say so of themselves.
    """
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and path.stat().st_size else ""


def _message(file: Path, module: str, run: Callable[[], Iterable[Claim]]) -> bytes:
    """The claims of the file as a message; the reasons where it does not import or its claims are refused."""
    from grpo_symbolic.door.message import written

    name = place_of(file)
    _limit_memory()
    try:
        reply = written(_loaded(file, module, run), Loaded)
    except BadInput as refusal:
        reply = written(Loaded(refusals=tuple(seen(s, " ") for s in sentences_of(refusal))), Loaded)
    except MemoryError:
        reply = written(Loaded(refusals=(f"{name} needs more than {MEMORY >> 30} GB to import",)), Loaded)
    except Exception as error:  # of a claim that is put together wrongly: its message, and not a silence
        reply = written(Loaded(refusals=(seen(f"{name} is refused: {type(error).__name__}: {error}", " "),)), Loaded)
    return reply.encode()


def _loaded(file: Path, module: str, run: Callable[[], Iterable[Claim]]) -> Loaded:
    from grpo_symbolic.door.message import written
    from grpo_symbolic.notation import NOTATION, known, printed
    from grpo_symbolic.proof.registration import Catalogue
    from grpo_symbolic.slips import lines_of

    before, names = set(sys.modules), set(NOTATION)
    slips: list[str] = []
    try:
        claims = tuple(run())
    except BadInput as refusal:
        claims, more = _piecewise(file, module)
        slips += more or sentences_of(refusal)
    catalogue, lines = Catalogue(), lines_of(file)
    for new in claims:
        where = f" (line {lines[new.id].pop(0)})" if lines.get(new.id) else ""
        try:
            written(new)  # what cannot travel is reported first
        except BadInput as refusal:
            slips.append(f"the claim {new.id!r}: {refusal}{where}")
            continue
        try:
            catalogue.add(new, known, printed)
        except BadInput as refusal:
            slips += [f"{sentence}{where}" for sentence in sentences_of(refusal)]
        except Exception as error:  # of what stands for a formula and is none
            slips.append(f"the claim {new.id!r} is put together wrongly: {type(error).__name__}: {error}{where}")
    if slips:
        raise Slips(slips)
    added = tuple((k, v) for k, v in NOTATION.items() if k not in names)
    paths = sorted({str(f) for m in set(sys.modules) - before if (f := getattr(sys.modules[m], "__file__", None))})
    return Loaded(claims, added, tuple((p, digest_of(Path(p))) for p in paths if "site-packages" not in p))


def _piecewise(file: Path, name: str) -> tuple[tuple[Claim, ...], list[str]]:
    """The claims of the statements of a file that run, and what is wrong with the others; nothing of a file that is no
    Python, or whose package fails.
    """
    from grpo_symbolic.proof.registration import registered
    from grpo_symbolic.slips import piecewise

    if name.rpartition(".")[0] not in sys.modules:
        return (), []
    try:
        module, slips = piecewise(file, name)
    except (SyntaxError, ValueError):
        return (), []
    return tuple(registered(module)), slips


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # a system without limits
        return
    pages = Path("/proc/self/statm")
    used = int(pages.read_text().split()[0]) * resource.getpagesize() if pages.is_file() else 0
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
