"""For which guard ε the theorems of the papers change: rare successes and large groups.

Statement.   A guard acts as a larger β: by at most the factor √(1 + εG²/(G − 1)) (under the root) or 1 + εG/√(G − 1)
             (beside the deviation), so for the usual 10⁻⁴ and G ≤ 64 by less than 1 %. It decides only where groups are
             large against 1/ε: then, with the guard under the root, success survives π_ref → 0 exactly for β < 1/√ε
             (without guard: always), the policy is a maximum for every reference exactly for β ≤ 2/√(2 + 9ε) or β ≥
             2/√ε. With the direct KL a guard changes existence and number: normaliser_direct_kl.py.
Source.      Question 6 of the project's theory; extends Vojnovic & Yun (2025), Section 2.3.2, and Mroueh (2025),
             Section 2.2.
Domain.      Rewards 0 and 1; 0 < p < 1, β > 0, 0 < ε; real k and G in the range, of which the whole ones are needed.
Derivation.  ratio of the coefficients with and without guard → bounds on β → the limits p → 0 and G → ∞.
Caveats.     Deterministic verifiable rewards. The penalty is KL_0.
Letters.     x and z are two values of success; z is the policy without guard, or in by-guard-rare that for the
             reference p with the limit x; u is the success that a comparison is about; σ is the deviation of a group, v
             the variance; a is the expected advantage of a correct answer, m what β(x − p) is at rest, Δ(x) the gap. k
             is the number of correct members, in sums up to G − 1 without one that is singled out, in sums up to G − 2
             without a correct and a wrong one. Where they are counted u and v are two shares of wrong ones, t and y of
             correct ones.
"""

from grpo_symbolic.paper import *

from .any_group import by_side, gap, success_slope
from .group_size_gap import AS_SLOPE
from .group_size_gap import pairs as gap_as_slope
from .normalisers import INSIDE, OUTSIDE, SUCCESS_SLOPES

claim = Result(__file__).claim

mixed = Domain(G >= 2, k >= 1, k <= G - 1, guard > 0)
several = Domain(G >= 4, k >= 2, k <= G - 2, guard > 0)  # at least two of each kind
unit = Domain(0 < x, x < 1, guard > 0)
within = Domain(0 < v, 4 * v <= 1, guard > 0)
least = (G - 1) / G**2  # the smallest variance of a mixed group
inside_factor, outside_factor = sqrt(1 + guard * G**2 / (G - 1)), 1 + guard * G / sqrt(G - 1)

# Rare successes. The first weight is the gap at x = 0: it is what decides whether success survives.
thresholds = {
    "√(σ² + ε)": (INSIDE, (G - 1) / sqrt(G - 1 + guard * G**2), 1 / sqrt(guard)),
    "σ + ε": (OUTSIDE, (G - 1) / (sqrt(G - 1) + guard * G), 1 / guard),
}


def of_correct(name):
    """The advantage of a correct member, by the number k of correct ones among the other G − 1."""
    correct, wrong = (k + 1) / G, (G - 1 - k) / G  # their product is the variance, the second one reward less mean
    if name == "√(σ² + ε)":
        return wrong / sqrt(correct * wrong + guard)
    return wrong / (sqrt(correct) * sqrt(wrong) + guard)


