"""The |o|-th root of a text's ratio (GSPO), and k3 weighed by a token's or a text's ratio.

Statement.   GSPO's ratio s = (π(o)/π_old(o))^{1/|o|} is 1 on-policy, where its step is that of token ratios divided by
             |o|. Off-policy it is the geometric mean of the token ratios: every token has the same weight s/|o|. As an
             importance weight it is not unbiased: for texts of one length its mean is at most 1, and E_old[s f] has s =
             ρ^{1/|o|} where the policy's expectation has ρ. A clip of s at 1 ± ϵ is one of the text at (1 ± ϵ)^{|o|}.
             k3 weighed by the token's own ratio is, off-policy too, KL(π‖π_ref) of the states of π_old. Weighed by
             GSPO's ratio, its gradient on texts of T tokens is (1/T)∇KL(π‖π_ref) + (1 − 1/T) Σ_s P(s)
             ∇KL(π_ref(·|s)‖π(·|s)) at π_old = π.
Source.      GSPO; trainers whose default weighs k3 by the ratio; extends by-seq-loss-tokens.
Domain.      Texts of any length as bounds on one text; any vocabulary and length by induction over the tokens for the
             gradients; trees of 2 tokens and 1 or 2 positions for the penalty that is weighed by GSPO's ratio.
Derivation.  ratio as the exponential of a mean → derivative in one token's log-probability; step on trees, π_old fixed
             → π_old = π.
Caveats.     Powers with a symbolic exponent stand as exponentials. First steps only where π_old = π is put in.
Letters.     T is the number |o| of tokens of a text, A its advantage. Of the T tokens t is the log-ratio of one and s
             the sum of the others'. In tr-gspo-long-texts s is the log-ratio of the text, u and v are its masses under
             π_old and π, and t is 1/T. In tr-k3-text-ratio c is 1/T and u the whole penalty. π₁, π₀ and π_ref are the
             probabilities of a token after those before it, ż the rate of its logit; R and B are numbers of a text and
             of a state. x and y stand in a domain only, 1 ± ϵ are the clip bounds.
"""

from grpo_symbolic.paper import *

from ..beyond.divergence_sequences import (
    at_states_reverse,
    k3_is_k1,
    k3_token,
    on_trees,
    scores_cancel,
    visits,
    whole_slope,
)
from ..patel.trees import any_length, mean, next_token_kl, text_score, two_models

claim = Result(__file__).claim

# A text of T tokens; s is the sum of all its tokens' log-ratios but one, t the log-ratio of that one.
root = exp((s + t) / T)
tokens = Domain(T >= 1, s, t, A)
claim(
    "tr-gspo-first-step",
    Equal(Derivative(A * root, t), A * root / T, label="in each token's log-ratio: the text's weight over T"),
    tokens,
    because=(
        Equal((A * root / T).subs({s: 0, t: 0}), A / T, label="on-policy"),
        Equal((A * exp(t) / T).diff(t).subs(t, 0), A / T, label="as token ratios divided by T have it"),
        Equal((A * exp(t) / T).diff(t), A * exp(t) / T, label="which off-policy weigh each token by its own ratio"),
    ),
    locator="Topic 7",
    title="The slope of GSPO's weight in one token's log-ratio t, s the sum of the T − 1 others",
    remark="T is the number of tokens. With one token GSPO is the plain ratio. The geometric mean is GMPO's ratio too.",
)

# One text: u = π_old(o) and v = π(o).
answers = Domain(u > 0, v > 0, T >= 1)
rooted_mean = Sum(old[o] * exp(log(pi[o] / old[o]) / T), (o, 1, n))
# Bernoulli, t the mean log-ratio of the tokens: e^{Tt} + T − 1 is at least e^t (1 + (T − 1)t + (T − 1)(1 − t)).
line = 1 + T * (exp(t) - 1)
bernoulli = Always(And(exp(T * t) >= line, Equivalent(Eq(exp(T * t), 1), Eq(exp(T * t), line)))).by(
    Then(
        (Equal(exp(T * t), exp((T - 1) * t) * exp(t), label="one token less"),),
        using=(exp_above_tangent((T - 1) * t), exp_above_tangent(-t), exp_sign(t), exp_sign(T * t)),
    )
)
concave = InLetters(bernoulli, Domain(T >= 2, t), {T: T, t: log(pi[o] / old[o]) / T})
claim(
    "tr-gspo-weight",
    AtLeast(1, rooted_mean, (Eq(pi[o], old[o]),), label="texts of one length: the mean of GSPO's ratio").by(
        TermByTerm((Sum(old[o] + (pi[o] - old[o]) / T - rooted_mean.function, (o, 1, n)),), using=concave)
    ),
    Domain(n >= 2, T >= 2, simplex(pi, n), simplex(old, n)),
    kind="inequality",
    depends_on=["tr-gspo-first-step"],
    locator="Topic 7",
    title="The mean of GSPO's ratio, the T-th root of that of a text of T tokens",
    remark=(
        "Of a text it sees the mass π_old^{1 − 1/|o|}π^{1/|o|}, for a given ratio near that of π_old if the text is "
        "long: tr-gspo-long-texts."
    ),
)

