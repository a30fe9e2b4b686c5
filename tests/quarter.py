"""A true obligation, that x(1 − x) is at most ¼ between 0 and 1, and a false one, that it is less."""

from __future__ import annotations

import sympy as sp

from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.obligation import Holds

x, y = sp.symbols("x y", real=True)
n = sp.Symbol("n", integer=True)
pi = sp.IndexedBase("pi", real=True)
UNIT = Domain(0 < x, x < 1)
TRUE = Holds(UNIT, x * (1 - x) <= sp.Rational(1, 4), label="true")
FALSE = Holds(UNIT, x * (1 - x) < sp.Rational(1, 4), label="false")
