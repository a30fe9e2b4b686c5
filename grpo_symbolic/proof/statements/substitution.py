"""Substitution in SymPy expressions as a derivation means it: everywhere at once, and nothing caught by a sum.

An entry with a free index, such as ``old[o]``, stands for the whole family: every entry of it is replaced, each at its
own index.

SymPy substitutes, and is not believed in what has a value: the same is done in terms, where nothing is simplified, and
what these need (:mod:`~grpo_symbolic.terms.definedness`) must be needed by what SymPy has made of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import sympy as sp
from sympy.logic.boolalg import Boolean

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms.definedness import conditions
from grpo_symbolic.terms.language import ZERO, Compare, Entry, Formula, Node, Sort, Variable, rebuilt, substitute
from grpo_symbolic.terms.reading import Reading
from grpo_symbolic.terms.writing import written

_BINDING = (sp.Derivative, sp.Integral, sp.Limit, sp.Subs, sp.Lambda, sp.ConditionSet)  # they keep letters of their own

_NO_NUMBER = (sp.zoo, sp.oo, -sp.oo, sp.nan)

# SymPy takes a product whose factors are 0 for 0, also where it has no factors and is 1, and one that has none for a
# number that is not above 0. What it decides of these, such as a relation or a maximum, would be wrong.
for _property in ("zero", "extended_nonpositive"):
    sp.Product._prop_handler.pop(_property, None)


class Need(NamedTuple):
    """A ``formula`` that must hold ``where`` all of these do, so that there is a value."""

    formula: sp.Basic
    where: frozenset[sp.Basic]


Needs = frozenset[Need]


def substituted(expression: Scalar | sp.Basic, rule: Mapping[sp.Expr, Scalar]) -> sp.Basic:
    """``expression`` with every key of ``rule`` replaced by its value, all at once.

    Raises :class:`ClaimError` where a sum or a product around a replaced part binds a letter of what is put in, or a
    derivative of such a part is along one: what is put in would move with it; where one entry is replaced, and another
    one, such as that of a sum, may be the same; and where there is no value at what is put in.
    """
    whole = sp.sympify(expression)
    families = {k.base: (k.indices[0], sp.sympify(v)) for k, v in rule.items() if is_whole_family(k)}
    single = {sp.sympify(k): sp.sympify(v) for k, v in rule.items() if not is_whole_family(k) and k != v}
    _check_letters(whole, single, families)

    def put_single(e: sp.Basic) -> sp.Basic:
        if all(k.is_Symbol for k in single) and not e.has(*_BINDING):
            return e.xreplace(single)  # the same, in a quarter of the time
        return e.subs(single, simultaneous=True)

    def put(e: sp.Basic) -> sp.Basic:
        places: dict[sp.Basic, sp.Symbol] = {}  # for entries: in what stands for them nothing is replaced again

        def place(entry: sp.Indexed) -> sp.Symbol:
            index, value = families[entry.base]
            image = value.xreplace({index: put_single(entry.indices[0])})
            return places.setdefault(image, sp.Dummy(real=True))

        if families:
            e = e.replace(lambda e: isinstance(e, sp.Indexed) and e.base in families, place)
        e = put_single(e)
        return e.xreplace({dummy: image for image, dummy in places.items()}) if places else e

    # whoever puts numbers in asks that they have values
    own = frozenset().union(*(_needs(Reading().read(v)) for v in single.values()))

    def keeps(e: sp.Basic, needed: Needs) -> bool:
        return _covers(own | _needs(Reading().read(e)), needed)

    def literal(e: sp.Basic) -> sp.Basic:
        """With what SymPy loses standing there as it is written: it takes 0/y for 0, and y/y for 1."""
        if e in single or not e.args or isinstance(e, (sp.Indexed, sp.IndexedBase, *_BINDING)):
            return put(e)
        parts = [literal(part) for part in e.args]
        computed = e.func(*parts)
        if not isinstance(e, sp.Expr | Boolean) or isinstance(e, sp.Sum | sp.Product):
            return computed
        needed = frozenset().union(*(_needs(Reading().read(part)) for part in parts))
        return computed if keeps(computed, needed) else e.func(*parts, evaluate=False)

    replaced, needed = put(whole), _needs(_in_terms(whole, rule))
    if replaced.has(*_NO_NUMBER) or any(need.formula == sp.false for need in needed):
        raise ClaimError(f"{whole} has no value at what is put in")
    if not keeps(replaced, needed):
        replaced = literal(whole)
        if not keeps(replaced, needed):
            raise ClaimError(f"what is put in leaves nothing of what {whole} needs to have a value")
    return replaced


def _in_terms(whole: sp.Basic, rule: Mapping[sp.Expr, Scalar]) -> Node:
    """The same in terms: nothing is simplified, and every sum has a letter that stands nowhere else."""

    def read(e: sp.Basic) -> Node:
        return Reading().read(e)  # a letter and the same, of another sort, may stand on the two sides of a rule

    known: dict[Node, Node] = {}
    families: dict[str, tuple[Node, Node]] = {}
    for key, value in rule.items():
        if is_whole_family(key):
            families[key.base.name] = read(key.indices[0]), read(value)
        else:
            known[read(key)] = read(value)
    near = (*known.values(), *(value for _, value in families.values()))

    def visit(node: Node) -> Node:
        if node not in known:
            match node:
                case Entry(family, index) if family in families:
                    letter, value = families[family]
                    known[node] = substitute(value, {letter: visit(index)})
                case _:
                    known[node] = rebuilt(node, visit, *near)
        return known[node]

    return visit(read(whole))


@lru_cache(maxsize=4096)
def _needs(node: Node) -> Needs:
    """What a node needs to have a value, as SymPy would write it: so two that differ in the order of factors are one.

    Where it is decided for numbers, it is left out.
    """
    sizes = {family: Variable(f"#{family}", Sort.whole) for family in node.families}
    needs = set()
    with sp.evaluate(True):  # whatever else is to be written down as it is
        for condition in conditions(node, sizes):
            where = frozenset(map(written, condition.given)) - {sp.true}
            if sp.false not in where:
                needs |= {Need(part, where) for part in _parts(condition.needed)}
    return frozenset(needs)


def _parts(needed: Formula) -> Iterator[sp.Basic]:
    """What is needed, part by part: a product is not 0 if no factor is."""
    match needed:
        case Compare("!=", base, zero) if zero == ZERO:
            yield from _not_zero(written(base))
        case Compare("<" | "<=" as relation, zero, number) if zero == ZERO:
            size, rest = written(number).as_coeff_Mul()  # 2/G is positive exactly if 1/G is
            formula = (sp.Lt if relation == "<" else sp.Le)(0, sp.sign(size) * rest)
            if formula != sp.true:
                yield formula
        case _ if (formula := written(needed)) != sp.true:
            yield formula


def _not_zero(e: sp.Basic) -> Iterator[sp.Basic]:
    for factor in sp.Mul.make_args(e):
        while factor.is_Pow and factor.exp.is_Rational:
            factor = factor.base
        if (formula := sp.Ne(factor, 0)) != sp.true:
            yield formula


def _covers(there: Needs, needed: Needs) -> bool:
    """Whether each need is one of those that are ``there``, or follows from one, in its circumstances or in fewer."""
    known: dict[sp.Basic, list[frozenset[sp.Basic]]] = {}
    with sp.evaluate(True):
        for formula, where in there:
            for part in _implied(formula):
                known.setdefault(part, []).append(where)
    return all(any(where <= need.where for where in known.get(need.formula, ())) for need in needed)


def _implied(formula: sp.Basic) -> Iterator[sp.Basic]:
    """A formula, and of one that says that a number is positive, that it is not negative and not 0."""
    yield formula
    if isinstance(formula, sp.StrictLessThan) and formula.lhs == 0:
        yield sp.Le(0, formula.rhs)
        yield from _not_zero(formula.rhs)


def _check_letters(
    whole: sp.Basic,
    single: Mapping[sp.Basic, sp.Basic],
    families: Mapping[sp.Basic, tuple[sp.Symbol, sp.Expr]],
) -> None:
    """Refuse what a sum or a derivative in ``whole`` would catch, and an entry that may be one that is replaced."""
    put_in = set().union(*(v.free_symbols for v in single.values()))
    put_in |= set().union(*(v.free_symbols - {index} for index, v in families.values()))
    bound = {limit[0] for total in whole.atoms(sp.Sum, sp.Product) for limit in total.limits}
    keys = set().union(*(k.free_symbols for k in single))
    for d in whole.atoms(sp.Derivative):
        if d.has(*single, *families) and (along := put_in & _letters_of(d)):
            raise ClaimError(f"{d} is along {min(map(str, along))}, of which what is substituted speaks too")
        if along := {base.label for base in families} & _letters_of(d):
            raise ClaimError(f"{d} is along {min(map(str, along))}, for which something else is put in")
    for key in single:
        if isinstance(key, sp.Indexed) and key.base in families:
            raise ClaimError(f"{key} is one of {key.base}, for all of which something else is put in")
        if same := next((e for e in whole.atoms(sp.Indexed) if _may_be(e, key)), None):
            raise ClaimError(f"{same} may be {key}, for which something else is put in")
    if caught := (put_in | keys) & bound:
        letters = ", ".join(sorted(map(str, caught)))
        raise ClaimError(f"a sum binds {letters}, which what is substituted speaks of too: give the sum another letter")
    if families:
        _check_images(whole, families)


def _check_images(whole: sp.Basic, families: Mapping[sp.Basic, tuple[sp.Symbol, sp.Expr]]) -> None:
    """Refuse an entry whose index a sum in what is put in for it would bind."""
    for entry in whole.atoms(sp.Indexed):
        index, value = families.get(entry.base, (None, sp.S.Zero))
        for total in value.atoms(sp.Sum, sp.Product):
            caught = entry.indices[0].free_symbols & {limit[0] for limit in total.limits}
            if caught and index in total.free_symbols:
                raise ClaimError(
                    f"a sum binds {min(map(str, caught))} in what is put in for {entry}: give it another letter"
                )


def _may_be(entry: sp.Indexed, key: sp.Basic) -> bool:
    """Whether an entry that is written otherwise than another one, which is a key, may be the same."""
    if entry == key or not isinstance(key, sp.Indexed) or entry.base != key.base:
        return False
    return all((i - j).is_zero is not False for i, j in zip(entry.indices, key.indices, strict=True))


def _letters_of(derivative: sp.Derivative) -> set[sp.Basic]:
    """The letters along which a derivative is taken, of entries those of their families."""
    return {v.base.label if isinstance(v, sp.Indexed) else v for v in derivative.variables}


def equations(pairs: Iterable[tuple[sp.Basic, Scalar]]) -> tuple[object, ...]:
    """What is put in for what, as a sentence prints it: of a whole family it is said that every entry has its value.

    >>> from grpo_symbolic.notation import o, old, pi, x
    >>> equations([(old[o], pi[o]), (x, 1)])
    (pi_old[o], '=', pi[o], 'for every', o, ',', x, '=', 1)
    """
    parts: list[object] = []
    for key, value in pairs:
        every = ("for every", key.indices[0]) if is_whole_family(key) else ()
        parts += [",", key, "=", value, *every]
    return tuple(parts[1:])


def is_whole_family(key: sp.Basic) -> bool:
    """Whether what is replaced is an entry with a free index, which stands for all entries of its family."""
    return isinstance(key, sp.Indexed) and len(key.indices) == 1 and key.indices[0].is_Symbol
