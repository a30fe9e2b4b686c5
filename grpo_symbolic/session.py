"""What the command line does, without its words: which claims are meant, what is known about them, what a run keeps.

A run that covers a whole scope (all built-in papers, or the folders of a user's own) leaves its ledger in the store
under a digest of every source file and engine version. While that digest stands, the ledger is the answer and no engine
is imported.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grpo_symbolic import catalogue as sources
from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.evidence import PrintVerdict, Verdict
from grpo_symbolic.verification.ledger import Store, fingerprint, ledger

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from grpo_symbolic.proof.claims import Catalogue, Claim

Document = dict[str, Any]  # a ledger
Entry = dict[str, Any]  # a claim of a ledger
Progress = Callable[[int, int, str], None]

STORE_VARIABLE = "GRPO_SYMBOLIC_STORE"
_KEPT = 6  # finished ledgers
_WIDTH, _HEIGHT = 110, 24  # a statement printed as text beyond this helps nobody
_NODES = 250  # and one with more nodes than this is always beyond it, after a long time of laying out
_NO_MUTANTS = {"made": 0, "refuted": 0, "equivalent": 0, "survived": 0, "unknown": 0}
_SETTLED = (Verdict.proved, Verdict.argued, Verdict.definition)
_TIME_IS_UP = "time limit"  # how evidence says that an engine ran out of time


def default_store() -> Store:
    """The store of this working directory, ``.grpo-symbolic/``, or the folder that $GRPO_SYMBOLIC_STORE names."""
    return Store(Path(os.environ.get(STORE_VARIABLE) or ".grpo-symbolic"))


def default_jobs() -> int:
    """Two worker processes, or one on a machine with one core."""
    return min(2, os.cpu_count() or 1)


@dataclass(frozen=True)
class Run:
    """The ledger of the claims asked for; ``reused``: it is that of an earlier run, whose sources have not changed."""

    document: Document
    reused: bool


class Session:
    """Claims of some paths (all built-in papers when there are none) and the store that remembers them.

    Raises :class:`BadInput` when a path is not there or holds no result files.
    """

    def __init__(self, paths: Sequence[Path] = (), store: Store | None = None) -> None:
        self.paths = [Path(p).resolve() for p in paths]
        self.store = store or default_store()
        builtin = sources.builtin_folders()
        chosen = sources.folders_of(self.paths)
        self._own = [f for f in chosen if f not in builtin]
        self._scope = (
            [] if not self._own else sorted(chosen)
        )  # what a finished ledger covers; [] for all built-in papers
        names = "|".join(map(str, self._scope))
        self._key = f"{fingerprint([*builtin, *self._own])}-{hashlib.sha256(names.encode()).hexdigest()[:8]}"

    # -- which claims ---------------------------------------------------------------------------------------------

    @cached_property
    def catalogue(self) -> Catalogue:
        """The claims, registered: this imports SymPy and runs the result files."""
        return sources.load(self.paths)

    def select(self, ids: Sequence[str] = ()) -> list[str]:
        """The ids asked for, or all under the paths; raises :class:`BadInput` for an id that is not there."""
        present = sources.selected(self.catalogue, self.paths)
        if not present:
            given = ", ".join(map(str, self.paths)) or "the built-in papers"
            raise BadInput(f"no claim is registered in {given}: a result file calls claim(…) at least once")
        return _choose(present, ids)

    def claim(self, id: str) -> Claim:
        """One claim; of the built-in papers, only its own file is run. Raises :class:`BadInput` for an unknown id."""
        if not self.paths:
            return sources.find(id)
        return self.catalogue.claims[self.select([id])[0]]

    def enough_for(self, ids: Sequence[str] = ()) -> Catalogue:
        """A catalogue with these claims and what they depend on; without ids, everything.

        Of the built-in papers only the files that it takes are run. Raises :class:`BadInput` for an unknown id.
        """
        if ids and not self.paths and "catalogue" not in self.__dict__:
            return sources.with_dependencies(ids)
        self.select(ids)
        return self.catalogue

    def registered(self) -> list[Claim]:
        """The claims under the paths, unverified, in the order of their papers."""
        return [self.catalogue.claims[i] for i in self.select()]

    def ids_of(self, paper: str) -> list[str]:
        """The ids of one paper's claims; raises :class:`BadInput` for a paper that is not there."""
        claims = self.registered()
        check_name(paper, sorted({c.paper for c in claims}), "paper")
        return [c.id for c in claims if c.paper == paper]

    # -- what is known ----------------------------------------------------------------------------------------------

    def finished(self, mutants: bool = False) -> Document | None:
        """The ledger of a complete run on these very sources, if the store has one (one with mutants, if so asked)."""
        for kind in ("mutants", "plain") if not mutants else ("mutants",):
            known = self.store.noted("ledgers", f"{self._key}-{kind}")
            if isinstance(known, dict) and "claims" in known:
                claims = [c for c in known["claims"] if self._covers(c)]
                return _document([c if mutants else _without_mutants(c) for c in claims], known.get("papers", {}))
        return None

    def _covers(self, entry: Entry) -> bool:
        if not self.paths:
            return True
        place = (entry["paper"], entry["file"])
        folders = {f.name for p in self.paths if p.is_dir() for f in sources.folders_of([p])}
        return entry["paper"] in folders or place in {(p.parent.name, p.name) for p in self.paths if p.is_file()}

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
        """Verify the claims asked for, or read off what an earlier run on these sources found (unless ``fresh``).

        The checks run in ``jobs`` processes, or where ``executor`` runs them.
        """
        known = None if fresh else self.finished(mutate)
        if known is not None and known["claims"]:
            chosen = set(_choose([c["id"] for c in known["claims"]], ids))
            return Run(_document([c for c in known["claims"] if c["id"] in chosen], known["papers"]), reused=True)
        catalogue = self.enough_for(ids)
        wanted = _choose(list(catalogue.claims), ids) if ids else self.select()
        document = self._verified(catalogue, wanted, jobs, mutate, fresh, progress, executor)
        if not ids and self._is_whole(wanted) and not any(_timed_out(c) for c in document["claims"]):
            self.store.note("ledgers", f"{self._key}-{'mutants' if mutate else 'plain'}", document)
            self._prune()
        return Run(document, reused=False)

    def _verified(
        self,
        catalogue: Catalogue,
        wanted: list[str],
        jobs: int,
        mutate: bool,
        fresh: bool,
        progress: Progress,
        executor: Executor | None,
    ) -> Document:
        from grpo_symbolic.report.latex import PaperPrinter
        from grpo_symbolic.verification.runner import Verification

        printer = PaperPrinter()  # only now: the result files are loaded, and may declare symbols of their own
        run = Verification(
            catalogue,
            self.store,
            jobs,
            fresh,
            printer,
            extra=lambda claim: _for_readers(claim, printer),
            progress=progress,
            executor=executor,
        )
        papers = {catalogue.claims[i].paper for i in wanted}
        titles = {name: paper["title"] for name, paper in catalogue.papers.items() if name in papers}
        return {**run.verify(wanted, mutate), "papers": titles}

    def _is_whole(self, wanted: list[str]) -> bool:
        everything = sources.selected(self.catalogue, self._scope)
        return set(wanted) == set(everything)

    def _prune(self) -> None:
        """Only the newest finished ledgers stay; the evidence itself is never removed."""
        kept = sorted((self.store.folder / "ledgers").glob("*.json"), key=lambda f: f.stat().st_mtime, reverse=True)
        for old in kept[_KEPT:]:
            old.unlink(missing_ok=True)


