"""Formulas that are too wide for a line: what is opened means what it meant."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sympy import E, Rational, exp, log, sqrt
from sympy.parsing.sympy_parser import implicit_multiplication, parse_expr, standard_transformations

from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.notation import p, x
from grpo_symbolic.typeset.lines import WIDTH, broken, measure, tokens


def read(latex: str) -> Any:
    """The expression that a formula of x and p states, however it is laid out."""
    text = latex.replace("{} ", "").replace(r"\begin{aligned}", "").replace(r"\end{aligned}", "")
    text = re.sub(r"&|\\\\ |\\,|\\quad|\\[Bb]igg?[lr]|\\left|\\right", " ", text).replace(r"\frac", "")
    text = re.sub(r"\}\s*\{", "))/((", text).replace("{", "((").replace("}", "))").replace("^", "**").replace("\\", " ")
    text = re.sub(r"\b(log|exp|sqrt)\s+", r"\1", text)
    return parse_expr(
        text, {"x": x, "p": p, "e": E}, transformations=(*standard_transformations, implicit_multiplication)
    )


WIDE = sum((x + k) * (p - k) / (k + x * p) for k in range(1, 5))


@pytest.mark.parametrize(
    "wide",
    [
        WIDE,
        -(p + 2) * WIDE * (x - 3) ** 2,
        exp(WIDE) * p,
        sqrt(WIDE) - x,
        3 - log(WIDE),
        WIDE / (x + p),
        -x / WIDE,
        (x - WIDE) / (p + exp(-WIDE)) - p,
        p * (1 - x * (3 + p * (WIDE - x * WIDE))),
    ],
)
@pytest.mark.parametrize("width", [6.0, 15.0, WIDTH])
def test_what_is_opened_keeps_its_value(wide: Any, width: float) -> None:
    latex = PaperPrinter()(wide)
    laid = broken(latex, width)
    rows = laid.removeprefix(r"\begin{aligned} ").removesuffix(r" \end{aligned}").split(r" \\ ")
    assert max(measure(tokens(row)) for row in rows) < max(width + 4, 14), "the widest is a fraction that fits a line"
    assert len(rows) > 1 or measure(tokens(latex)) <= width
    point = {x: Rational(7, 5), p: Rational(1, 3)}
    assert abs((read(laid) - wide).evalf(subs=point)) < 1e-9
    assert abs((read(latex) - wide).evalf(subs=point)) < 1e-9


def test_a_sign_in_an_index_is_no_minus() -> None:
    term = r"\omega_\varepsilon^-(p_{n-1}(q))\mathbb 1_{r(q,o)=0}"
    rows = broken(rf"a=\pi_{{\mathrm{{ref}}}}(o|q)\,{term}+\pi_{{\mathrm{{ref}}}}(o|q)\,{term}-{term}-{term}").split(
        r" \\ "
    )
    assert len(rows) > 2
    assert not any(re.search(r"[\^_]\s*$", row) for row in rows)


def test_functions_keep_their_arguments() -> None:
    many = " + ".join(f"A({n},{n + 1})" for n in range(12))
    assert r"\min\bigl(" in broken(rf"\min\left({many}, {many}\right)")
    assert r"\sum_{o=1}^{n} \bigl(" in broken(rf"\sum_{{o=1}}^{{n}} \left({many}\right)")
    assert r"\frac{1}{b} \bigl(- " in broken(rf"c - \frac{{- \left({many}\right) \left({many}\right)}}{{b}}")
    assert r"A(0,1)" in broken(rf"\min\left({many}, {many}\right)", 4.0), "no cut at the comma of an index"


def test_brackets_are_cut_at_a_relation_only_where_they_must_be() -> None:
    event = r"\mathbb{P}[r_i > r_j\mid o_i = o, o_j = o', q]"
    width = measure(tokens(event)) + 2
    assert broken(f"{event} = {event}", width) == rf"\begin{{aligned}} & {event} \\ & = {event} \end{{aligned}}"
    assert broken(f"{event} = {event}", width / 2).count("& =") > 1


def test_a_long_formula_is_broken_and_nothing_is_lost() -> None:
    term = r"\beta \left(\frac{p}{x} - \log{\left(\frac{p}{x} \right)} - 1\right)"
    long = rf"{term} + {term} + {term} = {term} - {term} + {term}"
    rows = broken(long).removeprefix(r"\begin{aligned} ").removesuffix(r" \end{aligned}").split(r" \\ ")
    assert len(rows) > 1
    assert all(measure(tokens(row)) <= WIDTH + 2 for row in rows)
    assert re.sub(r"&|\\quad|\{\}|\s", "", "".join(rows)) == long.replace(" ", "")
    assert broken(term) == term


def test_parentheses_match_within_each_line() -> None:
    inner = " + ".join(rf"\frac{{x_{{{n}}}}}{{1 - x_{{{n}}}}}" for n in range(30))
    rows = broken(rf"\beta \left({inner}\right) = 0").split(r" \\ ")
    assert len(rows) > 3
    for row in rows:
        assert row.count(r"\left") == row.count(r"\right")
        assert row.count("{") == row.count("}")


@pytest.mark.parametrize(
    ("latex", "rows"),
    [
        (r"x=y+z+1,\ b=\beta", [r"x=y+z+1,\ ", r"b=\beta"]),
        (r"\max\{x,\ y+z\}=b+1", [r"\max\{x,\ y+z\}", "=b+1"]),
        (r"x+y>z:\text{ it is so}", ["x+y>z:", r"\text{it is so}"]),
        (r"x+y>z\text{ if and only if }p>0", ["x+y>z", r"\text{if and only if }", "p>0"]),
        (r"x=y+z+p+\text{const}", ["x", "=y+z+p", r"\quad {} +\text{const}"]),
    ],
)
def test_clauses_and_words_are_parted_before_relations(latex: str, rows: list[str]) -> None:
    laid = r" \\ & ".join(row.strip() for row in rows)
    assert broken(latex, 6.5) == rf"\begin{{aligned}} & {laid} \end{{aligned}}"
