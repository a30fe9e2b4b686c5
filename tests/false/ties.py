"""What the sum of a family, or the domain, says of letters that are to be free, indices whose range nobody reads, and
sentences of nothing.
"""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false, true

# -- what the sum of a family says ------------------------------------------------------------------------------------


def slopes(domain: Domain, condition: Eq) -> tuple[Domain, MaximaSatisfy]:
    """Where Σ πP is largest all P are one number, the multiplier."""
    largest = MaximaSatisfy(Sum(pi[o] * P[o], (o, 1, n)), pi, o, condition)
    return domain, largest.by(EqualSlopes(Summand(t * P[o], t, pi, o, n), P[o], lam, P, lam))


def slopes_of_any(domain: Domain) -> tuple[Domain, MaximaSatisfy]:
    """That P[o] is P[1] there."""
    return slopes(domain, Eq(P[o], P[1], evaluate=False))


false(
    "a multiplier that is the sum of a family",
    "λ is positive there, and P need not be",
    lambda: slopes(
        Domain(simplex(pi, n), reals(P, n), simplex(r, 1, lam), n >= 1), Eq(Abs(P[o]), P[o], evaluate=False)
    ),
)
true("a multiplier that is any number", lambda: slopes_of_any(Domain(simplex(pi, n), reals(P, n), lam, n >= 1)))
false(
    "rewards whose sum is that of a family",
    "for negative rewards it is −1",
    lambda: (
        Domain(reals(r, 2), simplex(P, 1, r[1] + r[2])),
        MemberMean(Abs(Sum(r[j], (j, 1, 2))) / Sum(r[j], (j, 1, 2)), r, i, 2, 1).by(Exchangeable()),
    ),
)
false(
    "probabilities that are the sum of a family",
    "while r is held fixed the slope in the first answer is 0",
    lambda: (
        Domain(positives(pi, n), simplex(r, 1, pi[1]), n >= 2),
        MaximaHaveMultipliers(Sum(pi[o], (o, 1, n)) + r[1] - pi[1], (Kind(Summand(t, t, pi, o, n), 1),)),
    ),
)

# -- indices whose range nobody reads ---------------------------------------------------------------------------------

false(
    "a list that speaks of a member on the other side",
    "as printed r₁ + r₂ is 2rⱼ for either j",
    lambda: (Domain(reals(r, 2)), Equal(Sum(r[j], (j, 1, 2), (k, 1, 1)), Sum(r[j], (i, 1, 2))).by(OneList())),
)
true(
    "a list by itself",
    lambda: (Domain(reals(r, 2)), Equal(Sum(r[j], (j, 1, 2), (k, 1, 1)), Sum(r[i], (i, 1, 2))).by(OneList())),
)
false(
    "a case of equality that speaks of the number of a term",
    "x is k − 1 for no x and every k",
    lambda: (Domain(x), AtLeast(x**2, 0, (Eq(x, k - 1),)).by(TermByTerm((Sum((x - k + 1) ** 2, (k, 1, 1)),)))),
)
false(
    "a case of equality of a divergence that speaks of its index",
    "for o = 1 only",
    lambda: (
        Domain(x > 0, y > 0, Eq(x, y)),
        AtLeast(0, 0, (Eq(o * x, o**2 * y),)).by(Gibbs((Divergence(o * x, o**2 * y, o, 1, 1),))),
    ),
)
false(
    "an average over outputs of one that the domain names",
    "as printed it is r₁",
    lambda: (
        Domain(simplex(pi, 2), reals(r, 2), Eq(o, 1)),
        GroupAverage(0, r[o], None, pi, o, 2, 2, Sum(pi[k] * r[k], (k, 1, 2))),
    ),
)
false(
    "a member whose number the domain says",
    "as printed it is about the first member",
    lambda: (
        Domain(reals(r, 2), i >= 1, i <= 1),
        MemberMean(r[i] - Sum(r[j], (j, 1, 2)) / 2, r, i, 2, 0).by(Exchangeable()),
    ),
)

