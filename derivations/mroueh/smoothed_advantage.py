"""The smoothed advantage of a verifiable reward, its weights, and what trainers do instead.

Statement.   With a guard ε under the root the advantage is ω⁺ = (1−p)/√(p(1−p)+ε) on correct and
             −ω⁻ = −p/√(p(1−p)+ε) on wrong answers, defined and of size at most 1/√ε for every p in [0, 1].
Source.      Mroueh (2025), Section 2.2, equations (3) and (4).
Domain.      Any finite number of correct and of wrong answers; ε > 0; 0 < p < 1, for the weights also p = 0 and p = 1.
Derivation.  The advantage of mr-eq1-advantage with a guard → mean and variance of a 0/1 reward → the two cases.
Caveats.     Equation (3) prints the guard outside the root, where trainers have it. With the guard in either place
             p·ω⁺ = (1−p)·ω⁻ (mr-eq4, mr-s22-trainer-guard).
Letters.     p is the success probability of the policy that samples, and k of the G members of a group are correct. In
             mr-stab-adv t is a reward less the mean and v the variance. In mr-s22-trainer-guard t is the deviation
             √(p(1 − p)). π_old⁺ and π_old⁻ are the old policy on the n₊ correct and on the n₋ wrong answers.
"""

from grpo_symbolic.paper import *

from .verifiable_advantage import (
    answers,
    guarded,
    minus,
    p_old,
    pair,
    plus,
    rewards,
    root,
    smoothed,
    unguarded,
    var_old,
    variance,
    w_hit,
    whitened,
)

claim = Result(__file__).claim

deviation = sqrt(unguarded + guard)
stable_hit, stable_miss = (Advantage(guard=guard).of_population(reward, p_old, var_old) for reward in (1, 0))

claim(
    "mr-stab-adv",
    On(Domain(v > 0, t), Tends(t / sqrt(v + guard), guard, 0, t / sqrt(v), label="without a guard it is (1)")),
    rewards.also(guard > 0),
    because=(
        Equal(smoothed * sqrt(variance + guard), whitened * sqrt(variance), label="only the scale differs from (1)"),
        On(
            Domain(v >= 0, t, guard > 0),
            Equal((t / sqrt(v + guard)).subs({v: 0, t: 0}), 0, label="the advantage of equal rewards, no 0/0"),
        ),
    ),
    expect="definition",
    locator="Sec 2.2",
    title="The smoothed advantage",
    kind="convention",
    printed=(
        r"\varepsilon\in(0,1]\text{ in the advantage as follows: }A(q,o)=\frac{r(q,o)-\mu}{\sqrt{\sigma^2+\varepsilon}}"
    ),
    remark="The print is the end of the sentence, “adding a smoothing factor ε”. μ and σ² are the mean and variance of "
    "(1). No claim here needs ε ≤ 1.",
)

with_guard = answers.also(guard > 0)

claim(
    "mr-eq3",
    Equal(stable_hit, (1 - success) / sqrt(unguarded + guard), label="r = 1")
    & Equal(stable_miss, -success / sqrt(unguarded + guard), label="r = 0"),
    with_guard,
    depends_on=["mr-bernoulli", "mr-stab-adv"],
    locator="Sec 2.2, (3)",
    title="The smoothed advantage of a verifiable reward",
    kind="identity",
    printed=r"A(q,o)=\frac{1-p}{\sqrt{p(1-p)}+\epsilon}\text{ if }r(q,o)=1,\quad-\frac p{\sqrt{p(1-p)}+\epsilon}"
    r"\text{ if }r(q,o)=0",
    judged=misprint(
        "The guard belongs under the root, as in the display before (3) and in (4); and its letter is ε "
        "(varepsilon), not the clipping range ϵ."
        " So in the copy that was read.",
        Equal(stable_hit, (1 - success) / (root + guard)) & Equal(stable_miss, -success / (root + guard)),
    ),
    remark="What (3) prints is the convention of many trainers; mr-s22-trainer-guard compares the two.",
)

claim(
    "mr-eq4",
    Every(
        On(with_guard, Equal(stable_hit, plus, label="ω⁺ is the advantage of a correct answer")),
        On(with_guard, Equal(-stable_miss, minus, label="ω⁻ is minus that of a wrong one")),
    ),
    guarded,
    because=(
        Equal(plus + minus, 1 / deviation, label="their sum"),
        Equal(success * plus, (1 - success) * minus, label="the totals of the classes agree"),
        Equal(minus.subs(success, 1 - success), plus, label="the one weight at 1 − p, and the other at p"),
        Monotone(plus, success, -1, label="ω⁺"),
        Monotone(minus, success, 1, label="ω⁻"),
    ),
    expect="definition",
    depends_on=["mr-eq3"],
    locator="Sec 2.2, (4)",
    title="The weights of correct and of wrong answers",
    kind="convention",
    printed=r"\omega^+_\varepsilon(p)=\frac{1-p}{\sqrt{p(1-p)+\varepsilon}},\qquad\omega^-_\varepsilon(p)=\frac p{"
    r"\sqrt{p(1-p)+\varepsilon}}",
)

