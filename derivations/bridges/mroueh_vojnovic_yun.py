"""Where Mroueh (2025) and Vojnovic & Yun (2025) describe the same equation, and what each says in the other's words.

Statement.   Without smoothing (ε = 0), for one correct and one wrong answer and large groups, Mroueh's iteration is the
             best response of Vojnovic & Yun's variant with the direct KL penalty: his fixed points are their stationary
             policies, his h(p) − p has the sign of their h(x). So their threshold p*(β) counts his fixed points, and
             their x* is where h' = 1; his criterion |h'| < 1 holds at one exactly between 1 − x* and x*.
             GRPO's own penalty KL_0 gives their (15) instead: one policy for every β, which the direct KL's smallest
             one exceeds for p_ref ≥ ½ and falls short of where (15) is at most ½.
Source.      Mroueh (2025), Theorems 1–4; Vojnovic & Yun (2025), Sections 2.3.1 and 3, Appendix B.2.
Domain.      0 < x, y, p < 1, β > 0, ε = 0; r_a = 1, r_b = 0 (any r_a > r_b does the same).
Derivation.  both objectives from their own files → equal → one maximiser, h(y) → fixed points → threshold, fold, KL_0.
Caveats.     Mroueh's ε > 0 adds what ε = 0 lacks: a fixed point for every β, which tends to 1 where they have none.
Letters.     x is success, p that of the reference, p_ref in words, y that of the policy that samples, z a fixed point
             or (15), or a success that the map does not raise. r_a and r_b are the rewards of the two answers. u is a
             second success, or a shift of log-odds, or odds; t is 1/β, or the reference where it varies. Of what is so
             of any numbers they are u, y and z. h is Mroueh's map of success, V&Y's h the log-odds that it gains, which
             are least at x*; p*(β) is the reference for which they are 0 there.
"""

from grpo_symbolic.paper import *

from ..mroueh.thm1_policy import w_minus, w_plus
from ..mroueh.thm2_recursion import h as map_h
from ..mroueh.thm4_local_convergence import multiplier
from ..vojnovic_yun.direct_kl_best_response import best, gain, lifted
from ..vojnovic_yun.direct_kl_large_groups import (
    J,
    a_better,
    below_odds,
    bernoulli,
    by_sign,
    by_threshold_odds,
    least_of_h,
    logit_p,
    odds,
    shape_of_h,
    star,
    threshold,
)
from ..vojnovic_yun.direct_kl_large_groups import h as stationary
from ..vojnovic_yun.eq15_large_groups import printed_root as root_15

claim = Result(__file__).claim

half = Rational(1, 2)
unit = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0)
frozen = unit.also(0 < y, y < 1)
parameters = Domain(0 < p, p < 1, beta > 0)
bare = Domain(0 < x, x < 1, beta > 0)
pair = Domain(0 < u, u < 1, 0 < x, x < 1)
compared = (log_increasing(x / (1 - x), u / (1 - u)), log_increasing(u / (1 - u), x / (1 - x)))
sampler, itself = {success: y, success_ref: p, guard: 0}, {success: x, success_ref: p, guard: 0}
response = map_h.subs(sampler)  # Mroueh's h(y) in the letters of Vojnovic & Yun
fixed_map = map_h.subs(itself)

