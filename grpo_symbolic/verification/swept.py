"""Sweeps in the store: what floating-point instances in bulk have said about an obligation, and what became of it.

A sweep never lifts a verdict: the runner shows what it found and counts only a counter-example that ball arithmetic
has confirmed.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path

from grpo_symbolic.files import code_under, digest_of
from grpo_symbolic.proof.digest import deciding_code
from grpo_symbolic.proof.statements.evidence import Evidence, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.verification.store import Store

KIND = "swept"


@cache
def _version() -> str:
    """A digest of the code that sweeps and confirms: what an older version has found is not believed."""
    folder = Path(__file__).parents[1] / "numeric"
    return digest_of(code_under(folder), folder, deciding_code())


def _key(obligation: Obligation) -> str:
    return hashlib.sha256(f"{_version()}|{obligation.key()}".encode()).hexdigest()


def keep(store: Store, obligation: Obligation, evidence: list[Evidence]) -> None:
    """Add what a sweep found; a sweep by the same engine with the same seed replaces the one before."""
    new = [replace(e, key=_key(obligation)) for e in evidence]
    again = {(e.engine, e.seed) for e in new}
    found = [e for e in kept(store, obligation) if (e.engine, e.seed) not in again] + new
    store.note(KIND, _key(obligation), [e.to_json() for e in found])


def kept(store: Store, obligation: Obligation) -> list[Evidence]:
    """The evidence that sweeps in this store have left: at grade ``swept``, but for refutations that balls confirm."""
    key = _key(obligation)
    try:
        found = [Evidence.from_json(e) for e in store.noted(KIND, key) or []]
    except (TypeError, KeyError, ValueError, AttributeError):
        return []
    return [e for e in found if e.key == key and e.grade <= _most(e)]


def _most(evidence: Evidence) -> Grade:
    return Grade.certified if evidence.outcome is Outcome.refuted else Grade.swept


def weighs(evidence: Evidence) -> bool:
    """Whether a verdict takes notice: only of a confirmed refutation."""
    return evidence.outcome is Outcome.refuted and evidence.grade.is_proof
