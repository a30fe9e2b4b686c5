"""Negative controls: claims changed mechanically, which the checkers must refute, or prove to be true as well.

The operators are those of a careless author: a flipped relation, a wrong sign, factor or exponent, a strict sign that
should not be, two symbols exchanged, a term or a hypothesis forgotten. A mutant that no checker can refute and none
can prove is *unknown*; one that is only *supported* (or that one engine proves while another holds a witness against
it, or a point where it has no meaning) has *survived*, and is a bug of the claim or of a checker. Of an open claim,
which is itself no more than supported, a mutant that fares as well is unknown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, zip_longest
from pathlib import Path
from typing import NamedTuple

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import digest_of
from grpo_symbolic.proof.checkers import LIMIT, discharge
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.digest import deciding_code
from grpo_symbolic.proof.search.sampling import Sampling, unclear
from grpo_symbolic.proof.statements.arithmetic import Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Outcome, Verdict, crosscheck, settle
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.proof.statements.statement import Equal, Every, Narrowed, On, Statement, When, conclusions
from grpo_symbolic.verification.store import Store

MOST = 12  # mutants for one claim
_DENSE = Sampling(points=2000)  # a second or two for a formula; asked of what no checker proves or refutes
# What building a changed claim may raise: the change makes no statement.
NO_STATEMENT = (BadInput, Undefined, Unsupported, ValueError, TypeError, AttributeError, ZeroDivisionError)
_FLIPPED = {"<": sp.Gt, "<=": sp.Gt, ">": sp.Lt, ">=": sp.Lt, "==": sp.Ne, "!=": sp.Eq}


@dataclass(frozen=True)
class Mutant:
    """A changed claim: what was changed, what would have to be shown, what would follow, whether the claim itself is
    open, and the changed statement with its domain.
    """

    claim: str
    change: str
    obligations: tuple[Obligation, ...]
    open: bool = False
    limit: float = 4.0 * LIMIT
    follows: Callable[[], Iterable[Obligation]] = tuple
    changed: tuple[Statement, Domain] | None = None

    def run(self) -> str:
        """refuted, equivalent, survived or unknown."""
        status = self._premises()
        if status not in ("survived", "unknown"):
            return status
        for obligation in self.follows():  # a rule's premise that fails refutes nothing, but this does
            if settle(discharge(obligation, limit=LIMIT / 4, doubtful=True))[0] is Outcome.refuted:
                return "refuted"
        return status

    def _fails_somewhere(self) -> bool:
        """Whether many more points than a checker draws have a witness, which may lie in a corner of the domain."""
        sampled = (o for o in self.obligations if _DENSE.applies(o))
        return any(_DENSE.check(o).outcome is Outcome.refuted for o in sampled)

    def _premises(self) -> str:
        """The status by what would have to be shown."""
        outcomes = []
        for obligation in self.obligations:
            evidence = discharge(obligation, limit=LIMIT / 4, doubtful=True)
            if crosscheck(evidence) == "diverge":
                return "survived"
            # A premise that the change makes false need not make the sentence false; the proof is lost with it.
            outcome, grade = settle(evidence)
            if outcome is Outcome.refuted:
                return "refuted"
            if any(e.finds_undefined for e in evidence):
                return "refuted"  # changed like this, the statement has no meaning somewhere on its domain
            outcomes.append((outcome, grade))
        if any(outcome is Outcome.unknown for outcome, _ in outcomes):
            return "unknown"
        if all(grade.is_proof for _, grade in outcomes):
            return "equivalent"
        if self._fails_somewhere():
            return "refuted"
        return "unknown" if self.open else "survived"


class Status(NamedTuple):
    """What became of one mutant: what was changed, the key under which a store keeps its status, and the status."""

    change: str
    key: str
    status: str


@dataclass(frozen=True)
class Judged:
    """The statuses of a claim's mutants as a task of the pool, which makes the mutants where it judges them; ``only``:
    of the one with this number. What the ``store`` knows is not judged again.
    """

    claim: Claim
    store: Store | None = None
    only: int | None = None
    limit: float = 4.0 * LIMIT

    def run(self) -> list[Status]:
        made = mutants(self.claim)
        chosen = made if self.only is None else made[self.only : self.only + 1]
        return [Status(m.change, key := status_key(m), self._known(key) or m.run()) for m in chosen]

    def _known(self, key: str) -> str | None:
        known = None if self.store is None else self.store.noted("mutants", key)
        return known if known in ("refuted", "equivalent", "survived") else None


def status_key(mutant: Mutant) -> str:
    """The identity of a mutant's status: what would have to be shown, whether its claim is open, and the code that
    decides.
    """
    body = [_version(), str(mutant.open), *(o.key() for o in mutant.obligations)]
    return hashlib.sha256("|".join(body).encode()).hexdigest()


@cache
def _version() -> str:
    here = Path(__file__)
    return digest_of([here], here.parent, deciding_code())


def mutants(claim: Claim, most: int = MOST) -> list[Mutant]:
    """At most ``most`` mutants, taken in turn from every operator that applies to the claim's form."""
    made: list[Mutant] = []
    seen = {o.key() for o in claim.whole.obligations(claim.domain)}
    taken: set[str] = set()  # by the mutants so far
    for change, statement, domain in _interleaved(claim.whole, claim.domain):
        try:
            new = tuple(o for o in statement.obligations(domain) if o.key() not in seen)
        except NO_STATEMENT:
            continue
        if not new or any(o.key() in taken for o in new):
            continue
        open_ = claim.expect in (Verdict.supported, Verdict.unknown)
        follows = partial(_following, claim, statement, domain)
        made.append(Mutant(claim.id, change, new, open_, follows=follows, changed=(statement, domain)))
        taken |= {o.key() for o in new}
        if len(made) == most:
            break
    return made


