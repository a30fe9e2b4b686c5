"""Theorems 1 and 2, and a step to Theorem 5, for countably many answers, where the paper integrates over all texts.

Statement.   Let there be countably many correct and countably many wrong answers, with π_ref(r = 1) = p_ref. The
             normaliser of Theorem 1 is the limit of its partial sums, p_ref e^{ω⁺/β} + (1 − p_ref) e^{−ω⁻/β}, and the
             success probability of the tilted policy is h(p). The objective of every policy is β log Z less β times a
             series of terms that are not negative, and are all zero for the tilted policy alone. Both divergences
             between this and π_ref together are (h(p) − p_ref)/(β√(p(1 − p) + ε)). For any two policies the difference
             in expected reward, with rewards between 0 and 1, is at most their total variation.
Source.      Mroueh (2025), Section 2, Theorems 1 and 2; Appendix A, where Z and p_n are integrals over π_ref; Appendix
             C.
Domain.      Sequences of positive probabilities; 0 ≤ p ≤ 1, 0 < p_ref < 1, β, ε > 0.
Derivation.  Two weights only, so partial sums are two partial sums of π_ref, weighted → limits by comparison; the
             objective answer by answer → terms q log(q/y) − q + y, y the tilted probability.
Caveats.     Texts are finite sequences of tokens, and so countably many. A law without atoms is not covered.
Letters.     π_ref⁺ and π_ref⁻ are the reference on correct and on wrong answers; p is the success probability from
             which the weights ω⁺ and ω⁻ are taken; t is e^{−(ω⁺ + ω⁻)/β} and x the success probability h. In
             mr-thm1-countable u is a weight e^{ω/β}, z is Z, q the policy of one answer and p its reference. s and y
             are any numbers, one for correct and one for wrong answers; v is the total variation of two policies,
             called TV, p̃ and p are their expected rewards and d is p̃ − p.
"""

from grpo_symbolic.paper import *

from .thm1_policy import Z, w_minus, w_plus
from .thm2_recursion import h, root

claim = Result(__file__).claim

unit = Domain(0 <= success, success <= 1, 0 < success_ref, success_ref < 1, beta > 0, guard > 0)
weight = exp(-1 / (beta * root))
right, wrong = Sum(hit_ref[k], (k, 1, i)), Sum(miss_ref[k], (k, 1, i))
families = (reals(hit_ref, i), reals(miss_ref, i))
laws = ((right, success_ref), (wrong, 1 - success_ref))
shares = Equal(exp(w_plus / beta) / Z * success_ref, h, label="a correct answer has h/p_ref times its reference")
below_one = Always(h < 1, using=(exp_positive(-1 / (beta * root)),), label="and h is below 1")
claim(
    "mr-thm2-countable",
    On(
        unit,
        ConvergesTo(
            success_ref * exp(w_plus / beta) / Z * right,
            i,
            success_ref * h,
            laws[:1],
            families=families[:1],
            label="p_ref times the success rate of the tilted policy",
        ).by(Compared(using=Then((shares, below_one)))),
    ),
    unit,
    because=(
        On(unit, shares),
        On(unit, below_one),
        On(
            Domain(0 < success_ref, success_ref < 1, 0 < t, t < 1),
            ConvergesTo(
                right + t * wrong,
                i,
                success_ref + t * (1 - success_ref),
                laws,
                families=families,
                label="the normaliser, as a multiple of e^{ω⁺/β}",
            ),
        ),
        On(
            Domain(0 < success_ref, success_ref < 1, 0 < x, x < 1),
            ConvergesTo(
                x * right, i, x * success_ref, (laws[0],), families=families[:1], label="p_ref times the success rate"
            ),
        ),
        On(
            unit,
            Every(
                Equal(
                    Z,
                    exp(w_plus / beta) * (success_ref + weight * (1 - success_ref)),
                    label="Z, with e^{ω⁺/β} taken out",
                ),
                Always(
                    weight < 1,
                    using=(exp_sign(-1 / (beta * root)),),
                    label="t is below 1, as its exponent is negative",
                ),
            ),
        ),
    ),
    kind="limit",
    depends_on=["mr-thm1-Z", "mr-thm2-h"],
    locator="App A, proofs of Theorems 1 and 2",
    title="Countably many answers: p_ref times the success probability of the tilted policy",
)

