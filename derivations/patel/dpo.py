"""Direct preference optimisation: from the naive loss to the DPO loss, and what the ratio to M_0 protects from.

Statement.   With −NLL for the reward, (6) is −log σ(log π_1(w) − log π_1(l)). The ratio to M_0 and the factor β make
             the loss least where the log-odds of a pair are those of M_0 plus logit(t)/β, for a share t of people who
             prefer the first text: finite for 0 < t < 1. If one text of a single pair always wins there is no
             minimiser for any β: the loss falls until the loser's probability is zero, as the naive loss does.
Source.      Patel (2025), Section 4.9; the sentence on DPO in Section 5.4. The equivalence with the KL penalty:
             dpo_equivalence.py.
Domain.      Two texts to one prompt with probabilities x, 1 − x (M_1) and p, 1 − p (M_0), or x and y among others;
             symbolically many answers; texts of any length; β > 0.
Derivation.  Loss → slope in the gap of log-ratios → its zero, for a share t of preferences → the limits t → 1 and x → 1
             → what the loss sees of a policy: gaps only.
Caveats.     Both probabilities can fall while the loss falls, and texts that are in no pair are not seen at all: the
             loss is no penalty on them.
Letters.     x and y are probabilities of two texts, or log-ratios, in pt-dpo-gradient the rates of two log-ratios r_a
             and r_b with z how far a step has gone; p is the probability of the first text under M_0, else r_a and r_b
             are rewards. π and π_ref are M_1 and M_0 on many texts, o the chosen and o' the rejected one. t is the
             share of people who prefer the first text, s the gap of log-ratios, or β times it. In pt-dpo-minimiser r(i)
             is the gap of pair i of N and P(i) the odds of its choice. For SPPO s and t are how often the two texts
             beat one of the last policy, η is its factor, and v is added to both log-ratios. Else v is the one
             parameter of a shared model, and c a factor of both probabilities; in the clipped objective x and y are the
             probabilities of the first of two texts under M_1 and M_0, u and −v the two advantages, ϵ the clipping
             range. π₁(…), π₀(…) are the probabilities of a token under M_1 and M_0, in texts of any length π and π_old,
             ż the rate of its logit along θ; R is a reward; δ_{j o} is 1 for j = o and 0 else.
"""

from grpo_symbolic.objectives.dpo import sppo_loss
from grpo_symbolic.paper import *

from .ppo_clip import beyond, level_reached
from .ppo_clip import objective as clipped_objective
from .trees import any_length, on_trees, one_model, text_charge, two_models
from .trees import text_score as text_scores

claim = Result(__file__).claim

pair = Answers(2)
one = Domain(0 < x, x < 1)
two = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0)
many = Domain(simplex(pi, n), simplex(ref, n), n >= 2, beta > 0)
shares = Domain(0 < p, p < 1, beta > 0, 0 < t, t < 1)


def logit(chance):
    """Log-odds."""
    return log(chance / (1 - chance))


# -- the naive loss --------------------------------------------------------------------------------------------------
claim(
    "pt-dpo-naive",
    Every(
        On(
            one_model,
            any_length(
                TextSum(-log(pi[o]), o), -log(TextProduct(pi[o], o)), "the NLL of a text of any length: −log π_1(text)"
            ),
        ),
        On(
            Domain(0 < x, x <= 1, 0 < y, y <= 1),
            Equal(
                reward_loss(log(x), log(y)),
                -log(x / (x + y)),
                label="the printed loss for texts of probabilities x and y: the choice is a text's share of the two",
            ),
        ),
    ),
    one,
    depends_on=["pt-eq6-reward-loss", "pt-eq1-nll"],
    locator="Sec 4.9",
    title="The model's −NLL for the reward: the naive preference loss",
    printed=(
        r"\text{Loss}=-\log(\sigma(-(NLL(\vec{text}_w)-NLL(\vec{text}_l))))=-\log(\sigma(\log(\pi_1("
        r"\vec{text}_w))-\log(\pi_1(\vec{text}_l))))"
    ),
)

