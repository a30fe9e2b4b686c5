"""By how much a statement holds: its signed margin, a SymPy expression that array code evaluates in bulk.

The margin of a relation is the difference of its sides over the size of what they are made of, the sum of the
absolute values of their terms, so that rounding is about one unit of the float type whatever the magnitudes. It is
positive where the relation holds; of a conjunction it is the least, of a disjunction the greatest. Two sides that
should be equal may differ by a band of rounding before that counts against them.
"""

from __future__ import annotations

import itertools
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.numeric.sweeps.draw import Plan, element
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation

BAND = {"float64": 4096 * 2.0**-52, "float32": 4096 * 2.0**-23}  # of the sides of an identity
ROUNDING = {"float64": 64 * 2.0**-52, "float32": 64 * 2.0**-23}  # a margin nearer to zero than this decides nothing
LEAST = sp.Symbol("least_", real=True)  # a number next to nothing: no size is zero, and no tie is positive
ALLOWED = sp.Symbol("allowed_", real=True)  # the band
_POSITIONS = 6  # of free indices


class Unsweepable(Exception):
    """Array code cannot say anything about the obligation; the message says why."""


def formula_of(obligation: Obligation) -> sp.logic.boolalg.Boolean:
    """The relation or Boolean combination that an identity or an inequality says, in SymPy."""
    if isinstance(obligation, Identity):
        return sp.Eq(obligation.left, obligation.right, evaluate=False)
    assert isinstance(obligation, Holds)
    return obligation.formula


def formulas(obligation: Identity | Holds, plan: Plan) -> list[tuple[dict[sp.Symbol, sp.Integer], Any]]:
    """What an obligation says at one size, for several positions of its free indices, in terms of the columns.

    Raises :class:`Unsweepable` where nothing but a tautology is left, or no finite expression.
    """
    formula, domain = formula_of(obligation), plan.domain
    bound = domain.symbols | set(domain.bases)
    indices = sorted((s for s in formula.free_symbols if s.is_Symbol and s not in bound), key=str)
    if not all(s.is_integer for s in indices):
        raise Unsweepable(f"no domain for {', '.join(str(s) for s in indices if not s.is_integer)}")
    length = min((size for _, size in plan.families), default=0)
    found = []
    for choice in itertools.islice(itertools.product(range(1, length + 1), repeat=len(indices)), _POSITIONS):
        positions = dict(zip(indices, map(sp.Integer, choice), strict=True))
        stated = in_columns(formula, plan, positions)
        if stated != sp.true:
            found.append((positions, stated))
    if not found:
        raise Unsweepable("SymPy makes both sides the same expression, so there is nothing that an instance could show")
    return found


def in_columns(e: sp.Basic, plan: Plan, positions: dict[sp.Symbol, sp.Integer] | None = None) -> Any:
    """An expression with its sizes and indices put in, sums written out, and what the domain defines replaced."""
    whole = {**dict(plan.sizes), **(positions or {})}
    if isinstance(e, Relational):
        sides = [in_columns(side, plan, positions) for side in e.args]
        return sp.true if isinstance(e, sp.Eq) and sides[0] == sides[1] else e.func(*sides, evaluate=False)
    if isinstance(e, sp.logic.boolalg.BooleanFunction):
        return e.func(*(in_columns(a, plan, positions) for a in e.args))
    if not isinstance(e, sp.Basic) or e in (sp.true, sp.false):
        return sp.sympify(e)
    written = e.xreplace(whole).doit()
    entries = {x: element(x.base, int(x.indices[0])) for x in written.atoms(sp.Indexed) if x.indices[0].is_Integer}
    written = written.xreplace(entries)
    if written.has(sp.Sum, sp.Product, sp.Derivative, sp.Integral, sp.Limit, sp.Indexed):
        raise Unsweepable(f"{type(e).__name__} does not become a finite expression at one size")
    return written.xreplace(plan.defined)


def constants(dtype: str) -> tuple[float, float]:
    """The values of :data:`LEAST` and :data:`ALLOWED` for a float type. They are arguments of the compiled margin and
    not numbers in it, for which no algebra of its terms is made.
    """
    return {"float64": 1e-300, "float32": 1e-36}[dtype], BAND[dtype]


def margin(formula: sp.Basic, plan: Plan) -> sp.Expr:
    """The signed margin of a Boolean combination of relations, in terms of the columns, LEAST and ALLOWED."""
    positive = {s for s in plan.scalars if plan.domain.intervals[s].lower.is_nonnegative}
    positive |= {element(f.base, k + 1) for f, size in plan.families if f.positive for k in range(size)}
    return _margin(sp.to_nnf(_spelled(formula), simplify=False), frozenset(positive))


def _spelled(formula: sp.Basic) -> Any:
    """Implications and equivalences in terms of and, or and not."""
    if isinstance(formula, sp.Equivalent):
        a, *others = map(_spelled, formula.args)
        return sp.And(*((a & b) | (sp.Not(a) & sp.Not(b)) for b in others))
    if isinstance(formula, sp.Implies):
        return sp.Not(_spelled(formula.args[0])) | _spelled(formula.args[1])
    if isinstance(formula, sp.And | sp.Or | sp.Not):
        return formula.func(*map(_spelled, formula.args))
    return formula


def _margin(formula: sp.Basic, positive: frozenset[sp.Basic]) -> sp.Expr:
    if formula in (sp.true, sp.false):
        return sp.Integer(1 if formula == sp.true else -1)
    if isinstance(formula, sp.And | sp.Or):
        parts = [_margin(a, positive) for a in formula.args]
        return sp.Min(*parts, evaluate=False) if isinstance(formula, sp.And) else sp.Max(*parts, evaluate=False)
    if not isinstance(formula, Relational):
        raise Unsweepable(f"{type(formula).__name__} has no margin")
    left, right = formula.args
    size = sum((_size(side, positive) for side in formula.args), start=LEAST)
    if isinstance(formula, sp.Eq | sp.Ne):
        apart = sp.Abs(left - right) / size
        return ALLOWED - apart if isinstance(formula, sp.Eq) else apart - LEAST
    gap = (left - right if isinstance(formula, sp.Gt | sp.Ge) else right - left) / size
    return gap if isinstance(formula, sp.Ge | sp.Le) else gap - LEAST  # a tie satisfies no strict relation


def _size(e: sp.Expr, positive: frozenset[sp.Basic]) -> sp.Expr:
    """The sum of the absolute values of the terms, through products and whole powers."""
    if isinstance(e, sp.Add):
        return sp.Add(*(_size(a, positive) for a in e.args))
    if isinstance(e, sp.Mul):
        return sp.Mul(*(_size(a, positive) for a in e.args))
    if isinstance(e, sp.Pow) and e.exp.is_Integer and e.exp > 0:
        return _size(e.base, positive) ** e.exp
    return _absolute(e, positive)


def _absolute(e: sp.Expr, positive: frozenset[sp.Basic]) -> sp.Expr:
    """|e| without asking SymPy for the sign: where they have a real value, exponentials, roots and powers that are not
    whole are positive.
    """
    if e in positive or isinstance(e, sp.exp | sp.cosh | sp.Abs):
        return e
    if isinstance(e, sp.Mul):
        return sp.Mul(*(_absolute(a, positive) for a in e.args))
    if isinstance(e, sp.Pow):
        return _absolute(e.base, positive) ** e.exp if e.exp.is_Integer else e
    return sp.Abs(e, evaluate=e.is_Number)
