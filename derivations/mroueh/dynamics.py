"""The iteration from p_0 = p_ref: when it converges, to what, and when it does not.

Statement.   If h(½) ≥ ½, in particular if p_ref ≥ ½, p_n is monotone from n = 1 on and converges; for p_ref ≥ ½ it
             increases to the smallest fixed point. If h(p_ref) ≤ ½, p_0, p_2, … increase, p_1, p_3, … decrease, and the
             limits are a fixed point or a cycle of period two. For p_ref = 0.001, β = 5, ε = 10⁻⁵ they are a cycle: the
             iteration does not converge. β as a function of the fixed point falls where h' < 1 and rises where h' > 1.
Source.      Mroueh (2025), Section 4, Figure 5; abstract; Section 6.
Domain.      0 ≤ p ≤ 1, 0 < p_ref < 1, β, ε > 0.
Derivation.  h falls on [0, ½], rises on [½, 1], exceeds p_ref → order of the iterates by induction. Fixed-point
             equation solved for β → its derivative. Numbers by exact changes of sign at rational points.
Caveats.     Between the two cases, for h(½) < ½ < h(p_ref), nothing is claimed here; every_start.py says from which
             p_ref on all starts converge. Which β Figure 5 shows is not said in the text.
Letters.     h is the map of the success p, p* a fixed point of it. x and y are starts. Along the curve of fixed points
             t is h'(p*), v is √(p*(1 − p*) + ε), x is p*(1 − p*), and y the gain in log-odds. In
             mr-dyn-cycle-basin z is the fixed point above ½ that repels. Where p is a fixed point, q is any success.
             B is the bound on β of Lemma 1.
"""

from grpo_symbolic.paper import *

from .prop1_map import minimum
from .thm2_recursion import h
from .thm4_local_convergence import bound, fixing, inside, m, map_of_q, multiplier, root

claim = Result(__file__).claim

half = Rational(1, 2)
parameters = Domain(0 < success_ref, success_ref < 1, beta > 0, guard > 0)
unit = parameters.also(0 < success, success < 1)
closed = parameters.also(0 <= success, success <= 1)
exponent = -1 / (beta * root)
amplifies = On(closed, Always(h > success_ref, using=(exp_sign(exponent),), label="h(p) > p_ref for every p"))
slope = diff(h, success)
MONOTONE_SEQUENCE = "a bounded monotone sequence converges, and by continuity of h to a fixed point"
rises = On(closed.also(success > half), Always(slope > 0, label="h increases on [½, 1]"))
falls = On(closed.also(success < half), Always(slope < 0, label="h decreases on [0, ½]"))
at_half = h.subs(success, half)  # the least value, since h falls before ½ and rises after it

# -- p_ref ≥ ½: monotone ----------------------------------------------------------------------------------------------
recursion = Iteration(h, success, success_ref)  # p_0 = p_ref
from_above_half = On(
    parameters.also(success_ref >= half),
    RisesToLeastFixedPoint(recursion, success_ref, 1, label="from p_0 = p_ref").by(
        MonotoneMap(using=(exp_sign(exponent.subs(success, success_ref)),))
    ),
)
claim(
    "mr-dyn-monotone",
    from_above_half,
    parameters,
    because=(
        amplifies,
        rises,
        On(closed, Always(h < 1, label="the iterates are below 1")),
        On(closed.also(success_ref >= half), Always(h > half, using=(exp_sign(exponent),), label="and stay in [½, 1]")),
    ),
    kind="limit",
    depends_on=["mr-prop1-existence", "mr-limit-is-fixed"],
    locator="Sec 4, before Remark 2",
    title="The run from a reference at or above ½",
    remark="Whatever β and ε are.",
)

