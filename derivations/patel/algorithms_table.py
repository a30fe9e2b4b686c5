"""Where the first step of every algorithm points, for texts of any length over any vocabulary.

Statement.   For each row of the table of algorithms, minus the expected gradient of its loss under π_old, which is held
             fixed, is at π = π_old the step that the row claims; of DPO it is that of one pair. Without a divergence
             no policy with full support is at rest, unless in every state all next tokens are worth the same.
Source.      Patel (2025), equations (2), (3), (9)–(15), (17), Section 4.9; Vojnovic & Yun (2025), equation (1) for GRPO
             as published.
Domain.      Tabular policies with full support: any vocabulary, texts of any length by induction over the tokens, every
             0 < ϵ < 1 and β > 0, every G ≥ 2 where only the mean is subtracted. GRPO as published: groups of two and
             three, rewards 0 and 1. The library's losses are differentiated on token trees whose texts have one token,
             or one or two; groups of two.
Derivation.  Within ϵ of π_old the clipped term of the row is the unclipped one → the gradient of each text's loss,
             for any two models → π_old = π → one step of induction over the tokens. Beside it, on trees, the row's
             whole loss is differentiated by cases, and only then π_old = π.
Caveats.     A first step, not the path: off-policy the rows part at once. A text that ends early is one whose tokens
             after the end have logits that do not move, and the same law in every model: they add nothing to any sum.
Letters.     π₁(…) and π_ref(…) are the probabilities of a token after those before it (π and π_ref where the vocabulary
             is any), ż the rate of its logit along θ, R a number of the text, R(…) the reward of the text with these
             tokens, B and V(…) baselines of a state, S the number of texts, 1/|o| one over the length. A is an
             advantage, A₂ and A₃ those of the second and the third text of a group, ρᵢ the ratio of its token; W(o) is
             what token o of a state is worth. Of rubric items ω are the weights, φ̄ the mean confidences, τ₁, τ₂ and
             τ(…) the scores, the item first; of two on a tree x is the weight of the first, u and v are the mean
             confidences. For DPO u and v are the rates of two log-ratios along y. In the induction y and t are what is
             left of a text.
"""

from functools import lru_cache
from itertools import product

from sympy import Dummy

from grpo_symbolic.objectives.algorithms import ALGORITHMS, Run
from grpo_symbolic.objectives.grape import Graded
from grpo_symbolic.objectives.group import dr_grpo, published_grpo
from grpo_symbolic.paper import *

from .trees import (
    any_length,
    domain_of,
    exact_advantage,
    mean,
    next_token_kl,
    one_model,
    reward,
    score,
    state_baseline,
    text_ratio,
    text_score,
    texts,
    two_models,
    value_slope,
)

claim = Result(__file__).claim

ROWS = {f"pt-table-{row.key}": row for row in ALGORITHMS}

# -- on trees: the losses of the rows ---------------------------------------------------------------------------------
GROUPED = {f"pt-table-{key}" for key in ("grpo", "dr-grpo", "grape", "grape-sequence")}
TREES = {"texts of one token": TokenTree(2, 1), "texts of one or two tokens": TokenTree(2, 2, ends=True)}
parameters = (0 < epsilon, epsilon < 1, beta > 0)
held = (0 < x, x < 1, u > 0, v > 0)  # two rubric items: their weights, and their mean confidences


def item_scores(text):
    """The scores of a text on the two items."""
    return item_score[(1, *text)], item_score[(2, *text)]


graded = Graded(Rubric(2), (x, 1 - x), item_scores, lambda text: (u, v))


def verifiable(text):
    """Right where the numbers of the tokens add up to an even one: a short text and a long one are."""
    return Integer(1 - sum(text) % 2)


@lru_cache  # rows with one loss share its derivative
def on_tree(name, loss, step, rewards, grouped):
    """Loss and step on one tree; a group is one of two texts."""
    policy, sampler, reference = (TREES[name].policy(symbols) for symbols in (policy_1, policy_0, policy_ref))
    run = Run(policy, sampler, reference, rewards, state_baseline, direction, graded, (u, v))
    equation = Equal(run.step(loss(run)), step(run), label=f"the step{' of a group of two' * grouped}, {name}")
    spoken = {str(s).split("_")[0] for s in equation.expression.free_symbols}
    models = (m for m in (policy, reference) if m.symbols.name in spoken)
    also = (c for c in (*parameters, *held) if c.free_symbols <= equation.expression.free_symbols)
    return On(domain_of(equation, *models, also=also), equation)


