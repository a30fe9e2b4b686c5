"""Sweeps: a claim at very many floating-point instances of its domain, the worst of which go to ball arithmetic.

A chunk of instances is drawn by NumPy's generator, and array code evaluates by how much the claim holds at each: its
signed *margin*, the difference of two sides over the sum of the absolute values of their terms, so that rounding is
about one unit of the float type whatever the magnitudes. Evidence of floats is of grade ``swept``, never more. Every
float is the binary fraction that it is, so an instance is an exact point, and only there can balls refute.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.backends import Backend
from grpo_symbolic.numeric.blocks import in_blocks
from grpo_symbolic.numeric.compiler.compiled import compile
from grpo_symbolic.numeric.compiler.functions import Absolute, Group
from grpo_symbolic.proof.statements import arithmetic
from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.evaluate import rational, value_at
from grpo_symbolic.proof.statements.evidence import Outcome
from grpo_symbolic.proof.statements.intervals import Exact, Interval
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, statement_of
from grpo_symbolic.proof.statements.points import Drawn
from grpo_symbolic.shown import Shown
from grpo_symbolic.terms.language import Compare, Formula, Number, Term, Variable, multiply, substitute

if TYPE_CHECKING:
    from grpo_symbolic.proof.claims import Claim

Progress = Callable[[int, int, str], None]  # how many are done, of how many, of what
WORST = 1000  # instances that go to ball arithmetic
STATUSES = ("violated", "cleared", "outside", "undecided")  # its verdicts
_ROUNDING = 1024  # units of the float type: a margin nearer to zero decides nothing
_REACH = {"float64": 100, "float32": 30}  # powers of two between 1 and the nearest to an end that is drawn
_PRECISIONS = (220, 880, 3520)  # bits of the balls, which rise until they decide
_SIZES, _LOOKED = 4, 40  # choices of sizes, and the points of the domain that are asked for them
_TINY = sp.Symbol("tiny_", positive=True)  # so that no size is zero; an argument, of which no algebra is made


class _Unsweepable(Exception):
    """No instance is evidence about the obligation, and why (the message)."""


# -- instances --------------------------------------------------------------------------------------------------------


class _Way:
    """An obligation at some ``sizes``, the values of its whole symbols: what is drawn, and by how much it holds there.

    Columns are the symbols that are drawn and the entries of families; those of a simplex are weights, each of which
    stands for its share of the total. Raises :class:`_Unsweepable`, and :class:`BadInput` for what has no array code.
    """

    def __init__(self, obligation: Identity | Holds, sizes: dict[sp.Symbol, sp.Integer], backend: Backend) -> None:
        domain = self.domain = obligation.domain
        self.sizes, self.backend, self.formula = sizes, backend, statement_of(obligation)
        defined = {s: e for s, e in domain.definitions.items() if s not in sizes}
        self.boxes = {s: domain.intervals[s] for s in sorted(domain.symbols - {*sizes, *defined}, key=str)}
        self.families = {f: [f.base[k + 1] for k in range(int(f.size.xreplace(sizes)))] for f in domain.families}
        columns = [*self.boxes, *itertools.chain(*self.families.values())]
        for _ in defined:
            defined = {s: e.xreplace(defined) for s, e in defined.items()}
        self.defined: dict[sp.Symbol, Any] = {}
        self.defined = {s: self._written(e) for s, e in defined.items()}
        least = _margin(self._written(_formula(obligation)))
        if least.free_symbols <= {_TINY}:
            raise _Unsweepable("SymPy leaves no symbol in it, so there is nothing that an instance could show")
        loose = sp.And(*(self._written(c) for c, f in _constraints(domain) if f in domain.drawing.unsettled))
        how: dict[str, Any] = {"backend": backend.name, "dtype": backend.dtype, "device": backend.device}
        self._least = compile(least, [*columns, _TINY], **how)
        self._within = None if loose == sp.true else compile(loose, columns, **how)
        totals = {f: self._written(f.total) for f in self.families if f.total is not None}
        self._totals = {f: compile(e, list(self.boxes), dtype=backend.dtype) for f, e in totals.items()}

    def _written(self, e: sp.Basic) -> Any:
        """An expression in the columns: whole symbols put in, sums written out, what is defined replaced."""
        if isinstance(e, Relational):
            sides = [self._written(side) for side in e.args]
            same = isinstance(e, sp.Eq) and sides[0] == sides[1]
            return sp.true if same else e.func(*sides, evaluate=not any(side.free_symbols for side in sides))
        if isinstance(e, sp.logic.boolalg.BooleanFunction):
            return e.func(*map(self._written, e.args))
        return e.subs(self.sizes).doit().xreplace(self.defined)

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """So many instances as numbers of the float type, a column a row. What the generator gives depends on how many
        it gave before, and not on how they were cut.
        """
        width = len(self.boxes) + sum(map(len, self.families.values()))
        uniform = rng.random((count, 2 + 2 * width))
        return np.concatenate(in_blocks(lambda rows: self._shaped(uniform[rows].T), count), axis=1)

    def _shaped(self, uniform: np.ndarray) -> np.ndarray:
        often, pattern = uniform[:2]  # how often a number hugs an end, and how rewards are tied, in the whole instance
        reach, kind = _REACH[self.backend.dtype], np.dtype(self.backend.dtype).type
        families = ([Interval(sp.S.Zero) if f.positive else None] * len(e) for f, e in self.families.items())
        u, hug, drawn = often, often > 1, []
        for k, box in enumerate(itertools.chain(self.boxes.values(), *families)):
            place, chance = uniform[2 + 2 * k : 4 + 2 * k]
            again = (chance > 0.9) & (k > 0)  # two numbers at one place of their ranges
            u, hug = np.where(again, u, place), np.where(again, hug, chance < often)
            values = _inside(box or Interval(), u, hug, reach)
            if box is None:  # rewards are 0 or 1, or few, or anything
                values = np.where(pattern < 0.25, u > 0.5, np.where(pattern < 0.5, np.floor(5 * u) - 2, values))
            drawn.append(np.clip(values.astype(kind), *_ends(box or Interval(), kind, 2.0**-reach)))
        return np.array(drawn)

    def margins(self, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By how much the obligation holds at each instance (NaN: it has no value), and which lie in the domain."""
        place, values = len(self.boxes), list(drawn)
        with np.errstate(all="ignore"), self.backend.precision():
            for family, entries in self.families.items():
                part = slice(place, place := place + len(entries))
                if family.total is not None:
                    values[part] = drawn[part] / drawn[part].sum(0) * self._totals[family](*drawn[: len(self.boxes)])
            given = [self.backend.asarray(v) for v in values]
            margins = self.backend.to_numpy(self._least(*given, np.finfo(self.backend.dtype).tiny))
            within = np.ones(margins.shape, bool) if self._within is None else self._within(*given)
            return margins, self.backend.to_numpy(within)

    def point(self, row: np.ndarray) -> Drawn:
        """The exact point that an instance is."""
        variable, numbers = self.domain.reading().variable, (Fraction(float(v)) for v in row)
        point: Drawn = {variable(s): Fraction(int(v)) for s, v in self.sizes.items()}
        point |= {variable(s): next(numbers) for s in self.boxes}
        point |= {variable(s): _exact(self.domain.reading().term(e), point) for s, e in self.defined.items()}
        for (name, family), entries in zip(self.domain.family_terms.items(), self.families.values(), strict=True):
            point[name] = list(itertools.islice(numbers, len(entries)))
            if family.total is not None:
                total, whole = _exact(family.total, point), sum(point[name])
                shares = [weight / whole for weight in point[name]]
                point[name] = [s * total if isinstance(total, Fraction) else multiply(Number(s), total) for s in shares]
        return point

    def in_sympy(self, point: Drawn) -> Point:
        """A point with SymPy's symbols and numbers."""
        known = {k: v for k, v in point.items() if isinstance(k, str) or k in self.domain.variables}
        return {**self.domain.drawing.in_sympy(known), **self.sizes}

    def status(self, point: Drawn) -> str:
        """Ball arithmetic's verdict on an exact point, at rising precision: ``violated`` where the statement fails and
        it is shown to lie in the domain, ``outside`` where it misses that by a rounding, ``cleared`` where it holds, or
        its sides, which may be equal, are so to a thousand bits, else ``undecided``.
        """
        from grpo_symbolic.proof.search.sampling import decided

        for bits in _PRECISIONS:
            with arithmetic.precision(bits):
                holds = decided(self.formula, point, of_roots=True)
                if holds is None and bits == _PRECISIONS[-1]:
                    holds = _agree(self.formula, point) or None
                if holds is not None:
                    break
        if holds:
            return "cleared"
        definitions = self.domain.definitions.items()
        drawn = (
            f for c, f in _constraints(self.domain) if not isinstance(c, sp.Eq) or (c.lhs, c.rhs) not in definitions
        )
        inside = {decided(f, point, of_roots=True) for f in drawn}
        return "outside" if False in inside else "undecided" if holds is None or None in inside else "violated"


