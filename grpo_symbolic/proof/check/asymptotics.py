"""Limits by rules of our own, for all parameters at once; proved, or not known.

A term that is continuous at the point has its value there for a limit. Otherwise the variable is written with t → 0
from the right, and the term is expanded in the scale ``t^a L^(−b)`` with ``L = log(1/t)``, times exponentials that
grow or vanish faster than any of these. Each coefficient is a term of the parameters; where a coefficient leads, its
sign must be proved for every parameter of the domain, never for generic ones. An expansion ends with a bound for what
was left out, so nothing is taken to be small that was not shown to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.check.normal import NormalForm
from grpo_symbolic.proof.check.normal.quotients import TooLarge
from grpo_symbolic.proof.check.normal.signs import NEGATIVE, POSITIVE, Signs
from grpo_symbolic.terms.definedness import conditions
from grpo_symbolic.terms.derivatives import expanded
from grpo_symbolic.terms.language import (
    COMPARED,
    MINUS_ONE,
    ONE,
    ZERO,
    Add,
    And,
    Cases,
    Compare,
    Extremum,
    Formula,
    Function,
    GeneralPower,
    Multiply,
    Node,
    Not,
    Number,
    Or,
    Power,
    Sort,
    Term,
    Truth,
    Variable,
    add,
    multiply,
    negative,
    number,
    substitute,
    subtract,
)


class Infinity(StrEnum):
    """A point or a value that is no number."""

    above = "∞"
    below = "−∞"


class _Unknown(Exception):
    """The rules do not say."""


class _Scale(NamedTuple):
    """``t^a L^(−b)``, which is the smaller the greater (a, b) is, in this order."""

    a: Fraction | float
    b: Fraction

    def times(self, other: _Scale) -> _Scale:
        return _Scale(self.a + other.a, self.b + other.b)

    def raised(self, exponent: Fraction | int) -> _Scale:
        return _Scale(self.a * exponent, self.b * exponent)


_CONSTANT = _Scale(Fraction(0), Fraction(0))
_LOGARITHM = _Scale(Fraction(0), Fraction(-1))
_FLAT = _Scale(float("inf"), Fraction(0))  # smaller than every power of t

_Terms = Mapping[_Scale, Term]  # coefficients, none of them shown to be 0


@dataclass(frozen=True)
class _Expansion:
    """``exp(growth) · (Σ terms + O(rest))``; without ``rest`` the sum is exact. ``growth`` holds scales before the
    constant only.
    """

    terms: _Terms
    rest: _Scale | None = None
    growth: tuple[tuple[_Scale, Term], ...] = ()

    @property
    def first(self) -> _Scale | None:
        """The scale that bounds all of the sum."""
        scales = [*self.terms, *([self.rest] if self.rest is not None else [])]
        return min(scales, default=None)


_LENGTHS = (3, 6)  # of the series that replace functions, one after the other
_MOST_TERMS = 14  # of a sum, an exponent or a power; what has more is cut off or not known


def tends(
    term: Term,
    variable: Variable,
    point: Term | Infinity,
    side: str,
    value: Term | Infinity,
    form: NormalForm,
) -> bool:
    """Whether ``term → value`` as ``variable → point`` is proved, at every point of the domain of ``form``, which does
    not constrain the variable; the term is then real and defined near the point on that side.

    Args:
        side: "+" for values above the point, "-" for values below; of no account at infinity.
    """
    t = Variable("#t", Sort.real)
    inverse = Power(t, Fraction(-1))
    match point, side:
        case Infinity.above, _:
            at: Term = inverse
        case Infinity.below, _:
            at = negative(inverse)
        case _, "+":
            at = t if point is ZERO else add(point, t)
        case _, "-":
            at = negative(t) if point is ZERO else subtract(point, t)
        case _:
            raise ValueError(f"{side!r} is no side: expected + or -")
    try:
        body = substitute(expanded(term), {variable: at})
    except ReadingError:
        return False
    ends = [e for e in (point, value) if isinstance(e, Term)]
    if any(variable in e.variables for e in ends) or not all(_is_defined(e, form) for e in ends):
        return False
    positive = form.also(Compare("<", ZERO, t))
    if (
        isinstance(value, Term)
        and _Continuity(t, form, positive).holds(body)
        and form.vanishes(subtract(substitute(body, {t: ZERO}), value))
    ):
        return True
    return any(_Calculus(t, form, positive, length).proves(body, value) for length in _LENGTHS)


def _is_defined(term: Term, form: NormalForm) -> bool:
    """Whether all parts of a term have a value at every point of the domain."""
    try:
        needed = conditions(term, form.sizes)
    except ReadingError:
        return False
    return all((form.also(*c.given) if c.given else form).holds(c.needed) for c in needed)


@dataclass(frozen=True)
class _Continuity:
    """Whether a term is continuous on some [0, δ), and so defined there."""

    t: Variable
    form: NormalForm
    positive: NormalForm  # where t > 0

    def holds(self, node: Node) -> bool:
        if self.t not in node.variables:
            return isinstance(node, Term) and _is_defined(node, self.form)
        match node:
            case Variable():
                return True
            case Add() | Multiply() | Extremum() | Function("exp" | "sinh" | "cosh" | "tanh" | "abs"):
                return all(map(self.holds, node.children))
            case Power(base, exponent) if exponent.denominator == 1:
                return self.holds(base) and (exponent >= 0 or 0 not in self._at_zero(base))
            case Power(base, exponent):
                inside = self._at_zero(base) == POSITIVE
                return self.holds(base) and (inside or (exponent > 0 and -1 not in self.positive.signs(base)))
            case Function("log", argument) | GeneralPower(argument, _):
                return all(map(self.holds, node.children)) and self._at_zero(argument) == POSITIVE
            case Function("sign", argument):
                return self.holds(argument) and 0 not in self._at_zero(argument)
        return False

    def _at_zero(self, term: Term) -> Signs:
        return self.form.signs(substitute(term, {self.t: ZERO})) if self.holds(term) else frozenset({-1, 0, 1})


class _Calculus:
    """Expansions with series of one length."""

    def __init__(self, t: Variable, form: NormalForm, positive: NormalForm, length: int) -> None:
        self.t, self.form, self.positive, self.length = t, form, positive, length
        self._known: dict[Term, _Expansion] = {}

    def proves(self, body: Term, value: Term | Infinity) -> bool:
        try:
            return self._tends(self.of(body), value)
        except (_Unknown, TooLarge, ZeroDivisionError):
            return False

    def _tends(self, e: _Expansion, value: Term | Infinity) -> bool:
        grows = self._grows(e.growth)
        if grows < 0:
            return isinstance(value, Term) and self.form.vanishes(value)
        if grows == 0 and isinstance(value, Term):
            if e.rest is not None and e.rest <= _CONSTANT:
                return False
            if any(scale < _CONSTANT for scale in e.terms):
                return False
            return self.form.vanishes(subtract(e.terms.get(_CONSTANT, ZERO), value))
        scale, _, sign = self._leading(e)
        if isinstance(value, Term) or (grows == 0 and scale >= _CONSTANT):
            return False
        return sign == (1 if value is Infinity.above else -1)

    # -- terms ----------------------------------------------------------------------------------------------------

    def of(self, term: Term) -> _Expansion:
        """The expansion of a term that is defined for small t > 0; raises :class:`_Unknown`."""
        expansion = self._known.get(term)
        if expansion is None:
            expansion = self._known[term] = self._of(term)
        return expansion

    def _of(self, term: Term) -> _Expansion:
        if self.t not in term.variables:
            if not _is_defined(term, self.form):
                raise _Unknown
            return self._exact({_CONSTANT: term})
        match term:
            case Variable():
                return self._exact({_Scale(Fraction(1), Fraction(0)): ONE})
            case Add(terms):
                return self.sum(*map(self.of, terms))
            case Multiply(factors):
                result = self._exact({_CONSTANT: ONE})
                for factor in factors:
                    result = self.product(result, self.of(factor))
                return result
            case Power(base, exponent):
                return self.power(self.of(base), exponent)
            case GeneralPower(base, exponent):
                logarithm = self.logarithm(self.of(base))
                return self.exponential(self.product(self.of(exponent), logarithm))
            case Function(name, argument):
                return self._function(name, argument)
            case Extremum(greatest, terms):
                best = terms[0]
                for other in terms[1:]:
                    sign = self.sign(subtract(other, best))
                    self.of(best), self.of(other)  # both must have a value
                    best = other if (sign > 0) is greatest and sign != 0 else best
                return self.of(best)
            case Cases(cases, default):
                for condition, value in cases:
                    if self.decides(condition):
                        return self.of(value)
                return self.of(default)
        raise _Unknown

    def _function(self, name: str, argument: Term) -> _Expansion:
        inner = self.of(argument)
        match name:
            case "exp":
                return self.exponential(inner)
            case "log":
                return self.logarithm(inner)
            case "abs":
                return inner if self.sign(argument) >= 0 else self._scaled(inner, MINUS_ONE)
            case "sign":
                return self._exact({_CONSTANT: number(self.sign(argument))})
        up, down = self.exponential(inner), self.exponential(self._scaled(inner, MINUS_ONE))
        minus = self._scaled(down, MINUS_ONE)
        if name == "tanh":
            return self.product(self.sum(up, minus), self.power(self.sum(up, down), Fraction(-1)))
        return self._scaled(self.sum(up, minus if name == "sinh" else down), number(Fraction(1, 2)))

    def sign(self, term: Term) -> int:
        """The one sign that a term has for all small t > 0."""
        vanishes, value = self.positive.vanishes(term), self.of(term)  # without a value it has no sign
        return 0 if vanishes else self._leading(value)[2]

    def decides(self, formula: Formula) -> bool:
        """Whether a formula holds for all small t > 0, or for none."""
        match formula:
            case Truth(value):
                return value
            case Compare(relation, left, right):
                return COMPARED[relation](0, self.sign(subtract(right, left)))
            case Not(part):
                return not self.decides(part)
            case And(formulas):
                return all([self.decides(f) for f in formulas])
            case Or(formulas):
                return any([self.decides(f) for f in formulas])
        raise _Unknown

    # -- arithmetic of expansions ---------------------------------------------------------------------------------

    def sum(self, *expansions: _Expansion) -> _Expansion:
        """The sum; of those with different growth the fastest, the others being flat beside it."""
        groups: dict[tuple[tuple[_Scale, Term], ...], _Expansion] = {}
        for e in expansions:
            groups[e.growth] = self._plus(groups[e.growth], e) if e.growth in groups else e
        result, *others = groups.values()
        for other in others:
            opposite = ((scale, negative(coefficient)) for scale, coefficient in other.growth)
            faster = self._grows(self._growth([*result.growth, *opposite]))
            if faster == 0:
                result = self._plus(result, other)
            else:
                leading = result if faster > 0 else other
                result = self._cut(_Expansion(leading.terms, _least(leading.rest, _FLAT), leading.growth))
        return result

    def _plus(self, one: _Expansion, other: _Expansion) -> _Expansion:
        terms = dict(one.terms)
        for scale, coefficient in other.terms.items():
            terms[scale] = add(terms[scale], coefficient) if scale in terms else coefficient
        return self._cut(_Expansion(terms, _least(one.rest, other.rest), one.growth))

    def product(self, one: _Expansion, other: _Expansion) -> _Expansion:
        terms: dict[_Scale, list[Term]] = {}
        for s, c in one.terms.items():
            for r, d in other.terms.items():
                terms.setdefault(s.times(r), []).append(multiply(c, d))
        rests = [
            a.times(b) for a, b in ((one.rest, other.first), (one.first, other.rest)) if a is not None and b is not None
        ]
        growth = self._growth([*one.growth, *other.growth])
        added = {scale: add(*cs) for scale, cs in terms.items()}
        return self._cut(_Expansion(added, min(rests, default=None), growth))

    def power(self, e: _Expansion, exponent: Fraction) -> _Expansion:
        """A power where it is defined for small t > 0: the leading coefficient decides."""
        if exponent.denominator == 1 and exponent >= 0:
            result = self._exact({_CONSTANT: ONE})
            for _ in range(_bounded(exponent.numerator)):
                result = self.product(result, e)
            return result
        scale, leading, sign = self._leading(e)
        if exponent.denominator > 1 and sign < 0:
            raise _Unknown
        small = self._relative(e, scale, leading)
        coefficients = [Fraction(1)]
        for k in range(self.length - 1):
            coefficients.append(coefficients[-1] * (exponent - k) / (k + 1))
        front = {scale.raised(exponent): Power(leading, exponent)}
        growth = self._growth([(s, multiply(number(exponent), c)) for s, c in e.growth])
        return self.product(_Expansion(front, None, growth), self._series(coefficients, small))

    def logarithm(self, e: _Expansion) -> _Expansion:
        """``growth + log c − a L + log(1 + small)`` of what is positive for small t > 0."""
        scale, leading, sign = self._leading(e)
        if sign < 0 or scale.b:
            raise _Unknown
        terms = dict(e.growth)
        terms[_CONSTANT] = Function("log", leading)
        if scale.a:
            assert isinstance(scale.a, Fraction)
            terms[_LOGARITHM] = add(*filter(None, (terms.get(_LOGARITHM),)), number(-scale.a))
        coefficients = [Fraction(0), *(Fraction((-1) ** (k + 1), k) for k in range(1, self.length))]
        return self.sum(self._exact(terms), self._series(coefficients, self._relative(e, scale, leading)))

    def exponential(self, e: _Expansion) -> _Expansion:
        """What does not tend to 0 in the exponent becomes a factor; a rational multiple of L a power of t."""
        if e.growth or (e.rest is not None and e.rest <= _CONSTANT):
            raise _Unknown
        singular = [(s, c) for s, c in e.terms.items() if s < _CONSTANT]
        small = {s: c for s, c in e.terms.items() if s > _CONSTANT}
        front, growth = _CONSTANT, []
        for scale, coefficient in singular:
            exact = self.form.canonical(coefficient) if scale == _LOGARITHM else None
            if isinstance(exact, Number):
                front = _Scale(-exact.value, Fraction(0))
            else:
                growth.append((scale, coefficient))
        constant = e.terms.get(_CONSTANT)
        factor = Function("exp", constant) if constant is not None else ONE
        coefficients = [Fraction(1)]
        for k in range(1, self.length):
            coefficients.append(coefficients[-1] / k)
        start = _Expansion({front: factor}, None, self._growth(growth))
        return self.product(start, self._series(coefficients, _Expansion(small, e.rest)))

    def _series(self, coefficients: list[Fraction], small: _Expansion) -> _Expansion:
        """``Σ c_k small^k`` with a bound for the rest of the series, ``small`` tending to 0."""
        first = small.first
        result = self._exact({_CONSTANT: number(coefficients[0])})
        if first is None:
            return result
        if first <= _CONSTANT:
            raise _Unknown
        power = self._exact({_CONSTANT: ONE})
        for coefficient in coefficients[1:]:
            power = self.product(power, small)
            result = self._plus(result, self._scaled(power, number(coefficient)))
        return self._cut(_Expansion(result.terms, _least(result.rest, first.raised(len(coefficients)))))

    def _relative(self, e: _Expansion, scale: _Scale, leading: Term) -> _Expansion:
        """``e/(c · scale) − 1``."""
        inverse = _Scale(-scale.a, -scale.b)
        under = Power(leading, Fraction(-1))
        terms = {s.times(inverse): multiply(c, under) for s, c in e.terms.items() if s != scale}
        return self._cut(_Expansion(terms, e.rest.times(inverse) if e.rest is not None else None))

    # -- what leads -----------------------------------------------------------------------------------------------

    def _leading(self, e: _Expansion) -> tuple[_Scale, Term, int]:
        """The first scale, its coefficient and the sign of it, proved for all parameters."""
        scale = min(e.terms, default=None)
        if scale is None or (e.rest is not None and e.rest <= scale):
            raise _Unknown
        signs = self.form.signs(e.terms[scale])
        if signs not in (POSITIVE, NEGATIVE):
            raise _Unknown
        return scale, e.terms[scale], next(iter(signs))

    def _grows(self, growth: tuple[tuple[_Scale, Term], ...]) -> int:
        """1 where the exponent goes to ∞ faster than any multiple of L, −1 where to −∞, 0 where there is none."""
        if not growth:
            return 0
        scale, _, sign = self._leading(_Expansion(dict(growth)))
        if scale >= _LOGARITHM:
            raise _Unknown
        return sign

    def _growth(self, parts: list[tuple[_Scale, Term]]) -> tuple[tuple[_Scale, Term], ...]:
        """An exponent with each scale once, in order."""
        if len(parts) > _MOST_TERMS:
            raise _Unknown
        terms: dict[_Scale, list[Term]] = {}
        for scale, coefficient in parts:
            terms.setdefault(scale, []).append(coefficient)
        return tuple(sorted(self._cut(_Expansion({s: add(*cs) for s, cs in terms.items()})).terms.items()))

    def _exact(self, terms: _Terms) -> _Expansion:
        return self._cut(_Expansion(terms))

    def _scaled(self, e: _Expansion, factor: Term) -> _Expansion:
        return self._cut(_Expansion({s: multiply(factor, c) for s, c in e.terms.items()}, e.rest, e.growth))

    def _cut(self, e: _Expansion) -> _Expansion:
        """Without what is 0, what the rest covers anyway, and what is too much."""
        terms: dict[_Scale, Term] = {}
        rest = e.rest
        for scale in sorted(e.terms):
            if rest is not None and scale >= rest:
                break
            if len(terms) == _MOST_TERMS:
                rest = scale
                break
            coefficient = self.form.canonical(e.terms[scale])
            if not self.form.vanishes(coefficient):
                terms[scale] = coefficient
        return _Expansion(terms, rest, e.growth)


def _least(one: _Scale | None, other: _Scale | None) -> _Scale | None:
    return min((s for s in (one, other) if s is not None), default=None)


def _bounded(exponent: int) -> int:
    if exponent > _MOST_TERMS:
        raise _Unknown
    return exponent
