"""Large groups, any finite number of answers, any rewards: one stationary policy, found from one monotone equation.

Statement.   Let G → ∞ with the penalty KL_0, and let not all answers be alike. Every stationary policy has the form π =
             cπ_ref/δ, δ(o) = d + r_max − r(o), with d > 0 and c = βσ = 1/S, S = Σ π_ref/δ; and d is a root of S·Σ π_ref
             δ − 1 + S·Σ π_ref v/δ = 1/β², v(o) the variance of the reward of o. The left side falls from ∞ to 0, so
             there is exactly one stationary policy, for any n, deterministic or stochastic rewards. Deterministic
             rewards have the left side Q = Σ π_ref(δ − δ̄)²/(δδ̄). A guard ε inside the root adds εS², outside it the
             equation is √Q + εS = 1/β; shift only, at every group size, it is κS = 1/β with κ = G/(G − 1).
Source.      Question 5 of the project's theory; solves Vojnovic & Yun (2025), (13), for any finite number of answers.
Domain.      n ≥ 2 answers with real expected rewards and variances v(o) ≥ 0, β > 0, π_ref with full support.
Derivation.  (13) → π in terms of δ → Σπ = 1 and σ = c/β become one equation in d → its slope as a double sum of one
             sign → its two ends.
Caveats.     First-order stationarity with full support and σ > 0. Two answers: (15). For small groups uniqueness can
             fail (many_answers_counterexample.py).
Letters.     c is βσ(π) and d the threshold's distance from the best reward; u is S = Σπ_ref/δ, t is Σπ_refδ and s the
             part of the noise, v is σ(π) or σS. At the ends z is the reference mass of the best answers, t and s mean
             and variance of r_max − r. Of three answers u is a reward's distance and z a reference; of two u is the β
             of (15), s and v are variances; x and z are two thresholds.
"""

from sympy import And, Derivative, Eq, Equivalent, Implies, Sum, oo, sqrt

from grpo_symbolic.notation import (
    G,
    beta,
    guard,
    n,
    o,
    o_,
    p,
    pi,
    r,
    ref,
    s,
    scale,
    shift,
    short,
    spread,
    t,
    u,
    v,
    x,
    z,
)
from grpo_symbolic.objectives import SHIFT_AND_SCALE, SHIFT_ONLY, Answers
from grpo_symbolic.optimality import derivative_along, large_groups
from grpo_symbolic.proof import (
    Always,
    AtLeast,
    Domain,
    Equal,
    Every,
    Monotone,
    On,
    Result,
    Tends,
    TermByTerm,
    Then,
    positives,
    reals,
    simplex,
)

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
                label="so π, π_ref > 0 make every δ positive, the smallest, d, among them",
            ),
        ),
        Equal(total(made), c * S, label="Σπ = 1 says that c = 1/S"),
        Equal(t * total(made) - total(lambda a: made(a) * (t - short[a])), c, label="the mean of δ under π is c"),
        Equal(
            total(lambda a: made(a) * (short[a] - c) ** 2),
            c * up - c**2 * (2 - c * S),
            label="the variance of the rewards, which is cΣπ_refδ − c² for cS = 1",
        ),
        Equal(total(lambda a: made(a) * spread[a]), c * noise, label="and what stochastic rewards add to σ²"),
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
            label="for π = π_ref/(Sδ): σ(π) = c/β, c = 1/S, is one equation",
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
    remark="Deterministic rewards: χ²(π_ref‖π) = 1/β² (by-many-chi-square) written in d.",
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


claim(
    "by-large-decreasing",
    Every(
        On(
            Domain(n >= 2, d >= 0, simplex(ref, n), positives(short, n)),
            Equal(
                Derivative(raised(-1) * raised(1) - 1, d),
                raised(-1) - raised(-2) * raised(1),
                label="the deterministic part",
            ),
        ),
        Equal(S - squares * up, -double / 2, label="wherever d is: a double sum of terms that are not negative"),
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
    ),
    Domain(n >= 2, simplex(ref, n), positives(short, n), reals(spread, n)),
    because=(
        Equal(rate(S * up - 1), -double / 2, label="its slope"),
        Equal(rate(S), -squares, label="S decreases"),
        Equal(rate(S * noise), -squares * noise - S * noisy, label="the part of the noise: both factors decrease"),
        On(
            Domain(0 < x, 0 < z),
            Always((x + z) * (x - z) ** 2 / (x * z) ** 2 >= 0, label="each term; zero only for two equal thresholds"),
        ),
        On(
            Domain(u > 0, s > 0, t > 0, v > 0, beta > 0),
            Always(-t * u - v * s < 0, label="and the other slope is negative where there is noise"),
        ),
    ),
    kind="monotonicity",
    depends_on=["by-large-equation"],
    locator="Question 5",
    title="Slope of the equation of the threshold",
    says=(
        r"\frac{\mathrm d}{\mathrm dd}\big(S\,\mathbb E\delta\big)=-\frac12\sum_{o,o'}\pi_{\mathrm{ref}}(o)\pi_{"
        r"\mathrm{ref}}(o')\frac{(\delta+\delta')(\delta-\delta')^2}{\delta^2\delta'^2};\ \delta(o)=d+"
        r"r_{\max}-r(o),\ \delta'=\delta(o'),\ S=\sum\pi_{\mathrm{ref}}/\delta,\ \mathbb E\text{ under }\pi_{"
        r"\mathrm{ref}}"
    ),
    remark="With guards and shift only: S, S² and √Q decrease as well, so each of the left sides in by-large-equation "
    "does.",
)

