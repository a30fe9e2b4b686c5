"""Several equally good answers: where the stationary policy is the global maximum of its own objective, and where
never.

Statement.   π_old frozen at the stationary policy, several correct answers, success x, reference p. For any p and
             any x > p, if one correct answer is rare enough, the policy is not the global maximum: the rare answer
             alone takes the gain x − p, the others fall back to p, and the objective rises, in the limit by β(x
             log(x/p) − (x − p)). So no constant is safe for every reference, though x < 2p is a strict local maximum.
             Two equally likely correct answers, one wrong one: the global maximum exactly for x ≤ 2p if p ≥ 1 − √3/2;
             for smaller p it fails already below 2p.
Source.      Question 2 of the project's theory; continues maximum_or_saddle.py and global_maximum.py.
Domain.      Rewards 0 and 1; 0 < p < x < 1, β > 0, any G; q is the share of one answer in the reference's mass of
             correct answers.
Derivation.  frozen objective of three answers, the advantages put in by stationarity → gain of a move → limit q → 0, or
             the best split of a success z.
Caveats.     KL_0 weighs each answer by π_old: what the groups hardly show is hardly charged. The two true divergences
             have no such moves (by-clip-convex-penalty).
Letters.     x is the success of the stationary policy, p that of the reference, z that of a new policy; q is the share
             of the rare answer in the reference's correct mass, u that in the new success. t and s are the expected
             advantages of a correct and of a wrong answer. v places a split z(1 ± √(1 − v))/2 of the success z.
"""

from grpo_symbolic.paper import *

from .global_maximum import cubic

claim = Result(__file__).claim

plane = Domain(0 < p, p < x, x < 1)
moves = plane.also(0 < q, q < 1, 0 < u, u < 1, beta > 0, s < t)

# Three answers: the common correct one, the rare correct one, the wrong one. Several that move together are one, since
# KL_0 sees ratios only. t and s are the expected advantages of a correct and of a wrong answer.
before, reference = (x * (1 - q), x * q, 1 - x), (p * (1 - q), p * q, 1 - p)


def frozen(policy):
    """The objective of a policy while the groups come from the stationary one."""
    return grpo(beta).value(policy, before, reference, lambda a: (t, t, s)[a], Answers(3))


def gain(policy):
    """What a policy gains over the stationary one, by β."""
    return (frozen(policy) - frozen(before)) / beta


taken = gain((x * (1 - u), x * u, 1 - x))  # u: the share of the rare answer in the success of the new policy
c = p / x
inside = c - (1 - q) * (c * (1 - q) / (1 - u) + log(1 - u) - log(1 - q)) - q * (c * q / u + log(u) - log(q))
bound = x * (c - c / (1 - u) - log(1 - u))
claim(
    "by-global-rare-answer",
    Every(
        On(
            plane.also(beta > 0, s < t),
            Every(
                Tends(
                    gain((p, x - p, 1 - x)),
                    q,
                    0,
                    x * log(x / p) - (x - p),
                    label="by β, if it takes x − p and leaves p to the others",
                ),
                Always(x * log(x / p) - (x - p) > 0, label="which is positive for every x above p").by(
                    ByDifference(-x * log(p / x) - (x - p), using=(log_below_tangent(p / x),))
                ),
            ),
        ),
    ),
    moves,
    because=(
        On(
            plane,
            Tends(
                (x * inside).subs(u, 1 - c),
                q,
                0,
                x * log(x / p) - (x - p),
                label="the limit of the first part, written without advantages",
            ),
        ),
        Equal(taken, x * inside, label="what moving success to the rare answer gains, by β: no advantage enters"),
        On(plane.also(0 < u, u < 1), Tends(x * inside, q, 0, bound, label="this gain as the answer becomes rare")),
        On(
            plane.also(0 < u, u < 1, 0 < q, q < 1),
            Exists(
                inside > 0,
                {p: Rational(1, 2), x: Rational(3, 5), q: Rational(1, 1000), u: Rational(1, 6)},
                label="an answer of share 1/1000, p = ½, x = 3/5",
            ),
        ),
    ),
    kind="counter-example",
    locator="Question 2",
    title="A rare correct answer that takes the whole gain of success",
    depends_on=["vy-eq11-kkt-dichotomy", "by-global-cubic", "by-stationary-unique"],
    remark=(
        "Where the gain is positive the stationary policy is not the global maximum of its own objective. A "
        "penalty that is averaged over samples does not see an answer that is hardly sampled: compare "
        "by-boundary-correct-kept, where it is not sampled at all. q is the share of the rare answer in the "
        "reference's correct mass, u that in the new success, t the expected advantage of a "
        "correct answer."
    ),
)

