"""Many answers: when the stationary policy is unique.

Statement.   Groups of two: unique for any n, any rewards (stochastic or cyclic preferences too), under KL_0, either KL
             and k2 in the loss. For strictly ordered deterministic rewards it is closed: every set of the k best
             answers has the mass (14) of its reference mass. Two levels of deterministic rewards: unique for every
             group size, the classes keeping the proportions of the reference; three of them: for groups of three. Large
             groups: always unique (many_answers_large_groups.py).
Source.      Question 5 of the project's theory; Vojnovic & Yun (2025), equations (11), (12), (14).
Domain.      n answers, β > 0, policies with full support; unless said otherwise the penalty KL_0.
Derivation.  two solutions compared through Σ(π − ρ)(P_π − P_ρ) → sums over the k best answers → masses of classes → the
             sign of a Jacobian.
Caveats.     Stochastic rewards and groups of three break it: many_answers_counterexample.py. Three levels and G = 4:
             many_answers_levels.py. Three levels and G ≥ 5, or more levels and G ≥ 3, are open for deterministic
             rewards.
Letters.     x and z are the policy on the first two of three answers, y on the last; π̃ is a second policy; in
             by-triples-three-levels D is the Jacobian of πP. d(n(o − 1) + o') is the entry of the pair (o, o') in a
             list of any numbers. In by-pairs-ordered x is the mass of the k best answers π⁺, k being n₊, t is x as the
             unknown, p their reference; in its steps t and s are masses of the k and of the k − 1 best, and q is the
             reference of the next answer. In by-pairs-unique u, s, v and t are rewards in order, w_> and w_< the
             chances that o is rewarded more and less than o'; in by-pairs-penalties s and t are multipliers, in
             by-two-levels t is a common preference. In triples of different rewards u and −v are √2 times the best and
             the worst advantage, and t is the middle reward. P_top is the preference of the best level. m_G(x) is x(1 −
             x) times the gap of the expected advantages of right and wrong answers. (11) and (14) are equations of
             Vojnovic & Yun.
"""

from grpo_symbolic import objectives
from grpo_symbolic.paper import *

from .any_group import stationary, success_slope

claim = Result(__file__).claim

answers = Answers(n)
both = Domain(n >= 2, beta > 0, simplex(pi, n), simplex(other, n), simplex(ref, n))


# -- groups of two ---------------------------------------------------------------------------------------------------
def solved(policy):
    """The preferences under a policy that satisfies (11)."""
    return beta * (1 - ref[o] / policy[o])


def margin(a, b):
    """How much more often a is rewarded more than b than less, which is 0 on the whole: any numbers d(a, b) − d(b, a)
    of ordered pairs, which stand row by row in one list. Cyclic preferences are among them.
    """
    return duel[n * (a - 1) + b] - duel[n * (b - 1) + a]


def preference(policy):
    """``P(o)`` in groups of two: the mean margin against an answer of the policy."""
    return Sum(policy[o_] * margin(o, o_), (o_, 1, n))


three, corner = (x, z, 1 - x - z), Domain(0 < x, 0 < z, x + z < 1)
pairs_of_answers = both.also(reals(duel, n**2))
of_two = Domain(n >= 2, simplex(pi, n), simplex(other, n), reals(duel, n**2))
cancel = Antisymmetric(Sum((pi[o] - other[o]) * (pi[o_] - other[o_]) * margin(o, o_), (o_, 1, n), (o, 1, n)))


ties = {n: 2, beta: 1, **dict.fromkeys((pi, other, ref), [Rational(1, 2)] * 2), duel: [0] * 4}  # two answers alike


def alike(slope, term, *, multipliers=(0, 0), using=(), label):
    """Two policies that both make P(o) the slope of the penalty in π(o), up to a multiplier, are one policy."""
    stationary = tuple(
        Eq(preference(policy) - multiplier, slope(policy), evaluate=False)
        for policy, multiplier in zip((pi, other), multipliers, strict=True)
    )
    apart = (pi[o] - other[o]) * (preference(pi) - multipliers[0] - (preference(other) - multipliers[1]))
    same = InEveryEntry(stationary, Eq(pi[o], other[o], evaluate=False), o, n, label=label)
    example = {**ties, **{multiplier: 0 for multiplier in multipliers if multiplier != 0}}
    return same.by(NothingLeft(Sum(apart, (o, 1, n)), term, vanishes=cancel, using=using, example=example))


