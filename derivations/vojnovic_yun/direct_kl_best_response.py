"""Direct KL penalty, two answers, large groups: what the stationary policies maximise, and best responses.

Statement.   The objective of a frozen old policy y is strictly concave with one maximiser B(y) inside (0, 1), and logit
             B(y) − logit y = h(y). So no policy has a frozen objective that is maximised at 1, and none has two
             maximisers. For β < β*(p) best responses increase to 1 without reaching it. For β > β*(p) each of the two
             zeros of h maximises its own objective; under best responses the upper one repels, and the lower one
             attracts if it exceeds 1 − x*.
Source.      Vojnovic & Yun (2025), Section 3, Section 1.2 (last item) and Appendix B.2 ("The limit of large group
             size").
Domain.      0 < p, x, y < 1, β > 0, γ̃ = 1, rewards that are fixed for each answer.
Derivation.  objective with y frozen → derivative in x → one logarithm → a linear equation in x → B(y) → its log-odds
             against those of y.
Caveats.     At the policy 1 the groups have no deviation, the preference is 0/0 ≡ 0, and π_ref is the best response: 1
             is only a limit.
Letters.     x is a policy, y the one that it answers, z a second policy, p is π_ref(a); h(y), or h_VY(y), is by how
             much the log-odds of the best response B(y) exceed those of y, least at x* = x*(β), and p*(β) the p at
             which h(x*) is 0. J(·|y) is the objective that y samples, frozen: with y held fixed. u and z are two
             positive numbers that are compared, as the odds of B(y) and of y; where p is compared with u/(u + 1), u are
             the odds of p*(β). P is the preference of an answer. Groups are large, rewards deterministic, and a is the
             better answer.
"""

from grpo_symbolic.paper import *

from .direct_kl_large_groups import (
    ODDS,
    bernoulli,
    compared,
    even,
    frozen,
    h,
    least_of_h,
    logit_p,
    lowest,
    near,
    no_p,
    short,
    slope,
    slope_sign,
    star,
    unit,
)

claim = Result(__file__).claim

# -- the best response ------------------------------------------------------------------------------------------------
e = Derivation("vy-B2-best-response", frozen)
frozen_slope = e.differentiate(short, x, "the old policy y is held fixed")
tilt = exp(1 / (beta * sqrt(y * (1 - y))))
odds = tilt * p * (1 - x) / ((1 - p) * x)
e.rewrite(frozen_slope, beta * log(odds), "one logarithm, zero where its argument is 1")
linear = e.clear_denominators(odds - 1, (1 - p) * x, x, "numerator minus denominator of the argument")
best = e.solve(linear, x, inside=(0, 1))
settings = Domain(0 < p, p < 1, 0 < y, y < 1, beta > 0)

claim(
    "vy-B2-best-response",
    Every(
        On(
            frozen.also(Eq(x, best)),
            Every(
                Equal(
                    log(x / (1 - x)), log(p / (1 - p)) + 1 / (beta * sqrt(y * (1 - y))), label="the log-odds of B(y)"
                ),
                Equal(log(x / (1 - x)) - log(y / (1 - y)), h(y), label="logit B(y) − logit y = h(y)"),
            ),
        ),
        On(frozen, Curved(short, x, -1, label="the frozen objective is strictly concave")),
    ),
    settings,
    because=(
        Equal((1 - best) * tilt * p / (1 - p), best, label="the odds of B(y): those of p times e^{1/(β√(y(1 − y)))}"),
        Equal(
            log(tilt * p / (1 - p)) - log(y / (1 - y)),
            h(y),
            label="the logarithm of these odds, less the log-odds of y",
        ),
    ),
    by=e,
    depends_on=["vy-B2-derivative-inf"],
    locator="App B.2, large groups",
    title="The maximiser B(y) of the frozen objective, and its log-odds",
    remark="h is the step that the best response takes in log-odds; a stationary policy is a zero of h.",
)

at_one = (1 - y) / sqrt(y * (1 - y)) + beta * log(p)
regular = (x - y) / sqrt(y * (1 - y)) - beta * (x * log(x / p) - (1 - x) * log(1 - p))
half_and_more = frozen.also(p >= Rational(1, 2), beta <= 1)

