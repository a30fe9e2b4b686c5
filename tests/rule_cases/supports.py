"""Controls of the rules for policies that give up answers."""

from __future__ import annotations

from sympy import IndexedBase, symbols

from grpo_symbolic.paper import *
from rule_cases.case import Case, False_

t, b, c = symbols("t b c", real=True)
n, k, o = symbols("n k o", integer=True)
pi, old, ref, rest, P = (IndexedBase(name) for name in ("pi", "old", "ref", "rest", "P"))


# Used answers pay b (t/ref)²/2 each, the others have the slope c; at the reference, scaled to a policy, they pay b.
def families(of_rest=reals):
    """The families of the objective."""
    return positives(pi, n), positives(old, n), simplex(ref, n), of_rest(rest, k), reals(P, k)


some_given_up = Domain(*families(), n >= 1, k >= 1, b > 0, c)
paid = -b * old[o] * t / ref[o]


def used(term=paid, slope=-b * old[o] / ref[o], at=ref[o]):
    """Answers that are used, with the probabilities of the reference."""
    return Place(Summand(term, t, pi, o, n), slope, at, old)


def given_up(term=c * t, slope=c):
    """Answers that are not."""
    return Place(Summand(term, t, rest, o, k), slope)


def objective(scale=1):
    """The sum over both."""
    return scale * Sum(-b * old[o] * pi[o] / ref[o], (o, 1, n)) + Sum(c * rest[o], (o, 1, k))


def holds(whole=None, condition=c <= -b, kinds=None):
    """That the reference satisfies the conditions."""
    return SatisfiesKKT(objective() if whole is None else whole, kinds or (used(), given_up()), condition)


def paid_twice():
    """The objective of what fails: an answer gains b, and pays 2b for its share of the reference."""
    return Sum(b * pi[o] - 2 * b * old[o] * pi[o] / ref[o], (o, 1, n)) + Sum(c * rest[o], (o, 1, k))


HALF = Rational(1, 2)
double = used(b * t - 2 * b * old[o] * t / ref[o], b - 2 * b * old[o] / ref[o], None)


def fails(at_most=ref[o] / 2, together=HALF, other=None, better=1, whole=None, of_used=double):
    """That no policy satisfies them, where an answer that costs nothing is left out."""
    kinds = (of_used, given_up() if other is None else other)
    return ViolatesKKT(paid_twice() if whole is None else whole, kinds).by(TooRare((at_most,), together, better))


free = some_given_up.also(c >= 0)
undefined = (c**2 - 1) / (c - 1)  # c + 1, but for c = 1
SUPPORTS = (
    Case(
        "the conditions at a policy that gives up answers",
        holds(),
        some_given_up,
        (
            False_("a sum over the answers", holds(objective(2)), some_given_up),
            False_(
                "the slope in pi",
                holds(condition=c <= b, kinds=(used(slope=b * old[o] / ref[o]), given_up())),
                some_given_up,
            ),
            False_("the slope in rest", holds(condition=-c <= -b, kinds=(used(), given_up(slope=-c))), some_given_up),
            False_("the same for all answers", holds(kinds=(used(at=ref[o] ** 2), given_up())), some_given_up),
            False_("the same for all answers", holds(kinds=(used(), given_up(P[o] * t, P[o]))), some_given_up),
            False_("a policy", holds(condition=c <= -2 * b, kinds=(used(at=2 * ref[o]), given_up())), some_given_up),
            False_(
                "pi are used",
                holds(condition=c <= b, kinds=(used(at=-ref[o]), given_up())),
                some_given_up,
                ("a policy",),
            ),
            False_("steeper than a used one", holds(condition=c <= b), some_given_up),
            False_("steeper than a used one", holds(condition=Eq(c, -b)), some_given_up),
            False_("there are answers of", holds(), Domain(*families(), n >= 1, k >= 0, b > 0, c)),
            False_(
                "by how much",
                holds(objective() + Sum(rest[o], (o, 1, k)), c + 1 <= -b, (used(), given_up(undefined * t, undefined))),
                some_given_up,
                ("a sum over the answers", "the slope in rest", "has a value"),
            ),
            False_("about one policy", holds(kinds=(used(at=None), given_up())), some_given_up),
            False_("some answer", holds(Sum(c * rest[o], (o, 1, k)), kinds=(given_up(),)), some_given_up),
            False_("real numbers", holds(), Domain(*families(positives), n >= 1, k >= 1, b > 0, c)),
            False_("is to vary freely", holds(), some_given_up.also(old[1] < 1)),
            False_("no probability of the answer itself", holds(kinds=(used(paid * pi[1]), given_up())), some_given_up),
            False_("the domain constrains t", holds(), some_given_up.also(t > 1)),
        ),
    ),
    Case(
        "no conditions where the used answers are too rare",
        fails(),
        free,
        (
            False_("a sum over the answers", fails(whole=objective()), free),
            False_(
                "the slope in pi",
                fails(
                    whole=Sum(b * old[o] * pi[o] / ref[o], (o, 1, n)) + Sum(c * rest[o], (o, 1, k)),
                    of_used=used(-paid, b - 2 * b * old[o] / ref[o], None),
                ),
                free.also(c <= b),
            ),
            False_(
                "the slope in rest",
                fails(
                    whole=paid_twice() - Sum(c * rest[o], (o, 1, k)) - Sum(b * rest[o], (o, 1, k)),
                    other=given_up(-b * t, c),
                ),
                free,
            ),
            False_("pi are rare", fails(), some_given_up),
            False_("their sum", fails(together=Rational(1, 3)), free),
            False_("too rare", fails(ref[o], 1), some_given_up.also(c >= -b)),
            False_("are to be given up", fails(better=0), free),
            False_(
                "the same for all answers",
                fails(
                    other=given_up(P[o] * t, P[o]),
                    whole=paid_twice() - Sum(c * rest[o], (o, 1, k)) + Sum(P[o] * rest[o], (o, 1, k)),
                ),
                free,
            ),
            False_("some answer of rest", fails(), Domain(*families(), n >= 1, k >= 0, b > 0, c >= 0)),
        ),
    ),
)
