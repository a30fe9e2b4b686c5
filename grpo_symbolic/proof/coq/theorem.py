"""The theorem that an obligation asks of Coq, from its terms.

Coq's functions are total: ``1/0``, ``ln (-1)`` and ``sqrt (-1)`` are real numbers of which nothing useful is known. A
theorem therefore says two things on its domain: that the statement has a value there, by the conditions that the
reading finds, and what is claimed. It is exact, or :class:`Unsupported` names what cannot be translated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from grpo_symbolic.proof.coq.syntax import Syntax, Unsupported, identifier, primed
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.obligation import (
    Holds,
    Identity,
    LimitIs,
    Obligation,
    RootCount,
    Witness,
    statement_of,
)
from grpo_symbolic.terms.definedness import conditions, within
from grpo_symbolic.terms.language import (
    MINUS_ONE,
    Add,
    Compare,
    Delta,
    Derivative,
    Entry,
    Formula,
    Node,
    Number,
    Term,
    Total,
    Variable,
    add,
    multiply,
    number,
    opened,
    rebuilt,
)
from grpo_symbolic.terms.linear import least


@dataclass(frozen=True)
class Theorem:
    """For all ``variables`` (real numbers, then others with their types), ``hypotheses`` imply ``defined`` and
    ``goal``; ``syntax`` says what its names stand for.
    """

    variables: tuple[str, ...]
    hypotheses: tuple[str, ...]
    defined: tuple[str, ...]
    goal: str
    others: tuple[tuple[str, str], ...] = ()
    syntax: Syntax = field(default_factory=Syntax)

    @property
    def names(self) -> tuple[str, ...]:
        """All variables in their order."""
        return (*self.variables, *(name for name, _ in self.others))

    @property
    def text(self) -> str:
        """The theorem in Coq's syntax.

        >>> from sympy import symbols
        >>> x = symbols("x", real=True)
        >>> print(theorem(Holds(Domain(x > 0), 1 / x > 0)).text)
        forall (x : R),
          (0 < x) ->
          (x <> 0) /\\
          (0 < (/ x))
        """
        typed = [f"({' '.join(self.variables)} : R)"] if self.variables else []
        typed += [f"({name} : {kind})" for name, kind in self.others]
        quantified = [f"forall {' '.join(typed)},"] if typed else []
        lines = [*(f"{h} ->" for h in self.hypotheses), *(f"{d} /\\" for d in self.defined), self.goal]
        return "\n  ".join([*quantified, *lines])


def theorem(obligation: Obligation) -> Theorem:
    """The theorem that an obligation asks for; raises :class:`Unsupported` where it cannot be translated exactly."""
    if isinstance(obligation, Witness):
        return _example(obligation)
    if isinstance(obligation, RootCount):
        return _roots(obligation)
    if isinstance(obligation, LimitIs):
        return _limit(obligation)
    if not isinstance(obligation, Identity | Holds):
        raise Unsupported(f"an obligation of the form {type(obligation).__name__} is not translated")
    claimed = unfolded(statement_of(obligation))
    stated = _assuming(obligation.domain, (claimed,))
    syntax, defined = stated.syntax, _defined(stated, (claimed,), obligation.domain)
    match claimed:
        case Compare("==", Derivative() as slope, right) if isinstance(obligation, Identity) and not _slopes(right):
            goal = _is_slope(slope, syntax.term(right), syntax)
        case _:
            goal = _with_slopes(claimed, syntax)
    return replace(stated, defined=defined, goal=goal)


def _slopes(node: Node) -> list[Derivative]:
    """The outermost derivatives in a node, each once; raises :class:`Unsupported` for one of each term of a sum."""
    if isinstance(node, Derivative):
        if node.loose:
            raise Unsupported("a derivative of each term of a sum")
        return [node]
    return list(dict.fromkeys(slope for child in node.children for slope in _slopes(child)))


def _with_slopes(claimed: Formula, syntax: Syntax) -> str:
    """A formula in which derivatives may stand: there are numbers that are these, and it holds of them."""
    slopes = {slope: f"slope'{place}" for place, slope in enumerate(_slopes(claimed), 1)}
    text = replace(syntax, slopes=slopes).formula(claimed)
    are = "".join(f"exists {name} : R, {_is_slope(slope, name, syntax)} /\\ " for slope, name in slopes.items())
    return f"({are}{text})" if slopes else text


def _is_slope(slope: Derivative, value: str, syntax: Syntax) -> str:
    """That a derivative exists and is a value: one of higher order is that of the derivative near the point."""
    body, along, order = slope.body, slope.along, slope.order
    if body.has(Derivative):
        raise Unsupported("a derivative of a derivative along something else")
    text, at = syntax.term(body), syntax.term(along)
    if isinstance(along, Entry) and along.family in syntax.functions:
        if order > 1:
            raise Unsupported("a derivative of higher order along an entry")
        family, index = identifier(along.family), syntax.natural(along.index)
        return f"(is_derive_in_entry (fun {family} : nat -> R => {text}) {family} {index} {value})"
    near = ""
    for _ in range(order - 1):
        near += f"(locally {at} (fun {at} : R => ex_derive (fun {at} : R => {text}) {at})) /\\ "
        text = f"(Derive (fun {at} : R => {text}) {at})"
    is_derivative = f"(is_derive (fun {at} : R => {text}) {at} {value})"
    return f"({near}{is_derivative})" if near else is_derivative


def unfolded(node: Any) -> Any:
    """A node in which every sum and product over a range of numbers is written out."""
    if not isinstance(node, Node) or not node.has(Total):
        return node
    if isinstance(node, Total) and isinstance(node.low, Number) and isinstance(node.high, Number):
        if node.low.value > node.high.value:
            raise Unsupported("a sum without terms")
        span = range(int(node.low.value), int(node.high.value) + 1)
        return (multiply if node.product else add)(*(unfolded(opened(node, number(k))) for k in span))
    return rebuilt(node, unfolded)


def _plain(*nodes: Node) -> None:
    if any(node.has(Derivative) for node in nodes):
        raise Unsupported("a derivative inside an expression, along an entry, or of higher order")


def _assuming(domain: Domain, nodes: Sequence[Node], bound: frozenset[Variable] = frozenset()) -> Theorem:
    """The variables of a domain (symbols, then entries of families of a given size, then what is no real number) and
    what it assumes of them; in ``nodes`` these may occur, ``bound``, and indices that run over families.
    """
    formulas = tuple(map(unfolded, domain.formulas))
    parts = dict.fromkeys(part for node in (*formulas, *nodes) for part in node.parts)
    long = {name: f for name, f in domain.family_terms.items() if not isinstance(f.size, Number)}
    entries = [part for part in parts if isinstance(part, Entry) and part.family in long]
    sizes = _sizes(parts, [f.size for f in long.values()], entries, formulas)
    free = [e for e in entries if isinstance(e.index, Variable) and e.index not in sizes]
    spans = [span for span in _spans(domain, entries) if span[0] not in sizes]
    given = frozenset(index for index, _ in spans)
    indices = frozenset(e.index for e in free if isinstance(e.index, Variable))
    syntax = Syntax(sizes, indices, frozenset(long))
    known = (domain.variables | bound) - given
    occurring = frozenset().union(*(node.variables for node in nodes))
    for variable in sorted((indices & known) | (occurring - known - indices), key=lambda v: v.name):
        raise Unsupported(f"{variable.name} is no variable of the domain and no index that runs over all entries")
    for e in parts:
        if isinstance(e, Entry) and e.family not in long and not _is_listed(e, domain):
            raise Unsupported(f"the domain says nothing of the entry {e.family}[{e.index}]")
    ranges = dict.fromkeys([*spans, *((e.index, long[e.family].size) for e in free if e.index not in given)])
    formulas = tuple(f for f in formulas if all(f not in within(*span) for span in spans))
    counted = sorted(syntax.sizes, key=lambda v: v.name)
    reals = sorted(domain.variables - given, key=lambda v: v.name)
    listed, of_families = _families(domain, syntax)
    assumed = [f"({identifier(size.name)} = INR {primed(size.name)})" for size in counted]
    assumed += [syntax.within(*span) for span in ranges]
    assumed += [f"(exists k' : Z, {syntax.term(v)} = IZR k')" for v in reals if v.is_whole]
    assumed += [*map(syntax.formula, formulas), *of_families]
    others = [(primed(size.name), "nat") for size in counted]
    others += [(name, "nat") for name in sorted(primed(v.name) for v in indices)]
    others += [(identifier(name), "nat -> R") for name in sorted(long)]
    variables = tuple(map(syntax.term, (*reals, *listed)))
    stated = Theorem(variables, tuple(dict.fromkeys(assumed)), (), "", tuple(others), syntax)
    _distinct([*stated.names, *(identifier(v.name) for v in bound)])
    return stated


def _sizes(
    parts: Iterable[Node], sizes: Sequence[Term], entries: Sequence[Entry], formulas: Sequence[Formula]
) -> frozenset[Variable]:
    """The variables that count entries: in the ``sizes`` of families, and the ends of sums and indices among ``parts``.

    Raises :class:`Unsupported` for one that need not be a number of entries.
    """
    numbers = list(sizes)
    numbers += [end for t in parts if isinstance(t, Total) for end in (t.low, t.high)]
    numbers += [e.index for e in entries if not isinstance(e.index, Variable)]
    numbers += [side for d in parts if isinstance(d, Delta) for side in (d.left, d.right) if isinstance(side, Add)]
    less = [part for n in numbers for part in n.parts if isinstance(part, Add) and MINUS_ONE in part.terms]
    lessened = {v for part in less for v in part.variables}
    counting = frozenset(v for n in numbers for v in n.variables)
    for size in sorted(counting, key=lambda v: v.name):
        first = least(size, formulas) if size.is_whole else None
        if first is None or first < (1 if size in lessened else 0):
            raise Unsupported(f"{size.name} is not known to be a number of entries")
    return counting


def _families(domain: Domain, syntax: Syntax) -> tuple[list[Term], list[str]]:
    """The entries of families of a given size, and what a domain assumes of all its families."""
    listed: list[Term] = []
    assumed: list[str] = []
    for name, family in domain.family_terms.items():
        if name in syntax.functions:
            if family.positive:
                span = f"(1 <= i'0 <= {syntax.size(family.size)})%nat"
                assumed.append(f"(forall i'0 : nat, {span} -> 0 < {identifier(name)} i'0)")
            sum_of_all = f"(total {identifier(name)} {syntax.size(family.size)})"
        else:
            assert isinstance(family.size, Number)
            of_family = [Entry(name, number(k)) for k in range(1, int(family.size.value) + 1)]
            listed += of_family
            assumed += [f"(0 < {syntax.term(e)})" for e in of_family] if family.positive else []
            sum_of_all = syntax.term(add(*of_family))
        if family.total is not None:
            assumed.append(f"({sum_of_all} = {syntax.term(family.total)})")
    return listed, assumed


def _spans(domain: Domain, entries: Sequence[Entry]) -> list[tuple[Variable, Term]]:
    """The whole numbers of a domain that are an index of some entry, and that it lets run over all of a family of any
    size, each with that size.
    """
    used = sorted(
        {e.index for e in entries if isinstance(e.index, Variable) and e.index.is_whole}, key=lambda v: v.name
    )
    sizes = dict.fromkeys(f.size for f in domain.family_terms.values() if isinstance(f.size, Variable))
    return [(v, s) for v in used if v.is_whole for s in sizes if set(within(v, s)) <= set(domain.formulas)]


def _is_listed(e: Entry, domain: Domain) -> bool:
    """Whether an entry is one of those of a family of a given size."""
    family = domain.family_terms.get(e.family)
    if family is None or not isinstance(family.size, Number) or not isinstance(e.index, Number):
        return False
    return 1 <= e.index.value <= family.size.value


def _distinct(names: Sequence[str]) -> None:
    if len(set(names)) != len(names):
        raise Unsupported(f"two of the variables {', '.join(names)} have the same name in Coq")


def _defined(stated: Theorem, nodes: Sequence[Node], domain: Domain, prefix: str = "") -> tuple[str, ...]:
    """What must hold for nodes to have a value, without what the theorem assumes of its indices."""
    sizes = domain.sizes
    syntax = stated.syntax
    entries = [e for node in nodes for e in node.parts if isinstance(e, Entry)]
    spans = [span for span in _spans(domain, entries) if span[0] in syntax.indices]
    given = {index for index, _ in spans}
    spans += [(e.index, sizes[e.family]) for e in entries if e.index in syntax.indices and e.index not in given]
    free = {formula for span in spans for formula in within(*span)}
    needed = [c for node in nodes for c in conditions(node, sizes) if c.needed not in free and not syntax.implied(c)]
    texts = map(syntax.condition, needed)
    return tuple(dict.fromkeys(f"({prefix}{text})" if prefix else text for text in texts))


def _example(obligation: Witness) -> Theorem:
    """That the point, written as equations, lies in the domain and has the property."""
    formula, *rest = obligation.read
    point = pinned(rest)
    assert isinstance(formula, Formula)
    if obligation.domain.families:
        raise Unsupported("an example that gives numbers to a family is not translated")
    parts = tuple(map(unfolded, (*obligation.domain.formulas, formula)))
    occurring = obligation.domain.variables.union(*(part.variables for part in parts))
    missing = sorted(v.name for v in occurring - set(point))
    if missing:
        raise Unsupported(f"the example gives no value to {', '.join(missing)}")
    stated = Theorem(tuple(identifier(v.name) for v in point), (), (), "")
    _distinct(stated.variables)
    syntax = stated.syntax
    assumed = tuple(f"({syntax.term(v)} = {syntax.term(value)})" for v, value in point.items())
    whole = [f"(exists k' : Z, {syntax.term(v)} = IZR k')" for v in point if v.is_whole]
    defined = _defined(stated, (*point.values(), *parts), obligation.domain)
    goal = " /\\ ".join([*whole, *map(syntax.formula, parts)])
    return replace(stated, hypotheses=assumed, defined=defined, goal=goal)


def pinned(read: Sequence[Node | str]) -> dict[Variable, Term]:
    """The point of an example, from what is read of it: variables, each with its number."""
    point = {}
    for key, value in zip(read[::2], read[1::2], strict=False):
        if not isinstance(key, Variable) or not isinstance(value, Term):
            raise Unsupported("an example that gives numbers to a family is not translated")
        point[key] = value
    return point


def _roots(obligation: RootCount) -> Theorem:
    """That the interval's ends are in order, and that there are numbers x'1 < x'2 < … such that the roots inside are
    these and no others.
    """
    polynomial, variable, low, high, count = map(unfolded, obligation.read)
    if variable.is_whole:
        raise Unsupported(f"{variable.name} is not any real number")
    domain = obligation.domain.without_symbol(obligation.variable)
    if low == "∞" or high == "−∞":
        raise Unsupported(f"from {low} to {high} there is no interval")
    ends = [e for e in (low, high) if isinstance(e, Term)]
    stated = _assuming(domain, (polynomial, *ends), frozenset({variable}))
    if stated.others:
        raise Unsupported("a count of roots beside a family of any size")
    syntax = stated.syntax
    x = syntax.term(variable)
    roots = [f"{x}'{k}" for k in range(1, int(count) + 1)]
    inside = [f"({syntax.term(low)} < {x})"] if isinstance(low, Term) else []
    inside += [f"({x} < {syntax.term(high)})"] if isinstance(high, Term) else []
    needed = list(_defined(stated, ends, domain))
    if len(ends) == 2 and not _in_order(*ends):
        needed.append(f"({syntax.term(low)} < {syntax.term(high)})")
    needed += _defined(stated, (polynomial,), domain, f"forall {x} : R, {' -> '.join(inside) or 'True'} -> ")
    ordered = [f"({a} < {b}) /\\ " for a, b in pairwise(roots)]
    root = " /\\ ".join([*inside, f"({syntax.term(polynomial)} = 0)"])
    one_of = " \\/ ".join(f"{x} = {name}" for name in roots) or "False"
    exists = f"exists {' '.join(roots)} : R, " if roots else ""
    goal = f"{exists}{''.join(ordered)}forall {x} : R, ({root}) <-> ({one_of})"
    return replace(stated, defined=tuple(dict.fromkeys(needed)), goal=goal)


def _limit(obligation: LimitIs) -> Theorem:
    """That the expression is defined near the point, on the side of the approach, and tends to the value."""
    expression, variable, point, side, value = map(unfolded, obligation.read)
    if variable.is_whole:
        raise Unsupported(f"{variable.name} is not any real number")
    domain = obligation.domain.without_symbol(obligation.variable)
    ends = [e for e in (point, value) if isinstance(e, Term)]
    _plain(expression, *ends)
    stated = _assuming(domain, (expression, *ends), frozenset({variable}))
    syntax, x = stated.syntax, stated.syntax.term(variable)
    infinite = {"∞": "(Rbar_locally p_infty)", "−∞": "(Rbar_locally m_infty)"}
    approached = "at_right" if side == "+" else "at_left"
    near = f"({approached} {syntax.term(point)})" if isinstance(point, Term) else infinite[point]
    towards = f"(locally {syntax.term(value)})" if isinstance(value, Term) else infinite[value]
    there = " /\\ ".join(_defined(stated, (expression,), domain))
    needed = [*_defined(stated, ends, domain), *([f"({near} (fun {x} : R => {there}))"] if there else [])]
    goal = f"(filterlim (fun {x} : R => {syntax.term(expression)}) {near} {towards})"
    return replace(stated, defined=tuple(dict.fromkeys(needed)), goal=goal)


def _in_order(low: Term, high: Term) -> bool:
    return isinstance(low, Number) and isinstance(high, Number) and low.value < high.value
