"""Symbols with assumptions that no domain shows, two symbols of one name, functions that carry a sign."""

from __future__ import annotations

from sympy import Function, Symbol

from grpo_symbolic.paper import *

from . import false, true

NONZERO = Symbol("x", real=True, nonzero=True)
IMAGINARY, COMPLEX = Symbol("x", imaginary=True), Symbol("x")
SIGNED = Function("f", positive=True)(x)

false(
    "an example at nought of what is not nought",
    "0 is excluded",
    lambda: (Domain(NONZERO), Exists(Eq(NONZERO * 3, NONZERO * 5, evaluate=False), {NONZERO: 0})),
)
false(
    "a real number with a negative square",
    "it is imaginary by an assumption only",
    lambda: (Domain(IMAGINARY), Always(IMAGINARY**2 < 0)),
)
false(
    "a number with another square",
    "one name for two symbols reads x² ≠ x²",
    lambda: (
        Domain(x > 2, Symbol("x", integer=True) < 2, Symbol("x", integer=True) > -2),
        Always(Ne(x**2, Symbol("x", integer=True) ** 2)),
    ),
)
false(
    "a function with a sign by assumption",
    "nothing is said of f",
    lambda: (Domain(x), Equal(log(SIGNED**2), 2 * log(SIGNED))),
)
false(
    "a complex number of the notation's name",
    "one name for two symbols reads x < x",
    lambda: (Domain(x < 0, COMPLEX > 0), Always(x < COMPLEX)),
)


true("an example of what the domain says", lambda: (Domain(x >= 0), Exists(exp(x) < 2, {x: Rational(1, 2)})))
true("a logarithm of a square where it is positive", lambda: (Domain(x > 0), Equal(log(x**2), 2 * log(x))))
true("two symbols of two names", lambda: (Domain(x < 0, y > 0), Always(x < y)))