def _following(claim: Claim, statement: Statement, domain: Domain) -> list[Obligation]:
    """What follows from the changed sentence, and not from the claim as it is."""
    known = {o.key() for _, o in claim.implied()}
    try:
        implied = [o for part, where in conclusions(statement, domain) for o in part.implied(where)]
    except NO_STATEMENT:
        return []
    return [o for o in implied if o.key() not in known]


def _interleaved(statement: Statement, domain: Domain) -> Iterator[tuple[str, Statement, Domain]]:
    """Three changes of the statement, then one of the domain, and so on; none is made before it is asked for."""
    changed = ((label, s, domain) for label, s in _statement_mutants(statement))
    relaxed = ((label, statement, d) for label, d in _domain_mutants(domain))
    for group in zip_longest(changed, changed, changed, relaxed):
        yield from (m for m in group if m is not None)


def _domain_mutants(domain: Domain) -> Iterator[tuple[str, Domain]]:
    for constraint in domain.constraints:
        integral = len(constraint.free_symbols) == 1 and any(s.is_integer for s in constraint.free_symbols)
        if integral or isinstance(constraint, sp.Equality):
            continue  # it says what a symbol is, not what is assumed of it
        try:
            relaxed = domain.without(constraint)
            if unclear(relaxed):
                continue  # what else is supposed has a meaning only with it
        except NO_STATEMENT:
            continue
        yield f"without {constraint}", relaxed


def _statement_mutants(statement: Statement) -> Iterator[tuple[str, Statement]]:
    if isinstance(statement, Every):
        for row in zip_longest(*map(_statement_mutants, statement.statements)):
            for index, changed in enumerate(row):
                if changed is not None:
                    label, part = changed
                    parts = [*statement.statements[:index], part, *statement.statements[index + 1 :]]
                    yield label, Every(*parts)
        return
    if isinstance(statement, Narrowed):
        for label, inner in _statement_mutants(statement.statement):
            yield label, replace(statement, statement=inner)  # type: ignore[call-arg]
        if isinstance(statement, On):
            yield from (
                (label, replace(statement, domain=domain)) for label, domain in _domain_mutants(statement.domain)
            )
        elif isinstance(statement, When):
            yield f"without {statement.condition}", statement.statement
        return
    for name in statement.claimed:
        value = getattr(statement, name)
        if name in ("direction", "sense"):
            yield "the opposite direction", replace(statement, **{name: -value})
            continue
        if name == "count":
            yield "one root more", replace(statement, **{name: value + 1})
            yield "one root fewer", replace(statement, **{name: value - 1})
            continue
        for label, e in changes(sp.sympify(value)):
            yield label, _with_lemmas(replace(statement, **{name: e}), label)
        if isinstance(statement, Equal) and sp.sympify(value).is_number and not sp.sympify(statement.left).is_number:
            yield from ((label, replace(statement, left=e)) for label, e in expressions(sp.sympify(statement.left)))


