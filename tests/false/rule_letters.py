"""Letters that a rule uses for something of its own, where the sentence uses them too; what is printed of a part; and
lists of a number below nought.
"""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *
from grpo_symbolic.scalars import Scalar

from . import Written, false, true

# -- the multiplier ----------------------------------------------------------------------------------------------------
POLICY = Domain(simplex(pi, n), reals(r, n), n >= 1, lam, beta)


def maxima(weight: Any, multiplier: Any, as_: Any, condition: Any, letter: Any = z) -> Written:
    """What the maxima of the expected reward, with a weight, satisfy."""
    objective = Sum(weight * r[o] * pi[o], (o, 1, n))
    rule = EqualSlopes(Summand(weight * r[o] * letter, letter, pi, o, n), weight * r[o], multiplier, r, as_)
    return POLICY, MaximaSatisfy(objective, pi, o, condition).by(rule)


false(
    "a multiplier in what is concluded",
    "rewards may be any number, whatever λ is",
    lambda: maxima(Integer(1), lam, lam, Eq(r[o], lam)),
)
false(
    "a multiplier that is the probability",
    "rewards may be 1 throughout",
    lambda: (
        Domain(simplex(pi, n), reals(r, n), n >= 1, z),
        maxima(Integer(1), z, z, Eq(r[o], 0))[1],  # type: ignore[index]
    ),
)
false(
    "a multiplier that is a weight of the domain",
    "rewards may be 1 throughout",
    lambda: maxima(Integer(1), beta, beta, Eq(r[o], beta)),
)
true("equal rewards", lambda: maxima(Integer(1), lam, lam, Eq(r[o], Sum(pi[o_] * r[o_], (o_, 1, n)))))


def at_maxima(term: Scalar, slope: Scalar, frozen: Any = (), where: Any = ()) -> Written:
    """That at every local maximum of a sum over the answers the rewards vanish, by the multiplier λ."""
    objective = Sum(term.xreplace({z: pi[o]}), (o, 1, n))
    said = MaximaSatisfy(objective, pi, o, Eq(r[o], 0), frozen)
    rule = EqualSlopes(Summand(term, z, pi, o, n), slope, lam, r, Integer(0))
    return Domain(simplex(pi, n), reals(r, n), n >= 1, lam, *where), said.by(rule)


OTHER = "the slopes are equal with another multiplier too, and no reward need vanish"
false("an objective with its multiplier", OTHER, lambda: at_maxima((lam + r[o]) * z, lam + r[o]))
false(
    "a number that is held fixed at the multiplier",
    OTHER,
    lambda: at_maxima((beta + r[o]) * z, beta + r[o], ((beta, lam),), (beta,)),
)
false(
    "numbers that are held fixed at the multiplier",
    OTHER,
    lambda: at_maxima((P[o] + r[o]) * z, P[o] + r[o], ((P[o], lam),), (reals(P, n),)),
)

# -- the probability with which a state is reached ---------------------------------------------------------------------
WORTH = TextMean(y, pi)
TOKENS = Domain(n >= 2, simplex(pi, n), reals(r, n), y)
MOVING = ((pi, pi[o] * (r[o] - Sum(pi[o_] * r[o_], (o_, 1, n)))),)


def at_rest(reach: Any, condition: Any) -> Written:
    """Where the gradient of the worth of a text vanishes along all rates."""
    rule = EveryDirection(OverTokens((onward, onward_2), (onward_3,)))
    form = Form(Ahead(WORTH) - Here(WORTH), pi, reach)
    texts = Texts(o, o_, n, ends=(y,), rates=MOVING)
    return TOKENS, VanishesInEveryDirection(TextRate(WORTH), r, (form,), texts, condition).by(rule)


SAME = Eq(Ahead(WORTH), Here(WORTH), evaluate=False)
false(
    "a worth and its size",
    "texts may be worth −1 throughout",
    lambda: at_rest(u, Eq(Ahead(WORTH), Abs(Here(WORTH)), evaluate=False)),
)
false("a state reached with the worth of a text", "the worth need not be positive", lambda: at_rest(y, SAME))
for letter in (S0, S1):
    for sides in ((Ahead(WORTH), Abs(Here(WORTH))), (Abs(Ahead(WORTH)), Here(WORTH))):
        false(
            f"a state that is reached with {letter}, and the size of a mean, {sides[0]}",
            "the rule would take the mean for the probability, and so for positive",
            lambda letter=letter, sides=sides: at_rest(letter, Eq(*sides, evaluate=False)),
        )
false("a state reached with a token", "a token has a number, and no probability", lambda: at_rest(o, SAME))

# -- lists -------------------------------------------------------------------------------------------------------------


def listed(on: Domain) -> Written:
    """Groups of one size in one list."""
    return on, Equal(Sum(x, (j, 1, k), (i, 1, n)), Sum(x, (o, 1, n * k))).by(OneList())


false(
    "fewer than no groups of fewer than none",
    "there are none, and in the list (−1)(−1) = 1",
    lambda: listed(Domain(Eq(n, -1), Eq(k, -1), x)),
)
false(
    "groups of any number, fewer than none too", "there are none, and in the list nk", lambda: listed(Domain(n, k, x))
)
true("groups in one list, or none", lambda: listed(Domain(n >= 1, k >= 1, x)))

# -- every entry -------------------------------------------------------------------------------------------------------


def every(size: Any, on: Domain, term: Any, then: Any) -> Written:
    """What holds in every entry where one is never below another, and their sums are equal."""
    rule = NothingLeft(Sum(P[o] - r[o], (o, 1, size)), term)
    return on, InEveryEntry((Ge(P[o], r[o]),), then, o, size).by(rule)


LISTS = Domain(reals(P, n), reals(r, n), n >= 1)
SUMS = Eq(Sum(P[o], (o, 1, n)), Sum(r[o], (o, 1, n)), evaluate=False)
for name, why, write in (
    (
        "entries whose sums may differ",
        "the gap of the sums is any number",
        lambda: every(n, LISTS, Abs(P[o] - r[o]), Eq(P[o], r[o])),
    ),
    (
        "entries by a term of any sign",
        "nothing says that it is not negative",
        lambda: every(n, LISTS.also(SUMS), P[o] - r[o], Eq(P[o], r[o])),
    ),
    (
        "entries that are nought",
        "equal ones need not be",
        lambda: every(n, LISTS.also(SUMS), Abs(P[o] - r[o]), Eq(P[o], 0)),
    ),
    (
        "an entry beyond the sum",
        "of the entry n nothing is known",
        lambda: every(n - 1, LISTS.also(SUMS), Abs(P[o] - r[o]), Eq(P[o], r[o])),
    ),
):
    false(name, why, write)
