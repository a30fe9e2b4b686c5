"""An engine that samples from another policy than the trainer computes: truncated and masked weights, and top-p.

Statement.   Weights π_old/μ on samples of the engine μ are unbiased. Truncated at C they count an answer as
             min(π_old, Cμ): only answers that the engine draws less than 1/C as often lose, what is lost is Σ(π_old −
             Cμ)₊, and no weight exceeds C. Masked weights drop these answers altogether. Without weights an answer
             counts as μ. Top-p keeps a set of mass m and draws from π_old/m. Ratios of the full policies then
             estimate the kept part of the objective times 1/m, not the objective; but with advantages that are
             centred on the samples the first step is exactly that of the reward of the policy renormalised to the
             kept set, and no mass moves in or out of the set.
Source.      Truncated and masked importance sampling between engine and trainer; question on ratios under top-p
             (trl#6789).
Domain.      n answers, or the kept and the cut answers apart; full support on them, C ≥ 1, any advantages.
Derivation.  expectation over the engine's samples, answer by answer → slope in one probability → π_old = π.
Caveats.     One state: of texts, the statement holds token by token, the states being those that the engine visits.
Letters.     Of one answer u is π_old, v is μ and A the advantage; C is the greatest weight. Of n answers P(o) is the
             advantage. m is the mass of the kept set: of its n₊ answers π⁺ and π_old⁺ are the policies and r(o) the
             rewards. In the remark of tr-sampler-bounds a bounds the advantages.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

everywhere = Domain(n >= 2, simplex(pi, n), simplex(old, n), simplex(engine, n), reals(P, n))


def estimate(weight):
    """E_μ[w · π/π_old · A] over one answer of the engine."""
    return Sum(engine[o] * weight(o) * (pi[o] / old[o]) * P[o], (o, 1, n))


target = Sum(pi[o] * P[o], (o, 1, n))
# One answer: u = π_old, v = μ.
answer = Domain(u > 0, v > 0, cap >= 1)
truncated = v * Min(u / v, cap, evaluate=False)
claim(
    "tr-sampler-weights",
    On(
        answer,
        Equal(
            truncated,
            Min(u, cap * v, evaluate=False),
            label="truncated at C: an answer counts as min(π_old, Cμ)",
        ),
    ),
    answer,
    because=(
        On(everywhere, Equal(estimate(lambda a: old[a] / engine[a]), target, label="π_old/μ: unbiased")),
        On(
            everywhere,
            Equal(
                identify(estimate(lambda a: 1), old, pi),
                Sum(engine[o] * P[o], (o, 1, n)),
                label="no weight, on-policy: answers count as μ",
            ),
        ),
        On(answer, Equal(u - truncated, Max(u - cap * v, 0, evaluate=False), label="what an answer loses")),
        On(
            answer.also(u <= cap * v),
            Equal(truncated, u, label="nothing unless the sampler μ draws it less than 1/C as often"),
        ),
        On(answer.also(u > cap * v), Always(truncated < u, label="and something where it draws it more rarely")),
    ),
    locator="Topic 11",
    title="The mass of an answer under truncated weights, u in π_old and v in the sampler μ",
    remark="The masses of all answers add up to 1 − Σ(π_old − Cμ)₊.",
)

claim(
    "tr-sampler-bounds",
    Every(
        On(answer.also(A >= 0), Always(truncated * A <= cap * v * A, label="no weight exceeds C")),
        On(
            Domain(u > 0, v > 0, cap >= 1),
            Always(u - truncated <= Max(u - v, 0, evaluate=False), label="at most the engine's own shortfall"),
        ),
    ),
    answer,
    because=(
        On(
            Domain(u > 0, v > 0, cap >= 1, u > cap * v, Ne(A, 0)),
            Always(Ne((u - truncated) * A, 0), label="the bias of an answer that is cut"),
        ),
        On(
            answer.also(u > cap * v),
            Equal((u - truncated) / u, 1 - cap * v / u, label="its share that is lost; masked weights lose all of it"),
        ),
    ),
    kind="inequality",
    depends_on=["tr-sampler-weights"],
    locator="Topic 11",
    title="Truncated importance weights, u in π_old and v in μ: their bound and their bias",
    remark=(
        "Of the second inequality the right sides, over all answers, add up to the total variation. At π = π_old, "
        "with advantages in [−a, a], the objective is off by at most a times the sum of the left ones."
    ),
)

# Top-p: the kept answers (n_hit of them, mass m under π_old) are drawn from π_old/m.
m = support_mass
kept = Domain(n_hit >= 1, 0 < m, m <= 1, simplex(hit, n_hit, m), simplex(hit_old, n_hit, m), reals(r, n_hit))
value = Sum(hit_old[o] / m * r[o], (o, 1, n_hit))  # the mean reward of the samples
centred = Sum(hit_old[o] / m * (hit[o] / hit_old[o]) * (r[o] - value), (o, 1, n_hit))
renormalised = Sum(hit[o] * r[o], (o, 1, n_hit)) / Sum(hit[o], (o, 1, n_hit))


def at_old(expression):
    return identify(expression, hit, hit_old)


claim(
    "tr-top-p",
    Equal(
        Derivative(centred, hit[o_]),
        Derivative(at_old(renormalised), hit_old[o_]),
        label="centred on the samples: the step of the policy renormalised to what is kept",
    ),
    kept,
    because=(
        Equal(at_old(partial(centred, hit[o_])), at_old(partial(renormalised, hit[o_])), label="the derivatives taken"),
        Equal(
            Sum(hit_old[o] / m * (hit[o] / hit_old[o]) * r[o], (o, 1, n_hit)),
            Sum(hit[o] * r[o], (o, 1, n_hit)) / m,
            label="the full policies' ratio: the kept part of the objective, over m",
        ),
        Equal(
            at_old(Sum(hit[o_] * partial(centred, hit[o_]), (o_, 1, n_hit))),
            0,
            label="the slope moves no mass in or out of the kept set",
        ),
        On(
            kept.also(m < 1),
            Equal(
                1 / m - 1,
                (1 - m) / m,
                label="by how much the factor 1/m is above 1",
            ),
        ),
    ),
    kind="dynamics",
    depends_on=["tr-sampler-weights"],
    locator="Topic 11",
    title="Top-p: the slope of centred rewards, and at π_old that of the mean reward of the kept set",
    remark="The mass of the kept set stands still under the natural gradient. Its complement is never sampled, and "
    "its total is kept too.",
)
