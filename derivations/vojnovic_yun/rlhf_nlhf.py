"""The two baselines, RLHF and NLHF: what each of them is maximised by, and in what sense both are logarithmic pooling.

Statement.   E_π[r] − β KL(π‖π_ref) is maximised by π(o) ∝ π_ref(o) e^{r(o)/β}. The game with payoff E[P(o≻o')] − β
             KL(π‖π_ref) + β KL(π'‖π_ref) has one Nash equilibrium; it is symmetric and satisfies π(o) ∝ π_ref(o)
             exp(E_{o'~π}[P(o≻o')]/β).
Source.      Vojnovic & Yun (2025), Section 1.1, equations (3), (4), (5).
Domain.      n ≥ 2 answers to one question, n symbolic; π_ref(o) > 0 for each; β > 0; any rewards; any preferences with
             P(o≻o') + P(o'≻o) = 1.
Derivation.  Objective → partial derivative in π(o) → equal for all answers (KKT) → the rest of the objective is −β KL
             from the candidate, so it is the only maximiser. For the game the same with the opponent frozen; two
             equilibria differ by nothing, for the antisymmetric part cancels.
Caveats.     One question at a time: over several the policies separate only if θ gives each question a distribution of
             its own. The preferences are P(o≻o') = ½ + (d(o, o') − d(o', o))/2, for any numbers d of the ordered pairs;
             with d = P that is every preference with P + P' = 1 (vy-s11-nlhf-antisym).
Letters.     J(π) is the objective (3), J(π, π') the payoff (5); π* is the policy (4), in NLHF the equilibrium; Z is the
             sum that v has to be. d(n(o − 1) + o') is the number d(o, o') of the pair (o, o'), w_>, w_= and w_< are the
             chances of a win, a tie and a loss. π̃ is the opponent's policy, a second equilibrium, or the equilibrium
             π* that a step of size η leads to. v is what a tilted policy is divided by, which has to be its sum; u the
             sum of Luce's weights, later the probability of one answer, and of a second tilted policy, or of a mirror
             step seen from the equilibrium, what it is divided by. t is one entry of the policy. Of two answers p, x
             and z are probabilities of the first; x and z are also two entries, or P(o≻o') and P(o'≻o). μ is the law of
             the contexts q, r_ϕ the reward model.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

answers = Answers(n)
one_question = Domain(simplex(pi, n), simplex(ref, n), reals(r, n), n >= 2, beta > 0, v > 0)


def put(expression, policy, formula):
    """Replace π(o) by a formula in o, under the sums too."""
    return expression.replace(lambda e: e.is_Indexed and e.base == policy, lambda e: formula(e.indices[0]))


# -- RLHF ------------------------------------------------------------------------------------------------------------
# One probability moves alone only among numbers without a sum.
numbers = Domain(positives(pi, n), simplex(ref, n), reals(r, n), n >= 2, beta > 0, v > 0)
d = Derivation("vy-s11-rlhf-optimum", numbers)
J = d.start(rlhf(pi, ref, r, beta, answers), "equation (3) for one question")
slope = d.start(partial(J, pi[o]), "its partial derivative in π(o)")
d.rewrite(slope, r[o] - beta * (log(pi[o] / ref[o]) + 1), "KKT: this is the multiplier λ, the same for every answer")


def tilt(reference, reward):
    """``π_ref e^{r/β}/Z`` with Z = v free: what KKT says up to normalisation."""
    return reference * exp(reward / beta) / v


def tilted(answer):
    return tilt(ref[answer], r[answer])


at_optimum = d.restrict(slope, {pi[o]: tilted(o)}, "at π = π_ref e^{r/β}/Z")
d.rewrite(at_optimum, beta * log(v) - beta, "does not depend on the answer: λ = β log Z − β")

Z = answers.total(lambda a: ref[a] * exp(r[a] / beta), o)
best = tilted(o).subs(v, Z)
gap = answers.total(lambda a: pi[a] * log(pi[a] / tilted(a)), o)
pair = Domain(0 < x, x < 1, 0 < z, z < 1)
claim(
    "vy-s11-rlhf-optimum",
    Every(
        Equal(at_optimum, beta * (log(v) - 1), label="KKT: one multiplier for all answers"),
        Equal(J, beta * log(v) - beta * gap, label="J(π) = β log v − β KL(π‖π*), π* being divided by v"),
        Equal(answers.total(tilted, o), Z / v, label="v = Z normalises π*"),
        AtLeast(beta * log(Z), J, (Eq(pi[o], best, evaluate=False),), label="J(π) ≤ β log Z").by(
            Gibbs((Divergence(pi[o], best, o, 1, n),), beta)
        ),
    ),
    one_question,
    by=d,
    locator="Sec 1.1, (3)→(4)",
    title="Maximiser of the RLHF objective among policies with full support",
    kind="identity",
    printed=r"\pi_\theta(o\mid q)=\frac1{Z_q}\pi_{\mathrm{ref}}(o\mid q)\,e^{\frac1\beta r_\phi(o\mid q)}",
    remark="For every finite number of answers, any real rewards, and policies with full support, beyond which "
    "vy-s11-rlhf-every-policy goes; the maximum is β log Z. v is free, and Z where π* is normalised. The paper chooses "
    "π_θ(·|q), so θ can give each question any distribution.",
)

claim(
    "vy-s11-rlhf-concave",
    ConcaveInPolicy(J, (pi,)).by(Separable((Summand(t * r[o] - beta * t * log(t / ref[o]), t, pi, o, n),))),
    one_question,
    because=(
        Equal(partial(slope, pi[o]), -beta / pi[o], label="second derivative in π(o)"),
        Always(partial(slope, pi[o]) < 0, label="it is negative"),
    ),
    depends_on=["vy-s11-rlhf-optimum"],
    locator="Sec 1.1, (3)",
    title="Concavity of the RLHF objective",
    kind="convexity",
)

# Over all policies: u is the probability of one answer, and the best one maximises what is left for λ = β log Z − β.
earned = u * r[o] - beta * u * log(u / ref[o])
sum_of_tilts = Sum(ref[i] * exp(r[i] / beta), (i, 1, n))
tilted_share = tilted(o).subs(v, sum_of_tilts)
shortfall = Loss(beta * (tilted_share - u - u * log(tilted_share / u)), (log_below_tangent(tilted_share / u),))
any_reference = Domain(simplex(ref, n), reals(r, n), n >= 2, beta > 0)
claim(
    "vy-s11-rlhf-every-policy",
    OnlyBestPolicy((Answered(Part(earned, u), o, n),), (tilted_share,), label="the one maximum over all policies").by(
        OneMultiplier(beta * (log(sum_of_tilts) - 1), (shortfall,))
    ),
    any_reference,
    because=(
        On(one_question, Equal(J, Sum(earned.subs(u, pi[o]), (o, 1, n)), label="the objective, answer by answer")),
    ),
    depends_on=["vy-s11-rlhf-optimum"],
    locator="Sec 1.1, (3)→(4)",
    title="Maximiser of the RLHF objective, policies that give up answers included",
    kind="optimality",
)

claim(
    "vy-s11-eq3",
    AtLeast(kl(pi, ref, answers, o), 0, (Eq(pi[o], ref[o], evaluate=False),), label="a penalty elsewhere").by(
        Gibbs((Divergence(pi[o], ref[o], o, 1, n),))
    ),
    one_question,
    because=(
        Equal(
            rlhf(pi, ref, r, beta, answers) + beta * kl(pi, ref, answers, o),
            answers.total(lambda a: pi[a] * r[a], o),
            label="the objective plus β KL(π‖π_ref) is the expected reward",
        ),
    ),
    expect="definition",
    locator="Sec 1.1, (3)",
    title="The penalty of the RLHF objective",
    kind="definition",
    printed=(
        r"\mathcal J_{RLHF}(\theta)=\mathbb E_{q\sim\mu,o\sim\pi_\theta(\cdot\mid q)}[r_\phi(o\mid q)]-\beta\,\mathbb "
        r"E_{q\sim\mu}[\mathrm{KL}(\pi_\theta(\cdot\mid q)\,\|\,\pi_{\mathrm{ref}}(\cdot\mid q))]"
    ),
    remark="A definition. Checked: the penalty is zero at π_ref and positive elsewhere.",
)

# Pooling: log π* against that of π_ref · Luce^{1/β}, where the Luce weights e^r sum to u.
pooled_log = log(ref[o]) + (r[o] - log(u)) / beta
luce_sum = answers.total(lambda a: exp(r[a]), o)
# Two answers, where both inputs are numbers: the log-odds of the Luce choice, here p too, are the reward difference.
luce = p / (1 - p)
tilted_odds = (tilt(p, r_a) / tilt(1 - p, r_b)).subs(r_a, r_b + log(luce))
two = Domain(r_b, 0 < p, p < 1, beta > 0)

claim(
    "vy-s11-log-pooling-weights",
    Every(
        On(
            Domain(simplex(ref, n), reals(r, n), n >= 2, beta > 0),
            Equal(
                log(best),
                log(ref[o]) + log(exp(r[o]) / luce_sum) / beta + log(luce_sum) / beta - log(Z),
                label="weights 1 and 1/β, and a constant",
            ),
        ),
        On(Domain(beta > 0), Always(1 + 1 / beta > 1, label="the weights sum to more than one")),
    ),
    Domain(simplex(ref, n), reals(r, n), n >= 2, beta > 0, u > 0, v > 0),
    because=(
        Equal(
            log(tilted(o)),
            pooled_log + log(u) / beta - log(v),
            label="log π* = log π_ref + (1/β) log Luce + constant",
        ),
    ),
    depends_on=["vy-s11-rlhf-optimum"],
    locator="Sec 1.1, after (4)",
    title="The RLHF policy as a pool of π_ref and the Luce distribution, and the sum of the weights",
    kind="modelling",
    printed=(
        r"\text{(4) defines the consensus distribution as a weighted geometric average of the reference-policy "
        r"distribution }\pi_{\mathrm{ref}}(\cdot\mid q)\text{ and the Luce's choice [Luce, 1959] distribution }e^{r_"
        r"\phi(o\mid q)}/\sum_{o'}e^{r_\phi(o'\mid q)}\text{ parametrised with the reward values, with the respective "
        r"weights of values }1\text{ and }1/\beta"
    ),
    judged=imprecise(
        "It is proportional to the product with these exponents. An average has weights that sum to one, and leaves "
        "two equal distributions as they are; "
        "here they sum to 1 + 1/β, and two equal distributions come out sharper, unless they are uniform.",
        Equal(log(tilted_odds), log(p / (1 - p)), label="of two equal distributions"),
        two,
    ),
)

# -- NLHF -------------------------------------------------------------------------------------------------------------


def of_pair(a, b):
    """The number of an ordered pair of answers, which stand row by row in one list."""
    return duel[n * (a - 1) + b]


def prefers(a, b):
    """``P(a≻b)``, for any preference with P + P' = 1."""
    return (1 + of_pair(a, b) - of_pair(b, a)) / 2


