"""The clipped surrogate of one output: what clipping does, and what it does not do.

Statement.   A positive advantage is clipped from above only, a negative one from below only, and beyond the end that
             counts the term is constant. For a wide range ϵ nothing is clipped. Clipping does not bound the ratio of a
             maximiser. The clipped update has a closed form, up to the one number Z.
Source.      Mroueh (2025), Sections 2 and 2.1.
Domain.      ρ = π_θ/π_old > 0, ϵ ≥ 0, any advantage; 0 < p < 1.
Derivation.  f_ϵ by the sign of the advantage and by the case of the clip, decided by two engines.
Caveats.     f_ϵ is printed for ϵ in [0, 1] and taken to ϵ → ∞. Importance sampling sees only answers that π_old gives.
Letters.     p is the success of π_old, p_ref that of π_ref, ρᵢ the ratio π_θ/π_old of an output and A its advantage,
             r(o) in mr-noclip-limit that of an answer. x and y are an answer's probabilities under π_θ and π_old, v
             what the policy gives to answers that are never sampled, and s any number. t is the size of a step in the
             ratio. In the closed form v is what all answers are divided by; of one answer x is the new probability, u
             the reference so divided, t the weight of its kind, and y the cap or the floor. π_ref⁺ and π_ref⁻ are the
             reference on the n₊ correct and on the n₋ wrong answers, likewise π_old.
"""

from grpo_symbolic.paper import *

from .verifiable_advantage import mean, variance, w_hit, w_miss, whitened

claim = Result(__file__).claim

# -- one output -------------------------------------------------------------------------------------------------------
surrogate = clipped_surrogate(ratio, A, epsilon)
output = Domain(ratio > 0, epsilon >= 0, A)

claim(
    "mr-grpo-clip-domain",
    Every(
        Always(surrogate <= ratio * A, label="a lower bound"),
        When(And(ratio >= 1 - epsilon, ratio <= 1 + epsilon), Equal(surrogate, ratio * A, label="exact near 1")),
    ),
    output,
    because=(
        Equal(surrogate.subs(ratio, 1), A, label="at π_old"),
        When(epsilon >= ratio + 1, Equal(surrogate, ratio * A, label="exact for wide ranges")),
    ),
    locator="Sec 2, f_ϵ",
    title="Clipped against plain surrogate, for a clipping range of 0 and more",
    kind="convention",
    printed=r"\text{for }\epsilon\in[0,1]:\quad f_\epsilon(x,y)=\min(xy,\mathrm{clip}(x,1-\epsilon,1+\epsilon)y)",
    judged=redundant_hypothesis(
        "f_ϵ makes sense, with the same properties, for every ϵ ≥ 0, and the paper lets ϵ → ∞ two lines later: with "
        "ϵ ≤ 1 "
        "a ratio above 2 of a correct answer stays clipped.",
        Domain(ratio > 0, epsilon >= 0, epsilon <= 1, A),
        {ratio: Rational(5, 2), epsilon: Integer(2), A: Integer(1)},
    ),
)

claim(
    "mr-clip-pos",
    Equal(
        surrogate,
        A * Min(ratio, Min(Max(ratio, 1 - epsilon), 1 + epsilon, evaluate=False), evaluate=False),
        label="A factored out",
    )
    & Equal(surrogate, A * Min(ratio, 1 + epsilon), label="only the upper end counts"),
    output.also(A > 0),
    depends_on=["mr-grpo-clip-domain"],
    locator="Sec 2.1, A > 0",
    title="Clipping at a positive advantage",
    kind="identity",
    printed=(
        r"\text{if }A(q,o)>0\text{ we have: }f_\epsilon\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{"
        r"\mathrm{old}}}(o|q)},A(q,o)\Big)=A(q,o)\min\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},"
        r"\mathrm{clip}\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},1-\epsilon,1+\epsilon\Big)"
        r"\Big)=A(q,o)\min\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},1+\epsilon\Big)"
    ),
)

claim(
    "mr-clip-neg",
    Equal(
        surrogate,
        A * Max(ratio, Min(Max(ratio, 1 - epsilon), 1 + epsilon, evaluate=False), evaluate=False),
        label="A factored out",
    )
    & Equal(surrogate, A * Max(ratio, 1 - epsilon), label="only the lower end counts"),
    output.also(A < 0),
    depends_on=["mr-grpo-clip-domain"],
    locator="Sec 2.1, A < 0",
    title="Clipping at a negative advantage",
    kind="identity",
    printed=(
        r"\text{if }A(q,o)<0\ f_\epsilon\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},A(q,o)"
        r"\Big)=A(q,o)\max\Big(\frac{\pi_\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},\mathrm{clip}\Big(\frac{\pi_"
        r"\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},1-\epsilon,1+\epsilon\Big)\Big)=A(q,o)\max\Big(\frac{\pi_"
        r"\theta(o|q)}{\pi_{\theta_{\mathrm{old}}}(o|q)},1-\epsilon\Big)"
    ),
    remark="The ratio is never cut from above: beyond 1 − ϵ the term of a wrong answer falls with it.",
)