def _inside(box: Interval, u: np.ndarray, hug: np.ndarray, reach: int) -> np.ndarray:
    """Numbers of an interval from uniform ones; where they ``hug``, their distance from an end (or its inverse) is
    drawn alike from all of so many powers of two to the next, down to nothing. Each step is exact or correctly rounded,
    and so the same on every processor.
    """
    low, high = float(box.lower), float(box.upper)
    if np.isinf(low) and np.isinf(high):
        side = 2 * u - 1
        return np.sign(side) * _inside(Interval(sp.S.Zero), np.abs(side), hug, reach)
    power = 1.1 * reach * (2 * u - 1)
    if np.isinf(low) or np.isinf(high):
        away = np.where(hug, np.where(power < -reach, 0, _from_powers_of_two(power)), u / (1 - u))
        return high - away if np.isinf(low) else low + away
    away = np.where(np.abs(power) > reach, 0, _from_powers_of_two(-np.abs(power))) * (high - low)
    return np.where(hug, np.where(u < 0.5, low + away, high - away), low + u * (high - low))


def _from_powers_of_two(power: np.ndarray) -> np.ndarray:
    """2ⁿ(1 + f) for n + f, f being the fraction: as 2 to this power at whole numbers, and straight between them."""
    whole = np.floor(power)
    return np.ldexp(1 + (power - whole), whole.astype(int))