closed = Domain(0 <= success, success <= 1, guard > 0)

claim(
    "mr-s22-alleviates",
    Every(
        Always(plus >= 0, label="ω⁺ is not negative"),
        Always(plus <= 1 / sqrt(guard), label="ω⁺ is bounded"),
        Always(minus >= 0, label="ω⁻ is not negative"),
        Always(minus <= 1 / sqrt(guard), label="ω⁻ is bounded"),
    ),
    closed,
    because=(
        Equal(plus.subs(success, 0), 1 / sqrt(guard), label="the weight of correct answers at p = 0"),
        Equal(minus.subs(success, 1), 1 / sqrt(guard), label="that of wrong ones at p = 1"),
        On(pair, Tends(w_hit, success, 0, oo, label="without a guard: unbounded")),
    ),
    depends_on=["mr-eq4"],
    kind="inequality",
    locator="Sec 2.2",
    title="Bounds of the guarded weights, p at 0 and at 1 included",
    printed=(
        r"\text{in the previous section we assumed that }0<p<1\text{, we alleviate this in the following by adding a "
        r"smoothing factor }\varepsilon\in(0,1]"
    ),
    remark="The bound 1/√ε is sharp. At p = 0 there is no correct answer to carry the weight, at p = 1 no wrong one.",
)

# -- what trainers do -------------------------------------------------------------------------------------------------
OUTSIDE = Advantage(guard=guard, guard_inside=False)
outside_hit, outside_miss = (OUTSIDE.of_population(reward, p_old, var_old) for reward in (1, 0))

sigma = Domain(t >= 0, guard > 0)  # t is the deviation √(p(1 − p)); the numerators are those of (4)

claim(
    "mr-s22-trainer-guard",
    Every(
        On(with_guard, Equal(outside_hit, (1 - success) / (root + guard), label="advantage of a correct answer")),
        On(with_guard, Equal(outside_miss, -success / (root + guard), label="advantage of a wrong answer")),
        On(
            sigma.also(2 * t + guard < 1),
            Always(t + guard < sqrt(t**2 + guard), label="2t + ε < 1: weights larger than those of (4)"),
        ),
        On(
            sigma.also(2 * t + guard > 1),
            Always(t + guard > sqrt(t**2 + guard), label="2t + ε > 1: weights smaller than those of (4)"),
        ),
    ),
    guarded,
    because=(
        On(
            with_guard,
            Equal(success * outside_hit, -(1 - success) * outside_miss, label="the totals of the classes still agree"),
        ),
        When(guard < 1, Always(1 / guard > 1 / sqrt(guard), label="at p = 0: 1/ε in place of 1/√ε")),
    ),
    depends_on=["mr-eq3"],
    kind="inequality",
    locator="Sec 2.2, (3)",
    title="Weights with the standard deviation + ε, against those of (4)",
    remark="Taken by its letters (3) is the convention of trainers, which divide by std + ε; the paper goes on with "
    "(4). The two agree only where 2√(p(1 − p)) + ε = 1.",
)

# A group of G outputs of which k are correct, 0 < k < G.
group = Domain(k >= 1, G >= 2, k <= G - 1)
share = k / G
squares = Sum((1 - share) ** 2, (i, 1, k)) + Sum(share**2, (i, 1, G - k))
weight = (1 - share) / sqrt(share * (1 - share) * G / (G - 1))  # by the sample variance below


claim(
    "mr-s22-trainer-sample-deviation",
    Equal(weight, sqrt((G - 1) / G) * sqrt((1 - share) / share), label="a correct output: times √((G − 1)/G)"),
    group,
    because=(
        Equal(squares / G, share * (1 - share), label="variance of the group"),
        Equal(squares / (G - 1), share * (1 - share) * G / (G - 1), label="sample variance"),
    ),
    depends_on=["mr-adv-eps0-simplified"],
    locator="Sec 1; Sec 2.2",
    title="Sample deviation, k of G correct: the factor √((G − 1)/G) of a correct output's weight",
    kind="identity",
    remark=(
        "Algorithm 1, line 8, takes (3), here for ε = 0, with p = k/G, which divides by G (mr-alg1-sample-p). Trainers "
        "divide by G − 1, which gives less, by the factor √((G − 1)/G), whatever G and k are. A common factor is a "
        "change of β (by-norm-sample-deviation)."
    ),
)
