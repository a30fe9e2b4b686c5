"""Proof scripts for Coq, put together from an obligation by a fixed method; Coq judges them, nothing here is believed.

The method: cases first (``Max``, ``|·|``, signs, distinctions, Boolean connectives); then a name for every root,
exponential and logarithm, innermost first, with what is known of it, and that everything is defined; then an identity
over one denominator, modulo the squares of the roots, and an inequality as a quotient of factors whose signs are shown
one by one. Which sign a factor has is guessed from points of the domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import sympy as sp

from grpo_symbolic.export.coq import statement, term
from grpo_symbolic.export.coq_names import Unsupported, with_positions
from grpo_symbolic.proof.obligation import Holds, Identity, Obligation, RootCount, Witness, formula_of
from grpo_symbolic.verification.kernel_goals import Goals
from grpo_symbolic.verification.kernel_names import Names
from grpo_symbolic.verification.kernel_roots import one_root
from grpo_symbolic.verification.kernel_signs import rebuilt, sample
from grpo_symbolic.verification.kernel_sums import Sums

NO_SCRIPT = (Unsupported, sp.PolynomialError, ValueError, TypeError, NotImplementedError, AttributeError, KeyError)


def scripts(obligation: Obligation) -> Iterator[str]:
    """Proof scripts to be tried in order, each the body between ``Proof.`` and ``Qed.``"""
    s = statement(obligation)
    names = [f"K{i}" for i in range(1, len(s.hypotheses) + 1)]
    start = f"intros {' '.join([*s.names, *names])}." if s.names else ""
    with suppress(*NO_SCRIPT):
        yield "\n".join([start, *_guided(obligation, len(s.defined))])
    yield f"{start} subst. plain."


def _guided(obligation: Obligation, conditions: int) -> list[str]:
    domain = obligation.domain
    points: list[dict[Any, Any]] = [{}]
    if isinstance(obligation, Witness):
        definitions = dict(obligation.point)
        claimed = sp.And(*domain.constraints, obligation.formula, evaluate=False)
    elif isinstance(obligation, RootCount):
        domain = domain.apart_from(obligation.variable)
        claimed = sp.Tuple(obligation.polynomial, obligation.lower, obligation.upper)
        definitions, points = dict(domain.definitions), sample(domain)
    else:
        claimed = formula_of(obligation)
        definitions, points = dict(domain.definitions), sample(domain)
    lines = ["subst."] if definitions else []
    totals = {}
    for family in domain.families:
        if not family.size.is_Integer:
            continue
        entries = [family.base[i] for i in range(1, int(family.size) + 1)]
        if family.total is not None and len(entries) > 1:
            last, rest = entries[-1], family.total - sp.Add(*entries[:-1])
            lines.append(f"assert ({term(last)} = {term(rest)}) by lra. subst {term(last)}.")
            totals[last] = rest
    given = obligation.using if isinstance(obligation, Holds) else ()
    derivative = None
    if isinstance(obligation, Identity) and isinstance(obligation.left, sp.Derivative):
        derivative = (obligation.left.variables[0], obligation.left.expr)
        claimed = obligation.right
    for replaced in (definitions, totals):
        for _ in range(len(replaced)):
            claimed = _unevaluated(claimed, replaced)
            given = tuple(g.at(partial(_unevaluated, replaced=replaced)) for g in given)
    if not isinstance(obligation, RootCount | Witness) and derivative is None:
        claimed, others, _ = with_positions(claimed, domain)
        if others:
            sums = Sums(domain, points)
            sums.start({f.size for f in domain.families if not f.size.is_Integer})
            claimed, given = sums.named(claimed), tuple(g.at(sums.named) for g in given)
            lines += sums.lines
    units: dict[str, int] = {}
    for turn in range(2):  # the first turn finds out which fractions of exponents occur
        goals = Goals(Names(points, units, final=turn == 1), given, conditions)
        if isinstance(obligation, RootCount):
            polynomial, lower, upper = claimed.args
            body = one_root(goals, replace(obligation, polynomial=polynomial, lower=lower, upper=upper))
        else:
            body = goals.slope(*derivative, claimed) if derivative else goals.whole(claimed)
    return lines + body


def _unevaluated(e: sp.Basic, replaced: dict) -> sp.Basic:
    """The expression with symbols replaced and nothing simplified, as Coq's ``subst`` does it."""
    if e in replaced:
        return replaced[e]
    if e.is_Atom or isinstance(e, sp.Indexed):
        return e
    return rebuilt(e, (_unevaluated(a, replaced) for a in e.args))
