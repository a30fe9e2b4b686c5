"""Formulas that have a name are printed by it, and no others are."""

from __future__ import annotations

import pytest
import sympy as sp

from grpo_symbolic.abbreviations import ABBREVIATIONS, DEVIATION, GAP, MAP, RATE, Abbreviating
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.notation import G, beta, guard, k, o_, success, success_ref, x, y
from grpo_symbolic.typeset.plain import plain


def named(formula: sp.Basic) -> str:
    return plain(Abbreviating(PaperPrinter())(formula))


@pytest.mark.parametrize(
    ("formula", "printed"),
    [
        (MAP.formula > success_ref, "h(p) > p_ref"),
        (MAP.formula.subs(success, MAP.formula), "h(h(p))"),
        (MAP.formula.subs(success, success_ref), "h(p_ref)"),
        (1 / MAP.formula**2, "1/(h(p)²)"),
        (sp.exp(-1 / (beta * DEVIATION.formula)), "e^(−1/(β σ_ε(p)))"),
        (3 * GAP.formula.subs(x, 1 - y), "3 Δ_G(1 − y)"),
        (2 * x * RATE.formula, "2 x π̇(o)"),
    ],
)
def test_an_instance_has_the_name_at_its_arguments(formula: sp.Basic, printed: str) -> None:
    assert named(formula) == printed


@pytest.mark.parametrize(
    "formula",
    [
        MAP.formula.subs(guard, 2 * guard),  # another map
        DEVIATION.formula.subs(guard, 0),
        GAP.formula.subs(G, G + 1),
        sp.Sum(GAP.formula.function.subs(x, k), *GAP.formula.limits),  # the sum would bind the argument
    ],
)
def test_what_is_no_instance_is_printed_as_it_stands(formula: sp.Basic) -> None:
    printer = Abbreviating(PaperPrinter())
    assert printer(formula) == PaperPrinter()(formula)
    assert printer.definitions == ()


def test_the_definitions_are_those_of_the_names_that_are_used() -> None:
    printer = Abbreviating(PaperPrinter())
    printer(MAP.formula - RATE.formula)
    assert [plain(d).partition(" = ")[0] for d in printer.definitions] == ["h(p)", "π̇(o)"]
    assert plain(printer.definitions[0]).partition(" = ")[2] == plain(PaperPrinter()(MAP.formula))


def test_a_name_binds_nothing_that_its_formula_binds() -> None:
    inside = RATE.formula.subs(RATE.arguments[0], o_)
    assert "π̇" not in named(inside) or inside == RATE.formula.xreplace({RATE.arguments[0]: o_})


def test_no_two_names_are_alike() -> None:
    assert len({a.name for a in ABBREVIATIONS}) == len(ABBREVIATIONS)
