"""Formulas that have a name are printed by it, and no others are."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
import sympy as sp

from grpo_symbolic.abbreviations import (
    ABBREVIATIONS,
    AT_FIXED_POINT,
    CHOSEN,
    DEVIATION,
    GAP,
    GRADIENT,
    GUARDED,
    MAP,
    RATE,
    RUBRIC,
    STEEPNESS,
    TWO_TOKENS,
)
from grpo_symbolic.folding import Abbreviating
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.notation import (
    G,
    b,
    beta,
    duel,
    gamma,
    guard,
    i,
    k,
    n,
    n_items,
    o,
    o_,
    omega,
    p,
    phi_bar,
    pi,
    ref,
    scalar,
    success,
    success_ref,
    v,
    x,
    y,
    z,
)
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.optimality.dynamics import SuccessRecursion
from grpo_symbolic.optimality.verifiable import advantage_gap, success_gradient
from grpo_symbolic.proof import Always, Domain, Every, On, Result, positives, reals, simplex
from grpo_symbolic.proof.statements.statement import Statement
from grpo_symbolic.typeset.plain import plain
from grpo_symbolic.verification.words import headline


def named(formula: sp.Basic) -> str:
    return plain(Abbreviating(PaperPrinter())(formula))


@pytest.mark.parametrize(
    ("formula", "printed"),
    [
        (MAP.formula > success_ref, "h(p) > p_ref"),
        (MAP.formula.subs(success, MAP.formula), "h(h(p))"),
        (MAP.formula.subs(success, success_ref), "h(p_ref)"),
        (MAP.formula**2, "h(p)²"),
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
        DEVIATION.formula**2,  # has a value where the root has none
        GAP.formula.subs(G, G + 1),
        sp.Sum(GAP.formula.function.subs(x, k), *GAP.formula.limits),  # the sum would bind the argument
        sp.Sum(G * GRADIENT.formula, (G, 1, 2)),  # the sum binds the size of the group
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


def test_what_has_a_value_where_its_name_had_none_keeps_its_form() -> None:
    assert "h(" not in named(1 / MAP.formula**2)


def short(formula: sp.Basic) -> str:
    """What is printed where a sentence is long."""
    return plain(Abbreviating(PaperPrinter(), short=True)(formula))


HALF, SMALL = sp.Rational(1, 2), sp.Rational(1, 10**5)
FIGURE = {success_ref: sp.Rational(1, 1000), guard: SMALL}


@pytest.mark.parametrize(
    ("at", "printed"),
    [
        ({success_ref: HALF, guard: SMALL, beta: sp.Rational(8, 5)}, "h_{½, 10⁻⁵, 8/5}(p)"),
        (FIGURE, "h_{0.001, 10⁻⁵, β}(p)"),
        ({**FIGURE, success: x}, "h_{0.001, 10⁻⁵, β}(x)"),
        ({**FIGURE, success: sp.Rational(1, 1000)}, "h_{0.001, 10⁻⁵, β}(0.001)"),
        (
            {**FIGURE, beta: 5, success: MAP.formula.subs({**FIGURE, beta: 5})},
            "h_{0.001, 10⁻⁵, 5}(h_{0.001, 10⁻⁵, 5}(p))",
        ),
    ],
)
def test_the_map_at_chosen_numbers_has_its_name_with_them(at: dict[Any, Any], printed: str) -> None:
    assert short(MAP.formula.subs(at)) == printed


@pytest.mark.parametrize(
    "formula",
    [
        MAP.formula.subs(FIGURE) ** -1,
        (1 / (1 + 999 * sp.exp(1 / (beta * sp.sqrt(success * (1 - success) + SMALL))))).subs(beta, sp.Rational(8, 5)),
        1 / (1 + 999 * sp.exp(-1 / (beta * sp.sqrt(success * (1 - x) + SMALL)))),
        1 / (1 - 999 * sp.exp(-1 / (beta * sp.sqrt(success * (1 - success) + SMALL)))),
        1 / (2 + 999 * sp.exp(-1 / (beta * sp.sqrt(success * (1 - success) + SMALL)))),
        1 / (1 + 999 * sp.exp(-1 / (beta * (success * (1 - success) + SMALL)))),
    ],
)
def test_what_is_not_the_map_at_chosen_numbers_has_no_such_name(formula: sp.Basic) -> None:
    named = Abbreviating(PaperPrinter(), short=True).folded(formula)
    found = [e for e in sp.preorder_traversal(named) if e.func == CHOSEN.at(*CHOSEN.arguments).func]
    at = dict(zip(CHOSEN.arguments, found[0].args[1:], strict=True)) if found else {}
    assert not found or CHOSEN.formula.subs(at) in formula.atoms(sp.Pow)  # for another β the same formula may be one


def test_the_slope_at_a_fixed_point_is_that_of_the_map() -> None:
    at = {success: sp.Rational(2, 3), success_ref: sp.Rational(1, 4), guard: sp.Rational(1, 10)}
    lead = sp.log(success / (1 - success)) - sp.log(success_ref / (1 - success_ref))
    strength = (1 / (lead * sp.sqrt(success * (1 - success) + guard))).subs(at)  # of which it is a fixed point
    assert abs(sp.N(MAP.formula.subs(at).subs(beta, strength) - at[success])) < 1e-12
    slope = MAP.formula.diff(success).subs(at).subs(beta, strength)
    assert abs(sp.N(slope - AT_FIXED_POINT.formula.subs(at))) < 1e-12


SCALED = sp.sqrt(beta**2 / gamma**2 + 4 * beta * p / gamma + 1 - 2 * beta / gamma) / 2 + HALF - beta / (2 * gamma)
GAINED = (x - p) / (x * (1 - x)) * (z - x) - p * (x / z - 1) - (1 - p) * ((1 - x) / (1 - z) - 1)
GAINED += x * sp.log(x / z) + (1 - x) * sp.log((1 - x) / (1 - z))
STATIONARY = x * sp.exp(-1 / (beta * sp.sqrt(x * (1 - x))))


@pytest.mark.parametrize(
    ("formula", "printed"),
    [
        (SCALED.subs(gamma, gamma * v), "x₍₁₄₎(p; γ v)"),
        (SCALED.subs({gamma: sp.Rational(5, 2), p: 1 - p}), "x₍₁₄₎(1 − p; 5/2)"),
        (GAINED, "gₚ(z | x)"),
        (GAINED.subs({x: z, z: x}, simultaneous=True), "gₚ(x | z)"),
        (STATIONARY / (STATIONARY + 1 - x), "R₀(x)"),
        (TWO_TOKENS.formula, "L₂(x | y)"),
        (RUBRIC[0].formula.subs(k, i) - RUBRIC[1].formula, "R(i) − a(k)"),
    ],
)
def test_short_names_are_those_of_their_formulas(formula: sp.Basic, printed: str) -> None:
    assert short(formula) == printed


@pytest.mark.parametrize(
    ("formula", "name"),
    [
        (SCALED.subs(gamma, gamma * v) + beta / (2 * gamma), "x_{(14)}"),
        (SCALED.subs(beta / gamma, 2 * beta / gamma) - beta, "x_{(14)}"),
        (GAINED + p, "gₚ(x | x)"),
        (-GAINED.subs(p, y), "gₚ"),
        (STATIONARY / (STATIONARY + 1 + x), "R₀"),
        (TWO_TOKENS.formula.subs(v, -v), "L₂"),
        (TWO_TOKENS.formula.subs({x: y, y: x}, simultaneous=True), "L₂(x | y)"),
        (sp.Sum(omega[k] * phi_bar[k], (k, 1, n_items)) / sp.Sum(phi_bar[k], (k, 1, n_items)), "R("),
    ],
)
def test_another_formula_has_no_short_name(formula: sp.Basic, name: str) -> None:
    assert name not in short(formula)


@pytest.mark.parametrize(
    ("families", "used"), [((simplex(pi, n),), True), ((positives(pi, n),), False), ((simplex(pi, G), n <= G), False)]
)
def test_what_a_policy_draws_is_drawn_by_a_policy(families: tuple[Any, ...], used: bool) -> None:
    against = sp.Sum((duel[n * (o - 1) + o_] - duel[n * (o_ - 1) + o]) * pi[o_], (o_, 1, n))
    where = Domain(*families, reals(duel, n**2), n >= 1, 1 <= o, o <= n)
    printed = plain(Abbreviating(PaperPrinter(), short=True).on(where)(against))
    assert (printed == "D(o, π)") == used


@pytest.mark.parametrize(
    ("number", "printed"),
    [("917/1000", "0.917"), ("1/100000", "10⁻⁵"), ("9/4", "9/4"), ("2/7", "2/7"), ("-23/10", "−2.3"), ("1/64", "1/64")],
)
def test_numbers_are_decimals_where_that_is_exact_and_shorter(number: str, printed: str) -> None:
    assert short(x < sp.Rational(number)) == f"x < {printed}"
    assert plain(PaperPrinter()(sp.Rational(917, 1000))) == "917/1000"


@pytest.mark.parametrize(
    ("formula", "printed"),
    [
        (sp.Pow(sp.Rational(917, 1000), x), "(0.917)^x"),
        (sp.Pow(SMALL, x), "(10⁻⁵)^x"),
        (x - sp.Rational(917, 1000), "x − 0.917"),
        (sp.Rational(917, 1000) * x, "917 x/1000"),
    ],
)
def test_a_decimal_is_one_number_under_a_power(formula: sp.Basic, printed: str) -> None:
    assert short(formula) == printed


@pytest.mark.parametrize("size", [4, 7])
def test_the_names_of_groups_are_what_the_package_derives(size: int) -> None:
    at = {G: size, x: sp.Rational(2, 7)}
    assert sp.simplify(GAP.formula.subs(at).doit() - advantage_gap(size, at[x])) == 0
    assert sp.simplify(GRADIENT.formula.subs(at).doit() - success_gradient(size, at[x])) == 0


@pytest.mark.parametrize("size", [4, 7])
@pytest.mark.parametrize("inside", [True, False])
def test_the_names_with_a_guard_are_what_the_package_derives(size: int, inside: bool) -> None:
    success, epsilon = sp.Rational(2, 7), sp.Rational(1, 100)
    at = {G: size, x: success, guard: epsilon}
    m, a, delta = (each.formula.subs(at).doit() for each in (GUARDED[:3] if inside else GUARDED[3:]))
    derived = advantage_gap(size, success, Advantage(guard=epsilon, guard_inside=inside))
    assert abs(sp.N(delta - derived)) < 1e-12
    assert abs(sp.N(a - (1 - success) * derived)) < 1e-12
    assert abs(sp.N(m - success * (1 - success) * derived)) < 1e-12


def test_the_slope_of_the_gradient_is_its_derivative() -> None:
    at = {G: 5, x: sp.Rational(2, 7)}
    assert sp.simplify(STEEPNESS.formula.subs(at).doit() - GRADIENT.formula.subs(G, 5).doit().diff(x).subs(at)) == 0


def test_the_map_is_that_of_the_recursion() -> None:
    numbers = {success_ref: sp.Rational(1, 3), beta: sp.Rational(2), guard: sp.Rational(1, 10)}
    recursion = SuccessRecursion(*numbers.values(), group_size=sp.oo, penalty="reverse-kl")
    assert sp.simplify(MAP.formula.subs(numbers).subs(success, sp.Rational(1, 5)) - recursion(sp.Rational(1, 5))) == 0


def test_of_two_names_that_are_alike_the_formulas_are_equal() -> None:
    at = {letter: sp.Rational(number, 7) for number, letter in enumerate((p, x, y, beta, gamma, guard), start=2)}
    for one, other in combinations(ABBREVIATIONS, 2):
        if one.name == other.name and not one.formula.has(sp.Indexed) and not other.formula.has(sp.Indexed):
            values = [a.formula.subs(b, beta / gamma).subs({**at, G: 5}).doit() for a in (one, other)]
            assert sp.simplify(values[0] - values[1]) == 0


def test_each_of_two_formulas_of_one_name_has_its_definition() -> None:
    printer = Abbreviating(PaperPrinter(), short=True)
    of_two = x * sp.log(x / p) + (1 - x) * sp.log((1 - x) / (1 - p))
    of_many = sp.Sum(sp.log(pi[o_] / ref[o_]) * pi[o_], (o_, 1, n))
    assert plain(printer(of_two - of_many)) == "KL(x ‖ p) − KL(π ‖ π_ref)"
    assert [plain(d).partition(" = ")[0] for d in printer.definitions] == ["KL(x ‖ p)", "KL(π ‖ π_ref)"]


def test_of_two_formulas_of_one_name_it_is_said_that_they_are_equal() -> None:
    entropies = (-sp.Sum(sp.log(pi[o_]) * pi[o_], (o_, 1, n)), sp.Sum(-sp.log(pi[o_]) * pi[o_], (o_, 1, n)))
    printer = Abbreviating(PaperPrinter(), short=True)
    assert [plain(printer(e)) for e in entropies] == ["H(π)", "H(π)"]
    printer = Abbreviating(PaperPrinter(), short=True)
    assert "H" not in plain(printer(sp.Eq(*entropies, evaluate=False)))
    assert printer.definitions == ()


def line(said: Statement, domain: Domain) -> str:
    """The headline of a claim that says it."""
    claim = Result(__file__).claim("p", said, domain, locator="-", title="a sentence")
    return plain(headline(claim, PaperPrinter())[0])


def test_a_name_that_is_printed_as_a_letter_of_the_sentence_is_not_used() -> None:
    """h (1 − p) is the letter h times 1 − p, and h(1 − p) the map at 1 − p."""
    for latex, used in (("h", False), ("w", True), ("h_1", True), ("h(1)", False)):
        letter = scalar(f"beside_map_{len(latex)}_{latex[0]}", latex, "-", "a letter beside the map")
        where = Domain(0 < success, success < 1, 0 < success_ref, success_ref < 1, beta > 0, guard > 0, letter > 2)
        assert ("h(p) <" in line(Always(MAP.formula < letter * (1 - success)), where)) == used


DIVERGENCE = sp.Sum(sp.log(pi[o_] / ref[o_]) * pi[o_], (o_, 1, n))


@pytest.mark.parametrize(
    ("families", "used"),
    [
        ((simplex(pi, n), simplex(ref, n)), True),
        ((simplex(pi, G), simplex(ref, G), n <= G), False),  # of the first n of G answers
        ((simplex(pi, n), positives(ref, n)), False),  # of what is no policy
        ((simplex(pi, n), simplex(ref, n, total=p), p > 0), False),  # of a part of one
    ],
)
def test_a_divergence_is_one_of_whole_policies(families: tuple[Any, ...], used: bool) -> None:
    assert ("KL(" in line(Always(DIVERGENCE >= 0), Domain(*families, n >= 1))) == used


@pytest.mark.parametrize(
    ("domain", "used"), [(Domain(0 < x, x < p, p < 1), True), (Domain(x > 1, p > 1), False), (Domain(x, p), False)]
)
def test_a_divergence_is_one_of_probabilities(domain: Domain, used: bool) -> None:
    between = x * sp.log(x / p) + (1 - x) * sp.log((1 - x) / (1 - p))
    assert ("KL" in Abbreviating(PaperPrinter(), short=True).on(domain)(between)) == used


def test_a_name_is_used_by_the_domain_of_each_part() -> None:
    whole, part = Domain(simplex(pi, n), simplex(ref, n)), Domain(simplex(pi, G), simplex(ref, G), n <= G)
    found = line(Every(Always(DIVERGENCE >= 0), On(part, Always(DIVERGENCE > -1))), whole)
    assert found.count("KL(") == 1
    assert found.index("KL(") < found.index("log(")
