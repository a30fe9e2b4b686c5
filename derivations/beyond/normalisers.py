"""Guards, sample deviation, leave-one-out, none, batch deviation: one theory, with another concave function in the
place of √(t(1 − t)).

Statement.   Whatever the normaliser, β(x − p) = m(x) with m the Bernstein polynomial of degree G of f(t(1 − t)), f(v) =
             √v as published, v/√(v + ε), v/(s√v + ε), √(1 − 1/G)√v (sample deviation), v (none), Gv/(G − 1)
             (leave-one-out), v/c (batch). All are increasing and concave, so existence, uniqueness and x > p survive.
             For G = 2 and 3, and for none, leave-one-out and batch at every G, m = γ x(1 − x) and the stationary policy
             is (14) with that γ. Sample deviation replaces β by β√(G/(G − 1)), nothing else.
Source.      Question 6 of the project's theory; extends Vojnovic & Yun (2025), (14), (15), Section 3, and Mroueh
             (2025), Section 2.2.
Domain.      Rewards 0 and 1, penalty KL_0, G = 2, 3, …, ε > 0, c > 0; any number of answers and any rewards where
             nothing is divided by.
Derivation.  advantages of a group with k correct members → coefficients → shape of f → closed forms.
Caveats.     The batch's deviation is constant in the gradient; by-norm-batch-consistent lets it be that of the policies
             themselves, for large batches. For which ε a guard matters: normaliser_guards.py.
Letters.     c is a deviation of the whole batch, s the factor √(G/(G − 1)) of the sample's, or β/(1 − 1/G); v is a
             variance, v(o) that of a prompt o of weight μ(o) and mean reward r(o). In by-norm-batch-consistent x is the
             mean failure, f in the labels, v the one that c brings about, at the rate t. In by-norm-none-unique π̃ is a
             second policy, s and t are the slopes of both; elsewhere t is any number. u, v and y are three variances in
             a row; x is success, p that of the reference, m(x) what β(x − p) is at rest; k is the number of correct
             members of a group, in sums up to G − 2 that of the correct ones beside a correct and a wrong one. σ is the
             deviation of a group, ε a guard, Δ_G(x) the gap for groups divided by σ. (14) and (15) are equations of
             Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

from ..vojnovic_yun.shift_only import preference
from .any_group import gap, success_slope

claim = Result(__file__).claim

INSIDE, OUTSIDE = Advantage(guard=guard), Advantage(guard=guard, guard_inside=False)
SAMPLE, SAMPLE_GUARD = (
    Advantage(sample_deviation=True),
    Advantage(sample_deviation=True, guard=guard, guard_inside=False),
)
OTHERS, BATCH = Advantage(scaled=False, leave_one_out=True), Advantage(fixed_deviation=scale)
variance = k / G * (1 - k / G)
# name: the advantage, f at the group's variance, the gap for G = 2, for G = 3
NORMALISERS = {
    "√(σ² + ε)": (INSIDE, variance / sqrt(variance + guard), 1 / sqrt(1 + 4 * guard), 2 / sqrt(2 + 9 * guard)),
    "σ + ε": (OUTSIDE, variance / (sqrt(variance) + guard), 1 / (1 + 2 * guard), 2 / (sqrt(2) + 3 * guard)),
    "sample σ": (SAMPLE, sqrt(1 - 1 / G) * sqrt(variance), 1 / sqrt(2), 2 / sqrt(3)),
    "sample σ + ε": (
        SAMPLE_GUARD,
        variance / (sqrt(variance * G / (G - 1)) + guard),
        1 / (sqrt(2) + 2 * guard),
        2 / (sqrt(3) + 3 * guard),
    ),
    "no division": (SHIFT_ONLY, variance, Rational(1, 2), Rational(2, 3)),
    "leave-one-out": (OTHERS, variance * G / (G - 1), 1, 1),
    "batch": (BATCH, variance / scale, 1 / (2 * scale), 2 / (3 * scale)),
}
UNDIVIDED = ("no division", "batch")  # v itself, or by one number for all groups
mixed = Domain(G >= 2, k >= 1, k <= G - 1, guard > 0, scale > 0)
unit = Domain(0 < x, x < 1, guard > 0, scale > 0)


def group(advantage, correct, size):
    """The advantage of a correct member of one group, from the definition."""
    return advantage.of_group([1] * correct + [0] * (size - correct))[0]


def enumerated(advantage, size):
    """P_G(correct) − P_G(wrong): every group enumerated from the definition."""
    first, last = (advantage.preference(a, binary(x), (1, 0), Answers(2), size, o) for a in (0, 1))
    return first - last


claim(
    "by-norm-coefficients",
    Every(
        *(
            Equal(k / G * advantage_in_group(1, k, G, advantage), f.subs(variance, v), label=name)
            for name, (advantage, f, *_) in NORMALISERS.items()
            if name not in UNDIVIDED
        ),
        *(
            On(
                Domain(guard > 0, scale > 0),
                Equal(
                    group(advantage, c, size),
                    (f * G / k).subs({k: c, G: size}),
                    label=f"advantage by definition, {name}, {c} of {size}",
                ),
            )
            for name, (advantage, f, *_) in NORMALISERS.items()
            for c, size in ((1, 2), (1, 3))
        ),
    ),
    mixed.also(Eq(v, variance)),
    because=tuple(
        Equal(k / G * advantage_in_group(1, k, G, advantage), f.subs(variance, v), label=name)
        for name, (advantage, f, *_) in NORMALISERS.items()
        if name in UNDIVIDED
    ),
    locator="Question 6",
    title="Coefficients of a group with k correct members of G, by normaliser",
    depends_on=["by-gap-members", "by-gap-weight"],
    remark="The first four are of √(σ² + ε), σ + ε, the sample's σ, and σ + ε with the sample's σ. On the left is k/G "
    "times the advantage of a correct member, on the right the same in terms of v, the variance of the rewards of the "
    "group.",
)

size_variance = Domain(0 < v, 4 * v <= 1, guard > 0, s >= 1)

# m is the expectation of f(v_k), v_k the variance of a group with k correct members: the second differences of v_k are
# negative, and f is increasing and concave. u, v, y are three variances in a row.
three_in_a_row = Domain(u >= 0, v >= 0, y > 0, u + v < 2 * y, guard > 0)
stretched = k * (G - k) / (G * (G - 1))  # the sample variance


def in_a_row(value):
    """The three variances, as functions of the number of correct members."""
    return {u: value, y: value.subs(k, k + 1), v: value.subs(k, k + 2)}


def bends(f, tangent):
    """That f(u) + f(v) ≤ 2f(y), by f(u) and f(v) being below the tangent at y, whose slope is given: x and s are what
    f gains from y to u and to v.
    """
    gains = {x: f(u) - f(y), s: f(v) - f(y), t: tangent, u: u - y, v: v - y}
    below = InLetters(Always(x + s < 0), Domain(x <= t * u, s <= t * v, t > 0, u + v < 0), gains)
    less = Always(f(u) - 2 * f(y) + f(v) < 0, label="a concave function of the variance").by(below)
    weakly = Always(2 * f(y) - f(u) - f(v) >= 0, label="weakly")
    return weakly.by(InLetters(less, three_in_a_row, {q: q for q in (u, v, y)}))


def inside_root(q):
    return q / sqrt(q + guard)


def outside_root(q):
    return q / (sqrt(q) + guard)


inside_slope = (y + 2 * guard) / (2 * sqrt(y + guard) ** 3)
outside_slope = (sqrt(y) + 2 * guard) / (2 * (sqrt(y) + guard) ** 2)
plain_variance = k * (G - k) / G**2
# name: m, and why its coefficients are concave
SUCCESS_SLOPES = {
    "√(σ² + ε)": (
        binomial_mean(inside_root(plain_variance), k, G, x),
        InLetters(bends(inside_root, inside_slope), three_in_a_row, in_a_row(plain_variance)),
    ),
    "σ + ε": (
        binomial_mean(outside_root(plain_variance), k, G, x),
        InLetters(bends(outside_root, outside_slope), three_in_a_row, in_a_row(plain_variance)),
    ),
    "sample σ": (sqrt(1 - 1 / G) * success_slope(G, x), ()),
    "sample σ + ε, times G/(G − 1)": (
        binomial_mean(outside_root(stretched), k, G, x),
        InLetters(bends(outside_root, outside_slope), three_in_a_row, in_a_row(stretched)),
    ),
    "no division": (binomial_mean(plain_variance, k, G, x), ()),
    "leave-one-out": (binomial_mean(stretched, k, G, x), ()),
    "batch": (binomial_mean(plain_variance / scale, k, G, x), ()),
}


def strength(name):
    """β as it stands in an equation, which may have been multiplied."""
    return beta * G / (G - 1) if "times" in name else beta


policies = Domain(G >= 2, 0 < p, p < 1, beta > 0, guard > 0, scale > 0)
claim(
    "by-norm-shape",
    Every(
        *(
            OneRoot(strength(name) * (x - p) - m, x, 0, 1, label=f"{name}: one policy").by(
                ConvexBetweenLimits((-strength(name) * p, strength(name) * (1 - p)), ByDifferences(using), AtAnEnd())
            )
            for name, (m, using) in SUCCESS_SLOPES.items()
        ),
        *(
            On(
                policies.also(0 < x, x < 1),
                Always(m > 0, label=f"{name}: above the reference, β(x − p) being m").by(
                    AgainstPolynomial(Integer(0), 1)
                ),
            )
            for name, (m, _) in SUCCESS_SLOPES.items()
        ),
        On(size_variance, Monotone(v / sqrt(v + guard), v, 1, label="√(σ² + ε): increasing in the variance")),
        On(size_variance, Curved(v / sqrt(v + guard), v, -1, label="and concave")),
        On(
            size_variance,
            Monotone(v / (s * sqrt(v) + guard), v, 1, label="σ + ε, population (s = 1) or sample: increasing"),
        ),
        On(size_variance, Curved(v / (s * sqrt(v) + guard), v, -1, label="and concave")),
        OneRoot(success_equation(oo, x, p, beta, INSIDE), x, 0, 1, label="√(σ² + ε), large groups").by(
            ConvexBetweenLimits((-beta * p, beta * (1 - p)))
        ),
    ),
    policies,
    kind="uniqueness",
    depends_on=["by-norm-coefficients", "by-stationary-equation"],
    locator="Question 6",
    title="Existence and uniqueness of the stationary policy, by normaliser",
    short=("√(σ² + ε): one policy", "σ + ε: one policy", "sample σ: one policy", "no division: one policy"),
    remark="The penalty is KL_0. Under it x > p, the amplification that Mroueh has for KL(π‖π_ref), holds for these "
    "normalisers too.",
)

claim(
    "by-norm-small-groups",
    Every(
        *(
            Equal(enumerated(advantage, 2), pair, label=f"{name}, G = 2")
            for name, (advantage, _, pair, _) in NORMALISERS.items()
        ),
        *(
            Equal(enumerated(advantage, 3), triple, label=f"{name}, G = 3")
            for name, (advantage, _, _, triple) in NORMALISERS.items()
        ),
    ),
    unit,
    locator="Question 6",
    title="Groups of two and three: the margin γ of each normaliser",
    depends_on=["by-norm-coefficients", "by-gap-closed-forms"],
    short=("√(σ² + ε), G = 2", "σ + ε, G = 2", "√(σ² + ε), G = 3", "σ + ε, G = 3"),
    remark="The gap is constant, so (14) holds with this γ (by-norm-closed-form). It can exceed 1, which theorems "
    "that suppose a margin of at most 1 do not cover.",
)

# The closed form, from the equation: groups of four without a normaliser solved.
d = Derivation("by-norm-none", Domain(0 < p, p < 1, beta > 0, 0 < x, x < 1))
F = d.start(success_equation(4, x, p, beta, SHIFT_ONLY), "β(x − p) − m(x), which vanishes at the stationary policy")
root = d.solve(d.clear_denominators(F, Rational(4, 3), x, "divided by γ = 3/4"), x, inside=(0, 1))
claim(
    "by-norm-closed-form",
    UniqueRoot(beta * (x - p) - gamma * x * (1 - x), x, pairs(beta / gamma, p), label="any margin γ: (14)"),
    Domain(0 < p, p < 1, beta > 0, gamma > 0),
    because=(Equal(root, pairs(4 * beta / 3, p), label="no division, G = 4, γ = ¾: the root"),),
    by=d,
    locator="Question 6",
    title="The stationary policy in closed form, with the γ of the normaliser",
    depends_on=["by-norm-small-groups", "by-norm-no-division"],
    remark="The margins γ are in by-norm-small-groups and by-norm-no-division.",
)

claim(
    "by-norm-no-division",
    Every(
        *(
            On(
                Domain(G >= 2, 0 < x, x < 1, scale > 0),
                Equal(binomial_mean(weight, k, G - 2, x), weight, label=f"{name}: the gap").by(
                    AgainstPolynomial(weight)
                ),
            )
            for name, weight in (
                ("no division", 1 - 1 / G),
                ("leave-one-out", Integer(1)),
                ("batch", (1 - 1 / G) / scale),
            )
        ),
    ),
    mixed,
    because=(
        Equal(gap_weight(k, G, SHIFT_ONLY), 1 - 1 / G, label="no division: every weight alike, so the gap for every G"),
        Equal(gap_weight(k, G, OTHERS), 1, label="leave-one-out"),
        Equal(gap_weight(k, G, BATCH), (1 - 1 / G) / scale, label="batch deviation c"),
        On(unit, Equal(advantage_gap(oo, x, SHIFT_ONLY), 1, label="no division, large groups: the gap")),
    ),
    locator="Question 6",
    title="The gap without a deviation of the group's own, any group size",
    depends_on=["by-norm-coefficients", "vy-s3-shift-only"],
    remark=(
        "So γ depends on the group size by no more than the factor 1 − 1/G, and π_ref → 0 leaves a "
        "positive success probability exactly for β < γ, at every G (by-rare-jump for groups of two)."
    ),
)

# Any rewards, any finite number of answers, nothing divided by: the on-policy gradient is that of a concave function.
everything = Domain(n >= 2, G >= 2, beta > 0, simplex(pi, n), simplex(ref, n), reals(r, n))
J = grpo(beta, G, advantage=SHIFT_ONLY).value(pi, old, ref, preference, Answers(n))
concave = (1 - 1 / G) * Sum(pi[o] * r[o], (o, 1, n)) - beta * forward_kl(pi, ref, Answers(n), o)
slope, plain = identify(partial(J, pi[o]), old, pi), partial(concave, pi[o])
rival = plain.subs(pi[o], other[o])
apart = Sum(beta * ref[o] * (pi[o] - other[o]) ** 2 / (pi[o] * other[o]), (o, 1, n))
even = [Rational(1, 2)] * 2
ties = {n: 2, G: 2, beta: 1, pi: even, other: even, ref: even, r: [0, 0], s: 1, t: 1}  # two answers alike
claim(
    "by-norm-none-unique",
    InEveryEntry(
        (Eq(plain, s, evaluate=False), Eq(rival, t, evaluate=False)),
        Eq(pi[o], other[o], evaluate=False),
        o,
        n,
        label="two policies, each with one slope for all answers, are one",
    ).by(NothingLeft(Sum((other[o] - pi[o]) * (s - t), (o, 1, n)), apart.function, example=ties)),
    everything.also(simplex(other, n), s, t),
    because=(
        On(
            everything,
            Every(
                Equal(
                    (slope - slope.subs(o, o_)) - (plain - plain.subs(o, o_)),
                    0,
                    label="the gradient, less its value at another answer, is that of the function below",
                ),
                ConcaveInPolicy(concave, (pi,), label="a strictly concave function").by(
                    Separable((Summand((1 - 1 / G) * t * r[o] - beta * ref[o] * log(ref[o] / t), t, pi, o, n),))
                ),
            ),
        ),
        On(
            everything.also(simplex(other, n)),
            AtLeast(
                Sum((pi[o] - other[o]) * (rival - plain), (o, 1, n)),
                0,
                (Eq(pi[o], other[o], evaluate=False),),
                label="the slopes of that function at two policies",
            ).by(TermByTerm((apart,))),
        ),
        On(
            everything.also(simplex(other, n), s, t),
            Equal(
                Sum((pi[o] - other[o]) * (s - t), (o, 1, n)),
                0,
                label="for two stationary policies, with the slopes s and t for all answers, that sum is 0",
            ),
        ),
    ),
    kind="uniqueness",
    locator="Question 6",
    title="Without a normaliser: uniqueness of the stationary policy, any rewards",
    depends_on=["vy-s3-shift-only", "vy-s22-grad-revKL"],
    remark=(
        "On-policy ascent is then ascent of one fixed function. That a stationary policy exists is not a part of "
        "this. Dividing by the deviation can break uniqueness where the reward of an answer is random "
        "(by-lottery-three-policies); for four levels and more of deterministic rewards it is open (by-levels-open)."
    ),
)

sampled_gap = binomial_mean(gap_weight(k + 1, G, SAMPLE), k, G - 2, x)
scaled_gap = Equal(
    sampled_gap, sqrt(1 - 1 / G) * gap(G, x), label="the gap is √(1 − 1/G) times that of the group's own deviation"
)
claim(
    "by-norm-sample-deviation",
    On(
        Domain(G >= 2, 0 < x, x < 1, 0 < p, p < 1, beta > 0),
        Always(
            Equivalent(
                Eq(beta * (x - p), x * (1 - x) * sampled_gap, evaluate=False),
                Eq(beta * sqrt(G / (G - 1)) * (x - p), x * (1 - x) * gap(G, x), evaluate=False),
            ),
            label="stationary with the sample deviation, exactly if with the other and β√(G/(G − 1))",
        ).by(Then((scaled_gap,))),
    ),
    mixed,
    because=(
        On(Domain(G >= 2, 0 < x, x < 1), scaled_gap),
        Equal(
            gap_weight(k, G, SAMPLE),
            sqrt(1 - 1 / G) * gap_weight(k, G),
            label="every weight is √(1 − 1/G) times that of the group's own deviation",
        ),
        On(
            mixed.also(beta > 0, t > 0),
            Equal(
                beta - sqrt(1 - 1 / G) * t,
                sqrt(1 - 1 / G) * (beta * sqrt(G / (G - 1)) - t),
                label="the equation of β√(G/(G − 1))",
            ),
        ),
        On(Domain(G >= 2), Always(sqrt(G / (G - 1)) <= sqrt(2), label="at most √2, as for pairs")),
        On(
            Domain(G >= 8),
            Always(sqrt(G / (G - 1)) < Rational(107, 100), label="less than 7 % more from groups of eight on"),
        ),
    ),
    locator="Question 6",
    title="Sample deviation as a larger β",
    depends_on=["by-norm-coefficients"],
)

batch = Domain(n >= 2, simplex(mu, n), reals(r, n), positives(spread, n))
mean = Sum(mu[o_] * r[o_], (o_, 1, n))
square = Sum(mu[o] * (spread[o] + r[o] ** 2), (o, 1, n)) - mean**2
claim(
    "by-norm-batch",
    On(
        Domain(G >= 2, 0 < p, p < 1, beta > 0, scale > 0, gamma > 0, Eq(gamma, (1 - 1 / G) / scale)),
        UniqueRoot(
            beta * (x - p) - (1 - 1 / G) / scale * x * (1 - x),
            x,
            pairs(beta / gamma, p),
            label="(14) with the margin γ = (1 − 1/G)/c",
        ),
    ),
    batch,
    because=(
        On(
            Domain(G >= 2, 0 < x, x < 1, scale > 0),
            Equal(
                SUCCESS_SLOPES["batch"][0],
                (1 - 1 / G) / scale * x * (1 - x),
                label="m in closed form, the equation being β(x − p) = m",
            ).by(AgainstPolynomial(plain_variance / scale)),
        ),
        On(Domain(0 < t, t < 1), Always(2 * sqrt(t * (1 - t)) <= 1, label="rewards 0 and 1: c ≤ ½")),
        On(
            Domain(0 < p, p < 1, beta > 0, scale > 0),
            Monotone(pairs(beta * scale, p), scale, -1, label="more varied batches: closer to π_ref"),
        ),
        On(
            batch,
            Equal(
                square,
                Sum(mu[o] * spread[o], (o, 1, n)) + Sum(mu[o] * (r[o] - mean) ** 2, (o, 1, n)),
                label="c² = mean variance of the prompts + variance between them",
            ),
        ),
        On(
            Domain(scale > 0, 0 < v, 4 * v <= 1),
            Always(
                Equivalent(1 / scale < 1 / sqrt(v), v < scale**2),
                label="less push than with the own deviation exactly where the own variance is smaller",
            ),
        ),
    ),
    depends_on=["by-norm-no-division", "vy-eq14"],
    locator="Question 6",
    title="Deviation c over the batch: its prompts as groups of two with the margin (1 − 1/G)/c",
    remark=(
        "For rewards 0 and 1 c ≤ ½ (shown here), so that γ = (1 − 1/G)/c ≥ 2(1 − 1/G) ≥ 1. Easy and hard "
        "prompts lose the extra push that their small deviation gives them in (15); the other prompts of the batch now "
        "decide how far one prompt goes."
    ),
)

# The deviation is that of the stationary policies themselves. With rewards 0 and 1 and a mean failure f over the
# prompts it is √(f(1 − f)). s: β/(1 − 1/G); one prompt fails with the chance 1 − pairs(sc, p), which is concave in c
# and vanishes with it.
fails = 1 - pairs(s * scale, p)
prompts = Domain(0 < p, p < 1, scale > 0, s > 0)
# At one f: c its deviation, v the mean failure that c brings about, t the rate at which v grows with c.
small = Domain(0 < x, 2 * x <= 1, v > 0, 0 <= t, scale > 0, t * scale <= v)
claim(
    "by-norm-batch-consistent",
    Every(
        On(
            Domain(n >= 2, simplex(mu, n), reals(r, n)),
            Equal(
                Sum(mu[o] * r[o] * (1 - r[o]), (o, 1, n)) + Sum(mu[o] * (r[o] - mean) ** 2, (o, 1, n)),
                mean * (1 - mean),
                label="rewards 0 and 1, success r of each prompt: c² = mean success times mean failure",
            ),
        ),
        On(
            small,
            Always(
                t * scale / v * (1 - 2 * x) / (2 * (1 - x)) < 1,
                label="f ≤ ½: the elasticity of v in c, at most 1, times that of c in f is below 1: v/f falls",
            ),
        ),
        On(Domain(0 < x, 2 * x > 1, x < 1), Always(1 - 2 * x < 0, label="f > ½: c falls, and v with it")),
    ),
    prompts,
    because=(
        On(prompts, Monotone(fails, scale, 1, label="a larger deviation, more failures")),
        On(prompts, Curved(fails, scale, -1, label="and the failures are concave in c")),
        On(prompts, Equal(fails.subs(scale, 0), 0, label="no failures at c = 0")),
        On(
            Domain(0 < x, x < 1),
            Equal(
                x * diff(log(x * (1 - x)), x) / 2,
                (1 - 2 * x) / (2 * (1 - x)),
                label="the elasticity of c = √(f(1 − f)) in f",
            ),
        ),
    ),
    kind="uniqueness",
    depends_on=["by-norm-batch", "by-norm-no-division"],
    locator="Question 6",
    title="Deviation over the batch, consistent with the policies: existence and uniqueness",
    says=(
        r"\text{rewards }0,1:\ \exists!\,c>0,\ c=\sqrt{\bar x(1-\bar x)}\text{ with }\bar x\text{ the mean of }"
        r"x_i=(14)\text{ at }\gamma=\tfrac1c(1-\tfrac1G)"
    ),
    lemmas=[
        "a mean of increasing concave functions that vanish at 0 is one",
        "v(c(f))/f falls on (0, 1), from ∞ to below 1, so v(c(f)) = f once",
    ],
    remark=(
        "Alike prompts then follow (15) with β/(1 − 1/G), at every group size (by-norm-batch at c = √(x(1 − x)), "
        "vy-eq15): the batch is one large group. v(c) is the mean of 1 − xᵢ, t its slope, s the factor β/(1 − 1/G); f "
        "is the mean failure, which is x in the formulas with t and s."
    ),
)
