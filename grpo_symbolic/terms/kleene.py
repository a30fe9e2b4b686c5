"""Kleene's three-valued logic: ``None`` stands for what is not known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grpo_symbolic.terms.language import And, Formula, Iff, Implies, Not, Or, Truth

Ternary = bool | None


def negation(value: Ternary) -> Ternary:
    """Whether something fails."""
    return None if value is None else not value


def conjunction(values: Sequence[Ternary]) -> Ternary:
    """Whether all hold.

    >>> conjunction([True, None]), conjunction([False, None])
    (None, False)
    """
    if False in values:
        return False
    return None if None in values else True


def disjunction(values: Sequence[Ternary]) -> Ternary:
    """Whether one holds."""
    return negation(conjunction([negation(value) for value in values]))


def equivalence(values: Sequence[Ternary]) -> Ternary:
    """Whether all hold or none does."""
    return None if None in values else len(set(values)) == 1


def joined(formula: Formula, judge: Callable[[Formula], Ternary]) -> Ternary:
    """Whether a formula holds, by what ``judge`` says of its parts; nothing is known of what is no connective."""
    match formula:
        case Truth(value):
            return value
        case Not(part):
            return negation(judge(part))
        case And(formulas):
            return conjunction([judge(f) for f in formulas])
        case Or(formulas):
            return disjunction([judge(f) for f in formulas])
        case Implies(given, then):
            first = judge(given)
            if first is False:  # then the other side need not have a value
                return True
            return disjunction([negation(first), judge(then)])
        case Iff(formulas):
            return equivalence([judge(f) for f in formulas])
    return None