# -- no stationary policy: β < β*(p), that is h(x*) > 0 ----------------------------------------------------------------
(gain,) = (e.args[0] for e in best.atoms(exp))
risen = exp(gain) * p * (1 - y) / ((1 - p) * y)  # the odds of B(y) over those of y, whose logarithm is h(y)
above = ByDifference(h(y), Follows((at(least_of_h, {x: y}),), ("h is at least h(x*)",)))
lifted = Then((Always(log(risen) > 0, label="log-odds rise").by(above),), (log_sign(risen), exp_positive(gain)))
claim(
    "vy-s3-dkl-inf-small-beta",
    On(
        Domain(0 < p, p < 1, 0 < x, x < 1, beta > 0, h(star) > 0),
        RisesToUpperEnd(Iteration(best, y, x), 0, 1, label="best responses to one another, from x").by(Lifted(lifted)),
    ),
    settings,
    because=(
        On(
            Domain(u > 0, z > 0),
            Always(
                Equivalent(log(u) - log(z) > 0, u > z),
                using=(log_increasing(z, u),),
                label="odds u and z compared by their logarithms: so B(y) is above y exactly when h(y) > 0",
            ),
        ),
        On(
            ODDS,
            Always(
                Equivalent(logit_p - log(u) > 0, p > u / (1 + u)),
                using=compared,
                label="p compared with p*(β), whose odds are u, by the log-odds",
            ),
        ),
        Always(1 - best > 0, using=(exp_positive(1 / (beta * sqrt(y * (1 - y)))),), label="but B(y) < 1"),
    ),
    kind="limit",
    depends_on=["vy-B2-best-response", "vy-B2-h-positive-small-beta"],
    locator="Sec 3; App B.2",
    title="Iterated best responses for β below the threshold",
    remark="1 is only approached: the groups of the policy 1 have no deviation, so with 0/0 ≡ 0 its best response is "
    "π_ref. What the paper says of 1 is judged by vy-B2-max-at-1.",
)

claim(
    "vy-B2-max-at-1",
    On(settings, Tends(frozen_slope, x, 1, -oo, "-", label="the derivative falls to −∞ at 1")),
    settings,
    because=(
        On(frozen, Equal(short, regular - beta * (1 - x) * log(1 - x), label="the term (1 − x) log(1 − x) apart")),
        On(Domain(0 < x, x < 1), Tends((1 - x) * log(1 - x), x, 1, 0, "-", label="which vanishes at 1")),
        Equal(regular.subs(x, 1), at_one, label="the rest is continuous: its value at 1"),
        Equal(
            short.subs(x, best),
            at_one - beta * log(best),
            label="the value at the best response B(y) is larger by −β log B(y)",
        ),
        On(
            Domain(0 < x, x < 1, beta > 0),
            Always(-beta * log(x) > 0, using=(log_below_tangent(x),), label="which is positive"),
        ),
        On(Domain(beta > 0), Exists(lowest > 0, {beta: 1}, label="h > 0 for β = 1, p = ½, so for all β ≤ 1, p ≥ ½")),
    ),
    kind="limit",
    depends_on=["vy-B2-best-response", "vy-B2-threshold"],
    locator="Sec 3; App B.2",
    title="Direct KL, large groups, deterministic rewards: slope of the frozen objective near 1",
    printed=(
        r"\text{For the limit of a large group size, given }a\text{ and }b\text{ such that }r(a\mid q)>r(b\mid q)"
        r"\text{, the optimal value of }\pi_\theta(a\mid q)\text{ is }1\text{ if }\beta\text{ is sufficiently small.}"
    ),
    judged=wrong(
        "False for every frozen old policy inside (0, 1), also where h > 0 everywhere, as here for β ≤ 1 and p ≥ ½. "
        "The policy 1 is not optimal for itself either: its groups have no deviation, so with 0/0 ≡ 0 the penalty "
        "alone is left, and π_ref is. Appendix B.2 repeats the sentence: “In this case, the objective function is "
        "maximised at π_θ(a|q) = 1”.",
        Always(short <= at_one),
        half_and_more,
    ),
    remark="What is increasing up to 1 is a primitive of β h, which is not the objective of any old policy. Best "
    "responses that are iterated increase to 1: vy-s3-dkl-inf-small-beta.",
)

