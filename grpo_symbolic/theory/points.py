"""The table of the space: points that papers and trainers use, and points between, with what is known at each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grpo_symbolic.ledger import Ledger
from grpo_symbolic.session import Session
from grpo_symbolic.shown import Shown
from grpo_symbolic.theory import cards
from grpo_symbolic.theory.interface import Answer, Theory, theory


@dataclass(frozen=True)
class Named:
    """A point with a name: ``source`` is the paper's place where it stands, empty for the points between;
    ``choices`` are arguments of :func:`.interface.theory`.
    """

    name: str
    choices: Mapping[str, Any] = field(hash=False)
    source: str = ""

    def theory(self, ledger: Ledger | None = None) -> Theory:
        """The theory of the point, β and everything else left symbolic."""
        return theory(**self.choices, ledger=ledger)


@dataclass(frozen=True)
class Line(Shown):
    """A row of the table: the point as it is ``named``, its ``theory``, and ``answers`` by question."""

    named: Named
    theory: Theory
    answers: dict[str, Answer]

    def __repr__(self) -> str:
        return f"<Line {self.named.name}>"


def _point(name: str, source: str = "", **choices: Any) -> Named:
    return Named(name, choices, source)


_VY, _MR, _PT = "Vojnovic & Yun", "Mroueh", "Patel"
POINTS: tuple[Named, ...] = (
    _point("groups of two", f"{_VY} (14)", group_size=2),
    _point("large groups", f"{_VY} (15)", group_size="oo"),
    _point("groups of two, direct KL", f"{_VY}, Sec 3", group_size=2, divergence="reverse-kl"),
    _point("large groups, direct KL", f"{_VY}, Sec 3", group_size="oo", divergence="reverse-kl"),
    _point("shift only", f"{_VY}, Sec 3", group_size=8, normaliser="none"),
    _point("shift only, direct KL", f"{_VY}, Sec 3", group_size=8, normaliser="none", divergence="reverse-kl"),
    _point("smoothed large groups", f"{_MR} (8)", group_size="oo", normaliser="sqrt(var+eps)", divergence="reverse-kl"),
    _point("GRPO as published", f"{_VY} (1)", group_size=64, clip=0.2),
    _point("Dr. GRPO", f"{_PT} (13), (14)", group_size=8, normaliser="none", divergence="none", clip=0.2),
    _point("groups of three", group_size=3),
    _point("groups of eight", group_size=8),
    _point("sample deviation", group_size=8, normaliser="sample-std"),
    _point("deviation + ε", group_size=8, normaliser="std+eps"),
    _point("sample deviation + ε, clipped", group_size=8, normaliser="sample-std+eps", clip=0.2),
    _point("leave-one-out", group_size=8, normaliser="leave-one-out"),
    _point("deviation of the batch", group_size=8, normaliser="batch"),
    _point("large groups, √(σ² + ε)", group_size="oo", normaliser="sqrt(var+eps)"),
    _point("KL(π_ref‖π)", group_size=8, divergence="forward-kl"),
    _point("k3, ratio detached", group_size=8, divergence="k3", weighted="detached"),
    _point("direct KL", group_size=8, divergence="reverse-kl"),
    _point("direct KL, deviation + ε", group_size=8, normaliser="std+eps", divergence="reverse-kl"),
    _point("k2 in the loss", group_size=8, divergence="k2"),
    _point("k1 in the loss", group_size=8, divergence="k1"),
    _point("k1 in the reward", group_size=8, divergence="k1", place="reward"),
    _point("k2 in the reward", group_size=8, divergence="k2", place="reward"),
    _point("k3 in the reward", group_size=8, divergence="k3", place="reward"),
    _point("k1 before normalising", group_size=8, divergence="k1", place="raw-reward"),
    _point(
        "leave-one-out, k1 before normalising",
        group_size=4,
        normaliser="leave-one-out",
        divergence="k1",
        place="raw-reward",
    ),
    _point("log-probabilities", group_size=8, ratio="log"),
    _point("TRL 1.16 by default", setting="trl==1.16.0"),
    _point("verl 0.9 by default", setting="verl==0.9.1"),
    _point("OpenRLHF 0.11 by default", setting="openrlhf==0.11.2"),
)


def table(ledger: Ledger | None = None) -> tuple[Line, ...]:
    """What is known at each of :data:`POINTS`; verdicts from the ledger, that of this folder's store when left out."""
    session = Session()
    known = session.known() if ledger is None else ledger
    every = cards.everything(session, cards.of_ledger(known))
    made = [(named, named.theory(known)) for named in POINTS]
    return tuple(Line(named, line, line.answers_from(every)) for named, line in made)
