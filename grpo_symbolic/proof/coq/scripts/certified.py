"""A script from the certificates that are kept of an obligation: what replay shows of it, in Coq's words.

A kept proof says of each query why its assertions contradict each other (:mod:`grpo_symbolic.proof.queries`). Here the
same parts become hypotheses of Coq: a name for every root, quotient and exponential that a query has a variable for; a
comparison as one of polynomials, over its denominator; what defines a name. Each condition of being defined, and then
the claim, is shown by contradiction, along its certificate (:mod:`.steps`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from grpo_symbolic.check import parse
from grpo_symbolic.check.branch import Reading
from grpo_symbolic.check.polynomials import MOST_WORK, Work
from grpo_symbolic.proof.answers import RECIPE, Answers, digest_of
from grpo_symbolic.proof.answers import using as using_answers
from grpo_symbolic.proof.coq.scripts.steps import Case, Known, Script
from grpo_symbolic.proof.coq.syntax import Unsupported
from grpo_symbolic.proof.coq.theorem import Theorem
from grpo_symbolic.proof.decision import parts_of
from grpo_symbolic.proof.lemmas import Instance
from grpo_symbolic.proof.obligation import Holds, Identity, statement_of
from grpo_symbolic.proof.queries import Need, Parts
from grpo_symbolic.proof.translation import without_common_terms
from grpo_symbolic.terms.fractions import odd_part, quotient
from grpo_symbolic.terms.language import (
    TRUE,
    ZERO,
    And,
    Cases,
    Compare,
    Entry,
    Formula,
    Function,
    Node,
    Not,
    Power,
    Term,
    Variable,
    subtract,
)

_LEMMAS = {"exp_increasing": "exp_increasing_both"}  # where Coq's library has the name
_OVER = {"<": "over_lt", "<=": "over_le", "==": "over_eq", "!=": "over_eq"}


def by_certificates(obligation: Identity | Holds, stated: Theorem, texts: Mapping[str, str]) -> list[str]:
    """The script of an obligation, which is ``stated``, by the certificates of its queries: their ``texts`` are given
    by their digests.

    Raises :class:`Unsupported`, or another :class:`ReadingError`, where there is none.
    """
    with using_answers(Answers(texts)):
        made = parts_of(obligation)
    reading = obligation.domain.reading()
    given = obligation.using if isinstance(obligation, Holds) else ()
    instances = tuple((instance, instance.terms(reading)) for instance in given)
    return Certified(stated, statement_of(obligation), made, texts, instances).lines()


@dataclass
class Certified:
    """The script of an obligation with these ``parts``: ``texts`` are the proofs of its queries by their digests."""

    stated: Theorem
    claimed: Formula
    parts: Parts
    texts: Mapping[str, str]
    using: tuple[tuple[Instance, tuple[Term, ...]], ...] = ()
    script: Script = field(default_factory=Script)
    over: dict[Compare, Known | None] = field(default_factory=dict)
    given: dict[Formula, Known] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The tactics after ``intros``; raises :class:`Unsupported` for a certificate that is not translated."""
        conditions = {self.stated.syntax.condition(n.said): n for n in self.parts.needs if n.said is not None}
        for text in self.stated.defined:
            if text not in conditions:
                self.script.lines.append(f"assert ({self._fresh('D')} : {text}). {{ evident. }}")
        for need in sorted(self.parts.needs, key=lambda need: need.preceding):
            if need.said is None:
                self._prove(self._fresh("D"), need, None)
            elif need.said.given:
                raise Unsupported("a condition under circumstances")
            else:
                self._prove(self._fresh("D"), need, need.said.needed, self._text(need.said.needed))
        self._prove("G'", self.parts.goal, self.claimed, self.stated.goal)
        ends = ["split. { first [assumption | evident]. }"] * len(self.stated.defined)
        named = [f"destruct (named {self._text(key)}) as [{name} {self._equation(name)}]." for name, key in self.named]
        return [*named, *self.script.lines, *ends, "exact G'."]

    def _fresh(self, letter: str) -> str:
        return f"{letter}'{self.script.fresh()}"

    # -- names --------------------------------------------------------------------------------------------------------

    def _text(self, node: Node) -> str:
        syntax = self.stated.syntax
        return syntax.term(node) if isinstance(node, Term) else syntax.formula(node)  # type: ignore[arg-type]

    @cached_property
    def keys(self) -> dict[str, Node]:
        """What the variables of queries stand for."""
        found = {}
        for (key, guard), variable in self.parts.translation.names.items():
            if guard is not TRUE:
                raise Unsupported("a certificate of something that is defined in one case only")
            found[variable.name] = key
        return found

    @cached_property
    def names(self) -> dict[str, str]:
        """Their names in Coq."""
        syntax = self.stated.syntax
        found = {}
        for name, key in self.keys.items():
            plain = isinstance(key, Variable) and not syntax.is_natural(key)
            listed = isinstance(key, Entry) and key.family not in syntax.functions
            found[name] = self._text(key) if plain or listed else f"{name}'"
        return found

    @cached_property
    def named(self) -> list[tuple[str, Node]]:
        """The new names among them."""
        return [(self.names[name], key) for name, key in self.keys.items() if self.names[name].endswith("'")]

    @staticmethod
    def _equation(name: str) -> str:
        return f"E{name}"

    @cached_property
    def unfolding(self) -> str:
        """Every name replaced by what it stands for."""
        return f"rewrite {', '.join(f'?{self._equation(name)}' for name, _ in self.named)}; " if self.named else ""

    # -- what is shown ------------------------------------------------------------------------------------------------

    def _prove(self, name: str, need: Need, said: Formula | None, text: str = "") -> None:
        """Show what is needed by contradiction: in Coq the ``text``, where there is one, which ``said`` is as it was
        read; else it is a condition of the translation's own, over the variables of the query.
        """
        query = self.parts.query(need)
        kept = self.texts.get(digest_of(query), "")
        if not kept or kept.startswith(RECIPE):
            raise Unsupported("a query that has no certificate")
        if any(formula.has(Cases) for formula in query):
            raise Unsupported("a query with values by cases")
        reading, inner = Reading(query, {}, Work(MOST_WORK)), self.script.inner()
        names = {k: self.names.get(v, v) for k, v in enumerate(reading.ring.names)}
        case, denied = Case(reading.ring, names, inner), Known("N'", "", "")
        inner.shown.add(denied.name)
        for formula in query:
            statement = reading.statement(formula)
            if formula is Not(need.formula):
                atoms = [] if said is None else self._atoms(said, reading, case)
                known = Known(self._fresh("Q"), case.said(statement), self._by(atoms, denied.name), (denied, *atoms))
            else:
                known = self._given(formula, reading, case)
            case.add(statement, known)
        case.close(parse(kept))
        self.script.lines.append(f"assert ({name} : {text or case.said(reading.statement(need.formula))}).")
        self.script.put(inner, "apply Classical_Prop.NNPP; intro N'.")

    def _by(self, atoms: list[Known], name: str) -> str:
        rewrites = "".join(f"rewrite {a.name} in Z'; " for a in atoms)
        return f"pose proof {name} as Z'; {rewrites}clear - Z'; lra"

    def _given(self, formula: Formula, reading: Reading, case: Case) -> Known:
        """An assertion of a query that stands for something known."""
        if formula not in self.given:
            self.given[formula] = self._root(formula, reading, case)
        return self.given[formula]

    def _root(self, formula: Formula, reading: Reading, case: Case) -> Known:
        name, says = self._fresh("Q"), case.said(reading.statement(formula))
        for said, query in (*self.parts.premises, *self.parts.lemmas):
            if query is formula:
                lemma = next((p for p, q in zip(self.using, self.parts.lemmas, strict=False) if q[1] is formula), None)
                proof = "first [assumption | lra | evident]" if lemma is None else self._instance(*lemma)
                text, atoms = self._text(said), self._atoms(said, reading, case)
                if text in self.stated.hypotheses:
                    assumed = f"K{self.stated.hypotheses.index(text) + 1}"
                    return Known(name, says, self._by(atoms, assumed), tuple(atoms))
                held = Known(self._fresh("P"), text, proof)
                return Known(name, says, self._by(atoms, held.name), (held, *atoms))
        if formula in self.parts.translation.definitions:
            return Known(name, says, self._definition(formula, reading, case))
        return Known(name, says, f"first [assumption | lra | {self.unfolding}evident]")

    def _instance(self, instance: Instance, terms: tuple[Term, ...]) -> str:
        """The tactic for an instance of a lemma."""
        lemma = _LEMMAS.get(instance.lemma, instance.lemma)
        return f"pose proof ({lemma} {' '.join(map(self._text, terms))}) as I'; clear - I'; lra"

    def _definition(self, formula: Formula, reading: Reading, case: Case) -> str:
        """That what a name stands for is what the query says of it."""
        match formula:
            case Compare("==", left, right):
                says = self._equal(left, right, reading, case)
                return f"assert (Z' : {says}) by ({self.unfolding}first [inverse | field; apart]); clear - Z'; lra"
            case And((Compare("<=", _, Variable(name)), Compare("==", left, right))):
                root, equation = self.names[name], self._equation(self.names[name])
                says = self._equal(left, right, reading, case)
                return (
                    f"assert (Y' : 0 <= {root}) by (rewrite {equation}; apply sqrt_pos); assert (Z' : {says}) by "
                    f"({self.unfolding}rewrite pow2_sqrt by first [assumption | evident]; field; apart); "
                    "clear - Y' Z'; lra"
                )
        raise Unsupported("a definition of another form")

    def _equal(self, left: Term, right: Term, reading: Reading, case: Case) -> str:
        (p, d), (q, e) = reading.term(left), reading.term(right)
        return f"{case.text(p)} / {d} = {case.text(q)} / {e}"

    # -- comparisons --------------------------------------------------------------------------------------------------

    def _atoms(self, formula: Formula, reading: Reading, case: Case) -> list[Known]:
        """Of each comparison that is not one of polynomials in the variables of Coq: which of these it is."""
        compared = dict.fromkeys(p for p in formula.parts if isinstance(p, Compare))
        return [known for c in compared if (known := self._atom(c, reading, case)) is not None]

    def _atom(self, c: Compare, reading: Reading, case: Case) -> Known | None:
        if c not in self.over:
            self.over[c] = self._over(c, reading, case)
        return self.over[c]

    def _over(self, c: Compare, reading: Reading, case: Case) -> Known | None:
        rough = any(
            isinstance(p, Function) or (isinstance(p, Power) and (p.exponent < 0 or p.exponent.denominator > 1))
            for p in c.parts
        )
        if not rough:
            return None
        t = self.parts.translation
        query = t.formula(c)
        assert isinstance(query, Compare)
        p, under = reading.sum((reading.term(query.left), reading.term(query.right)), (1, -1))
        factors = [f"{under}"] if under != 1 else []
        if c.left.has(Power) or c.right.has(Power):
            left, right = without_common_terms(c.left, c.right)
            _, bases = quotient(subtract(left, right))
            odd = odd_part(bases, t.positive) if c.relation in ("<", "<=") else ZERO
            for base, power in bases:
                power += 1 if odd is base or base in getattr(odd, "factors", ()) else 0
                text = self._text(base)
                factors.append(f"({text} ^ {power // 2}) ^ 2" if power % 2 == 0 and power > 2 else f"{text} ^ {power}")
        d = " * ".join(factors) or "1"
        left_text, right_text, polynomial = self._text(c.left), self._text(c.right), case.text(p)
        relation = {"!=": "==", "==": "=="}.get(c.relation, c.relation).replace("==", "=")
        proof = (
            f"apply ({_OVER[c.relation]} {left_text} {right_text} ({d}) {polynomial}); "
            f"[apart | {self.unfolding}first [ring | field; apart]]"
        )
        says = f"{left_text} {relation} {right_text} <-> {polynomial} {relation} 0"
        return Known(self._fresh("A"), says, proof)
