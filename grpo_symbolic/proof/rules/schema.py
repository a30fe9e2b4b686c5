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
from functools import cache, cached_property
from importlib import resources
from types import MappingProxyType
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import BooleanFunction

from grpo_symbolic.proof.rules.walking import expressions, letters_in
from grpo_symbolic.proof.statements.statement import Always, Statement

# Variables: real numbers that a premise or the conclusion binds. In the sentence they are symbols.
x, y, t = VARIABLES = sp.symbols("x y t", real=True)
# Ends and limits: real numbers, ∞ or −∞.
A, B, L, M, P, U = ENDS = sp.symbols("A B L M P U", real=True)
# Real numbers. In the sentence they are terms in which no variable of the schema stands.
a, b, c, k, mu, nu, p, q, r, s, u, v = sp.symbols("a b c k mu nu p q r s u v", real=True)
# A whole number, from 0.
N = sp.Symbol("N", integer=True)
# Whole numbers: the sizes of two lists, and the number of one member. In the sentence they are terms that are whole.
m, n, o = WHOLE = sp.symbols("m n o", integer=True)
# Variables for the numbers of members: ``i`` and ``j`` for those of one list, from 1 to ``n``, and ``e`` for those of
# another one, to ``m``, and ``z`` for how many of a list there are, from 0. A premise is for all of them, and so is the
# conclusion.
i, j, e, z = INDICES = sp.symbols("i j e z", integer=True)
# The same of two lists that are written out, of which something is said member by member.
iota, kappa, eta, theta = WRITTEN_OUT = sp.symbols("iota kappa eta theta", integer=True)
RANGES = {i: (1, n), j: (1, n), e: (1, m), z: (0, n)}
RANGES |= {iota: (1, n), kappa: (1, n), eta: (1, m), theta: (1, m)}
# Families: lists of numbers that vary as one, which a premise or the conclusion binds. In the sentence they are
# families of the domain, ``pi`` one of ``n`` numbers, and ``rho`` of ``m``.
pi, rho = FAMILIES = sp.symbols("pi rho", cls=sp.IndexedBase, real=True)
# Functions of a whole family, or of two. In the sentence they are terms in which any entries of these may stand.
F, V = sp.symbols("F V", cls=sp.Function)
# A variable for whole numbers, without an end: a sequence is a function of it.
tau = sp.Symbol("tau", integer=True)
# Formulas: what is supposed, or said; and the cases that there are.
H, *CASES = FORMULAS = sp.symbols("H Q1 Q2 Q3")
# Functions of one variable, or of two, or of the number of a member. In the sentence they are terms in which these
# variables may stand.
f, g, h, d, w, chi = sp.symbols("f g h d w chi", cls=sp.Function)
# Functions of a whole number.
phi, psi = sp.symbols("phi psi", cls=sp.Function)


class J(BooleanFunction):
    """``J(x)``: what a domain that the rule gives says, of ``x`` and of other symbols."""


class E(BooleanFunction):
    """``E(i)``: a formula in which the number of a member may stand."""


class Supposed(BooleanFunction):
    """Base of letters for what a tuple of formulas supposes of each member: all of these in which its number stands."""


class G(Supposed):
    """``G(i)``: of a list."""


class K(Supposed):
    """``K(e)``: of another one."""


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


@dataclass(frozen=True)
class OfAll:
    """``condition`` can be said of all members at once: of the families of which it names an entry these are all, and
    where it names no number there is a member. In Coq it is said for every number: this is about how it is written.
    """

    condition: sp.Basic
    bound: tuple[sp.Symbol, ...] = (i,)


@dataclass(frozen=True)
class Somewhere:
    """``condition``, what is supposed of all members, holds for all of them somewhere: at an example that the rule
    gives. Without one it is looked for at points, where nobody finds what equations say by trying.
    """

    condition: sp.Basic
    bound: tuple[sp.Symbol, ...] = (i,)


@dataclass(frozen=True)
class Family:
    """``entry`` is any of a family of numbers of the domain: where ``positive``, of positive ones; with a ``total``, of
    ones of this sum. ``free``: nothing else is said of them, neither by the domain nor by what the other letters stand
    for, so that they may be any. A family that varies is so in any case, but for its sum: with it what is tied to that
    varies, of which other letters do not speak. ``only``: no more is said of one that varies, neither that it is
    positive nor what its sum is.
    """

    entry: sp.Expr
    positive: bool = False
    total: int | None = None
    free: bool = False
    only: bool = False
    bound: tuple[sp.Symbol, ...] = (i,)

    @property
    def varies(self) -> bool:
        """Whether it is a family that varies, and not a letter for the entries of one."""
        return isinstance(self.entry, sp.Indexed)


@dataclass(frozen=True)
class Admits:
    """The numbers ``image``, one for each number of a member, are some that the domain admits for the family of
    ``entry``.
    """

    image: sp.Expr
    entry: sp.Indexed
    bound: tuple[sp.Symbol, ...] = (i,)


@dataclass(frozen=True)
class Natural:
    """``number`` is not negative. In Coq it is a natural number."""

    number: sp.Expr = n


@dataclass(frozen=True)
class Each:
    """In the place of a list that is written out: its members, one function of their number or several beside each
    other, and how many they are.
    """

    of: tuple[sp.Expr, ...]
    index: sp.Symbol = iota
    size: sp.Symbol = n


def each(*of: sp.Expr, index: sp.Symbol = iota, size: sp.Symbol = n) -> Any:
    """A list that is written out, in whatever field it stands."""
    return Each(of, index, size)


