"""Theorems before ``coqtop``, and which of its answers count.

Several theorems share one process, which goes on after an error: one failure hides no other, and the libraries are
loaded once. A proof counts when Coq prints the theorem that it accepted, without any notation, as it printed the one
that was asked for in a session in which no script had run, and when ``Print Assumptions`` names no axiom beyond
:data:`AXIOMS`. Whatever else happens (a tactic that fails, ``Admitted``, a timeout, no Coq) proves nothing.
"""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

SECONDS = 60  # for one command of a proof
AXIOMS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
_RESTS = "rests on "
_LIBRARY = "Preamble"  # the preamble, compiled
_SILENTLY = "Set Silent."  # else every step of a proof prints its goal, which costs more than the step
_PLAINLY = "Set Printing All. Set Printing Width 1000000. Set Printing Depth 1000000."


@dataclass(frozen=True)
class Attempt:
    """A theorem in Coq's syntax, with the scripts to be tried for it, in order. ``premise`` is the name of a theorem of
    a :class:`Library` that the proof must use.
    """

    stated: str
    scripts: tuple[str, ...]
    premise: str = ""


@dataclass(frozen=True)
class Library:
    """What scripts may use beyond the preamble: ``arguments`` of ``coqtop``, and the ``opening`` lines that load it."""

    arguments: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()


NOTHING = Library()


@dataclass(frozen=True)
class Answer:
    """What became of an attempt: the script that proves it, and all axioms of the session; or the reason why not."""

    script: str | None
    axioms: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0


