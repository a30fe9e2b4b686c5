"""A printed statement split into the words and the formulas of which it is made."""

from __future__ import annotations

import re

__all__ = ["conclusions_first", "phrases"]

# Brackets and environments, whose ends belong together.
_OPENS, _CLOSES = re.compile(r"\\(?:left|begin)(?![A-Za-z])"), re.compile(r"\\(?:right|end)(?![A-Za-z])")
_SPACED = (" ", r"\quad", r"\qquad")  # what parts words from a formula


# What is numbered behind the values stays there, since they are those of all its parts.
_FOR_VALUES = re.compile(
    r"^\\text\{F(or all|or some|or) \}((?:(?!\\text\{: \}).)*)\\text\{: \}(?!\\text\{\(i\) \})(.*)\Z"
)


def conclusions_first(latex: str) -> str:
    """A printed sentence with what it says before the values for which it says it, where a line may be cut.

    >>> print(conclusions_first(r"\\text{For all }x>0\\text{: }x+1>1.\\quad \\text{For all }y>1\\text{: }y^2>1"))
    x+1>1\\text{ for all }x>0.\\quad y^2>1\\text{ for all }y>1
    """
    return r".\quad ".join(_FOR_VALUES.sub(r"\3\\text{ f\1 }\2", part) for part in latex.split(r".\quad "))


def phrases(latex: str) -> list[tuple[str, str]]:
    """A printed statement as (kind, text): the words and the formulas of which it is made. One word without spaces is
    a name in a formula.

    >>> phrases(r"x>0\\text{ if }y>0")
    [('math', 'x>0'), ('text', ' if '), ('math', 'y>0')]
    >>> phrases(r"\\text{one \\ldots\\ two}")
    [('text', 'one … two')]
    >>> phrases(r"x\\text{ and so")
    [('math', 'x\\\\text{ and so')]
    >>> phrases(r"\\text{any laws,}\\quad \\quad\\text{their means}")
    [('text', 'any laws,'), ('text', ' their means')]
    >>> prints = r"E\\left[R(\\text{a text})\\right]=0", r"R(\\text{text})", r"x\\ \\text{or}\\ y"
    >>> [len(phrases(latex)) for latex in prints]
    [1, 1, 3]
    >>> len(phrases(r"\\begin{cases} x & \\text{for}\\: x > 0 \\end{cases}"))
    1
    """
    parts: list[tuple[str, str]] = []
    at = start = depth = 0
    while at < len(latex):
        end = latex.find("}", at)
        begins = depth == 0 and end > 0 and latex.startswith("\\text{", at)
        if begins and latex[end + 1 : end + 2] not in ("_", "^"):
            text = latex[at + 6 : end].replace("\\ldots\\ ", "… ").replace("\\%", "%")
            if text.isalnum() and not latex.endswith(_SPACED, 0, at):
                at = end + 1
                continue
            if any(sign in text for sign in "$\\{"):
                return [("math", latex)]
            between = latex[start:at]
            if parts and between and not _is_visible("math", between):  # words beside words
                text = f" {text}"
            parts += [("math", between), ("text", text)]
            start = at = end + 1
            continue
        depth += (latex[at] == "{") - (latex[at] == "}")
        depth += bool(_OPENS.match(latex, at)) - bool(_CLOSES.match(latex, at))
        at += 1
    parts.append(("math", latex[start:]))
    return [(kind, part) for kind, part in parts if _is_visible(kind, part)]


def _is_visible(kind: str, part: str) -> bool:
    """Whether a part is more than spaces; the words of a sentence may be one."""
    return bool(part) if kind == "text" else bool(re.sub(r"\\q?quad|\\[ ,;:!]|[\s~]", "", part))
