"""Sweeps: a claim at very many floating-point instances, reduced in a stream to the worst margin and where.

Memory is constant: a chunk of instances is drawn, evaluated and reduced to one number a block, and only blocks that
hold one of the worst thousand instances so far are looked at more closely. What the floats say is evidence of grade
``swept``, never more; the worst instances go to ball arithmetic (:mod:`.confirm`), which alone
can turn a violation into a refutation.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.backends import Array, Backend
from grpo_symbolic.numeric.blocks import in_blocks
from grpo_symbolic.numeric.sweeps.confirm import Instance, Positions, confirm
from grpo_symbolic.numeric.sweeps.draw import LANES, Plan, plans
from grpo_symbolic.numeric.sweeps.margin import (
    ALLOWED,
    BAND,
    LEAST,
    ROUNDING,
    Unsweepable,
    constants,
    formula_of,
    formulas,
    in_columns,
    margin,
)
from grpo_symbolic.numeric.sweeps.outcome import Part, Sweep
from grpo_symbolic.numeric.sweeps.state import State, Tally
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation

if TYPE_CHECKING:
    from grpo_symbolic.proof.claims import Claim

Progress = Callable[[int, int, str], None]  # instances done, of how many, which obligation
WORST = 1000  # instances kept for ball arithmetic
ODD = 100  # of those without a value
_CHUNK_DEVICE = 1 << 23
_PIECE = 64  # blocks that NumPy takes at a time
_DIGITS = 10  # bits of a count: there are LANES = 2⁸ instances in a block
_CLOSE = 16  # blocks looked at together
_SAVE = 10.0  # seconds between two writings of the state


@dataclass
class Unit:
    """One obligation at one size: the stream of instances numbered 0, 1, …, ``samples`` − 1."""

    obligation: Obligation
    plan: Plan
    stated: list[tuple[Positions, Any]]
    samples: int
    backend: Any
    seed: int

    @cached_property
    def _compiled(self) -> tuple[Callable[..., Any], Callable[..., Any] | None, dict[Any, Callable[..., Any]]]:
        from grpo_symbolic.numeric.compiler.compiled import compile

        how: dict[str, Any] = {
            "backend": self.backend.name,
            "dtype": self.backend.dtype,
            "device": self.backend.device,
        }
        plan = self.plan
        least = margin(sp.And(*(f for _, f in self.stated)), plan)
        coupled = [c for c in plan.domain.constraints if not _in_range(c, plan)]
        mask = [in_columns(c, plan) for c in coupled]
        mask += [sp.Gt(plan.columns[k], 0) for k in _remainders(plan)]
        totals = {f.base: plan.total(f) for f, _ in plan.families}
        return (
            compile(least, (*plan.columns, LEAST, ALLOWED), **how),
            compile(sp.And(*mask), plan.columns, **how) if sp.And(*mask) != sp.true else None,
            {base: compile(total, plan.scalars, **how) for base, total in totals.items() if total is not None},
        )

    def columns(self, blocks: Array) -> list[Any]:
        """The drawn values, each of shape (blocks, LANES)."""
        with np.errstate(all="ignore"):
            return self.plan.values(self.backend, blocks, self.seed, self._compiled[2])

    def margins(self, blocks: Array) -> Any:
        """Signed margins, shape (blocks, LANES): NaN where there is no value, ∞ for what is rejected."""
        return self._evaluated(blocks, False)[0]

    def _evaluated(self, blocks: Array, whole: bool) -> tuple[Any, Any]:
        """The margins, and whether each instance counts (None: all do); ``whole``: no block goes beyond the samples."""
        xp, (evaluate, mask, _) = self.backend.xp, self._compiled
        values = self.columns(blocks)
        with np.errstate(all="ignore"):
            found = evaluate(*values, *constants(self.backend.dtype))
            within = None if mask is None else mask(*values)
            if not whole:
                points = blocks[:, None] * LANES + self.backend.integers(np.arange(LANES))[None, :]
                within = points < self.samples if within is None else within & (points < self.samples)
            return (found if within is None else xp.where(within, found, xp.inf)), within

    def summary(self, blocks: Array, whole: bool) -> tuple[Any, Any]:
        """For each block the least margin, and in one whole number (so that one pass sums them) four counts: of
        violations beyond rounding, of negative margins, of instances without a value, and of those in the domain.
        """
        xp, rounding = self.backend.xp, ROUNDING[self.backend.dtype]
        m, within = self._evaluated(blocks, whole)
        odd = xp.isnan(m)
        code = xp.where(m < -rounding, 1, 0) + xp.where(m < 0, 1 << _DIGITS, 0) + xp.where(odd, 1 << 2 * _DIGITS, 0)
        counts = code.sum(axis=1)
        inside = LANES if within is None else xp.where(within, 1, 0).sum(axis=1)
        return xp.amin(xp.where(odd, xp.inf, m), axis=1), counts + inside * (1 << 3 * _DIGITS)

    def run(self, blocks: Array, whole: bool = False) -> Any:
        """The summary of many blocks; on NumPy in pieces that fit the cache, on all usable cores."""
        if not self.backend.on_threads:
            return self._summaries[whole](blocks)
        pieces = in_blocks(lambda part: self.summary(blocks[part], whole), len(blocks), _PIECE)
        return tuple(np.concatenate(column) for column in zip(*pieces, strict=True))

    def reduced(self, chunk: Array) -> tuple[Any, Any]:
        """The summary of the blocks with these numbers, on the host: least margins, and the counts (4, blocks)."""
        whole = (int(chunk[-1]) + 1) * LANES <= self.samples
        least, packed = map(self.backend.to_numpy, self.run(self.backend.integers(chunk), whole))
        return np.array(least), packed >> np.arange(4)[:, None] * _DIGITS & ((1 << _DIGITS) - 1)

    @cached_property
    def _summaries(self) -> dict[bool, Callable[[Any], Any]]:
        return {whole: self.backend.compile(partial(self.summary, whole=whole)) for whole in (False, True)}

    @cached_property
    def closer(self) -> Callable[[Any], Any]:
        return self.backend.compile(self.margins)

    @cached_property
    def drawn(self) -> Callable[[Any], Any]:
        return self.backend.compile(self.columns)


def _in_range(constraint: sp.Basic, plan: Plan) -> bool:
    """Whether drawing satisfies a constraint: it is a range of one symbol, a definition, or about sizes only."""
    from grpo_symbolic.proof.statements.intervals import numeric_bounds

    defined = plan.domain.definitions
    if isinstance(constraint, sp.Eq):
        return defined.get(constraint.lhs) == constraint.rhs
    if constraint.free_symbols <= {s for s, _ in plan.sizes} | set(plan.idle):
        return True
    parts = constraint.args if isinstance(constraint, sp.And) else (constraint,)
    ranges = [numeric_bounds(part) for part in parts]
    return all(ranges) and not any(symbol in defined for found in ranges for symbol, *_ in found)


def _remainders(plan: Plan) -> list[int]:
    """The columns that are what the others of a simplex leave."""
    found, position = [], len(plan.scalars)
    for family, size in plan.families:
        position += size
        if family.total is not None:
            found.append(position - 1)
    return found


def sweep(
    claim: Claim | str,
    samples: float = 1_000_000,
    backend: str = "numpy",
    device: str | None = None,
    seed: int = 0,
    dtype: str = "float64",
    *,
    chunk: int | None = None,
    worst: int = WORST,
    state: Path | str | None = None,
    progress: Progress = lambda done, total, what: None,
) -> Sweep:
    """Evaluate what a claim says at ``samples`` instances of its domain for each obligation, and let ball arithmetic
    judge the ``worst`` ones.

    ``claim`` is a claim or the id of a built-in one. Instances are the same for the same ``seed`` on every backend, but
    for the last bit, and do not depend on ``chunk`` (instances evaluated at once). With ``state``, a file, a sweep that
    is interrupted goes on from there when it is called again with the same arguments; the file goes when it has ended.
    ``progress(done, total, what)`` may raise, which interrupts the sweep.

    Raises :class:`BadInput` for an unknown id, a missing backend or device, fewer samples than one, a state of another
    sweep, and a claim with nothing to sweep: limits, counts of roots and witnesses are not about single instances.

    >>> import grpo_symbolic as gs
    >>> found = gs.numeric.sweep("vy-eq14-lower-bound", samples=2000)
    >>> found.refuted, found.parts[-1].violations
    (False, 0)
    """
    if isinstance(claim, str):
        from grpo_symbolic.catalogue import find as by_id

        claim = by_id(claim)
    from grpo_symbolic.proof.claims import Claim

    check_kind(claim, Claim, "what is swept", "a claim, or the id of one")
    count = _count(samples, "samples")
    size = None if chunk is None else _count(chunk, "chunk")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise BadInput(f"the seed must be a whole number, got {seed!r}")
    where = backends.get(backend, device, dtype)
    units, skipped = _units(claim, count, where, seed)
    if not units:
        raise BadInput(f"nothing to sweep in {claim.id}: {'; '.join(f'{label}: {why}' for label, why in skipped)}")
    identity = {
        "claim": claim.id,
        "obligations": list(dict.fromkeys(u.obligation.key() for u in units)),
        "samples": count,
        "seed": seed,
        "backend": backend,
        "device": where.device,
        "dtype": dtype,
        "worst": worst,
    }
    run = State.read(Path(state), identity) if state is not None else State(identity)
    blocks = -(-(size or _chunk(where)) // LANES)
    run = _stream(units, run, blocks, worst, None if state is None else Path(state), progress)
    found = Sweep(claim.id, where.describe(), count, seed, _judged(units, run, progress), tuple(skipped))
    if state is not None:
        Path(state).unlink(missing_ok=True)
    return found


def _count(given: float, what: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int | float) or not given >= 1 or given != given // 1:
        shown = f"{given:g}" if isinstance(given, float) else repr(given)
        raise BadInput(f"{what} must be a whole number, 1 at least, got {shown}")
    if given > 2**53:
        raise BadInput(f"{what} must be at most 2**53, got {given!r}")
    return int(given)


def _chunk(backend: Backend) -> int:
    return backend.chunk if backend.device == "cpu" else _CHUNK_DEVICE


def _units(claim: Claim, samples: int, backend: Backend, seed: int) -> tuple[list[Unit], list[tuple[str, str]]]:
    """The obligations about what holds, each once, at the sizes that are swept; and why the others are not."""
    units: list[Unit] = []
    skipped: list[tuple[str, str]] = []
    seen = set()
    for about, obligation in claim.obligations():
        if about != "holds" or obligation.key() in seen:
            continue
        seen.add(obligation.key())
        try:
            ways = _ways(obligation)
            if not ways:
                raise Unsweepable("it has no parameter")
            for number, (plan, stated) in enumerate(ways):
                margin(sp.And(*(f for _, f in stated)), plan)
                share = samples // len(ways) + (number < samples % len(ways))
                if share:
                    units.append(Unit(obligation, plan, stated, share, backend, seed))
        except (Unsweepable, BadInput) as reason:
            units = [u for u in units if u.obligation is not obligation]
            skipped.append((obligation.label, str(reason)))
    return units, skipped


def units_of(claim: Claim, samples: int, backend: Backend, seed: int) -> list[Unit]:
    """The streams of a sweep, for who times or inspects them."""
    return _units(claim, samples, backend, seed)[0]


def _ways(obligation: Obligation) -> list[tuple[Plan, list[tuple[Positions, Any]]]]:
    """The sizes at which an obligation says something, each different from the others."""
    if not isinstance(obligation, Identity | Holds):
        raise Unsweepable(f"{type(obligation).__name__} is no statement about single instances")
    found: dict[Any, tuple[Plan, list[tuple[Positions, Any]]]] = {}
    for plan in plans(obligation.domain, formula_of(obligation)):
        stated = formulas(obligation, plan)
        if plan.columns:
            found.setdefault((plan.columns, tuple(f for _, f in stated)), (plan, stated))
    return list(found.values())


def _stream(units: list[Unit], run: State, blocks: int, worst: int, file: Path | None, progress: Progress) -> State:
    """Go through what is left. Each chunk makes a new state: an interruption never leaves half a chunk in it."""
    total = sum(u.samples for u in units)
    saved = time.monotonic()
    try:
        for number in range(run.unit, len(units)):
            unit = units[number]
            before = sum(u.samples for u in units[:number])
            most = -(-unit.samples // LANES)
            width = min(blocks, most)
            while run.unit == number:
                begun = time.perf_counter()
                key = unit.obligation.key()
                tally = _chunk_of(unit, number, run.tally(key), run.block, width, worst)
                tally.seconds += time.perf_counter() - begun
                run = run.after(key, tally, run.block + width, most)
                done = min(run.block * LANES, unit.samples) if run.unit == number else unit.samples
                progress(before + done, total, unit.obligation.label)
                if file is not None and time.monotonic() - saved > _SAVE:
                    run.write(file)
                    saved = time.monotonic()
    except BaseException:
        if file is not None:
            run.write(file)
        raise
    return run


def _chunk_of(unit: Unit, number: int, before: Tally, first: int, width: int, worst: int) -> Tally:
    """The tally with ``width`` more blocks in it."""
    backend, tally = unit.backend, before.copy()
    chunk: Array = np.arange(first, first + width, dtype=np.int64)
    with backend.whole_numbers():
        least, counts = unit.reduced(chunk)
        odd = counts[2] > 0
        violations, negative, nans, accepted = (int(c) for c in counts.sum(axis=1))
        within = min(width * LANES, unit.samples - first * LANES)
        tally.drawn += within
        tally.violations += violations
        tally.close += negative - violations
        tally.nans += nans
        tally.rejected += within - accepted
        while True:  # the threshold falls as blocks are looked at, the worst ones first
            close = np.flatnonzero((least < tally.threshold(worst)) | (odd & (len(tally.odd) < ODD)))
            if not len(close):
                return tally
            now = close[np.argsort(least[close], kind="stable")][:_CLOSE]
            asked = np.resize(chunk[now], _CLOSE)  # one shape, so that it is compiled once
            m = np.array(backend.to_numpy(unit.closer(backend.integers(asked))))[: len(now)]
            ids = chunk[now][:, None] * LANES + np.arange(LANES)
            tally.add(number, m.ravel().astype(float), ids.ravel(), worst, ODD)
            least[now], odd[now] = np.inf, False


def _judged(units: list[Unit], run: State, progress: Progress) -> tuple[Part, ...]:
    parts = []
    for key in dict.fromkeys(u.obligation.key() for u in units):
        mine = [u for u in units if u.obligation.key() == key]
        tally = run.tally(key)
        worst = [_instance(units[n], i) for _, n, i in tally.worst]
        odd = [_instance(units[n], i) for n, i in tally.odd]
        obligation = mine[0].obligation
        report = partial(_report, progress, f"in ball arithmetic: {obligation.label}", len(worst) + len(odd))
        begun = time.perf_counter()
        confirmed = confirm(obligation, worst, partial(report, 0))
        unvalued = confirm(obligation, odd, partial(report, len(worst)))
        parts.append(
            Part(
                obligation=obligation,
                sizes=tuple(", ".join(f"{s} = {v}" for s, v in u.plan.sizes) for u in mine if u.plan.sizes),
                tally=tally,
                band=BAND[mine[0].backend.dtype] if isinstance(obligation, Identity) else 0.0,
                where=worst[0].plan.point(list(worst[0].row)) if worst else {},
                confirmed=confirmed,
                unvalued=unvalued,
                seconds_confirming=time.perf_counter() - begun,
            )
        )
    return tuple(parts)


def _report(progress: Progress, label: str, amount: int, before: int, done: int) -> None:
    progress(before + done, amount, label)


def _instance(unit: Unit, point: int) -> Instance:
    """The float values of one numbered instance, made again."""
    block, lane = divmod(point, LANES)
    with unit.backend.whole_numbers():
        blocks = unit.backend.integers(np.full(_CLOSE, block))
        row = tuple(float(unit.backend.to_numpy(c)[0, lane]) for c in unit.drawn(blocks))
    return Instance(unit.plan, row, tuple(positions for positions, _ in unit.stated))