# -- h(½) ≥ ½: monotone after one step --------------------------------------------------------------------------------
gain = 1 / (beta * sqrt(Rational(1, 4) + guard))
missed = (1 - success_ref) * exp(-gain)
claim(
    "mr-dyn-above-half",
    Every(
        On(
            closed.also(at_half >= half),
            Always(h >= half, label="if h(½) ≥ ½, every step ends in [½, 1]").by(
                Follows((minimum,), ("smallest at ½, and nowhere else",))
            ),
        ),
        On(
            parameters.also(at_half >= half, half <= x, x <= 1),
            ConvergesMonotonically(Iteration(h, success, x), half, 1, label="from there"),
        ),
    ),
    parameters,
    because=(
        falls,
        rises,
        Always(
            And(Implies(missed > success_ref, at_half < half), Implies(missed < success_ref, at_half > half)),
            using=(exp_sign(-gain),),
            label="h(½) against ½, by (1 − p_ref) e^(−1/(β√(¼ + ε))) against p_ref",
        ),
        On(
            parameters,
            Equal(
                log(at_half / (1 - at_half)), log(success_ref / (1 - success_ref)) + gain, label="the log-odds of h(½)"
            ),
        ),
        On(
            parameters.also(success_ref >= half),
            Always(at_half > half, using=(exp_sign(-gain),), label="h(½) > ½ where p_ref ≥ ½"),
        ),
    ),
    kind="limit",
    depends_on=["mr-prop1-minimum", "mr-limit-is-fixed"],
    locator="Sec 4, before Remark 2",
    title="Monotone runs: the lowest value of h at or above ½",
    remark=(
        "For p_ref < ½ the condition h(½) ≥ ½ is β ≤ 1/(√(¼ + ε) log((1 − p_ref)/p_ref)). "
        "All iterates after p_0 are at least h(½)."
    ),
)

# -- h(p_ref) ≤ ½: a fixed point or a cycle of two --------------------------------------------------------------------
low = closed.also(success <= half)
first_step = h.subs(success, success_ref)
claim(
    "mr-dyn-two-limits",
    On(
        parameters.also(first_step <= half),
        TwoLimits(recursion, success_ref, first_step, label="even and odd iterates").by(
            MonotoneMap(
                using=(exp_sign(exponent.subs(success, first_step)), exp_sign(exponent.subs(success, success_ref)))
            )
        ),
    ),
    parameters,
    because=(
        amplifies,
        falls,
        On(low, Always(slope - 1 < 0, label="h(p) − p falls strictly on [0, ½]: at most one fixed point there")),
        On(
            parameters,
            Always(
                first_step > success_ref,
                using=(exp_sign(exponent.subs(success, success_ref)),),
                label="p_1 > p_0",
            ),
        ),
    ),
    kind="limit",
    depends_on=["mr-thm3-every-p", "mr-limit-is-fixed"],
    locator="Sec 4, before Remark 2",
    title="Even and odd iterates after a first step to ½ or below",
    remark="If the limits agree they are a fixed point, else a cycle of period two.",
)

# -- β as a function of the fixed point -------------------------------------------------------------------------------
lead = log(success / (1 - success)) - log(success_ref / (1 - success_ref))
curve = 1 / (lead * root)
beyond = Domain(0 < success_ref, success_ref < success, success < 1, guard > 0)
larger_odds = (log_increasing(success_ref / (1 - success_ref), success / (1 - success)),)
free_multiplier = m * (2 * success - 1) * lead / (2 * (m + guard))
claim(
    "mr-dyn-beta-curve",
    On(
        beyond.also(beta > 0),
        Every(
            Equal(
                log(h / (1 - h)),
                log(success_ref / (1 - success_ref)) + 1 / (beta * root),
                label="the log-odds that a step leads to",
            ),
            Always(
                Equivalent(
                    Eq(log(success / (1 - success)), log(success_ref / (1 - success_ref)) + 1 / (beta * root)),
                    Eq(beta, curve),
                ),
                using=larger_odds,
                label="they are those of p for one β, and for no other",
            ),
        ),
    ),
    beyond,
    because=(
        Equal(h.subs(beta, curve), success, label="p is a fixed point for this β"),
        On(unit, Monotone(h, beta, -1, label="and for no other, since h falls with β")),
        Always(lead > 0, using=larger_odds, label="the log-odds gained are positive"),
        Equal(multiplier.subs(beta, curve), free_multiplier, label="h'(p*) without β"),
        Equal(diff(lead * root, success), (1 - free_multiplier) * root / m, label="the slope of 1/β along the curve"),
    ),
    depends_on=["mr-lem1"],
    locator="Sec 4; Figures 2 and 5",
    title="β as a function of the fixed point",
    remark="The fixed points for a given β are where the curve has this height.",
)

