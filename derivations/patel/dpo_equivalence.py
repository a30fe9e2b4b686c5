"""The derivation that Section 4.9 leaves out: from the KL penalty in the reward to the DPO loss, and back.

Statement.   For one prompt the policy that maximises E_π[R] − β KL(π‖π_0) is π_0 e^{R/β}/Z. Read backwards, R = β
             log(π/π_0) + β log Z; in a comparison of two answers to the prompt Z cancels. So the loss (6) of a reward
             and the DPO loss of its optimal policy are one and the same number.
Source.      Patel (2025), Section 4.9, who cites Rafailov et al. (2023) and omits the proof.
Domain.      Symbolically many answers (whole texts) to one prompt, policies with full support, any real rewards, β > 0;
             any vocabulary and length by induction over the tokens where texts are sequences.
Derivation.  Objective → stationarity on the simplex → normalise → J(π) = β log Z − β KL(π‖π*), so the maximum is global
             → solve for R → Bradley–Terry → loss. Then which rewards and policies correspond: a bijection between
             rewards up to a constant and policies with full support.
Caveats.     What is equivalent: the values of the losses under this change of variables, hence the minimisers over all
             policies with full support. What is not: the gradients, a loss with the KL divergence added, a class of
             policies that does not hold the optimum (dpo.py), answers to different prompts.
Letters.     π and π_ref are M_1 and M_0 on whole texts, o and o' answers; x(n(o − 1) + o') is how often answer o was
             preferred to o'; d is a constant that is added to all rewards; π̃ is the reference of a second prompt. J is
             E_π[r] − β KL(π‖π_ref), π* its best policy, Z = Σ π_ref e^{r/β}, and λ the multiplier of Σ π = 1. π₁(…) and
             π₀(…) are the probabilities of a token after those before it under M_1 and M_0, ż the rate of its logit,
             R(…) is the reward of the text with these tokens. Where the vocabulary is any these are π, π_old and R, F
             is any number of the text, and B one of the state.
"""

from grpo_symbolic.paper import *

from .trees import Sum, any_length, mean, next_token_kl, on_trees, reward, text_charge, text_ratio, two_models

claim = Result(__file__).claim

answers = Answers(n)
prompt = Domain(simplex(ref, n), reals(r, n), n >= 2, beta > 0)
policies = prompt.also(simplex(pi, n))


class Law:
    """A policy given by a formula for the probability of an answer."""

    def __init__(self, chance):
        self.chance = chance

    def __getitem__(self, answer):
        return self.chance(answer)


# -- the optimal policy ----------------------------------------------------------------------------------------------
Z = partition(ref, r, beta, answers, o)
d = Derivation("pt-rlhf-optimum", policies)
J = d.start(rlhf(pi, ref, r, beta, answers), "the reward less the penalty, for one prompt")
slope = d.start(partial(J, pi[o_]), "its derivative in the probability of one answer")
d.rewrite(slope, r[o_] - beta * (log(pi[o_] / ref[o_]) + 1), "KKT: this is the multiplier λ, the same for every answer")
stationary = ref[o_] * exp((r[o_] - lam) / beta - 1)  # solved for π(o)
Z_by_multiplier = exp(lam / beta + 1)  # what divides π_0 e^{R/β}: to be Z, so that the probabilities sum to one
best = Law(lambda a: regularised_optimum(ref[a], r[a], beta, Z))
divergence = kl(pi, best, answers, o)

claim(
    "pt-rlhf-optimum",
    AtLeast(beta * log(Z), J, (Eq(pi[o_], best[o_], evaluate=False),), label="the most, and for no other policy").by(
        Gibbs((Divergence(pi[o_], best[o_], o_, 1, n),), scale=beta, using=(exp_positive(r[o_] / beta),))
    ),
    policies,
    because=(
        On(
            policies.also(lam),
            Every(
                Equal(
                    slope.xreplace({pi[o_]: stationary}),
                    lam,
                    label="at π(o') = π_ref(o') e^{(r(o') − λ)/β − 1} the slope of J is λ",
                ),
                Equal(
                    regularised_optimum(ref[o_], r[o_], beta, Z_by_multiplier),
                    stationary,
                    label="that is the tilted policy, before it is normalised",
                ),
            ),
        ),
        Equal(
            partial(slope, pi[o_]),
            -beta / pi[o_],
            label="second derivative: negative, and none across, so strictly concave",
        ),
        Equal(answers.total(lambda a: best[a], o_), 1, label="with Z it sums to one"),
        Equal(J, beta * log(Z) - beta * divergence, label="J(π) = β log Z − β KL(π‖π*)"),
    ),
    by=d,
    depends_on=["pt-gibbs", "pt-eq12-sign"],
    kind="optimality",
    locator="Sec 4.9 (proof omitted there)",
    title="Maximiser of the reward with KL penalty",
)

