"""The kinds of certificates, and their text: one line without spaces, the same for the same certificate.

==================  ===================================================================================
text                certificate
==================  ===================================================================================
``.``               the branch is closed already
``?c(yes)(no)``     the condition ``c`` of a value by cases holds, or does not
``|d(a)(b)…``       one part of the disjunction ``d`` holds: one certificate each, by the parts' names
``<p(above)(below)``  ``p ≥ 0``, or ``p < 0``: a lemma, where the first is refuted at once
``=e,v;…``          the equation ``e`` is solved for the variable ``v``
``^e,v;…``          the equation ``e`` gives the square of the variable ``v``
``~v,a,b;…``        ``v`` between its bounds ``a`` (near) and ``b`` (far, or none) is put on (0, ∞)
``{m:f,g,[q];m=e}`` a sum of products ``m f g q²`` and multiples ``m e`` that cannot be: see replay
==================  ===================================================================================

Facts, disjunctions and conditions are named by a digest of their content, a fact ``u ≤ 0`` by ``-`` and that of ``u``;
polynomials are written like ``3*x^2*y-1``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from grpo_symbolic.proof.check.polynomials import MOST_DEGREE, Refused, Sparse

MOST_TEXT = 50_000  # characters
MOST_DEPTH = 150  # certificates inside each other
MOST_DIGITS = 2_000  # of a coefficient

VARIABLE = r"[^\W\d]\w*"
_TOKEN = re.compile(rf"(?P<name>{VARIABLE})|(?P<number>[0-9]+)|(?P<sign>[.?|<=^~{{}}()\[\];:,+*-])")


class Certificate:
    """A tree of steps that shows a query to be contradictory; its ``text`` is what is kept of it."""

    @property
    def text(self) -> str:
        """The certificate as :func:`parse` reads it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Closed(Certificate):
    """Nothing is left to show."""

    @property
    def text(self) -> str:
        return "."


@dataclass(frozen=True)
class Decide(Certificate):
    """A condition of a value by cases holds (``yes``), or it does not (``no``)."""

    condition: str
    yes: Certificate
    no: Certificate

    @property
    def text(self) -> str:
        return f"?{self.condition}({self.yes.text})({self.no.text})"


@dataclass(frozen=True)
class Split(Certificate):
    """One certificate for each part of a disjunction, in the order of the parts' names."""

    disjunction: str
    parts: tuple[Certificate, ...]

    @property
    def text(self) -> str:
        return f"|{self.disjunction}{''.join(f'({part.text})' for part in self.parts)}"


@dataclass(frozen=True)
class Cut(Certificate):
    """A polynomial is ≥ 0 (``above``), or it is < 0 (``below``)."""

    polynomial: Sparse
    above: Certificate
    below: Certificate

    @property
    def text(self) -> str:
        return f"<{written(self.polynomial)}({self.above.text})({self.below.text})"


@dataclass(frozen=True)
class Solve(Certificate):
    """An equation, linear in a variable with a coefficient of known sign, is solved for it."""

    equation: str
    variable: str
    then: Certificate

    @property
    def text(self) -> str:
        return f"={self.equation},{self.variable};{self.then.text}"


@dataclass(frozen=True)
class Reduce(Certificate):
    """An equation gives the square of a variable, which then occurs in no higher power than the first."""

    equation: str
    variable: str
    then: Certificate

    @property
    def text(self) -> str:
        return f"^{self.equation},{self.variable};{self.then.text}"


@dataclass(frozen=True)
class Between(Certificate):
    """A variable goes from a bound (``near``) to another or without end (``far``) as its new self from 0 to ∞."""

    variable: str
    near: str
    far: str | None
    then: Certificate

    @property
    def text(self) -> str:
        far = f",{self.far}" if self.far else ""
        return f"~{self.variable},{self.near}{far};{self.then.text}"


@dataclass(frozen=True)
class Product:
    """``multiplier · Π facts · Π squares²``."""

    multiplier: Sparse
    facts: tuple[str, ...]
    squares: tuple[Sparse, ...] = ()


@dataclass(frozen=True)
class Multiple:
    """``multiplier · equation``."""

    multiplier: Sparse
    equation: str


@dataclass(frozen=True)
class Sum(Certificate):
    """Products of facts and multiples of equations whose sum has no positive coefficient."""

    products: tuple[Product, ...]
    multiples: tuple[Multiple, ...] = ()

    @property
    def text(self) -> str:
        parts = [
            f"{_multiplier(p.multiplier)}:{','.join((*p.facts, *(f'[{written(q)}]' for q in p.squares)))}"
            for p in self.products
        ]
        parts += [f"{_multiplier(m.multiplier)}={m.equation}" for m in self.multiples]
        return f"{{{';'.join(parts)}}}"


UNIT: Sparse = ((1, ()),)


def written(polynomial: Sparse) -> str:
    """The text of a polynomial."""
    terms = []
    for coefficient, monomial in polynomial:
        letters = [name if exponent == 1 else f"{name}^{exponent}" for name, exponent in monomial]
        size = [] if abs(coefficient) == 1 and letters else [str(abs(coefficient))]
        terms.append(("-" if coefficient < 0 else "+") + "*".join([*size, *letters]))
    return "".join(terms).removeprefix("+") or "0"


