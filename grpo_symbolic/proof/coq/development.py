"""The theorems of ``coq/``, which stand alone, beside claims: what a claim states follows from the theorem of its name.

A claim whose statement *is* its obligations (no rule and no words lead from them to it) is what Coq is asked here:
each obligation, with its conditions of being defined, proved in a section in which the theorem is a hypothesis. It
counts where Coq accepts the proof and the proof uses the hypothesis. The scripts lie in ``coq/beside``, and are
believed as little as any others.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from grpo_symbolic.errors import BadInput
from grpo_symbolic.files import digest_of
from grpo_symbolic.proof.coq import session
from grpo_symbolic.proof.coq.checker import judged, refused
from grpo_symbolic.proof.coq.script_files import parts
from grpo_symbolic.proof.coq.session import Attempt, Library
from grpo_symbolic.proof.coq.theorem import theorem
from grpo_symbolic.proof.statements.evidence import Finding, Grade
from grpo_symbolic.proof.statements.obligation import Obligation

_THEOREM = re.compile(r"^Theorem (\w+)", re.MULTILINE)
_NEEDS = re.compile(r"^From GrpoSymbolic Require (?:Import |Export )?([\w ]+)\.", re.MULTILINE)
_BRIDGE = "Bridge"
FOLDER = Path(__file__).parents[3] / "coq"  # in a checkout; an installed package has none


@dataclass(frozen=True)
class Development:
    """The folder of the development: its sources in ``theories``, and the scripts in ``beside``."""

    folder: Path = FOLDER

    @cached_property
    def theorems(self) -> Mapping[str, str]:
        """The theorems, each by its name, with the file that it is in."""
        files = sorted((self.folder / "theories").glob("*.v"))
        return {name: f.stem for f in files for name in _THEOREM.findall(f.read_text(encoding="utf-8"))}

    def theorem_of(self, id: str) -> str:
        """The theorem that has the name of a claim, with its file: ``VojnovicYun.vy_eq14``; nothing where none has."""
        name = _underscored(id)
        return f"{self.theorems[name]}.{name}" if name in self.theorems else ""

    @cached_property
    def scripts(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """For the ids of claims, the labels of their obligations with tactics, as ``beside`` has them.

        Raises :class:`BadInput` for a file without heads or tactics, and for a claim without a theorem of its name.
        """
        scripts: dict[str, list[tuple[str, str]]] = {}
        for file in sorted((self.folder / "beside").glob("[a-z]*.v")):
            for id, label, tactics in parts(file):
                if not self.theorem_of(id):
                    raise BadInput(f"{file} has a script for {id}, of which no theorem has the name")
                scripts.setdefault(id, []).append((label, tactics))
        return scripts

    def files_of(self, name: str) -> list[Path]:
        """The sources that a theorem (``File.name``) rests on: its file and those that this one imports."""
        pending, files = [name.partition(".")[0]], set()
        while pending:
            file = self.folder / "theories" / f"{pending.pop()}.v"
            if file not in files:
                files.add(file)
                pending += [n for line in _NEEDS.findall(file.read_text(encoding="utf-8")) for n in line.split()]
        return sorted(files)

    def sources(self, name: str) -> str:
        """A digest of the sources that a theorem rests on."""
        return _digest(tuple(self.files_of(name)), self.folder)

    def is_compiled(self, name: str) -> bool:
        """Whether the compiled files that a theorem is read from are younger than their sources."""
        files = [(f, f.with_suffix(".vo")) for f in self.files_of(name)]
        return all(vo.is_file() and vo.stat().st_mtime >= v.stat().st_mtime for v, vo in files)

    @cached_property
    def library(self) -> Library:
        """What the scripts may use: the theorems, and ``beside/Bridge.v`` from their words to those of statements."""
        theories = ("-Q", str(self.folder / "theories"), "GrpoSymbolic")
        files = sorted({self.theorems[name] for name in map(_underscored, self.scripts)})
        opening = f"From GrpoSymbolic Require Import {' '.join(['Definitions', *files])}."
        bridge = _bridge(self.folder / "beside" / f"{_BRIDGE}.v", theories)
        return Library((*theories, "-Q", bridge.name, ""), (opening, f"Require Import {_BRIDGE}."))


@cache
def _digest(files: tuple[Path, ...], folder: Path) -> str:
    return digest_of(files, folder)


def _underscored(id: str) -> str:
    return id.replace("-", "_")


@cache
def _bridge(source: Path, theories: tuple[str, ...]) -> tempfile.TemporaryDirectory[str]:
    """A folder with the bridge, compiled after the preamble; gone when the process ends."""
    folder = tempfile.TemporaryDirectory(prefix="grpo-coq-")
    (Path(folder.name) / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    command = ["coqc", "-q", "-w", "none", *theories, "-Q", session.compiled().name, "", source.name]
    done = subprocess.run(command, cwd=folder.name, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise BadInput(f"{source} is not accepted by Coq: {' '.join(done.stderr.split())}")
    return folder


@dataclass(frozen=True)
class FromTheorem:
    """Coq's kernel, given a theorem of the development as the premise. ``theorem`` is its name with its file,
    ``sources`` the digest of what it rests on: the evidence is of this theorem and no other.
    """

    theorem: str
    sources: str
    script: str = field(default="", repr=False, compare=False)
    name: str = "coq-theorem"
    engine: str = "Coq"
    grade: Grade = Grade.kernel

    def applies(self, obligation: Obligation) -> bool:
        return bool(self.script)

    def check(self, obligation: Obligation) -> Finding:
        return check_together([(self, obligation)], Development())[0]


def check_together(asked: Sequence[tuple[FromTheorem, Obligation]], development: Development) -> list[Finding]:
    """A finding for each obligation, in their order; all share one session of Coq, ten minutes long."""
    if session.coq_version() is None:
        return [Finding.unknown("unavailable: there is no Coq on this machine")] * len(asked)
    tried = [_attempt(checker, obligation, development) for checker, obligation in asked]
    return judged(tried, 600, library=development.library)


def _attempt(checker: FromTheorem, obligation: Obligation, development: Development) -> Attempt | Finding:
    refusal = refused(checker.script)
    if refusal is not None:
        return refusal
    if not development.is_compiled(checker.theorem):
        return Finding.unknown(f"unavailable: the theories under {checker.theorem} are not compiled (make coq)")
    try:
        return Attempt(theorem(obligation).text, (checker.script,), checker.theorem)
    except BadInput as reason:
        return Finding.unknown(f"not translated: {reason}")
