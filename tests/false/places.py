"""Letters and numbers that a sentence means otherwise than its proof: where an index lies, what a sum binds, ends of
ranges that have no value, members of a group that a product tells apart.
"""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import claimed, false, true

half = Rational(1, 2)
NUMBERS = Domain(reals(r, n), n >= 1)
ANY = Domain(beta)
GROUP = Domain(reals(r, G), G >= 3)
NOTHING = (r[k] + 1) ** 2 - r[k] ** 2 - 2 * r[k] - 1  # 0, of a number that there is for k = 1, …, n

# -- where an index lies -----------------------------------------------------------------------------------------------

BEYOND = "at n = 1, k = 2"
false("an index that only a lemma speaks of", BEYOND, lambda: (NUMBERS, Always(k <= n, (exp_positive(r[k]),))))
false(
    "an index of two families, of one of them in a lemma only",
    "at n = 1, G = 2, k = 2",
    lambda: (
        Domain(reals(r, n), reals(P, G), n >= 1, G >= 1),
        Always((P[k] ** 2 >= 0) & (k <= n), (exp_positive(r[k]),)),
    ),
)
true("an index of which a lemma speaks too", lambda: (NUMBERS, Always(exp(r[k]) + n > 0, (exp_positive(r[k]),))))
false(
    "an index that only what is shown first speaks of",
    BEYOND,
    lambda: (NUMBERS, Always(k <= n).by(Then((Equal((r[k] - 1) * (r[k] + 1), r[k] ** 2 - 1),)))),
)
false(
    "an index that only the form of a difference speaks of",
    BEYOND,
    lambda: (NUMBERS, Always(k <= n).by(ByDifference(n - k + NOTHING))),
)
false(
    "an index that only a positive factor speaks of",
    "at n = 1, k = 2",
    lambda: (NUMBERS, Always(n + 1 > k).by(PositiveFactors(n + 1 - k + NOTHING, 1))),
)
false(
    "an index that only the terms of a sum speak of",
    BEYOND,
    lambda: (NUMBERS, AtLeast(n, k).by(TermByTerm((Sum((n - k + NOTHING) / n, (j, 1, n)),)))),
)


def _cited() -> list[Claim]:
    of_entries = claimed(NUMBERS, Equal((r[k] - 1) * (r[k] + 1), r[k] ** 2 - 1), id="of-entries")
    said = Always(k <= n).by(Follows((of_entries,)))
    return [claimed(NUMBERS, said, id="of-an-index", depends_on=["of-entries"]), of_entries]


false("an index that only what is cited speaks of", BEYOND, _cited)


def _of_a_part(index: Any) -> list[Claim]:
    where = Domain(reals(r, n), n >= 1, x)
    of_both = claimed(where, Always((k <= n) & (r[k] ** 2 + r[k] + 1 > 0)), id="of-both")
    rule = InEachCase(((x > 0, ()), (x < 1, ())), given=(at(of_both, {k: index}),))
    return [claimed(where, Always(index <= n).by(rule), id="of-one", depends_on=["of-both"]), of_both]


false("an index that only another part of what is cited speaks of", BEYOND, lambda: _of_a_part(k))
false("an index that is put in for such a one", "at n = 1, j = 2", lambda: _of_a_part(j))
false(
    "a slope along a number that there is not",
    "three numbers have no seventh",
    lambda: (Domain(reals(r, 3)), Equal(Derivative(Sum(r[j] ** 2, (j, 1, 3)), r[7]), 0)),
)
true(
    "a slope along a number that there is",
    lambda: (Domain(reals(r, n), n >= 7), Equal(Derivative(Sum(r[j] ** 2, (j, 1, n)), r[7]), 2 * r[7])),
)

# -- what a sum binds --------------------------------------------------------------------------------------------------


def _summed(said: Any, value: Any, **numbers: Any) -> Any:
    """A sum over j of what random numbers have."""
    return ForRandom(Eq(Sum(said, (j, 1, 2)), value, evaluate=False), (Random(length, i, 1, 2, **numbers),))


TOTAL = Sum(length[i], (i, 1, 2))
false(
    "a mean that a sum around it binds",
    "at j = 5 the mean of the product is 25",
    lambda: (Domain(j), _summed(MeanOf(Product(length[i], (i, 1, 2))), 5, mean=j, independent=True)),
)
false(
    "a covariance that a sum around it binds",
    "at j = 5 the variance of the sum is 20",
    lambda: (Domain(j >= 1), _summed(VarianceOf(TOTAL), 12, covariance=j, other=k)),
)
true("a mean beside a sum", lambda: (Domain(y), _summed(MeanOf(TOTAL), 4 * y, mean=y)))

POLICY = Domain(simplex(pi, n), reals(P, n), lam, n >= 2)
REWARD = Sum(pi[o] * P[o] - pi[o] ** 2, (o, 1, n))


def _maxima(condition: Any, solved: Any) -> Any:
    summand = Summand(t * P[o] - t**2, t, pi, o, n)
    return POLICY, MaximaSatisfy(REWARD, pi, o, condition).by(EqualSlopes(summand, P[o] - 2 * t, lam, P, solved))


