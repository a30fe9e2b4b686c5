"""What a statement binds, put into what is one number of it; claims that are other ones than those registered."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false, misjudged

trivial = p**2 - p + 1 > 0
two = Domain(x, y, p)


def _put_in(said, domain, falsum, values, rule=None):
    """A lemma on the domain with what is shown first and the letter z, cited for a sentence on the domain."""
    lemma = claimed(domain.also(trivial, z), said if rule is None else said.by(rule), id="lemma")
    by = Then((Always(trivial),), given=(at(lemma, values),))
    return [claimed(domain, falsum.by(by), depends_on=("lemma",)), lemma]


for name, why, said, domain, falsum, values in (
    (
        "the variable of a maximum",
        "it is at 0",
        OnlyMaximum(-((x - z) ** 2), x, z),
        two,
        OnlyMaximum(0 * x, x, x),
        {z: x},
    ),
    ("the variable of a slope", "x² falls for x < 0", Monotone(x + z, x), two, Monotone(x + x**2, x), {z: x**2}),
    ("the variable of a curve", "x⁴ is convex", Curved(z - x**2, x, -1), two, Curved(x**4 - x**2, x, -1), {z: x**4}),
    (
        "the variable of a bound",
        "x² is not Lipschitz",
        Lipschitz(z + x, x, 1),
        two,
        Lipschitz(x**2, x, 1),
        {z: x**2 - x},
    ),
    (
        "the variable of roots",
        "x − x has many",
        Roots(x - z**2 / (1 + z**2) - 1, x, 1, 0, 3),
        two,
        Roots(x - x, x, 1, 0, 3),
        {z: x},
    ),
    (
        "the variable of a limit",
        "x − 1 tends to −1",
        Tends(x * z, x, 0, 0),
        two,
        Tends(x * (1 / x), x, 0, 0),
        {z: 1 / x},
    ),
    (
        "the number of an output",
        "the advantage of a member is not that of another",
        AdvantageGiven(r, 1, i, 2, (r[1] - r[2]) / 2 + z - z),
        Domain(reals(r, 2), p),
        AdvantageGiven(r, 1, i, 2, i),
        {z: i},
    ),
):
    false(f"put in: {name}", why, lambda s=said, d=domain, f=falsum, v=values: _put_in(s, d, f, v))


def _random():
    numbers = (Random(r, i, 1, n, mean=0),)
    total = Sum(r[i], (i, 1, n))
    said, falsum = ForRandom(Eq(MeanOf(z * total), 0), numbers), ForRandom(Eq(MeanOf(r[1] * total), 0), numbers)
    return _put_in(said, Domain(n >= 2, p), falsum, {z: r[1]})


false("put in: a random number", "the mean of r(1) Σ r(i) is the variance of r(1)", _random)
false(
    "put in: the number of an entry",
    "z is one number for all entries",
    lambda: _put_in(
        InEveryEntry((Eq(P[o], z),), Eq(P[o], z), o, n),
        Domain(reals(P, n), n >= 2, p),
        InEveryEntry((Eq(P[o], o),), Eq(P[o], 1), o, n),
        {z: o},
    ),
)


def _other(kept):
    """A sentence on a claim that is called as the registered one and says another thing."""
    good = claimed(Domain(x), Always(x**2 - x + 1 > 0), id="good")
    other = claimed(Domain(x), kept, id="good")
    return [claimed(Domain(x), Always(x > -1).by(Follows(given=(other,))), depends_on=("good",)), good]


false("cited under the id of another claim", "x = −2", lambda: _other(Always(x > -1)))
false("cited under the id of a claim, on less", "x = −2", lambda: _other(Always(x**3 > -1)))


def _between(expect):
    gap = claimed(Domain(x), Equal((x + 1) ** 2 - (x**2 + 1), 2 * x), id="gap")
    sign = claimed(Domain(x), Always(x > 0), id="sign", expect="refuted")
    rule = PositiveFactors(2, x, given=(gap, sign))
    between = claimed(
        Domain(x), Always((x + 1) ** 2 > x**2 + 1).by(rule), id="between", depends_on=("gap", "sign"), expect=expect
    )
    on_top = claimed(Domain(x), Always(x > -1).by(Follows(given=(between,))), depends_on=("between",))
    return [on_top, between, sign, gap]


for expected in ("definition", "unknown"):
    false(f"resting on what is refuted, by a {expected}", "x = −2", lambda e=expected: _between(e))

misjudged(
    "an implication is no wider than what it supposes",
    "of x = −1 it says nothing",
    lambda: claimed(
        Domain(x),
        Always(Implies(x > 0, x**3 + x > 0)),
        judged=redundant_hypothesis("x > 0 is not needed", Domain(x > 0), {x: -1}),
    ),
)
