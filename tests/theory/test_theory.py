"""The theory of a point: what is derived, its numbers, and its pages."""

from __future__ import annotations

import itertools
import json
import random
import re
import subprocess
import sys
from functools import partial
from typing import Any

import command_line
import pytest
import sympy as sp
from checkout import ROOT
from points import FIFTH, PENALTIES, THIRD, TWO, at, ball, close, grid

import grpo_symbolic as gs
from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.notation import P, beta, guard, n, o, o_, p, pi, ref, success, success_ref, x, y, z
from grpo_symbolic.objectives import Advantage, Divergence, Objective, binary, expected_surrogate, k3
from grpo_symbolic.optimality import large_groups, pairs
from grpo_symbolic.optimality.response import stationary_equation
from grpo_symbolic.setting import PAPER_GRPO, PUBLISHED_SIZE
from grpo_symbolic.theory import coverage, derive
from grpo_symbolic.theory.coverage import QUESTIONS
from grpo_symbolic.theory.point import NORMALISERS, Point, advantage_of, divergence_of
from grpo_symbolic.theory.points import POINTS, table

# -- what is derived --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("normaliser", NORMALISERS)
@pytest.mark.parametrize("size", [2, 3, 4, sp.oo])
def test_the_objective_is_that_of_the_definitions(normaliser: str, size: Any) -> None:
    found = at(normaliser, size=size)
    kept = Objective(beta, size, found.point.advantage)
    defined = kept.with_rewards(binary(x), binary(y), binary(p), (1, 0), TWO)
    assert close(found.objective, defined, {x: THIRD, y: FIFTH, p: sp.Rational(1, 7), beta: sp.S.Half})


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize(("new", "before"), [(THIRD, FIFTH), (FIFTH, THIRD), (THIRD, sp.Rational(8, 25))])
def test_the_clipped_objective_is_that_of_the_definitions(size: int, new: sp.Rational, before: sp.Rational) -> None:
    found = at(penalty="none", size=size, clip="1/5")
    defined = expected_surrogate(binary(new), binary(before), (1, 0), TWO, size, epsilon=FIFTH)
    assert sp.simplify(found.objective.subs({x: new, y: before}) - defined) == 0


def test_the_charge_before_normalising_is_charged_to_the_rewards() -> None:
    charged = at(penalty="k1-raw-reward", normaliser="none", size=3)
    win, lose = (1 - beta * sp.log(y / p), -beta * sp.log((1 - y) / (1 - p)))
    defined = Objective(beta, 3, charged.point.advantage, Divergence("", lambda a, r: sp.S.Zero)).with_rewards(
        binary(x), binary(y), binary(p), (win, lose), TWO
    )
    assert close(charged.objective, defined, {x: THIRD, y: FIFTH, p: sp.Rational(1, 7), beta: sp.S.Half})


@pytest.mark.slow("gradients against objectives, by differentiation")
def test_the_gradient_is_the_slope_of_the_objective_on_policy() -> None:
    here = {x: THIRD, p: FIFTH, beta: sp.S.Half}
    for normaliser, penalty, size in grid():
        if size != 8 or normaliser in ("std", "std+eps"):
            found = at(normaliser, penalty, size)
            slope = sp.diff(found.objective, x).subs({y: x, z: x})
            assert close(found.gradient, slope.replace(sp.Abs, lambda a: sp.sqrt(a**2)), here), str(found.point)


@pytest.mark.parametrize("choice", [{"clip": "1/5"}, {"ratio": "log"}])
def test_every_way_to_weigh_the_policy_has_one_gradient(choice: dict[str, str]) -> None:
    plain, other = at(size=4), at(size=4, **choice)
    assert plain.gradient == other.gradient
    objective, step = other.objective, sp.Rational(1, 10**30)
    around = [objective.subs({x: THIRD + s * step, y: THIRD, p: FIFTH, beta: 1}) for s in (1, -1)]
    slope = sp.N((around[0] - around[1]) / (2 * step), 60, maxn=300)
    assert abs(slope - sp.N(plain.gradient.subs({x: THIRD, p: FIFTH, beta: 1}), 60)) < sp.Float("1e-25", 60)


def test_penalties_of_one_class_have_one_gradient() -> None:
    forms = {penalty: at(penalty=penalty, size=2).penalty_gradient for penalty in PENALTIES if "raw" not in penalty}
    assert {q for q, form in forms.items() if form == derive.FORWARD} == set(coverage.FORWARD)
    assert {q for q, form in forms.items() if form == derive.REVERSE} == set(coverage.REVERSE)
    assert {q for q, form in forms.items() if form == 0} == set(coverage.FREE)