def _ends(box: Interval, kind: type[np.floating[Any]], nearest: float) -> tuple[float, float]:
    """The least and the largest number of a float type inside an interval; beside an open end at zero the nearest."""

    def end(value: sp.Expr, is_open: bool, inwards: float) -> float:
        number = kind(float(value))
        if not is_open and value.is_Rational and Fraction(int(value.p), int(value.q)) == Fraction(float(number)):
            return float(number)
        return float(np.nextafter(number, kind(inwards))) if number else float(np.copysign(nearest, inwards))

    return end(box.lower, box.lower_open, np.inf), end(box.upper, box.upper_open, -np.inf)


def _constraints(domain: Domain) -> Iterator[tuple[Any, Any]]:
    """Each constraint, in SymPy and as a formula."""
    return zip(domain.constraints, domain.formulas, strict=True)


def _exact(term: Term, point: Drawn) -> Exact:
    """What a term is at a point: a fraction, or a closed term where it is none."""
    value = rational(term, point)
    if value is not None:
        return value
    return substitute(
        term, {k: v if isinstance(v, Term) else Number(v) for k, v in point.items() if isinstance(k, Variable)}
    )


def _agree(formula: Formula, point: Drawn) -> bool:
    """Whether balls leave no room for a difference that matters between two sides that may be equal."""
    if not isinstance(formula, Compare) or formula.relation not in ("==", "<="):
        return False
    try:
        left, right = (value_at(side, point, ARB) for side in (formula.left, formula.right))
    except (Undefined, Unsupported):
        return False
    return bool(abs(left - right) <= (abs(left) + abs(right) + 1) * 2**-1000)


def _formula(obligation: Identity | Holds) -> Any:
    if isinstance(obligation, Identity):
        return sp.Eq(obligation.left, obligation.right, evaluate=False)
    return obligation.formula


def _margin(formula: sp.Basic) -> sp.Expr:
    """Positive where a Boolean combination of relations holds, negative where it does not, zero at a tie."""
    formula = sp.to_nnf(formula, simplify=False)
    if isinstance(formula, sp.And | sp.Or):
        join = sp.Min if isinstance(formula, sp.And) else sp.Max
        return join(*(Group(_margin(a)) for a in formula.args), evaluate=False)
    if not isinstance(formula, Relational):
        return sp.Integer(1 if formula == sp.true else -1)
    left, right = formula.args
    size = _size(left) + _size(right) + _TINY
    if isinstance(formula, sp.Eq | sp.Ne):
        return Absolute(left - right) / size * (-1 if isinstance(formula, sp.Eq) else 1)
    return (left - right if isinstance(formula, sp.Gt | sp.Ge) else right - left) / size


