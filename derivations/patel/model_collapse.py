"""Why a model can collapse: updates on a sample of the questions, and a reward that never saw bad texts.

Statement.   One model answers two questions, and the updates use the first. The slope of its success there is positive.
             Over both questions, of weight z < ½ and 1 − z, a step from ½ to x > ½ gains for x < 1/(2(1 − z)) and loses
             beyond; beyond (2 − z)/(4(1 − z)) every further step up loses. Pairs of one quality say nothing of what
             quality is worth: where formatting is worth more, the reward of an incoherent but formatted text exceeds
             that of a coherent plain one, and the policy with a KL penalty tends to it as the weight of formatting
             grows.
Source.      Patel (2025), Section 4.5, the two reasons for model collapse.
Domain.      Two tokens; the trained question asks for the first token, the other for two different ones; 0 < z < ½. A
             reward that is linear in formatting and coherence, pairs of the same coherence; β > 0.
Derivation.  Expected rewards of both questions, text by text → their slopes in the one parameter → where the sum turns.
             The loss (6) of a pair → its slopes in the two weights → the tilted policy.
Caveats.     Examples of what can happen. How much of it happens in a network is a question for experiments.
Letters.     z is the weight of the trained question; x is the success on it after a step, y that before. In
             pt-reward-never-saw-bad u and v are the weights of formatting and of coherence in the reward, s and t the
             formatting of the better and of the worse formatted text, y the coherence of the former and d by how much
             the latter is more coherent; p is what π_0 gives to the formatted, incoherent text of two, R the reward and
             Z what makes π_0 e^{R/β}/Z a law.
"""

from itertools import product

from grpo_symbolic.paper import *

claim = Result(__file__).claim

# -- a sample of the questions ----------------------------------------------------------------------------------------
law = {1: x, 2: 1 - x}  # of the next token, the same for both questions and after every token
trained = Add(*(law[a] for a in law if a == 1))
other = Add(*(law[a] * law[b] for a, b in product(law, law) if a != b))
weight = z  # of the trained question among all questions
overall = weight * trained + (1 - weight) * other
start, turn = Rational(1, 2), (2 - weight) / (4 * (1 - weight))
uneven = Domain(0 < x, x < 1, 0 < weight, weight < start)
per_logit = x * (1 - x)  # dx/dz of a softmax, by which a step on the trained question moves x

claim(
    "pt-sample-improves-overall-worsens",
    Every(
        On(
            uneven.also(x > start),
            Always(
                Equivalent(overall < overall.subs(x, start), 2 * (1 - weight) * x > 1),
                label="a step from ½ to x: worse overall",
            ),
        ),
        On(
            uneven.also(0 < y, y < x),
            Always(
                Implies(y >= turn, overall < overall.subs(x, y)), label="step after step: from the turn on always worse"
            ),
        ),
    ),
    uneven,
    because=(
        Always(
            per_logit * diff(trained, x) > 0, label="the slope of the success on the trained question, along the logit"
        ),
        Always(
            Equivalent(diff(overall, x) > 0, x < turn),
            label="a small step helps over both questions before the turn, and not after it",
        ),
    ),
    kind="inequality",
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 4.5",
    title="Success x on the trained question of weight z, 2x(1 − x) on the other: an example",
    printed=(
        r"\text{If we make large updates to model parameters, it is entirely possible that while the model improves on "
        r"the training sample, it gets worse overall. Doing this repeatedly can continue to make the model worse.}"
    ),
    remark=(
        "“Possible” and “can” ask for an example: two questions and one parameter. From ½ a small step helps, a large "
        "one does not: the size of the update is what matters, as the sentence says."
    ),
)

# -- a reward that never saw a bad text -------------------------------------------------------------------------------
formatting, coherence = u, v  # what each is worth


def reward(formatted, coherent):
    """A reward that is linear in the two features of a text."""
    return formatting * formatted + coherence * coherent


# The better formatted text, by s − t > 0, is preferred; y is its coherence.
worse, better = reward(s, y), reward(t, y + shift)  # worse and better by coherence, by d
any_pair_loss = reward_loss(worse, better)
loss_of_features = reward_loss(formatting * (s - t), coherence * shift)  # by the differences of the two
pairs = Domain(u, v, s, t, t < s, y)
gain = reward(1, 0) - reward(0, 1)  # formatted and incoherent against plain and coherent
tilted = p * exp(gain / beta) / (1 - p + p * exp(gain / beta))  # π_0 e^{R/β}/Z, of the two texts

claim(
    "pt-reward-never-saw-bad",
    Every(
        On(
            pairs.also(shift),
            Equal(
                Derivative(loss_of_features, coherence),
                shift * sigmoid(coherence * shift - formatting * (s - t)),
                label="the slope in the weight v of coherence: none for a pair of one coherence, d = 0",
            ),
        ),
        On(
            pairs.also(shift),
            Always(
                diff(loss_of_features, formatting) < 0,
                using=(exp_positive(coherence * shift - formatting * (s - t)),),
                label="the loss falls in the weight u of formatting",
            ),
        ),
        On(
            pairs.also(shift),
            Always(
                Equivalent(formatting * (s - t) > coherence * shift, worse > better),
                label="where the better formatted text has the higher reward",
            ),
        ),
        On(
            Domain(v, beta > 0, 0 < p, p < 1),
            Tends(
                p / (p + (1 - p) * exp((v - u) / beta)),
                formatting,
                oo,
                1,
                label="the policy tends to the formatted, incoherent text as u grows",
            ),
        ),
    ),
    pairs,
    because=(
        On(
            Domain(u, v, beta > 0, 0 < p, p < 1),
            Equal(tilted, p / (p + (1 - p) * exp((v - u) / beta)), label="the penalised policy of the two texts"),
        ),
        On(
            pairs.also(shift), Equal(any_pair_loss, loss_of_features, label="the loss (6), by what the texts differ in")
        ),
        On(
            Domain(u, v),
            Always(Implies(u > v, gain > 0), label="the incoherent text has the higher reward where u > v"),
        ),
    ),
    kind="limit",
    depends_on=["pt-eq6-reward-loss", "pt-rlhf-optimum"],
    locator="Sec 4.5",
    title="A reward with the weights u of formatting and v of coherence, fitted to pairs of one coherence",
    printed=(
        r"\text{Because the reward model has not been exposed to quality or coherence as key factors, it will focus on "
        r"formatting to distinguish preferred responses. The model can give high reward to well-formatted low-quality "
        r"incoherent responses, causing the main model to go into a destructive spiral "
        r"of prioritizing incoherent well-formatted responses to maximize reward.}"
    ),
    remark=(
        "“Can” asks for an example. The better formatted text is preferred, and by d the less coherent one. The loss "
        "(6) of a pair of one coherence, d = 0, has no slope in v and falls in u; as u grows, v fixed, the penalised "
        "policy π_0 e^{R/β}/Z of two texts tends to the incoherent one, for every β > 0. s and t are the formatting "
        "of the two texts, y the coherence of the better formatted one. In the last part one text is formatted and "
        "incoherent, the other plain and coherent; p is what π_0 gives to the first."
    ),
)
