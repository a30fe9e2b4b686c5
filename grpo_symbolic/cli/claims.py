"""Commands about claims: verify, new, list, show, search, errata and export."""

from __future__ import annotations

import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from grpo_symbolic import session as sessions
from grpo_symbolic.cli.common import (
    ClaimId,
    Config,
    Latex,
    Options,
    Paper,
    Paths,
    Print,
    Trainer,
    Whole,
    app,
    asked_for,
    complain,
    ids_that_begin,
    put,
    reading_of,
    verdicts_that_begin,
    verified,
    writable,
    write,
)
from grpo_symbolic.cli.pages.judged import chosen, errata
from grpo_symbolic.cli.pages.layout import line
from grpo_symbolic.cli.pages.page import View, show_about, show_claim, show_errata, show_questions
from grpo_symbolic.cli.pages.terminal import show_list, show_run
from grpo_symbolic.errors import BadInput, check_name
from grpo_symbolic.index import Listing, about, described
from grpo_symbolic.ledger import ENGINES, check_print_verdict, check_verdict
from grpo_symbolic.report.advice import as_document
from grpo_symbolic.session import Run, Session
from grpo_symbolic.trainers.config import commands_about
from grpo_symbolic.trainers.questions import asked
from grpo_symbolic.verification.cluster import cluster


@app.command()
def verify(
    paths: Paths = None,
    ids: Annotated[
        list[str] | None,
        typer.Option(
            "--id", help="Only this claim, and what it depends on; can be repeated.", autocompletion=ids_that_begin
        ),
    ] = None,
    part: Annotated[
        str | None,
        typer.Option("--part", metavar="K/N", help="Only the K-th of N parts of the claims, and what they depend on."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Worker processes.")] = sessions.default_jobs(),
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write the ledger to FILE, or to standard output for -."),
    ] = None,
    mutate: Annotated[
        bool, typer.Option("--mutate", help="Change every claim mechanically too, and refute the changes.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Use no ledger of an earlier run.")] = False,
    search: Annotated[
        bool, typer.Option("--search", help="Look for every proof anew, by all engines, and compare.")
    ] = False,
    frozen: Annotated[
        bool, typer.Option("--frozen", help="Search nothing: what has no kept proof that stands fails.")
    ] = False,
    from_source: Annotated[
        bool,
        typer.Option("--from-source", help="Read every result file anew, and compare with what is kept of its claims."),
    ] = False,
    dask: Annotated[
        str | None, typer.Option("--dask", metavar="ADDRESS", help="Check on the Dask cluster with this scheduler.")
    ] = None,
) -> None:
    """Check every claim and print the table of verdicts."""
    begun = time.monotonic()
    if search and frozen:
        raise BadInput("--search looks for proofs and --frozen looks for none: give one of them")
    target = writable(json_file)
    mode = "search" if search else "frozen" if frozen else "replay"
    session = Session(paths or [])
    chosen = asked_for(session, [session.index.spelled(i) for i in ids or []], part)
    with nullcontext() if dask is None else cluster(dask) as executor:
        run = verified(
            session,
            chosen or [],
            jobs=jobs,
            mutate=mutate,
            fresh=fresh,
            executor=executor,
            mode=mode,
            from_source=from_source,
        )
    out = Console(stderr=True) if json_file == "-" else Console()
    for sentence in (*run.broken, *run.damaged, *run.stale):
        complain(sentence)
    show_run(out, run.ledger, mutants=mutate, reused=run.reused, seconds=time.monotonic() - begun)
    if json_file is not None:
        write(target, run.ledger.to_json())
    raise typer.Exit(_exit_status(run))


def _exit_status(run: Run) -> int:
    if run.broken:
        return 2
    if any(c.unfinished for c in run.ledger.claims):
        return 3
    return 1 if run.stale or run.ledger.failures() else 0


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="The folder to write; the paper is called like it.")],
) -> None:
    """Write a folder to start a paper of one's own in: a first claim, a test, a book page and a CI file that pass."""
    from grpo_symbolic import kit

    written = kit.new(folder)
    paper = next(f for f in written if f.name == "__init__.py").parent
    out = Console()
    for file in written:
        line(out, str(file))
    line(out)
    line(out, f"Next: grpo-symbolic verify {paper}, then {folder / 'README.md'}")


