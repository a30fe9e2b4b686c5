"""Sentences about texts: numbers that have no value, names that stand for two things, what moves and what does not."""

from __future__ import annotations

from sympy import Symbol

from grpo_symbolic.paper import *

from . import false, true

LAW = Domain(simplex(pi, n), n >= 2)
NUMBERED = Domain(simplex(pi, n), reals(r, n), n >= 2, y)
GROWING = Texts(o, o_, n, rates=((r, Integer(1)),))
WHOLE = Texts(o, o_, n, ends=(y,))
TOKENS = TextSum(Integer(1), o)
OVER = OverTokens((onward, onward_2), (onward_3, onward_4), rest=(u, x))
NOWHERE = log(-1 - y**2)
for kind, of, slope in (
    ("a slope of means", lambda e: TextRate(TextMean(e, pi)), lambda e: TextMean(e, pi)),
    ("a gradient", Gradient, lambda e: e),
):
    false(
        f"{kind} of what has no value, whose derivative has one",
        "the logarithm of −1 − r² is nowhere a real number",
        lambda of=of, slope=slope: (
            NUMBERED,
            OnTexts(of(TextSum(log(-1 - r[o] ** 2), o)), slope(TextSum(2 * r[o] / (1 + r[o] ** 2), o)), GROWING).by(
                OVER
            ),
        ),
    )
    true(
        f"{kind} of what has a value",
        lambda of=of, slope=slope: (
            NUMBERED,
            OnTexts(of(TextSum(log(1 + r[o] ** 2), o)), slope(TextSum(2 * r[o] / (1 + r[o] ** 2), o)), GROWING).by(
                OVER
            ),
        ),
    )
false(
    "a slope of a mean that does not move, and has no value",
    "the logarithm of −1 − y² is nowhere a real number",
    lambda: (NUMBERED, OnTexts(TextRate(TextMean(NOWHERE, pi)), 0, GROWING).by(OVER)),
)
false(
    "a mean of what has no value, which cancels when it is multiplied out",
    "the logarithm of −1 − y² is nowhere a real number",
    lambda: (
        NUMBERED,
        OnTexts(TextMean((y + 1) * NOWHERE - y * NOWHERE - NOWHERE + 1, pi), 1, Texts(o, o_, n)).by(OVER),
    ),
)
false(
    "the value at a state of a mean of what has none",
    "the logarithm of −1 − y² is nowhere a real number",
    lambda: (
        NUMBERED,
        AtStates(
            Here(TextMean((y + 1) * NOWHERE - y * NOWHERE - NOWHERE + TOKENS, pi)), Here(TextMean(TOKENS, pi)), WHOLE
        ).by(OneMoreToken((onward, onward_2))),
    ),
)
false(
    "the letter of the tokens that follow is one of the sentence",
    "with u = 5 and T = 2 it says 10 = 2",
    lambda: (LAW, OnTexts(u * TOKENS, TOKENS * (TOKENS - 1), Texts(o, o_, n)).by(OverTokens(rest=(u,)))),
)
false(
    "the family of the means of what follows is one of the sentence",
    "of W nothing is known; with W = 1 the mean is T",
    lambda: (LAW, OnTexts(TextMean(TextSum(onward[o], o), pi), 0, Texts(o, o_, n)).by(OVER)),
)
false(
    "a family with two rates",
    "along one of them the mean grows by T, and not by 2T; no family has both",
    lambda: (
        NUMBERED,
        OnTexts(
            TextRate(TextMean(TextSum(r[o], o), pi)),
            TextMean(2 * TOKENS, pi),
            Texts(o, o_, n, rates=((r, Integer(1)), (r, Integer(1)))),
        ).by(OVER),
    ),
)
for what, moved in (("a mean", TextRate(TextMean(r[1], pi))), ("a gradient", Gradient(r[1] + TOKENS))):
    false(
        f"{what} with a number that is the same at every state, and moves",
        "the number moves with the parameter at the rate 1",
        lambda moved=moved: (
            NUMBERED,
            OnTexts(moved, 0, Texts(o, o_, n, rates=((r, Integer(1)),), fixed=(r,))).by(OVER),
        ),
    )