def _size(e: sp.Expr) -> sp.Expr:
    """The sum of the absolute values of the terms, through products and whole powers."""
    if isinstance(e, sp.Add | sp.Mul):
        return e.func(*map(_size, e.args))
    if isinstance(e, sp.Pow) and e.exp.is_Integer and e.exp > 0:
        return _size(e.base) ** e.exp
    return abs(e) if e.is_Number else Absolute(e)


_Instance = tuple[float, _Way, np.ndarray]  # a margin, and the row of what was drawn


# -- results ----------------------------------------------------------------------------------------------------------


@dataclass
class Part:
    """One obligation of a sweep, at some ``sizes``.

    Of the instances that were ``drawn``, ``rejected`` lie outside the domain; of the others ``violations`` contradict
    the statement, some are ``within_rounding`` of a tie, and some ``without_value``. ``where`` is the exact point with
    the ``worst_margin``. Of the worst ones ``confirmed`` counts which of :data:`STATUSES` ball arithmetic finds, and
    ``witness`` is the first exact point of the domain at which it refutes the statement.
    """

    label: str
    sizes: list[str]
    drawn: int = 0
    rejected: int = 0
    violations: int = 0
    within_rounding: int = 0
    without_value: int = 0
    worst_margin: float | None = None
    where: Point = field(default_factory=dict)
    confirmed: Counter[str] = field(default_factory=Counter)
    witness: Point = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def accepted(self) -> int:
        """Instances that lie in the domain."""
        return self.drawn - self.rejected

    @property
    def examined(self) -> int:
        """Instances that ball arithmetic looked at."""
        return self.confirmed.total()

    @property
    def per_second(self) -> float:
        """Instances drawn and evaluated in a second."""
        return self.drawn / self.seconds if self.seconds else 0.0

    @property
    def outcome(self) -> Outcome:
        """``refuted`` only by ball arithmetic; ``holds`` where it has cleared every float violation, and most
        instances have a value.
        """
        if self.witness:
            return Outcome.refuted
        explained = self.violations <= self.examined and not self.confirmed["undecided"]
        sound = explained or not self.violations
        return Outcome.holds if sound and self.accepted > 2 * self.without_value else Outcome.unknown

    @property
    def sentences(self) -> list[str]:
        """What was drawn, what its floats show, and the verdicts of ball arithmetic on that."""
        lines = [f"{self.drawn:,} instances" + (f" ({'; '.join(self.sizes)})" if self.sizes else "")]
        if self.rejected:
            lines[0] += f", {self.rejected:,} of them outside the domain and rejected"
        if self.worst_margin is not None:
            floats = _listed(self.where, lambda v: str(v) if v.is_Integer else repr(float(v)))
            lines.append(f"worst margin {self.worst_margin:.3g}, at {floats}")
        counted = f"{self.violations:,} float violation{'' if self.violations == 1 else 's'}"
        counted += f", {self.within_rounding:,} more within rounding of a tie" if self.within_rounding else ""
        lines.append(counted + (f", {self.without_value:,} without a value" if self.without_value else ""))
        if arithmetic.flint is None:
            return [*lines, "ball arithmetic unavailable: python-flint is not installed"]
        statuses = ", ".join(f"{self.confirmed[s]:,} {s}" for s in STATUSES if self.confirmed[s])
        lines.append(f"of the {self.examined:,} worst ball arithmetic finds {statuses or 'none'}")
        if self.witness:
            lines.append(f"refuted at the exact point {_listed(self.witness, str)}")
        elif self.violations > self.examined:
            lines.append(f"{self.violations - self.examined:,} milder violations not looked at in ball arithmetic")
        elif self.violations and self.outcome is Outcome.holds:
            lines.append("so these violations are rounding")
        return lines

    def to_json(self) -> dict[str, Any]:
        result = {**vars(self), "outcome": self.outcome.value, "per_second": round(self.per_second)}
        result["confirmed"] = {status: self.confirmed[status] for status in STATUSES}
        for name in ("where", "witness"):
            result[name] = {str(k): _each(v, str) for k, v in result[name].items()}
        return {"obligation": result.pop("label"), **result}


