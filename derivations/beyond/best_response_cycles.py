"""Exact best responses that never converge: cycles of period two, with certificates in rational numbers.

Statement.   KL_0, groups of two, b = 172/175, p = 23/215: the best response to 1/5 is 2/5 and that to 2/5 is 1/5, both
             global, with a multiplier of the cycle below 1/3, and a learner that starts at π_ref never comes near the
             stationary policy between them. There, for every β, as p → 0, the best response to any fixed policy tends
             to 0, and that to the reference does not. KL(π_ref‖π), large groups, β = 3913/1020, p = 89/3913: the cycle
             1/17 ↔ 1/5, and again no convergence from π_ref. For KL_0 and groups of two there is no cycle of period two
             where p ≥ 51/400, whatever β.
Source.      Question 3 of our own theory. For the direct KL with smoothing such a cycle is mr-fig5-divergent.
Domain.      0 < p < 1, β > 0; x is the new policy, y the one that sampled the groups.
Derivation.  Slope J_x(x; y) of the frozen objective → both equations of a cycle are linear in 1/β and p: exact rational
             solutions → global maximality by counting roots → intervals around the iterates from π_ref, sent around.
Caveats.     Infinitely many outputs for each update, and each update run to its end: small steps follow flows.py
             instead.
Letters.     p is the reference, x the new policy, y the one that sampled the groups, b is β/γ; of a cycle x ↔ y, u is
             the sum and v the product. In by-cycle-forward x is the one that sampled. z is the root to which the
             response to π_ref tends, and in lemmas t, u and v stand for what is put in.
"""

from sympy import symmetrize

from grpo_symbolic.paper import *

from .best_response import safe_reference

claim = Result(__file__).claim

half = Rational(1, 2)
free = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < p, p < 1, b > 0)
# -- KL_0, groups of two ----------------------------------------------------------------------------------------------
d = Derivation("by-cycle-kl0", free)
J = d.start(
    frozen_objective(Advantage(), 2, "k3").subs({success: y, success_ref: p, beta: b}), "groups of two drawn from y"
)
slope = d.differentiate(J, x, "y held fixed")
weight = y / x**2 + (1 - y) / (1 - x) ** 2
short = d.rewrite(slope, 1 - b * (x - p) * weight, "reward against penalty")
cleared = d.clear_denominators(short, x**2 * (1 - x) ** 2, x)
bend = diff(short, x)

exact = {b: Rational(172, 175), p: Rational(23, 215)}
low, high = Rational(1, 5), Rational(2, 5)
point = {**exact, x: low, y: high}
moves = -diff(short, y) / bend  # the rate of the best response
swapped = {x: y, y: x}


def factored(root, *cubic):
    """The slope at the case, over its root: ``(root − x)`` times a positive cubic."""
    return (root - x) * Poly(cubic, x).as_expr() / (875 * x**2 * (1 - x) ** 2)


def best(answer, groups, form):
    """At the case, ``answer`` is the only best response to ``groups``."""
    on = Domain(0 < x, x < 1)
    turns = SignOfDerivative(form)
    return On(
        on,
        OnlyMaximum(J.subs({**exact, y: groups}), x, answer, label=f"{answer} is the best response to {groups}").by(
            RiseAndFall(before=turns, after=turns)
        ),
    )


def answered(answer, groups, form):
    """The same, with the letters of the objective."""
    turns = SignOfDerivative(form)
    return On(
        Domain(0 < x, x < 1, Eq(p, exact[p]), Eq(y, groups), Eq(b, exact[b])),
        OnlyMaximum(J, x, answer, label=f"the best response to {groups} is {answer}").by(
            RiseAndFall(before=turns, after=turns)
        ),
    )


def moved(answer, groups, rate):
    """At the case, the rate at which the response moves with the groups' policy."""
    response = Answer(short.subs(exact), x, y)
    return On(
        Domain(),
        AnswerMoves(response, answer, rate, groups, label=f"the response to groups near {groups}").by(
            ImplicitFunction((0 < x, x < 1))
        ),
    )


