"""Who answers when a proof asks whether assertions contradict each other: a kept proof that is replayed, or a search.

While an obligation is proved, one :class:`Answers` is at work (:func:`using`). It holds what is known in this proof and
nothing from another, so that a proof is the same whatever was proved before it; and it notes what every answer rests
on, so that the proof can be kept. Outside of a proof the answer is Z3's, and nothing is kept of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any

from grpo_symbolic.check import Refused, parse, refutes
from grpo_symbolic.proof.engines import WORK, Limits, has_z3, limits, z3_answer
from grpo_symbolic.proof.translation import Query
from grpo_symbolic.search.certificates import find
from grpo_symbolic.search.certificates.programs import NoPrograms
from grpo_symbolic.terms.language import Formula

Hints = tuple[Formula, ...]  # over the variables of a query: what may help a search for a certificate
# the text of a proof that a query is contradictory; empty where none is found
Seek = Callable[[Query, Hints], str]
RECIPE = "!"  # how the text of a recipe begins; that of a certificate never does
PATIENCE = 600.0  # seconds for a recipe, which was found in a few: only a machine that stands still needs them
MARGIN = 10  # times the work that an engine took may be spent when its recipe is followed again


def digest_of(query: Query) -> str:
    """A short name of a query, whatever the order of its assertions. Nothing is believed for it."""
    return hashlib.sha256("|".join(sorted(a.digest for a in query)).encode()).hexdigest()[:20]


class Answers:
    """What is known of queries in the proof of one obligation.

    Args:
        kept: the texts of proofs by the digest of their query, each of which is replayed when it is asked for.
        seek: looks for a proof where none is kept; without it, what is not kept is not shown.

    Attributes:
        used: the proofs on which answers rest, by digest.
        lacking: the engines, with versions, that a recipe asked for and that are not installed.
        memory: what the proof remembers beside answers, such as normal forms, by what it is about.
    """

    def __init__(self, kept: Mapping[str, str] | None = None, seek: Seek | None = None) -> None:
        self._kept, self._seek = kept or {}, seek
        self._known: dict[Query, bool] = {}
        self.used: dict[str, str] = {}
        self.lacking: list[str] = []
        self.memory: dict[Any, Any] = {}

    def refuted(self, query: Query, hints: Callable[[], Hints] = tuple) -> bool:
        """Whether the assertions are shown to contradict each other; ``hints`` are made where a proof is searched."""
        if query not in self._known:
            self._known[query] = self._answer(query, hints)
        return self._known[query]

    def _answer(self, query: Query, hints: Callable[[], Hints]) -> bool:
        name = digest_of(query)
        text = self._kept.get(name, "")
        if text.startswith(RECIPE) and not has_z3():
            self.lacking.append(engine_of(text))
        if not (text and stands(query, text)):
            text = self._seek(query, hints()) if self._seek is not None else ""
        if text:
            self.used[name] = text
        return bool(text)

    @property
    def believes(self) -> tuple[str, ...]:
        """The engines that the answers rest on, with their versions when the proof was found."""
        return tuple(sorted({engine_of(text) for text in self.used.values() if text.startswith(RECIPE)}))


_CURRENT: ContextVar[Answers | None] = ContextVar("answers", default=None)


@contextmanager
def using(answers: Answers) -> Iterator[Answers]:
    """Let these answers be at work."""
    token = _CURRENT.set(answers)
    try:
        yield answers
    finally:
        _CURRENT.reset(token)


@contextmanager
def at_work() -> Iterator[Answers]:
    """The answers that are at work, or else those of Z3, of which nothing is kept."""
    answers = _CURRENT.get()
    if answers is not None:
        yield answers
        return
    with using(Answers(seek=by_z3)) as fresh:
        yield fresh


def refuted(query: Query, hints: Callable[[], Hints] = tuple) -> bool:
    """Whether assertions are shown to contradict each other, by the answers that are at work, else by Z3."""
    with at_work() as answers:
        return answers.refuted(query, hints)


def remembered(key: Any, make: Callable[[], Any]) -> Any:
    """What the proof at work remembers under a key, made where it remembers nothing; outside of a proof made anew."""
    answers = _CURRENT.get()
    if answers is None:
        return make()
    if key not in answers.memory:
        answers.memory[key] = make()
    return answers.memory[key]


# -- replaying ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def stands(query: Query, text: str) -> bool:
    """Whether a kept proof shows that a query is contradictory: a certificate is replayed, a recipe followed."""
    if text.startswith(RECIPE):
        return z3_answer(query, MARGIN * _work(text), PATIENCE).word == "unsat"
    try:
        return refutes(query, parse(text))
    except Refused:
        return False


def recipe(engine: str, version: str, work: int) -> str:
    """How a proof can be found again that has no certificate."""
    return f"{RECIPE}{engine} {version} {work}"


def engine_of(text: str) -> str:
    """The engine and version that a recipe names."""
    return " ".join(text[len(RECIPE) :].split()[:2])


def _work(text: str) -> int:
    """The work that a recipe says it took, and never more than a search is allowed."""
    last = text.split()[-1]
    return min(int(last), WORK) if last.isdecimal() and len(last) < 12 else WORK


# -- searching ---------------------------------------------------------------------------------------------------------


def by_z3(query: Query, hints: Hints = ()) -> str:
    """A recipe, where Z3 finds a contradiction; it takes no hints."""
    return _by_z3(query, limits())


@lru_cache(maxsize=1 << 15)
def _by_z3(query: Query, allowed: Limits) -> str:
    answer = z3_answer(query)
    return recipe("Z3", _z3_version(), answer.work) if answer.word == "unsat" else ""


def by_certificate(query: Query, hints: Hints = (), effort: int = 1) -> str:
    """A certificate where one is found with such an effort, else a recipe.

    Z3 is asked first where it is there: of what has a model nobody looks for a certificate.
    """
    return _by_certificate(query, hints, effort, limits())


@lru_cache(maxsize=1 << 15)  # the same signs are asked for by every prover, and for many obligations
def _by_certificate(query: Query, hints: Hints, effort: int, allowed: Limits) -> str:
    found = by_z3(query) if has_z3() else ""
    if has_z3() and not found and z3_answer(query).word == "sat":
        return ""
    try:
        certificate = find(query, effort, hints)
    except (NoPrograms, Refused):
        return found
    return found if certificate is None else certificate.text


@cache
def _z3_version() -> str:
    return version("z3-solver")