def failures(document: Document) -> list[str]:
    """Every reason for which a run fails, one sentence each; empty for a run that succeeds."""
    found = []
    for c in document["claims"]:
        if c["verdict"] != c["expected"]:
            found.append(f"{c['id']} is {c['verdict']}, its file expects {c['expected']}")
        elif c["print_verdict"] == PrintVerdict.unknown and c["verdict"] in _SETTLED:
            found.append(f"{c['id']}: the evidence does not bear out what its file says about the print")
        if c["crosscheck"] == "diverge":
            found.append(f"{c['id']}: two engines contradict each other")
        if c["mutants"]["survived"]:
            found.append(f"{c['id']}: a mutant survived ({'; '.join(c['mutants_survived'])})")
    return found


def errata(document: Document) -> list[Entry]:
    """The claims whose print does not simply hold."""
    return [c for c in document["claims"] if c["print_verdict"] not in (PrintVerdict.holds, None)]


def witness(entry: Entry) -> str:
    """The first line of what refutes the print, in words; nothing where the print is not refuted."""
    refutations = [
        e for e in entry["evidence"] if e["about"] == "printed" and e["outcome"] == "refuted" and e["artefact"]
    ]
    plain = [
        e for e in refutations if not e["artefact"].lstrip().startswith(("(", ";"))
    ] or refutations  # rather words than SMT-LIB
    words = str(plain[0]["artefact"].strip().splitlines()[0]).removeprefix("witness ") if plain else ""
    return re.sub(r"\boo\b", "∞", re.sub("^limit computed as (.+), claimed ", r"the limit is \1, not ", words))


