"""For which values a sentence is meant: the hypotheses of a domain, in the words of the field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.proof.statements.intervals import Interval, numeric_bounds
from grpo_symbolic.terms.definedness import conditions
from grpo_symbolic.terms.relations import ORDER, STRICT

Printer: TypeAlias = Callable[[Any], str]
Places: TypeAlias = Iterable[tuple[sp.Symbol, sp.Expr]]
_Words: TypeAlias = tuple[Any, ...]  # of a hypothesis: signs and words, and formulas between them
_LATEX = {
    "∈": r"\in ",
    "ℝ": r"\mathbb R",
    "ℤ": r"\mathbb Z",
    "≥": r"\geq ",
    "≤": r"\leq ",
    "∞": r"\infty",
    ", ": r",\ ",
}
_SIGNS = frozenset({*_LATEX, ">", "<", "(", ")", "[", "]"})


def domain_latex(
    domain: Domain,
    printer: Printer,
    about: frozenset[str] | None = None,
    places: Places = (),
    known: Sequence[Family] = (),
) -> str:
    r"""What a domain says, as LaTeX, letters of which it says the same together.

    With ``about``, the names of some letters, without what has nothing to do with them: since a domain has a point,
    what it says of other letters alone does not change for which values of these a sentence is meant. ``places`` are
    letters that number the members of a family, each with their number. ``known`` families are left out.

    >>> from grpo_symbolic.notation import beta, n, o, p, pi, r, ref, x
    >>> from grpo_symbolic.proof.statements.domain import reals, simplex
    >>> where = Domain(simplex(pi, n), simplex(ref, n), reals(r, n), n >= 2, beta > 0, 0 < p, p < 1)
    >>> print(domain_latex(where, sp.latex, frozenset({"r", "beta"})))
    r\in \mathbb R^{n},\ 2\leq n<\infty,\ \beta>0

    Equations come last:

    >>> print(domain_latex(Domain(sp.Eq(p, 2 * beta), beta > 0), sp.latex))
    \beta>0\text{ with }p = 2 \beta
    """

    def one(part: Any, power: bool) -> str:
        if isinstance(part, str):
            return _LATEX.get(part, part) if part in _SIGNS else rf"\text{{{part}}}"
        return f"^{{{printer(part)}}}" if power else printer(part)

    hypotheses = (*_together(domain, about, known), *_placed(places))
    return _with_equations(hypotheses, one, _LATEX[", "], r"\text{ with }")


def domain_text(domain: Domain, printer: Printer, about: frozenset[str] | None = None, places: Places = ()) -> str:
    """The same as one line of text.

    >>> from grpo_symbolic.notation import beta, n, o, p, pi, r, ref, x
    >>> from grpo_symbolic.proof.statements.domain import reals, simplex
    >>> where = Domain(simplex(pi, n), simplex(ref, n), reals(r, n), n >= 2, beta > 0, 0 < p, p < 1, 0 < x, x < 1)
    >>> domain_text(where, str)
    'pi, pi_ref of full support on n values, r ∈ ℝ^n, p, x ∈ (0, 1), 2 ≤ n < ∞, beta > 0'

    Of a whole letter, which a reader may take for a real one, the first and the last number are printed:

    >>> from grpo_symbolic.notation import k
    >>> domain_text(Domain(k > 0), str)
    'k ≥ 1'
    """

    def one(part: Any, power: bool) -> str:
        if isinstance(part, str):
            return part if part not in _SIGNS or part in ", ()[]ℝℤ∞" else f" {part} "
        printed = printer(part)
        return printed if not power else f"^{printed}" if part.is_Atom else f"^({printed})"

    return _with_equations((*_together(domain, about), *_placed(places)), one, ", ", " with ")


def is_one_value(domain: Domain, about: frozenset[str] | None) -> bool:
    """Whether a domain says nothing but which numbers its letters are.

    >>> from grpo_symbolic.notation import G, x
    >>> is_one_value(Domain(sp.Eq(G, 2), x > 0), frozenset({"G"}))
    True
    """
    return all(
        _is_equation(words) and any(not side.free_symbols for side in words[0].args)
        for words in _together(domain, about)
    )


def needed(domain: Domain, about: frozenset[str]) -> Domain:
    """The domain of a sentence about some letters, without what it says of others alone: what is printed of it.

    >>> from grpo_symbolic.notation import beta, p, x
    >>> needed(Domain(0 < p, p < x, beta > 0), frozenset({"x"}))
    Domain(p > 0, p < x)
    """
    binding = _binding(domain, about)
    used = _connected(domain, about, binding)
    relations = [c for c in binding if names([c]) & used]
    families = [f for f in domain.families if names([f.base]) & used]
    mentioned = names([*relations, *(e for f in families for e in (f.base, f.size, f.total))])
    loose = [s for s in domain.symbols if str(s) in used and (s in domain.free or str(s) not in mentioned)]
    return Domain(*loose, *families, *relations, near=(domain, domain.example))


def common(domains: Sequence[Domain]) -> Domain:
    """What several domains say, each of them; of the numbers of a family only where all say the same of it.

    >>> from grpo_symbolic.notation import p, x
    >>> common((Domain(0 < p, p < 1, x > 1), Domain(0 < p, p < 1, x < 0)))
    Domain(p > 0, p < 1)
    """
    first, *others = domains
    families = [f for f in first.families if all(f in d.families for d in others)]
    own = {f.base for d in domains for f in d.families if f not in families}
    relations = [c for c in first.constraints if all(c in d.constraints for d in others) and not c.has(*own)]
    free = [s for s in first.free if all(s in d.free for d in others)]
    return Domain(*free, *families, *relations, near=(first, first.example))


def beyond(domain: Domain, known: Domain) -> Domain:
    """What a domain says and another one does not, with all of its families, which what it says may be about."""
    relations = [c for c in domain.constraints if c not in known.constraints]
    return Domain(*(domain.free - known.symbols), *domain.families, *relations, near=(domain, domain.example))


def counts(domain: Domain) -> list[sp.Symbol]:
    """The letters that say how many numbers a family has. A domain takes each as a whole number, never as infinite, and
    what is printed of it says so: answers, outputs and tokens are finitely many unless a sentence itself speaks of
    countably many.
    """
    return sorted(set().union(*(f.size.free_symbols for f in domain.families)), key=str)


def _joined(words: _Words, one: Callable[[Any, bool], str]) -> str:
    before = ("", *words)
    return "".join(
        one(part, last in ("ℝ", ")") and not isinstance(part, str)) for last, part in zip(before, words, strict=False)
    )


def _is_equation(words: _Words) -> bool:
    return len(words) == 1 and isinstance(words[0], sp.Equality)


def _with_equations(hypotheses: Sequence[_Words], one: Callable[[Any, bool], str], comma: str, between: str) -> str:
    """Hypotheses one after the other, the equations last."""
    ranges = comma.join(_joined(words, one) for words in hypotheses if not _is_equation(words))
    equations = comma.join(_joined(words, one) for words in hypotheses if _is_equation(words))
    return between.join(filter(None, (ranges, equations)))


def _placed(places: Places) -> Iterator[_Words]:
    """That letters number members of a family, those of one size together."""
    sizes: dict[sp.Expr, list[Any]] = {}
    for letter, size in places:
        sizes.setdefault(size, []).extend([", ", letter])
    for size, listed in sizes.items():
        yield (sp.S.One, "≤", *listed[1:], "≤", size)


def _together(domain: Domain, about: frozenset[str] | None, known: Sequence[Family] = ()) -> Iterator[_Words]:
    """Each hypothesis, with all letters of which it is one, but for those that are families which are known."""
    constraints = domain.constraints if about is None else _binding(domain, about)
    used = None if about is None else _connected(domain, about, constraints)
    halves = [pair for pair in _halves(domain) if used is None or all(names([f.base]) & used for f in pair)]
    halves = [pair for pair in halves if not set(pair) <= {*known}]
    letters_by_words: dict[_Words, list[sp.Basic]] = {words: [] for words in _laws(halves)}
    for letter, words in _each(domain, constraints, frozenset([*known, *(f for pair in halves for f in pair)]), known):
        if used is None or names(words if letter is None else [letter]) & used:
            letters_by_words.setdefault(words, []).append(letter)
    mentioned = names(part for words, letters in letters_by_words.items() for part in (*letters, *words))
    loose = [s for s in sorted(domain.symbols, key=str) if str(s) in (used or ()) and str(s) not in mentioned]
    for s in loose:
        letters_by_words.setdefault(_any(s), []).append(s)
    for words, letters in letters_by_words.items():
        listed = _listed((letter,) for letter in letters if letter is not None)
        if isinstance(words[0], Interval):
            yield from _within(listed, words[0])
        else:
            yield (*listed, *words)


def _listed(groups: Iterable[_Words]) -> _Words:
    """What stands one after the other, with commas."""
    return tuple(part for group in groups for part in (", ", *group))[1:]


def _halves(domain: Domain) -> list[tuple[Family, Family]]:
    """The laws on two classes of values: a family for each class, one after the other, which have one together."""
    pairs = zip(domain.families, domain.families[1:], strict=False)
    return [(f, g) for f, g in pairs if f.positive and g.positive and 1 not in (f.total, g.total) and _is_one(f, g)]


def _is_one(first: Family, second: Family) -> bool:
    """Whether the numbers of two families have sums that are one together."""
    if first.total is None or second.total is None:
        return False
    return bool(sp.expand(1 - first.total - second.total) == 0)


def _laws(halves: Sequence[tuple[Family, Family]]) -> Iterator[_Words]:
    """Laws on two classes of values, those on the same classes together, with what each gives to either class."""
    classes: dict[tuple[sp.Expr, sp.Expr], list[tuple[Family, Family]]] = {}
    for first, second in halves:
        classes.setdefault((first.size, second.size), []).append((first, second))
    for (n, m), pairs in classes.items():
        laws = _listed(("(", f.base, ", ", g.base, ")") for f, g in pairs)
        sums = _listed(("(", f.total, ", ", g.total, ")") for f, g in pairs)
        yield (*laws, " of full support on ", n, " and ", m, " values with sums ", *sums)


def _within(listed: _Words, box: Interval) -> Iterator[_Words]:
    """That letters lie between two ends: one of them, and whole numbers, as a chain of signs."""
    if len(listed) == 1 or box.upper == sp.oo:
        upper = "∞" if box.upper == sp.oo else box.upper
        yield (box.lower, "<" if box.lower_open else "≤", *listed, "<" if box.upper_open else "≤", upper)
    else:
        ends = ("(" if box.lower_open else "[", ")" if box.upper_open else "]")
        yield (*listed, "∈", ends[0], box.lower, ", ", box.upper, ends[1])


def _each(
    domain: Domain, constraints: Sequence[sp.Basic], covered: frozenset[Family], known: Sequence[Family] = ()
) -> Iterator[tuple[sp.Basic | None, _Words]]:
    """The hypotheses on single letters, and without one those on several, in parentheses where they have a word of
    their own; none on families that are ``covered`` already, nor that the sizes of ``known`` ones are finite.
    """
    yield from ((family.base, _family(family)) for family in domain.families if family not in covered)
    boxes = {s: _among_whole(box) if s.is_integer else box for s, box in domain.intervals.items() if box != Interval()}
    boxes = _unimplied(constraints, boxes)
    closed = {s for s, box in boxes.items() if box.lower.is_finite and box.upper.is_finite}
    yield from ((s, (boxes[s],)) for s in sorted(closed, key=str))
    free = {s for s in domain.free if s not in boxes}
    for s in sorted((free - _defined(constraints, free)) | _beside_reals(constraints), key=str):
        yield s, _any(s)
    sizes = {s for family in known for s in family.size.free_symbols}
    finite, open_ = [s for s in counts(domain) if s not in sizes], {s for s in boxes if s not in closed}
    chains, taken = _chains(constraints, boxes)
    for constraint in constraints:
        if constraint in chains:
            if chains[constraint]:
                yield None, chains[constraint]
            continue
        single = [s for s, *_ in numeric_bounds(constraint)] if isinstance(constraint, Relational) else []
        if not single:
            several = isinstance(constraint, sp.Or | sp.Implies | sp.Equivalent)
            yield None, ("(", constraint, ")") if several else (constraint,)
        for s in single:
            if s in open_ - taken:
                yield _one_sided(s, boxes[s], s in finite)
                open_.remove(s)
    bounded = {s for s in boxes if boxes[s].lower.is_finite}
    yield from ((s, ("<", "∞")) for s in finite if s not in bounded)


def _defined(constraints: Sequence[sp.Basic], letters: Iterable[sp.Symbol]) -> set[sp.Symbol]:
    """The letters that an equation gives as a real number, by others: so it need not be printed that they
    are real.
    """
    defined: set[sp.Symbol] = set()
    for s in sorted(letters, key=str):
        equations = [c for c in constraints if isinstance(c, sp.Equality) and s in c.args and not s.is_integer]
        values = [side for c in equations for side in c.args if side != s]
        if any(not side.free_symbols & {s, *defined} for side in values):
            defined.add(s)
    return defined


def _unimplied(constraints: Sequence[sp.Basic], boxes: dict[sp.Symbol, Interval]) -> dict[sp.Symbol, Interval]:
    """The ranges of letters without an end that follows from that of a letter beyond it: of 0 < p < x and 0 < x < 1 it
    is said that 0 < p < x < 1.
    """
    ranges = dict(boxes)
    for constraint in constraints:
        if not isinstance(constraint, ORDER) or not {constraint.lts, constraint.gts} <= boxes.keys():
            continue
        low, high = constraint.lts, constraint.gts
        if low.is_integer or high.is_integer:
            continue
        strict = isinstance(constraint, STRICT)
        below, above = ranges[low], ranges[high]
        least = below.lower.is_finite and below.lower == above.lower
        if least and above.upper.is_finite and (strict or below.lower_open or not above.lower_open):
            ranges[high] = above = Interval(-sp.oo, above.upper, True, above.upper_open)
        most = above.upper.is_finite and above.upper == below.upper
        if most and below.lower.is_finite and (strict or above.upper_open or not below.upper_open):
            ranges[low] = Interval(below.lower, sp.oo, below.lower_open, True)
    return ranges


def _chains(
    constraints: Sequence[sp.Basic], boxes: dict[sp.Symbol, Interval]
) -> tuple[dict[sp.Basic, _Words], set[sp.Basic]]:
    """Orders of which an end has a number beyond it, as chains, and the letters whose range these say."""
    chains: dict[sp.Basic, _Words] = {}
    taken: set[sp.Basic] = set()
    for constraint in constraints:
        if not isinstance(constraint, ORDER) or numeric_bounds(constraint):
            continue
        low, high = constraint.lts, constraint.gts
        sign = "<" if isinstance(constraint, STRICT) else "≤"
        below, above = (boxes.get(end, Interval()) if end not in taken else Interval() for end in (low, high))
        lower = (below.lower, "<" if below.lower_open else "≤") if below.lower.is_finite else ()
        upper = ("<" if above.upper_open else "≤", above.upper) if above.upper.is_finite else ()
        if (lower and not below.upper.is_finite) or (upper and not above.lower.is_finite):
            lower, upper = (() if below.upper.is_finite else lower), (() if above.lower.is_finite else upper)
            chains[constraint] = (*lower, low, sign, high, *upper)
            taken |= {*([low] if lower else []), *([high] if upper else [])}
    return _linked(constraints, chains), taken


def _linked(constraints: Sequence[sp.Basic], chains: dict[sp.Basic, _Words]) -> dict[sp.Basic, _Words]:
    """The same where an order that begins with the letter with which another one ends goes on with it; of the second
    one nothing more is printed.
    """
    orders = {
        c: chains.get(c) or (c.lts, "<" if isinstance(c, STRICT) else "≤", c.gts)
        for c in constraints
        if isinstance(c, ORDER) and not numeric_bounds(c)
    }
    linked = dict(chains)
    for first in orders:
        for second in orders:
            end = orders[first][-1] if orders[first] else None
            if first != second and isinstance(end, sp.Symbol) and orders[second] and orders[second][0] == end:
                orders[first] = linked[first] = (*orders[first], *orders[second][1:])
                orders[second] = linked[second] = ()
    return linked


def _beside_reals(constraints: Sequence[sp.Basic]) -> set[sp.Symbol]:
    """The whole letters that an inequality compares with a real one: the ends of the one are rounded for the other."""
    pairs = [c.args for c in constraints if isinstance(c, ORDER) and c.lhs.is_Symbol and c.rhs.is_Symbol]
    return {s for pair in pairs if not all(t.is_integer for t in pair) for s in pair if s.is_integer}


def _among_whole(box: Interval) -> Interval:
    """The ends of the whole numbers in a range: what a proof knows of a whole letter is true from there on, for real
    numbers too, and nobody has to see that the letter is a whole one.
    """
    low, high = sp.ceiling(box.lower), sp.floor(box.upper)
    low += 1 if box.lower_open and low == box.lower else 0
    high -= 1 if box.upper_open and high == box.upper else 0
    return Interval(low, high, not low.is_finite, not high.is_finite)


def _any(s: sp.Symbol) -> _Words:
    return ("∈", "ℤ" if s.is_integer else "ℝ")


def _family(family: Family) -> _Words:
    if family.total == 1:
        return (" of full support on ", family.size, " values")
    numbers = ("(", sp.S.Zero, ", ", "∞", ")") if family.positive else ("ℝ",)
    return ("∈", *numbers, family.size, *(() if family.total is None else (" with sum ", family.total)))


def _one_sided(s: sp.Symbol, box: Interval, finite: bool) -> tuple[sp.Basic | None, _Words]:
    if box.lower.is_finite:
        if finite:
            return s, (Interval(box.lower, sp.oo, box.lower_open, True),)
        return s, (">" if box.lower_open else "≥", box.lower)
    return s, ("<" if box.upper_open else "≤", box.upper)


def names(formulas: Iterable[Any]) -> frozenset[str]:
    """The names of letters and families in some formulas."""
    atoms = [f.atoms(sp.Symbol, sp.IndexedBase) for f in formulas if isinstance(f, sp.Basic)]
    return frozenset(str(getattr(letter, "label", letter)) for letter in set().union(*atoms))


def _connected(domain: Domain, about: frozenset[str], constraints: Sequence[sp.Basic]) -> frozenset[str]:
    """The names of all letters that a domain ties to some. Of a family that leaves every value to the others, since it
    has at least one number, no sum but one that is given, and no hypothesis on its numbers, no other letter is tied to
    it.
    """
    restricted = names(domain.constraints)
    ties = [(names([c]), names([c])) for c in constraints]
    for f in domain.families:
        least = domain.intervals[f.size].lower if f.size in domain.intervals else f.size
        free = sp.sympify(least >= 1) is sp.true and (f.total is None or f.total.is_Number)
        free = free and not names([f.base]) & restricted
        every = names([f.base, f.size, f.total])
        ties.append((names([f.base]) if free else every, every))
    used = about
    while more := [every for some, every in ties if some & used and not every <= used]:
        used = used.union(*more)
    return used


def _binding(domain: Domain, about: frozenset[str]) -> list[sp.Basic]:
    """The constraints without those that some number satisfies whatever the other letters are: a letter of which the
    sentence has not is a value of theirs, or has bounds on one side only.
    """
    left = list(domain.constraints)
    sizes = names(e for f in domain.families for e in (f.size, f.total))
    idle = [s for s in sorted(domain.symbols, key=str) if not s.is_integer and str(s) not in about | sizes]
    while letter := next((s for s in idle if _yields([c for c in left if s in c.free_symbols], s, domain)), None):
        left = [c for c in left if letter not in c.free_symbols]
    return left


def _yields(constraints: list[sp.Basic], s: sp.Symbol, domain: Domain) -> bool:
    """Whether a real number satisfies all of these, whatever the letters beside it are: what it is compared with has a
    value for all of them.
    """
    alone = [c for c in constraints if isinstance(c, Relational) and s in c.args and (c.lhs - c.rhs).diff(s).is_Number]
    if not constraints or len(alone) < len(constraints) or any(c.lhs.has(s) and c.rhs.has(s) for c in alone):
        return False
    if any(conditions(domain.reading().formula(c), domain.sizes) for c in alone):
        return False
    if len(alone) == 1 and isinstance(alone[0], sp.Equality):
        return True
    above = [isinstance(c, ORDER) and c.gts == s for c in alone]
    return all(isinstance(c, ORDER) for c in alone) and len(set(above)) == 1