# -- one objective ----------------------------------------------------------------------------------------------------
d = Derivation("br-mr-vy", frozen)
mroueh = d.start(
    x * w_plus.subs(sampler) - (1 - x) * w_minus.subs(sampler) - beta * bernoulli,
    "Mroueh's problem for one correct and one wrong answer: the weights of the old policy y, and the KL divergence",
)
slope = d.differentiate(mroueh, x, "the old policy y is held fixed")
d.rewrite(slope, beta * (log(response / (1 - response)) - log(x / (1 - x))), "β times the log-odds from x to h(y)")
claim(
    "br-mr-vy-objective",
    On(a_better, Equal(mroueh, J, label="Vojnovic & Yun's objective, whatever the rewards r_a > r_b are")),
    frozen,
    because=(
        Equal((w_plus + w_minus).subs(sampler), 1 / sqrt(y * (1 - y)), label="β times the shift of the log-odds"),
    ),
    locator="Mroueh, (6) and GRPO Iterations; V&Y, App B.2",
    title="The objectives of Mroueh without ε and of Vojnovic & Yun with direct KL in large groups, for two answers",
    depends_on=["mr-thm1-policy", "vy-B2-objective-inf"],
    remark="For more answers the policy keeps the proportions of π_ref among the correct and among the wrong ones "
    "(mr-thm1-policy), so that two are enough.",
)

claim(
    "br-mr-vy-best-response",
    Every(
        Equal(
            diff(mroueh, x),
            beta * (log(response / (1 - response)) - log(x / (1 - x))),
            label="the slope leads from x to h(y)",
        ),
        On(
            pair,
            Always(
                Equivalent(log(u / (1 - u)) - log(x / (1 - x)) > 0, u > x),
                using=compared,
                label="positive below h(y), negative above: h(y) is the maximum",
            ),
        ),
    ),
    frozen,
    kind="stability",
    by=d,
    depends_on=["br-mr-vy-objective"],
    locator="Mroueh, Theorem 2; V&Y, Sec 3",
    title="Mroueh's iteration as the best response of the direct-KL variant",
)

# -- fixed points are stationary policies -----------------------------------------------------------------------------
claim(
    "br-mr-vy-fixed-points",
    Every(
        Equal(
            log(fixed_map / (1 - fixed_map)) - log(x / (1 - x)),
            stationary(),
            label="V&Y's h is the log-odds of Mroueh's h(x) minus those of x",
        ),
        On(
            pair,
            Always(
                Equivalent(log(u / (1 - u)) - log(x / (1 - x)) > 0, u > x),
                using=compared,
                label="log-odds compare as probabilities do, so h(x) − x has the same sign",
            ),
        ),
    ),
    unit,
    depends_on=["br-mr-vy-best-response", "vy-B2-h", "mr-thm2-h"],
    locator="Mroueh, Sec 3; V&Y, App B.2",
    title="Fixed points of the iteration as stationary policies",
)

sizes = Domain(0 < p, p < 1, u > 0)
ordered = (log_increasing(u, p / (1 - p)), log_increasing(p / (1 - p), u))
shift = 1 / (beta * sqrt(x * (1 - x)))
pushed = 1 / (1 + (1 - p) / p * exp(-u))  # p_ref with u added to its log-odds
below_fold = parameters.also(stationary().subs(x, star) < 0)
LEAST, ABOVE = "h is at least h(x*)", "h(x*) > 0 exactly for p > p*(β)"
gained_odds = log(u / (1 - u)) - log(x / (1 - x))
as_odds = Always(
    And(Equivalent(gained_odds > 0, u > x), Equivalent(Eq(gained_odds, 0), Eq(u, x))),
    using=compared,
    label="compared by their log-odds",
)


def by_odds(map_, gained):
    """How a map compares with x, by the log-odds that it gains."""
    positive = tuple(exp_positive(e.args[0]) for e in sorted(map_.atoms(exp), key=str))
    return (
        Equal(log(map_ / (1 - map_)) - log(x / (1 - x)), gained, label="log-odds gained"),
        Always(as_odds.formula.subs(u, map_), label="h(x) against x").by(
            InLetters(as_odds, pair, {u: map_, x: x}, positive)
        ),
    )


least_value = stationary().subs(x, star)
at_star = Always(And(star > half, star < 1), label="½ < x* < 1")
below = Always(Equivalent(least_value < 0, p < threshold), label="the sign at x*").by(by_threshold_odds(below_odds))


