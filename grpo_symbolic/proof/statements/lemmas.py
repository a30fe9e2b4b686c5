"""The stated lemmas: true formulas about exp and log that a decision procedure may assume, as instances.

They are the only transcendental facts taken for granted. Each is a textbook inequality; the tests sample every one of
them, hugging the ends of its range. An instance names its lemma and its arguments, and the formula is built from their
terms, so nothing else can be assumed; that the arguments have a value on the whole domain is asked first, without the
lemmas (:mod:`grpo_symbolic.proof.check.queries`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import signature

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.terms.language import (
    MINUS_ONE,
    ONE,
    ZERO,
    And,
    Compare,
    Formula,
    Function,
    Iff,
    Implies,
    Multiply,
    Number,
    Or,
    Power,
    Term,
    add,
)
from grpo_symbolic.terms.reading import Reading


@dataclass(frozen=True)
class Instance:
    """A stated lemma at given arguments, which are SymPy expressions."""

    lemma: str
    arguments: tuple[sp.Expr, ...]

    def __repr__(self) -> str:
        return f"{self.lemma}({', '.join(map(str, self.arguments))})"

    def terms(self, reading: Reading) -> tuple[Term, ...]:
        """The arguments as terms."""
        return tuple(map(reading.term, self.arguments))

    def formula(self, reading: Reading) -> Formula:
        """What may be assumed where the arguments have a value."""
        return LEMMAS[self.lemma](*self.terms(reading))

    def at(self, change: Callable[[sp.Expr], sp.Expr]) -> Instance:
        """The lemma at changed arguments."""
        return Instance(self.lemma, tuple(map(change, self.arguments)))


def exponential(u: Term) -> Term:
    """``exp u``, as SymPy would write it too: exp(k log v) is vᵏ."""
    if u is ZERO:
        return ONE
    match u:
        case Function("log", v):
            return v
        case Multiply((Number(power), Function("log", v))):
            return Power(v, power)
    return Function("exp", u)


def logarithm(u: Term) -> Term:
    """``log u``, as SymPy would write it too: log exp v is v."""
    if u is ONE:
        return ZERO
    match u:
        case Function("exp", v):
            return v
    return Function("log", u)


LEMMAS: dict[str, Callable[..., Formula]] = {}  # by name: the formula, from the terms of the arguments


def _lemma(states: Callable[..., Formula]) -> Callable[..., Instance]:
    """State a lemma by its formula; what is handed on makes instances of it, at SymPy expressions."""
    LEMMAS[states.__name__] = states

    @wraps(states)
    def instance(*arguments: sp.Expr) -> Instance:
        signature(states).bind(*arguments)  # as many as it has
        return Instance(states.__name__, arguments)

    return instance


def _less(a: Term, b: Term) -> Compare:
    return Compare("<", a, b)


@_lemma
def log_below_tangent(u: Term) -> Formula:
    """``log u ≤ u − 1`` for ``u > 0``, with equality only at ``u = 1``."""
    log, line = logarithm(u), add(u, MINUS_ONE)
    sharp = Or((Compare("==", u, ONE), _less(log, line)))
    return Implies(_less(ZERO, u), And((Compare("<=", log, line), sharp)))


@_lemma
def log_increasing(u: Term, v: Term) -> Formula:
    """``u < v`` exactly when ``log u < log v``, for positive ``u`` and ``v``."""
    order = Iff((_less(u, v), _less(logarithm(u), logarithm(v))))
    return Implies(And((_less(ZERO, u), _less(ZERO, v))), order)


@_lemma
def log_sign(u: Term) -> Formula:
    """``log u`` has the sign of ``u − 1``, for ``u > 0``."""
    log = logarithm(u)
    above, below = Iff((_less(ZERO, log), _less(ONE, u))), Iff((_less(log, ZERO), _less(u, ONE)))
    return Implies(_less(ZERO, u), And((above, below)))


@_lemma
def exp_positive(u: Term) -> Formula:
    """``exp u > 0``."""
    return _less(ZERO, exponential(u))


@_lemma
def exp_sign(u: Term) -> Formula:
    """``exp u − 1`` has the sign of ``u``, and ``exp u > 0``."""
    e = exponential(u)
    return And((_less(ZERO, e), Iff((_less(ONE, e), _less(ZERO, u))), Iff((_less(e, ONE), _less(u, ZERO)))))


@_lemma
def exp_above_tangent(u: Term) -> Formula:
    """``exp u ≥ 1 + u``, with equality only at ``u = 0``."""
    e, line = exponential(u), add(ONE, u)
    return And((Compare("<=", line, e), Or((Compare("==", u, ZERO), _less(line, e)))))


@_lemma
def exp_increasing(u: Term, v: Term) -> Formula:
    """``u < v`` exactly when ``exp u < exp v``."""
    return Iff((_less(u, v), _less(exponential(u), exponential(v))))


def check_instances(using: tuple[Instance, ...]) -> None:
    """Raise :class:`ClaimError` for anything that is no instance of a stated lemma: nothing else may be assumed."""
    for given in using:
        if not isinstance(given, Instance) or given.lemma not in LEMMAS:
            raise ClaimError(
                f"{given} is no instance of a stated lemma (proof/statements/lemmas.py), and nothing else is assumed"
            )
