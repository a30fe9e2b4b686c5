"""Signs and equalities of expressions in the names of a proof script, as tactics for Coq.

What is printed is a term, in the very form in which the theorem has it; what is factored and divided is that term as
SymPy writes it. Both are guesses of a script, which Coq judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.coq.syntax import Syntax
from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined
from grpo_symbolic.proof.statements.arithmetic import Unsupported as NoValue
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evaluate import Values, value_at, values_of
from grpo_symbolic.terms.language import Node, Number, Sort, Term, Variable
from grpo_symbolic.terms.reading import Reading
from grpo_symbolic.terms.writing import written

_SAMPLES = 24
Points = list[dict[Any, Any]]  # Variable -> number, name of a family -> list of numbers


def sample(domain: Domain) -> Points:
    """Points of a domain."""
    return [dict(values_of(p, domain.reading())) for p in domain.points(_SAMPLES, seed=3)]


def real(name: str) -> Variable:
    """The variable of a name that a script gives."""
    return Variable(name, Sort.real)


def in_sympy(e: sp.Expr | Node) -> sp.Expr:
    """A term (or what SymPy made of one) for SymPy's algebra."""
    return written(e) if isinstance(e, Node) else sp.sympify(e)


def as_term(e: sp.Expr | Node) -> Term:
    """What SymPy made, as a term again."""
    return e if isinstance(e, Term) else Reading().term(e)


def outermost(node: Node, wanted: Callable[[Node], bool]) -> Iterator[Any]:
    """The parts of a kind that are in no other one of the kind, where they occur."""
    if wanted(node):
        yield node
    else:
        for child in node.children:
            yield from outermost(child, wanted)


def number(e: sp.Expr | Node, point: Values) -> Any:
    """The value at a point, as a ball; ``None`` where there is none."""
    try:
        return value_at(as_term(e), point, ARB)
    except (Undefined, NoValue, ReadingError):
        return None


def order(value: Any) -> int:
    """The sign of a ball; one around zero is taken for zero."""
    return 1 if value > 0 else -1 if value < 0 else 0


def sign_of(e: sp.Expr | Node, points: Points) -> str:
    """The sign that an expression has at sample points: ``>``, ``<``, ``>=``, ``<=``, ``0`` or nothing. A guess, for
    Coq to prove. Points at which the balls do not tell, such as a small β for 1 − 1/(1 + exp(−1/β)), say nothing.
    """
    e, signs, vague = as_term(e), set[int](), False
    for p in points:
        value = number(e, p)
        if value is None:
            continue
        if order(value) or value == 0:
            signs.add(order(value))
        else:
            vague = True
        if signs >= {1, -1}:
            return ""
    if not signs:
        return "0" if vague else ""
    if len(signs) == 1:
        return {1: ">", -1: "<", 0: "0"}[signs.pop()]
    return {1: ">=", -1: "<="}[sum(signs)]


