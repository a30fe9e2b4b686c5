"""Numbers that rules are given without a value, limits of sums, examples that are none, members that there are not."""

from __future__ import annotations

from sympy import tanh

from grpo_symbolic.paper import *

from . import claimed, false, true

powers, later = Product(x, (j, 1, n)), Product(x, (j, 2, n))
plane, line = Domain(x, y), Domain(y)
sample = Domain(simplex(P, n), n >= 1)
halves = {P: [Rational(1, 4), Rational(3, 4)], n: 2}

# -- limits of sums and products, of which the number of parts decides -----------------------------------------------

for name, why, domain, statement in (
    ("a product beside its first factor", "n = 1: the half", n >= 1, lambda: Tends(x / (x + powers), x, oo, 0)),
    ("a product that may be empty", "n = 1: it is 1", n >= 1, lambda: Tends(later, x, oo, oo)),
    ("one over a product that may be empty", "n = 1: it is 1", n >= 1, lambda: Tends(1 / later, x, oo, 0)),
    ("a product of none at 0", "n = 0: it is 1", n >= 0, lambda: Tends(powers, x, 0, 0)),
    ("a sum that may be empty", "n = 1: it is 0", n >= 1, lambda: Tends(Sum(x, (j, 2, n)), x, oo, oo)),
    ("exp of a sum that may be empty", "n = 1: it is 1", n >= 1, lambda: Tends(exp(-Sum(x, (j, 2, n))), x, oo, 0)),
    ("tanh of an empty sum", "n = 0: it is 0", n >= 0, lambda: Tends(tanh(Sum(x, (j, 1, n))), x, oo, 1)),
    ("x beside an empty sum", "n = 0: it is 1", n >= 0, lambda: Tends(x / (x + Sum(x**2, (j, 1, n))), x, oo, 0)),
    (
        "x times a product of noughts",
        "n = 0: it is x",
        n >= 0,
        lambda: Tends(x * Product(Integer(0), (j, 1, n)), x, oo, 0),
    ),
    ("a product of one over x", "n = 0: it is 1", n >= 0, lambda: Tends(Product(1 / x, (j, 1, n)), x, oo, 0)),
    (
        "a geometric series at its end",
        "x = 1: it grows",
        (x > 0) & (x <= 1),
        lambda: Tends(Sum(x**j, (j, 0, k)), k, oo, 1 / (1 - x)),
    ),
    (
        "powers that need not vanish",
        "x = 1: they are 1",
        (x > 0) & (x <= 1),
        lambda: Tends(Product(x, (j, 1, k)), k, oo, 0),
    ),
    ("powers that need not grow", "x = 1/2: they vanish", x > 0, lambda: Tends(Product(x, (j, 1, k)), k, oo, oo)),
):
    false(name, why, lambda domain=domain, statement=statement: (Domain(domain), statement()))

# -- parameters of rules, and what they suppose, without a value -----------------------------------------------------

rises = Monotone(y * x, x, 1)
false(
    "two pieces that meet nowhere",
    "y = −1: log y is no number",
    lambda: (plane, rises.by(TwoPieces(log(y), y * x, y * x))),
)
false("a point that is no number", "y = −1: it falls", lambda: (plane, rises.by(ButForAPoint(log(y)))))
false(
    "two pieces that meet at 1/y",
    "y = 0: it is constant",
    lambda: (plane, Monotone(Abs(y) * x, x, 1).by(TwoPieces(1 / y, Abs(y) * x, Abs(y) * x))),
)
false(
    "bounds from a logarithm on",
    "y = −1: it tends to 2",
    lambda: (line, Tends(Abs(y) - y + 1 / x, x, oo, 0).by(Squeezed(Integer(0), 1 / x, log(y)))),
)
false(
    "bounds from 1/y on",
    "y = 0: it is 1",
    lambda: (line, Tends(1 - Abs(sign(y)), x, oo, 0).by(Squeezed(Integer(0), Integer(0), 1 / y))),
)
false(
    "a turn at a root",
    "y = −1: two intervals",
    lambda: (Domain(Ne(y, 0)), OneInterval(-y * (x - y) ** 2, x, -10, 10).by(RisesAndFalls(sqrt(y) ** 2))),
)
false(
    "it falls and rises around 1/y",
    "y = 0: −1",
    lambda: (plane, AtLeast((x * y - 1) ** 2 - 2 * (sign(y) ** 2 - 1) * (x * y - 1), 0).by(FallAndRise(x, 1 / y))),
)
false(
    "an answer where two branches meet",
    "y = 0: x + |x| = z has none for z < 0",
    lambda: (
        line,
        AnswerMoves(Answer(x + sqrt(x**2 + y**2) - Abs(y) - z, x, z), Integer(0), Integer(1), Integer(0)).by(
            ImplicitFunction(())
        ),
    ),
)
square = Always(y**2 > 0)
false(
    "a lemma on 1/u, weakly",
    "y = 0",
    lambda: (line, square.by(InLetters(Always(u**2 > 0), Domain(x / u <= 1), {x: Integer(0), u: y}))),
)
false(
    "a lemma on 1/u, but for one value",
    "y = 0",
    lambda: (line, square.by(InLetters(Always(u**2 > 0), Domain(Ne(x / u, 1)), {x: Integer(0), u: y}))),
)


def cited(domain, said, values, on, conclusion):
    """A claim, and what follows from it at values."""

    def write():
        base = claimed(domain, said, id="base")
        return [claimed(on, conclusion.by(Follows((at(base, values),))), depends_on=["base"]), base]

    return write