@dataclass(frozen=True)
class Sweep(Shown):
    """A finished sweep: one :class:`Part` for each obligation, and why the others (``skipped``: label, reason) were not
    swept. ``backend`` describes library, device and precision; ``claim`` is an id, ``samples`` ≥ 1 instances were drawn
    for each obligation from ``seed``, and ``parts`` are the results.
    """

    claim: str
    backend: dict[str, Any]
    samples: int
    seed: int
    parts: tuple[Part, ...]
    skipped: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return f"<Sweep {self.claim}: {self.samples:,} samples, {'refuted' if self.refuted else 'no violation'}>"

    @property
    def refuted(self) -> bool:
        """Whether ball arithmetic has confirmed a violation."""
        return any(p.witness for p in self.parts)

    @property
    def engine(self) -> str:
        """Library, version, device and precision."""
        return "{backend} {version}, {device}, {dtype}".format(**self.backend)

    def to_json(self) -> dict[str, Any]:
        skipped = [{"obligation": label, "reason": why} for label, why in self.skipped]
        return {**vars(self), "refuted": self.refuted, "parts": [p.to_json() for p in self.parts], "skipped": skipped}


def _each(value: Any, text: Callable[[sp.Expr], str]) -> Any:
    return [text(v) for v in value] if isinstance(value, list) else text(value)


def _listed(point: Point, text: Callable[[sp.Expr], str]) -> str:
    named = sorted((str(k), _each(v, text)) for k, v in point.items())
    return ", ".join(f"{k} = " + (f"[{', '.join(v)}]" if isinstance(v, list) else v) for k, v in named)


# -- the loop ---------------------------------------------------------------------------------------------------------


def sweep(
    claim: Claim | str,
    samples: float = 1_000_000,
    backend: str = "numpy",
    device: str | None = None,
    seed: int = 0,
    dtype: str = "float64",
    *,
    chunk: int = 1 << 18,
    worst: int = WORST,
    progress: Progress = lambda done, total, what: None,
) -> Sweep:
    """Evaluate a claim at ``samples`` instances of its domain for each obligation, and let ball arithmetic judge the
    ``worst`` ones.

    ``claim`` is a claim or the id of a built-in one. Instances are the same for the same ``seed`` on every backend, and
    do not depend on ``chunk`` (instances evaluated at once). ``progress(done, total, what)`` may raise, which ends the
    sweep.

    Raises :class:`BadInput` for an unknown id, a missing backend or device, fewer samples than one, and a claim with
    nothing to sweep: limits, counts of roots and witnesses are not about single instances.

    >>> import grpo_symbolic as gs
    >>> swept = gs.numeric.sweep("vy-eq14-lower-bound", samples=2000)
    >>> swept.refuted, swept.parts[-1].violations
    (False, 0)
    """
    if isinstance(claim, str):
        from grpo_symbolic.catalogue import find as by_id

        claim = by_id(claim)
    from grpo_symbolic.proof.claims import Claim

    check_kind(claim, Claim, "what is swept", "a claim, or the id of one")
    count, step = _count(samples, "samples"), _count(chunk, "chunk")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise BadInput(f"the seed must be a whole number, got {seed!r}")
    where = backends.get(backend, device, dtype)
    swept: list[tuple[Part, list[_Way]]] = []
    skipped: list[tuple[str, str]] = []
    for obligation in {o.key(): o for about, o in claim.obligations() if about == "holds"}.values():
        try:
            ways = _ways(obligation, where)
            sizes = [", ".join(f"{s} = {v}" for s, v in way.sizes.items()) for way in ways if way.sizes]
            swept.append((Part(obligation.label, sizes), ways))
        except (_Unsweepable, BadInput) as reason:
            skipped.append((obligation.label, str(reason)))
    if not swept:
        raise BadInput(f"nothing to sweep in {claim.id}: {'; '.join(f'{label}: {why}' for label, why in skipped)}")
    groups: list[list[_Instance]] = []
    for number, (part, ways) in enumerate(swept):
        groups.append([])
        for done in _stream(part, groups[-1], ways, count, step, [seed % 2**64, number], worst):
            progress(number * count + done, len(swept) * count, part.label)
    for (part, _), instances in zip(swept, groups, strict=True):
        for done in _judge(part, instances):
            progress(done, len(instances), f"in ball arithmetic: {part.label}")
    return Sweep(claim.id, where.describe(), count, seed, tuple(part for part, _ in swept), tuple(skipped))


