"""Controls of the rules for sums, comparisons, random numbers and groups of texts."""

from __future__ import annotations

from typing import Any

from sympy import IndexedBase, symbols

from grpo_symbolic.paper import *
from grpo_symbolic.proof.statements.statement import Statement
from rule_cases.case import Case, False_

x, y, a, b, u, t = symbols("x y a b u t", real=True)
i, j, k, m, n, o, other = symbols("i j k m n o s", integer=True)
pi, ref, P, Q = IndexedBase("pi"), IndexedBase("ref"), IndexedBase("P"), IndexedBase("Q")
real, pair = Domain(x), Domain(x, y)
policies = Domain(simplex(pi, n), simplex(ref, n), n >= 2)

# -- sums -------------------------------------------------------------------------------------------------------------
squares = Sum((P[i] - P[j]) ** 2 / 2, (j, 1, n), (i, 1, n))
any_numbers = Domain(reals(P, n), n >= 2)
total = Sum(P[o], (o, 1, n))
below_x = TermByTerm((Sum(x - P[o], (o, 1, n)),))
apart = Sum((pi[o] - ref[o]) ** 2, (o, 1, n))


def pairs(left: Any, terms: Any = squares) -> Statement:
    """The mean of squares against the square of the mean, by pairs."""
    return AtLeast(left, total**2, (Eq(P[i], P[j]),)).by(TermByTerm((terms,)))


def in_groups(entry: Any, whole: Any) -> Statement:
    """A sum over n groups of k members each, in one list."""
    return Equal(Sum(P[entry], (j, 1, k), (i, 1, n)), Sum(P[o], (o, 1, whole))).by(OneList())


grouped = Domain(k >= 1, n >= 1, m >= 1, Eq(m, k * n), reals(P, m))
both_ways = Sum(o * P[i], (o, 1, n), (i, 1, n))

SUMS = (
    Case(
        "pairs of terms",
        pairs(n * Sum(P[o] ** 2, (o, 1, n))),
        any_numbers,
        (
            False_(
                "has a value",
                AtLeast(Sum(P[o] ** 2, (o, 1, n)) + 1 / x, 1 / x).by(TermByTerm((Sum(P[o] ** 2, (o, 1, n)),))),
                any_numbers.also(x),
            ),
        ),
    ),
    Case(
        "what is supposed of every index",
        AtLeast(n * x, total, given=(P[o] <= x,)).by(below_x),
        any_numbers.also(x),
        (
            False_(
                "the given are 1",
                AtLeast(0, 1, given=(pi[o] > 1,)).by(Gibbs((Divergence(pi[o], ref[o], o, 1, n),))),
                policies,
            ),
            False_("the given are 1", AtLeast(x**2, 1, given=(P[o] > 1,)).by(AboveTangent(x, 0)), real),
        ),
    ),
    Case(
        "positive terms",
        Always(Sum(pi[o] ** 2, (o, 1, n)) > 0).by(PositiveTerms(Sum(pi[o] ** 2, (o, 1, n)))),
        policies,
        (
            False_(
                "has a value",
                Always(Sum(pi[o], (o, 1, n)) + 1 / x > 1 / x).by(PositiveTerms(Sum(pi[o], (o, 1, n)))),
                policies.also(x),
            ),
            False_("and not p > q", Always(apart >= 1).by(PositiveTerms(apart)), policies),
            False_("a sum over one letter", Always(x**2 > 0).by(PositiveTerms(x**2)), real),
        ),
    ),
    Case(
        "one positive term",
        Always(Sum(o - 1, (o, 1, n)) > 0).by(PositiveTerms(Sum(o - 1, (o, 1, n)), at=2)),
        Domain(n >= 2),
        (
            False_(
                "and positive",
                Always(Sum(o - 1, (o, 1, n)) > 0).by(PositiveTerms(Sum(o - 1, (o, 1, n)), at=1)),
                Domain(n >= 1),
            ),
        ),
    ),
    Case(
        "groups in one list",
        in_groups((i - 1) * k + j, m),
        grouped,
        (
            False_(
                "the range of the total", Equal(Sum(1, (j, 0, k), (i, 1, n)), Sum(1, (o, 1, m))).by(OneList()), grouped
            ),
            False_("a sum over two letters", Equal(Sum(P[j], (j, 1, k)), Sum(P[o], (o, 1, m))).by(OneList()), grouped),
            False_("no sum with a factor", Equal(x, Sum(P[o], (o, 1, m))).by(OneList()), grouped.also(x)),
        ),
    ),
    Case(
        "sums in the other order",
        Equal(both_ways, Sum(o, (o, 1, n)) * total).by(Exchanged()),
        any_numbers,
        (
            False_("moves with i", Equal(Sum(P[o], (o, 1, i), (i, 1, n)), total).by(Exchanged()), any_numbers),
            False_("a sum over two letters", Equal(total, 2 * total).by(Exchanged()), any_numbers),
        ),
    ),
    Case(
        "a first number that is alike as it is written",
        ForEveryNumber(Eq(Sum(P[j + 1] - P[j], (j, 1, k)), P[k + 1] - P[1]), k, 1, (reals(P, k + 1),)).by(Induction()),
        Domain(),
        (
            False_(
                "from one to the next",
                ForEveryNumber(Eq(Sum(P[j + 1] + P[j], (j, 1, k)), P[k + 1] + P[1]), k, 1, (reals(P, k + 1),)).by(
                    Induction()
                ),
                Domain(),
            ),
        ),
    ),
)

