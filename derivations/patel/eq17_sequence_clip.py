"""The loss of GRAPE: equation (17), which clips the ratio of a whole text, against (14), which clips each token's.

Statement.   Without clipping (17) is an exact importance-sampling estimate of the expected advantage of texts drawn
             from π_1, whatever their length, if the ratio is that of the response; the ratio of question and response,
             as Section 6.1 defines a text, multiplies it by the ratio of the question. (14) is exact for texts of
             one token (pt-eq7-IS-unbiased). At π_1 = π_0 both have the same gradient. Neither way of clipping is the
             tighter one: T tokens within 1 ± ϵ multiply to a number between (1 − ϵ)^T and (1 + ϵ)^T, and ratios of 10
             and 1/10 multiply to 1.
Source.      Patel (2025), Section 6.1, from the advantage to (17) and the paragraph after it.
Domain.      Any policies with full support and any advantages: any vocabulary and length by induction over the tokens,
             texts of two tokens out of two where both clips are compared; ratios of texts of any length.
Derivation.  Losses of a text → expectation over texts drawn from π_0 → gradient along any direction of the logits.
Caveats.     "Model collapse" is not formalised; what clipping lets through is.
Letters.     u and v are token ratios, P(j) is that of token j of k. A is a text's advantage, q a step of a ratio, c the
             ratio of a question. y and z are what π_0 gives the two tokens of a text, s and t their logits in π_1; of
             texts of one token x and y are what π_1 and π_0 give the first. In GRAPE's advantage α is the weight of the
             first of two items, χ and ψ are the confidences, τ₁ and τ₂ the scores of one text, r_a and r_b of the
             other; elsewhere r_a and r_b are the rewards of two texts. R and R(…) stand for the paper's A of a text,
             π₁(…) and π₀(…) are the probabilities of a token under M_1 and M_0, over any vocabulary π and π_old, ż the
             rate of its logit along θ; B is a number of a state.
"""

from itertools import product

from grpo_symbolic.paper import *

from .trees import any_length, mean, one_model, score, text_ratio, two_models
from .trees import text_score as text_scores

claim = Result(__file__).claim


class Model:
    """Two policies on one token tree, and what a domain says of them."""

    def __init__(self, actions, horizon):
        self.tree = TokenTree(actions, horizon)
        self.new, self.old = self.tree.policy(policy_1), self.tree.policy(policy_0)
        self.texts = self.tree.texts()

    def domain(self):
        """Both policies, and an advantage for each text."""
        return Domain(*self.new.constraints(), *self.old.constraints(), *(text_reward[w] for w in self.texts))


pairs, words = Model(2, 1), Model(2, 2)


# -- equation (17) ---------------------------------------------------------------------------------------------------
def grouped():
    """The expectation of (17) over groups of two texts of one token, with their group-relative advantages."""
    policy, sampler, total = pairs.tree.policy({(1,): x}), pairs.tree.policy({(1,): y}), 0
    for group in product(pairs.texts, repeat=2):
        advantages = SHIFT_ONLY.of_group([(r_a, r_b)[text[0] - 1] for text in group])
        total += (
            sampler.reaches(group[0])
            * sampler.reaches(group[1])
            * clipped_loss(group, advantages, policy, sampler, epsilon)
        )
    return total


outputs = expected_surrogate(binary(x), binary(y), (r_a, r_b), Answers(2), 2, SHIFT_ONLY, epsilon)

QUESTION = (1,)  # a question of one token; the response follows it
prompted = words


def with_question(model):
    """(17) without clipping, by its letters: the ratio of question and response, responses drawn from π_0."""
    return -model.old.expectation(lambda w: model.new.reaches(w) / model.old.reaches(w) * text_reward[w], QUESTION)


def expected_answer(model):
    """The advantage expected when the response is drawn from π_1."""
    return model.new.expectation(lambda w: text_reward[w], QUESTION)


