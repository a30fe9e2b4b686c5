"""For which values a sentence is meant, in words: nothing that restricts them is left out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import sympy as sp

from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.notation import (
    G,
    P,
    beta,
    gamma,
    hit,
    k,
    n,
    o,
    o_,
    old,
    p,
    phi,
    pi,
    q,
    r,
    r_a,
    r_b,
    ref,
    s,
    t,
    x,
    y,
    z,
)
from grpo_symbolic.proof import (
    Always,
    AtLeast,
    Attracts,
    Domain,
    Equal,
    Every,
    Exists,
    FlowRises,
    FlowTends,
    Gradient,
    LocalMaximum,
    Monotone,
    On,
    OnlyMaximum,
    OnTexts,
    OverTokens,
    StaysNear,
    Texts,
    TextSum,
    When,
)
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.statements.domain import positives, reals, simplex
from grpo_symbolic.proof.statements.evidence import Kind
from grpo_symbolic.proof.statements.hypotheses import domain_latex
from grpo_symbolic.proof.statements.sentence import latex, parts, sentence_latex, sentence_text, there
from grpo_symbolic.proof.statements.statement import Statement
from grpo_symbolic.typeset.phrases import conclusions_first
from grpo_symbolic.typeset.plain import plain
from grpo_symbolic.verification.parts import parts as parts_of
from grpo_symbolic.verification.parts import values

POLICIES = (simplex(pi, n), simplex(ref, n), n >= 2)


def said(*constraints: object, about: Sequence[str] | None = None) -> str:
    return plain(domain_latex(Domain(*constraints), PaperPrinter(), None if about is None else frozenset(about)))


@pytest.mark.parametrize(
    ("constraints", "printed"),
    [
        (POLICIES, "π, π_ref of full support on n values, 2 ≤ n < ∞"),
        ((simplex(hit, n, x), 0 < x, x < 1, n >= 1), "π⁺ ∈ (0, ∞)ⁿ with sum x, 0 < x < 1, 1 ≤ n < ∞"),
        ((reals(r, G), positives(phi, G)), "r ∈ ℝ^G, φ ∈ (0, ∞)^G, G < ∞"),
        ((0 < p, p < 1, 0 < x, x < 1, beta > 0, gamma > 0), "p, x ∈ (0, 1), β, γ > 0"),
        ((0 < p, p < x, x < 1), "0 < p < x < 1"),
        ((0 <= p, p <= x), "0 ≤ p ≤ x"),
        ((p > 0, p < 1, x > 0, p < x), "0 < p < 1, x > 0, p < x"),
        ((x > 0, p > 0, p < x, y > 0, p < y), "x, y > 0, 0 < p < x, p < y"),
        ((x, 2 * y >= 1), "x ∈ ℝ, y ≥ ½"),
        ((k >= 1, k <= G, G >= 2), "1 ≤ k ≤ G, G ≥ 2"),
        ((beta >= 0, beta > 0), "β > 0"),
        ((0 < p, p < x, 0 < x, x < 1), "0 < p < x < 1"),
        ((0 < p, p < 1, 0 < x, x < 1, p <= x), "0 < p ≤ x < 1"),
        ((0 <= p, p <= x, 0 < x, x < 1), "0 < x < 1, 0 ≤ p ≤ x"),  # x may not be 0
        ((0 < p, p < x, x > -1, x < 1), "−1 < x < 1, 0 < p < x"),
        ((x, sp.Eq(x, p + 1), 0 < p, p < 1), "0 < p < 1 with x = p + 1"),
        ((x, y, sp.Eq(x, y + 1)), "y ∈ ℝ with x = y + 1"),
        ((x, sp.Eq(x, x**2)), "x ∈ ℝ with x = x²"),
        ((p > 0, sp.Ne(p, x), x > 0), "p, x > 0, p ≠ x"),
    ],
)
def test_letters_of_which_the_same_is_said_stand_together(constraints: Sequence[object], printed: str) -> None:
    assert said(*constraints) == printed


@pytest.mark.parametrize(
    ("constraints", "about", "printed"),
    [
        ((*POLICIES, beta > 0, reals(r, n)), ["pi"], "π of full support on n values, 2 ≤ n < ∞"),
        ((*POLICIES, beta > 0), ["beta"], "β > 0"),
        ((*POLICIES, beta > 0), ["n"], "2 ≤ n < ∞"),
        ((simplex(pi, n),), ["n"], "π of full support on n values, n < ∞"),  # without an answer there is no policy
        ((simplex(hit, n, x), x < 1, n >= 1), ["x"], "π⁺ ∈ (0, ∞)ⁿ with sum x, x < 1, 1 ≤ n < ∞"),  # so x > 0
        ((0 < p, p < 1, q, sp.Eq(q, 1 - p)), ["q"], "0 < p < 1 with q = 1 − p"),
        ((p > 0, p < x, x < y, z > 0), ["y"], "0 < p < x < y"),
        ((sp.Eq(t, r_a - r_b),), ["r_a", "r_b"], "rₐ, r_b ∈ ℝ"),  # t is a name for the difference, and not used
        ((s < r_b, r_b < r_a), ["r_a", "r_b"], "r_b < rₐ"),  # there is always a smaller number
        ((s > 0, s < r_b, r_b < r_a), ["r_a", "r_b"], "0 < s < r_b < rₐ"),  # and a smaller positive one, if r_b is
        ((sp.Eq(t, x), t > 0), ["x"], "t > 0 with t = x"),
        ((k >= 1, k < x), ["x"], "k ∈ ℤ, 1 ≤ k < x"),
        ((t > 1 / x,), ["x"], "t > 1/x"),  # which has a value where x is not 0
        ((sp.Eq(t, sp.sqrt(x)),), ["x"], "t = √x"),
    ],
)
def test_only_what_has_nothing_to_do_with_a_sentence_is_left_out(
    constraints: Sequence[object], about: Sequence[str], printed: str
) -> None:
    assert said(*constraints, about=about) == printed


def test_parts_for_the_same_values_share_one_for_all() -> None:
    statement = Monotone(x**2, x) & On(Domain(x > 0, y > 0), Always(x + 1 > 0)) & Always(x > -y)
    printed = plain(sentence_latex(statement, Domain(x > 0, y > 0), PaperPrinter()))
    assert printed.count("For all") == 1
    assert printed.startswith("For all x, y > 0: ")


def test_a_letter_of_which_nothing_is_said_is_left_out() -> None:
    printed = plain(sentence_latex(Monotone(x**2, x), Domain(x > 0, y > 0), PaperPrinter()))
    assert printed == "For all x > 0: x² is strictly increasing in x"


def test_an_index_of_two_families_numbers_members_of_both() -> None:
    statement = Always(hit[o] + r[o] > -1)
    where = Domain(simplex(hit, n), reals(r, G), n >= 1, G >= 1)
    printed = plain(sentence_latex(statement, where, PaperPrinter()))
    assert "1 ≤ o ≤ G" in printed
    assert "1 ≤ o ≤ n" in printed


def test_an_index_numbers_members_of_each_family_where_it_stands() -> None:
    where = Domain(simplex(hit, n), reals(r, G), n >= 1, G >= 1)
    printed = plain(sentence_latex(Always(hit[o] > 0) & Always(r[o] ** 2 + r[o] > -1), where, PaperPrinter()))
    first, _, second = printed.partition(". For all ")
    assert "1 ≤ o ≤ n" in first
    assert "1 ≤ o ≤ G" in second
    assert "1 ≤ o ≤ n" not in second


def test_an_example_is_meant_at_some_values_and_in_a_case_with_it() -> None:
    example = Exists(x > beta, {x: sp.Rational(1, 2), beta: sp.Rational(1, 4)})
    where = Domain(beta > 0, 0 < x, x < 1)
    assert sentence_text(example, where) == "For some 0 < x < 1, β > 0: x > β, as for x = 1/2, β = 1/4."
    case = sentence_text(When(4 * beta > x, example), where)
    assert case == "For some 0 < x < 1, β > 0: 4*β > x and x > β, as for x = 1/2, β = 1/4."
    both = plain(sentence_latex(Every(Always(x + beta > 0), example), where, PaperPrinter()))
    assert [part[:8] for part in both.split(". ")] == ["For all ", "For some"]


def once(*parts: Statement) -> str:
    return plain(sentence_latex(Every(*parts), Domain(x > 0), PaperPrinter(), once=True))


def test_what_all_parts_suppose_is_said_once_and_what_one_supposes_with_it() -> None:
    families = Domain(*POLICIES, beta > 0)
    both = Always(sp.Sum(pi[o] * ref[o], (o, 1, n)) > -beta)
    assert once(On(families, both), On(families.also(beta > 1), both)) == (
        "For all π, π_ref of full support on n values, 2 ≤ n < ∞, β > 0: (i) Σ_{o=1}ⁿ π(o) π_ref(o) > −β; "
        "(ii) if β > 1: Σ_{o=1}ⁿ π(o) π_ref(o) > −β"
    )
    more = On(families.also(gamma > beta), Always(sp.Sum(pi[o] * ref[o], (o, 1, n)) > -gamma))
    assert once(On(families, both), more).endswith("; (ii) for all γ > β: Σ_{o=1}ⁿ π(o) π_ref(o) > −γ")
    entries = (
        On(families, Always(beta * pi[o] > 0)),
        On(families.also(1 <= o, o <= n, 2 * pi[o] < 1), Always(beta * pi[o] < beta)),
    )
    assert once(*entries).endswith("(ii) for all 1 ≤ o ≤ n, 2 π(o) < 1: β π(o) < β")
    assert once(*entries).count("support") == 1


def test_of_the_numbers_of_a_family_nothing_is_said_before_it_is_told_which_they_are() -> None:
    said = (simplex(ref, n), n >= 2, 0 < p, p < 1, sp.Ne(beta, gamma), sp.Sum(pi[o] * ref[o], (o, 1, n)) < beta)
    positive = Always(sp.Sum(pi[o] * ref[o] * gamma**2, (o, 1, n)) > -p)
    printed = once(On(Domain(simplex(pi, n), *said), positive), On(Domain(positives(pi, n), *said), positive))
    assert printed == (
        "For all π_ref of full support on n values, 0 < p < 1, 2 ≤ n < ∞, β ≠ γ: "
        "(i) for all π of full support on n values, Σ_{o=1}ⁿ π(o) π_ref(o) < β: Σ_{o=1}ⁿ γ² π(o) π_ref(o) > −p; "
        "(ii) for all π ∈ (0, ∞)ⁿ, Σ_{o=1}ⁿ π(o) π_ref(o) < β: Σ_{o=1}ⁿ γ² π(o) π_ref(o) > −p"
    )


def test_the_hypotheses_of_a_numbered_part_stay_with_it() -> None:
    where = Domain(*POLICIES, beta > 0)
    both = Always(sp.Sum(pi[o] * ref[o], (o, 1, n)) > -beta)
    parts = Every(On(where.also(beta < 3), both), On(where.also(beta > 1), both))
    printed = sentence_latex(parts, Domain(x > 0), PaperPrinter(), once=True)
    assert r"(i) }\text{if }\beta<3\text{: }" in printed
    assert conclusions_first(printed) == printed


def test_words_that_are_said_once_are_not_those_of_what_follows() -> None:
    where = Domain(simplex(pi, n), reals(r, n), n >= 1, beta > 0)
    least = [AtLeast(sp.Sum(pi[o] * r[o], (o, 1, n)), end, given=(r[o] >= 0,)) for end in (0, -beta)]
    other = On(where.also(x > 0), Always(sp.Sum(pi[o] * r[o] ** 2, (o, 1, n)) > -beta))
    printed = once(*(On(where, part) for part in least), other)
    assert "(i) if always r(o) ≥ 0, then: " in printed
    assert printed.endswith("; (ii) Σ_{o=1}ⁿ π(o) r(o)² > −β")


def test_an_index_that_a_sum_binds_has_no_other_range() -> None:
    slope = sp.Derivative(r[o] ** 2, r[o])
    where = Domain(reals(r, n), n >= 1)
    summed = Equal(sp.Sum(slope, (o, 1, n)), 2 * sp.Sum(r[o], (o, 1, n)))
    assert plain(sentence_latex(summed, where, PaperPrinter())).startswith("For all r ∈ ℝⁿ, 1 ≤ n < ∞: ")
    total = Equal(sp.Derivative(sp.Sum(beta * r[k], (k, 1, n)), r[o]), beta)
    assert ", 1 ≤ o ≤ n: " in plain(sentence_latex(total, where.also(beta > 0), PaperPrinter()))


def test_what_is_said_at_some_values_stands_apart() -> None:
    example = Exists(x > beta, {x: sp.Rational(1, 2), beta: sp.Rational(1, 4)})
    where = Domain(beta > 0, 0 < x, x < 1)
    assert "(i)" not in once(On(where, Always(x + beta > 0)), On(where.also(x > beta), example))


def test_what_is_said_at_some_values_stands_behind_what_is_said_once() -> None:
    where = Domain(*POLICIES, beta > 0, gamma > 0)
    both = Always(sp.Sum(pi[o] * ref[o], (o, 1, n)) > -beta * gamma)
    example = Exists(gamma > beta, {gamma: sp.Rational(1, 2), beta: sp.Rational(1, 4)})
    printed = once(On(where, both), On(where.also(beta > 1), both), On(where, example))
    assert "; (ii) if β > 1: " in printed
    assert printed.endswith(". For some β, γ > 0: γ > β, as for γ = ½, β = ¼")
    assert "(i)" not in once(On(where, both), On(where, example), On(where.also(beta > 1), both))


def test_of_a_law_that_is_held_fixed_its_value_says_all() -> None:
    texts = Texts(o, o_, n, rates=((pi, pi[o] * (r[o] - sp.Sum(pi[o_] * r[o_], (o_, 1, n)))),))
    where = Domain(simplex(pi, n), simplex(old, n), reals(r, n), n >= 2)
    ratios = Gradient(TextSum(pi[o] / old[o], o))
    score = TextSum(r[o] - sp.Sum(pi[o_] * r[o_], (o_, 1, n)), o)
    moved = TextSum((r[o] - sp.Sum(pi[o_] * r[o_], (o_, 1, n))) * pi[o] / old[o], o)
    over = OverTokens(rest=(s, t))
    held = plain(sentence_latex(OnTexts(ratios, score, texts, at=((old, pi),)).by(over), where, PaperPrinter()))
    free = plain(sentence_latex(OnTexts(ratios, moved, texts).by(over), where, PaperPrinter()))
    assert held.startswith(
        "For all π of full support on n values, r ∈ ℝⁿ, 2 ≤ n < ∞: for texts of T ≥ 0 tokens, π, r of"
    )
    assert held.endswith(", at π_old = π")
    assert free.startswith(
        "For all π, π_old of full support on n values, r ∈ ℝⁿ, 2 ≤ n < ∞: for texts of T ≥ 0 tokens, π, "
    )
    assert "π_old = π" not in free


def test_words_with_which_all_parts_begin_are_said_once() -> None:
    least = [AtLeast(sp.Sum(pi[o] * r[o], (o, 1, n)), end, given=(r[o] >= 0,)) for end in (0, -beta)]
    where = Domain(simplex(pi, n), reals(r, n), n >= 1, beta > 0)
    assert once(*(On(where, part) for part in least)).endswith(
        "β > 0: if always r(o) ≥ 0, then: Σ_{o'=1}ⁿ π(o') r(o') ≥ 0; Σ_{o'=1}ⁿ π(o') r(o') ≥ −β"
    )
    moves = [FlowTends(x * (1 - x) ** 2, x, 0, 1, 1), FlowRises(x * (1 - x) ** 2, x, 0, 1)]
    assert (
        once(*moves).lower().count("where x moves with the velocity") == 2
    )  # a comma ends no words: it may be one of a list
    assert once(Always(x > 0), Always(x > 0)) == "For all x > 0: x > 0"


def test_an_inexact_iteration_is_one_of_values_that_the_domain_admits() -> None:
    steps = StaysNear(x / 2, x, 0, sp.Rational(1, 3), sp.Rational(2, 3))
    assert "a sequence of such x, each of which lies within" in sentence_text(steps, Domain(0 <= x, x <= 1))


def test_a_maximum_is_said_over_the_values_of_its_variable_and_for_all_others() -> None:
    square = -((x - p) ** 2)
    inside = Domain(0 < p, p < 1, 0 < x, x < 1, y)
    of = {
        OnlyMaximum(square, x, p): "For all 0 < p < 1: over 0 < x < 1, −(x − p)² is largest at x = p and nowhere else",
        When(p > y, OnlyMaximum(square, x, p)): "For all 0 < p < 1, y ∈ ℝ: over 0 < x < 1, if p > y then "
        "−(x − p)² is largest at x = p and nowhere else",
        LocalMaximum(square + y, x, p, ((y, p),)): "For all 0 < p < 1: over 0 < x < 1, y − (x − p)² has a strict local "
        "maximum at x = p, while y = p is held fixed",
    }
    for statement, line in of.items():
        assert plain(sentence_latex(statement, inside, PaperPrinter())) == line
    above = When(x > 1, OnlyMaximum(12 * x - x**3, x, 2))
    assert sentence_text(above, Domain(x)).startswith("over x > 1, -x^3 + 12*x is largest at x = 2")
    assert sentence_text(OnlyMaximum(-(x**2), x, 0), Domain(x)).startswith("over all real x, ")
    # what is held fixed at a value that speaks of it is not defined by these words
    for value in (y, 2 * y, sp.Abs(y)):
        steep = LocalMaximum(-y * x**2, x, 0, ((y, value),))
        assert sentence_text(steep, Domain(x, y > 0)).startswith("For all y > 0: ")


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ((x > 0) & (y > 0), "over x > 0, if y > 0 then"),
        ((x > 0) & (x > y), "over x > 0 and x > y,"),
        (sp.And(sp.And(x > 0, y > 0, evaluate=False), x < 3, evaluate=False), "over x > 0 and x < 3, if y > 0 then"),
        (x > y, "over x > y,"),
        ((x > 1) | (x < y), "over (x > 1 or x < y),"),
        (sp.Implies(y > 0, x > 0), "over (if y > 0, then x > 0),"),
        (y > 0, "over all real x, if y > 0 then"),
    ],
)
def test_what_a_case_says_of_the_variable_says_among_which_values(condition: sp.Basic, values: str) -> None:
    """Over the reals 12 x − x³ has no maximum: all that bounds x is said of the values that are compared."""
    peak = OnlyMaximum(12 * x - x**3, x, 2)
    printed = sentence_text(When(condition, peak), Domain(x, y))
    assert values in printed
    assert not printed.startswith("For all x")
    assert sentence_text(When(y > 0, When(x > 0, peak)), Domain(x, y)) == (
        "For all y ∈ ℝ: over x > 0, if y > 0 then -x^3 + 12*x is largest at x = 2 and nowhere else."
    )
    tied = sentence_text(OnlyMaximum(-((x - p) ** 2), x, p), Domain(0 < p, p < x + 1, x < y, y))
    assert tied.startswith("For all y ∈ ℝ, p > 0: over x < y and p < x + 1, ")


FAMILY_OF_Y = Domain(reals(P, n), n >= 1, 1 <= o, o <= n, y, sp.Eq(y, P[o]))
OF_K = Domain(k >= 1, n >= 1, y, sp.Eq(y, k**2))


@pytest.mark.parametrize(
    ("statement", "where", "in_text", "in_latex"),
    [
        (
            Equal(sp.Sum(y * k, (k, 1, n)), y * sp.Sum(k, (k, 1, n))),
            OF_K,
            "Σ[k' = 1…n] k'*y",
            "Σ_{k'=1}ⁿ y k' = y Σ_{k'=",
        ),
        (Equal(sp.Product(y, (k, 1, n)), y**n), OF_K, "Π[k' = 1…n] y = y^n", "∏_{k'=1}ⁿ y = yⁿ"),
        (Always(sp.Sum(y * P[o], (o, 1, n)) >= 0), FAMILY_OF_Y, "Σ[o' = 1…n] y*P[o']", "Σ_{o'=1}ⁿ y P(o')"),
        (
            When(sp.Eq(y, k), Equal(sp.Sum(y, (k, 1, n)), n * y)),
            Domain(k >= 1, n >= 1, y),
            "if y = k then Σ[k' = 1…n] y",
            "if y = k then Σ_{k'=1}ⁿ y",
        ),
        (
            Every(Always(k > 0), Always(sp.Sum(k, (k, 1, n)) > 0)),
            Domain(k >= 1, n >= 1),
            "k > 0; Σ[k' = 1…n] k' > 0",
            "k > 0; Σ_{k'=1}ⁿ k' > 0",
        ),
    ],
)
def test_an_index_is_no_letter_of_the_rest_of_the_sentence(
    statement: Statement, where: Domain, in_text: str, in_latex: str
) -> None:
    """With y = k² it would be put in: Σ_k k y is no sum of k³."""
    assert in_text in sentence_text(statement, where)
    for once_ in (False, True):
        assert in_latex in plain(sentence_latex(statement, where, PaperPrinter(), once_))
    checked = [plain(latex(p.phrase, there(PaperPrinter(), where, p.taken))) for p in parts(statement, where)]
    assert in_latex in "; ".join(checked)


def test_an_index_keeps_its_letter_where_no_other_has_it() -> None:
    total, policy = Always(sp.Sum(pi[o], (o, 1, n)) > 0), Domain(simplex(pi, n), n >= 2)
    assert sentence_text(total, policy) == "For all π of full support on n values, 2 ≤ n < ∞: Σ[o = 1…n] π[o] > 0."
    assert "Σ_{o=1}ⁿ" in plain(sentence_latex(total, policy, PaperPrinter()))


@pytest.mark.parametrize(
    ("statement", "where", "printed"),
    [
        (Equal(sp.Derivative(y, x), 0), Domain(x, y, sp.Eq(y, x**2)), "For all x, y ∈ ℝ: ∂/∂x y = 0, at y = x²"),
        (When(sp.Eq(y, x), Equal(sp.Derivative(y, x), 0)), Domain(x, y), "For all x, y ∈ ℝ: ∂/∂x y = 0, at y = x"),
        (
            When((z > 0) & sp.Eq(y, x), Equal(sp.Derivative(y, x), 0)),
            Domain(x, y, z),
            "For all x, y, z ∈ ℝ: if z > 0 then ∂/∂x y = 0, at y = x",
        ),
        (
            Equal(sp.Derivative(old[o_] * pi[o_], pi[o_]), pi[o_]),
            Domain(simplex(pi, n), simplex(old, n), n >= 2, 1 <= o_, o_ <= n, sp.Eq(old[o_], pi[o_])),
            "For all π, π_old of full support on n values, 2 ≤ n < ∞, 1 ≤ o' ≤ n: "
            "∂/∂π(o') (π(o') π_old(o')) = π(o'), at π_old(o') = π(o')",
        ),
        (
            Equal(sp.Derivative(y * x**2, x), 2 * x * z),
            Domain(x, y, z, sp.Eq(y, z)),
            "For all x, z ∈ ℝ with y = z: ∂/∂x (x² y) = 2 x z",
        ),
        (Equal(y, x), Domain(x, y, sp.Eq(y, x)), "For all y ∈ ℝ with y = x: y = x"),
    ],
)
def test_what_is_put_in_once_a_derivative_is_taken_stands_behind_it(
    statement: Statement, where: Domain, printed: str
) -> None:
    """Who puts y = x² into ∂/∂x y = 0 before that reads 2 x = 0."""
    assert plain(sentence_latex(statement, where, PaperPrinter())) == printed
    assert ("at" in sentence_text(statement, where).split()) == (", at " in printed)


def test_a_map_has_another_letter_than_its_point() -> None:
    here = Attracts(x / 2 + y, x, x)
    of = Domain(x, y, sp.Eq(x, 2 * y))
    assert "x is a fixed point of x' ↦ x'/2 + y that" in sentence_text(here, of)
    assert "x is a fixed point of x' ↦ y + x'/2 that" in plain(sentence_latex(here, of, PaperPrinter()))
    assert "y is a fixed point of x ↦ x/2 that" in sentence_text(Attracts(x / 2, x, y), Domain(y, sp.Eq(y, 0)))


def test_where_says_of_what_the_sentence_speaks() -> None:
    """What is checked beside it says itself where, if it has more letters; and so does a part with its own domain."""

    def printed(statement: Statement, because: Statement, where: Domain) -> tuple[str, list[str]]:
        claim = Claim("a", "paper", "1", "a claim", Kind.identity, statement, where, None, because=(because,))
        return plain(values(claim, PaperPrinter())), [plain(p.where) for p in parts_of(claim, PaperPrinter())]

    wide = Domain(x > 0, y > 0, 0 < z, z < 1)
    assert printed(Always(x > 0), Always(y > 0), wide) == ("x > 0", ["", "y > 0"])
    assert printed(Always(x > 0), Always(x + 1 > 0), wide) == ("x > 0", ["", ""])
    assert printed(On(Domain(p > 0), Always(p > 0)), Always(y > 0), wide) == ("", ["p > 0", "y > 0"])
    assert printed(Always(x > 0), Always(y > 0), Domain(0 < x, x < y))[0] == "x > 0"