claim(
    "by-pairs-unique",
    On(
        pairs_of_answers,
        alike(
            solved,
            beta * ref[o] * (pi[o] - other[o]) ** 2 / (pi[o] * other[o]),
            label="two solutions of (11) are one",
        ),
    ),
    both,
    because=(
        On(
            Domain(u < s, v < t, 0 <= w_win, 0 <= w_lose, w_win + w_lose <= 1),
            Equal(
                pairwise_sign(w_win, w_lose),
                -pairwise_sign(w_lose, w_win),
                label="groups of two: what an answer wins, the other loses",
            ),
        ),
        On(
            of_two,
            Equal(
                Sum((pi[o] - other[o]) * preference(pi), (o, 1, n)),
                Sum((pi[o] - other[o]) * preference(other), (o, 1, n)),
                label="so Σ(π − π̃)(P_π − P_π̃) = 0 for any two policies",
            ).by(cancel),
        ),
        Equal(
            Sum((pi[o] - other[o]) * (solved(pi) - solved(other)), (o, 1, n)),
            beta * Sum(ref[o] * (pi[o] - other[o]) ** 2 / (pi[o] * other[o]), (o, 1, n)),
            label="which is this sum for two solutions of (11)",
        ),
    ),
    kind="uniqueness",
    locator="Question 5",
    title="Groups of two: uniqueness of the stationary policy, any answers and rewards",
    depends_on=["by-many-stationary", "vy-eq12"],
    remark=(
        "d at the place n(o − 1) + o' is P(o ≻ o'). No order of the answers is used: 'a beats b beats c beats a' has "
        "one stationary policy too. There is one: by-exists-finite."
    ),
)


def penalty_slope(divergence):
    """The on-policy slope of a penalty in π(o)."""
    return identify(partial(divergence.expected(pi, ref, old, answers, o_), pi[o]), old, pi)


def logarithm(policy):
    """``β log(π/π_ref)``, the slope of the direct KL but for a constant."""
    return beta * log(policy[o] / ref[o])


pool = Domain(n >= 2, simplex(pi, n), simplex(old, n), simplex(ref, n))
both_orders = tuple(log_increasing(a[o] / ref[o], b[o] / ref[o]) for a, b in ((pi, other), (other, pi)))
claim(
    "by-pairs-penalties",
    Every(
        On(
            pairs_of_answers.also(s, t),
            alike(
                lambda policy: beta - beta * ref[o] / policy[o],
                beta * ref[o] * (pi[o] - other[o]) ** 2 / (pi[o] * other[o]),
                multipliers=(s, t),
                label="KL_0 and the forward KL, whatever the multipliers: one policy",
            ),
        ),
        On(
            pairs_of_answers.also(s, t),
            alike(
                logarithm,
                (pi[o] - other[o]) * (logarithm(pi) - logarithm(other)),
                multipliers=(s, t),
                using=both_orders,
                label="direct KL and k2: one policy",
            ),
        ),
    ),
    pool,
    because=(
        Equal(penalty_slope(GRPO_PENALTY), 1 - ref[o] / pi[o], label="KL_0"),
        Equal(
            partial(forward_kl(pi, ref, answers, o_), pi[o]) + 1,
            1 - ref[o] / pi[o],
            label="the slope of the forward KL, up to a constant",
        ),
        Equal(penalty_slope(REVERSE_KL), log(pi[o] / ref[o]), label="the direct KL"),
        Equal(
            penalty_slope(objectives.Divergence("k2", k2)),
            log(pi[o] / ref[o]),
            label="the slope of k2 in the loss, as of the direct KL",
        ),
        Equal(
            penalty_slope(objectives.Divergence("k1", k1)),
            1,
            label="k1 in the loss: its slope, a constant that does not regularise",
        ),
    ),
    kind="uniqueness",
    depends_on=["by-pairs-unique"],
    locator="Question 5",
    title="Groups of two: uniqueness of the stationary policy for each of the penalties",
    remark=("s and t are the multipliers of the two policies."),
)

# Strict order: the k best answers (π⁺, of the mass x, and p under the reference) all beat the others; what they win
# from one another cancels. Below, t is their mass and s that of one answer fewer.
best, best_ref = simplex(hit, n_hit, total=x), simplex(hit_ref, n_hit, total=p)
cut = Domain(n_hit >= 1, beta > 0, 0 < x, x < 1, 0 < p, p < 1, best, best_ref)


