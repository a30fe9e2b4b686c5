"""Each rule of the replay with an example by hand, and neighbours of it that would be unsound and are refused."""

import ast
import re
from fractions import Fraction

import pytest
from arithmetic_queries import query, term

from grpo_symbolic.proof.check import Refused, parse, refutes
from grpo_symbolic.proof.check.branch import Reading, unit_of
from grpo_symbolic.proof.check.polynomials import Work, named
from grpo_symbolic.proof.check.replay import condition_name, conditions, start
from grpo_symbolic.terms.language import Compare, Function, Power, Sort, Variable, number


def shown(assertions: tuple[str, ...], text: str) -> bool:
    """Whether a certificate refutes the assertions. In it ``<<p>>`` stands for the name of the fact p ≥ 0, p > 0 or
    p = 0, and ``<<>>`` for that of the only disjunction.
    """
    asked = query(*assertions)

    def name(found: re.Match[str]) -> str:
        if not found[1]:
            (disjunction,) = start(asked, {}, Work(10**9)).disjunctions
            return disjunction.name
        polynomial, _ = Reading(asked, {}, Work(10**9)).term(term(ast.parse(found[1], mode="eval").body))
        unit, way = unit_of(polynomial)
        return "-" * (way < 0) + named(str(unit))

    try:
        return refutes(asked, parse(re.sub("<<(.*?)>>", name, text)))
    except Refused as refused:
        if "no fact" in str(refused):  # the certificate is of something else, and shows nothing here
            raise
        return False


@pytest.mark.parametrize(
    "assertions",
    [
        ("0 < 0",),
        ("1 == 0",),
        ("x < y", "y < x"),
        ("x < y", "2*y <= 2*x"),
        ("x == 1", "x != 1"),
        ("x == 1", "x < 1"),
        ("x <= 1", "1 <= x", "x != 1"),
        ("x - x < 0",),
        ("(1/2)*x < (1/3)*y", "2*y <= 3*x"),
        ("False",),
        ("not (x < 1 or 1 <= x)",),
        ("x < 1 and not (x <= 1)",),
        ("not ((x < 1) >> True)",),
    ],
)
def test_what_is_closed_as_it_stands(assertions):
    assert shown(assertions, ".")


@pytest.mark.parametrize(
    "assertions", [(), ("x <= y", "y <= x"), ("x != 1",), ("0 <= 0",), ("True",), ("x < 1 or 1 < x",), ("x**2 < 0",)]
)
def test_what_is_not_closed(assertions):
    assert not shown(assertions, ".")


def test_a_sum_of_products_that_is_zero():
    facts = ("0 < x", "0 < y", "x*y + 1 < 0")
    assert shown(facts, "{:<<x>>,<<y>>;:<<-x*y - 1>>;1:}")
    assert not shown(facts, "{:<<x>>,<<y>>;:<<-x*y - 1>>;-1:}")  # a negative multiplier
    assert not shown(facts, "{:<<x>>,<<y>>;:<<x*y + 1>>}")  # of the wrong sign
    assert not shown(facts, "{2:<<x>>,<<y>>;:<<-x*y - 1>>}")  # a positive coefficient is left
    assert not shown(("0 <= x", "x <= 0"), "{:<<x>>;:<<-x>>}")  # nothing strict
    assert not shown(("x != 0", "0 < y"), "{:<<x>>;:<<y>>}")  # of either sign
    assert not shown(("x*y + 1 < 0",), "{x*y:;:<<-x*y - 1>>}")  # letters of unknown sign in a multiplier
    assert not shown(("0 < x",), "{:}")
    assert not shown(("0 < x",), "{0:<<x>>}")  # a sum of nothing


def test_a_sum_whose_coefficients_are_negative():
    assert shown(("0 <= x", "x**2 + x + 1 <= 0"), "{:<<-x**2 - x - 1>>}")
    assert not shown(("x**2 + x + 1 <= 0",), "{:<<-x**2 - x - 1>>}")  # false too, but x may be negative
    assert not shown(("0 <= x", "x**2 + x <= 0"), "{:<<-x**2 - x>>}")  # both are zero at zero
    assert shown(("0 < x", "x**2 + x <= 0"), "{:<<-x**2 - x>>}")
    assert shown(("0 <= x", "x**2 + x < 0"), "{:<<-x**2 - x>>}")


def test_squares_and_multiples_of_equations():
    assert shown(("x**2 + 1 <= 0",), "{:[x];:<<-x**2 - 1>>}")
    assert not shown(("x**2 <= 0",), "{:[x];:<<-x**2>>}")  # a square is not positive
    assert not shown(("x**2 <= 1",), "{:[x];:<<1 - x**2>>}")
    assert shown(("x**2 < 0",), "{:[x];:<<-x**2>>}")
    assert shown(("x*y == 1", "x == 0"), "{:;=<<x*y - 1>>;-y=<<x>>}")
    assert not shown(("x*y == 1", "x == 0"), "{:;=<<x*y - 1>>;y=<<x>>}")
    assert not shown(("x*y == 1", "x <= 0"), "{:;=<<x*y - 1>>;-y=<<x>>}")  # no equation


