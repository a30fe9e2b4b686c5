"""What the command line does, without its words: what is known of the claims that are meant, and a run over them.

Every run keeps its entries in one ledger of the store, under a digest of the package and every engine's version
(:mod:`.verification.ledger_cache`). While that digest and the result files stand, the ledger is the answer and no
engine is imported; after an edit only the files are looked at that rest on what was edited. Where nothing is known yet,
the index says what there is (:mod:`.selection`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grpo_symbolic import catalogue as sources
from grpo_symbolic import headlines
from grpo_symbolic.confinement import can_confine
from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import writable
from grpo_symbolic.ledger import Entry, Ledger
from grpo_symbolic.proof.statements.evidence import Verdict
from grpo_symbolic.selection import Selection
from grpo_symbolic.verification.store import Store

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from grpo_symbolic.proof.registration import Catalogue
    from grpo_symbolic.verification.proofs import Library
    from grpo_symbolic.verification.records import Record

Progress = Callable[[int, int, str], None]
OnVerdict = Callable[[str, Verdict, Verdict], None]


@dataclass(frozen=True)
class Options:
    """How a run goes: see :meth:`Session.verify`."""

    jobs: int = 1
    mutate: bool = False
    fresh: bool = False
    progress: Progress = lambda done, total, what: None
    on_verdict: OnVerdict = lambda claim_id, verdict, expected: None
    executor: Executor | None = None
    mode: str = "replay"


STORE_VARIABLE = "GRPO_SYMBOLIC_STORE"


def default_store() -> Store:
    """The store of this working directory, ``.grpo-symbolic/``, or the folder that $GRPO_SYMBOLIC_STORE names."""
    return Store(Path(os.environ.get(STORE_VARIABLE) or ".grpo-symbolic"))


def default_jobs() -> int:
    """Two worker processes, or one on a machine with one core."""
    return min(2, os.cpu_count() or 1)


@contextmanager
def _left_alone(store: Store) -> Iterator[None]:
    """Raises :class:`BadInput` where the store is written to while files of one's own are run, on a system that cannot
    keep their processes from it.
    """
    before = None if can_confine() else _listing(store.folder)
    yield
    if before is not None and _listing(store.folder) != before:
        raise BadInput(f"{store.folder} was written to while result files were run: remove it, and verify again")


def _listing(folder: Path) -> set[tuple[str, int, int, int]]:
    """The files of a folder, and what changes with each of them."""
    files = ((str(file), file.stat()) for file in folder.rglob("*") if file.is_file())
    return {(name, state.st_ino, state.st_size, state.st_ctime_ns) for name, state in files}


@dataclass(frozen=True)
class Run:
    """The ledger of the claims asked for; ``reused``: it is that of an earlier run, whose sources have not changed;
    ``broken``: why files that were asked for have no claims in it, a sentence each; ``damaged``: why stored proofs
    could not be read; ``stale``: which sentences are printed beside their files and are not what these say.
    """

    ledger: Ledger
    reused: bool
    broken: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


class Session(Selection):
    """Claims of some paths (all built-in papers when there are none) and the store that remembers them.

    Raises :class:`BadInput` when a path is not there or holds no result files.
    """

    def __init__(self, paths: Sequence[Path] = (), store: Store | None = None) -> None:
        self.store = store or default_store()
        super().__init__(paths, self.store)

    @cached_property
    def library(self) -> Library:
        """The proofs that are stored beside the result files, and in the store."""
        from grpo_symbolic.verification.proofs import Library

        return Library(self._folders, self.store.folder / "proofs")

    # -- what is known ----------------------------------------------------------------------------------------------

    def known(self, mutants: bool = False) -> Ledger:
        """The ledger that earlier runs on these very sources left of the claims under the paths, however little.

        With ``mutants`` only the claims whose mutants were made; without, nothing of mutants.
        """
        stored = self.cache.read()
        under = stored.ledger.where(lambda c: c.place in self.files)
        if mutants:
            return under.where(lambda c: c.id in stored.mutated)
        return replace(under, claims=tuple(c.without_mutants() for c in under.claims))

    def finished(self, mutants: bool = False) -> Ledger | None:
        """The ledger of all claims under the paths, if earlier runs on these very sources have found all of it."""
        stored, known = self.cache.read(), self.known(mutants)
        whole = self.files <= stored.files and (not mutants or len(known.claims) == len(self.known().claims))
        return known if whole and known.claims else None

    def entry(self, id: str) -> Entry | None:
        """What is known of one claim; nothing where no run on these sources has looked at it."""
        return self.cache.read().ledger.entries.get(id)

    def file_of(self, entry: Entry) -> Path:
        """The result file of a claim."""
        return self._file(entry.place)

    def records(self, places: Iterable[str]) -> dict[str, list[Record]]:
        """What is recorded of the claims of built-in files as this code read them, by file, where it is of these files
        as they are.
        """
        from grpo_symbolic.verification.records import read_file

        wanted = sorted(set(places) & set(self.builtin_states)) if self._is_noted else []
        of, states = self.index.digests, self.builtin_states
        read = {place: read_file(self.library.claims(place), place, of[place], states[place]) for place in wanted}
        return {place: mine for place, mine in read.items() if mine is not None}

    # -- a run ------------------------------------------------------------------------------------------------------

    def verify(
        self,
        ids: Sequence[str] = (),
        *,
        jobs: int = 2,
        mutate: bool = False,
        fresh: bool = False,
        progress: Progress = lambda done, total, what: None,
        on_verdict: OnVerdict = lambda claim_id, verdict, expected: None,
        executor: Executor | None = None,
        mode: str = "replay",
        from_source: bool = False,
    ) -> Run:
        """Verify the claims asked for, or read off what earlier runs on these sources found (unless ``fresh``).

        ``mode`` is "replay" (kept proofs are replayed, and what has none is searched), "frozen" (replayed, and nothing
        else) or "search" (everything is looked for anew, by all engines). What an earlier run left open is tried again.
        What is recorded of the built-in papers as they were read is taken for their files while these stand, unless all
        is looked for anew or they are to be read ``from_source``. The checks run in ``jobs`` processes, or where
        ``executor`` runs them. ``on_verdict`` hears each verdict as soon as it is certain.
        """
        anew = fresh or mode != "replay"
        return self._verify(list(ids), Options(jobs, mutate, anew, progress, on_verdict, executor, mode), from_source)

    def _verify(self, ids: list[str], options: Options, from_source: bool) -> Run:
        run = self._run(ids, options, from_source)
        if run.reused:
            return run
        if self.is_whole and not (ids or run.broken):
            self.library.record_code(sources.root(), self._code, compare=options.mode == "frozen")
        return replace(run, stale=tuple(self.library.stale), damaged=tuple(self.library.damaged.values()))

    @property
    def is_whole(self) -> bool:
        """Whether it is about all built-in papers, and no other."""
        return not self.paths and bool(self.builtin_states)

    @cached_property
    def _code(self) -> str:
        """The digest of the code that reads result files."""
        return headlines.code()

    @property
    def _is_noted(self) -> bool:
        """Whether that is the code of which it is noted that it has read the built-in papers."""
        return headlines.noted_code(sources.root()) == self._code

    def _unrecorded(self) -> set[str]:
        """The built-in files under the paths of which something else is recorded than what this code reads in them;
        none where nothing can be recorded.
        """
        mine = self.files & set(self.builtin_states)
        if not mine or not writable(sources.root()):
            return set()
        if not self._is_noted:
            return mine if self.is_whole else set()
        states, of = self.builtin_states, self.index.digests
        return {place for place in mine if not headlines.stands(self._file(place), of[place], states[place])}

    def _was_edited(self, known: Ledger) -> bool:
        """Whether a file beside one of one's own has another line for a claim than the ledger: somebody edited it."""
        listings = self.index.listings
        lines = ((listings[c.id].headline, c) for c in known.claims if c.id in listings)
        return any(line and line != c.headline and c.place not in self.builtin_states for line, c in lines)

    def _run(self, wanted: list[str], options: Options, from_source: bool) -> Run:
        if wanted:
            self.check_ids(wanted)
        anew = options.fresh or from_source
        unrecorded = set() if wanted or anew else self._unrecorded()
        stored = None if anew or unrecorded else self._sufficient(wanted, options.mutate)
        if stored is not None and self._was_edited(stored):
            stored = None
        known = stored if stored is not None else self._brought_up_to_date(wanted, options, from_source, unrecorded)
        if known is None:
            return self._read_and_verify(wanted, options)
        late = [c.id for c in known.claims if c.unfinished or c.is_open]
        if not late:
            return Run(known, reused=stored is not None)
        again = {*late, *known.resting_on(late)}
        run = self._read_and_verify([c.id for c in known.claims if c.id in again], options)
        claims = tuple(run.ledger.entries.get(c.id, c) for c in known.claims)
        return replace(run, ledger=replace(known, claims=claims))

    def _brought_up_to_date(
        self, wanted: list[str], options: Options, from_source: bool, unrecorded: set[str]
    ) -> Ledger | None:
        """The ledger once the proofs of recorded claims are replayed and, where only some files have changed, these are
        verified; nothing where that is not all that is asked.
        """
        if not (from_source or options.mutate or options.executor or options.mode == "search"):
            replayed = self._replay_records(wanted, options)
            if replayed is not None and not unrecorded:
                return replayed
        if wanted or options.fresh or from_source:
            return None
        changed = self._changed(options.mutate, unrecorded)
        if not changed:
            return None
        only = Session(changed, self.store)
        only.cache, only.library = self.cache, self.library
        with suppress(BadInput):  # the whole run says what is wrong, and does the rest
            only._verify([], replace(options, on_verdict=Options.on_verdict), from_source=True)
        return self.finished(options.mutate)

    def _read_and_verify(self, wanted: list[str], options: Options) -> Run:
        """Read the result files, verify the claims asked for, all of them if none is, and put them into the ledger."""
        mode = options.mode
        if self.is_whole and not wanted and mode != "frozen" and not self._is_noted:
            self.library.record_code(sources.root(), "")  # until all is read by this code
        from grpo_symbolic.verification.pool import Ahead
        from grpo_symbolic.verification.runner import replay_ahead

        ahead_jobs = 0 if mode == "search" or options.executor else options.jobs - 1
        with _left_alone(self.store), Ahead(ahead_jobs) as ahead:
            self.on_loaded = replay_ahead(ahead, self.library)
            catalogue = self.enough_for(wanted)
        chosen = [i for i in catalogue.claims if i in set(wanted)] if wanted else self.select()
        files = frozenset(self.files) if not wanted and not catalogue.broken else frozenset()
        verified = self._verified(catalogue, chosen, options, files, ahead.results)
        self.cache.add(verified, options.mutate, files, self.elsewhere(catalogue.imported), self.index)
        return Run(verified, False, tuple(catalogue.broken))

    def _replay_records(self, wanted: Sequence[str], options: Options) -> Ledger | None:
        """Replay the proofs of the built-in claims that are recorded as they were read, of these ids or of all files
        under the paths (unless ``fresh``, of which not everything is known). What these show goes to the ledger, which
        is the answer if it says all that is asked; the rest is left to those who read the files.
        """
        from grpo_symbolic.verification import records
        from grpo_symbolic.verification.runner import Mode, Verification

        states, listings = self.builtin_states, self.index.listings
        # The evidence of Coq is about claims that are read from their files.
        if not states or self.store.holds_evidence or not self._is_noted:
            return None
        fresh = options.fresh
        places = self.files - (frozenset() if fresh else self.cache.read().files)
        asked = list(wanted) or [c.id for c in listings.values() if c.place in places]
        behind = self.index.behind(asked)
        read = self.records({listings[id].place for id in behind} | places)
        near = (r for mine in read.values() for r in mine if r.id in behind)
        held = records.Records.of(near, listings, self.index.papers)
        if not held.claims.keys() & set(asked) or (fresh and (self.hidden or not held.claims.keys() >= set(asked))):
            return None

        def on_verdict(id: str, verdict: Verdict, expected: Verdict) -> None:
            if verdict is expected:  # what is not is looked at again, in its file
                options.on_verdict(id, verdict, expected)

        run = Verification(
            held,
            jobs=options.jobs,
            progress=options.progress,
            on_verdict=on_verdict,
            library=self.library,
            mode=Mode.frozen,
        )
        proved = run.verify([id for id in asked if id in held.claims])
        proved = proved.where(lambda c: not c.failures() and not run.lacks_a_premise(held.claims[c.id]))
        there = {c.id: c.place for c in proved.claims}
        listed = {p: self.index.files[p].claims for p in read if p not in self.index.unread}
        whole = frozenset(p for p, claims in listed.items() if all(there.get(c.id) == p for c in claims))
        self.cache.add(proved, False, whole, {}, self.index)
        if fresh:
            return proved if there.keys() == set(asked) else None
        return self._sufficient(list(wanted), False)

    def update(self, ids: Iterable[str], jobs: int = 1, progress: Progress = lambda done, total, what: None) -> None:
        """Put what the store has learnt about these claims from the kernel into the ledger it keeps.

        Claims that depend on one whose verdict has changed are looked at again as well.
        """
        known = self.cache.read().ledger
        mine = [i for i in ids if i in known.entries]
        if not mine:
            return
        options = Options(jobs=jobs, progress=progress)
        updated = self._verified(self.enough_for(mine), mine, options)
        changed = [c.id for c in updated.claims if c.verdict is not known.entries[c.id].verdict]
        above = sorted(known.resting_on(changed) - set(mine))
        self.cache.add(updated, False, frozenset(), {}, self.index)
        if above:
            catalogue = sources.with_dependencies(above, self.paths, self.index)
            again = self._verified(catalogue, above, options)
            self.cache.add(again, False, frozenset(), {}, self.index)

    def _changed(self, mutants: bool, unrecorded: set[str]) -> list[Path]:
        """The files of which not everything is known or recorded, where of others it is: an edit concerns only them."""
        stored = self.cache.read()
        whole = (
            stored.files
            - {c.place for c in stored.ledger.claims if mutants and c.id not in stored.mutated}
            - unrecorded
        )
        return [self._file(place) for place in sorted(self.files - whole)] if whole & self.files else []

    def _sufficient(self, ids: list[str], mutants: bool) -> Ledger | None:
        if not ids:
            return self.finished(mutants)
        known = self.known(mutants)
        return known.where(lambda c: c.id in ids) if set(ids) <= set(known.entries) else None

    def _verified(
        self,
        catalogue: Catalogue,
        wanted: list[str],
        options: Options,
        whole: frozenset[str] = frozenset(),
        replayed: Mapping[str, Any] | None = None,
    ) -> Ledger:
        from grpo_symbolic.latex import PaperPrinter
        from grpo_symbolic.verification.runner import Mode, Verification

        printer = PaperPrinter()  # only now: the result files are loaded, and may declare symbols of their own
        run = Verification(
            catalogue,
            self.store,
            options.jobs,
            options.fresh,
            printer,
            options.progress,
            executor=options.executor,
            on_verdict=options.on_verdict,
            library=self.library,
            mode=Mode(options.mode),
            replayed={key: attempt for key, attempt in (replayed or {}).items() if attempt},
            states=self.builtin_states if self.is_whole or self._is_noted else {},
        )
        return run.verify(wanted, options.mutate, whole)
