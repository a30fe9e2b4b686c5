"""Value, action value and advantage of a token, and the generalized advantage estimator with both parameters one.

Statement.   V(s) = Σ_a π(a|s) E[R|s, a] = E[R|s] satisfies Bellman's equation with V = R at the end of a text. R −
             V(s_t) is an unbiased sample of the advantage Q(s_t, a_t) − V(s_t), and equals it at the last token.
             It is GAE with γ = λ = 1 if the reward comes with the last token and the value after the end is zero.
Source.      Patel (2025), Sections 4.2, 4.3, equation (4); Section 4.7 for the linearity of GAE.
Domain.      Tabular policies with full support: any vocabulary and length by what one more token adds; token trees (2
             tokens, horizon 3; 3 tokens, horizon 2) for expectations over whole texts in every state.
Derivation.  What one more token adds to an expectation over whole texts; telescoping sums.
Caveats.     The paper's R(text) in equation (4) is one draw, not an expectation, and its V(s_{T+1}) = R(text) is not
             the convention under which GAE telescopes.
Letters.     π₁(…) and π are the probabilities of the next token, ż the rate of its logit, R(…) and R the reward of a
             text, W(o) that expected after token o, r any numbers of a token, B a baseline, S the number of texts. s is
             the logit of the first of two tokens, η the step and u is exp(η/4). In GAE γ and λ are the discount and the
             credit, A(k) is the reward of token k and V(k) the value before it, A(k | 9) a second reward, or by how
             much V(k) is off; r and P are the rewards of two texts of k tokens, W the values of the states; u is the
             reward of the last token, c the factor by which one text enters the sum of two. In pt-gae-wrong-critic W is
             what the critic is off by and r(j) is (γλ)^(j − 1). In pt-value-play-out r are the rewards, of which d
             changes one: δ with two indices is 1 where they agree and else 0. Â_t is GAE's advantage of token t, and
             δ_t is A(t) + γV(t + 1) − V(t).
"""

from grpo_symbolic.objectives.policy_gradient import gae
from grpo_symbolic.paper import *

from .trees import any_length, at_states, mean, on_trees, one_model, reward

claim = Result(__file__).claim

state = Domain(n >= 2, simplex(pi, n), reals(onward, n))


DEEP = ((2, 3), (3, 2))  # their inner states are the roots of all smaller trees


def in_every_state(build):
    """``build(policy, state)`` gives an equation for each state of each tree."""
    return on_trees(lambda new, old: Every(*(build(new, s) for s in new.tree.states())), sizes=DEEP)


def after(at):
    """The state with these tokens, in words."""
    return f"after {', '.join(map(str, at))}" if at else "at the start"


def text_of(policy):
    """One text of the tree."""
    return policy.tree.texts()[1]


def q_value(policy, token, at):
    """E[R | s, a], over whole texts."""
    return policy.expectation(reward, (*at, token))


claim(
    "pt-value-function",
    at_states(Here(mean(whole_reward)), Sum(pi[o] * Ahead(mean(whole_reward)), (o, 1, n)), "any vocabulary and length"),
    one_model,
    because=(
        *in_every_state(
            lambda m, s: Equal(
                Add(*(m.probability(a, s) * q_value(m, a, s) for a in m.tree.tokens)),
                m.expectation(reward, s),
                label=f"the mean of the action values {after(s)}, and the expected reward there",
            )
        ),
    ),
    locator="Sec 4.2",
    title="The value of a state as the expected reward of the texts that begin with it",
    printed=(
        r"\text{if we knew the expected reward from selecting other tokens in the vocabulary as }a_t\text{ we could "
        r"calculate the expected reward that the model }M\text{ would generate for us at }\vec s_t\text{. This is "
        r"precisely what the value function }V_M(\vec s_t)\text{ is.}"
    ),
    remark="a_t does not figure in it: it is summed over.",
)

claim(
    "pt-bellman",
    at_states(Here(mean(whole_reward)), Sum(pi[o] * Ahead(mean(whole_reward)), (o, 1, n)), "any vocabulary and length"),
    one_model,
    because=(
        *in_every_state(
            lambda m, s: Equal(
                m.expectation(reward, s),
                Add(*(m.probability(a, s) * m.expectation(reward, (*s, a)) for a in m.tree.tokens)),
                label=f"the value {after(s)}, from those of the states that follow",
            )
        ),
        *on_trees(
            lambda new, old: Every(
                *(
                    Equal(
                        new.expectation(reward, text), reward(text), label="the value at the end of a text, its reward"
                    )
                    for text in new.tree.texts()[:2]
                )
            ),
            sizes=((2, 2),),
        ),
    ),
    depends_on=["pt-value-function"],
    locator="Sec 4.2",
    title="Bellman's equation",
    printed=(
        r"\text{if you know }V_M(\vec s_{t+1})\text{ for all possible values of }\vec s_{t+1}\text{ (meaning all "
        r"possible values of }a_t\text{ since }\vec s_t\text{ is fixed and }\vec s_{t+1}\text{ is simply a "
        r"concatenation of strings }\vec s_t+a_t\text{) then you can write }V_M(\vec s_t)\text{ in terms of those "
        r"terms.}"
    ),
    remark="The paper says only that V(s_t) can be written in terms of the V(s_{t+1}); this is how.",
)

