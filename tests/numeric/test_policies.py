"""Stationary policies in bulk: against closed forms, an independent reading of (11), Arb, and finite differences."""

from __future__ import annotations

import itertools
import math

import flint
import numpy as np
import pytest

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.policies.stationary import stationary_policy

VARIANTS = [
    {"group_size": 2},
    {"group_size": 2, "guard": 0.01},
    {"group_size": 2, "guard": 0.1, "guard_inside": False},
    {"group_size": 2, "penalty": "reverse-kl"},
    {"group_size": math.inf},
    {"group_size": math.inf, "guard": 0.01},
    {"group_size": math.inf, "guard": 0.1, "guard_inside": False},
    {"group_size": math.inf, "penalty": "reverse-kl", "guard": 0.01},
    {"group_size": 4},
    {"group_size": 5, "guard": 0.01, "penalty": "forward-kl"},
    {"group_size": 3, "penalty": "reverse-kl"},
    {"group_size": 6, "scaled": False},
    {"group_size": math.inf, "scaled": False, "penalty": "reverse-kl"},
]


def problems(count: int, n: int, seed: int = 0, smallest: float = 1e-6) -> tuple[np.ndarray, np.ndarray]:
    """References with tiny entries, and rewards with ties."""
    rng = np.random.default_rng(seed)
    reference = np.exp(rng.uniform(math.log(smallest), 0, (count, n)))
    return reference / reference.sum(-1, keepdims=True), rng.integers(0, 3, (count, n)).astype(float)


def preference(policy, rewards, group_size, scaled=True, guard=0.0, guard_inside=True):
    """P_G(o|π) straight from its definition: every ordered group enumerated."""
    n = len(policy)
    if math.isinf(group_size):
        mean = policy @ rewards
        spread = policy @ (rewards - mean) ** 2
        return _divided(rewards - mean, spread, scaled, guard, guard_inside)
    result = np.zeros(n)
    for o in range(n):
        for others in itertools.product(range(n), repeat=group_size - 1):
            group = rewards[[o, *others]]
            gain = _divided(group - group.mean(), group.var(), scaled, guard, guard_inside)[0]
            result[o] += math.prod(policy[list(others)]) * gain
    return result


def _divided(centred, variance, scaled, guard, guard_inside):
    if not scaled:
        return centred
    deviation = math.sqrt(variance + guard) if guard_inside else math.sqrt(variance) + guard
    return centred / deviation if deviation else 0 * centred


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [2, 3])
def test_satisfies_the_definition(variant, n):
    reference, rewards = problems(12, n)
    beta = np.geomspace(0.3, 30, 12)
    solution = stationary_policy(reference, rewards, beta, **variant)
    assert solution.converged.all()
    settings = {k: v for k, v in variant.items() if k not in ("penalty",)}
    for pi, ref, r, b in zip(solution.policy, reference, rewards, beta, strict=True):
        advantage = preference(pi, r, **settings)
        if variant.get("penalty") == "reverse-kl":
            pooled = ref * np.exp(advantage / b)
            assert pi == pytest.approx(pooled / pooled.sum(), abs=1e-11)
        else:
            assert (1 - advantage / b) * pi == pytest.approx(ref, abs=1e-11)
        assert pi.sum() == pytest.approx(1, abs=1e-14)
        assert (pi > 0).all()


def test_two_answers_match_the_printed_closed_forms():
    p = np.geomspace(1e-12, 0.99, 60)[:, None]
    beta = np.geomspace(1e-3, 1e3, 50)
    reference = np.stack(np.broadcast_arrays(p, 1 - p), axis=-1)
    best = stationary_policy(reference, [3.0, 1.0], beta, 2).policy[..., 0]
    printed = (1 - beta + np.sqrt((1 - beta) ** 2 + 4 * beta * p)) / 2  # (14)
    np.testing.assert_allclose(best, printed, atol=3e-13)  # the print itself cancels for β > 1
    best = stationary_policy(reference, [3.0, 1.0], beta, math.inf).policy[..., 0]
    square = beta**2
    printed = (2 * square * p + 1 + np.sqrt(1 + 4 * square * p * (1 - p))) / (2 * (1 + square))  # (15)
    np.testing.assert_allclose(best, printed, rtol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 7, 64])
