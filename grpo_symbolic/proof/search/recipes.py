"""Who answers a query without a stored proof: a search for a certificate, or an engine, of which a recipe is stored.

A recipe says how an engine has found a contradiction: its name, its version and the work that it took. It is followed
with some times that work, and the engine is believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.metadata import version

from grpo_symbolic.proof.check import Refused
from grpo_symbolic.proof.check.answers import RECIPE, Answers, Hints, Seek, at_work, using
from grpo_symbolic.proof.check.translation import Query
from grpo_symbolic.proof.search.certificates import find
from grpo_symbolic.proof.search.certificates.programs import NoPrograms
from grpo_symbolic.proof.search.engines import WORK, Limits, has_z3, limits, z3_answer

PATIENCE = 600.0  # seconds for a recipe, which was found in a few: only a machine that stands still needs them
_RECIPE = re.compile(rf"{RECIPE}Z3 [0-9.]+ [0-9]+")  # the engine, its version, its work
MARGIN = 10  # times the work that an engine took may be spent when its recipe is followed again


def answers(proofs: Mapping[str, str] | None = None, seek: Seek | None = None) -> Answers:
    """Answers from stored proofs, recipes among them where the engine is installed, or else from a search."""
    return Answers(proofs, seek, follow if has_z3() else None)


@contextmanager
def with_z3() -> Iterator[Answers]:
    """Let the answers that are at work answer, or else Z3, of which nothing is stored then."""
    working = at_work()
    if working is not None:
        yield working
        return
    with using(answers(seek=by_z3)) as fresh:
        yield fresh


@lru_cache(maxsize=1 << 16)
def follow(query: Query, text: str) -> bool:
    """Whether the engine of a recipe finds the contradiction again; what names another one than Z3 is no recipe."""
    return _RECIPE.fullmatch(text) is not None and z3_answer(query, MARGIN * _work(text), PATIENCE).word == "unsat"


def recipe(engine: str, version: str, work: int) -> str:
    """The text of a recipe."""
    return f"{RECIPE}{engine} {version} {work}"


def _work(text: str) -> int:
    """The work that a recipe says it took, and never more than a search is allowed."""
    last = text.split()[-1]
    return min(int(last), WORK) if last.isdecimal() and len(last) < 12 else WORK


def by_z3(query: Query, hints: Hints = ()) -> str:
    """A recipe, where Z3 finds a contradiction; it takes no hints."""
    return _by_z3(query, limits())


@lru_cache(maxsize=1 << 15)
def _by_z3(query: Query, allowed: Limits) -> str:
    answer = z3_answer(query)
    return recipe("Z3", _z3_version(), answer.work) if answer.word == "unsat" else ""


def by_certificate(query: Query, hints: Hints = (), effort: int = 1) -> str:
    """A certificate where one is found with such an effort, else a recipe.

    Z3 is asked first where it is there: of what has a model nobody looks for a certificate.
    """
    return _by_certificate(query, hints, effort, limits())


@lru_cache(maxsize=1 << 15)  # the same signs are asked for by every prover, and for many obligations
def _by_certificate(query: Query, hints: Hints, effort: int, allowed: Limits) -> str:
    engine_recipe = by_z3(query) if has_z3() else ""
    if has_z3() and not engine_recipe and z3_answer(query).word == "sat":
        return ""
    try:
        certificate = find(query, effort, hints)
    except (NoPrograms, Refused):
        return engine_recipe
    return engine_recipe if certificate is None else certificate.text


@cache
def _z3_version() -> str:
    return version("z3-solver")
