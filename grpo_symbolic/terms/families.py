"""What is known of a family of numbers, as terms."""

from __future__ import annotations

from dataclasses import dataclass

from grpo_symbolic.terms.language import Term


@dataclass(frozen=True)
class FamilyTerms:
    """A family of a domain as terms: its size, whether its numbers are positive, and their sum where it is given."""

    size: Term
    positive: bool
    total: Term | None
