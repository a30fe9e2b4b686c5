"""Sentences that suppose what cannot be, and so seem to follow from it."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import false, true

NUMBERS = VarianceOf(Sum(r[o], (o, 1, n)))
same = KroneckerDelta(o, o_)
for name, covariance, variance in (
    ("each of two correlated with −1", 2 * same - 1, 2 * n - n**2),
    ("correlated with the numbers of their places", same + o + o_ - 2, n + n**2 * (n + 1) - 2 * n**2),
    ("a root of what tells them apart", sqrt(1 + 3 * same) - 1, n * (1 - n)),
):
    false(
        f"random numbers, {name}",
        "no three numbers have these covariances, the sum of which is negative for some n or some factors",
        lambda covariance=covariance, variance=variance: (
            Domain(n >= 3),
            ForRandom(Eq(NUMBERS, variance, evaluate=False), (Random(r, o, 1, n, covariance=covariance, other=o_),)).by(
                Linearity()
            ),
        ),
    )
true(
    "random numbers with a part that they share",
    lambda: (
        Domain(n >= 3, x >= 0),
        ForRandom(Eq(NUMBERS, n + x * n**2, evaluate=False), (Random(r, o, 1, n, covariance=same + x, other=o_),)).by(
            Linearity()
        ),
    ),
)
false(
    "more than half of the chances for every answer",
    "1 − n/2 is negative; no three chances are each above ½",
    lambda: (
        Domain(simplex(pi, n), n >= 3),
        AtLeast(1 - n / 2, 0, given=(2 * pi[o] > 1,)).by(TermByTerm((Sum(pi[o] - Integer(1) / 2, (o, 1, n)),))),
    ),
)
true(
    "half of the chances for every answer, of which there may be two",
    lambda: (
        Domain(simplex(pi, n), n >= 2),
        AtLeast(1 - n / 2, 0, given=(2 * pi[o] >= 1,)).by(TermByTerm((Sum(pi[o] - Integer(1) / 2, (o, 1, n)),))),
    ),
)
false(
    "the letter of a sum is one of the domain",
    "the sum of four x is 4x; that S0 is 5x says nothing of sums",
    lambda: (Domain(x > 0, S0 >= 5 * x), ForEveryNumber(Ne(Sum(x, (j, 1, k)), 4 * x), k, 1).by(Induction())),
)
false(
    "the letter of a member is one of the domain",
    "the members may be 2, and their lim sup is not below 1",
    lambda: (Domain(S0 <= 1), LimSup(P[i], i, 1, ((P[i], 2),), families=(reals(P, i),)).by(Compared())),
)
false(
    "a solution beyond every number",
    "1/p is 0 for no p > 0, and tends to no number; a limit of solutions lies between two numbers",
    lambda: (
        Domain(beta > 0),
        SolutionTends(p * z - 1, z, 0, oo, p, 0, oo).by(SolutionOfLimit(Integer(-1), Integer(-1), 1)),
    ),
)


def all_but_one(supposed: Any) -> Any:
    """That the sum of three numbers is at least the first, where something is supposed of every one."""
    total = Sum(r[i], (i, 1, 3))
    return Domain(reals(r, 3)), AtLeast(total, r[1], given=(supposed,)).by(OneTermLess(total, 1))


false(
    "what is supposed of a letter that numbers nothing", "0, −1 and 0 have the sum −1", lambda: all_but_one(r[j] >= 0)
)
true("what is supposed of every number", lambda: all_but_one(r[i] >= 0))

# -- limits that no sequence has, and what else there is not -----------------------------------------------------------

NEAR = Abs(P[i] - u) <= 1
for name, tending, supposed, why in (
    ("two limits of one sequence", ((r[i], 0), (r[i], 1)), (), "no sequence tends to 0 and to 1"),
    ("a limit below all members", ((r[i], 0),), (r[i] >= 1,), "what is at least 1 does not tend to 0"),
    ("a negative limit of what is positive", ((r[i], -1),), (r[i] > 0,), "what is positive does not tend to −1"),
    ("squares that tend to −1", ((r[i] ** 2 + 1, 0),), (), "no square tends to −1"),
):
    false(
        name,
        f"{why}, and P need not tend to u",
        lambda tending=tending, supposed=supposed: (Domain(u), ConvergesTo(P[i], i, u, tending, (*supposed, NEAR))),
    )
false(
    "a lim sup beside a limit that there is not",
    "r is at least 2, and does not tend to 0",
    lambda: (Domain(u), LimSup(P[i], i, u, ((r[i], 0),), (r[i] >= P[i] - u + 1, P[i] >= u + 1))),
)
true(
    "a limit at the end of what is supposed",
    lambda: (Domain(u), ConvergesTo(P[i], i, u, ((r[i], 0),), (r[i] > 0, Abs(P[i] - u) <= r[i]))),
)
true("a series of positive terms", lambda: (Domain(u), BelowSeries(r[i], i, u, (r[i] > 0,))))


def inexact(error: int) -> Any:
    """That steps of half the way to 0, each within an error, end within twice the error."""
    return Domain(x), StaysNear(x / 2, x, 0, error, 2 * error).by(ContractionWithErrors(Rational(1, 2)))


false("steps within a negative error", "no distance is at most −1, and none ends within −2", lambda: inexact(-1))
true("steps within an error", lambda: inexact(1))


false(
    "n answers of 1 each",
    "two or more of them do not add up to 1",
    lambda: (
        Domain(n >= 2),
        OnlyBestPolicy((Answered(Part(-((z - 1) ** 2), z, -1), o, n),), (Integer(1),), supposed=True).by(
            OneMultiplier(0, (Loss((z - 1) ** 2),))
        ),
    ),
)
for name, equation in (("no real x", x**2 + 1 + beta), ("an x elsewhere", x - 5 + 0 * beta)):
    false(
        f"solutions of what {name} solves",
        "there is none between 0 and 1, and what tends to 7 is nothing",
        lambda equation=equation: (
            Domain(),
            SolutionTends(equation, x, 0, 1, beta, 0, 7).by(SqueezedSolution(7 + beta, 7 + beta, 1)),
        ),
    )