# t is h'(p*), v is √(p*(1 − p*) + ε), x is p*(1 − p*), y is the gain in log-odds.
turning = (1 - t) * v / x
of_curve = Domain(t, v > 0, x > 0, y > 0)
claim(
    "mr-dyn-fold",
    On(
        beyond.also(Eq(beta, curve)),
        Equal(
            Derivative(lead * root, success),
            (1 - Derivative(h, success)) * root / m,
            label="the slope of 1/β along the curve of fixed points, by h'",
        ),
    ),
    beyond,
    because=(
        Equal(
            Derivative(lead * root, success),
            (2 * (m + guard) - m * (2 * success - 1) * lead) / (2 * m * root),
            label="the slope of 1/β along the curve of fixed points, written out",
        ),
        Equal(
            turning.subs({t: free_multiplier, v: root, x: m}),
            diff(lead * root, success),
            label="the slope of 1/β, with 1 − h' as a factor",
        ),
        On(
            Domain(0 < success, success < 1, guard > 0, y > 0),
            Always(
                Equivalent(
                    m * (2 * success - 1) * y / (2 * (m + guard)) > 1, m * (2 * success - 1) * y > 2 * (m + guard)
                ),
                label="h' > 1, y the gain in log-odds, without the quotient",
            ),
        ),
        On(
            of_curve,
            Always(
                And(Equivalent(turning > 0, t < 1), Equivalent(turning < 0, t > 1)),
                label="β falls along the curve exactly where t = h'(p*) < 1, and rises exactly where t > 1",
            ),
        ),
        On(
            Domain(0 < success, success <= half, guard > 0, y > 0),
            Always(m * (2 * success - 1) * y / (2 * (m + guard)) <= 0, label="h' ≤ 0, so that β falls, for p* ≤ ½"),
        ),
    ),
    kind="stability",
    depends_on=["mr-dyn-beta-curve"],
    locator="Sec 4; Figures 2 and 5",
    title="The turns of β along the curve of fixed points",
    remark=(
        "Two fixed points meet and vanish where h' − 1 changes its sign along the curve. Where β rises along it h' > "
        "1, and B(p*) > β (mr-lem1-bound), so that the fixed point repels (mr-fig4); where it falls the fixed point "
        "attracts if h' > −1 as well (mr-thm4). β is held fixed in h', and is that of the curve afterwards."
    ),
)

small_start = {success_ref: Rational(1, 1000), guard: Rational(1, 10**5)}
flip = m * (1 - 2 * success) * lead - 2 * (m + guard)
millionth = Rational(1, 10**6)
starts = Domain(0 < success_ref, success_ref < half, guard > 0)


def shifts_between(low_end, high_end, at):
    """β along the curve there, to three digits."""
    slack = Rational(1, 1000)
    heights = [curve.subs(success, end * millionth) for end in (low_end, high_end)]
    return And(*(height > at - slack for height in heights), *(height < at + slack for height in heights))


claim(
    "mr-dyn-flip",
    Every(
        On(
            beyond.also(success >= half),
            Always(free_multiplier >= 0, using=larger_odds, label="never for p* ≥ ½: h' is not negative there"),
        ),
        On(
            Domain(),
            TakesValue(
                flip.subs(small_start),
                success,
                7590 * millionth,
                7591 * millionth,
                label="p_ref = 0.001, ε = 10⁻⁵: h' passes −1 downwards",
            ),
        ),
        On(
            starts,
            Exists(shifts_between(7590, 7591, Rational(5662, 1000)), small_start, label="downwards at β ≈ 5.662"),
        ),
        On(
            Domain(),
            TakesValue(
                flip.subs(small_start), success, 339802 * millionth, 339803 * millionth, label="and upwards again"
            ),
        ),
        On(
            starts,
            Exists(shifts_between(339802, 339803, Rational(338, 1000)), small_start, label="upwards at β ≈ 0.338"),
        ),
    ),
    beyond,
    because=(
        On(
            Domain(0 < success, success < 1, guard > 0, y > 0),
            Always(
                Equivalent(
                    m * (2 * success - 1) * y / (2 * (m + guard)) < -1, m * (1 - 2 * success) * y > 2 * (m + guard)
                ),
                label="h'(p*) < −1",
            ),
        ),
        *(
            On(
                Domain(first * millionth <= success, success <= last * millionth),
                Always(flip.subs(small_start) * sign > 0, label=f"h' {way} −1 from p* = {first}·10⁻⁶ to {last}·10⁻⁶"),
            )
            for first, last, sign, way in (
                (1001, 7590, -1, "above"),
                (7591, 339802, 1, "below"),
                (339803, 500000, -1, "above"),
            )
        ),
        On(
            beyond.also(success <= half),
            Always(
                free_multiplier <= 0,
                using=larger_odds,
                label="h' ≤ 0 up to ½, so β falls along the curve there",
            ),
        ),
    ),
    kind="stability",
    depends_on=["mr-dyn-beta-curve"],
    locator="Sec 4, Figure 5",
    title="The turns of h' through −1 at fixed points below ½",
    short=("p_ref = 0.001, ε = 10⁻⁵: h' passes −1 downwards", "and upwards again"),
    remark=(
        "For p_ref = 0.001 and ε = 10⁻⁵ the fixed point below ½ repels for β from 0.339 to 5.661, also at β = 5. "
        "Where the cycle of the run begins and ends: mr-dyn-cycle-onset, mr-dyn-cycle-doubles, mr-dyn-run-escapes."
    ),
)

