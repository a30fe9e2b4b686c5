"""The group's mean as a baseline: Dr. GRPO's step, and RLOO's.

Statement.   The advantage Ã_i = R_i − mean(R) has the text's own reward in its mean, so that it is no baseline in the
             sense of (5): the expected step is (1 − 1/G)∇E[R]. Times G/(G − 1) it is the advantage of RLOO, whose step
             is ∇E[R]. A positive factor on the advantages is one on the clipped objective.
Source.      Liu et al. (2025), Appendix A, (6) and the lines after it; Section 3.2.
Domain.      Groups of any size G, any vocabulary and length.
Derivation.  Expected step of a group where sampler and policy agree, by induction over the tokens → ∇E[R].
Caveats.     The objective has no divergence (the paper's β = 0): with one, a factor on the advantages changes what β
             means. AdamW, which the paper runs, does not see the factor; its clip of the gradient's norm at 1 does.
Letters.     R is the reward of a whole text, R(…) that of the text with these tokens, r(i) that of a member of the
             group; B is a number of each state. π₁(…) is the probability of a token after those before it, π that of
             the next token where the vocabulary is any, ż the rate of a token's logit along θ. In liu-scaling-factor A
             is an advantage, ρᵢ the ratio of its output, 1 ± ϵ its clip bounds and c the factor; t is a parameter, u
             the size of a step, v the gradient's norm, and r(j) are the slopes.
"""

from grpo_symbolic.objectives.group import GroupLoss
from grpo_symbolic.paper import *

from ..patel.trees import domain_of, group_step_is, one_model, reward

claim = Result(__file__).claim

group = Domain(G >= 2, reals(r, G), i >= 1, i <= G)
centred = r[i] - group_mean(r, G, j)  # Ã_i
others = (Sum(r[j], (j, 1, G)) - r[i]) / (G - 1)


def climbs():
    """That the expected step of a pair of texts of one token, sampled by the policy itself, is ∇E[R]."""
    tree = TokenTree(2, 1)
    policy, sampler = tree.policy(policy_1), tree.policy(policy_0)
    loss = GroupLoss(2, SHIFT_ONLY).expected(policy, sampler, reward)
    climbed = -policy.gradient(loss, direction).xreplace(sampler.identified_with(policy))
    equation = Equal(climbed, policy.gradient(policy.value(reward), direction), label="groups of two")
    return On(domain_of(equation, policy), equation)


claim(
    "liu-eq6-own-reward",
    group_step_is(1 - 1 / G, "any group size, vocabulary and length"),
    one_model.also(G >= 2),
    kind="unbiasedness",
    depends_on=["pt-eq13-own-reward"],
    locator="App A, (6)",
    title="Expected step of Dr. GRPO",
    printed=(
        r"\text{By setting }B(q,o_{<t})=\mathrm{mean}(\{R(q,o_1),\dots,R(q,o_G)\})\text{, the policy gradient of Eq. "
        r"(5) becomes }\nabla_\theta\mathcal J(\pi_\theta)=\underset{q\sim p_{\mathcal Q}}{\mathbb E}\Big[\underset{"
        r"\{o_i\}_{i=1}^G\sim\pi_\theta(\cdot|q)}{\mathbb E}\Big[\frac1G\sum_{i=1}^G\sum_{t=1}^{|o|}\nabla_\theta\log"
        r"\pi_\theta(o_{i,t}|q,o_{i,<t})\tilde A_{i,t}\Big]\Big]"
    ),
    judged=wrong(
        "The mean contains the text's own reward, so it does depend on o_t, which B may not. The right-hand side is "
        "(1 − 1/G)∇J, one half for pairs, as the paper's next lines imply (liu-rloo-advantage). The inner sum runs to "
        "|o_i|.",
        climbs(),
    ),
)

claim(
    "liu-rloo-advantage",
    Equal(G / (G - 1) * centred, r[i] - others, label="the third"),
    group,
    because=(Equal(G / (G - 1) * centred, G / (G - 1) * r[i] - r[i] / (G - 1) - others, label="the second line"),),
    locator="App A, after (6)",
    title="Advantages of Dr. GRPO and of RLOO",
    printed=(
        r"\frac G{G-1}\cdot\tilde A_{i,t}=\frac G{G-1}R(q,o_i)-\frac G{G-1}\frac1G\sum_{j=1}^GR(q,o_j)=\frac "
        r"G{G-1}R(q,o_i)-\frac1{G-1}\sum_{j=1,j\ne i}^GR(q,o_j)-\frac1{G-1}R(q,o_i)=\hat A^{\mathrm{RLOO}}_{i,t}"
    ),
)

claim(
    "liu-rloo-unbiased",
    group_step_is(1, "any group size, vocabulary and length", weight=G / (G - 1)),
    one_model.also(G >= 2),
    kind="unbiasedness",
    depends_on=["liu-rloo-advantage", "liu-eq6-own-reward"],
    locator="App A, after (6); Sec 3.2",
    title="Expected step with the factor G/(G − 1), that of RLOO",
)


def clipped(advantage):
    """min[ρÂ, clip(ρ, 1 − ϵ, 1 + ϵ)Â]."""
    return Min(ratio * advantage, Max(1 - epsilon, Min(ratio, 1 + epsilon)) * advantage)


claim(
    "liu-scaling-factor",
    Every(
        Equal(clipped(scale * A), scale * clipped(A), label="the clipped objective"),
        On(
            Domain(G >= 2, reals(r, G), t, u, scale > 0),
            Equal(
                t + u * Sum(scale * r[j], (j, 1, G)),
                t + scale * u * Sum(r[j], (j, 1, G)),
                label="a step of size u along slopes times c is one of size cu along the slopes",
            ),
        ),
    ),
    Domain(ratio > 0, 0 < epsilon, epsilon < 1, scale > 0, A),
    depends_on=["liu-rloo-advantage"],
    locator="App A, after (6)",
    title="A positive factor on the advantages, and on the clipped objective",
    printed=(
        r"\tilde A_{i,t}\text{ computed above is equivalent to that of REINFORCE Leave-One-Out (RLOO) … up to a "
        r"scaling factor, which can be subsumed into the learning rate without affecting the RL dynamics}"
    ),
    judged=needs_hypothesis(
        "True of plain steps along the gradient; t is the parameter, u the size of a step, v the gradient's norm. The "
        "runs clip the gradient's norm at 1, and a step that is clipped does not grow with the factor. (With a "
        "divergence, which the paper has not, a factor changes what β means.)",
        Equal(t + u * Min(1, 1 / (scale * v)) * scale * v, t + scale * u * Min(1, 1 / v) * v),
        Domain(t, u > 0, scale > 0, v > 0),
    ),
)