def test_a_disjunction_needs_all_of_its_parts():
    facts = ("x < 0 or 1 < x", "0 <= x", "x <= 1")
    assert shown(facts, "|<<>>(.)(.)")
    assert not shown(facts, "|<<>>(.)")
    assert not shown(facts, "|<<>>(.)(.)(.)")
    assert not shown(facts[:2], "|<<>>(.)(.)")
    assert not shown(facts[::2], "|<<>>(.)(.)")


def test_an_equivalence_has_two_cases():
    assert shown(("(x < 0) ^ (0 < x)", "x != 0"), "|<<>>(.)(.)")
    assert not shown(("(x < 0) ^ (0 < x)",), "|<<>>(.)(.)")
    assert shown(("(x < 1) ^ (1 <= x)",), "|<<>>(.)(.)")
    assert not shown(("(x < 1) ^ (0 <= x)",), "|<<>>(.)(.)")


def test_a_cut_has_two_sides():
    cubes = "<x({:<<x>>,<<x>>,<<x>>;-1=<<x**3>>})({:<<-x>>,<<-x>>,<<-x>>;=<<x**3>>})"
    assert shown(("x != 0", "x**3 == 0"), cubes)
    assert not shown(("x**3 == 0",), cubes)
    assert shown(("x != 0", "0 <= x", "x**3 <= 0"), "<-x(.)({:<<x>>,<<x>>,<<x>>;:<<-x**3>>})")
    assert not shown(("0 <= x", "x**3 <= 0"), "<-x({:<<-x**3>>})({:<<x>>,<<x>>,<<x>>;:<<-x**3>>})")


def test_an_equation_is_solved_where_its_coefficient_has_a_sign():
    assert shown(("2*x == y", "y < 0", "0 < x"), "=<<2*x - y>>,x;.")
    assert shown(("q*d == 1", "0 < d", "q <= 0"), "=<<q*d - 1>>,q;.")
    assert shown(("q*d == 1", "d < 0", "0 <= q"), "=<<q*d - 1>>,q;.")
    even = "=<<q*d - 1>>,q;{:<<-d>>,<<-d - 1>>;:<<-d - d**2>>}"  # an even power keeps the sense, whatever the sign of d
    assert shown(("q*d == 1", "d < -1", "q**2*d + 1 < 0", "d < 0"), even)
    assert not shown(("q*d == 1", "d < -1", "0 < q**2*d + 1", "d < 0"), even.replace("-d - d**2", "d + d**2"))
    assert not shown(("q*d == 1", "q <= 0"), "=<<q*d - 1>>,q;.")  # d of unknown sign
    assert not shown(("q*d == 1", "0 <= d", "q <= 0"), "=<<q*d - 1>>,q;.")  # d perhaps zero
    assert not shown(("q*d == 1", "d != 0", "q <= 0"), "=<<q*d - 1>>,q;.")
    assert not shown(("x*d == 0", "0 <= d", "x != 0"), "=<<x*d>>,x;.")  # where d is zero x is anything
    assert not shown(("x**2 == y", "y < 0"), "=<<x**2 - y>>,x;.")  # not linear
    assert not shown(("2*x <= y", "y < 0", "0 < x"), "=<<y - 2*x>>,x;.")  # no equation


def test_an_equation_gives_a_square():
    assert shown(("2*r**2 == x", "4*r**4 != x**2"), "^<<2*r**2 - x>>,r;.")
    assert shown(("-2*r**2 == x", "8*r**6 + x**3 != 0"), "^<<2*r**2 + x>>,r;.")
    assert not shown(("2*r**2 == x", "2*r**4 != x**2"), "^<<2*r**2 - x>>,r;.")
    assert not shown(("r**2 == x*r", "r**4 != x**2"), "^<<r**2 - r*x>>,r;.")
    assert not shown(("x*r**2 == 1", "x**2*r**4 != 1"), "^<<r**2*x - 1>>,r;.")  # the coefficient is no number
    assert not shown(("r**3 == x", "r**6 != x**2"), "^<<r**3 - x>>,r;.")


def test_a_letter_is_solved_for_after_its_square_was_replaced():
    # the relation is kept when its letter goes: r = x + 1 and r² = x force x² + x + 1 = 0
    assert shown(("r**2 == x", "r == x + 1", "0 <= x"), "^<<r**2 - x>>,r;=<<r - x - 1>>,r;{-1=<<x**2 + x + 1>>}")
    assert shown(("r**2 == x", "x == y + 1", "y < -1"), "^<<r**2 - x>>,r;=<<x - y - 1>>,x;{:[r];:<<-y - 1>>}")
    assert not shown(("r**2 == x", "x == y + 1", "y < 0"), "^<<r**2 - x>>,r;=<<x - y - 1>>,x;{:[r];:<<-y>>}")


