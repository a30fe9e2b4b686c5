"""Typical wrong calls of the public interface: each is refused at the border, in one sentence that says what was given
and what was expected.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

import grpo_symbolic as gs
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import x

ROWS = [{"step": k, "loss": -2 * k / 100, "reward": k / 100} for k in range(1, 31)]
# a call, the words for what was given, and for what was expected
WRONG: dict[str, tuple[Callable[[], Any], str, str]] = {
    "a claim that is not there": (lambda: gs.claim("vy-eq141"), "'vy-eq141'", "vy-eq14"),
    "a number for a claim": (lambda: gs.claim(14), "14", "a text such as 'vy-eq14'"),
    "a number for a penalty": (lambda: gs.Setting(penalty=0.04), "0.04", "Penalty(…) or None"),
    "a text for a ratio": (lambda: gs.Setting(ratio="token"), "'token'", "Ratio.TOKEN"),
    "a number for a clip": (lambda: gs.Setting(clip=0.2), "0.2", "RatioClip(…)"),
    "a group of one": (lambda: gs.Setting(group_size=1), "group_size is 1", "at least 2 texts"),
    "another name of a divergence": (lambda: gs.theory(divergence="kl"), "'kl'", "'reverse-kl'"),
    "a list for β": (lambda: gs.theory(beta=[0.1]), "[0.1]", "a number"),
    "a pass rate above 1": (lambda: gs.theory(beta=0.1, p_ref=1.5), "1.5", "in (0, 1)"),
    "options as a setting": (lambda: gs.theory({"beta": 0.04}), "{'beta': 0.04}", "such as 'trl==1.16.0'"),
    "a text for β": (lambda: gs.objectives.grpo("beta"), "'beta'", "a number or a SymPy expression"),
    "a letter that there is not": (
        lambda: gs.objectives.as_advantage("(q - mean)/std"),
        "letter 'q'",
        "one of r, mean",
    ),
    "texts for rewards": (lambda: gs.objectives.Advantage().of_group(["1", "0"]), "'1'", "a number"),
    "a text for an expression": (lambda: gs.optimality.partial("x**2", x), "'x**2'", "a SymPy expression"),
    "a group too large": (
        lambda: gs.optimality.SuccessRecursion(p_ref=0.2, beta=1, group_size=100, penalty="k3"),
        "100",
        "from 2 to 64",
    ),
    "a symbol for a list": (lambda: gs.numeric.compile(x, x), "x", "symbols in a list"),
    "texts for pass rates": (lambda: gs.numeric.predict(["a"], beta=0.1), "['a']", "numbers from 0 to 1"),
    "a trainer for its options": (
        lambda: gs.numeric.predict([0.5], setting="trl==1.16.0"),
        "'trl==1.16.0'",
        "gs.trainers.read",
    ),
    "a format that there is not": (lambda: gs.export("pairs", to="latx"), "'latx'", "latex"),
    "an object to export": (lambda: gs.export(object(), to="latex"), "object", "the id of a claim"),
    "an option misspelt": (lambda: gs.trainers.read("trl==1.16.0", {"betta": 0.1}), "'betta'", "beta"),
    "options as a list": (lambda: gs.trainers.read("trl", ["beta=0.1"]), "['beta=0.1']", "names with their values"),
    "options for a loss": (lambda: gs.trainers.loss({"beta": 0.1}), "{'beta': 0.1}", "a Setting"),
    "an id to prove": (lambda: gs.prove("vy-eq14"), "'vy-eq14'", "a derivation or obligations"),
    "a relation to prove": (lambda: gs.prove(sp.Gt(x, 0)), "x > 0", "a derivation or obligations"),
    "numbers for rows": (lambda: gs.diagnose.diagnose([1, 2]), "a row of the log is 1", "columns with their values"),
    "a name for a reading": (lambda: gs.diagnose.diagnose(ROWS, "trl==1.16.0"), "'trl==1.16.0'", "gs.trainers.read"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_refused_in_one_sentence(name: str) -> None:
    call, given, expected = WRONG[name]
    with pytest.raises(BadInput) as refusal:
        call()
    said = str(refusal.value)
    assert given in said
    assert expected in said
    assert "\n" not in said
    assert len(said) < 400


def test_no_text_is_run_for_a_number(tmp_path: Path) -> None:
    """SymPy makes an expression of a text by running it."""
    made = tmp_path / "made"
    hostile: Any = f"__import__('pathlib').Path({str(made)!r}).touch()"
    for call in (
        lambda: gs.theory(beta=hostile),
        lambda: gs.theory(p_ref=hostile),
        lambda: gs.objectives.grpo(hostile),
        lambda: gs.objectives.Advantage().of_group([hostile, 0]),
        lambda: gs.objectives.as_advantage("(r - mean)/std").of_group([hostile, 0]),
    ):
        with pytest.raises(BadInput):
            call()
    assert not made.exists()