# Where β turns, lead = 2(1 + ε/m)/(2p − 1); their difference has itself one turn above ½, where (2p − 1)²(1 + 12ε) = 1
# + 4ε.
excess = lead - 2 * (m + guard) / (m * (2 * success - 1))
height = lead * root - 1 / beta  # zero at the fixed points
turned = (2 * success - 1) ** 2 * (1 + 12 * guard) - (1 + 4 * guard)  # of the sign in which the excess falls
odds_lost = (1 - success) * success_ref / (success * (1 - success_ref))  # e^(−1/(β√(p(1 − p) + ε))) at a fixed point
one_turn = Among(turned, half, 1, Rolle(Nowhere(), 4 * (2 * success - 1) * (1 + 12 * guard)))
two_turns = Rolle(one_turn, -turned / (4 * m**2 * (2 * success - 1) ** 2))
claim(
    "mr-dyn-at-most-three",
    On(
        closed,
        AtMost(h - success, success, 0, 1, label="fixed points", most=3).by(
            Among(
                height,
                success_ref,
                1,
                Rolle(
                    Among(
                        (1 - free_multiplier) * root / m,
                        half,
                        1,
                        Among(excess, half, 1, two_turns),
                        larger_odds,
                    ),
                    (1 - free_multiplier) * root / m,
                ),
                Then(
                    (Equal(log(odds_lost), -lead, label="the log-odds lost"),),
                    using=(
                        exp_increasing(exponent, log(odds_lost)),
                        exp_increasing(log(odds_lost), exponent),
                        exp_sign(exponent),
                    ),
                ),
            )
        ),
    ),
    parameters,
    because=(On(closed, Always(And(h > 0, h < 1), label="neither 0 nor 1 is a fixed point")),),
    kind="uniqueness",
    depends_on=["mr-dyn-beta-curve"],
    locator="Sec 3, Proposition 1; Figure 2",
    title="The number of fixed points of the recursion",
    remark="Three do occur: mr-prop1-nonunique.",
)

# -- β = 5, p_ref = 0.001: a cycle ------------------------------------------------------------------------------------
figure = {success_ref: Rational(1, 1000), beta: Integer(5), guard: Rational(1, 10**5)}
once, slope_once = h.subs(figure), slope.subs(figure)
twice = once.subs(success, once)
slope_twice = slope_once * slope_once.subs(success, once)
low_point, high_point = (2338 * millionth, 2339 * millionth), (586 * 100 * millionth, 588 * 100 * millionth)
repelling = (8622 * millionth, 8623 * millionth)


