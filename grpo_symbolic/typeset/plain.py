r"""Mathematics as a person would type it: LaTeX becomes one line of Unicode, for terminals and messages.

>>> plain(r"\frac{\beta}{\gamma} x \leq \sqrt{1 - p^{2}}")
'(β/γ) x ≤ √(1 − p²)'

What has no sign of its own keeps its name, so nothing is lost and no backslash is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from grpo_symbolic.typeset.lines import closing, group_end, tokens


def _pairs(text: str) -> dict[str, str]:
    """Names and signs, alternately."""
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_LETTERS = _pairs("""
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ
    nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ
    Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω ell ℓ infty ∞ partial ∂ nabla ∇ ldots … dots … cdots …
    forall ∀ exists ∃ emptyset ∅ varnothing ∅ circ ∘ top ᵀ neg ¬ prime ′ ast * star * % % & & # # _ _ $ $
""")
_BIG = _pairs("sum Σ prod ∏ int ∫")
_RELATIONS = _pairs("""
    le ≤ leq ≤ ge ≥ geq ≥ neq ≠ ne ≠ to → rightarrow → mapsto ↦ in ∈ notin ∉ approx ≈ sim ~ propto ∝ equiv ≡ iff ⇔
    Leftrightarrow ⇔ Rightarrow ⇒ implies ⇒ succ ≻ prec ≺ ll ≪ gg ≫ wedge ∧ land ∧ vee ∨ lor ∨ subset ⊂ subseteq ⊆
    mid | uparrow ↑ downarrow ↓ leftarrow ← triangleq ≜ succeq ≽ preceq ≼ setminus ∖ cup ∪ cap ∩
    leftrightarrow ↔ nearrow ↗ searrow ↘ gtrless ≷ lessgtr ≶ simeq ≃