claim(
    "pt-value-play-out",
    Every(
        Equal(
            Sum(pi[o_] * (r[o_] + shift * KroneckerDelta(o, o_)), (o_, 1, n)) - Sum(pi[o_] * r[o_], (o_, 1, n)),
            shift * pi[o],
            label="texts as single events: a change d of one reward counts by the chance of its text",
        ),
        any_length(mean(Average(whole_reward, S)), mean(whole_reward), "S texts played out: right on average"),
    ),
    one_model.also(reals(r, n), shift, S >= 1),
    depends_on=["pt-value-function"],
    kind="modelling",
    locator="Sec 4.2",
    title="The value by complete enumeration, and by a sample of texts",
    printed=(
        r"\text{This implies that the calculation of }V_M(\vec s_t)\text{ requires us to play out all possible "
        r"generations "
        r"by this model until the end - every combination}"
    ),
    remark=(
        "This is said of the exact value, for rewards of which nothing is known: each text counts by its "
        "probability. An estimate needs no more than one text: the mean reward of sampled texts is right on average, "
        "with the variance of the reward over their number (pt-is-variance-reduction)."
    ),
)

# Two tokens with the rewards 1 and 0, one update of the logit s from a single draw, at first s = 0.
chance = 1 / (1 + exp(-s))


def success_after(token_chance, token_reward, before):
    """π(first token) after a draw of a token, with this baseline."""
    moved = s + step_size * (token_reward - before) * diff(log(token_chance), s)
    return chance.subs(s, moved).subs(s, 0)


def expected_success(before):
    """Over the draw, which is even at s = 0."""
    return (success_after(chance, 1, before) + success_after(1 - chance, 0, before)) / 2


gained = (u - 1) ** 3 / (4 * (1 + u) * (1 + u**2))
quarter = exp(step_size / 4)
claim(
    "pt-value-faster",
    Every(
        Equal(
            expected_success(Rational(1, 2)) - expected_success(0),
            gained.subs(u, quarter),
            label="after one draw from s = 0: more success with the value as the baseline",
        ),
        On(Domain(u > 1), Always(gained > 0, label="for every step size")),
    ),
    Domain(step_size > 0),
    because=(
        On(
            Domain(s, level),
            Equal(
                chance * (1 - level) * diff(log(chance), s) + (1 - chance) * (0 - level) * diff(log(1 - chance), s),
                chance * (1 - chance),
                label="the expected step in the logit, the same for every baseline",
            ),
        ),
        Always(quarter > 1, using=(exp_sign(step_size / 4),), label="u is e^(η/4), above 1"),
    ),
    depends_on=["pt-value-function"],
    kind="modelling",
    locator="Sec 4.2",
    title="One update with and without the value as a baseline: two tokens at ½, rewards 1 and 0",
    printed=(
        r"\text{One thing we could do to make the model converge faster is to increase the loss when the model is far "
        r"from "
        r"returning the high-value tokens at }\vec s_t\text{, and vice-versa}"
    ),
    remark="“Could” asks for an example, and this is one. The expected step is the same as without a baseline; what a "
    "baseline changes is the variance, which the value does not always lower (pt-baseline-variance).",
)

