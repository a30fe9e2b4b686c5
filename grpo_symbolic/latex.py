"""LaTeX as papers write it: the project's symbols by their names, factors before sums, terms with a minus last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE
from sympy.simplify.radsimp import fraction

from grpo_symbolic.notation import NOTATION, known, symbol_names
from grpo_symbolic.ordering import is_partial, ordered
from grpo_symbolic.terms.relations import ORDER, STRICT

if TYPE_CHECKING:
    from grpo_symbolic.proof.statements.domain import Domain

_OPEN = (sp.Sum, sp.Product, sp.Limit, sp.Derivative)  # what reaches as far to the right as a product does


def _decimal(number: sp.Rational) -> str:
    """The digits of a number whose denominator divides a power of ten; empty of others."""
    digits = max(number.q.bit_length(), 1)  # no power of ten with fewer zeros has a larger factor of this kind
    whole = abs(number.p) * 10**digits
    if whole % number.q:
        return ""
    written = f"{whole // number.q:0{digits + 1}d}"
    return f"{'-' if number.p < 0 else ''}{written[:-digits]}.{written[-digits:]}".rstrip("0").rstrip(".")


def _turned(product: sp.Mul) -> sp.Mul:
    """A product with 1 − x for −(x − 1), where it has both a minus and a letter less a number among its factors."""
    sign, *factors = product.args
    if not (sign.is_Rational and sign.is_negative):
        return product
    for at, factor in enumerate(factors):
        number, letter = factor.as_coeff_Add() if factor.is_Add else (sp.S.Zero, factor)
        if number.is_negative and letter.is_Symbol:
            rest = [*factors[:at], -number - letter, *factors[at + 1 :]]
            return sp.Mul(*([] if sign == -1 else [-sign]), *rest, evaluate=False)
    return product


class PaperPrinter(LatexPrinter):
    """SymPy's printer; ``symbol_names`` are those of the notation as it stands when the printer is made."""

    def __init__(self) -> None:
        super().__init__({"symbol_names": symbol_names(), "mul_symbol": r" \, "})
        self._domain: Domain | None = None
        self._decimals = False
        self._beside: tuple[sp.Symbol, ...] = ()
        self._bound: list[str] = []  # how an index may not be seen: as those of the sums around it, or as what is free

    def on(self, domain: Domain) -> PaperPrinter:
        """The printer for statements on a domain."""
        here = copy(self)
        here._domain = domain
        return here

    def beside(self, taken: Iterable[sp.Symbol]) -> PaperPrinter:
        """The printer for formulas beside what has letters that are taken: no index is printed as one of these.

        >>> from grpo_symbolic.notation import k, n, y
        >>> print(PaperPrinter().beside([k])(sp.Sum(k * y, (k, 1, n))))
        \\sum_{{k}'=1}^{n} y \\, {k}'
        """
        here = copy(self)
        here._beside = (*taken,)
        return here

    def decimal(self) -> PaperPrinter:
        """The printer for a long sentence, with numbers as decimals where that is exact and shorter.

        >>> PaperPrinter().decimal()(sp.Rational(917, 1000))
        '0.917'
        >>> print(PaperPrinter().decimal()(sp.Rational(9, 4)), PaperPrinter().decimal()(sp.Rational(22, 7)))
        \\frac{9}{4} \\frac{22}{7}
        >>> print(PaperPrinter().decimal()(sp.Rational(1, 10**5)))
        10^{-5}
        """
        here = copy(self)
        here._decimals = True
        return here

    def _print_Derivative(self, expr: sp.Derivative) -> str:
        """In brackets what is a product: who reads ∂/∂x f g asks whether g is differentiated too.

        >>> from grpo_symbolic.notation import k, x
        >>> print(PaperPrinter()(sp.Derivative(k * x, x)))
        \\frac{\\partial}{\\partial x} \\left(k \\, x\\right)
        """
        d, body = r"\partial" if is_partial(expr) else "d", expr.expr
        along = [(self._print(v), f"^{{{n}}}" if n > 1 else "") for v, n in reversed(expr.variable_count)]
        below = "".join(f"{d} {self.parenthesize_super(v) if power else v}{power}" for v, power in along)
        order = sum(n for _, n in expr.variable_count)
        reached = (
            rf"\left({self._print(body)}\right)"
            if body.is_Mul
            else self.parenthesize(body, PRECEDENCE["Mul"], is_neg=body.could_extract_minus_sign(), strict=True)
        )
        return rf"\frac{{{d}{f'^{{{order}}}' if order > 1 else ''}}}{{{below}}} {reached}"

    def _print_Rational(self, expr: sp.Rational) -> str:
        zeros = len(str(expr.q)) - 1
        if self._decimals and expr.p == 1 and expr.q == 10**zeros >= 10**4:
            return f"10^{{-{zeros}}}"
        written = _decimal(expr) if self._decimals else ""
        return written if written and len(written) < len(str(expr)) else str(super()._print_Rational(expr))

    def _as_ordered_terms(self, expr: sp.Basic, order: str | None = None) -> list[sp.Expr]:
        """SymPy's order, but a sum begins with a term that has no minus, if there is one.

        >>> from grpo_symbolic.notation import p, x
        >>> PaperPrinter()(x - p)
        'x - p'
        """
        terms = super()._as_ordered_terms(expr, order) if order else ordered(expr)
        return sorted(terms, key=lambda term: bool(term.could_extract_minus_sign()))

    def parenthesize(self, item: sp.Basic, level: int, *args: bool, **kwargs: bool) -> str:
        """A symbol that is written as a fraction gets parentheses under an exponent, and cases wherever it is asked.

        >>> from grpo_symbolic.notation import b
        >>> print(PaperPrinter()(b**2))
        \\left(\\tfrac{\\beta}{\\gamma}\\right)^{2}
        """
        printed = str(super().parenthesize(item, level, *args, **kwargs))
        fraction_in_power = item.is_Symbol and "frac" in printed and level >= PRECEDENCE["Pow"]
        return rf"\left({printed}\right)" if fraction_in_power or printed.startswith(r"\begin") else printed

    def _print_Mul(self, expr: sp.Mul) -> str:
        """A sum that is divided stands after its factor: (1/G) ∑ and not a sum in a numerator.

        >>> from grpo_symbolic.notation import n, o, ref, x
        >>> print(PaperPrinter()(sp.Mul(sp.S.Half, 1 - x, sp.Sum(ref[o], (o, 1, n)))))
        \\left(\\frac{1}{2} - \\frac{x}{2}\\right) \\sum_{o=1}^{n} \\pi_{\\mathrm{ref}}(o)
        >>> print(PaperPrinter()(-x * (x - 1)))
        x \\left(1 - x\\right)
        """
        expr = _turned(expr)
        factors = sp.Mul.make_args(expr)
        sums = [f for f in factors if isinstance(f, sp.Sum)]
        if len(sums) == 1 and fraction(expr, exact=True)[1] != 1:
            factor = sp.Mul(*(f for f in factors if f is not sums[0]))
            return f"{self.parenthesize(factor, PRECEDENCE['Mul'])} {self._print(sums[0])}"
        printed = str(super()._print_Mul(expr))
        return rf"- \left({printed[2:]}\right)" if printed.startswith(r"- \begin") else printed

    def _print_Pow(self, expr: sp.Pow) -> str:
        """No fraction is made over what is 1 once it is evaluated, such as (−1)²; SymPy would look for one forever."""
        if expr.exp.is_negative and fraction(expr, exact=True)[1] == 1:
            return str(self._helper_print_standard_power(expr, "%s^{%s}"))
        return str(super()._print_Pow(expr))

    def _needs_mul_brackets(self, expr: sp.Expr, first: bool = False, last: bool = False) -> bool:
        """What reaches a product is in parentheses before another factor, and so is a factor with a minus."""
        return (not last and _reaches(expr)) or bool(super()._needs_mul_brackets(expr, False, last))

    def _print_Add(self, expr: sp.Add, order: str | None = None) -> str:
        """A term that is cases is in parentheses, and behind a sign one that has a sign of its own.

        >>> from grpo_symbolic.notation import x
        >>> print(PaperPrinter()(sp.Add(x, sp.Mul(-2, -1, evaluate=False), evaluate=False)))
        x - \\left(-2\\right)
        """
        latex = ""
        for term in self._as_ordered_terms(expr, order):
            minus = bool(latex) and term.could_extract_minus_sign() and (not term.is_Mul or _turned(term) is term)
            printed = self._led(-term if minus else term, bool(latex))
            latex += f" {'-' if minus else '+'} {printed}" if latex else printed
        return latex

    def _led(self, item: sp.Expr, signed: bool = True) -> str:
        """What stands behind a sign, of which it is no sum, no cases, and has no sign of its own."""
        printed = str(self._print(item))
        alone = item.is_Add or printed.startswith(r"\begin") or (signed and printed.startswith("-"))
        return rf"\left({printed}\right)" if alone else printed

    def _print_Sum(self, expr: sp.Sum | sp.Product) -> str:
        """One sign a variable, the outermost first; a variable that an outer sum has taken already, or that stands free
        in the formula, gets a prime, as many as make it one that is neither taken nor in what is summed, bound or not.

        >>> from grpo_symbolic.notation import n, o, ref
        >>> print(PaperPrinter()(sp.Sum(-ref[o], (o, 1, n))))
        \\sum_{o=1}^{n} \\left(- \\pi_{\\mathrm{ref}}(o)\\right)
        """
        *inner, (variable, low, high) = expr.limits
        body = expr.func(expr.function, *inner) if inner else expr.function
        printed, name = variable, self._print(variable)
        if _unbraced(name) in self._bound:
            others = {*self._bound, *(_unbraced(self._print(letter)) for letter in body.atoms(sp.Symbol))}
            primes = "'"
            while _unbraced(name) + primes in others:
                primes += "'"
            name = f"{{{name}}}{primes}"
            printed = sp.Symbol(name, integer=True)
            body = body.subs(variable, printed)  # in the ends of the inner sums too
        sign = r"\sum" if isinstance(expr, sp.Sum) else r"\prod"
        sign = rf"{sign}_{{{name}={self._print(low)}}}^{{{self._print(high)}}}"
        self._bound.append(_unbraced(name))
        reached = self._led(body)
        self._bound.pop()
        return f"{sign} {reached}"

    _print_Product = _print_Sum

    def _print_Limit(self, expr: sp.Limit) -> str:
        """A product, too, is in parentheses, and a point of which a side is meant."""
        body, letter, point, side = expr.args
        near = self._print(point)
        if point not in (sp.oo, -sp.oo):
            number = point.is_Rational and point.is_nonnegative
            near = f"{near if number else self.parenthesize(point, PRECEDENCE['Pow'])}^{side}"
        within = rf"\left({self._print(body)}\right)" if isinstance(body, sp.Mul) else self._led(body)
        return rf"\lim_{{{self._print(letter)} \to {near}}}{'' if body.is_Add or body.is_Mul else ' '}{within}"

    def _print_And(self, expr: sp.And) -> str:
        """Two bounds of one expression as one chain, everything else joined by a word.

        >>> from grpo_symbolic.notation import p, x
        >>> PaperPrinter()((0 < x) & (x < p))
        '0 < x < p'
        """
        parts, rest = [], sorted(expr.args, key=sp.default_sort_key)
        while rest:
            part = rest.pop(0)
            for other in rest:
                if chain := _chain(part, other) or _chain(other, part):
                    rest.remove(other)
                    parts.append(" ".join(item if isinstance(item, str) else self._print(item) for item in chain))
                    break
            else:
                parts.append(self._within(part))
        return r"\ \text{and}\ ".join(parts)

    def _print_Or(self, expr: sp.Or) -> str:
        return r"\ \text{or}\ ".join(map(self._within, sorted(expr.args, key=sp.default_sort_key)))

    def _within(self, part: sp.Basic) -> str:
        """A part of a conjunction or disjunction, in parentheses where it is itself composed.

        >>> from grpo_symbolic.notation import x, y
        >>> print(PaperPrinter()(sp.Or(sp.Equivalent(x > 0, y > 0), x > y)))
        \\left(x > 0 \\Leftrightarrow y > 0\\right)\\ \\text{or}\\ x > y
        """
        printed = str(self._print(part))
        denied = part.args[0] if isinstance(part, sp.Not) else part  # an arrow that is struck through
        composed = isinstance(part, sp.And | sp.Or) or isinstance(denied, sp.Implies | sp.Equivalent)
        return rf"\left({printed}\right)" if composed else printed

    def _print_LogOp(self, args: tuple[sp.Basic, ...], char: str) -> str:
        """An arrow between parts: one that is struck through is in parentheses within another, too.

        >>> from grpo_symbolic.notation import x, y
        >>> PaperPrinter()(sp.Implies(x > 0, sp.Not(sp.Equivalent(x > 1, y > 1)), evaluate=False))
        'x > 0 \\\\Rightarrow \\\\left(x > 1 \\\\not\\\\Leftrightarrow y > 1\\\\right)'
        """
        return f" {char} ".join(map(self._within, args))

    def _print_Piecewise(self, expr: sp.Piecewise, exp: str | None = None) -> str:
        """Clipping between ends of which one is seen to be no more than the other by its name; every other distinction
        of cases as one.

        >>> from sympy import Piecewise
        >>> from grpo_symbolic.notation import epsilon, x
        >>> PaperPrinter()(Piecewise((1 - epsilon, x < 1 - epsilon), (1 + epsilon, x > 1 + epsilon), (x, True)))
        '\\\\operatorname{clip}\\\\left(x;\\\\, 1 - \\\\epsilon,\\\\, \\\\epsilon + 1\\\\right)'
        """
        ends = _clipped(expr)
        if ends is None or not self._in_order(*ends[1:]):
            cases = str(super()._print_Piecewise(expr))
            return cases if exp is None else rf"\left({cases}\right)^{{{exp}}}"
        value, low, high = map(self._print, ends)
        clipped = rf"\operatorname{{clip}}\left({value};\, {low},\, {high}\right)"
        return clipped if exp is None else f"{clipped}^{{{exp}}}"

    def _in_order(self, low: sp.Expr, high: sp.Expr) -> bool:
        """Whether one end is no more than the other: by the domain, or since the terms of their distance are not
        negative there, such as the 2 ε between 1 − ε and 1 + ε.
        """
        between = sp.expand(high - low)
        constraints = self._domain.constraints if self._domain is not None else ()
        if any(isinstance(c, ORDER) and sp.expand(c.gts - c.lts - between) == 0 for c in constraints):
            return True
        parts = (term.as_coeff_Mul() for term in sp.Add.make_args(between))
        return all(number >= 0 and (part == 1 or self._above_zero(part)) for number, part in parts)

    def _above_zero(self, letter: sp.Expr) -> bool:
        """Whether a letter is not negative, by the domain; as a rule, where none is given."""
        if self._domain is None:
            return letter.is_Symbol and known(letter) and bool(re.match(r"[(\[{][01]\b", NOTATION[str(letter)].domain))
        return letter in self._domain.intervals and bool(self._domain.intervals[letter].lower >= 0)

    def _print_Function(self, expr: sp.Function, exp: str | None = None) -> str:
        """The power of a function's value stands behind it: h²(p) would be h(h(p))."""
        if not isinstance(expr, AppliedUndef):
            return str(super()._print_Function(expr, exp))
        value = rf"{expr.func.__name__}{{\left({', '.join(map(self._print, expr.args))} \right)}}"
        return value if exp is None else rf"{value}^{{{exp}}}"

    def _print_Indexed(self, expression: sp.Indexed) -> str:
        return f"{self._print(expression.base)}({', '.join(map(self._print, expression.indices))})"

    def __call__(self, expression: sp.Basic) -> str:
        """LaTeX without delimiters.

        >>> from grpo_symbolic.notation import beta, o, ref
        >>> PaperPrinter()(beta * ref[o])
        '\\\\beta \\\\, \\\\pi_{\\\\mathrm{ref}}(o)'
        """
        expression = sp.sympify(expression)
        along = {letter for e in expression.atoms(sp.Derivative) for v in e.variables for letter in v.free_symbols}
        free = {*expression.free_symbols, *along, *self._beside} if expression.has(sp.Sum, sp.Product) else ()
        self._bound = [_unbraced(self._print(letter)) for letter in free]
        return str(self.doprint(expression)).replace(r" \, \left(", r" \left(")


