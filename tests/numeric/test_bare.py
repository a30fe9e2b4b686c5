"""On a machine with nothing but SymPy, mpmath, NumPy and one array library, the numeric side imports and computes."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

BLOCKED = ("z3", "cvc5", "flint", "dask", "typer", "rich", "pyarrow", "scipy", "matplotlib")
PREAMBLE = f"""
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r} + EXTRA:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
import grpo_symbolic as gs
"""
EVALUATE = """
from grpo_symbolic.notation import b, p
from grpo_symbolic.numeric import compile
from grpo_symbolic.optimality import pairs
from sympy import Max
gap = compile(pairs(b, p) - Max(p, 1 - b), [p, b], BACKEND)
values = [float(gap(0.25, r)) for r in (1e-3, 1.0, 1e9)]
assert all(v > 0 for v in values), values
assert abs(values[1] - 0.25) < 1e-15
import grpo_symbolic.optimality as where
assert str(where.best_response.__module__).endswith("response")
from grpo_symbolic.numeric import available, predict, stationary_policy, success_limit, sweep
assert "flint" not in available()
"""
CLAIM = """
from grpo_symbolic.notation import b, p
statement = gs.claim("vy-eq14-lower-bound").holds
assert bool(gs.numeric.compile(statement, [p, b])(0.25, 3.0))
assert gs.numeric.compile(statement.lhs - statement.rhs, [p, b])(0.25, 1e9) > 0
"""
MISSING = """
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import p
for absent in ("flint", "torch", "jax"):
    try:
        gs.numeric.compile(p, [p], absent)
    except BadInput as problem:
        assert "not installed" in str(problem), problem
    else:
        raise AssertionError(absent)
assert gs.numeric.available() == ("numpy", "mpmath")
"""


def run(program: str, extra: tuple[str, ...] = ()) -> None:
    source = PREAMBLE.replace("EXTRA", repr(extra)) + program
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax"])
def test_expressions_evaluate_with_one_backend(backend: str) -> None:
    if find_spec(backend) is None:
        pytest.skip(f"{backend} is not installed")
    others = tuple({"torch", "jax"} - {backend})
    run(EVALUATE.replace("BACKEND", repr(backend)), others)


def test_claims_load_and_evaluate() -> None:
    run(CLAIM, ("torch", "jax"))


def test_a_missing_backend_is_said_in_one_sentence() -> None:
    run(MISSING, ("torch", "jax"))


def test_the_block_does_block() -> None:
    with pytest.raises(AssertionError, match="No module named 'flint'"):
        run("import flint")