# -- comparisons ------------------------------------------------------------------------------------------------------
twice = 2 * x <= 2 * y
log_squares, to_log = Sum(log(ref[o]) ** 2, (o, 1, n)), (log(ref[j]), exp(P[j]))
number_squares = Sum(P[o] ** 2, (o, 1, n))
maps = ValuesKept(using=(exp_positive(P[j]),))
numbers = Domain(reals(P, n), positives(ref, n), n >= 2)


def least(first: Any, second: Any, maps: tuple[Any, Any], entries: Any = (P[j], ref[j])) -> SameMinimisers:
    """Two functions, of numbers and of positive numbers."""
    return SameMinimisers((first, second), entries, maps)


factored = PositiveFactors(x - y, x + y)
COMPARISONS = (
    Case(
        "more by positive factors",
        Always(x**2 > y**2).by(factored),
        Domain(0 < y, y < x),
        (False_("and not p > q", Always(x >= y).by(factored), Domain(0 < y, y < x)),),
    ),
    Case(
        "the same order",
        Always(Equivalent(twice, x <= y)).by(SameOrder(twice, 2)),
        pair,
        (
            False_(
                "the formula is x <= y, and not p < q", Always(Equivalent(x < y, x <= y)).by(SameOrder(x < y)), pair
            ),
            False_("the of is 2*y", Always(Equivalent(twice, x <= y)).by(SameOrder(x <= 2 * y)), pair),
        ),
    ),
    Case("falls and rises", AtLeast(x**2, 0).by(FallAndRise(x, 0)), real),
    Case(
        "values that are kept",
        least(number_squares, log_squares, to_log).by(maps),
        numbers,
        (
            False_(
                "the value by ref",
                least(number_squares, Sum(log(ref[o]), (o, 1, n)), to_log).by(maps),
                numbers,
                ("by P",),
            ),
            False_("the value by P", least(2 * number_squares, log_squares, to_log).by(maps), numbers, ("by ref",)),
            False_(
                "ref[j] stands for what is positive",
                least(number_squares, Sum(ref[o] ** 2, (o, 1, n)), (ref[j], P[j])).by(maps),
                numbers,
            ),
            False_(
                "P has a value",
                least(number_squares, Sum(log(ref[o] - 1) ** 2, (o, 1, n)), (log(ref[j] - 1), exp(P[j]) + 1)).by(maps),
                numbers,
                ("by P", "log(ref[j] - 1) has a value"),
            ),
            False_(
                "ref has a value",
                least(number_squares, Sum(1 / ref[o] ** 2, (o, 1, n)), (1 / ref[j], 1 / P[j])).by(maps),
                numbers,
                ("by ref", "is positive", "1/P[j] has a value"),
            ),
            False_("speaks of", least(number_squares, number_squares, to_log).by(maps), numbers),
            False_("stands for both", least(number_squares, 0, (P[j], P[j]), (P[j], P[j])).by(maps), numbers),
            False_("does not say that ref are some numbers", least(number_squares, 0, to_log).by(maps), any_numbers),
            False_("is to vary freely", least(number_squares, log_squares, to_log).by(maps), numbers.also(P[1] > 1)),
        ),
    ),
    Case(
        "values that are kept, of policies",
        SameMinimisers((Sum(pi[o] ** 2, (o, 1, n)), Sum(ref[o] ** 2, (o, 1, n))), (pi[j], ref[j]), (ref[j], pi[j])).by(
            ValuesKept()
        ),
        policies,
        (
            False_(
                "pi[j] stands for numbers of one sum",
                SameMinimisers(
                    (Sum(pi[o] ** 2, (o, 1, n)), Sum(ref[o] ** 2, (o, 1, n))), (pi[j], ref[j]), (ref[j], pi[j])
                ).by(ValuesKept()),
                Domain(simplex(pi, n), positives(ref, n), n >= 2),
            ),
            False_(
                "ref[j] stands for numbers of one sum",
                SameMinimisers(
                    (Sum(pi[o] ** 2, (o, 1, n)), Sum(ref[o] ** 2, (o, 1, n))), (pi[j], ref[j]), (ref[j], pi[j])
                ).by(ValuesKept()),
                Domain(positives(pi, n), simplex(ref, n), n >= 2),
            ),
            False_(
                "pi[j] stands for what is positive",
                SameMinimisers((Sum(pi[o], (o, 1, n)), Sum(ref[o], (o, 1, n))), (pi[j], ref[j]), (ref[j], pi[j])).by(
                    ValuesKept()
                ),
                Domain(positives(pi, n), reals(ref, n), n >= 2),
            ),
            False_(
                "pi has a value",
                SameMinimisers(
                    (Sum(pi[o], (o, 1, n)), Sum(1 / ref[o], (o, 1, n))), (pi[j], ref[j]), (1 / ref[j], 1 / pi[j])
                ).by(ValuesKept()),
                Domain(positives(pi, n), reals(ref, n), n >= 2),
                ("is positive", "by pi", "1/ref[j] has a value"),
            ),
            False_(
                "the value by pi",
                SameMinimisers(
                    (Sum(pi[o], (o, 1, n)), Sum(ref[o] ** 2, (o, 1, n))), (pi[j], ref[j]), (ref[j], pi[j])
                ).by(ValuesKept()),
                policies,
                ("by ref",),
            ),
        ),
    ),
)

