"""Substitution in SymPy expressions as a derivation means it: everywhere at once, and nothing caught by a sum.

An entry with a free index, such as ``old[o]``, stands for the whole family: every entry of it is replaced, each at its
own index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import sympy as sp
from sympy.logic.boolalg import Boolean

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.scalars import Scalar

_BINDING = (sp.Derivative, sp.Integral, sp.Limit, sp.Subs, sp.Lambda, sp.ConditionSet)  # they keep letters of their own


_NO_NUMBER = (sp.zoo, sp.oo, -sp.oo, sp.nan)

# SymPy takes a product whose factors are 0 for 0, also where it has no factors and is 1, and one that has none for a
# number that is not above 0. What it decides of these, such as a relation or a maximum, would be wrong.
for _property in ("zero", "extended_nonpositive"):
    sp.Product._prop_handler.pop(_property, None)


def substituted(expression: Scalar | sp.Basic, rule: Mapping[sp.Expr, Scalar]) -> sp.Basic:
    """``expression`` with every key of ``rule`` replaced by its value, all at once.

    Raises :class:`ClaimError` where a sum or a product around a replaced part binds a letter of what is put in, or a
    derivative of such a part is along one: what is put in would move with it. So it does where one entry is replaced,
    and another one, such as that of a sum, may be the same.
    """
    whole = sp.sympify(expression)
    families = {k.base: (k.indices[0], sp.sympify(v)) for k, v in rule.items() if _is_whole_family(k)}
    single = {sp.sympify(k): sp.sympify(v) for k, v in rule.items() if not _is_whole_family(k) and k != v}
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
        if same := next((e for e in whole.atoms(sp.Indexed) if _may_be(e, key)), None):
            raise ClaimError(f"{same} may be {key}, for which something else is put in")
    caught = (put_in | keys) & bound
    if caught:
        letters = ", ".join(sorted(map(str, caught)))
        raise ClaimError(f"a sum binds {letters}, which what is substituted speaks of too: give the sum another letter")
    if families:
        _check_images(whole, families)

    def put(e: sp.Basic) -> sp.Basic:
        if families:
            e = e.replace(
                lambda e: isinstance(e, sp.Indexed) and e.base in families,
                lambda e: families[e.base][1].xreplace({families[e.base][0]: e.indices[0]}),
            )
        if all(k.is_Symbol for k in single) and not e.has(*_BINDING):
            return e.xreplace(single)  # the same, in a quarter of the time
        return e.subs(single, simultaneous=True)

    def kept(e: sp.Basic) -> sp.Basic:
        """With what SymPy loses standing there as it is written: it takes 0/y for 0, and y/y for 1."""
        if isinstance(e, _BINDING) and not _covers({*_needs(put(e)), *own}, needed_in(e)):
            raise ClaimError(f"what is put in leaves nothing of what {e} needs to have a value")
        if e in single or not e.args or isinstance(e, (sp.Indexed, sp.IndexedBase, *_BINDING)):
            return put(e)
        inner = [kept(part) for part in e.args]
        found = e.func(*inner)
        needed = set().union(*map(_needs, inner))
        computed = isinstance(e, sp.Expr | Boolean) and not isinstance(e, sp.Sum | sp.Product)
        if not computed or _covers({*_needs(found), *own}, needed):
            return found
        literal = e.func(*inner, evaluate=False)
        if not _covers({*_needs(literal), *own}, needed):  # of "true or …" it keeps nothing else
            raise ClaimError(f"what is put in leaves nothing of what {e} needs to have a value")
        return literal

    def needed_in(e: sp.Basic) -> set[Need]:
        """What parts need to have a value once the numbers are put in, each by itself.

        Raises :class:`ClaimError` where there is none.
        """
        needed = set()
        for part, where in _partial(e):
            there, cases = put(part), frozenset(map(put, where)) - {sp.true}
            if sp.false in cases:
                continue
            at_nought = any(p.base == 0 and not p.exp.is_Rational for p in there.atoms(sp.Pow))
            if at_nought or (there.has(*_NO_NUMBER) and not part.has(*_NO_NUMBER)):
                raise ClaimError(f"{part} has no value at what is put in")
            needed |= {Need(need.kind, need.of, need.where | cases) for need in _needs(there)}
        return needed

    own = set().union(*map(_needs, single.values()))  # whoever puts numbers in asks that they have values
    needed, found = needed_in(whole), put(whole)
    return found if _covers({*_needs(found), *own}, needed) else kept(whole)


class Need(NamedTuple):
    """What a number needs to have a value, as it is written, ``where`` all of these circumstances are."""

    kind: str
    of: sp.Basic
    where: frozenset[sp.Basic] = frozenset()


def _covers(there: Iterable[Need], needed: Iterable[Need]) -> bool:
    """Whether each need is one of those that are ``there``, in its circumstances or in fewer."""
    known: dict[tuple[str, sp.Basic], list[frozenset[sp.Basic]]] = {}
    for need in there:
        known.setdefault((need.kind, need.of), []).append(need.where)
    return all(any(where <= need.where for where in known.get((need.kind, need.of), ())) for need in needed)


def _partial(e: sp.Basic, where: frozenset[sp.Basic] = frozenset()) -> Iterator[tuple[sp.Basic, frozenset[sp.Basic]]]:
    """The quotients, roots, logarithms, entries, derivatives and sums in an expression, each with the circumstances in
    which it counts: the case, what an implication supposes, that a sum has a term.
    """
    if isinstance(e, sp.Piecewise):
        for value, condition in e.args:
            yield from _partial(condition, where)
            yield from _partial(value, where | {condition})
            where |= {sp.Not(condition, evaluate=False)}
        return
    if isinstance(e, sp.Implies):
        yield from _partial(e.args[0], where)
        yield from _partial(e.args[1], where | {e.args[0]})
        return
    if isinstance(e, sp.Derivative):  # what moves bends where its root is 0, and its slope needs more than the root
        yield e, where
        bends = (p for p in e.expr.atoms(sp.Pow) if not p.exp.is_integer and p.base.has(*e.variables))
        yield from ((sp.log(p.base, evaluate=False), where) for p in bends)
    if isinstance(e, sp.Sum | sp.Product):
        yield e, where
        yield from (part for limit in e.limits for end in limit[1:] for part in _partial(end, where))
        where |= {sp.Tuple(*e.limits)}
        yield from _partial(e.function, where)
        return
    if isinstance(e, sp.Pow):
        if not (_is_number(e) or (e.exp.is_Integer and e.exp.is_nonnegative)):
            yield e, where
    elif isinstance(e, sp.log | sp.Indexed | sp.binomial) and not _is_number(e):
        yield e, where
    for part in e.args:
        yield from _partial(part, where)


def _is_number(e: sp.Basic) -> bool:
    """Whether SymPy has worked an expression out: it sees no letters in a sum that is empty, or in a slope of 0."""
    return not e.free_symbols and not e.has(*_BINDING, sp.Sum, sp.Product)


def _needs(e: sp.Basic) -> set[Need]:
    """What stands in these below a line, under a root and in a logarithm, numbers an entry, and ends a sum; and what is
    raised to a power of which only values show whether it needs more than a number.
    """
    found = set()
    for p, where in _partial(e):
        if isinstance(p, sp.log):
            found.add(Need("positive", p.args[0], where))
        elif isinstance(p, sp.Indexed):
            found.add(Need("entry", p, where))
        elif isinstance(p, sp.binomial):
            found.add(Need("binomial", sp.Tuple(*p.args), where))
        elif isinstance(p, sp.Derivative):
            found.add(Need("slope", p, where))
        elif isinstance(p, sp.Sum | sp.Product):
            found.add(Need("range", sp.Tuple(*p.limits), where))
        elif not p.exp.is_Rational:
            found.add(Need("power", p, where) if p.exp.is_integer else Need("positive", p.base, where))
        else:
            if not p.exp.is_integer:
                found.add(Need("root", p.base, where))
            if p.exp.is_negative:
                found.add(Need("divisor", p.base, where))
    return found


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


def _is_whole_family(key: sp.Basic) -> bool:
    return isinstance(key, sp.Indexed) and len(key.indices) == 1 and key.indices[0].is_Symbol