naive = reward_loss(log(x), log(1 - x))  # two texts; the first wins
claim(
    "pt-dpo-naive-collapse",
    Every(
        Monotone(naive, x, -1, label="two texts: the naive loss falls"),
        Tends(naive, x, 1, 0, "-", label="to zero, as the winner takes all"),
        On(
            two.also(r_a),
            OnlyMaximum(
                rlhf(binary(x), binary(p), (r_a, 0), beta, pair),
                x,
                1 / (1 + (1 - p) / p * exp(-r_a / beta)),
                label="a reward with the KL penalty: best where the odds are e^{rₐ/β} times as large, inside",
            ),
        ),
    ),
    one,
    because=(
        Equal(naive, -log(x), label="two texts: the NLL of the winner"),
        On(
            two.also(r_a),
            Equal(
                diff(rlhf(binary(x), binary(p), (r_a, 0), beta, pair), x),
                r_a - beta * (logit(x) - logit(p)),
                label="the slope of the reward with the penalty: zero where the log-odds have moved by rₐ/β",
            ),
        ),
        Equal(diff(naive, x), -1 / x, label="it falls all the way"),
    ),
    depends_on=["pt-dpo-naive", "pt-bce-minimiser"],
    kind="limit",
    locator="Sec 4.9",
    title="The naive loss of two texts, and a reward with the penalty",
    printed=(
        r"\text{However, in our eagerness, we have reintroduced the risk of model collapse that we had assiduously "
        r"solved "
        r"for, using clipping and the KL penalty.}"
    ),
    judged=imprecise(
        "The risk is there, and the KL penalty in the reward had solved for it: with any β > 0 it leaves every text a "
        "positive probability. Clipping had not: beyond its range the loss is flat, and a policy that has all but "
        "collapsed is as good as one at the edge (pt-clip-keeps-ratio).",
        Always(clipped_objective < level_reached, label="clipping: a policy beyond the range is worse than its edge"),
        beyond,
    ),
    remark="A risk: with preferences that are divided the naive loss, too, has a minimiser inside (pt-bce-minimiser). "
    "The reading: under the clipped objective a policy beyond the range is worse than one at its edge.",
)

# -- the DPO loss of two texts ----------------------------------------------------------------------------------------
d = Derivation("pt-dpo-slope", two)
loss = d.start(dpo_loss(log(x / p), log((1 - x) / (1 - p)), beta), "two texts to one prompt, the first wins")
in_gap = d.rewrite(
    loss, reward_loss(beta * (logit(x) - logit(p)), 0), "the gap of the log-ratios: by how much the odds have moved"
)
slope = d.differentiate(in_gap, x)
d.rewrite(
    slope,
    -beta * sigmoid(beta * (logit(p) - logit(x))) / (x * (1 - x)),
    "β times the probability of the other choice, times the slope of the odds",
)

