"""Boundary policies: which policies that give up answers satisfy the KKT conditions, at every group size.

Statement.   Verifiable rewards, π_old = π with support S. The KKT conditions hold at a policy that gives up answers
             exactly when it keeps every correct answer, has equal slopes on its support, and the kept wrong answers
             have a reference mass s with β(1 − p − s) ≤ (1 − s)Δ_G(s) (s = 0 included: all mass on correct answers,
             β(1 − p) ≤ √(G − 1)). Policies without a correct answer never satisfy them. For β ≤ 2(1 − 1/G) every set
             of wrong answers may be given up; success is then larger than at the interior stationary policy.
             With one correct and one wrong answer, p ≥ ½: δ at the correct one is the global maximum of its own
             objective exactly where it satisfies the KKT conditions.
Source.      Question 2 of the project's theory; extends Vojnovic & Yun (2025), Section 2.3, (11) and Appendix A
             (vy-s23-boundary-policy) to every G.
Domain.      Rewards 0 and 1; p = π_ref(correct), s = π_ref(kept wrong answers), 0 < p, 0 ≤ s, p + s ≤ 1; G = 2, 3, …; β
             > 0.
Derivation.  frozen objective: used answers have the slope P(o) − β(1 − π_ref(o)/π(o)), unused ones P(o) → equal slopes
             on S, no larger ones outside.
Caveats.     KKT is necessary, not sufficient, for a maximum. An answer that is given up is never sampled again, so
             nothing brings it back.
Letters.     p is what the reference gives to the used correct answers (u in the slopes of any number of them), s what
             it gives to the used wrong ones, x the success; t and −v are the expected advantages of the two classes, π⁺
             and π⁻ are the n₊ correct and n₋ wrong answers that are used, π'⁺ and π'⁻ the k correct and n wrong ones
             that are given up. Inside a class (equal slopes are equal ratios) y and z are two entries of the reference,
             u and v those of the policy; in the slopes of three answers y, z and u are the policy. In
             by-boundary-small-beta t is the gap, u is p + s and z the success of the interior policy; in
             by-boundary-global t is √(G − 1) and z the policy. Δ_G(x) is the gap of the expected advantages of right
             and wrong answers.
"""

from grpo_symbolic.paper import *
from grpo_symbolic.proof import at as cited

from .any_group import by_side, excess, gap, one_policy, stationary, success_slope
from .group_size_gap import AS_SLOPE, bounds, gap_shape
from .group_size_gap import pairs as gap_as_slope

claim = Result(__file__).claim

three = Answers(3)


# One correct answer and two wrong ones; the second wrong one is given up. Then all wrong ones, then the correct one.
kept = Domain(0 < x, x < 1, 0 < p, 0 < s, p + s < 1, beta > 0)
on_support = Eq(beta * ((p + s) * x - p), success_slope(G, x), evaluate=False)
of_correct, of_kept = t - beta * (1 - p / x), -v - beta * (1 - s / (1 - x))  # the slopes of the two used answers
frozen_at = grpo(beta).value((y, z, u), (x, 1 - x, 0), (p, s, 1 - p - s), lambda a: (t, -v, -v)[a], three)
claim(
    "by-boundary-slopes",
    Every(
        Always(
            Implies(
                Eq(t + v, gap(G, x), evaluate=False),
                Equivalent(Eq(of_correct, of_kept, evaluate=False), on_support),
                evaluate=False,
            ),
            label="equal slopes of the used answers, t and −v the expected advantages of the classes",
        ).by(
            Then(
                (
                    Always(Eq(success_slope(G, x), x * (1 - x) * gap(G, x), evaluate=False)).by(
                        Follows((gap_as_slope,), AS_SLOPE)
                    ),
                )
            )
        ),
        Always(
            Equivalent(-v > of_kept, s < 1 - x),
            label="the unused wrong answer, of slope −v, against the used one",
        ),
    ),
    kept.also(G >= 2, t > 0, v > 0),
    because=(
        *(
            On(
                kept.also(y > 0, z > 0, Eq(y, x), Eq(z, 1 - x), 0 < u, 0 < t, 0 < v),
                Equal(Derivative(frozen_at, letter), slope, label=f"the slope of the {which} answer"),
            )
            for letter, slope, which in (
                (y, of_correct, "correct"),
                (z, of_kept, "kept wrong"),
                (u, -v, "unused wrong"),
            )
        ),
        On(
            kept.also(0 < t, 0 < v),
            Equal(
                of_correct - of_kept,
                t + v - beta * ((p + s) * x - p) / (x * (1 - x)),
                label="any expected advantages t and −v of the classes",
            ),
        ),
    ),
    kind="identity",
    locator="Question 2",
    title="Slopes at a policy that gives up a wrong answer",
    depends_on=["by-gap-classes", "by-gap-weight"],
    remark="One correct, one kept and one unused wrong answer; p, s and the rest are their references. That the gap of "
    "groups of G is this sum is by-gap-classes.",
)