# u and v are two shares of wrong members, t and y those of correct ones: the fewer wrong, the less.
fewer_wrong = InLetters(
    Always(u / (sqrt(t) * sqrt(u) + guard) - v / (sqrt(y) * sqrt(v) + guard) < 0, label="fewer wrong members"),
    Domain(u >= 0, u < v, y > 0, y < t, guard > 0),
    {u: (G - 2 - k) / G, v: (G - 1 - k) / G, y: (k + 1) / G, t: (k + 2) / G},
)
FALLS = {"√(σ² + ε)": ByDifferences(), "σ + ε": ByDifferences(fewer_wrong)}
both = (k + 1) * (G - 1 - k) / G**2  # the variance of a group
unit_groups = Domain(G >= 2, guard > 0, 0 < x, x < 1)
ADVANTAGES = {name: binomial_mean(of_correct(name), k, G - 1, x) for name in thresholds}
SLOPED = {name: (SUCCESS_SLOPES[name][0], ByDifferences(SUCCESS_SLOPES[name][1])) for name in thresholds}
guarded_advantage = claim(
    "by-guard-advantage",
    On(
        unit_groups,
        Every(
            *(
                Monotone(mean, x, -1, label=f"{name}: it falls").by(ByDifferences())
                for name, mean in ADVANTAGES.items()
            ),
            *(
                Tends(mean, x, 0, thresholds[name][1], label=f"{name}: at 0").by(AtAnEnd())
                for name, mean in ADVANTAGES.items()
            ),
            *(Tends(mean, x, 1, 0, "-", label=f"{name}: at 1").by(AtAnEnd()) for name, mean in ADVANTAGES.items()),
        ),
    ),
    unit_groups,
    because=(
        On(
            unit_groups,
            Every(
                *(
                    Equal(x * mean, SLOPED[name][0], label=f"{name}: x a = m").by(OneMoreDraw(1, 0))
                    for name, mean in ADVANTAGES.items()
                ),
                *(
                    On(
                        unit_groups.also(0 < z, z < x),
                        Always(mean < mean.subs(x, z), label=f"{name}: larger at a smaller success").by(
                            TwoValues(mean, x, unit_groups, (z, x), -1, FALLS[name])
                        ),
                    )
                    for name, mean in ADVANTAGES.items()
                ),
                *(
                    Always(mean < thresholds[name][1], label=f"{name}: below its value at 0").by(
                        AgainstPolynomial(-thresholds[name][1], 1)
                    )
                    for name, mean in ADVANTAGES.items()
                ),
            ),
        ),
    ),
    kind="monotonicity",
    depends_on=["by-norm-coefficients", "by-gap-members"],
    locator="Question 6",
    title="The expected advantage of a correct answer with a guard",
)


def vanishing(name, value, before=(), after=()):
    """That the stationary policy tends to a value as the reference vanishes."""
    m, shape = SLOPED[name]
    at_z = beta * z - m.subs(x, z)
    limit = "0, for β from the threshold on" if value == 0 else "the x at which the advantage is β"
    told = f"{name}: the stationary policy tends to {limit}"
    rule = SolutionOfLimit(at_z, -beta * p, 1, shape=shape, end=AtAnEnd(), before=before, after=after)
    return SolutionTends(at_z - beta * p, z, 0, 1, p, 0, value, label=told).by(rule)


def cited(name, where, *parts):
    """What is said of an advantage, at a success."""
    return at(guarded_advantage, where, *(f"{name}: {part}" for part in parts))


# By the number of correct ones among the other G − 2, of a correct and of a wrong member.
GUARDED_GAPS = {
    "√(σ² + ε)": (binomial_mean((G - 1) / G / sqrt(both + guard), k, G - 2, x), inside_factor),
    "σ + ε": (binomial_mean((G - 1) / G / (sqrt(both) + guard), k, G - 2, x), outside_factor),
}
GAP = ("(1 − x)Δ = a", "below the gap without guard", "by no more than this factor")
guarded_gap = claim(
    "by-guard-gap",
    On(
        unit_groups,
        Every(
            *(
                Always(weaker < gap(G, x), label=f"{name}: {GAP[1]}").by(AgainstPolynomial(Integer(0), 0))
                for name, (weaker, _) in GUARDED_GAPS.items()
            ),
            *(
                Always(factor * weaker >= gap(G, x), label=f"{name}: {GAP[2]}").by(AgainstPolynomial(Integer(0)))
                for name, (weaker, factor) in GUARDED_GAPS.items()
            ),
        ),
    ),
    unit_groups,
    because=(
        On(
            unit_groups,
            Every(
                *(
                    Equal((1 - x) * weaker, ADVANTAGES[name], label=f"{name}: {GAP[0]}").by(OneMoreDraw(0, 1))
                    for name, (weaker, _) in GUARDED_GAPS.items()
                ),
            ),
        ),
    ),
    kind="inequality",
    depends_on=["by-guard-advantage", "by-gap-weight"],
    locator="Question 6",
    title="Bounds on the gap with a guard",
)
compared = Domain(G >= 2, 0 < p, p < 1, beta > 0, guard > 0, 0 < x, x < 1, 0 < z, z < 1)