@dataclass
class Signs:
    """The names given so far; ``lines`` are the tactics that give them.

    ``units`` collects, by the monomial in an exponent, the common denominator of its coefficients; it is complete
    after one pass over a goal.
    """

    syntax: Syntax
    points: Points
    units: dict[str, int]
    lines: list[str] = field(default_factory=list)
    known: dict[Any, Any] = field(default_factory=dict)
    squares: list[tuple[sp.Symbol, sp.Expr, str]] = field(
        default_factory=list
    )  # variable, its square, name of the equation
    logs: dict[sp.Symbol, tuple[sp.Expr, str, str]] = field(
        default_factory=dict
    )  # variable: argument, equation, positivity
    exps: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)  # variable: exponent
    shown: dict[str, str] = field(default_factory=dict)  # what was shown: the name of the hypothesis
    count: int = 0
    separate: bool = False  # whether each factor under a root has a root of its own

    def branch(self, points: Points) -> Self:
        """The names in a case that holds at these points only; what is named there has no name elsewhere."""
        known = (dict(self.known), list(self.squares), dict(self.logs), dict(self.exps), dict(self.shown))
        return type(self)(self.syntax, points, self.units, [], *known, self.count, self.separate)

    def text(self, e: sp.Expr | Node) -> str:
        """A term, or what SymPy made of one, in Coq's syntax."""
        return self.syntax.term(as_term(e))

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

    def expect(self, proposition: str, proof: str) -> None:
        """Assert what may help, once; the rest of the script goes on without it."""
        if proposition not in self.shown:
            name = self.shown[proposition] = self.fresh("H")
            self.say(f"try (assert ({name} : {proposition}) by (timeout 5 ({proof}))).")

    def named(self, letter: str, e: sp.Expr | Node) -> Variable:
        """A new variable with the value of a term at every point."""
        variable = real(self.fresh(letter))
        for p in self.points:
            if (value := number(e, p)) is not None:
                p[variable] = value
        return variable

    # -- signs ----------------------------------------------------------------------------------------------------

    def nonzero(self, e: sp.Expr | Node) -> str:
        if isinstance(as_term(e), Number):
            return ""
        sign = sign_of(e, self.points)
        if sign == ">":
            return self.show(f"{self.text(e)} <> 0", f"apply Rgt_not_eq; apply Rlt_gt; exact {self.positive(e)}")
        if sign == "<":
            return self.show(f"{self.text(e)} <> 0", f"apply Rlt_not_eq; {self.below(sp.S.Zero, e, '<')}")
        return self.show(f"{self.text(e)} <> 0", "nonzero")

    def positive(self, e: sp.Expr | Node) -> str:
        return self.show(f"0 < {self.text(e)}", self.difference("lt_of", e, sp.S.Zero, ">"))

    def nonnegative(self, e: sp.Expr | Node) -> str:
        return self.show(f"0 <= {self.text(e)}", self.difference("le_of", e, sp.S.Zero, ">="))

    def below(self, low: sp.Expr | Node, high: sp.Expr | Node, sign: str) -> str:
        """A tactic for ``low < high`` (or ``<=``, or reversed), by the sign of the difference."""
        if sign[0] == "<":
            high, low, sign = low, high, sign.replace("<", ">")
        lemma = "lt_of" if sign == ">" else "le_of"
        return self.difference(lemma, high, low, sign)

    def difference(self, lemma: str, high: sp.Expr | Node, low: sp.Expr | Node, relation: str) -> str:
        """A tactic for a comparison: directly, or by the signs of the factors of the difference."""
        difference = in_sympy(high) - in_sympy(low)
        above, under = (self.reduced(part) for part in sp.fraction(sp.together(difference)))
        if above == 0:
            value, facts = sp.S.Zero, list[str]()
        else:
            value, facts = self.signed(above, under, relation)
        text = self.text(value)
        steps = [*facts, f"apply ({lemma} _ _ {text}); [{self.equality(difference, value)} | positive]"]
        return f"first [assumption | lra | ({'; '.join(steps)}) | arith]"

    def signed(self, above: sp.Expr, under: sp.Expr, relation: str) -> tuple[sp.Expr, list[str]]:
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
                    facts.append(f"assert (0 {sense} {self.text(f)}) by ({self.factor(f, s)})")
                elif k == 2:
                    facts.append(f"assert (0 <= {self.text(f)} ^ 2) by (apply pow2_ge_0)")
                power = sp.Pow(f, k, evaluate=False) if k > 1 else f
                value.append(sp.Pow(power, -1, evaluate=False) if turn < 0 else power)
        if constant != 1 or not value:
            value = [constant, *value]
        return (value[0] if len(value) == 1 else sp.Mul(*value, evaluate=False)), facts

    def factor(self, f: sp.Expr, relation: str) -> str:
        """A tactic for the sign of one factor; where a root occurs linearly, by comparing squares."""
        guess = self.root_argument(f, relation)
        hints = self.hints(f)
        tries = ["assumption", "lra", *([guess] if guess else [])]
        if hints and "assert" not in hints[0]:
            tries.append("timeout 3 nra")  # which squares alone slow down more often than they help
        if hints:
            tries.append(f"({'; '.join(hints)}; first [lra | timeout 6 nra])")
        return f"first [{' | '.join(tries)} | arith]"

    def hints(self, f: sp.Expr) -> list[str]:
        """Products of what is positive and squares of differences, for a linear combination of them."""
        if f.is_Symbol or f.is_Number or sp.Poly(f).total_degree() < 2:
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
        tactics = []
        for m in list(products)[:30]:
            sense = "<" if sign_of(m, self.points) == ">" else "<="
            tactics.append(f"assert (0 {sense} {self.text(m)}) by (positive)")
        ends = [*variables, sp.S.One][:5]
        for i, u in enumerate(ends):
            for v in ends[i + 1 :]:
                tactics.append(f"pose proof (pow2_ge_0 {self.text(u - v)})")
        return tactics

    def root_argument(self, f: sp.Expr, relation: str) -> str:
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
            points = [p for p in self.points if sense == "<" or not (number(rest, p) or 0) > 0]
            inner = self.branch(points)
            inner.squares = [t for t in self.squares if t[0] != s]
            value, facts = inner.signed(inner.reduced(gap), sp.S.One, relation)
            lemma = "le_of" if relation == ">=" else "lt_of"
            close = "; ".join([*facts, f"apply ({lemma} _ _ {self.text(value)}); [ring | positive]"])
            close = f"first [lra | ({close}) | arith]"
            suffix = "_le" if relation == ">=" else ""
            term_b = f"({self.text(slope_up)} * {s})"
            squares = f"transitivity ({self.text(slope_up)} ^ 2 * {s} ^ 2); [ring | rewrite {equation}; ring]"
            if sense == ">":
                return (
                    f"(replace {self.text(f)} with ({self.text(rest)} + {term_b}) by ring; "
                    f"apply (above_root{suffix} _ _ {self.text(squared)}); "
                    f"[positive | {squares} | intro; {close}])"
                )
            return (
                f"(replace {self.text(f)} with ({self.text(rest)} - {term_b}) by ring; "
                f"apply (below_root{suffix} _ _ {self.text(squared)}); "
                f"[arith | {squares} | {close}])"
            )
        return ""

    def reduced(self, polynomial: sp.Expr) -> sp.Expr:
        """Modulo the squares of the roots."""
        result = sp.expand(polynomial)
        for s, square, _ in reversed(self.squares):
            if result.has(s):
                result = sp.expand(sp.rem(result, s**2 - square, s))
        return result

    # -- equality -------------------------------------------------------------------------------------------------

    def equality(self, left: sp.Expr | Node, right: sp.Expr | Node) -> str:
        """A tactic for ``left = right``: a quotient whose numerator is a combination of the squares."""
        direct = "(field; nonzero)"
        above, under = sp.fraction(sp.together(in_sympy(left) - in_sympy(right)))
        above = sp.expand(above)
        if above == 0 or not self.squares:
            return f"first [reflexivity | ring | {direct}]"
        rest, combination, names = above, [], []
        for s, square, equation in reversed(self.squares):
            if rest.has(s):
                quotient, rest = sp.div(rest, s**2 - square, s)
                quotient, rest = sp.expand(quotient), sp.expand(rest)
                if quotient != 0:
                    combination.append(f"{self.text(quotient)} * ({s} ^ 2 - {self.text(square)})")
                    names.append(equation)
        if rest != 0 or not combination:
            return direct
        rewrites = "; ".join(f"rewrite {n}" for n in names)
        lemma = f"ratio_zero _ _ ({' + '.join(combination)}) {self.text(under)}"
        return f"(apply ({lemma}); [field; nonzero | {rewrites}; ring])"