square = h.subs(success, h)
apart = Rational(24, 10**4)
escapes = Exists(
    And(
        h.subs(success, success_ref) < half,
        h.subs(success, apart) > apart,
        square.subs(success, apart) < apart,
        apart > success_ref,
    ),
    figure,
    label="h(p_0) < ½, and h(h(c)) < c < h(c) for c = 0.0024",
)
in_turn = (
    On(
        Domain(),
        ConvergesMonotonically(
            Iteration(twice, success, Rational(1, 1000)), Rational(1, 1000), apart, label="even iterates"
        ),
    ),
    On(
        Domain(),
        ConvergesMonotonically(
            Iteration(twice, success, once.subs(success, Rational(1, 1000))),
            Rational(1, 20),
            Rational(2, 5),
            label="odd iterates",
        ),
    ),
)
claim(
    "mr-fig5-divergent",
    Every(*in_turn),
    parameters,
    because=(
        amplifies,
        falls,
        escapes,
        On(
            Domain(),
            TakesValue(twice - success, success, *low_point, label="a point of period two in (0.002338, 0.002339)"),
        ),
        On(
            Domain(),
            TakesValue(twice - success, success, *high_point, label="another point of period two in (0.0586, 0.0588)"),
        ),
        Exists(
            And(h.subs(success, low_point[0]) < high_point[1], h.subs(success, low_point[1]) > high_point[0]),
            figure,
            label="h maps the first interval into the second",
        ),
        Exists(
            And(h.subs(success, low_point[1]) > low_point[1], h.subs(success, high_point[0]) < high_point[0]),
            figure,
            label="there are no fixed points in them",
        ),
    ),
    kind="limit",
    depends_on=["mr-dyn-two-limits"],
    locator="Sec 4, Figure 5",
    title="The run of Figure 5 that the paper calls divergent",
    printed=r"\text{For }\beta=5\text{ and }p_{\mathrm{ref}}=0.001\text{, we see a divergent behavior.}",
    remark=(
        "“Divergent” is read as “not convergent”; the iterates stay bounded and approach 0.00234 and 0.0587 in turn, "
        "both above p_ref (mr-dyn-cycle-attracts)."
    ),
)

claim(
    "mr-dyn-cycle-attracts",
    Every(
        On(
            Domain(low_point[0] <= y, y <= low_point[1]),
            ConvergesToFixedPoint(
                Iteration(twice, success, y), *low_point, label="every second step, from near the lower point"
            ).by(Contraction(Rational(99, 100))),
        ),
        On(
            Domain(),
            RisesToLeastFixedPoint(
                Iteration(twice, success, Rational(1, 1000)), Rational(1, 1000), low_point[1], label="and from p_ref"
            ),
        ),
    ),
    parameters,
    because=(
        On(
            Domain(low_point[0] <= success, success <= low_point[1]),
            Always(And(slope_twice > 0, slope_twice < 1), label="0 < (h∘h)' < 1"),
        ),
        On(
            Domain(Rational(1, 1000) <= success, success <= low_point[0]),
            Always(twice > success, label="h∘h lifts every p from p_ref to 0.002338"),
        ),
        On(
            Domain(),
            TakesValue(
                once - success,
                success,
                *repelling,
                label="a fixed point of h between the points of the cycle, 0.00862…",
            ),
        ),
        On(Domain(repelling[0] <= success, success <= repelling[1]), Always(slope_once < -1, label="where h' < −1")),
        On(
            inside.also(Eq(success_ref, fixing), beta < bound),
            Repels(map_of_q, q, success, label="so that |h'| > 1 and β < B: such a fixed point repels").by(
                Multiplier(slope=multiplier)
            ),
        ),
    ),
    kind="stability",
    depends_on=["mr-fig5-divergent", "mr-lem1-bound", "mr-fig4"],
    locator="Sec 4, Figure 5",
    title="The two-cycle of Figure 5, and the fixed point between its points",
)

# Of [0, 1]: z is the fixed point above ½ that repels; starts beyond it or before 1 − z go to the one near 1.
edge = (Integer(1) - 152392 * Rational(1, 10**9), Integer(1) - 152391 * Rational(1, 10**9))
deep = 1 - Rational(1, 10**20)
valley = h.subs(figure).subs(success, half)
gap, under = twice - success, Rational(2, 5)


def from_each(low, high, where):
    """From every start between two numbers the members with even numbers tend to a point of period one or two."""
    return On(
        Domain(low <= y, y <= high),
        ConvergesMonotonically(Iteration(twice, success, y), low, high, label=f"every second member, from {where}"),
    )


def only_one(low, near, high, which):
    """There is one such point at most: h∘h lifts what is below it, lowers what is above, and contracts between."""
    sides = (
        (success <= near[0], Then((Always(gap > 0, label="h∘h lifts"),))),
        (success >= near[1], Then((Always(gap < 0, label="h∘h lowers"),))),
        (And(near[0] < success, success < near[1]), ()),
    )
    zeros = Among(gap, *near, Rolle(Nowhere(), slope_twice - 1), InEachCase(sides))
    return On(
        Domain(), AtMost(gap, success, low, high, label=f"points of period one or two: {which}", most=1).by(zeros)
    )