at_low, at_high = factored(low, -875, 2435, -1168, 184), factored(high, -875, 2260, -407, 46)
claim(
    "by-cycle-kl0",
    Every(
        answered(low, high, at_low),
        answered(high, low, at_high),
    ),
    free,
    because=(
        best(low, high, at_low),
        best(high, low, at_high),
        moved(low, high, Rational(-20, 17)),
        moved(high, low, Rational(-63, 236)),
        On(
            free,
            Exists(
                And(
                    bend < 0,
                    (moves * moves.subs(swapped, simultaneous=True)) < Rational(1, 3),
                    (moves * moves.subs(swapped, simultaneous=True)) > 0,
                ),
                point,
                label="multiplier of the cycle, the product of the rates, between 0 and 1/3; concave at 1/5",
            ),
        ),
        On(
            free,
            Exists(
                And(Eq(short, 0), Eq(short.subs(swapped, simultaneous=True), 0)),
                point,
                label="each is stationary for the groups of the other",
            ),
        ),
        On(
            Domain(),
            Roots(cleared.subs(exact).subs(y, high), x, 1, label="the objective of 2/5 has one stationary point"),
        ),
        On(Domain(), Roots(cleared.subs(exact).subs(y, low), x, 1, label="and that of 1/5")),
        On(
            Domain(0 < y, y < 1, 0 < p, p < 1, b > 0),
            Every(
                Tends(short, x, 0, oo, "+", label="the objective rises from x = 0, where its slope is ∞"),
                Tends(short, x, 1, -oo, "-", label="and falls towards x = 1"),
            ),
        ),
        On(
            Domain(b > 0, 0 < p, p < 1),
            Exists(
                And(
                    pairs(b, p) > Rational(33, 100), pairs(b, p) < Rational(34, 100), 36 * b * p < (5 * b - 3) * (3 - b)
                ),
                exact,
                label="the stationary policy between them, and one of two conditions for repelling (by-br-kl0-pairs)",
            ),
        ),
    ),
    by=d,
    kind="stability",
    depends_on=["by-br-kl0-pairs"],
    locator="Question 3",
    title="KL_0, groups of two: a cycle of exact, global best responses between 1/5 and 2/5",
)

# From π_ref. On [p, 47/100] the frozen objectives are concave beyond p, so the response is unique, and it falls with y.
ceiling = Rational(47, 100)
box = Domain(exact[p] <= x, x < 1, exact[p] <= y, y <= ceiling)
stationary = Eq(short.subs(exact), 0)
curvature = together(-diff((x - p) * weight, x)).subs(exact)
concave = Always(curvature < 0, label="concave beyond p: one response")
at_case = Domain(0 < x, x < 1, Eq(p, exact[p]), Eq(b, exact[b]))
claim(
    "by-cycle-kl0-start",
    Every(
        On(
            at_case.also(p <= y, y <= low),
            Always(Implies(Eq(short, 0), And(high <= x, x <= ceiling)), label="from [p, 1/5] responses leap upwards"),
        ),
        On(
            at_case.also(high <= y, y <= ceiling),
            Always(Implies(Eq(short, 0), And(p <= x, x <= low)), label="from [2/5, 47/100] they fall back"),
        ),
    ),
    free,
    because=(
        On(
            Domain(0 < x, x < 1, exact[p] <= y, y <= low),
            Always(
                Implies(stationary, And(high <= x, x <= ceiling)), label="from [p, 1/5] responses leap to [2/5, 47/100]"
            ),
        ),
        On(
            Domain(0 < x, x < 1, high <= y, y <= ceiling),
            Always(Implies(stationary, And(exact[p] <= x, x <= low)), label="and from there they fall back"),
        ),
        On(
            Domain(exact[p] <= y, y <= ceiling),
            OneRoot(short.subs(exact), x, exact[p], 1, label="one response to each policy up to 47/100").by(
                StrictlyMonotone(
                    -1, limits=(None, -oo), shape=SignOfDerivative(exact[b] * curvature, sign=Then((concave,)))
                )
            ),
        ),
        On(
            Domain(exact[p] < x, x < half, 0 < y, y < 1),
            Always(diff(short, y).subs(exact) < 0, label="the slope falls with y, below ½"),
        ),
        On(
            free,
            Exists(
                And(Eq(short, 0), Eq(short.subs(swapped, simultaneous=True), 0), p < x),
                point,
                label="p < 1/5 and 1/5 ↦ 2/5 ↦ 1/5",
            ),
        ),
        On(Domain(0 < x, x < p, 0 < y, y < 1, 0 < p, p < 1, b > 0), Always(short > 0, label="no response below p")),
        On(box, concave),
        On(
            Domain(0 < x, x < 1, 0 < p, p < 1, b > 0),
            Exists(short.subs(y, p) < 0, {**exact, x: ceiling}, label="the response to π_ref is below 47/100"),
        ),
    ),
    kind="limit",
    depends_on=["by-cycle-kl0"],
    locator="Question 3",
    title="KL_0, groups of two: two disjoint intervals that best responses exchange, π_ref an end of one",
    remark=(
        "Every stationary point of the frozen objective lies in the other interval, so every best response does. The "
        "stationary policy is between the two intervals (by-cycle-kl0)."
    ),
)