false(
    "cited beside a root",
    "x = −1",
    cited(Domain(x, y, sqrt(x) * y < 1), Always(x >= 0), {y: 0}, Domain(x), Always(x >= 0)),
)
false(
    "cited at a power that need not be whole",
    "n = −1: 1/2",
    cited(Domain(k > 0), Always(k >= 1), {k: 2**n}, Domain(n), Always(2**n >= 1)),
)

# -- numbers out of range -------------------------------------------------------------------------------------------

false(
    "means that one number lacks",
    "i = 0: log 0",
    lambda: (
        Domain(n >= 0),
        ForRandom(Eq(MeanOf(Sum(r[i] - log(i), (i, 0, n))), 0), (Random(r, i, 0, n, mean=log(i)),)),
    ),
)
false(
    "factors that one number lacks",
    "i = 0: 1/0",
    lambda: (Domain(n >= 0), ForRandom(Eq(MeanOf(Sum(r[i] / i, (i, 0, n))), n + 1), (Random(r, i, 0, n, mean=i),))),
)
false(
    "a mean that lies nowhere",
    "k > n: no such number",
    lambda: (
        Domain(reals(P, n), n >= 1, k),
        ForRandom(Eq(MeanOf(Sum(r[i], (i, 1, n)) - Sum(P[k], (i, 1, n))), 0), (Random(r, i, 1, n, mean=P[k]),)),
    ),
)
false(
    "a density that lies nowhere",
    "k > n: no such number",
    lambda: (Domain(reals(P, n), n >= 1, k), MassNear(P[k] ** 2 + 1, z, ((0, 1),), z)),
)
false(
    "successes that count nothing there is",
    "k > n: no such number",
    lambda: (Domain(reals(P, n), n >= 1, k, x >= 0, x <= 1), CountMean(P[k], j, 2, x, P[k])),
)
false(
    "an answer at a reversed sum",
    "k = −2",
    lambda: (
        Domain(k),
        AnswerMoves(Answer(x - z, x, z), Sum(j, (j, 1, k)), Integer(1), Sum(j, (j, 1, k))).by(ImplicitFunction(())),
    ),
)

# -- examples that are none -----------------------------------------------------------------------------------------

for name, why, domain, formula, point in (
    ("an entry after the last", "P has two", sample, P[o] > 0, {**halves, o: 3}),
    ("an entry before the first", "there is no number 0", sample, P[o] > 0, {**halves, o: 0}),
    ("an entry with a negative number", "there is none", sample, P[n - 3] > 0, halves),
    ("a sum from 0", "there is no number 0", sample, Sum(P[o], (o, 0, n)) > 0, halves),
    ("a sum that runs backwards", "from 4 to 2", sample, Sum(P[o], (o, n + 2, n)) <= 0, halves),
    ("a slope at a bend", "|x| has none at 0", Domain(x), Derivative(x * Abs(y), y) >= 0, {x: 1, y: 0}),
    (
        "a slope at an end",
        "not differentiable on both sides",
        Domain(x >= 0),
        Derivative(x ** Rational(3, 2), x) <= 0,
        {x: 0},
    ),
    ("a part without a value", "1/0", Domain(x), Or(x >= 0, 1 / x > 0), {x: 0}),
    ("0 to a negative power", "1/0", Domain(x, k), x**k >= 1, {x: 0, k: -1}),
    ("half a number of entries", "1/2 is not whole", Domain(n >= 1), n**2 < 1, {n: Rational(1, 2)}),
    ("a quotient of the domain", "0/0", Domain(x / y < 1), Eq(y, 0), {x: 0, y: 0}),
    ("a logarithm of the domain", "log 0", Domain(x * log(y) < 1), Eq(y, 0), {x: 0, y: 0}),
    ("an entry of the domain", "there is no second", Domain(reals(P, n), n >= 1, P[2] > 0), n <= 1, {P: [1], n: 1}),
):
    false(f"example: {name}", why, lambda domain=domain, formula=formula, point=point: (domain, Exists(formula, point)))
false("example: outside of a case", "−2 < 0", lambda: (Domain(x), When(x > 0, Exists(x**2 > 1, {x: -2}))))

# -- numbers without end, and roots ---------------------------------------------------------------------------------

false(
    "a product of none",
    "k = 0, x = 0: 1 ≤ 0",
    lambda: (Domain(x >= 0), ForEveryNumber(Product(x, (j, 1, k)) <= x, k, 0).by(Induction())),
)
false(
    "0 to the power 0",
    "k = 0, x = 1",
    lambda: (Domain(x), ForEveryNumber(Integer(0) ** k * x <= 0, k, 0).by(Induction())),
)
false("a root where the function vanishes", "y = 0: all x", lambda: (line, Roots(y * x - y, x, 1, 0, 2)))
false("a root up to an end that is none", "y = 0", lambda: (line, Roots(x - 1, x, 1, 0, 2 + 1 / y)))
false("a root at the end", "n = 1: P(1) = 1", lambda: (sample, Roots(x - P[1], x, 1, 0, 1)))

true(
    "a mean of numbers from 1 on",
    lambda: (Domain(n >= 1), ForRandom(Eq(MeanOf(Sum(i * r[i], (i, 1, n))), n), (Random(r, i, 1, n, mean=1 / i),))),
)
true("a point that is a number", lambda: (Domain(x, y > 0), Monotone(x * y**2, x, 1).by(ButForAPoint(1 / y))))
true("above a tangent at 1/y", lambda: (Domain(x, y > 0), AtLeast((x * y - 1) ** 2, 0).by(AboveTangent(x, 1 / y))))
