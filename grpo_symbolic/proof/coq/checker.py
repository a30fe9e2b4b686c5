"""The checker of grade ``kernel``: Coq accepts a proof of the theorem that an obligation asks for.

It refutes nothing: what it does not prove is ``unknown``, with the reason. Starting Coq costs more than most proofs, so
it is asked about many obligations at once (:meth:`Coq.check_all`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.coq import session
from grpo_symbolic.proof.coq.scripts import scripts
from grpo_symbolic.proof.coq.session import NOTHING, Answer, Attempt, Library
from grpo_symbolic.proof.coq.theorem import theorem
from grpo_symbolic.proof.coq.tokens import only_tactics
from grpo_symbolic.proof.statements.evidence import Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Obligation


@dataclass(frozen=True)
class Coq:
    """Coq's kernel. ``stored`` gives, by :meth:`Obligation.key`, scripts that are tried before those that are made;
    each may hold tactics only. ``certificates`` gives likewise the stored proofs of an obligation's queries, texts by
    digests. ``seconds`` is the time for one command of a script and ``limit`` that for a whole session.
    How a proof was found does not matter once the kernel has accepted it, so none of these is part of its identity.
    """

    stored: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    seconds: float = field(default=session.SECONDS, repr=False, compare=False)
    limit: float = field(default=600.0, repr=False, compare=False)
    certificates: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False, compare=False)
    name: str = "coq"
    engine: str = "Coq"
    grade: Grade = Grade.kernel

    def applies(self, obligation: Obligation) -> bool:
        """Whether Coq can be asked: the obligation has an exact translation."""
        return bool(stated(obligation))

    def check(self, obligation: Obligation) -> Finding:
        return self.check_all([obligation])[0]

    def check_all(self, obligations: Sequence[Obligation]) -> list[Finding]:
        """A finding for each obligation, in their order; all share a session, and those that the first script of each
        does not prove another one, for all others: most need no second script, and making one takes time.
        """
        if session.coq_version() is None:
            return [Finding.unknown("unavailable: there is no Coq on this machine")] * len(obligations)
        made = [self._scripts(o) for o in obligations]
        first = [candidate if isinstance(candidate, Finding) else islice(candidate, 1) for candidate in made]
        findings = self._judged(obligations, first)
        left = [
            k for k, f in enumerate(findings) if not isinstance(made[k], Finding) and f.outcome is not Outcome.holds
        ]
        again = self._judged([obligations[k] for k in left], [made[k] for k in left])
        for k, finding in zip(left, again, strict=True):
            findings[k] = replace(finding, seconds=findings[k].seconds + finding.seconds)
        return findings

    def _judged(
        self, obligations: Sequence[Obligation], candidates: Sequence[Iterable[str] | Finding]
    ) -> list[Finding]:
        """What becomes of scripts in one session; findings stay as they are."""
        tried = [
            s if isinstance(s, Finding) else Attempt(stated(o), tuple(s))
            for o, s in zip(obligations, candidates, strict=True)
        ]
        return judged(tried, self.limit, self.seconds)

    def _scripts(self, obligation: Obligation) -> Iterator[str] | Finding:
        """The scripts for an obligation, in order, or why there are none."""
        given = self.stored.get(obligation.key(), ())
        refusal = next(filter(None, map(refused, given)), None)
        if refusal is not None:
            return refusal
        try:
            theorem(obligation)
        except BadInput as reason:
            return Finding.unknown(f"not translated: {reason}")
        return chain(given, scripts(obligation, self.certificates.get(obligation.key(), {})))


def stated(obligation: Obligation) -> str:
    """The theorem that Coq is asked, or nothing where it cannot be translated exactly."""
    try:
        return theorem(obligation).text
    except BadInput:
        return ""


def refused(script: str) -> Finding | None:
    """Why a script that is handed in is not tried: it holds more than tactics."""
    offending = only_tactics(script)
    return (
        None if offending is None else Finding.unknown(f"refused: a proof script holds more than tactics: {offending}")
    )


def judged(
    tried: Sequence[Attempt | Finding], limit: float, seconds: float = session.SECONDS, library: Library = NOTHING
) -> list[Finding]:
    """What becomes of attempts in one session of Coq; findings stay as they are."""
    attempts = [t for t in tried if isinstance(t, Attempt)]
    answers = iter(session.judged(attempts, limit, seconds, library) if attempts else [])
    return [finding_of(t, next(answers)) if isinstance(t, Attempt) else t for t in tried]


def finding_of(attempt: Attempt, answer: Answer) -> Finding:
    """The finding that an answer of Coq is, with the proof as its artefact."""
    if answer.script is None:
        return Finding(Outcome.unknown, artefact=answer.reason, seconds=answer.seconds)
    claimed = session.written("claimed", attempt.stated, answer.script) + "Print Assumptions claimed.\n"
    digest = hashlib.sha256(f"{session.preamble()}\n{claimed}".encode()).hexdigest()
    premise = f"; from the theorem {attempt.premise} of coq/theories" if attempt.premise else ""
    lines = (
        f"(* after preamble.v; sha256 of the whole {digest}{premise} *)",
        f"(* axioms, with those of the theorems checked beside it: {', '.join(answer.axioms) or 'none'} *)",
        claimed.rstrip("\n"),
    )
    return Finding(Outcome.holds, artefact="\n".join(lines), seconds=answer.seconds)