@pytest.mark.slow("closed forms at every point that has one")
def test_closed_forms_solve_the_stationary_equation() -> None:
    here = {p: FIFTH, beta: sp.Rational(3, 4)}
    solved = 0
    for normaliser, penalty, size in grid():
        found = at(normaliser, penalty, size)
        if found.closed_form is not None:
            solved += 1
            inside = ball(found.closed_form, here)
            assert 0 < inside < 1
            rest = found.stationary.lhs.subs(x, found.closed_form)
            assert close(rest, sp.S.Zero, here), str(found.point)
    assert solved > 55


@pytest.mark.slow("claims on closed forms are cited where there is one")
def test_a_claim_on_the_closed_form_goes_with_a_closed_form() -> None:
    for normaliser, penalty, size in grid():
        found = at(normaliser, penalty, size)
        covered = bool(coverage.answers(found.point)["closed form"])
        assert not covered or found.closed_form is not None, str(found.point)


def test_the_papers_points_have_the_papers_equations() -> None:
    assert sp.simplify(at(size=2).closed_form - pairs(beta, p)) == 0
    assert sp.simplify(at().closed_form - large_groups(beta, p)) == 0
    smoothed = gs.theory(group_size="oo", normaliser="sqrt(var+eps)", divergence="reverse-kl")
    printed = stationary_equation(Advantage(guard=guard), sp.oo, "reverse-kl").subs({success: x, success_ref: p})
    assert sp.simplify(smoothed.stationary.lhs - printed) == 0
    closed = at(penalty="reverse-kl", size=2).closed_form
    exponent = sp.log(closed / (1 - closed) * (1 - p) / p)
    assert close(exponent, 1 / beta, {p: FIFTH, beta: sp.S.Half})  # V&Y, Section 3: odds larger by e^(γ/β)


def test_n_answers() -> None:
    mean = sp.Sum(P[o_] * pi[o_], (o_, 1, n))
    equation = at(size=8).stationary_many
    assert equation.lhs == P[o] - mean
    assert sp.simplify(equation.rhs - beta * (1 - ref[o] / pi[o])) == 0  # (11)
    assert at(penalty="none").stationary_many.rhs == 0
    assert at(penalty="k1-raw-reward").stationary_many is None
    for one, other in (("k3", "k3-detached"), ("k3", "forward-kl"), ("reverse-kl", "k2"), ("reverse-kl", "k1-reward")):
        assert at(penalty=one).stationary_many == at(penalty=other).stationary_many


# -- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow("bulk solvers against balls")
def test_bulk_solvers_find_the_certified_policies() -> None:
    for normaliser, penalty, size in itertools.product(
        ("std", "std+eps", "sqrt(var+eps)", "sample-std", "none"), ("k3", "forward-kl", "reverse-kl"), (2, 8, sp.oo)
    ):
        found = at(normaliser, penalty, size, beta="3/2", p_ref="1/10")
        assert found.solver is not None
        assert found.numbers is not None
        logits = found.solver([0.1], [1.5]).fixed_logits.ravel()
        bulk = sorted(float(v) for v in logits if abs(v) < 700)
        certified = [float(sum(q.success.logit) / 2) for q in found.numbers.policies]
        assert bulk == pytest.approx(certified, rel=1e-9), str(found.point)


def test_beyond_the_groups_of_recursions_there_is_the_solver_of_policies() -> None:
    found = gs.theory(group_size=100, beta="3/2", normaliser="none", p_ref="1/10")
    assert found.solver_name == "grpo_symbolic.numeric.stationary_policy"
    policy = found.solver([0.1, 0.9], [1.0, 0.0], 1.5).policy[0]
    assert policy == pytest.approx(float(found.closed_form.subs(p, "1/10")), abs=1e-12)
    assert found.numbers.policies[0].success.contains(sp.Rational(1, 10)) is False


def test_closed_forms_are_the_numbers() -> None:
    for normaliser, penalty, size in (
        ("std", "k3", 2),
        ("std", "k3", sp.oo),
        ("leave-one-out", "reverse-kl", 8),
        ("batch", "k3", 8),
        ("std", "k1-raw-reward", 8),
    ):
        found = at(normaliser, penalty, size, beta="3/4", p_ref="1/10")
        (only,) = found.numbers.policies
        root = sp.N(found.closed_form.subs(p, sp.Rational(1, 10)), 40)
        assert only.success.low - sp.Float("1e-25", 40) < root < only.success.high + sp.Float("1e-25", 40)


