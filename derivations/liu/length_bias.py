"""Dividing by the length of the text: which text is favoured, and by what.

Statement.   With 1/|o| a token of a right text is rewarded the less the longer the text, and one of a wrong text
             punished the less. A text as a whole is not: |o| tokens of weight A/|o| add up to the same A. A mean over
             the tokens of the whole batch weighs all of its tokens alike; a constant in its place changes the step by a
             factor only.
Source.      Liu et al. (2025), Section 3.1, the first bias; Listing 1 and Table 2; Section 3.2.
Domain.      Any advantage A, lengths u, v > 0, or T and n whole tokens.
Derivation.  weight of a token in each loss → its slope in the length → sums over the tokens of a text.
Caveats.     Weights only, but for the mean squared step: that a policy comes to prefer what is rewarded more is
             tr-step-length-bias, for equal answers.
Letters.     A is the advantage, u and v are two lengths, T and n the whole numbers of tokens of two texts, and s is the
             score of every token. In liu-length-bias-preference n is the number of answers, ℓ(o) the length of an
             answer and π its probability; T and k are the numbers of tokens. In liu-length-squared-step r(1), …, r(T)
             are the scores of a text's tokens, v(j) their variances, s the one variance of all, and C is the constant
             divided by. In liu-listing1-constant C and c are two constants and r(i) the losses of the texts, in
             liu-listing1-token-mean t is u + v.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

lengths = Domain(0 < u, u < v)


class Weight:
    """The rates at which the logits move: the weights A/|o| of the answers."""

    def __getitem__(self, answer):
        return A / length[answer]


answers = Answers(n)
answers_of_lengths = Domain(n >= 2, simplex(pi, n), positives(length, n), A)
shorter = length[o] < length[o_]
score, score_ = (next_token_score(pi, Weight(), answer, answers, j) for answer in (o, o_))


def whole(tokens):
    """What the tokens of a text add up to, if each has the score s: Σ_t (A/|o|) s."""
    return Sum(A / tokens * s, (j, 1, tokens))


texts = Domain(T >= 1, n > T, s > 0)
claim(
    "liu-length-bias-right",
    Every(
        On(Domain(u > 0, A > 0), Monotone(A / u, u, -1, label="a token's weight falls with the length")),
        On(texts.also(A > 0), Equal(whole(T), whole(n), label="a whole text's does not")),
    ),
    Domain(u > 0, A > 0),
    kind="inequality",
    locator="Sec 3.1, response-level length bias",
    title="Weights of tokens and of whole texts by length: right texts",
    printed=(
        r"\text{For positive advantages (}\hat A_{i,t}>0\text{, indicating a correct response), this bias results in "
        r"greater gradient updates for shorter responses}"
    ),
    judged=imprecise(
        "True of the update of a token. The update of a response is the sum over its tokens, in which 1/|o| "
        "cancels the "
        "number of them: for equal scores it is the same for every length.",
        Always(whole(T) > whole(n)),
        texts.also(A > 0),
    ),
)

claim(
    "liu-length-bias-wrong",
    Every(
        On(Domain(u > 0, A < 0), Monotone(A / u, u, 1, label="a token's punishment falls with the length")),
        On(texts.also(A < 0), Equal(whole(T), whole(n), label="a whole text's does not")),
    ),
    Domain(u > 0, A < 0),
    kind="inequality",
    locator="Sec 3.1, response-level length bias",
    title="Weights of tokens and of whole texts by length: wrong texts",
    printed=(
        r"\text{for negative advantages (}\hat A_{i,t}<0\text{, indicating an incorrect response), longer responses "
        r"are penalized less due to their larger }|o_i|"
    ),
    judged=imprecise(
        "True of a token; as a whole a longer response is punished as much, for equal scores of its tokens.",
        Always(whole(T) < whole(n)),
        texts.also(A < 0),
    ),
)

claim(
    "liu-length-bias-preference",
    Every(
        Always(Implies(And(A > 0, shorter), score > score_), label="right: the odds of the shorter answer rise"),
        Always(Implies(And(A < 0, shorter), score < score_), label="wrong: they fall"),
    ),
    answers_of_lengths.also(1 <= o, o <= n, 1 <= o_, o_ <= n),
    because=(
        On(
            answers_of_lengths,
            Equal(
                score - score_,
                A / length[o] - A / length[o_],
                label="the rate of the log-odds of two answers, if logits move with the weights",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["tr-step-length-bias", "liu-length-bias-right", "liu-length-bias-wrong"],
    locator="Sec 3.1, response-level length bias",
    title="Rates of log π for answers of two lengths, under logits that move with the weights",
    printed=r"\text{leading the policy to favor brevity in correct answers … causing the policy to prefer lengthier "
    r"responses "
    r"among incorrect ones}",
    judged=imprecise(
        "True if an answer has one logit, which moves with the weight A/|o| of one of its tokens. If all of its |o| "
        "tokens move it, they add up to the same for every length, where their scores are equal.",
        Always(whole(T) > whole(k)),
        Domain(T >= 1, k > T, s > 0, A > 0),
    ),
    remark="For answers of one advantage A. Without 1/|o| logits that move with A keep their difference.",
)

# The two responses of a batch, their tokens counted in either order.
batch = lengths.also(t > 0, Eq(t, v + u), Ne(A, 0))
claim(
    "liu-listing1-token-mean",
    Every(
        Equal(A / (u + v), A / t, label="a mean over all tokens of the batch: one weight"),
        Always(Ne(A / u, A / v), label="a mean for each response: two"),
    ),
    batch,
    kind="identity",
    locator="Sec 3.1, Listing 1, Table 2",
    title="A mean over the tokens of a batch, against one for each text",
    printed=(
        r"\text{all of these implementations normalize the loss by response length … introducing an unintended "
        r"length bias}"
    ),
    judged=imprecise(
        "True of the first variant of the listing, masked_mean(dim=-1). The second, dim=None, which the listing "
        "names for "
        "trl and verl, divides by the number of tokens of the whole batch: that is no constant either, but "
        "within a batch "
        "a token of a short and one of a long response have the same weight.",
        Always(Ne(A / (u + v), A / t)),
    ),
)

claim(
    "liu-listing1-constant",
    Equal(Sum(r[i] / cap, (i, 1, G)), (scale / cap) * Sum(r[i] / scale, (i, 1, G))),
    Domain(G >= 2, cap >= 1, scale > 0, reals(r, G)),
    locator="Sec 3.2; Listing 1",
    title="Another constant in the denominator of the loss",
    remark="r are the losses of the texts, each summed over its tokens.",
    printed=r"\text{Other constants also work with differences in gradient norm}",
)

# -- the squared step of a text ---------------------------------------------------------------------------------------
# Along one parameter r_1, …, r_T are the scores of the tokens of a text: of any law, with mean zero and uncorrelated,
# as those of texts that the policy itself has written are.
scores = (Random(r, i, 1, T, mean=0, variance=spread[i]),)
alike = (Random(r, i, 1, T, mean=0, variance=s),)


def step(weight):
    """The step of a text whose tokens have this weight."""
    return Sum(weight * r[j], (j, 1, T))


whole_text = Domain(T >= 1, cap >= 1, A, s > 0)
claim(
    "liu-length-squared-step",
    Every(
        ForRandom(Eq(VarianceOf(step(A / T)), A**2 * s / T), alike, label="divided by the length"),
        ForRandom(Eq(VarianceOf(step(A / cap)), A**2 * s * T / cap**2), alike, label="divided by a constant"),
    ),
    whole_text,
    because=(
        On(
            Domain(T >= 1, A, positives(spread, T)),
            Every(
                ForRandom(
                    Eq(MeanOf(step(A / T)), 0),
                    scores,
                    label="the mean of the step is 0, so its mean square is its variance",
                ),
                ForRandom(
                    Eq(VarianceOf(step(A / T)), A**2 * Sum(spread[j], (j, 1, T)) / T**2),
                    scores,
                    label="its variance, with any variances of the scores",
                ),
            ),
        ),
        On(
            Domain(u > 0, Ne(A, 0), s > 0),
            Monotone(A**2 * s / u, u, -1, label="divided by the length: it falls with the length, here u"),
        ),
        On(
            Domain(u > 0, Ne(A, 0), s > 0, cap >= 1),
            Monotone(A**2 * s * u / cap**2, u, 1, label="divided by a constant: it grows with the length, here u"),
        ),
    ),
    kind="identity",
    depends_on=["liu-baseline-mean-zero"],
    locator="Sec 3.1, response-level length bias",
    title="Mean square of the step of a text by its length",
    remark=(
        "That scores of tokens have mean zero is liu-baseline-mean-zero. So 1/|o| turns round which texts move the "
        "policy most by chance: not the long ones, but the short ones."
    ),
)
