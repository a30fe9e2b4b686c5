"""Sums over families of any size in a proof script: linear combinations of sums that get a name, as real numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from grpo_symbolic.proof.coq.scripts.signs import Points, as_term, in_sympy, number, outermost, real, sign_of
from grpo_symbolic.proof.coq.syntax import Syntax, Unsupported, identifier
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.terms.language import ONE, Entry, Sort, Term, Total, Variable, opened, substitute, total

_INDEX = Variable("i", Sort.whole)


@dataclass
class Sums:
    """Names for sums and for entries at free indices; ``lines`` are the tactics that give them, ``points`` get their
    values.
    """

    domain: Domain
    syntax: Syntax
    points: Points
    lines: list[str] = field(default_factory=list)
    known: dict[tuple[sp.Expr, Term], tuple[Term, str]] = field(
        default_factory=dict
    )  # summand and size: value, and the rewriting
    entries: dict[Entry, Variable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.inside = Syntax(self.syntax.sizes, self.syntax.indices | {_INDEX}, self.syntax.functions)
        for size in sorted({f.size for f in self.domain.family_terms.values() if f.size in self.syntax.sizes}, key=str):
            there_is_one = f"apply (some {self.syntax.term(size)}); [assumption | lra]"
            self.lines.append(f"assert (1 <= {self.syntax.size(size)})%nat. {{ {there_is_one}. }}")

    def named(self, node: Any) -> Any:
        """The term or formula with real numbers in the place of sums, then of entries."""
        node = self._sums(node)
        entries = dict.fromkeys(e for e in node.parts if isinstance(e, Entry) and e.index in self.syntax.indices)
        return substitute(node, {e: self._entry(e) for e in entries})

    def _sums(self, node: Any) -> Any:
        sums = dict.fromkeys(outermost(node, lambda part: isinstance(part, Total)))
        return substitute(node, {t: self._combination(t) for t in sums})

    def _text(self, body: sp.Expr, size: Term) -> str:
        """A sum over the index that is written ``i'``."""
        return f"total (fun i' : nat => {self.inside.term(as_term(body))}) {self.syntax.size(size)}"

    def _combination(self, t: Total) -> Term:
        """A sum as a combination of named sums, proved term by term."""
        if t.product:
            raise Unsupported("a product of any length in a script")
        body, index = self._sums(opened(t, _INDEX)), in_sympy(_INDEX)
        if body.has(Total):
            raise Unsupported("a sum whose terms are sums in which its index occurs")
        parts: dict[Any, Any] = {}
        factor, rest = in_sympy(body).as_independent(index, as_Add=False)
        for part in sp.Add.make_args(_expanded(rest)):
            outside, inside = (factor * part).as_independent(index, as_Add=False)
            parts[inside] = parts.get(inside, 0) + outside
        singles = [(c, *self._single(inside, t.high)) for inside, c in parts.items()]
        whole = " + ".join(f"{self.syntax.term(as_term(c))} * {self._text(b, t.high)}" for b, c in parts.items())
        value = as_term(sp.Add(*(sp.Mul(c, in_sympy(v), evaluate=False) for c, v, _ in singles), evaluate=False))
        equation, there = f"T{len(self.lines)}'", "; ".join(dict.fromkeys(r for *_, r in singles))
        self.lines.append(f"assert ({equation} : {self._text(body, t.high)} = {self.syntax.term(value)}).")
        self.lines.append(f"{{ transitivity ({whole}); [termwise | {there}; ring]. }} rewrite ?{equation}.")
        return value

    def _single(self, inside: sp.Expr, size: Term) -> tuple[Term, str]:
        """A sum of one product: its value or its name, and how to rewrite it."""
        key = (inside, size)
        if key not in self.known:
            text, value, equation = self._text(inside, size), self._total(inside, size), f"S{len(self.lines)}'"
            if value is not None:
                proof = "rewrite total_one; symmetry; assumption" if inside == 1 else "assumption"
                self.lines.append(f"assert ({equation} : {text} = {self.syntax.term(value)}). {{ {proof}. }}")
                self.known[key] = (value, f"rewrite ?{equation}")
            else:
                name = real(f"sum{len(self.lines)}")
                self.lines.append(f"destruct (named ({text})) as [{name.name} {equation}].")
                for p in self.points:
                    value_there = number(total(False, ONE, size, _INDEX, as_term(inside)), p)
                    if value_there is not None:
                        p[name] = value_there
                if sign_of(name, self.points) == ">":
                    proof = f"rewrite {equation}; apply total_positive; [assumption | intros; entries; positive]"
                    # at the sampled points only, it may be: the rest of the script goes on without it
                    self.lines.append(f"try (assert (P{len(self.lines)}' : 0 < {name.name}) by ({proof})).")
                self.known[key] = (name, f"rewrite <- ?{equation}")
        return self.known[key]

    def _total(self, inside: sp.Expr, size: Term) -> Term | None:
        """What a sum is by the domain."""
        if inside == 1:
            return size
        match as_term(inside):
            case Entry(family, index) if index is _INDEX:
                known = self.domain.family_terms[family]
                return known.total if known.size is size else None
        return None

    def _entry(self, e: Entry) -> Variable:
        """A name for an entry at an index that runs over all."""
        if e not in self.entries:
            assert isinstance(e.index, Variable)
            base, count = identifier(e.family), len(self.lines)
            indices = sorted({k.index.name for k in (*self.entries, e) if isinstance(k.index, Variable)})
            name, position, equation = real(f"{base}_at_{e.index.name}"), indices.index(e.index.name), f"A{count}'"
            self.lines.append(f"destruct (named {self.syntax.term(e)}) as [{self.syntax.term(name)} {equation}].")
            for p in self.points:
                p[name] = p[e.family][position % len(p[e.family])]
            self._bounds(e, self.syntax.term(name), equation)
            self.lines.append(f"rewrite <- ?{equation}.")
            self.entries[e] = name
        return self.entries[e]

    def _bounds(self, e: Entry, name: str, equation: str) -> None:
        """An entry of a positive family is positive, and at most the sum of all."""
        family = self.domain.family_terms[e.family]
        if not family.positive:
            return
        count = len(self.lines)
        self.lines.append(f"assert (P{count}' : 0 < {name}). {{ rewrite {equation}. entries. assumption. }}")
        if family.total is not None:
            several = self.domain.hypotheses().least(family.size) >= 2
            lemma = "entry_lt" if several else "entry_le"
            size = f"apply (several {self.syntax.term(family.size)}); [assumption | lra]"
            sides = f"[{size} | assumption | assumption]" if several else "assumption"
            all_of_it = f"match goal with K : total {identifier(e.family)} _ = _ |- _ => rewrite <- K end"
            proposition = f"{name} {'<' if several else '<='} {self.syntax.term(family.total)}"
            self.lines.append(
                f"assert (Q{count}' : {proposition}). {{ rewrite {equation}. {all_of_it}. apply {lemma}; {sides}. }}"
            )


def _expanded(body: sp.Expr) -> sp.Expr:
    """A sum of products, logarithms of products split into sums."""
    return sp.expand(sp.expand_log(sp.expand(body), force=True))