sampled = Domain(0 < x, x <= 1, 0 < y, y <= 1, A)  # an answer's probability under π_θ and under π_old

claim(
    "mr-noclip-limit",
    On(
        Domain(simplex(pi, n), simplex(old, n), reals(r, n), n >= 2),
        EqualFromSomeOn(
            Sum(old[o] * clipped_surrogate(pi[o] / old[o], r[o], epsilon), (o, 1, n)),
            Sum(old[o] * (pi[o] / old[o]) * r[o], (o, 1, n)),
            epsilon,
            label="the expectation, for any number of answers with advantages r",
        ).by(TermsSettle(1 + pi[o] / old[o])),
    ),
    output,
    because=(
        On(output.also(epsilon >= 1, epsilon >= ratio - 1), Equal(surrogate, ratio * A, label="one output")),
        On(output.also(A < 0, epsilon >= 1), Equal(surrogate, ratio * A, label="A < 0: from ϵ = 1 on")),
        On(output.also(A > 0, epsilon >= ratio - 1), Equal(surrogate, ratio * A, label="A > 0: from ϵ = ρ − 1 on")),
        On(
            sampled.also(epsilon >= 1, epsilon >= 1 / y - 1, Eq(ratio, x / y)),
            Equal(surrogate, x / y * A, label="whatever π_θ, for ϵ ≥ max(1, 1/π_old − 1)"),
        ),
    ),
    locator="Sec 2, (GRPO)",
    title="Without clipping",
    kind="limit",
    printed=(
        r"\text{let us consider this objective without the clipping }(\epsilon\to+\infty)\text{ we obtain: }\max_\theta"
        r"\mathbb E_{q\sim\rho_{\mathcal Q}}\mathbb E_{o\sim\pi_{\theta_{\mathrm{old}}}(.|q)}\frac{\pi_\theta(o|q)}{"
        r"\pi_{\theta_{\mathrm{old}}}(o|q)}A(q,o)-\beta\,\mathsf{KL}(\pi_\theta\|\pi_{\mathrm{ref}})"
    ),
    remark=(
        "For finitely many answers the two objectives are the same function from a finite ϵ on, so their "
        "maximisers agree too."
        " r(o) is the advantage A(q, o)."
    ),
)

# -- whose expectation ------------------------------------------------------------------------------------------------
unsampled = Domain(simplex(pi, n, total=1 - v), simplex(old, n), reals(r, n), n >= 2, variance > 0, 0 < v, v < 1, s)
weighted = Sum(old[o] * (pi[o] / old[o]) * whitened, (o, 1, n))

claim(
    "mr-s2-importance-sampling",
    Every(
        Equal(weighted, Sum(pi[o] * whitened, (o, 1, n)), label="the expected advantage under π_θ"),
        Equal(
            weighted,
            (Sum(pi[o] * r[o], (o, 1, n)) - mean) / sqrt(variance),
            label="the gain in expected reward, scaled",
        ),
    ),
    Domain(simplex(pi, n), simplex(old, n), reals(r, n), n >= 2, variance > 0),
    depends_on=["mr-eq1-advantage"],
    locator="Sec 2, after (GRPO)",
    title="The expected whitened reward by importance sampling",
    kind="identity",
    printed=(
        r"\text{We see that GRPO optimizes the whitened reward (the advantage }A(q,o)\text{) using importance sampling "
        r"from the ``old'' policy}"
    ),
    judged=needs_hypothesis(
        "π_old must give every answer that π_θ gives. An answer with π_old = 0, probability v under π_θ and "
        "advantage s is never sampled.",
        Equal(weighted, Sum(pi[o] * whitened, (o, 1, n)) + v * s),
        unsampled,
    ),
    remark=(
        "Standard deviation and mean are those of π_old, so the maximiser is that of the plain reward with β times the "
        "deviation (for rewards 0 and 1: mr-s23-single-weight)."
    ),
)

