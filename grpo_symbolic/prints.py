"""What of a print its reading does not account for: letters, signs of comparison, numbers and words of its own.

A paper's sentence is LaTeX that no program understands. That a claim is that sentence is a person's reading, unless
the print is, sign by sign, what a part of the claim is printed as.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from grpo_symbolic.numerals import missing

_TEXT = re.compile(r"\\(?:text\w*|emph|mbox)\s*\{([^{}]*)\}")
_NAMED = re.compile(r"\\(?:mathrm|mathsf|operatorname\*?)\s*\{([^{}]*)\}")
_BETWEEN = frozenset(
    ("and", "or", "if", "then", "for", "all", "every", "any", "where", "with", "when", "so")
)  # words between formulas
GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell"
)
_LETTER = re.compile(rf"\\(?:{'|'.join(GREEK.split())})(?![A-Za-z])|(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])")
_MACRO = re.compile(r"\\[A-Za-z]+")
_SIGNS = {  # how LaTeX and plain text write each
    "<": (r"<|>|\\[lg]t(?![A-Za-z])|\\[lg]g?(?:ll)?(?![A-Za-z])", "<>"),
    "≤": (r"\\[lg]eq?(?:slant)?(?![A-Za-z])", "≤≥"),
    "=": (r"(?<!\\)=|\\equiv(?![A-Za-z])", "="),
    "≠": (r"\\neq?(?![A-Za-z])", "≠"),
    "¬": (r"\\(?:neg|lnot|not|nexists|n(?:less|gtr|leq|geq)(?:slant)?)(?![A-Za-z])", "~≠"),
    "→": (r"\\(?:to|rightarrow|longrightarrow)(?![A-Za-z])|\\lim(?![A-Za-z])", "→"),
}
ORDER = "the order of its signs"
WORDS = "its words"


def letters_of(latex: str) -> frozenset[str]:
    r"""The letters of a formula, each by itself, and the names in upright letters; words between formulas are none.

    >>> sorted(letters_of(r"p_{\mathrm{ref}} = \tfrac{\beta}{2}\text{ for all }x"))
    ['\\beta', 'p', 'ref', 'x']
    """
    formula = _TEXT.sub(" ", latex)
    named = frozenset(name.strip() for name in _NAMED.findall(formula))
    formula = _NAMED.sub(" ", formula)
    greek = frozenset(letter for letter in _LETTER.findall(formula) if letter.startswith("\\"))
    plain = frozenset(re.findall("[A-Za-z]", _MACRO.sub(" ", formula)))
    return named | greek | plain


def unread(
    printed: str, letters: Iterable[str], sentence: Callable[[], str], parts: Callable[[], Iterable[str]]
) -> Iterator[str]:
    r"""What a print has and its reading has not: letters, signs of comparison, numbers, words; where it has nothing of
    these, but is put together otherwise, :data:`ORDER`, or :data:`WORDS` of a print in words.

    Args:
        printed: the print, as LaTeX.
        letters: the letters of the reading, each as LaTeX prints it.
        sentence: gives the reading in plain text, which takes long and is asked for after the letters.
        parts: gives its parts as LaTeX.

    >>> reading = lambda: "For all x real: x^2 + 1 > x.", lambda: ["x^{2} + 1 > x"]
    >>> list(unread(r"x^2 + 1 > x", ["x"], *reading))
    []
    >>> list(unread(r"x \ne 1", ["x"], lambda: "x ≠ 1", lambda: [r"x \neq 1"]))
    []
    >>> list(unread(r"P = NP", ["x"], *reading))
    ['N', 'P', '=']
    >>> list(unread(r"x > 0\text{ is false}", ["x"], *reading))
    ['is', 'false']
    >>> list(unread(r"\neg(x > 0)", ["x"], *reading))
    ['¬']
    >>> list(unread(r"x > x^2 + 1", ["x"], *reading))
    ['the order of its signs']
    """
    differences = list(_unread(printed, letters, sentence()))
    yield from differences
    if not differences and _signs(printed) not in map(_signs, parts()):
        yield ORDER if _TEXT.sub("", printed).strip() else WORDS


def _signs(latex: str) -> str:
    """A formula without what only spaces it, what belongs to a fraction, an index or a power in braces."""
    plain = re.sub(r"\\[td]frac", r"\\frac", re.sub(r"\\([lgn])e(?![A-Za-z])", r"\\\1eq", latex))
    plain = re.sub(r"\\(?:left|right|[bB]igg?[lr]?|quad|qquad|displaystyle)(?![A-Za-z])|\\[,;:!> ]|[\s~]", "", plain)
    plain = re.sub(r"\\frac([0-9A-Za-z])([0-9A-Za-z])", r"\\frac{\1}{\2}", plain)
    return re.sub(r"([\^_])(\\[A-Za-z]+|[^{\\])", r"\1{\2}", plain)


def _unread(printed: str, letters: Iterable[str], there: str) -> Iterator[str]:
    yield from sorted(letters_of(printed).difference(*map(letters_of, letters)))
    formula = _TEXT.sub(" ", printed)
    signs = (shown for shown, (sign, _) in _SIGNS.items() if re.search(sign, formula))
    yield from (shown for shown in signs if not set(_SIGNS[shown][1]) & set(there))
    yield from missing(formula, there)
    words = (word for text in _TEXT.findall(printed) for word in re.findall(r"[^\W\d_]+", text.lower()))
    yield from (word for word in dict.fromkeys(words) if word not in _BETWEEN)