def _with_lemmas(mutant: Statement, change: str) -> Statement:
    """A mutant that doubles a symbol or exchanges two may be true, by the lemmas of the claim at the changed symbols:
    they are given there too, since a lemma is true everywhere.
    """
    using = getattr(mutant, "using", ())
    symbols = sorted({s for i in using for a in i.arguments for s in sp.sympify(a).free_symbols}, key=str)
    rules = [{s: 2 * s} for s in symbols if change == _double(s)]
    rules += [{a: b, b: a} for a, b in combinations(symbols, 2) if change == _exchange(a, b)]
    more = tuple(i.at(lambda a, r=r: sp.sympify(a).xreplace(r)) for r in rules for i in using)
    return replace(mutant, using=(*using, *more)) if more else mutant  # type: ignore[call-arg]


def _double(symbol: sp.Symbol | sp.IndexedBase) -> str:
    return f"{symbol} doubled"


def _exchange(left: sp.Expr, right: sp.Expr) -> str:
    return f"{left} and {right} exchanged"


def changes(value: sp.Basic) -> Iterator[tuple[str, sp.Basic]]:
    """Mutants of a formula or of an expression, or of one of several."""
    if isinstance(value, sp.Tuple):
        for place, part in enumerate(value):
            yield from ((label, sp.Tuple(*value[:place], e, *value[place + 1 :])) for label, e in changes(part))
        return
    if not isinstance(value, sp.logic.boolalg.Boolean) or isinstance(value, sp.Symbol):
        yield from expressions(value)
        return
    relations = sorted(value.atoms(Relational), key=str)  # the parts of a conjunction have no order of their own
    for r in relations:
        yield f"{r.rel_op} reversed", _replaced(value, r, _FLIPPED[r.rel_op](r.lhs, r.rhs))
        if r.rel_op in ("<=", ">="):
            yield "made strict", _replaced(value, r, (sp.Lt if r.rel_op == "<=" else sp.Gt)(r.lhs, r.rhs))
    for r in relations:
        for side in ("lhs", "rhs"):
            for label, e in expressions(getattr(r, side)):
                sides = (e, r.rhs) if side == "lhs" else (r.lhs, e)
                try:
                    changed = _replaced(value, r, r.func(*sides))
                except TypeError:  # a comparison of what is not real is no statement
                    continue
                yield label, changed


def _replaced(formula: sp.Basic, old: sp.Basic, new: sp.Basic) -> sp.Basic:
    return new if formula == old else formula.xreplace({old: new})


def expressions(e: sp.Expr) -> Iterator[tuple[str, sp.Expr]]:
    """Mutants of an expression: signs, factors, exponents, exchanged symbols, dropped terms."""
    if e.is_infinite:
        yield "the opposite sign", -e
        yield "a finite value", sp.S.Zero
        return
    if e == 0:
        yield "one instead of zero", sp.S.One
        return
    nodes = list(sp.preorder_traversal(e))
    entries = sorted(e.atoms(sp.Indexed), key=str)
    names = {entry.base.label for entry in entries}  # of families, which no number can replace
    symbols = sorted((s for s in e.free_symbols if s.is_Symbol and not s.is_integer and s not in names), key=str)
    yield "the opposite sign", -e
    yield "twice as much", 2 * e
    for left, right in combinations(symbols, 2):
        if not any(left in x.free_symbols for x in entries):
            yield _exchange(left, right), e.xreplace({left: right, right: left})
    for left, right in combinations(entries, 2):
        if left.indices == right.indices:
            yield _exchange(left, right), e.xreplace({left: right, right: left})
    for node in nodes:
        if isinstance(node, sp.Add):
            for term in node.args:
                yield f"the sign of {term}", _replaced(e, node, node - 2 * term)
                yield f"without {term}", _replaced(e, node, node - term)
        elif isinstance(node, sp.Pow):
            yield f"exponent of {node}", _replaced(e, node, node.base ** (node.exp + 1))
    varied = {v for d in e.atoms(sp.Derivative) for v in d.variables}  # along which nothing but a symbol can lie
    for s in (s for s in symbols if s not in varied):
        yield _double(s), e.xreplace({s: 2 * s})
    if e.is_number:
        yield "one more", e + 1