def in_pairs(term):
    """The sum of a term of o and o' over all pairs of answers."""
    return Sum(term, (o_, 1, n), (o, 1, n))


game = Domain(simplex(pi, n), simplex(other, n), simplex(ref, n), reals(duel, n**2), n >= 2, beta > 0, v > 0)
an_answer = game.also(1 <= o, o <= n)
two_answers = an_answer.also(1 <= o_, o_ <= n)
advantage_of_pair = prefers(o, o_) - Rational(1, 2)
payoff = nlhf_payoff(pi, other, ref, prefers, beta, answers)
swapped = nlhf_payoff(other, pi, ref, prefers, beta, answers)
shares = Domain(0 <= w_win, w_win <= 1, 0 <= w_lose, w_lose <= 1, 0 <= w_tie, w_tie <= 1, Eq(w_tie, 1 - w_win - w_lose))
claim(
    "vy-s11-nlhf-antisym",
    Equal(prefers(o, o_) + prefers(o_, o), 1, label="P(o≻o') + P(o'≻o)"),
    two_answers,
    because=(
        Equal(prefers(o, o), Rational(1, 2), label="P(o≻o), an answer against itself"),
        Equal(
            prefers(o_, o) - Rational(1, 2),
            -(prefers(o, o_) - Rational(1, 2)),
            label="what is antisymmetric is P − ½",
        ),
        On(shares, Always(Implies(Eq(w_lose, 1 - w_win), Eq(w_tie, 0)), label="no ties")),
        On(
            Domain(x, z, Eq(x + z, 1)),
            Equal((1 + x - z) / 2, x, label="and each P with P + P' = 1 is of this form: take P for d"),
        ),
    ),
    expect="definition",
    locator="Sec 1.1",
    title="Antisymmetric pairwise preferences",
    kind="convention",
    printed=r"\text{antisymmetric, meaning that }\mathcal P(o'\succ o\mid q)=1-\mathcal P(o\succ o'\mid q)",
    remark=(
        "A convention. It forces P(o≻o) = ½, and leaves no ties if P is the probability of a higher reward. The "
        "usual sense of the word, P(o'≻o) = −P(o≻o'), is that of P − ½."
        " P is written ½ + (d − d')/2, so that P(o ≻ o') + P(o' ≻ o) is 1."
    ),
)