def on_trees(identifier, rewards=reward):
    """The step that a row claims, on each tree."""
    row = ROWS[identifier]
    return [on_tree(name, row.loss, row.step, rewards, identifier in GROUPED) for name in TREES]


# -- on texts of any length: the same surrogates, token by token ------------------------------------------------------
samples = two_models.also(S >= 1)
groups = two_models.also(G >= 2)
near = Domain(Abs(ratio - 1) < epsilon, A)
weight = Dummy(real=True)


def unclipped(row):
    """The surrogate of a row without its clip."""
    return Surrogate(row.surrogate.ratio)


def not_felt(identifier):
    """That the clip of a row is not felt at any ratio within ϵ of 1, whatever the advantage."""
    row = ROWS[identifier]
    both = (surrogate.term(ratio, 1, A) for surrogate in (row.surrogate, unclipped(row)))
    return On(near, Equal(*both, label="within ϵ of π_old nothing is clipped, so the slope is that of the ratio"))


def by_induction(left, right, label, along=texts, at=(), **more):
    """``left`` = ``right`` for texts of any length, with as many names as there are; ``at`` as for any_length."""
    names = {
        "onward": (onward, onward_2, onward_3, onward_4, onward_5),
        "rates": (onward_rate, onward_rate_2),
        "rest": (y, t),
    }
    return OnTexts(left, right, along, label, at).by(OverTokens(**names, **more))


HELD = "In ∇_θ π_old is held fixed; π_old = π is put in afterwards."
M_0 = ((old, pi),)  # the texts are those of M_0, which does not move, and is M_1


def loss_and_slope(identifier, weighed, beside=0):
    """A token's part in the loss of a row, weighed by what is held fixed, and its slope; ``beside`` is added to it."""
    term = beside - unclipped(ROWS[identifier]).term(pi[o], old[o], weight)
    return tuple(e.xreplace({weight: weighed}) for e in (term, texts.rate(term)))


def descent(identifier, weighed, step, beside=0):
    """That the expected slope of the loss of S texts of M_0 is, at M_0 = M_1, minus ``step``."""
    loss, _ = loss_and_slope(identifier, weighed, beside)
    return any_length(mean(Average(Gradient(TextSum(loss, o)), S), old), -step, "at π = π_old", at=M_0)


def off(identifier):
    """What the slope of a row without its clip is that of."""
    return "off-policy" if ROWS[identifier].surrogate.epsilon is None else "off-policy, while nothing is clipped"


def off_policy(identifier, weighed, beside=0):
    """That the expected slope of the loss of S texts of M_0 is that of its tokens."""
    loss, slope = loss_and_slope(identifier, weighed, beside)
    losses = Average(Gradient(TextSum(loss, o)), S)
    return any_length(mean(losses, old), mean(TextSum(slope, o), old), off(identifier))


# -- one text at a time -----------------------------------------------------------------------------------------------
advantage = whole_reward - level
by_state = any_length(
    value_slope, mean(TextSum(score * exact_advantage(pi), o)), "state by state, the score times the exact advantage"
)

claim(
    "pt-table-sft",
    descent("pt-table-sft", Integer(1), Integer(0)),
    samples,
    because=(off_policy("pt-table-sft", Integer(1)), *on_trees("pt-table-sft")),
    depends_on=["pt-sft-own-samples"],
    locator="Sec 2–6",
    title="First step of supervised fine-tuning on the model's own texts",
    remark="π_old is the law of the texts. The loss is −log π: on average over them the step is zero where π = π_old. "
    + HELD,
)

claim(
    "pt-table-reinforce",
    descent("pt-table-reinforce", advantage, value_slope),
    samples,
    because=(off_policy("pt-table-reinforce", advantage), *on_trees("pt-table-reinforce")),
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of REINFORCE",
    remark=HELD,
)

# The divergence from π_old in a state is what its drawn token has for the log-ratio, on average.
drawn = log(old[o] / pi[o])
both = (next_token_kl(old, pi), drawn)
penalised = (beta * term - unclipped(ROWS["pt-table-trpo"]).term(pi[o], old[o], advantage) for term in both)
claim(
    "pt-table-trpo",
    descent("pt-table-trpo", advantage, value_slope, beside=beta * drawn),
    samples.also(beta > 0),
    because=(
        any_length(
            *(mean(TextSum(term, o), old) for term in penalised),
            "the divergence of each state, by the token that is drawn there",
        ),
        off_policy("pt-table-trpo", advantage, beside=beta * drawn),
        *on_trees("pt-table-trpo"),
    ),
    depends_on=["pt-policy-gradient-induction", "pt-eq9-trpo-slope"],
    locator="Sec 2–6",
    title="First step of TRPO, penalty",
    remark="For the divergence of each state stands the log-ratio log(π_old/π) of the token that is drawn there, whose "
    "mean it is. " + HELD,
)