claim(
    "pt-eq17-alt-loss",
    any_length(
        mean(-text_ratio * whole_reward, old),
        -mean(whole_reward),
        "unclipped, texts of any length: minus the advantage expected under π_1",
    ),
    two_models,
    because=(
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1, r_a, r_b, epsilon > 0),
            Equal(
                grouped(), -outputs, label="clipped, groups of two: the objective on whole outputs, without a penalty"
            ),
        ),
    ),
    kind="equivalence",
    locator="Sec 6.1, (17)",
    title="The loss on the ratio of the whole text, without its clip",
    printed=(
        r"\text{Alt. GRAPE Loss}=-\frac1S\sum_{i=1}^S\min\Big[\frac{\pi_1(\vec{text}_i)}{\pi_0(\vec{text}_i)}A("
        r"\vec{text}_i),\ \mathrm{CLIP}\Big(\frac{\pi_1(\vec{text}_i)}{\pi_0(\vec{text}_i)},1-\epsilon,1+\epsilon"
        r"\Big)A(\vec{text}_i)\Big]"
    ),
    judged=imprecise(
        "Section 6.1 defines a text as question and response together. Nobody draws the question from a model, so its "
        "tokens must not enter the ratio: pt-eq17-question. Section 4.1 leaves them out of sums over tokens; (17) has "
        "no such sum.",
        On(prompted.domain(), Equal(with_question(prompted), -expected_answer(prompted))),
    ),
    remark="R stands for the paper's A. In expectation, for groups of two, the loss (17) is minus the clipped "
    "objective that Vojnovic & Yun state for whole outputs, its penalty left out, with shift-only advantages. The "
    "reading has a question of one token, 1, and a response of one token, 1 or 2, and leaves the clip out.",
)

claim(
    "pt-eq17-question",
    any_length(
        mean(-scale * text_ratio * whole_reward, old),
        -scale * mean(whole_reward),
        "responses of any length to a question of any length, whose ratio is c",
    ),
    two_models.also(scale > 0),
    depends_on=["pt-eq17-alt-loss"],
    kind="unbiasedness",
    locator="Sec 6.1, (17)",
    title="The ratio c of the question in (17)",
    remark="Clipping then acts on the ratio of the response times c, so a question that became likelier uses up the "
    "range.",
)

# A text of two tokens, of which M_0 gave y and z; s and t are the logits of its tokens in M_1, over the others'.
logits = Domain(A, s, t, 0 < y, y < 1, 0 < z, z < 1)
here, there = (1 / (1 + exp(-logit)) for logit in (s, t))
d = Derivation("pt-eq17-same-gradient", logits)
whole = d.start(-A * (here / y) * (there / z), "(17) for one text, which M_0 has written; not clipped")
slope = d.differentiate(whole, s, "M_0 and the advantage stay")
scored = d.rewrite(slope, -A * (here / y) * (there / z) * (1 - here), "the ratio of the text times the token's score")
first_step = d.restrict(scored, {y: here, z: there}, "the first step, M_1 = M_0: the ratio is 1")
by_tokens = diff(-A * (here / y + there / z), s)
d.rewrite(first_step, by_tokens.subs({y: here, z: there}), "the same of (14), the sum of ratios")

claim(
    "pt-eq17-same-gradient",
    any_length(
        Gradient(text_ratio),
        Gradient(TextSum(pi[o] / old[o], o)),
        "one and the same where every ratio is 1",
        at=((old, pi),),
        of_each=((TextProduct(pi[o] / pi[o], o), 1),),
    ),
    two_models,
    because=(
        On(
            two_models,
            any_length(
                Gradient(text_ratio), text_ratio * text_scores, "the ratio of a text of any length: it times the score"
            ),
        ),
        On(
            two_models,
            any_length(
                Gradient(TextSum(pi[o] / old[o], o)),
                TextSum(pi[o] / old[o] * score, o),
                "the sum of the ratios of its tokens: each ratio times its score",
            ),
        ),
    ),
    by=d,
    depends_on=["pt-eq17-alt-loss"],
    locator="Sec 6.1, (17)",
    title="First step of (17) and of (14)",
    remark="In ∇_θ π_old is held fixed; π_old = π is put in afterwards. At π_1 = π_0 every ratio is 1, so clipping "
    "with ϵ > 0 changes nothing near it.",
)