claim(
    "vy-s11-eq5",
    Equal(
        payoff + beta * kl(pi, ref, answers, o) - beta * kl(other, ref, answers, o),
        Sum(Sum(prefers(o, o_) * pi[o] * other[o_], (o_, 1, n)), (o, 1, n)),
        label="expected preference",
    ),
    game,
    because=(
        Equal(identify(payoff, other, pi), Rational(1, 2), label="against itself a policy gets ½").by(
            Antisymmetric(in_pairs(advantage_of_pair * pi[o] * pi[o_]))
        ),
    ),
    expect="definition",
    locator="Sec 1.1, (5)",
    title="The payoff of the NLHF game",
    kind="definition",
    printed=(
        r"\mathcal J_{NLHF}(\pi,\pi')=\mathbb E_{q\sim\mu,o\sim\pi(\cdot\mid q),o'\sim\pi'(\cdot\mid q)}\Big[\mathcal "
        r"P(o\succ o'\mid q)-\beta\log\frac{\pi(o\mid q)}{\pi_{\mathrm{ref}}(o\mid q)}+\beta\log\frac{\pi'(o'\mid q)}{"
        r"\pi_{\mathrm{ref}}(o'\mid q)}\Big]"
    ),
    remark=(
        "A definition, with the logarithms averaged to two KL divergences. Checked: the expected preference as one "
        "double sum, and J(π, π) = ½."
        " P(o ≻ o') is ½ + (d(o, o') − d(o', o))/2, d(o, o') being d at the place n(o − 1) + o'."
    ),
)

