"""What is printed is what is meant: plain prints and LaTeX are read back, by precedence alone, as the same formula."""

from __future__ import annotations

import pytest
import sympy as sp
from random_formulas import drawn, kept
from readback import formula, shape
from readback_latex import latex_formula, latex_letters

from grpo_symbolic import catalogue
from grpo_symbolic.abbreviations import ABBREVIATIONS
from grpo_symbolic.errors import BadInput, ClaimError
from grpo_symbolic.folding import Abbreviating
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.notation import clip_high, clip_low, epsilon, j, k, n, o, o_, p, pi, r, x, y
from grpo_symbolic.proof import Domain, MeanOf, VarianceOf
from grpo_symbolic.proof.statements.sentence import formulas, letters, plain

OWN = ("TextSum", "TextProduct", "FromHere", "Gradient", "Average", "GroupCentred", "TextTotal", "TextRate", "TextMean")
NOT_READ = (*OWN, "Here", "Ahead")  # the words of sentences about texts
SHIPPED = ("vy-s21-PG-bound", "pt-cauchy-schwarz-statement", "pt-is-variance-reduction", "vy-s21-lln-std")
SHIPPED += ("vy-eq14", "vy-s11-nlhf-unique", "by-large-ends", "mr-fig4", "pt-gae-special-case", "vy-s21-Rinf")


FAMILIES_FIRST = sorted(ABBREVIATIONS, key=lambda a: not isinstance(a.arguments[0], sp.IndexedBase))
NAMES = [(a.name, a.arguments, a.at) for a in FAMILIES_FIRST]  # KL is one name of two, of numbers and of families


def same(e: sp.Basic) -> bool:
    return shape(formula(plain(e), letters([e]))) == shape(e)


def read(e: sp.Basic, print_: str) -> sp.Basic:
    """What LaTeX says with the letters of an expression."""
    return latex_formula(print_, latex_letters([e]), NAMES)


def same_in_latex(e: sp.Basic) -> bool:
    return shape(read(e, PaperPrinter()(e))) == shape(e)


@pytest.mark.parametrize("id", SHIPPED)
def test_the_formulas_of_a_shipped_claim_are_read_back(id: str) -> None:
    claim, count = catalogue.find(id), 0
    for together in formulas(claim.whole, claim.domain):
        for e in together:
            if isinstance(e, sp.IndexedBase) or not isinstance(e, sp.Basic):
                continue
            if not any(type(a).__name__ in NOT_READ for a in sp.preorder_traversal(e)):
                assert same(e), plain(e)
                assert same_in_latex(e), PaperPrinter()(e)
                named = Abbreviating(PaperPrinter(), short=True)
                assert shape(read(e, named(e))) == shape(named.folded(e)), named(e)
                count += 1
    assert count


def test_random_formulas_are_read_back() -> None:
    count = 0
    for e in drawn(29, 1500):
        assert same(e), f"{plain(e)}: {sp.srepr(e)}"
        count += 1
    assert count > 1000


@pytest.mark.parametrize("seed", range(4))
def test_random_formulas_are_read_back_from_latex(seed: int) -> None:
    count = 0
    for e in filter(kept, drawn(seed, 500)):
        assert same_in_latex(e), f"{PaperPrinter()(e)}: {sp.srepr(e)}"
        count += 1
    assert count > 350


@pytest.mark.parametrize("e", [x * k, pi[1] * x, y, sp.Sum(k * x, (k, 1, n)), x * pi[o]])
def test_a_derivative_beside_other_letters_holds_these_fixed(e: sp.Basic) -> None:
    """With y = x² the derivative d/dx y is 2 x, and ∂/∂x y is 0; a whole letter is one more, and so is an entry."""
    slope = sp.Derivative(e, x)
    assert plain(slope).startswith("∂/∂x ")
    assert PaperPrinter()(slope).startswith(r"\frac{\partial}{\partial x}")
    assert same(slope)
    assert same_in_latex(slope)
    for print_, reads in ((plain(slope), formula), (PaperPrinter()(slope), latex_formula)):
        known = letters([slope]) if reads is formula else latex_letters([slope])
        with pytest.raises(BadInput, match="other letters"):
            reads(print_.replace("∂", "d").replace(r"\partial", "d"), known)