@pytest.mark.parametrize("group_size", [2, math.inf])
def test_extremes_converge(n, group_size):
    rng = np.random.default_rng(n)
    reference, _ = problems(3000, n, smallest=1e-12)
    rewards = rng.normal(size=(3000, n)) * 10 ** rng.uniform(-12, 12, (3000, 1))
    rewards[::3] = np.round(rewards[::3])
    rewards[:7] = 0.25
    beta = 10 ** rng.uniform(-3, 3, 3000)
    solution = stationary_policy(reference, rewards, beta, group_size)
    assert solution.converged.all()
    np.testing.assert_allclose(solution.policy[:7], reference[:7], rtol=1e-13)  # 0/0 ≡ 0
    np.testing.assert_allclose(solution.multiplier, 0, atol=1e-9)


def test_finite_groups_lie_between_two_and_many_and_tend_to_the_limit():
    reference, rewards = [0.1, 0.2, 0.7], [1.0, 0.0, 0.0]
    best = [stationary_policy(reference, rewards, 0.5, g).policy[0] for g in (2, 3, 8, 64, 2000, math.inf)]
    assert best == sorted(best)
    assert best[-2] == pytest.approx(best[-1], abs=1e-3)
    split = stationary_policy(reference, rewards, 0.5, 8).policy
    assert split[1] / split[2] == pytest.approx(2 / 7, rel=1e-13)


def test_preference_matrix():
    """A cycle, which no rewards have: by symmetry the reference 1/3 is stationary; and rewards as a matrix agree."""
    cycle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0.0]])
    solution = stationary_policy(np.full(3, 1 / 3), None, 0.05, 2, preference=cycle)
    np.testing.assert_allclose(solution.policy, 1 / 3, rtol=1e-12)
    reference, rewards = problems(50, 6)
    matrix = (rewards[:, :, None] > rewards[:, None, :]) * 1.0
    by_matrix = stationary_policy(reference, None, 0.2, 2, preference=matrix)
    assert by_matrix.converged.all()
    np.testing.assert_allclose(by_matrix.policy, stationary_policy(reference, rewards, 0.2, 2).policy, rtol=1e-9)


def test_rows_that_have_no_stationary_policy_are_named():
    """Direct KL, two answers, large groups: none for small β (Appendix B.2), one by closed form for a large one."""
    solution = stationary_policy([0.5, 0.5], [1.0, 0.0], np.array([0.05, 5.0]), math.inf, "reverse-kl")
    assert solution.converged.tolist() == [False, True]
    # Where the policy has run into a corner the residual says nothing: this row has none either.
    corner = stationary_policy([0.999, 0.001], [1.0, 0.0], 1e-3, math.inf, "reverse-kl")
    assert not corner.converged
    x = solution.policy[1, 0]
    assert 1 / (5 * math.sqrt(x * (1 - x))) == pytest.approx(math.log(x / (1 - x)), rel=1e-12)


def test_direct_kl_takes_the_smallest_tilt():
    """The same equation has a second root nearer to 1; the first must not be stepped over, even next to the fold."""
    grid = np.linspace(0.5, 1 - 1e-9, 2_000_001)[1:-1]
    for beta in (1.55, 2.0, 10.0):
        slope = 1 / (beta * np.sqrt(grid * (1 - grid))) - np.log(grid / (1 - grid))
        crossings = np.flatnonzero(slope[1:] * slope[:-1] < 0)
        solution = stationary_policy([0.5, 0.5], [1.0, 0.0], beta, math.inf, "reverse-kl")
        assert bool(solution.converged) == (len(crossings) > 0)
        if len(crossings):
            assert solution.policy[0] == pytest.approx(grid[crossings[0]], abs=1e-6)


def test_arb_encloses_random_rows():
    """Krawczyk's operator maps a box around the computed policy into itself: a stationary policy lies in the box."""
    reference, _ = problems(200, 5, seed=3, smallest=1e-3)
    rewards = np.random.default_rng(5).normal(size=(200, 5))
    for size in (2, math.inf):
        solution = stationary_policy(reference, rewards, 0.7, size)
        for row in np.random.default_rng(1).choice(200, 12, replace=False):
            ref = reference[row] / reference[row].sum()
            assert _krawczyk(flint, solution.policy[row], ref, rewards[row], 0.7, size, radius=1e-11)
            shifted = solution.policy[row] * (1 + 1e-7 * np.arange(5))
            assert not _krawczyk(flint, shifted, ref, rewards[row], 0.7, size, radius=1e-11)


