"""How far compiled functions are from the truth: errors in units in the last place (ulps) against ball arithmetic.

Measured, not proved: the table of ``docs/how-to/numeric.md``, which ``numeric_page.py`` writes, and the
tests are about them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from grpo_symbolic.numeric import backends, compile

_DIGITS = (60, 250, 1200)  # precisions of the reference, in turn until its ball is far below an ulp
_TINY = np.finfo(float).tiny


@dataclass(frozen=True)
class Range:
    """The values of an argument, an interval of floats. ``centre``: a value to come near from both sides as well."""

    low: float
    high: float
    centre: float | None = None

    def draw(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """A third uniform, or log-uniform over many decades; the rest ever nearer to the ends and to the centre."""
        low, high = self.low, self.high
        if low > 0 and high / low > 1e3:
            plain = np.exp(rng.uniform(np.log(low), np.log(high), count))
        else:
            plain = rng.uniform(low, high, count)
        width = min(high - low, 1.0)
        near = width * 10 ** rng.uniform(-17, -0.3, count)
        tiny = width * 10 ** rng.uniform(-290, -0.3, count) if low == 0 else near
        choices = [plain, plain, low + tiny, high - near]
        if self.centre is not None:
            choices += [self.centre * (1 + near), self.centre * (1 - near)]
        drawn = np.choose(rng.integers(0, len(choices), count), choices)
        return np.clip(drawn, _TINY if low == 0 else low, np.nextafter(high, low))


@dataclass(frozen=True)
class Case:
    """An expression to measure: what it is called, where it comes from, and the ranges of its arguments.

    ``close``: pairs of arguments of which the first is also drawn near the second, for expressions that vanish where
    they agree; ``keep`` says which points belong to the domain, given the arguments' arrays by name.
    """

    name: str
    source: str
    expression: sp.Expr
    ranges: Mapping[sp.Symbol, Range]
    close: tuple[tuple[sp.Symbol, sp.Symbol], ...] = ()
    keep: Callable[[Mapping[str, np.ndarray]], np.ndarray] | None = None

    def points(self, count: int, seed: int = 1) -> list[np.ndarray]:
        """Arrays of the arguments' values, in the order of ``ranges``."""
        rng = np.random.default_rng(seed)
        drawn = {v: r.draw(rng, count) for v, r in self.ranges.items()}
        for a, b in self.close:
            near = drawn[b] * (1 + rng.choice([-1, 1], count) * 10 ** rng.uniform(-15, -0.5, count))
            possible = (near > self.ranges[a].low) & (near < self.ranges[a].high)
            drawn[a] = np.where(possible & (rng.random(count) < 0.5), near, drawn[a])
        inside = np.ones(count, bool)
        for a, b in self.close:
            inside &= drawn[a] != drawn[b]
        if self.keep is not None:
            inside &= self.keep({str(v): x for v, x in drawn.items()})
        return [x[inside] for x in drawn.values()]


@dataclass(frozen=True)
class Accuracy:
    """Errors of a compiled function in ulps of the true value: the largest, the 99.9th percentile, and where the
    largest is. Points whose value is no normal float are left out and counted.
    """

    largest: float
    percentile: float
    worst: tuple[float, ...]
    points: int
    left_out: int


def measure(
    expression: sp.Expr,
    arguments: Sequence[sp.Symbol],
    points: Sequence[np.ndarray],
    stable: bool = True,
    backend: str = "numpy",
    dtype: str = "float64",
) -> Accuracy:
    """The errors of ``compile(expression, …)`` at float points against balls that enclose the true values there."""
    chosen = backends.get(backend, None, dtype)
    points = [np.asarray(x, dtype=dtype) for x in points]
    computed = chosen.to_numpy(compile(expression, arguments, backend, dtype, stable=stable)(*points))
    spacing = np.spacing(np.finfo(dtype).tiny * 2**30) / (np.finfo(dtype).tiny * 2**30)
    errors, measured = [], []
    for k, value in enumerate(computed):
        ball = _reference(expression, arguments, tuple(float(x[k]) for x in points))
        size = 0.0 if ball is None else abs(float(ball))
        if ball is None or not float(np.finfo(dtype).tiny) <= size < float(np.finfo(dtype).max):
            continue
        measured.append(k)
        unit = 2.0 ** np.floor(np.log2(size)) * float(spacing)
        errors.append(abs(float((ball - float(value)) / unit)) if np.isfinite(value) else np.inf)
    if not errors:
        return Accuracy(float("nan"), float("nan"), (), 0, len(computed))
    worst = int(np.argmax(errors))
    where = tuple(float(x[measured[worst]]) for x in points)
    ordered = np.sort(errors)
    percentile = float(ordered[min(len(ordered) - 1, int(0.999 * len(ordered)))])
    return Accuracy(float(ordered[-1]), percentile, where, len(errors), len(computed) - len(errors))


def _reference(expression: sp.Expr, arguments: Sequence[sp.Symbol], point: tuple[float, ...]) -> Any:
    """A ball around the value at the point, far narrower than an ulp; None where there is no value."""
    for digits in _DIGITS:
        ball = compile(expression, arguments, "flint", stable=False, digits=digits)(*point)
        if ball.is_finite() and (ball.rel_accuracy_bits() > 90 or ball.is_zero()):
            return ball
    return None


def table(cases: Sequence[Case], count: int = 20_000) -> str:
    """A Markdown table: each case, plain and accurate form, largest error, 99.9th percentile and worst point."""
    lines = [
        "| expression | source | plain: max | 99.9 % | accurate form: max | 99.9 % | where it is worst |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for case in cases:
        arguments, points = list(case.ranges), case.points(count)
        plain, better = (measure(case.expression, arguments, points, stable) for stable in (False, True))
        where = ", ".join(f"{v} = {x:.6g}" for v, x in zip(arguments, better.worst, strict=False))
        figures = (plain.largest, plain.percentile, better.largest, better.percentile)
        lines.append(f"| {case.name} | {case.source} | {' | '.join(map(_figure, figures))} | {where} |")
    return "\n".join(lines)


def _figure(ulps: float) -> str:
    return "∞" if np.isinf(ulps) else (f"{ulps:.2f}" if ulps < 100 else f"{ulps:.1e}")
