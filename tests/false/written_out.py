"""Lists that are written out, whole numbers without an end, and what is held fixed: of another length, of another kind,
in another place.
"""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import Written, false, true

half = Rational(1, 2)

# -- limits between limits, of functions and of sequences --------------------------------------------------------------


def between(body: Any, low: Any, high: Any, along: Any = G, value: Any = 0, until: Any = 2, on: Any = ()) -> Written:
    """That what lies between two limits at infinity has their value."""
    return Domain(*on), Tends(body, along, oo, value, "-").by(Squeezed(low, high, until))


true("a sequence between two", lambda: between(1 / G, 0 / G, 2 / G))
false("a sequence that jumps beyond its bounds", "(−1)ⁿ has no limit", lambda: between((-1) ** G, -1 / G, 1 / G))
false(
    "a sequence without a value at one number",
    "7 is such a number, and 6 is below its bound",
    lambda: between(1 + 1 / (G - 7), 1 / G, 2 / G),
)
false("between bounds of two limits", "½ is between 0 and 1", lambda: between(half + 0 * x, 0 * x, 1 + 1 / x, x))
false("between bounds from infinity on", "1 + 1/x tends to 1", lambda: between(1 + 1 / x, 0 * x, 1 / x, x, 0, oo))
false("between bounds from a number that moves", "it tends to 1", lambda: between(1 + 1 / x, 0 * x, 1 / x, x, 0, x + 1))
false(
    "a power between two where its base may be 1", "1ⁿ is 1", lambda: between(p**G, 0 / G, 1 / G, on=(0 <= p, p <= 1))
)
false(
    "a sequence that tends to minus infinity",
    "its terms tend to 1",
    lambda: (Domain(), Tends(1 / (10 - G) ** 2 + 1, G, -oo, 0, "+").by(Squeezed(Integer(0), -2 / G, -2))),
)
false(
    "a function between two on the other side",
    "it is −1 to the left of 0",
    lambda: (Domain(), Tends(Abs(x) / x, x, 0, 1, "-").by(Squeezed(1 - x, 1 + x, 1))),
)

# -- intervals that are sent around ------------------------------------------------------------------------------------
EXCHANGED = ((0, 1), (2, 3))  # by 3 − x, with a cycle through every point


def around(
    step: Any, cycle: Any, constants: Any = (half,), start: Any = half, entering: Any = (), on: Any = (y > 0,)
) -> Written:
    """That the members come to a cycle through these intervals."""
    return Domain(*on), EndsInCycle(Iteration(step, x, start), cycle, entering).by(SentAround(constants))


true("an interval that is sent into itself", lambda: around(x / 2, ((0, y),), start=y))
true("an interval before it", lambda: around(1 - x / 2, ((half, 1),), entering=((0, 1),)))
for name, why, cycle, constants in (
    ("constants of which one is negative", "3 − x is not steady", EXCHANGED, (-1, -half)),
    ("a constant that is too small", "the slope is −1", EXCHANGED, (1, half)),
    ("constants of product one", "3 − x has a cycle through every point", EXCHANGED, (1, 1)),
    ("ends in the wrong order", "nothing lies between 1 and 0", ((1, 0), (3, 2)), (half, half)),
):
    false(name, why, lambda cycle=cycle, constants=constants: around(3 - x, cycle, constants))
false(
    "intervals of which two meet",
    "x/2 has no cycle of three steps",
    lambda: around(x / 2, ((0, 1), (2, 3), (half, 2)), (half,) * 3),
)
false(
    "a way that does not lead into the cycle",
    "2, 4, 16, … grow",
    lambda: around(x**2, ((0, Rational(1, 4)),), (half,), Integer(2), ((2, 3),)),
)
false(
    "a start beyond the first interval on the way",
    "2, 4, 16, … grow",
    lambda: around(x**2, ((0, Rational(1, 4)),), (half,), Integer(2), ((0, Rational(1, 4)),)),
)
false(
    "a map without a value at an end",
    "there is none at 0, where it starts",
    lambda: around((x**2 + x) / (8 * x), ((0, 1),), start=Integer(0)),
)
false("an end without a value", "at y = 0 there is none", lambda: around(x / 2, ((0, 1 + 1 / y),), on=(y >= 0,)))
false("a factor that may exceed one", "for y > 1 nothing stays", lambda: around(x * y, ((0, 1),), (y,)))

# -- what is held fixed at a local maximum -----------------------------------------------------------------------------


def hill(objective: Any, held: Any, *on: Any, at: Any = 1) -> Written:
    """That there is a strict local maximum while something is held fixed."""
    return Domain(*on), LocalMaximum(objective, x, at, held)


