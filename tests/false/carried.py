"""Citing beyond what a claim says, a domain inside of a rule, and what SymPy loses on the way to the checkers."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false, misjudged, true, unrefuted

half = Rational(1, 2)
rewards = Domain(reals(r, n), n >= 1)
first = Always(x**2 + 1 > x)


def again(statement, large, small, said=None):
    """A claim on a domain, cited on a smaller one."""
    base = claimed(large, statement, id="the large one")
    cited = (said or statement).by(Then(first=(first,), given=[base]))
    return [claimed(small, cited, depends_on=("the large one",)), base]


def from_claim(base, given, said, domain):
    """What follows from a claim at values of its letters."""
    return [claimed(domain, said.by(Follows(given=[given(base)])), depends_on=("the cited one",)), base]


def beyond(statement, small, large):
    """A claim on a domain, cited on a larger one."""
    return from_claim(claimed(small, statement, id="the cited one"), lambda base: base, statement, large)


def indexed(formula):
    """A claim about an entry of a family, of the index of which its domain says nothing."""
    return claimed(rewards, Always(And(formula, r[k] ** 2 + r[k] + 1 > 0)), id="the cited one")


# -- citing

nine = Exists(Eq(x**2, 9), {x: 3})
top = OnlyMaximum(-((x - 2) ** 2), x, 2)
bump = LocalMaximum(-((x - 2) ** 2), x, 2)
least = SameMinimisers(
    (Sum((pi[o] - half) ** 2, (o, 1, 2)), Sum((ref[o] - half) ** 2, (o, 1, 2))), (pi[o], ref[o]), (ref[o], pi[o])
)
up_to_three, two = Domain(0 < x, x < 3), Domain(simplex(pi, 2), simplex(ref, 2), x > 0)

false(
    "an example in a case of a case, on a smaller domain",
    "3 is not above 5",
    lambda: again(When(x > 0, When(x > 1, nine)), Domain(x), Domain(x > 5), nine),
)
false("an example among several", "3 is not above 5", lambda: again(Every(nine, first), Domain(x), Domain(x > 5), nine))
false(
    "a maximum at the end of a smaller domain",
    "at x = 2 the domain ends, and there is none inside",
    lambda: again(bump, up_to_three, Domain(0 < x, x < 2)),
)
false(
    "minimisers on a part of the policies",
    "the first is least at (3/4, 1/4), the second is not",
    lambda: again(least, two, two.also(pi[1] >= Rational(3, 4))),
)
false(
    "the largest value in a case",
    "2 is not below 1",
    lambda: again(When(y > 0, top), Domain(0 < x, x < 3, y), Domain(0 < x, x < 1, y > 1), top),
)
true(
    "what is said of each point, on a smaller domain",
    lambda: again(Equal((x + y) ** 2, x**2 + 2 * x * y + y**2), Domain(x, y), Domain(x > 5, y)),
)
true("what increases, on a smaller domain", lambda: again(Monotone(exp(x) + x, x), Domain(x), Domain(x > 5)))

false(
    "an index of seven", "n = 1", lambda: from_claim(indexed(k <= n), lambda c: at(c, {k: 7}), Always(n >= 7), rewards)
)
false(
    "an index of which the domain says something else",
    "n = 1, k = 2",
    lambda: from_claim(indexed(k <= n), lambda c: at(c, {}), Always(k <= n), rewards.also(k >= 1)),
)
false(
    "an index that is another size",
    "G may exceed n",
    lambda: from_claim(indexed(k <= n), lambda c: at(c, {k: G}), Always(G <= n), rewards.also(G >= 1)),
)
false(
    "an index before the first",
    "n = 1: 0 is none of its numbers",
    lambda: from_claim(indexed(k >= 1), lambda c: at(c, {k: n - 1}), Always(n >= 2), rewards),
)
true(
    "an index in its range",
    lambda: from_claim(
        indexed(k <= n), lambda c: at(c, {k: 2}), Always(r[2] ** 2 + r[2] + 2 > 0), Domain(reals(r, n), n >= 2)
    ),
)

# -- domains inside of rules, and hidden constraints

unrefuted(
    "what a claim says, beyond the claim",
    "x(1 − x) is at most 1/4 for every x, whatever the claim on (0, 1) says",
    lambda: beyond(Always(x * (1 - x) <= Rational(1, 4)), Domain(0 < x, x < 1), Domain(x > 0)),
)
unrefuted(
    "what a claim says of whole numbers, beyond the claim",
    "kn is at least 1 without k ≥ n",
    lambda: beyond(Always(k * n >= 1), Domain(n >= 1, k >= n), Domain(n >= 1, k >= 2)),
)
unrefuted(
    "what a claim says where it has no value",
    "x² + 1 > x for every x, and without log x too",
    lambda: from_claim(
        claimed(Domain(y), Always(y**2 + 1 > y), id="the cited one"),
        lambda base: at(base, {y: log(x)}),
        Always(x**2 + 1 > x),
        Domain(x),
    ),
)
false("a case inside of a rule", "x = 0", lambda: _by(When(x > 1, Always(x > half)), Domain(x)))
false(
    "an example inside of a rule",
    "x = 1",
    lambda: _by(Every(Exists(Eq(x**2, 9), {x: 3}), Always(x + 1 > x / 2 + half)), Domain(x > 0)),
)
false(
    "a domain in a case in a rule", "x = 0", lambda: _by(When(y > 0, On(Domain(x > 1), Always(x > half))), Domain(x, y))
)
false("a domain that follows", "x = 0", lambda: (Domain(x), On(Domain(x > 1), Always(x > half)).by(Follows(given=()))))
false("the mean of large groups is any number", "x = mean + 1", lambda: _large_groups(n))
false("the policy changes with the size of the group", "there is no one mean", lambda: _large_groups(G))

# -- what SymPy loses

false("sums that settle without a value", "log(−x) has no value for x > 0", lambda: _settles(log(-x)))
false("a logarithm of nought at the first number", "at k = 1 it is log 0", lambda: _from_one(exp(-Abs(log(k - 1)))))
false("a hidden pole at the first number", "at k = 1 it is 1/0", lambda: _from_one(1 / cosh(1 / (k - 1))))
false(
    "a condition at a maximum that divides by nought",
    "π_old − π is 0 at each of them",
    lambda: _maxima(1 / (1 + 1 / (old[o] - pi[o]))),
)
false("random numbers from one to below nought", "n = −1", lambda: _mean_of_product(n >= -1))
false(
    "values in order that have none",
    "1/x has no value at 0",
    lambda: (
        Domain(x >= 0, y > x),
        Always(Lt(1 / x, 1 / x + 1 - 1 / (1 + y), evaluate=False)).by(
            TwoValues(x, x, Domain(x), (1 / x, 1 / x + 1 - 1 / (1 + y)))
        ),
    ),
)
true("random numbers of which there may be none", lambda: _mean_of_product(n >= 0))

# -- judging a print

misjudged(
    "a print judged by two numbers",
    "that 0 is not 1 says nothing of x",
    lambda: claimed(Domain(x), first, judged=wrong("it says 0 = 1", Equal(0, 1)), printed="x^2 + 1 > x"),
)
misjudged(
    "a print judged by the limit of a number",
    "that 2 does not tend to 1 says nothing of x, and not of what tends to 0 either",
    lambda: claimed(Domain(x), first, judged=wrong("it says 2 → 1", Tends(2, y, 0, 1)), printed="x^2 + 1 > x"),
)


def _by(statement, domain):
    return claimed(domain, statement.by(Then(first=(first,))))


def _large_groups(answers):
    mean = Sum(pi[o_] * r[o_], (o_, 1, answers))
    variance = Sum(pi[o] * (r[o] - mean) ** 2, (o, 1, answers))
    shown = Eq(x, mean * Piecewise((1, G >= 2), (0, True)))
    domain = Domain(simplex(pi, answers), reals(r, answers), n >= 2, G >= 2, shown)
    return domain, MeanOfLargeGroups(pi, r, None, o, answers, G, x, variance=variance)


def _settles(factor):
    agree = EqualFromSomeOn(factor * Sum(r[k] / factor, (k, 1, n)), Sum(r[k], (k, 1, n)), x)
    return rewards, agree.by(TermsSettle(1))


def _from_one(term):
    return Domain(y > 0), ForEveryNumber(Ge(y + term, 0, evaluate=False), k, 1).by(Induction())


def _maxima(term):
    condition = Eq(2 * (pi[o] - 1 / n) + term, P[o] - Sum(P[k], (k, 1, n)) / n, evaluate=False)
    objective = Sum(pi[o] * P[o] - pi[o] ** 2, (o, 1, n))
    said = MaximaSatisfy(objective, pi, o, condition, frozen=((old[o], pi[o]),))
    rule = EqualSlopes(Summand(t * P[o] - t**2, t, pi, o, n), P[o] - 2 * t, lam, P, 2 * pi[o] + lam)
    return Domain(simplex(pi, n), simplex(old, n), reals(P, n), lam, n >= 2), said.by(rule)


def _mean_of_product(size):
    numbers = (Random(onward, i, 1, n, mean=x, independent=True),)
    said = Eq(MeanOf(Product(onward[i], (i, 1, n))), x**n, evaluate=False)
    return Domain(x > 0, size), ForRandom(said, numbers)