def test_a_derivative_of_what_has_one_letter_only_is_no_partial_one() -> None:
    for e in (sp.Derivative(x**2, x), sp.Derivative(pi[1] ** 2, (pi[1], 2)), sp.Derivative(3, x)):
        assert plain(e).startswith("d")
        assert same(e)
        assert same_in_latex(e)


@pytest.mark.parametrize("number", ["917/1000", "1/100000", "-741/10000", "9/4", "2/7", "9999999999/10000000000"])
def test_decimals_are_read_back(number: str) -> None:
    value = sp.Rational(number)
    for e in (x < value, x**2 - value, sp.Pow(abs(value), x), (x + value) ** 2, value * x):
        printed = PaperPrinter().decimal()(e)
        assert shape(read(e, printed)) == shape(e), printed


TOTAL, SLOPE = sp.Sum(k, (k, 1, 3)), sp.Derivative(x, x)


@pytest.mark.parametrize(
    ("e", "printed"),
    [
        (TOTAL**2, "(Σ[k = 1…3] k)^2"),
        (sp.Sum(k**2, (k, 1, 3)), "Σ[k = 1…3] k^2"),
        (sp.Sum(k * o, (k, 1, o), (o, 1, 3)), "Σ[o = 1…3, k = 1…o] k*o"),
        (SLOPE**2, "(d/dx x)^2"),
        (y * TOTAL, "y*(Σ[k = 1…3] k)"),
        (-TOTAL, "-Σ[k = 1…3] k"),
        (k * TOTAL, "k*(Σ[k' = 1…3] k')"),
        (sp.Sum(TOTAL, (k, 1, 2)), "Σ[k = 1…2, k' = 1…3] k'"),
        (-y * TOTAL, "-y*(Σ[k = 1…3] k)"),
        (TOTAL / y, "(Σ[k = 1…3] k)/y"),
        (1 / TOTAL, "1/(Σ[k = 1…3] k)"),
        (TOTAL + x, "x + Σ[k = 1…3] k"),
        (sp.Product(x + k, (k, 1, 3)) ** 2, "(Π[k = 1…3] (k + x))^2"),
        (sp.Limit(x * y, x, 0) ** 2, "(lim[x → 0 from above] x*y)^2"),
        (sp.Derivative(x**4, (x, 2)), "d^2/dx^2 x^4"),
        (sp.Derivative(x**2 * y**2, (x, 2), y), "∂^2/∂x^2 ∂/∂y x^2*y^2"),
        (MeanOf(x) ** 2, "(E(x))^2"),
        (y / VarianceOf(x), "y/Var(x)"),
        (sp.Implies(sp.Implies(x > 0, y > 0), y > x), "if (if x > 0, then y > 0), then y > x"),
    ],
)
def test_what_reaches_far_has_parentheses(e: sp.Basic, printed: str) -> None:
    assert plain(e) == printed
    assert same(e)


def test_a_print_without_parentheses_is_another_formula() -> None:
    for print_, e in (("Σ[k = 1…3] k^2", TOTAL**2), ("d/dx x^2", SLOPE**2), ("E(x^2)", MeanOf(x) ** 2)):
        assert shape(formula(print_, letters([e, x]))) != shape(e)


CASES = sp.Piecewise((x, x < p), (y, True), evaluate=False)
INNER = sp.Sum(r[o] * pi[o_], (o, 1, n))


