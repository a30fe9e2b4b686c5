"""What SymPy may lose while a rule writes its premises: values that there are none of, 0⁰, sums, slopes, letters."""

from __future__ import annotations

from typing import Any

from sympy import Pow

from grpo_symbolic.paper import *

from . import false, true

half = Rational(1, 2)
one = Mul(y, Pow(y, -1, evaluate=False), evaluate=False)  # y/y as it is written, which has no value at 0


def times(factor: Any, number: Any) -> Any:
    """A product that SymPy leaves as it is."""
    return Mul(factor, number, evaluate=False)


any_y, chance, some = Domain(y), Domain(0 <= x, x <= 1, n >= 0), Domain(n >= 0)

# -- y/y as it is written: at y = 0 there is no value ------------------------------------------------------------------
nought = "at y = 0 there is no value"
for name, on, said in (
    ("the only maximum of y/y x²", Domain(x, y), OnlyMaximum(-times(one, x**2), x, 0)),
    ("a local maximum of y/y x²", Domain(x, y), LocalMaximum(-times(one, x**2), x, 0)),
    ("y/y x increases", Domain(x, y), Monotone(times(one, x), x, 1)),
    ("y/y x takes a value", any_y, TakesValue(times(one, x), x, 0, 1, half)),
    ("y/y x attracts", any_y, Attracts(times(one, x / 2), x, 0)),
    ("an orbit under y/y x", any_y, StaysIn(Iteration(times(one, x / 2), x, half), 0, 1)),
    ("a flow with y/y", any_y, FlowTends(times(-one, x), x, -1, 1, 0)),
    ("a limit of y/y x", any_y, Tends(times(one, x), x, 0, 0)),
    ("the roots of y/y x", any_y, Roots(times(one, x), x, 1, -1, 1)),
    ("there is a y/y above 0", any_y, Exists(one > 0, {y: 0})),
    ("an example where what is supposed has no value", any_y, When(Or(y >= 0, 1 / y > 2), Exists(y**2 < 1, {y: 0}))),
    ("a fixed point 1/y", any_y, OneRoot(x, x, 1 / y - 1, 1 / y + 1, 1 / y)),
    ("a Lipschitz constant with a logarithm", Domain(x, y), Lipschitz(x, x, 1 + log(y) ** 2)),
    ("sides with a logarithm", Domain(y, z > 0), MassNear(z, x, ((log(y) - 1, log(y) + 1),), 2 * x)),
    ("sides with a quotient", Domain(y, z > 0), MassNear(z, x, ((1 / y - 1, 1 / y + 1),), 2 * x)),
    ("a constant at 1/y", any_y, Tends(Integer(3), x, 1 / y, 3)),
    ("a line to its own point", any_y, Tends(x - log(y), x, log(y), 0)),
    ("roots up to 1/y", Domain(y >= 0), Roots(x**2 + 1, x, 0, 0, 1 / y)),
    ("a best point log y", Domain(x, y), OnlyMaximum(-(x**2) + 2 * x * log(y), x, log(y))),
):
    false(name, nought, lambda on=on, said=said: (on, said))
false(
    "sums that settle, and log y on both sides",
    "for y ≤ 0 there is no value",
    lambda: (
        Domain(reals(P, n), n >= 1, y),
        EqualFromSomeOn(Sum(Min(P[o], t), (o, 1, n)) + log(y), Sum(P[o], (o, 1, n)) + log(y), t).by(TermsSettle(P[o])),
    ),
)
false(
    "a member with y/y",
    nought,
    lambda: (
        Domain(reals(r, n), n >= 1, y),
        MemberMean(Mul(one, r[o] - Sum(r[j], (j, 1, n)) / n, evaluate=False), r, o, n, 0).by(Exchangeable()),
    ),
)
false(
    "answers to answers about log y",
    "for y ≤ 0 there is no value",
    lambda: (any_y, AnswersAttract(Answer(x - t / 2 - log(y) / 2, x, t), log(y), half).by(ImplicitFunction(()))),
)
false(
    "exp z held fixed at log y",
    "for y ≤ 0 there is no value",
    lambda: (Domain(x, y, z), LocalMaximum(-exp(z) * x**2, x, 0, ((z, log(y)),))),
)
true("z held fixed at 1/y", lambda: (Domain(x, y > 0, z), LocalMaximum(-(1 + y * z) * x**2, x, 0, ((z, 1 / y),))))

