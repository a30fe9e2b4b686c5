"""A claim's statement taken apart for readers: one formula a part, each with its label and its own domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grpo_symbolic.ledger import Part
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.sentence import domain_latex, latex
from grpo_symbolic.proof.sentence import parts as said

Printer = Callable[[Any], str]


def parts(claim: Claim, printer: Printer) -> list[Part]:
    """What was checked, a conjunction statement by statement, in the order of the result file."""
    return [
        Part(label, latex(phrase, printer), "" if domain is None else domain_latex(domain, printer))
        for label, phrase, domain in said(claim.statement, claim.domain)
    ]
