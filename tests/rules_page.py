"""The table of docs/reference/rules.md, from rules and theorems: ``python tests/rules_page.py`` writes it again."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pkgutil import iter_modules
from textwrap import fill

from checkout import ROOT

from grpo_symbolic.proof import rules
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Rule

PAGE = ROOT / "docs" / "reference" / "rules.md"
_THEOREM = re.compile(r"^Theorem (\w+)\s*:\s*(.*?)\nProof", re.M | re.S)
_MARK = "## All rules\n"


def all_rules() -> list[type[Rule]]:
    """The rules, family by family."""
    families = [import_module(f"{rules.__name__}.{file.name}") for file in iter_modules(rules.__path__)]
    found = {v for family in families for v in vars(family).values() if inspect.isclass(v) and issubclass(v, Rule)}
    return sorted(found - {Rule, Schematic}, key=lambda r: (r.__module__, r.__name__))


def theorems() -> dict[str, str]:
    """Every theorem of coq/theories, file and name, with its statement."""
    found = {}
    for file in sorted((ROOT / "coq" / "theories").glob("*.v")):
        for name, statement in _THEOREM.findall(file.read_text(encoding="utf-8")):
            found[f"{file.stem}.{name}"] = statement
    return found


def page() -> str:
    """The whole page, its table renewed."""
    stated = theorems()
    written = PAGE.read_text(encoding="utf-8").split(_MARK)[0] + _MARK
    family = ""
    for rule in all_rules():
        if rule.__module__.rpartition(".")[2] != family:
            family = rule.__module__.rpartition(".")[2]
            written += f"\n### {family.capitalize()}\n"
        kinds = ", ".join(f"`{kind}`" for kind in rule.concludes) or "any statement"
        first, *rest = f"**`{rule.__name__}`** → {kinds}. {inspect.cleandoc(rule.__doc__ or '')}".split("\n\n")
        first = fill(first, 120, break_long_words=False, break_on_hyphens=False)
        written += "\n" + "\n\n".join([first, *rest]) + "\n\n```coq\n"
        written += "\n\n".join(f"{name} :\n  {stated[name].strip()}" for name in rule.theorems) + "\n```\n"
    return written


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
