"""The exceptions that a user meets: each message is one sentence saying what was given, what was expected and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class BadInput(ValueError):
    """Input that cannot be worked with; the command line prints the sentence and exits with status 2."""


class DomainError(BadInput):
    """A domain that is empty, or a symbol used without one."""


class ClaimError(BadInput):
    """A claim that cannot be registered: duplicate id, unknown dependency, or a symbol outside the notation."""


class StepError(BadInput):
    """A step of a derivation that fails at a point of its domain."""


class ReadingError(ClaimError):
    """An expression that has no term: something in it is rounded, unknown, or assumes what no domain shows."""


class Slips(ClaimError):
    """All that is wrong in result files, a sentence each: ``sentences``."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self.sentences = tuple(dict.fromkeys(sentences))
        super().__init__("\n".join(self.sentences))


def sentences_of(refusal: BadInput) -> tuple[str, ...]:
    """What a ``refusal`` says, a sentence each."""
    return refusal.sentences if isinstance(refusal, Slips) else (str(refusal),)


def check_kind(given: object, kind: type | tuple[type, ...], name: str, expected: str) -> None:
    """Raise :class:`BadInput` unless what is ``given`` for ``name`` is of a ``kind``, which ``expected`` says in words.

    >>> check_kind(0.2, str, "the trainer", "a name such as 'trl==1.16.0'")
    Traceback (most recent call last):
    grpo_symbolic.errors.BadInput: the trainer is 0.2: expected a name such as 'trl==1.16.0'
    """
    if not isinstance(given, kind):
        shown = repr(given)
        raise BadInput(f"{name} is {shown if len(shown) <= 80 else f'{shown[:80]}…'}: expected {expected}")


def check_name(given: str, known: Sequence[str], what: str) -> None:
    """Raise :class:`BadInput`, with what was perhaps meant, unless ``given`` is known.

    >>> check_name("prooved", ["proved", "refuted"], "verdict")
    Traceback (most recent call last):
    grpo_symbolic.errors.BadInput: there is no verdict 'prooved'; expected one of proved
    """
    if given not in known:
        near = get_close_matches(given, known, n=3) or (list(known) if len(known) <= 12 else [])
        hint = f"; expected one of {', '.join(near)}" if near else ""
        raise BadInput(f"there is no {what} {given!r}{hint}")
