"""Claims beside the theorems of their names in ``coq/``: whose sentence follows from its theorem, by Coq's kernel.

The checker is :class:`grpo_symbolic.proof.coq.development.FromTheorem`, and only it grants the grade. A part of a claim
for which ``coq/beside`` has no script says nothing of what the theorem is about, and is asked of Coq as it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain

from grpo_symbolic.catalogue import builtin_folders
from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.checkers import known_evidence, recorded, unanswered
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.coq import session
from grpo_symbolic.proof.coq.checker import Coq
from grpo_symbolic.proof.coq.development import Development, FromTheorem, check_together
from grpo_symbolic.proof.coq.script_files import scripts_beside
from grpo_symbolic.proof.statements.evidence import Evidence
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.verification import kernel
from grpo_symbolic.verification.pool import run_tasks
from grpo_symbolic.verification.proofs import Library
from grpo_symbolic.verification.store import Store

_NAME = "coq-theorem"


@cache
def development() -> Development:
    """The development of this checkout, read once."""
    return Development()


def is_whole(claim: Claim) -> bool:
    """Whether the obligations of a claim's sentence are the sentence: no rule and no words lead from them to it."""
    return not claim.statement.rules_on(claim.domain) and not claim.lemmas


def asked(claim: Claim) -> list[tuple[FromTheorem, Obligation]]:
    """The obligations of a claim for which there are scripts, each with the checker that is to try it.

    Where several have one label the scripts go to them in order, the last to all that are left. Raises
    :class:`BadInput` for a script that no obligation has the label of, and for a claim that is not whole.
    """
    here = development()
    given = here.scripts.get(claim.id, ())
    if not given:
        return []
    if not is_whole(claim):
        raise BadInput(f"coq/beside has a script for {claim.id}, to whose sentence a rule or words lead")
    name = here.theorem_of(claim.id)
    sources = here.sources(name)
    by_label: dict[str, list[str]] = {}
    for label, script in given:
        by_label.setdefault(label, []).append(script)
    seen: Counter[str] = Counter()
    pairs = []
    for obligation in claim.whole.obligations(claim.domain):
        scripts = by_label.get(obligation.label, [])
        if scripts:
            script = scripts[min(seen[obligation.label], len(scripts) - 1)]
            pairs.append((FromTheorem(name, sources, script), obligation))
            seen[obligation.label] += 1
    for label in by_label:
        if not seen[label]:
            raise BadInput(f"coq/beside has a script for {claim.id}: {label!r}, which labels no obligation of it")
    return pairs


def stored_proofs(store: Store | None, claim: Claim) -> dict[str, Evidence]:
    """What the store has of the proofs of a claim's obligations from its theorem, by their keys; proofs only.

    Scripts that no longer fit the claim prove nothing of it; asking Coq fails with the reason.
    """
    if store is None or session.coq_version() is None or claim.id not in development().scripts:
        return {}
    try:
        tried = asked(claim)
    except BadInput:
        return {}
    known = {o.key(): known_evidence(store.get, o, checker) for checker, o in tried}
    return {key: e for key, e in known.items() if e is not None and e.proves}


def theorem_for(claim: Claim, evidence: Callable[[Obligation], Sequence[Evidence]]) -> str:
    """The theorem that the sentence of a claim is, by evidence of Coq: each obligation is proved by it, and at least
    one from the theorem; else nothing.
    """
    if not is_whole(claim):
        return ""
    proved = [[e.checker for e in evidence(o) if e.proves] for o in claim.whole.obligations(claim.domain)]
    whole = all({"coq", _NAME} & set(names) for names in proved) and any(_NAME in names for names in proved)
    return development().theorem_of(claim.id) if whole else ""


@dataclass(frozen=True)
class _Batch:
    """Obligations that share a session of Coq: a task of the pool."""

    asked: tuple[tuple[FromTheorem, Obligation], ...]
    limit: float = 1200.0

    def run(self) -> list[Evidence]:
        findings = check_together(self.asked, development())
        return [recorded(c, o, f) for (c, o), f in zip(self.asked, findings, strict=True)]


def run(
    claims: Sequence[Claim],
    store: Store | None = None,
    jobs: int = 2,
    fresh: bool = False,
    progress: Callable[[int, int, str], None] = lambda done, total, what: None,
    library: Library | None = None,
) -> list[kernel.Confirmation]:
    """Ask Coq about every claim of these for which there are scripts; keep what it says in ``store``.
    ``library`` has the certificates of what is asked as it stands.

    Evidence for all obligations of the statement, in their order: from the theorem where there is a script. Raises
    :class:`BadInput` where there is no Coq, and for scripts that fit no claim.
    """
    kernel.check_available()
    chosen = {c.id: asked(c) for c in claims if c.id in development().scripts}
    known: dict[str, Evidence] = {}
    for c in claims if not fresh else ():
        known |= stored_proofs(store, c) if c.id in chosen else {}
    pending = [(c, o) for pairs in chosen.values() for c, o in pairs if o.key() not in known]
    taken = {o.key() for pairs in chosen.values() for _, o in pairs}
    plain = {o.key(): o for c in claims if c.id in chosen for o in c.whole.obligations(c.domain)}
    bare = [o for key, o in plain.items() if key not in taken and (fresh or not kernel.stored_proofs(store, o))]
    total = len({*known, *(o.key() for o in bare), *(o.key() for _, o in pending)})
    plainly = Coq(scripts_beside(claims, builtin_folders()), certificates=kernel.certificates(claims, library))
    session.compiled()  # once, for all processes, and what the scripts build on too
    for o, evidence in chain(kernel.ask(bare, plainly, jobs), _derived(pending, jobs)):
        known[o.key()] = evidence
        if store is not None:
            store.put(evidence)
        progress(len(known), total, o.label)
    return [_result(c, known, store) for c in claims if c.id in chosen]


def _derived(pending: Sequence[tuple[FromTheorem, Obligation]], jobs: int) -> Iterator[tuple[Obligation, Evidence]]:
    """Evidence from its theorem on each obligation, as it comes."""
    if pending:
        _ = development().library  # built here, and not by every process
    count = -(-len(pending) // kernel.SIZE)
    batches = [_Batch(tuple(pending[first::count])) for first in range(count)]
    for index, answers in run_tasks(batches, jobs):
        for number, (checker, o) in enumerate(batches[index].asked):
            yield o, answers[number] if answers else unanswered(checker, [o], kernel.LOST)[0]


def _result(claim: Claim, evidence_by_key: dict[str, Evidence], store: Store | None) -> kernel.Confirmation:
    evidence = []
    for o in claim.whole.obligations(claim.domain):
        known = evidence_by_key.get(o.key()) or kernel.stored_proofs(store, o)[0]
        evidence.append(replace(known, about="holds", obligation=o.label))
    return kernel.Confirmation(claim.id, evidence)
