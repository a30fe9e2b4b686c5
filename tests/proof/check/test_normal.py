"""The normal form on python-flint: true identities of every kind vanish, near misses do not, and nothing that vanishes
is shown by balls to differ from 0.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
from written_terms import (
    W,
    cases,
    cosh,
    delta,
    entry,
    exp,
    greatest,
    least,
    log,
    magnitude,
    of,
    product,
    reals,
    sign,
    sinh,
    sqrt,
    tanh,
    total,
    variable,
    wholes,
)

from grpo_symbolic.proof.check.normal import NormalForm
from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import FamilyTerms
from grpo_symbolic.proof.statements.evaluate import holds_at, value_at
from grpo_symbolic.terms import language as la
from grpo_symbolic.terms.definedness import conditions
from grpo_symbolic.terms.derivatives import expanded
from grpo_symbolic.terms.language import Compare, Formula, Sort, Term, Variable

half = Fraction(1, 2)
x, y, z, a, b, p, q, u, v = reals("x y z a b p q u v")
n, m, o, k = wholes("n m o k")
DOMAIN = (y > 0, z > 0, 0 < p, p < 1, 0 < q, q < p, b > 0, n >= 1, k >= 0)
FAMILIES = {
    "pi": FamilyTerms(n.term, True, la.ONE),
    "w": FamilyTerms(n.term, True, None),
    "r": FamilyTerms(n.term, False, None),
}


def form(*also: Formula, proves=lambda formula: False) -> NormalForm:  # type: ignore[no-untyped-def]
    return NormalForm(proves, FAMILIES, (*DOMAIN, *also))


def vanishes(difference: W | Term, *also: Formula) -> bool:
    return form(*also).vanishes(difference.term if isinstance(difference, W) else difference)


TRUE: dict[str, W] = {
    "a quotient": (x**2 - y**2) / (x + y) - (x - y),
    "a denominator that cancels": 1 / x - 1 / x,
    "a rational constant": x / 3 + x / 6 - x / 2,
    "a root of a square": sqrt(x**2) - magnitude(x),
    "a root of a positive square": sqrt(y**2) - y,
    "roots of factors": sqrt(y * z) - sqrt(y) * sqrt(z),
    "a root of a product of one unknown sign": sqrt(y * x) - sqrt(y) * sqrt(x),
    "roots of numbers": sqrt(12) - 2 * sqrt(3),
    "roots of one number": sqrt(2) * sqrt(8) - 4,
    "a root under a bar": 1 / sqrt(y) - sqrt(y) / y,
    "a root of a quotient": sqrt((1 - p) / p) - (1 - p) / sqrt(p * (1 - p)),
    "roots of two degrees": y ** Fraction(1, 2) * y ** Fraction(1, 3) - y ** Fraction(5, 6),
    "a root within a root": sqrt(sqrt(y)) - y ** Fraction(1, 4),
    "a conjugate": (y - z) / (sqrt(y) - sqrt(z)) - (sqrt(y) + sqrt(z)),
    "exp of a sum": exp(x + y) - exp(x) * exp(y),
    "exp of multiples": exp(2 * x / 3) * exp(x / 3) - exp(x),
    "exp of a quotient": exp((x + y) / b) - exp(x / b) * exp(y / b),
    "exp of a proper fraction": exp(y / (1 + y)) * exp(1 / (1 + y)) - exp(1),
    "exp of log": exp(log(x)) - x,
    "exp of halves of log": exp(log(y) / 2) - sqrt(y),
    "exp of a log with a factor": exp(b * log(y * z)) - exp(b * log(y)) * exp(b * log(z)),
    "log of exp": log(exp(x) * y) - x - log(y),
    "log of a product": log(y * z / p) - log(y) - log(z) + log(p),
    "log of a power": log(x**2) - 2 * log(magnitude(x)),
    "log of a number": log(12) - 2 * log(2) - log(3),
    "log of a root": log(sqrt(y)) - log(y) / 2,
    "logs of one": log((1 + sqrt(y + 1)) * (sqrt(y + 1) - 1)) - log(y),
    "log of odds": log(p / (1 - p)) - log(p) + log(1 - p),
    "a power with a term": y ** (x + 1) - y * y**x,
    "a power of a power": (y**x) ** 2 - y ** (2 * x),
    "the hyperbola": cosh(x) ** 2 - sinh(x) ** 2 - 1,
    "tanh by exp": tanh(x) - (exp(2 * x) - 1) / (exp(2 * x) + 1),
    "|x| and sign": x * sign(x) - magnitude(x),
    "|x|² ": magnitude(x) ** 2 - x**2,
    "|xy|": magnitude(x * a) - magnitude(x) * magnitude(a),
    "max and |·|": greatest(x, a) - (x + a + magnitude(x - a)) / 2,
    "max and min": greatest(x, a) + least(x, a) - x - a,
    "max of the domain": greatest(p, q) - p,
    "cases by the domain": cases((q < p, x), default=a) - x,
    "cases by cases": cases((x < 0, -x), default=x) - magnitude(x),
    "cases that agree": cases((x < a, y), default=y) - y,
    "the sum of a simplex": total(1, n, lambda j: entry("pi", j)) - 1,
    "a constant summand": total(1, n, lambda j: x) - n * x,
    "linear in the summand": total(1, n, lambda j: 2 * entry("r", j) + x * entry("w", j))
    - 2 * total(1, n, lambda j: entry("r", j))
    - x * total(1, n, lambda j: entry("w", j)),
    "a centred sum": total(1, n, lambda j: entry("r", j) - total(1, n, lambda i: entry("r", i)) / n),
    "the variance of a policy": total(
        1, n, lambda j: entry("pi", j) * (entry("r", j) - total(1, n, lambda i: entry("pi", i) * entry("r", i))) ** 2
    )
    - total(1, n, lambda j: entry("pi", j) * entry("r", j) ** 2)
    + total(1, n, lambda j: entry("pi", j) * entry("r", j)) ** 2,
    "a delta at an index": total(1, n, lambda j: delta(j, o) * entry("r", j)) - entry("r", o),
    "a delta of two indices": total(1, n, lambda i: total(1, n, lambda j: delta(i, j) * entry("r", j) * entry("pi", i)))
    - total(1, n, lambda j: entry("r", j) * entry("pi", j)),
    "a delta past the end": total(1, n, lambda j: delta(j, n + 1)),
    "one term": total(o, o, lambda j: entry("r", j)) - entry("r", o),
    "no term": total(1, 0, lambda j: entry("r", j)),
    "two terms": total(2, 3, lambda j: x**2 * j) - 5 * x**2,
    "the last term": total(1, n + 1, lambda j: 1 / (j + x)) - total(1, n, lambda j: 1 / (j + x)) - 1 / (n + 1 + x),
    "another start": total(0, n - 1, lambda j: entry("r", j + 1)) - total(1, n, lambda j: entry("r", j)),
    "a product of constants": product(1, n, lambda j: y) - y**n,
    "a product of positive factors": product(1, n, lambda j: y * entry("w", j))
    - y**n * product(1, n, lambda j: entry("w", j)),
    "log of a product over an index": log(product(1, n, lambda j: entry("w", j)))
    - total(1, n, lambda j: log(entry("w", j))),
    "exp of a sum over an index": exp(total(1, n, lambda j: entry("r", j) + log(entry("w", j))))
    - exp(total(1, n, lambda j: entry("r", j))) * product(1, n, lambda j: entry("w", j)),
    "a whole power": x ** (k + 1) - x * x**k,
    "a derivative": W(la.Derivative((x**3 * exp(2 * x)).term, variable(x), 1)) - (3 * x**2 + 2 * x**3) * exp(2 * x),
    "a derivative along an entry": W(
        la.Derivative(total(1, n, lambda j: entry("r", j) ** 2).term, la.Entry("r", o.term), 1)
    )
    - 2 * entry("r", o),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_identity_vanishes(name: str) -> None:
    assert vanishes(TRUE[name])


NEAR: dict[str, W] = {
    "a sign": (x**2 - y**2) / (x + y) - (x + y),
    "a root of a square": sqrt(x**2) - x,
    "the other root": sqrt(x**2) + x,
    "a root that is negative": sqrt((p - 1) ** 2) - (p - 1),
    "roots of factors": sqrt(x * a) + sqrt(x) * sqrt(a),
    "roots of numbers": sqrt(12) - 3 * sqrt(2),
    "roots of two degrees": y ** Fraction(1, 2) * y ** Fraction(1, 3) - y ** Fraction(2, 3),
    "exp of a product": exp(x * y) - exp(x) * exp(y),
    "exp of half": exp(x) ** 2 - exp(x / 2),
    "log of a sum": log(y + z) - log(y) - log(z),
    "log of a power": log(x**2) - 2 * log(magnitude(x)) - log(2),
    "log of |x|": log(magnitude(x)) - log(magnitude(x + 1)),
    "logs of one": log((1 + sqrt(y + 1)) * (sqrt(y + 1) - 1)) - log(2 * y),
    "the circle": cosh(x) ** 2 + sinh(x) ** 2 - 1,
    "|x|": magnitude(x) - x,
    "sign": sign(x) - 1,
    "sign and 0": sign(x) ** 2 - 1,
    "|x + a|": magnitude(x + a) - magnitude(x) - magnitude(a),
    "max": greatest(x, a) - x,
    "min of the domain": least(p, q) - p,
    "cases": cases((x < a, x), default=a) - x,
    "cases at their border": cases((x <= 0, 1), default=0) - cases((x < 0, 1), default=0),
    "cases in another order": cases((x < 1, 1), (x < 2, 2), default=3) - cases((x < 2, 2), (x < 1, 1), default=3),
    "a sum that is no simplex": total(1, n, lambda j: entry("w", j)) - 1,
    "a part of a simplex": total(1, n - 1, lambda j: entry("pi", j)) - 1,
    "the number of terms": total(0, n, lambda j: x) - n * x,
    "squares": total(1, n, lambda j: entry("r", j) ** 2) - total(1, n, lambda j: entry("r", j)) ** 2,
    "an index taken out": total(1, n, lambda j: j * x) - n * x,
    "a captured index": total(1, n, lambda i: total(1, n, lambda j: entry("r", i) * entry("w", j)))
    - total(1, n, lambda j: n * entry("r", j) * entry("w", j)),
    "a delta that may be outside": total(1, n, lambda j: delta(j, m) * x) - x,
    "a delta outside": total(1, n, lambda j: delta(j, n + 1)) - 1,
    "a delta at the end of a shorter sum": total(1, n - 1, lambda j: delta(j, n) * x) - x,
    "a delta of another entry": total(1, n, lambda j: delta(j, o) * entry("r", j)) - entry("r", 1),
    "one term of two": total(o, o + 1, lambda j: x) - x,
    "the wrong last term": total(1, n + 1, lambda j: 1 / (j + x)) - total(1, n, lambda j: 1 / (j + x)) - 1 / (n + x),
    "another start": total(0, n - 1, lambda j: entry("r", j + 1)) - total(1, n, lambda j: entry("w", j)),
    "a product of constants": product(1, n, lambda j: y) - y * n,
    "a product and its sign": product(1, n, lambda j: -y) - y**n,
    "log of a product": log(product(1, n, lambda j: entry("w", j))) - total(1, n, lambda j: entry("w", j)),
    "a power of the base": y ** (x + 1) - x * y**x,
    "a power at 0": x**k * x - x ** (k + 2),
    "a derivative along an entry": W(
        la.Derivative(total(1, n, lambda j: entry("r", j) ** 2).term, la.Entry("r", o.term), 1)
    )
    - 2,
}


@pytest.mark.parametrize("name", NEAR)
def test_a_near_miss_does_not_vanish(name: str) -> None:
    assert not vanishes(NEAR[name])


@pytest.mark.parametrize("name", NEAR)
def test_balls_show_that_a_near_miss_is_false(name: str) -> None:
    rng = random.Random(name)
    points = [_point(rng) for _ in range(60)]
    assert any(_differs(NEAR[name].term, point) for point in points)


def test_a_root_and_a_log_split_only_where_the_signs_are_known() -> None:
    apart = sqrt(x * a) - sqrt(x) * sqrt(a)  # undefined together, yet equal wherever both sides are defined
    assert vanishes(apart)
    negative = sqrt(x * a) - sqrt(-x) * sqrt(-a)
    assert vanishes(negative)
    assert not vanishes(sqrt(x * a) - sqrt(magnitude(x)) * sqrt(magnitude(a)) * 2)
    assert not vanishes(log(x * a) - 2 * log(magnitude(x)))


def test_a_root_of_a_product_that_vanishes_is_not_split() -> None:
    """``√(x²·a)`` is 0 at x = 0 whatever a is, where ``|x|·√a`` has no value: the sign of a is not forced."""
    assert not vanishes(sqrt(x**2 * a) - magnitude(x) * sqrt(magnitude(a)))
    assert vanishes(sqrt(x**2 * a) - magnitude(x) * sqrt(a))


def test_equations_of_the_domain_are_used() -> None:
    assert vanishes(x**2 - (1 - a) ** 2, x.equals(1 - a))
    assert vanishes(x + a - 1, (2 * x + 2 * a).equals(2))
    assert vanishes(x * a - a, x.equals(a), a.equals(1))
    assert not vanishes(x**2 - (1 + a) ** 2, x.equals(1 - a))


def test_two_inequalities_are_an_equation() -> None:
    assert vanishes(x - a, x <= a, a <= x)
    assert not vanishes(x - a, x <= a)


def test_polynomial_equations_are_used() -> None:
    assert vanishes(x**4 - x**2, (x**2).equals(x))
    assert vanishes(magnitude(x) ** 2 + a**2 - 1, (x**2 + a**2).equals(1))
    assert not vanishes(x**4 - x**3 - 1, (x**2).equals(x))


def test_a_circle_of_equations_ends() -> None:
    assert vanishes(x - a, x.equals(a), a.equals(x))
    assert not vanishes(x - 1, x.equals(a), a.equals(x))


def test_an_index_that_an_equation_fixes() -> None:
    assert vanishes(total(1, m, lambda j: x) - 3 * x, m.equals(3))
    assert not vanishes(total(1, m, lambda j: x) - 2 * x, m.equals(3))


def test_the_oracle_is_asked_for_a_sign_that_coefficients_do_not_show() -> None:
    asked: list[Formula] = []

    def oracle(formula: Formula) -> bool:
        asked.append(formula)
        return isinstance(formula, Compare) and holds_at(formula, {variable(x): Fraction(3)}, ARB) is True

    inside = x**2 - 2 * x + 2
    assert form(proves=oracle).vanishes((sqrt(inside**2) - inside).term)
    assert asked
    assert not form().vanishes((sqrt((x - 1) ** 2) - (x - 1)).term)


def test_an_oracle_is_not_asked_what_is_known() -> None:
    def oracle(formula: Formula) -> bool:
        raise AssertionError(formula)

    known = form(proves=oracle)
    assert known.vanishes((magnitude(p * (1 - p) * y) - p * y + p**2 * y).term)
    assert known.vanishes((sqrt((1 - q) ** 2 * exp(x)) - (1 - q) * exp(x / 2)).term)
    assert known.vanishes((magnitude(p - q) - p + q).term)
    assert known.vanishes(
        (magnitude(total(1, n, lambda j: entry("w", j) ** 2)) - total(1, n, lambda j: entry("w", j) ** 2)).term
    )


def test_an_empty_sum_is_not_positive() -> None:
    squares = total(1, k, lambda j: y)
    assert not vanishes(sign(squares) - 1)
    assert vanishes(sign(total(1, n, lambda j: y)) - 1)


def test_what_is_too_large_is_left() -> None:
    names = reals(" ".join(f"x{i}" for i in range(12)))
    power = sum(names, W(la.ZERO)) ** 30
    assert not vanishes(power - power * (x - x + 1) - 1)


def test_signs_and_formulas() -> None:
    known = form()
    assert known.signs((p * (1 - p)).term) == {1}
    assert known.signs((x**2).term) == {0, 1}
    assert known.signs((x**2 + 1).term) == {1}
    assert known.signs((x - a).term) == {-1, 0, 1}
    assert known.signs(log(p).term) == {-1}
    assert known.holds(Compare("<", of(0), (1 - p * q).term))
    assert not known.holds(Compare("<", of(0), (1 - x * q).term))


# -- against balls ----------------------------------------------------------------------------------------------------


def _point(rng: random.Random) -> dict[object, object]:
    size = rng.choice([1, 1, 2, 3])
    weights = [Fraction(rng.randint(1, 9)) for _ in range(size)]
    high = Fraction(rng.randint(2, 9), 10)
    return {
        **{variable(w): Fraction(rng.randint(-6, 6), rng.choice([1, 2, 3])) for w in (x, a, u, v)},
        **{variable(w): Fraction(rng.randint(1, 9), rng.choice([1, 2, 5])) for w in (y, z, b)},
        variable(p): high,
        variable(q): high * Fraction(rng.randint(1, 9), 10),
        variable(n): Fraction(size),
        variable(m): Fraction(rng.randint(-1, 4)),
        variable(o): Fraction(rng.randint(1, size)),
        variable(k): Fraction(rng.randint(0, 3)),
        "pi": [w / sum(weights) for w in weights],
        "w": [Fraction(rng.randint(1, 9), 2) for _ in range(size)],
        "r": [Fraction(rng.randint(-3, 3)) for _ in range(size)],
    }


def _differs(term: Term, point: dict[object, object]) -> bool:
    """Whether balls show a term to be defined and not 0."""
    sizes = {name: family.size for name, family in FAMILIES.items()}
    try:
        value = value_at(term, point, ARB)
        return not value.contains(0) and all(_meets(c, point) for c in conditions(term, sizes))
    except (Undefined, Unsupported):
        return False


def _meets(condition, point) -> bool:  # type: ignore[no-untyped-def]
    for values in itertools.product(range(-1, 6), repeat=len(condition.bound)):
        at = {**point, **dict(zip(condition.bound, map(Fraction, values), strict=True))}
        given = all(holds_at(g, at, ARB) is True for g in condition.given)
        if given and holds_at(condition.needed, at, ARB) is not True:
            return False
    return True


class _Random:
    """Random terms, and random rewritings of them, right and wrong."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def term(self, depth: int, indices: tuple[W, ...] = ()) -> W:
        rng = self.rng
        if depth <= 0:
            return self.leaf(indices)

        def part() -> W:
            return self.term(depth - 1 - rng.randrange(2), indices)

        match rng.randrange(12):
            case 0 | 1:
                return part() + part()
            case 2 | 3:
                return part() * part()
            case 4:
                return part() ** rng.choice([2, -1, 3, -2])
            case 5:
                return part() ** Fraction(rng.choice([1, -1, 3]), rng.choice([2, 3]))
            case 6:
                return rng.choice([log, exp])(part())
            case 7:
                return rng.choice([magnitude, sign, tanh, cosh])(part())
            case 8:
                return rng.choice([greatest, least])(part(), part())
            case 9:
                return cases((Compare(rng.choice(["<", "<=", "=="]), of(part()), of(part())), part()), default=part())
            case 10:
                return part() ** rng.choice([k, x, k + 1])
        low, high = rng.choice([1, 1, 2, 0]), rng.choice([n, n, n + 1, W(la.number(2)), n - 1])
        return total(low, high, lambda j: self.term(depth - 1, (*indices, j)), product=rng.random() < 0.25)

    def leaf(self, indices: tuple[W, ...]) -> W:
        rng = self.rng
        if indices and rng.random() < 0.6:
            j = rng.choice(indices)
            return rng.choice([entry("pi", j), entry("r", j), entry("w", j), delta(j, rng.choice([o, m, *indices])), j])
        constants = [W(la.number(c)) for c in (-1, 2, half, 0, 4)]
        return rng.choice([x, y, p, x, a, rng.choice(constants)])

    def rewritten(self, term: Term) -> Term:
        parts = [part for part in term.parts if isinstance(part, Term) and not part.loose]
        self.rng.shuffle(parts)
        for part in parts:
            choices = self.instead(part)
            if choices:
                return la.substitute(term, {part: of(self.rng.choice(choices))})
        return term

    def instead(self, part: Term) -> list[W]:
        """What is equal to a part, or looks so."""
        match part:
            case la.Power(la.Power(base, e), f):
                return [W(la.Power(base, e * f))]
            case la.Power(la.Multiply((s, t)), e):
                return [W(la.Power(s, e)) * W(la.Power(t, e))]
            case la.Function("log", la.Multiply((s, t))):
                return [log(W(s)) + log(W(t))]
            case la.Function("log", la.Power(s, e)):
                return [e * log(W(s))]
            case la.Function("exp", la.Add((s, t))):
                return [exp(W(s)) * exp(W(t))]
            case la.Function("exp" | "log", la.Function("exp" | "log", s)):
                return [W(s)]
            case la.Function("abs", s):
                return [W(s), W(s) * sign(W(s)), sqrt(W(s) ** 2), greatest(W(s), -W(s))]
            case la.Function("sign", s):
                return [W(s) / magnitude(W(s)), W(la.ONE)]
            case la.Extremum(_, (s, t)):
                return [W(s), W(t), W(la.Extremum(part.greatest, (t, s)))]
            case la.Cases(((condition, s),), t):
                return [W(s), W(t), cases((la.Not(condition), W(t)), default=W(s))]
            case la.Multiply((la.Add((s, t)), w)):
                return [W(s) * W(w) + W(t) * W(w)]
            case la.GeneralPower(s, la.Add((t, w))):
                return [W(la.GeneralPower(s, t)) * W(la.GeneralPower(s, w))]
            case la.Total():
                return self.instead_of_total(part)
        return []

    def instead_of_total(self, part: la.Total) -> list[W]:
        j = Variable("free", Sort.whole)
        body, many, low, high = la.opened(part, j), part.product, W(part.low), W(part.high)

        def over(inside: Term, last: W = high) -> W:
            return W(la.total(many, low.term, last.term, j, inside))

        end, shorter = W(la.opened(part, part.high)), over(body, high - 1)
        found = [
            shorter * end if many else shorter + end,
            W(la.Total(many, (low + 1).term, part.high, part.number, part.body)),
        ]
        if many:
            found.append(exp(W(la.total(False, low.term, high.term, j, log(W(body)).term))))
        match body:
            case la.Add((s, t)) if not many:
                found.append(over(s) + over(t))
            case la.Multiply((s, t)):
                found.append(
                    over(s) * over(t) if many else W(s) * over(t) if j not in s.variables else over(s) * over(t)
                )
            case la.Delta(s, t) if not many:
                found.append(W(la.ONE))
        return [w for w in found if j not in w.term.variables]


