"""A claim's statement taken apart for readers: one formula a part, each with its label and its own domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp

from grpo_symbolic.ledger import Part
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.statement import (
    Curved,
    Equal,
    Every,
    Exists,
    LocalMaximum,
    Monotone,
    On,
    Roots,
    Statement,
    UniqueRoot,
    When,
)

Printer = Callable[[Any], str]


def parts(claim: Claim, printer: Printer) -> list[Part]:
    """What was checked, a conjunction statement by statement, in the order of the result file."""
    return [
        Part(
            str(getattr(statement, "label", "")),
            _latex(statement, printer),
            domain.latex(printer) if domain is not claim.domain else "",
        )
        for statement, domain in flat(claim.statement, claim.domain)
    ]


def flat(statement: Statement, domain: Domain) -> Iterator[tuple[Statement, Domain]]:
    """The statements of a conjunction, each with the domain on which it is meant."""
    if isinstance(statement, Every):
        for part in statement.statements:
            yield from flat(part, domain)
    elif isinstance(statement, On):
        yield from flat(statement.statement, statement.domain)
    elif isinstance(statement, When) and isinstance(statement.statement, Every | On):
        yield from flat(statement.statement, domain.also(statement.condition))
    else:
        yield statement, domain


def _latex(statement: Statement, printer: Printer) -> str:
    """A statement as a formula with the words that a reader would say."""
    match statement:
        case Exists():
            point = ",\\ ".join(f"{printer(k)} = {_value(v, printer)}" for k, v in statement.point.items())
            return rf"{printer(statement.expression)} \quad\text{{at}}\quad {point}"
        case UniqueRoot():
            one = rf"\quad\text{{for exactly one}}\quad {_inside(statement, printer)}"
            return rf"{_zero(statement, printer)} {one}, \quad {printer(statement.expression)}"
        case Roots():
            number = "no" if statement.count == 0 else f"exactly {statement.count}"
            return rf"{_zero(statement, printer)} \quad\text{{for {number}}}\quad {_inside(statement, printer)}"
        case Monotone():
            return _behaves(statement, "increasing" if statement.direction > 0 else "decreasing", printer)
        case Curved():
            return _behaves(statement, "convex" if statement.direction > 0 else "concave", printer)
        case LocalMaximum():
            kind = "maximum" if statement.sense > 0 else "minimum"
            fixed = ",\\ ".join(f"{printer(k)} = {printer(v)}" for k, v in statement.frozen)
            frozen = rf"\quad\text{{with}}\ {fixed}\ \text{{held fixed}}" if fixed else ""
            at = f"{printer(statement.variable)} = {printer(statement.at)}"
            return rf"{printer(statement.objective)} \quad\text{{has a strict local {kind} at}}\quad {at}{frozen}"
        case Equal() if sp.sympify(statement.left) == sp.sympify(statement.right):
            return rf"\text{{both sides are}}\quad {printer(statement.left)}"
        case _ if statement.expression == sp.true:
            return r"\text{true as soon as it is written out}"
    return printer(statement.expression)


def _zero(statement: UniqueRoot | Roots, printer: Printer) -> str:
    return f"{printer(statement.polynomial)} = 0"


def _inside(statement: UniqueRoot | Roots, printer: Printer) -> str:
    return rf"{printer(statement.variable)}\in\left({printer(statement.lower)},\ {printer(statement.upper)}\right)"


def _behaves(statement: Monotone | Curved, word: str, printer: Printer) -> str:
    weakly = "" if statement.strict else "weakly "
    return rf"{printer(statement.body)} \quad\text{{is {weakly}{word} in}}\quad {printer(statement.variable)}"


def _value(value: Any, printer: Printer) -> str:
    if isinstance(value, list | tuple):
        return rf"\left({', '.join(printer(v) for v in value)}\right)"
    return printer(value)