RATIOS = TextSum(pi[o] / old[o], o)
TWO_LAWS = Domain(simplex(pi, n), simplex(old, n), reals(r, n), n >= 2)
SCORE = r[o] - Sum(pi[o_] * r[o_], (o_, 1, n))
SOFTMAX = Texts(o, o_, n, rates=((pi, pi[o] * SCORE),))
AS_PI = ((old, pi),)
true(
    "the gradient of a ratio to a law that is held fixed, and equal there",
    lambda: (TWO_LAWS, OnTexts(Gradient(RATIOS), TextSum(SCORE, o), SOFTMAX, at=AS_PI).by(OverTokens(rest=(u, x)))),
)
for what, claimed in (("as one of what is put in first", Integer(0)), ("as that of the other one", -TextSum(SCORE, o))):
    false(
        f"the gradient of a ratio to a law that is held fixed {what}",
        "each ratio is 1 there, and moves with the probability above its line",
        lambda claimed=claimed: (
            TWO_LAWS,
            OnTexts(Gradient(RATIOS), claimed, SOFTMAX, at=AS_PI).by(OverTokens(rest=(u, x))),
        ),
    )
false(
    "a law that is held fixed, where no law is put in",
    "the numbers that are put in do not add up to 1",
    lambda: (
        Domain(simplex(old, n), reals(pi, n), n >= 2),
        OnTexts(TextMean(Integer(1), old), 1, Texts(o, o_, n), at=AS_PI).by(OVER),
    ),
)
FIRST = TextSum(log(Rational(2, 3) - old[o]), o)
TWICE = TextSum(log(Rational(4, 3) - 2 * old[o]) - log(2), o)
false(
    "a law that is held fixed, and of which more is said than of what is put in",
    "the logarithm has no value for an answer of probability 3/4",
    lambda: (
        TWO_LAWS.also(Sum(old[o] ** 2, (o, 1, n)) < Rational(4, 9)),
        OnTexts(FIRST, TWICE, Texts(o, o_, n), at=AS_PI).by(OverTokens(rest=(u, x))),
    ),
)
for what, number in (("the sum along a text", TextSum(r[o], o)), ("the reward of a text", y)):
    false(
        f"{what} times an average over several texts",
        "of which text the factor is it does not say; of a text apart from them it is the product of two means",
        lambda number=number: (
            NUMBERED.also(k >= 1),
            OnTexts(TextMean(number * Average(number, k), pi), TextMean(number**2, pi), WHOLE).by(
                OverTokens((onward, onward_2, onward_3))
            ),
        ),
    )
true(
    "a number times an average over several texts",
    lambda: (
        NUMBERED.also(k >= 1),
        OnTexts(TextMean(n * Average(y, k), pi), n * TextMean(y, pi), WHOLE).by(OverTokens((onward,))),
    ),
)

false(
    "a number of one state beside a mean over texts",
    "the laws and numbers of two states may differ: which one is multiplied by T is not said",
    lambda: (
        NUMBERED,
        OnTexts(
            TextMean(TextSum(r[o], o), pi), TextMean(TOKENS, pi) * Sum(pi[o] * r[o], (o, 1, n)), Texts(o, o_, n)
        ).by(OVER),
    ),
)
true(
    "a number that is the same at every state beside a mean over texts",
    lambda: (
        NUMBERED,
        OnTexts(
            TextMean(TextSum(r[o], o), pi),
            TextMean(TOKENS, pi) * Sum(pi[o] * r[o], (o, 1, n)),
            Texts(o, o_, n, fixed=(pi, r)),
        ).by(OVER),
    ),
)
false(
    "a number that each state has of its own beside a mean over texts",
    "with y = 1 at the first state and y = 0 at all others the sum along a text of two tokens is 1, and no 2y",
    lambda: (
        NUMBERED,
        OnTexts(TextMean(TextSum(y, o), pi), y * TextMean(TOKENS, pi), Texts(o, o_, n, own=(y,))).by(OVER),
    ),
)
false(
    "a sum along a text by another letter than that of its tokens",
    "the left sum has T times the reward of the answer o, whatever is written",
    lambda: (
        NUMBERED,
        OnTexts(TextMean(TextSum(r[o], k), pi), TextMean(TextSum(r[o], o), pi), Texts(o, o_, n)).by(OVER),
    ),
)