claim(
    "pt-table-trpo-constraint",
    descent("pt-table-trpo-constraint", advantage, value_slope),
    samples,
    because=(off_policy("pt-table-trpo-constraint", advantage), by_state, *on_trees("pt-table-trpo-constraint")),
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of TRPO, constraint",
    remark=(
        "In one state a bound on the divergence turns this gradient: the best first step moves every logit with its "
        "advantage (pt-eq10-first-step). " + HELD
    ),
)

claim(
    "pt-table-ppo",
    Every(
        not_felt("pt-table-ppo"),
        descent("pt-table-ppo", advantage, value_slope),
    ),
    samples,
    because=(off_policy("pt-table-ppo", advantage), *on_trees("pt-table-ppo")),
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of PPO",
    remark=HELD,
)

owed = FromHere(TextSum(log(old[o] / ref[o]), o))  # the charges of a token and of all after it
divergence = mean(TextSum(log(pi[o] / ref[o]), o))  # KL(π‖π_ref) of whole texts
claim(
    "pt-table-ppo-kl",
    Every(
        not_felt("pt-table-ppo-kl"),
        descent("pt-table-ppo-kl", advantage - beta * owed, value_slope - beta * TextRate(divergence)),
    ),
    samples.also(simplex(ref, n), beta > 0),
    because=(
        off_policy("pt-table-ppo-kl", advantage - beta * owed),
        any_length(
            divergence,
            mean(TextSum(next_token_kl(pi, ref), o)),
            "the divergence of whole texts is that of the states on the way",
        ),
        *on_trees("pt-table-ppo-kl"),
    ),
    depends_on=["pt-policy-gradient-induction", "pt-kl-to-go"],
    locator="Sec 2–6",
    title="First step of PPO, divergence in the reward",
    remark="A token is charged for itself and for all after it. With its own charge only, as A' after (12) has it, the "
    "step is another one from two tokens on (pt-kl-to-go). " + HELD,
)


# -- groups -----------------------------------------------------------------------------------------------------------
def gain_and_slope(identifier):
    """A text's part in the loss of a row, to be weighed, and its slope."""
    row = unclipped(ROWS[identifier])
    if row.ratio is Ratio.SEQUENCE:
        return text_ratio, text_ratio * text_score
    term = row.term(pi[o], old[o], Integer(1))
    return TextSum(term, o), TextSum(texts.rate(term), o)


def group_descent(identifier, number, step, along=texts):
    """The same for a group of G texts of M_0: each text's loss is weighed by ``number`` less its mean in the group."""
    gain, _ = gain_and_slope(identifier)
    alike = ((text_ratio.xreplace(dict(M_0)), 1),) if gain == text_ratio else ()
    gains = mean(GroupCentred(number, Gradient(gain), G), old)
    ahead = ((mean(text_score), 0),)
    return by_induction(gains, step, "at π = π_old", along, M_0, beside=ahead, of_each=alike)


def group_off_policy(identifier, number, along=texts):
    """The expected slope of the loss of a group of G texts of M_0."""
    gain, slope = gain_and_slope(identifier)
    both = (GroupCentred(number, e, G) for e in (Gradient(-gain), -slope))
    return by_induction(*(mean(e, old) for e in both), off(identifier), along)


shortened = (1 - 1 / G) * value_slope
claim(
    "pt-table-dr-grpo",
    Every(
        not_felt("pt-table-dr-grpo"),
        group_descent("pt-table-dr-grpo", whole_reward, shortened),
    ),
    groups,
    because=(group_off_policy("pt-table-dr-grpo", whole_reward), *on_trees("pt-table-dr-grpo")),
    depends_on=["pt-policy-gradient-induction", "pt-eq13-own-reward"],
    locator="Sec 2–6",
    title="First step of Dr. GRPO",
    remark=HELD,
)

# (15) for two items: the scores are numbers of a text, weights and mean confidences are the same everywhere.
rubric = Texts(o, o_, n, ends=(tau_1, tau_2), own=(level,), rates=((pi, pi[o] * score),), fixed=(omega, phi_bar))
rubric_reward = Rubric(2).reward(omega, (tau_1, tau_2), phi_bar)
of_rubric = (tau_1, tau_2, simplex(omega, 2), positives(phi_bar, 2))
rubric_step = (1 - 1 / G) * TextRate(mean(rubric_reward))

