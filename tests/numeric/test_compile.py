"""Compiled expressions against mpmath and balls: backends, precisions, shapes, choices, gradients and bad input."""

from __future__ import annotations

from typing import Any

import flint
import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import b, n, o, p, pi, t, x, y
from grpo_symbolic.numeric import compile
from grpo_symbolic.numeric.compiler import blocked

ARRAYS = ("numpy", "torch", "jax")
BACKENDS = (*ARRAYS, "flint", "mpmath")
PAIR = (1 - b + sp.sqrt((1 - b) ** 2 + 4 * b * p)) / 2
CHOICE = sp.Piecewise((sp.log(x), x > y), (sp.sqrt(1 - x), x > 0.25), (3, True)) + sp.Max(x, y, 0.5) - sp.Min(x, 1)


def need(backend: str) -> None:
    pytest.importorskip(backend)


def floats(values: Any) -> np.ndarray:
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    return np.array([float(v) for v in np.asarray(values, dtype=object).ravel()]).reshape(np.shape(values))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("expression", [PAIR.subs({p: x, b: y}), CHOICE, sp.Integer(3), x, sp.Abs(x - y) ** 3 / 7])
def test_backends_agree_with_sympy(backend: str, expression: sp.Expr) -> None:
    need(backend)
    points = [(0.5, 0.75), (0.1, 2.0), (0.9, 0.25), (0.3, 0.9)]
    first, second = (np.array(v) for v in zip(*points, strict=True))
    expected = [float(expression.subs({x: sp.Float(u, 30), y: sp.Float(v, 30)})) for u, v in points]
    np.testing.assert_allclose(floats(compile(expression, [x, y], backend)(first, second)), expected, rtol=1e-14)