# An example: one correct answer with π_old = 1/10, π_ref = 1/2, ϵ = 1/5, and any β > 0.
at = {y: Rational(1, 10), epsilon: Rational(1, 5)}
gains = [SHIFT_AND_SCALE.of_population(reward, y, y * (1 - y)) for reward in (1, 0)]
policy, sampler = binary(x), binary(y)
clipped = sum(sampler[a] * clipped_surrogate(policy[a] / sampler[a], gains[a], epsilon) for a in (0, 1)).subs(at)
# In between the ratio of the correct answer reaches 1 + ϵ, then that of the wrong one 1 − ϵ.
ends = (0, Rational(3, 25), Rational(7, 25), 1)
pieces = (3 * x - (1 - x) / 3, Rational(9, 25) - (1 - x) / 3, Rational(3, 25))
penalty = beta * kl(policy, binary(Rational(1, 2)), Answers(2), o)
signs = tuple(log_sign(e.args[0]) for e in sorted(penalty.atoms(log), key=str))
half, in_range = Rational(1, 2), (1 + at[epsilon]) * at[y]
ranges = list(zip(ends, ends[1:], pieces, strict=False))


def by_medians(chance, old_chance, gain):
    """``π_old f_ϵ`` of one answer, continuous as it is written."""
    kept = Min(Max(chance / old_chance, 1 - at[epsilon]), 1 + at[epsilon])
    return old_chance * Min(chance / old_chance * gain, kept * gain)


median_form = sum(by_medians(policy[a], sampler[a].subs(at), gains[a].subs(at)) for a in (0, 1))
objective = median_form - penalty
falling = TwoPieces(Rational(3, 4), pieces[2] - penalty, pieces[2] - penalty, signs)
late = TwoPieces(ends[2], pieces[1] - penalty, pieces[2] - penalty, signs)  # from 3/25 to 1/2
rising = TwoPieces(ends[1], pieces[0] - penalty, objective, signs, above_by=late)

claim(
    "mr-ratio-range",
    Every(
        OnlyMaximum(objective, x, half, label="the maximiser is π_ref").by(
            RiseAndFall(signs, before=rising, after=falling)
        ),
        Always(Implies(Eq(x, half), x / at[y] > 1 + at[epsilon]), label="where the ratio, 10x, is beyond the range"),
    ),
    Domain(0 < x, x < 1, beta > 0),
    because=(
        *(
            On(Domain(low < x, x < high), Equal(clipped, f, label=f"surrogate on ({low}, {high})"))
            for low, high, f in ranges
        ),
        On(Domain(0 < x, x < 1), Equal(clipped, median_form, label="the surrogate, by medians")),
        Always(Gt(half / at[y], 1 + at[epsilon], evaluate=False), label="five is beyond the range"),
    ),
    depends_on=["mr-clip-pos", "mr-clip-neg"],
    locator="Sec 2, after (GRPO)",
    title="A maximiser of the clipped objective with a ratio of five",
    kind="counter-example",
    printed=(
        r"\text{If furthermore the clipping is used as in (GRPO-Clip), the likelihood ratio between the policy and the "
        r"old policy is maintained within a range }[1-\epsilon,1+\epsilon]"
    ),
    judged=wrong(
        "Where the clip binds for both answers, the surrogate is flat and the penalty alone decides. Here the "
        "maximiser is π_ref, at five times π_old, "
        "for every β; no policy within the range does as well.",
        Always((pieces[2] - penalty).subs(x, half) <= (pieces[0] - penalty).subs(x, in_range)),
    ),
    remark=(
        "Two answers with π_old = (1/10, 9/10), π_ref = (½, ½) and ϵ = 1/5; 10x is the ratio of the correct one. "
        "Above the range the term of a correct answer is constant, below it that of a wrong one "
        "(mr-clip-const-correct, mr-clip-const-wrong): nothing of the surrogate leads back. "
        "The reading compares x = ½ with x = 3/25, which is the best within the range."
    ),
)

# -- where it is constant ---------------------------------------------------------------------------------------------
one_hit, one_miss = clipped_surrogate(ratio, w_hit, epsilon), clipped_surrogate(ratio, -w_miss, epsilon)

claim(
    "mr-clip-const-correct",
    When(ratio >= 1 + epsilon, Equal(one_hit, sqrt((1 - success) / success) * (1 + epsilon), label="constant")),
    Domain(0 < success, success < 1, ratio > 0, epsilon >= 0),
    because=(
        When(
            ratio < 1 + epsilon,
            Equal(one_hit, sqrt((1 - success) / success) * ratio, label="else proportional to the ratio"),
        ),
    ),
    depends_on=["mr-clip-pos"],
    locator="Sec 2.1",
    title="The constant part of a correct answer's term",
    kind="identity",
    printed=r"\text{for correct outputs the cost is constant }(1+\epsilon)\text{ if }\pi_\theta(o|q)\ge(1+\epsilon)"
    r"\pi_{\theta_{\mathrm{old}}}(o|q)",
    judged=imprecise(
        "1 + ϵ is the value of the minimum; the term in the cost is that times the weight √((1 − p)/p).",
        When(ratio >= 1 + epsilon, Equal(one_hit, 1 + epsilon)),
    ),
    remark="The penalty goes on changing there, so the whole objective is not constant (mr-ratio-range).",
)