def in_order(formula, *values):
    """What is so of any numbers u, y and z, at these values."""
    letters = dict(zip((u, y, z), values, strict=False))
    lemma, here = formula(*letters), formula(*values)
    return Always(here, label="in order").by(InLetters(Always(lemma, label="in order"), Domain(*letters), letters))


no_zero = Always(stationary() > 0, label="no zero").by(
    Then(
        (
            at_star,
            Always(least_value > 0, label="the least value").by(Follows((least_of_h,), (ABOVE,))),
            Always(Ge(stationary(), least_value, evaluate=False), label="is positive").by(
                Follows((least_of_h,), (LEAST,))
            ),
            in_order(lambda u, y: Or(u > 0, Lt(u, y, evaluate=False), y <= 0), stationary(), least_value),
        )
    )
)

# p_ref = p*(β): what is left of V&Y's h without p_ref is least at x* too.
without_p, touching = stationary() - logit_p, fixed_map.subs(p, threshold)


def beside(direction):
    """Why h(x) > x for p_ref = p*(β) at an x before x* (direction −1), or after it: V&Y's h exceeds its value halfway
    to x*, which is no less than that at x*.
    """
    halfway = (x + star) / 2
    on, points = (bare.also(x < star), (x, halfway)) if direction < 0 else (bare.also(x > star), (halfway, x))
    between, least = without_p.subs(x, halfway), without_p.subs(x, star)
    facts = (
        at_star,
        Always(And(halfway > 0, halfway < 1), label="halfway"),
        Always(Gt(without_p, between, evaluate=False), label="more than halfway").by(
            TwoValues(without_p, x, on, points, direction, by_sign)
        ),
        Always(Ge(between, least, evaluate=False), label="and that is no less").by(
            Follows((at(least_of_h, {x: halfway, p: half}),), (LEAST,))
        ),
        in_order(
            lambda u, y, z: Or(u - z > 0, Le(u, y, evaluate=False), Lt(y, z, evaluate=False)), without_p, between, least
        ),
    )
    zero = stationary().subs(p, threshold)
    positive = Always(zero > 0, label="no other zero").by(ByDifference(without_p - least, Then(facts)))
    return Then((positive, *by_odds(touching, zero)))


