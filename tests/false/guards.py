"""What is asked in some cases only and what is put in there; members that a family has not; examples beside them."""

from __future__ import annotations

from sympy import Pow, tanh

from grpo_symbolic.paper import *
from grpo_symbolic.proof.derivation import Step
from grpo_symbolic.proof.statements.obligation import Identity

from . import claimed, false, true

line, many = Domain(x), Domain(reals(P, n), n >= 1)
beside = Domain(x, z, reals(P, n), n >= 1)


# -- an example at which a part has no value ---------------------------------------------------------------------------
for name, why, on, said, point in (
    ("one of two, where the other has none", "1/0", line, Or(x < 1, 1 / x > 2, evaluate=False), {x: 0}),
    ("what follows from nothing", "1/0", line, Implies(1 / x > 2, x < 1, evaluate=False), {x: 0}),
    (
        "what follows from two",
        "1/0",
        line,
        Implies(And(x > 1, 1 / x > 2, evaluate=False), x < 1, evaluate=False),
        {x: 0},
    ),
    ("not both", "1/0", line, Not(And(x > 1, 1 / x > 2, evaluate=False), evaluate=False), {x: 0}),
    ("the greatest of two", "1/0", line, Max(2, 1 / x) >= 2, {x: 0}),
    ("a bounded function of it", "1/0", line, tanh(1 / x) < 2, {x: 0}),
    ("an exponential that goes to nought", "1/0", line, Eq(exp(-1 / x**2), 0, evaluate=False), {x: 0}),
    ("a sum that runs backwards", "from 5 to 2", Domain(n >= 0), Sum(j, (j, 5, n)) < 1, {n: 2}),
    ("a sum over nought", "1/0 is one of its terms", Domain(n >= 0), Sum(1 / j, (j, 0, n)) < 9, {n: 2}),
    ("an entry after the last", "there are two", many, P[n + 1] < 1, {n: 2, P: [0, 0]}),
    ("nought times no entry", "there are two", Domain(x, reals(P, n)), x * P[n + 1] < 1, {n: 2, P: [0, 0], x: 0}),
    ("an entry of any number", "k is not said", many, P[k] < 1, {n: 2, P: [0, 5]}),
    ("an entry with the number nought", "there are two", many, P[k] < 1, {n: 2, P: [0, 0], k: 0}),
    ("no entries", "n is 1 and more", many, Eq(Sum(P[j], (j, 1, n)), 0), {n: 0, P: []}),
    (
        "a law that adds up to less",
        "its sum is 5/6",
        Domain(simplex(pi, n)),
        pi[1] > 0,
        {n: 2, pi: [Rational(1, 2), Rational(1, 3)]},
    ),
    ("a law without full support", "an entry is 0", Domain(simplex(pi, n)), pi[1] > 0, {n: 2, pi: [1, 0]}),
    ("too few entries", "n is 3", Domain(reals(P, n)), Eq(Sum(P[j], (j, 1, 2)), 0), {n: 3, P: [0, 0]}),
    ("a root of what is negative", "√−1", line, sqrt(x) >= 0, {x: -1}),
    ("a cube root of what is negative", "it has none here", line, Eq(x ** Rational(1, 3), -1, evaluate=False), {x: -1}),
    ("nought to the power nought", "of real exponents", Domain(x, y), Eq(x**y, 1, evaluate=False), {x: 0, y: 0}),
    ("nought to the power minus one", "1/0", Domain(x, k), Eq(x**k, 0, evaluate=False), {x: 0, k: -1}),
    ("a product of no factors", "it is 1", Domain(n >= 0), Eq(Product(x, (j, 1, n)), 0, evaluate=False), {n: 0, x: 0}),
    ("a domain of two kinds", "1/0", Domain(Or(x >= 0, 1 / x > 2, evaluate=False)), x**2 < 1, {x: 0}),
    ("a domain that supposes", "1/0", Domain(Implies(1 / x > 2, x >= 0, evaluate=False)), x**2 < 1, {x: 0}),
    ("a delta over nought", "0/0", line, KroneckerDelta(k, 0) / x < 1, {x: 0, k: 1}),
):
    false(name, why, lambda on=on, said=said, point=point: (on, Exists(said, point)))

# -- what is put in ----------------------------------------------------------------------------------------------------
guarded = And(x / z < 1, Or(z > 0, 1 / z < 1, z <= 0, evaluate=False), evaluate=False)


def put(lemma: object, on: Domain, values: dict[object, object], said: object) -> tuple[Domain, object]:
    """A lemma in letters, at these values."""
    return Domain(y), said.by(InLetters(lemma, on, values))