claim(
    "mr-clip-const-wrong",
    When(ratio <= 1 - epsilon, Equal(one_miss, -sqrt(success / (1 - success)) * (1 - epsilon), label="constant")),
    Domain(0 < success, success < 1, ratio > 0, epsilon >= 0, epsilon < 1),
    because=(
        When(
            ratio > 1 - epsilon,
            Equal(one_miss, -sqrt(success / (1 - success)) * ratio, label="else proportional to the ratio"),
        ),
    ),
    depends_on=["mr-clip-neg"],
    locator="Sec 2.1",
    title="The constant part of a wrong answer's term",
    kind="identity",
    printed=r"\text{for wrong outputs the cost is }(1-\epsilon)\text{ if }\pi_\theta(o|q)\le(1-\epsilon)\pi_{"
    r"\theta_{\mathrm{old}}}(o|q)",
    judged=imprecise(
        "1 − ϵ is the value of the maximum; the term in the cost is −√(p/(1 − p)) times that.",
        When(ratio <= 1 - epsilon, Equal(one_miss, 1 - epsilon)),
    ),
    remark="The stored text has lost the minus signs of this line; they are restored here. For ϵ ≥ 1 it never happens.",
)


# -- what leaving out the clip changes --------------------------------------------------------------------------------
def moved(by):
    """The difference quotient of the clipped surrogate, from π_old."""
    return (surrogate.subs(ratio, 1 + by) - surrogate.subs(ratio, 1)) / by


small = Domain(A, 0 < epsilon, 0 < t, t < epsilon, t < 1)
claim(
    "mr-trl-no-clip",
    Every(
        On(
            Domain(A, epsilon > 0, t > -1, t < 1, t > -epsilon, t < epsilon, Ne(t, 0)),
            Equal(
                (surrogate.subs(ratio, 1 + t) - A) / t,
                A,
                label="at π_old the clipped surrogate has the slope of the unclipped one",
            ),
        ),
        On(
            output.also(ratio > 1 + epsilon, A > 0),
            Always(
                surrogate < ratio * A,
                label="above the range less, for a positive advantage",
            ),
        ),
    ),
    output,
    because=(
        On(
            small,
            Equal(moved(t), A, label="the difference quotient, with the value at π_old as the surrogate gives it"),
        ),
        On(small, Equal(moved(-t), A, label="and from below")),
        When(
            And(ratio >= 1 - epsilon, ratio <= 1 + epsilon),
            Equal(surrogate, ratio * A, label="inside the range both surrogates are the same"),
        ),
    ),
    locator="Sec 2.3, after (GRPO-No-Clip)",
    kind="modelling",
    title="Clipped and unclipped surrogate: slope at π_old, and values above the range for a positive advantage",
    remark="With one step for each batch the choice changes nothing: π_old is the policy itself, and every ratio is 1. "
    "With several steps the two differ once a ratio is above the range at a positive advantage. What a library does at "
    "a given version is a fact about its code, not about the formula.",
)

# -- the update with clipping, in closed form -------------------------------------------------------------------------
# One answer: x is its new probability, u = π_ref/Z, t the weight of its kind, y the cap (1 + ϵ)π_old of a correct
# answer or the floor (1 − ϵ)π_old of a wrong one. What it adds is t·min(x, y) − βx log(x/π_ref), or with −t·max(x, y);
# with the multiplier β(log Z − 1) of Σπ = 1 the best x is the middle one of three numbers.
one_answer = Domain(x > 0, u > 0, y > 0, t > 0, beta > 0)


def middle(at_ref, bound, weight, sign):
    """The middle one of π_ref/Z, the bound, and π_ref e^{± weight/β}/Z."""
    far = at_ref * exp(sign * weight / beta)
    return Max(at_ref, Min(bound, far)) if sign > 0 else Max(far, Min(bound, at_ref))