false(
    "what an entry is at a maximum, in a sum that binds its number",
    "where P is (0, 1) the sides are 2 and 1",
    lambda: _maxima(
        Eq(n * Sum(P[k] ** 2, (k, 1, n)), Sum(P[j], (j, 1, n)) ** 2, evaluate=False),
        Sum((2 * pi[o] + lam) / n, (k, 1, n)),
    ),
)
true(
    "what an entry is at a maximum",
    lambda: _maxima(Eq(n * P[o] - Sum(P[k], (k, 1, n)), 2 * n * pi[o] - 2, evaluate=False), 2 * pi[o] + lam),
)
false(
    "a map to minimisers with a sum that binds their number",
    "where P is (0, 2) the first is 0, and the second is 2 where r is P",
    lambda: (
        Domain(reals(P, n), reals(r, n), n >= 1),
        SameMinimisers(
            ((Sum(P[i], (i, 1, n)) - n) ** 2 / n, Sum((r[k] - 1) ** 2, (k, 1, n))),
            (P[o], r[o]),
            (1 + sqrt(Sum((r[i] - 1) ** 2, (i, 1, n)) / n), Sum(P[o] / n, (k, 1, n))),
        ),
    ),
)


def _restricted() -> Claim:
    whole = Domain(reals(P, n), reals(r, n), reals(pi, n), n >= 1)
    derivation = Derivation("of a sum", whole)
    start = derivation.start(Sum(r[k], (k, 1, n)))
    found = derivation.restrict(start, {r[o]: Sum(pi[k] * P[o], (k, 1, n))})
    derivation.rewrite(found, n * Sum(pi[k] * P[k], (k, 1, n)))
    return claimed(whole, Equal(2 * Sum(pi[k], (k, 1, n)), Sum(2 * pi[k], (k, 1, n))), id="restricted", by=derivation)


false("a step that puts in what a sum binds", "it is Σπ ΣP, and not nΣπP", _restricted)

# -- members of a group ------------------------------------------------------------------------------------------------

LESS_MEAN = r[i] - Sum(r[j], (j, 1, G)) / G
for name, told in (
    ("the first two rewards", Product(r[j], (j, 1, 2))),
    ("the first two rewards, by the letter of the member", Product(r[i], (i, 1, 2))),
    ("all rewards, each with the first two", Sum(r[j] * Product(r[j], (j, 1, 2)), (j, 1, G))),
):
    false(
        f"a reward less the mean, times {name}",
        "for the first member it need not be 0",
        lambda told=told: (GROUP, MemberMean(LESS_MEAN * told, r, i, G, 0).by(Exchangeable())),
    )
true(
    "a reward less the mean, times the sum of all",
    lambda: (GROUP, MemberMean(LESS_MEAN * Sum(r[j], (j, 1, G)), r, i, G, 0).by(Exchangeable())),
)

# -- ends and points without a value -----------------------------------------------------------------------------------

NO_END = "1/β has no value at 0"
false("a flow between an end without a value and 5", NO_END, lambda: (ANY, FlowRises(5 - x, x, 1 / beta, 5)))
false("a flow between a logarithm and 5", "log β has none", lambda: (ANY, FlowRises(5 - x, x, log(beta), 5)))
false(
    "a flow that leaves through its end",
    "nothing stays below 5 for ever, and of nothing everything is so",
    lambda: (Domain(), FlowRises(1 + x**2, x, 0, 5)),
)
false(
    "a flow that reaches its end and need not stay",
    "at the end the root has no slope, and it is reached in finite time",
    lambda: (Domain(), FlowRises(sqrt(1 - x), x, 0, 1)),
)
true("a flow between an end with a value and 5", lambda: (Domain(5 * beta > 1), FlowRises(5 - x, x, 1 / beta, 5)))
false("two flows above an end without a value", NO_END, lambda: (ANY, FlowsOrdered(x, x, x + 1, 1 / beta, oo)))
false(
    "a value that is taken nowhere above an end without a value",
    NO_END,
    lambda: (ANY, AtMost(x**2 + 1, x, 1 / beta, 5, 0, most=0).by(Nowhere())),
)
false(
    "a value that is taken twice at most above an end without a value",
    NO_END,
    lambda: (ANY, AtMost(x**2 + x, x, 1 / beta, oo, 5, most=2).by(Rolle(zeros=Rolle(zeros=Nowhere())))),
)
false("a fixed point without a value", NO_END, lambda: (ANY, Attracts((x + 1 / beta) / 2, x, 1 / beta)))
false("a constant at a point without a value", NO_END, lambda: (Domain(beta, y), Tends(y + 1, x, 1 / beta, y + 1)))
false(
    "a constant at the root of what may be negative",
    "√β has no value at −1",
    lambda: (Domain(beta, y), Tends(y + 1, x, sqrt(beta), y + 1)),
)
true("a constant at any point", lambda: (Domain(beta, y), Tends(y + 1, x, beta, y + 1)))