one_text = (1, 1)
before = words.tree.policy({(1,): y, (1, 1): z})
after = words.tree.policy({(1,): u * y, (1, 1): v * z})


def loss_of_text(by, clipping=None):
    """The loss of the text (1, 1) with advantage A, its token ratios being u and v."""
    return clipped_loss([one_text], [A], after, before, clipping, by)


inside_tree = Domain(u > 0, v > 0, 0 < y, u * y < 1, y < 1, 0 < z, z < 1, v * z < 1, A)

claim(
    "pt-eq17-more-than-clipping",
    Equal(
        loss_of_text(Ratio.SEQUENCE) - loss_of_text(Ratio.TOKEN) - A,
        -(u - 1) * (v - 1) * A,
        label="apart from a constant they differ by the product of the changes",
    ),
    inside_tree,
    because=(
        Equal(loss_of_text(Ratio.SEQUENCE), -u * v * A, label="the text: the product of its ratios"),
        Equal(loss_of_text(Ratio.TOKEN), -(u + v) * A, label="the tokens: their sum"),
    ),
    depends_on=["pt-eq17-same-gradient"],
    locator="Sec 6.1, (17)",
    title="Texts of two tokens: product against sum of the ratios",
    printed=r"\text{simplify the PPO loss to apply clipping at the aggregate sample level rather than token level}",
    judged=imprecise(
        "Without any clipping the two losses are already different functions of π_1: a product of ratios against a "
        "sum. At π_1 = π_0 their gradients agree, and their values differ by A.",
        Equal(loss_of_text(Ratio.SEQUENCE) - loss_of_text(Ratio.TOKEN), A),
    ),
    remark=(
        "Texts of two tokens; the left side is the loss of (17) less that of (14), less A. The sum is no "
        "importance-sampling estimate (pt-eq7-IS-unbiased), the product is (pt-eq17-alt-loss)."
    ),
)

# -- how tight --------------------------------------------------------------------------------------------------------
ratios = Domain(u > 0, v > 0, epsilon > 0, epsilon < 1)


def within(value):
    """A ratio inside the clipping range."""
    return And(value >= 1 - epsilon, value <= 1 + epsilon)


def untouched(by):
    """Clipping leaves the loss of the text as it is."""
    return Eq(loss_of_text(by, epsilon), loss_of_text(by))


even = {y: Rational(1, 2), z: Rational(1, 2), epsilon: Rational(1, 5), A: 1}
both_up = {**even, u: Rational(23, 20), v: Rational(23, 20)}
opposite = {**even, y: Rational(1, 20), u: 10, v: Rational(1, 10)}
clipped_tree = inside_tree.also(epsilon > 0, epsilon < 1, A > 0)
free_swing = {v: 1 / u}

# The ratio of the first k tokens, and what k ratios at an end of the range multiply to.
ratio_at = P
of_whole = Product(ratio_at[j], (j, 1, k))
lowest, highest = Product(1 - epsilon, (j, 1, k)), Product(1 + epsilon, (j, 1, k))

