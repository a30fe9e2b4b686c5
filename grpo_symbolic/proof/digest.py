"""One digest of the code that decides: while it stands, stored evidence stands.

Every file of this package and of the terms below it counts, whoever imports it, but those that only say what is to be
shown, of which no checker knows (what they say is in the key of the obligation), and those that look for proofs which
others judge. Every engine's version counts too. A file that moves, appears or disappears changes the digest, and one
that cannot be read stops the run.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grpo_symbolic.files import code_under, digest_of
from grpo_symbolic.proof.coq import session

ENGINES = {
    "SymPy": "sympy",
    "FLINT": "python-flint",
    "Z3": "z3-solver",
    "cvc5": "cvc5",
    "Arb": "python-flint",
    "mpmath": "mpmath",
}
# What is claimed, and not whether it is true.
ASKING = {"alike.py", "claims.py", "derivation.py", "registration.py", "sentence.py", "statement.py", "rules"}
SEEKING = {"scripts", "certificates"}  # of a proof that is checked it does not matter how it was found


def engine_version(engine: str) -> str:
    """The version of an engine on this machine: of a package, or of Coq."""
    return session.coq_version() or "absent" if engine == "Coq" else _package_version(ENGINES[engine])


@cache
def _package_version(package: str) -> str:
    """Of a checker that only replays proofs an engine may be absent."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


@cache
def deciding_code() -> str:
    """The digest of this package and of all engines that its checkers ask."""
    here, root = Path(__file__).parent, Path(__file__).parent.parent
    packages = sorted({*ENGINES.values(), "gmpy2"})
    code = code_under(here, root / "terms")
    files = (file for file in code if not (ASKING | SEEKING) & set(file.relative_to(root).parts))
    return digest_of(files, root, *(f"{package} {_package_version(package)}" for package in packages))
