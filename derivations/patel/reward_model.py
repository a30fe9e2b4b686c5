"""The reward model: choices between two texts as samples, and the loss of a reward that explains them.

Statement.   The softmax of two rewards is the sigmoid of their difference. Its negative log-likelihood is the binary
             cross entropy (5) and, for the winning text, −log σ(R_w − R_l), equation (6): smooth, convex and falling in
             the margin, of slope −(1 − σ), and never zero.
Source.      Patel (2025), Section 4.4, equations (5) and (6). The model of choice: Bradley and Terry (1952).
Domain.      Real rewards of two texts (three where it is said) to one prompt; a recorded preference 0 or 1, or the
             share t of people who prefer the first.
Derivation.  Two-way softmax → sigmoid of the margin → binary cross entropy → name the winner → slope and curvature;
             then what data can and cannot determine.
Caveats.     Only differences are determined: rewards are known up to a constant for each prompt. People whose choices
             go round in a circle have no such rewards. If one text always wins, the loss falls for ever and the reward
             is not determined at all.
Letters.     R(1), R(2) and R(3) are the rewards of the texts i, j and k, ż(1) and ż(2) the rates of the first two along
             a parameter. s is the margin R_w − R_l, or R_i − R_j, t the recorded preference or the share of people who
             prefer a text. c scales the rewards, d shifts them.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

R_i, R_j, R_k = text_reward[1], text_reward[2], text_reward[3]
texts, triple = Domain(R_i, R_j), Domain(R_i, R_j, R_k)
recorded = texts.also(0 <= t, t <= 1)  # t is the recorded preference hp, or the share of people who prefer text i
margin = Domain(s)  # R_w − R_l

# -- scalars to probabilities -----------------------------------------------------------------------------------------
d = Derivation("pt-softmax-eq-sigmoid", texts)
P_i = d.start(choice_probability(R_i, R_j), "the softmax of the two rewards")
in_margin = d.rewrite(P_i, 1 / (1 + exp(R_j) / exp(R_i)), "divide by exp(R_i)")
d.rewrite(in_margin, sigmoid(R_i - R_j), "the sigmoid of the difference")
P_j = choice_probability(R_j, R_i)

claim(
    "pt-softmax-eq-sigmoid",
    Every(
        Equal(P_i, 1 / (1 + exp(-(R_i - R_j))), label="the two approaches"),
        Equal(P_i + P_j, 1, label="one of the two texts is chosen"),
        Equal(log(P_i / P_j), R_i - R_j, label="the log-odds are the difference of the rewards"),
    ),
    texts,
    by=d,
    locator="Sec 4.4",
    title="The softmax of two rewards as the sigmoid of their difference",
    printed=(
        r"P(\vec{text}_i)=\frac{\exp(R(\vec{text}_i))}{\exp(R(\vec{text}_i))+\exp(R(\vec{text}_j))}\text{ … }P("
        r"\vec{text}_i)=\frac1{1+\exp(-(R(\vec{text}_i)-R(\vec{text}_j)))}\text{ The two approaches are the same and "
        r"those two probabilities are mathematically identical}"
    ),
)

claim(
    "pt-exp-difference",
    Every(
        Equal(sigmoid(R_i - R_j), P_i, label="the sigmoid of the rewards' difference is the probability"),
        Always(
            Equivalent(P_i > Rational(1, 2), R_i - R_j > 0),
            using=(exp_increasing(R_j, R_i), exp_positive(R_i), exp_positive(R_j)),
            label="it is above one half where the difference is positive",
        ),
    ),
    texts,
    because=(
        Always(
            And(Equivalent(exp(R_i) - exp(R_j) > 0, R_i - R_j > 0), Equivalent(exp(R_i) - exp(R_j) < 0, R_i - R_j < 0)),
            using=(exp_increasing(R_i, R_j), exp_increasing(R_j, R_i)),
            label="the difference of the rewards and that of their exponentials have the same sign",
        ),
    ),
    depends_on=["pt-softmax-eq-sigmoid"],
    locator="Sec 4.4",
    title="The difference of rewards inside the sigmoid",
    printed=(
        r"\text{take the difference of the reward function i.e. }\exp(R(\vec{text}_i))-\exp(R(\vec{text}_j))\text{ "
        r"and if it positive then }i\text{ is preferred and if it is negative then }j\text{ is}"
    ),
    judged=misprint(
        "The exponentials belong to the softmax. Their difference has the right sign, so the preference read off "
        "it is right, but its sigmoid is another probability; the next display has R_i − R_j."
        " So in the copy that was read.",
        Equal(sigmoid(exp(R_i) - exp(R_j)), P_i),
    ),
)

claim(
    "pt-reward-shift",
    Equal(
        preference_loss(t, R_i + shift, R_j + shift),
        preference_loss(t, R_i, R_j),
        label="a constant d added to both rewards is not seen by the loss (5)",
    ),
    recorded.also(0 < t, t < 1, shift),
    because=(
        Equal(
            choice_probability(R_i + shift, R_j + shift),
            P_i,
            label="the probability of a choice is the same, a constant d being added to both rewards",
        ),
        Equal(
            diff(choice_probability(R_i, R_j + shift), shift),
            -P_i.subs(R_j, R_j + shift) * P_j.subs(R_j, R_j + shift),
            label="d added to R(2) alone is seen: the slope of the probability in d",
        ),
    ),
    depends_on=["pt-softmax-eq-sigmoid"],
    kind="invariance",
    locator="Sec 4.4",
    title="Invariance of (5) under a constant added to both rewards",
)

claim(
    "pt-person-chooses-higher",
    Every(
        Always(
            P_i > Rational(1, 2),
            using=(exp_increasing(R_j, R_i), exp_positive(R_i), exp_positive(R_j)),
            label="the higher reward is chosen more often than not",
        ),
        Always(P_i < 1, using=(exp_positive(R_i), exp_positive(R_j)), label="but not for certain"),
        On(
            Domain(s > 0),
            Tends(
                choice_probability(scale * s, 0), scale, oo, 1, label="certain in the limit of a large scale of rewards"
            ),
        ),
    ),
    texts.also(R_i > R_j),
    depends_on=["pt-softmax-eq-sigmoid"],
    kind="modelling",
    locator="Sec 4.4",
    title="Probability of choosing the text with the higher reward",
    printed=r"\text{when ranking, the person will choose the response with higher reward}",
    judged=imprecise(
        "In the model of the same section the choice is a sample: the higher reward is chosen more often, by "
        "odds exp(R_i − R_j), and for certain only as the scale of the rewards grows without bound.",
        Equal(P_i, 1),
    ),
)

# -- (5) --------------------------------------------------------------------------------------------------------------
d = Derivation("pt-eq5-bce", recorded.also(0 < t, t < 1))
loss_5 = d.start(preference_loss(t, R_i, R_j), "binary cross entropy of the recorded preference and the softmax")
d.rewrite(loss_5, -t * log(P_i) - (1 - t) * log(P_j), "1 − P_i is the softmax of the other text")

claim(
    "pt-eq5-bce",
    Every(
        Equal(1 - P_i, P_j, label="P(text_j) = 1 − P(text_i)"),
        Equal(loss_5, -t * log(sigmoid(R_i - R_j)) - (1 - t) * log(sigmoid(R_j - R_i)), label="(5) in the margins"),
        Equal(loss_5.subs(t, 1), nll([P_i]), label="hp = 1: the NLL of the choice i"),
        Equal(loss_5.subs(t, 0), nll([P_j]), label="hp = 0: the NLL of the choice j"),
        Equal(
            loss_5,
            binary_cross_entropy(t, sigmoid(R_i - R_j)),
            label="the loss of the preference model, at the sigmoid",
        ),
    ),
    recorded,
    by=d,
    depends_on=["pt-softmax-eq-sigmoid", "pt-bce"],
    locator="Sec 4.4, (5)",
    title="The loss of the reward function as the binary cross entropy of the choice",
    printed=(
        r"\text{Reward function loss}=-hp\cdot\log(P(\vec{text}_i))-(1-hp)\cdot\log(P(\vec{text}_j))\text{ Note that "
        r"}P(\vec{text}_j)=1-P(\vec{text}_i)"
    ),
)

slope_i, slope_j = diff(loss_5, R_i), diff(loss_5, R_j)
claim(
    "pt-reward-two-passes",
    Every(
        Equal(slope_i, P_i - t, label="the slope in R_i contains R_j"),
        Equal(slope_j, t - P_i, label="and that in R_j is its opposite"),
    ),
    recorded.also(direction[1], direction[2]),
    because=(
        Equal(
            slope_i * direction[1] + slope_j * direction[2],
            (t - P_i) * (direction[2] - direction[1]),
            label="backward through both: one number times the difference of the two gradients",
        ),
        Always(
            And(slope_i.subs(t, 1) < 0, slope_j.subs(t, 1) > 0),
            using=(exp_positive(R_i), exp_positive(R_j)),
            label="text i preferred: the slope in its reward is negative, so that a step raises it",
        ),
    ),
    depends_on=["pt-eq5-bce"],
    locator="Sec 4.4",
    title="Slopes of the loss in the two rewards of a pair",
    printed=(
        r"\text{This loss requires values of both }R(\vec{text}_i),R(\vec{text}_j)\text{ … run two separate "
        r"forward passes}"
    ),
    remark=(
        "Here ż(1), ż(2) are the rates of the two rewards along a parameter. In a batch the pair's two outputs "
        "get slopes that sum to zero."
        " The sentence is read of the slopes too: that in R_i contains R_j, so both rewards are needed before the "
        "backward pass."
    ),
)

# -- (6) --------------------------------------------------------------------------------------------------------------
d = Derivation("pt-eq6-reward-loss", margin)
loss_6 = d.start(reward_loss(s, 0), "the loss as a function of the margin s = R_w − R_l")
slope = d.differentiate(loss_6, s)
d.rewrite(slope, sigmoid(s) - 1, "minus the probability of the other choice")

claim(
    "pt-eq6-reward-loss",
    Every(
        Equal(preference_loss(1, R_i, R_j), -log(sigmoid(R_i - R_j)), label="text i wins"),
        Equal(preference_loss(0, R_j, R_i), reward_loss(R_i, R_j), label="the names do not matter: j lost, or i won"),
        Equal(exp(-reward_loss(R_i, R_j)), P_i, label="exp(−loss) is P(text_w), text i being the winner"),
    ),
    texts,
    by=d,
    depends_on=["pt-eq5-bce", "pt-bce-winner"],
    locator="Sec 4.4, (6)",
    title="The loss of the winning text as minus log sigmoid of the margin",
    printed=r"\text{Reward function loss}=-\log(P(\vec{text}_w))=-\log(\sigma(R(\vec{text}_w)-R(\vec{text}_l)))",
)

claim(
    "pt-reward-loss-smooth",
    Every(
        Curved(loss_6, s, 1, using=(exp_positive(-s),), label="strictly convex in the margin"),
        Monotone(loss_6, s, -1, using=(exp_positive(-s),), label="falling: a larger margin is always better"),
        Always(loss_6 > 0, using=(exp_positive(-s), log_sign(sigmoid(s))), label="never zero"),
        Tends(loss_6, s, oo, 0, label="zero is the limit of a margin without bound"),
    ),
    margin,
    because=(
        Equal(diff(loss_6, s), -sigmoid(-s), label="the slope: minus the probability of the other choice"),
        Tends(loss_6 + s, s, -oo, 0, label="for a wrong order the loss is minus the margin, in the limit"),
    ),
    by=d,
    depends_on=["pt-eq6-reward-loss"],
    kind="convexity",
    locator="Sec 4.4",
    title="The loss −log σ(s) of a preference as a function of the margin s",
    remark=(
        "So a pair of which one text always wins has no best margin that is finite; for divided preferences there is "
        "one (pt-reward-fit)."
    ),
)

odds = log(t / (1 - t))
expected_loss = preference_loss(t, s, 0)  # the average of (5) if a share t prefers the first text, margin s
claim(
    "pt-reward-fit",
    OnlyMaximum(expected_loss, s, odds, sense=-1, label="the log-odds of the share are the only minimum").by(
        ConcaveAndStationary(using=(exp_positive(-s),))
    ),
    Domain(0 < t, t < 1, s),
    because=(
        Equal(
            diff(expected_loss, s),
            sigmoid(s) - t,
            label="the slope of the loss: the model's probability minus the people's share",
        ),
        Monotone(sigmoid(s), s, 1, using=(exp_positive(-s),), label="the model's probability rises with the margin"),
        Equal(choice_probability(odds, 0), t, label="at the minimum the model chooses as people do"),
        Tends(odds, t, 1, oo, "-", label="as they come to agree, the margin grows without bound"),
    ),
    depends_on=["pt-eq5-bce", "pt-bce-minimiser"],
    kind="optimality",
    locator="Sec 4.4",
    title="Minimiser of the loss on a pair, with t for the share that prefers one text",
)

P_jk, P_ki = choice_probability(R_j, R_k), choice_probability(R_k, R_i)
positive = tuple(exp_positive(a) for a in (R_i, R_j, R_k))
claim(
    "pt-reward-circle",
    Always(
        Not(And(P_i > Rational(1, 2), P_jk > Rational(1, 2), P_ki > Rational(1, 2))),
        using=positive,
        label="no rewards make i beat j, j beat k and k beat i",
    ),
    triple,
    because=(
        Equal(
            P_i * P_jk * P_ki, P_j * (1 - P_jk) * (1 - P_ki), label="round a circle of texts the odds multiply to one"
        ),
        Equal(
            log(P_i / (1 - P_i)) + log(P_jk / (1 - P_jk)),
            log((1 - P_ki) / P_ki),
            label="the log-odds of i over k are those of i over j and of j over k, added",
        ),
    ),
    depends_on=["pt-softmax-eq-sigmoid"],
    kind="modelling",
    locator="Sec 4.4; Sec 5.4",
    title="Rewards, and preferences that go round in a circle",
    printed=(
        r"\text{standard methods for reinforcement learning from human feedback (RLHF) don't fully capture the "
        r"complexities of human preferences, which can be inconsistent or irrational}"
    ),
    remark=(
        "The paper reports it from Wu et al. (2024). “Can be” asks for an example. Three texts: three frequencies, two "
        "differences of rewards. The frequencies of "
        "rewards have log-odds that add up, as a step shows."
    ),
)
