"""A query as SMT-LIB 2, which decision engines read."""

from __future__ import annotations

from fractions import Fraction

from grpo_symbolic.proof.check.translation import Query
from grpo_symbolic.terms.language import (
    Add,
    And,
    Cases,
    Compare,
    Iff,
    Implies,
    Multiply,
    Node,
    Not,
    Number,
    Or,
    Power,
    Truth,
    Variable,
)

_RELATIONS = {"==": "=", "!=": "distinct", "<": "<", "<=": "<="}


def script(query: Query) -> str:
    """The text that asks whether the assertions can hold together: ``unsat`` where they contradict each other."""
    names = dict.fromkeys(p.name for assertion in query for p in assertion.parts if isinstance(p, Variable))
    lines = ["(set-logic QF_NRA)"]
    lines += [f"(declare-fun {name} () Real)" for name in names]
    lines += [f"(assert {text(assertion)})" for assertion in query]
    return "\n".join([*lines, "(check-sat)", ""])


def text(node: Node) -> str:
    """A formula or a term of a query; raises :class:`TypeError` for what no query holds."""
    match node:
        case Number(value):
            return number(value)
        case Variable(name):
            return name
        case Add(parts):
            return f"(+ {' '.join(map(text, parts))})"
        case Multiply(parts):
            return f"(* {' '.join(map(text, parts))})"
        case Power(base, exponent):
            return f"(* {' '.join([text(base)] * exponent.numerator)})"
        case Cases(cases, default):
            result = text(default)
            for condition, chosen in reversed(cases):
                result = f"(ite {text(condition)} {text(chosen)} {result})"
            return result
        case Truth():
            return "true" if node.value else "false"
        case Not(part):
            return f"(not {text(part)})"
        case And(parts):
            return f"(and {' '.join(map(text, parts))})"
        case Or(parts):
            return f"(or {' '.join(map(text, parts))})"
        case Implies(given, then):
            return f"(=> {text(given)} {text(then)})"
        case Iff(parts):
            return f"(= {' '.join(map(text, parts))})"
        case Compare(relation, left, right):
            return f"({_RELATIONS[relation]} {text(left)} {text(right)})"
    raise TypeError(f"{type(node).__name__} in a query")


def number(value: Fraction) -> str:
    """A rational number as SMT-LIB writes it."""
    magnitude = f"{abs(value.numerator)}.0"
    if value.denominator != 1:
        magnitude = f"(/ {magnitude} {value.denominator}.0)"
    return magnitude if value >= 0 else f"(- {magnitude})"
