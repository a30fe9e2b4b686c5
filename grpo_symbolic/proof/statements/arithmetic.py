"""Two arithmetics for one traversal: numbers, elementary functions, and comparisons that may be left open.

``ARB`` is ball arithmetic (python-flint): every result encloses the true value, and a relation is true or false only
when the balls prove it. ``MPMATH`` is ordinary multi-precision arithmetic: independent code, no enclosure, used for
sampling. ``SERIES`` has Taylor polynomials of balls, for derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, TypeVar

import mpmath

try:
    import flint
except ModuleNotFoundError:  # sweeps and solvers run on a machine with nothing but SymPy and array libraries
    flint = None

if TYPE_CHECKING:
    import sympy as sp

V = TypeVar("V")  # a value of an arithmetic
DIGITS = 60  # working precision of both arithmetics, in decimal digits
BITS = 220  # which are those digits, and some to spare
_bits = BITS


class Unsupported(TypeError):
    """The expression holds something that the arithmetic cannot evaluate."""


class Undefined(ArithmeticError):
    """The expression has no (finite) value at the point."""


class Arithmetic(Generic[V]):
    """What a traversal needs: numbers, elementary functions and three-valued comparisons."""

    functions: dict[str, Callable[[V], V]]
    name: str
    lasting = False  # whether a value may serve at another point

    @property
    def precision(self) -> int:
        """The working precision, in bits; of no account where no value lasts."""
        return 0

    def begin(self) -> None:
        """Set the working precision, before a formula is evaluated."""

    def number(self, value: Fraction | int | sp.Rational) -> V:
        """A rational number, of Python or of SymPy, as a value."""
        raise NotImplementedError

    def count(self, value: int) -> V:
        """A whole number as a value."""
        return self.number(value)

    def constant(self, name: str) -> V:
        """π ("pi") or e ("e")."""
        raise NotImplementedError

    def power(self, base: V, exponent: V | Fraction) -> V:
        """A power; its exponent is a fraction or a value of the arithmetic."""
        raise NotImplementedError

    def whole_power(self, base: V, exponent: int) -> V:
        return self.power(base, Fraction(exponent))

    def less(self, a: V, b: V, strict: bool) -> bool | None:
        raise NotImplementedError

    def equal(self, a: V, b: V) -> bool | None:
        raise NotImplementedError

    def may_vanish(self, a: V) -> bool:
        return self.equal(a, self.number(Fraction(0))) is not False

    def finite(self, value: V) -> bool:
        raise NotImplementedError


class _Arb(Arithmetic["flint.arb"]):
    name = "Arb"
    lasting = True

    @property
    def precision(self) -> int:
        return _bits

    def __init__(self) -> None:
        self.functions = {
            "exp": lambda a: a.exp(),
            "log": lambda a: a.log(),
            "sinh": lambda a: a.sinh(),
            "cosh": lambda a: a.cosh(),
            "tanh": lambda a: a.tanh(),
            "abs": abs,
            "sign": self._sign,
        }

    def _sign(self, a: flint.arb) -> flint.arb:
        if a > 0 or a < 0:
            return flint.arb(1 if a > 0 else -1)
        return flint.arb(0) if a.is_zero() else flint.arb(0, 1)

    def begin(self) -> None:
        if flint is None:
            raise Unsupported("ball arithmetic needs python-flint, which is not installed")
        flint.ctx.prec = _bits

    def number(self, value: Fraction | int | sp.Rational) -> flint.arb:
        self.begin()
        return _ball(value.numerator, value.denominator, _bits)

    def count(self, value: int) -> flint.arb:
        return flint.arb(value)

    def constant(self, name: str) -> flint.arb:
        return flint.arb.pi() if name == "pi" else flint.arb(1).exp()

    def may_vanish(self, a: flint.arb) -> bool:
        return bool(a.contains(0))

    def power(self, base: flint.arb, exponent: flint.arb | Fraction) -> flint.arb:
        if not isinstance(exponent, Fraction):
            return base**exponent
        if exponent.denominator <= 2:
            return _whole_power(base if exponent.denominator == 1 else base.sqrt(), exponent.numerator)
        return base ** self.number(exponent)

    def whole_power(self, base: flint.arb, exponent: int) -> flint.arb:
        return _whole_power(base, exponent)

    def less(self, a: flint.arb, b: flint.arb, strict: bool) -> bool | None:
        if (a < b) if strict else (a <= b):
            return True
        return False if ((b <= a) if strict else (b < a)) else None

    def equal(self, a: flint.arb, b: flint.arb) -> bool | None:
        if not a.overlaps(b):
            return False
        return True if a.is_exact() and b.is_exact() and a == b else None

    def finite(self, value: flint.arb) -> bool:
        return value.is_finite()


@lru_cache(maxsize=4096)  # a fraction takes long to hash
def _ball(numerator: int, denominator: int, bits: int) -> flint.arb:
    """A rational number as a ball of so many bits, which are the working precision."""
    return flint.arb(flint.fmpq(int(numerator), int(denominator)))


def _whole_power(base: flint.arb, exponent: int) -> flint.arb:
    """By products: python-flint's own power of a ball around zero is no number."""
    if exponent < 0:
        return 1 / _whole_power(base, -exponent)
    result, factor = flint.arb(1), abs(base) if exponent % 2 == 0 else base
    while exponent:
        if exponent % 2:
            result = result * factor
        exponent //= 2
        factor = factor * factor if exponent else factor
    return result


