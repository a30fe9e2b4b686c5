"""Supervised fine-tuning: next-token probabilities, the likelihood of a text, and the loss of equations (1) and (2).

Statement.   The product of the next-token probabilities of a text is the probability that generation runs through it;
             minus its logarithm is a sum, NLL(text, M) = −Σ_t log π_M(a_t|s_t); its average over samples is the loss of
             fine-tuning.
Source.      Patel (2025), Section 2, equations (1), (2).
Domain.      Policies with full support (a softmax of finite logits); n tokens, texts of T tokens.
Derivation.  The step from T to T + 1 for any n; token trees where texts end, and where the question is left out.
Caveats.     A large p_i is not the same as the highest p_i; the product is no probability of the *whole* output unless
             the end of the text is counted; the likelihood of a model is no probability of the model.
Letters.     π₁(…) is the probability of a token after those before it. u and v are probabilities of two tokens or
             observations. r are logits of tokens, t that of one beside them; (x, y) and (z, v) are what the first two
             of three tokens have before and after a step. x and y are also any two numbers, or likelihoods, with p what
             is believed of the first model beforehand, and z a number of tokens of NLL t each. For the answer alone x
             is the probability of the question. π_ref(o) are the shares of the samples; of N samples x(n(i − 1) + o) is
             1 where sample i is o. In pt-state-index r are tokens, x is the letter of the polynomial and G a position;
             in pt-uniform-32000 p is the chance of one token, t that of equal ones, in pt-product-tinier p that of each
             of nine; in other orders of magnitude p is 1/32000.
"""

from grpo_symbolic.paper import *

from .trees import any_length, several_samples

claim = Result(__file__).claim

half = Rational(1, 2)
answers = Answers(n)
vocabulary = Domain(simplex(pi, n), n >= 2)
written = Texts(o, o_, n)
chances = Domain(0 < u, u < 1, 0 < v, v < 1)

# -- next-token probabilities -----------------------------------------------------------------------------------------
weights = Sum(exp(r[o]), (o, 1, n))
logits = Domain(reals(r, n), n >= 2)

tokens_and_one = Domain(reals(r, n), n >= 1, t)  # one token of the logit t beside n others
below_one = (exp_positive(t), exp_positive(r[o]), exp_positive(r[o_]))

claim(
    "pt-softmax-law",
    Every(
        Equal(Sum(exp(r[k]) / weights, (k, 1, n)), 1, label="they add up to one"),
        Always(exp(r[o]) / weights > 0, label="each is positive"),
        On(
            tokens_and_one,
            Always(exp(t) / (exp(t) + weights) < 1, label="and below one, beside n others").by(
                PositiveTerms(Sum(exp(r[o]) / (exp(t) + weights.xreplace({o: o_})), (o, 1, n)), using=below_one)
            ),
        ),
    ),
    logits,
    because=(
        Equal(
            1 - exp(r[o_]) / weights,
            Sum((1 - KroneckerDelta(o, o_)) * exp(r[o]), (o, 1, n)) / weights,
            label="one minus a probability is the share of the others",
        ),
    ),
    locator="Sec 2",
    title="Probabilities from a softmax",
    printed=(
        r"\text{After softmax is applied, we get 32k numbers that are all between 0 and 1 and they all add up to "
        r"1}"
    ),
    remark="Never 0 and never 1, for finite logits and at least two tokens.",
)

# Three tokens with the probabilities (x, y, 1 − x − y) before and (z, v, 1 − z − v) after a step that raises the first.
before, after = (x, y, 1 - x - y), (z, v, 1 - z - v)
three = Domain(0 < x, 0 < y, x + y < 1, 0 < z, 0 < v, z + v < 1)


def highest(law):
    """The first token is the most likely one."""
    return And(law[0] > law[1], law[0] > law[2])


