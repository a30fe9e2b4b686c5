"""The result files travel inside the wheel, so that an installed copy verifies without a checkout, with their index."""

import json
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INDEX = "grpo_symbolic/derivations/index.json"


class ResultFiles(BuildHookInterface[Any]):
    """Puts ``derivations/PAPER/*.py``, with the proofs, claims and scripts beside them and the digest of the code that
    read them, under ``grpo_symbolic/derivations/``, and writes the index of their claims there.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files of every paper; an editable install reads those of its checkout, and has the index only."""
        folder = Path(self.root, "derivations")
        self._index(sorted(f for f in folder.iterdir() if (f / "__init__.py").is_file()))
        build_data["artifacts"].append(INDEX)
        if version == "editable":
            return
        kept = sorted(f for kind in ("py", "v", "proofs", "claims") for f in folder.glob(f"*/*.{kind}"))
        for file in [folder / "code.digest", *kept]:
            build_data["force_include"][str(file)] = f"grpo_symbolic/derivations/{file.relative_to(folder).as_posix()}"

    def _index(self, papers: list[Path]) -> None:
        """Reads the text of the result files; nothing is run, and of the dependencies lazy_loader is enough."""
        sys.path.insert(0, self.root)
        try:
            from grpo_symbolic.index import Index
        finally:
            sys.path.remove(self.root)
        text = json.dumps(Index.of(papers).to_json(), ensure_ascii=False)
        Path(self.root, INDEX).write_text(text, encoding="utf-8")
