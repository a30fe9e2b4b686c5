"""What to say of a claim: how its print fares; why it is not proved, where it is false, and what would help."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from grpo_symbolic.ledger import Entry
from grpo_symbolic.proof.statements.evidence import KEPT, UNCERTIFIED, Evidence, Outcome, PrintVerdict, Verdict
from grpo_symbolic.typeset.plain import brief, plain

FARES: dict[PrintVerdict | None, str] = {
    PrintVerdict.holds: "holds as printed",
    PrintVerdict.as_read: "holds as a person reads it",
    PrintVerdict.needs_hypothesis: "print needs a hypothesis",
    PrintVerdict.redundant_hypothesis: "print asks too much",
    PrintVerdict.imprecise: "print is imprecise",
    PrintVerdict.misprint: "misprint",
    PrintVerdict.wrong: "print is wrong",
    PrintVerdict.unknown: "print not judged",
    None: "not in a paper",
}
_TRANSCENDENTAL = re.compile(r"\\log|e\^|\\exp|\\sum")
_POWER = re.compile(r"(?<!e)\^\{[^{}\\]*[A-Za-z][^{}\\]*\}")  # of a base that is not e, with a letter in the exponent


def shortcoming(entry: Entry) -> list[str]:
    """Why a claim fails, in lines: the reasons, the point at which it is false, what it says and where."""
    said = entry.failures()
    if entry.counterexample:
        said.append(f"  fails at  {brief(entry.counterexample, letters=entry.letters)}")
    said += [f"  it says   {plain(entry.sentence)}", f"  where     {plain(entry.domain)}"]
    if not entry.counterexample and entry.print_verdict is PrintVerdict.unknown and entry.differs:
        said.append(f"  the print {plain(entry.printed or '')}")
        said.append("  help      no checker refutes it: give its domain too, where you know that it fails")
    return [*said, *(f"  help      {text}" for text in what_would_help(entry))]


def as_document(entry: Entry) -> dict[str, Any]:
    """A claim as JSON: its entry of the ledger, led by its verdict and, where it is false or open, by the point at
    which it fails or by what would help.
    """
    lead: dict[str, Any] = {"id": entry.id, "verdict": entry.verdict}
    if entry.verdict is Verdict.refuted:
        lead["counterexample"] = entry.counterexample
    if entry.verdict in (Verdict.supported, Verdict.unknown):
        lead["would_help"] = what_would_help(entry)
    return lead | entry.to_json()


def what_would_help(entry: Entry) -> list[str]:
    """What its author can do for a claim that no checker decides, a sentence each."""
    premises = (
        f"{e.obligation.partition(': ')[2]} fails at {_point(entry, e)}: the rule needs it and the sentence may not, "
        "so say less of where it holds, or take another rule"
        for e in entry.failing_premises
    )
    return [*dict.fromkeys(premises), *hints(entry.undecided, entry.sentence)]


def _point(entry: Entry, refuted: Evidence) -> str:
    return brief(entry.point_of(refuted), letters=entry.letters) or "a point of letters that the sentence has not"


def hints(evidence: Iterable[Evidence], sentence: str, with_lemmas: bool = False) -> list[str]:
    """What would help where this is all that engines say of a ``sentence`` in LaTeX; ``with_lemmas``: instances of
    lemmas were given.
    """
    told = list(evidence)
    undefined = next((e for e in told if e.finds_undefined and "such as" in e.artefact), None)
    if undefined is not None:
        where = undefined.artefact.strip().partition("\n")[0].partition("such as ")[2]
        return [f"it has no value at {where}: exclude that by the domain, or write it in a form that has one there"]
    found = []
    for e in told:
        if e.checker == KEPT:
            found.append(f"{e.obligation}: {e.artefact}")
        elif e.timed_out:
            found.append(f"{e.obligation}: {e.artefact}; run verify again, or state the claim in smaller parts")
        elif e.artefact.startswith("sat (of an abstraction)"):
            if powers := _POWER.search(sentence):
                found.append(
                    "to Z3 and cvc5 a power whose exponent is a letter is any number: write Product(p, (j, 1, k)) for "
                    "it, and go from each k to the next, ForEveryNumber(…, k, 2).by(Induction())"
                )
            if with_lemmas:
                found.append(
                    "the lemma instances that are given do not suffice: evaluate both sides where the last engine says "
                    "it may fail, and take an instance that excludes that point"
                )
            elif not powers or _TRANSCENDENTAL.search(sentence):
                found.append(
                    "to Z3 and cvc5 its exponentials, logarithms and sums are any numbers: say what is needed of them "
                    "as lemma instances, Always(…, using=(log_below_tangent(u),)), with u the argument"
                )
        elif e.checker in ("quotients", "algebra") and e.outcome is Outcome.unknown:
            found.append("no normal form shows the two sides equal: take the identity in steps, with a Derivation")
        elif e.checker in ("expansion", "gruntz", "closing-balls") and e.outcome is Outcome.unknown:
            found.append("no leading term of known sign: say in the domain what signs the other symbols have")
        elif e.checker == "ball" and e.outcome is Outcome.unknown:
            found.append("ball arithmetic needs a bounded domain on which neither side comes close to the other")
    if not any(e.artefact.startswith("sat") for e in told) and any(e.artefact.startswith(UNCERTIFIED) for e in told):
        found.append(
            "no certificate is found: name a relation that would help, or an expression whose sign makes cases, "
            "Always(…, hint=(x < y, x - 2 * y))"
        )
    return list(dict.fromkeys(found))
