"""Sums over families of any size in a proof script: linear combinations of sums that get a name, as real numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from grpo_symbolic.export.coq import term
from grpo_symbolic.export.coq_names import Position, Unsupported, identifier, long_sum, primed
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.verification.kernel_signs import Points, number, rebuilt, sign_of

_BOUND = Position("i", integer=True)


@dataclass
class Sums:
    """Names for sums and for entries at free indices; ``lines`` are the tactics that give them, ``points`` get their
    values.
    """

    domain: Domain
    points: Points
    lines: list[str] = field(default_factory=list)
    known: dict[Any, tuple[Any, str]] = field(default_factory=dict)  # summand and size: value, and the rewriting
    entries: dict[Any, Any] = field(default_factory=dict)

    def start(self, sizes: set[Any]) -> None:
        """That there is at least one entry."""
        for size in sorted(sizes, key=str):
            self.lines.append(
                f"assert (1 <= {primed(size)})%nat. {{ apply (some {identifier(size)}); [assumption | lra]. }}"
            )

    def named(self, e: Any) -> Any:
        """The expression or formula with real numbers in the place of sums, then of entries."""
        return self._entries(self._sums(e))

    def _sums(self, e: Any) -> Any:
        if isinstance(e, sp.Sum):
            found = long_sum(e)
            if found is None:
                raise Unsupported(f"{e} in a script for sums of any length")
            return self._combination(*found)
        if e.is_Atom or isinstance(e, sp.Indexed) or not e.has(sp.Sum):
            return e
        return rebuilt(e, map(self._sums, e.args))

    def _combination(self, body: Any, index: Position, size: Any) -> Any:
        """A sum as a combination of named sums, proved term by term."""
        inner = self._sums(body)
        parts: dict[Any, Any] = {}
        factor, rest = inner.as_independent(index, as_Add=False)
        for part in sp.Add.make_args(_expanded(rest)):
            outside, inside = (factor * part).as_independent(index, as_Add=False)
            inside = inside.xreplace({index: _BOUND})
            parts[inside] = parts.get(inside, 0) + outside
        found = [(c, *self._single(inside, size)) for inside, c in parts.items()]
        texts = [f"{term(c)} * total (fun i' : nat => {term(inside)}) {primed(size)}" for inside, c in parts.items()]
        value = sp.Add(*(sp.Mul(c, v, evaluate=False) for c, v, _ in found), evaluate=False)
        equation = f"T{len(self.lines)}'"
        left = f"total (fun {index.text} : nat => {term(inner)}) {primed(size)}"
        self.lines.append(f"assert ({equation} : {left} = {term(value)}).")
        there = "; ".join(dict.fromkeys(r for *_, r in found))
        self.lines.append(f"{{ transitivity ({' + '.join(texts)}); [termwise | {there}; ring]. }} rewrite ?{equation}.")
        return value

    def _single(self, inside: Any, size: Any) -> tuple[Any, str]:
        """A sum of one product: its value or its name, and how to rewrite it."""
        key = (inside, size)
        if key not in self.known:
            text = f"total (fun i' : nat => {term(inside)}) {primed(size)}"
            total = self._total(inside, size)
            equation = f"S{len(self.lines)}'"
            if total is not None:
                proof = "rewrite total_one; symmetry; assumption" if inside == 1 else "assumption"
                self.lines.append(f"assert ({equation} : {text} = {term(total)}). {{ {proof}. }}")
                self.known[key] = (total, f"rewrite ?{equation}")
            else:
                name = sp.Symbol(f"sum{len(self.lines)}", real=True)
                self.lines.append(f"destruct (named ({text})) as [{name} {equation}].")
                for p in self.points:
                    count = int(p[size])
                    p[name] = sp.Add(
                        *(number(inside.xreplace({_BOUND: sp.Integer(k)}), p) or 0 for k in range(1, count + 1))
                    )
                if sign_of(name, self.points) == ">":
                    proof = f"rewrite {equation}; apply total_positive; [assumption | intros; entries; positive]"
                    self.lines.append(f"assert (P{len(self.lines)}' : 0 < {name}). {{ {proof}. }}")
                self.known[key] = (name, f"rewrite <- ?{equation}")
        return self.known[key]

    def _total(self, inside: Any, size: Any) -> Any:
        if inside == 1:
            return size
        if isinstance(inside, sp.Indexed) and inside.indices == (_BOUND,):
            family = self.domain.bases.get(inside.base.label)
            return None if family is None or family.size != size else family.total
        return None

    def _entries(self, e: Any) -> Any:
        if isinstance(e, sp.Indexed):
            return self._entry(e)
        if e.is_Atom:
            return e
        return rebuilt(e, map(self._entries, e.args))

    def _entry(self, e: Any) -> Any:
        if e not in self.entries:
            (index,) = e.indices
            positions = sorted({k.indices[0].name for k in self.entries} | {index.name})
            name, equation = sp.Symbol(f"{identifier(e.base.label)}_at_{index.name}", real=True), f"A{len(self.lines)}'"
            self.lines.append(f"destruct (named {term(e)}) as [{term(name)} {equation}].")
            for p in self.points:
                count = int(p[self.domain.bases[e.base.label].size])
                p[name] = p[e.base[positions.index(index.name) % count + 1]]
            self._bounds(e, name, equation)
            self.lines.append(f"rewrite <- ?{equation}.")
            self.entries[e] = name
        return self.entries[e]

    def _bounds(self, e: Any, name: Any, equation: str) -> None:
        """An entry of a positive family is positive, and at most the sum of all."""
        family = self.domain.bases[e.base.label]
        if not family.positive:
            return
        count = len(self.lines)
        self.lines.append(f"assert (P{count}' : 0 < {term(name)}). {{ rewrite {equation}. entries. assumption. }}")
        if family.total is not None:
            several = self.domain.intervals[family.size].lower >= 2
            lemma = "entry_lt" if several else "entry_le"
            size = f"apply (several {identifier(family.size)}); [assumption | lra]"
            sides = f"[{size} | assumption | assumption]" if several else "assumption"
            total = f"match goal with K : total {identifier(e.base.label)} _ = _ |- _ => rewrite <- K end"
            self.lines.append(
                f"assert (Q{count}' : {term(name)} {'<' if several else '<='} {term(family.total)}). "
                f"{{ rewrite {equation}. {total}. apply {lemma}; {sides}. }}"
            )


def _expanded(body: Any) -> Any:
    """A sum of products, logarithms of products taken apart."""
    return sp.expand(sp.expand_log(sp.expand(body), force=True))