class _Mpmath(Arithmetic[mpmath.mpf]):
    name = "mpmath"
    lasting = True

    @property
    def precision(self) -> int:
        return int(self.context.prec)

    def __init__(self, digits: int = DIGITS) -> None:
        self.context = mpmath.MPContext()  # its own, whose precision nobody else changes
        self.context.dps = digits
        self.tolerance = self.context.mpf(10) ** -40  # far above rounding at 60 digits, far below any real violation
        self.functions = {
            "exp": self.context.exp,
            "log": self.context.log,
            "sinh": self.context.sinh,
            "cosh": self.context.cosh,
            "tanh": self.context.tanh,
            "abs": abs,
            "sign": self.context.sign,
        }

    def number(self, value: Fraction | int | sp.Rational) -> mpmath.mpf:
        return _float(self, value.numerator, value.denominator)

    def constant(self, name: str) -> mpmath.mpf:
        return self.context.convert(self.context.pi if name == "pi" else self.context.e)

    def power(self, base: mpmath.mpf, exponent: mpmath.mpf | Fraction) -> mpmath.mpf:
        if not isinstance(exponent, Fraction):
            return self.context.power(base, exponent)
        if exponent.denominator <= 2:
            return (base if exponent.denominator == 1 else self.context.sqrt(base)) ** exponent.numerator
        return self.context.power(base, self.number(exponent))

    def count(self, value: int) -> mpmath.mpf:
        return self.context.mpf(value)

    def whole_power(self, base: mpmath.mpf, exponent: int) -> mpmath.mpf:
        return base**exponent

    def less(self, a: mpmath.mpf, b: mpmath.mpf, strict: bool) -> bool | None:
        gap = (b - a) / (1 + abs(a) + abs(b))
        if abs(gap) <= self.tolerance:
            return None
        return gap > 0

    def equal(self, a: mpmath.mpf, b: mpmath.mpf) -> bool | None:
        return abs(a - b) <= self.tolerance * (1 + abs(a) + abs(b))

    def may_vanish(self, a: mpmath.mpf) -> bool:
        return abs(a) <= self.tolerance

    def finite(self, value: mpmath.mpf) -> bool:
        return bool(self.context.isfinite(value)) and not isinstance(value, self.context.mpc)


@lru_cache(maxsize=4096)
def _float(field: _Mpmath, numerator: int, denominator: int) -> mpmath.mpf:
    """A rational number in the working precision of a field."""
    return field.context.mpf(int(numerator)) / int(denominator)


class _Series(Arithmetic["flint.arb_series"]):
    """Taylor polynomials with balls for coefficients: derivatives at a point by rules that are not SymPy's."""

    name = "Arb series"

    def __init__(self) -> None:
        self.order = 1
        self.functions = {
            "exp": lambda a: a.exp(),
            "log": lambda a: a.log(),
            "sinh": lambda a: (a.exp() - (-a).exp()) / 2,
            "cosh": lambda a: (a.exp() + (-a).exp()) / 2,
        }

    def number(self, value: Fraction | int | sp.Rational) -> flint.arb_series:
        return flint.arb_series([ARB.number(value)], prec=self.order + 1)

    def constant(self, name: str) -> flint.arb_series:
        return flint.arb_series([ARB.constant(name)], prec=self.order + 1)

    def power(self, base: flint.arb_series, exponent: flint.arb_series | Fraction) -> flint.arb_series:
        if isinstance(exponent, Fraction) and exponent.denominator == 1:
            power = exponent.numerator
            return base**power if power >= 0 else self.number(Fraction(1)) / base**-power
        if not base[0] > 0:
            raise Undefined("a root or a power has no derivative there")
        return ((self.number(exponent) if isinstance(exponent, Fraction) else exponent) * base.log()).exp()

    def less(self, a: flint.arb_series, b: flint.arb_series, strict: bool) -> bool | None:
        # where they are equal one side of a case distinction is not enough
        return None if a[0].overlaps(b[0]) else bool(a[0] < b[0])

    def equal(self, a: flint.arb_series, b: flint.arb_series) -> bool | None:
        return None if a[0].overlaps(b[0]) else False

    def finite(self, value: flint.arb_series) -> bool:
        return all(value[k].is_finite() for k in range(self.order + 1))


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Ball arithmetic with so many bits; values made before keep what they have."""
    global _bits
    before, _bits = _bits, bits
    try:
        yield
    finally:
        _bits = before


ARB: Arithmetic = _Arb()
MPMATH = _Mpmath()
FINE = _Mpmath(3 * DIGITS)  # for differences, which lose two thirds of the digits
SERIES = _Series()
