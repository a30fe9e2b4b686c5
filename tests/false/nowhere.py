"""Sentences of what there is nowhere: numbers, entries, series, answers and solutions of which all that is supposed
never holds; and examples, shapes and points whose value or sign is that of something else.
"""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false, misjudged, true, unrefuted

half = Rational(1, 2)
W = onward
steep = Rational(7, 2)  # x^(7/2) has three derivatives from the right at 0, and no value on the left

# -- derivatives along whole numbers --------------------------------------------------------------------------------
false(
    "a slope of n²", "between n and n + 1 there is nothing", lambda: (Domain(n >= 1), Equal(Derivative(n**2, n), 2 * n))
)
false("a slope of n² at an example", "n is whole", lambda: (Domain(n >= 1), Exists(Eq(Derivative(n**2, n), 2), {n: 1})))


def _differentiated():
    d = Derivation("along a whole letter", Domain(n >= 1))
    return claimed(Domain(n >= 1), Equal(d.differentiate(d.start(n**2), n, "-"), 2 * n), by=d)


false("a derivation along a whole letter", "n is whole", _differentiated)
unrefuted(
    "what rises from whole number to whole number",
    "0, 1, 2, 33, 124, …; the slope at 1, −4, says nothing of whole numbers",
    lambda: (Domain(n >= 0), Monotone(n + 5 * n * (n - 1) * (n - 2), n)),
)
unrefuted(
    "what is convex at 0, 1, 2, 3",
    "0, 1, 4, 9 have the second differences 2, 2",
    lambda: (Domain(n >= 0, n <= 3), Curved(n**2 + 9 * n * (n - 1) * (n - 2) * (n - 3), n)),
)
misjudged(
    "wrong, of a slope of whole numbers",
    "the print has no value anywhere",
    lambda: claimed(
        Domain(n >= 1), Always(n**2 + 1 > n), printed="-", judged=wrong("-", Equal(Derivative(n**2, n), 2 * n + 1))
    ),
)
true("a slope of x²", lambda: (Domain(x >= 1), Equal(Derivative(x**2, x), 2 * x)))
true("x² rises", lambda: (Domain(x >= 1), Monotone(x**2, x)))


# -- points without a value --------------------------------------------------------------------------------------------
false(
    "a domain whose only point has no value",
    "at x = 0, where the constraint has no value, it is said to hold",
    lambda: (Domain(x >= 0, Derivative(x**steep, (x, 3)) <= 0), Always(x <= 0)),
)
false(
    "a domain of an entry whose only point has no value",
    "at r(1) = 0",
    lambda: (Domain(reals(r, n), n >= 1, r[1] >= 0, Derivative(r[1] ** Rational(3, 2), r[1]) <= 0), Always(r[1] <= 0)),
)


def print_of(judged, domain=None):
    domain = Domain(x >= 0) if domain is None else domain
    return claimed(domain, Always(x**2 + 1 > x), printed="-", judged=judged)


misjudged(
    "wrong, at a point without a value",
    "where it has a value, for x > 0, the print holds",
    lambda: print_of(wrong("-", Always(Derivative(x**steep, (x, 3)) > 0))),
)
misjudged(
    "imprecise, at a point without a value",
    "where it has a value the print holds",
    lambda: print_of(imprecise("-", Always(Ne(Derivative(x**steep, (x, 3)), 0)))),
)
misjudged(
    "a hypothesis in need, at a point without a value",
    "where it has a value the print holds",
    lambda: print_of(needs_hypothesis("-", Always(Ne(Derivative(x**steep, (x, 3)), 0)), Domain(x >= 0)), Domain(x > 0)),
)
true(
    "an example of a third derivative",
    lambda: (Domain(x >= 0), Exists(Eq(Derivative(x**steep, (x, 3)), Rational(105, 8)), {x: 1})),
)
true("an example of a power with a whole exponent", lambda: (Domain(x, n >= 1), Exists(Eq(x**n, 1), {x: -1, n: 2})))