# One token, items of one weight: a text has the score 1 on one item and 0 on the other, and these confidences.
apart = Graded(
    Rubric(2),
    (Rational(1, 2), Rational(1, 2)),
    lambda text: (1, 0) if text == (1,) else (0, 1),
    lambda text: (1, Rational(1, 2)) if text == (1,) else (Rational(1, 4), 1),
)
words = TREES["texts of one token"]
new, sampler = words.policy(policy_1), words.policy(policy_0)


def along_the_first(expression):
    """The slope along the logit of the first text."""
    return new.gradient(expression, {(1,): Integer(1), (2,): Integer(0)})


own_mean = -along_the_first(dr_grpo(2, None).over_groups(new, sampler, apart.of_group)).xreplace(
    sampler.identified_with(new)
)
expected_mean = [new.value(lambda text, item=item: apart.confidences(text)[item]) for item in (0, 1)]
values = [apart.reward(text, expected_mean) for text in words.texts()]
outer_mean = along_the_first(new.probability(1, ())) * (values[0] - values[1])

claim(
    "pt-table-grape",
    Every(
        not_felt("pt-table-grape"),
        group_descent("pt-table-grape", rubric_reward, rubric_step, rubric),
    ),
    groups.also(*of_rubric),
    because=(
        group_off_policy("pt-table-grape", rubric_reward, rubric),
        *on_trees("pt-table-grape"),
        On(
            Domain(*new.constraints()),
            Exists(
                And(own_mean < 0, outer_mean > 0),
                {policy_1[1]: Rational(3, 4)},
                label="an example, groups of two: φ̄ of the group itself against φ̄ expected under π: opposite steps",
            ),
        ),
    ),
    depends_on=["pt-table-dr-grpo", "pt-eq15-denominator"],
    locator="Sec 2–6",
    title="First step of GRAPE",
    remark="(15) is read with φ̄ in the denominator (pt-eq15-denominator). Of two items; a rubric of any length is a "
    "case of pt-table-dr-grpo, where R is any number of a text. The mean confidences φ̄ are held fixed, as those of "
    "earlier texts are. Those of the sampled group contain a text's own confidences, and the step can point the other "
    "way. " + HELD,
)

claim(
    "pt-table-grape-sequence",
    Every(
        not_felt("pt-table-grape-sequence"),
        group_descent("pt-table-grape-sequence", whole_reward, shortened),
    ),
    groups,
    because=(group_off_policy("pt-table-grape-sequence", whole_reward), *on_trees("pt-table-grape-sequence")),
    depends_on=["pt-table-dr-grpo"],
    locator="Sec 2–6",
    title="First step of GRAPE, clipped by the text",
    remark="R is any number of a text, so (15) too as long as φ̄ is no number of the group. " + HELD,
)

# -- GRPO as published ------------------------------------------------------------------------------------------------
of_lengths = Texts(o, o_, n, ends=(whole_reward, per_length), own=(level,), rates=((pi, pi[o] * score),))
published = published_grpo(2, epsilon, beta)
DEVIATIONS = {2: Integer(2), 3: 3 / sqrt(2)}  # one over the deviation of rewards 0 and 1 that are not all equal
centred_step = TextRate(mean(whole_reward * per_length)) - mean(whole_reward) * TextRate(mean(per_length))
gain = unclipped(ROWS["pt-table-grpo"]).term(pi[o], old[o], Integer(1))
gain_slope = of_lengths.rate(gain)
penalty_gradient = of_lengths.rate(k3(pi[o], ref[o]))
members = ((mean(per_length * text_score), TextRate(mean(per_length))),)
paid = ((mean(whole_reward * per_length * text_score), TextRate(mean(whole_reward * per_length))),)


def same_advantages(size, factor):
    """For rewards 0 and 1 the deviation of a group of two or three is one number, unless all are equal."""
    of = "A₂" if size == 2 else "A₂ + 2A₃"
    return [
        Equal(
            Add(*(weighed * j for j, weighed in enumerate(published.advantage.of_group(rewards)))),
            factor * Add(*(weighed * j for j, weighed in enumerate(SHIFT_ONLY.of_group(rewards)))),
            label=f"{of} for the rewards {', '.join(map(str, rewards))}",
        )
        for rewards in product((0, 1), repeat=size)
    ]