def sandwiched(name):
    """The stationary policy with a guard is between those without, for β and for β times the factor."""
    factor = GUARDED_GAPS[name][1]
    guarded = compared.also(Eq(p, x - SLOPED[name][0] / beta))
    known = (cited(name, {}, "x a = m"), at(gap_as_slope, {}, *AS_SLOPE))
    weaker, not_much = (at(guarded_gap, {}, f"{name}: {GAP[0]}", f"{name}: {part}") for part in GAP[1:])
    for strong, part, compare, label in (
        (beta, weaker, Lt, "below the policy without guard"),
        (factor * beta, not_much, Ge, "not below that of the larger β"),
    ):
        rule = by_side(G, u, p, strong, using=Follows((*known, part)))
        unguarded = Eq(strong * (z - p), success_slope(G, z), evaluate=False)
        yield On(guarded, Always(Implies(unguarded, compare(x, z)), label=f"{name}: {label}").by(rule))


claim(
    "by-guard-bounds",
    Every(*(statement for name in GUARDED_GAPS for statement in sandwiched(name))),
    mixed,
    because=(
        On(
            several,
            Always(
                k / G * (1 - k / G) > least,
                label="the variance with two members or more of each kind, above that of one alone",
            ),
        ),
        *(
            Equal((k / G * (1 - k / G)).subs(k, one), least, label=f"one alone, k = {told}")
            for one, told in ((1, "1"), (G - 1, "G − 1"))
        ),
        Equal(
            gap_weight(k, G, INSIDE),
            gap_weight(k, G) / sqrt(1 + guard * G**2 / (k * (G - k))),
            label="√(σ² + ε): each weight shrinks",
        ),
        Equal(
            gap_weight(k, G, OUTSIDE),
            gap_weight(k, G) / (1 + guard * G / sqrt(k * (G - k))),
            label="σ + ε: each weight shrinks",
        ),
        On(
            several,
            Always(1 + guard * G**2 / (k * (G - k)) < inside_factor**2, label="√(σ² + ε): by less than with k = 1"),
        ),
        On(several, Always(guard * G / sqrt(k * (G - k)) < outside_factor - 1, label="σ + ε: by less than with k = 1")),
        On(
            unit,
            Monotone(1 / sqrt(x * (1 - x) + guard), guard, -1, label="large groups: a larger guard, a smaller gap"),
        ),
    ),
    kind="inequality",
    depends_on=["by-norm-coefficients", "by-norm-shape", "by-guard-advantage", "by-guard-gap", "by-gap-weight"],
    locator="Question 6",
    title="Bounds on the stationary policy with a guard, by policies without",
)

