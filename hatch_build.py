"""The result files travel inside the wheel, so that an installed copy verifies without a checkout."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ResultFiles(BuildHookInterface[Any]):
    """Puts ``derivations/PAPER/*.py``, and the proof scripts beside them, under ``grpo_symbolic/derivations/``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files of every paper; an editable install reads those of its checkout."""
        if version == "editable":
            return
        folder = Path(self.root, "derivations")
        for file in sorted([*folder.glob("*/*.py"), *folder.glob("*/*.v")]):
            build_data["force_include"][str(file)] = f"grpo_symbolic/derivations/{file.parent.name}/{file.name}"
