"""The command line in the process of a test."""

from __future__ import annotations

from typing import Any

from typer.testing import CliRunner, Result

from grpo_symbolic.cli import app


def cli(*arguments: object, **given: Any) -> Result:
    """The command in this process, in an environment or a width that may be given."""
    return CliRunner().invoke(app, [str(a) for a in arguments], **given)


def complaint(result: Result) -> str:
    """The one sentence on standard error of a command that was given bad input."""
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    (sentence,) = result.stderr.strip().splitlines()
    return sentence.removeprefix("grpo-symbolic: ")
