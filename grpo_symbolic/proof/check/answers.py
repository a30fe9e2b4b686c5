"""Who answers when a proof asks whether assertions contradict each other: a stored proof that is replayed, or a search.

While an obligation is proved, one :class:`Answers` is at work (:func:`using`). It holds what is known in this proof and
nothing from another, so that a proof is the same whatever was proved before it; and it notes what every answer rests
on, so that the proof can be kept. Who searches, and who follows the recipe of an engine, is handed in
(:mod:`grpo_symbolic.proof.search.recipes`); outside of a proof nothing is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from grpo_symbolic.proof.check import Refused, parse, refutes
from grpo_symbolic.proof.check.translation import Query
from grpo_symbolic.terms.language import Formula

Hints = tuple[Formula, ...]  # over the variables of a query: what may help a search for a certificate
# the text of a proof that a query is contradictory; empty where none is found
Seek = Callable[[Query, Hints], str]
# whether an engine finds again what the text of a recipe says that it has found
Follow = Callable[[Query, str], bool]
RECIPE = "!"  # how the text of a recipe begins; that of a certificate never does


def digest_of(query: Query) -> str:
    """A short name of a query, whatever the order of its assertions. Nothing is believed for it."""
    return hashlib.sha256("|".join(sorted(a.digest for a in query)).encode()).hexdigest()[:20]


class Answers:
    """What is known of queries in the proof of one obligation.

    Args:
        stored: the texts of proofs by the digest of their query, each of which is replayed when it is asked for.
        seek: looks for a proof where none is stored; without it, what has no stored proof is not shown.
        follow: has a recipe's engine find again what it has found; without it, recipes show nothing.

    Attributes:
        used: the proofs on which answers rest, by digest.
        lacking: the engines, with versions, for which a recipe asked and which nobody asks here.
        memory: what the proof remembers beside answers, such as normal forms, by what it is about.
    """

    def __init__(
        self, stored: Mapping[str, str] | None = None, seek: Seek | None = None, follow: Follow | None = None
    ) -> None:
        self._stored, self._seek, self._follow = stored or {}, seek, follow
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
        text = self._stored.get(name, "")
        if not (text and self._stands(query, text)):
            text = self._seek(query, hints()) if self._seek is not None else ""
        if text:
            self.used[name] = text
        return bool(text)

    def _stands(self, query: Query, text: str) -> bool:
        """Whether a stored proof shows that a query is contradictory: a certificate is replayed, a recipe followed."""
        if not text.startswith(RECIPE):
            return replayed(query, text)
        if self._follow is None:
            self.lacking.append(engine_of(text))
        return self._follow is not None and self._follow(query, text)

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


def at_work() -> Answers | None:
    """The answers that are at work, if any are."""
    return _CURRENT.get()


def refuted(query: Query, hints: Callable[[], Hints] = tuple) -> bool:
    """Whether assertions are shown to contradict each other, by the answers that are at work."""
    answers = at_work()
    return answers is not None and answers.refuted(query, hints)


def remembered(key: Any, make: Callable[[], Any]) -> Any:
    """What the proof at work remembers under a key, made where it remembers nothing; outside of a proof made anew."""
    answers = at_work()
    if answers is None:
        return make()
    if key not in answers.memory:
        answers.memory[key] = make()
    return answers.memory[key]


@lru_cache(maxsize=1 << 16)
def replayed(query: Query, certificate: str) -> bool:
    """Whether the text of a certificate shows that a query is contradictory."""
    try:
        return refutes(query, parse(certificate))
    except Refused:
        return False


def engine_of(recipe: str) -> str:
    """The engine and version that the text of a recipe names."""
    return " ".join(recipe[len(RECIPE) :].split()[:2])
