"""What a sweep has found, for people (sentences), for programs (JSON) and for the ledger (evidence)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from grpo_symbolic.numeric.sweeps.confirm import Confirmation
from grpo_symbolic.numeric.sweeps.state import Tally
from grpo_symbolic.proof.statements.domain import Point
from grpo_symbolic.proof.statements.evidence import Evidence, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.shown import Shown


@dataclass(frozen=True)
class Part:
    """One obligation of a sweep.

    ``tally`` counts what the floats say; two sides of an identity may differ by ``band`` of their size; ``where`` is
    the exact instance with the worst margin; ``confirmed`` says how the worst instances fared in ball arithmetic,
    ``unvalued`` those at which the floats have no value.
    """

    obligation: Obligation
    sizes: tuple[str, ...]
    tally: Tally
    band: float
    where: dict[Any, Any]
    confirmed: Confirmation
    unvalued: Confirmation
    seconds_confirming: float = 0.0

    @property
    def label(self) -> str:
        return self.obligation.label

    @property
    def accepted(self) -> int:
        """Instances that lie in the domain."""
        return self.tally.drawn - self.tally.rejected

    @property
    def violations(self) -> int:
        """Instances at which the floats contradict the statement by more than a tie's rounding."""
        return self.tally.violations

    @property
    def worst_margin(self) -> float | None:
        return self.tally.worst[0][0] if self.tally.worst else None

    @property
    def per_second(self) -> float:
        """Instances drawn, evaluated and reduced in a second, compilation included."""
        return self.tally.drawn / self.tally.seconds if self.tally.seconds else 0.0

    @property
    def witness(self) -> dict[Any, Any]:
        """An exact point of the domain at which balls refute the statement, if there is one."""
        return self.confirmed.witness or self.unvalued.witness

    @cached_property
    def outcome(self) -> Outcome:
        """``refuted`` only by ball arithmetic; ``holds`` where it has cleared every float violation, and most
        instances have a value.
        """
        if self.witness:
            return Outcome.refuted
        looked_at = self.confirmed.examined
        explained = self.violations <= looked_at and looked_at == self.confirmed.cleared + self.confirmed.outside
        valued = self.accepted - self.tally.nans
        sound = explained or not self.violations
        return Outcome.holds if sound and valued > self.tally.nans else Outcome.unknown

    @property
    def sentences(self) -> list[str]:
        """What was drawn, what the floats say, and what ball arithmetic says of that."""
        t = self.tally
        said = [f"{t.drawn:,} instances" + (f" ({'; '.join(self.sizes)})" if self.sizes else "")]
        if t.rejected:
            said[0] += f", {t.rejected:,} of them outside the domain and rejected"
        if self.worst_margin is not None:
            how = f"worst margin {self.worst_margin:.3g}"
            if self.band:
                how = f"the sides differ by at most {self.band - self.worst_margin:.2g} of their size"
            said.append(f"{how}, at {shown(self.where)}")
        counted = [_many(self.violations, "float violation")]
        counted += [f"{t.close:,} more within rounding of a tie"] if t.close else []
        counted += [f"{t.nans:,} without a value"] if t.nans else []
        said.append(", ".join(counted))
        said.append(_judgement(self.confirmed, "worst"))
        if t.nans and not self.unvalued.unavailable:
            said.append(_judgement(self.unvalued, "without a value"))
        if self.violations + t.close and self.confirmed.examined and not self.witness:
            left = self.violations - self.confirmed.examined
            if left > 0:
                said.append(f"{_many(left, 'milder violation')} not looked at in ball arithmetic")
            elif self.outcome is Outcome.holds:
                said.append("so these violations are rounding")
        if self.witness:
            said.append(f"refuted at the exact point {exactly(self.witness)}")
        return said

    def evidence(self, engine: str, seed: int) -> list[Evidence]:
        """For the ledger: what the sweep says, at grade ``swept``; and a violation that ball arithmetic confirms, which
        is a certified counter-example.
        """
        t, domain = self.tally, "instances drawn in bulk"
        text = "; ".join([*self.sentences, f"{self.per_second:.3g} instances a second"])
        grade = Grade.none if self.outcome is Outcome.unknown else Grade.swept
        found = [
            Evidence(
                "holds", self.label, "sweep", grade, self.outcome, engine, round(t.seconds, 4), seed, None, domain, text
            )
        ]
        if self.witness:
            found.append(
                Evidence(
                    "holds",
                    self.label,
                    "sweep witness",
                    Grade.certified,
                    Outcome.refuted,
                    self.confirmed.engine,
                    round(self.seconds_confirming, 4),
                    seed,
                    None,
                    "one instance",
                    f"witness {exactly(self.witness)} (confirmed in ball arithmetic)",
                )
            )
        return found

    def to_json(self) -> dict[str, Any]:
        t = self.tally
        return {
            "obligation": self.label,
            "outcome": self.outcome.value,
            "sizes": list(self.sizes),
            "drawn": t.drawn,
            "rejected": t.rejected,
            "violations": t.violations,
            "within_rounding": t.close,
            "without_value": t.nans,
            "worst_margin": self.worst_margin,
            "where": {str(k): _plain(v) for k, v in self.where.items()},
            "confirmed": _counts(self.confirmed),
            "without_value_confirmed": _counts(self.unvalued),
            "witness": {str(k): _plain(v) for k, v in self.witness.items()},
            "seconds": round(t.seconds, 4),
            "per_second": round(self.per_second),
            "seconds_confirming": round(self.seconds_confirming, 4),
        }


