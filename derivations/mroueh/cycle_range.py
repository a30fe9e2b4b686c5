"""For which β the run of Figure 5 goes to a cycle of period two, from p_ref = 0.001 and with ε = 10⁻⁵.

Statement.   At β = 5.7 the run from p_ref converges to the fixed point below ½. At β = 5.6 it tends to a cycle of
             period two, which attracts; at β = 2.5 one attracts, and at β = 2.4 one repels.
             For β ≥ 2.3 the map keeps what is between 0.001 and 0.999; for β ≤ 2.25 it throws the run beyond, from
             where it leads upwards up to 1 − 10⁻¹⁰.
Source.      Mroueh (2025), Section 4, Figure 5: β = 5 and p_ref = 0.001.
Domain.      p_ref = 0.001, ε = 10⁻⁵, the values of β that are named.
Derivation.  Two steps of the map, h∘h, at rational points: changes of sign, the size of its slope, intervals that it
             keeps. h falls with β, so what bounds it at one β does so beyond.
Caveats.     Four values of β, and two ranges; nothing is said of those between. The fixed point stops attracting at
             β ≈ 5.662 (mr-dyn-flip). At most two cycles attract, fixed points among them (by-shape-attractors).
Letters.     p is success, y a start; h is taken at p_ref = 0.001 and ε = 10⁻⁵, as a function of p and β. u, v and x
             are any three values.
"""

from grpo_symbolic.paper import *

from .thm2_recursion import h

claim = Result(__file__).claim

start = Rational(1, 1000)
figure = {success_ref: start, guard: Rational(1, 10**5)}
once = h.subs(figure)
twice = once.subs(success, once)
slope_once = diff(once, success)
slope_twice = slope_once * slope_once.subs(success, once)


def near(low: int, high: int) -> tuple[Rational, Rational]:
    """Two numbers given in billionths."""
    return Rational(low, 10**9), Rational(high, 10**9)


def at(formula, value):
    """A formula at one β."""
    return formula.subs(beta, value)


def between(ends):
    """The domain of p between two numbers."""
    return Domain(ends[0] <= success, success <= ends[1])


def run(value, top):
    """The even members of the run at one β, which rise to the first point of period one or two below ``top``."""
    return RisesToLeastFixedPoint(
        Iteration(at(twice, value), success, start), start, top, label=f"β = {value}: the even members of the run"
    )


def draws_in(value, ends, rate):
    """Between these ends every second member of a run tends to the only point of period one or two there."""
    return On(
        Domain(ends[0] <= y, y <= ends[1]),
        ConvergesToFixedPoint(
            Iteration(at(twice, value), success, y),
            *ends,
            label=f"β = {value}: every second member, from near the lower point",
        ).by(Contraction(rate)),
    )


# -- between β = 5.7 and β = 5.6: from a fixed point to a cycle -------------------------------------------------------
above, below = Rational(57, 10), Rational(28, 5)
settles, swings = near(7_400_000, 7_700_000), near(4_885_000, 4_887_000)
claim(
    "mr-dyn-cycle-onset",
    Every(
        run(above, settles[1]),
        On(
            Domain(),
            TakesValue(at(once, above) - success, success, *settles, label="β = 5.7: a fixed point near 0.0075"),
        ),
        run(below, swings[1]),
        On(
            between(swings),
            Always(at(once, below) > Rational(1, 100), label="β = 5.6: h has no fixed point from 0.004885 to 0.004887"),
        ),
    ),
    Domain(),
    because=(
        On(between((start, settles[0])), Always(at(twice, above) > success, label="β = 5.7: two steps lead upwards")),
        On(
            between(settles),
            Always(at(slope_twice, above) < 1, label="β = 5.7: (h∘h)' < 1: at most one point of period one or two"),
        ),
        On(between((start, swings[0])), Always(at(twice, below) > success, label="β = 5.6: two steps lead upwards")),
        draws_in(below, swings, Rational(99, 100)),
    ),
    kind="stability",
    depends_on=["mr-dyn-two-limits"],
    locator="Sec 4, Figure 5",
    title="The run of Figure 5 at β 5.7 and 5.6",
    remark="As β falls, the fixed point stops attracting at β ≈ 5.662 (mr-dyn-flip).",
)

# -- between β = 2.5 and β = 2.4 the cycle stops attracting -----------------------------------------------------------
lower, lowest = Rational(5, 2), Rational(12, 5)
steady, shaken = near(2_504_000, 2_504_750), near(2_659_000, 2_660_000)
claim(
    "mr-dyn-cycle-doubles",
    Every(
        draws_in(lower, steady, Rational(95, 100)),
        On(
            between(steady),
            Always(
                at(once, lower) > Rational(7, 10), label="β = 2.5: h has no fixed point from 0.002504 to 0.00250475"
            ),
        ),
        On(Domain(), TakesValue(at(twice, lowest) - success, success, *shaken, label="β = 2.4: a point of period two")),
        On(
            between(shaken),
            Always(And(at(slope_twice, lowest) < -1, at(once, lowest) > Rational(7, 10)), label="where (h∘h)' < −1"),
        ),
    ),
    Domain(),
    kind="stability",
    depends_on=["mr-dyn-cycle-onset"],
    locator="Sec 4, Figure 5",
    title="Two-cycles at β 2.5 and 2.4, for the reference of Figure 5",
    short="β = 5/2: every second member, from near the lower point",
)

