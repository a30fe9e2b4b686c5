"""What tests of several rooms of the prover need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grpo_symbolic.proof.search.recipes import with_z3


@pytest.fixture
def queries_are_answered() -> Iterator[None]:
    """By Z3, as in every run of a checker."""
    with with_z3():
        yield
