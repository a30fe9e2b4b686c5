"""Proof scripts for Coq, put together from an obligation by a fixed method; Coq judges them, nothing here is believed.

The method: name the roots (``s² = N``, ``s ≥ 0``), show innermost first that everything is defined, bring an
identity over one denominator modulo the squares of the roots, and give an inequality as a quotient of factors whose
signs are shown one by one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.export.coq import Unsupported, identifier, statement, term
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.obligation import Holds, Identity, Obligation, Witness, formula_of

_SAMPLES = 24


@dataclass
class Script:
    """A proof as it is written; ``atoms`` are the roots by the variable that stands for each."""

    domain: Domain
    lines: list[str] = field(default_factory=list)
    atoms: dict[Any, Any] = field(default_factory=dict)  # what is replaced -> its variable
    squares: list[tuple[Any, Any, Any, str]] = field(default_factory=list)  # s, N, D, name of s²·D − N = 0
    points: list[dict[Any, Any]] = field(default_factory=list)
    count: int = 0

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def say(self, line: str) -> None:
        self.lines.append(line)

    # -- names for roots ------------------------------------------------------------------------------------------

    def name(self, e: Any) -> Any:
        """The expression with every root replaced by its variable, on the record; denominators are shown to be
        nonzero on the way.
        """
        if e.is_Atom:
            return e
        if isinstance(e, sp.Indexed):
            return self._variable(e)
        new = e.func(*(self.name(a) for a in e.args), evaluate=False) if e.args else e
        if isinstance(new, sp.Pow) and not new.exp.is_Integer:
            if not (new.exp.is_Rational and new.exp.q == 2):
                raise Unsupported(f"the power {e}")
            root = self._root(new.base)
            new = sp.Pow(root, new.exp.p, evaluate=False) if new.exp.p != 1 else root
        if isinstance(new, sp.Pow) and new.exp.is_Integer and new.exp < 0:
            self.nonzero(new.base)
        return new

    def _variable(self, e: Any) -> Any:
        if e not in self.atoms:
            self.atoms[e] = sp.Symbol(identifier(e), real=True)
            for p in self.points:
                p[self.atoms[e]] = p.get(e)
        return self.atoms[e]

    def _root(self, base: Any) -> Any:
        if base.is_Rational and base < 0:
            raise Unsupported("the root of a negative number")
        key = ("sqrt", term(base))
        if key in self.atoms:
            return self.atoms[key]
        self.nonnegative(base)
        defined = self.lines[-1].split("(")[1].split(" ")[0] if self.lines else ""
        s = sp.Symbol(self.fresh("root"), real=True)
        self.atoms[key] = s
        for p in self.points:
            p[s] = sp.sqrt(base.xreplace(p)).evalf(30)
        equation, square, sign = (self.fresh(c) for c in "EHH")
        self.say(f"remember (sqrt {term(base)}) as {s} eqn:{equation}.")
        self.say(f"destruct (square_of_sqrt _ _ {defined} {equation}) as [{square} {sign}]. clear {equation}.")
        above, under = sp.fraction(sp.together(base))
        zero = self.fresh("H")
        self.say(f"assert ({zero} : {s} ^ 2 * {term(under)} - {term(sp.expand(above))} = 0).")
        self.say(f"{{ rewrite {square}; field; nonzero. }}")
        if sign_of(base, self.points) == ">":
            self.say(
                f"assert (0 < {s}) by (apply Rnot_le_lt; intro; assert ({s} = 0) by lra; first [subst {s}; nra | nra])."
            )
        self.squares.append((s, sp.expand(above), under, zero))
        return s

    # -- signs ----------------------------------------------------------------------------------------------------

    def nonzero(self, e: Any) -> None:
        if e.is_Rational:
            return
        name = self.fresh("D")
        self.say(f"assert ({name} : {term(e)} <> 0).")
        sign = sign_of(e, self.points)
        if sign == ">":
            self.say("{ apply Rgt_not_eq. unfold Rgt. " + self.sign(e, ">") + " }")
        elif sign == "<":
            self.say("{ apply Rlt_not_eq. apply Ropp_lt_cancel. rewrite Ropp_0. " + self.sign(-e, ">") + " }")
        else:
            self.say("{ nonzero. }")

    def nonnegative(self, e: Any) -> None:
        name = self.fresh("D")
        self.say(f"assert ({name} : 0 <= {term(e)}). {{ {self.sign(e, '>=')} }}")

    def sign(self, e: Any, relation: str) -> str:
        """Tactics for a goal ``0 < e`` or ``0 <= e``: directly, or as a quotient of factors."""
        symbol = "<" if relation == ">" else "<="
        difference = sp.together(e)
        above, under = (self.reduced(part) for part in sp.fraction(difference))
        sides = []
        sign = 1
        for part in (above, under):
            constant, factors = sp.factor_list(part)
            kept = []
            for f, k in factors:
                s = sign_of(f, self.points)
                if s in ("<", "<="):
                    f, s = -f, {"<": ">", "<=": ">="}[s]
                    sign *= (-1) ** k
                kept.append((sp.expand(f), k, s))
            sides.append((constant, kept))
        constant = sign * sides[0][0] / sides[1][0]
        lines = ["first [solve [assumption | lra | timeout 3 nra] | idtac]."] if False else []
        pieces = [[f"({term(f)}) ^ {k}" for f, k, _ in kept] or ["1"] for _, kept in sides]
        product = f"{term(constant)} * ({' * '.join(pieces[0])}) / ({' * '.join(pieces[1])})"
        value = constant * sp.Mul(*(f**k for f, k, _ in sides[0][1])) / sp.Mul(*(f**k for f, k, _ in sides[1][1]))
        for f, k, s in [*sides[1][1], *sides[0][1]]:
            if f.is_Symbol and s in (">", ">="):
                lines.append(f"assert (0 {'<' if s == '>' else '<='} {term(f)}) by arith.")
            elif s in (">", ">="):
                lines.append(f"assert (0 {'<' if s == '>' else '<='} {term(f)}) by arith.")
            elif k % 2 == 0:
                lines.append(
                    f"assert (0 <= ({term(f)}) ^ {k}) by (apply pow_even_nonneg || (replace (({term(f)}) ^ {k}) with ((({term(f)}) ^ {k // 2}) ^ 2) by ring; apply pow2_ge_0))."
                )
        equal = self.equality(e, value, product)
        lines += [f"replace {term(e)} with ({product}). {{ positive. }}", f"symmetry. {equal}"]
        structured = " ".join(lines)
        return (
            f"first [ solve [assumption | lra | timeout 3 nra] | idtac ]. all: cycle 0. {structured}"
            if False
            else structured
        )

    def reduced(self, polynomial: Any) -> Any:
        """Modulo the squares of the roots, where their radicands are polynomials."""
        result = sp.expand(polynomial)
        for s, above, under, _ in reversed(self.squares):
            if under.is_Rational and result.has(s):
                result = sp.expand(sp.rem(result, s**2 - above / under, s))
        return result

    # -- equality -------------------------------------------------------------------------------------------------

    def equality(self, left: Any, right: Any, text: str = "") -> str:
        """Tactics for the goal ``left = right``: a quotient whose numerator is a combination of the squares."""
        above, under = sp.fraction(sp.together(left - right))
        above = sp.expand(above)
        if above == 0 or not self.squares:
            return "field; nonzero."
        relations = [sp.expand(s**2 * d - n) for s, n, d, _ in self.squares]
        generators = sorted(
            above.free_symbols.union(*(r.free_symbols for r in relations)),
            key=lambda v: (not str(v).startswith("root"), str(v)),
        )
        roots = [s for s, *_ in reversed(self.squares)]
        generators = [*roots, *(g for g in generators if g not in roots)]
        quotients, rest = sp.reduced(above, list(reversed(relations)), *generators, order="lex", domain="QQ")
        if rest != 0:
            return "field; nonzero."
        combination, names = [], []
        for q, (s, n, d, zero) in zip(reversed(quotients), self.squares, strict=True):
            if q != 0:
                combination.append(f"({term(q)}) * ({s} ^ 2 * {term(d)} - {term(n)})")
                names.append(zero)
        total = " + ".join(combination)
        rewrites = " ".join(f"rewrite {n}." for n in names)
        return f"apply (ratio_zero _ _ ({total}) ({term(under)})). {{ field; nonzero. }} {{ {rewrites} ring. }}"


def sign_of(e: Any, points: list[dict[Any, Any]]) -> str:
    """The sign that an expression has at sample points: ``>``, ``<``, ``>=``, ``<=`` or nothing. A guess, for Coq to
    prove.
    """
    e = sp.sympify(e)
    values = []
    for p in points:
        try:
            value = e.xreplace(p).evalf(20)
            values.append(0 if abs(value) < 1e-14 else 1 if value > 0 else -1)
        except TypeError:
            return ""
    if not values:
        return ""
    low, high = min(values), max(values)
    return (
        ">"
        if low > 0
        else "<"
        if high < 0
        else ">="
        if low >= 0 and high > 0
        else "<="
        if high <= 0 and low < 0
        else ""
    )


def sample(domain: Domain) -> list[dict[Any, Any]]:
    """Points of a domain as substitutions for symbols and for entries of families."""
    found = []
    for p in domain.points(_SAMPLES, seed=3):
        flat = {k: v for k, v in p.items() if isinstance(v, sp.Basic)}
        for label, family in domain.bases.items():
            flat.update({family.base[i + 1]: v for i, v in enumerate(p[label])})
        found.append(flat)
    return found


def scripts(obligation: Obligation) -> Iterator[str]:
    """Proof scripts to be tried in order, each the body between ``Proof.`` and ``Qed.``"""
    s = statement(obligation)
    names = [f"K{i}" for i in range(1, len(s.hypotheses) + 1)]
    start = f"intros {' '.join([*s.variables, *names])}." if s.variables else ""
    try:
        guided = _guided(obligation, start)
    except (Unsupported, sp.PolynomialError, ValueError, TypeError, NotImplementedError):
        guided = ""
    if guided:
        yield guided
    yield f"{start} subst. plain."


def _guided(obligation: Obligation, start: str) -> str:
    if isinstance(obligation, Witness):
        return ""
    domain = obligation.domain
    script = Script(domain, points=sample(domain))
    script.say(start)
    definitions = domain.definitions
    if definitions:
        script.say("subst.")
    claimed = formula_of(obligation)
    if isinstance(obligation, Identity) and isinstance(obligation.left, sp.Derivative):
        return ""
    if not isinstance(claimed, Relational):
        return ""
    for _ in range(len(definitions)):
        claimed = claimed.func(claimed.lhs.xreplace(definitions), claimed.rhs.xreplace(definitions), evaluate=False)
    left, right = script.name(claimed.lhs), script.name(claimed.rhs)
    script.say("repeat split; try assumption.")
    if claimed.rel_op == "==":
        script.say(script.equality(left, right))
    elif claimed.rel_op in (">", ">=", "<", "<="):
        if claimed.rel_op[0] == "<":
            left, right = right, left
        strict = len(claimed.rel_op) == 1
        script.say(
            f"apply {'above_zero' if strict else 'not_below_zero'}."
            if claimed.rel_op[0] == "<"
            else f"apply {'Rlt_gt, above_zero' if strict else 'Rle_ge, not_below_zero'}."
        )
        script.say(f"change (0 {'<' if strict else '<='} ({term(left)} - {term(right)})).")
        script.say(script.sign(left - right, ">" if strict else ">="))
    else:
        return ""
    return "\n".join(script.lines)