claim(
    "pt-argmax-vs-mle",
    Every(
        On(
            Domain(0 < x, 0 < y, simplex(pi, n, 1 - x - y), n >= 1),
            Always(Implies(x > half, x > y), label="p_i above one half is above any other, with n more beside"),
        ),
        Exists(
            And(z > x, highest(before), v > z),
            {x: Rational(2, 5), y: Rational(7, 20), z: Rational(9, 20), v: half},
            label="raising p_i can cost it the first place",
        ),
    ),
    three,
    because=(
        Exists(
            And(highest(before), x <= half),
            {x: Rational(2, 5), y: Rational(7, 20), z: half, v: Rational(1, 4)},
            label="more than ½ is not necessary",
        ),
        On(Domain(0 < x, x < 1), Monotone(nll([x]), x, -1, label="the loss falls all the way to p_i = 1")),
        Tends(nll([x]), x, 1, 0, "-", label="the loss tends to zero there"),
    ),
    kind="modelling",
    locator="Sec 2",
    title="Making the next token likely, and making it the likeliest",
    printed=(
        r"\text{the probability of the token “jumps” should be the highest. Let's say jumps is the }i^{th}\text{ token "
        r"then what we want to do is maximize }p_i"
    ),
    judged=imprecise(
        "A larger p_i need not keep the first place, (0.40, 0.35, 0.25) → (0.45, 0.50, 0.05); p_i > 1/2, and "
        "so its maximum, ensures it.",
        Always(Implies(And(z > x, highest(before)), highest(after)), label="a larger p_i keeps the first place"),
    ),
    remark=(
        "x and z are p_i before and after a step, y and v another token's. "
        "The loss falls all the way to p_i = 1, where both aims are reached; the right greedy token asks for no more "
        "than p_i > 1/2."
    ),
)


def code(tokens):
    """A text as one number: its tokens as the digits of a polynomial in x."""
    return sum((token * x**place for place, token in enumerate(tokens, start=1)), 0 * x)


sentence = tuple(r[place] for place in range(1, 10))
states = [state for _, state in steps(sentence)] + [sentence]  # s_1, …, s_9, and s_10 the whole text

claim(
    "pt-state-index",
    Every(
        Equal(Sum(1, (i, 1, G - 1)), G - 1, label="s_t holds t − 1 tokens"),
        Equal(code(states[4]), r[1] * x + r[2] * x**2 + r[3] * x**3 + r[4] * x**4, label="s_5 is the first four"),
        Equal(code(states[5]) - code(states[4]), r[5] * x**5, label="and a_5 the fifth"),
    ),
    Domain(x, reals(r, 9), G >= 2),
    because=(
        Equal(code(states[9]) - code(states[8]), r[9] * x**9, label="the last token completes s_{T+1}, the text"),
        Equal(code(states[0]), 0, label="s_1 is empty"),
    ),
    expect="definition",
    kind="convention",
    locator="Sec 2",
    title="States and actions of a text",
    printed=(
        r"a_t\text{ to denote }tok_t\text{ and }\vec s_t\text{ to denote }tok_1,tok_2,\dots,tok_{t-1}\text{ … "
        r"Probability of “jumps” given the text “The quick brown fox” … or }\pi(a_5\mid\vec s_5)"
    ),
    remark="Checked on nine tokens, a text being read as the polynomial with these coefficients. G is the position t "
    "of a token here: the state s_t holds t − 1 tokens, and stops before a_t.",
)

# -- the chain rule ---------------------------------------------------------------------------------------------------
binary_text = TokenTree(2, 3).policy(policy_1)


def through(policy, state):
    """The probability of all whole texts that begin with ``state``."""
    return sum(policy.reaches(text) for text in policy.tree.texts(state))


def on(policy, *more):
    return Domain(*policy.constraints(), *more)


ended = TokenTree(3, 3, ends=True).policy(policy_1)  # token 3 ends the text
whole = on(ended)

claim(
    "pt-chain-rule-sequence",
    On(
        vocabulary,
        any_length(
            TextTotal(TextProduct(pi[o], o)),
            1,
            "the texts of T tokens that begin at any state make one law",
            along=written,
        ),
    ),
    whole,
    because=(
        Equal(through(ended, ()), 1, label="texts with an end token make a law too"),
        Equal(
            ended.reaches((1, 2, 3)),
            ended.reaches((1, 2)) * ended.probability(3, (1, 2)),
            label="the whole text has one factor more",
        ),
    ),
    locator="Sec 2",
    title="The product of the next-token probabilities of a text",
    printed=(
        r"\text{we can multiply these probabilities to get the total probability that the model will generate the "
        r"sequence. … Maximize: }\pi(a_1)\times\pi(a_2|\vec s_2)\times\pi(a_3|\vec s_3)\cdots\times\pi(a_9|\vec s_9)"
    ),
    judged=imprecise(
        "It is the probability that generation begins with the sequence. As the probability of this output and "
        "no longer one it lacks the factor "
        "of the end token; it is both only where the length is fixed, or the end is counted among the tokens.",
        Equal(ended.reaches((1, 2)), ended.reaches((1, 2, 3)), label="the sequence is generated and ends there"),
    ),
)