false(
    "numbers with a mean without a value",
    NO_END,
    lambda: (
        Domain(beta),
        ForRandom(Eq(VarianceOf(TOTAL), 2, evaluate=False), (Random(length, i, 1, 2, mean=1 / beta, variance=1),)),
    ),
)

# -- equality where there is nothing -----------------------------------------------------------------------------------

SQUARE = Sum((x - 1) ** 2, (o, 1, n))
false(
    "a case of equality that an empty sum does not need",
    "at n = 0, x = 2 both sides are 0",
    lambda: (Domain(n >= 0, x), AtLeast(n * (x - 1) ** 2, 0, (Eq(x, 1),)).by(TermByTerm((SQUARE,)))),
)
false(
    "a divergence of nothing that vanishes",
    "at n = 0, x = 1, y = 2 both sides are 0",
    lambda: (
        Domain(n >= 0, x > 0, Eq(n * x, n * y), y > 0),
        AtLeast(Sum(x * log(x / y), (o, 1, n)), 0, (Eq(x, y),)).by(Gibbs((Divergence(x, y, o, 1, n),))),
    ),
)
true(
    "a case of equality of a sum with a term",
    lambda: (Domain(n >= 1, x), AtLeast(n * (x - 1) ** 2, 0, (Eq(x, 1),)).by(TermByTerm((SQUARE,)))),
)

# -- numbers that there are not ----------------------------------------------------------------------------------------


def _alike(said: Any, value: Any, **numbers: Any) -> Any:
    """What holds of two random numbers that are independent and of one law."""
    equation = Eq(said, value, evaluate=False)
    return Domain(n >= 1), ForRandom(equation, (Random(length, i, 1, 2, independent=True, **numbers),))


false("numbers of one law with two means", "there are none", lambda: _alike(MeanOf(TOTAL), 3, mean=i))
false("numbers of one law with two variances", "there are none", lambda: _alike(VarianceOf(TOTAL), 3, variance=i))
false(
    "independent numbers with a covariance",
    "there are none",
    lambda: _alike(VarianceOf(TOTAL), 4, covariance=1, other=k),
)
true("independent numbers of one variance", lambda: _alike(VarianceOf(TOTAL), 6, variance=3))

# -- one letter for two numbers ----------------------------------------------------------------------------------------

RUNNING = "as printed n is the number of the member, and x[n+1] = x[n]/2 + n grows beyond all bounds"
false(
    "a sequence with a map that speaks of n",
    RUNNING,
    lambda: (Domain(n >= 1), ConvergesToFixedPoint(Iteration(x / 2 + n, x, 0), 0, 2 * n).by(Contraction(half))),
)
false("a range that speaks of n", RUNNING, lambda: (Domain(n >= 1), StaysIn(Iteration(x / 2 + n, x, 0), 0, 2 * n)))
false(
    "an end that is n",
    "as printed n runs",
    lambda: (Domain(n >= 1), RisesToUpperEnd(Iteration((x + n) / 2, x, 0), -1, n)),
)
false(
    "a cycle that speaks of n",
    RUNNING,
    lambda: (Domain(n >= 1), EndsInCycle(Iteration(x / 2 + n, x, n), ((n, 2 * n),)).by(SentAround((half,)))),
)
true(
    "a sequence with a map that speaks of G",
    lambda: (Domain(G >= 1), ConvergesToFixedPoint(Iteration(x / 2 + G, x, 0), 0, 2 * G).by(Contraction(half))),
)
false(
    "a maximum while a letter is held fixed at two values",
    "where y is 2 the maximum is at 2",
    lambda: (Domain(x, y), LocalMaximum(-((x - y) ** 2), x, 1, frozen=((y, 2), (y, 1)))),
)
true(
    "a maximum while a letter is held fixed",
    lambda: (Domain(x, y), LocalMaximum(-((x - y) ** 2), x, 1, frozen=((y, 1),))),
)
false(
    "what is true as it is written, by a lemma in letters",
    "it says nothing of x, and x · 1/x none at 0",
    lambda: (Domain(x), Always(x * (1 / x) >= 1).by(InLetters(Always(y >= 1), Domain(y >= 1), {y: Integer(1)}))),
)
false(
    "a flow of a t",
    "as printed e^(−lt) is a function of the place",
    lambda: (Domain(beta > 0), FlowAtRate(-t, t, -1, 1, 0, 1)),
)
true("a flow of an x", lambda: (Domain(beta > 0), FlowAtRate(-x, x, -1, 1, 0, 1)))
TEXTS = Texts(o, o_, n)
REWARDS = Here(TextMean(TextSum(r[o], o), pi))
false(
    "a T beside the number of tokens",
    "as printed it holds for every T, and max(T, 5) is 5 where T is 1",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), n >= 2, T >= 5),
        AtStates(Max(T, 5) * REWARDS, T * REWARDS, TEXTS).by(OneMoreToken(onward=(onward,))),
    ),
)
true(
    "an x beside the number of tokens",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), n >= 2, x >= 5),
        AtStates(Max(x, 5) * REWARDS, x * REWARDS, TEXTS).by(OneMoreToken(onward=(onward,))),
    ),
)
