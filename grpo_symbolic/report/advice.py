"""What to say of a claim: the verdict on its print; why it is not proved, where it is false, and what would help."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from grpo_symbolic.ledger import Entry
from grpo_symbolic.proof.statements.evidence import STORED, UNCERTIFIED, Evidence, Outcome, PrintVerdict, Verdict
from grpo_symbolic.typeset.plain import brief, plain

ON_PRINTS: dict[PrintVerdict | None, str] = {
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
_GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_LIMITS = re.compile(rf"(\\sum|\\prod)_{_GROUP}\^{_GROUP}")  # of which the upper one is no exponent
_TRANSCENDENTAL = re.compile(r"\\log|e\^|\\exp")
_SUM = re.compile(r"\\sum|\\prod")
_PICKED = re.compile(r"(?:\\sum|\\prod)[\s\S]*\\begin\{cases\}")  # a sum whose terms have cases
_EQUALITY = re.compile(r"Leftrightarrow|with equality")  # where something is asked at the point of equality itself
_COUNTED = "independent trials succeed"  # as CountMean is printed
_POWER = re.compile(r"(?<!e)\^\{[^{}\\]*[A-Za-z][^{}\\]*\}")  # of a base that is not e, with a letter in the exponent


def heading(entry: Entry) -> str:
    """What the sentence of a claim is called: the claim, or what holds instead of the print; in words, where it is not
    what was checked but words of its file or of the paper.
    """
    return ("What holds" if entry.differs else "Claim") + (", in words" if entry.line and not entry.says_itself else "")


def shortcoming(entry: Entry) -> list[str]:
    """Why a claim fails, in lines: the reasons, the point at which it is false and the step that is, what it says and
    where, and what of it is open.
    """
    failures = entry.failures()
    if entry.counterexample:
        failures.append(f"  fails at  {brief(entry.counterexample, letters=entry.letters)}")
        failures += [f"  in        {name}" for name in false_steps(entry)]
    failures += [f"  it says   {plain(entry.sentence)}", f"  where     {plain(entry.domain)}"]
    failures += [f"  open      {name}" for name in open_parts(entry)]
    if not entry.counterexample and entry.print_verdict is PrintVerdict.unknown and entry.differs:
        failures.append(f"  the print {plain(entry.printed or '')}")
        failures.append(f"  help      {_of_print(entry)}")
    return [*failures, *(f"  help      {text}" for text in what_would_help(entry))]


def false_steps(entry: Entry) -> list[str]:
    """The steps of derivations that are refuted, which the sentence of the claim does not show."""
    refuted = (e.obligation for e in entry.evidence if e.about == "holds" and e.outcome is Outcome.refuted)
    return [name for name in dict.fromkeys(map(_named, refuted)) if name.startswith("step ")]


def open_parts(entry: Entry) -> list[str]:
    """What no checker decides of a claim that is open, by name, where that is not all of it."""
    if not entry.is_undecided:
        return []
    every = {e.obligation for e in entry.evidence if e.about == "holds"}
    obligations = dict.fromkeys(e.obligation for e in entry.undecided if e.outcome is not Outcome.refuted)
    return [_named(obligation) for obligation in obligations] if len(every) > 1 else []


def _named(obligation: str) -> str:
    """An obligation without its number."""
    return obligation.partition(": ")[2]


def _of_print(entry: Entry) -> str:
    """What its author can do where no checker refutes the printed reading."""
    records = [e for e in entry.evidence if e.about == "printed"]
    if undefined := _undefined(records):
        return (
            f"the printed reading has no value at {undefined}, and what has none is neither true nor false: let it say "
            "the hypothesis that is missing, needs_hypothesis(…, Always(v > 0), …), on the domain of the print"
        )
    if records and all(any(e.settles for e in records if e.obligation == o) for o in {e.obligation for e in records}):
        return "the printed reading is true on its domain: give the one that fails, or the domain on which it does"
    return (
        "no checker refutes it: narrow its domain, the last argument of judged=…(…), to where you know that it fails, "
        "or to one point of it"
    )


def _undefined(evidence: Iterable[Evidence]) -> str:
    """A point at which something has no value, if one was found."""
    undefined = next((e for e in evidence if e.finds_undefined and "such as" in e.artefact), None)
    return "" if undefined is None else undefined.artefact.strip().partition("\n")[0].partition("such as ")[2]


def as_document(entry: Entry) -> dict[str, Any]:
    """A claim as JSON: its entry of the ledger, led by its verdict and, where it is false or open, by the point at
    which it fails or by what would help.
    """
    lead: dict[str, Any] = {"id": entry.id, "verdict": entry.verdict}
    if entry.verdict is Verdict.refuted:
        lead["counterexample"] = entry.counterexample
    if entry.is_undecided:
        lead["would_help"] = what_would_help(entry)
    return lead | entry.to_json()


def what_would_help(entry: Entry) -> list[str]:
    """What its author can do for a claim that no checker decides, a sentence each."""
    premises = (
        f"{_named(e.obligation)} fails at {_point(entry, e)}: the rule needs it and the sentence may not, "
        "so say less of where it holds, or take another rule"
        for e in entry.failing_premises
    )
    return [*dict.fromkeys(premises), *hints(entry.undecided, entry.sentence)]


def _judged_by_terms(evidence: Evidence) -> bool:
    """Whether it is about the terms of a sum already: the premises of the rule bear these names."""
    return _named(evidence.obligation).endswith((": no term is negative", ": when a term is zero", ": term by term"))


def _point(entry: Entry, refuted: Evidence) -> str:
    return brief(entry.point_of(refuted), letters=entry.letters) or "a point of letters that the sentence has not"


def _on_abstraction(evidence: Evidence, sentence: str, with_lemmas: bool) -> Iterator[str]:
    """What would help where Z3 or cvc5 satisfies the negation, with any numbers for what it knows nothing of."""
    powers, sums = _POWER.search(_LIMITS.sub(r"\1", sentence)), _SUM.search(sentence)
    if powers:
        yield (
            "to Z3 and cvc5 a power whose exponent is a letter is any number: write Product(p, (j, 1, k)) for "
            "it, and go from each k to the next, ForEveryNumber(…, k, 2).by(Induction())"
        )
    if with_lemmas:
        yield (
            "the lemma instances that are given do not suffice: evaluate both sides where the last engine says "
            "it may fail, and take an instance that excludes that point"
        )
        return
    if sums and not _judged_by_terms(evidence):
        yield (
            "to Z3 and cvc5 a sum of any number of terms is any number: compare the two sides term by term, "
            "AtLeast(larger, smaller).by(TermByTerm((Sum(…),))), where the sum is their difference, or "
            "by(Gibbs((Divergence(pi[o], ref[o], o, 1, n),))) where that is a divergence"
        )
    if _TRANSCENDENTAL.search(sentence) or not (powers or sums):
        equal = ", and log_sign(u) beside it, by which log u is 0 at u = 1"
        yield (
            "to Z3 and cvc5 its exponentials and logarithms are any numbers: say what is needed of them as "
            "lemma instances, Always(…, using=(log_below_tangent(u),)), with u the argument"
            + (equal if _EQUALITY.search(sentence) else "")
        )


def _on_checker(checker: str, sentence: str) -> Iterator[str]:
    """What would help where a checker cannot tell."""
    if checker in ("quotients", "algebra"):
        if _PICKED.search(sentence):
            yield (
                "the terms of a sum of any number of terms have cases: write the sum over all but one as the sum over "
                "all less that one, Sum(r[j], (j, 1, G)) - r[i]"
            )
        elif _COUNTED in sentence:
            yield (
                "no normal form shows the expectation: where what is expected is a polynomial in the number k, "
                "CountMean(…).by(IndependentSuccesses(AgainstPolynomial(…))) with that polynomial"
            )
        else:
            yield "no normal form shows the two sides equal: take the identity in steps, with a Derivation"
    elif checker in ("expansion", "gruntz", "closing-balls"):
        yield "no leading term of known sign: say in the domain what signs the other symbols have"
    elif checker == "ball":
        yield "ball arithmetic needs a bounded domain on which neither side comes close to the other"


def hints(evidence: Iterable[Evidence], sentence: str, with_lemmas: bool = False) -> list[str]:
    """What would help where this is all that engines say of a ``sentence`` in LaTeX; ``with_lemmas``: instances of
    lemmas were given.
    """
    records = list(evidence)
    if where := _undefined(records):
        return [f"it has no value at {where}: exclude that by the domain, or write it in a form that has one there"]
    lines = []
    for e in records:
        if e.checker == STORED:
            lines.append(f"{e.obligation}: {e.artefact}")
        elif e.timed_out:
            lines.append(f"{e.obligation}: {e.artefact}; run verify again, or state the claim in smaller parts")
        elif e.artefact.startswith("sat (of an abstraction)"):
            lines += _on_abstraction(e, sentence, with_lemmas)
        elif e.outcome is Outcome.unknown:
            lines += _on_checker(e.checker, sentence)
    satisfied = any(e.artefact.startswith("sat") for e in records)
    if not satisfied and any(e.artefact.startswith(UNCERTIFIED) for e in records):
        lines.append(
            "no certificate is found: name a relation that would help, or an expression whose sign makes cases, "
            "Always(…, hint=(x < y, x - 2 * y))"
        )
    return list(dict.fromkeys(lines))
