"""Letters that a reader takes for something else: for one another, for an entry of a family or a member of a sequence,
for a quotient or a power, for a word, and for what the words of the sentence speak of.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from grpo_symbolic.paper import *

from . import false, true


def letter(latex: str, name: str = "own") -> sp.Symbol:
    """A letter that LaTeX shows so."""
    return scalar(name, latex, "-", "a letter")


# -- one another -------------------------------------------------------------------------------------------------------


def one_above(first: str, second: str) -> Any:
    """That a letter is above another one: of one letter it is false."""
    a, b = letter(first, "first"), letter(second, "second")
    return Domain(a > b), Always(a - b > 0)


for first, second in (
    ("x_1^+", "x^+_1"),
    ("x_{1 2}", "x_{12}"),
    (r"\tilde x", r"\widetilde x"),
    (r"\bar x", r"\overline{x}"),
    (r"\hat x", r"\widehat x"),
    (r"\mathbf x", r"\boldsymbol x"),
    (r"\mathcal x", "x"),
    ("x^*", r"x^\star"),
    (r"x_{\mathrm{ab}}", r"x_{\text{ab}}"),
):
    false(
        f"letters with the LaTeX {first} and {second}",
        "LaTeX or a terminal shows both alike",
        lambda first=first, second=second: one_above(first, second),
    )
for first, second in ((r"\tilde x", r"\hat x"), (r"\epsilon", r"\varepsilon"), (r"\phi", r"\varphi"), ("x_1", "x^+_1")):
    true(f"letters with the LaTeX {first} and {second}", lambda first=first, second=second: one_above(first, second))


# -- families and their entries ----------------------------------------------------------------------------------------


def times_its_number(numbers: sp.IndexedBase, a: sp.Expr) -> Any:
    """That an entry z(k + 1) is below a letter times k + 1, which is printed z (k + 1)."""
    where = Domain(reals(numbers, n), k >= 1, k + 1 <= n, a * (k + 1) > numbers[k + 1])
    return where, Always(numbers[k + 1] - a * (k + 1) < 0)


SAME = "as printed a letter times k + 1 is the entry with the number k + 1"
false("a probability z beside logits z", SAME, lambda: times_its_number(logit, z))
false("a probability x beside data x", SAME, lambda: times_its_number(datum, x))
true("a probability y beside logits z", lambda: times_its_number(logit, y))


def below_the_constant(policy: sp.IndexedBase) -> Any:
    """That a probability is below π times its number."""
    return Domain(simplex(policy, n), k >= 1, k + 1 <= n), Always(policy[k + 1] < sp.pi * (k + 1))


false("the constant π beside a policy π", SAME, lambda: below_the_constant(pi))
true("the constant π beside another policy", lambda: below_the_constant(ref))

ENTRY = "as printed it says that a number is below itself"
false(
    "a token's probability beside that of an answer",
    ENTRY,
    lambda: (
        Domain(simplex(ref, n), n >= 1, 0 < policy_ref[1], policy_ref[1] < ref[1]),
        Always(policy_ref[1] / ref[1] < 1),
    ),
)
true(
    "probabilities of tokens",
    lambda: (Domain(policy_1[1] > policy_1[1, 1], policy_1[1, 1] > 0), Always(policy_1[1] > policy_1[1, 1])),
)


def below_a_reward(latex: str) -> Any:
    """That a letter is below the first reward."""
    a = letter(latex)
    return Domain(reals(r, n), n >= 1, a < r[1]), Always(a - r[1] < 0)


false("a letter that is printed as the first reward", ENTRY, lambda: below_a_reward("r(1)"))
true("a letter that is printed as the first of nothing", lambda: below_a_reward("s(1)"))


def multiplier(latex: str) -> Any:
    """That maxima of a sum of probabilities, times a letter, have multipliers."""
    a = letter(latex)
    return Domain(reals(pi, n), n >= 1, a < 0), MaximaHaveMultipliers(
        Sum(a * pi[o], (o, 1, n)), (Kind(Summand(a * t, t, pi, o, n), a, False),)
    )


false(
    "a letter that is printed as a multiplier", "the multiplier γ(1) is not negative", lambda: multiplier(r"\gamma(1)")
)
true("a letter beside multipliers", lambda: multiplier("a"))

# -- what is made of others --------------------------------------------------------------------------------------------


def beside_whole(latex: str) -> Any:
    """That a negative letter is below a positive whole number, and one above 1 above a quotient of these below 1."""
    size, quotient = letter(latex, "size"), letter(r"\tfrac{k}{n}" if "k" in latex else r"\tfrac{j}{n}", "quotient")
    return Domain(size < 0, quotient > 1, k < n, k >= 1, n >= 1), Always(sp.And(size < k, quotient > k / n))


false(
    "letters that are printed as the size of a whole number, and its quotient by another",
    "the size |k| is not below k, and k/n not above k/n",
    lambda: beside_whole("|k|"),
)
true("letters that are printed as the size of another number, and a quotient of it", lambda: beside_whole("|j|"))


def over_answers(latex: str) -> Any:
    """That the mean of a letter is the letter."""
    a = letter(latex)
    return Domain(simplex(pi, n), n >= 1, a), Equal(Sum(a * pi[o], (o, 1, n)), a)


false(
    "a letter that is printed as the size of what a sum runs over",
    "the mean of |o| is not |o|",
    lambda: over_answers("|o|"),
)
true("a letter that is printed as the size of what no sum runs over", lambda: over_answers("|j|"))
false(
    "a letter that is printed as the size of the number of a reward",
    "|k| is not below k",
    lambda: (Domain(reals(r, n), k >= 1, k <= n, letter("|k|") < 0, r[k] > k), Always(r[k] > letter("|k|"))),
)


# -- words and powers --------------------------------------------------------------------------------------------------


def below_another(latex: str) -> Any:
    """That a negative letter is below a positive one."""
    a = letter(latex)
    return Domain(a < 0, x > 0), Always(a < x)


WORD = "as a reader knows it, it is a function or belongs to the sentence"
for word in ("ln", "sin", "arctan", "minus", "never"):
    false(f"a letter that is printed {word}", WORD, lambda word=word: below_another(rf"\mathrm{{{word}}}"))
for word in ("ln", "sin"):
    false(
        f"a family that is printed {word}",
        WORD,
        lambda word=word: (
            Domain(reals(family("own", rf"\operatorname{{{word}}}", "-", "numbers"), n), k >= 1),
            Always(k > 0),
        ),
    )
for name in ("ln", "sin", "arctan"):
    false(f"a letter that is called {name}", WORD, lambda name=name: (Domain(letter("w", name) > 0), Always(x > x - 1)))
for latex in ("x^{(2)}", "x^{(k)}", r"x^{\text{2}}", r"x^{\mathrm{k}}"):
    false(
        f"a letter that is printed {latex}",
        "a power of a positive number is positive",
        lambda latex=latex: below_another(latex),
    )
for latex in ("x_{2}", r"a_{\mathrm{never}}", r"a^{\mathrm{old}}", r"\check x"):
    true(f"a letter that is printed {latex}", lambda latex=latex: below_another(latex))


# -- what the words of a sentence speak of -----------------------------------------------------------------------------


def sequence(a: sp.Symbol) -> Any:
    """That a number which is divided by a letter again and again tends to 0."""
    return Domain(a > 1), ConvergesToFixedPoint(Iteration(x / a, x, Rational(1, 2)), 0, 1).by(Contraction(1 / a))


def flow(a: sp.Symbol) -> Any:
    """That what falls with the rate of a letter vanishes with it."""
    return Domain(a > 0), FlowAtRate(-a * x, x, Integer(-1), Integer(1), Integer(0), a).by(
        SlopeAtRest(SignOfVelocity())
    )


def every_map(a: sp.Symbol) -> Any:
    """That maps with the slope 0 attract with the rate of a letter."""
    return Domain(0 < a, a < 1), EveryMapAttracts(Integer(0), a)


def along_texts(a: sp.Symbol) -> Any:
    """That the sum of a letter along a text is the letter times the number of tokens."""
    tokens = TextSum(Integer(1), o)
    return Domain(a > 0), OnTexts(TextSum(a, o), a * tokens, Texts(o, o_, n)).by(OverTokens(rest=(S0, S1)))


def average(a: sp.Symbol) -> Any:
    """That the average of a letter times the number of tokens is expected to be the letter times that number."""
    tokens = TextSum(Integer(1), o)
    said = OnTexts(TextMean(Average(a * tokens, S), pi), a * TextMean(tokens, pi), Texts(o, o_, n))
    return Domain(simplex(pi, n), S >= 1, a > 0, n >= 1), said.by(OverTokens(onward=(onward,)))


def derivative(a: sp.Symbol) -> Any:
    """That a letter may stand before the derivative of an expected reward."""
    rate = pi[o] * (logit_rate[o] - Sum(pi[o_] * logit_rate[o_], (o_, 1, n)))
    said = OnTexts(
        TextRate(TextMean(a * whole_reward, pi)),
        a * TextRate(TextMean(whole_reward, pi)),
        Texts(o, o_, n, ends=(whole_reward,), rates=((pi, rate),)),
    )
    where = Domain(simplex(pi, n), reals(logit_rate, n), whole_reward, a > 0, n >= 1)
    return where, said.by(OverTokens(onward=(onward, onward_2), rates=(onward_rate,)))


for write, taken in (
    (sequence, {"n": "xₙ₊₁ is xₙ/n, which x₁ is not"}),
    (flow, {"l": "no number l is below l", "t": "e^(−lt) is that of the time t"}),
    (
        every_map,
        {"r": "where f' is 2√|x − x*| it is above r² on both sides", "f": "f is the map", "x^*": "x* is at rest"},
    ),
    (
        along_texts,
        {"t": "1 + 2 is not 2t for any t", "a_t": "the tokens differ", "s_t": "the states differ", "T": "T T"},
    ),
    (average, {"i": "the texts are numbered by i"}),
    (derivative, {r"\theta": "θ moves"}),
):
    for latex, why in taken.items():
        false(
            f"{write.__name__.replace('_', ' ')} with a letter that is printed {latex}",
            why,
            lambda write=write, latex=latex: write(letter(latex)),
        )
    true(f"{write.__name__.replace('_', ' ')} with a letter of its own", lambda write=write: write(letter("w")))


# -- what other formulas begin with ------------------------------------------------------------------------------------


def beside_a_power(a: sp.Symbol) -> Any:
    """That a letter times a power of Euler's e is positive."""
    return Domain(a > 0, y), Always(a * sp.exp(y) > 0)


def beside_an_index(a: sp.Symbol) -> Any:
    """That a letter times one more than Kronecker's δ is the letter and its product with δ."""
    delta = sp.KroneckerDelta(k, j)
    return Domain(a > 0, k >= 1, j >= 1), Equal(a * (delta + 1), a + a * delta)


def beside_a_mean(a: sp.Symbol) -> Any:
    """That the mean of a random number times a letter is the letter times the mean."""
    numbers = (Random(onward, i, 1, n, mean=x),)
    said = Eq(MeanOf(Sum(a * onward[i], (i, 1, n))), a * n * x, evaluate=False)
    return Domain(a > 0, n >= 1, x), ForRandom(said, numbers)


for write, latex, why in (
    (beside_a_power, "e", "as printed it is a power of the letter"),
    (beside_an_index, r"\delta_{j k}", "as printed there is a square"),
    (beside_a_mean, "E", "as printed a letter E times a number is one that has no E"),
):
    name = write.__name__.replace("_", " ")
    false(f"{name} a letter that is printed {latex}", why, lambda write=write, latex=latex: write(letter(latex)))
    true(f"{name} a letter of its own", lambda write=write: write(letter("w")))