@pytest.mark.parametrize(
    ("e", "printed"),
    [
        (SLOPE * sp.Max(x, y), r"\left(\frac{d}{d x} x\right) \, \max\left(x, y\right)"),
        (sp.Mul(sp.Limit(x * y, x, 0), y, evaluate=False), r"\left(\lim_{x \to 0^+}\left(x \, y\right)\right) \, y"),
        (sp.Limit(-2, x, 0), r"\lim_{x \to 0^+} \left(-2\right)"),
        (sp.Limit(x, x, y + 1), r"\lim_{x \to \left(y + 1\right)^+} x"),
        (sp.Product(-k * x, (k, 1, 3)), r"\prod_{k=1}^{3} \left(- k \, x\right)"),
        (
            sp.Pow(CASES, 2, evaluate=False),
            r"\left(\begin{cases} x & \text{for}\: x < p \\y & \text{otherwise} \end{cases}\right)^{2}",
        ),
        (CASES + 1, r"\left(\begin{cases} x & \text{for}\: x < p \\y & \text{otherwise} \end{cases}\right) + 1"),
        (-CASES, r"- \left(\begin{cases} x & \text{for}\: x < p \\y & \text{otherwise} \end{cases}\right)"),
        (sp.Pow(-1, -2, evaluate=False), r"\left(-1\right)^{-2}"),
        (sp.Sum(pi[o] * INNER, (o, 1, n)), r"\sum_{o=1}^{n} \pi(o) \, \sum_{{o}''=1}^{n} \pi(o') \, r({o}'')"),
        (
            sp.Sum(sp.Sum(sp.Sum(pi[o] * r[o_], (o_, 1, n)), (o, 1, n)), (o, 1, n)),  # o' is bound within, and taken
            r"\sum_{o=1}^{n} \sum_{{o}''=1}^{n} \sum_{o'=1}^{n} \pi({o}'') \, r(o')",
        ),
        (
            sp.Sum(sp.Sum(sp.Sum(pi[o], (o, 1, n)), (o, 1, n)), (o, 1, n)),
            r"\sum_{o=1}^{n} \sum_{{o}'=1}^{n} \sum_{{o}''=1}^{n} \pi({o}'')",
        ),
        (
            sp.Sum(j * sp.Sum(1, (k, 1, j), (j, 1, n)), (j, 1, 2)),
            r"\sum_{j=1}^{2} j \, \sum_{{j}'=1}^{n} \sum_{k=1}^{{j}'} 1",
        ),
        (
            sp.And(sp.Equivalent(x < 1, y < 1), sp.Equivalent(x > 2, y > 2)),
            r"\left(x > 2 \Leftrightarrow y > 2\right)\ \text{and}\ \left(x < 1 \Leftrightarrow y < 1\right)",
        ),
    ],
)
def test_latex_has_parentheses_where_it_would_say_something_else(e: sp.Basic, printed: str) -> None:
    assert PaperPrinter()(e) == printed
    assert same_in_latex(e)


@pytest.mark.parametrize(
    ("print_", "e"),
    [
        (r"\frac{1}{100} \, 1 - x \, \sum_{k=1}^{3} k", (1 - x) * TOTAL / 100),
        (r"\sum_{k=1}^{3} k^{2}", TOTAL**2),
        (r"\sum_{k=1}^{3} k + x", sp.Sum(k + x, (k, 1, 3))),
        (r"\sum_{k=1}^{3} k \, x", sp.Mul(TOTAL, x, evaluate=False)),
        (r"\frac{\partial}{\partial x} x \, y", y * SLOPE),
        (r"\lim_{x \to 0^+} x \, y", sp.Mul(y, sp.Limit(x, x, 0), evaluate=False)),
        (r"- x^{2}", (-x) ** 2 * y / y + x),
        (r"\sum_{o=1}^{n} \pi(o) \, \sum_{{o}'=1}^{n} \pi(o') \, r({o}')", sp.Sum(pi[o] * INNER, (o, 1, n))),
    ],
)
def test_latex_without_parentheses_is_another_formula(print_: str, e: sp.Basic) -> None:
    assert shape(read(e, print_)) != shape(e)


