"""How a letter is seen, whatever LaTeX it is typed in: two that are seen alike are one to a reader."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from grpo_symbolic.typeset.lines import group_end, tokens
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
        token = parts[at]
        end = at + 1 if token == " " else group_end(parts, at)
        if token in "_^" and place != "(":
            places[token].append("".join(parts[at + 1 : group_end(parts, at + 1)]))
            end = group_end(parts, at + 1)
        elif token == "'" and place != "(":
            places["^"].append(token)
        else:
            place = "(" if token == "(" else place
            places[place].append("".join(parts[at:end]))
        at = end
    return Seen(*(re.sub(r"\s", "", plain(of)) for of in ("".join(places[place]) for place in places)))
