"""Clipping and stationary policies: the same first-order conditions, another way, and another resting point for long
inner loops.

Statement.   Near π_old nothing is clipped, so every local condition is untouched, by the symmetric clip, by clip-higher
             and by the dual clip; of texts, clipped by token or by text, the first step for up to two tokens. Where the
             penalty is convex in π (both KLs) clipping adds no stationary policy in the sense of maximisers either;
             with KL_0 it can (vy-s1-no-clip-converse). Without a penalty the best response is delayed: a round
             leaves at most 1 − ϵ of the failures, and not none. With several inner steps of finite length the algorithm
             can rest where the policy is not stationary; with short ones, along which the slope changes by less than
             itself, it cannot.
Source.      Question 8 of the project's theory; extends Vojnovic & Yun (2025), Section 1.3 (vy-s1-no-clip-needed,
             vy-s1-no-clip-converse).
Domain.      0 < x, y < 1; 0 < ϵ < 1; any advantages for one output; rewards 0 and 1, groups of two where groups
             are enumerated.
Derivation.  clipped objective by enumeration → agrees with the unclipped one in a neighbourhood → curvatures → pieces
             beyond the range.
Caveats.     Inner steps are gradient steps on the probability of the better answer; other coordinates have other step
             sizes.
Letters.     x is the policy and y the one that samples, of two answers; on any number of them P(o) is the expected
             advantage and t one entry of the policy. A is the advantage of an output, ρᵢ its ratio, C the bound of the
             dual clip and ϵ_high the upper range. Along an inner loop of steps η s is the first slope, v the second, u
             their mean or that of any number, z bounds by what share of the first they differ from it, and λ is the L
             of the words. ż and π₁(…) are the rate of a token's logit and its probability. (11) is an equation of
             Vojnovic & Yun.
"""

from grpo_symbolic.objectives.group import GroupLoss
from grpo_symbolic.paper import *

claim = Result(__file__).claim

TWO = Answers(2)
output = Domain(ratio > 0, epsilon > 0, epsilon < 1, clip_high >= epsilon, cap > 1, A)


def surrogate(size, clip=None):
    """R_G(π|π_old) for one correct and one wrong answer, every group enumerated."""
    return expected_surrogate(binary(x), binary(y), (1, 0), TWO, size, epsilon=clip)


claim(
    "by-clip-near",
    Every(
        On(
            output.also(Abs(ratio - 1) <= epsilon),
            Equal(
                clipped_surrogate(ratio, A, epsilon, clip_high),
                ratio * A,
                label="clip-higher, upper range ϵ_high ≥ ϵ: idle within ϵ",
            ),
        ),
        On(
            output.also(Abs(ratio - 1) <= epsilon, ratio <= cap),
            Equal(
                dual_clipped_surrogate(ratio, A, epsilon, cap),
                ratio * A,
                label="dual clip: idle within ϵ and up to C",
            ),
        ),
        On(
            output.also(A < 0),
            Equal(
                dual_clipped_surrogate(ratio, A, epsilon, cap),
                A * Min(Max(ratio, 1 - epsilon, evaluate=False), cap, evaluate=False),
                label="dual clip, a negative advantage: the term is never below C A",
            ),
        ),
        Always(
            clipped_surrogate(ratio, A, epsilon, clip_high) <= ratio * A,
            label="clip-higher: never above the unclipped one",
        ),
        *(
            statement
            for clipped, width, kind in (
                (clipped_surrogate(ratio, A, epsilon), epsilon, "clip"),
                (clipped_surrogate(ratio, A, epsilon, clip_high), epsilon, "clip-higher"),
                (dual_clipped_surrogate(ratio, A, epsilon, cap), Min(epsilon, cap - 1), "dual clip"),
            )
            for statement in (
                ClippingIsIdle(clipped, ratio, A, width, label=f"{kind}: the same objective nearby"),
                ClippingKeepsMaxima(clipped, ratio, A, width, globally=False, label=f"{kind}: maxima stay"),
            )
        ),
    ),
    output,
    locator="Question 8",
    title="Clipping near π_old",
    depends_on=["vy-s1-no-clip-needed"],
    short="clip: maxima stay",
    remark=(
        "The two objectives are one near π_old, so (11), the closed forms, the regions of by-max-plane and "
        "the on-policy flows hold with clipping as they stand."
    ),
)


def step(loss, new, start):
    """Minus the gradient at π_old = π, minima by cases."""
    return -new.gradient(loss.rewrite(Min, Piecewise), direction).xreplace(start.identified_with(new))


def first_steps(kind, size, clip):
    """The step of the loss of groups of two clipped to [1 − clip, 1 + clip] against that of the unclipped one."""
    tree = TokenTree(*size)
    new, start = tree.policy(policy_1), tree.policy(policy_0)

    def loss(within):
        return GroupLoss(2, SHIFT_AND_SCALE, Surrogate(kind, within)).expected(
            new, start, lambda text: int(all(a == 1 for a in text))
        )

    equation = Equal(
        step(loss(clip), new, start),
        step(loss(None), new, start),
        label=f"{kind.value}, {('one token', 'two tokens')[size[1] - 1]}, ϵ = {clip}",
    )
    return On(Domain(*new.constraints(), *equation.expression.free_symbols), equation)


