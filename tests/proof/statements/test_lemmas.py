"""The stated lemmas, each sampled where it is most in danger: at the ends of its range and near equality."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grpo_symbolic import notation
from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.statements import lemmas
from grpo_symbolic.proof.statements.arithmetic import ARB
from grpo_symbolic.proof.statements.evaluate import holds_at, values_of
from grpo_symbolic.terms.language import Formula
from grpo_symbolic.terms.reading import Reading

x, y = sp.symbols("x y", real=True)

near = st.integers(1, 60).map(lambda k: sp.Rational(1, 2) ** k)
anything = st.fractions(min_value=-30, max_value=30).map(lambda f: sp.Rational(f.numerator, f.denominator))
positive = st.one_of(
    near,
    near.map(lambda e: 1 / e),
    near.map(lambda e: 1 + e),
    near.map(lambda e: 1 - e / 2),
    st.fractions(min_value=0, max_value=30).filter(bool).map(lambda f: sp.Rational(f.numerator, f.denominator)),
)
real = st.one_of(anything, near, near.map(lambda e: -e))


def never_false(stated: object, **values: object) -> None:
    reading = Reading()
    formula = stated.formula(reading) if isinstance(stated, lemmas.Instance) else reading.formula(stated)
    point = {s: v for s, v in ((x, values.get("u")), (y, values.get("v"))) if v is not None}
    assert holds_at(formula, values_of(point, reading), ARB) is not False


@pytest.mark.parametrize("lemma", [lemmas.log_below_tangent, lemmas.log_sign])
@given(positive)
@example(sp.S.One)
@settings(max_examples=150, deadline=None)
def test_lemmas_about_log(lemma, u) -> None:  # type: ignore[no-untyped-def]
    never_false(lemma(x), u=u)


@pytest.mark.parametrize("lemma", [lemmas.exp_positive, lemmas.exp_sign, lemmas.exp_above_tangent])
@given(real)
@example(sp.S.Zero)
@settings(max_examples=150, deadline=None)
def test_lemmas_about_exp(lemma, u) -> None:  # type: ignore[no-untyped-def]
    never_false(lemma(x), u=u)


@given(positive, near, st.booleans())
@settings(max_examples=150, deadline=None)
def test_log_increases(u, gap, swapped) -> None:  # type: ignore[no-untyped-def]
    pair = (u, u + gap) if not swapped else (u + gap, u)
    never_false(lemmas.log_increasing(x, y), u=pair[0], v=pair[1])
    never_false(lemmas.log_increasing(x, y), u=u, v=u)


@given(real, near, st.booleans())
@settings(max_examples=150, deadline=None)
def test_exp_increases(u, gap, swapped) -> None:  # type: ignore[no-untyped-def]
    pair = (u, u + gap) if not swapped else (u + gap, u)
    never_false(lemmas.exp_increasing(x, y), u=pair[0], v=pair[1])
    never_false(lemmas.exp_increasing(x, y), u=u, v=u)


def test_this_test_can_fail() -> None:
    with pytest.raises(AssertionError):
        never_false(sp.Gt(sp.log(x), x - 1), u=sp.Rational(1, 2))


ALL = [
    lemmas.log_below_tangent(x / y),
    lemmas.log_increasing(x, 1 + y),
    lemmas.log_sign(1 - x),
    lemmas.exp_sign(x * y),
    lemmas.exp_above_tangent(x - y),
    lemmas.exp_increasing(x, 2 * y),
]


@pytest.mark.parametrize("instance", ALL, ids=str)
def test_instances_are_accepted_and_have_a_formula(instance) -> None:  # type: ignore[no-untyped-def]
    lemmas.check_instances((instance,))
    assert isinstance(instance.formula(Reading()), Formula)


@pytest.mark.parametrize(
    "given", [sp.Gt(x, 0), sp.Le(sp.log(x), x - 1), lemmas.Instance("log_is_positive", (x,)), "exp_sign"], ids=str
)
def test_nothing_else_is(given) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ClaimError, match="no instance of a stated lemma"):
        lemmas.check_instances((given,))


def test_every_lemma_has_a_function_of_its_name() -> None:
    for name in lemmas.LEMMAS:
        assert getattr(lemmas, name).__doc__


# -- notation -----------------------------------------------------------------------------------------------------


def test_no_symbol_stands_for_two_things() -> None:
    """Of the letters of the module: what result files and other tests declare is there too when these have run."""
    assert all(name == str(e.symbol) for name, e in notation.NOTATION.items())
    own = {str(value) for value in vars(notation).values() if isinstance(value, sp.Symbol | sp.IndexedBase)}
    entries = [notation.NOTATION[name] for name in own]
    assert len(entries) > 100
    assert all(e.latex and e.domain and e.meaning for e in entries)
    told_apart = [e.meaning for e in entries if "auxiliary" not in e.meaning]
    assert len(set(told_apart)) == len(told_apart)


def test_a_symbol_is_not_declared_twice() -> None:
    with pytest.raises(ClaimError, match="declared twice"):
        notation.scalar("beta", r"\beta", "(0, 1)", "something else")
    assert notation.scalar("beta", r"\beta", "(0, ∞)", notation.NOTATION["beta"].meaning) == notation.beta


def test_known_asks_for_the_name() -> None:
    assert notation.known(notation.beta)
    assert not notation.known(sp.Symbol("no_such_symbol"))


def test_scalars_are_real_and_nothing_more() -> None:
    for entry in notation.NOTATION.values():
        if isinstance(entry.symbol, sp.Symbol):
            assert entry.symbol.is_real
            assert entry.symbol.is_positive is None, entry
