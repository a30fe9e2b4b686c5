"""Queries of real arithmetic written as Python expressions, and their value at a rational point."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from functools import reduce

from grpo_symbolic.terms.language import (
    Add,
    And,
    Cases,
    Compare,
    Formula,
    Iff,
    Implies,
    Multiply,
    Node,
    Not,
    Or,
    Power,
    Sort,
    Term,
    Truth,
    Variable,
    add,
    multiply,
    negative,
    number,
    subtract,
)

RELATIONS = {ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!="}


def query(*assertions: str) -> tuple[Formula, ...]:
    """``query("0 < x", "x*y == 1 or y < 0")``; ``a if c else b`` is a value by cases, ``c >> d`` an implication and
    ``c ^ d`` an equivalence.
    """
    return tuple(formula(ast.parse(text, mode="eval").body) for text in assertions)


def formula(e: ast.expr) -> Formula:
    match e:
        case ast.BoolOp(ast.And(), values):
            return And(tuple(map(formula, values)))
        case ast.BoolOp(ast.Or(), values):
            return Or(tuple(map(formula, values)))
        case ast.UnaryOp(ast.Not(), operand):
            return Not(formula(operand))
        case ast.BinOp(left, ast.RShift(), right):
            return Implies(formula(left), formula(right))
        case ast.BinOp(left, ast.BitXor(), right):
            return Iff((formula(left), formula(right)))
        case ast.Compare(left, [relation], [right]):
            return Compare(RELATIONS[type(relation)], term(left), term(right))
        case ast.Constant(bool(value)):
            return Truth(value)
    raise ValueError(ast.unparse(e))


def term(e: ast.expr) -> Term:
    match e:
        case ast.Constant(int(value)):
            return number(value)
        case ast.Name(name):
            return Variable(name, Sort.real)
        case ast.UnaryOp(ast.USub(), operand):
            return negative(term(operand))
        case ast.BinOp(left, ast.Add(), right):
            return add(term(left), term(right))
        case ast.BinOp(left, ast.Sub(), right):
            return subtract(term(left), term(right))
        case ast.BinOp(left, ast.Mult(), right):
            return multiply(term(left), term(right))
        case ast.BinOp(ast.Constant(above), ast.Div(), ast.Constant(below)):
            return number(Fraction(above, below))
        case ast.BinOp(left, ast.Pow(), ast.Constant(exponent)):
            return Power(term(left), Fraction(exponent))
        case ast.IfExp(test, body, orelse):
            return Cases(((formula(test), term(body)),), term(orelse))
    raise ValueError(ast.unparse(e))


def holds(node: Formula, point: Mapping[str, Fraction]) -> bool:
    """The truth of a formula at a point."""
    match node:
        case Truth(truth):
            return truth
        case Not(part):
            return not holds(part, point)
        case And(parts):
            return all(holds(part, point) for part in parts)
        case Or(parts):
            return any(holds(part, point) for part in parts)
        case Implies(given, then):
            return not holds(given, point) or holds(then, point)
        case Iff(parts):
            return len({holds(part, point) for part in parts}) == 1
        case Compare(relation, left, right):
            a, b = value(left, point), value(right, point)
            return {"<": a < b, "<=": a <= b, "==": a == b, "!=": a != b}[relation]
    raise ValueError(node)


def value(node: Node, point: Mapping[str, Fraction]) -> Fraction:
    """The value of a term at a point."""
    match node:
        case Variable(name):
            return point[name]
        case Add(terms):
            return sum((value(t, point) for t in terms), Fraction(0))
        case Multiply(factors):
            return reduce(lambda a, b: a * b, (value(f, point) for f in factors), Fraction(1))
        case Power(base, exponent):
            return value(base, point) ** exponent.numerator
        case Cases(cases, default):
            return next((value(v, point) for c, v in cases if holds(c, point)), value(default, point))
    return node.value