# -- numbers ----------------------------------------------------------------------------------------------------------
size = Rational(1, 32000)
share = Domain(0 < p, p < 1)
nine = likelihood([p] * 9)

claim(
    "pt-uniform-32000",
    Every(
        On(Domain(n >= 2, t), UniqueRoot(Sum(t, (o, 1, n)).doit() - 1, t, 1 / n, label="equal ones are 1/n")),
        On(
            Domain(n >= 1, 0 < p, p < 1, simplex(pi, n, 1 - p)),
            Equal(Sum(pi[o], (o, 1, n)) / n, (1 - p) / n, label="the mean of n others beside a token of chance p"),
        ),
        On(
            share.also(p >= Rational(1, 2)),
            Always(
                (1 - p) / 31999 <= Rational(1, 63998),
                label="a token of chance ½ or more leaves each of the others at most half as much, on average",
            ),
        ),
    ),
    share,
    because=(
        On(
            vocabulary,
            Equal(Sum(pi[o] - 1 / n, (o, 1, n)), 0, label="what the tokens have above 1/n adds up to zero"),
        ),
        On(
            Domain(n >= 1, 0 < p, p < 1, simplex(pi, n, 1 - p)),
            AtLeast(
                1 / (n + 1),
                p,
                (Eq(pi[o], 1 / (n + 1)),),
                label="beside n others that have 1/(n + 1) or more: one has less, unless all are equal",
                given=(pi[o] >= 1 / (n + 1),),
            ).by(TermByTerm((Sum(pi[o] - 1 / (n + 1), (o, 1, n)),))),
        ),
        Exists(Eq(10**8 * p, 3125), {p: size}, label="1/32000 is 0.00003125"),
    ),
    kind="numeric",
    locator="Sec 2",
    title="Equal tokens, and the average of the others beside one of chance p",
    printed=(
        r"\text{If all probabilities were equal, they would be }\tfrac1{32000}=0.00003125,\text{ and many of "
        r"these probabilities will be much smaller}"
    ),
    judged=needs_hypothesis(
        "“Many much smaller” is read as: the tokens beside a given one have on average at most half of 1/31999. That "
        "needs a chance of ½ or more of this one; other laws make many much smaller too. 32000 tokens alone make none "
        "much smaller: nearly equal ones are not. That one of them is smaller is certain unless all are equal.",
        Always((1 - p) / 31999 <= Rational(1, 63998), label="whatever the chance of the one token"),
    ),
    remark="1/32000 is exact.",
)

claim(
    "pt-power9",
    Exists(And(nine * 10**43 >= 284, nine * 10**43 < 285, nine * 10**41 > 1, nine * 10**40 < 1), {p: size}),
    share,
    kind="numeric",
    locator="Sec 2",
    title="Nine tokens of probability 1/32000",
    printed=(
        r"\Big(\frac1{32000}\Big)^9=2.84\times10^{-41}\text{ which has 40 zeros after the decimal and before the "
        r"digits 284!}"
    ),
    remark="2.842 × 10⁻⁴¹: between 10⁻⁴¹ and 10⁻⁴⁰, so forty zeros come first.",
)

claim(
    "pt-log-32000",
    Exists(And(log(p) > -Rational(10375, 1000), log(p) < -Rational(10365, 1000), nll([p] * 9) < 94), {p: size}),
    share,
    kind="numeric",
    locator="Sec 2; Sec 8.1",
    title="The logarithm of 1/32000",
    printed=r"\log(1/32000)=-10.37",
    remark="−10.3735, natural logarithm; nine of them make an NLL of 93.36.",
)