@app.command("list")
def list_claims(
    paths: Paths = None,
    paper: Paper = None,
    verdict: Annotated[
        str | None,
        typer.Option(
            "--verdict",
            help="Only claims with this verdict, or this verdict on the print.",
            autocompletion=verdicts_that_begin,
        ),
    ] = None,
    print_verdict: Print = None,
    believes: Annotated[
        str | None,
        typer.Option("--believes", metavar="ENGINE", help="Only claims for which this engine has to be believed."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead, all of each claim's line.")] = False,
) -> None:
    """List the claims, with their verdicts, or those that their files expect, and what they say."""
    check_verdict(verdict)
    check_print_verdict(print_verdict)
    if believes is not None:
        believes = believes.lower()
        check_name(believes, ENGINES, "engine")
    session = Session(paths or [])
    listed, known = _of_paper(session, paper), session.known()
    if believes is not None:
        resting = {c.id for c in known.claims if c.believes_in(believes)}
        listed = [c for c in listed if c.id in resting]
    judged = chosen(listed, known, session.index, verdict, print_verdict)
    if as_json:
        write(None, [row.to_json() for row in judged])
    else:
        show_list(Console(), judged, verdict or print_verdict, session.hidden)


@app.command()
def show(
    claim_id: ClaimId,
    paths: Paths = None,
    check: Annotated[bool, typer.Option("--verify", help="Search first for what no kept proof shows.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the claim's entry of the ledger instead.")] = False,
    derivation: Annotated[bool, typer.Option("--derivation", help="The steps that lead to it.")] = False,
    evidence: Annotated[bool, typer.Option("--evidence", help="What each checker found.")] = False,
    latex: Latex = False,
    whole: Whole = False,
) -> None:
    """Show one claim: its verdicts, what it says and where, what refutes the print, and what proves it.

    Where no run has looked at it, its kept proofs are replayed, and those of what it depends on.
    For the name of an algorithm or of a trainer's option, or a question, instead: the claims on it.
    """
    session, view = Session(paths or []), View(latex, whole, derivation, evidence)
    claim_id = session.index.spelled(claim_id)
    try:
        session.check_ids([claim_id])
    except BadInput:
        matches, commands, questions = about(claim_id, session.listings), commands_about(claim_id), asked(claim_id)
        # beside a folder of one's own the id is misspelt: a question of the built-in papers is no answer to that
        if as_json or not (matches or commands or questions) or (paths and not matches):
            raise
        show_questions(Console(), questions)
        return show_about(Console(), claim_id, matches, commands, view) if matches or commands else None
    entry = None if check else session.entry(claim_id)
    if entry is None:
        mode = "replay" if check else "frozen"
        entry = verified(session, [claim_id], jobs=sessions.default_jobs(), mode=mode).ledger.entry(claim_id)
    paper = session.index.papers[entry.paper][0]
    users = [c.id for c in session.index.listings.values() if claim_id in c.depends_on]
    if as_json:
        write(None, as_document(entry))
    else:
        letters = dict(described(session.file_of(entry))[1]).get("Letters", "")
        show_claim(Console(), entry, paper, view, users, letters)


@app.command()
def search(
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What you see: loss is 0, dead groups …")],
    trainer: Trainer = None,
    config: Config = None,
    options: Options = None,
) -> None:
    """Find answers and claims by what people write; with the options of a run, the numbers for it."""
    words = " ".join(text)
    reading = reading_of(trainer, config, options)
    questions, matches = asked(words), about(words, Session([]).listings)
    if not (questions or matches):
        raise BadInput(f"nothing is known here of {words!r}: docs/how-to/questions.md has what people ask")
    show_questions(Console(), questions, None if reading is None else reading.setting)
    if matches:
        show_about(Console(), words, matches, [], View())


@app.command("errata")
def list_errata(
    paths: Paths = None,
    paper: Paper = None,
    verdict: Annotated[
        str | None, typer.Option("--verdict", help="Only claims with this verdict, or this verdict on the print.")
    ] = None,
    print_verdict: Print = None,
    latex: Latex = False,
    whole: Whole = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print data instead.")] = False,
) -> None:
    """List the prints that do not simply hold, with what holds instead and what refutes them."""
    check_verdict(verdict)
    check_print_verdict(print_verdict)
    session = Session(paths or [])
    listed = _of_paper(session, paper)
    judged = errata(chosen(listed, session.known(), session.index, verdict, print_verdict))
    if as_json:
        write(None, [row.to_json() for row in judged])
    else:
        show_errata(Console(), judged, listed, View(latex, whole))


@app.command("export")
def export_claim(
    thing: Annotated[
        str,
        typer.Argument(metavar="ID", help="The id of a claim, or grpo, grpo-pairs, pairs, large-groups, success-map."),
    ],
    paths: Paths = None,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="latex, json, numpy, c, smtlib …")] = "latex",
    at: Annotated[
        list[str] | None, typer.Option("--at", metavar="NAME=NUMBER", help="Such as n=3: sums of that length.")
    ] = None,
    out_file: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to FILE.")] = None,
) -> None:
    """Write the expressions of a claim, an objective or a stationary policy for another tool."""
    from grpo_symbolic.export import export, whole_numbers

    target = writable(out_file)
    text = export(thing, to, at=whole_numbers(at or []), session=Session(paths or []))
    if target is None:
        sys.stdout.write(text)
    else:
        put(target, text)


def _of_paper(session: Session, paper: str | None) -> list[Listing]:
    """The claims under the paths as their files show them, of one paper or all."""
    if paper is not None:
        check_name(paper, sorted({c.paper for c in session.listings}), "paper")
    return [c for c in session.listings if paper in (None, c.paper)]
