"""Expectations over the number of successes among independent draws, for any number of draws.

The expectation of c(K), where K of N draws succeed and each does with chance x, is a Bernstein polynomial of x: a sum
of SymPy over the numbers k of successes, which :func:`binomial_mean` writes and the rules recognise. What its
coefficients c(0), …, c(N) are, bounded or monotone or concave, it is, and at x = 0 and 1 it is the first and the last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import (
    Interval,
    Natural,
    Needs,
    Schema,
    a,
    b,
    c,
    f,
    k,
    mu,
    n,
    nu,
    o,
    p,
    phi,
    psi,
    q,
    r,
    s,
    u,
    v,
    w,
    x,
    z,
)
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase, Tends
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms.relations import ORDER, STRICT


def binomial_mean(term: sp.Expr, count: sp.Symbol, size: sp.Expr, chance: sp.Expr) -> sp.Sum:
    """The expectation of ``term``, a function of the number ``count`` of successes among ``size`` independent draws,
    each of which succeeds with ``chance``.

    >>> from sympy import symbols
    >>> k, N = symbols("k N", integer=True)
    >>> x = symbols("x", real=True)
    >>> binomial_mean(k, k, N, x).limits
    ((k, 0, N),)
    """
    chances = sp.binomial(size, count) * chance**count * (1 - chance) ** (size - count)
    return sp.Sum(chances * term, (count, 0, size))


class Mean(NamedTuple):
    """A factor, and the parts of a sum that :func:`binomial_mean` writes."""

    factor: sp.Expr
    term: sp.Expr
    count: sp.Symbol
    size: sp.Expr
    chance: sp.Expr


def _mean(factor: sp.Expr, total: sp.Sum) -> Mean:
    """Raises :class:`ClaimError` for a sum that is no expectation over a number of successes."""
    if len(total.limits) == 1:
        ((count, low, size),) = total.limits
        factors = list(sp.Mul.make_args(total.function))
        bases = [f.base for f in factors if isinstance(f, sp.Pow) and f.exp == count]
        for chance in bases:
            known = [sp.binomial(size, count), chance**count, (1 - chance) ** (size - count)]
            if low == 0 and all(k in factors for k in known) and not (chance.has(count) or size.has(count)):
                term = sp.Mul(*(f for f in factors if f not in known))
                return Mean(factor, term, count, size, chance)
    raise ClaimError(f"{total} is no expectation over a number of successes")


def split(expression: sp.Expr) -> tuple[sp.Expr, tuple[Mean, ...]]:
    """What is added to expectations over one number of draws, and these, each with its factor.

    Raises :class:`ClaimError` where they are not over the same draws, or there is none.
    """
    rest, means = sp.S.Zero, []
    for part in sp.Add.make_args(sp.sympify(expression)):
        factors = sp.Mul.make_args(part)
        sums = [f for f in factors if isinstance(f, sp.Sum)]
        if len(sums) == 1:
            means.append(_mean(sp.Mul(*(f for f in factors if f is not sums[0])), sums[0]))
        elif part.has(sp.Sum):
            raise ClaimError(f"{part} is no expectation over a number of successes with a factor")
        else:
            rest += part
    if not means or len({(m.size, m.chance) for m in means}) > 1:
        raise ClaimError(f"{expression} has no expectations, or some over different numbers of draws")
    count = means[0].count
    if any(m.factor.has(count) for m in means):
        raise ClaimError(f"a factor of {expression} speaks of {count}, which numbers the successes")
    return rest, tuple(m._replace(term=_renumbered(m, count, count), count=count) for m in means)


def _renumbered(mean: Mean, count: sp.Symbol, number: sp.Expr) -> sp.Expr:
    """The term of an expectation at a number in which ``count`` is the number of successes.

    Raises :class:`ClaimError` where this letter stands for another number in the term.
    """
    if count != mean.count and count in mean.term.free_symbols:
        raise ClaimError(f"{mean.term} speaks of {count}, which numbers the successes")
    return substituted(mean.term, {mean.count: number})


def _combined(means: tuple[Mean, ...]) -> sp.Expr:
    """The coefficients of the combination, by the number of successes."""
    return sp.Add(*(m.factor * m.term for m in means))


def falling_factorials(polynomial: sp.Expr, count: sp.Symbol) -> list[sp.Expr]:
    """The coefficients of a polynomial in the products k(k − 1)…(k − j + 1), j = 0, 1, ….

    >>> from sympy import Symbol
    >>> k = Symbol("k", integer=True)
    >>> falling_factorials(k**2, k)
    [0, 1, 1]
    """
    left, coefficients = sp.Poly(polynomial, count), []
    for j in range(left.degree() + 1 if not left.is_zero else 1):
        left, remainder = sp.div(left, sp.Poly(count - j, count))
        coefficients.append(remainder.as_expr())
    return coefficients


# -- schemas ----------------------------------------------------------------------------------------------------------

_MEAN = binomial_mean(phi(z), z, n, x)  # along the chance
_AT = binomial_mean(phi(z), z, n, r)  # at one
_DRAWS = Needs(Natural(), label="a number of draws")
_A_CHANCE = Always((x >= 0) & (x <= 1))
_SHAPES = {1: phi(z + 1) - phi(z), 2: phi(z + 2) - 2 * phi(z + 1) + phi(z)}  # differences of the coefficients


def _by_differences(shape: Monotone | Curved) -> Schema:
    """A shape from the sign of these differences."""
    called = "increasing" if shape.order == 1 else "convex"
    line = a if shape.order == 1 else a + b * x
    enough = (Needs(Always(n >= shape.order), label="there are coefficients to compare"),) if shape.strict else ()
    numbers = f"n 1 ({shape.direction}) {'a' if shape.order == 1 else 'a b'} (fun _ => 1) (fun _ z => phi z)"
    return Schema(
        f"Binomials.binomial_mean_{'strictly_' if shape.strict else ''}{called}_if_coefficients_are",
        shape,
        (
            *((Needs(Interval()),) if shape.order == 2 else ()),
            _DRAWS,
            Needs(_A_CHANCE, inside=True, label="it is a chance"),
            Needs(Equal(f(x), line + _MEAN), inside=True, label="an expectation"),
            *enough,
            Needs(
                Always(shape.relation(_SHAPES[shape.order])),
                (z + shape.order <= n,),
                by="using",
                label="the coefficients",
            ),
        ),
        given={"term": phi(z), "count": z, "size": n, "start": a, **({} if shape.order == 1 else {"slope": b})},
        proof=f"intros; by_differences (@{{theorem}} {numbers}) I; "
        f"{'increasing_inside' if shape.order == 1 else 'convex_inside'} I",
    )


def _along(body: Scalar, along: sp.Symbol) -> Mapping[str, Any]:
    """The parts of a line and an expectation over a number of successes, by their names.

    Raises :class:`ClaimError` for anything else.
    """
    rest, means = split(body)
    if any(mean.chance != along or mean.factor.has(along) or mean.term.has(along) for mean in means):
        raise ClaimError(f"{body} is no Bernstein polynomial of {along}")
    slope, start = sp.expand(sp.diff(rest, along)), rest.subs(along, 0)
    return {**_drawn(means[0]), "term": _combined(means), "start": start, "slope": slope}


def _drawn(mean: Mean) -> Mapping[str, Any]:
    """What is drawn, how often, and what is averaged."""
    return {"term": mean.term, "count": mean.count, "size": mean.size, "chance": mean.chance}


@dataclass(frozen=True, eq=False)
class ByDifferences(Schematic["Monotone | Curved"]):
    """A Bernstein polynomial increases if its coefficients do, and is convex if their second differences are not
    negative; strictly so if all of them are positive. A convex one may have a line added.

    ``using`` is for the differences.
    """

    using: Using = ()
    schemas = tuple(
        _by_differences(kind(f(x), x, direction, strict))
        for kind in (Monotone, Curved)
        for direction in (1, -1)
        for strict in (True, False)
    )

    def proposed(self, conclusion: Monotone | Curved) -> Mapping[str, Any]:
        return _along(conclusion.body, conclusion.variable)


@dataclass(frozen=True, eq=False)
class AtAnEnd(Schematic["Tends"]):
    """A Bernstein polynomial with a line added tends, as the chance tends to 0 or 1, to its value there, which the
    first or the last coefficient gives.
    """

    schemas = tuple(
        Schema(
            f"Binomials.limit_of_binomial_mean_at_{end}",
            Tends(f(x), x, sp.Integer(end), v, side),
            (
                _DRAWS,
                Needs(Equal(f(x), a + b * x + _MEAN), (x > 0, x < 1), label="an expectation"),
                Needs(Equal(value, v), label="its value there"),
            ),
            given={"term": phi(z), "count": z, "size": n, "start": a, "slope": b},
            proof="intros; at_an_end (@{theorem} n 1 a b v (fun _ => 1) (fun _ z => phi z))",
        )
        for end, side, value in ((0, "+", a + phi(0)), (1, "-", a + b + phi(n)))
    )

    def proposed(self, conclusion: Tends) -> Mapping[str, Any]:
        return _along(conclusion.body, conclusion.variable)


_DEGREE = 4


def _polynomial(parts: list[sp.Expr]) -> sp.Expr:
    """A polynomial of this degree at most, from the products k(k − 1)…(k − j + 1)."""
    return sp.Add(*(coefficient * part for coefficient, part in zip((a, b, c, k, u), parts, strict=True)))


def _products(count: sp.Expr) -> list[sp.Expr]:
    return [sp.ff(count, j).expand(func=True) for j in range(_DEGREE + 1)]


_BESIDE = binomial_mean(psi(z), z, n, r)
_EXPECTED, _OF_COUNT = mu * _AT + nu * _BESIDE, mu * phi(z) + nu * psi(z)
_COMPARED = _polynomial(_products(z))
_WRITTEN = Needs(Equal(w(z), _COMPARED), label="in factorial moments")
_MOMENTS = s + _polynomial([part * r**j for j, part in enumerate(_products(n))])
_NUMBERS = (
    "2 5{1} (fun j => match j with O => {0}mu | _ => {0}nu end) "
    "(fun j => match j with O => fun z => phi z | _ => fun z => psi z end) "
    "(fun j => match j with O => {0}a | 1 => {0}b | 2 => {0}c | 3 => {0}k | _ => {0}u end) r"
)
_GIVEN = {
    "polynomial": w(z),
    "terms": (phi(z), psi(z)),
    "factors": (mu, nu),
    "count": z,
    "size": n,
    "chance": r,
    "rest": s,
    "coefficients": (a, b, c, k, u),
}


def _against(relation: sp.Rel) -> Schema:
    """An inequality between ``p``, the smaller side, and ``q``."""
    strict = isinstance(relation, STRICT)
    chance = (r > 0) & (r < 1) if strict else (r >= 0) & (r <= 1)
    somewhere = (
        Needs(Always((o >= 0) & (o <= n)), label="it is a number of successes"),
        Needs(Always(_OF_COUNT.xreplace({z: o}) > w(o)), by="there", label="strictly there"),
    )
    return Schema(
        f"Binomials.binomial_mean_{'below' if strict else 'at_most'}_that_of_a_polynomial",
        Always(relation),
        (
            _DRAWS,
            Needs(Equal(q - p, s + _EXPECTED), label="an expectation"),
            Needs(Always(chance), label="it is a chance"),
            _WRITTEN,
            Needs(Always(_OF_COUNT >= w(z)), by="using", label="the coefficients"),
            *(somewhere if strict else ()),
            Needs(Always(_MOMENTS >= 0), by="ends", label="the expectation"),
        ),
        given={**_GIVEN, **({"somewhere": o} if strict else {})},
        proof=f"intros; apply (@{{theorem}} n {_NUMBERS.format('- ', ' o' if strict else '')} (- s) p q); "
        "of_polynomial",
    )


@dataclass(frozen=True, eq=False)
class AgainstPolynomial(Schematic["Equal | Always"]):
    """Coefficients that are at most a polynomial in the number of successes make an expectation that is at most that
    of the polynomial, which its factorial moments give: E[K(K − 1)…(K − j + 1)] = N(N − 1)…(N − j + 1) x^j. With a
    constant these are bounds by coefficients, with a line Jensen's inequality at a tangent.

    ``polynomial``, of a degree up to 4, compares with the coefficients of the difference of both sides, larger minus
    smaller; it is below them, and the same where the conclusion is an equation. ``somewhere`` is a number of successes
    at which it is strictly below, for a strict inequality. ``using`` is for the comparison, ``there`` for that number,
    ``ends`` for the expectation.
    """

    polynomial: sp.Expr
    somewhere: Scalar | None = None
    using: Using = ()
    there: Using = ()
    ends: Using = ()
    schemas = (
        Schema(
            "Binomials.binomial_mean_of_a_polynomial",
            Equal(p, q),
            (
                _DRAWS,
                Needs(Equal(p - q, s + _EXPECTED), label="an expectation"),
                _WRITTEN,
                Needs(Always(sp.Eq(_OF_COUNT, w(z), evaluate=False)), by="using", label="the coefficients"),
                Needs(Equal(_MOMENTS, 0), label="the expectation"),
            ),
            given=_GIVEN,
            proof=f"intros; apply (@{{theorem}} n {_NUMBERS.format('', '')} s p q); of_polynomial",
        ),
        *map(_against, (p <= q, q >= p, p < q, q > p)),
    )

    def proposed(self, conclusion: Equal | Always) -> Mapping[str, Any]:
        smaller, larger = _sides(conclusion)
        rest, means = split(sp.sympify(larger) - smaller)
        polynomial = sp.sympify(self.polynomial)
        known = isinstance(polynomial, sp.Expr) and not isinstance(polynomial, sp.IndexedBase)
        known = known and polynomial.is_polynomial(means[0].count)
        moments = falling_factorials(polynomial, means[0].count) if known else []
        if not 0 < len(moments) <= _DEGREE + 1:
            raise ClaimError(f"{self.polynomial} is no polynomial of a degree up to {_DEGREE} in {means[0].count}")
        if len(means) > 2:
            raise ClaimError(f"{conclusion.label}: two expectations are compared, and not {len(means)}")
        coefficients = (*moments, *[sp.S.Zero] * (_DEGREE + 1 - len(moments)))
        terms, factors = (tuple(getattr(mean, name) for mean in means) for name in ("term", "factor"))
        lacking = (sp.S.Zero,) * (2 - len(means))
        compared = {"terms": (*terms, *lacking), "factors": (*factors, *lacking), "coefficients": coefficients}
        return {**_drawn(means[0]), **compared, "rest": rest}


def _sides(conclusion: Equal | Always) -> tuple[Scalar, Scalar]:
    """The smaller side, and the larger one. Raises :class:`ClaimError` for what has none."""
    if isinstance(conclusion, Equal):
        return conclusion.right, conclusion.left
    formula = conclusion.formula
    if not isinstance(formula, ORDER):
        raise ClaimError(f"{formula} is no inequality between two numbers")
    return formula.lts, formula.gts


_MORE = binomial_mean(psi(z), z, n + 1, r)  # over one draw more
_FIRST, _LAST, _BETWEEN = (  # what its coefficients are compared with
    (b * phi(0), psi(0)),
    (a * phi(n), psi(n + 1)),
    (z * a * phi(z - 1) + (n + 1 - z) * b * phi(z), (n + 1) * psi(z)),
)
_BOTH = "(fun z => phi z) (fun z => psi z)"
_PLAIN = {a: sp.S.One, b: sp.S.One}
_OF_BOTH = {"term": phi(z), "count": z, "size": n, "chance": r, "more": psi(z)}


def _one_more(relation: sp.Rel, *strictly: Needs, at: Scalar | None = None) -> Schema:
    """An inequality; a strict one with what shows that it is so at a number of successes."""
    chance = (r > 0) & (r < 1) if strictly else (r >= 0) & (r <= 1)
    first, last, between = (sp.Le(*side, evaluate=False).xreplace(_PLAIN) for side in (_FIRST, _LAST, _BETWEEN))
    return Schema(
        f"Binomials.binomial_mean_{'below' if strictly else 'at_most'}_that_over_one_more_draw",
        Always(relation),
        (
            _DRAWS,
            Needs(Equal(p, _AT), label="an expectation"),
            Needs(Equal(q, _MORE), label="one over one draw more"),
            Needs(Always(chance), label="it is a chance"),
            *(() if at == 0 else (Needs(Always(first), label="no success"),)),
            Needs(Always(last), label="successes only"),
            Needs(Always(between), (z >= 1,), by="using", label="in between"),
            *strictly,
        ),
        given={**_OF_BOTH, "factor": 1, "beside": 1, **({"somewhere": at} if strictly else {})},
        proof=f"intros; subst p q; one_more_draw (@{{theorem}} n {'' if not strictly else f'{at} '}{_BOTH} r)",
    )


@dataclass(frozen=True, eq=False)
class OneMoreDraw(Schematic["Equal | Always"]):
    """An expectation over N draws, by the number of successes among N + 1 of which any one is left out: it is the same
    as an expectation over N + 1 draws, or smaller, if its coefficients are.

    For an equation, ``success`` and ``failure`` are factors that the one that is left out counts with, 1 and 1 where it
    does not count. For a strict inequality, ``somewhere`` is a number of successes, from 0 to N, at which it is strict.
    ``using`` is for the coefficients in between, ``there`` for those at that number.
    """

    success: Scalar = sp.S.One
    failure: Scalar = sp.S.One
    somewhere: Scalar | None = None
    using: Using = ()
    there: Using = ()
    schemas = (
        Schema(
            "Binomials.binomial_mean_with_one_more_draw",
            Equal(p, q),
            (
                _DRAWS,
                Needs(Equal(p, u * _AT), label="an expectation"),
                Needs(Equal(q, v * _MORE), label="one over one draw more"),
                Needs(Equal(u, v * (a * r + b * (1 - r))), label="the factor"),
                Needs(Equal(*_FIRST), label="no success"),
                Needs(Equal(*_LAST), label="successes only"),
                Needs(Always(sp.Eq(*_BETWEEN, evaluate=False)), (z >= 1,), by="using", label="in between"),
            ),
            given={**_OF_BOTH, "factor": u, "beside": v, "success": a, "failure": b},
            proof=f"intros; subst p q; one_more_draw (@{{theorem}} n {_BOTH} u v a b r)",
        ),
        _one_more(p <= q),
        _one_more(p < q, Needs(Always(phi(0) < psi(0)), by="there", label="strictly there"), at=sp.S.Zero),
        _one_more(
            p < q,
            Needs(Always((o >= 1) & (o <= n)), label="it is a number of successes"),
            Needs(
                Always(sp.Lt(*_BETWEEN, evaluate=False).xreplace({**_PLAIN, z: o})), by="there", label="strictly there"
            ),
            at=o,
        ),
    )

    def proposed(self, conclusion: Equal | Always) -> Mapping[str, Any]:
        left, right = _sides(conclusion)[:: -1 if isinstance(conclusion, Equal) else 1]
        (none, (fewer, *others)), (also_none, (more, *further)) = split(left), split(right)
        alone = none == also_none == 0 and not (others or further)
        if not alone or more.chance != fewer.chance or more.size != fewer.size + 1:
            raise ClaimError(
                f"{conclusion.label}: the right side is an expectation over one draw more than the left one, alone"
            )
        after = _renumbered(more, fewer.count, fewer.count)
        return {**_drawn(fewer), "more": after, "factor": fewer.factor, "beside": more.factor}


@dataclass(frozen=True, eq=False)
class Reflected(Schematic["Equal"]):
    """Counting failures instead of successes: the same expectation at the chance of failure, with the coefficients in
    reverse order.

    ``using`` is for that.
    """

    using: Using = ()
    schemas = (
        Schema(
            "Binomials.binomial_mean_of_failures",
            Equal(p, q),
            (
                _DRAWS,
                Needs(Equal(p, _AT), label="an expectation"),
                Needs(Equal(q, binomial_mean(psi(z), z, n, 1 - r)), label="one at the chance of failure"),
                Needs(Always(sp.Eq(phi(z), psi(n - z), evaluate=False)), by="using", label="reversed"),
            ),
            given={"term": phi(z), "count": z, "size": n, "chance": r, "reversed": psi(z)},
            proof=f"intros; reflected (@{{theorem}} n {_BOTH} r)",
        ),
    )

    def proposed(self, conclusion: Equal) -> Mapping[str, Any]:
        (_, (one, *_)), (_, (other, *_)) = split(conclusion.left), split(conclusion.right)
        return {**_drawn(one), "reversed": _renumbered(other, one.count, one.count)}


@dataclass(frozen=True)
class CountMean(Conclusion):
    """Where ``count`` of ``size`` independent trials succeed, each with probability ``chance``, the expectation of
    ``member`` is ``value``.
    """

    member: Scalar
    count: sp.Symbol
    size: Scalar
    chance: Scalar
    value: Scalar
    label: str = "expectation over the number of successes"
    claimed = ("value",)
    binds = ("count",)
    ranges = True

    @property
    def numbered(self) -> Mapping[sp.Symbol, tuple[Scalar, ...]]:
        return {self.count: (0, self.size)}

    def phrase(self) -> Phrase:
        drawn = ("if", self.count, "of", self.size, "independent trials succeed, each with probability")
        return (*drawn, self.chance, ", the expectation of", self.member, "is", self.value)


@dataclass(frozen=True, eq=False)
class IndependentSuccesses(Schematic["CountMean"]):
    """A function of the number of successes among independent draws has the expectation that the binomial law gives.

    ``using`` is the rule by which that is the ``value`` of the conclusion, if it is not the sum itself.
    """

    using: Rule | None = None
    schemas = (
        Schema(
            "Binomials.function_of_the_number_of_successes",
            CountMean(phi(z), z, n, r, v),
            (
                Needs(Always((r >= 0) & (r <= 1)), sense=True, label="it is a chance"),
                _DRAWS,
                Needs(Equal(_AT, v), by="using", label="its value"),
            ),
            proof="intros; subst v; apply (@{theorem} A' E' hit' r n phi); assumption",
        ),
    )


CountMean.rule = IndependentSuccesses()