# -- numbers of successes ----------------------------------------------------------------------------------------------
for name, why, on, member, number, value in (
    ("one over a chance of nought", "x = 0: 1 and not 2 at n = 1", chance, x ** (-k), n, (2 - x) ** n),
    ("one more power", "x = 0: no value at k = 2", chance, x ** (1 - k), n, x * (2 - x) ** n),
    (
        "one over the chance of failures",
        "x = 1: no failure, so 1, and not 2 at n = 1",
        chance,
        (1 - x) ** (k - n),
        n,
        Sum(binomial(n, k) * x**k, (k, 0, n)),
    ),
    (
        "one over both",
        "x = 0: 1 and not 2 at n = 1",
        chance,
        x ** (-k) * (1 - x) ** (k - n),
        n,
        Sum(binomial(n, k), (k, 0, n)),
    ),
    ("a square as its mean", "x = ½: 1/2 and not 1/4 at n = 1", chance, k**2, n, n**2 * x**2),
    ("log of a number that may be nought", "k = 0 has none", Domain(0 < x, x < 1), log(k), 1, Integer(0)),
):
    false(
        name, why, lambda on=on, member=member, number=number, value=value: (on, CountMean(member, k, number, x, value))
    )
true("one over a chance", lambda: (Domain(0 < x, x < 1), CountMean(x ** (-k), k, 1, x, 2 - x)))

# -- sums that SymPy writes out ----------------------------------------------------------------------------------------
alternating = Sum((-1) ** j * binomial(n, j), (j, 0, n))
false("0 to powers down to 0", "the last power is 0⁰", lambda: (some, Equal(Sum(0 ** (n - j), (j, 0, n)), 0)))
for name, why, said in (
    ("0⁰ for every number", "the last power is 0⁰: 2ᵏ", Eq(2**k * Sum(0 ** (n - j), (j, 0, n)), 0)),
    ("a sum of alternating sums", "at n = 0 it is k(k + 1)/2", Eq(Sum(j * alternating, (j, 1, k)), 0)),
):
    false(name, why, lambda said=said: (some, ForEveryNumber(said, k, 0).by(Induction())))
for name, why, on, left, right in (
    ("a symmetric binomial", "k > n: 0, and the other has no value", Domain(n >= 0, k >= 0), (n, k), (n, n - k)),
    ("Pascal at its edge", "k = 0: there is no k − 1", Domain(n >= 0, k >= 0), (n + 1, k), None),
):
    other = binomial(*right) if right else binomial(n, k) + binomial(n, k - 1)
    false(name, why, lambda on=on, left=left, other=other: (on, Equal(binomial(*left), other)))
for name, why, left, right in (
    ("the sign of a power as a power of |x|", "x = −1, k = 1", x**k, Abs(x) ** k),
    ("the next power over the base", "at x = 0 it has no value", x**k, x ** (k + 1) / x),
    ("a sign as a quotient, and powers", "at x = 0 it has no value", sign(x) ** k, (x / Abs(x)) ** k),
    ("a factor out of a product", "n = 2: x²", Product(x * (j + 1), (j, 1, n)), x * Product(j + 1, (j, 1, n))),
    ("a delta gone beside its range", "k > n: 0", Sum(KroneckerDelta(j, k) * x**j, (j, 1, n)), x**k),
    (
        "a case put outside of its sum",
        "k = 1, n = 2, x = 1: 2 and not 1",
        Sum(Piecewise((1, j <= k), (x, True)), (j, 1, n)),
        k,
    ),
    ("the first term out of none", "n = 0: 0 and not x − x", Sum(x**j, (j, 1, n)), x + Sum(x**j, (j, 2, n))),
    ("a root of a power", "x = −1, k = 1", sqrt(x ** (2 * k)), x**k),
):
    false(name, why, lambda left=left, right=right: (Domain(n >= 0, k >= 0, x), Equal(left, right)))

# -- random numbers ----------------------------------------------------------------------------------------------------
total = Sum(r[i], (i, 1, n))
for name, why, said, numbers in (
    ("a root of y", "for y < 0 there is no value", Eq(VarianceOf(sqrt(y) * total), n * y), {"variance": Integer(1)}),
    ("a variance times what undoes it", nought, Eq(VarianceOf(total / y) * y**2, n), {"variance": Integer(1)}),
    (
        "covariances with themselves none",
        "no numbers have them for y > 0",
        Eq(VarianceOf(total), n * (n - 1) * y),
        {"covariance": y * (1 - KroneckerDelta(i, j)), "other": j},
    ),
    ("a covariance below 0", "no numbers have it", Eq(VarianceOf(total), n**2 * y), {"covariance": y, "other": j}),
    ("a product of dependent numbers", "they may be equal", Eq(MeanOf(Product(r[i], (i, 1, n))), y**n), {"mean": y}),
    ("a quotient of means", "at y = 0 there is none", Eq(MeanOf(z * total) / MeanOf(total), z), {"mean": y}),
):
    false(
        name,
        why,
        lambda said=said, numbers=numbers: (Domain(y, z, n >= 1), ForRandom(said, (Random(r, i, 1, n, **numbers),))),
    )