# Numbers r of the tokens of each state, in whose products with R nothing but the conditional expectation counts.
weighed = one_model.also(reals(r, n))
claim(
    "pt-R-as-Q",
    On(
        weighed,
        any_length(
            mean(TextSum(whole_reward * r[o], o)),
            mean(TextSum(Ahead(mean(whole_reward)) * r[o], o)),
            "texts of any length, any numbers r of a token in its state: R counts as Q",
        ),
    ),
    state,
    because=(
        *in_every_state(
            lambda m, s: Equal(
                m.expectation(reward, (*s, 1)),
                m.action_value(reward, 1, s),
                label=f"on average, the action value of the token 1 {after(s)}"
                if len(s) + 1 < m.tree.horizon
                else f"the action value of the last token, 1 {after(s)}: the reward itself",
            )
        ),
        *on_trees(
            lambda new, old: Equal(
                new.action_value(reward, text_of(new)[-1], text_of(new)[:-1]),
                reward(text_of(new)),
                label="at the last token of a text, exactly",
            ),
            sizes=((2, 2),),
        ),
    ),
    depends_on=["pt-value-function"],
    kind="modelling",
    locator="Sec 4.2",
    title="The reward of a text and the action value",
    printed=(
        r"\text{Let's assume the reward }R(\vec{text}_t)\text{ is the reward we expect when selecting }a_t\text{ as "
        r"the next token at }\vec s_t"
    ),
    judged=imprecise(
        "“The reward we expect” is Q(s_t, a_t) = E[R | s_t, a_t]. The reward of one text has that expectation "
        "and equals it at the last token; before, it depends on the tokens that follow.",
        Every(
            *on_trees(
                lambda new, old: Every(
                    *(Equal(reward(text), new.action_value(reward, text[0], ())) for text in new.tree.texts()[:1])
                ),
                sizes=((2, 2),),
            )
        ),
    ),
    remark=("r are any numbers of a token in its state, such as a score."),
)

claim(
    "pt-eq4-advantage",
    On(
        weighed,
        any_length(
            mean(TextSum((whole_reward - level) * r[o], o)),
            mean(TextSum((Ahead(mean(whole_reward)) - level) * r[o], o)),
            "texts of any length, any numbers r of a token in its state: R − V counts as Q − V",
        ),
    ),
    state,
    because=(
        On(
            state,
            Equal(
                Sum(pi[o] * (onward[o] - Sum(pi[o_] * onward[o_], (o_, 1, n))), (o, 1, n)),
                0,
                label="the mean of the advantage over the tokens is zero, any vocabulary",
            ),
        ),
    ),
    depends_on=["pt-R-as-Q"],
    locator="Sec 4.3, (4)",
    title="R − V as an unbiased sample of the advantage",
    printed=(
        r"A_M(a_t,\vec s_t)=R(\vec{text})-V_M(\vec s_t)\text{ … In a way, it gives you the additional reward that can "
        r"be achieved by the model generating that specific }a_t\text{ vs following its own probability distribution}"
    ),
    remark=(
        "“In a way” is read so: what choosing a_t adds is Q(s_t, a_t) − V(s_t), which (4) has as its expectation "
        "given (s_t, a_t), the reward “we expect when selecting a_t” of Section 4.2. For a given text the two can "
        "differ before the last token (pt-R-as-Q). r are any numbers of a token in its state, such as a score."
    ),
)

# -- GAE --------------------------------------------------------------------------------------------------------------
ends_with_zero, ends_with_reward = ([baseline[k] for k in range(1, 4)] + [last] for last in (0, u))


def outcome_only(tokens, values, **parameters):
    """A text whose only reward u comes with its last token."""
    return gae([0] * (tokens - 1) + [u], values[-tokens - 1 :], **parameters)


values = [baseline[k] for k in range(1, 5)]
rewards = [token_weight[k] for k in range(1, 4)]
others = [token_weight[9, k] for k in range(1, 4)]
weights = Domain(0 <= discount, discount <= 1, 0 <= credit, credit <= 1, scale, *values, *rewards, *others)
claim(
    "pt-gae-special-case",
    ForEveryNumber(
        Eq(
            Sum(r[j] + onward[j + 1] - onward[j], (j, 1, k)),
            Sum(r[j], (j, 1, k)) + onward[k + 1] - onward[1],
        ),
        k,
        1,
        (reals(r, k), reals(onward, k + 1)),
        label="texts of any length: the sum of the δ_t is that of the rewards, plus V after the last token, "
        "less V(s_1)",
    ).by(Induction()),
    Domain(),
    because=(
        On(
            Domain(u, *ends_with_zero[:-1]),
            Every(
                *(
                    Equal(
                        advantage,
                        u - before,
                        label=f"a text of 3 tokens with the reward u at its end: the advantage of token {token}",
                    )
                    for token, advantage, before in zip(
                        (1, 2, 3), outcome_only(3, ends_with_zero), ends_with_zero[:-1], strict=True
                    )
                )
            ),
        ),
        On(
            weights,
            Equal(
                gae(rewards, values, discount, credit)[0],
                rewards[0]
                + discount * values[1]
                - values[0]
                + discount * credit * gae(rewards[1:], values[1:], discount, credit)[0],
                label="one more token in front: Â_t = δ_t + γλ Â_{t+1}",
            ),
        ),
    ),
    depends_on=["pt-eq4-advantage"],
    locator="Sec 4.3",
    title="GAE with discount and crediting parameter one",
    printed=(
        r"\text{the function described above is a special case of GAE with two of its parameters (the discount "
        r"factor, and the crediting parameter) set to one}"
    ),
    judged=needs_hypothesis(
        "It needs a reward that comes with the last token, and the value zero after the end. With the value that "
        "Section 4.2 gives to a whole text, V(s_{T+1}) = R, the reward would be counted twice.",
        On(Domain(u, *ends_with_reward[:-1]), Equal(outcome_only(3, ends_with_reward)[0], u - ends_with_reward[0])),
    ),
    remark="k is the number of tokens; the rewards r and the values W are any real numbers.",
)

