"""Maxima over all policies, where it is only supposed that the best probabilities add up."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import Written, false, true

REFERENCE = Domain(simplex(ref, n), n >= 2, beta > 0)
NEAR = Part(-((x - ref[o]) ** 2), x, -(ref[o] ** 2))


def largest(
    best: Any = ref[o], part: Part = NEAR, loss: Any = (x - ref[o]) ** 2, multiplier: Any = 0, on: Domain = REFERENCE
) -> Written:
    """That the policy is the only maximum if its probabilities add up."""
    return on, OnlyBestPolicy((Answered(part, o, n),), (best,), supposed=True).by(
        OneMultiplier(multiplier, (Loss(loss),))
    )


true("the nearest policy", largest)
false(
    "a policy that is not the nearest, and adds up",
    "with n = 2 and the reference (¼, ¾) the best is that, and not the even policy, which adds up to 1",
    lambda: largest(1 / n),
)
false(
    "the furthest policy",
    "the sum of the squares is least there, and not largest",
    lambda: largest(part=Part((x - ref[o]) ** 2, x, ref[o] ** 2), loss=-((x - ref[o]) ** 2)),
)
false(
    "the only best policy, where all are as good",
    "an answer adds its probability, and all policies add up to 1",
    lambda: largest(part=Part(x, x), loss=0 * x, multiplier=1),
)
false(
    "answers that add the more when they are given up",
    "−(x − ref)² tends to −ref² and not to 5: giving up all answers but one is better",
    lambda: largest(part=Part(-((x - ref[o]) ** 2), x, 5)),
)
false(
    "a multiplier of its own for every answer",
    "−x² is largest over all policies where they are even, whatever the reference is",
    lambda: largest(part=Part(-(x**2), x), multiplier=-2 * ref[o]),
)
false(
    "a best probability that may be negative",
    "ref − ¼ is no probability of a rare answer: with n = 2 and the other best one 5/4 they add up to 1",
    lambda: largest(
        (ref[o] - Rational(1, 4)) * 2,
        Part(-((x - 2 * ref[o] + Rational(1, 2)) ** 2), x, -((2 * ref[o] - Rational(1, 2)) ** 2)),
        (x - 2 * ref[o] + Rational(1, 2)) ** 2,
    ),
)
false(
    "the letter of a probability is one of the domain",
    "that x exceeds 1 is said of another number than of probabilities",
    lambda: largest(part=Part(x**2 - x**3, x), best=Rational(1, 2), on=REFERENCE.also(x > 1)),
)
false(
    "the reference with a penalty of the wrong sign",
    "x log(x/ref) is largest at a corner",
    lambda: largest(
        part=Part(beta * x * log(x / ref[o]), x), loss=-beta * (ref[o] - x + x * log(x / ref[o])), multiplier=beta
    ),
)
