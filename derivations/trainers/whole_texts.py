"""Texts of T tokens, all of which must be right: where per-token penalties leave the success, for every T.

Statement.   A text is rewarded if all its T tokens are right. With k3 of each token in the loss the token in a state
             has the stationary probability (14) with γ = Δ·v: Δ the advantage gap of right and wrong texts, v the
             chance that all later tokens are right. So the last tokens learn first. Over the text, Δ(1 − X) =
             β(log(X/P) − Σ_t k3_t), X the success and P that of the reference: for one token β(X − P)/X as ever, for
             many tokens β log(X/P), which is more. With small β a text of many tokens fails T(1 − P^{1/T})/(1 − P)
             times as often as one token says: up to log(1/P)/(1 − P) times. With KL(π‖π_ref) of each token (k2 in the
             loss, or k3 weighed by the ratio) the token's odds are those of the reference times e^{Δv/β}.
Source.      `predict` compared with real runs: 16 tokens, k3 in the loss; extends by-seq-stationary-k3 to every
             number of tokens.
Domain.      Tabular token policies with full support, 0 < p, v, x < 1, Δ > 0, β > 0; any number of tokens before and
             after.
Derivation.  objective of one token, the others fixed → π_old = π → equation of the token → one more token → every T.
Caveats.     First-order stationarity. A wrong token cannot be repaired. Δ is the gap at the text's own success: a
             number for G = 2, 3 and without a deviation, else one more equation. Texts are weighed alike: lengths are
             equal, or the loss is not divided by them.
Letters.     x is what the policy gives to a token, y what the one that samples does, and p the reference; v is the
             success of the tokens that follow and q that under the reference, D what they are expected to pay. For one
             token t and s are the advantages of right and wrong texts, γ or Δ their gap. u is a token's ratio p/x, with
             v that of the rest, or m(x), which drives the success x, with the slope t; in limits s is minus the
             logarithm of what the reference gives to right texts. X and P are the success of the text and that under
             the reference; of T tokens, numbered from the last, ℓ and ℓ^(ref) are the logarithms of the probabilities.
             π₁(…), π_ref(…) and ż are a token's probabilities and the rate of its logit.
"""

from grpo_symbolic.objectives.group import GroupLoss
from grpo_symbolic.paper import *

claim = Result(__file__).claim

TWO = Answers(2)
policy, old, reference = binary(x), binary(y), binary(p)

# One token: t and s are the expected advantages of a right and of a wrong text under the frozen old policy; the
# tokens after a right one
# are all right with the chance v, those after a wrong one in vain. γ = t − s is the gap Δ.
worth = (v * t + (1 - v) * s, s)
token = Domain(0 < x, x < 1, 0 < p, p < 1, 0 < v, v <= 1, beta > 0, s < t)
slope = on_policy_slope(grpo(beta).value(policy, old, reference, lambda a: worth[a], TWO), x, y)
slope_kl = on_policy_slope(
    grpo(beta, divergence=REVERSE_KL).value(policy, old, reference, lambda a: worth[a], TWO), x, y
)


def on_tree(horizon):
    """The step of GRPO's loss on texts of ``horizon`` tokens, groups of two, against the equation of each token."""
    tree = TokenTree(2, horizon)
    new, sampler, ref = (tree.policy(symbols) for symbols in (policy_1, policy_0, policy_ref))
    right = [(1,) * length for length in range(horizon)]
    loss = GroupLoss(2, SHIFT_AND_SCALE, beta=beta).expected(new, sampler, lambda text: int(set(text) == {1}), ref)
    step = -new.gradient(loss, direction).xreplace(sampler.identified_with(new))

    def equation(state):
        own, its = new.probability(1, state), ref.probability(1, state)
        later = new.reaches((1,) * horizon, (*state, 1)) if state in right else 0
        return new.reaches(state) * (own * (1 - own) * later - beta * (own - its))

    expected = sum(equation(state) * (direction[(*state, 1)] - direction[(*state, 2)]) for state in tree.states())
    statement = Equal(step, expected, label=f"from the loss of groups of two, texts of length {horizon}")
    return On(
        Domain(
            *new.constraints(),
            *ref.constraints(),
            beta > 0,
            *(d for s in tree.states() for d in (direction[(*s, 1)], direction[(*s, 2)])),
        ),
        statement,
    )


