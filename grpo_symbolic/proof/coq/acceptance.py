"""Coq is asked whether each schema follows from its theorem, and whether it needs each of its premises.

``python -m grpo_symbolic.proof.coq.acceptance`` does so, after the theorems are compiled, and writes down what Coq has
accepted: without that a schema concludes nothing.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import write_atomically
from grpo_symbolic.proof import rules
from grpo_symbolic.proof.coq.development import Development
from grpo_symbolic.proof.coq.goals import goal
from grpo_symbolic.proof.coq.session import AXIOMS, assumptions
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.schema import ACCEPTED, WRITTEN, Schema

FILE = Path(rules.__path__[0]) / ACCEPTED


def all_schemas() -> Iterator[tuple[str, Schema]]:
    """Every schema, with a name: that of its rule, and its number there."""
    for file in iter_modules(rules.__path__):
        for name, kind in sorted(vars(import_module(f"{rules.__name__}.{file.name}")).items()):
            if isinstance(kind, type) and issubclass(kind, Schematic) and kind.__module__.endswith(f".{file.name}"):
                for number, schema in enumerate(getattr(kind, "schemas", ())):
                    yield f"{name}_{number}", schema


def asked(schema: Schema, name: str) -> Iterator[str]:
    """The lemma that Coq is to accept, and those without a premise each, for which its script must fail."""
    yield f"Lemma {name} : {goal(schema)}.\nProof. {schema.script}. Qed.\n"
    for number, needs in enumerate(schema.premises):
        if not (needs.sense or isinstance(needs.statement, WRITTEN)):
            yield f"(* without premise {number + 1} *)"
            yield f"Goal {goal(schema, number)}.\nProof. Fail solve [{schema.script}]. Abort.\n"


def _tactics(development: Development) -> str:
    """What stands before all schemas."""
    return (development.folder / "beside" / "Schemas.v").read_text(encoding="utf-8")


def file_of(development: Development) -> str:
    """All that Coq is asked, as one file."""
    schemas = list(all_schemas())
    files = sorted({schema.theorem.partition(".")[0] for _, schema in schemas})
    lines = [_tactics(development), f"From GrpoSymbolic Require Import {' '.join(files)}.\n"]
    lines += [line for name, schema in schemas for line in asked(schema, name)]
    lines.append(f"Definition together := ({', '.join(name for name, _ in schemas)}).")
    lines.append('Redirect "axioms" Print Assumptions together.\n')
    return "\n".join(lines)


def table(development: Development) -> str:
    """The lines that stand for what Coq has accepted: theorem, digest of the schema, digest of what Coq was asked."""
    lines, tactics = [], _tactics(development)
    for name, schema in all_schemas():
        question = "\n".join([tactics, *asked(schema, name), development.sources(schema.theorem)])
        lines.append(f"{schema.theorem} {schema.digest} {hashlib.sha256(question.encode()).hexdigest()[:16]}\n")
    return "".join(sorted(lines))


def accept(development: Development) -> int:
    """Ask Coq, and write down what it has accepted: the number of schemas.

    Raises :class:`BadInput` with Coq's words where it refuses one, or accepts one without a premise.
    """
    with tempfile.TemporaryDirectory(prefix="grpo-coq-") as folder:
        source, axioms = Path(folder) / "Asked.v", Path(folder) / "axioms.out"
        source.write_text(file_of(development), encoding="utf-8")
        command = ["coqc", "-q", "-w", "none", "-Q", str(development.folder / "theories"), "GrpoSymbolic", source.name]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1800, check=False)
        if done.returncode:
            raise BadInput(f"Coq refuses a schema. {_place(source, done.stderr)}\n{done.stderr.strip()}")
        used = assumptions(axioms.read_text(encoding="utf-8"))
    if used is None or not set(used) <= AXIOMS:
        raise BadInput(f"a schema rests on more than the axioms of the reals: {used}")
    write_atomically(FILE, table(development))
    return len(list(all_schemas()))


def _place(source: Path, errors: str) -> str:
    """The lemma in which Coq has an error, and whether it is the one without a premise."""
    line = re.search(r"line (\d+)", errors)
    before = source.read_text(encoding="utf-8").splitlines()[: int(line[1])] if line else []
    name = next((text.split()[1] for text in reversed(before) if text.startswith("Lemma ")), "what stands before all")
    dropped = next((text for text in reversed(before) if text.startswith(("(* without", "Lemma "))), "")
    return f"It is {name}" + (f", which follows {dropped[3:-3]} too" if dropped.startswith("(*") else "")


if __name__ == "__main__":
    try:
        print(f"Coq accepts {accept(Development())} schemas, and none without one of its premises")
    except BadInput as refusal:
        sys.exit(str(refusal))
