"""What the command line does, without its words: which claims are meant, what is known about them, what a run keeps.

Every run keeps its entries in one ledger of the store, under a digest of every source file and engine version. While
that digest stands, the ledger is the answer and no engine is imported. Where nothing is known yet, the index says what
there is.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grpo_symbolic import catalogue as sources
from grpo_symbolic.apart import digest_of
from grpo_symbolic.errors import BadInput
from grpo_symbolic.index import Index, Listing, kept_of, listing_of
from grpo_symbolic.ledger import Entry, Ledger
from grpo_symbolic.verification.store import Store, fingerprint

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from grpo_symbolic.proof.claims import Catalogue, Claim

Progress = Callable[[int, int, str], None]

STORE_VARIABLE = "GRPO_SYMBOLIC_STORE"
_KEPT = 6  # ledgers


def default_store() -> Store:
    """The store of this working directory, ``.grpo-symbolic/``, or the folder that $GRPO_SYMBOLIC_STORE names."""
    return Store(Path(os.environ.get(STORE_VARIABLE) or ".grpo-symbolic"))


def default_jobs() -> int:
    """Two worker processes, or one on a machine with one core."""
    return min(2, os.cpu_count() or 1)


@dataclass(frozen=True)
class Run:
    """The ledger of the claims asked for; ``reused``: it is that of an earlier run, whose sources have not changed;
    ``broken``: why files that were asked for have no claims in it, a sentence each.
    """

    ledger: Ledger
    reused: bool
    broken: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Kept:
    """A ledger of the store: ``files`` (``paper/name.py``) are those of which every claim is in it, ``mutated`` the ids
    of the claims whose mutants were made.
    """

    ledger: Ledger
    files: frozenset[str] = frozenset()
    mutated: frozenset[str] = frozenset()
    imported: Mapping[str, str] = field(default_factory=dict)  # what the files import from elsewhere, with its digest

    def to_json(self) -> dict[str, Any]:
        lists = {"files": sorted(self.files), "mutated": sorted(self.mutated), "imported": dict(self.imported)}
        return {"ledger": self.ledger.to_json(), **lists}

    @classmethod
    def from_json(cls, data: Any) -> _Kept | None:
        try:
            imported = dict(data["imported"])
            if any(digest_of(Path(path)) != digest for path, digest in imported.items()):
                return None  # something that was imported from elsewhere says something else now
            files, mutated = frozenset(data["files"]), frozenset(data["mutated"])
            return cls(Ledger.from_json(data["ledger"]), files, mutated, imported)
        except (BadInput, KeyError, TypeError):
            return None


class Session:
    """Claims of some paths (all built-in papers when there are none) and the store that remembers them.

    Raises :class:`BadInput` when a path is not there or holds no result files.
    """

    def __init__(self, paths: Sequence[Path] = (), store: Store | None = None) -> None:
        self.paths = [Path(p).resolve() for p in paths]
        self.store = store or default_store()
        builtin = sources.builtin_folders()
        own = sorted(f for f in sources.folders_of(self.paths) if f not in builtin)
        names = "|".join(map(str, own))
        self._memory: _Kept | None = None
        self._key = f"{fingerprint([*builtin, *own])}-{hashlib.sha256(names.encode()).hexdigest()[:8]}"

    # -- which claims ---------------------------------------------------------------------------------------------

    @cached_property
    def index(self) -> Index:
        """What the text of the result files shows of their claims, at once."""
        return sources.index(self.paths, kept_of(self.store.noted("index", self._key)))

    @cached_property
    def catalogue(self) -> Catalogue:
        """The claims under the paths and what they depend on: this imports SymPy and runs the result files."""
        return sources.load(self.paths)

    @property
    def listings(self) -> list[Listing]:
        """The claims under the paths as their files' text shows them, in reading order, and those that only an earlier
        run has found.
        """
        shown = [c for c in self.index.listings.values() if f"{c.paper}/{c.file}" in self._files]
        found = [listing_of(c) for c in self.known().claims if c.id not in self.index.listings]
        return [*shown, *found]

    @property
    def hidden(self) -> list[str]:
        """The files under the paths that register more than their text shows, and that no run has looked at."""
        return [place for place in self.index.unread if place in self._files - self._kept().files]

    @cached_property
    def _files(self) -> set[str]:
        return {f"{f.parent.name}/{f.name}" for f in sources.files_of(self.paths)}

    def check_ids(self, ids: Sequence[str]) -> None:
        """Raise :class:`BadInput`, with what was perhaps meant, for an id that no file under the paths registers.

        Where a file registers claims in a way that its text does not show, it is run to find out.
        """
        shown = {c.id for c in self.listings}
        if set(ids) <= shown:
            return
        present = {*shown, *(sources.selected(self.catalogue, self.paths) if self.hidden else ())}
        for id in ids:
            if id not in present:
                near = ", ".join(get_close_matches(id, present - shown))
                meant = self.index.meant(id) or (f"; did you mean {near}?" if near else "")
                raise BadInput(f"there is no claim {id!r}{meant}")

    def select(self) -> list[str]:
        """The ids of all claims under the paths; raises :class:`BadInput` where there are none."""
        present = sources.selected(self.catalogue, self.paths)
        if not present:
            given = ", ".join(map(str, self.paths)) or "the built-in papers"
            raise BadInput(f"no claim is registered in {given}: a result file calls claim(…) at least once")
        return present

    def claim(self, id: str) -> Claim:
        """One claim; of the built-in papers only its own file is run. Raises :class:`BadInput` for an unknown id."""
        if not self.paths and "catalogue" not in self.__dict__:
            return sources.find(id)
        return self.enough_for([id]).claims[id]

    def enough_for(self, ids: Sequence[str] = ()) -> Catalogue:
        """A catalogue with these claims and what they depend on; without ids, everything under the paths.

        Only the files that it takes are run. Raises :class:`BadInput` for an unknown id.
        """
        if not ids or "catalogue" in self.__dict__:
            self.select()
            self.check_ids(ids)
            return self.catalogue
        self.check_ids(ids)
        return sources.with_dependencies(ids, self.paths)

    # -- what is known ----------------------------------------------------------------------------------------------

    def known(self, mutants: bool = False) -> Ledger:
        """What earlier runs on these very sources have found of the claims under the paths, however little.

        With ``mutants`` only the claims whose mutants were made; without, no word of mutants.
        """
        kept = self._kept()
        under = kept.ledger.where(lambda c: f"{c.paper}/{c.file}" in self._files)
        if mutants:
            return under.where(lambda c: c.id in kept.mutated)
        return replace(under, claims=tuple(c.without_mutants() for c in under.claims))

    def finished(self, mutants: bool = False) -> Ledger | None:
        """The ledger of all claims under the paths, if earlier runs on these very sources have found all of it."""
        kept, found = self._kept(), self.known(mutants)
        whole = self._files <= kept.files and (not mutants or len(found.claims) == len(self.known().claims))
        return found if whole and found.claims else None

    def entry(self, id: str) -> Entry | None:
        """What is known of one claim; nothing where no run on these sources has looked at it."""
        return self._kept().ledger.entries.get(id)

    def _kept(self) -> _Kept:
        if self._memory is None:
            self._memory = self._stored()
        return self._memory

    def _stored(self) -> _Kept:
        return _Kept.from_json(self.store.noted("ledgers", self._key)) or _Kept(Ledger(()))

    # -- a run ------------------------------------------------------------------------------------------------------

    def verify(
        self,
        ids: Sequence[str] = (),
        *,
        jobs: int = 2,
        mutate: bool = False,
        fresh: bool = False,
        progress: Progress = lambda done, total, what: None,
        executor: Executor | None = None,
    ) -> Run:
        """Verify the claims asked for, or read off what earlier runs on these sources found (unless ``fresh``).

        An obligation that nothing has decided because time ran out is tried again. The checks run in ``jobs``
        processes, or where ``executor`` runs them.
        """
        wanted = list(ids)
        if wanted:
            self.check_ids(wanted)
        known = None if fresh else self._sufficient(wanted, mutate)
        late = () if known is None else [c.id for c in known.claims if c.unfinished]
        if known is not None and not late:
            return Run(known, reused=True)
        if known is not None:
            wanted = [c.id for c in known.claims if c.id in {*late, *known.resting_on(late)}]
        catalogue = self.enough_for(wanted)
        chosen = [i for i in catalogue.claims if i in set(wanted)] if wanted else self.select()
        found = self._verified(catalogue, chosen, jobs, mutate, fresh, progress, executor)
        whole = not wanted and not catalogue.broken
        self._keep(found, mutate, frozenset(self._files) if whole else frozenset(), catalogue.imported)
        if known is not None:
            found = replace(known, claims=tuple(found.entries.get(c.id, c) for c in known.claims))
        return Run(found, reused=False, broken=tuple(catalogue.broken))

    def update(self, ids: Iterable[str], jobs: int = 1, progress: Progress = lambda done, total, what: None) -> None:
        """Put what the store has learnt about these claims, by a sweep or from the kernel, into the ledger it keeps.

        Claims that depend on one whose verdict has changed are looked at again as well.
        """
        kept = self._kept().ledger
        mine = [i for i in ids if i in kept.entries]
        if not mine:
            return
        found = self._verified(self.enough_for(mine), mine, jobs, progress=progress)
        changed = [c.id for c in found.claims if c.verdict is not kept.entries[c.id].verdict]
        above = sorted(kept.resting_on(changed) - set(mine))
        self._keep(found, False, frozenset())
        if above:
            catalogue = sources.with_dependencies(above, self.paths)
            again = self._verified(catalogue, above, jobs, progress=progress)
            self._keep(again, False, frozenset())

    def _sufficient(self, ids: list[str], mutants: bool) -> Ledger | None:
        if not ids:
            return self.finished(mutants)
        known = self.known(mutants)
        return known.where(lambda c: c.id in ids) if set(ids) <= set(known.entries) else None

    def _verified(
        self,
        catalogue: Catalogue,
        wanted: list[str],
        jobs: int = 1,
        mutate: bool = False,
        fresh: bool = False,
        progress: Progress = lambda done, total, what: None,
        executor: Executor | None = None,
    ) -> Ledger:
        from grpo_symbolic.report.latex import PaperPrinter
        from grpo_symbolic.verification.runner import Verification

        printer = PaperPrinter()  # only now: the result files are loaded, and may declare symbols of their own
        run = Verification(catalogue, self.store, jobs, fresh, printer, progress=progress, executor=executor)
        return run.verify(wanted, mutate)

    def _keep(
        self, found: Ledger, mutate: bool, files: frozenset[str], imported: Mapping[str, str] | None = None
    ) -> None:
        """Add the entries of a run to the ledger of the store; mutants of before stay, for the sources are the same."""
        kept = self._stored()  # not from memory: another run may have added to it
        old = kept.ledger.entries
        entries = dict(old)
        for c in found.claims:
            entries[c.id] = c if mutate or c.id not in kept.mutated else c.with_mutants_of(old[c.id])
        order = {id: n for n, id in enumerate(self.index.listings)}
        claims = sorted(entries.values(), key=lambda c: order.get(c.id, len(order)))
        ledger = Ledger(tuple(claims), found.environment, {**kept.ledger.papers, **found.papers})
        mutated = kept.mutated | {c.id for c in found.claims if mutate}
        both = {**kept.imported, **(imported or {})}
        self._memory = _Kept(ledger, kept.files | files, frozenset(mutated), both)
        self.store.note("ledgers", self._key, self._memory.to_json())
        self.store.note("index", self._key, self.index.to_json())
        self._prune()

    def _prune(self) -> None:
        """Only the newest ledgers and indices stay; the evidence itself is never removed."""
        for kind in ("ledgers", "index"):
            found = sorted((self.store.folder / kind).glob("*.json"), key=lambda f: f.stat().st_mtime, reverse=True)
            for old in found[_KEPT:]:
                old.unlink(missing_ok=True)