half = Rational(1, 2)


def of_two(policy, opponent):
    """The expected preference of a policy on two answers, of which the first wins with the chance w_>."""
    chances = ((half, w_win), (1 - w_win, half))
    return sum(
        a * b * chance
        for a, row in zip(binary(policy), chances, strict=True)
        for b, chance in zip(binary(opponent), row, strict=True)
    )


both_ways = Antisymmetric(in_pairs(advantage_of_pair * (pi[o] * other[o_] + other[o] * pi[o_])))

claim(
    "vy-s11-nlhf-zero-sum",
    Equal(payoff, 1 - swapped, label="constant sum").by(both_ways),
    game,
    because=(Equal(payoff - half, half - swapped, label="zero sum once ½ is taken off").by(both_ways),),
    locator="Sec 1.1, (5)",
    title="Sum of the two payoffs",
    kind="identity",
    printed=(
        r"\text{the aggregation of preferences is defined as the symmetric Nash equilibrium of a two-player zero-sum "
        r"game}"
    ),
    judged=imprecise(
        "The payoffs sum to 1: constant-sum. Taking ½ off each payoff changes no best response and makes the sum zero.",
        Equal(of_two(x, z) + of_two(z, x), 0, label="two answers"),
        Domain(0 < x, x < 1, 0 < z, z < 1, 0 <= w_win, w_win <= 1),
    ),
    remark="In the reading x and z are the two policies on the first of two answers, which wins with the chance w_>.",
)

