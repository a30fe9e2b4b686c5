"""Claims before Coq's kernel: which are expected to pass, a run over them, and what is lost.

The evidence goes into the store, from where the ledger of ``verify`` takes it; nothing here gives a grade.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from grpo_symbolic.catalogue import builtin_folders, folders_of
from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.evidence import Evidence
from grpo_symbolic.verification import kernel
from grpo_symbolic.verification.kernel_scripts import kept_beside, required
from grpo_symbolic.verification.store import Store

EXPECTED = "kernel_expected.json"


def expected() -> list[str]:
    """The ids of the claims that Coq is known to prove; a run that loses one of them fails."""
    return list(json.loads(resources.files(__package__).joinpath(EXPECTED).read_text(encoding="utf-8")))


@dataclass
class Result:
    """What Coq said of one claim: evidence for each obligation of the statement that holds, in their order."""

    id: str
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def accepted(self) -> bool:
        """Whether the kernel accepted a proof of every obligation."""
        return bool(self.evidence) and all(e.proves for e in self.evidence)

    @property
    def seconds(self) -> float:
        return round(sum(e.seconds for e in self.evidence), 2)

    @property
    def reasons(self) -> list[str]:
        """Why it is not accepted, one reason for each obligation that is open."""
        return [f"{e.obligation}: {e.artefact.splitlines()[0]}" for e in self.evidence if not e.proves]


def run(
    claims: Sequence[Claim],
    store: Store | None = None,
    jobs: int = 2,
    fresh: bool = False,
    progress: Callable[[int, int, str], None] = lambda done, total, what: None,
    paths: Sequence[Path] = (),
) -> list[Result]:
    """Ask Coq about every obligation of the claims, each once; keep what it says in ``store``.

    Proofs that the store has from the same version of Coq are not made again, unless ``fresh``. Scripts beside the
    result files (those of ``paths``, and of the built-in papers) are tried before the general ones.
    Raises :class:`BadInput` where there is no Coq: what cannot be checked is unavailable, never assumed.
    """
    if kernel.coq_version() is None:
        raise BadInput("the grade kernel is unavailable: coqtop is not installed (docs/kernel.md says how)")
    wanted = {o.key(): o for c in claims for o in required(c)}
    found: dict[str, Evidence] = {}
    for key, obligation in wanted.items():
        known = kernel.kept(store, obligation) if store is not None and not fresh else None
        if known is not None and known.proves:
            found[key] = known
    pending = [o for k, o in wanted.items() if k not in found]
    beside = kept_beside(claims, [*folders_of(paths), *builtin_folders()])
    for obligation, evidence in kernel.check(pending, jobs, proofs=beside):
        found[obligation.key()] = evidence
        if store is not None:
            kernel.keep(store, obligation, evidence)
        progress(len(found), len(wanted), obligation.label)
    return [Result(c.id, [found[o.key()].relabelled("holds", o.label) for o in required(c)]) for c in claims]
