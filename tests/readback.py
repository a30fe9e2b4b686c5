"""Reading a plain print back: what its characters say by the rules of precedence that a reader knows, and no others.

A power binds before a product or a quotient, these before a sum over an index, a limit or a derivative, which reach as
far as a product does, and all of them before + and −; then relations, then words.

>>> from grpo_symbolic.notation import k, n
>>> from grpo_symbolic.proof.statements.sentence import letters, plain
>>> whole = sp.Sum(k**2, (k, 1, n))
>>> formula(plain(whole), letters([whole]))
Sum(k**2, (k, 1, n))
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.rules.variances import MeanOf, VarianceOf

_ONE_ARGUMENT = (sp.exp, sp.log, sp.sinh, sp.cosh, sp.tanh, sp.Abs, sp.sign)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{kind.__name__: partial(kind, evaluate=False) for kind in (*_ONE_ARGUMENT, sp.Max, sp.Min, sp.KroneckerDelta)},
    "sqrt": lambda e: raised(e, sp.S.Half),
    "C": partial(sp.binomial, evaluate=False),
    "E": MeanOf,
    "Var": VarianceOf,
}
_NUMBERS = {"E": sp.E, "pi": sp.pi}
RELATIONS = {"=": sp.Eq, "≠": sp.Ne, "<": sp.Lt, ">": sp.Gt, "≤": sp.Le, "≥": sp.Ge}
JOINED = {"and": sp.And, "or": sp.Or, "exactly if": sp.Equivalent}
_SIGNS = ["exactly if", "from above", "from below", "and", "or", "if", "then", "lim", "True", "Σ", "Π"]
_SIGNS += [*"()[],~+-*/^…→∞", "−∞", *RELATIONS]


def add(*parts: Any) -> Any:
    """A sum as it is written: nothing is evaluated."""
    return sp.Add(*parts, evaluate=False)


def times(*parts: Any) -> Any:
    """A product as it is written."""
    return sp.Mul(*parts, evaluate=False)


def raised(base: Any, exponent: Any) -> Any:
    """A power as it is written."""
    return sp.Pow(base, exponent, evaluate=False)


def slope(d: str, body: Any, *along: tuple[Any, int]) -> sp.Derivative:
    """A derivative. With d it is that of what depends on one letter, or one entry, and nothing else."""
    whole = sp.Derivative(body, *along, evaluate=False)
    (one, _), *more = whole.variable_count
    entries = {e for e in body.atoms(sp.Indexed) if e != one}
    loose = {s for s in body.free_symbols if isinstance(s, sp.Symbol) and not one.has(s)}
    if d == "d" and (more or entries or loose):
        raise BadInput(f"d/d{one} is of what has other letters: {body}")
    return whole


def formula(text: str, known: Mapping[str, sp.Basic]) -> sp.Basic:
    """What a print says, with the letters that are ``known`` by their prints.

    Raises :class:`BadInput` for what is no print of a formula.
    """
    return Reader(text, known).whole()


class Reader:
    """Reads the signs of a print from left to right."""

    separators: tuple[str, ...] = (",",)  # between arguments

    def __init__(self, text: str, known: Mapping[str, sp.Basic]) -> None:
        letters = {name: letter for name, letter in known.items() if isinstance(letter, sp.Symbol)}
        primed = {  # an index whose letter is taken
            name + "'" * primes: sp.Symbol(str(letter) + "'" * primes, integer=True)
            for name, letter in letters.items()
            for primes in (1, 2, 3)
        }
        known = {**primed, **known}
        words = sorted([*_SIGNS, *FUNCTIONS, *_NUMBERS, "Piecewise", *known], key=len, reverse=True)
        pattern = "|".join([r"\d+", r"[d∂](?:\^\d+)?/[d∂]", *map(re.escape, words)])
        self.known, self.rest = known, [*re.findall(rf"\s*({pattern}|\S)", text), ""]

    def whole(self) -> Any:
        """The formula that all of the signs make."""
        result = self.joined()
        self.expect("")
        return result

    def take(self, *signs: str) -> str:
        """The next sign if it is one of these; empty otherwise."""
        return self.rest.pop(0) if self.rest[0] in signs and self.rest[0] else ""

    def expect(self, sign: str) -> None:
        if self.rest[0] != sign:
            raise BadInput(f"a print in which {sign or 'the end'} is expected goes on with {' '.join(self.rest[:9])}")
        if sign:
            self.rest.pop(0)

    def joined(self) -> Any:
        """Relations and what joins them; everything composed is in parentheses within."""
        if self.take("if"):
            given = self.joined()
            self.expect(",")
            self.expect("then")
            return sp.Implies(given, self.joined(), evaluate=False)
        first = self.related()
        if self.rest[0] not in JOINED:
            return first
        word, parts = self.rest[0], [first]
        while self.take(word):
            parts.append(self.related())
        return JOINED[word](*parts, evaluate=False)

    def related(self) -> Any:
        if self.take("~"):
            return sp.Not(self.related(), evaluate=False)
        left = self.added()
        sign = self.take(*RELATIONS)
        return RELATIONS[sign](left, self.added(), evaluate=False) if sign else left

    def first(self) -> Any:
        """The first term of a sum."""
        return self.reaching()

    def added(self) -> Any:
        result = self.first()
        while sign := self.take("+", "-"):
            part = self.reaching()
            result = add(result, part if sign == "+" else times(sp.S.NegativeOne, part))
        return result

    def reaching(self) -> Any:
        """A product, or what reaches as far as one."""
        if sign := self.take("Σ", "Π"):
            limits = self.limits()
            return (sp.Sum if sign == "Σ" else sp.Product)(self.reaching(), *limits)
        if self.take("lim"):
            letter, point, below = self.limit()
            return sp.Limit(self.reaching(), letter, point, "-" if below or point == sp.oo else "+")
        if self.rest[0].endswith(("/d", "/∂")):
            sign, along = self.rest.pop(0), self.order()
            d = sign[-1]
            if sign != f"{d}^{along[1]}/{d}" and (sign, along[1]) != (f"{d}/{d}", 1):
                raise BadInput(f"a derivative begins with {sign} and ends with ^{along[1]}")
            return slope(d, self.reaching(), along)
        return self.multiplied()

    def limit(self) -> tuple[Any, Any, bool]:
        """A letter, the point to which it tends, and whether from below."""
        self.expect("[")
        letter = self.atom()
        self.expect("→")
        point, side = self.added(), self.take("from above", "from below")
        self.expect("]")
        return letter, point, side == "from below"

    def order(self) -> tuple[Any, int]:
        letter = self.atom()
        return (letter, int(self.rest.pop(0))) if self.take("^") else (letter, 1)

    def limits(self) -> list[tuple[Any, Any, Any]]:
        """The indices of a sum, of which the outermost is written first and is SymPy's last."""
        self.expect("[")
        bounds = []
        while True:
            letter = self.atom()
            self.expect("=")
            low = self.added()
            self.expect("…")
            bounds.append((letter, low, self.added()))
            if not self.take(","):
                self.expect("]")
                return bounds[::-1]

    def multiplied(self) -> Any:
        if self.take("-"):
            return times(sp.S.NegativeOne, self.reaching())
        result = self.raised()
        while sign := self.take("*", "/"):
            part = self.raised()
            result = times(result, part if sign == "*" else raised(part, sp.S.NegativeOne))
        return result

    def raised(self) -> Any:
        base = self.atom()
        return raised(base, self.atom()) if self.take("^") else base

    def atom(self) -> Any:
        if self.take("("):
            result = self.joined()
            self.expect(")")
            return result
        word = self.rest.pop(0)
        if word.isdecimal():
            return sp.Integer(word)
        if word in ("∞", "−∞"):
            return sp.oo if word == "∞" else -sp.oo
        if word == "Piecewise":
            return sp.Piecewise(*self.cases(), evaluate=False)
        letter = self.known.get(word)
        if isinstance(letter, sp.IndexedBase):
            return letter[self.arguments("[", "]")]
        if letter is not None:
            return letter
        if word in _NUMBERS and self.rest[0] != "(":
            return _NUMBERS[word]
        if word in FUNCTIONS:
            return FUNCTIONS[word](*self.arguments())
        raise BadInput(f"a print speaks of {word!r}, which is no letter of its own")

    def arguments(self, opening: str = "(", closing: str = ")") -> tuple[Any, ...]:
        self.expect(opening)
        given = [self.added()]
        while self.take(*self.separators):
            given.append(self.added())
        self.expect(closing)
        return tuple(given)

    def cases(self) -> list[tuple[Any, Boolean]]:
        self.expect("(")
        branches: list[tuple[Any, Boolean]] = []
        while not branches or self.take(","):
            self.expect("(")
            value = self.added()
            self.expect(",")
            branches.append((value, sp.true if self.take("True") else self.joined()))
            self.expect(")")
        self.expect(")")
        return branches


