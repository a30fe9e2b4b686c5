"""The README's example prints what the README says, and the claims it names exist."""

import re
import subprocess
import sys
from pathlib import Path

import grpo_symbolic as gs

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_first_example_prints_what_the_readme_shows() -> None:
    code, shown = re.search(r"```python\n(.*?)```\s+prints\s+```\n(.*?)```", README, re.DOTALL).groups()  # type: ignore[union-attr]
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout == shown


def test_the_claims_it_names_exist() -> None:
    named = set(re.findall(r"`((?:vy|mr|pt|liu|br|by|tr)-[\w-]+)`", README))
    assert named
    assert named <= set(gs.claims().claims)