claim(
    "pt-product-tinier",
    Every(
        Always(And(u * v < u, u * v < v), label="a product is below each of its factors"),
        Always(nll([u, v]) > nll([u]), using=(log_sign(v),), label="its NLL is above that of a factor"),
    ),
    chances,
    because=(
        On(Domain(t > 0), Tends(exp(-t * z), z, oo, 0, "-", label="z tokens of NLL t each: the product vanishes")),
        On(share, Equal(nll([p] * 9), -9 * log(p), label="the NLL of nine tokens of chance p")),
    ),
    kind="inequality",
    locator="Sec 2",
    title="Products of probabilities, and sums of their logarithms",
    printed=(
        r"\text{instead of multiplying really really tiny numbers and getting tinier numbers still, we can "
        r"simply add up a few reasonably sized numbers}"
    ),
)

# -- logarithms, the loss ---------------------------------------------------------------------------------------------
positive = Domain(u > 0, v > 0)
tokens = [pi[place] for place in range(1, 10)]

claim(
    "pt-log-product-monotone",
    Every(
        Equal(log(u * v), log(u) + log(v), label="the logarithm of a product"),
        Always(
            Equivalent(u < v, log(u) < log(v)),
            using=(log_increasing(u, v),),
            label="larger exactly when the logarithm is",
        ),
    ),
    positive,
    because=(
        Monotone(log(u), u, 1, label="strictly increasing"),
        Tends(log(u), u, 0, -oo, label="a probability of zero is the worst for both"),
    ),
    locator="Sec 2",
    title="The logarithm of a product, and its monotonicity",
    printed=(
        r"\log(a\cdot b)=\log(a)+\log(b)\text{ … Since log is a nice monotonic function maximizing }x\text{ and "
        r"maximizing }\log(x)\text{ means the same thing}"
    ),
    remark=(
        "For positive quantities, such as probabilities that are not zero: of others the logarithm has no value, "
        "though they may have a maximum."
    ),
)

claim(
    "pt-log-objective",
    Every(
        On(
            Domain(positives(pi, n), n >= 1),
            any_length(
                log(TextProduct(pi[o], o)), TextSum(log(pi[o]), o), "any number of positive factors", along=written
            ),
        ),
        Always(
            Equivalent(u < v, nll([u]) > nll([v])),
            using=(log_increasing(u, v),),
            label="maximising one minimises the other",
        ),
    ),
    positive,
    because=(
        On(
            Domain(positives(pi, n), n >= 1),
            any_length(-log(TextProduct(pi[o], o)), TextSum(-log(pi[o]), o), "the loss, for any length", along=written),
        ),
    ),
    kind="equivalence",
    depends_on=["pt-log-product-monotone"],
    locator="Sec 2",
    title="Product of probabilities, sum of logarithms and loss as one objective",
    printed=(
        r"\text{Maximize: }\sum_{t=1}^9\log(\pi(a_t|\vec s_t))\text{ … Minimize: }Loss=-\sum_{t=1}^T\log(\pi(a_t|\vec "
        r"s_t))"
    ),
)

claim(
    "pt-logs-negative",
    Every(
        Always(And(log(u) < 0, nll([u]) > 0), using=(log_sign(u),), label="the logarithm of a probability below one"),
        On(Domain(x < 0, y < 0), Always(Equivalent(x > y, Abs(x) < Abs(y)), label="larger is smaller in magnitude")),
    ),
    chances,
    because=(Always(nll([u, v]) > 0, using=(log_sign(u), log_sign(v)), label="so the loss is positive"),),
    kind="inequality",
    depends_on=["pt-softmax-law"],
    locator="Sec 2",
    title="Signs of log-probabilities and of the loss",
    printed=(
        r"\text{all the log numbers are going to be always negative … So maximizing a negative number means you are "
        r"minimizing its magnitude since }-5\text{ is greater than }-10"
    ),
    remark="A softmax keeps every probability strictly below one (pt-softmax-law). Without that: pt-prob-less-than-1.",
)

claim(
    "pt-eq1-nll",
    any_length(
        TextSum(-log(pi[o]), o),
        -log(TextProduct(pi[o], o)),
        "any vocabulary and length: minus the logarithm of the text's probability",
        along=written,
    ),
    vocabulary,
    depends_on=["pt-chain-rule-sequence", "pt-log-objective"],
    locator="Sec 2, (1)",
    title="The loss of a text",
    printed=r"NLL(\vec{text},M)=-\sum_{t=1}^T\log(\pi_M(a_t\mid\vec s_t))",
    remark="The first summand is log π_M(a_1), its state s_1 being empty.",
)

