"""What is supposed of every index: no formula, nothing that can be, or of lists that cannot be so at once."""

from __future__ import annotations

from typing import Any

from sympy import nan, sympify

from grpo_symbolic.paper import *

from . import false, true

SQUARES = Sum(r[i] ** 2, (i, 1, n))


def supposing(given: Any) -> Any:
    return Domain(reals(r, n), n >= 2), AtLeast(SQUARES, 0, given=given).by(TermByTerm((SQUARES,)))


for name, given in (
    ("three", (3,)),
    ("true", (True,)),
    ("a word", "r"),
    ("a family", (r,)),
    ("no number", (nan,)),
    ("what is false", (sympify(False),)),
    ("a letter of which nobody knows", (v > 0,)),
):
    false(f"if always {name}", "that is nothing that could be so", lambda given=given: supposing(given))
true("if always a reward is positive", lambda: supposing((r[i] > 0,)))
TWO = Sum(r[i] ** 2, (i, 1, 2))
false(
    "less one of its terms, if always three",
    "three is nothing that could be so",
    lambda: (Domain(reals(r, 2)), AtLeast(TWO, r[1] ** 2, given=(3,)).by(OneTermLess(TWO, 1))),
)
# the first was proved before, too
false(
    "one list above 1 and below −1",
    "−2n < 0; no number is at least 1 and at most −1",
    lambda: (
        Domain(reals(r, n), n >= 2),
        AtLeast(-2 * n, 0, given=(r[i] >= 1, r[j] <= -1)).by(
            TermByTerm((Sum(r[i] - 1, (i, 1, n)), Sum(-r[j] - 1, (j, 1, n))))
        ),
    ),
)
false(
    "a number above one list and below another",
    "x is not at least 1 and at most −1",
    lambda: (
        Domain(reals(r, n), reals(P, G), n >= 1, G >= 1, x),
        AtLeast(-2, 0, given=(x - 1 >= r[i] ** 2, -x - 1 >= P[j] ** 2)).by(
            TermByTerm((Sum((x - 1) / n, (i, 1, n)), Sum((-x - 1) / G, (j, 1, G))))
        ),
    ),
)
LISTS = Sum(r[i], (i, 1, n)), Sum(P[j], (j, 1, G))
true(
    "two lists of positive numbers",
    lambda: (
        Domain(reals(r, n), reals(P, G), n >= 1, G >= 1),
        AtLeast(sum(LISTS), 0, given=(r[i] >= 0, P[j] >= 0)).by(TermByTerm(LISTS)),
    ),
)
# a family of another size, before, too
BESIDE = Sum(r[i], (i, 1, n))
false(
    "numbers above squares of which there may be fewer",
    "n = 3, G = 2: nothing is supposed of r(3), as there is no P(3)",
    lambda: (
        Domain(reals(r, n), reals(P, G), n >= 2, G >= 2),
        AtLeast(BESIDE, 0, given=(r[i] >= P[i] ** 2,)).by(TermByTerm((BESIDE,))),
    ),
)
true(
    "numbers above as many squares",
    lambda: (
        Domain(reals(r, n), reals(P, n), n >= 2),
        AtLeast(BESIDE, 0, given=(r[i] >= P[i] ** 2,)).by(TermByTerm((BESIDE,))),
    ),
)