# -- equations supposed of every entry that hold nowhere ------------------------------------------------------------
two = Domain(simplex(pi, n), simplex(ref, n), n >= 1)
GAP = Sum(pi[o] - ref[o], (o, 1, n))
false(
    "in every entry, of probabilities that are 5",
    "no probability is 5",
    lambda: (two, InEveryEntry((Eq(pi[o], 5),), pi[o] > 7, o, n).by(NothingLeft(GAP, 5 - ref[o]))),
)
false(
    "in every entry, of probabilities that are 1",
    "of two or more none is 1",
    lambda: (two.also(n >= 2), InEveryEntry((Eq(pi[o], 1),), pi[o] > 7, o, n).by(NothingLeft(GAP, 1 - ref[o]))),
)
false(
    "in every entry, of twice the other policy",
    "they would add up to 2",
    lambda: (two, InEveryEntry((Eq(pi[o], 2 * ref[o]),), pi[o] > 7, o, n).by(NothingLeft(GAP, ref[o]))),
)

FAR = Abs(pi[o] - ref[o])
true(
    "in every entry, of equal ones, an equation that holds somewhere",
    lambda: (
        two,
        InEveryEntry((Eq(pi[o], ref[o]),), Ge(pi[o], ref[o]), o, n).by(
            NothingLeft(GAP, FAR, example={n: 2, pi: [half, half], ref: [half, half]})
        ),
    ),
)


# -- countably many answers that are all too likely -----------------------------------------------------------------
def many(best, *domain, each=p):
    said = OnlyBestOfMany(Part(-((z - best) ** 2), z, -(best**2)), (each,), best, Integer(0))
    return Domain(*domain), said.by(OneMultiplierForAll(0, Loss((z - best) ** 2), rare=(each, 0)))


tiny = Rational(1, 10**7)
false("countably many answers of p + 10⁻⁷", "they add up to ∞", lambda: many(p + tiny, p > 0))
false("countably many answers of at least 10⁻⁷", "they add up to ∞", lambda: many(Max(p, tiny), p > 0))
false("countably many answers above a number x/10⁹", "they add up to ∞", lambda: many(p**2 + x / 10**9, p > 0, x > 0))
false("countably many answers above 1, or above 2", "they add up to ∞", lambda: many(p, p > 0, Or(p > 1, p > 2)))
false("countably many answers of k/2000", "they add up to ∞", lambda: many(k / Integer(2000), k >= 1, each=k))
false("countably many answers tied to one number", "n of x add up to nx", lambda: many(p, p > 0, Eq(x, p)))
true("countably many answers, any of them rare", lambda: many(p, p > 0))


# -- recurrences that no sequence satisfies -------------------------------------------------------------------------
def every(formula, recurrence, start, such=None):
    said = ForEveryNumber(formula, n, 1, (reals(W, n),), recurrence, start)
    return Domain(), said.by(Induction(such=such or {}))


false(
    "every number is below 9",
    "9 is a number: what falls by 1 each time does not stay positive",
    lambda: every(And(W[n] <= 9 - n, n < 9), (W[n + 1] <= W[n] - 1, W[n + 1] > 0), (W[1] <= 8,)),
)
false(
    "every number is below 9, as one number says",
    "what falls by 1 each time does not stay positive, and with n = 1 there is no next one",
    lambda: every(And(W[n] <= 9 - n, n < 9), (W[n + 1] <= W[n] - 1, W[n + 1] > 0), (W[1] <= 8,), {W: 9 - n, n: 1}),
)
false(
    "every number is below 9, with another reward",
    "with r(1) ≥ 1 what falls by r(1) each time does not stay positive",
    lambda: (
        Domain(reals(r, 2), r[1] >= 1),
        ForEveryNumber(
            And(W[n] <= 9 - n, n < 9), n, 1, (reals(W, n),), (W[n + 1] <= W[n] - r[1], W[n + 1] > 0), (W[1] <= 8,)
        ).by(Induction(such={W: 1, r: 0})),
    ),
)
false(
    "what converges beside what is above 1 and tends to 0",
    "r²(r − 1) > 0 says that r > 1",
    lambda: (
        Domain(x),
        ConvergesTo(W[k], k, x, ((error[k], 0),), (error[k] ** 2 * (error[k] - 1) > 0, Abs(W[k] - x) <= 1)),
    ),
)
false(
    "every number is below 9, by a sum",
    "9 is a number: sums of what is at least 1 do not stay below 8",
    lambda: every(And(Sum(W[k], (k, 1, n)) >= n, n < 9), (W[n + 1] >= 1, Sum(W[k], (k, 1, n)) < 8), (W[1] >= 1,)),
)
false(
    "a sequence that doubles tends to 0",
    "W(k) ≥ 2^(k − 1)",
    lambda: (
        Domain(),
        LimSup(W[k] - 7, k, -7, ((W[k], 0),), (), (reals(W, k),), (W[k + 1] >= 2 * W[k],), (W[1] >= 1,)),
    ),
)
false(
    "a lim sup of what falls by 1 and stays positive",
    "there is no such sequence",
    lambda: (
        Domain(),
        LimSup(
            W[k],
            k,
            8,
            ((error[k], 0),),
            (W[k] <= 8,),
            (reals(W, k), reals(error, k)),
            (W[k + 1] <= W[k] - 1, W[k + 1] > 0),
            (W[1] <= 8,),
        ).by(Compared((W[k] <= 8,))),
    ),
)
true(
    "what falls by 1 each time",
    lambda: every(And(W[n] <= 9 - n, W[n] < 9), (W[n + 1] <= W[n] - 1,), (W[1] <= 8,), {W: 9 - n}),
)