@pytest.mark.parametrize("backend", ARRAYS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_shapes_broadcast_and_precision_is_as_asked(backend: str, dtype: str) -> None:
    need(backend)
    f = compile(PAIR, [p, b], backend, dtype)
    result = f(np.full((3, 1), 0.25), np.ones(4))
    assert tuple(result.shape) == (3, 4)
    assert str(result.dtype).endswith(dtype)
    np.testing.assert_allclose(floats(result), 0.5, rtol=1e-6)
    assert tuple(compile(sp.Integer(2), [p], backend)(np.zeros((2, 5))).shape) == (2, 5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_truth_values(backend: str) -> None:
    need(backend)
    f = compile(sp.And(x > 0.4, sp.Or(x <= 0.75, sp.Not(y < 1))), [x, y], backend)
    assert [bool(v) for v in f(np.array([0.25, 0.5, 0.75, 0.875]), 0.0)] == [False, True, True, False]
    implies = compile(sp.Implies(x > y, sp.Ne(x, 1)), [x, y], backend)
    assert [bool(v) for v in implies(np.array([0.25, 0.5, 1.0]), 0.375)] == [True, True, False]


def test_blocks_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    size = 5 * blocked.BLOCK + 17
    u, v = rng.random(size), rng.random(size)
    whole = sp.lambdify([x, y], CHOICE, "numpy")(u, v)
    np.testing.assert_allclose(compile(CHOICE, [x, y])(u, v), whole, rtol=1e-14, atol=1e-15)
    monkeypatch.setattr(blocked, "usable_cores", lambda: 4)
    monkeypatch.setattr(blocked, "BLOCK", 1000)
    monkeypatch.setattr(blocked, "_THREADED", 1000)
    np.testing.assert_allclose(compile(CHOICE, [x, y])(u, v), whole, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(
        compile(CHOICE, [x, y])(u, 0.5), sp.lambdify([x, y], CHOICE)(u, 0.5), rtol=1e-14, atol=1e-15
    )


@given(
    st.recursive(
        st.sampled_from([x, y, sp.Integer(2), sp.Rational(1, 3)]),
        lambda e: st.builds(
            lambda f, a, c: f(a, c),
            st.sampled_from(
                [
                    lambda a, c: a + c,
                    lambda a, c: a - c,
                    lambda a, c: a * c,
                    lambda a, c: a / (1 + c**2),
                    lambda a, c: sp.Max(a, c),
                    lambda a, c: sp.Min(a, c),
                    lambda a, c: sp.sqrt(1 + a**2) - c,
                    lambda a, c: sp.log(1 + c**2) * a,
                    lambda a, c: sp.exp(-(a**2)) - sp.cosh(c / (1 + c**2)),
                    lambda a, c: sp.Piecewise((a, c > 1), (c, True)),
                    lambda a, c: sp.Abs(a) - sp.tanh(c),
                ]
            ),
            e,
            e,
        ),
        max_leaves=8,
    ),
    st.booleans(),
)
@example(sp.Piecewise((x, sp.sqrt(x**2 + 1) - x > 1), (sp.sqrt(x**2 + 1) - x, True)), True)
@settings(max_examples=60, deadline=None)
def test_random_expressions_lie_in_their_balls(expression: sp.Expr, stable: bool) -> None:
    arguments = [x, y]
    u, v = np.array([0.1, 1.5, -2.25]), np.array([3.0, 0.7, 1e-3])
    ours = compile(expression, arguments, stable=stable)(u, v)
    sizes = 1 + np.abs(ours)
    for k, ball in enumerate(compile(expression, arguments, "flint", stable=not stable, digits=60)(u, v)):
        assert abs(float(ball) - ours[k]) <= 1e-11 * sizes[k]


def test_balls_enclose_at_the_digits_asked_for() -> None:
    before = flint.ctx.prec
    root = compile(sp.sqrt(x), [x], "flint", digits=200)("0.1")
    assert flint.ctx.prec == before
    assert root.rel_accuracy_bits() > 600
    assert (root**2).contains(flint.fmpq(1, 10))
    precise = compile(sp.sqrt(x), [x], "mpmath", digits=80)("0.1")
    with mpmath.workdps(80):
        assert abs(precise**2 - mpmath.mpf(1) / 10) < mpmath.mpf(10) ** -79
    assert compile(x > y, [x, y], "flint")(flint.arb(1, 1), 1) is None  # the ball holds both answers


@pytest.mark.parametrize("backend", ["torch", "jax"])
def test_gradients_are_numbers_where_a_branch_is_singular(backend: str) -> None:
    need(backend)
    choice = sp.Piecewise((sp.log(x), x > 1), (x * sp.sqrt(1 - x), x < sp.S.Half), (1 / x, True))
    points = [0.0, 0.25, 0.5, 1.0, 2.0]
    expected = [1.0, np.sqrt(0.75) - 0.125 / np.sqrt(0.75), -4.0, -1.0, 0.5]
    np.testing.assert_allclose(gradient(choice, points, backend), expected, rtol=1e-12)
    extrema = sp.Max(2 * x, x + 1) + sp.Min(sp.exp(x), 1000)
    assert np.isfinite(gradient(extrema, [0.0, 1.0, 800.0], backend)[:2]).all()


def gradient(expression: sp.Expr, points: list[float], backend: str) -> list[float]:
    f = compile(expression, [x], backend)
    if backend == "torch":
        import torch

        at = torch.tensor(points, dtype=torch.float64, requires_grad=True)
        f(at).sum().backward()
        return at.grad.tolist()
    import jax

    with compile(x, [x], "jax").array_backend.precision():  # otherwise JAX makes a float32 of the point
        return [float(jax.grad(f)(v)) for v in points]


def test_jax_keeps_the_users_precision_setting() -> None:
    jax = pytest.importorskip("jax")
    before = jax.config.jax_enable_x64
    result = compile(PAIR, [p, b], "jax")(0.1, 3.0)
    assert str(result.dtype) == "float64"
    assert jax.config.jax_enable_x64 == before


def test_one_function_per_request() -> None:
    assert compile(PAIR, [p, b]) is compile(PAIR, (p, b))
    assert compile(PAIR, [p, b]) is not compile(PAIR, [b, p])
    assert compile(PAIR, [p, b]) is not compile(PAIR, [p, b], stable=False)
    assert compile(PAIR, [p, b]) is not compile(PAIR, [p, b], dtype="float32")


def test_common_parts_are_computed_once() -> None:
    costly = sp.tanh(x * y + 1)
    f = compile(sp.sqrt(costly) + costly * sp.exp(costly), [x, y])
    assert f.source.count("xp.tanh(") == 1


def test_sums_over_families_are_unrolled() -> None:
    total = sp.Sum(pi[o] ** 2, (o, 1, 3))
    assert compile(total, [pi[1], pi[2], pi[3]])(1.0, 2.0, 3.0) == 14.0


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (lambda: compile(x + y, [x]), "holds y"),
        (lambda: compile(x, [x], "cupy"), "no backend 'cupy'"),
        (lambda: compile(x, [x], dtype="float16"), "float16"),
        (lambda: compile(x, [x], device="cuda"), "cpu only"),
        (lambda: compile(x, [x, x]), "different symbols"),
        (lambda: compile("x", [x]), "SymPy expression was expected"),
        (lambda: compile(sp.Sum(pi[o], (o, 1, n)), [n]), "bounds"),
        (lambda: compile(sp.gamma(x), [x]), "gamma cannot be evaluated"),
        (lambda: compile(sp.I * x, [x]), "not a real number"),
        (lambda: compile(x, [x])(1.0, 2.0), "1 arguments"),
        (lambda: compile(x, [x], digits=0, backend="mpmath"), "digits"),
        (lambda: compile(x, [x], "mpmath")(float("nan")), "finite number"),
    ],
)
def test_bad_input_is_named(request_: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        request_()


def test_untaken_infinities_do_not_leak() -> None:
    f = compile(sp.Piecewise((sp.log(x) / x, x > 0), (0, True)), [x])
    np.testing.assert_array_equal(f([-1.0, 0.0, 1.0]), [0.0, 0.0, 0.0])
    assert compile(sp.Piecewise((1 / t, t > 0), (5, True)), [t], "mpmath")(0) == 5
