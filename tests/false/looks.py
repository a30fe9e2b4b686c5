"""What a reader sees: letters that look alike, placeholders, names that are sentences, hypotheses that are not said of
what they are about.
"""

from __future__ import annotations

from typing import Any

from sympy import Dummy, IndexedBase, Symbol, Wild

from grpo_symbolic.paper import *

from . import claimed, false, true


def letters(*names, integer=False, latex=None):
    """Letters that the notation gets when the entry is written, in a process of its own."""
    return [scalar(w, latex or f"\\ell_{{{k}}}", "-", f"a letter: {w}", integer) for k, w in enumerate(names)]


def alike(name, write, first, second, **how):
    """A sentence of two letters that look alike."""
    false(name, "as printed one letter stands for both", lambda: write(*letters(first, second, **how)))


alike(
    "a sum over one letter of another",
    lambda a, b: (Domain(n >= 1, b >= 1), Equal(Sum(b, (a, 1, n)), n * b)),
    "k1",
    "k_1",
    integer=True,
)
alike("a slope in one of two", lambda a, b: (Domain(a > 0, b > 0), Monotone(a - a * b / (1 + b), a)), "x1", "x_1")
alike("a difference of two letters", lambda a, b: (Domain(a > b), Always(a - b > 0)), "x1", "x_1")
alike("two Greek letters", lambda a, b: (Domain(a > b), Always(a - b > 0)), "mu1", "mu_1")
alike("two underscores", lambda a, b: (Domain(a > b), Always(a - b > 0)), "x_1", "x__1")
for word, what in (
    ("x__2", "it is printed x²"),
    ("and", "a word between formulas"),
    ("x_1__2", "it is printed x₁²"),
    ("x y", "two letters"),
    ("∞", "it is no number"),
    ("x'", "x' is another letter"),
):
    false(f"a letter {word!r}", what, lambda word=word: _positive(*letters(word)))
for word, what in (
    ("E", "it is printed as Euler's number"),
    ("e", "it is Euler's number"),
    ("not", "a word between formulas"),
    ("if_", "a word, and its prime"),
    ("Max", "the larger of two"),
    ("Var", "a variance"),
    ("zoo", "SymPy's infinity"),
    ("Alpha", "a Greek letter that looks like A"),
    ("omicron", "a Greek letter that looks like o"),
):
    false(f"a letter {word!r}", what, lambda word=word: _positive(*letters(word)))
for latex, what in (
    ("e", "Euler's number"),
    (r"\pi", "the constant π"),
    (r"\infty", "it is no number"),
    ("2", "another number"),
    ("2x", "twice x"),
    ("xy", "a product"),
    ("-x", "minus x"),
    ("x^2", "a square"),
    (r"x^{2}", "a square"),
    (r"\sqrt{x}", "a root"),
    (r"\log x", "a logarithm"),
    ("f(x)", "a function"),
    (r"\mathbb E", "an expectation"),
    (r"\mathrm{log}", "a logarithm"),
    (r"\color{white}x", "nothing is seen"),
    ("\u0445", "a Cyrillic letter that looks like x"),
    (r"x^2<0\text{ and }x", "x² < 0 for no x"),
    ("x=1,\\ y", "x need not be 1"),
    (r"1+x", "a sum in the place of a letter"),
    (r"x\ \le y", "x may be above y"),
    (r"x}{", "its braces do not match"),
    (r"\quad", "nothing is seen"),
):
    false(f"a letter that LaTeX shows as {latex!r}", what, lambda latex=latex: _positive(*letters("odd", latex=latex)))


def _positive(a):
    return Domain(a > 0), Always(a > -1)


def as_x(latex: str) -> Any:
    """That a letter is above x, which LaTeX shows alike."""
    (odd,) = letters("odd", latex=latex)
    return Domain(x > 0, odd > x), Always(odd > x)


for latex in (r"{x}", r"\mathrm{x}", r"x\,", r"x_{}", r"\ x"):
    false(f"x and what LaTeX shows as {latex!r}", "both are seen as x", lambda latex=latex: as_x(latex))


def braces() -> Any:
    """Two letters that differ in braces."""
    first, second = letters("first", latex="x_{1}"), letters("second", latex="x_1")
    return Domain(first[0] > second[0]), Always(first[0] > second[0])


false("letters that differ in braces", "no braces are seen", braces)


def quotient(*said: Any) -> Any:
    """That an effective regularisation, printed β/γ, is above 1."""
    return Domain(b > 1, beta > 0, *said), Always(b + beta > 1 + beta)


false(
    "a letter that is printed as a quotient of two others",
    "as printed β/γ is above 1 where β is below γ",
    lambda: quotient(gamma > beta),
)
true("a letter that is printed as a quotient, beside one of them", quotient)


def size() -> Any:
    """That a letter, printed |x|, is above 4 somewhere."""
    (odd,) = letters("odd", latex="|x|")
    return Domain(x < 0, odd > x), Exists(odd > 4, {odd: 5, x: -1})


false("a letter that is printed as the size of another one", "as printed |x| is 5 and x is −1", size)


def total(*terms: Any, over: Any = Sum, latex: str = r"\Sigma") -> Any:
    """That sums and a letter, printed as their sign, are positive."""
    (odd,) = letters("odd", latex=latex)
    return Domain(odd > 0, x > 0, n >= 1), Always(odd * sum(over(term, (o, 1, n)) for term in terms) > 0)