true("a maximum while a number is held fixed", lambda: hill((x - 1) ** 2 * (y - 2), ((y, 0),), x, y))
false(
    "a maximum while a number is held where it is not known",
    "for z > 2 there is a minimum",
    lambda: hill((x - 1) ** 2 * (y - 2), ((y, z),), x, y <= 1, z >= 0),
)
false(
    "a maximum while numbers are held at one another",
    "for z > 2 there is a minimum",
    lambda: hill((x - 1) ** 2 * (y - 2), ((y, z), (z, 1)), x, y, z),
)
false(
    "a maximum beside the value at which a number is held",
    "with y = 1 the point 1 is not below it",
    lambda: hill(-((x - y) ** 2), ((y, 1),), x < y),
)
false(
    "a maximum of what has no value beyond the point",
    "below 1 there is none where y + 1 is at most 3/2",
    lambda: hill(-((x - 1) ** 2) + sqrt((x - 1) ** 5 + Max(0, y - Rational(3, 2))), ((y, y + 1),), y >= 0, x <= y),
)
false("a maximum that may be none", "at y = 0 it is constant", lambda: hill(-y * (x - 1) ** 2, (), x, y >= 0))
false(
    "a maximum at a number without a value",
    "at z = 0 there is none",
    lambda: hill(-((x * z - 1) ** 2), (), x, z, at=1 / z),
)

# -- every entry, because a sum vanishes -------------------------------------------------------------------------------
TWO = Domain(simplex(pi, n), simplex(ref, n), n >= 1)
GAP = Sum(pi[o] - ref[o], (o, 1, n))
FAR = Abs(pi[o] - ref[o])


def every(*given: Any, term: Any = FAR, then: Any = None, **fields: Any) -> Written:
    """That two policies are equal in every entry, or what else is said."""
    said = Eq(pi[o], ref[o]) if then is None else then
    return TWO, InEveryEntry(given, said, o, n).by(NothingLeft(GAP, term, **fields))


true("in every entry, because no one is smaller", lambda: every(Ge(pi[o], ref[o])))
for name, why, write in (
    ("of positive ones", "they may differ", lambda: every(pi[o] > 0)),
    ("of nothing", "they may differ", lambda: every()),
    ("by a term that may be negative", "they may differ", lambda: every(pi[o] > 0, term=pi[o] - ref[o])),
    ("of the first one", "the others may differ", lambda: every(Ge(pi[1], ref[1]))),
    ("of a number of another list", "nobody says where it lies", lambda: every(Ge(pi[o_], ref[o_]))),
    (
        "of twice the other policy, at an example that is none",
        "they would add up to 2",
        lambda: every(Eq(pi[o], 2 * ref[o]), term=ref[o], then=pi[o] > 7, example={n: 1, pi: [1], ref: [half]}),
    ),
    (
        "of twice the other policy, without an entry",
        "they would add up to 2",
        lambda: every(Eq(pi[o], 2 * ref[o]), term=ref[o], then=pi[o] > 7, example={n: 0, pi: [], ref: []}),
    ),
    (
        "of equal ones above 1, at an example of equal ones",
        "none is above 1",
        lambda: every(
            Eq(pi[o], ref[o]), pi[o] > 1, then=pi[o] > 7, example={n: 2, pi: [half, half], ref: [half, half]}
        ),
    ),
):
    false(f"in every entry, {name}", why, write)

# -- the only best policy, for one kind of answers and for two ---------------------------------------------------------
POLICY = Domain(simplex(ref, n), n >= 1)
FIRST, SECOND = -((z - ref[o] / 2) ** 2), -((u - ref[o_] / 2) ** 2)


def best(
    first: Any = FIRST, second: Any = SECOND, losses: Any = (-FIRST, -SECOND), on: Domain = POLICY, given_up: Any = None
) -> Written:
    """That answers of two kinds had best have half of their reference each."""
    at_zero = -(ref[o] ** 2) / 4 if given_up is None else given_up
    kinds = (Answered(Part(first, z, at_zero), o, n), Answered(Part(second, u, -(ref[o_] ** 2) / 4), o_, n))
    said = OnlyBestPolicy(kinds, (ref[o] / 2, ref[o_] / 2))
    return on, said.by(OneMultiplier(Integer(0), tuple(map(Loss, losses))))


true("the best policy of two kinds", best)
false("the best policy, of which the second kind is worst", "a square is least there", lambda: best(second=-SECOND))
false(
    "the best policy, by one loss for two kinds",
    "the square of the second is least there",
    lambda: best(second=-SECOND, losses=(-FIRST,)),
)
false(
    "the best policy of kinds that speak of each other",
    "the probability of one is no number of the other",
    lambda: best(first=FIRST + u),
)
false(
    "the best policy where a probability has no value",
    "there is none at 1",
    lambda: best(first=FIRST + (z**2 - z) / (z - 1) - z),
)
false("the best policy by what jumps to 9", "given up an answer adds more", lambda: best(given_up=Integer(9)))
false(
    "the best policy where the domain speaks of its probabilities",
    "above ½ an answer adds more",
    lambda: best(first=Piecewise((FIRST, z < half), (9, True)), on=POLICY.also(z < half)),
)