# the average loss if a share t prefers the first text; s is the gap, logit x − logit p
by_share = preference_loss(t, beta * s, 0)
both_orders = t * reward_loss(beta * s, 0) + (1 - t) * reward_loss(0, beta * s)
best = logit(t) / beta
share = P[i] / (1 + P[i])  # of the people who prefer the first text of pair i
least_margin = OnlyMaximum(preference_loss(t, s, 0), s, logit(t), sense=-1, label="one pair").by(
    ConcaveAndStationary(using=(exp_positive(-s),))
)
claim(
    "pt-dpo-minimiser",
    OnlyMaximum(by_share, s, best, sense=-1, label="so that there is no other").by(
        ConcaveAndStationary(using=(exp_positive(-beta * s),))
    ),
    Domain(beta > 0, 0 < t, t < 1, s),
    because=(
        On(
            shares.also(0 < x, x < 1),
            Equal(
                binary_cross_entropy(t, exp(-loss)),
                t * loss + (1 - t) * dpo_loss(log((1 - x) / (1 - p)), log(x / p), beta),
                label="the average of the losses of both orders of the pair",
            ),
        ),
        Equal(by_share, both_orders, label="as a function of the gap of the log-ratios"),
        Equal(diff(by_share, s), beta * (sigmoid(beta * s) - t), label="its slope"),
        On(
            Domain(s),
            Monotone(
                sigmoid(s), s, 1, using=(exp_positive(-s),), label="the logistic function rises, so the slope does"
            ),
        ),
        On(
            Domain(beta > 0, N >= 1, reals(r, N), positives(P, N)),
            AtLeast(
                Sum(preference_loss(share, beta * r[i], 0), (i, 1, N)),
                Sum(preference_loss(share, logit(share), 0), (i, 1, N)),
                label="any number of pairs i with odds P(i): no gaps r(i) have a smaller sum of losses than the "
                "best gaps, log P(i)/β",
            ).by(
                TermByTerm(
                    (Sum(preference_loss(share, beta * r[i], 0) - preference_loss(share, logit(share), 0), (i, 1, N)),),
                    using=InLetters(least_margin, Domain(0 < t, t < 1, s), {t: share, s: beta * r[i]}),
                )
            ),
        ),
        Tends(best, beta, oo, 0, label="a large β keeps M_0"),
        On(
            Domain(r_a, r_b),
            Equal(
                logit(choice_probability(r_a, r_b)),
                r_a - r_b,
                label="people who choose by rewards: logit(t) is the difference of these",
            ),
        ),
    ),
    by=d,
    depends_on=["pt-dpo-final", "pt-reward-fit"],
    kind="optimality",
    locator="Sec 4.9",
    title="Minimiser of DPO on a pair with a share t for one text: the move s of the log-odds",
    remark=(
        "For people who choose by rewards R, the policy in proportion to π_0 e^{R/β} has the best gap for every pair "
        "at once (pt-dpo-reparametrisation): the log-odds of the pair move by (r_a − r_b)/β."
    ),
)

claim(
    "pt-dpo-no-collapse",
    Every(
        On(
            Domain(beta > 0, 0 < t, t < 1, s),
            LocalMaximum(by_share, s, best, sense=-1, label="divided preferences: a minimiser with finite odds"),
        ),
        On(
            Domain(beta > 0, s),
            Every(
                Monotone(
                    reward_loss(beta * s, 0),
                    s,
                    -1,
                    using=(exp_positive(-beta * s),),
                    label="one text always wins: the loss falls all the way",
                ),
                Tends(reward_loss(beta * s, 0), s, oo, 0, label="to zero, whatever β is"),
            ),
        ),
    ),
    two,
    because=(
        On(
            Domain(beta > 0, 0 < t, t < 1, s),
            Every(
                Tends(both_orders, s, oo, oo, label="divided preferences: the loss grows without bound at one end"),
                Tends(both_orders, s, -oo, oo, label="and at the other"),
            ),
        ),
        Always(
            slope < 0,
            using=(exp_positive(-beta * (log(x / (1 - x)) - log(p / (1 - p)))),),
            label="one text always wins: the loss falls as its probability x rises",
        ),
        On(
            one,
            Tends(
                logit(x),
                x,
                1,
                oo,
                "-",
                label="as the loser's probability goes to zero, the log-odds grow without bound",
            ),
        ),
        On(
            Domain(beta > 0, 0 < t, t < 1),
            Tends(
                best,
                t,
                1,
                oo,
                "-",
                label="where the two cases meet: the best move of the log-odds grows without bound",
            ),
        ),
    ),
    by=d,
    depends_on=["pt-dpo-minimiser", "pt-dpo-naive-collapse"],
    kind="modelling",
    locator="Sec 4.9",
    title="One pair of texts under DPO: divided and unanimous preferences",
    remark="Of pairs that share texts this says nothing. A penalty on the divergence itself turns the naive "
    "loss upwards "
    "(pt-dpo-penalty-added).",
)

penalised = naive + beta * kl(binary(x), binary(p), pair, o)
claim(
    "pt-dpo-penalty-added",
    Every(
        Curved(penalised, x, 1, label="strictly convex"),
        On(
            Domain(0 < p, p < 1, beta > 0),
            OneRoot(diff(penalised, x), x, 0, 1, label="so there is one stationary point, the minimum").by(
                StrictlyMonotone(1, (-oo, oo))
            ),
        ),
    ),
    two,
    because=(
        Equal(diff(penalised, x), -1 / x + beta * (logit(x) - logit(p)), label="slope of the naive loss with penalty"),
        Tends(diff(penalised, x), x, 1, oo, "-", label="upwards before the winner takes all"),
        Tends(diff(penalised, x), x, 0, -oo, label="downwards at the other end: a minimiser inside"),
    ),
    depends_on=["pt-dpo-no-collapse"],
    kind="modelling",
    locator="Sec 4.9",
    title="The naive loss of two texts, one winning, with the divergence added",
    remark=(
        "A penalty in the reward, as DPO has it, and a penalty beside the loss are two things: as people come to "
        "agree, the reward that fits them grows without bound (pt-reward-fit)."
    ),
)