def _krawczyk(flint, policy, reference, rewards, beta, size, radius) -> bool:
    arb, n = flint.arb, len(policy)
    r, ref = [arb(float(x)) for x in rewards], [arb(float(x)) for x in reference]
    # rounding leaves Σ π_ref one unit off 1; the stationary equation needs it exactly
    ref[-1] = 1 - sum(ref[:-1], arb(0))

    def value_and_jacobian(pi):
        if size == 2:
            signs = [[int(np.sign(rewards[i] - rewards[j])) for j in range(n)] for i in range(n)]
            advantage = [sum((s * x for s, x in zip(row, pi, strict=True)), arb(0)) for row in signs]
            slope = [[arb(s) for s in row] for row in signs]
        else:
            total = sum(pi, arb(0))
            mean = sum((a * b for a, b in zip(pi, r, strict=True)), arb(0)) / total
            gap = [x - mean for x in r]
            variance = sum((a * g * g for a, g in zip(pi, gap, strict=True)), arb(0)) / total
            s = variance.sqrt()
            advantage = [g / s for g in gap]
            slope = [
                [(-gap[j] / s - gap[i] * (gap[j] ** 2 - variance) / (2 * s**3)) / total for j in range(n)]
                for i in range(n)
            ]
        value = [(1 - a / beta) * x - q for a, x, q in zip(advantage, pi, ref, strict=True)]
        jacobian = [
            [(1 - advantage[i] / beta if i == j else arb(0)) - pi[i] * slope[i][j] / beta for j in range(n)]
            for i in range(n)
        ]
        return flint.arb_mat([[v] for v in value]), flint.arb_mat(jacobian)

    centre = [arb(float(x)) for x in policy]
    box = [arb(float(x), radius) for x in policy]
    at_centre, there = value_and_jacobian(centre)
    inverse = there.inv().mid()
    _, over_box = value_and_jacobian(box)
    eye = flint.arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])
    offset = flint.arb_mat([[b - c] for b, c in zip(box, centre, strict=True)])
    image = flint.arb_mat([[c] for c in centre]) - inverse * at_centre + (eye - inverse * over_box) * offset
    return all(box[i].contains_interior(image[i, 0]) for i in range(n))


CASES = [("torch", i) for i in (0, 3, 5, 7, 8, 10, 11)] + [("jax", i) for i in (0, 5, 8)]  # JAX compiles for seconds


@pytest.mark.parametrize(("backend", "case"), CASES)
def test_backends_and_gradients(backend, case):
    """The policy is NumPy's, and the derivative of a weighted sum is that of finite differences."""
    pytest.importorskip(backend)
    variant = VARIANTS[case]
    reference, rewards = np.array([[0.15, 0.25, 0.6], [0.3, 0.5, 0.2]]), np.array([[1.0, 0.0, 0.0], [2.0, 1.0, 0.0]])
    beta, weights = np.array([1.3, 2.1]), np.array([0.3, -1.0, 2.0])
    if backend == "jax":
        reference, rewards, beta = reference[:1], rewards[:1], beta[:1]

    def total(ref, b):
        return float(
            (stationary_policy(ref / ref.sum(-1, keepdims=True), rewards, b, **variant).policy * weights).sum()
        )

    expected = stationary_policy(reference, rewards, beta, **variant).policy
    if backend == "torch":
        import torch

        ref, b = (torch.tensor(a, requires_grad=True) for a in (reference, beta))
        policy = stationary_policy(ref, rewards, b, backend="torch", **variant).policy
        (policy * torch.tensor(weights)).sum().backward()
        by_ref, by_beta, got = ref.grad.numpy(), b.grad.numpy(), policy.detach().numpy()
    else:
        import jax

        with jax.enable_x64(True):

            def loss(ref, b):
                return (stationary_policy(ref, rewards, b, backend="jax", **variant).policy * weights).sum()

            by_ref, by_beta = jax.grad(loss, argnums=(0, 1))(jax.numpy.asarray(reference), jax.numpy.asarray(beta))
            got = stationary_policy(reference, rewards, beta, backend="jax", **variant).policy
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-11)
    for i, (given, grad) in enumerate(((reference, by_ref), (beta, by_beta))):
        for index in np.ndindex(given.shape):
            h = np.zeros_like(given)
            h[index] = 1e-5
            ends = [(reference + s * h, beta) if i == 0 else (reference, beta + s * h) for s in (1, -1)]
            slope = (total(*ends[0]) - total(*ends[1])) / 2e-5
            assert float(np.asarray(grad)[index]) == pytest.approx(slope, rel=2e-6, abs=2e-8)


