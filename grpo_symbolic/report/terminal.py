"""The command line's pages: the table of a run, the list of claims, one claim in full, and the errata of a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from grpo_symbolic.report.layout import field, line, show_table
from grpo_symbolic.session import Document, Entry, errata, failures, witness
from grpo_symbolic.verification.ledger import is_printed, strongest

NOT_YET = "not verified yet"


def show_run(out: Console, document: Document, *, mutants: bool, reused: bool, seconds: float) -> None:
    """The table of a run, its totals, and every reason for which it fails; ``seconds`` is how long the run took."""
    headers = [
        "claim",
        "locator",
        "verdict",
        "print",
        "grade",
        "crosscheck",
        "seconds",
        *(["mutants"] if mutants else []),
    ]
    show_table(out, headers, [_row(c, mutants) for c in document["claims"]], right=["seconds"])
    line(out)
    for text in _totals(document, mutants):
        line(out, text)
    checking = f"{document['totals']['seconds']:.1f} s of checking"
    if reused:
        line(out, f"{checking}, none of it now: nothing has changed since, read from the store in {seconds:.1f} s")
    else:
        line(out, f"{checking} in this evidence; this run took {seconds:.1f} s")
    reasons = failures(document)
    if reasons:
        line(out)
        line(out, f"{_count(len(reasons), 'failure')}:", style="bold red")
        for reason in reasons:
            line(out, f"  {reason}")


def _row(entry: Entry, mutants: bool) -> list[str]:
    verdict = (
        entry["verdict"]
        if entry["verdict"] == entry["expected"]
        else f"{entry['verdict']} (expected {entry['expected']})"
    )
    seconds = sum(e["seconds"] for e in entry["evidence"])
    row = [
        entry["id"],
        entry["locator"],
        verdict,
        entry["print_verdict"] or "–",
        strongest(entry),
        entry["crosscheck"],
        f"{seconds:.2f}",
    ]
    return [*row, _mutants(entry["mutants"])] if mutants else row


def _mutants(counts: dict[str, int]) -> str:
    parts = [f"{counts[k]} {k}" for k in ("refuted", "equivalent", "survived", "unknown") if counts[k]]
    return f"{counts['made']}: {', '.join(parts)}" if parts else "none"


def _totals(document: Document, mutants: bool) -> list[str]:
    totals = document["totals"]
    found = [
        f"{_count(totals['claims'], 'claim')}: {_counts(totals['verdicts'])}",
        f"decided by checkers alone: {totals['proof_share']:.1%} of what is not a definition",
        _prints(totals),
        f"crosschecks: {_counts(totals['crosschecks'])}",
    ]
    return [*found, f"mutants: {_mutants(totals['mutants'])}"] if mutants else found


def _prints(totals: dict[str, Any]) -> str:
    argued = totals["print_verdicts_argued"]
    each = [f"{n} {name}" + (f" ({argued[name]} argued)" if name in argued else "")
            for name, n in totals["print_verdicts"].items()]  # fmt: skip
    return f"{_count(totals['printed'], 'sentence')} of papers: {', '.join(each)}"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def show_list(out: Console, rows: Sequence[tuple[str, str, str, str, str]], verified: bool) -> None:
    """Claims as (id, locator, verdict, verdict on the print, title)."""
    show_table(out, ["claim", "locator", "verdict", "print", "title"], rows)
    line(out)
    line(out, _count(len(rows), "claim") + ("" if verified else f"; {NOT_YET}: run `grpo-symbolic verify`"))


def show_errata(out: Console, document: Document) -> None:
    """Every claim whose print does not simply hold, with what holds instead."""
    claims = errata(document)
    for entry in claims:
        line(out, f"{entry['id']}  {entry['locator']}", style="bold")
        field(out, "print", entry["print_verdict"])
        field(out, "in short", entry["title"])
        field(out, "as printed", entry["printed"] or "")
        field(out, "what holds", _holds(entry))
        field(out, "where", entry["domain"])
        field(out, "verdict", entry["verdict"])
        field(out, "remark", entry["print_remark"])
        field(out, "witness", witness(entry))
        line(out)
    verb = "does" if len(claims) == 1 else "do"
    line(out, f"{_count(len(claims), 'print')} of {document['totals']['claims']} {verb} not simply hold.")


def show_claim(out: Console, entry: Entry, paper_title: str) -> None:
    """One claim in full: what is printed, what holds and where, the derivation, and the evidence."""
    line(out, f"{entry['id']}  {entry['title']}", style="bold")
    field(out, "paper", f"{paper_title} ({entry['paper']}), {entry['locator']}")
    field(out, "file", f"{entry['paper']}/{entry['file']}")
    field(out, "printed", entry["printed"] or "nowhere: a result of this project")
    field(out, "it says", entry["says"])
    field(out, "what holds", _holds(entry))
    field(out, "as text", entry.get("text", ""))
    field(out, "where", entry["domain"])
    field(out, "verdict", entry["verdict"])
    field(out, "proof", f"{strongest(entry)} at its weakest link; crosscheck: {entry['crosscheck']}")
    field(out, "print", entry["print_verdict"] or "")
    field(out, "", entry["print_remark"])
    field(out, "witness", witness(entry))
    field(out, "remark", entry["remark"])
    field(out, "in words", "\n".join(entry["lemmas"]))
    field(out, "depends on", ", ".join(entry["depends_on"]))
    if entry["mutants"]["made"]:
        field(out, "mutants", _mutants(entry["mutants"]))
    _steps(out, entry.get("steps", []))
    line(out)
    line(out, "Evidence", style="bold")
    columns = ["about", "obligation", "checker", "engine", "grade", "outcome"]
    rows = [[*(e[c] for c in columns), f"{e['seconds']:.3f}"] for e in entry["evidence"]]
    show_table(out, [*columns, "seconds"], rows, right=["seconds"])


def _holds(entry: Entry) -> str:
    if entry["holds"] is None:
        return "as printed" if is_printed(entry) else ""
    return str(entry["holds"])


def _steps(out: Console, steps: list[dict[str, Any]]) -> None:
    previous = None
    for number, step in enumerate(steps, start=1):
        if step["derivation"] != previous:
            line(out)
            line(out, f"Derivation {step['derivation']}", style="bold")
            previous = step["derivation"]
        line(out, f"  {number}. {step['name']}" + (f": {step['note']}" if step["note"] else ""))
        line(out, f"     {step['result']}")
