"""The store that keeps evidence, ledgers and the index between runs.

Each piece of evidence is a file of its own, named by the digest of what it is evidence for and written atomically, so a
killed run loses only the obligation in flight and two runs can share a store. Nothing here imports an engine.

A store lies in the folder that one works in, and who hands on a folder could hand on a store with it: so everything in
it is signed with a key of the user's own, which lies elsewhere, and what bears another signature is as if it were not
there.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import tempfile
from contextlib import suppress
from functools import cache
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
        """Keep a piece of evidence, if it has a key."""
        if evidence.key:
            write_atomically(self._path(evidence.key), _sealed(evidence.to_json()))

    def note(self, kind: str, key: str, value: Json) -> None:
        """Keep any other JSON value, such as a mutant's status or a ledger."""
        write_atomically(self.folder / kind / f"{key}.json", _sealed(value))

    def noted(self, kind: str, key: str) -> Any:
        """What was noted of this kind by this key; ``None`` for what is absent or no longer what was written."""
        try:
            return _unsealed(self.folder / kind / f"{key}.json")
        except (OSError, ValueError, TypeError, KeyError):
            return None


def _sealed(value: Json) -> str:
    """A line of JSON under a line with its signature."""
    content = json.dumps(value)
    return f"{_signature(content)}\n{content}\n"


def _unsealed(path: Path) -> Any:
    signature, content = path.read_text(encoding="utf-8").splitlines()
    if not hmac.compare_digest(signature, _signature(content)):
        raise ValueError(f"{path} was not written by this user, or was changed")
    return json.loads(content)


def _signature(content: str) -> str:
    return hmac.new(_key(), content.encode(), hashlib.sha256).hexdigest()


@cache
def _key() -> bytes:
    """The user's key, made by the first run; one of this process alone where the user's folder cannot be written."""
    try:
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "grpo_symbolic"
        key = folder / "store.key"
        if not key.exists():
            folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=folder)  # readable by the user only
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(32))
            with suppress(FileExistsError):  # of two runs that begin at once the first one makes it
                os.link(name, key)
            os.unlink(name)
        return key.read_bytes()
    except (OSError, RuntimeError):
        return secrets.token_bytes(32)
