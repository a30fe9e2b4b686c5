"""From statements to SMT-LIB: what must be proved, refuted or left open, and definedness before any simplification."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from grpo_symbolic.errors import ClaimError, ReadingError
from grpo_symbolic.proof.check.decision import as_formula, parts_on, proves
from grpo_symbolic.proof.check.queries import evident
from grpo_symbolic.proof.check.smt import script
from grpo_symbolic.proof.search import engines, recipes
from grpo_symbolic.proof.search.algebra import Algebra
from grpo_symbolic.proof.search.engines import z3_answer
from grpo_symbolic.proof.search.solvers import Decision
from grpo_symbolic.proof.statements import lemmas
from grpo_symbolic.proof.statements.domain import Domain, positives, reals, simplex
from grpo_symbolic.proof.statements.evidence import Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Identity
from grpo_symbolic.terms.language import ZERO, Compare, Number

x, y, a, b, p = sp.symbols("x y a b p", real=True)
n, o, k = sp.symbols("n o k", integer=True)
pi, r = sp.IndexedBase("pi", real=True), sp.IndexedBase("r", real=True)
ENGINES = [Decision("Z3"), Decision("cvc5")]
AROUND_ZERO = Domain(x >= -1, x <= 1, a > 0)
INSIDE = Domain(0 < x, x < 1, 0 < p, p < 1, b > 0)


pytestmark = pytest.mark.usefixtures("queries_are_answered")


def outcome(engine: Decision, formula: object, domain: Domain, using: tuple = ()) -> Outcome:
    return engine.check(Holds(domain, formula, using)).outcome


PROVED = [
    (x * (1 - x) <= sp.Rational(1, 4), INSIDE),
    (sp.sqrt(x) > x, INSIDE),
    (1 / x > 1, INSIDE),
    (x / (1 + x) < sp.Rational(1, 2), INSIDE),
    (1 / sp.sqrt(x) - 1 > 0, INSIDE),
    (sp.Abs(x) <= 1, AROUND_ZERO),
    (sp.Max(x, -x) >= 0, AROUND_ZERO),
    (sp.sign(x) * x >= 0, AROUND_ZERO),
    (sp.Piecewise((1 / x, x > 0), (x**2, True)) >= 0, AROUND_ZERO),
    (sp.Implies(x > 0, sp.sqrt(x) > 0), AROUND_ZERO),
    (sp.Implies(sp.Ne(x, 0), 1 / x**2 >= 1), AROUND_ZERO),
    (x * sp.exp(y) > 0, Domain(x > 0, y)),
    (pi[o] < 1, Domain(simplex(pi, n), n >= 2)),
    (pi[o] <= 1, Domain(simplex(pi, n), n >= 1)),
    (x**-3 > 0, Domain(x > 0)),
    (x**-3 < 0, Domain(x < 0)),
]
REFUTED = [
    (x * (1 - x) < sp.Rational(1, 4), INSIDE),
    (sp.sqrt(x) < x, INSIDE),
    (sp.Ne(x**2, sp.Rational(1, 2)), INSIDE),
    (sp.Eq(sp.sqrt(x**2), x), AROUND_ZERO),
    (x / sp.sqrt(x**2 + 1) > 0, AROUND_ZERO),
    (sp.Equivalent(x > 0, x >= 0), AROUND_ZERO),
]
LEFT_OPEN = [
    ((x * a + x) / x >= a, AROUND_ZERO),  # together() would cancel x, which may be zero
    (sp.log(x) ** 2 >= 0, AROUND_ZERO),
    (sp.sqrt(x) >= 0, Domain(x)),
    (sp.sqrt(x - 1) >= 0, AROUND_ZERO),
    (sp.exp(x**y) > 0, Domain(x, y)),
    (1 / (x - y) ** 2 > 0, Domain(x, y)),
    (sp.log(x) ** 2 >= 0, AROUND_ZERO),
    (sp.And(sp.Implies(x > 0, 1 / x > 0), 1 / x**2 > 0), AROUND_ZERO),  # a guard protects its own case only
    (pi[o] < 1, Domain(simplex(pi, n), n >= 1)),
    (pi[0] > 0, Domain(simplex(pi, n), n >= 2)),
    (pi[5] > 0, Domain(simplex(pi, n), n >= 2)),
    (r[o] ** 2 > 0, Domain(reals(r, n), n >= 2)),
    (sp.log(x) <= x - 1, Domain(x > 0)),  # true, and beyond real arithmetic without a lemma
    (x ** sp.Rational(1, 3) > 0, Domain(x > 0)),
]


@pytest.mark.parametrize("engine", ENGINES, ids=lambda e: e.engine)
@pytest.mark.parametrize(("formula", "domain"), PROVED, ids=str)
def test_proved(engine: Decision, formula: object, domain: Domain) -> None:
    assert outcome(engine, formula, domain) is Outcome.holds


@pytest.mark.parametrize("engine", ENGINES, ids=lambda e: e.engine)
@pytest.mark.parametrize(("formula", "domain"), REFUTED, ids=str)
def test_refuted(engine: Decision, formula: object, domain: Domain) -> None:
    assert outcome(engine, formula, domain) is Outcome.refuted


@pytest.mark.parametrize(("formula", "domain"), LEFT_OPEN, ids=str)
def test_left_open(formula: object, domain: Domain) -> None:
    assert outcome(ENGINES[0], formula, domain) is Outcome.unknown


def test_only_stated_lemmas_may_be_assumed() -> None:
    widened = sp.And(sp.Le(sp.log(x), x - 1), sp.Lt(sp.log(x), 0))
    for formula in (x < 0, widened, lemmas.Instance("x_is_negative", (x,))):
        with pytest.raises(ClaimError, match="no instance of a stated lemma"):
            outcome(ENGINES[0], x < 0, Domain(x > -1, x < 1), (formula,))
    assert outcome(ENGINES[0], sp.log(x) <= x - 1, Domain(x > 0), (lemmas.log_below_tangent(x),)) is Outcome.holds


def test_a_lemma_is_no_reason_to_think_its_arguments_defined() -> None:
    instance = lemmas.exp_sign(sp.log(x - sp.Rational(1, 3)))
    just_below = Domain(sp.Rational(1, 3) - sp.Rational(1, 10**40) < x, x < 1)
    assert outcome(ENGINES[0], x > sp.Rational(1, 3), just_below, (instance,)) is not Outcome.holds


def test_a_lemma_cannot_prove_too_much() -> None:
    assert outcome(ENGINES[0], sp.log(x) < x - 1, Domain(x > 0), (lemmas.log_below_tangent(x),)) is Outcome.unknown


def test_names_that_look_alike_are_different_variables() -> None:
    first, second = sp.Symbol("a_1", real=True), sp.Symbol("a'1", real=True)
    assert proves(sp.Eq(first, first + second), Domain(first, second).also(sp.Eq(second, 0)))
    assert not proves(sp.Eq(first, second), Domain(first, second))
    real, bare = sp.Symbol("t", real=True), sp.Symbol("t")
    with pytest.raises(ReadingError, match="two different"):
        Domain(real, bare)


def test_whole_numbers_are_never_refuted_by_a_fraction() -> None:
    domain = Domain(n >= 1, n <= 3)
    assert outcome(ENGINES[0], sp.Or(sp.Eq(n, 1), n >= 2), domain) is Outcome.unknown
    assert outcome(ENGINES[0], n**2 >= n, domain) is Outcome.holds


def test_a_sum_of_positive_terms_is_positive_but_an_empty_one_is_not() -> None:
    total = sp.Sum(pi[k] ** 2, (k, 1, n))
    assert outcome(ENGINES[0], 1 / total > 0, Domain(positives(pi, n), n >= 2)) is Outcome.holds
    assert outcome(ENGINES[0], total > 0, Domain(n >= 0, positives(pi, n + 1))) is Outcome.unknown


def test_the_script_holds_the_whole_domain() -> None:
    domain = Domain(x > 0, x < 1, p > x)
    query = parts_on(domain, as_formula(x < 1, domain)).queries.main
    assert script(query).count("assert") == len(query) == 4
    assert z3_answer(query).word == "unsat"


def test_engines_read_the_same_text() -> None:
    found = [e.check(Holds(INSIDE, x * (1 - x) <= sp.Rational(1, 4))).artefact for e in ENGINES]
    assert found[0] == found[1]


def test_a_refutation_names_a_point_that_violates() -> None:
    finding = ENGINES[0].check(Holds(Domain(x > 0, x < 1), x < sp.Rational(1, 2)))
    assert "witness x = " in finding.artefact
    assert "confirmed" in finding.artefact


@pytest.mark.parametrize(("left", "right"), [(sp.sqrt(x**2), sp.Abs(x)), ((1 - x**2) / (1 - x), 1 + x)])
def test_identities(left: sp.Expr, right: sp.Expr) -> None:
    domain = Domain(x > -1, x < 1)
    assert ENGINES[0].check(Identity(domain, left, right)).outcome is Outcome.holds
    assert Algebra().check(Identity(domain, left, right + x)).outcome is not Outcome.holds


@pytest.mark.parametrize(
    ("needed", "known", "seen"),
    [
        (sp.Ne(x, 0), (x > 0,), True),
        (sp.Ne(x, 0), (x >= 0,), False),
        (sp.Ne(1 - x, 0), (x < 1,), True),
        (sp.Ne(1 - x, 0), (x <= 1,), False),
        (sp.Ne(1 - 2 * x, 0), (x < 1,), False),
        (1 - x >= 0, (x <= 1,), True),
        (1 - x > 0, (x <= 1,), False),
        (x + 1 > 0, (x >= 0,), True),
        (x + 1 > 0, (x <= 0,), False),
        (sp.Ne(x, 2), (sp.Eq(x, 3),), True),
        (sp.Ne(x, 2), (sp.Eq(x, 2),), False),
        (x > 1, (x > sp.sqrt(2),), False),
        (x * (1 - y) > 0, (x > 0, y < 1), True),
        (x * (1 - y) > 0, (x > 0, y > 1), False),
        (sp.Ne(x * (1 - y), 0), (x > 0, y > 1), True),
        (x + y > 0, (x > 0, y > 0), True),
        (x + y > 0, (x > 0, y >= 0), False),
        (x**2 / y > 0, (x > 0, y > 0), True),
        (x**2 / y > 0, (x > 0, y < 0), False),
        (sp.Eq(x, 1), (x >= 1, x <= 1), False),
        (n >= 1 - 1, (n >= 1,), True),
        (n >= 3, (n > 2,), False),
    ],
    ids=str,
)
def test_what_is_plain_to_see_follows(needed: sp.Basic, known: tuple, seen: bool) -> None:
    domain = Domain(*known)
    read = domain.reading().formula(needed)
    assert evident(read, domain.formulas) is seen
    assert not seen or z3_answer(parts_on(domain, read).queries.main).word == "unsat"


COUNTED = INSIDE.also(n >= 1)
WEIGHTS = sp.binomial(n, k) * x**k * (1 - x) ** (n - k)


@pytest.mark.parametrize(
    ("total", "positive"),
    [
        (sp.Sum(WEIGHTS * sp.sqrt(k + 1), (k, 0, n)), True),
        (sp.Sum(k * x**k, (k, 0, n)), True),  # the first term is 0
        (sp.Sum(k * (k - 1) * x**k, (k, 0, n)), False),  # for n = 1 there is nothing else
        (sp.Sum(x**k, (k, 2, n)), False),  # for n = 1 there is no term
        (sp.Sum((k - 1) * x**k, (k, 0, n)), False),
        (sp.Sum(x**k * sp.Product(o - 20, (o, 6, 10)), (k, 1, n)), False),  # an index of its own for each
    ],
)
def test_a_sum_is_positive_as_its_parts_are(total: sp.Expr, positive: bool) -> None:
    assert outcome(Decision("Z3"), total > 0, COUNTED) is (Outcome.holds if positive else Outcome.unknown)


def test_the_limit_of_z3_is_of_work_and_the_same_each_time() -> None:
    domain = Domain(x > 0, x < 1, y > 0, y < 1, p > 0)
    query = parts_on(domain, as_formula(x**2 * y + p * x < 1 + p, domain)).queries.main
    found = z3_answer(query)
    assert found.word == "unsat"
    engines._z3_answer.cache_clear()
    assert found == z3_answer(query)
    assert z3_answer(query, found.work // 2).word == "unknown"


def test_a_brief_search_takes_less_work_and_is_not_taken_for_a_whole_one(monkeypatch: pytest.MonkeyPatch) -> None:
    domain = Domain(x > 0, x < 1, y > 0, y < 1, p > 0)
    query = parts_on(domain, as_formula(x**2 * y + p * x < 1 + p, domain)).queries.main
    monkeypatch.setattr(engines, "WORK", 2 * z3_answer(query).work)
    with engines.briefly():
        assert z3_answer(query).word == "unknown"
        assert not recipes.by_z3(query)
    assert z3_answer(query).word == "unsat"
    assert recipes.by_z3(query)


def test_what_the_first_strategy_of_cvc5_leaves_open_is_asked_of_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Fake:
        def ask(self, question: tuple[str, str, int], seconds: float, otherwise: str) -> str:
            asked.append(question[1:])
            return "unsat" if question[1] == engines.STRATEGIES[-1][0] else otherwise

    monkeypatch.setattr(engines, "_CVC5", Fake())
    asked_of_nobody = (Compare("<", Number(Fraction(1)), ZERO),)
    assert engines.cvc5_answer(asked_of_nobody).word == "unsat"
    assert asked == list(engines.STRATEGIES)


def test_the_limit_of_cvc5_is_of_work() -> None:
    domain = Domain(x > 0, x < 1, y > 0, y < 1, p > 0)
    text = script(parts_on(domain, as_formula(x**2 * y + p * x < 1 + p, domain)).queries.main)
    strategy, work = engines.STRATEGIES[0]
    assert engines._cvc5((text, strategy, work)) == "unsat"
    assert engines._cvc5((text, strategy, 1)) == "unknown"


@pytest.mark.parametrize("engine", ENGINES)
def test_the_numbers_of_a_small_simplex_add_up(engine: Decision) -> None:
    for size, found in ((3, Outcome.holds), (4, Outcome.unknown)):
        assert (
            engine.check(Identity(Domain(simplex(pi, size)), left=pi[1] + pi[2] + pi[3], right=sp.S.One)).outcome
            is found
        )
    assert outcome(engine, pi[1] + pi[2] < 1, Domain(simplex(pi, 3))) is Outcome.holds
    assert outcome(engine, pi[1] + pi[2] < 1, Domain(simplex(pi, 2))) is not Outcome.holds
