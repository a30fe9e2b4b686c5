"""Proof scripts that lie beside result files: ``thm3_amplification.v`` beside ``thm3_amplification.py``.

Each part of such a file begins with a line ``(* ID: LABEL *)``, which names a claim of the result file and the
obligation that the tactics after it prove; obligations of the claim that share the label are all tried. The script
starts before ``intros``. It is believed as little as any other: tactics only, and Coq judges them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.statements.obligation import Obligation

if TYPE_CHECKING:
    from grpo_symbolic.proof.claims import Claim

_HEAD = re.compile(r"^\(\* ([\w-]+): (.+) \*\)$", re.MULTILINE)


def parts(file: Path) -> list[tuple[str, str, str]]:
    """The parts of a file of scripts: id, label and tactics.

    Raises :class:`BadInput` for tactics before the first head, and for a part without tactics.
    """
    text = file.read_text(encoding="utf-8")
    before, *pieces = _HEAD.split(text)
    if before.strip():
        raise BadInput(f"{file} begins with {before.split()[0]!r}: expected a line (* ID: LABEL *)")
    triples = [(pieces[i], pieces[i + 1], pieces[i + 2].strip()) for i in range(0, len(pieces), 3)]
    for id, label, tactics in triples:
        if not tactics:
            raise BadInput(f"{file} has no tactics for {id}: {label}")
    return triples


def scripts_beside(claims: Iterable[Claim], folders: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    """The scripts for the obligations of claims, by :meth:`Obligation.key`, from the files beside their result files.

    ``folders`` are those in which the result files lie. Raises :class:`BadInput` where a script is for a claim that its
    result file has not, or for an obligation that the claim has not.
    """
    scripts: dict[str, tuple[str, ...]] = {}
    by_file: dict[Path, dict[str, Claim]] = {}
    for c in claims:
        for folder in folders:
            file = (folder / c.source).with_suffix(".v")
            if folder.name == c.paper and file.is_file():
                by_file.setdefault(file, {})[c.id] = c
    for file, here in by_file.items():
        result = file.with_suffix(".py").read_text(encoding="utf-8")
        for id, label, tactics in parts(file):
            if id not in here:
                if f'"{id}"' not in result:
                    raise BadInput(f"{file} has a script for {id}, which is no claim of {file.with_suffix('.py').name}")
                continue
            same = [o for o in required(here[id]) if o.label == label]
            if not same:
                labels = ", ".join(repr(o.label) for o in required(here[id]))
                raise BadInput(f"{file} has a script for {id}: {label!r}, but the claim has {labels}")
            for o in same:
                scripts[o.key()] = (*scripts.get(o.key(), ()), tactics)
    return scripts


def required(claim: Claim) -> list[Obligation]:
    """The obligations of the statement that holds, those of its derivations included."""
    return [o for about, o in claim.obligations() if about == "holds"]
