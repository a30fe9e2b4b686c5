"""What a normal form may lose: divisors of sums without a term, indices after a new start, factors of absolute values;
and what is put in where nothing has a value there.
"""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false, true

half, rarely = Rational(1, 2), Rational(123457, 1000003)  # a number that no sample has
square = (n - 37) ** 2


def _at_one(said):
    """What is 0 but for one number, so that no sample refutes it."""
    return Equal(Piecewise((said, Eq(v, rarely)), (0, True)), 0)


# -- a divisor leaves a sum that may be empty -------------------------------------------
for name, on, said in (
    ("a sum of as many parts of 1", Domain(n >= 0), Equal(Sum(1 / square, (j, 1, square)), 1)),
    ("its logarithm", Domain(n >= 0), Equal(log(Sum(1 / square, (j, 1, square))), 0)),
    (
        "the exponential of a mean of logarithms",
        Domain(n >= 0),
        Equal(exp(Sum(log(square) / square, (j, 1, square))), square),
    ),
    (
        "a family's total under and over a sum",
        Domain(reals(P, n), n >= 1, Sum(P[o], (o, 1, n)) >= 0),
        Equal(Sum(P[o], (o, 1, n)) * Sum(1 / Sum(P[o_], (o_, 1, n)), (j, 1, square)), square),
    ),
):
    false(name, "for n = 37 the sum is empty", lambda on=on, said=said: (on, said))


# -- what was learnt of one index is not said of another -------------------------------------------
def _below(last, index):
    return Sum(x**index, (index, 1, last))


def _lengths():
    whole = n + k + 1
    sized = Sum(Abs(_below(whole - o, j) - x ** (whole - o)), (o, 1, whole))
    signed = Sum(_below(whole - o, j) - x ** (whole - o), (o, 1, whole))

    def shorter(by):
        return _below(whole - by - 1, o_)

    total = -Sum(sized - signed + shorter(i), (i, 1, n + 1)) + Sum(shorter(i), (i, 1, n)) + shorter(n + 1)
    return Domain(x > 0, n >= 1, k >= 1, v), _at_one(total)


false("sums in sums of many lengths", "for n = k = x = 1 it is −4 there", _lengths)

# -- |x − ½| is half of |2x − 1| -------------------------------------------
positive = Domain(v, x, y * (x - half) > 0)
false(
    "a logarithm of a quotient by x − ½",
    "both differ by 2 log 2",
    lambda: (positive, _at_one(log(y / (x - half)) - log(y * (x - half)) + 2 * log(Abs(x - half)) + 2 * log(2))),
)
false(
    "a root of a quotient by x − ½",
    "it is twice as large",
    lambda: (positive, _at_one(sqrt(y / (x - half)) - sqrt(y * (x - half)) / (2 * Abs(x - half)))),
)
true(
    "a root of a quotient by x − ½, over |x − ½|",
    lambda: (Domain(x, y * (x - half) > 0), Equal(sqrt(y / (x - half)), sqrt(y * (x - half)) / Abs(x - half))),
)

# -- what is put in where there is no value -------------------------------------------
nought = Domain(Eq(u, 0), y)
false(
    "1/log 0 for a number",
    "y = −1",
    lambda: (
        nought,
        Always(y > 0).by(InLetters(Always(Or(Ne(u, 0), y > 0)), Domain(Eq(u, 1 / log(z)), y), {z: Integer(0)})),
    ),
)
false(
    "1/∞ for a number",
    "u = 0",
    lambda: (
        Domain(u <= 0, x),
        Always(u < 0).by(InLetters(Always(u < 0), Domain(u <= -exp(-Abs(1 + 1 / (z - v))), v), {z: x, v: x})),
    ),
)
false(
    "1/log 0 beside what is held fixed",
    "for z = 0 there is no value",
    lambda: (Domain(x, z), LocalMaximum(-(x**2) + x / log(z), x, 0, ((z, 0),))),
)
false(
    "a slope of what has no value, held fixed",
    "for y = 0 there is no value",
    lambda: (Domain(x, y, z, t), LocalMaximum(-(x**2) + x * Derivative(z * t / y, t), x, 0, ((z, 0),))),
)


def _through_a_slope():
    base = claimed(Domain(Derivative(x * t / y + t**2, t) < 2, t), Always(Ne(y, 0)), id="base")
    on = Domain(y, t, Derivative(t**2, t) < 2)
    return [base, claimed(on, Always(Ne(y, 0)).by(Follows((at(base, {x: 0}),))), id="follows", depends_on=("base",))]


false("a divisor in a slope at which a claim is cited", "y = 0, t = 0", _through_a_slope)