def _multiplier(polynomial: Sparse) -> str:
    return "" if polynomial == UNIT else written(polynomial)


def parse(text: str) -> Certificate:
    """Read the text of a certificate.

    Raises :class:`Refused`, with the place, for what is no such text, is longer than ``MOST_TEXT`` characters, nests
    deeper than ``MOST_DEPTH`` or has a number of more than ``MOST_DIGITS`` digits.

    >>> parse("=abcde,x;{2:fghij,-klmno}").text
    '=abcde,x;{2:fghij,-klmno}'
    """
    if len(text) > MOST_TEXT:
        raise Refused(f"a certificate of {len(text):,} characters is longer than {MOST_TEXT:,}")
    reader = _Reader(text)
    certificate = reader.certificate(0)
    if reader.token:
        raise reader.unexpected("the end")
    return certificate


class _Reader:
    """A text and a place in it; ``token`` is what stands there, empty at the end."""

    def __init__(self, text: str) -> None:
        self.text, self.start, self.token = text, 0, ""
        self.step()

    def step(self) -> str:
        """The token, left behind."""
        before = self.token
        self.start += len(before)
        match = _TOKEN.match(self.text, self.start)
        if match is None and self.start < len(self.text):
            raise Refused(f"a certificate has no {self.text[self.start]!r} (character {self.start + 1})")
        self.token, self.kind = (match.group(), match.lastgroup) if match else ("", None)
        return before

    def unexpected(self, expected: str) -> Refused:
        given = repr(self.token[:20]) if self.token else "nothing more"
        return Refused(f"a certificate has {given} at character {self.start + 1}, where {expected} was expected")

    def take(self, expected: str) -> None:
        if self.token != expected:
            raise self.unexpected(repr(expected))
        self.step()

    def goes_on(self, separator: str) -> bool:
        if self.token != separator:
            return False
        self.step()
        return True

    def certificate(self, depth: int) -> Certificate:
        if depth > MOST_DEPTH:
            raise Refused(f"a certificate nests deeper than {MOST_DEPTH}")
        kind = self.token
        if kind not in ("?", "|", "<", "=", "^", "~", "{", "."):
            raise self.unexpected("a step")
        self.step()
        match kind:
            case "?":
                return Decide(self.digest(), self.inside(depth), self.inside(depth))
            case "|":
                name, parts = self.digest(), []
                while self.token == "(":
                    parts.append(self.inside(depth))
                return Split(name, tuple(parts))
            case "<":
                return Cut(self.polynomial(), self.inside(depth), self.inside(depth))
            case "=":
                return Solve(*self.pair(), self.certificate(depth + 1))
            case "^":
                return Reduce(*self.pair(), self.certificate(depth + 1))
            case "~":
                variable = self.variable()
                self.take(",")
                near = self.digest()
                far = self.digest() if self.goes_on(",") else None
                self.take(";")
                return Between(variable, near, far, self.certificate(depth + 1))
            case "{":
                return self.sum()
        return Closed()

    def inside(self, depth: int) -> Certificate:
        self.take("(")
        inner = self.certificate(depth + 1)
        self.take(")")
        return inner

    def pair(self) -> tuple[str, str]:
        equation = self.digest()
        self.take(",")
        variable = self.variable()
        self.take(";")
        return equation, variable

    def digest(self) -> str:
        """The name of a fact, a disjunction or a condition."""
        minus = "-" if self.goes_on("-") else ""
        if not (self.token.isascii() and self.token.isalpha()):
            raise self.unexpected("the name of a fact, letters only,")
        return minus + self.step()

    def variable(self) -> str:
        if self.kind != "name":
            raise self.unexpected("a variable")
        return self.step()

    def sum(self) -> Sum:
        products, multiples = [], []
        while True:
            multiplier = UNIT if self.token in (":", "=") else self.polynomial()
            if self.goes_on("="):
                multiples.append(Multiple(multiplier, self.digest()))
            else:
                self.take(":")
                facts, squares = [], []
                while self.token not in (";", "}"):
                    if self.goes_on("["):
                        squares.append(self.polynomial())
                        self.take("]")
                    else:
                        facts.append(self.digest())
                    if not self.goes_on(","):
                        break
                products.append(Product(multiplier, tuple(facts), tuple(squares)))
            if not self.goes_on(";"):
                self.take("}")
                return Sum(tuple(products), tuple(multiples))

    def polynomial(self) -> Sparse:
        terms = []
        while True:
            minus = self.goes_on("-")
            coefficient, monomial = 1, []
            while True:
                if self.kind == "number":
                    coefficient *= self.number()
                else:
                    name = self.variable()
                    monomial.append((name, self.exponent() if self.goes_on("^") else 1))
                if not self.goes_on("*"):
                    break
            terms.append((-coefficient if minus else coefficient, tuple(monomial)))
            if not self.goes_on("+") and self.token != "-":
                return tuple(terms)

    def number(self) -> int:
        if len(self.token) > MOST_DIGITS:
            raise Refused(f"a number of {len(self.token)} digits is longer than {MOST_DIGITS}")
        return int(self.step())

    def exponent(self) -> int:
        if self.kind != "number" or len(self.token) > 4 or int(self.token) > MOST_DEGREE:
            raise self.unexpected(f"an exponent of at most {MOST_DEGREE}")
        return int(self.step())