# -- sentences of nothing ---------------------------------------------------------------------------------------------

false(
    "concave in no family",
    "0 is strictly concave in nothing",
    lambda: (Domain(positives(pi, n), n >= 1), ConcaveInPolicy(Integer(0), ()).by(Separable(()))),
)
false(
    "multipliers of no answers",
    "there are none to speak of",
    lambda: (Domain(x), MaximaHaveMultipliers(Integer(0), ())),
)
false(
    "a recurrence that has no value at one number",
    "from the third number on nothing is known",
    lambda: (
        Domain(y),
        ForEveryNumber(
            Ge(r[k], y),
            k,
            1,
            families=(reals(r, k),),
            start=(Eq(r[1], y),),
            recurrence=(Ge(r[k + 1], r[k] + 1 / (k - 3) ** 2),),
        ).by(Induction()),
    ),
)
true(
    "a recurrence that has a value at every number",
    lambda: (
        Domain(y),
        ForEveryNumber(
            Ge(r[k], y),
            k,
            1,
            families=(reals(r, k),),
            start=(Eq(r[1], y),),
            recurrence=(Ge(r[k + 1], r[k] + 1 / k**2),),
        ).by(Induction(such={r: y + k - 1})),
    ),
)

# -- bounds that meet --------------------------------------------------------------------------------------------------

for name, bounds in (
    ("two bounds that meet", (y >= x, y <= x)),
    ("three bounds that meet", (x >= y, z >= x, z <= y)),
    ("a sum between two bounds that meet", (simplex(r, 2, x), x >= 1 + y, x <= 1 + y)),
):
    false(
        f"{name}, and a slope",
        "of one value nothing rises or falls: as printed x − y rises with x, and it is a constant",
        lambda bounds=bounds: (Domain(*bounds), Monotone(x - y, x)),
    )
    false(
        f"{name}, and a convex line",
        "of one value nothing is convex",
        lambda bounds=bounds: (Domain(*bounds), Curved(x**2, x)),
    )
true("two bounds that leave room", lambda: (Domain(y >= x, y <= 2 * x), Monotone(x - y, x)))

# -- what is varied alone, and is tied to another letter --------------------------------------------------------------
# In each the sentence behind "with y = …" is read with y moving along, and holds with y held fixed.
jump, increasing = Continuous(x + y, x), Monotone(x * y, x)
for name, why, domain, said in (
    ("a jump that is called another letter", "y jumps at 0", Domain(x, y, Eq(y, sign(x))), jump),
    ("a jump between two bounds that meet", "y jumps at 0", Domain(x, y >= sign(x), y <= sign(x)), jump),
    ("a jump that is as near as nothing", "y jumps at 0", Domain(x, y, Abs(y - sign(x)) <= 0), jump),
    ("a jump in a case", "y jumps at 0", Domain(x, y), When(Eq(y, sign(x)), jump)),
    ("a jump of an entry", "P(1) is sign x", Domain(x, reals(P, 1), Eq(P[1], sign(x))), Continuous(x + P[1], x)),
    (
        "a mean that another letter outweighs",
        "it is −12 x",
        Domain(x >= 0, x <= 1, Eq(y, -15 * x), y),
        Monotone(y + binomial_mean(k, k, 3, x), x).by(ByDifferences()),
    ),
    ("a peak along which its place moves", "it is x²", Domain(x, y, Eq(y, x)), LocalMaximum(y**2 - (x - y) ** 2, x, y)),
    ("a peak at a fifth", "it is 0", Domain(x, Eq(y, 5 * x)), LocalMaximum(-((x - y / 5) ** 2), x, y / 5)),
    (
        "a fall that another letter lifts",
        "it rises",
        Domain(0 < x, x <= Rational(1, 2), y, Eq(y, 5 * x)),
        Monotone((x - Rational(1, 2)) ** 2 + y, x, -1).by(FallsToTheMiddle(Rational(1, 2), Domain(x > 0, x < 1, y))),
    ),
    ("a map that moves with its point", "it is the identity", Domain(x, Eq(y, 2 * x)), Attracts(y / 4 + x / 2, x, x)),
    ("a limit of a letter that moves along", "it is 0", Domain(x > 0, y > 0, Eq(y, x**2)), Tends(y, x, 0, y)),
):
    false(name, why, lambda domain=domain, said=said: (domain, said))