# -- two stationary policies: β > β*(p) -------------------------------------------------------------------------------
# Every x in (0, 1) is a zero of h for exactly one reference probability: this one.
zero_reference = x * exp(-1 / (beta * sqrt(x * (1 - x)))) / (x * exp(-1 / (beta * sqrt(x * (1 - x)))) + 1 - x)
other_slope = frozen_slope.subs(x, z).subs(y, x)  # at z, the groups sampled from x
apart = Domain(0 < x, x < z, z < 1, 0 < p, p < 1, beta > 0)

claim(
    "vy-s3-dkl-inf-two-max",
    On(
        Domain(0 < x, x < 1, 0 < y, y < 1, beta > 0, Eq(p, zero_reference.subs(x, y))),
        Every(
            Equal(h(y), 0, label="a zero y of h"),
            OnlyMaximum(short, x, y, label="is the one maximiser of the objective that y samples").by(
                ConcaveAndStationary()
            ),
        ),
    ),
    apart,
    because=(
        Equal(
            other_slope - beta * h(),
            beta * (log(x / (1 - x)) - log(z / (1 - z))),
            label="if h(x) = 0, the slope at z of the objective that x samples",
        ),
        Always(
            log(x / (1 - x)) < log(z / (1 - z)),
            using=(log_increasing(x / (1 - x), z / (1 - z)),),
            label="does not vanish for z > x",
        ),
        On(frozen, Curved(short, x, -1, label="the objective that y samples is strictly concave")),
        On(
            unit,
            Equal(
                frozen_slope.subs(y, x) - beta * h(),
                0,
                label="the slope at x of the objective that x samples is β h(x)",
            ),
        ),
    ),
    kind="uniqueness",
    depends_on=["vy-B2-two-roots", "vy-B2-best-response"],
    locator="Sec 3, direct KL",
    title="A zero y of h as the maximiser of the objective that y samples, deterministic rewards",
    printed=r"\text{If }\beta\text{ is sufficiently large, there exist two values of }\pi_\theta(a\mid q)\text{ that "
    r"maximise the objective function if }\beta\text{ is sufficiently large.}",
    judged=imprecise(
        "True of two objectives, each frozen at one of the two values, for rewards that do not vary for a given "
        "answer; no single objective has two maximisers. What is read: the objective that x samples has the same "
        "slope at x, which is β h(x), and at z. The condition on β stands twice in the copy that was read.",
        Equal(other_slope - beta * h(), 0),
    ),
)

by_log_odds = Then((Equal(log(risen), h(y), label="the step in log-odds"),), (log_sign(risen), exp_positive(gain)))
claim(
    "vy-B2-zeros-vs-maxima",
    Every(
        On(frozen, OnlyMaximum(short, x, best, label="B(y) maximises J(·|y)").by(ConcaveAndStationary())),
        On(
            settings,
            Every(
                Always(Equivalent(Eq(best, y), Eq(h(y), 0)), label="B(y) is y exactly when h(y) = 0").by(by_log_odds),
                Always(Equivalent(best > y, h(y) > 0), label="B(y) is above y exactly when h(y) > 0").by(by_log_odds),
            ),
        ),
    ),
    no_p,
    because=(
        On(
            Domain(u > 0, z > 0),
            Always(
                Equivalent(log(u) < log(z), u < z),
                using=(log_increasing(u, z),),
                label="odds u and z compared by their logarithms: so the sign of h(x) orders B(x) and x",
            ),
        ),
        Equal(
            logit_p.subs(p, zero_reference),
            log(x / (1 - x)) - 1 / (beta * sqrt(x * (1 - x))),
            label="each x is a zero for one π_ref(a)",
        ),
        Always(Equivalent(x > star, slope_sign > 0), label="at a zero above x*, h increases"),
        Always(Equivalent(x < star, slope_sign < 0), label="at a zero below x*, h decreases"),
    ),
    kind="identity",
    depends_on=["vy-B2-best-response", "vy-B2-h-monotone"],
    locator="Sec 3; App B.2",
    title="The maximiser B(y) of the objective that y samples, and the sign of h(y)",
    remark="So the two values with h(π_θ(a|q)) = 0 of Appendix B.2 are the two maximisers of Section 3, each of its "
    "own objective. Of a function whose derivative is βh the zero above x* would be a minimum.",
)

