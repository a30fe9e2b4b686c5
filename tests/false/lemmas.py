"""An instance of a lemma speaks of a logarithm, root or quotient that has no value everywhere on the domain."""

from __future__ import annotations

from grpo_symbolic.paper import *
from grpo_symbolic.proof.statements import lemmas

from . import false, true

THIRD, FIFTH = Rational(1, 3), Rational(1, 5)
SPECK = Rational(1, 10**40)
OPEN = Domain(-1 < x, x < 1)

false(
    "the argument of a logarithm is positive because its sign was asked",
    "at x = 1/5, which lies in the domain: the instance says exp(log u) > 0, and SymPy writes that as u > 0",
    lambda: (Domain(FIFTH - SPECK < x, x < 1), Always(x > FIFTH, using=(lemmas.exp_sign(log(x - FIFTH)),))),
)
false(
    "a square of an argument does not vanish because its logarithm was doubled",
    "at x = 1/3 both sides agree; exp(2 log u) is written as u², which the instance makes positive",
    lambda: (OPEN, Always(Ne(x, THIRD), using=(lemmas.exp_sign(2 * log(x - THIRD)),))),
)
false(
    "a factor beside an exponential is positive",
    "at x = 1/7: exp(log u + y) is written as u exp(y)",
    lambda: (
        Domain(Rational(1, 7) - SPECK <= x, x < 1, y),
        Always(x > Rational(1, 7), using=(lemmas.exp_sign(log(x - Rational(1, 7)) + y),)),
    ),
)
false(
    "a denominator of a tangent does not vanish",
    "at x = 0: the tangent of exp at 1/x, multiplied by x, reads 0 > 0 there",
    lambda: (OPEN, Always(Ne(x, 0), using=(lemmas.exp_above_tangent(1 / x),))),
)
false(
    "an inverse square is positive where it has no value",
    "at x = 1/3 the square vanishes in a denominator",
    lambda: (OPEN, Always(1 / (3 * x - 1) ** 2 > 0, using=(lemmas.exp_sign(2 * log(x - THIRD)),))),
)
false(
    "a negative logarithm in an exponent",
    "at x = 2/5 there is no 1/u; exp(-log u) is written so",
    lambda: (
        Domain(Rational(2, 5) - SPECK < x, x < 1),
        Always(x > Rational(2, 5), using=(lemmas.exp_sign(-log(x - Rational(2, 5))),)),
    ),
)
false(
    "a long sum is never a seventh",
    "at n = 2, r = (1/7, 0)",
    lambda: (
        Domain(reals(r, n), n >= 2),
        Always(
            Ne(Sum(r[o], (o, 1, n)), Rational(1, 7)),
            using=(lemmas.exp_sign(2 * log(Sum(r[o], (o, 1, n)) - Rational(1, 7))),),
        ),
    ),
)
false(
    "a cube increases strictly by an instance",
    "the derivative of (x − 1/3)³ vanishes at 1/3: strictness of the derivative is what the statement displays",
    lambda: (OPEN, Monotone((x - THIRD) ** 3, x, using=(lemmas.exp_sign(2 * log(x - THIRD)),))),
)
false(
    "a fourth power has a positive second derivative by an instance",
    "the second derivative of (x − 1/3)⁴ vanishes at 1/3",
    lambda: (OPEN, Curved((x - THIRD) ** 4, x, using=(lemmas.exp_sign(2 * log(x - THIRD)),))),
)
false(
    "an instance whose root has no value",
    "at x = 1/5 the root of x − 1/5 is 0 and at smaller x it has no value",
    lambda: (Domain(FIFTH - SPECK <= x, x < 1), Always(x > FIFTH, using=(lemmas.exp_sign(log(sqrt(x - FIFTH))),))),
)
false(
    "a formula that is no lemma",
    "at x = 0: nobody stated that exp x > 1 + x everywhere",
    lambda: (Domain(x), Always(exp(x) > 1 + x, using=(exp(x) > 1 + x,))),
)
false(
    "a lemma at swapped arguments",
    "at x = 1/4, y = 1/2: log increases",
    lambda: (
        Domain(0 < x, x < 1, 0 < y, y < 1),
        Always((x < y) >> (log(y) < log(x)), using=(lemmas.log_increasing(y, x),)),
    ),
)
false(
    "the strict tangent at the point of contact",
    "at x = 1 both sides are 0",
    lambda: (Domain(x > 0), Always(log(x) < x - 1, using=(lemmas.log_below_tangent(x),))),
)
false(
    "one part of two by an instance of the other's argument",
    "at x = 0 the second part fails",
    lambda: (
        OPEN,
        Every(
            Always(exp(x) > 0, using=(lemmas.exp_positive(x),)), Always(Ne(x, 0), using=(lemmas.exp_sign(2 * log(x)),))
        ),
    ),
)

true(
    "the argument of a logarithm, where it is positive",
    lambda: (Domain(FIFTH < x, x < 1), Always(log(x - FIFTH) < 0, using=(lemmas.log_sign(x - FIFTH),))),
)
true("exp above its tangent", lambda: (Domain(x), Always(exp(x) >= 1 + x, using=(lemmas.exp_above_tangent(x),))))
true(
    "log below its tangent, off the point of contact",
    lambda: (Domain(x > 0, Ne(x, 1)), Always(log(x) < x - 1, using=(lemmas.log_below_tangent(x),))),
)
true(
    "log increases",
    lambda: (Domain(0 < x, 0 < y, x < y), Always(log(x) < log(y), using=(lemmas.log_increasing(x, y),))),
)
true(
    "an exponential of a logarithm inside its range",
    lambda: (Domain(x > FIFTH), Equal(exp(2 * log(x - FIFTH)), (x - FIFTH) ** 2 * Integer(1))),
)
