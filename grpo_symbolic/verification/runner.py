"""From claims to a ledger: every obligation once, in worker processes, cached, in the order of the catalogue."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import sympy as sp

from grpo_symbolic import headlines
from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Entry, EvidenceRecord, Ledger, Mutants
from grpo_symbolic.proof.checkers import LIMIT
from grpo_symbolic.proof.claims import Claim, judge
from grpo_symbolic.proof.proving import Attempt, looked_at, opinions, replay, search, unproved
from grpo_symbolic.proof.registration import Catalogue
from grpo_symbolic.proof.statements.evidence import (
    Evidence,
    Grade,
    Outcome,
    Verdict,
    cap,
    combine_crosschecks,
    crosscheck,
    settle,
    verdict_of,
)
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.verification import kernel, theorems
from grpo_symbolic.verification.mutation import MOST, Judged, Status
from grpo_symbolic.verification.pool import Ahead, run_tasks
from grpo_symbolic.verification.proofs import Library, StoredProofs, key_of
from grpo_symbolic.verification.records import Checkable, Record, Records, file_text
from grpo_symbolic.verification.store import Store
from grpo_symbolic.verification.stream import Stream

STOPPED = 900.0  # seconds after which a task is given up and the run says that it is unfinished
_SAVED = 1.0  # seconds between two times at which new proofs are written down
Progress = Callable[[int, int, str], None]  # done, of how many, what was just finished
OnVerdict = Callable[[str, Verdict, Verdict], None]  # a claim's id, its verdict, and the one that its file expects


class Mode(StrEnum):
    """What a run does with the proofs that are kept."""

    replay = "replay"  # and search for what is not settled by them
    frozen = "frozen"  # and nothing else
    search = "search"  # look for everything anew, by all engines, and compare


@dataclass(frozen=True)
class _Check:
    """One obligation as a task of the pool: ``stored`` is what its file keeps of it. Of what its file says is ``open``
    samples are looked at; a proof of it is what ``--search`` looks for.
    """

    obligation: Obligation
    stored: StoredProofs
    mode: Mode = Mode.replay
    open: bool = False
    limit: float = STOPPED

    def run(self) -> Attempt:
        obligation, proof = self.obligation, self.stored.proofs.get(key_of(self.obligation.key()))
        known = [] if proof is None else [replay(obligation, proof, self.stored.texts)]
        settled = [e for e in known if e.settles]
        if settled and self.mode is not Mode.search:
            assert proof is not None
            return Attempt([*settled, *opinions(obligation, proof, settled[0].outcome)])
        if self.open and self.mode is not Mode.search:
            return Attempt([*known, *looked_at(obligation)])
        if self.mode is Mode.frozen:
            missing = [
                unproved(obligation, "no proof is kept of it: run grpo-symbolic verify, and commit what it writes")
            ]
            return Attempt([*(known or missing), *looked_at(obligation)])
        attempt = search(obligation, everything=self.mode is Mode.search)
        return replace(attempt, evidence=[*settled, *attempt.evidence])


@dataclass(frozen=True)
class _Replay:
    """The kept proof of one obligation as a task of the pool: nothing where it does not settle it."""

    obligation: Obligation
    stored: StoredProofs
    limit: float = STOPPED

    def run(self) -> Attempt | None:
        attempt = _Check(self.obligation, self.stored, Mode.frozen).run()
        return attempt if attempt.settles else None


def _named(key: str, place: str | None) -> str:
    """The proof that a file keeps of an obligation, as it is called while others are loaded."""
    return f"{key} {place}"


def replay_ahead(ahead: Ahead, library: Library) -> Callable[[Sequence[Claim]], None]:
    """What replays the kept proofs of claims while other files are still being loaded: of what several files keep, the
    proof of the first.
    """
    given: set[str] = set()

    def on_loaded(claims: Sequence[Claim]) -> None:
        with suppress(BadInput):  # whoever asks for these claims gets the reason
            batch: dict[str, _Replay] = {}
            for c in claims:
                stored = library.of(c.place)
                for _, o in c.obligations():
                    if o.key() not in given and key_of(o.key()) in stored.proofs:
                        given.add(o.key())
                        batch[_named(o.key(), c.place)] = _Replay(o, stored)
            ahead.give(batch)

    return on_loaded


@dataclass(frozen=True)
class _Words:
    """What the ledger says of a claim beside its evidence, and what is kept of it beside its file (of one's own files
    its sentence only), as a task of the pool: formulas are slow to lay out.
    """

    claim: Claim
    printer: Callable[[Any], str]
    expected: Verdict
    own: bool
    limit: float = LIMIT

    def run(self) -> tuple[Entry, str]:
        from grpo_symbolic.verification.words import words

        record = Record.of(self.claim, words(self.claim, self.printer), self.expected)
        line = headlines.line(record.id, record.entry.headline)
        return record.entry, f"{line}\n" if self.own else record.text


@dataclass(frozen=True)
class _Judgement:
    """How a claim fares: all evidence, the verdict, whether the print is refuted, the cross-check, and the
    theorem in Coq from which the sentence follows, if there is one.
    """

    evidence: tuple[Evidence, ...]
    verdict: Verdict
    printed_refuted: bool
    crosscheck: str
    theorem: str


@dataclass
class Verification:
    """One run.

    ``library`` has the stored proofs, to which new ones are added, and ``mode`` says what to do with
    them, of which ``replayed`` are already, by obligation and file; ``store`` has the evidence of Coq, which
    ``fresh`` ignores; ``printer`` turns SymPy into LaTeX; ``on_verdict`` hears each verdict as soon as it is certain.
    ``executor`` (any :class:`concurrent.futures.Executor`, such as that of a Dask cluster) runs the checks in place of
    ``jobs`` processes of this machine; ``states`` are the digests of the built-in papers' files with those behind them.
    """

    catalogue: Catalogue | Records
    store: Store | None = None
    jobs: int = 2
    fresh: bool = False
    printer: Callable[[Any], str] = sp.latex
    progress: Progress = lambda done, total, what: None
    executor: Executor | None = None
    evidence: dict[str, list[Evidence]] = field(default_factory=dict)
    statuses: dict[str, dict[str, str]] = field(default_factory=dict)
    mutated: set[str] = field(default_factory=set)
    on_verdict: OnVerdict = lambda claim_id, verdict, expected: None
    judgements: dict[str, _Judgement] = field(default_factory=dict)
    library: Library | None = None
    mode: Mode = Mode.replay
    replayed: Mapping[str, Attempt] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    _open: frozenset[str] = frozenset()  # the keys of what files say is open
    _leant_on: frozenset[str] = frozenset()  # and of what belongs only to claims that others depend on

    def verify(self, ids: list[str] | None = None, mutate: bool = False, whole: frozenset[str] = frozenset()) -> Ledger:
        """Check the claims with these ids and all that they depend on; return the ledger of the claims asked for. Of
        the files that are ``whole`` among them no proof stays but of their obligations.
        """
        wanted = list(self.catalogue.claims) if ids is None else ids
        needed = self._closure(wanted)
        self.judgements.clear()
        names = {c.id for c in needed}
        listed = [c for c in self.catalogue.claims.values() if c.id in names]  # in the order in which files are loaded
        to_show = [(c.place, o) for c in listed for _, o in c.obligations()]
        to_show += [(c.place, o) for c in listed for o in c.widening]
        undecided = [c for c in needed if c.expect in (Verdict.supported, Verdict.unknown)]
        self._open = frozenset(o.key() for c in undecided for _, o in c.obligations())
        self._leant_on = frozenset(o.key() for c in needed if c.id not in wanted for _, o in c.obligations())
        self._leant_on -= {o.key() for c in needed if c.id in wanted for _, o in c.obligations()}
        self._check(to_show, Stream(needed, self._judge_early).decided)
        self._check([(c.place, o) for c in needed for _, o in self._implied(c)])
        self._forget(needed, whole)
        if mutate:
            self._mutate([c for i in wanted if isinstance(c := self.catalogue.claims[i], Claim)])
        for c in needed:
            if c.id not in self.judgements:
                self._judge(c)
        words = self._words(needed)
        self._record(whole, {id: text for id, (_, text) in words.items()})
        entries = {c.id: self._entry(c, words[c.id][0], self.judgements[c.id]) for c in needed}
        claims = tuple(entries[i] for i in self.catalogue.claims if i in wanted)
        titles = {name: paper["title"] for name, paper in self.catalogue.papers.items()}
        return Ledger(claims, papers={c.paper: titles.get(c.paper, c.paper) for c in claims})

    def _forget(self, checked: Sequence[Checkable], whole: frozenset[str]) -> None:
        """Of files of which every claim was checked nothing stays but what concerns their obligations."""
        if self.library is None or self.mode is Mode.frozen:
            return
        for place in whole:
            claims = [c for c in checked if c.place == place]
            to_show = [o for c in claims for o in (*(o for _, o in c.obligations()), *c.widening)]
            to_show += [o for c in claims for _, o in self._implied(c)]
            self.library.keep(place, StoredProofs(), [o.key() for o in to_show])

    def _record(self, whole: frozenset[str], texts: Mapping[str, str]) -> None:
        """The claims of files of which every claim was checked are kept beside them, or compared with what is."""
        if self.library is not None:
            for place in whole:
                mine = {id: text for id, text in texts.items() if self.catalogue.claims[id].place == place}
                text = file_text(self.library.digest(place), self.states.get(place), mine)
                self.library.record(place, text, compare=self.mode is Mode.frozen)

    def lacks_a_premise(self, claim: Checkable) -> bool:
        """Whether a premise of a rule is refuted, so that the sentence hangs on what it implies."""
        return any(settle(self.evidence[o.key()])[0] is Outcome.refuted for _, o in claim.obligations() if o.sufficient)

    def _implied(self, claim: Checkable) -> Iterator[tuple[str, Obligation]]:
        """What follows from a claim of which a premise is refuted, as far as there is its statement."""
        return claim.implied() if isinstance(claim, Claim) and self.lacks_a_premise(claim) else iter(())

    def _closure(self, ids: list[str]) -> list[Checkable]:
        """The claims and their dependencies, each after what it depends on."""
        ordered: dict[str, Checkable] = {}

        def visit(name: str) -> None:
            claim = self.catalogue.claims[name]
            if name in ordered:
                return
            for needed in claim.depends_on:
                visit(needed)
            ordered[name] = claim

        for name in ids:
            visit(name)
        return list(ordered.values())

    def _judge_early(self, claim: Checkable) -> bool:
        """Judge a claim before the run is at its end, unless something is still to be asked about it."""
        if self.lacks_a_premise(claim):
            return False
        self._judge(claim)
        return True

    def _check(
        self, obligations: Sequence[tuple[str, Obligation]], decided: Callable[[str], None] = lambda key: None
    ) -> None:
        """Settle obligations, each once, given with the place of their file."""
        places: dict[str, list[str]] = {}
        first: dict[tuple[str, str | None], Obligation] = {}  # of one key and file, as it is given ahead
        for place, o in obligations:
            places.setdefault(o.key(), []).append(place)
            first.setdefault((o.key(), place), o)
        order = list(dict.fromkeys(c.place for c in self.catalogue.claims.values()))
        proof_places = {key: self._place(sorted(set(places[key]), key=order.index), key) for key in places}
        unique = {key: first[key, proof_places[key] or places[key][0]] for key in places}
        names = {
            key: _named(key, place) for key, place in proof_places.items() if self._mode_of(key) is not Mode.search
        }
        ready = [key for key, name in names.items() if name in self.replayed]
        for key in ready:
            self.evidence[key] = self.replayed[names[key]].evidence
            decided(key)
        keys = [key for key in unique if key not in self.evidence]
        tasks = [_Check(unique[k], self._stored(proof_places[k]), self._mode_of(k), k in self._open) for k in keys]
        new: dict[str, StoredProofs] = {}
        saved = time.monotonic()
        try:
            for done, (index, attempt) in enumerate(run_tasks(tasks, self.jobs, self.executor), start=len(ready) + 1):
                key, obligation = keys[index], tasks[index].obligation
                self.evidence[key] = [_stopped(obligation)] if attempt is None else attempt.evidence
                if attempt is not None and attempt.proof is not None:
                    for place in places[key]:
                        new.setdefault(place, StoredProofs()).add(key, attempt.proof, attempt.texts)
                if time.monotonic() - saved > _SAVED:
                    self._save(new)
                    saved = time.monotonic()
                self.progress(done, len(unique), obligation.label)
                decided(key)
            self._kept_elsewhere(places, proof_places, new)
        finally:
            self._save(new)

    def _kept_elsewhere(
        self, places: Mapping[str, list[str]], found: Mapping[str, str | None], new: dict[str, StoredProofs]
    ) -> None:
        """Add a proof that is kept beside one file to the others that need it, so that each is replayed alone."""
        for key, place in found.items():
            if place is not None and any(e.settles for e in self.evidence[key]):
                kept = self._stored(place)
                for other in places[key]:
                    added = new.setdefault(other, StoredProofs())
                    if key_of(key) not in {*self._stored(other).proofs, *added.proofs}:
                        added.add(key, kept.proofs[key_of(key)], kept.texts)

    def _mode_of(self, key: str) -> Mode:
        """What is to be done with the proof of an obligation: what claims only depend on is not looked for anew."""
        return Mode.replay if self.mode is Mode.search and key in self._leant_on else self.mode

    def _place(self, places: Sequence[str], key: str) -> str | None:
        """The first of some files that keeps a proof of an obligation: two may keep different ones, and which of them
        is taken is not to depend on what is done first.
        """
        if self.library is None:
            return None
        return next((place for place in places if key_of(key) in self.library.of(place).proofs), None)

    def _stored(self, place: str | None) -> StoredProofs:
        return StoredProofs() if place is None or self.library is None else self.library.of(place)

    def _save(self, new: dict[str, StoredProofs]) -> None:
        if self.library is not None and self.mode is not Mode.frozen:
            for place, proofs in new.items():
                self.library.keep(place, proofs)
        new.clear()

    def _words(self, claims: list[Checkable]) -> dict[str, tuple[Entry, str]]:
        """What the ledger says of each claim before its evidence, and what of that is kept beside its file."""
        words = {c.id: (c.entry, "") for c in claims if isinstance(c, Record)}
        expected = self.catalogue.expected
        new = [c for c in claims if isinstance(c, Claim)]
        if new:  # of what is kept as it was read there are words already; here, so that no worker imports it once more
            import grpo_symbolic.verification.words  # noqa: F401
        tasks = [_Words(c, self.printer, expected(c.id), c.place not in self.states) for c in new]
        for done, (index, made) in enumerate(run_tasks(tasks, self.jobs), start=1):
            words[new[index].id] = made or tasks[index].run()  # here it may fail with its reason
            self.progress(done, len(tasks), new[index].id)
        return words

    def _mutate(self, claims: list[Claim]) -> None:
        """The statuses of all mutants, claim by claim; where that does not end in time, mutant by mutant."""
        self.mutated |= {c.id for c in claims}
        store = None if self.fresh else self.store
        late: list[Judged] = []
        for task, statuses in self._judged([Judged(c, store) for c in claims]):
            if statuses is None:
                late += [Judged(task.claim, store, only=number, limit=LIMIT) for number in range(MOST)]
            else:
                self._statuses(task.claim, statuses)
        for task, statuses in self._judged(late):
            unknown = [Status(f"number {task.only}, whose time ran out", "", "unknown")]
            self._statuses(task.claim, unknown if statuses is None else statuses)

    def _judged(self, tasks: list[Judged]) -> Iterator[tuple[Judged, list[Status] | None]]:
        # Here, even with an executor: SymPy unpickles 0 ≠ 2 as true, and the statement would not be that of the claim.
        for done, (index, statuses) in enumerate(run_tasks(tasks, self.jobs), start=1):
            yield tasks[index], statuses
            self.progress(done, len(tasks), tasks[index].claim.id)

    def _statuses(self, claim: Claim, statuses: list[Status]) -> None:
        known = self.statuses.setdefault(claim.id, {})
        for change, key, status in statuses:
            known[f"{change} #{len(known)}"] = status
            if self.store is not None and status != "unknown":
                self.store.note("mutants", key, status)

    def _judge(self, claim: Checkable) -> _Judgement:
        """The verdict of a claim whose evidence is all there, and of which all that it depends on is judged."""
        evidence: list[Evidence] = []
        settled: dict[str, list[tuple[Outcome, Grade]]] = {"holds": [], "printed": []}
        checks = []
        store = None if self.fresh else self.store
        derived = theorems.stored_proofs(store, claim) if isinstance(claim, Claim) else {}

        def by_coq(obligation: Obligation) -> list[Evidence]:
            from_theorem = derived.get(obligation.key())
            return kernel.stored_proofs(store, obligation) + ([from_theorem] if from_theorem else [])

        for number, (about, obligation) in enumerate(claim.obligations()):
            known = self.evidence[obligation.key()] + (by_coq(obligation) if about == "holds" else [])
            name = f"{number}: {obligation.label}"
            mine = [replace(e, about=about, obligation=name) for e in known]
            evidence += mine
            settled[about].append(settle(mine, obligation.sufficient))
            if about == "holds":
                checks.append(crosscheck(mine))
        for about, obligation in self._implied(claim):
            mine = [replace(e, about=about, obligation=obligation.label) for e in self.evidence[obligation.key()]]
            outcome = settle(mine)
            if outcome[0] is Outcome.refuted:
                evidence += mine
                settled[about].append(outcome)
        verdict = cap(
            verdict_of(settled["holds"], claim.lemmas), [self.judgements[d].verdict for d in claim.depends_on]
        )
        if claim.is_definition and verdict is Verdict.proved:
            verdict = Verdict.definition
        printed_refuted = verdict_of(settled["printed"]) is Verdict.refuted
        theorem = theorems.theorem_for(claim, by_coq) if derived and isinstance(claim, Claim) else ""
        judged = _Judgement(tuple(evidence), verdict, printed_refuted, combine_crosschecks(checks), theorem)
        self.judgements[claim.id] = judged
        self.on_verdict(claim.id, verdict, self.catalogue.expected(claim.id))
        return judged

    def _entry(self, claim: Checkable, entry: Entry, judgement: _Judgement) -> Entry:
        """What the ledger says of a claim, with what was ``judgement``."""
        statuses = self.statuses.get(claim.id, {})
        print_verdict = judge(
            entry.print_expected,
            judgement.verdict,
            has_reading=any(about == "printed" for about, _ in claim.obligations()),
            printed_refuted=judgement.printed_refuted,
            wider_confirmed=claim.is_wider
            and all(any(e.proves for e in self.evidence[o.key()]) for o in claim.widening),
            accounted=not entry.print_unread,
        )
        return replace(
            entry,
            verdict=judgement.verdict,
            print_verdict=print_verdict,
            evidence=tuple(map(EvidenceRecord.of, judgement.evidence)),
            crosscheck=judgement.crosscheck,
            mutants=Mutants.of(statuses.values()),
            letters=entry.letters if any(e.outcome is Outcome.refuted for e in judgement.evidence) else (),
            mutants_survived=tuple(k for k, f in statuses.items() if f == "survived"),
            mutants_unknown=tuple(k for k, f in statuses.items() if f == "unknown"),
            mutated=claim.id in self.mutated,
            theorem=judgement.theorem,
        )


def _stopped(obligation: Obligation) -> Evidence:
    """That a task was stopped: nothing is known of its obligation."""
    reason = f"stopped after {STOPPED:.0f} s, or its process died"
    return Evidence(
        "holds", obligation.label, "pool", Grade.none, Outcome.unknown, "none", STOPPED, artefact=reason, timed_out=True
    )