once_level = Among(x - star, 0, 1, Rolle(Nowhere(), Integer(1)))  # where V&Y's h is level
claim(
    "br-mr-vy-count",
    Every(
        On(
            unit.also(p > threshold),
            Always(fixed_map > x, label="p_ref > p*(β): h(x) > x, no fixed point").by(
                Then((no_zero, *by_odds(fixed_map, stationary())))
            ),
        ),
        On(
            bare.also(Ne(x, star)),
            Always(touching > x, label="p_ref = p*(β): none but x*").by(
                InEachCase(((x < star, beside(-1)), (x > star, beside(1))))
            ),
        ),
        On(Domain(beta > 0), Equal(touching.subs(x, star), star, label="which is one")),
        On(
            unit,
            Always(
                Equivalent(Eq(fixed_map, x), Eq(stationary(), 0)),
                label="the fixed points are the zeros of V&Y's h",
            ).by(Then(by_odds(fixed_map, stationary()))),
        ),
        On(
            parameters.also(p < threshold),
            Every(
                TakesValue(stationary(), x, 0, star, label="p_ref < p*(β): a fixed point below x*").by(
                    BetweenLimits((oo, least_value), Then((below,)), rising=False)
                ),
                TakesValue(stationary(), x, star, 1, label="and one above it").by(
                    BetweenLimits((least_value, oo), Then((below,)), rising=True)
                ),
                AtMost(stationary(), x, 0, 1, label="and no more", most=2).by(Rolle(once_level, by_sign.form)),
            ),
        ),
    ),
    parameters,
    because=(
        On(
            unit,
            OnlyMaximum(stationary(), x, star, -1, label="V&Y's h is least at x*, and only there").by(
                RiseAndFall(given=(shape_of_h,))
            ),
        ),
        On(
            sizes,
            Always(
                And(
                    Equivalent(logit_p - log(u) > 0, p > u / (1 + u)), Equivalent(logit_p - log(u) < 0, p < u / (1 + u))
                ),
                using=ordered,
                label="p_ref against p*(β) = u/(1 + u): the sign of V&Y's h at x*, u the odds of p*(β)",
            ),
        ),
        On(
            below_fold,
            Every(
                OneRoot(
                    stationary(), x, 0, star, label="V&Y's h < 0 at x*, so p_ref < p*(β): one fixed point below x*"
                ).by(StrictlyMonotone(-1, (oo, stationary().subs(x, star)), given=(shape_of_h,))),
                OneRoot(stationary(), x, star, 1, label="and one above it").by(
                    StrictlyMonotone(1, (stationary().subs(x, star), oo), given=(shape_of_h,))
                ),
            ),
        ),
        On(
            parameters,
            Equal(stationary().subs(x, star), logit_p - log(odds), label="V&Y's h at x*"),
        ),
        On(Domain(beta > 0), Equal(odds / (1 + odds), threshold, label="p*(β), from its odds")),
        On(
            unit,
            Equal(
                fixed_map,
                pushed.subs(u, shift),
                label="Mroueh's h(x), with the shift 1/(β√(x(1 − x))), symmetric about ½",
            ),
        ),
        On(
            Domain(beta > 0),
            Tends(shift, x, 0, oo, label="the shift grows beyond all bounds at 0, and so, by symmetry, at 1"),
        ),
        On(
            Domain(0 < p, p < 1),
            Tends(pushed, u, oo, 1, "-", label="so 1 is fixed too, if Mroueh's h is extended by continuity"),
        ),
    ),
    kind="uniqueness",
    depends_on=["br-mr-vy-fixed-points", "vy-B2-h-monotone", "vy-B2-h-positive-small-beta"],
    locator="Mroueh, Proposition 1 and Remark 1; V&Y, App B.2",
    title="Number of fixed points without smoothing",
    short=(
        "p_ref > p*(β): h(x) > x, no fixed point",
        "p_ref < p*(β): a fixed point below x*",
        "and one above it",
        "and no more",
    ),
    remark="Mroueh's “can no longer guarantee existence”, for ε = 0, made exact. “No guarantees for a unique fixed "
    "point” is said of ε > 0: mr-dyn-at-most-three. p*(β) is a reference, the threshold of vy-B2-threshold, and "
    "not a fixed point.",
)

smoothed = map_h.subs({success: x, success_ref: p})
lead = log(x / (1 - x)) - logit_p
smoothing = 1 / (beta * lead) ** 2 - x * (1 - x)  # the ε for which x is a fixed point
root = sqrt(x * (1 - x) + guard)
odds_lost = (1 - x) * p / (x * (1 - p))  # e^(−shift) at a fixed point
lost = Equal(log(odds_lost), -lead, label="the log-odds lost")
at_fixed = Then(
    (lost,),
    using=(
        exp_increasing(-1 / (beta * root), log(odds_lost)),
        exp_increasing(log(odds_lost), -1 / (beta * root)),
        exp_sign(-1 / (beta * root)),
    ),
)
no_policy = parameters.also(stationary().subs(x, star) > 0)
gained = Always(lead > 0, (log_increasing(p / (1 - p), x / (1 - x)),), "log-odds are gained")
none_without = Always(stationary() > 0, label="no fixed point without smoothing").by(Follows((least_of_h,), (LEAST,)))
claim(
    "br-mr-vy-smoothing",
    Every(
        On(
            no_policy,
            SolutionTends(smoothed - x, x, 0, 1, guard, 0, 1, label="every fixed point").by(
                LeavesAPositive(
                    smoothing,
                    p,
                    oo,
                    1,
                    beyond=at_fixed,
                    at_root=at_fixed,
                    positive=Then((none_without, gained)),
                    defined=Then((gained,)),
                )
            ),
        ),
        On(
            parameters.also(guard > 0),
            TakesValue(smoothed - x, x, 0, 1, label="there is one for every ε > 0").by(
                IntermediateValue(False, (exp_sign(-1 / (beta * sqrt(guard))),))
            ),
        ),
    ),
    parameters,
    kind="limit",
    depends_on=["br-mr-vy-count", "vy-B2-h-positive-small-beta"],
    locator="Mroueh, Remark 1; V&Y, Sec 3",
    title="Fixed points for vanishing smoothing, for references without one",
    remark="There is none without smoothing where V&Y's h is positive at its least point, x* (br-mr-vy-count). With it "
    "all of them tend to 1, however many there are.",
)

