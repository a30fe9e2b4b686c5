"""Limits, twice: by SymPy's Gruntz algorithm for all parameters, and by balls that close on the value at sampled
parameters.

For Gruntz the parameters become symbols that carry the sign the domain gives them; what comes out is compared with the
claimed value by the normal form of :mod:`.algebra`. SymPy takes parameters to be generic, so this is a proof only where
the expression is continuous at the limit point, or where no coefficient in the variable can vanish on the domain, and
where no parameter decides which of two powers or exponentials grows faster; and as it does not see every sum that is 0,
only where the balls bear out what it finds.

The balls are computed on one-sided neighbourhoods that include every point up to the limit point, shrinking by powers
of two; where the expression is singular there, at a sequence of exact points approaching it. Either way the parameters
are sampled, so this is a cross-check and not a proof.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.check.ball import ball
from grpo_symbolic.proof.check.decision import defined, proves
from grpo_symbolic.proof.search.algebra import NormalForm
from grpo_symbolic.proof.search.sampling import listed, meaningless
from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.evaluate import evaluate, truth, values_of
from grpo_symbolic.proof.statements.evidence import UNDEFINED, Finding, Grade, Outcome
from grpo_symbolic.proof.statements.intervals import Interval
from grpo_symbolic.proof.statements.obligation import LimitIs, Obligation
from grpo_symbolic.terms.definedness import Condition, conditions
from grpo_symbolic.terms.language import (
    MINUS_ONE,
    ZERO,
    Compare,
    Formula,
    Node,
    Not,
    Number,
    Term,
    Variable,
    add,
    multiply,
)

_SEED = 11  # of the parameters that are sampled


def _with_signs(domain: Domain, symbols: set[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    """Replace parameters by dummies whose assumptions carry what their interval says; probabilities become t/(1 +
    t).
    """
    rule: dict[sp.Symbol, sp.Expr] = {}
    for s in sorted(symbols, key=lambda s: s.name):
        box = domain.intervals.get(s, Interval())
        if box.lower == 0 and box.upper == 1 and box.lower_open and box.upper_open:
            odds = sp.Dummy(s.name, positive=True)
            rule[s] = odds / (1 + odds)
        elif box.lower >= 0 and (box.lower > 0 or box.lower_open):
            rule[s] = sp.Dummy(s.name, positive=True)
        elif box.upper <= 0 and (box.upper < 0 or box.upper_open):
            rule[s] = sp.Dummy(s.name, negative=True)
        else:
            rule[s] = sp.Dummy(s.name, real=True)
    return rule


@dataclass(frozen=True)
class Gruntz:
    """The limit as SymPy computes it, for all parameters of the domain."""

    name: str = "gruntz"
    engine: str = "SymPy"
    grade: Grade = Grade.symbolic

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, LimitIs) and not obligation.has_families()

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, LimitIs)
        o = obligation
        nowhere = undefined_near(o)
        if nowhere:
            return Finding.unknown(nowhere)
        beside = _smooth(o.expression, o)
        if beside is None:
            return Finding.unknown(f"SymPy takes the case at the point for the one beside it, in {o.variable}")
        o = replace(o, expression=beside)
        if contest := _contest(beside, o.variable):
            return Finding.unknown(f"parameters decide {contest}, and SymPy takes it for decided")
        parameters = (o.expression.free_symbols | o.value.free_symbols) - {o.variable}
        rules = [_with_signs(o.domain, parameters)]
        if all(proves(s > 0, o.domain) for s in parameters):
            rules.append({s: sp.Dummy(s.name, positive=True) for s in parameters})
        limit: Any = None
        for rule in rules:
            limit = sp.limit(o.expression.xreplace(rule), o.variable, o.point, o.side)
            if limit.has(sp.Limit, sp.AccumBounds) or limit in (sp.nan, sp.zoo):
                continue
            if limit.has(sp.oo) and limit not in (sp.oo, -sp.oo):
                continue  # such as exp(∞·sign(a − b)): it says that cases are open, not what the limit is
            limit = limit.xreplace(_inverse(rule))
            if self._agrees(limit, o):
                return self._confirmed(limit, o)
            if self._differs(limit, o):
                if not _borne_out(o, limit):
                    return Finding.unknown(f"limit computed as {limit}, which enclosures do not bear out")
                return Finding(Outcome.refuted, artefact=f"limit computed as {limit}, claimed {o.value}")
        return Finding.unknown(f"limit computed as {limit}, claimed {o.value}")

    def _agrees(self, limit: sp.Expr, o: LimitIs) -> bool:
        """Whether the computed limit is the claimed one, as far as a normal form tells."""
        if limit == o.value:
            return True
        infinite = limit.is_finite is False or o.value.is_finite is False
        return not infinite and NormalForm(o.domain).vanishes(limit - o.value)

    def _confirmed(self, limit: sp.Expr, o: LimitIs) -> Finding:
        """The finding where the computed limit is the claimed one: SymPy takes parameters to be generic."""
        special = None if _continuous(o) else _special(*_at_zero(o), top=bool(o.value.is_finite))
        if special is not None:
            exception = self._exception(o, special)
            if exception:
                return Finding(Outcome.refuted, artefact=exception)
            generic = f"limit computed as {limit} for generic parameters; {special} may vanish on the domain"
            return Finding(Outcome.holds, artefact=generic, grade=Grade.sampled, domain="generic parameters")
        if not _borne_out(o, limit):
            return Finding.unknown(f"limit computed as {limit}, which enclosures do not bear out")
        ends = (e for e in (o.value, o.point) if e not in (sp.oo, -sp.oo))
        fixed = tuple(map(o.domain.reading().term, (*_fixed(o.expression, o.variable), *ends)))
        undefined = defined(fixed, o.domain)
        if not undefined:
            return Finding(Outcome.holds, artefact=f"limit computed as {limit}")
        shaky = f"limit computed as {limit}, where its parameters have a value: {undefined}"
        return Finding(Outcome.holds, artefact=shaky, grade=Grade.sampled, domain="where it is defined")

    def _exception(self, o: LimitIs, special: sp.Expr) -> str:
        """A point of the domain where a coefficient vanishes and the limit is another one; empty if none is found."""
        for s in sorted(special.free_symbols & o.domain.symbols, key=str):
            for root in sp.solve(special, s):  # candidates only: each is checked to lie in the domain
                for point in o.domain.points(4, seed=13):
                    rest = {k: v for k, v in point.items() if k != s}
                    at = {**rest, s: sp.sympify(root).xreplace(rest)}
                    if not at[s].is_Rational or not o.domain.contains(at):
                        continue
                    value = o.value.xreplace(at)
                    limit = sp.limit(o.expression.xreplace(at), o.variable, o.point.xreplace(at), o.side)
                    there = replace(
                        o, domain=Domain(), expression=o.expression.xreplace(at), point=o.point.xreplace(at)
                    )
                    certain = limit.is_number and value.is_number and _certainly_differ(limit, value)
                    if certain and _borne_out(there, limit):
                        return f"limit computed as {limit}, claimed {value}, at {listed(at)}"
        return ""

    def _differs(self, limit: sp.Expr, o: LimitIs) -> bool:
        """Whether the computed limit is certainly not the claimed one at some point of the domain."""
        points = list(_parameters(o, 3))
        try:
            if limit.is_infinite or o.value.is_infinite:
                # what looks finite may hide a zero in a denominator: it must have a finite value somewhere
                finite = limit.is_infinite or any(evaluate(limit, point, ARB).is_finite() for point in points)
                return finite and limit != o.value
            return any(truth(sp.Ne(limit, o.value, evaluate=False), point, ARB) is True for point in points)
        except (Undefined, Unsupported, ReadingError):
            return False


def _parameters(o: LimitIs, count: int, special: bool = True) -> Iterable[Point]:
    """Sampled parameters: one empty point where there are none."""
    return o.domain.points(count, seed=_SEED, special=special) if o.domain.symbols else [{}]


def _borne_out(o: LimitIs, limit: sp.Expr) -> bool:
    """Whether balls close on the limit that SymPy found, at the first sampled parameters at which they tell (not at
    extreme ones); or come far nearer to it than to what is claimed, for logarithms close slowly.
    """
    there = replace(o, value=limit)
    try:
        for point in _parameters(o, 5, special=False):
            closes = Closing().closes(there, point, sequence=False)
            if closes is None:
                closes = Closing().closes(there, point, sequence=True)
            if closes is not None:
                return closes
    except Unsupported:
        return False
    return _nearer(o, limit)


def _nearer(o: LimitIs, limit: sp.Expr) -> bool:
    if limit.is_infinite or o.value.is_infinite:
        return False
    try:
        for point in _parameters(o, 3):
            here = evaluate(o.expression, {**point, o.variable: _near(o, point)}, ARB)
            right, claimed = (abs(here - evaluate(e, point, ARB)) for e in (limit, o.value))
            if not 4 * right < claimed:
                return False
    except (Undefined, Unsupported, ReadingError, ZeroDivisionError):
        return False
    return True


def _certainly_differ(limit: sp.Expr, value: sp.Expr) -> bool:
    if limit.is_infinite or value.is_infinite:
        return bool(limit != value and limit is not sp.zoo and limit is not sp.nan)
    try:
        return truth(sp.Ne(limit, value, evaluate=False), {}, ARB) is True
    except (Undefined, Unsupported, ReadingError):
        return False


def _fixed(e: sp.Expr, variable: sp.Symbol) -> tuple[sp.Expr, ...]:
    """The largest parts of an expression that the variable does not occur in: they must have a value of their own."""
    if variable not in e.free_symbols:
        return (e,) if e.args else ()
    return tuple(part for a in e.args for part in _fixed(a, variable))


def _continuous(o: LimitIs) -> bool:
    """Whether the claimed value is that of a continuous expression at the limit point itself, for all parameters."""
    if (
        o.point.is_infinite
        or o.value.is_infinite
        or o.expression.has(sp.Piecewise, sp.sign, sp.floor, sp.ceiling, sp.KroneckerDelta, sp.Mod)
    ):
        return False
    at = Domain(
        o.variable,
        *o.domain.symbols,
        *o.domain.families,
        *o.domain.constraints,
        sp.Eq(o.variable, o.point, evaluate=False),
    )
    for form in (o.expression, sp.cancel(sp.together(o.expression))):
        reading = at.reading()
        if not defined((reading.term(form), reading.term(o.value)), at) and NormalForm(o.domain).vanishes(
            form.xreplace({o.variable: o.point}) - o.value
        ):
            return True
    return False


def _at_zero(o: LimitIs) -> tuple[LimitIs, sp.Expr]:
    """The same limit at 0, from the right, where the point is finite, so that powers of the variable show how fast a
    term vanishes.
    """
    if o.point.is_infinite or o.point == 0:
        return o, o.expression
    small = sp.Dummy("small", positive=True)
    moved = o.expression.xreplace({o.variable: o.point + small if o.side == "+" else o.point - small})
    moved = moved.replace(sp.log, lambda argument: sp.log(sp.factor(sp.together(argument))))
    return replace(o, expression=moved, variable=small, point=sp.S.Zero, side="+"), moved


def _special(o: LimitIs, e: sp.Expr, top: bool) -> sp.Expr | None:
    """A leading coefficient in the variable, anywhere in ``e``, that is not shown to differ from zero: SymPy takes
    parameters to be generic.

    At the ``top``, the numerator of an expression with a finite limit, a vanishing coefficient does no harm: the
    limit is continuous in it.
    """
    above, under = sp.fraction(sp.together(e))
    for part, harmless in ((above, top), (under, False)):
        coefficients: dict[sp.Expr, sp.Expr] = {}
        for term in sp.Add.make_args(sp.expand(part)):
            coefficient, power = term.as_independent(o.variable, as_Add=False)
            coefficients[power] = coefficients.get(power, sp.S.Zero) + coefficient
        coefficients = {power: c for power, c in coefficients.items() if sp.simplify(c) != 0}
        leading = sp.S.One if harmless else _leading(o, coefficients)
        if not (leading.is_number and leading != 0) and not proves(sp.Ne(leading, 0), o.domain):
            return leading
        for factor in (f for power in coefficients for f in sp.Mul.make_args(power)):
            parts = [factor.base] if isinstance(factor, sp.Pow) and not factor.exp.has(o.variable) else factor.args
            for inner in (a for a in parts if a != o.variable and a.has(o.variable)):
                if (vanishing := _special(o, inner, top=False)) is not None:
                    return vanishing
    return None


def _leading(o: LimitIs, coefficients: dict[sp.Expr, sp.Expr]) -> sp.Expr:
    """The coefficient of the fastest growing functions of the variable in a sum, those that grow alike weighed by
    their ratios.
    """
    rule = _with_signs(o.domain, set().union(*(p.free_symbols for p in coefficients)) - {o.variable})
    back = _inverse(rule)
    (best, total), *others = coefficients.items()
    for power, coefficient in others:
        ratio = sp.limit((power / best).xreplace(rule), o.variable, o.point, o.side).xreplace(back)
        if ratio.is_infinite:
            best, total = power, coefficient
        else:
            total += coefficient * ratio
    return sp.factor(total)


def _contest(e: sp.Expr, variable: sp.Symbol) -> str:
    """What parameters decide of how fast powers and exponentials grow in the variable, beside one another, beside the
    variable itself, or at all; empty where they decide nothing.
    """
    growths = [part.args[0] for part in e.atoms(sp.sinh, sp.cosh, sp.tanh, sp.coth) if part.has(variable)]
    for part in sorted(e.atoms(sp.Pow, sp.exp), key=str):
        base, exponent = part.as_base_exp()
        if not part.has(variable) or exponent.is_Rational:
            continue
        if (exponent if base.has(variable) else base).free_symbols - {variable}:
            return f"how fast {part} grows"
        growths.append(exponent * sp.log(base))
    for one, other in itertools.combinations(growths, 2):
        if sp.cancel(one / other).free_symbols - {variable}:
            return f"which of exp({one}) and exp({other}) grows faster"
    return ""


def _smooth(e: sp.Expr, o: LimitIs) -> sp.Expr | None:
    """What an expression is beside the limit point, without absolute values, signs, greatest and least numbers and
    cases in the variable: each is replaced where its branch is proved; None where one is not.
    """
    if o.variable not in e.free_symbols or not e.args:
        return e
    reading = o.domain.reading()
    if isinstance(e, sp.Piecewise):
        for value, condition in e.args:
            if _holds_beside(o, reading.formula(condition)):
                return _smooth(value, o)
            if not _holds_beside(o, Not(reading.formula(condition))):
                break
        return None
    parts = [_smooth(part, o) for part in e.args]
    args = [part for part in parts if part is not None]
    if len(args) < len(parts) or isinstance(e, sp.KroneckerDelta):
        return None
    if isinstance(e, sp.Abs | sp.sign):
        (u,) = args
        for sign in (1, -1):
            if _holds_beside(o, Compare("<", ZERO, reading.term(sign * u))):
                return sign * u if isinstance(e, sp.Abs) else sp.Integer(sign)
        return None
    if isinstance(e, sp.Max | sp.Min):
        for best in args:
            ends = (reading.term(a) for a in args)
            order = ((end, reading.term(best)) if isinstance(e, sp.Max) else (reading.term(best), end) for end in ends)
            if all(_holds_beside(o, Compare("<=", low, high)) for low, high in order):
                return best
        return None
    return e if tuple(args) == e.args else e.func(*args)


def _holds_beside(o: LimitIs, formula: Formula) -> bool:
    """Whether a formula is proved at every point close enough to the limit point, on its side of it."""
    _, variable, point, side, _ = o.read
    assert isinstance(variable, Variable)
    return any(proves(formula, o.domain, given=near) for near in _beside(variable, point, side))


def _near(o: LimitIs, point: Point) -> sp.Expr:
    """An exact value of the variable close to the limit point, on the right side of it."""
    tiny = sp.Rational(1, 2**40)
    if o.point.is_infinite:
        return 1 / tiny if o.point == sp.oo else -1 / tiny
    return o.point.xreplace(point) + (tiny if o.side == "+" else -tiny)


def _inverse(rule: dict[sp.Symbol, sp.Expr]) -> dict[sp.Expr, sp.Expr]:
    """From the dummies of :func:`_with_signs` back to the parameters."""
    inverse: dict[sp.Expr, sp.Expr] = {}
    for s, e in rule.items():
        (dummy,) = e.free_symbols
        inverse[dummy] = s if e.is_Symbol else s / (1 - s)
    return inverse


def undefined_near(o: LimitIs) -> str:
    """Empty if the expression is shown to have a real value at every point close enough to the limit point, on its
    side of it; else what is not shown.

    What must be positive, or must not vanish, has a limit of that kind itself, or is so on a whole interval that ends
    at the point: a neighbourhood for each choice of the parameters is all that a limit needs.
    """
    expression, variable, point, side, _ = o.read
    assert isinstance(expression, Term)
    assert isinstance(variable, Variable)
    try:
        needed = conditions(expression, o.domain.sizes)
    except ReadingError as reason:
        return str(reason)
    for condition in needed:
        about = (*condition.given, condition.needed)
        if not any(variable in f.variables for f in about):
            if not proves(condition.needed, o.domain, given=condition.given):
                return f"not shown to have a value for all parameters: {o.domain.write(condition.needed)}"
            continue
        beside = ((*condition.given, *near) for near in _beside(variable, point, side))
        if not any(proves(condition.needed, o.domain, given=g) for g in beside) and not _eventually(o, condition):
            return f"not shown to have a value near the point: {o.domain.write(condition.needed)}"
    return ""


def _beside(variable: Variable, point: Node | str, side: Node | str) -> Iterator[tuple[Formula, ...]]:
    """Neighbourhoods of the limit point on one side, without the point, each as hypotheses."""
    for size in (None, Fraction(1), Fraction(1, 1000), Fraction(1, 10**9)):
        if not isinstance(point, Term):
            far = Number(Fraction(0) if size is None else 1 / size)
            yield ((Compare("<", far, variable),) if point == "∞" else (Compare("<", variable, Number(-far.value)),))
            continue
        low, high = (point, variable) if side == "+" else (variable, point)
        ends = () if size is None else (Compare("<", high, add(low, Number(size))),)
        yield (Compare("<", low, high), *ends)


def _eventually(o: LimitIs, condition: Condition) -> bool:
    """Whether what is needed holds near the point because the two sides have limits that differ the right way."""
    needed = condition.needed
    if condition.given or not isinstance(needed, Compare) or needed.relation == "==":
        return False
    gap = _smooth(o.domain.write(add(needed.right, multiply(MINUS_ONE, needed.left))), o)
    if gap is None or _contest(gap, o.variable):
        return False
    rule = _with_signs(o.domain, gap.free_symbols - {o.variable})
    limit = sp.limit(gap.xreplace(rule), o.variable, o.point, o.side)
    if limit.has(sp.Limit, sp.AccumBounds, sp.nan, sp.zoo):
        return False
    limit = limit.xreplace(_inverse(rule))
    if not _borne_out(replace(o, expression=gap, value=sp.S.Zero), limit):
        return False
    if limit.is_infinite:
        return bool(limit == sp.oo or needed.relation == "!=")
    relation = sp.Ne if needed.relation == "!=" else sp.Gt
    wanted = relation(limit, 0)
    return wanted == sp.true or (wanted != sp.false and proves(wanted, o.domain))


@dataclass(frozen=True)
class Closing:
    """Enclosures on shrinking one-sided neighbourhoods that close on the value, at sampled parameters."""

    name: str = "closing-balls"
    engine: str = "Arb"
    grade: Grade = Grade.sampled
    samples: int = 3

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, LimitIs) and not obligation.has_families()

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, LimitIs)
        o = obligation
        extra = (o.expression.free_symbols | o.value.free_symbols) - o.domain.symbols - {o.variable}
        if extra:
            return Finding.unknown(f"no domain for {extra}")
        points: list[Point] = [{}]
        if o.domain.symbols:
            special = map(o.domain.drawing.in_sympy, o.domain.drawing.special(seed=_SEED))
            points = [*o.domain.points(self.samples, seed=_SEED, special=False), *special]
        how = "neighbourhoods"
        for point in points:
            try:
                closed = self.closes(o, point, sequence=False)
                if closed is None:
                    how, closed = "sequences", self.closes(o, point, sequence=True)
            except Unsupported as reason:
                return Finding.unknown(str(reason))
            if closed is False:
                artefact = f"a neighbourhood keeps away from the value at {listed(point)}"
                return Finding(Outcome.refuted, artefact=artefact, seed=_SEED)
            if closed is None:
                near = {**point, o.variable: _near(o, point)}
                values = values_of(near, o.domain.reading())
                undefined = any(meaningless(node, values, o.domain) for node in o.nodes)
                problem = UNDEFINED if undefined else "neither closes nor keeps away"
                return Finding.unknown(f"{problem}, such as at {listed(near)}")
        return Finding(
            Outcome.holds,
            artefact=f"{len(points)} parameter points, {how}",
            seed=_SEED,
            digits=60,
            domain="sampled parameters",
        )

    def closes(self, o: LimitIs, point: Point, sequence: bool) -> bool | None:
        """True where the values close on the limit (or pass every bound); False only where an enclosure of a whole
        neighbourhood keeps away from it; ``None`` where neither shows.
        """
        sign, infinite = (1 if o.side == "+" else -1), o.point.is_infinite
        if infinite and not sequence:
            return None
        gaps = []
        for count, exponent in enumerate((20, 40, 60, 80) if sequence else (40, 90, 160)):
            scale = sp.Rational(1, 2**exponent + count % 2)  # even and odd numbers, where these are whole
            near = ARB.number(scale) if sequence else ball(sp.S.Zero, scale)
            try:
                at = (1 if o.point == sp.oo else -1) / near if infinite else evaluate(o.point, point, ARB) + sign * near
                value = evaluate(o.expression, {**point, o.variable: at}, ARB)
                gaps.append(value if o.value.is_infinite else abs(value - evaluate(o.value, point, ARB)))
            except (Undefined, ZeroDivisionError):
                return None
            if not gaps[-1].is_finite():
                return None
            if not sequence and (o.value.is_infinite or gaps[-1] > 0):
                return False  # bounded on a whole neighbourhood, or away from the value
        pairs = list(itertools.pairwise(gaps))
        if o.value.is_infinite:
            # unbounded: it moves the right way, in steps that do not shrink while the scale falls geometrically
            direction = 1 if o.value == sp.oo else -1
            steps = [direction * (after - before) for before, after in pairs]
            unbounded = all(step > 0 for step in steps) and all(
                2 * later > earlier for earlier, later in itertools.pairwise(steps)
            )
            return unbounded or None
        tiny = ARB.number(sp.Rational(1, 10**9))
        closes = gaps[-1] < ARB.number(sp.Rational(1, 1000)) and all(
            after < before or after < tiny for before, after in pairs
        )
        return closes or None
