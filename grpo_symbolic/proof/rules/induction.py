"""Sentences for every whole number, from one number to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.patterns import settled
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using, always
from grpo_symbolic.proof.rules.sides import Premise, is_whole, lettered, one_range, sides_of, valued
from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.proof.statements.statement import (
    EACH_OTHER,
    Always,
    Equal,
    Phrase,
    Statement,
    commas,
    listed,
    supposed_in,
)
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar


class OfNumbers(Protocol):
    """What a sentence supposes of numbers without end, from the ``first`` on."""

    @property
    def index(self) -> sp.Symbol: ...
    @property
    def first(self) -> Scalar: ...
    @property
    def recurrence(self) -> tuple[sp.Basic, ...]: ...
    @property
    def start(self) -> tuple[sp.Basic, ...]: ...
    @property
    def families(self) -> tuple[Family, ...]: ...
    @property
    def label(self) -> str: ...


Such = Mapping[sp.Basic, Scalar]  # of a family its entry of the index of the sentence, of a letter a value


def some_numbers(such: Such, conclusion: OfNumbers, domain: Domain, *supposed: sp.Basic) -> Iterator[Premise]:
    """That the numbers that are given are as a recurrence and its start say, and as is ``supposed`` of every index.
    Letters of the domain may have values: there is nothing to show for others.

    Raises :class:`ClaimError` for what is none of the numbers that are counted, and no letter of the domain.
    """
    known_here = {*domain.symbols, *(family.base for family in conclusion.families)} - {conclusion.index}
    if strange := sorted(str(key) for key in such if key not in known_here):
        raise ClaimError(f"{conclusion.label}: such= is for the numbers that are counted and letters, not {strange[0]}")
    index, entries = conclusion.index, {k: v for k, v in such.items() if isinstance(k, sp.IndexedBase)}
    values = {k: sp.sympify(v) for k, v in such.items() if k not in entries}
    there = domain.also(*(sp.Eq(letter, value, evaluate=False) for letter, value in values.items()))
    every = there.also(sp.Le(conclusion.first, index, evaluate=False))

    def put(side: sp.Basic) -> sp.Basic:
        given = side.replace(
            lambda e: isinstance(e, sp.Indexed) and e.base in entries,
            lambda e: substituted(sp.sympify(entries[e.base]), {index: e.indices[0]}),
        )
        return substituted(given, values)

    for formulas, where in (((*conclusion.recurrence, *supposed), every), (conclusion.start, there)):
        for formula in formulas:
            label = f"{conclusion.label}: there are such numbers"
            relation = settled(formula.func(*map(put, formula.args), evaluate=False), label)
            if isinstance(relation, sp.Equality):
                left, right = relation.args
                yield Premise(Equal(left, right, label=label), where)
            elif relation != sp.true:
                yield Premise(always(relation, (), label), where)


@dataclass(frozen=True, eq=False)
class Induction(Rule["ForEveryNumber"]):
    """What holds for the first number, and for the next one whenever it holds for one, holds for all.

    ``using`` is for the step. A sum or product up to the number is one letter in the step, the next one that letter and
    one term more, which is a premise too. Where more is supposed than what the first and the next numbers are, ``such``
    are some of which it holds, however many (:func:`some_numbers`).
    """

    using: Using = ()
    such: Such = field(default_factory=dict)
    theorems = ("Sentences.induction_with_a_recurrence",)

    def premises(self, conclusion: ForEveryNumber, domain: Domain) -> Iterator[Premise]:
        index, label = conclusion.index, conclusion.label
        if not index.is_integer:
            raise ClaimError(f"{index} runs over the whole numbers")
        for family in conclusion.families:
            if family.positive or family.total is not None:
                raise ClaimError(f"what is known of the numbers {family.base} is to be said in the sentence: reals(…)")
        if not self.such and not conclusion.is_defined:
            raise ClaimError(f"{label}: such= gives numbers of which what is supposed holds, however many there are")
        if self.such:
            yield from some_numbers(self.such, conclusion, domain)
        here, after = conclusion.formula, conclusion.formula.xreplace({index: index + 1})
        yield Premise(_first(conclusion), conclusion.beginning(domain))
        if not is_whole(conclusion.first):
            raise ClaimError(f"the first number, {conclusion.first}, is no whole number")
        letters: dict[Any, Any] = {}
        nexts: dict[Any, Any] = {}
        numbers = domain.also(sp.Le(conclusion.first, index, evaluate=False))
        totals = [total for total in sorted(here.atoms(sp.Sum, sp.Product), key=str) if total.has(index)]
        for total, letter in lettered(totals, (here, *conclusion.recurrence), domain).items():
            bound, low, high = one_range(total)
            if high != index or total.function.has(index) or sp.sympify(low).has(index):
                raise ClaimError(f"{total} is no sum up to {index} whose terms do not change with it")
            more = total.function.xreplace({bound: index + 1})
            longer = total.func(total.function, (bound, low, index + 1))
            grown = total + more if isinstance(total, sp.Sum) else total * more
            yield Premise(Equal(longer, grown, label=f"{label}: one term more"), conclusion.sized(numbers))
            letters[total] = letter
            nexts[longer] = letter + more if isinstance(total, sp.Sum) else letter * more
        supposed = [here.xreplace(letters), *(c.xreplace(letters) for c in conclusion.recurrence)]
        # SymPy wrote the first case and the step: it may have lost what has no value, at the first number above all
        yield from valued(sides_of(here), conclusion.sized(numbers), label)
        for known in conclusion.recurrence:
            yield from valued(sides_of(known), conclusion.sized(numbers), label)
        for known in conclusion.start:
            yield from valued(sides_of(known), conclusion.beginning(domain), label)
        step = always(after.xreplace(nexts), self.using, f"{label}: from one to the next")
        yield Premise(step, conclusion.sized(numbers).also(*letters.values(), *supposed))


def _first(conclusion: ForEveryNumber) -> Statement:
    """The formula for the first number; two sides that are alike as they are written still need a value."""
    formula, label = conclusion.at(conclusion.first), f"{conclusion.label}: the first"
    alike = isinstance(formula, sp.Equality) and formula.lhs == formula.rhs
    return Equal(formula.lhs, formula.rhs, label=label) if alike else Always(formula, label=label)


def _written_out(expression: sp.Basic, index: sp.Symbol, number: Scalar) -> Any:
    """An expression for one number: a sum or product between numbers term by term, and nothing else is computed."""
    if isinstance(expression, sp.Sum | sp.Product) and len(expression.limits) == 1:
        letter, *ends = expression.limits[0]
        low, high = (end.xreplace({index: sp.sympify(number)}) for end in ends)
        if low.is_Integer and high.is_Integer:
            terms = (expression.function.xreplace({letter: k}) for k in map(sp.Integer, range(int(low), int(high) + 1)))
            parts = [_written_out(term, index, number) for term in terms]
            return sp.Add(*parts) if isinstance(expression, sp.Sum) else sp.Mul(*parts)
    if not expression.args:
        return sp.sympify(number) if expression == index else expression
    inner = [_written_out(part, index, number) for part in expression.args]
    return expression.func(*inner, evaluate=False) if isinstance(expression, Relational) else expression.func(*inner)


@dataclass(frozen=True)
class ForEveryNumber(Conclusion):
    """``formula`` holds for every whole number ``index`` from ``first`` on, where ``recurrence`` (relations between
    what belongs to ``index`` and ``index`` + 1) holds for all of them. ``families`` are the numbers that are counted,
    ``reals(f, index)`` where it takes as many as the number; ``start`` is what is known of the first.
    """

    formula: sp.logic.boolalg.Boolean
    index: sp.Symbol
    first: Scalar
    families: tuple[Family, ...] = ()
    recurrence: tuple[sp.Basic, ...] = ()
    start: tuple[sp.Basic, ...] = ()
    label: str = "every number"
    claimed = ("formula",)
    binds = ("index",)
    ranges = True
    carried = EACH_OTHER

    def __post_init__(self) -> None:
        totals = sp.sympify(self.formula).atoms(sp.Sum, sp.Product)
        if any(self.index in total.variables for total in totals):
            raise ClaimError(
                f"{self.label}: a sum binds {self.index}, over which the sentence runs: rename one of them"
            )

    @property
    def supposes(self) -> tuple[sp.Basic, ...] | None:
        within = supposed_in(self.formula)
        sums = tuple(sp.Gt(f.total, 0, evaluate=False) for f in self.families if f.total is not None)
        return None if within is None else (*self.recurrence, *self.start, *sums, *within)

    @property
    def is_defined(self) -> bool:
        """Whether all that is supposed defines the first and the next numbers of some families, one equation for each
        of them, from those before: then there are such numbers.
        """
        supposed = (*self.recurrence, *self.start)
        named = [c.lhs for c in supposed if isinstance(c, sp.Equality) and isinstance(c.lhs, sp.Indexed)]
        bases = {e.base for e in named} & {family.base for family in self.families}

        def defines(formulas: tuple[sp.Basic, ...], number: sp.Expr, known: set[sp.Basic]) -> bool:
            sides = {c.lhs: c.rhs for c in formulas if isinstance(c, sp.Equality)}
            used = {e for side in sides.values() for e in side.atoms(sp.Indexed) if e.base in bases}
            return len(sides) == len(formulas) and sides.keys() <= {base[number] for base in bases} and used <= known

        following = defines(self.recurrence, self.index + 1, {base[self.index] for base in bases})
        return following and defines(self.start, sp.sympify(self.first), set())

    def at(self, number: sp.Expr) -> sp.logic.boolalg.Boolean:
        """The formula for one number, sums without a term written out. Raises :class:`ClaimError` where it has none."""
        try:
            return _written_out(self.formula, self.index, number)
        except TypeError as error:  # SymPy compares what is no number
            raise ClaimError(f"{self.label}: {self.formula} has no value at {self.index} = {number}") from error

    def beginning(self, domain: Domain) -> Domain:
        """What is known for the first number."""
        return domain.also(*self._counted(self.first), *self.start)

    def sized(self, domain: Domain) -> Domain:
        """The families up to the next number."""
        return domain.also(*self._counted(self.index + 1))

    def _counted(self, number: Scalar) -> Iterator[Family]:
        """The families up to a number."""
        for family in self.families:
            yield replace(family, size=substituted(family.size, {self.index: number}))

    def phrase(self) -> Phrase:
        given, begun = listed(self.recurrence), listed(self.start)
        whatever = ("if always", *given, *((",", *begun) if begun else ())) if given else ("if", *begun)
        supposed = (*whatever, ", then") if given or begun else ()
        counted = commas(family.base.label for family in self.families)
        return (
            *(("for any real numbers", *counted, ":") if counted else ()),
            *supposed,
            *listed((self.formula,)),
            "for every whole number",
            self.index,
            "from",
            sp.sympify(self.first),
        )