# -- stability --------------------------------------------------------------------------------------------------------
rate = multiplier.subs(itself)
steepness = (2 * x - 1) / (2 * beta * sqrt(x * (1 - x)))
claim(
    "br-mr-vy-fold",
    Always(
        And(Equivalent(steepness < 1, x < star), Equivalent(steepness > 1, x > star)),
        label="h' at a fixed point x against 1: below before x*, above after it",
    ),
    bare.also(0 < p, p < 1),
    because=(
        Equal(rate, steepness, label="h' at a fixed point, by Mroueh's Lemma 1"),
        Equal(
            diff(stationary(), x),
            (rate - 1) / (x * (1 - x)),
            label="V&Y's h has slope zero where Mroueh's h has slope 1 at a fixed point",
        ),
    ),
    kind="stability",
    depends_on=["br-mr-vy-fixed-points", "mr-lem1", "vy-B2-h-monotone"],
    locator="Mroueh, Lemma 1; V&Y, App B.2",
    title="V&Y's x* as the fold, by the slope of Mroueh's h at a fixed point x",
    remark="So a fixed point above x* repels (vy-B2-stability).",
)

claim(
    "br-mr-vy-stable-range",
    Always(
        Equivalent(And(steepness < 1, steepness > -1), And(1 - star < x, x < star)),
        label="|h'| < 1 between 1 − x* and x*",
    ),
    bare,
    because=(
        Equal(
            Abs(steepness) ** 2 * 4 * beta**2 * x * (1 - x),
            (2 * x - 1) ** 2,
            label="4β²x(1 − x) times the square of h'",
        ),
        On(Domain(beta > 0), Always(And(star > half, star < 1), label="½ < x* < 1")),
        On(Domain(beta > 0), Equal(2 * star - 1, beta / sqrt(1 + beta**2), label="the width of the range")),
    ),
    kind="stability",
    depends_on=["br-mr-vy-fold", "mr-thm4"],
    locator="Mroueh, Theorem 4; V&Y, App B.2",
    title="Range of the fixed points with |h'| below 1",
    remark="Mroueh's β > B(p*) for ε = 0, solved for the fixed point x. x* is the upper end of the range; for x below "
    "1 − x* the slope h' is below −1.",
)

above_half = Domain(half <= p, p < 1, beta > 0)
run = Iteration(best, y, p)
step_up = exp_sign(gain.subs(y, p))
claim(
    "br-mr-vy-selection",
    Every(
        On(
            Domain(half <= p, p < z, z < 1, beta > 0).also(best.subs(y, z) <= z),
            RisesToLeastFixedPoint(run, p, z, label="below any fixed point z: to the smallest").by(
                MonotoneMap(using=(step_up,))
            ),
        ),
        On(
            above_half.also(stationary().subs(x, star) > 0),
            RisesToUpperEnd(run, 0, 1, label="where there is none").by(Lifted(lifted)),
        ),
    ),
    unit,
    because=(
        On(
            Domain(0 < y, y < 1, 0 < p, p < 1, beta > 0),
            Equal(response, best, label="Mroueh's h, at ε = 0, is the best response"),
        ),
        Always(fixed_map > p, using=(exp_sign(-1 / (beta * sqrt(x * (1 - x)))),), label="and exceeds p_ref"),
        On(
            Domain(beta > 0),
            Always(
                threshold < 1,
                label="p*(β), the reference whose only fixed point is x*: below 1",
            ),
        ),
    ),
    kind="limit",
    depends_on=["br-mr-vy-count", "mr-dyn-monotone", "vy-B2-h-positive-small-beta"],
    locator="V&Y, Sec 3; Mroueh, (8)",
    title="Limit of the iteration from references of ½ and more",
    remark="V&Y's “maximised at π_θ(a | q) = 1” for small β is this limit, not a maximum of one frozen objective.",
)