@pytest.mark.parametrize(
    "text",
    [
        *("", "x +", r"\left(x", r"x\right)", "x + {y", "x}", "z", "x = < y", "x - - y", "x < y > x", r"x^{2}^{3}"),
        *("2 3", r"2 \, \frac{1}{2}", r"\sum_{k=1}^{2} - y", r"\frac{d}{d x^{2}} x", r"\lim_{x \to x + y^+} x"),
        r"x \, \begin{cases} x & \text{otherwise} \end{cases}",
        r"x < y\ \text{and}\ y < x\ \text{or}\ x < 1",
    ],
)
def test_latex_that_says_nothing_or_two_things_is_refused(text: str) -> None:
    with pytest.raises((BadInput, IndexError)):
        read(x + y, text)


def test_a_name_is_one_thing_in_latex() -> None:
    for abbreviation in ABBREVIATIONS:
        name, factor = abbreviation.at(*abbreviation.arguments), sp.Symbol("A")
        total = sp.Sum(name * k, (k, 1, n))
        for e in (name**2, factor * name, name * factor**2, 1 / name, -name, name + 1, total, name**-factor):
            given = latex_letters([abbreviation.formula, *abbreviation.arguments, factor, k, n])
            assert shape(latex_formula(PaperPrinter()(e), given, NAMES)) == shape(e), PaperPrinter()(e)
    gradient = next(a for a in ABBREVIATIONS if a.name.startswith(r"\nabla"))
    with pytest.raises(BadInput, match="of a gradient"):
        read(pi[o], PaperPrinter()(gradient.at(o)) + "^{2}")


@pytest.mark.parametrize(
    "text", ["", "-y*Σ[k = 1…3] k", "x +", "(x", "x)", "Σ[k = 1] x", "x y", "x = = y", "z", "if x"]
)
def test_what_is_no_print_is_refused(text: str) -> None:
    with pytest.raises((BadInput, IndexError)):
        formula(text, letters([x + y]))


def test_letters_that_look_alike_are_refused() -> None:
    with pytest.raises(ClaimError, match="printed alike"):
        letters([sp.Symbol("x1", real=True) + sp.Symbol("x_1", real=True)])
    with pytest.raises(ClaimError, match="placeholder"):
        letters([sp.Dummy("x")])


def clipped(low: sp.Expr, high: sp.Expr) -> sp.Basic:
    return sp.Piecewise((low, x < low), (high, x > high), (x, True))


@pytest.mark.parametrize(
    ("low", "high", "domain", "in_order"),
    [
        (sp.S.Zero, sp.S.One, None, True),
        (sp.S.One, sp.S.Zero, None, False),
        (1 - epsilon, 1 + epsilon, None, True),  # as its letter is meant
        (p, y, None, False),
        (1 - epsilon, 1 + epsilon, Domain(x, epsilon > 0), True),
        (1 - epsilon, 1 + epsilon, Domain(x, epsilon < 0), False),
        (1 - clip_low, 1 + clip_high, Domain(x, clip_low >= 0, clip_high > 0), True),
        (1 - clip_low, 1 + clip_high, Domain(x, clip_low >= 0, clip_high), False),
        (p, y, Domain(x, p < y), True),
        (p, y, Domain(x, y >= p), True),
        (p, y, Domain(x, y < p), False),
        (p, y, Domain(x, y, p), False),
    ],
)
def test_clip_is_printed_of_ends_that_are_in_order(
    low: sp.Expr, high: sp.Expr, domain: Domain | None, in_order: bool
) -> None:
    """With y < p the cases give p where x is below p, and clip(x; p, y) is to some y there."""
    printer = PaperPrinter() if domain is None else PaperPrinter().on(domain)
    e = clipped(low, high)
    assert (r"\operatorname{clip}" in printer(e)) == in_order
    assert shape(read(e, printer(e))) == shape(e)
