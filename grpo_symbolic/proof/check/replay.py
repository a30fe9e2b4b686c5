"""The replay of a certificate: a rule of inference each, with the reason why it may be believed.

A branch stands for the points where its assumptions hold. Every rule leads to branches such that, were there a point
in the one, there would be one in them; a branch that is closed has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from flint import fmpz_mpoly

from grpo_symbolic.proof.check.branch import NEGATIVE, POSITIVE, ZERO, Branch, Junction, Open, Reading, turned, unit_of
from grpo_symbolic.proof.check.certificate import (
    Between,
    Certificate,
    Closed,
    Cut,
    Decide,
    Reduce,
    Solve,
    Split,
    Sum,
)
from grpo_symbolic.proof.check.polynomials import CALL, MOST_WORK, Refused, Work, is_constant, named
from grpo_symbolic.terms.language import Cases, Formula, Not


def refutes(query: tuple[Formula, ...], certificate: Certificate) -> bool:
    """Whether the certificate shows that the formulas of ``query`` cannot hold together.

    Raises :class:`Refused` for a query outside of real polynomial arithmetic with cases, and for a certificate that
    names what is not there, uses a rule where it does not apply, or asks for too much work.
    """
    try:
        named_conditions = {condition_name(condition): condition for condition in conditions(query)}
        return _decided(query, {}, named_conditions, certificate, Work(MOST_WORK))
    except RecursionError as error:
        raise Refused("the formulas of the query nest too deep") from error


def _decided(
    query: tuple[Formula, ...],
    decided: dict[Formula, bool],
    open_conditions: Mapping[str, Formula],
    certificate: Certificate,
    work: Work,
) -> bool:
    """A condition of a value by cases holds or does not. It is assumed, and the value is read accordingly."""
    if not isinstance(certificate, Decide):
        return closes(start(query, decided, work), certificate)
    condition = open_conditions.get(certificate.condition)
    if condition is None:
        raise Refused(f"the query has no condition {certificate.condition!r}")
    return all(
        _decided((*query, assumed), {**decided, condition: holds}, open_conditions, then, work)
        for assumed, holds, then in ((condition, True, certificate.yes), (Not(condition), False, certificate.no))
    )


def conditions(query: tuple[Formula, ...]) -> dict[Formula, None]:
    """The conditions of the values by cases in a query, in the order in which they are met."""
    values = (part for formula in query if formula.has(Cases) for part in formula.parts if isinstance(part, Cases))
    return {condition: None for value in values for condition, _ in value.cases}


def condition_name(condition: Formula) -> str:
    """How a certificate names a condition."""
    return named(condition.digest)


def start(query: tuple[Formula, ...], decided: Mapping[Formula, bool], work: Work) -> Branch:
    """The branch of all assertions that can be read; one of which a condition is open is not assumed."""
    work.spend(CALL * len(query))
    reading = Reading(query, decided, work)
    branch = Branch(reading.ring)
    for formula in query:
        with suppress(Open):
            branch.add(reading.assertion(formula))
    return branch


def closes(branch: Branch, certificate: Certificate) -> bool:
    """Whether the certificate shows that no point satisfies what the branch assumes."""
    if branch.closed:
        return True
    match certificate:
        case Closed():
            return False
        case Split(name, parts):
            branches = split(branch, disjunction(branch, name))
            if len(branches) != len(parts):
                raise Refused(f"the disjunction {name!r} has {len(branches)} parts, the certificate {len(parts)}")
            return all(map(closes, branches, parts))
        case Cut(polynomial, above, below):
            return all(map(closes, cut(branch, branch.ring.polynomial(polynomial)), (above, below)))
        case Solve(equation, variable, then):
            return closes(solved(branch, equation, variable), then)
        case Reduce(equation, variable, then):
            return closes(reduced(branch, equation, variable), then)
        case Between(variable, near, far, then):
            return closes(between(branch, variable, near, far), then)
        case Sum():
            return contradicts(branch, certificate)
    raise Refused("the conditions of a query are decided before anything else")


def fact(branch: Branch, name: str) -> tuple[fmpz_mpoly, int]:
    """The polynomial of a fact, by its name, with its signs, turned so that ``-name`` is that of the negative."""
    branch.ring.spend(CALL + len(branch.facts))
    matches = [f for f in branch.facts.values() if f.name == name.removeprefix("-")]
    if len(matches) != 1:
        raise Refused(f"there {'is no fact' if not matches else 'are several facts'} {name!r}")
    unit, signs = matches[0].unit, matches[0].signs
    return (unit, signs) if not name.startswith("-") else (-unit, turned(signs))


def disjunction(branch: Branch, name: str) -> Junction:
    """The disjunction of this name."""
    for candidate in branch.disjunctions:
        if candidate.name == name:
            return candidate
    raise Refused(f"there is no disjunction {name!r}")


def split(branch: Branch, taken: Junction) -> list[Branch]:
    """One of the parts of a disjunction holds."""
    branches = []
    for part in taken.sorted:
        other = branch.copy()
        other.disjunctions = tuple(d for d in branch.disjunctions if d is not taken)
        other.add(part)
        branches.append(other)
    return branches


def cut(branch: Branch, polynomial: fmpz_mpoly) -> tuple[Branch, Branch]:
    """A polynomial is ≥ 0 or < 0 at every point."""
    above, below = branch.copy(), branch.copy()
    above.assume(polynomial, ZERO | POSITIVE)
    below.assume(polynomial, NEGATIVE)
    return above, below


def equation(branch: Branch, name: str) -> fmpz_mpoly:
    """The polynomial of this name, which is zero."""
    polynomial, signs = fact(branch, name)
    if signs != ZERO:
        raise Refused(f"the fact {name!r} is no equation")
    return polynomial


def solved(branch: Branch, name: str, variable: str) -> Branch:
    """d v + c = 0 with d of one strict sign: v = −c/d. A polynomial at it, times |d| to its degree in v, has the same
    sign, and is free of v.
    """
    v = branch.ring.index(variable)
    coefficients = branch.ring.coefficients(equation(branch, name), v)
    if len(coefficients) != 2:
        raise Refused(f"the equation {name!r} is not linear in {variable}")
    rest, slope = coefficients
    way = strict_sign(branch, slope)
    if not way:
        raise Refused(f"the sign of the coefficient of {variable} in the equation {name!r} is not known")
    above, below = -way * rest, way * slope
    other = branch.copy()
    other.change(v, lambda p: branch.ring.replaced(p, v, above, below))
    return other


def strict_sign(branch: Branch, polynomial: fmpz_mpoly) -> int:
    """1 or −1 where the branch says that a polynomial is positive or negative, else 0."""
    return {POSITIVE: 1, NEGATIVE: -1}.get(branch.signs(polynomial), 0)


def reduced(branch: Branch, name: str, variable: str) -> Branch:
    """a v² = N with a number a ≠ 0: a polynomial has the value of its remainder, of degree 1 in v."""
    v = branch.ring.index(variable)
    relation = equation(branch, name)
    other = branch.copy()
    other.squares = dict(branch.squares)
    if not other.takes(v, relation):
        raise Refused(f"the equation {name!r} does not give the square of {variable}")
    facts, other.facts = other.facts, {}
    for content, known in facts.items():
        if content != str(unit_of(relation)[0]):
            other.assume(known.unit, known.signs)
    return other


def between(branch: Branch, variable: str, near: str, far: str | None) -> Branch:
    """a v + r ≥ 0 or > 0 near, b v + s > 0 far, a and b numbers of opposite signs, A = −r/a and B = −s/b: there is one
    t ≥ 0, and > 0 where near is strict, with v = (A + B t)/(1 + t); without far, with v = A ± t. A polynomial at it,
    times 1 + t to its degree in v, has the same sign. Where t > 0 so it has without its factors t. Then t is called v.
    """
    ring = branch.ring
    v = ring.index(variable)
    t = ring.variables[v]
    a, end, strict = _bound(branch, near, v)
    below = ring.context.constant(abs(a))
    if far is None:
        above = end + (1 if a > 0 else -1) * t
    else:
        b, other_end, open_end = _bound(branch, far, v)
        if a * b > 0 or not open_end:
            raise Refused(f"{far!r} is no strict bound of {variable} on the other side of {near!r}")
        above = abs(b) * end + abs(a) * ring.times(other_end, t)
        below = abs(a * b) * (1 + t)

    def transform(polynomial: fmpz_mpoly) -> fmpz_mpoly:
        put = ring.replaced(polynomial, v, above, below)
        shared = put.term_content().degrees()[v] if strict and put != 0 else 0
        return put / t**shared if shared > 0 else put

    other = branch.copy()
    other.change(v, transform)
    other.assume(t, POSITIVE if strict else POSITIVE | ZERO)
    return other


def _bound(branch: Branch, name: str, variable: int) -> tuple[int, fmpz_mpoly, bool]:
    """Of a fact a v + r ≥ 0 or > 0 with a number a: a, the end |a|·(−r/a), and whether it is strict."""
    polynomial, signs = fact(branch, name)
    coefficients = branch.ring.coefficients(polynomial, variable)
    if len(coefficients) != 2 or not is_constant(coefficients[1]) or signs & NEGATIVE:
        raise Refused(f"the fact {name!r} is no bound of {branch.ring.names[variable]}")
    slope = int(coefficients[1].leading_coefficient())
    return slope, coefficients[0] * (-1 if slope > 0 else 1), signs == POSITIVE


def contradicts(branch: Branch, certificate: Sum) -> bool:
    """Products of facts that are ≥ 0, of squares and of polynomials with coefficients > 0 in variables ≥ 0, and
    multiples of equations, add up to a polynomial with coefficients < 0 in variables ≥ 0. So a sum that is ≥ 0 is ≤ 0,
    and that cannot be if one product is > 0, or one monomial of the sum is < 0.
    """
    ring = branch.ring
    total, strict = ring.zero, False
    for product in certificate.products:
        value = ring.polynomial(product.multiplier)
        if any(c < 0 for c in value.coeffs()):
            raise Refused("a multiplier of facts has a negative coefficient")
        positive = _nonnegative(branch, value)
        for name in product.facts:
            factor, signs = fact(branch, name)
            if signs & NEGATIVE:
                raise Refused(f"nothing says that {name!r} is not negative")
            positive &= signs == POSITIVE
            value = ring.times(value, factor)
        for square in map(ring.polynomial, product.squares):
            positive = False
            value = ring.times(value, ring.times(square, square))
        total += value
        strict |= positive
    for multiple in certificate.multiples:
        total += ring.times(ring.polynomial(multiple.multiplier), equation(branch, multiple.equation))
    total, _ = branch.remainder(total)
    if any(c > 0 for c in total.coeffs()):
        return False
    return _nonnegative(branch, total) or strict


def _nonnegative(branch: Branch, polynomial: fmpz_mpoly) -> bool:
    """Whether some monomial is known to be positive; raises :class:`Refused` where not all are known to be ≥ 0."""
    branch.ring.spend(CALL + len(branch.ring.names) * (1 + len(polynomial)))
    signs = branch.variable_signs()
    if any(degree > 0 and signs[k] & NEGATIVE for k, degree in enumerate(polynomial.degrees())):
        raise Refused("a variable of a monomial is not known to be ≥ 0")
    return any(all(not e or signs[k] == POSITIVE for k, e in enumerate(m)) for m in polynomial.monoms())
