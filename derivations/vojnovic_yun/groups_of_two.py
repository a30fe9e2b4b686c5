"""Groups of two compare pairs: the reward preference is that of NLHF, with ties counted half.

Statement.   With G = 2 the advantage is the sign of the reward difference, so R_2 = E[P(o≻o') − P(o'≻o)]
             = 2E[P̂(o≻o')] − 1 for o ~ π_θ, o' ~ π_old and P̂ = P(>) + ½P(=).
Source.      Vojnovic & Yun (2025), Section 2.1, "Groups of size two".
Domain.      Any finite number of answers, rewards of any laws; of finitely many values in vy-s21-P2-corresponds.
Derivation.  the definition of R_G for pairs → sign of the difference → the events win, tie, loss of a pair → ties
             counted half.
Caveat.      Two draws coincide with positive probability, and then deterministic rewards tie: P + P' = 1 fails, and
             R_2 is 2E[P] − 1 and the probability of a tie, which moves with π_θ (vy-s21-R2-with-ties); for two answers
             it is affine in E[P], with constants of π_old (vy-s21-NLHF-up-to-constants).
Letters.     x and y are policy and sampler on two answers. w_>, w_= and w_< are the chances of a win, a tie and a loss,
             w_>(o) and w_<(o) those of o against π_old; in vy-s21-R2-asymmetric w_>(o') is P(o≻o') for one given o, and
             P(o) its mean over o' ~ π_old. P̂ is P with a tie counted half. x(i) and r(i) are the rewards of o and
             of o' in a pair, with the chance p(i). t and q are chances in lotteries; beside that t and s are two
             rewards, in the order of r_a and r_b, and in vy-s21-G3-not-ordinal t is the middle reward.
"""

from dataclasses import replace

from grpo_symbolic.paper import *

from .eq6_reward_preference import (
    TWO,
    conditional,
    expectation,
    flat,
    on_two,
    rewards,
)

claim = Result(__file__).claim

half = Rational(1, 2)


def wins(mine, theirs):
    """P(o≻o'): the probability that a reward of the first law exceeds one of the second."""
    return expectation(lambda a, b: Piecewise((1, a > b), (0, True)), mine, theirs)


def pairs(policy, opponent, function):
    """Over o ~ policy and o' ~ opponent."""
    return sum(a * b * function(k, m) for k, a in enumerate(policy) for m, b in enumerate(opponent))


first, second = SHIFT_AND_SCALE.of_group([r_a, r_b])
tied = SHIFT_AND_SCALE.of_group([r_b, r_b])

claim(
    "vy-s21-G2-advantage",
    Every(
        Equal(first, sign(r_a - r_b), label="A_i is the sign of the difference"),
        Equal(second, -first, label="A_j = −A_i"),
    ),
    Domain(Ne(r_a, r_b)),
    because=(Equal(tied[0], sign(r_b - r_b), label="a tie, by 0/0 ≡ 0"),),
    locator="Sec 2.1, groups of size two",
    title="Advantages in a pair",
    kind="identity",
    printed=r"A_i=\operatorname{sign}(r_i-r_j)\quad\text{and}\quad A_j=-A_i",
)


# Of the rewards, whatever their laws, R_2 sees how probable wins and losses are, which no increasing function changes.
pairs_of_any = Domain(n >= 2, simplex(pi, n), simplex(old, n), reals(win, n), reals(loss, n))
won_less_lost = Sum(pi[o] * (win[o] - loss[o]), (o, 1, n))
preferred = Sum(pi[o] * (1 + win[o] - loss[o]) / 2, (o, 1, n))  # E[P̂]: a win counts 1, and a tie, the rest, half
of_pairs = SurrogateInPairs(old, o, n, 2, won_less_lost, wins=win, losses=loss, new=pi, label="R_2")