# -- expected advantages that no rewards give -----------------------------------------------------------------------
pair = Domain(simplex(pi, n), Eq(n, 2))


def deviation(expected):
    return pair, MeanDeviation(pi, o, n, Integer(2), expected, o * 1, Sum(pi[o] * expected * o, (o, 1, n)))


def bound(expected):
    return pair, BoundByAdvantages(pi, o, n, Integer(2), expected, Sum(pi[o] * expected**2, (o, 1, n)), 1)


LARGE, RARE = -5 + Rational(9, 2) * o, -Rational(1, 3) + Rational(10, 3) * (o - 1)
false("a deviation of advantages of mean square 2", "their mean is 0 at (8/9, 1/9) only", lambda: deviation(LARGE))
false("a deviation in pairs of an advantage of 3", "in pairs none exceeds 1", lambda: deviation(RARE))
false("a bound by advantages of mean square 2", "their mean is 0 at (8/9, 1/9) only", lambda: bound(LARGE))
false("a bound by an advantage of 3 in pairs", "in pairs none exceeds 1", lambda: bound(RARE))
true("a deviation in pairs", lambda: deviation(2 * o - 3))


# -- solutions that there are far from the point only ---------------------------------------------------------------
def tends(body, value, until, *domain):
    said = SolutionTends(body, x, 0, 1, beta, 0, value)
    return Domain(*domain), said.by(SqueezedSolution(value + beta / 4, value + beta / 4, until))


for places in (3, 9, 30):
    false(
        f"a solution that leaves near the point, by a kink at 10^-{places}",
        "for β below that there is none: no number of (0, 1) tends to 7",
        lambda places=places: tends(x - half + 5 * Max(0, 1 - beta * 10**places), 7, Rational(1, 2 * 10**places)),
    )
false(
    "a solution that leaves near the point, smoothly",
    "for β < 10⁻⁷ there is none",
    lambda: tends(x - half + 5 / (1 + 10**6 * beta), 7, Rational(1, 10**7)),
)
false(
    "a solution that leaves near the point, with a parameter",
    "for β < 1/(2000 γ) there is none",
    lambda: tends(x - half + 5 * Max(0, 1 - 1000 * beta * gamma), 7, 1 / (2000 * gamma), gamma > 0),
)
false(
    "a solution that leaves far out",
    "for β > 2·10⁶ there is none",
    lambda: (
        Domain(),
        SolutionTends(x - half + 5 * Max(0, beta / 10**6 - 1), x, 0, 1, beta, oo, 7, "-").by(
            SqueezedSolution(Integer(7), Integer(7), 10**7)
        ),
    ),
)
false(
    "a solution of what jumps over nought",
    "−1 − β before ½ and 1 + β from there on is never 0: no solution tends to 7",
    lambda: tends(Piecewise((-1 - beta, x < half), (1 + beta, True)), 7, 1),
)
true("a solution that there is near the point", lambda: tends(x - half - beta / 4, half, 1))