# What a theorem supposes of functions and sets, and what the letters of a schema stand for sentences by.
Side = Continuous | Slope | Interval | Admitted | Valued | OfAll | Somewhere | Family | Admits | Natural
# Those that are seen in how the sentence is written: a theorem need not suppose them.
WRITTEN = (Valued, OfAll, Somewhere, Family, Natural)


@dataclass(frozen=True)
class Needs:
    """A premise: ``statement`` holds wherever ``where`` does, for all values of the variables.

    ``inside``: and where the sentence's own domain does, of which otherwise only what it says of other symbols counts.
    ``on``: where the domain ``J`` of the rule does, instead of the sentence's.
    ``sense``: without it the sentence would speak of nothing; the theorem need not suppose it.
    ``by`` names the fields of the rule, or of the sentence, with what the proof of this premise uses; ``label`` names
    it for readers, and letters in braces are filled in there.
    """

    statement: Statement | Side
    where: tuple[sp.Basic, ...] = ()
    inside: bool = False
    on: bool = False
    sense: bool = False
    by: str = ""
    label: str = ""

    @property
    def members(self) -> list[sp.Symbol]:
        """The letters for numbers of members of which it is said."""
        own = getattr(self.statement, "bound", ())
        free = letters_in((self.statement, self.where))
        return [index for index in INDICES if index in free and index not in own]

    @property
    def written_out(self) -> list[sp.Symbol]:
        """The same of lists that are written out."""
        free = letters_in((self.statement, self.where))
        return [index for index in WRITTEN_OUT if index in free]

    @property
    def of_domain(self) -> bool:
        """Whether it speaks of the values that the sentence's domain admits for its variable."""
        return not self.on and (self.inside or isinstance(self.statement, Interval | Admitted))


class Way(NamedTuple):
    """How a variable, ``along``, approaches a ``point``, from a ``side``: ``where`` it is then, up to ``until``;
    ``before`` is why there is something between. ``near`` is the proof in Coq that it comes there.
    """

    point: sp.Expr
    side: str
    until: sp.Symbol
    where: tuple[sp.Basic, ...]
    before: tuple[Needs, ...]
    near: str
    along: sp.Symbol = t

    @property
    def filter(self) -> str:
        """How Coq says so."""
        if self.along == tau:
            return "eventually"
        point = {sp.oo: "p_infty", -sp.oo: "m_infty"}.get(self.point, str(self.point))
        return f"(from_{'above' if self.side == '+' else 'below'} {point})"

    def at_each_solution(self, applied: str, to: str = "locally v", what: str = "(@snd R R)") -> str:
        """The script for what ``what`` tends to at each solution of ``f``, by a theorem ``applied`` to functions."""
        solutions = f"each_solution {self.filter} ({to}) (strictly_between a b) f {what}"
        return f"intros; {solutions}; apply (@{{theorem}} _ F' a b {applied}); moving lift all_of {self.near}"


_NEAR = "(near_{} ltac:(assumption) ltac:(discriminate))"
WAYS = (
    *(Way(sp.oo, side, u, (t >= u,), (), "(near_infinity u)") for side in "+-"),
    *(Way(-sp.oo, side, u, (t <= u,), (), "(near_minus_infinity u)") for side in "+-"),
    Way(p, "+", U, (p < t, t < U), (Needs(Always(p < U), label="a range"),), _NEAR.format("lower_end p U")),
    Way(p, "-", U, (U < t, t < p), (Needs(Always(U < p), label="a range"),), _NEAR.format("upper_end U p")),
)
GROWING = tuple(Way(sp.oo, side, u, (tau >= u,), (), "(from_some_number_on u)", tau) for side in "+-")


@dataclass(frozen=True)
class Schema:
    """``theorem`` (of ``coq/theories``, file and name) says that the ``premises`` imply the ``conclusion``.

    ``given`` says what the fields of the rule, and what it reads off the sentence, are in it: letters, or the constants
    that tell it from its variants.
    ``proof`` is the script by which Coq gets it from the theorem.
    """

    theorem: str
    conclusion: Statement
    premises: tuple[Needs, ...]
    given: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    proof: str = "by_theorem @{theorem}"

    @cached_property
    def letters(self) -> frozenset[sp.Basic]:
        """All its letters; those for functions and formulas with what they are applied to."""
        kinds = (AppliedUndef, J, E, Supposed, sp.IndexedBase)
        parts = expressions((self.conclusion, self.premises))
        letters = set().union(*(e.free_symbols | e.atoms(*kinds) for e in parts))
        return frozenset(letter for letter in letters if not (isinstance(letter, sp.Indexed) or letter in _LABELS))

    @cached_property
    def digest(self) -> str:
        """What is declared, in few characters: Coq has accepted this, and nothing that was changed after."""
        declared = (self.theorem, self.conclusion, self.premises, sorted(self.given.items()), self.proof)
        return hashlib.sha256(repr(declared).encode()).hexdigest()[:16]

    @property
    def script(self) -> str:
        """The tactics, with the theorem's short name."""
        return self.proof.replace("{theorem}", self.theorem.partition(".")[2])


_LABELS = {family.label for family in FAMILIES}  # which SymPy counts among the free symbols
ACCEPTED = "accepted.txt"  # beside this file: a line for each schema, with its theorem, its digest and that of its goal


@cache
def accepted() -> frozenset[str]:
    """The digests of the schemas that Coq has accepted, as the last ``make coq`` wrote them down."""
    text = resources.files(__package__).joinpath(ACCEPTED).read_text(encoding="utf-8")
    return frozenset(line.split()[1] for line in text.splitlines())