def of_paper(document: Document, paper: str | None) -> Document:
    """The part of a ledger that belongs to one paper; raises :class:`BadInput` for a paper that is not there."""
    if paper is None:
        return document
    check_name(paper, sorted({c["paper"] for c in document["claims"]}), "paper")
    return _document([c for c in document["claims"] if c["paper"] == paper], document.get("papers", {}))


def check_verdict(verdict: str | None) -> None:
    """Raise :class:`BadInput` for a word that is neither a verdict nor a verdict on the print."""
    if verdict is not None:
        check_name(verdict, list(dict.fromkeys([*Verdict, *PrintVerdict])), "verdict")


def with_verdict(document: Document, verdict: str | None) -> Document:
    """The claims with a verdict, or else with that verdict on the print."""
    if verdict is None:
        return document
    field = "verdict" if verdict in list(Verdict) else "print_verdict"
    return _document([c for c in document["claims"] if c[field] == verdict], document.get("papers", {}))


def check_name(given: str, known: Sequence[str], what: str) -> None:
    """Raise :class:`BadInput`, with what was perhaps meant, unless ``given`` is known."""
    if given not in known:
        near = get_close_matches(given, known, n=3) or (list(known) if len(known) <= 12 else [])
        hint = f"; expected one of {', '.join(near)}" if near else ""
        raise BadInput(f"there is no {what} {given!r}{hint}")


def _choose(present: Sequence[str], ids: Sequence[str]) -> list[str]:
    for given in ids:
        check_name(given, present, "claim")
    return [i for i in present if i in set(ids)] if ids else list(present)


def _document(claims: list[Entry], papers: dict[str, str]) -> Document:
    return {**ledger(claims), "papers": papers}


def _without_mutants(entry: Entry) -> Entry:
    return {**entry, "mutants": dict(_NO_MUTANTS), "mutants_open": [], "mutants_survived": []}


def _timed_out(entry: Entry) -> bool:
    return entry["verdict"] == Verdict.unknown and any(_TIME_IS_UP in e["artefact"] for e in entry["evidence"])


def _for_readers(claim: Claim, printer: Callable[[Any], str]) -> Entry:
    """What a reader of the ledger wants beside the evidence: the statement as text, and the derivation step by step."""
    from grpo_symbolic.report.parts import parts

    steps = [
        {
            "derivation": d.name,
            "name": s.name,
            "note": s.note,
            "result": s.result if isinstance(s.result, str) else printer(s.result),
        }
        for d in claim.by
        for s in d.steps
    ]
    return {"text": _as_text(claim.holds), "steps": steps, "parts": parts(claim, printer)}


def _as_text(statement: Any) -> str:
    """The statement laid out in characters, or nothing where that would be too large to read."""
    import sympy as sp

    if sum(1 for _ in islice(sp.preorder_traversal(statement), _NODES + 1)) > _NODES:
        return ""
    lines = sp.pretty(statement, use_unicode=True, wrap_line=False).splitlines()
    fits = len(lines) <= _HEIGHT and all(len(line) <= _WIDTH for line in lines)
    return "\n".join(line.rstrip() for line in lines) if fits else ""