# -- random numbers ---------------------------------------------------------------------------------------------------
spread = Domain(positives(ref, n), n >= 2)
noisy = (Random(P, i, 1, n, variance=ref[i]),)
added = Sum(P[i], (i, 1, n))
alike = (Random(P, i, 1, n, covariance=x + (1 - x) * KroneckerDelta(i, j), other=j),)
two_kinds = (Random(P, i, 1, k, mean=a), Random(P, i, k + 1, n, mean=b))
of_two = Sum(P[i], (i, 1, k)) + 2 * Sum(P[i], (i, k + 1, n))
means = Domain(a, b, k >= 1, k < n)
fair = (Random(P, i, 1, n, mean=x, independent=True),)


def averaged(formula: Any, numbers: tuple[Random, ...] = noisy, **more: Any) -> ForRandom:
    """A sentence about random numbers, one premise of which has its own name."""
    return ForRandom(formula, numbers, label="averaged", **more)


RANDOM = (
    Case(
        "variances add up",
        averaged(Eq(VarianceOf(added / n), Sum(ref[o], (o, 1, n)) / n**2)).by(Linearity()),
        spread,
        (
            False_("averaged", averaged(Eq(VarianceOf(added / n), Sum(ref[o], (o, 1, n)) / n)), spread),
            False_(
                "the range of P is one",
                averaged(Eq(MeanOf(Product(P[i], (i, 1, n))), x**n), fair),
                Domain(0 < x, x < 1, n >= -3),
            ),
            False_(
                "a variance is not negative",
                averaged(Eq(VarianceOf(added), -n), (Random(P, i, 1, n, variance=-1),)),
                Domain(n >= 2),
            ),
            False_(
                "1/x has a value",
                averaged(Eq(VarianceOf(x * Sum(P[i] / x, (i, 1, n))), total.func(ref[o], (o, 1, n)))),
                spread.also(x),
                ("x*Sum(P[i]/x, (i, 1, n)) has a value",),
            ),
            False_("no linear combination", averaged(Eq(VarianceOf(Sum(P[i] ** 2, (i, 1, n))), 1)), spread),
            False_("no sum over all", averaged(Eq(VarianceOf(Sum(P[i] * P[1], (i, 1, n))), 1)), spread),
            False_("no sum over all", averaged(Eq(VarianceOf(Sum(P[i], (i, 1, n - 1))), 1)), spread),
            False_("no multiple of a sum", averaged(Eq(VarianceOf(P[1]), 1)), spread),
            False_("stands outside", averaged(Eq(VarianceOf(added), P[1])), spread),
            False_("which are random numbers", averaged(Eq(VarianceOf(added), 1)), spread.also(reals(P, n))),
            False_("means of P are not given", averaged(Eq(MeanOf(added), 1)), spread),
            False_("variances of P are not given", averaged(Eq(VarianceOf(added), 1), (Random(P, i, 1, n),)), spread),
            False_(
                "speaks of random numbers",
                averaged(Eq(VarianceOf(added), 1), (Random(P, i, 1, n, variance=P[i] ** 2),)),
                spread,
            ),
            False_("its own number", averaged(Eq(VarianceOf(added), 1), (Random(P, i, 1, i, variance=1),)), spread),
            False_("belong to an inequality", averaged(Eq(VarianceOf(added), 1), equality=(Eq(ref[o], 1),)), spread),
        ),
    ),
    Case(
        "variances of correlated numbers",
        averaged(Eq(VarianceOf(added), n + n * (n - 1) * x), alike),
        Domain(0 <= x, x <= 1, n >= 2),
        (
            False_("averaged", averaged(Eq(VarianceOf(added), n), alike), Domain(0 <= x, x <= 1, n >= 2)),
            False_(
                "a variance that all share",
                averaged(Eq(VarianceOf(added), n + n * (n - 1) * x), alike),
                Domain(-1 <= x, x < 0, n >= 3),
            ),
            False_(
                "not seen to be a covariance: s f(i) f(j) is one",
                averaged(Eq(VarianceOf(added), n**2 * (n + 1)), (Random(P, i, 1, n, covariance=i + j, other=j),)),
                Domain(n >= 2),
            ),
            False_(
                "give one of them",
                averaged(Eq(VarianceOf(added), n), (Random(P, i, 1, n, variance=1, covariance=x, other=j),)),
                Domain(0 <= x, x <= 1, n >= 2),
            ),
            False_(
                "needs a letter",
                averaged(Eq(VarianceOf(added), n), (Random(P, i, 1, n, covariance=x, other=i),)),
                Domain(0 <= x, x <= 1, n >= 2),
            ),
        ),
    ),
    Case(
        "means of two kinds",
        averaged(Eq(MeanOf(of_two + 1), k * a + 2 * (n - k) * b + 1), two_kinds),
        means,
        (
            False_("averaged", averaged(Eq(MeanOf(of_two + 1), k * a + 2 * (n - k) * b), two_kinds), means),
            False_(
                "lie apart",
                averaged(Eq(MeanOf(of_two), 0), (Random(P, i, 1, k, mean=a), Random(P, i, k, n, mean=b))),
                means,
            ),
        ),
    ),
    Case(
        "a product of independent numbers",
        averaged(Eq(MeanOf(Product(P[i], (i, 1, n))), x**n), fair),
        Domain(0 < x, x < 1, n >= 2),
        (
            False_("averaged", averaged(Eq(MeanOf(Product(P[i], (i, 1, n))), x), fair), Domain(0 < x, x < 1, n >= 2)),
            False_(
                "no product of all",
                averaged(Eq(MeanOf(Product(P[i], (i, 1, n))), x**n), (Random(P, i, 1, n, mean=x),)),
                Domain(0 < x, x < 1, n >= 2),
            ),
            False_(
                "is said of all",
                averaged(
                    Eq(MeanOf(Product(P[i], (i, 1, n))), x**n), (Random(P, i, 1, n, mean=x * i, independent=True),)
                ),
                Domain(0 < x, x < 1, n >= 2),
            ),
        ),
    ),
)

