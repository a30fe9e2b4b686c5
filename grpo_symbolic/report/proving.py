"""The proof of a derivation or an obligation, at once and in words: what holds, what was tried, what would help.

>>> from grpo_symbolic.notation import beta, p, x
>>> from grpo_symbolic.proof import Derivation, Domain
>>> d = Derivation("slope", Domain(0 < x, x < 1, 0 < p, p < 1))
>>> _ = d.differentiate((x - p) ** 2, x)
>>> print(prove(d))
proved · symbolic · step 1 of slope: differentiate
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from grpo_symbolic.errors import BadInput
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.proof.derivation import Derivation
from grpo_symbolic.proof.proving import search
from grpo_symbolic.proof.statements.evidence import Evidence, Grade, Outcome, settle
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation
from grpo_symbolic.report.advice import hints
from grpo_symbolic.shown import Shown

__all__ = ["Proofs", "Tried", "prove"]

_WORDS = {Outcome.holds: "proved", Outcome.refuted: "refuted", Outcome.unknown: "open"}


@dataclass(frozen=True)
class Tried(Shown):
    """An ``obligation`` and the ``evidence`` of every engine that was asked about it."""

    obligation: Obligation
    evidence: tuple[Evidence, ...]

    def __repr__(self) -> str:
        return f"<Tried {str(self).partition(chr(10))[0]}>"

    @cached_property
    def _settled(self) -> tuple[Outcome, Grade]:
        return settle(list(self.evidence))

    @property
    def outcome(self) -> Outcome:
        """Whether it holds, is refuted, or is left open: what samples say is no proof."""
        outcome, grade = self._settled
        return outcome if grade.is_proof else Outcome.unknown

    @property
    def grade(self) -> Grade:
        """The strongest grade of what supports the outcome."""
        return self._settled[1]

    @property
    def tried(self) -> tuple[str, ...]:
        """What each engine that leaves it open answered, a phrase each."""
        lines = ((e, e.artefact.strip().partition("\n")[0]) for e in self.evidence if not e.settles)
        return tuple(f"{e.checker} ({e.engine}): {text[:160] or e.outcome}" for e, text in lines)

    @property
    def help(self) -> tuple[str, ...]:
        """What would help, a sentence each; nothing where it is settled."""
        if self.outcome is not Outcome.unknown:
            return ()
        obligation = self.obligation
        sides = (obligation.left, obligation.right) if isinstance(obligation, Identity) else ()
        formulas = (obligation.formula,) if isinstance(obligation, Holds) else sides
        sentence = " = ".join(map(PaperPrinter(), formulas))
        return tuple(hints(self.evidence, sentence, bool(getattr(obligation, "using", ()))))

    def __str__(self) -> str:
        first = " · ".join([_WORDS[self.outcome], self.grade.name, self.obligation.label])
        if self.outcome is Outcome.refuted:
            witness = next(e.artefact for e in self.evidence if e.settles)
            return f"{first}\n    {witness.partition(chr(10))[0]}"
        if self.outcome is Outcome.holds:
            return first
        return "\n".join([first, *(f"    tried  {t}" for t in self.tried), *(f"    help   {h}" for h in self.help)])


@dataclass(frozen=True)
class Proofs(Shown, Sequence[Tried]):
    """What became of each obligation, in order; printed, a line each, and more for what is open."""

    tried: tuple[Tried, ...]

    def __getitem__(self, place):  # type: ignore[no-untyped-def]  # as a tuple has it
        return self.tried[place]

    def __len__(self) -> int:
        return len(self.tried)

    @property
    def holds(self) -> bool:
        """Whether all of it is proved."""
        return all(t.outcome is Outcome.holds for t in self.tried)

    def __str__(self) -> str:
        return "\n".join(map(str, self.tried)) or "nothing is to be shown"

    def __repr__(self) -> str:
        return str(self)


def prove(thing: Derivation | Obligation | Iterable[Obligation]) -> Proofs:
    """Look for a proof of every step of a derivation, of an obligation, or of several.

    Raises :class:`BadInput` for anything else.
    """
    if isinstance(thing, Derivation):
        obligations = thing.obligations
    elif isinstance(thing, Obligation):
        obligations = [thing]
    else:
        obligations = list(thing) if isinstance(thing, Iterable) and not isinstance(thing, str) else [thing]
    strange = next((o for o in obligations if not isinstance(o, Obligation)), None)
    if strange is not None:
        raise BadInput(
            f"prove takes a derivation or obligations, such as Identity(domain, left, right), got {strange!r}"
        )
    return Proofs(tuple(Tried(o, tuple(search(o).evidence)) for o in obligations))
