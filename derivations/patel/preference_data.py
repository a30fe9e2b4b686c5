"""Rejection sampling and preference models: the best of a group, binary cross entropy, collapse, greedy decoding.

Statement.   The recorded preference's loss is −log P(text_w). Fine-tuning on the best of G outputs improves their
             score on average and, repeated, moves all probability to one answer. Taking the likeliest token is sampling
             at temperature zero.
Source.      Patel (2025), Section 3; Section 4, opening paragraph.
Domain.      Policies with full support; groups of G ≥ 2; the answers have distinct scores and are listed from the best.
Derivation.  The law of the best of a group from those of its members; fine-tuning on infinitely many of its samples
             gives that law (pt-sft-minimiser).
Caveats.     Finite samples, shared parameters and tied scores are left out of the collapse.
Letters.     p is the chance that the first text is preferred; t is a recorded preference, 1 or 0, the share of people
             who prefer the first text, or a score that no output exceeds; r(i) are the preferences of several people,
             the scores of several outputs, or logits. x is the probability of the best answer, or of the upper part of
             the ranking; u and v are qualities or chances of acceptance of two answers; t, u and v are also logits. In
             pt-bestof-collapse s is log(1 − x) and t is −s, r(k) is log P(other answers) after k rounds; z is G^k, u is
             log G and v a number of rounds. In pt-bestof-not-rejection (1 − x)^(G − 1) is exp(−t) in the end. In
             pt-preference-complement u are the odds of the first text by what the two say, z by what the odds of the
             text in the first place are multiplied. Under a temperature v the second and the third logit lie y and z
             below the first; in pt-bce-minimiser z is a small number. π₁(…) is the probability of a token after those
             before it.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

# -- the preference model ---------------------------------------------------------------------------------------------
inside = Domain(0 < p, p < 1)
loss = binary_cross_entropy(t, p)  # t is the recorded preference hp

claim(
    "pt-bce",
    Every(
        Monotone(loss.subs(t, 1), p, -1, label="hp = 1: minimal where P(text_i) is maximal"),
        Monotone(loss.subs(t, 0), p, 1, label="hp = 0: minimal where P(text_j) = 1 − P(text_i) is maximal"),
    ),
    inside,
    because=(
        Equal(loss.subs(t, 1), nll([p]), label="the loss at hp = 1"),
        Equal(loss.subs(t, 0), nll([1 - p]), label="the loss at hp = 0"),
        Equal(sum(binary(p)), 1, label="the chances of both texts to be preferred, added"),
    ),
    depends_on=["pt-log-objective"],
    locator="Sec 3",
    title="Binary cross entropy of a recorded preference",
    printed=(
        r"-hp\cdot\log(P(\vec{text}_i))-(1-hp)\cdot\log(1-P(\vec{text}_i))\text{ And so when human preference }hp=1"
        r"\text{ then }P(\vec{text}_i)\text{ is being maximized and when }hp=0\text{ then }P(\vec{text}_j)=1-P("
        r"\vec{text}_i)\text{ is being maximized}"
    ),
    remark="For 0 < P < 1. At P = 1 the unused term is 0·log 0, to be read as its limit 0 (pt-bce-minimiser).",
)

# Both orders of two texts: u the odds of the first against the second by what they say, z what the first place adds.
in_order, exchanged = u * z / (1 + u * z), z / (u + z)
claim(
    "pt-preference-complement",
    Every(
        Equal(
            in_order + exchanged - 1,
            u * (z**2 - 1) / ((1 + u * z) * (u + z)),
            label="both orders: by what the two probabilities miss the sum 1",
        ),
        Always(
            Equivalent(Eq(in_order + exchanged, 1), Eq(z, 1)), label="they add up to 1 exactly if no place is favoured"
        ),
    ),
    Domain(u > 0, z > 0),
    because=(
        On(inside, Equal(sum(binary(p)), 1, label="one order: the chances of both texts to be preferred, added")),
    ),
    depends_on=["pt-bce"],
    locator="Sec 3",
    title="Both orders of a pair: odds u of the first text, times z for the first place",
    printed=(
        r"\text{it returns a single probability of the first input being preferred by human, let's call it }"
        r"P(\vec{text}_i)\text{, since the other probability will simply be }P(\vec{text}_j)=1-P(\vec{text}_i)"
    ),
    remark="Of one call. What the model returns with text_j as the first input adds up to 1 with P(text_i) only if no "
    "place is favoured. A reward for each text, as in Section 4.4, has no places.",
)

winner = {1: p, 0: 1 - p}  # P(text_w): of the text that was preferred
claim(
    "pt-bce-winner",
    On(
        inside.also(0 <= t, t <= 1),
        Every(
            *(
                Always(Implies(Eq(t, preferred), Eq(loss, -log(chance))), label=f"hp = {preferred}")
                for preferred, chance in winner.items()
            ),
        ),
    ),
    inside,
    because=(
        *(
            Equal(loss.subs(t, preferred), -log(chance), label=f"the loss at hp = {preferred}")
            for preferred, chance in winner.items()
        ),
        Equal(exp(-loss.subs(t, 0)), 1 - p, label="exp(−loss) is the probability of the winner, at hp = 0"),
        Always(
            And(loss.subs(t, 0) > 0, loss.subs(t, 1) > 0),
            using=(log_sign(p), log_sign(1 - p)),
            label="both are positive, so that no loss is perfect",
        ),
    ),
    kind="equivalence",
    depends_on=["pt-bce"],
    locator="Sec 3",
    title="The loss of the winning text",
    printed=r"Loss=-\log(P(\vec{text}_w))",
    remark=("t is hp, the recorded preference, and p the chance of the first text."),
)

mean = Sum(r[i], (i, 1, G)) / G
claim(
    "pt-bce-average",
    Equal(
        Sum(binary_cross_entropy(r[i], p), (i, 1, G)) / G,
        binary_cross_entropy(mean, p),
        label="one pair of texts, many people: the share of those who prefer the first",
    ),
    Domain(reals(r, G), G >= 1, *inside.constraints),
    depends_on=["pt-bce"],
    locator="Sec 3",
    title="The average over recorded preferences on one pair",
    printed=r"\text{in the same way, to get the average loss we simply take an average over all prompts}",
    remark="Over prompts the average is a definition; over the people who are asked of one pair it is the loss of "
    "their share.",
)

claim(
    "pt-bce-minimiser",
    OnlyMaximum(loss, p, t, sense=-1, label="the share is the only minimiser"),
    Domain(0 < t, t < 1, *inside.constraints),
    because=(
        Tends(loss, p, 0, oo, label="the loss grows without bound as P → 0"),
        Tends(loss, p, 1, oo, "-", label="the loss grows without bound as P → 1"),
        On(inside, Tends(loss.subs(t, 0), p, 1, oo, "-", label="for a certainty that fails, too: hp = 0 and P → 1")),
        Tends(z * log(z), z, 0, 0, label="where a certainty holds, the unused term 0·log 0 counts as 0"),
    ),
    kind="optimality",
    depends_on=["pt-bce-average"],
    locator="Sec 3",
    title="Minimiser of the preference model's loss, t the share of people who prefer the first text",
    remark="If everybody always agrees, there is no minimiser with 0 < P < 1 (pt-bce).",
)

# -- the best of a group ----------------------------------------------------------------------------------------------
pair = Domain(0 < x, x < 1)

claim(
    "pt-bestof-quality",
    AtLeast(
        t,
        mean,
        (Eq(r[i], t),),
        label="in every group the best is above the average, unless all scores tie",
        given=(r[i] <= t,),
    ).by(TermByTerm((Sum((t - r[i]) / G, (i, 1, G)),))),
    Domain(reals(r, G), G >= 2, t),
    kind="inequality",
    locator="Sec 3",
    title="Quality of the best of a group against the average response",
    printed=(
        r"\text{This should allow us to curate a model generated dataset that is of higher quality than the average "
        r"model response}"
    ),
    remark=("In every group, and so on average, by the measure that ranks. By another measure: pt-bestof-hacking."),
)

cost = Domain(n >= 1, G >= 1, k >= 1)  # n prompts, G responses to each, k tokens in a response
passes = Sum(1, (o, 1, n), (j, 1, G), (i, 1, k))
claim(
    "pt-million-passes",
    Every(
        Equal(Sum(1, (o, 1, n), (j, 1, G)), n * G, label="responses"),
        Equal(passes, n * G * k, label="forward passes, one for each token"),
    ),
    cost,
    because=(
        Exists(
            And(n * G < 10**6 + 1, n * G > 10**6 - 1),
            {n: 10**5, G: 10, k: 1},
            label="ten for each of 100k prompts are a million",
        ),
        Equal(passes / Sum(1, (o, 1, n), (i, 1, k)), G, label="G times the work of one response to each prompt"),
    ),
    kind="numeric",
    locator="Sec 3, item 3",
    title="Responses and forward passes of rejection sampling: n prompts, G candidates, k tokens",
    printed=(
        r"\text{If we generate 10 candidates for each of 100k prompts, that’s 1 million model forward passes to "
        r"sift out 100k best samples}"
    ),
    judged=imprecise(
        "A million responses. A forward pass of a language model yields one token, so there are as many passes "
        "as tokens, the one over the prompt, which yields the first, included.",
        Equal(passes, n * G, label="as many forward passes as responses"),
    ),
)

logits = Domain(t, u, v)
policy = softmax((t, u, v))
chosen = nll([policy[0]])
powers = Sum(exp(r[i]), (i, 1, n))
slope_of_chosen = exp(r[j]) / powers - KroneckerDelta(o, j)
claim(
    "pt-purely-positive",
    On(
        Domain(n >= 2, reals(r, n), 1 <= o, o <= n, 1 <= j, j <= n),
        Every(
            Equal(
                Derivative(log(powers) - r[o], r[j]),
                slope_of_chosen,
                label="any number of answers, r their logits, o the chosen one: the slope of its NLL in each",
            ),
            Always(
                exp(r[j]) / powers > 0, label="in the logit of another it is that one's probability, which is positive"
            ),
        ),
    ),
    logits,
    kind="modelling",
    depends_on=["pt-nll-gradient"],
    locator="Sec 3, item 2",
    title="The loss of the chosen answer and the logits of the others",
    printed=r"\text{The feedback is purely positive (on the chosen answer) and not negative on the others}",
    judged=imprecise(
        "The loss is a function of the probability of the chosen answer, and of no score. Yet the others are not left "
        "alone: a step lowers the logit of every other answer, right or wrong, in proportion to its probability.",
        Equal(chosen.diff(u), 0, label="a step leaves the other answers where they were"),
    ),
)

# -- collapse ---------------------------------------------------------------------------------------------------------
claim(
    "pt-bestof-law",
    ForRandom(
        Eq(1 - MeanOf(Product(r[i], (i, 1, G))), 1 - (1 - x) ** G),
        (Random(r, i, 1, G, mean=1 - x, independent=True),),
        label="one of G answers, and so the best, is in the upper part x of the ranking, r being 1 for an answer below "
        "it and 0 above",
    ),
    Domain(0 < x, x < 1, G >= 1),
    depends_on=["pt-sft-minimiser"],
    locator="Sec 3, steps 1–5",
    title="One round of rejection sampling and fine-tuning",
    remark=(
        "Distinct scores, a tabular model, infinitely many samples: by pt-sft-minimiser the model becomes the "
        "law of its training data."
        " r(i) is 1 for an answer below the upper part of the ranking, of probability x, and else 0."
    ),
)

# How best-of-G multiplies the odds of the better answer: (1 − (1 − x)^G)/(1 − x)^G by pt-bestof-law, x/(1 − x) before.
kept = (1 - exp(G * log(1 - x))) / exp((G - 1) * log(1 - x)) / x


def kept_of(size):
    """The same for a size that is a number."""
    return (1 - (1 - x) ** size) / (1 - x) ** (size - 1) / x


claim(
    "pt-bestof-not-rejection",
    Every(
        On(
            Domain(0 < x, x < 1, 0 < u, u <= 1, 0 < v, v <= 1),
            Equal(
                (x * u / (x * u + (1 - x) * v)) / ((1 - x) * v / (x * u + (1 - x) * v)) * (1 - x) / x,
                u / v,
                label="accepting the answers with chances u and v: the factor u/v, whatever the policy",
            ),
        ),
        *(
            Monotone(
                cancel(kept_of(size)),
                x,
                1,
                label=f"best-of-G has no such factor, best of {size}: what multiplies the odds grows with x",
            )
            for size in (2, 3, 4, 8)
        ),
        On(Domain(G >= 2), Tends(kept, x, 0, G, label="this factor of the odds tends to G as x → 0, for every G")),
        *(
            Tends(kept_of(size), x, 1, oo, "-", label=f"best of {size}: the factor tends to ∞ as x → 1")
            for size in (2, 3, 4, 8)
        ),
        Tends(
            (1 - (1 - x) * exp(-t)) / exp(-t) / x,
            t,
            oo,
            oo,
            "-",
            label="the factor is unbounded in G: exp(−t) for (1 − x)^(G − 1)",
        ),
    ),
    pair,
    kind="equivalence",
    depends_on=["pt-bestof-law"],
    locator="Sec 3",
    title="Best-of-G against von Neumann's rejection sampling",
    short=(
        "best-of-G has no such factor, best of 2: what multiplies the odds grows with x",
        "best-of-G has no such factor, best of 3: what multiplies the odds grows with x",
        "best-of-G has no such factor, best of 4: what multiplies the odds grows with x",
        "best-of-G has no such factor, best of 8: what multiplies the odds grows with x",
    ),
    remark=(
        "Section 3 names von Neumann for it. Rejection sampling accepts each draw by a chance of its own, which "
        "multiplies the odds of two answers by a fixed factor. Under best-of-G an answer is kept or not according to "
        "the others in its group. The fractions are the factors (1 − (1 − x)^G)/(x(1 − x)^(G − 1)) by which best-of-G "
        "multiplies the odds, for G = 2, 3, 4, 8."
    ),
)

claim(
    "pt-bestof-collapse",
    Every(
        On(
            Domain(G >= 2, s),
            ForEveryNumber(
                Eq(r[k], Product(G, (j, 1, k)) * s),
                k,
                1,
                (reals(r, k),),
                (Eq(r[k + 1], G * r[k]),),
                (Eq(r[1], G * s),),
                label="any number of rounds, each of which multiplies log P(other answers), first s, by G",
            ).by(Induction()),
        ),
        On(Domain(t > 0), Tends(1 - exp(-t * z), z, oo, 1, "-", label="with z = G^k: the top answer takes everything")),
    ),
    pair,
    because=(
        On(
            Domain(t > 0, G >= 3),
            Always(
                exp(-G * t) < exp(-2 * t),
                using=(exp_increasing(-G * t, -2 * t),),
                label="larger groups than pairs lose the rest faster; 1 − x = exp(−t)",
            ),
        ),
        On(Domain(u > 0), Tends(exp(u * v), v, oo, oo, "-", label="G^k grows beyond all bounds: u = log G, v rounds")),
        Tends(-x * log(x) - (1 - x) * log(1 - x), x, 1, 0, "-", label="nothing is left of the diversity (entropy)"),
    ),
    kind="limit",
    depends_on=["pt-bestof-law"],
    locator="Sec 3, item 4; Sec 4.5",
    title="Repeated best-of-G fine-tuning",
    printed=(
        r"\text{Without any counterbalance, repeatedly fine-tuning on only top outputs can drive the model "
        r"distribution to collapse around patterns that the scorer loves}"
    ),
    remark=(
        "“Can” asks for an example: with distinct scores the model collapses to the scorer's favourite, however "
        "unlikely at first: x > 0 is all it takes. The rest vanishes doubly exponentially in the number "
        "of rounds."
    ),
)

# The scorer's favourite has the quality u, the other answer the higher v.
remains = exp(G * log(1 - x))  # (1 − x)^G, what the best of G leaves the other answer (pt-bestof-law)
claim(
    "pt-bestof-hacking",
    Always(
        (1 - remains) * u + remains * v < x * u + (1 - x) * v,
        using=(log_sign(1 - x), exp_increasing(G * log(1 - x), log(1 - x))),
        label="each round lowers the quality, whatever the size of the group",
    ),
    Domain(0 < x, x < 1, u > 0, u < v, G >= 2),
    because=(
        On(
            Domain(0 < x, x < 1, u > 0, u < v),
            Equal(
                x * u + (1 - x) * v - ((1 - (1 - x) ** 2) * u + (1 - x) ** 2 * v),
                x * (1 - x) * (v - u),
                label="best of 2: lower by this much",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["pt-bestof-law"],
    locator="Sec 3, item 4",
    title="Over-optimising the criterion",
    printed=(
        r"\text{if the reward model or human annotator inadvertently prefers verbose answers, the model might "
        r"converge to always giving overly long answers}"
    ),
    remark="“Might” asks for an example: two answers, of which the criterion prefers the worse, of probability x; u "
    "and v are their qualities. Each round lowers the mean quality, and in the end the favourite alone is left "
    "(pt-bestof-collapse).",
)

# -- greedy decoding --------------------------------------------------------------------------------------------------
spread = Domain(y > 0, z > 0)  # how far the second and the third logit lie below the first
cold = tempered((0, -y, -z), v)
claim(
    "pt-greedy-policy",
    Tends(cold[0], v, 0, 1, label="temperature → 0: the likeliest token, always"),
    spread,
    because=(
        Tends(cold[1], v, 0, 0, label="the second token gets nothing"),
        Tends(
            tempered((0, 0, -z), v)[0],
            v,
            0,
            Rational(1, 2),
            label="logits 0, 0 and −z: the first of the two that tie gets one half",
        ),
        On(
            Domain(t, u, v > 0),
            Equal(
                tempered((t, u), 1)[0],
                1 / (1 + exp(u - t)),
                label="two tokens of logits t and u at temperature 1: the model itself",
            ),
        ),
        Tends(cold[0], v, oo, Rational(1, 3), "-", label="temperature → ∞: all tokens alike"),
    ),
    kind="limit",
    locator="Sec 4",
    title="Greedy decoding as the limit at temperature zero: three tokens, logits 0, −y and −z",
    printed=(
        r"\text{You then sample the action }a_t\text{ from this probability distribution. For example, you could "
        r"simply take the token with highest probability as }a_t"
    ),
    judged=imprecise(
        "Taking the likeliest token is not sampling from this distribution but from its limit at temperature 0, "
        "where that token is unique.",
        Equal(
            Piecewise((1, x > Rational(1, 2)), (0, True)),
            x,
            label="two tokens: the greedy choice is the first as often as the model samples it",
        ),
        Domain(0 < x, x < 1, Ne(x, Rational(1, 2))),
    ),
)

tree = TokenTree(2, 2).policy(policy_1)
tokenwise = And(*(tree.probability(1, state) >= tree.probability(2, state) for state in tree.tree.states()))
claim(
    "pt-greedy-text",
    Exists(
        And(
            policy_1[1] > 1 - policy_1[1],
            policy_1[1, 1] > 1 - policy_1[1, 1],
            tree.reaches((2, 1)) > tree.reaches((1, 1)),
        ),
        {policy_1[1]: Rational(3, 5), policy_1[1, 1]: Rational(11, 20), policy_1[2, 1]: Rational(9, 10)},
        label="yet another text can be likelier: 0.36 against 0.33",
    ),
    Domain(*tree.constraints()),
    because=(
        When(
            tokenwise,
            Always(
                tree.reaches((1, 1)) >= tree.reaches((1, 2)),
                label="the greedy text (1, 1) is at least as likely as (1, 2), which parts from it at the end",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["pt-chain-rule-sequence"],
    locator="Sec 4",
    title="Greedy text (1, 1) and a likelier text (2, 1): an example of two tokens out of two",
)
