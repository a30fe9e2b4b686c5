"""The theory of a point as plain data, for ``grpo-symbolic theory --json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

from grpo_symbolic.objectives.own import name_of

if TYPE_CHECKING:
    from grpo_symbolic.theory.interface import Answer, Theory
    from grpo_symbolic.theory.numbers import Numbers
    from grpo_symbolic.theory.point import Point
    from grpo_symbolic.theory.points import Line


def record(of: Theory, answers: dict[str, Answer] | None = None) -> dict[str, Any]:
    """Expressions as SymPy prints them, numbers as decimals of certified enclosures, claims by id."""
    return {
        "point": {**of_point(of.point), "pass_rate": _text(of.p_ref)},
        "assumed": list(of.assumed),
        "objective": str(of.objective),
        "gradient": str(of.gradient),
        "stationary": str(of.stationary),
        "stationary_many": _text(of.stationary_many),
        "closed_form": _text(of.closed_form),
        "closed_forms": None
        if of.closed_forms is None
        else [{"policy": str(c.policy), "where": _condition(c.where)} for c in of.closed_forms],
        "curvature": str(of.curvature),
        "solver": of.solver_name,
        "answers": {question: of_answer(answer) for question, answer in (answers or of.answers).items()},
        "numbers": None if of.numbers is None else of_numbers(of.numbers),
    }


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _condition(where: sp.logic.boolalg.Boolean) -> str | None:
    return None if where == sp.true else str(where)


def record_of(line: Line) -> dict[str, Any]:
    """A row of the table of the space."""
    return {
        "name": line.named.name,
        "source": line.named.source or None,
        "point": of_point(line.theory.point),
        "answers": {question: of_answer(answer) for question, answer in line.answers.items()},
    }


def of_point(point: Point) -> dict[str, str | None]:
    """The parts of a point by name."""
    return {
        "group_size": str(point.group_size),
        "normaliser": point.normaliser,
        "advantage": name_of(point.advantage) if point.own else None,
        "guard": None if point.advantage.guard == 0 else str(point.advantage.guard),
        "penalty": point.penalty,
        "divergence": point.divergence.name if point.penalty is None else None,
        "weighs": point.weighs,
        "beta": str(point.beta),
    }


def of_answer(answer: Answer) -> list[dict[str, Any]]:
    """The claims of an answer; an empty list is an open question."""
    return [
        {
            "claim": c.card.id,
            "title": c.card.title,
            "verdict": c.card.verdict,
            "verified": c.card.verified,
            "where": _condition(c.where),
            "note": c.note or None,
        }
        for c in answer.claims
    ]


def of_numbers(numbers: Numbers) -> dict[str, Any]:
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
            for q in numbers.policies
        ],
        "searched_log_odds": numbers.within,
        "flow": str(numbers.flow),
        "limit": None
        if numbers.limit is None
        else {
            "kind": numbers.limit.kind,
            "points": [str(e) for e in numbers.limit.points],
            "reason": numbers.limit.reason,
        },
    }