claim(
    "vy-s21-G2-ordinal",
    Every(
        On(
            Domain(r_a, r_b, s, t, Equivalent(r_a > r_b, t > s), Equivalent(r_a < r_b, t < s)),
            Always(Eq(sign(r_a - r_b), sign(t - s)), label="pairs in the same order have the same advantage"),
        ),
        of_pairs,
    ),
    pairs_of_any,
    locator="Sec 2.1, groups of size two",
    title="R_2 as a function of the order of the rewards",
    kind="identity",
    depends_on=["vy-s21-G2-advantage"],
    printed=(
        r"\text{the reward preference model accounts only for the relative preference between pairs of outputs—that "
        r"is, "
        r"which output in a pair has a higher reward—while remaining invariant to the absolute values of the rewards}"
    ),
)

claim(
    "vy-s21-G2-scale-role",
    Every(
        Equal(expected_surrogate(binary(x), binary(y), (r_a, r_b), TWO, 2), x - y, label="scaled"),
        Equal(
            expected_surrogate(binary(x), binary(y), (r_a, r_b), TWO, 2, SHIFT_ONLY),
            (x - y) * (r_a - r_b) / 2,
            label="shift only",
        ),
    ),
    on_two,
    locator="Sec 2.1, groups of size two",
    title="R_2 for two answers, with and without scale normalisation",
    kind="identity",
    printed=r"\text{remaining invariant to the absolute values of the rewards. This is due to the way the advantage "
    r"terms are defined, and, in particular, normalisation by the standard deviation.}",
)

top = SHIFT_AND_SCALE.of_group([Integer(1), t, Integer(0)])[0]

claim(
    "vy-s21-G3-not-ordinal",
    Monotone(top, t, -1),
    Domain(t > 0, t < 1),
    locator="Sec 2.1, groups of size two",
    title="Advantage of the best of a group of three with the rewards 1, t and 0",
    kind="monotonicity",
    remark="Not in the paper: with rewards 1 > t > 0 the advantage of the best output falls as the middle one "
    "improves, in the same order.",
)

# The three sign events of a pair of rewards.
events = Domain(w_win >= 0, w_lose >= 0, w_tie >= 0, w_win <= 1, w_lose <= 1, Eq(w_tie, 1 - w_win - w_lose))
by_events = expectation(
    lambda a, b: SHIFT_AND_SCALE.of_group([a, b])[0],
    ((Integer(1), Integer(1)),),
    ((w_lose, Integer(2)), (w_tie, Integer(1)), (w_win, Integer(0))),
)


# Any joint law of finitely many values of the two rewards: with the probability p(i) they are t and s.
def each(term):
    """The expectation of a term in the rewards t of o and s of o'."""
    return Sum(world[i] * term.subs({t: datum[i], s: r[i]}), (i, 1, n))


more, alike, less = (Piecewise((1, relation(t, s)), (0, True)) for relation in (Gt, Eq, Lt))
in_pair = Piecewise((SHIFT_AND_SCALE.of_group([t, s])[0], Ne(t, s)), (0, True))  # 0/0 ≡ 0
by_ties = Equal(each(in_pair), 2 * each(more) - each(Integer(1)) + each(alike), label="event by event").by(EqualTerms())
any_law = Domain(simplex(world, n), reals(datum, n), reals(r, n), n >= 1)

