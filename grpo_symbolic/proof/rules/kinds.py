"""Rules with one theorem for each kind of conclusion."""

from __future__ import annotations

from typing import ClassVar

from grpo_symbolic.proof.statements.statement import Statement


class TheoremByKind:
    """What a rule takes on whose ``theorems`` are in the order of the kinds of conclusion that it leads to."""

    concludes: ClassVar[tuple[str, ...]]
    theorems: ClassVar[tuple[str, ...]]

    def theorem(self, conclusion: Statement) -> str:
        """The theorem of ``coq/theories`` that is this rule, for this conclusion: file and name."""
        return self.theorems[self.concludes.index(type(conclusion).__name__)]