def _unbraced(latex: str) -> str:
    return latex.replace("{", "").replace("}", "")


def _reaches(expr: sp.Basic) -> bool:
    """Whether an expression, or a factor of it, reaches the factors that follow."""
    return any(map(_reaches, expr.args)) if isinstance(expr, sp.Mul) else isinstance(expr, _OPEN)


def _chain(lower: sp.Basic, upper: sp.Basic) -> Sequence[sp.Basic | str]:
    """Low, sign, middle, sign, high, if the first relation bounds from below what the second bounds from above; else
    nothing.
    """
    if not (isinstance(lower, ORDER) and isinstance(upper, ORDER)):
        return ()
    (low, middle), (same, high) = (lower.lts, lower.gts), (upper.lts, upper.gts)
    if middle != same or low == high:
        return ()
    signs = [("<" if isinstance(r, STRICT) else r"\leq") for r in (lower, upper)]
    return low, signs[0], middle, signs[1], high


def _clipped(expr: sp.Basic) -> tuple[Any, Any, Any] | None:
    """(value, low, high) if the cases cut a value off at both ends."""
    if len(expr.args) != 3 or expr.args[2].cond != sp.true:
        return None
    (low, below), (high, above), (value, _) = expr.args
    if not (isinstance(below, ORDER) and isinstance(above, ORDER)):
        return None
    cut = _positive_ratio(value - low, below.lts - below.gts) and _positive_ratio(value - high, above.gts - above.lts)
    return (value, low, high) if cut else None


def _positive_ratio(left: sp.Basic, right: sp.Basic) -> bool:
    """Whether two differences have the same sign since one is a positive number times the other."""
    ratio = sp.cancel(left / right) if right != 0 else sp.S.Zero
    return bool(ratio.is_number and ratio.is_positive)
