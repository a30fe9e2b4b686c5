"""The shape of a proof script: cases, connectives and lemma instances, down to single relations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.export.coq import term
from grpo_symbolic.export.coq_names import Unsupported
from grpo_symbolic.proof.lemmas import Instance
from grpo_symbolic.verification.kernel_names import Names
from grpo_symbolic.verification.kernel_signs import ZERO, number, rebuilt, sign_of

_ROUGH = (sp.Max, sp.Min, sp.Abs, sp.sign, sp.Piecewise)
_LEMMAS = {">": "gt_of", ">=": "ge_of", "<": "lt_of", "<=": "le_of"}
_TESTS = {"<": "Rlt_dec", "<=": "Rle_dec", ">": "Rgt_dec", ">=": "Rge_dec", "==": "Req_EM_T", "!=": "Req_EM_T"}


def truth(condition: Any, point: dict[Any, Any]) -> bool | None:
    """A relation or a combination of relations at a sample point, as far as numbers tell."""
    if isinstance(condition, Relational):
        difference = number(condition.lhs - condition.rhs, point)
        if difference is None:
            return None
        order = 0 if bool(abs(difference) < ZERO) else 1 if bool(difference > 0) else -1
        return {
            "<": order < 0, "<=": order <= 0, "==": order == 0, "!=": order != 0, ">": order > 0, ">=": order >= 0
        }[condition.rel_op]  # fmt: skip
    if condition in (sp.true, sp.false):
        return bool(condition)
    parts = [truth(a, point) for a in condition.args]
    if None in parts:
        return None
    if isinstance(condition, sp.And):
        return all(parts)
    if isinstance(condition, sp.Or):
        return any(parts)
    if isinstance(condition, sp.Not):
        return not parts[0]
    if isinstance(condition, sp.Implies):
        return not parts[0] or bool(parts[1])
    return parts[0] == parts[1] if isinstance(condition, sp.Equivalent) else None


@dataclass
class Goals:
    """Scripts for goals, given lemma instances and the number of conditions of definedness before the claim."""

    names: Names
    given: tuple[Instance, ...]
    conditions: int

    def whole(self, claimed: Any) -> list[str]:
        """The conditions of definedness and the claim."""
        split = self._rough(claimed)
        if split is not None:
            return split
        named = self._named(claimed)
        lines = [*self.names.lines]
        self.names.lines.clear()
        lines += ["split. { meaningful. }"] * self.conditions
        return lines + self.goal(named)

    def slope(self, variable: Any, body: Any, value: Any) -> list[str]:
        """A derivative at a point: Coquelicot's rules, then an identity."""
        if body.has(*_ROUGH) or value.has(*_ROUGH):
            raise Unsupported("the derivative of a distinction of cases")
        self.names.name(body)
        named = self.names.name(value)
        structural = self.names.name(sp.diff(body, variable))
        close = self.names.equality(structural, named)
        lines = [*self.names.lines]
        lines += ["split. { meaningful. }"] * self.conditions
        found = [e for line in lines for e in re.findall(r"^(?:destruct.* )?rewrite (?:<- )?\?(\w+)\.$", line)]
        again = [f"again {e}" for e in found]
        return [
            *lines,
            f"auto_derive; [repeat split; try exact I; {'; '.join([*again, 'meaningful'])} | idtac].",
            "simpl INR.",
            *(f"{tactic}." for tactic in again),
            f"first [ {close} | field; nonzero | (field_simplify_eq; [nra | nonzero]) ].",
        ]

    def _rough(self, claimed: Any) -> list[str] | None:
        """Both cases of the innermost distinction, if there is one."""
        found = [e for e in sp.postorder_traversal(claimed) if isinstance(e, _ROUGH)]
        if not found:
            return None
        e = found[0]
        if isinstance(e, sp.Piecewise):
            relation = next(r for _, c in e.args for r in sp.preorder_traversal(c) if isinstance(r, Relational))
            yes, no = _decided(e, relation, True), _decided(e, relation, False)
            head = f"destruct ({_TESTS[relation.rel_op]} {term(relation.lhs)} {term(relation.rhs)}) as [C|C]."
            test, rewrites = relation, ("", "")
            if relation.rel_op == "!=":
                test, yes, no = sp.Eq(relation.lhs, relation.rhs, evaluate=False), no, yes
        elif isinstance(e, sp.sign):
            a = e.args[0]
            inner = sp.Piecewise((-1, sp.Lt(a, 0, evaluate=False)), (0, True), evaluate=False)
            new = sp.Piecewise((1, sp.Lt(0, a, evaluate=False)), (inner, True), evaluate=False)
            return ["unfold sgn.", *self.whole(_replaced(claimed, e, new))]
        else:
            first, *others = e.args
            if len(others) > 1:
                raise Unsupported(f"{e} compares more than two numbers")
            if isinstance(e, sp.Abs):
                test, yes, no = sp.Le(0, first, evaluate=False), first, sp.Mul(-1, first, evaluate=False)
                a = term(first)
                rewrites = (
                    f"rewrite ?(Rabs_pos_eq {a}) by lra.",
                    f"rewrite ?(Rabs_left {a}) by lra. replace (- {a}) with ((- 1) * {a}) by ring.",
                )
            else:
                test = sp.Le(first, others[0], evaluate=False)
                a, b = term(first), term(others[0])
                yes, no = (others[0], first) if isinstance(e, sp.Max) else (first, others[0])
                kinds = ("Rmax_right", "Rmax_left") if isinstance(e, sp.Max) else ("Rmin_left", "Rmin_right")
                first_kind, second_kind = (f"rewrite ?({kind} {a} {b}) by lra." for kind in kinds)
                rewrites = (first_kind, second_kind)
            head = f"destruct (Rle_dec {term(test.lhs)} {term(test.rhs)}) as [C|C]."
        lines = [head.replace("C|C", f"{(c := self.names.fresh('C'))}|{c}")]
        for value, holds, rewriting in ((yes, True, rewrites[0]), (no, False, rewrites[1])):
            points = [p for p in self.names.points if truth(test, p) is holds]
            opened = (
                f"try apply Rnot_le_lt in {c}."
                if not holds and "Rle_dec" in head
                else f"try apply Rnot_lt_le in {c}."
                if not holds
                else ""
            )
            if not points:
                lines.append(f"{{ {opened} first [impossible | {{ }}]. }}".replace(" | { }", ""))
                continue
            branch = Goals(self.names.branch(points), self.given, self.conditions)
            lines += ["{", f"{opened} {rewriting}", *branch.whole(_replaced(claimed, e, value)), "}"]
        return lines

    def _named(self, f: Any) -> Any:
        if isinstance(f, Relational):
            return f.func(self.names.name(f.lhs), self.names.name(f.rhs), evaluate=False)
        if f in (sp.true, sp.false):
            return f
        return f.func(*(self._named(a) for a in f.args), evaluate=False)

    def goal(self, f: Any) -> list[str]:
        """A claim in the names."""
        if isinstance(f, sp.And):
            lines = []
            for a in f.args[:-1]:
                lines += ["split. {", *self.goal(a), "}"]
            return lines + self.goal(f.args[-1])
        if isinstance(f, sp.Implies):
            return self._under(f.args[0], f.args[1])
        if isinstance(f, sp.Equivalent):
            a, b = f.args
            return ["split.", "{", *self._under(a, b), "}", "{", *self._under(b, a), "}"]
        if isinstance(f, sp.Or):
            for position, a in enumerate(f.args):
                if all(truth(a, p) for p in self.names.points):
                    last = position == len(f.args) - 1
                    return [*(["right."] * position), *([] if last else ["left."]), *self.goal(a)]
            first, rest = f.args[0], f.args[1:]
            remaining = rest[0] if len(rest) == 1 else sp.Or(*rest, evaluate=False)
            if not isinstance(first, Relational):
                raise Unsupported("a disjunction whose first part is no relation")
            c = self.names.fresh("C")
            points = [p for p in self.names.points if truth(first, p) is False]
            branch = Goals(self.names.branch(points), self.given, 0)
            test = f"{_TESTS[first.rel_op]} {term(first.lhs)} {term(first.rhs)}"
            return [
                f"destruct ({test}) as [{c}|{c}]. {{ left; assumption. }} right.",
                "{",
                *branch.goal(remaining),
                "}",
            ]
        if isinstance(f, Relational):
            return self._relation(f)
        if f == sp.true:
            return ["exact I."]
        raise Unsupported(f"{f} is no goal")

    def _under(self, assumed: Any, claimed: Any) -> list[str]:
        points = [p for p in self.names.points if truth(assumed, p)]
        c = self.names.fresh("C")
        if not points:
            return [f"intro {c}.", "first [exfalso; arith | parts; arith]."]
        branch = Goals(self.names.branch(points), self.given, 0)
        return (
            [f"intro {c}. parts.", *branch.goal(claimed)]
            if isinstance(assumed, sp.And)
            else [f"intro {c}.", *branch.goal(claimed)]
        )

    def _relation(self, f: Any) -> list[str]:
        lines: list[str] = []
        for instance in self.given:
            lines += self._fact(instance)
        left, right = f.lhs, f.rhs
        if f.rel_op == "==":
            tactic = self.names.equality(left, right)
            close = f"first [ reflexivity | {tactic} | lra | arith ]."
        elif f.rel_op == "!=":
            sense = sign_of(left - right, self.names.points)
            if sense == ">":
                close = f"apply Rgt_not_eq. apply Rlt_gt. {self.names.below(right, left, '>')}."
            elif sense == "<":
                close = f"apply Rlt_not_eq. {self.names.below(left, right, '>')}."
            else:
                close = "first [ nonzero | (intro; timeout 5 nra) ]."
        else:
            high, low = (left, right) if f.rel_op[0] == ">" else (right, left)
            relation = ">" if len(f.rel_op) == 1 else ">="
            close = self.names.difference(_LEMMAS[f.rel_op], high, low, relation) + "."
        lines += self.names.lines
        self.names.lines.clear()
        return [*lines, close]

    def _fact(self, instance: Instance) -> list[str]:
        """What an instance of a lemma says in this case of the domain."""
        names = self.names
        lines: list[str] = []
        lemma, arguments = instance.lemma, instance.arguments
        if lemma in ("log_increasing", "exp_increasing"):
            u, v = arguments
            sense = sign_of(v - u, names.points)
            if sense not in (">", "<"):
                return []
            u, v = (u, v) if sense == ">" else (v, u)
            a, b = names.name(u), names.name(v)
            names.show(f"{term(a)} < {term(b)}", names.below(a, b, ">"))
            kind = "ln" if lemma == "log_increasing" else "exp"
            if kind == "ln":
                names.positive(a)
            h = names.fresh("H")
            names.say(f"assert ({h} : {kind} {term(a)} < {kind} {term(b)}). {{ apply {kind}_increasing; auto. }}")
            function = sp.log if kind == "ln" else sp.exp
            position = len(names.lines)
            for argument in (a, b):
                (names.logarithm if function is sp.log else names.exponential)(argument)
            names.lines[position:] = [_everywhere(line, h) for line in names.lines[position:]]
        elif lemma in ("exp_sign", "exp_positive", "log_sign"):
            (u,) = arguments
            a = names.name(u)
            (names.logarithm if lemma == "log_sign" else names.exponential)(a)
        else:
            (u,) = arguments
            a = names.name(u)
            zero = a - 1 if lemma == "log_below_tangent" else a
            sense = sign_of(zero, names.points)
            strict = "_strict" if sense in (">", "<") else ""
            h = names.fresh("H")
            if lemma == "log_below_tangent":
                above = names.positive(a)
                side = f"[exact {above} | {names_ne(names, a, sp.S.One, sense)}]" if strict else f"exact {above}"
                names.say(
                    f"assert ({h} : ln {term(a)} {'<' if strict else '<='} {term(a)} - 1). "
                    f"{{ apply ln_tangent{strict}; {side}. }}"
                )
            else:
                side = f"; {names_ne(names, a, sp.S.Zero, sense)}" if strict else ""
                names.say(
                    f"assert ({h} : 1 + {term(a)} {'<' if strict else '<='} exp {term(a)}). "
                    f"{{ apply exp_tangent{strict}{side}. }}"
                )
            position = len(names.lines)
            (names.logarithm if lemma == "log_below_tangent" else names.exponential)(a)
            names.lines[position:] = [_everywhere(line, h) for line in names.lines[position:]]
        return lines


def names_ne(names: Names, a: Any, b: Any, sense: str) -> str:
    if sense == ">":
        return f"apply Rgt_not_eq; apply Rlt_gt; {names.below(b, a, '>')}"
    return f"apply Rlt_not_eq; {names.below(a, b, '>')}"


def _everywhere(line: str, hypothesis: str) -> str:
    """A rewriting of the goal as one of a hypothesis too."""
    if line.startswith("rewrite ?"):
        return f"{line} rewrite {line.removeprefix('rewrite ').rstrip('.')} in {hypothesis}."
    return line


def _replaced(f: Any, old: Any, new: Any) -> Any:
    if f == old:
        return new
    if f.is_Atom or isinstance(f, sp.Indexed):
        return f
    return rebuilt(f, (_replaced(a, old, new) for a in f.args))


def _decided(e: Any, relation: Any, value: bool) -> Any:
    """A distinction with one of its tests decided."""
    branches = []
    for branch, condition in e.args:
        now = condition.xreplace({relation: sp.true if value else sp.false})
        if now == sp.false:
            continue
        branches.append((branch, now))
        if now == sp.true:
            break
    return branches[0][0] if branches[0][1] == sp.true else sp.Piecewise(*branches, evaluate=False)