def _carried(lemma: Statement, on: Domain, to: Domain) -> list[Claim]:
    """A sentence, and what it would be on a domain with a tie."""
    trivial = Always(p**2 - p + 1 > 0)
    base = claimed(on.also(trivial.formula), lemma, id="base")
    return [claimed(to, lemma.conclusion.by(Then((trivial,), given=(base,))), depends_on=("base",)), base]


false(
    "growth that is carried to where another letter falls",
    "x (2 − x) falls from 1 on",
    lambda: _carried(increasing, Domain(x, y > 0, p), Domain(x, y > 0, Eq(y, 2 - x), p)),
)

# -- a value that speaks of what varies -------------------------------------------------------------------------------


def _minimisers() -> list[Claim]:
    """Two functions with the same minimisers, at a number that is an entry of what varies."""
    one, other = (Sum(family[o] ** 2, (o, 1, n)) for family in (pi, ref))
    on, trivial, entries = Domain(simplex(pi, n), simplex(ref, n), n >= 2, p), p**2 - p + 1 > 0, (pi[j], ref[j])
    same = SameMinimisers((one + z, other + z), entries, entries[::-1]).by(ValuesKept())
    base = claimed(on.also(trivial, z), same, id="base")
    moved = SameMinimisers((one + pi[1], other + pi[1]), entries, entries[::-1])
    cited = moved.by(Then((Always(trivial),), given=(at(base, {z: pi[1]}),)))
    return [claimed(on, cited, depends_on=("base",)), base]


false("a number that is an entry of what is minimised", "least at (1/4, 3/4), and at (1/2, 1/2)", _minimisers)


def _kkt(cost):
    """That the reference is a KKT point exactly if an answer that is given up costs as much."""
    objective = Sum(-cost * old[o] * pi[o] / ref[o], (o, 1, n)) + Sum(u * P[o], (o, 1, k))
    used = Place(Summand(-cost * old[o] * x / ref[o], x, pi, o, n), -cost * old[o] / ref[o], ref[o], old)
    return SatisfiesKKT(objective, (used, Place(Summand(u * x, x, P, o, k), u)), u <= -cost)


def _at_an_entry() -> list[Claim]:
    """A KKT point, at a cost that is an entry of the policy: a family in a record within the statement."""
    trivial = p**2 - p + 1 > 0
    families = (positives(pi, n), positives(old, n), simplex(ref, n), reals(P, k), n >= 1, k >= 1, u)
    base = claimed(Domain(*families, z > 0, trivial), _kkt(z), id="base")
    cited = _kkt(pi[1]).by(Then((Always(trivial),), given=(at(base, {z: pi[1]}),)))
    return [claimed(Domain(*families, pi[1] > 0, p), cited, depends_on=("base",)), base]


false("a cost that is an entry of the policy", "at (½, ½) the slopes are −3/2 and −1/2", _at_an_entry)

# -- between two ends of which neither is the lower one ---------------------------------------------------------------
for name, why, said in (
    ("a flow between ends in no order", "at y = −1 it falls", FlowRises(y - x, x, 0, y)),
    ("two flows between ends in no order", "below 0 the second falls faster", FlowsOrdered(x, x, 2 * x, 0, y)),
    ("a value between ends in no order", "at y = −2 it is one", AtMost(x, x, 0, y, -1, most=0).by(Nowhere())),
):
    false(name, why, lambda said=said: (Domain(y), said))
