"""Terms and formulas in Coq's syntax, over the real numbers of its standard library.

The translation is exact wherever the term is defined, or :class:`Unsupported` names what has none. Names that no
variable has, since only they hold a prime: of natural numbers (``o'``), of the index that a sum binds (``j'1``), of
one that a condition quantifies (``i'1``), and of a derivative (``slope'1``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.terms.definedness import Condition
from grpo_symbolic.terms.language import (
    MINUS_ONE,
    ONE,
    Add,
    And,
    Bound,
    Cases,
    Compare,
    Constant,
    Delta,
    Derivative,
    Entry,
    Extremum,
    Formula,
    Function,
    GeneralPower,
    Iff,
    Implies,
    Multiply,
    Not,
    Number,
    Or,
    Power,
    Term,
    Total,
    Truth,
    Variable,
    add,
    number,
)

# Names that a variable must not shadow: the type of the reals, and what the theorems and the tactics mention.
_MENTIONED = (
    "R Z N Q C S O PI IZR INR nat Nat total exp ln sqrt sgn cosh sinh tanh sin cos fun forall exists if then else let "
    "in at end as for match with return Prop Set Type is_derive pow Rabs Rmin Rmax Rpower fix cofix where using by mod "
    "Rlt_dec Rle_dec Rgt_dec Rge_dec Req_EM_T filterlim locally at_right at_left Rbar_locally p_infty m_infty "
    "is_derive_in_entry with_entry ex_derive Derive"
)
_RESERVED = frozenset(_MENTIONED.split())
_OF_SCRIPTS = re.compile(r"[HKDBXL]\w*")  # hypotheses
_FUNCTIONS = {"log": "ln", "abs": "Rabs", "sign": "sgn"}  # the others are called as in Coq
RELATIONS = {"<": "<", "<=": "<=", "==": "=", "!=": "<>"}
TESTS = {"<": "Rlt_dec", "<=": "Rle_dec", "==": "Req_EM_T", "!=": "Req_EM_T"}


class Unsupported(ReadingError):
    """What has no exact translation to Coq."""


def identifier(name: str) -> str:
    """A name for Coq of a real number or of a family of any size."""
    ascii_name = re.sub(r"\W", "_", name, flags=re.ASCII)
    if not re.match(r"[A-Za-z]", ascii_name):
        ascii_name = f"v{ascii_name}"
    return f"{ascii_name}_" if ascii_name in _RESERVED or _OF_SCRIPTS.fullmatch(ascii_name) else ascii_name


def primed(name: str) -> str:
    """A name for Coq of a natural number: an index, or the number of entries that a variable stands for."""
    if name.startswith("#"):
        return f"i'{name[1:]}"
    return re.sub(r"\W", "_", name if name[0].isalpha() else f"v{name}", flags=re.ASCII) + "'"


@dataclass(frozen=True)
class Syntax:
    """What the names of a theorem stand for: ``sizes`` count entries (``n = INR n'``), ``indices`` are natural numbers,
    ``functions`` are the families of any size, and ``slopes`` the numbers that derivatives are; everything else is a
    real number.
    """

    sizes: frozenset[Variable] = frozenset()
    indices: frozenset[Variable] = frozenset()
    functions: frozenset[str] = frozenset()
    slopes: Mapping[Derivative, str] = field(default_factory=dict, hash=False)

    def natural(self, index: Term) -> str:
        """An index, or a number of entries, as a natural number: one is only subtracted from what is at least one."""
        match index:
            case Bound(place):
                return f"j'{place}"
            case Variable(name) if self.is_natural(index) or index in self.sizes:
                return primed(name)
            case Number(value) if value.denominator == 1 and value >= 0:
                return f"{value}%nat"
            case Add((one, at)) if one is MINUS_ONE and (self.is_natural(at) or at in self.sizes):
                return f"({self.natural(at)} - 1)%nat"
            case Add(terms) | Multiply(terms):
                sign = " + " if isinstance(index, Add) else " * "
                return f"({sign.join(map(self.natural, terms))})%nat"
        raise Unsupported(f"{index} is no index that runs over all entries")

    def is_natural(self, term: Term) -> bool:
        """Whether a term is an index, and so a natural number."""
        return isinstance(term, Bound) or (
            isinstance(term, Variable) and (term in self.indices or term.name.startswith("#"))
        )

    def within(self, index: Term, size: Term, low: Term = ONE) -> str:
        """That an index is one of low, …, size."""
        start = "1" if low is ONE else self.size(low)
        return f"({start} <= {self.natural(index)} <= {self.size(size)})%nat"

    def size(self, size: Term) -> str:
        if not size.variables <= self.sizes:
            raise Unsupported(f"{size} is not known to be a number of entries")
        return self.natural(size)

    # -- terms ----------------------------------------------------------------------------------------------------

    def term(self, t: Term) -> str:
        """A Coq term of type ``R``, in parentheses where it is not an atom."""
        match t:
            case Number(value):
                return _number(value)
            case Constant(name):
                return "PI" if name == "pi" else "(exp 1)"
            case Bound() | Variable() if self.is_natural(t):
                return f"(INR {self.natural(t)})"
            case Variable(name):
                return identifier(name)
            case Entry(family, index) if family in self.functions:
                return f"({identifier(family)} {self.natural(index)})"
            case Entry(family, Number(place)):
                return identifier(f"{family}_{place}")
            case Add(terms):
                return f"({' + '.join(map(self.term, terms))})"
            case Multiply(factors):
                return f"({' * '.join(map(self.term, factors))})"
            case Power():
                return self._power(t)
            case GeneralPower(base, power) if not power.is_whole:
                return f"(Rpower {self.term(base)} {self.term(power)})"
            case Function(name, argument):
                return f"({_FUNCTIONS.get(name, name)} {self.term(argument)})"
            case Extremum(greatest, terms):
                return _nested("Rmax" if greatest else "Rmin", [self.term(e) for e in terms])
            case Cases(cases, default):
                text = self.term(default)
                for condition, then in reversed(cases):
                    text = self._choice(condition, self.term(then), text)
                return text
            case Derivative() if t in self.slopes:
                return self.slopes[t]
            case Delta(left, right):
                return f"(if Nat.eq_dec {self.natural(left)} {self.natural(right)} then 1 else 0)"
            case Total(False, low, high, place, body):
                up_to = f"total (fun j'{place} : nat => {self.term(body)})"
                whole = f"({up_to} {self.size(high)})"
                return whole if low is ONE else f"({whole} - ({up_to} {self.size(_before(low))}))"
        raise Unsupported(f"{type(t).__name__} has no translation to Coq")

    def _power(self, t: Power) -> str:
        exponent = t.exponent
        if exponent.denominator > 2:
            raise Unsupported(f"the exponent {exponent}")
        text, power = self.term(t.base), abs(exponent.numerator)
        text = f"(sqrt {text})" if exponent.denominator == 2 else text
        inner = text if power == 1 else f"({text} ^ {power})"
        return inner if exponent > 0 else f"(/ {inner})"

    def _choice(self, condition: Formula, yes: str, no: str) -> str:
        match condition:
            case And((first, *rest)):
                return self._choice(first, self._choice(And(tuple(rest)), yes, no) if rest else yes, no)
            case Or((first, *rest)):
                return self._choice(first, yes, self._choice(Or(tuple(rest)), yes, no) if rest else no)
            case Not(part):
                return self._choice(part, no, yes)
            case Compare(relation, left, right):
                yes, no = (no, yes) if relation == "!=" else (yes, no)
                return f"(if {TESTS[relation]} {self.term(left)} {self.term(right)} then {yes} else {no})"
        raise Unsupported(f"{condition} is no condition that Coq can decide")

    # -- formulas -------------------------------------------------------------------------------------------------

    def formula(self, f: Formula, over_reals: bool = False) -> str:
        """A Coq proposition, in parentheses where it is not an atom; whole numbers may be compared as real ones."""
        inner = partial(self.formula, over_reals=over_reals)
        match f:
            case Truth(value):
                return str(value)
            case Compare("<=", left, right) if self.is_natural(right) and left is ONE and not over_reals:
                return f"(1 <= {self.natural(right)})%nat"
            case Compare("<=", left, right) if self.is_natural(left) and right in self.sizes and not over_reals:
                return f"({self.natural(left)} <= {self.size(right)})%nat"
            case Compare(relation, left, right):
                return f"({self.term(left)} {RELATIONS[relation]} {self.term(right)})"
            case Not(part):
                return f"(~ {inner(part)})"
            case And(formulas) | Or(formulas):
                connective = " /\\ " if isinstance(f, And) else " \\/ "
                return f"({connective.join(map(inner, formulas))})"
            case Implies(given, then):
                return f"({inner(given)} -> {inner(then)})"
            case Iff((left, right)):
                return f"({inner(left)} <-> {inner(right)})"
        raise Unsupported(f"{type(f).__name__} is no proposition of real arithmetic")

    def condition(self, condition: Condition) -> str:
        """What definedness asks, with the circumstances in which it asks it."""
        given = "".join(f"{text} -> " for text in self._circumstances(condition))
        needed = self.formula(condition.needed)
        return f"({given}{needed})" if given else needed

    def _circumstances(self, condition: Condition) -> Iterator[str]:
        """Each bound variable is introduced by the range in which it lies."""
        given = list(condition.given)
        while given:
            first = given.pop(0)
            match first, given[:1]:
                case Compare("<=", low, index), [Compare("<=", same, size)] if (
                    index is same and index in condition.bound
                ):
                    yield f"forall {self.natural(index)} : nat, {self.within(index, size, low)}"
                    given.pop(0)
                case _:
                    yield self.formula(first)

    def implied(self, condition: Condition) -> bool:
        """Whether a condition is one of its own circumstances, or says that a sum does not run backwards."""
        return condition.needed in condition.given or (
            isinstance(condition.needed, Compare)
            and condition.needed.left is Add((ONE, MINUS_ONE))
            and condition.needed.right in self.sizes
        )


def _number(value: Fraction) -> str:
    text = str(abs(value.numerator)) if value.denominator == 1 else f"({abs(value.numerator)} / {value.denominator})"
    return text if value >= 0 else f"(- {text})"


def _before(low: Term) -> Term:
    """The whole number before the first of a sum."""
    match low:
        case Number(value) if value > 0:
            return number(value - 1)
        case Add(terms) if ONE in terms:
            return add(*(t for k, t in enumerate(terms) if k != terms.index(ONE)))
    raise Unsupported(f"a sum that begins at {low}")


def _nested(name: str, parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({name} {parts[0]} {_nested(name, parts[1:])})"