def among(a, b):
    """The margin of one of the best answers against another, any numbers as above."""
    return duel[n_hit * (a - 1) + b] - duel[n_hit * (b - 1) + a]


line = Domain(0 < p, p < 1, beta > 0)
stationary_mass = beta * (t - p) - t * (1 - t)
claim(
    "by-pairs-ordered",
    Every(
        On(
            cut.also(reals(duel, n_hit**2)),
            Equal(
                Sum(hit[o] * (Sum(hit[o_] * among(o, o_), (o_, 1, n_hit)) + 1 - x), (o, 1, n_hit)),
                x * (1 - x),
                label="the k best of any number: their preferences, each times its mass, add up to x(1 − x)",
            ).by(Antisymmetric(Sum(hit[o] * hit[o_] * among(o, o_), (o_, 1, n_hit), (o, 1, n_hit)))),
        ),
        On(
            cut,
            Equal(
                Sum(hit[o] * beta * (1 - hit_ref[o] / hit[o]), (o, 1, n_hit)),
                beta * (x - p),
                label="which is β(x − p) by (11)",
            ),
        ),
        UniqueRoot(stationary_mass.expand(), t, pairs(beta, p), label="with one root in (0, 1)"),
    ),
    line,
    because=(
        On(
            Domain(0 <= s, s < t, t <= 1),
            Equal(
                (t - s) * ((1 - t) - s),
                t * (1 - t) - s * (1 - s),
                label="answer k: its mass times (mass below − mass above) telescopes",
            ),
        ),
        On(
            line.also(0 < t, t < 1),
            Equal(
                stationary_mass,
                t**2 - (1 - beta) * t - beta * p,
                label="so (11), summed over the k best, is the quadratic of (14)",
            ),
        ),
        On(
            line.also(0 < t, t < 1),
            Equal(
                stationary_mass.subs({t: 1 - t, p: 1 - p}),
                t**2 - (1 + beta) * t + beta * p,
                label="and for the mass of all answers up to some reward",
            ),
        ),
        On(
            line, Equal(1 - pairs(beta, 1 - p), (1 + beta - sqrt((1 + beta) ** 2 - 4 * beta * p)) / 2, label="its root")
        ),
        On(
            Domain(0 < p, 0 < q, p + q < 1, beta > 0),
            Equal(
                pairs(beta, p + q) - pairs(beta, p),
                2 * beta * q / (sqrt((1 - beta) ** 2 + 4 * beta * p) + sqrt((1 - beta) ** 2 + 4 * beta * (p + q))),
                label="the next answer, of reference mass q",
            ),
        ),
    ),
    depends_on=["by-pairs-unique", "vy-eq14", "vy-eq12"],
    locator="Question 5",
    title="Groups of two, strictly ordered rewards: the stationary policy in closed form",
    remark=(
        "Each cut of the ranking behaves as two answers do. Ties: answers of one level have one preference, so they "
        "share as in the reference (by-many-stationary), and a level is one answer."
        " π⁺ are the k best answers, of mass x, and d any numbers; t is x as the unknown."
    ),
)