# Two prompts that one policy cannot tell apart; the rewards of their pairs differ by r_a and by r_b.
both = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0, r_a, r_b)
objective = rlhf(binary(x), binary(p), (r_a, 0), beta, pair) + rlhf(binary(x), binary(p), (r_b, 0), beta, pair)
fit = sum(preference_loss(choice_probability(gap, 0), s, 0) for gap in (r_a, r_b))  # s = β times the gap of log-ratios
penalty_odds = (r_a + r_b) / 2  # β times the gap where the objective is stationary
claim(
    "pt-dpo-restricted",
    Every(
        Equal(
            diff(objective, x),
            2 * (penalty_odds - beta * (logit(x) - logit(p))),
            label="reward with penalty: zero where β times the move of the log-odds is the mean of the differences",
        ),
        On(
            Domain(s, r_a, r_b),
            Equal(
                diff(fit, s),
                2 * (sigmoid(s) - (sigmoid(r_a) + sigmoid(r_b)) / 2),
                label="DPO: zero where σ(s) is the mean of the probabilities of the choices",
            ),
        ),
    ),
    both,
    because=(
        On(
            Domain(r_a),
            Equal(
                diff(fit, s).xreplace({s: r_a, r_b: r_a}),
                0,
                label="where both prompts agree, DPO is stationary at s = r_a, as the penalised reward is",
            ),
        ),
        On(
            Domain(r_a, r_b),
            Exists(
                Ne(diff(fit, s).xreplace({s: penalty_odds}), 0),
                {r_a: 2, r_b: 0},
                label="where they do not, in general not at (r_a + r_b)/2: r_a = 2 and r_b = 0",
            ),
        ),
    ),
    depends_on=["pt-dpo-equivalence"],
    kind="modelling",
    locator="Sec 4.9",
    title="One policy for two prompts: DPO against the penalised reward",
    remark="x and p are the chances of the first of two answers under policy and reference; r_a and r_b are by how "
    "much its reward exceeds the other's at the first and at the second prompt, s is β times the gap of the "
    "log-ratios. The policies of pt-dpo-equivalence contain the best one for the reward. In a smaller class, such as "
    "one answer distribution for two prompts, the two can be stationary at different policies.",
)

# -- gaps only --------------------------------------------------------------------------------------------------------
pi_w, pi_l = log(pi[o] / ref[o]), log(pi[o_] / ref[o_])
among = Domain(0 < x, 0 < y, x + y < 1, beta > 0)  # π_1(w) = x and π_1(l) = y; M_0 gave 1/4 to each of them
of_two = dpo_loss(log(4 * x), log(4 * y), beta)
claim(
    "pt-dpo-gap-only",
    Every(
        On(
            Domain(s, beta > 0),
            Monotone(
                dpo_loss(s, 0, beta),
                s,
                -1,
                using=(exp_positive(-beta * s),),
                label="it falls as the gap of the log-ratios grows",
            ),
        ),
        Equal(
            dpo_loss(pi_w, pi_l, beta),
            reward_loss(beta * log(pi[o] / pi[o_]), beta * log(ref[o] / ref[o_])),
            label="M_0 is a constant of the pair",
        ),
    ),
    many,
    because=(
        On(
            many.also(scale > 0),
            Equal(
                dpo_loss(log(scale * pi[o] / ref[o]), log(scale * pi[o_] / ref[o_]), beta),
                dpo_loss(pi_w, pi_l, beta),
                label="both probabilities by one factor: the same loss",
            ),
        ),
        On(
            among,
            Equal(
                x * diff(of_two, x),
                -beta * sigmoid(beta * log(y / x)),
                label="M_0 gives both texts ¼, π_1(w) = x and π_1(l) = y: the slope in log π_1(w)",
            ),
        ),
        On(
            among,
            Equal(y * diff(of_two, y), beta * sigmoid(beta * log(y / x)), label="and in log π_1(l), its opposite"),
        ),
    ),
    depends_on=["pt-dpo-final"],
    locator="Sec 5.4",
    title="DPO's loss and the gap of log-probabilities",
    printed=r"\text{DPO's loss only maximizes the log-probability gap between chosen and rejected responses}",
)

