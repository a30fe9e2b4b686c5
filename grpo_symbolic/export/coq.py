"""SymPy to Coq: an obligation as a statement over the real numbers of Coq's standard library.

Coq's functions are total: ``1/0``, ``ln (-1)`` and ``sqrt (-1)`` are real numbers of which nothing useful is known. A
statement therefore says two things on its domain: that every denominator, logarithm and root in it is defined
(:attr:`Statement.defined`), and what is claimed (:attr:`Statement.goal`). Both are part of the theorem.

The translation is exact, or :class:`Unsupported` names what has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.export.coq_names import (
    Position,
    Unsupported,
    identifier,
    long_sum,
    primed,
    with_positions,
    within,
)
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.obligation import Holds, Identity, Obligation, RootCount, Witness, formula_of

_FUNCTIONS = {sp.exp: "exp", sp.log: "ln", sp.cosh: "cosh", sp.sinh: "sinh", sp.tanh: "tanh", sp.sign: "sgn"}
_RELATIONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "=", "!=": "<>"}
_SIGNS = {
    "positive": "(0 < {})",
    "negative": "({} < 0)",
    "nonnegative": "(0 <= {})",
    "nonpositive": "({} <= 0)",
    "nonzero": "({} <> 0)",
}
_TESTS = {"<": "Rlt_dec", "<=": "Rle_dec", ">": "Rgt_dec", ">=": "Rge_dec", "==": "Req_EM_T"}


@dataclass(frozen=True)
class Statement:
    """A theorem: for all ``variables`` (real numbers), ``hypotheses`` imply ``defined`` and ``goal``."""

    variables: tuple[str, ...]
    hypotheses: tuple[str, ...]
    defined: tuple[str, ...]
    goal: str
    others: tuple[tuple[str, str], ...] = ()  # variables that are no real numbers, each with its type

    @property
    def names(self) -> tuple[str, ...]:
        """All variables in their order."""
        return (*self.variables, *(name for name, _ in self.others))

    @property
    def text(self) -> str:
        """The statement in Coq's syntax.

        >>> from sympy import symbols
        >>> x = symbols("x", real=True)
        >>> print(statement(Holds(Domain(x > 0), 1 / x > 0)).text)
        forall (x : R),
          (x > 0) ->
          (x <> 0) /\\
          ((/ x) > 0)
        """
        typed = [f"({' '.join(self.variables)} : R)"] if self.variables else []
        typed += [f"({name} : {kind})" for name, kind in self.others]
        quantified = [f"forall {' '.join(typed)},"] if typed else []
        lines = [*(f"{h} ->" for h in self.hypotheses), *(f"{d} /\\" for d in self.defined), self.goal]
        return "\n  ".join([*quantified, *lines])


def term(e: Any) -> str:
    """An expression as a Coq term of type ``R``, in parentheses where it is not an atom."""
    e = sp.sympify(e)
    if isinstance(e, Position):
        return f"(INR {e.text})"
    if isinstance(e, sp.Symbol):
        return identifier(e)
    if isinstance(e, sp.Indexed):
        if len(e.indices) == 1 and isinstance(e.indices[0], Position):
            return f"({identifier(e.base.label)} {e.indices[0].text})"
        if not all(i.is_Integer for i in e.indices):
            raise Unsupported(f"{e} is an entry of a family at an index that is no number")
        return identifier(e)
    if e.is_Integer:
        return str(e) if e >= 0 else f"(- {-e})"
    if e.is_Rational:
        return f"({e.p} / {e.q})" if e.p > 0 else f"(- ({-e.p} / {e.q}))"
    if e == sp.pi:
        return "PI"
    if e == sp.E:
        return "(exp 1)"
    if isinstance(e, sp.Add):
        return f"({' + '.join(map(term, e.args))})"
    if isinstance(e, sp.Mul):
        return f"({' * '.join(map(term, e.args))})"
    if isinstance(e, sp.Pow):
        return _power(e)
    if isinstance(e, sp.Abs):
        return f"(Rabs {term(e.args[0])})"
    if isinstance(e, sp.Max | sp.Min):
        name = "Rmax" if isinstance(e, sp.Max) else "Rmin"
        return _nested(name, [term(a) for a in e.args])
    if isinstance(e, sp.Piecewise):
        return _cases(list(e.args))
    if isinstance(e, sp.KroneckerDelta) and all(isinstance(a, Position) for a in e.args):
        return f"(if Nat.eq_dec {e.args[0].text} {e.args[1].text} then 1 else 0)"
    if isinstance(e, sp.Sum) and (inner := long_sum(e)) is not None:
        body, index, size = inner
        return f"(total (fun {index.text} : nat => {term(body)}) {primed(size)})"
    if isinstance(e, sp.Sum | sp.Product):
        terms = _unfolded(e)
        return f"({(' + ' if isinstance(e, sp.Sum) else ' * ').join(map(term, terms))})"
    if type(e) in _FUNCTIONS and len(e.args) == 1:
        return f"({_FUNCTIONS[type(e)]} {term(e.args[0])})"
    raise Unsupported(f"{e} has no translation to Coq")


def _power(e: sp.Pow) -> str:
    base, exponent = e.base, e.exp
    if exponent.is_Integer:
        power = abs(int(exponent))
        inner = term(base) if power == 1 else f"({term(base)} ^ {power})"
        return inner if exponent > 0 else f"(/ {inner})"
    if exponent.is_Rational and exponent.q == 2:
        power = abs(int(exponent.p))
        root = f"(sqrt {term(base)})"
        inner = root if power == 1 else f"({root} ^ {power})"
        return inner if exponent > 0 else f"(/ {inner})"
    return f"(Rpower {term(base)} {term(exponent)})"


def _unfolded(e: Any) -> list[Any]:
    """The terms of a sum or the factors of a product over a range of numbers."""
    *inner, (index, low, high) = e.limits
    if not (low.is_Integer and high.is_Integer and low <= high):
        raise Unsupported(f"{e} runs over a range that is not given in numbers")
    body = e.func(e.function, *inner) if inner else e.function
    return [body.xreplace({index: sp.Integer(k)}) for k in range(int(low), int(high) + 1)]


def _nested(name: str, parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({name} {parts[0]} {_nested(name, parts[1:])})"


def _cases(branches: list[Any]) -> str:
    value, condition = branches[0]
    if condition == sp.true:
        return term(value)
    if len(branches) == 1:
        raise Unsupported(f"a distinction that ends with {condition} has no branch for every case")
    return _choice(condition, term(value), _cases(branches[1:]))


def _choice(condition: Any, yes: str, no: str) -> str:
    if isinstance(condition, sp.And | sp.Or):
        first, *rest = condition.args
        remaining = condition.func(*rest, evaluate=False) if len(rest) > 1 else rest[0]
        inner = _choice(remaining, yes, no)
        return _choice(first, inner, no) if isinstance(condition, sp.And) else _choice(first, yes, inner)
    if isinstance(condition, sp.Not):
        return _choice(condition.args[0], no, yes)
    if isinstance(condition, Relational):
        if condition.rel_op == "!=":
            return f"(if Req_EM_T {term(condition.lhs)} {term(condition.rhs)} then {no} else {yes})"
        return f"(if {_TESTS[condition.rel_op]} {term(condition.lhs)} {term(condition.rhs)} then {yes} else {no})"
    raise Unsupported(f"{condition} is no condition that Coq can decide")


def formula(f: Any) -> str:
    """A Boolean combination of relations as a Coq proposition."""
    if f in (sp.true, True):
        return "True"
    if f in (sp.false, False):
        return "False"
    if isinstance(f, sp.Not):
        return f"(~ {formula(f.args[0])})"
    if isinstance(f, sp.And | sp.Or):
        connective = " /\\ " if isinstance(f, sp.And) else " \\/ "
        return f"({connective.join(map(formula, f.args))})"
    if isinstance(f, sp.Implies):
        return f"({formula(f.args[0])} -> {formula(f.args[1])})"
    if isinstance(f, sp.Equivalent):
        if len(f.args) != 2:
            raise Unsupported(f"{f} compares more than two statements")
        return f"({formula(f.args[0])} <-> {formula(f.args[1])})"
    if isinstance(f, Relational) and f.rel_op in _RELATIONS:
        return f"({term(f.lhs)} {_RELATIONS[f.rel_op]} {term(f.rhs)})"
    raise Unsupported(f"{f} is no proposition of real arithmetic")


def defined(e: Any, guards: tuple[str, ...] = ()) -> list[str]:
    """What must hold for every part of an expression or formula to have a value, innermost first; each guarded by the
    case in which the part is read.
    """
    e = sp.sympify(e)
    found: list[str] = []
    if isinstance(e, sp.Implies):
        found += defined(e.args[0], guards)
        return found + defined(e.args[1], (*guards, formula(e.args[0])))
    if isinstance(e, sp.Piecewise):
        before = guards
        for value, condition in e.args:
            found += defined(condition, before)
            here = before if condition == sp.true else (*before, formula(condition))
            found += defined(value, here)
            before = (*before, f"(~ {formula(condition)})")
        return found
    if isinstance(e, sp.Sum) and (inner := long_sum(e)) is not None:
        body, index, size = inner
        return defined(body, (*guards, f"forall {index.text} : nat, {within(index, size)}"))
    if isinstance(e, sp.Sum | sp.Product):
        return list(dict.fromkeys(d for t in _unfolded(e) for d in defined(t, guards)))
    if isinstance(e, sp.Indexed) or e.is_Atom:
        return []
    for a in e.args:
        found += defined(a, guards)
    needed = _needed(e)
    if needed:
        found.append("".join(["(", *(f"{g} -> " for g in guards), needed, ")"]))
    return list(dict.fromkeys(found))


def _needed(e: Any) -> str:
    if isinstance(e, sp.log):
        argument = e.args[0]
        return "" if argument.is_Rational and argument > 0 else f"0 < {term(argument)}"
    if not isinstance(e, sp.Pow) or (e.exp.is_Integer and e.exp >= 0):
        return ""
    if e.base.is_Rational and (e.base > 0 or (e.exp.is_Integer and e.base != 0)):
        return ""
    if e.exp.is_Integer:
        return f"{term(e.base)} <> 0"
    if e.exp.is_Rational and e.exp.q == 2 and e.exp > 0:
        return f"0 <= {term(e.base)}"
    return f"0 < {term(e.base)}"


def assumptions(symbol: sp.Symbol) -> list[str]:
    """What the assumptions of a symbol say of it beside being real; raises :class:`Unsupported` for other ones."""
    sign = next((s for s in _SIGNS if symbol.assumptions0.get(s)), None)
    said = {"integer" if symbol.is_integer else "real": True, **({sign: True} if sign else {})}
    if symbol.assumptions0 != sp.Symbol("x", **said).assumptions0:
        raise Unsupported(f"the assumptions of {symbol} are not those of a real or whole number with a sign")
    whole = [f"(exists k' : Z, {term(symbol)} = IZR k')"] if symbol.is_integer else []
    return whole + ([_SIGNS[sign].format(term(symbol))] if sign else [])


def hypotheses(domain: Domain) -> tuple[list[Any], list[str]]:
    """The variables of a domain (symbols, then entries of families of a given size) and what it assumes of them and of
    families of any size, as Coq propositions.
    """
    variables: list[Any] = sorted(domain.symbols, key=lambda s: s.name)
    assumed = [of_symbol for s in variables for of_symbol in assumptions(s)]
    assumed += [formula(c) for c in domain.constraints]
    for family in domain.families:
        if not family.size.is_Integer:
            base, at = identifier(family.base.label), Position("i", integer=True)
            if family.positive:
                assumed.append(f"(forall i' : nat, {within(at, family.size)} -> 0 < {base} i')")
            if family.total is not None:
                assumed.append(f"(total {base} {primed(family.size)} = {term(family.total)})")
            continue
        entries = [family.base[i] for i in range(1, int(family.size) + 1)]
        variables += entries
        if family.positive:
            assumed += [f"(0 < {term(entry)})" for entry in entries]
        if family.total is not None:
            assumed.append(f"({term(sp.Add(*entries, evaluate=False))} = {term(family.total)})")
    return variables, list(dict.fromkeys(assumed))


def check_names(variables: Iterable[Any]) -> tuple[str, ...]:
    """The identifiers of variables; raises :class:`Unsupported` where two would be called alike."""
    names = [identifier(v) for v in variables]
    if len(set(names)) != len(names):
        raise Unsupported(f"two of the variables {', '.join(map(str, variables))} have the same name in Coq")
    return tuple(names)


def statement(obligation: Obligation) -> Statement:
    """The theorem that an obligation asks for; raises :class:`Unsupported` where it cannot be said exactly."""
    if isinstance(obligation, Witness):
        return _example(obligation)
    if isinstance(obligation, RootCount):
        return _roots(obligation)
    if not isinstance(obligation, Identity | Holds):
        raise Unsupported(f"an obligation of the form {type(obligation).__name__} is not translated")
    variables, assumed = hypotheses(obligation.domain)
    names = check_names(variables)
    claimed, others, ranges = with_positions(formula_of(obligation), obligation.domain)
    if set(names) & {name for name, _ in others}:
        raise Unsupported("a number and a family have the same name in Coq")
    _require_range(claimed, variables, obligation.domain)
    assumed = [*ranges, *assumed]
    if isinstance(obligation, Identity) and isinstance(obligation.left, sp.Derivative):
        if others:
            raise Unsupported("a derivative beside a family of any size")
        needed = dict.fromkeys([*defined(obligation.left.expr), *defined(obligation.right)])
        return Statement(names, tuple(assumed), tuple(needed), _derivative(obligation))
    if claimed.has(sp.Derivative, sp.Subs, sp.Integral, sp.Limit):
        raise Unsupported("a derivative inside an expression is not translated")
    return Statement(names, tuple(assumed), tuple(defined(claimed)), formula(claimed), others)


def _require_range(claimed: Any, variables: Sequence[Any], domain: Domain) -> None:
    """Every number that a formula speaks of is a variable of the theorem, and none a constant of Coq of that name."""
    labels = {f.base.label for f in domain.families}
    known = {*variables, *labels}
    loose = {s for s in claimed.free_symbols if not isinstance(s, Position) and s not in known}
    long = {f.base.label for f in domain.families if not f.size.is_Integer}
    bound = {limit[0] for e in claimed.atoms(sp.Sum, sp.Product) for limit in e.limits}
    loose = {s for s in loose if not (isinstance(s, sp.Indexed) and (s.base.label in long or s.free_symbols & bound))}
    for s in sorted(loose, key=str):
        raise Unsupported(f"the domain says nothing of {s}")


def _example(obligation: Witness) -> Statement:
    """That the point, written as equations, lies in the domain and has the property."""
    if obligation.domain.families or any(isinstance(v, list | tuple) for _, v in obligation.point):
        raise Unsupported("an example that gives numbers to a family is not translated")
    names = check_names([k for k, _ in obligation.point])
    missing = (obligation.domain.symbols | obligation.formula.free_symbols) - {k for k, _ in obligation.point}
    if missing:
        raise Unsupported(f"the example gives no value to {', '.join(sorted(map(str, missing)))}")
    assumed = [f"({name} = {term(value)})" for name, (_, value) in zip(names, obligation.point, strict=True)]
    parts = (*obligation.domain.constraints, obligation.formula)
    needed = [d for _, value in obligation.point for d in defined(value)] + [d for p in parts for d in defined(p)]
    claimed = [*(a for k, _ in obligation.point for a in assumptions(k)), *map(formula, parts)]
    return Statement(names, tuple(assumed), tuple(dict.fromkeys(needed)), " /\\ ".join(claimed))


def _roots(obligation: RootCount) -> Statement:
    """That the interval's ends are in order, and that there are numbers x'1 < x'2 < … such that the roots inside are
    these and no others.
    """
    if not isinstance(obligation.count, int) or obligation.count < 0:
        raise Unsupported(f"{obligation.count} is no number of roots")
    if assumptions(obligation.variable):
        raise Unsupported(f"{obligation.variable} is not any real number")
    if any(not f.size.is_Integer for f in obligation.domain.families):
        raise Unsupported("a count of roots beside a family of any size")
    variables, assumed = hypotheses(obligation.domain.apart_from(obligation.variable))
    names = check_names([*variables, obligation.variable])[:-1]
    x, found = term(obligation.variable), [f"{term(obligation.variable)}'{k + 1}" for k in range(obligation.count)]
    low, high = sp.sympify(obligation.lower), sp.sympify(obligation.upper)
    bounded = [e for e in (low, high) if e not in (sp.S.NegativeInfinity, sp.oo)]
    if low == sp.oo or high == sp.S.NegativeInfinity:
        raise Unsupported(f"from {low} to {high} there is no interval")
    if obligation.variable in low.free_symbols | high.free_symbols:
        raise Unsupported(f"an end of the interval depends on {obligation.variable}")
    inside = [f"({term(low)} < {x})"] if low in bounded else []
    inside += [f"({x} < {term(high)})"] if high in bounded else []
    bound = f"forall {x} : R, {' -> '.join(inside) or 'True'}"
    needed = [d for e in bounded for d in defined(e)]
    if len(bounded) == 2 and (low < high) != sp.true:
        needed.append(f"{term(low)} < {term(high)}")
    needed += defined(obligation.polynomial, (bound,))
    ordered = [f"({a} < {b}) /\\ " for a, b in pairwise(found)]
    root = " /\\ ".join([*inside, f"({term(obligation.polynomial)} = 0)"])
    one_of = " \\/ ".join(f"{x} = {name}" for name in found) or "False"
    exists = f"exists {' '.join(found)} : R, " if found else ""
    goal = f"{exists}{''.join(ordered)}forall {x} : R, ({root}) <-> ({one_of})"
    return Statement(names, tuple(assumed), tuple(dict.fromkeys(needed)), goal)


def _derivative(obligation: Identity) -> str:
    left = obligation.left
    if len(left.variable_count) != 1 or left.variable_count[0][1] != 1:
        raise Unsupported(f"{left} is no first derivative")
    variable = left.variable_count[0][0]
    name = term(variable)
    return f"(is_derive (fun {name} : R => {term(left.expr)}) {name} {term(obligation.right)})"