# -- a series that is none ------------------------------------------------------------------------------------------
false(
    "a series of one number",
    "what is x for all k has a sum for x = 0 only, and that is 0, not 5",
    lambda: (Domain(x >= 0), BelowSeries(error[k], k, Integer(5), (Eq(error[k], x),))),
)
false(
    "a series of what is at least x and at most x",
    "it has a sum for x = 0 only, and that is not x + 1",
    lambda: (Domain(x >= 0), BelowSeries(error[k], k, x + 1, (error[k] >= x, error[k] <= x))),
)
true("a series with a value", lambda: (Domain(x > 0), BelowSeries(error[k], k, x, (error[k] >= 0,))))

# -- multipliers, refuted on a larger domain ------------------------------------------------------------------------
USED = Place(Summand(x * t, t, pi, o, n), x, 1 / n)
REST = Place(Summand(beta * t, t, unsampled, o, k), beta, Integer(0))
OBJECTIVE = Sum(x * pi[o], (o, 1, n)) + Sum(beta * unsampled[o], (o, 1, k))


def multipliers(condition, *domain):
    return Domain(positives(pi, n), reals(unsampled, k), n >= 1, k >= 1, x, beta, *domain), SatisfiesKKT(
        OBJECTIVE, (USED, REST), condition
    )


true("multipliers", lambda: multipliers(beta <= x))
unrefuted("multipliers, always", "x > n > β: they are there, and x > 0", lambda: multipliers(x > 0, x > n, beta < n))
unrefuted(
    "multipliers, never", "x < n < β: there are none, and x ≤ β + 1", lambda: multipliers(x > beta + 1, x < n, beta > n)
)
unrefuted(
    "multipliers, by an entry",
    "x > r(1) > β: they are there, and x ≠ β",
    lambda: multipliers(Ne(x, beta), reals(r, 2), x > r[1], beta < r[1]),
)

# -- an equation between points with a gap -----------------------------------------------------------------------------
two_answers = Domain(simplex(pi, n), n >= 2)
for name, gap in (("a square", (x - 1) ** 2), ("a size", Abs(x - 1)), ("a product", x * (x - 1) ** 2)):
    false(
        f"a bound by advantages that are never 0 on average, where {name} is positive",
        "at x = 3 the bound says 25 ≤ 25/4; the mean of the advantages is x − 1, and never 0",
        lambda gap=gap: (
            two_answers.also(gap > 0),
            BoundByAdvantages(pi, o, n, Integer(2), x - 1, Integer(25), 25 / (x - 1) ** 2).by(
                MeanSquare((x - 1) ** 2 / 25)
            ),
        ),
    )
false(
    "a deviation of advantages whose mean is 0 where the domain is not",
    "it is 0 at π = (½, ½) only",
    lambda: (
        pair.also((pi[1] - half) ** 2 > 0),
        MeanDeviation(
            pi, o, n, Integer(2), o - Rational(3, 2), o * 1, Sum(pi[o] * (o - Rational(3, 2)) * o, (o, 1, n))
        ),
    ),
)

# -- sums, and the terms of which they are made ------------------------------------------------------------------------
PARTIAL = Sum(W[j], (j, 1, i))
false(
    "sums of what is not negative that are below 0",
    "no sums of numbers ≥ 0 are ≤ −1",
    lambda: (
        Domain(),
        LimSup(PARTIAL, i, -1, ((error[i], 0),), (W[i] >= 0, PARTIAL <= -1), (reals(W, i), reals(error, i))),
    ),
)
false(
    "a series of value 5 whose sums are all above 7",
    "they converge to 7 or more",
    lambda: (Domain(), BelowSeries(W[i], i, Integer(5), (W[i] >= 0, PARTIAL >= 7))),
)
misjudged(
    "wrong, of an example that fails",
    "at x = ½ there is one",
    lambda: claimed(Domain(x > 0), Always(x + 1 > 1 - x), printed="-", judged=wrong("-", Exists(x < 1, {x: 2}))),
)