Shape = tuple[Any, ...]
_ONE: Shape = ("number", Fraction(1))
_Bound = Mapping[Any, Shape]
_ALIKE = (sp.And, sp.Or, sp.Equivalent, sp.Max, sp.Min, sp.Eq, sp.Ne, sp.KroneckerDelta)  # in any order
_GROUPED = (sp.And, sp.Or, sp.Max, sp.Min)  # in any grouping


def shape(e: Any, bound: _Bound = MappingProxyType({})) -> Shape:
    """What a print tells of an expression: of terms and factors neither the order nor the grouping, of a quotient that
    it is a power of −1, of numbers their sum or product, of the index of a sum, which may be called otherwise, where it
    stands.
    """
    within = partial(shape, bound=bound)
    if e.is_Symbol and e in bound:
        return bound[e]
    if isinstance(e, sp.Rational):
        return ("number", Fraction(int(e.p), int(e.q)))
    if e is sp.S.NegativeInfinity:
        return _product([("number", Fraction(-1)), within(sp.oo)])
    if isinstance(e, sp.Add):
        return _sum(list(map(within, e.args)))
    if isinstance(e, sp.Mul):
        return _product(list(map(within, e.args)))
    if isinstance(e, sp.Pow):
        return _power(within(e.base), within(e.exp))
    if isinstance(e, sp.exp):
        return _power(within(sp.E), within(e.args[0]))
    if isinstance(e, sp.Sum | sp.Product):
        return _over(type(e).__name__, e.function, e.limits, bound)
    if isinstance(e, sp.Derivative):
        return ("Derivative", within(e.expr), *sorted((within(v), int(order)) for v, order in e.variable_count))
    if isinstance(e, sp.Piecewise):
        return ("Piecewise", *((within(value), _condition(when, bound)) for value, when in e.args))
    if not e.args or isinstance(e, sp.IndexedBase):
        return (str(e),)
    name = {"StrictGreaterThan": "StrictLessThan", "GreaterThan": "LessThan"}.get(type(e).__name__, type(e).__name__)
    inner = list(map(within, e.args))
    if isinstance(e, sp.Gt | sp.Ge):
        inner.reverse()
    if isinstance(e, _GROUPED):
        inner = [part for whole in inner for part in (whole[1:] if whole[0] == name else (whole,))]
    return (name, *(sorted(inner, key=str) if isinstance(e, _ALIKE) else inner))


