"""The worst instances of a sweep in ball arithmetic: is a violation real, or was it rounding?

Every float is the binary fraction that it is, so an instance is exact, and so is a witness. Precision rises until
the balls decide. The verdicts on an instance are ``violated`` (balls refute the statement at a point that they show to
lie in the domain), ``cleared`` (the statement holds there, or its sides agree to hundreds of digits), ``outside``
(the exact point misses the domain by a rounding) and ``undecided``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import sympy as sp

from grpo_symbolic.numeric.draw import Plan
from grpo_symbolic.proof import arithmetic
from grpo_symbolic.proof.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.evaluate import evaluate, truth
from grpo_symbolic.proof.obligation import Obligation, formula_of

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
    witness: dict[Any, Any] = field(default_factory=dict)

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
        fate, point = _fate(obligation, instance)
        setattr(result, fate, getattr(result, fate) + 1)
        if fate == "violated" and not result.witness:
            result.witness = point
        progress(done)
    return result


def _fate(obligation: Obligation, instance: Instance) -> tuple[str, dict[Any, Any]]:
    point = instance.plan.point(list(instance.row))
    fates = []
    for positions in instance.positions:
        full = {**point, **positions}
        fate = _at(obligation, full)
        if fate in ("violated", "outside"):
            return fate, full
        fates.append(fate)
    return ("undecided" if "undecided" in fates else "cleared"), point


def _at(obligation: Obligation, point: dict[Any, Any]) -> str:
    formula = formula_of(obligation)
    for bits in PRECISIONS:
        with arithmetic.precision(bits):
            value = _decided(partial(truth, formula, point, ARB))
            if value is True or (value is None and bits > PRECISIONS[0] and _agrees(formula, point, bits)):
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


def _inside(obligation: Obligation, point: dict[Any, Any]) -> bool | None:
    """Whether the point lies in the domain: its constraints, and the signs of its families (sizes and sums are so by
    construction).
    """
    domain = obligation.domain
    defined = domain.definitions
    checked = (c for c in domain.constraints if not (isinstance(c, sp.Eq) and defined.get(c.lhs) == c.rhs))
    answers = [truth(c, point, ARB) for c in checked]
    for base, family in domain.bases.items():
        if family.positive:
            answers += [truth(sp.Gt(e, 0, evaluate=False), point, ARB) for e in point[base]]
    return False if False in answers else None if None in answers else True


def _agrees(formula: Any, point: dict[Any, Any], bits: int) -> bool:
    """Whether balls that cannot tell two sides apart leave no room for a difference that matters: a tie satisfies
    ``=``, ``≤`` and ``≥``.
    """
    if isinstance(formula, sp.And):
        return all(_agrees(a, point, bits) or _decided(partial(truth, a, point, ARB)) is True for a in formula.args)
    if not isinstance(formula, sp.Eq | sp.Le | sp.Ge):
        return False
    try:
        left, right = (evaluate(side, point, ARB) for side in formula.args)
    except (Undefined, Unsupported):
        return False
    room = abs(left - right).upper()
    return bool(room <= (abs(left) + abs(right) + 1) * 2 ** -(3 * bits // 4))