# -- between β = 2.3 and β = 2.25 the run goes to the fixed point near one ------------------------------------------
held, lost = Rational(23, 10), Rational(9, 4)
cap = Rational(999, 1000)
leap, top = Rational(9991, 10000), 1 - Rational(1, 10**10)
stays = And(start < once, once < cap)
first = once.subs(success, start)


unit = Domain(0 < success, success < 1)


def falls(points, place=success, on=unit):
    """The value of h at the smaller of two β is above that at the larger."""
    there = once.subs(success, place)
    larger, smaller = (at(there, point) for point in points)
    spoken = ["β" if point == beta else point for point in points]
    return Always(smaller < larger, label=f"h falls with β, from {spoken[0]} to {spoken[1]}").by(
        TwoValues(there, beta, on.also(beta > 0), points, -1)
    )


def exponent(place):
    """That of h."""
    return -1 / (beta * sqrt(place * (1 - place) + figure[guard]))


# Bounds at 2.29 and 2.26 hold beyond. Up to 2.25 the first step is beyond 0.9991, where p(1 − p) is less than at p_ref,
# so that the second one leads further.
above_held, below_lost = Rational(229, 100), Rational(226, 100)


def between_values(low, middle, high):
    """What is between two values lies in order, whatever they are."""
    letters = Always(Implies(And(u < v, v < x), u < x), label="in order")
    values = {u: low, v: middle, x: high}
    return Always(letters.formula.subs(values, simultaneous=True), label="in order").by(
        InLetters(letters, Domain(u, v, x), values)
    )


def known(statement, on):
    """What is shown of p alone, at one β."""
    return statement.by(InLetters(statement, on, {success: success}))


def beyond(place):
    """That one step leads beyond 0.9991, up to β = 2.25."""
    there = once.subs(success, place)
    bound = Always(Lt(leap, at(there, below_lost), evaluate=False), label="at 2.26")
    return Always(leap < there, label=f"beyond 0.9991 from {place}").by(
        Then((falls((beta, below_lost), place, Domain()), bound, between_values(leap, at(there, below_lost), there)))
    )


further = Always(
    Implies(leap < y, first <= once.subs(success, y)),
    using=(exp_increasing(exponent(y), exponent(start)),),
    label="further than p_ref",
)
second = further.formula.subs(y, first)
onwards = Always(second, label="the second step").by(
    InLetters(further, Domain(0 < y, y < 1, beta > 0), {y: first}, using=(exp_positive(exponent(start)),))
)
claim(
    "mr-dyn-run-escapes",
    Every(
        On(
            between((start, cap)).also(beta >= held),
            Always(stays, label="β ≥ 2.3: what is between 0.001 and 0.999 stays there").by(
                Then(
                    (
                        Always(once < cap, label="below 0.999").by(
                            Then(
                                (
                                    falls((above_held, beta)),
                                    known(Always(at(once, above_held) < cap, label="at 2.29"), between((start, cap))),
                                    between_values(once, at(once, above_held), cap),
                                )
                            )
                        ),
                        Always(once > start, using=(exp_sign(exponent(success)),), label="above p_ref"),
                    )
                )
            ),
        ),
        On(
            Domain(0 < beta, beta <= lost),
            RisesToLeastFixedPoint(
                Iteration(once, success, first), leap, 1, label="β ≤ 2.25: the run from its first step on"
            ).by(
                MonotoneMap(
                    using=Then(
                        (
                            beyond(start),
                            beyond(leap),
                            Always(first < 1, using=(exp_positive(exponent(start)),), label="below 1"),
                            Always(once.subs(success, 1) < 1, using=(exp_positive(exponent(1)),), label="below 1"),
                            onwards,
                        )
                    )
                )
            ),
        ),
        On(
            between((leap, top)).also(0 < beta, beta <= lost),
            Always(success < once, label="and that point is beyond 1 − 10⁻¹⁰: before it h leads upwards").by(
                Then(
                    (
                        falls((beta, below_lost)),
                        known(Always(success < at(once, below_lost), label="at 2.26"), between((leap, top))),
                        between_values(success, at(once, below_lost), once),
                    )
                )
            ),
        ),
    ),
    Domain(),
    because=(
        On(between((start, cap)).also(beta > held), falls((held, beta))),
        On(
            between((start, cap)), Always(at(stays, held), label="β = 2.3: what is between 0.001 and 0.999 stays there")
        ),
        On(between((start, top)).also(0 < beta, beta < lost), falls((beta, lost))),
        On(between((leap, top)), Always(at(once, lost) > success, label="β = 2.25: from 0.9991 on it leads upwards")),
        On(
            Domain(0 < success_ref, success_ref < 1, beta > 0, guard > 0),
            Exists(
                h.subs(success, success_ref) > leap,
                {**figure, beta: lost},
                label="β = 2.25: the first step leads beyond 0.9991",
            ),
        ),
        On(
            Domain(),
            RisesToLeastFixedPoint(
                Iteration(at(once, lost), success, at(first, lost)), leap, 1, label="β = 2.25: the run from then on"
            ),
        ),
    ),
    kind="dynamics",
    depends_on=["mr-dyn-cycle-doubles"],
    locator="Sec 4, Figure 5",
    title="The run of Figure 5 for β from 2.3 on, and up to 2.25",
    remark="So the run, which begins at 0.001, stays below 0.999 for β ≥ 2.3.",
)
