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
from grpo_symbolic.proof.claims import Catalogue, Claim, judge
from grpo_symbolic.proof.proving import Found, looked_at, opinions, replay, search, unproved
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
from grpo_symbolic.verification.proofs import Kept, Library, key_of
from grpo_symbolic.verification.records import Owing, Record, Records, file_text
from grpo_symbolic.verification.store import Store
from grpo_symbolic.verification.stream import Stream

STOPPED = 900.0  # seconds after which a task is given up and the run says that it is unfinished
_SAVED = 1.0  # seconds between two times at which what was found is written down
Progress = Callable[[int, int, str], None]  # done, of how many, what was just finished
Told = Callable[[str, Verdict, Verdict], None]  # a claim's id, its verdict, and the one that its file expects


class Mode(StrEnum):
    """What a run does with the proofs that are kept."""

    replay = "replay"  # and search for what is not settled by them
    frozen = "frozen"  # and nothing else
    search = "search"  # look for everything anew, by all engines, and compare


@dataclass(frozen=True)
class _Check:
    """One obligation as a task of the pool: ``kept`` is what its file keeps of it. Of what its file says is ``open``
    samples are looked at; a proof of it is what ``--search`` looks for.
    """

    obligation: Obligation
    kept: Kept
    mode: Mode = Mode.replay
    open: bool = False
    limit: float = STOPPED

    def run(self) -> Found:
        obligation, proof = self.obligation, self.kept.proofs.get(key_of(self.obligation.key()))
        known = [] if proof is None else [replay(obligation, proof, self.kept.texts)]
        settled = [e for e in known if e.settles]
        if settled and self.mode is not Mode.search:
            assert proof is not None
            return Found([*settled, *opinions(obligation, proof, settled[0].outcome)])
        if self.open and self.mode is not Mode.search:
            return Found([*known, *looked_at(obligation)])
        if self.mode is Mode.frozen:
            missing = [
                unproved(obligation, "no proof is kept of it: run grpo-symbolic verify, and commit what it writes")
            ]
            return Found([*(known or missing), *looked_at(obligation)])
        found = search(obligation, everything=self.mode is Mode.search)
        return replace(found, evidence=[*settled, *found.evidence])


@dataclass(frozen=True)
class _Replay:
    """The kept proof of one obligation as a task of the pool: nothing where it does not settle it."""

    obligation: Obligation
    kept: Kept
    limit: float = STOPPED

    def run(self) -> Found | None:
        found = _Check(self.obligation, self.kept, Mode.frozen).run()
        return found if found.settles else None


def _named(key: str, place: str | None) -> str:
    """The proof that a file keeps of an obligation, as it is called while others are loaded."""
    return f"{key} {place}"


