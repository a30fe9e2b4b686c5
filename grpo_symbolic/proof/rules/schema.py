"""Schemas: theorems of Coq with the letters that a sentence fills in, as data.

A schema has letters, a conclusion and premises in the package's own statements over these letters, and the name of its
theorem. Nothing here acts: :mod:`~grpo_symbolic.proof.rules.matching` fills the letters in, and
:mod:`~grpo_symbolic.proof.coq.goals` writes the schema in Coq, which says whether it follows from the theorem.

A letter's kind is in its name, the same in all schemas: see the table below.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, NamedTuple

import sympy as sp
from sympy.logic.boolalg import BooleanFunction

from grpo_symbolic.proof.statements.statement import Always, Statement

# Variables: real numbers that a premise or the conclusion binds. In the sentence they are symbols.
x, y, t = VARIABLES = sp.symbols("x y t", real=True)
# Ends and limits: real numbers, ∞ or −∞.
A, B, L, M, P, U = ENDS = sp.symbols("A B L M P U", real=True)
# Real numbers. In the sentence they are terms in which no variable of the schema stands.
a, b, c, k, m, p, q, r, s, u, v = sp.symbols("a b c k m p q r s u v", real=True)
# A whole number, from 0.
N = sp.Symbol("N", integer=True)
# What is supposed. In the sentence it is a formula.
H = sp.Symbol("H")
# Functions of one variable, or of two. In the sentence they are terms in which these variables may stand.
f, g, h, d = sp.symbols("f g h d", cls=sp.Function)


class J(BooleanFunction):
    """``J(x)``: what a domain that the rule gives says, of ``x`` and of other symbols."""


@dataclass(frozen=True)
class Continuous:
    """``body`` is continuous in ``variable``: it is made of continuous operations, and has a value everywhere."""

    body: sp.Expr
    variable: sp.Symbol = x


@dataclass(frozen=True)
class Slope:
    """``body`` has the derivative ``slope`` in ``variable``, of an ``order`` of 1 or 2; where no rule gives it, it is
    computed.
    """

    body: sp.Expr
    slope: sp.Expr
    variable: sp.Symbol = x
    order: int = 1


@dataclass(frozen=True)
class Interval:
    """The values that the domain of the sentence admits for ``variable``, all else fixed, are an interval."""

    variable: sp.Symbol = x


@dataclass(frozen=True)
class Admitted:
    """``point`` is one of the values that the domain of the sentence admits for ``variable``."""

    point: sp.Expr
    variable: sp.Symbol = x


@dataclass(frozen=True)
class Valued:
    """``term`` has a value. In Coq every term has one: this is what the letters of the schema stand for numbers by."""

    term: sp.Expr


Side = Continuous | Slope | Interval | Admitted | Valued  # what a theorem supposes of functions and sets


@dataclass(frozen=True)
class Needs:
    """A premise: ``said`` holds wherever ``where`` does, for all values of the variables.

    ``inside``: and where the sentence's own domain does, of which otherwise only what it says of other symbols counts.
    ``on``: where the domain ``J`` of the rule does, instead of the sentence's.
    ``by`` names the fields of the rule, or of the sentence, with what the proof of this premise uses; ``label`` names
    it for readers, and letters in braces are filled in there.
    """

    said: Statement | Side
    where: tuple[sp.Basic, ...] = ()
    inside: bool = False
    on: bool = False
    by: str = ""
    label: str = ""

    @property
    def of_domain(self) -> bool:
        """Whether it speaks of the values that the sentence's domain admits for its variable."""
        return not self.on and (self.inside or isinstance(self.said, Interval | Admitted))


class Way(NamedTuple):
    """How the variable ``t`` approaches a ``point``, from a ``side``: ``where`` it is then, up to ``until``; ``before``
    is why there is something between. ``near`` is the proof in Coq that it comes there.
    """

    point: sp.Expr
    side: str
    until: sp.Symbol
    where: tuple[sp.Basic, ...]
    before: tuple[Needs, ...]
    near: str

    @property
    def filter(self) -> str:
        """How Coq says so."""
        point = {sp.oo: "p_infty", -sp.oo: "m_infty"}.get(self.point, str(self.point))
        return f"(from_{'above' if self.side == '+' else 'below'} {point})"


_NEAR = "(near_{} ltac:(assumption) ltac:(discriminate))"
WAYS = (
    *(Way(sp.oo, side, u, (t >= u,), (), "(near_infinity u)") for side in "+-"),
    *(Way(-sp.oo, side, u, (t <= u,), (), "(near_minus_infinity u)") for side in "+-"),
    Way(p, "+", U, (p < t, t < U), (Needs(Always(p < U), label="a range"),), _NEAR.format("lower_end p U")),
    Way(p, "-", U, (U < t, t < p), (Needs(Always(U < p), label="a range"),), _NEAR.format("upper_end U p")),
)


@dataclass(frozen=True)
class Schema:
    """``theorem`` (of ``coq/theories``, file and name) says that the ``premises`` imply the ``conclusion``.

    ``given`` says what the fields of the rule are in it: letters, or the constants that tell it from its variants.
    ``proof`` is the script by which Coq gets it from the theorem.
    """

    theorem: str
    conclusion: Statement
    premises: tuple[Needs, ...]
    given: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    proof: str = "by_theorem @{theorem}"

    @property
    def digest(self) -> str:
        """What is declared, in few characters: Coq has accepted this, and nothing that was changed after."""
        said = (self.theorem, self.conclusion, self.premises, sorted(self.given.items()), self.proof)
        return hashlib.sha256(repr(said).encode()).hexdigest()[:16]

    @property
    def script(self) -> str:
        """The tactics, with the theorem's short name."""
        return self.proof.replace("{theorem}", self.theorem.partition(".")[2])


ACCEPTED = "accepted.txt"  # beside this file: a line for each schema, with its theorem, its digest and that of its goal


@cache
def accepted() -> frozenset[str]:
    """The digests of the schemas that Coq has accepted, as the last ``make coq`` wrote them down."""
    text = resources.files(__package__).joinpath(ACCEPTED).read_text(encoding="utf-8")
    return frozenset(line.split()[1] for line in text.splitlines())