# -- direct KL and KL_0 -----------------------------------------------------------------------------------------------
root_beta = sqrt(x * (1 - x)) / (x - p)  # the β for which x is (15)
linear = (x - t) / (x * (1 - x)) - log(x / (1 - x)) + log(t / (1 - t))
reached = linear.subs(t, p)  # the direct KL's h at x, for the β for which x is (15)


def steeper(end, weakly, strictly, way):
    """The line that touches the log-odds at ``end`` lies beyond them at p: they bend one way, and strictly so between
    the middle and that of p and ``end`` which is not ½.
    """
    bent, middle = log(t / (1 - t)), half * p + half * end
    points = (middle, end) if way > 0 else (p, middle)
    quarter = half * points[0] + half * points[1]

    def tangent(point, touch):
        value, line = bent.subs(t, point), bent.subs(t, touch) + (point - touch) / (touch * (1 - touch))
        beyond = Always(value >= line if way > 0 else value <= line, label="beside a tangent")
        return beyond.by(Tangent(bent, t, weakly, point, touch, way))

    chord, between = half * bent.subs(t, points[0]) + half * bent.subs(t, points[1]), bent.subs(t, quarter)
    strict = Always(between < chord if way > 0 else chord < between, label="beside a chord")
    facts = (
        strict.by(Chord(bent, t, strictly, points, half, way)),
        tangent(quarter, end),
        tangent(p, middle),
        tangent(end, middle),
    )
    gained = linear.subs({t: p, x: end}, simultaneous=True)
    return Always(gained > 0 if way > 0 else gained < 0, label="at (15) itself").by(Then(facts))


near_15 = beta * (x - p) <= sqrt(x * (1 - x))
low_15 = Domain(0 < p, p < z, z <= half)
at_low_15 = steeper(z, Domain(0 < t, t <= half), Domain(0 < t, t < half), -1)
beyond = (
    Equal(stationary().subs(x, z), at_low_15.pointwise.lhs, label="h at (15)"),
    Always(at_low_15.pointwise, label="at (15) itself").by(InLetters(at_low_15, low_15, {p: p, z: z})),
)
claim(
    "br-mr-vy-kl0",
    Every(
        On(
            Domain(half <= p, p < x, x < 1, beta > 0, near_15),
            Always(stationary() > 0, label="p_ref ≥ ½: no fixed point above it up to (15)").by(
                Then((steeper(x, Domain(half <= t, t < 1), Domain(half < t, t < 1), 1),))
            ),
        ),
        On(
            Domain(0 < x, x < p, p < 1, beta > 0),
            Always(
                stationary() > 0,
                using=(log_increasing(x / (1 - x), p / (1 - p)),),
                label="no fixed point below p_ref",
            ),
        ),
        On(
            low_15.also(Eq(beta, root_beta.subs(x, z))),
            TakesValue(stationary(), x, p, z, label="z = (15) ≤ ½: a fixed point below it").by(
                IntermediateValue(False, Then(beyond))
            ),
        ),
    ),
    parameters,
    because=(
        Always(stationary().subs(x, p) > 0, label="V&Y's h at p_ref: positive"),
        On(Domain(0 < p, p < x, x < 1, beta > 0), Always(Equivalent(near_15, x <= root_15), label="x is at most (15)")),
        On(
            Domain(0 < p, p < x, x < 1),
            Equal(stationary().subs(beta, root_beta), reached, label="V&Y's direct-KL h at their (15)"),
        ),
        On(
            Domain(0 < p, p < z, z < 1),
            Equal(root_15.subs(beta, root_beta.subs(x, z)), z, label="z is (15) for this β"),
        ),
        Equal(beta * (root_15 - p), sqrt(root_15 * (1 - root_15)), label="and every (15) is such a z"),
        Always(And(p < root_15, root_15 < 1), label="(15) is between p_ref and 1"),
    ),
    kind="inequality",
    depends_on=["br-mr-vy-fixed-points", "vy-eq15", "vy-B2-h-limits"],
    locator="V&Y, (15); Mroueh, Sec 2",
    title="Fixed points of the direct KL against (15)",
    remark="Every direct-KL fixed point exceeds (15) if p_ref ≥ ½; the smallest one is below (15) if (15) ≤ ½. "
    "Mroueh's penalty is the "
    "direct KL; that of GRPO as implemented, differentiated at π_old = π_θ, is KL_0.",
)