# p → 0: near the reference the penalty's gradient on any other policy's groups grows without bound.
top = (1 - x) ** 2 - b * x
own = J.subs(y, p)


def spared(start, end):
    """The estimator k3 of one answer."""
    return start / end - 1 - log(start / end)


def lost(objective, against):
    """By how much an objective is lower at x than at another policy."""
    return objective.subs(x, against) - objective


# With groups of y: the reference beats every x that is p·e^{1 + 1/(by)} or more.
gain = Equal(
    lost(J, p),
    p - x + b * (y * spared(p, x) + (1 - y) * spared(1 - p, 1 - x)),
    label="what the reference gains on x in the objective of y",
)
beaten = p * exp(1 + 1 / (b * y))
never_far = Always(Implies(beaten <= x, J.subs(x, p) > J), label="what the reference beats").by(
    Then((gain,), using=(log_below_tangent((1 - p) / (1 - x)), log_increasing(exp(-1 - 1 / (b * y)), p / x)))
)

# With groups of the reference: z, the root, loses to x by (x − z)² at most, less what vanishes with p; u is by how much
# it gains, t the penalty of z on the rare answer, v a bound.
at_root = Domain(0 < x, x < 1, 0 < p, p < 1, 0 < z, z < 1, Eq(b, (1 - z) ** 2 / z))
ahead = lost(own, z)
rare = b * spared(p, z)
wide = p * (1 + 1 / z) + b * (p**2 / z + 2 * sqrt(p * z))
least = (x - z) ** 2 - (x - z) * (1 - z) * p * (1 + 1 / z - p / z) - (1 - x) * p * t
gains = Always((1 - x) * ahead >= least.subs(t, rare), label="what z gains on x").by(
    Then(
        (
            Equal(
                ahead,
                z
                - x
                - b * p * (spared(p, z) - spared(p, x))
                + b * (1 - p) * (spared(1 - p, 1 - x) - spared(1 - p, 1 - z)),
                label="reward and penalties",
            ),
            Equal(
                spared(1 - p, 1 - x) - spared(1 - p, 1 - z),
                (1 - p) / (1 - x) - (1 - p) / (1 - z) - log((1 - z) / (1 - x)),
                label="the penalty on the frequent answer",
            ),
        ),
        using=(log_below_tangent((1 - z) / (1 - x)), log_below_tangent(p / x)),
    )
)
narrow = Always(p * (1 + 1 / z) + p * rare <= wide, label="which tends to 0").by(
    Then(
        (
            Always(p * spared(p, z) <= p**2 / z + 2 * sqrt(p * z), label="the penalty on the rare answer").by(
                Then(
                    (
                        Equal(log(p / z), -2 * log(sqrt(z / p)), label="its logarithm"),
                        Equal(p * sqrt(z / p), sqrt(p * z), label="its root"),
                    ),
                    using=(log_below_tangent(sqrt(z / p)),),
                )
            ),
        )
    )
)
in_letters = Domain(0 < x, x < 1, 0 < z, z < 1, 0 < p, p < 1, t >= 0, u)
square = Always(
    Implies(And(u <= 0, (1 - x) * u >= least), (x - z) ** 2 <= p * (1 + 1 / z) + p * t), label="how far x is"
)
closed_in = in_letters.also(v >= 0, (1 - x) * u >= least, p * (1 + 1 / z) + p * t <= v)
root_of = Always(Implies((x - z) ** 2 <= v, And(z - sqrt(v) <= x, x <= z + sqrt(v))), label="by the root")


def side(bound):
    """That x lies on one side of a bound, before z and after it, if z gains nothing on it."""
    letters = Always(Implies(Eq(Max(u, 0), 0), bound)).by(
        Then((Always(Implies(u <= 0, (x - z) ** 2 <= v), label="squared").by(Then((square,))), root_of))
    )
    return InLetters(letters, closed_in, {u: ahead, t: rare, v: wide}, using=(log_below_tangent(p / z),))


def beside(bound):
    """The same of the objective: in each case, before z and after it."""
    shown = And(gains.conclusion.formula, narrow.conclusion.formula, evaluate=False)
    rule = side(bound)
    cases = tuple((And(shown, where, evaluate=False), rule) for where in (x <= z, x >= z))
    held = Implies(Eq(Max(ahead, 0), 0), bound.subs(v, wide))
    return Always(held, label="what is as good as z lies near it").by(InEachCase(cases, using=Then((gains, narrow))))