def test_gradient_of_two_answers_is_that_of_the_closed_form():
    torch = pytest.importorskip("torch")
    b = torch.tensor(np.geomspace(0.01, 100, 30), requires_grad=True)
    stationary_policy([0.2, 0.8], [1.0, 0.0], b, 2, backend="torch").policy[:, 0].sum().backward()
    x = b.detach().numpy()
    root = np.sqrt((1 - x) ** 2 + 4 * x * 0.2)
    np.testing.assert_allclose(b.grad.numpy(), (-1 + (x - 1 + 0.4) / root) / 2, rtol=1e-9)  # d(14)/dβ


def test_broadcasting_and_empty_batches():
    solution = stationary_policy(np.full((5, 1, 3), 1 / 3), np.arange(3.0), np.ones(4), 3)
    assert solution.policy.shape == (5, 4, 3)
    assert solution.residual.shape == solution.converged.shape == solution.multiplier.shape == (5, 4)
    assert stationary_policy(np.zeros((0, 3)), np.zeros(3), 1.0, 2).policy.shape == (0, 3)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"beta": [1.0, -2.0]}, r"beta must be positive.*-2.0 in row 1"),
        ({"beta": math.nan}, r"beta must be positive.*nan"),
        ({"reference": [[0.5, 0.5], [0.6, 0.6]]}, r"sum to 1, got 1.2 in row 1"),
        ({"reference": [[0.5, 0.5], [0.0, 1.0]]}, r"positive for every answer, got 0.0 in row 1, answer 0"),
        ({"rewards": [[0, 1], [0, math.nan]]}, r"rewards must be finite, got nan in row 1, answer 1"),
        ({"rewards": [1e308, -1e308]}, r"finite range"),
        ({"rewards": [1.0, 2.0, 3.0]}, r"reference has 2 answers.*rewards has shape \(3,\)"),
        ({"beta": [1.0, 1.0, 1.0]}, r"do not broadcast"),
        ({"group_size": 1}, r"from 2, got 1"),
        ({"group_size": 2.5}, r"from 2, got 2.5"),
        ({"penalty": "js"}, r"'js'"),
        ({"guard": -1.0}, r"guard.*-1.0"),
        ({"preference": [[0, 1], [0, 0]]}, r"either rewards or"),
        ({"rewards": None, "preference": [[0, 2], [0, 0]]}, r"\[0, 1\], got 2.0 in the only row, answer 0, 1"),
        ({"backend": "tpu"}, r"'tpu'"),
    ],
)
def test_bad_input_is_named(change, sentence):
    given = {"reference": [[0.5, 0.5], [0.4, 0.6]], "rewards": [1.0, 0.0], "beta": 1.0, "group_size": 2} | change
    with pytest.raises(BadInput, match=sentence):
        stationary_policy(**given)


def test_too_many_groups_are_refused_never_sampled():
    rewards = np.arange(20.0)
    with pytest.raises(BadInput, match="groups of 16 over 20 distinct rewards"):
        stationary_policy(np.full(20, 0.05), rewards, 1.0, 16)
    assert stationary_policy(np.full(20, 0.05), rewards > 10, 1.0, 16).converged  # two levels need no such table


def test_gradients_in_rewards_and_jit_are_refused():
    torch = pytest.importorskip("torch")
    with pytest.raises(BadInput, match="rewards"):
        stationary_policy([0.5, 0.5], torch.ones(2, requires_grad=True), 1.0, 2, backend="torch")
    jax = pytest.importorskip("jax")
    with pytest.raises(BadInput, match="jit"):
        jax.jit(lambda b: stationary_policy([0.5, 0.5], [1.0, 0.0], b, 2, backend="jax").policy)(1.0)
