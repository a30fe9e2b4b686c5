"""A corpus of false sentences, by what makes a prover believe them: none of them may ever be proved.

Each module holds one kind of cause. An entry has a name, one line that says why it is false, and a function that
writes it as a result file would: it is called when the entry is judged, so that a refusal stops no other entry.

- ``false``: a sentence that does not hold, or that has no meaning on a part of its domain.
- ``misjudged``: a claim whose judgement on the print does not follow from its evidence.
- ``true``: a near variant that holds and must be proved; an engine that refuses everything fails here.
- ``unrefuted``: a sentence that holds and may be left open, but must not be refuted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from grpo_symbolic.proof import Claim, Result

Written = tuple[Any, Any] | Claim | list[Claim]


@dataclass(frozen=True)
class Entry:
    """One sentence: ``write`` gives domain and statement, a claim, or several claims of which the first is meant."""

    kind: str
    cause: str
    name: str
    why: str
    write: Callable[[], Written]

    def __str__(self) -> str:
        return f"{self.cause}: {self.name}"

    def claims(self) -> list[Claim]:
        """The sentence as claims, the one that is meant first."""
        written = self.write()
        if isinstance(written, tuple):
            return [claimed(*written, id=self.name)]
        return written if isinstance(written, list) else [written]


ENTRIES: list[Entry] = []


def claimed(domain: Any, statement: Any, id: str = "sentence", **fields: Any) -> Claim:
    """A claim that says what is not of interest here."""
    said = {"locator": "-", "title": id, "printed": "-", **fields}
    said["depends_on"] = tuple(map(_word, said.get("depends_on", ())))
    return Result(__file__).claim(_word(id), statement, domain, **said)


def _word(id: str) -> str:
    """An id: its words, with hyphens between them."""
    return "-".join(re.findall(r"[A-Za-z0-9]+", id))


def _note(kind: str, name: str, why: str, write: Callable[[], Written]) -> None:
    cause = write.__module__.removeprefix("false.")
    if any((e.cause, e.name) == (cause, name) for e in ENTRIES):
        raise ValueError(f"two entries of {cause} are called {name!r}")
    ENTRIES.append(Entry(kind, cause, name, why, write))


def false(name: str, why: str, write: Callable[[], Written]) -> None:
    """Note a sentence that must never be proved."""
    _note("false", name, why, write)


def misjudged(name: str, why: str, write: Callable[[], Written]) -> None:
    """Note a claim whose print must not be judged as it asks for (``holds``, where it asks for nothing)."""
    _note("misjudged", name, why, write)


def true(name: str, write: Callable[[], Written]) -> None:
    """Note a sentence that must be proved."""
    _note("true", name, "", write)


def unrefuted(name: str, why: str, write: Callable[[], Written]) -> None:
    """Note a true sentence that must not be refuted."""
    _note("unrefuted", name, why, write)


def corpus() -> list[Entry]:
    """All entries, by module and in their order."""
    for file in sorted(Path(__file__).parent.glob("*.py")):
        if file.stem != "__init__":
            import_module(f"{__name__}.{file.stem}")
    return ENTRIES
