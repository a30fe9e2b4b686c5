"""Claims before Coq's kernel: which are expected to pass, a run over them, and what is lost.

The checker is :class:`grpo_symbolic.proof.coq.checker.Coq`, and only it grants the grade; here its work is shared out
to processes, and its evidence is kept for the ledger of ``verify``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path

from grpo_symbolic.catalogue import builtin_folders, folders_of
from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.checkers import known_evidence, run_batch, unanswered
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.coq import session
from grpo_symbolic.proof.coq.checker import Coq
from grpo_symbolic.proof.coq.script_files import required, scripts_beside
from grpo_symbolic.proof.statements.evidence import Evidence
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.verification.pool import run_tasks
from grpo_symbolic.verification.proofs import Library, key_of
from grpo_symbolic.verification.store import Store

EXPECTED = "kernel_expected.json"
SIZE = 24  # obligations that share a session
LOST = "no result: killed at the time limit, or its process died"


def expected() -> list[str]:
    """The ids of the claims that Coq is known to prove; a run that loses one of them fails."""
    return list(json.loads(resources.files(__package__).joinpath(EXPECTED).read_text(encoding="utf-8")))


@dataclass
class Confirmation:
    """Coq's evidence on one claim, for each obligation of the statement that holds, in their order."""

    id: str
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def accepted(self) -> bool:
        """Whether the kernel accepted a proof of every obligation."""
        return bool(self.evidence) and all(e.proves for e in self.evidence)

    @property
    def seconds(self) -> float:
        """That Coq took for all of them."""
        return round(sum(e.seconds for e in self.evidence), 2)

    @property
    def reasons(self) -> list[str]:
        """Why it is not accepted, one reason for each obligation that is open."""
        return [f"{e.obligation}: {e.artefact.splitlines()[0]}" for e in self.evidence if not e.proves]


@dataclass(frozen=True)
class Batch:
    """Obligations that share a session of Coq: a task of the pool."""

    checker: Coq
    obligations: tuple[Obligation, ...]

    @property
    def limit(self) -> float:
        """Seconds for both sessions, and for finding the scripts before them."""
        return 3 * self.checker.limit

    def run(self) -> list[Evidence]:
        return run_batch(self.checker, self.obligations)


def ask(
    obligations: Sequence[Obligation], checker: Coq, jobs: int = 1, size: int = SIZE
) -> Iterator[tuple[Obligation, Evidence]]:
    """Evidence of Coq on each obligation, as it comes, ``size`` of them to a session."""
    if session.coq_version() is not None and obligations:
        session.compiled()  # once, for all processes
    count = -(-len(obligations) // size)
    batches = [Batch(checker, tuple(obligations[first::count])) for first in range(count)]
    for index, evidence in run_tasks(batches, jobs):
        asked = batches[index].obligations
        yield from zip(asked, evidence or unanswered(checker, asked, LOST), strict=True)


def check_available() -> None:
    """Raise :class:`BadInput` where there is no Coq."""
    if session.coq_version() is None:
        raise BadInput("the grade kernel is unavailable: coqtop is not installed (docs/explanation/kernel.md says how)")


def run(
    claims: Sequence[Claim],
    store: Store | None = None,
    jobs: int = 2,
    fresh: bool = False,
    progress: Callable[[int, int, str], None] = lambda done, total, what: None,
    paths: Sequence[Path] = (),
    library: Library | None = None,
) -> list[Confirmation]:
    """Ask Coq about every obligation of the claims, each once; keep what it says in ``store``.

    Proofs that the store has from the same version of Coq are not made again, unless ``fresh``. Scripts beside the
    result files (those of ``paths``, and of the built-in papers) are tried before those that are made, for which
    ``library`` has the certificates.
    Raises :class:`BadInput` where there is no Coq: what cannot be checked is unavailable, never assumed.
    """
    check_available()
    wanted = {o.key(): o for c in claims for o in required(c)}
    known = {} if fresh else {k: e for k, o in wanted.items() for e in stored_proofs(store, o)}
    pending = [o for k, o in wanted.items() if k not in known]
    beside = scripts_beside(claims, [*folders_of(paths), *builtin_folders()])
    checker = Coq(beside, certificates=certificates(claims, library))
    for obligation, evidence in ask(pending, checker, jobs):
        known[obligation.key()] = evidence
        if store is not None:
            store.put(evidence)
        progress(len(known), len(wanted), obligation.label)
    return [
        Confirmation(c.id, [replace(known[o.key()], about="holds", obligation=o.label) for o in required(c)])
        for c in claims
    ]


def certificates(claims: Sequence[Claim], library: Library | None) -> dict[str, dict[str, str]]:
    """What the library has of the queries of each obligation, by its key: texts by the digests of the queries."""
    texts: dict[str, dict[str, str]] = {}
    if library is None:
        return texts
    for claim in claims:
        stored = library.of(claim.place)
        for obligation in required(claim):
            proof = stored.proofs.get(key_of(obligation.key()))
            if proof is not None:
                texts[obligation.key()] = {name: stored.texts[name] for name in proof.uses if name in stored.texts}
    return texts


def stored_proofs(store: Store | None, obligation: Obligation) -> list[Evidence]:
    """The kernel proof of an obligation that the store has, by this very checker and version of Coq; nothing else."""
    if store is None or session.coq_version() is None:
        return []
    known = known_evidence(store.get, obligation, Coq())
    return [known] if known is not None and known.proves else []