multiplier = (2 * x - 1) / (2 * beta * sqrt(x * (1 - x)))
of_zero = x * exp(-1 / (beta * sqrt(x * (1 - x)))) / (1 - x + x * exp(-1 / (beta * sqrt(x * (1 - x)))))  # its p
response = best.subs(y, x)


def at_zeros(statement, *constraints):
    """A best response to itself, which is one for this π_ref(a)."""
    return On(no_p.also(Eq(p, of_zero), *constraints), statement.by(Multiplier(slope=multiplier)))


claim(
    "vy-B2-stability",
    Every(
        at_zeros(Attracts(response.subs(x, y), y, x, label="the zeros between 1 − x* and x*"), 1 - x < star, x < star),
        at_zeros(
            Repels(response.subs(x, y), y, x, label="those above x*, and those below 1 − x*"),
            Or(x > star, 1 - x > star),
        ),
    ),
    no_p,
    because=(
        On(
            unit,
            Equal(
                1 + slope * x * (1 - x),
                multiplier,
                label="multiplier of y ↦ B(y) at a zero, in log-odds: 1 + dh/d logit x",
            ),
        ),
        Always(Equivalent(multiplier > 1, x > star), label="the zero above x* repels"),
        Always(Equivalent(multiplier < -1, x < 1 - star), label="the zero below x* repels too if it is below 1 − x*"),
        Always(
            Equivalent(And(multiplier < 1, multiplier > -1), And(x < star, x > 1 - star)),
            label="a zero between 1 − x* and x* attracts",
        ),
        Exists(
            multiplier < -1,
            {beta: 2, x: Rational(1, 100)},
            label="a zero below 1 − x*: 1/100, for β = 2, π_ref(a) ≈ 6.6·10⁻⁵",
        ),
    ),
    kind="dynamics",
    depends_on=["vy-B2-zeros-vs-maxima", "vy-B2-best-response"],
    locator="Sec 3; App B.2",
    title="Stability of the zeros of h under best responses",
    remark="This is stability under full best responses. Under gradient ascent it is another question: the slope is βh "
    "(vy-B2-h).",
)

claim(
    "vy-s12-logpool-nonunique",
    Every(
        On(
            settings,
            Equal(
                log(tilt * p / (1 - p)),
                logit_p + log(tilt),
                label="log-odds add: logarithmic pooling of π_ref and e^{P/β}",
            ),
        ),
        On(Domain(), TakesValue(h().subs(even), x, Rational(1, 2), Rational(4, 5), label="one fixed point")),
        On(Domain(), TakesValue(h().subs(even), x, Rational(4, 5), Rational(99, 100), label="and another")),
    ),
    near,
    because=(On(frozen, Equal(diff(short + beta * bernoulli, x) / beta, log(tilt), label="P(a) − P(b), over β")),),
    kind="uniqueness",
    depends_on=["vy-s3-dkl-aggregation", "vy-B2-two-roots"],
    locator="Sec 1.2, last item",
    title="Direct KL as logarithmic pooling, with two aggregates",
    printed=(
        r"\text{adjusting the reference-policy divergence penalty to align with the direct KL divergence … The former "
        r"adjustment results in logarithmic opinion pooling, and we present an example where the aggregate preference "
        r"may not be unique.}"
    ),
    remark=(
        "The example is one: two answers, large groups, π_ref(a) = ½, β = 2; “may not” asks for one. The pooling, for "
        "n answers vy-s3-dkl-aggregation, is a product with the exponents 1 of π_ref and 1/β of the distribution "
        "proportional to e^P, which Section 1.1 names as the weights; that they do not add up to one is "
        "vy-s11-log-pooling-weights."
    ),
)