@pytest.mark.parametrize("seed", range(10))
def test_nothing_that_vanishes_is_shown_to_differ_from_0(seed: int) -> None:
    made, known = _Random(seed), form()
    vanished = 0
    for _ in range(40):
        first = made.term(made.rng.randint(1, 3)).term
        second = made.rewritten(first)
        difference = la.subtract(first, second)
        if second is first or not known.vanishes(difference):
            continue
        vanished += 1
        for _ in range(12):
            assert not _differs(difference, _point(made.rng)), difference
    assert vanished


def test_a_derivative_under_a_sum_is_carried_out() -> None:
    x, i = Variable("x", Sort.real), Variable("i", Sort.whole)
    body = la.Derivative(la.Multiply((i, la.GeneralPower(x, i))), x, 1)
    slopes = expanded(la.total(False, la.ONE, la.number(3), i, body))
    point = {x: Fraction(2)}
    assert not slopes.has(la.Derivative)
    assert value_at(slopes, point, ARB).contains(1 + 4 * 2 + 9 * 4)


@pytest.mark.parametrize("seed", range(10))
def test_a_canonical_term_is_the_same_number(seed: int) -> None:
    made, known = _Random(seed), form()
    changed = 0
    for _ in range(60):
        term = made.term(made.rng.randint(1, 3)).term
        again = known.canonical(term)
        changed += again is not term
        for _ in range(8 if again is not term else 0):
            assert not _differs(la.subtract(term, again), _point(made.rng)), term
    assert changed


def test_a_divisor_stays_in_a_sum_that_may_be_empty() -> None:
    assert vanishes(total(1, n, lambda j: 1 / x) * x - n)
    assert not vanishes(total(1, n - 1, lambda j: 1 / (n - 1)) - 1)
    assert vanishes(total(1, n - 1, lambda j: 1 / y) - (n - 1) / y)


def test_an_absolute_value_keeps_the_number_before_it() -> None:
    shifted = x - half
    assert vanishes(sqrt(shifted**2) - magnitude(shifted))
    assert vanishes(2 * magnitude(shifted) - magnitude(2 * x - 1))
    assert not vanishes(sqrt(y / shifted) - sqrt(y * shifted) / (2 * magnitude(shifted)), y * shifted > 0)