# -- groups of texts --------------------------------------------------------------------------------------------------
rate, after, after_2, after_3, after_rate = (IndexedBase(e, real=True) for e in ("z", "W", "W_2", "W_3", "V"))
score = rate[o] - Sum(pi[other] * rate[other], (other, 1, n))
texts = Texts(o, other, n, (a, b), (), ((pi, pi[o] * score),))
law = Domain(simplex(pi, n), simplex(ref, n), reals(rate, n), reals(P, n), n >= 2, a, b)
names = {"onward": (after, after_2, after_3), "rates": (after_rate,), "rest": (u, t)}
scores = TextSum(score, o)
unbiased = ((TextMean(scores, pi), 0),)
to_go = FromHere(TextSum(P[o], o))
weight = TextMean(exp(a), ref)


def step(size: Any, factor: Any) -> Statement:
    """The expected step of a group, as a multiple of the gradient."""
    left, right = TextMean(GroupCentred(a, scores, size), pi), factor * TextRate(TextMean(a, pi))
    return OnTexts(left, right, texts).by(OverTokens(**names, beside=unbiased))


def charged(term: Any) -> Statement:
    """The gradient of the rewards along a text, every token charged with this."""
    return OnTexts(TextRate(TextMean(TextSum(P[o], o), pi)), TextMean(TextSum(term, o), pi), texts).by(
        OverTokens(**names)
    )