# The ends: z the reference mass of the best answers, t the mean of r_max − r under π_ref, s its variance.
ends = Domain(d > 0, 0 < z, z < 1, t > 0, s > 0)
claim(
    "by-large-ends",
    Every(
        On(
            ends.also(u >= z / d),
            Always(u * (d + t) - 1 >= z * (d + t) / d - 1, label="so S Σπ_refδ − 1 ≥ z(d + Δ̄)/d − 1"),
        ),
        On(
            Domain(0 < z, z < 1, t > 0),
            Tends(z * (d + t) / d - 1, d, 0, oo, label="which grows beyond bounds as d → 0"),
        ),
        On(
            Domain(d > 0, 0 < p, p < 1, t > 0, u >= d),
            Always(
                p * (u - d - t) ** 2 / (u * (d + t)) <= p * (u - d - t) ** 2 / (d * (d + t)),
                label="Q ≤ Var_ref/(d(d + Δ̄)), term by term",
            ),
        ),
        On(
            Domain(t > 0, s > 0),
            Tends(s / (d * (d + t)), d, oo, 0, label="which tends to 0, as does S ≤ 1/d", side="-"),
        ),
    ),
    ends,
    because=(
        On(
            Domain(d > 0, u >= d, 0 < z, z < 1),
            Always(z / u <= z / d, label="1/δ ≤ 1/d, term by term: S ≤ 1/d, and S ≥ z/d from the best answers"),
        ),
        On(
            Domain(u > 0, u < 1, s > 0),
            Tends(s / d**2, d, 0, oo, label="all expected rewards equal, noise alone: E_ref v/d² → ∞"),
        ),
    ),
    kind="limit",
    depends_on=["by-large-equation"],
    locator="Question 5",
    title="Ends of the equation of the threshold",
    remark="The bounds are the brackets of the numerical solver.",
)

two = {"reference": (p, 1 - p), "thresholds": (d, d + 1)}  # rewards 1 and 0
S_2 = sum(w / h for w, h in zip(two["reference"], two["thresholds"], strict=True))
Q_2 = S_2 * sum(w * h for w, h in zip(two["reference"], two["thresholds"], strict=True)) - 1
x_2 = p / d / S_2
claim(
    "by-large-unique",
    Every(
        Monotone(Q_2, d, -1, label="decreasing"),
        On(
            Domain(0 < p, p < 1, d > 0, s >= 0, v > 0),
            Monotone(Q_2 + S_2 * (p * s / d + (1 - p) * v / (d + 1)), d, -1, label="two noisy answers: decreasing"),
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
        On(Domain(0 < p, p < 1, d > 0), Monotone(sqrt(Q_2), d, -1, label="and the root, for the guard outside")),
    ),
    kind="uniqueness",
    depends_on=["by-large-form", "by-large-decreasing", "by-large-ends", "vy-eq15"],
    lemmas=[
        "a continuous strictly decreasing function from ∞ to 0 takes the value 1/β² exactly once; each root "
        "gives a policy, by the form"
    ],
    locator="Question 5",
    title="Large groups: existence and uniqueness of the stationary policy, any rewards",
    says=(
        r"G\to\infty,\ \mathrm{KL}_0:\ \forall n,\pi_{\mathrm{ref}},\beta,\text{ mean rewards }r,\text{ variances }v\ "
        r"(\text{not all }r\text{ equal, or some }v>0)\ \exists!\,\pi"
    ),
    remark=(
        "Stochastic rewards included; a guard inside or outside the root keeps it, and shift only has it at "
        "every group size (by-large-equation, by-large-decreasing). All answers alike and v = 0: 0/0 ≡ 0 leaves π_ref."
    ),
)

# Three levels in closed terms, as a check of the form against (13): thresholds d, d + u, d + 1.
three, given = (d, d + u, d + 1), (p, z, 1 - p - z)
S_3 = sum(w / h for w, h in zip(given, three, strict=True))
policy = [w / h / S_3 for w, h in zip(given, three, strict=True)]
rewards = (1, 1 - u, 0)
average = sum(w * value for w, value in zip(policy, rewards, strict=True))
variance = sum(w * (value - average) ** 2 for w, value in zip(policy, rewards, strict=True))
claim(
    "by-large-three-levels",
    Every(
        *(
            Equal(
                (1 / S_3 - (rewards[a] - average)) * policy[a] * S_3,
                given[a],
                label=f"(13) with βσ = 1/S, answer {a + 1}",
            )
            for a in range(3)
        ),
    ),
    Domain(0 < p, 0 < z, p + z < 1, d > 0, 0 < u, u < 1),
    because=(
        Equal(
            variance * S_3**2, S_3 * sum(w * h for w, h in zip(given, three, strict=True)) - 1, label="and σS is 1/β"
        ),
    ),
    locator="Question 5",
    title="Three levels of reward: the policy of a threshold in (13)",
    depends_on=["by-large-form"],
    says=(
        r"\text{threshold }d,\text{ rewards }1,1-u,0,\ \pi_{\mathrm{ref}}=(p,z,1-p-z):\ "
        r"\pi=\Big(\frac pd,\frac z{d+u},\frac{1-p-z}{d+1}\Big)\Big/S,\ S\text{ the sum}"
    ),
    remark="β as a function of d is closed, for any n: 1/β² = S·Σ π_refδ − 1 (by-large-equation).",
)