claim(
    "by-clip-texts",
    Every(
        first_steps(Ratio.TOKEN, (2, 2), Rational(1, 5)),
        first_steps(Ratio.SEQUENCE, (2, 2), Rational(1, 2500)),
        first_steps(Ratio.SEQUENCE, (2, 1), Rational(1, 5)),
    ),
    Domain(0 < epsilon, epsilon < 1),
    locator="Question 8",
    title="First steps on texts of up to two tokens, clipped by token or by text",
    depends_on=["by-clip-near"],
    remark="The formulas are first steps, minus the gradients at π = π_old, of the loss with clipping; those of the "
    "loss without are the same. Groups of two with rewards shifted by the mean and divided by the deviation; right is "
    "the text of tokens 1 only. Checked for ϵ = 1/5, by text on two tokens for ϵ = 1/2500; for any other ϵ > 0 by the "
    "argument of by-clip-near, as every ratio is 1 there.",
)

# -- maximisers -------------------------------------------------------------------------------------------------------
answers = Answers(n)
full = Domain(n >= 2, beta > 0, simplex(pi, n), simplex(old, n), simplex(ref, n), reals(P, n))
direct = grpo(beta, divergence=REVERSE_KL).value(pi, old, ref, lambda a: P[a], answers)
forward = (
    grpo(beta).value(pi, old, ref, lambda a: P[a], answers)
    + beta * GRPO_PENALTY.expected(pi, ref, old, answers, o)
    - beta * forward_kl(pi, ref, answers, o)
)
grpo_objective = grpo(beta).value(pi, old, ref, lambda a: P[a], answers)


def curvature(objective):
    return partial(partial(objective, pi[o]), pi[o])


def penalised(objective, penalty, name):
    """That clipping moves no maximum of an objective with this penalty, a sum over the answers."""
    gain = Sum(pi[o] * P[o], (o, 1, n))
    yield Equal(objective, gain - penalty.total, label=f"{name}: a sum over the answers")
    yield ClippingMovesNoMaximum(
        clipped_surrogate(ratio, A, epsilon), ratio, A, epsilon, penalty, label=f"{name}: the same maxima"
    )


claim(
    "by-clip-convex-penalty",
    Every(
        *(
            statement
            for objective, penalty, name in (
                (direct, beta * t * log(t / ref[o]), "KL(π‖π_ref)"),
                (forward, beta * ref[o] * log(ref[o] / t), "KL(π_ref‖π)"),
            )
            for statement in penalised(objective, Summand(penalty, t, pi, o, n), name)
        ),
    ),
    full.also(0 < epsilon, epsilon < 1),
    because=(
        Equal(
            curvature(direct),
            -beta / pi[o],
            label="KL(π‖π_ref): the curvature of the objective in a probability, negative",
        ),
        Equal(curvature(forward), -beta * ref[o] / pi[o] ** 2, label="KL(π_ref‖π): that curvature, negative too"),
        Equal(
            curvature(grpo_objective),
            -beta * old[o] * (2 * ref[o] - pi[o]) / pi[o] ** 3,
            label="KL_0: negative only where π < 2π_ref",
        ),
    ),
    kind="convexity",
    depends_on=["by-clip-near", "vy-s1-no-clip-converse"],
    locator="Question 8",
    title="Maxima under a convex penalty, with clipping and without",
    short="KL(π‖π_ref): the same maxima",
    remark=(
        "With KL_0 the direction unclipped ⇒ clipped remains (vy-s1-no-clip-needed); vy-s1-no-clip-converse "
        "shows that the other fails."
    ),
)

# -- the way ----------------------------------------------------------------------------------------------------------
free = surrogate(2, epsilon)
reach = 1 - (1 - epsilon) * (1 - y)  # where the ratio of the wrong answer reaches 1 − ϵ
below = Domain(0 < y, 2 * y < 1, 0 < epsilon, epsilon < 1)
above = Domain(2 * y >= 1, (1 + epsilon) * y < 1, 0 < epsilon, epsilon < 1)
flat = 2 * epsilon * y * (1 - y)
claim(
    "by-clip-way",
    Every(
        On(
            below.also(0 < x, x < reach),
            Always(free < flat, label="y < ½: lower before 1 − (1 − ϵ)(1 − y) than from there on"),
        ),
        On(
            above.also(0 < x, x < (1 + epsilon) * y),
            Always(free < flat, label="y ≥ ½: lower before (1 + ϵ)y than from there on"),
        ),
        On(
            above,
            Always(
                1 - (1 + epsilon) * y <= (1 - epsilon) * (1 - y),
                label="y ≥ ½: a round leaves at most 1 − ϵ of the failures",
            ),
        ),
    ),
    below,
    because=(
        On(
            below.also(y < x, x <= (1 + epsilon) * y), Equal(free, x - y, label="y < ½: up to (1 + ϵ)y as without clip")
        ),
        On(
            below.also((1 + epsilon) * y <= x, x <= reach),
            Equal(
                free,
                epsilon * y * (1 - y) + y * (x - y),
                label="then wrong answers alone move it, up to 1 − (1 − ϵ)(1 − y)",
            ),
        ),
        On(below.also(reach <= x, x < 1), Equal(free, flat, label="then it is flat")),
        On(above.also((1 + epsilon) * y <= x, x < 1), Equal(free, flat, label="y ≥ ½: flat from (1 + ϵ)y on")),
        On(
            Domain((1 + epsilon) * y >= 1, y < 1, 0 < x, x < 1, 0 < epsilon, epsilon < 1),
            Always(free < free.subs(x, 1), label="from y = 1/(1 + ϵ) on x = 1 alone is best"),
        ),
        On(
            Domain(0 < epsilon, epsilon < 1),
            Tends((1 - epsilon) ** k, k, oo, 0, side="-", label="the factor of k rounds vanishes"),
        ),
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1),
            Monotone(surrogate(2), x, 1, label="without clip: up to success 1 in one round"),
        ),
    ),
    depends_on=["by-clip-near"],
    locator="Question 8",
    title="Clipping without a penalty: failures from round to round",
    remark="J_ϵ(x | y) is the objective of groups of two sampled by y, rewards 1 and 0, β = 0. A round goes to the "
    "maximiser nearest to y: for y < ½ it leaves 1 − ϵ of the failures.",
)