# -- backwards --------------------------------------------------------------------------------------------------------
of_policy = Law(lambda a: implicit_reward(pi[a], ref[a], beta))
of_best = Law(lambda a: implicit_reward(best[a], ref[a], beta))
best_for_policy = Law(
    lambda a: regularised_optimum(ref[a], of_policy[a], beta, partition(ref, of_policy, beta, answers, o))
)
shifted = Law(lambda a: r[a] + shift)
best_for_shifted = Law(
    lambda a: regularised_optimum(ref[a], shifted[a], beta, partition(ref, shifted, beta, answers, o))
)

claim(
    "pt-dpo-reparametrisation",
    Equal(of_best[o_] + beta * log(Z), r[o_], label="R = β log(π*/π_ref) + β log Z"),
    policies,
    because=(
        Equal(partition(ref, of_policy, beta, answers, o), 1, label="any policy: its own reward has Z = 1"),
        Equal(of_best[o] - of_best[o_], r[o] - r[o_], label="differences of rewards within a prompt are kept"),
    ),
    depends_on=["pt-rlhf-optimum"],
    locator="Sec 4.9 (proof omitted there)",
    title="The reward as β log(π/π_ref) and a constant, π its best policy",
)

claim(
    "pt-dpo-bijection",
    Every(
        Equal(best_for_policy[o_], pi[o_], label="policy → its reward → best policy: the policy again"),
        Equal(
            of_best[o_] - r[o_],
            -beta * log(Z),
            label="reward → best policy → its reward: the reward less one constant for the prompt",
        ),
        Equal(best_for_shifted[o_], best[o_], label="and that constant changes no policy"),
    ),
    policies.also(shift),
    depends_on=["pt-dpo-reparametrisation", "pt-reward-shift"],
    kind="equivalence",
    locator="Sec 4.9 (proof omitted there)",
    title="Bijection of rewards, up to a constant per prompt, and policies with full support",
)

# -- the loss ---------------------------------------------------------------------------------------------------------
h = Law(lambda a: log(pi[a] / ref[a]))  # log-ratio of a policy
h_best = Law(lambda a: log(best[a] / ref[a]))
d = Derivation("pt-dpo-final", prompt)
fitted = d.start(reward_loss(r[o], r[o_]), "(6): the loss of a reward R on the pair o ≻ o'")
put_in = d.rewrite(
    fitted, reward_loss(of_best[o] + beta * log(Z), of_best[o_] + beta * log(Z)), "R by the policy that is best for it"
)
d.rewrite(put_in, dpo_loss(h_best[o], h_best[o_], beta), "one prompt, one Z: it cancels")

claim(
    "pt-dpo-final",
    Every(
        Equal(
            reward_loss(r[o], r[o_]),
            -log(sigmoid(beta * log(best[o] / ref[o]) - beta * log(best[o_] / ref[o_]))),
            label="(6) of any reward, in terms of its best policy",
        ),
        On(
            policies,
            Equal(
                reward_loss(of_policy[o], of_policy[o_]),
                -log(sigmoid(beta * log(pi[o] / ref[o]) - beta * log(pi[o_] / ref[o_]))),
                label="and of any policy, as the loss (6) of its own reward",
            ),
        ),
        On(
            policies,
            Equal(
                exp(-dpo_loss(h[o], h[o_], beta)) + exp(-dpo_loss(h[o_], h[o], beta)),
                1,
                label="it is an NLL: of the two orders of a pair one is chosen",
            ),
        ),
    ),
    prompt,
    by=d,
    depends_on=["pt-eq6-reward-loss", "pt-dpo-reparametrisation"],
    locator="Sec 4.9, DPO loss",
    title="The DPO loss",
    printed=(
        r"\text{DPO Loss}=-\log\Big[\sigma\Big\{\beta\log\Big(\frac{\pi_1(\vec{text}_w)}{\pi_0(\vec{text}_w)}"
        r"\Big)-\beta\log\Big(\frac{\pi_1(\vec{text}_l)}{\pi_0(\vec{text}_l)}\Big)\Big\}\Big]"
    ),
)

# Any data: how often answer o was preferred to answer o', at the place (o − 1)n + o' of a list.
times = datum[(o - 1) * n + o_]


def over_data(loss_of_pair):
    """The loss of all comparisons."""
    return Sum(times * loss_of_pair, (o_, 1, n), (o, 1, n))