def tilted(normaliser: Any, body: Any, positive: tuple[Any, ...]) -> Statement:
    """Tokens weighed by a normaliser after over that before them."""
    ratio = TextProduct(Ahead(normaliser) / Here(normaliser), o)
    return OnTexts(TextMean(b * ratio, ref) * normaliser, TextMean(b * body, ref), texts).by(
        OverTokens(**names, positive=positive, using=(exp_positive(a),))
    )


falling = TextMean(TextProduct(P[o], o), ref)
TEXTS = (
    Case(
        "the step of a group",
        step(k, 1 - 1 / k),
        law.also(k >= 2),
        (
            False_("one more token", step(k, 1 - 2 / k), law.also(k >= 2), ("not divided by zero",)),
            False_("there is a text", step(k, 1 - 1 / k), law.also(k >= 0, k <= 5), ("divided", "token", "value")),
            False_(
                "no multiple of an average",
                OnTexts(TextMean(GroupCentred(a, scores, k) ** 2, pi), 0, texts).by(OverTokens(**names)),
                law.also(k >= 2),
            ),
        ),
    ),
    Case(
        "rewards to go",
        charged(score * to_go),
        law,
        (
            False_("one more token", charged(score * P[o]), law),
            False_("one more token", charged((score + 1) * to_go), law),
        ),
    ),
    Case(
        "a law of texts, token by token",
        tilted(weight, exp(a), (weight,)),
        law,
        (
            False_("one more token", tilted(weight, exp(a), ()), law, ("has a value",)),
            False_("no token", tilted(weight, 2 * exp(a), (weight,)), law),
            False_("positive without tokens", tilted(TextMean(a, ref), a, (TextMean(a, ref),)), law),
            False_(
                "positive with one more token",
                OnTexts(TextMean(b, ref), 2 * TextMean(b, ref), texts).by(OverTokens(**names, positive=(falling,))),
                law,
                ("no token", "one more token"),
            ),
            False_("no mean of one product", tilted(weight, exp(a), (TextMean(exp(a) + 1, ref),)), law),
        ),
    ),
)

CASES = (*SUMS, *COMPARISONS, *RANDOM, *TEXTS)