# Two equally likely correct answers: q = ½. A success z is split as (1 ± √(1 − v))/2; v = 1 is the even split.
root = sqrt(1 - v)
splits = plane.also(0 < z, z < 1, 0 < v, v < 1, beta > 0, s < t)
uneven, even = (gain((z * (1 + e) / 2, z * (1 - e) / 2, 1 - z)).subs(q, Rational(1, 2)) for e in (root, 0))
split = -x * (2 * p / z * (1 / v - 1) - log(1 / v)) / 2
claim(
    "by-global-twins-split",
    Every(
        On(
            splits.also(z <= 2 * p),
            Always(split < 0, using=(log_below_tangent(1 / v),), label="up to 2p the even one is best"),
        ),
        On(
            plane.also(2 * p < z, z < 1, 0 < v, v < 1),
            Every(
                OnlyMaximum(split, v, 2 * p / z, label="beyond 2p the best is v = 2p/z").by(RiseAndFall()),
                Equal(split.subs(v, 2 * p / z), x * (2 * p / z - 1 - log(2 * p / z)) / 2, label="which adds this"),
            ),
        ),
    ),
    plane,
    because=(
        On(splits, Equal(uneven - even, split, label="an uneven split against the even one, by β")),
        On(
            plane.also(2 * p < z, z < 1),
            Equal(
                diff(split.subs(v, 2 * p / z), z),
                x * (z - 2 * p) / (2 * z**2),
                label="the slope in z of what the best split adds beyond 2p",
            ),
        ),
    ),
    kind="identity",
    locator="Question 2",
    title="Two equally likely correct answers: best split of a success",
    remark=("A success z is split into z(1 ± √(1 − v))/2; v = 1 is the even split."),
)

# The slope beyond 2p, the uneven split included, times what is positive. It is linear in p, so it is negative between
# two ends where it is.
slope = (z - x) * cubic / (x * (1 - x) * z**2 * (1 - z) ** 2) + x * (z - 2 * p) / (2 * z**2)
cleared = 2 * (z - x) * cubic + x**2 * (1 - x) * (z - 2 * p) * (1 - z) ** 2
twins = Domain(0 < p, p < x, x <= 2 * p, x < 1, 0 < z, z < 1)
safe = 1 - sqrt(3) / 2
start = cubic.subs(x, 2 * p) / (2 * p * (1 - 2 * p) * z**2 * (1 - z) ** 2) + p / z**2
best_split = (
    gain((z * (1 + root) / 2, z * (1 - root) / 2, 1 - z))
    .subs({q: Rational(1, 2), v: 2 * p / z})
    .subs(t, s + beta * (x - p) / (x * (1 - x)))
    .subs({s: 0, beta: 1})
)
claim(
    "by-global-twins",
    Every(
        On(
            Domain(0 < x, x < z, z < 1, x**2 - 4 * x + 1 <= 0),
            Always(
                cleared.subs(p, x / 2) < 0,
                label="the slope beyond 2p, times a positive factor: negative at p = x/2, x ≥ 2 − √3",
            ),
        ),
        On(
            Domain(safe < x, x < 2 * safe, 2 * safe < z, z < 1),
            Always(cleared.subs(p, safe) < 0, label="at p = 1 − √3/2, for smaller x"),
        ),
        On(Domain(0 < x, 2 * x <= z, z < 1), Always(cleared.subs(p, x) < 0, label="at p = x")),
        On(
            Domain(z / 2 < x, x <= z, 0 < z, z < 1, z >= 2 * safe),
            Always(cubic.subs(p, z / 2) < 0, label="and at p = z/2, where the cubic decides"),
        ),
    ),
    twins,
    because=(
        Equal(slope, cleared / (2 * x * (1 - x) * z**2 * (1 - z) ** 2), label="the slope beyond 2p"),
        Equal(
            diff(cleared, p, 2),
            0,
            label="its sign is that of an expression linear in p, whose second derivative is zero",
        ),
        On(
            Domain(0 < p, 2 * p < 1, 2 * p < z, z < 1),
            Equal(slope.subs(x, 2 * p) / (z - 2 * p), start, label="for x = 2p this slope over z − 2p"),
        ),
        On(
            Domain(0 < p, 2 * p < 1),
            Always(
                Implies(p < safe, start.subs(z, 2 * p) > 0),
                label="for p < 1 − √3/2 that is positive at z = 2p: another policy is better",
            ),
        ),
        On(
            twins,
            Exists(
                And(x < 2 * p, best_split > 0),
                {p: Rational(1, 10), x: Rational(199, 1000), z: Rational(27, 100)},
                label="p = 1/10, x = 199/1000: a success of 27/100 is better",
            ),
        ),
    ),
    kind="convexity",
    locator="Question 2",
    title="Two equally likely correct answers: region of the global maximum",
    depends_on=["by-global-twins-split", "by-global-safe", "by-saddle-classification"],
    says=(
        r"n_+=2\text{, equally likely under }\pi_{\mathrm{ref}},\ n_-=1,\ p\ge1-\tfrac{\sqrt3}2:\ "
        r"\text{the stationary policy, of success }x\text{, is the global maximum of its objective}\iff x\le2p"
    ),
    lemmas=[
        "a linear function that is negative at both ends of an interval is negative on it",
        "below 2p the even split is best and the objective rises to x and falls from it (by-global-safe, as 1 − "
        "√3/2 > 2/25)",
        "for x above 2p the policy is not even a local maximum (by-saddle-classification)",
        "the objective of the best split is continuous in z and in x",
    ],
    remark=(
        "For one correct answer the constant is between 0.0741 and 0.0745 (by-global-sharp, by-global-threshold), for "
        "two equally likely ones 1 − √3/2 = 0.1339… (twice that of a local maximum along success, by-max-plane); with "
        "a rare enough one there is none (by-global-rare-answer)."
    ),
)
