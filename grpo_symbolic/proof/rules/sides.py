"""Premises, and the side conditions that are generated from terms: what is asked, and what is refused at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from grpo_symbolic.errors import ClaimError, DomainError
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Equal, Statement
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.slopes import derivative as slope
from grpo_symbolic.terms.definedness import conditions
from grpo_symbolic.terms.linear import is_interval
from grpo_symbolic.terms.reading import Reading
from grpo_symbolic.terms.relations import ORDER, STRICTLY


class Premise(NamedTuple):
    """A sentence that a rule needs: a statement on a domain."""

    statement: Statement
    domain: Domain

    def labelled(self, of: str) -> Premise:
        """The same, named as a part of the sentence that it serves."""
        label = f"{of}: {getattr(self.statement, 'label', '')}"
        return Premise(replace(self.statement, label=label), self.domain)  # type: ignore[call-arg]


def constraining(domain: Domain) -> Iterator[sp.Basic]:
    """All that a domain says something with: its constraints, and the sizes and the sums of its families."""
    yield from domain.constraints
    yield from (part for f in domain.families for part in f.size_and_total)


def all_of(formulas: Sequence[sp.Basic]) -> sp.Basic:
    """All of several formulas, as they are written."""
    return sp.And(*formulas, evaluate=False) if len(formulas) > 1 else formulas[0]


ROUGH = (sp.Piecewise, sp.Max, sp.Min, sp.Abs, sp.sign, sp.floor, sp.ceiling, sp.Heaviside, sp.Mod)
JUMPS = (sp.Piecewise, sp.sign, sp.floor, sp.ceiling, sp.Heaviside, sp.Mod, sp.KroneckerDelta)


def smooth(body: sp.Expr, variable: sp.Symbol) -> None:
    """Refuse what may jump or bend where SymPy's derivative does not show it."""
    rough = [e for e in sp.sympify(body).atoms(*ROUGH) if e.has(variable)]
    if rough:
        raise ClaimError(
            f"the sign of a derivative says nothing of {rough[0]}, which is not smooth in {variable}: "
            "state the cases one by one"
        )


def interval_in(variable: sp.Symbol, domain: Domain) -> None:
    """Refuse a domain whose values of ``variable``, all else fixed, are not seen to be an interval."""
    along = domain.reading().variable(variable)
    for constraint, formula in zip(domain.constraints, domain.formulas, strict=True):
        if not is_interval(formula, along):
            raise ClaimError(
                f"a domain with {constraint} is not known to be an interval in {variable}, "
                "as monotone and convex need: use bounds"
            )
    moves_alone(variable, domain)


def moves_alone(variable: sp.Symbol, domain: Domain) -> None:
    """Refuse a domain that ties a variable to other letters, so that it has no two values, all else fixed: a sentence
    on how something changes with it would say nothing, and be read as one on what changes along with it.
    """
    for constraint in domain.constraints:
        about = constraint.free_symbols
        if variable in about and about - {variable} and not isinstance(constraint, ORDER | sp.Ne):
            raise ClaimError(f"{constraint} ties {variable} to other letters, and it is to vary alone")
    try:
        inside(variable, domain)
    except DomainError:  # two bounds meet, as y ≤ x and x ≤ y do: of one value everything is monotone
        raise ClaimError(f"the domain is not seen to have two values of {variable}, all else fixed") from None
    alone(variable, domain)


def alone(variable: sp.Symbol, domain: Domain) -> None:
    """Refuse a domain on which a family varies with ``variable``, all else being fixed."""
    for family in domain.families:
        if any(part.has(variable) for part in family.size_and_total):
            raise ClaimError(f"the family {family.base} varies with {variable}, which is to vary alone")


def inside(variable: sp.Symbol, domain: Domain) -> Domain | None:
    """The domain without the ends of the values that it admits for ``variable``; None where an equation fixes them."""
    inner = []
    for constraint in domain.constraints:
        if variable in constraint.free_symbols:
            if not isinstance(constraint, ORDER):
                return None
            if type(constraint) in STRICTLY:
                constraint = STRICTLY[type(constraint)](*constraint.args, evaluate=False)
        inner.append(constraint)
    return Domain(*domain.free, *domain.families, *inner)


def between(lower: sp.Expr, variable: sp.Symbol, upper: sp.Expr, closed: bool = True) -> tuple[sp.Basic, ...]:
    """The constraints that ``variable`` lies between two ends; an infinite end says nothing."""
    low, high = sp.sympify(lower), sp.sympify(upper)
    below = (sp.Le if closed else sp.Lt)(low, variable, evaluate=False)
    above = (sp.Le if closed else sp.Lt)(variable, high, evaluate=False)
    return tuple(c for c, end in ((below, low), (above, high)) if end not in (sp.oo, -sp.oo)) or (variable,)


