"""Penalties and advantages of one's own: held to plain floating-point code that shares nothing with the derivation."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from checkout import ROOT
from command_line import cli
from typer.testing import Result

import grpo_symbolic as gs
from grpo_symbolic.errors import BadInput
from grpo_symbolic.formulas import ARITHMETIC, read_formula
from grpo_symbolic.notation import beta, n, o, o_, old, p, pi, ref, x
from grpo_symbolic.objectives import Advantage, Answers, as_advantage, as_penalty, binary, kl
from grpo_symbolic.objectives.own import levels
from grpo_symbolic.optimality.signs import sign_of, upright
from grpo_symbolic.theory.closed import solved

Floats = Sequence[float]
# Textbook definitions, of the new policy, the reference and the old policy.
PENALTIES: dict[str, Callable[[Floats, Floats, Floats], float]] = {
    "chi2": lambda a, r, y: sum((s - t) ** 2 / t for s, t in zip(a, r, strict=True)),
    "chi2_reverse": lambda a, r, y: sum((s - t) ** 2 / s for s, t in zip(a, r, strict=True)),
    "hellinger": lambda a, r, y: 1 - sum(math.sqrt(s * t) for s, t in zip(a, r, strict=True)),
    "jensen_shannon": lambda a, r, y: sum(
        s * math.log(2 * s / (s + t)) / 2 + t * math.log(2 * t / (s + t)) / 2 for s, t in zip(a, r, strict=True)
    ),
    "renyi(2)": lambda a, r, y: math.log(sum(s**2 / t for s, t in zip(a, r, strict=True))),
    "renyi(1/2)": lambda a, r, y: -2 * math.log(sum(math.sqrt(s * t) for s, t in zip(a, r, strict=True))),
    "alpha_divergence(1/3)": lambda a, r, y: (
        (sum(s ** (1 / 3) * t ** (2 / 3) for s, t in zip(a, r, strict=True)) - 1) / (-2 / 9)
    ),
    "(pi/pi_ref - 1)^2/2": lambda a, r, y: sum(w * (s / t - 1) ** 2 / 2 for s, t, w in zip(a, r, y, strict=True)),
    "sum(pi*log(pi/pi_ref))": lambda a, r, y: sum(s * math.log(s / t) for s, t in zip(a, r, strict=True)),
    "2*(x - p)^2": lambda a, r, y: 2 * (a[0] - r[0]) ** 2,
    "tv": lambda a, r, y: sum(abs(s - t) for s, t in zip(a, r, strict=True)) / 2,
    "tv + chi2/4": lambda a, r, y: sum(abs(s - t) / 2 + (s - t) ** 2 / t / 4 for s, t in zip(a, r, strict=True)),
    "max(pi/pi_ref, 1)": lambda a, r, y: sum(w * max(s / t, 1) for s, t, w in zip(a, r, y, strict=True)),
    "sum(abs(log(pi/pi_ref)))": lambda a, r, y: sum(abs(math.log(s / t)) for s, t in zip(a, r, strict=True)),
}
KINKED = {"tv", "tv + chi2/4", "max(pi/pi_ref, 1)", "sum(abs(log(pi/pi_ref)))"}


def _scaled(rewards: Floats) -> list[float]:
    mean = sum(rewards) / len(rewards)
    deviation = math.sqrt(sum((v - mean) ** 2 for v in rewards) / len(rewards))
    return [(v - mean) / deviation if deviation else 0.0 for v in rewards]


def _ranks(rewards: Floats) -> list[float]:
    return [sum(w < v for w in rewards) + (sum(w == v for w in rewards) + 1) / 2 for v in rewards]


def _median(values: Floats) -> float:
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _by_mad(rewards: Floats) -> list[float]:
    middle = _median(rewards)
    spread = _median([abs(v - middle) for v in rewards])
    return [(v - middle) / (spread + 0.1) for v in rewards]


def _above_quantile(rewards: Floats) -> list[float]:
    ordered, place = sorted(rewards), 0.75 * (len(rewards) - 1)
    low = math.floor(place)
    quantile = ordered[low] + (place - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low])
    return [v - quantile for v in rewards]


ADVANTAGES: dict[str, Callable[[Floats], list[float]]] = {
    "(r - mean)/std": _scaled,
    "(2*rank - G - 1)/(G - 1)": lambda r: [(2 * k - len(r) - 1) / (len(r) - 1) for k in _ranks(r)],
    "(r - median)/(mad + 0.1)": _by_mad,
    "r - quantile(3/4)": _above_quantile,
    "clip((r - mean)/std, -1, 1)": lambda r: [min(max(v, -1), 1) for v in _scaled(r)],
    "r - 1/2": lambda r: [v - 0.5 for v in r],
}


def _objective(a: float, y: float, r: float, size: int, strength: float, penalty: Any, rule: Any) -> float:
    """The frozen objective of success ``a``: every group by its number of correct answers."""
    total = 0.0
    for correct in range(size + 1):
        chance = math.comb(size, correct) * y**correct * (1 - y) ** (size - correct)
        found = rule([1.0] * correct + [0.0] * (size - correct))
        ratios = [a / y] * correct + [(1 - a) / (1 - y)] * (size - correct)
        total += chance * sum(w * v for w, v in zip(ratios, found, strict=True)) / size
    return total - strength * penalty((a, 1 - a), (r, 1 - r), (y, 1 - y))


def _slope(at: float, *rest: Any) -> float:
    step = 1e-5 * min(at, 1 - at)
    return (_objective(at + step, at, *rest) - _objective(at - step, at, *rest)) / (2 * step)


def _crossings(*rest: Any) -> list[float]:
    """Where the on-policy slope changes sign, for log-odds within 7, by bisection in floating point."""
    grid = [1 / (1 + math.exp(-t / 20 - 0.001)) for t in range(-140, 141)]
    found = []
    for low, high in pairwise(grid):
        first = _slope(low, *rest)
        if first * _slope(high, *rest) < 0:
            for _ in range(50):
                middle = (low + high) / 2
                low, high = (middle, high) if _slope(middle, *rest) * first > 0 else (low, middle)
            found.append((low + high) / 2)
    return found


def _inside(values: Sequence[float]) -> list[float]:
    return sorted(v for v in values if 0.001 < v < 0.999)


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_penalties_of_ones_own(penalty: str, size: int) -> None:
    rng = random.Random(f"{penalty} {size}")
    found = gs.theory(divergence=penalty, group_size=size)
    for _ in range(2):
        strength, start = sp.Rational(rng.randint(2, 40), 10), sp.Rational(rng.randint(1, 19), 20)
        here = gs.theory(divergence=penalty, group_size=size, beta=strength, p_ref=start)
        expected = _inside(_crossings(float(start), size, float(strength), PENALTIES[penalty], _scaled))
        certified = [float(q.success.low) for q in here.numbers.policies]
        blur = 1e-5 if penalty in KINKED else 2e-6  # the step of the difference
        assert _inside(certified) == pytest.approx(expected, abs=blur), (strength, start)
        assert any(q.extremum == "kink" for q in here.numbers.policies) <= (penalty in KINKED)
        if found.closed_forms is not None:
            values = {p: start, beta: strength}
            forms = [c.policy.subs(values) for c in found.closed_forms if c.where.subs(values) == sp.true]
            assert _inside(sorted({round(float(sp.N(v)), 9) for v in forms})) == pytest.approx(expected, abs=blur)


@pytest.mark.parametrize("advantage", ADVANTAGES)
@pytest.mark.parametrize("size", [2, 3, 6])
def test_advantages_of_ones_own(advantage: str, size: int) -> None:
    rng = random.Random(f"{advantage} {size}")
    for given in (advantage, ADVANTAGES[advantage]):
        for penalty in ("hellinger", "sum(pi*log(pi/pi_ref))"):
            strength, start = sp.Rational(rng.randint(2, 20), 10), sp.Rational(rng.randint(1, 19), 20)
            here = gs.theory(advantage=given, divergence=penalty, group_size=size, beta=strength, p_ref=start)
            rule = ADVANTAGES[advantage]
            expected = _crossings(float(start), size, float(strength), PENALTIES[penalty], rule)
            certified = [float(q.success.low) for q in here.numbers.policies]
            assert _inside(certified) == pytest.approx(_inside(expected), abs=2e-6), (given, penalty, strength, start)


def test_the_curvature_is_that_of_the_objective() -> None:
    for penalty, size, rule in (("renyi(1/2)", 3, "(r - median)/(mad + 0.1)"), ("chi2_reverse", 4, "r - 1/2")):
        found = gs.theory(advantage=rule, divergence=penalty, group_size=size)
        for at, start, strength in ((0.3, 0.2, 1.5), (0.8, 0.4, 0.25)):
            rest = at, start, size, strength, PENALTIES[penalty], ADVANTAGES[rule]
            step = 1e-4
            second = (_objective(at + step, *rest) - 2 * _objective(at, *rest) + _objective(at - step, *rest)) / step**2
            values = {x: sp.Rational(str(at)), p: sp.Rational(str(start)), beta: sp.Rational(str(strength))}
            assert float(sp.N(found.curvature.subs(values))) == pytest.approx(second, rel=1e-4)


def test_a_formula_that_is_a_divergence_of_the_package_is_that_one() -> None:
    for text, name in (
        ("sum(pi*log(pi/pi_ref))", "reverse-kl"),
        ("sum(pi_ref*log(pi_ref/pi))", "forward-kl"),
        ("pi_ref/pi - log(pi_ref/pi) - 1", "k3"),
        ("log(pi/pi_ref)^2/2", "k2"),
        ("log(pi/sg(pi))*sg(log(pi/pi_ref))", "reverse-kl"),
    ):
        own, named = (gs.theory(divergence=d, group_size=2, beta=1, p_ref="1/5") for d in (text, name))
        assert own.penalty_gradient == named.penalty_gradient
        assert own.closed_form == named.closed_form
        assert str(own.numbers.policies[0].success) == str(named.numbers.policies[0].success)
        assert own.answers["closed form"].open  # no claim speaks of a formula


def test_the_pieces_that_a_penalty_can_be() -> None:
    written = as_penalty("sum((pi - pi_ref)^2)")
    for other in (
        sp.Sum((pi[o_] - ref[o_]) ** 2, (o_, 1, n)),
        lambda policy, reference, answers, index: answers.total(lambda a: (policy[a] - reference[a]) ** 2, index),
    ):
        assert (
            gs.theory(divergence=other, group_size=2).gradient == gs.theory(divergence=written, group_size=2).gradient
        )
    estimator = sp.Rational(1, 2) * (pi[o] / ref[o] - 1) ** 2
    by_function = gs.theory(divergence=lambda a, r: (a / r - 1) ** 2 / 2, group_size=2)
    assert gs.theory(divergence=estimator, group_size=2).gradient == by_function.gradient
    assert (
        gs.theory(divergence=kl, group_size=2).closed_form
        == gs.theory(divergence="reverse-kl", group_size=2).closed_form
    )

    @dataclass(frozen=True)
    class Mine:
        strength: int

        def expected(self, policy: Any, *rest: Any) -> sp.Expr:
            return self.strength * (policy[0] - rest[0][0]) ** 2

    assert sp.simplify(gs.theory(divergence=Mine(3), group_size=2).gradient - (1 - 6 * beta * (x - p))) == 0


def test_many_answers_of_a_penalty_that_is_no_mean() -> None:
    """Σ π²/π_ref has the derivative 2π(o)/π_ref(o), and its logarithm that over the sum."""
    from grpo_symbolic.notation import P

    total = sp.Sum(pi[o_] ** 2 / ref[o_], (o_, 1, n))
    left = P[o] - sp.Sum(P[o_] * pi[o_], (o_, 1, n))
    assert gs.theory(divergence="chi2", group_size=8).stationary_many.lhs == left
    equation = gs.theory(divergence="renyi(2)", group_size=8).stationary_many
    assert sp.simplify(equation.rhs - beta * (2 * pi[o] / (ref[o] * total) - 2)) == 0
    assert gs.theory(divergence="tv", group_size=8).stationary_many is None
    assert gs.theory(divergence="(x - p)^2", group_size=8).stationary_many is None


def test_an_advantage_with_a_rule_of_its_own_is_used() -> None:
    class Halved(Advantage):
        def of_group(self, rewards: Any) -> list[sp.Expr]:
            return [v / 2 for v in Advantage().of_group(rewards)]

    plain, halved = (gs.theory(advantage=a, group_size=8) for a in (Advantage(), Halved()))
    assert sp.simplify(halved.gap - plain.gap / 2) == 0
    large = gs.theory(advantage="(r - mean)/(std + 1/100)", group_size="oo")
    named = gs.theory(normaliser="std+eps", guard="1/100", group_size="oo")
    assert sp.simplify(large.gap - named.gap) == 0


def test_the_points_that_clearing_adds_are_left_out() -> None:
    assert solved((x - p) * (x - beta) / (x - p)) == solved(x - beta)
    ((root,),) = [solved((x - sp.Rational(1, 3)) / (x - p))]
    assert root.where.subs(p, sp.Rational(1, 3)) == sp.false
    assert root.where.subs(p, sp.Rational(1, 4)) == sp.true
    form = gs.theory(divergence="(pi/pi_ref - 1)^2/2", group_size=2).closed_forms[0]  # its quadratic is linear at p = ½
    assert form.policy.subs({p: sp.S.Half, beta: 2}).is_finite


def test_signs() -> None:
    assert [sign_of(e) for e in (p * (1 - p), p - 1, x - p, p**2 - p, sp.exp(x - p), 2 * p - 1, sp.S.Zero)] == [
        1,
        -1,
        None,
        -1,
        1,
        None,
        0,
    ]
    assert upright(1 / (x * (x - 1))) == -1 / (x * (1 - x))


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"divergence": "pi + beta"}, "no letter 'beta'"),
        ({"divergence": "pi(2)"}, "no function 'pi'"),
        ({"divergence": "log(pi"}, "is no formula"),
        ({"divergence": "__import__('os')"}, "'os'.*which formulas do not have"),
        ({"divergence": "pi_ref^2"}, "does not depend on the policy"),
        ({"divergence": "pi*x"}, "choose one"),
        ({"divergence": "renyi(1)"}, "there is a limit only"),
        ({"divergence": "abs(pi - 1/2)"}, "vanishes where π = π_ref alone"),
        ({"divergence": "chi2", "place": "loss"}, "has its place and weight already"),
        ({"divergence": lambda a: a}, "a function of 1"),
        ({"divergence": lambda a, r: math.log(a / r)}, "write it with SymPy's functions"),
        ({"divergence": 3}, "a penalty is a name, a formula"),
        ({"divergence": pi[o] * sp.Symbol("strange")}, "has strange"),
        ({"advantage": "reward - mean"}, "no letter 'reward'"),
        ({"advantage": "mean/std"}, "does not depend on the reward"),
        ({"advantage": "(r - median)/mad"}, "divides what is not 0 by 0"),
        ({"advantage": "r - median", "group_size": "oo"}, "median of large groups is not known"),
        ({"advantage": "r - quantile(2)"}, r"has quantile\(2\)"),
        ({"advantage": lambda r: r[1:]}, "7 numbers for 8 rewards"),
        ({"advantage": lambda r: [k for k, _ in enumerate(r)]}, "expected equal ones for equal rewards"),
        ({"advantage": lambda r: [float("nan")] * len(r)}, "expected real numbers"),
        ({"advantage": lambda r: 1 / 0}, "fails on"),
        ({"advantage": Advantage}, "an advantage is a formula"),
        ({"advantage": "r - quantile(3/4)", "clip": 0.2, "group_size": 4, "normaliser": "std"}, "either an advantage"),
        ({"advantage": "mean - 2*r", "clip": 0.2}, "is not of one sign"),
        ({"advantage": lambda r: r, "group_size": 100}, "enumerated up to 64"),
    ],
)
def test_what_is_no_term_is_refused_in_a_sentence(choices: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence) as refused:
        _ = gs.theory(**{"group_size": 8, **choices}).gradient
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "x.real",
        "x if x else 1",
        "lambda: x",
        "[x]",
        "x < 1",
        "'a'",
        "1j",
        "10^10^10",
        "9^999",
        "1e9999",
        "x^1001",
        "x/0",
        "2x",
        "",
        "(" * 300 + "x" + ")" * 300,
        "log(0)",
        "sqrt(-1)",
        "x" * 3000,
        "exp",
        "log(x, 2)",
        "x\0",
    ],
)
def test_a_formula_is_read_and_never_run(text: str) -> None:
    with pytest.raises(BadInput):
        read_formula(text, {"x": x}, ARITHMETIC)


def test_numbers_of_formulas_are_exact() -> None:
    assert read_formula("0.1·x² − √(x)/3", {"x": x}, ARITHMETIC) == x**2 / 10 - sp.sqrt(x) / 3


# -- the command ------------------------------------------------------------------------------------------------------


def derived(*arguments: str) -> Result:
    return cli("derive", *arguments)


def test_the_page_of_a_term_of_ones_own() -> None:
    page = derived("--penalty", "(pi - pi_ref)^2/pi_ref", "-G", "2", "--beta", "2", "--pass-rate", "1/5").stdout
    for words in ("an estimator at one output", "stationary", "closed form", "curvature", "stationary success 0."):
        assert words in page
    kinked = derived("--penalty", "tv", "-G", "8", "--beta", "3", "--pass-rate", "1/5").stdout
    assert "stationary success 0.200000000000: the gradient falls through 0 by a jump" in kinked
    assert "no proof that there is none" in kinked
    data = json.loads(derived("--advantage", "r - quantile(3/4)", "-G", "4", "--json").stdout)
    assert data["point"]["advantage"] == "r - quantile(3/4)"
    assert data["numbers"] is None


def test_latex_to_paste() -> None:
    text = derived("--penalty", "chi2", "-G", "2", "--latex").stdout
    assert text.count(r"\begin{align*}") == text.count(r"\end{align*}") == 1
    assert r"\text{where } 2 \, \beta - p > 0" in text
    many = derived("--advantage", "(r - median)/(mad + 0.1)", "-G", "16", "--latex").stdout
    assert r"\binom{15}{k} w_k" in many


def test_claims_to_go_on_from_are_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert derived("--penalty", "chi2", "-G", "2", "--claims", "mine_chi.py").exit_code == 0
    verified = cli("verify", "mine_chi.py", "--jobs", "1")
    assert verified.exit_code == 0, verified.output
    assert "3 claims: 3 proved" in verified.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--penalty", "exp(pi"], "is no formula"),
        (["--penalty", "tv", "--claims", "mine.py"], "claims need a domain for each side"),
        (["--claims", "mine.txt"], "is no name for a file of claims"),
        (["--figure", "a.png"], "give --beta and --pass-rate"),
        (["--latex", "--json"], "give one of them"),
        (["--penalty", "renyi(alpha)", "--beta", "1", "--pass-rate", "1/5"], "a value for alpha, in the formula"),
        (["--penalty", "renyi(alpha)", "--claims", "mine.py"], "which values alpha has"),
        (["--penalty", "none", "--beta", "1"], "has nothing to multiply"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments: list[str], sentence: str) -> None:
    result = derived(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_levels_and_expectations() -> None:
    right, wrong = levels(as_advantage("(r - mean)/(most - least)"), 3)
    assert right == (sp.Rational(2, 3), sp.Rational(1, 3), 0)
    assert wrong == (0, -sp.Rational(1, 3), -sp.Rational(2, 3))
    two = as_penalty("mean(pi/pi_ref)").expected(binary(x), binary(p), (p, 1 - p), Answers(2), o)
    assert sp.simplify(two) == 1
    assert old in {e.base for e in as_penalty("pi/pi_ref").expected(pi, ref, old, Answers(n), o).atoms(sp.Indexed)}


def test_every_name_on_the_page_is_read() -> None:
    """The divergences, letters and functions that docs/how-to/derive.md offers."""
    page = (ROOT / "docs" / "how-to" / "derive.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith("| `chi2`"))
    divergences = [name.replace("(a)", "(3)") for name in re.findall(r"`([^`]+)`", row)]
    assert len(divergences) > 5
    for text in (*divergences, "log(pi) + exp(alpha) + sqrt(pi) + abs(pi - ref) + min(pi, nu)^epsilon + max(pi, 0.1)"):
        as_penalty(text)
    about = page.partition("## An advantage")[2].partition("Instead of")[0]
    letters = set(re.findall(r"`([a-zA-Z_]+)`", about))
    assert {"r", "rank", "mad"} <= letters
    for letter in letters:
        as_advantage(f"r + {letter}")