# The best response: differentiate in π(o) with the opponent held fixed.
laws = (positives(pi, n), simplex(other, n), simplex(ref, n), reals(duel, n**2))
d = Derivation("vy-s11-nlhf-fixed-point", Domain(*laws, n >= 2, beta > 0, v > 0, 1 <= o, o <= n))
d.start(payoff, "equation (5) for one question; the opponent is another family")
response_slope = d.start(partial(payoff, pi[o]), "derivative in π(o), opponent frozen")
wins = Sum(prefers(o, o_) * other[o_], (o_, 1, n))
d.rewrite(response_slope, wins - beta * (log(pi[o] / ref[o]) + 1), "KKT: the multiplier, the same for every answer")


def response(answer):
    """``π_ref exp(E_{o'~π'}[P(o≻o')]/β)/Z`` with Z = v free."""
    return ref[answer] * exp(wins.subs(o, answer) / beta) / v


at_response = d.restrict(response_slope, {pi[o]: response(o)}, "at the tilted reference policy")
d.rewrite(at_response, beta * log(v) - beta, "does not depend on the answer")
response_gap = answers.total(lambda a: pi[a] * log(pi[a] / response(a)), o)

# Over all policies: u is the probability of the answer o, against any opponent π'.
opponents = Domain(reals(other, n), simplex(ref, n), reals(duel, n**2), n >= 2, beta > 0)
kept = u * wins - beta * u * log(u / ref[o])
share = Sum(ref[i] * exp(wins.subs(o, i) / beta), (i, 1, n))
answer_to_it = response(o).subs(v, share)
loss = Loss(beta * (answer_to_it - u - u * log(answer_to_it / u)), (log_below_tangent(answer_to_it / u),))

claim(
    "vy-s11-nlhf-fixed-point",
    Every(
        Equal(at_response, beta * (log(v) - 1), label="KKT: one multiplier for all answers"),
        Equal(
            payoff,
            beta * log(v) - beta * response_gap + beta * kl(other, ref, answers, o),
            label="J(π, π') = β log v − β KL(π‖best response, divided by v) + what π' fixes",
        ),
        Equal(
            payoff,
            Sum(kept.subs(u, pi[o]), (o, 1, n)) + beta * kl(other, ref, answers, o),
            label="answer by answer, and what π' fixes",
        ),
        On(
            opponents,
            OnlyBestPolicy(
                (Answered(Part(kept, u), o, n),), (answer_to_it,), label="the best response to any opponent"
            ).by(OneMultiplier(beta * (log(share) - 1), (loss,))),
        ),
    ),
    an_answer,
    by=d,
    locator="Sec 1.1, after (5)",
    title="Best responses of the NLHF game, and its symmetric equilibrium",
    kind="identity",
    short="the best response to any opponent",
    printed=(
        r"\pi(o\mid q)=\frac1{Z_q}\pi_{\mathrm{ref}}(o\mid q)\,e^{\frac1\beta\mathbb E_{o'\sim\pi(\cdot\mid q)}["
        r"\mathcal P(o\succ o'\mid q)]}"
    ),
    remark=(
        "The opponent is frozen while differentiating, and becomes π only afterwards: J(π, π) itself is ½ for every "
        "π, and fixes nothing. The best response to any π' is the only one, among all policies; a symmetric "
        "equilibrium is a policy that is its own best response, π' = π, so it has full support. π̃ is the opponent's "
        "policy π', v is Z_q."
    ),
)

