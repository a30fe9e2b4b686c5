"""The command line's pages: the table of a run, the list of claims, one claim in full, and the errata of a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from grpo_symbolic.index import Index, Listing
from grpo_symbolic.ledger import Entry, Ledger, Mutants, Step, Totals
from grpo_symbolic.proof.evidence import PrintVerdict
from grpo_symbolic.report.layout import field, line, show_table

NOT_YET = "not verified yet"


def show_run(out: Console, ledger: Ledger, *, mutants: bool, reused: bool, seconds: float) -> None:
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
    show_table(out, headers, [_row(c, mutants) for c in ledger.claims], right=["seconds"])
    line(out)
    for text in _totals(ledger.totals, mutants):
        line(out, text)
    checking = f"{ledger.totals.seconds:.1f} s of checking"
    if reused:
        line(out, f"{checking}, none of it now: nothing has changed since, read from the store in {seconds:.1f} s")
    else:
        line(out, f"{checking} in this evidence; this run took {seconds:.1f} s")
    reasons = ledger.failures()
    if reasons:
        line(out)
        line(out, f"{_count(len(reasons), 'failure')}:", style="bold red")
        for reason in reasons:
            line(out, f"  {reason}")


def _row(entry: Entry, mutants: bool) -> list[str]:
    expected = "" if entry.verdict == entry.expected else f" (expected {entry.expected})"
    row = [
        entry.id,
        entry.locator,
        f"{entry.verdict}{expected}",
        entry.print_verdict or "–",
        entry.weakest.name,
        entry.crosscheck,
        f"{entry.seconds:.2f}",
    ]
    return [*row, _mutants(entry.mutants)] if mutants else row


def _mutants(counts: Mutants) -> str:
    named = {k: getattr(counts, k) for k in ("refuted", "equivalent", "survived", "unknown")}
    parts = [f"{number} {name}" for name, number in named.items() if number]
    return f"{counts.made}: {', '.join(parts)}" if parts else "none"


def _totals(totals: Totals, mutants: bool) -> list[str]:
    found = [
        f"{_count(totals.claims, 'claim')}: {_counts(totals.verdicts)}",
        f"decided by checkers alone: {totals.decided:.1%} of what is not a definition",
        _prints(totals),
        f"crosschecks: {_counts(totals.crosschecks)}",
        f"{_count(totals.one_engine, 'obligation')} proved by one engine alone",
    ]
    if totals.trivial:
        found.append(f"nothing is left to show, once read, of {', '.join(totals.trivial)}")
    return [*found, f"mutants: {_mutants(totals.mutants)}"] if mutants else found


def _prints(totals: Totals) -> str:
    argued = totals.print_verdicts_argued
    each = [
        f"{number} {name}" + (f" ({argued[name]} argued)" if name in argued else "")
        for name, number in totals.print_verdicts.items()
    ]
    return f"{_count(totals.printed, 'sentence')} of papers: {', '.join(each)}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def show_list(
    out: Console,
    listed: Sequence[Listing],
    known: Ledger,
    chosen: Ledger,
    verdict: str | None,
    hidden: Sequence[str] = (),
) -> None:
    """The claims that are listed; those with a verdict of the ledger ``known``, of which ``chosen`` have the one that
    is asked for. ``hidden`` are files that register more than their text shows.
    """
    rows, open_ = [], 0
    for c in listed:
        entry = known.entries.get(c.id)
        open_ += entry is None
        if entry is None and verdict is None:
            rows.append((c.id, c.locator, NOT_YET, "", c.title))
        elif entry is not None and c.id in chosen.entries:
            rows.append((c.id, c.locator, entry.verdict, entry.print_verdict or "–", c.title))
    show_table(out, ["claim", "locator", "verdict", "print", "title"], rows)
    line(out)
    number = f"{_count(len(rows), 'claim')}" + (f" with the verdict {verdict}" if verdict else "")
    line(out, number + (f"; {_not_yet(open_, len(listed))}" if open_ else ""))
    if hidden:
        line(out, f"and those that the text of {', '.join(hidden)} does not show: {NOT_YET}")


def _not_yet(number: int, of: int) -> str:
    which = "none is verified yet" if number == of else f"{number} of {of} are {NOT_YET}"
    return f"{which}: run `grpo-symbolic verify`"


def show_errata(out: Console, listed: Sequence[Listing], known: Ledger) -> None:
    """Every claim whose print does not simply hold, with what holds instead; of what no run has looked at, how its
    file judges the print.
    """
    found, open_ = 0, 0
    for c in listed:
        entry = known.entries.get(c.id)
        open_ += entry is None
        fares = c.print_expected if entry is None else entry.print_verdict
        if fares in (PrintVerdict.holds, None):
            continue
        found += 1
        line(out, f"{c.id}  {c.locator}", style="bold")
        field(out, "print", f"{fares}, by its file; {NOT_YET}" if entry is None else f"{fares}")
        field(out, "in short", c.title)
        field(out, "as printed", c.printed or "")
        if entry is not None:
            field(out, "what holds", entry.sentence)
            field(out, "where", entry.domain)
            field(out, "verdict", entry.verdict)
        field(out, "remark", c.print_remark)
        field(out, "witness", entry.witness if entry is not None else "")
        line(out)
    verb = "does" if found == 1 else "do"
    late = f"; {_not_yet(open_, len(listed))}" if open_ else "."
    line(out, f"{_count(found, 'print')} of {_count(len(listed), 'claim')} {verb} not simply hold{late}")


def show_listing(out: Console, listing: Listing, index: Index) -> None:
    """What a claim's file says of it, before anything is verified."""
    line(out, f"{listing.id}  {listing.title}", style="bold")
    field(out, "verdict", f"{NOT_YET}; its file expects {index.expected[listing.id]}")
    field(out, "paper", f"{index.papers[listing.paper][0]} ({listing.paper}), {listing.locator}")
    field(out, "file", f"{listing.paper}/{listing.file}")
    field(out, "printed", _printed(listing.printed))
    field(out, "it says", listing.says)
    field(out, "print", f"{listing.print_expected}, by its file" if listing.print_expected else "")
    field(out, "", listing.print_remark)
    field(out, "remark", listing.remark)
    field(out, "depends on", ", ".join(listing.depends_on))
    line(out)
    line(out, f"Checked by: grpo-symbolic show {listing.id} --verify")


