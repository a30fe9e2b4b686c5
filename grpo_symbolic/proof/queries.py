"""What is asked of a decision engine to prove a statement on a domain: one query for the statement, and one for each
condition under which it has a value, all with the facts that the domain gives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.proof.arithmetic import Unsupported
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.lemmas import is_instance
from grpo_symbolic.proof.smt import Translation, number


@dataclass(frozen=True)
class Queries:
    """What to ask an engine: every definedness query and the main query must be unsatisfiable."""

    definedness: list[str]
    main: str
    exact: bool  # whether a model of the main query is a counter-example of the statement
    variables: dict[str, sp.Symbol]


def queries(
    formula: Any,
    domain: Domain,
    using: tuple[Any, ...] = (),
    expressions: tuple[Any, ...] = (),
    prove: Callable[[Any, Domain], bool] | None = None,
    normal: Callable[[Any], Any] = lambda e: e,
) -> Queries:
    """The queries whose unsatisfiability proves ``formula`` on ``domain``, given the lemma instances ``using``, and
    that it is defined there.

    Of ``expressions`` too it is asked whether they are defined; ``prove`` says of a summand whether it is positive;
    ``normal`` brings sums into another form of the same value, in which the domain may say more of them.
    Raises :class:`Unsupported` for a formula in ``using`` that is no lemma.
    """
    for instance in using:
        if instance != sp.true and not is_instance(instance):
            raise Unsupported(f"{instance} is not an instance of a stated lemma")
    t = Translation(
        positive=frozenset(
            s for s, box in domain.intervals.items() if box.lower > 0 or (box.lower == 0 and box.lower_open)
        ),
        sizes={label: family.size for label, family in domain.bases.items()},
        known=set(domain.symbols),
        normal=normal,
    )
    premises = [t.formula(c) for c in dict.fromkeys([*domain.constraints, *map(normal, domain.constraints)])]
    for e in (formula, *expressions):
        t.require(sp.sympify(e))
    lemmas = [t.formula(c) for c in using]
    goal = t.formula(formula)
    hypotheses = [*premises, *_facts(t, domain, prove), *lemmas]
    asked = []
    for condition, preceding in t.conditions:
        if condition not in premises:
            asked.append(t.script([*hypotheses, *t.definitions[:preceding], f"(not {condition})"]))
    main = t.script([*hypotheses, *t.definitions, f"(not {goal})"])
    variables = {name: key for key, name in t.names.items() if isinstance(key, sp.Symbol)}
    plain = all(
        s.is_rational is None and (s.is_zero is None or s.is_positive or s.is_negative) for s in variables.values()
    )
    return Queries(list(dict.fromkeys(asked)), main, plain and not t.abstracted, variables)


def _facts(t: Translation, domain: Domain, prove: Callable[[Any, Domain], bool] | None) -> list[str]:
    """What is known of symbols by assumption and of abstracted terms.

    exp is positive; so are entries of a positive family, which are below its total; so is a sum of one or more
    positive terms.
    """
    facts = []
    for s in [key for key in t.names if isinstance(key, sp.Symbol)]:
        if s.is_nonnegative or s.is_nonpositive:
            relation = ">" if s.is_positive else "<" if s.is_negative else ">=" if s.is_nonnegative else "<="
            facts.append(f"({relation} {t.names[s]} 0)")
    for e in list(t.abstracted):
        if isinstance(e, sp.Sum) and prove is not None and len(e.limits) == 1:
            index, low, high = e.limits[0]
            body = e.function.xreplace({index: sp.Dummy(index.name, integer=True)})
            sense = next((r for r in (sp.Gt, sp.Ge) if prove(r(body, 0), domain)), None)
            if sense is sp.Ge or (sense is sp.Gt and prove(low <= high, domain)):
                facts.append(f"({'>' if sense is sp.Gt else '>='} {t.names[e]} 0)")
        family = domain.bases.get(e.base.label) if isinstance(e, sp.Indexed) else None
        if family is not None and not _names_an_entry(e.indices[0], _least(family.size, domain)):
            continue
        if isinstance(e, sp.exp) or (family is not None and family.positive):
            facts.append(f"(> {t.names[e]} 0)")
        if family is not None and family.total is not None and family.total.is_Rational:
            alone = _least(family.size, domain) < 2
            facts.append(f"({'<=' if alone else '<'} {t.names[e]} {number(family.total)})")
    return facts


def _least(size: Any, domain: Domain) -> Any:
    """The least number of entries that the domain allows, as far as single bounds tell; 1 where they do not."""
    if size.is_Integer:
        return size
    box = domain.intervals.get(size)
    if box is None or not size.is_integer or not box.lower.is_finite or box.lower < 1:
        return sp.S.One
    return sp.floor(box.lower) + 1 if box.lower_open else sp.ceiling(box.lower)


def _names_an_entry(index: Any, least: Any) -> bool:
    """Whether an index is one of 1, …, size whatever the size: a symbol stands for any of them."""
    return bool(index.is_Symbol or (index.is_Integer and 1 <= index <= least))