def test_the_relation_of_a_square_changes_its_variables_too():
    # with x = 1 + t it becomes r² = 1 + t
    facts = ("r**2 == x", "1 < x", "r == y", "y**2 == x")
    assert not shown(facts, "^<<r**2 - x>>,r;~x,<<x - 1>>;{-r-y=<<r - y>>;-1=<<y**2 - x - 1>>}")


def test_a_variable_between_bounds():
    facts = ("0 < x", "x < 1", "x - x**2 <= 0")
    assert shown(facts, "~x,<<x>>,<<1 - x>>;.")
    assert shown(facts, "~x,<<1 - x>>,<<x>>;.")  # from the other end
    assert shown(("1 <= x", "x**2 < x"), "~x,<<x - 1>>;{:<<-x**2 - x>>}")
    assert shown(("x <= -1", "x**2 + x < 0"), "~x,<<-x - 1>>;{:<<-x**2 - x>>}")
    assert not shown(("0 <= x", "x < 1", "x - x**2 <= 0"), "~x,<<x>>,<<1 - x>>;.")  # zero is in
    assert not shown(("0 < x", "x <= 1", "x - x**2 <= 0"), "~x,<<x>>,<<1 - x>>;.")  # the far end is closed
    assert not shown(("0 < x", "x <= 1", "x - x**2 <= 0"), "~x,<<1 - x>>,<<x>>;.")  # one is in
    assert not shown(("0 < x", "x - x**2 <= 0"), "~x,<<x>>;.")
    assert not shown(("0 < x", "1 < x", "x - x**2 <= 0"), "~x,<<x>>,<<x - 1>>;.")  # both on one side
    assert not shown(("x != 0", "x < 1", "x**2 - x < 0"), "~x,<<x>>,<<1 - x>>;.")  # no bound


def test_bounds_may_speak_of_other_variables():
    assert shown(("0 < x", "x < y", "y < 1", "y*(1 - x) <= x*(1 - y)"), "~x,<<x>>,<<y - x>>;.")
    assert not shown(("0 < x", "x < y", "y < 1", "y*(1 - x) <= 2*x*(1 - y)"), "~x,<<x>>,<<y - x>>;.")
    assert not shown(("0 < x*y", "x < 0"), "~x,<<x*y>>;.")  # no number as coefficient
    assert not shown(("0 < x + y*x**2", "x < 0"), "~x,<<y*x**2 + x>>;.")  # not linear


def test_a_value_by_cases():
    facts = query("(x if 0 <= x else -x) < 0")
    (condition,) = conditions(facts)
    name = condition_name(condition)
    assert refutes(facts, parse(f"?{name}(.)(.)"))
    for text in ("?abcde(.)(.)", f"<x(?{name}(.)(.))(.)"):
        with pytest.raises(Refused):
            refutes(facts, parse(text))
    assert not refutes(query("(x if 0 <= x else -x) <= 0"), parse(f"?{name}(.)(.)"))


def test_while_a_condition_is_open_what_has_the_value_is_not_assumed() -> None:
    by_cases = "(x if 0 <= x else -x) < 0"
    assert not refutes(query(by_cases), parse("."))
    assert not refutes(query(by_cases, "0 < x"), parse("."))
    assert refutes(query(by_cases, "0 < x", "x < 0"), parse("."))  # whatever the value is


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (Compare("<", Function("exp", number(1)), number(1)), "no Function"),
        (Compare("<", Power(Variable("x", Sort.real), Fraction(1, 2)), number(1)), "exponent"),
        (Compare("<", Power(Variable("x", Sort.real), Fraction(-1)), number(1)), "exponent"),
        (Compare("<", Variable("n", Sort.whole), number(1)), "reals only"),
        (Compare("<", Variable("a b", Sort.real), number(1)), "no certificate can write"),
        (Compare("~", number(0), number(1)), "comparison"),
    ],
)
def test_what_is_no_query_is_refused(formula, said):
    with pytest.raises(Refused, match=said):
        refutes((formula,), parse("."))


def test_order_and_further_assertions_change_nothing():
    facts = ("0 < x", "x < y", "y < 1", "y*(1 - x) <= x*(1 - y)", "x < a or a*a < 0 or y < 2*x")
    text = "~x,<<x>>,<<y - x>>;."
    assert shown(facts, text)
    assert shown(facts[::-1], text)
    assert shown((*facts, "a < 5", "0 <= x", "b*x + a*y < 7", "z == x"), text)