def replay_ahead(ahead: Ahead, library: Library) -> Callable[[Sequence[Claim]], None]:
    """What replays the kept proofs of claims while other files are still being loaded: of what several files keep, the
    proof of the first.
    """
    given: set[str] = set()

    def loaded(claims: Sequence[Claim]) -> None:
        with suppress(BadInput):  # whoever asks for these claims is told what is wrong
            batch: dict[str, _Replay] = {}
            for c in claims:
                kept = library.of(c.place)
                for _, o in c.obligations():
                    if o.key() not in given and key_of(o.key()) in kept.proofs:
                        given.add(o.key())
                        batch[_named(o.key(), c.place)] = _Replay(o, kept)
            ahead.give(batch)

    return loaded


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
class _Found:
    """What was found of a claim: all evidence, the verdict, whether the print is refuted, the cross-check, and the
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

    ``library`` has the proofs that are kept, to which those that are found are added, and ``mode`` says what to do with
    them, of which ``replayed`` are already, by obligation and file; ``store`` has what Coq has found, which
    ``fresh`` ignores; ``printer`` turns SymPy into LaTeX; ``told`` hears each verdict as soon as it is certain.
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
    told: Told = lambda claim_id, verdict, expected: None
    found: dict[str, _Found] = field(default_factory=dict)
    library: Library | None = None
    mode: Mode = Mode.replay
    replayed: Mapping[str, Found] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    _open: frozenset[str] = frozenset()  # the keys of what files say is open
    _leant_on: frozenset[str] = frozenset()  # and of what belongs only to claims that others depend on

    def verify(self, ids: list[str] | None = None, mutate: bool = False, whole: frozenset[str] = frozenset()) -> Ledger:
        """Check the claims with these ids and all that they depend on; return the ledger of the claims asked for. Of
        the files that are ``whole`` among them no proof stays but of their obligations.
        """
        wanted = list(self.catalogue.claims) if ids is None else ids
        needed = self._closure(wanted)
        self.found.clear()
        names = {c.id for c in needed}
        listed = [c for c in self.catalogue.claims.values() if c.id in names]  # in the order in which files are loaded
        owed = [(c.place, o) for c in listed for _, o in c.obligations()]
        owed += [(c.place, o) for c in listed for o in c.widening]
        undecided = [c for c in needed if c.expect in (Verdict.supported, Verdict.unknown)]
        self._open = frozenset(o.key() for c in undecided for _, o in c.obligations())
        self._leant_on = frozenset(o.key() for c in needed if c.id not in wanted for _, o in c.obligations())
        self._leant_on -= {o.key() for c in needed if c.id in wanted for _, o in c.obligations()}
        self._check(owed, Stream(needed, self._judge_early).decided)
        self._check([(c.place, o) for c in needed for _, o in self._implied(c)])
        self._forget(needed, whole)
        if mutate:
            self._mutate([c for i in wanted if isinstance(c := self.catalogue.claims[i], Claim)])
        for c in needed:
            if c.id not in self.found:
                self._judge(c)
        said = self._words(needed)
        self._record(whole, {id: text for id, (_, text) in said.items()})
        entries = {c.id: self._entry(c, said[c.id][0], self.found[c.id]) for c in needed}
        claims = tuple(entries[i] for i in self.catalogue.claims if i in wanted)
        titles = {name: paper["title"] for name, paper in self.catalogue.papers.items()}
        return Ledger(claims, papers={c.paper: titles.get(c.paper, c.paper) for c in claims})

    def _forget(self, checked: Sequence[Owing], whole: frozenset[str]) -> None:
        """Of files of which every claim was checked nothing stays but what concerns their obligations."""
        if self.library is None or self.mode is Mode.frozen:
            return
        for place in whole:
            claims = [c for c in checked if c.place == place]
            owed = [o for c in claims for o in (*(o for _, o in c.obligations()), *c.widening)]
            owed += [o for c in claims for _, o in self._implied(c)]
            self.library.keep(place, Kept(), [o.key() for o in owed])

    def _record(self, whole: frozenset[str], texts: Mapping[str, str]) -> None:
        """The claims of files of which every claim was checked are kept beside them, or compared with what is."""
        if self.library is not None:
            for place in whole:
                mine = {id: text for id, text in texts.items() if self.catalogue.claims[id].place == place}
                text = file_text(self.library.digest(place), self.states.get(place), mine)
                self.library.record(place, text, compare=self.mode is Mode.frozen)

    def lacks_a_premise(self, claim: Owing) -> bool:
        """Whether a premise of a rule is refuted, so that the sentence hangs on what it implies."""
        return any(settle(self.evidence[o.key()])[0] is Outcome.refuted for _, o in claim.obligations() if o.sufficient)

    def _implied(self, claim: Owing) -> Iterator[tuple[str, Obligation]]:
        """What follows from a claim of which a premise is refuted, as far as there is its statement."""
        return claim.implied() if isinstance(claim, Claim) and self.lacks_a_premise(claim) else iter(())

    def _closure(self, ids: list[str]) -> list[Owing]:
        """The claims and their dependencies, each after what it depends on."""
        ordered: dict[str, Owing] = {}

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

    def _judge_early(self, claim: Owing) -> bool:
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
        kept = {key: self._place(sorted(set(places[key]), key=order.index), key) for key in places}
        unique = {key: first[key, kept[key] or places[key][0]] for key in places}
        names = {key: _named(key, place) for key, place in kept.items() if self._mode_of(key) is not Mode.search}
        ready = [key for key, name in names.items() if name in self.replayed]
        for key in ready:
            self.evidence[key] = self.replayed[names[key]].evidence
            decided(key)
        keys = [key for key in unique if key not in self.evidence]
        tasks = [_Check(unique[k], self._kept(kept[k]), self._mode_of(k), k in self._open) for k in keys]
        new: dict[str, Kept] = {}
        saved = time.monotonic()
        try:
            for done, (index, found) in enumerate(run_tasks(tasks, self.jobs, self.executor), start=len(ready) + 1):
                key, obligation = keys[index], tasks[index].obligation
                self.evidence[key] = [_stopped(obligation)] if found is None else found.evidence
                if found is not None and found.proof is not None:
                    for place in places[key]:
                        new.setdefault(place, Kept()).add(key, found.proof, found.texts)
                if time.monotonic() - saved > _SAVED:
                    self._save(new)
                    saved = time.monotonic()
                self.progress(done, len(unique), obligation.label)
                decided(key)
        finally:
            self._save(new)

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

    def _kept(self, place: str | None) -> Kept:
        return Kept() if place is None or self.library is None else self.library.of(place)

    def _save(self, new: dict[str, Kept]) -> None:
        if self.library is not None and self.mode is not Mode.frozen:
            for place, kept in new.items():
                self.library.keep(place, kept)
        new.clear()

    def _words(self, claims: list[Owing]) -> dict[str, tuple[Entry, str]]:
        """What the ledger says of each claim before its evidence, and what of that is kept beside its file."""
        found = {c.id: (c.entry, "") for c in claims if isinstance(c, Record)}
        expected = self.catalogue.expected
        new = [c for c in claims if isinstance(c, Claim)]
        if new:  # of what is kept as it was read there are words already; here, so that no worker imports it once more
            import grpo_symbolic.verification.words  # noqa: F401
        tasks = [_Words(c, self.printer, expected(c.id), c.place not in self.states) for c in new]
        for done, (index, said) in enumerate(run_tasks(tasks, self.jobs), start=1):
            found[new[index].id] = said or tasks[index].run()  # here it may fail with its reason
            self.progress(done, len(tasks), new[index].id)
        return found

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

    def _judge(self, claim: Owing) -> _Found:
        """The verdict of a claim whose evidence is all there, and of which all that it depends on is judged."""
        evidence: list[Evidence] = []
        settled: dict[str, list[tuple[Outcome, Grade]]] = {"holds": [], "printed": []}
        checks = []
        store = None if self.fresh else self.store
        derived = theorems.kept(store, claim) if isinstance(claim, Claim) else {}

        def by_coq(obligation: Obligation) -> list[Evidence]:
            from_theorem = derived.get(obligation.key())
            return kernel.proofs_kept(store, obligation) + ([from_theorem] if from_theorem else [])

        for number, (about, obligation) in enumerate(claim.obligations()):
            known = self.evidence[obligation.key()] + (by_coq(obligation) if about == "holds" else [])
            said = f"{number}: {obligation.label}"
            found = [replace(e, about=about, obligation=said) for e in known]
            evidence += found
            settled[about].append(settle(found, obligation.sufficient))
            if about == "holds":
                checks.append(crosscheck(found))
        for about, obligation in self._implied(claim):
            found = [replace(e, about=about, obligation=obligation.label) for e in self.evidence[obligation.key()]]
            outcome = settle(found)
            if outcome[0] is Outcome.refuted:
                evidence += found
                settled[about].append(outcome)
        verdict = cap(verdict_of(settled["holds"], claim.lemmas), [self.found[d].verdict for d in claim.depends_on])
        if claim.is_definition and (verdict is Verdict.proved or not settled["holds"]):
            verdict = Verdict.definition
        printed_refuted = verdict_of(settled["printed"]) is Verdict.refuted
        theorem = theorems.theorem_for(claim, by_coq) if derived and isinstance(claim, Claim) else ""
        judged = _Found(tuple(evidence), verdict, printed_refuted, combine_crosschecks(checks), theorem)
        self.found[claim.id] = judged
        self.told(claim.id, verdict, self.catalogue.expected(claim.id))
        return judged

    def _entry(self, claim: Owing, said: Entry, found: _Found) -> Entry:
        """What the ledger says of a claim, with what was ``found``."""
        statuses = self.statuses.get(claim.id, {})
        print_verdict = judge(
            said.print_expected,
            found.verdict,
            has_reading=any(about == "printed" for about, _ in claim.obligations()),
            printed_refuted=found.printed_refuted,
            wider_confirmed=claim.is_wider
            and all(any(e.proves for e in self.evidence[o.key()]) for o in claim.widening),
            accounted=not said.print_unread,
        )
        return replace(
            said,
            verdict=found.verdict,
            print_verdict=print_verdict,
            evidence=tuple(map(EvidenceRecord.of, found.evidence)),
            crosscheck=found.crosscheck,
            mutants=Mutants.of(statuses.values()),
            letters=said.letters if any(e.outcome is Outcome.refuted for e in found.evidence) else (),
            mutants_survived=tuple(k for k, f in statuses.items() if f == "survived"),
            mutants_unknown=tuple(k for k, f in statuses.items() if f == "unknown"),
            mutated=claim.id in self.mutated,
            theorem=found.theorem,
        )


def _stopped(obligation: Obligation) -> Evidence:
    """That a task was stopped: nothing is known of its obligation."""
    reason = f"stopped after {STOPPED:.0f} s, or its process died"
    return Evidence(
        "holds", obligation.label, "pool", Grade.none, Outcome.unknown, "none", STOPPED, artefact=reason, timed_out=True
    )
