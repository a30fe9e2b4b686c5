"""The number that a checked formula has at a point, for examples in prose: computed when the book is built."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grpo_symbolic.errors import BadInput, check_name
from grpo_symbolic.notation import NOTATION

DIGITS = 3


def value_of(request: str, papers: Sequence[Path] = ()) -> str:
    """The value of one side of an equation of a claim, to three significant digits: of a built-in one, or of one in the
    folders ``papers``.

    ``request`` is ``ID NAME=NUMBER …`` with names of the notation; ``ID.k`` takes part k of the statement instead of
    the first, and a minus before the id takes one minus the value. Raises :class:`BadInput` for a part that is no
    equation, a point outside the claim's domain, and a symbol without a value.

    >>> value_of("vy-s231-sqrt p=1/4")
    '0.5'
    """
    import sympy as sp

    from grpo_symbolic import catalogue
    from grpo_symbolic.proof.statements.statement import flat

    head, *settings = request.split()
    complement, claim_id, number = _named(head)
    builtin = claim_id in catalogue.ids() or not papers
    claim = catalogue.find(claim_id) if builtin else catalogue.with_dependencies([claim_id], papers).claims[claim_id]
    parts = [part for s in (claim.statement, *claim.because) for part in flat(s, claim.domain)]
    if not 1 <= number <= len(parts):
        raise BadInput(f"the claim {claim_id} has parts 1 to {len(parts)}, not {number}")
    statement, domain = parts[number - 1]
    formula = getattr(statement, "formula", None)
    side = formula.rhs if isinstance(formula, sp.Equality) else getattr(statement, "right", None)
    if side is None:
        raise BadInput(f"part {number} of {claim_id} is no equation, so it has no value")
    point = {NOTATION[name].symbol: value for name, value in map(_setting, settings)}
    if any(constraint.subs(point) == sp.false for constraint in domain.constraints):
        raise BadInput(f"{' '.join(settings)} is not in the domain of {claim_id}")
    exact = sp.sympify(side).subs(point)
    if exact.free_symbols:
        raise BadInput(f"{claim_id} needs a value of {', '.join(sorted(map(str, exact.free_symbols)))}")
    return shown((1 - exact if complement else exact).evalf(30))


def shown(number: Any) -> str:
    """Three significant digits, without zeros that say nothing.

    >>> shown(-0.25), shown(1236), shown(99999), shown(3.2e-7)
    ('−0.25', '1240', '100000', '3.2 × 10^{−7}')
    """
    text = f"{float(number):.{DIGITS}g}"
    mantissa, _, power = text.partition("e")
    if power:
        written_out = 0 < int(power) < 6
        text = f"{float(text):.0f}" if written_out else f"{mantissa} × 10^{{{int(power)}}}"
    return text.replace("-", "−")


def _named(head: str) -> tuple[bool, str, int]:
    match = re.fullmatch(r"(-?)([\w-]+?)(?:\.(\d+))?", head)
    if match is None:
        raise BadInput(f"{head!r} names no claim")
    return bool(match[1]), match[2], int(match[3] or 1)


def _setting(text: str) -> tuple[str, Any]:
    import sympy as sp

    name, _, number = text.partition("=")
    check_name(name, list(NOTATION), "symbol")
    if not re.fullmatch(r"-?\d+(/\d+|\.\d+)?", number):
        raise BadInput(f"{text!r} is no setting: expected a symbol, =, and a number such as 1/4 or 0.25")
    return name, sp.Rational(number)
