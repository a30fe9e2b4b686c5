"""The shape of a proof script: cases, connectives and lemma instances, down to single relations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.proof.coq.scripts.names import Names
from grpo_symbolic.proof.coq.scripts.signs import Points, in_sympy, number, order, outermost, real, sign_of
from grpo_symbolic.proof.coq.syntax import TESTS, Unsupported
from grpo_symbolic.proof.statements.evaluate import Values
from grpo_symbolic.terms.derivatives import derivative
from grpo_symbolic.terms.language import (
    COMPARED,
    FALSE,
    MINUS_ONE,
    ONE,
    TRUE,
    ZERO,
    And,
    Cases,
    Compare,
    Extremum,
    Formula,
    Function,
    Iff,
    Implies,
    Multiply,
    Node,
    Not,
    Or,
    Power,
    Term,
    Truth,
    Variable,
    mapped,
    substitute,
)

LEMMAS = {"<": "lt_of", "<=": "le_of"}
Given = tuple[str, tuple[Term, ...]]  # a lemma and its arguments


def truth(condition: Formula, point: Values) -> bool | None:
    """A formula at a sample point, as far as numbers tell."""
    match condition:
        case Truth(value):
            return value
        case Compare(relation, left, right):
            a, b = number(left, point), number(right, point)
            if a is None or b is None:
                return None
            return COMPARED[relation](order(a - b), 0)
    parts = [truth(part, point) for part in condition.children if isinstance(part, Formula)]
    if None in parts:
        return None
    match condition:
        case And():
            return all(parts)
        case Or():
            return any(parts)
        case Not():
            return not parts[0]
        case Implies():
            return not parts[0] or bool(parts[1])
    return len(set(parts)) == 1


def is_rough(node: Node) -> bool:
    """Whether a term is made of cases."""
    return isinstance(node, Extremum | Cases) or (isinstance(node, Function) and node.name in ("abs", "sign"))


@dataclass
class Goals:
    """Scripts for goals, given lemma instances and the number of conditions of definedness before the claim."""

    names: Names
    given: tuple[Given, ...]
    conditions: int

    def text(self, e: sp.Expr | Term) -> str:
        return self.names.text(e)

    def whole(self, claimed: Formula) -> list[str]:
        """The conditions of definedness and the claim."""
        lines = self._veiled(claimed) or self._split(claimed)
        if lines is not None:
            return lines
        named = self._named(claimed)
        return [*self.begun(), *self.goal(named)]

    def begun(self) -> list[str]:
        """The names given so far, and the conditions."""
        lines = [*self.names.lines, *(["split. { meaningful. }"] * self.conditions)]
        self.names.lines.clear()
        return lines

    def slope(self, along: Variable, body: Term, value: Term) -> list[str]:
        """A derivative at a point: Coquelicot's rules, then an identity."""
        if any(map(is_rough, (*body.parts, *value.parts))):
            raise Unsupported("the derivative of a distinction of cases")
        self.names.name(body)
        named = self.names.name(value)
        close = self.names.equality(self.names.name(derivative(body, along)), named)
        lines = self.begun()
        equations = [e for line in lines for e in re.findall(r"^(?:destruct.* )?rewrite (?:<- )?\?(\w+)\.$", line)]
        again = [f"again {e}" for e in equations]
        return [
            *lines,
            f"auto_derive; [repeat split; try exact I; {'; '.join([*again, 'meaningful'])} | idtac].",
            "simpl INR.",
            *(f"{tactic}." for tactic in again),
            f"first [ {close} | field; nonzero | (field_simplify_eq; [nra | nonzero]) ].",
        ]

    # -- cases ----------------------------------------------------------------------------------------------------

    def _veiled(self, claimed: Formula) -> list[str] | None:
        """An identity that divides by no distinction and holds whatever number each one is: the outermost get names."""
        if not isinstance(claimed, Compare) or claimed.relation != "==":
            return None
        outer = dict.fromkeys(outermost(claimed, is_rough))
        veils = {e: real(f"veil{k}") for k, e in enumerate(outer, start=1)}
        left, right = substitute(claimed.left, veils), substitute(claimed.right, veils)
        parts = (*left.parts, *right.parts)
        if not veils or any(is_rough(part) or isinstance(part, Function) for part in parts):
            return None
        below = {v for part in parts if isinstance(part, Power) and part.exponent < 0 for v in part.variables}
        difference = sp.fraction(sp.together(in_sympy(left) - in_sympy(right)))[0]
        if not below.isdisjoint(veils.values()) or difference.expand() != 0:
            return None
        lines = ["split. { meaningful. }"] * self.conditions
        lines += [f"generalize ({self.text(e)}). intro {veil.name}." for e, veil in veils.items()]
        return [*lines, "first [ring | field; nonzero]."]

    def _split(self, claimed: Formula) -> list[str] | None:
        """Both cases of the innermost distinction, if there is one."""
        e = next((part for part in claimed.parts if is_rough(part)), None)
        yes: Any
        no: Any
        rewrites, turned = ("", ""), False
        match e:
            case None:
                return None
            case Cases(cases, _):
                test = next(part for c, _ in cases for part in c.parts if isinstance(part, Compare))
                yes, no = _decided(e, test, TRUE), _decided(e, test, FALSE)
                turned = test.relation == "!="
            case Function("sign", a):
                below = Cases(((Compare("<", a, ZERO), MINUS_ONE),), ZERO)
                unfolded = Cases(((Compare("<", ZERO, a), ONE),), below)
                return ["unfold sgn.", *self.whole(substitute(claimed, {e: unfolded}))]
            case Function("abs", a):
                test, yes, no, text = Compare("<=", ZERO, a), a, Multiply((MINUS_ONE, a)), self.text(a)
                rewrites = (
                    f"rewrite ?(Rabs_pos_eq {text}) by lra.",
                    f"rewrite ?(Rabs_left {text}) by lra. replace (- {text}) with ((- 1) * {text}) by ring.",
                )
            case Extremum(greatest, (first, second)):
                test = Compare("<=", first, second)
                yes, no = (second, first) if greatest else (first, second)
                kinds = ("Rmax_right", "Rmax_left") if greatest else ("Rmin_left", "Rmin_right")
                left, right = (f"rewrite ?({k} {self.text(first)} {self.text(second)}) by lra." for k in kinds)
                rewrites = (left, right)
            case _:
                raise Unsupported("a comparison of more than two numbers")
        c = self.names.fresh("C")
        opening = {"<": "try apply Rnot_lt_le", "<=": "try apply Rnot_le_lt"}.get(test.relation)
        lines = [f"destruct ({TESTS[test.relation]} {self.text(test.left)} {self.text(test.right)}) as [{c}|{c}]."]
        branches = ((yes, True, ""), (no, False, f"{opening} in {c}." if opening else ""))
        for (value, holds, opened), rewriting in zip(branches[::-1] if turned else branches, rewrites, strict=True):
            points = [p for p in self.names.points if truth(test, p) is holds]
            if not points:
                lines.append(f"{{ {opened} impossible. }}")
                continue
            branch = Goals(self.names.branch(points), self.given, self.conditions)
            lines += ["{", f"{opened} {rewriting}", *branch.whole(substitute(claimed, {e: value})), "}"]
        return lines

    # -- connectives ----------------------------------------------------------------------------------------------

    def _named(self, f: Formula) -> Any:
        if isinstance(f, Compare):
            return Compare(f.relation, self.names.name(f.left), self.names.name(f.right))
        return mapped(f, self._named)

    def _at(self, points: Points) -> Goals:
        """The goals of a case that holds at these points only."""
        return Goals(self.names.branch(points), self.given, 0)

    def goal(self, f: Formula) -> list[str]:
        """A claim in the names."""
        match f:
            case And((*others, last)):
                return [line for a in others for line in ("split. {", *self.goal(a), "}")] + self.goal(last)
            case Implies(a, b):
                return self._under(a, b)
            case Iff((a, b)):
                return ["split.", "{", *self._under(a, b), "}", "{", *self._under(b, a), "}"]
            case Or(parts):
                return self._either(parts)
            case Compare():
                return self._relation(f)
            case Truth(True):
                return ["exact I."]
        raise Unsupported(f"{type(f).__name__} is no goal")

    def _either(self, parts: tuple[Formula, ...]) -> list[str]:
        """The part that holds everywhere, or cases of the first one."""
        for position, part in enumerate(parts):
            if all(truth(part, p) for p in self.names.points):
                last = position == len(parts) - 1
                return [*(["right."] * position), *([] if last else ["left."]), *self.goal(part)]
        first, rest = parts[0], parts[1:]
        if not isinstance(first, Compare):
            raise Unsupported("a disjunction whose first part is no relation")
        c = self.names.fresh("C")
        branch = self._at([p for p in self.names.points if truth(first, p) is False])
        test = f"{TESTS[first.relation]} {self.text(first.left)} {self.text(first.right)}"
        taken = f"destruct ({test}) as [{c}|{c}]. {{ left; assumption. }} right."
        return [taken, "{", *branch.goal(rest[0] if len(rest) == 1 else Or(rest)), "}"]

    def _under(self, assumed: Formula, claimed: Formula) -> list[str]:
        points = [p for p in self.names.points if truth(assumed, p)]
        c = self.names.fresh("C")
        match assumed:
            case Compare("==", left, Variable() as right) if not points:  # an equation that only a thin set satisfies
                rest = self._at(self.names.points).goal(substitute(claimed, {right: left}))
                return [f"intro {c}. rewrite <- {c}.", *rest]
        if not points:
            return [f"intro {c}.", "first [exfalso; arith | parts; arith]."]
        parts = " parts." if isinstance(assumed, And) else ""
        return [f"intro {c}.{parts}", *self._at(points).goal(claimed)]

    def _relation(self, f: Compare) -> list[str]:
        facts = [line for lemma, arguments in self.given for line in self._fact(lemma, *arguments)]
        left, right = f.left, f.right
        if f.relation == "==":
            close = f"first [ reflexivity | {self.names.equality(left, right)} | lra | arith ]."
        elif f.relation == "!=":
            sense = sign_of(in_sympy(left) - in_sympy(right), self.names.points)
            known = sense in (">", "<")
            close = f"{self._unequal(left, right, sense)}." if known else "first [ nonzero | (intro; timeout 5 nra) ]."
        else:
            close = self.names.difference(LEMMAS[f.relation], right, left, ">" if f.relation == "<" else ">=") + "."
        lines = [*facts, *self.names.lines]
        self.names.lines.clear()
        return [*lines, close]

    def _unequal(self, a: Term, b: Term, sense: str) -> str:
        """A tactic for ``a ≠ b``, by which one is greater."""
        if sense == ">":
            return f"apply Rgt_not_eq; apply Rlt_gt; {self.names.below(b, a, '>')}"
        return f"apply Rlt_not_eq; {self.names.below(a, b, '>')}"

    # -- lemmas ---------------------------------------------------------------------------------------------------

    def _fact(self, lemma: str, *arguments: Term) -> list[str]:
        """What an instance of a lemma says in this case of the domain; the names that it needs are given on the way."""
        names = self.names
        if lemma in ("exp_sign", "exp_positive", "log_sign"):
            (names.logarithm if lemma == "log_sign" else names.exponential)(names.name(*arguments))
            return []
        kind = "ln" if lemma.startswith("log") else "exp"
        named: tuple[Term, ...]
        h = names.fresh("H")
        if lemma in ("log_increasing", "exp_increasing"):
            u, v = arguments
            sense = sign_of(in_sympy(v) - in_sympy(u), names.points)
            if sense not in (">", "<"):
                return []
            a, b = (names.name(w) for w in ((u, v) if sense == ">" else (v, u)))
            names.show(f"{self.text(a)} < {self.text(b)}", names.below(a, b, ">"))
            if kind == "ln":
                names.positive(a)
            proposition, proof, named = (
                f"{kind} {self.text(a)} < {kind} {self.text(b)}",
                f"{kind}_increasing; auto",
                (a, b),
            )
        else:
            a = names.name(*arguments)
            zero = ONE if kind == "ln" else ZERO
            sense = sign_of(in_sympy(a) - in_sympy(zero), names.points)
            strict, named = sense in (">", "<"), (a,)
            below, order = ("_strict", "<") if strict else ("", "<=")
            unequal = self._unequal(a, zero, sense) if strict else ""
            if kind == "ln":
                above = names.positive(a)
                proof = f"ln_tangent{below}; " + (f"[exact {above} | {unequal}]" if strict else f"exact {above}")
                proposition = f"ln {self.text(a)} {order} {self.text(a)} - 1"
            else:
                proof = f"exp_tangent{below}" + (f"; {unequal}" if strict else "")
                proposition = f"1 + {self.text(a)} {order} exp {self.text(a)}"
        names.say(f"assert ({h} : {proposition}). {{ apply {proof}. }}")
        position = len(names.lines)
        for argument in named:
            (names.logarithm if kind == "ln" else names.exponential)(argument)
        names.lines[position:] = [_everywhere(line, h) for line in names.lines[position:]]
        return []


