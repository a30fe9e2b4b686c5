"""Coq: a claim whose sentence follows from its theorem in ``coq/theories`` is the import of that theorem and its name;
of any other claim each obligation is a proposition over the real numbers, and what is proved of it is not shown here.

The translation is that of the checker (:mod:`grpo_symbolic.proof.coq`); the text begins with the definitions that it
refers to.
"""

from __future__ import annotations

from typing import Any

from grpo_symbolic.errors import BadInput
from grpo_symbolic.export.header import Header
from grpo_symbolic.export.item import Item
from grpo_symbolic.export.straightline import identifier
from grpo_symbolic.proof.coq.session import preamble
from grpo_symbolic.proof.coq.theorem import theorem
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.obligation import Holds


def propositions(item: Item) -> tuple[list[tuple[str, str]], list[str]]:
    """The obligations that Coq can state, each with its label, and why the others are left out.

    Raises :class:`BadInput` when none can be stated.
    """
    if item.claim is not None and not item.about:
        obligations: list[Any] = list(item.claim.whole.obligations(item.claim.domain))
    elif item.statement.is_Boolean:
        obligations = [
            Holds(item.domain or Domain(*item.statement.free_symbols), item.statement, label="the statement")
        ]
    else:
        raise BadInput(f"Coq is given statements, and {item.id} is an expression: compare it with something")
    stated, left_out = [], []
    for obligation in obligations:
        try:
            stated.append((obligation.label, theorem(obligation).text))
        except BadInput as reason:
            left_out.append(f"{obligation.label}: {reason}")
    if not stated:
        raise BadInput(f"{item.id} cannot be stated in Coq: {left_out[0]}")
    return stated, left_out


def write(item: Item, header: Header, statements: list[tuple[str, str]]) -> str:
    """The source: definitions, and one ``Definition … : Prop`` for each obligation."""
    name = identifier(item.id)
    blocks = [
        f"(* {_comment(' '.join(label.split()))} *)\nDefinition {name}_{k} : Prop :=\n  {text}.\n"
        for k, (label, text) in enumerate(statements, start=1)
    ]
    return f"(*\n{_comment(header.comment(''))}*)\n{preamble()}\n" + "\n".join(blocks)


def imported(header: Header, theorem: str) -> str:
    """The source for a claim that follows from a theorem of the development, given by its file and name."""
    file, _, name = theorem.partition(".")
    lines = (
        f"(*\n{_comment(header.comment(''))}*)",
        "(* with -Q coq/theories GrpoSymbolic, after make coq *)",
        f"From GrpoSymbolic Require Import Definitions {file}.",
        f"Check {name}.",
        f"Print Assumptions {name}.",
    )
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    return text.replace("(*", "( *").replace("*)", "* )").replace('"', "'")