# Two equilibria: both have equal slopes over all answers, so this sum is a multiple of Σ(π − π̃) = 0.
own = identify(response_slope, other, pi)  # slope of a symmetric equilibrium π
rival = put(own, pi, lambda a: other[a])  # and of another one, π̃
mirror_slope = partial(swapped, other[o])  # slope of π̃ against π
distance = Sum((pi[o] - other[o]) * (log(pi[o]) - log(other[o])), (o, 1, n))


between = (pi[o] - other[o]) * (pi[o_] - other[o_]) * advantage_of_pair


def across(left, right):
    return Sum((pi[o] - other[o]) * (left - right), (o, 1, n))


def answers_to(policy, rival, norm):
    """That ``policy`` is the best response to ``rival``, in logarithms, its normalisation being ``norm``."""
    against = put(wins, other, lambda a: rival[a])
    return Eq(log(policy[o]), log(ref[o]) + against / beta - log(norm), evaluate=False)


ties = {n: 2, beta: 1, u: exp(half), v: exp(half), **dict.fromkeys((pi, other, ref), [half] * 2), duel: [0] * 4}


def one_policy(rival_of_pi, rival_of_other, way, label):
    """π and π̃ are one policy where they are the best responses to these; the slopes in which they are best add up over
    π − π̃ to nothing.
    """
    supposed = (answers_to(pi, rival_of_pi, v), answers_to(other, rival_of_other, u))
    slopes = [put(wins, other, lambda a, rival=rival: rival[a]) for rival in (rival_of_pi, rival_of_other)]
    apart = (pi[o] - other[o]) * (slopes[0] - slopes[1] - beta * (log(v) - log(u)))
    return InEveryEntry(supposed, Eq(pi[o], other[o], evaluate=False), o, n, label=label).by(
        NothingLeft(
            Sum(apart, (o, 1, n)),
            beta * (pi[o] - other[o]) * (log(pi[o]) - log(other[o])),
            vanishes=Antisymmetric(in_pairs(way * between)),
            using=(log_increasing(pi[o], other[o]), log_increasing(other[o], pi[o])),
            example=ties,
        )
    )


claim(
    "vy-s11-nlhf-unique",
    Every(
        one_policy(other, pi, -1, "π and π̃ best responses to each other: symmetric"),
        one_policy(pi, other, 1, "π and π̃ best responses to themselves: one policy"),
    ),
    game.also(u > 0),
    because=(
        On(
            game,
            Equal(
                across(response_slope, mirror_slope),
                -beta * distance,
                label="an equilibrium (π, π̃) and its mirror image (π̃, π)",
            ).by(Antisymmetric(in_pairs(-between))),
        ),
        On(
            game,
            Equal(across(own, rival), -beta * distance, label="two symmetric equilibria π and π̃").by(
                Antisymmetric(in_pairs(between))
            ),
        ),
        On(
            pair,
            Always(
                Or(Eq(x, z), (x - z) * (log(x) - log(z)) > 0),
                using=(log_increasing(x, z), log_increasing(z, x)),
                label="(x − z)(log x − log z), as each term is, is positive unless x = z",
            ),
        ),
        On(
            an_answer,
            Equal(log(response(o)), log(ref[o]) + wins / beta - log(v), label="a best response, in logarithms"),
        ),
        On(
            Domain(0 < p, p < 1, beta > 0),
            Tends(-beta * (log(x / p) + 1), x, 0, oo, label="the slope is infinite where an answer is missing"),
        ),
    ),
    depends_on=["vy-s11-nlhf-fixed-point"],
    lemmas=[
        "existence: continuous payoffs, concave in the own policy, on a compact convex set (Glicksberg)",
        "an equilibrium is a pair of policies each of which is the best response to the other, which has full support",
    ],
    locator="Sec 1.1, after (5)",
    title="Uniqueness and symmetry of the Nash equilibrium of NLHF",
    kind="uniqueness",
    says=(r"\pi,\tilde\pi\text{ best responses to each other, or each to itself}\Rightarrow\pi=\tilde\pi"),
    printed=r"\text{The NLHF two-player zero-sum game has a unique Nash equilibrium}",
    remark="For every finite number of answers and every β > 0: the antisymmetric part of P cancels between two "
    "equilibria, its constant ½ meets Σ(π − π̃) = 0, and −β Σ(π − π̃)(log π − log π̃) is left.",
)

