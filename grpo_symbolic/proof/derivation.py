"""Derivations: a chain of steps, each of which leaves an obligation behind.

A step goes on from what an earlier one arrived at, or is a new start and says so. It computes its result and writes
down of what and by what. What must hold for it to be right is made of that: that the derivative is the derivative, that
clearing denominators multiplied by something that does not vanish, that the chosen root is a root, lies where it should
and is alone there. Making a step evaluates its obligations at one point of the domain and raises :class:`StepError` on
a failure; the proof is left to the checkers of the claim that cites the derivation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sympy as sp
from sympy.logic.boolalg import Boolean

from grpo_symbolic.errors import StepError
from grpo_symbolic.proof.rules.citing import fitting
from grpo_symbolic.proof.rules.sides import valued
from grpo_symbolic.proof.rules.values import admitted
from grpo_symbolic.proof.statements.arithmetic import MPMATH, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.evaluate import truth
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, RootCount
from grpo_symbolic.proof.statements.substitution import equations, substituted
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.shown import Shown
from grpo_symbolic.slopes import derivative

_TRIES = 24  # points at which a leading coefficient is looked at


@dataclass(frozen=True)
class Step:
    """One move ``of`` what an earlier step arrived at, to its ``result``: what it is called, and what is ``given`` (the
    variable of a derivative, letters with the values that are put in, a factor, a variable with the ends between which
    its root lies). Its obligations, and its words, are made of these; ``note`` is what its file says.
    """

    name: str
    result: sp.Basic
    note: str = ""
    of: sp.Basic | None = None
    given: tuple[Any, ...] = ()

    def words(self, show: Callable[[Any], str]) -> str:
        """What it does, in formulas as they are shown, and what its file says of it."""
        own = _MOVES[self.name].words(show, *self.given) if self.name in _MOVES else ""
        return ": ".join(filter(None, (own, self.note)))


@dataclass
class Derivation(Shown):
    """A named chain of steps on one domain. ``steps`` is what the book prints and what a claim cites."""

    name: str
    domain: Domain
    steps: list[Step] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<Derivation {self.name}: {len(self.steps)} steps>"

    @property
    def obligations(self) -> list[Obligation]:
        return [obligation for number in range(len(self.steps)) for obligation in self._obligations_of(number)]

    def start(self, expression: sp.Expr, note: str = "the objective") -> sp.Expr:
        """Begin with an expression; nothing is to be shown."""
        self.steps.append(Step("start", expression, note))
        return expression

    def differentiate(self, expression: sp.Expr, variable: sp.Symbol, note: str = "") -> sp.Expr:
        """The partial derivative, every other symbol held fixed."""
        return self._record("differentiate", expression, derivative(expression, variable), note, variable)

    def restrict(self, expression: sp.Expr, rule: Mapping[sp.Expr, Scalar], note: str = "") -> sp.Expr:
        """Substitute, for instance π_old = π. What is put in is part of the step. To be shown is that the domain admits
        it, for elsewhere the steps before say nothing, and that SymPy's form of the outcome is equal to what stands
        there once it is put in, which has a value.
        """
        pairs = ((sp.sympify(letter), sp.sympify(value)) for letter, value in rule.items())
        return self._record("restrict", expression, substituted(expression, rule), note, *pairs)

    def rewrite(self, expression: sp.Expr, form: sp.Expr, note: str = "") -> sp.Expr:
        """Pass to an equal form."""
        return self._record("rewrite", expression, form, note)

    def equivalent(self, condition: sp.Expr | Boolean, form: Boolean, note: str = "") -> Boolean:
        """Pass to a condition that holds exactly where another one does, or exactly where a number is 0."""
        return self._record("equivalent", condition, form, note)

    def clear_denominators(self, expression: sp.Expr, factor: sp.Expr, variable: sp.Symbol, note: str = "") -> sp.Expr:
        """Multiply by a factor that does not vanish on the domain and collect a polynomial in ``variable``."""
        polynomial = sp.collect(sp.expand(sp.cancel(sp.together(expression * factor))), variable)
        if not polynomial.is_polynomial(variable):
            raise StepError(
                f"{self.name}: multiplying by {factor} leaves {polynomial}, which is not a polynomial in {variable}"
            )
        return self._record("clear denominators", expression, polynomial, note, factor)

    def solve(
        self, polynomial: sp.Expr, variable: sp.Symbol, inside: tuple[Scalar, Scalar] = (0, 1), note: str = ""
    ) -> sp.Expr:
        """The root of a linear or quadratic polynomial inside an open interval: substituted back, located, and
        counted. Where the leading coefficient of a quadratic changes its sign on the domain, the root is written
        without it in a denominator.
        """
        low, high = map(sp.sympify, inside)
        parameters = self.domain.without_symbol(variable)
        degree = sp.degree(polynomial, variable)
        if degree not in (1, 2):
            raise StepError(f"{self.name}: solve needs degree 1 or 2 in {variable}, got {degree}")
        formulas = _formulas(polynomial, variable, degree, parameters)
        root = next((c for c in formulas if _lies_inside(c, low, high, parameters.point)), None)
        if root is None:
            raise StepError(f"{self.name}: no root of {polynomial} lies in ({low}, {high}) at {parameters.point}")
        return self._record("solve", polynomial, root, note, variable, low, high)

    def check(self) -> None:
        """Raises :class:`StepError` for a step that is none of these, or of what no step before arrives at."""
        for number, step in enumerate(self.steps):
            self._obligations_of(number)
            before = [e for earlier in self.steps[:number] for e in _arrived_at(earlier.result)]
            if step.name != "start" and step.of not in before:
                raise StepError(f"{self.name}: no step before {step.name!r} to {step.result} arrives at {step.of}")

    def _obligations_of(self, number: int) -> list[Obligation]:
        """The obligations of a step, by its name, what it is of, its result and what is given."""
        step = self.steps[number]
        if step.name == "start":
            return []
        move = _MOVES.get(step.name)
        if move is None or len(step.given) not in move.given or step.of is None:
            raise StepError(f"{self.name}: the step {step.name!r} to {step.result} is none that there is")

        def called(what: str) -> str:
            return f"step {number} of {self.name}: {what}"

        return list(move.obligations(self.domain, called, step.of, step.result, *step.given))

    def _record(self, name: str, of: sp.Basic, result: Any, note: str, *given: Any) -> Any:
        """Add a step to the one that arrived at what it is of; where none did, that is shown as a new start."""
        if not any(of in _arrived_at(step.result) for step in self.steps):
            self.start(of, "a new start")
        self.steps.append(Step(name, result, note, of, given))
        for obligation in self._obligations_of(len(self.steps) - 1):
            formula = (
                sp.Eq(obligation.left, obligation.right, evaluate=False)
                if isinstance(obligation, Identity)
                else getattr(obligation, "formula", sp.true)
            )
            if not obligation.has_families() and _true_at(formula, obligation.domain.point) is False:
                self.steps.pop()
                raise StepError(f"{obligation.label} fails at {obligation.domain.point}")
        return result


def _formulas(polynomial: sp.Expr, variable: sp.Symbol, degree: int, domain: Domain) -> list[sp.Expr]:
    if degree == 1:
        slope, constant = sp.Poly(polynomial, variable).all_coeffs()
        return [-constant / slope]
    a, b, c = sp.Poly(polynomial, variable).all_coeffs()
    root = sp.sqrt(b**2 - 4 * a * c)
    if len({sp.sign(a.subs(point)) for point in ([] if a.is_number else domain.points(_TRIES))}) > 1:
        return [2 * c / (-b - root), 2 * c / (-b + root)]
    return [(-b + root) / (2 * a), (-b - root) / (2 * a)]


def _lies_inside(candidate: sp.Expr, low: sp.Expr, high: sp.Expr, point: Point) -> bool | None:
    try:
        return _true_at(sp.And(candidate > low, candidate < high), point)
    except TypeError:  # not a real number
        return False


def _true_at(formula: sp.Basic, point: Point) -> bool | None:
    try:
        return truth(formula, point, MPMATH)
    except (Undefined, Unsupported):
        return None


# -- the words of each move, and its obligations -----------------------------------------------------------------------

Called = Callable[[str], str]  # the label of an obligation of a step


class _Move(NamedTuple):
    """A kind of step: how many things are given, its own words, and its obligations."""

    given: Collection[int]
    words: Callable[..., str]
    obligations: Callable[..., Iterable[Obligation]]


def _differentiated(
    domain: Domain, called: Called, of: sp.Basic, result: sp.Basic, variable: sp.Symbol
) -> Iterator[Obligation]:
    if not isinstance(variable, sp.Symbol | sp.Indexed):
        raise StepError(f"{called('differentiate')}: {variable} is no letter")
    yield Identity(domain, sp.Derivative(of, variable), result, label=called("differentiate"))


def _put_in(
    domain: Domain, called: Called, of: sp.Basic, result: sp.Basic, *pairs: tuple[sp.Basic, sp.Basic]
) -> Iterator[Obligation]:
    rule, label = dict(pairs), called("restrict")
    fitting(rule)
    if len(rule) < len(pairs):
        raise StepError(f"{label}: a letter has two values")
    with sp.evaluate(False):
        literal = substituted(of, rule)
    yield Identity(domain, literal, result, label=label)
    for _ in valued([of], domain, label):  # an entry that there is not would be lost
        yield Identity(domain, of, of, label=f"{label}: what it is put into has a value")
    for premise in admitted(rule, domain, label):
        yield from premise.statement.obligations(premise.domain)


def _rewritten(domain: Domain, called: Called, of: sp.Basic, result: sp.Basic) -> Iterator[Obligation]:
    yield Identity(domain, of, result, label=called("rewrite"))


def _equivalent(domain: Domain, called: Called, of: sp.Basic, result: sp.Basic) -> Iterator[Obligation]:
    equivalence = sp.Equivalent(_condition(of), _condition(result), evaluate=False)
    yield Holds(domain, equivalence, label=called("equivalent"))


def _cleared(domain: Domain, called: Called, of: sp.Basic, result: sp.Basic, factor: sp.Expr) -> Iterator[Obligation]:
    yield Identity(domain, of * factor, result, label=called("clear denominators: same function"))
    not_zero = sp.Ne(factor, 0, evaluate=False)
    yield Holds(domain, not_zero, label=called("clear denominators: the factor does not vanish"))


def _solved(
    domain: Domain, called: Called, of: sp.Basic, result: sp.Basic, variable: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> Iterator[Obligation]:
    parameters = domain.without_symbol(variable)
    zero = substituted(of, {variable: result})
    yield Identity(parameters, zero, sp.S.Zero, label=called("solve: it is a root"))
    yield Holds(parameters, sp.And(result > low, result < high), label=called("solve: it lies inside"))
    yield RootCount(parameters, of, variable, low, high, 1, label=called("solve: it is the only one"))


_MOVES = {
    "differentiate": _Move((1,), lambda show, along: f"derivative in {show(along)}, all else fixed", _differentiated),
    "restrict": _Move(range(1, 10), lambda show, *pairs: _values(show, pairs), _put_in),
    "rewrite": _Move((0,), lambda show: "", _rewritten),
    "equivalent": _Move((0,), lambda show: "", _equivalent),
    "clear denominators": _Move((1,), lambda show, factor: f"multiply by {show(factor)}", _cleared),
    "solve": _Move((3,), lambda show, _, low, high: f"the one root in ({show(low)}, {show(high)})", _solved),
}


def _values(show: Callable[[Any], str], pairs: Iterable[tuple[sp.Basic, sp.Basic]]) -> str:
    """What is put in for what, in words."""
    words = (part if isinstance(part, str) else show(part) for part in equations(pairs))
    return " ".join(words).replace(" , ", ", ")


def _condition(e: sp.Basic) -> Boolean:
    return e if isinstance(e, Boolean) else sp.Eq(e, 0, evaluate=False)


def _arrived_at(result: sp.Basic) -> list[sp.Basic]:
    """What a step leaves to go on from: its result, and the numbers that a condition says to be 0."""
    parts = result.args if isinstance(result, sp.And) else (result,)
    return [result, *(part.lhs for part in parts if isinstance(part, sp.Eq) and part.rhs == 0)]
