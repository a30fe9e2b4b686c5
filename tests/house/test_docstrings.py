"""Every public name says what it is, what each argument is, and what it raises."""

from __future__ import annotations

import ast
import enum
import inspect
import re
import textwrap
from importlib import import_module
from types import FunctionType
from typing import Any

import pytest

PACKAGES = ("objectives", "optimality", "numeric", "export", "trainers", "diagnose", "theory", "proof", "setting")


def public(package: str) -> dict[str, Any]:
    """The functions and classes that a package hands on."""
    module = import_module(f"grpo_symbolic.{package}")
    found = {name: getattr(module, name) for name in module.__all__}
    return {n: inspect.unwrap(v) for n, v in found.items() if callable(v) and getattr(v, "__doc__", None) is not None}


def told(package: str, thing: Any) -> str:
    """What is said of a thing, and in its package (where it is handed on, and where it lives) of all arguments."""
    homes = (f"grpo_symbolic.{package}", ".".join(thing.__module__.split(".")[:2]))
    return "\n".join([inspect.getdoc(thing) or "", *(import_module(home).__doc__ or "" for home in homes)])


def unsaid(package: str, thing: Any) -> list[str]:
    """The arguments of which nothing is said, and the errors raised that are not named."""
    said, tree = told(package, thing), ast.parse(textwrap.dedent(inspect.getsource(thing)))
    errors: set[str] = set()
    if isinstance(thing, FunctionType):
        calls = (node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call))
        errors = {ast.unparse(call.func) for call in calls}
    arguments = {name for name in inspect.signature(thing).parameters if name not in ("args", "kwargs")}
    return sorted(name for name in arguments | errors if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said))


@pytest.mark.parametrize("package", PACKAGES)
def test_arguments_and_errors_of_public_names_are_said(package: str) -> None:
    things = {
        name: thing
        for name, thing in public(package).items()
        if isinstance(thing, FunctionType) or (isinstance(thing, type) and not issubclass(thing, enum.Enum))
    }
    assert len(things) > 3
    assert {name: unsaid(package, thing) for name, thing in things.items() if unsaid(package, thing)} == {}


_SOURCE = re.compile(r"\(\d{4}\)|TRL|verl|OpenRLHF|NeMo|derivations/")
_NO_FORMULA = {"as_advantage", "as_penalty", "Answers", "binary", "Enclosure"}  # what formulas are written in


def unsourced(thing: Any) -> bool:
    """Whether neither the thing nor its module names a paper, a trainer or the derivation that it comes from."""
    return not _SOURCE.search(f"{inspect.getdoc(thing)}\n{inspect.getdoc(inspect.getmodule(thing))}")


@pytest.mark.parametrize("package", ["objectives", "optimality"])
def test_formulas_name_their_source(package: str) -> None:
    assert {name for name, thing in public(package).items() if unsourced(thing)} <= _NO_FORMULA
    assert unsourced(public("objectives")["binary"])


def test_an_argument_of_which_nothing_is_said_is_found() -> None:
    def quiet(loud: int, still: int) -> int:
        """``loud`` is said."""
        raise ValueError(loud + still)

    quiet.__module__ = "grpo_symbolic.objectives.grpo"
    assert unsaid("objectives", quiet) == ["ValueError", "still"]