both = gae([scale * a + b for a, b in zip(rewards, others, strict=True)], [scale * a for a in values], discount, credit)
decay = discount * credit
parameters = Domain(0 <= discount, discount <= 1, 0 <= credit, credit <= 1)


def first_of(delta):
    """GAE of the first of k tokens, from the term of token j."""
    return Sum(decay ** (j - 1) * delta, (j, 1, k))


claim(
    "pt-gae-linear",
    On(
        parameters.also(k >= 1, scale, reals(r, k), reals(P, k), reals(onward, k + 1)),
        Equal(
            first_of(scale * r[j] + P[j] + discount * scale * onward[j + 1] - scale * onward[j]),
            scale * first_of(r[j] + discount * onward[j + 1] - onward[j]) + first_of(P[j]),
            label="any number k of tokens: linear in rewards and values together",
        ),
    ),
    weights,
    because=(
        *(
            Equal(
                one,
                scale * first + second,
                label=f"the advantage of token {token}: linear in rewards and values together",
            )
            for token, one, first, second in zip(
                (1, 2, 3),
                both,
                gae(rewards, values, discount, credit),
                gae(others, [0] * 4, discount, credit),
                strict=True,
            )
        ),
    ),
    locator="Sec 4.7",
    title="Linearity of GAE in rewards and values together",
    printed=(
        r"\text{as long as the advantage function is linear in the reward function (such as the one we saw above, but "
        r"also the commonly used GAE advantage function which we have not discussed)}"
    ),
    judged=imprecise(
        "With the value function held fixed, GAE and R − V are affine in the reward, not linear: twice the "
        "reward is not twice the advantage. What Section 4.7 needs holds: a term added to the reward adds its "
        "own discounted sum.",
        Equal(
            gae([2 * a for a in rewards], values, discount, credit)[0], 2 * gae(rewards, values, discount, credit)[0]
        ),
    ),
    remark="It is the advantage of the first of k tokens; that of a later one is the advantage of the first token of "
    "the rest. The steps write it out for three tokens, A(j) being rewards and A(j | 9) what is added to them. "
    "Discount and crediting parameter anywhere in [0, 1].",
)

# The critic is off by W_j at the state s_j: what GAE adds to the advantage of the first of k tokens. At the end of a
# text nothing is estimated. r_j is (γλ)^(j − 1).
off = others
known, wrong = [*values[:-1], 0], [*(a + b for a, b in zip(values[:-1], off, strict=True)), 0]
claim(
    "pt-gae-wrong-critic",
    ForEveryNumber(
        Eq(
            Sum(r[j] * (discount * onward[j + 1] - onward[j]), (j, 1, k)),
            discount * (1 - credit) * Sum(r[j] * onward[j + 1], (j, 1, k)) - onward[1] + decay * r[k] * onward[k + 1],
        ),
        k,
        1,
        (reals(r, k), reals(onward, k + 1)),
        (Eq(r[k + 1], decay * r[k]),),
        (Eq(r[1], 1),),
        label="any number of tokens",
    ).by(Induction()),
    parameters,
    because=(
        On(
            weights,
            Equal(
                gae(rewards, wrong, discount, credit)[0] - gae(rewards, known, discount, credit)[0],
                discount * (1 - credit) * (off[1] + decay * off[2]) - off[0],
                label="three tokens, in GAE itself",
            ),
        ),
    ),
    depends_on=["pt-gae-linear", "pt-gae-special-case"],
    kind="unbiasedness",
    locator="Sec 4.3; Sec 4.7",
    title="Bias of GAE under a critic off by W, r the powers of discount times credit",
    remark=(
        "−W(1) is a number of the state, and so a baseline (pt-baseline-unbiased); the rest speaks of later states. "
        "At the end of a text W(k + 1) = 0, and with λ = 1 the rest vanishes."
        " In the step A(j) are rewards and A(j | 9) the errors of the critic."
    ),
)