# -- two reward levels ------------------------------------------------------------------------------------------------
masses = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0)
correct = masses.also(n_hit >= 1, simplex(hit, n_hit, total=x), simplex(hit_ref, n_hit, total=p))
wrong = masses.also(n_miss >= 1, simplex(miss, n_miss, total=1 - x), simplex(miss_ref, n_miss, total=1 - p))
hits = correct.also(t < beta)
half = Rational(1, 2)
claim(
    "by-two-levels",
    Every(
        On(
            hits,
            InEveryEntry(
                (Eq(hit[o] * (1 - t / beta), hit_ref[o], evaluate=False),),
                Eq(hit[o], x / p * hit_ref[o], evaluate=False),
                o,
                n_hit,
                label="(11) over a class of common preference t, of mass x",
            ).by(
                NothingLeft(
                    Sum((x / p * hit_ref[o] - hit[o]) * (x / p - 1 / (1 - t / beta)), (o, 1, n_hit)),
                    (hit[o] - x / p * hit_ref[o]) ** 2 / hit_ref[o],
                    example={n_hit: 1, hit: [half], hit_ref: [half], x: half, p: half, t: 0, beta: 1},
                )
            ),
        ),
        On(
            correct.also(G >= 2, 1 <= o, o <= n_hit),
            Always(
                Implies(
                    Eq(hit[o], x / p * hit_ref[o], evaluate=False),
                    Equivalent(
                        Eq(success_slope(G, x) / x, beta * (1 - hit_ref[o] / hit[o]), evaluate=False),
                        stationary(G, x, p),
                    ),
                    evaluate=False,
                ),
                label="and then (11) for correct answers",
            ),
        ),
        On(
            wrong.also(G >= 2, 1 <= o, o <= n_miss),
            Always(
                Implies(
                    Eq(miss[o], (1 - x) / (1 - p) * miss_ref[o], evaluate=False),
                    Equivalent(
                        Eq(-success_slope(G, x) / (1 - x), beta * (1 - miss_ref[o] / miss[o]), evaluate=False),
                        stationary(G, x, p),
                    ),
                    evaluate=False,
                ),
                label="and for wrong ones",
            ),
        ),
    ),
    masses,
    because=(
        On(
            hits,
            Equal(
                Sum(hit[o] * (1 - t / beta), (o, 1, n_hit)) - Sum(hit_ref[o], (o, 1, n_hit)),
                x * (1 - t / beta) - p,
                label="(11) over a class of common preference t is (11) of its mass",
            ),
        ),
        On(
            hits,
            Equal(
                Sum(hit_ref[o] / (1 - t / beta), (o, 1, n_hit)),
                p / (1 - t / beta),
                label="of answers π_ref(o)/(1 − t/β) the mass is p/(1 − t/β)",
            ),
        ),
    ),
    kind="uniqueness",
    depends_on=["by-stationary-unique", "by-many-ratio-ordered", "by-gap-exact"],
    locator="Question 5",
    title="Two reward levels: the stationary policy with full support, any group size",
    short=("and then (11) for correct answers", "and for wrong ones"),
    remark="The expected advantages of a correct and of a wrong answer are by-gap-exact; exactly one success x solves "
    "β(x − p) = m_G(x) (by-stationary-unique).",
)


# -- groups of three, three levels of reward -------------------------------------------------------------------------
def levels(size, middle):
    """Preferences of the levels 1, ``middle``, 0 with the masses x, z and the rest."""
    return [SHIFT_AND_SCALE.preference(k, three, (1, middle, 0), Answers(3), size, o) for k in range(3)]


def linearised(top, second):
    """Trace and determinant of the Jacobian D of (πP) in x and z."""
    flow = Matrix([x * top, z * second])
    jacobian = Matrix(2, 2, lambda a, c: diff(flow[a], (x, z)[c]))
    return expand(jacobian.trace()), expand(jacobian.det())


def characteristic(top, second):
    """``det(P_top − D)`` and ``2P_top − trace D``."""
    trace, determinant = linearised(top, second)
    return expand(top**2 - top * trace + determinant), expand(2 * top - trace)


def homogeneous(expression, degree):
    """The same on the simplex as a form in x, z and the rest y, with its coefficients."""
    terms = Poly(expression, x, z).terms()
    return Poly(expand(sum(c * x**a * z**k * (x + y + z) ** (degree - a - k) for (a, k), c in terms)), x, z, y)


# In a triple of different rewards, in units of 1/√2: u for the best, −v for the worst, v − u for the middle one.
rest = 1 - x - z
P_top = x * z + x * rest + z**2 + rest**2 + u * z * rest
P_middle = -(x**2) + rest**2 - x * z + z * rest + (v - u) * x * rest
of_middle = {u: (2 - t) / sqrt(1 - t + t**2), v: (1 + t) / sqrt(1 - t + t**2)}
det_3, trace_3 = (homogeneous(e, degree) for e, degree in zip(characteristic(P_top, P_middle), (4, 2), strict=True))
ellipse = Domain(1 < u, u < 2, 1 < v, v < 2)
plain = (
    c for _, c in (*det_3.terms(), *trace_3.terms()) if c != det_3.coeff_monomial(x * z * y**2) and not c.is_number
)
exact_3 = levels(3, t)
det_form, trace_form = det_3.as_expr(), trace_3.as_expr()

# det(β − D) = det(P_top − D) + (β − P_top)(2P_top − trace D) + (β − P_top)², each of them positive: first for any u and
# v on or outside the ellipse, with β in the same units.
outside = ellipse.also(u**2 - u * v + v**2 >= 3)
filled = {x: x, z: z, y: rest, u: u, v: v}
masses = outside.also(0 < x, 0 < z, 0 < y)
coefficients_positive = tuple(
    Always(c > 0, label="a coefficient is positive") for c in det_3.coeffs() if not c.is_number
)
at_top = Always(det_form > 0, label="det(P_top − D)").by(Then(coefficients_positive))
more = Always(trace_form > 0, label="2P_top − trace D")
on_simplex = outside.also(0 < x, 0 < z, x + z < 1, beta >= P_top)


