"""Names for roots, exponentials and logarithms in a proof script, and what is known of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from grpo_symbolic.export.coq import Unsupported, identifier, term
from grpo_symbolic.proof.domain import Domain

_SAMPLES = 24
_DIGITS, _ZERO = 90, sp.Float("1e-70", 90)
_OF_EXP = {">": "exp_gt_one", "<": "exp_lt_one", ">=": "exp_ge_one", "<=": "exp_le_one"}
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
        values.append(0 if abs(value) < _ZERO else 1 if value > 0 else -1)
    if not values:
        return ""
    low, high = min(values), max(values)
    if low == high:
        return {1: ">", -1: "<", 0: "0"}[low]
    return ">=" if low >= 0 else "<=" if high <= 0 else ""


def number(e: Any, point: dict[Any, Any]) -> Any:
    value = sp.sympify(e).xreplace(point)
    if isinstance(value, sp.Basic):
        value = value.evalf(_DIGITS)
    return value if value.is_Float or value.is_Rational else None


def rewriting(equation: str) -> str:
    """Rewrite wherever possible, from right to left for an equation with an arrow."""
    return f"rewrite <- ?{equation.removeprefix('<- ')}." if equation.startswith("<- ") else f"rewrite ?{equation}."


def _back(equation: str) -> str:
    """Rewrite against the direction in which the equation is used."""
    return f"rewrite {equation.removeprefix('<- ')}" if equation.startswith("<- ") else f"rewrite <- {equation}"


@dataclass
class Names:
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

    def branch(self, points: Points) -> Names:
        """The names in a case that holds at these points only; what is named there has no name elsewhere."""
        return Names(
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

    # -- naming ---------------------------------------------------------------------------------------------------

    def name(self, e: Any) -> Any:
        """The expression in the names, nothing else changed; that its parts are defined is shown on the way."""
        if isinstance(e, sp.Indexed):
            variable = sp.Symbol(identifier(e), real=True)
            if variable not in self.points[0]:
                self.value(variable, e)
            return variable
        if e.is_Atom:
            return e if e != sp.E else self.exponential(sp.S.One)
        if isinstance(e, sp.cosh | sp.sinh):
            kind = "cosh" if isinstance(e, sp.cosh) else "sinh"
            self.say(f"rewrite ?{kind}_exp.")
            back = sp.exp(sp.Mul(-1, e.args[0], evaluate=False), evaluate=False)
            back = back if kind == "cosh" else sp.Mul(-1, back, evaluate=False)
            total = sp.Add(sp.exp(e.args[0], evaluate=False), back, evaluate=False)
            return self.name(sp.Mul(total, sp.Pow(2, -1, evaluate=False), evaluate=False))
        args = [self.name(a) for a in e.args]
        if isinstance(e, sp.exp):
            return self.exponential(args[0])
        if isinstance(e, sp.log):
            return self.logarithm(args[0])
        if isinstance(e, sp.Pow):
            return self.power(args[0], e.exp)
        if not isinstance(e, sp.Add | sp.Mul):
            raise Unsupported(f"{e} has no name")
        return e.func(*args, evaluate=False)

    def power(self, base: Any, exponent: Any) -> Any:
        if not (exponent.is_Rational and exponent.q in (1, 2)):
            raise Unsupported(f"the exponent {exponent}")
        power = exponent
        if exponent.q == 2:
            if exponent < 0:
                self.positive(base)
            base, power = self.root(base), exponent.p
        if power < 0:
            self.nonzero(base)
        return base if power == 1 else sp.Pow(base, power, evaluate=False)

    def root(self, base: Any) -> Any:
        """The root of a number as a multiple of the root of a square-free polynomial."""
        defined = self.nonnegative(base)
        above, under = sp.fraction(sp.together(base))
        constant, factors = sp.factor_list(sp.expand(above * under))
        constant = sp.Rational(constant)
        inside, outside = sp.Integer(constant.p * constant.q), 1 / sp.Integer(constant.q)
        for f, k in factors:
            inside, outside = inside * f ** (k % 2), outside * f ** (k // 2)
        square = (
            max(d for d in sp.divisors(abs(inside.as_coeff_Mul()[0])) if sp.sqrt(d).is_Integer) if inside != 0 else 1
        )
        for d in reversed(sp.divisors(abs(sp.Integer(sp.expand(inside).as_content_primitive()[0])))):
            if sp.sqrt(d).is_Integer:
                inside, outside = inside / d, outside * sp.sqrt(d)
                break
        inside, outside = sp.expand(inside), sp.factor(outside / under)
        if sign_of(outside, self.points) in ("<", "<="):
            outside = -outside
        s = sp.S.One if inside == 1 else self._plain_root(inside)
        value = sp.Mul(outside, s)
        if outside == 1:
            if term(inside) != term(base):
                equation = self.fresh("E")
                self.say(f"assert ({equation} : sqrt {term(base)} = {s}).")
                self.say(f"{{ apply sqrt_is; [assumption | assumption | {self.equality(base, s**2)}]. }}")
                self.rewrite(equation)
            return s
        equation = self.fresh("E")
        self.nonnegative(value)
        self.say(f"assert ({equation} : sqrt {term(base)} = {term(value)}).")
        self.say(f"{{ apply sqrt_is; [exact {defined} | assumption | {self.equality(base, value**2)}]. }}")
        self.rewrite(equation)
        return value

    def _plain_root(self, inside: Any) -> Any:
        key = ("sqrt", inside)
        if key not in self.known:
            defined = self.nonnegative(inside)
            s = sp.Symbol(self.fresh("root"), real=True)
            equation, sign, square = (self.fresh(c) for c in "EHH")
            self.say(f"destruct (root _ {defined}) as [{s} [{equation} [{sign} {square}]]]. rewrite <- ?{equation}.")
            self.value(s, sp.sqrt(inside))
            self.known[key] = s
            self.shown[f"0 <= {s}"] = sign
            self.squares.append((s, inside, square))
            if sign_of(inside, self.points) == ">":
                above = self.positive(inside)
                self.show(f"0 < {s}", f"exact (root_pos _ _ {above} {sign} {square})")
        return self.known[key]

    def rewrite(self, equation: str) -> None:
        self.say(f"rewrite ?{equation}.")

    def exponential(self, exponent: Any) -> Any:
        if not exponent.is_Atom:
            above, under = sp.fraction(sp.together(exponent))
            terms = sp.Add.make_args(sp.expand(above))
        else:
            terms, under = (exponent,), sp.S.One
        if under.is_Rational:
            terms, under = tuple(t / under for t in terms), sp.S.One
        factors, result = [], []
        for t in terms:
            coefficient, rest = t.as_coeff_Mul()
            rest = rest / under
            if rest == 1 and not coefficient.is_Rational:
                raise Unsupported(f"the exponent {exponent}")
            shared = self.units.get(str(rest), 1)
            self.units[str(rest)] = shared = math.lcm(shared, int(coefficient.q))
            count = coefficient * shared
            base, proof = self._unit(rest, shared)
            result.append(base if count == 1 else sp.Pow(base, count, evaluate=False))
            factors.append((int(count), rest / shared, proof))
        value = result[0] if len(result) == 1 else sp.Mul(*result, evaluate=False)
        text = " + ".join(
            f"INR {k} * {term(m)}" if k > 0 else f"- (INR {-k} * {term(m)})" for k, m, _ in factors
        )  # fmt: skip
        equation = self.fresh("E")
        self.say(f"assert ({equation} : exp {term(exponent)} = {term(value)}).")
        self.say(
            f"{{ replace {term(exponent)} with ({text}) by (simpl INR; field; nonzero). "
            f"rewrite ?exp_plus, ?exp_minus, ?exp_times. {' '.join(rewriting(p) for *_, p in factors)} "
            "simpl; first [reflexivity | field; nonzero]. }"
        )
        if len(factors) > 1:
            self._beside_one(value, exponent, equation)
        self.rewrite(equation)
        return value

    def _beside_one(self, value: Any, exponent: Any, equation: str) -> None:
        """On which side of 1 an exponential lies, or of 0 its exponent."""
        sign = sign_of(exponent, self.points)
        if sign in _OF_EXP:
            side = f"1 {sign.replace('>', '<')} {term(value)}" if sign[0] == ">" else f"{term(value)} {sign} 1"
            self.show(side, f"{_back(equation)}; apply {_OF_EXP[sign]}; {self.below(sp.S.Zero, exponent, sign)}")

    def _unit(self, rest: Any, shared: int) -> tuple[Any, str]:
        """A variable for ``exp(rest/shared)``, or the argument of a logarithm, and the equation that says so."""
        key = ("exp", str(rest), shared)
        if key not in self.known:
            equation = self.fresh("E")
            if rest in self.logs and shared == 1:
                argument, written, above = self.logs[rest]
                self.say(
                    f"assert ({equation} : exp {rest} = {term(argument)}). {{ rewrite {written}. apply exp_ln. exact {above}. }}"
                )
                self.known[key] = (argument, equation)
            else:
                v = sp.Symbol(self.fresh("ex"), real=True)
                self.say(f"destruct (named (exp {term(rest / shared)})) as [{v} {equation}].")
                self.show(f"0 < {v}", f"rewrite {equation}; apply exp_pos")
                self.value(v, sp.exp(rest / shared))
                self._beside_one(v, rest / shared, f"<- {equation}")
                if rest in self.logs and shared == 2:
                    argument, written, above = self.logs[rest]
                    square = self.fresh("H")
                    self.say(
                        f"assert ({square} : {v} ^ 2 = {term(argument)}). {{ rewrite {equation}, <- exp_times. "
                        f"replace (INR 2 * {term(rest / 2)}) with {rest} by (simpl; field). rewrite {written}. "
                        f"apply exp_ln. exact {above}. }}"
                    )
                    self.squares.append((v, sp.expand(argument), square))
                self.exps[v] = rest / shared
                self.known[key] = (v, f"<- {equation}")
        return self.known[key]

    def below(self, low: Any, high: Any, sign: str) -> str:
        """A tactic for ``low < high`` (or ``<=``, or reversed), by the sign of the difference."""
        if sign[0] == "<":
            high, low, sign = low, high, sign.replace("<", ">")
        lemma = "lt_of" if sign == ">" else "le_of"
        return self.difference(lemma, high, low, sign)

    def logarithm(self, argument: Any) -> Any:
        """A logarithm as a combination of logarithms of irreducible factors."""
        self.positive(argument)
        above, under = sp.fraction(sp.together(argument))
        parts, constant = [], sp.S.One
        for polynomial, turn in ((above, 1), (under, -1)):
            c, factors = sp.factor_list(polynomial)
            constant *= c**turn
            for f, k in factors:
                if sign_of(f, self.points) == "<":
                    f, constant = sp.expand(-f), constant * (-1) ** k
                parts.append((f, turn * k))
        constant = sp.Rational(constant)
        for n, turn in ((constant.p, 1), (constant.q, -1)):
            parts += [(sp.Integer(f), turn * k) for f, k in sp.factorint(n).items() if f != 1]
        summands, product, unfold = [], [], []
        for f, k in parts:
            variable, equation = self._log_unit(f)
            summands.append(variable if k == 1 else sp.Mul(k, variable, evaluate=False))
            body = term(f) if abs(k) == 1 else f"({term(f)} ^ {abs(k)})"
            product.append(body if k > 0 else f"/ {body}")
            unfold.append(rewriting(equation))
        value = sp.S.Zero if not summands else summands[0] if len(summands) == 1 else sp.Add(*summands, evaluate=False)
        equation = self.fresh("E")
        self.say(f"assert ({equation} : ln {term(argument)} = {term(value)}).")
        self.say(
            f"{{ replace {term(argument)} with ({' * '.join(product) or '1'}) by (field; nonzero). "
            f"logs. {' '.join(unfold)} simpl INR; first [reflexivity | ring | lra]. }}"
        )
        if len(parts) > 1:
            sign = sign_of(argument - 1, self.points)
            if sign == ">":
                self.show(
                    f"0 < {term(value)}",
                    f"rewrite <- {equation}; apply ln_positive; {self.below(sp.S.One, argument, '>')}",
                )
            elif sign == "<":
                above = self.positive(argument)
                below = self.below(sp.S.One, argument, "<")
                self.show(f"{term(value)} < 0", f"rewrite <- {equation}; apply ln_negative; [exact {above} | {below}]")
        self.rewrite(equation)
        return value

    def _log_unit(self, f: Any) -> tuple[Any, str]:
        if f in self.exps:
            exponent = self.exps[f]
            key = ("ln", f)
            if key not in self.known:
                equation = self.fresh("E")
                back = self.known[next(k for k, v in self.known.items() if k[0] == "exp" and v[0] == f)][
                    1
                ].removeprefix("<- ")
                self.say(f"assert ({equation} : ln {f} = {term(exponent)}). {{ rewrite {back}. apply ln_exp. }}")
                self.known[key] = (exponent, equation)
            return self.known[key]
        key = ("ln", f)
        if key not in self.known:
            above = self.positive(f)
            v = sp.Symbol(self.fresh("log"), real=True)
            equation = self.fresh("E")
            self.say(f"destruct (named (ln {term(f)})) as [{v} {equation}].")
            self.value(v, sp.log(f))
            self.logs[v] = (f, equation, above)
            self.known[key] = (v, f"<- {equation}")
            sign = sign_of(f - 1, self.points)
            if sign == ">":
                self.show(f"0 < {v}", f"rewrite {equation}; apply ln_positive; {self.below(sp.S.One, f, '>')}")
            elif sign == "<":
                self.show(
                    f"{v} < 0",
                    f"rewrite {equation}; apply ln_negative; [exact {above} | {self.below(sp.S.One, f, '<')}]",
                )
        return self.known[key]

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

    def difference(self, lemma: str, high: Any, low: Any, relation: str) -> str:
        """A tactic for a comparison: directly, or by the signs of the factors of the difference."""
        difference = high - low
        above, under = (self.reduced(part) for part in sp.fraction(sp.together(difference)))
        if above == 0:
            value, facts = sp.S.Zero, []
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
                    f"(replace {term(f)} with ({term(rest)} + {term_b}) by ring; apply (above_root{suffix} _ _ {term(squared)}); "
                    f"[positive | {squares} | intro; {close}])"
                )
            return (
                f"(replace {term(f)} with ({term(rest)} - {term_b}) by ring; apply (below_root{suffix} _ _ {term(squared)}); "
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