""")
_BINARY = _pairs("cdot · times × pm ± mp ∓ odot ⊙ otimes ⊗ oplus ⊕")
_OPENING = _pairs(r"( ( [ [ \{ { \lfloor ⌊ \lceil ⌈ \langle ⟨")
_CLOSING = _pairs(r") ) ] ] \} } \rfloor ⌋ \rceil ⌉ \rangle ⟩")
_BARS = _pairs(r"| | \| ‖ \Vert ‖ \lvert | \rvert | \vert |")
_ACCENTS = dict.fromkeys(("hat", "widehat"), "\u0302") | dict.fromkeys(("tilde", "widetilde"), "\u0303")
_ACCENTS |= {"bar": "\u0304", "overline": "\u0304", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7"}
_ACCENTS |= {"check": "\u030c", "breve": "\u0306"}
_PROSE = frozenset(["text", "textrm", "mbox", "emph"])
_FONTS = frozenset(
    ["mathrm", "operatorname", "operatorname*", "textbf", "textit", "mathbf", "mathcal", "mathit", "mathsf", "mathscr"]
) | frozenset(["mathbb", "mathfrak", "boldsymbol", "bm"])
_IGNORED = frozenset(
    ["left", "right", "middle", "displaystyle", "textstyle", "limits", "nolimits", "nonumber", "hfill", "!"]
) | frozenset(size + side for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r"))
_SPACES = frozenset([" ", ",", ";", ":", "quad", "qquad", ">", "~"])
_DOUBLE = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "1": "𝟙"}
_UPPER = dict(zip("0123456789+-−*′niᵀ∘", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻*′ⁿⁱᵀ°", strict=True))
_LOWER = dict(zip("0123456789+-−()aeijkmnoprstuvxβγρφ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩ", strict=True))
_VULGAR = {("1", "2"): "½", ("1", "3"): "⅓", ("2", "3"): "⅔", ("1", "4"): "¼", ("3", "4"): "¾"}


_FRACTIONS = frozenset(["\\frac", "\\dfrac", "\\tfrac", "\\cfrac"])
_BINOMIALS = frozenset(["\\binom", "\\tbinom", "\\dbinom"])
_STACKS = frozenset(["\\underset", "\\overset", "\\stackrel"])
_TAKING = (  # the tokens that take what follows
    frozenset(["^", "_", "{", "\\sqrt", "\\begin", "\\end", "\\left", "\\right"])
    | (_FRACTIONS | _BINOMIALS | _STACKS)
    | {f"\\{name}" for name in _PROSE | _FONTS | set(_ACCENTS)}
)


class _Piece(NamedTuple):
    """A stretch of text and what it is to its neighbours: atom, root, quotient, relation, sign, open, close …"""

    text: str
    kind: str = "atom"


class _Reader:
    """Reads the tokens of a formula from left to right."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.parts = parts
        self.at = 0

    def pieces(self, end: str = "") -> list[_Piece]:
        """What stands before the token ``end``, or before the end of the formula."""
        pieces: list[_Piece] = []
        while self.at < len(self.parts):
            token = self.parts[self.at]
            self.at += 1
            if token == end:
                break
            if token in _TAKING:
                self._take(token, pieces)
            else:
                pieces += _alone(token)
        return pieces

    def _take(self, token: str, pieces: list[_Piece]) -> None:
        name = token.removeprefix("\\")
        if token in "^_":
            while pieces and pieces[-1].kind == "space":
                pieces.pop()
            base = pieces.pop() if pieces else _Piece("")
            pieces.append(_raised(base, _joined(self.argument())) if token == "^" else _lowered(base, self.argument()))
        elif token == "{":
            pieces += self.pieces("}")
        elif token in _FRACTIONS:
            pieces.append(_quotient(_joined(self.argument()), _joined(self.argument())))
        elif token in _BINOMIALS:
            pieces.append(_Piece(f"C({_joined(self.argument())}, {_joined(self.argument())})"))
        elif token == "\\sqrt":
            pieces.append(self._root())
        elif token in _STACKS:
            mark, base = self.argument(), _Piece(_joined(self.argument()))
            over = _Piece(f"{base.text} ({_joined(mark)})", "relation")
            pieces.append(_lowered(base, mark) if token == "\\underset" else over)
        elif token in ("\\begin", "\\end"):
            pieces += self._environment() if token == "\\begin" else []
        elif name in _PROSE or name in _FONTS:
            pieces.append(self._words(name))
        elif name in _ACCENTS:
            letters = _joined(self.argument())
            is_word = letters.isalpha() and len(letters) > 1
            pieces.append(_Piece(letters if is_word else letters[:1] + _ACCENTS[name] + letters[1:]))
        elif self.parts[self.at : self.at + 1] == ["|"]:
            self.at += 1
            pieces.append(_Piece("|", "open" if token == "\\left" else "close"))

    def argument(self) -> list[_Piece]:
        """A group, or a single token."""
        while self.at < len(self.parts) and self.parts[self.at] == " ":
            self.at += 1
        if self.at >= len(self.parts):
            return []
        token = self.parts[self.at]
        self.at += 1
        if token == "{":
            return self.pieces("}")
        if token not in _TAKING:
            return [*_alone(token)]
        pieces: list[_Piece] = []
        self._take(token, pieces)
        return pieces

    def _raw(self) -> str:
        """The characters of a group, spaces included."""
        end = group_end(self.parts, self.at)
        group = "".join(self.parts[self.at : end]).lstrip(" ")
        self.at = end
        return group[1:-1] if group.startswith("{") else group

    def _words(self, name: str) -> _Piece:
        raw = self._raw()
        if name == "mathbb":
            return _Piece(_DOUBLE.get(raw, raw))
        if name in _PROSE:
            return _Piece(_prose(raw), "words")
        return _Piece(plain(raw), "name" if len(raw) > 1 else "atom")

    def _root(self) -> _Piece:
        degree = ""
        if self.at < len(self.parts) and self.parts[self.at] == "[":
            self.at += 1
            degree = _joined(self.pieces("]"))
        sign = {"": "√", "3": "∛", "4": "∜"}.get(degree, f"root_{degree} ")
        below = _joined(self.argument())
        raised = below[-1:] in _UPPER.values()  # √x² might be the square of the root
        return _Piece(sign + (f"({below})" if raised else _guarded(below)), "root")

    def _environment(self) -> list[_Piece]:
        end = closing(self.parts, self.at - 1, "\\begin", "\\end")
        name = self._raw()
        inner = self.parts[self.at : end]
        self.at = end + 1
        self._raw()  # the name once more
        rows = [[plain("".join(cell)) for cell in _split(row, "&")] for row in _split(inner, "\\\\")]
        cases = name in ("cases", "array", "matrix", "pmatrix")
        text = "; ".join(" ".join(filter(None, row)) for row in rows if any(row))
        return [_Piece(f"{{{text}}}" if cases else text)]


