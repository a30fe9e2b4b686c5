"""Letters that are caught, names of means, rates of texts; random numbers, groups, policies that give up answers."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false

LAW = Domain(simplex(pi, n), n >= 2)
NUMBERS = Domain(simplex(pi, n), reals(r, n), n >= 2, y)
COUNT = TextSum(Integer(1), o)
PLAIN, WITH_END = Texts(o, o_, n), Texts(o, o_, n, ends=(y,))
MOVING = Texts(o, o_, n, rates=((r, Integer(1)),))
OVER = OverTokens((onward, onward_2, onward_3), (onward_4,), rest=(u, x))
ONE_MORE = OneMoreToken((onward, onward_2, onward_3))

# -- texts ------------------------------------------------------------------------------------------------------------

false(
    "a sum over j of sums over the tokens that follow",
    "it is the sum of T − t + 1 over t",
    lambda: (LAW, OnTexts(TextSum(Sum((2 * j - 3) * FromHere(TextSum(j, o)), (j, 1, 2)), o), COUNT, PLAIN).by(OVER)),
)
false(
    "a number of each state after the token",
    "z is another number at each of the states that follow",
    lambda: (
        Domain(simplex(pi, n), n >= 2, z),
        AtStates(Ahead(TextMean(TextSum(z, o), pi)), z * Ahead(TextMean(COUNT, pi)), Texts(o, o_, n, own=(z,))).by(
            ONE_MORE
        ),
    ),
)
false(
    "the gradient of what follows each token",
    "it is T(T + 1)/2",
    lambda: (NUMBERS, OnTexts(Gradient(TextSum(FromHere(TextSum(r[o], o)), o)), 0, MOVING).by(OVER)),
)
false(
    "a letter above what moves",
    "beside the parameter z need not be above r(1)",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), n >= 2, z >= r[1]),
        OnTexts(Gradient(TextSum(r[o], o)), COUNT, MOVING).by(OVER),
    ),
)
false(
    "the gradient of a product, by quotients",
    "r may be 0",
    lambda: (
        NUMBERS,
        OnTexts(Gradient(TextProduct(r[o], o)), TextSum(1 / r[o], o) * TextProduct(r[o], o), MOVING).by(OVER),
    ),
)
false(
    "the size of a group is a number of the text",
    "1/u is a number of one text, beside means",
    lambda: (
        Domain(simplex(pi, n), n >= 2, y, n <= 9),
        OnTexts(
            TextMean(GroupCentred(y, y, n), pi),
            (1 - 1 / n) * (TextMean(y**2, pi) - TextMean(y, pi) ** 2),
            Texts(o, o_, n, ends=(y, n)),
        ).by(OVER),
    ),
)
false(
    "the number of tokens is the end",
    "y is any number of the text",
    lambda: (
        Domain(simplex(pi, n), n >= 2, y),
        OnTexts(TextMean(COUNT, pi), TextMean(y, pi), WITH_END).by(
            OverTokens((onward,), rest=(u,), of_each=((COUNT, y),))
        ),
    ),
)
false(
    "an average over texts times a number of one",
    "E[y · average of y] is no E[y²]: the others are independent",
    lambda: (
        Domain(simplex(pi, n), n >= 2, y, k >= 1),
        OnTexts(TextMean(y * Average(y, k), pi), TextMean(y**2, pi), WITH_END).by(OVER),
    ),
)

# -- random numbers, groups, members ----------------------------------------------------------------------------------

false(
    "a mean that binds the letter of the combination",
    "the mean of r(i) is i k(k + 1)/2",
    lambda: (
        Domain(n >= 1, k >= 1),
        ForRandom(
            Eq(MeanOf(Sum(r[j], (j, 1, n))), n * k * (k + 1) * (2 * k + 1) / 6),
            (Random(r, i, 1, n, mean=Sum(i * j, (j, 1, k))),),
        ),
    ),
)
false(
    "the first of no random numbers",
    "for n = 0 the sum is empty",
    lambda: (
        Domain(n >= 0, x),
        ForRandom(Eq(MeanOf(Sum(r[i] * KroneckerDelta(i, 1), (i, 1, n))), x), (Random(r, i, 1, n, mean=x * i),)),
    ),
)
false(
    "the variance of an average of none",
    "1/0",
    lambda: (
        Domain(n >= 0, x),
        ForRandom(Eq(VarianceOf(Sum(r[i] / n, (i, 1, n))), x**2 / n), (Random(r, i, 1, n, variance=x**2),)),
    ),
)
false(
    "a group whose size is a square of its member and two",
    "o is one of the outputs",
    lambda: (
        Domain(simplex(pi, n), simplex(old, n), reals(r, n), n >= 2),
        CentredSurrogate(
            pi,
            o,
            n,
            o**2 + 2,
            (1 - 1 / (o**2 + 2)) * (Sum(old[o_] * r[o_], (o_, 1, n)) - Sum(pi[o_] * r[o_], (o_, 1, n))),
            new=old,
            rewards=r,
        ),
    ),
)
false(
    "expected advantages whose mean is 0 only where they are too large",
    "no rewards give such advantages: at z = 0 their mean square is 25/(pi(1) pi(2))",
    lambda: (
        Domain(simplex(pi, 2), z),
        BoundByAdvantages(pi, o, 2, 2, _too_large(), Sum(pi[o] * _too_large() ** 2, (o, 1, 2)), 1),
    ),
)
false(
    "a member that knows its own place",
    "the sum binds j, and its term knows the member",
    lambda: (
        Domain(reals(r, n), n >= 1),
        MemberMean(r[i] * Sum(r[j] * KroneckerDelta(j, i), (j, 1, n)), r, i, n, 0).by(Exchangeable()),
    ),
)


def _too_large():
    """The expected advantages of two outputs."""
    return z / (2 + z**2) + 5 * Max(0, 1 - z**2) * (KroneckerDelta(o, 1) / pi[1] - KroneckerDelta(o, 2) / pi[2])


# -- policies, sequences, places --------------------------------------------------------------------------------------


def _given_up(least, condition):
    """A policy that uses k answers, of slope 1, and gives up n others, of slope z."""
    used = Place(Summand(x, x, P, i, k), Integer(1), 1 / k)
    rest = Place(Summand(z * x, x, mu, i, n), z, Integer(0))
    objective = Sum(z * mu[i], (i, 1, n)) + Sum(P[i], (i, 1, k))
    return Domain(positives(P, k), reals(mu, n), k >= 1, n >= least, z), SatisfiesKKT(
        objective, (used, rest), condition
    )


false("answers given up are steeper", "then giving them up is no maximum", lambda: _given_up(1, z >= 1))
false("no answers are given up", "for n = 0 it is a KKT point whatever z is", lambda: _given_up(0, z <= 1))
false(
    "numbers off 0 that are 0 or at least 1",
    "none of them tends to 0",
    lambda: (Domain(x), ConvergesTo(1, i, 0, ((P[i], 0),), (Ne(P[i], 0), Or(P[i] <= 0, P[i] >= 1), P[i] >= 0))),
)
false(
    "a series of terms that are none near 0",
    "none of them converges",
    lambda: (Domain(x), BelowSeries(P[i], i, x, (Or(P[i] < 0, P[i] > 1), Or(P[i] > 0, P[i] < -5), P[i] >= 0))),
)
false(
    "letters that are given values apart",
    "x and y are one number",
    lambda: (
        Domain(x, y, Eq(x, y)),
        ForEveryNumber(P[i] > 7, i, 1, (reals(P, i),), (P[i] > x, Eq(x, y + 1)), ()).by(
            Induction(such={P: 9 + i, x: Rational(1), y: Rational(0)})
        ),
    ),
)
false(
    "a sum over none, from none",
    "from 1 on: for i = 3 the sum runs from 5 to 3",
    lambda: (Domain(x), ForEveryNumber(Eq(Sum(j, (j, 5, i)), i * (i + 1) / 2 - 10), i, 3).by(Induction())),
)

# -- what once was proved ---------------------------------------------------------------------------------------------
MEAN_OF = {e: TextMean(TextSum(e, o), pi) for e in (Integer(1), x, y)}
BESIDE = OverTokens((onward, onward_2, onward_3, onward_4), beside=((MEAN_OF[x], j * MEAN_OF[Integer(1)]),))
false(
    "means of two lengths by one name",
    "it is E[T | s_t], and not 1",
    lambda: (LAW, AtStates(Sum((2 * j - 3) * Here(TextMean(TextSum(j, o), pi)), (j, 1, 2)), 1, PLAIN).by(ONE_MORE)),
)
false(
    "a solved mean whose letter a sum binds",
    "each of the two is x times a mean",
    lambda: (
        Domain(simplex(pi, n), n >= 2, x, j, Eq(x, j)),
        OnTexts(
            TextMean(TextSum(Sum(Here(MEAN_OF[x]), (j, 1, 2)), o), pi),
            TextMean(TextSum(2 * x + 3 * (Here(MEAN_OF[Integer(1)]) - 1), o), pi),
            PLAIN,
        ).by(BESIDE),
    ),
)
for name, why, rate, left, right in (
    ("a rate that counts the text", "it is T²", COUNT, Gradient(TextSum(r[o], o)), COUNT * (COUNT - 1) / 2),
    ("a rate without a value", "at z = 0", 1 / Here(TextMean(z, pi)), Gradient(TextSum(z * r[o], o)), COUNT),
    ("a rate of another token", "r(o') is no r(o)", r[o_], Gradient(TextSum(r[o], o)), TextSum(r[o], o)),
):
    false(
        name,
        why,
        lambda rate=rate, left=left, right=right: (
            Domain(simplex(pi, n), reals(r, n), n >= 2, z),
            OnTexts(left, right, Texts(o, o_, n, rates=((r, rate),))).by(OVER),
        ),
    )
false(
    "a token of a sum and another one beside it",
    "what is known after a_t is not what is known at s_t",
    lambda: (
        NUMBERS,
        AtStates(Sum(pi[o] * Ahead(TextMean(y, pi)), (o, 1, n)) + r[o], Here(TextMean(y, pi)) + r[o], WITH_END).by(
            ONE_MORE
        ),
    ),
)
false(
    "an average over as many texts as the text says",
    "k and y may go together",
    lambda: (
        Domain(simplex(pi, n), n >= 2, y, k >= 1),
        OnTexts(TextMean(Average(y, k), pi), TextMean(y, pi), Texts(o, o_, n, ends=(y, k))).by(OVER),
    ),
)
for name, tending, supposed in (
    ("a limit beside a jump", ((sign(P[i]), 0),), (P[i] > 0,)),
    ("a limit outside of two ranges", ((P[i], 0),), (Or(P[i] < 0, Abs(P[i] - 2) < 1), P[i] >= 0)),
    ("a limit between ranges", ((P[i], 0),), (Or(P[i] < 0, P[i] > 1), Or(P[i] > 0, P[i] < -5))),
    ("sums and their terms apart", ((Sum(P[k], (k, 1, i)), 0), (P[i], 1)), ()),
):
    false(
        name,
        "there are no such sequences",
        lambda tending=tending, supposed=supposed: (Domain(x), ConvergesTo(1, i, 0, tending, supposed)),
    )
false(
    "a mean by an entry past the end",
    "P has no number n + 1",
    lambda: (
        Domain(reals(P, n), n >= 1, x),
        ForRandom(
            Eq(MeanOf(Sum(r[i], (i, 1, n))), x * n),
            (Random(r, i, 1, n, mean=x), Random(mu, j, 1, n + 5, mean=P[j] / (j - n - 1))),
        ),
    ),
)
false(
    "a power in the place of a quotient",
    "at y = 0",
    lambda: (
        Domain(y, k >= 1),
        Always(y**2 > 0).by(
            InLetters(Always(Ne(z, 0)), Domain(x / z + z**j < u, j, u), {x: Integer(0), z: y, j: k, u: y**k + 1})
        ),
    ),
)
false(
    "a binomial that has no value while z is 0",
    "for k < 0",
    lambda: (Domain(x, z, n, k), LocalMaximum(-(x**2) + z * x * binomial(n, k), x, 0, ((z, 0),))),
)
root = sqrt(u**2 + v**2)
false(
    "a slope that goes where z is 0",
    "at x = y = 0 the root has a value, and no slope",
    lambda: (
        Domain(x, y),
        Always(x**2 + y**2 > 0).by(
            InLetters(
                Always(u**2 + v**2 > 0),
                Domain(z * Derivative(root, u) + root < beta, z),
                {u: x, v: y, z: Integer(0), beta: sqrt(x**2 + y**2) + 1},
            )
        ),
    ),
)
false(
    "what a derivative is along, put in",
    "the slope of π_old π in π_old is π",
    lambda: (
        Domain(simplex(pi, n), simplex(old, n), n >= 2),
        OnTexts(
            TextMean(TextSum(Derivative(old[o] * pi[o], old[o]), o), pi),
            TextMean(TextSum(2 * pi[o], o), pi),
            Texts(o, o_, n),
            at=((old, pi),),
        ).by(OVER),
    ),
)
false(
    "what a derivative is along, at a maximum",
    "the slope of π_old π in π_old is π",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), reals(old, n), n >= 2, z),
        MaximaSatisfy(
            Sum(pi[o] * r[o], (o, 1, n)),
            pi,
            o,
            Eq(Derivative(old[o] * pi[o], old[o]), 2 * pi[o]),
            frozen=((old[o], pi[o]),),
        ).by(EqualSlopes(Summand(x * r[o], x, pi, o, n), r[o], z, r, z)),
    ),
)
false(
    "a quotient by a slope that is 0",
    "y x has the slope 0 in x where y is 0",
    lambda: (
        Domain(x, z),
        Always(z > 0).by(
            InLetters(
                Always(Or(Ne(y, 0), v > 0)),
                Domain(beta / Derivative(y * x, x) < u, x, v),
                {y: Integer(0), beta: Integer(0), v: z, u: Integer(1)},
            )
        ),
    ),
)
false(
    "what follows in every entry, of none",
    "for n = 0 nothing is said of x and y",
    lambda: (
        Domain(reals(r, n), n >= 0, x, y),
        InEveryEntry((Eq(r[o], x), Eq(r[o], y)), Eq(x, y), o, n).by(
            NothingLeft(Sum(0 * r[o], (o, 1, n)), (x - y) ** 2)
        ),
    ),
)
bend = sqrt(z**2 * x**2 + z**2)


def _bent():
    known = claimed(Domain(beta * Derivative(bend, x) + bend < u, beta, x, y), Always(Or(Ne(z, 0), y > 0)), id="bent")
    where = Domain(beta * Derivative(Integer(0), x, evaluate=False) < u, beta, x, y)
    said = Always(y > 0).by(Follows((at(known, {z: 0}),)))
    return [claimed(where, said, id="straight", depends_on=["bent"]), known]


false("a root that is 0 where its slope is asked", "it bends, and has no slope", _bent)
false(
    "a number of each answer by another letter",
    "for answers with z = 1, 2, 3 there is no such y",
    lambda: (
        Domain(0 < u, u < 1, Eq(z, y)),
        OnlyBestOfMany(Part(z * x - (x - u) ** 2, x, -(u**2)), (u, z), u, y).by(
            OneMultiplierForAll(y, Loss((x - u) ** 2), (u, 0))
        ),
    ),
)
