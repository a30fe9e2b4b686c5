"""Derivations: a chain of steps, each of which leaves an obligation behind.

A step goes on from what an earlier one arrived at, or is a new start and says so. It computes its result and writes
down what must hold for the result to be right: that the derivative is the derivative, that clearing denominators
multiplied by something that does not vanish, that the chosen root is a root, lies where it should and is alone there.
Making a step evaluates its obligation at one point of the domain and raises
:class:`StepError` on a failure; the proof is left to the checkers of the claim that cites the derivation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import sympy as sp
from sympy.logic.boolalg import Boolean
from sympy.printing.pretty.pretty_symbology import pretty_symbol

from grpo_symbolic.errors import StepError
from grpo_symbolic.proof.rules.rule import admitted, fitting
from grpo_symbolic.proof.statements.arithmetic import MPMATH, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.evaluate import truth
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, RootCount
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.shown import Shown
from grpo_symbolic.slopes import derivative

_TRIES = 24  # points at which a leading coefficient is looked at


@dataclass(frozen=True)
class Step:
    """One move: what it is called, the expression it arrives at, and why it is allowed; ``put_in`` is what a
    substitution puts in, each letter with its value.
    """

    name: str
    result: sp.Basic | str
    note: str
    obligations: tuple[Obligation, ...] = ()
    put_in: tuple[tuple[sp.Basic, sp.Basic], ...] = ()


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
        return [obligation for step in self.steps for obligation in step.obligations]

    def start(self, expression: sp.Expr, note: str = "the objective") -> sp.Expr:
        """Begin with an expression; nothing is to be shown."""
        return self._record("start", expression, note)

    def _from(self, expression: sp.Expr) -> None:
        """Join a step to the one that arrived at an expression; where none did, it is a new start, and shown as one."""
        if not any(expression in _arrived_at(step.result) for step in self.steps):
            self.start(expression, "a new start")

    def differentiate(self, expression: sp.Expr, variable: sp.Symbol, note: str = "") -> sp.Expr:
        """The partial derivative, every other symbol held fixed."""
        self._from(expression)
        slope = derivative(expression, variable)
        return self._record(
            "differentiate",
            slope,
            _words(_along(variable), note),
            Identity(self.domain, sp.Derivative(expression, variable), slope, label=self._label("differentiate")),
        )

    def restrict(self, expression: sp.Expr, rule: Mapping[sp.Expr, Scalar], note: str = "") -> sp.Expr:
        """Substitute, for instance π_old = π. What is put in is part of the step. To be shown is that the domain admits
        it, for elsewhere the steps before say nothing, and that SymPy's form of the outcome is equal to what stands
        there once it is put in, which has a value.
        """
        self._from(expression)
        fitting(rule)
        result = substituted(expression, rule)
        with sp.evaluate(False):
            literal = substituted(expression, rule)
        label = self._label("restrict")
        return self._record(
            "restrict",
            result,
            _words(_values(rule.items()), note),
            Identity(self.domain, literal, result, label=label),
            *(o for p in admitted(rule, self.domain, label) for o in p.statement.obligations(p.domain)),
            put_in=tuple((sp.sympify(k), sp.sympify(v)) for k, v in rule.items()),
        )

    def rewrite(self, expression: sp.Expr, form: sp.Expr, note: str = "") -> sp.Expr:
        """Pass to an equal form."""
        self._from(expression)
        return self._record(
            "rewrite",
            form,
            note,
            Identity(self.domain, sp.sympify(expression), sp.sympify(form), label=self._label("rewrite")),
        )

    def clear_denominators(self, expression: sp.Expr, factor: sp.Expr, variable: sp.Symbol, note: str = "") -> sp.Expr:
        """Multiply by a factor that does not vanish on the domain and collect a polynomial in ``variable``."""
        self._from(expression)
        polynomial = sp.collect(sp.expand(sp.cancel(sp.together(expression * factor))), variable)
        if not polynomial.is_polynomial(variable):
            raise StepError(
                f"{self.name}: multiplying by {factor} leaves {polynomial}, which is not a polynomial in {variable}"
            )
        return self._record(
            "clear denominators",
            polynomial,
            _words(_multiplied(factor), note),
            Identity(
                self.domain, expression * factor, polynomial, label=self._label("clear denominators: same function")
            ),
            Holds(
                self.domain,
                sp.Ne(factor, 0, evaluate=False),
                label=self._label("clear denominators: the factor does not vanish"),
            ),
        )

    def solve(
        self, polynomial: sp.Expr, variable: sp.Symbol, inside: tuple[Scalar, Scalar] = (0, 1), note: str = ""
    ) -> sp.Expr:
        """The root of a linear or quadratic polynomial inside an open interval: substituted back, located, and
        counted. Where the leading coefficient of a quadratic changes its sign on the domain, the root is written
        without it in a denominator.
        """
        self._from(polynomial)
        low, high = map(sp.sympify, inside)
        parameters = self.domain.apart_from(variable)
        degree = sp.degree(polynomial, variable)
        if degree not in (1, 2):
            raise StepError(f"{self.name}: solve needs degree 1 or 2 in {variable}, got {degree}")
        root = next(
            (
                c
                for c in _formulas(polynomial, variable, degree, parameters)
                if _lies_inside(c, low, high, parameters.point)
            ),
            None,
        )
        if root is None:
            raise StepError(f"{self.name}: no root of {polynomial} lies in ({low}, {high}) at {parameters.point}")
        return self._record(
            "solve",
            root,
            _words(_between(low, high), note),
            Identity(
                parameters,
                substituted(polynomial, {variable: root}),
                sp.S.Zero,
                label=self._label("solve: it is a root"),
            ),
            Holds(parameters, sp.And(root > low, root < high), label=self._label("solve: it lies inside")),
            RootCount(parameters, polynomial, variable, low, high, 1, label=self._label("solve: it is the only one")),
        )

    def equivalent(self, condition: sp.Expr | Boolean, form: Boolean, note: str = "") -> Boolean:
        """Pass to a condition that holds exactly where another one does, or exactly where a number is 0."""
        self._from(condition)
        said = sp.Equivalent(_condition(condition), form, evaluate=False)
        self._record("equivalent", form, note, Holds(self.domain, said, label=self._label("equivalent")))
        return form

    def check(self) -> None:
        """Raises :class:`StepError` for a step that does not owe, on the whole domain, what a step of its name does."""
        for number, step in enumerate(self.steps):
            if step.name != "start":
                self._check(step, self.steps[:number])

    def _check(self, step: Step, before: Sequence[Step]) -> None:
        results = [e for earlier in before for e in _arrived_at(earlier.result)]
        called = f"{self.name}: the step {step.name!r} to {step.result}"
        if not step.obligations:
            raise StepError(f"{called} owes nothing, and shows nothing")
        for obligation in step.obligations:
            within = step.name == "restrict" and not isinstance(obligation, Identity)  # of the values that are put in
            if not (within or self.domain.lies_in(obligation.domain)):
                raise StepError(f"{called} owes {obligation.label!r} on another domain than {self.domain}")
        if not _OWED.get(step.name, _never)(step, results):
            raise StepError(f"{called} does not owe what leads there from an earlier one")
        own = _own_words(step)
        if own and not f"{step.note}: ".startswith(f"{own}: "):
            raise StepError(f"{called} says {step.note!r} of itself, and does another thing")
        owed = {o.key() for o in step.obligations}
        for premise in admitted(dict(step.put_in), self.domain, called):
            if not owed.issuperset(o.key() for o in premise.statement.obligations(premise.domain)):
                raise StepError(f"{called} does not owe that the domain admits what is put in")

    def _label(self, what: str) -> str:
        return f"step {len(self.steps)} of {self.name}: {what}"

    def _record(
        self,
        name: str,
        result: sp.Expr | Boolean,
        note: str,
        *obligations: Obligation,
        put_in: tuple[tuple[sp.Basic, sp.Basic], ...] = (),
    ) -> sp.Expr:
        for obligation in obligations:
            formula = (
                sp.Eq(obligation.left, obligation.right, evaluate=False)
                if isinstance(obligation, Identity)
                else getattr(obligation, "formula", sp.true)
            )
            if not obligation.has_families() and _true_at(formula, obligation.domain.point) is False:
                raise StepError(f"{obligation.label} fails at {obligation.domain.point}")
        self.steps.append(Step(name, result, note, obligations, put_in))
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


def _shown(e: Scalar) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda name: pretty_symbol(name[0]), str(e))


def _along(variable: sp.Basic) -> str:
    return f"derivative in {_shown(variable)}, all else fixed"


def _values(put_in: Iterable[tuple[sp.Basic, Scalar]]) -> str:
    return ", ".join(f"{_shown(letter)} = {_shown(value)}" for letter, value in put_in)


def _multiplied(factor: sp.Basic) -> str:
    return f"multiply by {_shown(factor)}"


def _between(low: sp.Basic, high: sp.Basic) -> str:
    return f"the one root in ({_shown(low)}, {_shown(high)})"


def _own_words(step: Step) -> str:
    """What a step does, by what it owes."""
    match step.name:
        case "differentiate":
            slopes = (o.left for o in _identities(step) if isinstance(o.left, sp.Derivative))
            return _along(next(slopes).variables[0])
        case "restrict":
            return _values(step.put_in)
        case "clear denominators":
            return _multiplied(next(iter(_factors(step))))
        case "solve":
            count = next(o for o in step.obligations if isinstance(o, RootCount))
            return _between(count.lower, count.upper)
    return ""


def _words(own: str, note: str) -> str:
    """What a step of its name does, and what its file says of it."""
    return f"{own}: {note}" if note else own


def _identities(step: Step) -> list[Identity]:
    return [o for o in step.obligations if isinstance(o, Identity)]


def _never(step: Step, before: Sequence[sp.Basic]) -> bool:
    return False


def _differentiated(step: Step, before: Sequence[sp.Basic]) -> bool:
    """Whether an obligation is that the result is a derivative of what came before."""
    sides = [(o.left, o.right) for o in _identities(step)]
    return any(isinstance(e, sp.Derivative) and e.expr in before and right == step.result for e, right in sides)


def _rewritten(step: Step, before: Sequence[sp.Basic]) -> bool:
    return any(o.left in before and o.right == step.result for o in _identities(step))


def _put_in(step: Step, before: Sequence[sp.Basic]) -> bool:
    """Whether an obligation is that the result is what came before with the values put in."""
    with sp.evaluate(False):
        literal = [substituted(earlier, dict(step.put_in)) for earlier in before]
    return bool(step.put_in) and any(o.left in literal and o.right == step.result for o in _identities(step))


def _factors(step: Step) -> list[sp.Basic]:
    """What a step owes not to be 0."""
    return [o.formula.args[0] for o in step.obligations if isinstance(o, Holds) and isinstance(o.formula, sp.Ne)]


def _cleared(step: Step, before: Sequence[sp.Basic]) -> bool:
    """Whether an obligation is that the result is a multiple of what came before, by what another one says is not 0."""
    factors = _factors(step)
    sides = [(o.left, o.right) for o in _identities(step)]
    return any(
        (left, right) == (earlier * factor, step.result)
        for left, right in sides
        for earlier in before
        for factor in factors
    )


def _solved(step: Step, before: Sequence[sp.Basic]) -> bool:
    """Whether the obligations are that the result is a root of what came before, and the only one."""
    counts = [o for o in step.obligations if isinstance(o, RootCount) and o.polynomial in before and o.count == 1]
    zeros = [o.left for o in _identities(step) if o.right == 0]
    return any(substituted(o.polynomial, {o.variable: step.result}) in zeros for o in counts)


def _equivalent(step: Step, before: Sequence[sp.Basic]) -> bool:
    """Whether an obligation is that the result holds exactly where what came before does."""
    said = [sp.Equivalent(_condition(earlier), step.result, evaluate=False) for earlier in before]
    return any(isinstance(o, Holds) and o.formula in said for o in step.obligations)


def _condition(e: sp.Basic) -> Boolean:
    return e if isinstance(e, Boolean) else sp.Eq(e, 0, evaluate=False)


def _arrived_at(result: sp.Basic | str) -> list[sp.Basic]:
    """What a step leaves to go on from: its result, and the numbers that a condition says to be 0."""
    if not isinstance(result, sp.Basic):
        return []
    parts = result.args if isinstance(result, sp.And) else (result,)
    return [result, *(part.lhs for part in parts if isinstance(part, sp.Eq) and part.rhs == 0)]


_OWED: Mapping[str, Callable[[Step, Sequence[sp.Basic]], bool]] = {
    "differentiate": _differentiated,
    "restrict": _put_in,
    "rewrite": _rewritten,
    "clear denominators": _cleared,
    "solve": _solved,
    "equivalent": _equivalent,
}
