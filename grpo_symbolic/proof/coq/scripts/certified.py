"""A script from the stored certificates of an obligation: what replay shows of it, in Coq's words.

A stored proof has for each query why its assertions contradict each other (:mod:`grpo_symbolic.proof.check.queries`).
Here the same parts become hypotheses of Coq: a name for every root, quotient and exponential that a query has a
variable for; a comparison as one of polynomials, over its denominator; what defines a name. Each condition of being
defined, and then the claim, is shown by contradiction, along its certificate (:mod:`.steps`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from grpo_symbolic.proof.check import parse
from grpo_symbolic.proof.check.answers import RECIPE, digest_of
from grpo_symbolic.proof.check.answers import using as using_answers
from grpo_symbolic.proof.check.branch import Open, Reading
from grpo_symbolic.proof.check.certificate import Certificate, Decide
from grpo_symbolic.proof.check.decision import parts_of
from grpo_symbolic.proof.check.polynomials import MOST_WORK, Work
from grpo_symbolic.proof.check.queries import Need, Parts
from grpo_symbolic.proof.check.replay import condition_name
from grpo_symbolic.proof.check.translation import Query, without_common_terms
from grpo_symbolic.proof.coq.scripts.goals import is_rough
from grpo_symbolic.proof.coq.scripts.steps import Case, Known, Script
from grpo_symbolic.proof.coq.syntax import Unsupported
from grpo_symbolic.proof.coq.theorem import Theorem
from grpo_symbolic.proof.search.recipes import answers
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.obligation import Holds, Identity, statement_of
from grpo_symbolic.terms.definedness import Condition
from grpo_symbolic.terms.fractions import odd_part, quotient
from grpo_symbolic.terms.language import (
    MINUS_ONE,
    ONE,
    TRUE,
    ZERO,
    Add,
    And,
    Cases,
    Compare,
    Entry,
    Extremum,
    Formula,
    Function,
    Implies,
    Multiply,
    Node,
    Not,
    Number,
    Power,
    Term,
    Variable,
    conjunction,
    multiply,
    substitute,
    subtract,
)

_LEMMAS = {"exp_increasing": "exp_increasing_both"}  # where Coq's library has the name
_DENIED = Known("N'0", "", "")
_CASE = "Y'0"
_ALWAYS = Condition()
_OVER = {"<": "over_lt", "<=": "over_le", "==": "over_eq", "!=": "over_eq"}


def by_certificates(obligation: Identity | Holds, stated: Theorem, texts: Mapping[str, str]) -> list[str]:
    """The script of an obligation, which is ``stated``, by the certificates of its queries: their ``texts`` are given
    by their digests.

    Raises :class:`Unsupported`, or another :class:`ReadingError`, where there is none.
    """
    with using_answers(answers(texts)):
        made = parts_of(obligation)
    reading = obligation.domain.reading()
    given = obligation.using if isinstance(obligation, Holds) else ()
    instances = tuple((instance, instance.terms(reading)) for instance in given)
    return Certified(stated, statement_of(obligation), made, texts, instances).lines()


@dataclass(frozen=True)
class Place:
    """Where something ``needed`` of a query, which is this ``statement``, is denied: for indices of sums that are
    ``bound``, and under conditions of values by cases. Of these it is known whether the query's own hold (``holds``),
    whether those of the statement do (``statement_holds``), and what they are as assertions (``tests``: the words, the
    hypothesis, and whether they are compared as they stand).
    """

    script: Script
    needed: Formula
    statement: Formula | None
    bound: frozenset[Variable] = frozenset()
    holds: Mapping[Formula, bool] = field(default_factory=dict)
    statement_holds: Mapping[Formula, bool] = field(default_factory=dict)
    tests: Mapping[Formula, tuple[Formula, Known, bool]] = field(default_factory=dict)


@dataclass(frozen=True)
class Leaf:
    """A place at which a query is read, with what was made there: which comparison of polynomials a comparison is, and
    the values that values by cases have.
    """

    place: Place
    reading: Reading
    case: Case
    over: dict[tuple[Compare, Compare], Known | None] = field(default_factory=dict)
    values: dict[Term, Known | None] = field(default_factory=dict)


@dataclass
class Certified:
    """The script of an obligation with these ``parts``: ``texts`` are the proofs of its queries by their digests."""

    stated: Theorem
    claimed: Formula
    parts: Parts
    texts: Mapping[str, str]
    using: tuple[tuple[Instance, tuple[Term, ...]], ...] = ()
    script: Script = field(default_factory=Script)

    def lines(self) -> list[str]:
        """The tactics after ``intros``; raises :class:`Unsupported` for a certificate that is not translated."""
        conditions = {self.stated.syntax.condition(n.condition) for n in self.parts.needs if n.condition is not None}
        for text in self.stated.defined:
            if text not in conditions:
                self.script.lines.append(f"assert ({self._fresh('D')} : {text}). {{ evident. }}")
        for need in sorted(self.parts.needs, key=lambda need: need.preceding):
            if need.condition is not None or not any(_indices(self.keys[v.name]) for v in need.formula.variables):
                self._prove(self._fresh("D"), need, *self._needed(need))
        self._prove("G'0", self.parts.goal, self.claimed, self.stated.goal)
        ends = ["split. { first [assumption | evident]. }"] * len(self.stated.defined)
        return [*self._introduced(frozenset()), *self.script.lines, *ends, "exact G'0."]

    def _fresh(self, letter: str) -> str:
        return f"{letter}'{self.script.fresh()}"

    # -- names --------------------------------------------------------------------------------------------------------

    def _text(self, node: Node) -> str:
        syntax = self.stated.syntax
        return syntax.term(node) if isinstance(node, Term) else syntax.formula(node)  # type: ignore[arg-type]

    @cached_property
    def keys(self) -> dict[str, Node]:
        """What the variables of queries stand for."""
        return {variable.name: key for (key, _), variable in self.parts.translation.names.items()}

    @cached_property
    def names(self) -> dict[str, str]:
        """Their names in Coq."""
        syntax = self.stated.syntax
        names = {}
        for name, key in self.keys.items():
            plain = isinstance(key, Variable) and not syntax.is_natural(key)
            listed = isinstance(key, Entry) and key.family not in syntax.functions
            names[name] = self._text(key) if plain or listed else f"{name}'"
        return names

    @cached_property
    def named(self) -> list[tuple[str, Node]]:
        """The new names among them."""
        return [(self.names[name], key) for name, key in self.keys.items() if self.names[name].endswith("'")]

    def _within(self, bound: frozenset[Variable]) -> list[tuple[str, Node]]:
        """The new names in which no index of a sum occurs but these."""
        return [(name, key) for name, key in self.named if _indices(key) <= bound]

    def _introduced(self, bound: frozenset[Variable]) -> list[str]:
        """The tactics that give the new names in which ``bound`` indices occur; without any, those of no index."""
        return [
            f"destruct (named {self._text(key)}) as [{name} {self._equation(name)}]."
            for name, key in self._within(bound)
            if not bound or _indices(key)
        ]

    @staticmethod
    def _equation(name: str) -> str:
        return f"E{name}"

    @cached_property
    def guarded(self) -> bool:
        """Whether something is defined under circumstances only."""
        return any(need.condition is not None and need.condition.given for need in self.parts.needs)

    def _unfolding(self, place: Place) -> str:
        """Every name replaced by what it stands for."""
        rewrites = ", ".join(f"?{self._equation(name)}" for name, _ in self._within(place.bound))
        return f"rewrite {rewrites}; " if rewrites else ""

    def _nonzero(self, place: Place) -> str:
        """What is not zero, as it is written or in the names."""
        outermost = sorted(self._within(place.bound), key=lambda named: -len(self._text(named[1])))
        rewrites = ", ".join(f"<- ?{self._equation(name)}" for name, _ in outermost)
        return f"first [apart | rewrite {rewrites}; apart | evident]" if rewrites else "first [apart | evident]"

    # -- what is shown ------------------------------------------------------------------------------------------------

    def _needed(self, need: Need) -> tuple[Formula | None, str, Condition]:
        """What is needed in the words of the statement, in Coq's, and the condition of the reading that it is, if any:
        else it is one of the translation's own, over the variables of the query.
        """
        if need.condition is None:
            return None, "", Condition()
        given, needed = need.condition.given, need.condition.needed
        statement = Implies(conjunction(*given), needed) if given else needed
        return statement, self.stated.syntax.condition(need.condition), need.condition

    def _prove(
        self, name: str, need: Need, statement: Formula | None, text: str = "", condition: Condition = _ALWAYS
    ) -> None:
        """Show what is needed by contradiction: in Coq the ``text``, where there is one, and ``statement`` as it was
        read; else it is a condition of the translation's own, over the variables of the query.
        """
        query = self.parts.query(need)
        certificate = self.texts.get(digest_of(query), "")
        if not certificate or certificate.startswith(RECIPE):
            raise Unsupported("a query that has no certificate")
        inner, bound = self.script.inner(), frozenset(condition.bound)
        inner.shown.add(_DENIED.name)
        self._decided(query, parse(certificate), Place(inner, need.formula, statement, bound))
        if not text:
            reading = Reading((need.formula,), {}, Work(MOST_WORK))
            names = {k: self.names.get(v, v) for k, v in enumerate(reading.ring.names)}
            text = Case(reading.ring, names, inner).proposition_of(reading.assertion(need.formula))
        self.script.lines.append(f"assert ({name} : {text}).")
        self.script.put(inner, *self._assumed(condition))

    def _assumed(self, condition: Condition) -> list[str]:
        """The tactics that lead to a contradiction with ``N'0``, in the circumstances of a condition."""
        if not condition.given:
            return ["apply Classical_Prop.NNPP; intro N'0."]
        given = " /\\ ".join(self.stated.syntax.formula(f, over_reals=True) for f in condition.given)
        return [
            "intros. apply Classical_Prop.NNPP; intro M'0.",
            f"assert (N'0 : ~ (({given}) -> {self._text(condition.needed)})).",
            "{ intro Z'0; apply M'0, Z'0; repeat split; first [assumption | ranged]. }",
            *(self._introduced(frozenset(condition.bound)) if condition.bound else ()),
        ]

    def _decided(self, query: Query, certificate: Certificate, place: Place) -> None:
        """The conditions of values by cases are decided before anything else."""
        if not isinstance(certificate, Decide):
            self._refuted(query, certificate, place)
            return
        tests = self.parts.translation.tests
        known = next((test for test in tests if condition_name(test[0]) == certificate.condition), None)
        if known is None:
            raise Unsupported("a condition of a value by cases that nothing is known of")
        (condition, meaning), label = known, self._fresh("C")
        own = not tests[known]
        place.script.lines.append(f"destruct (Classical_Prop.classic {self._text(meaning)}) as [{label}|{label}].")
        for holds, then in ((True, certificate.yes), (False, certificate.no)):
            inner = place.script.inner()
            inner.shown.add(label)
            assumed, in_words = (condition, meaning) if holds else (Not(condition), Not(meaning))
            there = replace(
                place,
                script=inner,
                holds={**place.holds, condition: holds},
                statement_holds={**place.statement_holds, **{of: holds for test, of in tests if test is condition}},
                tests={**place.tests, assumed: (in_words, Known(label, "", ""), own)},
            )
            self._decided((*query, assumed), then, there)
            place.script.put(inner)

    def _refuted(self, query: Query, certificate: Certificate, place: Place) -> None:
        """Show ``False`` along a certificate, of what can be read of a query where these conditions are decided."""
        reading = Reading(query, place.holds, Work(MOST_WORK))
        names = {k: self.names.get(v, v) for k, v in enumerate(reading.ring.names)}
        case = Case(reading.ring, names, place.script)
        leaf = Leaf(place, reading, case)
        if self.guarded:
            place.script.lines.append("circumstances.")
        for formula in query:
            with suppress(Open):
                case.add(reading.assertion(formula), self._given(formula, leaf))
        case.close(certificate)

    def _by(self, atoms: list[Known], name: str) -> str:
        rewrites = "".join(f"rewrite {a.name} in Z'0; " for a in atoms)
        return f"pose proof {name} as Z'0; {rewrites}clear - Z'0; lra"

    def _given(self, formula: Formula, leaf: Leaf) -> Known:
        """An assertion of a query: what is denied, a condition that is decided, or something known."""
        place, name, proposition = (
            leaf.place,
            self._fresh("Q"),
            leaf.case.proposition_of(leaf.reading.assertion(formula)),
        )
        if formula is Not(place.needed):
            atoms = [] if place.statement is None else self._atoms(place.statement, place.needed, leaf)
            return Known(name, proposition, self._by(atoms, _DENIED.name), (_DENIED, *atoms))
        if formula in place.tests:
            statement, test, own = place.tests[formula]
            atoms = self._atoms(statement, formula, leaf, own)
            return Known(name, proposition, self._by(atoms, test.name), (test, *atoms))
        for statement, query in (*self.parts.premises, *self.parts.lemmas):
            if query is formula:
                lemma = next((p for p, q in zip(self.using, self.parts.lemmas, strict=False) if q[1] is formula), None)
                proof = "first [assumption | lra | evident]" if lemma is None else self._instance(*lemma)
                text, atoms = self._text(statement), self._atoms(statement, query, leaf)
                if text in self.stated.hypotheses:
                    assumed = f"K{self.stated.hypotheses.index(text) + 1}"
                    return Known(name, proposition, self._by(atoms, assumed), tuple(atoms))
                held = Known(self._fresh("P"), text, proof)
                return Known(name, proposition, self._by(atoms, held.name), (held, *atoms))
        if formula in self.parts.translation.definitions:
            values = self._values(leaf, *(self.keys[v.name] for v in formula.variables))
            statement = self._in_words(formula.given) if isinstance(formula, Implies) else TRUE
            atoms = self._atoms(statement, formula.given, leaf, own=True) if isinstance(formula, Implies) else []
            in_words = self.stated.syntax.formula(statement, over_reals=True)
            proof = self._definition(formula, leaf, _rewriting(values), in_words, atoms)
            return Known(name, proposition, proof, (*values, *atoms))
        return Known(name, proposition, f"first [assumption | lra | {self._unfolding(place)}evident]")

    def _instance(self, instance: Instance, terms: tuple[Term, ...]) -> str:
        """The tactic for an instance of a lemma."""
        lemma = _LEMMAS.get(instance.lemma, instance.lemma)
        instance_of = f"{lemma} {' '.join(map(self._text, terms))}"
        return f"pose proof ({instance_of}) as I'0; rewrite ?ln_exp in I'0; clear - I'0; first [lra | tauto]"

    def _definition(self, formula: Formula, leaf: Leaf, put: str, guard: str, atoms: list[Known]) -> str:
        """That what a name stands for is what the query says of it; ``put`` replaces values by cases, and ``guard``, of
        the comparisons ``atoms``, is the case in which it is defined.
        """
        unfolding, nonzero = self._unfolding(leaf.place), self._nonzero(leaf.place)
        match formula:
            case Implies(_, then):
                claim, shown = (
                    leaf.case.proposition_of(leaf.reading.assertion(then)),
                    self._definition(then, leaf, put, "", []),
                )
                return (
                    f"destruct (Classical_Prop.classic {guard}) as [Y'0|Y'0]; [circumstances; "
                    f"assert (W'0 : {claim}) by ({shown}); clear - W'0; lra | {self._by(atoms, _CASE)}]"
                )
            case Compare("==", left, right):
                claim = self._equal(left, right, leaf)
                proved = f"{unfolding}{put}first [inverse | field; {nonzero}]"
                return f"assert (Z'0 : {claim}) by ({proved}); clear - Z'0; lra"
            case And((Compare("<=", _, Variable(name)), Compare("==", left, right))):
                root, equation = self.names[name], self._equation(self.names[name])
                claim = self._equal(left, right, leaf)
                return (
                    f"assert (U'0 : 0 <= {root}) by (rewrite {equation}; apply sqrt_pos); assert (Z'0 : {claim}) by "
                    f"({unfolding}{put}rewrite pow2_sqrt by first [assumption | evident]; field; {nonzero}); "
                    "clear - U'0 Z'0; lra"
                )
        raise Unsupported("a definition of another form")

    def _equal(self, left: Term, right: Term, leaf: Leaf) -> str:
        (p, d), (q, e) = leaf.reading.term(left), leaf.reading.term(right)
        return f"{leaf.case.text(p)} / {d} = {leaf.case.text(q)} / {e}"

    # -- comparisons --------------------------------------------------------------------------------------------------

    def _in_words(self, formula: Formula) -> Formula:
        """A formula over the variables of a query, with what these stand for."""
        in_words: Formula = substitute(formula, {v: self.keys[v.name] for v in formula.variables})
        return in_words

    def _atoms(self, statement: Formula, query: Formula, leaf: Leaf, own: bool = False) -> list[Known]:
        """Of each comparison that is not one of polynomials in the variables of Coq: which of these it is. The
        comparisons of ``query`` are those of ``statement``; ``own`` are such as the translation made.
        """
        return list(dict.fromkeys(self._compared(statement, query, leaf, own)))

    def _compared(self, statement: Formula, query: Formula, leaf: Leaf, own: bool) -> Iterator[Known]:
        if isinstance(statement, Compare) and isinstance(query, Compare):
            if (statement, query) not in leaf.over:
                leaf.over[statement, query] = self._over(statement, query, leaf, own)
            known = leaf.over[statement, query]
            if known is not None:
                yield known
            return
        mine, theirs = _formulas(statement), _formulas(query)
        if type(statement) is not type(query) or len(mine) != len(theirs):
            raise Unsupported("a formula of another form than what it says")
        for part, other in zip(mine, theirs, strict=True):
            yield from self._compared(part, other, leaf, own)

    def _is_plain(self, node: Node) -> bool:
        """Whether a part of a comparison is the same in Coq as in a query."""
        syntax = self.stated.syntax
        match node:
            case Variable():
                return not syntax.is_natural(node)
            case Entry(family, _):
                return family not in syntax.functions
            case Power(_, exponent):
                return exponent > 0 and exponent.denominator == 1
        return isinstance(node, Number | Add | Multiply | Compare)

    def _over(self, c: Compare, query: Compare, leaf: Leaf, own: bool) -> Known | None:
        if all(map(self._is_plain, c.parts)):
            return None
        reading, t = leaf.reading, self.parts.translation
        p, under = reading.sum((reading.term(query.left), reading.term(query.right)), (1, -1))
        factors = [f"{under}"] if under != 1 else []
        if not own and (c.left.has(Power) or c.right.has(Power)):
            left, right = without_common_terms(c.left, c.right)
            _, bases = quotient(subtract(left, right))
            odd = odd_part(bases, t.positive) if c.relation in ("<", "<=") else ZERO
            for base, power in bases:
                power += 1 if odd is base or base in getattr(odd, "factors", ()) else 0
                text = self._text(base)
                factors.append(f"({text} ^ {power // 2}) ^ 2" if power % 2 == 0 and power > 2 else f"{text} ^ {power}")
        d = " * ".join(factors) or "1"
        left_text, right_text, polynomial = self._text(c.left), self._text(c.right), leaf.case.text(p)
        relation = "=" if c.relation in ("==", "!=") else c.relation
        values = self._values(leaf, c, *(self.keys[v.name] for v in query.variables))
        unfolding, nonzero, put = self._unfolding(leaf.place), self._nonzero(leaf.place), _rewriting(values)
        proof = (
            f"apply ({_OVER[c.relation]} {left_text} {right_text} ({d}) {polynomial}); "
            f"[{put}{nonzero} | {unfolding}{put}first [ring | field; {nonzero}]]"
        )
        proposition = f"{left_text} {relation} {right_text} <-> {polynomial} {relation} 0"
        return Known(self._fresh("A"), proposition, proof, tuple(values))

    # -- values by cases ----------------------------------------------------------------------------------------------

    def _values(self, leaf: Leaf, *nodes: Node) -> list[Known]:
        """The values that values by cases in nodes have, as far as their conditions are decided, outermost first."""
        by_cases = dict.fromkeys(
            part for node in nodes for part in node.parts if isinstance(part, Term) and is_rough(part)
        )
        known = (self._value(e, leaf) for e in sorted(by_cases, key=lambda e: -len(list(e.parts))))
        return [v for v in known if v is not None]

    def _value(self, e: Term, leaf: Leaf) -> Known | None:
        if e not in leaf.values:
            value, tests = taken(e, leaf.place.statement_holds), [test for _, test, _ in leaf.place.tests.values()]
            proposition = "" if value is None else f"{self._text(e)} = {self._text(value)}"
            proof = f"clear - {' '.join(test.name for test in tests)}; chosen"
            leaf.values[e] = None if value is None else Known(self._fresh("V"), proposition, proof, tuple(tests))
        return leaf.values[e]


