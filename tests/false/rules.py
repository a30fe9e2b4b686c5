"""Conclusions of rules whose theorem has a hypothesis that the sentence does not meet."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import claimed, false, true, unrefuted

half, quarter = Rational(1, 2), Rational(1, 4)
POLICY = Domain(simplex(pi, n), n >= 2)
PAIR = Domain(simplex(pi, n), simplex(ref, n), n >= 2)
GROUP = Domain(reals(r, G), G >= 2)
KL = Sum(pi[o] * log(pi[o] / ref[o]), (o, 1, n))
FROM_REF = (Divergence(pi[o], ref[o], o, 1, n),)
GAP = Sum((pi[o] - ref[o]) ** 2, (o, 1, n))
SQUARES = Sum(pi[o] ** 2, (o, 1, n))
MEAN = Sum(r[o], (o, 1, G)) / G
PARAMETER = Domain(beta)


def cites(statement: Any, domain: Any, *cited: Claim) -> list[Claim]:
    """A claim that depends on others."""
    return [claimed(domain, statement, depends_on=[c.id for c in cited]), *cited]


# -- derivatives -------------------------------------------------------------------------------------------------------

CUBIC = k**3 / 3 - k**2 / 2 + Rational(9, 100) * k
false(
    "a cubic that dips between two whole numbers",
    "its slope is positive at whole numbers, and it falls from 0 to 1",
    lambda: (Domain(0 <= k, k <= 1), Monotone(CUBIC, k)),
)
false(
    "a cubic of whole numbers, Lipschitz by its slope there",
    "from 0 to 1 it changes by 23/300, its slope there being 1/100",
    lambda: (Domain(0 <= k, k <= 1), Lipschitz(k**3 / 3 - k**2 / 2 + k / 100, k, Rational(1, 100))),
)
true("the same cubic of a real letter, where it rises", lambda: (Domain(x >= 1), Monotone(CUBIC.subs(k, x), x)))
false(
    "a constant of Lipschitz that is the slope of the place",
    "the constant is one number: x² and y² differ by (x + y)|x − y|",
    lambda: (Domain(0 <= x, x <= 1), Lipschitz(x**2, x, 2 * x)),
)
true(
    "a constant of Lipschitz that is a parameter", lambda: (Domain(0 <= x, x <= 1, beta > 2), Lipschitz(x**2, x, beta))
)
false(
    "a slope in a form that agrees at one point",
    "the derivative of x² is 2x",
    lambda: (Domain(0 <= x, x <= 1), Lipschitz(x**2, x, 1).by(BoundedDerivative(slope=x))),
)
false(
    "a function that bends, with the slopes beside the bend",
    "|x| has no derivative at 0",
    lambda: (Domain(-1 <= x, x <= 1), Curved(x**2 - Abs(x), x, 1)),
)
false("a pole between", "1/x jumps at 0", lambda: (Domain(-1 <= x, x <= 1), Continuous(1 / x, x)))
false(
    "a tangent of what has no value",
    "log β has none where β ≤ 0",
    lambda: (Domain(beta, x), AtLeast(x**2 + log(beta), log(beta)).by(AboveTangent(x, 0))),
)
true(
    "a tangent of what has a value",
    lambda: (Domain(beta > 0, x), AtLeast(x**2 + log(beta), log(beta)).by(AboveTangent(x, 0))),
)
false(
    "a tangent beside the point",
    "x² lies below 2x between 0 and 2",
    lambda: (Domain(0 <= x, x <= 2), AtLeast(x**2, 2 * x).by(AboveTangent(x, 1))),
)

# -- roots -------------------------------------------------------------------------------------------------------------

false(
    "a value that moves with the variable, on the whole line",
    "x = x + 1 has no solution",
    lambda: (PARAMETER, TakesValue(x, x, -oo, oo, x + 1).by(BetweenLimits((-oo, oo)))),
)
true(
    "a value that does not move, on the whole line",
    lambda: (PARAMETER, TakesValue(x, x, -oo, oo, beta + 1).by(BetweenLimits((-oo, oo)))),
)
false(
    "one solution of an equation with itself on both sides",
    "x = x + 1 has none",
    lambda: (PARAMETER, OneRoot(x, x, -oo, oo, x + 1).by(StrictlyMonotone(1, (-oo, oo)))),
)
false(
    "three solutions, the other side moving as well",
    "x = x − (x − 1/4)(x − 1/2)(x − 3/4) at three points, though x increases",
    lambda: (PARAMETER, OneRoot(x, x, 0, 1, x - (x - quarter) * (x - half) * (x - 3 * quarter))),
)
false(
    "a value without a value, on the whole line",
    "log β has none where β ≤ 0",
    lambda: (PARAMETER, TakesValue(x, x, -oo, oo, log(beta)).by(BetweenLimits((-oo, oo)))),
)
false(
    "a value without a value that cancels",
    "1/β has none at 0",
    lambda: (PARAMETER, TakesValue(x + 1 / beta, x, -1, 1, 1 / beta)),
)
true("a value that cancels", lambda: (Domain(beta > 0), TakesValue(x + 1 / beta, x, -1, 1, 1 / beta)))
CROSSED = Domain(Ne(beta, y), -1 < beta, beta < 1, -1 < y, y < 1)
false(
    "one root between ends in the wrong order",
    "where y < β nothing lies between β and y",
    lambda: (CROSSED, OneRoot((y - beta) * (x - (beta + y) / 2), x, beta, y)),
)
true(
    "one root between ends in order", lambda: (Domain(beta < y), OneRoot((y - beta) * (x - (beta + y) / 2), x, beta, y))
)
false(
    "an interval that begins at infinity",
    "nothing lies between ∞ and −1/2",
    lambda: (PARAMETER, OneRoot(x**2, x, oo, -half, 1).by(StrictlyMonotone(-1, (oo, None)))),
)
false(
    "a value between infinity and a number below it",
    "nothing lies between ∞ and 0",
    lambda: (PARAMETER, TakesValue(-x, x, oo, 0, -1).by(BetweenLimits((-oo, 0)))),
)
false(
    "a value taken at an end only",
    "x² is zero at 0, which is not between 0 and 1",
    lambda: (PARAMETER, TakesValue(x**2, x, 0, 1)),
)
false(
    "a power of zero that jumps",
    "β^x is 0 for β = 0, but at x = 0",
    lambda: (Domain(0 <= beta, beta <= quarter), TakesValue(beta**x, x, 0, 1, half)),
)
true("a power of a positive number", lambda: (Domain(0 < beta, beta <= quarter), TakesValue(beta**x, x, 0, 1, half)))
false(
    "a total that is the variable",
    "x − Σπ is zero for every x",
    lambda: (Domain(simplex(pi, n, x), n >= 2, x > 0), OneRoot(2 * x - Sum(pi[o], (o, 1, n)), x, -1, 1)),
)
false(
    "the only root, with another inside",
    "x² = 1/4 at −1/2 too",
    lambda: (PARAMETER, UniqueRoot(x**2 - quarter, x, half, -1, 1)),
)
unrefuted(
    "a value taken without a change of sign",
    "(x − 1/2)² is zero at 1/2: a premise that fails does not make the sentence false",
    lambda: (PARAMETER, TakesValue((x - half) ** 2, x, 0, 1)),
)
unrefuted(
    "a function on one point",
    "−x increases on the one point that the bounds leave",
    lambda: (Domain(1 <= x, x <= 1), Monotone(-x, x)),
)
unrefuted(
    "a cube that rests for a moment", "x³ increases strictly, with slope 0 at 0", lambda: (Domain(x), Monotone(x**3, x))
)

# -- iterations --------------------------------------------------------------------------------------------------------

HALVING = Iteration(x / 2, x, beta)
false(
    "an iteration that stays at its start, which it does not",
    "β/2 is not β",
    lambda: (Domain(beta > 0), StaysIn(HALVING, beta, beta)),
)
false(
    "a start that is the letter of the map",
    "the start is any number",
    lambda: (Domain(0 <= x, x <= 1), StaysIn(Iteration(x / 2, x, x), 0, 1)),
)
false(
    "an upper end that is the letter of the map",
    "what the end is depends on the member",
    lambda: (Domain(0 <= x, x <= 1), StaysIn(Iteration(x, x, 0), 0, x)),
)
false(
    "a rise without an upper end",
    "x + 1 has no fixed point",
    lambda: (Domain(beta > 0), RisesToLeastFixedPoint(Iteration(x + 1, x, beta), 0, oo)),
)
false(
    "a constant of contraction that depends on the place",
    "x − x³ moves 0 < x ≤ 1/2 by less and less, at no constant rate",
    lambda: (
        Domain(0 <= beta, beta <= half),
        ConvergesToFixedPoint(Iteration(x - x**3, x, beta), 0, half).by(Contraction(1 - 3 * x**2)),
    ),
)
false(
    "a multiplier in a form that is another number", "the slope of 2x is 2", lambda: (PARAMETER, Attracts(2 * x, x, 0))
)
false(
    "attraction at a bend",
    "|x| has no derivative at 0, and x + |x| is 2x beside it",
    lambda: (PARAMETER, Attracts(x + Abs(x), x, 0)),
)
false(
    "repulsion at the edge of a root",
    "√x is no number below 0, whence none moves away",
    lambda: (PARAMETER, Repels(sqrt(x), x, 0)),
)
# -- maxima ------------------------------------------------------------------------------------------------------------

false(
    "a maximum while what is held fixed has no value",
    "√(1 − β) is none where β takes the value y > 1",
    lambda: (Domain(x, 0 < beta, beta < 1, 0 < y, y < 2), LocalMaximum(sqrt(1 - beta) - x**2, x, 0, ((beta, y),))),
)
true(
    "a maximum while what is held fixed has a value",
    lambda: (Domain(x, 0 < beta, beta < 1, 0 < y, y < 1), LocalMaximum(sqrt(1 - beta) - x**2, x, 0, ((beta, y),))),
)
false(
    "the only maximum, wherever one is",
    "−x² is not largest at every x",
    lambda: (Domain(x), OnlyMaximum(-(x**2), x, x)),
)
false(
    "a maximum beside a higher one",
    "x³ − 3x is larger at 3 than at −1",
    lambda: (Domain(-2 <= x, x <= 3), OnlyMaximum(x**3 - 3 * x, x, -1).by(RiseAndFall())),
)

# -- sums --------------------------------------------------------------------------------------------------------------

false(
    "equality of a divergence where one law is larger",
    "an inequality is no equation, if only because both sums are one",
    lambda: (PAIR, AtLeast(KL, 0, (Ge(pi[o], ref[o], evaluate=False),)).by(Gibbs(FROM_REF))),
)
false(
    "a divergence beside what has no value",
    "log β has none where β ≤ 0",
    lambda: (PAIR.also(beta), AtLeast(KL + log(beta), log(beta)).by(Gibbs(FROM_REF))),
)
false(
    "a sum of squares beside what has no value",
    "1/β has none at 0",
    lambda: (PAIR.also(beta), AtLeast(GAP + 1 / beta, 1 / beta).by(TermByTerm((GAP,)))),
)
true(
    "a sum of squares beside what has a value",
    lambda: (PAIR.also(beta > 0), AtLeast(GAP + 1 / beta, 1 / beta).by(TermByTerm((GAP,)))),
)
false(
    "a divergence of laws with zeros",
    "log(π/ρ) has no value where π is zero",
    lambda: (
        Domain(reals(pi, n), simplex(ref, n), n >= 2, Eq(Sum(pi[o], (o, 1, n)), 1)),
        AtLeast(KL, 0).by(Gibbs(FROM_REF)),
    ),
)
false(
    "a multiple that is a term",
    "the factor is one number for all terms",
    lambda: (PAIR, AtLeast(Sum(ref[o] * pi[o] * log(pi[o] / ref[o]), (o, 1, n)), 0).by(Gibbs(FROM_REF, ref[o]))),
)
false(
    "sums of terms that agree, with a range that may be reversed",
    "a sum from 1 to −5 has no value",
    lambda: (Domain(-6 < k, k < 6), Equal(Sum(Abs(o), (o, 1, k)), Sum(o, (o, 1, k))).by(EqualTerms())),
)
true(
    "sums of terms that agree",
    lambda: (Domain(0 <= k, k < 6), Equal(Sum(Abs(o), (o, 1, k)), Sum(o, (o, 1, k))).by(EqualTerms())),
)
false(
    "sums of terms with factors that cancel",
    "1/β has no value at 0",
    lambda: (POLICY.also(beta), Equal(Sum(beta * pi[o], (o, 1, n)) / beta, Sum(pi[o], (o, 1, n))).by(EqualTerms())),
)

# -- the simplex -------------------------------------------------------------------------------------------------------

false(
    "concave only where a letter of the domain says so",
    "cubes are convex; the letter of one entry is no letter of the domain",
    lambda: (
        POLICY.also(-3 < u, u < -2),
        ConcaveInPolicy(Sum(pi[o] ** 3, (o, 1, n)), (pi,)).by(Separable((Summand(u**3, u, pi, o, n),))),
    ),
)
true(
    "squares less cubes of positive numbers",
    lambda: (
        POLICY,
        ConcaveInPolicy(Sum(-(pi[o] ** 3) - pi[o] ** 2, (o, 1, n)), (pi,)).by(
            Separable((Summand(-(u**3) - u**2, u, pi, o, n),))
        ),
    ),
)
false(
    "concave in all numbers, but the last",
    "the sum does not speak of π(n)",
    lambda: (
        Domain(positives(pi, n), n >= 2),
        ConcaveInPolicy(-Sum(pi[o] ** 2, (o, 1, n - 1)), (pi,)).by(Separable((Summand(-(u**2), u, pi, o, n - 1),))),
    ),
)
false(
    "a letter of one entry that a sum catches",
    "the weights Σ r(o) are positive together, r(1) need not be",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), n >= 2, Sum(r[o], (o, 1, n)) > 0),
        ConcaveInPolicy(-n * Sum(pi[o] ** 2 * r[o], (o, 1, n)), (pi,)).by(
            Separable((Summand(-Sum(u**2 * r[o], (o, 1, n)), u, pi, o, n),))
        ),
    ),
)
ENTRY = Summand(t * P[o] - t**2, t, pi, o, n)
SLOPES = Domain(simplex(pi, n), reals(P, n), lam, n >= 2)
OBJECTIVE = Sum(pi[o] * P[o] - pi[o] ** 2, (o, 1, n))
BALANCE = (2 * (pi[o] - 1 / n), P[o] - Sum(P[k], (k, 1, n)) / n)


def maximum(condition: Any, domain: Any = SLOPES, objective: Any = OBJECTIVE, index: Any = o, **fields: Any) -> Any:
    """What holds at the maxima of Σ πP − π²."""
    given = {"summand": ENTRY, "slope": P[o] - 2 * t, "multiplier": lam, "solved": P, "as_": 2 * pi[o] + lam}
    return domain, MaximaSatisfy(objective, pi, index, condition).by(EqualSlopes(**(given | fields)))


true("what holds at every maximum", lambda: maximum(Eq(*BALANCE, evaluate=False)))
false(
    "what fails at every maximum",
    "the sides are equal there, not different",
    lambda: maximum(Ne(*BALANCE, evaluate=False)),
)
false(
    "a slope of one entry, right for one value of it",
    "the domain says what t is, and t is the letter of every entry",
    lambda: maximum(
        Eq(pi[o] + P[o], Sum(pi[k] + P[k], (k, 1, n)) / n, evaluate=False),
        SLOPES.also(Eq(t, 1)),
        slope=P[o] - t - 1,
        as_=pi[o] + 1 + lam,
    ),
)
false(
    "equal slopes of what moves with a letter",
    "Σ πP + Σπ² has other slopes than Σ πP − Σπ² + 2β with β fixed",
    lambda: maximum(
        Eq(*BALANCE, evaluate=False),
        SLOPES.also(Eq(beta, SQUARES)),
        Sum(pi[o] * P[o] + pi[o] ** 2, (o, 1, n)),
        summand=Summand(t * P[o] - t**2 + 2 * beta / n, t, pi, o, n),
    ),
)
false(
    "a condition for every index that is shown for another",
    "k is 1 in the domain, and any index in the sentence",
    lambda: maximum(Eq(k * P[o], P[o], evaluate=False), SLOPES.also(Eq(k, 1)), index=k),
)

# -- expectations ------------------------------------------------------------------------------------------------------

false(
    "a reward less the mean, times that of one member",
    "for the member o itself it is the variance",
    lambda: (GROUP.also(1 <= o, o <= G), MemberMean((r[i] - MEAN) * r[o], r, i, G, 0).by(Exchangeable())),
)
false(
    "a weight that belongs to the number of a member",
    "n π(i) is not 1 for every member, only on average",
    lambda: (Domain(reals(r, G), simplex(pi, G), G >= 2), MemberMean(G * pi[i], r, i, G, 1).by(Exchangeable())),
)
false(
    "the number of a member",
    "the first is no average member",
    lambda: (GROUP, MemberMean(Sum(1 + 0 * o, (o, 1, G)) * 0 + i, r, i, G, (G + 1) / 2).by(Exchangeable())),
)
false(
    "a sum that tells the members apart",
    "Σ o r(o) grows more with the last reward than with the first",
    lambda: (GROUP, MemberMean((r[i] - MEAN) * Sum(o * r[o], (o, 1, G)), r, i, G, 0).by(Exchangeable())),
)
false(
    "a sum over weights that tell the members apart",
    "Σ π(o) r(o) does not leave the members as they are when they change places",
    lambda: (
        Domain(reals(r, G), simplex(pi, G), G >= 2),
        MemberMean((r[i] - MEAN) * Sum(pi[o] * r[o], (o, 1, G)), r, i, G, 0).by(Exchangeable()),
    ),
)
false(
    "an expectation that is a number of the group",
    "the mean of a group is no constant",
    lambda: (GROUP.also(Eq(s, MEAN)), MemberMean(r[i], r, i, G, s).by(Exchangeable())),
)
false(
    "rewards that decrease",
    "what is drawn independently comes in every order",
    lambda: (GROUP.also(Eq(r[1], 0)), MemberMean(r[i] - MEAN, r, i, G, r[1]).by(Exchangeable())),
)

# -- induction ---------------------------------------------------------------------------------------------------------


def every(formula: Any, first: Any = 1, domain: Any = None, **fields: Any) -> Any:
    """A formula for every whole number."""
    return domain, ForEveryNumber(formula, i, first, **fields).by(Induction())


false(
    "a first number that is no whole number",
    "for i = 1 neither 2 ≤ 1 + y nor β ≤ 0 need hold",
    lambda: every(Or(2 * i <= 1 + y, beta <= 0), half, Domain(0 < y, y < 1, beta)),
)
false("a step that leads down", "1 − i is negative from 2 on", lambda: every(1 - i + beta >= beta, 1, PARAMETER))
false(
    "what is said of the number itself",
    "the domain ends at 5",
    lambda: every(i * beta <= 5 * beta, 1, Domain(beta > 0, i <= 5)),
)

# -- citations ---------------------------------------------------------------------------------------------------------

RISES = claimed(Domain(x > 0), Monotone(x**2, x), "a square increases")
FALLS = claimed(Domain(x), Always(x > 1), "a false claim")
TWO = claimed(POLICY, Always(n * SQUARES >= 1), "squares of a policy")
WHOLE = claimed(Domain(k), Always(k**2 >= k), "a square of a whole number")
NEXT = claimed(Domain(k), Always(k**2 >= k - 1), "a square, almost")
SQUARE = claimed(PARAMETER, Always(beta**2 - 2 * beta + 1 >= 0), "a square")
false(
    "a claim at another number of answers",
    "two of many answers need not have 2(π(1)² + π(2)²) ≥ 1",
    lambda: cites(Always(2 * Sum(pi[o] ** 2, (o, 1, 2)) >= 1).by(Follows((at(TWO, {n: 2}),))), POLICY, TWO),
)
false(
    "a claim at numbers that are no policy",
    "any real numbers may have smaller squares",
    lambda: cites(
        Always(n * Sum(P[o] ** 2, (o, 1, n)) >= 1).by(Follows((at(TWO, {pi[o]: P[o]}),))), POLICY.also(reals(P, n)), TWO
    ),
)
false(
    "a claim on whole numbers at a real one",
    "1/2 is larger than its square",
    lambda: cites(Always(x**2 >= x).by(Follows((at(WHOLE, {k: x}),))), Domain(x), WHOLE),
)
true(
    "a claim on whole numbers at another one",
    lambda: cites(Always((k + 1) ** 2 >= k).by(Follows((at(NEXT, {k: k + 1}),))), Domain(k), NEXT),
)
true(
    "a claim at what has a value",
    lambda: cites(
        Always(log(x) ** 2 + 1 >= 2 * log(x)).by(Follows((at(SQUARE, {beta: log(x)}),))), Domain(x > 0), SQUARE
    ),
)
false(
    "a lemma in whole letters at a real value",
    "1/2 is larger than its square",
    lambda: (Domain(x), Always(x**2 >= x).by(InLetters(Always(k**2 >= k), Domain(k), {k: x}))),
)
true(
    "a lemma in letters at what has a value",
    lambda: (
        Domain(x > 0),
        Always(log(x) ** 2 + 2 * log(x) + 2 > 0).by(InLetters(Always(u**2 + 2 * u + 2 > 0), Domain(u), {u: log(x)})),
    ),
)
false(
    "a lemma in letters outside its range",
    "x need not be positive",
    lambda: (Domain(x), Always(x + 1 > 1).by(InLetters(Always(u + 1 > 1), Domain(u > 0), {u: x}))),
)
false(
    "a false claim that a premise cites, and the claim does not name",
    "x need not be larger than 1; the sentence rests on it unseen",
    lambda: (
        Domain(-1 < x, x < 3),
        AtLeast((x - 1) ** 3 + Sum(0 * o, (o, 1, 2)), 0).by(AboveTangent(x, 1, using=Follows((FALLS,)))),
    ),
)
false(
    "a false claim that the map of a contraction cites",
    "2x moves apart",
    lambda: (
        Domain(Eq(beta, 0)),
        ConvergesToFixedPoint(Iteration(x**2, x, beta), 0, 1).by(
            Contraction(
                half,
                lipschitz=BoundedDerivative(using=Follows((claimed(Domain(x), Always(Abs(2 * x) < half), "small"),))),
            )
        ),
    ),
)
false(
    "a false claim under a second rule",
    "x need not be larger than 1",
    lambda: (Domain(x), Always(x > 0).by(Follows((FALLS,))).by(Follows((SQUARE,)))),
)
false(
    "a monotone function where the claim on it says nothing",
    "x² increases where x > 0 only",
    lambda: cites(OneRoot(x**2, x, -1, 2, 1).by(StrictlyMonotone(1, given=(RISES,))), PARAMETER, RISES),
)
true(
    "a monotone function where the claim on it says so",
    lambda: cites(OneRoot(x**2, x, half, 2, 1).by(StrictlyMonotone(1, given=(RISES,))), PARAMETER, RISES),
)
false(
    "a claim on a function at a value of its variable",
    "the letter x stands for no number there",
    lambda: cites(OneRoot(x**2, x, half, 2, 1).by(StrictlyMonotone(1, given=(at(RISES, {x: 1}),))), PARAMETER, RISES),
)
false(
    "a side on the left, known to be the lower one",
    "−x + 1/2 falls",
    lambda: (PARAMETER, TakesValue(x + 2, x, 0, 1, half).by(IntermediateValue(rising=True))),
)


# -- texts -------------------------------------------------------------------------------------------------------------

LAW = Domain(simplex(pi, n), reals(r, n), n >= 2, s)
LETTERS = Texts(o, k, n, (s,))
AFTER = (onward, onward_2, onward_3, onward_4)


def worth(power: int) -> Any:
    """The mean of the rewards along a text, times a power of what the whole text is worth."""
    return TextMean(TextSum(r[o], o) * s**power, pi)


false(
    "two means over what follows under one name",
    "a text worth 2 counts twice on the left and four times on the right",
    lambda: (LAW, OnTexts(worth(1), worth(2), LETTERS).by(OverTokens(onward=(AFTER[0],) * 4))),
)
false(
    "two means over what follows under names of their own",
    "the same sentence, whose step fails",
    lambda: (LAW, OnTexts(worth(1), worth(2), LETTERS).by(OverTokens(onward=AFTER))),
)
false(
    "a token of which the domain says which it is",
    "r differs between tokens",
    lambda: (LAW.also(Eq(o, 1)), OnTexts(TextSum(r[o], o), TextSum(r[1], o), LETTERS).by(OverTokens(rest=(u, x)))),
)
false(
    "the mean of a product of independent sums",
    "the two sums are along one text",
    lambda: (
        LAW,
        OnTexts(TextMean(TextSum(r[o], o) ** 2, pi), TextMean(TextSum(r[o] ** 2, o), pi), LETTERS).by(
            OverTokens(onward=AFTER)
        ),
    ),
)
false(
    "a law of numbers that are no law",
    "the numbers r have no sum",
    lambda: (LAW, OnTexts(TextMean(1, r), 1, LETTERS).by(OverTokens(onward=AFTER))),
)
true(
    "the mean of a sum along a text",
    lambda: (
        LAW,
        OnTexts(TextMean(2 * TextSum(r[o], o) + s, pi), 2 * worth(0) + TextMean(s, pi), LETTERS).by(
            OverTokens(onward=AFTER)
        ),
    ),
)


# -- limits, levels, groups --------------------------------------------------------------------------------------------

false(
    "a lim sup below what is reached",
    "distances may stay at the limit of the errors",
    lambda: (Domain(u, s), LimSup(Abs(P[i] - u), i, s / 2, ((r[i], s),), (Abs(P[i] - u) <= r[i],))),
)
false(
    "a member beside the one that is compared",
    "the next member may be as far away as it likes",
    lambda: (Domain(u), ConvergesTo(P[i + 1], i, u, ((r[i], 0),), (Abs(P[i] - u) <= r[i],))),
)
false(
    "solutions that tend to one end of where they lie",
    "all of (0, 1] solves it, whatever t is",
    lambda: (Domain(), SolutionTends(Max(x - 1 - t, 0), x, 0, 2, t, 0, 1).by(SqueezedSolution(Integer(0), 1 + t, 1))),
)
false(
    "iterates that are lifted, to an end that they do not see",
    "(x + 1)/2 keeps below 1, not near 2",
    lambda: (Domain(0 < u, u < 1), RisesToUpperEnd(Iteration((x + 1) / 2, x, u), 0, 2)),
)
false(
    "a root where the function falls at one of its roots",
    "it falls at 1/4 and at 3/4 and rises between",
    lambda: (
        Domain(0 < u, u < 1),
        OneRoot((u - x) * ((x - u) ** 2 - Rational(1, 16)), x, 0, 1).by(FallsAtRoots((u, x), Rational(1, 16))),
    ),
)
false(
    "two hills",
    "between them it is lower",
    lambda: (
        Domain(beta),
        OneInterval(-((x - quarter) ** 2) * (x - 3 * quarter) ** 2, x, 0, 1).by(RisesAndFalls(half)),
    ),
)
false(
    "a rate below the slope",
    "a slope of 9/10 shrinks no faster",
    lambda: (Domain(-1 < t, t < 1), EveryMapAttracts(t, t**2)),
)
SAMPLED = Domain(simplex(pi, n), reals(P, n), n >= 2, G >= 2)
false(
    "the average of squared advantages, as if they were expected ones",
    "the square of an expectation is not the expectation of a square",
    lambda: (SAMPLED, GroupAverage(P[o], 0, P, pi, o, n, G, Sum(pi[o] * P[o] ** 2, (o, 1, n)))),
)
false(
    "advantages of which more is known than that they are expected",
    "they are no numbers of one's own choice: those of a group average to 0",
    lambda: (
        SAMPLED.also(Sum(pi[o] * P[o], (o, 1, n)) > 0),
        MeanAdvantage(pi, o, n, G, Sum(pi[o] * P[o], (o, 1, n)), expected=P),
    ),
)
false(
    "a limit of large groups without a deviation",
    "equal rewards have none",
    lambda: (SAMPLED, AdvantageInLargeGroups(pi, P, None, o, n, G, (P[o] - MEAN_REWARD) / sqrt(SPREAD))),
)
true(
    "a limit of large groups",
    lambda: (
        SAMPLED.also(SPREAD > 0),
        AdvantageInLargeGroups(pi, P, None, o, n, G, (P[o] - MEAN_REWARD) / sqrt(SPREAD)),
    ),
)
MEAN_REWARD = Sum(pi[o] * P[o], (o, 1, n))
SPREAD = Sum(pi[o] * (P[o] - MEAN_REWARD) ** 2, (o, 1, n))
false(
    "what is shown first and is false",
    "x is not positive everywhere",
    lambda: (Domain(x), Always(x + 1 > 0).by(Then((Always(x > 0),)))),
)
false(
    "a difference in the wrong order",
    "it is the left side that is larger",
    lambda: (Domain(x), Always(x**2 + 1 <= 0).by(ByDifference(x**2 + 1))),
)


# -- random numbers, comparisons, groups of texts ---------------------------------------------------------------------

DRAWN = (Random(r, k, 1, n, variance=1),)
TOTAL = Sum(r[k], (k, 1, n))

false(
    "a variance of numbers that are added twice",
    "the sum of 2r has four times the variance of the sum of r",
    lambda: (Domain(n >= 2), ForRandom(Eq(VarianceOf(2 * TOTAL), 2 * n), DRAWN)),
)
false(
    "the variance of a part of the numbers",
    "n − 1 of them have the variance n − 1",
    lambda: (Domain(n >= 2), ForRandom(Eq(VarianceOf(Sum(r[k], (k, 1, n - 1))), n), DRAWN)),
)
false(
    "an order by a factor that may be negative",
    "multiplied by a negative number it is the other order",
    lambda: (Domain(x, s, u), Always(Equivalent(s * x <= s * u, x <= u)).by(SameOrder(s * x <= s * u, s))),
)
false(
    "the baseline of a group with the text's own reward in it",
    "the step is shortened by 1 − 1/G",
    lambda: (
        LAW.also(n >= 2),
        OnTexts(TextMean(GroupCentred(s, TextSum(r[o], o), n), pi), TextMean(s * TextSum(r[o], o), pi), LETTERS).by(
            OverTokens(onward=AFTER)
        ),
    ),
)
true("the variance of an average", lambda: (Domain(n >= 2), ForRandom(Eq(VarianceOf(TOTAL / n), 1 / n), DRAWN)))