claim(
    "tr-chain-equation",
    Always(
        Equivalent(Eq(slope, 0), Eq(beta * (x - p) / (x * (1 - x)), v * (t - s))),
        label="a token with later tokens: the gap counts as often as these are right",
    ),
    token,
    because=(
        Equal(slope, v * (t - s) - beta * (x - p) / (x * (1 - x)), label="the slope of the objective"),
        on_tree(2),
    ),
    locator="Topic 1",
    title="The equation of a token under k3: v the success of its later tokens, t − s the gap",
    remark="by-seq-stationary-k3 has any finite number of tokens before and after; the states to which a wrong token "
    "leads keep the reference's probabilities.",
)

stationary = Domain(0 < p, p < 1, 0 < v, v <= 1, beta > 0, gamma > 0)
chosen = pairs(beta / (gamma * v), p)
claim(
    "tr-chain-token",
    On(
        stationary,
        UniqueRoot(
            (beta * (x - p) - x * (1 - x) * gamma * v).expand(),
            x,
            chosen,
            label="the one stationary probability of the token",
        ),
    ),
    stationary,
    because=(
        Always(And(chosen > p, chosen < 1), label="above the reference's"),
        Monotone(chosen, v, 1, label="the likelier the rest is right, the more the token learns"),
        Tends(chosen, v, 0, p, label="nothing while the rest is never right"),
    ),
    kind="uniqueness",
    depends_on=["tr-chain-equation"],
    locator="Topic 1",
    title="The stationary probability x of a token, v the success of its later tokens, γ the gap",
    remark="So the text is solved from its end: the last token has v = 1, and each token hands v x, as v, to the one "
    "before. Given the gap γ (a number for groups of two and three, and without a deviation), a text of T tokens takes "
    "T square roots; otherwise γ = Δ_G(X), X the success of the text, is one more equation.",
)

# A token's reference, from its equation: v is the success of the tokens after it.
its = x - x * (1 - x) * gamma * v / beta

# Texts of T tokens, numbered from the last one: the policy gives e^ℓ to a token, the reference e^ℓ_ref.
all_right = Product(exp(ell[j]), (j, 1, T))
relative = Product(exp(ell_ref[j] - ell[j]), (j, 1, T))  # the success under the reference, over that
log_ratio = Sum(ell[j] - ell_ref[j], (j, 1, T))
penalties = Sum(exp(ell_ref[j] - ell[j]) - 1 - (ell_ref[j] - ell[j]), (j, 1, T))  # k3

# What the next token pays, and what it is worth where those after it are right: equal where it is stationary.
lower = ell_ref[T + 1] - ell[T + 1]
pays, earns = beta * (1 - exp(lower)), gamma * (1 - exp(ell[T + 1])) * all_right
texts = Domain(beta > 0, gamma > 0)
tokens_of_text = (reals(ell, T + 1), reals(ell_ref, T + 1))
certain = {ell: 0, ell_ref: 0}  # the tokens of one text with the probability 1
claim(
    "tr-chain-balance",
    ForEveryNumber(
        Eq(log_ratio, gamma * (1 - all_right) / beta + penalties, evaluate=False),
        T,
        0,
        tokens_of_text,
        (Eq(pays, earns, evaluate=False),),
        label="texts of T stationary tokens, numbered from the last",
    ).by(Induction(such=certain)),
    texts,
    because=(
        On(
            Domain(0 < x, x < 1, 0 < p, p < x),
            Equal(
                x * (log(x / p) - k3(x, p)), x - p, label="one token: x times the log-ratio less the penalty is x − p"
            ),
        ),
    ),
    depends_on=["tr-chain-equation"],
    locator="Topic 1",
    title="The balance of a text of stationary tokens: gap, log-ratio and penalty",
    remark="The tokens are numbered from the last; of each, e^ℓ is what the policy gives, e^(ℓ^(ref)) what the "
    "reference does, ℓ and ℓ^(ref) any real numbers, and what is supposed is its equation (tr-chain-equation). The "
    "sum of the terms with e^(ℓ^(ref) − ℓ) is the penalty, the k3 of the tokens, that the run reports.",
)

