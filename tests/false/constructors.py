"""What SymPy decides while an expression is built: collapsed comparisons, cases without a default, complex values."""

from __future__ import annotations

from sympy import nan, zoo

from grpo_symbolic.paper import *

from . import false, true

LINE = Domain(x)

# -- comparisons that have become True before anybody asked whether the sides have values
false("an inverse is not nought", "1/0 has no value", lambda: (LINE, Always(Ne(1 / x, 0))))
false(
    "a condition that has collapsed", "1/0 has no value", lambda: (LINE, When(Ne(1 / x, 0), Always(Or(x > 0, x < 0))))
)
false(
    "one part that has collapsed",
    "1/0 has no value",
    lambda: (LINE, Every(Always(Ne(1 / x, 0)), Always(x**2 + x + 1 > 0))),
)
false(
    "a square of an inverse is at least nought",
    "1/0 has no value",
    lambda: (LINE, Always(Ge(Abs(1 / x), 0, evaluate=False))),
)
false(
    "an inequality between equal logarithms",
    "log(−1) has no value",
    lambda: (LINE, Always(Ge(log(x) ** 2, log(x) ** 2, evaluate=False))),
)

# -- cases without a default
false(
    "half a distinction",
    "at x = −1 no case applies",
    lambda: (LINE, Equal(Piecewise((1, x > 0)), Piecewise((1, x > 0)))),
)
false(
    "two cases that leave a point out",
    "at x = 0 no case applies",
    lambda: (LINE, Equal((_sides() - 1) * (_sides() + 1), _sides() ** 2 - 1)),
)
false(
    "half a distinction is positive",
    "at x = −1 no case applies",
    lambda: (LINE, Always(Piecewise((1 + x**2, x > 0)) > 0)),
)
false(
    "half a distinction in a domain",
    "at x = −1 the condition has no value",
    lambda: (Domain(Piecewise((x, x > 0), evaluate=False) > -1), Always(x > -1)),
)
false(
    "a case with a pole of its own",
    "at x = 1 the first case has no value",
    lambda: (
        LINE,
        Equal(
            (Piecewise((1 / (x - 1), x > 0), (0, True)) + 1) ** 2,
            Piecewise((1 / (x - 1), x > 0), (0, True)) ** 2 + 2 * Piecewise((1 / (x - 1), x > 0), (0, True)) + 1,
        ),
    ),
)
false(
    "a case whose condition has no value",
    "at x = −1 nobody can say whether log x > 0",
    lambda: (LINE, Equal((_by_logarithm() + 1) ** 2, _by_logarithm() ** 2 + 2 * _by_logarithm() + 1)),
)

# -- poles that a normal form would cancel
false("a cancelled factor", "at x = 1 the left side has no value", lambda: (LINE, Equal((x**2 - 1) / (x - 1), x + 1)))
false(
    "a cancelled root",
    "at x = −1 the left side has no value",
    lambda: (LINE, Equal((sqrt(x) - 1) * (sqrt(x) + 1), x - 1)),
)
false(
    "a cancelled logarithm",
    "at x = −1 neither side has a value",
    lambda: (LINE, Equal(log(x) * 2 + 1, (log(x) ** 2 * 2 + log(x)) / log(x))),
)
false(
    "an inverse of an inverse that stayed",
    "at x = 0 the inner quotient has no value",
    lambda: (LINE, Equal(1 / (1 + 1 / x), x / (x + 1))),
)
false(
    "nought to the power nought",
    "0ʸ has no value at y = 0 here, and 0⁻¹ none at all",
    lambda: (Domain(y), Equal((Integer(0) ** y + 1) ** 2, Integer(0) ** (2 * y) + 2 * Integer(0) ** y + 1)),
)
false(
    "a power of a negative number",
    "(−1)^(1/2) has no value",
    lambda: (Domain(x, y), Equal((x**y + 1) ** 2, x ** (2 * y) + 2 * x**y + 1)),
)
false(
    "a power of what may be nought",
    "0⁻¹ has no value",
    lambda: (Domain(x >= 0, y), Equal((x**y + 1) * (x**y - 1), x ** (2 * y) - 1)),
)
false(
    "a product of roots",
    "at x = y = −1 neither root on the right has a value",
    lambda: (Domain(x * y > 0), Equal(sqrt(x * y), sqrt(x) * sqrt(y))),
)
false("a quotient of roots", "at x = y = −1", lambda: (Domain(x / y > 0), Always(sqrt(x / y) * sqrt(y) >= sqrt(x))))

# -- numbers that are not real
false(
    "the root of minus four", "it has no real value", lambda: (LINE, Equal((sqrt(-4) + x) * (sqrt(-4) - x), -4 - x**2))
)
false(
    "a power of minus one",
    "(−1)^(1/3) has no real value",
    lambda: (
        LINE,
        Equal(
            (x + Integer(-1) ** Rational(1, 3)) ** 2,
            x**2 + 2 * x * Integer(-1) ** Rational(1, 3) + Integer(-1) ** Rational(2, 3),
        ),
    ),
)
false("an infinite number", "∞ is no number", lambda: (LINE, Equal(Max(x, oo), oo)))
false("what is not a number", "it has no value", lambda: (LINE, Equal(nan, nan)))
false("complex infinity", "it is no number", lambda: (LINE, Equal(zoo, zoo)))
false("every number is finite", "∞ is no number to compare with", lambda: (LINE, Always(Lt(x, oo, evaluate=False))))

# -- plainly wrong
false("an absolute value without a sign", "at x = −1", lambda: (LINE, Equal(Abs(x), x)))
false("a root of a square", "at x = 1/2", lambda: (Domain(0 < x, x < 1), Equal(sqrt((x - 1) ** 2), x - 1)))
false("a strict square", "at x = 1", lambda: (LINE, Always((x - 1) ** 2 > 0)))
false("a maximum's wrong branch", "at x = −1", lambda: (LINE, Equal(Max(x, 0), x)))
false("the logarithm of a sum", "at x = y = 1", lambda: (Domain(x > 0, y > 0), Equal(log(x + y), log(x) + log(y))))
false("the exponential of a sum", "at x = y = 0", lambda: (Domain(x, y), Equal(exp(x + y), exp(x) + exp(y))))
false(
    "a curvature with a pole",
    "at x = 0 the inverse has no value",
    lambda: (Domain(-1 < x, x < 1), Curved((x**2 + x**3) / x, x)),
)
false(
    "a slope with a pole",
    "at x = 1/2 there is no value",
    lambda: (Domain(0 < p, p < 1), Monotone((2 * p**2 + p - 1) / (2 * p - 1), p)),
)


def _by_logarithm():
    return Piecewise((x, log(x) > 0), (2 * x, True))


def _sides():
    return Piecewise((1, x > 0), (-1, x < 0))


true("an inverse that is not nought, where it has a value", lambda: (Domain(x > 0), Always(1 / x > 0)))
true("a cancelled factor beside its pole", lambda: (Domain(x > 1), Equal((x**2 - 1) / (x - 1), x + 1)))
true("both halves of a distinction", lambda: (Domain(x > 0), Equal(Piecewise((x, x > 0), (-x, True)), x)))
true("a product of roots of positive numbers", lambda: (Domain(x > 0, y > 0), Equal(sqrt(x * y), sqrt(x) * sqrt(y))))
true("a power of a positive number", lambda: (Domain(x > 0, y), Equal((x**y + 1) * (x**y - 1), x ** (2 * y) - 1)))
true("an absolute logarithm where it has a value", lambda: (Domain(x > 1), Always(x - 1 >= 0)))
