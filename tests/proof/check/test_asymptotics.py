"""Limits by rules of our own: true ones of every kind are proved, false ones are not, and nothing is proved of a term
that has no value near the point.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from written_terms import (
    W,
    cases,
    cosh,
    delta,
    entry,
    exp,
    greatest,
    least,
    log,
    magnitude,
    of,
    reals,
    sign,
    sqrt,
    tanh,
    total,
    variable,
    wholes,
)

from grpo_symbolic.proof.check.asymptotics import Infinity, tends
from grpo_symbolic.proof.check.normal import NormalForm
from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.statements.evaluate import value_at
from grpo_symbolic.terms import language as la
from grpo_symbolic.terms.language import Formula, Term

x, a, b, c, p, s, t = reals("x a b c p s t")
(n,) = wholes("n")
DOMAIN = (0 < p, p < 1, b > 0, c >= 0, s < t)
UP, DOWN = Infinity.above, Infinity.below
End = W | int | Fraction | Infinity


def proved(body: W | int, point: End, side: str, value: End, *also: Formula) -> bool:
    form = NormalForm(lambda formula: False, {}, (*DOMAIN, *also))
    ends = [e if isinstance(e, Infinity) else of(e) for e in (point, value)]
    return tends(of(body), variable(x), ends[0], side, ends[1], form)


TRUE: dict[str, tuple[W | int, End, str, End]] = {
    "a constant": (2, 0, "+", 2),
    "a polynomial": (x**2 + a, 0, "+", a),
    "at a parameter": ((x**2 - a**2) / (x - a), a, "-", 2 * a),
    "a root at a parameter": (sqrt(p + x), p, "+", sqrt(2 * p)),
    "a root at 0": (sqrt(x), 0, "+", 0),
    "a root of what may vanish": (sqrt(c + x), 0, "+", sqrt(c)),
    "a root from the left": (sqrt(-x), 0, "-", 0),
    "a pole from the right": (1 / x, 0, "+", UP),
    "a pole from the left": (1 / x, 0, "-", DOWN),
    "an even pole": (1 / x**2, 0, "-", UP),
    "a rational function at infinity": ((b * x**2 + x) / (x**2 - 1), UP, "+", b),
    "at minus infinity": ((2 * x + 1) / (x - 3), DOWN, "+", 2),
    "a root at infinity": (sqrt(x**2 + x) - x, UP, "+", Fraction(1, 2)),
    "a root of higher order": ((1 + x) ** Fraction(1, 3) / x - 1 / x, 0, "+", Fraction(1, 3)),
    "three orders": ((exp(x) - 1 - x - x**2 / 2) / x**3, 0, "+", Fraction(1, 6)),
    "cosh": ((cosh(x) - 1) / x**2, 0, "-", Fraction(1, 2)),
    "a logarithm": (log(x), 0, "+", DOWN),
    "a logarithm at infinity": (log(x) / x, UP, "+", 0),
    "x log x": (x * log(x), 0, "+", 0),
    "a power of a logarithm": (x * log(x) ** 3, 0, "+", 0),
    "log(1 + x)": (log(1 + b * x) / x, 0, "+", b),
    "a ratio of logarithms": (log(2 * x) / log(x), UP, "+", 1),
    "an exponential": (exp(-b * x), UP, "+", 0),
    "an exponential that grows": (exp(b * x) / x**7, UP, "+", UP),
    "an exponential and a power": (x**9 * exp(-x), UP, "+", 0),
    "an essential singularity": (exp(-1 / x) / x**5, 0, "+", 0),
    "softmax": (exp(1 / x) / (exp(1 / x) + p), 0, "+", 1),
    "softmax from the left": (exp(1 / x) / (exp(1 / x) + p), 0, "-", 0),
    "softmax of two rewards": (exp(t / x) / (exp(t / x) + exp(s / x)), 0, "+", 1),
    "the loser of a softmax": (exp(s / x) / (exp(t / x) + exp(s / x)), 0, "+", 0),
    "softplus": (log(1 + exp(x)) - x, UP, "+", 0),
    "tanh": (tanh(x), DOWN, "+", -1),
    "a power with a term": ((1 - p) ** x, UP, "+", 0),
    "the number e": ((1 + 1 / x) ** x, UP, "+", exp(1)),
    "|x|/x": (magnitude(x) / x, 0, "-", -1),
    "sign": (sign(x - p), p, "+", 1),
    "max": (greatest(x, x**2), 0, "+", 0),
    "max at infinity": (greatest(x, x**2) / x**2, UP, "+", 1),
    "min": (least(1 / x, b), 0, "+", b),
    "cases": (cases((x < 0, 1 / x), default=exp(x)), 0, "+", 1),
    "cases from the other side": (cases((x < 0, x - 1), default=exp(x)), 0, "-", -1),
    "a coefficient that may vanish": ((1 + c * x) / (1 + x), 0, "+", 1),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_limit_is_proved(name: str) -> None:
    assert proved(*TRUE[name])


@pytest.mark.parametrize("name", TRUE)
def test_another_value_is_not(name: str) -> None:
    body, point, side, value = TRUE[name]
    others = [UP, DOWN] if isinstance(value, Infinity) else [UP, DOWN, W(of(value)) + 1]
    assert not any(proved(body, point, side, other) for other in others if other is not value)
    if isinstance(value, Infinity):
        assert not proved(body, point, side, 0)


REFUSED: dict[str, tuple[W | int, End, str, End]] = {
    "a root of a negative number": (sqrt(-x), 0, "+", 0),
    "a third root of a negative number": ((-x) ** Fraction(1, 3), 0, "+", 0),
    "a root of what may become negative": (sqrt(a + x), 0, "+", sqrt(a)),
    "a logarithm of a negative number": (x * log(x), 0, "-", 0),
    "a logarithm that cancels": (log(x) - log(x), 0, "-", 0),
    "a root times 0": (0 * sqrt(-x), 0, "+", 0),
    "a power of a negative base": (W(la.GeneralPower((-x).term, x.term)), 0, "+", 1),
    "a parameter without a value": (x + log(a), 0, "+", log(a)),
    "a parameter that may be 0": (x / a, 0, "+", 0),
    "a coefficient that may vanish": ((c * x + x**2) / x**2, 0, "+", UP),
    "a coefficient that may vanish, below": (x / (c * x + x**2), 0, "+", 1 / (c + 1)),
    "an exponent that may vanish": (exp(-c * x), UP, "+", 0),
    "an exponent of unknown sign": (exp(a * x), UP, "+", 0),
    "rewards that may be equal": (exp(a / x) / (exp(a / x) + exp(s / x)), 0, "+", 1),
    "a generic parameter": ((a * x + 1) / (b * x + 1), UP, "+", UP),
    "cases at their border": (cases((x < 0, 1), default=0), 0, "+", 1),
    "cases by a parameter": (cases((a < 0, 1), default=0), 0, "+", 0),
    "two sides": (magnitude(x) / x, 0, "-", 1),
    "a jump at a parameter": (sign(x - p), p, "-", 1),
    "a slow one": (1 / log(x), 0, "+", 1),
    "a wrong order": ((exp(x) - 1 - x) / x**3, 0, "+", Fraction(1, 6)),
    "e": ((1 + 1 / x) ** x, UP, "+", 1),
    "a sum whose end moves": (total(1, 3, lambda j: j * x) * 0 + total(1, n, lambda j: x), 0, "+", 1),
    "a value with the variable": (x, 0, "+", x),
    "a delta": (W(la.Delta(n.term, la.ONE)) * x + delta(n, 2), 0, "+", 1),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_false_or_not_defined_is_not_proved(name: str) -> None:
    assert not proved(*REFUSED[name])


def test_a_domain_may_settle_a_coefficient() -> None:
    body = (exp(a / x) / (exp(a / x) + exp(s / x)), 0, "+")
    assert proved(*body, 1, s < a)
    assert proved(*body, 0, a < s)
    assert proved(*body, Fraction(1, 2), a.equals(s))
    assert not proved(*body, 1)


def test_an_entry_whose_index_moves_is_refused() -> None:
    assert not proved(entry("r", n) * x, 0, "+", 0)  # no domain says how many entries there are


def test_a_side_that_is_none() -> None:
    with pytest.raises(ValueError, match="no side"):
        proved(x, 0, "both", 0)


class _Random:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def term(self, depth: int) -> W:
        rng = self.rng
        if depth <= 0:
            return rng.choice([x, x, x, W(la.number(rng.choice([-1, 1, 2, 3]))), W(la.number(Fraction(1, 2)))])

        def part() -> W:
            return self.term(depth - 1 - rng.randrange(2))

        match rng.randrange(11):
            case 0 | 1:
                return part() + part()
            case 2 | 3:
                return part() * part()
            case 4 | 5:
                return part() / part()
            case 6:
                return part() ** Fraction(rng.choice([1, -1, 3]), rng.choice([2, 3]))
            case 7:
                return log(part())
            case 8:
                return exp(part())
            case 9:
                return rng.choice([magnitude, tanh, sign, cosh])(part())
        return rng.choice([greatest, least])(part(), part())


def _value(body: Term, exponent: int) -> Any:
    """A narrow ball at ``x = 2^(−exponent)``, where there is one."""
    try:
        found = value_at(body, {variable(x): Fraction(1, 2**exponent)}, ARB)
    except (Undefined, Unsupported):
        return None
    return found if found.rel_accuracy_bits() > 20 or found.contains(0) else None


@pytest.mark.parametrize("seed", range(4))
def test_values_near_the_point_agree_with_what_is_proved(seed: int) -> None:
    made, seen = _Random(seed), 0
    for _ in range(30):
        body = made.term(made.rng.randint(1, 3))
        values = [_value(body.term, e) for e in (40, 60)]
        for claimed in (0, 1, -1, 2, 3, Fraction(1, 2), exp(1), UP, DOWN):
            if not proved(body, 0, "+", claimed):
                continue
            seen += 1
            if None in values:
                continue
            before, after = values
            if isinstance(claimed, Infinity):
                assert (after > before) if claimed is UP else (after < before), body.term
            else:
                assert abs(after - _value(of(claimed), 1)) < 0.2, (body.term, claimed)
    assert seen > 10
