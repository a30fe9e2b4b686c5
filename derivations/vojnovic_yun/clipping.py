"""What is left out, and why it may be: clipping, outputs outside the reference support, and steps that are too long.

Statement.   The clipped objective is nowhere above the unclipped one and agrees with it near π_old, so a policy that is
             stationary without clipping is stationary with it, and both have the same local conditions. The converse
             fails globally: clipping can add a stationary policy.
Source.      Vojnovic & Yun (2025), Section 1.3.
Domain.      ϵ, β > 0; any advantages; for the step size any number n of answers, tabular softmax policies.
Derivation.  min{ρA, clip(ρ)A} ≤ ρA; an example with two answers and groups of two, the clipped objective enumerated and
             followed piece by piece.
Caveats.     "Stationary" is the paper's global definition: a maximiser of the objective whose π_old it is. First-order
             conditions do not see clipping at all.
Letters.     x and y are policy and sampler on two answers, p is π_ref(a), u is π_ref/π; A is an advantage and ρᵢ the
             ratio of its output. In a step of softmax, of size η, x and p are one answer's probabilities under π_old
             and π_ref and s its preference, g is the gradient in its logit, z what is added to that logit; π(o),
             π_ref(o) and P(o) are those of all n answers, but of the others where π has the sum 1 − x; t is the mean
             preference, v a bound of all |P|; in the proof u and z are two numbers of size y at most. γ is the
             margin of a over b.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

# -- support ----------------------------------------------------------------------------------------------------------
one_output = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < p, p < 1)
unsampled = GRPO_PENALTY.expected(binary(x), binary(p), binary(0), Answers(2), o)  # the answer a has π_old(a) = 0

claim(
    "vy-s13-support",
    Every(
        Tends(y * k3(x, u * x), u, 0, oo, label="π_ref(o)/π(o) = u → 0 with π_old(o) > 0"),
        Tends(y * k3(x, u * x), u, oo, oo, "-", label="π_ref(o)/π(o) = u → ∞ with π_old(o) > 0"),
    ),
    one_output,
    because=(Tends(unsampled, p, 0, k3(1 - x, 1), label="π_ref(o) → 0 with π_old(o) = 0: finite"),),
    locator="Sec 1.3",
    title="Infinite penalties, for π_old(o) as y and the ratio of π_ref(o) to π_θ(o) as u",
    kind="limit",
    printed=(
        r"\text{for every output }o\text{ in the domain of }\pi_\theta(\cdot\mid q)\text{, we have }\pi_{"
        r"\mathrm{ref}}(o\mid q)>0\text{. Without this condition, the reference-policy divergence penalty would become "
        r"infinite whenever }\pi_{"
        r"\mathrm{ref}}(o\mid q)=0\text{ and }\pi_\theta(o\mid q)>0\text{ for some output }o\text{ and context }q"
    ),
    judged=needs_hypothesis(
        "Only outputs that π_old samples enter the penalty: π_old(o) > 0 is needed too. At a stationary policy "
        "π_old = π_θ gives it. What is read has two answers, π_θ(a) = ½, π_ref(a) = p and π_old(a) = 0.",
        Tends(unsampled.subs(x, Rational(1, 2)), p, 0, oo),
    ),
    remark="The second limit: with π_old(o) and π_ref(o) positive it becomes infinite, too, as π_θ(o) → 0.",
)

# -- clipping ---------------------------------------------------------------------------------------------------------
surrogate = clipped_surrogate(ratio, A, epsilon)

# An example: rewards 1 and 0, groups of two, p = 1/100, ϵ = 1/5, and β such that y = 1/60 satisfies the first-order
# condition.
values = {p: Rational(1, 100), y: Rational(1, 60), epsilon: Rational(1, 5), beta: Rational(59, 24)}
policy, sampler, reference = binary(x), binary(y), binary(p)
penalty = beta * GRPO_PENALTY.expected(policy, reference, sampler, Answers(2), o)
plain = grpo(beta, group_size=2).with_margin(policy, sampler, reference, Integer(1))
clipped = expected_surrogate(policy, sampler, (1, 0), Answers(2), 2, epsilon=epsilon) - penalty
example, clipped_example = plain.subs(values), clipped.subs(values)


def piece(ratio_a, ratio_b):
    """The clipped objective while these are the two ratios that count: a mixed group has probability 2y(1 − y)."""
    return (y * (1 - y) * (ratio_a - ratio_b) - penalty).subs(values)


# old policy; ratio of a reaches 1 + ϵ; ratio of b reaches 1 − ϵ
ends = (0, values[y], Rational(1, 50), Rational(16, 75), 1)
pieces = (
    piece(x / y, (1 - x) / (1 - y)),
    piece(x / y, (1 - x) / (1 - y)),
    piece(1 + epsilon, (1 - x) / (1 - y)),
    piece(1 + epsilon, 1 - epsilon),
)
ratio_a, ratio_b = x / y, (1 - x) / (1 - y)
medians = piece(Min(ratio_a, 1 + epsilon), Max(ratio_b, 1 - epsilon))  # the same, continuous as it is written
late = TwoPieces(ends[3], pieces[2], pieces[3])
falling = TwoPieces(ends[2], pieces[1], medians, above_by=late)
rising = TwoPieces(Rational(1, 100), pieces[0], pieces[0])

claim(
    "vy-s1-no-clip-needed",
    Every(
        Always(surrogate <= ratio * A, label="clipping never adds"),
        When(Abs(ratio - 1) <= epsilon, Equal(surrogate, ratio * A, label="and does nothing within ϵ")),
    ),
    Domain(ratio > 0, epsilon > 0, A),
    because=(ClippingKeepsMaxima(surrogate, ratio, A, epsilon, label="so maxima of the own objective stay"),),
    locator="Sec 1.3",
    title="The clipped term of an output beside the unclipped one",
    kind="modelling",
    printed=(
        r"\text{Our study focuses on characterising the stationary policies of the GRPO algorithm; therefore, we "
        r"ignore "
        r"the clipping function in the GRPO objective function.}"
    ),
    judged=imprecise(
        "Local conditions, and so (11), are the same with and without clipping. The global maximisers are not: "
        "clipping can make a policy stationary as Section 1.3 defines it (a maximiser) that is not so without it. "
        "Here (pairs, γ = 1, π_ref(a) = 1/100, β = 59/24, ϵ = 1/5) the policy 1/60 maximises its clipped objective "
        "(vy-s1-no-clip-converse) and not the unclipped one.",
        Always(example <= example.subs(x, values[y])),
        Domain(0 < x, x < 1),
    ),
)

claim(
    "vy-s1-no-clip-converse",
    Every(
        OnlyMaximum(medians, x, values[y], label="clipped: its only maximum is 1/60").by(
            RiseAndFall(before=rising, after=falling)
        ),
        Exists(
            example > example.subs(x, values[y]),
            {x: Rational(1, 5)},
            label="without clipping 1/60 is no global maximum",
        ),
    ),
    Domain(0 < x, x < 1),
    because=(
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1, 0 < p, p < 1, beta > 0),
            Equal(
                expected_surrogate(policy, sampler, (1, 0), Answers(2), 2) - penalty,
                plain,
                label="the unclipped objective of pairs, enumerated",
            ),
        ),
        *(
            On(Domain(low < x, x < high), Equal(clipped_example, f, label=f"clipped, between {low} and {high}"))
            for low, high, f in zip(ends, ends[1:], pieces, strict=False)
        ),
        Equal(clipped_example, medians, label="clipped, with one minimum and one maximum"),
        LocalMaximum(example, x, values[y], label="without clipping: a local maximum"),
    ),
    locator="Sec 1.3",
    title="A policy that maximises its clipped objective and not its unclipped one",
    kind="counter-example",
    depends_on=["vy-s1-no-clip-needed"],
    remark="Possible because the penalty is not convex in π (by-clip-convex-penalty). π_old(a) = 1/60, π_ref(a) = "
    "1/100, β = 59/24, γ = 1, clipped at 1 ± 1/5; the first function is the clipped objective, the second the "
    "unclipped one.",
)

# -- step size --------------------------------------------------------------------------------------------------------
# Tabular softmax: logits move by η times the gradient, so π_θ(o) ∝ π_old(o) e^{ηg(o)}. One answer has probability x,
# reference p and preference s; the others have π(o), π_ref(o), P(o). z is added to its logit, with π_old held fixed.
tabular = Domain(0 < x, x < 1, 0 < p, p < 1, s, beta > 0)
tabular = tabular.also(n >= 1, simplex(pi, n, total=1 - x), simplex(ref, n, total=1 - p), reals(P, n))
shared = 1 - x + x * exp(z)
own = x * exp(z) / shared
J = grpo(beta).value(pi, old, ref, lambda a: P[a], Answers(n))
term = J.replace(lambda e: isinstance(e, Sum), lambda e: e.function)  # what an answer adds
in_logit = term.xreplace({pi[o]: own, old[o]: x, ref[o]: p, P[o]: s}) + Sum(
    term.xreplace({pi[o]: pi[o] / shared, old[o]: pi[o]}), (o, 1, n)
)
mean = s * x + Sum(P[o] * pi[o], (o, 1, n))
# The gradient for any answer, t the mean preference, and the step: v bounds preferences, R = 2v + β.
most = 2 * v + beta
one_answer = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0, v > 0, -v <= t, t <= v, -v <= s, s <= v)
of_one = x * (s - t) + beta * (p - x)
of_each = pi[o] * (P[o] - t) + beta * (ref[o] - pi[o])
moved = exp(step_size * of_one)
tilt = Sum(pi[o] * exp(step_size * of_each), (o, 1, n))
all_answers = Domain(simplex(pi, n), simplex(ref, n), reals(P, n), n >= 2, v > 0)
short = (epsilon > 0, step_size > 0, 2 * step_size * most <= log(1 + epsilon))
steps = one_answer.also(*all_answers.families, n >= 2, *short)
within = (P[o] <= v, P[o] >= -v)
# Two numbers of size y at most, of which (1 + ϵ) e^u ≥ e^z if 2y ≤ log(1 + ϵ).
apart = Domain(u, z, -y <= u, u <= y, -y <= z, z <= y, epsilon > 0, 2 * y <= log(1 + epsilon))
doubled = Always(exp(2 * y) <= 1 + epsilon, using=(exp_increasing(log(1 + epsilon), 2 * y),), label="e^(2y) ≤ 1 + ϵ")
by_size = tuple(exp_increasing(*pair) for pair in ((z, y), (y, z), (-y, u), (u, -y)))
no_further = Always((1 + epsilon) * exp(u) >= exp(z), label="not far apart").by(Then((doubled,), using=by_size))


def compared(first, second):
    """That (1 + ϵ) e^(η · first) is at least e^(η · second), for two gradients of size R at most."""
    sizes = tuple(Always(Abs(g) <= most, label="gradients are at most R") for g in (first, second))
    values = {u: step_size * first, z: step_size * second, y: step_size * most, epsilon: epsilon}
    far = Always((1 + epsilon) * exp(step_size * first) >= exp(step_size * second), label="two answers")
    return Then((far.by(InLetters(no_further, apart, values)).by(Then(sizes)),))


def by_answers(term, first, second):
    """A sum over the answers of what is not negative, as two gradients compare."""
    return TermByTerm((Sum(pi[o] * term, (o, 1, n)),), using=compared(first, second))


claim(
    "vy-s1-small-step",
    On(
        steps,
        Every(
            AtLeast((1 + epsilon) * tilt, moved, given=within, label="π_θ/π_old = e^(ηg)/Σπe^(ηg) ≤ 1 + ϵ").by(
                by_answers((1 + epsilon) * exp(step_size * of_each) - moved, of_each, of_one)
            ),
            AtLeast(moved, (1 - epsilon) * tilt, given=within, label="and ≥ 1 − ϵ").by(
                by_answers(moved - (1 - epsilon) * exp(step_size * of_each), of_one, of_each)
            ),
        ),
    ),
    tabular,
    because=(
        On(
            tabular.also(z),
            Equal(Derivative(in_logit, z), diff(in_logit, z), label="how the objective changes with a logit"),
        ),
        On(
            tabular,
            Equal(
                diff(in_logit, z).subs(z, 0),
                x * (s - mean) + beta * (p - x),
                label="the gradient in a logit, at π_old: π(P − mean) + β(π_ref − π)",
            ),
        ),
        On(
            all_answers,
            Every(
                AtLeast(v, Sum(pi[o] * P[o], (o, 1, n)), given=within, label="the mean is at most v").by(
                    TermByTerm((Sum(pi[o] * (v - P[o]), (o, 1, n)),))
                ),
                AtLeast(Sum(pi[o] * P[o], (o, 1, n)), -v, given=within, label="and at least −v").by(
                    TermByTerm((Sum(pi[o] * (v + P[o]), (o, 1, n)),))
                ),
            ),
        ),
        On(one_answer, Always(Abs(of_one) <= most, label="so the gradient is at most R = 2v + β")),
    ),
    locator="Sec 1.3",
    title="Ratios after a short step of a tabular softmax policy",
    kind="inequality",
    printed=(
        r"\text{a sufficiently small step size, ensuring that the new and old policies remain within an }\epsilon"
        r"\text{-relative difference, i.e., }|\pi_\theta(o\mid q)-\pi_{\theta_{\mathrm{old}}}(o\mid q)|\le\epsilon\,"
        r"\pi_{\theta_{\mathrm{old}}}(o\mid q)\text{, for all }o\text{ and }q"
    ),
    remark=(
        "x, p and s are π, π_ref and P of the answer whose ratio is bounded, t the mean of P under π, v a bound of "
        "|P|, η the step: the logits move by η times the gradient. The paper lets the step be as small as the policy "
        "asks. One step for all policies, as here, exists where log-probabilities move by a bounded amount, as with "
        "softmax: no logit moves by more than ηR, with R = 2v + β, and no advantage exceeds √(G − 1) "
        "(vy-s1-advantage-bound). That is one step from π_old; several add up."
    ),
)
