"""Letters that something else reaches: slopes that are put in, names of means, members, prints of tokens."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false

# -- groups ------------------------------------------------------------------------------------------------------------
rewards = Domain(simplex(pi, n), reals(r, n), n >= 2)
size = o**2 + 2
false(
    "a group whose size is that of the output",
    "groups of two outputs have other sizes, and their expected advantages do not belong to one mean",
    lambda: (rewards, MeanAdvantage(pi, o, n, size, Integer(0), expected=r)),
)
false(
    "a square of advantages below the number of answers",
    "an output of probability 1/(2n) may have more",
    lambda: (rewards, SquaredAdvantage(pi, o, n, Integer(3), n)),
)
false(
    "one answer wins as often as it loses",
    "wins and losses are said to be any numbers",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), reals(mu, n), Eq(n, 1)),
        AdvantageInPairs(pi, o, n, Integer(2), Integer(0), wins=r, losses=mu),
    ),
)
false(
    "as many answers as outputs, which grow",
    "the policy is another one for each size of the groups",
    lambda: (
        Domain(simplex(pi, k), reals(r, k), k >= 2, Eq(Sum(pi[j] * r[j], (j, 1, k)), x)),
        MeanOfLargeGroups(pi, r, None, o, k, k, x, variance=Integer(1)),
    ),
)
members = Domain(reals(r, n), n >= 1)
told_apart = Sum(Derivative(r[j] * r[i], r[j]), (j, 1, n)) - n * r[i]
false(
    "slopes in the others' rewards",
    "a member is told apart from the others within the sum",
    lambda: (members, MemberMean(told_apart, r, i, n, 0).by(Exchangeable())),
)

# -- random numbers ----------------------------------------------------------------------------------------------------
some = Domain(n >= 1, x)
for name, why, on, formula, numbers in (
    (
        "a covariance that turns its sign",
        "of an odd number of them the variance is 1",
        Domain(n >= 2),
        Eq(VarianceOf(Sum(r[i], (i, 1, n))), 0),
        Random(r, i, 1, n, covariance=(-1) ** (i + j), other=j),
    ),
    (
        "a product of numbers of mean 0",
        "without a number it is 1",
        Domain(n >= 0),
        Eq(MeanOf(Product(r[i], (i, 1, n))), 0),
        Random(r, i, 1, n, mean=Integer(0), independent=True),
    ),
    (
        "a variance of a product",
        "no rule has it",
        some,
        Eq(VarianceOf(Product(r[i], (i, 1, n))), 0),
        Random(r, i, 1, n, mean=x, independent=True),
    ),
    (
        "how often a number is 1",
        "it is no linear combination",
        some,
        Eq(MeanOf(Sum(KroneckerDelta(r[i], 1), (i, 1, n))), 0),
        Random(r, i, 1, n, mean=x),
    ),
):
    false(name, why, lambda on=on, formula=formula, numbers=numbers: (on, ForRandom(formula, (numbers,))))

# -- every number ------------------------------------------------------------------------------------------------------
for name, why, on, formula, first, families, recurrence, start in (
    ("a list of −5 numbers", "there is none", Domain(x), k >= 0, Integer(-5), (reals(P, k),), (), ()),
    ("a sum from 1 to −2", "it has no value", Domain(x), Eq(Sum(1, (j, 1, k)), k), Integer(-2), (), (), ()),
    ("from any number below 3", "n = 2 is below", Domain(n <= 3), k >= 3, n, (), (), ()),
    (
        "two equations for the next number",
        "no numbers are such",
        Domain(x),
        k < 3,
        Integer(1),
        (reals(P, k),),
        (Eq(P[k + 1], P[k]), Eq(P[k + 1], P[k] + 1)),
        (Eq(P[1], 1),),
    ),
    (
        "a first number that divides by 0",
        "1/(1 − 1) has no value",
        Domain(x),
        Ne(P[k], 5),
        Integer(1),
        (reals(P, k),),
        (Eq(P[k + 1], 1 / (P[k] - 1)),),
        (Eq(P[1], 1),),
    ),
):
    false(
        name,
        why,
        lambda on=on, said=(formula, k, first, families, recurrence, start): (
            on,
            ForEveryNumber(*said).by(Induction()),
        ),
    )

# -- limits ------------------------------------------------------------------------------------------------------------
below = (P[i] <= mu[i], P[i] > 1)
apart = (Eq(P[i], mu[i]), mu[i] > 0, P[i] < 0)
for name, why, write in (
    (
        "above 1 and below what tends to 0",
        "from some number on no P is",
        lambda: LimSup(P[i], i, 0, ((mu[i], 0),), below),
    ),
    ("equal, and of two signs", "no numbers are", lambda: ConvergesTo(P[i], i, 0, ((mu[i], 0),), apart)),
    (
        "0 times a sequence tends to what is not 0",
        "it does not",
        lambda: ConvergesTo(Integer(1), i, 0, ((x * mu[i], y),), (Eq(x, 0), Ne(y, 0))),
    ),
    ("terms of at least 1 with a sum", "they have none", lambda: BelowSeries(P[i], i, x, (P[i] >= 1,))),
):
    false(name, why, lambda write=write: (Domain(x, y), write()))

# -- slopes ------------------------------------------------------------------------------------------------------------
for name, why, on, said in (
    (
        "an answer that falls at the rate 1",
        "u x = 1 with a slope 1 of u has the rate −1",
        Domain(z),
        AnswerMoves(Answer(u * x - 1, x, y, (u, Integer(1), Integer(1))), Integer(1), Integer(1), Integer(1)),
    ),
    (
        "a maximum times a slope",
        "at u = 0 √u has none",
        Domain(x >= 0, u >= 0),
        OnlyMaximum(-(x**2) * Derivative(sqrt(u), u), x, 0),
    ),
):
    false(
        name,
        why,
        lambda on=on, said=said: (on, said.by(ImplicitFunction(())) if isinstance(said, AnswerMoves) else said),
    )

# -- texts -------------------------------------------------------------------------------------------------------------
laws = Domain(simplex(pi, n), reals(logit_rate, n), whole_reward, n >= 2)
score = logit_rate[o] - Sum(pi[o_] * logit_rate[o_], (o_, 1, n))
moving = Texts(o, o_, n, ends=(whole_reward,), rates=((pi, pi[o] * score),))
rule = OverTokens((onward, onward_2), (P, mu))
false(
    "the slope of a mean of a mean",
    "it is that of the mean",
    lambda: (laws, OnTexts(TextRate(TextMean(TextMean(whole_reward, pi), pi)), 0, moving).by(rule)),
)
false(
    "the first entry does not move",
    "all entries move at the rate 1",
    lambda: (
        Domain(reals(r, n), n >= 2),
        OnTexts(Gradient(TextSum(r[1], o)), 0, Texts(o, o_, n, rates=((r, Integer(1)),))).by(OverTokens(rest=(x, y))),
    ),
)
