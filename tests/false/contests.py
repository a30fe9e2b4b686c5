"""Limits at infinity of functions with two growths, of which parameters decide which is the faster."""

from __future__ import annotations

from typing import Any

from sympy import tanh

from grpo_symbolic.paper import *

from . import Written, false, true


def far(body: Any, value: Any, *where: Any, along: Any = x) -> Written:
    """That a function tends to a value at infinity for all positive parameters."""
    return Domain(*(where or (y > 0, z > 0))), Tends(body, along, oo, value, "-")


SQUARE = "at y = 2 the power outgrows the variable"
for name, body, value in (
    ("a variable beside a power of it", x / (x + x**y), 1),
    ("a root of a square and a power", sqrt(x**2 + x**y) - x, 0),
    ("a power of what is near one", (1 + 1 / x) ** (x**y), 1),
    ("an exponential of a power less the variable", exp(x**y - x), 0),
    ("a logistic function of a power less the variable", 1 / (1 + exp(x**y - x)), 1),
    ("a hyperbolic tangent of the variable less a power", tanh(x - x**y), 1),
    ("a power in two letters", x / (x + x ** (y * z)), 1),
    ("a power whose exponent is one letter less one", x / (x + x ** (3 * y - 1)), 1),
):
    false(name, SQUARE, lambda body=body, value=value: far(body, value))
false(
    "a whole number beside a power of it",
    "at y = 3 the power outgrows the square",
    lambda: far(k**2 / (k**2 + k**y), 1, y > 0, along=k),
)
false(
    "a square beside a power with an exponent of at most two",
    "at y = 2 the limit is one half",
    lambda: far(x**2 / (x**2 + x**y), 1, y > 0, y <= 2),
)
false("two exponentials", "for z > y the other one wins", lambda: far((exp(y * x) - exp(z * x)) / exp(y * x), 1))
false(
    "exponentials of two powers",
    "for y < z the other one wins",
    lambda: far(exp(x**y) / exp(x**z), oo, y > 0, z > 0, z < Rational(1, 1000)),
)
false("two hyperbolic cosines", "for y > z the first one wins", lambda: far(cosh(y * x) / cosh(z * x), 0))
true("one exponential in a parameter", lambda: far(log(exp(y * x) + 1) / x, y, y > 0))
true("a power with a number for its exponent", lambda: far(y * x / (x + sqrt(x)), y, y > 0))
