"""What is made by hand: kinds with fields that their makers refuse, letters that eat what follows, engines alone."""

from __future__ import annotations

from sympy import Symbol

from grpo_symbolic.paper import *
from grpo_symbolic.proof.claims import Print
from grpo_symbolic.proof.derivation import Step
from grpo_symbolic.proof.statements.domain import Family

from . import claimed, false, misjudged, true, unrefuted

line, whole = Domain(x), Domain(n >= 0)

# -- fields that no maker gives ----------------------------------------------------------------------------------------
for name, why, on, said in (
    ("a maximum of the sense 2", "it is a minimum", Domain(y), LocalMaximum(x**2, x, 0, sense=2)),
    ("a smallest number of the sense −3", "it is the largest", line, OnlyMaximum(-(x**2), x, 0, sense=-3)),
    ("minus three roots", "there is no such number", Domain(y), Roots(x**2 + 1, x, -3, 0, 1)),
    (
        "an example with two numbers x",
        "which of them is x",
        line,
        Exists(x > 1, {x: Integer(2), Symbol("x"): Integer(0)}),
    ),
    (
        "an example whose list is none",
        "P has no numbers",
        Domain(reals(P, n), n >= 1),
        Exists(P[1] > 0, {n: 2, P: {x: 1}}),
    ),
):
    false(name, why, lambda on=on, said=said: (on, said))

# -- what one engine alone, without samples, might show ----------------------------------------------------------------
for name, why, on, left, right in (
    ("an alternating sum of one", "at n = 0 it is 1", whole, Sum((-1) ** j * binomial(n, j), (j, 0, n)), 0),
    ("one with a factor", "at n = 1 it is −1", whole, Sum((-1) ** j * j * binomial(n, j), (j, 0, n)), 0),
    (
        "a product of none with another",
        "at n = 0 it is 1",
        Domain(n >= 0, x),
        Product(x, (j, 1, n)) * Product(0, (j, 1, n)),
        0,
    ),
    ("a closed form below none", "at n = −3 it is 0, not 3", Domain(n >= -3), Sum(j, (j, 1, n)), n * (n + 1) / 2),
    ("a delta over all", "for k > n it is 0", Domain(n >= 1, k), Sum(KroneckerDelta(j, k) * j, (j, 1, n)), k),
    (
        "the sign of an index of that name",
        "j is below 0 outside only",
        Domain(j < 0, n >= 0),
        Sum(Abs(j), (j, 1, n)),
        Sum(-j, (j, 1, n)),
    ),
    (
        "past the middle",
        "n − o changes its sign",
        Domain(n >= 1),
        Sum(Abs(n - o), (o, 0, 2 * n)),
        Sum(n - o, (o, 0, 2 * n)),
    ),
    ("a largest number from nought", "at o = 0 it is 1", Domain(n >= 1), Sum(Max(o, 1), (o, 0, n)), Sum(o, (o, 0, n))),
    ("cases in another order", "at x = −2 it is 1", line, Piecewise((x, x > 0), (0, x > -1), (1, True)), Max(x, 0)),
    ("a spread without its sign", "for y > x it is y − x", Domain(x, y), Max(x, y) - Min(x, y), x - y),
    ("a root of two signs", "for x > 0 there is no log(−x)", Domain(x * y > 0), log(x * y), log(-x) + log(-y)),
    ("the slope of a sign", "it has none at 0", line, Derivative(sign(x), x), 0),
    ("a power of what is even at times", "k (k − 1)/2 may be odd", Domain(k), (-1) ** (k * (k - 1) / 2), 1),
):
    false(name, why, lambda on=on, left=left, right=right: (on, Equal(left, right)))

# -- what a letter of which a sentence does not speak shuts out ------------------------------------------------------
false("a letter below a delta", "at k = 0", lambda: (Domain(z < KroneckerDelta(k, 1), k), Always(k**2 > 0)))
true("a letter that is a slope", lambda: (Domain(Eq(t_ref, Derivative(sqrt(x), x)), x >= 0), Always(x > 0)))
true(
    "a quotient within quotients", lambda: (Domain(1 / (1 + 1 / (1 + 1 / (z**2 - 2))) < 1, z > 0), Always(Ne(z**2, 2)))
)


def _by_hand(step: Step) -> Claim:
    steps = Derivation("by hand", Domain(x, y))
    steps.start(x**2 * y)
    steps.steps.append(step)
    return claimed(line, Always(x**2 > x - 1), by=[steps])


for name, why, step in (
    (
        "a derivative along a letter for another",
        "the slope in y is x²",
        Step("differentiate", 2 * x * y, "", x**2 * y, (y,)),
    ),
    (
        "a root that is outside",
        "2 is not below 1",
        Step("solve", Integer(2), "", x**2 * y, (x, Integer(0), Integer(1))),
    ),
):
    false(name, why, lambda step=step: _by_hand(step))

# -- what once was proved, or judged ----------------------------------------------------------------------------------
false(
    "numbers of sum 1 that need not be positive",
    "of full support it is no policy",
    lambda: (Domain(Family(P, n, False, Integer(1)), n >= 1), Exists(P[1] < 0, {n: 2, P: [-1, 2]})),
)
false(
    "a sum of 1 that no numbers have",
    "there is no point, and x may be anything",
    lambda: (Domain(Family(P, Integer(1), False, Integer(1)), Eq(P[1], 0), x), Always(Ne(x, 3))),
)
for judged in (PrintVerdict.holds, PrintVerdict.as_read):
    misjudged(
        f"a reading that is false, and {judged}",
        "x² < x fails at x = 0",
        lambda judged=judged: claimed(
            line, Always(x**2 - x + 1 > 0), printed="x^2<x", judged=Print(judged, "", Always(x**2 < x))
        ),
    )
for name, at in (("an algebraic number", z**2 - 2), ("a number", z - 2)):
    unrefuted(
        f"{name} at which the domain has no value",
        "it is nowhere in the domain",
        lambda at=at: (Domain(1 / (1 + 1 / at) < 1), Always(Ne(at, 0))),
    )
false(
    "a letter that eats the next one",
    "it is printed as x with y below",
    lambda: (Domain(y > 3, scalar("eats", r"x_\mathrm", "-", "a letter") > y), Always(Symbol("eats", real=True) > 3)),
)
