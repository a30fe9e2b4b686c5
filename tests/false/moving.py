"""A derivative along θ of a mean over texts, where the sentence says of no law that it moves, or how."""

from __future__ import annotations

from sympy import Symbol

from grpo_symbolic.paper import *

from . import false, true

where = Domain(simplex(pi, n), reals(logit_rate, n), whole_reward, n >= 1)
score = logit_rate[o] - Sum(pi[o_] * logit_rate[o_], (o_, 1, n))


def gradient(right, *rates):
    """The derivative of the expected reward."""
    said = OnTexts(TextRate(TextMean(whole_reward, pi)), right, Texts(o, o_, n, ends=(whole_reward,), rates=rates))
    return where, said.by(OverTokens(onward=(onward, onward_2), rates=(onward_rate,)))


false(
    "the derivative of an expected reward, of laws of which nothing is said",
    "printed: π any at each state, R any of the text: d/dθ[E_π[R]] = 0, which REINFORCE refutes",
    lambda: gradient(Integer(0)),
)
true(
    "the derivative of an expected reward, of laws that move",
    lambda: gradient(TextMean(whole_reward * TextSum(score, o), pi), (pi, pi[o] * score)),
)


def in_every_direction(condition, coefficient, *rates):
    """Where the derivative of the expected reward vanishes along all rates of the logits."""
    texts = Texts(o, o_, n, ends=(whole_reward,), rates=rates)
    said = VanishesInEveryDirection(
        TextRate(TextMean(whole_reward, pi)), logit_rate, (Form(coefficient, pi, u),), texts, condition
    )
    return where, said.by(EveryDirection(OverTokens(onward=(onward, onward_2), rates=(onward_rate,))))


always = Eq((pi[o] + 1) ** 2, pi[o] ** 2 + 2 * pi[o] + 1, evaluate=False)
gain = Ahead(TextMean(whole_reward, pi)) - Here(TextMean(whole_reward, pi))
false(
    "a gradient that vanishes in every direction, where nothing moves",
    "it vanishes exactly if (π(o) + 1)² = π(o)² + 2π(o) + 1, which always holds, and it does not always",
    lambda: in_every_direction(always, Integer(0)),
)
true("a gradient that vanishes in every direction", lambda: in_every_direction(Eq(gain, 0), gain, (pi, pi[o] * score)))


mean = TextMean(whole_reward, pi)
some = [Symbol(f"S{number}", real=True) for number in range(3)]
for name, why, condition, used in (
    (
        "a mean of what is known after each token, by one letter",
        "it always is what is known before, and the gradient does not always vanish",
        Eq(Sum(pi[o] * Ahead(mean), (o, 1, n)), Here(mean)),
        Equal(Sum(pi[o] * some[0], (o, 1, n)), some[0]),
    ),
    (
        "two means by one letter",
        "the sum is E[T | s_t], and not 0",
        Eq(gain + Sum((2 * j - 3) * Here(TextMean(TextSum(j, o), pi)), (j, 1, 2)), 0),
        Equal(Sum((2 * j - 3) * some[2], (j, 1, 2)), 0),
    ),
    (
        "a mean by numbers that are no law",
        "of mu nothing is said",
        Eq(gain * (1 + Here(TextMean(whole_reward, mu)) ** 2), 0),
        Equal(some[0], some[0]),
    ),
):

    def direction(condition=condition, used=used):
        texts = Texts(o, o_, n, ends=(whole_reward,), rates=((pi, pi[o] * score),))
        said = VanishesInEveryDirection(TextRate(mean), logit_rate, (Form(gain, pi, u),), texts, condition)
        over = OverTokens(onward=(onward, onward_2), rates=(onward_rate,))
        return where, said.by(EveryDirection(over, Then((used,))))

    false(name, why, direction)
