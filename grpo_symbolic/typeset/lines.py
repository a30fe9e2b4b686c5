"""Long formulas over several lines: LaTeX is measured, and broken at relations, at plus and minus, between factors.

Terminals and other renderers break no formula, and MathJax none inside a fraction or a root. Widths here are estimates
in em of what a browser shows. What is too wide for a line is opened: parentheses over several lines, a fraction as its
numerator times 1/denominator, a power of e as exp( ), a root as the power 1/2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

WIDTH = 29.0  # em; what fits into a claim's box on a desktop; on a phone MathJax breaks it again

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\\]", re.DOTALL)
_RELATIONS = {"=", "<", ">", r"\le", r"\ge", r"\leq", r"\geq", r"\iff", r"\Rightarrow", r"\Leftrightarrow", r"\to"}
_WORDS = {r"\log": 1.4, r"\exp": 1.5, r"\min": 1.7, r"\max": 1.8, r"\cosh": 2.1, r"\lim": 1.5, r"\sum": 1.5}
_BLANK = {r"\,": 0.17, r"\ ": 0.25, r"\;": 0.28, r"\quad": 1.0, r"\qquad": 2.0, r"\!": -0.17, " ": 0.0}
_SPACES = ("", " ", r"\,", r"\ ", r"\!", r"\;", r"\quad")
_FRACTIONS = (r"\frac", r"\dfrac", r"\tfrac")
_OPENING, _CLOSING = ("{", r"\left", r"\begin"), ("}", r"\right", r"\end")
_BRACKETS = {"(": ")", "[": "]", r"\{": r"\}"}
_STOPS = (",", ";", ":")
_DEEPEST = 4  # levels of indentation that are shown
_JOINING = (r"\text{and}", r"\text{or}", r"\quad\text")
_SCRIPT = 0.7


def tokens(latex: str) -> list[str]:
    """Commands, and single characters.

    >>> tokens(r"\\frac{1}{x}")
    ['\\\\frac', '{', '1', '}', '{', 'x', '}']
    """
    return _TOKEN.findall(latex)


def group_end(parts: Sequence[str], at: int) -> int:
    """The index behind the group, command or character that begins at ``at``."""
    while at < len(parts) and parts[at] == " ":
        at += 1
    if at >= len(parts) or parts[at] != "{":
        return at + 1
    return min(closing(parts, at, "{", "}") + 1, len(parts))


def closing(parts: Sequence[str], at: int, opens: str, closes: str) -> int:
    """The index of the token that closes what the one at ``at`` opens; ``len(parts)`` where none does."""
    depth = 0
    for end in range(at, len(parts)):
        depth += (parts[end] == opens) - (parts[end] == closes)
        if depth == 0:
            return end
    return len(parts)


def measure(parts: Sequence[str]) -> float:
    """The width of a formula in em, roughly.

    >>> 3 < measure(tokens(r"\\frac{a + b}{c} = 1")) < 6
    True
    """
    width, at = 0.0, 0
    while at < len(parts):
        token = parts[at]
        if token in _FRACTIONS:
            middle = group_end(parts, at + 1)
            end = group_end(parts, middle)
            width += max(measure(parts[at + 1 : middle]), measure(parts[middle:end])) + 0.3
        elif token in ("^", "_"):
            end = group_end(parts, at + 1)
            width += _SCRIPT * measure(parts[at + 1 : end])
        elif token == r"\begin":
            end = _environment(parts, at)
            rows = " ".join(parts[group_end(parts, at + 1) : end - 5]).split(r"\\")
            width += 1.0 + max(measure(tokens(r.replace(" ", ""))) for r in rows)
        elif token in (r"\text", r"\mathrm", r"\operatorname"):
            end = group_end(parts, at + 1)
            width += 0.46 * len("".join(parts[at + 2 : end - 1]))
        elif token in _RELATIONS or token in ("+", "-"):
            end, width = at + 1, width + 1.2
        elif token == r"\sqrt":
            end, width = at + 1, width + 0.8
        elif token in ("{", "}", "&", r"\left", r"\right", r"\mathbb", r"\dot", r"\tilde", r"\bar", r"\hat"):
            end = at + 1
        else:
            sign = 0.55 if len(token) > 1 else _letter(token)
            end, width = at + 1, width + _WORDS.get(token, _BLANK.get(token, sign))
        at = end
    return width


def _letter(character: str) -> float:
    return 0.4 if character in "()[]|,.;:'" else 0.52


def _environment(parts: Sequence[str], at: int) -> int:
    """The index behind the environment that begins at ``at``."""
    return min(group_end(parts, closing(parts, at, r"\begin", r"\end") + 1), len(parts))


class _Piece(NamedTuple):
    """Tokens that stay together, how many opened parentheses are around them, and whether they begin a line."""

    depth: int
    parts: list[str]
    fresh: bool = False


def _pieces(parts: Sequence[str], relations: bool) -> list[list[str]]:
    """Cut before each relation and each joining word outside all groups, or before each binary plus and minus."""
    pieces: list[list[str]] = [[]]
    depth, last = 0, ""  # the last token of this piece that is no space
    for at, token in enumerate(parts):
        depth += (token in _OPENING) - (token in _CLOSING)
        if relations:
            joins = token in (r"\text", r"\quad") and "".join(parts[at : at + 6]).startswith(_JOINING)
            cut = joins or token in _RELATIONS
        else:
            cut = token in ("+", "-") and last not in (*_RELATIONS, "+", "-", "(", "^", "_")
        if depth == 0 and cut and last:
            pieces.append([])
            last = ""
        pieces[-1].append(token)
        last = last if token in _SPACES else token
    return pieces


def _clauses(parts: Sequence[str]) -> list[list[str]]:
    """Cut behind each comma, colon and semicolon outside brackets that has a space or words behind it, or ends words:
    the clauses of a sentence.
    """
    clauses: list[list[str]] = [[]]
    depth, ends, spaced, at = 0, False, False, 0
    while at < len(parts):
        token, end = parts[at], at + 1
        depth += (token in (*_OPENING, *_BRACKETS)) - (token in (*_CLOSING, *_BRACKETS.values()))
        if token in _BLANK:
            spaced |= _BLANK[token] > 0
        else:
            if ends and (spaced or token == r"\text"):
                clauses.append([])
            ends, spaced = depth == 0 and token in _STOPS, False
            if token == r"\text":
                end = group_end(parts, at + 1)
                words = "".join(parts[at + 2 : end - 1])
                ends, spaced = depth == 0 and words.rstrip().endswith(_STOPS), words.endswith(" ")
        clauses[-1] += parts[at:end]
        at = end
    return clauses


def _phrases(parts: Sequence[str]) -> list[list[str]]:
    """Cut at the spaces before and behind words outside all groups."""
    phrases: list[list[str]] = [[]]
    depth, at = 0, 0
    while at < len(parts):
        depth += (parts[at] in _OPENING) - (parts[at] in _CLOSING)
        end = group_end(parts, at + 1) if depth == 0 and parts[at] == r"\text" else at + 1
        words = end > at + 1
        if words and phrases[-1] and (parts[at + 2] == " " or _BLANK.get(parts[at - 1], 0) >= _BLANK[r"\ "]):
            phrases.append([])
        phrases[-1] += parts[at:end]
        if words and parts[end - 2] == " " and end < len(parts):
            phrases.append([])
        at = end
    return phrases


def _sides(parts: Sequence[str], width: float) -> list[list[str]]:
    """Cut before relations; before those inside brackets only where a side is too wide otherwise."""
    sides: list[list[str]] = [[]]
    depth = 0
    for piece in _pieces(parts, relations=True):
        if depth <= 0:
            sides.append([])
        sides[-1] += piece
        depth += sum((token in ("(", "[")) - (token in (")", "]")) for token in piece)
    fitting = ([side] if measure(side) <= width else _pieces(side, relations=True) for side in sides[1:])
    return [part for side in fitting for part in side]


def _arguments(parts: Sequence[str]) -> list[list[str]]:
    """Cut behind each comma outside all groups and brackets."""
    arguments: list[list[str]] = [[]]
    depth = 0
    for at, token in enumerate(parts):
        depth += (token in _OPENING) - (token in _CLOSING)
        if not at or parts[at - 1] not in (r"\left", r"\right"):
            depth += (token in ("(", "[")) - (token in (")", "]"))
        arguments[-1].append(token)
        if depth == 0 and token == "," and at + 1 < len(parts):
            arguments.append([])
    return arguments


def _factors(parts: Sequence[str]) -> list[list[str]]:
    """Cut a term behind each small space and before each parenthesis that no function takes, outside all groups."""
    factors: list[list[str]] = [[]]
    depth, last = 0, ""
    for at, token in enumerate(parts):
        if depth == 0 and last not in ("", "+", "-"):
            behind = at > 0 and parts[at - 1] == r"\,"
            if behind or (token == r"\left" and parts[at - 1] == " "):
                factors.append([])
                last = ""
        depth += (token in _OPENING) - (token in _CLOSING)
        factors[-1].append(token)
        last = last if token in _SPACES else token
    return factors


def _room(width: float, depth: int) -> float:
    """What is left of a line behind its indentation, with something to spare for brackets that have grown."""
    return width - 1.6 * min(depth, _DEEPEST)


def _term(parts: list[str], width: float, depth: int = 0) -> list[_Piece]:
    """A term that is too wide as its factors, and those that are still too wide opened."""
    if measure(parts) <= _room(width, depth):
        return [_Piece(depth, parts)]
    pieces: list[_Piece] = []
    for factor in _factors(parts):
        fits = measure(factor) <= _room(width, depth)
        pieces += [_Piece(depth, factor)] if fits else _opened(factor, width, depth)
    return pieces


def _inside(parts: list[str], width: float, depth: int) -> list[_Piece]:
    """What stands between parentheses: its arguments, each of them a sum of terms."""
    terms = [term for argument in _arguments(parts) for term in _pieces(argument, relations=False)]
    return _sum(terms, width, depth)


def _sum(terms: list[list[str]], width: float, depth: int = 0) -> list[_Piece]:
    """Terms one behind the other; one that takes several lines shares none of them with another."""
    pieces: list[_Piece] = []
    tall = False
    for term in terms:
        first, *others = _term(term, width, depth)
        pieces += [first._replace(fresh=tall or bool(others)), *others]
        tall = bool(others)
    return pieces


def _opened(parts: list[str], width: float, depth: int) -> list[_Piece]:
    """A factor that is too wide: its widest parentheses, fraction, root or power of e over several lines."""
    spans = list(_spans(parts))
    if not spans:
        return [_Piece(depth, parts)]
    first, last, opened = max(spans, key=lambda s: measure(parts[s[0] : s[1]]))
    before, after = parts[:first], parts[last:]
    pieces: list[_Piece] = []
    for group, left, right in opened:
        inner = _inside(group, width, depth + bool(left))
        pieces.append(_Piece(depth, [*before, *left, *inner[0].parts]))
        pieces += inner[1:]
        pieces[-1] = pieces[-1]._replace(parts=[*pieces[-1].parts, *right])
        before = []
    pieces[-1] = pieces[-1]._replace(parts=[*pieces[-1].parts, *after])
    return pieces if len(pieces) > 1 else [_Piece(depth, parts)]


_Opened = list[tuple[list[str], list[str], list[str]]]  # groups with what is written before and behind each


def _spans(parts: list[str]) -> Iterator[tuple[int, int, _Opened]]:
    """``(begin, end, how it is opened)`` for each thing outside all groups that can be opened."""
    at = 0
    while at < len(parts):
        token, end = parts[at], at + 1
        if token == r"\left":
            end = _matching(parts, at) + 2
            if parts[at + 1] in ("(", "[") and parts[end - 1] in (")", "]"):
                yield at, end, [_bracketed(parts[at + 2 : end - 2], parts[at + 1], parts[end - 1])]
        elif token == r"\begin":
            end = _environment(parts, at)
        elif token in _FRACTIONS:
            middle = group_end(parts, at + 1)
            end = group_end(parts, middle)
            if end >= len(parts) or parts[end] not in ("^", "_"):
                yield at, end, _quotient(_bare(parts[at + 1 : middle]), _bare(parts[middle:end]))
        elif token == "e" and parts[at + 1 : at + 3] == ["^", "{"]:
            end = group_end(parts, at + 2)
            group, left, right = _bracketed(_bare(parts[at + 2 : end]))
            yield at, end, [(group, [r"\exp", *left], right)]
        elif token == r"\sqrt" and parts[at + 1 : at + 2] == ["{"]:
            end = group_end(parts, at + 1)
            group, left, right = _bracketed(_bare(parts[at + 1 : end]))
            yield at, end, [(group, left, [*right, "^", "{", "1", "/", "2", "}"])]
        elif token in ("^", "_"):
            end = group_end(parts, at + 1)
        elif token == "{":
            end = group_end(parts, at)
            whole = _bare(parts[at:end])
            if whole[:2] == [r"\left", "("] and _matching(whole, 0) == len(whole) - 2 and whole[-1] == ")":
                yield at, end, [_bracketed(whole[2:-2])]
        at = end


def _matching(parts: Sequence[str], at: int) -> int:
    r"""The index of the ``\right`` that belongs to the ``\left`` at ``at``."""
    return min(closing(parts, at, r"\left", r"\right"), len(parts) - 2)


def _bare(group: list[str]) -> list[str]:
    """A group without its braces and the spaces at its ends."""
    return tokens("".join(group[1:-1] if group[0] == "{" else group).strip())


def _bracketed(group: list[str], left: str = "(", right: str = ")") -> tuple[list[str], list[str], list[str]]:
    size = "Bigg" if any(f in group for f in _FRACTIONS) else "big"
    return group, [rf"\{size}l", left], [rf"\{size}r", right]


def _quotient(above: list[str], below: list[str]) -> _Opened:
    """A fraction as its numerator times one over its denominator, which stays a fraction unless it is the wider."""
    is_sum = len(_pieces(above, relations=False)) > 1 or above[0] in ("+", "-")
    numerator = _bracketed(above) if is_sum else (above, [], [])
    if measure(below) > min(measure(above), WIDTH / 2):
        group, left, right = _bracketed(below)
        inverse = (group, left, [*right, "^", "{", "-", "1", "}"])
        return [inverse] if above == ["1"] else [numerator, inverse]
    group, left, right = numerator
    return [(group, [r"\frac", "{", "1", "}", "{", *below, "}", " ", *left], right)]


def _filled(pieces: list[_Piece], width: float) -> Iterator[_Piece]:
    line: list[str] = []
    filled, depth = 0.0, 0
    for piece in pieces:
        needed = measure(piece.parts)
        if line and (piece.fresh or filled + needed > _room(width, depth)):
            yield _Piece(depth, line)
            line = []
        if not line:
            filled, depth = 0.0, piece.depth
        line, filled = [*line, *piece.parts], filled + needed
    if line:
        yield _Piece(depth, line)


def _cut(
    lines: Iterable[list[str]], width: float, cut: Callable[[Sequence[str]], list[list[str]]]
) -> Iterator[list[str]]:
    """What is too wide for a line as several, filled with the pieces of a cut."""
    for parts in lines:
        fits = measure(parts) <= width
        yield from [parts] if fits else (line.parts for line in _filled([_Piece(0, p) for p in cut(parts)], width))


def broken(latex: str, width: float = WIDTH) -> str:
    """The formula in an ``aligned`` environment of several lines where one line would be too wide.

    >>> broken("a = b")
    'a = b'
    >>> broken("a = b + c", width=3)
    '\\\\begin{aligned} & a \\\\\\\\ & = b \\\\\\\\ & \\\\quad {} + c \\\\end{aligned}'
    """
    parts = tokens(latex)
    if measure(parts) <= width or _is_set(parts):
        return latex
    rows: list[str] = []
    for side in _cut(_cut(_cut([parts], width, _clauses), width, _phrases), width, lambda part: _sides(part, width)):
        terms = _sum(_pieces(side, relations=False), width)
        for number, line in enumerate(_filled(terms, width)):
            indent = r"\quad " * min(line.depth + 1, _DEEPEST) if number else ""
            signed = "{} " if number and line.parts[0] in ("+", "-") else ""
            rows.append(f"& {indent}{signed}{_begun(''.join(line.parts).strip())}")
    return r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}" if len(rows) > 1 else latex


def _begun(line: str) -> str:
    """A line without the space that words begin with."""
    words = line.removeprefix(r"\text{")
    return line if words == line else rf"\text{{{words.lstrip()}"


def _is_set(parts: Sequence[str]) -> bool:
    """Whether somebody has set the formula in lines or columns already."""
    depth = 0
    for token in parts:
        depth += (token == r"\begin") - (token == r"\end")
        if depth == 0 and token in ("&", r"\\"):
            return True
    return False
