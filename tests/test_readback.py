"""What is printed is what is meant: a plain print is read back, by precedence alone, into the same formula."""

from __future__ import annotations

import random
from typing import Any

import pytest
import sympy as sp

from grpo_symbolic import catalogue
from grpo_symbolic.errors import BadInput, ClaimError
from grpo_symbolic.notation import beta, i, j, k, n, o, o_, p, pi, r, x, y
from grpo_symbolic.proof.statements.sentence import formulas, letters, plain
from grpo_symbolic.report.readback import formula, shape

OWN = ("TextSum", "TextProduct", "FromHere", "Gradient", "Average", "GroupCentred", "TextTotal", "TextRate", "TextMean")
NOT_READ = (*OWN, "Here", "Ahead")  # the words of sentences about texts
SHIPPED = ("vy-s21-PG-bound", "pt-cauchy-schwarz-statement", "pt-is-variance-reduction", "vy-s21-lln-std")
SHIPPED += ("vy-eq14", "vy-s11-nlhf-unique", "by-large-ends", "mr-fig4", "pt-gae-special-case", "vy-s21-Rinf")


def same(e: sp.Basic) -> bool:
    return shape(formula(plain(e), letters([e]))) == shape(e)


@pytest.mark.parametrize("id", SHIPPED)
def test_the_formulas_of_a_shipped_claim_are_read_back(id: str) -> None:
    claim, read = catalogue.find(id), 0
    for together in formulas(claim.whole, claim.domain):
        for e in together:
            if isinstance(e, sp.IndexedBase) or not isinstance(e, sp.Basic):
                continue
            if not any(type(a).__name__ in NOT_READ for a in sp.preorder_traversal(e)):
                assert same(e), plain(e)
                read += 1
    assert read


def made(depth: int, chance: random.Random) -> Any:
    """A random expression of sums, products, derivatives, limits, powers, fractions and cases within one another."""
    if depth == 0:
        return chance.choice([x, y, p, beta, pi[o], r[o_], sp.Integer(2), sp.Rational(-3, 5), sp.Integer(-1)])
    a, b = made(depth - 1, chance), made(depth - 1, chance)
    letter = chance.choice([i, j, k])
    match chance.randrange(14):
        case 0 | 1:
            return sp.Add(a, b, evaluate=chance.random() < 0.5)
        case 2 | 3:
            return sp.Mul(a, b, evaluate=chance.random() < 0.5)
        case 4:
            return sp.Pow(a, chance.choice([2, 3, -1, -2, sp.S.Half, -sp.S.Half, b]), evaluate=False)
        case 5:
            return sp.Mul(a, sp.Pow(b, -1, evaluate=False), evaluate=False)
        case 6:
            return sp.Sum(a, (letter, 1, n))
        case 7:
            return sp.Product(a + letter, (letter, 1, n))
        case 8:
            return sp.Derivative(a * x, x, evaluate=False)
        case 9:
            return sp.Limit(a, y, chance.choice([0, sp.oo]), "-" if chance.random() < 0.3 else "+")
        case 10:
            return chance.choice([sp.Max, sp.Min])(a, b, evaluate=False)
        case 11:
            return chance.choice([sp.exp, sp.log, sp.Abs])(a, evaluate=False)
        case 12:
            return sp.Piecewise((a, x < p), (b, True), evaluate=False)
    return -a


def test_random_formulas_are_read_back() -> None:
    chance, read = random.Random(29), 0
    for _ in range(1500):
        try:
            e = made(chance.randint(1, 4), chance)
        except (TypeError, ValueError, AttributeError):  # SymPy makes no such expression
            continue
        if e.has(sp.nan, sp.zoo, sp.I):
            continue
        assert same(e), f"{plain(e)}: {sp.srepr(e)}"
        read += 1
    assert read > 1000


TOTAL, SLOPE = sp.Sum(k, (k, 1, 3)), sp.Derivative(x, x)


@pytest.mark.parametrize(
    ("e", "printed"),
    [
        (TOTAL**2, "(Σ[k = 1…3] k)^2"),
        (sp.Sum(k**2, (k, 1, 3)), "Σ[k = 1…3] k^2"),
        (SLOPE**2, "(d/dx x)^2"),
        (y * TOTAL, "y*(Σ[k = 1…3] k)"),
        (-TOTAL, "-Σ[k = 1…3] k"),
        (-y * TOTAL, "-y*(Σ[k = 1…3] k)"),
        (TOTAL / y, "(Σ[k = 1…3] k)/y"),
        (1 / TOTAL, "1/(Σ[k = 1…3] k)"),
        (TOTAL + x, "x + Σ[k = 1…3] k"),
        (sp.Product(x + k, (k, 1, 3)) ** 2, "(Π[k = 1…3] (k + x))^2"),
        (sp.Limit(x * y, x, 0) ** 2, "(lim[x → 0 from above] x*y)^2"),
    ],
)
def test_what_reaches_far_has_parentheses(e: sp.Basic, printed: str) -> None:
    assert plain(e) == printed
    assert same(e)


def test_a_print_without_parentheses_is_another_formula() -> None:
    for print_, e in (("Σ[k = 1…3] k^2", TOTAL**2), ("d/dx x^2", SLOPE**2)):
        assert shape(formula(print_, letters([e, x]))) != shape(e)


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
