"""docs/how-to/trainers.md prints what it says, and the claims and options it names exist."""

from __future__ import annotations

import re
import subprocess
import sys

from checkout import ROOT
from command_line import cli

from grpo_symbolic import catalogue
from grpo_symbolic.trainers.config import TRAINERS, trainer_of

HOW_TO = ROOT / "docs" / "how-to"
PAGE = (HOW_TO / "trainers.md").read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_shows() -> None:
    found = re.search(r"```python\n(.*?)```\s+prints\s+```\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    run = subprocess.run([sys.executable, "-c", found[1]], capture_output=True, text=True, check=True)
    assert run.stdout == found[2]


def test_the_page_of_a_run_is_the_one_shown() -> None:
    shown = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert shown is not None
    given = ["--set", "loss_type=grpo", "--set", "beta=0.04"]
    assert shown[1] in cli("trainer", "trl==1.16.0", *given).stdout


def test_the_claims_it_names_exist() -> None:
    questions = (HOW_TO / "questions.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:tr|by)-[\w-]+)`", PAGE + questions))
    assert named
    assert named <= catalogue.ids()


def test_the_options_it_names_exist() -> None:
    options = [option for name in TRAINERS for option in trainer_of(name).table]
    known = {option.name.split(".")[-1] for option in options} | {option.name for option in options}
    known |= {word for option in options for word in option.words}
    table = PAGE[PAGE.index("## Names of methods") : PAGE.index("## What surprises")]
    rows = [line for line in table.splitlines() if line.startswith("| ") and not line.startswith("| method")]
    for row in rows:
        for cell in row.split(" | ")[2:]:
            for named in re.findall(r"`([\w.*]+)(?:=([\w.-]+))?`", cell):
                name = named[0].removesuffix("*")
                ends = [option for option in known if option.endswith(name) or (name.endswith("_") and name in option)]
                assert ends, (row, name)
