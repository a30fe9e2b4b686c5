"""What is asked of a decision engine to prove a statement on a domain: one query for the statement, and one for each
condition under which it has a value, all with the facts that the domain gives.

The lemma instances that a statement uses have to be defined themselves, which is asked without them; only then are they
hypotheses of what is asked about the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from grpo_symbolic.proof.check.translation import Query, Translation, query_of, scales_of
from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain, Hypotheses
from grpo_symbolic.proof.statements.evaluate import rational, value_at
from grpo_symbolic.terms.definedness import Condition, conditions
from grpo_symbolic.terms.derivatives import expanded
from grpo_symbolic.terms.language import (
    ONE,
    TRUE,
    ZERO,
    Add,
    Compare,
    Entry,
    Formula,
    Function,
    GeneralPower,
    Implies,
    Multiply,
    Node,
    Not,
    Number,
    Or,
    Power,
    Term,
    Total,
    Variable,
    add,
    conjunction,
    opened,
    subtract,
    unused,
)
from grpo_symbolic.terms.linear import TURNED, bounds, line

Prove = Callable[[Formula, tuple[Formula, ...]], bool]  # whether a formula holds on the domain where others do too


@dataclass(frozen=True)
class Queries:
    """What to ask an engine: every definedness query and the main query must be unsatisfiable."""

    definedness: list[Query]
    main: Query
    exact: bool  # whether a model of the main query is a counter-example of the statement
    variables: dict[str, Variable]


@dataclass(frozen=True)
class Need:
    """Something to be shown: a ``formula`` over the variables of a query, which may build on the first ``preceding``
    definitions, and on the instances of lemmas that are ``assumed``. ``condition`` is that of the reading, if it comes
    from there; the translation has conditions of its own.
    """

    formula: Formula
    preceding: int
    assumed: tuple[Formula, ...] = ()
    condition: Condition | None = None


@dataclass(frozen=True)
class Parts:
    """What the queries of a statement are made of, over the variables of ``translation``: the ``premises`` with what
    they are in the domain, further ``facts``, the instances of lemmas likewise, and what is needed and claimed.
    """

    translation: Translation
    premises: tuple[tuple[Formula, Formula], ...]
    facts: tuple[Formula, ...]
    lemmas: tuple[tuple[Formula, Formula], ...]
    needs: tuple[Need, ...]
    goal: Need

    def query(self, need: Need) -> Query:
        """The assertions that contradict each other where what is needed follows."""
        premises = (formula for _, formula in self.premises)
        definitions = self.translation.definitions[: need.preceding]
        return query_of([*premises, *self.facts, *need.assumed, *definitions, Not(need.formula)])

    @cached_property
    def queries(self) -> Queries:
        """What engines are asked."""
        names = self.translation.names.items()
        variables = {name.name: key for (key, _), name in names if isinstance(key, Variable)}
        exact = not self.translation.abstracted and not any(v.is_whole for v in variables.values())
        definedness = list(dict.fromkeys(map(self.query, self.needs)))
        return Queries(definedness, self.query(self.goal), exact, variables)


def parts(
    formula: Formula,
    domain: Domain,
    using: tuple[Formula, ...] = (),
    expressions: tuple[Node, ...] = (),
    prove: Prove | None = None,
    normal: Callable[[Term], Term] = lambda e: e,
    given: tuple[Formula, ...] = (),
    arguments: tuple[Term, ...] = (),
) -> Parts:
    """The parts of the queries whose unsatisfiability proves ``formula`` on ``domain``, given the lemma instances
    ``using`` of these ``arguments``, and that it is defined there; where a formula of ``given`` fails, nothing is
    asked.

    Of ``expressions`` too it is asked whether they are defined; ``prove`` says of a summand whether it is positive;
    ``normal`` brings sums into another form of the same value, in which the domain may say more of them.
    Raises :class:`Unsupported` for what has no translation.
    """
    hypotheses = domain.hypotheses(formula, *expressions, given=given, beside=(*using, *arguments))
    t = Translation(positive=frozenset(domain.positive))
    t.scales = scales_of(map(expanded, (*hypotheses.formulas, formula, *using, *arguments, *expressions)))
    premises = tuple((c, t.formula(_plain(c))) for c in _twice(hypotheses.formulas, normal))

    def needed(nodes: tuple[Node, ...]) -> list[Need]:
        return [
            Need(_needed(t, condition, normal), len(t.definitions), condition=condition)
            for e in nodes
            for condition in conditions(e, {name: f.size for name, f in hypotheses.families.items()})
            if not evident(condition.needed, (*hypotheses.formulas, *condition.given))
        ]

    def own() -> list[Need]:
        return [Need(condition, preceding) for condition, preceding in t.conditions]

    of_lemmas = needed((*arguments, *using))
    lemmas = tuple((c, t.formula(_plain(c))) for c in using)
    of_lemmas += own()
    asked = needed((formula, *expressions))
    goal = t.formula(_plain(formula))
    asked += own()
    facts = tuple(_facts(t, hypotheses, given, prove))
    # an instance that is shown to be defined may be assumed when the statement is asked to be
    assumed = tuple(c for _, c in lemmas)
    asked = [replace(need, assumed=assumed) for need in asked]
    known = {c for _, c in premises}
    needs = tuple(need for need in (*of_lemmas, *asked) if need.formula not in known)
    return Parts(t, premises, facts, lemmas, needs, Need(goal, len(t.definitions), assumed))


def evident(needed: Formula, known: tuple[Formula, ...]) -> bool:
    """Whether a formula is one of those that are known, or a bound of one variable by a number that one of them gives,
    or the sign of a sum or product whose parts have such a sign: most of what must not vanish is of this kind, and no
    engine need be asked.
    """
    if needed in known or _by_a_bound(needed, known):
        return True
    match needed:
        case Compare("<", _, Add(parts) | Multiply(parts)) if needed.left is ZERO:
            return all(evident(Compare("<", ZERO, part), known) for part in parts)
        case Compare("!=", Multiply(parts), _) if needed.right is ZERO:
            return all(evident(Compare("!=", part, ZERO), known) for part in parts)
        case Compare("<", _, Power(base, _)) if needed.left is ZERO:
            return evident(Compare("<", ZERO, base), known)
        case Compare("<", _, Number(value)) if needed.left is ZERO:
            return value > 0
    return False


def _by_a_bound(needed: Formula, known: tuple[Formula, ...]) -> bool:
    """Whether a relation of one variable to a number follows from one bound that is known."""
    if not isinstance(needed, Compare) or len(needed.variables) != 1 or needed.relation == "==":
        return False
    (variable,) = needed.variables
    as_line = line(subtract(needed.left, needed.right), variable)
    rest = None if as_line is None else rational(as_line.rest, {})
    if as_line is None or as_line.slope == 0 or rest is None:
        return False
    limit, strict = -rest / as_line.slope, needed.relation != "<="
    given = [(relation, end) for f in known for v, relation, end in _numbers(f) if v is variable]
    below = any(_below(relation, end, limit, strict) for relation, end in given)
    above = any(_below(TURNED[relation], -end, -limit, strict) for relation, end in given)
    if needed.relation == "!=":
        return below or above
    return below if as_line.slope > 0 else above


@lru_cache(maxsize=4096)
def _numbers(formula: Formula) -> list[tuple[Variable, str, Fraction]]:
    """The bounds by a number that a formula gives to its only variable."""
    ends = ((b, rational(b.end, {})) for b in bounds(formula))
    return [(b.variable, b.relation, end) for b, end in ends if end is not None]


def _below(relation: str, end: Fraction, limit: Fraction, strict: bool) -> bool:
    """Whether what has this relation to ``end`` is below ``limit``."""
    return relation in ("<", "<=", "==") and (end < limit or (end == limit and (relation == "<" or not strict)))


def _plain(formula: Formula) -> Formula:
    read = expanded(formula)
    assert isinstance(read, Formula)
    return read


def _twice(formulas: tuple[Formula, ...], normal: Callable[[Term], Term]) -> Iterator[Formula]:
    """Each hypothesis as it is written, and with its sums in normal form."""
    seen = dict.fromkeys(formulas)
    for f in formulas:
        if isinstance(f, Compare) and f.has(Total):
            seen.setdefault(Compare(f.relation, normal(f.left), normal(f.right)))
    return iter(seen)


def _needed(t: Translation, condition: Condition, normal: Callable[[Term], Term]) -> Formula:
    """A condition of definedness as a formula; what must not vanish may be compared in its normal form too."""
    guard = conjunction(*(t.formula(_plain(g)) for g in condition.given))
    with t.case(guard):
        readings = [t.formula(_plain(condition.needed))]
        needed = condition.needed
        if isinstance(needed, Compare) and needed.has(Total):
            other = Compare(needed.relation, normal(needed.left), normal(needed.right))
            if other is not needed:
                readings.append(t.formula(other))
    formula = readings[0] if len(readings) == 1 else Or(tuple(readings))
    return formula if guard is TRUE else Implies(guard, formula)


def _facts(t: Translation, hypotheses: Hypotheses, given: tuple[Formula, ...], prove: Prove | None) -> list[Formula]:
    """What is known of abstracted terms.

    exp is positive; so are entries of a positive family, which are below its total; so is a sum of one or more
    positive terms. (An index outside its family is no exception: the numbers of a family can be continued so.)
    """
    facts: list[Formula] = []
    for e in list(t.abstracted):
        name = t.names[e, TRUE]
        if e.is_closed:
            facts += _enclosed(name, e)
        if isinstance(e, Function) and e.name == "exp":
            facts.append(Compare("<", ZERO, name))
        if isinstance(e, Function) and e.name == "cosh":
            facts.append(Compare("<=", ONE, name))
        if isinstance(e, Total | GeneralPower) and prove is not None:
            sense = next((r for r in ("<", "<=") if _by_parts(r, e, given, prove)), None)
            if sense is not None:
                facts.append(Compare(sense, ZERO, name))
        if isinstance(e, Entry):
            facts += _facts_of_entry(name, e, hypotheses)
    return facts


def _by_parts(relation: str, e: Term, given: tuple[Formula, ...], prove: Prove) -> bool:
    """Whether a term is positive ("<"), or not negative ("<="), as its parts are; what has no sums, products over an
    index or powers with a letter for exponent in it is asked of ``prove``, which asks for its definedness too.
    """
    match e:
        case Total(product=product):
            index = unused(e, *given)
            inside = (*given, Compare("<=", e.low, index), Compare("<=", index, e.high))
            if product or relation == "<=":
                return _by_parts(relation, opened(e, index), inside, prove)
            # no part is negative, and the first or the second is positive
            return _by_parts("<=", opened(e, index), inside, prove) and any(
                prove(Compare("<=", first, e.high), given) and _by_parts("<", opened(e, first), given, prove)
                for first in (e.low, add(e.low, ONE))
            )
        case GeneralPower(base, _):
            return _by_parts("<", base, given, prove)
        case Multiply(factors) if e.has(Total) or e.has(GeneralPower):
            return all(_by_parts(relation, f, given, prove) for f in factors)
    return prove(Compare(relation, ZERO, e), given)


def _enclosed(name: Variable, e: Term) -> list[Formula]:
    """Rational bounds of one number, such as log 2, by ball arithmetic."""
    try:
        value = value_at(e, {}, ARB)
    except (Undefined, Unsupported):
        return []
    near = Fraction(float(value.mid()))
    slack = max(abs(near), Fraction(1)) / 10**9
    low, high = near - slack, near + slack
    inside = ARB.less(ARB.number(low), value, strict=True) and ARB.less(value, ARB.number(high), strict=True)
    return [Compare("<", Number(low), name), Compare("<", name, Number(high))] if inside else []


def _facts_of_entry(name: Variable, e: Entry, hypotheses: Hypotheses) -> list[Formula]:
    family = hypotheses.families.get(e.family)
    if family is None or not family.positive:
        return []
    facts: list[Formula] = [Compare("<", ZERO, name)]
    if isinstance(family.total, Number):
        alone = hypotheses.least(family.size) < 2
        facts.append(Compare("<=" if alone else "<", name, family.total))
    return facts
