"""Which stationary policies are local maxima of their own objective: any number of answers, any rewards.

Statement.   The objective whose groups a policy samples has at it, in the probability of each answer, the curvature
             −c(o), c(o) = β(2π_ref(o) − π(o))/π(o)²: rewards enter through the policy alone. Along a direction v with
             Σ v = 0 the second derivative is −Σ c v². It is negative along all of them where π < 2π_ref everywhere, or
             where one answer alone exceeds 2π_ref and Σ π²/(2π_ref − π) over all answers is negative; it is positive
             along some where that sum is positive beside one such answer, and where two answers exceed 2π_ref, from one
             of them to the other.
Source.      Vojnovic & Yun (2025), Sections 1.3 and 2.3, which are for two answers where they speak of maxima. Not in
             the paper.
Domain.      n answers, β > 0, penalty KL_0, policies with full support.
Derivation.  second derivatives with π_old frozen → Σ c v² with v of the answer that exceeds being
             minus the sum of the others → Cauchy and Schwarz, as a sum of squares over pairs.
Caveats.     Second-order conditions: nothing is said where the form is zero along some direction. Global maxima:
             global_many_answers.py.
Letters.     v(o) is β(2π_ref(o) − π(o))/π(o)² of an answer that does not exceed 2π_ref, u is minus that of the one
             that does, r is the direction; P(o) is the preference, frozen with π_old.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

policies = Domain(n >= 2, beta > 0, simplex(pi, n), simplex(old, n), simplex(ref, n), reals(P, n))
slope = partial(grpo(beta).value(pi, old, ref, lambda answer: P[answer], Answers(n)), pi[o])  # P frozen with π_old
curvature = beta * (2 * ref[o] - pi[o]) / pi[o] ** 2


def over(term, index=o):
    return Sum(term, (index, 1, n))


form, room, moved = over(spread[o] * r[o] ** 2), over(1 / spread[o]), over(r[o])
directions = Domain(n >= 1, u > 0, positives(spread, n), reals(r, n))
pairs = Sum((spread[i] * r[i] - spread[k] * r[k]) ** 2 / (2 * spread[i] * spread[k]), (k, 1, n), (i, 1, n))
cauchy_schwarz = AtLeast(form * room, moved**2, label="Cauchy and Schwarz").by(TermByTerm((pairs,)))
claim(
    "by-max-criterion",
    Every(
        On(
            directions.also(u * room < 1),
            Always(
                form - u * moved**2 >= (1 - u * room) * form,
                label="one answer exceeds and the sum is negative: positive, but for r = 0",
            ).by(Then((cauchy_schwarz,))),
        ),
        On(
            directions.also(u * room > 1),
            Always(room - u * room**2 < 0, label="the sum is positive: along the inverses of the curvatures a rise"),
        ),
    ),
    directions,
    because=(
        On(
            policies,
            Equal(
                slope,
                P[o] - beta * (old[o] / pi[o] - old[o] * ref[o] / pi[o] ** 2),
                label="the slope in one probability speaks of no other one",
            ),
        ),
        On(
            policies,
            Equal(-identify(partial(slope, pi[o]), old, pi), curvature, label="so this is minus the second derivative"),
        ),
        cauchy_schwarz,
        On(
            directions.also(u * room < 1),
            Equal(
                form - u * moved**2,
                (form * room - moved**2) / room + moved**2 * (1 - u * room) / room,
                label="in two parts that are not negative",
            ),
        ),
        On(
            directions,
            Equal(
                over(spread[o] * (1 / spread[o]) ** 2) - u * over(1 / spread[o]) ** 2,
                room - u * room**2,
                label="along r(o) = 1/v(o) the form is this",
            ),
        ),
    ),
    kind="optimality",
    locator="Question 2",
    title="Second-order criterion of a stationary policy, any number of answers",
    remark=(
        "v(o) is β(2π_ref − π)/π² of an answer with π < 2π_ref, and −u that of the one that exceeds, which moves by "
        "−Σ r along the simplex. So u Σ 1/v < 1 says that Σ π²/(2π_ref − π) over all answers is negative."
    ),
)