tilted = p * u / z
ratio = tilted / q
loss = -q * log(ratio) - q + tilted
answer = Domain(0 < p, 0 < q, beta > 0, u > 0, z > 0)
every_answer = Domain(0 < p, beta > 0, u > 0, z > 0)
lost = Loss(beta * loss, (log_below_tangent(ratio),))
claim(
    "mr-thm1-countable",
    On(
        every_answer,
        OnlyBestOfMany(
            Part(q * (beta * log(u) - beta * log(q / p)), q), (p, u), tilted, beta * log(z), label="all answers"
        ).by(OneMultiplierForAll(beta * (log(z) - 1), lost, rare=(p, 0))),
    ),
    answer,
    because=(
        On(
            answer,
            Equal(
                q * (beta * log(u) - beta * log(q / p)),
                beta * log(z) * q - beta * (loss + q - tilted),
                label="what an answer adds to the objective",
            ),
        ),
        On(
            answer.also(Ne(q * z, p * u)),
            Always(
                q * log(ratio) < tilted - q,
                using=(log_below_tangent(ratio),),
                label="a positive loss, unless q is the tilted probability p u/z",
            ),
        ),
        On(answer, Equal(loss.subs(q, tilted), 0, label="the loss at q = p u/z")),
        On(
            Domain(0 < p, u > 0, z > 0),
            Tends(loss, q, 0, tilted, "+", label="an answer that is left out loses its tilted probability"),
        ),
    ),
    kind="optimality",
    depends_on=["mr-thm2-countable", "mr-thm1-policy"],
    locator="App A, proof of Theorem 1",
    title="Countably many answers: the tilted policy as the maximum",
)

# How near to π_ref: what an answer adds to both divergences is π_ref(o) times a number of its kind, s or y.
gains = (exp(w_plus / beta) / Z, exp(-w_minus / beta) / Z)  # π_n over π_ref, of a correct and of a wrong answer
leads = (w_plus / beta - log(Z), -w_minus / beta - log(Z))  # their logarithms
claim(
    "mr-s2-close-countable",
    Every(
        On(
            Domain(0 < success_ref, success_ref < 1, s, y),
            ConvergesTo(
                s * right + y * wrong,
                i,
                s * success_ref + y * (1 - success_ref),
                tuple((weight * part, weight * limit) for weight, (part, limit) in zip((s, y), laws, strict=True)),
                families=families,
                label="two weights, s on correct and y on wrong answers",
            ),
        ),
        On(
            unit,
            Equal(
                success_ref * (gains[0] - 1) * leads[0] + (1 - success_ref) * (gains[1] - 1) * leads[1],
                (h - success_ref) / (beta * root),
                label="both divergences, added: the gain in success over β√(p(1 − p) + ε)",
            ),
        ),
    ),
    unit,
    because=(
        *(
            On(unit, Equal(log(gain), lead, label=f"the log-ratio to the reference {of}"))
            for gain, lead, of in zip(
                gains,
                leads,
                ("on correct answers, ω⁺/β − log Z", "on wrong answers, −ω⁻/β − log Z"),
                strict=True,
            )
        ),
    ),
    kind="limit",
    depends_on=["mr-thm2-countable", "mr-s2-close-to-reference"],
    locator="Sec 2, after (GRPO)",
    title="Countably many answers: the sum of both divergences",
    remark="s and y are what a correct and a wrong answer add to both divergences, over π_ref.",
)

# Total variation: π̃ is hit and π is hit_old on all answers, whatever their rewards r(k) between 0 and 1.
added = hit[k] - hit_old[k]
sums = tuple(Sum(term, (k, 1, i)) for term in (Abs(added) / 2, r[k] * added, added))
apart = tuple(reals(family, i) for family in (hit, hit_old, r))


def excess(way):
    """What an answer adds to the total variation, less what it adds to ±(p̃ − p), if Σ(π̃ − π) = 0."""
    return (Abs(added) - way * (2 * r[k] - 1) * added) / 2


def of_sums(way):
    """The sums of this excess, from those that have limits."""
    return sums[0] - way * sums[1] + way * sums[2] / 2


def at_most_the_variation(way, name):
    """TV less ±(p̃ − p) is the series of the excess, and at least each of its sums."""
    return (
        On(
            Domain(i >= 1, *apart),
            Equal(Sum(excess(way), (k, 1, i)), of_sums(way), label=f"the sums of the excess of TV over {name}"),
        ),
        ConvergesTo(
            of_sums(way),
            i,
            v - way * shift,
            tuple(zip(sums, (v, shift, Integer(0)), strict=True)),
            families=apart,
            label=f"the limit of these sums, TV less {name}",
        ).by(Compared(such=dict.fromkeys((hit, hit_old, r, v, shift), 0))),
        BelowSeries(
            excess(way).subs(k, i), i, v - way * shift, (0 <= r[i], r[i] <= 1), label=f"{name}: none exceeds the limit"
        ),
    )


claim(
    "mr-pf5-countable",
    Every(
        *at_most_the_variation(1, "p̃ − p"),
        *at_most_the_variation(-1, "p − p̃"),
        On(Domain(0 <= v - shift, 0 <= v + shift), Always(Abs(shift) <= v, label="so |p̃ − p| ≤ TV, as sums are ≥ 0")),
    ),
    Domain(shift, v),
    kind="limit",
    depends_on=["mr-pf5-bound"],
    locator="App C, proof of Theorem 5",
    title="Countably many answers: difference in success and total variation",
    remark="π⁺ and π_old⁺ are two policies on all answers, not on the correct ones alone; r(k) is the reward, v the "
    "total variation, d the difference in expected reward.",
    short=("p̃ − p: none exceeds the limit", "so |p̃ − p| ≤ TV, as sums are ≥ 0"),
)
