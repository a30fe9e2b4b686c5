"""Certified root finding by itself: known zeros, double zeros, zeros at the ends, and the precision of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flint
import pytest
import sympy as sp

from grpo_symbolic.notation import success
from grpo_symbolic.optimality import SuccessRecursion
from grpo_symbolic.optimality.enclosure import compiled, isolate, working_bits

LARGE = {"group_size": sp.oo, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)


def polynomial(*roots: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    t = sp.Symbol("t")
    e = sp.expand(sp.Mul(*(t - r for r in roots)))
    value, slope = compiled(e, (t,)), compiled(sp.diff(e, t), (t,))
    return (lambda a, b: value(a.union(b))), (lambda a, b: slope(a.union(b)))


@pytest.mark.parametrize("ends", [(-3, 6), (-2, 5), (0, 4), (-1, 1)])
def test_roots_at_the_ends_and_in_the_middle_are_found_once(ends: tuple[int, int]) -> None:
    with working_bits(200):
        found = isolate(*polynomial(-2, 1, 4), flint.arb(ends[0]), flint.arb(ends[1]), flint.arb(2) ** -60)
        expected = [r for r in (-2, 1, 4) if ends[0] <= r <= ends[1]]
        assert [round(float(r.ball.mid())) for r in found] == expected
        assert all(r.separated and r.ball.contains(flint.arb(e)) for r, e in zip(found, expected, strict=True))


def test_a_double_root_is_never_called_one_or_none() -> None:
    with working_bits(200):
        double, single = isolate(*polynomial(1, 1, 3), flint.arb(-5), flint.arb(7), flint.arb(2) ** -30)
    assert not double.separated
    assert double.ball.contains(flint.arb(1))
    assert single.separated


def test_the_precision_of_others_is_left_alone() -> None:
    before = flint.ctx.prec
    SuccessRecursion("0.2", 2, **LARGE).limit()
    assert flint.ctx.prec == before


def test_unknown_functions_are_not_evaluated() -> None:
    with pytest.raises(TypeError, match="cannot be evaluated"):
        compiled(sp.gamma(success), (success,))
