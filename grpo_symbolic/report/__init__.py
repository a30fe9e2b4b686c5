"""Words for people, in a terminal and in a book alike: what a formula reads like, what to say of a claim."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """A number and what it counts.

    >>> count(1, "claim"), count(2, "claim")
    ('1 claim', '2 claims')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