claim(
    "tr-gspo-long-texts",
    Every(
        On(
            Domain(0 < epsilon, epsilon < 1, T >= 1, s),
            Always(
                Equivalent(s / T < log(1 + epsilon), s < T * log(1 + epsilon)),
                label="GSPO's ratio e^(s/T) below 1 + ϵ: s below T log(1 + ϵ)",
            ),
        ),
        On(
            Domain(0 < epsilon, epsilon < 1, T >= 1, s),
            Always(
                Equivalent(s / T > log(1 - epsilon), s > T * log(1 - epsilon)),
                label="and above 1 − ϵ: s above T log(1 − ϵ)",
            ),
        ),
    ),
    answers,
    because=(
        Tends(
            u * exp(log(v / u) * t),
            t,
            0,
            u,
            label="a text of given ratio: for many tokens (t = 1/T) its weight is near that of π_old",
        ),
    ),
    depends_on=["tr-gspo-weight"],
    locator="Topic 7",
    title="GSPO's clip bounds for the log-ratio s of a text of T tokens",
    remark=("u and v are what π_old and π give the text, whose weight is u^(1 − 1/|o|) v^(1/|o|)."),
)


# -- k3 weighed ------------------------------------------------------------------------------------------------------
def rooted_penalty(new, start, ref):
    """E_old[s Σ_t k3(a_t)] with GSPO's ratio of the text."""

    def of_text(text):
        root = exp((new.log_probability(text) - start.log_probability(text)) / len(text))
        return root * Add(*(k3(new.probability(a, state), ref.probability(a, state)) for a, state in steps(text)))

    return start.expectation(of_text)


def rooted_step(new, start, ref):
    return new.gradient(rooted_penalty(new, start, ref), direction).xreplace(start.identified_with(new))


any_two = Domain(0 < x, x < 1, 0 < y, y < 1)
claim(
    "tr-k3-ratio",
    On(
        two_models.also(simplex(ref, n)),
        any_length(
            mean(TextSum(pi[o] / old[o] * (ref[o] / pi[o] - log(ref[o] / pi[o]) - 1), o), old),
            mean(TextSum(next_token_kl(pi, ref), o), old),
            "the token's ratio, off-policy, texts of any length: KL(π‖π_ref) of the states that π_old visits",
        ),
    ),
    any_two,
    because=(
        On(
            Domain(n >= 2, simplex(pi, n), simplex(old, n), simplex(ref, n)),
            Equal(
                REVERSE_KL.expected(pi, ref, old, Answers(n), o),
                kl(pi, ref, Answers(n), o),
                label="one state, any number of next tokens, off-policy: KL(π‖π_ref)",
            ),
        ),
    ),
    locator="Topic 8",
    title="k3 weighed by the token's ratio, and KL(π‖π_ref) of each state, off-policy too",
    remark="Divided by |o|, texts of one length have 1/T of it. Without the ratio the gradient on-policy is that of "
    "KL(π_ref‖π) of each state, visits fixed: by-seq-loss-tokens.",
)

claim(
    "tr-k3-text-ratio",
    Every(
        On(
            two_models.also(simplex(ref, n), scale > 0),
            any_length(
                scale * mean(text_score * TextSum(k3_token, o)) + mean(Gradient(TextSum(k3_token, o))),
                scale * whole_slope + (1 - scale) * mean(at_states_reverse),
                "texts of any length: the gradient at π_old = π, c for 1/T",
                beside=(scores_cancel, k3_is_k1),
                onward=(onward, onward_2, onward_3, onward_4, onward_5, onward_6),
            ),
        ),
        *on_trees(
            lambda new, start, ref: Equal(
                rooted_step(new, start, ref),
                new.gradient(visited_kl(new, new, ref), direction) / new.tree.horizon
                + (1 - Rational(1, new.tree.horizon)) * visits(new, new, ref, new),
                label=f"the gradient at π_old = π, two tokens, texts of length {new.tree.horizon}",
            )
        ),
    ),
    any_two,
    because=(
        # One token of a text of T: h its log-probability's derivative of k3, the others' k3 in s; exp(0) = 1.
        On(
            Domain(T >= 1, s, t, u),
            Equal(
                (root * u).diff(t),
                root * u / T,
                label="T tokens: the ratio's own part has 1/T of the whole penalty",
            ),
        ),
    ),
    locator="Topic 8",
    title="k3 weighed by GSPO's ratio: the on-policy gradient, c for 1/T",
    depends_on=["by-seq-loss-tokens", "by-seq-reward"],
    short="texts of any length: the gradient at π_old = π, c for 1/T",
    remark=(
        "With one token it is that of KL(π‖π_ref). Without a ratio k3 has the second part alone: by-seq-loss-tokens."
    ),
)
