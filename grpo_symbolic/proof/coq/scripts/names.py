"""Names for roots, exponentials and logarithms in a proof script, and what is known of them."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy as sp

from grpo_symbolic.proof.coq.scripts.signs import Signs, as_term, in_sympy, real, sign_of
from grpo_symbolic.proof.coq.syntax import Unsupported
from grpo_symbolic.terms.language import (
    MINUS_ONE,
    ONE,
    ZERO,
    Add,
    Constant,
    Entry,
    Function,
    Multiply,
    Number,
    Power,
    Term,
    Variable,
    add,
)

_OF_EXP = {">": "exp_gt_one", "<": "exp_lt_one", ">=": "exp_ge_one", "<=": "exp_le_one"}


def rewriting(equation: str) -> str:
    """Rewrite wherever possible, from right to left for an equation with an arrow."""
    return f"rewrite <- ?{equation.removeprefix('<- ')}." if equation.startswith("<- ") else f"rewrite ?{equation}."


def _back(equation: str) -> str:
    """Rewrite against the direction in which the equation is used."""
    return f"rewrite {equation.removeprefix('<- ')}" if equation.startswith("<- ") else f"rewrite <- {equation}"


class Names(Signs):
    """Expressions with a variable for every root, exponential and logarithm, innermost first."""

    # -- naming ---------------------------------------------------------------------------------------------------

    def name(self, e: Term) -> Term:
        """The term in the names, nothing else changed; that its parts are defined is shown on the way."""
        match e:
            case Entry(family, Number(index)):
                variable = real(self.syntax.term(e))
                for p in self.points:
                    p[variable] = p[family][int(index) - 1]
                return variable
            case Constant("e"):
                return self.exponential(ONE)
            case Variable() | Number() | Constant():
                return e
            case Add(terms):
                return Add(tuple(map(self.name, terms)))
            case Multiply(factors):
                return Multiply(tuple(map(self.name, factors)))
            case Power(base, exponent):
                return self.power(self.name(base), exponent)
            case Function("exp", argument):
                return self.exponential(self.name(argument))
            case Function("log", argument):
                return self.logarithm(self.name(argument))
            case Function("cosh" | "sinh" as kind, argument):
                self.say(f"rewrite ?{kind}_exp.")
                back: Term = Function("exp", Multiply((MINUS_ONE, argument)))
                back = back if kind == "cosh" else Multiply((MINUS_ONE, back))
                half = Power(Number(Fraction(2)), Fraction(-1))
                return self.name(Multiply((Add((Function("exp", argument), back)), half)))
        raise Unsupported(f"{type(e).__name__} has no name in a script")

    def power(self, base: Term, exponent: Fraction) -> Term:
        if exponent.denominator > 2:
            raise Unsupported(f"the exponent {exponent}")
        if exponent.denominator == 2:
            if exponent < 0:
                self.positive(base)
            base = self.root(base)
        if exponent < 0:
            self.nonzero(base)
        return base if exponent.numerator == 1 else Power(base, Fraction(exponent.numerator))

    def root(self, base: Term) -> Term:
        """The root of a number as a multiple of the root of a square-free polynomial."""
        defined = self.nonnegative(base)
        above, under = sp.fraction(sp.together(in_sympy(base)))
        constant, factors = sp.factor_list(sp.expand(above * under))
        constant = sp.Rational(constant)
        inside, outside = sp.Integer(constant.p * constant.q), 1 / sp.Integer(constant.q)
        for f, k in factors:
            inside, outside = inside * f ** (k % 2), outside * f ** (k // 2)
        for d in reversed(sp.divisors(abs(sp.Integer(sp.expand(inside).as_content_primitive()[0])))):
            if sp.sqrt(d).is_Integer:
                inside, outside = inside / d, outside * sp.sqrt(d)
                break
        inside, outside = sp.expand(inside), sp.factor(outside / under)
        if sign_of(outside, self.points) in ("<", "<="):
            outside = -outside
        s = sp.S.One if inside == 1 else self._roots(inside)
        value, equation = as_term(sp.Mul(outside, s)), self.fresh("E")
        if outside != 1 or self.text(inside) != self.text(base):
            self.nonnegative(value)
            self.say(f"assert ({equation} : sqrt {self.text(base)} = {self.text(value)}).")
            square = self.equality(base, in_sympy(value) ** 2)
            self.say(f"{{ apply sqrt_is; [exact {defined} | assumption | {square}]. }}")
            self.rewrite(equation)
        return value

    def _roots(self, inside: sp.Expr) -> sp.Expr:
        """The root of a square-free polynomial; in the separate way, as a product of the roots of its factors."""
        if not self.separate:
            return self._plain_root(inside)
        constant, factors = sp.factor_list(inside)
        units = [sp.Integer(f) for f in sp.factorint(sp.Integer(constant))] if constant > 1 else []
        units += [f if sign_of(f, self.points) == ">" else sp.expand(-f) for f, _ in factors]
        if any(sign_of(f, self.points) != ">" for f in units) or sp.expand(sp.Mul(*units) - inside) != 0:
            return self._plain_root(inside)
        return sp.Mul(*(self._plain_root(f) for f in units))

    def _plain_root(self, inside: sp.Expr) -> sp.Symbol:
        key = ("sqrt", inside)
        if key not in self.known:
            defined = self.nonnegative(inside)
            s = in_sympy(self.named("root", sp.sqrt(inside)))
            equation, sign, square = (self.fresh(c) for c in "EHH")
            self.say(f"destruct (root _ {defined}) as [{s} [{equation} [{sign} {square}]]]. rewrite <- ?{equation}.")
            self.known[key] = s
            self.shown[f"0 <= {s}"] = sign
            self.squares.append((s, inside, square))
            if sign_of(inside, self.points) == ">":
                above = self.positive(inside)
                self.show(f"0 < {s}", f"exact (root_pos _ _ {above} {sign} {square})")
        return self.known[key]

    def rewrite(self, equation: str) -> None:
        self.say(f"rewrite ?{equation}.")

    def exponential(self, exponent: Term) -> Term:
        above, under = sp.fraction(sp.together(in_sympy(exponent)))
        terms = sp.Add.make_args(sp.expand(above))
        scale, under = under.as_coeff_Mul() if under.is_Mul or under.is_Number else (sp.S.One, under)
        terms = tuple(t / scale for t in terms)
        factors, result = [], []
        for t in terms:
            coefficient, rest = t.as_coeff_Mul()
            rest = rest / under
            if rest == 1 and not coefficient.is_Rational:
                raise Unsupported(f"the exponent {in_sympy(exponent)}")
            shared = self.units.get(str(rest), 1)
            self.units[str(rest)] = shared = math.lcm(shared, int(coefficient.q))
            count = coefficient * shared
            base, proof = self._unit(rest, shared)
            result.append(as_term(base) if count == 1 else Power(as_term(base), Fraction(int(count))))
            factors.append((int(count), rest / shared, proof))
        value = result[0] if len(result) == 1 else Multiply(tuple(result))
        text = " + ".join(
            f"INR {k} * {self.text(m)}" if k > 0 else f"- (INR {-k} * {self.text(m)})" for k, m, _ in factors
        )
        equation, written = self.fresh("E"), self.text(exponent)
        self.say(f"assert ({equation} : exp {written} = {self.text(value)}).")
        self.say(
            f"{{ replace {written} with ({text}) by (simpl INR; field; nonzero). "
            f"rewrite ?exp_plus, ?exp_minus, ?exp_times. {' '.join(rewriting(p) for *_, p in factors)} "
            "simpl; first [reflexivity | field; nonzero]. }"
        )
        if len(factors) > 1:
            self._beside_one(value, exponent, equation)
        self.rewrite(equation)
        return value

    def _beside_one(self, value: sp.Expr, exponent: sp.Expr, equation: str) -> None:
        """On which side of 1 an exponential lies, or of 0 its exponent."""
        sign = sign_of(exponent, self.points)
        if sign in _OF_EXP:
            side = (
                f"1 {sign.replace('>', '<')} {self.text(value)}" if sign[0] == ">" else f"{self.text(value)} {sign} 1"
            )
            self.expect(side, f"{_back(equation)}; apply {_OF_EXP[sign]}; {self.below(ZERO, exponent, sign)}")

    def _unit(self, rest: sp.Expr, shared: int) -> tuple[sp.Symbol, str]:
        """A variable for ``exp(rest/shared)``, or the argument of a logarithm, and the equation that says so."""
        key = ("exp", str(rest), shared)
        if key not in self.known:
            equation = self.fresh("E")
            if rest in self.logs and shared == 1:
                argument, written, above = self.logs[rest]
                self.say(
                    f"assert ({equation} : exp {rest} = {self.text(argument)}). "
                    f"{{ rewrite {written}. apply exp_ln. exact {above}. }}"
                )
                self.known[key] = (argument, equation)
            else:
                v = in_sympy(self.named("ex", sp.exp(rest / shared)))
                self.say(f"destruct (named (exp {self.text(rest / shared)})) as [{v} {equation}].")
                self.show(f"0 < {v}", f"rewrite {equation}; apply exp_pos")
                self._beside_one(v, rest / shared, f"<- {equation}")
                if rest in self.logs and shared == 2:
                    argument, written, above = self.logs[rest]
                    square = self.fresh("H")
                    self.say(
                        f"assert ({square} : {v} ^ 2 = {self.text(argument)}). {{ rewrite {equation}, <- exp_times. "
                        f"replace (INR 2 * {self.text(rest / 2)}) with {rest} by (simpl; field). rewrite {written}. "
                        f"apply exp_ln. exact {above}. }}"
                    )
                    self.squares.append((v, sp.expand(argument), square))
                self.exps[v] = rest / shared
                self.known[key] = (v, f"<- {equation}")
        return self.known[key]

    def logarithm(self, argument: Term) -> Term:
        """A logarithm as a combination of logarithms of irreducible factors."""
        self.positive(argument)
        above, under = sp.fraction(sp.together(in_sympy(argument)))
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
            summands.append(as_term(variable) if k == 1 else Multiply((as_term(sp.Integer(k)), as_term(variable))))
            body = self.text(f) if abs(k) == 1 else f"({self.text(f)} ^ {abs(k)})"
            product.append(body if k > 0 else f"/ {body}")
            unfold.append(rewriting(equation))
        value = add(*summands)
        equation = self.fresh("E")
        self.say(f"assert ({equation} : ln {self.text(argument)} = {self.text(value)}).")
        self.say(
            f"{{ replace {self.text(argument)} with ({' * '.join(product) or '1'}) by (field; nonzero). "
            f"logs. {' '.join(unfold)} simpl INR; first [reflexivity | ring | lra]. }}"
        )
        if len(parts) > 1:
            sign = sign_of(in_sympy(argument) - 1, self.points)
            if sign == ">":
                self.expect(
                    f"0 < {self.text(value)}",
                    f"rewrite <- {equation}; apply ln_positive; {self.below(ONE, argument, '>')}",
                )
            elif sign == "<":
                above = self.positive(argument)
                below = self.below(ONE, argument, "<")
                self.expect(
                    f"{self.text(value)} < 0", f"rewrite <- {equation}; apply ln_negative; [exact {above} | {below}]"
                )
        self.rewrite(equation)
        return value

    def _log_unit(self, f: sp.Expr) -> tuple[sp.Expr, str]:
        if f in self.exps:
            exponent = self.exps[f]
            key = ("ln", f)
            if key not in self.known:
                equation = self.fresh("E")
                back = self.known[next(k for k, v in self.known.items() if k[0] == "exp" and v[0] == f)][
                    1
                ].removeprefix("<- ")
                self.say(f"assert ({equation} : ln {f} = {self.text(exponent)}). {{ rewrite {back}. apply ln_exp. }}")
                self.known[key] = (exponent, equation)
            return self.known[key]
        key = ("ln", f)
        square = next((t for t in self.squares if t[0] == f), None) if self.separate else None
        if key not in self.known and square is not None:  # half the logarithm of what is under the root
            _, inside, of_square = square
            above, value = self.positive(f), self.logarithm(as_term(inside))
            known, equation = self.lines[-1].removeprefix("rewrite ?").rstrip("."), self.fresh("E")
            half, twice = Multiply((Number(Fraction(1, 2)), value)), f"ln ({f} ^ 2) = 2 * ln {f}"
            self.say(
                f"assert ({equation} : ln {f} = {self.text(half)}). {{ assert (Z'0 : {twice}) by (rewrite ln_pow by "
                f"exact {above}; simpl; ring). rewrite {of_square}, {known} in Z'0. lra. }}"
            )
            self.known[key] = (in_sympy(half), equation)
        if key not in self.known:
            above = self.positive(f)
            v = in_sympy(self.named("log", sp.log(f)))
            equation = self.fresh("E")
            self.say(f"destruct (named (ln {self.text(f)})) as [{v} {equation}].")
            self.logs[v] = (f, equation, above)
            self.known[key] = (v, f"<- {equation}")
            sign = sign_of(f - 1, self.points)
            if sign == ">":
                self.expect(f"0 < {v}", f"rewrite {equation}; apply ln_positive; {self.below(ONE, f, '>')}")
            elif sign == "<":
                self.expect(
                    f"{v} < 0",
                    f"rewrite {equation}; apply ln_negative; [exact {above} | {self.below(ONE, f, '<')}]",
                )
        return self.known[key]