def _split(parts: Sequence[str], at: str) -> Iterable[list[str]]:
    """The parts between the signs at which they are cut, which are none of an environment within."""
    row: list[str] = []
    depth = 0
    for token in parts:
        depth += (token == "\\begin") - (token == "\\end")
        if token == at and depth == 0:
            yield row
            row = []
        else:
            row.append(token)
    yield row


@lru_cache(maxsize=4096)
def _alone(token: str) -> Sequence[_Piece]:
    """A token that takes no argument."""
    name = token.removeprefix("\\")
    if token in _OPENING:
        return [_Piece(_OPENING[token], "open")]
    if token in _CLOSING:
        return [_Piece(_CLOSING[token], "close")]
    if token in _BARS:
        return [_Piece(_BARS[token], "bar")]
    if token in ("+", "-", "−"):
        return [_Piece("−" if token != "+" else "+", "sign")]
    if token in ("=", "<", ">"):
        return [_Piece(token, "relation")]
    if token in (",", ";", ":"):
        return [_Piece(token, "comma")]
    if token in (" ", "\n", "~", "&"):
        return [_Piece(" ", "space")]
    if token == name:
        return [] if token in "}{" else [_Piece("*" if token == "∗" else token)]
    if name in _LETTERS:
        return [_Piece(_LETTERS[name])]
    if name in _BIG:
        return [_Piece(_BIG[name], "name")]
    if name in _RELATIONS:
        return [_Piece(_RELATIONS[name], "relation")]
    if name in _BINARY:
        return [_Piece(_BINARY[name], "times")]
    if name in _IGNORED:
        return []
    if name in _SPACES or name == "\\":
        return [_Piece(" ", "space")]
    return [_Piece(name, "name")]


def _raised(base: _Piece, power: str) -> _Piece:
    text = f"({base.text})" if base.kind in ("quotient", "root") else base.text
    if power and all(c in _UPPER for c in power) and len(power) <= 4:
        return _Piece(text + "".join(_UPPER[c] for c in power), _kind_with_mark(base))
    called = power.endswith(")") and not _enclosed(power)  # e^(r(o)): in e^r(o) the power might be r
    return _Piece(f"{text}^({power})" if called else f"{text}^{_guarded(power)}", _kind_with_mark(base))


def _lowered(base: _Piece, mark: Sequence[_Piece]) -> _Piece:
    text = re.sub(r" ([=−+→~<>≤≥]) ?", r"\1", _joined(mark))
    if (
        text
        and all(c in _LOWER for c in text)
        and len(text.strip("()")) <= 3
        and not (len(text) > 1 and text.isalpha())
    ):
        return _Piece(base.text + "".join(_LOWER[c] for c in text), _kind_with_mark(base))
    short = re.fullmatch(r"\w+|[^\w]", text)  # x_> too: what is compared has a space before its sign
    return _Piece(f"{base.text}_{text}" if short else f"{base.text}_{{{text}}}", "name")


def _kind_with_mark(base: _Piece) -> str:
    """The kind of a base that has got an index or a power."""
    return base.kind if base.kind in ("close", "name", "bar", "words") else "atom"


def _quotient(above: str, below: str) -> _Piece:
    if (above, below) in _VULGAR:
        return _Piece(_VULGAR[above, below])
    by = below[1:].strip()
    if re.fullmatch("[d∂][²³⁴]?", above) and below.startswith(above[0]) and by[:1].isalpha() and _ONE.fullmatch(by):
        return _Piece(f"{above}/{above[0]}{by}", "name")  # a derivative is taken, and nothing divided
    return _Piece(f"{_guarded(above, '/')}/{_guarded(below)}", "quotient")


