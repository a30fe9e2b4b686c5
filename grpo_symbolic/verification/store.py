"""The store that keeps evidence, ledgers and the index between runs.

Each piece of evidence is a file of its own, named by the digest of what it is evidence for and written atomically, so a
killed run loses only the obligation in flight and two runs can share a store. Nothing here imports an engine.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from grpo_symbolic.files import code_under, digest_of, write_atomically
from grpo_symbolic.ledger import Environment
from grpo_symbolic.proof.statements.evidence import Evidence
from grpo_symbolic.scalars import Json


def fingerprint() -> str:
    """A digest of the package and the engines: while it stands, entries stand whose files do."""
    package = Path(__file__).parents[1]
    versions = json.dumps(dict(Environment.here().versions), sort_keys=True)
    return digest_of(code_under(package), package, str(package), versions)[:32]


class Store:
    """Evidence on disk, one file a piece, and other values by kind and key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def holds_evidence(self) -> bool:
        """Whether it has more than ledgers: evidence of Coq."""
        return (self.folder / "evidence").is_dir()

    def _path(self, key: str) -> Path:
        return self.folder / "evidence" / key[:2] / f"{key}.json"

    def get(self, key: str) -> Evidence | None:
        """The evidence with this key; ``None`` for what is absent, truncated or no longer what was written: it will
        be made again.
        """
        try:
            evidence = Evidence.from_json(_unsealed(self._path(key)))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None
        return evidence if evidence.key == key else None

    def put(self, evidence: Evidence) -> None:
        if evidence.key:
            write_atomically(self._path(evidence.key), _sealed(evidence.to_json()))

    def note(self, kind: str, key: str, value: Json) -> None:
        """Keep any other JSON value, such as a mutant's status or a ledger."""
        write_atomically(self.folder / kind / f"{key}.json", _sealed(value))

    def noted(self, kind: str, key: str) -> Any:
        try:
            return _unsealed(self.folder / kind / f"{key}.json")
        except (OSError, ValueError, TypeError, KeyError):
            return None


def _sealed(value: Json) -> str:
    """A line of JSON under a line with its digest, so that damage and edits by hand show (it is no signature: whoever
    can write can seal).
    """
    content = json.dumps(value)
    return f"{_digest(content)}\n{content}\n"


def _unsealed(path: Path) -> Any:
    digest, content = path.read_text(encoding="utf-8").splitlines()
    if digest != _digest(content):
        raise ValueError(f"{path} was changed")
    return json.loads(content)


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()
