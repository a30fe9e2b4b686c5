"""The command line's tables: a run with its totals and failures, and the list of claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from grpo_symbolic.cli.pages.judged import Judged
from grpo_symbolic.cli.pages.layout import line, show_table
from grpo_symbolic.cli.pages.page import mutant_counts, not_yet, one_line
from grpo_symbolic.ledger import Entry, Ledger, Totals
from grpo_symbolic.proof.statements.evidence import NOT_YET, Verdict
from grpo_symbolic.report import count
from grpo_symbolic.report.advice import shortcoming
from grpo_symbolic.typeset.phrases import conclusions_first
from grpo_symbolic.typeset.plain import plain


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
    for text in totals_of(ledger.totals, mutants):
        line(out, text)
    checking = f"{ledger.totals.seconds:.1f} s of checking"
    if reused:
        line(out, f"{checking}, none of it now: nothing has changed since, read from the store in {seconds:.1f} s")
    else:
        line(out, f"{checking} in this evidence; this run took {seconds:.1f} s")
    reasons = ledger.failures()
    claims = [c for c in ledger.claims if c.failures() or c.verdict is Verdict.refuted]
    if reasons:
        line(out)
        line(out, f"{count(len(reasons), 'failure')}:", style="bold red")
    for c in claims:
        for text in shortcoming(c):
            line(out, f"  {text}")


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
    return [*row, mutant_counts(entry.mutants)] if mutants else row


def totals_of(totals: Totals, mutants: bool = False) -> list[str]:
    """The totals of a run, a line each; with ``mutants`` how these fared too."""
    lines = [
        f"{count(totals.claims, 'claim')}: {_counts(totals.verdicts)}",
        f"decided by checkers alone: {totals.decided:.1%} of what is not a definition",
        *([_prints(totals)] if totals.printed else []),
        f"crosschecks: {_counts(totals.crosschecks)}",
        _believed(totals),
    ]
    if totals.trivial:
        lines.append(f"nothing is left to show, once read, of {', '.join(totals.trivial)}: both sides are one term")
    return [*lines, f"mutants: {mutant_counts(totals.mutants)}"] if mutants else lines


def _believed(totals: Totals) -> str:
    """What has to be believed beside the checking core."""
    if not totals.recipes:
        return f"{count(totals.obligations, 'obligation')}: none rests on an engine that has to be believed"
    share = totals.recipes / totals.obligations
    return (
        f"{count(totals.obligations, 'obligation')}: {totals.recipes} ({share:.1%}) on the word of an engine, "
        f"{_counts(totals.believes)}"
    )


def _prints(totals: Totals) -> str:
    argued = totals.print_verdicts_argued
    each = [
        f"{number} {name}" + (f" ({argued[name]} argued)" if name in argued else "")
        for name, number in totals.print_verdicts.items()
    ]
    return f"{count(totals.printed, 'sentence')} of papers: {', '.join(each)}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items())


def show_list(out: Console, rows: Sequence[Judged], verdict: str | None, hidden: Sequence[str] = ()) -> None:
    """The claims, chosen by a ``verdict`` or not, a line each that fits the terminal or the pipe, where places
    have no room. ``hidden`` are files that register more than their text shows.
    """
    shown = [
        (
            row.listing.id,
            *([row.listing.locator] if out.is_terminal else []),
            f"expected: {row.verdict}" if row.entry is None else row.verdict,
            row.print_verdict or "–",
            one_line(row.record, plain(conclusions_first(row.record.line))),
        )
        for row in rows
    ]
    places = ["locator"] if out.is_terminal else []
    show_table(out, ["claim", *places, "verdict", "print", "says"], shown, fits=True)
    line(out)
    open_ = sum(row.entry is None for row in rows)
    number = f"{count(len(rows), 'claim')}" + (f" with the verdict {verdict}" if verdict else "")
    line(out, number + (f"; {not_yet(open_, len(rows))}" if open_ else ""))
    if not all(row.record.says_itself for row in rows):
        line(out, "“…”: in words, of its file or of the paper; what was checked: grpo-symbolic show ID")
    if hidden:
        line(out, f"and those that the text of {', '.join(hidden)} does not show: {NOT_YET}")
