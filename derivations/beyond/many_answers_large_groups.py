"""Large groups, any finite number of answers, any rewards: one stationary policy, found from one monotone equation.

Statement.   Let G → ∞ with the penalty KL_0, and let not all answers be alike. Every stationary policy has the form π =
             cπ_ref/δ, δ(o) = d + r_max − r(o), with d > 0 and c = βσ = 1/S, S = Σ π_ref/δ; and d is a root of S·Σ π_ref
             δ − 1 + S·Σ π_ref v/δ = 1/β², v(o) the variance of the reward of o. The left side falls from ∞ to 0, so
             there is exactly one stationary policy, for any n, deterministic or stochastic rewards. Deterministic
             rewards have the left side Q = Σ π_ref(δ − δ̄)²/(δδ̄). A guard ε inside the root adds εS², outside it the
             equation is √Q + εS = 1/β; shift only, at every group size, it is κS = 1/β with κ = G/(G − 1).
Source.      Question 5 of the project's theory; solves Vojnovic & Yun (2025), (13), for any finite number of answers.
Domain.      n ≥ 2 answers with real expected rewards and variances v(o) ≥ 0, β > 0, π_ref with full support.
Derivation.  (13) → π in terms of δ → Σπ = 1 and σ = c/β become one equation in d → its slope has one sign → bounds
             that tend to ∞ and to 0 at its ends → one root.
Caveats.     First-order stationarity with full support and σ > 0. Two answers: (15). For small groups uniqueness can
             fail (many_answers_counterexample.py).
Letters.     c is βσ(π) and d the threshold's distance from the best reward; u is S = Σπ_ref/δ, t is Σπ_refδ, Q is tS −
             1 and s the part of the noise, v is σ(π) or σS. In by-large-equation δ(o) is the distance of answer o from
             the threshold and v(o) the variance of its reward. Where the best answers are told apart, p is their
             reference mass and s their mean variance; of the n others δ(o) is by how much the reward falls short of
             theirs, v(o) its deviation, and t, or Δ̄, the mean of δ under π_ref; x and z are a small and a large d. Of
             three answers u is a reward's distance and z a reference; of two u is the β of (15), s and v are variances.
             (13) and (15) are equations of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

answers = Answers(n)
c, d = scale, shift


def total(term):
    """``Σ_o term(o)``."""
    return Sum(term(o), (o, 1, n))


S, up = total(lambda a: ref[a] / short[a]), total(lambda a: ref[a] * short[a])
noise = total(lambda a: ref[a] * spread[a] / short[a])
mean = Sum(pi[o_] * r[o_], (o_, 1, n))
advantage = SHIFT_AND_SCALE.of_population(r[o], mean, v**2)  # v is σ(π)
threshold = beta * v + mean - r[o]
policies = Domain(n >= 2, beta > 0, v > 0, simplex(pi, n), simplex(ref, n), reals(r, n))
levels = Domain(n >= 2, beta > 0, c > 0, s < t, simplex(ref, n), positives(short, n), reals(spread, n))


def made(a):
    """The policy with these thresholds; its rewards are t − δ."""
    return c * ref[a] / short[a]


claim(
    "by-large-form",
    On(
        policies,
        Always(
            Equivalent(
                Eq((1 - advantage / beta) * pi[o], ref[o], evaluate=False),
                And(threshold > 0, Eq(pi[o] * threshold, beta * v * ref[o], evaluate=False)),
            ),
            label="(13) is π(o)δ(o) = cπ_ref(o), δ(o) = βσ + mean − r(o) > 0, c = βσ",
        ),
    ),
    levels,
    because=(
        On(
            policies,
            Equal((1 - advantage / beta) * pi[o], pi[o] * threshold / (beta * v), label="the left side of (13)"),
        ),
        On(
            Domain(u > 0, p > 0, c > 0, t),
            Always(
                Implies(Eq(u * t, c * p), t > 0),
                label="so every δ is positive, the smallest, d, too: t is δ(o), u and p are π(o) and π_ref(o)",
            ),
        ),
        Equal(total(made), c * S, label="Σπ = 1 says that c = 1/S"),
        Equal(
            t * total(made) - total(lambda a: made(a) * (t - short[a])),
            c,
            label="the mean of δ under π is c, t any number",
        ),
        Equal(
            total(lambda a: made(a) * (short[a] - c) ** 2),
            c * up - c**2 * (2 - c * S),
            label="the variance of the rewards, which is cΣπ_refδ − c² for cS = 1",
        ),
        Equal(
            total(lambda a: made(a) * spread[a]),
            c * noise,
            label="and what stochastic rewards add to σ², v(o) being the variance of the reward of o",
        ),
    ),
    locator="Question 5",
    title="Form of a stationary policy for large groups, with v for its deviation σ(π)",
    depends_on=["vy-eq13", "by-many-stationary"],
    remark=(
        "So π(o) = cπ_ref(o)/δ(o), c = βσ(π). The thresholds δ(o) = d + r_max − r(o) differ by the rewards alone: d is "
        "the one unknown."
    ),
)

# σ = c/β with c = 1/S, u standing for S: the equation, without and with a guard.
# t = Σ π_ref δ, s = Σ π_ref v/δ; Cauchy–Schwarz gives tu ≥ 1
w_sum = Domain(beta > 0, u > 0, t > 0, s >= 0, guard > 0, t * u >= 1)
sigma_squared = t / u - 1 / u**2 + s / u
thresholds = Domain(n >= 2, beta > 0, simplex(ref, n), positives(short, n), reals(spread, n))
varied = total(lambda a: ref[a] * ((short[a] - 1 / u) ** 2 + spread[a]) / (u * short[a]))  # σ² of π_ref/(uδ)
claim(
    "by-large-equation",
    On(
        thresholds.also(u > 0),
        Always(
            Implies(
                Eq(u, S, evaluate=False),
                Equivalent(
                    Eq(varied, 1 / (beta * u) ** 2, evaluate=False),
                    Eq(u * up - 1 + u * noise, 1 / beta**2, evaluate=False),
                ),
            ),
            label="for π = π_ref/(Sδ): σ(π) = c/β with c the inverse of S is one equation",
        ).by(Then((Equal(varied, up / u - 2 / u**2 + S / u**3 + noise / u, label="the variance of the rewards"),))),
    ),
    w_sum,
    because=(
        Equal(sigma_squared * u**2, t * u - 1 + s * u, label="σ²S²: it is c²/β² · S² = 1/β²"),
        Equal(
            (sigma_squared + guard) * u**2,
            t * u - 1 + s * u + guard * u**2,
            label="guard inside the root: c² = β²(σ² + ε)",
        ),
        On(
            Domain(beta > 0, u > 0, guard > 0, v > 0),
            Equal((v / u + guard) * u, v + guard * u, label="guard outside: c = β(σ + ε), v = σS"),
        ),
        On(
            Domain(n >= 2, simplex(ref, n), positives(short, n), t > 0),
            Equal(
                total(lambda a: ref[a] * (short[a] - t) ** 2 / (short[a] * t)),
                up / t - 2 + t * S,
                label="Q, for any centre; with the mean of δ under π_ref it is tS − 1",
            ),
        ),
        On(
            policies.also(G >= 2),
            Equal(
                (1 - (1 - 1 / G) * SHIFT_ONLY.of_population(r[o], mean, v**2) / beta) * pi[o] * beta * G / (G - 1),
                pi[o] * (beta * G / (G - 1) + mean - r[o]),
                label="shift only, any G: the same form with c = βG/(G − 1)",
            ),
        ),
    ),
    locator="Question 5",
    title="One equation for the threshold",
    depends_on=["by-large-form", "vy-s3-shift-only"],
    remark=(
        "Deterministic rewards, v = 0: χ²(π_ref‖π) = 1/β², as by-many-chi-square has it for large groups, written in "
        "δ. u is the sum S of π_ref/δ, δ(o) the distances of the rewards from the threshold, v(o) the variance of the "
        "reward of o, t the sum of π_ref δ and s that of π_ref v/δ."
    ),
)

# Its slope: all δ move with d at the rate 1.
squares = total(lambda a: ref[a] / short[a] ** 2)
noisy = total(lambda a: ref[a] * spread[a] / short[a] ** 2)


def rate(expression):
    """The derivative in d."""
    return derivative_along(expression, {short: lambda a: 1}, answers, o_)


double = Sum(
    Sum(
        ref[o] * ref[o_] * (short[o] + short[o_]) * (short[o] - short[o_]) ** 2 / (short[o] * short[o_]) ** 2,
        (o_, 1, n),
    ),
    (o, 1, n),
)


def raised(power):
    """The mean under π_ref of a power of the thresholds, all larger by d."""
    return total(lambda a: ref[a] * (short[a] + d) ** power)


# The best answers apart: their threshold is d, that of another answer d + δ.
lacks = total(lambda a: ref[a] * short[a])  # by how much the others fall short, in the mean


def noise_of(a):
    """The variance of the reward of one of the others."""
    return spread[a] ** 2


def one(a):
    return 1


def others(power, weight=one):
    """The sum of ``weight`` under the reference, over the others, divided by a power of their thresholds."""
    return total(lambda a: ref[a] * weight(a) / (d + short[a]) ** power)


S_d, S_d2 = p / d + others(1), p / d**2 + others(2)  # S, and less its slope
mean_d = d + t
noise_d, noise_d2 = p * s / d + others(1, noise_of), p * s / d**2 + others(2, noise_of)
left = S_d * mean_d - 1 + S_d * noise_d  # of the equation, where 1/β² is its right side
slope = S_d - S_d2 * mean_d - S_d2 * noise_d - S_d * noise_d2
parted = Domain(
    n >= 1,
    0 < p,
    p < 1,
    s >= 0,
    t > 0,
    Eq(t, lacks),
    simplex(ref, n, total=1 - p),
    positives(short, n),
    reals(spread, n),
)
above = parted.also(d > 0)
mass = Equal(Sum(ref[o], (o, 1, n)), 1 - p, label="the mass of the others")
steeper = Always(S_d2 * mean_d > S_d, label="the deterministic part falls").by(
    Then(
        (
            mass,
            Equal(
                p * t**2 * (2 * d + t) / (mean_d * d) ** 2 + p * t / mean_d**2,
                mean_d * p / d**2 - p / d,
                label="the best answers, against the mean threshold",
            ),
            Equal(
                others(2, lambda a: (short[a] - t) ** 2 * (2 * d + short[a] + t) / mean_d**2),
                lacks / mean_d**2 - t * Sum(ref[o], (o, 1, n)) / mean_d**2 - others(1) + mean_d * others(2),
                label="the others, against the mean threshold",
            ).by(EqualTerms()),
        )
    )
)
decreasing = claim(
    "by-large-decreasing",
    Monotone(left, d, -1, label="decreasing").by(SignOfDerivative(slope, sign=Then((steeper,)))),
    above,
    because=(
        On(
            Domain(n >= 2, d >= 0, simplex(ref, n), positives(short, n)),
            Equal(
                Derivative(raised(-1) * raised(1) - 1, d),
                raised(-1) - raised(-2) * raised(1),
                label="any thresholds: the slope of the deterministic part",
            ),
        ),
        On(
            thresholds,
            Equal(
                S - squares * up, -double / 2, label="for any thresholds δ: a double sum of terms that are not negative"
            ),
        ),
        On(
            Domain(n >= 2, simplex(ref, n), positives(short, n), t > 0, Eq(t, up)),
            AtLeast(
                squares * t,
                S,
                (Eq(short[o], t, evaluate=False),),
                label="and 0 only where all thresholds are alike, t their mean",
            ).by(
                TermByTerm((total(lambda a: ref[a] * (short[a] - t) ** 2 * (short[a] + t) / (short[a] * t) ** 2),)),
            ),
        ),
        On(thresholds, Equal(rate(S * up - 1), -double / 2, label="its slope, by moving all thresholds")),
        On(thresholds, Equal(rate(S), -squares, label="S decreases")),
        On(
            thresholds,
            Equal(
                rate(S * noise),
                -squares * noise - S * noisy,
                label="the part of the noise, whose factors are S and Σ π_ref v/δ",
            ),
        ),
        On(
            Domain(0 < x, 0 < z),
            Always(
                (x + z) * (x - z) ** 2 / (x * z) ** 2 >= 0,
                label="each term, of two thresholds x and z, is not negative",
            ),
        ),
        On(
            Domain(u > 0, s > 0, t > 0, v > 0, beta > 0),
            Always(-t * u - v * s < 0, label="minus two products of positive sums: the slope of the noise is negative"),
        ),
        On(
            above.also(guard >= 0),
            Monotone(left + guard * S_d**2, d, -1, label="with a guard inside the root").by(
                SignOfDerivative(slope - 2 * guard * S_d * S_d2, sign=Then((steeper,)))
            ),
        ),
        On(above, Monotone(S_d, d, -1, label="shift only").by(SignOfDerivative(-S_d2))),
    ),
    kind="monotonicity",
    depends_on=["by-large-equation"],
    locator="Question 5",
    title="Monotonicity of the equation of the threshold",
    remark=(
        "The left side of by-large-equation, for rewards that are not all alike: d is the threshold of the best "
        "answers, whose reference mass is p and whose mean variance is s, d + δ(o) that of another, of deviation "
        "v(o). In the steps without d δ are the thresholds themselves, v variances, and S is Σ π_ref/δ; in those with "
        "d the letters are those of the sentence. With a guard inside the root, and for shift only: under because."
    ),
)


# The ends, by bounds: the best answers alone from below; from above, all thresholds as low as d.
def parts(power, weight=one):
    """``δᵏ/(d + δ) = δᵏ⁻¹ − dδᵏ⁻¹/(d + δ)``, added up."""

    def lower(a):
        return weight(a) * short[a] ** (power - 1)

    whole = total(lambda a: ref[a] * lower(a))
    return Equal(
        others(1, lambda a: lower(a) * short[a]), whole - d * others(1, lower), label="in partial fractions"
    ).by(EqualTerms())


squared, noisy_others = total(lambda a: ref[a] * short[a] ** 2), total(lambda a: ref[a] * noise_of(a))
far = squared + p * s + noisy_others
near = p * (d + t) / d - 1
enclosed = Then(
    (
        Always(S_d * mean_d - 1 < squared / d**2, label="the deterministic part").by(
            Then((mass, parts(1), parts(2), parts(3)))
        ),
        Always(S_d * noise_d <= (p * s + noisy_others) / d**2, label="the noise").by(
            Then((mass, parts(1), parts(1, noise_of)))
        ),
    )
)
bounds = claim(
    "by-large-ends",
    Every(
        Always(left > near, label="from below"),
        On(parted, Tends(near, d, 0, oo, label="which grows beyond bounds as d → 0")),
        Always(left < far / d**2, label="from above").by(enclosed),
        On(parted, Tends(far / d**2, d, oo, 0, label="which tends to 0", side="-")),
    ),
    above,
    because=(
        On(
            Domain(d > 0, 0 < z, z < 1, t > 0, s > 0, u >= z / d),
            Always(
                u * (d + t) - 1 >= z * (d + t) / d - 1,
                label="S(d + t) − 1 ≥ z(d + t)/d − 1: u is S, z the mass of the best answers",
            ),
        ),
        On(
            Domain(d > 0, 0 < p, p < 1, t > 0, u >= d),
            Always(
                p * (u - d - t) ** 2 / (u * (d + t)) <= p * (u - d - t) ** 2 / (d * (d + t)),
                label="S(d + t) − 1 ≤ Var_ref δ/(d(d + t)), term by term: p is one π_ref(o), u is d + δ(o)",
            ),
        ),
        On(
            Domain(t > 0, s > 0),
            Tends(s / (d * (d + t)), d, oo, 0, label="which tends to 0, as does S ≤ 1/d", side="-"),
        ),
        On(
            Domain(d > 0, u >= d, 0 < z, z < 1),
            Always(
                z / u <= z / d,
                label="1/(d + δ(o)) ≤ 1/d, term by term, u being d + δ(o): S ≤ 1/d, and S ≥ z/d from the best answers",
            ),
        ),
        On(
            Domain(u > 0, u < 1, s > 0),
            Tends(s / d**2, d, 0, oo, label="all expected rewards equal, noise alone, s its mean variance: s/d² → ∞"),
        ),
    ),
    kind="limit",
    depends_on=["by-large-equation"],
    locator="Question 5",
    title="Ends of the equation of the threshold",
    short=("from below", "from above"),
    remark="Without noise the numerical solver takes its upper end from a sharper bound, shown term by term: "
    "Q ≤ Var_ref/(d(d + Δ̄)).",
)

two = {"reference": (p, 1 - p), "thresholds": (d, d + 1)}  # rewards 1 and 0
S_2 = sum(w / h for w, h in zip(two["reference"], two["thresholds"], strict=True))
Q_2 = S_2 * sum(w * h for w, h in zip(two["reference"], two["thresholds"], strict=True)) - 1
x_2 = p / d / S_2
ends = (x * (1 / beta**2 + 1 - p) <= p * t, beta**2 * far <= z**2)
claim(
    "by-large-unique",
    Every(
        On(
            parted.also(beta > 0, x > 0, x < z, *ends),
            OneRoot(left, d, x, z, 1 / beta**2, label="however small x and large z").by(
                StrictlyMonotone(
                    -1,
                    given=(decreasing,),
                    at_lower=Follows((at(bounds, {d: x}),), ("from below",)),
                    at_upper=Follows((at(bounds, {d: z}),), ("from above",)),
                )
            ),
        ),
        On(
            Domain(beta > 0, s > 0),
            OneRoot(s / d**2, d, 0, oo, 1 / beta**2, label="all expected rewards alike, s the mean variance").by(
                StrictlyMonotone(-1, limits=(oo, 0))
            ),
        ),
    ),
    Domain(0 < p, p < 1, d > 0),
    because=(
        Equal(Q_2, p * (1 - p) / (d * (d + 1)), label="two answers: Q in closed form"),
        On(Domain(0 < p, p < 1, d > 0), Equal(x_2, p * (1 + d) / (p + d), label="the policy of a threshold")),
        On(
            Domain(0 < p, p < 1, d > 0, Eq(u, sqrt(d * (d + 1) / (p * (1 - p))))),
            Equal(large_groups(u, p), x_2, label="it is (15) with 1/β² = Q"),
        ),
    ),
    kind="uniqueness",
    depends_on=["by-large-form", "by-large-decreasing", "by-large-ends", "vy-eq15"],
    locator="Question 5",
    title="Large groups: the threshold of the stationary policy, any rewards",
    remark=(
        "So there is exactly one stationary policy, π_ref over S times its thresholds: the stationary policies are "
        "those of the roots, by by-large-form and by-large-equation. All expected rewards alike and s = 0: by 0/0 ≡ 0 "
        "every preference is 0, and by-many-stationary leaves π_ref. d is the threshold of the best answers, of "
        "reference mass p and mean variance s; d + δ(o) is that of another, of deviation v(o), t is the sum of δ π_ref."
    ),
)

# Three levels in closed terms, as a check of the form against (13): thresholds d, d + u, d + 1.
three, given = (d, d + u, d + 1), (p, z, 1 - p - z)
S_3 = sum(w / h for w, h in zip(given, three, strict=True))
policy = [w / h / S_3 for w, h in zip(given, three, strict=True)]
rewards = (1, 1 - u, 0)
average = sum(w * value for w, value in zip(policy, rewards, strict=True))
levels = Domain(0 < p, 0 < z, p + z < 1, d > 0, 0 < u, u < 1)
variance = sum(w * (value - average) ** 2 for w, value in zip(policy, rewards, strict=True))
claim(
    "by-large-three-levels",
    Every(
        *(
            Equal(
                (1 - s * (rewards[a] - t)) * given[a] / (three[a] * s),
                given[a],
                label=f"(13) with βσ = 1/S, answer {a + 1}: s is S, and t the mean reward",
            )
            for a in range(3)
        ),
    ),
    levels.also(Eq(s, S_3)).also(Eq(t, average.subs(S_3, s))),
    because=(
        *(
            On(
                levels,
                Equal(
                    (1 / S_3 - (rewards[a] - average)) * policy[a] * S_3,
                    given[a],
                    label=f"with S and the mean reward put in, answer {a + 1}",
                ),
            )
            for a in range(3)
        ),
        On(
            levels,
            Equal(
                variance * S_3**2,
                S_3 * sum(w * h for w, h in zip(given, three, strict=True)) - 1,
                label="σ²S² is S·Σ π_refδ − 1, and β is 1 over its root",
            ),
        ),
    ),
    locator="Question 5",
    title="Three levels of reward: the policy of a threshold in (13)",
    depends_on=["by-large-form"],
    remark="Rewards 1, 1 − u and 0, π_ref = (p, z, 1 − p − z); s is S, t the mean reward, and "
    "the policy π_ref/(Sδ) with the thresholds d, d + u and d + 1. "
    "β as a function of d is closed, for any n: 1/β² = S·Σ π_refδ − 1 (by-large-equation).",
)