claim(
    "mr-dyn-cycle-basin",
    Every(
        from_each(Rational(1, 1000), repelling[0], "0.001 to 0.008622"),
        only_one(Rational(1, 1000), low_point, repelling[0], "the lower point of the cycle"),
        from_each(repelling[1], under, "0.008623 to 0.4"),
        only_one(repelling[1], high_point, under, "the upper point"),
        On(
            Domain(under <= success, success <= half),
            Always(
                And(Rational(1, 1000) <= once, once <= repelling[0]),
                label="one step leads from [0.4, ½] into [0.001, 0.008622]",
            ),
        ),
        On(closed, Equal(h, h.subs(success, 1 - success), label="and 1 − p goes where p goes")),
    ),
    parameters,
    because=(
        Exists(
            And((h - success).subs(success, edge[0]) < 0, (h - success).subs(success, edge[1]) > 0),
            figure,
            label="a fixed point z in (1 − 1.52392·10⁻⁴, 1 − 1.52391·10⁻⁴)",
        ),
        On(
            Domain(half <= success, success <= edge[0]),
            Always(once < success, label="between ½ and z every step goes down"),
        ),
        On(
            Domain(),
            Always(
                And(
                    Gt(valley, 1 - edge[0], evaluate=False),
                    Lt(once.subs(success, valley), half, evaluate=False),
                    evaluate=False,
                ),
                label="h(½) is above 1 − z, and a step from h(½) ends below ½",
            ),
        ),
        On(
            Domain(Rational(1, 1000) <= success, success <= low_point[0]),
            Always(twice > success, label="below ½: two steps lift what is below the cycle"),
        ),
        On(
            Domain(low_point[0] <= success, success <= low_point[1]),
            Always(And(slope_twice > 0, slope_twice < 1), label="two steps contract at the lower point of the cycle"),
        ),
        On(
            Domain(low_point[1] <= success, success <= repelling[0]),
            Always(twice < success, label="two steps lower what is between the lower point and the fixed point"),
        ),
        On(
            Domain(repelling[0] <= success, success <= repelling[1]),
            Always(slope_twice > 1, label="two steps expand at the fixed point"),
        ),
        On(
            Domain(repelling[1] <= success, success <= high_point[0]),
            Always(twice > success, label="two steps lift what is between the fixed point and the upper point"),
        ),
        On(
            Domain(high_point[0] <= success, success <= high_point[1]),
            Always(And(slope_twice > 0, slope_twice < 1), label="two steps contract at the upper point of the cycle"),
        ),
        On(
            Domain(high_point[1] <= success, success <= half),
            Always(twice < success, label="two steps lower what is above the upper point"),
        ),
        On(Domain(edge[0] <= success, success <= edge[1]), Always(slope_once > 1, label="z repels")),
        On(Domain(edge[1] <= success, success <= deep), Always(once > success, label="beyond z every step goes up")),
        On(
            Domain(deep <= success, success <= 1),
            Always(
                And(slope_once < Rational(1, 2), slope_once > -Rational(1, 2)),
                label="beyond 1 − 10⁻²⁰ the slope of h is below ½ in size",
            ),
        ),
    ),
    kind="stability",
    depends_on=["mr-dyn-cycle-attracts"],
    locator="Sec 4, Figure 5",
    title="The basin of the two-cycle of Figure 5",
    short=("every second member, from 0.001 to 0.008622", "every second member, from 0.008623 to 0.4"),
    remark=(
        "The cycle is that of mr-dyn-cycle-attracts; between 0.008622 and 0.008623 is the fixed point that "
        "repels. So every start from 0.001 to 0.999 outside of this gap and of its mirror image ends in the cycle. Of "
        "the starts nearer to 0 and 1 the parts under because speak."
    ),
)

