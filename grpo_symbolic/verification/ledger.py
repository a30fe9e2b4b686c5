"""The ledger: all evidence of a run as JSON, and the store that keeps evidence between runs.

Nothing here imports an engine: reading a ledger is cheap. Each piece of evidence is a file of its own, named by the
digest of what it is evidence for and written atomically, so a killed run loses only the obligation in flight and two
runs can share a store.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from grpo_symbolic._version import __version__
from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.evidence import Evidence, Origin, Outcome, Verdict

SCHEMA = 1
_UMASK = os.umask(0o077)  # asking means setting, so it is set back at once; here, before there are threads
os.umask(_UMASK)
ENGINES = ("sympy", "mpmath", "gmpy2", "z3-solver", "cvc5", "python-flint")


def environment() -> dict[str, str]:
    """Versions of everything that a verdict depends on."""
    found = {
        "grpo-symbolic": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    for package in ENGINES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "absent"
    return found


def write_atomically(path: Path, text: str) -> None:
    """Write beside the target and rename: a reader sees the old file or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o666 & ~_UMASK)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def fingerprint(folders: list[Path]) -> str:
    """A digest of the package, the result files and the engines: while it stands, a finished ledger stands."""
    package = Path(__file__).parents[1]
    files = sorted(
        {f for folder in [package, *folders] for f in folder.rglob("*.py")} if folders else package.rglob("*.py")
    )
    digest = hashlib.sha256(json.dumps(environment(), sort_keys=True).encode())
    for file in files:
        digest.update(str(file).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:32]


class Store:
    """Evidence on disk, one file a piece, and finished ledgers by fingerprint."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, key: str) -> Path:
        return self.folder / "evidence" / key[:2] / f"{key}.json"

    def get(self, key: str) -> Evidence | None:
        """The evidence with this key; ``None`` for what is absent, truncated or no longer what was written: it will
        be made again.
        """
        try:
            found = Evidence.from_json(_unsealed(self._path(key)))
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None
        return found if found.key == key else None

    def put(self, evidence: Evidence) -> None:
        if evidence.key:
            write_atomically(self._path(evidence.key), _sealed(evidence.to_json()))

    def note(self, kind: str, key: str, value: Any) -> None:
        """Keep any other JSON value, such as a mutant's fate or a finished ledger."""
        write_atomically(self.folder / kind / f"{key}.json", _sealed(value))

    def noted(self, kind: str, key: str) -> Any:
        try:
            return _unsealed(self.folder / kind / f"{key}.json")
        except (OSError, ValueError, TypeError, KeyError):
            return None


def _sealed(value: Any) -> str:
    """JSON with a digest of its content, so that damage and edits by hand show (it is no signature: whoever can write
    can seal).
    """
    return json.dumps({"content": value, "digest": _digest(value)})


def _unsealed(path: Path) -> Any:
    document = json.loads(path.read_text(encoding="utf-8"))
    if document["digest"] != _digest(document["content"]):
        raise ValueError(f"{path} was changed")
    return document["content"]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def is_printed(claim: dict[str, Any]) -> bool:
    """Whether a claim is a sentence of a paper, and not a result of one's own."""
    return bool(claim["origin"] == Origin.print)


def totals(claims: list[dict[str, Any]]) -> dict[str, Any]:
    """Counts by verdict, by the verdict on the print (where there is one) and by cross-check, and the share of
    non-definitions with proof. ``print_verdicts_argued`` are those of the prints whose claim is argued, not proved.
    """

    def count(values: list[str]) -> dict[str, int]:
        return {v: values.count(v) for v in sorted(set(values))}

    prints = [c for c in claims if is_printed(c)]
    judged = [c for c in claims if c["verdict"] != "definition"]
    proved = [c for c in judged if c["verdict"] in ("proved", "refuted")]
    mutants = {
        k: sum(c["mutants"][k] for c in claims) for k in ("made", "refuted", "equivalent", "survived", "unknown")
    }
    return {
        "claims": len(claims),
        "printed": len(prints),
        "verdicts": count([c["verdict"] for c in claims]),
        "print_verdicts": count([c["print_verdict"] for c in prints]),
        "print_verdicts_argued": count([c["print_verdict"] for c in prints if c["verdict"] == Verdict.argued]),
        "crosschecks": count([c["crosscheck"] for c in claims]),
        "proof_share": round(len(proved) / len(judged), 4) if judged else 1.0,
        "mutants": mutants,
        "unexpected": [c["id"] for c in claims if c["verdict"] != c["expected"]],
        "seconds": round(sum(e["seconds"] for c in claims for e in c["evidence"]), 2),
    }


def ledger(claims: list[dict[str, Any]]) -> dict[str, Any]:
    """The document that ``--json`` writes."""
    return {"schema": SCHEMA, "environment": environment(), "claims": claims, "totals": totals(claims)}


def read(path: Path) -> dict[str, Any]:
    """A ledger from disk; raises :class:`BadInput` for anything else."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} is not a ledger: {error}") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise BadInput(f"{path} is not a ledger of schema {SCHEMA}")
    return document


def strongest(claim: dict[str, Any]) -> str:
    """The weakest link of a claim's proof: for each obligation its strongest grade, and the least of those."""
    order = ["none", "swept", "sampled", "certified", "symbolic", "decision", "kernel"]
    best: dict[str, int] = {}
    for e in claim["evidence"]:
        if e["about"] == "holds":
            value = order.index(e["grade"]) if e["outcome"] == Outcome.holds else 0
            best[e["obligation"]] = max(best.get(e["obligation"], 0), value)
    return order[min(best.values(), default=0)]