def taken(e: Term, decided: Mapping[Formula, bool]) -> Term | None:
    """The value of a value by cases where these conditions are decided; nothing where that does not say which."""
    cases: tuple[tuple[Formula, Term], ...]
    match e:
        case Function("abs", a):
            cases, default = ((Compare("<=", ZERO, a), a),), multiply(MINUS_ONE, a)
        case Function("sign", a):
            cases, default = ((Compare("<", ZERO, a), ONE), (Compare("<", a, ZERO), MINUS_ONE)), ZERO
        case Extremum(greatest, (*others, default)):
            rest = others[0] if len(others) == 1 else Extremum(greatest, tuple(others))
            cases = ((Compare("<=", default, rest) if greatest else Compare("<=", rest, default), rest),)
        case Cases(cases, default):
            pass
        case _:
            return None
    for condition, value in cases:
        if decided.get(condition) is not False:
            return value if condition in decided else None
    return default


def _indices(node: Node) -> frozenset[Variable]:
    """The indices of sums in a node, where it stands for one of their terms."""
    return frozenset(v for v in node.variables if v.name.startswith("#"))


def _formulas(formula: Formula) -> list[Formula]:
    """The formulas that a connective joins."""
    return [part for part in formula.children if isinstance(part, Formula)]


def _rewriting(equations: list[Known]) -> str:
    return f"rewrite {', '.join(f'?{e.name}' for e in equations)}; " if equations else ""
