"""Which claims are meant: those under some paths, as the text of their files or an earlier run shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from grpo_symbolic import catalogue as sources
from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import place_of
from grpo_symbolic.index import Index, Listing, listing_of, listings_from_json
from grpo_symbolic.verification.ledger_cache import LedgerCache
from grpo_symbolic.verification.states import states
from grpo_symbolic.verification.store import Store

if TYPE_CHECKING:
    from grpo_symbolic.proof.claims import Claim
    from grpo_symbolic.proof.registration import Catalogue


class Selection:
    """Claims of some paths (all built-in papers when there are none), and the ledger that a store keeps of them.

    Raises :class:`BadInput` when a path is not there or holds no result files.
    """

    def __init__(self, paths: Sequence[Path], store: Store) -> None:
        self.paths = [Path(p).resolve() for p in paths]
        builtin = sources.builtin_folders()
        own = sorted(f for f in sources.folders_of(self.paths) if f not in builtin)
        self._folders = {folder.name: folder for folder in [*builtin, *own]}
        self.cache = LedgerCache(store, own, lambda: self._states)
        self.on_loaded: sources.OnLoaded = lambda claims: None  # hears of each file that is run for all claims

    @cached_property
    def index(self) -> Index:
        """What the text of the result files shows of their claims, at once."""
        return sources.index(self.paths, listings_from_json(self.cache.index))

    @cached_property
    def _states(self) -> dict[str, str]:
        """What each file is, with all that is behind it."""
        return states(self.index, self._folders)

    @cached_property
    def builtin_states(self) -> dict[str, str]:
        """What each file of the built-in papers is, the same in every folder and beside any of one's own."""
        builtin = {folder.name: folder for folder in sources.builtin_folders()}
        if set(builtin) == set(self._folders):
            return self._states
        return states(sources.index((), listings_from_json(self.cache.index)), builtin)

    def _file(self, place: str) -> Path:
        """The result file that is called ``paper/name.py``."""
        paper, name = place.split("/")
        return self._folders[paper] / name

    def elsewhere(self, imported: Mapping[str, str]) -> dict[str, str]:
        """What files import that are no result files, of which :attr:`_states` knows; the digests go with them."""
        results = {str(self._file(place)) for place in self.index.files}
        return {path: digest for path, digest in imported.items() if path not in results}

    @cached_property
    def catalogue(self) -> Catalogue:
        """The claims under the paths and what they depend on: this imports SymPy and runs the result files."""
        return sources.load(self.paths, self.index, self.on_loaded)

    @property
    def listings(self) -> list[Listing]:
        """The claims under the paths as their files' text shows them, in reading order, and those that only an earlier
        run has found.
        """
        shown = [c for c in self.index.listings.values() if c.place in self.files]
        only_cached = [c for c in self.cache.read().ledger.claims if c.id not in self.index.listings]
        cached = [listing_of(c) for c in only_cached if c.place in self.files]
        return [*shown, *cached]

    @property
    def hidden(self) -> list[str]:
        """The files under the paths that register more than their text shows, and that no run has looked at."""
        return [place for place in self.index.unread if place in self.files - self.cache.read().files]

    @cached_property
    def files(self) -> set[str]:
        """The result files under the paths, as ``paper/name.py``."""
        return set(map(place_of, sources.files_of(self.paths)))

    def check_ids(self, ids: Sequence[str]) -> None:
        """Raise :class:`BadInput` for an id that no file under the paths registers, with the file elsewhere that does,
        or with what was perhaps meant.

        Where a file registers claims in a way that its text does not show, it is run to find out.
        """
        shown = {c.id for c in self.listings}
        if set(ids) <= shown:
            return
        present = {*shown, *(sources.selected(self.catalogue, self.paths) if self.hidden else ())}
        for id in ids:
            if id not in present and id in self.index.listings:
                given, place = ", ".join(map(str, self.paths)), self.index.listings[id].place
                raise BadInput(f"the claim {id!r} is registered in {place}, which is not under {given}")
            if id not in present:
                near = ", ".join(get_close_matches(id, present - shown))
                meant = self.index.meant(id) or (f"; did you mean {near}?" if near else "")
                where = (
                    "" if self.paths or meant else "; a claim of your own is found in the folder that is named with it"
                )
                raise BadInput(f"there is no claim {id!r}{meant}{where}")

    def select(self) -> list[str]:
        """The ids of all claims under the paths; raises :class:`BadInput` where there are none."""
        present = sources.selected(self.catalogue, self.paths)
        if not present:
            given = ", ".join(map(str, self.paths)) or "the built-in papers"
            raise BadInput(f"no claim is registered in {given}: a result file calls claim(…) at least once")
        return present

    def part(self, text: str) -> list[str]:
        """The ids of one part of the claims under the paths, such as ``3/10``: by their digests, so that a claim stays
        in its part when others come and go.

        Raises :class:`BadInput` for a text that is no such part, and where the part is empty.
        """
        number, _, parts = text.partition("/")
        if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
            raise BadInput(f"{text!r} is no part of the claims: expected K/N with 1 ≤ K ≤ N, such as 3/10")
        chosen = [i for i in self.select() if int(sha256(i.encode()).hexdigest(), 16) % int(parts) == int(number) - 1]
        if not chosen:
            raise BadInput(f"the part {text} has no claim: there are {len(self.select())} in all")
        return chosen

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
        return sources.with_dependencies(ids, self.paths, self.index)