claim(
    "pt-dpo-equivalence",
    Every(
        Equal(
            reward_loss(r[o], r[o_]),
            dpo_loss(h_best[o], h_best[o_], beta),
            label="the loss of a reward is the DPO loss of its best policy",
        ),
        On(
            prompt.also(simplex(pi, n), reals(datum, n**2)),
            SameMinimisers(
                (over_data(reward_loss(r[o], r[o_])), over_data(dpo_loss(h[o], h[o_], beta))),
                (r[k], pi[k]),
                (beta * log(pi[k] / ref[k]), regularised_optimum(ref[k], r[k], beta, Z.xreplace({o: i}))),
                label="any data of comparisons",
            ).by(ValuesKept(using=(exp_positive(r[k] / beta),))),
        ),
    ),
    prompt,
    because=(
        Equal(
            choice_probability(r[o], r[o_]),
            choice_probability(of_best[o], of_best[o_]),
            label="one law of choice: so one likelihood, whoever has chosen",
        ),
        On(
            policies,
            Equal(
                J.replace(lambda e: e.is_Indexed and e.base == r, lambda e: of_policy[e.indices[0]]),
                0,
                label="each policy is the best for its own reward: J is β log Z there, which is 0",
            ),
        ),
    ),
    depends_on=["pt-dpo-bijection", "pt-dpo-final", "pt-rlhf-optimum", "pt-eq12-sign"],
    kind="equivalence",
    locator="Sec 4.9",
    title="Values and minimisers of DPO and of the fit of a reward",
    printed=(
        r"\text{modifying the loss above to replace }\pi_1(\vec{text})\text{ by the ratio "
        r"}\frac{\pi_1(\vec{text})}{\pi_0(\vec{text})}\text{ "
        r"along with a scaling factor }\beta\text{, is equivalent to having KL penalty in the reward}"
    ),
    remark=(
        "The “loss above” is that of pt-dpo-naive. Equivalent is the result: fitting (6) over all rewards and then "
        "maximising E[R] − β KL gives the minimisers of the DPO loss over all policies with full support. That is "
        "the second part: numbers r have the least loss of all exactly if π_ref e^{r/β}/Z has the least DPO loss of "
        "all policies, and a policy π has the least exactly if β log(π/π_ref) does among the numbers. Where the "
        "policies are restricted the results can differ (pt-dpo-restricted)."
    ),
)

# Another prompt has another Z: the same rewards here, another start.
Z_other = partition(other, r, beta, answers, o)
elsewhere = Law(lambda a: regularised_optimum(other[a], r[a], beta, Z_other))
prompts = prompt.also(simplex(other, n))
gap_across = implicit_reward(best[o], ref[o], beta) - implicit_reward(elsewhere[o_], other[o_], beta)
claim(
    "pt-dpo-one-prompt",
    Equal(r[o] - r[o_], gap_across + beta * log(Z) - beta * log(Z_other)),
    prompts,
    depends_on=["pt-dpo-reparametrisation"],
    locator="Sec 4.9, DPO loss",
    title="Reward difference of answers to two prompts, with their two normalisers",
    remark=(
        "The paper compares answers to one prompt. Across prompts the loss (6) of the reward contains two "
        "normalisers, which the policy does not show."
        " π̃ is the reference of the second prompt, of whose answers the rewards are taken to be the same."
    ),
)

# -- texts are sequences ----------------------------------------------------------------------------------------------
claim(
    "pt-dpo-tokens",
    Every(
        any_length(log(text_ratio), text_charge, "the log-ratio of a text of any length is the sum over its tokens"),
        any_length(
            mean(log(text_ratio)),
            mean(TextSum(next_token_kl(pi, old), o)),
            "the divergence of texts is that of the next token, summed over the states passed",
            of_each=((log(text_ratio), text_charge),),
        ),
    ),
    two_models,
    depends_on=["pt-chain-rule-sequence", "pt-kl-aggregates-value"],
    locator="Sec 4.9",
    title="The ratio of whole texts, token by token",
    printed=r"\pi_M(\vec{text})\text{ is the probability of the full }\vec{text}\text{ being generated by model }M",
    remark="Of the full text, so its end is one of its tokens (pt-chain-rule-sequence).",
)


def worth(start, state):
    """E_{π_0}[e^{R/β} | s]: the normaliser of the texts that begin with a state."""
    return start.value(lambda text: exp(reward(text) / beta), state)


def best_token(start, token, state):
    """What the tilted law of texts gives to a token in a state."""
    return start.probability(token, state) * worth(start, (*state, token)) / worth(start, state)


# The same for texts of any length, whose law is known by the mean of every number F of the whole text.
any_number = Texts(o, o_, n, ends=(whole_reward, whole_other))
tilt = exp(whole_reward / beta)
normaliser = mean(tilt, old)
token_by_token = TextProduct(Ahead(normaliser) / Here(normaliser), o)

claim(
    "pt-dpo-token-optimum",
    any_length(
        mean(whole_other * token_by_token, old) * normaliser,
        mean(whole_other * tilt, old),
        "texts of any length: tokens weighed by the normaliser after over that before make up the tilted law",
        along=any_number,
        positive=(normaliser,),
        using=(exp_positive(whole_reward / beta),),
    ),
    Domain(n >= 2, simplex(old, n), beta > 0, whole_reward, whole_other),
    because=(
        *(
            On(of.domain.also(beta > 0), of.statement)
            for of in on_trees(
                lambda new, start: Every(
                    *(
                        Equal(
                            sum(best_token(start, a, s) for a in start.tree.tokens),
                            1,
                            label=f"token chances that sum to one {f'after token {s[0]}' if s else 'at the start'}",
                        )
                        for s in start.tree.states()
                    )
                ),
                sizes=((2, 2),),
            )
        ),
    ),
    depends_on=["pt-rlhf-optimum", "pt-dpo-tokens"],
    locator="Sec 4.9",
    title="The tilted law of texts as a policy of tokens",
    remark="So the optimum of pt-rlhf-optimum over laws of whole texts is reached by a policy of tokens.",
)