_LETTER = r"[^\W\d_][\u0300-\u036f\u20d7]*"
_INDEX = r"(?:_\w+|_[<>=≤≥≠]|_\{[^{}]*\}|[₀-₉₍₎ᵢⱼₖₘₙₜ]+)?"
_NAME = r"(?:[A-Za-z]{3,}|KL|TV)"  # of a function; x(1 − x) is a product
_MEAN = r"(?:E|Var)(?:_\w+)?\[[^\[\]]*\]"  # of random numbers
_ONE = re.compile(
    rf"√?(?:\d+(?:\.\d+)?|{_LETTER}{_INDEX}[′*⁰¹²³-⁹ⁿ⁺⁻]*(?:\([^()+−]*\))?|{_NAME}\([^()]*\)|\|[^|]*\||{_MEAN})|\w|\.|…"
)

# Of factors: no sum and no relation, and nothing that reaches what follows it, as a sum, a limit or a gradient does.
_PRODUCT = re.compile(r"(?!.*(?:lim|sup|inf|for|otherwise))[^()\[\]{}+−±∓/Σ∏∫∇<>=≤≥≠→↦∈∉≈~∝≡∧∨,;:]+")


def _guarded(text: str, product: str = "") -> str:
    """In parentheses unless it is one thing: a letter with its index, a number, a call, or in parentheses already;
    above a fraction's line a product will do in which no sum or limit reaches what follows.

    >>> _guarded("x (1 − x)", "/"), _guarded("x (1 − x)"), _guarded("1 − x", "/"), _guarded("∇ P(x)", "/")
    ('x (1 − x)', '(x (1 − x))', '(1 − x)', '(∇ P(x))')
    """
    simple = _ONE.fullmatch(text) or (product and _PRODUCT.fullmatch(_outside(text)))
    return text if not text or simple or _enclosed(text) else f"({text})"


def _outside(text: str) -> str:
    """A text without what stands in its brackets."""
    while text != (shorter := re.sub(r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]", "", text)):
        text = shorter
    return text


def _enclosed(text: str) -> bool:
    """Whether a text is one pair of parentheses, or one call such as log(p)."""
    start = re.match(rf"(?:√|{_NAME})?\(", text)
    if start is None or not text.endswith(")"):
        return False
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and start.end() - 1 <= at < len(text) - 1:
            return False
    return True


_FACTORS = ("atom", "root", "name", "quotient", "close", "bar")  # what a factor may end with
_BEGINNINGS = ("atom", "root", "name", "quotient", "open", "bar")  # what one may begin with


def _begin_with_factor(pieces: Sequence[_Piece]) -> bool:
    """Whether pieces begin with a factor, and not with the full stop of a sentence."""
    if [p.text for p in pieces[:2]] in ([".", " "], ["."]):
        return False
    first = next((p for p in pieces if p.kind != "space"), None)
    return first is not None and first.kind in _BEGINNINGS


def _joined(pieces: Sequence[_Piece]) -> str:
    """The pieces as one line, with the spaces that a person would type."""
    solid = [p for p in pieces if p.text]
    if len(solid) == 1 and solid[0].text.isalnum():
        return solid[0].text
    text, before = "", None  # the last piece that is no space
    for at, piece in enumerate(solid):
        if piece.kind in ("relation", "times"):
            text = f"{text.rstrip()} {piece.text} "
        elif piece.kind == "sign":
            binary = before is not None and before.kind in _FACTORS
            text = f"{text.rstrip()} {piece.text} " if binary else text + piece.text
        elif piece.kind == "comma":
            text = f"{text.rstrip()}{piece.text} "
        elif piece.kind == "open" and before is not None and before.kind == "root":
            text = f"{text.rstrip()} {piece.text}"  # √2 (x + 1): the root ends before the parenthesis
        elif piece.kind == "space" and text.endswith(("−", "+")):
            continue  # SymPy's space behind the sign of a number
        elif piece.kind == "quotient":
            is_factor = (before is not None and before.kind in _FACTORS) or _begin_with_factor(solid[at + 1 :])
            text += f"({piece.text})" if is_factor else piece.text
        else:
            named = piece.kind == "name" or (at and solid[at - 1].kind == "name" and piece.text[:1].isalnum())
            text += f" {piece.text}" if named and text[-1:].isalnum() else piece.text
        if piece.kind != "space":
            before = piece
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"(?<=[(\[⌊]) | (?=[)\],;⌋])", "", text).strip()


