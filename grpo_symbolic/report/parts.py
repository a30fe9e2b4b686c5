"""A claim's statement taken apart for readers: one formula a part, each with its label and its own domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.statement import Every, Exists, Monotone, On, Roots, Statement, UniqueRoot, When

Printer = Callable[[Any], str]


def parts(claim: Claim, printer: Printer) -> list[dict[str, str]]:
    """What was checked, as LaTeX: ``label``, ``latex``, and ``where`` for a part with a domain of its own.

    A conjunction has one entry for each of its statements, in the order of the result file.
    """
    return [
        {
            "label": str(getattr(statement, "label", "")),
            "latex": _latex(statement, printer),
            "where": domain.latex(printer) if domain is not claim.domain else "",
        }
        for statement, domain in _flat(claim.statement, claim.domain)
    ]


def _flat(statement: Statement, domain: Domain) -> Iterator[tuple[Statement, Domain]]:
    if isinstance(statement, Every):
        for part in statement.statements:
            yield from _flat(part, domain)
    elif isinstance(statement, On):
        yield from _flat(statement.statement, statement.domain)
    elif isinstance(statement, When) and isinstance(statement.statement, Every | On):
        yield from _flat(statement.statement, domain.also(statement.condition))
    else:
        yield statement, domain


def _latex(statement: Statement, printer: Printer) -> str:
    if isinstance(statement, Exists):
        point = ",\\ ".join(f"{printer(k)} = {_value(v, printer)}" for k, v in statement.point.items())
        return rf"{printer(statement.expression)} \quad\text{{at}}\quad {point}"
    if isinstance(statement, UniqueRoot | Roots):
        inside = rf"\left({printer(statement.lower)}, {printer(statement.upper)}\right)"
        count = r"\exists!\," if isinstance(statement, UniqueRoot) else rf"\exists_{{={statement.count}}}\,"
        found = f", \\quad {printer(statement.expression)}" if isinstance(statement, UniqueRoot) else ""
        return rf"{count}{printer(statement.variable)}\in{inside}:\ {printer(statement.polynomial)} = 0{found}"
    if isinstance(statement, Monotone):
        rises = statement.direction > 0
        arrow = r"\nearrow" if rises else r"\searrow"
        return rf"{printer(statement.body)}\ {arrow}\ \text{{in}}\ {printer(statement.variable)}"
    return printer(statement.expression)


def _value(value: Any, printer: Printer) -> str:
    if isinstance(value, list | tuple):
        return rf"\left({', '.join(printer(v) for v in value)}\right)"
    return printer(value)
