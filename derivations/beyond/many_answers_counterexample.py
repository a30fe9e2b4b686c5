"""Three stationary policies for one question: groups of three and one random reward.

Statement.   The answer a is worth 5 for sure, b is worth 21 with probability 4/9 and 0 else. With groups of three the
             gap of the expected advantages is √2(220x − 49)/1539, increasing in the probability x of a. With π_ref(a) =
             1/5 and β = √2/32 equation (11) has exactly three solutions inside; for every β ≥ 40021√2/1015740 ≈ 0.0557
             one, for every smaller β more than one for some reference.
Source.      Question 5 of the project's theory: uniqueness of the solutions of Vojnovic & Yun (2025), equation (11),
             can fail.
Domain.      Two answers, rewards 5 and 21 or 0, groups of three, penalty KL_0 (or the forward KL), 0 < p, x, y < 1, β >
             0.
Derivation.  every group enumerated, the outcomes of b told apart → objective → slope, π_old frozen → π_old = π → a
             cubic in x → its roots.
Caveats.     With groups of two, with large groups, or with deterministic rewards of two levels there is no such example
             (many_answers_uniqueness.py, many_answers_large_groups.py). With the direct KL large groups of
             deterministic rewards are enough: vy-B2-two-roots.
Letters.     x is the policy's probability of a, y that of the policy that samples, p that of the reference; z is the
             start of a flow. In by-lottery-any-three x, y and z are the three stationary policies, x and y given,
             and t is any policy. b, which prints as β/γ, is β/√2.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

chances = (Rational(4, 9), Rational(5, 9))
levels = (5, 21, 0)
inside = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0)
frozen = inside.also(0 < y, y < 1)


def expected_advantage(answer, policy, size):
    """``P_G(o|π_old)``: the outcomes of b are told apart among the outputs of the group, and averaged for b itself."""
    outcomes = (policy[0], *(chance * policy[1] for chance in chances))
    each = [SHIFT_AND_SCALE.preference(k, outcomes, levels, Answers(3), size, o) for k in range(3)]
    return each[0] if answer == 0 else sum(chance * value for chance, value in zip(chances, each[1:], strict=True))


gap = expected_advantage(0, binary(y), 3) - expected_advantage(1, binary(y), 3)
d = Derivation("by-lottery-equation", frozen)
J = d.start(
    grpo(beta, group_size=3).value(
        binary(x), binary(y), binary(p), lambda a: expected_advantage(a, binary(y), 3), Answers(2)
    ),
    "every group of three enumerated",
)
dJ = d.differentiate(J, x, "the old policy y is held fixed")
F = d.restrict(dJ, {y: x}, "stationary: the policy that sampled the groups is the policy itself")
DRIVE = sqrt(2) * x * (1 - x) * (220 * x - 49) / 1539
cubic = beta * (x - p) - DRIVE
d.rewrite(F, -cubic / (x * (1 - x)), "zero exactly where a cubic is")

claim(
    "by-lottery-equation",
    Always(
        Equivalent(Eq(F, 0, evaluate=False), Eq(beta * (x - p), DRIVE, evaluate=False)),
        label="the on-policy slope vanishes exactly here",
    ),
    inside,
    because=(
        On(
            Domain(0 < y, y < 1),
            Equal(gap, sqrt(2) * (220 * y - 49) / 1539, label="the gap depends on who else is in the group"),
        ),
        Equal(F, -cubic / (x * (1 - x)), label="the on-policy slope"),
        On(
            Domain(0 < y, y < 1),
            Equal(
                expected_advantage(0, binary(y), 2) - expected_advantage(1, binary(y), 2),
                Rational(1, 9),
                label="groups of two: the gap, free of y",
            ),
        ),
    ),
    by=d,
    locator="Question 5",
    title="Groups of three, 5 for sure against 21 with probability 4/9: the equation of the stationary policy",
    remark=(
        "Among two sure 5s the lottery is far from the mean either way; among other lotteries the sure 5 counts as a "
        "loss beside a 21 and a 0. x is the policy's probability of the sure 5, y that of the policy that samples, p "
        "the reference's."
    ),
)

# β = √2 b keeps the coefficients rational.
example = {p: Rational(1, 5), b: Rational(1, 32)}
in_b = (cubic.subs(beta, sqrt(2) * b) / sqrt(2)).expand()
instance = in_b.subs(example)
points = (Rational(4, 25), Rational(1, 6), Rational(2, 5), Rational(11, 25), Rational(3, 5), Rational(13, 20))
three = Domain(0 < x, x < y, y < 1, 0 < p, p < 1, b > 0)

claim(
    "by-lottery-three-policies",
    On(
        Domain(),
        Roots(
            cubic.subs({beta: sqrt(2) / 32, p: Rational(1, 5)}),
            x,
            3,
            label="π_ref(a) = 1/5 and β = √2/32: exactly three in (0, 1)",
        ),
    ),
    three,
    because=(
        *(
            On(Domain(), TakesValue(instance, x, low, high, label=f"one between {low} and {high}"))
            for low, high in zip(points[::2], points[1::2], strict=True)
        ),
        On(Domain(), Roots(instance, x, 3, label="the cubic over √2: exactly three")),
        Equal(cubic.subs(beta, sqrt(2) * b) / sqrt(2), in_b, label="the cubic over √2"),
    ),
    kind="uniqueness",
    locator="Question 5",
    title="Groups of three, 5 for sure against 21 with probability 4/9: an instance with three stationary policies",
    depends_on=["by-lottery-equation"],
    remark="Answer a, of probability x, is worth 5 for sure, b 21 with probability 4/9 and else 0; the headline is "
    "for π_ref(a) = 1/5 and β = √2/32. Neither the reference nor β is special: by-lottery-any-three.",
)

# From the roots to the parameters: any three numbers in (0, 1) with this sum are the solutions of some instance.
total, pair, product = x + y + z, x * y + y * z + z * x, x * y * z
room = (1 - x) * (1 - y) * (1 - z)
fitted = {p: product / (product + room), b: Rational(220, 1539) * (product + room)}
free = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < z, z < 1)
last = Rational(269, 220) - x - y
claim(
    "by-lottery-any-three",
    Equal(
        cubic.subs(x, t),
        sqrt(2) * Rational(220, 1539) * (t - x) * (t - y) * (t - z),
        label="the stationary equation has these roots",
    ),
    free.also(Eq(z, last)).also(Eq(p, fitted[p])).also(Eq(beta, sqrt(2) * fitted[b]), t),
    because=(
        On(
            free.also(last > 0, last < 1, t),
            Equal(
                in_b.subs(x, t).subs(fitted).subs(z, last),
                (Rational(220, 1539) * (t - x) * (t - y) * (t - z)).subs(z, last),
                label="the cubic has these roots",
            ),
        ),
        On(
            free,
            Always(
                And(product + room > 0, fitted[p] > 0, fitted[p] < 1),
                label="for a reference in (0, 1) and a positive β",
            ),
        ),
    ),
    kind="uniqueness",
    locator="Question 5",
    title="Groups of three, 5 for sure against 21 with probability 4/9: instances with three stationary policies, two "
    "of them given",
    depends_on=["by-lottery-equation"],
    remark="x and y are given, z is what they leave; they are three policies where no two are equal.",
)

# Exactly where uniqueness fails: p is an increasing function of x unless β is below the largest slope of the gradient.
steepest = Rational(269, 660)
largest = Rational(40021, 1015740) * sqrt(2)
reference = x - DRIVE / beta
early, at_steepest = Rational(49, 220), reference.subs(x, steepest)  # where the gap vanishes, p is the success


def thrice(place):
    """A reference that rests at this success, where p falls, and once more on either side of it."""
    value = reference.subs(x, place)
    beside = {"rising": False, "over": (0, 1)}
    return Every(
        TakesValue(
            reference,
            x,
            0,
            place,
            value,
            label=f"of the reference under which {place} is stationary, another policy below it",
        ).by(BesideARoot("upper", limit=Integer(0), **beside)),
        TakesValue(
            reference,
            x,
            place,
            1,
            value,
            label=f"of the reference under which {place} is stationary, another policy above it",
        ).by(BesideARoot("lower", limit=Integer(1), **beside)),
    )


claim(
    "by-lottery-threshold",
    Every(
        On(
            Domain(0 < p, p < 1, beta >= largest),
            OneRoot(cubic, x, 0, 1, label="β from the threshold on: one policy for every reference").by(
                StrictlyMonotone(1, shape=ButForAPoint(steepest))
            ),
        ),
        On(
            Domain(sqrt(2) <= 41 * beta, beta < largest),
            Every(
                Always(
                    And(0 < at_steepest, at_steepest < 1),
                    label=f"{steepest} is stationary under this reference, between 0 and 1",
                ),
                thrice(steepest),
            ),
        ),
        On(Domain(0 < beta, 41 * beta < sqrt(2)), thrice(early)),
    ),
    Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0),
    because=(
        Equal(cubic, beta * (reference - p), label="a policy is stationary where p is this function of x"),
        Equal(
            diff(DRIVE, x),
            largest - sqrt(2) * Rational(660, 1539) * (x - steepest) ** 2,
            label="the slope of the gradient of success, largest at 269/660",
        ),
    ),
    kind="uniqueness",
    locator="Question 5",
    title="Groups of three, 5 for sure against 21 with probability 4/9: threshold of β for uniqueness at any reference",
    depends_on=["by-lottery-equation"],
    short="β from the threshold on: one policy for every reference",
)

# Which of the three: dx/dt = −cubic leads to the outer two. Each root is the only one of its stretch, where the flow
# comes to rest: upwards, and downwards as the flow of 1 − x.
sign = 3 * x**2 - (4 * p + 1) * x + 2 * p
velocity = -sqrt(2) * instance
mirrored = -velocity.subs(x, 1 - x)


def upwards(body, where, start, end, label):
    """What the flow does from a start on to the first rest point, which lies before the end."""
    return On(where, FlowRisesToRest(body, x, start, end, label=label))


claim(
    "by-lottery-stability",
    Every(
        upwards(
            mirrored,
            Domain(Rational(1, 6) <= z, z <= Rational(2, 5)),
            1 - z,
            Rational(21, 25),
            "from 1/6 to 2/5, as from π_ref, down to the lowest: the flow of 1 − x",
        ),
        upwards(
            velocity,
            Domain(Rational(11, 25) <= z, z <= Rational(3, 5)),
            z,
            Rational(13, 20),
            "from 11/25 on up to the highest",
        ),
        upwards(
            mirrored,
            Domain(Rational(13, 20) <= z, z < 1),
            1 - z,
            Rational(2, 5),
            "from 13/20 on down to the highest: the flow of 1 − x",
        ),
    ),
    inside,
    because=(
        upwards(velocity, Domain(0 < z, z <= Rational(4, 25)), z, Rational(1, 6), "from below up to the lowest"),
        On(Domain(5 * x >= 2, 25 * x <= 11), Always(diff(instance, x) < 0, label="the middle one repels")),
        On(
            inside,
            Equal(
                diff(J, x, 2).subs(y, x),
                -beta * sign / (x**2 * (1 - x) ** 2),
                label="curvature of the frozen objective",
            ),
        ),
        On(
            Domain(50 * x >= 8, 6 * x <= 1),
            Always(sign.subs(example) > 0, label="the lowest is a local maximum of its own objective"),
        ),
    ),
    kind="stability",
    depends_on=["by-lottery-three-policies", "by-flow-natural"],
    locator="Question 5",
    title="Groups of three, 5 for sure against 21 with probability 4/9: stability of three stationary policies",
    short="from 11/25 on up to the highest",
    remark="With the rewards, the reference and the β of by-lottery-three-policies; the first rest point of each "
    "stretch is the one policy that this claim finds there.",
)
