"""Terms written with Python's operators, for tests of engines that share nothing with SymPy."""

from __future__ import annotations

from fractions import Fraction
from itertools import count

from grpo_symbolic.terms import language as la
from grpo_symbolic.terms.language import Compare, Formula, Sort, Term, Variable

_LETTERS = count(1)


class W:
    """A term with operators."""

    def __init__(self, term: Term) -> None:
        self.term = term

    def __add__(self, other: W | int | Fraction) -> W:
        return W(la.Add((self.term, of(other))))

    def __radd__(self, other: int | Fraction) -> W:
        return W(la.Add((of(other), self.term)))

    def __sub__(self, other: W | int | Fraction) -> W:
        return W(la.subtract(self.term, of(other)))

    def __rsub__(self, other: int | Fraction) -> W:
        return W(la.subtract(of(other), self.term))

    def __neg__(self) -> W:
        return W(la.negative(self.term))

    def __mul__(self, other: W | int | Fraction) -> W:
        return W(la.Multiply((self.term, of(other))))

    def __rmul__(self, other: int | Fraction) -> W:
        return W(la.Multiply((of(other), self.term)))

    def __truediv__(self, other: W | int | Fraction) -> W:
        return W(la.Multiply((self.term, la.Power(of(other), Fraction(-1)))))

    def __rtruediv__(self, other: int | Fraction) -> W:
        return W(la.Multiply((of(other), la.Power(self.term, Fraction(-1)))))

    def __pow__(self, other: W | int | Fraction) -> W:
        exponent = of(other)
        if isinstance(exponent, la.Number):
            return W(la.Power(self.term, exponent.value))
        return W(la.GeneralPower(self.term, exponent))

    def __lt__(self, other: W | int | Fraction) -> Formula:
        return Compare("<", self.term, of(other))

    def __le__(self, other: W | int | Fraction) -> Formula:
        return Compare("<=", self.term, of(other))

    def __gt__(self, other: W | int | Fraction) -> Formula:
        return Compare("<", of(other), self.term)

    def __ge__(self, other: W | int | Fraction) -> Formula:
        return Compare("<=", of(other), self.term)

    def equals(self, other: W | int | Fraction) -> Formula:
        return Compare("==", self.term, of(other))

    def differs(self, other: W | int | Fraction) -> Formula:
        return Compare("!=", self.term, of(other))


def of(value: W | int | Fraction) -> Term:
    """The term that is meant."""
    return value.term if isinstance(value, W) else la.number(value)


def reals(names: str) -> list[W]:
    return [W(Variable(name, Sort.real)) for name in names.split()]


def wholes(names: str) -> list[W]:
    return [W(Variable(name, Sort.whole)) for name in names.split()]


def variable(written: W) -> Variable:
    assert isinstance(written.term, Variable)
    return written.term


def entry(family: str, index: W | int) -> W:
    return W(la.Entry(family, of(index)))


def _function(name: str, argument: W | int | Fraction) -> W:
    return W(la.Function(name, of(argument)))


def exp(argument: W | int | Fraction) -> W:
    return _function("exp", argument)


def log(argument: W | int | Fraction) -> W:
    return _function("log", argument)


def cosh(argument: W) -> W:
    return _function("cosh", argument)


def sinh(argument: W) -> W:
    return _function("sinh", argument)


def tanh(argument: W) -> W:
    return _function("tanh", argument)


def magnitude(argument: W) -> W:
    return _function("abs", argument)


def sign(argument: W) -> W:
    return _function("sign", argument)


def sqrt(argument: W | int) -> W:
    return W(la.Power(of(argument), Fraction(1, 2)))


def greatest(*terms: W | int) -> W:
    return W(la.Extremum(True, tuple(map(of, terms))))


def least(*terms: W | int) -> W:
    return W(la.Extremum(False, tuple(map(of, terms))))


def cases(*cases: tuple[Formula, W | int], default: W | int) -> W:
    return W(la.Cases(tuple((condition, of(value)) for condition, value in cases), of(default)))


def delta(left: W, right: W | int) -> W:
    return W(la.Delta(left.term, of(right)))


def total(low: W | int, high: W | int, body, product: bool = False) -> W:  # type: ignore[no-untyped-def]
    """The sum of ``body(index)``."""
    index = W(Variable(f"j{next(_LETTERS)}", Sort.whole))
    return W(la.total(product, of(low), of(high), variable(index), of(body(index))))


def product(low: W | int, high: W | int, body) -> W:  # type: ignore[no-untyped-def]
    return total(low, high, body, product=True)
