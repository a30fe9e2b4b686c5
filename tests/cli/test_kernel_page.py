"""What ``grpo-symbolic kernel`` prints, without Coq."""

from __future__ import annotations

import io

from rich.console import Console

from grpo_symbolic.cli.pages.kernel import show_controls, show_kernel, show_theorems
from grpo_symbolic.proof.statements.evidence import Evidence, Grade, Outcome
from grpo_symbolic.verification.kernel import Confirmation
from grpo_symbolic.verification.kernel_controls import Controls


def evidence(outcome: Outcome, grade: Grade, artefact: str = "") -> Evidence:
    return Evidence("holds", "0: a part", "coq", grade, outcome, "Coq 8.16.1 [kernel]", seconds=1.0, artefact=artefact)


def test_in_a_pipe_a_sentence_is_one_line() -> None:
    out = io.StringIO()
    console = Console(file=out)
    proved = Confirmation("a-1", [evidence(Outcome.holds, Grade.kernel)])
    open_ = Confirmation("a-2", [evidence(Outcome.unknown, Grade.none, "[no] proof")])
    assert show_kernel(console, [proved, open_], ["a-2"], {"a-1"}) == ["a-2"]
    assert show_theorems(console, [proved, open_]) == ["a-2"]
    assert not show_controls(console, Controls((), ()))
    lines = out.getvalue().splitlines()
    assert [line.split()[0] for line in lines] == ["a-1", "a-2", "0:", "1", "a-2:", "1", "0"]
    assert lines[2] == "    0: a part: [no] proof"
    assert lines[3].endswith("by Coq 8.16.1 [kernel]; 1 lost")