claim(
    "vy-s21-P2-corresponds",
    On(
        any_law,
        Always(Eq(each(in_pair), 2 * each(more) - 1 + each(alike)), label="any law of the two rewards").by(
            Then((by_ties, Equal(each(Integer(1)), 1, label="all of them")))
        ),
    ),
    events,
    because=(
        On(any_law, Equal(each(in_pair), each(more) - each(less), label="any law: a win less a loss").by(EqualTerms())),
        Equal(by_events, w_win - w_lose, label="from the events of a win, a tie and a loss"),
        Equal(by_events, 2 * w_win - 1 + w_tie, label="with the ties apart"),
        When(Eq(w_lose, 1 - w_win), Equal(by_events, 2 * w_win - 1, label="without ties")),
    ),
    locator="Abstract; Sec 1.2; Sec 2.1",
    title="The preference of a pair by win, loss and tie, its rewards x(i) and r(i) with chance p(i)",
    kind="identity",
    depends_on=["vy-s21-G2-advantage"],
    printed=(
        r"\mathcal P_2(o\mid\{o'\},q)\text{ corresponds to the pairwise preference }\mathcal P(o\succ o'\mid q)\text{, "
        r"defined as }\mathcal P(o\succ o'\mid q)=\mathbb P[r_i>r_j\mid o_i=o,o_j=o',q]"
    ),
    judged=imprecise(
        "P_2 = P(o≻o') − P(o'≻o). It is 2P(o≻o') − 1 where ties have probability zero; with ties it is no function "
        "of P(o≻o'). The paper's display for R_2 has both terms, and supposes the absence of ties before it writes "
        "2E[P] − 1.",
        Equal(by_events, 2 * w_win - 1, label="an affine function of P(o≻o'), ties or not"),
    ),
)

claim(
    "vy-s21-P2-not-expected-reward",
    Exists(And(8 * t > 1, 2 * t - 1 < 0), {t: Rational(1, 4)}, label="more reward expected, and dispreferred"),
    Domain(t > 0, t < 1),
    because=(
        Equal(
            conditional(((t, Integer(8)), (1 - t, Integer(0))), ((Integer(1), Integer(1)),)),
            2 * t - 1,
            label="8 with probability t, else 0, against a sure 1",
        ),
    ),
    locator="Sec 2.1, groups of size two",
    title="Expected reward 8t against a sure 1, and the preference 2t − 1 of the pair",
    kind="existence",
    remark="Not in the paper: the formula for deterministic rewards must not be used with expected rewards in place "
    "of rewards.",
)

flat_b = ((q, r_b), (1 - q, r_b))
certain = Domain(t > 0, t < 1, q > 0, q < 1)

claim(
    "vy-s21-P-deterministic",
    Every(
        When(r_a > r_b, Equal(wins(flat, flat_b), 1, label="the higher reward wins surely")),
        When(r_a <= r_b, Equal(wins(flat, flat_b), 0, label="otherwise it never wins")),
    ),
    certain,
    because=(When(Ne(r_a, r_b), Equal(wins(flat, flat_b), Max(first, 0), label="the positive part of the advantage")),),
    locator="Sec 2.1, groups of size two",
    title="Pairwise preference for deterministic rewards",
    kind="identity",
    printed=(
        r"\text{In the case of deterministic rewards, }\mathcal P(o\succ o'\mid q)\text{ takes the value of }1\text{ "
        r"if }r(o\mid q)>r(o'\mid q)\text{ and the value of }0\text{ otherwise}"
    ),
    remark=(
        "A certain reward is a law of two equal values; q and t, here no contexts, are the probabilities of the first "
        "value in each of the two laws."
    ),
)

# -- The pairwise expression of R_2 ----------------------------------------------------------------------------------

strict = tuple(((Integer(1), value),) for value in rewards)

claim(
    "vy-s21-R2-general",
    of_pairs,
    pairs_of_any,
    because=(
        On(
            Domain(n >= 2, reals(r, n)),
            Equal(
                sign(r[o] - r[o_]),
                Max(sign(r[o] - r[o_]), 0) - Max(sign(r[o_] - r[o]), 0),
                label="any two rewards: a sign is a win minus a loss",
            ),
        ),
    ),
    locator="Sec 2.1, groups of size two",
    title="R_2 as an expected difference of pairwise preferences",
    kind="identity",
    depends_on=["vy-eq6-representation", "vy-s21-G2-advantage"],
    printed=(
        r"\mathcal R_2(\theta)=\mathbb E_{q\sim\mu,\,o\sim\pi_\theta(\cdot\mid q),\,o'\sim\pi_{\theta_{\mathrm{old}}}("
        r"\cdot\mid q)}[\mathcal P(o\succ o'\mid q)-\mathcal P(o'\succ o\mid q)]"
    ),
    remark="w_>(o) and w_<(o) are the means over o' ~ π_old of P(o≻o') and of P(o'≻o). It specialises (6); that π_θ "
    "must have no mass where π_old has none is judged there (vy-eq6-representation).",
)