# Mirror descent with step η: π ← (1/u) π^{1−ηβ} π_ref^{ηβ} e^{η E_{o'~π}[P(o≻o')]}. In logarithms, at a policy π = pi
# and its equilibrium π* = other:
against_itself = identify(wins, other, pi)
step = (1 - step_size * beta) * log(pi[o]) + step_size * beta * log(ref[o]) + step_size * against_itself
at_equilibrium = put(
    step, ref, lambda a: v * other[a] * exp(-wins.subs(o, a) / beta)
)  # the fixed point, solved for π_ref
gain = step_size * Sum((pi[o_] - other[o_]) * prefers(o, o_), (o_, 1, n))
moved = log(other[o]) + (1 - step_size * beta) * (log(pi[o]) - log(other[o])) + gain
away = Sum(other[o] * (log(other[o]) - log(pi[o])), (o, 1, n))  # KL(π*‖π)
nearer = Sum(other[o] * (log(other[o]) - moved + log(u)), (o, 1, n))  # KL(π*‖new π)
steps = Domain(step_size > 0, beta > 0, step_size * (1 + 4 * beta**2) < 4 * beta)
shrink = 1 - step_size * beta + step_size**2 / (4 * (1 - step_size * beta))
stepping = game.also(step_size > 0, u > 0)
exact_step = Equal(
    nearer,
    (1 - step_size * beta) * away - Sum(other[o] * gain, (o, 1, n)) + log(u),
    label="KL(π*‖new π), u normalises",
)
antisymmetric = Equal(
    Sum((pi[o] - other[o]) * gain, (o, 1, n)), 0, label="the gain has one mean over π and over π*"
).by(Antisymmetric(in_pairs(step_size * between)))
most = Sum(pi[o] * gain, (o, 1, n)) + step_size**2 / (4 * (1 - step_size * beta)) * away  # of log u
spared = Equal(nearer, shrink * away - (most - log(u)), label="c KL(π*‖π), less what log u is below its bound").by(
    Antisymmetric(in_pairs(step_size * between))
)

