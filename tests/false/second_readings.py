"""Words and numbers that can be taken for something else: a term for a letter, a part of a family for all of it, a
direction that is none, a letter of the sentence's own words, a cycle that is a shorter one.
"""

from __future__ import annotations

from false import claimed, false, true
from grpo_symbolic.paper import *
from grpo_symbolic.proof.rules.citing import Cited
from grpo_symbolic.proof.statements.domain import Family

half, several = Rational(1, 2), Domain(reals(r, n), n >= 2)
plane = Domain(x, y)


def above_one(cited: type[Cited] | object) -> list[Claim]:
    """A claim that puts −3 in the place of a square."""
    squares = claimed(plane, Always(Gt(x**2 + y**2 + 2, 0, evaluate=False)), id="squares")
    instance = cited(squares, {x**2: Integer(-3)})  # type: ignore[operator]
    return [claimed(plane, Always(y**2 > 1).by(Follows((instance,))), depends_on=("squares",)), squares]


def squares(low: object, high: object) -> AtLeast:
    """A sum of squares is not negative, and zero only where all of them are."""
    total = Sum(r[o] ** 2, (o, low, high))
    return AtLeast(total, 0, equality=(Eq(r[o], 0),)).by(TermByTerm((total,)))


def multipliers(slope: object) -> MaximaHaveMultipliers:
    """The multipliers of a linear objective."""
    entry = Summand(slope * t, t, pi, o, n)  # type: ignore[operator]
    return MaximaHaveMultipliers(entry.total, (Kind(entry, slope),))  # type: ignore[arg-type]


false("a square for a letter", "y may be 0, and no square is −3", lambda: above_one(at))
false("a square for a letter, behind at", "y may be 0, and no square is −3", lambda: above_one(Cited))
false(
    "a square for a letter of a lemma",
    "y may be 0, and no square is −3",
    lambda: (
        plane,
        Always(y**2 > 1).by(InLetters(Always(Gt(x**2 + y**2 + 2, 0, evaluate=False)), plane, {x**2: Integer(-3)})),
    ),
)
false(
    "a root by no direction",
    "2 − x is above 0 on the whole of (0, 1)",
    lambda: (Domain(y > 0), OneRoot(2 - x, x, 0, 1).by(StrictlyMonotone(direction=0, shape=ButForAPoint(half)))),
)
false(
    "a minimum by no direction",
    "−x is smallest at 1",
    lambda: (
        Domain(0 <= x, x <= 1),
        OnlyMaximum(-x, x, half, 0).by(
            RiseAndFall(before=ButForAPoint(Rational(1, 4)), after=ButForAPoint(Rational(3, 4)))
        ),
    ),
)
false("squares but the first", "r(1) may be 1, and the others 0", lambda: (several, squares(2, n)))
false("the first square", "r(2) may be 1, and r(1) is 0", lambda: (several, squares(1, 1)))
true("all squares", lambda: (several, squares(1, n)))
false(
    "a divergence without the first answers",
    "they may differ in the first answer, and in no other",
    lambda: (
        Domain(
            positives(world, n), positives(model, n), n >= 2, Eq(Sum(world[o], (o, 2, n)), Sum(model[o], (o, 2, n)))
        ),
        AtLeast(Sum(world[o] * log(world[o] / model[o]), (o, 2, n)), 0, equality=(Eq(world[o], model[o]),)).by(
            Gibbs((Divergence(world[o], model[o], o, 2, n),))
        ),
    ),
)
false(
    "a cycle of two steps that is a fixed point",
    "x/2 has no cycle of two steps: all tends to 0",
    lambda: (Domain(y > 0), EndsInCycle(Iteration(x / 2, x, half), ((0, 1), (0, 1))).by(SentAround((half, half)))),
)
false(
    "a cycle of no steps",
    "there is none",
    lambda: (Domain(y > 0), EndsInCycle(Iteration(x / 2, x, half), (), ((0, 1),)).by(SentAround(()))),
)
false(
    "what explodes dies out",
    "what moves with its own velocity is e^t",
    lambda: (Domain(y > 0), DiesOut(half - x, x, Integer(1), 0, 1, half, -1)),
)
false(
    "the multiplier that the objective has",
    "2λ is not λ: the multiplier is another number than the λ of the objective",
    lambda: (Domain(positives(pi, n), n >= 1, lam > 0), multipliers(2 * lam)),
)
true("multipliers of a linear objective", lambda: (Domain(positives(pi, n), n >= 1, y > 0), multipliers(2 * y)))
false(
    "the time for a rate",
    "e^(−lt) is meant for t that grows, and not for the t of the velocity",
    lambda: (Domain(t > 0), FlowAtRate(-t * x, x, -1, 1, 0, t)),
)
true("a rate", lambda: (Domain(y > 0), FlowAtRate(-y * x, x, -1, 1, 0, y)))
false(
    "a number A beside the advantage A",
    "the average of 2A, of which one A is the advantage and the other a number, is not A",
    lambda: (
        Domain(Family(pi, n, True, Integer(1)), n >= 1, A, G >= 1),
        GroupAverage(0, A, None, pi, o, n, G, Sum(A * pi[o], (o, 1, n))),
    ),
)
