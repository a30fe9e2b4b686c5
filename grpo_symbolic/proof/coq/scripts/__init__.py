"""Proof scripts for Coq, put together from an obligation by a fixed method; Coq judges them, nothing here is believed.

The method: what holds whatever the distinctions of cases are; else cases (``Max``, ``|·|``, signs, distinctions,
Boolean connectives); then a name for every root, exponential and logarithm, innermost first, with what is known of it,
and that everything is defined; then an identity over one denominator, modulo the squares of the roots, and an
inequality as a quotient of factors whose signs are shown one by one. Which sign a factor has is guessed from points of
the domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.coq.scripts.certified import by_certificates
from grpo_symbolic.proof.coq.scripts.goals import Given, Goals
from grpo_symbolic.proof.coq.scripts.limits import by_limits
from grpo_symbolic.proof.coq.scripts.names import Names
from grpo_symbolic.proof.coq.scripts.roots import one_root
from grpo_symbolic.proof.coq.scripts.signs import Points, sample
from grpo_symbolic.proof.coq.scripts.sums import Sums
from grpo_symbolic.proof.coq.syntax import Unsupported
from grpo_symbolic.proof.coq.theorem import Theorem, pinned, theorem, unfolded
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.obligation import (
    Holds,
    Identity,
    LimitIs,
    Obligation,
    RootCount,
    Witness,
    statement_of,
)
from grpo_symbolic.terms.language import (
    And,
    Compare,
    Derivative,
    Entry,
    Node,
    Number,
    Term,
    Variable,
    add,
    negative,
    number,
    substitute,
)

NO_SCRIPT = (ReadingError, sp.PolynomialError, ValueError, TypeError, NotImplementedError, AttributeError, KeyError)


def scripts(obligation: Obligation, texts: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """Proof scripts to be tried in order, each the body between ``Proof.`` and ``Qed.``; ``texts`` are the certificates
    of the obligation's queries by their digests.
    """
    stated = theorem(obligation)
    names = [f"K{i}" for i in range(1, len(stated.hypotheses) + 1)]
    start = f"intros {' '.join([*stated.names, *names])}." if stated.names else ""
    if isinstance(obligation, LimitIs):
        for script in by_limits(obligation, stated, sample(obligation.domain)):
            yield "\n".join([start, *script])
        return
    ways = [lambda: _guided(obligation, stated)]
    if texts and isinstance(obligation, Identity | Holds):
        ways.insert(isinstance(obligation, Identity), lambda: by_certificates(obligation, stated, texts))
    for way in ways:
        with suppress(*NO_SCRIPT):
            yield "\n".join([start, *way()])
    if isinstance(obligation, Identity | Holds) and stated.text.count("(sqrt ") > ("(ln " not in stated.text):
        with suppress(*NO_SCRIPT):
            yield "\n".join([start, *_guided(obligation, stated, separate=True)])
    yield f"{start} subst. plain."


def _guided(obligation: Obligation, stated: Theorem, separate: bool = False) -> list[str]:
    nodes = [unfolded(part) for part in obligation.read]
    given: tuple[Given, ...] = ()
    if isinstance(obligation, Witness):
        claimed, *rest = nodes
        point = pinned(rest)
        return _scripted(stated, [And((*map(unfolded, obligation.domain.formulas), claimed))], point, [{}])
    domain, points = obligation.domain, sample(obligation.domain)
    if isinstance(obligation, RootCount):
        domain = obligation.domain.without_symbol(obligation.variable)
        if obligation.count != 1:
            raise Unsupported(f"{obligation.count} roots")
        return _scripted(stated, nodes[:4], _definitions(domain), sample(domain), domain)
    assert isinstance(obligation, Identity | Holds)
    if isinstance(obligation, Holds):
        reading = domain.reading()
        given = tuple((g.lemma, g.terms(reading)) for g in obligation.using)
    return _scripted(
        stated, [unfolded(statement_of(obligation))], _definitions(domain), points, domain, given, separate
    )


def _definitions(domain: Domain) -> dict[Variable, Term]:
    """Variables that an equation of the domain fixes."""
    definitions: dict[Variable, Term] = {}
    for f in domain.formulas:
        match f:
            case Compare("==", Variable() as fixed, value) if fixed not in value.variables:
                definitions.setdefault(fixed, unfolded(value))
    return definitions


def _scripted(
    stated: Theorem,
    nodes: list[Any],
    definitions: dict[Variable, Term],
    points: Points,
    domain: Domain | None = None,
    given: tuple[Given, ...] = (),
    separate: bool = False,
) -> list[str]:
    """A script for ``nodes`` (one formula; a polynomial, its variable and the ends of an interval), after what
    fixes variables has been put in.
    """
    lines = ["subst."] if definitions else []
    totals: dict[Entry, Term] = {}
    for name, family in domain.family_terms.items() if domain is not None else ():
        if isinstance(family.size, Number) and family.total is not None and family.size.value > 1:
            *others, last = (Entry(name, number(k)) for k in range(1, int(family.size.value) + 1))
            rest = add(family.total, negative(add(*others)))
            last_text, rest_text = stated.syntax.term(last), stated.syntax.term(rest)
            lines.append(f"assert ({last_text} = {rest_text}) by lra. subst {last_text}.")
            totals[last] = rest

    def put_in(node: Any) -> Any:
        for rule in (definitions, totals):
            for _ in rule:  # definitions may build on one another
                node = substitute(node, rule) if isinstance(node, Node) else node
        return node

    nodes = [put_in(node) for node in nodes]
    given = tuple((lemma, tuple(map(put_in, arguments))) for lemma, arguments in given)
    derived = len(nodes) == 1 and isinstance(nodes[0], Compare) and isinstance(nodes[0].left, Derivative)
    if stated.others and not derived:
        assert domain is not None
        sums = Sums(domain, stated.syntax, points)
        nodes = [sums.named(node) for node in nodes]
        given = tuple((lemma, tuple(map(sums.named, arguments))) for lemma, arguments in given)
        lines += sums.lines
    units: dict[str, int] = {}
    body: list[str] = []
    for _ in range(2):  # the first turn finds out which fractions of exponents occur
        goals = Goals(Names(stated.syntax, points, units, separate=separate), given, len(stated.defined))
        if len(nodes) > 1:
            body = one_root(goals, *nodes)
        elif derived:
            along, value = nodes[0].left, nodes[0].right
            body = goals.slope(along.along, along.body, value)
        else:
            body = goals.whole(nodes[0])
    return lines + body
