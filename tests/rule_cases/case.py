"""A row of the controls of rules: a sentence that a rule proves, and false ones."""

from __future__ import annotations

from dataclasses import dataclass

from grpo_symbolic.paper import *
from grpo_symbolic.proof.statements.statement import Statement


@dataclass(frozen=True)
class False_:
    """A false sentence. ``breaks`` is a part of the label of the one premise that fails, or of the refusal; ``also``
    others that fail with it, since a function without a value has no sign either.
    """

    breaks: str
    statement: Statement
    domain: Domain
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """A true sentence that the rule proves, and false ones, a premise each that Coq does not drop."""

    name: str
    statement: Statement
    domain: Domain
    controls: tuple[False_, ...] = ()