# -- what the paper says of convergence -------------------------------------------------------------------------------
AGAINST = (
    "p_ref = 0.001, β = 5, ε = 10⁻⁵ ends in a cycle. As a formula: h(p_ref) is below ½ there, so convergence "
    "forbids any p ≥ p_ref with h(h(p)) ≤ p < h(p)."
)
no_trap = Always(Or(once <= success, twice > success), label="no p with h(h(p)) ≤ p < h(p)")
near_start = Domain(Rational(1, 1000) <= success, success <= Rational(1, 100))
from_h = Iteration(h, success, first_step)  # p_1, p_2, …
from_first_step = On(
    parameters.also(at_half >= half),
    ConvergesMonotonically(from_h, half, 1, label="if h(½) ≥ ½, from p_1 = h(p_ref) on").by(
        MonotoneMap(using=Follows((at(minimum, {success: success_ref}),), ("smallest at ½, and nowhere else",)))
    ),
)
at_least_half = On(
    parameters.also(success_ref >= half),
    Always(at_half > half, using=(exp_sign(-gain),), label="h(½) > ½ where p_ref ≥ ½"),
)
converges = Every(from_first_step, at_least_half)
claim(
    "mr-abs-converges",
    from_first_step,
    parameters,
    because=at_least_half,
    kind="limit",
    depends_on=["mr-dyn-monotone", "mr-dyn-above-half", "mr-prop1-minimum"],
    locator="Abstract",
    title="Convergence of the run to a fixed point, by the lowest value of h",
    printed=(
        r"\text{the probability of success of the policy satisfies a recurrence that converges to a fixed point of a "
        r"function that depends on the initial probability of success }p_0\text{ and the regularization parameter "
        r"}\beta\text{ of the KL regularizer}"
    ),
    judged=needs_hypothesis("It need not converge for small p_ref. " + AGAINST, no_trap, near_start),
    remark="The function depends on ε too. From p_ref ≈ 0.01004 on it converges whatever β and ε: mr-dyn-every-start.",
)

claim(
    "mr-concl-mild",
    Every(
        from_above_half,
        On(
            Domain(),
            TakesValue(
                once - success,
                success,
                1 - Rational(1, 10**10),
                1,
                label="p_ref = 0.001, β = 5: a fixed point above 1 − 10⁻¹⁰",
            ),
        ),
        On(
            Domain(1 - Rational(1, 10**10) <= success, success <= 1),
            Always(And(slope_once > 0, slope_once < 1), label="with |h'| < 1, as Theorem 4 assumes"),
        ),
        *in_turn,
    ),
    parameters,
    because=(
        *converges.statements,
        escapes,
    ),
    kind="limit",
    depends_on=["mr-abs-converges", "mr-thm4-otherwords", "mr-fig5-divergent", "mr-prop1-minimum"],
    locator="Sec 6; Introduction, contribution (3)",
    title="Mild assumptions for convergence",
    short=("from p_0 = p_ref", "even iterates"),
    printed=r"\text{GRPO's probability of success converging to a fixed-point solution under mild assumptions}",
    judged=imprecise(
        "Which assumptions? Those of Theorem 4 without a start near p* do not suffice, even where some p* meets them. "
        + AGAINST,
        no_trap,
        near_start,
    ),
)

even_start = {success_ref: half, guard: Rational(1, 10**5)}
jump = {**even_start, beta: Rational(7, 5)}
top = 1 - Rational(1, 10**30)
claim(
    "mr-fig5-transition",
    Every(
        On(
            Domain(),
            RisesToLeastFixedPoint(
                Iteration(h.subs({**even_start, beta: Rational(8, 5)}), success, half),
                half,
                Rational(9, 10),
                label="p_ref = ½, β = 8/5: the limit is at most 0.9",
            ),
        ),
        On(
            Domain(),
            RisesToLeastFixedPoint(
                Iteration(h.subs(jump), success, half), half, 1, label="β = 7/5: the limit is a fixed point too"
            ),
        ),
        On(
            Domain(half <= success, success <= top),
            Always(h.subs(jump) > success, label="of which there is none up to 1 − 10⁻³⁰"),
        ),
    ),
    parameters,
    because=(
        On(
            Domain(top <= success, success <= 1),
            Always(
                And(slope.subs(jump) < Rational(1, 10**50), slope.subs(jump) > -Rational(1, 10**50)),
                label="fast: |h'| < 10⁻⁵⁰ beyond 1 − 10⁻³⁰",
            ),
        ),
        On(closed, Always(h < 1, label="every value of h is below 1")),
    ),
    kind="limit",
    depends_on=["mr-dyn-monotone", "mr-dyn-fold"],
    locator="Sec 4, Figure 5",
    title="Limits of the run from p_ref ½ on both sides of a jump",
    printed=(
        r"\text{We see that in most cases, there is a sharp transition where we observe fast convergence to }1\text{ "
        r"or to a fixed point }p^*"
    ),
    judged=imprecise(
        "1 is not a fixed point, so nothing converges to it; a fixed point is too near to 1 to be told apart in "
        "the plot. "
        "“In most cases” is not judged.",
        Equal(h.subs(success, 1), 1),
    ),
)
