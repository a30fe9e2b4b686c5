"""DPO on many comparisons at once: which data hold the policy, and which let it run away.

Statement.   Let r_i be the gap of log-ratios, log(π/π_0) of the winner less that of the loser, in comparison i. Where
             the gaps add up to zero whatever the policy is, as around a circle A ≻ B, B ≻ C, C ≻ A or wherever every
             text wins as often as it loses, the loss is at least N log 2, which it is where all gaps are zero: the
             reference is a minimiser. Where a set of texts is never beaten from outside, and beats something there,
             the loss falls as the whole set is raised, from any policy and for ever: there is no minimiser. Wherever
             the loss is at most that of one gap t, every gap is at least t, and a comparison on a circle of m has a gap
             of at most −(m − 1)t: data of which every comparison lies on a circle keep all gaps within bounds.
Source.      Patel (2025), Section 4.9, which speaks of one pair (pt-dpo-no-collapse). Not in the paper.
Domain.      N comparisons of any texts, β > 0, gaps any real numbers.
Derivation.  −log σ lies above its tangent at zero, whose slope is −½ → the sum over comparisons. −log σ falls → so does
             the sum. One loss is at most the sum of all; one gap on a circle is minus the sum of the others.
Caveats.     Gaps are free, as for tabular policies: a model that shares parameters may be held by these.
Letters.     r(i) is the gap of comparison i. v(i) is positive where a text of the set wins comparison i against
             one outside it, 0 elsewhere; t is by how much the set is raised, in pt-dpo-circles a bound of the gaps. N
             is the number of comparisons of the data, then of those of a circle, of which k is one. s is one gap, in
             pt-dpo-balanced β times it.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

comparisons = Domain(beta > 0, N >= 1, reals(r, N))


def over(term):
    """Over all comparisons."""
    return Sum(term, (i, 1, N))


above_tangent = OnlyMaximum(reward_loss(s, 0) + s / 2, s, 0, sense=-1, label="one comparison").by(
    ConcaveAndStationary(using=(exp_positive(-s),))
)
claim(
    "pt-dpo-balanced",
    On(
        comparisons,
        AtLeast(
            over(reward_loss(beta * r[i], 0)) + beta / 2 * over(r[i]),
            N * log(2),
            label="any number of comparisons",
        ).by(
            TermByTerm(
                (over(reward_loss(beta * r[i], 0) + beta * r[i] / 2 - log(2)),),
                using=InLetters(above_tangent, Domain(s), {s: beta * r[i]}),
            )
        ),
    ),
    comparisons,
    because=(On(Domain(s), above_tangent),),
    depends_on=["pt-dpo-final"],
    kind="optimality",
    locator="Sec 4.9",
    title="A lower bound of DPO's loss on N comparisons by the sum of their gaps",
    remark="Gaps around a circle of comparisons add up to zero for every policy. The bound is reached where all gaps "
    "are zero, by the reference, whatever β is, and nowhere else, for each summand reaches its own bound only there.",
)

gap, raised = beta * r[i], beta * r[i] + beta * t * spread[i]
claim(
    "pt-dpo-unbeaten",
    On(
        Domain(beta > 0, t > 0, N >= 1, reals(r, N), reals(spread, N)),
        AtLeast(
            over(reward_loss(gap, 0)),
            over(reward_loss(raised, 0)),
            (Eq(spread[i], 0),),
            label="from any policy: the loss falls as the set is raised",
            given=(spread[i] >= 0,),
        ).by(
            TermByTerm(
                (over(reward_loss(gap, 0) - reward_loss(raised, 0)),),
                using=(
                    exp_positive(-gap),
                    exp_positive(-raised),
                    exp_increasing(-raised, -gap),
                    exp_increasing(-gap, -raised),
                    log_increasing(sigmoid(gap), sigmoid(raised)),
                    log_increasing(sigmoid(raised), sigmoid(gap)),
                ),
            )
        ),
    ),
    comparisons,
    because=(
        On(
            Domain(beta > 0, s),
            Tends(
                reward_loss(beta * (s + t), 0),
                t,
                oo,
                0,
                label="the loss of a comparison that the set wins outside goes to zero",
            ),
        ),
    ),
    depends_on=["pt-dpo-balanced"],
    kind="optimality",
    locator="Sec 4.9",
    title="DPO's loss and the rise of a set of texts without a defeat from outside",
    remark=(
        "One winner of all its comparisons is such a set. Where such a set wins a comparison outside, raising it "
        "lowers the loss of any policy, so no policy has the least loss. r(i) is the gap in log-ratio of comparison "
        "i; raising the set by t adds t v(i) to it."
    ),
)

one = comparisons.also(1 <= k, k <= N)
claim(
    "pt-dpo-circles",
    Every(
        On(
            one,
            AtLeast(
                over(reward_loss(gap, 0)), reward_loss(gap, 0).subs(i, k), label="no comparison costs more than the sum"
            ).by(OneTermLess(over(reward_loss(gap, 0)), k, using=(exp_positive(-gap), log_sign(sigmoid(gap))))),
        ),
        On(
            Domain(beta > 0, s, t),
            Always(
                Implies(s < t, reward_loss(beta * s, 0) > reward_loss(beta * t, 0)),
                using=(
                    exp_positive(-beta * s),
                    exp_positive(-beta * t),
                    exp_increasing(-beta * t, -beta * s),
                    log_increasing(sigmoid(beta * s), sigmoid(beta * t)),
                    log_sign(sigmoid(beta * s)),
                ),
                label="a gap below t costs more than one of t",
            ),
        ),
        On(
            one.also(t),
            AtLeast(over(r[i]) - (N - 1) * t, r[k], label="in a circle of N comparisons", given=(r[i] >= t,)).by(
                OneTermLess(over(r[i] - t), k)
            ),
        ),
    ),
    comparisons,
    depends_on=["pt-dpo-balanced", "pt-dpo-unbeaten"],
    kind="inequality",
    locator="Sec 4.9",
    title="Gaps of comparisons on a circle, by the loss",
    remark=(
        "In words, not checked: a comparison on no circle has an unbeaten set on its winner's side: the winner, "
        "with all that beat it, directly or by others."
        " In the last part r(i) are the gaps around a circle of N comparisons; they sum to 0."
    ),
)