claim(
    "pt-eq17-relaxed-clipping",
    Every(
        On(
            clipped_tree,
            Exists(
                And(untouched(Ratio.TOKEN), loss_of_text(Ratio.SEQUENCE, epsilon) > loss_of_text(Ratio.SEQUENCE)),
                both_up,
                label="(17) clips what (14) does not",
            ),
        ),
        On(
            clipped_tree,
            Exists(
                And(untouched(Ratio.SEQUENCE), loss_of_text(Ratio.TOKEN, epsilon) > loss_of_text(Ratio.TOKEN)),
                opposite,
                label="(14) clips what (17) does not",
            ),
        ),
    ),
    ratios,
    because=(
        On(
            ratios.also(A > 0, u > 1 + epsilon, y > 0, z > 0),
            Equal(
                loss_of_text(Ratio.SEQUENCE, epsilon).subs(free_swing),
                -A,
                label="ratios u and 1/u: (17) sees nothing",
            ),
        ),
        On(
            ratios.also(A > 0, u > 1 + epsilon, y > 0, z > 0),
            Equal(
                loss_of_text(Ratio.TOKEN, epsilon).subs(free_swing),
                -(1 + epsilon + 1 / u) * A,
                label="(14) clips the ratio u",
            ),
        ),
        On(
            Domain(epsilon > 0, epsilon < 1),
            ForEveryNumber(
                And(0 < lowest, lowest <= of_whole, of_whole <= highest),
                k,
                1,
                (reals(ratio_at, k),),
                (1 - epsilon <= ratio_at[k + 1], ratio_at[k + 1] <= 1 + epsilon),
                (1 - epsilon <= ratio_at[1], ratio_at[1] <= 1 + epsilon),
                label="texts of any length k: between (1 − ϵ)^k and (1 + ϵ)^k",
            ).by(Induction(such={ratio_at: 1})),
        ),
        Always((1 + epsilon) ** 2 > 1 + epsilon, label="which is beyond the range"),
    ),
    depends_on=["pt-eq17-more-than-clipping"],
    kind="inequality",
    locator="Sec 6.1, after (17)",
    title="Clipping texts against clipping tokens: examples, and bounds of products of ratios",
    printed=r"\text{this loss function can increase the chances of model collapse due to the relaxed clipping "
    r"constraint}",
    judged=imprecise(
        "Relaxed for tokens: a text ratio of 1 leaves each token ratio free. But tighter for texts: T token ratios "
        "within "
        "1 ± ϵ reach (1 + ϵ)^T, which (17) clips and (14) does not.",
        Always(Implies(within(u) & within(v), within(u * v))),
    ),
    remark="Losses for texts of two tokens, ratios for any length. The examples of the two parts: ratios 23/20 "
    "twice, and 10 and 1/10, with ϵ = 1/5.",
)

# -- (14) with GRAPE's advantage --------------------------------------------------------------------------------------
two = Rubric(2)
rewards = [two.reward((alpha, 1 - alpha), scores, (chi, psi)) for scores in ((tau_1, tau_2), (r_a, r_b))]
advantages = grape_advantages(rewards)
drawn = [(1, 2), (2, 1)]
token_loss = clipped_loss(drawn, advantages, words.new, words.old, ratio=Ratio.TOKEN)
at_start = words.new.identified_with(words.old)


def text_score(text):
    """``d log π_0(text)/dθ``: the sum of the scores of its tokens."""
    return sum(words.old.score(a, state, direction) for a, state in steps(text))