claim(
    "by-cycle-kl0-rare",
    Every(
        On(
            Domain(0 < y, y < 1, b > 0),
            SolutionTends(
                Max(lost(J, p), 0), x, 0, 1, p, 0, 0, label="groups of any fixed y: what is as good as the reference"
            ).by(SqueezedSolution(0, beaten, 1, using=Then((never_far,)))),
        ),
        On(Domain(b > 0), Roots(top, x, 1, label="one root of (1 − x)² = bx in (0, 1)")),
        On(
            Domain(0 < z, z < 1, Eq(b, (1 - z) ** 2 / z)),
            SolutionTends(
                Max(lost(own, z), 0), x, 0, 1, p, 0, z, label="groups of the reference: what is as good as this root"
            ).by(
                SqueezedSolution(
                    z - sqrt(wide),
                    z + sqrt(wide),
                    1,
                    using=Then((beside(z - sqrt(v) <= x), beside(x <= z + sqrt(v)))),
                )
            ),
        ),
    ),
    free,
    because=(
        On(Domain(0 < x, x < 1, 0 < p, p < x, 0 < y, y < 1, b > 0), never_far),
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1, b > 0),
            Tends(b * y * spared(p, x), p, 0, oo, label="one part of the gain of the reference grows without bound"),
        ),
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1, b > 0),
            Tends(
                p - x + b * (1 - y) * spared(1 - p, 1 - x),
                p,
                0,
                -x + b * (1 - y) * (x / (1 - x) + log(1 - x)),
                label="the other part has this limit",
            ),
        ),
        On(
            Domain(0 < x, x < 1, b > 0),
            Tends(
                short.subs(y, p),
                p,
                0,
                1 - b * x / (1 - x) ** 2,
                label="the slope in the objective whose groups the reference sampled, as p → 0",
            ),
        ),
        On(
            Domain(0 < x, x < 1, b > 0),
            Equal(
                1 - b * x / (1 - x) ** 2,
                top / (1 - x) ** 2,
                label="the limit of that slope is zero where (1 − x)² = bx",
            ),
        ),
        gain,
    ),
    kind="limit",
    depends_on=["by-cycle-kl0"],
    locator="Question 3",
    title="KL_0, groups of two: limits of the best responses at a vanishing reference",
    remark=(
        "A best response is at least as good as every other policy. Hence that to a fixed y tends to 0 with the "
        "reference, and that to the reference does not: it tends to z."
    ),
)

# -- KL_0, groups of two: where there is no cycle ----------------------------------------------------------------------
# Of a cycle x ↔ y, with w the weight: (x − p)w(x, y) = (y − p)w(y, x) = 1/b. The difference over y − x, cleared of
# the denominators.
polynomial = y * (1 - x) ** 2 + (1 - y) * x**2  # w times x²(1 − x)²
mirrored = polynomial.subs({x: y, y: x}, simultaneous=True)
difference = cancel(((y - p) * mirrored * x**2 * (1 - x) ** 2 - (x - p) * polynomial * y**2 * (1 - y) ** 2) / (y - x))
in_sums, _, names = symmetrize(expand(difference), [x, y], formal=True)
in_sums = expand(in_sums.subs(dict(zip((symbol for symbol, _ in names), (u, v), strict=True))))  # u = x + y, v = xy
apart = Domain(0 < p, p < x, x < y, y < 1)
sums = Domain(u > 0, v > 0, u < 2, 4 * v < u**2, 1 - u + v > 0)  # of two different numbers in (0, 1)
from_here = Rational(51, 400)
common = Domain(from_here <= p, p < x, x < y, y < 1)
lowest = InLetters(Always(in_sums.subs(p, from_here) > 0), sums, {u: x + y, v: x * y})
penalty_slope = (x - p) * weight
highest = InLetters(Always(difference.subs(p, x) > 0), Domain(from_here <= x, x < y, y < 1), {x: x, y: y})
between_ends = PositiveBetween(difference.subs(p, t), t, p, from_here, x, lowest, highest)
larger = Always(
    b * penalty_slope < b * penalty_slope.subs({x: y, y: x}, simultaneous=True),
    label="so of the two gradients of a cycle one is larger, and they are not both 1",
).by(PositiveFactors(b * (y - x) / (x * y * (1 - x) * (1 - y)) ** 2, difference, of_other=between_ends))
claim(
    "by-br-kl0-no-cycle",
    On(
        Domain(from_here <= p, p < 1, 0 < x, x < y, y < 1, b > 0),
        Always(
            Implies(Eq(short, 0, evaluate=False), short.subs({x: y, y: x}, simultaneous=True) < 0),
            label="where x answers to y, the objective of x falls at y: y is no answer to x",
        ).by(
            InEachCase(
                (
                    (p < x, Then((larger,))),
                    (Eq(p, x), Then((Always(weight > 0),))),
                    (p > x, Then((Always(weight > 0),))),
                )
            )
        ),
    ),
    apart,
    because=(
        On(
            apart,
            Equal(
                penalty_slope.subs({x: y, y: x}, simultaneous=True) - penalty_slope,
                (y - x) * difference / (x * y * (1 - x) * (1 - y)) ** 2,
                label="what the two gradients of a cycle differ by",
            ),
        ),
        On(apart, Equal(difference, in_sums.subs({u: x + y, v: x * y}), label="symmetric in x and y")),
    ),
    kind="stability",
    depends_on=["by-br-kl0-multiplier"],
    locator="Question 3",
    title="KL_0, groups of two and three: absence of cycles of period two",
    remark=(
        "Of x < y, x is stationary in the objective whose groups y sampled, and y then not in that of x. Critical "
        "points of the frozen objectives are excluded, not only maxima. The reference above which every fixed point "
        "attracts is (3 − √5)/6 = 0.1273… (by-br-kl0-pairs-safe); by-br-kl0-cycles-open asks whether it is also the "
        "one above which there are no cycles. Convergence from every start is argued, partly in words, from ½ on "
        "(by-br-kl0-global); in between it is open."
    ),
)

