"""Two clip bounds, the dual clip, `delta` and CISPO's cap: what they change, and when two of them are one.

Statement.   At ratio 1 no bound binds, so a run with one inner step is never clipped, whatever its bounds. With the
             lower bound 1 − ϵ_low and the upper bound 1 + ϵ_high an output stops teaching above the upper bound if its
             advantage is positive and below the lower bound if it is negative. Without a penalty a round of groups of
             two goes to the larger of (1 + ϵ_high)y and 1 − (1 − ϵ_low)(1 − y): ϵ_low alone decides for rare successes.
             `delta` (a cap on the ratio before the lesser of the two is taken) is the dual clip of the same bound
             exactly for delta ≥ 1 + ϵ_high; below that it also cuts what positive advantages gain. CISPO weighs log π
             by the capped ratio held fixed: below the cap its gradient is that of the plain ratio, above it stays at
             cap × A, where clipping has none for a positive advantage.
Source.      DAPO's clip-higher, dual-clip PPO, trainers' `delta`, MiniMax's CISPO; question on a clip share that is
             always 0 (trl#3120).
Domain.      Any ratio > 0 and advantage; 0 < ϵ_low < 1, ϵ_high > 0; delta and the dual clip's bound above 1, CISPO's
             cap, and delta as an upper bound, above 0; groups of two for the way.
Derivation.  objective of one output by cases; objective of groups of two by enumeration, on each piece.
Caveats.     One output or one prompt; inner steps of finite length: by-clip-inner-loop.
Letters.     ρᵢ is the ratio of an output and A its advantage, ϵ_low and ϵ_high are how far below and above 1 a ratio
             may go unclipped; C is CISPO's cap, `delta`, or the bound of the dual clip, u the ratio that CISPO holds
             fixed. In tr-clip-way x and y are the probabilities of the right answer under the policy and under the one
             that samples. L_dual is the term with the dual clip, J_clip the objective of groups of two.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

output = Domain(ratio > 0, 0 < clip_low, clip_low < 1, clip_high > 0, A)


def clipped(r, weight):
    """min(ρA, clip(ρ)A) with the bounds 1 − ϵ_low and 1 + ϵ_high."""
    return clipped_surrogate(r, weight, clip_low, clip_high)


def dual(r, weight, bound):
    """The dual clip: for negative advantages no lower than bound · A."""
    return Piecewise((Max(clipped(r, weight), bound * weight, evaluate=False), weight < 0), (clipped(r, weight), True))


def with_delta(r, weight, bound):
    """`delta`: the ratio capped before the lesser of the two terms is taken."""
    return Min(Min(r, bound, evaluate=False) * weight, clip(r, clip_low, clip_high) * weight, evaluate=False)


inside = output.also(1 - clip_low < ratio, ratio < 1 + clip_high)
claim(
    "tr-clip-first-step",
    Always(And(1 - clip_low < 1, 1 < 1 + clip_high), label="ratio 1 is inside the bounds"),
    output,
    because=(
        On(inside, Equal(clipped(ratio, A), ratio * A, label="between the clip bounds nothing is clipped")),
        Equal(clipped(ratio, A).subs(ratio, 1), A, label="at ratio 1 the term is A"),
        On(output.also(cap > 1), Equal(dual(ratio, A, cap).subs(ratio, 1), A, label="with the dual clip too")),
        On(output.also(cap > 1), Equal(with_delta(ratio, A, cap).subs(ratio, 1), A, label="and with delta")),
    ),
    locator="Topic 10",
    title="The clip bounds at ratio 1",
    remark="A clip share above 0 needs a second step on the same samples, or samples of another policy.",
)

above, below = output.also(ratio > 1 + clip_high), output.also(ratio < 1 - clip_low)
claim(
    "tr-clip-sides",
    Every(
        On(
            above.also(A > 0),
            Equal(
                clipped(ratio, A),
                (1 + clip_high) * A,
                label="positive advantage, above the upper bound: constant, no gradient",
            ),
        ),
        On(
            below.also(A < 0),
            Equal(clipped(ratio, A), (1 - clip_low) * A, label="negative advantage, below the lower bound: constant"),
        ),
    ),
    output,
    because=(
        On(
            above.also(A < 0),
            Equal(clipped(ratio, A), ratio * A, label="negative advantage, above the upper bound: not clipped"),
        ),
        On(
            below.also(A > 0),
            Equal(clipped(ratio, A), ratio * A, label="positive advantage, below the lower bound: not clipped"),
        ),
        On(
            above.also(A > 0),
            Always(
                clipped(ratio, A) < ratio * A, label="positive advantage, above the upper bound: less than unclipped"
            ),
        ),
    ),
    depends_on=["tr-clip-first-step"],
    locator="Topic 10",
    title="The clip bounds by the sign of the advantage",
)

two = output.also(cap > 1)
claim(
    "tr-clip-delta",
    Every(
        On(
            two.also(cap >= 1 + clip_high),
            Always(
                Eq(with_delta(ratio, A, cap), dual(ratio, A, cap), evaluate=False),
                label="delta at the upper bound or above: one and the same",
            ),
        ),
        On(
            two.also(cap < 1 + clip_high, ratio > 1 + clip_high, A < 0),
            Always(
                with_delta(ratio, A, cap) < dual(ratio, A, cap),
                label="delta below the upper bound: a wrong output above it loses more with delta",
            ),
        ),
    ),
    two,
    because=(
        On(
            two.also(cap < 1 + clip_high, ratio > 1 + clip_high, A > 0),
            Always(
                with_delta(ratio, A, cap) < dual(ratio, A, cap), label="a right output above 1 + ϵ_high gains less too"
            ),
        ),
        On(
            output.also(cap > 0, cap < 1 + clip_high, ratio > cap, A > 0),
            Equal(
                with_delta(ratio, A, cap),
                cap * A,
                label="delta below 1 + ϵ_high: the upper bound of right outputs, below 1 as well",
            ),
        ),
        On(
            two.also(A < 0),
            Equal(
                dual(ratio, A, cap),
                A * Min(Max(ratio, 1 - clip_low, evaluate=False), cap, evaluate=False),
                label="the dual clip for negative advantages",
            ),
        ),
    ),
    kind="equivalence",
    depends_on=["tr-clip-sides"],
    locator="Topic 10",
    title="delta and the dual clip",
)

# Groups of two, rewards 1 and 0: a mixed group has advantages ±1 and comes with the chance 2y(1 − y); half of each
# term.
pair = y * (1 - y) * (clipped(x / y, 1) + clipped((1 - x) / (1 - y), -1))
way = Domain(0 < y, y < 1, 0 < x, x < 1, 0 < clip_low, clip_low < 1, clip_high > 0)
right_stops, wrong_stops = (1 + clip_high) * y, 1 - (1 - clip_low) * (1 - y)
claim(
    "tr-clip-way",
    Every(
        On(
            way.also(x > right_stops, x > wrong_stops),
            Equal(pair, y * (1 - y) * (clip_high + clip_low), label="both ratios past their bounds: flat"),
        ),
        On(
            way.also(x < Max(right_stops, wrong_stops)),
            Always(
                pair < y * (1 - y) * (clip_high + clip_low), label="before the larger of the two bounds on x it is less"
            ),
        ),
    ),
    way,
    because=(
        On(
            way.also(x > y, x < right_stops, x < wrong_stops),
            Equal(pair, x - y, label="before either bound: as without clip"),
        ),
        On(
            way.also(x > right_stops, x < wrong_stops),
            Equal(
                pair,
                y * (1 - y) * (1 + clip_high) - y * (1 - x),
                label="right outputs stopped, wrong ones still count",
            ),
        ),
        On(
            way.also(x < right_stops, x > wrong_stops),
            Equal(
                pair,
                (1 - y) * x - y * (1 - y) * (1 - clip_low),
                label="wrong ones stopped, right ones still count",
            ),
        ),
        On(
            way.also(y * (clip_high + clip_low) < clip_low),
            Always(right_stops < wrong_stops, label="rare successes: the wrong outputs stop last"),
        ),
        On(
            way.also(y * (clip_high + clip_low) > clip_low),
            Always(right_stops > wrong_stops, label="else the right ones"),
        ),
        Equal(
            1 - wrong_stops,
            (1 - clip_low) * (1 - y),
            label="where wrong outputs stop, the failures are the lower bound times those of the sampler",
        ),
    ),
    kind="dynamics",
    depends_on=["tr-clip-sides"],
    locator="Topic 10",
    title="One round without a penalty, groups of two",
    remark=(
        "So the maximiser nearest to y is the larger of (1 + ϵ_high)y and 1 − (1 − ϵ_low)(1 − y), if that is below 1. "
        "(1 + ϵ_high)y is the larger only for y > ϵ_low/(ϵ_low + ϵ_high): clip-higher speeds up what is not rare."
    ),
)

# CISPO: the capped ratio is held (u), log π moves.
cispo = (Min(u, cap, evaluate=False) * A * log(ratio)).diff(ratio)
claim(
    "tr-cispo",
    Every(
        On(
            output.also(cap > 0, ratio < cap),
            Equal(cispo.subs(u, ratio), A, label="below the cap: the slope of ρA"),
        ),
        On(
            output.also(cap > 0, ratio > cap),
            Equal(cispo.subs(u, ratio), cap * A / ratio, label="above it: C/ρ of that, in log π the constant CA"),
        ),
    ),
    output.also(cap > 0),
    because=(
        On(
            output.also(cap > 0, ratio > cap, A > 0),
            Always(
                And(cispo.subs(u, ratio) > 0, cispo.subs(u, ratio) < A),
                label="positive, where a clip at C leaves nothing",
            ),
        ),
        On(
            output.also(cap > 0, ratio > cap, A < 0),
            Always(
                cispo.subs(u, ratio) > A,
                label="wrong outputs above the cap are pushed down less, as with the dual clip",
            ),
        ),
        On(output.also(cap > 1), Equal(cispo.subs({u: 1, ratio: 1}), A, label="on-policy: as any ratio loss")),
        On(
            output.also(0 < cap, cap < 1),
            Equal(cispo.subs({u: 1, ratio: 1}), cap * A, label="with a cap below 1 on-policy every advantage times C"),
        ),
    ),
    depends_on=["tr-clip-sides"],
    locator="Topic 15",
    title="The slope in the ratio ρᵢ of CISPO's objective below and above its cap",
)
