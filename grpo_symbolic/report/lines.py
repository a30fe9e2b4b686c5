"""Long formulas over several lines: LaTeX is measured, and broken at relations and at plus and minus signs.

MathJax sets a formula on one line however long it is. Widths here are estimates in em of what a browser shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

WIDTH = 29.0  # em; what fits into a claim's box on a desktop, and onto a phone at a smaller size

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\\]", re.DOTALL)
_RELATIONS = {"=", "<", ">", r"\le", r"\ge", r"\leq", r"\geq", r"\iff", r"\Rightarrow", r"\Leftrightarrow", r"\to"}
_WORDS = {r"\log": 1.4, r"\exp": 1.5, r"\min": 1.7, r"\max": 1.8, r"\cosh": 2.1, r"\lim": 1.5, r"\sum": 1.5}
_BLANK = {r"\,": 0.17, r"\ ": 0.25, r"\;": 0.28, r"\quad": 1.0, r"\qquad": 2.0, r"\!": -0.17, " ": 0.0}
_SPACES = ("", " ", r"\,", r"\ ", r"\!", r"\;", r"\quad")
_JOINING = (r"\text{and}", r"\text{or}", r"\quad\text")
_SCRIPT = 0.7


def tokens(latex: str) -> list[str]:
    """Commands, and single characters.

    >>> tokens(r"\\frac{1}{x}")
    ['\\\\frac', '{', '1', '}', '{', 'x', '}']
    """
    return _TOKEN.findall(latex)


def _group(parts: Sequence[str], at: int) -> int:
    """The index behind the group, command or character that begins at ``at``."""
    while at < len(parts) and parts[at] == " ":
        at += 1
    if at >= len(parts) or parts[at] != "{":
        return at + 1
    depth = 0
    for end in range(at, len(parts)):
        depth += (parts[end] == "{") - (parts[end] == "}")
        if depth == 0:
            return end + 1
    return len(parts)


def measure(parts: Sequence[str]) -> float:
    """The width of a formula in em, roughly.

    >>> 3 < measure(tokens(r"\\frac{a + b}{c} = 1")) < 6
    True
    """
    width, at = 0.0, 0
    while at < len(parts):
        token = parts[at]
        if token in (r"\frac", r"\dfrac", r"\tfrac"):
            middle = _group(parts, at + 1)
            end = _group(parts, middle)
            width += max(measure(parts[at + 1 : middle]), measure(parts[middle:end])) + 0.3
        elif token in ("^", "_"):
            end = _group(parts, at + 1)
            width += _SCRIPT * measure(parts[at + 1 : end])
        elif token == r"\begin":
            end = _environment(parts, at)
            rows = " ".join(parts[_group(parts, at + 1) : end - 5]).split(r"\\")
            width += 1.0 + max(measure(tokens(r.replace(" ", ""))) for r in rows)
        elif token in (r"\text", r"\mathrm", r"\operatorname"):
            end = _group(parts, at + 1)
            width += 0.46 * len("".join(parts[at + 2 : end - 1]))
        elif token in _RELATIONS or token in ("+", "-"):
            end, width = at + 1, width + 1.2
        elif token == r"\sqrt":
            end, width = at + 1, width + 0.8
        elif token in ("{", "}", "&", r"\left", r"\right", r"\mathbb", r"\dot", r"\tilde", r"\bar", r"\hat"):
            end = at + 1
        else:
            end, width = (
                at + 1,
                width + _WORDS.get(token, _BLANK.get(token, 0.55 if len(token) > 1 else _letter(token))),
            )
        at = end
    return width


def _letter(character: str) -> float:
    return 0.4 if character in "()[]|,.;:'" else 0.52


def _environment(parts: Sequence[str], at: int) -> int:
    depth = 0
    for end in range(at, len(parts)):
        depth += (parts[end] == r"\begin") - (parts[end] == r"\end")
        if depth == 0:
            return _group(parts, end + 1)
    return len(parts)


def _pieces(parts: Sequence[str], relations: bool) -> list[list[str]]:
    """Cut before each relation and each joining word outside all groups, or before each binary plus and minus."""
    found: list[list[str]] = [[]]
    depth, last = 0, ""  # the last token of this piece that is no space
    for at, token in enumerate(parts):
        depth += (token in ("{", r"\left", r"\begin")) - (token in ("}", r"\right", r"\end"))
        if relations:
            cut = token in _RELATIONS or "".join(parts[at : at + 6]).startswith(_JOINING)
        else:
            cut = token in ("+", "-") and last not in (*_RELATIONS, "+", "-", "(")
        if depth == 0 and cut and last:
            found.append([])
            last = ""
        found[-1].append(token)
        last = last if token in _SPACES else token
    return found


def _opened(parts: list[str], width: float) -> list[list[str]]:
    """One term that is too wide, cut inside its widest parentheses, whose size no longer follows their content."""
    if measure(parts) <= width:
        return [parts]
    starts, spans = [], []
    depth = 0
    for at, token in enumerate(parts):
        depth += (token in ("{", r"\begin")) - (token in ("}", r"\end"))
        if token == r"\left" and depth == 0:
            starts.append(at)
        elif token == r"\right" and depth == 0 and starts:
            first = starts.pop()
            spans += [] if starts else [(first, at)]
    spans = [s for s in spans if parts[s[0] + 1] in "([" and parts[s[1] + 1] in ")]"]
    if not spans:
        return [parts]
    first, last = max(spans, key=lambda s: measure(parts[s[0] : s[1]]))
    inner = _pieces(parts[first + 2 : last], relations=False)
    if len(inner) == 1:
        return [parts]
    inner = [piece for term in inner for piece in _opened(term, width)]
    size = "Bigg" if r"\frac" in parts[first:last] else "big"
    opening = [*parts[:first], rf"\{size}l", parts[first + 1]]
    closing = [rf"\{size}r", *parts[last + 1 :]]
    return [[*opening, *inner[0]], *inner[1:-1], [*inner[-1], *closing]]


def _filled(pieces: list[list[str]], width: float) -> Iterator[list[str]]:
    line: list[str] = []
    filled = 0.0
    for piece in pieces:
        needed = measure(piece)
        if line and filled + needed > width:
            yield line
            line, filled = [], 0.0
        line, filled = [*line, *piece], filled + needed
    if line:
        yield line


def broken(latex: str, width: float = WIDTH) -> str:
    """The formula in an ``aligned`` environment of several lines where one line would be too wide.

    >>> broken("a = b")
    'a = b'
    >>> broken("a = b + c", width=3)
    '\\\\begin{aligned} & a \\\\\\\\ & = b \\\\\\\\ & \\\\quad + c \\\\end{aligned}'
    """
    parts = tokens(latex)
    if measure(parts) <= width or "&" in latex or r"\\" in latex.replace(r"\begin{cases}", ""):
        return latex
    lines: list[tuple[bool, list[str]]] = []
    for side in _filled(_pieces(parts, relations=True), width):
        terms = [t for term in _pieces(side, relations=False) for t in _opened(term, width)]
        for number, line in enumerate(_filled(terms, width)):
            lines.append((number > 0, line))
    if len(lines) == 1:
        return latex
    rows = [("& \\quad " if indented else "& ") + "".join(line).strip() for indented, line in lines]
    return r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"
