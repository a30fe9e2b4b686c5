"""Three levels of deterministic rewards and groups of four: one stationary policy; and what is open beyond.

Statement.   Rewards r_1 > r_2 > r_3, finitely many answers, groups of four: exactly one stationary policy, for every β,
             π_ref and every middle reward. For four levels, or for three and larger groups, no second policy is known
             and none is excluded.
Source.      Question 5 of the project's theory; continues many_answers_uniqueness.py, which has groups of two and of
             three.
Domain.      Levels 1, t, 0 with 0 < t < 1 and masses x, z, 1 − x − z; penalty KL_0; β > 0.
Derivation.  preferences by enumeration → det(P_top − D) and 2P_top − trace D for the Jacobian D of π ↦ πP, as forms on
             the simplex → the sign of each coefficient for every t, by ball arithmetic; where it vanishes at t = 1, by
             its slope.
Caveats.     Groups of five pass the same test in floating point. Stochastic rewards break uniqueness
             (many_answers_counterexample.py).
Letters.     The levels 1, t and 0 have the masses x, z and 1 − x − z, y in the forms, where u, v and s stand for the
             reciprocals of deviations until these are put in. In by-levels-open the levels 1, t, u and 0 have the
             masses x, z, y and 1 − x − y − z, and v is β less the preference of the level 1. D is the Jacobian of π ↦
             πP, P_top the preference of the best level.
"""

from grpo_symbolic.paper import *

from .many_answers_uniqueness import levels

claim = Result(__file__).claim

rest = 1 - x - z
corner = Domain(0 < x, 0 < z, x + z < 1)
# Groups that show all three levels: the reciprocals of their deviations, up to a factor.
mixed = {u: 1 / sqrt(3 * t**2 - 2 * t + 3), v: 1 / sqrt(3 * t**2 - 4 * t + 4), s: 1 / sqrt(4 * t**2 - 4 * t + 3)}
named = {value: name for name, value in mixed.items()}
exact = levels(4, t)
top, middle = (cancel(e.subs({Abs(t - 1): 1 - t, Abs(t): t}).subs(named).subs(rest, y)).expand() for e in exact[:2])


def along(form, mass):
    """The derivative of a form in x or z while the mass of the worst level, y, makes room."""
    return diff(form, mass) - diff(form, y)


flow = (x * top, z * middle)
jacobian = Matrix(2, 2, lambda row, column: along(flow[row], (x, z)[column]))
trace = 2 * top - jacobian.trace()
determinant = top**2 - top * jacobian.trace() + jacobian.det(method="berkowitz")


def coefficients(form):
    """Those of the monomials in x, z, y, as functions of t."""
    return [c.subs(mixed) for c in Poly(form, x, z, y).coeffs()]


signs = coefficients(determinant)
vanishing = [c for c in signs if c.subs(t, 1).expand() == 0]
plain = [c for c in (*signs, *coefficients(trace)) if c not in vanishing and c.has(t)]
fixed = [c for c in (*signs, *coefficients(trace)) if not c.has(t)]
middles, early, late = Domain(0 < t, t < 1), Domain(0 < t, 50 * t <= 49), Domain(50 * t >= 49, t < 1)


def all_positive(values):
    return And(*(value > 0 for value in values))


claim(
    "by-levels-quadruples",
    Every(
        On(middles, Always(all_positive(c * t for c in fixed), label="coefficients without t, here times t: positive")),
        On(middles, Always(all_positive(plain), label="those that stay away from zero: positive")),
        On(early, Always(all_positive(vanishing), label="those that vanish at t = 1: positive up to 49/50")),
        On(late, Always(all_positive(-diff(c, t) for c in vanishing), label="and decreasing from there on")),
    ),
    middles,
    because=(
        *(
            On(
                corner.also(0 < t, t < 1),
                Equal(exact[k], form.subs(mixed).subs(y, rest), label=f"enumerated: the preference of level {k + 1}"),
            )
            for k, form in ((0, top), (1, middle))
        ),
    ),
    kind="uniqueness",
    depends_on=["by-triples-three-levels", "by-many-ratio-ordered", "by-many-event-bound"],
    lemmas=[
        "the inequalities: each coefficient of det(P_top − D) and of its slope 2P_top − tr D, as forms in the masses "
        "x, z and 1 − x − z, is positive; one that is free of t is written times t, one that vanishes at t = 1 is "
        "itself up to t = 49/50, and from there replaced by minus its derivative in t",
        "det(β − D) is a quadratic in β; with positive value and slope at β = P_top it is positive for every β ≥ "
        "P_top, so the determinant of the Jacobian of π ↦ π(1 − P/β) is positive at every solution",
        "Brouwer degree: π ↦ π(1 − P/β) = π_ref has degree 1 (homotopy β → ∞; by-many-event-bound keeps the "
        "solutions inside), so solutions with positive determinant of the Jacobian number one",
        "a decreasing function that is zero at 1 is positive to the left of it",
    ],
    locator="Question 5",
    title="Groups of four, three levels of deterministic rewards: uniqueness",
    says=(
        r"\mathrm{KL}_0,\ G=4,\ \text{deterministic }r(o)\in\{r_1,r_2,r_3\}:\ \forall\beta>0,\pi_{\mathrm{ref}}\ "
        r"\exists!\text{ stationary }\pi>0"
    ),
    remark=(
        "Partial credit between right and wrong, whatever it is worth, does not make a second policy. Any number "
        "of answers: a level is one answer, shared as in the reference."
    ),
)

# Four levels 1, t, u, 0 with masses x, z, y and the rest; groups of three. A second policy needs det(β − D) ≤ 0 for
# some β above P_top.
four = (x, z, y, 1 - x - z - y)
preferences = [SHIFT_AND_SCALE.preference(k, four, (1, t, u, 0), Answers(4), 3, o) for k in range(3)]
rows = [
    [
        (preferences[0] + v if row == column else 0) - diff(four[row] * preferences[row], four[column])
        for column in range(3)
    ]
    for row in range(3)
]
beyond = sum(
    rows[0][i] * (rows[1][j] * rows[2][k] - rows[1][k] * rows[2][j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
)
claim(
    "by-levels-open",
    Always(beyond > 0),
    Domain(0 < x, 0 < z, 0 < y, x + z + y < 1, 0 < u, u < t, t < 1, v > 0),
    kind="uniqueness",
    expect="supported",
    depends_on=["by-levels-quadruples"],
    locator="Question 5",
    title="Open: a determinant on which uniqueness for deterministic rewards of four levels, groups of three, would "
    "rest",
    remark="Levels 1, t, u and 0 of probabilities x, z, y and the rest; v is β less the largest preference. Sampled "
    "only. Tried: Z3 and cvc5, which do not decide it; ball arithmetic would have to cover six dimensions. 36 000 "
    "random policies with three and four levels, G = 3 to 8, show no wrong sign. For three levels groups of five pass "
    "the test of by-levels-quadruples in floating point, larger ones are open.",
)