def published_descent(size, factor):
    """Off-policy and on-policy, the rewards' part of the loss."""
    losses, slopes = (
        factor * GroupCentred(whole_reward, per_length * e, size)
        for e in (Gradient(-TextSum(gain, o)), -TextSum(gain_slope, o))
    )
    there = factor * GroupCentred(whole_reward, per_length * TextSum(gain_slope.xreplace({old: pi}), o), size)
    step = factor * (1 - Rational(1, size)) * centred_step
    label = f"G = {size}"
    return (
        by_induction(
            mean(losses, old), mean(slopes, old), f"off-policy, while nothing is clipped, {label}", of_lengths
        ),
        by_induction(mean(there), step, f"at π = π_old, {label}", of_lengths, beside=members + paid),
    )


claim(
    "pt-table-grpo",
    Every(
        *(part for size, factor in DEVIATIONS.items() for part in same_advantages(size, factor)),
        not_felt("pt-table-grpo"),
        *(part for size, factor in DEVIATIONS.items() for part in published_descent(size, factor)),
        by_induction(
            mean(per_length * Gradient(TextSum(k3(pi[o], ref[o]), o)), old),
            mean(per_length * TextSum(penalty_gradient, o), old),
            "the divergence, off-policy",
            of_lengths,
        ),
        any_length(
            mean(TextSum(penalty_gradient, o)),
            mean(TextSum(Sum((pi[o_] - ref[o_]) * logit_rate[o_], (o_, 1, n)), o)),
            "at π = π_old its gradient in a state",
        ),
        Equal(
            -Sum(ref[o] * next_token_score(pi, logit_rate, o, Answers(n), o_), (o, 1, n)),
            Sum((pi[o] - ref[o]) * logit_rate[o], (o, 1, n)),
            label="which is the gradient of KL(π_ref‖π) there",
        ),
        *on_trees("pt-table-grpo", verifiable),
    ),
    two_models.also(simplex(ref, n), per_length),
    depends_on=["pt-policy-gradient-induction", "by-div-loss-gradients"],
    locator="Sec 2–6",
    title="First step of GRPO as published, on-policy, rewards 0 and 1",
    short=("at π = π_old, G = 2", "at π = π_old its gradient in a state"),
    remark="Of rewards 0 and 1 that are not all equal the deviation is ½ for G = 2 and √2/3 for G = 3: hence the "
    "factors 2 and 3√2/2. For other rewards the formulas are identities, and no steps of GRPO. The headline has "
    "G = 2; for G = 3 the rewards' part is √2 times as large. "
    "For texts of one length T this part is ∇E[R]/T, and the penalty's is the gradient of KL(π_ref‖π) in the states on "
    "the way, over T. " + HELD,
)

# -- pairs ------------------------------------------------------------------------------------------------------------
claim(
    "pt-table-dpo",
    Every(
        any_length(Gradient(TextSum(log(pi[o] / ref[o]), o)), text_score, "the log-ratio of each text"),
        On(
            Domain(beta > 0, u, v, Eq(y, 0)),
            Equal(
                Derivative(dpo_loss(y * u, y * v, beta), y),
                -beta / 2 * (u - v),
                label="log-ratios that leave 0 at the rates u and v",
            ),
        ),
    ),
    one_model.also(simplex(ref, n)),
    because=(*on_trees("pt-table-dpo"),),
    depends_on=["pt-dpo-final"],
    locator="Sec 2–6",
    title="First step of DPO on one pair",
    remark="At the first step π is π_ref: both log-ratios are zero. u and v are the rates of the log-ratios of the "
    "preferred and of the rejected text, y the step.",
)

# -- rest -------------------------------------------------------------------------------------------------------------
# onward[o] is what token o of a state is worth: the expected reward after it.
worth = Sum(pi[o_] * onward[o_], (o_, 1, n))
claim(
    "pt-table-no-rest",
    On(
        one_model,
        VanishesInEveryDirection(
            value_slope,
            logit_rate,
            (Form(exact_advantage(pi), pi, u),),
            texts,
            Eq(Ahead(mean(whole_reward)), Here(mean(whole_reward))),
            label="at rest in every direction",
        ).by(EveryDirection(OverTokens(onward=(onward, onward_2), rates=(onward_rate,)))),
    ),
    Domain(n >= 2, simplex(pi, n), reals(onward, n)),
    because=(
        On(one_model, by_state),
        AtLeast(
            Sum(pi[o] * next_token_score(pi, onward, o, Answers(n), o_) * onward[o], (o, 1, n)),
            0,
            (Eq(onward[o], worth),),
            label="if the logits move with the worth of the tokens, a state gains, unless all tokens are worth the "
            "same",
        ).by(TermByTerm((Sum(pi[o] * (onward[o] - worth) ** 2, (o, 1, n)),))),
    ),
    kind="optimality",
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="Points of rest of the expected reward, without a divergence",
)