claim(
    "by-br-kl0-cycles-open",
    Always(
        factor(difference.subs(p, 0)) > safe_reference * factor(-diff(difference, p)),
        label="at this reference the two gradients differ",
    ),
    Domain(safe_reference < x, x < y, y < 1),
    because=On(
        apart,
        Equal(
            factor(difference.subs(p, 0)) - p * factor(-diff(difference, p)),
            difference,
            label="what the two gradients of a cycle differ by, up to a positive factor, is linear in the reference",
        ),
    ),
    kind="stability",
    expect="supported",
    depends_on=["by-br-kl0-no-cycle"],
    locator="Question 3",
    title="Open: KL_0, groups of two and three: cycles of period two at the reference (3 − √5)/6",
    remark="Sampled only. This one reference would settle all larger ones, as in by-br-kl0-no-cycle. "
    "Tried: Z3 and cvc5 with 40 seconds, "
    "in x and y and in their sum and product; the difference touches zero at a point with x = y, so "
    "ball arithmetic does not decide. "
    "At 51/400 = 0.1275 it is decided.",
)

# -- KL(π_ref‖π), large groups ----------------------------------------------------------------------------------------
response = best_response(Advantage(), oo, "forward-kl").subs({success: x, success_ref: p})
case = {beta: Rational(3913, 1020), p: Rational(89, 3913)}
deep, shallow = Rational(1, 17), Rational(1, 5)
parameters = Domain(0 < p, p < 1, beta > 0)
run = Iteration(response.subs(case), x, case[p])
tick = Rational(1, 10**4)
entering = tuple(
    (low_end * tick, high_end * tick)
    for low_end, high_end in ((227, 228), (4550, 4580), (453, 456), (2670, 2700), (512, 517), (2330, 2365))
)
around = ((540 * tick, 620 * tick), (1870 * tick, 2220 * tick))
claim(
    "by-cycle-forward",
    Every(
        On(
            parameters,
            Exists(
                And(Eq(response.subs(x, deep), shallow), Eq(response.subs(x, shallow), deep)),
                case,
                label="1/17 ↦ 1/5 ↦ 1/17",
            ),
        ),
        On(
            Domain(),
            EndsInCycle(run, around, entering, label="from π_ref to this cycle").by(
                SentAround((Rational(243, 50), Rational(24, 125)))
            ),
        ),
    ),
    parameters,
    because=(
        On(
            parameters.also(0 < x, x < 1),
            Equal(
                beta * (response - p) / (response * (1 - response)),
                advantage_gap(oo, x),
                label="the response, by stationarity",
            ),
        ),
        On(
            Domain(),
            TakesValue(
                run.map - x,
                x,
                Rational(1, 10),
                Rational(11, 100),
                label="a stationary policy is strictly between 1/17 and 1/5",
            ),
        ),
    ),
    kind="limit",
    depends_on=["by-br-kl-multipliers"],
    locator="Question 3",
    title="KL(π_ref‖π), large groups: the run from π_ref into a cycle of period two",
    remark=(
        "5/2 and 17/4 are 1/√(x(1 − x)) at x = 1/5 and at x = 1/17: each answers the other. Both lie in "
        "the intervals, so they are the cycle that the run tends to."
    ),
)
