r"""Whether a paper says what a print says: both as tokens that do not depend on how LaTeX is typed.

Fonts, spaces, punctuation, sizes of parentheses and the braces around an argument go; macros have one spelling, words
small letters. Letters that stand alone keep their case; signs, numbers, words, and what a script, a fraction or a root
holds are compared. A print must begin and end where the paper's formula or words do: ``a = b`` is not found in
``a = b c``.

>>> paper = Paper(r"We see that $p_n \leq \frac{1}{2}$ for all $n$.")
>>> paper.find(r"p_n\le\tfrac12\text{ for all }n")
[(1, 1)]
>>> paper.find(r"p_n<\tfrac12\text{ for all }n") is None
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

CUT = "…"  # how a print marks that words of the paper are left out; what the paper itself leaves out is \dots
_APART, _LEAST = 800, 3  # tokens: between two pieces at most, about two pages; in a piece at least

_TOKEN = re.compile(
    r"\\(?:begin|end)\{\w+\*?\}(?:\{[lcr| ]+\})?|\\(?:tag|label|hspace|vspace)\*?\{[^{}]*\}|\\(?:left|right)\s*\.|"
    r"\\[A-Za-z]+\*?|\\.|\d+(?:\.\d+)?|[A-Za-zÀ-ɏ]+|\S"
)
_ONE = {  # signs and macros that are written in several ways
    "≤": r"\le \leq \leqslant",
    "≥": r"\ge \geq \geqslant",
    "≠": r"\ne \neq",
    "→": r"\to \rightarrow \longrightarrow",
    "⇒": r"\implies \Rightarrow \Longrightarrow",
    "<": r"\lt",
    ">": r"\gt",
    "|": r"\mid \vert \lvert \rvert",
    "||": r"\| \Vert \parallel \lVert \rVert ‖ ∥",
    "dots": r"\dots \ldots \cdots \dotsc \dotsb \hdots",
    "-": "− –",
    "'": r"’ ′ ‘ \prime",
    "*": r"\ast \star",
    "%": r"\%",
    r"\{": r"\lbrace",
    r"\}": r"\rbrace",
    r"\frac": r"\tfrac \dfrac \cfrac",
    r"\stackrel": r"\overset",
    r"\tilde": r"\widetilde",
    r"\hat": r"\widehat",
    r"\bar": r"\overline",
    r"\sim": "∼",
    r"\infty": "∞",
    r"\in": "∈",
    r"\times": "×",
    r"\equiv": "≡",
    r"\approx": "≈",
    r"\succ": "≻",
    r"\epsilon": "ϵ",
    r"\varepsilon": "ε",
}
_GREEK = (
    "alpha beta gamma delta _ zeta eta theta iota kappa lambda mu nu xi _ pi rho _ sigma tau upsilon phi chi psi omega"
)
_SPELT = {written: one for one, all_of in _ONE.items() for written in all_of.split()}
_SPELT |= {chr(0x3B1 + i): f"\\{name}" for i, name in enumerate(_GREEK.split()) if name != "_"}
_SPELT |= {chr(0x391 + i): f"\\{name.title()}" for i, name in enumerate(_GREEK.split()) if name != "_"}
_PLAIN = (
    r"\left \right \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \middle \displaystyle "
    r"\textstyle \limits \nolimits \cdot \text \textit \textbf \textrm \textsf \texttt \emph \mbox \mathrm \mathsf "
    r"\mathcal \mathbb \mathbf \mathit \mathtt \mathds \mathbbm \boldsymbol \bm \operatorname \operatorname* \nonumber "
    r"\notag \rm \bf \colon \underbrace \substack \, \; \: \! \/ & “ ” ` — • # ~"
)
_NAMES = "log exp min max lim sup inf arg sin cos sinh cosh Pr det ln argmax argmin"
_WORDS = "sign clip mean std kl var tv nll"  # that are part of a formula
_SIGNS = r"= ≤ ≥ ≠ < > → ⇒ \sim \approx \equiv \simeq \in \subset \because dots"
_STOPS = r"\\ \quad \qquad , . ; : ? $ ¶"  # ¶ for a space in prose

_DROPPED, _RELATIONS, _ENDS = (
    frozenset([*_PLAIN.split(), '"', "\\ "]),
    frozenset(_SIGNS.split()),
    frozenset(_STOPS.split()),
)
_FUNCTIONS = frozenset(_NAMES.split())
_IN_FORMULAS = _FUNCTIONS | frozenset(_WORDS.split())
_ARGUMENTS = {
    r"\frac": 2,
    r"\stackrel": 2,
    r"\underset": 2,
    r"\binom": 2,
    r"\sqrt": 1,
    **dict.fromkeys([r"\tilde", r"\hat", r"\bar", r"\vec"], 1),
}

# Of a paper in Markdown: an equation's number and the end of a page, marks, a footnote, a space between words.
_NUMBER = re.compile(r"^\s*\(\d+\)\s*$|\\q?quad\s*\(\d+\)\s*(?=\$\$)|^[\s|-]+$", re.M)
_MARK = re.compile(
    r"<sup>\d+</sup>|</?(?:sup|sub|u|span|a|b|br|em)(?: [^<>]*)?/?>|\]\([^()\s]*\)|!\[[^\]]*\]|[⁰¹²³⁴-⁹]+"
)
_NOTE = re.compile(r"\s*(?:<sup>\d+</sup>|[⁰¹²³⁴-⁹])")
_SPACE = re.compile(r"(\$\$.*?\$\$|\$[^$]*\$)|\s+", re.S)
# Of both: emphasis and quotation marks; a formula that goes on in the next line, its sign perhaps repeated.
_EMPHASIS = re.compile(r"(?<![\^_{])\*{1,3}|``|(?<=\w)''(?=[\s,.)}]|$)")
_BREAK = re.compile(r"(\\times|[=+-])?\s*\\\\[&\s]*(\\times|\+|-(?!\s*if\b)|\\left\s*\.|\\right\s*\.)")


@dataclass(frozen=True)
class Token:
    """A sign, a number, a word, a macro; or, without text, the end of a formula or of a part of a sentence."""

    text: str
    line: int


class _Reader:
    """Reads a formula or a paragraph; what a scan has left unbalanced ends with it."""

    def __init__(self, text: str, line: int) -> None:
        self.raw = [Token(m[0], line + text.count("\n", 0, m.start())) for m in _TOKEN.finditer(text)]
        self.at = 0

    def all(self) -> Iterator[Token]:
        while self.at < len(self.raw):
            yield from self._group(in_braces=False)

    def _group(self, in_braces: bool) -> Iterator[Token]:
        while self.at < len(self.raw):
            token = self.raw[self.at]
            if token.text == "}":
                self.at += 1
                if in_braces:
                    return
            elif token.text in ("_", "^", "'", "’"):
                yield from self._scripts()
            else:
                yield from self._next()

    def _next(self) -> Iterator[Token]:
        """A token, a group, or a macro with its arguments."""
        token = self.raw[self.at]
        self.at += 1
        text = _SPELT.get(token.text, token.text)
        if text == "{":
            yield from self._group(in_braces=True)
        elif text in _ENDS or text.startswith((r"\begin", r"\end", r"\tag")):
            yield Token("", token.line)
        elif text in _DROPPED or (text.startswith("\\") and text.endswith(("}", ".")) and text != r"\}"):
            return
        elif text in _ARGUMENTS:
            yield Token(text, token.line)
            for _ in range(_ARGUMENTS[text]):
                yield from self._argument(token.line)
        elif text == "||":
            yield from [Token("|", token.line)] * 2
        else:
            plain = text[1:] if text.startswith("\\") and text[1:] in _FUNCTIONS else text
            yield Token(plain.lower() if plain.isalpha() and len(plain) > 1 else plain, token.line)

    def _argument(self, line: int) -> Iterator[Token]:
        """What a script or a macro takes, in braces of its own however it is typed."""
        yield Token("{", line)
        while self.at < len(self.raw):
            raw = self.raw[self.at]
            if raw.text[0].isalnum() and len(raw.text) > 1:  # \frac12, \sum^Nf: the first sign only
                self.raw[self.at : self.at + 1] = [Token(raw.text[0], raw.line), Token(raw.text[1:], raw.line)]
            found = [token for token in self._next() if token.text]
            yield from found
            if found or raw.text == "{":
                break
        yield Token("}", line)

    def _scripts(self) -> Iterator[Token]:
        """Primes, then what is below, then what is above, in whatever order they are typed."""
        found: dict[str, list[Token]] = {"'": [], "_": [], "^": []}
        while self.at < len(self.raw) and self.raw[self.at].text in ("_", "^", "'", "’"):
            token = self.raw[self.at]
            self.at += 1
            if token.text not in "_^":
                found["'"].append(Token("'", token.line))
                continue
            argument = list(self._argument(token.line))
            inside = argument[1:-1]
            primes = bool(inside) and all(a.text == "'" for a in inside)
            found["'" if primes else token.text] += inside if primes else [Token(token.text, token.line), *argument]
        for some in found.values():
            yield from some


def tokens(text: str, line: int = 1) -> list[Token]:
    """What a text says, however it is typed, each token with its line."""

    def joined(m: re.Match[str]) -> str:
        return f"{m[1] if m[1] and m[1] != m[2] else ''} {m[2]}"

    return list(_Reader(_BREAK.sub(joined, _EMPHASIS.sub("", text)), line).all())


def said(text: str) -> list[str]:
    """The tokens of a print, or of a piece of one."""
    return [token.text for token in tokens(text) if token.text]


class Paper:
    """A paper as a sequence of tokens, its footnotes last, and where in it a print is.

    Args:
        markdown: the paper's text.
        scanned: what a scan has for a sign of the paper, as a pattern, and the sign.
    """

    def __init__(self, markdown: str, scanned: Mapping[str, str] | None = None) -> None:
        for written, meant in (scanned or {}).items():
            markdown = re.sub(written, meant, markdown)
        blocks, line = list[tuple[bool, int, str]](), 1
        for block in re.split(r"(\n\s*\n)", markdown):
            blocks.append((bool(_NOTE.match(block)), line, _MARK.sub(" ", _NUMBER.sub(" ", block))))
            line += block.count("\n")
        self._tokens, self._ends = list[Token](), {0}
        for _, at, block in sorted(blocks, key=lambda b: b[0]):
            for token in tokens(_SPACE.sub(lambda m: m[1] or f"{m[0]}¶", block), at):
                if token.text:
                    self._tokens.append(token)
                else:
                    self._ends.add(len(self._tokens))
            self._ends.add(len(self._tokens))
        self._texts = [token.text for token in self._tokens]
        self._joined = f" {' '.join(self._texts)} "

    def find(self, printed: str) -> list[tuple[int, int]] | None:
        """From which line to which each piece of a print is, in their order; None if one is not there."""
        pieces = [piece for piece in map(said, printed.split(CUT)) if piece]
        if not pieces or (len(pieces) > 1 and min(map(len, pieces)) < _LEAST):
            return None
        start = 0
        while (first := self._after(pieces[0], start)) is not None:
            places = [(first, first + len(pieces[0]))]
            for piece in pieces[1:]:
                at = self._after(piece, places[-1][1])
                if at is None or at - places[-1][1] > _APART:
                    break
                places.append((at, at + len(piece)))
            if len(places) == len(pieces):
                return [(self._tokens[a].line, self._tokens[b - 1].line) for a, b in places]
            start = first + 1
        return None

    def _after(self, wanted: list[str], start: int) -> int | None:
        """Where these tokens stand in one run from a token on, beginning and ending where the paper has an end."""
        begin = len(" ".join(self._texts[:start])) if start else 0
        while (begin := self._joined.find(f" {' '.join(wanted)} ", begin)) >= 0:
            at = self._joined.count(" ", 0, begin)
            if self._ends_at(at) and self._ends_at(at + len(wanted)):
                return at
            begin += 1
        return None

    def _ends_at(self, at: int) -> bool:
        """Whether something ends in front of a token: a formula, a side of one, a word."""
        around = self._texts[max(at - 1, 0) : at + 1]
        words = any(len(text) > 1 and text.isalpha() and text not in _IN_FORMULAS for text in around)
        return at in self._ends or words or any(text in _RELATIONS for text in around)

    def nearest(self, printed: str) -> str:
        """The place that has most in common with a print."""
        wanted = said(printed)
        places: dict[tuple[str, ...], list[int]] = {}
        for i in range(len(self._texts) - 1):
            places.setdefault(tuple(self._texts[i : i + 2]), []).append(i)
        votes: dict[int, float] = {}
        for i in range(len(wanted) - 1):
            near = places.get(tuple(wanted[i : i + 2]), [])
            for bucket in (b for at in near for b in {(at - i) // 20, (at - i) // 20 + 1}):
                votes[bucket] = votes.get(bucket, 0) + 1 / len(near)
        if not votes:
            return "nothing alike"
        best = max(0, max(votes, key=lambda bucket: votes[bucket]) * 20 - 20)
        window = self._texts[best : best + len(wanted) + 60]
        blocks = [b for b in SequenceMatcher(None, wanted, window, autojunk=False).get_matching_blocks() if b.size]
        first, last = best + blocks[0].b, best + blocks[-1].b + blocks[-1].size
        return f"line {self._tokens[first].line}: {' '.join(self._texts[first:last])}"