def test_maxima_and_minima() -> None:
    minimum = at(size=2, beta=1, p_ref="1/100")  # by-flow-beyond-maxima: the policy is 1/10
    (only,) = minimum.numbers.policies
    assert (str(only.success), only.extremum) == ("0.100000000000", "minimum")
    assert at(size=2, beta=1, p_ref="1/100", penalty="forward-kl").numbers.policies[0].extremum == "maximum"
    assert at(size=2, beta="1/7", p_ref="1/1000", penalty="k2").numbers.policies[0].extremum == "minimum"
    assert at(size=2, beta=1, p_ref="1/5", penalty="k1-reward").numbers.policies[0].extremum == "flat"


def test_the_limit_of_best_responses() -> None:
    cycle = at(normaliser="sqrt(var+eps)", guard="1e-5", penalty="reverse-kl", beta=5, p_ref="0.001").numbers
    assert (cycle.limit.kind, len(cycle.policies)) == ("cycle", 3)  # Mroueh, Figure 5
    assert [q.responses for q in cycle.policies] == ["unstable", "unstable", "stable"]
    assert at(size=2, penalty="reverse-kl", beta=1, p_ref="1/5").numbers.limit.kind == "converges"
    assert at(size=2, penalty="k2", beta=1, p_ref="1/5").numbers.limit is None
    assert at(size=2, beta=1, p_ref="1/5").numbers.limit is None  # KL_0: no closed form to iterate


def test_the_limit_of_the_gradient_flow() -> None:
    cycle = at(normaliser="sqrt(var+eps)", guard="1e-5", penalty="reverse-kl", beta=5, p_ref="0.001").numbers
    assert cycle.flow == cycle.policies[0].success  # small steps go where exact responses do not
    assert at(size=8, beta=1, p_ref="1/5").numbers.flow == at(size=8, beta=1, p_ref="1/5").numbers.policies[0].success
    assert at(penalty="reverse-kl", beta="1/2", p_ref="9/10").numbers.flow == "1"  # V&Y, B.2: small β
    assert at(penalty="k3-reward", size=2, beta=1, p_ref="1/5").numbers.flow == "out of the searched range, upwards"


@pytest.mark.slow("regions of uniqueness against certified roots")
def test_uniqueness_that_a_claim_settles_is_found() -> None:
    rng = random.Random(8)
    settled = 0
    for normaliser, penalty, size in itertools.product(NORMALISERS, PENALTIES, (4, sp.oo)):
        strength, start = rng.choice(("1/25", "1/2", "3/2", "6")), rng.choice(("1/1000", "1/10", "2/5", "9/10"))
        found = at(normaliser, penalty, size, beta=strength, p_ref=start)
        ids = {i for i, where, _ in coverage.answers(found.point, found.p_ref)["uniqueness"] if where == sp.true}
        if ids & {
            "by-stationary-unique",
            "by-norm-shape",
            "by-norm-dkl-no-division",
            "by-br-direct-every-size",
            "by-div-charge-normalised",
        }:
            settled += 1
            assert len(found.numbers.policies) == 1, str(found.point)
    assert settled > 40


@pytest.mark.parametrize("normaliser", ["std", "std+eps", "none", "leave-one-out", "batch"])
def test_constant_gaps_have_the_regions_of_groups_of_two(normaliser: str) -> None:
    for size, ratio, start in itertools.product(
        (2, 3), ("1/2", "9/10", "5/4", "19/10", "29/10", "4"), ("1/100", "1/20", "1/8", "1/5")
    ):
        height = at(normaliser, size=size).gap
        strength = sp.nsimplify(sp.Rational(ratio) * sp.nsimplify(sp.N(height, 30), rational=True), rational=True)
        found = at(normaliser, size=size, beta=strength, p_ref=start)
        margin, reference = sp.N(strength / height, 40), sp.Rational(start)
        (only,) = found.numbers.policies
        best = 16 * margin * reference > (3 * margin - 2) * (2 - margin)  # vy-s13-stationary-definition
        calm = 36 * margin * reference > (5 * margin - 3) * (3 - margin)  # by-br-kl0-pairs
        assert (only.extremum == "maximum") == best
        if only.responses is not None and best:
            assert (only.responses == "stable") == calm


def test_points_without_a_recursion_are_searched() -> None:
    pushed = at(size=2, penalty="k3-reward", beta=1, p_ref="1/5").numbers
    assert pushed.within is not None
    assert len(pushed.policies) == 1  # below the reference, where it repels: from the reference the way is up to 1
    assert pushed.policies[0].success.high < FIFTH
    assert at(size=2, penalty="none", beta=1, p_ref="1/5").numbers.policies == ()