# -- texts: what moves -------------------------------------------------------------------------------------------------
law = Domain(simplex(pi, n), reals(r, n), n >= 2, whole_reward, y)
logits = pi[o] * (r[o] - Sum(pi[o_] * r[o_], (o_, 1, n)))
moving = Texts(o, o_, n, ends=(whole_reward,), rates=((pi, logits),))
names = {"onward": (onward, onward_2, onward_3), "rates": (onward_rate, onward_rate_2), "rest": (u, v, t)}
others = Sum(Product(pi[o], (o, 1, j - 1)) * Product(pi[o], (o, j + 1, n)), (j, 1, n))
for name, why, said in (
    (
        "a product over all tokens that moves",
        "n = 2: π₁π₂ moves by its own slopes, not by that of the token",
        OnTexts(Gradient(TextSum(Product(pi[o], (o, 1, n)), o)), TextSum(logits * others, o), moving),
    ),
    (
        "a sum over all tokens that moves",
        "it is 1 and stays",
        OnTexts(Gradient(TextSum(Sum(pi[o], (o, 1, n)), o)), TextSum(logits, o), moving),
    ),
    (
        "a rate with 1/y, times y",
        nought,
        OnTexts(
            y * TextRate(TextMean(whole_reward, pi)),
            TextMean(whole_reward * TextSum(logits / pi[o], o), pi),
            Texts(o, o_, n, ends=(whole_reward,), rates=((pi, logits / y),)),
        ),
    ),
    ("a reward times y/y", nought, OnTexts(TextMean(times(one, whole_reward), pi), TextMean(whole_reward, pi), moving)),
    (
        "means that cancel 1/y",
        nought,
        OnTexts(
            TextMean(whole_reward, pi) * (1 / y + 1) - TextMean(whole_reward, pi) / y,
            TextMean(whole_reward, pi),
            moving,
        ),
    ),
):
    false(name, why, lambda said=said: (law, said.by(OverTokens(**names))))
true(
    "a power of what moves, with a binomial coefficient",
    lambda: (
        Domain(reals(P, n), reals(r, n), n >= 2),
        OnTexts(
            Gradient(TextSum(binomial(n, o) * P[o] ** 3, o)),
            TextSum(3 * binomial(n, o) * P[o] ** 2 * r[o], o),
            Texts(o, o_, n, rates=((P, r[o]),)),
        ).by(OverTokens(rest=(u, v, t))),
    ),
)

# -- what SymPy decides of a product without factors, of sums, and of what cancels ------------------------------------
powers, zeros = Product(x, (j, 1, n)), Product(Integer(0), (j, 1, n))
empty = "without factors a product is 1"
for name, why, on, said in (
    ("a value that |∏ x| + x takes", empty, some, TakesValue(Abs(powers) + x, x, 0, 1, half)),
    (
        "the largest beyond an end 1 − ∏ 0",
        empty,
        Domain(Le(x, 1 - zeros, evaluate=False), n >= 0),
        OnlyMaximum(-((x - 1) ** 2), x, 1),
    ),
    (
        "∏ 0 put for a number that is 0",
        empty,
        Domain(Eq(z, zeros), n >= 0),
        Always(z <= 0).by(
            InLetters(Always(z <= 0), Domain(Eq(powers, 0, evaluate=False), Eq(z, powers), n >= 0), {x: Integer(0)})
        ),
    ),
    (
        "a covariance x⁻ⁱx⁻ʲ",
        "for x = 0 the variance is that of the first",
        Domain(x, n >= 1),
        ForRandom(
            Eq(VarianceOf(Sum(x**i * r[i], (i, 0, n))), (n + 1) ** 2),
            (Random(r, i, 0, n, covariance=x ** (-i) * x ** (-j), other=j),),
        ),
    ),
    (
        "means in which log y cancels",
        "for y ≤ 0 there is no value",
        Domain(y, z, n >= 1),
        ForRandom(
            Eq(MeanOf((log(y) + 1) * Sum(r[i], (i, 1, n)) - Sum(r[i], (i, 1, n)) * log(y)), n * z),
            (Random(r, i, 1, n, mean=z),),
        ),
    ),
    (
        "an answer at log y",
        "for y ≤ 0 there is no value",
        any_y,
        AnswerMoves(Answer(x - t, x, t), log(y), 1, log(y)).by(ImplicitFunction(())),
    ),
    ("a limit superior of y/y xₖ", nought, Domain(y, z), LimSup(times(one, P[k]), k, z, ((P[k], z),))),
):
    false(name, why, lambda on=on, said=said: (on, said))

# -- numbers that a rule is given, or puts in, without a value; members that a family has not -------------------------
strength = 2 * sign(y) ** 2
some_numbers = Domain(reals(P, n), n >= 1)
for name, why, on, said in (
    ("the largest at 1/y", nought, Domain(x, y), OnlyMaximum(-((x * y - 1) ** 2), x, 1 / y).by(RiseAndFall())),
    (
        "a tangent at 1/y",
        "for y = 0 it is 0",
        any_y,
        Always(strength >= 1).by(Tangent(y**2 * (strength - 1) * x**2, x, Domain(x, y), 1 / y, Integer(0))),
    ),
    (
        "an answer at the number after the last",
        "there is none",
        some_numbers,
        AnswerMoves(Answer(x - t, x, t), P[n + 1], 1, P[n + 1]).by(ImplicitFunction(())),
    ),
):
    false(name, why, lambda on=on, said=said: (on, said))