several = Domain(0 < u, u <= 1, 0 < v, v <= 1)  # u, v: ratios p_t/x_t of one token and of the rest
fixed = Domain(0 < p, p < x, x < 1, beta > 0, gamma > 0)


def bounded(label, bound, *tokens):
    """For texts of any length, where this holds of each token."""
    first = [c.xreplace({all_right: Integer(1), ell[T + 1]: ell[1], ell_ref[T + 1]: ell_ref[1]}) for c in tokens]
    return ForEveryNumber(bound, T, 1, tokens_of_text, tokens, tuple(first), label=label)


together = Sum(1 - exp(ell_ref[j] - ell[j]), (j, 1, T))  # what all tokens pay, over β
claim(
    "tr-chain-bounds",
    Every(
        On(
            texts,
            bounded(
                "the text's own penalty",
                And(relative <= 1, beta * (1 - relative) <= gamma * (1 - all_right)),
                pays <= earns,
                exp(lower) <= 1,
            ).by(Induction(such=certain)),
        ),
        On(
            texts,
            bounded("the penalties of its tokens", gamma * (1 - all_right) <= beta * together, pays >= earns).by(
                Induction(such=certain)
            ),
        ),
        On(
            Domain(T >= 1, reals(ell, T), reals(ell_ref, T)),
            AtLeast(log_ratio, together, label="at most the log-ratio").by(
                TermByTerm(
                    (Sum(ell[j] - ell_ref[j] - 1 + exp(ell_ref[j] - ell[j]), (j, 1, T)),),
                    using=(exp_above_tangent(ell_ref[j] - ell[j]),),
                )
            ),
        ),
    ),
    texts,
    because=(
        On(
            Domain(0 < u, u < 1),
            Always(u - log(u) - 1 > 0, using=(log_below_tangent(u),), label="the penalties are positive"),
        ),
        On(several, Always(1 - u * v <= (1 - u) + (1 - v), label="a text's k3 is at least the sum of its tokens'")),
        On(
            fixed, Equal(k3(x, p), p / x - 1 - log(p) + log(x), label="k3 of the whole text, its logarithm taken apart")
        ),
        On(
            fixed,
            Always(
                -beta * log(p / x) > beta * (1 - p / x),
                using=(log_below_tangent(p / x),),
                label="many tokens ask for more than one",
            ),
        ),
        On(
            Domain(0 < p, p < 1, beta > 0, gamma > 0, 0 < x, x < 1),
            Monotone(beta * log(x / p) - gamma * (1 - x), x, 1, label="constant gap: one X balances many tokens"),
        ),
        On(
            Domain(0 < p, p < 1, beta > 0, gamma > 0, 0 < x, x < 1),
            Monotone(beta * (1 - p / x) - gamma * (1 - x), x, 1, label="and one X one token"),
        ),
        # t = m'(x), u = m(x): a concave m with m(0) = 0 lies above its tangent's ray
        On(
            Domain(0 < x, x < 1, beta > 0, u > 0, t * x <= u, t),
            Always(
                beta / x - (t * x - u) / x**2 > 0, label="any gap, Δ(1 − x) = m(x)/x: the slope of β log x − m(x)/x"
            ),
        ),
    ),
    kind="inequality",
    depends_on=["tr-chain-balance"],
    locator="Topic 1",
    title="Bounds of the success of a text of stationary tokens",
    short="at most the log-ratio",
    remark=(
        "The tokens are numbered from the last, the probability of each is e^ℓ; of stationary ones both inequalities "
        "that are supposed hold as equations (tr-chain-equation). For a constant gap each side crosses once: X_∞ "
        "≤ X_T ≤ X_1 for the success X_T of T tokens, with β log(X_∞/P) = Δ(1 − X_∞)."
    ),
)