for terms in ((x + o,), (x * o,), (x * o, x + o)):
    false(f"a letter that is printed as the sign of sums of {terms}", "Σ Σ is a sum of sums", lambda t=terms: total(*t))
false(
    "a letter that is printed as the sign of a product",
    "Π ∏ is a product of products",
    lambda: total(x * o, over=Product, latex=r"\Pi"),
)
alike("what LaTeX shows alike", lambda a, b: (Domain(a > b), Always(a - b > 0)), "first", "second", latex=r"\xi")
alike("an example with two", lambda a, b: (Domain(a, b), Exists(a > b, {a: 1, b: 0})), "x1", "x_1")
alike("a limit in one of two", lambda a, b: (Domain(b), Tends(a * b, a, 1, b)), "x1", "x_1")
alike("roots in one of two", lambda a, b: (Domain(b > 0, b < 1), Roots(a - b, a, 1)), "x1", "x_1")
alike(
    "a print with two",
    lambda a, b: claimed(Domain(x > 0), Always(x > 0), id="p", judged=wrong("-", Always(a > b), Domain(a > 0, b > 0))),
    "x1",
    "x_1",
)
false("two letters p", "LaTeX shows p for both", lambda: (Domain(p < success), Always(p < success)))


def two_families():
    first, second = (family(w, rf"\ell_{k}", "-", f"numbers: {w}") for k, w in enumerate(("w1", "w_1")))
    return Domain(reals(first, n), reals(second, n), n >= 1), Equal(first[o] + second[o], second[o] + first[o])


false("two families that look alike", "as printed one family stands for both", two_families)

PLACEHOLDER = "no print tells placeholders apart"
d1, d2 = Dummy("k", integer=True), Dummy("k", integer=True)
real = Dummy("x", real=True)
false("a sum over two placeholders", PLACEHOLDER, lambda: (Domain(x), Equal(Sum(d1 * d2, (d1, 1, 2), (d2, 1, 2)), 9)))
false("a sum over one placeholder", PLACEHOLDER, lambda: (Domain(x), Equal(Sum(d1, (d1, 1, 2)), 3)))
false("a placeholder beside a letter", PLACEHOLDER, lambda: (Domain(x > 0, real < 0), Always(real < x)))
false("a slope in a placeholder", PLACEHOLDER, lambda: (Domain(x > 0, real > 0), Monotone(real - x**2, real)))
false("a derivative along a placeholder", PLACEHOLDER, lambda: (Domain(real, x), Equal(Derivative(real * x, real), x)))
false("a pattern", "it stands for any expression", lambda: (Domain(x), Equal(Wild("w") * x, x * Wild("w"))))
false(
    "a name that is a sentence",
    "x² < 0 for no x",
    lambda: (Domain(Symbol("x^2 < 0 and x", real=True) > 0), Always(Symbol("x^2 < 0 and x", real=True) > -1)),
)
false(
    "a family whose name is a sentence",
    "Σ π = 2 for no policy",
    lambda: (Domain(x, reals(IndexedBase("Σ π = 2 or r", real=True), 2)), Equal(x, x)),
)


def named(words):
    mean = TextMean(TextSum(1, o), pi)
    said = OnTexts(mean, mean, Texts(o, o_, n, called=words))
    return Domain(simplex(pi, n), n >= 2), said.by(OverTokens((onward,)))


WORDS = "any policy that maximises the reward is optimal, and for texts"
false("words of one's own for texts", "no policy need maximise the reward", lambda: named(WORDS))
false("two words of one's own", "no policy need maximise the reward", lambda: named((WORDS, "tokens")))
false("independent draws of a law for each state", "what follows hangs on what was drawn", lambda: named("samples"))


def is_hidden(formula, *numbers):
    """Whether a sentence leaves out that numbers are independent, and is then false: ±1 with W₂ = W₁."""
    said = " ".join(str(part) for part in ForRandom(formula, numbers).phrase())
    return said.count("independent and of one law") != sum(number.independent for number in numbers)


product = Eq(MeanOf(Product(onward[i], (i, 1, 2))), x**2, evaluate=False)
drawn = Random(onward, i, 1, 2, mean=x, independent=True)
beside = Random(onward_2, i, 1, 2, mean=y)
dependent = drawn._replace(independent=False)
if is_hidden(product, drawn, beside) or is_hidden(product, drawn):
    false(
        "independence that is not said",
        "of ±1 twice the mean of the product is 1",
        lambda: (Domain(x, y), ForRandom(product, (drawn, beside))),
    )
false("dependent numbers", "of ±1 twice it is 1", lambda: (Domain(x, y), ForRandom(product, (dependent, beside))))


def different():
    first, second = letters("x1", "x_2")
    return Domain(first > second), Always(first > second)


true("two letters that look different", different)
true("independent numbers beside others", lambda: (Domain(x, y), ForRandom(product, (drawn, beside))))


def halfway(letter: Symbol) -> Any:
    """That steps of half the way to a number converge."""
    steps = ConvergesToFixedPoint(Iteration(letter / 2 + t_start / 2, letter, 1), 0, 1)
    return Domain(t_start >= 0, t_start <= Rational(1, 2)), steps.by(Contraction(Rational(1, 2)))


true("a letter that looks as the start of a sequence would, which has no letter", lambda: halfway(t))
true("a letter beside the start of a sequence", lambda: halfway(x))