# Two ways for both to fall: a policy that is put there, and a step of a model whose texts share the one parameter log
# v. w, l, and a third text that it raises most; M_0 is v = 1
shared = tuple(weight / (v + 1 + v**3) for weight in (v, 1, v**3))
# a step in free logits
free = tuple(next_token_score((x, y, 1 - x - y), (1, -1, 0), text, Answers(3), o) for text in (0, 1))
claim(
    "pt-dpo-both-fall",
    Exists(
        And(of_two < log(2), x < Rational(1, 4), y < Rational(1, 4)),
        {x: Rational(1, 8), y: Rational(1, 100), beta: 1},
        label="both below M_0, and a loss below that of M_0",
    ),
    among,
    because=(
        On(
            Domain(v >= 1),
            Every(
                Equal(
                    v * diff(log(shared[0] / shared[1]), v),
                    1,
                    label="two texts with v/(v³ + v + 1) and 1/(v³ + v + 1): the rate at which log v raises the gap",
                ),
                Always(
                    And(v * diff(log(shared[0]), v) < 0, v * diff(log(shared[1]), v) < 0),
                    label="and log v lowers the chosen text as well as the rejected one",
                ),
            ),
        ),
        Always(
            And(free[0] > 0, free[1] < 0),
            label="with a free logit for each text a step does raise the one and lower the other",
        ),
        On(
            many,
            Equal(
                pi[j] * partial(dpo_loss(pi_w, pi_l, beta), pi[j]),
                beta
                * sigmoid(beta * (pi_l - pi_w))
                * (KroneckerDelta(o_, j) * pi[j] / pi[o_] - KroneckerDelta(o, j) * pi[j] / pi[o]),
                label="no other text is seen: what the two lose may go anywhere",
            ),
        ),
    ),
    depends_on=["pt-dpo-gap-only"],
    kind="modelling",
    locator="Sec 5.4",
    title="Falling probabilities of both texts under DPO, from ¼ each: an example",
    remark=(
        "x and y are the probabilities of the chosen and of the rejected text, and log 2 is the loss of M_0. A step in "
        "free logits raises the chosen text and lowers the other; where texts share a parameter, as v here, a step can "
        "lower both."
    ),
)

# SPPO (Wu et al., 2024): h_w = x and h_l = y are the log-ratios to the last policy π_t, s and t how often the texts
# beat one of π_t.
both = sppo_loss(x, s, step_size) + sppo_loss(y, t, step_size)
preferred = Domain(x, y, 2 * s > 1, s <= 1, t >= 0, 2 * t < 1, step_size > 0)
claim(
    "pt-sppo-both",
    Every(
        Always(
            diff(both, x).subs(x, 0) < 0,
            label="at the last policy the loss falls as the preferred text becomes likelier",
        ),
        Always(diff(both, y).subs(y, 0) > 0, label="and as the other becomes less likely: two slopes, each its own"),
    ),
    preferred,
    because=(
        Always(Ge(both, 0, evaluate=False), label="it is a sum of squares"),
        Equal(
            both.subs({x: step_size * (s - Rational(1, 2)), y: step_size * (t - Rational(1, 2))}),
            0,
            label="zero where both have moved",
        ),
        Always(
            And(step_size * (s - Rational(1, 2)) > 0, step_size * (t - Rational(1, 2)) < 0),
            label="the preferred one up, the other down",
        ),
    ),
    kind="inequality",
    locator="Sec 5.4",
    title="SPPO's loss of a preferred and another text: slopes at the last policy, and zero",
    printed=(
        r"\text{SPPO's objective can simultaneously increase the log-likelihood of preferred responses while "
        r"actively decreasing the log-likelihood of dispreferred ones}"
    ),
    remark=(
        "The slopes shown are those at the last policy, where x and y are 0. The loss is that of Wu et al. (2024); "
        "the paper names it without a formula. “Preferred” is a text that beats those of the last policy more often "
        "than not. “Can” asks for an example: where both are free to move. It sees only the texts that are in it, as "
        "DPO's does. x and y are the log-ratios of two texts to the last policy, s and t how often they beat a text "
        "of it, η SPPO's constant."
    ),
)