def _count(given: float, what: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 1 <= given <= 2**53 or given != given // 1:
        shown = f"{given:g}" if isinstance(given, float) else repr(given)
        raise BadInput(f"{what} must be a whole number, 1 at least and 2**53 at most, got {shown}")
    return int(given)


def _ways(obligation: Obligation, backend: Backend) -> list[_Way]:
    """An obligation at a few values of its whole symbols: small ones that its domain admits, and of indices that it
    leaves free so many that any two of them are once alike and once not.
    """
    if not isinstance(obligation, Identity | Holds):
        raise _Unsweepable(f"{type(obligation).__name__} is no statement about single instances")
    domain = obligation.domain
    whole = sorted((s for s in domain.symbols if s.is_integer), key=str)
    points = domain.points(_LOOKED) if whole else [domain.point]
    values = sorted({tuple(point[s] for s in whole) for point in points})
    if len(values) > _SIZES:  # spread over all of them, the least and the greatest included
        values = [values[k * (len(values) - 1) // (_SIZES - 1)] for k in range(_SIZES)]
    free = sorted(
        (s for s in _formula(obligation).free_symbols - domain.symbols - {*domain.bases} if s.is_Symbol), key=str
    )
    if not all(s.is_integer for s in free):
        raise _Unsweepable(f"no domain for {', '.join(str(s) for s in free if not s.is_integer)}")
    places = [*itertools.product(range(1, len(free) + 2), repeat=len(free))][:_SIZES]
    ways = []
    for k in range(max(len(values), len(places))):
        sizes = dict(zip(whole, values[k % len(values)], strict=True))
        length = min((int(f.size.xreplace(sizes)) for f in domain.families), default=1)
        sizes |= {s: sp.Integer(min(place, length)) for s, place in zip(free, places[k % len(places)], strict=True)}
        ways.append(_Way(obligation, sizes, backend))
    return ways


def _stream(
    part: Part, instances: list[_Instance], ways: list[_Way], samples: int, step: int, seed: list[int], worst: int
) -> Iterator[int]:
    """Count margins chunk by chunk, yielding how many are done; ``instances`` collects the ``worst`` ones."""
    rounding = _ROUNDING * float(np.finfo(ways[0].backend.dtype).eps)
    for number, way in enumerate(ways):
        rng = np.random.default_rng([*seed, number])
        left = samples // len(ways) + (number < samples % len(ways))
        while left:
            begun, count = time.perf_counter(), min(step, left)
            drawn = way.draw(rng, count)
            margins, within = way.margins(drawn)
            drawn, margins = drawn[:, within], margins[within]
            near = np.flatnonzero(margins < (instances[-1][0] if len(instances) == worst else np.inf))
            near = near[np.argsort(margins[near], kind="stable")[:worst]]
            instances += [(float(margins[k]), way, drawn[:, k].copy()) for k in near]
            instances.sort(key=lambda instance: instance[0])
            del instances[worst:]
            part.drawn += count
            part.rejected += count - len(margins)
            part.violations += int((margins < -rounding).sum())
            part.within_rounding += int((np.abs(margins) <= rounding).sum())
            part.without_value += int(np.isnan(margins).sum())
            part.seconds += time.perf_counter() - begun
            left -= count
            yield part.drawn
    if instances:
        part.worst_margin, way, row = instances[0]
        part.where = way.in_sympy(way.point(row))


def _judge(part: Part, instances: list[_Instance]) -> Iterator[int]:
    """Let ball arithmetic look at instances, and yield how many are done each time."""
    for _, way, row in instances if arithmetic.flint else ():
        point = way.point(row)
        status = way.status(point)
        part.confirmed[status] += 1
        if status == "violated" and not part.witness:
            part.witness = way.in_sympy(point)
        yield part.examined