same_law = events.also(Eq(w_lose, w_win))

claim(
    "vy-s21-asymmetric-word",
    Always(Equivalent(Eq(w_win + w_lose, 1), Eq(w_tie, 0)), label="the condition excludes ties"),
    events,
    because=(
        On(
            same_law,
            Always(
                Equivalent(Eq(w_win + w_lose, 1), Eq(w_win, half)),
                label="of an output and a copy of itself it says that each wins half of the time",
            ),
        ),
    ),
    locator="Sec 2.1, groups of size two",
    title="Preferences called asymmetric, and ties",
    kind="convention",
    printed=r"\text{asymmetric, meaning that }\mathcal P(o\succ o'\mid q)+\mathcal P(o'\succ o\mid q)=1",
    judged=misprint(
        "Section 1.1 calls the same condition antisymmetric; an asymmetric relation is one that never holds both "
        "ways, which is not meant."
        " So in the copy that was read.",
        When(Eq(w_lose, 1 - w_win), Always(Or(Eq(w_win, 0), Eq(w_lose, 0)), label="never both ways")),
    ),
)

# n values, the larger the higher their number: π(o) is the probability of the value with the number o.
above = Max(sign(o - o_), 0)
copy_wins = Sum(pi[o] * above * pi[o_], (o_, 1, n), (o, 1, n))
tied_with_copy = Sum(pi[o] ** 2, (o, 1, n))

claim(
    "vy-s21-asymmetric-atomless",
    Every(
        Equal(2 * copy_wins, 1 - tied_with_copy, label="n values: 2P(o≻o)").by(
            Antisymmetric(Sum(pi[o] * pi[o_] * (2 * above - 1 + KroneckerDelta(o, o_)), (o_, 1, n), (o, 1, n)))
        ),
        AtLeast(tied_with_copy, 1 / n, (Eq(pi[o], 1 / n),), label="the chance of a tie is at least 1/n").by(
            TermByTerm((Sum((pi[o] - 1 / n) ** 2, (o, 1, n)),))
        ),
    ),
    Domain(n >= 2, simplex(pi, n)),
    locator="Sec 2.1, groups of size two",
    title="Ties of a reward with finitely many values and its copy",
    kind="identity",
    remark="Not in the paper: with finitely many values π is the law of the reward of one output, over its values, "
    "which are numbered in order; for two outputs of this law the chances that the one or the other wins add up to "
    "less than 1.",
)

# win[o'] stands for P(o≻o') with o given, then P[o] for its average over o' ~ π_old.
families = Domain(n >= 2, simplex(pi, n), simplex(old, n), reals(P, n))
e = Derivation("vy-s21-R2-asymmetric", families)
R_2 = e.start(
    Sum(pi[o] * (P[o] - Sum(old[o_] * (1 - P[o]), (o_, 1, n))), (o, 1, n)),
    "E over o ~ π_θ of wins minus losses, P + P' = 1",
)
doubled = e.rewrite(R_2, Sum(pi[o] * (2 * P[o] - 1), (o, 1, n)), "π_old sums to one")
affine = e.rewrite(doubled, 2 * Sum(pi[o] * P[o], (o, 1, n)) - 1, "π_θ sums to one")

even = w_win + w_tie / 2  # P̂, a tie counted half

