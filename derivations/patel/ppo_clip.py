"""PPO's clipped loss: what the minimum does for each sign of the advantage, what it caps, and what it does not hold
fast.

Statement.   min{ρA, clip(ρ)A} is A·min(ρ, 1 + ϵ) for A > 0 and A·max(ρ, 1 − ϵ) for A < 0: flat where the ratio has gone
             beyond the range in the direction that gains, and nowhere else. Nothing in it keeps the ratio near one:
             in one state of two tokens every policy with both ratios beyond the range is a best one.
Source.      Patel (2025), Section 4.6, equation (11).
Domain.      One output with any ratio and advantage; two tokens in one state for the loss as a whole.
Derivation.  Cases of the sign of A → flat and steep pieces → the expected loss of one state along the policy.
Caveats.     Of parameters that tokens or states share nothing is said.
Letters.     ρᵢ is a ratio and A its advantage, A(…) that of a token after those before it. x and y are any two numbers,
             or what π_1 and π_0 give to one of two tokens, u and −v the advantages of the two; where the clip is
             written out v is clipped between x and y. Over a vocabulary of n tokens o, π and π_old are π_1 and π_0.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

output = Domain(ratio > 0, 0 < epsilon, epsilon < 1, A)
clipped = clipped_surrogate(ratio, A, epsilon)


claim(
    "pt-min-inside-negative",
    Equal(-Min(x, y), Max(-x, -y)),
    Domain(x, y),
    locator="Sec 4.6",
    title="Minimum inside the negative sign, maximum outside",
    printed=r"\text{taking max (or min inside the negative sign)}",
)

clip_of = Min(Max(v, x), y)
claim(
    "pt-clip-def",
    Every(
        Always((x <= clip_of) & (clip_of <= y), label="between the ends"),
        On(Domain(x <= v, v <= y), Equal(clip_of, v, label="unchanged inside")),
    ),
    Domain(v, x <= y),
    because=(
        On(Domain(v, y < x), Equal(clip_of, y, label="with the ends exchanged it is y, whatever v is")),
        On(
            output,
            Equal(
                clip(ratio, epsilon),
                Min(Max(ratio, 1 - epsilon), 1 + epsilon),
                label="for the ends 1 − ϵ and 1 + ϵ",
            ),
        ),
    ),
    locator="Sec 4.6",
    title="CLIP at both ends",
    printed=(
        r"\text{The CLIP function simply clips the provided value at both ends and, as such, }\mathrm{CLIP}(v,x,y)="
        r"\min(\max(v,x),y)"
    ),
    remark="x and y are ends of an interval, x ≤ y, as ϵ is how far apart two probabilities may be. With the "
    "ends exchanged the formula gives y whatever v is.",
)

gaining, losing = output.also(A > 0), output.also(A < 0)
claim(
    "pt-eq11-ppo",
    Every(
        On(gaining, Equal(clipped, A * Min(ratio, 1 + epsilon), label="A > 0")),
        On(losing, Equal(clipped, A * Max(ratio, 1 - epsilon), label="A < 0")),
    ),
    output,
    because=(
        On(
            output.also(1 - epsilon <= ratio, ratio <= 1 + epsilon),
            Equal(clipped, ratio * A, label="inside the range: the ratio loss (7)"),
        ),
    ),
    depends_on=["pt-clip-def", "pt-eq7-removing-logs", "pt-eq7-A1-index"],
    locator="Sec 4.6, (11)",
    title="The clipped loss by the sign of the advantage",
    printed=(
        r"\text{PPO Loss}=-\frac1S\sum_{i=1}^S\sum_{t=1}^T\min\Big[\frac{\pi_1(a_{it}|\vec s_{it})}{\pi_0(a_{it}|\vec "
        r"s_{it})}A_1(a_{it},\vec s_{it}),\ \mathrm{CLIP}\Big(\frac{\pi_1(a_{it}|\vec s_{it})}{\pi_0(a_{it}|\vec "
        r"s_{it})},1-\epsilon,1+\epsilon\Big)A_1(a_{it},\vec s_{it})\Big]"
    ),
    remark="The letter A_1 is held against (7) (pt-eq7-A1-index). At M_1 = M_0 every ratio is one, inside "
    "the range, so the first gradient is that of (7) and of REINFORCE (pt-eq7-removing-logs).",
)

claim(
    "pt-clip-no-gain",
    Every(
        On(output.also(A > 0), Equal(clipped, A * Min(ratio, 1 + epsilon), label="A > 0: capped above 1 + ϵ alone")),
        On(output.also(A < 0), Equal(clipped, A * Max(ratio, 1 - epsilon), label="A < 0: capped below 1 − ϵ alone")),
    ),
    output,
    because=(
        On(gaining.also(ratio >= 1 + epsilon), Equal(clipped, (1 + epsilon) * A, label="A > 0: no gain above 1 + ϵ")),
        On(losing.also(ratio <= 1 - epsilon), Equal(clipped, (1 - epsilon) * A, label="A < 0: no gain below 1 − ϵ")),
        On(losing.also(ratio >= 1 - epsilon), Equal(clipped, ratio * A, label="A < 0: no cap above 1 − ϵ")),
        On(gaining.also(ratio <= 1 + epsilon), Equal(clipped, ratio * A, label="A > 0: no cap below 1 + ϵ")),
        Always(clipped <= ratio * A, label="never more than the ratio loss would credit"),
    ),
    depends_on=["pt-eq11-ppo"],
    kind="inequality",
    locator="Sec 4.6",
    title="The capped side of the clipped loss",
    printed=(
        r"\text{if we capped the loss function every time the two probabilities were further apart than a certain "
        r"value (let us say }\epsilon\text{), then there would be no gain that the optimization process would achieve "
        r"from moving the probabilities further apart}"
    ),
    remark=(
        "Of (11), which follows: the minimum caps only the side on which moving gains. On the other side, a ratio "
        "above 1 + ϵ with A < 0 or below 1 − ϵ with A > 0, it goes on as (7) does, so that moving further apart loses."
    ),
)

# -- does clipping keep the ratio near one? ---------------------------------------------------------------------------
# One state, two tokens: x = π_1(a), y = π_0(a), advantages u > 0 of a and −v < 0 of b; tokens are drawn from M_0.
state = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < epsilon, epsilon < 1, u > 0, v > 0)
objective = y * clipped_surrogate(x / y, u, epsilon) + (1 - y) * clipped_surrogate((1 - x) / (1 - y), -v, epsilon)
level_reached = y * (1 + epsilon) * u - (1 - y) * (1 - epsilon) * v
out_of_range = (x >= y * (1 + epsilon), 1 - x <= (1 - y) * (1 - epsilon))
beyond = state.also(*out_of_range)
claim(
    "pt-clip-keeps-ratio",
    Every(
        On(beyond, Equal(objective, level_reached, label="beyond the range the objective is flat")),
        On(state, Always(objective <= level_reached, label="nowhere is it higher")),
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1, 0 < epsilon, epsilon < 1, *out_of_range),
            Exists(
                x / y > 50,
                {x: Rational(99, 100), y: Rational(1, 100), epsilon: Rational(1, 5)},
                label="beyond the range a ratio can exceed fifty",
            ),
        ),
    ),
    state,
    depends_on=["pt-clip-no-gain"],
    kind="inequality",
    locator="Sec 4.6",
    title="Ratios at the maximisers of the clipped objective: one state, two tokens",
    printed=(
        r"\text{Since they are already written as a ratio, why don't we simply make sure that ratio is in the "
        r"neighborhood of 1 by clipping the ratio in the loss function and taking max (or min inside the negative "
        r"sign).}"
    ),
    judged=imprecise(
        "As the paper says just before, clipping takes the gain away; it does not hold the ratio. Beyond the range "
        "the loss is flat at its optimum, so a policy that puts nearly everything on the better token is as good as "
        "one at the edge, and no slope of the loss brings the ratio back.",
        Always(x / y <= 1 + 2 * epsilon, label="the best policies have ratios near one"),
        beyond,
    ),
    remark="“They” are the two probabilities of the sentence before (pt-clip-no-gain).",
)

# -- all ratios inside the range --------------------------------------------------------------------------------------
# A ratio ρ in the range is 1 + (2s − 1)ϵ for a share s of the upper end.
upper, lower = 1 + epsilon, 1 - epsilon
share = (ratio - lower) / (2 * epsilon)
tangents = (log_below_tangent(upper / ratio), log_below_tangent(lower / ratio))
inside_range = Domain(0 < epsilon, epsilon < 1, lower < ratio, ratio < upper)
most = -log(1 - epsilon**2) / 2
ratios = Domain(n >= 2, 0 < epsilon, epsilon < 1, simplex(pi, n), simplex(old, n))
even = Domain(0 < epsilon, epsilon < 1)
half = Rational(1, 2)


def below_chord(value):
    """What −log of a ratio is below its chord."""
    of = share.subs(ratio, value)
    return -of * log(upper / value) - (1 - of) * log(lower / value)


in_closed_range = Domain(0 < epsilon, epsilon < 1, lower <= ratio, ratio <= upper)
at_ratio = InLetters(
    Always(below_chord(ratio) >= 0, using=tangents), in_closed_range, {ratio: pi[o] / old[o], epsilon: epsilon}
)
claim(
    "pt-clip-bounds-kl",
    On(
        ratios,
        AtLeast(
            most,
            forward_kl(pi, old, Answers(n), o),
            label="so the divergence is at most this",
            given=(lower <= pi[o] / old[o], pi[o] / old[o] <= upper),
        ).by(TermByTerm((Sum(old[o] * below_chord(pi[o] / old[o]), (o, 1, n)),), using=at_ratio)),
    ),
    ratios,
    because=(
        On(
            inside_range,
            Always(
                share * log(upper / ratio) + (1 - share) * log(lower / ratio) < 0,
                using=tangents,
                label="−log ρ is below its chord inside the range",
            ),
        ),
        On(inside_range, Always((share > 0) & (share < 1), label="the share of the upper end lies between 0 and 1")),
        On(
            ratios,
            Equal(
                Sum(old[o] * share.subs(ratio, pi[o] / old[o]), (o, 1, n)),
                half,
                label="the shares average to one half, any vocabulary",
            ),
        ),
        On(
            even, Equal(-half * log(upper) - half * log(lower), most, label="the chord of −log ρ at the share one half")
        ),
        On(
            even,
            Equal(
                forward_kl((upper / 2, lower / 2), (half, half), Answers(2), o),
                most,
                label="two even tokens with the ratios 1 ± ϵ reach the bound",
            ),
        ),
        On(even, Equal(most, log(1 / (1 - epsilon**2)) / 2, label="the bound in other words")),
        On(
            even,
            Always(
                log(1 / (1 - epsilon**2)) / 2 < epsilon**2 / (2 * (1 - epsilon**2)),
                using=(log_below_tangent(1 / (1 - epsilon**2)),),
                label="the bound is less than ½ ϵ²/(1 − ϵ²)",
            ),
        ),
    ),
    kind="inequality",
    locator="Sec 4.6",
    title="Bound of KL(π_old‖π) by ratios inside the clip range",
    remark=(
        "For ϵ = 1/5 the bound is 0.0204…. The clipped loss does not keep the ratios there (pt-clip-keeps-ratio); "
        "where they stay, the constraint of (10) holds with the bound for its δ."
    ),
)

chances = Domain(0 < y, y <= 1, ratio >= 0, ratio * y <= 1, 0 < epsilon, epsilon < 1)  # y = π_0, and π_1 = ρ y
claim(
    "pt-clip-never-above",
    Always(Implies((1 + epsilon) * y >= 1, ratio <= 1 + epsilon), label="y ≥ 1/(1 + ϵ): never above the range"),
    chances,
    because=(
        On(
            chances,
            Exists(
                (ratio > 1 + epsilon) & Eq(ratio * y, 1),
                {y: Rational(4, 5), ratio: Rational(5, 4), epsilon: Rational(1, 5)},
                label="a rarer one can be above: y = 4/5, ρᵢ y = π_1 = 1, ϵ = 1/5",
            ),
        ),
        On(
            chances,
            Exists(
                (ratio < 1 - epsilon) & Eq(y, 1),
                {y: 1, ratio: Rational(1, 2), epsilon: Rational(1, 5)},
                label="even a token certain under π_0 can be below the range",
            ),
        ),
    ),
    kind="inequality",
    locator="Sec 4.6",
    title="Tokens out of reach of the upper clip: a probability y under π_0 of at least 1/(1 + ϵ)",
    remark="For ϵ = 1/5 these are the tokens with y ≥ 5/6: with a positive advantage clipping never concerns them.",
)
