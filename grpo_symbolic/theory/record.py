"""The theory of a point as plain data, for ``grpo-symbolic theory --json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

if TYPE_CHECKING:
    from grpo_symbolic.theory.interface import Answer, Theory
    from grpo_symbolic.theory.numbers import Numbers


def record(of: Theory) -> dict[str, Any]:
    """Expressions as SymPy prints them, numbers as decimals of certified enclosures, claims by id."""
    point = of.point
    return {
        "point": {
            "group_size": str(point.group_size),
            "normaliser": point.normaliser,
            "penalty": point.penalty,
            "weighs": point.weighs,
            "beta": str(point.beta),
            "pass_rate": None if of.p_ref is None else str(of.p_ref),
        },
        "objective": str(of.objective),
        "gradient": str(of.gradient),
        "stationary": str(of.stationary),
        "stationary_many": None if of.stationary_many is None else str(of.stationary_many),
        "closed_form": None if of.closed_form is None else str(of.closed_form),
        "solver": of.solver_name,
        "answers": {question: of_answer(answer) for question, answer in of.answers.items()},
        "numbers": None if of.numbers is None else of_numbers(of.numbers),
    }


def of_answer(answer: Answer) -> list[dict[str, Any]]:
    """The claims of an answer; an empty list is an open question."""
    return [
        {
            "claim": c.card.id,
            "title": c.card.title,
            "verdict": c.card.verdict,
            "verified": c.card.verified,
            "where": None if c.where == sp.true else str(c.where),
            "note": c.note or None,
        }
        for c in answer.claims
    ]


def of_numbers(found: Numbers) -> dict[str, Any]:
    """The certified numbers of a point."""
    return {
        "stationary": [
            {
                "success": str(q.success),
                "bounds": [str(sp.N(q.success.low, 15)), str(sp.N(q.success.high, 15))],
                "extremum": q.extremum,
                "separated": q.separated,
                "best_responses": q.responses,
            }
            for q in found.policies
        ],
        "searched_log_odds": found.within,
        "limit": None
        if found.limit is None
        else {
            "kind": found.limit.kind,
            "points": [str(e) for e in found.limit.points],
            "reason": found.limit.reason,
        },
    }