rare = {p: Rational(1, 1000), beta: Integer(5)}
hundredth = Rational(1, 100)
claim(
    "br-mr-vy-amplify",
    Every(
        On(
            unit,
            Always(
                fixed_map > p,
                using=(exp_sign(-1 / (beta * sqrt(x * (1 - x)))),),
                label="direct KL: every fixed point exceeds p_ref",
            ),
        ),
        Always(root_15 > Max(p, 1 / (1 + beta**2)), label="KL_0: above p_ref, and above a bound without p_ref"),
    ),
    parameters,
    because=(
        On(
            bare,
            Tends(stationary(), p, 0, -oo, label="direct KL: any x is above a fixed point, if p_ref is small enough"),
        ),
        On(
            parameters,
            Exists(
                And(hundredth < 1 / (1 + beta**2), root_15 > hundredth),
                rare,
                label="p_ref = 0.001, β = 5: (15) and its bound 1/26 are above 0.01",
            ),
        ),
        On(
            Domain(),
            TakesValue(
                stationary().subs(rare),
                x,
                p.subs(rare),
                hundredth,
                label="where direct KL has a fixed point below 0.01",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["br-mr-vy-kl0", "mr-thm3-every-p", "vy-eq15-lower-bound"],
    locator="Mroueh, Theorem 3; V&Y, after (15)",
    title="Amplification by the direct KL and by KL_0",
)

claim(
    "br-mr-vy-large-beta",
    Every(
        On(
            Domain(0 < p, p < x, x < 1),
            Tends(
                stationary().subs(beta, 1 / t),
                t,
                0,
                log(p / (1 - p)) - log(x / (1 - x)),
                label="β → ∞: the sign of p_ref − x is left, so the smaller fixed point tends to p_ref",
            ),
        ),
        On(Domain(beta > 0), Tends(odds, beta, 0, 0, label="β → 0: p*(β) → 0, so none is left")),
        On(Domain(beta > 0), Tends(odds, beta, oo, oo, "-", label="β → ∞: p*(β) → 1, so there are two")),
    ),
    parameters,
    kind="limit",
    depends_on=["br-mr-vy-kl0", "br-mr-vy-count", "vy-s231-inf-beta-limits"],
    locator="V&Y, after (15), Sec 3; Mroueh, Sec 4",
    title="The direct KL's h, and the odds of p*(β), for strong and for weak regularisation",
    remark=(
        "So for β → ∞ the smaller fixed point tends to p_ref, below which there is none (br-mr-vy-amplify), and for "
        "small β there is none in (0, 1). (15) tends to p_ref and to 1 (vy-s231-inf-beta-limits)."
        " t is 1/β."
    ),
)