def show_claim(out: Console, entry: Entry, paper_title: str) -> None:
    """One claim in full: what is printed, what holds and where, the derivation, and the evidence."""
    line(out, f"{entry.id}  {entry.title}", style="bold")
    field(out, "paper", f"{paper_title} ({entry.paper}), {entry.locator}")
    field(out, "file", f"{entry.paper}/{entry.file}")
    field(out, "sentence", entry.text)
    field(out, "printed", _printed(entry.printed))
    field(out, "it says", entry.says)
    field(out, "what holds", entry.sentence)
    field(out, "where", entry.domain)
    field(out, "verdict", entry.verdict)
    field(out, "proof", f"{entry.weakest.name} at its weakest link; crosscheck: {entry.crosscheck}")
    field(out, "print", entry.print_verdict or "")
    field(out, "", entry.print_remark)
    field(out, "witness", entry.witness)
    field(out, "remark", entry.remark)
    field(out, "by rules", "\n".join(entry.rules))
    field(out, "in words", "\n".join(entry.words))
    field(out, "depends on", ", ".join(entry.depends_on))
    if entry.mutants.made:
        field(out, "mutants", _mutants(entry.mutants))
    _steps(out, entry.steps)
    line(out)
    line(out, "Evidence", style="bold")
    columns = ["about", "obligation", "checker", "engine", "grade", "outcome", "seconds"]
    rows = [
        [e.about, e.obligation, e.checker, e.engine, e.grade.name, e.outcome, f"{e.seconds:.3f}"]
        for e in entry.evidence
    ]
    show_table(out, columns, rows, right=["seconds"])


def _printed(text: str | None) -> str:
    return "nowhere: a result of this project" if text is None else text


def _steps(out: Console, steps: Sequence[Step]) -> None:
    previous = None
    for number, step in enumerate(steps, start=1):
        if step.derivation != previous:
            line(out)
            line(out, f"Derivation {step.derivation}", style="bold")
            previous = step.derivation
        line(out, f"  {number}. {step.name}" + (f": {step.note}" if step.note else ""))
        line(out, f"     {step.result}")