@dataclass(frozen=True)
class Sweep(Shown):
    """A finished sweep: one :class:`Part` for each obligation, and why the others (``skipped``: label, reason) were not
    swept. ``backend`` describes library, device and precision; ``claim`` is an id, ``samples`` ≥ 1 instances were drawn
    for each obligation from ``seed``, and ``parts`` are what was found.
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
        return any(p.outcome is Outcome.refuted for p in self.parts)

    @property
    def engine(self) -> str:
        """Library, version, device and precision, as the ledger prints them."""
        b = self.backend
        return f"{b['backend']} {b['version']}, {b['device']}, {b['dtype']}"

    def to_json(self) -> dict[str, Any]:
        return {
            "claim": self.claim,
            "backend": self.backend,
            "samples": self.samples,
            "seed": self.seed,
            "refuted": self.refuted,
            "parts": [p.to_json() for p in self.parts],
            "skipped": [{"obligation": label, "reason": why} for label, why in self.skipped],
        }


def _judgement(c: Confirmation, which: str) -> str:
    if c.unavailable:
        return f"ball arithmetic unavailable: {c.unavailable}"
    statuses = [
        f"{getattr(c, status):,} {status}"
        for status in ("violated", "cleared", "outside", "undecided")
        if getattr(c, status)
    ]
    kind = {"outside": "outside the domain by a rounding"}
    statuses = [" ".join(kind.get(word, word) for word in f.split()) for f in statuses]
    return f"of the {c.examined:,} {which} ball arithmetic finds {', '.join(statuses) or 'none'}"


def _counts(c: Confirmation) -> dict[str, Any]:
    found = {"engine": c.engine, "unavailable": c.unavailable}
    return {**found, **{status: getattr(c, status) for status in ("violated", "cleared", "outside", "undecided")}}


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def shown(point: Point) -> str:
    """A point in the shortest decimals that are those floats."""
    return _listed(point, lambda v: str(v) if v.is_Integer else repr(float(v)))


def exactly(point: Point) -> str:
    """A point in exact numbers."""
    return _listed(point, str)


def _listed(point: Point, text: Callable[[sp.Expr], str]) -> str:
    def one(value: sp.Expr | list[sp.Expr]) -> str:
        return f"[{', '.join(map(text, value))}]" if isinstance(value, list) else str(text(value))

    return ", ".join(f"{k} = {one(v)}" for k, v in sorted(point.items(), key=lambda item: str(item[0])))


def _plain(value: sp.Expr | list[sp.Expr]) -> str | list[str]:
    return list(map(str, value)) if isinstance(value, list) else str(value)