false(
    "a quotient that vanishes beside an alternative",
    "at y = 0 it is 0",
    lambda: put(Always(z**2 > 0), Domain(guarded), {x: 0, z: y}, Always(y**2 > 0)),
)
false(
    "the square of a root",
    "y may be negative",
    lambda: put(Always(z >= 0), Domain(Eq(x**2, z), x), {x: sqrt(y), z: y}, Always(y >= 0)),
)


def cited(on: Domain, said: object, values: dict[object, object], there: Domain) -> list[object]:
    """A claim at values of its letters, as a claim on another domain."""
    base = claimed(on, said, id="base")
    return [claimed(there, said.by(Follows((at(base, values),))), id="a", depends_on=("base",)), base]


logs = And(x * log(y) < 1, Implies(y > 0, log(y) ** 2 >= 0, evaluate=False), evaluate=False)
false(
    "a logarithm beside one in its case",
    "y may be negative",
    lambda: cited(Domain(logs), Always(y > 0), {x: 0}, Domain(y)),
)

# -- answers near a place, what is held fixed, and largest values ------------------------------------------------------


def near(body: object, at: object, slope: object, where: object, region: tuple[object, ...] = ()) -> object:
    """That an answer moves at a rate."""
    return AnswerMoves(Answer(body, x, z), at, slope, where).by(ImplicitFunction(region))


def kinked(q: object) -> object:
    """One answer where a number is not nought; where it is, two or none."""
    return x + sqrt(x**2 + q**2) - Abs(q) - z


cases = Piecewise((1 / y, Ne(y, 0)), (0, True))
false("a region of an entry", "P(1) may be 0", lambda: (many, near(kinked(P[1]), 0, 1, 0, (x / P[1] < 1,))))
false("a region beside its case", "y may be 0", lambda: (Domain(y), near(kinked(y), 0, 1, 0, (x / y - cases**2 < 1,))))
false(
    "a region with a condition",
    "y may be 0",
    lambda: (Domain(y), near(kinked(y), 0, 1, 0, (And(x / y < 1, Implies(y > 0, 1 / y > 0)),))),
)
false("near one over an entry", "P(k) may be 0", lambda: (many, near(x - z, 1 / P[k], 1, 1 / P[k])))
false("near a sum up to any number", "k is not said", lambda: (many, near(x - z, Sum(P[j], (j, 1, k)), 1, z)))
for name, said in (
    ("held fixed beside the logarithm of an entry", LocalMaximum(-(x**2) + z * x * log(P[1]), x, 0, ((z, 0),))),
    ("held fixed over an entry", LocalMaximum(-(x**2) + z * x / P[1], x, 0, ((z, 0),))),
    ("held fixed over any entry", LocalMaximum(-(x**2) + z * x / P[k], x, 0, ((z, 0),))),
):
    false(name, "the entry may be 0", lambda said=said: (beside, said))
false(
    "held fixed at an entry after any other",
    "of the last there is none",
    lambda: (beside, LocalMaximum(-(x**2) * (1 + z**2), x, 0, ((z, P[k + 1]),))),
)
false(
    "largest at one over an entry",
    "at P(1) = 0 it is constant",
    lambda: (beside, OnlyMaximum(-((x * P[1] - 1) ** 2), x, 1 / P[1]).by(RiseAndFall())),
)
false(
    "one interval about one over an entry",
    "at P(1) = 0 there are two",
    lambda: (
        many,
        OneInterval(-((x * P[1] - 1) ** 2) + (1 - sign(P[1]) ** 2) * x**2, x, -1, 1).by(RisesAndFalls(1 / P[1])),
    ),
)

# -- an entry after one of any number ----------------------------------------------------------------------------------
for name, said in (
    ("rises", Monotone(x + P[k + 1], x, 1)),
    ("tends to nought", Tends(x * P[k + 1], x, 0, 0)),
    ("is largest there", OnlyMaximum(-((x - P[k + 1]) ** 2), x, P[k + 1])),
):
    false(f"an entry after any other: {name}", "of the last there is none", lambda said=said: (beside, said))
false("weights after the last", "there is no P(n + 1)", lambda: (many, SolvedSeparately(1 + P[j + 1] ** 2, j, n)))
false("weights before the first", "there is no P(0)", lambda: (many, SolvedSeparately(1 + P[j - 1] ** 2, j, n)))
false("weights over nought", "the first is 1/0", lambda: (many, SolvedSeparately(1 / (j - 1) ** 2, j, n)))
sums = Eq(Sum(j, (j, 1, k)) + P[k + 1], k * (k + 1) / 2 + P[k + 1], evaluate=False)
false("induction past the last", "there is no P(n + 1)", lambda: (many, ForEveryNumber(sums, k, 0).by(Induction())))


