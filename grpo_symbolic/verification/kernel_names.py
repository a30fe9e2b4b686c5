"""Names for roots, exponentials and logarithms in a proof script, and what is known of them."""

from __future__ import annotations

import math
from typing import Any

import sympy as sp

from grpo_symbolic.export.coq import term
from grpo_symbolic.export.coq_names import Unsupported, identifier
from grpo_symbolic.verification.kernel_signs import Signs, sign_of

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
                    f"assert ({equation} : exp {rest} = {term(argument)}). "
                    f"{{ rewrite {written}. apply exp_ln. exact {above}. }}"
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
