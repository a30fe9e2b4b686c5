"""Negative controls of the grade ``kernel``: changed claims that another checker refutes, before Coq.

Coq is given each refuted obligation with the scripts of the claim as it was, that of its certificates among them, and
with the script that the fixed method makes for the changed one. An accepted one would be a theorem that is false: a
fault of the translation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grpo_symbolic.catalogue import builtin_folders, folders_of
from grpo_symbolic.proof.checkers import LIMIT, discharge
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.coq.checker import Coq, stated
from grpo_symbolic.proof.coq.script_files import required, scripts_beside
from grpo_symbolic.proof.coq.scripts import scripts
from grpo_symbolic.proof.statements.evidence import Outcome, settle
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.verification.kernel import ask, certificates
from grpo_symbolic.verification.mutation import MOST, mutants
from grpo_symbolic.verification.pool import run_tasks
from grpo_symbolic.verification.proofs import Library

SECONDS = 10  # for one command of a script: what is true needs less


@dataclass(frozen=True)
class Control:
    """One obligation of a changed claim, and whether a checker other than Coq refutes it: a task of the pool."""

    claim: str
    change: str
    obligation: Obligation
    limit: float = 2.0 * LIMIT

    def run(self) -> bool:
        return settle(discharge(self.obligation, limit=LIMIT / 4))[0] is Outcome.refuted


@dataclass(frozen=True)
class Controls:
    """The refuted obligations that Coq was asked about, and those that it accepted: there should be none."""

    asked: tuple[Control, ...]
    accepted: tuple[Control, ...]


def controls(
    claims: Sequence[Claim],
    jobs: int = 2,
    most: int = MOST,
    paths: Sequence[Path] = (),
    progress: Callable[[int, int, str], None] = lambda done, total, what: None,
    library: Library | None = None,
) -> Controls:
    """Change every claim in up to ``most`` ways and ask Coq about each changed obligation that another checker refutes.

    Obligations that the change leaves as they are, and those that Coq cannot state, are not asked.
    """
    beside = scripts_beside(claims, [*folders_of(paths), *builtin_folders()])
    texts = certificates(claims, library)
    changed: dict[str, Control] = {}
    given: dict[str, tuple[str, ...]] = {}
    for c in claims:
        as_it_was = {o.key() for o in required(c)}
        for mutant in mutants(c, most):
            for o in mutant.obligations:
                if o.key() in as_it_was or not stated(o):
                    continue
                changed.setdefault(o.key(), Control(c.id, mutant.change, o))
                same = [s for s in required(c) if s.label == o.label and type(s) is type(o) and stated(s)]
                as_before = (p for s in same for p in (*beside.get(s.key(), ()), *scripts(s, texts.get(s.key(), {}))))
                given[o.key()] = tuple(dict.fromkeys(as_before))
    pending = list(changed.values())
    refuted = [pending[index] for index, wrong in run_tasks(pending, jobs) if wrong]
    accepted = []
    known = {c.obligation.key(): given[c.obligation.key()] for c in refuted}
    by_key = {c.obligation.key(): c for c in refuted}
    asked = ask([c.obligation for c in refuted], Coq(known, SECONDS), jobs, size=4)
    for done, (obligation, evidence) in enumerate(asked, start=1):
        if evidence.proves:
            accepted.append(by_key[obligation.key()])
        progress(done, len(refuted), by_key[obligation.key()].claim)
    return Controls(tuple(refuted), tuple(accepted))