claim(
    "vy-s11-nlhf-mirror-descent",
    Every(
        On(
            stepping.also(*steps.constraints),
            Always(Implies(log(u) <= most, nearer <= shrink * away), label="KL(π*‖new π) ≤ c KL(π*‖π)").by(
                Then((spared,))
            ),
        ),
        On(steps, Always(And(shrink > 0, shrink < 1), label="with this c")),
    ),
    an_answer.also(step_size > 0, u > 0),
    because=(
        On(stepping, exact_step),
        Equal(
            step - log(pi[o]),
            step_size * (own + beta),
            label="a step follows the slope: it rests where the slope is one multiplier",
        ),
        Equal(at_equilibrium, moved + step_size * beta * log(v), label="a step seen from the equilibrium"),
        On(game.also(step_size > 0), antisymmetric),
        On(steps, Always(step_size * beta < 1, label="η(1 + 4β²) < 4β implies ηβ < 1")),
    ),
    depends_on=["vy-s11-nlhf-unique"],
    lemmas=[
        "log u ≤ (1 − ηβ) log Σ π e^{gain/(1−ηβ)} (Hölder) ≤ Σ π gain + η² ‖π − π*‖₁²/(8(1 − ηβ)) (Hoeffding, as "
        "0 ≤ P ≤ 1)",
        "‖π − π*‖₁² ≤ 2 KL(π*‖π) (Pinsker), so log u is as the sentence supposes",
    ],
    locator="Sec 1.1, after (5)",
    title="KL divergence between the Nash equilibrium and short steps of mirror descent towards it",
    kind="limit",
    says=(
        r"\eta(1+4\beta^2)<4\beta,\ \log u\le\sum_o\pi_k(o)g(o)+\frac{\eta^2D_k}{4(1-\eta\beta)}\Rightarrow "
        r"D_{k+1}\le cD_k\text{ with a constant }c<1,\quad D_k=\mathrm{KL}(\pi^*\|\pi_k)"
    ),
    printed=r"\text{which is also the limit point of a mirror-descent iterative computation algorithm [Munos et "
    r"al., 2024]}",
    remark="“A” mirror-descent algorithm asks for one. Here π_{k+1} is π_k^{1−ηβ} π_ref^{ηβ} e^{η E[P(o≻o')]}, "
    "o' ~ π_k, divided by its sum, and u is that sum over v^{ηβ}. The distance D_k to the equilibrium π* shrinks "
    "geometrically, from any policy with full support, if η(1 + 4β²) < 4β: what is supposed of u is what the words "
    "show. g(o) is the gain η Σ (π_k − π*)(o') P(o≻o'). The opponent of a step is the current policy. Cited, not "
    "shown, in the paper; the algorithm of Munos et al. mixes the opponent with π_ref.",
)

weight_of_rival = Sum(exp(prefers(i, o_)), (i, 1, n))
against = exp(prefers(o, o_)) / weight_of_rival

claim(
    "vy-s11-nlhf-log-pooling",
    Every(
        Equal(
            log(put(response(o), other, lambda a: pi[a])),
            log(ref[o]) - log(v) + Sum(pi[o_] / beta * log(exp(prefers(o, o_))), (o_, 1, n)),
            label="a pool of π_ref and e^{P(·≻o')} for each o'",
        ),
        Equal(Sum(pi[o_] / beta, (o_, 1, n)), 1 / beta, label="the weights π(o')/β sum to 1/β"),
    ),
    an_answer,
    because=(
        On(
            two_answers,
            Every(
                Equal(Sum(against.subs(o, k), (k, 1, n)), 1, label="e^{P(·≻o')}, normalised, is a distribution"),
                Equal(
                    log(against),
                    log(exp(prefers(o, o_))) - log(weight_of_rival),
                    label="its logarithm is P(o≻o') less one number for all answers o, so π pools these distributions",
                ),
            ),
        ),
    ),
    depends_on=["vy-s11-nlhf-fixed-point"],
    locator="Sec 1.1, end",
    title="The NLHF equilibrium as a pool of π_ref and one distribution for each rival answer",
    kind="modelling",
    printed=(
        r"\text{this can also be interpreted as a logarithmic pooling of distributions, where the geometric averaging "
        r"weights depend on }\pi"
    ),
    judged=imprecise(
        "It is proportional to the product with these exponents, 1 of π_ref and π(o')/β of the distribution "
        "proportional to e^{P(·≻o')}. The weights of an average sum to one; here, as in RLHF (vy-s11-log-pooling-"
        "weights), they sum to 1 + 1/β.",
        Equal(1 + Sum(pi[o_] / beta, (o_, 1, n)), 1),
        Domain(simplex(pi, n), n >= 2, beta > 0),
    ),
)
