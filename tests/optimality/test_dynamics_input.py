"""What the success recursion refuses, how it reads numbers, and what importing it costs."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.optimality import SuccessRecursion

LARGE = {"group_size": sp.oo, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"p_ref": 0}, "p_ref must lie in"),
        ({"p_ref": 1}, "p_ref must lie in"),
        ({"p_ref": 1.2}, "p_ref must lie in"),
        ({"p_ref": math.nan}, "finite number"),
        ({"p_ref": "half"}, "finite number"),
        ({"p_ref": None}, "finite number"),
        ({"beta": 0}, "β must be positive"),
        ({"beta": -1}, "β must be positive"),
        ({"beta": math.inf}, "finite number"),
        ({"beta": sp.nan}, "finite number"),
        ({"guard": -1e-9}, "must not be negative"),
        ({"guard": "1/0"}, "finite number"),
        ({"group_size": 1}, "group size"),
        ({"group_size": 2.5}, "group size"),
        ({"group_size": 100}, "group size"),
        ({"penalty": "kl"}, "penalty"),
        ({"at_certainty": "one"}, "at_certainty"),
    ],
)
def test_bad_parameters_get_one_sentence(options: dict[str, object], says: str) -> None:
    with pytest.raises(BadInput, match=says) as caught:
        SuccessRecursion(**{"p_ref": 0.2, "beta": 1, **LARGE, **options})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_bad_arguments_of_methods() -> None:
    run = SuccessRecursion(0.2, 1, **LARGE)
    for call in (
        lambda: run(1.5),
        lambda: run(math.nan),
        lambda: run.fixed_points(0),
        lambda: run.limit(-1),
        lambda: SuccessRecursion(0.2, 1, penalty="k3", group_size=sp.oo).h,
    ):
        with pytest.raises(BadInput):
            call()


def test_floats_are_read_as_they_are_written() -> None:
    assert SuccessRecursion(0.001, 0.1, guard=1e-5, **LARGE) == SuccessRecursion(
        "1/1000", sp.Rational(1, 10), guard="0.00001", **LARGE
    )


def test_importing_the_package_stays_cheap() -> None:
    code = """
import sys, grpo_symbolic
assert "sympy" not in sys.modules
import grpo_symbolic.optimality


assert not [name for name in sys.modules if name.startswith("grpo_symbolic.optimality.dynamics")]
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
