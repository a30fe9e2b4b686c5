"""Importance sampling: the mean under one law, estimated from samples of another.

Sources: Kahn and Harris (1951); Patel (2025), Appendix 8.5, equation (18).
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.likelihood import expected
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar


def importance_weighted(target: Policy, sampler: Policy, values: Policy, answer: Scalar) -> sp.Expr:
    """``P(o)/Q(o) · x(o)``: what one draw ``o`` from the sampler contributes."""
    return target[answer] / sampler[answer] * values[answer]


def importance_estimate(target: Policy, sampler: Policy, values: Policy, draws: Sequence[Scalar]) -> sp.Expr:
    """Equation (18): ``(1/N) Σ_i P(x_i)/Q(x_i) x_i`` for given draws.

    Raises :class:`BadInput` if there are none.
    """
    if not draws:
        raise BadInput("an importance-sampling estimate needs at least one draw, got none")
    return sp.Add(*(importance_weighted(target, sampler, values, draw) for draw in draws)) / len(draws)


def expected_estimate(
    target: Policy, sampler: Policy, values: Policy, answers: Answers, indices: Sequence[sp.Symbol]
) -> sp.Expr:
    """The expectation of :func:`importance_estimate` over one independent draw from the sampler for each index."""

    def over(rest: Sequence[sp.Symbol], drawn: tuple[Scalar, ...]) -> sp.Expr:
        if not rest:
            return importance_estimate(target, sampler, values, drawn)
        return answers.total(lambda o: sampler[o] * over(rest[1:], (*drawn, o)), rest[0])

    return over(indices, ())


def importance_variance(target: Policy, sampler: Policy, values: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """The variance of one draw's contribution, ``E_Q[(P/Q · x)²] − E_Q[P/Q · x]²``; N independent draws have a
    N-th of it.
    """

    def contribution(o: Scalar) -> sp.Expr:
        return importance_weighted(target, sampler, values, o)

    second = expected(sampler, lambda o: contribution(o) ** 2, answers, index)
    return second - expected(sampler, contribution, answers, index) ** 2
