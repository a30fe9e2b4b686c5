"""The grade ``kernel``: Coq's kernel accepts a proof of the obligation, and the axioms it rests on are those of ℝ.

Several obligations share one ``coqtop``, which goes on after an error: one failure hides no other, and the libraries
are loaded once. A proof counts when Coq prints the theorem that it accepted, without any notation, as it printed the
one that was asked for in a session in which no script had run, and when ``Print Assumptions`` names no axiom beyond
:data:`AXIOMS`; whatever else happens (a tactic that fails, ``Admitted``, a timeout, no Coq) is ``unknown``.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

from grpo_symbolic.export.coq import statement
from grpo_symbolic.export.coq_names import Unsupported
from grpo_symbolic.proof.digest import deciding_code, digest_of
from grpo_symbolic.proof.evidence import Evidence, Grade, Outcome
from grpo_symbolic.proof.obligation import Obligation
from grpo_symbolic.verification.kernel_proofs import scripts
from grpo_symbolic.verification.kernel_tokens import only_tactics
from grpo_symbolic.verification.pool import run_tasks
from grpo_symbolic.verification.store import Store

CHECKER, KIND = "coq", "kernel"
SECONDS = 60  # for one command of a proof
AXIOMS = frozenset({
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
})  # fmt: skip
_RESTS = "rests on "
_PLAINLY = "Set Printing All. Set Printing Width 1000000. Set Printing Depth 1000000."


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


@cache
def _digest() -> str:
    """Of the code that states and accepts: this file, its lemmas, the translation, and the package of the checkers."""
    root = Path(__file__).parents[1]
    here = [root / "verification" / name for name in ("kernel.py", "kernel_tokens.py", "kernel.v")]
    return digest_of([*here, *sorted((root / "export").glob("coq*.py"))], root, deciding_code())


def stated(obligation: Obligation) -> str:
    """The theorem that Coq is asked, or nothing where it cannot be said exactly."""
    try:
        return statement(obligation).text
    except Unsupported:
        return ""


def key_of(obligation: Obligation) -> str:
    """The identity of a kernel proof: statement and domain, as they are and as Coq reads them, the code that states
    and accepts, and Coq's version. How a proof was found does not matter once the kernel has accepted it.
    """
    body = "|".join([CHECKER, obligation.key(), stated(obligation), _digest(), str(coq_version())])
    return hashlib.sha256(body.encode()).hexdigest()


def preamble() -> str:
    """What stands before every theorem: the libraries and a few lemmas and tactics."""
    return resources.files(__package__).joinpath("kernel.v").read_text(encoding="utf-8")


def theorem(name: str, stated: str, body: str) -> str:
    return f"Theorem {name} :\n  {stated}.\nProof.\n{body}\nQed.\n"


@dataclass(frozen=True)
class Attempt:
    """One obligation with the proof scripts to be tried for it, in order."""

    obligation: Obligation
    proofs: tuple[str, ...]

    @property
    def stated(self) -> str:
        return statement(self.obligation).text


@dataclass(frozen=True)
class Batch:
    """Obligations that share a process of Coq: a task of the pool. ``limit`` is in seconds, for all together."""

    attempts: tuple[Attempt, ...]
    limit: float
    seconds: float = SECONDS

    def run(self) -> list[Evidence]:
        name = f"T{secrets.token_hex(8)}_"  # no script can name a theorem that is not its own
        with tempfile.TemporaryDirectory(prefix="grpo-coq-") as folder:
            asked = as_coq_reads([a.stated for a in self.attempts], name, Path(folder), self.seconds)
            found = _run(self.attempts, asked, name, Path(folder), self.limit - 5, self.seconds)
        if len(found) == 1 or not any(e.artefact.startswith(_RESTS) for e in found):
            return found
        # Some theorem rests on more than the reals: which one, each says for itself.
        return [e for a in self.attempts for e in replace(self, attempts=(a,)).run()]


def as_coq_reads(stated: Sequence[str], name: str, folder: Path, seconds: float = SECONDS) -> list[str]:
    """How Coq prints theorems that are asked for, called ``name`` with their numbers; nothing for what it does not
    understand. The session is one in which no script has run, and it proves nothing.
    """
    lines = [preamble(), _PLAINLY]
    for number, text in enumerate(stated):
        lines += [f"Parameter {name}{number} :\n  {text}.", f'Redirect "asked{number}" Check {name}{number}.']
    _session(lines, folder, seconds + 30)
    return [_answer(folder / f"asked{number}.out") for number in range(len(stated))]


def _session(lines: Sequence[str], folder: Path, limit: float) -> bool:
    """Have Coq read lines in a folder; whether it came to their end in time."""
    source = folder / "given.v"
    source.write_text("\n".join([*lines, ""]), encoding="utf-8")
    with source.open() as given, (folder / "log").open("w") as log:
        try:
            subprocess.run(
                ["coqtop", "-q"],
                stdin=given,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
    return True


def _answer(file: Path) -> str:
    """What Coq printed to a file, on one line."""
    return " ".join(file.read_text(encoding="utf-8").split()) if file.is_file() else ""


def _run(
    attempts: Sequence[Attempt], asked: Sequence[str], name: str, folder: Path, limit: float, seconds: float
) -> list[Evidence]:
    """One Coq on a file of all attempts. A theorem that is proved already makes later attempts at it void: its name is
    taken. The axioms are asked of all theorems together, for the question costs as much as a proof: ``S<k>`` mentions
    those of the first k that are there, and that each is what was asked before any script had run.
    """
    chain = f"S{name}"
    lines = [preamble(), _PLAINLY, f"Set Default Timeout {seconds:.0f}.", 'Redirect "start" Print Visibility.']
    lines += [f"Lemma {chain}0 : True. Proof. exact I. Qed."]
    lines += [f"Definition Q{name}{number} : Prop :=\n  {a.stated}." for number, a in enumerate(attempts)]
    for number, attempt in enumerate(attempts):
        mine, before, after = f"{name}{number}", f"{chain}{number}", f"{chain}{number + 1}"
        for turn, body in enumerate(attempt.proofs):
            lines += [theorem(mine, attempt.stated, body), "Abort All."]
            lines += [f'Redirect "T{number}_{turn}" Check {mine}.']
        lines += [f"Lemma {after} : True. Proof. exact (let _ : Q{mine} := {mine} in {before}). Qed.", "Abort All."]
        lines += [f'Redirect "S{number + 1}" Check {after}.']
        lines += [f"Lemma {after} : True. Proof. exact {before}. Qed.", "Abort All."]
    lines += [f'Set Default Timeout 300. Redirect "axioms" Print Assumptions {chain}{len(attempts)}.']
    in_time = _session(lines, folder, limit)
    return list(_read(attempts, asked, folder, not in_time))


def _read(attempts: Sequence[Attempt], asked: Sequence[str], folder: Path, over: bool) -> Iterator[Evidence]:
    axioms_file, start = folder / "axioms.out", folder / "start.out"
    answer_on_axioms = axioms_file.read_text(encoding="utf-8") if axioms_file.is_file() else ""
    last = start.stat().st_mtime if start.is_file() else 0.0
    for number, (attempt, wanted) in enumerate(zip(attempts, asked, strict=True)):
        answers = [folder / f"T{number}_{turn}.out" for turn in range(len(attempt.proofs))]
        counted = _answer(folder / f"S{number + 1}.out")  # its axioms are among those that are printed
        said = zip(attempt.proofs, map(_answer, answers), strict=True)
        accepted = next(((body, answer) for body, answer in said if answer), None)
        first, last = last, max([last, *(f.stat().st_mtime for f in answers if f.is_file())])
        proof, axioms, reason = None, None, ""
        if not wanted:
            reason = "Coq does not understand the statement"
        elif accepted is None or (over and not counted):
            reason = "time limit of the batch" if over else "no proof was found"
        elif accepted[1] != wanted or not counted:
            reason = f"Coq accepted another theorem: {accepted[1]}"
        elif (axioms := assumptions(answer_on_axioms)) is None:
            reason = "Print Assumptions gave no answer that is understood"
        elif not set(axioms) <= AXIOMS:
            reason = f"{_RESTS}{', '.join(sorted(set(axioms) - AXIOMS))}, which is no axiom of ℝ"
        else:
            proof = accepted[0]
        yield _evidence(attempt, proof, tuple(axioms or ()), reason, last - first)


def assumptions(answer: str) -> list[str] | None:
    """The axioms that an answer of ``Print Assumptions`` names, or ``None`` for anything else.

    >>> assumptions("Closed under the global context")
    []
    >>> assumptions("Axioms:\\nA.b : forall x : R,\\n  x = x\\nc\\n  : False")
    ['A.b', 'c']
    """
    said = [line for line in answer.strip().splitlines() if not line.startswith("Fetching opaque proofs")]
    head, *rest = said or [""]
    if head == "Closed under the global context" and not rest:
        return []
    if head != "Axioms:":
        return None
    return [line.split()[0] for line in rest if line and not line[0].isspace()]


def _evidence(attempt: Attempt, proof: str | None, axioms: tuple[str, ...], reason: str, seconds: float) -> Evidence:
    if proof is None:
        outcome, grade, artefact = Outcome.unknown, Grade.none, reason
    else:
        file = preamble() + "\n" + theorem("claimed", attempt.stated, proof) + "Print Assumptions claimed.\n"
        digest = hashlib.sha256(file.encode()).hexdigest()
        artefact = "\n".join([
            f"(* after kernel.v; sha256 of the whole {digest} *)",
            f"(* axioms, with those of the theorems checked beside it: {', '.join(axioms) or 'none'} *)",
            theorem("claimed", attempt.stated, proof) + "Print Assumptions claimed.",
        ])  # fmt: skip
        outcome, grade = Outcome.holds, Grade.kernel
    return Evidence(
        "holds", attempt.obligation.label, CHECKER, grade, outcome, f"Coq {coq_version()}", round(seconds, 3),
        artefact=artefact, key=key_of(attempt.obligation),
    )  # fmt: skip


def check(
    obligations: Iterable[Obligation],
    jobs: int = 1,
    size: int = 12,
    limit: float = 600.0,
    seconds: float = SECONDS,
    proofs: dict[str, tuple[str, ...]] | None = None,
) -> Iterator[tuple[Obligation, Evidence]]:
    """Evidence of Coq on each obligation, as it comes: of grade ``kernel`` where its kernel accepted a proof, else
    ``unknown`` with the reason.

    ``proofs`` gives, by :meth:`Obligation.key`, scripts to be tried before the general ones; each may hold tactics
    only. ``size`` obligations share a process, which may take ``limit`` seconds.
    """
    known = proofs or {}
    ready: list[Attempt] = []
    for obligation in obligations:
        if coq_version() is None:
            yield obligation, _unknown(obligation, "unavailable: there is no Coq on this machine")
            continue
        given = known.get(obligation.key(), ())
        refused = [s for s in map(only_tactics, given) if s is not None]
        if refused:
            yield obligation, _unknown(obligation, f"refused: a proof script holds more than tactics: {refused[0]}")
            continue
        try:
            ready.append(Attempt(obligation, (*given, *scripts(obligation))))
            _ = ready[-1].stated
        except Unsupported as reason:
            ready = ready[:-1] if ready and ready[-1].obligation is obligation else ready
            yield obligation, _unknown(obligation, f"not translated: {reason}")
    batches = [Batch(tuple(ready[i : i + size]), limit, seconds) for i in range(0, len(ready), size)]
    for index, found in run_tasks(batches, jobs):
        attempts = batches[index].attempts
        answers = found or [
            _unknown(a.obligation, "no result: killed at the time limit, or its process died") for a in attempts
        ]
        yield from ((a.obligation, e) for a, e in zip(attempts, answers, strict=True))


def _unknown(obligation: Obligation, reason: str) -> Evidence:
    engine = f"Coq {coq_version() or 'absent'}"
    return Evidence(
        "holds",
        obligation.label,
        CHECKER,
        Grade.none,
        Outcome.unknown,
        engine,
        0.0,
        artefact=reason,
        key=key_of(obligation),
    )


def keep(store: Store, obligation: Obligation, evidence: Evidence) -> None:
    """Put what Coq said into the store, under the statement: most have nothing there, and are not translated again."""
    store.note(KIND, obligation.key(), evidence.to_json())


def kept(store: Store, obligation: Obligation) -> Evidence | None:
    """What Coq said of an obligation in an earlier run with this very checker and version of Coq."""
    if coq_version() is None:
        return None
    try:
        found = Evidence.from_json(store.noted(KIND, obligation.key()))
    except (TypeError, KeyError, ValueError, AttributeError):
        return None
    return found if (found.key, found.checker) == (key_of(obligation), CHECKER) else None


def proofs_kept(store: Store | None, obligation: Obligation) -> list[Evidence]:
    """The kernel proof of an obligation that the store has, as the ledger shows it; nothing else."""
    found = kept(store, obligation) if store is not None else None
    return [found] if found is not None and found.proves else []
