"""A pytest plugin: every claim is a test, in the folders where a project asks for it and nowhere else.

In ``pytest.ini``::

    [pytest]
    grpo_symbolic_claims = my_paper

or, for folders named on the command line: ``pytest my_paper/ --claims``. What a test shows when it fails is what the
claim says, and the point at which that is false. Nothing of the package but this file is imported before a result file
is collected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from grpo_symbolic.ledger import Entry

INI = "grpo_symbolic_claims"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option and the setting that ask for claims."""
    parser.addini(INI, "folders of result files, of which every claim is a test", type="paths", default=[])
    parser.getgroup("grpo-symbolic").addoption(
        "--claims", action="store_true", help="every claim of the result files that are collected is a test"
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ResultFile | None:
    """A result file of a folder that the project names, or of any folder with ``--claims``."""
    if file_path.suffix != ".py" or file_path.name == "__init__.py":
        return None
    if not parent.config.getoption("--claims") and file_path.parent not in parent.config.getini(INI):
        return None
    from grpo_symbolic.index import read

    result = read(file_path.parent.name, file_path.name, file_path.read_bytes())
    return ResultFile.from_parent(parent, path=file_path) if result.claims or result.unread else None


class ResultFile(pytest.File):
    """The claims of one result file; those that are not deselected are verified together, at the first of them."""

    def collect(self) -> Iterator[ClaimTest]:
        from grpo_symbolic.catalogue import files_of
        from grpo_symbolic.errors import BadInput
        from grpo_symbolic.session import Session

        try:
            files_of([self.path.parent])  # which refuses RESULTS that are not those of the folder
            session = Session([self.path])
            ids = session.select() if session.hidden else [c.id for c in session.listings]
        except BadInput as refusal:
            raise self.CollectError(str(refusal)) from None
        for claim_id in ids:
            yield ClaimTest.from_parent(self, name=claim_id)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """What the checkers find of the claims that are tested; what earlier runs found stands in the store."""
        from grpo_symbolic.session import Session

        chosen = [item.name for item in self.session.items if item.parent is self]
        return Session([self.path]).verify(chosen, jobs=1).ledger.entries


class ClaimFailed(Exception):
    """A claim has another verdict than its file expects, or engines contradict each other."""


class ClaimTest(pytest.Item):
    """One claim: it passes where its verdicts are those that its file expects."""

    parent: ResultFile

    def runtest(self) -> None:
        from grpo_symbolic.errors import BadInput
        from grpo_symbolic.report.advice import shortcoming

        try:
            entry = self.parent.entries[self.name]
        except BadInput as refusal:
            raise ClaimFailed(str(refusal)) from None
        if entry.failures():
            raise ClaimFailed("\n".join(shortcoming(entry)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any, **named: Any) -> Any:
        """Of a claim that fails its sentence and its witness; of anything else what pytest shows."""
        if isinstance(excinfo.value, ClaimFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *args, **named)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"claim {self.name}"