claim(
    "pt-likelihood-reading",
    Always(
        Equivalent(nll([u]) < nll([v]), u > v),
        using=(log_increasing(v, u),),
        label="the smaller loss is the larger likelihood",
    ),
    positive,
    kind="convention",
    depends_on=["pt-eq1-nll"],
    locator="Sec 2",
    title="Minimising the loss and maximising the likelihood",
    printed=(
        r"\text{the probability of the tokens under the model can also be thought of as the likelihood of the model "
        r"given the tokens. … So you can say you are maximizing the likelihood function}"
    ),
)

prior = Domain(0 < x, x <= 1, 0 < y, y <= 1, 0 < p, p < 1)
# Of two models the first was p likely beforehand: the probability of it and the text over that of the text.
posterior = p * x / (p * x + (1 - p) * y)

claim(
    "pt-more-likely-better",
    Every(
        Equal(
            posterior / (1 - posterior),
            p / (1 - p) * (x / y),
            label="odds after = odds before × ratio of the likelihoods",
        ),
        Always(Equivalent(posterior > p, x > y), label="the better likelihood makes a model more likely than it was"),
    ),
    prior,
    because=(
        Always(
            Equivalent(posterior.subs(p, half) > half, x > y),
            label="of two models equally likely beforehand the one of the larger likelihood is the likelier",
        ),
    ),
    kind="modelling",
    locator="Sec 2, after (1)",
    title="Posterior odds of two models: likelihoods x and y, prior p of the first",
    printed=r"\text{The model that gives us better values of probabilities is more likely to be a better model}",
    judged=imprecise(
        "More likely than before, yes; that it is then more likely than the other model is certain only if it was not "
        "less likely beforehand.",
        Always(
            Implies(x > y, posterior > half), label="the model with the better likelihood is the likelier of the two"
        ),
    ),
)

claim(
    "pt-nll-gradient",
    Equal(
        Derivative(log(weights) - Sum(ref[o] * r[o], (o, 1, n)), r[o_]),
        exp(r[o_]) / weights - ref[o_],
        label="samples with the shares π_ref: probability minus share",
    ),
    logits.also(simplex(ref, n)),
    locator="Sec 2, after (1)",
    title="Gradient of the loss in the logits",
    printed=r"\text{We can use gradient descent to minimize the loss once you have a loss function}",
    remark=(
        "Probability minus one for the token of a text, probability for the others: bounded, however small the "
        "probability."
        " r are the logits, and π_ref is the law of the samples."
    ),
)

# -- many samples: (2) ------------------------------------------------------------------------------------------------
group = Domain(positives(pi, G), G >= 1)

claim(
    "pt-eq2-sft",
    any_length(
        TextSum(-log(pi[o]), o),
        -log(TextProduct(pi[o], o)),
        "the sum of the losses is minus the logarithm of the likelihood of the collection",
        along=several_samples,
    ),
    group,
    depends_on=["pt-eq1-nll"],
    locator="Sec 2, (2)",
    title="The loss of supervised fine-tuning",
    printed=(
        r"SFTLoss=\text{Average of }NLL(\vec{text},M)\text{ for all }\vec{text}\text{ in }\mathcal S=\frac1S"
        r"\sum_{i=1}^SNLL(\vec{text}_i,M)"
    ),
    remark=(
        "For samples drawn independently it is −(1/S) log of their likelihood, so its minimiser is the "
        "maximum-likelihood model. π(a_t) is the probability of sample t, T is the paper's S, G the number of texts "
        "that can be drawn."
    ),
)