def _everywhere(line: str, hypothesis: str) -> str:
    """A rewriting of the goal as one of a hypothesis too."""
    if line.startswith("rewrite ?"):
        return f"{line} rewrite {line.removeprefix('rewrite ').rstrip('.')} in {hypothesis}."
    return line


def _decided(e: Cases, test: Formula, value: Formula) -> Term:
    """A distinction with one of its tests decided."""
    branches: list[tuple[Formula, Term]] = []
    for condition, then in e.cases:
        now = _settled(substitute(condition, {test: value}))
        if now is TRUE:
            return Cases(tuple(branches), then) if branches else then
        if now is not FALSE:
            branches.append((now, then))
    return Cases(tuple(branches), e.default) if branches else e.default


def _settled(f: Formula) -> Formula:
    """A condition without what is literally true or false in it."""
    match f:
        case Not(part):
            inner = _settled(part)
            return Truth(not inner.value) if isinstance(inner, Truth) else Not(inner)
        case And(formulas) | Or(formulas):
            decisive, idle = (FALSE, TRUE) if isinstance(f, And) else (TRUE, FALSE)
            undecided = [part for part in map(_settled, formulas) if part is not idle]
            if decisive in undecided:
                return decisive
            return idle if not undecided else undecided[0] if len(undecided) == 1 else type(f)(tuple(undecided))
    return f