small = Domain(G >= 2, G <= 64, guard > 0, 10000 * guard <= 1)
claim(
    "by-guard-usual",
    Every(
        On(small, Always(outside_factor < Rational(1001, 1000), label="σ + ε, ε ≤ 10⁻⁴, G ≤ 64: less than 0.1 %")),
        On(small, Always(inside_factor < Rational(1004, 1000), label="√(σ² + ε), ε ≤ 10⁻⁴, G ≤ 64: less than 0.4 %")),
    ),
    Domain(guard > 0),
    because=(
        On(
            Domain(G >= 2, G <= 64, guard > 0, guard <= Rational(1, 10**6)),
            Always(outside_factor < Rational(100001, 100000), label="σ + ε, ε ≤ 10⁻⁶, G ≤ 64: less than 0.001 %"),
        ),
        On(
            Domain(guard > 0, G >= 2),
            Always(
                Equivalent(guard * G**2 > G - 1, inside_factor > sqrt(2)),
                label="√(σ² + ε): more than √2 exactly beyond ε = (G − 1)/G²",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["by-guard-bounds"],
    locator="Question 6",
    title="Factors of β for the usual guards, groups of at most 64",
    remark=(
        "These are the factors of β of by-guard-bounds. They are reached by groups with one success or one "
        "failure; elsewhere the effect is smaller still."
    ),
)


def survives(name, threshold):
    """What π_ref → 0 leaves."""
    mean, same, order = ADVANTAGES[name], "x a = m", "larger at a smaller success"
    from_below, from_above = cited(name, {x: z}, same), cited(name, {}, same)
    return (
        On(
            Domain(G >= 2, guard > 0, beta > 0, beta < threshold),
            OneRoot(mean, x, 0, 1, beta, label=f"{name}: one x at which the advantage is β").by(
                StrictlyMonotone(-1, (threshold, Integer(0)), given=(guarded_advantage,))
            ),
        ),
        On(
            unit_groups.also(beta > 0, Eq(beta, mean)),
            vanishing(
                name,
                x,
                Follows((from_above, from_below, cited(name, {}, order))),
                Follows((from_above, from_below, cited(name, {x: z, z: x}, order))),
            ),
        ),
        On(
            Domain(G >= 2, guard > 0, beta > 0, beta >= threshold),
            vanishing(name, 0, after=Follows((cited(name, {x: z}, same, "below its value at 0"),))),
        ),
    )


claim(
    "by-guard-rare",
    Every(*survives("√(σ² + ε)", thresholds["√(σ² + ε)"][1])[1:]),
    Domain(G >= 2, guard > 0),
    because=(
        survives("√(σ² + ε)", thresholds["√(σ² + ε)"][1])[0],
        *survives("σ + ε", thresholds["σ + ε"][1]),
        *(
            Equal(gap_weight(1, G, advantage), value, label=f"{name}: the gap at 0")
            for name, (advantage, value, _) in thresholds.items()
        ),
        *(
            Always(value < sqrt(G - 1), label=f"{name}: the gap at 0, below that without guard")
            for name, (_, value, _) in thresholds.items()
        ),
        *(
            Always(value < limit, label=f"{name}: a bound for every G")
            for name, (_, value, limit) in thresholds.items()
        ),
        *(
            On(Domain(guard > 0), Tends(value, G, oo, limit, side="-", label=f"{name}: large groups"))
            for name, (_, value, limit) in thresholds.items()
        ),
    ),
    kind="limit",
    depends_on=["by-guard-advantage", "by-norm-coefficients", "by-norm-shape"],
    locator="Question 6",
    title="With a guard: threshold of β for rare successes",
    remark=("β is compared with the gap at 0: the advantage in a group with one success."),
)

# Large groups, π_ref = 0: βx = m(x) inside, squared.
quadratic = (1 + beta**2) * x**2 - (2 + beta**2) * x + 1 - beta**2 * guard
middle = 2 + beta**2
left = (middle - sqrt(middle**2 - 4 * (1 + beta**2) * (1 - beta**2 * guard))) / (2 * (1 + beta**2))
equation = success_equation(oo, x, 0, beta, INSIDE)
claim(
    "by-guard-rare-large-groups",
    Every(
        On(
            Domain(beta > 0, guard > 0, beta**2 * guard < 1),
            UniqueRoot(quadratic, x, left, label="β < 1/√ε: one positive limit"),
        ),
        On(Domain(beta > 0, guard > 0, beta**2 * guard > 1), Roots(quadratic, x, 0, label="β > 1/√ε: none")),
    ),
    Domain(beta > 0, guard > 0),
    because=(
        On(
            unit.also(beta > 0),
            Equal(
                equation * sqrt(x * (1 - x) + guard) / x,
                beta * sqrt(x * (1 - x) + guard) - (1 - x),
                label="the equation at π_ref = 0",
            ),
        ),
        On(unit.also(beta > 0), Equal((1 - x) ** 2 - beta**2 * (x * (1 - x) + guard), quadratic, label="squared")),
        On(Domain(beta > 0), Equal(left.subs(guard, 0), 1 / (1 + beta**2), label="no guard: 1/(1 + β²), always")),
    ),
    kind="limit",
    depends_on=["by-guard-rare", "by-norm-shape"],
    locator="Question 6",
    title="Large groups with a guard: the stationary equation, squared, at a vanishing reference",
)

# Maximum or not: by-max-region uses of the gap only its value, so its curves hold with a guard. Between the two curves
# lies a third one, which joins their ends.
guarded_turn = turning_beta(oo, x) * sqrt(x * (1 - x)) / sqrt(x * (1 - x) + guard)
least_safe, most_unsafe = 2 / sqrt(2 + 9 * guard), 2 / sqrt(guard)
turn, edge, joining = (part / sqrt(x * (1 - x) + guard) for part in (2 * (1 - 2 * x), 1 - x, (1 - x) * (2 - 3 * x)))
claim(
    "by-guard-safe",
    Every(
        On(
            unit.also(beta > 0, beta >= most_unsafe),
            Always(beta > turn, label="safe above: no minimum, as β > 2(1 − 2x)Δ(x)"),
        ),
        On(
            unit.also(3 * x < 1, beta > 0, beta <= least_safe),
            Always(beta < edge, label="safe below: up to ⅓ nothing is stationary, as β < (1 − x)Δ(x)"),
        ),
        On(
            Domain(guard > 0, beta > least_safe, beta < most_unsafe),
            TakesValue(
                joining, x, 0, Rational(1, 3), beta, label="in between: β is between the curves at some x < ⅓"
            ).by(IntermediateValue(rising=False)),
        ),
    ),
    unit,
    because=(
        On(unit, Equal(guarded_turn, 2 * (1 - 2 * x) * advantage_gap(oo, x, INSIDE), label="the curve 2(1 − 2x)Δ(x)")),
        On(unit, Equal(guarded_turn, turn, label="the same curve, with x(1 − x) for x − x²")),
        On(unit, Equal((1 - x) * advantage_gap(oo, x, INSIDE), edge, label="the curve (1 − x)Δ(x)")),
        On(unit.also(2 * x < 1), Monotone(guarded_turn, x, -1, label="2(1 − 2x)Δ(x) falls up to ½")),
        On(unit, Monotone((1 - x) * advantage_gap(oo, x, INSIDE), x, -1, label="(1 − x)Δ(x) falls")),
        On(
            Domain(guard > 0),
            Equal(guarded_turn.subs(x, Rational(1, 3)), least_safe, label="2(1 − 2x)Δ(x) at ⅓"),
        ),
        On(Domain(guard > 0), Tends(guarded_turn, x, 0, most_unsafe, label="2(1 − 2x)Δ(x) at 0")),
        On(
            unit.also(3 * x >= 1, beta > edge),
            Always(beta > turn, label="from ⅓ on no minimum where x is stationary for some p"),
        ),
        On(
            unit.also(3 * x < 1),
            Always(
                And(edge < joining, joining < turn),
                label="β = (1 − x)(2 − 3x)/σ_ε(x): stationary for some p, and a minimum",
            ),
        ),
    ),
    kind="convexity",
    depends_on=["by-max-region", "by-norm-shape"],
    locator="Question 6",
    title="Large groups with a guard: bounds on β for a local maximum at any reference",
    remark=(
        "x is stationary for p = x − x(1 − x)Δ(x)/β, which is positive where (1 − x)Δ(x) < β. It is a strict local "
        "maximum for β > 2(1 − 2x)Δ(x), a strict local minimum for smaller β, by by-max-region. Without guard the "
        "lower bound on β is √2, and there is no upper one (by-max-safe-beta, by-max-safe-sharp); groups of two and "
        "three: ⅔γ and 2γ (vy-s13-safe-regularisation) with the γ of by-norm-small-groups."
    ),
)
