"""The results of earlier runs: one ledger in the store for each state of the package, to which every run adds. An
entry stands while the files do that it rests on (:mod:`.states`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grpo_symbolic.errors import BadInput
from grpo_symbolic.index import Index
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.sandbox import digest_of
from grpo_symbolic.verification.store import Store, fingerprint

_MOST = 6  # ledgers that a store holds: a few states of the sources to go back and forth between


@dataclass(frozen=True)
class CachedLedger:
    """A ledger of the store: ``files`` (``paper/name.py``) are those of which every claim is in it, ``mutated`` the ids
    of the claims whose mutants were made, ``imported`` what the files import from elsewhere, with its digest,
    ``states`` what each file was when its entries were made.
    """

    ledger: Ledger = field(default_factory=lambda: Ledger(()))
    files: frozenset[str] = frozenset()
    mutated: frozenset[str] = frozenset()
    imported: Mapping[str, str] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)

    def with_run(
        self,
        run: Ledger,
        mutants: bool,
        files: frozenset[str],
        imported: Mapping[str, str],
        states: Mapping[str, str],
    ) -> CachedLedger:
        """With the entries of a run added; mutants of before stay, for the sources are the same."""
        old = self.ledger.entries
        new = {c.id: c if mutants or c.id not in self.mutated else c.with_mutants_of(old[c.id]) for c in run.claims}
        claims = tuple({**old, **new}.values())
        ledger = Ledger(claims, run.environment, {**self.ledger.papers, **run.papers})
        mutated = self.mutated | {c.id for c in run.claims if mutants}
        new_states = {place: states[place] for place in files | {c.place for c in run.claims}}
        return CachedLedger(
            ledger,
            self.files | files,
            frozenset(mutated),
            {**self.imported, **imported},
            {**self.states, **new_states},
        )

    def still(self, states: Mapping[str, str]) -> CachedLedger:
        """Without the entries of files that are no longer what they were."""
        good = {place for place, state in self.states.items() if states.get(place) == state}
        ledger = self.ledger.where(lambda c: c.place in good)
        mutated = self.mutated & {c.id for c in ledger.claims}
        return replace(self, ledger=ledger, files=self.files & good, mutated=mutated)

    def in_order(self, ids: Sequence[str]) -> CachedLedger:
        """With the claims in the order of these ids, others after them."""
        order = {id: n for n, id in enumerate(ids)}
        claims = sorted(self.ledger.claims, key=lambda c: order.get(c.id, len(order)))
        return replace(self, ledger=replace(self.ledger, claims=tuple(claims)))

    def to_json(self) -> dict[str, Any]:
        """For the store."""
        lists = {"files": sorted(self.files), "mutated": sorted(self.mutated)}
        tables = {"imported": dict(self.imported), "states": dict(self.states)}
        return {"ledger": self.ledger.to_json(), **lists, **tables}

    @classmethod
    def from_json(cls, data: Any) -> CachedLedger:
        """What the store holds; nothing where that is no ledger, or something imported from elsewhere has changed."""
        try:
            imported = dict(data["imported"])
            if any(digest_of(Path(path)) != digest for path, digest in imported.items()):
                return cls()
            ledger, states = Ledger.from_json(data["ledger"]), dict(data["states"])
            return cls(ledger, frozenset(data["files"]), frozenset(data["mutated"]), imported, states)
        except (BadInput, KeyError, TypeError):
            return cls()


class LedgerCache:
    """The ledger that a store keeps of the package as it is, for the built-in papers and folders of one's ``own``.

    ``states`` gives what each file is now.
    """

    def __init__(self, store: Store, own: Sequence[Path], states: Callable[[], Mapping[str, str]]) -> None:
        self.store = store
        names = "|".join(map(str, own))
        self._key = f"{fingerprint()}-{hashlib.sha256(names.encode()).hexdigest()[:8]}"
        self._states = states
        self._memory: CachedLedger | None = None
        self._seen: tuple[int, ...] | None = None  # the file from which that was read, as it was then

    @property
    def index(self) -> Any:
        """The index that was stored with it, or last of all, as JSON, or None: what it has of a file is under the
        digest of the file, so that after an edit it is as good for all others.
        """
        return next(
            (stored for key in (self._key, *self._newest("index")) if (stored := self.store.noted("index", key))), None
        )

    def read(self) -> CachedLedger:
        """The stored ledger, read once."""
        if self._memory is None:
            self._seen = self._now()  # before it is read, so that what is written meanwhile is seen later
            self._memory = self._stored()
        return self._memory

    def add(self, run: Ledger, mutants: bool, files: frozenset[str], imported: Mapping[str, str], index: Index) -> None:
        """Add the entries of a run, and store the index beside them."""
        stored = self.read() if self._now() == self._seen else self._stored()  # another run may have added to it
        self._memory = stored.with_run(run, mutants, files, imported, self._states()).in_order(list(index.listings))
        self.store.note("ledgers", self._key, self._memory.to_json())
        self._seen = None  # what another run writes from here on
        self.store.note("index", self._key, index.to_json())
        self._prune()

    def _now(self) -> tuple[int, ...]:
        """What tells a file of the store from one that was written since; nothing where there is none."""
        try:
            state = (self.store.folder / "ledgers" / f"{self._key}.json").stat()
        except FileNotFoundError:
            return ()
        return state.st_ino, state.st_size, state.st_mtime_ns

    def _stored(self) -> CachedLedger:
        return CachedLedger.from_json(self.store.noted("ledgers", self._key)).still(self._states())

    def _prune(self) -> None:
        """Only the newest ledgers and indices stay; the evidence itself is never removed."""
        for kind in ("ledgers", "index"):
            for old in self._newest(kind)[_MOST:]:
                (self.store.folder / kind / f"{old}.json").unlink(missing_ok=True)

    def _newest(self, kind: str) -> list[str]:
        """The keys of what is stored of a kind, the newest first."""
        files = sorted((self.store.folder / kind).glob("*.json"), key=lambda f: f.stat().st_mtime, reverse=True)
        return [file.stem for file in files]