small = Domain(
    T >= 1, 0 < s
)  # s = log(1/P), so each token has the reference probability e^{−s/T}; k3 of a token is largest at x = 1
apart = -s / T - ell[j]  # the logarithm of p/x of a token
its_k3 = exp(apart) - 1 - apart
sum_of_k3 = Sum(its_k3, (j, 1, T))
of_each = (-s / T <= ell[j], ell[j] <= 0)
below_square = Always(exp(t) - 1 - t <= t**2, using=(exp_above_tangent(t), exp_above_tangent(-t)))
claim(
    "tr-chain-many-tokens",
    Every(
        On(
            small.also(reals(ell, T)),
            Every(
                AtLeast(s**2 / T, sum_of_k3, label="the k3 of all T tokens, at most log²P/T", given=of_each).by(
                    TermByTerm(
                        (Sum(s**2 / T**2 - its_k3, (j, 1, T)),),
                        using=InLetters(below_square, Domain(t <= 0), {t: apart}),
                    )
                ),
                AtLeast(sum_of_k3, 0, label="and not negative").by(
                    TermByTerm((sum_of_k3,), using=(exp_above_tangent(apart),))
                ),
            ),
        ),
        On(Domain(0 < s), Tends(s**2 / T, T, oo, 0, "-", label="which vanishes")),
    ),
    small,
    because=(
        On(Domain(0 < u, u < 1), Monotone(u - log(u) - 1, u, -1, label="k3 falls in p/x, which is at least p")),
        On(
            Domain(0 < v, v <= 1, beta > 0, gamma > 0),
            Tends(
                -log(its) / (1 - x),
                x,
                1,
                1 + gamma * v / beta,
                "-",
                label="a token of many: minus the logarithm of its reference, against its failure",
            ),
        ),
    ),
    kind="limit",
    depends_on=["tr-chain-bounds"],
    locator="Topic 1",
    title="The k3 of T tokens, each with e^{−s/T} under the reference and e^ℓ under the policy",
)

claim(
    "tr-chain-small-beta",
    Every(
        On(
            stationary.also(Eq(x, chosen)),
            Equal((1 - x) * gamma * v * x, beta * (x - p), label="a token's failure is β(x − p)/(γvx)"),
        ),
        On(stationary, Tends(chosen, beta, 0, 1, label="x tends to 1 as β falls to 0")),
        On(
            small,
            Monotone(
                T * (1 - exp(-s / T)),
                T,
                1,
                using=(exp_above_tangent(s / T),),
                label="T tokens together: T(1 − P^{1/T}), which grows with T",
            ),
        ),
        On(Domain(0 < s), Tends(T * (1 - exp(-s / T)), T, oo, s, "-", label="up to log(1/P)")),
    ),
    small,
    because=(
        On(
            Domain(0 < u, u < 1),
            Always(
                -log(u) / (1 - u) > 1,
                using=(log_below_tangent(u),),
                label="for many tokens more failures than for one, by this factor",
            ),
        ),
    ),
    kind="limit",
    depends_on=["tr-chain-token", "tr-chain-balance"],
    locator="Topic 1",
    title="Small β: failures of a text of many tokens, against those of one token",
    remark=(
        "By tr-chain-balance γ(1 − X) = β Σ(1 − p_t/x_t), X the chance that all tokens are right: with p_t = P^{1/T}, "
        "P = e^{−s}, and x_t near 1 that is near β T(1 − P^{1/T}), where one token has β(1 − P). For P = 1/1000 it is "
        "5.6 times as much with 16 tokens, and 6.9 times with many."
        " v is the chance that the later tokens are right, γ the gap."
    ),
)


# KL(π‖π_ref) charged to the whole text: each of its tokens pays for the log-ratios of all of them, with the samples'
# own probabilities, which are not differentiated.
paying = tuple(
    w - beta * (log(old[a] / reference[a]) + d) for a, (w, d) in enumerate(zip(worth, (due, 0), strict=True))
)
slope_whole = on_policy_slope(policy[0] * paying[0] + policy[1] * paying[1], x, y)


