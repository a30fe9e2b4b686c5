"""Symbols with assumptions that no domain shows, two symbols of one name, functions that carry a sign."""

from __future__ import annotations

from sympy import Dummy, Function, Symbol

from grpo_symbolic.paper import *

from . import false, true


def assumed(name, **assumptions):
    """A symbol that is called as one of the notation, and is another."""
    return Symbol(name, **assumptions)


POSITIVE, NONNEGATIVE = assumed("x", positive=True), assumed("x", nonnegative=True)
NEGATIVE, NONZERO = assumed("x", negative=True), assumed("x", real=True, nonzero=True)
EVEN, PRIME = assumed("x", even=True), assumed("x", prime=True)
RATIONAL, IRRATIONAL = assumed("x", rational=True), assumed("x", irrational=True)
NOUGHT, IMAGINARY, COMPLEX = assumed("x", zero=True), assumed("x", imaginary=True), assumed("x")

false(
    "an example below nought of what is not negative",
    "−2 is negative",
    lambda: (Domain(NONNEGATIVE), Exists(exp(NONNEGATIVE) < Rational(1, 2), {NONNEGATIVE: -2})),
)
false(
    "an example at nought of what is not nought",
    "0 is excluded",
    lambda: (Domain(NONZERO), Exists(Eq(NONZERO * 3, NONZERO * 5, evaluate=False), {NONZERO: 0})),
)
false(
    "an example above nought of what is negative",
    "2 is positive",
    lambda: (Domain(NEGATIVE), Exists(exp(NEGATIVE) > 2, {NEGATIVE: 2})),
)
false("an even number that is odd", "3 is odd", lambda: (Domain(EVEN), Exists(Eq(EVEN + 1, 4), {EVEN: 3})))
false("a prime that is none", "4 is no prime", lambda: (Domain(PRIME), Exists(Eq(PRIME + 1, 5), {PRIME: 4})))
false(
    "a rational that is irrational",
    "√2 is not rational",
    lambda: (Domain(RATIONAL), Exists(Eq(RATIONAL**2 + 1, 3), {RATIONAL: sqrt(2)})),
)
false(
    "an irrational that is rational",
    "1/2 is rational",
    lambda: (Domain(IRRATIONAL), Exists(Eq(IRRATIONAL + 1, Rational(3, 2)), {IRRATIONAL: Rational(1, 2)})),
)
false(
    "a real number with a negative square",
    "it is imaginary by an assumption only",
    lambda: (Domain(IMAGINARY), Always(IMAGINARY**2 < 0)),
)
false("no number has a root of two", "at x = √2", lambda: (Domain(RATIONAL), Always(Ne(RATIONAL**2, 2))))
false("every number is nought", "at x = 1", lambda: (Domain(NOUGHT), Equal(NOUGHT * exp(y) + y, y)))
false(
    "an absolute value by assumption",
    "at x = −1, which the domain shows",
    lambda: (Domain(POSITIVE, y), Equal(log(POSITIVE**2), 2 * log(POSITIVE))),
)
false(
    "a number that is not itself",
    "one name for two symbols reads x ≠ x",
    lambda: (Domain(x < 0, POSITIVE), Always(Ne(x, POSITIVE))),
)
false(
    "a number above itself",
    "one name for two symbols reads x < x",
    lambda: (Domain(x < 0, POSITIVE), Always(x < POSITIVE)),
)
false(
    "a number with another square",
    "one name for two symbols reads x² ≠ x²",
    lambda: (
        Domain(x > 2, assumed("x", integer=True) < 2, assumed("x", integer=True) > -2),
        Always(Ne(x**2, assumed("x", integer=True) ** 2)),
    ),
)
false("two placeholders of one name", "it reads y < y", lambda: _two_dummies())
false(
    "a name that begins with a dash",
    "it is in no notation and has no domain",
    lambda: (Domain(x > 0), _product(x, Symbol("_h", positive=True))),
)
false(
    "a function with a sign by assumption",
    "nothing is said of f",
    lambda: (Domain(x), Equal(log(_f(x) ** 2), 2 * log(_f(x)))),
)
false(
    "a slope with an assumption",
    "at x = −1 the slope of x² is −2",
    lambda: (Domain(POSITIVE), Monotone(POSITIVE**2, POSITIVE)),
)
false(
    "a limit with an assumption on its parameter",
    "at x = −1 it is −∞",
    lambda: (Domain(POSITIVE), Tends(POSITIVE * p, p, oo, oo)),
)
false(
    "a root count with an assumption",
    "at x = −1 there is none",
    lambda: (Domain(POSITIVE), Roots(p**2 - POSITIVE, p, 2, -POSITIVE - 1, POSITIVE + 1)),
)
false(
    "a maximum with an assumption",
    "at x = −1 it is a minimum",
    lambda: (Domain(POSITIVE), LocalMaximum(-POSITIVE * p**2, p, 0)),
)
false(
    "a complex number of the notation's name",
    "one name for two symbols reads x < x",
    lambda: (Domain(x < 0, COMPLEX > 0), Always(x < COMPLEX)),
)


def _product(first, second):
    return Equal(log(first * second), log(first) + log(second))


def _f(argument):
    return Function("f", positive=True)(argument)


def _two_dummies():
    low, high = Dummy("y", real=True), Dummy("y", real=True)
    return Domain(low < 0, high > 0), Always(low < high)


true("an example of what the domain says", lambda: (Domain(x >= 0), Exists(exp(x) < 2, {x: Rational(1, 2)})))
true("a logarithm of a square where it is positive", lambda: (Domain(x > 0), Equal(log(x**2), 2 * log(x))))
true("two symbols of two names", lambda: (Domain(x < 0, y > 0), Always(x < y)))
