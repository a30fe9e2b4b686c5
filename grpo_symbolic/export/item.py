"""What can be exported, in one shape: a whole statement or expression, its domain, and the functions it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from grpo_symbolic import notation
from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.maxima import LocalMaximum
from grpo_symbolic.proof.rules.roots import UniqueRoot
from grpo_symbolic.proof.rules.sums import EQUALITY
from grpo_symbolic.proof.statements.domain import Domain, Family, positives, reals, simplex
from grpo_symbolic.proof.statements.statement import (
    FAMILY,
    Always,
    By,
    Equal,
    Every,
    Exists,
    Narrowed,
    On,
    Roots,
    Statement,
    Tends,
    When,
)

if TYPE_CHECKING:
    from grpo_symbolic.objectives import Advantage, Divergence, Objective
    from grpo_symbolic.optimality.dynamics import SuccessRecursion
    from grpo_symbolic.theory.interface import Theory

_NO_CLAIM = "an expression, and no claim"


@dataclass(frozen=True)
class Part:
    """One function of an item: ``name`` (unique within it), what it is in words, and the domain of its symbols."""

    name: str
    expression: sp.Basic
    meaning: str
    domain: Domain | None


@dataclass(frozen=True)
class Item:
    """A thing to export. ``statement`` is the whole as one SymPy object; ``parts`` are real or Boolean functions."""

    id: str
    title: str
    statement: sp.Basic
    domain: Domain | None
    parts: tuple[Part, ...]
    claim: Claim | None = None
    about: str = ""  # why it has no verdict, where it is no claim

    def omissions(self, domains: bool = True, examples: bool = True) -> str:
        """What the statement as one formula does not show, in words: parts with domains of their own (left out where
        the format writes these), and parts that say that there is a point and not that all points are such (left out
        where it writes that of the whole).
        """
        phrases = []
        kinds = list(_kinds(self.claim.whole)) if self.claim else []
        if domains and self.claim and FAMILY in self.claim.whole.unsaid:
            phrases.append(
                "parts of the claim have families of their own, of which the formula does not show the domain"
            )
        if self.claim and not all(map(_has_formula, _single(self.claim.whole))):
            phrases.append("parts of the claim are sentences for which SymPy has no formula")
        if Exists in kinds and (examples or not self.existential):
            phrases.append("parts of the claim say that a point exists, which the formula does not show")
        if self.claim and EQUALITY in self.claim.whole.unsaid:
            phrases.append("parts of the claim say where both sides are equal, which the formula does not show")
        return "; ".join(phrases)

    @property
    def existential(self) -> bool:
        """Whether the whole says that there is a point of the domain, not that all points are such."""
        return self.claim is not None and [*_kinds(self.claim.whole)] == [Exists]

    def at(self, values: Mapping[str, int]) -> Item:
        """The same with whole numbers for integer symbols, such as ``{"n": 3}``: the number of answers."""
        if not values:
            return self
        rule = _numbers(self, values)
        domain = None if self.domain is None else _instance(self.domain, rule)
        seen: dict[Domain | None, Domain | None] = {None: None, self.domain: domain}
        parts = []
        for part in self.parts:
            if part.domain not in seen:
                assert part.domain is not None
                seen[part.domain] = _instance(part.domain, rule)
            parts.append(replace(part, expression=_put(part.expression, rule), domain=seen[part.domain]))
        text = ", ".join(f"{symbol} = {number}" for symbol, number in rule.items())
        return replace(
            self,
            title=f"{self.title}; for {text}",
            statement=_put(self.statement, rule),
            domain=domain,
            parts=tuple(parts),
            about=self.about or f"an instance ({text}) of {self.id}, which was judged as a whole",
        )


def item(thing: Any, domain: Domain | None = None, name: str = "expression") -> Item:
    """The item of a claim, an objective, its advantage or divergence, a theory, a success recursion, one of
    :data:`NAMED`, or a SymPy expression on ``domain``.

    Raises :class:`BadInput` for anything else, and for an unknown name.

    >>> [part.name for part in item("pairs").parts]
    ['value']
    """
    if isinstance(thing, str):
        return _named(thing)
    if isinstance(thing, Claim):
        parts = tuple(_unique(_parts(thing.whole, thing.domain)))
        return Item(thing.id, thing.title, _formula(thing.whole), thing.domain, parts, thing)
    from grpo_symbolic.objectives import Advantage, Divergence, Objective

    if isinstance(thing, Objective):
        return _objective(thing)
    if isinstance(thing, Advantage):
        return _advantage(thing)
    if isinstance(thing, Divergence):
        return _divergence(thing)
    if type(thing).__name__ == "Theory":
        return _theory(thing)
    if type(thing).__name__ == "SuccessRecursion":
        return _recursion(thing)
    if not isinstance(thing, sp.Expr | Boolean):
        raise BadInput(
            f"cannot export {type(thing).__name__}: expected the id of a claim, a claim, an objective, its advantage "
            f"or divergence, a theory, a success recursion, a SymPy expression or one of {', '.join(NAMED)}"
        )
    statement = Always(thing) if isinstance(thing, Boolean) else None
    parts = tuple(_unique(_parts(statement, domain))) if statement else (Part("value", thing, "the value", domain),)
    return Item(name, str(name), thing, domain, parts, about=_NO_CLAIM)


def _has_formula(statement: Statement) -> bool:
    """Whether SymPy can say the statement, or some part of a conjunction."""
    if isinstance(statement, Every):
        return any(map(_has_formula, statement.statements))
    try:
        _ = statement.expression
    except BadInput:
        return False
    return True


def _formula(statement: Statement) -> sp.Basic:
    """A statement in SymPy, without the parts that it has no formula for.

    Raises :class:`BadInput` where there is no other part.
    """
    if not isinstance(statement, Every) or not _has_formula(statement):
        return statement.expression
    return sp.And(*(_formula(s) for s in statement.statements if _has_formula(s)), evaluate=False)


# -- the functions of a statement -------------------------------------------------------------------------------------


def _parts(statement: Statement, domain: Domain | None, prefix: str = "") -> Iterator[Part]:
    def part(name: str, expression: sp.Basic, meaning: str) -> Part:
        return Part(prefix + name, sp.sympify(expression), meaning, domain)

    match statement:
        case Every():
            for number, each in enumerate(statement.statements, start=1):
                yield from _parts(each, domain, f"{prefix}part{number}_")
        case On():
            yield from _parts(statement.statement, statement.domain, prefix)
        case When():
            condition = statement.condition
            given = condition.args if isinstance(condition, sp.And) else (condition,)
            yield from _parts(statement.statement, domain.also(*given) if domain else Domain(*given), prefix)
        case By():
            yield from _parts(statement.statement, domain, prefix)
        case Equal():
            yield part("left", statement.left, f"{statement.label}: the left side")
            yield part("right", statement.right, f"{statement.label}: the right side, equal to it")
        case Always() | Exists():
            yield from _of_formula(statement.formula, statement.label, part)
        case Tends():
            goal = f"{statement.label}: tends to {statement.value} as {statement.variable} → {statement.point}"
            yield part("body", statement.body, goal)
        case Monotone() | Curved():
            order = 1 if isinstance(statement, Monotone) else 2
            yield part("body", statement.body, statement.label)
            slope = sp.diff(statement.body, statement.variable, order)
            yield part("derivative", slope, f"{statement.label}: derivative {order} in {statement.variable}")
        case UniqueRoot():
            yield part("polynomial", statement.polynomial, f"{statement.label}: vanishes at the root")
            yield part("root", statement.root, f"{statement.label}: the root in {statement.variable}")
        case Roots():
            yield part("polynomial", statement.polynomial, f"{statement.label}: has {statement.count} roots")
        case LocalMaximum():
            yield part("objective", statement.objective, f"{statement.label}: the function")
            yield part("at", statement.at, f"{statement.label}: where, in {statement.variable}")
        case _ if _has_formula(statement):
            yield part("holds", statement.expression, "whether it holds")


def _of_formula(formula: sp.Basic, label: str, part: Callable[[str, sp.Expr, str], Part]) -> Iterator[Part]:
    formula = sp.sympify(formula)
    if isinstance(formula, sp.Equality):
        yield part("left", formula.lhs, f"{label}: the left side")
        yield part("right", formula.rhs, f"{label}: the right side, equal to it")
    elif isinstance(formula, Relational):
        low = formula.rel_op in ("<", "<=")
        margin = formula.rhs - formula.lhs if low else formula.lhs - formula.rhs
        text = {"<": "> 0", "<=": "≥ 0", ">": "> 0", ">=": "≥ 0", "!=": "≠ 0"}[formula.rel_op]
        yield part("left", formula.lhs, f"{label}: the left side")
        yield part("right", formula.rhs, f"{label}: the right side")
        yield part("margin", margin, f"{label}: the margin, {text} where the claim holds")
    else:
        yield part("holds", formula, f"{label}: whether it holds")


def _single(statement: Statement) -> Iterator[Statement]:
    """The statements of a conjunction, one by one."""
    if isinstance(statement, Every):
        for each in statement.statements:
            yield from _single(each)
    else:
        yield statement


def _kinds(statement: Statement) -> Iterator[type[Statement]]:
    for each in _single(statement):
        yield type(each)
        if isinstance(each, Narrowed):
            yield from _kinds(each.statement)


def _unique(parts: Iterator[Part]) -> Iterator[Part]:
    seen: set[str] = set()
    for part in parts:
        name, number = part.name, 2
        while name in seen:
            name, number = f"{part.name}_{number}", number + 1
        seen.add(name)
        yield replace(part, name=name)


# -- instances ------------------------------------------------------------------------------------------------------


def _numbers(of: Item, values: Mapping[str, int]) -> dict[sp.Symbol, sp.Integer]:
    whole: dict[str, sp.Symbol] = {}
    for part in of.parts:
        symbols = set(part.expression.free_symbols) | (set(part.domain.symbols) if part.domain else set())
        whole |= {s.name: s for s in symbols if isinstance(s, sp.Symbol) and s.is_integer}
    rule = {}
    for name, number in values.items():
        if name not in whole:
            there = ", ".join(sorted(whole)) or "none"
            raise BadInput(f"{of.id} has no integer symbol {name!r} to put a number in for; it has {there}")
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 1000:
            raise BadInput(f"{name} must be a whole number from 0 to 1000, got {number!r}")
        rule[whole[name]] = sp.Integer(number)
    return rule


def _put(expression: sp.Basic, rule: dict[sp.Symbol, sp.Integer]) -> Any:
    """As ``xreplace``, leaving the bound indices of sums alone."""
    if isinstance(expression, sp.Sum | sp.Product):
        bound = {limit[0] for limit in expression.limits}
        inner = {s: v for s, v in rule.items() if s not in bound}
        limits = [sp.Tuple(limit[0], *(_put(e, rule) for e in limit[1:])) for limit in expression.limits]
        return expression.func(_put(expression.function, inner), *limits)
    if not expression.args:
        return rule.get(expression, expression)
    args = [_put(a, rule) for a in expression.args]
    return expression if all(a is b for a, b in zip(args, expression.args, strict=True)) else expression.func(*args)


def _instance(domain: Domain, rule: dict[sp.Symbol, sp.Integer]) -> Domain:
    families = [
        Family(f.base, f.size.xreplace(rule), f.positive, None if f.total is None else f.total.xreplace(rule))
        for f in domain.families
    ]
    return Domain(*(s for s in domain.free if s not in rule), *families, *(_put(c, rule) for c in domain.constraints))


# -- objectives, stationary policies, recursions --------------------------------------------------------------------


def _objective(objective: Objective) -> Item:
    from grpo_symbolic.objectives import Answers

    n, o = notation.n, notation.o
    value = objective.value(notation.pi, notation.old, notation.ref, lambda a: notation.P[a], Answers(n), o)
    strength = sp.sympify(objective.beta)
    domain = Domain(
        n >= 2,
        *([strength > 0] if strength.free_symbols else []),
        simplex(notation.pi, n),
        simplex(notation.old, n),
        simplex(notation.ref, n),
        reals(notation.P, n),
    )
    meaning = "the objective for n answers, P the expected group-relative preference under the old policy"
    return _value("objective", meaning, value, domain)


def _advantage(of: Advantage) -> Item:
    from grpo_symbolic.optimality import advantage_in_group, gap_weight

    if of.others_deviation:
        raise BadInput("the deviation of the other members has cases for every group: export the setting that has it")
    k, size = notation.k, notation.G
    domain = _domain((k >= 1, k <= size - 1, size >= 2), advantage_in_group(1, k, size, of))
    right, wrong = (advantage_in_group(reward, k, size, of) for reward in (1, 0))
    parts = (
        Part("right", right, "the advantage of a right member, k of G being right", domain),
        Part("wrong", wrong, "the advantage of a wrong member", domain),
        Part("gap", gap_weight(k, size, of), "what such a group adds to the gap of expected advantages", domain),
    )
    title = "the advantages of a group of G with k right members"
    return Item("advantage", title, parts[0].expression, domain, parts, about=_NO_CLAIM)


def _divergence(of: Divergence) -> Item:
    from grpo_symbolic.objectives import Answers, binary

    x, y, p = (binary(s) for s in (notation.x, notation.y, notation.p))
    value = of.expected(x, p, y, Answers(2), notation.o, binary(notation.z))
    domain = _domain(_probabilities(), value)
    title = "the expected divergence of two answers: x the policy, y the old policy, p the reference"
    return _value("divergence", title, value, domain)


def _theory(of: Theory) -> Item:
    meanings = {
        "objective": "the frozen objective: x the policy, y the old policy, p the reference",
        "gap": "the gap of the expected advantages, on-policy",
        "gradient": "the slope of the objective, on-policy",
        "curvature": "the second derivative of the objective, on-policy",
        "closed_form": "the stationary policy",
    }
    values = {name: getattr(of, name) for name in meanings}
    inside = _probabilities()
    parts = tuple(
        Part(name, value, meanings[name], _domain(inside, value)) for name, value in values.items() if value is not None
    )
    whole = of.stationary
    return Item("theory", f"the theory of {of.point}", whole, _domain(inside, whole), parts, about=_NO_CLAIM)


def _probabilities() -> tuple[sp.logic.boolalg.Boolean, ...]:
    """That the probabilities of an answer under all policies lie inside (0, 1)."""
    return tuple(c for s in (notation.x, notation.y, notation.p, notation.z) for c in (0 < s, s < 1))


def _domain(constraints: tuple[sp.logic.boolalg.Boolean, ...], expression: sp.Basic) -> Domain:
    """Those of the constraints whose symbols the expression has, and positive parameters."""
    symbols = sp.sympify(expression).free_symbols
    given = [c for c in constraints if c.free_symbols <= symbols]
    covered = {s for c in given for s in c.free_symbols}
    return Domain(*given, *(s > 0 for s in sorted(symbols - covered, key=str)))


def _recursion(run: SuccessRecursion) -> Item:
    text = f"the success map h of p_ref = {run.p_ref}, β = {run.beta}, guard {run.guard}"
    return _value("recursion", text, run.h, Domain(0 < notation.success, notation.success < 1))


def _named(name: str) -> Item:
    from difflib import get_close_matches

    if name not in NAMED:
        near = get_close_matches(name, NAMED, n=2)
        raise BadInput(
            f"there is nothing called {name!r} to export{'; did you mean ' + ', '.join(near) if near else ''}"
        )
    return NAMED[name]()


def _value(id: str, title: str, value: sp.Expr, domain: Domain, see: str = "") -> Item:
    about = f"{_NO_CLAIM}{'; the claim about it is ' + see if see else ''}"
    return Item(id, title, value, domain, (Part("value", value, title, domain),), about=about)


def _pairs() -> Item:
    from grpo_symbolic.optimality import pairs

    inside = Domain(0 < notation.p, notation.p < 1, notation.b > 0)
    return _value("pairs", "the stationary policy of groups of two, b = β/γ", pairs(), inside, "vy-eq14")


def _large_groups() -> Item:
    from grpo_symbolic.optimality import large_groups

    inside = Domain(0 < notation.p, notation.p < 1, notation.beta > 0)
    return _value("large-groups", "the stationary policy of large groups", large_groups(), inside, "vy-eq15")


def _success_map() -> Item:
    from grpo_symbolic.objectives import Advantage
    from grpo_symbolic.optimality.response import best_response
    from grpo_symbolic.setting import PenaltyName

    s, ref, strength, guard = notation.success, notation.success_ref, notation.beta, notation.guard
    value = best_response(Advantage(guard=guard), sp.oo, PenaltyName.REVERSE_KL)
    domain = Domain(0 < s, s < 1, 0 < ref, ref < 1, strength > 0, guard > 0)
    return _value("success-map", "the map h of the success probability, direct KL", value, domain, "mr-thm2-h")


def _grpo() -> Item:
    from grpo_symbolic.objectives import grpo

    return replace(_objective(grpo(notation.beta)), id="grpo")


def _grpo_pairs() -> Item:
    from grpo_symbolic.objectives import binary, grpo

    x, y, p, strength, margin = notation.x, notation.y, notation.p, notation.beta, notation.gamma
    value = grpo(strength, group_size=2).with_margin(binary(x), binary(y), binary(p), margin)
    domain = Domain(0 < x, x < 1, 0 < y, y < 1, 0 < p, p < 1, strength > 0, -1 <= margin, margin <= 1)
    return _value("grpo-pairs", "GRPO's objective for two answers and groups of two", value, domain, "vy-B1-objective")


NAMED = {  # objectives, stationary policies and recursions that the command line knows by name
    "grpo": _grpo,
    "grpo-pairs": _grpo_pairs,
    "pairs": _pairs,
    "large-groups": _large_groups,
    "success-map": _success_map,
}


def kind_of(family: Family) -> str:
    """The name of a family's kind: simplex, positive or real."""
    if family.total is not None:
        return "simplex"
    return "positive" if family.positive else "real"


def family_of(kind: str, base: sp.IndexedBase, size: sp.Expr, total: sp.Expr | None) -> Family:
    """A family by the name of its kind: simplex (of ``total``), positive or real."""
    if kind == "simplex":
        return simplex(base, size, total)
    return positives(base, size) if kind == "positive" else reals(base, size)