WORTH = TextMean(y, pi)
GAIN = Ahead(WORTH) - Here(WORTH)
MOVING = ((pi, pi[o] * (r[o] - Sum(pi[o_] * r[o_], (o_, 1, n)))),)
HOLDS = Eq(Ahead(WORTH), Here(WORTH), evaluate=False)
NEVER = Here(TextMean((y + 1) * NOWHERE - y * NOWHERE - NOWHERE + TOKENS, pi))


def at_rest(texts: Texts, condition: Eq = HOLDS) -> tuple[Domain, VanishesInEveryDirection]:
    """Where the gradient of the expected reward vanishes in every direction."""
    rule = EveryDirection(OverTokens((onward, onward_2), (onward_3,)))
    return NUMBERED, VanishesInEveryDirection(
        TextRate(WORTH), r, (Form(GAIN, pi, Symbol("u", real=True)),), texts, condition
    ).by(rule)


false(
    "directions that are the same at every state",
    "along these a gradient may vanish where its parts at two states cancel",
    lambda: at_rest(Texts(o, o_, n, ends=(y,), rates=MOVING, fixed=(r,))),
)
false(
    "a condition that speaks of a mean without a value",
    "the logarithm of −1 − y² is nowhere a real number",
    lambda: at_rest(Texts(o, o_, n, ends=(y,), rates=MOVING), Eq(GAIN * (1 + NEVER**2), 0, evaluate=False)),
)
true("directions of their own at every state", lambda: at_rest(Texts(o, o_, n, ends=(y,), rates=MOVING)))


def times(letter: Symbol) -> tuple[Domain, OnTexts]:
    """That a number times the rewards along a text has that number times their mean."""
    paid = OnTexts(TextMean(TextSum(letter * r[o], o), pi), letter * TextMean(TextSum(r[o], o), pi), Texts(o, o_, n))
    return NUMBERED.also(letter > 0), paid.by(OVER)


LATEX = {"t": "t", "a_t": "a_t", "s_t": "s_t", "theta": r"\theta"}
for name in LATEX:
    false(
        f"a number that is called {name}, times the rewards along a text",
        "as printed it numbers the tokens, or is the parameter",
        lambda name=name: times(t if name == "t" else scalar(name, LATEX[name], "-", "a number")),
    )
false(
    "a number that is called i, times an average over several texts",
    "as LaTeX shows it, it numbers the texts",
    lambda: (
        NUMBERED.also(i >= 1, k >= 1),
        OnTexts(TextMean(Average(i * y, k), pi), i * TextMean(y, pi), WHOLE).by(OVER),
    ),
)
true("a number that is called p, times the rewards along a text", lambda: times(p))

# -- a sum along the text in another one, slopes of what is no sum, averages over no texts ---
BY_REWARDS = Texts(o, o_, n, ends=(y,), rates=((pi, pi[o] * SCORE),))
for name, why, on, said, by in (
    ("the slope of a mean", "it is E[y Σ score]", NUMBERED, OnTexts(Gradient(TextMean(y, pi)), 0, BY_REWARDS), OVER),
    (
        "a letter that is tied to what moves",
        "it moves too, by 1",
        Domain(simplex(pi, n), reals(r, n), n >= 2, Eq(y, r[1])),
        OnTexts(Gradient(y * TextSum(r[o], o)), y * TOKENS, GROWING),
        OVER,
    ),
    ("the slope of one number", "it is 1", NUMBERED, OnTexts(Gradient(r[1]), 0, GROWING), OVER),
    (
        "a quotient of rates",
        "of texts without tokens both are 0",
        NUMBERED.also(y > 0),
        OnTexts(TextRate(TextMean(2 * y, pi)) / TextRate(TextMean(y, pi)), 2, BY_REWARDS),
        OverTokens((onward, onward_2), (onward_3, onward_4), rest=(u, x), positive=(TextMean(y, pi),)),
    ),
    (
        "an average over no texts",
        "for k = 0 it is 0/0",
        NUMBERED.also(k >= 0),
        AtStates(Here(TextMean(Average(y, k), pi)), Here(TextMean(y, pi)), WHOLE),
        OneMoreToken((onward, onward_2)),
    ),
):
    false(name, why, lambda on=on, said=said, by=by: (on, said.by(by)))
