"""Is there an alignment objective at all: when the reward preference is the gradient of a function of the policy.

Statement.   GRPO's stationary policies solve P_G(o) + β π_ref(o)/π(o) = λ. For groups of two the left side is a
             gradient on the simplex where the expected signs of pairs are differences f(o) − f(o') of one number for
             each answer, and is that of E_π[f] + β Σ π_ref log π; for three answers it is one only there. Deterministic
             rewards of two levels are such, those of three levels are not; with large groups neither are these, with
             groups of three and of four the levels 1, ½, 0 are not.
Source.      Vojnovic & Yun (2025), whose title asks for the objective, and Section 2.3. Not in the paper.
Domain.      n answers, β > 0, policies with full support; three answers with the masses x, z, 1 − x − z where
             derivatives are crossed.
Derivation.  the field of slopes → its cross derivatives on the simplex, which those of a function have equal → a sum
             over the three pairs, in which the penalty drops out.
Caveats.     Of two answers every field is a gradient. Two levels are one success probability, and have a potential for
             every group size: by-flow-potential.
Letters.     s, t and u are the expected signs of the pairs (1, 2), (1, 3) and (2, 3); in by-objective-levels t is the
             middle reward. x, z and 1 − x − z are the policy of three answers, p, q and 1 − p − q the reference. The
             expected signs of by-objective-pairs are differences of numbers r(o); in its proof t is the entry of the
             policy that moves. (11) is an equation of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

answers = Domain(n >= 2, beta > 0, simplex(pi, n), simplex(ref, n), reals(r, n))
preference = Sum(pi[o] * (r[o_] - r[o]), (o, 1, n))  # of the answer o_, with the signs r(o_) − r(o)
objective = Sum(pi[o] * r[o], (o, 1, n)) + beta * Sum(ref[o] * log(pi[o]), (o, 1, n))
one_answer = Summand(t * r[o] + beta * ref[o] * log(t), t, pi, o, n)
claim(
    "by-objective-pairs",
    MaximaSatisfy(
        objective,
        pi,
        o,
        Eq(Sum(pi[o_] * (r[o] - r[o_]), (o_, 1, n)), beta * (1 - ref[o] / pi[o]), evaluate=False),
        label="at the maxima the preferences of groups of two satisfy (11)",
    ).by(EqualSlopes(one_answer, r[o] + beta * ref[o] / t, lam, r, lam - beta * ref[o] / pi[o])),
    answers.also(lam),
    because=(
        ConcaveInPolicy(objective, (pi,), label="the objective is strictly concave, so it has at most one maximum").by(
            Separable((one_answer,))
        ),
        On(
            answers,
            Equal(
                partial(objective, pi[o_]) - Sum(pi[o] * r[o], (o, 1, n)),
                preference + beta * ref[o_] / pi[o_],
                label="the slopes of the objective, less one number for all answers",
            ),
        ),
    ),
    kind="identity",
    depends_on=["vy-appA-on-policy"],
    locator="Question 5",
    title="The alignment objective of groups of two with additive preferences",
    remark=(
        "What maximises the mean of a reward r less β KL(π_ref‖π) is stationary for groups of two "
        "whose expected signs are the differences r(o) − r(o')."
    ),
)

masses = (x, z, 1 - x - z)
three = Domain(0 < x, 0 < z, x + z < 1)
signs = ((0, s, t), (-s, 0, u), (-t, -u, 0))


def curl(slopes):
    """∂(f_1 − f_3)/∂x_2 − ∂(f_2 − f_3)/∂x_1 on the simplex of three answers: zero for the slopes of a function."""
    first, second, last = slopes
    return (first - last).diff(z) - (second - last).diff(x)


def crossed(slopes):
    """The same, with its two derivatives as they are read."""
    first, second, last = slopes
    return Derivative(first - last, z) - Derivative(second - last, x)


def with_penalty(slopes):
    """The left side of the condition of a stationary policy."""
    return [a + beta * b / m for a, b, m in zip(slopes, (p, q, 1 - p - q), masses, strict=True)]


def enumerated(rewards, size):
    """The preferences of deterministic rewards, over all groups of this size."""
    return [SHIFT_AND_SCALE.preference(k, masses, rewards, Answers(3), size, o) for k in range(3)]


of_pairs = [sum(m * a for m, a in zip(masses, row, strict=True)) for row in signs]
claim(
    "by-objective-additive",
    On(
        three.also(s, t, u, beta > 0, p, q),
        Equal(crossed(with_penalty(of_pairs)), 2 * (s + u - t), label="with the penalty"),
    ),
    three.also(s, t, u),
    because=(Equal(crossed(of_pairs), 2 * (s + u - t), label="without the penalty"),),
    kind="identity",
    depends_on=["by-objective-pairs"],
    locator="Question 5",
    title="Difference of the cross derivatives of a policy's slopes, groups of two, three answers",
    remark=(
        "s, t and u are the expected signs of the pairs (1, 2), (1, 3) and (2, 3); the masses are x, z and 1 − x − z, "
        "under the reference p, q and 1 − p − q. Zero exactly where signs add up along the pairs, which is the "
        "hypothesis of by-objective-pairs."
    ),
)

deviation = sqrt(x + z * t**2 - (x + z * t) ** 2)
large = [(reward - x - z * t) / deviation for reward in (1, t, 0)]
levels = three.also(0 < t, t < 1)
somewhere = {x: Rational(1, 3), z: Rational(1, 3), t: Rational(1, 2)}
claim(
    "by-objective-levels",
    Every(
        On(
            levels,
            Equal(curl(enumerated((1, t, 0), 2)), curl(of_pairs).subs({s: 1, t: 1, u: 1}), label="groups of two: 2"),
        ),
        On(levels, Always(Ne(curl(large), 0), label="large groups")),
        On(levels, Exists(Ne(curl(enumerated((1, t, 0), 3)), 0), somewhere, label="groups of three")),
        On(levels, Exists(Ne(curl(enumerated((1, t, 0), 4)), 0), somewhere, label="groups of four")),
        *(
            Equal(curl(enumerated((1, 0, 0), size)), 0, label=f"two levels, groups of {name}")
            for size, name in ((2, "two"), (3, "three"), (4, "four"))
        ),
        Equal(curl([e.subs(t, 0) for e in large]), 0, label="two levels, large groups"),
    ),
    three,
    kind="existence",
    depends_on=["by-objective-additive"],
    locator="Question 5",
    title="Cross derivatives of the reward preference by the levels of deterministic rewards",
    short=("groups of two: 2", "large groups"),
    remark=(
        "Groups of two, then large ones: at every policy of full support and for every t; groups of three and of "
        "four: at one, for one. A function of the policy that is differentiable twice has equal cross "
        "derivatives; none has slopes whose cross derivatives differ."
        " The rewards are 1, t and 0, of probabilities x, z and 1 − x − z; where there are two levels, t is 0."
    ),
)