def spread(mean: object) -> ForRandom:
    """The variance of a sum of random numbers with this mean."""
    numbers = Random(r, o, 1, n, mean=mean, other=j, covariance=v * KroneckerDelta(o, j))
    return ForRandom(Eq(VarianceOf(Sum(r[o], (o, 1, n))), n * v), (numbers,))


law = Domain(reals(P, n), n >= 1, v > 0)
false("random numbers of means that there are not", "there is no P(n + 1)", lambda: (law, spread(P[o + 1])))
true("random numbers of means", lambda: (law, spread(P[o])))
true("near an entry", lambda: (many, near(x - z, P[1], 1, P[1])))
true(
    "the mean of random numbers",
    lambda: (law, ForRandom(Eq(MeanOf(Sum(r[o], (o, 1, n))), n * v), (Random(r, o, 1, n, mean=v),))),
)


# -- what SymPy loses is asked where it was asked, and not in one case, after an implication or within a sum only ----
any_y, some = Domain(y), Domain(reals(P, n), n >= 1)
inverse, at_one = Piecewise((1 / y, Ne(y, 0)), (0, True)), Piecewise((1 / P[1], Ne(P[1], 0)), (0, True))
after = And(x / z < 1, Implies(z > 0, 1 / z > 0, evaluate=False), evaluate=False)


def _near(number, where=some):
    return lambda: (where, AnswerMoves(Answer(x - z, x, z), number, 1, number).by(ImplicitFunction(())))


def _square_by(where, values, on=any_y, of=y, letter=z):
    return lambda: (on, Always(of**2 > 0).by(InLetters(Always(letter**2 > 0), where, values)))


false("a divisor after an implication", "y = 0", _square_by(Domain(after), {x: Integer(0), z: y}))
false(
    "a divisor in a sum that may be empty",
    "y = 0, where n = 0",
    _square_by(Domain(x / z + Sum(1 / z, (j, 1, n)) < 1, n >= 0), {x: Integer(0), z: y}, Domain(y, n >= 0)),
)
false(
    "what is held fixed, beside a case of its divisor",
    "y = 0",
    lambda: (Domain(x, y, z), LocalMaximum(-(x**2) * (1 + inverse**2) + z * x / y, x, 0, ((z, 0),))),
)
false("an answer at the number after one of which nothing is said", "for n = 1 there is none", _near(P[k + 7]))
false("an answer at a sum from a letter of which nothing is said", "it may run backwards", _near(Sum(j, (j, k, n))))
false(
    "a mean that the last random number has not",
    "there is no P(n + 1)",
    lambda: (
        Domain(reals(P, n), n >= 1, v),
        ForRandom(Eq(MeanOf(Sum(r[i] - r[i], (i, 1, n)) + v), v), (Random(r, i, 1, n, mean=P[i + 1]),)),
    ),
)
false(
    "an answer near which a region has no value at a member of a family",
    "P(1) = 0",
    lambda: (
        some,
        AnswerMoves(
            Answer(x * (1 + at_one**2) + x**2 / P[1] - z, x, z), Integer(0), 1 / (1 + at_one**2), Integer(0)
        ).by(ImplicitFunction((x / P[1] - at_one**2 < 1,))),
    ),
)


# -- steps that owe something else --------------------------------------------------------------------------------
def _beside_its_domain():
    d = Derivation("an equal form", line)
    d.start(Abs(x))
    d.steps.append(Step("rewrite", x, "an equal form", (Identity(Domain(x > 0), Abs(x), x),)))
    return claimed(line, Equal((x + 1) ** 2, x**2 + 2 * x + 1), by=d)


def _forged(name, result, obligation, puts_in=3):
    d = Derivation("a forged step", line)
    d.start(x**2)
    d.steps.append(Step(name, result, "x = 57", (obligation,), ((x, Integer(puts_in)),)))
    return claimed(line, Equal((x + 1) ** 2, x**2 + 2 * x + 1), by=d)


false("a step for positive numbers only", "|x| is not x for x < 0", _beside_its_domain)
false(
    "a step that is called a derivative",
    "the slope of x² is 2x, and what is owed is another identity",
    lambda: _forged("differentiate", x**7, Identity(line, (x + 1) ** 2 * x**7, x**7 * (x**2 + 2 * x + 1))),
)
false(
    "a step that is called a root",
    "x² has no root 5",
    lambda: _forged("solve", Integer(5), Identity(line, (x + 5) ** 2 - x**2 - 10 * x, Integer(25))),
)
for puts_in in (3, 5):
    false(
        f"a step that puts in {puts_in}, and says another number",
        "it says 57",
        lambda a=puts_in: _forged(
            "restrict", Integer(a**2), Identity(line, Pow(a, 2, evaluate=False), Integer(a**2)), a
        ),
    )