@cache
def coq_version() -> str | None:
    """The version of Coq on this machine, or ``None`` where there is none."""
    program = shutil.which("coqtop")
    if program is None:
        return None
    try:
        answer = subprocess.run([program, "--print-version"], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.split()[0] if answer.stdout.split() else None


def preamble() -> str:
    """What stands before every theorem: the libraries, two definitions, lemmas and tactics."""
    return resources.files(__package__).joinpath("preamble.v").read_text(encoding="utf-8")


@cache
def compiled() -> tempfile.TemporaryDirectory[str]:
    """A folder with the preamble, compiled once for this process and those that it forks; gone when it ends."""
    folder = tempfile.TemporaryDirectory(prefix="grpo-coq-")
    source = Path(folder.name) / f"{_LIBRARY}.v"
    source.write_text(preamble(), encoding="utf-8")
    subprocess.run(["coqc", "-q", source.name], cwd=folder.name, capture_output=True, timeout=120, check=True)
    return folder


def written(name: str, stated: str, script: str, end: str = "Qed") -> str:
    """A theorem with its proof, which can be looked into where it ends with ``Defined``."""
    return f"Theorem {name} :\n  {stated}.\nProof.\n{script}\n{end}.\n"


def judged(
    attempts: Sequence[Attempt], limit: float, seconds: float = SECONDS, library: Library = NOTHING
) -> list[Answer]:
    """What Coq says of attempts that share a process; ``limit`` is in seconds for all, ``seconds`` for one command.

    What is asked is read by a session without the ``library``: no name of it can change what a theorem states.
    """
    name = f"T{secrets.token_hex(8)}_"  # no script can name a theorem that is not its own
    with tempfile.TemporaryDirectory(prefix="grpo-coq-") as folder:
        asked = as_coq_reads([a.stated for a in attempts], name, Path(folder), seconds)
        answers = _run(attempts, asked, name, Path(folder), limit - 5, seconds, library)
    if len(answers) == 1 or not any(a.reason.startswith(_RESTS) for a in answers):
        return answers
    # Some theorem rests on more than the reals: each is asked on its own, to see which.
    alone = [judged([a], limit, seconds, library)[0] for a in attempts]
    return [replace(a, seconds=f.seconds) for a, f in zip(alone, answers, strict=True)]


def as_coq_reads(stated: Sequence[str], name: str, folder: Path, seconds: float = SECONDS) -> list[str]:
    """How Coq prints theorems that are asked for, called ``name`` with their numbers; nothing for what it does not
    understand. The session is one in which no script has run, and it proves nothing.
    """
    lines = []
    for number, text in enumerate(stated):
        lines += [f"Parameter {name}{number} :\n  {text}.", f'Redirect "asked{number}" Check {name}{number}.']
    _session(lines, folder, seconds + 30)
    return [_answer(folder / f"asked{number}.out") for number in range(len(stated))]


def _session(
    lines: Sequence[str], folder: Path, limit: float, library: Library = NOTHING, first: Sequence[str] = ()
) -> bool:
    """Have Coq read lines after the preamble, in a folder, those that come ``first`` before the library is there; and
    whether it came to their end in time.
    """
    source = folder / "given.v"
    known = [_SILENTLY, f"Require Import {_LIBRARY}.", "Open Scope R_scope.", _PLAINLY]
    opening = [*_imports(), *known, *first]
    if library.opening:
        opening += [*library.opening, *known]
    source.write_text("\n".join([*opening, *lines, ""]), encoding="utf-8")
    with source.open() as given, (folder / "log").open("w") as log:
        command = ["coqtop", "-q", "-Q", compiled().name, "", *library.arguments]
        try:
            subprocess.run(
                command, stdin=given, stdout=log, stderr=subprocess.STDOUT, cwd=folder, timeout=limit, check=False
            )
        except subprocess.TimeoutExpired:
            return False
    return True


def _imports() -> list[str]:
    """The libraries that the preamble begins with: what it defines is known where it is required, what it imports is
    not.
    """
    return [line for line in preamble().splitlines() if line.startswith("From ")]


def _answer(file: Path) -> str:
    """What Coq printed to a file, on one line."""
    return " ".join(file.read_text(encoding="utf-8").split()) if file.is_file() else ""


def _run(
    attempts: Sequence[Attempt],
    asked: Sequence[str],
    name: str,
    folder: Path,
    limit: float,
    seconds: float,
    library: Library,
) -> list[Answer]:
    """One Coq on a file of all attempts. A theorem that is proved already makes later attempts at it void: its name is
    taken. What each states is defined before the library is loaded, so that no name of it counts. The axioms are asked
    of all theorems together, for the question costs as much as a proof: ``S<k>`` mentions those of the first k that are
    there, and that each is what was asked before any script had run.

    A premise is a hypothesis of a section in which the scripts run, under its own short name; after the section it is
    an argument of the theorem if and only if the proof uses it. What is asked whether it uses it is the normal form of
    the proof, from which what is taken up and thrown away has gone.
    """
    chain = f"S{name}"
    lines = [f"Set Default Timeout {seconds:.0f}.", 'Redirect "start" Print Visibility.']
    lines += [f"Lemma {chain}0 : True. Proof. exact I. Qed."]
    asked_for = [f"Definition Q{name}{number} : Prop :=\n  {a.stated}." for number, a in enumerate(attempts)]
    for number, attempt in enumerate(attempts):
        mine, before, after = f"{name}{number}", f"{chain}{number}", f"{chain}{number + 1}"
        premise, proof = attempt.premise, mine
        if premise:
            short, proof = premise.rpartition(".")[2], f"({mine} (@{premise}))"
            lines += [f"Section In{mine}.", f"Hypothesis {short} : ltac:(let T := type of (@{premise}) in exact T)."]
        for turn, script in enumerate(attempt.scripts):
            if premise:
                lines += [written(f"W{mine}", attempt.stated, script, "Defined"), "Abort All."]
                script = f"let proof := eval cbv beta zeta delta [W{mine}] in W{mine} in exact proof."
            lines += [written(mine, attempt.stated, script), "Abort All."]
            lines += [f'Redirect "T{number}_{turn}" Check {mine}.']
        lines += [f"End In{mine}."] if premise else []
        lines += [f"Lemma {after} : True. Proof. exact (let _ : Q{mine} := {proof} in {before}). Qed.", "Abort All."]
        lines += [f'Redirect "S{number + 1}" Check {after}.']
        lines += [f"Lemma {after} : True. Proof. exact {before}. Qed.", "Abort All."]
    lines += [f'Set Default Timeout 300. Redirect "axioms" Print Assumptions {chain}{len(attempts)}.']
    in_time = _session(lines, folder, limit, library, asked_for)
    return list(_read(attempts, asked, folder, not in_time))


def _read(attempts: Sequence[Attempt], asked: Sequence[str], folder: Path, over: bool) -> Iterator[Answer]:
    axioms_file, start = folder / "axioms.out", folder / "start.out"
    answer_on_axioms = axioms_file.read_text(encoding="utf-8") if axioms_file.is_file() else ""
    axioms = assumptions(answer_on_axioms)
    last = start.stat().st_mtime if start.is_file() else 0.0
    for number, (attempt, wanted) in enumerate(zip(attempts, asked, strict=True)):
        answers = [folder / f"T{number}_{turn}.out" for turn in range(len(attempt.scripts))]
        counted = _answer(folder / f"S{number + 1}.out")  # its axioms are among those that are printed
        tried = zip(attempt.scripts, map(_answer, answers), strict=True)
        accepted = next(((script, answer) for script, answer in tried if answer), None)
        first, last = last, max([last, *(f.stat().st_mtime for f in answers if f.is_file())])
        seconds = round(last - first, 3)
        if not wanted:
            reason = "Coq does not understand the statement"
        elif accepted is None or (over and not counted):
            reason = "time limit of the batch" if over else "no proof was found"
        elif accepted[1] == wanted and not counted and attempt.premise:
            reason = f"the proof does without {attempt.premise}"
        elif accepted[1] != wanted or not counted:
            reason = f"Coq accepted another theorem: {accepted[1]}"
        elif axioms is None:
            reason = "Print Assumptions gave no answer that is understood"
        elif not set(axioms) <= AXIOMS:
            reason = f"{_RESTS}{', '.join(sorted(set(axioms) - AXIOMS))}, which is no axiom of ℝ"
        else:
            yield Answer(accepted[0], tuple(axioms), seconds=seconds)
            continue
        yield Answer(None, reason=reason, seconds=seconds)


def assumptions(answer: str) -> list[str] | None:
    """The axioms that an answer of ``Print Assumptions`` names, or ``None`` for anything else.

    >>> assumptions("Closed under the global context")
    []
    >>> assumptions("Axioms:\\nA.b : forall x : R,\\n  x = x\\nc\\n  : False")
    ['A.b', 'c']
    """
    lines = [line for line in answer.strip().splitlines() if not line.startswith("Fetching opaque proofs")]
    head, *rest = lines or [""]
    if head == "Closed under the global context" and not rest:
        return []
    if head != "Axioms:":
        return None
    return [line.split()[0] for line in rest if line and not line[0].isspace()]