# -- inner loops ------------------------------------------------------------------------------------------------------
# Rewards 1 and 0, groups of two, ϵ = 1/5, π_ref = 1/4, β = 9/49, π_old = 1/2: two inner steps of length η = 49/160.
at = {y: Rational(1, 2), p: Rational(1, 4), beta: Rational(9, 49), epsilon: Rational(1, 5)}
eta, moved = Rational(49, 160), Rational(3, 4)
penalty = beta * GRPO_PENALTY.expected(binary(x), binary(p), binary(y), TWO, o)
plain, clipped = ((surrogate(2, clip) - penalty).subs(at) for clip in (None, epsilon))
outside = flat.subs(at) - penalty.subs(at)
slopes = diff((x - y) - penalty, x).subs(at)
claim(
    "by-clip-inner-loop",
    Every(
        On(Domain(Rational(3, 5) < x, x < 1), Equal(clipped, outside, label="beyond 3/5 only the penalty is left")),
        On(Domain(Eq(x, at[y])), Equal(x + eta * slopes, moved, label="the first step goes from 1/2 to 3/4")),
        On(
            Domain(Eq(x, moved)),
            Equal(x + eta * diff(outside, x), at[y], label="the second, clipped, comes back to 1/2"),
        ),
        On(
            Domain(Eq(x, at[y])),
            Equal(slopes, Rational(40, 49), label="though 1/2 is not stationary: this is the slope there"),
        ),
    ),
    Domain(0 < x, x < 1),
    because=(
        On(Domain(Rational(2, 5) < x, 5 * x < 3), Equal(clipped, plain, label="near π_old nothing is clipped")),
        On(Domain(0 < x, x < 1), Equal(diff(plain, x), slopes, label="the slope without clip")),
        Equal(
            slopes.subs(x, moved),
            Rational(9, 49),
            label="without clip the slope at 3/4 is positive: the second step goes on upwards",
        ),
    ),
    kind="counter-example",
    depends_on=["by-clip-near"],
    locator="Question 8",
    title="Two long inner steps with clipping that rest at a non-stationary policy",
    remark="Groups of two, π_old(a) = 1/2, π_ref(a) = 1/4, β = 9/49, ϵ = 1/5 and steps of 49/160. The first step "
    "overshoots the range; then only the penalty acts, back to where the samples came from.",
)

steps = Domain(s, u, 0 <= z, z < 1, Abs(u - s) <= z * Abs(s))
claim(
    "by-clip-short-steps",
    Always(Implies(Eq(u, 0), Eq(s, 0)), label="no net move, no first slope"),
    steps,
    because=(
        Always(Implies(s > 0, u > 0), label="and the same direction otherwise"),
        Always(Implies(s < 0, u < 0), label="and for a negative slope"),
        On(
            Domain(s, step_size > 0, lam > 0, v, Abs(v - s) <= lam * step_size * Abs(s), 2 * lam * step_size <= 1),
            Always(
                Abs(v - s) <= Abs(s) / 2,
                label="two steps, 2λη ≤ 1, the second slope v: it differs from the first by at most half of it",
            ),
        ),
    ),
    depends_on=["by-clip-inner-loop", "vy-s1-small-step"],
    kind="limit",
    locator="Question 8",
    title="Rest points of short inner steps with the first slope s and the mean slope u",
    lemmas=[
        "a slope with Lipschitz constant L changes by at most L times the distance moved; K steps of length η "
        "keep it within ((1 + Lη)^{K−1} − 1)|s| of the first slope s",
        "as long as no step leaves the range (vy-s1-small-step) the slopes are those without clip",
    ],
    remark=(
        "If the first slope is zero, so are all later ones: every stationary policy rests under any number of "
        "inner steps, clipped or not."
    ),
)