def lost(at_ref, bound, weight, sign):
    """What another x loses, once the multiplier is taken off."""
    best = middle(at_ref, bound, weight, sign)
    kept = Min if sign > 0 else Max
    reward = sign * weight * (kept(best, bound) - kept(x, bound))
    gained = log(best / at_ref)
    return reward + beta * (x * (gained - log(best / x)) - x - best * gained + best)


def loss_of(at_ref, bound, weight, sign):
    """That every other x loses."""
    best, far = middle(u, y, t, sign), exp(sign * t / beta)
    lemmas = (log_below_tangent(best / x), log_sign(best / u), exp_sign(t / beta))
    lemmas += (log_increasing(best / u, far), log_increasing(far, best / u))
    other = Or(Eq(x, best), lost(u, y, t, sign) > 0)
    at_values = {x: x, u: at_ref, y: bound, t: weight, beta: beta}
    in_letters = InLetters(Always(other, using=lemmas, label="another x loses"), one_answer, at_values)
    return Loss(lost(at_ref, bound, weight, sign), in_letters)


all_answers = Domain(
    *(0 < success, success < 1, 0 < success_ref, success_ref < 1, beta > 0, 0 < epsilon, epsilon < 1),
    *(n_hit >= 1, simplex(hit_ref, n_hit, total=success_ref), simplex(hit_old, n_hit, total=success)),
    *(n_miss >= 1, simplex(miss_ref, n_miss, total=1 - success_ref), simplex(miss_old, n_miss, total=1 - success)),
)
of_hit = (hit_ref[i] / v, (1 + epsilon) * hit_old[i], w_hit, 1)
of_miss = (miss_ref[j] / v, (1 - epsilon) * miss_old[j], w_miss, -1)
capped = w_hit * Min(x, of_hit[1]) - beta * x * log(x / hit_ref[i])
floored = -w_miss * Max(x, of_miss[1]) - beta * x * log(x / miss_ref[j])
kinds = (Answered(Part(capped, x), i, n_hit), Answered(Part(floored, x, -w_miss * of_miss[1]), j, n_miss))
hits, misses = Sum(middle(*of_hit), (i, 1, n_hit)), Sum(middle(*of_miss), (j, 1, n_miss))
far_hit, far_miss = of_hit[0] * exp(w_hit / beta), of_miss[0] * exp(-w_miss / beta)
small, large = exp(-w_miss / beta), exp(w_hit / beta)  # a Z that is too small, and one that is too large
signs = (exp_sign(w_hit / beta), exp_sign(w_miss / beta), exp_sign(-w_hit / beta), exp_sign(-w_miss / beta))


def beside(total, term, share, at, larger):
    """How the sum of the middle numbers compares with the reference's share, times a number, at a number Z."""
    total, times = total.subs(v, at), (term / share[0]).subs(v, at)
    apart = total.function - times * share[0]
    too = "small" if larger else "large"
    label = f"the sum of the middle numbers over {total.limits[0][0]}, at a Z that is too {too}"
    terms = TermByTerm((Sum(apart if larger else -apart, *total.limits),), using=signs)
    sides = (total, times * share[1])
    return AtLeast(*(sides if larger else sides[::-1]), label=label).by(terms)


of_hits, of_misses = (hit_ref[i], success_ref), (miss_ref[j], 1 - success_ref)
too_small = (beside(hits, of_hit[0], of_hits, small, True), beside(misses, far_miss, of_misses, small, True))
too_large = tuple(
    beside(total, bound, share, times * large, False)
    for times in (1, 2)  # any larger Z is too large as well
    for total, bound, share in ((hits, far_hit, of_hits), (misses, of_miss[0], of_misses))
)
claim(
    "mr-clipped-update",
    Every(
        On(
            all_answers,
            TakesValue(hits + misses, v, small, large, 1, label="there is such a normaliser").by(
                IntermediateValue(False, Then((*too_small, *too_large), using=signs))
            ),
        ),
        OnlyBestPolicy(kinds, (middle(*of_hit), middle(*of_miss)), supposed=True, label="for every such normaliser").by(
            OneMultiplier(beta * (log(v) - 1), (loss_of(*of_hit), loss_of(*of_miss)))
        ),
    ),
    all_answers.also(v > 0),
    kind="optimality",
    locator="Sec 2.1, the overall cost",
    title="The clipped update, up to its normaliser",
    short="there is such a normaliser",
    remark=(
        "Some v makes the probabilities add up to 1, and for each that does the policy is the only maximum: so it is "
        "one policy. It is the clipped counterpart of the π_n of Theorem 1 (mr-thm1-policy). The weights are those of "
        "Section 2.1, ω⁺ = √((1 − p)/p) and ω⁻ = √(p/(1 − p)), without a guard."
    ),
)