first_slope = words.new.gradient(token_loss, direction).subs(at_start)
lead = text_score(drawn[0]) - text_score(drawn[1])  # d log(π(text 1)/π(text 2))/dθ
falls, leads = Gt(0, first_slope, evaluate=False), Gt(lead, 0, evaluate=False)
two_texts = Domain(
    *words.old.constraints(),
    0 < alpha,
    alpha < 1,
    tau_1,
    tau_2,
    r_a,
    r_b,
    chi > 0,
    psi > 0,
    *(direction[(*s_, a)] for s_ in words.tree.states() for a in words.tree.tokens),
)
claim(
    "pt-grape-loss",
    On(
        two_texts.also(rewards[0] > rewards[1]),
        Always(Equivalent(falls, leads), label="the loss falls where the better text gains on the other").by(
            SameOrder(falls, (rewards[0] - rewards[1]) / 4)
        ),
    ),
    two_texts,
    because=(
        Equal(token_loss.subs(at_start), 0, label="at π_1 = π_0 the loss of a group is zero"),
        Equal(first_slope, -advantages[0] * lead / 2, label="its slope along the rates ż of the logits"),
    ),
    depends_on=["pt-grape-advantage"],
    locator="Sec 6.1, after the advantage",
    title="The loss of GRPO with the advantages of GRAPE",
    printed=r"\text{the loss function can similarly be the same as GRPO/PPO when written in terms of the advantage "
    r"function}",
    remark=(
        "“Similarly” is read so: at π_1 = π_0 the loss falls along a direction exactly if the text of the higher "
        "reward gains on the other in log-probability. A group of the texts (1, 2) and (2, 1), with rubric scores (τ₁, "
        "τ₂) and (r_a, r_b). α and 1 − α are the weights of the two items, χ and ψ the mean confidences in them."
    ),
)

claim(
    "pt-grape-sample-level",
    any_length(
        -TextSum(whole_reward * log(pi[o]), o),
        -whole_reward * log(TextProduct(pi[o], o)),
        "texts of any length",
    ),
    one_model,
    locator="Sec 6.1, before (17)",
    title="One advantage for the tokens of a text, and the text's log-probability",
    printed=r"\text{This advantage function is not defined at the token level (same as GRPO), and only at the level "
    r"of the }"
    r"\text{whole sample}",
)


# -- smoothness ------------------------------------------------------------------------------------------------------
def quotient(start, change):
    """The difference quotient of the clipped surrogate in the ratio."""
    return (clipped_surrogate(start + change, A, epsilon) - clipped_surrogate(start, A, epsilon)) / change


def ratio_capped(at):
    """The clipped surrogate of a token whose ratio is this."""
    return clipped_surrogate(at, A, epsilon)


good = Domain(A > 0, epsilon > 0, epsilon < 1, q > 0, q < epsilon)

claim(
    "pt-grape-differentiable",
    Every(
        On(
            Domain(A > 0, epsilon > 0, epsilon < 1, q > -epsilon, q < epsilon, Ne(q, 0)),
            Equal((ratio_capped(1 + q) - A) / q, A, label="difference quotients at π_1 = π_0: differentiable there"),
        ),
        Equal(((1 + epsilon) * A - ratio_capped(1 + epsilon - q)) / q, A, label="at the end of the range, from below"),
        Equal((ratio_capped(1 + epsilon + q) - (1 + epsilon) * A) / q, 0, label="from above"),
    ),
    good,
    because=(
        Equal(quotient(1, q), A, label="the same with the value at π_1 = π_0 as the clipped loss gives it, upwards"),
        Equal(quotient(1, -q), A, label="downwards"),
        Equal(quotient(1 + epsilon, -q), A, label="and that at the end of the range, from below"),
        Equal(quotient(1 + epsilon, q), 0, label="and from above"),
    ),
    locator="Sec 6.1, before (15)",
    title="Difference quotients of the clipped loss: inside and at the end of the range",
    printed=r"\text{write a differentiable loss function that can help us update model parameters}",
    judged=needs_hypothesis(
        "No ratio may be at an end of the clipping range: at 1 + ϵ the slope jumps from A to 0 for A > 0, as it does "
        "at 1 − ϵ for A < 0 (pt-clip-no-gain). At π_1 = π_0 no ratio is there.",
        Equal(
            ((1 + epsilon) * A - ratio_capped(1 + epsilon - q)) / q,
            (ratio_capped(1 + epsilon + q) - (1 + epsilon) * A) / q,
            label="one slope at the end of the range, from below and from above",
        ),
    ),
    remark="q is a step of the ratio from 1, or from the end 1 + ϵ of the range. Slopes are those of the objective, "
    "of which the loss is the negative.",
)