# Any number of answers: the used ones of each class, correct ones first, and those that are given up. The reference
# gives u to the used correct answers, s to the used wrong ones; t and −v are the expected advantages.
def used(policy, sampler, reference, size, preference, at=None):
    """Answers of one class that the policy keeps: what they add to its objective, and one of them."""
    term = preference * y - beta * sampler[o] * k3(y, reference[o])
    slope = preference - beta * sampler[o] * (1 / y - reference[o] / y**2)
    whole = grpo(beta).value(policy, sampler, reference, lambda a: preference, Answers(size))
    return whole, Place(Summand(term, y, policy, o, size), slope, at, sampler)


def given_up(policy, size, preference):
    """Answers of one class that it gives up: no group has them, so their preferences alone count."""
    return preference * Sum(policy[o], (o, 1, size)), Place(Summand(preference * y, y, policy, o, size), preference)


def together(*classes):
    """The objective, and the classes."""
    whole = sum(value for value, _ in classes)
    none = {total: 0 for total in whole.atoms(Sum) if total.function == 0}  # what answers without a preference add
    return whole.xreplace(none), tuple(place for _, place in classes)


correct, wrong = (hit, hit_old, hit_ref, n_hit), (miss, miss_old, miss_ref, n_miss)
hits = (positives(hit, n_hit), positives(hit_old, n_hit), n_hit >= 1)
misses = (positives(miss, n_miss), positives(miss_old, n_miss), n_miss >= 1)
lone_success = advantage_in_group(1, 1, G)
claim(
    "by-boundary-correct-kept",
    Every(
        On(
            Domain(
                *hits,
                *misses,
                simplex(hit_ref, n_hit, total=u),
                simplex(miss_ref, n_miss, total=s),
                *(reals(hit_rest, k), k >= 1, reals(miss_rest, n), n >= 0),
                *(0 < u, 0 < s, u + s < 1, beta > 0, t > 0, v > 0),
            ),
            ViolatesKKT(
                *together(used(*correct, t), used(*wrong, -v), given_up(hit_rest, k, t), given_up(miss_rest, n, -v)),
                label="correct and wrong answers used, some correct one not",
            ).by(TooRare((hit_ref[o], miss_ref[o]), u + s, 2)),
        ),
        On(
            Domain(
                *hits,
                simplex(hit_ref, n_hit, total=u),
                *(reals(hit_rest, k), k >= 1, reals(miss_rest, n), n >= 0),
                *(0 < u, u < 1, beta > 0, v > 0),
            ),
            ViolatesKKT(
                *together(used(*correct, Integer(0)), given_up(hit_rest, k, Integer(0)), given_up(miss_rest, n, -v)),
                label="correct answers only, and not all",
            ).by(TooRare((hit_ref[o],), u, 1)),
        ),
        On(
            Domain(
                *misses,
                simplex(miss_ref, n_miss, total=s),
                *(reals(hit_rest, k), k >= 1, reals(miss_rest, n), n >= 0),
                *(0 < s, s < 1, beta > 0, G >= 2),
            ),
            ViolatesKKT(
                *together(
                    used(*wrong, Integer(0)), given_up(hit_rest, k, lone_success), given_up(miss_rest, n, Integer(0))
                ),
                label="wrong answers only: a lone success would have √(G − 1)",
            ).by(TooRare((miss_ref[o],), s, 1)),
        ),
    ),
    Domain(0 < u, u < 1, beta > 0),
    kind="inequality",
    locator="Question 2",
    title="Correct answers under a KKT policy",
    depends_on=["by-boundary-slopes"],
    short="correct and wrong answers used, some correct one not",
    remark=(
        "An unused correct answer has the expected advantage t of the used ones without the gradient −β(1 − "
        "π_ref(o)/π(o)) to the reference."
    ),
)

