"""The worst instances of a sweep in ball arithmetic: is a violation real, or was it rounding?

Every float is the binary fraction that it is, so an instance is exact, and so is a witness. Precision rises until
the balls decide. The verdicts on an instance are ``violated`` (balls refute the statement at a point that they show to
lie in the domain), ``cleared`` (the statement holds there, or its sides agree to hundreds of digits), ``outside``
(the exact point misses the domain by a rounding) and ``undecided``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import sympy as sp

from grpo_symbolic.numeric.sweeps.draw import Plan
from grpo_symbolic.proof.statements import arithmetic
from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Point
from grpo_symbolic.proof.statements.evaluate import Values, holds_at, value_at, values_of
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, statement_of
from grpo_symbolic.terms.language import ZERO, And, Compare, Entry, Formula, Number

PRECISIONS = (220, 880, 3520)  # bits
Positions = dict[sp.Symbol, sp.Integer]


@dataclass(frozen=True)
class Instance:
    """One row of a sweep: the float values of a plan's columns."""

    plan: Plan
    row: tuple[float, ...]
    positions: tuple[Positions, ...] = ({},)


@dataclass
class Confirmation:
    """How the instances that were looked at fared; ``unavailable`` says why none was. ``witness`` is the first exact
    violation.
    """

    engine: str = ""
    unavailable: str = ""
    violated: int = 0
    cleared: int = 0
    outside: int = 0
    undecided: int = 0
    witness: Point = field(default_factory=dict)

    @property
    def examined(self) -> int:
        return self.violated + self.cleared + self.outside + self.undecided


def confirm(
    obligation: Obligation, instances: Iterable[Instance], progress: Callable[[int], None] = lambda done: None
) -> Confirmation:
    """Look at every instance; ``progress(done)`` is called after each."""
    if arithmetic.flint is None:
        return Confirmation(unavailable="python-flint is not installed")
    from importlib.metadata import version

    result = Confirmation(engine=f"Arb {version('python-flint')}")
    for done, instance in enumerate(instances, start=1):
        status, point = _status(obligation, instance)
        setattr(result, status, getattr(result, status) + 1)
        if status == "violated" and not result.witness:
            result.witness = point
        progress(done)
    return result


def _status(obligation: Obligation, instance: Instance) -> tuple[str, Point]:
    point = instance.plan.point(list(instance.row))
    statuses = []
    for positions in instance.positions:
        full = {**point, **positions}
        status = _at(obligation, full)
        if status in ("violated", "outside"):
            return status, full
        statuses.append(status)
    return ("undecided" if "undecided" in statuses else "cleared"), point


def _at(obligation: Obligation, point: Point) -> str:
    assert isinstance(obligation, Identity | Holds)
    formula, values = statement_of(obligation), values_of(point, obligation.domain.reading())
    for bits in PRECISIONS:
        with arithmetic.precision(bits):
            value = _decided(partial(holds_at, formula, values, ARB))
            if value is True or (value is None and bits > PRECISIONS[0] and _agrees(formula, values, bits)):
                return "cleared"
            if value is False or bits == PRECISIONS[-1]:
                inside = _decided(partial(_inside, obligation, point))
                if inside is False:
                    return "outside"
                if value is False and inside:
                    return "violated"
    return "undecided"


def _decided(question: Callable[[], bool | None]) -> bool | None:
    try:
        return question()
    except (Undefined, Unsupported):
        return None


def _inside(obligation: Obligation, point: Point) -> bool | None:
    """Whether the point lies in the domain: its constraints, and the signs of its families (sizes and sums are so by
    construction).
    """
    domain = obligation.domain
    defined = domain.definitions
    values = values_of(point, domain.reading())
    checked = (
        f
        for c, f in zip(domain.constraints, domain.formulas, strict=True)
        if not (isinstance(c, sp.Eq) and defined.get(c.lhs) == c.rhs)
    )
    answers = [holds_at(f, values, ARB) for f in checked]
    for name, family in domain.family_terms.items():
        if family.positive:
            entries = (Entry(name, Number(Fraction(k + 1))) for k in range(len(values[name])))
            answers += [holds_at(Compare("<", ZERO, entry), values, ARB) for entry in entries]
    return False if False in answers else None if None in answers else True


def _agrees(formula: Formula, point: Values, bits: int) -> bool:
    """Whether balls that cannot tell two sides apart leave no room for a difference that matters: a tie satisfies
    ``=``, ``≤`` and ``≥``.
    """
    if isinstance(formula, And):
        return all(
            _agrees(f, point, bits) or _decided(partial(holds_at, f, point, ARB)) is True for f in formula.formulas
        )
    if not isinstance(formula, Compare) or formula.relation not in ("==", "<="):
        return False
    try:
        left, right = (value_at(side, point, ARB) for side in (formula.left, formula.right))
    except (Undefined, Unsupported):
        return False
    room = abs(left - right).upper()
    return bool(room <= (abs(left) + abs(right) + 1) * 2 ** -(3 * bits // 4))
