"""Limits that follow from limits."""

from __future__ import annotations

from dataclasses import dataclass

from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Using
from grpo_symbolic.proof.rules.schema import GROWING, WAYS, Needs, Schema, Way, f, g, h, v
from grpo_symbolic.proof.statements.statement import Always, Tends
from grpo_symbolic.scalars import Scalar


def _between(way: Way) -> Schema:
    """What it is that lies between is a function of what moves this way."""
    body, low, high = (of(way.along) for of in (f, g, h))
    return Schema(
        "Squeeze.limit_between_limits",
        Tends(body, way.along, way.point, v, way.side),
        (
            *way.before,
            Needs(Always(low <= body), way.where, by="above", label="from below"),
            Needs(Always(body <= high), way.where, by="below", label="from above"),
            Needs(Tends(low, way.along, way.point, v, way.side), label="the lower one"),
            Needs(Tends(high, way.along, way.point, v, way.side), label="the upper one"),
        ),
        given={"low": low, "high": high, "until": way.until},
        proof=f"intros; apply (@{{theorem}} _ {way.filter} g f h v); along_the_way {way.near}",
    )


@dataclass(frozen=True, eq=False)
class Squeezed(Schematic["Tends"]):
    """What lies between two functions, or sequences, that tend to one number tends to it too.

    ``low`` and ``high`` are these two; ``until`` is the other end of the range on which they enclose: for a limit at
    infinity its beginning, otherwise the end away from the point. ``above`` is for the function being at least ``low``,
    ``below`` for it being at most ``high``.
    """

    low: Scalar
    high: Scalar
    until: Scalar
    above: Using = ()
    below: Using = ()
    schemas = tuple(map(_between, (*GROWING, *WAYS)))