claim(
    "vy-s21-R2-asymmetric",
    Every(
        Equal(
            Sum(old[o_] * win[o_], (o_, 1, n)) - Sum(old[o_] * (1 - win[o_]), (o_, 1, n)),
            2 * Sum(old[o_] * win[o_], (o_, 1, n)) - 1,
            label="over o', with o given",
        ),
        Equal(R_2, affine, label="over o"),
    ),
    families.also(reals(win, n)),
    by=e,
    locator="Sec 2.1, groups of size two",
    title="R_2 for pairs without ties",
    kind="identity",
    depends_on=["vy-s21-R2-general"],
    printed=(
        r"\text{If the pairwise preferences are … }\mathcal P(o\succ o'\mid q)+\mathcal P(o'\succ o\mid q)=1\text{, "
        r"then }\mathcal R_2(\theta)=2\,\mathbb E_{q\sim\mu,\,o\sim\pi_\theta(\cdot\mid q),\,o'\sim\pi_{\theta_{"
        r"\mathrm{old}}}(\cdot\mid q)}[\mathcal P(o\succ o'\mid q)]-1"
    ),
    remark="w_>(o') is P(o≻o') for a given o, P(o) its mean over o' ~ π_old. The hypothesis P + P' = 1 includes "
    "o' = o, where rewards with finitely many values do not meet it (vy-s21-asymmetric-atomless); with ties: "
    "vy-s21-NLHF-up-to-constants.",
)

tied = Sum(pi[o] * (1 - win[o] - loss[o]), (o, 1, n))
tied_of_two = pairs(binary(x), binary(y), lambda k, m: Integer(1) if k == m else Integer(0))  # different rewards

claim(
    "vy-s21-R2-with-ties",
    replace(
        of_pairs, value=2 * Sum(pi[o] * win[o], (o, 1, n)) - 1 + tied, label="2E[w_>] − 1, and how often there is a tie"
    ),
    pairs_of_any,
    because=(
        On(
            Domain(0 < y, y < 1),
            Exists(
                Ne(diff(tied_of_two, x), 0),
                {y: half / 2},
                label="two different rewards: the slope of the chance of a tie in π_θ(a)",
            ),
        ),
    ),
    locator="Sec 2.1, groups of size two",
    title="R_2 with ties",
    kind="identity",
    depends_on=["vy-s21-R2-general"],
    remark="Not in the paper. How often equal outputs are drawn depends on the policy that is optimised. "
    "w_>(o) is the mean over o' ~ π_old of P(o≻o').",
)


claim(
    "vy-s21-NLHF-up-to-constants",
    replace(of_pairs, value=2 * preferred - 1, label="2E[P̂] − 1, with ties counted half"),
    pairs_of_any,
    because=(
        Equal(
            won_less_lost,
            2 * Sum(pi[o] * (win[o] + (1 - win[o] - loss[o]) / 2), (o, 1, n)) - 1,
            label="which is 2E[P̂] − 1, for 1 − w_> − w_< is the chance of a tie",
        ),
        On(
            on_two,
            Equal(
                expected_surrogate(binary(x), binary(y), (r_a, r_b), TWO, 2),
                pairs(binary(x), binary(y), lambda k, m: wins(strict[k], strict[m])) / (1 - y) - y,
                label="two answers: affine in E[P], with constants of π_old",
            ),
        ),
        On(events, Equal(even + (w_lose + w_tie / 2), 1, label="P̂ is antisymmetric")),
    ),
    locator="Sec 2.1, groups of size two",
    title="R_2 as the reward part of NLHF, with ties counted half",
    kind="identity",
    depends_on=["vy-s21-R2-general"],
    printed=(
        r"\text{the reward preference model corresponds to that of the NLHF model, as given in Equation (5), up to "
        r"non-essential multiplicative and additive constants}"
    ),
    remark="The paper supposes P + P' = 1, in the sentence before and for (5). With ties it holds where they "
    "count half; with the paper's P for deterministic rewards (1 if higher, else 0) R_2 is 2E[P] − 1 + P(tie), and "
    "P(tie) depends on π_θ (vy-s21-R2-with-ties). The opponent is π_old. The factor 2 matters for β: the same "
    "trade-off is made in NLHF with β/2 (vy-s3-dkl-nlhf-akin).",
)