def sides_of(formula: sp.Basic) -> tuple[sp.Expr, ...]:
    """The sides of all equations and inequalities of a formula."""
    return tuple(sorted({side for relation in formula.atoms(Relational) for side in relation.args}, key=str))


def valued(terms: Iterable[Scalar], domain: Domain, label: str) -> Iterator[Premise]:
    """That terms have a value everywhere, where that is not plain and premises show only a part or a difference."""
    for term in map(sp.sympify, terms):
        if conditions(domain.reading().term(term), domain.sizes):
            yield Premise(Equal(term, term, label=f"{label}: {term} has a value"), domain)


def is_whole(value: Scalar) -> bool:
    """Whether the language of terms shows that a value is a whole number."""
    return Reading().term(sp.sympify(value)).is_whole


def one_range(total: sp.Expr) -> tuple[sp.Symbol, sp.Expr, sp.Expr]:
    """The letter of a sum or a product, and its ends. Raises :class:`ClaimError` for one over several letters."""
    if len(total.limits) != 1:
        raise ClaimError(f"{total} runs over several letters, where a sum or a product over one is expected")
    index, low, high = total.limits[0]
    return index, low, high


def lettered(parts: Iterable[sp.Expr], expressions: Iterable[sp.Basic], domain: Domain) -> dict[sp.Expr, sp.Symbol]:
    """A letter for each of these parts of ``expressions``: S0, S1, ….

    Raises :class:`ClaimError` where the sentence or its domain speaks of such a letter: it would be taken for the part;
    and for a part of a derivative, along which no letter moves.
    """
    for e in expressions:
        for moved in e.atoms(sp.Derivative):
            if any(moved.has(part) for part in parts):
                raise ClaimError(f"{moved} is the derivative of what stands as a letter in the step to the next number")
        for total in e.atoms(sp.Sum, sp.Product):
            if caught := next((p for p in parts if total.has(p) and p.free_symbols & {*total.variables}), None):
                raise ClaimError(f"{caught} differs with what {total} runs along, and stands as one letter")
    letters = {part: sp.Symbol(f"S{number}", real=True) for number, part in enumerate(parts)}
    in_use = set(map(str, domain.symbols.union(*(e.free_symbols for e in expressions))))
    for part, letter in letters.items():
        if letter.name in in_use:
            raise ClaimError(f"{letter} is the letter for {part} in the step to the next number: take another one")
    return letters


def line(e: sp.Expr, letter: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """The slope of what is linear in a letter, and what it is at 0; None for anything else. A condition that speaks of
    the letter leaves no trace in SymPy's derivative.
    """
    conditions = (Boolean, sp.Derivative)
    if any(
        part.has(letter) for part in sp.preorder_traversal(e) if isinstance(part, conditions) and not part.is_Symbol
    ):
        return None
    rate = sp.diff(e, letter)
    return None if rate.has(letter) else (rate, e.xreplace({letter: sp.S.Zero}))


def unmoved(variable: sp.Symbol, label: str, **parts: Scalar) -> None:
    """Refuse parts of a conclusion that move with its variable, where they are one number."""
    for what, part in parts.items():
        if sp.sympify(part).has(variable):
            raise ClaimError(f"{label}: the {what} {part} moves with {variable}")


def continuous(body: sp.Expr, variable: sp.Symbol, domain: Domain) -> Premise:
    """That a function is continuous in a variable on a domain: it is built from continuous operations, and has a value
    everywhere there. Of these, the first is read off; the second is the premise.

    Raises :class:`ClaimError` for a function that may jump.
    """
    jumps = [e for e in sp.sympify(body).atoms(*JUMPS) if e.has(variable)]
    if jumps:
        raise ClaimError(f"{jumps[0]} is not known to be continuous in {variable}")
    return Premise(Equal(body, body, label=f"continuous in {variable}: it has a value"), domain)


def derivative(
    body: sp.Expr, variable: sp.Symbol, domain: Domain, order: int = 1, form: sp.Expr = None
) -> tuple[sp.Expr, Premise]:
    """A derivative, in the given form if there is one, and the premise that it is the one: the function is
    differentiable on the whole domain.

    Raises :class:`ClaimError` for a function that is not smooth as it is built.
    """
    smooth(body, variable)
    computed = slope(body, variable, order) if form is None else sp.sympify(form)
    called = {1: "derivative", 2: "second derivative"}[order]
    exact = Equal(sp.Derivative(body, (variable, order)), computed, label=f"{called} in {variable}")
    return computed, Premise(exact, domain)
