"""Derivatives of sums in which a bound index and a free one share a letter, and of what has none."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false, true

POLICY = Domain(simplex(pi, n), n >= 2)
PAIR = Domain(simplex(pi, n), simplex(ref, n), n >= 2)


def slope(domain, of, along, value):
    """That a derivative is a number, of which it is another."""
    return domain, Equal(Derivative(of, along), value)


false(
    "the derivative of a sum of cubes in its own letter",
    "it is 3π(o)²",
    lambda: slope(POLICY, Sum(pi[o] ** 3, (o, 1, n)), pi[o], 3),
)
false(
    "a sum of squares, twice differentiated in its own letter",
    "it is 2",
    lambda: slope(POLICY, Sum(pi[o] ** 2, (o, 1, n)), (pi[o], 2), 0),
)
false(
    "a weighted sum of squares in its own letter",
    "it is 2 r(o) π(o), no sum over all answers",
    lambda: slope(PAIR, Sum(ref[o] * pi[o] ** 2, (o, 1, n)), pi[o], 2 * Sum(ref[o] * pi[o], (o, 1, n))),
)
false(
    "a linear sum in its own letter",
    "it is ref(o), not the sum of all",
    lambda: slope(PAIR, Sum(ref[o] * pi[o], (o, 1, n)), pi[o], 1),
)
false(
    "a step that differentiates a sum in its own letter",
    "the derivative is 2π(o)",
    lambda: _stepped(POLICY, Sum(pi[o] ** 2, (o, 1, n)), pi[o], 2),
)
false(
    "a stationary point of a sum in its own letter",
    "the slope of Σ(π² − 2π) at π(o) = 1/2 is −1",
    lambda: (POLICY, LocalMaximum(Sum(pi[o] - pi[o] ** 2 * Rational(1, 2), (o, 1, n)), pi[o], 1)),
)
false(
    "a double sum, its inner letter free outside",
    "it is 2, not n + 1",
    lambda: slope(POLICY, Sum(pi[o] * Sum(pi[k], (k, 1, n)), (o, 1, n)), pi[o], n + 1),
)
false("an absolute value at its kink", "|x| has no derivative at 0", lambda: slope(Domain(x), Abs(x), x, sign(x)))
false(
    "a maximum at its kink",
    "max(x, y) has no derivative at x = y",
    lambda: (Domain(x, y), Equal(Derivative(Max(x, y), x) * (x - y), Max(x - y, 0))),
)
false("a step function", "⌊x⌋ has no derivative at 1", lambda: slope(Domain(x), floor(x), x, 0))
false(
    "a lifted point",
    "δ(x, 1) jumps at 1",
    lambda: slope(Domain(0 < x, x < 2), KroneckerDelta(x, 1) + x, x, Derivative(KroneckerDelta(x, 1), x) + 1),
)
false(
    "a logarithm on the left", "log x has no value there", lambda: (Domain(x), Equal(Derivative(log(x), x) * x**2, x))
)
false(
    "a root at its end",
    "√x has no derivative at 0",
    lambda: (Domain(x >= 0), Equal(2 * sqrt(x) * Derivative(sqrt(x), x), 1)),
)
false("a product rule without its second term", "at x = 1 it is e + e", lambda: slope(Domain(x), x * exp(x), x, exp(x)))
false(
    "the old policy moves along",
    "the partial derivative of x/y is 1/y",
    lambda: slope(Domain(0 < x, x < 1, 0 < y, y < 1), x / y, x, 1 / y - x / y**2),
)
false(
    "the wrong order of differentiation",
    "the second derivative of x³ is 6x",
    lambda: slope(Domain(x), x**3, (x, 2), 3 * x**2),
)
false("a neighbour's slope", "at o ≠ o' it is 0", lambda: slope(POLICY, pi[o] ** 2, pi[o_], 2 * pi[o]))
false(
    "a product in its own letter",
    "Π π differentiated by π(o) is Π π/π(o)",
    lambda: slope(POLICY, Product(pi[o], (o, 1, n)), pi[o], Product(1, (o, 1, n))),
)
false(
    "a sum that ends at the variable",
    "the number of terms jumps",
    lambda: (Domain(x >= 1), Monotone(Sum(1, (k, 1, x)), x)),
)
false(
    "a sum over squares curves in its own letter",
    "the second derivative is 2, never negative",
    lambda: (POLICY, Curved(Sum(pi[o] ** 2, (o, 1, n)), pi[o], -1)),
)


def _stepped(domain, expression, variable, form):
    d = Derivation("own letter", domain)
    slope = d.differentiate(d.start(expression), variable)
    return claimed(domain, Equal(d.rewrite(slope, form), form + 0 * z), by=d)


true(
    "the derivative of a sum of squares in another letter",
    lambda: slope(POLICY, Sum(pi[k] ** 2, (k, 1, n)), pi[o], 2 * pi[o]),
)
true("a product rule", lambda: slope(Domain(x), x * exp(x), x, (1 + x) * exp(x)))
true("a neighbour's slope with its delta", lambda: slope(POLICY, pi[o] ** 2, pi[o_], 2 * pi[o] * KroneckerDelta(o, o_)))
true(
    "the slope of an entropy in another letter",
    lambda: slope(POLICY, -Sum(pi[k] * log(pi[k]), (k, 1, n)), pi[o], -1 - log(pi[o])),
)
