"""Scripts for limits: what each part of the expression tends to, from the inside, by the rules of Coquelicot's filters.

A part tends to a number, which is then a term, or to ±∞; each step is one lemma about ``filterlim`` (sums, products,
reciprocals, powers, ``exp``, ``ln``, ``sqrt``). What is needed of the variable near the point (its side, and what the
domain says of it, where that is shown by a limit) is one fact ``N``, from which definedness and the signs of what tends
to zero follow. Where a rule has no answer (0/0, ∞ − ∞, 0·∞) the expression is written in another way that SymPy knows:
over one denominator, in 1/x towards infinity, by exp(−w) for a w that grows; that it is equal near the point is shown
by the method for identities. Neither the rules chosen nor SymPy's forms need be right: Coq judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce

import sympy as sp

from grpo_symbolic.proof.coq.scripts.goals import Goals
from grpo_symbolic.proof.coq.scripts.names import Names
from grpo_symbolic.proof.coq.scripts.signs import Points, as_term, in_sympy, number, sign_of
from grpo_symbolic.proof.coq.syntax import Unsupported
from grpo_symbolic.proof.coq.theorem import Theorem, unfolded
from grpo_symbolic.proof.statements.obligation import LimitIs
from grpo_symbolic.terms import language as la
from grpo_symbolic.terms.definedness import conditions

_SIDE = (  # what tends to zero and lies on one side of it tends to it from this side
    "assert (Side' : forall F (f : R -> R) (D : R -> Prop), Filter F -> filterlim f F (locally 0) -> "
    "F (fun x => D (f x)) -> filterlim f F (within D (locally 0))). { clear. intros F f D FF H P Q L. "
    "change (F (fun x => Q (f x))). generalize (filter_and (F := F) _ _ P (H _ L)). apply filter_imp. "
    "intros x [A B]. exact (B A). }"
)
_PRODUCT = (
    "first [reflexivity | solve [(idtac + apply is_Rbar_mult_sym); (apply is_Rbar_mult_p_infty_pos + apply "
    "is_Rbar_mult_m_infty_pos + apply is_Rbar_mult_p_infty_neg + apply is_Rbar_mult_m_infty_neg); simpl; "
    "first [exact I | assumption | lra]]]"
)
_OPEN = (
    'repeat match goal with H : _ /\\ _ |- _ => let A := fresh "O\'" in let B := fresh "O\'" in destruct H as [A B] end'
)
_BALL = (
    "exists (mkposreal 1 Rlt_0_1). intros y'0 H L. unfold ball in H. simpl in H. unfold AbsRing_ball, abs, minus, "
    "plus, opp in H. simpl in H. apply Rabs_def2 in H. lra."
)


_FAR: dict[tuple[str, str], tuple[la.Term | str, str]] = {
    ("exp", "∞"): ("∞", "is_lim_exp_p"),
    ("exp", "−∞"): (la.ZERO, "is_lim_exp_m"),
    ("ln", "∞"): ("∞", "is_lim_ln_p"),
    ("sqrt", "∞"): ("∞", "filterlim_sqrt_p"),
}


@dataclass(frozen=True)
class Tends:
    """A part, as it is written, tends ``to`` a term, or to ``"∞"`` or ``"−∞"``: ``known`` is the hypothesis of it."""

    text: str
    to: la.Term | str
    known: str


@dataclass
class Limits:
    """The tactics that show what parts of an expression tend to as ``x`` tends ``near`` its point."""

    stated: Theorem
    x: la.Variable
    near: str
    points: Points
    lines: list[str] = field(default_factory=list)
    limits: dict[la.Term, Tends] = field(default_factory=dict)
    count: int = 0

    def text(self, e: la.Term) -> str:
        return self.stated.syntax.term(e)

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}'{self.count}"

    def place(self, to: la.Term | str) -> str:
        return {"∞": "p_infty", "−∞": "m_infty"}[to] if isinstance(to, str) else f"(Finite {self.text(to)})"

    def assert_tends(self, text: str, to: la.Term | str, proof: str) -> Tends:
        known, x = self.fresh("L"), self.text(self.x)
        where = f"{self.near} (Rbar_locally {self.place(to)})"
        self.lines.append(f"assert ({known} : filterlim (fun {x} : R => {text}) {where}). {{ {proof}. }}")
        return Tends(text, to, known)

    def proved(self, f: la.Formula) -> str:
        """The method for identities and comparisons."""
        return "\n".join(Goals(Names(self.stated.syntax, self.points, {}), (), 0).whole(f))

    def sign(self, value: la.Term) -> int:
        """The sign of a number that a part tends to, which becomes a hypothesis."""
        sign = {">": 1, "<": -1, "0": 0}.get(sign_of(value, self.points))
        if sign is None:
            raise Unsupported("a sign that is not known")
        if sign:
            f = la.Compare("<", la.ZERO, value) if sign > 0 else la.Compare("<", value, la.ZERO)
            self.lines.append(f"assert ({self.fresh('S')} : {self.stated.syntax.formula(f)}). {{\n{self.proved(f)}\n}}")
        return sign

    def nearby(self, f: la.Formula) -> str:
        """That something holds near the point, from ``N``."""
        known, x = self.fresh("W"), self.text(self.x)
        proposition = f"{self.near} (fun {x} : R => {self.stated.syntax.formula(f)})"
        start = f"generalize N'0. apply filter_imp. intros {x} M'0. {_OPEN}."
        self.lines.append(f"assert ({known} : {proposition}). {{ {start}\n{self.proved(f)}\n}}")
        return known

    def equal(self, part: Tends, value: la.Term) -> None:
        """What a part tends to is written as another number."""
        if isinstance(part.to, la.Term) and part.to is not value:
            equation, f = self.fresh("Z"), la.Compare("==", part.to, value)
            claim = f"{self.text(part.to)} = {self.text(value)}"
            self.lines.append(
                f"assert ({equation} : {claim}). {{\n{self.proved(f)}\n}}\ntry rewrite {equation} in {part.known}."
            )

    def room(self, f: la.Compare) -> None:
        """What the domain says of the variable, where a limit shows it, becomes a part of ``N``."""
        before = list(self.lines), dict(self.limits)
        try:
            gap = self.of(la.subtract(f.right, f.left))
            if gap.to == "−∞" or (isinstance(gap.to, la.Term) and self.sign(gap.to) <= 0):
                raise Unsupported("no room")
        except Unsupported:
            self.lines, self.limits = before
            return
        known, x = self.fresh("B"), self.text(self.x)
        open_ = "apply open_gt; assumption" if isinstance(gap.to, la.Term) else "exists 0; intros y h; exact h"
        proof = f"apply ({gap.known} (fun y => 0 < y)); {open_}"
        self.lines.append(f"assert ({known} : {self.near} (fun {x} : R => 0 < {gap.text})). {{ {proof}. }}")
        self.also(known)

    def also(self, known: str) -> None:
        self.lines.append(f"pose proof (filter_and _ _ N'0 {known}) as M'0. clear N'0. rename M'0 into N'0.")

    # -- the parts ----------------------------------------------------------------------------------------------------

    def of(self, e: la.Term) -> Tends:
        if e not in self.limits:
            self.limits[e] = self._of(e)
        return self.limits[e]

    def _of(self, e: la.Term) -> Tends:
        if self.x not in e.variables:
            return self.assert_tends(self.text(e), e, "apply filterlim_const")
        match e:
            case la.Add(parts) | la.Multiply(parts):
                return reduce(self._sum if isinstance(e, la.Add) else self._product, map(self.of, parts))
            case la.Power(base, exponent) if exponent < 0:
                return self._inverse(la.Power(base, -exponent) if exponent != -1 else base)
            case la.Power(base, exponent) if exponent == Fraction(1, 2):
                return self._function("sqrt", base, lambda v: la.Power(v, exponent))
            case la.Power(base, exponent) if exponent.denominator == 2:
                return self.of(la.multiply(*[la.Power(base, Fraction(1, 2))] * exponent.numerator))
            case la.Power(base, exponent) if exponent.denominator == 1:
                return self._power(base, exponent.numerator)
            case la.Function("exp" | "log" as kind, argument):
                return self._function("ln" if kind == "log" else kind, argument, lambda v: la.Function(kind, v))
        raise Unsupported(f"the limit of {type(e).__name__}")

    def _sum(self, a: Tends, b: Tends) -> Tends:
        infinite = {t for t in (a.to, b.to) if isinstance(t, str)}
        if len(infinite) == 2:
            raise Unsupported("∞ − ∞")
        to = infinite.pop() if infinite else la.add(a.to, b.to)  # type: ignore[arg-type]
        return self._joined(a, b, "+", to, "apply filterlim_Rbar_plus; reflexivity")

    def _joined(self, a: Tends, b: Tends, sign: str, to: la.Term | str, lemma: str) -> Tends:
        x, kind = self.text(self.x), {"+": "Rplus", "*": "Rmult"}[sign]
        both = f"(fun {x} : R => {a.text}) (fun {x} : R => {b.text}) {kind} {a.known} {b.known}"
        return self.assert_tends(f"({a.text} {sign} {b.text})", to, f"apply (filterlim_comp_2 {both}); {lemma}")

    def _product(self, a: Tends, b: Tends) -> Tends:
        to: la.Term | str
        if isinstance(a.to, la.Term) and isinstance(b.to, la.Term):
            to = la.multiply(a.to, b.to)
        else:
            signs = [self.sign(t) if isinstance(t, la.Term) else 1 if t == "∞" else -1 for t in (a.to, b.to)]
            if 0 in signs:
                raise Unsupported("0·∞")
            to = "∞" if signs[0] == signs[1] else "−∞"
        return self._joined(a, b, "*", to, f"apply filterlim_Rbar_mult; {_PRODUCT}")

    def _composed(self, part: Tends, text: str, to: la.Term | str, lemma: str) -> Tends:
        return self.assert_tends(text, to, f"eapply filterlim_comp; [exact {part.known} | {lemma}]")

    def _inverse(self, base: la.Term) -> Tends:
        part = self.of(base)
        text = f"(/ {part.text})"
        if isinstance(part.to, str):
            return self._composed(part, text, la.ZERO, "apply filterlim_Rbar_inv; discriminate")
        if self.sign(part.to):
            nonzero = "apply filterlim_Rbar_inv; intro Z'0; apply (f_equal real) in Z'0; simpl in Z'0; lra"
            return self._composed(part, text, la.Power(part.to, Fraction(-1)), nonzero)
        above = sign_of(base, self.points) == ">"
        one_side = self._one_side(part, base, ">" if above else "<")
        lemma = f"apply filterlim_Rinv_0_{'right' if above else 'left'}"
        return self.assert_tends(text, "∞" if above else "−∞", f"eapply filterlim_comp; [{one_side} | {lemma}]")

    def _one_side(self, part: Tends, base: la.Term, side: str) -> str:
        """What tends to zero tends to it from one side: the tactic."""
        self.equal(part, la.ZERO)
        known = self.nearby(la.Compare("<", la.ZERO, base) if side == ">" else la.Compare("<", base, la.ZERO))
        where = "0 < u" if side == ">" else "u < 0"
        return f"apply (Side' _ _ (fun u => {where})); [typeclasses eauto | exact {part.known} | exact {known}]"

    def _power(self, base: la.Term, exponent: int) -> Tends:
        part = power = self.of(base)
        for _ in range(exponent - 1):
            power = self._product(part, power)
        product = f"(fun {self.text(self.x)} : R => {power.text})"
        same = f"apply (filterlim_ext {product}); [intros; simpl; ring | exact {power.known}]"
        return self.assert_tends(f"({part.text} ^ {exponent})", power.to, same)

    def _function(self, kind: str, argument: la.Term, at: Callable[[la.Term], la.Term]) -> Tends:
        part = self.of(argument)
        text = f"({kind} {part.text})"
        if isinstance(part.to, str):
            to, lemma = _FAR[kind, part.to]
            return self._composed(part, text, to, f"apply {lemma}")
        if kind != "ln" or self.sign(part.to) > 0:
            return self._composed(part, text, at(part.to), f"apply continuous_{kind}{'; assumption' * (kind == 'ln')}")
        one_side = self._one_side(part, argument, ">")
        return self.assert_tends(text, "−∞", f"eapply filterlim_comp; [{one_side} | apply is_lim_ln_0]")


def by_limits(obligation: LimitIs, stated: Theorem, points: Points) -> Iterator[list[str]]:
    """Scripts for a limit: of the expression, then of other ways to write it."""
    expression, x, point, *_ = map(unfolded, obligation.read)
    for other, wide in ((expression, False), (expression, True), *((e, False) for e in _others(expression, x, point))):
        with suppress(Unsupported, sp.PolynomialError, ValueError, TypeError, NotImplementedError, KeyError):
            yield _script(obligation, stated, points, other, wide)


def _script(obligation: LimitIs, stated: Theorem, points: Points, other: la.Term, wide: bool) -> list[str]:
    """A script by what ``other`` tends to; conditions are shown by limits as well where it is ``wide``."""
    expression, x, point, side, value = map(unfolded, obligation.read)
    name, up = stated.syntax.term(x), side == "+" if isinstance(point, la.Term) else point == "∞"
    if isinstance(point, la.Term):
        low, first = stated.syntax.term(point), _BALL
        near = f"({'at_right' if up else 'at_left'} {low})"
        bound = f"{low} < {name} < {low} + 1" if up else f"{low} - 1 < {name} < {low}"
    else:
        near, first = f"(Rbar_locally {'p_infty' if up else 'm_infty'})", "eexists. intros y'0 L. exact L."
        bound = f"1 < {name}" if up else f"{name} < -1"
    step = la.Number(Fraction((1 if up else -1) * (1 if isinstance(point, la.Term) else 1 << 40), 1 << 20))
    there = la.add(point, step) if isinstance(point, la.Term) else step
    made = Limits(stated, x, near, [{**p, x: number(there, p)} for p in points], [_SIDE])
    begun = "intros P'0 H. apply filter_le_within. exact H" if isinstance(point, la.Term) else "intros P'0 H. exact H"
    made.limits[x] = made.assert_tends(name, point, begun)
    made.lines.append(f"assert (N'0 : {near} (fun {name} : R => {bound})). {{ {first} }}")
    for f in map(unfolded, obligation.domain.formulas):
        if isinstance(f, la.Compare) and f.relation in ("<", "<=") and x in f.variables:
            made.room(f)
    for c in conditions(expression, {}):
        if not c.given and x in c.needed.variables:
            if wide and isinstance(c.needed, la.Compare) and c.needed.relation in ("<", "<="):
                made.room(c.needed)
            made.also(made.nearby(c.needed))
    limit = made.of(other)
    if isinstance(value, la.Term) != isinstance(limit.to, la.Term) or (isinstance(value, str) and value != limit.to):
        raise Unsupported("another limit")
    if isinstance(value, la.Term):
        made.equal(limit, value)
    close = f"exact {limit.known}."
    if other is not expression:
        same = f"(filterlim_ext_loc (fun {name} : R => {limit.text}))"
        close = f"apply {same}; [exact {made.nearby(la.Compare('==', other, expression))} | exact {limit.known}]."
    here = f"generalize N'0; apply filter_imp; intros {name} M'0; {_OPEN}; repeat split; first [meaningful | evident]"
    return [*made.lines, *([f"split. {{ first [meaningful | {here}]. }}"] * len(stated.defined)), close]


def _others(expression: la.Term, x: la.Variable, point: la.Term | str) -> Iterator[la.Term]:
    e, symbol = in_sympy(expression), in_sympy(x)
    yield as_term(sp.cancel(sp.together(e)))
    for w in [f for f in e.atoms(sp.exp) if f.has(symbol)]:
        z = sp.Symbol("z", positive=True)
        yield as_term(sp.cancel(e.subs(w, 1 / z)).subs(z, sp.exp(-w.args[0])))
    if isinstance(point, str):
        t = sp.Symbol("t", positive=point == "∞", negative=point != "∞")
        yield as_term(sp.simplify(e.subs(symbol, 1 / t)).subs(t, 1 / symbol))
    yield as_term(sp.radsimp(e))
