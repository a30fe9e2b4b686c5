"""Kleene's three-valued logic: ``None`` stands for what is not known."""

from __future__ import annotations

from collections.abc import Sequence

Ternary = bool | None


def negation(value: Ternary) -> Ternary:
    """Whether something fails."""
    return None if value is None else not value


def conjunction(values: Sequence[Ternary]) -> Ternary:
    """Whether all hold.

    >>> conjunction([True, None]), conjunction([False, None])
    (None, False)
    """
    if False in values:
        return False
    return None if None in values else True


def disjunction(values: Sequence[Ternary]) -> Ternary:
    """Whether one holds."""
    return negation(conjunction([negation(value) for value in values]))


def equivalence(values: Sequence[Ternary]) -> Ternary:
    """Whether all hold or none does."""
    return None if None in values else len(set(values)) == 1
