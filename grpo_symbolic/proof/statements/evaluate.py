"""Evaluating terms at exact points, in either arithmetic: each distinct part of a term once.

A point maps variables to numbers and the names of families to lists of them. A number is a fraction, a closed term, or
already a value of the arithmetic. :func:`evaluate` and :func:`truth` also take SymPy, with points whose keys are
symbols; both are read first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.proof.statements.arithmetic import (
    ARB,
    DIGITS,
    FINE,
    MPMATH,
    SERIES,
    Arithmetic,
    Undefined,
    Unsupported,
    flint,
)
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms import kleene
from grpo_symbolic.terms.derivatives import depends, derivative
from grpo_symbolic.terms.language import (
    COMPARED,
    ZERO,
    Add,
    Bound,
    Cases,
    Compare,
    Constant,
    Delta,
    Derivative,
    Entry,
    Extremum,
    Formula,
    Function,
    GeneralPower,
    Multiply,
    Node,
    Number,
    Power,
    Term,
    Total,
    Variable,
)
from grpo_symbolic.terms.reading import Reading

Values = Mapping[Any, Any]  # Variable -> number, name of a family -> list of numbers


class _Evaluation:
    """The values of terms at one point; what does not depend on a bound index is found once."""

    def __init__(self, point: Values, field: Arithmetic) -> None:
        self.point, self.field = point, field
        self.known: dict[Node, Any] = {}
        self.bound: dict[int, int] = {}
        self.counts: dict[Node, bool] = {}  # of exponents: whether they are whole numbers by what the point gives

    def term(self, node: Term) -> Any:
        if node.loose:
            return _VALUES[type(node)](self, node)
        value = self.known.get(node)
        if value is None:
            value = self.known[node] = _VALUES[type(node)](self, node)
        return value

    def finite(self, value: Any, what: str) -> Any:
        """``value``, unless it is infinite, no number or not real: 1/log 0 and |√−1| are as undefined as log 0."""
        if not self.field.finite(value):
            raise Undefined(f"{what} has no finite real value there")
        return value

    def given(self, value: Any) -> Any:
        """A number of the point in the arithmetic."""
        if isinstance(value, Fraction | int):
            return self.field.number(value)
        return self.term(value) if isinstance(value, Term) else value

    # -- terms ----------------------------------------------------------------------------------------------------

    def number(self, node: Number) -> Any:
        return self.field.number(node.value)

    def constant(self, node: Constant) -> Any:
        return self.field.constant(node.name)

    def variable(self, node: Variable) -> Any:
        if node not in self.point:
            raise Unsupported(f"the point gives no value to {node.name}")
        return self.given(self.point[node])

    def index(self, node: Bound) -> Any:
        return self.field.count(self.bound[node.number])

    def entry(self, node: Entry) -> Any:
        values, index = self.point.get(node.family), self.whole(node.index)
        if values is None:
            raise Unsupported(f"the point gives no values to the family {node.family}")
        if not 1 <= index <= len(values):
            raise Unsupported(f"the point gives no entry {index} to the family {node.family}")
        return self.given(values[index - 1])

    def add(self, node: Add) -> Any:
        values = iter(node.terms)
        result = self.term(next(values))
        for term in values:
            result = result + self.term(term)
        return result

    def multiply(self, node: Multiply) -> Any:
        values = iter(node.factors)
        result = self.term(next(values))
        for factor in values:
            result = result * self.term(factor)
        return result

    def power(self, node: Power) -> Any:
        base = self.term(node.base)
        if node.exponent < 0 and self.field.may_vanish(base):
            raise Undefined("a denominator vanishes there")
        return self.finite(self.field.power(base, node.exponent), "a power")

    def general_power(self, node: GeneralPower) -> Any:
        base = self.term(node.base)
        counted = self.counts.get(node.exponent)
        if counted is None:
            counted = self.counts[node.exponent] = node.exponent.is_whole and all(
                isinstance(self.point.get(v), Fraction | int | Number) for v in node.exponent.variables
            )
        if counted:
            exponent = self.whole(node.exponent)
            if exponent < 0 and self.field.may_vanish(base):
                raise Undefined("a denominator vanishes there")
            return self.finite(self.field.whole_power(base, exponent), "a power")
        exponent, zero = self.term(node.exponent), self.field.number(Fraction(0))
        if not node.exponent.is_whole and self.field.less(zero, base, strict=True) is not True:
            raise Undefined("a power with any real exponent has a value for what is positive only")
        return self.finite(self.field.power(base, exponent), "a power")

    def function(self, node: Function) -> Any:
        compute = self.field.functions.get(node.name)
        if compute is None:
            raise Unsupported(f"{node.name} cannot be evaluated in {self.field.name}")
        return self.finite(compute(self.term(node.argument)), node.name)

    def extremum(self, node: Extremum) -> Any:
        if self.field is SERIES:
            raise Unsupported("a maximum is not differentiated numerically")
        values = [self.term(t) for t in node.terms]
        if self.field is not ARB:
            return max(values) if node.greatest else min(values)
        result = values[0]
        for v in values[1:]:
            result = result.max(v) if node.greatest else result.min(v)
        return result

    def cases(self, node: Cases) -> Any:
        for condition, value in node.cases:
            decided = self.formula(condition)
            if decided is None:
                raise Undefined("the arithmetic cannot tell which case holds")
            if decided:
                return self.term(value)
        return self.term(node.default)

    def delta(self, node: Delta) -> Any:
        return self.field.number(Fraction(int(self.whole(node.left) == self.whole(node.right))))

    def total(self, node: Total) -> Any:
        # a binomial coefficient, in every term of a sum and at many points: its value hangs on whole numbers alone
        if node.product and self.field.lasting and not node.families:
            places = _places(node)
            counts = tuple(self.point.get(v) for v in places.variables)
            if places.whole and all(type(count) is Fraction for count in counts):
                indices = tuple(self.bound[number] for number in places.indices)
                return _of_counts(node, self.field, self.field.precision, counts, indices)
        return self.added(node, self.field.number(Fraction(int(node.product))), self.term)

    def added(self, node: Total, result: Any, value_of: Callable[[Term], Any]) -> Any:
        """A sum, or a product, of the values of its body."""
        first, last = self.whole(node.low), self.whole(node.high)
        if last < first - 1:
            raise Unsupported("the range of a sum is reversed there")
        outer = self.bound
        try:
            for index in range(first, last + 1):
                self.bound = {**outer, node.number: index}
                value = value_of(node.body)
                result = result * value if node.product else result + value
        finally:
            self.bound = outer
        return result

    def derivative(self, node: Derivative) -> Any:
        """From Taylor coefficients, or by differences, and not by the rules that are being checked; an entry of a
        family, and what those cannot do, by the rules.
        """
        if node.order > 2 or self.field is SERIES or isinstance(node.along, Entry) or node.body.has(Derivative):
            if self.field is not SERIES:
                self.moves_smoothly(node.body, node.along)
            return self.term(derivative(node.body, node.along, node.order))
        if self.field is ARB:
            SERIES.order = node.order
            at = flint.arb_series([self.term(node.along), 1], prec=node.order + 1)
            value = _Evaluation({**self.point, node.along: at}, SERIES)
            value.bound = self.bound
            return self.finite(value.term(node.body)[node.order] * node.order, "a derivative")
        at = FINE.context.mpf(_Evaluation(self.point, FINE).term(node.along))

        def body(value: Any) -> Any:
            inner = _Evaluation({**self.point, node.along: value}, FINE)
            inner.bound = self.bound
            return inner.term(node.body)

        step = FINE.context.mpf(10) ** (-DIGITS)
        return MPMATH.context.mpf(FINE.context.diff(body, at, node.order, h=step, relative=False))

    def moves_smoothly(self, node: Node, along: Variable | Entry) -> None:
        """Refuse a root or a power that is not off zero where it moves: the rules would write a derivative out that has
        a value where the function has none on one side.
        """
        if not depends(node, along):
            return
        match node:
            case Power(base, exponent) if exponent.denominator == 1:
                pass
            case Power(base, _) | GeneralPower(base, _):
                if self.formula(Compare("<", ZERO, base)) is not True:
                    raise Undefined("a root has no derivative there")
            case Total():
                outer = self.bound
                for index in range(self.whole(node.low), self.whole(node.high) + 1):
                    self.bound = {**outer, node.number: index}
                    self.moves_smoothly(node.body, along)
                self.bound = outer
                return
        for part in node.children:
            self.moves_smoothly(part, along)

    # -- whole numbers --------------------------------------------------------------------------------------------

    def whole(self, node: Term) -> int:
        """The exact value of an index, a size or an end of a sum."""
        match node:
            case Bound(number):
                return self.bound[number]
            case Variable():
                given = self.point.get(node)
                if type(given) is Fraction and given.denominator == 1:
                    return given.numerator
            case Add(terms) if node.is_whole:
                return sum(map(self.whole, terms))
            case Multiply(factors) if node.is_whole:
                return math.prod(map(self.whole, factors))
        value = self.exact(node)
        if value.denominator != 1:
            raise Unsupported(f"{value} stands there in place of a whole number")
        return value.numerator

    def exact(self, node: Term) -> Fraction:
        """The value of a term of fractions alone, with log 1 = 0 and exp 0 = 1 among them."""
        match node:
            case Number(value):
                return value
            case Bound(number):
                return Fraction(self.bound[number])
            case Variable():
                given = self.point.get(node)
                if isinstance(given, Fraction | int):
                    return Fraction(given)
                if isinstance(given, Number):
                    return given.value
                raise Unsupported(f"the point gives no whole number to {node.name}")
            case Add(terms):
                return sum(map(self.exact, terms), Fraction(0))
            case Multiply(factors):
                result = Fraction(1)
                for factor in factors:
                    result *= self.exact(factor)
                return result
            case Power(base, exponent) if exponent.denominator <= 2:
                value = self.exact(base) if exponent.denominator == 1 else _root(self.exact(base))
                return self.raised(value, exponent.numerator)
            case GeneralPower(base, power) if power.is_whole:
                return self.raised(self.exact(base), self.whole(power))
            case Entry(family, index):
                values, place = self.point.get(family, ()), self.whole(index)
                if 1 <= place <= len(values) and isinstance(values[place - 1], Fraction):
                    return values[place - 1]
                raise Unsupported(f"the point gives no fraction to the entry {place} of {family}")
            case Total():
                return self.added(node, Fraction(int(node.product)), self.exact)
            case Function("log", argument) if self.exact(argument) == 1:
                return Fraction(0)
            case Function("exp", argument) if self.exact(argument) == 0:
                return Fraction(1)
        raise Unsupported(f"{type(node).__name__} is not evaluated as a whole number")

    @staticmethod
    def raised(base: Fraction, exponent: int) -> Fraction:
        if exponent < 0 and not base:
            raise Undefined("a denominator vanishes there")
        return Fraction(base**exponent)

    # -- formulas -------------------------------------------------------------------------------------------------

    def formula(self, node: Formula) -> bool | None:
        match node:
            case Compare(relation, left, right):
                return self.compared(relation, left, right)
            case Formula():
                return kleene.joined(node, self.formula)
        raise Unsupported(f"{type(node).__name__} is not a formula")

    def compared(self, relation: str, left: Term, right: Term) -> bool | None:
        first, second = self.fraction(left), self.fraction(right)
        if first is not None and second is not None:
            return COMPARED[relation](first, second)
        a = self.finite(self.term(left), "the left side")
        b = self.finite(self.term(right), "the right side")
        if relation in ("==", "!="):
            same = self.field.equal(a, b)
            decided = None if same is None else same is (relation == "==")
        else:
            decided = self.field.less(a, b, strict=relation == "<")
        return self.exactly(relation, left, right) if decided is None else decided

    def fraction(self, node: Term) -> Fraction | None:
        """What a number or a variable is, where that is a fraction."""
        if isinstance(node, Number):
            return node.value
        value = self.point.get(node) if isinstance(node, Variable) else None
        return value if type(value) is Fraction else None

    def exactly(self, relation: str, left: Term, right: Term) -> bool | None:
        """Fractions compared, where both sides are: on a diagonal they are often equal."""
        try:
            a, b = self.exact(left), self.exact(right)
        except (Undefined, Unsupported):
            return None
        return COMPARED[relation](a, b)


class _Places(NamedTuple):
    """What the value of a product hangs on: variables, and whether all of them are whole; indices bound outside."""

    variables: tuple[Variable, ...]
    whole: bool
    indices: tuple[int, ...]


@lru_cache(maxsize=4096)
def _places(node: Total) -> _Places:
    variables = tuple(sorted(node.variables, key=lambda v: v.name))
    return _Places(variables, all(v.is_whole for v in variables), tuple(sorted(node.loose)))


@lru_cache(maxsize=16384)
def _of_counts(
    node: Total, field: Arithmetic, precision: int, counts: tuple[Fraction, ...], indices: tuple[int, ...]
) -> Any:
    """The value of a product that hangs on whole numbers alone, in this precision."""
    places = _places(node)
    evaluation = _Evaluation(dict(zip(places.variables, counts, strict=True)), field)
    evaluation.bound = dict(zip(places.indices, indices, strict=True))
    return evaluation.added(node, field.count(1), evaluation.term)


def _root(value: Fraction) -> Fraction:
    """The square root of a fraction that has one among the fractions."""
    if value >= 0:
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if (above**2, below**2) == (value.numerator, value.denominator):
            return Fraction(above, below)
    raise Unsupported(f"the root of {value} is no fraction")


_VALUES: dict[type, Callable[[_Evaluation, Any], Any]] = {
    Number: _Evaluation.number,
    Constant: _Evaluation.constant,
    Variable: _Evaluation.variable,
    Bound: _Evaluation.index,
    Entry: _Evaluation.entry,
    Add: _Evaluation.add,
    Multiply: _Evaluation.multiply,
    Power: _Evaluation.power,
    GeneralPower: _Evaluation.general_power,
    Function: _Evaluation.function,
    Extremum: _Evaluation.extremum,
    Cases: _Evaluation.cases,
    Delta: _Evaluation.delta,
    Total: _Evaluation.total,
    Derivative: _Evaluation.derivative,
}


def value_at(term: Term, point: Values, field: Arithmetic) -> Any:
    """The value of a term; raises :class:`Undefined` or :class:`Unsupported`."""
    field.begin()
    evaluation = _Evaluation(point, field)
    return evaluation.finite(evaluation.term(term), "the term")


def holds_at(formula: Formula, point: Values, field: Arithmetic) -> bool | None:
    """Whether a formula holds at a point; ``None`` where the arithmetic cannot tell."""
    field.begin()
    return _Evaluation(point, field).formula(formula)


def satisfies(point: Values, formulas: Iterable[Formula], field: Arithmetic) -> bool:
    """Whether all formulas are seen to hold at a point, whose numbers are seen to have a value."""
    field.begin()
    evaluation = _Evaluation(point, field)
    numbers = (v for v in point.values() if isinstance(v, Term))
    try:
        held = all(evaluation.formula(f) is True for f in formulas)
        return held and all(evaluation.finite(evaluation.term(n), "the term") is not None for n in numbers)
    except Undefined:
        return False


def rational(term: Term, point: Values) -> Fraction | None:
    """The exact value of a term of fractions alone; ``None`` where it is none, or has none."""
    try:
        return _Evaluation(point, MPMATH).exact(term)
    except (Undefined, Unsupported):
        return None


# -- SymPy as input ---------------------------------------------------------------------------------------------------


def values_of(point: Mapping[sp.Expr, Scalar | Term | Sequence[Scalar | Term]], reading: Reading) -> Values:
    """A point whose keys are SymPy symbols (families by the symbol of their base) as a point of terms."""
    return {_key(key, value, reading): _value(value, reading) for key, value in point.items()}


def _key(key: sp.Symbol | Variable, value: Any, reading: Reading) -> Variable | str:
    if isinstance(value, list | tuple):
        return str(key)
    return key if isinstance(key, Variable) else reading.variable(key)


def _value(value: Any, reading: Reading) -> Any:
    if isinstance(value, list | tuple):
        return [_value(v, reading) for v in value]
    if not isinstance(value, sp.Basic):
        return value
    read = reading.term(value)
    return read.value if isinstance(read, Number) else read


def evaluate(
    expression: Scalar, point: Mapping[sp.Expr, Scalar | Term | Sequence[Scalar | Term]], field: Arithmetic
) -> Any:
    """The value of a SymPy expression at a point; raises :class:`Undefined`, :class:`Unsupported`, or
    :class:`ReadingError` for what has no term.
    """
    reading = Reading()
    return value_at(reading.term(expression), values_of(point, reading), field)


def truth(
    formula: sp.logic.boolalg.Boolean,
    point: Mapping[sp.Expr, Scalar | Term | Sequence[Scalar | Term]],
    field: Arithmetic,
) -> bool | None:
    """Whether a Boolean combination of SymPy relations holds at a point; ``None`` when the arithmetic cannot tell."""
    reading = Reading()
    return holds_at(reading.formula(formula), values_of(point, reading), field)