loss = cross_entropy(ref, pi, answers, o)  # (2), the samples counted by the shares of what they are
two_laws = Domain(simplex(pi, n), simplex(ref, n), n >= 2)
# N samples; the number (i − 1)n + o of a list is 1 where sample i is o, and 0 where it is not.
is_kind = datum[(i - 1) * n + o]
kinds = Sum(is_kind, (i, 1, N)) / N  # the share of kind o
claim(
    "pt-nll-is-cross-entropy",
    Equal(
        Sum(-is_kind * log(pi[o]), (o, 1, n), (i, 1, N)) / N,
        Sum(-kinds * log(pi[o]), (o, 1, n)),
        label="any number of samples, whatever they are: of their shares with the model",
    ).by(Exchanged()),
    Domain(simplex(pi, n), n >= 2, N >= 1, reals(datum, N * n)),
    depends_on=["pt-eq2-sft"],
    locator="Sec 2, after (1)",
    title="The loss as a cross entropy",
    printed=r"\text{The NLL loss is also referred to as the “cross entropy loss”}",
    remark=("x(n(i − 1) + o) is 1 where sample i is o, and 0 where it is not."),
)

claim(
    "pt-sft-minimiser",
    AtLeast(
        loss,
        entropy(ref, answers, o),
        (Eq(ref[o], pi[o]),),
        label="least where the model has the frequencies, and there only",
    ).by(Gibbs((Divergence(ref[o], pi[o], o, 1, n),))),
    two_laws,
    because=(
        Equal(
            loss - entropy(ref, answers, o),
            Sum(-ref[o] * log(pi[o] / ref[o]), (o, 1, n)),
            label="loss above that of the frequencies: KL(frequencies ‖ model)",
        ),
        Equal(
            partial(loss, pi[o_]),
            -ref[o_] / pi[o_],
            label="the slope of the loss in a probability: alike for all where the model has the frequencies",
        ),
    ),
    kind="optimality",
    depends_on=["pt-nll-is-cross-entropy"],
    locator="Sec 2, (2)",
    title="Minimiser of the loss, with π_ref for the frequencies of the samples",
    remark="With the next tokens of one state for the samples: the empirical frequency of each of them.",
)

# -- the answer alone -------------------------------------------------------------------------------------------------
text = (1, 2, 1)
asked = vocabulary.also(0 < x, x <= 1)  # a question of the probability x, whose state is the one before the answer
claim(
    "pt-answer-only-nll",
    any_length(
        TextSum(-log(pi[o]), o),
        log(x) - log(x * TextProduct(pi[o], o)),
        "answers of any length: −log of the probability given the question, the whole less the question",
        along=written,
    ),
    asked,
    depends_on=["pt-eq1-nll"],
    locator="Sec 2, after (2)",
    title="The loss of the answer alone, x being the probability of the question",
    printed=(
        r"\text{we could calculate the NLL starting from token }t\text{ where }t\text{ is the first token of the "
        r"answer}"
    ),
    remark="The state is the question, and the sum runs over the tokens of the answer.",
)

answer_token = policy_1[1, 2, 1]
chances_of_text = [binary_text.probability(a, state) for a, state in steps(text)]
shared = Domain(0 < x, x < 1)  # one parameter: the question's token has the probability x, the answer's 1 − x
claim(
    "pt-answer-only-same-aim",
    Every(
        On(
            Domain(*(0 < chance for chance in chances_of_text)),
            Equal(
                Derivative(text_nll(binary_text, text, 3), answer_token),
                Derivative(text_nll(binary_text, text), answer_token),
                label="what moves only the answer has the same gradient",
            ),
        ),
        OnlyMaximum(
            nll([x, 1 - x]), x, half, sense=-1, label="a shared parameter: the loss of the whole text is least at ½"
        ),
        Monotone(nll([x, 1 - x], 2), x, 1, label="the loss of its answer alone falls as x → 0"),
    ),
    shared,
    because=(
        On(
            on(binary_text),
            Equal(
                text_nll(binary_text, text, 3).diff(policy_1[1]),
                0,
                label="the slope of the answer's loss in π₁(1), a chance of the question",
            ),
        ),
    ),
    depends_on=["pt-answer-only-nll"],
    locator="Sec 2, after (2)",
    title="Leaving out the question: gradients and minimisers",
    printed=r"\text{This does not change anything we discussed above, other than the slight change to NLL definition}",
    remark="It is the NLL of the answer given the question, so (1) and (2) keep their form. Its minimiser can be "
    "another one if question and answer share parameters, as they do in a network: in the example the token of the "
    "question has the probability x, that of the answer 1 − x. In the first part the question is (1, 2), the answer 1.",
)
