"""The one matcher: from a sentence and a schema to the premises, by substitution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any, ClassVar

import sympy as sp
from sympy.core.function import AppliedUndef

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules import schema as schemas
from grpo_symbolic.proof.rules.citing import at_values, known_families
from grpo_symbolic.proof.rules.members import numbered, numbers_of, of_all, some, tied
from grpo_symbolic.proof.rules.patterns import (
    BOUND,
    INFINITE,
    AnotherVariant,
    Mismatch,
    filled,
    is_composed,
    is_nowhere,
    letters_of,
    name_of,
    of_numbers,
    settled,
    speaks,
    terms,
)
from grpo_symbolic.proof.rules.rule import Concluded, Rule, always, by_rule, hold
from grpo_symbolic.proof.rules.schema import (
    ENDS,
    FAMILIES,
    FORMULAS,
    INDICES,
    RANGES,
    VARIABLES,
    WHOLE,
    WRITTEN_OUT,
    E,
    J,
    N,
    Needs,
    Schema,
    Supposed,
    tau,
)
from grpo_symbolic.proof.rules.sides import (
    Premise,
    all_of,
    alone,
    continuous,
    derivative,
    interval_in,
    is_whole,
    valued,
)
from grpo_symbolic.proof.rules.supposed import at_example, together
from grpo_symbolic.proof.rules.values import at_point, numbers_admitted
from grpo_symbolic.proof.rules.walking import expressions, letters_in
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.statement import TWO_POINTS, Always, Equal, Exists, Statement, real_symbol


@dataclass(frozen=True, eq=False)
class Schematic(Rule[Concluded]):
    """Base of the rules that are schemas, one or several variants: the first that fits is taken."""

    schemas: ClassVar[tuple[Schema, ...]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.theorems = tuple(dict.fromkeys(s.theorem for s in cls.schemas))

    def theorem(self, conclusion: Concluded) -> str:
        return self.instance(conclusion).schema.theorem

    def premises(self, conclusion: Concluded, domain: Domain) -> Iterator[Premise]:
        among = _among_reals(conclusion)
        yield from self.instance(conclusion).premises(at_values(domain, among).also(*among.values()))

    def numbers(self, conclusion: Concluded) -> Sequence[sp.Expr]:
        return self.instance(conclusion).numbers

    def proposed(self, conclusion: Concluded) -> Mapping[str, Any]:
        """What can be read off a sentence, by the names that the schemas give it. None of it is believed: that the
        sentence is made of this is among the premises. Raises :class:`ClaimError` where there is nothing to read.
        """
        return {}

    def instance(self, conclusion: Concluded) -> Instantiated:
        """The first schema that fits, with what its letters stand for. Raises :class:`Mismatch` where none does."""
        reasons: list[Mismatch] = []
        among = _among_reals(conclusion)
        rule, sentence = (at_values(part, among) for part in (self, conclusion))
        proposed = {name: at_values(part, among) for name, part in self.proposed(conclusion).items()}
        for schema in self.schemas:
            try:
                return Instantiated(schema, rule, sentence, proposed)
            except Mismatch as reason:
                reasons.append(reason)
        closest = [reason for reason in reasons if not isinstance(reason, AnotherVariant)] or reasons
        label = f"{getattr(conclusion, 'label', '')}: "
        whys = dict.fromkeys(str(reason).removeprefix(label) for reason in closest)
        raise Mismatch(label + ", or ".join(whys))


def _among_reals(conclusion: Statement) -> dict[sp.Expr, sp.Expr]:
    """Real letters for whole ones that a sentence about any two or three points binds: it is shown for real numbers,
    of which whole ones are some.
    """
    whole = (v for v in conclusion.bound if isinstance(v, sp.Symbol) and v.is_integer)
    return {v: sp.Symbol(v.name, real=True) for v in whole} if conclusion.carried is TWO_POINTS else {}


@dataclass(frozen=True)
class Instantiated:
    """A schema, the rule that gives some of its letters, the sentence that gives others, and what is read off it."""

    schema: Schema
    rule: Rule
    sentence: Any
    proposed: Mapping[str, Any]

    def __post_init__(self) -> None:
        if self.schema.digest not in schemas.accepted():
            raise ClaimError(f"Coq has not accepted the schema of {self.schema.theorem} as it is declared: make coq")
        self._are_new(letters_in(self.sentence))
        known = set(map(name_of, self.values))
        for letter in self.schema.letters - {*WRITTEN_OUT}:
            if name_of(letter) not in known:
                raise Mismatch(f"{self.label}: the letter {letter} has no value")
        for letter, value in self.values.items():
            if not isinstance(letter, J):
                self._check_kind(letter, value)
                self._check_still(letter, value)

    def _check_kind(self, letter: sp.Expr, value: Any) -> None:
        """Refuse what is no number for a letter that is one, and what need not be whole for one that is whole."""
        is_formula = isinstance(letter, E | Supposed) or letter in FORMULAS
        none = {sp.nan, *(() if letter in ENDS else INFINITE)}
        if not is_formula and (wrong := [e for e in terms(value) if e in none]):
            raise Mismatch(f"{self.label}: the {self.called[letter]} is to be a number, and not {wrong[0]}")
        if letter in WHOLE and not is_whole(value):
            raise Mismatch(f"{self.label}: the {self.called[letter]} {value} need not be a whole number")

    def _check_still(self, letter: sp.Expr, value: Any) -> None:
        """Refuse what moves with a variable of which its letter is no function."""
        own = letter.args if isinstance(letter, AppliedUndef | E | Supposed) else ()
        for variable in self.variables:
            if letter not in self.variables and variable not in own and self._meet(letter, variable):
                moving = self.values[variable]
                if any(self.values.get(index) == moving for index in own):
                    continue  # another list is numbered by the same letter
                if moved := [e for e in terms(value) if moving in e.free_symbols]:
                    raise Mismatch(f"{self.label}: the {self.called[letter]} {moved[0]} moves with {moving}")

    @property
    def label(self) -> str:
        return str(self.sentence.label)

    @cached_property
    def _matched(self) -> tuple[dict[sp.Expr, Any], dict[sp.Expr, str]]:
        """What the letters of the conclusion stand for, with those of what is given, and the fields they stand in."""
        values: dict[sp.Expr, Any] = {}
        called: dict[sp.Expr, str] = {}
        composed: list[tuple[sp.Expr, Any, str]] = []
        given = [(pattern, self._given(name), name) for name, pattern in self.schema.given.items()]
        for pattern, actual, name in ((self.schema.conclusion, self.sentence, "sentence"), *given):
            for letter, value, what in letters_of(pattern, actual, name):
                if is_composed(letter):
                    composed.append((letter, value, what))
                    continue
                if letter in values and values[letter] != value:
                    raise Mismatch(f"{self.label}: the {called[letter]} is {values[letter]}, the {what} is {value}")
                values.setdefault(letter, value)
                called.setdefault(letter, what)
        self._check_distinct(values)
        values |= self._entries(values, called)
        values |= self._of_members(values)
        for term, value, what in composed:
            if filled(term, values) != value:
                raise AnotherVariant(f"{self.label}: the {what} is {value}, and not {filled(term, values)}")
        return values, called

    def _check_distinct(self, values: Mapping[sp.Expr, Any]) -> None:
        """Refuse one letter for two numbers of members that stand together, and one family for both that vary."""
        for one, other in combinations((letter for letter in INDICES if letter in values), 2):
            if values[one] == values[other] and self._stand_together(one, other):
                raise AnotherVariant(f"{self.label}: {values[one]} numbers two members at once")
        varying = [values[letter] for letter in FAMILIES if letter in values]
        if len(set(varying)) < len(varying):
            raise Mismatch(f"{self.label}: one family, {varying[0]}, stands for both that vary")

    def _entries(self, values: Mapping[sp.Expr, Any], called: Mapping[sp.Expr, str]) -> dict[sp.Expr, Any]:
        """The entry of a family by the number of a member, for a function of that number. Raises :class:`Mismatch` for
        a family in the place of a number, and for anything else in that of a family.
        """
        stated = (needs.statement for needs in self.schema.premises)
        fixed = (family.entry for family in stated if isinstance(family, schemas.Family) and not family.varies)
        for letter in (letter for letter in fixed if not isinstance(values.get(letter), sp.IndexedBase)):
            raise Mismatch(f"{self.label}: the {called[letter]} is to be a family, and is {values[letter]}")
        entries: dict[sp.Expr, Any] = {}
        for letter, value in values.items():
            if not isinstance(value, sp.IndexedBase) or letter in FAMILIES:
                continue
            if not letter.args:
                raise Mismatch(f"{self.label}: the {called[letter]} is to be a number, and not the family {value}")
            entries[letter] = value[values[letter.args[0]]]
        return entries

    def _of_members(self, values: Mapping[sp.Expr, Any]) -> dict[sp.Expr, Any]:
        """What is supposed of the members of each list: the conditions with its number, and those with none."""
        supposed: dict[sp.Expr, Any] = {}
        numbering = [letter for letter in INDICES if letter in values]
        for letter in [letter for letter in values if isinstance(letter, Supposed)]:
            (index,) = letter.args
            all_letters = [values[other] for other in numbering]
            of_members = [c for c in values[letter] if c.has(values[index]) or not c.has(*all_letters)]
            if mixed := [c for c in of_members if c.has(*(values[other] for other in numbering if other != index))]:
                raise Mismatch(f"{self.label}: {mixed[0]} is supposed of the members of two lists")
            supposed[letter] = all_of(of_members) if of_members else sp.true
        return supposed

    def _given(self, name: str) -> Any:
        """What is read off the sentence by this name, or what the field of the rule has, or that of the sentence."""
        if name in self.proposed:
            return self.proposed[name]
        return getattr(self.rule if hasattr(self.rule, name) else self.sentence, name)

    def _stand_together(self, one: sp.Symbol, other: sp.Symbol) -> bool:
        """Whether two numbers of members stand in one term, or in one premise."""
        applied = (
            a for e in expressions((self.schema.conclusion, self.schema.premises)) for a in e.atoms(AppliedUndef, E)
        )
        places = (*(a.free_symbols for a in applied), *(needs.members for needs in self.schema.premises))
        return any(one in place and other in place for place in places)

    @property
    def called(self) -> Mapping[sp.Expr, str]:
        """The names of the fields in which the letters stand."""
        return self._matched[1]

    @cached_property
    def values(self) -> Mapping[sp.Expr, Any]:
        """What each letter stands for: a function letter, with its variable, for a term."""
        values = dict(self._matched[0])
        for variable in self._variables_of(values):
            if variable in VARIABLES:
                real_symbol(values[variable])
            elif variable == tau and not getattr(values[tau], "is_integer", False):
                raise AnotherVariant(f"{self.label}: {values[tau]} is no letter for whole numbers")
        for needs in self.schema.premises:
            if isinstance(needs.statement, schemas.Slope) and needs.statement.slope not in values:
                body, variable = filled(needs.statement.body, values), values[needs.statement.variable]
                slope = derivative(body, variable, Domain(variable), needs.statement.order)[0]
                values[needs.statement.slope] = slope if needs.statement.order == 1 else sp.together(slope)
        return values

    @staticmethod
    def _variables_of(values: Mapping[sp.Expr, Any]) -> list[sp.Symbol]:
        return [letter for letter in values if letter in BOUND]

    @property
    def variables(self) -> list[sp.Symbol]:
        """The letters that are bound."""
        return self._variables_of(self.values)

    @property
    def numbers(self) -> list[sp.Expr]:
        """What the letters stand for that are numbers: ends of intervals, points, values, and what its proof names."""
        letters = (v for v in self.values if isinstance(v, sp.Symbol) and v not in {*BOUND, *FORMULAS, N})
        numbers = (number for letter in letters for number in terms(self.values[letter]))
        return [number for number in numbers if number not in (sp.oo, -sp.oo)]

    @cached_property
    def _of_rule(self) -> Set[sp.Symbol]:
        """The variables that are bound in what is said on the domain of the rule, and nowhere else."""
        elsewhere = (self.schema.conclusion, *(needs for needs in self.schema.premises if not needs.on))
        return {v for v in self.variables if not speaks(elsewhere, v)}

    def _meet(self, letter: sp.Expr, variable: sp.Symbol) -> bool:
        """Whether a letter stands where the variable is bound."""
        parts = (self.schema.conclusion, *self.schema.premises)
        return variable not in self._of_rule or any(speaks(p, letter) and speaks(p, variable) for p in parts)

    def premises(self, domain: Domain) -> Iterator[Premise]:
        """The premises, on the domain of the sentence. Raises :class:`ClaimError` for one that is false as written."""
        self._are_new(domain.symbols)
        on, parameters = self._domain_of_rule(domain), self._without_variables(domain)
        self._check_supposed(domain)
        premises: list[Premise] = []
        plain: list[Premise] = []
        for needs, values in self._one_by_one():
            of_place = [v for v in self.variables if v not in INDICES and any(e.has(v) for e in needs.where)]
            where = [settled(filled(c, values), self.label) for c in needs.where]
            if is_nowhere(where):
                continue
            place = on if needs.on else domain if needs.of_domain else parameters
            for limits in self._ranges(needs.members):
                place = numbered(*limits, place)
            place = place.also(*(c for c in where if c != sp.true), *(self.values[v] for v in of_place))
            premises += self._premise(needs, place, values)
            if isinstance(needs.statement, Always):
                plain.append(Premise(always(filled(needs.statement, values).formula, (), self.label), place))
        yield from premises or plain  # nothing follows from nothing: what is true as it is written is asked then

    def _domain_of_rule(self, domain: Domain) -> Domain:
        """The domain that the rule brings, of its own variable and of families of the sentence's, or that of the
        sentence.
        """
        on = domain
        for letter in self.values:
            if isinstance(letter, J):
                on = self.values[letter]
                known_families(on, domain)
                alone(self.values[letter.args[0]], on)
        return on

    def _without_variables(self, domain: Domain) -> Domain:
        """The domain of the parameters: of what the sentence speaks of, without what a premise or it binds."""
        parameters = domain
        for variable in (v for v in self.variables if v not in self._of_rule):
            if variable in INDICES:
                if self.values[variable] in domain.symbols:
                    raise ClaimError(f"the domain constrains {self.values[variable]}, which numbers the terms")
                continue
            parameters = parameters.without_symbol(self.values[variable])
            if any(needs.of_domain for needs in self.schema.premises):
                alone(self.values[variable], domain)
        return parameters

    def _check_supposed(self, domain: Domain) -> None:
        """Refuse to suppose of the members of lists what is seen to hold at no point or, where the sentence does not
        say where their numbers lie, of a part of a family.
        """
        lists = self._ranges([letter.args[0] for letter in self.values if isinstance(letter, Supposed)])
        if not lists:
            return
        examples = (needs for needs in self.schema.premises if isinstance(needs.statement, schemas.Somewhere))
        shown = any(map(self._example, examples))
        tried = [c for c in self.sentence.given if not (shown and isinstance(c, sp.Equality))]
        together(tried, lists, domain, self.label)
        unsaid = [(index, ends) for index, *ends in lists if index not in self.sentence.bound]
        for supposed in self.sentence.given:
            for index, ends in unsaid:
                of_all(supposed, index, tuple(ends), domain, self.label)

    def _one_by_one(self) -> Iterator[tuple[Needs, Mapping[sp.Expr, Any]]]:
        """The premises with what the letters stand for; those about members of lists that are written out once for
        each of the numbers for which they are meant.
        """
        for needs in self.schema.premises:
            ranges = (range(1, int(self.values[RANGES[index][1]]) + 1) for index in needs.written_out)
            for numbers in product(*ranges):
                values = {**self.values, **dict(zip(needs.written_out, map(sp.Integer, numbers), strict=True))}
                if all(filled(c, values).doit() != sp.false for c in needs.where if of_numbers(c)):
                    yield needs, values

    def _ranges(self, indices: Sequence[sp.Symbol]) -> list[tuple[sp.Symbol, sp.Expr, sp.Expr]]:
        """What numbers members, and from where to where."""
        return [
            (self.values[index], sp.Integer(low), self.values[size])
            for index, (low, size) in ((index, RANGES[index]) for index in indices)
        ]

    def _are_new(self, in_use: Set[sp.Basic]) -> None:
        """Refuse a variable of the rule's own of which the sentence speaks."""
        of_sentence = letters_in(self.schema.conclusion)
        for variable in self.variables:
            letter = self.values[variable]
            if variable not in of_sentence and letter in in_use and variable not in self._of_rule:
                raise Mismatch(f"{self.label}: {letter} is the {self.called[variable]}, and the sentence speaks of it")

    def _premise(self, needs: Needs, domain: Domain, values: Mapping[sp.Expr, Any]) -> Iterator[Premise]:
        label = self.label
        if needs.label:
            label += ": " + needs.label.format_map({str(letter): value for letter, value in values.items()})
        match asked := filled(needs.statement, values):
            case schemas.Continuous(body, variable):
                plain = continuous(body, variable, domain).labelled(label)
                yield Premise(by_rule(plain.statement, self._proofs(needs)[0]), domain)
            case schemas.Slope(body, slope, variable, order):
                yield derivative(body, variable, domain, order, slope)[1].labelled(label)
            case schemas.Interval(variable):
                interval_in(variable, domain)
            case schemas.Admitted(point, variable):
                yield from at_point(variable, point, domain, label)
            case schemas.Somewhere(condition):
                assert isinstance(needs.statement, schemas.Somewhere)
                if example := self._example(needs):
                    entries = at_example(condition, self._ranges(needs.statement.bound), example, self.label)
                    yield Premise(Exists(entries, example, label=label), domain)
            case schemas.Valued(term):
                yield from valued((term,), domain, label)
            case schemas.Natural(number):
                yield from hold([sp.Ge(number, 0)], domain, label)
            case schemas.Family():
                assert isinstance(needs.statement, schemas.Family)
                self._family(needs.statement, asked, domain)
            case schemas.Admits(image, entry):
                rule, lemmas = self._proofs(needs)
                size = next(f.size for f in domain.families if f.base == entry.base)
                inside = numbered(entry.indices[0], sp.S.One, size, domain)
                yield Premise(Equal(image, image, label=f"{label}: {entry.base} has a value"), inside)
                yield from numbers_admitted({entry: image}, domain, label, rule or lemmas)
            case schemas.OfAll(condition):
                assert isinstance(needs.statement, schemas.OfAll)
                ranges = self._ranges(needs.statement.bound)
                for index, *ends in ranges:
                    of_all(condition, index, tuple(ends), domain, label)
                yield from some(condition, ranges[::-1], domain, label)
            case Always(formula):
                left = settled(formula, label)
                if needs.on:  # where the domain of the rule holds, what it says does
                    beside = [part for part in sp.And.make_args(left) if part not in domain.constraints]
                    left = sp.And(*beside, evaluate=False)
                if left != sp.true:
                    rule, lemmas = self._proofs(needs)
                    yield Premise(always(left, rule or lemmas, label), domain)
            case _:
                rule, lemmas = self._proofs(needs)
                stated = replace(asked, label=label, **({"using": lemmas} if lemmas else {}))
                yield Premise(by_rule(stated, rule), domain)

    def _family(self, pattern: schemas.Family, asked: schemas.Family, domain: Domain) -> None:
        """Refuse a family that is not such numbers of a domain, and one that is to vary beside others, where something
        else that is said moves with it.
        """
        base, size = asked.entry.base, self.values.get(RANGES[pattern.entry.args[-1]][1])
        free, signs = pattern.varies or asked.free, (asked.positive,) if asked.positive or asked.only else (False, True)
        sums = (None,) if asked.only else (None, 1) if asked.free else None if asked.total is None else (asked.total,)
        family = numbers_of(domain, base, size, signs, sums, free=free)
        if not free:
            return
        own = pattern.entry.base if pattern.varies else pattern.entry
        others = (value for letter, value in self.values.items() if not (letter in FAMILIES or letter.has(own)))
        moving = {base.label, *(tied(family.total.free_symbols, domain) if family.total is not None else ())}
        for other in (value for value in others if isinstance(value, sp.Basic)):
            if other.free_symbols & moving:
                raise ClaimError(f"{self.label}: {base} is to vary freely, and {other} speaks of it, or of its sum")

    def _example(self, needs: Needs) -> Point:
        """The point that the rule gives for a premise, if there is one."""
        given: Point = self._given(needs.by)
        return given

    def _proofs(self, needs: Needs) -> tuple[Rule | None, tuple[Any, ...]]:
        """The rule that is given for a premise, and the lemmas."""
        given = [self._given(name) for name in needs.by.split()]
        rules = [proof for proof in given if isinstance(proof, Rule)]
        lemmas = [proof for proof in given if proof and not isinstance(proof, Rule)]
        return rules[-1] if rules else None, lemmas[-1] if lemmas else ()
