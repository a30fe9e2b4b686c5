"""Proof scripts as Coq's lexer reads them: comments nest and may hold strings, strings may hold what looks like a
comment, and a dot ends a sentence only before a blank. A script may hold tactics and nothing else.

What is not certainly read as Coq reads it is refused: a dot inside a string, a dot that neither ends a sentence nor
stands in a qualified name, a character that is no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grpo_symbolic.signs import unseen

_STRING = re.compile(r'"(?:[^"]|"")*"')
_QUALIFIED = re.compile(r"[\w']\.[A-Za-z_]")
_DECIMAL = re.compile(r"\d\.\d")
_REST = re.compile(r"\|(\s*)\.\.(\s*)\]")  # [ lra | .. ]
_OPENING = re.compile(r"(?:[{}]|[-+*]+(?=\s)|(?:all|!|\d+(?:\s*[-,]\s*\d+)*|\[\s*\w+\s*\])\s*:(?!=)|\s)+")
_TACTIC = re.compile(r"[a-z(\[]")
_ADMITS = re.compile(r"\b(?:admit|give_up)\b")


class Unreadable(ValueError):
    """A script of which it is not certain how Coq reads it; the message says where."""


def without_comments(script: str) -> str:
    """A script with a blank in place of each comment; raises :class:`Unreadable` where one is not closed."""
    pieces, depth, at = [], 0, 0
    while at < len(script):
        two = script[at : at + 2]
        if two == "(*":
            depth, at = depth + 1, at + 2
        elif two == "*)" and depth:
            depth, at = depth - 1, at + 2
            if not depth:
                pieces.append(" ")
        elif script[at] == '"':
            string = _STRING.match(script, at)
            if string is None:
                raise Unreadable("a string that is not closed")
            if not depth:
                pieces.append(_plain(string.group()))
            at = string.end()
        else:
            if not depth:
                pieces.append(script[at])
            at += 1
    if depth:
        raise Unreadable("a comment that is not closed")
    return "".join(pieces)


def _plain(string: str) -> str:
    """A string in which nothing could be taken for the end of something."""
    if re.search(r"[^\w ,:;'\"=<>-]", string):
        raise Unreadable(f"a string that holds more than words: {string}")
    return string


def sentences(script: str) -> Iterator[str]:
    """The sentences of a script, without their dots and without comments.

    Raises :class:`Unreadable` for what is not certainly read as Coq does.
    """
    if strange := unseen(script.translate({ord("\n"): None, ord("\t"): None})):
        raise Unreadable(f"the character {strange!r}")
    text = _REST.sub(r"|\1\2]", without_comments(script))
    begun = 0
    for dot in (m.start() for m in re.finditer(r"\.", text)):
        if text[dot + 1 : dot + 2].strip() == "":
            if text[dot - 1 : dot] == ".":
                raise Unreadable(f"dots that end a sentence: {text[begun : dot + 1].strip()}")
            yield text[begun:dot].strip()
            begun = dot + 1
        elif not any(p.match(text, max(dot - 1, 0)) for p in (_QUALIFIED, _DECIMAL)):
            raise Unreadable(f"a dot that ends no sentence: {text[begun : dot + 2].strip()}")
    if text[begun:].strip():
        yield text[begun:].strip()


def only_tactics(script: str) -> str | None:
    """The first sentence of a proof script that is no tactic (a command could state axioms), what makes the script
    unreadable, or ``None``.

    >>> only_tactics("intros x. (* Axiom *) - lra.")
    >>> only_tactics('idtac "(*". Axiom cheat : False. (* " *) lra.')
    'a string that holds more than words: "(*"'
    """
    try:
        for sentence in sentences(script):
            opening = _OPENING.match(sentence)
            rest = sentence[opening.end() :] if opening else sentence
            if (rest and not _TACTIC.match(rest)) or _ADMITS.search(rest):
                return rest
    except Unreadable as reason:
        return str(reason)
    return None
