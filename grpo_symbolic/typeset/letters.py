"""How a letter is seen, whatever LaTeX it is typed in: two that are seen alike are one to a reader."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from grpo_symbolic.typeset.lines import tokens
from grpo_symbolic.typeset.plain import plain


class Seen(NamedTuple):
    """A sign, with its accent; what is below and above it; and what it is of, in parentheses behind it. All as text of
    a terminal, which has fewer fonts and accents than LaTeX.
    """

    sign: str
    below: str = ""
    above: str = ""
    of: str = ""

    def member(self, number: str) -> Seen:
        """The member with a number of the sequence of such letters."""
        return self._replace(below=self.below + seen(number).sign)

    @property
    def family(self) -> Seen:
        """The family of which it is seen as an entry."""
        return self._replace(of="")


@lru_cache(maxsize=4096)
def seen(latex: str) -> Seen:
    r"""What is seen of the LaTeX of a letter; in which order its indices are typed is not.

    >>> seen(r"x^{+}_1") == seen("x_{1}^+")
    True
    >>> seen(r"\pi_{\mathrm{ref}}(1)")
    Seen(sign='π', below='ref', above='', of='(1)')
    """
    parts = tokens(latex)
    places: dict[str, list[str]] = {"": [], "_": [], "^": [], "(": []}
    place, at = "", 0
    while at < len(parts):
        token, end = parts[at], _end(parts, at)
        if token in "_^" and place != "(":
            places[token].append("".join(parts[at + 1 : _end(parts, at + 1)]))
            end = _end(parts, at + 1)
        elif token == "'" and place != "(":
            places["^"].append(token)
        else:
            place = "(" if token == "(" else place
            places[place].append("".join(parts[at:end]))
        at = end
    return Seen(*(re.sub(r"\s", "", plain(of)) for of in ("".join(places[place]) for place in places)))


def _end(parts: list[str], at: int) -> int:
    """The index behind the token, or the group in braces, that begins at ``at``."""
    depth = 0
    for end in range(at, len(parts)):
        depth += (parts[end] == "{") - (parts[end] == "}")
        if depth == 0:
            return end + 1
    return len(parts)
