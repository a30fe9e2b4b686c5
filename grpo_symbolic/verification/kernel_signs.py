"""Signs and equalities of expressions in the names of a proof script, as tactics for Coq."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

import sympy as sp
from sympy.functions.elementary.piecewise import ExprCondPair

from grpo_symbolic.export.coq import term
from grpo_symbolic.proof.domain import Domain

_SAMPLES = 24
_DIGITS, ZERO = 90, sp.Float("1e-70", 90)
Points = list[dict[Any, Any]]


def sample(domain: Domain) -> Points:
    """Points of a domain as substitutions for symbols and for entries of families."""
    found = []
    for p in domain.points(_SAMPLES, seed=3):
        flat = {k: v for k, v in p.items() if isinstance(v, sp.Basic)}
        for label, family in domain.bases.items():
            flat.update({family.base[i + 1]: v for i, v in enumerate(p[label])})
        found.append(flat)
    return found


def sign_of(e: Any, points: Points) -> str:
    """The sign that an expression has at sample points: ``>``, ``<``, ``>=``, ``<=``, ``0`` or nothing. A guess, for
    Coq to prove.
    """
    e, values = sp.sympify(e), []
    for p in points:
        value = number(e, p)
        if value is None:
            return ""
        values.append(0 if abs(value) < ZERO else 1 if value > 0 else -1)
    if not values:
        return ""
    low, high = min(values), max(values)
    if low == high:
        return {1: ">", -1: "<", 0: "0"}[low]
    return ">=" if low >= 0 else "<=" if high <= 0 else ""


def rebuilt(e: Any, args: Iterable[Any]) -> Any:
    """An expression with other arguments, nothing simplified."""
    return e.func(*args) if isinstance(e, ExprCondPair | sp.Tuple) else e.func(*args, evaluate=False)


def number(e: Any, point: dict[Any, Any]) -> Any:
    value = sp.sympify(e).xreplace(point)
    if isinstance(value, sp.Basic):
        value = value.evalf(_DIGITS)
    return value if value.is_Float or value.is_Rational else None


@dataclass
class Signs:
    """The names given so far; ``lines`` are the tactics that give them.

    ``units`` collects, by the monomial in an exponent, the common denominator of its coefficients; it is complete
    after one pass over a goal.
    """

    points: Points
    units: dict[str, int]
    final: bool = True
    lines: list[str] = field(default_factory=list)
    known: dict[Any, Any] = field(default_factory=dict)
    squares: list[tuple[Any, Any, str]] = field(default_factory=list)  # variable, its square, name of the equation
    logs: dict[Any, tuple[Any, str, str]] = field(default_factory=dict)  # variable: argument, equation, positivity
    exps: dict[Any, Any] = field(default_factory=dict)  # variable: exponent
    shown: dict[str, str] = field(default_factory=dict)  # what was shown: the name of the hypothesis
    count: int = 0

    def branch(self, points: Points) -> Self:
        """The names in a case that holds at these points only; what is named there has no name elsewhere."""
        return type(self)(
            points, self.units, self.final, [], dict(self.known), list(self.squares), dict(self.logs), dict(self.exps),
            dict(self.shown), self.count,
        )  # fmt: skip

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def say(self, line: str) -> None:
        self.lines.append(line)

    def show(self, proposition: str, proof: str) -> str:
        """Assert, once; the name of the hypothesis."""
        if proposition not in self.shown:
            name = self.fresh("H")
            self.say(f"assert ({name} : {proposition}). {{ {proof}. }}")
            self.shown[proposition] = name
        return self.shown[proposition]

    def value(self, variable: Any, e: Any) -> None:
        for p in self.points:
            p[variable] = number(e, p)

    # -- signs ----------------------------------------------------------------------------------------------------

    def nonzero(self, e: Any) -> str:
        if e.is_Rational:
            return ""
        sign = sign_of(e, self.points)
        if sign == ">":
            return self.show(f"{term(e)} <> 0", f"apply Rgt_not_eq; apply Rlt_gt; exact {self.positive(e)}")
        if sign == "<":
            return self.show(f"{term(e)} <> 0", f"apply Rlt_not_eq; {self.below(sp.S.Zero, e, '<')}")
        return self.show(f"{term(e)} <> 0", "nonzero")

    def positive(self, e: Any) -> str:
        return self.show(f"0 < {term(e)}", self.difference("lt_of", e, sp.S.Zero, ">"))

    def nonnegative(self, e: Any) -> str:
        return self.show(f"0 <= {term(e)}", self.difference("le_of", e, sp.S.Zero, ">="))

    def below(self, low: Any, high: Any, sign: str) -> str:
        """A tactic for ``low < high`` (or ``<=``, or reversed), by the sign of the difference."""
        if sign[0] == "<":
            high, low, sign = low, high, sign.replace("<", ">")
        lemma = "lt_of" if sign == ">" else "le_of"
        return self.difference(lemma, high, low, sign)

    def difference(self, lemma: str, high: Any, low: Any, relation: str) -> str:
        """A tactic for a comparison: directly, or by the signs of the factors of the difference."""
        difference = high - low
        above, under = (self.reduced(part) for part in sp.fraction(sp.together(difference)))
        if above == 0:
            value, facts = sp.S.Zero, list[str]()
        else:
            value, facts = self.signed(above, under, relation)
        text = term(value)
        steps = [*facts, f"apply ({lemma} _ _ {text}); [{self.equality(difference, value)} | positive]"]
        return f"first [assumption | lra | ({'; '.join(steps)}) | arith]"

    def signed(self, above: Any, under: Any, relation: str) -> tuple[Any, list[str]]:
        """A quotient as a product of factors that are positive, or squares, with tactics that show it."""
        constant, value, facts = sp.S.One, [], []
        for polynomial, turn in ((under, -1), (above, 1)):
            c, factors = sp.factor_list(polynomial)
            constant *= c**turn
            for f, k in factors:
                s = sign_of(f, self.points)
                if s in ("<", "<="):
                    f, s, constant = sp.expand(-f), s.replace("<", ">"), constant * (-1) ** k
                if s in (">", ">="):
                    sense = "<" if s == ">" else "<="
                    facts.append(f"assert (0 {sense} {term(f)}) by ({self.factor(f, s)})")
                elif k == 2:
                    facts.append(f"assert (0 <= {term(f)} ^ 2) by (apply pow2_ge_0)")
                power = sp.Pow(f, k, evaluate=False) if k > 1 else f
                value.append(sp.Pow(power, -1, evaluate=False) if turn < 0 else power)
        if constant != 1 or not value:
            value = [constant, *value]
        return (value[0] if len(value) == 1 else sp.Mul(*value, evaluate=False)), facts

    def factor(self, f: Any, relation: str) -> str:
        """A tactic for the sign of one factor; where a root occurs linearly, by comparing squares."""
        guess = self.root_argument(f, relation)
        hints = "; ".join(self.hints(f))
        tries = ["assumption", "lra", *([guess] if guess else [])]
        if hints:
            tries.append(f"({hints}; first [lra | timeout 6 nra])")
        return f"first [{' | '.join(tries)} | arith]"

    def hints(self, f: Any) -> list[str]:
        """Products of what is positive and squares of differences, for a linear combination of them."""
        if f.is_Symbol or sp.Poly(f).total_degree() < 2:
            return []
        variables = sorted(f.free_symbols, key=str)
        above = [v for v in variables if sign_of(v, self.points) in (">", ">=")]
        below = [v for v in above if sign_of(1 - v, self.points) in (">", ">=")]
        products: dict[Any, None] = {}
        for powers in sp.Poly(f, *variables).monoms():
            inside = [v for v, k in zip(variables, powers, strict=True) for _ in range(k)]
            if len(inside) < 2 or not set(inside) <= set(above):
                continue
            products[sp.Mul(*inside)] = None
            for v in below:
                if v in inside:
                    rest = sp.Mul(*inside) / v
                    products[sp.Mul(rest, 1 - v)] = None
                    for w in below:
                        if rest.has(w):
                            products[sp.Mul(rest / w, 1 - v, 1 - w)] = None
        said = []
        for m in list(products)[:30]:
            sense = "<" if sign_of(m, self.points) == ">" else "<="
            said.append(f"assert (0 {sense} {term(m)}) by (positive)")
        ends = [*variables, sp.S.One][:5]
        for i, u in enumerate(ends):
            for v in ends[i + 1 :]:
                said.append(f"pose proof (pow2_ge_0 {term(u - v)})")
        return said

    def root_argument(self, f: Any, relation: str) -> str:
        for s, square, equation in reversed(self.squares):
            if not f.has(s) or sp.degree(f, s) != 1:
                continue
            slope, rest = sp.expand(f.coeff(s, 1)), sp.expand(f.coeff(s, 0))
            sense = sign_of(slope, self.points)
            if sense not in (">", "<"):
                continue
            slope_up = slope if sense == ">" else sp.expand(-slope)
            squared = sp.expand(slope_up**2 * square)
            gap = sp.expand(squared - rest**2) if sense == ">" else sp.expand(rest**2 - squared)
            points = [p for p in self.points if sense == "<" or (number(rest, p) or 0) <= 0]
            inner = self.branch(points)
            inner.squares = [t for t in self.squares if t[0] != s]
            value, facts = inner.signed(inner.reduced(gap), sp.S.One, relation)
            lemma = "le_of" if relation == ">=" else "lt_of"
            close = "; ".join([*facts, f"apply ({lemma} _ _ {term(value)}); [ring | positive]"])
            close = f"first [lra | ({close}) | arith]"
            suffix = "_le" if relation == ">=" else ""
            term_b = f"({term(slope_up)} * {s})"
            squares = f"transitivity ({term(slope_up)} ^ 2 * {s} ^ 2); [ring | rewrite {equation}; ring]"
            if sense == ">":
                return (
                    f"(replace {term(f)} with ({term(rest)} + {term_b}) by ring; "
                    f"apply (above_root{suffix} _ _ {term(squared)}); "
                    f"[positive | {squares} | intro; {close}])"
                )
            return (
                f"(replace {term(f)} with ({term(rest)} - {term_b}) by ring; "
                f"apply (below_root{suffix} _ _ {term(squared)}); "
                f"[arith | {squares} | {close}])"
            )
        return ""

    def reduced(self, polynomial: Any) -> Any:
        """Modulo the squares of the roots."""
        result = sp.expand(polynomial)
        for s, square, _ in reversed(self.squares):
            if result.has(s):
                result = sp.expand(sp.rem(result, s**2 - square, s))
        return result

    # -- equality -------------------------------------------------------------------------------------------------

    def equality(self, left: Any, right: Any) -> str:
        """A tactic for ``left = right``: a quotient whose numerator is a combination of the squares."""
        direct = "(field; nonzero)"
        above, under = sp.fraction(sp.together(left - right))
        above = sp.expand(above)
        if above == 0 or not self.squares:
            return f"first [reflexivity | ring | {direct}]"
        rest, combination, names = above, [], []
        for s, square, equation in reversed(self.squares):
            if rest.has(s):
                quotient, rest = sp.div(rest, s**2 - square, s)
                quotient, rest = sp.expand(quotient), sp.expand(rest)
                if quotient != 0:
                    combination.append(f"{term(quotient)} * ({s} ^ 2 - {term(square)})")
                    names.append(equation)
        if rest != 0 or not combination:
            return direct
        rewrites = "; ".join(f"rewrite {n}" for n in names)
        return (
            f"(apply (ratio_zero _ _ ({' + '.join(combination)}) {term(under)}); [field; nonzero | {rewrites}; ring])"
        )
