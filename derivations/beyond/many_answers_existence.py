"""Many answers: a stationary policy exists, by Brouwer's fixed-point theorem and what leads to its hypotheses.

Statement.   For n answers, any rewards (stochastic ones too), β > 0 and every finite group size, equation (11) has a
             solution with full support; so does the stationarity of the direct KL. For large groups (11) has one as
             well, for any rewards.
Source.      Question 5 of the project's theory; Vojnovic & Yun (2025), equation (11) and Appendix B.2.
Domain.      n ≥ 2, G ≥ 2, β > 0, π_ref with full support.
Derivation.  π ↦ the best response to the preferences of π under the forward KL, ρ(o) = βπ_ref(o)/(λ − P(o)) → λ is
             unique and depends continuously on P → ρ stays away from the boundary → a fixed point of the map solves
             (11) → large groups: guard ε → 0.
Caveats.     For large groups preferences jump where σ = 0, so Brouwer needs the guard, and with the direct KL there may
             be no policy (vy-B2-h-positive-small-beta).
Letters.     q is one entry of π_ref, y that of π, and u by how much its preference falls short; t is λ − max P, a
             preference, or √(G − 1), with s < t where two are compared, c a sum that is divided by, such as the
             normaliser Z. Where one preference s moves, that of answer o', t is the multiplier, λ before that, and
             preferences lie u + δ below λ; in its steps they lie δ below λ, or δ are the terms of a mean that rises by
             t. x and y are probabilities of answers, v is a variance or a bound of how far two preferences are apart.
             In by-exists-large u is the mean reward, or a variance that is no smaller than v; t is a reward less the
             mean, and t and s are the rewards of the answers of probability x and y, p is an entry of π_ref. (11) is an
             equation of Vojnovic & Yun.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

answers = Answers(n)
frozen = Domain(n >= 2, beta > 0, lam, simplex(pi, n), simplex(ref, n), reals(P, n))

# The response: preferences P held fixed, the forward KL as the penalty.
response = Sum(pi[o] * P[o], (o, 1, n)) - beta * forward_kl(pi, ref, answers, o)
condition = partial(lagrangian(response, pi, n, lam, None, o_), pi[o])
thresholds = Domain(n >= 2, beta > 0, s < t, simplex(ref, n), positives(short, n))  # δ(o) = λ − P(o) > 0

of_response = P[o] - lam + beta * ref[o] / pi[o]
stays = Eq(of_response, 0, evaluate=False)
mean_of_response = Equal(
    Sum(pi[o_] * of_response.subs(o, o_), (o_, 1, n)),
    Sum(pi[o_] * P[o_], (o_, 1, n)) - lam + beta,
    label="the mean of the condition",
)
claim(
    "by-exists-response",
    Always(
        Implies(
            And(
                Eq(Sum(pi[o_] * P[o_], (o_, 1, n)), 0),
                Eq(Sum(pi[o_] * of_response.subs(o, o_), (o_, 1, n)), 0, evaluate=False),
                evaluate=False,
            ),
            And(Eq(lam, beta), Equivalent(stays, Eq(P[o], beta * (1 - ref[o] / pi[o]), evaluate=False))),
            evaluate=False,
        ),
        label="of preferences of mean zero: at a fixed point λ = β, and the condition is (11)",
    ).by(Then((mean_of_response,))),
    frozen.also(1 <= o, o <= n),
    because=(
        Always(
            Implies(
                P[o] < lam, Equivalent(stays, Eq(pi[o], beta * ref[o] / (lam - P[o]), evaluate=False)), evaluate=False
            ),
            label="the response, where its condition holds",
        ),
        On(frozen, mean_of_response),
        On(
            frozen,
            Equal(
                Sum(pi[o] * condition, (o, 1, n)),
                Sum(pi[o] * P[o], (o, 1, n)) - lam + beta,
                label="at a fixed point E_π P = 0, so λ = β",
            ),
        ),
        Equal(
            (condition * pi[o]).subs(lam, beta),
            P[o] * pi[o] - beta * pi[o] + beta * ref[o],
            label="with λ = β the condition is (11)",
        ),
        Equal(condition, of_response, label="the slope that is zero where π(o)(λ − P(o)) = βπ_ref(o)"),
        On(Domain(0 < q, 0 < y, beta > 0), Always(-beta * q / y**2 < 0, label="strictly concave: one maximum")),
    ),
    locator="Question 5",
    title="Fixed points of the best response, and the solutions of (11)",
    depends_on=["by-many-stationary"],
)

# λ = P_max + t. Here p is the reference mass of the most preferred answers, and short[o] = P_max − P(o) > 0 that by
# which another answer falls short.
others = Domain(n >= 1, 0 < p, p < 1, simplex(ref, n, total=1 - p), positives(short, n), beta > 0)
mass = beta * p / t + Sum(beta * ref[o] / (t + short[o]), (o, 1, n))
spare = p * (t - beta) / t + Sum(ref[o] * (t + short[o] - beta) / (t + short[o]), (o, 1, n))
less = -beta * p / t**2 - Sum(beta * ref[o] / (t + short[o]) ** 2, (o, 1, n))
claim(
    "by-exists-multiplier",
    Every(
        On(
            others,
            OneRoot(mass, t, beta * p, beta, 1, label="λ − max P").by(
                StrictlyMonotone(-1, shape=SignOfDerivative(less), at_upper=ByDifference(spare.subs(t, beta)))
            ),
        ),
        On(
            others.also(1 <= o, o <= n, 0 < t, t <= beta, short[o] <= v),
            Always(
                And(
                    beta * ref[o] / (t + short[o]) >= beta * ref[o] / (beta + v), beta * p / t >= beta * p / (beta + v)
                ),
                label="so every answer keeps that much, v the greatest distance of two preferences",
            ),
        ),
    ),
    others,
    because=(
        On(
            others.also(1 <= o, o <= n, 0 < t, t <= beta, G >= 2, short[o] <= 2 * sqrt(G - 1)),
            Always(
                And(
                    beta * ref[o] / (t + short[o]) >= beta * ref[o] / (beta + 2 * sqrt(G - 1)),
                    beta * p / t >= beta * p / (beta + 2 * sqrt(G - 1)),
                ),
                label="with v = 2√(G − 1): preferences lie between −√(G − 1) and √(G − 1)",
            ),
        ),
        On(
            Domain(0 < q, 0 <= u, 0 < t, t <= beta),
            Always(
                beta * q / (t + u) >= beta * q / (beta + u),
                label="each answer keeps at least βπ_ref/(β + max P − P)",
            ),
        ),
        On(
            Domain(beta > 0, 0 < q, t > 0, 0 <= u, u <= 2 * t),
            Always(
                beta * q / (beta + u) >= beta * q / (beta + 2 * t),
                label="which is bounded below, t = √(G − 1): the response stays inside",
            ),
        ),
        On(others.also(0 < t, t <= beta * p), Always(mass > 1, label="for smaller λ there is too much mass")),
        On(others.also(t >= beta), Always(mass < 1, label="for larger λ too little").by(ByDifference(spare))),
        On(
            Domain(beta > 0, t > 0),
            Always(Equivalent(Eq(beta / t, 1), Eq(t, beta)), label="λ − max P = β where all are preferred alike"),
        ),
    ),
    kind="existence",
    depends_on=["by-exists-response", "by-many-preference-bound"],
    locator="Question 5",
    title="The best response: existence, uniqueness and distance from the boundary",
    remark="p is the mass of π_ref on the most preferred answers, δ(o) by how much P(o) falls short of max P, and t is "
    "λ − max P, or √(G − 1).",
)

# Continuity: the preferences of finite groups are polynomials in the policy, and λ moves with P at rates that sum to 1.
# One preference s moves, that of answer o'. Before, the multiplier is λ, and preferences lie u + δ below it.
weight = (beta * ref[o] / short[o] ** 2) / scale  # scale: their sum
below = u + short[o]
kept = Sum(ref[o] / below, (o, 1, n))  # 1/β, by the sum over the response
moving = Answer(
    Sum(ref[o] / (t - lam + below), (o, 1, n)) + ref[o_] / (t - s) - ref[o_] / (t - lam + below.subs(o, o_)) - kept,
    t,
    s,
)
one_moves = Domain(n >= 2, 1 <= o_, o_ <= n, u > 0, lam, simplex(ref, n), positives(short, n))
steep = Sum(ref[o] / below**2, (o, 1, n))
slopes = (
    Always(steep > 0, label="the slope"),
    Equal(Sum(-ref[o] / below**2, (o, 1, n)), -steep, label="its sign").by(EqualTerms()),
)
claim(
    "by-exists-continuous",
    AnswerMoves(
        moving, lam, (ref[o] / below**2).subs(o, o_) / steep, lam - below.subs(o, o_), label="λ moves with a preference"
    ).by(ImplicitFunction((t > lam - u, s < lam - u), using=Then(slopes))),
    one_moves,
    because=(
        On(
            thresholds.also(scale > 0),
            Equal(
                Sum(weight, (o, 1, n)),
                Sum(beta * ref[o] / short[o] ** 2, (o, 1, n)) / scale,
                label="dλ/dP(o): positive weights, divided by their sum",
            ),
        ),
        On(
            Domain(n >= 2, simplex(pi, n), positives(short, n), s < t),
            Equal(
                Sum(pi[o] * (short[o] + t), (o, 1, n)) - Sum(pi[o] * short[o], (o, 1, n)),
                t,
                label="a mean with the weights π rises by t where every term does",
            ),
        ),
    ),
    kind="existence",
    depends_on=["by-exists-multiplier"],
    lemmas=[
        "P(o), an average over G − 1 other members drawn independently from π, is a polynomial in π of degree at most "
        "G − 1; the derivatives of λ in the preferences are positive and add up to 1, so that λ rises by no more than "
        "the preferences do: so the best response is continuous on the closed simplex"
    ],
    locator="Question 5",
    title="Continuity of the best response, by the rate at which its multiplier moves with a preference",
    says=(
        r"\sum_o\frac{\beta\pi_{\mathrm{ref}}(o)}{u+\delta(o)}=1:\ \frac{\partial\lambda}{\partial\mathcal "
        r"P(o)}=\frac{\pi_{\mathrm{ref}}(o)/(u+\delta(o))^2}{\sum_{o'}\pi_{\mathrm{ref}}(o')/(u+\delta(o'))^2},\ "
        r"u+\delta=\lambda-\mathcal P"
    ),
)

claim(
    "by-exists-finite",
    Every(
        On(
            Domain(n >= 2, G >= 2, beta > 0, simplex(pi, n), simplex(ref, n), reals(P, n), 1 <= o, o <= n),
            Always(
                Implies(
                    Eq(pi[o] * (beta - P[o]), beta * ref[o], evaluate=False),
                    And(P[o] < beta, Eq((1 - P[o] / beta) * pi[o], ref[o], evaluate=False), evaluate=False),
                    evaluate=False,
                ),
                label="a fixed point of the best response, where λ = β, satisfies (11)",
            ),
        ),
        On(
            Domain(beta > 0, 0 < q, G >= 2),
            Always(beta * q / (beta + 2 * sqrt(G - 1)) > 0, label="and has full support"),
        ),
    ),
    Domain(beta > 0, 0 < q, q < 1),
    because=(
        On(
            Domain(beta > 0, 0 < q, q < 1, 0 < y, t < beta),
            Equal((beta * q / (beta - t)) * (1 - t / beta), q, label="with λ = β the response satisfies (11)"),
        ),
    ),
    kind="existence",
    depends_on=["by-exists-response", "by-exists-multiplier", "by-exists-continuous"],
    lemmas=[
        "Brouwer's fixed-point theorem: the best response, a continuous map of the simplex into its inside, has a "
        "fixed point; so (11) has a solution with full support, for all rewards and every β, n and G"
    ],
    locator="Question 5",
    title="Finite groups: fixed points of the best response, by Brouwer's theorem, as stationary policies",
    remark="q is an entry of π_ref, and β q/(β + 2√(G − 1)) bounds that of the best response from below "
    "(by-exists-multiplier).",
)

# The direct KL: its response is a softmax, continuous and inside.
direct = identify(
    partial(grpo(beta, divergence=REVERSE_KL).value(pi, old, ref, lambda a: P[a], answers, o_), pi[o]), old, pi
)
tilted = {pi[o]: ref[o] * exp(P[o] / beta) / scale}  # scale: the normaliser
claim(
    "by-exists-direct",
    On(
        Domain(n >= 2, beta > 0, scale > 0, simplex(pi, n), simplex(ref, n), reals(P, n)),
        Equal(
            direct.xreplace(tilted),
            beta * log(scale),
            label="the same for all answers at a fixed point of π ↦ π_ref e^{P/β}/Z",
        ),
    ),
    Domain(n >= 2, beta > 0, simplex(pi, n), simplex(old, n), simplex(ref, n), reals(P, n)),
    because=(
        Equal(direct, P[o] - beta * log(pi[o] / ref[o]), label="direct KL: the on-policy slope"),
        On(
            Domain(beta > 0, 0 < q, s < t),
            Always(
                exp(s / beta) < exp(t / beta),
                using=(exp_increasing(s / beta, t / beta),),
                label="a larger preference, a larger tilt",
            ),
        ),
    ),
    kind="existence",
    depends_on=["by-exists-continuous", "by-many-preference-bound"],
    lemmas=[
        "Brouwer's fixed-point theorem: π ↦ π_ref e^{P/β}/Z, a continuous map of the simplex into its inside, has a "
        "fixed point; so there is a stationary policy, for all rewards and every β, n and finite G"
    ],
    locator="Question 5",
    title="Direct KL, finite groups: fixed points of π ↦ π_ref e^{P/β}/Z, by Brouwer's theorem, as stationary policies",
    says=(
        r"\pi=\pi_{\mathrm{ref}}e^{\mathcal P/\beta}/Z\Rightarrow\text{the slope of the objective, on-policy, is }"
        r"\beta\log Z\text{ for every answer}"
    ),
    remark="Not for large groups: two answers have none when π_ref of the better one exceeds the p*(β) of "
    "vy-B2-threshold (vy-B2-h-positive-small-beta).",
)

# Large groups: with a guard ε in the root preferences are continuous, and the bound of χ² does not depend on ε.
floor = p**2 * beta**2 / (1 + beta**2)
share = Domain(0 < x, x < 1, 0 < y, y < 1, x + y <= 1, t > s)
guarded = SHIFT_AND_SCALE.of_population(r[o], u, v + guard)  # u is the mean reward, v its variance
claim(
    "by-exists-large",
    Every(
        On(
            Domain(
                n >= 2,
                beta > 0,
                guard > 0,
                v >= 0,
                Eq(u, Sum(pi[o] * r[o], (o, 1, n))),
                Eq(v, Sum(pi[o] * (r[o] - u) ** 2, (o, 1, n))),
                simplex(pi, n),
                reals(r, n),
            ),
            Always(
                Sum(pi[o] * (1 - guarded / beta) ** 2, (o, 1, n)) - 1 < 1 / beta**2,
                label="χ²(π_ref‖π) for π_ref = (1 − P/β)π, where preferences have a guard",
            ).by(ByDifference(guard / ((v + guard) * beta**2))),
        ),
        On(
            Domain(v > 0, t > 0),
            Tends(
                t / sqrt(v + guard),
                guard,
                0,
                t / sqrt(v),
                label="so the preferences of a policy converge as ε → 0",
            ),
        ),
    ),
    share,
    because=(
        On(
            Domain(0 < p, p < 1, beta > 0),
            Always(floor > 0, label="π_ref²/(1 + 1/β²), which by by-many-event-bound no π_ε(o) is below, is positive"),
        ),
        On(
            Domain(v > 0, guard > 0, u >= v),
            Always(v / (u + guard) < 1, label="guarded: E_π P² = Var/(σ² + ε) < 1, so χ² < 1/β²"),
        ),
        On(
            share,
            Always(
                x * (1 - x) * t**2 + y * (1 - y) * s**2 - 2 * x * y * t * s >= x * y * (t - s) ** 2,
                label="two answers of different reward (0 a third, after a shift): σ² stays away from 0",
            ),
        ),
    ),
    kind="existence",
    depends_on=["by-exists-finite", "by-many-event-bound"],
    lemmas=[
        "Brouwer's fixed-point theorem: with a guard ε there is a stationary policy π_ε, which by by-many-event-bound "
        "stays away from the boundary, whatever ε; a bounded sequence has a convergent subsequence: so for ε → 0 along "
        "some sequence π_ε tends to a policy with full support, which is stationary for large groups"
    ],
    locator="Question 5",
    title="Large groups with a guard in the deviation: a bound on χ² independent of it, and the limit of the "
    "preferences without it",
    says=(
        r"\text{deterministic rewards, }\pi_{\mathrm{ref}}=(1-\tfrac{\mathcal P_\varepsilon}\beta)\pi\Rightarrow"
        r"\chi^2(\pi_{\mathrm{ref}}\|\pi)<\tfrac1{\beta^2}\text{ for every guard }\varepsilon>0;\quad "
        r"\mathcal P_\varepsilon\to\mathcal P\text{ as }\varepsilon\to0,\ \sigma>0"
    ),
    remark=(
        "π_ε is stationary with the guard ε inside the root, σ² + ε. "
        "A second proof beside by-large-unique, one that needs no formula for the policy. Stochastic rewards, whose σ² "
        "is no smaller than the variance of their means: under because."
    ),
)
