"""The command line ``grpo-symbolic``: its commands are those of ``claims``, ``engines`` and ``settings``, and
``grpo-symbolic --help`` lists them.

Exit status 0 when every claim has the verdict that its file expects; 1 when one has not, engines contradict each other,
a mutant survives, a sweep refutes a claim or a log is not what its options imply; 2 for bad input; 3 where time ran out
on what would decide a verdict; 130 after Ctrl-C; 70 for an error of the program itself.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated

import typer

from grpo_symbolic._version import __version__
from grpo_symbolic.cli import claims, engines, settings
from grpo_symbolic.cli.common import app, complain

__all__ = ["app", "claims", "engines", "main", "settings"]


def _version(asked: bool) -> None:
    if asked:
        print(f"grpo-symbolic {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Derive, verify and look up the formulas that post-training runs on."""


def main() -> None:
    """Entry point of the script: no traceback ever reaches the user."""
    os.environ.setdefault("SYMPY_CACHE_SIZE", "50000")  # its own 1000 are too few for hundreds of claims
    gc.set_threshold(50_000)  # SymPy's expressions stay, and hold no circles that are worth so many looks
    try:
        app()
    except Exception as error:
        complain(f"internal error, please report it: {type(error).__name__}: {error}")
        sys.exit(70)
