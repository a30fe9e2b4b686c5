"""What may be cited, put in or held fixed, and where: entries that there are not, values that there are not."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false

above, many = Always(P[k] ** 2 + 1 >= P[k]), Domain(reals(P, n), n >= 1)
nought = Mul(0, 1 / y, evaluate=False)
laws = Domain(simplex(pi, n), simplex(ref, n), n >= 2)
divergence = Sum(pi[o] * log(pi[o] / ref[o]), (o, 1, n))
gibbs = Gibbs((Divergence(pi[o], ref[o], o, 1, n),))
squares = Sum((P[o] - r[o]) ** 2, (o, 1, n))


def _cited(on, said, domain, conclusion, values):
    base = claimed(on, said, id="base")
    return [claimed(domain, conclusion.by(Follows((at(base, values),))), depends_on=("base",)), base]


for name, why, on, said, domain, conclusion, values in (
    ("cited at what has no value", "y may be 0", Domain(x), Always(x**2 + 1 >= x), Domain(y), Ne(y, 0), {x: 1 / y}),
    ("cited at a number out of range", "j may be 0", many, above, Domain(reals(P, n), n >= 1, j), j >= 1, {k: j}),
    (
        "cited for a member that a disjunction saves",
        "k may be 0, and P(1) too",
        many,
        above,
        Domain(reals(P, n), n >= 1, k),
        Or(k >= 1, P[1] > 3),
        {},
    ),
    (
        "cited for a family of another size",
        "n members of n + 1 have a smaller sum",
        Domain(simplex(P, n), n >= 1),
        Always(Sum(P[o], (o, 1, n)) >= 1),
        Domain(simplex(P, n + 1), n >= 1),
        Sum(P[o], (o, 1, n)) >= 1,
        {n: n + 1},
    ),
    (
        "cited at a root that there is not",
        "y may be negative",
        Domain(x >= 0),
        Always(sqrt(x) + x + 1 > 0),
        Domain(y),
        y >= 0,
        {x: y},
    ),
):
    false(
        name,
        why,
        lambda on=on, said=said, domain=domain, conclusion=conclusion, values=values: _cited(
            on, said, domain, Always(conclusion), values
        ),
    )

for name, why, domain, conclusion, first in (
    ("shown first where it has no value", "x may be 0", Domain(x), Ne(x, 0), Equal(Mul(x, 1 / x, evaluate=False), 1)),
    ("shown first of a number of a family", "k may be 0", Domain(reals(P, n), n >= 1, k), k >= 1, above),
    ("shown first of a member that there need not be", "n may be 0", Domain(reals(P, n), n >= 0), n >= 1, above),
    (
        "a letter that only what is shown first takes for a number",
        "k may be n + 1",
        many,
        Sum(KroneckerDelta(j, k), (j, 1, n)) >= 1,
        above,
    ),
):
    false(
        name,
        why,
        lambda domain=domain, conclusion=conclusion, first=first: (domain, Always(conclusion).by(Then((first,)))),
    )

false(
    "a lemma in letters at what has no value",
    "y may be 0",
    lambda: (Domain(y), Always(Ne(y, 0)).by(InLetters(Always(x**2 + 1 >= x), Domain(x), {x: 1 / y}))),
)

for name, why, said in (
    ("a maximum at 0/y", "y may be 0", LocalMaximum(-(x**2), x, nought)),
    ("an attractor at 0/y", "y may be 0", Attracts(x / 2, x, nought)),
    (
        "a start at 0/y",
        "y may be 0",
        ConvergesToFixedPoint(Iteration(x / 2, x, nought), -1, 1).by(Contraction(Derivative(x / 2, x).doit())),
    ),
):
    false(name, why, lambda said=said: (Domain(y), said))
false("the only maximum at 0/y", "y may be 0", lambda: (Domain(y, x > -2, x < 2), OnlyMaximum(-(x**2), x, nought)))

for name, why, on, said, rule in (
    ("no divergence where one member agrees", "the others may differ", laws, Eq(pi[1], ref[1]), gibbs),
    (
        "no divergence where a member of the domain agrees",
        "the others may differ",
        laws.also(1 <= k, k <= n),
        Eq(pi[k], ref[k]),
        gibbs,
    ),
):
    false(name, why, lambda on=on, said=said, rule=rule: (on, AtLeast(divergence, 0, (said,)).by(rule)))
false(
    "no squares where a member of the domain agrees",
    "the others may differ",
    lambda: (
        Domain(reals(P, n), reals(r, n), n >= 2, 1 <= k, k <= n),
        AtLeast(squares, 0, (Eq(P[k], r[k]),)).by(TermByTerm((squares,))),
    ),
)
false(
    "slopes at a maximum where one number is held fixed",
    "with z = π(1) it is r that is the same for all answers",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), n >= 2, lam, z),
        MaximaSatisfy(Sum((r[o] + z) * pi[o], (o, 1, n)), pi, o, Eq(r[o] + pi[o], r[1] + pi[1]), ((z, pi[1]),)).by(
            EqualSlopes(Summand((r[o] + z) * x, x, pi, o, n), r[o] + z, lam, r, lam - pi[1])
        ),
    ),
)

# -- what is held fixed, and where its value comes from ----------------------------------------------------------------
slopes = (simplex(pi, n), reals(r, n), n >= 2, lam, z)


def best(summand, condition, held, answer):
    """What every maximum of Σ (summand)·π satisfies, where something is held fixed."""
    rule = EqualSlopes(Summand(summand * x, x, pi, o, n), summand, lam, r, answer)
    return MaximaSatisfy(Sum(summand * pi[o], (o, 1, n)), pi, o, condition, (held,)).by(rule)


false(
    "one entry held fixed, taken for all of a family",
    "n = k = 2: P(1) need not be z",
    lambda: (Domain(*slopes, reals(P, n), 1 <= k, k <= n), best(r[o], Eq(P[1], z), (P[k], z), lam)),
)
false(
    "more numbers held fixed than there are answers",
    "P(n + 1) is none of those that are said to be z",
    lambda: (Domain(*slopes, reals(P, n + 1)), best(r[o], Eq(P[n + 1], z), (P[o], z), lam)),
)
false(
    "one letter held fixed at another number for each answer",
    "for r = 0 every policy is a maximum, and r(2) + 2 is not r(1) + 1",
    lambda: (Domain(*slopes), best(r[o] + z, Eq(r[o] + o, r[1] + 1), (z, o), lam - o)),
)
false(
    "one entry held fixed where all are said to be, at a maximum",
    "P(1) need not be z",
    lambda: (Domain(reals(P, n), n >= 2, 1 <= k, k <= n, z), LocalMaximum(-((x - P[1]) ** 2), x, z, ((P[k], z),))),
)
false(
    "all of a family held fixed, and one of it at another value",
    "P(1) is 1 and 2",
    lambda: (Domain(reals(P, n), n >= 2), LocalMaximum(-((x - P[1]) ** 2), x, 2, ((P[1], 1), (P[k], 2)))),
)


def put_into_all():
    """P(1) + z + P(n + 1), where every P is z."""
    d = Derivation("all of them", Domain(reals(P, n), n >= 1, z))
    three = d.restrict(d.start(P[1] + z + P[n + 1]), {P[o]: z})
    return claimed(d.domain, Equal(three, 3 * z), by=d)


false("an entry that there is not, with all that there are", "there is no P(n + 1)", put_into_all)


square = Sum((P[o] - y) ** 2, (o, 1, n))
squared = claimed(
    Domain(reals(P, n), n >= 1, y), AtLeast(square, 0, equality=[Eq(P[o], y)]).by(TermByTerm((square,))), id="base"
)
false(
    "cited at another number, with a condition in a list",
    "at n = 1, P(1) = x = 0 and y = 1 there is equality, and P(1) is not y",
    lambda: [
        claimed(
            Domain(reals(P, n), n >= 1, x, y),
            ForRandom(
                MeanOf(Sum(r[i], (i, 1, n))) >= 0, (Random(r, i, 1, n, mean=(P[i] - x) ** 2),), equality=[Eq(P[o], y)]
            ).by(Linearity(given=(at(squared, {y: x}),))),
            depends_on=("base",),
        ),
        squared,
    ],
)


def _through_a_definition():
    """What rests on a claim that owes nothing, since it cites all that its rule asks for, one of it false."""
    line = Domain(x)
    gap = claimed(line, Equal((x + 1) ** 2 - (x**2 + 1), 2 * x), id="gap")
    wrong = claimed(line, Always(x > 0), id="wrong", expect="refuted")
    larger = Always((x + 1) ** 2 > x**2 + 1).by(PositiveFactors(2, x, given=(gap, wrong)))
    between = claimed(line, larger, id="between", depends_on=("gap", "wrong"), expect="definition")
    after = Always(x > -1).by(Follows(given=(between,)))
    return [claimed(line, after, depends_on=("between",)), between, wrong, gap]


false("what a false claim implies, by one that owes nothing", "it fails at −2", _through_a_definition)


def _forged():
    """A claim that is cited as one of its name with a step that the file does not register, from claims nobody does."""
    line, squares = Domain(x), Always(x**2 - x + 1 > 0)
    gap = claimed(line, Equal((x + 1) ** 2 - (x**2 + 1), 2 * x), id="gap")
    ghost = claimed(line, Always(x > 0), id="ghost")
    step = Always((x + 1) ** 2 > x**2 + 1).by(PositiveFactors(2, x, given=(gap, ghost)))
    forged = claimed(line, squares, id="good", because=(step,), depends_on=("gap", "ghost"))
    after = Always(x > -1).by(Follows(given=(forged,)))
    return [claimed(line, after, depends_on=("good",)), claimed(line, squares, id="good")]


false("cited with a step that it does not have", "it fails at −2", _forged)


positive = x**2 - x + 1 > 0  # always: a claim that supposes it can be cited where it is shown
average = Sum(pi[k] * P[k], (k, 1, n))
rewarded = Domain(simplex(pi, n), reals(P, n), n >= 2, G >= 2, x)
for name, why, on, said, values, conclusion in (
    (
        "a factor that is a probability of the output itself",
        "the average of A π(o) is Σ π(o)² P(o)",
        rewarded,
        GroupAverage(y, 0, P, pi, o, n, G, y * average),
        {y: pi[o]},
        GroupAverage(pi[o], 0, P, pi, o, n, G, pi[o] * average),
    ),
    (
        "a maximum at what is held fixed",
        "the slope there is 2",
        Domain(x, z, j),
        LocalMaximum(-((x - y) ** 2), x, y, ((z, x),)),
        {y: z + 1},
        LocalMaximum(-((x - z - 1) ** 2), x, z + 1, ((z, x),)),
    ),
    (
        "a fixed point at the variable itself",
        "every point is one of x ↦ x",
        Domain(x, j),
        When(Eq(x, y), Attracts(y + (x - y) / 2, x, x)),
        {y: x},
        Attracts(x, x, x),
    ),
    (
        "concave in what was a number",
        "100 π(1)² is convex",
        rewarded,
        ConcaveInPolicy(y - Sum(pi[o] ** 2, (o, 1, n)), (pi,)),
        {y: 100 * pi[1] ** 2},
        ConcaveInPolicy(100 * pi[1] ** 2 - Sum(pi[o] ** 2, (o, 1, n)), (pi,)),
    ),
):

    def _put_in(on=on, said=said, values=values, conclusion=conclusion):
        base = claimed(on.also(positive, y), said, id="base")
        rule = Then((Always(positive),), given=(at(base, values),))
        return [claimed(on, conclusion.by(rule), depends_on=("base",)), base]

    false(f"cited with {name}", why, _put_in)