def charged_on_tree(horizon):
    """The step of texts that pay their own log-ratio, against the equation of each token."""
    tree = TokenTree(2, horizon)
    new, sampler, ref = (tree.policy(symbols) for symbols in (policy_1, policy_0, policy_ref))

    def worth_of(text):
        return int(set(text) == {1}) - beta * log(sampler.reaches(text) / ref.reaches(text))

    def owed(state):
        """What the tokens from a state on are expected to pay: their divergences, while they are reached."""
        if len(state) == horizon:
            return Integer(0)
        chances = [(a, new.probability(a, state)) for a in tree.tokens]
        return sum(c * (log(c / ref.probability(a, state)) + owed((*state, a))) for a, c in chances)

    def equation(state):
        own, its = new.probability(1, state), ref.probability(1, state)
        later = new.reaches((1,) * horizon, (*state, 1)) if set(state) <= {1} else 0
        pays = log(own / (1 - own)) - log(its / (1 - its)) + owed((*state, 1)) - owed((*state, 2))
        return new.reaches(state) * own * (1 - own) * (later - beta * pays)

    step = new.gradient(new.value(worth_of), direction).xreplace(sampler.identified_with(new))
    expected = sum(equation(state) * (direction[(*state, 1)] - direction[(*state, 2)]) for state in tree.states())
    rates = (d for s in tree.states() for d in (direction[(*s, 1)], direction[(*s, 2)]))
    return On(
        Domain(*new.constraints(), *ref.constraints(), beta > 0, *rates),
        Equal(step, expected, label=f"from the expected step, texts of length {horizon}"),
    )


log_odds = log(x / (1 - x)) - log(p / (1 - p))
charged_slope = Equal(slope_whole, v * (t - s) - beta * (log_odds + due), label="the slope of the objective")
claim(
    "tr-chain-charged",
    Always(
        Equivalent(Eq(slope_whole, 0), Eq(beta * (log_odds + due), v * (t - s))),
        label="a token pays for its own odds, and for what the later tokens pay after a right one",
    ).by(Then((charged_slope,))),
    token.also(due >= 0),
    because=(charged_slope, charged_on_tree(2)),
    depends_on=["tr-chain-equation"],
    locator="Topic 1",
    title="The equation of a token under KL(π‖π_ref) of the whole text, D that of its later tokens",
    remark=(
        "After a wrong token nothing is due, where the policy stays the reference's. What a token pays for those "
        "before it, or does not (returns to go), is a baseline and changes no expected step (pt-kl-to-go)."
        " v is the chance that the later tokens are right, t and s are the advantages of right and wrong texts."
    ),
)

tilted = p * exp(gamma * v / beta) / (1 - p + p * exp(gamma * v / beta))
rest, whole = (a * exp(gamma / beta) / (1 - a + a * exp(gamma / beta)) for a in (q, p * q))
odds = p / (1 - p) * exp(v * (t - s) / beta)
log_of_odds = Equal(log(odds), log(p / (1 - p)) + v * (t - s) / beta, label="their logarithm")
kl_slope = Equal(slope_kl, v * (t - s) - beta * log_odds, label="KL(π‖π_ref) of the token, its state fixed")
claim(
    "tr-chain-kl",
    Always(
        Equivalent(Eq(slope_kl, 0), Eq(x / (1 - x), p / (1 - p) * exp(v * (t - s) / beta))),
        using=(log_increasing(x / (1 - x), odds), log_increasing(odds, x / (1 - x))),
        label="a token, its state fixed",
    ).by(Then((kl_slope, log_of_odds))),
    token,
    because=(
        kl_slope,
        On(
            stationary,
            Equal(
                beta * (log(tilted / (1 - tilted)) - log(p / (1 - p))),
                gamma * v,
                label="so the token's odds are multiplied by e^{Δv/β}",
            ),
        ),
        On(
            Domain(0 < p, p < 1, 0 < q, q < 1, beta > 0, gamma > 0),
            Equal(
                whole,
                p * (1 - q + q * exp(gamma / beta)) / (1 - p * q + p * q * exp(gamma / beta)) * rest,
                label="whole texts (k1 in the reward), their odds multiplied by e^{Δ/β}: a token in front of the rest",
            ),
        ),
        On(
            Domain(0 < v, v <= 1, beta > 0, gamma > 0),
            Tends(
                (1 - tilted) / (1 - p),
                p,
                1,
                exp(-gamma * v / beta),
                "-",
                label="a token of many: its failure shrinks by e^{−Δv/β}",
            ),
        ),
    ),
    locator="Topic 1",
    title="The odds of a token under KL(π‖π_ref): v the success of its later tokens, t − s the gap",
    remark=("Δ is γ = t − s."),
)