# What the paper calls more expressive: DPO's loss is a function of the gap x − y, SPPO's is none, and fixes x and y.
claim(
    "pt-sppo-more-expressive",
    Every(
        On(
            Domain(x, y, v, beta > 0),
            Equal(
                dpo_loss(x + v, y + v, beta),
                dpo_loss(x - y, 0, beta),
                label="DPO: a function of the gap of the two log-ratios",
            ),
        ),
        Always(
            Or(
                both > 0,
                Eq(x, step_size * (s - Rational(1, 2))) & Eq(y, step_size * (t - Rational(1, 2))),
            ),
            label="SPPO: above its least value, 0, unless both log-ratios are those of pt-sppo-both",
        ),
    ),
    preferred,
    because=(
        On(
            preferred.also(v),
            Exists(
                Ne(both.subs({x: x + v, y: y + v}, simultaneous=True), both),
                {x: 0, y: 0, v: 1, s: 1, t: 0, step_size: 1},
                label="SPPO: no function of the gap",
            ),
        ),
    ),
    depends_on=["pt-sppo-both", "pt-dpo-gap-only"],
    kind="modelling",
    locator="Sec 5.4",
    title="What the losses of SPPO and DPO fix of two log-ratios",
    printed=r"\text{Its objective function is more expressive than DPO's}",
    remark="The objective is SPPO's. “More expressive” is read as: its least value fixes both log-ratios, while DPO's "
    "loss sees only their gap. For one pair of texts.",
)


# -- texts are sequences ----------------------------------------------------------------------------------------------
def loss_of(new, start, won, lost):
    return dpo_loss(text_log_ratio(new, start, won), text_log_ratio(new, start, lost), beta)


def with_scale(statements):
    return tuple(On(of.domain.also(beta > 0), of.statement) for of in statements)


claim(
    "pt-dpo-gradient",
    Every(
        On(
            two_models,
            any_length(Gradient(text_charge), text_scores, "the log-ratio of a text of any length moves at its score"),
        ),
        On(
            Domain(beta > 0, r_a, r_b, x, y, z),
            Equal(
                Derivative(dpo_loss(r_a + x * z, r_b + y * z, beta), z),
                -beta * sigmoid(beta * (r_b + y * z - r_a - x * z)) * (x - y),
                label="two texts whose log-ratios move at the rates x and y",
            ),
        ),
        *with_scale(
            on_trees(
                lambda new, start: Every(
                    Equal(
                        loss_of(new, start, (1, 1), (1, 2)),
                        dpo_loss(
                            log(new.probability(1, (1,)) / start.probability(1, (1,))),
                            log(new.probability(2, (1,)) / start.probability(2, (1,))),
                            beta,
                        ),
                        label="tokens that both texts begin with cancel",
                    ),
                    Equal(
                        diff(loss_of(new, start, (1, 1), (1, 2)), new.symbols[1]),
                        0,
                        label="the slope of the loss in a shared first token",
                    ),
                ),
                sizes=((2, 2), (3, 2)),
            )
        ),
    ),
    two,
    depends_on=["pt-dpo-final", "pt-dpo-tokens", "pt-dpo-gap-only"],
    locator="Sec 4.9",
    title="The gradient of the DPO loss, token by token",
    short="two texts whose log-ratios move at the rates x and y",
    printed=(
        r"\text{write a differentiable loss function that can help you update the model parameters in the right "
        r"direction}"
    ),
    remark=(
        "The weight is β times the probability that the model gives to the wrong choice: pairs that it has in "
        "the right order count less."
    ),
)