# All correct answers are kept, with the success x, and wrong ones of the reference mass s. At x = 1 − s these have
# exactly this mass: the equation there decides whether x ≥ 1 − s.
supported = Domain(
    *hits,
    *misses,
    simplex(hit_ref, n_hit, total=p),
    simplex(miss_ref, n_miss, total=s),
    *(reals(miss_rest, n), n >= 1, 0 < x, x < 1, 0 < p, 0 < s, p + s < 1, beta > 0, t),
)
solving = beta * ((p + s) * x - p) / (x * (1 - x))  # the gap for which x solves the equation
at_kept = Domain(G >= 2, 0 < x, x < 1, 0 < p, 0 < s, p + s < 1, beta > 0)
condition = (beta * (1 - p - s), (1 - s) * gap(G, s))
by_condition = by_side(
    G,
    z,
    p / (p + s),
    beta * (p + s),
    using=Follows((cited(gap_as_slope, {x: 1 - s}, *AS_SLOPE), cited(gap_shape, {x: s}, "symmetric"))),
)
ABOVE = "β(1 − p − s) < (1 − s)Δ_G(s): x > 1 − s"
given_up_if = claim(
    "by-boundary-condition",
    Every(
        On(
            supported,
            SatisfiesKKT(
                *together(
                    used(*correct, t, hit_ref[o] * x / p),
                    used(*wrong, t - solving, miss_ref[o] * (1 - x) / s),
                    given_up(miss_rest, n, t - solving),
                ),
                x >= 1 - s,
                label="success x, that solves the equation on the support",
            ),
        ),
        *(
            On(
                at_kept,
                Always(Implies(And(on_support, relation(*condition)), relation(1 - s, x)), label=label).by(
                    by_condition
                ),
            )
            for relation, label in (
                (Lt, ABOVE),
                (Gt, "β(1 − p − s) > (1 − s)Δ_G(s): x < 1 − s"),
                (Eq, "β(1 − p − s) = (1 − s)Δ_G(s): x = 1 − s"),
            )
        ),
    ),
    Domain(0 < s, s < 1, 0 < p, p + s < 1, beta > 0),
    because=(
        On(
            Domain(0 < x, x < 1, 0 < p, 0 < s, p + s < 1, beta > 0, t, v),
            Always(
                Equivalent(Eq(t - beta * (1 - p / x), -v - beta * (1 - s / (1 - x))), Eq(t + v, solving)),
                label="the equation: equal slopes on the support",
            ),
        ),
        On(
            Domain(beta > 0, 0 < y, 0 < z, 0 < u, 0 < v, t),
            Always(
                Implies(Eq(t - beta * (1 - y / u), t - beta * (1 - z / v)), Eq(y / u, z / v)),
                label="equal slopes within a class are equal ratios; y and z are of π_ref, u and v of π",
            ),
        ),
        On(
            Domain(G >= 2, 0 < p, 0 < s, p + s < 1, beta > 0),
            OneRoot(excess(G, x, p / (p + s), beta * (p + s)), x, 0, 1, label="one success solves the equation").by(
                one_policy(p / (p + s), beta * (p + s))
            ),
        ),
    ),
    kind="inequality",
    locator="Question 2",
    title="Condition for giving up wrong answers",
    depends_on=[
        "by-boundary-slopes",
        "by-boundary-correct-kept",
        "by-gap-shape",
        "by-gap-weight",
        "by-stationary-unique",
    ],
    short="success x, that solves the equation on the support",
)

claim(
    "by-boundary-all-correct",
    On(
        Domain(
            *hits,
            simplex(hit_ref, n_hit, total=p),
            *(reals(miss_rest, n), n >= 1, 0 < p, p < 1, beta > 0, G >= 2),
        ),
        SatisfiesKKT(
            *together(used(*correct, Integer(0), hit_ref[o] / p), given_up(miss_rest, n, -sqrt(G - 1))),
            beta * (1 - p) <= sqrt(G - 1),
            label="any number of answers",
        ),
    ),
    Domain(0 < p, p < 1, beta > 0),
    because=(
        On(
            Domain(G >= 2),
            Equal(advantage_in_group(0, G - 1, G), -sqrt(G - 1), label="a lone wrong member among correct ones"),
        ),
        On(
            Domain(0 < p, p < 1, beta > 0, G >= 2),
            Always(
                Implies(beta <= sqrt(G - 1), beta * (1 - p) < sqrt(G - 1)),
                label="for every reference where β ≤ √(G − 1)",
            ),
        ),
    ),
    kind="inequality",
    locator="Question 2",
    title="Mass on the correct answers alone, in the proportions of the reference",
    depends_on=["by-gap-members"],
    remark=(
        "For β ≤ √(G − 1) the condition holds for every reference, as a step shows. The same constant is that of "
        "by-rare-jump, below which rare successes survive."
    ),
)