def characteristic_at(top, second):
    """``det(β − D)``."""
    trace, determinant = linearised(top, second)
    return beta**2 - beta * trace + determinant


def there(statement):
    """The same on the simplex, with the rest for y."""
    return Always(statement.conclusion.formula.subs(y, rest), label="on the simplex").by(
        InLetters(statement, masses, filled)
    )


in_units = Always(characteristic_at(P_top, P_middle) > 0, label="in units of 1/√2").by(
    ByDifference(
        det_form.subs(y, rest) + (beta - P_top) * trace_form.subs(y, rest) + (beta - P_top) ** 2,
        using=Then((there(at_top), there(more))),
    )
)
of_level = {**of_middle, beta: beta / sqrt(2)}
of_level_3 = characteristic_at(P_top, P_middle).subs(of_level, simultaneous=True)
claim(
    "by-triples-three-levels",
    Always(characteristic_at(exact_3[0], exact_3[1]) > 0, label="det(β − D)").by(
        ByDifference(
            2 * of_level_3,
            using=Then(
                (
                    Always(of_level_3 > 0, label="at the values of u and v").by(
                        InLetters(in_units, on_simplex, {x: x, z: z, **of_level})
                    ),
                )
            ),
        )
    ),
    corner.also(0 < t, t < 1, beta >= exact_3[0]),
    because=(
        On(
            ellipse,
            Always(
                And(*(c > 0 for c in plain if c != u - v + 1), u - v + 1 > 0),
                label="every coefficient but one is positive",
            ),
        ),
        On(
            ellipse,
            Equal(
                det_3.coeff_monomial(x * z * y**2),
                (u**2 - u * v + v**2 - 3) + (u - 1) + v * (2 - v),
                label="that one is u − 1 + v(2 − v), positive too, where u² − uv + v² = 3",
            ),
        ),
        On(
            corner.also(1 < u, u < 2, 1 < v, v < 2),
            Equal(det_form.subs(y, rest), characteristic(P_top, P_middle)[0], label="the form is ½ det(P_top − D)"),
        ),
        On(
            corner.also(1 < u, u < 2, 1 < v, v < 2),
            Equal(trace_form.subs(y, rest), characteristic(P_top, P_middle)[1], label="and (2P_top − trace D)/√2"),
        ),
        *(
            On(
                corner.also(0 < t, t < 1),
                Equal(exact_3[k], sqrt(2) * form.subs(of_middle), label=f"enumerated: the preference of level {k + 1}"),
            )
            for k, form in ((0, P_top), (1, P_middle))
        ),
        On(
            Domain(0 < t, t < 1),
            Always(
                And(*(And(1 < value, value < 2) for value in of_middle.values())), label="u and v lie between 1 and 2"
            ),
        ),
        On(Domain(0 < t, t < 1), Equal((u**2 - u * v + v**2).subs(of_middle), 3, label="and u² − uv + v² = 3")),
    ),
    kind="uniqueness",
    depends_on=["by-many-ratio-ordered", "by-many-preference-ordered", "by-many-event-bound"],
    lemmas=[
        "β² times the Jacobian of π ↦ π(1 − P/β), a map that sends a stationary policy to π_ref, is det(β − D); "
        "Brouwer degree: the map has degree 1 (homotopy β → ∞; by-many-event-bound keeps the solutions inside), so "
        "solutions with a positive Jacobian number one: there is exactly one stationary policy with full support",
    ],
    locator="Question 5",
    title="Groups of three, three levels of deterministic rewards: the Jacobian of π ↦ π(1 − P/β)",
    says=(
        r"G=3,\ \text{deterministic }r(o)\in\{1,t,0\},\ 0<t<1:\ \det(\beta-D)>0\text{ at every }\pi>0"
        r"\text{ with }\beta\ge\mathcal P_{\text{top}},\ D=\frac{\partial(\pi\mathcal P)}{\partial\pi}"
    ),
    remark=(
        "Any finite number of answers: levels act as answers, shared as in the reference. Groups of four: "
        "by-levels-quadruples; what is open beyond: by-levels-open."
    ),
)