def _over(name: str, body: Any, limits: Any, bound: _Bound) -> Shape:
    """A sum or product over indices, the outermost of which is the last of the limits."""
    if not limits:
        return shape(body, bound)
    *inner, (letter, low, high) = limits
    depth = 1 + max((index for _, index in bound.values()), default=0)
    here = {**bound, letter: ("index", depth)}
    return (name, shape(low, bound), shape(high, bound), _over(name, body, inner, here))


def _condition(e: Any, bound: _Bound) -> Shape:
    """Of what is compared in a distinction of cases the sign of the difference: a clipped value is printed by name."""
    if not isinstance(e, sp.Gt | sp.Ge | sp.Lt | sp.Le):
        return shape(e, bound)
    number, rest = _numbered(_sum([shape(e.lts, bound), _product([("number", Fraction(-1)), shape(e.gts, bound)])]))
    return (
        "<" if isinstance(e, sp.Gt | sp.Lt) else "≤",
        _product([rest, ("number", Fraction(1 if number > 0 else -1))]),
    )


def _sum(parts: list[Shape]) -> Shape:
    """Terms with the number that they have in common before them, which makes the first of them positive."""
    terms: list[tuple[Shape, Fraction]] = []
    for part in parts:
        number, rest = _numbered(part)
        for term in rest[1:] if rest[0] == "+" else (rest,):
            inner, of = _numbered(term)
            terms.append((of, number * inner))
    bare = sum((number for of, number in terms if of == _ONE), Fraction(0))
    terms = sorted([*(t for t in terms if t[0] != _ONE), *([(_ONE, bare)] if bare else [])], key=str)
    if len(terms) < 2:
        return _product(
            [("number", number) if of == _ONE else _product([of, ("number", number)]) for of, number in terms]
        )
    above = math.gcd(*(number.numerator for _, number in terms))
    common = Fraction(above, math.lcm(*(number.denominator for _, number in terms)))
    common = -common if terms[0][1] < 0 else common
    return _product([("number", common), ("+", *(_product([of, ("number", number / common)]) for of, number in terms))])


def _numbered(part: Shape) -> tuple[Fraction, Shape]:
    """The number in a product, and what it multiplies."""
    if part[0] == "number":
        return part[1], _ONE
    if part[0] != "*":
        return Fraction(1), part
    number = math.prod((p[1] for p in part[1:] if p[0] == "number"), start=Fraction(1))
    return number, _product([p for p in part[1:] if p[0] != "number"])


def _product(parts: list[Shape]) -> Shape:
    flat = [q for p in parts for q in (p[1:] if p[0] == "*" else (p,))]
    number = math.prod((p[1] for p in flat if p[0] == "number"), start=Fraction(1))
    rest = [p for p in flat if p[0] != "number"]
    parts = sorted([*rest, *([("number", number)] if number != 1 or not rest else [])], key=str)
    return parts[0] if len(parts) == 1 else ("*", *parts)


def _power(base: Shape, exponent: Shape) -> Shape:
    """A whole power goes to the factors and powers within."""
    if exponent[0] != "number" or exponent[1].denominator != 1:
        return ("^", base, exponent)
    if base[0] == "number" and (base[1] or exponent[1] > 0) and abs(exponent[1]) < 1000:
        return ("number", base[1] ** int(exponent[1]))
    if base[0] == "*":
        return _product([_power(factor, exponent) for factor in base[1:]])
    if base[0] == "^":
        return ("^", base[1], _product([base[2], exponent]))
    return base if exponent[1] == 1 else ("^", base, exponent)