claim(
    "by-boundary-small-beta",
    Every(
        On(
            at_kept.also(beta * G <= 2 * (G - 1)),
            Always(Implies(on_support, 1 - s < x), label="small β: the success on the support meets the condition").by(
                Follows((cited(given_up_if, {}, ABOVE), cited(bounds, {x: s}, "from below")))
            ),
        ),
        On(
            at_kept.also(0 < z, z < 1),
            Always(
                Implies(And(stationary(G, z, p), on_support), z < x),
                label="and any β: it exceeds the success z of the interior policy",
            ).by(by_side(G, u, p / (p + s), beta * (p + s))),
        ),
    ),
    at_kept,
    because=(
        On(
            Domain(0 < p, 0 <= s, p + s < 1, G >= 2, beta > 0, beta * G <= 2 * (G - 1), t >= 2 * (G - 1) / G),
            Always(beta * (1 - p - s) < (1 - s) * t, label="the condition, for every s"),
        ),
        On(
            Domain(0 < u, u < 1, 0 < p, p < u, 0 < x, x < 1),
            Monotone(u * (x - p / u), u, 1, label="(p + s)x − p grows with the support, so x falls"),
        ),
        On(
            Domain(0 < p, 0 < s, p + s < 1, beta > 0),
            Exists(
                beta * (1 - p - s) > (1 - s) * advantage_gap(4, s),
                {p: Rational(1, 10), s: Rational(1, 2), beta: Rational(3)},
                label="not for every β: G = 4, β = 3, p = 1/10, s = ½",
            ),
        ),
    ),
    kind="inequality",
    locator="Question 2",
    title="Small β: supports of KKT policies, and their success",
    depends_on=["by-boundary-condition", "by-boundary-all-correct", "by-gap-bounds"],
    remark=(
        "The condition for giving up wrong answers, x ≥ 1 − s, is by-boundary-condition; all mass on correct "
        "answers, s = 0, is by-boundary-all-correct."
        " s is the reference probability of the wrong answers that keep mass, p that of the correct ones."
    ),
)

# One correct and one wrong answer, the policy δ at the correct one: the objective it freezes, and its global maximum.
corner = Domain(0 < p, p < 1, beta > 0, t > 0)  # t = √(G − 1)
value = grpo(beta).value((z, 1 - z), binary(1), binary(p), lambda a: (0, -t)[a], Answers(2))
rise, climb = diff(value, z), t - beta * (z - p) / z**2
after = corner.also(0 < z, z <= y, y <= 1, 2 * p >= 1, t * z**2 < beta * (z - p))
LARGEST = (
    ((beta < 4 * p * t,), "β < 4p√(G − 1): the one global maximum"),
    ((2 * p >= 1, beta * (1 - p) < t), "p ≥ ½, β(1 − p) < √(G − 1): the one global maximum"),
)


def largest(where, label):
    """That nothing below 1 does as well."""
    return Always(value < value.subs(z, 1), label=label).by(
        TwoValues(value, z, corner.also(0 < z, z <= 1, *where), (z, 1), 1, SignOfDerivative(climb))
    )


claim(
    "by-boundary-global",
    Every(
        On(
            corner.also(0 < z, z < 1, Or(*(And(*where) for where, _ in LARGEST))),
            Always(value < value.subs(z, 1), label="the one global maximum").by(
                InEachCase(tuple((And(*where), Then((largest(where, label),))) for where, label in LARGEST))
            ),
        ),
        On(
            corner.also(0 < z, z < 1, 2 * p >= 1, t * z**2 < beta * (z - p)),
            Always(value > value.subs(z, 1), label="p ≥ ½, β(1 − p) > √(G − 1): z near 1 does better").by(
                TwoValues(value.subs(z, y), y, after, (z, 1), -1, SignOfDerivative(climb.subs(z, y)))
            ),
        ),
    ),
    corner.also(0 < z, z < 1),
    because=(
        *(On(corner.also(0 < z, z < 1, *where), largest(where, label)) for where, label in LARGEST),
        On(
            corner.also(0 < z, z <= 1, beta < 4 * p * t),
            Always(climb > 0, label="β < 4p√(G − 1): rising all the way"),
        ),
        On(
            corner.also(0 < z, z < 1, 2 * p >= 1, beta * (1 - p) <= t),
            Always(climb > 0, label="p ≥ ½, β(1 − p) ≤ √(G − 1): rising all the way"),
        ),
        On(
            corner.also(2 * p >= 1, beta * (1 - p) > t),
            Tends(
                t * z**2 - beta * (z - p),
                z,
                1,
                t - beta * (1 - p),
                "-",
                label="p ≥ ½, β(1 − p) > √(G − 1): the slope times z² is negative near 1",
            ),
        ),
        Equal(rise, climb, label="the slope in z"),
        On(
            corner.also(0 < z, z < 1),
            Exists(
                And(beta * (1 - p) <= t, value > value.subs(z, 1)),
                {p: Rational(1, 100), t: 1, beta: 1, z: Rational(1, 50)},
                label="p = 1/100, β = 1, G = 2: KKT holds, and z = 1/50 does better",
            ),
        ),
    ),
    kind="convexity",
    locator="Question 2",
    title="Certainty of success as the global maximum of its own objective",
    depends_on=["by-boundary-all-correct"],
    remark="t is √(G − 1), what a lone wrong answer is worse off by: by-gap-members.",
)