def test_numbers_need_all_parameters() -> None:
    assert gs.theory(group_size=2, p_ref=0.2).numbers is None
    with pytest.raises(BadInput, match="a value for the guard ε"):
        _ = gs.theory(normaliser="std+eps", beta=1, p_ref=0.2).numbers


# -- input, pages ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"group_size": 1}, "group size must be oo or a whole number from 2"),
        ({"group_size": 2.5}, "group size must be oo or a whole number from 2"),
        ({"normaliser": "std+epsilon"}, "there is no normaliser"),
        ({"normaliser": ["std"]}, r"the normaliser is \['std'\]: expected one of std"),
        ({"ratio": "sequenze"}, "there is no ratio 'sequenze'; expected one of sequence"),
        ({"guard": 1e-4}, "has no guard"),
        ({"normaliser": "std+eps", "guard": -1}, "guard ε must be positive"),
        ({"deviation": 1}, "only the normaliser 'batch'"),
        ({"divergence": "k4"}, "there is no penalty"),
        ({"divergence": "reverse-kl", "place": "reward"}, "a place and a weight belong to k1, k2, k3"),
        ({"divergence": "k1", "place": "reward", "weighted": "ratio"}, "no second ratio belongs to it"),
        ({"divergence": "k1", "place": "somewhere"}, "there is no place of the divergence"),
        ({"beta": -1}, "β must be positive"),
        ({"beta": 0, "divergence": "k1"}, "no effect with β = 0"),
        ({"beta": 1, "divergence": "none"}, "has nothing to multiply"),
        ({"beta": float("nan")}, "β must be a number"),
        ({"beta": float("inf")}, "β must be a number"),
        ({"p_ref": 1}, r"pass rate must lie in \(0, 1\)"),
        ({"clip": 2}, r"clipping range must lie in \(0, 1\)"),
        ({"ratio": "log", "clip": 0.2}, "only a probability ratio can be clipped"),
        ({"ratio": "word"}, "there is no ratio"),
        ({"advantage": Advantage(), "normaliser": "std"}, "either an advantage, or a normaliser"),
        ({"advantage": Advantage(centred=False)}, "has a baseline"),
    ],
)
def test_bad_input(choices: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        gs.theory(**choices)


def test_objects_of_the_spaces_are_points_too() -> None:
    by_name = gs.theory(normaliser="none", divergence="k3", weighted="ratio", group_size=4)
    by_object = gs.theory(
        advantage=Advantage(scaled=False), divergence=Divergence("KL", k3, importance_weighted=True), group_size=4
    )
    assert by_name.point.penalty == by_object.point.penalty == "reverse-kl"
    assert by_name.closed_form == by_object.closed_form
    assert Point(advantage_of("std"), divergence_of("k3")[0]).parts == f"G = {PAPER_GRPO.group_size}, std, k3"
    unsaid = gs.theory()
    assert (unsaid.point.group_size, unsaid.assumed) == (PAPER_GRPO.group_size, PUBLISHED_SIZE)
    assert gs.theory(group_size="oo").assumed == ()


cli = partial(command_line.cli, "theory")


def test_the_page_of_a_point() -> None:
    shown = cli("--group-size", "2", "--divergence", "k3", "--beta", "0.04", "--pass-rate", "0.2")
    assert shown.exit_code == 0
    for piece in (
        "groups of 2",
        "stationary",
        "closed form",
        "vy-eq14 ",
        "by-stationary-unique",
        "by-global-threshold",
        "0.968262224629",
        "a strict local maximum",
        "k3 is GRPO's penalty",
        "P(o) is",
    ):
        assert piece in shown.stdout
    assert ("expected: what" in shown.stdout) == bool(
        re.search("expected: (proved|argued|supported|definition)", shown.stdout)
    )
    assert "Δ the gap" in cli("--group-size", "8").stdout
    assert "k3 is GRPO" not in cli("--group-size", "2", "--divergence", "reverse-kl").stdout
    unpenalised = cli("--group-size", "2", "--divergence", "none").stdout
    assert "  stationary   no policy inside (0, 1): the gradient is nowhere 0" in unpenalised
    assert len(cli("--group-size", "2", "--all").stdout) > len(cli("--group-size", "2").stdout)


def test_the_page_as_data() -> None:
    data = json.loads(
        cli(
            "--group-size",
            "8",
            "--normaliser",
            "std+eps",
            "--guard",
            "1e-4",
            "--divergence",
            "k3",
            "--beta",
            "0.04",
            "--pass-rate",
            "0.2",
            "--json",
        ).stdout
    )
    assert data["point"]["penalty"] == "k3"
    assert data["closed_form"] is None
    assert data["solver"] == "grpo_symbolic.numeric.success_limit"
    assert set(data["answers"]) == set(QUESTIONS)
    assert data["answers"]["stability"] == []
    assert [c["claim"] for c in data["answers"]["existence"]] == ["by-norm-shape"]
    assert len(data["numbers"]["stationary"]) == 1


def test_bad_input_on_the_command_line_is_one_sentence() -> None:
    for arguments in (
        ["--normaliser", "x"],
        ["--beta", "-1"],
        ["--beta", "1", "--pass-rate", "2"],
        ["--normaliser", "std+eps", "--beta", "1", "--pass-rate", "0.2"],
    ):
        shown = cli(*arguments)
        assert (shown.exit_code, shown.stdout) == (2, "")
        assert len(shown.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("given", "missing", "status"),
    [
        (("--normaliser", "std+eps", "--beta", "1"), "--guard", 2),
        (("--normaliser", "batch", "--beta", "1"), "--deviation", 2),
        (("--normaliser", "std"), "--beta", 0),
    ],
)
def test_a_missing_number_is_named_by_its_option(given: tuple[str, ...], missing: str, status: int) -> None:
    options = {"--guard": "1e-4", "--deviation": "1/2", "--beta": "1"}
    incomplete = cli("--pass-rate", "0.2", *given)
    assert incomplete.exit_code == status
    (last,) = re.findall(r".*need a value for.*", incomplete.stderr if status else incomplete.stdout)
    assert [o for o in options if o in last] == [missing]
    complete = cli("--pass-rate", "0.2", *given, missing, options[missing])
    assert complete.exit_code == 0
    assert "stationary success" in complete.stdout


@pytest.mark.slow("every cell of the table of the space")
def test_the_table_of_the_space() -> None:
    lines = table(Ledger(()))
    assert len(lines) == len(POINTS)
    assert {ln.named.source.split(" ")[0] for ln in lines if ln.named.source} == {"Vojnovic", "Mroueh", "Patel"}
    assert all(ln.theory.point.normaliser and ln.theory.point.penalty for ln in lines)
    named = {ln.named.name: ln.answers for ln in lines}
    assert named["groups of two"]["closed form"].claims[0].card.id == "vy-eq14"
    assert named["direct KL"]["uniqueness"].open  # settled for some β only
    assert named["direct KL, deviation + ε"]["uniqueness"].claims == ()
    shown = cli("--table")
    assert shown.exit_code == 0
    assert all(ln.named.name in shown.stdout for ln in lines)
    assert "open" in shown.stdout
    assert len(json.loads(cli("--table", "--json").stdout)) == len(POINTS)


def test_the_example_of_the_documentation_prints_what_it_says() -> None:
    text = (ROOT / "docs" / "how-to" / "theory.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```\s+prints\s+```\n(.*?)```", text, re.DOTALL)
    assert found is not None
    run = subprocess.run([sys.executable, "-c", found[1]], capture_output=True, text=True, check=True)
    assert run.stdout == found[2]


# -- clamps ----------------------------------------------------------------------------------------------------------


def test_a_clamped_estimator_has_cases_and_numbers_on_either_side_of_them() -> None:
    clamped = Divergence("KL_0", k3, clamp=10)
    found = gs.theory(group_size=8, divergence=clamped, beta=3, p_ref="1/1000")
    free = gs.theory(group_size=8, beta=3, p_ref="1/1000")
    assert found.penalty_gradient.has(sp.Piecewise)
    (policy,) = found.numbers.policies  # below the clamp the penalty is the unclamped one
    (other,) = free.numbers.policies
    assert policy.success.low <= other.success.high
    assert other.success.low <= policy.success.high
    assert sp.N(k3(policy.success.low, sp.Rational(1, 1000))) < 10


def test_beyond_the_clamp_nothing_pulls_back() -> None:
    weak = gs.theory(group_size=8, divergence=Divergence("KL_0", k3, clamp=10), beta="1/25", p_ref="1/5")
    assert weak.numbers.policies == ()
    stays = gs.theory(group_size=8, beta="1/25", p_ref="1/5").numbers.policies[0].success
    assert k3(1 - stays.high, sp.Rational(4, 5)) > 10  # where the unclamped run rests, failures are past the clamp


def test_a_penalty_that_has_no_real_value_inside_gives_no_numbers() -> None:
    of = gs.theory(group_size=8, divergence="sum(ref*(2 - pi/ref)^(3/2))", beta=2, p_ref="1/5")
    assert of.stationary is not None
    with pytest.raises(BadInput, match=r"no real value at x = 13/32"):
        _ = of.numbers