def _prose(raw: str) -> str:
    """The words of ``\\text{…}``, in which formulas may stand between dollars."""
    parts = raw.replace("\\ldots", "…").split("$")
    return "".join(plain(p) if n % 2 else re.sub(r"\\(?=[ %&#_])|\\(?=[A-Za-z])", "", p) for n, p in enumerate(parts))


@lru_cache(maxsize=4096)
def plain(latex: str) -> str:
    r"""A formula of LaTeX as one line of Unicode text.

    >>> plain(r"p_{\mathrm{ref}} \left(1 - x\right)^{2} = \log{\left(\beta \right)}")
    'p_ref (1 − x)² = log(β)'
    """
    return normalize("NFC", _joined(_Reader(tokens(latex)).pieces()))


_ITEM = re.compile(r"(?P<name>\w+) = (?P<value>\[[^\]]*\]|[^,\[\]]+)(?:, |$)")
_AT = re.compile(r"(?P<name>\w+) = (?P<value>-?\d+/\d+|-?\d+)")
_HOW = re.compile(r" \((?:confirmed|both|ball)[^()]*\)$")
_DIGITS, _NUMBERS = 12, 6


def brief(witness: str, letters: Iterable[tuple[str, str]] = ()) -> str:
    """A point that refutes something, short enough for a line: Greek letters, long fractions rounded, the first few
    numbers only. Of a sentence whose ``letters`` are known, name and LaTeX, it says those as they are printed, and no
    others.

    >>> brief("beta = 1, p = 3602879701896397/36028797018963968 (confirmed in ball arithmetic)")
    'β = 1, p ≈ 0.1'
    >>> brief("mine = 1/2, t = 3", letters=[("mine", r"\\mu")])
    'μ = 1/2'
    """
    point = _HOW.sub("", witness)  # how it is known stands in the evidence
    if named := _items(point, printed := dict(letters)):
        rounded = ((name, _AT.sub(_rounded, f"{name} = {value}")) for name, value in named)
        parts = [text.replace(text.partition(" ")[0], plain(printed[name]), 1) for name, text in rounded]
    else:
        parts = _AT.sub(_rounded, point).split(", ")
    more = f", … ({len(parts) - _NUMBERS} more)" if len(parts) > _NUMBERS else ""
    return ", ".join(parts[:_NUMBERS]) + more


def whole(witness: str, letters: Iterable[tuple[str, str]]) -> str:
    """A point that refutes something, every digit, with how it is known; the letters of a sentence as in :func:`brief`.

    >>> whole("mine = 1/2, t = 3 (confirmed in ball arithmetic)", [("mine", r"\\mu")])
    'μ = 1/2 (confirmed in ball arithmetic)'
    """
    point = _HOW.sub("", witness)
    named = _items(point, printed := dict(letters))
    as_printed = ", ".join(f"{plain(printed[name])} = {value}" for name, value in named) or point
    return as_printed + witness.removeprefix(point)


def _items(point: str, printed: Mapping[str, str]) -> list[tuple[str, str]]:
    """The letters that are printed, each with its value, of what is a list of letters and values; else nothing."""
    items = list(_ITEM.finditer(point))
    listed = "".join(item[0] for item in items) == point
    return [(item["name"], item["value"]) for item in items if item["name"] in printed] if listed else []


def _rounded(match: re.Match[str]) -> str:
    name, value = _LETTERS.get(match["name"], match["name"]), match["value"].replace("-", "−")
    if len(value) <= _DIGITS:
        return f"{name} = {value}"
    above, _, below = match["value"].partition("/")
    return f"{name} ≈ {int(above) / int(below or 1):.4g}".replace("-", "−")
