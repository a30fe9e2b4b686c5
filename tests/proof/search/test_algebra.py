"""Normal forms: identities that hold, identities that must not be called so, and sums over an index."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.search.algebra import Algebra, NormalForm
from grpo_symbolic.proof.search.numerators import Quotients
from grpo_symbolic.proof.search.sums import normalise_sums
from grpo_symbolic.proof.statements.domain import Domain, positives, reals, simplex
from grpo_symbolic.proof.statements.evidence import Outcome
from grpo_symbolic.proof.statements.obligation import Identity

x, y, a, p = sp.symbols("x y a p", real=True)
n, o, j, k, m = sp.symbols("n o j k m", integer=True)
pi, r, w = (sp.IndexedBase(name, real=True) for name in ("pi", "r", "w"))
POSITIVE = Domain(x > 0, y > 0, a > 0)
ANY = Domain(x, y)
MANY = Domain(simplex(pi, n), reals(r, n), n >= 2)
WEIGHTED = Domain(simplex(pi, n), positives(w, n), n >= 2)


pytestmark = pytest.mark.usefixtures("queries_are_answered")


def holds(left: object, right: object, domain: Domain) -> bool:
    return Algebra().check(Identity(domain, sp.sympify(left), sp.sympify(right))).outcome is Outcome.holds


mean = sp.Sum(pi[k] * r[k], (k, 1, n))
variance = sp.Sum(pi[k] * (r[k] - mean) ** 2, (k, 1, n))
whitened = sp.Sum(pi[o] * (r[o] - mean) / sp.sqrt(variance), (o, 1, n))
tilted = sp.Sum(pi[o] * sp.exp(r[o] / x) / sp.Sum(pi[k] * sp.exp(r[k] / x), (k, 1, n)), (o, 1, n))
TRUE = [
    (whitened, 0, MANY.also(variance > 0)),
    (whitened.xreplace({variance: sp.Sum(pi[k] * r[k] ** 2, (k, 1, n)) - mean**2}), 0, MANY.also(variance > 0)),
    (tilted, 1, MANY.also(x > 0)),
    (sp.Sum((1 - pi[k] ** 2) / (1 - pi[k]), (k, 1, n)), sp.Sum(1 + pi[k], (k, 1, n)), MANY),
    (sp.Sum(pi[o] * sp.log(sp.Sum(w[k], (k, 1, n))), (o, 1, n)), sp.log(sp.Sum(w[j], (j, 1, n))), WEIGHTED),
    (sp.Sum(2 / k, (k, 1, n)), 2 * sp.Sum(1 / k, (k, 1, n)), MANY),
    (sp.Sum(2 * pi[k + 1], (k, 1, n - 1)), 2 * sp.Sum(pi[j + 1], (j, 1, n - 1)), MANY),
    (sp.Sum(sp.Sum(sp.KroneckerDelta(j, k) * r[j], (j, 1, n)) * pi[k], (k, 1, n)), mean, MANY),
    (sp.sqrt(x**2), sp.Abs(x), ANY),
    (sp.sqrt(x**2 * y), x * sp.sqrt(y), POSITIVE),
    (sp.sqrt(x**2), -x, Domain(x < 0)),
    (sp.log(x * y), sp.log(x) + sp.log(y), POSITIVE),
    (sp.log(x * y), sp.log(-x) + sp.log(-y), Domain(x < 0, y < 0)),
    (sp.exp(x + y) * sp.exp(-y), sp.exp(x), ANY),
    (sp.exp(sp.log(x) / 2), sp.sqrt(x), POSITIVE),
    (1 / (sp.sqrt(x + 1) - sp.sqrt(x)), sp.sqrt(x + 1) + sp.sqrt(x), POSITIVE),
    (sp.log((1 + x) / (1 - x)), sp.log(1 + x) - sp.log(1 - x), Domain(x > -1, x < 1)),
    (sp.Max(x, -x), sp.Abs(x), Domain(x > 0)),
    (sp.Derivative(x**2 * sp.log(x), x), 2 * x * sp.log(x) + x, POSITIVE),
    (sp.Sum(pi[k] * (r[k] - mean), (k, 1, n)), 0, MANY),
    (sp.Sum(pi[k] * (r[k] - mean) ** 2, (k, 1, n)), sp.Sum(pi[k] * r[k] ** 2, (k, 1, n)) - mean**2, MANY),
    (sp.Sum(sp.KroneckerDelta(k, o) * r[k], (k, 1, n)), r[o], MANY),
    (sp.Sum(sp.Sum(pi[k] * pi[j], (k, 1, n)), (j, 1, n)), 1, MANY),
]
FALSE = [
    (sp.sqrt(x**2), x, ANY),
    ((x**y + 1) * (x**y - 1), x - 1, Domain(x > 1, y > 1)),  # only of a square root is the square known
    ((sp.cbrt(x) + 1) * (sp.cbrt(x) - 1), x - 1, Domain(x > 1)),
    (sp.log(x**2), 2 * sp.log(x), Domain(x > -1, x < 1)),
    (sp.exp(x) * sp.exp(y), sp.exp(x * y), ANY),
    (2 * sp.log(x) + sp.log(y), sp.log(x * y), POSITIVE),
    (sp.sqrt(2) * sp.log(x), 2 * sp.log(x), POSITIVE),
    (sp.Sum(pi[k], (k, 1, n)), 1, Domain(positives(pi, n), n >= 2)),
    (sp.Sum(pi[k], (k, 1, n - 1)), 1, MANY),
    (sp.Sum(pi[k], (k, 2, n)), 1, MANY),
    (sp.Sum(pi[k] ** 2, (k, 1, n)), 1, MANY),
    (sp.Sum(pi[k] * r[k], (k, 1, n)), sp.Sum(r[k], (k, 1, n)), MANY),
    (
        sp.Sum(sp.Abs(k) * x, (k, -3, 3)),
        sp.Sum(k * x, (k, -3, 3)),
        Domain(k >= 1, x),
    ),  # the bound k is not the k of the domain
    (sp.Sum(sp.Sum(sp.Abs(k), (j, 1, 2)), (k, -3, 3)), 2 * sp.Sum(k, (k, -3, 3)), Domain(k >= 1)),
    (sp.Sum(sp.KroneckerDelta(k, 0) * (k + 5), (k, 1, n)), 5, Domain(n >= 2)),
    (sp.Sum(sp.KroneckerDelta(k, n + 1) * pi[k], (k, 1, n)), pi[n + 1], MANY),
    (sp.Sum(sp.Sum(sp.KroneckerDelta(j, k), (j, 1, n)), (k, 0, n)), n + 1, MANY),
    (sp.Sum(sp.KroneckerDelta(j, k), (j, 1, n), (k, 0, n)), n + 1, MANY),
    (sp.Sum(sp.KroneckerDelta(j, o) * r[j], (j, 2, n)), r[o], MANY),
    (sp.Sum(sp.KroneckerDelta(j, o), (j, 1, n)), 1, Domain(reals(r, n), reals(w, m), n >= 2, m >= 2)),
    (sp.Product(2 * sp.Sum(sp.KroneckerDelta(j, k), (j, 1, n)), (k, 0, n)), sp.Product(2, (k, 0, n)), MANY),
    (sp.Product(sp.Abs(k) + 1, (k, -3, 3)), sp.Product(k + 1, (k, -3, 3)), Domain(k >= 1)),
    (sp.Sum(sp.KroneckerDelta(2 * k, o) * r[k], (k, 1, n)), r[o], MANY),
    (sp.Sum(sp.Sum(r[k] * r[j], (k, 1, j)), (j, 1, n)), sp.Sum(r[k], (k, 1, n)) ** 2, MANY),
]
UNDEFINED = [
    ((x * a + x) / x, a + 1, Domain(x > -1, x < 1, a > 0)),
    (x * (1 / (x - y)) - y / (x - y), 1, ANY),
    (sp.log(x) - sp.log(x / 2), sp.log(2), ANY),
    (1 / sp.sqrt(x) * sp.sqrt(x * y), sp.sqrt(y), ANY),
    (sp.Sum(r[k] * r[k] ** -2 * (1 + r[k]), (k, 1, n)), sp.Sum((1 + r[k]) / r[k], (k, 1, n)), MANY),
    (whitened, 0, MANY),  # all rewards alike
    (tilted, 1, MANY.also(x)),
    (sp.Sum(pi[o] / sp.Sum(r[k], (k, 1, n)), (o, 1, n)) * sp.Sum(r[k], (k, 1, n)), 1, MANY),
    (sp.Sum(pi[o] * sp.log(sp.Sum(r[k], (k, 1, n))), (o, 1, n)), sp.log(sp.Sum(r[j], (j, 1, n))), MANY),
    (sp.Sum(r[k] / (n - 1), (k, 1, n)) * (n - 1), sp.Sum(r[k], (k, 1, n)), Domain(reals(r, n), n >= 1)),
    (sp.Sum((1 - pi[k] ** 2) / (1 - pi[k]), (k, 1, n)), sp.Sum(1 + pi[k], (k, 1, n)), Domain(simplex(pi, n), n >= 1)),
    (sp.Sum(sp.Mul(r[k] + 1, 1 / (r[k] + 1), evaluate=False), (k, 1, n)), n, MANY),
    (sp.Sum(pi[k] / x, (k, 1, n)) * x, 1, MANY.also(x)),
    (sp.Sum(2 / k, (k, 0, n)), 2 * sp.Sum(1 / k, (k, 0, n)), MANY),
    (sp.Sum(2 / k, (k, 1, m)), 2 * sp.Sum(1 / k, (k, 1, m)), Domain(m <= 5)),
    (sp.Sum(sp.Abs(pi[k]), (k, 0, n)), sp.Sum(pi[k], (k, 0, n)), MANY),
    (sp.Sum(2 * pi[k + 1], (k, 1, n)), 2 * sp.Sum(pi[j + 1], (j, 1, n)), MANY),
    (sp.sqrt(pi[m] ** 2), pi[m], Domain(simplex(pi, n), n >= 2, m >= 1)),
    (sp.Sum(2 * pi[n], (n, 1, 9)), 2 * sp.Sum(pi[n], (n, 1, 9)), MANY),
    (sp.Derivative(sp.Abs(x), x), sp.sign(x), ANY),
    (sp.Derivative(sp.sqrt(x), x) * sp.sqrt(x), sp.Rational(1, 2), Domain(x >= 0)),
    (sp.Derivative(sp.Sum(sp.sqrt(x) * pi[k], (k, 1, n)), x) * sp.sqrt(x), sp.Rational(1, 2), MANY.also(x >= 0)),
]


@pytest.mark.parametrize(("left", "right", "domain"), TRUE, ids=str)
def test_true_identities_are_proved(left: object, right: object, domain: Domain) -> None:
    assert holds(left, right, domain)


@pytest.mark.parametrize(("left", "right", "domain"), FALSE, ids=str)
def test_false_identities_are_not(left: object, right: object, domain: Domain) -> None:
    assert not holds(left, right, domain)


REFUSED = [
    (sp.Derivative(sp.floor(x), x), sp.Derivative(sp.floor(x), x), ANY),
    (sp.Sum(k, (k, 1, sp.oo)), sp.Sum(k, (k, 1, sp.oo)), MANY),
    (sp.Sum(x, (k, 1, 1 / x)), 1, ANY),
    (sp.Integral(1 / x, (x, -1, 1)), sp.Integral(1 / x, (x, -1, 1)), Domain(x > 0)),
    (x + 0.5, x + sp.Rational(1, 2), ANY),
]


@pytest.mark.parametrize(("left", "right", "domain"), REFUSED, ids=str)
def test_what_has_no_term_is_refused(left: object, right: object, domain: Domain) -> None:
    with pytest.raises(ReadingError):
        holds(left, right, domain)


@pytest.mark.parametrize(("left", "right", "domain"), UNDEFINED, ids=str)
def test_identities_that_lose_their_meaning_somewhere_are_not(left: object, right: object, domain: Domain) -> None:
    assert not holds(left, right, domain)


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=4),
    st.integers(-2, 2),
)
@settings(max_examples=25, deadline=None)
def test_the_normal_form_is_zero_exactly_for_equal_polynomials(terms: list[tuple[int, int, int]], extra: int) -> None:
    e = sum((c * sp.sqrt(x) ** u * y**v for c, u, v in terms), sp.S.Zero)
    square = sp.expand((e + extra) ** 2)
    assert NormalForm(POSITIVE).vanishes((e + extra) ** 2 - square)
    assert not NormalForm(POSITIVE).vanishes((e + extra) ** 2 - square - sp.sqrt(x))


@given(st.lists(st.integers(-2, 2), min_size=3, max_size=3), st.integers(2, 4))
@settings(max_examples=15, deadline=None)
def test_normal_sums_have_the_value_of_the_sums(weights: list[int], size: int) -> None:
    u, v, w = weights
    e = sp.Sum(u * r[k] ** 2 + v * r[k] * sp.Sum(r[j] * (w + j), (j, 1, n)) + w * k, (k, 1, n))
    values = {r[i]: sp.Rational(i * i + u, i + 1) for i in range(1, size + 1)}
    direct = e.subs(n, size).doit().xreplace(values)
    normal = normalise_sums(e, MANY).subs(n, size).doit().xreplace(values)
    assert sp.simplify(direct - normal) == 0


INNER, OUTER = sp.sqrt(1 + x), sp.sqrt(1 + sp.sqrt(1 + x))
NOTHING = [
    1 / (x * (1 - x)) - 1 / x - 1 / (1 - x),
    OUTER**2 - INNER - 1,
    1 / (OUTER - 1) - (OUTER + 1) / INNER,
    (x / y + 1) ** -2 - y**2 / (x + y) ** 2,
    sp.log(x) / (x + y) - sp.log(x) * y / (y**2 + x * y),
]


@pytest.mark.parametrize("e", NOTHING, ids=str)
def test_a_numerator_is_zero_where_the_quotient_is_and_not_beside_it(e: sp.Expr) -> None:
    assert not Quotients(e).numerator(e)
    for other in (e + 1, e - x, e + sp.sqrt(1 + x) / y):
        assert Quotients(other).numerator(other)


def test_what_the_terms_of_a_sum_share_is_not_multiplied_out() -> None:
    e = (x + y + a) ** 60 * (x - (x + y) ** -1) + (x + y + a) ** 61 / y
    top, factors = Quotients(e).quotient(e)
    assert sorted(factors.values()) == [-1, -1, 60]
    assert len(top) < 20
    with pytest.raises(ZeroDivisionError):
        Quotients(1 / (x * (y + 1) - x * y - x)).quotient(1 / (x * (y + 1) - x * y - x))


def test_the_sign_of_an_expression_is_proved_or_not_given() -> None:
    form = NormalForm(Domain(x > 0, x < 1))
    assert (form.sign(1 - x), form.sign(x - 1), form.sign(2 * x - 1), form.sign(x - x)) == (1, -1, None, 0)
